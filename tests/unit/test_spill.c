#include "config.h"

#include <sys/resource.h>
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>

#include "column/encode/pack.h"
#include "util/spill.h"
#include "unit/folder.h"
#include "unit/unit.h"
#include "util/budget.h"
#include "util/mem.h"
#include "util/prng.h"
#include "util/workspace.h"

#define PIECES 200

static size_t
piece_length(unsigned i)
{
	return i % 7 == 0 ? 0 : (size_t)i * 131 % 5000;
}

static void
fill_piece(unsigned i, unsigned char *bytes)
{
	struct prng prng = {i};

	for (size_t k = 0; k < piece_length(i); k++) {
		bytes[k] = (unsigned char)prng_next(&prng);
	}
}

static void
check_piece(const struct spill *spill, const struct spill_place *place, unsigned i)
{
	unsigned char wanted[5000], got[5000];
	struct err err = ERR_INIT;
	size_t n = piece_length(i), offset = n / 3;

	fill_piece(i, wanted);
	ck_assert_int_eq(spill_read(spill, place, 0, got, n, &err), 0);
	ck_assert_int_eq(memcmp(got, wanted, n), 0);
	ck_assert_int_eq(spill_read(spill, place, offset, got, n - offset, &err), 0);
	ck_assert_int_eq(memcmp(got, wanted + offset, n - offset), 0);
}

static void
check_spill(size_t memory_bytes)
{
	struct spill *spill = spill_new("/tmp", memory_bytes);
	struct spill_place places[PIECES];
	unsigned char bytes[5000];
	struct err err = ERR_INIT;
	size_t total = 0;

	for (unsigned i = 0; i < PIECES; i++) {
		fill_piece(i, bytes);
		ck_assert_int_eq(spill_add(spill, bytes, piece_length(i), &places[i], &err), 0);
		total += piece_length(i);
	}
	for (unsigned i = 0; i < PIECES; i++) {
		check_piece(spill, &places[i], i);
	}
	ck_assert_uint_le(spill_memory_bytes(spill), memory_bytes);
	ck_assert_uint_eq(spill_memory_bytes(spill) + spill_file_bytes(spill), total);
	spill_free(spill);
}

START_TEST(memory_is_used_up_to_its_limit_then_the_file)
{
	check_spill(0);
	check_spill(1000);
	check_spill(100000);
	check_spill(SIZE_MAX);
}
END_TEST

struct thread {
	struct spill *spill;
	unsigned number;
	struct spill_place places[PIECES];
};

static void *
add_pieces(void *user)
{
	struct thread *thread = user;
	unsigned char bytes[5000];
	struct err err = ERR_INIT;

	for (unsigned i = 0; i < PIECES; i++) {
		fill_piece(i + thread->number, bytes);
		if (spill_add(thread->spill, bytes, piece_length(i + thread->number),
		              &thread->places[i], &err) != 0) {
			return thread;
		}
	}
	return NULL;
}

START_TEST(threads_add_at_the_same_time)
{
	struct spill *spill = spill_new("/tmp", 200000);
	struct thread threads[4];
	pthread_t ids[4];

	for (unsigned t = 0; t < 4; t++) {
		threads[t].spill = spill;
		threads[t].number = t * 1000;
		ck_assert_int_eq(pthread_create(&ids[t], NULL, add_pieces, &threads[t]), 0);
	}
	for (unsigned t = 0; t < 4; t++) {
		void *failed;
		pthread_join(ids[t], &failed);
		ck_assert_ptr_null(failed);
	}
	for (unsigned t = 0; t < 4; t++) {
		for (unsigned i = 0; i < PIECES; i++) {
			check_piece(spill, &threads[t].places[i], i + threads[t].number);
		}
	}
	spill_free(spill);
}
END_TEST

