/*
 * span_overlap(window, a, b, p1 ...): how much of the time of spans that match filter a is covered
 * by those that match b, in windows by the spans' start. The window is in ns, or a text such as
 * '10ms'; NULL or 0: one over everything.
 */
#include "config.h"
#include "store/vtab.h"

static int
run(struct vtab *vtab, struct listed_cursor *cursor, struct err *err)
{
	struct overlap_request request = {.cancel = vtab_cancel(vtab)};
	struct overlap_window *windows;

	if (arguments_duration(&cursor->arguments, 0, &request.window_ns, err) ||
	    arguments_text(&cursor->arguments, 1, &request.a, err) ||
	    arguments_text(&cursor->arguments, 2, &request.b, err) ||
	    arguments_parameters(&cursor->arguments, request.parameters, err) ||
	    (cursor->n = overlap_run(cursor->cursor.dataset, &request, &windows, err)) < 0) {
		return -1;
	}
	cursor->rows = windows;
	return vtab_take_census(vtab, request.a, request.parameters, false, err) ||
	               vtab_take_census(vtab, request.b, request.parameters, false, err)
	           ? -1
	           : 0;
}

static unsigned
read_window(const void *rows, int64_t row, int64_t values[LISTED_COLUMNS])
{
	const struct overlap_window *window = (const struct overlap_window *)rows + row;
	const int64_t all[] = {window->start_ns, window->a_ns, window->b_ns,
	                       window->both_ns,  window->n_a,  window->n_b};

	memcpy(values, all, sizeof all);
	return 0;
}

const struct listed_table vtab_overlap_listed = {
    .arguments = {{"window", "a", "b", PARAMETER_NAMES}, 11, 3, "(window, a, b [, p1, ... p8])"},
    .n_columns = 6,
    .columns = {{"start", LISTED_INTEGER},
                {"a_ns", LISTED_INTEGER},
                {"b_ns", LISTED_INTEGER},
                {"both_ns", LISTED_INTEGER},
                {"n_a", LISTED_INTEGER},
                {"n_b", LISTED_INTEGER}},
    .run = run,
    .read = read_window};
