/* Columns of a table on the screen: widths, order, bars, sideways scrolling, as pictures. */
#include "config.h"

#include <string.h>

#include "tests/unit/unit.h"
#include "ui/table/grid.h"
#include "util/prng.h"

static struct table_model model;
static struct grid grid;
static struct list list;

static struct result *
sample(const char *first)
{
	const struct result_column columns[] = {
	    {.name = "kind", .kind = KIND_TEXT, .is_key = true},
	    {.name = "count", .kind = KIND_COUNT, .is_measure = true},
	    {.name = "total", .kind = KIND_DURATION, .is_measure = true},
	    {.name = "size", .kind = KIND_SIZE, .is_measure = true},
	};
	static const struct {
		const char *kind;
		int64_t count, total;
	} rows[] = {{"efi", 4, 9000000000}, {"sot", 12, 4500000000}, {"retrieve", 96, 70000000}};
	struct result *result = result_new("sample", columns, 4);

	for (size_t i = 0; i < 3; i++) {
		struct value *row = result_add_row(result);

		row[0] = value_text(result, slice_of(i == 0 && first ? first : rows[i].kind));
		row[1] = value_integer(rows[i].count);
		row[2] = value_integer(rows[i].total);
	}
	result_value(result, 1, 3)->type = VALUE_INTEGER;
	result_value(result, 1, 3)->integer = 2048;
	return result;
}

static void
setup(void)
{
	memset(&model, 0, sizeof(model));
	memset(&grid, 0, sizeof(grid));
	table_model_set(&model, sample(NULL));
	grid_set(&grid, model.result);
	list = (struct list){.n = model.n_rows, .height = 4};
}

static void
teardown(void)
{
	grid_fini(&grid);
	table_model_fini(&model);
}

static const char *
picture(int width, bool ascii)
{
	static struct strbuf text;
	struct canvas *canvas = canvas_new(width, 6);

	strbuf_clear(&text);
	canvas->ascii = ascii;
	list.n = model.n_rows;
	grid_lay(&grid, &model, width);
	grid_draw(&grid, &model, &list, (struct slice){"", 0}, canvas,
	          (struct area){0, 0, width, 6});
	for (int y = 0; y < 6; y++) {
		struct strbuf line = {0};

		canvas_row(canvas, y, &line);
		if (line.len > 0) {
			strbuf_printf(&text, "%s\n", line.data);
		}
		strbuf_free(&line);
	}
	canvas_free(canvas);
	return text.data ? text.data : "";
}

static void
act(enum view_action action)
{
	ck_assert(grid_act(&grid, &model, action));
}

START_TEST(numbers_stand_right_and_bars_where_there_is_room)
{
	ck_assert_str_eq(picture(70, false),
	                 "  kind       count    total                  size\n"
	                 "> efi            4   9.00 s ██████████          -\n"
	                 "  sot           12   4.50 s █████       2.000 KiB ██████████\n"
	                 "  retrieve      96  70.0 ms ▏                   -\n");
	ck_assert_str_eq(picture(45, true), "  kind       count    total       size\n"
	                                    "> efi            4   9.00 s          -\n"
	                                    "  sot           12   4.50 s  2.000 KiB\n"
	                                    "  retrieve      96  70.0 ms          -\n");
}
END_TEST

/* As long as all others, a bar tells nothing; a single row's still says that it is not empty. */
START_TEST(bars_of_rows_that_are_alike_are_left_out)
{
	for (size_t i = 0; i < 3; i++) {
		result_value(model.result, i, 2)->integer = 50000000;
	}
	grid_set(&grid, model.result);
	ck_assert_str_eq(picture(70, false), "  kind       count    total       size\n"
	                                     "> efi            4  50.0 ms          -\n"
	                                     "  sot           12  50.0 ms  2.000 KiB ██████████\n"
	                                     "  retrieve      96  50.0 ms          -\n");
	result_value(model.result, 2, 2)->integer = 25000000;
	grid_set(&grid, model.result);
	ck_assert(strstr(picture(70, false), "50.0 ms ██████████") != NULL);
}
END_TEST

START_TEST(sort_keys_are_numbered_and_the_first_gets_the_bar)
{
	table_model_sort(&model, 1, true);
	ck_assert_str_eq(picture(60, true),
	                 "  kind      countv               total                 size\n"
	                 "> retrieve      96 ##########  70.0 ms #                  -\n"
	                 "  sot           12 #            4.50 s #####      2.000 KiB\n"
	                 "  efi            4 #            9.00 s #########          -\n");
	table_model_sort_add(&model, 0, false);
	ck_assert_str_eq(picture(44, true), "  kind^2    countv1    total       size\n"
	                                    "> retrieve       96  70.0 ms          -\n"
	                                    "  sot            12   4.50 s  2.000 KiB\n"
	                                    "  efi             4   9.00 s          -\n");
}
END_TEST

