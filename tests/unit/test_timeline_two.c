/* Two runs over each other on a canvas: both sides are drawn alike, with colours, without, and in
 * ASCII. */
#include "config.h"

#include <string.h>

#include "imported_run.h"
#include "query/timeline/timeline_pair.h"
#include "ui/timeline/timeline_draw.h"

#define WIDTH 64
#define MARGIN 25 /* label and share */

static struct store *stores[2];
static struct timeline *timeline;
static struct colours *colours[2];
static struct timeline_window *window;
static struct label_list *captions;
static struct timescale scale;
static struct pair_axis axis;
static struct timeline_line lines[16];
static struct timeline_drawing drawing;

/* A call of a trace, in us. */
#define CALL(name, process, thread, start, duration)                                               \
	"{\"ph\":\"X\",\"name\":\"" name "\",\"pid\":" #process ",\"tid\":" #thread                \
	",\"ts\":" #start ",\"dur\":" #duration "}"

/* Both have reading and computing, in another order and of other lengths; A alone writes. */
static void
read_runs(enum colour_mode mode)
{
	static const char *const names[] = {"a", "b"};
	static const char *const traces[] = {
	    "[" CALL("read", 1, 1, 0, 100) "," CALL("compute", 1, 1, 100, 150) "," CALL(
		"write", 1, 1, 250, 140) "," CALL("read", 1, 2, 30, 90) "," CALL("read", 2, 3, 0,
	                                                                         60) "]",
	    "[" CALL("compute", 1, 1, 0, 120) "," CALL("read", 1, 1, 120, 180) "," CALL(
		"compute", 1, 2, 120, 80) "," CALL("read", 2, 3, 0, 60) "]"};
	struct timeline *sides[2] = {NULL, NULL};
	struct err err = ERR_INIT;

	for (int side = 0; side < 2; side++) {
		stores[side] = import_text("chrome", side ? "b.json" : "a.json", traces[side]);
		sides[side] = timeline_new_with(stores[side], TIMELINE_PROCESSES, &err);
		ck_assert_msg(sides[side] != NULL, "%s", err.message);
		axis.duration_ns[side] = sides[side]->duration_ns;
	}
	timeline = timeline_of_two(sides[0], sides[1], store_run(stores[0])->n_spans);
	timeline_release(sides[0]);
	timeline_release(sides[1]);
	ck_assert_msg(colours_new_shared(stores, names, 2, mode, colours, &err) == 0, "%s",
	              err.message);
	ck_assert_uint_le(timeline->n_rows, COUNT_OF(lines));
	for (size_t i = 0; i < timeline->n_rows; i++) {
		lines[i] = (struct timeline_line){i, -1};
	}
	scale = (struct timescale){
	    .duration_ns = timeline->duration_ns, .cell_ns = 10000, .columns = WIDTH - MARGIN};
	const struct pair_source two = {
	    {stores[0], stores[1]}, timeline, {colours[0], colours[1]}, axis};
	const struct timeline_request request = {.lines = lines,
	                                         .n_lines = timeline->n_rows,
	                                         .cell_ns = scale.cell_ns,
	                                         .n_cells = (uint32_t)scale.columns,
	                                         .colours = colours[0]};
	window = timeline_pair_window_read(&two, &request, NULL, &err);
	ck_assert_msg(window != NULL, "%s", err.message);
	captions = timeline_captions(timeline, colours[0], window);
	drawing = (struct timeline_drawing){.timeline = timeline,
	                                    .colours = colours[0],
	                                    .window = window,
	                                    .scale = &scale,
	                                    .lines = lines,
	                                    .n_lines = timeline->n_rows,
	                                    .captions = captions,
	                                    .label = MARGIN,
	                                    .range_end = INT64_MIN,
	                                    .axis = &axis,
	                                    .names = names};
}

static void
drop_runs(void)
{
	label_list_free(captions);
	timeline_window_free(window);
	timeline_release(timeline);
	for (int side = 0; side < 2; side++) {
		colours_release(colours[side]);
		store_close(stores[side]);
	}
}

