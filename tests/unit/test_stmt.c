/* Statements: values, errors, what users' SQL may do, stopping them. */
#include "config.h"
#include "store/store_private.h"
#include "store/store.h"

#include "unit/small_run.h"

#include <pthread.h>
#include <sqlite3.h>
#include <time.h>

static const char *folder;
static char run_path[256];

static void
set_up(void)
{
	folder = folder_new();
	snprintf(run_path, sizeof(run_path), "%s/run.lanes", folder);
	small_run_write(run_path, "r", false);
}

static void
tear_down(void)
{
	folder_remove(folder);
}

START_TEST(test_values)
{
	struct store *store = small_run_open(run_path);
	struct stmt *stmt = small_prepare(
	    store, "SELECT :i, :r, @t, $n, x'00ff', 'a' || char(0) || 'b', :i + 1 AS next");
	ck_assert_int_eq(stmt_parameters(stmt), 4);
	ck_assert_str_eq(stmt_parameter_name(stmt, 1), ":i");
	ck_assert_str_eq(stmt_parameter_name(stmt, 3), "@t");
	stmt_bind_integer(stmt, 1, INT64_MIN);
	stmt_bind_real(stmt, 2, 0.1);
	stmt_bind_text(stmt, 3, (struct slice){"x\0y", 3});
	stmt_bind_null(stmt, 4);
	ck_assert_int_eq(stmt_columns(stmt), 7);
	ck_assert_str_eq(stmt_column_name(stmt, 6), "next");
	for (int round = 0; round < 2; round++) {
		must(stmt_step(stmt, &err) == 1);
		ck_assert_int_eq(stmt_type(stmt, 0), VALUE_INTEGER);
		ck_assert_int_eq(stmt_integer(stmt, 0), INT64_MIN);
		ck_assert_int_eq(stmt_type(stmt, 1), VALUE_REAL);
		ck_assert_double_eq(stmt_real(stmt, 1), 0.1);
		ck_assert_int_eq(stmt_type(stmt, 2), VALUE_TEXT);
		ck_assert(slice_equal(stmt_text(stmt, 2), (struct slice){"x\0y", 3}));
		ck_assert_int_eq(stmt_type(stmt, 3), VALUE_NULL);
		ck_assert_int_eq(stmt_text(stmt, 3).len, 0);
		ck_assert_int_eq(stmt_type(stmt, 4), VALUE_BLOB);
		ck_assert(slice_equal(stmt_text(stmt, 4), (struct slice){"\0\xff", 2}));
		ck_assert_int_eq(stmt_text(stmt, 5).len, 3);
		must(stmt_step(stmt, &err) == 0); /* and starts anew */
	}
	/* binding while it runs starts it anew */
	must(stmt_step(stmt, &err) == 1);
	stmt_bind_integer(stmt, 1, 5);
	must(stmt_step(stmt, &err) == 1);
	ck_assert_int_eq(stmt_integer(stmt, 6), 6);
	stmt_free(stmt);
	stmt_free(NULL);
	stmt = small_prepare(store, "SELECT ?, ?2");
	ck_assert_ptr_null(stmt_parameter_name(stmt, 1));
	stmt_free(stmt);
	store_close(store);
}
END_TEST

static void
check_no_statement(struct store *store, const char *sql, const char *part)
{
	struct err failure = ERR_INIT;
	ck_assert_msg(!store_prepare(store, sql, &failure), "%s", sql);
	ck_assert_msg(failure.code == ERR_QUERY, "%s: %s", sql, failure.message);
	ck_assert_msg(strstr(failure.message, part) != NULL, "%s: %s", sql, failure.message);
}

