/* Pictures of a run: rows, cells that add up at every zoom, spans, walks, filters, ranges. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "column/finish/tile.h"
#include "query/spans/span_walk.h"
#include "query/timeline/timeline_window.h"
#include "unit/small_run.h"

/* small_run.h: ten spans called "write" on each of two lanes, at about 100 ns from another, 50 to
 * 60 ns long. */

static struct store *store;
static struct timeline *timeline;
static struct colours *colours;
static char folder[64];

static void
set_up(void)
{
	char path[128];

	snprintf(folder, sizeof(folder), "%s", folder_new());
	snprintf(path, sizeof(path), "%s/run.lanes", folder);
	small_run_write(path, "run", true);
	store = small_run_open(path);
	must((timeline = timeline_new_with(
		  store, TIMELINE_PROCESSES | TIMELINE_VALUES | TIMELINE_SUMS, &err)) != NULL);
	must((colours = colours_new(store, NULL, NULL, COLOUR_NAME, &err)) != NULL);
}

static void
tear_down(void)
{
	colours_release(colours);
	timeline_release(timeline);
	store_close(store);
	folder_remove(folder);
}

static int64_t
total_ns(void)
{
	struct stmt *stmt = small_prepare(store, "SELECT sum(duration) FROM span WHERE lane = 0");
	int64_t ns;

	must(stmt_step(stmt, &err) == 1);
	ns = stmt_integer(stmt, 0);
	stmt_free(stmt);
	return ns;
}

/* A timeline of lane 0 alone, as a row of our own. */
static struct timeline_row lane_row = {.type = TIMELINE_LANE};

static struct timeline_window *
read_lane(int64_t start_ns, int64_t cell_ns, uint32_t n_cells, const char *filter, size_t limit,
          int depth)
{
	struct timeline one = *timeline;
	struct timeline_line line = {0, depth};
	struct timeline_request request = {.lines = &line,
	                                   .n_lines = 1,
	                                   .start_ns = start_ns,
	                                   .cell_ns = cell_ns,
	                                   .n_cells = n_cells,
	                                   .filter = filter,
	                                   .colours = colours,
	                                   .span_limit = limit};
	struct timeline_window *window = NULL;

	one.rows = &lane_row;
	one.n_rows = 1;
	must((window = timeline_window_read(store, &one, &request, NULL, &err)) != NULL);
	return window;
}

static int64_t
busy_of(const struct timeline_window *window)
{
	int64_t ns = 0;

	for (uint32_t i = 0; i < window->n_cells; i++) {
		ns += window->tracks[0].cells[i].busy_ns;
		ck_assert_int_le(window->tracks[0].cells[i].busy_ns, window->cell_ns);
	}
	return ns;
}

START_TEST(busy_time_is_the_same_at_every_zoom)
{
	int64_t total = total_ns();

	for (int64_t cell = 1; cell < 64; cell++) {
		for (size_t limit = 1; limit < 200; limit += 100) { /* cells alone; spans */
			struct timeline_window *window =
			    read_lane(0, cell, (uint32_t)(2000 / cell + 1), NULL, limit, -1);
			int64_t count = 0;

			ck_assert_int_eq(busy_of(window), total);
			for (uint32_t i = 0; i < window->n_cells; i++) {
				count += window->tracks[0].cells[i].count;
			}
			ck_assert_int_eq(count, SMALL_ROWS);
			ck_assert_int_eq(window->tracks[0].has_spans, limit > 100);
			timeline_window_free(window);
		}
	}
}
END_TEST

/* Cells of all lanes of a timeline, row by row. */
struct cells {
	struct arena *arena;
	struct tile_cell *cells;
	uint32_t n_cells;
};

static struct cells
read_cells(const struct timeline *all, int64_t cell_ns, uint32_t n_cells)
{
	struct tile_request *requests = xcalloc(all->n_rows, sizeof(*requests));
	struct cells window = {arena_new(),
	                       xcalloc(all->n_rows * n_cells, sizeof(struct tile_cell)), n_cells};
	struct tile_reader reader;
	size_t n = 0;

	must(store_tiles(store, &reader, &err) == 0);
	for (size_t row = 0; row < all->n_rows; row++) {
		if (all->rows[row].type == TIMELINE_LANE) {
			requests[n++] = (struct tile_request){TILE_LANE, all->rows[row].id, NULL, 0,
			                                      window.cells + row * n_cells};
		}
	}
	must(tile_read_many(&reader, requests, n,
	                    (struct tile_axis){0, cell_ns, n_cells, TILE_EXACT}, window.arena,
	                    &err) == 0);
	free(requests);
	return window;
}

