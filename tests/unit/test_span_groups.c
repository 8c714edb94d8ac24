/* Spans in groups and pivots: over a sample of every format and every column that they can be
 * grouped by, groups add up to all spans, and a row leads to exactly its own. */
#include "config.h"

#include "unit/imported_run.h"

#include <inttypes.h>

#include "query/saved/pivot.h"
#include "query/spans/span_groups.h"
#include "query/spans/span_list.h"
#include "util/quote.h"

static const char *const samples[] = {"dftracer/aggregated.pfw",
                                      "dftracer/new.pfw",
                                      "dftracer/old.pfw",
                                      "dftracer/v0.pfw",
                                      "dftracer/v2.pfw",
                                      "dftracer/hex.pfw",
                                      "dftracer/density.pfw",
                                      "golden/base-0.pfw",
                                      "chrome/gpu.json",
                                      "chrome/build.json",
                                      "chrome/phases.json",
                                      "chrome/path.json",
                                      "chrome/nested.json",
                                      "chrome/clang.json",
                                      "golden/four.jsonl",
                                      "cascade/lifecycle.log",
                                      "golden/hosts.jsonl",
                                      "dasf/trace.msgpack",
                                      "dasf/unsigned.msgpack",
                                      "dasf/resources.msgpack",
                                      "preemption/profile",
                                      "dataload/exp1",
                                      "preemption/small-8-node-trace.csv"};

static struct store *
import_sample(const char *name)
{
	struct ingest_options options = {
	    .out = in_folder("sample.lanes"), .clash = CLASH_REPLACE, .n_threads = 1};
	const char *source = getenv("LANESCOPE_SRCDIR");
	struct strbuf path = {0};
	struct err err = ERR_INIT;

	strbuf_printf(&path, "%s/tests/data/%s", source ? source : ".", name);
	const char *paths[] = {path.data};
	struct ingest_plans *plans = ingest_plan(paths, 1, &options, &err);

	ck_assert_msg(plans && plans->n_plans == 1, "%s: %s", name, err.message);
	ck_assert_msg(ingest_run(&plans->plans[0], &options, NULL, NULL, &err) == 0, "%s: %s", name,
	              err.message);
	ingest_plans_free(plans);
	strbuf_free(&path);
	return open_run(options.out);
}

static const struct dataset *
dataset_of(struct store *store)
{
	struct err err = ERR_INIT;
	const struct dataset *dataset = store_dataset(store, &err);

	ck_assert_msg(dataset != NULL, "%s", err.message);
	return dataset;
}

static struct span_figures
figures_of(const struct dataset *dataset, const char *filter)
{
	struct span_list list = {.dataset = dataset, .filter = filter};
	struct span_figures figures;
	struct err err = ERR_INIT;

	ck_assert_msg(span_list_figures(&list, &figures, &err) == 0, "%s: %s",
	              filter ? filter : "all", err.message);
	return figures;
}

static struct result *
groups_of(const struct dataset *dataset, const struct span_by *by, const char *columns,
          const char *filter)
{
	struct span_groups request = {
	    .dataset = dataset, .by = by, .columns = columns, .filter = filter};
	struct err err = ERR_INIT;
	struct result *result = span_groups(&request, &err);

	ck_assert_msg(result != NULL, "%s", err.message);
	return result;
}

static int64_t
integer_of(const struct result *result, size_t row, size_t column)
{
	const struct value *value = result_value(result, row, column);

	return value->type == VALUE_INTEGER ? value->integer : 0;
}

/* Of the rows' figures from `first` on against those of their spans. */
static void
check_row(const struct dataset *dataset, const char *filter, const int64_t figures[4],
          const char *sample)
{
	struct span_figures own = figures_of(dataset, filter);

	ck_assert_msg(own.n == figures[0] && own.inside_ns == figures[1] &&
	                  own.self_ns == figures[2] && own.size_bytes == figures[3],
	              "%s: %s: %lld spans of %lld, not %lld of %lld", sample, filter,
	              (long long)own.n, (long long)own.inside_ns, (long long)figures[0],
	              (long long)figures[1]);
}

