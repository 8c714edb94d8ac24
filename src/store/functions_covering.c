/*
 * first_covering(id, start, finish): which interval covers an instant first. A row with a finish is
 * the interval [start, finish], both ends in it; a row whose finish is NULL is an instant. Gives a
 * JSON object: for each instant's id the lowest id among the intervals that cover it; an instant
 * that none covers is left out. Rows without a start, and intervals that end before they start,
 * cover nothing. NULL for no rows.
 *
 * SQLite would compare every instant with every interval. Here both are sorted by time and gone
 * through once: a heap by id holds the intervals that have started. One whose finish has passed is
 * dropped when it comes to the top, as no later instant can lie in it.
 */
#include "config.h"
#include "store/functions.h"

#include <stdlib.h>

#include "util/heap.h"
#include "util/order.h"

struct covering_row {
	double start, finish;
	sqlite3_int64 id;
};

struct covering_rows {
	struct covering_row *rows;
	sqlite3_uint64 n, capacity;
	bool is_unsorted;
};

struct covering_state {
	struct covering_rows intervals, instants;
	bool has_rows;
};

static bool
add_row(sqlite3_context *context, void *user, sqlite3_value **argv)
{
	struct covering_state *state = user;
	struct number start, finish = {.real = 0};

	state->has_rows = true;
	if (sqlite3_value_type(argv[0]) != SQLITE_INTEGER) {
		return function_fail(context, "ids are integers");
	}
	int has_start = function_number(context, argv[1], &start);
	int has_finish = has_start < 0 ? -1 : function_number(context, argv[2], &finish);
	if (has_start <= 0 || has_finish < 0) {
		return has_start == 0;
	}
	struct covering_rows *list = has_finish ? &state->intervals : &state->instants;
	if (!function_grow(context, &list->rows, &list->capacity, list->n, sizeof *list->rows)) {
		return false;
	}
	list->is_unsorted |= list->n > 0 && start.real < list->rows[list->n - 1].start;
	list->rows[list->n++] =
	    (struct covering_row){start.real, finish.real, sqlite3_value_int64(argv[0])};
	return true;
}

static int
compare_rows(const void *left, const void *right)
{
	const struct covering_row *a = left, *b = right;

	ORDER_BY(a->start, b->start);
	return ORDER(a->id, b->id);
}

static void
sort_rows(struct covering_rows *list)
{
	if (list->is_unsorted) {
		SORT(list->rows, list->n, compare_rows);
	}
}

static inline bool
has_lower_id(const struct covering_row *a, const struct covering_row *b)
{
	return a->id < b->id;
}
HEAP(by_id, struct covering_row, has_lower_id)

/* The heap stands in place of the intervals already taken: it never holds more. */
static void
cover(const struct covering_state *state, sqlite3_str *text)
{
	struct covering_row *heap = state->intervals.rows;
	sqlite3_uint64 taken = 0, n = 0;
	const char *before = "{";

	for (sqlite3_uint64 i = 0; i < state->instants.n; i++) {
		const struct covering_row *instant = &state->instants.rows[i];
		while (taken < state->intervals.n &&
		       state->intervals.rows[taken].start <= instant->start) {
			heap[n] = state->intervals.rows[taken++];
			by_id_rise(heap, n++);
		}
		while (n > 0 && heap[0].finish < instant->start) {
			by_id_pop(heap, n--);
		}
		if (n > 0) {
			sqlite3_str_appendf(text, "%s\"%lld\":%lld", before, instant->id,
			                    heap[0].id);
			before = ",";
		}
	}
	sqlite3_str_appendall(text, before[0] == '{' ? "{}" : "}");
}

static void
finish_covering(sqlite3_context *context, void *user, bool has_failed)
{
	struct covering_state *state = user;

	if (state->has_rows && !has_failed) {
		sqlite3_str *text = sqlite3_str_new(sqlite3_context_db_handle(context));
		sort_rows(&state->intervals);
		sort_rows(&state->instants);
		cover(state, text);
		function_result(context, text);
	}
	sqlite3_free(state->intervals.rows);
	sqlite3_free(state->instants.rows);
}

const struct sql_function functions_covering[] = {
    {"first_covering", 3, .state_bytes = sizeof(struct covering_state), .add = add_row,
     .finish = finish_covering},
    {0},
};
