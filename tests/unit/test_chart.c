/* Charts: what is chosen, that figures are those of the rows, that what is left out is said, and
 * that nothing a result may hold breaks one. */
#include "config.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chart/chart.h"
#include "export/chart_svg.h"
#include "tests/unit/made_chart.h"
#include "ui/chart/chart_draw.h"
#include "ui/chart/chart_text.h"
#include "util/order.h"

static bool
says(const struct chart *chart, const char *words)
{
	for (size_t i = 0; i < chart->n_notes; i++) {
		if (strstr(chart->notes[i], words)) {
			return true;
		}
	}
	return false;
}

/* As all writers draw it: nothing to compare, but nothing may break. */
static void
draw(const struct chart *chart, int width, int height)
{
	struct strbuf out = {0};
	struct err err = ERR_INIT;
	struct chart_paper paper = {width, height, false, NULL};
	FILE *file = tmpfile();

	chart_text(chart, &paper, &out);
	paper.ascii = true;
	chart_text(chart, &paper, &out);
	for (size_t i = 0; i < out.len; i++) {
		ck_assert(out.data[i] == '\n' || (unsigned char)out.data[i] >= ' ');
	}
	ck_assert_int_eq(export_chart_svg(chart, file, &err), 0);
	fclose(file);
	strbuf_free(&out);
}

START_TEST(keys_of_text_make_bars)
{
	struct result *result = result_new("Tasks", task_columns, 4);
	struct err err = ERR_INIT;
	struct chart_wish wish = {0};

	RESULT_ADD(result, text("efi"), text("n1"), value_integer(3000000000), value_integer(2));
	RESULT_ADD(result, text("sot"), text("n1"), value_integer(1000000000), value_integer(7));
	struct chart *chart = chart_new(result, &wish, &err);
	ck_assert_int_eq(chart->kind, CHART_BARS);
	ck_assert_uint_eq(chart->x.n_names, 2); /* host is the same everywhere: no part of a name */
	ck_assert(slice_is(chart->x.names[0], "efi"));
	ck_assert_double_eq(chart->series[0].points[1].y, 1e9);
	ck_assert_uint_eq(chart->series[0].points[1].row, 1);
	ck_assert_double_eq(chart->y.low, 0);
	ck_assert_double_eq(chart->y.high, 3e9);
	chart_free(chart);
	chart = plot(result, CHART_BARS, NULL, "calls", NULL);
	ck_assert_double_eq(chart->series[0].points[1].y, 7);
	chart_free(chart);
	result_free(result);
}
END_TEST

START_TEST(a_key_of_numbers_makes_a_line_with_its_spread)
{
	static const struct result_column columns[] = {
	    {.name = "start", .kind = KIND_TIME, .is_key = true},
	    COLUMN_MEASURE("mean", KIND_REAL, NULL),
	    COLUMN("min", KIND_REAL, NULL),
	    COLUMN("max", KIND_REAL, NULL)};
	struct result *result = result_new("Over time", columns, 4);
	struct err err = ERR_INIT;
	struct chart_wish wish = {0};

	RESULT_ADD(result, value_integer(2000), value_real(5), value_real(4), value_real(9));
	RESULT_ADD(result, value_integer(1000), value_real(3), value_real(1), value_real(4));
	struct chart *chart = chart_new(result, &wish, &err);
	ck_assert_int_eq(chart->kind, CHART_LINE);
	ck_assert_double_eq(chart->series[0].points[0].x, 1000); /* by x */
	ck_assert_double_eq(chart->series[0].points[0].low, 1);
	ck_assert_double_eq(chart->series[0].points[1].high, 9);
	ck_assert(says(chart, "the band: min to max"));
	draw(chart, 40, 10);
	chart_free(chart);
	result_free(result);
}
END_TEST

