/* Windows of lanes and groups, from tiles and from blocks, against the plain definition of each
 * cell. */
#include "config.h"

#include "column/finish/cell.h"
#include "column/finish/finish.h"
#include "column/scan/scan.h"
#include "unit/tile_fixture.h"
#include "unit/unit.h"
#include "util/order.h"

START_TEST(any_window_is_exact)
{
	enum { RANGE = 3000 };
	struct fixture *fixture =
	    fixture_new((enum fixture_shape)_i, 1500, 3, 3, 100, RANGE, 11 + (uint64_t)_i);
	/* Instants at the very end of the run. */
	for (size_t i = fixture->n_spans - 20; i < fixture->n_spans; i++) {
		fixture->spans[i].start_ns = fixture->spans[i].end_ns = RANGE;
	}
	struct run *run = run_new(fixture);
	uint32_t **shown = timelines_new(fixture);
	struct prng prng = {(uint64_t)_i};

	check_window(run, shown, RANGE, 13, 2);
	check_window(run, shown, RANGE / run->reader.base_ns * run->reader.base_ns,
	             run->reader.base_ns, 2);
	ck_assert_int_gt(run->reader.base_ns, 50);
	for (unsigned i = 0; i < 120; i++) {
		int64_t wished = 1 + (int64_t)prng_below(&prng, i % 2 ? 60 : RANGE);
		int64_t cell_ns = tile_snap(&run->reader, wished);
		uint32_t n_cells = 1 + (uint32_t)prng_below(&prng, 30);
		int64_t start_ns =
		    ((int64_t)prng_below(&prng, RANGE + 200) - 100) / cell_ns * cell_ns;
		ck_assert_int_ge(cell_ns, wished);
		check_window(run, shown, start_ns, cell_ns, n_cells);
	}
	/* Widths that no snapping gives: multiples of the base, and none. */
	check_window(run, shown, 0, 7 * run->reader.base_ns, 20);
	check_window(run, shown, -3 * run->reader.base_ns, 5 * run->reader.base_ns, 20);
	check_window(run, shown, 17, 23, 20);
	check_window(run, shown, -1000, 7777, 3);
	timelines_free(shown, fixture->n_lanes);
	run_free(run);
	fixture_free(fixture);
}
END_TEST

static int
read_cells(const struct tile_reader *reader, enum tile_subject subject, uint32_t id,
           const uint32_t *members, uint32_t n_members, int64_t start_ns, int64_t cell_ns,
           uint32_t n_cells, struct tile_cell *cells, struct arena *arena, struct err *err)
{
	struct tile_request request = {subject, id, members, n_members, cells};

	return tile_read_many(reader, &request, 1,
	                      (struct tile_axis){start_ns, cell_ns, n_cells, TILE_EXACT}, arena,
	                      err);
}

START_TEST(tiles_are_read_where_they_serve_and_blocks_elsewhere)
{
	struct fixture *fixture = fixture_new(SHAPE_RANDOM, 3000, 2, 2, 200, 100000, 3);
	struct run *run = run_new(fixture);
	struct arena *arena = arena_new();
	struct tile_cell cells[100];
	struct err err = ERR_INIT;
	int64_t base_ns = run->reader.base_ns;

	for (int64_t width = base_ns; width < 200000; width *= 2) {
		run->n_block_reads = 0;
		ck_assert_int_eq(read_cells(&run->reader, TILE_LANE, 1, NULL, 0, 0, width, 10,
		                            cells, arena, &err),
		                 0);
		ck_assert_uint_eq(run->n_block_reads, 0);
	}
	run->n_tile_reads = 0;
	ck_assert_int_eq(
	    read_cells(&run->reader, TILE_LANE, 1, NULL, 0, 0, base_ns / 2, 10, cells, arena, &err),
	    0);
	ck_assert_uint_gt(run->n_block_reads, 0);
	ck_assert_uint_eq(run->n_tile_reads, 0);
	/* The whole run as one lane's cells reads a chunk or two. */
	ck_assert_int_eq(read_cells(&run->reader, TILE_LANE, 1, NULL, 0, 0,
	                            tile_snap(&run->reader, 1000), 100, cells, arena, &err),
	                 0);
	ck_assert_uint_le(run->n_tile_reads, 4);
	/* A cell as wide as a level's is one tile. */
	for (unsigned level = 0; level < run->reader.n_levels; level++) {
		run->levels_read = 0;
		ck_assert_int_eq(read_cells(&run->reader, TILE_LANE, 0, NULL, 0, 0,
		                            base_ns << (2 * level), 1, cells, arena, &err),
		                 0);
		ck_assert_uint_eq(run->levels_read, 1u << level);
	}
	arena_free(arena);
	run_free(run);
	fixture_free(fixture);
}
END_TEST

