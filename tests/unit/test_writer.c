/* Writing run files: what comes back, where it may go, what is left behind. */
#include "config.h"
#include "store/writer_private.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <time.h>

#include "store/store.h"
#include "util/tempfile.h"
#include "unit/small_run.h"
#include "util/mem.h"
#include "util/prng.h"

static const char *folder;
static char run_path[256], other_path[256];

static void
set_up(void)
{
	folder = folder_new();
	snprintf(run_path, sizeof(run_path), "%s/run.lanes", folder);
	snprintf(other_path, sizeof(other_path), "%s/other", folder);
}

static void
tear_down(void)
{
	folder_remove(folder);
}

/* All rows of a query, values by ',', rows by '\n'; NULL is "-". */
static void
check_rows(struct store *store, const char *sql, const char *expected)
{
	struct strbuf rows = {0};
	struct stmt *stmt = NULL;
	struct err failure = ERR_INIT;
	must((stmt = store_prepare(store, sql, &err)) != NULL);
	int status;
	while ((status = stmt_step(stmt, &failure)) == 1) {
		for (int i = 0; i < stmt_columns(stmt); i++) {
			struct slice text = stmt_text(stmt, i);
			strbuf_add_text(&rows, i ? "," : rows.len ? "\n" : "");
			if (stmt_type(stmt, i) == VALUE_NULL) {
				strbuf_add_char(&rows, '-');
			}
			strbuf_add(&rows, text.ptr, text.len);
		}
	}
	ck_assert_msg(status == 0, "%s: %s", sql, failure.message);
	ck_assert_msg(strcmp(rows.data ? rows.data : "", expected) == 0, "%s gives\n%s", sql,
	              rows.data ? rows.data : "");
	strbuf_free(&rows);
	stmt_free(stmt);
}

START_TEST(test_rows_come_back)
{
	struct store *store = NULL;
	small_run_write(run_path, "my run", true);
	ck_assert_int_eq(folder_count(folder), 1);
	must((store = store_open(run_path, &err)) != NULL);
	check_rows(
	    store,
	    "SELECT imported_as, format, dialect, clock, start_ns, duration_ns, tile_base_ns, "
	    "tile_levels FROM run",
	    "my run,chrome,-,wall,1700000000123456789,1959,64,4");
	check_rows(store,
	           "SELECT sources, lanes, spans, events, counters, tasks, transfers, records, "
	           "problems FROM run",
	           "2,3,20,20,20,2,1,80,2");
	check_rows(store,
	           "SELECT id, path, dialect, raw_bytes, plain_bytes, records, metadata, "
	           "aggregated, bad_records, spans, events, counters, "
	           "problems, members, truncated FROM sources",
	           "0,a.json,v2,100,1000,40,2,0,0,10,10,10,0,1,0\n1,b.json,-,-,1000,40,2,0,1,10,10,"
	           "10,1,1,1");
	check_rows(store, "SELECT hex(text_map), hex(lane_map) FROM source WHERE id = 1",
	           "0200000003000000,0000000001000000");
	check_rows(store,
	           "SELECT id, host, process, typeof(process), thread, typeof(thread), name, kind "
	           "FROM lanes",
	           "0,node1,4711,integer,t-1,text,main,thread\n1,-,-,null,-,null,,worker\n2,node1,"
	           "a\xffz,text,-,null,main,async");
	check_rows(store, "SELECT id, name FROM argument", "0,fd\n1,offset");
	check_rows(
	    store, "SELECT * FROM tasks",
	    "1,write,write,-,-,-,5,-,-,-,-,-,-,-,-,-,-,0\n2,read,read,POSIX,1,t-1,1,2,3,4,5,6,"
	    "7,8,0.1,1.0e+300,0,1");
	check_rows(store, "SELECT * FROM transfers", "1,write,1,node1,-,POSIX,1,2,-,4,5,6,7,-,0");
	check_rows(store, "SELECT * FROM dependencies", "1,task,1,2,-\n2,span,1,2,POSIX");
	check_rows(store, "SELECT * FROM capacities", "1,10,node1,64");
	check_rows(store, "SELECT * FROM preemptions", "1,20,-,-3");
	check_rows(store, "SELECT * FROM trials", "1,load,-");
	check_rows(store, "SELECT id, trial, name, type, n, hex(data) FROM samples",
	           "1,1,load,float64,2,000000000000F83F00000000000004C0");
	check_rows(store, "SELECT * FROM tags", "1,-,write,read");
	check_rows(store, "SELECT * FROM problems",
	           "1,b.json,malformed,3,99,no JSON,\\x1b[31m{\\n\\xff\n2,-,missing,-,0,rank 3 is "
	           "missing,-");
	check_rows(store, "SELECT subject, id, level, chunk, hex(cells) FROM tile",
	           "0,1,2,3,74696C65006279746573");
	check_rows(store,
	           "SELECT count(*), count(DISTINCT kind), min(first_id), max(first_id), "
	           "sum(n_rows) FROM block",
	           "6,3,1,11,60");
	check_rows(
	    store,
	    "SELECT name FROM sqlite_master WHERE type = 'index' AND sql NOT NULL ORDER BY name",
	    "dependency_by_from\ndependency_by_to\nsample_by_trial\nspan_total_summed\n"
	    "span_total_unfinished\ntag_by_key\ntask_by_key");
	store_close(store);
}
END_TEST

