/* Cells of a window made of its spans one by one, and of sums: for spans that lie within a cell
 * each they are the same, in every mode of colours, under filters and by depth. */
#include "config.h"

#include <string.h>

#include "column/finish/tile.h"
#include "imported_run.h"
#include "query/timeline/timeline_window.h"
#include "util/prng.h"

#define CELL_US 100
#define CELLS 16

static struct store *store;
static struct timeline *timeline;

/* Two lanes; in each cell up to three calls one after another, some with another within; some of
 * both have failed. The last call of lane 2 is longer than all others together. */
static void
set_up(void)
{
	static const char *const names[] = {"read", "write", "open", "close"};
	static const char *const args[] = {"\"ret\":1,\"fname\":\"/p/lustre/x\"",
	                                   "\"ret\":-1,\"fname\":\"/l/ssd/y\"", ""};
	struct strbuf trace = {0};
	struct err err = ERR_INIT;
	struct prng prng = {5};
	make_folder();
	for (int thread = 1; thread <= 2; thread++) {
		for (int cell = 0; cell < CELLS; cell++) {
			for (int k = (int)prng_below(&prng, 4); k > 0; k--) {
				int start = cell * CELL_US + k * 30 - 25;
				add_call(&trace, names[prng_below(&prng, 4)],
				         k % 2 ? "POSIX" : "APP", thread, start, 24,
				         args[prng_below(&prng, 3)]);
				if (prng_below(&prng, 2)) {
					add_call(&trace, names[prng_below(&prng, 4)], "POSIX",
					         thread, start + 4, 8, args[prng_below(&prng, 3)]);
				}
			}
		}
	}
	add_call(&trace, "long", "APP", 3, 0, 10 * CELLS * CELL_US, args[1]);
	store = import_calls("cells.pfw", &trace);
	timeline = timeline_new_with(store, 0, &err);
	ck_assert_msg(timeline != NULL, "%s", err.message);
}

static void
tear_down(void)
{
	timeline_release(timeline);
	store_close(store);
	remove_folder();
}

static struct timeline_window *
read_window(const struct colours *colours, const char *filter, bool by_depth, size_t limit)
{
	struct timeline_line lines[32];
	struct err err = ERR_INIT;
	size_t n = 0;
	for (size_t row = 0; row < timeline->n_rows; row++) {
		for (int depth = by_depth ? 0 : -1;
		     timeline->rows[row].type == TIMELINE_LANE && depth < (by_depth ? 2 : 0);
		     depth++) {
			lines[n++] = (struct timeline_line){row, depth};
		}
	}
	struct timeline_request request = {.lines = lines,
	                                   .n_lines = n,
	                                   .cell_ns = CELL_US * 1000,
	                                   .n_cells = CELLS,
	                                   .filter = filter,
	                                   .colours = colours,
	                                   .span_limit = limit};
	struct timeline_window *window =
	    timeline_window_read(store, timeline, &request, NULL, &err);
	ck_assert_msg(window != NULL, "%s", err.message);
	ck_assert_uint_eq(window->n_lines, n);
	ck_assert_uint_ge(n, 3);
	for (size_t i = 0; i < n; i++) {
		ck_assert_uint_eq(timeline_window_line(window, lines[i]), i);
		ck_assert(window->tracks[i].has_spans == (limit > 1));
	}
	return window;
}

static int64_t
time_of(const struct tile_cell *cell, uint32_t rank)
{
	for (uint32_t i = 0; i < cell->n_categories; i++) {
		if (cell->categories[i].category == rank) {
			return cell->categories[i].ns;
		}
	}
	return 0;
}

/* By depth all is the same; of all depths together, sums do not know what lies within what. */
static void
compare_cells(const struct tile_cell *a, const struct tile_cell *b, bool by_depth, bool is_filtered)
{
	ck_assert_int_eq(a->count, b->count);
	if (by_depth || !is_filtered) {
		ck_assert_int_eq(a->busy_ns, b->busy_ns);
	} else {
		ck_assert_int_le(a->busy_ns, b->busy_ns);
	}
	for (uint32_t i = 0; i < b->n_categories; i++) {
		ck_assert(i == 0 || b->categories[i - 1].ns >= b->categories[i].ns);
		ck_assert(i == 0 || a->n_categories <= i ||
		          a->categories[i - 1].ns >= a->categories[i].ns);
		if (!by_depth && !is_filtered) {
			ck_assert_int_eq(time_of(a, b->categories[i].category),
			                 b->categories[i].ns);
		}
	}
}

static void
compare_windows(enum colour_mode mode, const char *filter, bool by_depth)
{
	struct err err = ERR_INIT;
	struct colours *colours =
	    colours_new(store, mode == COLOUR_SLOWDOWN ? store : NULL, "itself", mode, &err);
	ck_assert_msg(colours != NULL, "%s", err.message);
	struct timeline_window *spans = read_window(colours, filter, by_depth, 1000);
	struct timeline_window *sums = read_window(colours, filter, by_depth, 1);
	int64_t count = 0;
	for (size_t line = 0; line < spans->n_lines; line++) {
		for (int i = 0; i < CELLS; i++) {
			const struct tile_cell *a = timeline_window_cell(
						   spans, line, i * CELL_US * INT64_C(1000)),
					       *b = &sums->tracks[line].cells[i];
			ck_assert_ptr_eq(a, &spans->tracks[line].cells[i]);
			count += b->count;
			if (mode != COLOUR_CATEGORY || filter || by_depth) {
				compare_cells(a, b, by_depth, filter != NULL);
			}
		}
		ck_assert_ptr_null(
		    timeline_window_cell(spans, line, CELLS * CELL_US * INT64_C(1000)));
		ck_assert_ptr_null(timeline_window_cell(spans, line, -1));
	}
	char sql[200];
	snprintf(sql, sizeof sql, "SELECT n FROM span_sums('', '%s')", filter ? filter : "");
	char *n = query(store, sql);
	ck_assert_int_eq(count, atoll(n));
	free(n);
	timeline_window_free(spans);
	timeline_window_free(sums);
	colours_release(colours);
}

START_TEST(sums_are_those_of_the_spans)
{
	static const char *const filters[] = {NULL, "name = \"read\"", "duration < 10us",
	                                      "path IS NULL OR category = \"APP\""};
	for (int mode = 0; mode < COLOUR_MODES; mode++) {
		for (size_t f = 0; f < sizeof filters / sizeof *filters; f++) {
			compare_windows((enum colour_mode)mode, filters[f], false);
			compare_windows((enum colour_mode)mode, filters[f], true);
		}
	}
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("timeline_cells");
	TCase *tests = tcase_create("timeline_cells");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, sums_are_those_of_the_spans);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
