/* Reading run files: what is refused and how it is told, statements, tiles, totals, changes under
 * the reader, hostile files. */
#include "config.h"
#include "store/store.h"

#include "store/store_private.h"

#include "unit/seal.h"
#include "unit/small_run.h"
#include "util/prng.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <time.h>

static const char *folder;
static char run_path[256];
static char whole[1 << 20]; /* bytes of the run as it was written */
static size_t whole_bytes;

static void
write_run(bool with_spans)
{
	small_run_write(run_path, "r", with_spans);
	FILE *file = fopen(run_path, "r");
	ck_assert_ptr_nonnull(file);
	whole_bytes = fread(whole, 1, sizeof(whole), file);
	ck_assert_int_lt(whole_bytes, sizeof(whole));
	fclose(file);
}

static void
set_up(void)
{
	folder = folder_new();
	snprintf(run_path, sizeof(run_path), "%s/run.lanes", folder);
	write_run(false);
}

/* The run again as it was written, quicker than by writing it. */
static void
restore(void)
{
	unlink(run_path);
	FILE *file = fopen(run_path, "w");
	ck_assert_ptr_nonnull(file);
	ck_assert_int_eq(fwrite(whole, 1, whole_bytes, file), whole_bytes);
	ck_assert_int_eq(fclose(file), 0);
}

static void
tear_down(void)
{
	folder_remove(folder);
}

static struct store *
open_run(void)
{
	return small_run_open(run_path);
}

static void
check_not_opened(enum err_code code, const char *part)
{
	struct err failure = ERR_INIT;
	ck_assert_ptr_null(store_open(run_path, &failure));
	ck_assert_msg(failure.code == code, "%d: %s", failure.code, failure.message);
	ck_assert_msg(strstr(failure.message, part) != NULL, "%s", failure.message);
	ck_assert_msg(strstr(failure.message, run_path) != NULL, "%s", failure.message);
}

static void
forge(const char *sql)
{
	seal_after(run_path, sql);
}

static void
overwrite(off_t offset, const void *bytes, size_t length)
{
	int fd = open(run_path, O_WRONLY);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(pwrite(fd, bytes, length, offset), length);
	close(fd);
}

/* --- opening --- */

START_TEST(test_files_that_are_no_runs)
{
	unlink(run_path);
	check_not_opened(ERR_SYSTEM, "No such file");
	ck_assert_int_eq(mkdir(run_path, 0777), 0);
	check_not_opened(ERR_FORMAT, "is a folder");
	rmdir(run_path);
	ck_assert_int_eq(mkfifo(run_path, 0666), 0);
	check_not_opened(ERR_FORMAT, "no regular file");
	unlink(run_path);
	int fd = open(run_path, O_WRONLY | O_CREAT, 0666);
	check_not_opened(ERR_FORMAT, "is empty");
	ck_assert_int_eq(write(fd, "[{\"ph\":\"X\"", 10), 10);
	check_not_opened(ERR_FORMAT, "if it is a trace, import it first: lanescope import ");
	ck_assert_int_eq(ftruncate(fd, 100000), 0);
	check_not_opened(ERR_FORMAT, "import it first");
	close(fd);
	unlink(run_path);
	forge("CREATE TABLE t (a)");
	check_not_opened(ERR_FORMAT, "not one of lanescope's run files");
}
END_TEST

START_TEST(test_versions)
{
	char newer[64], own[64], refusal[96];

	snprintf(newer, sizeof newer, "PRAGMA user_version = %d", STORE_VERSION + 1);
	snprintf(own, sizeof own, "PRAGMA user_version = %d", STORE_VERSION);
	snprintf(refusal, sizeof refusal,
	         "newer lanescope (run file version %d, this one reads %d): update",
	         STORE_VERSION + 1, STORE_VERSION);
	forge(newer);
	check_not_opened(ERR_FORMAT, refusal);
	forge("PRAGMA user_version = 0");
	check_not_opened(ERR_FORMAT, "import its traces again");
	forge("PRAGMA user_version = -1");
	check_not_opened(ERR_FORMAT, "import its traces again");
	forge(own);
	store_close(open_run());
	forge("PRAGMA journal_mode = wal");
	check_not_opened(ERR_FORMAT, "write-ahead log");
}
END_TEST

