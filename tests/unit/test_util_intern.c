/* Interning: dense ids in order of appearance, stable texts; the hash's bytes all count. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "unit.h"
#include "util/intern.h"
#include "util/mem.h"
#include "util/prng.h"
#include "util/spill.h"

START_TEST(ids_are_dense_and_in_order)
{
	struct intern *intern = intern_new();

	ck_assert_uint_eq(intern_find(intern, slice_of("a")), INTERN_NONE);
	ck_assert_uint_eq(intern_id(intern, slice_of("a")), 0);
	ck_assert_uint_eq(intern_id(intern, slice_of("")), 1);
	ck_assert_uint_eq(intern_id(intern, slice_of("a")), 0);
	ck_assert_uint_eq(intern_id(intern, (struct slice){"a\0b", 3}), 2);
	ck_assert_uint_eq(intern_id(intern, (struct slice){NULL, 0}), 1);
	ck_assert_uint_eq(intern_find(intern, (struct slice){"a\0b", 3}), 2);
	ck_assert_uint_eq(intern_count(intern), 3);
	ck_assert(slice_is(intern_text(intern, 0), "a"));
	ck_assert_uint_eq(intern_text(intern, 1).len, 0);
	intern_free(intern);
	intern_free(NULL);
}
END_TEST

START_TEST(reserved_ids_are_found_by_no_text)
{
	struct intern *intern = intern_new();

	ck_assert_uint_eq(intern_id(intern, slice_of("a")), 0);
	ck_assert_uint_eq(intern_reserve(intern), 1);
	ck_assert_uint_eq(intern_find(intern, slice_of("")), INTERN_NONE);
	ck_assert_uint_eq(intern_id(intern, slice_of("")), 2);
	ck_assert_uint_eq(intern_text(intern, 1).len, 0);
	ck_assert_uint_eq(intern_count(intern), 3);
	for (unsigned i = 0; i < 1000; i++) { /* the table grows past them */
		char text[16];
		snprintf(text, sizeof text, "t%u", i);
		ck_assert_uint_eq(intern_reserve(intern), 3 + 2 * i);
		ck_assert_uint_eq(intern_id(intern, slice_of(text)), 4 + 2 * i);
	}
	ck_assert_uint_eq(intern_find(intern, slice_of("t7")), 18);
	intern_free(intern);
}
END_TEST

START_TEST(many_texts_stay_in_place)
{
	struct intern *intern = intern_new();
	enum { N = 200000 };
	char text[32];
	const char *first = NULL;

	for (uint32_t i = 0; i < N; i++) {
		int n = snprintf(text, sizeof text, "%x/path/%u", i * 2654435761u, i);
		ck_assert_uint_eq(intern_id(intern, (struct slice){text, (size_t)n}), i);
		first = i ? first : intern_text(intern, 0).ptr;
	}
	ck_assert_ptr_eq(intern_text(intern, 0).ptr, first);
	for (uint32_t i = 0; i < N; i++) {
		int n = snprintf(text, sizeof text, "%x/path/%u", i * 2654435761u, i);
		struct slice slice = {text, (size_t)n};
		ck_assert_uint_eq(intern_find(intern, slice), i);
		ck_assert(slice_equal(intern_text(intern, i), slice));
	}
	ck_assert_uint_eq(intern_find(intern, slice_of("absent")), INTERN_NONE);
	intern_free(intern);
}
END_TEST

START_TEST(every_byte_and_the_length_change_the_hash)
{
	struct prng prng = {4};
	unsigned char bytes[80];

	for (size_t length = 0; length < sizeof bytes; length++) {
		for (size_t i = 0; i < sizeof bytes; i++) {
			bytes[i] = (unsigned char)prng_next(&prng);
		}
		uint64_t hash = hash_bytes(bytes, length, 7);
		ck_assert_uint_eq(hash, hash_bytes(bytes, length, 7));
		ck_assert_uint_ne(hash, hash_bytes(bytes, length, 8));
		ck_assert_uint_ne(hash, hash_bytes(bytes, length + 1, 7));
		for (size_t i = 0; i < length; i++) {
			bytes[i] ^= (unsigned char)(1u << (i % 8));
			ck_assert_uint_ne(hash, hash_bytes(bytes, length, 7));
			bytes[i] ^= (unsigned char)(1u << (i % 8));
		}
	}
}
END_TEST

