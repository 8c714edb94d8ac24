#include "config.h"

#include "column/cell.h"
#include "column/finish.h"
#include "column/scan.h"
#include "unit/nesting_fixture.h"
#include "unit/unit.h"

/* A fixture as a run: blocks in memory, and the tiles of its finishing pass. */
struct run {
	const struct fixture *fixture;
	struct dataset dataset;
	struct dataset_source *sources;
	struct dataset_lane *lanes;
	struct block_info *infos;
	struct slice *texts;
	struct strbuf bytes; /* of all columns; a blob's id is its offset + 1 */
	unsigned n_block_reads;
	struct tile_reader reader;
	struct tile_chunk *chunks;
	size_t n_chunks, capacity;
	unsigned n_tile_reads, levels_read; /* levels: bits */
	uint32_t *groups;                   /* by lane */
	uint32_t n_groups;
};

static int
fetch_blob(void *user, int64_t blob_id, void *buffer, size_t bytes, struct err *err)
{
	struct run *run = user;

	(void)err;
	run->n_block_reads++;
	EXPECT((size_t)blob_id - 1 + bytes <= run->bytes.len);
	memcpy(buffer, run->bytes.data + blob_id - 1, bytes);
	return 0;
}

static int
fetch_chunk(void *user, enum tile_subject subject, uint32_t id, unsigned level, uint64_t chunk,
            struct slice *bytes, struct err *err)
{
	struct run *run = user;

	(void)err;
	run->n_tile_reads++;
	run->levels_read |= 1u << level;
	*bytes = (struct slice){NULL, 0};
	for (size_t i = 0; i < run->n_chunks; i++) {
		const struct tile_chunk *at = &run->chunks[i];
		if (at->subject == subject && at->id == id && at->level == level &&
		    at->chunk == chunk) {
			*bytes = at->bytes;
		}
	}
	return 0;
}

static int
take_base(void *user, int64_t tile_base_ns, unsigned n_levels)
{
	struct run *run = user;

	run->reader.base_ns = tile_base_ns;
	run->reader.n_levels = n_levels;
	return 0;
}

static int
take_tile(void *user, const struct tile_chunk *chunk)
{
	struct run *run = user;

	run->chunks = mem_grow(run->chunks, &run->capacity, run->n_chunks + 1, sizeof *run->chunks);
	run->chunks[run->n_chunks] = *chunk;
	run->chunks[run->n_chunks++].bytes.ptr = xstrndup(chunk->bytes.ptr, chunk->bytes.len);
	return 0;
}

static int
take_columns(void *user, uint32_t source, uint32_t sequence, struct column_info *columns,
             const size_t *offsets, uint32_t n, struct slice bytes)
{
	(void)user, (void)source, (void)sequence, (void)columns, (void)offsets, (void)n,
	    (void)bytes;
	return 0; /* test_finish looks at them; here they are as the fixture says */
}

static int64_t
field_value(const struct fixture *fixture, size_t i, uint32_t field)
{
	const struct fixture_span *span = &fixture->spans[i];

	switch (field) {
	case FIELD_START:
		return span->start_ns;
	case FIELD_DURATION:
		return span->end_ns - span->start_ns;
	case FIELD_LANE:
		return span->source_lane;
	case FIELD_NAME:
		return (int64_t)i % FIXTURE_CATEGORIES;
	case FIELD_CATEGORY:
		return span->source_category;
	case FIELD_DEPTH:
		return span->depth;
	case FIELD_PARENT:
		return span->parent ? (int64_t)i + 1 - span->parent : 0;
	default:
		return span->covered_ns;
	}
}

