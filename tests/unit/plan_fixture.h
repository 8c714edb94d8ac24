/* What the tests of the planning share: traces that tell of jobs, and plans as text. */
#ifndef LANESCOPE_TESTS_PLAN_FIXTURE_H
#define LANESCOPE_TESTS_PLAN_FIXTURE_H

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "ingest/ingest.h"
#include "ingest_folder.h"
#include "util/mem.h"
#include "util/slice.h"

#define ROW                                                                                        \
	"{\"action\": \"task%s\", \"task\": \"a:1\", \"worker\": \"w%d\", \"host\": \"h\", "       \
	"\"at\": 5}\n"

#define NODES "timestamp,count\n2021-07-26T18:42:00Z,%d\n2021-07-26T18:45:00Z,4\n"
#define POWER                                                                                      \
	"time,host,name,value\n1712598200,h1,power,%d\n1712598201,h1,power,4\n1712598202,h1,"      \
	"power,5\n"

#define BEGIN_US 1712598200000000LL
#define MINUTE_US 60000000LL

/* A process's trace of the newer dialects; fields that are 0 or NULL are left out. */
struct trace {
	const char *name, *host, *command, *category;
	int pid, parent;
	int rank; /* -1: no PR record */
	long long begin_us;
	bool no_start;
	int record; /* what its only record is told apart by */
};

static inline const char *
make_trace(const struct trace *trace)
{
	struct strbuf text = {0};
	const char *host = trace->host ? trace->host : "h1";
	const char *command = trace->command ? trace->command : "train";

	strbuf_printf(
	    &text,
	    "[\n{\"id\":1,\"name\":\"HH\",\"cat\":\"dftracer\",\"pid\":%d,\"tid\":1,\"ph\":"
	    "\"M\",\"args\":{\"name\":\"%s\",\"value\":\"a%s\"}}\n"
	    "{\"id\":2,\"name\":\"SH\",\"cat\":\"dftracer\",\"pid\":%d,\"tid\":1,\"ph\":"
	    "\"M\",\"args\":{\"name\":\"%s\",\"value\":\"c%s\"}}\n",
	    trace->pid, host, host, trace->pid, command, command);
	if (!trace->no_start) {
		strbuf_printf(&text,
		              "{\"id\":3,\"name\":\"start\",\"cat\":\"dftracer\",\"pid\":%d,"
		              "\"tid\":1,\"ts\":%lld,"
		              "\"dur\":0,\"ph\":\"X\",\"args\":{\"hhash\":\"a%s\",\"cmd_hash\":\"c%"
		              "s\",\"ppid\":"
		              "%d}}\n",
		              trace->pid, BEGIN_US + trace->begin_us, host, command,
		              trace->parent ? trace->parent : 1);
	}
	if (trace->rank >= 0) {
		strbuf_printf(&text,
		              "{\"id\":4,\"name\":\"PR\",\"cat\":\"dftracer\",\"pid\":%d,\"tid\":1,"
		              "\"ph\":\"M\",\"args\":{\"name\":\"rank\",\"value\":\"%d\"}}\n",
		              trace->pid, trace->rank);
	}
	strbuf_printf(&text,
	              "{\"id\":5,\"name\":\"read\",\"cat\":\"%s\",\"pid\":%d,\"tid\":1,\"ts\":%lld,"
	              "\"dur\":%d,\"ph\":\"X\",\"args\":{\"hhash\":\"a%s\",\"ret\":4}}\n",
	              trace->category ? trace->category : "POSIX", trace->pid,
	              BEGIN_US + trace->begin_us + 10, 100 + trace->record, host);
	const char *path = write_file(trace->name, text.data);
	strbuf_free(&text);
	return path;
}

/* The old dialect: no start record, the rank in place of the process id. */
static inline const char *
make_old_trace(const char *name, int rank, const char *host, long long begin_us, int record)
{
	char text[512];
	snprintf(
	    text, sizeof text,
	    "[\n{\"id\":\"1\",\"name\":\"read\",\"cat\":\"POSIX\",\"pid\":\"%d\",\"tid\":\"1\","
	    "\"ts\":\"%lld\",\"dur\":\"%d\",\"ph\":\"X\",\"args\":{\"hostname\":\"%s\"}}\n",
	    rank, BEGIN_US + begin_us, 100 + record, host);
	return write_file(name, text);
}

static inline void
make_subfolder(const char *name)
{
	ck_assert_int_eq(mkdir(in_folder(name), 0755), 0);
}

/* "name: file file !duplicate; name: ...", files from the test's folder on. New. */
static inline char *
describe(const struct ingest_plans *plans)
{
	static const char *const kinds[] = {
	    [PROBLEM_DUPLICATE] = "duplicate", [PROBLEM_MISSING] = "missing"};
	struct strbuf text = {0};
	size_t skip = strlen(folder) + 1;

	for (unsigned i = 0; i < plans->n_plans; i++) {
		const struct ingest_plan *plan = &plans->plans[i];
		strbuf_printf(&text, "%s%s:", i ? "; " : "", plan->name);
		for (unsigned k = 0; k < plan->n_paths; k++) {
			strbuf_printf(&text, " %s", plan->paths[k] + skip);
		}
		for (unsigned k = 0; k < plan->n_problems; k++) {
			strbuf_printf(&text, " !%s", kinds[plan->problems[k].kind]);
		}
		ck_assert_ptr_nonnull(plan->grouping);
	}
	return strbuf_take(&text);
}

static inline struct ingest_plans *
plan_paths(const char *const *paths, unsigned n, bool one)
{
	struct err err = ERR_INIT;
	struct ingest_options options = {.out = folder, .one = one};
	struct ingest_plans *plans = ingest_plan(paths, n, &options, &err);
	ck_assert_msg(plans != NULL, "%s", err.message);
	return plans;
}

static inline void
expect_plan(const char *const *paths, unsigned n, const char *expected)
{
	struct ingest_plans *plans = plan_paths(paths, n, false);
	char *text = describe(plans);
	ck_assert_str_eq(text, expected);
	free(text);
	ingest_plans_free(plans);
}

/* Of the whole folder. */
static inline void
expect_all(const char *expected)
{
	const char *paths[] = {folder};
	expect_plan(paths, 1, expected);
}

static inline void
run_command(const char *format, ...)
{
	char command[1024];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(command, sizeof command, format, arguments);
	va_end(arguments);
	ck_assert_int_eq(system(command), 0);
}

#endif