/* 1, 3 and 8 at x 1; mean 4, from 1 to 8. */
START_TEST(rows_of_one_place_are_their_mean_with_their_range)
{
	static const struct result_column columns[] = {
	    {.name = "size", .kind = KIND_SIZE, .is_key = true},
	    COLUMN_MEASURE("t", KIND_REAL, NULL)};
	struct result *result = result_new("t", columns, 2);

	RESULT_ADD(result, value_integer(1), value_real(1));
	RESULT_ADD(result, value_integer(1), value_real(3));
	RESULT_ADD(result, value_integer(1), value_real(8));
	RESULT_ADD(result, value_integer(2), value_real(2));
	struct chart *chart = plot(result, CHART_LINE, NULL, NULL, NULL);
	ck_assert_uint_eq(chart->series[0].n, 2);
	ck_assert_double_eq(chart->series[0].points[0].y, 4);
	ck_assert_double_eq(chart->series[0].points[0].low, 1);
	ck_assert_double_eq(chart->series[0].points[0].high, 8);
	ck_assert_uint_eq(chart->series[0].points[0].n_rows, 3);
	ck_assert(says(chart, "4 values in 2 points"));
	chart_free(chart);
	result_free(result);
}
END_TEST

START_TEST(histograms_and_cdfs_count_every_value)
{
	static const struct result_column columns[] = {COLUMN_MEASURE("t", KIND_INTEGER, NULL),
	                                               COLUMN("n", KIND_COUNT, NULL)};
	struct result *result = result_new("t", columns, 2);
	double sum = 0;

	for (int i = 0; i < 100; i++) {
		RESULT_ADD(result, value_integer(i), value_integer(i % 3));
	}
	struct chart *chart = plot(result, CHART_HISTOGRAM, "t", NULL, NULL);
	for (size_t i = 0; i < chart->series[0].n; i++) {
		sum += chart->series[0].points[i].y;
	}
	ck_assert_double_eq(sum, 100);
	ck_assert_double_eq(chart->series[0].points[0].x_end, 5);
	ck_assert_double_eq(chart->series[0].points[0].y, 5);
	chart_free(chart);
	chart = plot(result, CHART_HISTOGRAM, "t", "n", NULL);
	sum = 0;
	for (size_t i = 0; i < chart->series[0].n; i++) {
		sum += chart->series[0].points[i].y;
	}
	ck_assert_double_eq(sum, 99);
	ck_assert(says(chart, "34 values count 0 times"));
	chart_free(chart);
	chart = plot(result, CHART_CDF, "t", NULL, NULL);
	ck_assert_uint_eq(chart->series[0].n, 100);
	ck_assert_double_eq(chart->series[0].points[24].x, 24);
	ck_assert_double_eq(chart->series[0].points[24].y, 0.25);
	ck_assert_double_eq(chart->series[0].points[99].y, 1);
	chart_free(chart);
	result_free(result);
}
END_TEST

START_TEST(a_heat_map_is_a_pivot)
{
	struct result *result = result_new("Tasks", task_columns, 4);

	RESULT_ADD(result, text("efi"), text("n1"), value_integer(5), value_integer(2));
	RESULT_ADD(result, text("sot"), text("n2"), value_integer(7), value_integer(2));
	RESULT_ADD(result, text("efi"), text("n1"), value_integer(6), value_integer(2));
	struct chart *chart = plot(result, CHART_HEATMAP, "name", "total", "host");
	ck_assert_uint_eq(chart->series[0].n, 2);
	ck_assert_double_eq(chart->series[0].points[0].value, 11);
	ck_assert_double_eq(chart->series[0].points[1].x, 1);
	ck_assert_double_eq(chart->series[0].points[1].y, 1);
	ck_assert(says(chart, "rows of one cell are added"));
	draw(chart, 60, 10);
	chart_free(chart);
	result_free(result);
}
END_TEST

static const struct result_column point_columns[] = {
    {.name = "x", .kind = KIND_INTEGER, .is_key = true},
    COLUMN_KEY("name", NULL),
    COLUMN_MEASURE("y", KIND_REAL, NULL)};

