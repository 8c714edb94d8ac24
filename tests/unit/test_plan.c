/* Which files are one run: jobs of folders, copies, what lies beside, what can't be read, names. */
#include "config.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ingest/ingest.h"
#include "ingest_folder.h"
#include "util/mem.h"
#include "util/slice.h"

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

static const char *
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
static const char *
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

static void
make_subfolder(const char *name)
{
	ck_assert_int_eq(mkdir(in_folder(name), 0755), 0);
}

/* "name: file file !duplicate; name: ...", files from the test's folder on. New. */
static char *
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

static struct ingest_plans *
plan_paths(const char *const *paths, unsigned n, bool one)
{
	struct err err = ERR_INIT;
	struct ingest_options options = {.out = folder, .one = one};
	struct ingest_plans *plans = ingest_plan(paths, n, &options, &err);
	ck_assert_msg(plans != NULL, "%s", err.message);
	return plans;
}

static void
expect_plan(const char *const *paths, unsigned n, const char *expected)
{
	struct ingest_plans *plans = plan_paths(paths, n, false);
	char *text = describe(plans);
	ck_assert_str_eq(text, expected);
	free(text);
	ingest_plans_free(plans);
}

/* Of the whole folder. */
static void
expect_all(const char *expected)
{
	const char *paths[] = {folder};
	expect_plan(paths, 1, expected);
}

/* ---- jobs ---- */

START_TEST(folders_are_jobs)
{
	make_folder();
	make_subfolder("base");
	make_subfolder("scr");
	const char *files[] = {make_trace(&(struct trace){"base/t-0.pfw", .pid = 10, .rank = 0}),
	                       make_trace(&(struct trace){"base/t-1.pfw", .pid = 11, .rank = 1}),
	                       make_trace(&(struct trace){"scr/t-0.pfw", .pid = 12, .rank = 2}),
	                       make_trace(&(struct trace){"scr/t-1.pfw", .pid = 13, .rank = 3})};
	const char *expected = "base: base/t-0.pfw base/t-1.pfw; scr: scr/t-0.pfw scr/t-1.pfw";
	const char *folders[] = {in_folder("base"), in_folder("scr/")};
	expect_all(expected);
	expect_plan(folders, 2, expected);
	expect_plan(files, 4, expected);
	struct ingest_plans *plans = plan_paths(files, 4, true);
	ck_assert_uint_eq(plans->n_plans, 1);
	ck_assert_uint_eq(plans->plans[0].n_paths, 4);
	ingest_plans_free(plans);
	remove_folder();
}
END_TEST

START_TEST(a_rank_again_is_another_job)
{
	make_folder();
	make_trace(&(struct trace){"a-0.pfw", .pid = 10, .rank = 0});
	make_trace(&(struct trace){"a-1.pfw", .pid = 11, .rank = 1, .begin_us = 9});
	make_trace(&(struct trace){"b-0.pfw", .pid = 20, .rank = 0, .begin_us = 6});
	make_trace(&(struct trace){"b-1.pfw", .pid = 21, .rank = 1, .begin_us = 3});
	make_trace(&(struct trace){"b-2.pfw", .pid = 22, .rank = 2, .begin_us = 1});
	expect_all("a: a-0.pfw a-1.pfw; b: b-0.pfw b-1.pfw b-2.pfw");
	remove_folder();
}
END_TEST

START_TEST(jobs_of_alike_names_go_by_command_and_parent)
{
	make_folder();
	make_trace(&(struct trace){"t-10.pfw", .pid = 10, .rank = 0, .command = "x"});
	make_trace(
	    &(struct trace){"t-11.pfw", .pid = 11, .rank = 0, .command = "y", .begin_us = 1});
	make_trace(
	    &(struct trace){"t-12.pfw", .pid = 12, .rank = 1, .command = "x", .begin_us = 2});
	make_trace(
	    &(struct trace){"t-13.pfw", .pid = 13, .rank = 1, .command = "y", .begin_us = 3});
	struct ingest_plans *plans = plan_paths(&folder, 1, false);
	ck_assert_uint_eq(plans->n_plans, 2);
	ck_assert_str_eq(plans->plans[0].paths[1] + strlen(folder), "/t-12.pfw");
	ck_assert_str_eq(plans->plans[1].paths[1] + strlen(folder), "/t-13.pfw");
	ck_assert_str_ne(plans->plans[0].name, plans->plans[1].name);
	ck_assert_ptr_nonnull(strstr(plans->plans[1].grouping, "rank 0 again with another start"));
	ingest_plans_free(plans);
	remove_folder();
}
END_TEST