START_TEST(test_totals)
{
	struct store *store = NULL;
	small_run_write(run_path, "r", true);
	must((store = store_open(run_path, &err)) != NULL);
	/* durations 50 52 54 53 55 57 56 58 60 59 */
	check_rows(store,
	           "SELECT lane, category, name, n, rows, start_min, finish_max, dur_sum, dur_min, "
	           "dur_max, hex(dur_sumsq), self_sum, size_n, size_sum, "
	           "size_min, size_max, hex(size_sumsq) FROM span_totals",
	           "0,-,write,10,10,0,959,554,50,60,00000000000000000000000000007840,554,0,0,-,-,"
	           "00000000000000000000000000000000\n1,-,write,10,10,1000,1959,554,50,60,"
	           "00000000000000000000000000007840,554,0,0,-,-,"
	           "00000000000000000000000000000000");
	store_close(store);
}
END_TEST

/* The same sums as the scan gives afterwards. */
START_TEST(test_totals_are_span_sums)
{
	static const char stored[] =
	    "SELECT lane, category, name, n, rows, start_min, finish_max, dur_sum, dur_min, "
	    "dur_max, dur_sumsq, self_sum, size_n, size_sum, size_min, size_max, size_sumsq "
	    "FROM span_totals";
	static const char computed[] =
	    "SELECT lane, category, name, n, rows, start_min, finish_max, dur_sum, dur_min, "
	    "dur_max, dur_sumsq, self_sum, size_n, size_sum, size_min, size_max, size_sumsq "
	    "FROM span_sums('lane,category,name')";
	char sql[1000];
	small_run_write(run_path, "r", true);
	struct store *store = small_run_open(run_path);
	snprintf(sql, sizeof(sql), "SELECT count(*) FROM (%s EXCEPT %s)", stored, computed);
	check_rows(store, sql, "0");
	snprintf(sql, sizeof(sql), "SELECT count(*) FROM (%s EXCEPT %s)", computed, stored);
	check_rows(store, sql, "0");
	store_close(store);
}
END_TEST

START_TEST(test_empty_run)
{
	struct store *store = NULL;
	struct writer *writer = NULL;
	must((writer = writer_new(run_path, &err)) != NULL);
	small_run_facts(writer, "nothing");
	must(writer_finish(writer, NULL, NULL, &err) == 0);
	must((store = store_open(run_path, &err)) != NULL);
	check_rows(store, "SELECT sources + lanes + spans + records FROM run", "0");
	check_rows(store, "SELECT count(*) FROM span_total", "0");
	store_close(store);
}
END_TEST