/* What is asked for but not there is told as missing: nothing else is drawn in its place. */
START_TEST(a_measure_without_figures_is_not_replaced)
{
	static const struct result_column columns[] = {
	    {.name = "nodes", .kind = KIND_INTEGER, .is_key = true},
	    {.name = "runs", .kind = KIND_COUNT},
	    COLUMN_MEASURE("time", KIND_DURATION, NULL)};
	struct result *result = result_new("Times", columns, 3);
	struct err err = ERR_INIT;
	struct chart_wish wish = {0};

	RESULT_ADD(result, value_integer(1), value_integer(5), (struct value){.type = VALUE_NULL});
	RESULT_ADD(result, value_integer(2), value_integer(7), (struct value){.type = VALUE_NULL});
	struct chart *chart = chart_new(result, &wish, &err);
	ck_assert_msg(chart != NULL, "%s", err.message);
	ck_assert(says(chart, "2 of 2 values are missing"));
	draw(chart, 60, 12);
	chart_free(chart);
	*result_value(result, 1, 2) = value_integer(3);
	chart = chart_new(result, &wish, &err);
	ck_assert(says(chart, "1 of 2 values are missing"));
	ck_assert_double_eq(chart->series[0].points[0].y, 3);
	chart_free(chart);
	result_free(result);
}
END_TEST

START_TEST(too_many_series_are_folded_and_told)
{
	struct result *result = result_new("t", point_columns, 3);
	char name[16];

	for (int i = 0; i < 30; i++) {
		snprintf(name, sizeof name, "s%d", i);
		RESULT_ADD(result, value_integer(i), value_word(result, name), value_real(i));
		RESULT_ADD(result, value_integer(i + 1), value_word(result, name), value_real(i));
	}
	struct chart *chart = plot(result, CHART_LINE, "x", "y", "name");
	ck_assert_uint_eq(chart->n_series, CHART_SERIES);
	ck_assert(slice_is(chart->series[0].name, "s22")); /* the largest, in the table's order */
	ck_assert(says(chart, "8 of 30 series are shown"));
	chart_free(chart);
	chart = plot(result, CHART_SCATTER, "x", "y", "name");
	ck_assert_uint_eq(chart->n_series, CHART_SERIES);
	ck_assert(chart->series[CHART_SERIES - 1].is_other);
	ck_assert_uint_eq(chart->series[CHART_SERIES - 1].n, 46);
	ck_assert(says(chart, "stand together as \"other\""));
	chart_free(chart);
	result_free(result);
}
END_TEST

/* Every name of a legend is there, in as many rows as it takes. */
START_TEST(a_legend_has_all_its_names)
{
	struct result *result = result_new("Tasks", task_columns, 4);
	struct strbuf out = {0};
	char name[32];

	for (int i = 0; i < 8; i++) {
		snprintf(name, sizeof name, "a-rather-long-name-%d", i);
		RESULT_ADD(result,
		           (struct value){.type = VALUE_TEXT,
		                          .text = arena_slice(result->arena, slice_of(name))},
		           text("n1"), value_integer(i), value_integer(i));
	}
	struct chart *chart = plot(result, CHART_SCATTER, "calls", "total", "name");
	for (int width = 30; width <= 200; width += 17) {
		struct chart_paper paper = {width, 48, true, NULL};

		strbuf_clear(&out);
		chart_text(chart, &paper, &out);
		for (int i = 0; i < 8; i++) {
			snprintf(name, sizeof name, "a-rather-long-name-%d", i);
			ck_assert_msg(strstr(out.data, name) != NULL, "%d: %s", width, name);
		}
	}
	draw(chart, 30, 8); /* no room for all */
	strbuf_free(&out);
	chart_free(chart);
	result_free(result);
}
END_TEST

/* "bars x=name" of two runs: a bar a run, not their mean. */
START_TEST(a_suggested_chart_of_runs_keeps_them_apart)
{
	static const struct result_column columns[] = {
	    COLUMN_KEY("run", NULL), COLUMN_KEY("name", NULL),
	    COLUMN_MEASURE("total", KIND_DURATION, NULL)};
	struct result *result = result_new("Tasks", columns, 3);
	struct arena *arena = arena_new();
	struct chart_wish wish = {0};
	struct err err = ERR_INIT;

	result->n_apart = 1;
	RESULT_ADD(result, text("a"), text("efi"), value_integer(1));
	RESULT_ADD(result, text("b"), text("efi"), value_integer(5));
	chart_wish_suggest(&wish, "bars x=name y=total", result, arena);
	struct chart *chart = chart_new(result, &wish, &err);
	ck_assert_uint_eq(chart->n_series, 2);
	ck_assert_double_eq(chart->series[1].points[0].y, 5);
	chart_free(chart);
	wish = (struct chart_wish){0};
	chart_wish_suggest(&wish, "bars y=total", result, arena); /* the run is x itself */
	chart = chart_new(result, &wish, &err);
	ck_assert_uint_eq(chart->n_series, 1);
	ck_assert_uint_eq(chart->x.n_names, 2);
	chart_free(chart);
	arena_free(arena);
	result_free(result);
}
END_TEST

