/* From rows to what is behind them: conditions whose texts stay texts, windows, and the headers of
 * all saved queries. */
#include "config.h"

#include <string.h>

#include "query/saved/query_file.h"
#include "tests/unit/unit.h"
#include "ui/table/drill.h"
#include "ui/table/edit.h"
#include "ui/lists/query_list.h"

static struct result *result;

static void
setup(void)
{
	const struct result_column columns[] = {
	    {.name = "task", .kind = KIND_TEXT},         {.name = "start", .kind = KIND_TIME},
	    {.name = "duration", .kind = KIND_DURATION}, {.name = "id", .kind = KIND_INTEGER},
	    {.name = "worker", .kind = KIND_TEXT},       {.name = "share", .kind = KIND_PERCENT}};
	struct value *row;

	result = result_new("rows", columns, 6);
	row = result_add_row(result);
	row[0] = value_text(result, slice_of("it's ' OR 1 = 1 --\x1b[2J"));
	row[1] = value_integer(1000);
	row[2] = value_integer(200);
	row[3] = value_integer(7);
	row[4] = value_text(result, slice_of("worker0"));
	row[5] = value_real(0.1);
	row = result_add_row(result);
	row[1] = value_integer(INT64_MAX - 5);
	row[2] = value_integer(INT64_MAX - 5);
}

static void
teardown(void)
{
	result_free(result);
}

static const char *
filter_of(const char *view, const char *bindings, size_t row)
{
	static const struct query_param param = {.name = "name", .default_text = "*x*"};
	static char pattern[] = "*check'point*", *const texts[] = {pattern};
	static char text[256];
	const struct query_drill header = {view, bindings};
	const struct drill drill = {
	    .header = &header, .params = &param, .texts = texts, .n_params = 1};
	struct focus focus;

	(void)drill_focus(&drill, result, row, &focus);
	snprintf(text, sizeof(text), "%s", focus.filter ? focus.filter : "none");
	drill_focus_free(&focus);
	return text;
}

START_TEST(texts_of_the_trace_are_quoted)
{
	ck_assert_str_eq(filter_of("span", "name=task", 0),
	                 "name = e'it\\'s \\' OR 1 = 1 --\\x1b[2J'");
	ck_assert_str_eq(filter_of("span", "name=task category='task'", 1),
	                 "name IS NULL AND category = 'task'");
	ck_assert_str_eq(filter_of("span", "name~:name size=id", 0),
	                 "name GLOB '*check''point*' AND size = 7");
	ck_assert_str_eq(filter_of("span", "self=share", 0), "self = 0.1");
	ck_assert_str_eq(filter_of("span", "", 0), "none");
	ck_assert_str_eq(filter_of("timeline", "start=start host=worker", 0), "host = 'worker0'");
}
END_TEST

START_TEST(places_are_windows_around_the_row)
{
	const struct query_drill header = {"timeline", "start=start lane_name=worker"};
	const struct drill drill = {.header = &header};
	struct focus focus;

	ck_assert(drill_focus(&drill, result, 0, &focus));
	ck_assert_int_eq(focus.start_ns, 900);
	ck_assert_int_eq(focus.end_ns, 1300);
	ck_assert_int_eq(focus.span, 7);
	ck_assert_int_eq(focus.lane, -1);
	ck_assert_str_eq(focus.lane_name, "worker0");
	ck_assert_ptr_null(focus.filter);
	ck_assert_int_eq(focus.mark_start_ns, 1000);
	ck_assert_int_eq(focus.mark_end_ns, 1200);
	drill_focus_free(&focus);
	/* Times that can't be added up give no window, rather than a wrong one. */
	ck_assert(drill_focus(&drill, result, 1, &focus));
	ck_assert_int_le(focus.end_ns, focus.start_ns);
	drill_focus_free(&focus);
}
END_TEST