START_TEST(test_blob_ids)
{
	int64_t last = 0;
	for (uint32_t source = 0; source < 3; source++) {
		for (int kind = 0; kind < BLOCK_KINDS; kind++) {
			for (uint32_t sequence = 0; sequence < 3; sequence++) {
				for (uint32_t nth = 0; nth < 4; nth++) {
					int64_t id = writer_blob_id(source, (enum block_kind)kind,
					                            sequence, nth * 1500);
					ck_assert_int_gt(id, last);
					last = id;
				}
			}
		}
	}
	ck_assert_int_gt(writer_blob_id((1u << 22) - 1, BLOCK_COUNTER, (1u << 26) - 1, 8190), last);
	ck_assert_int_eq(writer_blob_id(1u << 22, BLOCK_SPAN, 0, 0), 0);
	ck_assert_int_eq(writer_blob_id(0, BLOCK_SPAN, 1u << 26, 0), 0);
	ck_assert_int_eq(writer_blob_id(0, BLOCK_SPAN, 0, 8191), 0);
	struct err failure = ERR_INIT;
	struct writer *writer = NULL;
	must((writer = writer_new(run_path, &err)) != NULL);
	ck_assert_int_eq(writer_blob(writer, 0, slice_of("x"), &failure), -1);
	ck_assert_int_eq(failure.code, ERR_LIMIT);
	writer_abort(writer);
}
END_TEST

/* The same run twice: the same bytes. */
START_TEST(test_deterministic)
{
	char command[600];
	small_run_write(run_path, "r", true);
	small_run_write(other_path, "r", true);
	snprintf(command, sizeof(command), "cmp %s %s", run_path, other_path);
	ck_assert_int_eq(system(command), 0);
}
END_TEST

static off_t
size_of_run(void)
{
	struct stat status;
	ck_assert_int_eq(stat(run_path, &status), 0);
	return status.st_size;
}

/* A small run is small; a large one has large pages, and all that came before it was known. */
START_TEST(test_page_sizes)
{
	static char bytes[1000000];
	struct prng prng = {3};
	struct writer *writer = NULL;
	small_run_write(run_path, "r", true);
	ck_assert_int_lt(size_of_run(), 250000);
	for (size_t i = 0; i < sizeof(bytes); i++) {
		bytes[i] = (char)prng_next(&prng);
	}
	must((writer = writer_new(run_path, &err)) != NULL);
	for (uint32_t i = 0; i < 30; i++) {
		struct slice part = {bytes + i, sizeof(bytes) - 100 - i};
		must(writer_blob(writer, writer_blob_id(0, BLOCK_SPAN, 30 - i, 0), part, &err) ==
		     0);
	}
	small_run_facts(writer, "r");
	must(writer_finish(writer, NULL, NULL, &err) == 0);
	ck_assert_int_lt(size_of_run(), 33000000);
	struct store *store = small_run_open(run_path);
	check_rows(store, "PRAGMA page_size", "32768");
	for (uint32_t i = 0; i < 30; i++) {
		struct stmt *stmt =
		    small_prepare(store, "SELECT bytes FROM block_data WHERE id = ?");
		stmt_bind_integer(stmt, 1, writer_blob_id(0, BLOCK_SPAN, 30 - i, 0));
		must(stmt_step(stmt, &err) == 1);
		struct slice part = {bytes + i, sizeof(bytes) - 100 - i};
		ck_assert(slice_equal(stmt_text(stmt, 0), part));
		stmt_free(stmt);
	}
	store_close(store);
}
END_TEST

START_TEST(test_abort_leaves_nothing)
{
	struct writer *writer = NULL;
	must((writer = writer_new(run_path, &err)) != NULL);
	small_rows(writer, false);
	ck_assert_int_eq(access(writer->temporary, F_OK), 0);
	writer_abort(writer);
	ck_assert_int_eq(folder_count(folder), 0);
	writer_abort(NULL);
}
END_TEST

static void
check_finish_fails(struct writer *writer, const struct cancel *cancel, enum err_code code,
                   const char *part)
{
	struct err failure = ERR_INIT;
	ck_assert_int_eq(writer_finish(writer, NULL, cancel, &failure), -1);
	ck_assert_int_eq(failure.code, code);
	ck_assert_ptr_nonnull(strstr(failure.message, part));
}