static void
build_block(struct run *run, size_t index)
{
	static const uint32_t fields[] = {FIELD_START,  FIELD_DURATION, FIELD_LANE,
	                                  FIELD_NAME,   FIELD_CATEGORY, FIELD_DEPTH,
	                                  FIELD_PARENT, FIELD_COVERED};
	const struct fixture_block *block = &run->fixture->blocks[index];
	struct block_info *info = &run->infos[index];
	int64_t *values = xcalloc(block->n, sizeof *values);

	*info = (struct block_info){.kind = BLOCK_SPAN,
	                            .source = block->source,
	                            .sequence = block->sequence,
	                            .n_rows = block->n,
	                            .first_id = (int64_t)block->first + 1,
	                            .start_min = INT64_MAX,
	                            .start_max = INT64_MIN,
	                            .end_max = INT64_MIN,
	                            .n_columns = 8,
	                            .columns = xcalloc(8, sizeof *info->columns)};
	for (uint32_t row = 0; row < block->n; row++) {
		const struct fixture_span *span = &run->fixture->spans[block->first + row];
		info->start_min =
		    span->start_ns < info->start_min ? span->start_ns : info->start_min;
		info->start_max =
		    span->start_ns > info->start_max ? span->start_ns : info->start_max;
		info->end_max = span->end_ns > info->end_max ? span->end_ns : info->end_max;
	}
	for (unsigned k = 0; k < 8; k++) {
		struct column_info *column = &info->columns[k];
		uint64_t *presence = xcalloc(block->n / 64 + 1, sizeof *presence);
		bool is_sparse = fields[k] == FIELD_CATEGORY || k > 4;
		for (uint32_t row = 0; row < block->n; row++) {
			int64_t value = field_value(run->fixture, block->first + row, fields[k]);
			bool is_present =
			    fields[k] == FIELD_CATEGORY ? value != TEXT_NONE : k < 5 || value;
			values[row] = is_present ? value : 0;
			presence[row / 64] |= (uint64_t)is_present << (row % 64);
		}
		column->field = fields[k];
		column->type = fields[k] == FIELD_NAME || fields[k] == FIELD_CATEGORY
		                   ? COLUMN_TEXT
		                   : COLUMN_INTEGER;
		int64_t blob_id = (int64_t)run->bytes.len + 1;
		column_encode_integers(column, values, is_sparse ? presence : NULL, block->n,
		                       &run->bytes);
		column->blob_id = blob_id;
		free(presence);
	}
	free(values);
}

static void
finish_fixture(struct run *run)
{
	const struct fixture *fixture = run->fixture;
	struct finish *finish = finish_new("/tmp", 1 << 20);
	struct finish_source *sources = xcalloc(fixture->n_sources, sizeof *sources);
	struct span_key *keys = xcalloc(fixture->n_spans, sizeof *keys);
	struct finish_receiver receiver = {run, take_base, take_tile, take_columns};
	struct err err = ERR_INIT;

	for (size_t i = 0; i < fixture->n_spans; i++) {
		const struct fixture_span *span = &fixture->spans[i];
		keys[i] = (struct span_key){span->start_ns, span->end_ns - span->start_ns,
		                            span->source_lane, span->source_category};
	}
	for (size_t i = 0; i < fixture->n_blocks; i++) {
		const struct fixture_block *block = &fixture->blocks[i];
		ck_assert_int_eq(finish_add(finish, block->source, block->sequence,
		                            keys + block->first, block->n, &err),
		                 0);
	}
	for (uint32_t s = 0; s < fixture->n_sources; s++) {
		sources[s] = (struct finish_source){run->sources[s].texts, run->sources[s].lanes};
	}
	struct finish_plan plan = {.sources = sources,
	                           .n_sources = fixture->n_sources,
	                           .n_lanes = fixture->n_lanes,
	                           .group = run->groups,
	                           .n_groups = run->n_groups,
	                           .duration_ns = fixture->duration_ns,
	                           .n_threads = 2};
	ck_assert_int_eq(finish_run(finish, &plan, &receiver, &err), 0);
	finish_free(finish);
	free(sources);
	free(keys);
}

static struct run *
run_new(const struct fixture *fixture)
{
	struct run *run = xcalloc(1, sizeof *run);
	uint32_t n_texts = FIXTURE_CATEGORIES + 1;

	run->fixture = fixture;
	run->sources = xcalloc(fixture->n_sources, sizeof *run->sources);
	run->lanes = xcalloc(fixture->n_lanes, sizeof *run->lanes);
	run->groups = xcalloc(fixture->n_lanes, sizeof *run->groups);
	run->infos = xcalloc(fixture->n_blocks, sizeof *run->infos);
	run->texts = xcalloc(n_texts, sizeof *run->texts);
	run->n_groups = 2;
	for (uint32_t s = 0; s < fixture->n_sources; s++) {
		run->sources[s] = (struct dataset_source){
		    fixture->text_maps + (size_t)s * n_texts,
		    fixture->lane_maps + (size_t)s * fixture->n_lanes, n_texts, fixture->n_lanes};
	}
	for (uint32_t lane = 0; lane < fixture->n_lanes; lane++) {
		run->groups[lane] = lane % 2;
	}
	for (size_t i = 0; i < fixture->n_blocks; i++) {
		build_block(run, i);
	}
	strbuf_add(&run->bytes, "12345678", 8);
	run->dataset = (struct dataset){.texts = run->texts,
	                                .n_texts = n_texts,
	                                .lanes = run->lanes,
	                                .n_lanes = fixture->n_lanes,
	                                .sources = run->sources,
	                                .n_sources = fixture->n_sources,
	                                .blocks = {[BLOCK_SPAN] = run->infos},
	                                .n_blocks = {[BLOCK_SPAN] = fixture->n_blocks},
	                                .n_rows = {[BLOCK_SPAN] = (int64_t)fixture->n_spans},
	                                .duration_ns = fixture->duration_ns,
	                                .fetch = fetch_blob,
	                                .user = run,
	                                .n_threads = 2};
	run->reader =
	    (struct tile_reader){.dataset = &run->dataset, .fetch = fetch_chunk, .user = run};
	finish_fixture(run);
	return run;
}

