/*
 * Part io: the summed time of a set of calls (of checkpointing, say), divided by class of path,
 * operation, class of size, rank, thread or file.
 *
 * The whole is asked for once more by itself (one sum over the filter), so that the residual is a
 * check of the division and not 0 by construction.
 */
#include "config.h"
#include "explain/parts/parts.h"

#include <string.h>

#include "explain/parts/division.h"
#include "explain/parts/io.h"
#include "util/format.h"

enum { PARAM_FOLD = 4 };

static int
read_total(const struct io_pair *pair, unsigned run, int64_t *total_ns, struct err *err)
{
	struct sums_request request = {
	    .kind = BLOCK_SPAN, .filter = pair->filter, .cancel = pair->runs[run].cancel};
	struct sums *sums = sums_run(pair->runs[run].dataset, &request, err);
	if (!sums) {
		return -1;
	}
	const struct measure_sums *durations = &sums_group(sums, 0)->measure[MEASURE_DURATION];
	int result = 0;
	if (durations->sum_leaves) {
		result =
		    err_set(err, ERR_LIMIT,
		            "the durations that %s takes are more than 64 bits hold", pair->filter);
	}
	*total_ns = durations->sum;
	sums_free(sums);
	return result;
}

static struct result *
compute(struct explain *explain, const char *const *arguments, struct err *err)
{
	struct io_pair pair;
	struct io_by by;
	struct result *result = NULL;
	int64_t totals_ns[2] = {0, 0};
	if (io_pair_open(&pair, &by, explain, "io", arguments, err)) {
		return NULL;
	}
	if (read_total(&pair, 0, &totals_ns[0], err) || read_total(&pair, 1, &totals_ns[1], err)) {
		goto out;
	}
	struct explain_rows *rows = explain_rows_new(by.names, by.n);
	for (size_t i = 0; i < pair.n_rows; i++) {
		const struct io_row *row = &pair.rows[i];
		explain_rows_add(rows, row->labels, row->of[0].duration_ns, row->of[1].duration_ns);
	}
	result = explain_rows_finish(rows, explain, "Time of input and output", totals_ns[0],
	                             totals_ns[1], explain_share(arguments[PARAM_FOLD]));
	io_pair_note(&pair, result);
out:
	io_pair_fini(&pair);
	return result;
}

static const struct query_param params[] = {
    IO_FILTER_PARAM,
    {"by", "class,operation,size", "rows: a list of " IO_BY_LIST, KIND_TEXT, NULL},
    IO_CLASSES_PARAM,
    DIVISION_WINDOW_PARAM,
    EXPLAIN_FOLD,
};

const struct explain_part explain_io = {
    .name = "io",
    .title = "Time of input and output",
    .summed = EXPLAIN_SUMMED_SUMS,
    .about =
	"The summed time of the calls that filter selects, by class of path, operation, class of "
	"size, rank (process), "
	"thread, lane, host, window of time (that in which a call begins) and file. Times of calls "
	"that run at once are added, so it is time in calls, not "
	"time of the run: io-bandwidth has "
	"the time in which at least one was in flight. Calls within other calls that the filter "
	"selects count twice.",
    .adds_up = true,
    .needs = "dftracer",
    .is_silent = io_is_silent,
    EXPLAIN_PARAMS(params),
    .drill = {"span", "name=operation"},
    .compute = compute,
};
