/* From rows to what is behind them: conditions whose texts stay texts, windows, and the headers of
 * all saved queries. */
#include "config.h"

#include <string.h>

#include "query/saved/query_file.h"
#include "tests/unit/unit.h"
#include "ui/table/drill.h"
#include "ui/table/edit.h"
#include "query/saved/query_list.h"

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

/* What the condition makes of the row: a filter, or why it stands for no spans. */
static const char *
filter_of(const char *condition, size_t row)
{
	static const struct query_param params[] = {
	    {.name = "name", .default_text = "*x*"},
	    {.name = "path", .default_text = "*"},
	    {.name = "filter", .default_text = ""},
	    {.name = "least", .kind = KIND_DURATION, .default_text = "5us"}};
	static char pattern[] = "*check'point*", *const texts[] = {pattern, NULL, NULL, NULL};
	static char text[256];
	const struct query_drill header = {"span", condition};
	const struct drill drill = {
	    .header = &header, .params = params, .texts = texts, .n_params = 4};
	struct row_place place;

	row_place_read(&drill, result, row, &place);
	ck_assert((place.filter == NULL) == (place.why_not != NULL));
	snprintf(text, sizeof(text), "%s", place.filter ? place.filter : place.why_not);
	row_place_free(&place);
	return text;
}

START_TEST(texts_of_the_trace_are_quoted)
{
	ck_assert_str_eq(filter_of("name=task", 0), "name = e'it\\'s \\' OR 1 = 1 --\\x1b[2J'");
	ck_assert_str_eq(filter_of("name=task category='task'", 1),
	                 "name IS NULL AND category = 'task'");
	ck_assert_str_eq(filter_of("name<>task", 1), "name IS NOT NULL");
	ck_assert_str_eq(filter_of("name~:name size=id", 0),
	                 "name GLOB '*check''point*' AND size = 7");
	ck_assert_str_eq(filter_of("self=share", 0), "self = 0.1");
	ck_assert_str_eq(filter_of("duration >= :least start<duration", 0),
	                 "duration >= 5000 AND start < 200");
}
END_TEST

START_TEST(conditions_are_those_of_the_filter_language)
{
	ck_assert_str_eq(filter_of("kind NOT IN ('a', \"b\") AND (size > 4KiB OR name IS NULL)", 0),
	                 "kind NOT IN ('a', \"b\") AND (size > 4KiB OR name IS NULL)");
	ck_assert_str_eq(filter_of("NOT name LIKE 'x%' arg.\"a key\"=id", 0),
	                 "NOT name LIKE 'x%' AND arg.\"a key\" = 7");
	ck_assert_str_eq(filter_of(":name OR kind='x'", 0), "(*check'point*) OR kind = 'x'");
}
END_TEST

START_TEST(what_is_not_there_is_left_out_where_the_header_says_so)
{
	ck_assert_str_eq(filter_of("kind='x' [path~:path] [:filter] [name=task]", 1), "kind = 'x'");
	ck_assert_str_eq(filter_of("[name~:name] kind='x'", 1),
	                 "name GLOB '*check''point*' AND kind = 'x'");
	ck_assert_str_eq(filter_of("size<id", 1),
	                 "which spans the row stands for is not said: it has no id");
	ck_assert_str_eq(filter_of(":filter", 0),
	                 "which spans the row stands for is not said: blank: :filter");
}
END_TEST

