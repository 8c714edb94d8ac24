/*
 * span_interference(a, b, within, shifts, p1 ...): how much longer spans that match filter a take
 * while spans that match b run beside them, on other lanes of the same host, process or run. A row
 * for the run (level 0), and each host (1), name (2) and lane (3) where there are several.
 */
#include "config.h"
#include "column/ops/interference.h"
#include "store/vtab.h"

#include "util/mem.h"
#include "util/order.h"

#define SHIFTS_MAX 100000

static int
read_within(const struct arguments *arguments, struct interference_request *request,
            struct err *err)
{
	static const char *const names[] = {"host", "process", "run"};
	const char *text;
	if (arguments_text(arguments, 2, &text, err)) {
		return -1;
	}
	for (unsigned i = 0; i < COUNT_OF(names); i++) {
		if (!text || strcmp(text, names[i]) == 0) {
			request->within = i;
			return 0;
		}
	}
	return err_set(err, ERR_QUERY, "within is host, process or run: not \"%s\"", text);
}

static int
run(struct vtab *vtab, struct listed_cursor *cursor, struct err *err)
{
	struct interference_request request = {.cancel = vtab_cancel(vtab), .seed = 1};
	struct interferences found;
	sqlite3_value *shifts = cursor->arguments.values[3];
	int64_t n_shifts = 0;

	if (arguments_text(&cursor->arguments, 0, &request.of, err) ||
	    arguments_text(&cursor->arguments, 1, &request.beside, err) ||
	    read_within(&cursor->arguments, &request, err) ||
	    (shifts && sqlite3_value_type(shifts) != SQLITE_NULL &&
	     arguments_integer(&cursor->arguments, 3, &n_shifts, err)) ||
	    arguments_parameters(&cursor->arguments, request.parameters, err)) {
		return -1;
	}
	request.n_shifts = (unsigned)LEAST(MOST(n_shifts, 0), SHIFTS_MAX);
	if (interference_run(cursor->cursor.dataset, &request, &found, err)) {
		return -1;
	}
	cursor->rows = found.rows;
	cursor->n = (int64_t)found.n;
	return vtab_take_census(vtab, request.of, request.parameters, false, err) ||
	               vtab_take_census(vtab, request.beside, request.parameters, true, err)
	           ? -1
	           : 0;
}

static unsigned
read_row(const void *rows, int64_t at, int64_t values[LISTED_COLUMNS])
{
	const struct interference_row *row = (const struct interference_row *)rows + at;
	const double reals[] = {row->apart_ns, row->together_ns, row->slowed,
	                        row->low,      row->high,        row->chance};
	const int64_t all[] = {row->level, row->lane,     row->host,   row->name,
	                       row->n,     row->n_beside, row->sum_ns, row->beside_ns};
	unsigned missing = row->lane == TEXT_NONE ? 1u << 1 : 0;

	memcpy(values, all, sizeof all);
	for (unsigned i = 0; i < COUNT_OF(reals); i++) {
		memcpy(&values[COUNT_OF(all) + i], &reals[i], sizeof reals[i]);
		missing |= isnan(reals[i]) ? 1u << (COUNT_OF(all) + i) : 0;
	}
	return missing;
}

const struct listed_table vtab_interference_listed = {
    .arguments = {{"a", "b", "within", "shifts", PARAMETER_NAMES},
                  12,
                  2,
                  "(a, b [, within, shifts, p1, ... p8])"},
    .n_columns = 14,
    .columns = {{"level", LISTED_INTEGER},
                {"lane", LISTED_INTEGER},
                {"host", LISTED_TEXT},
                {"name", LISTED_TEXT},
                {"n", LISTED_INTEGER},
                {"n_beside", LISTED_INTEGER},
                {"sum_ns", LISTED_INTEGER},
                {"beside_ns", LISTED_INTEGER},
                {"apart_ns", LISTED_REAL},
                {"together_ns", LISTED_REAL},
                {"slowed", LISTED_REAL},
                {"low", LISTED_REAL},
                {"high", LISTED_REAL},
                {"chance", LISTED_REAL}},
    .run = run,
    .read = read_row};