START_TEST(a_process_again_is_another_job)
{
	make_folder();
	/* Another start; the same one, but other records under its ids. */
	make_trace(&(struct trace){"a.pfw", .pid = 10, .rank = -1});
	make_trace(&(struct trace){"b.pfw", .pid = 10, .rank = -1, .begin_us = 5});
	make_trace(&(struct trace){"c.pfw", .pid = 10, .rank = -1, .record = 1});
	expect_all("a: a.pfw; b: b.pfw; c: c.pfw");
	remove_folder();
	make_folder();
	make_trace(&(struct trace){"a.pfw", .pid = 10, .rank = -1});
	make_trace(&(struct trace){"b.pfw", .pid = 10, .rank = -1, .host = "h2", .record = 1});
	struct ingest_plans *plans = plan_paths(&folder, 1, false);
	ck_assert_uint_eq(plans->n_plans, 1); /* hosts number their processes by themselves */
	ingest_plans_free(plans);
	remove_folder();
}
END_TEST

START_TEST(old_dialects_tell_ranks_as_processes)
{
	make_folder();
	make_old_trace("a-0.pfw", 0, "h1", 0, 0);
	make_old_trace("a-1.pfw", 1, "h2", 5, 0);
	make_old_trace("b-0.pfw", 0, "h1", 2 * MINUTE_US, 0);
	make_old_trace("b-1.pfw", 1, "h2", 2 * MINUTE_US, 0);
	make_old_trace("c-0.pfw", 0, "h3", 0, 0); /* at once, on another host */
	make_old_trace("d-0.pfw", 0, "h1", 0, 1); /* at once, with other records */
	expect_all("a: a-0.pfw a-1.pfw; b: b-0.pfw b-1.pfw; c-0: c-0.pfw; d-0: d-0.pfw");
	remove_folder();
}
END_TEST

/* One traces the application, one what it calls: both number their records from 1. */
START_TEST(two_files_of_a_process_are_one_job)
{
	make_folder();
	make_trace(&(struct trace){"app.pfw", .pid = 4711, .rank = -1, .no_start = true,
	                           .category = "app", .begin_us = MINUTE_US / 2});
	make_trace(
	    &(struct trace){"preload.pfw", .pid = 4711, .rank = -1, .no_start = true, .record = 3});
	struct ingest_plans *plans = plan_paths(&folder, 1, false);
	ck_assert_uint_eq(plans->n_plans, 1);
	ingest_plans_free(plans);
	remove_folder();
}
END_TEST

START_TEST(numbers_of_ranks_in_names_count)
{
	make_folder();
	make_trace(&(struct trace){"trace-0-of-2.pfw", .pid = 10, .rank = -1});
	make_trace(&(struct trace){"trace-1-of-2.pfw", .pid = 11, .rank = -1});
	make_trace(&(struct trace){"trace-2-of-4.pfw", .pid = 12, .rank = -1});
	struct ingest_plans *plans = plan_paths(&folder, 1, false);
	ck_assert_uint_eq(plans->n_plans, 2);
	ck_assert_uint_eq(plans->plans[0].n_paths, 2);
	ck_assert_ptr_nonnull(strstr(plans->plans[1].grouping, "of 4 ranks, not of 2"));
	ingest_plans_free(plans);
	remove_folder();
}
END_TEST

START_TEST(later_begins_need_a_tie)
{
	make_folder();
	make_trace(&(struct trace){"a.pfw", .pid = 10, .rank = -1});
	make_trace(&(struct trace){"b.pfw", .pid = 11, .rank = -1, .begin_us = MINUTE_US});
	make_trace(&(struct trace){"c.pfw", .pid = 12, .rank = -1, .begin_us = 10 * MINUTE_US});
	make_trace(&(struct trace){"child.pfw", .pid = 13, .parent = 12, .rank = -1,
	                           .begin_us = 90 * MINUTE_US});
	expect_all("a: a.pfw b.pfw; c: c.pfw child.pfw");
	remove_folder();
	make_folder();
	make_trace(&(struct trace){"r-0.pfw", .pid = 10, .rank = 0});
	make_trace(&(struct trace){"r-1.pfw", .pid = 11, .rank = 1, .begin_us = 10 * MINUTE_US});
	make_trace(&(struct trace){"r-2.pfw", .pid = 12, .rank = 2, .begin_us = 200 * MINUTE_US});
	struct ingest_plans *plans = plan_paths(&folder, 1, false);
	ck_assert_uint_eq(plans->n_plans, 2);
	ck_assert_uint_eq(plans->plans[0].n_paths, 2);
	ingest_plans_free(plans);
	remove_folder();
}
END_TEST