START_TEST(rows_of_other_kinds_stand_for_other_spans)
{
	static const char alternatives[] =
	    "when worker='a;b': name=task; when worker start: lane_name=worker; none it's empty";

	ck_assert_str_eq(filter_of(alternatives, 0), "lane_name = 'worker0'");
	ck_assert_str_eq(filter_of(alternatives, 1), "the row stands for no spans: it's empty");
	ck_assert_str_eq(filter_of("when worker: id=id", 1), "the row stands for no spans");
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
	char *why;

	ck_assert(drill_focus(&drill, result, 0, &focus));
	ck_assert_str_eq(focus.filter, "lane_name = 'worker0' AND category = 'task'");
	ck_assert_str_eq(focus.lane_name, "worker0");
	drill_focus_free(&focus);
	ck_assert_ptr_null(drill_why_not(&drill, result, 0));
	(void)drill_focus(&silent, result, 0, &focus);
	ck_assert_ptr_null(focus.filter);
	drill_focus_free(&focus);
	why = drill_why_not(&silent, result, 0);
	ck_assert_str_eq(why, "the row stands for no spans");
	free(why);
	/* Rows that stand for several spans are none: their id is of something else. */
	ck_assert(drill_focus(&other, result, 0, &focus));
	ck_assert_int_eq(focus.span, -1);
	drill_focus_free(&focus);
}
END_TEST

/* Names of columns say where a row lies, but not which spans it counted. */
START_TEST(without_a_header_names_of_columns_tell_the_place)
{
	const struct result_column columns[] = {{.name = "name", .kind = KIND_TEXT},
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
	ck_assert_ptr_null(focus.filter);
	ck_assert_int_eq(focus.lane, 12);
	drill_focus_free(&focus);
	ck_assert(!drill_focus(&drill, result_add_row(other) ? other : NULL, 1, &focus));
	drill_focus_free(&focus);
	result_free(other);
}
END_TEST

START_TEST(broken_conditions_take_no_spans)
{
	static const char *const broken[] = {"=",          "name=",        "name",
	                                     "=task",      "name='",       "~~",
	                                     "name ~",     "name= no",     "name=task size",
	                                     ":",          "name=:",       "name=:nonsense",
	                                     "[",          "[name",        "]",
	                                     "name IN x",  "name IS task", "spam=task",
	                                     "when",       "when no:",     "when task",
	                                     "name IN (1", "name=task ["};

	for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
		const char *text = filter_of(broken[i], 0);

		ck_assert_msg(strncmp(text, "which spans the row stands for is not said", 42) == 0,
		              "'%s' became %s", broken[i], text);
	}
}
END_TEST

START_TEST(values_become_the_next_query_s_parameters)
{
	static const struct query_param params[] = {{.name = "lane", .default_text = "*"},
	                                            {.name = "worker", .default_text = "*"},
	                                            {.name = "rows", .kind = KIND_COUNT},
	                                            {.name = "least", .kind = KIND_DURATION}};
	const struct query_drill header = {
	    "next", "lane=task [worker=worker] rows=id least=duration nothing=id"};
	const struct drill drill = {.header = &header};
	char **texts = drill_texts(&drill, params, 4, result, 0);

	ck_assert_str_eq(texts[0],
	                 "it's ' OR 1 = 1 --\x1b[[]2J"); /* a pattern of this text alone */
	ck_assert_str_eq(texts[1], "worker0");
	ck_assert_str_eq(texts[2], "7");
	ck_assert_str_eq(texts[3], "200ns");
	texts_free(texts, 4);
	texts = drill_texts(&drill, params, 4, result, 1);
	ck_assert_str_eq(texts[0], "");
	ck_assert_ptr_null(texts[1]);
	texts_free(texts, 4);
}
END_TEST

START_TEST(all_saved_queries_lead_somewhere_that_exists)
{
	struct query_library *library = query_library_open(NULL);
	size_t n = query_library_count(library), covering = 0;

	ck_assert_uint_gt(n, 50);
	for (size_t i = 0; i < n; i++) {
		const struct saved_query *query = query_library_get(library, i), *target = NULL;
		struct err err = ERR_INIT;

		covering += query->covers != NULL;
		if (drill_target(&query->drill) == DRILL_QUERY) {
			target = query_library_find(library, query->drill.view, &err);
			ck_assert_msg(target != NULL, "%s: %s", query->name, err.message);
		}
		ck_assert_msg(drill_check(query, target, &err) == 0, "%s: %s", query->name,
		              err.message);
	}
	ck_assert_uint_gt(covering, n / 2);
	query_library_close(library);
}
END_TEST