START_TEST(windows_over_many_chunks_are_exact)
{
	struct fixture *fixture = fixture_new(SHAPE_NESTED, 30000, 2, 1, 5000, 12000, 7);
	struct run *run = run_new(fixture);
	uint32_t **shown = timelines_new(fixture);
	int64_t base_ns = run->reader.base_ns;

	ck_assert_int_gt(fixture->duration_ns / base_ns, TILE_CHUNK);
	check_window(run, shown, 200 * base_ns, base_ns, 300);
	check_window(run, shown, 0, 3 * base_ns, 300);
	check_window(run, shown, -8 * base_ns, 4 * base_ns, 300);
	check_window(run, shown, 0, 7 * base_ns, 200);
	check_window(run, shown, 101 * base_ns, 37 * base_ns, 20);
	timelines_free(shown, fixture->n_lanes);
	run_free(run);
	fixture_free(fixture);
}
END_TEST

START_TEST(busy_adds_up_to_the_union_at_every_zoom)
{
	struct fixture *fixture = fixture_new(SHAPE_RANDOM, 3000, 3, 4, 500, 400009, 21);
	struct run *run = run_new(fixture);
	int64_t unions[4] = {0};
	struct err err = ERR_INIT;

	for (uint32_t lane = 0; lane < 4; lane++) {
		uint32_t *shown = fixture_timeline(fixture, lane);
		for (int64_t t = 0; t < fixture->duration_ns; t++) {
			unions[lane] += shown[t] > 0;
		}
		free(shown);
	}
	for (int64_t wished = 97; wished < 4000000; wished = wished * 5 / 2) {
		int64_t cell_ns = tile_snap(&run->reader, wished);
		uint32_t n_cells = (uint32_t)(fixture->duration_ns / cell_ns) + 1;
		struct arena *arena = arena_new();
		struct screen screen = screen_new(run, n_cells);
		ck_assert_int_eq(tile_read_many(&run->reader, screen.requests, screen.n,
		                                (struct tile_axis){0, cell_ns, n_cells, TILE_EXACT},
		                                arena, &err),
		                 0);
		int64_t count = 0;
		for (uint32_t lane = 0; lane < 4; lane++) {
			int64_t busy_ns = 0;
			for (uint32_t i = 0; i < n_cells; i++) {
				busy_ns += screen.requests[lane].cells[i].busy_ns;
				count += screen.requests[lane].cells[i].count;
				EXPECT(screen.requests[lane].cells[i].busy_ns <= cell_ns);
			}
			ck_assert_int_eq(busy_ns, unions[lane]);
		}
		ck_assert_int_eq(count, 3000);
		screen_free(&screen);
		arena_free(arena);
	}
	run_free(run);
	fixture_free(fixture);
}
END_TEST

START_TEST(snapped_widths_are_round_or_fit_a_level)
{
	struct tile_reader reader = {.base_ns = 500, .n_levels = 5};
	int64_t wished[] = {-5, 0, 1, 3, 11, 201, 500, 501, 1001, 1501, 2001, INT64_MAX};
	int64_t snapped[] = {1, 1, 1, 3, 12, 250, 500, 600, 1200, 2000, 2500};

	for (unsigned i = 0; i < 11; i++) {
		ck_assert_int_eq(tile_snap(&reader, wished[i]), snapped[i]);
	}
	ck_assert_int_gt(tile_snap(&reader, INT64_MAX), INT64_MAX / 8);
	reader.base_ns = 0;
	ck_assert_int_eq(tile_snap(&reader, 2001), 2500);
	reader.base_ns = 500;
	ck_assert_int_eq(tile_snap(&reader, 7501), 8000);
	ck_assert_int_eq(tile_snap(&reader, 30001), 32000);
	ck_assert_int_gt(tile_snap(&reader, INT64_MAX), INT64_MAX / 8);
}
END_TEST

