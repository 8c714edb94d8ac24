/*
 * The stack holds the spans that may still contain others, or be seen again: ends do not increase
 * upwards. A new span s first ends what ends by its start, then removes from the top what ends
 * before s does: those overlap s without containing it, whatever they could contain later lies in s
 * too, and s hides them as long as they last. What is then on top is the parent. Every span is
 * pushed and popped once.
 *
 * What ends just where a span without length stands, and what a span hides that starts there, has
 * been popped by then, but may have been open when that span began: what was popped at the instant
 * at hand is kept until the next one.
 *
 * Rows of depth outlive the stack (a span that was removed as overlapping still goes on), so each
 * row keeps when its last span ends, and a tree of minima over the rows finds the lowest free one
 * below the parent's in logarithmic time. With proper nesting that is the next row, looked at
 * first.
 */
#include "config.h"
#include "column/finish/sweep.h"

#include <stdlib.h>

#include "column/finish/finish.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

#define ROWS_FIRST 8u

struct frame {
	int64_t start_ns, end_ns;
	struct span_order order;
	int64_t covered_ns, covered_end_ns; /* by children so far */
	uint64_t id, tag;
	int64_t distance;
	uint32_t category, depth;
};

/* tree[1] is the root, tree[n + row] the leaf of a row: when it becomes free. */
struct rows {
	int64_t *tree;
	uint32_t n;
};

struct sweep {
	struct sweep_hooks hooks;
	struct frame *frames;
	size_t n_frames, capacity;
	struct frame *popped; /* at popped_ns, but may be parents of spans without length there */
	size_t n_popped, popped_capacity;
	int64_t popped_ns;
	int64_t now_ns; /* visible has been told up to here */
	struct rows rows;
};

static void
rows_resize(struct rows *rows, uint32_t n)
{
	int64_t *tree = xmalloc((size_t)2 * n * sizeof *tree);

	for (uint32_t i = 0; i < 2 * n; i++) {
		tree[i] = INT64_MIN;
	}
	uint32_t kept = rows->n < n ? rows->n : 0; /* growing keeps what there is */
	for (uint32_t row = 0; row < kept; row++) {
		tree[n + row] = rows->tree[kept + row];
	}
	for (uint32_t i = n; kept > 0 && i-- > 1;) {
		tree[i] = tree[2 * i] < tree[2 * i + 1] ? tree[2 * i] : tree[2 * i + 1];
	}
	free(rows->tree);
	rows->tree = tree;
	rows->n = n;
}

/* Lowest row from `first` on that is free at start_ns; the last one if none is. */
static uint32_t
rows_find(struct rows *rows, uint32_t first, int64_t start_ns)
{
	for (;;) {
		uint32_t i = rows->n + first;
		while (first < rows->n && rows->tree[i] > start_ns) {
			while (i & 1) {
				i >>= 1; /* up from a right child; the root counts as one */
			}
			if (i == 0) {
				break;
			}
			i++;
		}
		if (first < rows->n && i != 0) {
			while (i < rows->n) {
				i *= 2;
				i += rows->tree[i] > start_ns;
			}
			return i - rows->n;
		}
		if (rows->n > FINISH_DEPTH_MAX) {
			return FINISH_DEPTH_MAX;
		}
		rows_resize(rows, rows->n * 2);
	}
}

static void
rows_take(struct rows *rows, uint32_t row, int64_t end_ns)
{
	uint32_t i = rows->n + row;

	rows->tree[i] = end_ns > rows->tree[i] ? end_ns : rows->tree[i];
	for (i /= 2; i > 0; i /= 2) {
		int64_t left = rows->tree[2 * i], right = rows->tree[2 * i + 1];
		int64_t min = LEAST(left, right);
		if (rows->tree[i] == min) {
			break;
		}
		rows->tree[i] = min;
	}
}

struct sweep *
sweep_new(const struct sweep_hooks *hooks)
{
	struct sweep *sweep = xcalloc(1, sizeof *sweep);

	sweep->hooks = *hooks;
	rows_resize(&sweep->rows, ROWS_FIRST);
	return sweep;
}

void
sweep_free(struct sweep *sweep)
{
	if (sweep) {
		free(sweep->frames);
		free(sweep->popped);
		free(sweep->rows.tree);
		free(sweep);
	}
}

/* The top of the stack is visible until end_ns. */
static int
show(struct sweep *sweep, int64_t end_ns, struct err *err)
{
	int64_t start_ns = sweep->now_ns;

	if (end_ns <= start_ns) {
		return 0;
	}
	sweep->now_ns = end_ns;
	return sweep->hooks.visible(sweep->hooks.user, start_ns, end_ns,
	                            sweep->frames[sweep->n_frames - 1].category, err);
}

/* May a span without length at popped_ns lie in it? */
static bool
may_be_parent(const struct sweep *sweep, const struct frame *frame)
{
	return frame->end_ns > sweep->popped_ns ||
	       (frame->end_ns == sweep->popped_ns && frame->order.end != 0);
}

static int
pop(struct sweep *sweep, struct err *err)
{
	const struct frame *frame = &sweep->frames[--sweep->n_frames];

	if (!sweep->hooks.nesting) {
		return 0;
	}
	if (frame->order.begin != 0 && may_be_parent(sweep, frame)) {
		MEM_GROW(sweep->popped, sweep->popped_capacity, sweep->n_popped + 1);
		sweep->popped[sweep->n_popped++] = *frame;
	}
	struct sweep_nesting nesting = {frame->tag, frame->depth, frame->distance,
	                                frame->covered_ns};

	return sweep->hooks.nesting(sweep->hooks.user, &nesting, err);
}

