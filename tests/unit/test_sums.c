/*
 * Grouped sums against a slow reference that walks plain rows: every dimension alone and in
 * combinations, every kind of row, filters, time divided among buckets, quantiles, extremes; and
 * the same bytes from any number of threads.
 */
#include "config.h"

#include <inttypes.h>

#include "unit/sums_reference.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct fixture *fixture, *extreme, *many;

static void
setup(void)
{
	fixture = fixture_new(11, 700, 256, false);
	fixture_has_many = false;
	extreme = fixture_new(12, 300, 200, true);
	fixture_has_many = true;
	many = fixture_new(13, 4000, 1000, false);
}

static void
teardown(void)
{
	fixture_free(fixture);
	fixture_free(extreme);
	fixture_free(many);
}

static bool
is_large(const struct fixture_row *row)
{
	/* Of records of many calls no smallest one is as large. */
	return row->calls == 1 && row->size != SIZE_NONE && row->size >= 4096;
}

static bool
is_write_or_model(const struct fixture_row *row)
{
	return strcmp(row->name, "write") == 0 || (row->path && strstr(row->path, "model"));
}

static bool
is_none(const struct fixture_row *row)
{
	return row->id < 0;
}

/* Does a kind of rows have the dimension? */
static bool
has_dimension(enum block_kind kind, unsigned dimension)
{
	const char *column = sums_dimensions[dimension].column;
	static const char *const of_spans[] = {"path", "basename", "dirname", "class", "pattern",
	                                       "size", "duration", "self",    "depth", "calls"};
	for (size_t i = 0; i < COUNT(of_spans); i++) {
		if (kind != BLOCK_SPAN && strcmp(column, of_spans[i]) == 0) {
			return false;
		}
	}
	return kind != BLOCK_COUNTER || strcmp(column, "category") != 0;
}

START_TEST(each_dimension_alone)
{
	unsigned dimension = (unsigned)_i;
	for (int kind = 0; kind < BLOCK_KINDS; kind++) {
		if (has_dimension((enum block_kind)kind, dimension)) {
			sums_check_by(fixture, (enum block_kind)kind, &dimension, 1, NULL, NULL, 0);
		}
	}
	sums_check_by(fixture, BLOCK_SPAN, &dimension, 1, "size >= 4KiB", is_large,
	              QUANTILE_50 | QUANTILE_99);
	if (strcmp(sums_dimensions[dimension].column, "time") !=
	    0) { /* whose reference would take forever */
		sums_check_by(extreme, BLOCK_SPAN, &dimension, 1, "", NULL, 0);
	}
}
END_TEST

START_TEST(no_dimension)
{
	for (int kind = 0; kind < BLOCK_KINDS; kind++) {
		sums_check_by(fixture, (enum block_kind)kind, NULL, 0, NULL, NULL, 63);
		sums_check_by(extreme, (enum block_kind)kind, NULL, 0, NULL, NULL, 63);
		sums_check_by(fixture, (enum block_kind)kind, NULL, 0, "id < 0", is_none, 63);
	}
	sums_check_by(fixture, BLOCK_SPAN, NULL, 0, "name = 'write' OR path GLOB '*model*'",
	              is_write_or_model, 63);
}
END_TEST

START_TEST(random_combinations)
{
	struct prng prng = {5};
	for (int round = 0; round < 60; round++) {
		unsigned dimensions[SCAN_DIMENSIONS],
		    n = 0, wanted = 2 + (unsigned)prng_below(&prng, round % 10 == 0 ? 7 : 3);
		enum block_kind kind =
		    (enum block_kind)(round % 4 == 3 ? 1 + prng_below(&prng, 2) : 0);
		bool is_used[ROW_COLUMNS] = {false};
		while (n < wanted) {
			unsigned dimension = (unsigned)prng_below(&prng, SUMS_DIMENSIONS);
			enum row_column id = sums_dimension_ids[dimension];
			if (!has_dimension(kind, dimension) || is_used[id]) {
				continue;
			}
			is_used[id] = true;
			dimensions[n++] = dimension;
		}
		bool is_filtered = kind == BLOCK_SPAN && round % 2;
		sums_check_by(round % 3 ? fixture : many, kind, dimensions, n,
		              is_filtered ? "name = 'write' OR path LIKE '%model%'" : NULL,
		              is_filtered ? is_write_or_model : NULL,
		              round % 5 ? 0 : QUANTILE_25 | QUANTILE_95);
	}
}
END_TEST

