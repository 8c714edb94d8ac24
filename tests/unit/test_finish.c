#include "config.h"

#include "column/finish/finish.h"
#include "column/finish/pyramid.h"
#include "column/finish/sweep.h"
#include "unit/finish_fixture.h"

static void
check_nesting(const struct fixture *fixture, const struct outcome *outcome, const bool *is_flat)
{
	for (size_t i = 0; i < fixture->n_spans; i++) {
		const struct fixture_span *span = &fixture->spans[i];
		bool is_left_out = is_flat && is_flat[span->lane];
		int64_t parent = outcome->parent[i] ? (int64_t)i + 1 - outcome->parent[i] : 0;
		EXPECT(parent == (is_left_out ? 0 : span->parent));
		EXPECT(outcome->depth[i] == (is_left_out ? 0 : span->depth));
		EXPECT(outcome->covered[i] == (is_left_out ? 0 : span->covered_ns));
	}
}

/* Every cell of every level of a subject; an absent chunk is all empty. */
static void
check_tiles(const struct outcome *outcome, enum tile_subject subject, uint32_t id,
            const struct fixture_cell *base, uint64_t n_base)
{
	struct arena *arena = arena_new();
	struct err err = ERR_INIT;

	for (unsigned level = 0; level < outcome->n_levels; level++) {
		uint64_t width = UINT64_C(1) << (2 * level);
		struct tile_cell cells[TILE_CHUNK];
		uint64_t n_cells = (n_base + width - 1) / width;
		for (uint64_t index = 0; index < n_cells; index++) {
			if (index % TILE_CHUNK == 0) {
				struct slice bytes = {NULL, 0};
				for (size_t i = 0; i < outcome->n_chunks; i++) {
					const struct tile_chunk *chunk = &outcome->chunks[i];
					if (chunk->subject == subject && chunk->id == id &&
					    chunk->level == level &&
					    chunk->chunk == index / TILE_CHUNK) {
						bytes = chunk->bytes;
					}
				}
				ck_assert_int_eq(tile_decode(bytes, cells, arena, &err), 0);
			}
			struct fixture_cell wanted = {0};
			for (uint64_t k = index * width; k < (index + 1) * width && k < n_base;
			     k++) {
				fixture_add_cell(&wanted, &base[k]);
			}
			fixture_check_cell(&cells[index % TILE_CHUNK], &wanted);
		}
		ck_assert(level + 1 < outcome->n_levels || n_cells == 1);
	}
	arena_free(arena);
}

static void
check_all_tiles(const struct fixture *fixture, const struct outcome *outcome,
                const struct setting *setting)
{
	uint64_t n_base = (uint64_t)(fixture->duration_ns / outcome->base_ns) + 1;
	struct fixture_cell *groups = xcalloc(n_base * (setting->n_groups + 1), sizeof *groups);

	for (uint32_t lane = 0; lane < fixture->n_lanes; lane++) {
		struct fixture_cell *base = xcalloc(n_base, sizeof *base);
		uint32_t *shown = fixture_timeline(fixture, lane);
		uint32_t group = setting->group ? setting->group[lane] : TEXT_NONE;
		bool is_dense = setting->is_dense && setting->is_dense[lane];
		bool is_flat = setting->is_flat && setting->is_flat[lane];
		for (uint64_t i = 0; i < n_base && (is_dense || !is_flat); i++) {
			int64_t start_ns = (int64_t)i * outcome->base_ns;
			int64_t end_ns = start_ns + outcome->base_ns;
			struct fixture_cell part = {0};
			base[i] = fixture_cell(fixture, shown, lane, start_ns, end_ns);
			if (is_dense) {
				base[i].density_ns = density_until(fixture, lane, end_ns) -
				                     density_until(fixture, lane, start_ns);
				part.density_ns = base[i].density_ns;
			} else {
				part = base[i];
			}
			if (group < setting->n_groups) {
				fixture_add_cell(&groups[group * n_base + i], &part);
			}
		}
		check_tiles(outcome, TILE_LANE, lane, base, n_base);
		free(base);
		free(shown);
	}
	for (uint32_t g = 0; g < setting->n_groups; g++) {
		check_tiles(outcome, TILE_GROUP, g, groups + g * n_base, n_base);
	}
	free(groups);
}