static void
check_groups(const struct dataset *dataset, const char *text, const char *filter,
             const char *sample)
{
	struct span_figures all = figures_of(dataset, filter);
	struct err err = ERR_INIT;
	struct span_by by;

	ck_assert_msg(span_by_read(slice_of(text), &by, &err) == 0, "%s", err.message);
	struct result *result = groups_of(dataset, &by, "count, inside, self, size", filter);
	int64_t sums[4] = {0};

	for (size_t row = 0; row < result->n_rows; row++) {
		int64_t figures[4];
		char *own = span_groups_filter(&by, by.n, filter, result, row);

		for (int i = 0; i < 4; i++) {
			figures[i] = integer_of(result, row, by.n + (size_t)i);
			sums[i] += figures[i];
		}
		if (row < 40 || row + 10 > result->n_rows) {
			check_row(dataset, own, figures, sample);
		}
		free(own);
	}
	ck_assert_msg(sums[0] == all.n && sums[1] == all.inside_ns && sums[2] == all.self_ns &&
	                  sums[3] == all.size_bytes,
	              "%s: groups by %s do not add up: %lld spans of %lld", sample, text,
	              (long long)sums[0], (long long)all.n);
	result_free(result);
	span_by_free(&by);
}

/* All cells of a pivot, "(other)" too. */
static void
check_pivot(const struct dataset *dataset, const char *text, size_t n_values, const char *sample)
{
	struct err err = ERR_INIT;
	struct span_by by;

	ck_assert_msg(span_by_read(slice_of(text), &by, &err) == 0, "%s", err.message);
	struct span_groups request = {.dataset = dataset, .by = &by};
	struct result *result = span_pivot(&request, "count", n_values, &err);

	ck_assert_msg(result != NULL, "%s", err.message);
	int64_t all = 0;
	for (size_t row = 0; row < result->n_rows && row < 12; row++) {
		for (size_t column = by.n - 1; column < result->n_columns; column++) {
			char *own = span_pivot_filter(&by, NULL, result, row, column);
			int64_t n = figures_of(dataset, own).n;

			ck_assert_msg(n == integer_of(result, row, column),
			              "%s: %s: %lld spans, not %lld", sample, own, (long long)n,
			              (long long)integer_of(result, row, column));
			free(own);
		}
	}
	for (size_t row = 0; row < result->n_rows; row++) {
		all += integer_of(result, row, by.n - 1);
	}
	ck_assert_int_eq(all, figures_of(dataset, NULL).n);
	result_free(result);
	span_by_free(&by);
}

static void
check_all(struct store *store, const char *sample)
{
	const struct dataset *dataset = dataset_of(store);
	const char *name;

	for (size_t i = 0; (name = span_by_name(i)); i++) {
		check_groups(dataset, name, NULL, sample);
		check_groups(dataset, name, "duration >= 1000 OR name < 'm'", sample);
	}
	check_groups(dataset, "start(1ms)", NULL, sample);
	check_groups(dataset, "name, host, lane_name", NULL, sample);
	check_groups(dataset, "category,size", NULL, sample);
	for (uint32_t key = 0; key < dataset->n_keys; key++) {
		struct strbuf by = {0};

		strbuf_add_text(&by, "arg.");
		quote_add(&by, dataset->keys[key], '"');
		check_groups(dataset, by.data, NULL, sample);
		strbuf_free(&by);
	}
	check_pivot(dataset, "name, lane_name", 0, sample);
	check_pivot(dataset, "category, name", 2, sample);
	check_pivot(dataset, "name, category, size", 3, sample);
	check_pivot(dataset, "host, path", 1, sample);
	check_pivot(dataset, "name, start(100us)", 2, sample);
	check_pivot(dataset, "start(100us), name", 2, sample);
}

START_TEST(rows_are_their_spans)
{
	struct store *store = import_sample(samples[_i]);

	check_all(store, samples[_i]);
	store_close(store);
}
END_TEST

/* The middle of the run, and what is not instant there. */
START_TEST(rows_are_their_spans_in_scope)
{
	struct store *store = import_sample(samples[_i]);
	int64_t duration_ns = store_run(store)->duration_ns;
	struct scope scope = {.n = 0};
	struct strbuf text = {0};
	struct err err = ERR_INIT;

	strbuf_printf(&text, "range %" PRId64 "ns .. %" PRId64 "ns; duration > 0", duration_ns / 3,
	              duration_ns / 3 * 2 + 1);
	ck_assert_msg(scope_read(strbuf_slice(&text), &scope, &err) == 0, "%s", err.message);
	ck_assert_msg(store_set_scope(store, &scope, &err) == 0, "%s", err.message);
	check_all(store, samples[_i]);
	scope_free(&scope);
	strbuf_free(&text);
	store_close(store);
}
END_TEST