START_TEST(test_statements_that_are_wrong)
{
	struct store *store = small_run_open(run_path);
	check_no_statement(store, "", "no statement");
	check_no_statement(store, " ;; -- nothing\n/* at all */ ", "no statement");
	check_no_statement(store, "SELECT 1;\n  SELECT 2", "line 2, column 3: a second statement");
	check_no_statement(store, "SELECT 1; nonsense", "line 1, column 11: a second statement");
	check_no_statement(store, "SELECT absent FROM task", "no such column: absent");
	if (sqlite3_libversion_number() >= 3029000) { /* before, that was a text */
		check_no_statement(store, "SELECT \"absent\" FROM task", "absent");
	}
	if (sqlite3_libversion_number() >= 3038000) {
		check_no_statement(store, "SELECT 1,\n  absent FROM task", "line 2, column 3");
		check_no_statement(store, "SELECT FORM", "line 1");
	}
	stmt_free(small_prepare(store, " ; -- first\n SELECT 1; -- last\n ; "));
	store_close(store);
}
END_TEST

/* Nothing that lists a run waits for the views that others see it through, and nothing is allowed
 * before they are there that is not allowed afterwards. */
START_TEST(test_plain_statements)
{
	struct store *store = small_run_open(run_path);
	struct stmt *views, *plain;
	struct err failure = ERR_INIT;

	plain = store_prepare_plain(store, "SELECT count(*) FROM temp.sqlite_master", &failure);
	must(stmt_step(plain, &err) == 1);
	ck_assert_int_eq(stmt_integer(plain, 0), 0);
	stmt_free(plain);
	ck_assert_ptr_null(store_prepare_plain(store, "CREATE TEMP VIEW x AS SELECT 1", &failure));
	ck_assert_ptr_nonnull(strstr(failure.message, "not allowed here"));
	views = small_prepare(store, "SELECT count(*), (SELECT imported_as FROM run), (SELECT name "
	                             "FROM run) FROM temp.sqlite_master");
	must(stmt_step(views, &err) == 1);
	ck_assert_int_eq(stmt_integer(views, 0), 2); /* run, run_whole */
	ck_assert(slice_is(stmt_text(views, 1), "r"));
	ck_assert(slice_is(stmt_text(views, 2), store_run(store)->name));
	stmt_free(views);
	check_no_statement(store, "CREATE TEMP VIEW x AS SELECT 1", "not allowed here");
	store_close(store);
}
END_TEST

static int
cached_bytes(struct store *store)
{
	int now = 0, most = 0;
	must(sqlite3_db_status(store->db, SQLITE_DBSTATUS_CACHE_USED, &now, &most, 0) == SQLITE_OK);
	return now;
}

/* A run that waits keeps fewer pages, and is read as before afterwards. */
START_TEST(test_rest)
{
	struct store *store = small_run_open(run_path);
	for (int round = 0; round < 2; round++) {
		struct stmt *stmt = small_prepare(store, "SELECT count(*) FROM task");
		must(stmt_step(stmt, &err) == 1);
		ck_assert_int_gt(stmt_integer(stmt, 0), 0);
		stmt_free(stmt);
		int before = cached_bytes(store);
		store_rest(store);
		ck_assert_int_lt(cached_bytes(store), before);
	}
	store_close(store);
}
END_TEST