static int
compare_rows(const struct fixture *fixture, const struct span_row *row,
             const struct fixture_span *span)
{
	int64_t id = span - fixture->spans + 1;

	return row->id == id && row->start_ns == span->start_ns &&
	       row->duration_ns == span->end_ns - span->start_ns &&
	       row->self_ns == row->duration_ns - span->covered_ns && row->depth == span->depth &&
	       row->parent == span->parent && row->lane == span->lane &&
	       row->category == span->category && row->source == span->source &&
	       row->size_bytes == SIZE_NONE && row->calls == 1 && row->path == TEXT_NONE &&
	       row->name != TEXT_NONE;
}

/* Cells of any width, from tiles alone: nothing is lost or counted twice, no cell is busier than it
 * is wide, and none is further from the truth than what lies in the tiles at its ends. */
START_TEST(cells_of_any_width_divide_tiles)
{
	bool blurs = _i == 1; /* cells narrower than tiles as well */
	enum { RANGE = 400009 };
	struct fixture *fixture = fixture_new(SHAPE_RANDOM, 3000, 3, 4, 500, RANGE, 21);
	struct run *run = run_new(fixture);
	int64_t unions[4] = {0};
	uint32_t **shown = timelines_new(fixture);
	struct prng prng = {5};
	struct err err = ERR_INIT;

	for (uint32_t lane = 0; lane < 4; lane++) {
		for (int64_t t = 0; t < fixture->duration_ns; t++) {
			unions[lane] += shown[lane][t] > 0;
		}
	}
	run->n_block_reads = 0;
	for (int round = 0; round < 60; round++) {
		int64_t least_ns = blurs ? run->reader.base_ns / 16 : 3 * run->reader.base_ns;
		int64_t cell_ns = least_ns + (int64_t)prng_below(&prng, blurs       ? 4 * least_ns
		                                                        : round % 2 ? 3000
		                                                                    : RANGE);
		int64_t tile_ns = MOST(cell_ns / 16, run->reader.base_ns);
		int64_t start_ns = round % 3 ? 0 : -cell_ns;
		uint32_t n_cells = (uint32_t)((fixture->duration_ns - start_ns) / cell_ns) + 1;
		struct arena *arena = arena_new();
		struct screen screen = screen_new(run, n_cells);
		int64_t count = 0;

		ck_assert_int_eq(tile_read_many(&run->reader, screen.requests, screen.n,
		                                (struct tile_axis){start_ns, cell_ns, n_cells,
		                                                   blurs ? TILE_BLUR : TILE_SPLIT},
		                                arena, &err),
		                 0);
		for (uint32_t lane = 0; lane < 4; lane++) {
			int64_t busy_ns = 0;

			for (uint32_t i = 0; i < n_cells; i++) {
				const struct tile_cell *cell = &screen.requests[lane].cells[i];
				int64_t all_ns = 0, truth_ns = 0, from = start_ns + i * cell_ns;

				for (int64_t t = MOST(from, 0);
				     t < from + cell_ns && t < fixture->duration_ns; t++) {
					truth_ns += shown[lane][t] > 0;
				}
				for (uint32_t k = 0; k < cell->n_categories; k++) {
					all_ns += cell->categories[k].ns;
					EXPECT(cell->categories[k].ns > 0);
				}
				EXPECT(all_ns == cell->busy_ns);
				EXPECT(cell->busy_ns <= cell_ns);
				EXPECT(cell->busy_ns - truth_ns <= 2 * tile_ns &&
				       truth_ns - cell->busy_ns <= 2 * tile_ns);
				busy_ns += cell->busy_ns;
				count += cell->count;
			}
			ck_assert_int_eq(busy_ns, unions[lane]);
		}
		ck_assert_int_eq(count, 3000);
		screen_free(&screen);
		arena_free(arena);
	}
	ck_assert_uint_eq(run->n_block_reads, 0);
	timelines_free(shown, fixture->n_lanes);
	run_free(run);
	fixture_free(fixture);
}
END_TEST