/* Values 1 and 5 at x 1 and 3: in between it is 1. */
/* Tags stand between the run and the rest: they say what the run does already. */
START_TEST(tags_of_runs_tell_nothing_more_apart)
{
	static const struct result_column columns[] = {
	    COLUMN_KEY("run", NULL), COLUMN_KEY("mode", NULL), COLUMN_KEY("grouping", NULL),
	    COLUMN_MEASURE("total", KIND_DURATION, NULL)};
	struct result *result = result_new("Tasks", columns, 4);
	struct chart_wish wish = {0};
	struct err err = ERR_INIT;

	result->n_apart = 2;
	RESULT_ADD(result, text("a"), text("base"), text("host"), value_integer(1));
	RESULT_ADD(result, text("b"), text("scr"), text("host"), value_integer(5));
	struct chart *chart = chart_new(result, &wish, &err);
	ck_assert_int_eq(chart->kind, CHART_BARS);
	ck_assert_uint_eq(chart->n_series, 1);
	ck_assert_uint_eq(chart->x.n_names, 2);
	ck_assert(slice_is(chart->x.names[1], "b"));
	ck_assert_double_eq(chart->series[0].points[1].y, 5);
	chart_free(chart);
	result_free(result);
}
END_TEST

START_TEST(steps_stay_until_the_next_point)
{
	static const struct result_column columns[] = {
	    {.name = "at", .kind = KIND_INTEGER, .is_key = true},
	    COLUMN_MEASURE("nodes", KIND_COUNT, NULL)};
	struct result *result = result_new("Capacity", columns, 2);
	struct strbuf lines = {0}, steps = {0};
	const struct chart_paper paper = {40, 12, true, NULL};

	RESULT_ADD(result, value_integer(1), value_integer(1));
	RESULT_ADD(result, value_integer(3), value_integer(5));
	struct chart *chart = plot(result, CHART_LINE, "at", "nodes", NULL);
	chart_text(chart, &paper, &lines);
	chart_free(chart);
	chart = plot(result, CHART_STEPS, "at", "nodes", NULL);
	chart_text(chart, &paper, &steps);
	draw(chart, 40, 12);
	chart_free(chart);
	/* a rule up to the end of x, and a stroke up */
	ck_assert(strstr(steps.data, "*************") != NULL);
	ck_assert(strstr(lines.data, "*************") == NULL);
	strbuf_free(&lines);
	strbuf_free(&steps);
	result_free(result);
}
END_TEST

/* CPU in percent and bytes of memory: each is to be seen. */
START_TEST(lines_far_apart_stand_on_a_logarithmic_scale)
{
	static const struct result_column columns[] = {
	    {.name = "at", .kind = KIND_INTEGER, .is_key = true},
	    COLUMN_KEY("counter", NULL),
	    COLUMN_MEASURE("value", KIND_REAL, NULL)};
	struct chart_wish wish = {0};
	struct err err = ERR_INIT;
	struct result *result = result_new("Counters", columns, 3);

	for (int i = 0; i < 4; i++) {
		RESULT_ADD(result, value_integer(i), text("cpu"), value_real(10 * i));
		RESULT_ADD(result, value_integer(i), text("memory"), value_real(1e9 + i));
	}
	struct chart *chart = chart_new(result, &wish, &err);
	ck_assert(chart->y.is_log);
	ck_assert_uint_eq(chart->series[0].n, 3); /* 0 has no place */
	ck_assert(says(chart, "1 points at 0 have no place there"));
	ck_assert_double_gt(chart_axis_share(&chart->y, 10), -0.01);
	draw(chart, 60, 16);
	chart_free(chart);
	wish.log = ""; /* asked for: none */
	chart = chart_new(result, &wish, &err);
	ck_assert(!chart->y.is_log);
	ck_assert_uint_eq(chart->series[0].n, 4);
	chart_free(chart);
	RESULT_ADD(result, value_integer(9), text("cpu"), value_real(-1));
	wish.log = NULL;
	chart = chart_new(result, &wish, &err);
	ck_assert(!chart->y.is_log); /* less than nothing has none at all */
	chart_free(chart);
	result_free(result);
}
END_TEST

