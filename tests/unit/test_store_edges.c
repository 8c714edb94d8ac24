/* The store where little is left of what is usual: errors on their way through SQLite, names and
 * temporary files, facts at their limits, what was read and counted. */
#include "config.h"
#include "store/store_private.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "store/functions.h"
#include "store/internal.h"
#include "store/runfile.h"
#include "util/tempfile.h"
#include "store/vtab.h"
#include "store/writer_private.h"
#include "unit/seal.h"
#include "unit/small_run.h"

static const char *folder;
static char run_path[256], other_path[300];

static void
set_up(void)
{
	folder = folder_new();
	snprintf(run_path, sizeof run_path, "%s/run.lanes", folder);
	snprintf(other_path, sizeof other_path, "%s/other", folder);
}

static void
tear_down(void)
{
	folder_remove(folder);
}

/* The first row's first value of a statement over the run file, as any program would read it. */
static void
check_value(const char *sql, const char *expected)
{
	sqlite3 *db;
	sqlite3_stmt *stmt;
	ck_assert_int_eq(sqlite3_open(run_path, &db), SQLITE_OK);
	ck_assert_msg(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK, "%s: %s", sql,
	              sqlite3_errmsg(db));
	ck_assert_int_eq(sqlite3_step(stmt), SQLITE_ROW);
	const char *text = (const char *)sqlite3_column_text(stmt, 0);
	ck_assert_str_eq(text ? text : "NULL", expected);
	sqlite3_finalize(stmt);
	sqlite3_close(db);
}

static void
forge(const char *sql)
{
	seal_after(run_path, sql);
}

/* --- errors and SQLite's codes --- */

START_TEST(test_codes)
{
	static const struct {
		enum err_code code;
		int result;
		enum err_code back;
	} cases[] = {
	    {ERR_NONE, SQLITE_OK, ERR_QUERY},
	    {ERR_SYSTEM, SQLITE_IOERR, ERR_SYSTEM},
	    {ERR_CHANGED, SQLITE_IOERR, ERR_SYSTEM},
	    {ERR_FORMAT, SQLITE_CORRUPT, ERR_FORMAT},
	    {ERR_LIMIT, SQLITE_TOOBIG, ERR_LIMIT},
	    {ERR_CANCELLED, SQLITE_INTERRUPT, ERR_CANCELLED},
	    {ERR_INTERNAL, SQLITE_INTERNAL, ERR_INTERNAL},
	    {ERR_USAGE, SQLITE_ERROR, ERR_QUERY},
	    {ERR_QUERY, SQLITE_ERROR, ERR_QUERY},
	};
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct err err = ERR_INIT;
		err.code = cases[i].code;
		ck_assert_int_eq(result_of_err(&err), cases[i].result);
		ck_assert_int_eq(err_of_result(NULL, cases[i].result, "what", &err), -1);
		ck_assert_int_eq(err.code, cases[i].back);
		ck_assert_int_eq(strncmp(err.message, "what: ", 6), 0);
	}
	static const struct {
		int result;
		enum err_code code;
	} others[] = {
	    {SQLITE_NOMEM, ERR_SYSTEM},      {SQLITE_NOTADB, ERR_FORMAT},
	    {SQLITE_CANTOPEN, ERR_SYSTEM},   {SQLITE_FULL, ERR_SYSTEM},
	    {SQLITE_PERM, ERR_SYSTEM},       {SQLITE_BUSY, ERR_SYSTEM},
	    {SQLITE_LOCKED, ERR_SYSTEM},     {SQLITE_PROTOCOL, ERR_SYSTEM},
	    {SQLITE_MISUSE, ERR_INTERNAL},   {SQLITE_CONSTRAINT, ERR_QUERY},
	    {SQLITE_IOERR_READ, ERR_SYSTEM}, {SQLITE_CORRUPT_VTAB, ERR_FORMAT},
	};
	for (size_t i = 0; i < COUNT_OF(others); i++) {
		struct err err = ERR_INIT;
		ck_assert_int_eq(err_of_result(NULL, others[i].result, NULL, &err), -1);
		ck_assert_int_eq(err.code, others[i].code);
		bool is_query = others[i].code == ERR_QUERY;
		ck_assert_int_eq(err_of_file(NULL, others[i].result, "file", &err), -1);
		ck_assert_int_eq(err.code, is_query ? ERR_FORMAT : others[i].code);
		ck_assert_int_eq(strncmp(err.message, "file: ", 6), 0);
	}
	struct err err = ERR_INIT;
	err_of_result(NULL, SQLITE_INTERRUPT, NULL, &err);
	ck_assert_str_eq(err.message, "interrupted");
	err_of_result(NULL, SQLITE_FULL, NULL, &err);
	ck_assert_str_eq(err.message, sqlite3_errstr(SQLITE_FULL));
}
END_TEST