/* A worker says the rank of the process that started it. */
START_TEST(children_are_of_the_job)
{
	make_folder();
	make_trace(&(struct trace){"t-10.pfw", .pid = 10, .rank = 0});
	make_trace(&(struct trace){"t-20.pfw", .pid = 20, .parent = 10, .rank = 0, .begin_us = 7});
	struct ingest_plans *plans = plan_paths(&folder, 1, false);
	ck_assert_uint_eq(plans->n_plans, 1);
	ingest_plans_free(plans);
	remove_folder();
}
END_TEST

/* Many jobs in one folder, and many files of one: neither costs the square of their number. */
START_TEST(thousands_of_files)
{
	char name[64];

	make_folder();
	for (int i = 0; i < 3000; i++) {
		snprintf(name, sizeof name, "job%d-%d.pfw", i / 4, i % 4);
		make_trace(&(struct trace){name, .pid = 100 + i % 4, .rank = i % 4,
		                           .begin_us = i % 4, .record = i / 4});
	}
	struct ingest_plans *plans = plan_paths(&folder, 1, false);
	ck_assert_uint_eq(plans->n_plans, 750);
	for (unsigned i = 0; i < plans->n_plans; i++) {
		snprintf(name, sizeof name, "job%u", i);
		ck_assert_str_eq(plans->plans[i].name, name);
		ck_assert_uint_eq(plans->plans[i].n_paths, 4);
	}
	ingest_plans_free(plans);
	remove_folder();
}
END_TEST

/* ---- other formats ---- */

#define ROW                                                                                        \
	"{\"action\": \"task%s\", \"task\": \"a:1\", \"worker\": \"w%d\", \"host\": \"h\", "       \
	"\"at\": 5}\n"

START_TEST(parts_of_a_cascade_trace)
{
	char text[256];
	static const char *const names[] = {"x.tasks.jsonl", "x.datasets.jsonl",
	                                    "x.controller.jsonl", "y.jsonl", "z.tasks.jsonl"};

	make_folder();
	for (int i = 0; i < 5; i++) {
		snprintf(text, sizeof text, ROW, "Planned", i);
		write_file(names[i], text);
	}
	expect_all("x: x.controller.jsonl x.datasets.jsonl x.tasks.jsonl; y: y.jsonl; z.tasks: "
	           "z.tasks.jsonl");
	remove_folder();
}
END_TEST

#define NODES "timestamp,count\n2021-07-26T18:42:00Z,%d\n2021-07-26T18:45:00Z,4\n"
#define POWER                                                                                      \
	"time,host,name,value\n1712598200,h1,power,%d\n1712598201,h1,power,4\n1712598202,h1,"      \
	"power,5\n"

START_TEST(alike_folders_are_no_pool)
{
	char text[256];

	make_folder();
	make_subfolder("zone-a");
	make_subfolder("zone-b");
	for (int i = 0; i < 3; i++) {
		static const char *const names[] = {"zone-a/node.csv", "zone-b/node.csv",
		                                    "zone-b/terminate.csv"};
		snprintf(text, sizeof text, NODES, i);
		write_file(names[i], text);
	}
	write_file("node.csv", "timestamp,count\n2021-07-26T18:42:00Z,9\n2021-07-26T18:45:00Z,4\n");
	struct ingest_plans *plans = plan_paths(&folder, 1, false);
	ck_assert_uint_eq(plans->n_plans, 3);
	ingest_plans_free(plans);
	remove_folder();
}
END_TEST

START_TEST(counters_go_to_their_folder)
{
	char text[256];

	make_folder();
	static const char *const folders[] = {"a", "a/power", "b", "c"};
	for (int i = 0; i < 4; i++) {
		make_subfolder(folders[i]);
	}
	make_trace(&(struct trace){"a/t.pfw", .pid = 10, .rank = -1});
	make_trace(&(struct trace){"b/t.pfw", .pid = 10, .rank = -1, .record = 1});
	make_trace(&(struct trace){"c/t.pfw", .pid = 10, .rank = -1, .record = 2});
	static const char *const powers[] = {"a/power/p.csv", "b/p.csv", "all.csv"};
	for (int i = 0; i < 3; i++) {
		snprintf(text, sizeof text, POWER, i);
		write_file(powers[i], text);
	}
	expect_all(
	    "a: a/t.pfw a/power/p.csv all.csv; b: b/t.pfw all.csv b/p.csv; c: c/t.pfw all.csv");
	remove_folder();
}
END_TEST

