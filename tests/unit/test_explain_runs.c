/* Every part that applies, asked of imported runs: whole answers, and what is told where the database
 * below has no memory: an error, never an answer of a part of the rows. */
#include "config.h"

#include <sqlite3.h>

#include "answers.h"
#include "explain/explain.h"
#include "imported_run.h"

/* ---- a database that may run out of memory ---- */

static sqlite3_mem_methods methods;
static long n_wanted, fail_at; /* allocations; 0: never */

static void *
scarce_malloc(int n)
{
	return ++n_wanted == fail_at ? NULL : methods.xMalloc(n);
}

static void *
scarce_realloc(void *memory, int n)
{
	return ++n_wanted == fail_at ? NULL : methods.xRealloc(memory, n);
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
    {"runs: a trace and itself", "chrome", "chrome/path.json", "chrome/path.json"},
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
		char *text = read_data(r ? pair->b : pair->a);
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

/* What one who asks with the defaults is told; false: an error, which is told too. */
static bool
tell_part(struct strbuf *text, const struct explain_part *part, bool has_notes)
{
	struct err err = ERR_INIT;
	struct query_argument given[8];
	size_t n_given = 0;
	struct explain *explain =
	    explain_new(&stores[0], &names[0], 1, &stores[1], &names[1], 1, NULL);
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
	result_free(result);
	explain_free(explain);
	return is_told;
}

static bool
tell_summary(struct strbuf *text, size_t limit)
{
	struct err err = ERR_INIT;
	struct explain *explain =
	    explain_new(&stores[0], &names[0], 1, &stores[1], &names[1], 1, NULL);
	struct result *result = explain_summary(explain, limit, &err);
	strbuf_add_text(text, "-- summary\n");
	if (result) {
		add_rows(text, result, false);
	} else {
		strbuf_printf(text, "error: %s\n", err.message);
	}
	bool is_told = result != NULL;
	ck_assert(is_told || err.code != ERR_NONE);
	result_free(result);
	explain_free(explain);
	return is_told;
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
		tell_part(&text, explain_parts[p], true);
	}
	check_section(pairs[_i].name, &text);
	tear_down_pair();
}
END_TEST

/* ---- faults ---- */

/* All of the first, then ever fewer. */
static long
next_point(long point)
{
	return point + 1 + point / 6;
}

START_TEST(faults)
{
	size_t n_failed = 0;
	set_up_pair(&pairs[_i]);
	for (size_t p = 0; is_asked(p); p++) {
		const struct explain_part *part = explain_parts[p];
		struct strbuf right = {0};
		fail_at = n_wanted = 0;
		bool is_told = tell_part(&right, part, false);
		long n_all = n_wanted;
		for (long point = 1; is_told && point <= n_all; point = next_point(point)) {
			struct strbuf found = {0};
			n_wanted = 0;
			fail_at = point;
			bool is_found = tell_part(&found, part, false);
			fail_at = 0;
			if (is_found && strcmp(found.data, right.data) != 0) {
				printf("# found: %s# not: %s", found.data, right.data);
				fflush(stdout);
				ck_abort_msg("%s, without the %ldth", part->name, point);
			}
			n_failed += !is_found;
			strbuf_free(&found);
		}
		strbuf_free(&right);
	}
	printf("# %zu answers failed\n", n_failed);
	ck_assert_uint_gt(n_failed, 20);
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
	tcase_add_loop_test(tcase, faults, 0, COUNT_OF(pairs));
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
