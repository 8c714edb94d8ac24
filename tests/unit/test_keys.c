/* The key table: complete, without a key twice in a view, and names that read back. */
#include "config.h"

#include "tests/unit/unit.h"
#include "ui/base/keys.h"
#include "ui/base/list.h"

START_TEST(every_binding_is_explained)
{
	size_t n;
	const struct key_binding *table = key_bindings();

	for (n = 0; table[n].name; n++) {
	}
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

/* h and l: to the left and to the right, in tables by a column, in timelines by a piece of time. */
static bool
is_same_idea(const struct key_binding *one, const struct key_binding *other)
{
	return !(one->views & other->views) &&
	       ((one->action == ACTION_LEFT && other->action == ACTION_PAN_LEFT) ||
	        (one->action == ACTION_RIGHT && other->action == ACTION_PAN_RIGHT));
}

START_TEST(no_key_means_two_things_in_two_views)
{
	size_t n;
	const struct key_binding *table = key_bindings();

	for (n = 0; table[n].name; n++) {
	}
	for (size_t i = 0; i < n * KEYS_A_COMMAND; i++) {
		const struct key_binding *one = &table[i / KEYS_A_COMMAND];
		int key = one->keys[i % KEYS_A_COMMAND];

		for (size_t k = i + 1; k < n * KEYS_A_COMMAND && key != KEY_NONE; k++) {
			const struct key_binding *other = &table[k / KEYS_A_COMMAND];

			ck_assert_msg(key != other->keys[k % KEYS_A_COMMAND] ||
			                  is_same_idea(one, other),
			              "%s and %s share a key", one->name, other->name);
		}
	}
}
END_TEST

START_TEST(no_label_stands_for_two_things)
{
	const struct key_binding *table = key_bindings();

	for (size_t i = 0; table[i].name; i++) {
		for (size_t k = i + 1; table[i].label && table[k].name; k++) {
			ck_assert_msg(!table[k].label ||
			                  strcmp(table[i].label, table[k].label) != 0,
			              "%s and %s are both called %s", table[i].name, table[k].name,
			              table[i].label);
		}
	}
}
END_TEST

START_TEST(a_key_without_meaning_here_is_told_where_it_has_one)
{
	struct strbuf views = {0};

	ck_assert_str_eq(key_binding_elsewhere('F')->name, "frequency");
	views_name(key_binding_elsewhere('w')->views, &views);
	views_name(IN_TABLE | IN_SPANS, &views);
	views_name(IN_RUN | IN_RUNS, &views);
	ck_assert_str_eq(views.data,
	                 "timelinestables, lists of spansviews of a run, the list of runs");
	strbuf_free(&views);
	ck_assert_ptr_null(key_binding_elsewhere('5'));
	ck_assert_ptr_null(key_binding_elsewhere(KEY_NONE));
}
END_TEST

START_TEST(terminal_multiplexers_keep_their_keys)
{
	static const int taken[] = {17, 19, 1, 2,
	                            28}; /* ^Q ^S flow control, ^A screen, ^B tmux, ^\ quit */

	for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++) {
		for (unsigned set = 1; set & IN_ALL; set <<= 1) {
			ck_assert_int_eq(keys_lookup(taken[i], (enum view_set)set), ACTION_NONE);
		}
	}
}
END_TEST

