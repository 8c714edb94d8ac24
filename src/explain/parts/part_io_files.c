/*
 * Part io-files: when each file was used, first and last, how long at least one call was at it, and
 * how long nothing happened in between.
 */
#include "config.h"
#include "explain/parts/parts.h"

#include <stdlib.h>
#include <string.h>

#include "explain/parts/io.h"
#include "util/order.h"

enum { PARAM_FILTER, PARAM_BY };

static int64_t
busy_delta(const struct io_row *row)
{
	return time_sub(row->busy_ns[1], row->busy_ns[0]);
}

static int
compare_rows(const void *left, const void *right)
{
	const struct io_row *a = left, *b = right;
	int64_t x = llabs(busy_delta(a)), y = llabs(busy_delta(b));
	ORDER_BY(y, x);
	return strcmp(a->labels[0], b->labels[0]);
}

/* Of a run that has the file. */
static struct value
time_of(const struct io_group *use, int64_t ns)
{
	return use->n ? value_integer(ns) : (struct value){.type = VALUE_NULL};
}

static int64_t
gaps_of(const struct io_row *file, unsigned run)
{
	const struct io_group *use = &file->of[run];
	return time_sub(time_sub(use->end_ns, use->start_ns), file->busy_ns[run]);
}

static void
add_row(struct result *result, const struct io_row *file)
{
	const struct io_group *a = &file->of[0], *b = &file->of[1];
	RESULT_ADD(result, value_word(result, file->labels[0]), value_integer(a->n),
	           value_integer(b->n), time_of(a, a->start_ns), time_of(b, b->start_ns),
	           time_of(a, a->end_ns), time_of(b, b->end_ns), time_of(a, file->busy_ns[0]),
	           time_of(b, file->busy_ns[1]), time_of(a, gaps_of(file, 0)),
	           time_of(b, gaps_of(file, 1)), value_integer(busy_delta(file)));
}

static struct result *
make_result(struct io_pair *pair, const char *label)
{
	const struct result_column columns[] = {
	    COLUMN_KEY(label, NULL),
	    COLUMN("calls_a", KIND_COUNT, NULL),
	    COLUMN("calls_b", KIND_COUNT, NULL),
	    COLUMN("first_a", KIND_TIME, "first start"),
	    COLUMN("first_b", KIND_TIME, "first start"),
	    COLUMN("last_a", KIND_TIME, "last end"),
	    COLUMN("last_b", KIND_TIME, "last end"),
	    COLUMN("busy_a", KIND_DURATION, NULL),
	    COLUMN("busy_b", KIND_DURATION, NULL),
	    COLUMN("gaps_a", KIND_DURATION, NULL),
	    COLUMN("gaps_b", KIND_DURATION, NULL),
	    COLUMN_MEASURE("delta", KIND_DURATION, "busy_b - busy_a"),
	};
	struct result *result = result_new("Files", columns, COUNT_OF(columns));
	SORT(pair->rows, pair->n_rows, compare_rows);
	for (size_t i = 0; i < pair->n_rows; i++) {
		add_row(result, &pair->rows[i]);
	}
	io_pair_note(pair, result);
	return result;
}

static struct result *
compute(struct explain *explain, const char *const *arguments, struct err *err)
{
	struct io_pair pair;
	struct io_by by;
	if (io_by_parse(&by, "io-files", arguments[PARAM_BY], err)) {
		return NULL;
	}
	if (by.n != 1 || by.mask != IO_FILE) {
		err_set(err, ERR_USAGE, "part io-files: by=%s: not file or pattern",
		        arguments[PARAM_BY]);
		return NULL;
	}
	if (io_pair_init(&pair, explain, arguments[PARAM_FILTER], NULL, err)) {
		return NULL;
	}
	struct result *result =
	    io_pair_read(&pair, &by, true, err) == 0 ? make_result(&pair, by.names[0]) : NULL;
	io_pair_fini(&pair);
	return result;
}

static const struct query_param params[] = {
    IO_FILTER_PARAM,
    {"by", "file", "rows: file, or pattern (of the file's name, numbers as #)", KIND_TEXT, NULL},
};

const struct explain_part explain_io_files = {
    .name = "io-files",
    .title = "Files: first use, last use, busy, gaps",
    .summed = EXPLAIN_SUMMED_BUSY,
    .about =
	"For each file the calls, the first start, the last end, the time in which at least one "
	"call was at it (busy), and "
	"the rest between first and last (gaps). Files are matched by path, else by basename, "
	"else by basename without numbers "
	"and hashes; a file of one run only has no times in the other. Times count from each "
	"run's own start.",
    .needs = "dftracer",
    .is_silent = io_is_silent,
    EXPLAIN_PARAMS(params),
    .drill = {"file-spans", "file=file"},
    .compute = compute,
};
