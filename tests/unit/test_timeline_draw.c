/* Lanes drawn into a canvas: pictures made by hand, compared as text. */
#include "config.h"

#include <limits.h>
#include <string.h>

#include "ui/timeline/timeline_draw.h"
#include "unit/unit.h"
#include "util/prng.h"

#define CELLS 20

static struct timeline_row rows[2];
static struct timeline timeline;
static struct slice labels[2];
static char marks[] = "lw";
static uint8_t slots[] = {0, 1};
static struct colours colours;
static struct timeline_line lines[2] = {{0, -1}, {1, -1}};
static struct timeline_track tracks[2];
static struct timeline_window window;
static struct timescale scale;
static struct timeline_drawing drawing;

static void
set_up(void)
{
	rows[0] = (struct timeline_row){
	    .type = TIMELINE_HOST, .is_host = true, .n_members = 1, .n_below = 1};
	rows[0].name = slice_of("host");
	rows[1] = (struct timeline_row){.type = TIMELINE_LANE, .level = 1};
	rows[1].name = slice_of("lane");
	timeline = (struct timeline){.rows = rows, .n_rows = 2, .n_lanes = 1, .duration_ns = 200};
	labels[0] = slice_of("load");
	labels[1] = slice_of("work");
	colours = (struct colours){
	    .mode = COLOUR_CATEGORY, .n = 2, .labels = labels, .marks = marks, .slots = slots};
	memset(tracks, 0, sizeof(tracks));
	tracks[0].n_lanes = tracks[1].n_lanes = 1;
	window = (struct timeline_window){.cell_ns = 10,
	                                  .n_cells = CELLS,
	                                  .scoped = {{.until_ns = INT64_MAX}},
	                                  .n_lines = 2,
	                                  .lines = lines,
	                                  .tracks = tracks};
	scale = (struct timescale){.duration_ns = 200, .cell_ns = 10, .columns = CELLS};
	drawing = (struct timeline_drawing){.timeline = &timeline,
	                                    .colours = &colours,
	                                    .window = &window,
	                                    .scale = &scale,
	                                    .lines = lines,
	                                    .n_lines = 2,
	                                    .label = 14,
	                                    .range_end = INT64_MIN};
}

static struct timeline_span
span(int64_t id, int64_t start_ns, int64_t duration_ns, uint32_t rank, const char *name)
{
	return (struct timeline_span){.id = id,
	                              .start_ns = start_ns,
	                              .duration_ns = duration_ns,
	                              .rank = rank,
	                              .name = slice_of(name)};
}

static void
check_line(bool ascii, size_t line, const char *wanted)
{
	struct canvas *canvas = canvas_new(14 + CELLS, 1);
	struct strbuf text = {0};

	canvas->ascii = ascii;
	timeline_draw_line(&drawing, canvas, line, 0);
	canvas_row(canvas, 0, &text);
	ck_assert_str_eq(text.len ? text.data : "", wanted);
	strbuf_free(&text);
	canvas_free(canvas);
}

static void
set_spans(const struct timeline_span *spans, size_t n)
{
	tracks[1].spans = spans;
	tracks[1].n_spans = n;
	tracks[1].has_spans = true;
}

START_TEST(spans_have_edges_and_names)
{
	const struct timeline_span spans[] = {span(1, 5, 60, 0, "read file"),
	                                      span(2, 80, 3, 1, "tick"), span(3, 100, 57, 1, "x")};

	set_spans(spans, 3);
	check_line(
	    false, 1,
	    "   lane       \u2590\u2588rea\u2588\u258c \u258e \u2588x\u2588\u2588\u2588\u258a");
}
END_TEST

START_TEST(ascii_draws_letters)
{
	const struct timeline_span spans[] = {span(1, 5, 60, 0, "read file"),
	                                      span(2, 80, 3, 1, "tick"), span(3, 100, 57, 1, "x")};

	set_spans(spans, 3);
	check_line(true, 1, "   lane       llreall : wxwwww");
}
END_TEST

START_TEST(a_cell_of_several_spans_is_marked)
{
	const struct timeline_span spans[] = {span(1, 0, 2, 0, "a"), span(2, 3, 2, 1, "b"),
	                                      span(3, 6, 3, 0, "c"), span(4, 20, 5, 0, "d"),
	                                      span(5, 25, 5, 1, "e")};

	set_spans(spans, 5);
	check_line(false, 1, "   lane       \u2593 \u2590");
	check_line(true, 1, "   lane       % w");
}
END_TEST

