/* Checksums of pages: what they find, and that no way of reading passes them by. */
#include "config.h"
#include "store/checked.h"

#include <fcntl.h>
#include <stdlib.h>

#include "store/page.h"
#include "store/runfile.h"
#include "unit/seal.h"
#include "unit/small_run.h"
#include "util/mem.h"
#include "util/prng.h"

static const char *folder;
static char run_path[256];
static unsigned char whole[1 << 20]; /* the run as it was written */
static size_t whole_bytes, page_bytes;

static void
restore(void)
{
	int fd = open(run_path, O_WRONLY | O_TRUNC);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(pwrite(fd, whole, whole_bytes, 0), whole_bytes);
	close(fd);
}

static void
set_up(void)
{
	folder = folder_new();
	snprintf(run_path, sizeof run_path, "%s/run.lanes", folder);
	small_run_write(run_path, "r", true);
	FILE *file = fopen(run_path, "r");
	ck_assert_ptr_nonnull(file);
	whole_bytes = fread(whole, 1, sizeof whole, file);
	ck_assert_uint_lt(whole_bytes, sizeof whole);
	fclose(file);
	page_bytes = page_header_bytes(whole);
}

static void
tear_down(void)
{
	folder_remove(folder);
}

static void
flip(size_t byte, unsigned bit)
{
	unsigned char other = (unsigned char)(whole[byte] ^ 1u << bit);
	int fd = open(run_path, O_WRONLY);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(pwrite(fd, &other, 1, (off_t)byte), 1);
	close(fd);
}

/* --- pages --- */

static uint32_t
word_at(const unsigned char *bytes)
{
	return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
	       (uint32_t)bytes[3] << 24;
}

/* As the algorithm is told. */
START_TEST(test_sums)
{
	struct prng prng = {1};
	static unsigned char page[PAGE_BYTES_MOST];
	for (size_t bytes = PAGE_BYTES_LEAST; bytes <= PAGE_BYTES_MOST; bytes *= 2) {
		uint32_t first = 0, second = 0;
		for (size_t i = 0; i < bytes; i++) {
			page[i] = (unsigned char)prng_next(&prng);
		}
		page_seal(page, bytes);
		for (size_t i = 0; i < bytes - 8; i += 8) {
			first += word_at(page + i) + second;
			second += word_at(page + i + 4) + first;
		}
		ck_assert_uint_eq(word_at(page + bytes - 8), first);
		ck_assert_uint_eq(word_at(page + bytes - 4), second);
		ck_assert(page_is_sealed(page, bytes));
	}
}
END_TEST

START_TEST(test_every_bit)
{
	struct prng prng = {2};
	unsigned char page[4096];
	for (size_t i = 0; i < sizeof page; i++) {
		page[i] = (unsigned char)prng_next(&prng);
	}
	page_seal(page, sizeof page);
	for (size_t bit = 0; bit < 8 * sizeof page; bit++) {
		page[bit / 8] ^= (unsigned char)(1u << bit % 8);
		ck_assert_msg(!page_is_sealed(page, sizeof page), "bit %zu", bit);
		page[bit / 8] ^= (unsigned char)(1u << bit % 8);
	}
	ck_assert(!page_is_zero(page, sizeof page));
	memset(page, 0, sizeof page);
	ck_assert(page_is_sealed(page, sizeof page));
	ck_assert(page_is_zero(page, sizeof page));
	page[100] = 1;
	ck_assert(!page_is_zero(page, sizeof page));
}
END_TEST

