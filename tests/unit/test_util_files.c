/* Where the user's files lie, and what tells one file from another. */
#include "config.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "folder.h"
#include "unit.h"
#include "util/file_facts.h"
#include "util/xdg.h"

static void
check_path(enum xdg_folder folder, const char *wanted)
{
	struct strbuf path = {0};

	ck_assert(xdg_path(folder, "x", &path) == (wanted != NULL));
	ck_assert_str_eq(path.data ? path.data : "", wanted ? wanted : "");
	strbuf_free(&path);
}

START_TEST(users_folders)
{
	unsetenv("XDG_CONFIG_HOME");
	unsetenv("XDG_STATE_HOME");
	unsetenv("XDG_CACHE_HOME");
	setenv("HOME", "/home/u", 1);
	check_path(XDG_CONFIG, "/home/u/.config/lanescope/x");
	check_path(XDG_STATE, "/home/u/.local/state/lanescope/x");
	check_path(XDG_CACHE, "/home/u/.cache/lanescope/x");
	setenv("XDG_STATE_HOME", "/s", 1);
	check_path(XDG_STATE, "/s/lanescope/x");
	check_path(XDG_CONFIG, "/home/u/.config/lanescope/x");
}
END_TEST

START_TEST(relative_folders_do_not_count)
{
	setenv("HOME", "/h", 1);
	setenv("XDG_CONFIG_HOME", "c", 1);
	check_path(XDG_CONFIG, "/h/.config/lanescope/x");
	setenv("XDG_CONFIG_HOME", "", 1);
	check_path(XDG_CONFIG, "/h/.config/lanescope/x");
	setenv("HOME", "h", 1);
	check_path(XDG_CONFIG, NULL);
	unsetenv("HOME");
	check_path(XDG_CONFIG, NULL);
	setenv("XDG_CONFIG_HOME", "/c", 1);
	check_path(XDG_CONFIG, "/c/lanescope/x");
}
END_TEST

static void
write_file(const char *text)
{
	FILE *file = fopen("a", "w");

	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
}

START_TEST(facts_of_a_file)
{
	const struct timespec times[2] = {{1700000001, 5}, {1600000000, 123456789}};
	struct file_facts facts, other;

	const char *folder = folder_new();

	ck_assert_int_eq(chdir(folder), 0);
	write_file("12345");
	ck_assert_int_eq(utimensat(AT_FDCWD, "a", times, 0), 0);
	ck_assert_int_eq(symlink("a", "link"), 0);
	ck_assert_int_eq(mkdir("folder", 0700), 0);
	ck_assert(file_facts_read("a", &facts));
	ck_assert_int_eq(facts.size_bytes, 5);
	ck_assert_int_eq(facts.modified_ns, INT64_C(1600000000123456789));
	ck_assert_int_gt(facts.changed_ns, INT64_C(1700000001000000000)); /* the clock's */

	ck_assert(file_facts_read("link", &other));
	ck_assert_mem_eq(&facts, &other, sizeof facts);
	ck_assert(file_facts_same_file(&facts, &other));
	other.device++;
	ck_assert(!file_facts_same_file(&facts, &other));

	write_file("1");
	ck_assert(file_facts_read("a", &other));
	ck_assert_int_eq(other.size_bytes, 1);
	ck_assert_int_ne(other.modified_ns, facts.modified_ns);
	ck_assert(file_facts_same_file(&facts, &other));
	ck_assert_int_eq(rename("a", "b"), 0);
	write_file("1");
	ck_assert(file_facts_read("a", &other));
	ck_assert(!file_facts_same_file(&facts, &other));
	ck_assert(!file_facts_read("none", &other));
	ck_assert(!file_facts_read("folder", &other));
	folder_remove(folder);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("files");
	TCase *tcase = tcase_create("files");

	tcase_add_test(tcase, users_folders);
	tcase_add_test(tcase, relative_folders_do_not_count);
	tcase_add_test(tcase, facts_of_a_file);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
