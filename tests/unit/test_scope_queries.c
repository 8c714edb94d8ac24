/*
 * Every saved query on every run that there is an example of, in scopes: a range over the whole run
 * changes nothing, one that leaves nothing is no mistake. Parts of runs add up to them, and table
 * run, its tasks and its capacity say what is in scope.
 */
#include "config.h"

#include "imported_run.h"
#include "query/saved/query.h"
#include "query/saved/query_file.h"

/* What is imported: folders and files of tests/data, then of the samples, if they are there. */
static const char *const examples[] = {"cascade/multi.jsonl",
                                       "cascade/single.jsonl",
                                       "cascade/reports.jsonl",
                                       "chrome/gpu.json",
                                       "chrome/nested.json",
                                       "chrome/build.json",
                                       "chrome/clang.json",
                                       "chrome/phases.json",
                                       "dasf/trace.msgpack",
                                       "dasf/resources.msgpack",
                                       "dataload/exp1",
                                       "dftracer/new.pfw",
                                       "dftracer/aggregated.pfw",
                                       "dftracer/density.pfw",
                                       "preemption/events.csv",
                                       "preemption/counts.csv",
                                       "preemption/small-8-node-trace.csv",
                                       "/cascade/f1.jsonl",
                                       "/cascade/m2_2.jsonl",
                                       "/chrome/pytorch-cupti.json.gz",
                                       "/chrome/pytorch-amd-rocm.json.gz",
                                       "/chrome/bazel-tiny.json.gz",
                                       "/chrome/catapult-flow_simple.json",
                                       "/chrome/small-simple-with-samples.json",
                                       "/dasf/gpu4-TracePlugin-c096.msgpack",
                                       "/dftracer/unet3d_old",
                                       "/dftracer/dlio_v108",
                                       "/preemption/run-86",
                                       "/preemption/bamboo/p3-trace.csv"};
#define EXAMPLES ((int)(sizeof examples / sizeof *examples))

/* The first run of the example, NULL: it is not there. */
static struct store *
open_example(const char *example)
{
	struct err err = ERR_INIT;
	char path[1000];
	const char *only = path, *shared = example[0] == '/' ? unit_shared() : NULL;
	struct ingest_options options = {.out = in_folder("runs/"), .n_threads = 1};
	struct ingest_summary summary;

	if (example[0] == '/' && !shared) {
		return NULL;
	}
	snprintf(path, sizeof path, "%s%s%s", shared ? shared : getenv("LANESCOPE_SRCDIR"),
	         shared ? "" : "/tests/data/", example);
	mkdir(in_folder("runs"), 0777);
	struct ingest_plans *plans = ingest_plan(&only, 1, &options, &err);
	ck_assert_msg(plans && plans->n_plans > 0, "%s: %s", path, err.message);
	ck_assert_msg(ingest_run(&plans->plans[0], &options, NULL, &summary, &err) == 0, "%s",
	              err.message);
	ingest_plans_free(plans);
	return open_run(summary.out_path);
}

static void
set_scope(struct store *store, const char *words)
{
	struct scope scope;
	struct err err = ERR_INIT;

	ck_assert_msg(scope_read(slice_of(words), &scope, &err) == 0, "%s", err.message);
	ck_assert_msg(store_set_scope(store, &scope, &err) == 0, "%s", err.message);
	scope_free(&scope);
}

static void
add_value(struct strbuf *out, const struct value *value)
{
	switch (value->type) {
	case VALUE_INTEGER:
		strbuf_printf(out, "%lld|", (long long)value->integer);
		break;
	case VALUE_REAL:
		strbuf_printf(out, "%a|", value->real);
		break;
	case VALUE_NULL:
		strbuf_add_text(out, "NULL|");
		break;
	default:
		strbuf_add_slice(out, value->text);
		strbuf_add_char(out, '|');
	}
}

