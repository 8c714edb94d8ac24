/* Every part that applies, asked of imported runs: whole answers, and what is told where the
 * database below has no memory, or the user gives up: that, never an answer of half the rows. */
#include "config.h"

#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include "answers.h"
#include "explain/explain.h"
#include "explain/gate_figures.h"
#include "imported_run.h"

/* ---- a database that may run out of memory ---- */

static sqlite3_mem_methods methods;
static long n_wanted, fails_at, stops_at; /* allocations; 0: never */
static struct cancel cancel;

/* At one, memory is at its end; at another, the user gives up. */
static bool
is_lost(void)
{
	n_wanted++;
	if (n_wanted == stops_at) {
		cancel_request(&cancel);
	}
	return n_wanted == fails_at;
}

static void *
scarce_malloc(int n)
{
	return is_lost() ? NULL : methods.xMalloc(n);
}

static void *
scarce_realloc(void *memory, int n)
{
	return is_lost() ? NULL : methods.xRealloc(memory, n);
}

static void
make_memory_scarce(void)
{
	sqlite3_mem_methods scarce;
	sqlite3_config(SQLITE_CONFIG_GETMALLOC, &methods);
	scarce = methods;
	scarce.xMalloc = scarce_malloc;
	scarce.xRealloc = scarce_realloc;
	sqlite3_config(SQLITE_CONFIG_MALLOC, &scarce);
}

/* ---- runs ---- */

static const struct run_pair {
	const char *name, *format, *a, *b;
} pairs[] = {
    {"runs: tasks on one and on four workers", "cascade", "golden/one.jsonl", "golden/four.jsonl"},
    {"runs: tasks on hosts", "cascade", "golden/hosts.jsonl", "golden/hosts.run2.jsonl"},
    {"runs: calls", "dftracer", "golden/base-0.pfw", "dftracer/density.pfw"},
    {"runs: sums of calls", "dftracer", "dftracer/aggregated.pfw", "dftracer/new.pfw"},
    {"runs: streams of a device", "chrome", "chrome/streams.json", "chrome/gpu.json"},
    {"runs: spans without an end", "chrome", "chrome/phases.json", "chrome/build.json"},
    {"runs: a trace and itself", "chrome", "chrome/path.json", "chrome/path.json"},
    {"runs: counters alone", "chrome",
     "{\"ph\":\"C\",\"pid\":1,\"ts\":44,\"name\":\"c\",\"args\":{\"value\":1}}",
     "chrome/path.json"}, /* the last: there is nothing to be asked */
};

static struct store *stores[2];
static const char *const names[2] = {"a", "b"};

static char *
read_data(const char *name)
{
	char path[1000], bytes[4096];
	struct strbuf text = {0};
	snprintf(path, sizeof path, "%s/tests/data/%s", getenv("LANESCOPE_SRCDIR"), name);
	FILE *file = fopen(path, "rb");
	ck_assert_msg(file != NULL, "%s", path);
	for (size_t n; (n = fread(bytes, 1, sizeof bytes, file)) > 0;) {
		strbuf_add(&text, bytes, n);
	}
	fclose(file);
	return strbuf_take(&text);
}

static void
set_up_pair(const struct run_pair *pair)
{
	make_folder();
	for (int r = 0; r < 2; r++) {
		const char *source = r ? pair->b : pair->a;
		char *text = source[0] == '{' ? xstrdup(source) : read_data(source);
		stores[r] = import_text(pair->format, names[r], text);
		free(text);
	}
}

static void
tear_down_pair(void)
{
	store_close(stores[0]);
	store_close(stores[1]);
	remove_folder();
}

enum asked_of { A_PAIR, GROUPS, SERIES };

static struct explain *
ask_of(enum asked_of of)
{
	struct store *runs[4] = {stores[0], stores[1], stores[0], stores[1]};
	const char *const run_names[4] = {names[0], names[1], "c", "d"};
	atomic_init(&cancel.requested, false);
	return of == A_PAIR   ? explain_new(runs, run_names, 1, runs + 1, run_names + 1, 1, &cancel)
	       : of == GROUPS ? explain_new(runs, run_names, 2, runs + 2, run_names + 2, 2, &cancel)
	                      : explain_new_series(runs, run_names, 4, &cancel);
}