/* What the system said is told where a connection knows it. */
START_TEST(test_reason_of_the_system)
{
	struct err err = ERR_INIT;
	sqlite3 *db;
	snprintf(other_path, sizeof other_path, "%s/missing/x", folder);
	int result =
	    sqlite3_open_v2(other_path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);
	ck_assert_int_eq(result, SQLITE_CANTOPEN);
	ck_assert_int_eq(err_of_result(db, result, "x", &err), -1);
	ck_assert_int_eq(err.code, ERR_SYSTEM);
	ck_assert_ptr_nonnull(strstr(err.message, strerror(ENOENT)));
	ck_assert_int_eq(sqlite3_exec(db, "nonsense", NULL, NULL, NULL) != SQLITE_OK, 1);
	sqlite3_close(db);
}
END_TEST

/* --- names --- */

START_TEST(test_names)
{
	static const char *const names[][2] = {
	    {"a.lanes", "a"},       {"/x/b.lanes", "b"},        {".lanes", ".lanes"},
	    {"x/.lanes", ".lanes"}, {"c.lanes.x", "c.lanes.x"}, {"lanes", "lanes"},
	    {"x.lanes/y", "y"},     {"zlanes", "zlanes"},       {"a.LANES", "a.LANES"}};
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		char *name = runfile_name(names[i][0]);
		ck_assert_str_eq(name, names[i][1]);
		free(name);
	}
	char *uri = runfile_uri("/a b%c?.lanes", "mode=ro");
	ck_assert_str_eq(uri, "file:///a%20b%25c%3f.lanes?mode=ro");
	free(uri);
	uri = runfile_uri("Zz09._-~/\xff", "q");
	ck_assert_str_eq(uri, "file:Zz09._-~/%ff?q");
	free(uri);
}
END_TEST

START_TEST(test_lengths_of_names)
{
	struct err err = ERR_INIT;
	char path[600], here[300];
	memset(path, 'x', sizeof path);
	path[0] = '/';
	path[500] = '\0';
	ck_assert_int_eq(runfile_check_name(path, &err), 0);
	path[500] = 'x';
	path[501] = '\0';
	ck_assert_int_eq(runfile_check_name(path, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.message, "has 501 bytes, more than the 500"));
	/* the folder counts, and the slash behind it */
	ck_assert_ptr_nonnull(getcwd(here, sizeof here));
	path[0] = 'x';
	path[499 - strlen(here)] = '\0';
	ck_assert_int_eq(runfile_check_name(path, &err), 0);
	path[499 - strlen(here)] = 'x';
	path[500 - strlen(here)] = '\0';
	ck_assert_int_eq(runfile_check_name(path, &err), -1);
	ck_assert_int_eq(err.code, ERR_SYSTEM);
	ck_assert_ptr_nonnull(strstr(err.message, "has 501 bytes"));
}
END_TEST