START_TEST(test_finish_fails)
{
	struct writer *writer = NULL;
	struct cancel cancel = {true};
	const struct writer_source source = {.path = "x", .n_spans = 1};
	const struct column_info column = {.field = FIELD_START, .blob_id = 77, .blob_bytes = 3};
	const struct block_info block = {.kind = BLOCK_SPAN,
	                                 .n_rows = 1,
	                                 .first_id = 1,
	                                 .n_columns = 1,
	                                 .columns = (struct column_info *)&column};

	small_run_write(run_path, "old", false);
	must((writer = writer_new(run_path, &err)) != NULL);
	small_rows(writer, false);
	small_run_facts(writer, "new");
	check_finish_fails(writer, &cancel, ERR_CANCELLED, "interrupted");

	must((writer = writer_new(run_path, &err)) != NULL);
	check_finish_fails(writer, NULL, ERR_INTERNAL, "facts of the run are missing");

	must((writer = writer_new(run_path, &err)) != NULL);
	small_run_facts(writer, "new");
	must(writer_source(writer, &source, &err) == 0);
	check_finish_fails(writer, NULL, ERR_INTERNAL, "0 rows of kind 0 came, 1 were counted");

	must((writer = writer_new(run_path, &err)) != NULL);
	small_run_facts(writer, "new");
	must(writer_source(writer, &source, &err) == 0);
	must(writer_block(writer, &block, &err) == 0);
	check_finish_fails(writer, NULL, ERR_INTERNAL, "the bytes of 1 columns are missing");

	/* The old run is as it was, and nothing else is there. */
	struct store *store = NULL;
	must((store = store_open(run_path, &err)) != NULL);
	ck_assert_str_eq(store_run(store)->imported_as, "old");
	store_close(store);
	ck_assert_int_eq(folder_count(folder), 1);
}
END_TEST

static void
check_refused(const char *path, enum err_code code, const char *part)
{
	struct err failure = ERR_INIT;
	ck_assert_ptr_null(writer_new(path, &failure));
	ck_assert_int_eq(failure.code, code);
	ck_assert_msg(strstr(failure.message, part) != NULL, "%s", failure.message);
}

START_TEST(test_places_that_are_refused)
{
	char path[5000];
	check_refused("", ERR_USAGE, "empty");
	check_refused(folder, ERR_USAGE, "is a folder");
	check_refused("/dev/null", ERR_USAGE, "no regular file");
	snprintf(path, sizeof(path), "%s/missing/run.lanes", folder);
	check_refused(path, ERR_SYSTEM, "no such folder: make it first");
	folder_write(other_path, "precious text");
	check_refused(other_path, ERR_USAGE, "is not a run file: remove it first");
	snprintf(path, sizeof(path), "%s/other/run.lanes", folder);
	check_refused(path, ERR_SYSTEM, "Not a directory");
	snprintf(path, sizeof(path), "%s/foreign.db", folder);
	sqlite3 *db;
	ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
	ck_assert_int_eq(sqlite3_exec(db, "CREATE TABLE t (a)", NULL, NULL, NULL), SQLITE_OK);
	ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
	check_refused(path, ERR_USAGE, "is not a run file: remove it first");
	unlink(path);
	memset(path, 'x', 600);
	path[600] = '\0';
	check_refused(path, ERR_SYSTEM, "bytes, more than the 500");
	ck_assert_int_eq(folder_count(folder), 1);
}
END_TEST

START_TEST(test_places_that_are_taken)
{
	struct store *store = NULL;
	static const char *const names[] = {"a b?c#d%41&e=f'\"\n.lanes", "-", "\xc3\xa9\xff.lanes",
	                                    "x.lanes"};
	for (size_t i = 0; i < 4; i++) {
		char path[300];
		snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
		folder_write(path, ""); /* an empty file is nothing lost */
		small_run_write(path, "first", false);
		small_run_write(path, "second", false);
		must((store = store_open(path, &err)) != NULL);
		ck_assert_str_eq(store_run(store)->imported_as, "second");
		store_close(store);
	}
	ck_assert_int_eq(folder_count(folder), 4);
}
END_TEST

START_TEST(test_long_name)
{
	char path[400];
	int n = snprintf(path, sizeof(path), "%s/", folder);
	memset(path + n, 'n', 240);
	strcpy(path + n + 240, ".lanes");
	small_run_write(path, "r", false);
	ck_assert_int_eq(access(path, F_OK), 0);
	ck_assert_int_eq(folder_count(folder), 1);
}
END_TEST

START_TEST(test_relative_path)
{
	char here[4096];
	ck_assert_ptr_nonnull(getcwd(here, sizeof(here)));
	ck_assert_int_eq(chdir(folder), 0);
	small_run_write("run.lanes", "r", false);
	ck_assert_int_eq(chdir(here), 0);
	ck_assert_int_eq(access(run_path, F_OK), 0);
	ck_assert_int_eq(folder_count(folder), 1);
}
END_TEST

