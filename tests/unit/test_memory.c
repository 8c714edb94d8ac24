/*
 * How much memory an import takes for each lane and each name: the program imports traces of two
 * sizes, and what it held at most grows by no more than the manual says. What it holds whatever the
 * trace is (blocks on their way, the budget of what is spilled) is in both, and does not count; but
 * in the few that make check imports it is still growing. MEMORY_LANES: of how many lanes and names
 * the smaller trace is (100000; make check-slow takes 1000000).
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
#include "util/mem.h"
#include "util/order.h"

#define FEW 100000
#define GROWTH 3 /* the larger trace has so many times more */
#define MILLION 1000000

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

/* Ten threads a process. */
static void
write_dftracer_lanes(FILE *file, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		fprintf(file,
		        "{\"id\":%u,\"name\":\"work\",\"cat\":\"POSIX\",\"pid\":%u,\"tid\":%u,"
		        "\"ts\":%u,\"dur\":2,\"ph\":\"X\",\"args\":{\"hhash\":\"0a\"}},\n",
		        i, i / 10, i + 1, i + 1000000);
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
	                                 n > GROWTH * FEW ? "1G" : "256M",
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

static const struct growth {
	const char *what;
	span_writer *write;
	int64_t most, most_of_millions; /* bytes for each span more */
} growths[] = {
    {"a lane of a Chrome trace", write_lanes, 175, 100},
    {"a lane of a DFTracer trace", write_dftracer_lanes, 190, 160},
    {"a name", write_names, 95, 75},
};

static int64_t
bytes_of_one(const char *folder, const struct growth *growth, unsigned n)
{
	int64_t few = peak(folder, growth->write, n),
		many = peak(folder, growth->write, GROWTH * n);

	return (many - few) / (int64_t)((GROWTH - 1) * n);
}

/* A lane and its name, and two times their texts; a name and its text. What is on its way at the
 * peak is more one time than another, by some 10 bytes for each, so it takes two of three that
 * take too much. */
START_TEST(one_takes_few_bytes)
{
	const struct growth *growth = &growths[_i];
	const char *lanes = getenv("MEMORY_LANES"), *folder = folder_new();
	unsigned n = lanes ? (unsigned)atoi(lanes) : FEW;
	int64_t most = n < MILLION ? growth->most : growth->most_of_millions;
	int64_t bytes = bytes_of_one(folder, growth, n);

	if (bytes > most) {
		int64_t second = bytes_of_one(folder, growth, n),
			third = bytes_of_one(folder, growth, n);
		bytes = MOST(second, third);
	}
	folder_remove(folder);
	ck_assert_msg(bytes <= most, "%" PRId64 " bytes %s", bytes, growth->what);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("memory");
	TCase *tcase = tcase_create("growth");

	tcase_set_timeout(tcase, 600);
#ifndef IS_SANITIZED /* what sanitizers take is their own */
	if (getenv("LANESCOPE")) {
		tcase_add_loop_test(tcase, one_takes_few_bytes, 0, COUNT_OF(growths));
	}
#else
	(void)one_takes_few_bytes;
#endif
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