START_TEST(children_stand_on_their_parents)
{
	const struct timeline_span spans[] = {span(1, 0, 100, 0, ""), span(2, 30, 20, 1, "")};
	struct canvas *canvas = canvas_new(14 + CELLS, 1);

	set_spans(spans, 2);
	timeline_draw_line(&drawing, canvas, 1, 0);
	ck_assert_int_eq(canvas_cell(canvas, 14 + 2, 0)->style & 0xff, STYLE_PALETTE);
	ck_assert_int_eq(canvas_cell(canvas, 14 + 3, 0)->style & 0xff, STYLE_PALETTE + 1);
	ck_assert_int_eq(canvas_cell(canvas, 14 + 4, 0)->style & 0xff, STYLE_PALETTE + 1);
	ck_assert_int_eq(canvas_cell(canvas, 14 + 5, 0)->style & 0xff, STYLE_PALETTE);
	canvas_free(canvas);
}
END_TEST

START_TEST(spans_without_length_are_seen)
{
	const struct timeline_span spans[] = {span(1, 0, 0, 0, "a"), span(2, 58, 0, 0, "b"),
	                                      span(3, 200, 0, 0, "at the end")};

	set_spans(spans, 3);
	check_line(false, 1, "   lane       \u258f    \u2595             \u2595");
	check_line(true, 1, "   lane       |    |             |");
}
END_TEST

START_TEST(density_is_height)
{
	static const struct category_time work = {1, 5};
	struct tile_cell cells[CELLS] = {
	    {.busy_ns = 10, .count = 3},
	    {.busy_ns = 5, .count = 1, .n_categories = 1, .categories = &work},
	    {.busy_ns = 0, .count = 0},
	    {.busy_ns = 0, .count = 2}};

	tracks[1].cells = cells;
	tracks[0].cells = cells;
	check_line(false, 1, "   lane   8 % \u2588\u2584 \u258f");
	check_line(true, 1, "   lane   8 % @W .");
	check_line(true, 0, " -host  0.1/1 @= .");
}
END_TEST

/* Of 64 lanes 10 are busy at most: the full height is a quarter of them, and the legend says so. */
START_TEST(groups_fill_their_height)
{
	struct tile_cell cells[CELLS] = {{.busy_ns = 100}, {.busy_ns = 40}, {.busy_ns = 160}};
	struct canvas *canvas = canvas_new(90, 1);
	struct strbuf text = {0};

	tracks[0].cells = cells;
	tracks[0].n_lanes = 64;
	timeline.peak_cell_ns = 10;
	timeline.peaks[0] = timeline.peaks[1] = 0.25;
	timeline.peaks[2] = 0.2;
	timeline.peaks[3] = 0.125;
	drawing.group_height = timeline_group_height(&timeline, 10);
	ck_assert_int_eq(drawing.group_height, 4);
	check_line(true, 0, " -host 1.5/64 +:@");
	timeline_draw_legend(&drawing, canvas, 0, 89);
	canvas_row(canvas, 0, &text);
	ck_assert_msg(strstr(text.data, "\u2588 1/4+ of a group") != NULL, "%s", text.data);
	strbuf_free(&text);
	canvas_free(canvas);
	ck_assert_int_eq(timeline_group_height(&timeline, 1), 4); /* not known of narrower ones */
	ck_assert_int_eq(timeline_group_height(&timeline, 79), 4);
	ck_assert_int_eq(timeline_group_height(&timeline, 80), 8);
	timeline.peaks[0] = 0.51;
	ck_assert_int_eq(timeline_group_height(&timeline, 10), 1);
	timeline.peaks[0] = 0;
	ck_assert_int_eq(timeline_group_height(&timeline, 10), 1);
}
END_TEST

