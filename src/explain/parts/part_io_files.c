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

enum {
	AT_FILE,
	AT_CALLS,
	AT_FIRST = AT_CALLS + 2,
	AT_LAST = AT_FIRST + 2,
	AT_BUSY = AT_LAST + 2,
	AT_GAPS = AT_BUSY + 2,
	AT_DELTA = AT_GAPS + 2,
	AT_END
};

static int64_t
busy_delta(const struct io_row *row)
{
	return time_sub(row->busy_ns[1], row->busy_ns[0]);
}

static int
compare_rows(const void *left, const void *right)
{
	const struct io_row *a = left, *b = right;
	int64_t x = busy_delta(a), y = busy_delta(b);
	x = x < 0 ? time_sub(0, x) : x;
	y = y < 0 ? time_sub(0, y) : y;
	return x == y ? strcmp(a->labels[0], b->labels[0]) : x > y ? -1 : 1;
}

static void
add_row(struct result *result, const struct io_row *file)
{
	struct value *row = result_add_row(result);
	row[AT_FILE] = value_word(result, file->labels[0]);
	for (unsigned run = 0; run < 2; run++) {
		const struct io_group *use = &file->of[run];
		row[AT_CALLS + run] = value_integer(use->n);
		if (use->n == 0) {
			continue;
		}
		row[AT_FIRST + run] = value_integer(use->start_ns);
		row[AT_LAST + run] = value_integer(use->end_ns);
		row[AT_BUSY + run] = value_integer(file->busy_ns[run]);
		row[AT_GAPS + run] = value_integer(
		    time_sub(time_sub(use->end_ns, use->start_ns), file->busy_ns[run]));
	}
	row[AT_DELTA] = value_integer(busy_delta(file));
}

static struct result *
make_result(struct io_pair *pair, const char *label)
{
	const struct result_column columns[AT_END] = {
	    [AT_FILE] = COLUMN_KEY(label, NULL),
	    [AT_CALLS] = COLUMN("calls_a", KIND_COUNT, NULL),
	    [AT_CALLS + 1] = COLUMN("calls_b", KIND_COUNT, NULL),
	    [AT_FIRST] = COLUMN("first_a", KIND_TIME, "first start"),
	    [AT_FIRST + 1] = COLUMN("first_b", KIND_TIME, "first start"),
	    [AT_LAST] = COLUMN("last_a", KIND_TIME, "last end"),
	    [AT_LAST + 1] = COLUMN("last_b", KIND_TIME, "last end"),
	    [AT_BUSY] = COLUMN("busy_a", KIND_DURATION, NULL),
	    [AT_BUSY + 1] = COLUMN("busy_b", KIND_DURATION, NULL),
	    [AT_GAPS] = COLUMN("gaps_a", KIND_DURATION, NULL),
	    [AT_GAPS + 1] = COLUMN("gaps_b", KIND_DURATION, NULL),
	    [AT_DELTA] = COLUMN_MEASURE("delta", KIND_DURATION, "busy_b - busy_a"),
	};
	struct result *result = result_new("Files", columns, AT_END);
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
    {.name = "by",
     .default_text = "file",
     .about = "rows: file, or pattern (of the file's name, numbers as #)",
     .kind = KIND_TEXT},
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
    EXPLAIN_PARAMS(params),
    .drill = {"file-spans", "file=file"},
    .compute = compute,
};
