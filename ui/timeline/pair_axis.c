/* Lanes of one name stand together even if one run has several of them: the n-th with the n-th. */
#include "config.h"

#include "ui/timeline/pair_axis.h"

#include <stdlib.h>

#include "util/intern.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

struct axis_matching {
	const struct timeline *timelines[2];
	struct pair_rows *pairs;
	size_t n, capacity;
};

static void
add_pair(struct axis_matching *matching, size_t a, size_t b)
{
	MEM_GROW(matching->pairs, matching->capacity, matching->n + 1);
	matching->pairs[matching->n++] = (struct pair_rows){{a, b}};
}

/* Rows of a type, and their busy time. */
struct pair_candidate {
	size_t row;
	int64_t busy_ns;
	bool is_taken;
};

static struct pair_candidate *
candidates_of(const struct timeline *timeline, enum timeline_row_type type, size_t *n)
{
	struct pair_candidate *list = xcalloc(timeline->n_rows + 1, sizeof(*list));

	*n = 0;
	for (size_t i = 0; i < timeline->n_rows; i++) {
		if (timeline->rows[i].type == type) {
			list[(*n)++] = (struct pair_candidate){i, timeline->rows[i].busy_ns, false};
		}
	}
	return list;
}

static int
compare_busy(const void *left, const void *right)
{
	const struct pair_candidate *a = left, *b = right;

	ORDER_BY(b->busy_ns, a->busy_ns);
	return a->row < b->row ? -1 : 1;
}

static void
match_names(struct axis_matching *matching, struct pair_candidate *a, size_t n_a,
            struct pair_candidate *b, size_t n_b)
{
	struct intern *names = intern_new();
	size_t *next = xcalloc(n_b + 1, sizeof(*next)), *first = xcalloc(n_b + 1, sizeof(*first));

	for (size_t k = n_b; k-- > 0;) { /* lists of one name each, in order: next + 1, 0 ends */
		uint32_t id = intern_id(names, matching->timelines[1]->rows[b[k].row].name);
		next[k] = first[id];
		first[id] = k + 1;
	}
	for (size_t i = 0; i < n_a; i++) {
		uint32_t id = intern_find(names, matching->timelines[0]->rows[a[i].row].name);

		if (id != INTERN_NONE && first[id] > 0) {
			size_t k = first[id] - 1;
			first[id] = next[k];
			a[i].is_taken = b[k].is_taken = true;
			add_pair(matching, a[i].row, b[k].row);
		}
	}
	intern_free(names);
	free(next);
	free(first);
}

static void
match_type(struct axis_matching *matching, enum timeline_row_type type)
{
	size_t n_a, n_b, i = 0, k = 0;
	struct pair_candidate *a = candidates_of(matching->timelines[0], type, &n_a);
	struct pair_candidate *b = candidates_of(matching->timelines[1], type, &n_b);

	match_names(matching, a, n_a, b, n_b);
	qsort(a, n_a, sizeof(*a), compare_busy);
	qsort(b, n_b, sizeof(*b), compare_busy);
	for (;;) {
		while (i < n_a && a[i].is_taken) {
			i++;
		}
		while (k < n_b && b[k].is_taken) {
			k++;
		}
		if (i == n_a && k == n_b) {
			break;
		}
		add_pair(matching, i < n_a ? a[i].row : PAIR_NONE, k < n_b ? b[k].row : PAIR_NONE);
		i += i < n_a;
		k += k < n_b;
	}
	free(a);
	free(b);
}

struct pair_rows *
pair_match(const struct timeline *a, const struct timeline *b, bool lanes, size_t *n)
{
	struct axis_matching matching = {.timelines = {a, b}};

	if (a->n_rows > 0 && b->n_rows > 0 && a->rows[0].type == TIMELINE_SUM &&
	    b->rows[0].type == TIMELINE_SUM) {
		add_pair(&matching, 0, 0);
	}
	if (!lanes || a->n_lanes > 1 || b->n_lanes > 1) {
		match_type(&matching, TIMELINE_HOST);
	}
	if (lanes) {
		match_type(&matching, TIMELINE_LANE);
	}
	*n = matching.n;
	return matching.pairs;
}