START_TEST(test_what_is_a_run)
{
	struct err err = ERR_INIT;
	ck_assert(!runfile_is_run(run_path));
	ck_assert_int_eq(runfile_may_replace(run_path, &err), 0);
	folder_write(run_path, "SQLite format 3");
	ck_assert(!runfile_is_run(run_path));
	ck_assert(!runfile_is_run(folder));
	unlink(run_path);
	forge("CREATE TABLE t (a)");
	ck_assert(!runfile_is_run(run_path));
	unlink(run_path);
	small_run_write(run_path, "r", false);
	ck_assert(runfile_is_run(run_path));
	ck_assert_int_eq(runfile_may_replace(run_path, &err), 0);
	ck_assert_int_eq(symlink("nowhere", other_path), 0);
	ck_assert(!runfile_is_run(other_path));
	snprintf(other_path, sizeof other_path, "%s/x", run_path);
	ck_assert_int_eq(runfile_may_replace(other_path, &err), -1);
	ck_assert_int_eq(err.code, ERR_SYSTEM);
	ck_assert_ptr_nonnull(strstr(err.message, strerror(ENOTDIR)));
}
END_TEST

/* Either of the two bytes that tell of a write-ahead log is enough; pages may have 64 KiB. */
START_TEST(test_headers)
{
	struct err err = ERR_INIT;
	for (off_t at = 18; at <= 19; at++) {
		small_run_write(run_path, "r", false);
		int fd = open(run_path, O_WRONLY);
		ck_assert_int_eq(pwrite(fd, "\2", 1, at), 1);
		close(fd);
		ck_assert_ptr_null(store_open(run_path, &err));
		ck_assert_int_eq(err.code, ERR_FORMAT);
		ck_assert_ptr_nonnull(strstr(err.message, "write-ahead log"));
	}
	small_run_write(run_path, "r", false);
	forge("PRAGMA page_size = 65536; VACUUM");
	store_close(small_run_open(run_path));
	small_run_write(run_path, "r", false);
	forge("PRAGMA page_size = 512; VACUUM");
	store_close(small_run_open(run_path));
}
END_TEST

/* --- temporary files --- */

/* Puts this host's part of temporary names there. */
static void
own_host(char host[200])
{
	struct err err = ERR_INIT;
	char *temporary = tempfile_new(run_path, &err);
	ck_assert_msg(temporary != NULL, "%s", err.message);
	const char *name = strstr(temporary, "/.run.lanes.");
	ck_assert_ptr_nonnull(name);
	name += strlen("/.run.lanes.");
	snprintf(host, 200, "%.*s", (int)strcspn(name, "-"), name);
	ck_assert_int_eq(unlink(temporary), 0);
	free(temporary);
}

static bool
is_in_use_with(const char *name, int hours_old)
{
	char path[600];
	struct timespec times[2];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	folder_write(path, "half");
	clock_gettime(CLOCK_REALTIME, &times[1]);
	times[1].tv_sec -= (time_t)hours_old * 60 * 60;
	times[0] = times[1];
	ck_assert_int_eq(utimensat(AT_FDCWD, path, times, 0), 0);
	bool is_in_use = tempfile_in_use(folder);
	ck_assert_int_eq(unlink(path), 0);
	return is_in_use;
}

START_TEST(test_in_use)
{
	static const char tail[] = "0123456789abcdef.tmp";
	char host[200], name[400];
	own_host(host);
	pid_t dead = fork();
	if (dead == 0) {
		_exit(0);
	}
	ck_assert_int_eq(waitpid(dead, NULL, 0), dead);
	ck_assert(!tempfile_in_use(folder));
	snprintf(name, sizeof name, ".any.name.%s-%ld-%s", host, (long)getpid(), tail);
	ck_assert(is_in_use_with(name, 0));
	ck_assert(is_in_use_with(name, 100)); /* it may take its time */
	snprintf(name, sizeof name, ".any.name.%s-%ld-%s", host, (long)dead, tail);
	ck_assert(!is_in_use_with(name, 0));
	snprintf(name, sizeof name, ".x.else.where-%ld-%s", (long)dead, tail);
	ck_assert(is_in_use_with(name, 0));
	ck_assert(is_in_use_with(name, 23));
	ck_assert(!is_in_use_with(name, 25));
	ck_assert(!is_in_use_with("run.lanes", 0));
	ck_assert(!is_in_use_with("nothing", 0));
	ck_assert(!is_in_use_with(".x.elsewhere-1-0123456789abcdef.tm", 0));
	ck_assert(!is_in_use_with(".x.elsewhere-2147483648-0123456789abcdef.tmp", 0));
	ck_assert(is_in_use_with(".x.elsewhere-2147483647-0123456789abcdef.tmp", 0));
	ck_assert(!is_in_use_with(".tmp", 0));
	snprintf(other_path, sizeof other_path, "%s/none", folder);
	ck_assert(!tempfile_in_use(other_path));
}
END_TEST

