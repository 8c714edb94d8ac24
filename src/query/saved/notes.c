/*
 * What a query's answer can't be taken for. Such notes are made in one place for all queries, ours
 * and those that users save: a query is known by the functions and columns that its statement
 * names.
 *
 * Two kinds of spans are more than they say. An unfinished one lasts until the trace's last time
 * for want of an end. A record that stands for many calls is a span as long as the interval it
 * reports: what is covered by spans is an upper bound of the time in which calls went on, gaps
 * between spans are a lower bound of the time in which none did, and how calls are distributed is
 * not known.
 *
 * Which of them an answer holds is known where all that a statement asks of spans goes through
 * scans of a filter: these keep a census of what they took (store_censuses), and what none of them
 * met is not spoken of. Of other statements only the run is known.
 */
#include "config.h"
#include "query/saved/notes.h"

#include <string.h>

#include "util/format.h"
#include "util/intervals.h"

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

/* Such spans of an answer, or of the run that it is of. */
struct holding {
	int64_t records, calls, unfinished, unfinished_ns;
	bool is_of_run;
	bool is_most; /* of several scans the one that has most */
};

/* Each by its own index, which is nearly always empty. */
const char query_notes_run_sql[] =
    "SELECT m.records, m.calls, u.n, u.ns FROM (SELECT sum(rows - n + summed) AS records, "
    "sum(summed) AS calls FROM span_total WHERE summed > 0) AS m, (SELECT sum(unfinished_n) AS n, "
    "sum(unfinished_sum) AS ns FROM span_total WHERE unfinished_n > 0) AS u";

static struct holding
read_run(struct store *store)
{
	struct holding holding = {.records = 0};
	struct err err = ERR_INIT;
	struct stmt *stmt = store_prepare(store, query_notes_run_sql, &err);
	if (stmt && stmt_step(stmt, &err) > 0) {
		holding.records = stmt_integer(stmt, 0);
		holding.calls = stmt_integer(stmt, 1);
		holding.unfinished = stmt_integer(stmt, 2);
		holding.unfinished_ns = stmt_integer(stmt, 3);
	}
	stmt_free(stmt);
	return holding;
}

static void
take_most(struct holding *holding, int64_t *n, int64_t *beside, int64_t scan_n, int64_t scan_beside)
{
	holding->is_most |= *n != 0 && scan_n != 0 && scan_n != *n;
	if (scan_n > *n) {
		*n = scan_n;
		*beside = scan_beside;
	}
}

static struct holding
read_scans(const struct store *store)
{
	struct holding holding = {.records = 0};
	const struct store_census *censuses;
	size_t n = store_censuses(store, &censuses);
	for (size_t i = 0; i < n; i++) {
		const struct scan_census *census = &censuses[i].census;
		take_most(&holding, &holding.calls, &holding.records, census->calls,
		          census->records);
		take_most(&holding, &holding.unfinished, &holding.unfinished_ns, census->unfinished,
		          census->unfinished_ns);
	}
	return holding;
}

/* "run: up to " */
static void
start_note(struct strbuf *text, const struct holding *holding, const char *of)
{
	strbuf_printf(text, "%s%s%s", of ? of : "", of ? ": " : "",
	              holding->is_most ? "up to " : "");
}

static void
note_unfinished(struct result *result, const struct holding *holding, const char *of)
{
	char n[FORMAT_BYTES], time[FORMAT_BYTES];
	bool is_one = holding->unfinished == 1;
	const char *pronoun = is_one ? "it" : "them";
	struct strbuf text = {0};

	if (holding->unfinished == 0) {
		return;
	}
	start_note(&text, holding, of);
	strbuf_printf(&text,
	              "%s span%s%s %s unfinished: the trace has no end of %s (%s until its "
	              "last time, which sums ",
	              format_count(n, holding->unfinished), is_one ? "" : "s",
	              holding->is_of_run ? " of the run" : "", is_one ? "is" : "are", pronoun,
	              format_duration(time, holding->unfinished_ns));
	if (holding->is_of_run) {
		strbuf_printf(&text, "of %s ", pronoun);
	}
	result_add_note(result, "%sinclude)", text.data);
	strbuf_free(&text);
}

void
result_note_unfinished(struct result *result, struct store *store, const char *of)
{
	struct holding holding = read_run(store);
	note_unfinished(result, &holding, of);
}

static void
add_clause(struct strbuf *out, const char *text)
{
	strbuf_printf(out, "%s%s", out->len ? "; " : ": ", text);
}

static void
list_clauses(struct strbuf *clauses, unsigned parts)
{
	if (parts & SUMMED_PAGES) {
		add_clause(clauses,
		           "each is a span as long as the interval it reports, anywhere in "
		           "which its calls were");
	}
	if (parts & SUMMED_MAKESPAN) {
		add_clause(clauses,
		           "they last as long as the intervals they report, so last ends and the "
		           "run's length are at most");
	}
	if (parts & SUMMED_BUSY) {
		add_clause(clauses,
		           "they last as long as the intervals they report, so busy times and "
		           "overlaps are at most, bandwidths and gaps at least");
	}
	if (parts & SUMMED_OVERLAP) {
		add_clause(clauses, "what of two sets does not overlap is at most of the one that "
		                    "has such records, at least of the other");
	}
	if (parts & SUMMED_SELF) {
		add_clause(clauses, "their self times are their calls' durations, and so at most");
	}
	if (parts & SUMMED_DISTRIBUTION) {
		add_clause(clauses,
		           "quantiles, deviations and counts by size have no distribution of "
		           "them and are missing where any is among the calls");
	}
}

