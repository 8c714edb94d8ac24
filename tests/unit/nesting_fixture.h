/*
 * Random spans on lanes, and what nesting and timelines must be by definition: slow, without any of
 * the tricks of the code under test.
 */
#ifndef LANESCOPE_TESTS_NESTING_FIXTURE_H
#define LANESCOPE_TESTS_NESTING_FIXTURE_H

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "column/finish/tile.h"
#include "util/mem.h"
#include "util/prng.h"

#define FIXTURE_CATEGORIES 5u

/* For inner loops: ck_assert writes a message to a file whenever it is passed. */
#define EXPECT(condition)                                                                          \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			ck_abort_msg("not so: %s", #condition);                                    \
		}                                                                                  \
	} while (0)

struct fixture_span {
	int64_t start_ns, end_ns;
	uint32_t source, block, row; /* block: index in the fixture's */
	uint32_t lane, category;     /* of the run */
	uint32_t source_lane, source_category;
	struct span_order order;
	int64_t parent, depth, covered_ns; /* by definition; parent: id or 0 */
};
struct fixture_block {
	uint32_t source, sequence, n;
	size_t first; /* index of its first span */
};
struct fixture {
	struct fixture_span *spans; /* by id - 1 */
	size_t n_spans;
	struct fixture_block *blocks;
	size_t n_blocks;
	uint32_t n_sources, n_lanes;
	uint32_t *lane_maps,
	    *text_maps; /* of source s from s * n_lanes, s * (FIXTURE_CATEGORIES + 1) on */
	int64_t origin_ns, duration_ns;
};

enum fixture_shape { SHAPE_NESTED, SHAPE_RANDOM, SHAPE_COARSE, SHAPE_EQUAL, SHAPE_STAIRS };
#define FIXTURE_SHAPES 5

static inline void
fixture_shape_span(struct fixture_span *span, enum fixture_shape shape, size_t i, int64_t range_ns,
                   struct prng *prng)
{
	int64_t length = (int64_t)prng_below(prng, (uint64_t)range_ns);

	span->start_ns = (int64_t)prng_below(prng, (uint64_t)range_ns);
	switch (shape) {
	case SHAPE_NESTED: /* intervals of a tree: multiples of powers of two; lengths without
	                      regard to order */
		length = INT64_C(1) << prng_below(prng, 10);
		span->start_ns -= span->start_ns % length;
		break;
	case SHAPE_RANDOM:
		length = prng_below(prng, 4) ? length / 20 : length / 2;
		break;
	case SHAPE_COARSE: /* many equal times and lengths of 0 */
		span->start_ns -= span->start_ns % 100;
		length = (int64_t)prng_below(prng, 4) * 100;
		break;
	case SHAPE_EQUAL:
		span->start_ns = range_ns / 3;
		length = prng_below(prng, 10) ? range_ns / 3 : 0;
		break;
	case SHAPE_STAIRS:
		span->start_ns = (int64_t)i;
		length = range_ns / 2;
		break;
	}
	span->end_ns = span->start_ns + length;
	if (span->end_ns > range_ns) {
		span->end_ns = range_ns;
	}
}

/* Sources share lanes: each has its own numbering of them, one even two codes for the same lane. */
static inline void
fixture_maps(struct fixture *fixture, struct prng *prng)
{
	uint32_t n = fixture->n_lanes, n_texts = FIXTURE_CATEGORIES + 1;

	fixture->lane_maps = xcalloc((size_t)fixture->n_sources * n, sizeof(uint32_t));
	fixture->text_maps = xcalloc((size_t)fixture->n_sources * n_texts, sizeof(uint32_t));
	for (uint32_t s = 0; s < fixture->n_sources; s++) {
		for (uint32_t k = 0; k < n; k++) {
			fixture->lane_maps[s * n + k] =
			    s % 3 == 2 ? (uint32_t)prng_below(prng, n) : (k + s) % n;
		}
		for (uint32_t k = 0; k < n_texts; k++) {
			fixture->text_maps[s * n_texts + k] = (k + s) % n_texts;
		}
	}
}

static inline int
fixture_compare(const void *left, const void *right)
{
	const struct fixture_span *a = *(struct fixture_span *const *)left;
	const struct fixture_span *b = *(struct fixture_span *const *)right;

	if (a->lane != b->lane) {
		return a->lane < b->lane ? -1 : 1;
	}
	if (a->start_ns != b->start_ns) {
		return a->start_ns < b->start_ns ? -1 : 1;
	}
	if (a->end_ns != b->end_ns) {
		return a->end_ns > b->end_ns ? -1 : 1;
	}
	if (a->order.begin != b->order.begin) {
		return a->order.begin < b->order.begin ? -1 : 1;
	}
	return a < b ? -1 : 1; /* in one array, by id */
}

