/* The order of the list of runs: as they were found, or by what one of its columns says. Imports
 * that are no runs yet, and files that can't be read, come last. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "ui/lists/view_runs.h"
#include "util/mem.h"
#include "util/order.h"

const char *const runs_order_names[RUNS_ORDERS] = {"",         "name",  "format",  "start",
                                                   "duration", "lanes", "records", "problems"};

static int
compare_by(const struct run_info *a, const struct run_info *b, enum runs_order order)
{
	switch (order) {
	case RUNS_BY_NAME:
		return strcmp(a->name, b->name);
	case RUNS_BY_FORMAT:
		return strcmp(a->format, b->format);
	case RUNS_BY_START: /* those without a date last */
		ORDER_BY(b->has_date, a->has_date);
		ORDER_BY(a->date_ns, b->date_ns);
		return 0;
	case RUNS_BY_DURATION:
		ORDER_BY(b->duration_ns, a->duration_ns);
		return 0;
	case RUNS_BY_LANES:
		ORDER_BY(b->n_lanes, a->n_lanes);
		return 0;
	case RUNS_BY_RECORDS:
		ORDER_BY(b->n_records, a->n_records);
		return 0;
	case RUNS_BY_PROBLEMS:
		ORDER_BY(b->n_problems, a->n_problems);
		return 0;
	default:
		return 0;
	}
}

struct placed_row {
	struct runs_row row;
	enum runs_order order;
	size_t place; /* as it was found */
};

static int
compare(const void *a, const void *b)
{
	const struct placed_row *left = a, *right = b;
	bool left_is_run = left->row.run && !left->row.run->error;
	bool right_is_run = right->row.run && !right->row.run->error;
	int order = 0;

	ORDER_BY(right_is_run, left_is_run);
	if (left_is_run) {
		order = compare_by(&left->row.run->info, &right->row.run->info, left->order);
	}
	if (order == 0) {
		ORDER_BY(left->place, right->place);
	}
	return order;
}

void
runs_put_in_order(struct runs *runs)
{
	size_t n = runs->list.n;
	struct placed_row *rows;

	if (runs->order == RUNS_AS_FOUND || n < 2) {
		return;
	}
	rows = xcalloc(n, sizeof *rows);
	for (size_t i = 0; i < n; i++) {
		rows[i] = (struct placed_row){runs->rows[i], runs->order, i};
	}
	qsort(rows, n, sizeof *rows, compare);
	for (size_t i = 0; i < n; i++) {
		runs->rows[i] = rows[i].row;
	}
	free(rows);
}
