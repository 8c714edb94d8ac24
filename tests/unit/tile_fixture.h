/* For tests of tiles: a fixture of nested spans as a run in memory, finished, and what its windows
 * must show. */
#ifndef LANESCOPE_TESTS_UNIT_TILE_FIXTURE_H
#define LANESCOPE_TESTS_UNIT_TILE_FIXTURE_H

#include "column/finish/finish.h"
#include "column/scan/scan.h"
#include "unit/nesting_fixture.h"
#include "unit/unit.h"

/* A fixture as a run: blocks in memory, and the tiles of its finishing pass. */
struct run {
	const struct fixture *fixture;
	struct dataset dataset;
	struct dataset_source *sources;
	struct lane *lanes;
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
		                            span->source_lane, span->source_category, 0};
	}
	for (size_t i = 0; i < fixture->n_blocks; i++) {
		const struct fixture_block *block = &fixture->blocks[i];
		ck_assert_int_eq(finish_add(finish, block->source, block->sequence,
		                            keys + block->first, NULL, block->n, &err),
		                 0);
	}
	for (uint32_t s = 0; s < fixture->n_sources; s++) {
		sources[s] =
		    (struct finish_source){run->sources[s].texts, run->sources[s].lanes, 0};
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

	ck_assert_msg(tile_read_many(&run->reader, screen.requests, screen.n,
	                             (struct tile_axis){start_ns, cell_ns, n_cells, TILE_EXACT},
	                             arena, &err) == 0,
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

#endif