/* Names of files are made of it: it stays what it is. */
START_TEST(hashes_stay)
{
	static const char text[] = "abcdefghijklmnopqrstuvwxyz0123456789";
	static const struct {
		size_t length;
		uint64_t hash;
	} known[] = {
	    {0, UINT64_C(0x4ec663d16bc6f09f)},  {1, UINT64_C(0xced08cdbd792add7)},
	    {2, UINT64_C(0x7268378b5064d9f7)},  {3, UINT64_C(0x5f68c7cdbd2a5e3c)},
	    {4, UINT64_C(0xb88bd515562b5da9)},  {5, UINT64_C(0x90d364aa57c928b3)},
	    {7, UINT64_C(0xbcac8c778d6cfc8c)},  {8, UINT64_C(0x8427ac473d58ee35)},
	    {9, UINT64_C(0xd15d56d5822f1a9c)},  {15, UINT64_C(0x484e099dfb3fba53)},
	    {16, UINT64_C(0xfb52199904ae9534)}, {17, UINT64_C(0x74d919137de3e667)},
	    {31, UINT64_C(0xbcc26558b9062957)}, {32, UINT64_C(0x4a5c4daff3098b24)},
	    {33, UINT64_C(0x902a5a91462b856a)}, {36, UINT64_C(0x260d3c1e4363a354)},
	};

	for (size_t i = 0;
	     __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && i < sizeof known / sizeof *known; i++) {
		ck_assert_uint_eq(hash_bytes(text, known[i].length, 5), known[i].hash);
	}
}
END_TEST

START_TEST(hashes_spread)
{
	/* Numbers as text, as in file names: low 16 bits should fill like random ones (63.2 %). */
	static unsigned char seen[65536];
	unsigned distinct = 0;
	char text[32];

	for (unsigned i = 0; i < 65536; i++) {
		int n = snprintf(text, sizeof text, "img_%06u.bin", i);
		uint64_t hash = hash_bytes(text, (size_t)n, 1);
		distinct += !seen[hash & 65535];
		seen[hash & 65535] = 1;
	}
	ck_assert_uint_gt(distinct, 40800);
	ck_assert_uint_lt(distinct, 42100);
}
END_TEST

/* Texts of all lengths, more than an arena takes, all in a file: found and read as any. */
START_TEST(texts_in_a_file_are_as_any)
{
	enum { TEXTS = 20000, LONG = 3 << 20 };
	struct spill *spill = spill_new("/tmp", 0);
	struct intern *intern = intern_new_spilled(spill);
	char *bytes = xcalloc(1, LONG);

	for (uint32_t round = 0; round < 2; round++) {
		for (uint32_t i = 0; i < TEXTS; i++) {
			size_t length = i == TEXTS / 2 ? LONG : 4 + i % 500;
			memset(bytes, 'x', length);
			memcpy(bytes, &i, sizeof i);
			struct slice text = {bytes, length};
			ck_assert_uint_eq(
			    round ? intern_find(intern, text) : intern_id(intern, text), i);
			ck_assert(slice_equal(intern_text(intern, i), text));
		}
	}
	ck_assert_uint_gt(spill_file_bytes(spill), 4u << 20);
	free(bytes);
	intern_free(intern);
	spill_free(spill);
}
END_TEST

START_TEST(a_reserved_id_gets_its_text)
{
	struct intern *intern = intern_new();
	uint32_t known = intern_id(intern, slice_of("known"));
	uint32_t first = intern_reserve(intern), second = intern_reserve(intern);

	ck_assert_uint_eq(intern_text(intern, first).len, 0);
	ck_assert_uint_eq(intern_settle(intern, first, slice_of("told")), first);
	ck_assert_uint_eq(intern_settle(intern, second, slice_of("known")), known);
	ck_assert_uint_eq(intern_find(intern, slice_of("told")), first);
	ck_assert(slice_is(intern_text(intern, first), "told"));
	ck_assert_uint_eq(intern_text(intern, second).len, 0);
	intern_free(intern);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("util_intern");
	TCase *tests = tcase_create("intern");

	tcase_add_test(tests, texts_in_a_file_are_as_any);
	tcase_add_test(tests, a_reserved_id_gets_its_text);
	tcase_add_test(tests, ids_are_dense_and_in_order);
	tcase_add_test(tests, reserved_ids_are_found_by_no_text);
	tcase_add_test(tests, many_texts_stay_in_place);
	tcase_add_test(tests, every_byte_and_the_length_change_the_hash);
	tcase_add_test(tests, hashes_stay);
	tcase_add_test(tests, hashes_spread);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
