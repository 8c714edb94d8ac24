/* A table inside the application, without a terminal: the mouse, and what is kept when a question
 * fails. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/unit.h"
#include "ui/app/app.h"
#include "ui/base/settings.h"
#include "ui/places.h"
#include "ui/table/table_source.h"

static struct app *app;

static void
wake(void *user)
{
	(void)user;
}

static void
setup(void)
{
	static const char *const kinds[] = {"efi", "sot", "concat", "mean"};
	const struct result_column columns[] = {{.name = "kind", .kind = KIND_TEXT, .is_key = true},
	                                        {.name = "count", .kind = KIND_COUNT}};
	struct settings settings = {0};
	const struct app_options options = {.settings = &settings, .places = places};
	struct err err = ERR_INIT;
	struct result *result = result_new("kinds", columns, 2);

	for (size_t i = 0; i < 4; i++) {
		struct value *row = result_add_row(result);

		row[0] = value_text(result, slice_of(kinds[i]));
		row[1] = value_integer((int64_t)i + 1);
	}
	app = app_new(&options, wake, NULL, &err);
	ck_assert_ptr_nonnull(app);
	app_resize(app, 60, 12);
	app_open(app,
	         &(struct view_place){.kind = PLACE_RESULT, .title = "kinds", .result = result});
	app_wait(app);
}

static void
teardown(void)
{
	app_free(app);
}

static const char *
row(int y)
{
	static struct strbuf line;

	strbuf_clear(&line);
	canvas_row(app_draw(app), y, &line);
	return line.data ? line.data : "";
}

static void
click(int x, int y, int type)
{
	const struct mouse_event event = {.x = x, .y = y, .type = type};

	app_mouse(app, &event);
}

START_TEST(the_mouse_selects_sorts_and_scrolls)
{
	ck_assert_str_eq(row(2), "> efi          1");
	click(4, 4, MOUSE_PRESS);
	ck_assert_str_eq(row(4), "> concat       3");
	click(10, 1, MOUSE_PRESS);
	ck_assert_ptr_nonnull(strstr(row(0), "sort -count"));
	click(10, 1, MOUSE_DOUBLE);
	ck_assert_ptr_nonnull(strstr(row(0), "sort count"));
	click(4, 4, MOUSE_WHEEL_UP);
	ck_assert_str_eq(row(2), "> efi          1");
	click(4, 4, MOUSE_WHEEL_DOWN);
	ck_assert_str_eq(row(5), "> mean         4");
	click(59, 11, MOUSE_PRESS); /* below all rows */
	click(0, 0, MOUSE_PRESS);
	ck_assert_str_eq(row(5), "> mean         4");
}
END_TEST

START_TEST(the_cursor_stands_on_the_selected_cell)
{
	const struct canvas *canvas;

	app_key(app, 'j');
	app_key(app, 'l');
	canvas = app_draw(app);
	ck_assert_int_eq(canvas->cursor_y, 3);
	ck_assert_int_gt(canvas->cursor_x, 2);
}
END_TEST

START_TEST(a_frequency_table_is_left_with_a_filter)
{
	app_key(app, 'F');
	app_wait(app);
	ck_assert_ptr_nonnull(strstr(row(0), "values of kind"));
	app_key(app, 'j');
	app_key(app, '\r');
	ck_assert_ptr_nonnull(strstr(row(0), "1 of 4 rows"));
	ck_assert_str_eq(row(2), "> efi          1");
	app_key(app, 27);
	ck_assert_ptr_nonnull(strstr(row(0), "4 rows"));
}
END_TEST

static void
open_long(int64_t n)
{
	const struct result_column columns[] = {{.name = "n", .kind = KIND_INTEGER},
	                                        {.name = "tens", .kind = KIND_DURATION}};
	struct result *result = result_new("long", columns, 2);

	for (int64_t i = 0; i < n; i++) {
		struct value *row = result_add_row(result);

		row[0] = value_integer(i);
		row[1] = value_integer((i * 7919 % n + 100000) * 1000);
	}
	app_open(app,
	         &(struct view_place){.kind = PLACE_RESULT, .title = "long", .result = result});
	app_wait(app);
}

static void
type(const char *keys)
{
	for (; *keys; keys++) {
		app_key(app, *keys);
	}
}

START_TEST(many_rows_are_put_in_order_behind_the_keys)
{
	open_long(20000);
	ck_assert_ptr_nonnull(strstr(row(2), " 0 "));
	type("l]"); /* the header says what is wanted, the rows stand until it comes */
	ck_assert_ptr_nonnull(strstr(row(0), "sort -tens"));
	app_wait(app);
	ck_assert_ptr_nonnull(strstr(row(2), "120 ms"));
	type("&n < 5\r");
	type("&n > 2\r"); /* before the first was worked out */
	app_wait(app);
	ck_assert_ptr_nonnull(strstr(row(0), "2 of 20 000 rows"));
	type("\\\\");
	app_wait(app);
	ck_assert_ptr_nonnull(strstr(row(0), "20 000 rows"));
	ck_assert_ptr_nonnull(strstr(row(2), "120 ms"));
	type("&(\r"); /* stays there to be mended, what is wrong above it */
	ck_assert_ptr_nonnull(strstr(row(11), "): ("));
	ck_assert_ptr_nonnull(strstr(row(10), "("));
	app_key(app, 27);
	app_wait(app);
	ck_assert_ptr_nonnull(strstr(row(0), "row 1   20 000 rows"));
	type("mm&n > 19990\r");
	app_wait(app);
	ck_assert_ptr_null(strstr(row(0), "marked")); /* nobody would see them */
	type("F");
	app_wait(app);
	ck_assert_ptr_nonnull(strstr(row(0), "values of tens"));
	type("\rR"); /* the answer comes again: filters and sort stay */
	app_wait(app);
	ck_assert_ptr_nonnull(strstr(row(0), "1 of 20 000 rows   sort -tens"));
}
END_TEST