static void
cells_free(struct cells *window)
{
	arena_free(window->arena);
	free(window->cells);
}

/* Busy time of a group's lanes in a stretch of the run, lane by lane. */
static int64_t
group_busy(const struct timeline *all, const struct timeline_row *group, const struct cells *window,
           uint32_t from, uint32_t n)
{
	int64_t busy_ns = 0;

	for (size_t row = 0; row < all->n_rows; row++) {
		for (uint32_t m = 0; m < group->n_members; m++) {
			if (all->rows[row].type != TIMELINE_LANE ||
			    all->rows[row].id != group->members[m]) {
				continue;
			}
			for (uint32_t i = from; i < from + n; i++) {
				busy_ns += window->cells[row * window->n_cells + i].busy_ns;
			}
		}
	}
	return busy_ns;
}

START_TEST(peaks_are_those_of_the_whole_run)
{
	struct timeline *all;
	struct cells window;
	double most;

	must((all = timeline_new_with(store, TIMELINE_PROCESSES | TIMELINE_PEAKS, &err)) != NULL);
	window = read_cells(all, all->peak_cell_ns, 512);
	for (uint32_t n = 1; n <= 256; n *= 2) {
		most = 0;
		for (size_t row = 0; row < all->n_rows; row++) {
			const struct timeline_row *group = &all->rows[row];

			for (uint32_t i = 0; group->n_below > 0 && i < 512; i += n) {
				double share = (double)group_busy(all, group, &window, i, n) /
				               ((double)all->peak_cell_ns * n * group->n_members);

				most = share > most ? share : most;
			}
		}
		ck_assert(most > 0);
		ck_assert_double_eq_tol(timeline_peak(all, all->peak_cell_ns * n), most, 1e-12);
	}
	ck_assert_double_eq(timeline_peak(all, 1), timeline_peak(all, all->peak_cell_ns));
	ck_assert_double_eq(timeline_peak(all, INT64_MAX),
	                    timeline_peak(all, all->peak_cell_ns * 256));
	ck_assert_double_eq(timeline_peak(timeline, 1000), 0); /* not asked for */
	cells_free(&window);
	timeline_release(all);
}
END_TEST

/* What the whole run does is the sum of what its lanes do, in any cell of any width. */
START_TEST(busy_time_of_the_run_is_that_of_its_lanes)
{
	for (int64_t cell = 1; cell < 400; cell += cell < 70 ? 1 : 64) {
		uint32_t n_cells = (uint32_t)(2000 / cell + 1);
		int64_t *busy_ns = calloc(n_cells, sizeof(*busy_ns));
		struct cells window;

		ck_assert_ptr_nonnull(busy_ns);
		must(timeline_busy(store, timeline,
		                   (struct tile_axis){0, cell, n_cells, TILE_EXACT}, busy_ns, NULL,
		                   &err) == 0);
		window = read_cells(timeline, cell, n_cells);
		for (uint32_t i = 0; i < n_cells; i++) {
			int64_t sum_ns = 0;

			for (size_t row = 0; row < timeline->n_rows; row++) {
				sum_ns += timeline->rows[row].type == TIMELINE_LANE &&
				                  lane_kind_is_work(timeline->rows[row].kind)
				              ? window.cells[row * n_cells + i].busy_ns
				              : 0;
			}
			ck_assert_int_eq(busy_ns[i], sum_ns);
		}
		cells_free(&window);
		free(busy_ns);
	}
}
END_TEST

START_TEST(spans_of_a_window_are_those_that_touch_it)
{
	struct timeline_window *window = read_lane(150, 10, 10, NULL, 0, -1);
	const struct timeline_track *track = &window->tracks[0];

	ck_assert_uint_eq(track->n_spans, 2); /* 100 .. 15x and 200 .. 25x */
	ck_assert_int_lt(track->spans[0].start_ns, 150);
	ck_assert(slice_is(track->spans[0].name, "write"));
	ck_assert_int_lt(track->spans[0].start_ns, track->spans[1].start_ns);
	timeline_window_free(window);
}
END_TEST