/* What a file system lacks is left for the next way; all else is a failure. */
START_TEST(test_ways_that_are_lacking)
{
	char inside[400], elsewhere[64] = "/dev/shm/lanescope-test-XXXXXX";
	ck_assert_int_eq(mkdir(other_path, 0777), 0);
	snprintf(inside, sizeof inside, "%s/inside", other_path);
	/* a folder into itself: EINVAL; a second name for a folder: EPERM */
	int status = tempfile_try(TEMPFILE_RENAME, other_path, inside);
	ck_assert_msg(status == 2, "%d", status);
	ck_assert_int_eq(tempfile_try(TEMPFILE_LINK, other_path, run_path), 2);
	ck_assert_int_eq(tempfile_try(TEMPFILE_CHECK, other_path, inside), -1);
	ck_assert_int_eq(tempfile_try(TEMPFILE_CHECK, "/nowhere/at/all", run_path), -1);
	for (int way = 0; way < TEMPFILE_WAYS; way++) {
		ck_assert_int_eq(tempfile_try((enum tempfile_way)way, inside, run_path), -1);
		ck_assert_int_eq(errno, ENOENT);
	}
	int fd = mkstemp(elsewhere);
	struct stat here, there;
	ck_assert_int_eq(stat(folder, &here), 0);
	if (fd >= 0 && fstat(fd, &there) == 0 && here.st_dev != there.st_dev) {
		ck_assert_int_eq(tempfile_try(TEMPFILE_RENAME, elsewhere, run_path), 2); /* EXDEV */
		ck_assert_int_eq(tempfile_try(TEMPFILE_LINK, elsewhere, run_path), 2);
		ck_assert_int_eq(tempfile_try(TEMPFILE_CHECK, elsewhere, run_path), -1);
	}
	if (fd >= 0) {
		close(fd);
		(void)unlink(elsewhere);
	}
}
END_TEST

/* A link that was made although its answer was lost. */
START_TEST(test_lost_answer)
{
	struct stat status;
	folder_write(other_path, "whole");
	ck_assert_int_eq(link(other_path, run_path), 0);
	ck_assert_int_eq(tempfile_try(TEMPFILE_LINK, other_path, run_path), 0);
	ck_assert_int_eq(access(other_path, F_OK), -1);
	ck_assert_int_eq(stat(run_path, &status), 0);
	ck_assert_int_eq(status.st_size, 5);
	/* but another file of two names is another file */
	folder_write(other_path, "other");
	char second[400];
	snprintf(second, sizeof second, "%s-2", other_path);
	ck_assert_int_eq(link(other_path, second), 0);
	ck_assert_int_eq(tempfile_try(TEMPFILE_LINK, other_path, run_path), 1);
	ck_assert_int_eq(access(other_path, F_OK), 0);
}
END_TEST