/* A query's answer as text; parameters that must be given are. */
static char *
answer_text(struct store *store, const struct saved_query *query)
{
	struct query_argument arguments[8];
	struct err err = ERR_INIT;
	struct strbuf out = {0};
	size_t n = 0;

	for (size_t i = 0; i < query->n_params; i++) {
		bool is_text = query->params[i].kind == KIND_TEXT;
		if (!query->params[i].default_text) {
			arguments[n++] = (struct query_argument){query->params[i].name,
			                                         is_text ? "id > 0" : "1"};
		}
	}
	struct result *result = query_run(store, query, arguments, n, NULL, &err);
	if (!result) {
		strbuf_add_text(&out, err.message);
		return strbuf_take(&out);
	}
	strbuf_printf(&out, "%zu rows\n", result->n_rows);
	for (size_t i = 0; i < result->n_rows * result->n_columns; i++) {
		add_value(&out, &result->values[i]);
		strbuf_add_text(&out, (i + 1) % result->n_columns == 0 ? "\n" : "");
	}
	result_free(result);
	return strbuf_take(&out);
}

static bool
is_answer(const char *text)
{
	return strstr(text, " rows\n") != NULL;
}

START_TEST(every_query)
{
	static const char *const nothing[] = {"name = 'no such name'", "lanes 'no such lane'",
	                                      "range 10000h ..", "range 1s .. 2s; range 3s .. 4s"};
	struct query_library *library = query_library_open(NULL);
	struct store *store = open_example(examples[_i]);

	for (size_t i = 0; store && i < query_library_count(library); i++) {
		const struct saved_query *query = query_library_get(library, i);
		if (!query_applies(query, store_run(store))) {
			continue;
		}
		set_scope(store, "");
		char *whole = answer_text(store, query);
		set_scope(store, "range 0 ..");
		char *ranged = answer_text(store, query);
		ck_assert_msg(query_unscoped(query) || strcmp(whole, ranged) == 0,
		              "%s of %s:\n%s\nin a range over the run:\n%s", query->name,
		              examples[_i], whole, ranged);
		for (size_t s = 0; s < sizeof nothing / sizeof *nothing && is_answer(whole); s++) {
			set_scope(store, nothing[s]);
			char *none = answer_text(store, query);
			ck_assert_msg(is_answer(none), "%s of %s in scope %s: %s", query->name,
			              examples[_i], nothing[s], none);
			free(none);
		}
		free(whole);
		free(ranged);
	}
	query_library_close(library);
	store_close(store);
}
END_TEST

static int64_t
number(struct store *store, const char *sql)
{
	char *text = query(store, sql);
	int64_t value = strtoll(text, NULL, 10);
	free(text);
	return value;
}

static const char *const sums[] = {
    "SELECT sum(dur_sum) FROM span_total",
    "SELECT sum(self_sum) FROM span_total",
    "SELECT sum(inside) FROM span",
    "SELECT sum(dur_sum) FROM span_totals JOIN lanes ON lanes.id = span_totals.lane",
    "SELECT dur_sum FROM span_sums('')",
    "SELECT sum(busy) FROM span_busy('lane')",
    "SELECT sum(idle) FROM span_idle(NULL, NULL)",
    "SELECT sum(duration) FROM span_gaps(NULL, NULL, 1000000)",
    "SELECT sum(a) FROM span_overlap(NULL, 'id > 0', 'id < 0')",
};
#define SUMS (sizeof sums / sizeof *sums)

/* Of times in ranges, of counts on lanes. */
START_TEST(parts_add_up)
{
	struct store *store = open_example(examples[_i]);
	/* What is spread evenly over the record's interval is rounded. */
	bool is_exact = store && number(store, "SELECT sum(summed) FROM span_total") == 0;
	int64_t whole[SUMS], found[SUMS] = {0}, spans = 0, events = 0;

	for (size_t i = 0; is_exact && i < SUMS; i++) {
		whole[i] = number(store, sums[i]);
	}
	int64_t length = store ? store_run(store)->duration_ns : 0;
	for (int64_t at = 0, part = 0; is_exact && at <= length; part++) {
		int64_t next = part == 7 ? length + 1 : at + 1 + length * (part + 1) / 40;
		char words[100];
		next = next > length ? length + 1 : next;
		snprintf(words, sizeof words, "range %lldns .. %lldns", (long long)at,
		         (long long)next);
		set_scope(store, words);
		for (size_t i = 0; i < SUMS; i++) {
			found[i] += number(store, sums[i]);
		}
		at = next;
	}
	if (store) {
		set_scope(store, "");
	}
	int64_t n_lanes = store ? number(store, "SELECT count(*) FROM lane") : 0;
	for (size_t i = 0; is_exact && i < SUMS; i++) {
		ck_assert_msg(whole[i] == found[i], "%s of %s: %lld, its parts %lld", sums[i],
		              examples[_i], (long long)whole[i], (long long)found[i]);
	}
	for (int64_t lane = 0; store && lane < n_lanes; lane++) {
		char words[100];
		snprintf(words, sizeof words, "lane = %lld", (long long)lane);
		set_scope(store, words);
		ck_assert_int_eq(number(store, "SELECT count(*) FROM lanes"), 1);
		ck_assert_int_eq(number(store, "SELECT spans FROM run"),
		                 number(store, "SELECT coalesce(sum(rows), 0) FROM span_total"));
		spans += number(store, "SELECT spans FROM run");
		events += number(store, "SELECT events FROM run");
	}
	if (store) {
		ck_assert_int_eq(spans, store_run(store)->n_spans);
		ck_assert_int_eq(events, store_run(store)->n_events);
	}
	store_close(store);
}
END_TEST

