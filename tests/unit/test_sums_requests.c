/* What sums are asked for: parameters, parts that nobody reads, mistakes, runs with nothing in
 * them. */
#include "config.h"

#include "column/ops/sums_private.h"
#include "unit/scan_fixture.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct fixture *fixture;

static void
setup(void)
{
	fixture = fixture_new(13, 1500, 500, false);
}

static void
teardown(void)
{
	fixture_free(fixture);
}

START_TEST(unread_parts_change_nothing_else)
{
	struct err err = ERR_INIT;
	struct sums_request all = {.kind = BLOCK_SPAN, .by = "name,time(50us)"}, some = all;
	some.unread[MEASURE_DURATION] = SUMS_NO_SQUARES | SUMS_NO_RANGE | SUMS_NO_SUM;
	some.unread[MEASURE_SELF] = SUMS_NO_SQUARES | SUMS_NO_RANGE | SUMS_NO_SUM;
	some.unread[MEASURE_SIZE] = SUMS_NO_SQUARES;
	some.unread_times = true;
	struct sums *a = sums_run(&fixture->dataset, &all, &err),
		    *b = sums_run(&fixture->dataset, &some, &err);
	ck_assert(a && b);
	ck_assert_uint_eq(sums_count(a), sums_count(b));
	for (size_t g = 0; g < sums_count(a); g++) {
		const struct group_sums *want = sums_group(a, g), *got = sums_group(b, g);
		FIXTURE_CHECK(want->rows == got->rows && want->n == got->n, "group %zu", g);
		FIXTURE_CHECK(want->measure[MEASURE_SIZE].sum == got->measure[MEASURE_SIZE].sum &&
		                  want->measure[MEASURE_SIZE].max == got->measure[MEASURE_SIZE].max,
		              "group %zu", g);
		FIXTURE_CHECK(got->start_min == 0 && got->measure[MEASURE_SELF].n == 0 &&
		                  got->measure[MEASURE_SIZE].squares == 0,
		              "group %zu", g);
	}
	sums_free(a);
	sums_free(b);
}
END_TEST

static void
check_measures(const struct group_sums *got, const struct group_sums *want)
{
	FIXTURE_CHECK(got->rows == want->rows && got->n == want->n, "rows");
	for (int m = 0; m < MEASURE_VALUE; m++) {
		const struct measure_sums *a = &got->measure[m], *b = &want->measure[m];
		FIXTURE_CHECK(a->n == b->n && a->sum == b->sum && a->sum_leaves == b->sum_leaves &&
		                  a->min == b->min && a->max == b->max && a->squares == b->squares,
		              "measure %d", m);
	}
}

static bool
is_by_value(const struct dataset *dataset, const struct sums_request *request)
{
	struct sums_plan plan;
	struct err err = ERR_INIT;

	ck_assert_int_eq(sums_plan_init(&plan, dataset, request, &err), 0);
	bool fits = sums_values_fit(&plan);
	sums_plan_fini(&plan);
	return fits;
}

/* Where groups are runs of equal numbers in sorted lists, they are those of a table of groups. */
START_TEST(numbers_of_many_values)
{
	static const char *const filters[] = {NULL,
	                                      "size > 99999999999",
	                                      "name = 'read'",
	                                      "size IS NOT NULL AND category = 'POSIX'",
	                                      "size IS NULL",
	                                      "size = 1"};
	struct err err = ERR_INIT;

	fixture_has_many = false;
	fixture_has_wide_sizes = true;
	struct fixture *wide = fixture_new(14, 2500, 700, _i == 3);
	fixture_has_many = true;
	fixture_has_wide_sizes = false;
	wide->dataset.n_threads = (unsigned)_i + 1;
	for (size_t f = 0; f < COUNT(filters); f++) {
		struct sums_request listed = {.kind = BLOCK_SPAN,
		                              .by = "size",
		                              .filter = filters[f],
		                              .unread_times = true,
		                              .unread_unfinished = true};
		struct sums_request in_table = listed, few = listed;
		in_table.unread_times = false;
		few.group_limit = 100;
		ck_assert(is_by_value(&wide->dataset, &listed));
		ck_assert(!is_by_value(&wide->dataset, &in_table));
		ck_assert(!is_by_value(&wide->dataset, &few));
		struct sums *a = sums_run(&wide->dataset, &listed, &err),
			    *b = sums_run(&wide->dataset, &in_table, &err);
		ck_assert(a && b);
		ck_assert_uint_eq(sums_count(a), sums_count(b));
		for (size_t g = 0; g < sums_count(a); g++) {
			struct scan_value got = sums_key(a, g, ROW_SIZE),
					  want = sums_key(b, g, ROW_SIZE);
			FIXTURE_CHECK(scan_value_order(&got, &want) == 0, "key %zu", g);
			check_measures(sums_group(a, g), sums_group(b, g));
		}
		sums_free(a);
		sums_free(b);
	}
	fixture_free(wide);
}
END_TEST

static void
check_refused(const struct sums_request *request, enum err_code code, const char *part)
{
	struct err err = ERR_INIT;
	struct sums *sums = sums_run(&fixture->dataset, request, &err);
	ck_assert_msg(sums == NULL, "%s", request->by);
	ck_assert_msg(err.code == code && strstr(err.message, part), "%s: code %d, %s", request->by,
	              err.code, err.message);
}

