/*
 * The spans of a lane in a window, to be drawn one by one. One pass over the blocks' times and
 * lanes finds them, a heap keeps the first ones in order; only those few are then read in full.
 */
#include "config.h"
#include "column/finish/tile.h"

#include <stdlib.h>

#include "column/scan/blockloop.h"
#include "column/scan/scan.h"
#include "column/finish/tile_window.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

struct found {
	int64_t start_ns, duration_ns, id;
	size_t block; /* index in the dataset */
	uint32_t row;
};
struct found_list {
	struct found *spans;
	size_t n, capacity;
};

enum { SLOT_START, SLOT_DURATION, SLOT_LANE };

struct search {
	const struct dataset *dataset;
	uint32_t lane;
	int64_t start_ns, end_ns;
	bool *is_wanted;
	size_t limit;
	struct found_list *slots;
	struct found_list heap; /* the first ones so far, the last of them on top */
};

static bool
wanted(void *user, const struct block_info *block)
{
	const struct search *search = user;

	return tile_block_wanted(search->dataset, block, search->start_ns, search->end_ns,
	                         search->is_wanted);
}

static int
scan(void *user, struct block_view *view, unsigned slot, struct err *err)
{
	const struct search *search = user;
	struct found_list *out = &search->slots[slot];

	(void)err;
	out->n = 0;
	while (block_view_next(view)) {
		const struct chunk_column *starts = block_view_column(view, SLOT_START);
		const struct chunk_column *durations = block_view_column(view, SLOT_DURATION);
		for (uint32_t i = 0; i < view->n; i++) {
			int64_t start_ns = starts->values[i];
			int64_t duration_ns = durations->values[i] > 0 ? durations->values[i] : 0;
			if (start_ns >= search->end_ns ||
			    (start_ns < search->start_ns &&
			     time_add(start_ns, duration_ns) <= search->start_ns)) {
				continue;
			}
			const struct chunk_column *lanes = block_view_column(view, SLOT_LANE);
			if (lanes->n_present == 0 || !(lanes->presence[i / 64] >> (i % 64) & 1) ||
			    view->source->lanes[lanes->values[i]] != search->lane) {
				continue;
			}
			MEM_GROW(out->spans, out->capacity, out->n + 1);
			out->spans[out->n++] = (struct found){start_ns, duration_ns,
			                                      view->info->first_id + view->row + i,
			                                      view->index, view->row + i};
		}
	}
	return 0;
}

static bool
found_before(const struct found *a, const struct found *b)
{
	if (a->start_ns != b->start_ns) {
		return a->start_ns < b->start_ns;
	}
	if (a->duration_ns != b->duration_ns) {
		return a->duration_ns > b->duration_ns;
	}
	return a->id < b->id;
}

static void
sift_down(struct found *heap, size_t n)
{
	struct found top = heap[0];
	size_t i = 0;

	for (size_t child; (child = 2 * i + 1) < n; i = child) {
		child += child + 1 < n && found_before(&heap[child], &heap[child + 1]);
		if (!found_before(&top, &heap[child])) {
			break;
		}
		heap[i] = heap[child];
	}
	heap[i] = top;
}

static void
keep_first(struct found_list *heap, size_t limit, const struct found *span)
{
	if (heap->n == limit) {
		if (found_before(span, &heap->spans[0])) {
			heap->spans[0] = *span;
			sift_down(heap->spans, heap->n);
		}
		return;
	}
	MEM_GROW(heap->spans, heap->capacity, heap->n + 1);
	size_t i = heap->n++;
	for (; i > 0 && found_before(&heap->spans[(i - 1) / 2], span); i = (i - 1) / 2) {
		heap->spans[i] = heap->spans[(i - 1) / 2];
	}
	heap->spans[i] = *span;
}

static int
merge(void *user, const struct block_info *block, unsigned slot, struct err *err)
{
	struct search *search = user;
	const struct found_list *from = &search->slots[slot];

	(void)block;
	(void)err;
	for (size_t i = 0; i < from->n; i++) {
		keep_first(&search->heap, search->limit, &from->spans[i]);
	}
	return 0;
}

static int
find_spans(struct search *search, const struct cancel *cancel, struct err *err)
{
	struct block_fields fields = {0};
	struct block_loop loop = {.dataset = search->dataset,
	                          .kind = BLOCK_SPAN,
	                          .fields = &fields,
	                          .end = SIZE_MAX,
	                          .user = search,
	                          .wanted = wanted,
	                          .scan = scan,
	                          .merge = merge,
	                          .cancel = cancel};
	unsigned n_slots = block_loop_slots(&loop);

	block_fields_add(&fields, FIELD_START); /* SLOT_START and so on: in this order */
	block_fields_add(&fields, FIELD_DURATION);
	block_fields_add(&fields, FIELD_LANE);
	search->slots = xcalloc(n_slots, sizeof *search->slots);
	int status = block_loop_run(&loop, err);
	for (unsigned i = 0; i < n_slots; i++) {
		free(search->slots[i].spans);
	}
	free(search->slots);
	block_fields_free(&fields);
	for (size_t n = search->heap.n; n > 1; n--) { /* heap sort, the first first */
		struct found last = search->heap.spans[0];
		search->heap.spans[0] = search->heap.spans[n - 1];
		search->heap.spans[n - 1] = last;
		sift_down(search->heap.spans, n - 1);
	}
	return status;
}

