/*
 * Walking asks for one row in order of start. Most often the next span is near, so a short stretch
 * is asked for first and longer ones only if it is empty: blocks that begin later are not even
 * looked at.
 */
#include "config.h"

#include "query/spans/span_walk.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/intervals.h"

#define FIRST_STRETCH_NS 1000000
#define STRETCH_GROWTH 64

/* Begins the next of a filter's conditions. */
static void
begin_condition(struct strbuf *filter)
{
	if (filter->len > 0) {
		strbuf_add_text(filter, " AND ");
	}
}

/* Conditions of a walk but for where it stands. */
static void
add_conditions(const struct span_walk *walk, struct strbuf *filter)
{
	if (walk->lane >= 0) {
		begin_condition(filter);
		strbuf_printf(filter, "lane = %" PRId64, walk->lane);
	}
	if (walk->depth >= 0) {
		begin_condition(filter);
		strbuf_printf(filter, "depth = %d", walk->depth);
	}
	if (walk->filter && *walk->filter) {
		begin_condition(filter);
		strbuf_printf(filter, "(%s)", walk->filter);
	}
}

/* The first of the rows that a filter keeps, in an order. */
static int
first_row(const struct dataset *dataset, const struct strbuf *filter, const char *order,
          struct span_row *span, const struct cancel *cancel, struct err *err)
{
	struct page_request page = {.kind = BLOCK_SPAN,
	                            .filter = filter->data,
	                            .order = order,
	                            .limit = 1,
	                            .cancel = cancel};
	struct span_row *rows = NULL;

	int64_t n = page_run(dataset, &page, &rows, NULL, err);

	if (n > 0) {
		*span = rows[0];
	}
	free(rows);
	return n > 0 ? 1 : (int)n;
}

int
span_walk_next(struct store *store, const struct span_walk *walk, struct span_row *span,
               const struct cancel *cancel, struct err *err)
{
	const struct dataset *dataset = store_dataset(store, err);
	int64_t stretch = FIRST_STRETCH_NS;
	int found = 0;

	if (!dataset) {
		return -1;
	}
	while (found == 0) {
		struct strbuf filter = {0};
		bool is_last = stretch > dataset->duration_ns;

		add_conditions(walk, &filter);
		begin_condition(&filter);
		if (walk->is_backward) {
			strbuf_printf(&filter,
			              "start BETWEEN %" PRId64 " AND %" PRId64
			              " AND (start < %" PRId64 " OR id < %" PRId64 ")",
			              is_last ? 0 : time_sub(walk->start_ns, stretch),
			              walk->start_ns, walk->start_ns, walk->id);
		} else {
			strbuf_printf(&filter,
			              "start BETWEEN %" PRId64 " AND %" PRId64
			              " AND (start > %" PRId64 " OR id > %" PRId64 ")",
			              walk->start_ns,
			              is_last ? INT64_MAX : time_add(walk->start_ns, stretch),
			              walk->start_ns, walk->id);
		}
		found = first_row(dataset, &filter, walk->is_backward ? "-start,-id" : "start,id",
		                  span, cancel, err);
		strbuf_free(&filter);
		if (is_last) {
			break;
		}
		stretch =
		    stretch > INT64_MAX / STRETCH_GROWTH ? INT64_MAX : stretch * STRETCH_GROWTH;
	}
	return found;
}

static int
count_rows(const struct dataset *dataset, const struct strbuf *filter, int64_t *n,
           const struct cancel *cancel, struct err *err)
{
	struct sums_request request = {
	    .kind = BLOCK_SPAN, .filter = filter->data, .unread_times = true, .cancel = cancel};

	for (int i = 0; i < MEASURES; i++) {
		request.unread[i] = SUMS_NO_SUM | SUMS_NO_RANGE | SUMS_NO_SQUARES;
	}
	struct sums *sums = sums_run(dataset, &request, err);
	if (!sums) {
		return -1;
	}
	*n = sums_count(sums) > 0 ? sums_group(sums, 0)->rows : 0;
	sums_free(sums);
	return 0;
}

int
span_count_until(struct store *store, const struct span_walk *walk, struct span_number *number,
                 const struct cancel *cancel, struct err *err)
{
	const struct dataset *dataset = store_dataset(store, err);
	struct strbuf filter = {0};
	int rc = -1;

	add_conditions(walk, &filter);
	if (dataset) {
		rc = count_rows(dataset, &filter, &number->n, cancel, err);
	}
	number->nth = 0;
	if (rc == 0 && number->n > 0) {
		begin_condition(&filter);
		strbuf_printf(&filter,
		              "start <= %" PRId64 " AND (start < %" PRId64 " OR id <= %" PRId64 ")",
		              walk->start_ns, walk->start_ns, walk->id);
		rc = count_rows(dataset, &filter, &number->nth, cancel, err);
	}
	strbuf_free(&filter);
	return rc;
}

void
span_number_step(struct span_number *number, bool is_backward)
{
	number->nth += is_backward ? -1 : 1;
	number->nth = number->nth > number->n ? 1 : number->nth < 1 ? number->n : number->nth;
}

int
span_search(struct store *store, const struct span_walk *walk, struct span_row *span,
            struct span_number *number, const struct cancel *cancel, struct err *err)
{
	struct span_walk around = *walk;
	int found = span_walk_next(store, walk, span, cancel, err);

	if (found == 0) {
		around.start_ns = walk->is_backward ? INT64_MAX : 0;
		around.id = walk->is_backward ? INT64_MAX : 0;
		found = span_walk_next(store, &around, span, cancel, err);
	}
	if (found == 1 && number->n > 0) {
		span_number_step(number, walk->is_backward);
	} else if (found == 1) {
		around.start_ns = span->start_ns;
		around.id = span->id;
		return span_count_until(store, &around, number, cancel, err) ? -1 : 1;
	}
	return found;
}

int
span_at(struct store *store, const struct span_walk *at, struct span_row *span,
        const struct cancel *cancel, struct err *err)
{
	const struct dataset *dataset = store_dataset(store, err);
	struct strbuf text = {0};
	struct span_walk walk = {.lane = at->lane, .depth = at->depth, .filter = at->filter};
	int64_t at_ns = at->start_ns;

	if (!dataset) {
		return -1;
	}
	add_conditions(&walk, &text);
	begin_condition(&text);
	strbuf_printf(&text, "start <= %" PRId64 " AND (end > %" PRId64 " OR start = %" PRId64 ")",
	              at_ns, at_ns, at_ns);
	int found = first_row(dataset, &text, "-start,duration,-id", span, cancel, err);
	strbuf_free(&text);
	return found;
}