START_TEST(test_damaged_files)
{
	struct stat status;
	ck_assert_int_eq(stat(run_path, &status), 0);
	ck_assert_int_eq(truncate(run_path, status.st_size - 1), 0);
	check_not_opened(ERR_FORMAT, "is damaged, it has");
	ck_assert_int_eq(truncate(run_path, 100), 0);
	check_not_opened(ERR_FORMAT, "is damaged, it has");
	ck_assert_int_eq(truncate(run_path, 99), 0);
	check_not_opened(ERR_FORMAT, "is not a run file");
}
END_TEST

/* Any page full of nonsense: refused or not, but no crash, and no statement goes on for ever. */
START_TEST(test_garbage_pages)
{
	struct stat status;
	unsigned char garbage[1024];
	struct prng prng = {42};
	ck_assert_int_eq(stat(run_path, &status), 0);
	int n_refused = 0;
	for (int round = 0; round < 120; round++) {
		struct err failure = ERR_INIT;
		restore();
		for (size_t i = 0; i < sizeof(garbage); i++) {
			garbage[i] = (unsigned char)prng_next(&prng);
		}
		off_t offset = 100 + (off_t)prng_below(&prng, (uint64_t)status.st_size - 100 -
		                                                  sizeof(garbage));
		if (round % 2 && offset > 4096) {
			offset -= offset % 4096; /* where SQLite looks first */
		}
		overwrite(offset, garbage, 1 + prng_below(&prng, sizeof(garbage)));
		struct store *store = store_open(run_path, &failure);
		const struct dataset *dataset = store ? store_dataset(store, &failure) : NULL;
		n_refused += !dataset;
		struct stmt *stmt =
		    store ? store_prepare(
				store,
				"SELECT * FROM tasks, transfers, problems, samples, block_data",
				&failure)
			  : NULL;
		while (stmt && stmt_step(stmt, &failure) == 1) {
			for (int i = 0; i < stmt_columns(stmt); i++) {
				(void)stmt_text(stmt, i);
			}
		}
		stmt_free(stmt);
		store_close(store);
	}
	ck_assert_int_gt(n_refused, 10);
}
END_TEST

START_TEST(test_foreign_schema)
{
	static const char *const changes[] = {
	    "CREATE TABLE more (a)",
	    "CREATE VIEW more AS SELECT 1",
	    "CREATE INDEX more ON task (name)",
	    "CREATE TRIGGER more AFTER INSERT ON task BEGIN SELECT 1; END",
	    "DROP INDEX tag_by_key",
	    "DROP VIEW trials",
	    "DROP TABLE tile",
	    ("DROP TABLE tile; CREATE VIEW tile AS SELECT 0 AS subject, 0 AS id, 0 AS level, 0 AS "
	     "chunk, zeroblob(1000000000) AS cells"),
	    "ALTER TABLE task ADD COLUMN more",
	    "ALTER TABLE task RENAME COLUMN planned TO \"plan--\nned\"",
	    "DROP VIEW tasks; CREATE VIEW tasks AS SELECT * FROM task",
	    "ANALYZE",
	};
	for (size_t i = 0; i < sizeof(changes) / sizeof(*changes); i++) {
		restore();
		forge(changes[i]);
		check_not_opened(ERR_FORMAT, "its tables are not those of a run file");
	}
}
END_TEST

/* Comments and blanks may be improved without a new version. */
START_TEST(test_other_comments_in_schema)
{
	forge("PRAGMA writable_schema = 1; UPDATE sqlite_master SET sql = replace(sql, 'nodes "
	      "INTEGER', 'nodes\n   -- how many\n\tINTEGER')");
	store_close(open_run());
	forge("PRAGMA writable_schema = 1; UPDATE sqlite_master SET sql = replace(sql, 'how "
	      "many\n', 'how many ')"); /* swallows what follows */
	struct err failure = ERR_INIT;
	ck_assert_ptr_null(store_open(run_path, &failure));
	ck_assert_int_eq(failure.code, ERR_FORMAT);
}
END_TEST

/* The extension reads what others opened: there may be more in it, but not less or other than ours.
 */