/* Fields of a row, in the order of enum detail. */
enum detail {
	DETAIL_NAME,
	DETAIL_CATEGORY,
	DETAIL_PATH,
	DETAIL_SIZE,
	DETAIL_CALLS,
	DETAIL_DEPTH,
	DETAIL_PARENT,
	DETAIL_COVERED,
	DETAIL_CALL_SUM,
	DETAIL_CALL_MIN,
	DETAIL_CALL_MAX,
	DETAIL_SIZE_MIN,
	DETAIL_SIZE_MAX,
	DETAIL_UNFINISHED
};
static const uint32_t detail_fields[] = {
    FIELD_NAME,     FIELD_CATEGORY, FIELD_PATH,     FIELD_SIZE,      FIELD_CALLS,
    FIELD_DEPTH,    FIELD_PARENT,   FIELD_COVERED,  FIELD_CALL_SUM,  FIELD_CALL_MIN,
    FIELD_CALL_MAX, FIELD_SIZE_MIN, FIELD_SIZE_MAX, FIELD_UNFINISHED};

static uint32_t
read_text(struct block_reader *reader, const struct block_view *view, enum detail slot,
          uint32_t row)
{
	int64_t code;

	return block_reader_value(reader, slot, row, &code) ? view->source->texts[code] : TEXT_NONE;
}

static int64_t
read_number(struct block_reader *reader, enum detail slot, uint32_t row, int64_t absent)
{
	int64_t value;

	return block_reader_value(reader, slot, row, &value) ? value : absent;
}

static void
fill_row(struct block_reader *reader, const struct block_view *view, const struct found *found,
         uint32_t lane, struct span_row *out)
{
	uint32_t row = found->row;
	int64_t distance = read_number(reader, DETAIL_PARENT, row, 0);

	*out = (struct span_row){
	    .id = found->id,
	    .start_ns = found->start_ns,
	    .duration_ns = found->duration_ns,
	    .self_ns = time_sub(found->duration_ns, read_number(reader, DETAIL_COVERED, row, 0)),
	    .size_bytes = read_number(reader, DETAIL_SIZE, row, SIZE_NONE),
	    .calls = read_number(reader, DETAIL_CALLS, row, 1),
	    .call_sum_ns = read_number(reader, DETAIL_CALL_SUM, row, found->duration_ns),
	    .call_min_ns = read_number(reader, DETAIL_CALL_MIN, row, TIME_NONE),
	    .call_max_ns = read_number(reader, DETAIL_CALL_MAX, row, TIME_NONE),
	    .size_min = read_number(reader, DETAIL_SIZE_MIN, row, SIZE_NONE),
	    .size_max = read_number(reader, DETAIL_SIZE_MAX, row, SIZE_NONE),
	    .parent = distance != 0 ? time_sub(found->id, distance) : 0,
	    .depth = read_number(reader, DETAIL_DEPTH, row, 0),
	    .is_unfinished = read_number(reader, DETAIL_UNFINISHED, row, 0) == 1,
	    .source = view->info->source,
	    .lane = lane,
	    .name = read_text(reader, view, DETAIL_NAME, row),
	    .category = read_text(reader, view, DETAIL_CATEGORY, row),
	    .path = read_text(reader, view, DETAIL_PATH, row),
	};
}

struct pick {
	uint64_t id;
	size_t place;
};

static int
compare_picks(const void *left, const void *right)
{
	const struct pick *a = left, *b = right;

	return ORDER(a->id, b->id);
}

/* Reads the rows found, block by block. */
static int
read_rows(const struct search *search, struct span_row *rows, struct err *err)
{
	const struct found_list *found = &search->heap;
	struct pick *picks = xmalloc(found->n * sizeof *picks);
	struct block_fields fields = {0};
	struct block_view *view = NULL;
	int status = 0;

	for (size_t i = 0; i < sizeof detail_fields / sizeof *detail_fields; i++) {
		block_fields_add(&fields, detail_fields[i]);
	}
	for (size_t i = 0; i < found->n; i++) {
		picks[i] = (struct pick){(uint64_t)found->spans[i].id, i};
	}
	if (found->n > 1) {
		qsort(picks, found->n, sizeof *picks, compare_picks);
	}
	struct block_reader *reader = block_reader_new(search->dataset, BLOCK_SPAN, &fields);
	for (size_t i = 0; i < found->n; i++) {
		const struct found *span = &found->spans[picks[i].place];
		if ((!view || view->index != span->block) &&
		    !(view = block_reader_open(reader, span->block, err))) {
			status = -1;
			break;
		}
		fill_row(reader, view, span, search->lane, &rows[picks[i].place]);
	}
	if (status == 0) {
		status = block_reader_check(reader, err);
	}
	block_reader_free(reader);
	block_fields_free(&fields);
	free(picks);
	return status;
}

int64_t
lane_spans(const struct dataset *dataset, uint32_t lane, int64_t start_ns, int64_t end_ns,
           int64_t limit, struct span_row **rows, const struct cancel *cancel, struct err *err)
{
	struct search search = {.dataset = dataset,
	                        .lane = lane,
	                        .start_ns = start_ns,
	                        .end_ns = end_ns,
	                        .limit = limit > 0 ? (size_t)limit : 0};

	if (lane >= dataset->n_lanes) {
		return err_set(err, ERR_INTERNAL, "no lane %u", lane);
	}
	search.is_wanted = xcalloc(dataset->n_lanes, sizeof *search.is_wanted);
	search.is_wanted[lane] = true;
	int status = search.limit > 0 ? find_spans(&search, cancel, err) : 0;
	struct span_row *found = xmalloc(search.heap.n * sizeof *found);
	if (status == 0 && (status = read_rows(&search, found, err)) == 0) {
		*rows = found;
	} else {
		free(found);
	}
	free(search.heap.spans);
	free(search.is_wanted);
	return status == 0 ? (int64_t)search.heap.n : -1;
}