/* The lines, and the legend below them. */
static struct canvas *
draw(bool is_mono, bool is_ascii)
{
	int n = (int)drawing.n_lines;
	struct canvas *canvas = canvas_new(WIDTH, n + 1);

	canvas->mono = is_mono;
	canvas->ascii = is_ascii;
	for (int i = 0; i < n; i++) {
		timeline_draw_line(&drawing, canvas, (size_t)i, i);
		timeline_draw_end(&drawing, canvas, (size_t)i, i);
	}
	timeline_draw_legend(&drawing, canvas, n, WIDTH - 1);
	return canvas;
}

static void
expect_drawn(bool is_mono, bool is_ascii, const char *wanted)
{
	struct canvas *canvas = draw(is_mono, is_ascii);
	struct strbuf text = {0};

	for (int y = 0; y < canvas->height; y++) {
		canvas_row(canvas, y, &text);
		strbuf_add_char(&text, '\n');
	}
	ck_assert_str_eq(text.data, wanted);
	strbuf_free(&text);
	canvas_free(canvas);
}

/* The line of a side's lane. */
static int
lane_of(uint8_t side)
{
	for (size_t i = 0; i < timeline->n_rows; i++) {
		if (timeline->rows[i].type == TIMELINE_LANE && timeline->rows[i].side == side) {
			return (int)i;
		}
	}
	ck_abort_msg("no lane of side %d", side);
}

static cell_style
style_at(const struct canvas *canvas, int line, int column)
{
	return canvas_cell(canvas, MARGIN + column, line)->style & 0xff;
}

/* A name has one colour, that of the legend: in A, where it is first, and in B, where it is not. */
START_TEST(a_name_has_one_colour_in_both)
{
	read_runs(COLOUR_NAME);
	struct canvas *canvas = draw(false, false);
	int a = lane_of(1), b = lane_of(2);
	cell_style read = style_at(canvas, a, 3), compute = style_at(canvas, a, 12);

	ck_assert_int_ne(read, compute);
	ck_assert_int_eq(style_at(canvas, b, 3), compute);
	ck_assert_int_eq(style_at(canvas, b, 15), read);
	for (int x = 0; x + 2 < WIDTH; x++) {
		const char *letter = canvas_cell(canvas, x + 2, canvas->height - 1)->text;
		cell_style swatch = canvas_cell(canvas, x, canvas->height - 1)->style & 0xff;

		if (strncmp(canvas_cell(canvas, x, canvas->height - 1)->text, "█", 3) == 0) {
			ck_assert_int_eq(swatch, letter[0] == 'r'   ? read
			                         : letter[0] == 'c' ? compute
			                                            : style_at(canvas, a, 30));
		}
	}
	canvas_free(canvas);
	drop_runs();
}
END_TEST

/* Names stand in the bars of both; what one run alone has too; a rule ends the shorter one. */
START_TEST(both_sides_are_labelled)
{
	read_runs(COLOUR_NAME);
	expect_drawn(false, false,
	             " A ▾process 1      1.2/2 ▄▄▄█████████▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄\n"
	             " B ▾process 1      1.3/2 ▄▄▄▄▄▄▄▄▄▄▄▄████████▄▄▄▄▄▄▄▄▄▄|\n"
	             " A   1             100 % █read████▉█compute██████▉█write████████\n"
	             " B   1             100 % █compute███▉█read█████████████|\n"
	             " A   2              23 %    █read████\n"
	             " B   2              27 %             █comput█          |\n"
	             " A  2/3             15 % █read█\n"
	             " B  2/3             20 % █read█                        |\n"
	             " █ read  █ compute  █ write            ▒ several  | a run ends\n");
	drop_runs();
}
END_TEST

/* Without colours the letters of the legend stand in the bars of both. */
START_TEST(letters_tell_names_in_both)
{
	read_runs(COLOUR_NAME);
	expect_drawn(true, false,
	             " A ▾process 1      1.2/2 ▄▄▄█████████▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄\n"
	             " B ▾process 1      1.3/2 ▄▄▄▄▄▄▄▄▄▄▄▄████████▄▄▄▄▄▄▄▄▄▄|\n"
	             " A   1             100 % r read rr|c compute cccc|w write wwwwww\n"
	             " B   1             100 % c compute c|r read rrrrrrrrrrr|\n"
	             " A   2              23 %    r read rr\n"
	             " B   2              27 %             c comp c          |\n"
	             " A  2/3             15 % r re r\n"
	             " B  2/3             20 % r re r                        |\n"
	             " r read  c compute  w write            ▒ several  | a run ends\n");
	drop_runs();
}
END_TEST