static void
run_free(struct run *run)
{
	for (size_t i = 0; i < run->n_chunks; i++) {
		free((void *)run->chunks[i].bytes.ptr);
	}
	for (size_t i = 0; i < run->fixture->n_blocks; i++) {
		free(run->infos[i].columns);
	}
	free(run->chunks);
	free(run->sources);
	free(run->lanes);
	free(run->groups);
	free(run->infos);
	free(run->texts);
	strbuf_free(&run->bytes);
	free(run);
}

/* Requests for all lanes and groups. */
struct screen {
	struct tile_request *requests;
	size_t n;
	uint32_t *members;
};

static struct screen
screen_new(const struct run *run, uint32_t n_cells)
{
	uint32_t n_lanes = run->dataset.n_lanes;
	struct screen screen = {xcalloc(n_lanes + run->n_groups, sizeof(struct tile_request)),
	                        n_lanes + run->n_groups, xcalloc(n_lanes, sizeof(uint32_t))};
	uint32_t *next = screen.members;

	for (uint32_t i = 0; i < screen.n; i++) {
		struct tile_request *request = &screen.requests[i];
		request->cells = xcalloc(n_cells, sizeof *request->cells);
		request->subject = i < n_lanes ? TILE_LANE : TILE_GROUP;
		request->id = i < n_lanes ? i : i - n_lanes;
		request->members = next;
		for (uint32_t lane = 0; i >= n_lanes && lane < n_lanes; lane++) {
			if (run->groups[lane] == request->id) {
				*next++ = lane;
				request->n_members++;
			}
		}
	}
	return screen;
}

static void
screen_free(struct screen *screen)
{
	for (size_t i = 0; i < screen->n; i++) {
		free(screen->requests[i].cells);
	}
	free(screen->requests);
	free(screen->members);
}

/* Every cell of a window is as defined, for lanes and groups. */
static void
check_window(const struct run *run, uint32_t *const *shown, int64_t start_ns, int64_t cell_ns,
             uint32_t n_cells)
{
	struct screen screen = screen_new(run, n_cells);
	struct arena *arena = arena_new();
	struct fixture_cell *groups = xcalloc((size_t)run->n_groups * n_cells, sizeof *groups);
	struct err err = ERR_INIT;

	ck_assert_msg(tile_read_many(&run->reader, screen.requests, screen.n, start_ns, cell_ns,
	                             n_cells, arena, &err) == 0,
	              "%s", err.message);
	for (uint32_t lane = 0; lane < run->dataset.n_lanes; lane++) {
		for (uint32_t i = 0; i < n_cells; i++) {
			int64_t from = start_ns + i * cell_ns;
			struct fixture_cell wanted =
			    fixture_cell(run->fixture, shown[lane], lane, from, from + cell_ns);
			fixture_check_cell(&screen.requests[lane].cells[i], &wanted);
			fixture_add_cell(&groups[run->groups[lane] * n_cells + i], &wanted);
		}
	}
	for (uint32_t g = 0; g < run->n_groups; g++) {
		for (uint32_t i = 0; i < n_cells; i++) {
			fixture_check_cell(&screen.requests[run->dataset.n_lanes + g].cells[i],
			                   &groups[g * n_cells + i]);
		}
	}
	free(groups);
	arena_free(arena);
	screen_free(&screen);
}

