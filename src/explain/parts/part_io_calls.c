/*
 * Part io-calls: calls that one way of doing I/O makes more often than another, by file.
 *
 * Counts by file and operation name what is extra; which code makes the calls is told by an
 * example: the first such call of the run that has more, its thread and the span it lies in. Rows
 * with as many calls in both runs say nothing about the question and are only counted.
 */
#include "config.h"
#include "explain/parts/parts.h"

#include <stdlib.h>
#include <string.h>

#include "explain/parts/division.h"
#include "explain/parts/io.h"
#include "util/intern.h"
#include "util/order.h"

static int64_t
extra(const struct io_row *row)
{
	return time_sub(row->of[1].n, row->of[0].n);
}

static int64_t
extra_time(const struct io_row *row)
{
	return time_sub(row->of[1].duration_ns, row->of[0].duration_ns);
}

static uint64_t
magnitude(int64_t value)
{
	return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

/* By how much time the extra calls take, then by how many they are. Ties stay as the groups
 * came. */
static int
compare_rows(const void *left, const void *right)
{
	const struct io_row *a = left, *b = right;
	uint64_t x = magnitude(extra_time(a)), y = magnitude(extra_time(b));
	ORDER_BY(y, x);
	ORDER_BY(magnitude(extra(b)), magnitude(extra(a)));
	for (size_t i = 0; i < IO_LABELS_MAX && a->labels[i]; i++) {
		int order = strcmp(a->labels[i], b->labels[i]);
		if (order) {
			return order;
		}
	}
	return 0;
}

/* Lane and parent of an example. */
static int
add_example(struct result *result, struct value *thread, struct value *parent,
            const struct io_run *run, int64_t id, struct err *err)
{
	struct span_row row, above;
	if (row_get(run->dataset, BLOCK_SPAN, id, &row, err)) {
		return -1;
	}
	if (row.lane < run->dataset->n_lanes) {
		*thread = value_text(
		    result, dataset_text(run->dataset, run->dataset->lanes[row.lane].name));
	}
	if (row.parent > 0) {
		if (row_get(run->dataset, BLOCK_SPAN, row.parent, &above, err)) {
			return -1;
		}
		*parent = value_text(result, dataset_text(run->dataset, above.name));
	}
	return 0;
}

static struct result *
new_result(const struct io_by *by)
{
	static const struct result_column columns[] = {
	    COLUMN("calls_a", KIND_COUNT, NULL),
	    COLUMN("calls_b", KIND_COUNT, NULL),
	    COLUMN_MEASURE("extra", KIND_COUNT, "calls_b - calls_a"),
	    COLUMN("time_a", KIND_DURATION, NULL),
	    COLUMN("time_b", KIND_DURATION, NULL),
	    COLUMN_MEASURE("time_delta", KIND_DURATION, NULL),
	    COLUMN("size_a", KIND_SIZE, NULL),
	    COLUMN("size_b", KIND_SIZE, NULL),
	    COLUMN("thread", KIND_TEXT, "of the first such call of the run that has more"),
	    COLUMN("parent", KIND_TEXT, "the span in which that call lies"),
	};
	struct result_column all[IO_LABELS_MAX + COUNT_OF(columns)];
	for (size_t i = 0; i < by->n; i++) {
		bool is_thread = strcmp(by->names[i], "thread") == 0;
		all[i] = (struct result_column){.name = is_thread ? "nth_thread" : by->names[i],
		                                .is_key = true};
	}
	memcpy(all + by->n, columns, sizeof columns);
	return result_new("Extra and missing calls", all, by->n + COUNT_OF(columns));
}

static int
add_row(struct result *result, const struct io_pair *pair, const struct io_by *by,
        const struct io_row *calls, struct err *err)
{
	struct value *row = result_add_row(result);
	const struct io_group *a = &calls->of[0], *b = &calls->of[1];
	unsigned more = b->n > a->n;
	for (size_t i = 0; i < by->n; i++) {
		row[i] = value_word(result, calls->labels[i]);
	}
	row += by->n;
	const struct value counts[] = {
	    value_integer(a->n),           value_integer(b->n),
	    value_integer(extra(calls)),   value_integer(a->duration_ns),
	    value_integer(b->duration_ns), value_integer(extra_time(calls)),
	    value_integer(a->size_bytes),  value_integer(b->size_bytes)};
	memcpy(row, counts, sizeof counts);
	return add_example(result, &row[8], &row[9], &pair->runs[more], calls->of[more].first_id,
	                   err);
}

static struct result *
make_result(struct io_pair *pair, const struct io_by *by, struct err *err)
{
	struct result *result = new_result(by);
	size_t n_same = 0;
	SORT(pair->rows, pair->n_rows, compare_rows);
	for (size_t i = 0; i < pair->n_rows; i++) {
		if (extra(&pair->rows[i]) == 0) {
			n_same++;
		} else if (cancel_check(pair->runs[0].cancel, err) ||
		           add_row(result, pair, by, &pair->rows[i], err)) {
			result_free(result);
			return NULL;
		}
	}
	io_pair_note(pair, result);
	result_add_note(result, "%zu of %zu rows have as many calls in both and are left out",
	                n_same, pair->n_rows);
	return result;
}

static struct result *
compute(struct explain *explain, const char *const *arguments, struct err *err)
{
	struct io_pair pair;
	struct io_by by;
	if (io_pair_open(&pair, &by, explain, "io-calls", arguments, err)) {
		return NULL;
	}
	struct result *result = make_result(&pair, &by, err);
	io_pair_fini(&pair);
	return result;
}

static const struct query_param params[] = {
    IO_FILTER_PARAM,
    {"by", "pattern,operation,thread", "rows: a list of " IO_BY_LIST, KIND_TEXT, NULL},
    IO_CLASSES_PARAM,
    DIVISION_WINDOW_PARAM,
};

const struct explain_part explain_io_calls = {
    .name = "io-calls",
    .title = "Extra and missing calls",
    .summed = EXPLAIN_SUMMED_SUMS,
    .about =
	"Calls that one run makes more often than the other, by pattern of the file's name "
	"(by=file: by file, "
	"matched by path, basename or pattern), operation and thread (the n-th of its process), "
	"with their time and bytes. thread and "
	"parent are those of the first such call of the run that has more: an example, not all of "
	"them.",
    .needs = "dftracer",
    .is_silent = io_is_silent,
    EXPLAIN_PARAMS(params),
    .drill = {"span", "name=operation"},
    .compute = compute,
};