static const char trace[] =
    "{\"traceEvents\":["
    "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":100,\"name\":\"outer\"},"
    "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":10,\"dur\":30,\"name\":\"inner\"},"
    "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":60,\"dur\":30,\"name\":\"inner\"},"
    "{\"ph\":\"X\",\"pid\":1,\"tid\":2,\"ts\":20,\"dur\":10,\"name\":\"other\"},"
    "{\"ph\":\"s\",\"pid\":1,\"tid\":1,\"ts\":12,\"id\":1,\"name\":\"f\",\"cat\":\"c\"},"
    "{\"ph\":\"f\",\"bp\":\"e\",\"pid\":1,\"tid\":2,\"ts\":22,\"id\":1,\"name\":\"f\","
    "\"cat\":\"c\"}]}";

START_TEST(tables_and_views)
{
	struct store *store = import_text("chrome", "scoped", trace);
	struct err err = ERR_INIT;
	struct scope broken = {
	    &(struct scope_word){.kind = SCOPE_FILTER, .text = (char *)"nam = x"}, 1};

	expect(store, "SELECT count(*) FROM dependencies", "1\n");
	set_scope(store, "range 20us .. 70us");
	expect(store, "SELECT name, duration, inside FROM span ORDER BY id",
	       "outer|100000|50000\ninner|30000|20000\ninner|30000|10000\nother|10000|10000\n");
	expect(store, "SELECT name, n, dur_sum, dur_max, self_sum FROM span_totals ORDER BY name",
	       "inner|2|30000|30000|30000\nother|1|10000|10000|10000\n"
	       "outer|1|50000|100000|20000\n");
	expect(store, "SELECT sum(n), sum(self_sum) FROM work_total", "4|60000\n");
	expect(store, "SELECT duration_ns, spans, lanes, name FROM run", "50000|4|2|scoped\n");
	expect(store, "SELECT duration_ns, spans, lanes FROM run_whole", "100000|4|2\n");
	expect(store, "SELECT start, finish, duration FROM makespan", "20000|70000|50000\n");
	expect(store, "SELECT count(*) FROM dependencies", "1\n");
	set_scope(store, "range 35us .. 70us");
	expect(store, "SELECT count(*) FROM dependencies", "0\n");
	set_scope(store, "range 35us .. 70us; lanes *2");
	expect(store, "SELECT count(*) FROM span", "0\n");
	expect(store, "SELECT count(*) FROM lanes", "1\n");
	ck_assert_int_eq(store_set_scope(store, &broken, &err), -1);
	expect(store, "SELECT count(*) FROM lanes", "1\n");
	ck_assert_int_eq(store_scope(store)->n, 2);
	ck_assert_ptr_null(store_prepare(store, "DROP VIEW lanes", &err));
	ck_assert_ptr_null(store_prepare(store, "CREATE TEMP VIEW x AS SELECT 1", &err));
	ck_assert_int_eq(store_set_scope(store, NULL, &err), 0);
	expect(store, "SELECT count(*) FROM lanes", "2\n");
	expect(store, "SELECT duration_ns, spans FROM run", "100000|4\n");
	store_close(store);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("scope_queries");
	TCase *tests = tcase_create("scope_queries");

	tcase_set_timeout(tests, 120);
	tcase_add_checked_fixture(tests, make_folder, remove_folder);
	tcase_add_loop_test(tests, every_query, 0, EXAMPLES);
	tcase_add_loop_test(tests, parts_add_up, 0, EXAMPLES);
	tcase_add_test(tests, tables_and_views);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
