/* What is remembered of runs: from one explorer to the next, by identity; what is no such file; how
 * many are kept. */
#include "config.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tests/unit/unit.h"
#include "ui/base/run_memory.h"
#include "util/mem.h"
#include "util/slice.h"

#define ONE "0123456789abcdef0123456789abcdef"
#define TWO "ffffffffffffffffffffffffffffffff"

static char folder[] = "/tmp/lanescope-run-memory.XXXXXX";
static struct strbuf views;

static void
setup(void)
{
	strcpy(folder + sizeof folder - 7, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	strbuf_clear(&views);
	strbuf_printf(&views, "%s/state/views", folder);
}

static void
teardown(void)
{
	char command[200];

	snprintf(command, sizeof command, "rm -rf %s", folder);
	ck_assert_int_eq(system(command), 0);
	strbuf_free(&views);
}

static struct run_memory *
open_memory(void)
{
	struct run_memory *memory = run_memory_new(views.data);

	run_memory_know(memory, "/a/one.lanes", ONE);
	run_memory_know(memory, "/a/two.lanes", TWO);
	return memory;
}

static void
check(struct run_memory *memory, const char *path, const char *key, const char *value)
{
	struct err err = ERR_INIT;
	const char *found = run_memory_get(memory, path, key, &err);

	ck_assert_str_eq(found ? found : "none", value ? value : "none");
	ck_assert_int_eq(err.code, ERR_NONE);
}

static void
write_one(const char *text)
{
	char path[300];
	FILE *file;

	snprintf(path, sizeof path, "%s/%s", views.data, ONE);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
}

START_TEST(a_run_is_known_wherever_it_is)
{
	struct run_memory *memory = open_memory();
	struct err err = ERR_INIT;

	run_memory_set(memory, "/a/one.lanes", "table.x.sort", "-total", &err);
	run_memory_set(memory, "/a/one.lanes", "table.x.filter1", "a > 1", &err);
	run_memory_set(memory, "/a/none.lanes", "table.x.sort", "n", &err);
	check(memory, "/a/one.lanes", "table.x.sort", "-total");
	check(memory, "/a/two.lanes", "table.x.sort", NULL);
	check(memory, NULL, "table.x.sort", NULL);
	run_memory_save(memory);
	run_memory_free(memory);
	memory = run_memory_new(views.data);
	run_memory_know(memory, "/b/moved.lanes", ONE);
	check(memory, "/b/moved.lanes", "table.x.sort", "-total");
	check(memory, "/b/moved.lanes", "table.x.filter1", NULL);
	run_memory_know(memory, "/b/moved.lanes", TWO); /* another run took its place */
	check(memory, "/b/moved.lanes", "table.x.sort", NULL);
	run_memory_free(memory);
}
END_TEST

START_TEST(without_a_folder_or_an_identity_nothing_is_kept)
{
	struct run_memory *memory = run_memory_new(NULL);
	struct err err = ERR_INIT;

	run_memory_know(memory, "/a/one.lanes", ONE);
	run_memory_set(memory, "/a/one.lanes", "table.x.sort", "n", &err);
	check(memory, "/a/one.lanes", "table.x.sort", NULL);
	run_memory_save(memory);
	run_memory_free(memory);
	memory = run_memory_new(views.data);
	run_memory_know(memory, "/a/one.lanes", "../../" ONE);
	run_memory_know(memory, "/a/one.lanes", "");
	run_memory_set(memory, "/a/one.lanes", "table.x.sort", "n", &err);
	run_memory_save(memory);
	run_memory_free(memory);
	ck_assert_int_ne(access(views.data, F_OK), 0);
}
END_TEST

START_TEST(what_is_no_such_file_is_told_once_and_passed_over)
{
	struct run_memory *memory = open_memory();
	struct err err = ERR_INIT;
	char path[300];

	run_memory_set(memory, "/a/one.lanes", "table.x.sort", "n", &err);
	run_memory_save(memory);
	run_memory_free(memory);
	write_one("table.x.sort = n\nnonsense\n");
	memory = open_memory();
	ck_assert_ptr_null(run_memory_get(memory, "/a/one.lanes", "table.x.sort", &err));
	ck_assert_ptr_nonnull(strstr(err.message, ONE ":2"));
	check(memory, "/a/one.lanes", "table.x.sort", NULL);
	run_memory_free(memory);
	snprintf(path, sizeof path, "%s/%s", views.data, ONE);
	unlink(path);
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	memory = open_memory();
	err = (struct err)ERR_INIT;
	ck_assert_ptr_null(run_memory_get(memory, "/a/one.lanes", "table.x.sort", &err));
	ck_assert_ptr_nonnull(strstr(err.message, "passed over"));
	run_memory_free(memory);
}
END_TEST

START_TEST(old_files_and_those_beyond_a_number_go)
{
	struct run_memory *memory = open_memory();
	struct err err = ERR_INIT;
	const struct timespec old[2] = {{time(NULL) - 400L * 86400, 0},
	                                {time(NULL) - 400L * 86400, 0}};
	size_t n = 0;
	char path[300];

	run_memory_set(memory, "/a/one.lanes", "table.x.sort", "n", &err);
	run_memory_save(memory);
	for (unsigned i = 0; i < 600; i++) {
		const struct timespec times[2] = {{time(NULL) - 1000 - i, 0},
		                                  {time(NULL) - 1000 - i, 0}};
		FILE *file;

		snprintf(path, sizeof path, "%s/%032x", views.data, i);
		file = fopen(path, "w");
		ck_assert_ptr_nonnull(file);
		fclose(file);
		ck_assert_int_eq(utimensat(AT_FDCWD, path, i == 7 ? old : times, 0), 0);
	}
	run_memory_set(memory, "/a/one.lanes", "table.x.sort", "m", &err);
	run_memory_save(memory);
	run_memory_free(memory);
	for (unsigned i = 0; i < 600; i++) {
		snprintf(path, sizeof path, "%s/%032x", views.data, i);
		n += access(path, F_OK) == 0;
		ck_assert_int_eq(access(path, F_OK) == 0, i != 7 && i < 500);
	}
	ck_assert_uint_eq(n, 499);
	memory = open_memory();
	check(memory, "/a/one.lanes", "table.x.sort", "m");
	run_memory_free(memory);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("run_memory");
	TCase *tests = tcase_create("run_memory");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, a_run_is_known_wherever_it_is);
	tcase_add_test(tests, without_a_folder_or_an_identity_nothing_is_kept);
	tcase_add_test(tests, what_is_no_such_file_is_told_once_and_passed_over);
	tcase_add_test(tests, old_files_and_those_beyond_a_number_go);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
