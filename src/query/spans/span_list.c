/*
 * Rows of a list are found from the nearest place that is known: the list's start, its end (in
 * reverse order), or a row that was read before ("all that stand behind it": a condition on key and
 * id). So scrolling never skips rows one by one. A page far from all of these begins with a search
 * for its first row's key (spans_locate.c).
 *
 * Spans without a value (no size, no name) stand last and in the order of ids, a list of their own
 * (struct region).
 */
#include "config.h"

#include "query/spans/span_list_private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "column/scan/row_read.h"
#include "query/spans/span_arguments.h"
#include "util/mem.h"
#include "util/order.h"

#define FAR_ROWS 200000        /* further from a known row, the key is searched for */
#define FAR_ROWS_BY_ID 4000000 /* these are only counted */
#define ARGUMENTS_BYTES 400    /* of a row; no screen shows more */

int
span_list_figures(const struct span_list *list, struct span_figures *figures, struct err *err)
{
	struct sums_request request = {.kind = BLOCK_SPAN,
	                               .filter = list->filter,
	                               .cancel = list->cancel,
	                               .unread_times = true};
	const struct region valued = {.is_valued = true};
	struct strbuf filter = {0};
	struct reading reading = reading_of(list);

	for (int i = 0; i < MEASURES; i++) {
		request.unread[i] = SUMS_NO_RANGE | SUMS_NO_SQUARES;
	}
	struct sums *sums = sums_run(reading.dataset, &request, err);
	if (!sums) {
		return -1;
	}
	const struct group_sums *all = sums_group(sums, 0);
	*figures = (struct span_figures){.n_calls = all->n,
	                                 .n = all->rows,
	                                 .n_valued = all->rows,
	                                 .inside_ns = all->measure[MEASURE_DURATION].sum,
	                                 .has_range = list->dataset->scope.has_range,
	                                 .self_ns = all->measure[MEASURE_SELF].sum,
	                                 .size_bytes = all->measure[MEASURE_SIZE].sum,
	                                 .n_sized = all->measure[MEASURE_SIZE].n};
	figures->sums_leave = __builtin_add_overflow(
	    figures->inside_ns, all->measure[MEASURE_DURATION].outside, &figures->duration_ns);
	for (int m = 0; m < MEASURES; m++) {
		figures->sums_leave |= all->measure[m].sum_leaves;
	}
	sums_free(sums);
	if (key_may_miss(list->key)) {
		region_filter(&reading, &valued, &filter);
		figures->n_valued = reading_count(&reading, &filter, slice_of(""), err);
		strbuf_free(&filter);
	}
	return figures->n_valued < 0 ? -1 : 0;
}

/* ---- pages ---- */

/* Where rows are read from: behind or before a row, or from an end. */
struct way {
	const struct span_row *row; /* NULL: from the region's start or end */
	bool is_backward;
	int64_t skip; /* rows between */
};

static struct way
nearest_way(const struct reading *reading, const struct region *region,
            const struct span_known *known, int64_t first, int64_t n)
{
	struct way best = {NULL, false, first};
	int64_t from_end = region->n - first - n;

	if (from_end < best.skip) {
		best = (struct way){NULL, true, from_end};
	}
	for (size_t i = 0; i < known->n; i++) {
		const struct span_row *row = &known->rows[i];
		int64_t place = known->places[i] - region->first;

		if (region->is_valued && reading->list->key == SPAN_KEY_OTHER) {
			continue; /* a row does not tell its value of that */
		}

		if (span_row_has_key(row, reading->list->key) != region->is_valued) {
			continue;
		}
		if (place < first && first - place - 1 < best.skip) {
			best = (struct way){row, false, first - place - 1};
		} else if (place >= first + n && place - first - n < best.skip) {
			best = (struct way){row, true, place - first - n};
		}
	}
	return best;
}

/* Rows first ... of the region into out, which has room for n of them; returns how many. */
static int64_t
read_way(const struct reading *reading, const struct region *region, const struct way *way,
         int64_t n, struct span_row *out, struct err *err)
{
	struct strbuf filter = {0};
	struct span_row *rows = NULL;
	struct strbuf order = {0};

	region_filter(reading, region, &filter);
	if (way->row) {
		region_beside(&filter, reading, region, way->row, !way->is_backward);
	}
	region_order(reading, region, way->is_backward, &order);
	int64_t found = reading_scan(
	    reading,
	    (struct page_request){
		.filter = filter.data, .order = order.data, .offset = way->skip, .limit = n},
	    way->row ? reading_row_text(reading, way->row) : slice_of(""), &rows, NULL, err);
	for (int64_t i = 0; i < found; i++) {
		out[way->is_backward ? found - 1 - i : i] = rows[i];
	}
	free(rows);
	strbuf_free(&order);
	strbuf_free(&filter);
	return found;
}

static int64_t
read_region(const struct reading *reading, const struct region *region,
            const struct span_known *known, int64_t first, int64_t n, struct span_row *out,
            struct err *err)
{
	struct way way = nearest_way(reading, region, known, first, n);
	int64_t far = reading_goes_by_id(reading, region) ? FAR_ROWS_BY_ID : FAR_ROWS;