START_TEST(test_what_is_not_allowed)
{
	struct store *store = small_run_open(run_path);
	char path[300];
	snprintf(path, sizeof(path), "VACUUM INTO '%s/copy'", folder);
	static const char *const refused[] = {
	    "ATTACH ':memory:' AS other",
	    "DETACH main",
	    "INSERT INTO task (source, key, name) VALUES (0, 0, 0)",
	    "DELETE FROM task",
	    "UPDATE task SET key = 1",
	    "CREATE TABLE x (a)",
	    "CREATE TEMP TABLE x (a)",
	    "CREATE TEMP VIEW x AS SELECT 1",
	    "DROP TABLE task",
	    "ALTER TABLE task RENAME TO x",
	    "REINDEX",
	    "ANALYZE",
	    "BEGIN",
	    "SAVEPOINT x",
	    "PRAGMA journal_mode = wal",
	    "PRAGMA journal_mode",
	    "PRAGMA user_version = 5",
	    "PRAGMA mmap_size = 1000000",
	    "PRAGMA writable_schema = 1",
	    "PRAGMA cache_size = 5",
	    "PRAGMA optimize",
	    "PRAGMA temp_store_directory = '/'",
	    "PRAGMA hard_heap_limit = 5",
	    "PRAGMA trusted_schema = 1",
	    "PRAGMA query_only = 0",
	    "CREATE VIRTUAL TABLE x USING fts5(a)",
	};
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
		check_no_statement(store, refused[i], "not allowed here");
	}
	check_no_statement(store, "UPDATE sqlite_master SET sql = 1", "may not be modified");
	check_no_statement(store, "SELECT load_extension('x')", "load_extension");
	check_no_statement(store, "SELECT fts3_tokenizer('simple')", "fts3_tokenizer");
	check_no_statement(store, "SELECT hex(FTS3_Tokenizer('simple', x'00'))", "FTS3_Tokenizer");
	if (sqlite3_libversion_number() >= 3027000) { /* before, a syntax error */
		check_no_statement(store, path, "not allowed here");
	}
	check_no_statement(store, "VACUUM", "not allowed here");
	ck_assert_int_eq(folder_count(folder), 1);
	static const char *const allowed[] = {
	    "PRAGMA table_info(task)",
	    "PRAGMA main.table_xinfo('task')",
	    "PRAGMA user_version",
	    "PRAGMA database_list",
	    "SELECT * FROM pragma_table_info('task')",
	    "SELECT * FROM sqlite_master",
	    "EXPLAIN SELECT 1",
	    "EXPLAIN QUERY PLAN SELECT * FROM tasks",
	    "VALUES (1)",
	    ("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i "
	     "+ 1 FROM n WHERE i < 10) SELECT * FROM n")};
	for (size_t i = 0; i < sizeof(allowed) / sizeof(*allowed); i++) {
		struct err failure = ERR_INIT;
		struct stmt *stmt = store_prepare(store, allowed[i], &failure);
		ck_assert_msg(stmt && stmt_step(stmt, &failure) == 1, "%s: %s", allowed[i],
		              failure.message);
		stmt_free(stmt);
	}
	store_close(store);
}
END_TEST

static const char endless[] =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";

static void *
cancel_soon(void *cancel)
{
	nanosleep(&(struct timespec){0, 20000000}, NULL);
	cancel_request(cancel);
	return NULL;
}

static void *
interrupt_soon(void *user)
{
	nanosleep(&(struct timespec){0, 20000000}, NULL);
	sqlite3_interrupt(((struct store *)user)->db);
	return NULL;
}

static void
check_stopped(struct store *store, void *(*stop)(void *), void *argument)
{
	pthread_t thread;
	struct err failure = ERR_INIT;
	struct stmt *stmt = small_prepare(store, endless);
	ck_assert_int_eq(pthread_create(&thread, NULL, stop, argument), 0);
	ck_assert_int_eq(stmt_step(stmt, &failure), -1);
	ck_assert_int_eq(failure.code, ERR_CANCELLED);
	pthread_join(thread, NULL);
	stmt_free(stmt);
}

START_TEST(test_stopping)
{
	struct store *store = small_run_open(run_path);
	struct cancel cancel = {false};
	struct err failure = ERR_INIT;
	check_stopped(store, interrupt_soon, store);
	store_set_cancel(store, &cancel);
	check_stopped(store, cancel_soon, &cancel);
	struct stmt *stmt = small_prepare(store, "SELECT 1");
	ck_assert_int_eq(stmt_step(stmt, &failure), -1); /* still requested */
	ck_assert_int_eq(failure.code, ERR_CANCELLED);
	store_set_cancel(store, NULL);
	must(stmt_step(stmt, &err) == 1);
	stmt_free(stmt);
	store_close(store);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("stmt");
	TCase *tcase = tcase_create("stmt");
	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, test_values);
	tcase_add_test(tcase, test_statements_that_are_wrong);
	tcase_add_test(tcase, test_plain_statements);
	tcase_add_test(tcase, test_rest);
	tcase_add_test(tcase, test_what_is_not_allowed);
	tcase_add_test(tcase, test_stopping);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
