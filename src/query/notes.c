/*
 * What a query's answer can't be taken for. Such notes are made in one place for all queries, ours and those that users save: a query is
 * known by the functions and columns that its statement names.
 *
 * Two kinds of spans are more than they say. An unfinished one lasts until the trace's last time for want of an end. A record that
 * stands for many calls is a span as long as the interval it reports: what is covered by spans is an upper bound of the time in
 * which calls went on, gaps between spans are a lower bound of the time in which none did, and how calls are distributed is not known.
 */
#include "config.h"
#include "query/notes.h"

#include <string.h>

#include "util/format.h"

static bool
names_any(const char *sql, const char *const *words)
{
	for (; *words; words++) {
		if (strstr(sql, *words)) {
			return true;
		}
	}
	return false;
}

void
result_note_unfinished(struct result *result, struct store *store, const char *of)
{
	struct err err = ERR_INIT;
	char n[FORMAT_BYTES], time[FORMAT_BYTES];
	struct stmt *stmt = store_prepare(
	    store,
	    "SELECT sum(unfinished_n), sum(unfinished_sum) FROM span_total WHERE unfinished_n > 0",
	    &err);
	if (stmt && stmt_step(stmt, &err) > 0 && stmt_integer(stmt, 0) > 0) {
		int64_t count = stmt_integer(stmt, 0);
		result_add_note(
		    result,
		    "%s%s%s span%s unfinished: the trace has no end of %s (%s until its last "
		    "time, which sums include)",
		    of ? of : "", of ? ": " : "", format_count(n, count),
		    count == 1 ? " is" : "s are", count == 1 ? "it" : "them",
		    format_duration(time, stmt_integer(stmt, 1)));
	}
	stmt_free(stmt);
}

struct summed_calls {
	int64_t records, calls; /* both 0: the run has no such record */
};

static struct summed_calls
read_summed_calls(struct store *store)
{
	struct summed_calls summed = {0, 0};
	struct err err = ERR_INIT;
	struct stmt *stmt = store_prepare(
	    store, "SELECT sum(rows - n + summed), sum(summed) FROM span_total WHERE summed > 0",
	    &err);
	if (stmt && stmt_step(stmt, &err) > 0) {
		summed = (struct summed_calls){stmt_integer(stmt, 0), stmt_integer(stmt, 1)};
	}
	stmt_free(stmt);
	return summed;
}

static void
add_clause(struct strbuf *out, const char *text)
{
	strbuf_printf(out, "%s%s", out->len ? "; " : ": ", text);
}

void
result_note_summed(struct result *result, struct store *store, const char *of, unsigned parts)
{
	char records[FORMAT_BYTES], calls[FORMAT_BYTES];
	struct summed_calls summed = read_summed_calls(store);
	struct strbuf text = {0};

	if (summed.calls == 0) {
		return;
	}
	if (parts & SUMMED_PAGES) {
		add_clause(&text, "each is a span as long as the interval it reports, anywhere in "
		                  "which its calls were");
	}
	if (parts & SUMMED_MAKESPAN) {
		add_clause(&text,
		           "they last as long as the intervals they report, so last ends and the "
		           "run's length are at most");
	}
	if (parts & SUMMED_BUSY) {
		add_clause(&text,
		           "they last as long as the intervals they report, so busy times and "
		           "overlaps are at most, bandwidths and gaps at least");
	}
	if (parts & SUMMED_SELF) {
		add_clause(&text, "their self times are their calls' durations, and so at most");
	}
	if (parts & SUMMED_DISTRIBUTION) {
		add_clause(&text,
		           "quantiles, deviations and counts by size have no distribution of "
		           "them and are missing where any is among the calls");
	}
	if (text.len > 0) {
		result_add_note(result, "%s%s%s record%s for %s calls%s", of ? of : "",
		                of ? ": " : "", format_count(records, summed.records),
		                summed.records == 1 ? " stands" : "s stand",
		                format_count(calls, summed.calls), text.data);
	}
	strbuf_free(&text);
}

void
query_note_spans(struct result *result, struct store *store, const struct saved_query *query)
{
	static const char *const spans[] = {"span", "work_total", NULL};
	static const char *const pages[] = {"span_page", "FROM span ", "JOIN span ", NULL};
	static const char *const busy[] = {"span_busy",    "span_idle", "span_gaps",
	                                   "span_overlap", "union_ns",  NULL};
	static const char *const makespan[] = {"finish_max", "duration_ns", NULL};
	static const char *const self[] = {"self_", NULL};
	static const char *const distribution[] = {"_p25",
	                                           "_p50",
	                                           "_p75",
	                                           "_p90",
	                                           "_p95",
	                                           "_p99",
	                                           "_std",
	                                           "_sumsq",
	                                           "quantile(",
	                                           "median(",
	                                           "span_sums('size",
	                                           NULL};
	const char *sql = query->sql;

	if (!names_any(sql, spans)) {
		return;
	}
	result_note_unfinished(result, store, NULL);
	unsigned parts = names_any(sql, busy)       ? SUMMED_BUSY
	                 : names_any(sql, makespan) ? SUMMED_MAKESPAN
	                                            : 0;
	parts |= names_any(sql, self) && !(parts & SUMMED_BUSY) ? SUMMED_SELF : 0;
	parts |= names_any(sql, distribution) ? SUMMED_DISTRIBUTION
	         : names_any(sql, pages)      ? SUMMED_PAGES
	                                      : 0;
	result_note_summed(result, store, NULL, parts);
}