START_TEST(test_placing)
{
	struct err err = ERR_INIT;
	char lost[400];
	snprintf(lost, sizeof lost, "%s/lost", folder);
	folder_write(other_path, "first");
	ck_assert_int_eq(tempfile_place(other_path, run_path, false, &err), 0);
	folder_write(other_path, "second");
	ck_assert_int_eq(tempfile_place(other_path, run_path, false, &err), 1);
	ck_assert_int_eq(access(other_path, F_OK), 0);
	ck_assert_int_eq(tempfile_place(other_path, run_path, true, &err), 0);
	ck_assert_int_eq(access(other_path, F_OK), -1);
	for (int may_replace = 0; may_replace < 2; may_replace++) {
		struct err failure = ERR_INIT;
		ck_assert_int_eq(tempfile_place(lost, other_path, may_replace, &failure), -1);
		ck_assert_int_eq(failure.code, ERR_SYSTEM);
		ck_assert_ptr_nonnull(strstr(failure.message, "can't rename"));
		ck_assert_ptr_nonnull(strstr(failure.message, lost));
	}
	ck_assert_int_eq(tempfile_flush(run_path, &err), 0);
	ck_assert_int_eq(tempfile_flush(lost, &err), -1);
	ck_assert_int_eq(err.code, ERR_SYSTEM);
	ck_assert_ptr_nonnull(strstr(err.message, lost));
	ck_assert_int_eq(tempfile_flush("/dev/null", &err), -1); /* not of a disk */
	ck_assert_ptr_nonnull(strstr(err.message, "can't flush it"));
}
END_TEST

static void
check_no_place(const char *path, const char *part)
{
	struct err failure = ERR_INIT;
	ck_assert_ptr_null(tempfile_new(path, &failure));
	ck_assert_int_eq(failure.code, ERR_SYSTEM);
	ck_assert_msg(strstr(failure.message, part) != NULL, "%s", failure.message);
}

START_TEST(test_folders)
{
	struct err err = ERR_INIT;
	folder_write(other_path, "x");
	char path[400];
	snprintf(path, sizeof path, "%s/x", other_path);
	check_no_place(path, "can't make a file in this folder");
	snprintf(path, sizeof path, "%s/none/x", folder);
	check_no_place(path, "no such folder: make it first");
	if (access("/sys/kernel", F_OK) == 0 && geteuid() == 0) {
		struct err failure = ERR_INIT;
		ck_assert_ptr_null(tempfile_new("/sys/kernel/x", &failure));
		ck_assert_ptr_nonnull(strstr(failure.message, "/sys/kernel: can't "));
	}
	/* in the folder that one is in, and in the uppermost */
	ck_assert_int_eq(chdir(folder), 0);
	char *temporary = tempfile_new("plain", &err);
	ck_assert_ptr_nonnull(temporary);
	ck_assert_int_eq(strncmp(temporary, "./.plain.", 9), 0);
	ck_assert_int_eq(unlink(temporary), 0);
	free(temporary);
	/* names of up to 120 bytes as they are, longer ones cut and told apart */
	char name[130], first[130];
	for (int n = 120; n <= 121; n++) {
		memset(name, 'n', sizeof name);
		name[n] = '\0';
		temporary = tempfile_new(name, &err);
		ck_assert_ptr_nonnull(temporary);
		snprintf(first, sizeof first, "%.*s", n + 1, temporary + 3);
		ck_assert_int_eq(strncmp(first, name, (size_t)n) == 0, n == 120);
		ck_assert_int_eq(strspn(temporary + 3, "n"), n == 120 ? 120 : 103);
		ck_assert_int_eq(temporary[3 + 120], '.');
		ck_assert_int_eq(unlink(temporary), 0);
		free(temporary);
	}
}
END_TEST

/* --- facts --- */