static const char *
refused(const char *header, const char *target)
{
	static struct err err;
	struct query_library *library = query_library_open(NULL);
	struct arena *arena = arena_new();
	struct strbuf text = {0};
	const struct saved_query *query;

	strbuf_printf(&text, "-- title: x\n-- column a text\n-- column n count\n%sSELECT 1",
	              header);
	err = (struct err)ERR_INIT;
	query = query_file_parse(arena, "x", "x", strbuf_slice(&text), &err);
	ck_assert_msg(query != NULL, "%s", err.message);
	ck_assert_int_eq(
	    drill_check(query, target ? query_library_find(library, target, &err) : NULL, &err),
	    -1);
	strbuf_free(&text);
	arena_free(arena);
	query_library_close(library);
	return err.message;
}

START_TEST(what_a_header_names_must_be_there)
{
	ck_assert_str_eq(refused("-- drill: span name=b\n", NULL), "spans: there is no column b");
	ck_assert_str_eq(refused("-- drill: span spam=a\n", NULL), "spans: spans have no spam");
	ck_assert_str_eq(refused("-- drill: span name=:a\n", NULL),
	                 "spans: there is no parameter :a");
	ck_assert_str_eq(refused("-- spans: when a='x': name=a; name=b\n", NULL),
	                 "spans: there is no column b");
	ck_assert_str_eq(refused("-- drill: span\n", NULL), "drill: which spans?");
	ck_assert_str_eq(refused("-- drill: nowhere a=a\n", NULL), "drill: no query nowhere");
	ck_assert_str_eq(refused("-- drill: timeline name=a\n", NULL),
	                 "drill: timeline has no name");
	ck_assert_str_eq(refused("-- drill: task-times kind=a spam=a\n", "task-times"),
	                 "drill: task-times has no spam");
	ck_assert_str_eq(refused("-- drill: task-times kind a\n", "task-times"),
	                 "drill: not NAME=VALUE: kind a");
	ck_assert_str_eq(refused("-- drill: span name=a\n-- covers: total=n\n", NULL),
	                 "covers: no figure of what the row leads to: total");
	ck_assert_str_eq(refused("-- drill: span name=a\n-- covers: count=n+b\n", NULL),
	                 "covers: there is no column b");
	ck_assert_str_eq(refused("-- drill: span name=a\n-- covers: whole=n rows=1+b\n", NULL),
	                 "covers: there is no column b");
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
		ck_assert_str_eq(again->spans ? again->spans : "",
		                 query->spans ? query->spans : "");
		ck_assert_str_eq(again->covers ? again->covers : "",
		                 query->covers ? query->covers : "");
		ck_assert_str_eq(again->drill.view ? again->drill.bindings : "",
		                 query->drill.view ? query->drill.bindings : "");
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

int
main(void)
{
	Suite *suite = suite_create("drill");
	TCase *tests = tcase_create("drill");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, texts_of_the_trace_are_quoted);
	tcase_add_test(tests, places_are_windows_around_the_row);
	tcase_add_test(tests, rows_stand_for_spans_behind_other_questions);
	tcase_add_test(tests, conditions_are_those_of_the_filter_language);
	tcase_add_test(tests, what_is_not_there_is_left_out_where_the_header_says_so);
	tcase_add_test(tests, rows_of_other_kinds_stand_for_other_spans);
	tcase_add_test(tests, without_a_header_names_of_columns_tell_the_place);
	tcase_add_test(tests, broken_conditions_take_no_spans);
	tcase_add_test(tests, values_become_the_next_query_s_parameters);
	tcase_add_test(tests, all_saved_queries_lead_somewhere_that_exists);
	tcase_add_test(tests, saved_queries_survive_being_edited);
	tcase_add_test(tests, quotes_in_defaults_survive_being_edited);
	tcase_add_test(tests, queries_made_for_the_format_come_first);
	tcase_add_test(tests, what_a_header_names_must_be_there);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
