/*
 * Part io-overlap: input and output that is not hidden behind computing, and the reverse, of both
 * runs: the saved query io-summary on each, side by side. Both ways to compute it are shown, as
 * figures of one must not be held against figures of the other: the exact union of intervals, and
 * what DFAnalyzer prints (sums by thread and window, the largest thread of each).
 */
#include "config.h"
#include "explain/parts/io.h"
#include "explain/parts/parts.h"

static const struct query_param params[] = {
    {"window", "30s", "length of a window", KIND_DURATION, NULL},
    {"compute", "name GLOB \"*compute*\"", "what computing is, in the filter language", KIND_TEXT,
     NULL},
    {"io", "category = \"POSIX\"", "what input and output is", KIND_TEXT, NULL},
    {"app_io", "category GLOB \"*reader*\" OR category GLOB \"*checkpoint*\"",
     "what application-level input and output is", KIND_TEXT, NULL},
};

static bool
is_silent(const struct explain *explain)
{
	return io_lacks(explain, "category = 'POSIX' OR category GLOB '*reader*' OR category GLOB "
	                         "'*checkpoint*'");
}

const struct explain_part explain_io_overlap = {
    .name = "io-overlap",
    .title = "Overlap of I/O with computing",
    .summed = EXPLAIN_SUMMED_BUSY,
    .about =
	"How long each run did I/O, application-level I/O and computed, and how much of each was "
	"not hidden behind the other: "
	"exactly, as unions of intervals in windows by the calls' start, and as DFAnalyzer "
	"approximates it (in each window the "
	"sums of each thread, the largest thread for each of the three). The approximation may "
	"exceed the window, and a wider "
	"window lowers what it calls unoverlapped. The figures are those of the saved query "
	"io-summary.",
    .needs = "dftracer",
    .is_silent = is_silent,
    EXPLAIN_PARAMS(params),
    .drill = {"io-summary", ""},
    .query = "io-summary",
    .also = {"method", "both"},
};
