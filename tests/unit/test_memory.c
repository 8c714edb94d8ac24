/*
 * How much memory an import takes for each lane and each name: the program imports traces of two
 * sizes, and what it held at most grows by no more than the manual says. What it holds whatever the
 * trace is (blocks on their way, the budget of what is spilled) is in both, and does not count.
 */
#include "config.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "folder.h"
#include "unit.h"

#define FEW 100000
#define MANY 300000

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define IS_SANITIZED
#endif
#endif

/* Writes the n spans of a trace. */
typedef void span_writer(FILE *file, unsigned n);

static void
write_lanes(FILE *file, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		fprintf(file,
		        "{\"ph\":\"X\",\"name\":\"work\",\"pid\":1,\"tid\":%u,\"ts\":%u,\"dur\":2},"
		        "\n",
		        i + 1, i);
	}
}

static void
write_names(FILE *file, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		fprintf(
		    file,
		    "{\"ph\":\"X\",\"name\":\"%u\",\"pid\":1,\"tid\":%u,\"ts\":%u,\"dur\":2},\n", i,
		    i % 8, i);
	}
}

static void
run_program(const char *const *arguments)
{
	int nowhere = open("/dev/null", O_WRONLY);

	dup2(nowhere, STDOUT_FILENO);
	execv(arguments[0], (char *const *)arguments);
	_exit(127);
}

/* What the import of a trace of n spans held at most, in bytes. */
static int64_t
peak(const char *folder, span_writer *write, unsigned n)
{
	char trace[100], out[100];
	struct rusage usage;
	int status;

	snprintf(trace, sizeof trace, "%s/%u.json", folder, n);
	snprintf(out, sizeof out, "%s/%u.lanes", folder, n);
	FILE *file = fopen(trace, "w");
	ck_assert_ptr_nonnull(file);
	fputs("[\n", file);
	write(file, n);
	fputs("{}]\n", file);
	ck_assert_int_eq(fclose(file), 0);

	const char *const arguments[] = {getenv("LANESCOPE"),
	                                 "import",
	                                 "--threads",
	                                 "1",
	                                 "--memory",
	                                 "256M",
	                                 "-o",
	                                 out,
	                                 trace,
	                                 NULL};
	pid_t child = fork();
	if (child == 0) {
		run_program(arguments);
	}
	ck_assert_int_eq(wait4(child, &status, 0, &usage), child);
	ck_assert_int_eq(status, 0);
	return (int64_t)usage.ru_maxrss * 1024;
}

/* Bytes for each span more. */
static int64_t
growth(span_writer *write)
{
	const char *folder = folder_new();
	int64_t few = peak(folder, write, FEW), many = peak(folder, write, MANY);

	folder_remove(folder);
	return (many - few) / (MANY - FEW);
}

/* A lane and its name, and two times their texts. */
START_TEST(a_lane_takes_few_bytes)
{
	int64_t bytes = growth(write_lanes);

	ck_assert_msg(bytes <= 190, "%" PRId64 " bytes a lane", bytes);
}
END_TEST

START_TEST(a_name_takes_few_bytes)
{
	int64_t bytes = growth(write_names);

	ck_assert_msg(bytes <= 100, "%" PRId64 " bytes a name", bytes);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("memory");
	TCase *tcase = tcase_create("growth");

	tcase_set_timeout(tcase, 60);
#ifndef IS_SANITIZED /* what sanitizers take is their own */
	if (getenv("LANESCOPE")) {
		tcase_add_test(tcase, a_lane_takes_few_bytes);
		tcase_add_test(tcase, a_name_takes_few_bytes);
	}
#else
	(void)a_lane_takes_few_bytes;
	(void)a_name_takes_few_bytes;
#endif
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