START_TEST(nesting_and_tiles_are_as_defined)
{
	struct err err = ERR_INIT;

	for (uint64_t seed = 1; seed <= 15; seed++) {
		uint32_t n_lanes = 1 + (uint32_t)seed % 4 * 2;
		uint32_t group[8] = {0, 1, 0, TEXT_NONE, 2, 1, 0, 0};
		bool is_flat[8] = {false, false, true, true, false, false, false, false};
		bool is_dense[8] = {false, false, true, false, false, false, false, false};
		struct fixture *fixture =
		    fixture_new((enum fixture_shape)_i, 300 + 40 * seed, 1 + (uint32_t)seed % 4,
		                n_lanes, seed % 2 ? 7 : 300, 3000, seed);
		struct setting setting = {.memory_bytes = 1 << 20,
		                          .n_threads = 1,
		                          .group = group,
		                          .n_groups = 3,
		                          .is_flat = seed % 3 ? NULL : is_flat,
		                          .is_dense = seed % 3 ? NULL : is_dense};
		if (seed % 2) {
			fixture_tell_orders(fixture, seed);
		}
		fixture_nest(fixture);
		struct outcome *outcome = run_finish(fixture, &setting, &err);
		ck_assert_msg(outcome != NULL, "%s", err.message);
		check_nesting(fixture, outcome, setting.is_flat);
		check_all_tiles(fixture, outcome, &setting);
		outcome_free(outcome);
		fixture_free(fixture);
	}
}
END_TEST

START_TEST(tiles_fill_many_chunks)
{
	struct err err = ERR_INIT;
	uint32_t group[2] = {0, 0};
	struct fixture *fixture = fixture_new(SHAPE_NESTED, 30000, 2, 2, 5000, 9000, 77);
	struct setting setting = {
	    .memory_bytes = 1 << 16, .n_threads = 2, .group = group, .n_groups = 1};
	struct outcome *outcome = run_finish(fixture, &setting, &err);

	ck_assert_ptr_nonnull(outcome);
	ck_assert_int_gt(fixture->duration_ns / outcome->base_ns, TILE_CHUNK);
	check_all_tiles(fixture, outcome, &setting);
	outcome_free(outcome);
	fixture_free(fixture);
}
END_TEST

START_TEST(memory_threads_and_order_of_arrival_do_not_matter)
{
	struct err err = ERR_INIT;
	uint32_t group[5] = {0, 0, 1, 1, TEXT_NONE};
	struct fixture *fixture =
	    fixture_new((enum fixture_shape)_i, 25000, 7, 5, 3000, 1000000, 99);
	struct setting plain = {
	    .memory_bytes = SIZE_MAX, .n_threads = 1, .group = group, .n_groups = 2};
	struct setting others[] = {
	    {.memory_bytes = 0, .n_threads = 1, .group = group, .n_groups = 2},
	    {.memory_bytes = 50000, .n_threads = 4, .group = group, .n_groups = 2},
	    {.memory_bytes = 0, .n_threads = 3, .backwards = true, .group = group, .n_groups = 2},
	};
	fixture_tell_orders(fixture, 5);
	struct outcome *wanted = run_finish(fixture, &plain, &err);

	ck_assert_ptr_nonnull(wanted);
	for (unsigned i = 0; i < 3; i++) {
		struct outcome *outcome = run_finish(fixture, &others[i], &err);
		ck_assert_msg(outcome != NULL, "%s", err.message);
		check_same(fixture, wanted, outcome);
		outcome_free(outcome);
	}
	outcome_free(wanted);
	fixture_free(fixture);
}
END_TEST

START_TEST(base_cells_are_few)
{
	struct err err = ERR_INIT;

	for (uint32_t n_lanes = 1; n_lanes <= 8; n_lanes *= 2) {
		struct fixture *fixture =
		    fixture_new(SHAPE_RANDOM, 20000, 2, n_lanes, 5000, 2000000000, n_lanes);
		struct setting setting = {.memory_bytes = SIZE_MAX, .n_threads = 2};
		struct outcome *outcome = run_finish(fixture, &setting, &err);
		size_t bytes = 0;
		ck_assert_ptr_nonnull(outcome);
		ck_assert_int_le((fixture->duration_ns / outcome->base_ns + 1) * n_lanes,
		                 20000 / 32);
		for (size_t i = 0; i < outcome->n_chunks; i++) {
			bytes += outcome->chunks[i].bytes.len;
		}
		ck_assert_uint_le(bytes, 20000 * 3 / 2);
		ck_assert_uint_eq(pyramid_levels(outcome->base_ns, fixture->duration_ns),
		                  outcome->n_levels);
		outcome_free(outcome);
		fixture_free(fixture);
	}
}
END_TEST