	if (reading->list->far_rows > 0) {
		far = reading->list->far_rows;
	}
	if (way.skip <= far || !region->is_valued || reading->list->key == SPAN_KEY_OTHER) {
		return read_way(reading, region, &way, n, out, err);
	}
	if (region_locate(reading, region, first, &out[0], err)) {
		return -1;
	}
	way = (struct way){&out[0], false, 0};
	int64_t rest = n > 1 ? read_way(reading, region, &way, n - 1, out + 1, err) : 0;
	return rest < 0 ? -1 : rest + 1;
}

/* "fd 3  offset 4096" out of JSON. */
static struct slice
plain_arguments(struct arena *arena, struct slice json)
{
	struct strbuf line = {0}, key = {0}, value = {0};

	while (line.len < ARGUMENTS_BYTES && span_arguments_next(&json, &key, &value)) {
		strbuf_printf(&line, "%s%s ", line.len > 0 ? "  " : "", key.data);
		strbuf_add(&line, value.data, LEAST(value.len, ARGUMENTS_BYTES));
	}
	struct slice plain = arena_slice(arena, strbuf_slice(&line));
	strbuf_free(&line);
	strbuf_free(&key);
	strbuf_free(&value);
	return plain;
}

struct numbered {
	int64_t id, i;
};

static int
compare_ids(const void *a, const void *b)
{
	const struct numbered *x = a, *y = b;

	return ORDER(x->id, y->id);
}

/* In the order of ids, so that each block is opened once. */
static int
fill_arguments(struct span_page *page, const struct reading *reading, struct err *err)
{
	struct numbered *order = xcalloc((size_t)page->n + 1, sizeof *order);
	struct row_args *args = row_args_new(reading->dataset, BLOCK_SPAN);
	struct strbuf json = {0};
	int rc = 0;

	for (int64_t i = 0; i < page->n; i++) {
		order[i] = (struct numbered){page->rows[i].id, i};
	}
	SORT(order, (size_t)page->n, compare_ids);
	for (int64_t i = 0; rc == 0 && i < page->n; i++) {
		size_t block = row_block(reading->dataset, BLOCK_SPAN, order[i].id);

		rc = cancel_check(reading->list->cancel, err);
		if (rc == 0 && block != SIZE_MAX) {
			int64_t first = reading->dataset->blocks[BLOCK_SPAN][block].first_id;

			strbuf_clear(&json);
			rc =
			    row_args_json(args, block, (uint32_t)(order[i].id - first), &json, err);
			page->texts[order[i].i].arguments =
			    plain_arguments(page->arena, strbuf_slice(&json));
		}
	}
	strbuf_free(&json);
	row_args_free(args);
	free(order);
	return rc;
}

static int
fill_texts(struct span_page *page, const struct reading *reading, struct err *err)
{
	const struct dataset *dataset = reading->dataset;

	page->texts = arena_zalloc(page->arena, ((size_t)page->n + 1) * sizeof *page->texts);
	for (int64_t i = 0; i < page->n; i++) {
		const struct span_row *row = &page->rows[i];
		struct span_texts *texts = &page->texts[i];

		texts->name = arena_slice(page->arena, dataset_text(dataset, row->name));
		texts->category = arena_slice(page->arena, dataset_text(dataset, row->category));
		texts->path = arena_slice(page->arena, dataset_text(dataset, row->path));
		if (row->lane < dataset->n_lanes) {
			const struct lane *lane = &dataset->lanes[row->lane];

			texts->lane = arena_slice(page->arena, dataset_text(dataset, lane->name));
			texts->host = arena_slice(page->arena, dataset_text(dataset, lane->host));
		}
	}
	return fill_arguments(page, reading, err);
}

struct span_page *
span_page_read(const struct span_list *list, const struct span_figures *figures,
               const struct span_known *known, int64_t first, int64_t n, struct err *err)
{
	struct region regions[2];
	struct reading reading = reading_of(list);
	struct span_page *page;

	first = first < 0 ? 0 : LEAST(figures->n, first);
	n = n < 0 ? 0 : LEAST(figures->n - first, n);
	reading_regions(&reading, figures, regions);
	MEM_NEW(page, 1);
	page->arena = arena_new();
	page->first = first;
	page->rows = arena_zalloc(page->arena, ((size_t)n + 1) * sizeof *page->rows);
	for (int i = 0; i < 2; i++) {
		const struct region *region = &regions[i];
		int64_t from = first + page->n - region->first;
		int64_t want = n - page->n, found;

		want = LEAST(region->n - from, want);
		if (from < 0 || want <= 0) {
			continue;
		}
		found = read_region(&reading, region, known, from, want, page->rows + page->n, err);
		if (found < 0) {
			goto fail;
		}
		page->n += found;
	}
	if (page->n < n) { /* whoever asks for what is missing would ask for ever */
		err_set(err, ERR_FORMAT,
		        "the run's figures and spans disagree: of rows %" PRId64 " to %" PRId64
		        ", %" PRId64 " are there: lanescope verify tells what is damaged",
		        first + 1, first + n, page->n);
	} else if (fill_texts(page, &reading, err) == 0) {
		return page;
	}
fail:
	span_page_free(page);
	return NULL;
}

struct span_known
span_page_known(const struct span_page *page)
{
	struct span_known known = {0};

	if (page && page->n > 0) {
		known.n = 2;
		known.places[0] = page->first;
		known.places[1] = page->first + page->n - 1;
		known.rows[0] = page->rows[0];
		known.rows[1] = page->rows[page->n - 1];
	}
	return known;
}

void
span_page_free(struct span_page *page)
{
	if (page) {
		arena_free(page->arena);
		free(page);
	}
}