/* Records whose interval is a guess, which bounds nothing. */
static int64_t
count_guesses(struct store *store)
{
	struct err err = ERR_INIT;
	struct stmt *stmt =
	    store_prepare(store,
	                  "SELECT max(CAST(value AS INTEGER)) FROM tags WHERE scope IS NULL AND "
	                  "key = 'records of unknown interval'",
	                  &err);
	int64_t n = stmt && stmt_step(stmt, &err) > 0 ? stmt_integer(stmt, 0) : 0;
	stmt_free(stmt);
	return n;
}

static void
note_summed(struct result *result, struct store *store, const struct holding *holding,
            const char *of, unsigned parts)
{
	const unsigned bounds = SUMMED_BUSY | SUMMED_MAKESPAN | SUMMED_OVERLAP;
	char records[FORMAT_BYTES], calls[FORMAT_BYTES];
	struct strbuf text = {0}, clauses = {0};
	int64_t guesses = holding->calls > 0 && parts & bounds ? count_guesses(store) : 0;

	list_clauses(&clauses, parts);
	if (guesses > 0) {
		strbuf_printf(&clauses,
		              "; but of %s record%s of the run the interval is not known: where "
		              "these are part of this, none of it is a bound",
		              format_count(records, guesses), guesses == 1 ? "" : "s");
	}
	if (holding->calls > 0 && clauses.len > 0) {
		start_note(&text, holding, of);
		result_add_note(
		    result, "%s%s record%s%s stand%s for %s calls%s%s", text.data ? text.data : "",
		    format_count(records, holding->records), holding->records == 1 ? "" : "s",
		    holding->is_of_run ? " of the run" : "", holding->records == 1 ? "s" : "",
		    format_count(calls, holding->calls),
		    holding->is_of_run ? "; where they are part of this" : "", clauses.data);
	}
	strbuf_free(&text);
	strbuf_free(&clauses);
}

void
result_note_summed(struct result *result, struct store *store, const char *of, unsigned parts)
{
	struct holding holding = read_run(store);
	note_summed(result, store, &holding, of, parts);
}

/* Of scans with one filter (and other parameters) together. */
static bool
is_counted_before(const struct store_census *censuses, size_t i)
{
	bool is_before = false;
	for (size_t j = 0; j < i; j++) {
		is_before |= strcmp(censuses[j].filter, censuses[i].filter) == 0;
	}
	return is_before;
}

void
query_note_left_out(struct result *result, const struct store *store)
{
	char records[FORMAT_BYTES], calls[FORMAT_BYTES];
	const struct store_census *censuses;
	size_t n = store_censuses(store, &censuses);

	for (size_t i = 0; i < n; i++) {
		int64_t n_records = 0, n_calls = 0;
		for (size_t j = i; j < n && !is_counted_before(censuses, i); j++) {
			bool is_same = strcmp(censuses[j].filter, censuses[i].filter) == 0;
			const struct scan_census *census = &censuses[j].census;
			time_raise(&n_records, is_same ? census->left_out_records : 0);
			time_raise(&n_calls, is_same ? census->left_out_calls : 0);
		}
		if (n_records > 0) {
			result_add_note(result,
			                "%s calls in %s record%s of many calls are left out: "
			                "whether %s holds for each of them is not known",
			                format_count(calls, n_calls),
			                format_count(records, n_records), n_records == 1 ? "" : "s",
			                censuses[i].filter);
		}
	}
}

void
query_note_spans(struct result *result, struct store *store, const struct saved_query *query)
{
	static const char *const spans[] = {"span", "work_total", "FROM makespan", NULL};
	static const char *const pages[] = {"span_page", "span_flows", "FROM span ", "JOIN span ",
	                                    NULL};
	/* What no scan of a filter stands between. */
	static const char *const whole[] = {
	    "span_total",  "work_total", "FROM makespan", "FROM span ", "JOIN span ", "FROM span\n",
	    "JOIN span\n", "FROM span)", "FROM span;",    "FROM span,", ", span ",    "span_flows",
	    NULL};
	static const char *const overlap[] = {"span_overlap", NULL};
	static const char *const busy[] = {"span_busy",    "span_idle", "span_gaps",
	                                   "span_overlap", "union_ns",  NULL};
	static const char *const makespan[] = {"finish_max", "duration_ns", "FROM makespan", NULL};
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
	struct holding holding = read_scans(store);
	if (names_any(sql, whole)) {
		holding = read_run(store);
		holding.is_of_run = true;
	}
	note_unfinished(result, &holding, NULL);
	unsigned parts = names_any(sql, busy)       ? SUMMED_BUSY
	                 : names_any(sql, makespan) ? SUMMED_MAKESPAN
	                                            : 0;
	parts |= names_any(sql, self) && !(parts & SUMMED_BUSY) ? SUMMED_SELF : 0;
	parts |= names_any(sql, distribution) ? SUMMED_DISTRIBUTION
	         : names_any(sql, pages)      ? SUMMED_PAGES
	                                      : 0;
	parts |= names_any(sql, overlap) ? SUMMED_OVERLAP : 0;
	note_summed(result, store, &holding, NULL, parts);
	query_note_left_out(result, store);
}
