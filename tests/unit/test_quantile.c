/* Order statistics: selection and counting against sorting, and quantiles of runs that are read in
 * many passes because there is little memory or too many values to count. */
#include "config.h"

#include <inttypes.h>

#include "column/ops/quantile.h"
#include "column/ops/value_counts.h"
#include "unit/scan_fixture.h"

static int
compare_integers(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return (x > y) - (x < y);
}

/* Values of different shapes: random, few distinct, sorted, reversed, organ pipe, all alike,
 * extremes. */
static int64_t
shaped(struct prng *prng, int shape, size_t i, size_t n)
{
	switch (shape) {
	case 0:
		return (int64_t)prng_next(prng);
	case 1:
		return (int64_t)prng_below(prng, 3);
	case 2:
		return (int64_t)i;
	case 3:
		return -(int64_t)i;
	case 4:
		return (int64_t)(i < n / 2 ? i : n - i);
	case 5:
		return 7;
	default:
		return prng_below(prng, 2) ? INT64_MIN + (int64_t)prng_below(prng, 2)
		                           : INT64_MAX - (int64_t)prng_below(prng, 3);
	}
}

START_TEST(selection_is_as_sorting)
{
	struct prng prng = {3};
	for (int round = 0; round < 700; round++) {
		size_t n = 1 + (size_t)prng_below(&prng, round % 10 == 0 ? 20000 : 60), n_ranks = 0,
		       ranks[12];
		int64_t *values = xcalloc(n, sizeof *values), *sorted = xcalloc(n, sizeof *sorted);
		for (size_t i = 0; i < n; i++) {
			values[i] = sorted[i] = shaped(&prng, round % 7, i, n);
		}
		qsort(sorted, n, sizeof *sorted, compare_integers);
		for (size_t rank = 0; rank < n && n_ranks < 12;
		     rank += 1 + (size_t)prng_below(&prng, n / 4 + 1)) {
			ranks[n_ranks++] = rank;
		}
		select_ranks(values, n, ranks, n_ranks);
		for (size_t r = 0; r < n_ranks; r++) {
			FIXTURE_CHECK(values[ranks[r]] == sorted[ranks[r]],
			              "round %d, rank %zu of %zu", round, ranks[r], n);
		}
		free(values);
		free(sorted);
	}
}
END_TEST

/* Each pivot the worst there is: time must stay near n log n. */
START_TEST(selection_is_fast_on_bad_input)
{
	size_t n = 200000, ranks[] = {n / 4, n / 2, n - 1};
	int64_t *values = xcalloc(n, sizeof *values);
	for (size_t i = 0; i < n; i++) { /* runs that make medians of nine lopsided */
		values[i] = (int64_t)((i * 7919) % 1009) * (i % 2 ? 1 : -1) + (int64_t)(i / 2);
	}
	int64_t *sorted = xcalloc(n, sizeof *sorted);
	memcpy(sorted, values, n * sizeof *values);
	qsort(sorted, n, sizeof *sorted, compare_integers);
	select_ranks(values, n, ranks, 3);
	for (int r = 0; r < 3; r++) {
		ck_assert_int_eq(values[ranks[r]], sorted[ranks[r]]);
	}
	free(values);
	free(sorted);
}
END_TEST

START_TEST(reals_are_ordered_as_keys)
{
	static const double reals[] = {-INFINITY, -1e300, -2.5, -1e-310, -0.0,
	                               1e-310,    0.5,    3,    1e300,   INFINITY};
	for (size_t i = 0; i + 1 < sizeof reals / sizeof reals[0]; i++) {
		int64_t a, b;
		memcpy(&a, &reals[i], 8);
		memcpy(&b, &reals[i + 1], 8);
		ck_assert_int_lt(real_to_key(a), real_to_key(b));
		ck_assert_int_eq(real_to_key(real_to_key(a)), a);
	}
}
END_TEST

START_TEST(special_reals_have_keys)
{
	ck_assert_int_eq(real_key(-0.0), real_key(0.0));
	ck_assert_int_gt(real_key(NAN), real_key(INFINITY));
	ck_assert_int_lt(real_key(-NAN), real_key(-INFINITY));
	ck_assert_int_gt(real_key(5e-324), real_key(-0.0));
}
END_TEST