START_TEST(test_reader_of_any_connection)
{
	static const char *const steps[][2] = {
	    {"CREATE TABLE more (a); CREATE INDEX most ON task (name)", NULL},
	    {"DROP VIEW tags", "its tables are not those"},
	    {"PRAGMA user_version = 99", "version 99 is not read here"},
	    {"PRAGMA application_id = 1", "not one of lanescope's run files"},
	};
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		struct err failure = ERR_INIT;
		sqlite3 *db;
		forge(steps[i][0]);
		ck_assert_int_eq(sqlite3_open(run_path, &db), SQLITE_OK);
		struct run_reader *reader = run_reader_new(db, false);
		const struct dataset *dataset = run_reader_dataset(reader, &failure);
		ck_assert_msg(!dataset == !!steps[i][1], "%s", failure.message);
		if (!dataset) {
			ck_assert_int_eq(failure.code, ERR_FORMAT);
			ck_assert_ptr_nonnull(strstr(failure.message, steps[i][1]));
		}
		/* Nothing of it keeps the connection from closing. */
		ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
		run_reader_free(reader);
	}
}
END_TEST

START_TEST(test_run_facts)
{
	struct store *store = open_run();
	const struct run_info *run = store_run(store);
	ck_assert_str_eq(store_path(store), run_path);
	ck_assert_str_eq(run->name, "run");
	ck_assert_str_eq(run->imported_as, "r");
	ck_assert_str_eq(run->format, "chrome");
	ck_assert_ptr_null(run->dialect);
	ck_assert_str_eq(run->clock, "wall");
	ck_assert_int_eq(run->start_ns, INT64_C(1700000000123456789));
	ck_assert_int_eq(run->duration_ns, 1959);
	ck_assert_int_eq(run->n_sources, 2);
	ck_assert_int_eq(run->n_lanes, 3);
	ck_assert_int_eq(run->n_spans, 0);
	ck_assert_int_eq(run->n_events, 20);
	ck_assert_int_eq(run->n_counters, 20);
	ck_assert_int_eq(run->n_tasks, 2);
	ck_assert_int_eq(run->n_transfers, 1);
	ck_assert_int_eq(run->n_records, 80);
	ck_assert_int_eq(run->n_problems, 2);
	store_close(store);
	store_close(NULL);
	/* run facts that can't be are found at opening */
	forge("PRAGMA ignore_check_constraints = 1; UPDATE run SET duration_ns = -1");
	check_not_opened(ERR_FORMAT, "damaged");
	forge("UPDATE run SET duration_ns = 1, tile_levels = 33");
	check_not_opened(ERR_FORMAT, "width of tiles");
	forge("UPDATE run SET tile_levels = 31, tile_base_ns = 64");
	check_not_opened(ERR_FORMAT, "width of tiles");
	forge("UPDATE run SET tile_levels = 2, spans = -1");
	check_not_opened(ERR_FORMAT, "negative count");
	forge("DELETE FROM run");
	check_not_opened(ERR_FORMAT, "empty");
}
END_TEST

START_TEST(test_tiles)
{
	struct store *store = open_run();
	struct tile_reader tiles;
	struct slice cells;
	must(store_tiles(store, &tiles, &err) == 0);
	ck_assert_int_eq(tiles.base_ns, 64);
	ck_assert_int_eq(tiles.n_levels, 4);
	must(tiles.fetch(tiles.user, TILE_LANE, 1, 2, 3, &cells, &err) == 0);
	ck_assert(slice_equal(cells, (struct slice){"tile\0bytes", 10}));
	must(tiles.fetch(tiles.user, TILE_GROUP, 1, 2, 3, &cells, &err) == 0);
	ck_assert_int_eq(cells.len, 0);
	must(tiles.fetch(tiles.user, TILE_LANE, 1, 2, UINT64_MAX, &cells, &err) == 0);
	ck_assert_int_eq(cells.len, 0);
	store_close(store);
}
END_TEST

