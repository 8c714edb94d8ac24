/* Run files of older versions, lanescope's own and two made-up ones, written anew. */
#include "config.h"
#include "store/upgrade.h"

#include <dirent.h>
#include <sqlite3.h>
#include <stdlib.h>

#include "store/runfile.h"
#include "tests/unit/old_run.h"
#include "unit/small_run.h"
#include "util/mem.h"

/* Version 3 knew nothing of groupings and less of sources, version 2 no capacities either. */
static struct upgrade_version versions[] = {{2, NULL}, {3, NULL}, {4, NULL}, {5, NULL}, {0, NULL}};
static const struct upgrade_addition additions[] = {
    {4, "run", "grouping", "NULL"}, {4, "source", "place", "'/old/' || path"},
    {3, "capacity", NULL, NULL},    {5, "run", "zero_pages", "0"},
    {6, "kept", NULL, NULL},        {0, NULL, NULL, NULL},
};
static const struct upgrade_history history = {versions, additions};

static const char *folder;
static char run_path[256], old_path[256], new_path[256];

static char *
without(char *sql, const char *part)
{
	char *at = strstr(sql, part);
	ck_assert_msg(at != NULL, "%s", part);
	memmove(at, at + strlen(part), strlen(at + strlen(part)) + 1);
	return sql;
}

static void
set_up(void)
{
	const char *newest = (const char *)upgrade_history.versions[0].sql;
	folder = folder_new();
	snprintf(run_path, sizeof run_path, "%s/run.lanes", folder);
	snprintf(old_path, sizeof old_path, "%s/old.lanes", folder);
	snprintf(new_path, sizeof new_path, "%s/new.lanes", folder);
	small_run_write(run_path, "r", true);
	char *third = without(without(xstrdup(newest), "  \"grouping\" TEXT,"), ", place TEXT");
	char *second = xstrdup(third);
	without(second,
	        "CREATE TABLE capacity (id INTEGER PRIMARY KEY, source INTEGER NOT NULL, time "
	        "INTEGER NOT NULL, pool INTEGER, nodes INTEGER NOT NULL);");
	without(second,
	        "CREATE VIEW capacities AS SELECT c.id, c.time, p.text AS pool, c.nodes FROM "
	        "capacity c LEFT JOIN string p ON p.id = c.pool;");
	versions[0].sql = (unsigned char *)second;
	versions[1].sql = (unsigned char *)third;
	versions[2].sql = (const unsigned char *)newest;
	versions[3].sql = upgrade_history.versions[1].sql;
}

static void
tear_down(void)
{
	free((void *)(uintptr_t)versions[0].sql);
	free((void *)(uintptr_t)versions[1].sql);
	folder_remove(folder);
}

static void
execute(sqlite3 *db, const char *sql)
{
	char *message = NULL;
	sqlite3_exec(db, sql, NULL, NULL, &message);
	ck_assert_msg(!message, "%s: %s", sql, message);
}

static int64_t
ask(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *stmt;
	ck_assert_msg(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK, "%s: %s", sql,
	              sqlite3_errmsg(db));
	ck_assert_int_eq(sqlite3_step(stmt), SQLITE_ROW);
	int64_t value = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	return value;
}

/* The small run as that version would have written it, in pages of so many bytes. */
static void
write_old(int version, const unsigned char *sql, int page_bytes)
{
	old_run_write(run_path, old_path, version, (const char *)sql, page_bytes);
}

static int
upgrade(const char *to, struct err *err)
{
	int version;
	*err = (struct err)ERR_INIT;
	return upgrade_run(&history, old_path, to, &version, NULL, err);
}

/* Is everything in the new file but what the old version did not know? */
static void
check_new(const struct upgrade_version *old)
{
	static const char *const same[] = {"string",   "argument",     "lane",       "task",
	                                   "transfer", "dependency",   "preemption", "trial",
	                                   "sample",   "tag",          "problem",    "span_total",
	                                   "block",    "block_column", "tile",       "block_data"};
	sqlite3 *db;
	char text[600];
	ck_assert_int_eq(sqlite3_open(new_path, &db), SQLITE_OK);
	snprintf(text, sizeof text, "ATTACH '%s' AS r", run_path);
	execute(db, text);
	for (size_t i = 0; i < COUNT_OF(same); i++) {
		snprintf(
		    text, sizeof text,
		    "SELECT (SELECT count(*) FROM (SELECT * FROM main.%s EXCEPT SELECT * FROM "
		    "r.%s)) + abs((SELECT count(*) FROM main.%s) - (SELECT count(*) FROM r.%s))",
		    same[i], same[i], same[i], same[i]);
		ck_assert_msg(ask(db, text) == 0, "%s", same[i]);
	}
	ck_assert_int_eq(ask(db,
	                     "SELECT count(*) FROM main.run a JOIN r.run b USING (name, format, "
	                     "identity, spans, writer, duration_ns, zero_pages)"),
	                 1);
	ck_assert_int_eq(ask(db, "SELECT count(*) FROM main.source"),
	                 ask(db, "SELECT count(*) FROM r.source"));
	ck_assert_int_eq(
	    ask(db, "SELECT count(*) FROM main.source WHERE place IS '/old/' || path") > 0,
	    old->version < 4);
	ck_assert_int_eq(ask(db, "SELECT count(*) FROM main.capacity"),
	                 old->version < 3 ? 0 : ask(db, "SELECT count(*) FROM r.capacity"));
	ck_assert_int_gt(ask(db, "SELECT count(*) FROM r.capacity"), 0);
	sqlite3_close(db);
	struct runfile_pages pages;
	must(runfile_verify(new_path, &pages, NULL, &err) == 0);
	ck_assert_int_eq(pages.damaged + pages.zero, 0);
	struct store *store = small_run_open(new_path);
	must(store_dataset(store, &err) != NULL);
	store_close(store);
}