/* Chunks of rows, as a scan makes them, and what is to be counted of them. */
#define COUNT_ROWS 700
struct count_input {
	uint32_t groups[COUNT_ROWS];
	int64_t keys[COUNT_ROWS];
	uint16_t rows[COUNT_ROWS];
	uint32_t n; /* listed rows */
};

static void
make_input(struct prng *prng, struct count_input *input, int shape, uint32_t n_groups)
{
	input->n = 0;
	for (size_t i = 0; i < COUNT_ROWS; i++) {
		input->groups[i] = (uint32_t)prng_below(prng, n_groups);
		input->keys[i] = shape == 7 ? (int64_t)prng_below(prng, 900) * 1000
		                            : shaped(prng, shape, i, COUNT_ROWS);
		if (prng_below(prng, 3) > 0) {
			input->rows[input->n++] = (uint16_t)i;
		}
	}
}

/* By group, then key. */
static int
compare_entries(const void *a, const void *b)
{
	const struct value_count *x = a, *y = b;
	return x->group != y->group ? (x->group > y->group) - (x->group < y->group)
	                            : compare_integers(&x->key, &y->key);
}

/* Joins neighbours of the same group and key; returns how many are left. */
static size_t
join_entries(struct value_count *entries, size_t n)
{
	size_t kept = 0;
	for (size_t i = 0; i < n; i++) {
		if (kept > 0 && compare_entries(&entries[kept - 1], &entries[i]) == 0) {
			entries[kept - 1].n += entries[i].n;
		} else {
			entries[kept++] = entries[i];
		}
	}
	return kept;
}

/* Groups and keys as bins take them. */
static bool
has_bins_for(const struct value_count *entries, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (entries[i].key < 0 || entries[i].group >= 256) {
			return false;
		}
	}
	return true;
}

/* Each bin holds as many as there are entries between its bounds, and bins hold all. */
static void
check_bins(const struct value_counts *counts, const struct value_count *entries, size_t n)
{
	size_t i = 0;

	for (uint32_t group = 0; group < counts->n_bin_groups; group++) {
		int64_t before = -1;
		for (unsigned bin = 0; bin < VALUE_BINS; bin++) {
			int64_t last, first = value_bin_first(bin, &last);
			uint64_t sum = 0;
			ck_assert(first == before + 1 && last >= first);
			for (; i < n && entries[i].group == group && entries[i].key <= last; i++) {
				ck_assert_int_ge(entries[i].key, first);
				sum += entries[i].n;
			}
			ck_assert_uint_eq(counts->bins[(size_t)group * VALUE_BINS + bin], sum);
			before = last;
		}
		ck_assert_int_eq(before, INT64_MAX);
	}
	ck_assert_uint_eq(i, n);
}