/* Texts that quotes and SQL would stumble over, and nothing at all. */
START_TEST(odd_texts_lead_to_their_spans)
{
	struct strbuf trace = {0};

	add_call(&trace, "it's", "a\\\"b", 1, 0, 5, "\"fd\":\"' OR 1\"");
	add_call(&trace, "(other 1)", "", 1, 10, 5, "\"fd\":3");
	add_call(&trace, "sum", "x", 2, 20, 5, "\"fd\":\"3\"");
	add_call(&trace, "a\\u0000b\\n", "x", 2, 30, 5, "\"fd\":2.5");
	add_call(&trace, "\\u9577", "y", 2, 40, 5, "\"fd\":18446744073709551615");
	add_call(&trace, "name", "y", 2, 50, 5, "\"fd\":true");
	add_call(&trace, "name", "y", 2, 60, 5, "\"fd\":null,\"odd key\":[1,\"x\"]");
	add_call(&trace, "name", "y", 2, 70, 5, "\"fd\":-0.0");
	struct store *store = import_calls("odd", &trace);
	const struct dataset *dataset = dataset_of(store);

	check_groups(dataset, "name", NULL, "odd");
	check_groups(dataset, "name, category", "name <> 'sum'", "odd");
	check_groups(dataset, "arg.fd", NULL, "odd");
	check_groups(dataset, "arg.fd, arg.\"odd key\"", NULL, "odd");
	check_pivot(dataset, "category, name", 3, "odd");
	check_pivot(dataset, "name, arg.fd", 2, "odd");
	check_pivot(dataset, "thread, arg.\"odd key\"", 1, "odd");
	store_close(store);
}
END_TEST

START_TEST(what_is_wrong_is_told)
{
	static const struct {
		const char *by, *message;
	} cases[] = {
	    {"", "expected a column (name, category"},
	    {"nam", "start(WIDTH), arg.KEY), found nam"},
	    {"name,", "found the end"},
	    {"name, NAME", "name stands there twice"},
	    {"arg.a, arg.b, arg.c, arg.d, arg.e", "more than 4 arguments"},
	    {"start", "expected ( and a width"},
	    {"start(0)", "expected a width"},
	    {"start(1ms", "expected ) after the width"},
	    {"name host", "expected a comma or the end"},
	    {"name, category, path, host, size, depth, kind, class, thread", "more than 8 columns"},
	};
	struct err err = ERR_INIT;
	struct span_by by;

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		err = (struct err)ERR_INIT;
		ck_assert_int_eq(span_by_read(slice_of(cases[i].by), &by, &err), -1);
		ck_assert_msg(strstr(err.message, cases[i].message) != NULL, "%s: %s", cases[i].by,
		              err.message);
	}
}
END_TEST

START_TEST(figures_are_chosen)
{
	static const char *const wrong[] = {"count, nonsense", "count, count", "", "count,,max"};
	struct strbuf trace = {0};
	struct err err = ERR_INIT;
	struct span_by by;

	for (int i = 0; i < 20; i++) {
		add_call(&trace, i % 4 ? "read" : "write", "x", i, i * 10, 1 + i, "");
	}
	struct store *store = import_calls("figures", &trace);
	struct span_groups request = {.dataset = dataset_of(store), .by = &by};

	ck_assert_int_eq(span_by_read(slice_of("name"), &by, &err), 0);
	for (size_t i = 0; i < COUNT_OF(wrong); i++) {
		request.columns = wrong[i];
		ck_assert_ptr_null(span_groups(&request, &err));
		ck_assert_int_eq(err.code, ERR_USAGE);
	}
	request.columns = NULL; /* no size: nothing has one */
	struct result *result = span_groups(&request, &err);
	ck_assert_int_eq(column_find(result->columns, result->n_columns, slice_of("size")), -1);
	ck_assert_int_eq(column_find(result->columns, result->n_columns, slice_of("share")), 6);
	result_free(result);

	result = groups_of(request.dataset, &by, "min, p50, max, mean, first, last, share", NULL);
	/* write: 1 5 9 13 17 us; read has more, and stands first by what is asked for first */
	ck_assert_int_eq(integer_of(result, 1, 1), 1000);
	ck_assert_int_eq(integer_of(result, 1, 2), 9000);
	ck_assert_int_eq(integer_of(result, 1, 3), 17000);
	ck_assert_int_eq(integer_of(result, 1, 4), 9000);
	ck_assert_int_eq(integer_of(result, 1, 5), 0);
	ck_assert_int_eq(integer_of(result, 1, 6), 177000);
	ck_assert_double_eq_tol(result_value(result, 1, 7)->real, 45.0 / 210, 1e-12);
	result_free(result);

	request.group_limit = 1;
	ck_assert_ptr_null(span_groups(&request, &err));
	ck_assert_int_eq(err.code, ERR_LIMIT);
	ck_assert_ptr_null(span_pivot(&request, "mean", 0, &err));
	ck_assert_int_eq(err.code, ERR_USAGE);
	span_by_free(&by);
	store_close(store);
}
END_TEST

