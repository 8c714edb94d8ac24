/*
 * Some of the rows that changed tell how far things moved; then each row says for itself whether
 * that would help, and where from: its first cell that changed, since the cells before it are the
 * same either way, or where others begin, since a figure that changed beside a plot did not move.
 */
#include "config.h"

#include "ui/term/canvas_shift.h"

#include <string.h>

#define WORTH 16 /* bytes that must be saved in a row */
/* Of a move, of a jump to a place, of a change of colours. */
enum { MOVE_BYTES = 12, PLACE_BYTES = 5, COLOUR_BYTES = 10 };
#define FARTHEST 128 /* columns */
#define SAMPLE 8     /* rows that say how far */
#define BEGINS 8     /* columns where rows may begin to move */

bool
cell_same(const struct cell *a, const struct cell *b)
{
	return a->length == b->length && a->columns == b->columns && a->style == b->style &&
	       memcmp(a->text, b->text, a->length) == 0;
}

static bool
is_blank(const struct cell *cell)
{
	return cell->length == 1 && cell->text[0] == ' ' && cell->style == STYLE_NORMAL;
}

/* About how many bytes a row costs, whose first change is at x, after moving by `columns` from
 * `begin` on: what still differs, its colours, and getting there. */
static int
cost(const struct canvas *before, const struct canvas *after, int y, int x, int begin, int columns)
{
	const struct cell *old = canvas_cell(before, 0, y);
	const struct cell *new = canvas_cell(after, 0, y);
	int bytes = columns ? MOVE_BYTES : 0, last = -2;

	for (int i = x; i < after->width; i++) {
		int from = i < begin ? i : i + columns;
		bool is_kept = i < begin || (columns >= 0 ? from < before->width : from >= begin);

		if (is_kept ? cell_same(&new[i], &old[from]) : is_blank(&new[i])) {
			continue;
		}
		bytes += new[i].length + (last + 1 != i ? PLACE_BYTES : 0) +
		         (last < 0 || new[i].style != new[last].style ? COLOUR_BYTES : 0);
		last = i;
	}
	return bytes;
}

/* First cell that differs; -1 if none does, or where wide characters would be cut. */
static int
first_difference(const struct canvas *before, const struct canvas *after, int y)
{
	const struct cell *old = canvas_cell(before, 0, y);
	const struct cell *new = canvas_cell(after, 0, y);
	int x = -1;

	for (int i = 0; i < after->width; i++) {
		if (old[i].columns != 1 || new[i].columns != 1) {
			return -1;
		}
		if (x < 0 && !cell_same(&old[i], &new[i])) {
			x = i;
		}
	}
	return x;
}

/*
 * What moves is at least as much as what comes in. Less is rarely worth it, and tmux (3.3a:
 * grid_move_cells) does not clear all of the cells that it makes room in when they are more than
 * those that it moves.
 */
static bool
may_move(const struct canvas *canvas, int x, int columns)
{
	return canvas->width - x >= 2 * (columns > 0 ? columns : -columns);
}

/* Bytes that moving saves, over some rows spread evenly over those that changed. */
static int
savings(const struct canvas *before, const struct canvas *after, const struct canvas_shift *shift,
        int n_changed, int columns)
{
	int saved = 0, seen = 0, step = n_changed / SAMPLE + 1;

	for (int y = 0; y < after->height; y++) {
		int x = shift->xs[y], gain;

		if (x < 0 || seen++ % step != 0 || !may_move(after, x, columns)) {
			continue;
		}
		gain =
		    cost(before, after, y, x, x, 0) - cost(before, after, y, x, x, columns) - WORTH;
		saved += gain > 0 ? gain : 0;
	}
	return saved;
}

/* Columns where rows begin to differ, at most BEGINS of them; returns how many. */
static int
find_begins(const struct canvas_shift *shift, int height, int begins[BEGINS])
{
	int n = 0;

	for (int y = 0; y < height && n < BEGINS; y++) {
		int k = 0;

		while (k < n && begins[k] != shift->xs[y]) {
			k++;
		}
		if (k == n && shift->xs[y] >= 0) {
			begins[n++] = shift->xs[y];
		}
	}
	return n;
}

/* Where each row moves from, of its own first change and the others'; -1 where none helps. */
static void
choose_begins(const struct canvas *before, const struct canvas *after, struct canvas_shift *shift)
{
	int begins[BEGINS], n = find_begins(shift, after->height, begins);

	for (int y = 0; y < after->height; y++) {
		int x = shift->xs[y], least, best = -1;

		if (x < 0) {
			continue;
		}
		least = cost(before, after, y, x, x, 0) - WORTH + 1;
		for (int k = -1; k < n; k++) {
			int begin = k < 0 ? x : begins[k], bytes;

			if (begin < x || !may_move(after, begin, shift->columns)) {
				continue;
			}
			bytes = cost(before, after, y, x, begin, shift->columns);
			if (bytes < least) {
				least = bytes;
				best = begin;
			}
		}
		shift->xs[y] = best;
	}
}

void
canvas_find_shift(const struct canvas *before, const struct canvas *after,
                  struct canvas_shift *shift)
{
	int n_changed = 0, best = 0, farthest = after->width / 2;

	shift->columns = 0;
	for (int y = 0; y < after->height; y++) {
		shift->xs[y] = first_difference(before, after, y);
		if (shift->xs[y] >= 0 &&
		    cost(before, after, y, shift->xs[y], shift->xs[y], 0) <= WORTH) {
			shift->xs[y] = -1;
		}
		n_changed += shift->xs[y] >= 0;
	}
	farthest = farthest > FARTHEST ? FARTHEST : farthest;
	for (int k = -farthest; k <= farthest && n_changed > 0; k++) {
		int saved = k ? savings(before, after, shift, n_changed, k) : 0;

		if (saved > best) {
			best = saved;
			shift->columns = k;
		}
	}
	if (shift->columns) {
		choose_begins(before, after, shift);
	}
}
