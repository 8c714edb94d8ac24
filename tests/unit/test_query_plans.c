/*
 * Every built-in query on an empty run of each format it is for: it is prepared, gives the columns
 * that its header declares, and does not read raw spans, events or counters, unless it says why.
 */
#include "config.h"
#include "folder.h"
#include "unit.h"

#include <string.h>

#include "query/saved/notes.h"
#include "query/saved/query.h"
#include "query/saved/query_file.h"
#include "store/writer.h"

static const char *folder;

/* An empty run; the path is static. */
static const char *
empty_run(const char *format)
{
	static char path[256];
	struct err err = ERR_INIT;
	struct writer_run run = {.name = "empty",
	                         .format = format,
	                         .dialect = "generation 1",
	                         .clock = CLOCK_WALL,
	                         .tile_base_ns = 1,
	                         .tile_levels = 1};
	snprintf(path, sizeof path, "%s/%s.lanes", folder, format);
	if (access(path, R_OK) == 0) {
		return path;
	}
	struct writer *writer = writer_new(path, &err);
	ck_assert_msg(writer != NULL, "%s", err.message);
	ck_assert_msg(writer_set_run(writer, &run, &err) == 0, "%s", err.message);
	ck_assert_msg(writer_finish(writer, NULL, NULL, &err) == 0, "%s", err.message);
	return path;
}

static void
check_plan(struct store *store, const struct saved_query *query)
{
	static const char *const raw[] = {"SCAN span ",  "SCAN event ",  "SCAN counter ",
	                                  "TABLE span ", "TABLE event ", "TABLE counter "};
	struct err err = ERR_INIT;
	struct strbuf sql = {0};
	strbuf_printf(&sql, "EXPLAIN QUERY PLAN %s", query->sql);
	struct stmt *stmt = store_prepare(store, sql.data, &err);
	ck_assert_msg(stmt != NULL, "%s: %s", query->name, err.message);
	while (stmt_step(stmt, &err) == 1) {
		struct slice text = stmt_text(stmt, 3);
		char *detail = xstrndup(text.ptr, text.len);
		strbuf_clear(&sql);
		strbuf_printf(&sql, "%s ", detail);
		for (size_t i = 0; i < sizeof raw / sizeof *raw; i++) {
			/* one row by its id: an end of a dependency */
			bool is_one = store_scope(store)->n > 0 && strstr(sql.data, ":A= ");
			bool found = !is_one && strstr(sql.data, raw[i]) != NULL;
			ck_assert_msg(!found || query->scans, "%s reads raw rows: %s", query->name,
			              detail);
		}
		free(detail);
	}
	ck_assert_msg(err.code == ERR_NONE, "%s: %s", query->name, err.message);
	stmt_free(stmt);
	strbuf_free(&sql);
}

/* Gives a required parameter some text, runs the query. */
static void
check_run(struct store *store, const struct saved_query *query)
{
	struct query_argument arguments[8];
	struct err err = ERR_INIT;
	size_t n = 0;
	for (size_t i = 0; i < query->n_params; i++) {
		if (!query->params[i].default_text) {
			bool is_text = query->params[i].kind == KIND_TEXT; /* maybe a filter */
			arguments[n++] = (struct query_argument){query->params[i].name,
			                                         is_text ? "id = 1" : "1"};
		}
	}
	struct result *result = query_run(store, query, arguments, n, NULL, &err);
	ck_assert_msg(result != NULL, "%s", err.message);
	for (size_t i = 0; i < query->n_columns; i++) {
		ck_assert_msg(i < result->n_columns &&
		                  strcmp(result->columns[i].name, query->columns[i].name) == 0,
		              "%s: column %zu is not %s", query->name, i + 1,
		              query->columns[i].name);
	}
	ck_assert_msg(result->n_columns == query->n_columns, "%s: undeclared columns", query->name);
	result_free(result);
}

static void
set_scope(struct store *store, const char *words)
{
	struct scope scope;
	struct err err = ERR_INIT;
	ck_assert_msg(scope_read(slice_of(words), &scope, &err) == 0, "%s", err.message);
	ck_assert_msg(store_set_scope(store, &scope, &err) == 0, "%s", err.message);
	scope_free(&scope);
}

START_TEST(test_built_in)
{
	static const char *const scopes[] = {"", "range 0 .. 1s",
	                                     "range 1s ..; lanes gpu*; name = x"};
	static const char *const formats[] = {"cascade", "dftracer",   "chrome",
	                                      "dasf",    "preemption", "dataload"};
	struct err err = ERR_INIT;
	struct query_library *library = query_library_open(NULL);
	for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
		struct store *store = store_open(empty_run(formats[f]), &err);
		ck_assert_msg(store != NULL, "%s", err.message);
		for (size_t i = 0; i < query_library_count(library); i++) {
			const struct saved_query *query = query_library_get(library, i);
			if (!query_applies(query, store_run(store))) {
				continue;
			}
			for (unsigned s = 0; s < sizeof scopes / sizeof *scopes; s++) {
				set_scope(store, scopes[s]);
				check_plan(store, query);
				check_run(store, query);
			}
		}
		store_close(store);
	}
	query_library_close(library);
}
END_TEST

