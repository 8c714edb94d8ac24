/* Running the finishing pass over the nesting fixture's spans, and keeping what comes out. */
#ifndef LANESCOPE_TESTS_FINISH_FIXTURE_H
#define LANESCOPE_TESTS_FINISH_FIXTURE_H

#include "column/finish/finish.h"
#include "unit/nesting_fixture.h"
#include "unit/unit.h"

/* What came out of a finishing pass. */
struct outcome {
	const struct fixture *fixture;
	int64_t *depth, *parent, *covered; /* by id - 1 */
	int64_t base_ns;
	unsigned n_levels;
	struct tile_chunk *chunks; /* bytes owned */
	size_t n_chunks, capacity;
	uint32_t last_source, last_sequence;
	bool has_columns;
	unsigned stop_at, n_calls; /* 0: never */
};

static inline int
take_base(void *user, int64_t tile_base_ns, unsigned n_levels)
{
	struct outcome *outcome = user;

	outcome->base_ns = tile_base_ns;
	outcome->n_levels = n_levels;
	return ++outcome->n_calls == outcome->stop_at;
}

static inline int
take_tile(void *user, const struct tile_chunk *chunk)
{
	struct outcome *outcome = user;

	if (outcome->n_chunks > 0) { /* in order */
		const struct tile_chunk *last = &outcome->chunks[outcome->n_chunks - 1];
		EXPECT(last->subject < chunk->subject ||
		       (last->subject == chunk->subject &&
		        (last->id < chunk->id ||
		         (last->id == chunk->id &&
		          (last->level < chunk->level ||
		           (last->level == chunk->level && last->chunk < chunk->chunk))))));
	}
	outcome->chunks = mem_grow(outcome->chunks, &outcome->capacity, outcome->n_chunks + 1,
	                           sizeof *outcome->chunks);
	struct tile_chunk *kept = &outcome->chunks[outcome->n_chunks++];
	*kept = *chunk;
	kept->bytes.ptr = xstrndup(chunk->bytes.ptr, chunk->bytes.len);
	return ++outcome->n_calls == outcome->stop_at;
}

static inline size_t
block_first(const struct fixture *fixture, uint32_t source, uint32_t sequence, uint32_t *n)
{
	for (size_t i = 0; i < fixture->n_blocks; i++) {
		const struct fixture_block *block = &fixture->blocks[i];
		if (block->source == source && block->sequence == sequence) {
			*n = block->n;
			return block->first;
		}
	}
	ck_abort_msg("no block %u of source %u", sequence, source);
}

static inline int
take_columns(void *user, uint32_t source, uint32_t sequence, struct column_info *columns,
             const size_t *offsets, uint32_t n, struct slice bytes)
{
	struct outcome *outcome = user;
	struct err err = ERR_INIT;
	uint32_t n_rows;
	size_t first = block_first(outcome->fixture, source, sequence, &n_rows);

	ck_assert(!outcome->has_columns || source > outcome->last_source ||
	          (source == outcome->last_source && sequence > outcome->last_sequence));
	outcome->has_columns = true;
	outcome->last_source = source;
	outcome->last_sequence = sequence;
	ck_assert_uint_gt(n, 0);
	for (uint32_t i = 0; i < n; i++) {
		struct column_reader reader;
		int64_t *out = columns[i].field == FIELD_DEPTH    ? outcome->depth
		               : columns[i].field == FIELD_PARENT ? outcome->parent
		                                                  : outcome->covered;
		char *blob = xcalloc(1, columns[i].blob_bytes + 8);
		ck_assert_uint_gt(columns[i].n_present, 0);
		ck_assert_uint_le(offsets[i] + columns[i].blob_bytes, bytes.len);
		memcpy(blob, bytes.ptr + offsets[i], columns[i].blob_bytes);
		ck_assert_int_eq(
		    column_reader_init(&reader, &columns[i], blob, NULL, NULL, n_rows, &err), 0);
		for (uint32_t row = 0, k; row < n_rows; row += k) {
			uint64_t presence[64];
			k = n_rows - row < 4096 ? n_rows - row : 4096;
			column_read(&reader, k, out + first + row, presence);
			for (uint32_t r = 0; r < k; r++) {
				bool is_present = presence[r / 64] >> (r % 64) & 1;
				EXPECT((out[first + row + r] != 0) == is_present);
			}
		}
		free(blob);
	}
	return ++outcome->n_calls == outcome->stop_at;
}

static inline void
outcome_free(struct outcome *outcome)
{
	for (size_t i = 0; i < outcome->n_chunks; i++) {
		free((void *)outcome->chunks[i].bytes.ptr);
	}
	free(outcome->chunks);
	free(outcome->depth);
	free(outcome->parent);
	free(outcome->covered);
	free(outcome);
}

struct setting {
	size_t memory_bytes;
	unsigned n_threads;
	bool backwards; /* the order of finish_add */
	const bool *is_flat, *is_dense;
	const uint32_t *group;
	uint32_t n_groups;
	const struct cancel *cancel;
	unsigned stop_at;
};