/* What one who asks with the defaults is told; false: an error, which is told too. */
static bool
tell_part(struct strbuf *text, const struct explain_part *part, enum asked_of of, bool has_notes)
{
	struct err err = ERR_INIT;
	struct query_argument given[8];
	size_t n_given = 0;
	struct explain *explain = ask_of(of);
	for (size_t p = 0; p < part->n_params; p++) {
		if (!part->params[p].default_text) {
			given[n_given++] =
			    (struct query_argument){part->params[p].name, "duration > 1000"};
		}
	}
	struct result *result = has_notes
	                            ? explain_compute(explain, part, given, n_given, &err)
	                            : explain_compute_rows(explain, part, given, n_given, &err);
	strbuf_printf(text, "-- %s\n", part->name);
	if (result) {
		result->n_notes = has_notes ? result->n_notes : 0;
		add_rows(text, result, result->n_rows > 4 * FIRST_ROWS);
	} else {
		strbuf_printf(text, "error: %s\n", err.message);
	}
	bool is_told = result != NULL;
	ck_assert(is_told || err.code != ERR_NONE);
	ck_assert(is_told || !cancel_requested(&cancel) || err.code == ERR_CANCELLED);
	result_free(result);
	explain_free(explain);
	return is_told;
}

/* false: an error, or something is lost, which is noted. */
static bool
tell_summary(struct strbuf *text, size_t limit)
{
	struct err err = ERR_INIT;
	struct explain *explain = ask_of(A_PAIR);
	struct result *result = explain_summary(explain, limit, &err);
	strbuf_add_text(text, "-- summary\n");
	if (result) {
		add_rows(text, result, false);
	} else {
		strbuf_printf(text, "error: %s\n", err.message);
	}
	bool is_told = result && explain->lost->code == ERR_NONE;
	ck_assert(result || err.code != ERR_NONE);
	result_free(result);
	explain_free(explain);
	return is_told;
}

/* Makespans as a gate sees them, of pairs and of groups. */
static void
tell_gate(struct strbuf *text, size_t n_a, size_t n_b, double limit)
{
	struct store *runs[12];
	const char *run_names[12];
	struct err err = ERR_INIT;
	for (size_t i = 0; i < n_a + n_b; i++) {
		runs[i] = stores[i >= n_a];
		run_names[i] = names[i >= n_a];
	}
	struct explain *explain =
	    explain_new(runs, run_names, n_a, runs + n_a, run_names + n_a, n_b, NULL);
	struct gate *gate = gate_new(limit, runs, run_names, n_a, n_b);
	strbuf_printf(text, "-- gate of %zu and %zu, %g\n", n_a, n_b, limit);
	if (gate_add_makespans(gate, explain, &err)) {
		strbuf_printf(text, "error: %s\n", err.message);
	} else {
		const struct gate_figure *figure = &gate->figures[0];
		strbuf_printf(text, "%zu and %zu: %s%.6g %s%.6g error %.6g\n", figure->n[0],
		              figure->n[1], figure->bound[0], figure->values[0][0],
		              figure->bound[1], figure->values[1][0], figure->error);
	}
	enum gate_verdict verdict = gate_judge(gate, text);
	strbuf_printf(text, ": %d\n", verdict);
	gate_free(gate);
	explain_free(explain);
}

/* All parts but the last: indicators are of all saved queries, and leave out what can't be had. */
static bool
is_asked(size_t part)
{
	return explain_parts[part] != &explain_indicators;
}

START_TEST(answers)
{
	struct strbuf text = {0};
	set_up_pair(&pairs[_i]);
	strbuf_printf(&text, "== %s\n", pairs[_i].name);
	tell_summary(&text, 0);
	tell_summary(&text, 3);
	for (size_t p = 0; is_asked(p); p++) {
		tell_part(&text, explain_parts[p], A_PAIR, true);
	}
	tell_gate(&text, 1, 1, 0);
	tell_gate(&text, 1, 1, 0.05);
	tell_gate(&text, 1, 1, 2);
	tell_gate(&text, 5, 6, 0.05);
	check_section(pairs[_i].name, &text);
	tear_down_pair();
}
END_TEST

