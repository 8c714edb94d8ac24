/* From paths to run files: what is found in folders, which files are one run, and how runs are
 * named. */
#include "config.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "ingest/find.h"
#include "ingest/ingest.h"
#include "ingest_folder.h"

START_TEST(natural_order)
{
	static const char *const sorted[] = {"",        "a",   "a-1",  "a-2", "a-10", "a-10b",
	                                     "a-010b2", "a1b", "a1b2", "a1c", "a002", "b"};
	for (size_t i = 0; i < sizeof sorted / sizeof *sorted; i++) {
		for (size_t j = 0; j < sizeof sorted / sizeof *sorted; j++) {
			int result = compare_naturally(sorted[i], sorted[j]);
			ck_assert_msg((result > 0) - (result < 0) == (i > j) - (i < j), "%s %s",
			              sorted[i], sorted[j]);
		}
	}
}
END_TEST

START_TEST(names_without_endings)
{
	static const char *const pairs[][2] = {{"x/trace-0-of-4.pfw.gz", "trace-0-of-4"},
	                                       {"m2_2.jsonl", "m2_2"},
	                                       {"a.b.JSON", "a.b"},
	                                       {"/p/.json", ".json"},
	                                       {"plain", "plain"},
	                                       {"events.log.gz", "events"}};
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		ck_assert(slice_is(plain_name(pairs[i][0]), pairs[i][1]));
	}
}
END_TEST

/* Of a process of its own. */
#define PFW_OF                                                                                     \
	"[\n{\"id\":\"1\",\"name\":\"read\",\"cat\":\"POSIX\",\"pid\":\"100%u\",\"tid\":\"1\","    \
	"\"ts\":"                                                                                  \
	"\"1712598200500024\",\"dur\":\"48\",\"ph\":\"X\",\"args\":{\"hostname\":\"h\"}}\n"
#define PFW                                                                                        \
	"[\n{\"id\":\"1\",\"name\":\"read\",\"cat\":\"POSIX\",\"pid\":\"0\",\"tid\":\"1\",\"ts\":" \
	"\"1712598200500024\","                                                                    \
	"\"dur\":\"48\",\"ph\":\"X\",\"args\":{\"hostname\":\"h\",\"ret\":\"4096\",\"fname\":\"/"  \
	"x\"}}\n"

START_TEST(folders_are_searched)
{
	struct err err = ERR_INIT;

	make_folder();
	mkdir(in_folder("run-a"), 0755);
	mkdir(in_folder("run-a/.hidden"), 0755);
	static const char *const traces[] = {"run-a/t-10.pfw",       "run-a/t-9.pfw",
	                                     "run-a/.t-1.pfw",       "run-a/.hidden/t.pfw",
	                                     "run-a/t-9.pfw.zindex", "run-a/old.lanes"};
	for (size_t i = 0; i < sizeof traces / sizeof *traces; i++) {
		char text[512];
		snprintf(text, sizeof text, PFW_OF, (unsigned)i);
		write_file(traces[i], text);
	}
	write_file("run-a/README", "Hello there.\n");
	write_file("run-a/empty.pfw", "");
	ck_assert_int_eq(symlink(in_folder("run-a"), in_folder("run-a/loop")), 0);
	ck_assert_int_eq(mkfifo(in_folder("run-a/fifo"), 0600), 0);
	ck_assert_int_eq(symlink("t-9.pfw", in_folder("run-a/u.pfw")), 0);
	const char *paths[] = {in_folder("run-a")};
	struct ingest_options options = {.out = folder};
	struct ingest_plans *plans = ingest_plan(paths, 1, &options, &err);
	ck_assert_msg(plans != NULL, "%s", err.message);
	ck_assert_uint_eq(plans->n_plans, 1);
	const struct ingest_plan *plan = &plans->plans[0];
	ck_assert_str_eq(plan->name, "run-a");
	ck_assert_str_eq(plan->format, "dftracer");
	ck_assert_str_eq(plan->out_path, in_folder("run-a.lanes"));
	ck_assert_uint_eq(plan->n_paths, 2);
	ck_assert_str_eq(plan->paths[0], in_folder("run-a/t-9.pfw"));
	ck_assert_str_eq(plan->paths[1], in_folder("run-a/t-10.pfw"));
	ck_assert_uint_eq(plans->n_skipped, 3);
	ck_assert_ptr_nonnull(strstr(plans->skipped[0], "is a hidden folder"));
	ck_assert_ptr_nonnull(strstr(plans->skipped[1], "README: no trace format"));
	ck_assert_ptr_nonnull(strstr(plans->skipped[2], "empty.pfw: is empty"));
	ck_assert_uint_eq(plan->n_problems, 2);
	ck_assert_ptr_nonnull(strstr(plan->problems[0].reason, "empty.pfw: is empty"));
	ck_assert_ptr_nonnull(strstr(plan->problems[1].reason, "u.pfw: holds the same as "));
	ck_assert_int_eq(ingest_run(plan, &options, NULL, NULL, &err), 0);
	ingest_plans_free(plans);
	/* Each by itself, and a name for all is too few. */
	options.each = true;
	plans = ingest_plan(paths, 1, &options, &err);
	ck_assert_ptr_nonnull(plans);
	ck_assert_uint_eq(plans->n_plans, 2);
	ck_assert_str_eq(plans->plans[0].name, "t-9");
	ck_assert_str_eq(plans->plans[1].name, "t-10");
	ingest_plans_free(plans);
	remove_folder();
}
END_TEST