/* Where Enter leads to another question, the header may still say which spans a row stands for. */
START_TEST(rows_stand_for_spans_behind_other_questions)
{
	const struct query_drill header = {"task-times", "kind=task"};
	const struct query_drill of_spans = {"span", "name=worker"};
	const struct drill drill = {.header = &header, .spans = "lane_name=worker category='task'"};
	const struct drill silent = {.header = &header}, other = {.header = &of_spans};
	struct focus focus;

	ck_assert(drill_focus(&drill, result, 0, &focus));
	ck_assert_str_eq(focus.filter, "lane_name = 'worker0' AND category = 'task'");
	ck_assert_str_eq(focus.lane_name, "worker0");
	drill_focus_free(&focus);
	(void)drill_focus(&silent, result, 0, &focus);
	ck_assert_ptr_null(focus.filter);
	drill_focus_free(&focus);
	/* Rows that stand for several spans are none: their id is of something else. */
	ck_assert(drill_focus(&other, result, 0, &focus));
	ck_assert_int_eq(focus.span, -1);
	drill_focus_free(&focus);
}
END_TEST

START_TEST(without_a_header_names_of_columns_tell)
{
	const struct result_column columns[] = {{.name = "lane_name", .kind = KIND_TEXT},
	                                        {.name = "n", .kind = KIND_COUNT},
	                                        {.name = "lane", .kind = KIND_INTEGER}};
	struct result *other = result_new("other", columns, 3);
	const struct drill drill = {.header = NULL};
	struct value *row = result_add_row(other);
	struct focus focus;

	row[0] = value_text(other, slice_of("main"));
	row[1] = value_integer(3);
	row[2] = value_integer(12);
	ck_assert(drill_focus(&drill, other, 0, &focus));
	ck_assert_str_eq(focus.filter, "lane_name = 'main'");
	ck_assert_int_eq(focus.lane, 12);
	drill_focus_free(&focus);
	ck_assert(!drill_focus(&drill, result_add_row(other) ? other : NULL, 1, &focus));
	drill_focus_free(&focus);
	result_free(other);
}
END_TEST

START_TEST(broken_bindings_are_passed_over)
{
	static const char *const broken[] = {"=",      "name=",  "name",          "=task",
	                                     "name='", "~~",     "name= task",    "name=nonsense",
	                                     ":",      "name=:", "name=:nonsense"};

	for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
		const char *filter = filter_of("span", broken[i], 0);

		ck_assert_msg(strcmp(filter, "none") == 0 || strcmp(filter, "name = ''") == 0,
		              "'%s' became %s", broken[i], filter);
	}
}
END_TEST

START_TEST(all_saved_queries_lead_somewhere_that_exists)
{
	struct query_library *library = query_library_open(NULL);
	size_t n = query_library_count(library), leading = 0;

	ck_assert_uint_gt(n, 50);
	for (size_t i = 0; i < n; i++) {
		const struct saved_query *query = query_library_get(library, i), *target = NULL;
		struct err err = ERR_INIT;

		if (query->spans) {
			const struct query_drill spans = {"span", query->spans};

			ck_assert_msg(drill_check(&spans, query->params, query->n_params,
			                          query->columns, query->n_columns, NULL,
			                          &err) == 0,
			              "%s: spans: %s", query->name, err.message);
		}
		if (!query->drill.view) {
			continue;
		}
		leading++;
		if (drill_leads_to_query(&query->drill)) {
			target = query_library_find(library, query->drill.view, &err);
			ck_assert_msg(target != NULL, "%s: %s", query->name, err.message);
		}
		ck_assert_msg(drill_check(&query->drill, query->params, query->n_params,
		                          query->columns, query->n_columns, target, &err) == 0,
		              "%s: %s", query->name, err.message);
	}
	ck_assert_uint_gt(leading, n * 3 / 4);
	query_library_close(library);
}
END_TEST