START_TEST(nothing_is_left_in_the_folder)
{
	const char *folder = folder_new();
	struct spill_place place;
	struct err err = ERR_INIT;
	unsigned n = 0;

	struct spill *spill = spill_new(folder, 0);
	ck_assert_int_eq(spill_add(spill, "abc", 3, &place, &err), 0);
	DIR *dir = opendir(folder);
	for (struct dirent *entry; (entry = readdir(dir));) {
		n += entry->d_name[0] != '.' || strlen(entry->d_name) > 2;
	}
	closedir(dir);
	ck_assert_uint_eq(n, 0);
	spill_free(spill);
	ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

START_TEST(a_missing_folder_is_an_error_only_when_needed)
{
	struct spill *spill = spill_new("/nonexistent/folder", 3);
	struct spill_place place;
	struct err err = ERR_INIT;

	ck_assert_int_eq(spill_add(spill, "abc", 3, &place, &err), 0);
	ck_assert_int_eq(spill_add(spill, "d", 1, &place, &err), -1);
	ck_assert_int_eq(err.code, ERR_SYSTEM);
	ck_assert_ptr_nonnull(strstr(err.message, "/nonexistent/folder"));
	ck_assert_ptr_nonnull(strstr(err.message, "TMPDIR"));
	spill_free(spill);
}
END_TEST

START_TEST(no_room_in_the_file_is_an_error)
{
	struct rlimit limit = {10000, 10000};
	struct spill *spill = spill_new("/tmp", 0);
	struct spill_place place;
	struct err err = ERR_INIT;
	unsigned char bytes[3000] = {0};
	int status = 0;

	signal(SIGXFSZ, SIG_IGN);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	for (unsigned i = 0; i < 4; i++) {
		ck_assert_int_eq(status, 0);
		status = spill_add(spill, bytes, sizeof bytes, &place, &err);
	}
	ck_assert_int_eq(status, -1);
	ck_assert_int_eq(err.code, ERR_SYSTEM);
	ck_assert_ptr_nonnull(strstr(err.message, "/tmp"));
	spill_free(spill);
}
END_TEST

#define MOVED_BYTES ((size_t)64 << 10)

/* Two pieces of pages, of which there is memory for one. */
START_TEST(what_is_moved_stays_where_it_is)
{
	struct spill *spill = spill_new("/tmp", MOVED_BYTES + 100);
	struct spill_place place;
	struct err err = ERR_INIT;
	unsigned char *pages[3];

	for (int i = 0; i < 3; i++) {
		pages[i] = mem_map(MOVED_BYTES);
		memset(pages[i], 'a' + i, MOVED_BYTES);
	}
	ck_assert(!spill_move(spill, pages[0], MOVED_BYTES));
	ck_assert(spill_move(spill, pages[1], MOVED_BYTES));
	ck_assert_int_eq(spill_add(spill, pages[0], 1000, &place, &err), 0);
	ck_assert(spill_move(spill, pages[2], MOVED_BYTES));
	ck_assert_uint_ge(spill_file_bytes(spill), 2 * MOVED_BYTES + 1000);
	for (int i = 0; i < 3; i++) {
		for (size_t k = 0; k < MOVED_BYTES; k++) {
			ck_assert_int_eq(pages[i][k], 'a' + i);
		}
	}
	mem_unmap(pages[0], MOVED_BYTES);
	spill_forget(spill, MOVED_BYTES);
	ck_assert_uint_eq(spill_memory_bytes(spill), 0);
	mem_unmap(pages[1], MOVED_BYTES);
	mem_unmap(pages[2], MOVED_BYTES);
	spill_free(spill);
}
END_TEST

/* Memory for one; then a file; then no room in that. */
START_TEST(what_is_mapped_can_be_written)
{
	struct rlimit limit = {MOVED_BYTES, MOVED_BYTES};
	struct spill *spill = spill_new("/tmp", MOVED_BYTES);
	char *pages[3];

	signal(SIGXFSZ, SIG_IGN);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	for (int i = 0; i < 3; i++) {
		pages[i] = spill_map(spill, MOVED_BYTES);
		ck_assert(pages[i][0] == 0 && memcmp(pages[i], pages[i] + 1, MOVED_BYTES - 1) == 0);
		memset(pages[i], 'a' + i, MOVED_BYTES);
		ck_assert_uint_eq(spill_file_bytes(spill), (unsigned)i * MOVED_BYTES);
	}
	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(pages[i][0], 'a' + i);
		ck_assert_int_eq(pages[i][MOVED_BYTES - 1], 'a' + i);
		mem_unmap(pages[i], MOVED_BYTES);
	}
	spill_free(spill);
}
END_TEST

/* In memory, into the file, and in the file. */
START_TEST(what_is_mapped_can_grow)
{
	struct spill *spill = spill_new("/tmp", (size_t)3 * MOVED_BYTES);
	size_t n = MOVED_BYTES;
	char *pages = spill_map(spill, n);

	pages[0] = 'a';
	for (int i = 0; i < 3; i++) {
		pages[n - 1] = (char)('b' + i);
		pages = spill_grow(spill, pages, n, 2 * n);
		ck_assert_int_eq(pages[0], 'a');
		ck_assert_int_eq(pages[n - 1], 'b' + i);
		ck_assert(pages[n] == 0 && memcmp(pages + n, pages + n + 1, n - 1) == 0);
		n *= 2;
		ck_assert_uint_eq(spill_memory_bytes(spill), 2 * MOVED_BYTES);
		ck_assert_uint_eq(spill_file_bytes(spill) > 0, i > 0);
	}
	mem_unmap(pages, n);
	spill_free(spill);
}
END_TEST