#define ADDITIONS ",timestamp,dt,count\n0,2021-07-26T18:42:00Z,2021-07-26 18:42:00,2\n"
#define COUNTS "timestamp,count\n2021-07-26T18:42:00Z,3\n2021-07-26T18:45:00Z,4\n"

/* What stands in one folder, or below it, is one run, however it is named. */
START_TEST(folders_are_runs)
{
	struct err err = ERR_INIT;
	static const char *const names[] = {"down", "up"};

	make_folder();
	mkdir(in_folder("all"), 0755);
	mkdir(in_folder("all/down"), 0755);
	mkdir(in_folder("all/down/deep"), 0755);
	mkdir(in_folder("all/up"), 0755);
	const char *files[] = {write_file("all/down/additions.csv", ADDITIONS),
	                       write_file("all/down/deep/node.csv", COUNTS),
	                       write_file("all/up/node.csv", COUNTS),
	                       write_file("all/up/terminate.csv", ADDITIONS)};
	const char *paths[] = {in_folder("all")};
	struct ingest_options options = {.out = folder};
	struct ingest_plans *plans = ingest_plan(paths, 1, &options, &err);
	ck_assert_msg(plans != NULL, "%s", err.message);
	ck_assert_uint_eq(plans->n_plans, 2);
	for (unsigned i = 0; i < 2; i++) {
		ck_assert_str_eq(plans->plans[i].name, names[i]);
		ck_assert_uint_eq(plans->plans[i].n_paths, 2);
		ck_assert_str_eq(plans->plans[i].paths[0], files[2 * i]);
		ck_assert_str_eq(plans->plans[i].paths[1], files[2 * i + 1]);
	}
	ingest_plans_free(plans);
	plans = ingest_plan(files, 4, &options, &err);
	ck_assert_msg(plans != NULL, "%s", err.message);
	ck_assert_uint_eq(plans->n_plans, 2);
	ingest_plans_free(plans);
	options.one = true;
	plans = ingest_plan(files, 4, &options, &err);
	ck_assert_msg(plans != NULL, "%s", err.message);
	ck_assert_uint_eq(plans->n_plans, 1);
	ck_assert_uint_eq(plans->plans[0].n_paths, 4);
	ingest_plans_free(plans);
	options.one = false;
	options.each = true;
	plans = ingest_plan(paths, 1, &options, &err);
	ck_assert_ptr_nonnull(plans);
	ck_assert_uint_eq(plans->n_plans, 4);
	ingest_plans_free(plans);
	remove_folder();
}
END_TEST

START_TEST(clashing_names_grow)
{
	struct err err = ERR_INIT;

	make_folder();
	mkdir(in_folder("a"), 0755);
	mkdir(in_folder("b"), 0755);
	char texts[4][512];
	for (unsigned i = 0; i < 4; i++) {
		snprintf(texts[i], sizeof texts[i], PFW_OF, i);
	}
	const char *paths[] = {write_file("a/t.pfw", texts[0]), write_file("a/t.json", texts[1]),
	                       write_file("b/t.pfw", texts[2]),
	                       write_file("b/other.pfw", texts[3])};
	struct ingest_options options = {.each = true};
	struct ingest_plans *plans = ingest_plan(paths, 4, &options, &err);
	ck_assert_msg(plans != NULL, "%s", err.message);
	static const char *const names[] = {"a-t.pfw", "a-t.json", "b-t", "other"};
	for (unsigned i = 0; i < 4; i++) {
		ck_assert_str_eq(plans->plans[i].name, names[i]);
	}
	ck_assert_str_eq(plans->plans[3].out_path, "other.lanes");
	ingest_plans_free(plans);
	remove_folder();
}
END_TEST