/* What the editor gets is what the file said. */
START_TEST(saved_queries_survive_being_edited)
{
	struct query_library *library = query_library_open(NULL);

	for (size_t i = 0; i < query_library_count(library); i++) {
		const struct saved_query *query = query_library_get(library, i), *again;
		struct table_source *source = table_source_query("/none", query, NULL);
		struct arena *arena = arena_new();
		struct strbuf text = {0};
		struct err err = ERR_INIT;

		edit_text(source, &text);
		again = query_file_parse(arena, query->name, "edited", strbuf_slice(&text), &err);
		ck_assert_msg(again != NULL, "%s: %s", query->name, err.message);
		ck_assert_str_eq(again->title, query->title);
		ck_assert_str_eq(again->formats, query->formats);
		ck_assert_str_eq(again->needs ? again->needs : "",
		                 query->needs ? query->needs : "");
		ck_assert_uint_eq(again->n_params, query->n_params);
		ck_assert_uint_eq(again->n_columns, query->n_columns);
		for (size_t k = 0; k < query->n_params; k++) {
			const char *value = query->params[k].default_text;

			ck_assert_str_eq(again->params[k].name, query->params[k].name);
			ck_assert_str_eq(
			    again->params[k].default_text ? again->params[k].default_text : "none",
			    value ? value : "none");
			value = query->params[k].allowed;
			ck_assert_str_eq(again->params[k].allowed ? again->params[k].allowed
			                                          : "all",
			                 value ? value : "all");
		}
		for (size_t k = 0; k < query->n_columns; k++) {
			ck_assert_int_eq(again->columns[k].kind, query->columns[k].kind);
			ck_assert_int_eq(again->columns[k].is_measure,
			                 query->columns[k].is_measure);
			ck_assert_int_eq(again->columns[k].better, query->columns[k].better);
			ck_assert_int_eq(again->columns[k].is_key, query->columns[k].is_key);
		}
		strbuf_free(&text);
		arena_free(arena);
		table_source_release(source);
	}
	query_library_close(library);
}
END_TEST

START_TEST(quotes_in_defaults_survive_being_edited)
{
	static const char written[] =
	    "-- title: Names\n"
	    "-- about: Spans of a name.\n"
	    "-- format: any\n"
	    "-- param name text 'it''s ''a''' Name\n"
	    "-- param show text 'n' {n, total} What\n"
	    "-- column n count How many\n"
	    "SELECT count(*) AS n FROM span WHERE name = :name OR :show = 'n'\n";
	struct arena *arena = arena_new();
	struct err err = ERR_INIT;
	struct strbuf text = {0};
	const struct saved_query *query =
	    query_file_parse(arena, "names", "names", slice_of(written), &err);
	struct table_source *source;

	ck_assert_msg(query != NULL, "%s", err.message);
	ck_assert_str_eq(query->params[0].default_text, "it's 'a'");
	source = table_source_query("/none", query, NULL);
	edit_text(source, &text);
	query = query_file_parse(arena, "names", "edited", strbuf_slice(&text), &err);
	ck_assert_msg(query != NULL, "%s", err.message);
	ck_assert_str_eq(query->params[0].default_text, "it's 'a'");
	ck_assert_str_eq(query->params[0].about, "Name");
	ck_assert_str_eq(query->params[1].about, "What");
	ck_assert_str_eq(query->columns[0].about, "How many");
	ck_assert_str_eq(query->about, "Spans of a name.");
	strbuf_free(&text);
	table_source_release(source);
	arena_free(arena);
}
END_TEST