START_TEST(spans_of_a_window_come_sorted)
{
	struct fixture *fixture = fixture_new((enum fixture_shape)_i, 800, 3, 3, 60, 2000, 8);
	fixture_nest(fixture);
	struct run *run = run_new(fixture);
	struct fixture_span **order = fixture_order(fixture);
	struct prng prng = {5};
	struct err err = ERR_INIT;

	for (unsigned i = 0; i < 120; i++) {
		uint32_t lane = (uint32_t)prng_below(&prng, 3);
		int64_t start_ns = (int64_t)prng_below(&prng, 2100) - 50;
		int64_t end_ns = start_ns + (int64_t)prng_below(&prng, 500);
		int64_t limit = (int64_t)prng_below(&prng, 50), n = 0;
		struct span_row *rows;
		struct page_request request = {
		    .kind = BLOCK_SPAN,
		    .filter = "lane = ?1 AND start < ?3 AND (end > ?2 OR start >= ?2)",
		    .parameters = {{.type = SCAN_INTEGER, .integer = lane},
		                   {.type = SCAN_INTEGER, .integer = start_ns},
		                   {.type = SCAN_INTEGER, .integer = end_ns}},
		    .order = "start,-duration",
		    .limit = limit};
		int64_t got = page_run(&run->dataset, &request, &rows, NULL, &err);
		for (size_t k = 0; k < fixture->n_spans && n < limit; k++) {
			const struct fixture_span *span = order[k];
			if (span->lane == lane && span->start_ns < end_ns &&
			    (span->end_ns > start_ns || span->start_ns >= start_ns)) {
				EXPECT(n < got);
				EXPECT(compare_rows(fixture, &rows[n++], span));
			}
		}
		ck_assert_int_eq(got, n);
		free(rows);
	}
	free(order);
	run_free(run);
	fixture_free(fixture);
}
END_TEST

/* Without sums of their own, records took as long as their intervals. */
START_TEST(densities_of_blocks_add_up_at_every_width)
{
	struct fixture *fixture = fixture_new(SHAPE_RANDOM, 500, 1, 2, 60, 2000, 8);
	struct run *run = run_new(fixture);
	struct err err = ERR_INIT;
	int64_t wanted = 0;

	for (size_t i = 0; i < fixture->n_spans; i++) {
		const struct fixture_span *span = &fixture->spans[i];
		wanted += span->lane == 0 ? span->end_ns - span->start_ns : 0;
	}
	run->lanes[0].kind = LANE_AGGREGATE;
	run->reader.base_ns = 0;
	for (int64_t width = 1; width < 3000; width = width * 3 / 2 + 1) {
		struct arena *arena = arena_new();
		uint32_t n = (uint32_t)(3000 / width) + 1, members[2] = {0, 1};
		struct tile_cell *cells = xcalloc(n, sizeof *cells);
		int64_t lane_ns = 0, group_ns = 0;
		ck_assert_int_eq(read_cells(&run->reader, TILE_LANE, 0, NULL, 0, 0, width, n, cells,
		                            arena, &err),
		                 0);
		for (uint32_t i = 0; i < n; i++) {
			lane_ns += cells[i].density_ns;
		}
		ck_assert_int_eq(read_cells(&run->reader, TILE_GROUP, 0, members, 2, 0, width, n,
		                            cells, arena, &err),
		                 0);
		for (uint32_t i = 0; i < n; i++) {
			group_ns += cells[i].density_ns;
			EXPECT(cells[i].busy_ns <= width);
		}
		ck_assert_int_eq(lane_ns, wanted);
		ck_assert_int_eq(group_ns, wanted);
		free(cells);
		arena_free(arena);
	}
	run_free(run);
	fixture_free(fixture);
}
END_TEST