START_TEST(columns_move_hide_and_come_back)
{
	struct strbuf text = {0};

	act(ACTION_RIGHT);
	act(ACTION_COLUMN_RIGHT); /* count behind total */
	ck_assert_uint_eq(grid_selected(&grid), 1);
	act(ACTION_LEFT);
	act(ACTION_COLUMN_HIDE); /* total */
	ck_assert_uint_eq(grid_selected(&grid), 1);
	ck_assert_str_eq(picture(36, true), "  kind       count       size\n"
	                                    "> efi            4          -\n"
	                                    "  sot           12  2.000 KiB\n"
	                                    "  retrieve      96          -\n");
	grid_write(&grid, &text);
	ck_assert_str_eq(text.data, "kind,-total,count,size");
	act(ACTION_COLUMN_HIDE);
	act(ACTION_COLUMN_HIDE);
	act(ACTION_COLUMN_HIDE); /* one stays, whatever is asked */
	ck_assert_str_eq(picture(40, true), "  kind\n> efi\n  sot\n  retrieve\n");
	act(ACTION_COLUMNS_SHOW);
	ck_assert_str_eq(picture(44, true), "  kind        total   count       size\n"
	                                    "> efi        9.00 s       4          -\n"
	                                    "  sot        4.50 s      12  2.000 KiB\n"
	                                    "  retrieve  70.0 ms      96          -\n");
	strbuf_free(&text);
}
END_TEST

START_TEST(half_a_number_is_never_shown)
{
	ck_assert_str_eq(picture(32, true), "  kind       count    total    >\n"
	                                    "> efi            4   9.00 s\n"
	                                    "  sot           12   4.50 s\n"
	                                    "  retrieve      96  70.0 ms\n");
	grid.selected = 3;
	ck_assert_str_eq(picture(32, true), "< kind        total       size\n"
	                                    "> efi        9.00 s          -\n"
	                                    "  sot        4.50 s  2.000 KiB\n"
	                                    "  retrieve  70.0 ms          -\n");
	grid.selected = 0;
	ck_assert_ptr_nonnull(strstr(picture(32, true), "count"));
}
END_TEST

START_TEST(long_texts_lose_their_middle_until_widened)
{
	table_model_set(&model, sample("a-very-long-name-that-goes-on-and-on-0123456789"));
	grid_set(&grid, model.result);
	ck_assert_str_eq(picture(44, true), "  kind                count    total       >\n"
	                                    "> a-very-l~23456789       4   9.00 s\n"
	                                    "  sot                    12   4.50 s\n"
	                                    "  retrieve               96  70.0 ms\n");
	act(ACTION_WHOLE_TEXT);
	ck_assert_ptr_nonnull(
	    strstr(picture(60, true), "> a-very-long-name-that-goes-on-and-on-0123456789 "));
	act(ACTION_WHOLE_TEXT);
	ck_assert_ptr_null(strstr(picture(60, true), "on-and-on-0123456789 "));
	/* Where there is room, nothing is cut. */
	ck_assert_ptr_nonnull(
	    strstr(picture(100, true), "> a-very-long-name-that-goes-on-and-on-0123456789 "));
}
END_TEST

START_TEST(marked_rows_are_added_up_below)
{
	table_model_mark(&model, 0);
	table_model_mark(&model, 1);
	list.height = 3;
	list.selected = 2;
	ck_assert_str_eq(picture(44, true), "  kind       count    total       size\n"
	                                    " *efi            4   9.00 s          -\n"
	                                    " *sot           12   4.50 s  2.000 KiB\n"
	                                    "> retrieve      96  70.0 ms          -\n"
	                                    "  2 marked      16   13.5 s  2.000 KiB\n");
}
END_TEST

START_TEST(columns_are_remembered_by_name)
{
	struct strbuf text = {0}, again = {0};

	grid_read(&grid, "size,-count,nonsense,,kind+,%6b,size");
	grid_write(&grid, &text);
	ck_assert_str_eq(text.data, "size,-count,kind+,total");
	grid_set(&grid, model.result); /* the next answer */
	grid_write(&grid, &again);
	ck_assert_str_eq(again.data, text.data);
	strbuf_free(&text);
	strbuf_free(&again);
}
END_TEST