static unsigned
index_of(const char *text)
{
	for (unsigned i = 0; i < SUMS_DIMENSIONS; i++) {
		if (strcmp(sums_dimensions[i].text, text) == 0) {
			return i;
		}
	}
	ck_abort_msg("no dimension %s", text);
}

START_TEST(time_is_divided)
{
	unsigned both[] = {index_of("name"), index_of("time(50us)")},
		 three[] = {index_of("time(50us)"), index_of("process"), index_of("path")};
	sums_check_by(many, BLOCK_SPAN, both, 2, NULL, NULL, 0);
	sums_check_by(many, BLOCK_SPAN, three, 3, "size >= 4096", is_large, 0);
	/* The parts add up to the whole. */
	struct err err = ERR_INIT;
	struct sums_request request = {.kind = BLOCK_SPAN, .by = "time(13us)"};
	struct sums *parts = sums_run(&many->dataset, &request, &err);
	request.by = "";
	struct sums *whole = sums_run(&many->dataset, &request, &err);
	ck_assert(parts && whole);
	int64_t sum = 0, rows = 0, widest = 0;
	for (size_t g = 0; g < sums_count(parts); g++) {
		sum += sums_group(parts, g)->measure[MEASURE_DURATION].sum;
		rows += sums_group(parts, g)->rows;
		widest = sums_group(parts, g)->measure[MEASURE_DURATION].sum > widest
		             ? sums_group(parts, g)->measure[MEASURE_DURATION].sum
		             : widest;
	}
	ck_assert_int_eq(sum, sums_group(whole, 0)->measure[MEASURE_DURATION].sum);
	ck_assert_int_eq(rows, sums_group(whole, 0)->rows);
	sums_free(parts);
	sums_free(whole);
}
END_TEST

static void
describe_part(struct sums *sums, struct strbuf *out)
{
	for (size_t g = 0; g < sums_count(sums); g++) {
		for (int d = 0; d < ROW_COLUMNS; d++) {
			if (sums_has(sums, (enum row_column)d)) {
				struct scan_value value = sums_key(sums, g, (enum row_column)d);
				sums_add_key(out, value);
			}
		}
		const struct group_sums *group = sums_group(sums, g);
		strbuf_printf(out, "%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64, group->n,
		              group->rows, group->start_min, group->end_max);
		for (int m = 0; m < MEASURES; m++) {
			const struct measure_sums *measure = &group->measure[m];
			strbuf_printf(
			    out, " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %a %a %a %a",
			    measure->n, measure->sum, measure->min, measure->max, measure->real_sum,
			    measure->real_min, measure->real_max, measure->deviation);
			for (int q = 0; q < QUANTILES; q++) {
				strbuf_printf(out, " %a", measure->quantile[q]);
			}
		}
		strbuf_add_char(out, '\n');
	}
}

/* Everything that sums tell, as text, of at most so many groups at once (0: all). Returns the
 * number of parts. */
static unsigned
describe(const struct fixture *of, unsigned n_threads, enum block_kind kind, const char *by,
         const char *filter, uint32_t group_limit, struct strbuf *out)
{
	struct err err = ERR_INIT;
	struct dataset dataset = of->dataset;
	struct sums_request request = {.kind = kind,
	                               .by = by,
	                               .filter = filter,
	                               .quantiles = {63, 63, 63, 63},
	                               .group_limit = group_limit};
	dataset.n_threads = n_threads;
	struct sums_parts *parts = sums_parts_new(&dataset, &request);
	unsigned n = 0;
	for (; !sums_parts_end(parts); n++) {
		struct sums *sums;
		ck_assert_msg(sums_parts_next(parts, &sums, &err) == 0, "%s: %s", by, err.message);
		ck_assert(group_limit == 0 || sums_count(sums) <= group_limit);
		describe_part(sums, out);
		sums_free(sums);
	}
	sums_parts_free(parts);
	return n;
}

