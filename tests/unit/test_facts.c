/* The line of facts about a run, and filters on top of each other. */
#include "config.h"

#include <string.h>

#include "tests/unit/unit.h"
#include "ui/base/facts.h"
#include "ui/base/filter_stack.h"

static void
becomes(struct strbuf *text, const char *expected)
{
	ck_assert_str_eq(text->len > 0 ? text->data : "", expected);
	strbuf_free(text);
	*text = (struct strbuf){0};
}

START_TEST(counts_are_said_unless_there_is_none)
{
	struct strbuf facts = {0};

	facts_add_count(&facts, 0, "lane", "lanes");
	becomes(&facts, "");
	facts_add_count(&facts, 1, "lane", "lanes");
	facts_add_count(&facts, 2, "host", "hosts");
	becomes(&facts, ", 1 lane, 2 hosts");
}
END_TEST

START_TEST(exact_numbers_stand_in_groups_of_three)
{
	static const struct {
		int64_t number;
		const char *text;
	} cases[] = {{0, "0"},
	             {12, "12"},
	             {123, "123"},
	             {1234, "1 234"},
	             {123456, "123 456"},
	             {1234567, "1 234 567"},
	             {INT64_MAX, "9 223 372 036 854 775 807"}};
	struct strbuf text = {0};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		facts_add_exact(&text, cases[i].number);
		becomes(&text, cases[i].text);
	}
}
END_TEST

/* At this width these facts stand on the left, and those problems on the right. */
static void
shows(int width, const struct run_info *info, const char *left, const char *right)
{
	struct canvas *canvas = canvas_new(width, 3);
	struct strbuf line = {0}, expected = {0};
	int gap = width - 3 - (int)strlen(left) - (int)strlen(right);

	facts_draw(canvas, 1, width, info, slice_of(", 12 lanes, 3 hosts"));
	canvas_row(canvas, 1, &line);
	strbuf_printf(&expected, "  %s%*s%s", left, gap, "", right);
	ck_assert_uint_ge(line.len, expected.len);
	line.len = expected.len;
	line.data[line.len] = '\0';
	becomes(&line, expected.data);
	strbuf_free(&expected);
	canvas_free(canvas);
}

START_TEST(facts_are_left_out_whole_where_it_is_narrow)
{
	struct run_info info = {.format = "dftracer", .dialect = "pytorch", .n_problems = 0};

	shows(80, &info, "dftracer pytorch, 12 lanes, 3 hosts", "no problems");
	shows(51, &info, "dftracer pytorch, 12 lanes, 3 hosts", "no problems");
	shows(50, &info, "dftracer pytorch, 12 lanes", "no problems");
	shows(42, &info, "dftracer pytorch, 12 lanes", "no problems");
	shows(41, &info, "dftracer pytorch", "no problems");
	shows(32, &info, "dftracer pytorch", "no problems");
	shows(31, &info, "", "no problems");
	shows(14, &info, "", "no problems");
	info.dialect = "rank traces"; /* several words go before the facts */
	shows(55, &info, "dftracer rank traces, 12 lanes, 3 hosts", "no problems");
	shows(54, &info, "dftracer, 12 lanes, 3 hosts", "no problems");
	info.dialect = "";
	info.n_problems = 1;
	shows(60, &info, "dftracer, 12 lanes, 3 hosts", "1 problem");
	info.n_problems = 12;
	shows(60, &info, "dftracer, 12 lanes, 3 hosts", "12 problems");
}
END_TEST

START_TEST(problems_are_set_off)
{
	struct run_info info = {.format = "chrome", .dialect = "", .n_problems = 2};
	struct canvas *canvas = canvas_new(40, 1);

	facts_draw(canvas, 0, 40, &info, slice_of(""));
	ck_assert_int_eq(canvas->cells[2].style, STYLE_HEADER);
	ck_assert_int_eq(canvas->cells[38].style, STYLE_ERROR);
	info.n_problems = 0;
	facts_draw(canvas, 0, 40, &info, slice_of(""));
	ck_assert_int_eq(canvas->cells[38].style, STYLE_MUTED);
	canvas_free(canvas);
}
END_TEST

START_TEST(filters_stand_on_top_of_each_other)
{
	struct filter_stack stack = {0};
	struct strbuf shown = {0};
	struct err err = ERR_INIT;
	char *all;

	ck_assert_ptr_null(filter_stack_all(&stack));
	filter_stack_show(&stack, &shown);
	becomes(&shown, "");
	ck_assert(!filter_stack_drop(&stack));
	filter_stack_push(&stack, NULL);
	filter_stack_push(&stack, "");
	ck_assert_uint_eq(stack.n, 0);
	filter_stack_push(&stack, "name = 'a' OR name = 'b'");
	all = filter_stack_all(&stack);
	ck_assert_str_eq(all, "name = 'a' OR name = 'b'");
	free(all);
	ck_assert_int_eq(filter_stack_type(&stack, slice_of("duration > 5ms"), &err), 0);
	ck_assert_int_ne(filter_stack_type(&stack, slice_of("duration > > 5"), &err), 0);
	ck_assert_uint_eq(stack.n, 2); /* what was wrong left no trace */
	filter_stack_show(&stack, &shown);
	becomes(&shown, "filter  name = 'a' OR name = 'b'  &  duration > 5ms");
	all = filter_stack_all(&stack); /* each keeps its own OR to itself */
	ck_assert_str_eq(all, "(name = 'a' OR name = 'b') AND (duration > 5ms)");
	free(all);
	ck_assert(filter_stack_drop(&stack));
	all = filter_stack_all(&stack);
	ck_assert_str_eq(all, "name = 'a' OR name = 'b'");
	free(all);
	filter_stack_push(&stack, "lane = 1");
	filter_stack_fini(&stack);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("facts");
	TCase *tests = tcase_create("facts");

	tcase_add_test(tests, counts_are_said_unless_there_is_none);
	tcase_add_test(tests, exact_numbers_stand_in_groups_of_three);
	tcase_add_test(tests, facts_are_left_out_whole_where_it_is_narrow);
	tcase_add_test(tests, problems_are_set_off);
	tcase_add_test(tests, filters_stand_on_top_of_each_other);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