/* ---- two at a time ---- */

struct visits {
	size_t n, last; /* the last fails; 0: none */
	struct explain_deal deals[8];
	bool had_a[8], had_b[8]; /* their schedules were there already */
};

static int
visit(void *user, struct explain *pair, const struct explain_deal *deal, struct err *err)
{
	struct visits *visits = user;
	const struct schedule *a, *b;
	visits->had_a[visits->n] = pair->a->schedule != NULL;
	visits->had_b[visits->n] = pair->b->schedule != NULL;
	visits->deals[visits->n++] = *deal;
	ck_assert_int_eq(explain_schedules(pair, &a, &b, err), 0);
	return visits->n == visits->last ? err_set(err, ERR_LIMIT, "enough") : 0;
}

static struct explain *
two_and_three(void)
{
	struct store *runs[3] = {stores[0], stores[1], stores[0]};
	const char *const run_names[3] = {"x", "y", "z"};
	return explain_new(runs, run_names, 2, runs, run_names, 3, NULL);
}

START_TEST(pairs_of_groups)
{
	static const struct explain_deal deals[] = {
	    {0, 0, 2, 3, 2}, {0, 1, 1, 3, 2}, {1, 1, 1, 3, 2}, {1, 2, 2, 3, 2}};
	struct err err = ERR_INIT;
	set_up_pair(&pairs[0]);
	for (int are_large = 0; are_large < 2; are_large++) {
		struct visits visits = {.n = 0};
		if (are_large) { /* all are too much to be kept */
			struct run_info info = *store_run(stores[0]);
			info.n_spans = 100 << 20;
			memcpy((void *)(uintptr_t)store_run(stores[0]), &info, sizeof info);
		}
		struct explain *explain = two_and_three();
		ck_assert_int_eq(explain_each_pair(explain, visit, &visits, &err), 0);
		ck_assert_uint_eq(visits.n, COUNT_OF(deals));
		for (size_t d = 0; d < COUNT_OF(deals); d++) {
			ck_assert_uint_eq(visits.deals[d].a, deals[d].a);
			ck_assert_uint_eq(visits.deals[d].b, deals[d].b);
			ck_assert_int_eq(visits.deals[d].weight, deals[d].weight);
			ck_assert_int_eq(visits.deals[d].weight_a, deals[d].weight_a);
			ck_assert_int_eq(visits.deals[d].weight_b, deals[d].weight_b);
			ck_assert_int_eq(visits.had_a[d], d % 2 == 1);
			ck_assert_int_eq(visits.had_b[d], d == 2);
		}
		for (size_t r = 0; r < 5; r++) { /* and are freed when they are done with */
			ck_assert_int_eq(explain_run_at(explain, r)->schedule == NULL, are_large);
		}
		explain_free(explain);
	}
	tear_down_pair();
}
END_TEST

START_TEST(a_pair_that_fails_is_the_last)
{
	set_up_pair(&pairs[0]);
	for (size_t last = 1; last < 5; last++) {
		struct visits visits = {.last = last};
		struct err err = ERR_INIT;
		struct explain *explain = two_and_three();
		ck_assert_int_eq(explain_each_pair(explain, visit, &visits, &err), -1);
		ck_assert_uint_eq(visits.n, last);
		ck_assert_int_eq(err.code, ERR_LIMIT);
		explain_free(explain);
	}
	tear_down_pair();
}
END_TEST

START_TEST(arguments_that_are_none_are_0)
{
	ck_assert_int_eq(explain_integer(KIND_COUNT, "17"), 17);
	ck_assert_int_eq(explain_integer(KIND_COUNT, "many"), 0);
	ck_assert_int_eq(explain_integer(KIND_DURATION, "soon"), 0);
	ck_assert_double_eq(explain_share("5%"), 0.05);
	ck_assert_double_eq(explain_share("much"), 0);
}
END_TEST

/* ---- faults ---- */

/* All of the first, then ever fewer. */
static long
next_point(long point)
{
	return point + 1 + point / 6;
}