START_TEST(threads_agree_to_the_last_bit)
{
	static const char *const bys[] = {"",
	                                  "name",
	                                  "name,process",
	                                  "path,time(20us)",
	                                  "arg.mix,arg.fd",
	                                  "start(30us),kind",
	                                  "size,duration",
	                                  "name,value"};
	for (size_t i = 0; i + 1 < COUNT(bys); i++) {
		for (int kind = 0; kind < BLOCK_KINDS; kind++) {
			struct strbuf one = {0}, two = {0}, seven = {0};
			if (kind != BLOCK_SPAN &&
			    (strstr(bys[i], "path") || strstr(bys[i], "size"))) {
				continue;
			}
			describe(many, 1, (enum block_kind)kind, bys[i], "name <> 'read'", 0, &one);
			describe(many, 2, (enum block_kind)kind, bys[i], "name <> 'read'", 0, &two);
			describe(many, 7, (enum block_kind)kind, bys[i], "name <> 'read'", 0,
			         &seven);
			ck_assert_msg(strcmp(one.data, two.data) == 0 &&
			                  strcmp(one.data, seven.data) == 0,
			              "by %s, kind %d", bys[i], kind);
			strbuf_free(&one);
			strbuf_free(&two);
			strbuf_free(&seven);
		}
	}
}
END_TEST

static uint32_t
count_lines(const char *text)
{
	uint32_t n = 0;

	for (; *text; text++) {
		n += *text == '\n';
	}
	return n;
}

static void
check_parts(const struct fixture *of, enum block_kind kind, const char *by, const char *filter)
{
	static const uint32_t limits[] = {1, 7, 60};
	struct strbuf whole = {0};
	describe(of, 2, kind, by, filter, 0, &whole);
	for (size_t i = 0; i < COUNT(limits); i++) {
		struct strbuf all = {0};
		if (strstr(by, "time(") && limits[i] < 60) {
			continue; /* a chunk's spans of the bucket before count, too */
		}
		unsigned n = describe(of, 2, kind, by, filter, limits[i], &all);
		ck_assert_msg(strcmp(whole.data, all.data) == 0, "by %s, kind %d, %u at once", by,
		              kind, limits[i]);
		ck_assert_msg(n > 1 || count_lines(whole.data) <= limits[i], "by %s is in one part",
		              by);
		strbuf_free(&all);
	}
	strbuf_free(&whole);
}

START_TEST(parts_are_the_whole)
{
	static const char *const bys[] = {"process,name",        "name,time(50us)",
	                                  "arg.mix,start(20us)", "category,arg.fd,host",
	                                  "kind,basename,size",  "host,class,thread,path",
	                                  "time(3us),name",      "category,time(1us),name"};
	const char *by = (size_t)_i < SUMS_DIMENSIONS ? sums_dimensions[_i].text
	                                              : bys[(size_t)_i - SUMS_DIMENSIONS];
	check_parts(fixture, BLOCK_SPAN, by, NULL);
	check_parts(fixture, BLOCK_SPAN, by, "size >= 4KiB");
	if ((size_t)_i < SUMS_DIMENSIONS && has_dimension(BLOCK_COUNTER, (unsigned)_i)) {
		check_parts(fixture, BLOCK_COUNTER, by, NULL);
	}
}
END_TEST

static Suite *
make_suite(void)
{
	Suite *suite = suite_create("sums");
	TCase *tcase = tcase_create("sums");
	tcase_add_unchecked_fixture(tcase, setup, teardown);
	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, each_dimension_alone, 0, (int)SUMS_DIMENSIONS);
	tcase_add_test(tcase, no_dimension);
	tcase_add_test(tcase, random_combinations);
	tcase_add_test(tcase, time_is_divided);
	tcase_add_test(tcase, threads_agree_to_the_last_bit);
	tcase_add_loop_test(tcase, parts_are_the_whole, 0, (int)SUMS_DIMENSIONS + 8);
	suite_add_tcase(suite, tcase);
	return suite;
}

int
main(void)
{
	return unit_run(make_suite());
}