/* One of many that goes on when all others have ended, and one that begins before them. */
START_TEST(a_straggler_is_seen_in_its_group)
{
	static const uint32_t sizes[] = {64, 10000};
	static struct tile_cell cells[CELLS];
	struct canvas *canvas = canvas_new(14 + CELLS, 1);
	uint32_t n = sizes[_i / 2];

	memset(cells, 0, sizeof cells);
	for (int i = 1; i < 14; i++) {
		cells[i].busy_ns = 10 * (int64_t)(i == 1 || i > 9 ? 1 : n);
	}
	tracks[0].cells = cells;
	tracks[0].n_lanes = n;
	canvas->ascii = _i % 2;
	timeline_draw_line(&drawing, canvas, 0, 0);
	for (int i = 0; i < CELLS; i++) {
		const struct cell *cell = canvas_cell(canvas, 14 + i, 0);
		const struct cell *full = canvas_cell(canvas, 14 + 5, 0);
		bool is_blank = cell->length == 1 && cell->text[0] == ' ';

		ck_assert(is_blank == (i < 1 || i >= 14));
		ck_assert((memcmp(cell->text, full->text, full->length) == 0) == (i > 1 && i <= 9));
	}
	canvas_free(canvas);
}
END_TEST

START_TEST(shares_fit_before_the_cells)
{
	static const struct {
		uint32_t n;
		const char *wanted;
	} cases[] = {{4, " -host  0.5/4"},
	             {40, " -host 0.5/40"},
	             {456, " -host  0/456"},
	             {99999, " -host    0 %"}};
	struct tile_cell cells[CELLS] = {0};

	tracks[0].cells = cells;
	cells[CELLS - 1].busy_ns = 100;
	scale.columns = CELLS - 1; /* the last cell counts, but is not drawn */
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		tracks[0].n_lanes = cases[i].n;
		check_line(true, 0, cases[i].wanted);
	}
}
END_TEST

START_TEST(short_labels_stand_for_names)
{
	rows[1].label = slice_of("cut");
	window.n_lines = 0;
	check_line(true, 1, "   cut");
}
END_TEST

START_TEST(values_reach_from_low_to_high)
{
	struct timeline_value values[CELLS] = {{true, 0, 0}, {true, 2, 4}, {true, 1, 8}};

	rows[1].type = TIMELINE_COUNTER;
	tracks[1].values = values;
	tracks[1].high = 8;
	check_line(true, 1, "   lane     8 _=@");
}
END_TEST

START_TEST(an_old_picture_stands_where_its_times_are)
{
	struct tile_cell cells[CELLS] = {{.busy_ns = 10}, {.busy_ns = 10}, {.busy_ns = 10}};
	struct strbuf text = {0};
	struct canvas *canvas = canvas_new(14 + CELLS, 1);

	tracks[1].cells = cells;
	scale.cell_ns = 5; /* zoomed in since */
	canvas->ascii = true;
	timeline_draw_cells(&drawing, canvas, 1, 0);
	canvas_row(canvas, 0, &text);
	ck_assert_str_eq(text.data, "              @@@@@@");
	strbuf_free(&text);
	canvas_free(canvas);
}
END_TEST

START_TEST(far_into_a_run_marks_have_the_digits_that_tell_them_apart)
{
	struct canvas *canvas = canvas_new(80, 3);
	struct strbuf text = {0};

	scale = (struct timescale){.duration_ns = INT64_C(100000000000),
	                           .start_ns = INT64_C(50000000000),
	                           .cell_ns = 10,
	                           .columns = 66};
	canvas->ascii = true;
	timeline_draw_head(&drawing, canvas, 0);
	canvas_row(canvas, 1, &text);
	ck_assert_str_eq(text.data,
	                 "              50.0000000 s        50.0000002 s        50.0000004 s");
	strbuf_clear(&text);
	canvas_row(canvas, 0, &text);
	ck_assert_ptr_nonnull(strchr(text.data, '['));
	strbuf_free(&text);
	canvas_free(canvas);
}
END_TEST

static void
check_rows(const struct canvas *canvas, const char *const *wanted)
{
	for (int y = 0; y < canvas->height; y++) {
		struct strbuf text = {0};

		canvas_row(canvas, y, &text);
		ck_assert_str_eq(text.len ? text.data : "", wanted[y]);
		strbuf_free(&text);
	}
}

/* In UTF-8 as well: the letters of the legend stand in the bars, and names are set off by
 * blanks. */
