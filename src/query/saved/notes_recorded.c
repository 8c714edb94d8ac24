/*
 * What differs between the runs that a table puts side by side. Half of the trace files missing
 * looks like half of the writes: so before any figure of two runs is compared, differences in what
 * was recorded are stated, each beside the run that it is of. Of many runs those of one value stand
 * together. Where runs that are tagged alike become one row, others are meant to differ, and only
 * those are told of that differ from their like, or have lost something.
 */
#include "config.h"
#include "query/saved/query.h"
#include "query/saved/lane_words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/order.h"
#include "util/workers.h"

#define RUNS_LISTED 6 /* each with its value; more are named by value */
#define RUNS_NAMED 3  /* of one value; more are counted */
#define VALUES_LISTED 4
#define UNKNOWN "-"
#define RUNS_A_THREAD 8

/* Each gives one number or text; small tables only. */
static const struct fact {
	const char *what, *sql;
	enum { MAY_DIFFER, MUST_BE_SAME, MUST_BE_NEAR } must; /* for runs to be comparable */
	bool is_loss; /* whatever the runs are: they were not meant to differ in it */
} facts[] = {
    {"format", "SELECT format || coalesce(' ' || dialect, '') FROM run", MUST_BE_SAME, false},
    {"trace files", "SELECT count(*) FROM source", MUST_BE_NEAR, false},
    {"cut trace files", "SELECT count(*) FROM source WHERE truncated", MAY_DIFFER, true},
    {"hosts", "SELECT count(DISTINCT host) FROM lane", MAY_DIFFER, false},
    {"ranks", "SELECT max(value) FROM tags WHERE scope IS NULL AND key = 'ranks'", MUST_BE_SAME,
     false},
    {"processes",
     "SELECT count(*) FROM (SELECT DISTINCT host, process FROM lane WHERE process IS NOT NULL)",
     MAY_DIFFER, false},
    {"lanes", "SELECT " LANES_COUNTED, MAY_DIFFER, false},
    {"tasks", "SELECT tasks FROM run", MAY_DIFFER, false},
    {"skipped records", "SELECT coalesce(sum(bad_records), 0) FROM source", MAY_DIFFER, true},
    {"problems", "SELECT problems FROM run", MAY_DIFFER, true},
};

/* The fact of one run as text; "?" when it can't be read. */
static char *
read_fact(struct store *store, const char *sql)
{
	struct err err = ERR_INIT;
	struct result *result = query_sql(store, sql, NULL, &err);
	struct strbuf text = {0};
	if (!result || result->n_rows == 0) {
		strbuf_add_char(&text, '?');
	} else if (result_value(result, 0, 0)->type == VALUE_INTEGER) {
		strbuf_printf(&text, "%lld", (long long)result_value(result, 0, 0)->integer);
	} else if (result_value(result, 0, 0)->type == VALUE_TEXT) {
		struct slice value = result_value(result, 0, 0)->text;
		strbuf_add_slice(&text, value);
	} else {
		strbuf_printf(&text, "%s", UNKNOWN);
	}
	result_free(result);
	return strbuf_take(&text);
}

/* What runs have, and which of them are listed. */
struct fact_of_runs {
	char *const *values;
	const char *const *names;
	const size_t *runs;
	size_t n;
};

static bool
is_alike(const struct fact_of_runs *fact, size_t a, size_t b)
{
	return strcmp(fact->values[fact->runs[a]], fact->values[fact->runs[b]]) == 0;
}

/* "n1 4, n2 4, n4 20" */
static void
print_by_run(struct strbuf *out, const struct fact_of_runs *fact)
{
	for (size_t i = 0; i < fact->n; i++) {
		size_t run = fact->runs[i];
		strbuf_printf(out, "%s%s %s", i ? ", " : "", fact->names[run], fact->values[run]);
	}
}

/* " (30 runs)" or " (n4, n8)": who has what the i-th has. */
static void
print_who(struct strbuf *out, const struct fact_of_runs *fact, size_t i, size_t n_alike)
{
	if (n_alike > RUNS_NAMED) {
		strbuf_printf(out, " (%zu runs)", n_alike);
		return;
	}
	for (size_t k = i, told = 0; k < fact->n; k++) {
		if (is_alike(fact, k, i)) {
			strbuf_printf(out, "%s%s", told++ ? ", " : " (",
			              fact->names[fact->runs[k]]);
		}
	}
	strbuf_add_char(out, ')');
}

/* "4 (30 runs), 20 (n4)": for each value, in the order of the runs, who has it. */
static void
print_by_value(struct strbuf *out, const struct fact_of_runs *fact)
{
	size_t n_values = 0;

	for (size_t i = 0; i < fact->n; i++) {
		size_t same = 0, before = 0;
		for (size_t k = 0; k < fact->n; k++) {
			same += is_alike(fact, k, i);
			before += k < i && is_alike(fact, k, i);
		}
		if (before == 0 && n_values++ < VALUES_LISTED) {
			strbuf_printf(out, "%s%s", i ? ", " : "", fact->values[fact->runs[i]]);
			print_who(out, fact, i, same);
		}
	}
	if (n_values > VALUES_LISTED) {
		strbuf_printf(out, " and %zu more", n_values - VALUES_LISTED);
	}
}

