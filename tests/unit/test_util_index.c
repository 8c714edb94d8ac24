/* An index against a plain search. */
#include "config.h"

#include "unit.h"
#include "util/index.h"
#include "util/intern.h"

#define N_KEYS 3000
#define N_MANY 700000

static uint32_t
find(const struct index *index, const uint64_t *keys, uint64_t key, uint64_t hash)
{
	uint32_t entry;

	INDEX_FIND(entry, index, hash, keys[entry] == key);
	return entry;
}

/* With hashes of few bits, entries of one hash stand between each other's. */
START_TEST(finds_what_was_added)
{
	static const uint64_t masks[] = {0, 7, 255, UINT32_MAX, UINT64_MAX};
	static uint64_t keys[N_KEYS];

	for (size_t m = 0; m < sizeof masks / sizeof *masks; m++) {
		struct index index = {0};
		size_t n_keys = masks[m] < 8 ? 300 : N_KEYS;

		for (uint32_t i = 0; i < n_keys; i++) {
			uint64_t key = i * 3, hash = hash_mix(key) & masks[m];

			ck_assert_uint_eq(find(&index, keys, key, hash), INDEX_NONE);
			keys[i] = key;
			index_add(&index, hash, i);
		}
		for (uint64_t key = 0; key < n_keys * 3; key++) {
			ck_assert_uint_eq(find(&index, keys, key, hash_mix(key) & masks[m]),
			                  key % 3 ? INDEX_NONE : key / 3);
		}
		ck_assert_uint_ge(index_bytes(&index), n_keys / 4 * 5 * sizeof(struct index_slot));
		index_free(&index);
		ck_assert_uint_eq(find(&index, keys, 0, 0), INDEX_NONE);
		ck_assert_uint_eq(index_bytes(&index), 0);
	}
}
END_TEST

START_TEST(gives_all_entries_of_a_hash)
{
	struct index index = {0};
	uint32_t seen = 0, entry;

	for (uint32_t i = 0; i < 30; i++) {
		index_add(&index, i % 3 ? 5 + 64 * (i % 3) : 5, i);
	}
	for (uint32_t passed = 0; (entry = index_next(&index, 5, &passed)) != INDEX_NONE;) {
		ck_assert_uint_eq(entry % 3, 0);
		seen |= 1u << entry;
	}
	ck_assert_uint_eq(seen, 0x09249249u);
	index_free(&index);
}
END_TEST

/* However many there are: where slots double, it would be up to 21, and 32 while it grows. */
START_TEST(takes_few_bytes)
{
	struct index index = {0};
	uint32_t entry;

	for (uint32_t i = 0; i < N_MANY; i++) {
		index_add(&index, hash_mix(i), i);
		ck_assert(i % 1000 || i < N_MANY / 4 || index_bytes(&index) <= 13 * (size_t)i);
	}
	for (uint32_t i = 0; i < N_MANY * 2; i++) {
		INDEX_FIND(entry, &index, hash_mix(i), entry == i);
		ck_assert_uint_eq(entry, i < N_MANY ? i : INDEX_NONE);
	}
	index_free(&index);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("index");
	TCase *tcase = tcase_create("index");

	tcase_add_test(tcase, finds_what_was_added);
	tcase_add_test(tcase, takes_few_bytes);
	tcase_add_test(tcase, gives_all_entries_of_a_hash);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
