/* Heaps and their sort, against qsort. */
#include "config.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "unit.h"
#include "util/heap.h"
#include "util/prng.h"

#define N_MAX 200

struct item {
	int64_t key;
	char filling[24];
};

static inline bool
is_below(const struct item *a, const struct item *b)
{
	return a->key < b->key;
}
HEAP(lowest, struct item, is_below)

static int
compare(const void *left, const void *right)
{
	const struct item *a = left, *b = right;

	return (a->key > b->key) - (a->key < b->key);
}

static size_t
draw(struct prng *prng, struct item items[N_MAX])
{
	size_t n = prng_below(prng, N_MAX + 1);

	for (size_t i = 0; i < n; i++) {
		items[i] = (struct item){.key = (int64_t)prng_below(prng, 1 + n) - 40};
	}
	return n;
}

START_TEST(roots_come_in_order)
{
	struct prng prng = {1};
	struct item items[N_MAX], sorted[N_MAX];

	for (int round = 0; round < 300; round++) {
		size_t n = draw(&prng, items);

		memcpy(sorted, items, sizeof items);
		qsort(sorted, n, sizeof *sorted, compare);
		for (size_t i = 0; i < n; i++) {
			lowest_rise(items, i);
		}
		for (size_t i = 0; i < n; i++) {
			ck_assert_int_eq(items[0].key, sorted[i].key);
			ck_assert_int_eq(lowest_pop(items, n - i).key, sorted[i].key);
			ck_assert_int_eq(items[n - i - 1].key, sorted[i].key);
		}
	}
}
END_TEST

/* A merge of streams: what stands at the root changes and goes back. */
START_TEST(a_changed_root_sinks)
{
	struct prng prng = {1};
	struct item items[N_MAX];
	int64_t last = INT64_MIN;

	for (size_t i = 0; i < 37; i++) {
		items[i] = (struct item){.key = (int64_t)prng_below(&prng, 50)};
		lowest_rise(items, i);
	}
	for (int i = 0; i < 5000; i++) {
		ck_assert_int_ge(items[0].key, last);
		last = items[0].key;
		items[0].key += (int64_t)prng_below(&prng, 20);
		lowest_sink(items, 37, 0);
	}
}
END_TEST

START_TEST(sorts_the_root_last)
{
	struct prng prng = {1};
	struct item items[N_MAX], sorted[N_MAX];

	for (int round = 0; round < 300; round++) {
		size_t n = draw(&prng, items);

		memcpy(sorted, items, sizeof items);
		qsort(sorted, n, sizeof *sorted, compare);
		lowest_sort(items, n);
		for (size_t i = 0; i < n; i++) {
			ck_assert_int_eq(items[i].key, sorted[n - 1 - i].key);
		}
	}
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("heap");
	TCase *tcase = tcase_create("heap");

	tcase_add_test(tcase, roots_come_in_order);
	tcase_add_test(tcase, a_changed_root_sinks);
	tcase_add_test(tcase, sorts_the_root_last);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
