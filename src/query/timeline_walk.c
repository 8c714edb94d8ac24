/*
 * Walking asks for one row in order of start. Most often the next span is near, so a short stretch is asked for first and longer ones
 * only if it is empty: blocks that begin later are not even looked at.
 */
#include "config.h"

#include "query/timeline_span.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/intervals.h"

#define FIRST_STRETCH_NS 1000000
#define STRETCH_GROWTH 64

/* Conditions of a walk but for where it stands. */
static void
add_conditions(const struct span_walk *walk, struct strbuf *filter, struct strbuf *pattern,
               struct page_request *page)
{
	strbuf_add_text(filter, "start >= 0");
	if (walk->lane >= 0) {
		strbuf_printf(filter, " AND lane = %" PRId64, walk->lane);
	}
	if (walk->depth >= 0) {
		strbuf_printf(filter, " AND depth = %d", walk->depth);
	}
	if (walk->filter && *walk->filter) {
		strbuf_printf(filter, " AND (%s)", walk->filter);
	}
	if (walk->name && strpbrk(walk->name, "^$*[|\\")) {
		strbuf_add_text(filter, " AND name REGEXP ?1");
		strbuf_add_text(pattern, walk->name);
	} else if (walk->name) {
		strbuf_add_text(filter, " AND name LIKE ?1 ESCAPE '\\'");
		strbuf_add_char(pattern, '%');
		for (const char *c = walk->name; *c; c++) {
			if (*c == '%' || *c == '_') {
				strbuf_add_char(pattern, '\\');
			}
			strbuf_add_char(pattern, *c);
		}
		strbuf_add_char(pattern, '%');
	}
	page->kind = BLOCK_SPAN;
	page->filter = filter->data;
	page->parameters[0] = (struct scan_value){.type = SCAN_TEXT, .text = strbuf_slice(pattern)};
}

static int
first_row(const struct dataset *dataset, struct page_request *page, struct span_row *span,
          int64_t *matching, struct err *err)
{
	struct span_row *rows = NULL;
	int64_t n = page_run(dataset, page, &rows, matching, err);

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
		struct strbuf filter = {0}, pattern = {0};
		struct page_request page = {.limit = 1, .cancel = cancel};
		bool is_last = stretch > dataset->duration_ns;

		add_conditions(walk, &filter, &pattern, &page);
		if (walk->is_backward) {
			strbuf_printf(&filter,
			              " AND start BETWEEN %" PRId64 " AND %" PRId64
			              " AND (start < %" PRId64 " OR id < %" PRId64 ")",
			              is_last ? 0 : time_sub(walk->start_ns, stretch),
			              walk->start_ns, walk->start_ns, walk->id);
			page.order = "-start,-id";
		} else {
			strbuf_printf(&filter,
			              " AND start BETWEEN %" PRId64 " AND %" PRId64
			              " AND (start > %" PRId64 " OR id > %" PRId64 ")",
			              walk->start_ns,
			              is_last ? INT64_MAX : time_add(walk->start_ns, stretch),
			              walk->start_ns, walk->id);
			page.order = "start,id";
		}
		page.filter = filter.data;
		found = first_row(dataset, &page, span, NULL, err);
		strbuf_free(&filter);
		strbuf_free(&pattern);
		if (is_last) {
			break;
		}
		stretch =
		    stretch > INT64_MAX / STRETCH_GROWTH ? INT64_MAX : stretch * STRETCH_GROWTH;
	}
	return found;
}

/* How many match up to a span, and in all. */
static int
count_matches(const struct dataset *dataset, const struct span_walk *walk,
              const struct span_row *span, int64_t *nth, int64_t *n, const struct cancel *cancel,
              struct err *err)
{
	struct strbuf filter = {0}, pattern = {0};
	struct page_request page = {.limit = 1, .cancel = cancel};
	struct span_row ignored;
	int rc;