/* A new file is an empty database to SQLite, for every size of pages. */
START_TEST(test_first_page)
{
	static unsigned char page[PAGE_BYTES_MOST];
	for (size_t bytes = PAGE_BYTES_LEAST; bytes <= PAGE_BYTES_MOST; bytes *= 2) {
		sqlite3 *db;
		page_first(page, bytes);
		ck_assert(page_is_sealed(page, bytes));
		ck_assert_uint_eq(page_header_bytes(page), bytes);
		FILE *file = fopen(run_path, "w");
		ck_assert_uint_eq(fwrite(page, 1, bytes, file), bytes);
		fclose(file);
		ck_assert_int_eq(sqlite3_open(run_path, &db), SQLITE_OK);
		ck_assert_msg(sqlite3_exec(db,
		                           "CREATE TABLE t (a); INSERT INTO t VALUES "
		                           "(zeroblob(200000)), (randomblob(200000)); "
		                           "CREATE INDEX i ON t (a); PRAGMA integrity_check",
		                           NULL, NULL, NULL) == SQLITE_OK,
		              "%s", sqlite3_errmsg(db));
		sqlite3_close(db);
		file = fopen(run_path, "r");
		ck_assert_uint_eq(fread(page, 1, PAGE_HEADER_BYTES, file), PAGE_HEADER_BYTES);
		fclose(file);
		ck_assert(page_header_is_sealed(page));
		ck_assert_uint_eq(page_header_bytes(page), bytes);
	}
}
END_TEST

/* --- reading --- */

/* SQLite reads no more than the header. */
static sqlite3 *
open_checked_as(sqlite3_file **file, int flags)
{
	sqlite3 *db;
	struct err err = ERR_INIT;
	const char *vfs = checked_vfs(&err);
	ck_assert_int_eq(sqlite3_open_v2(run_path, &db, flags, vfs), SQLITE_OK);
	ck_assert_int_eq(sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, file),
	                 SQLITE_OK);
	return db;
}

static sqlite3 *
open_checked(sqlite3_file **file)
{
	return open_checked_as(file, SQLITE_OPEN_READONLY);
}

/* Whatever part is asked for: the bytes, or an error where a page of it is damaged. */
START_TEST(test_any_part)
{
	struct prng prng = {3};
	static unsigned char bytes[sizeof whole];
	size_t n_errors = 0;
	for (int i = 0; i < 40; i++) {
		size_t damaged =
		    page_bytes + (size_t)(prng_next(&prng) % (whole_bytes - page_bytes));
		sqlite3_file *file;
		restore();
		flip(damaged, i % 8);
		sqlite3 *db = open_checked(&file);
		for (int k = 0; k < 50; k++) {
			size_t from = (size_t)(prng_next(&prng) % whole_bytes);
			size_t left = whole_bytes - from;
			size_t n =
			    1 + (size_t)(prng_next(&prng) % (k % 2 && left > 20 ? 20 : left));
			bool is_hit = from / page_bytes <= damaged / page_bytes &&
			              damaged / page_bytes <= (from + n - 1) / page_bytes;
			int result =
			    file->pMethods->xRead(file, bytes, (int)n, (sqlite3_int64)from);
			ck_assert_int_eq(result & 0xff, is_hit ? SQLITE_IOERR : SQLITE_OK);
			ck_assert(is_hit || memcmp(bytes, whole + from, n) == 0);
			n_errors += is_hit;
		}
		const char *path;
		unsigned page;
		ck_assert(!checked_damage(db, &path, &page) || page == damaged / page_bytes + 1);
		sqlite3_close(db);
	}
	ck_assert_uint_gt(n_errors, 40);
}
END_TEST

/* What can't be: SQLite takes bytes that are missing for zeros. */
START_TEST(test_beyond_the_end)
{
	sqlite3_file *file;
	unsigned char bytes[100];
	sqlite3 *db = open_checked(&file);
	ck_assert_int_eq(
	    file->pMethods->xRead(file, bytes, sizeof bytes, (sqlite3_int64)whole_bytes) & 0xff,
	    SQLITE_IOERR);
	ck_assert_int_eq(
	    file->pMethods->xRead(file, bytes, sizeof bytes, (sqlite3_int64)whole_bytes - 50) &
		0xff,
	    SQLITE_IOERR);
	sqlite3_close(db);
}
END_TEST