/* Asks with a fault at ever later points, until there is none; how many answers fail. */
static size_t
count_failed(const struct explain_part *part, enum asked_of of, long *at)
{
	struct strbuf right = {0};
	size_t n_failed = 0;
	n_wanted = 0;
	bool is_told = tell_part(&right, part, of, false);
	long n_all = n_wanted;
	for (long point = 1; is_told && point <= n_all; point = next_point(point)) {
		struct strbuf found = {0};
		n_wanted = 0;
		*at = point;
		bool is_found = tell_part(&found, part, of, false);
		*at = 0;
		if (is_found && strcmp(found.data, right.data) != 0) {
			printf("# found: %s# not: %s", found.data, right.data);
			fflush(stdout);
			ck_abort_msg("%s, at the %ldth", part->name, point);
		}
		n_failed += !is_found;
		strbuf_free(&found);
	}
	strbuf_free(&right);
	return n_failed;
}

START_TEST(faults)
{
	size_t n_failed = 0;
	set_up_pair(&pairs[_i]);
	for (size_t p = 0; is_asked(p); p++) {
		n_failed += count_failed(explain_parts[p], A_PAIR, &fails_at);
	}
	printf("# %zu answers failed\n", n_failed);
	ck_assert_uint_gt(n_failed, 0);
	tear_down_pair();
}
END_TEST

enum { WHOLE, LOST, SILENT };

static int
lose_part(const struct strbuf *right, long point)
{
	struct strbuf found = {0};
	struct err err = ERR_INIT;
	n_wanted = 0;
	fails_at = point;
	bool is_whole = tell_summary(&found, 0) && store_failure(&err) == 0;
	if (is_whole && strcmp(found.data, right->data) != 0) {
		printf("# at the %ldth: %s# not: %s", point, found.data, right->data);
		fflush(stdout);
		return SILENT;
	}
	return !is_whole && strstr(found.data, " is lost: ") ? LOST : WHOLE;
}

/* A summary goes on without a part that failed, and tells it. */
START_TEST(summaries_lose_parts)
{
	struct strbuf right = {0};
	size_t n_lost = 0;
	set_up_pair(&pairs[_i]);
	n_wanted = 0;
	ck_assert(tell_summary(&right, 0));
	long n_all = n_wanted;
	for (long point = 1; point <= n_all; point = next_point(point)) {
		pid_t child = fork(); /* failures are kept as long as a program lasts */
		int status = 0;
		if (child == 0) {
			_exit(lose_part(&right, point));
		}
		ck_assert_int_eq(waitpid(child, &status, 0), child);
		ck_assert_msg(WIFEXITED(status), "at the %ldth", point);
		ck_assert_int_ne(WEXITSTATUS(status), SILENT);
		n_lost += WEXITSTATUS(status) == LOST;
	}
	ck_assert_uint_gt(n_lost, 0);
	strbuf_free(&right);
	tear_down_pair();
}
END_TEST

/* Who gives up in the middle is told so, or has the answer that is there already. */
START_TEST(stopped)
{
	size_t n_failed = 0;
	set_up_pair(&pairs[_i * 2]);
	for (size_t p = 0; is_asked(p); p++) {
		for (int of = A_PAIR; of <= SERIES; of++) {
			n_failed += count_failed(explain_parts[p], (enum asked_of)of, &stops_at);
		}
	}
	printf("# %zu answers were stopped\n", n_failed);
	ck_assert_uint_gt(n_failed, 0);
	tear_down_pair();
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("explain_runs");
	TCase *tcase = tcase_create("runs");
	make_memory_scarce();
	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, answers, 0, COUNT_OF(pairs));
	tcase_add_test(tcase, pairs_of_groups);
	tcase_add_test(tcase, a_pair_that_fails_is_the_last);
	tcase_add_test(tcase, arguments_that_are_none_are_0);
	tcase_add_loop_test(tcase, summaries_lose_parts, 0, 2);
	tcase_add_loop_test(tcase, stopped, 0, 2);
	tcase_add_loop_test(tcase, faults, 0, COUNT_OF(pairs) - 1);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