START_TEST(what_can_not_be_moved_stays_in_memory)
{
	struct rlimit limit = {MOVED_BYTES / 2, MOVED_BYTES / 2};
	struct spill *spill = spill_new(_i ? "/tmp" : "/nonexistent/folder", 0);
	char *page = mem_map(MOVED_BYTES);

	signal(SIGXFSZ, SIG_IGN);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	ck_assert(!spill_move(spill, page, MOVED_BYTES));
	memset(page, 'x', MOVED_BYTES); /* and can be written */
	mem_unmap(page, MOVED_BYTES);
	spill_forget(spill, MOVED_BYTES);
	ck_assert_uint_eq(spill_memory_bytes(spill), 0);
	spill_free(spill);
}
END_TEST

START_TEST(packed_integers_come_back)
{
	struct prng prng = {7};
	unsigned char bytes[PACK_BYTES_MAX + PACK_READ_MAX];

	for (unsigned i = 0; i < 20000; i++) {
		uint64_t in[4], out[4];
		for (unsigned k = 0; k < 4; k++) {
			uint64_t bits = prng_below(&prng, 65);
			in[k] = bits == 0 ? 0 : prng_next(&prng) >> (64 - bits);
		}
		size_t n = pack_put(bytes, in);
		ck_assert_uint_le(n, PACK_BYTES_MAX);
		ck_assert_uint_eq(pack_get(bytes, out), n);
		ck_assert_int_eq(memcmp(in, out, sizeof in), 0);
	}
	for (unsigned i = 0; i < 20000; i++) {
		uint64_t out[4];
		for (unsigned k = 0; k < sizeof bytes; k++) {
			bytes[k] = (unsigned char)prng_next(&prng);
		}
		ck_assert_uint_le(pack_get(bytes, out), PACK_READ_MAX);
	}
	int64_t extremes[] = {0, -1, 1, INT64_MAX, INT64_MIN};
	for (unsigned i = 0; i < 5; i++) {
		ck_assert_int_eq(pack_unzigzag(pack_zigzag(extremes[i])), extremes[i]);
	}
}
END_TEST

/* In memory, small and large, then in a file. */
START_TEST(arrays_to_work_in_are_zeroed_and_stay)
{
	enum { ARRAYS = 6, LARGE = 200000 };
	struct err err = ERR_INIT;
	struct workspace *workspace;
	uint64_t *arrays[ARRAYS];

	ck_assert_int_eq(budget_set("--memory", "32M", &err), 0);
	workspace = workspace_new();
	for (unsigned i = 0; i < ARRAYS; i++) {
		size_t n = i % 2 ? LARGE : i;
		arrays[i] = workspace_array(workspace, n, sizeof **arrays);
		for (size_t k = 0; k < n; k++) {
			ck_assert_uint_eq(arrays[i][k], 0);
			arrays[i][k] = i * k;
		}
	}
	for (unsigned i = 0; i < ARRAYS; i++) {
		for (size_t k = 0; k < (i % 2 ? LARGE : i); k++) {
			ck_assert_uint_eq(arrays[i][k], i * k);
		}
	}
	workspace_free(workspace);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("spill");
	TCase *tcase = tcase_create("spill");

	tcase_add_test(tcase, memory_is_used_up_to_its_limit_then_the_file);
	tcase_add_test(tcase, threads_add_at_the_same_time);
	tcase_add_test(tcase, nothing_is_left_in_the_folder);
	tcase_add_test(tcase, a_missing_folder_is_an_error_only_when_needed);
	tcase_add_test(tcase, no_room_in_the_file_is_an_error);
	tcase_add_test(tcase, what_is_moved_stays_where_it_is);
	tcase_add_test(tcase, what_is_mapped_can_be_written);
	tcase_add_test(tcase, what_is_mapped_can_grow);
	tcase_add_test(tcase, arrays_to_work_in_are_zeroed_and_stay);
	tcase_add_loop_test(tcase, what_can_not_be_moved_stays_in_memory, 0, 2);
	tcase_add_test(tcase, packed_integers_come_back);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