/* What each answer's notes ask of a run, however many names it has. */
START_TEST(test_notes)
{
	struct err err = ERR_INIT;
	struct store *store = store_open(empty_run("chrome"), &err);
	struct strbuf sql = {0};
	int n_indexes = 0;

	ck_assert_msg(store != NULL, "%s", err.message);
	strbuf_printf(&sql, "EXPLAIN QUERY PLAN %s", query_notes_run_sql);
	struct stmt *stmt = store_prepare(store, sql.data, &err);
	ck_assert_msg(stmt != NULL, "%s", err.message);
	while (stmt_step(stmt, &err) == 1) {
		struct slice step = stmt_text(stmt, 3);
		bool is_index = slice_contains(step, slice_of("USING INDEX span_total_"));
		ck_assert_msg(is_index || !slice_contains(step, slice_of("span_total")), "%.*s",
		              (int)step.len, step.ptr);
		n_indexes += is_index;
	}
	ck_assert_int_eq(n_indexes, 2);
	stmt_free(stmt);
	strbuf_free(&sql);
	store_close(store);
}
END_TEST

/* The check above would not see a raw table under another name, so statements may not name one at
 * all. */
START_TEST(test_names)
{
	struct query_library *library = query_library_open(NULL);
	for (size_t i = 0; i < query_library_count(library); i++) {
		const struct saved_query *query = query_library_get(library, i);
		static const char *const before[] = {"FROM ", "JOIN "}, *const raw[] = {"span",
		                                                                        "event",
		                                                                        "counter"};
		for (size_t b = 0; b < 2; b++) {
			for (const char *p = query->sql; (p = strstr(p, before[b]));) {
				p += strlen(before[b]);
				size_t n = strspn(p, "abcdefghijklmnopqrstuvwxyz_");
				for (size_t r = 0; r < 3; r++) {
					bool named =
					    n == strlen(raw[r]) && memcmp(p, raw[r], n) == 0;
					ck_assert_msg(!named || query->scans, "%s reads %s",
					              query->name, raw[r]);
				}
			}
		}
		ck_assert_msg(query->about != NULL && query->n_columns > 0,
		              "%s says too little of itself", query->name);
		for (size_t c = 0; c < query->n_columns; c++) {
			const struct result_column *column = &query->columns[c];
			ck_assert_msg(column_meaning(column) != NULL,
			              "%s: queries/columns does not know column %s as %s",
			              query->name, column->name, column_kinds[column->kind].name);
			ck_assert_ptr_nonnull(column_about(column));
		}
	}
	query_library_close(library);
}
END_TEST

START_TEST(test_arguments)
{
	struct err err = ERR_INIT;
	struct store *store = store_open(empty_run("dftracer"), &err);
	struct query_library *library = query_library_open(NULL);
	const struct saved_query *summary = query_library_find(library, "io-summary", &err);
	const struct saved_query *spans = query_library_find(library, "file-spans", &err);
	struct query_argument unknown = {"windwo", "1s"}, bad = {"window", "soon"},
			      twice[] = {{"window", "soon"}, {"window", "1s"}};
	ck_assert_ptr_null(query_run(store, summary, &unknown, 1, NULL, &err));
	ck_assert_int_eq(err.code, ERR_USAGE);
	ck_assert_ptr_nonnull(strstr(err.message, "did you mean \"window\""));
	ck_assert_ptr_nonnull(strstr(err.message, "it has window, method"));
	ck_assert_ptr_null(query_run(store, summary, &bad, 1, NULL, &err));
	ck_assert_ptr_nonnull(strstr(err.message, "window=soon: not a duration like 30s"));
	struct result *result = query_run(store, summary, twice, 2, NULL, &err);
	ck_assert_msg(result != NULL, "%s", err.message);
	result_free(result);
	ck_assert_ptr_null(query_run(store, spans, NULL, 0, NULL, &err));
	ck_assert_ptr_nonnull(strstr(err.message, "needs -p file="));
	struct query_argument hostile = {"file", "'; DROP TABLE run; --"};
	result = query_run(store, spans, &hostile, 1, NULL, &err);
	ck_assert_msg(result != NULL && result->n_rows == 0, "%s", err.message);
	result_free(result);
	struct cancel cancel = {true};
	ck_assert_ptr_null(query_sql(
	    store,
	    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n",
	    &cancel, &err));
	ck_assert_int_eq(err.code, ERR_CANCELLED);
	query_library_close(library);
	store_close(store);
}
END_TEST

START_TEST(test_sql_kinds)
{
	struct err err = ERR_INIT;
	struct store *store = store_open(empty_run("cascade"), &err);
	struct result *result = query_sql(
	    store,
	    "SELECT 1 AS dur_sum, 2 AS x, 0.5 AS y, 'a' AS size, NULL AS z, 1 AS mixed UNION ALL "
	    "SELECT 3, 4, 5, 'b', NULL, 'text'",
	    NULL, &err);
	ck_assert_msg(result != NULL, "%s", err.message);
	static const enum column_kind kinds[] = {KIND_DURATION, KIND_INTEGER, KIND_REAL,
	                                         KIND_TEXT,     KIND_TEXT,    KIND_TEXT};
	for (size_t i = 0; i < 6; i++) {
		ck_assert_int_eq(result->columns[i].kind, kinds[i]);
	}
	result_free(result);
	ck_assert_ptr_null(query_sql(store, "SELEC 1", NULL, &err));
	ck_assert_int_eq(err.code, ERR_QUERY);
	ck_assert_ptr_null(query_sql(store, "DELETE FROM run", NULL, &err));
	store_close(store);
}
END_TEST

static void
set_up(void)
{
	folder = folder_new();
	setenv("XDG_CONFIG_HOME", folder, 1);
}

static void
tear_down(void)
{
	folder_remove(folder);
}

int
main(void)
{
	Suite *suite = suite_create("query_plans");
	TCase *tests = tcase_create("query_plans");
	tcase_add_unchecked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, test_built_in);
	tcase_add_test(tests, test_notes);
	tcase_add_test(tests, test_names);
	tcase_add_test(tests, test_arguments);
	tcase_add_test(tests, test_sql_kinds);
	tcase_set_timeout(tests, 60);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