static uint32_t **
timelines_new(const struct fixture *fixture)
{
	uint32_t **shown = xcalloc(fixture->n_lanes, sizeof *shown);

	for (uint32_t lane = 0; lane < fixture->n_lanes; lane++) {
		shown[lane] = fixture_timeline(fixture, lane);
	}
	return shown;
}

static void
timelines_free(uint32_t **shown, uint32_t n_lanes)
{
	for (uint32_t lane = 0; lane < n_lanes; lane++) {
		free(shown[lane]);
	}
	free(shown);
}

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
		ck_assert_int_eq(tile_read(&run->reader, TILE_LANE, 1, NULL, 0, 0, width, 10, cells,
		                           arena, &err),
		                 0);
		ck_assert_uint_eq(run->n_block_reads, 0);
	}
	run->n_tile_reads = 0;
	ck_assert_int_eq(
	    tile_read(&run->reader, TILE_LANE, 1, NULL, 0, 0, base_ns / 2, 10, cells, arena, &err),
	    0);
	ck_assert_uint_gt(run->n_block_reads, 0);
	ck_assert_uint_eq(run->n_tile_reads, 0);
	/* The whole run as one lane's cells reads a chunk or two. */
	ck_assert_int_eq(tile_read(&run->reader, TILE_LANE, 1, NULL, 0, 0,
	                           tile_snap(&run->reader, 1000), 100, cells, arena, &err),
	                 0);
	ck_assert_uint_le(run->n_tile_reads, 4);
	/* A cell as wide as a level's is one tile. */
	for (unsigned level = 0; level < run->reader.n_levels; level++) {
		run->levels_read = 0;
		ck_assert_int_eq(tile_read(&run->reader, TILE_LANE, 0, NULL, 0, 0,
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
		ck_assert_int_eq(tile_read_many(&run->reader, screen.requests, screen.n, 0, cell_ns,
		                                n_cells, arena, &err),
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
		int64_t got =
		    lane_spans(&run->dataset, lane, start_ns, end_ns, limit, &rows, NULL, &err);
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

START_TEST(aggregate_lanes_are_empty_and_unknown_ones_an_error)
{
	struct fixture *fixture = fixture_new(SHAPE_RANDOM, 500, 1, 2, 60, 2000, 8);
	struct run *run = run_new(fixture);
	struct arena *arena = arena_new();
	struct tile_cell cells[2];
	struct span_row *rows;
	struct err err = ERR_INIT;
	uint32_t member = 7;

	run->lanes[0].kind = LANE_AGGREGATE;
	ck_assert_int_eq(
	    tile_read(&run->reader, TILE_LANE, 0, NULL, 0, 0, 1999, 2, cells, arena, &err), 0);
	ck_assert_int_eq(cells[0].busy_ns, 0);
	ck_assert_int_eq(cells[0].count, 0);
	ck_assert_int_eq(
	    tile_read(&run->reader, TILE_LANE, 1, NULL, 0, 0, 1999, 2, cells, arena, &err), 0);
	ck_assert_int_gt(cells[0].busy_ns, 0);
	ck_assert_int_eq(
	    tile_read(&run->reader, TILE_LANE, 2, NULL, 0, 0, 7, 2, cells, arena, &err), -1);
	ck_assert_int_eq(
	    tile_read(&run->reader, TILE_GROUP, 0, &member, 1, 0, 7, 2, cells, arena, &err), -1);
	ck_assert_int_eq(lane_spans(&run->dataset, 2, 0, 10, 5, &rows, NULL, &err), -1);
	arena_free(arena);
	run_free(run);
	fixture_free(fixture);
}
END_TEST

/* Random cells as tile_encode wants them. */
static void
random_cells(struct tile_cell *cells, uint32_t n_cells, uint32_t n_codes, struct arena *arena,
             struct prng *prng)
{
	for (uint32_t i = 0; i < n_cells; i++) {
		uint32_t n = (uint32_t)prng_below(prng, prng_below(prng, 10) ? 4 : n_codes);
		struct category_time *times = arena_alloc(arena, (n + 1) * sizeof *times);
		int64_t ns = 1 + (int64_t)(prng_next(prng) >> (prng_below(prng, 40) + 20));
		cells[i] = (struct tile_cell){0};
		if (prng_below(prng, 3) == 0) {
			continue;
		}
		cells[i].count = (int64_t)prng_below(prng, 20);
		cells[i].n_categories = n;
		cells[i].categories = times;
		for (uint32_t k = n; k-- > 0;) {
			times[k] = (struct category_time){k == 1 ? TEXT_NONE : k * 3, ns};
			cells[i].busy_ns += ns;
			ns += 1 + (int64_t)prng_below(prng, 100);
		}
	}
}

static bool
same_cell(const struct tile_cell *a, const struct tile_cell *b)
{
	if (a->busy_ns != b->busy_ns || a->count != b->count ||
	    a->n_categories != b->n_categories) {
		return false;
	}
	for (uint32_t i = 0; i < a->n_categories; i++) {
		if (a->categories[i].category != b->categories[i].category ||
		    a->categories[i].ns != b->categories[i].ns) {
			return false;
		}
	}
	return true;
}

START_TEST(cells_come_back_from_their_bytes)
{
	struct prng prng = {12};
	struct err err = ERR_INIT;

	for (unsigned round = 0; round < 200; round++) {
		struct arena *arena = arena_new();
		struct tile_cell cells[TILE_CHUNK] = {{0}}, back[TILE_CHUNK];
		struct strbuf bytes = {0};
		random_cells(cells, TILE_CHUNK, round % 20 ? 9 : 300, arena, &prng);
		tile_encode(cells, TILE_CHUNK, &bytes);
		ck_assert_int_eq(tile_decode(strbuf_slice(&bytes), back, arena, &err), 0);
		for (uint32_t i = 0; i < TILE_CHUNK; i++) {
			EXPECT(same_cell(&cells[i], &back[i]));
		}
		strbuf_free(&bytes);
		arena_free(arena);
	}
}
END_TEST

START_TEST(sums_by_category_are_right_however_many)
{
	struct prng prng = {3};
	struct cell_sum sum = {0};

	for (uint32_t n_codes = 1; n_codes < 3000; n_codes = n_codes * 3 + 1) {
		int64_t *wanted = xcalloc(n_codes, sizeof *wanted), busy_ns = 0;
		uint32_t n = 0;
		for (unsigned i = 0; i < 5000; i++) {
			uint32_t code = (uint32_t)prng_below(&prng, n_codes);
			int64_t ns = 1 + (int64_t)prng_below(&prng, 100);
			cell_add(&sum, code * 1000 - 1, ns);
			n += wanted[code] == 0;
			wanted[code] += ns;
			busy_ns += ns;
		}
		struct tile_cell cell = cell_finish(&sum);
		ck_assert_int_eq(cell.busy_ns, busy_ns);
		ck_assert_uint_eq(cell.n_categories, n);
		for (uint32_t i = 0; i < n; i++) {
			const struct category_time *time = &cell.categories[i];
			EXPECT(time->ns == wanted[(time->category + 1) / 1000]);
			EXPECT(i == 0 || time[-1].ns > time->ns ||
			       (time[-1].ns == time->ns && time[-1].category < time->category));
		}
		cell_reset(&sum);
		free(wanted);
	}
	cell_fini(&sum);
}
END_TEST

START_TEST(a_cell_names_the_largest_categories_only)
{
	/* _i: nothing without a category, little of it, much of it */
	uint32_t n = TILE_CATEGORIES + 1000;
	struct cell_sum sum = {0};
	int64_t left_ns = 0, other_ns = 0;

	for (uint32_t i = 0; i < n; i++) {
		cell_add(&sum, (uint32_t)((uint64_t)i * 7919 % n), 1000 + i * 2);
	}
	if (_i > 0) {
		cell_add(&sum, TEXT_NONE, _i == 1 ? 3 : 100000000);
	}
	struct tile_cell cell = cell_finish(&sum);
	ck_assert_uint_le(cell.n_categories, TILE_CATEGORIES);
	ck_assert_uint_ge(cell.n_categories, TILE_CATEGORIES - 1);
	left_ns = cell.busy_ns;
	for (uint32_t i = 0; i < cell.n_categories; i++) {
		const struct category_time *time = &cell.categories[i];
		left_ns -= time->ns;
		other_ns = time->category == TEXT_NONE ? time->ns : other_ns;
		EXPECT(i == 0 || time[-1].ns > time->ns);
		EXPECT(time->category == TEXT_NONE || time->ns >= 1000 + 1000 * 2);
	}
	ck_assert_int_eq(left_ns, 0);
	ck_assert_int_gt(other_ns, _i == 2 ? 100000000 : 1000 * 1000);
	cell_fini(&sum);
}
END_TEST

START_TEST(a_fully_busy_lane_takes_little)
{
	struct tile_cell cells[TILE_CHUNK];
	struct category_time time = {3, 1000000};
	struct strbuf bytes = {0};

	for (uint32_t i = 0; i < TILE_CHUNK; i++) {
		cells[i] = (struct tile_cell){1000000, 5, 1, &time};
	}
	tile_encode(cells, TILE_CHUNK, &bytes);
	ck_assert_uint_le(bytes.len, 2 * TILE_CHUNK + 16);
	strbuf_free(&bytes);
}
END_TEST

START_TEST(damaged_bytes_are_refused_or_harmless)
{
	struct prng prng = {13};
	struct err err = ERR_INIT;
	struct arena *arena = arena_new();
	struct tile_cell cells[TILE_CHUNK], back[TILE_CHUNK];
	struct strbuf bytes = {0};

	random_cells(cells, TILE_CHUNK, 9, arena, &prng);
	tile_encode(cells, TILE_CHUNK, &bytes);
	for (unsigned round = 0; round < 6000; round++) {
		struct arena *scratch = arena_new();
		size_t length = round % 3 ? bytes.len : prng_below(&prng, bytes.len);
		char *copy = xmalloc(length);
		memcpy(copy, bytes.data, length);
		for (unsigned i = 0; i < round % 4 && length > 0; i++) {
			copy[prng_below(&prng, length)] = (char)prng_next(&prng);
		}
		if (tile_decode((struct slice){copy, length}, back, scratch, &err) == 0) {
			for (uint32_t i = 0; i < TILE_CHUNK; i++) {
				int64_t left = back[i].busy_ns;
				for (uint32_t k = 0; k < back[i].n_categories; k++) {
					left -= back[i].categories[k].ns;
				}
				EXPECT(left == 0);
			}
		} else {
			EXPECT(err.code == ERR_FORMAT);
		}
		free(copy);
		arena_free(scratch);
	}
	strbuf_free(&bytes);
	arena_free(arena);
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
	    tile_read(&run->reader, TILE_LANE, 0, NULL, 0, 0, base_ns, 10, cells, arena, &err), -1);
	ck_assert_int_eq(err.code, ERR_FORMAT);
	run->dataset.n_texts = FIXTURE_CATEGORIES + 1;
	run->reader.base_ns =
	    base_ns / 10; /* cells busier than wide, levels that do not cover the run */
	ck_assert_int_eq(
	    tile_read(&run->reader, TILE_LANE, 0, NULL, 0, 0, base_ns, 10, cells, arena, &err), -1);
	ck_assert_int_eq(err.code, ERR_FORMAT);
	run->reader.n_levels = 1000;
	ck_assert_int_eq(
	    tile_read(&run->reader, TILE_LANE, 0, NULL, 0, 0, base_ns, 10, cells, arena, &err), -1);
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
	struct span_row *rows;
	struct err err = ERR_INIT;

	cancel_request(&cancel);
	run->reader.cancel = &cancel;
	ck_assert_int_eq(tile_read(&run->reader, TILE_LANE, 0, NULL, 0, 0, run->reader.base_ns, 10,
	                           cells, arena, &err),
	                 -1);
	ck_assert_int_eq(err.code, ERR_CANCELLED);
	ck_assert_int_eq(
	    tile_read(&run->reader, TILE_LANE, 0, NULL, 0, 0, 10, 10, cells, arena, &err), -1);
	ck_assert_int_eq(err.code, ERR_CANCELLED);
	ck_assert_int_eq(lane_spans(&run->dataset, 0, 0, 1000, 10, &rows, &cancel, &err), -1);
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
	tcase_add_loop_test(tcase, spans_of_a_window_come_sorted, 0, FIXTURE_SHAPES);
	tcase_add_test(tcase, aggregate_lanes_are_empty_and_unknown_ones_an_error);
	tcase_add_test(tcase, cells_come_back_from_their_bytes);
	tcase_add_test(tcase, sums_by_category_are_right_however_many);
	tcase_add_loop_test(tcase, a_cell_names_the_largest_categories_only, 0, 3);
	tcase_add_test(tcase, a_fully_busy_lane_takes_little);
	tcase_add_test(tcase, damaged_bytes_are_refused_or_harmless);
	tcase_add_test(tcase, tiles_that_lie_are_refused);
	tcase_add_test(tcase, a_cancel_ends_the_reading);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
