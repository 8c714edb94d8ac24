/*
 * Part io-bandwidth: bytes per busy time by operation and class of path, and whether a class slows
 * down while another one is in flight (the flush to the parallel file system while checkpoints go
 * to the local disk, say).
 *
 * Bytes per busy time grow with the number of calls at once; the rate of a call, bytes per summed
 * time of calls, does not, so that is what is compared with being alone.
 */
#include "config.h"
#include "explain/parts/parts.h"

#include <stdlib.h>
#include <string.h>

#include "explain/parts/io_streams.h"
#include "util/format.h"
#include "util/order.h"

enum { PARAM_FILTER, PARAM_CLASSES };

enum {
	AT_CLASS,
	AT_OPERATION,
	AT_WHILE,
	AT_CALLS,
	AT_BUSY = AT_CALLS + 2,
	AT_SIZE = AT_BUSY + 2,
	AT_RATE = AT_SIZE + 2,
	AT_CALL_RATE = AT_RATE + 2,
	AT_OF_ALONE = AT_CALL_RATE + 2,
	AT_END = AT_OF_ALONE + 2
};

#define PAIR(at, base, of, ...)                                                                    \
	[at] = {.name = base "_a", .kind = of, __VA_ARGS__},                                       \
	[(at) + 1] = {.name = base "_b", .kind = of, __VA_ARGS__}

static const struct result_column columns[AT_END] = {
    [AT_CLASS] = COLUMN_KEY("class", NULL),
    [AT_OPERATION] = COLUMN_KEY("operation", NULL),
    [AT_WHILE] =
	COLUMN_KEY("while", "any; alone: no other class in flight; with CLASS: that one is"),
    PAIR(AT_CALLS, "calls", KIND_COUNT, .about = NULL),
    PAIR(AT_BUSY, "busy", KIND_DURATION, .about = "at least one call in flight"),
    PAIR(AT_SIZE, "size", KIND_SIZE, .about = "bytes"),
    PAIR(AT_RATE, "rate", KIND_RATE, .about = "bytes per second of busy time"),
    PAIR(AT_CALL_RATE, "call_rate", KIND_RATE, .about = "bytes per second of calls' time"),
    PAIR(AT_OF_ALONE, "of_alone", KIND_PERCENT, .about = "call_rate over that of alone"),
};

static double
rate(int64_t size_bytes, int64_t time_ns)
{
	return time_ns > 0 ? (double)size_bytes / ((double)time_ns / 1e9) : 0;
}

/* with: class, n_classes (alone), or n_classes + 1 (any). */
static void
fill_state(struct value *row, unsigned run, const struct io_stream *stream, unsigned with,
           unsigned n_classes)
{
	const struct io_state *alone = &stream->with[n_classes];
	bool is_any = with > n_classes;
	const struct io_state *state = is_any ? &stream->all : &stream->with[with];
	row[AT_BUSY + run] = value_integer(state->busy_ns);
	row[AT_SIZE + run] = value_integer(state->size_bytes);
	if (is_any) {
		row[AT_CALLS + run] = value_integer(stream->calls);
	}
	if (state->busy_ns > 0) {
		row[AT_RATE + run] = value_real(rate(state->size_bytes, state->busy_ns));
	}
	if (state->time_ns > 0) {
		double here = rate(state->size_bytes, state->time_ns);
		row[AT_CALL_RATE + run] = value_real(here);
		if (with < n_classes && alone->time_ns > 0 && alone->size_bytes > 0) {
			row[AT_OF_ALONE + run] =
			    value_real(here / rate(alone->size_bytes, alone->time_ns));
		}
	}
}

/* A's and b's stream of one operation and class; either may be NULL. */
struct stream_pair {
	const struct io_stream *of[2];
	int64_t size_bytes; /* larger of both: the order */
	struct slice operation;
};

static int
compare_pairs(const void *left, const void *right)
{
	const struct stream_pair *a = left, *b = right;
	ORDER_BY(b->size_bytes, a->size_bytes);
	return slice_compare(a->operation, b->operation);
}

static struct stream_pair *
pair_streams(const struct io_pair *pair, const struct io_streams streams[2], size_t *n)
{
	struct stream_pair *pairs = xcalloc(streams[0].n + streams[1].n, sizeof *pairs);
	*n = 0;
	for (unsigned run = 0; run < 2; run++) {
		for (size_t i = 0; i < streams[run].n; i++) {
			const struct io_stream *stream = &streams[run].streams[i];
			struct slice operation =
			    dataset_text(pair->runs[run].dataset, stream->operation);
			size_t p = 0;
			while (p < *n &&
			       !(pairs[p].of[0] && pairs[p].of[0]->class == stream->class &&
			         run == 1 && slice_equal(pairs[p].operation, operation))) {
				p++;
			}
			*n += p == *n;
			pairs[p].of[run] = stream;
			pairs[p].operation = operation;
			if (stream->all.size_bytes > pairs[p].size_bytes) {
				pairs[p].size_bytes = stream->all.size_bytes;
			}
		}
	}
	SORT(pairs, *n, compare_pairs);
	return pairs;
}