/* What the picture is of, where all rows have it, and what of the columns that are suggested tells
 * series apart. */
START_TEST(keys_that_all_rows_share_are_a_note)
{
	struct result *result = result_new("Tasks", task_columns, 4);
	struct arena *arena = arena_new();
	struct chart_wish wish = {0};
	struct err err = ERR_INIT;

	RESULT_ADD(result, text("efi"), text("n1"), value_integer(3), value_integer(2));
	RESULT_ADD(result, text("sot"), text("n1"), value_integer(1), value_integer(7));
	struct chart *chart = chart_new(result, &wish, &err);
	ck_assert(says(chart, "all of host n1"));
	chart_free(chart);
	chart_wish_suggest(&wish, "line x=calls y=total series=host,name", result, arena);
	ck_assert_str_eq(wish.series, "name");
	wish = (struct chart_wish){0};
	chart_wish_suggest(&wish, "line x=calls y=total series=host", result, arena);
	ck_assert_str_eq(wish.series, "host");
	arena_free(arena);
	result_free(result);
}
END_TEST

/* Of more series than there is room for, each run has the same share. */
START_TEST(series_of_several_runs_are_chosen_of_each)
{
	static const struct result_column columns[] = {
	    COLUMN_KEY("run", NULL), COLUMN_KEY("name", NULL),
	    COLUMN_MEASURE("total", KIND_DURATION, NULL)};
	struct result *result = result_new("Latency", columns, 3);
	char name[8];
	int of_b = 0;

	result->n_apart = 1;
	for (int i = 0; i < 20; i++) {
		snprintf(name, sizeof name, "n%d", i % 10);
		RESULT_ADD(result, text(i < 10 ? "a" : "b"),
		           text(arena_strdup(result->arena, name)), value_integer(5 + i));
	}
	struct chart *chart = plot(result, CHART_CDF, "total", NULL, "run,name");
	ck_assert_uint_eq(chart->n_series, 8);
	for (size_t i = 0; i < 7; i++) {
		of_b += chart->series[i].name.ptr[0] == 'b';
	}
	ck_assert_int_eq(of_b, 3);
	chart_free(chart);
	result_free(result);
}
END_TEST

START_TEST(a_million_rows_become_few_points)
{
	struct result *result = result_new("t", point_columns, 3);

	for (int i = 0; i < 1000000; i++) {
		RESULT_ADD(result, value_integer(i), text("a"), value_real(i % 1000));
	}
	struct chart *chart = plot(result, CHART_LINE, NULL, NULL, NULL);
	ck_assert_uint_le(chart->series[0].n, CHART_POINTS);
	size_t n = 0;
	for (size_t i = 0; i < chart->series[0].n; i++) {
		n += chart->series[0].points[i].n_rows;
	}
	ck_assert_uint_eq(n, 1000000);
	ck_assert(says(chart, "1000000 values in 500 points"));
	draw(chart, 80, 24);
	chart_free(chart);
	chart = plot(result, CHART_SCATTER, "x", "y", NULL);
	ck_assert_uint_le(chart->series[0].n, 40000);
	ck_assert(says(chart, "1000000 rows fall on"));
	chart_free(chart);
	chart = plot(result, CHART_CDF, "y", NULL, NULL);
	ck_assert_uint_le(chart->series[0].n, 513);
	ck_assert_double_eq(chart->series[0].points[chart->series[0].n - 1].x, 999);
	chart_free(chart);
	chart = plot(result, CHART_BARS, "x", "y", NULL);
	ck_assert_uint_eq(chart->x.n_names, CHART_BARS_MOST);
	ck_assert(says(chart, "the first 50 of 1000000 bars"));
	chart_free(chart);
	result_free(result);
}
END_TEST