/* What the calls of a record took: of some more than its interval, of some nothing. */
static inline int64_t
calls_sum(const struct fixture_span *span)
{
	return (span->start_ns * 7 + span->end_ns * 13) % 401;
}

/* Density until an instant, record by record. */
static inline int64_t
density_until(const struct fixture *fixture, uint32_t lane, int64_t at_ns)
{
	__int128 sum = 0;

	for (size_t i = 0; i < fixture->n_spans; i++) {
		const struct fixture_span *span = &fixture->spans[i];
		int64_t length = span->end_ns > span->start_ns ? span->end_ns - span->start_ns : 1;
		__int128 all = (__int128)calls_sum(span) << 32;
		if (span->lane == lane && at_ns > span->start_ns) {
			sum += at_ns - span->start_ns >= length
			           ? all
			           : all / length * (at_ns - span->start_ns);
		}
	}
	return (int64_t)(sum >> 32);
}

static inline void
add_block(struct finish *finish, const struct fixture *fixture, const struct fixture_block *block)
{
	struct span_key *keys = xmalloc(block->n * sizeof *keys);
	struct span_order *orders = xmalloc(block->n * sizeof *orders);
	struct err err = ERR_INIT;
	bool has_orders = false;

	for (uint32_t i = 0; i < block->n; i++) {
		const struct fixture_span *span = &fixture->spans[block->first + i];
		keys[i] = (struct span_key){span->start_ns + fixture->origin_ns,
		                            span->end_ns - span->start_ns, span->source_lane,
		                            span->source_category, calls_sum(span)};
		orders[i] = span->order;
		has_orders = has_orders || span->order.begin != 0;
	}
	ck_assert_int_eq(finish_add(finish, block->source, block->sequence, keys,
	                            has_orders ? orders : NULL, block->n, &err),
	                 0);
	free(keys);
	free(orders);
}

/* NULL and *err if finish_run fails. */
static inline struct outcome *
run_finish(const struct fixture *fixture, const struct setting *setting, struct err *err)
{
	struct finish *finish = finish_new("/tmp", setting->memory_bytes);
	struct finish_source *sources = xcalloc(fixture->n_sources, sizeof *sources);
	struct outcome *outcome = xcalloc(1, sizeof *outcome);
	struct finish_receiver receiver = {outcome, take_base, take_tile, take_columns};

	outcome->fixture = fixture;
	outcome->stop_at = setting->stop_at;
	outcome->depth = xcalloc(fixture->n_spans, sizeof(int64_t));
	outcome->parent = xcalloc(fixture->n_spans, sizeof(int64_t));
	outcome->covered = xcalloc(fixture->n_spans, sizeof(int64_t));
	for (size_t i = 0; i < fixture->n_blocks; i++) {
		size_t k = setting->backwards ? fixture->n_blocks - 1 - i : i;
		add_block(finish, fixture, &fixture->blocks[k]);
	}
	for (uint32_t s = 0; s < fixture->n_sources; s++) {
		sources[s].lanes = fixture->lane_maps + (size_t)s * fixture->n_lanes;
		sources[s].texts = fixture->text_maps + (size_t)s * (FIXTURE_CATEGORIES + 1);
	}
	struct finish_plan plan = {.sources = sources,
	                           .n_sources = fixture->n_sources,
	                           .n_lanes = fixture->n_lanes,
	                           .is_flat = setting->is_flat,
	                           .is_dense = setting->is_dense,
	                           .group = setting->group,
	                           .n_groups = setting->n_groups,
	                           .origin_ns = fixture->origin_ns,
	                           .duration_ns = fixture->duration_ns,
	                           .n_threads = setting->n_threads,
	                           .cancel = setting->cancel};
	int status = finish_run(finish, &plan, &receiver, err);
	finish_free(finish);
	free(sources);
	if (status != 0) {
		outcome_free(outcome);
		return NULL;
	}
	return outcome;
}

static inline void
check_same(const struct fixture *fixture, const struct outcome *a, const struct outcome *b)
{
	size_t bytes = fixture->n_spans * sizeof(int64_t);

	ck_assert_int_eq(memcmp(a->depth, b->depth, bytes), 0);
	ck_assert_int_eq(memcmp(a->parent, b->parent, bytes), 0);
	ck_assert_int_eq(memcmp(a->covered, b->covered, bytes), 0);
	ck_assert_int_eq(a->base_ns, b->base_ns);
	ck_assert_uint_eq(a->n_levels, b->n_levels);
	ck_assert_uint_eq(a->n_chunks, b->n_chunks);
	for (size_t i = 0; i < a->n_chunks; i++) {
		const struct tile_chunk *left = &a->chunks[i], *right = &b->chunks[i];
		EXPECT(left->subject == right->subject && left->id == right->id &&
		       left->level == right->level && left->chunk == right->chunk);
		EXPECT(slice_equal(left->bytes, right->bytes));
	}
}

#endif