START_TEST(base_cells_are_few_whatever_the_duration)
{
	struct err err = ERR_INIT;

	for (int64_t duration_ns = 1; duration_ns < 150; duration_ns++) {
		struct fixture *fixture = fixture_new(SHAPE_RANDOM, 640, 1, 2, 100, duration_ns, 1);
		struct setting setting = {.memory_bytes = SIZE_MAX, .n_threads = 1};
		struct outcome *outcome = run_finish(fixture, &setting, &err);
		ck_assert_ptr_nonnull(outcome);
		ck_assert_int_le(duration_ns / outcome->base_ns + 1, 640 / 2 / 32);
		outcome_free(outcome);
		fixture_free(fixture);
	}
}
END_TEST

START_TEST(no_spans_no_tiles)
{
	struct err err = ERR_INIT;
	struct fixture *fixture = fixture_new(SHAPE_RANDOM, 50, 1, 1, 10, 1000, 1);
	bool is_flat[1] = {true};
	struct setting flat = {.n_threads = 2, .is_flat = is_flat};
	struct outcome *outcome = run_finish(fixture, &flat, &err);

	ck_assert_int_eq(outcome->base_ns, 0);
	ck_assert_uint_eq(outcome->n_levels, 0);
	ck_assert_uint_eq(outcome->n_chunks, 0);
	ck_assert(!outcome->has_columns);
	outcome_free(outcome);
	fixture->n_blocks = 0;
	flat.is_flat = NULL;
	outcome = run_finish(fixture, &flat, &err);
	ck_assert_int_eq(outcome->base_ns, 0);
	ck_assert(!outcome->has_columns);
	outcome_free(outcome);
	fixture_free(fixture);
}
END_TEST

START_TEST(a_receiver_that_stops_and_a_cancel_end_the_pass)
{
	struct err err = ERR_INIT;
	struct fixture *fixture = fixture_new(SHAPE_NESTED, 3000, 3, 3, 100, 1000000, 5);
	struct cancel cancel = {false};

	for (unsigned stop = 1; stop < 40; stop += 6) {
		struct setting setting = {.n_threads = 2, .stop_at = stop};
		ck_assert_ptr_null(run_finish(fixture, &setting, &err));
	}
	cancel_request(&cancel);
	struct setting cancelled = {.n_threads = 2, .cancel = &cancel};
	ck_assert_ptr_null(run_finish(fixture, &cancelled, &err));
	ck_assert_int_eq(err.code, ERR_CANCELLED);
	fixture_free(fixture);
}
END_TEST

START_TEST(a_block_may_come_once_only)
{
	struct err err = ERR_INIT;
	struct fixture *fixture = fixture_new(SHAPE_NESTED, 100, 1, 1, 10, 1000, 5);
	struct setting setting = {.n_threads = 1};

	fixture->blocks[1].sequence = 0;
	ck_assert_ptr_null(run_finish(fixture, &setting, &err));
	ck_assert_int_eq(err.code, ERR_INTERNAL);
	fixture_free(fixture);
}
END_TEST

/* A million spans of the worst kinds must take seconds, not days; extreme times must not overflow.
 */
START_TEST(hostile_spans_cost_little_more_than_others)
{
	enum { ROWS = 65536, BLOCKS = 4 };
	struct finish *finish = finish_new("/tmp", 1 << 20);
	struct span_key *keys = xcalloc(ROWS, sizeof *keys);
	uint32_t lane = 0, texts[1] = {0};
	struct finish_source source = {texts, &lane, 0};
	struct outcome outcome = {0};
	struct fixture_block blocks[BLOCKS];
	struct fixture fixture = {.n_spans = ROWS * BLOCKS, .blocks = blocks, .n_blocks = BLOCKS};
	struct finish_receiver receiver = {&outcome, take_base, take_tile, take_columns};
	struct finish_plan plan = {.sources = &source,
	                           .n_sources = 1,
	                           .n_lanes = 1,
	                           .duration_ns = INT64_MAX,
	                           .n_threads = 1};
	struct err err = ERR_INIT;

	outcome.fixture = &fixture;
	outcome.depth = xcalloc(fixture.n_spans, sizeof(int64_t));
	outcome.parent = xcalloc(fixture.n_spans, sizeof(int64_t));
	outcome.covered = xcalloc(fixture.n_spans, sizeof(int64_t));
	for (uint32_t b = 0; b < BLOCKS; b++) {
		blocks[b] = (struct fixture_block){0, b, ROWS, (size_t)b * ROWS};
		for (uint32_t i = 0; i < ROWS; i++) {
			int64_t n = (int64_t)b * ROWS + i;
			keys[i].start_ns = _i == 0 ? n : _i == 1 ? 5 : _i == 2 ? INT64_MAX - n : -n;
			keys[i].duration_ns = _i == 0 ? 10000000 : _i == 1 ? 100 : INT64_MAX;
		}
		ck_assert_int_eq(finish_add(finish, 0, b, keys, NULL, ROWS, &err), 0);
	}
	ck_assert_int_eq(finish_run(finish, &plan, &receiver, &err), 0);
	if (_i == 0) { /* stairs: all overlap, nothing nests */
		ck_assert_int_eq(outcome.depth[ROWS - 2], ROWS - 2);
		ck_assert_int_eq(outcome.depth[ROWS * 2], FINISH_DEPTH_MAX);
		ck_assert_int_eq(outcome.parent[ROWS], 0);
	} else if (_i == 1) { /* all equal: each in the one before */
		ck_assert_int_eq(outcome.depth[ROWS - 2], ROWS - 2);
		ck_assert_int_eq(outcome.parent[ROWS * 2], 1);
		ck_assert_int_eq(outcome.covered[ROWS * 2], 100);
	}
	finish_free(finish);
	free(keys);
	for (size_t i = 0; i < outcome.n_chunks; i++) {
		free((void *)outcome.chunks[i].bytes.ptr);
	}
	free(outcome.chunks);
	free(outcome.depth);
	free(outcome.parent);
	free(outcome.covered);
}
END_TEST