/* Counts the inputs in two tables, whose groups differ by one, and checks the list of both. */
static void
check_counts(struct prng *prng, int shape, uint32_t n_groups, uint32_t limit)
{
	static struct count_input input;
	struct value_counts tables[2] = {0}, list = {0};
	uint32_t *map = xcalloc(n_groups, sizeof *map);
	struct value_count *all = xcalloc((size_t)8 * COUNT_ROWS, sizeof *all);
	size_t n = 0, kept[2] = {0};
	for (uint32_t group = 0; group < n_groups; group++) {
		map[group] = group + 1;
	}
	for (unsigned t = 0; t < 2; t++) {
		size_t first = n;
		for (int chunk = 0; chunk < 4; chunk++) {
			make_input(prng, &input, shape, n_groups);
			bool lists = chunk % 2 == 0;
			uint32_t rows = lists ? input.n : COUNT_ROWS;
			value_counts_add(&tables[t], limit, input.groups, input.keys,
			                 lists ? input.rows : NULL, rows);
			for (uint32_t i = 0; i < rows; i++) {
				uint32_t row = lists ? input.rows[i] : i;
				all[n++] =
				    (struct value_count){input.keys[row], input.groups[row] + t, 1};
			}
		}
		qsort(all + first, n - first, sizeof *all, compare_entries);
		kept[t] = join_entries(all + first, n - first);
		n = first + kept[t];
		bool has_bins = has_bins_for(all + first, kept[t]);
		ck_assert_int_eq(tables[t].bins != NULL, kept[t] > limit && has_bins);
		ck_assert_int_eq(tables[t].is_abandoned, kept[t] > limit && !has_bins);
		value_counts_collect(&list, &tables[t], t == 1 ? map : NULL);
	}
	bool is_binned = kept[0] > limit || kept[1] > limit, has_bins = has_bins_for(all, n);
	ck_assert_int_eq(list.is_abandoned, is_binned && !has_bins);
	ck_assert_int_eq(list.bins != NULL, is_binned && has_bins);
	qsort(all, n, sizeof *all, compare_entries);
	if (list.bins) {
		check_bins(&list, all, n);
	} else if (!list.is_abandoned) {
		value_counts_sort(&list);
		n = join_entries(all, n);
		ck_assert_uint_eq(join_entries(list.entries, list.n_used), n);
		for (size_t i = 0; i < n; i++) {
			ck_assert_int_eq(compare_entries(&list.entries[i], &all[i]), 0);
			ck_assert_uint_eq(list.entries[i].n, all[i].n);
		}
	}
	value_counts_fini(&tables[0]);
	value_counts_fini(&tables[1]);
	value_counts_fini(&list);
	free(map);
	free(all);
}

START_TEST(counting_is_as_sorting)
{
	static const uint32_t limits[] = {VALUE_COUNTS_LIMIT, 1, 2, 700, 1200, 2300};
	struct prng prng = {8};
	for (int round = 0; round < 240; round++) {
		check_counts(&prng, round % 8,
		             round % 3 == 0   ? 1
		             : round % 3 == 1 ? 5
		                              : 1000,
		             limits[round / 8 % 6]);
	}
}
END_TEST

/* One thread of many met too many values: what the others counted is of no use. */
START_TEST(one_overflow_abandons_all)
{
	static const uint32_t groups[3];
	static const int64_t few[3] = {1, 1, 1}, many[3] = {INT64_MIN, 0, INT64_MAX};
	for (int which = 0; which < 3; which++) {
		struct value_counts list = {0};
		for (int t = 0; t < 3; t++) {
			struct value_counts table = {0};
			value_counts_add(&table, 2, groups, t == which ? many : few, NULL, 3);
			ck_assert_int_eq(table.is_abandoned, t == which);
			value_counts_add(&table, 2, groups, few, NULL, 3);
			ck_assert_int_eq(table.is_abandoned, t == which);
			value_counts_collect(&list, &table, NULL);
			value_counts_fini(&table);
		}
		ck_assert(list.is_abandoned && list.n_used == 0);
		value_counts_fini(&list);
	}
}
END_TEST

/* Keys made to collide in the table, and as many as it takes at most: neither may take long. */
START_TEST(hostile_keys_do_not_take_long)
{
	static const uint32_t groups[256];
	int64_t keys[256];
	struct value_counts collide = {0}, most = {0};
	uint64_t inverse = UINT64_C(0x9e3779b97f4a7c15), factor = inverse;
	for (int i = 0; i < 6; i++) {
		inverse *= 2 - factor * inverse;
	}
	for (uint64_t i = 0; i < 256; i++) {
		keys[i] = (int64_t)(i * inverse); /* hashes are 0 ... 255 */
	}
	value_counts_add(&collide, VALUE_COUNTS_LIMIT, groups, keys, NULL, 256);
	ck_assert(collide.is_abandoned);
	for (int64_t i = 0; i <= VALUE_COUNTS_LIMIT; i++) {
		int64_t key = i * 1000;
		ck_assert(!most.is_abandoned && !most.bins);
		value_counts_add(&most, VALUE_COUNTS_LIMIT, groups, &key, NULL, 1);
	}
	ck_assert(most.bins && !most.entries);
	value_counts_fini(&collide);
	value_counts_fini(&most);
}
END_TEST