START_TEST(what_can_not_be_planned)
{
	make_folder();
	const char *trace = write_file("t.pfw", PFW);
	const char *text = write_file("notes.txt", "Hello\n"), *empty = write_file("empty", "");
	const char *database = write_file("x.lanes", "SQLite format 3");
	const struct {
		const char *paths[2];
		unsigned n_paths;
		struct ingest_options options;
		enum err_code code;
		const char *word;
	} cases[] = {
	    {{text},
	     1,
	     {0},
	     ERR_FORMAT,
	     "notes.txt: no trace format recognises it (known: dftracer"},
	    {{in_folder("absent")}, 1, {0}, ERR_FORMAT, "absent: No such file"},
	    {{in_folder("absent"), text},
	     2,
	     {0},
	     ERR_FORMAT,
	     "nor is there a trace in the 1 others"},
	    {{empty}, 1, {0}, ERR_FORMAT, "empty: no trace found: it is empty"},
	    {{database}, 1, {0}, ERR_FORMAT, "is a database"},
	    {{trace}, 1, {.format = "nope"}, ERR_USAGE, "nope: no such format"},
	    {{trace}, 1, {.each = true, .one = true}, ERR_USAGE, "--each and --one"},
	    {{trace}, 1, {.name = "a/b"}, ERR_USAGE, "can't be the name"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct err err = ERR_INIT;
		ck_assert_ptr_null(ingest_plan((const char *const *)cases[i].paths,
		                               cases[i].n_paths, &cases[i].options, &err));
		ck_assert_int_eq(err.code, cases[i].code);
		ck_assert_msg(strstr(err.message, cases[i].word) != NULL, "%s", err.message);
	}
	remove_folder();
}
END_TEST

/* What can't be read keeps the rest from nothing, and is told. */
START_TEST(the_rest_is_planned)
{
	struct err err = ERR_INIT;

	make_folder();
	mkdir(in_folder("none"), 0755);
	const char *paths[] = {write_file("notes.txt", "Hello\n"), in_folder("absent"),
	                       write_file("t.pfw", PFW), in_folder("none")};
	struct ingest_options options = {.out = folder};
	struct ingest_plans *plans = ingest_plan(paths, 4, &options, &err);
	ck_assert_msg(plans != NULL, "%s", err.message);
	ck_assert_uint_eq(plans->n_plans, 1);
	ck_assert_uint_eq(plans->n_failed, 3);
	ck_assert_ptr_nonnull(strstr(plans->failed[0], "absent: No such file"));
	ck_assert_ptr_nonnull(strstr(plans->failed[1], "notes.txt: no trace format"));
	ck_assert_ptr_nonnull(strstr(plans->failed[2], "none: no trace found"));
	ingest_plans_free(plans);
	remove_folder();
}
END_TEST

START_TEST(a_file_holds_one_run)
{
	struct err err = ERR_INIT;
	char text[512];

	make_folder();
	snprintf(text, sizeof text, PFW_OF, 7u);
	const char *paths[] = {write_file("t.pfw", PFW), write_file("u.pfw", text)};
	const char *const places[] = {"x.lanes", paths[0]};
	for (unsigned i = 0; i < 2; i++) {
		struct ingest_options options = {.each = true, .out = places[i]};
		struct ingest_plans *plans = ingest_plan(paths, 2, &options, &err);
		ck_assert_msg(plans != NULL, "%s", err.message);
		ck_assert_ptr_nonnull(plans->refusal);
		ck_assert_ptr_nonnull(strstr(
		    plans->refusal, "a run file holds one run, and these are 2: give a folder"));
		ck_assert_ptr_nonnull(strstr(plans->refusal, "--one"));
		ingest_plans_free(plans);
	}
	remove_folder();
}
END_TEST

START_TEST(standard_input_is_read_once)
{
	struct err err = ERR_INIT;
	struct ingest_summary summary;
	const char *paths[] = {"-"};
	int ends[2];

	make_folder();
	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_int_eq(write(ends[1], PFW, sizeof PFW - 1), sizeof PFW - 1);
	close(ends[1]);
	dup2(ends[0], STDIN_FILENO);
	struct ingest_options options = {.out = folder};
	struct ingest_plans *plans = ingest_plan(paths, 1, &options, &err);
	ck_assert_msg(plans != NULL, "%s", err.message);
	ck_assert_str_eq(plans->plans[0].name, "stdin");
	struct ingest_plan copy = plans->plans[0]; /* as callers may */
	int result = ingest_run(&copy, &options, NULL, &summary, &err);
	ck_assert_msg(result == 0, "%s", err.message);
	ck_assert_uint_eq(summary.spans, 1);
	ingest_plans_free(plans);
	remove_folder();
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("ingest_find");
	TCase *tests = tcase_create("ingest_find");

	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, natural_order);
	tcase_add_test(tests, names_without_endings);
	tcase_add_test(tests, folders_are_searched);
	tcase_add_test(tests, folders_are_runs);
	tcase_add_test(tests, clashing_names_grow);
	tcase_add_test(tests, what_can_not_be_planned);
	tcase_add_test(tests, the_rest_is_planned);
	tcase_add_test(tests, a_file_holds_one_run);
	tcase_add_test(tests, standard_input_is_read_once);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