	add_conditions(walk, &filter, &pattern, &page);
	rc = first_row(dataset, &page, &ignored, n, err);
	if (rc >= 0) {
		strbuf_printf(&filter,
		              " AND start <= %" PRId64 " AND (start < %" PRId64 " OR id <= %" PRId64
		              ")",
		              span->start_ns, span->start_ns, span->id);
		page.filter = filter.data;
		rc = first_row(dataset, &page, &ignored, nth, err);
	}
	strbuf_free(&filter);
	strbuf_free(&pattern);
	return rc < 0 ? -1 : 0;
}

int
span_search(struct store *store, const struct span_walk *walk, struct span_row *span, int64_t *nth,
            int64_t *n, const struct cancel *cancel, struct err *err)
{
	const struct dataset *dataset = store_dataset(store, err);
	struct span_walk around = *walk;
	int found = span_walk_next(store, walk, span, cancel, err);

	if (found == 0) {
		around.start_ns = walk->is_backward ? INT64_MAX : 0;
		around.id = walk->is_backward ? INT64_MAX : 0;
		found = span_walk_next(store, &around, span, cancel, err);
	}
	if (found == 1 && count_matches(dataset, walk, span, nth, n, cancel, err) != 0) {
		return -1;
	}
	return found;
}

int
span_at(struct store *store, uint32_t lane, int depth, int64_t at_ns, const char *filter,
        struct span_row *span, const struct cancel *cancel, struct err *err)
{
	const struct dataset *dataset = store_dataset(store, err);
	struct strbuf text = {0}, pattern = {0};
	struct page_request page = {.limit = 1, .cancel = cancel, .order = "-start,duration,-id"};
	struct span_walk walk = {.lane = lane, .depth = depth, .filter = filter};
	int found;

	if (!dataset) {
		return -1;
	}
	add_conditions(&walk, &text, &pattern, &page);
	strbuf_printf(&text,
	              " AND start <= %" PRId64 " AND (end > %" PRId64 " OR start = %" PRId64 ")",
	              at_ns, at_ns, at_ns);
	page.filter = text.data;
	found = first_row(dataset, &page, span, NULL, err);
	strbuf_free(&text);
	strbuf_free(&pattern);
	return found;
}

int32_t *
timeline_depths(struct store *store, const struct timeline *timeline, int64_t lane,
                const struct cancel *cancel, struct err *err)
{
	const struct dataset *dataset = store_dataset(store, err);
	struct sums_request request = {
	    .kind = BLOCK_SPAN, .by = "lane,depth", .unread_times = true, .cancel = cancel};
	struct sums *sums;
	int32_t *depths;
	char filter[64];

	if (!dataset) {
		return NULL;
	}
	if (lane >= 0) {
		snprintf(filter, sizeof(filter), "lane = %" PRId64, lane);
		request.filter = filter;
	}
	for (int i = 0; i < MEASURES; i++) {
		request.unread[i] = SUMS_NO_SUM | SUMS_NO_RANGE | SUMS_NO_SQUARES;
	}
	sums = sums_run(dataset, &request, err);
	if (!sums) {
		return NULL;
	}
	depths = xmalloc(((size_t)timeline->n_lanes + 1) * sizeof(*depths));
	memset(depths, 0xff, (size_t)timeline->n_lanes * sizeof(*depths));
	for (size_t i = 0; i < sums_count(sums); i++) {
		struct scan_value id = sums_key(sums, i, DIMENSION_LANE);
		struct scan_value depth = sums_key(sums, i, DIMENSION_DEPTH);

		if (id.type == SCAN_INTEGER && id.integer >= 0 && id.integer < timeline->n_lanes &&
		    depth.type == SCAN_INTEGER && depth.integer > depths[id.integer] &&
		    depth.integer < INT32_MAX) {
			depths[id.integer] = (int32_t)depth.integer;
		}
	}
	sums_free(sums);
	return depths;
}