/* The runs that differ from another of their group: of these groups all. */
static size_t
find_differing(char *const *values, const size_t *groups, size_t n, size_t *runs)
{
	size_t n_differing = 0;

	for (size_t r = 0; r < n; r++) {
		bool differs = false;
		for (size_t i = 0; i < n && !differs; i++) {
			differs = (!groups || groups[i] == groups[r]) &&
			          strcmp(values[i], values[r]) != 0;
		}
		if (differs) {
			runs[n_differing++] = r;
		}
	}
	return n_differing;
}

#define NEAR 0.9 /* of the most trace files: the fewest that are as good as all */

/* Does what they have keep runs from being compared? What is not known of a run does not. */
static bool
do_clash(const struct fact *fact, char *const *values, size_t n)
{
	const char *known = NULL;
	double least = INFINITY, most = 0;
	bool clash = false;
	for (size_t r = 0; r < n; r++) {
		if (strcmp(values[r], UNKNOWN) != 0) {
			clash = clash || (known && strcmp(values[r], known) != 0);
			known = values[r];
			least = fmin(least, strtod(values[r], NULL));
			most = fmax(most, strtod(values[r], NULL));
		}
	}
	return fact->must == MUST_BE_SAME ? clash
	                                  : fact->must == MUST_BE_NEAR && least < NEAR * most;
}

struct fact_reading {
	struct store *const *stores;
	size_t n;
	char **values; /* of each fact, those of all runs */
};

/* The first run of the same connection, which is for one thread at a time. */
static size_t
first_of_store(const struct fact_reading *reading, size_t run)
{
	size_t first = 0;
	while (reading->stores[first] != reading->stores[run]) {
		first++;
	}
	return first;
}

static int
read_facts(void *user, size_t run, unsigned thread, struct err *err)
{
	const struct fact_reading *reading = user;
	(void)thread;
	(void)err;
	for (size_t i = 0; first_of_store(reading, run) == run && i < COUNT_OF(facts); i++) {
		reading->values[i * reading->n + run] =
		    read_fact(reading->stores[run], facts[i].sql);
	}
	return 0;
}

/* Appends the facts in which runs of a group (NULL: all are of one) differ, each with the run that
 * it is of; is_clash: those alone that keep them from being compared. */
static void
list_differences(struct strbuf *out, struct store *const *stores, const char *const *names,
                 const size_t *groups, size_t n, bool is_clash)
{
	struct fact_reading reading = {stores, n, xcalloc(n * COUNT_OF(facts) + 1, sizeof(char *))};
	struct err stopped = ERR_INIT; /* only that: what can't be read is not known */
	size_t *runs = xcalloc(n + 1, sizeof *runs);
	unsigned n_threads = (unsigned)LEAST((size_t)workers_count(), n / RUNS_A_THREAD + 1);
	bool is_read = workers_run(n_threads, n, read_facts, &reading, NULL, &stopped) == 0;
	for (size_t r = 0; is_read && r < n; r++) {
		size_t first = first_of_store(&reading, r);
		for (size_t i = 0; first != r && i < COUNT_OF(facts); i++) {
			reading.values[i * n + r] = xstrdup(reading.values[i * n + first]);
		}
	}
	for (size_t i = 0; is_read && i < COUNT_OF(facts); i++) {
		char **values = reading.values + i * n;
		struct fact_of_runs differing = {
		    values, names, runs,
		    find_differing(values, facts[i].is_loss ? NULL : groups, n, runs)};
		if (is_clash ? do_clash(&facts[i], values, n) : differing.n > 0) {
			strbuf_printf(out, "%s%s ", out->len ? "; " : "", facts[i].what);
			(differing.n > RUNS_LISTED ? print_by_value : print_by_run)(out,
			                                                            &differing);
		}
	}
	for (size_t i = 0; i < n * COUNT_OF(facts); i++) {
		free(reading.values[i]);
	}
	free(runs);
	free(reading.values);
}

void
query_note_differences(struct result *result, struct store *const *stores, const char *const *names,
                       const size_t *groups, size_t n)
{
	struct strbuf note = {0};
	list_differences(&note, stores, names, groups, n, false);
	if (note.len) {
		result_add_note(result, "%s: %s",
		                groups ? "runs that should be alike differ" : "the runs differ",
		                note.data);
	}
	strbuf_free(&note);
}

void
query_clashes(struct strbuf *out, struct store *const *stores, const char *const *names, size_t n)
{
	list_differences(out, stores, names, NULL, n, true);
}