START_TEST(names_read_back)
{
	size_t n;
	const struct key_binding *table = key_bindings();

	for (n = 0; table[n].name; n++) {
	}
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

START_TEST(lists_move_by_rows_and_pages)
{
	struct list list = {.n = 30, .height = 10, .selected = 12, .top = 5};

	ck_assert(list_act(&list, ACTION_UP));
	ck_assert_uint_eq(list.selected, 11);
	ck_assert(list_act(&list, ACTION_DOWN));
	ck_assert_uint_eq(list.selected, 12);
	ck_assert_uint_eq(list.top, 5);               /* in sight all the time */
	ck_assert(list_act(&list, ACTION_PAGE_DOWN)); /* one row of the last page stays */
	ck_assert_uint_eq(list.selected, 21);
	ck_assert_uint_eq(list.top, 12);
	list_act(&list, ACTION_PAGE_DOWN);
	list_act(&list, ACTION_PAGE_DOWN);
	ck_assert_uint_eq(list.selected, 29);
	ck_assert_uint_eq(list.top, 20);
	list_act(&list, ACTION_DOWN);
	ck_assert_uint_eq(list.selected, 29);
	ck_assert(list_act(&list, ACTION_FIRST));
	ck_assert_uint_eq(list.selected, 0);
	ck_assert_uint_eq(list.top, 0);
	list_act(&list, ACTION_UP);
	ck_assert_uint_eq(list.selected, 0);
	list.selected = 4;
	list_act(&list, ACTION_PAGE_UP);
	ck_assert_uint_eq(list.selected, 0);
	ck_assert(!list_act(&list, ACTION_OPEN));
	list.height = 0; /* no room: a row at a time */
	list_act(&list, ACTION_PAGE_DOWN);
	ck_assert_uint_eq(list.selected, 1);
	list.height = 1;
	list_act(&list, ACTION_PAGE_DOWN);
	ck_assert_uint_eq(list.selected, 2);
	ck_assert_uint_eq(list.top, 2);
}
END_TEST

START_TEST(texts_scroll_at_the_first_key)
{
	struct list list = {.n = 30, .height = 10};

	ck_assert(list_act_text(&list, ACTION_DOWN));
	ck_assert_uint_eq(list.top, 1);
	ck_assert_uint_eq(list.selected, 1); /* the first that is left */
	list.selected = 5;
	list_act_text(&list, ACTION_PAGE_DOWN);
	ck_assert_uint_eq(list.top, 10);
	list_act_text(&list, ACTION_UP);
	ck_assert_uint_eq(list.top, 9);
	ck_assert_uint_eq(list.selected, 10);
	list_act_text(&list, ACTION_PAGE_UP);
	ck_assert_uint_eq(list.top, 0);
	ck_assert_uint_eq(list.selected, 9);
	list_act_text(&list, ACTION_UP); /* the selection alone can go on */
	ck_assert_uint_eq(list.top, 0);
	ck_assert_uint_eq(list.selected, 8);
	list_act_text(&list, ACTION_LAST);
	ck_assert_uint_eq(list.top, 20);
	ck_assert_uint_eq(list.selected, 29);
	list = (struct list){.n = 3, .height = 10};
	list_act_text(&list, ACTION_PAGE_DOWN); /* all of it is there */
	ck_assert_uint_eq(list.top, 0);
	ck_assert(!list_act_text(&list, ACTION_OPEN));
}
END_TEST

START_TEST(the_mouse_takes_the_row_under_it)
{
	struct list list = {.n = 30, .height = 10, .selected = 7, .top = 5};
	struct mouse_event event = {.type = MOUSE_PRESS, .y = 3};

	ck_assert_int_eq(list_mouse(&list, &event, 3, 3), LIST_SELECTED);
	ck_assert_uint_eq(list.selected, 5);
	event.y = 12;
	event.type = MOUSE_DOUBLE;
	ck_assert_int_eq(list_mouse(&list, &event, 3, 3), LIST_OPENED);
	ck_assert_uint_eq(list.selected, 14);
	event.y = 13; /* below the list */
	ck_assert_int_eq(list_mouse(&list, &event, 3, 3), LIST_MISSED);
	event.y = 2; /* above it */
	ck_assert_int_eq(list_mouse(&list, &event, 3, 3), LIST_MISSED);
	ck_assert_uint_eq(list.selected, 14);
	event.type = MOUSE_WHEEL_UP;
	ck_assert_int_eq(list_mouse(&list, &event, 3, 3), LIST_SELECTED);
	ck_assert_uint_eq(list.selected, 11);
	event.type = MOUSE_WHEEL_DOWN;
	ck_assert_int_eq(list_mouse(&list, &event, 3, 4), LIST_SELECTED);
	ck_assert_uint_eq(list.selected, 15);
	event.type = MOUSE_DRAG;
	event.y = 3;
	ck_assert_int_eq(list_mouse(&list, &event, 3, 3), LIST_MISSED);
	ck_assert_uint_eq(list.selected, 15);
	list.n = 2; /* shorter than its place */
	list_settle(&list);
	event.type = MOUSE_PRESS;
	event.y = 5;
	ck_assert_int_eq(list_mouse(&list, &event, 3, 3), LIST_MISSED);
	event.y = 3;
	ck_assert_int_eq(list_mouse(&list, &event, 3, 3), LIST_SELECTED);
	ck_assert_uint_eq(list.selected, 0);
}
END_TEST

START_TEST(keys_are_named_as_they_are_shown)
{
	char name[16];

	ck_assert_str_eq(key_label('x', name), "x");
	ck_assert_str_eq(key_label(' ', name), "Space");
	ck_assert_str_eq(key_label(1, name), "^A");
	ck_assert_str_eq(key_label(31, name), "^_");
	ck_assert_str_eq(key_label(0xe9, name), "é");
	ck_assert_str_eq(key_label(0, name), "");
	ck_assert_str_eq(key_label(KEY_F1, name), "F1");
	ck_assert_int_eq(key_from_name(slice_of("^A")), 1);
	ck_assert_int_eq(key_from_name(slice_of("^_")), 31);
	ck_assert_int_eq(key_from_name(slice_of("^")), '^');
	ck_assert_int_eq(key_from_name(slice_of("^a")), KEY_NONE);
	ck_assert_int_eq(key_from_name(slice_of("^AB")), KEY_NONE);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("keys");
	TCase *tests = tcase_create("keys");

	tcase_add_test(tests, every_binding_is_explained);
	tcase_add_test(tests, no_key_means_two_things_in_two_views);
	tcase_add_test(tests, no_label_stands_for_two_things);
	tcase_add_test(tests, a_key_without_meaning_here_is_told_where_it_has_one);
	tcase_add_test(tests, terminal_multiplexers_keep_their_keys);
	tcase_add_test(tests, names_read_back);
	tcase_add_test(tests, lists_keep_the_selection_in_sight);
	tcase_add_test(tests, lists_move_by_rows_and_pages);
	tcase_add_test(tests, texts_scroll_at_the_first_key);
	tcase_add_test(tests, the_mouse_takes_the_row_under_it);
	tcase_add_test(tests, keys_are_named_as_they_are_shown);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