START_TEST(test_facts_at_their_limits)
{
	static const struct {
		const char *change;
		bool is_damaged;
	} cases[] = {
	    {"tile_levels = 0, tile_base_ns = 0", false},
	    {"tile_levels = 1, tile_base_ns = 9223372036854775807", false},
	    {"tile_levels = 2, tile_base_ns = 2305843009213693951", false},
	    {"tile_levels = 2, tile_base_ns = 2305843009213693952", true},
	    {"tile_levels = 31, tile_base_ns = 7", false},
	    {"tile_levels = 31, tile_base_ns = 8", true},
	    {"tile_levels = 32, tile_base_ns = 1", true},
	    {"tile_levels = -1, tile_base_ns = 1", true},
	    {"tile_levels = 1, tile_base_ns = 0", true},
	    {"duration_ns = 0", false},
	    {"sources = -1", true},
	    {"lanes = -1", true},
	    {"spans = -1", true},
	    {"events = -1", true},
	    {"counters = -1", true},
	    {"tasks = -1", true},
	    {"transfers = -1", true},
	    {"records = -1", true},
	    {"problems = -1", true},
	    {"problems = 0", false},
	    {"wall_start_ns = NULL", false},
	};
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct err failure = ERR_INIT;
		char sql[200];
		small_run_write(run_path, "r", false);
		snprintf(sql, sizeof sql, "UPDATE run SET %s", cases[i].change);
		forge(sql);
		struct store *store = store_open(run_path, &failure);
		ck_assert_msg(!store == cases[i].is_damaged, "%s: %s", sql, failure.message);
		if (!store) {
			ck_assert_int_eq(failure.code, ERR_FORMAT);
			ck_assert_ptr_nonnull(strstr(failure.message, run_path));
		} else if (strstr(sql, "wall")) {
			ck_assert(!store_run(store)->has_date);
		} else {
			ck_assert(store_run(store)->has_date);
			ck_assert_int_eq(store_run(store)->date_ns, INT64_C(1700000000123456789));
			ck_assert_str_eq(store_run(store)->identity, "");
		}
		store_close(store);
	}
}
END_TEST

START_TEST(test_facts_that_are_refused)
{
	struct err err = ERR_INIT;
	struct writer *writer = writer_new(run_path, &err);
	struct writer_run run = {.name = "x", .format = "chrome", .duration_ns = -1};
	ck_assert_ptr_nonnull(writer);
	ck_assert_int_eq(writer_set_run(writer, &run, &err), -1);
	ck_assert_int_eq(err.code, ERR_INTERNAL);
	ck_assert_ptr_nonnull(strstr(err.message, "impossible facts"));
	run.duration_ns = 0;
	run.tile_levels = 32;
	ck_assert_int_eq(writer_set_run(writer, &run, &err), -1);
	run.tile_levels = 31;
	ck_assert_int_eq(writer_set_run(writer, &run, &err), 0);
	writer_abort(writer);
}
END_TEST

/* Clocks, what the sources are, and texts that are cut. */
START_TEST(test_values)
{
	static const char *const clocks[] = {
	    [CLOCK_WALL] = "wall", [CLOCK_STEADY] = "monotonic", [CLOCK_RELATIVE] = "relative"};
	const struct file_facts file = {.device = 1, .inode = 2, .modified_ns = 3, .changed_ns = 4};
	char raw[202];
	memset(raw, 'r', sizeof raw);
	for (size_t i = 0; i < COUNT_OF(clocks); i++) {
		struct writer *writer = NULL;
		struct writer_run run = {.name = "x",
		                         .format = "chrome",
		                         .dialect = "d",
		                         .grouping = "why",
		                         .identity = "id",
		                         .clock = (enum clock_type)i,
		                         .wall_start_ns = TIME_NONE};
		struct writer_source source = {
		    .path = "p", .digest = "g", .place = "/p", .file = &file};
		must((writer = writer_new(run_path, &err)) != NULL);
		must(writer_set_run(writer, &run, &err) == 0);
		must(writer_set_run(writer, &run, &err) == 0); /* the last counts */
		must(writer_source(writer, &source, &err) == 0);
		for (size_t n = 199; n <= 201; n++) {
			struct problem problem = {PROBLEM_MALFORMED, n, 0, "why", {raw, n}};
			must(writer_problem(writer, 0, &problem, &err) == 0);
		}
		must(writer_finish(writer, NULL, NULL, &err) == 0);
		check_value("SELECT clock FROM run", clocks[i]);
		check_value("SELECT dialect || \"grouping\" || identity FROM run", "dwhyid");
		check_value("SELECT wall_start_ns FROM run", "NULL");
		check_value("SELECT digest || place || device || inode || modified_ns || "
		            "changed_ns FROM source",
		            "g/p1234");
		check_value("SELECT group_concat(length(excerpt) || right, ' ') FROM (SELECT "
		            "excerpt, substr(excerpt, -1) AS right FROM problem ORDER BY id)",
		            "199r 200r 201\xe2\x80\xa6");
	}
}
END_TEST

