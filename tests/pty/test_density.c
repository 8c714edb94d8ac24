/* Records that stand for many calls, on the terminal: shaded by density with and without a filter,
 * alone and side by side, never as bars; and what is said of them. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "tests/pty/explore.h"
#include "tests/unit/unit.h"

#define MANY 4000 /* intervals: with two records each more than are read one by one */

/* A run of so many intervals of a second, in each 1000 reads and 1000 writes, which together took
 * these times. */
static void
make_run(const char *name, int intervals, int read_us, int write_us)
{
	char path[300], arguments[900];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s.pfw", explore_folder(), name);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	for (int i = 0; i < intervals; i++) {
		for (int k = 0; k < 2; k++) {
			int sum = k ? write_us : read_us;

			fprintf(
			    file,
			    "{\"id\":%d,\"name\":\"%s\",\"cat\":\"POSIX\",\"pid\":7,\"tid\":7,"
			    "\"ts\":%d000000,\"dur\":%d,\"ph\":\"C\",\"args\":{\"dft_cnt\":1000,"
			    "\"dur_sum\":%d,\"dur_min\":1,\"dur_max\":900}}\n",
			    2 * i + k + 1, k ? "write" : "read", i + 1, sum / 1000, sum);
		}
	}
	ck_assert_int_eq(fclose(file), 0);
	snprintf(arguments, sizeof(arguments), "import -o %s/dense/%s.lanes %s 2>/dev/null",
	         explore_folder(), name, path);
	free(explore_output(arguments));
}

static struct pty *
open_run(const char *name, int intervals)
{
	char path[300];
	struct pty *pty;

	snprintf(path, sizeof(path), "mkdir -p %s/dense", explore_folder());
	ck_assert_int_eq(system(path), 0);
	make_run(name, intervals, 350000, 50000);
	snprintf(path, sizeof(path), "%s/dense/%s.lanes", explore_folder(), name);
	pty = explore(100, 24, path, NULL);
	ck_assert(pty_wait(pty, "Overview"));
	return pty;
}

/* The share is that of the records that match; there is no name in a bar, and the line above the
 * lanes has the density as well. */
static void
check_filters(struct pty *pty)
{
	explore_press(pty, "T", "40 % ▒▒▒▒▒▒▒▒▒▒");
	ck_assert(pty_wait(pty, "  density   "));
	ck_assert(pty_wait(pty, "of at most "));
	explore_press(pty, "&name = 'write'\r", "5 % ░░░░░░░░░░");
	ck_assert(pty_wait(pty, "filtered"));
	explore_press(pty, "\\", "40 % ▒▒▒▒▒▒▒▒▒▒");
	explore_press(pty, "&name = 'read'\r", "35 % ▒▒▒▒▒▒▒▒▒▒");
	explore_quit(pty);
}

START_TEST(filtered_records_are_shaded)
{
	check_filters(open_run("few", 8));
}
END_TEST

/* More than are read one by one are summed up, to the same shares. */
START_TEST(many_filtered_records_are_shaded)
{
	check_filters(open_run("many", MANY));
}
END_TEST

START_TEST(two_runs_are_shaded)
{
	struct pty *pty = open_run("first", 8);
	char path[300];

	explore_quit(pty);
	make_run("second", 8, 700000, 50000);
	snprintf(path, sizeof(path), "%s/dense", explore_folder());
	pty = explore(100, 24, path, NULL);
	ck_assert(pty_wait(pty, "second"));
	explore_press(pty, "/first\rA/second\rB|", "first | second > Timeline");
	ck_assert(pty_wait(pty, ">A  7/7             40 % ▒▒▒▒▒▒▒▒▒▒"));
	ck_assert(pty_wait(pty, " B  7/7             75 % ▓▓▓▓▓▓▓▓▓▓"));
	ck_assert(pty_wait(pty, "of at most 8.00 s"));
	explore_press(pty, "j", ">B  7/7             75 % ▓▓▓▓▓▓▓▓▓▓");
	explore_quit(pty);
}
END_TEST

/* What a line of densities says of itself: at the bottom, of a range, and in full. */
START_TEST(densities_are_inspected)
{
	struct pty *pty = open_run("inspected", 8);

	explore_press(pty, "T", "1 000 calls, sum ");
	ck_assert(pty_wait(pty, "interval 1.00 s"));
	explore_press(pty, "mLLLLLLLLLLm", "busy at most ");
	ck_assert(pty_wait(pty, "calls: "));
	explore_press(pty, "\033", "density 5.0 %");
	explore_press(pty, "\r", "1 000 in this interval");
	ck_assert(pty_wait(pty, "% of the interval"));
	ck_assert(pty_wait(pty, "time of calls"));
	explore_press(pty, "q", "40 % ▒▒▒▒▒▒▒▒▒▒");
	explore_press(pty, "&name = 'read'\r", "density 35.0 %");
	explore_press(pty, "\r", "350 ms, mean 350 us");
	explore_quit(pty);
}
END_TEST

static void
add(void *tests)
{
	tcase_add_test(tests, filtered_records_are_shaded);
	tcase_add_test(tests, many_filtered_records_are_shaded);
	tcase_add_test(tests, two_runs_are_shaded);
	tcase_add_test(tests, densities_are_inspected);
}

int
main(void)
{
	return explore_main("density", add);
}
