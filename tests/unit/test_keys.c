/* The key table: complete, without a key twice in a view, and names that read back. */
#include "config.h"

#include "tests/unit/unit.h"
#include "ui/base/keys.h"
#include "ui/base/list.h"

START_TEST(every_binding_is_explained)
{
	size_t n;
	const struct key_binding *table = key_bindings(&n);

	ck_assert_uint_gt(n, 20);
	for (size_t i = 0; i < n; i++) {
		ck_assert(table[i].action != ACTION_NONE);
		ck_assert(table[i].keys[0] != KEY_NONE);
		ck_assert(table[i].name && *table[i].name);
		ck_assert(table[i].help && *table[i].help);
		ck_assert(table[i].views != 0);
		for (size_t k = i + 1; k < n; k++) {
			ck_assert_str_ne(table[i].name, table[k].name);
		}
	}
}
END_TEST

START_TEST(no_key_means_two_things_in_a_view)
{
	size_t n;
	const struct key_binding *table = key_bindings(&n);

	for (size_t i = 0; i < n * 4; i++) {
		for (size_t k = i + 1; k < n * 4; k++) {
			if (table[i / 4].views & table[k / 4].views &&
			    table[i / 4].keys[i % 4] != KEY_NONE) {
				ck_assert_msg(table[i / 4].keys[i % 4] != table[k / 4].keys[k % 4],
				              "%s and %s share a key", table[i / 4].name,
				              table[k / 4].name);
			}
		}
	}
}
END_TEST

START_TEST(terminal_multiplexers_keep_their_keys)
{
	static const int taken[] = {17, 19, 1, 2,
	                            28}; /* ^Q ^S flow control, ^A screen, ^B tmux, ^\ quit */

	for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++) {
		for (unsigned set = 1; set <= IN_HELP; set <<= 1) {
			ck_assert_int_eq(keys_lookup(taken[i], (enum view_set)set), ACTION_NONE);
		}
	}
}
END_TEST

START_TEST(names_read_back)
{
	size_t n;
	const struct key_binding *table = key_bindings(&n);

	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < 4 && table[i].keys[k] != KEY_NONE; k++) {
			char name[16];

			ck_assert_int_eq(key_from_name(slice_of(key_label(table[i].keys[k], name))),
			                 table[i].keys[k]);
		}
	}
	ck_assert_int_eq(key_from_name(slice_of("")), KEY_NONE);
	ck_assert_int_eq(key_from_name(slice_of("Nonsense")), KEY_NONE);
	ck_assert_int_eq(key_from_name(slice_of("é")), 0xe9);
}
END_TEST

START_TEST(lists_keep_the_selection_in_sight)
{
	struct list list = {.n = 100, .height = 10};

	list_act(&list, ACTION_LAST);
	ck_assert_uint_eq(list.selected, 99);
	ck_assert_uint_eq(list.top, 90);
	list_act(&list, ACTION_PAGE_UP);
	ck_assert_uint_eq(list.selected, 90);
	ck_assert_uint_eq(list.top, 90);
	list_act(&list, ACTION_UP);
	ck_assert_uint_eq(list.top, 89);
	list.n = 5;
	list_settle(&list);
	ck_assert_uint_eq(list.selected, 4);
	ck_assert_uint_eq(list.top, 0);
	list.n = 0;
	list_settle(&list);
	list_act(&list, ACTION_DOWN);
	ck_assert_uint_eq(list.selected, 0);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("keys");
	TCase *tests = tcase_create("keys");

	tcase_add_test(tests, every_binding_is_explained);
	tcase_add_test(tests, no_key_means_two_things_in_a_view);
	tcase_add_test(tests, terminal_multiplexers_keep_their_keys);
	tcase_add_test(tests, names_read_back);
	tcase_add_test(tests, lists_keep_the_selection_in_sight);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