/* What can't be written is our mistake, not the user's. */
START_TEST(test_rows_that_are_refused)
{
	struct err err = ERR_INIT;
	const struct tile_chunk tile = {TILE_LANE, 1, 2, 3, {"x", 1}};
	struct writer *writer = writer_new(run_path, &err);
	ck_assert_ptr_nonnull(writer);
	ck_assert_int_eq(writer_tile(writer, &tile, &err), 0);
	ck_assert_int_eq(writer_tile(writer, &tile, &err), -1);
	ck_assert_int_eq(err.code, ERR_INTERNAL);
	ck_assert_ptr_nonnull(strstr(err.message, "run.lanes: can't write: UNIQUE"));
	writer_abort(writer);
	/* columns that are kept in memory come to the file later, and so does what is wrong */
	struct err late = ERR_INIT;
	writer = writer_new(run_path, &late);
	ck_assert_ptr_nonnull(writer);
	ck_assert_int_eq(writer_blob(writer, 5, slice_of("x"), &late), 0);
	ck_assert_int_eq(writer_blob(writer, 5, slice_of("y"), &late), 0);
	ck_assert_int_eq(writer_key(writer, slice_of("k"), &late), -1);
	ck_assert_int_eq(late.code, ERR_INTERNAL);
	writer_abort(writer);
	ck_assert_int_eq(folder_count(folder), 0);
}
END_TEST

/* --- what was counted --- */

static void
run_sql(struct store *store, const char *sql)
{
	struct stmt *stmt = small_prepare(store, sql);
	must(stmt_step(stmt, &err) >= 0);
	stmt_free(stmt);
}

/* One census for each filter and its parameters; beyond the 64th they go into the last. */
START_TEST(test_censuses)
{
	static const char *const statements[] = {
	    "SELECT n FROM span_sums('', 'id > ?1', 1)",
	    "SELECT n FROM span_sums('', 'id > ?1', 1.0)",
	    "SELECT n FROM span_sums('', 'id > ?1', 2)",
	    "SELECT n FROM span_sums('', 'id > ?1', 1.5)",
	    "SELECT n FROM span_sums('', 'name = ?1', 'a')",
	    "SELECT n FROM span_sums('', 'name = ?1', 'b')",
	    "SELECT n FROM span_sums('', 'name = ?1', 'bc')",
	    "SELECT n FROM span_sums('', 'name = ?1', '')",
	    "SELECT n FROM span_sums('', 'name = ?1')",
	    "SELECT n FROM span_sums('', 'id > ?2', NULL, 1)",
	    "SELECT n FROM span_sums('', '')",
	};
	const struct store_census *censuses;
	small_run_write(run_path, "r", true);
	struct store *store = small_run_open(run_path);
	ck_assert_uint_eq(store_censuses(store, &censuses), 0);
	for (int round = 0; round < 2; round++) {
		for (size_t i = 0; i < COUNT_OF(statements); i++) {
			run_sql(store, statements[i]);
			size_t n = store_censuses(store, &censuses);
			ck_assert_msg(n == (round ? COUNT_OF(statements) : i + 1), "%s: %zu",
			              statements[i], n);
		}
	}
	run_sql(store, "SELECT n FROM span_sums('', NULL)"); /* as '' */
	run_sql(store, "SELECT n FROM event_sums('', 'id > 3')");
	ck_assert_uint_eq(store_censuses(store, &censuses), COUNT_OF(statements));
	ck_assert_str_eq(censuses[0].filter, "id > ?1");
	ck_assert_str_eq(censuses[4].filter, "name = ?1");
	ck_assert_str_eq(censuses[10].filter, "");
	store_forget_censuses(store);
	ck_assert_uint_eq(store_censuses(store, &censuses), 0);
	for (int i = 0; i < 70; i++) {
		char sql[100];
		snprintf(sql, sizeof sql, "SELECT n FROM span_sums('', 'id > %d')", i);
		run_sql(store, sql);
		ck_assert_uint_eq(store_censuses(store, &censuses), i < 64 ? i + 1 : 64);
	}
	ck_assert_str_eq(censuses[63].filter, "id > 63");
	store_close(store);
}
END_TEST

