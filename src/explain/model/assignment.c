/*
 * The assignment problem: lanes of one run to lanes of another, so that as many matched tasks as
 * possible stand on lanes assigned to each other.
 *
 * The Hungarian method (Kuhn 1955) in its shortest-path form: rows are added one at a time, each
 * along the path of least reduced cost to a free column; potentials keep reduced costs
 * non-negative. O(n^3), so beyond a few hundred lanes the heaviest cells are taken greedily
 * instead, which reaches at least half of the best sum.
 */
#include "config.h"
#include "explain/model/assignment.h"

#include <stdlib.h>
#include <string.h>

#include "util/mem.h"
#include "util/order.h"

static int
compare_cells(const void *a, const void *b)
{
	const struct assignment_cell *x = a, *y = b;
	ORDER_BY(y->weight, x->weight);
	ORDER_BY(x->row, y->row);
	return ORDER(x->column, y->column);
}

static int64_t
assign_greedily(struct assignment_cell *cells, size_t n, size_t n_columns, uint32_t *column_of_row)
{
	bool *is_taken = xcalloc(n_columns, sizeof *is_taken);
	int64_t sum = 0;
	SORT(cells, n, compare_cells);
	for (size_t i = 0; i < n; i++) {
		const struct assignment_cell *cell = &cells[i];
		if (column_of_row[cell->row] == ASSIGNMENT_NONE && !is_taken[cell->column]) {
			column_of_row[cell->row] = cell->column;
			is_taken[cell->column] = true;
			sum += cell->weight;
		}
	}
	free(is_taken);
	return sum;
}

/* Rows and columns count from 1; column 0 is where a path begins. */
struct hungarian {
	size_t n;            /* rows and columns, filled up with zeros */
	const int64_t *cost; /* n * n */
	int64_t *row_potential, *column_potential, *least;
	size_t *row_of, *previous; /* by column */
	bool *is_used;
};

/* Widens the tree of alternating paths by the column of least reduced cost; returns that column. */
static size_t
widen(struct hungarian *h, size_t column)
{
	size_t row = h->row_of[column], next = 0;
	int64_t delta = INT64_MAX;
	h->is_used[column] = true;
	for (size_t j = 1; j <= h->n; j++) {
		if (h->is_used[j]) {
			continue;
		}
		int64_t reduced = h->cost[(row - 1) * h->n + j - 1] - h->row_potential[row] -
		                  h->column_potential[j];
		if (reduced < h->least[j]) {
			h->least[j] = reduced;
			h->previous[j] = column;
		}
		if (h->least[j] < delta) {
			delta = h->least[j];
			next = j;
		}
	}
	for (size_t j = 0; j <= h->n; j++) {
		if (h->is_used[j]) {
			h->row_potential[h->row_of[j]] += delta;
			h->column_potential[j] -= delta;
		} else {
			h->least[j] -= delta;
		}
	}
	return next;
}

static void
add_row(struct hungarian *h, size_t row)
{
	size_t column = 0;
	for (size_t j = 0; j <= h->n; j++) {
		h->least[j] = INT64_MAX / 2;
		h->is_used[j] = false;
	}
	h->row_of[0] = row;
	do {
		column = widen(h, column);
	} while (h->row_of[column] != 0);
	while (column != 0) {
		h->row_of[column] = h->row_of[h->previous[column]];
		column = h->previous[column];
	}
}

static void
assign_exactly(const int64_t *cost, size_t n, size_t n_rows, size_t n_columns,
               uint32_t *column_of_row)
{
	struct hungarian h = {.n = n,
	                      .cost = cost,
	                      .row_potential = xcalloc(n + 1, sizeof(int64_t)),
	                      .column_potential = xcalloc(n + 1, sizeof(int64_t)),
	                      .least = xcalloc(n + 1, sizeof(int64_t)),
	                      .row_of = xcalloc(n + 1, sizeof(size_t)),
	                      .previous = xcalloc(n + 1, sizeof(size_t)),
	                      .is_used = xcalloc(n + 1, sizeof(bool))};
	for (size_t row = 1; row <= n; row++) {
		add_row(&h, row);
	}
	for (size_t j = 1; j <= n_columns; j++) {
		if (h.row_of[j] <= n_rows) {
			column_of_row[h.row_of[j] - 1] = (uint32_t)(j - 1);
		}
	}
	free(h.row_potential);
	free(h.column_potential);
	free(h.least);
	free(h.row_of);
	free(h.previous);
	free(h.is_used);
}

int64_t
assignment_best(struct assignment_cell *cells, size_t n, size_t n_rows, size_t n_columns,
                uint32_t *column_of_row, bool *is_exact)
{
	for (size_t row = 0; row < n_rows; row++) {
		column_of_row[row] = ASSIGNMENT_NONE;
	}
	*is_exact = n_rows <= ASSIGNMENT_EXACT_MAX && n_columns <= ASSIGNMENT_EXACT_MAX;
	if (!*is_exact) {
		return assign_greedily(cells, n, n_columns, column_of_row);
	}
	size_t size = MOST(n_rows, n_columns);
	int64_t *cost = xcalloc(size * size, sizeof *cost), sum = 0;
	for (size_t i = 0; i < n; i++) {
		cost[cells[i].row * size + cells[i].column] = -cells[i].weight;
	}
	assign_exactly(cost, size, n_rows, n_columns, column_of_row);
	for (size_t row = 0; row < n_rows; row++) {
		if (column_of_row[row] != ASSIGNMENT_NONE) {
			sum -= cost[row * size + column_of_row[row]];
		}
	}
	free(cost);
	return sum;
}
