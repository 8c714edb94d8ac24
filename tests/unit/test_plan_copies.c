/* The same data twice: copies, and files that hold the beginning of others, are read once. */
#include "config.h"

#include "dasf_records.h"
#include "plan_fixture.h"
#include "run_answers.h"

/* ---- copies ---- */

START_TEST(compressed_copies_of_one_length_count_once)
{
	make_folder();
	make_trace(&(struct trace){"s-0.pfw", .pid = 10, .rank = 0});
	run_command("cd '%s' && cp s-0.pfw t-0.pfw && gzip s-0.pfw t-0.pfw",
	            folder); /* names differ */
	struct ingest_plans *plans = plan_paths(&folder, 1, false);
	ck_assert_uint_eq(plans->n_plans, 1);
	ck_assert_uint_eq(plans->plans[0].n_paths, 1);
	ck_assert_int_eq(plans->plans[0].problems[0].kind, PROBLEM_DUPLICATE);
	ingest_plans_free(plans);
	remove_folder();
}
END_TEST

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
	expect_all("a-t: a/t.pfw; b-t: b/t.pfw !duplicate");
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

/* ---- beginnings ---- */

static void
make_calls(struct strbuf *out, unsigned n, bool has_ids)
{
	char id[32];

	strbuf_add_text(out, "[\n");
	for (unsigned i = 0; i < n; i++) {
		id[0] = 0;
		if (has_ids) {
			snprintf(id, sizeof id, "\"id\":%u,", i);
		}
		strbuf_printf(
		    out,
		    "{%s\"name\":\"read\",\"cat\":\"POSIX\",\"pid\":7,\"tid\":1,\"ts\":%lld,"
		    "\"dur\":5,\"ph\":\"X\",\"args\":{\"hhash\":\"a\"}}\n",
		    id, BEGIN_US + 10 * (long long)i);
	}
}

static void
make_rows(struct strbuf *out, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		strbuf_printf(out,
		              "{\"action\": \"taskPlanned\", \"task\": \"a:%u\", \"worker\": "
		              "\"w1\", \"host\": \"h\", \"at\": %u}\n",
		              i, 5 + i);
	}
}

static void
make_events(struct strbuf *out, unsigned n)
{
	strbuf_add_text(out, "[");
	for (unsigned i = 0; i < n; i++) {
		strbuf_printf(out,
		              "%s\n{\"ph\":\"X\",\"name\":\"n%u\",\"ts\":%u,\"dur\":1,\"pid\":1,"
		              "\"tid\":1}",
		              i ? "," : "", i, i * 10);
	}
}

static void
make_records(struct strbuf *out, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		add_call(out, "Compute", 100 + i, 0.5, "n1", "worker-n1-0", "('sum', 0)");
	}
}

static void
make_identified_calls(struct strbuf *out, unsigned n)
{
	make_calls(out, n, true);
}

/* v0: records without ids. */
static void
make_bare_calls(struct strbuf *out, unsigned n)
{
	make_calls(out, n, false);
}

static const struct {
	const char *format, *ending;
	void (*make)(struct strbuf *out, unsigned n);
} cut_formats[] = {{"dftracer", "pfw", make_identified_calls},
                   {"dftracer", "pfw", make_bare_calls},
                   {"cascade", "jsonl", make_rows},
                   {"chrome", "json", make_events},
                   {"dasf", "msgpack", make_records}};
#define CUT_FORMATS (sizeof cut_formats / sizeof *cut_formats)

static void
expect_beginning(const char *whole, const char *where)
{
	struct ingest_plans *plans = plan_paths(&folder, 1, false);

	ck_assert_msg(plans->n_plans == 1, "%s: %u runs", where, plans->n_plans);
	ck_assert_msg(plans->plans[0].n_paths == 1, "%s", where);
	ck_assert_str_eq(plans->plans[0].paths[0], whole);
	ck_assert_msg(plans->plans[0].n_problems == 1, "%s", where);
	ck_assert_int_eq(plans->plans[0].problems[0].kind, PROBLEM_DUPLICATE);
	ck_assert_ptr_nonnull(strstr(plans->plans[0].problems[0].reason, "holds the first "));
	ck_assert_ptr_nonnull(strstr(plans->plans[0].problems[0].reason, whole));
	ingest_plans_free(plans);
}

