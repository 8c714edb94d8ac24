/* The history of scopes: what stands, what was before, what comes after. */
#include "config.h"

#include "tests/unit/unit.h"
#include "ui/base/scope_history.h"

static struct scope_history history;

static bool
set(const char *text)
{
	struct scope scope = {0};
	struct err err = ERR_INIT;
	bool is_new;

	ck_assert_int_eq(scope_read(slice_of(text), &scope, &err), 0);
	is_new = scope_history_set(&history, &scope);
	scope_free(&scope);
	return is_new;
}

static void
check_now(const char *text)
{
	struct strbuf now = {0};

	scope_write(scope_history_now(&history), &now);
	ck_assert_str_eq(now.len > 0 ? now.data : "", text);
	strbuf_free(&now);
}

START_TEST(it_begins_with_the_whole_run)
{
	check_now("");
	ck_assert(!scope_history_step(&history, -1));
	ck_assert(!scope_history_step(&history, 1));
	ck_assert(!set("")); /* that stands */
	ck_assert(!scope_history_step(&history, -1));
	scope_history_free(&history);
}
END_TEST

START_TEST(steps_undo_and_redo)
{
	ck_assert(set("range 1s .. 2s"));
	ck_assert(!set("range 1s .. 2s"));
	ck_assert(set("range 1s .. 2s; name = x"));
	ck_assert(set("name = x"));
	ck_assert(!scope_history_step(&history, 1));
	ck_assert(scope_history_step(&history, -1));
	check_now("range 1s .. 2s; name = x");
	ck_assert(scope_history_step(&history, -1));
	check_now("range 1s .. 2s");
	ck_assert(scope_history_step(&history, -1));
	check_now("");
	ck_assert(!scope_history_step(&history, -1));
	ck_assert(scope_history_step(&history, 1));
	ck_assert(scope_history_step(&history, 1));
	check_now("range 1s .. 2s; name = x");
	scope_history_free(&history);
	check_now("");
}
END_TEST

START_TEST(a_new_one_drops_those_that_came_after)
{
	set("name = a");
	set("name = b");
	set("name = c");
	scope_history_step(&history, -1);
	scope_history_step(&history, -1);
	ck_assert(set("name = d"));
	ck_assert(!scope_history_step(&history, 1));
	ck_assert(scope_history_step(&history, -1));
	check_now("name = a");
	scope_history_free(&history);
}
END_TEST

START_TEST(the_oldest_go_first)
{
	char text[32];
	int n = 0;

	for (int i = 0; i < 3 * SCOPES_KEPT; i++) {
		snprintf(text, sizeof text, "name = n%d", i);
		ck_assert(set(text));
	}
	check_now(text);
	while (scope_history_step(&history, -1)) {
		n++;
	}
	ck_assert_int_eq(n, SCOPES_KEPT - 1);
	snprintf(text, sizeof text, "name = n%d", 2 * SCOPES_KEPT);
	check_now(text);
	scope_history_free(&history);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("scope_history");
	TCase *tests = tcase_create("scope_history");

	tcase_add_test(tests, it_begins_with_the_whole_run);
	tcase_add_test(tests, steps_undo_and_redo);
	tcase_add_test(tests, a_new_one_drops_those_that_came_after);
	tcase_add_test(tests, the_oldest_go_first);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