/* Columns of the next answer that the one before did not have stand where it has them. */
START_TEST(new_columns_have_their_place)
{
	const struct result_column columns[] = {
	    {.name = "night"}, {.name = "size"}, {.name = "runs"}, {.name = "count"}};
	struct table_model next = {0};
	struct strbuf text = {0};

	table_model_set(&next, result_new("next", columns, 4));
	grid_set(&grid, next.result);
	grid_write(&grid, &text);
	ck_assert_str_eq(text.data, "night,count,size,runs");
	strbuf_free(&text);
	table_model_fini(&next);
}
END_TEST

START_TEST(odd_names_survive_being_remembered)
{
	const struct result_column columns[] = {{.name = "a,b"},          {.name = "-c+"},
	                                        {.name = "%61"},          {.name = ""},
	                                        {.name = "\xc3\xa9\x1b"}, {.name = "a,b"}};
	struct strbuf text = {0}, again = {0};
	struct table_model odd = {0};

	table_model_set(&odd, result_new("odd", columns, 6));
	grid_set(&grid, odd.result);
	ck_assert(grid_hide(&grid, slice_of("-c+"), true));
	grid_write(&grid, &text);
	grid_set(&grid, odd.result);
	grid_read(&grid, text.data);
	grid_write(&grid, &again);
	ck_assert_str_eq(again.data, text.data);
	ck_assert_uint_eq(grid.n, 6);
	strbuf_free(&text);
	strbuf_free(&again);
	table_model_fini(&odd);
}
END_TEST

START_TEST(clicks_find_their_column)
{
	(void)picture(70, true);
	ck_assert_uint_eq(grid_at(&grid, 0, 70), SIZE_MAX);
	ck_assert_uint_eq(grid_at(&grid, 2, 70), 0);
	ck_assert_uint_eq(grid_at(&grid, 15, 70), 1);
	ck_assert_uint_eq(grid_at(&grid, 35, 70), 2); /* its bar */
	ck_assert_uint_eq(grid_at(&grid, 69, 70), 3);
}
END_TEST

START_TEST(hostile_texts_stay_in_their_cells)
{
	table_model_set(&model, sample("\x1b[2J\xe6\xbc\xa2\xe5\xad\x97"
	                               "e\xcc\x81\xff\n\xe2\x80\xae"));
	grid_set(&grid, model.result);
	for (int width = 1; width < 60; width++) {
		struct canvas *canvas = canvas_new(width, 3);

		grid_lay(&grid, &model, width);
		grid_draw(&grid, &model, &list, slice_of("e"), canvas,
		          (struct area){0, 0, width, 3});
		for (int i = 0; i < width * 3; i++) {
			for (int k = 0; k < canvas->cells[i].length; k++) {
				ck_assert_uint_ge((unsigned char)canvas->cells[i].text[k], ' ');
			}
		}
		canvas_free(canvas);
	}
}
END_TEST

/* Whatever is pressed: the selected column is on the screen (if it fits at all), and nothing breaks
 * at any size. */
START_TEST(any_walk_keeps_the_selected_column_in_sight)
{
	static const enum view_action actions[] = {
	    ACTION_LEFT,        ACTION_RIGHT,        ACTION_COLUMN_LEFT, ACTION_COLUMN_RIGHT,
	    ACTION_COLUMN_HIDE, ACTION_COLUMNS_SHOW, ACTION_WHOLE_TEXT,  ACTION_RIGHT};
	struct prng prng = {(uint64_t)_i + 1};
	struct result_column columns[12];
	char names[12][16];
	struct table_model wide = {0};
	struct result *result;

	for (size_t i = 0; i < 12; i++) {
		snprintf(names[i], sizeof(names[i]), "column%zu", i);
		columns[i] = (struct result_column){.name = names[i],
		                                    .kind = i % 3 == 0 ? KIND_TEXT : KIND_DURATION};
	}
	result = result_new("wide", columns, 12);
	for (size_t i = 0; i < 12; i++) {
		struct value *row = i == 0 ? result_add_row(result) : result_value(result, 0, 0);

		row[i] = i % 3 == 0 ? value_text(result, slice_of("some longer text than fits"))
		                    : value_integer(123456789);
	}
	table_model_set(&wide, result);
	grid_set(&grid, wide.result);
	for (int step = 0; step < 2000; step++) {
		int width = 40 + (int)prng_below(&prng, 100);
		bool is_seen = false;

		(void)grid_act(&grid, &wide, actions[prng_below(&prng, 8)]);
		grid_lay(&grid, &wide, width);
		for (int x = 0; x < width; x++) {
			is_seen = is_seen || grid_at(&grid, x, width) == grid.selected;
		}
		ck_assert_msg(is_seen, "step %d, width %d", step, width);
	}
	table_model_fini(&wide);
}
END_TEST