START_TEST(test_versions)
{
	static const int sizes[] = {4096, 32768};
	for (const struct upgrade_version *old = versions; old->sql; old++) {
		for (size_t i = 0; i < COUNT_OF(sizes); i++) {
			struct err err;
			write_old(old->version, old->sql, sizes[i]);
			ck_assert_msg(upgrade(new_path, &err) == 0, "version %d: %s", old->version,
			              err.message);
			check_new(old);
			unlink(new_path);
		}
	}
}
END_TEST

/* What each version of lanescope's own wrote can be upgraded: the history lacks nothing. */
START_TEST(test_own_versions)
{
	int n = 0;
	for (const struct upgrade_version *old = upgrade_history.versions; old->sql; old++, n++) {
		struct err err = ERR_INIT;
		int version;
		write_old(old->version, old->sql, 4096);
		ck_assert_msg(
		    upgrade_run(&upgrade_history, old_path, new_path, &version, NULL, &err) == 0,
		    "%s", err.message);
		ck_assert_int_eq(version, old->version);
		store_close(small_run_open(new_path));
		unlink(new_path);
	}
	ck_assert_int_eq(n, STORE_VERSION - STORE_VERSION_OLDEST);
}
END_TEST

static void
check_refused(const char *part, enum err_code code)
{
	struct err err;
	ck_assert_int_eq(upgrade(new_path, &err), -1);
	ck_assert_int_eq(err.code, code);
	ck_assert_msg(strstr(err.message, part) != NULL, "%s", err.message);
	ck_assert_int_ne(access(new_path, F_OK), 0);
	DIR *dir = opendir(folder);
	for (struct dirent *entry; (entry = readdir(dir));) {
		ck_assert_msg(!strstr(entry->d_name, ".tmp"), "%s", entry->d_name);
	}
	closedir(dir);
}

static void
forge(const char *sql)
{
	sqlite3 *db;
	write_old(3, versions[1].sql, 4096);
	ck_assert_int_eq(sqlite3_open(old_path, &db), SQLITE_OK);
	execute(db, sql);
	sqlite3_close(db);
}

START_TEST(test_refused)
{
	forge("PRAGMA user_version = 1");
	check_refused("version 1, which can't be upgraded: import", ERR_FORMAT);
	forge("PRAGMA user_version = 99");
	check_refused("newer lanescope", ERR_FORMAT);
	forge("PRAGMA application_id = 1");
	check_refused("not one of lanescope's run files", ERR_FORMAT);
	forge("PRAGMA journal_mode = wal");
	check_refused("write-ahead log", ERR_FORMAT);
	forge("CREATE TABLE more (a)");
	check_refused("its tables are not those of a run file", ERR_FORMAT);
	forge("DROP TABLE tile; CREATE VIEW tile AS SELECT 0 AS subject, 0 AS id, 0 AS level, 0 AS "
	      "chunk, "
	      "zeroblob(1000000000) AS cells");
	check_refused("its tables are not those of a run file", ERR_FORMAT);
	forge("PRAGMA user_version = 4"); /* but the tables of 3 */
	check_refused("its tables are not those of a run file", ERR_FORMAT);
	forge("SELECT 1");
	ck_assert_int_eq(truncate(old_path, 30000), 0);
	check_refused("is damaged", ERR_FORMAT);
	unlink(old_path);
	check_refused("No such file", ERR_SYSTEM);
}
END_TEST

/* Entries of an index that are not those of its table: no answer would notice. */
START_TEST(test_damaged_structure)
{
	forge(
	    "PRAGMA writable_schema = 1; UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM "
	    "sqlite_master WHERE name = 'tag_by_key') WHERE name = 'sample_by_trial'");
	check_refused("is damaged (", ERR_FORMAT);
}
END_TEST

/* No file is ever replaced, be it the old one itself. */
START_TEST(test_nothing_is_replaced)
{
	struct err err;
	write_old(3, versions[1].sql, 4096);
	ck_assert_int_eq(upgrade(run_path, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.message, "run.lanes: is there already"));
	ck_assert_int_eq(upgrade(old_path, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.message, "old.lanes: is there already"));
	store_close(small_run_open(run_path));
	ck_assert_int_eq(upgrade(new_path, &err), 0);
}
END_TEST

START_TEST(test_cancel)
{
	struct cancel cancel = {true};
	struct err err = ERR_INIT;
	int version;
	write_old(3, versions[1].sql, 4096);
	ck_assert_int_eq(upgrade_run(&history, old_path, new_path, &version, &cancel, &err), -1);
	ck_assert_int_eq(err.code, ERR_CANCELLED);
	ck_assert_int_ne(access(new_path, F_OK), 0);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("upgrade");
	TCase *tcase = tcase_create("upgrade");
	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, test_versions);
	tcase_add_test(tcase, test_own_versions);
	tcase_add_test(tcase, test_refused);
	tcase_add_test(tcase, test_damaged_structure);
	tcase_add_test(tcase, test_nothing_is_replaced);
	tcase_add_test(tcase, test_cancel);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