/* While a file grows SQLite asks beyond its end, and must find zeros there (xRead's contract). */
START_TEST(test_beyond_the_end_of_what_grows)
{
	sqlite3_file *file;
	static unsigned char bytes[2 * PAGE_BYTES_MOST + 1];
	sqlite3 *db = open_checked_as(&file, SQLITE_OPEN_READWRITE);
	for (size_t before = 0; before <= page_bytes; before += page_bytes / 2) {
		for (size_t n = 1; n < sizeof bytes; n = 2 * n + before % 7) {
			size_t there = before < n ? before : n;
			memset(bytes, 0xff, sizeof bytes);
			int result = file->pMethods->xRead(file, bytes, (int)n,
			                                   (sqlite3_int64)(whole_bytes - before));
			ck_assert_int_eq(result, n <= before ? SQLITE_OK : SQLITE_IOERR_SHORT_READ);
			ck_assert_int_eq(memcmp(bytes, whole + whole_bytes - before, there), 0);
			for (size_t i = there; i < n; i++) {
				ck_assert_uint_eq(bytes[i], 0);
			}
			ck_assert_uint_eq(bytes[n], 0xff);
		}
	}
	sqlite3_close(db);
}
END_TEST

/* Each bit of the header and one of each page: opening and reading everything says which page, or
 * nothing of it was read. */
START_TEST(test_message)
{
	static const char *const tables[] = {"run",    "lane",       "task",   "string",
	                                     "source", "block_data", "problem"};
	for (size_t bit = 0; bit < 8 * (PAGE_HEADER_BYTES + whole_bytes / page_bytes); bit++) {
		size_t byte = bit / 8 < PAGE_HEADER_BYTES
		                  ? bit / 8
		                  : (bit / 8 - PAGE_HEADER_BYTES) * page_bytes + 200;
		struct err err = ERR_INIT;
		restore();
		flip(byte, bit % 8);
		struct store *store = store_open(run_path, &err);
		for (size_t i = 0; store && i < COUNT_OF(tables) && err.code == ERR_NONE; i++) {
			char sql[80];
			snprintf(sql, sizeof sql, "SELECT * FROM main.%s", tables[i]);
			struct stmt *stmt = store_prepare(store, sql, &err);
			while (stmt && stmt_step(stmt, &err) == 1) {
			}
			stmt_free(stmt);
		}
		ck_assert(store || err.code != ERR_NONE);
		if (byte >= PAGE_HEADER_BYTES && err.code != ERR_NONE) {
			char part[80];
			snprintf(part, sizeof part, ": is damaged, page %zu is not",
			         byte / page_bytes + 1);
			ck_assert_msg(err.code == ERR_FORMAT && strstr(err.message, part) &&
			                  strstr(err.message, run_path),
			              "%s", err.message);
		}
		ck_assert(byte >= PAGE_HEADER_BYTES || err.code == ERR_FORMAT);
		store_close(store);
	}
}
END_TEST

/* The header says how many bytes are kept at the ends of pages: with other numbers, no checksum is
 * where one is looked for, however right those of the file are. */
START_TEST(test_other_reserves)
{
	for (int reserve = 0; reserve < 256; reserve++) {
		struct err err = ERR_INIT;
		unsigned char page[4096], byte = (unsigned char)reserve;
		ck_assert_uint_eq(page_bytes, sizeof page);
		restore();
		memcpy(page, whole, sizeof page);
		page[20] = byte;
		page_seal(page, sizeof page);
		int fd = open(run_path, O_WRONLY);
		ck_assert_int_eq(pwrite(fd, page, sizeof page, 0), sizeof page);
		close(fd);
		struct store *store = store_open(run_path, &err);
		ck_assert_int_eq(store != NULL, reserve == PAGE_RESERVED);
		ck_assert(store || strstr(err.message, "its pages have no checksums"));
		store_close(store);
	}
}
END_TEST