START_TEST(a_filter_leaves_the_others_out)
{
	struct timeline_window *window = read_lane(0, 40, 50, "id <= 3", 0, -1);

	ck_assert_uint_eq(window->tracks[0].n_spans, 3);
	ck_assert_int_gt(busy_of(window), 0);
	ck_assert_int_lt(busy_of(window), total_ns());
	timeline_window_free(window);
	window = read_lane(0, 40, 50, "id <= 3", 2, -1); /* summed up instead of shown */
	ck_assert(!window->tracks[0].has_spans);
	ck_assert_int_gt(busy_of(window), 0);
	ck_assert_int_lt(busy_of(window), total_ns());
	timeline_window_free(window);
}
END_TEST

START_TEST(a_broken_filter_is_refused)
{
	struct timeline_line line = {0, -1};
	struct timeline one = *timeline;
	struct timeline_request request = {.lines = &line,
	                                   .n_lines = 1,
	                                   .cell_ns = 10,
	                                   .n_cells = 10,
	                                   .filter = "nonsense >",
	                                   .colours = colours};
	struct err err = ERR_INIT;

	one.rows = &lane_row;
	one.n_rows = 1;
	ck_assert_ptr_null(timeline_window_read(store, &one, &request, NULL, &err));
	ck_assert_int_eq(err.code, ERR_QUERY);
}
END_TEST

START_TEST(walking_meets_every_span_both_ways)
{
	struct span_walk walk = {.lane = 0, .depth = -1};
	struct span_row span = {0};
	struct err err = ERR_INIT;
	int n = 0;

	while (span_walk_next(store, &walk, &span, NULL, &err) == 1) {
		ck_assert_int_ge(span.start_ns, walk.start_ns);
		walk.start_ns = span.start_ns;
		walk.id = span.id;
		n++;
	}
	ck_assert_int_eq(n, SMALL_ROWS);
	walk.is_backward = true;
	while (span_walk_next(store, &walk, &span, NULL, &err) == 1) {
		ck_assert_int_lt(span.start_ns, walk.start_ns);
		walk.start_ns = span.start_ns;
		walk.id = span.id;
		n--;
	}
	ck_assert_int_eq(n, 1);
	ck_assert_int_eq(err.code, ERR_NONE);
}
END_TEST

START_TEST(a_search_goes_around_and_counts)
{
	struct span_walk walk = {
	    .lane = 0, .depth = -1, .start_ns = 100000, .filter = "name LIKE '%RIT%'"};
	struct span_row span;
	struct span_number number = {0, 0};

	must(span_search(store, &walk, &span, &number, NULL, &err) == 1);
	ck_assert_int_eq(number.nth, 1);
	ck_assert_int_eq(number.n, SMALL_ROWS);
	number.n = 0;
	walk.filter = "name = '100%'";
	must(span_search(store, &walk, &span, &number, NULL, &err) == 0);
	walk.filter = "name REGEXP '^wr.te$'";
	must(span_search(store, &walk, &span, &number, NULL, &err) == 1);
	walk.filter = "name REGEXP '^('";
	struct err err = ERR_INIT;
	ck_assert_int_eq(span_search(store, &walk, &span, &number, NULL, &err), -1);
	ck_assert_int_eq(err.code, ERR_QUERY);
}
END_TEST

/* The number that is counted on from span to span is that which counting gives. */
START_TEST(a_search_counts_on)
{
	for (int is_backward = 0; is_backward < 2; is_backward++) {
		struct span_walk walk = {.lane = -1,
		                         .depth = -1,
		                         .is_backward = is_backward,
		                         .filter = "name = 'write'"};
		struct span_number number = {0, 0};

		for (unsigned i = 0; i < 5 * SMALL_ROWS; i++) {
			struct span_number counted = {0, 0};
			struct span_row span, same;

			must(span_search(store, &walk, &span, &number, NULL, &err) == 1);
			must(span_search(store, &walk, &same, &counted, NULL, &err) == 1);
			ck_assert_int_eq(span.id, same.id);
			ck_assert_int_eq(number.nth, counted.nth);
			ck_assert_int_eq(number.n, counted.n);
			walk.start_ns = span.start_ns;
			walk.id = span.id;
		}
	}
}
END_TEST