/* A dataset is read once, and once more only if the run is opened again. */
START_TEST(test_read_once)
{
	small_run_write(run_path, "r", true);
	struct store *store = small_run_open(run_path);
	const struct dataset *dataset = NULL;
	must((dataset = store_dataset(store, &err)) != NULL);
	const struct slice *texts = dataset->texts;
	must((dataset = store_dataset(store, &err)) != NULL);
	ck_assert_ptr_eq(dataset->texts, texts);
	struct cancel cancel = {true};
	struct tile_reader tiles;
	struct slice cells;
	struct err failure = ERR_INIT;
	store_set_cancel(store, &cancel);
	must(store_tiles(store, &tiles, &err) == 0);
	ck_assert_ptr_eq(tiles.cancel, &cancel);
	ck_assert_int_eq(tiles.fetch(tiles.user, TILE_LANE, 1, 2, 3, &cells, &failure), -1);
	ck_assert_int_eq(failure.code, ERR_CANCELLED);
	ck_assert_uint_eq(cells.len, 0);
	store_close(store);
}
END_TEST

/* As the extension has it: the tables own the reader of a connection that somebody else opened. */
START_TEST(test_owned_reader)
{
	struct err err = ERR_INIT;
	sqlite3 *db;
	sqlite3_stmt *stmt;
	small_run_write(run_path, "r", true);
	ck_assert_int_eq(sqlite3_open(run_path, &db), SQLITE_OK);
	ck_assert_int_eq(functions_register(db, &err), 0);
	struct vtab_source source = vtab_reader_source(run_reader_new(db, false), true);
	ck_assert_int_eq(vtab_register(db, &source, &err), 0);
	ck_assert_int_eq(
	    sqlite3_prepare_v2(db,
	                       "SELECT sum(n), sum(size_n), (SELECT count(*) FROM span) "
	                       "FROM span_sums('name,lane')",
	                       -1, &stmt, NULL),
	    SQLITE_OK);
	ck_assert_int_eq(sqlite3_step(stmt), SQLITE_ROW);
	ck_assert_int_eq(sqlite3_column_int(stmt, 0), 20);
	ck_assert_int_eq(sqlite3_column_int(stmt, 1), 0);
	ck_assert_int_eq(sqlite3_column_int(stmt, 2), 20);
	sqlite3_finalize(stmt);
	ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
	/* without a run there are the functions alone */
	ck_assert_int_eq(sqlite3_open(":memory:", &db), SQLITE_OK);
	ck_assert_int_eq(lanescope_register(db, NULL, &err), 0);
	ck_assert_int_eq(sqlite3_exec(db, "SELECT median(1)", NULL, NULL, NULL), SQLITE_OK);
	ck_assert_int_ne(sqlite3_exec(db, "SELECT * FROM span", NULL, NULL, NULL), SQLITE_OK);
	ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("store_edges");
	TCase *tcase = tcase_create("edges");
	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_set_timeout(tcase, 30);
	tcase_add_test(tcase, test_codes);
	tcase_add_test(tcase, test_reason_of_the_system);
	tcase_add_test(tcase, test_names);
	tcase_add_test(tcase, test_lengths_of_names);
	tcase_add_test(tcase, test_what_is_a_run);
	tcase_add_test(tcase, test_headers);
	tcase_add_test(tcase, test_in_use);
	tcase_add_test(tcase, test_ways_that_are_lacking);
	tcase_add_test(tcase, test_lost_answer);
	tcase_add_test(tcase, test_placing);
	tcase_add_test(tcase, test_folders);
	tcase_add_test(tcase, test_facts_at_their_limits);
	tcase_add_test(tcase, test_facts_that_are_refused);
	tcase_add_test(tcase, test_values);
	tcase_add_test(tcase, test_rows_that_are_refused);
	tcase_add_test(tcase, test_censuses);
	tcase_add_test(tcase, test_read_once);
	tcase_add_test(tcase, test_owned_reader);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