START_TEST(bad_requests_are_refused)
{
	static const struct {
		const char *by, *part;
	} cases[] = {{"nme", "character 1: expected a dimension (name, category"},
	             {"name,", "found the end"},
	             {"name name", ", or the end"},
	             {"name,name", "twice"},
	             {"start", "( and the width"},
	             {"start()", "a width"},
	             {"start(0)", "above 0"},
	             {"start(-1s)", "a width"},
	             {"start(1s", ")"},
	             {"start(ten)", "a width"},
	             {"start(?1)", "a width"},
	             {"pattern", "( and a pattern"},
	             {"pattern(1)", "a pattern"},
	             {"pattern('(')", "character 9"},
	             {"pattern('a', 1)", "a replacement"},
	             {"arg.a,arg.b,arg.c,arg.d,arg.e", "more than 4"},
	             {"name,category,path,size,duration,self,depth,calls,lane", "more than 8"},
	             {"value", "expected a dimension"},
	             {",", "character 1"}};
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct sums_request request = {
		    .kind = BLOCK_SPAN, .by = cases[i].by, .parameters = {{.type = SCAN_NULL}}};
		check_refused(&request, ERR_QUERY, cases[i].part);
	}
	struct sums_request event = {.kind = BLOCK_EVENT, .by = "duration"};
	check_refused(&event, ERR_QUERY, "expected a dimension");
	struct sums_request filter = {.kind = BLOCK_SPAN, .by = "name", .filter = "name =="};
	check_refused(&filter, ERR_QUERY, "filter");
	struct sums_request groups = {.kind = BLOCK_SPAN, .by = "id"};
	check_refused(&groups, ERR_QUERY, "expected a dimension");
	struct sums_request limited = {
	    .kind = BLOCK_SPAN, .by = "duration,name", .group_limit = 100};
	check_refused(&limited, ERR_LIMIT, "more than 100");
	limited.by = "time(1ns)";
	check_refused(&limited, ERR_LIMIT, "more than 100");
	struct cancel cancel;
	atomic_init(&cancel.requested, true);
	struct sums_request cancelled = {.kind = BLOCK_SPAN, .by = "name", .cancel = &cancel};
	check_refused(&cancelled, ERR_CANCELLED, "");
}
END_TEST

START_TEST(parameters_in_by)
{
	struct err err = ERR_INIT;
	struct sums_request request = {
	    .kind = BLOCK_SPAN, .by = "start(?1),pattern(?2,?3)", .filter = "name = ?4"};
	request.parameters[0] = (struct scan_value){.type = SCAN_INTEGER, .integer = 100000};
	request.parameters[1] = (struct scan_value){.type = SCAN_TEXT, .text = slice_of("[0-9]+")};
	request.parameters[2] = (struct scan_value){.type = SCAN_TEXT, .text = slice_of("N")};
	request.parameters[3] = (struct scan_value){.type = SCAN_TEXT, .text = slice_of("write")};
	struct sums *a = sums_run(&fixture->dataset, &request, &err);
	request.by = "start(100us), PATTERN(\"[0-9]+\", 'N')";
	request.filter = "name = 'write'";
	request.parameters[0] = (struct scan_value){.type = SCAN_TEXT, .text = slice_of("0.1ms")};
	struct sums *b = sums_run(&fixture->dataset, &request, &err);
	ck_assert(a && b && sums_count(a) > 3);
	ck_assert_uint_eq(sums_count(a), sums_count(b));
	for (size_t g = 0; g < sums_count(a); g++) {
		ck_assert_int_eq(sums_key(a, g, ROW_BUCKET).integer,
		                 sums_key(b, g, ROW_BUCKET).integer);
		ck_assert(slice_equal(sums_key(a, g, ROW_PATTERN).text,
		                      sums_key(b, g, ROW_PATTERN).text));
		ck_assert_int_eq(sums_group(a, g)->rows, sums_group(b, g)->rows);
	}
	sums_free(a);
	sums_free(b);
}
END_TEST

START_TEST(an_empty_run)
{
	struct err err = ERR_INIT;
	struct block *block = NULL;
	struct memory_dataset *memory = memory_dataset_new(&block, 0, NULL, NULL, NULL, NULL, 0);
	struct sums_request request = {
	    .kind = BLOCK_SPAN, .by = "name,start(1s)", .quantiles = {63}};
	struct sums *sums = sums_run(memory_dataset_get(memory), &request, &err);
	ck_assert_msg(sums && sums_count(sums) == 0, "%s", err.message);
	sums_free(sums);
	request.by = "";
	sums = sums_run(memory_dataset_get(memory), &request, &err);
	ck_assert(sums && sums_count(sums) == 1);
	ck_assert_int_eq(sums_group(sums, 0)->rows, 0);
	ck_assert(isnan(sums_group(sums, 0)->measure[MEASURE_DURATION].quantile[0]));
	sums_free(sums);
	memory_dataset_free(memory);
}
END_TEST

static Suite *
make_suite(void)
{
	Suite *suite = suite_create("sums requests");
	TCase *tcase = tcase_create("requests");
	tcase_add_unchecked_fixture(tcase, setup, teardown);
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, unread_parts_change_nothing_else);
	tcase_add_loop_test(tcase, numbers_of_many_values, 0, 4);
	tcase_add_test(tcase, bad_requests_are_refused);
	tcase_add_test(tcase, parameters_in_by);
	tcase_add_test(tcase, an_empty_run);
	suite_add_tcase(suite, tcase);
	return suite;
}

int
main(void)
{
	return unit_run(make_suite());
}