START_TEST(without_colours_letters_tell_kinds)
{
	static const struct category_time work = {1, 8}, load = {0, 3};
	const struct timeline_span spans[] = {span(1, 0, 90, 0, "read"), span(2, 90, 30, 1, "")};
	struct tile_cell cells[CELLS] = {{.busy_ns = 8, .n_categories = 1, .categories = &work},
	                                 {.busy_ns = 3, .n_categories = 1, .categories = &load},
	                                 {.busy_ns = 1, .n_categories = 1, .categories = &load}};
	struct canvas *canvas = canvas_new(14 + CELLS, 1), *legend = canvas_new(80, 1);
	const char *const bars[] = {"   lane       l read l|www"};
	const char *const heights[] = {"   lane   6 % Wl."};
	const char *const means[] = {" l load  w work"};

	canvas->mono = legend->mono = true;
	set_spans(spans, 2);
	timeline_draw_line(&drawing, canvas, 1, 0);
	check_rows(canvas, bars);
	tracks[1].has_spans = false;
	tracks[1].cells = cells;
	canvas_clear(canvas);
	timeline_draw_line(&drawing, canvas, 1, 0);
	check_rows(canvas, heights);
	timeline_draw_legend(&drawing, legend, 0, 79);
	check_rows(legend, means);
	canvas_free(canvas);
	canvas_free(legend);
}
END_TEST

/* Groups, values and the strip are none of the kinds, and have none of their colours. */
START_TEST(what_sums_up_lanes_is_grey)
{
	static const struct category_time work = {1, 8};
	struct tile_cell cells[CELLS] = {{.busy_ns = 8, .n_categories = 1, .categories = &work}};
	struct canvas *canvas = canvas_new(14 + CELLS, 2);

	tracks[0].cells = tracks[1].cells = cells;
	timeline_draw_line(&drawing, canvas, 0, 0);
	timeline_draw_line(&drawing, canvas, 1, 1);
	ck_assert_int_eq(canvas_cell(canvas, 14, 0)->style, STYLE_GROUP);
	ck_assert_int_eq(canvas_cell(canvas, 14, 1)->style, STYLE_PALETTE + 1);
	canvas_free(canvas);
}
END_TEST

/* Of two spans that touch the first ends before its last column does. */
START_TEST(spans_that_touch_stay_apart)
{
	const struct timeline_span spans[] = {span(1, 0, 30, 0, ""), span(2, 30, 30, 0, ""),
	                                      span(3, 60, 10, 1, ""), span(4, 70, 10, 1, "")};

	set_spans(spans, 4);
	check_line(false, 1, "   lane       ██▉██▉▉█");
	check_line(true, 1, "   lane       ll|ll|ww");
}
END_TEST

/* Hits keep their colour and are underlined; the others are grey, spans and cells alike. */
START_TEST(hits_stand_out)
{
	static const struct category_time both[] = {{1, 6}, {0, 2}}, load = {0, 2};
	const struct timeline_span spans[] = {span(1, 0, 90, 0, "read"), span(2, 100, 50, 1, "w"),
	                                      span(3, 100, 0, 1, "x")};
	struct tile_cell cells[CELLS] = {{.busy_ns = 8, .n_categories = 2, .categories = both},
	                                 {.busy_ns = 8, .n_categories = 2, .categories = both}};
	struct tile_cell hit_cells[CELLS] = {
	    {.busy_ns = 2, .count = 1, .n_categories = 1, .categories = &load}};
	struct timeline_line hit_lines[] = {{1, -1}};
	struct timeline_track hit_tracks[1] = {
	    {.spans = &spans[1], .n_spans = 1, .has_spans = true}};
	struct timeline_window hits = window;
	struct canvas *canvas = canvas_new(14 + CELLS, 1);
	const char *const letters[] = {"   lane   8 % L."};

	hits.lines = hit_lines;
	hits.tracks = hit_tracks;
	hits.n_lines = 1;
	drawing.hits = &hits;
	set_spans(spans, 3);
	timeline_draw_line(&drawing, canvas, 1, 0);
	ck_assert_int_eq(canvas_cell(canvas, 14 + 7, 0)->style, STYLE_MUTED);
	ck_assert_int_eq(canvas_cell(canvas, 14 + 14, 0)->style,
	                 (STYLE_PALETTE + 1) | STYLE_UNDERLINE);
	tracks[1].has_spans = hit_tracks[0].has_spans = false;
	tracks[1].cells = cells;
	hit_tracks[0].cells = hit_cells;
	canvas_clear(canvas);
	timeline_draw_line(&drawing, canvas, 1, 0);
	ck_assert_int_eq(canvas_cell(canvas, 14, 0)->style, STYLE_PALETTE | STYLE_UNDERLINE);
	ck_assert_int_eq(canvas_cell(canvas, 15, 0)->style, STYLE_MUTED);
	canvas->mono = true;
	canvas_clear(canvas);
	timeline_draw_line(&drawing, canvas, 1, 0);
	check_rows(canvas, letters);
	canvas_free(canvas);
}
END_TEST