START_TEST(queries_made_for_the_format_come_first)
{
	struct query_library *library = query_library_open(NULL);
	static const struct {
		struct run_info run;
		const char *first, *last; /* last: of another dialect, if there is one */
	} cases[] = {
	    {{.format = "cascade", .n_tasks = 1, .n_transfers = 1, .n_spans = 1, .n_counters = 1},
	     "task-by-kind",
	     NULL},
	    {{.format = "chrome", .dialect = "pytorch", .n_spans = 1, .n_counters = 1},
	     "gpu-busy",
	     "clang-templates"},
	    {{.format = "chrome", .dialect = "x, clang", .n_spans = 1, .n_counters = 1},
	     "clang-headers",
	     "launch-delay"}};

	for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
		const struct run_info *run = &cases[c].run;
		size_t n;
		const struct saved_query **fitting = query_list_fitting(library, &run, 1, &n);

		ck_assert_uint_gt(n, 20);
		ck_assert_str_eq(fitting[0]->name, cases[c].first);
		for (size_t i = 0; i < n; i++) {
			ck_assert(query_applies(fitting[i], run));
			ck_assert(i == 0 ||
			          query_rank(fitting[i - 1], run) <= query_rank(fitting[i], run));
		}
		ck_assert_int_eq(query_rank(fitting[n - 1], run) == QUERY_RANK_OTHER,
		                 cases[c].last != NULL);
		ck_assert(!cases[c].last || strcmp(fitting[n - 1]->name, cases[c].last) == 0);
		free(fitting);
	}
	query_library_close(library);
}
END_TEST

static const char *
refusal(const char *view, const char *bindings, const struct saved_query *target)
{
	static const struct query_param param = {.name = "p"};
	static const struct result_column columns[] = {{.name = "c"}};
	static struct err err;
	const struct query_drill header = {view, bindings};

	err = (struct err)ERR_INIT;
	return drill_check(&header, &param, 1, columns, 1, target, &err) ? err.message : "";
}

START_TEST(what_leads_nowhere_is_named)
{
	static struct query_param wanted = {.name = "x"};
	const struct saved_query target = {.name = "other", .params = &wanted, .n_params = 1};

	ck_assert_str_eq(refusal("other", "x=c", &target), "");
	ck_assert_str_eq(refusal("other", "x=:p", &target), "");
	ck_assert_str_eq(refusal("other", "x='text of any kind' x=c", &target), "");
	ck_assert_str_eq(refusal("other", "x=c", NULL), "drill: no query other");
	ck_assert_str_eq(refusal("other", "y=c", &target), "drill: other has no y");
	ck_assert_str_eq(refusal("other", "x=d", &target), "drill: no column or parameter d");
	ck_assert_str_eq(refusal("other", "x=:c", &target), "drill: no column or parameter :c");
	ck_assert_str_eq(refusal("other", "x=c c", &target), "drill: not NAME=VALUE: c");
	ck_assert_str_eq(refusal("other", "=c", &target), "drill: not NAME=VALUE: =c");
	ck_assert_str_eq(refusal("span", "name=c size=c arg.k~c lane_name=c", NULL), "");
	ck_assert_str_eq(refusal("span", "arg.=c", NULL), "drill: span has no arg.");
	ck_assert_str_eq(refusal("span", "start=c", NULL), "drill: span has no start");
	ck_assert_str_eq(refusal("timeline", "start=c span=c finish=c", NULL), "");
	ck_assert_str_eq(refusal("timeline", "x=c", NULL), "drill: timeline has no x");
	ck_assert_str_eq(refusal("row", "", NULL), "");
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("drill");
	TCase *tests = tcase_create("drill");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, texts_of_the_trace_are_quoted);
	tcase_add_test(tests, places_are_windows_around_the_row);
	tcase_add_test(tests, rows_stand_for_spans_behind_other_questions);
	tcase_add_test(tests, without_a_header_names_of_columns_tell);
	tcase_add_test(tests, broken_bindings_are_passed_over);
	tcase_add_test(tests, all_saved_queries_lead_somewhere_that_exists);
	tcase_add_test(tests, saved_queries_survive_being_edited);
	tcase_add_test(tests, quotes_in_defaults_survive_being_edited);
	tcase_add_test(tests, queries_made_for_the_format_come_first);
	tcase_add_test(tests, what_leads_nowhere_is_named);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
