/*
 * span_pairs(key, spans, partners, p1 ...): the spans that match the filter spans, each with those
 * that match the filter partners and have the same value of key, one dimension of span_sums
 * (arg.KEY, name ...). Ordered by lane and start; before is when what ran earlier on the lane was
 * done.
 */
#include "config.h"
#include "store/vtab.h"

#include "column/ops/pairs.h"
#include "util/intervals.h"

enum { COLUMN_BEFORE = 6, COLUMN_PARTNER_START = 8, COLUMN_PARTNER_FINISH = 9 };

int64_t
vtab_pairs_find(struct vtab *vtab, const struct listed_cursor *cursor, int first,
                struct pair **pairs, struct err *err)
{
	struct pairs_request request = {.cancel = vtab_cancel(vtab)};

	if (arguments_text(&cursor->arguments, first, &request.key, err) ||
	    arguments_text(&cursor->arguments, first + 1, &request.spans, err) ||
	    arguments_text(&cursor->arguments, first + 2, &request.partners, err) ||
	    arguments_parameters(&cursor->arguments, request.parameters, err)) {
		return -1;
	}
	int64_t n = pairs_run(cursor->cursor.dataset, &request, pairs, err);
	if (n < 0) {
		return -1;
	}
	return vtab_take_census(vtab, request.spans, request.parameters, false, err) ||
	               vtab_take_census(vtab, request.partners, request.parameters, true, err)
	           ? -1
	           : n;
}

static int
run(struct vtab *vtab, struct listed_cursor *cursor, struct err *err)
{
	struct pair *pairs = NULL;

	cursor->n = vtab_pairs_find(vtab, cursor, 0, &pairs, err);
	cursor->rows = pairs;
	return cursor->n < 0 ? -1 : 0;
}

static unsigned
read_pair(const void *rows, int64_t row, int64_t values[LISTED_COLUMNS])
{
	const struct pair *pair = (const struct pair *)rows + row;
	const int64_t all[] = {pair->id,
	                       pair->lane,
	                       pair->name,
	                       pair->start_ns,
	                       time_add(pair->start_ns, pair->duration_ns),
	                       pair->duration_ns,
	                       [COLUMN_BEFORE] = pair->before_ns,
	                       pair->n_partners,
	                       [COLUMN_PARTNER_START] = pair->partner_start_ns,
	                       [COLUMN_PARTNER_FINISH] = pair->partner_end_ns,
	                       pair->inside_ns};

	memcpy(values, all, sizeof all);
	return (unsigned)(pair->before_ns == INT64_MIN) << COLUMN_BEFORE |
	       (pair->n_partners == 0 ? 1u << COLUMN_PARTNER_START | 1u << COLUMN_PARTNER_FINISH
	                              : 0);
}

const struct listed_table vtab_pairs_listed = {
    .arguments = {{"key", "spans", "partners", PARAMETER_NAMES},
                  11,
                  3,
                  "(key, spans, partners [, p1, ... p8])"},
    .n_columns = 11,
    .columns = {{"id", LISTED_INTEGER},
                {"lane", LISTED_INTEGER},
                {"name", LISTED_TEXT},
                {"start", LISTED_INTEGER},
                {"finish", LISTED_INTEGER},
                {"duration", LISTED_INTEGER},
                {"before", LISTED_INTEGER},
                {"n", LISTED_INTEGER},
                {"partner_start", LISTED_INTEGER},
                {"partner_finish", LISTED_INTEGER},
                {"inside", LISTED_INTEGER}},
    .run = run,
    .read = read_pair};