/* Lines of several rows: names, durations below; heights over all of them. */
START_TEST(lines_grow)
{
	const struct timeline_span spans[] = {span(1, 0, 95, 0, "read"), span(2, 100, 30, 1, "w")};
	struct tile_cell cells[CELLS] = {{.busy_ns = 10}, {.busy_ns = 5}, {.busy_ns = 7}};
	struct canvas *canvas = canvas_new(14 + CELLS, 2);
	const char *const bars[] = {"   lane       █read████▌███", "              █95 ns███▌███"};
	const char *const heights[] = {"   lane  11 % █ ▃", "              ███"};

	ck_assert_int_eq(timeline_line_rows(10, 30), 3);
	ck_assert_int_eq(timeline_line_rows(10, 29), 2);
	ck_assert_int_eq(timeline_line_rows(10, 19), 1);
	ck_assert_int_eq(timeline_line_rows(SIZE_MAX, INT_MAX), 1);
	drawing.line_rows = 2;
	set_spans(spans, 2);
	timeline_draw_line(&drawing, canvas, 1, 0);
	check_rows(canvas, bars);
	tracks[1].has_spans = false;
	tracks[1].cells = cells;
	canvas_clear(canvas);
	timeline_draw_line(&drawing, canvas, 1, 0);
	check_rows(canvas, heights);
	canvas_free(canvas);
}
END_TEST

/* Any spans, any window, any zoom: nothing is drawn outside of the cells, and nothing crashes. */
START_TEST(anything_can_be_drawn)
{
	struct prng prng = {11};

	for (int round = 0; round < 300; round++) {
		struct timeline_span spans[40];
		struct canvas *canvas = canvas_new(60, 1);
		int64_t end = 0;

		for (int i = 0; i < 40; i++) {
			spans[i] = span(
			    i + 1, (int64_t)prng_below(&prng, 4000) - 1000,
			    prng_below(&prng, 9) ? (int64_t)prng_below(&prng, 500) : INT64_MAX / 2,
			    (uint32_t)prng_below(&prng, 4), "name \u6f22\u5b57 \x1b[31m");
			end = spans[i].start_ns;
		}
		scale.cell_ns = 1 + (int64_t)prng_below(&prng, 60);
		scale.start_ns = (end > 0 ? end : 0) / scale.cell_ns * scale.cell_ns;
		scale.duration_ns = 4000;
		set_spans(spans, 40);
		drawing.selected_span = 3;
		drawing.hits = round % 3 ? drawing.window : NULL;
		canvas->ascii = round % 2;
		timeline_draw_line(&drawing, canvas, 1, 0);
		for (int x = 14 + CELLS; x < 60; x++) {
			ck_assert_int_eq(canvas_cell(canvas, x, 0)->text[0], ' ');
		}
		canvas_free(canvas);
	}
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("timeline_draw");
	TCase *tests = tcase_create("timeline_draw");

	tcase_add_checked_fixture(tests, set_up, NULL);
	tcase_add_test(tests, spans_have_edges_and_names);
	tcase_add_test(tests, ascii_draws_letters);
	tcase_add_test(tests, a_cell_of_several_spans_is_marked);
	tcase_add_test(tests, children_stand_on_their_parents);
	tcase_add_test(tests, spans_without_length_are_seen);
	tcase_add_test(tests, density_is_height);
	tcase_add_test(tests, groups_fill_their_height);
	tcase_add_loop_test(tests, a_straggler_is_seen_in_its_group, 0, 4);
	tcase_add_test(tests, shares_fit_before_the_cells);
	tcase_add_test(tests, short_labels_stand_for_names);
	tcase_add_test(tests, values_reach_from_low_to_high);
	tcase_add_test(tests, an_old_picture_stands_where_its_times_are);
	tcase_add_test(tests, far_into_a_run_marks_have_the_digits_that_tell_them_apart);
	tcase_add_test(tests, without_colours_letters_tell_kinds);
	tcase_add_test(tests, what_sums_up_lanes_is_grey);
	tcase_add_test(tests, spans_that_touch_stay_apart);
	tcase_add_test(tests, hits_stand_out);
	tcase_add_test(tests, lines_grow);
	tcase_add_test(tests, anything_can_be_drawn);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