START_TEST(a_result_without_columns_or_rows_is_drawn)
{
	struct table_model empty = {0};
	struct canvas *canvas = canvas_new(20, 4);

	table_model_set(&empty, result_new("empty", NULL, 0));
	grid_set(&grid, empty.result);
	grid_lay(&grid, &empty, 20);
	ck_assert(!grid_act(&grid, &empty, ACTION_COLUMN_HIDE));
	ck_assert_uint_eq(grid_selected(&grid), SIZE_MAX);
	list.n = 0;
	grid_draw(&grid, &empty, &list, (struct slice){"", 0}, canvas, (struct area){0, 0, 20, 4});
	canvas_free(canvas);
	table_model_fini(&empty);
}
END_TEST

START_TEST(what_a_table_is_sorted_by_is_seen)
{
	const struct result_column columns[] = {{.name = "name", .kind = KIND_TEXT},
	                                        {.name = "category", .kind = KIND_TEXT},
	                                        {.name = "sim_compute_time", .kind = KIND_REAL},
	                                        {.name = "total", .kind = KIND_DURATION}};
	struct result *result = result_new("wide", columns, 4);
	struct value *row = result_add_row(result);

	row[0] = value_text(result, slice_of("a name of thirty-five characters, or"));
	row[1] = value_text(result, slice_of("cuda_profiler_range"));
	row[2] = value_real(0.25);
	row[3] = value_integer(1000);
	table_model_set(&model, result);
	grid_fini(&grid);
	grid_set(&grid, model.result);
	ck_assert_ptr_null(strstr(picture(64, true), "total"));
	table_model_sort(&model, 3, true);
	ck_assert_ptr_nonnull(strstr(picture(64, true), " totalv"));
	ck_assert_ptr_nonnull(strstr(picture(64, true), " 1.00 us ######"));
	ck_assert_ptr_nonnull(strstr(picture(64, true), "> a name of")); /* as far as it needs */
	table_model_sort(&model, 2, true);
	ck_assert_ptr_nonnull(
	    strstr(picture(46, true), "~v")); /* the arrow stays where a title is cut */
}
END_TEST

START_TEST(numbers_beyond_the_measured_rows_are_whole)
{
	const struct result_column columns[] = {{.name = "n", .kind = KIND_INTEGER},
	                                        {.name = "x", .kind = KIND_REAL}};
	struct result *result = result_new("long", columns, 2);

	for (int64_t i = 0; i < 50000; i++) {
		struct value *row = result_add_row(result);

		row[0] = value_integer(i == 49990 ? -123456789 : i % 100);
		row[1] = value_real((double)(i % 3));
	}
	result_value(result, 7777, 1)->real = 1.123456789; /* no extreme, in no sample */
	table_model_set(&model, result);
	grid_set(&grid, model.result);
	list.top = list.selected = 49990;
	ck_assert_ptr_nonnull(strstr(picture(40, false), "-123456789"));
	list.top = list.selected = 7777;
	ck_assert_ptr_null(strstr(picture(40, false), "1.1 ")); /* never a part of it */
	ck_assert_ptr_nonnull(strstr(picture(40, false), "…"));
	ck_assert_ptr_nonnull(strstr(picture(40, true), "~"));
	list.top = list.selected = 0;
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("grid");
	TCase *tests = tcase_create("grid");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, numbers_stand_right_and_bars_where_there_is_room);
	tcase_add_test(tests, bars_of_rows_that_are_alike_are_left_out);
	tcase_add_test(tests, sort_keys_are_numbered_and_the_first_gets_the_bar);
	tcase_add_test(tests, columns_move_hide_and_come_back);
	tcase_add_test(tests, half_a_number_is_never_shown);
	tcase_add_test(tests, long_texts_lose_their_middle_until_widened);
	tcase_add_test(tests, marked_rows_are_added_up_below);
	tcase_add_test(tests, columns_are_remembered_by_name);
	tcase_add_test(tests, new_columns_have_their_place);
	tcase_add_test(tests, odd_names_survive_being_remembered);
	tcase_add_test(tests, clicks_find_their_column);
	tcase_add_test(tests, hostile_texts_stay_in_their_cells);
	tcase_add_loop_test(tests, any_walk_keeps_the_selected_column_in_sight, 0, 3);
	tcase_add_test(tests, a_result_without_columns_or_rows_is_drawn);
	tcase_add_test(tests, numbers_beyond_the_measured_rows_are_whole);
	tcase_add_test(tests, what_a_table_is_sorted_by_is_seen);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