/* Was the outer one open when the inner one, without length, began? */
static inline bool
fixture_was_open(const struct fixture_span *outer, const struct fixture_span *inner)
{
	bool are_records = outer->order.end == 0 && inner->order.end == 0;
	bool has_begun = outer->start_ns < inner->start_ns ||
	                 (outer->start_ns == inner->start_ns &&
	                  (are_records || outer->order.begin <= inner->order.begin));

	return has_begun && (outer->end_ns > inner->start_ns ||
	                     (outer->end_ns == inner->start_ns && outer->order.end != 0 &&
	                      outer->order.end > inner->order.begin));
}

static inline bool
fixture_contains(const struct fixture_span *outer, const struct fixture_span *inner)
{
	if (inner->start_ns == inner->end_ns && inner->order.begin != 0) {
		return fixture_was_open(outer, inner);
	}
	if (outer->start_ns == outer->end_ns) {
		return false;
	}
	if (inner->start_ns == inner->end_ns) {
		return outer->start_ns <= inner->start_ns && inner->start_ns < outer->end_ns;
	}
	return outer->start_ns <= inner->start_ns && inner->end_ns <= outer->end_ns;
}

/* Where begins and ends stand, at random: some spans are single records. */
static inline void
fixture_tell_orders(struct fixture *fixture, uint64_t seed)
{
	struct prng prng = {seed};

	for (size_t i = 0; i < fixture->n_spans; i++) {
		struct fixture_span *span = &fixture->spans[i];
		span->order.begin = 1 + prng_below(&prng, 2 * fixture->n_spans);
		if (prng_below(&prng, 3) > 0) {
			span->order.end =
			    span->order.begin + 1 + prng_below(&prng, fixture->n_spans);
		}
	}
}

/* Pointers to the spans, by (lane, start, -duration, order, id). New. */
static inline struct fixture_span **
fixture_order(const struct fixture *fixture)
{
	struct fixture_span **order = xmalloc(fixture->n_spans * sizeof *order);

	for (size_t i = 0; i < fixture->n_spans; i++) {
		order[i] = &fixture->spans[i];
	}
	qsort(order, fixture->n_spans, sizeof *order, fixture_compare);
	return order;
}

static inline void
fixture_nest(struct fixture *fixture)
{
	struct fixture_span **order = fixture_order(fixture);

	for (size_t i = 0; i < fixture->n_spans; i++) {
		struct fixture_span *span = order[i], *parent = NULL;
		for (size_t k = 0; k < i; k++) {
			if (order[k]->lane == span->lane && fixture_contains(order[k], span)) {
				parent = order[k];
			}
		}
		span->parent = parent ? parent - fixture->spans + 1 : 0;
		span->depth = parent ? parent->depth + 1 : 0;
		for (size_t k = 0; k < i; k++) { /* an occupied row: try the next from the start */
			if (order[k]->lane == span->lane && order[k]->depth == span->depth &&
			    order[k]->end_ns > span->start_ns) {
				span->depth++;
				k = (size_t)-1;
			}
		}
	}
	for (size_t i = 0; i < fixture->n_spans;
	     i++) { /* the union of children, which come by start */
		int64_t end_ns = INT64_MIN;
		for (size_t k = 0; k < fixture->n_spans; k++) {
			if (order[k]->parent == order[i] - fixture->spans + 1) {
				int64_t from =
				    order[k]->start_ns > end_ns ? order[k]->start_ns : end_ns;
				if (order[k]->end_ns > from) {
					order[i]->covered_ns += order[k]->end_ns - from;
					end_ns = order[k]->end_ns;
				}
			}
		}
	}
	free(order);
}

