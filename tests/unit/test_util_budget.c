/* What control groups allow, and what is taken from --memory. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"
#include "util/budget.h"
#include "util/mem.h"

static char folder[64];

static void
put(const char *name, const char *text)
{
	char path[256];

	snprintf(path, sizeof path, "%s/%s", folder, name);
	for (char *slash = path + strlen(folder) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		(void)mkdir(path, 0700);
		*slash = '/';
	}
	FILE *file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	ck_assert_int_eq(fclose(file), 0);
}

/* With a file of groups that says so. */
static int64_t
allowed(const char *groups)
{
	char path[128];

	put("groups", groups);
	snprintf(path, sizeof path, "%s/groups", folder);
	return budget_of_groups(path, folder);
}

static void
make_folder(void)
{
	strcpy(folder, "/tmp/lanescope-budget-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void
remove_folder(void)
{
	char command[128];

	snprintf(command, sizeof command, "rm -rf '%s'", folder);
	ck_assert_int_eq(system(command), 0);
}

/* The least of a group and of all above it counts; "max" and missing files are none. */
START_TEST(unified_groups)
{
	put("job/step/memory.max", "max\n");
	put("job/memory.max", "4294967296\n");
	ck_assert_int_eq(allowed("0::/job/step\n"), INT64_C(4294967296));
	put("job/step/memory.max", "1048576\n");
	ck_assert_int_eq(allowed("0::/job/step\n"), 1048576);
	ck_assert_int_eq(allowed("0::/job\n"), INT64_C(4294967296));
	ck_assert_int_eq(allowed("0::/\n"), INT64_MAX);
	put("memory.max", "500\n");
	ck_assert_int_eq(allowed("0::/elsewhere/not/seen/here\n"), 500);
	ck_assert_int_eq(allowed("0::/\n"), 500);
}
END_TEST

START_TEST(separate_groups)
{
	put("memory/slurm/uid/memory.limit_in_bytes", "9223372036854771712\n");
	put("memory/slurm/memory.limit_in_bytes", "2147483648\n");
	ck_assert_int_eq(allowed("5:cpu,cpuacct:/slurm\n4:memory:/slurm/uid\n1:name=systemd:/\n"),
	                 INT64_C(2147483648));
	ck_assert_int_eq(allowed("4:notmemory:/slurm\n"), INT64_MAX);
	ck_assert_int_eq(allowed("nonsense\n:\n"), INT64_MAX);
	ck_assert_int_eq(budget_of_groups("/nowhere", folder), INT64_MAX);
}
END_TEST

START_TEST(given)
{
	struct err err = ERR_INIT;
	char text[BUDGET_TEXT_BYTES];

	ck_assert_int_ne(budget_set("--memory", "much", &err), 0);
	ck_assert_str_eq(err.message,
	                 "--memory=much: a size of at least 32 MiB is needed (500M, 2G)");
	ck_assert_int_ne(budget_set("--memory", "1K", &err), 0);
	ck_assert_int_ne(budget_set("--memory", "-2G", &err), 0);
	ck_assert_int_eq(budget_set("--memory", "512M", &err), 0);
	ck_assert_int_eq(budget_bytes(), 512 << 20);
	ck_assert_uint_eq(budget_share(4, SIZE_MAX), 128 << 20);
	ck_assert_uint_eq(budget_share(4, 1000), 1000);
	ck_assert_str_eq(budget_print(text), "512.0 MiB, as --memory says");
}
END_TEST

/* Without anything given there is some, at most half of the machine's. */
START_TEST(found)
{
	char text[BUDGET_TEXT_BYTES];
	int64_t pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);

	ck_assert_int_ge(budget_bytes(), BUDGET_LEAST);
	ck_assert(budget_bytes() <= pages * page_bytes / 2 || budget_bytes() == BUDGET_LEAST);
	ck_assert_ptr_nonnull(strstr(budget_print(text), ", half of "));
}
END_TEST

/* What ends a process without memory says what it was about, and what helps. */
START_TEST(exhausted_says_where)
{
	static const struct mem_task all = {"in lanescope sql with", "x.lanes", NULL},
				     own = {"while reading", "a\n.json", "take less"};
	char message[400] = "";
	int ends[2];

	ck_assert_int_eq(pipe(ends), 0);
	struct err err = ERR_INIT;
	ck_assert_int_eq(budget_set("LANESCOPE_MEMORY", "64M", &err), 0);
	budget_enforce();
	mem_set_task(&all, true);
	mem_print_exhausted(message, sizeof message);
	ck_assert_str_eq(message, "out of memory in lanescope sql with 'x.lanes' (it may use 64.00 "
	                          "MiB, as LANESCOPE_MEMORY says): give more with --memory SIZE");
	pid_t child = fork();
	if (child == 0) {
		mem_set_task(&own, false);
		(void)dup2(ends[1], STDERR_FILENO);
		(void)xsize_add(SIZE_MAX, 1);
		_exit(0);
	}
	int status;
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(WEXITSTATUS(status), 2);
	ssize_t n = read(ends[0], message, sizeof message - 1);
	ck_assert_int_gt(n, 0);
	message[n] = '\0';
	ck_assert_str_eq(
	    message, "lanescope: out of memory while reading 'a?.json' (it may use 64.00 MiB, as "
		     "LANESCOPE_MEMORY says): give more with --memory SIZE, or take less\n");
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("util_budget");
	TCase *groups = tcase_create("groups"), *rest = tcase_create("budget");

	tcase_add_checked_fixture(groups, make_folder, remove_folder);
	tcase_add_test(groups, unified_groups);
	tcase_add_test(groups, separate_groups);
	tcase_add_test(rest, given);
	tcase_add_test(rest, found);
	tcase_add_test(rest, exhausted_says_where);
	suite_add_tcase(suite, groups);
	suite_add_tcase(suite, rest);
	return unit_run(suite);
}
