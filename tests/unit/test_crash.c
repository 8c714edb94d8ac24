/* Imports that are killed, and disks that fill up: the old run or the whole new one, and no litter
 * that stays. */
#include "config.h"
#include "store/writer.h"

#include "store/store.h"
#include "unit/small_run.h"
#include "util/prng.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#define MOMENTS 20

static const char *folder;
static char run_path[256];

static void
set_up(void)
{
	folder = folder_new();
	snprintf(run_path, sizeof(run_path), "%s/run.lanes", folder);
}

static void
tear_down(void)
{
	folder_remove(folder);
}

static int64_t
now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* An import of 24 MB: long enough to be killed in the middle. */
static int
import(const char *name)
{
	static char bytes[256 * 1024];
	struct err err = ERR_INIT;
	struct writer *writer = writer_new(run_path, &err);
	if (!writer) {
		return -1;
	}
	for (uint32_t i = 0; i < 96; i++) {
		if (writer_blob(writer, writer_blob_id(9, BLOCK_SPAN, i, 0),
		                (struct slice){bytes, sizeof(bytes)}, &err)) {
			return -1;
		}
	}
	small_rows(writer, false);
	small_run_facts(writer, name);
	return writer_finish(writer, NULL, NULL, &err);
}

/* Imports in a child that is killed after delay_ns, or left alone (-1). Returns how long it lived.
 */
static int64_t
import_in_child(const char *name, int64_t delay_ns)
{
	int status;
	int64_t start_ns = now_ns();
	pid_t child = fork();
	if (child == 0) {
		_exit(import(name) ? 1 : 0);
	}
	ck_assert_int_gt(child, 0);
	if (delay_ns >= 0) {
		nanosleep(&(struct timespec){delay_ns / 1000000000, delay_ns % 1000000000}, NULL);
		kill(child, SIGKILL);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(delay_ns >= 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 0));
	return now_ns() - start_ns;
}

/* Name of the run that is there, NULL if none; every byte of it must be readable. */
static char *
run_name(void)
{
	struct store *store = NULL;
	struct stmt *stmt = NULL;
	if (access(run_path, F_OK) != 0) {
		return NULL;
	}
	must((store = store_open(run_path, &err)) != NULL);
	must(store_dataset(store, &err) != NULL);
	must((stmt = store_prepare(store, "PRAGMA integrity_check", &err)) != NULL);
	must(stmt_step(stmt, &err) == 1);
	ck_assert(slice_is(stmt_text(stmt, 0), "ok"));
	char *name = strdup(store_run(store)->imported_as);
	stmt_free(stmt);
	store_close(store);
	return name;
}

START_TEST(test_killed)
{
	struct prng prng = {7};
	char name[32], old[32] = "";
	int64_t whole_ns = INT64_MAX;
	for (int i = 0; i < 3; i++) {
		int64_t ns = import_in_child("first", -1);
		whole_ns = ns < whole_ns ? ns : whole_ns;
	}
	int n_old = 0, n_litter = 0;
	unlink(run_path);
	for (int i = 0; i < MOMENTS; i++) {
		snprintf(name, sizeof(name), "run %d", i);
		/* spread over all of it: at random within each part */
		int64_t part_ns = whole_ns / (MOMENTS - 2) + 1;
		import_in_child(name, i * part_ns + (int64_t)prng_below(&prng, (uint64_t)part_ns));
		char *found = run_name();
		bool is_new = found && strcmp(found, name) == 0;
		ck_assert_msg(is_new || strcmp(found ? found : "", old) == 0,
		              "%s is there, not %s or %s", found ? found : "nothing", old, name);
		n_old += !is_new;
		n_litter += folder_count(folder) > (found ? 1 : 0);
		snprintf(old, sizeof(old), "%s", found ? found : "");
		free(found);
		/* The next import cleans up, even if it fails itself. */
		struct writer *writer = NULL;
		must((writer = writer_new(run_path, &err)) != NULL);
		writer_abort(writer);
		ck_assert_int_eq(folder_count(folder), *old ? 1 : 0);
	}
	ck_assert_int_gt(n_old, 0);
	ck_assert_int_gt(n_litter, 0);
}
END_TEST

static void
limit_files(rlim_t bytes)
{
	const struct rlimit limit = {bytes, RLIM_INFINITY};
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

START_TEST(test_disk_full_while_writing)
{
	static char bytes[100000];
	struct writer *writer = NULL;
	struct err failure = ERR_INIT;
	signal(SIGXFSZ, SIG_IGN);
	limit_files(20 << 20);
	must((writer = writer_new(run_path, &err)) != NULL);
	int status = 0;
	for (uint32_t i = 0; status == 0 && i < 1000; i++) {
		status = writer_blob(writer, writer_blob_id(0, BLOCK_SPAN, i, 0),
		                     (struct slice){bytes, sizeof(bytes)}, &failure);
	}
	ck_assert_int_eq(status, -1);
	ck_assert_int_eq(failure.code, ERR_SYSTEM);
	ck_assert_ptr_nonnull(strstr(failure.message, run_path));
	ck_assert_ptr_nonnull(
	    strstr(failure.message, "make room or give another place (-o): File too large"));
	writer_abort(writer);
	ck_assert_int_eq(folder_count(folder), 0);
}
END_TEST

/* Wherever the disk fills up, from the first page to the last, the old run stays and nothing else
 * does. The limit holds for Check's own small messages, too, so it starts above those. */
START_TEST(test_disk_full_anywhere)
{
	struct stat whole;
	small_run_write(run_path, "old", false);
	ck_assert_int_eq(stat(run_path, &whole), 0);
	signal(SIGXFSZ, SIG_IGN);
	for (off_t bytes = 65536; bytes < whole.st_size; bytes += 8192) {
		struct err failure = ERR_INIT;
		limit_files((rlim_t)bytes);
		struct writer *writer = writer_new(run_path, &failure);
		int status = writer ? 0 : -1;
		if (writer) {
			small_rows(writer, false);
			small_run_facts(writer, "new");
			status = writer_finish(writer, NULL, NULL, &failure);
		}
		limit_files(RLIM_INFINITY);
		ck_assert_int_eq(status, -1);
		ck_assert_msg(strstr(failure.message, "make room") != NULL, "%lld: %s",
		              (long long)bytes, failure.message);
		ck_assert_int_eq(failure.code, ERR_SYSTEM);
		ck_assert_int_eq(folder_count(folder), 1);
		char *name = run_name();
		ck_assert_str_eq(name, "old");
		free(name);
	}
	small_run_write(run_path, "new", false);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("crash");
	TCase *tcase = tcase_create("crash");
	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, test_killed);
	tcase_add_test(tcase, test_disk_full_while_writing);
	tcase_add_test(tcase, test_disk_full_anywhere);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