START_TEST(ascii_tells_as_much)
{
	read_runs(COLOUR_NAME);
	for (int is_mono = 0; is_mono < 2; is_mono++) {
		expect_drawn(is_mono, true,
		             " A -process 1      1.2/2 ===@@@@@@@@@===========================\n"
		             " B -process 1      1.3/2 ============@@@@@@@@==========|\n"
		             " A   1             100 % r read rr|c compute cccc|w write wwwwww\n"
		             " B   1             100 % c compute c|r read rrrrrrrrrrr|\n"
		             " A   2              23 %    r read rr\n"
		             " B   2              27 %             c comp c          |\n"
		             " A  2/3             15 % r re r\n"
		             " B  2/3             20 % r re r                        |\n"
		             " r read  c compute  w write            % several  | a run ends\n");
	}
	drop_runs();
}
END_TEST

/* By slowdown each name is held against the other run's, and says so with a sign. */
START_TEST(slowdown_is_of_each_side)
{
	read_runs(COLOUR_SLOWDOWN);
	expect_drawn(true, true,
	             " A -process 1      1.2/2 ===@@@@@@@@@===========================\n"
	             " B -process 1      1.3/2 ============@@@@@@@@==========|\n"
	             " A   1             100 % - -read -|+ +compute +++|? ?write ?????\n"
	             " B   1             100 % - -compute |+ +read ++++++++++|\n"
	             " A   2              23 %    - -read -\n"
	             " B   2              27 %             - -com -          |\n"
	             " A  2/3             15 % - -r -\n"
	             " B  2/3             20 % + +r +                        |\n"
	             " = as long  - faster  + slower  ! twice or more  ? only here\n");
	drop_runs();
}
END_TEST

/* From start each run's cells are those that it has alone, of any width. */
START_TEST(cells_are_those_of_each_run_alone)
{
	struct err err = ERR_INIT;

	read_runs(COLOUR_NAME);
	for (int64_t cell_ns = 7000; cell_ns < 60000; cell_ns += 9001) {
		struct timeline_request request = {.lines = lines,
		                                   .n_lines = timeline->n_rows,
		                                   .cell_ns = cell_ns,
		                                   .n_cells = 30,
		                                   .colours = colours[0],
		                                   .span_limit = 1};
		const struct pair_source two = {
		    {stores[0], stores[1]}, timeline, {colours[0], colours[1]}, axis};
		struct timeline_window *both =
		    timeline_pair_window_read(&two, &request, NULL, &err);

		for (int side = 0; side < 2; side++) {
			size_t line = (size_t)lane_of((uint8_t)(side + 1));
			struct timeline_line own = {timeline->pair->origins[line], -1};

			request.lines = &own;
			request.n_lines = 1;
			request.colours = colours[side];
			struct timeline_window *alone = timeline_window_read(
			    stores[side], timeline->pair->sides[side], &request, NULL, &err);
			ck_assert_ptr_nonnull(both->tracks[line].cells);
			for (uint32_t i = 0; i < request.n_cells; i++) {
				ck_assert_int_eq(both->tracks[line].cells[i].busy_ns,
				                 alone->tracks[0].cells[i].busy_ns);
			}
			timeline_window_free(alone);
		}
		timeline_window_free(both);
	}
	drop_runs();
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("timeline_two");
	TCase *tests = tcase_create("timeline_two");

	tcase_add_checked_fixture(tests, make_folder, remove_folder);
	tcase_add_test(tests, a_name_has_one_colour_in_both);
	tcase_add_test(tests, both_sides_are_labelled);
	tcase_add_test(tests, letters_tell_names_in_both);
	tcase_add_test(tests, ascii_tells_as_much);
	tcase_add_test(tests, slowdown_is_of_each_side);
	tcase_add_test(tests, cells_are_those_of_each_run_alone);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