/* Makes a file that looks like an import's, `days` old; whether it survives the next import. */
static bool
survives(const char *name, int days)
{
	char path[600];
	struct err failure = ERR_INIT;
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	folder_write(path, "half a run");
	struct timespec times[2];
	clock_gettime(CLOCK_REALTIME, &times[1]);
	times[1].tv_sec -= (time_t)days * 24 * 60 * 60 + days;
	times[0] = times[1];
	ck_assert_int_eq(utimensat(AT_FDCWD, path, times, 0), 0);
	struct writer *writer = writer_new(run_path, &failure);
	ck_assert_ptr_nonnull(writer);
	writer_abort(writer);
	bool is_there = access(path, F_OK) == 0;
	unlink(path);
	return is_there;
}

static const char random_part[] = "0123456789abcdef";

START_TEST(test_litter)
{
	char name[300], own[200];
	struct writer *writer = NULL;
	/* Our own name for this host, from a real temporary file. */
	must((writer = writer_new(run_path, &err)) != NULL);
	const char *temporary = strrchr(writer->temporary, '/') + 1;
	const char *host = temporary + strlen(".run.lanes.");
	ck_assert_int_eq(strncmp(temporary, ".run.lanes.", strlen(".run.lanes.")), 0);
	snprintf(own, sizeof(own), "%.*s", (int)strcspn(host, "-"), host);
	writer_abort(writer);

	pid_t dead = fork();
	if (dead == 0) {
		_exit(0);
	}
	ck_assert_int_eq(waitpid(dead, NULL, 0), dead);
	snprintf(name, sizeof(name), ".run.lanes.%s-%ld-%s.tmp", own, (long)dead, random_part);
	ck_assert(!survives(name, 0));
	snprintf(name, sizeof(name), ".run.lanes.%s-%ld-%s.tmp", own, (long)getpid(), random_part);
	ck_assert(survives(name, 0));
	ck_assert(!survives(name, 1)); /* another process has our number */
	snprintf(name, sizeof(name), ".run.lanes.elsewhere-%ld-%s.tmp", (long)dead, random_part);
	ck_assert(survives(name, 0));
	ck_assert(!survives(name, 1));
	/* Not ours at all, however old. */
	static const char *const foreign[] = {".run.lanes.elsewhere-1-0123456789abcdef",
	                                      ".run.lanes.elsewhere-1-0123456789abcde.tmp",
	                                      ".run.lanes.elsewhere-0-0123456789abcdef.tmp",
	                                      ".run.lanes.elsewhere-x-0123456789abcdef.tmp",
	                                      ".run.lanes.elsewhere-1-0123456789abcdefg.tmp",
	                                      ".run.lanes.tmp",
	                                      ".run.lanes.",
	                                      "run.lanes.tmp",
	                                      ".other.lanes.elsewhere-1-0123456789abcdef.tmp"};
	for (size_t i = 0; i < sizeof(foreign) / sizeof(*foreign); i++) {
		ck_assert_msg(survives(foreign[i], 9), "%s", foreign[i]);
	}
}
END_TEST

/* With all in it, and nothing that a link in it leads to. */
START_TEST(test_litter_in_folders)
{
	char path[600], outside[600];
	struct err failure = ERR_INIT;
	snprintf(outside, sizeof outside, "%s/outside", folder);
	snprintf(path, sizeof path, "%s/aside", folder);
	must(mkdir(outside, 0700) == 0);
	char *aside = tempfile_folder(path, &failure);
	ck_assert_ptr_nonnull(aside);
	snprintf(path, sizeof path, "%s/in", aside);
	must(mkdir(path, 0700) == 0);
	snprintf(path, sizeof path, "%s/in/deep", aside);
	must(mkdir(path, 0700) == 0);
	snprintf(path, sizeof path, "%s/in/deep/file", aside);
	folder_write(path, "half");
	snprintf(path, sizeof path, "%s/in/link", aside);
	must(symlink(outside, path) == 0);
	snprintf(path, sizeof path, "%s/outside/file", folder);
	folder_write(path, "kept");
	char *name = xstrdup(aside);
	ck_assert_int_eq(tempfile_end(aside, path, false), 0);
	ck_assert_int_eq(access(name, F_OK), -1);
	ck_assert(access(path, F_OK) == 0);
	free(name);
	unlink(path);
	ck_assert_int_eq(rmdir(outside), 0);
}
END_TEST