/* A file that was cut, or copied while it grew, beside the whole one, under any name and compressed
 * or not. */
START_TEST(beginnings_are_copies)
{
	const size_t format = (size_t)_i / 2;
	const unsigned n =
	    _i % 2 ? 4000 : 40; /* longer than what is looked at first, and shorter */
	struct strbuf bytes = {NULL, 0, 0};
	char name[64], where[100];

	cut_formats[format].make(&bytes, n);
	for (unsigned i = 0; i < 12; i++) {
		make_folder();
		snprintf(name, sizeof name, "%s.%s", i % 2 ? "whole" : "a",
		         cut_formats[format].ending);
		const char *whole = write_bytes(name, bytes.data, bytes.len);
		size_t length = bytes.len * (i + 2) / 14 + i;
		const char *cut = write_bytes("cut", bytes.data, length);
		snprintf(name, sizeof name, "m.%s%s", cut_formats[format].ending,
		         i % 3 ? ".gz" : "");
		run_command("%s '%s' %s >'%s' && rm '%s'", i % 3 ? "gzip -c" : "cat", cut,
		            i % 3 == 2 ? "| head -c -30" : "", in_folder(name), cut);
		if (i == 5) {
			run_command("gzip '%s'", whole);
			strcat((char *)whole, ".gz");
		}
		snprintf(where, sizeof where, "%s, %u records, cut %u", cut_formats[format].format,
		         n, i);
		expect_beginning(whole, where);
		remove_folder();
	}
	strbuf_free(&bytes);
}
END_TEST

/* The members that were complete when a file was copied. */
START_TEST(first_members_are_copies)
{
	make_folder();
	struct strbuf bytes = {NULL, 0, 0};
	make_rows(&bytes, 500);
	const char *plain = write_bytes("plain", bytes.data, bytes.len);
	const char *whole = in_folder("whole.jsonl.gz");
	run_command("cd '%s' && head -c 10000 '%s' | gzip >b.jsonl.gz && cp b.jsonl.gz "
	            "whole.jsonl.gz && tail -c +10001 '%s' | gzip >>whole.jsonl.gz && rm '%s'",
	            folder, plain, plain, plain);
	expect_beginning(whole, "members");
	strbuf_free(&bytes);
	remove_folder();
}
END_TEST

/* Beginnings in other folders are of runs there; equal heads alone make no beginning. */
START_TEST(what_is_no_beginning)
{
	struct strbuf bytes = {NULL, 0, 0};

	make_folder();
	make_subfolder("a");
	make_subfolder("b");
	make_rows(&bytes, 40);
	(void)write_bytes("a/t.jsonl", bytes.data, bytes.len);
	(void)write_bytes("b/t.jsonl", bytes.data, bytes.len / 2);
	bytes.data[bytes.len / 3] = '7';
	(void)write_bytes("a/u.jsonl", bytes.data, bytes.len / 2);
	struct ingest_plans *plans = plan_paths(&folder, 1, false);
	ck_assert_uint_eq(plans->n_plans, 3);
	for (unsigned i = 0; i < 3; i++) {
		ck_assert_uint_eq(plans->plans[i].n_problems, 0);
	}
	ingest_plans_free(plans);
	strbuf_free(&bytes);
	remove_folder();
}
END_TEST

