/*
 * The rows of both runs are merged from the top down: hosts with hosts, and below each pair its
 * processes, lanes and what belongs to them. Rows of one name stand together even if one run has
 * several of them: the n-th with the n-th. What stands beside a lane (its queue) stays with it.
 */
#include "config.h"

#include "query/timeline/timeline_pair.h"

#include <stdlib.h>
#include <string.h>

#include "query/timeline/timeline_private.h"
#include "util/intern.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

#define ROW_NONE SIZE_MAX

struct merging {
	const struct timeline *sides[2];
	struct timeline *out;
	struct timeline_pair *pair;
};

/* Rows of one parent in one run. */
struct child {
	size_t row, partner; /* partner: number of the other run's child; ROW_NONE: none */
	int64_t busy_ns;
};
struct children {
	struct child *all;
	size_t n;
};

size_t
timeline_rows_with(const struct timeline *timeline, size_t row)
{
	size_t n = timeline->rows[row].n_below;

	while (timeline_row_is_lane(&timeline->rows[row]) && row + n + 1 < timeline->n_rows &&
	       timeline->rows[row + n + 1].is_beside) {
		n++;
	}
	return n;
}

/* The rows in [from, to) that go with no other one there. */
static struct children
children_of(const struct timeline *timeline, size_t from, size_t to)
{
	struct children children;

	MEM_NEW(children.all, to - from + 1);
	children.n = 0;
	for (size_t i = from; i < to; i += 1 + timeline_rows_with(timeline, i)) {
		children.all[children.n++] =
		    (struct child){i, ROW_NONE, timeline->rows[i].busy_ns}; /* n < to - from */
	}
	return children;
}

/* What kind of row it is, and what it is called. */
static uint32_t
name_of(struct intern *names, const struct timeline_row *row)
{
	struct strbuf text = {0};
	uint32_t id;

	strbuf_printf(&text, "%d %d ", (int)row->type,
	              row->type == TIMELINE_LANE || row->type == TIMELINE_ALIKE ? (int)row->kind
	                                                                        : 0);
	if (row->type == TIMELINE_ALIKE) { /* its name counts them */
		strbuf_printf(&text, "%d", (int)row->alike_are);
	} else {
		strbuf_add_slice(&text, row->name);
	}
	id = intern_id(names, strbuf_slice(&text));
	strbuf_free(&text);
	return id;
}

static void
match_names(const struct merging *merging, struct children *a, struct children *b)
{
	struct intern *names = intern_new();
	size_t capacity = a->n + b->n + 1;
	size_t *next = xcalloc(b->n + 1, sizeof *next), *first = xcalloc(capacity, sizeof *first);

	for (size_t k = b->n; k-- > 0;) { /* lists of one name each, in order: next + 1, 0 ends */
		uint32_t id = name_of(names, &merging->sides[1]->rows[b->all[k].row]);

		next[k] = first[id];
		first[id] = k + 1;
	}
	for (size_t i = 0; i < a->n; i++) {
		uint32_t id = name_of(names, &merging->sides[0]->rows[a->all[i].row]);

		if (first[id] > 0) {
			size_t k = first[id] - 1;

			first[id] = next[k];
			a->all[i].partner = k;
			b->all[k].partner = i;
		}
	}
	intern_free(names);
	free(next);
	free(first);
}

struct rank {
	size_t child;
	int type, kind;
	int64_t busy_ns;
};

static int
compare_ranks(const void *left, const void *right)
{
	const struct rank *a = left, *b = right;

	ORDER_BY(a->type, b->type);
	ORDER_BY(a->kind, b->kind);
	ORDER_BY(b->busy_ns, a->busy_ns);
	return ORDER(a->child, b->child);
}

/* Those without a partner: hosts, processes and lanes, of a kind, the busiest first. */
static struct rank *
ranks_of(const struct timeline *timeline, const struct children *children, size_t *n)
{
	struct rank *ranks = xcalloc(children->n + 1, sizeof *ranks);

	*n = 0;
	for (size_t i = 0; i < children->n; i++) {
		const struct timeline_row *row = &timeline->rows[children->all[i].row];

		if (children->all[i].partner == ROW_NONE && row->type <= TIMELINE_ALIKE) {
			ranks[(*n)++] = (struct rank){
			    i, (int)row->type, row->type == TIMELINE_LANE ? (int)row->kind : 0,
			    row->busy_ns};
		}
	}
	SORT(ranks, *n, compare_ranks);
	return ranks;
}