static bool
holds(const char *path, const char *expected)
{
	char bytes[64] = "";
	FILE *file = fopen(path, "r");
	if (!file) {
		return false;
	}
	size_t n = fread(bytes, 1, sizeof bytes - 1, file);
	(void)fclose(file);
	return n == strlen(expected) && memcmp(bytes, expected, n) == 0;
}

/* Whichever way the file system has: the first to come keeps the name, and the other file stays as
 * it was. */
START_TEST(test_ways_to_a_name)
{
	char temporary[300];
	snprintf(temporary, sizeof temporary, "%s.tmp", other_path);
	for (int way = 0; way < TEMPFILE_WAYS; way++) {
		(void)unlink(other_path);
		folder_write(temporary, "first");
		int status = tempfile_try(way, temporary, other_path);
		if (status == 2) {
			continue; /* not here */
		}
		ck_assert_int_eq(status, 0);
		ck_assert(holds(other_path, "first") && !holds(temporary, "first"));
		folder_write(temporary, "second");
		ck_assert_int_eq(tempfile_try(way, temporary, other_path), 1);
		ck_assert(holds(other_path, "first") && holds(temporary, "second"));
		(void)unlink(temporary);
		ck_assert_int_eq(tempfile_try(way, temporary, "/nowhere/to/go"), -1);
	}
	ck_assert(holds(other_path, "first")); /* TEMPFILE_CHECK is everywhere */
}
END_TEST

/* Who decides about a taken place: says elsewhere, here or nowhere. */
static char *
decide(void *user, const char *path, struct err *err)
{
	const char **answers = user;
	const char *answer = answers[0];
	answers[0] = answers[1];
	(void)path;
	if (!answer) {
		err_set(err, ERR_USAGE, "taken");
	}
	return answer ? xstrdup(answer) : NULL;
}

START_TEST(test_places_that_are_decided)
{
	char third_path[300];
	snprintf(third_path, sizeof third_path, "%s-3", other_path);
	const char *const cases[][2] = {{other_path, third_path}, {run_path, NULL}, {NULL, NULL}};
	for (size_t i = 0; i < 3; i++) {
		const char *answers[2] = {cases[i][0], cases[i][1]};
		struct writer_placing placing = {answers, decide};
		struct err failure = ERR_INIT;
		struct writer_run run = {.name = "x", .format = "chrome"};
		struct writer *writer;
		folder_write(other_path, "taken");
		must((writer = writer_new(run_path, &err)) != NULL);
		must(writer_set_run(writer, &run, &err) == 0);
		folder_write(run_path, "");
		int status = writer_finish(writer, &placing, NULL, &failure);
		ck_assert_int_eq(status, i == 2 ? -1 : 0);
		ck_assert(holds(other_path, "taken"));
		ck_assert_int_eq(holds(run_path, ""), i != 1);
		ck_assert_int_eq(access(third_path, F_OK), i == 0 ? 0 : -1);
		(void)unlink(third_path);
		(void)unlink(run_path);
	}
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("writer");
	TCase *tcase = tcase_create("writer");
	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, test_rows_come_back);
	tcase_add_test(tcase, test_totals);
	tcase_add_test(tcase, test_totals_are_span_sums);
	tcase_add_test(tcase, test_empty_run);
	tcase_add_test(tcase, test_blob_ids);
	tcase_add_test(tcase, test_deterministic);
	tcase_add_test(tcase, test_page_sizes);
	tcase_add_test(tcase, test_abort_leaves_nothing);
	tcase_add_test(tcase, test_finish_fails);
	tcase_add_test(tcase, test_places_that_are_refused);
	tcase_add_test(tcase, test_places_that_are_taken);
	tcase_add_test(tcase, test_ways_to_a_name);
	tcase_add_test(tcase, test_places_that_are_decided);
	tcase_add_test(tcase, test_long_name);
	tcase_add_test(tcase, test_relative_path);
	tcase_add_test(tcase, test_litter);
	tcase_add_test(tcase, test_litter_in_folders);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