/* Every kind, of values that are none, too large, negative, alike; of no rows, of one. */
/* A logarithmic axis has no 0, so columns begin below the least of them. */
START_TEST(counts_stand_on_logarithmic_axes)
{
	static const struct result_column columns[] = {COLUMN_MEASURE("t", KIND_INTEGER, NULL),
	                                               COLUMN("n", KIND_REAL, NULL)};
	static const double weights[] = {1, 5e-324, 1e-308, 1e300};

	for (size_t w = 0; w < COUNT_OF(weights); w++) {
		struct result *result = result_new("t", columns, 2);
		for (int i = 0; i < 3; i++) {
			RESULT_ADD(result, value_integer(i / 2), value_real(weights[w]));
		}
		for (int is_log = 0; is_log < 2; is_log++) {
			struct err err = ERR_INIT;
			struct chart_wish wish = {true, CHART_HISTOGRAM,     "t", "n",
			                          NULL, is_log ? "y" : NULL, 0};
			struct chart *chart = chart_new(result, &wish, &err);
			const struct chart_series *all = &chart->series[0];
			double least = INFINITY, most = 0;
			for (size_t i = 0; i < all->n; i++) {
				double share = chart_axis_share(&chart->y, all->points[i].high);
				ck_assert(isfinite(share) && share <= 1);
				most = MOST(most, share);
				least = all->points[i].y > 0 ? LEAST(least, share) : least;
			}
			ck_assert(weights[w] < 1 || (least > 0 && least < most));
			draw(chart, 40, 10);
			chart_free(chart);
		}
		result_free(result);
	}
}
END_TEST

START_TEST(hostile_values_break_no_chart)
{
	static const double values[][4] = {
	    {NAN, INFINITY, -INFINITY, NAN}, {1e308, -1e308, 5e-324, 1},       {-5, -7, -7, -1e-9},
	    {1e300, -1e300, 1e300, 0},       {9.2e18, 9.2e18, 9.2e18, 9.2e18}, {0, 0, 0, 0}};
	static const struct {
		int width, height;
	} sizes[] = {{1, 1}, {2, 3}, {5, 30}, {200, 2}, {80, 24}};
	const char *names[] = {"<script>\x1b[31m&\"", "\xff\xfe", "", "a\nb"};

	for (size_t v = 0; v < COUNT_OF(values); v++) {
		for (size_t n = 0; n <= 4; n++) {
			struct result *result = result_new("<&\x1b", point_columns, 3);

			for (size_t i = 0; i < n; i++) {
				RESULT_ADD(result,
				           i == 3 ? (struct value){.type = VALUE_NULL}
				                  : value_integer(i == 2 ? INT64_MIN : INT64_MAX),
				           text(names[i]), value_real(values[v][i]));
			}
			for (int kind = 0; kind < CHART_KINDS; kind++) {
				struct chart *chart = plot(result, (enum chart_kind)kind,
				                           kind == CHART_HEATMAP ? "x" : NULL, NULL,
				                           kind == CHART_HEATMAP ? "name" : NULL);

				ck_assert(n > 0 || says(chart, "there are no rows"));
				for (size_t s = 0; s < COUNT_OF(sizes); s++) {
					draw(chart, sizes[s].width, sizes[s].height);
				}
				chart_free(chart);
			}
			result_free(result);
		}
	}
}
END_TEST

START_TEST(what_is_left_out_is_told)
{
	struct result *result = result_new("t", point_columns, 3);

	RESULT_ADD(result, value_integer(1), text("a"), value_real(INFINITY));
	RESULT_ADD(result, value_integer(2), text("a"), (struct value){.type = VALUE_NULL});
	RESULT_ADD(result, value_integer(3), text("a"), value_real(-2));
	struct err err = ERR_INIT;
	struct chart_wish wish = {true, CHART_LINE, "x", "y", NULL, "y", 0};
	struct chart *chart = chart_new(result, &wish, &err);
	ck_assert(says(chart, "1 values are no finite numbers"));
	ck_assert(says(chart, "1 of 3 values are missing"));
	ck_assert(says(chart, "1 values are not above 0"));
	ck_assert_uint_eq(chart->n_rows, 0);
	chart_free(chart);
	result_free(result);
}
END_TEST