static void
add_row(struct result *result, const struct io_pair *pair, const struct stream_pair *streams,
        unsigned with, unsigned n_classes)
{
	const struct io_stream *any = streams->of[0] ? streams->of[0] : streams->of[1];
	struct strbuf state = {0};
	if (with < n_classes) {
		strbuf_printf(&state, "with %s", io_class_name(pair->classes, with));
	} else {
		strbuf_add_text(&state, with == n_classes ? "alone" : "any");
	}
	struct value *row = result_add_row(result);
	row[AT_CLASS] = value_word(result, io_class_name(pair->classes, any->class));
	row[AT_OPERATION] = value_text(result, streams->operation);
	row[AT_WHILE] = value_text(result, strbuf_slice(&state));
	for (unsigned run = 0; run < 2; run++) {
		if (streams->of[run]) {
			fill_state(row, run, streams->of[run], with, n_classes);
		}
	}
	strbuf_free(&state);
}

static bool
has_state(const struct stream_pair *streams, unsigned with)
{
	return (streams->of[0] && streams->of[0]->with[with].time_ns > 0) ||
	       (streams->of[1] && streams->of[1]->with[with].time_ns > 0);
}

/* In plain words, for streams that share at least a hundredth of their time with another class. */
static void
note_stream(struct result *result, const struct explain *explain, const struct io_pair *pair,
            const struct stream_pair *streams, unsigned run, unsigned n_classes)
{
	const struct io_stream *stream = streams->of[run];
	char share[FORMAT_BYTES], of_alone[FORMAT_BYTES];
	for (unsigned c = 0; stream && c < n_classes; c++) {
		const struct io_state *with = &stream->with[c], *alone = &stream->with[n_classes];
		if (with->time_ns <= stream->all.time_ns / 100 || with->size_bytes == 0 ||
		    alone->size_bytes == 0 || alone->time_ns == 0) {
			continue;
		}
		format_percent(share, (double)with->time_ns / (double)stream->all.time_ns);
		format_percent(of_alone, rate(with->size_bytes, with->time_ns) /
		                             rate(alone->size_bytes, alone->time_ns));
		result_add_note(
		    result,
		    "%s: for %s of its time %.*s on %s shares with %s, and each call has "
		    "%s of its rate alone",
		    (run ? explain->b : explain->a)[0].name, share, (int)streams->operation.len,
		    streams->operation.ptr, io_class_name(pair->classes, stream->class),
		    io_class_name(pair->classes, c), of_alone);
	}
}

#define NOTED 3

static struct result *
make_result(const struct explain *explain, const struct io_pair *pair,
            const struct io_streams streams[2])
{
	struct result *result = result_new("Bandwidth", columns, AT_END);
	unsigned n_classes = streams[0].n_classes;
	size_t n;
	struct stream_pair *pairs = pair_streams(pair, streams, &n);
	io_pair_note(pair, result);
	for (size_t i = 0; i < n; i++) {
		add_row(result, pair, &pairs[i], n_classes + 1, n_classes);
		for (unsigned c = 0; c <= n_classes; c++) {
			unsigned with = c ? c - 1 : n_classes; /* alone first */
			if (has_state(&pairs[i], with)) {
				add_row(result, pair, &pairs[i], with, n_classes);
			}
		}
		for (unsigned run = 0; i < NOTED && run < 2; run++) {
			note_stream(result, explain, pair, &pairs[i], run, n_classes);
		}
	}
	free(pairs);
	return result;
}

static struct result *
compute(struct explain *explain, const char *const *arguments, struct err *err)
{
	struct io_pair pair;
	struct io_streams streams[2] = {{.n = 0}, {.n = 0}};
	struct result *result = NULL;
	if (io_pair_init(&pair, explain, arguments[PARAM_FILTER], arguments[PARAM_CLASSES], err)) {
		return NULL;
	}
	if (io_streams_read(&pair.runs[0], pair.filter, pair.classes, &streams[0], err) == 0 &&
	    io_streams_read(&pair.runs[1], pair.filter, pair.classes, &streams[1], err) == 0) {
		result = make_result(explain, &pair, streams);
	}
	io_streams_fini(&streams[0]);
	io_streams_fini(&streams[1]);
	io_pair_fini(&pair);
	return result;
}

static const struct query_param params[] = {IO_FILTER_PARAM, IO_CLASSES_PARAM};

const struct explain_part explain_io_bandwidth = {
    .name = "io-bandwidth",
    .title = "Bandwidth, alone and while other classes are in flight",
    .summed = EXPLAIN_SUMMED_BUSY,
    .about =
	"Bytes per busy time (the union of the calls) and per time of calls, by operation and "
	"class of path; then the same while "
	"no other class is in flight (alone) and while each other one is. Bytes of a call that is "
	"in flight only partly then are "
	"divided by its time. of_alone below 100 % says that calls are slower meanwhile, not that "
	"the other class is why.",
    .needs = "dftracer",
    .is_silent = io_is_silent,
    EXPLAIN_PARAMS(params),
    .drill = {"span", "name=operation"},
    .compute = compute,
};