/* A lost page is one of zeros, whose checksum is right. */
START_TEST(test_lost_pages)
{
	static const unsigned char zeros[PAGE_BYTES_MOST];
	struct runfile_pages pages;
	struct err err = ERR_INIT;
	size_t n_told = 0;
	for (size_t at = page_bytes; at < whole_bytes; at += page_bytes) {
		restore();
		int fd = open(run_path, O_WRONLY);
		ck_assert_int_eq(pwrite(fd, zeros, page_bytes, (off_t)at), page_bytes);
		close(fd);
		ck_assert_int_eq(runfile_verify(run_path, &pages, NULL, &err), 0);
		ck_assert_int_eq(pages.damaged, 0);
		ck_assert_int_eq(pages.zero, 1);
		sqlite3_file *file;
		unsigned char byte;
		sqlite3 *db = open_checked(&file);
		ck_assert_int_eq(file->pMethods->xRead(file, &byte, 1, (sqlite3_int64)at),
		                 SQLITE_OK);
		checked_refuse_zero_pages(db);
		n_told += file->pMethods->xRead(file, &byte, 1, (sqlite3_int64)at) != SQLITE_OK;
		sqlite3_close(db);
	}
	ck_assert_uint_eq(n_told, whole_bytes / page_bytes - 1);
}
END_TEST

/* But a run may have such a page: then they are none of damage. */
START_TEST(test_pages_of_zeros)
{
	struct err err = ERR_INIT;
	static const char zeros[100000];
	struct runfile_pages pages;
	struct writer *writer = writer_new(run_path, &err);
	int64_t id = writer_blob_id(0, BLOCK_SPAN, 0, 0);
	struct writer_run facts = {.name = "r", .format = "chrome"};
	ck_assert_int_eq(writer_blob(writer, id, (struct slice){zeros, sizeof zeros}, &err), 0);
	ck_assert_int_eq(writer_set_run(writer, &facts, &err), 0);
	ck_assert_msg(writer_finish(writer, NULL, NULL, &err) == 0, "%s", err.message);
	ck_assert_int_eq(runfile_verify(run_path, &pages, NULL, &err), 0);
	ck_assert_int_gt(pages.zero, 0);
	struct store *store = small_run_open(run_path);
	struct stmt *stmt = store_prepare(
	    store, "SELECT bytes = zeroblob(100000), zero_pages FROM block_data, run_whole", &err);
	ck_assert_msg(stmt && stmt_step(stmt, &err) == 1, "%s", err.message);
	ck_assert_int_eq(stmt_integer(stmt, 0), 1);
	ck_assert_int_eq(stmt_integer(stmt, 1), pages.zero);
	stmt_free(stmt);
	store_close(store);
}
END_TEST

START_TEST(test_verify)
{
	struct runfile_pages pages;
	struct err err = ERR_INIT;
	ck_assert_int_eq(runfile_verify(run_path, &pages, NULL, &err), 0);
	ck_assert_int_eq(pages.n * pages.page_bytes, whole_bytes);
	ck_assert_int_eq(pages.damaged, 0);
	ck_assert_int_eq(pages.zero, 0);
	flip(2 * page_bytes + 7, 3);
	flip(whole_bytes - 1, 7); /* of a checksum itself */
	ck_assert_int_eq(runfile_verify(run_path, &pages, NULL, &err), 0);
	ck_assert_int_eq(pages.damaged, 2);
	ck_assert_int_eq(pages.first, 3);
	ck_assert_int_eq(truncate(run_path, (off_t)whole_bytes - 1), 0);
	ck_assert_int_eq(runfile_verify(run_path, &pages, NULL, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.message, "last page is cut"));
	struct cancel cancel = {true};
	ck_assert_int_eq(runfile_verify(run_path, &pages, &cancel, &err), -1);
	ck_assert_int_eq(err.code, ERR_CANCELLED);
}
END_TEST

/* In the page at 1 GiB SQLite keeps its locks: it is never written, so nothing there is damage or
 * lost; those beside it are pages as others. */