int64_t
pair_axis_length(const struct pair_axis *axis)
{
	int64_t longest = axis->duration_ns[0] > axis->duration_ns[1] ? axis->duration_ns[0]
	                                                              : axis->duration_ns[1];

	if (axis->alignment == ALIGN_ANCHOR) {
		int64_t before = axis->anchor_ns[0] > axis->anchor_ns[1] ? axis->anchor_ns[0]
		                                                         : axis->anchor_ns[1];
		int64_t a = time_sub(axis->duration_ns[0], axis->anchor_ns[0]);
		int64_t b = time_sub(axis->duration_ns[1], axis->anchor_ns[1]);

		return time_add(before, a > b ? a : b);
	}
	return longest;
}

double
pair_axis_time(const struct pair_axis *axis, int side, double at)
{
	double length = (double)pair_axis_length(axis);

	if (axis->alignment == ALIGN_SCALED) {
		return length > 0 ? at * ((double)axis->duration_ns[side] / length) : 0;
	}
	if (axis->alignment == ALIGN_ANCHOR) {
		int64_t other = axis->anchor_ns[!side], own = axis->anchor_ns[side];
		return at - (other > own ? (double)(other - own) : 0);
	}
	return at;
}

/* Those that a run's sum is of: where none works, those with a density. */
static uint32_t
pair_lanes(const struct timeline *timeline)
{
	return timeline->n_work > 0 ? timeline->n_work : timeline->n_dense;
}

bool
pair_is_dense(const struct timeline_window *window, const struct timeline *timeline, size_t line)
{
	return window->tracks[line].is_dense ||
	       (timeline->rows[window->lines[line].row].type == TIMELINE_SUM &&
	        timeline->n_work == 0 && timeline->n_dense > 0);
}

static double
density_of(const struct tile_cell *cell, double width)
{
	return (double)cell->density_ns < width ? (double)cell->density_ns / width : 1;
}

bool
pair_share(const struct timeline_window *window, const struct timeline *timeline, size_t line,
           double from_ns, double to_ns, double *share, uint32_t *rank)
{
	const struct timeline_track *track = &window->tracks[line];
	const struct timeline_row *row = &timeline->rows[window->lines[line].row];
	double width = (double)window->cell_ns, start = (double)window->start_ns;
	double first = (from_ns - start) / width, last = (to_ns - start) / width;
	double lanes = row->type == TIMELINE_SUM ? pair_lanes(timeline)
	               : row->n_members > 0      ? row->n_members
	                                         : 1;
	double busy = 0, most = 0;

	*share = 0;
	if (rank) {
		*rank = COLOUR_NONE;
	}
	if (to_ns <= 0 || from_ns >= (double)timeline->duration_ns || last <= 0 ||
	    first >= window->n_cells || last <= first) {
		return false;
	}
	first = first < 0 ? 0 : first;
	last = last > window->n_cells ? window->n_cells : last;
	for (uint32_t i = (uint32_t)first; i < last && i < window->n_cells; i++) {
		double from = first > i ? first : i, to = last < i + 1.0 ? last : i + 1.0;

		if (track->values) {
			busy += track->values[i].is_known ? (to - from) * track->values[i].high : 0;
		} else if (track->cells) {
			const struct tile_cell *cell = &track->cells[i];

			busy += (to - from) * (track->is_dense ? density_of(cell, width)
			                                       : (double)cell->busy_ns / width);
			if (rank && cell->n_categories > 0 &&
			    (double)cell->categories[0].ns * (to - from) > most) {
				most = (double)cell->categories[0].ns * (to - from);
				*rank = cell->categories[0].category;
			}
		}
	}
	*share = lanes > 0 ? busy / ((last - first) * lanes) : 0;
	return true;
}