START_TEST(the_span_at_a_time_is_found)
{
	struct span_walk at = {.depth = -1, .start_ns = 120};
	struct span_row span;

	must(span_at(store, &at, &span, NULL, &err) == 1);
	ck_assert_int_le(span.start_ns, 120);
	at.start_ns = 190;
	must(span_at(store, &at, &span, NULL, &err) == 0);
	at = (struct span_walk){.depth = -1, .start_ns = 120, .filter = "id > 5"};
	must(span_at(store, &at, &span, NULL, &err) == 0);
}
END_TEST

START_TEST(details_and_flows)
{
	struct span_detail *detail = NULL;
	int64_t ids[FLOWS_LIMIT];
	struct err err = ERR_INIT;

	detail = span_detail_read(store, 1, NULL, &err);
	ck_assert_msg(detail != NULL, "%s", err.message);
	ck_assert(slice_is(detail->name, "write"));
	ck_assert(slice_contains(detail->arguments, slice_of("offset -5")));
	ck_assert_int_eq(detail->n_outputs, 1);
	span_detail_free(detail);
	ck_assert_int_eq(span_flows(store, 2, false, ids, NULL, &err), 1);
	ck_assert_int_eq(ids[0], 1);
	ck_assert_ptr_null(span_detail_read(store, 4711, NULL, &err));
}
END_TEST

START_TEST(a_range_is_told_exactly)
{
	const struct range_request whole = {.end_ns = 2000, .cell_ns = 10};
	const struct range_request empty = {.start_ns = 500, .end_ns = 500, .cell_ns = 10};
	struct timeline one = *timeline;
	struct range_facts facts;

	one.rows = &lane_row;
	one.n_rows = 1;
	must(timeline_range(store, &one, &whole, &facts, NULL, &err) == 0);
	ck_assert_int_eq(facts.n, SMALL_ROWS);
	ck_assert_int_eq(facts.busy_ns, total_ns());
	ck_assert_int_le(facts.min_ns, (int64_t)facts.mean_ns);
	ck_assert_int_le((int64_t)facts.mean_ns, facts.max_ns);
	ck_assert(!facts.is_about);
	must(timeline_range(store, &one, &empty, &facts, NULL, &err) == 0);
	ck_assert_int_eq(facts.n, 0);
}
END_TEST

/* Narrow cells of a wide range are taken together; a filter leaves spans out of all but busy time.
 */
START_TEST(a_wide_or_filtered_range_is_told)
{
	const struct range_request wide = {.end_ns = 1000000, .cell_ns = 1};
	const struct range_request last = {.start_ns = 1, .end_ns = 1000001, .cell_ns = 1};
	const struct range_request some = {
	    .end_ns = 2000, .cell_ns = 10, .filter = "duration > 55"};
	const struct range_request broken = {.end_ns = 2000, .cell_ns = 10, .filter = "duration >"};
	struct timeline one = *timeline;
	struct range_facts facts;
	struct err told = ERR_INIT;

	one.rows = &lane_row;
	one.n_rows = 1;
	must(timeline_range(store, &one, &wide, &facts, NULL, &err) == 0);
	ck_assert_int_eq(facts.n, SMALL_ROWS);
	ck_assert_int_eq(facts.busy_ns, total_ns());
	must(timeline_range(store, &one, &last, &facts, NULL, &err) == 0);
	ck_assert(facts.is_about);
	must(timeline_range(store, &one, &some, &facts, NULL, &err) == 0);
	ck_assert_int_gt(facts.n, 0);
	ck_assert_int_lt(facts.n, SMALL_ROWS);
	ck_assert_int_gt(facts.min_ns, 55);
	ck_assert_int_eq(facts.busy_ns, total_ns());
	ck_assert_int_ne(timeline_range(store, &one, &broken, &facts, NULL, &told), 0);
}
END_TEST