/* One lie at a time. */
START_TEST(test_hostile_metadata)
{
	static const char *const lies[] = {
	    "DELETE FROM string WHERE id = 0",
	    "DELETE FROM string WHERE id = 5", /* a gap, and the text of a lane's thread */
	    "UPDATE string SET id = 4000000000 WHERE id = 9",
	    "UPDATE string SET text = 'other' WHERE id = 5",
	    "INSERT INTO string VALUES (-1, 'x')",
	    "DELETE FROM argument WHERE id = 0",
	    "DELETE FROM argument WHERE id = 1", /* a column uses it */
	    "UPDATE lane SET host = 10",
	    "UPDATE lane SET host = -1",
	    "UPDATE lane SET name = 10",
	    "UPDATE lane SET name = 4294967295",
	    "UPDATE lane SET kind = 'nonsense'",
	    "UPDATE lane SET process = 'nobody'",
	    "UPDATE lane SET thread = 1.5",
	    "DELETE FROM lane WHERE id = 0",
	    "DELETE FROM lane", /* the maps name them */
	    "DELETE FROM source WHERE id = 0",
	    "DELETE FROM source WHERE id = 1", /* blocks name it */
	    "UPDATE source SET text_map = x'0a000000'",
	    "UPDATE source SET text_map = x'ffffffff'",
	    "UPDATE source SET text_map = x'0000'",
	    "UPDATE source SET lane_map = x'03000000'",
	    "UPDATE block SET kind = 3",
	    "UPDATE block SET kind = -1",
	    "UPDATE block SET source = 2",
	    "UPDATE block SET source = -1",
	    "UPDATE block SET sequence = 4294967296",
	    "UPDATE block SET sequence = -1",
	    "UPDATE block SET first_id = 0 WHERE first_id = 1",
	    "UPDATE block SET first_id = 12 WHERE first_id = 11",
	    "UPDATE block SET first_id = 10 WHERE first_id = 11",
	    "UPDATE block SET n_rows = 0",
	    "UPDATE block SET n_rows = 65537",
	    "UPDATE block SET n_rows = -1",
	    "UPDATE block SET start_min = 1, start_max = 0",
	    "UPDATE block SET id = 9 WHERE id = 1",
	    "DELETE FROM block WHERE id = 2",
	    "UPDATE block_column SET field = 0 WHERE field = 1",
	    "UPDATE block_column SET field = 50 WHERE field = 1",
	    "UPDATE block_column SET field = 80 WHERE field = 1", /* of argument 2 */
	    "UPDATE block_column SET field = 4294967297 WHERE field = 1",
	    "UPDATE block_column SET field = -1 WHERE field = 1",
	    "UPDATE block_column SET block = 0 WHERE block = 1",
	    "UPDATE block_column SET block = 5 WHERE block = 4",
	    "UPDATE block_column SET type = 4",
	    "UPDATE block_column SET type = 256",
	    "UPDATE block_column SET flags = 256",
	    "UPDATE block_column SET width = -1",
	    "UPDATE block_column SET n_present = 11",
	    "UPDATE block_column SET n_present = -1",
	    "UPDATE block_column SET same_as = 4294967296",
	    "UPDATE block_column SET data = -1",
	    "UPDATE block_column SET data = 0 WHERE data <> 0",
	    "UPDATE block_column SET data = 1 WHERE data = 0",
	    "UPDATE block_column SET bytes = 0 WHERE data <> 0",
	    "UPDATE block_column SET bytes = 4294967295 WHERE data <> 0",
	    "UPDATE block_column SET bytes = -1 WHERE data <> 0",
	    "UPDATE block_column SET type = 3, bytes = 100000000 WHERE data <> 0",
	};
	for (size_t i = 0; i < sizeof(lies) / sizeof(*lies); i++) {
		struct err failure = ERR_INIT;
		restore();
		forge(lies[i]);
		struct store *store = open_run();
		ck_assert_msg(!store_dataset(store, &failure), "%s", lies[i]);
		ck_assert_msg(failure.code == ERR_FORMAT, "%s: %s", lies[i], failure.message);
		ck_assert_ptr_nonnull(strstr(failure.message, "damaged"));
		ck_assert(!store_dataset(store, &failure)); /* and again */
		store_close(store);
	}
}
END_TEST

/* --- sums from totals --- */

static int64_t
sum_of_durations(const char *filter)
{
	char sql[128];
	int64_t sum = 0;
	struct store *store = open_run();
	snprintf(sql, sizeof(sql), "SELECT sum(dur_sum) FROM span_sums('name', '%s')", filter);
	struct stmt *stmt = small_prepare(store, sql);
	must(stmt_step(stmt, &err) == 1);
	sum = stmt_integer(stmt, 0);
	stmt_free(stmt);
	store_close(store);
	return sum;
}

/* Where the totals of the run suffice they are what is read; where they can't be true, the blocks
 * are. */