static void
match_ranks(const struct merging *merging, struct children *a, struct children *b)
{
	size_t n_a, n_b, i = 0, k = 0;
	struct rank *left = ranks_of(merging->sides[0], a, &n_a);
	struct rank *right = ranks_of(merging->sides[1], b, &n_b);

	while (i < n_a && k < n_b) {
		int order = ORDER(left[i].type, right[k].type);

		order = order ? order : ORDER(left[i].kind, right[k].kind);
		if (order == 0) {
			a->all[left[i].child].partner = right[k].child;
			b->all[right[k].child].partner = left[i].child;
		}
		i += order <= 0;
		k += order >= 0;
	}
	free(left);
	free(right);
}

static uint32_t *
shared_members(const struct merging *merging, int side, const struct timeline_row *row)
{
	uint32_t n = row->n_members + row->n_dense;
	uint32_t *members = arena_alloc(merging->out->arena, ((size_t)n + 1) * sizeof *members);

	for (uint32_t i = 0; i < n && row->members; i++) {
		members[i] = row->members[i] + (side ? merging->sides[0]->n_lanes : 0);
	}
	return members;
}

/* Returns where it stands. */
static size_t
add_row(struct merging *merging, int side, size_t from)
{
	const struct timeline_row *own = &merging->sides[side]->rows[from];
	size_t at = merging->out->n_rows++;
	struct timeline_row *row = &merging->out->rows[at];

	*row = *own;
	row->side = (uint8_t)(side + 1);
	row->name = timeline_keep(merging->out, own->name);
	row->label = timeline_keep(merging->out, own->label);
	row->counter = timeline_keep(merging->out, own->counter);
	row->members = shared_members(merging, side, own);
	row->n_below = 0;
	if (side && (own->type == TIMELINE_LANE || own->type == TIMELINE_PROCESS ||
	             own->type == TIMELINE_COUNTER)) {
		row->id += merging->sides[0]->n_lanes;
	}
	merging->pair->origins[at] = from;
	merging->pair->rows[side][from] = at;
	return at;
}

/* A row of a run. */
struct merge_range {
	size_t from, to;
};
static void merge_below(struct merging *merging, struct merge_range a, struct merge_range b);

static struct merge_range
below(const struct timeline *timeline, size_t row)
{
	return row == ROW_NONE
	           ? (struct merge_range){0, 0}
	           : (struct merge_range){row + 1, row + 1 + timeline_rows_with(timeline, row)};
}

/* A row of each run, or of one (ROW_NONE: the other's), then all that is below them. */
static void
add_pair(struct merging *merging, size_t a, size_t b)
{
	size_t head = a != ROW_NONE ? add_row(merging, 0, a) : ROW_NONE;

	if (b != ROW_NONE) {
		if (head != ROW_NONE) {
			merging->out->rows[head].leads_pair = true;
		}
		head = add_row(merging, 1, b);
	}
	merge_below(merging, below(merging->sides[0], a), below(merging->sides[1], b));
	if (merging->out->rows[head].type != TIMELINE_LANE) { /* what is beside one is not below */
		merging->out->rows[head].n_below = merging->out->n_rows - head - 1;
	}
}

static void
merge_below(struct merging *merging, struct merge_range a, struct merge_range b)
{
	struct children left = children_of(merging->sides[0], a.from, a.to);
	struct children right = children_of(merging->sides[1], b.from, b.to);

	match_names(merging, &left, &right);
	match_ranks(merging, &left, &right);
	for (size_t i = 0; i < left.n; i++) {
		size_t k = left.all[i].partner;

		add_pair(merging, left.all[i].row, k == ROW_NONE ? ROW_NONE : right.all[k].row);
	}
	for (size_t k = 0; k < right.n; k++) {
		if (right.all[k].partner == ROW_NONE) {
			add_pair(merging, ROW_NONE, right.all[k].row);
		}
	}
	free(left.all);
	free(right.all);
}