START_TEST(esc_stops_an_order_and_keeps_what_is_shown)
{
	open_long(400000); /* some tenths of a second */
	type("l]");
	app_wait(app);
	type("h["); /* not waited for */
	app_key(app, 27);
	app_wait(app);
	ck_assert_ptr_nonnull(strstr(row(0), "sort -tens"));
	ck_assert_ptr_nonnull(strstr(row(2), "500 ms"));
	type("[q"); /* left while it is worked out */
	app_wait(app);
	ck_assert_ptr_nonnull(strstr(row(0), "4 rows"));
}
END_TEST

static struct result *
load_nothing(const struct table_source *source, char *const *texts, struct job_worker *worker,
             const struct cancel *cancel, struct err *err)
{
	char path[600];

	(void)source;
	(void)texts;
	(void)worker;
	(void)cancel;
	memset(path, 'p', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	err_set(err, ERR_FORMAT, "/%s: not a run file; import it again", path);
	return NULL;
}

static void
free_nothing(struct table_source *source)
{
	(void)source;
}

START_TEST(a_long_error_keeps_its_end_on_small_screens)
{
	static const struct table_source_ops ops = {.load = load_nothing, .free = free_nothing};
	static struct table_source source = {.ops = &ops, .title = "broken"};

	atomic_store(&source.references, 1);
	app_resize(app, 40, 8);
	app_open(app, &(struct view_place){.kind = PLACE_SOURCE, .source = &source});
	app_wait(app);
	ck_assert_ptr_nonnull(strstr(row(4), " /ppp"));
	ck_assert_ptr_nonnull(strstr(row(7), "…"));
	ck_assert_ptr_nonnull(strstr(row(7), "it again"));
	app_resize(app, 100, 24);
	app_key(app, KEY_CURSOR_UP); /* the message goes, the table's own text stays */
	ck_assert_ptr_nonnull(strstr(row(8), "import it again"));
	ck_assert_ptr_nonnull(strstr(row(10), "R asks again"));
}
END_TEST

START_TEST(commands_say_why_they_fail)
{
	type(":param show=delta\r");
	ck_assert_ptr_nonnull(strstr(row(11), "kinds takes no parameters"));
	type(":hide nosuch\r");
	ck_assert_ptr_nonnull(strstr(row(11), "nosuch"));
	type(":show nosuch\r");
	ck_assert_ptr_nonnull(strstr(row(11), "nosuch"));
}
END_TEST

static void *reused; /* where the view was */

static struct result *
load_of_two(const struct table_source *source, char *const *texts, struct job_worker *worker,
            const struct cancel *cancel, struct err *err)
{
	const struct result_column columns[] = {{.name = "only_in", .kind = KIND_TEXT}};
	struct result *result = result_new("two", columns, 1);

	(void)source;
	(void)texts;
	(void)worker;
	(void)cancel;
	(void)err;
	result_add_row(result)[0] = value_text(result, slice_of("a"));
	return result;
}

static bool
leave(const struct table_source *source, struct view *view, const struct view_place *in,
      const struct result *result, size_t row)
{
	(void)source;
	(void)result;
	(void)row;
	ck_assert_str_eq(in->run_path, "a.lanes"); /* where the row is */
	app_pop(view->app);
	reused = malloc(sizeof(struct view));
	memset(reused, 'x', sizeof(struct view));
	return true;
}

START_TEST(a_row_of_two_runs_may_close_its_table)
{
	static const struct table_source_ops ops = {
	    .load = load_of_two, .open = leave, .free = free_nothing};
	static struct table_source source = {.ops = &ops, .title = "two"};

	source.runs = two_runs_copy(&(struct two_runs){{"a.lanes", "b.lanes"}, {"a", "b"}});
	atomic_store(&source.references, 1);
	app_open(app, &(struct view_place){.kind = PLACE_SOURCE,
	                                   .source = &source,
	                                   .run_path = "b.lanes",
	                                   .run_name = "b"});
	app_wait(app);
	app_key(app, '\r');
	ck_assert_ptr_nonnull(reused);
	for (size_t i = 0; i < sizeof(struct view); i++) {
		ck_assert_int_eq(((const char *)reused)[i], 'x');
	}
	free(reused);
	ck_assert_ptr_nonnull(strstr(row(0), "4 rows"));
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("table_view");
	TCase *tests = tcase_create("table_view");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, the_mouse_selects_sorts_and_scrolls);
	tcase_add_test(tests, the_cursor_stands_on_the_selected_cell);
	tcase_add_test(tests, a_frequency_table_is_left_with_a_filter);
	tcase_add_test(tests, many_rows_are_put_in_order_behind_the_keys);
	tcase_add_test(tests, esc_stops_an_order_and_keeps_what_is_shown);
	tcase_add_test(tests, a_long_error_keeps_its_end_on_small_screens);
	tcase_add_test(tests, commands_say_why_they_fail);
	tcase_add_test(tests, a_row_of_two_runs_may_close_its_table);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