START_TEST(ticks_are_round_and_told_apart)
{
	static const struct {
		enum column_kind kind;
		double low, high;
		const char *ticks;
	} cases[] = {
	    {KIND_REAL, 0, 1, "0 0.2 0.4 0.6 0.8 1"},
	    {KIND_REAL, 1000000.1, 1000000.5, "1000000.1 1000000.2 1000000.3 1000000.4 1000000.5"},
	    {KIND_DURATION, 0, 2.5e9, "0 500 ms 1 s 1.5 s 2 s 2.5 s"},
	    {KIND_TIME, 0, 7200e9, "0 30:00 1:00:00 1:30:00 2:00:00"},
	    {KIND_SIZE, 0, 4 << 20, "0 1 MiB 2 MiB 3 MiB 4 MiB"},
	    {KIND_COUNT, 0, 3, "0 1 2 3"},
	    {KIND_PERCENT, 0, 1, "0 % 20 % 40 % 60 % 80 % 100 %"},
	    {KIND_INTEGER, -100, 100, "-100 -50 0 50 100"}};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct chart_axis axis = {
		    .kind = cases[i].kind, .low = cases[i].low, .high = cases[i].high};
		struct chart_tick ticks[CHART_TICKS];
		struct strbuf shown = {0};
		size_t n = chart_axis_ticks(&axis, 5, ticks);

		for (size_t k = 0; k < n; k++) {
			strbuf_printf(&shown, "%s%s", k > 0 ? " " : "", ticks[k].text);
		}
		ck_assert_str_eq(shown.data, cases[i].ticks);
		strbuf_free(&shown);
	}
}
END_TEST

START_TEST(columns_that_make_no_chart_are_refused)
{
	static const struct {
		enum chart_kind kind;
		const char *x, *y, *series, *says;
	} cases[] = {{CHART_LINE, NULL, NULL, NULL, "a line needs a column of numbers for x"},
	             {CHART_LINE, "name", NULL, NULL, "x: name is not a column of numbers"},
	             {CHART_BARS, NULL, "host", NULL, "y: host is not a column of numbers"},
	             {CHART_BARS, NULL, "total,calls", NULL, "have different units"},
	             {CHART_BARS, NULL, "nonsense", NULL, "y: no column \"nonsense\""},
	             {CHART_HEATMAP, "name", NULL, "", "a heat map needs two keys"}};
	struct result *result = result_new("Tasks", task_columns, 4);

	RESULT_ADD(result, text("efi"), text("n1"), value_integer(3), value_integer(2));
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct chart_wish wish = {
		    true, cases[i].kind, cases[i].x, cases[i].y, cases[i].series, NULL, 0};
		struct err err = ERR_INIT;

		ck_assert_ptr_null(chart_new(result, &wish, &err));
		ck_assert_msg(strstr(err.message, cases[i].says), "%s", err.message);
	}
	result_free(result);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("chart");
	TCase *tests = tcase_create("chart");

	(void)setlocale(LC_CTYPE, "C.UTF-8");
	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, keys_of_text_make_bars);
	tcase_add_test(tests, a_key_of_numbers_makes_a_line_with_its_spread);
	tcase_add_test(tests, rows_of_one_place_are_their_mean_with_their_range);
	tcase_add_test(tests, histograms_and_cdfs_count_every_value);
	tcase_add_test(tests, a_heat_map_is_a_pivot);
	tcase_add_test(tests, a_measure_without_figures_is_not_replaced);
	tcase_add_test(tests, too_many_series_are_folded_and_told);
	tcase_add_test(tests, a_legend_has_all_its_names);
	tcase_add_test(tests, a_suggested_chart_of_runs_keeps_them_apart);
	tcase_add_test(tests, tags_of_runs_tell_nothing_more_apart);
	tcase_add_test(tests, steps_stay_until_the_next_point);
	tcase_add_test(tests, lines_far_apart_stand_on_a_logarithmic_scale);
	tcase_add_test(tests, keys_that_all_rows_share_are_a_note);
	tcase_add_test(tests, series_of_several_runs_are_chosen_of_each);
	tcase_add_test(tests, a_million_rows_become_few_points);
	tcase_add_test(tests, counts_stand_on_logarithmic_axes);
	tcase_add_test(tests, hostile_values_break_no_chart);
	tcase_add_test(tests, what_is_left_out_is_told);
	tcase_add_test(tests, ticks_are_round_and_told_apart);
	tcase_add_test(tests, columns_that_make_no_chart_are_refused);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