/* Of any table: rows that share a cell are added up. */
START_TEST(tables_are_turned)
{
	static const struct result_column columns[] = {COLUMN_KEY("sum", NULL),
	                                               COLUMN_KEY("host", NULL),
	                                               COLUMN_MEASURE("total", KIND_DURATION, NULL),
	                                               COLUMN_MEASURE("mean", KIND_DURATION, NULL)};
	static const char *const hosts[] = {"a", "b", "a", "c", "d"};
	struct result *from = result_new("t", columns, COUNT_OF(columns));
	struct pivot pivot = {{0}, 1, 1, 2, 2};
	struct pivoted pivoted;
	struct err err = ERR_INIT;

	for (int i = 0; i < 5; i++) {
		RESULT_ADD(from, value_word(from, i < 4 ? "x" : "y"), value_word(from, hosts[i]),
		           value_integer(10 + i), value_integer(1));
	}
	ck_assert_int_eq(result_pivot(from, NULL, 5, &pivot, NULL, &pivoted, &err), 0);
	struct result *result = pivoted.result;

	ck_assert_uint_eq(result->n_columns, 5);
	ck_assert_str_eq(result->columns[1].name, "sum (2)");
	ck_assert_str_eq(result->columns[2].name, "a");
	ck_assert_str_eq(result->columns[3].name, "d");
	ck_assert_str_eq(result->columns[4].name, "(other 2)");
	ck_assert_int_eq(integer_of(result, 0, 1), 46);
	ck_assert_int_eq(integer_of(result, 0, 2), 22);
	ck_assert_int_eq(result_value(result, 0, 3)->type, VALUE_NULL);
	ck_assert_int_eq(integer_of(result, 0, 4), 24);
	ck_assert_int_eq(integer_of(result, 1, 3), 14);
	result_free(result);
	pivot.measure = SIZE_MAX;
	ck_assert_int_eq(
	    result_pivot(from, (const size_t[]){0, 2}, 2, &pivot, NULL, &pivoted, &err), 0);
	ck_assert_int_eq(integer_of(pivoted.result, 0, 1), 2);
	result_free(pivoted.result);
	pivot.measure = 3;
	ck_assert_int_eq(result_pivot(from, NULL, 5, &pivot, NULL, &pivoted, &err), -1);
	ck_assert_int_eq(err.code, ERR_USAGE);
	pivot.measure = 2;
	ck_assert_int_eq(
	    result_pivot(from, NULL, 5, &pivot, &(struct cancel){true}, &pivoted, &err), -1);
	result_free(from);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("span_groups");
	TCase *tests = tcase_create("span_groups");

	tcase_set_timeout(tests, 120);
	tcase_add_checked_fixture(tests, make_folder, remove_folder);
	tcase_add_loop_test(tests, rows_are_their_spans, 0, COUNT_OF(samples));
	tcase_add_loop_test(tests, rows_are_their_spans_in_scope, 0, COUNT_OF(samples));
	tcase_add_test(tests, odd_texts_lead_to_their_spans);
	tcase_add_test(tests, what_is_wrong_is_told);
	tcase_add_test(tests, figures_are_chosen);
	tcase_add_test(tests, tables_are_turned);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