START_TEST(unknown_lanes_are_an_error)
{
	struct fixture *fixture = fixture_new(SHAPE_RANDOM, 500, 1, 2, 60, 2000, 8);
	struct run *run = run_new(fixture);
	struct arena *arena = arena_new();
	struct tile_cell cells[2];
	struct err err = ERR_INIT;
	uint32_t member = 7;

	ck_assert_int_eq(
	    read_cells(&run->reader, TILE_LANE, 2, NULL, 0, 0, 7, 2, cells, arena, &err), -1);
	ck_assert_int_eq(
	    read_cells(&run->reader, TILE_GROUP, 0, &member, 1, 0, 7, 2, cells, arena, &err), -1);
	arena_free(arena);
	run_free(run);
	fixture_free(fixture);
}
END_TEST

START_TEST(tiles_that_lie_are_refused)
{
	struct fixture *fixture = fixture_new(SHAPE_RANDOM, 3000, 2, 1, 200, 100000, 3);
	struct run *run = run_new(fixture);
	struct arena *arena = arena_new();
	struct tile_cell cells[10];
	struct err err = ERR_INIT;
	int64_t base_ns = run->reader.base_ns;

	run->dataset.n_texts = 1; /* categories that are no texts */
	ck_assert_int_eq(
	    read_cells(&run->reader, TILE_LANE, 0, NULL, 0, 0, base_ns, 10, cells, arena, &err),
	    -1);
	ck_assert_int_eq(err.code, ERR_FORMAT);
	run->dataset.n_texts = FIXTURE_CATEGORIES + 1;
	run->reader.base_ns =
	    base_ns / 10; /* cells busier than wide, levels that do not cover the run */
	ck_assert_int_eq(
	    read_cells(&run->reader, TILE_LANE, 0, NULL, 0, 0, base_ns, 10, cells, arena, &err),
	    -1);
	ck_assert_int_eq(err.code, ERR_FORMAT);
	run->reader.n_levels = 1000;
	ck_assert_int_eq(
	    read_cells(&run->reader, TILE_LANE, 0, NULL, 0, 0, base_ns, 10, cells, arena, &err),
	    -1);
	ck_assert_int_eq(err.code, ERR_FORMAT);
	arena_free(arena);
	run_free(run);
	fixture_free(fixture);
}
END_TEST

START_TEST(a_cancel_ends_the_reading)
{
	struct fixture *fixture = fixture_new(SHAPE_RANDOM, 3000, 2, 1, 200, 100000, 3);
	struct run *run = run_new(fixture);
	struct arena *arena = arena_new();
	struct cancel cancel = {false};
	struct tile_cell cells[10];
	struct err err = ERR_INIT;

	cancel_request(&cancel);
	run->reader.cancel = &cancel;
	ck_assert_int_eq(read_cells(&run->reader, TILE_LANE, 0, NULL, 0, 0, run->reader.base_ns, 10,
	                            cells, arena, &err),
	                 -1);
	ck_assert_int_eq(err.code, ERR_CANCELLED);
	ck_assert_int_eq(
	    read_cells(&run->reader, TILE_LANE, 0, NULL, 0, 0, 10, 10, cells, arena, &err), -1);
	ck_assert_int_eq(err.code, ERR_CANCELLED);
	arena_free(arena);
	run_free(run);
	fixture_free(fixture);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("tile");
	TCase *tcase = tcase_create("tile");

	tcase_set_timeout(tcase, 30);
	tcase_add_loop_test(tcase, any_window_is_exact, 0, FIXTURE_SHAPES);
	tcase_add_test(tcase, tiles_are_read_where_they_serve_and_blocks_elsewhere);
	tcase_add_test(tcase, windows_over_many_chunks_are_exact);
	tcase_add_test(tcase, busy_adds_up_to_the_union_at_every_zoom);
	tcase_add_test(tcase, snapped_widths_are_round_or_fit_a_level);
	tcase_add_loop_test(tcase, cells_of_any_width_divide_tiles, 0, 2);
	tcase_add_loop_test(tcase, spans_of_a_window_come_sorted, 0, FIXTURE_SHAPES);
	tcase_add_test(tcase, densities_of_blocks_add_up_at_every_width);
	tcase_add_test(tcase, unknown_lanes_are_an_error);
	tcase_add_test(tcase, tiles_that_lie_are_refused);
	tcase_add_test(tcase, a_cancel_ends_the_reading);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