static int
ignore_stretch(void *user, int64_t start_ns, int64_t end_ns, uint32_t category, struct err *err)
{
	(void)category, (void)err;
	*(int64_t *)user += end_ns - start_ns;
	return 0;
}

static int
check_parent(void *user, const struct sweep_nesting *nesting, struct err *err)
{
	int64_t id = (int64_t)nesting->tag;

	(void)user, (void)err;
	EXPECT(nesting->distance == (id == 1                   ? 0
	                             : id <= SWEEP_NESTING_MAX ? 1
	                                                       : id - SWEEP_NESTING_MAX));
	return 0;
}

START_TEST(nesting_has_a_limit)
{
	int64_t busy_ns = 0;
	struct sweep_hooks hooks = {&busy_ns, ignore_stretch, check_parent};
	struct sweep *sweep = sweep_new(&hooks);
	struct err err = ERR_INIT;

	for (uint64_t id = 1; id <= SWEEP_NESTING_MAX + 1000; id++) {
		struct sweep_span span = {.start_ns = 10, .duration_ns = 50, .id = id, .tag = id};
		EXPECT(sweep_add(sweep, &span, &err) == 0);
	}
	ck_assert_int_eq(sweep_end(sweep, &err), 0);
	ck_assert_int_eq(busy_ns, 50);
	sweep_free(sweep);
}
END_TEST

/* Lane codes far apart, and a lane for every span. */
START_TEST(scattered_lanes_are_kept_apart)
{
	enum { LANES = 300000, ROWS = 5000 };
	struct finish *finish = finish_new("/tmp", 0);
	struct span_key *keys = xcalloc(ROWS, sizeof *keys);
	uint32_t *lanes = xmalloc(LANES * sizeof *lanes);
	struct finish_source source = {NULL, lanes, 0};
	struct fixture_block block = {0, 0, ROWS, 0};
	struct fixture fixture = {.n_spans = ROWS, .blocks = &block, .n_blocks = 1};
	struct outcome *outcome = xcalloc(1, sizeof *outcome);
	struct finish_receiver receiver = {outcome, take_base, take_tile, take_columns};
	struct finish_plan plan = {.sources = &source,
	                           .n_sources = 1,
	                           .n_lanes = ROWS / 2,
	                           .duration_ns = 100,
	                           .n_threads = 2};
	struct err err = ERR_INIT;

	outcome->fixture = &fixture;
	outcome->depth = xcalloc(ROWS, sizeof(int64_t));
	outcome->parent = xcalloc(ROWS, sizeof(int64_t));
	outcome->covered = xcalloc(ROWS, sizeof(int64_t));
	for (uint32_t i = 0; i < LANES; i++) {
		lanes[i] = UINT32_MAX;
	}
	for (uint32_t i = 0; i < ROWS; i++) {
		uint32_t lane = (uint32_t)((uint64_t)i * 1234577 % LANES);
		keys[i] = (struct span_key){i % 2 ? 10 : 20, i % 2 ? 50 : 7, lane, TEXT_NONE, 0};
		lanes[lane] = i / 2; /* two spans a lane: the second contains the first */
	}
	ck_assert_int_eq(finish_add(finish, 0, 0, keys, NULL, ROWS, &err), 0);
	ck_assert_msg(finish_run(finish, &plan, &receiver, &err) == 0, "%s", err.message);
	for (uint32_t i = 0; i < ROWS; i++) {
		EXPECT(outcome->depth[i] == (i % 2 ? 0 : 1));
		EXPECT(outcome->parent[i] == (i % 2 ? 0 : -1));
		EXPECT(outcome->covered[i] == (i % 2 ? 7 : 0));
	}
	finish_free(finish);
	free(keys);
	free(lanes);
	outcome_free(outcome);
}
END_TEST