struct timeline *
timeline_of_two(struct timeline *a, struct timeline *b, int64_t n_spans_a)
{
	size_t n = a->n_rows + b->n_rows;
	struct timeline_pair *pair;
	struct timeline *out;
	struct merging merging;

	MEM_NEW(out, 1);
	atomic_init(&out->references, 1);
	out->arena = arena_new();
	out->duration_ns = MOST(a->duration_ns, b->duration_ns);
	out->is_at_most = a->is_at_most || b->is_at_most;
	out->tile_base_ns = a->tile_base_ns;
	out->n_lanes = a->n_lanes + b->n_lanes;
	out->n_work = a->n_work + b->n_work;
	out->n_dense = a->n_dense + b->n_dense;
	out->has_tasks = a->has_tasks || b->has_tasks;
	out->has_categories = a->has_categories || b->has_categories;
	out->peak_cell_ns = MOST(a->peak_cell_ns, b->peak_cell_ns);
	for (int i = 0; i < TIMELINE_PEAKS_LEVELS; i++) {
		out->peaks[i] = MOST(a->peaks[i], b->peaks[i]);
	}
	out->rows = arena_zalloc(out->arena, (n + 1) * sizeof *out->rows);
	pair = out->pair = arena_zalloc(out->arena, sizeof *pair);
	pair->sides[0] = timeline_retain(a);
	pair->sides[1] = timeline_retain(b);
	pair->origins = arena_zalloc(out->arena, (n + 1) * sizeof *pair->origins);
	pair->rows[0] = arena_zalloc(out->arena, (a->n_rows + 1) * sizeof *pair->rows[0]);
	pair->rows[1] = arena_zalloc(out->arena, (b->n_rows + 1) * sizeof *pair->rows[1]);
	pair->n_spans_a = n_spans_a;
	merging = (struct merging){{a, b}, out, pair};
	merge_below(&merging, (struct merge_range){0, a->n_rows},
	            (struct merge_range){0, b->n_rows});
	return out;
}

size_t
timeline_strips(const struct timeline *timeline, struct timeline_line lines[2])
{
	const struct timeline_pair *pair = timeline->pair;
	size_t n = 0;

	for (int side = 0; side < 1 + (pair != NULL); side++) {
		size_t n_rows = pair ? pair->sides[side]->n_rows : timeline->n_rows;
		size_t row = pair && n_rows > 0 ? pair->rows[side][0] : 0;
		enum timeline_row_type type = n_rows > 0 ? timeline->rows[row].type : TIMELINE_LANE;

		if (type == TIMELINE_SUM || type == TIMELINE_COUNTER || type == TIMELINE_CAPACITY) {
			lines[n++] = (struct timeline_line){row, -1};
		}
	}
	return n;
}

size_t
timeline_counterpart(const struct timeline *timeline, size_t row)
{
	if (row < timeline->n_rows && timeline->rows[row].leads_pair) {
		return row + 1;
	}
	return row > 0 && row < timeline->n_rows && timeline->rows[row - 1].leads_pair ? row - 1
	                                                                               : SIZE_MAX;
}

/* ---- numbers ---- */

int
timeline_side_of_lane(const struct timeline *timeline, int64_t lane)
{
	return timeline->pair && lane >= (int64_t)timeline->pair->sides[0]->n_lanes;
}

int
timeline_side_of_span(const struct timeline *timeline, int64_t span)
{
	return timeline->pair && span > timeline->pair->n_spans_a;
}

int64_t
timeline_own_lane(const struct timeline *timeline, int64_t lane)
{
	return timeline_side_of_lane(timeline, lane)
	           ? lane - (int64_t)timeline->pair->sides[0]->n_lanes
	           : lane;
}

int64_t
timeline_own_span(const struct timeline *timeline, int64_t span)
{
	return timeline_side_of_span(timeline, span) ? span - timeline->pair->n_spans_a : span;
}

int64_t
timeline_shared_lane(const struct timeline *timeline, int side, int64_t lane)
{
	return side && lane >= 0 ? lane + (int64_t)timeline->pair->sides[0]->n_lanes : lane;
}

int64_t
timeline_shared_span(const struct timeline *timeline, int side, int64_t span)
{
	return side && span > 0 ? time_add(span, timeline->pair->n_spans_a) : span;
}