static void
check_same(struct dataset *dataset, enum block_kind kind, const char *by, const char *filter,
           uint32_t count_limit, uint32_t gather_limit, unsigned n_threads)
{
	struct err err = ERR_INIT;
	struct sums_request request = {
	    .kind = kind, .by = by, .filter = filter, .quantiles = {63, 63, 63, 63}};
	dataset->n_threads = 2;
	struct sums *want = sums_run(dataset, &request, &err);
	request.count_limit = count_limit;
	request.gather_limit = gather_limit;
	dataset->n_threads = n_threads;
	struct sums *got = sums_run(dataset, &request, &err);
	ck_assert_msg(want && got, "%s", err.message);
	ck_assert_uint_eq(sums_count(want), sums_count(got));
	for (size_t g = 0; g < sums_count(want); g++) {
		for (int m = 0; m < MEASURES; m++) {
			const double *a = sums_group(want, g)->measure[m].quantile,
				     *b = sums_group(got, g)->measure[m].quantile;
			unsigned q = 0;
			while (q < QUANTILES - 1 && memcmp(&a[q], &b[q], sizeof *a) == 0) {
				q++;
			}
			FIXTURE_CHECK(
			    memcmp(a, b, QUANTILES * sizeof *a) == 0,
			    "by %s, group %zu, measure %d, %u counted, %u kept: %.17g, not %.17g",
			    by, g, m, count_limit, gather_limit, b[q], a[q]);
		}
	}
	sums_free(want);
	sums_free(got);
}

START_TEST(little_memory_gives_the_same)
{
	static const uint32_t limits[] = {1, 10, 100, 1000, 5000};
	struct fixture *fixture = fixture_new(21, 1500, 500, _i == 1);
	for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
		check_same(&fixture->dataset, BLOCK_SPAN, "", NULL, 1, limits[i], 2);
		check_same(&fixture->dataset, BLOCK_COUNTER, "", NULL, 1, limits[i], 3);
		check_same(&fixture->dataset, BLOCK_SPAN, i < 2 ? "kind" : "name,process",
		           "name <> 'read'", 1, limits[i], 1);
		check_same(&fixture->dataset, BLOCK_COUNTER, i < 2 ? "kind" : "name", "value > 0",
		           1, limits[i], 7);
	}
	fixture_free(fixture);
}
END_TEST

/* Limits that all threads, some of them and none of them meet. */
START_TEST(counting_gives_the_same)
{
	static const uint32_t limits[] = {0, 1, 20, 100, 400, 1000, 2000};
	static const char *const bys[] = {"", "kind", "name,process", "path", "start(100us)"};
	struct fixture *fixture = fixture_new(22, 1500, 300, _i == 1);
	for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
		for (int by = 0; by < 5; by++) {
			static const unsigned threads[] = {1, 2, 7};
			unsigned n_threads = threads[(i + (size_t)by) % 3];
			check_same(&fixture->dataset, BLOCK_SPAN, bys[by],
			           by % 2 ? "size <> 4096" : NULL, limits[i], 0, n_threads);
			if (by < 3) {
				check_same(&fixture->dataset, BLOCK_COUNTER, bys[by], NULL,
				           limits[i], 0, n_threads);
			}
		}
	}
	fixture_free(fixture);
}
END_TEST

static Suite *
make_suite(void)
{
	Suite *suite = suite_create("quantile");
	TCase *tcase = tcase_create("quantile");
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, selection_is_as_sorting);
	tcase_add_test(tcase, selection_is_fast_on_bad_input);
	tcase_add_test(tcase, reals_are_ordered_as_keys);
	tcase_add_test(tcase, special_reals_have_keys);
	tcase_add_test(tcase, counting_is_as_sorting);
	tcase_add_test(tcase, one_overflow_abandons_all);
	tcase_add_test(tcase, hostile_keys_do_not_take_long);
	tcase_add_loop_test(tcase, counting_gives_the_same, 0, 2);
	tcase_add_loop_test(tcase, little_memory_gives_the_same, 0, 2);
	suite_add_tcase(suite, tcase);
	return suite;
}

int
main(void)
{
	return unit_run(make_suite());
}