START_TEST(test_page_of_locks)
{
	static unsigned char page[PAGE_BYTES_MOST];
	const off_t locks = 1 << 30;
	struct runfile_pages pages;
	struct err err = ERR_INIT;
	int fd = open(run_path, O_RDWR | O_TRUNC);
	ck_assert_int_ge(fd, 0);
	page_first(page, sizeof page);
	ck_assert_int_eq(pwrite(fd, page, sizeof page, 0), sizeof page);
	memset(page, 0x55, sizeof page);
	ck_assert_int_eq(pwrite(fd, page, sizeof page, locks), sizeof page);
	page_seal(page, sizeof page);
	ck_assert_int_eq(pwrite(fd, page, sizeof page, locks - (off_t)sizeof page), sizeof page);
	ck_assert_int_eq(pwrite(fd, page, sizeof page, locks + (off_t)sizeof page), sizeof page);
	ck_assert_int_eq(runfile_verify(run_path, &pages, NULL, &err), 0);
	ck_assert_int_eq(pages.n, locks / (off_t)sizeof page + 2);
	ck_assert_int_eq(pages.damaged, 0);
	ck_assert_int_eq(pages.zero, pages.n - 4); /* the hole: all but those four */
	ck_assert_int_eq(pwrite(fd, "", 1, locks - 9), 1);
	ck_assert_int_eq(pwrite(fd, "", 1, locks + (off_t)sizeof page), 1);
	close(fd);
	ck_assert_int_eq(runfile_verify(run_path, &pages, NULL, &err), 0);
	ck_assert_int_eq(pages.damaged, 2);
	ck_assert_int_eq(pages.first, locks / (off_t)sizeof page);
}
END_TEST

/* Another program's writing has no checksums, and is told. */
START_TEST(test_written_by_another)
{
	struct err err = ERR_INIT;
	sqlite3 *db;
	ck_assert_int_eq(sqlite3_open(run_path, &db), SQLITE_OK);
	ck_assert_int_eq(sqlite3_exec(db, "UPDATE task SET size = 1", NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
	ck_assert_ptr_null(store_open(run_path, &err));
	ck_assert_ptr_nonnull(strstr(err.message, "not as it was written"));
	seal_pages(run_path);
	store_close(small_run_open(run_path));
}
END_TEST

/* --- files that are sorted in --- */

static void
request(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	(void)argc;
	cancel_request(sqlite3_user_data(context));
	sqlite3_result_value(context, argv[0]);
}

/* There is no progress handler: it is the file that looks. */
START_TEST(test_sorting_is_stopped)
{
	static const char *const sql =
	    "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 100000) "
	    "SELECT i FROM c ORDER BY request(i) % 7, hex(zeroblob(50))";
	struct err err = ERR_INIT;
	struct cancel cancel;
	sqlite3 *db;
	sqlite3_stmt *stmt;
	atomic_init(&cancel.requested, false);
	ck_assert_int_eq(checked_open(run_path, &db, &err), 0);
	ck_assert_int_eq(
	    sqlite3_create_function(db, "request", 1, SQLITE_UTF8, &cancel, request, NULL, NULL),
	    SQLITE_OK);
	for (int is_watched = 0; is_watched < 2; is_watched++) {
		checked_watch(is_watched ? &cancel : NULL);
		ck_assert_int_eq(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
		ck_assert_int_eq(sqlite3_step(stmt), is_watched ? SQLITE_INTERRUPT : SQLITE_ROW);
		sqlite3_finalize(stmt);
	}
	checked_watch(NULL);
	sqlite3_close(db);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("checked");
	TCase *tcase = tcase_create("checked");
	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, test_sums);
	tcase_add_test(tcase, test_every_bit);
	tcase_add_test(tcase, test_first_page);
	tcase_add_test(tcase, test_any_part);
	tcase_add_test(tcase, test_beyond_the_end);
	tcase_add_test(tcase, test_beyond_the_end_of_what_grows);
	tcase_add_test(tcase, test_message);
	tcase_add_test(tcase, test_other_reserves);
	tcase_add_test(tcase, test_lost_pages);
	tcase_add_test(tcase, test_pages_of_zeros);
	tcase_add_test(tcase, test_verify);
	tcase_add_test(tcase, test_page_of_locks);
	tcase_add_test(tcase, test_written_by_another);
	tcase_add_test(tcase, test_sorting_is_stopped);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