START_TEST(test_totals)
{
	static const char *const lies[] = {
	    "DELETE FROM span_total",
	    "DELETE FROM span_total WHERE lane = 0",
	    "UPDATE span_total SET rows = rows + 1",
	    "UPDATE span_total SET rows = -rows",
	    "UPDATE span_total SET rows = 0 WHERE lane = 0",
	    "UPDATE span_total SET lane = 99",
	    "UPDATE span_total SET lane = -1",
	    "UPDATE span_total SET name = 99",
	    "UPDATE span_total SET category = -5",
	    "UPDATE span_total SET size_n = 1000",
	    "UPDATE span_total SET size_n = -1",
	    "UPDATE span_total SET dur_sum = 1e19 WHERE lane = 0",
	    "UPDATE span_total SET n = 1e19",
	    "UPDATE span_total SET dur_sumsq = 5",
	    "UPDATE span_total SET size_sumsq = x'00'",
	    "INSERT INTO span_total SELECT * FROM span_total",
	};
	write_run(true);
	int64_t sum = sum_of_durations("");
	ck_assert_int_gt(sum, 0);
	ck_assert_int_eq(sum_of_durations("id > 0"), sum);
	for (size_t i = 0; i < sizeof(lies) / sizeof(*lies); i++) {
		restore();
		forge("UPDATE span_total SET dur_sum = dur_sum + 1000");
		ck_assert_int_eq(sum_of_durations(""), sum + 2000);
		ck_assert_int_eq(sum_of_durations("id > 0"), sum);
		forge(lies[i]);
		ck_assert_msg(sum_of_durations("") == sum, "%s", lies[i]);
	}
}
END_TEST

/* --- the file changes under the reader --- */

static void
check_changed(struct store *store, struct stmt *stmt)
{
	struct err failure = ERR_INIT;
	ck_assert_int_eq(stmt_step(stmt, &failure), -1);
	ck_assert_int_eq(failure.code, ERR_CHANGED);
	ck_assert_ptr_nonnull(strstr(failure.message, "reopen"));
	ck_assert_ptr_null(store_dataset(store, &failure));
	ck_assert_int_eq(failure.code, ERR_CHANGED);
	stmt_free(stmt);
	store_close(store);
}

START_TEST(test_changed_file)
{
	struct store *store = open_run();
	struct stmt *stmt = small_prepare(store, "SELECT count(*) FROM task");
	must(stmt_step(stmt, &err) == 1);
	must(stmt_step(stmt, &err) == 0);
	small_run_write(run_path, "new", false); /* replaced by another import */
	check_changed(store, stmt);

	store = open_run();
	stmt = small_prepare(store, "SELECT count(*) FROM task");
	const struct timespec times[2] = {{1, 0}, {1, 1}};
	ck_assert_int_eq(utimensat(AT_FDCWD, run_path, times, 0), 0); /* written in place */
	check_changed(store, stmt);

	store = open_run();
	stmt = small_prepare(store, "SELECT count(*) FROM task");
	ck_assert_int_eq(truncate(run_path, 40000), 0);
	check_changed(store, stmt);

	restore();
	store = open_run();
	stmt = small_prepare(store, "SELECT count(*) FROM task");
	unlink(run_path);
	check_changed(store, stmt);
}
END_TEST

/* Cut short in the middle of a statement: the I/O error is explained by the change. */
START_TEST(test_changed_while_reading)
{
	struct store *store = open_run();
	struct err failure = ERR_INIT;
	struct stmt *stmt =
	    small_prepare(store, "SELECT s.id, hex(d.bytes) FROM string s, block_data d");
	must(stmt_step(stmt, &err) == 1);
	ck_assert_int_eq(truncate(run_path, 100), 0);
	struct stmt *other = store_prepare(store, "SELECT * FROM problem", &failure);
	int status = 1;
	while (status == 1) {
		status = stmt_step(stmt, &failure);
	}
	if (status == 0) { /* all of it was in the cache */
		status = stmt_step(other, &failure);
	}
	ck_assert_int_eq(status, -1);
	ck_assert_int_eq(failure.code, ERR_CHANGED);
	stmt_free(stmt);
	stmt_free(other);
	store_close(store);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("store");
	TCase *tcase = tcase_create("store");
	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_set_timeout(tcase, 30);
	tcase_add_test(tcase, test_files_that_are_no_runs);
	tcase_add_test(tcase, test_versions);
	tcase_add_test(tcase, test_damaged_files);
	tcase_add_test(tcase, test_garbage_pages);
	tcase_add_test(tcase, test_foreign_schema);
	tcase_add_test(tcase, test_other_comments_in_schema);
	tcase_add_test(tcase, test_reader_of_any_connection);
	tcase_add_test(tcase, test_run_facts);
	tcase_add_test(tcase, test_tiles);
	tcase_add_test(tcase, test_hostile_metadata);
	tcase_add_test(tcase, test_totals);
	tcase_add_test(tcase, test_changed_file);
	tcase_add_test(tcase, test_changed_while_reading);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