/* A run that was appended to holds the beginning, but that has files of its own to go with. */
START_TEST(beginnings_in_company_stay)
{
	struct strbuf bytes = {NULL, 0, 0};

	make_folder();
	make_records(&bytes, 20);
	(void)write_bytes("a-TracePlugin-n1.msgpack", bytes.data, bytes.len);
	add_instant(&bytes, "a", 121, "n1");
	(void)write_bytes("all-TracePlugin-n1.msgpack", bytes.data, bytes.len);
	struct ingest_plans *plans = plan_paths(&folder, 1, false);
	ck_assert_uint_eq(plans->n_plans, 1);
	ck_assert_str_eq(plans->plans[0].name, "all-TracePlugin-n1");
	ck_assert_uint_eq(plans->plans[0].n_problems, 1);
	ingest_plans_free(plans);
	strbuf_clear(&bytes);
	add_instant(&bytes, "other", 1, "n1");
	(void)write_bytes("a-ResourceMonitor-n1.msgpack", bytes.data, bytes.len);
	plans = plan_paths(&folder, 1, false);
	ck_assert_uint_eq(plans->n_plans, 2);
	ck_assert_str_eq(plans->plans[0].name, "a");
	ck_assert_uint_eq(plans->plans[0].n_paths, 2);
	ingest_plans_free(plans);
	strbuf_free(&bytes);
	remove_folder();
}
END_TEST

static void
import_only(const struct ingest_plans *plans)
{
	struct err err = ERR_INIT;
	struct ingest_options options = {.out = folder};

	ck_assert_uint_eq(plans->n_plans, 1);
	ck_assert_msg(ingest_run(&plans->plans[0], &options, NULL, NULL, &err) == 0, "%s",
	              err.message);
}

/* Part of a trace that somebody has closed with a bracket: no beginning by its bytes, but by its
 * records. */
START_TEST(repeated_records_are_no_other_job)
{
	struct strbuf bytes = {NULL, 0, 0}, part = {NULL, 0, 0};

	make_folder();
	make_identified_calls(&bytes, 4000);
	make_identified_calls(&part, _i ? 3000 : 50);
	strbuf_add_text(&part, "]\n");
	(void)write_bytes("t-0.pfw", bytes.data, bytes.len);
	(void)write_bytes("again.pfw", part.data, part.len);
	struct ingest_plans *plans = plan_paths(&folder, 1, false);
	import_only(plans);
	expect_answer(plans->plans[0].out_path,
	              "SELECT count(*), (SELECT count(*) FROM problem WHERE kind = 'duplicate') "
	              "FROM span",
	              "4000|1\n");
	ingest_plans_free(plans);
	strbuf_free(&bytes);
	strbuf_free(&part);
	remove_folder();
}
END_TEST

/* The same where records have no ids: they can't be compared, so they are not added up. */
START_TEST(repeated_records_without_ids_stay_apart)
{
	struct strbuf bytes = {NULL, 0, 0}, part = {NULL, 0, 0};

	make_folder();
	make_bare_calls(&bytes, 4000);
	make_bare_calls(&part, _i ? 3000 : 50);
	strbuf_add_text(&part, "]\n");
	(void)write_bytes("t-0.pfw", bytes.data, bytes.len);
	(void)write_bytes("u-0.pfw", part.data, part.len);
	struct ingest_plans *plans = plan_paths(&folder, 1, false);
	ck_assert_uint_eq(plans->n_plans, 2);
	ck_assert_ptr_nonnull(strstr(plans->plans[1].grouping, "same records again"));
	ingest_plans_free(plans);
	strbuf_free(&bytes);
	strbuf_free(&part);
	remove_folder();
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("plan_copies");
	TCase *tests = tcase_create("plan_copies");

	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, copies_count_once);
	tcase_add_test(tests, compressed_copies_of_one_length_count_once);
	tcase_add_test(tests, what_is_nearly_equal);
	tcase_add_test(tests, names_that_tell_are_no_copies);
	tcase_add_test(tests, a_path_given_twice_is_read_once);
	tcase_add_loop_test(tests, beginnings_are_copies, 0, 2 * CUT_FORMATS);
	tcase_add_test(tests, first_members_are_copies);
	tcase_add_test(tests, what_is_no_beginning);
	tcase_add_test(tests, beginnings_in_company_stay);
	tcase_add_loop_test(tests, repeated_records_are_no_other_job, 0, 2);
	tcase_add_loop_test(tests, repeated_records_without_ids_stay_apart, 0, 2);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