/* Each source has its counter and there is one capacity: values hold until the next sample. */
START_TEST(counters_and_capacity_are_rows)
{
	size_t n = 0, capacity = 0;

	for (size_t i = 0; i < timeline->n_rows; i++) {
		n += timeline->rows[i].type == TIMELINE_COUNTER;
		capacity += timeline->rows[i].type == TIMELINE_CAPACITY;
	}
	ck_assert_uint_eq(n, 2);
	ck_assert_uint_eq(capacity, 1);
	for (size_t i = 0; i < timeline->n_rows; i++) {
		struct timeline_line line = {i, -1};
		struct timeline_request request = {
		    .lines = &line, .n_lines = 1, .cell_ns = 50, .n_cells = 40, .colours = colours};
		struct timeline_window *window = NULL;

		if (timeline->rows[i].type < TIMELINE_COUNTER ||
		    timeline->rows[i].type == TIMELINE_SUM) {
			continue;
		}
		must((window = timeline_window_read(store, timeline, &request, NULL, &err)) !=
		     NULL);
		ck_assert_ptr_nonnull(window->tracks[0].values);
		ck_assert(window->tracks[0].values[39].is_known);
		ck_assert(window->tracks[0].values[39].low >= timeline->rows[i].low - 1e-9);
		ck_assert(window->tracks[0].values[39].high <= timeline->rows[i].high + 1e-9);
		timeline_window_free(window);
	}
}
END_TEST

/* Both lanes have a counter of one name: the rows say which is whose. */
START_TEST(counters_of_one_name_are_told_apart)
{
	const struct timeline_row *counters[2];
	size_t n = 0;

	for (size_t i = 0; i < timeline->n_rows; i++) {
		if (timeline->rows[i].type == TIMELINE_COUNTER && n < 2) {
			counters[n++] = &timeline->rows[i];
		}
	}
	ck_assert_uint_eq(n, 2);
	if (slice_equal(counters[0]->counter, counters[1]->counter)) {
		ck_assert(!slice_equal(counters[0]->name, counters[1]->name));
	} else {
		ck_assert(slice_equal(counters[0]->name, counters[0]->counter));
	}
}
END_TEST

START_TEST(depths_are_of_all_lanes_or_of_one)
{
	int32_t *all = NULL, *one = NULL;

	must((all = timeline_depths(store, timeline, -1, NULL, &err)) != NULL);
	must((one = timeline_depths(store, timeline, 1, NULL, &err)) != NULL);
	ck_assert_int_eq(all[0], 0);
	ck_assert_int_eq(all[1], 0);
	ck_assert_int_eq(one[0], -1);
	ck_assert_int_eq(one[1], 0);
	free(all);
	free(one);
}
END_TEST

START_TEST(bins_add_up)
{
	struct timeline_window *window = read_lane(0, 30, 70, NULL, 0, -1);
	struct timeline one = *timeline;
	struct result *bins;
	int64_t busy = 0;

	one.rows = &lane_row;
	bins = timeline_window_table(window, &one, colours);
	for (size_t i = 0; i < bins->n_rows; i++) {
		busy += result_value(bins, i, 4)->integer;
	}
	ck_assert_int_eq(busy, total_ns());
	result_free(bins);
	timeline_window_free(window);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("timeline");
	TCase *tests = tcase_create("timeline");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, peaks_are_those_of_the_whole_run);
	tcase_add_test(tests, busy_time_is_the_same_at_every_zoom);
	tcase_add_test(tests, busy_time_of_the_run_is_that_of_its_lanes);
	tcase_add_test(tests, spans_of_a_window_are_those_that_touch_it);
	tcase_add_test(tests, a_filter_leaves_the_others_out);
	tcase_add_test(tests, a_broken_filter_is_refused);
	tcase_add_test(tests, walking_meets_every_span_both_ways);
	tcase_add_test(tests, a_search_goes_around_and_counts);
	tcase_add_test(tests, a_search_counts_on);
	tcase_add_test(tests, the_span_at_a_time_is_found);
	tcase_add_test(tests, details_and_flows);
	tcase_add_test(tests, a_range_is_told_exactly);
	tcase_add_test(tests, a_wide_or_filtered_range_is_told);
	tcase_add_test(tests, counters_and_capacity_are_rows);
	tcase_add_test(tests, counters_of_one_name_are_told_apart);
	tcase_add_test(tests, depths_are_of_all_lanes_or_of_one);
	tcase_add_test(tests, bins_add_up);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