/* Shows and pops what ends by time_ns. */
static int
leave(struct sweep *sweep, int64_t time_ns, struct err *err)
{
	while (sweep->n_frames > 0 && sweep->frames[sweep->n_frames - 1].end_ns <= time_ns) {
		if (show(sweep, sweep->frames[sweep->n_frames - 1].end_ns, err) ||
		    pop(sweep, err)) {
			return -1;
		}
	}
	return 0;
}

static void
cover(struct frame *parent, int64_t start_ns, int64_t end_ns)
{
	if (start_ns < parent->covered_end_ns) {
		start_ns = parent->covered_end_ns;
	}
	if (end_ns > start_ns) {
		parent->covered_ns += end_ns - start_ns;
		parent->covered_end_ns = end_ns;
	}
}

/* Was it open when the span without length began? */
static bool
contains_instant(const struct frame *frame, const struct sweep_span *span)
{
	bool are_records = frame->order.end == 0 && span->order.end == 0;

	if (frame->start_ns == span->start_ns && !are_records &&
	    frame->order.begin > span->order.begin) {
		return false;
	}
	return frame->end_ns > span->start_ns || frame->order.end > span->order.begin;
}

/* Does it come later in the order of spans? */
static bool
is_later(const struct frame *frame, const struct frame *other)
{
	if (!other || frame->start_ns != other->start_ns) {
		return !other || frame->start_ns > other->start_ns;
	}
	if (frame->end_ns != other->end_ns) {
		return frame->end_ns < other->end_ns;
	}
	return frame->order.begin > other->order.begin;
}

/* The parent of a span without length whose place in the source is told. */
static struct frame *
find_open(struct sweep *sweep, const struct sweep_span *span)
{
	struct frame *found = NULL;
	size_t last = sweep->n_frames > SWEEP_TIES_MAX ? sweep->n_frames - SWEEP_TIES_MAX : 0;

	for (size_t i = sweep->n_frames; i > last && !found; i--) {
		struct frame *frame = &sweep->frames[i - 1];
		found = contains_instant(frame, span) ? frame : NULL;
	}
	last = sweep->n_popped > SWEEP_TIES_MAX ? sweep->n_popped - SWEEP_TIES_MAX : 0;
	for (size_t i = sweep->n_popped; i > last; i--) {
		struct frame *frame = &sweep->popped[i - 1];
		if (contains_instant(frame, span) && is_later(frame, found)) {
			found = frame;
		}
	}
	return found;
}

/* Pushes the span, or reports it at once where it cannot contain anything. */
static int
enter(struct sweep *sweep, const struct sweep_span *span, int64_t end_ns, struct err *err)
{
	struct frame *parent = sweep->n_frames > 0 ? &sweep->frames[sweep->n_frames - 1] : NULL;
	struct frame frame = {.start_ns = span->start_ns,
	                      .end_ns = end_ns,
	                      .order = span->order,
	                      .covered_end_ns = span->start_ns,
	                      .id = span->id,
	                      .tag = span->tag,
	                      .category = span->category};

	if (sweep->hooks.nesting) {
		if (end_ns <= span->start_ns && span->order.begin != 0) {
			parent = find_open(sweep, span);
		}
		uint32_t first = parent ? parent->depth + 1 : 0;
		first = LEAST(FINISH_DEPTH_MAX, first);
		frame.depth = rows_find(&sweep->rows, first, span->start_ns);
		frame.distance = parent ? (int64_t)(span->id - parent->id) : 0;
		rows_take(&sweep->rows, frame.depth, end_ns);
		if (parent) {
			cover(parent, span->start_ns, end_ns);
		}
	}
	MEM_GROW(sweep->frames, sweep->capacity, sweep->n_frames + 1);
	sweep->frames[sweep->n_frames++] = frame;
	if (end_ns <= span->start_ns || sweep->n_frames > SWEEP_NESTING_MAX) {
		return pop(sweep, err);
	}
	return 0;
}

int
sweep_add(struct sweep *sweep, const struct sweep_span *span, struct err *err)
{
	int64_t start_ns = span->start_ns, end_ns = time_add(start_ns, span->duration_ns);

	if (start_ns != sweep->popped_ns) {
		sweep->n_popped = 0;
		sweep->popped_ns = start_ns;
	}
	if (leave(sweep, start_ns, err)) {
		return -1;
	}
	if (sweep->n_frames == 0) {
		sweep->now_ns = start_ns;
	} else if (show(sweep, start_ns, err)) {
		return -1;
	}
	while (sweep->n_frames > 0 && sweep->frames[sweep->n_frames - 1].end_ns < end_ns) {
		if (pop(sweep, err)) {
			return -1;
		}
	}
	return enter(sweep, span, end_ns, err);
}

int
sweep_end(struct sweep *sweep, struct err *err)
{
	if (leave(sweep, INT64_MAX, err)) {
		return -1;
	}
	rows_resize(&sweep->rows, ROWS_FIRST);
	sweep->n_popped = 0;
	return 0;
}