static inline struct fixture *
fixture_new(enum fixture_shape shape, size_t n_spans, uint32_t n_sources, uint32_t n_lanes,
            uint32_t block_rows, int64_t range_ns, uint64_t seed)
{
	struct fixture *fixture = xcalloc(1, sizeof *fixture);
	struct prng prng = {seed};

	*fixture = (struct fixture){.n_spans = n_spans,
	                            .n_sources = n_sources,
	                            .n_lanes = n_lanes,
	                            .origin_ns = (int64_t)prng_below(&prng, 1000000),
	                            .duration_ns = range_ns};
	fixture->spans = xcalloc(n_spans, sizeof *fixture->spans);
	fixture->blocks = xcalloc(n_spans + n_sources, sizeof *fixture->blocks);
	fixture_maps(fixture, &prng);
	for (size_t i = 0; i < n_spans;) {
		uint32_t source = (uint32_t)(i * n_sources / n_spans);
		struct fixture_block *last = &fixture->blocks[fixture->n_blocks];
		struct fixture_block block = {source, 0,
		                              (uint32_t)prng_below(&prng, block_rows) + 1, i};
		if (fixture->n_blocks > 0 && last[-1].source == source) {
			block.sequence = last[-1].sequence + 1;
		}
		while (i + block.n > n_spans || (i + block.n - 1) * n_sources / n_spans != source) {
			block.n--;
		}
		for (uint32_t row = 0; row < block.n; row++, i++) {
			struct fixture_span *span = &fixture->spans[i];
			fixture_shape_span(span, shape, i, range_ns, &prng);
			span->source = source;
			span->block = (uint32_t)fixture->n_blocks;
			span->row = row;
			span->source_lane = (uint32_t)prng_below(&prng, n_lanes);
			span->lane = fixture->lane_maps[source * n_lanes + span->source_lane];
			span->source_category = (uint32_t)prng_below(&prng, FIXTURE_CATEGORIES + 2);
			span->category = TEXT_NONE;
			if (span->source_category > FIXTURE_CATEGORIES) {
				span->source_category = TEXT_NONE;
			} else {
				span->category =
				    fixture->text_maps[source * (FIXTURE_CATEGORIES + 1) +
				                       span->source_category];
			}
		}
		fixture->blocks[fixture->n_blocks++] = block;
	}
	return fixture;
}

static inline void
fixture_free(struct fixture *fixture)
{
	free(fixture->spans);
	free(fixture->blocks);
	free(fixture->lane_maps);
	free(fixture->text_maps);
	free(fixture);
}

/* What each ns of a lane shows: index of its innermost span + 1, 0 for none. New. */
static inline uint32_t *
fixture_timeline(const struct fixture *fixture, uint32_t lane)
{
	struct fixture_span **order = fixture_order(fixture);
	uint32_t *shown = xcalloc((size_t)fixture->duration_ns + 1, sizeof *shown);

	for (size_t i = 0; i < fixture->n_spans; i++) { /* later in order hides earlier */
		for (int64_t t = order[i]->start_ns; order[i]->lane == lane && t < order[i]->end_ns;
		     t++) {
			shown[t] = (uint32_t)(order[i] - fixture->spans) + 1;
		}
	}
	free(order);
	return shown;
}

/* Sums of one cell of a lane; categories by code, the last for none. */
struct fixture_cell {
	int64_t busy_ns, count, category_ns[FIXTURE_CATEGORIES + 2], density_ns;
};
static inline struct fixture_cell
fixture_cell(const struct fixture *fixture, const uint32_t *shown, uint32_t lane, int64_t start_ns,
             int64_t end_ns)
{
	struct fixture_cell cell = {0};

	for (int64_t t = start_ns < 0 ? 0 : start_ns; t < end_ns && t <= fixture->duration_ns;
	     t++) {
		if (shown[t] > 0) {
			uint32_t category = fixture->spans[shown[t] - 1].category;
			cell.busy_ns++;
			cell.category_ns[category == TEXT_NONE ? FIXTURE_CATEGORIES + 1
			                                       : category]++;
		}
	}
	for (size_t i = 0; i < fixture->n_spans; i++) {
		const struct fixture_span *span = &fixture->spans[i];
		cell.count +=
		    span->lane == lane && span->start_ns >= start_ns && span->start_ns < end_ns;
	}
	return cell;
}

static inline void
fixture_add_cell(struct fixture_cell *sum, const struct fixture_cell *cell)
{
	sum->busy_ns += cell->busy_ns;
	sum->count += cell->count;
	sum->density_ns += cell->density_ns;
	for (unsigned i = 0; i < FIXTURE_CATEGORIES + 2; i++) {
		sum->category_ns[i] += cell->category_ns[i];
	}
}

/* Also checks the order of categories. */
static inline void
fixture_check_cell(const struct tile_cell *cell, const struct fixture_cell *wanted)
{
	struct fixture_cell got = {.busy_ns = cell->busy_ns, .count = cell->count};

	for (uint32_t i = 0; i < cell->n_categories; i++) {
		const struct category_time *time = &cell->categories[i];
		EXPECT(time->category <= FIXTURE_CATEGORIES || time->category == TEXT_NONE);
		EXPECT(time->ns > 0);
		EXPECT(i == 0 || time[-1].ns > time->ns ||
		       (time[-1].ns == time->ns && time[-1].category < time->category));
		got.category_ns[time->category == TEXT_NONE ? FIXTURE_CATEGORIES + 1
		                                            : time->category] += time->ns;
	}
	EXPECT(got.busy_ns == wanted->busy_ns);
	EXPECT(got.count == wanted->count);
	EXPECT(cell->density_ns == wanted->density_ns);
	for (unsigned i = 0; i < FIXTURE_CATEGORIES + 2; i++) {
		EXPECT(got.category_ns[i] == wanted->category_ns[i]);
	}
}

#endif