/* ---- copies ---- */

static void
run_command(const char *format, ...)
{
	char command[1024];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(command, sizeof command, format, arguments);
	va_end(arguments);
	ck_assert_int_eq(system(command), 0);
}

START_TEST(copies_count_once)
{
	make_folder();
	make_subfolder("z");
	make_subfolder("zz");
	make_trace(&(struct trace){"t-0.pfw", .pid = 10, .rank = 0});
	make_trace(&(struct trace){"t-1.pfw", .pid = 11, .rank = 1});
	run_command(
	    "cd '%s' && gzip -k t-0.pfw && cp t-1.pfw 'copy of t-1.pfw' && ln t-1.pfw u.pfw && "
	    "ln -s t-1.pfw v.pfw && cp t-0.pfw z/ && cp t-1.pfw zz/",
	    folder);
	make_trace(&(struct trace){"zz/own.pfw", .pid = 12, .rank = 0});
	struct ingest_plans *plans = plan_paths(&folder, 1, false);
	ck_assert_uint_eq(plans->n_plans, 2);
	ck_assert_uint_eq(plans->plans[0].n_paths, 2);
	ck_assert_uint_eq(plans->plans[0].n_problems, 6);
	ck_assert_str_eq(plans->plans[1].paths[0] + strlen(folder), "/zz/own.pfw");
	ck_assert_uint_eq(plans->plans[1].n_problems, 1);
	ck_assert_int_eq(plans->plans[1].problems[0].kind, PROBLEM_DUPLICATE);
	ingest_plans_free(plans);
	remove_folder();
}
END_TEST

/* Long files that are equal for long are told apart; the beginning beside the whole is a copy. */
START_TEST(what_is_nearly_equal)
{
	make_folder();
	make_subfolder("a");
	make_subfolder("b");
	struct strbuf text = {0};
	strbuf_add_text(&text, "[\n");
	for (int i = 0; i < 4000; i++) {
		strbuf_printf(&text,
		              "{\"id\":%d,\"name\":\"read\",\"cat\":\"POSIX\",\"pid\":7,\"tid\":1,"
		              "\"ts\":%lld,"
		              "\"dur\":5,\"ph\":\"X\",\"args\":{\"hhash\":\"a\"}}\n",
		              i, BEGIN_US + i);
	}
	write_file("a/t.pfw", text.data);
	text.data[text.len - 20] = 'b';
	write_file("b/t.pfw", text.data);
	text.data[text.len / 2] = '\0';
	write_file("b/short", text.data);
	run_command("cd '%s' && gzip -c b/short >b/t.pfw.gz && rm b/short", folder);
	expect_all("a: a/t.pfw; b: b/t.pfw !duplicate");
	strbuf_free(&text);
	remove_folder();
}
END_TEST

START_TEST(names_that_tell_are_no_copies)
{
	char text[256];

	make_folder();
	make_subfolder("a");
	make_subfolder("b");
	snprintf(text, sizeof text, NODES, 1);
	write_file("a/node.csv", text);
	write_file("b/node.csv", text);
	snprintf(text, sizeof text, POWER, 1);
	write_file("a/p.csv", text);
	write_file("b/p.csv", text);
	run_command("cd '%s' && gzip -k b/node.csv && cp b/p.csv b/q.csv", folder);
	expect_all("a-node: a/node.csv a/p.csv; b-node: b/node.csv b/p.csv !duplicate !duplicate");
	remove_folder();
}
END_TEST

START_TEST(a_path_given_twice_is_read_once)
{
	make_folder();
	make_subfolder("a");
	const char *trace = make_trace(&(struct trace){"a/t.pfw", .pid = 10, .rank = 0});
	const char *paths[] = {trace, in_folder("a"), in_folder("./a/../a/t.pfw")};
	expect_plan(paths, 3, "t: a/t.pfw");
	remove_folder();
}
END_TEST

/* ---- what can't be read ---- */

