/* Which files are one run: jobs of folders, what lies beside, what can't be read, names. */
#include "config.h"

#include <unistd.h>

#include "plan_fixture.h"

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

/* A study is the folder above all that tells of its trials, however deep they lie and whatever is
 * asked for. */
START_TEST(studies_are_runs)
{
	static const char *const trials[] = {"s1/exp/baseline1/librispeech/run1/local/",
	                                     "s1/exp/ours/librispeech/remote/",
	                                     "s2/exp/baseline1/librispeech/run1/local/",
	                                     "s2/exp/ours/imagenet/",
	                                     "own/remote/",
	                                     "own/local/"};

	make_folder();
	for (int i = 0; i < 6; i++) {
		char name[120];
		run_command("mkdir -p '%s/%ssim_compute_time=0.%d'", folder, trials[i], i + 1);
		snprintf(name, sizeof name, "%ssim_compute_time=0.%d/opt_config", trials[i], i + 1);
		(void)write_file(name, "2,120");
		snprintf(name, sizeof name, "%ssim_compute_time=0.%d/readme.txt", trials[i], i + 1);
		(void)write_file(name, "sim_compute_time: 0.1");
	}
	for (int each = 0; each < 2; each++) {
		struct err err = ERR_INIT;
		struct ingest_options options = {.out = folder, .each = each};
		struct ingest_plans *plans = ingest_plan(&folder, 1, &options, &err);
		ck_assert_msg(plans && plans->n_plans == 3, "%s", err.message);
		static const char *const names[] = {"own", "s1-exp", "s2-exp"};
		for (unsigned i = 0; i < 3; i++) {
			ck_assert_str_eq(plans->plans[i].name, names[i]);
			ck_assert_uint_eq(plans->plans[i].n_paths, 4);
			ck_assert(!each == !strstr(plans->plans[i].grouping, "is no run"));
		}
		ingest_plans_free(plans);
	}
	const char *paths[] = {in_folder("s1/exp/ours"), in_folder("s1/exp/baseline1/librispeech")};
	struct ingest_plans *plans = plan_paths(paths, 2, false);
	ck_assert_uint_eq(plans->n_plans, 1);
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
	expect_all("a-t: a/t.pfw a/power/p.csv all.csv; b-t: b/t.pfw all.csv b/p.csv; c-t: c/t.pfw "
	           "all.csv");
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
	ck_assert_str_eq(text, "a-t-0: a/t-0.pfw !missing !missing; b-t-0: b/t-0.pfw !missing");
	ck_assert_uint_eq(plans->n_skipped, 4);
	ck_assert_uint_eq(plans->n_failed, 0);
	free(text);
	ingest_plans_free(plans);
	remove_folder();
}
END_TEST

START_TEST(problems_beyond_a_hundred_are_told_in_one)
{
	make_folder();
	make_trace(&(struct trace){"t-0.pfw", .pid = 10, .rank = 0});
	run_command("cd '%s' && for i in $(seq 104); do ln -s nowhere t-$i.pfw; done", folder);
	struct ingest_plans *plans = plan_paths(&folder, 1, false);
	ck_assert_uint_eq(plans->n_plans, 1);
	ck_assert_uint_eq(plans->plans[0].n_problems, 101);
	for (unsigned i = 0; i < 101; i++) {
		ck_assert_int_eq(strcmp(plans->plans[0].problems[i].reason,
		                        "more of this kind are not listed") == 0,
		                 i == 100);
	}
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

/* A run of one file is called like it, however it is reached: more is said only where another has
 * that name. */
START_TEST(one_job_has_one_name)
{
	make_folder();
	make_subfolder("a");
	make_subfolder("b");
	const char *trace = make_trace(&(struct trace){"a/one.pfw", .pid = 10, .rank = 0});
	make_trace(&(struct trace){"b/other.pfw", .pid = 20, .rank = 0});
	const char *subfolder = in_folder("a");
	expect_plan(&trace, 1, "one: a/one.pfw");
	expect_plan(&subfolder, 1, "one: a/one.pfw");
	expect_all("one: a/one.pfw; other: b/other.pfw");
	make_subfolder("c");
	make_trace(&(struct trace){"c/one.pfw", .pid = 30, .rank = 0});
	expect_all("a-one: a/one.pfw; other: b/other.pfw; c-one: c/one.pfw");
	remove_folder();
}
END_TEST

START_TEST(traces_that_go_by_names_are_called_by_what_these_share)
{
	static const struct {
		const char *a, *b, *name;
	} cases[] = {{"full-64-node-trace.csv", "full-64-terminate-trace.csv", "full-64"},
	             {"mngr-test-GroupTotal.csv", "mngr-test-GroupPending.csv", "mngr-test"},
	             {"node-a.csv", "node.csv", "node"},
	             {"node.csv", "terminate.csv", NULL},
	             {"a-node.csv", "a-terminate.csv", NULL},
	             {"cat-64-node.csv", "hat-64-terminate.csv", NULL},
	             {"2021-07-node.csv", "2021-07-terminate.csv", NULL}};
	char text[256];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		make_folder();
		snprintf(text, sizeof text, NODES, 1);
		(void)write_file(cases[i].a, text);
		snprintf(text, sizeof text, NODES, 2);
		(void)write_file(cases[i].b, text);
		struct ingest_plans *plans = plan_paths(&folder, 1, false);
		ck_assert_uint_eq(plans->n_plans, 1);
		ck_assert_str_eq(plans->plans[0].name,
		                 cases[i].name ? cases[i].name : strrchr(folder, '/') + 1);
		ingest_plans_free(plans);
		remove_folder();
	}
}
END_TEST

/* Each of a folder's jobs says why the others are none of it. */
START_TEST(each_job_says_why)
{
	make_folder();
	make_trace(&(struct trace){"a-0.pfw", .pid = 10, .rank = 0});
	make_trace(&(struct trace){"b-0.pfw", .pid = 20, .rank = 0, .begin_us = 6});
	struct ingest_plans *plans = plan_paths(&folder, 1, false);
	ck_assert_uint_eq(plans->n_plans, 2);
	for (unsigned i = 0; i < 2; i++) {
		ck_assert_ptr_nonnull(strstr(plans->plans[i].grouping, "rank 0 again"));
	}
	ck_assert_ptr_nonnull(strstr(plans->plans[0].grouping, "one of 2 jobs in it"));
	ck_assert_ptr_nonnull(strstr(plans->plans[0].grouping, "b-0.pfw"));
	ingest_plans_free(plans);
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
	tcase_add_test(tests, studies_are_runs);
	tcase_add_test(tests, counters_go_to_their_folder);
	tcase_add_test(tests, unreadable_files_are_problems);
	tcase_add_test(tests, problems_beyond_a_hundred_are_told_in_one);
	tcase_add_test(tests, names_are_unique_and_legal);
	tcase_add_test(tests, jobs_of_alike_files_are_called_by_their_begins);
	tcase_add_test(tests, one_job_has_one_name);
	tcase_add_test(tests, traces_that_go_by_names_are_called_by_what_these_share);
	tcase_add_test(tests, each_job_says_why);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