/* What a group's cells of the base level hold in all. */
static void
sum_group(const struct outcome *outcome, uint32_t group, int64_t *count, int64_t *busy_ns)
{
	struct tile_cell *cells = xcalloc(TILE_CHUNK, sizeof *cells);
	struct arena *arena = arena_new();
	struct err err = ERR_INIT;

	*count = *busy_ns = 0;
	for (size_t i = 0; i < outcome->n_chunks; i++) {
		const struct tile_chunk *chunk = &outcome->chunks[i];
		if (chunk->subject != TILE_GROUP || chunk->id != group || chunk->level > 0) {
			continue;
		}
		ck_assert_int_eq(tile_decode(chunk->bytes, cells, arena, &err), 0);
		for (uint32_t k = 0; k < TILE_CHUNK; k++) {
			*count += cells[k].count;
			*busy_ns += cells[k].busy_ns;
		}
	}
	arena_free(arena);
	free(cells);
}

/* More lanes than are swept in a round: tiles come in order, and groups are of all rounds. */
START_TEST(lanes_of_many_rounds_make_groups)
{
	enum { LANES = 150000, GROUPS = 3 };
	struct finish *finish = finish_new("/tmp", 0);
	struct span_key *keys = xcalloc(BLOCK_ROWS, sizeof *keys);
	uint32_t *lanes = xmalloc(LANES * sizeof *lanes), *groups = xmalloc(LANES * sizeof *groups);
	struct finish_source source = {NULL, lanes, 0};
	struct fixture fixture = {.n_spans = LANES};
	struct outcome *outcome = xcalloc(1, sizeof *outcome);
	struct finish_receiver receiver = {outcome, take_base, take_tile, take_columns};
	struct finish_plan plan = {.sources = &source,
	                           .n_sources = 1,
	                           .n_lanes = LANES,
	                           .group = groups,
	                           .n_groups = GROUPS,
	                           .duration_ns = 1000,
	                           .n_threads = 2};
	struct err err = ERR_INIT;

	outcome->fixture = &fixture;
	for (uint32_t i = 0; i < LANES; i++) {
		lanes[i] = i;
		groups[i] = i % GROUPS;
	}
	for (uint32_t i = 0, b = 0; i < LANES; b++) {
		uint32_t n = 0;
		for (; n < BLOCK_ROWS && i < LANES; n++, i++) {
			keys[n] = (struct span_key){10, 1 + i % GROUPS, i, TEXT_NONE, -1};
		}
		ck_assert_int_eq(finish_add(finish, 0, b, keys, NULL, n, &err), 0);
	}
	ck_assert_msg(finish_run(finish, &plan, &receiver, &err) == 0, "%s", err.message);
	for (uint32_t group = 0; group < GROUPS; group++) {
		int64_t count, busy_ns;
		sum_group(outcome, group, &count, &busy_ns);
		ck_assert_int_eq(count, LANES / GROUPS);
		ck_assert_int_eq(busy_ns, (int64_t)(LANES / GROUPS) * (1 + group));
	}
	finish_free(finish);
	free(keys);
	free(lanes);
	free(groups);
	outcome_free(outcome);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("finish");
	TCase *tcase = tcase_create("finish");

	tcase_set_timeout(tcase, 30);
	tcase_add_loop_test(tcase, nesting_and_tiles_are_as_defined, 0, FIXTURE_SHAPES);
	tcase_add_loop_test(tcase, memory_threads_and_order_of_arrival_do_not_matter, 0,
	                    FIXTURE_SHAPES);
	tcase_add_test(tcase, tiles_fill_many_chunks);
	tcase_add_test(tcase, base_cells_are_few);
	tcase_add_test(tcase, base_cells_are_few_whatever_the_duration);
	tcase_add_test(tcase, no_spans_no_tiles);
	tcase_add_test(tcase, a_receiver_that_stops_and_a_cancel_end_the_pass);
	tcase_add_test(tcase, a_block_may_come_once_only);
	tcase_add_loop_test(tcase, hostile_spans_cost_little_more_than_others, 0, 4);
	tcase_add_test(tcase, nesting_has_a_limit);
	tcase_add_test(tcase, scattered_lanes_are_kept_apart);
	tcase_add_test(tcase, lanes_of_many_rounds_make_groups);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