START_TEST(unreadable_files_are_problems)
{
	make_folder();
	make_subfolder("a");
	make_subfolder("a/sub");
	make_subfolder("b");
	make_trace(&(struct trace){"a/t-0.pfw", .pid = 10, .rank = 0});
	make_trace(&(struct trace){"b/t-0.pfw", .pid = 10, .rank = 0, .record = 1});
	run_command("cd '%s' && ln -s nowhere.pfw a/t-1.pfw && ln -s circle a/sub/circle && ln -s "
	            "nowhere lost && printf '\\037\\213\\010\\000broken' >b/t-1.pfw.gz",
	            folder);
	struct ingest_plans *plans = plan_paths(&folder, 1, false);
	char *text = describe(plans);
	ck_assert_str_eq(text, "a: a/t-0.pfw !missing !missing; b: b/t-0.pfw !missing");
	ck_assert_uint_eq(plans->n_skipped, 4);
	ck_assert_uint_eq(plans->n_failed, 0);
	free(text);
	ingest_plans_free(plans);
	remove_folder();
}
END_TEST

/* ---- names ---- */

START_TEST(names_are_unique_and_legal)
{
	char text[256];
	static const char *const folders[] = {"a", "a/x", "b", "b/x", "b/x/x"};
	static const char *const files[] = {"a/x/t.jsonl",   "b/x/t.jsonl", "b/x/x/t.jsonl",
	                                    "b/x/x/t.json",  "b-x-t.jsonl", "-o.jsonl",
	                                    "b/x/new\nline", "t.jsonl"};
	struct ingest_plans *plans;

	make_folder();
	for (int i = 0; i < 5; i++) {
		make_subfolder(folders[i]);
	}
	for (int i = 0; i < 8; i++) {
		snprintf(text, sizeof text, ROW, "Planned", i);
		write_file(files[i], text);
	}
	plans = plan_paths(&folder, 1, false);
	ck_assert_uint_eq(plans->n_plans, 8);
	for (unsigned i = 0; i < 8; i++) {
		const char *name = plans->plans[i].name;
		ck_assert_msg(name[0] != '.' && name[0] != '-' && !strpbrk(name, "/\n"), "%s",
		              name);
		for (unsigned k = 0; k < i; k++) {
			ck_assert_str_ne(name, plans->plans[k].name);
			ck_assert_str_ne(plans->plans[i].out_path, plans->plans[k].out_path);
		}
	}
	ingest_plans_free(plans);
	remove_folder();
}
END_TEST

START_TEST(jobs_of_alike_files_are_called_by_their_begins)
{
	make_folder();
	make_trace(&(struct trace){"trace-10.pfw", .pid = 10, .rank = 0});
	make_trace(&(struct trace){"trace-11.pfw", .pid = 11, .rank = 1});
	make_trace(
	    &(struct trace){"trace-20.pfw", .pid = 20, .rank = 0, .begin_us = 60 * MINUTE_US});
	make_trace(
	    &(struct trace){"trace-21.pfw", .pid = 21, .rank = 1, .begin_us = 60 * MINUTE_US});
	expect_all("trace-20240408T174320: trace-10.pfw trace-11.pfw; trace-20240408T184320: "
	           "trace-20.pfw trace-21.pfw");
	remove_folder();
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("plan");
	TCase *tests = tcase_create("plan");

	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, folders_are_jobs);
	tcase_add_test(tests, a_rank_again_is_another_job);
	tcase_add_test(tests, jobs_of_alike_names_go_by_command_and_parent);
	tcase_add_test(tests, a_process_again_is_another_job);
	tcase_add_test(tests, old_dialects_tell_ranks_as_processes);
	tcase_add_test(tests, two_files_of_a_process_are_one_job);
	tcase_add_test(tests, numbers_of_ranks_in_names_count);
	tcase_add_test(tests, later_begins_need_a_tie);
	tcase_add_test(tests, children_are_of_the_job);
	tcase_add_test(tests, thousands_of_files);
	tcase_add_test(tests, parts_of_a_cascade_trace);
	tcase_add_test(tests, alike_folders_are_no_pool);
	tcase_add_test(tests, counters_go_to_their_folder);
	tcase_add_test(tests, copies_count_once);
	tcase_add_test(tests, what_is_nearly_equal);
	tcase_add_test(tests, names_that_tell_are_no_copies);
	tcase_add_test(tests, a_path_given_twice_is_read_once);
	tcase_add_test(tests, unreadable_files_are_problems);
	tcase_add_test(tests, names_are_unique_and_legal);
	tcase_add_test(tests, jobs_of_alike_files_are_called_by_their_begins);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
