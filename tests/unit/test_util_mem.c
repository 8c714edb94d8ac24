/* Memory: growth, limits, the arena's alignment and lifetime. */
#include "config.h"

#include <stdint.h>
#include <string.h>
#include <sys/wait.h>

#include "unit.h"
#include "util/mem.h"
#include "util/prng.h"

START_TEST(grow_doubles_and_keeps_contents)
{
	size_t capacity = 0;
	int *numbers = NULL;
	unsigned moves = 0;

	for (size_t i = 0; i < 10000; i++) {
		size_t before = capacity;
		numbers = mem_grow(numbers, &capacity, i + 1, sizeof *numbers);
		moves += before != capacity;
		numbers[i] = (int)i;
	}
	ck_assert_uint_le(moves, 12);
	for (size_t i = 0; i < 10000; i++) {
		ck_assert_int_eq(numbers[i], (int)i);
	}
	size_t kept = capacity;
	ck_assert_ptr_eq(mem_grow(numbers, &capacity, 5, sizeof *numbers), numbers);
	ck_assert_uint_eq(capacity, kept);
	free(numbers);
}
END_TEST

START_TEST(zero_sizes_give_memory)
{
	void *a = xmalloc(0), *b = xcalloc(0, 8), *c = xrealloc_array(NULL, 0, 8);

	ck_assert_ptr_nonnull(a);
	ck_assert_ptr_nonnull(b);
	ck_assert_ptr_nonnull(c);
	free(a);
	free(b);
	free(c);
	char *text = xstrndup("abc", 2);
	ck_assert_str_eq(text, "ab");
	free(text);
}
END_TEST

START_TEST(try_refuses_what_is_too_large)
{
	void *memory = mem_try(10, 10, 100);

	ck_assert_ptr_nonnull(memory);
	free(memory);
	ck_assert_ptr_null(mem_try(10, 10, 99));
	ck_assert_ptr_null(mem_try(SIZE_MAX / 2, 4, SIZE_MAX)); /* overflow */
}
END_TEST

START_TEST(try_fails_where_told)
{
	mem_fail_at(2);
	void *first = mem_try(1, 1, 1), *second = mem_try(1, 1, 1), *third = mem_try(1, 1, 1);
	ck_assert_ptr_nonnull(first);
	ck_assert_ptr_null(second);
	ck_assert_ptr_nonnull(third);
	free(first);
	free(third);
}
END_TEST

static void
hook(void)
{
	ssize_t ignored = write(STDERR_FILENO, "hook\n", 5);
	(void)ignored;
}

START_TEST(overflow_ends_the_program_after_the_hook)
{
	int ends[2], status;
	char said[64] = "";

	ck_assert_int_eq(pipe(ends), 0);
	pid_t child = fork();
	if (child == 0) {
		dup2(ends[1], STDERR_FILENO);
		mem_on_exhausted(hook);
		free(xrealloc_array(NULL, SIZE_MAX / 2, 4));
		_exit(0);
	}
	close(ends[1]);
	for (size_t n = 0; n < sizeof said - 1;) {
		ssize_t got = read(ends[0], said + n, sizeof said - 1 - n);
		if (got <= 0) {
			break;
		}
		n += (size_t)got;
	}
	close(ends[0]);
	waitpid(child, &status, 0);
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), 2);
	ck_assert_str_eq(said, "hook\nlanescope: out of memory: give more with --memory SIZE\n");
}
END_TEST

START_TEST(arena_memory_is_aligned_and_does_not_overlap)
{
	struct arena *arena = arena_new();
	struct prng prng = {1};
	enum { N = 3000 };
	static unsigned char *pieces[N];
	static size_t sizes[N];

	for (size_t i = 0; i < N; i++) {
		sizes[i] = (size_t)prng_below(&prng, i % 100 == 0 ? 20000 : 60);
		pieces[i] =
		    i % 3 ? arena_alloc(arena, sizes[i]) : arena_copy(arena, "c", sizes[i] = 1);
		ck_assert_uint_eq((uintptr_t)pieces[i] % 16, 0);
		memset(pieces[i], (int)(i & 255), sizes[i]);
		if (i % 7 == 0) {
			ck_assert_str_eq(arena_strndup(arena, "xyz", 2), "xy");
		}
	}
	for (size_t i = 0; i < N; i++) {
		for (size_t j = 0; j < sizes[i]; j++) {
			ck_assert_uint_eq(pieces[i][j], i & 255);
		}
	}
	arena_free(arena);
}
END_TEST

START_TEST(arena_prints_and_zeroes)
{
	struct arena *arena = arena_new();
	static const unsigned char zeros[5000];

	ck_assert_str_eq(arena_printf(arena, "%d-%s", 12, "ab"), "12-ab");
	ck_assert_str_eq(arena_printf(arena, "%s", ""), "");
	for (int i = 0; i < 10; i++) {
		memset(arena_alloc(arena, 3000), 255, 3000);
		ck_assert_int_eq(memcmp(arena_zalloc(arena, sizeof zeros), zeros, sizeof zeros), 0);
	}
	arena_free(arena);
	arena_free(NULL);
}
END_TEST

START_TEST(arena_reset_gives_memory_back)
{
	struct arena *arena = arena_new();

	arena_reset(arena);
	for (int round = 0; round < 5; round++) {
		for (int i = 0; i < 1000; i++) {
			arena_alloc(arena, 10000);
		}
		arena_alloc(arena, (size_t)4 << 20);
		ck_assert_uint_ge(arena_bytes(arena), 14000000);
		arena_reset(arena);
		ck_assert_uint_le(arena_bytes(arena), (size_t)1 << 20);
	}
	arena_free(arena);
}
END_TEST

/* Chunks grow with what is held, from 512 bytes to 1 MiB; what is large has its own. */
START_TEST(arena_holds_little_more_than_asked)
{
	struct arena *arena = arena_new();

	ck_assert_uint_eq(arena_bytes(arena), 0);
	char *first = arena_alloc(arena, 0), *second = arena_alloc(arena, 1);
	ck_assert_uint_eq(arena_bytes(arena), 512);
	ck_assert_uint_eq((size_t)(second - first), 16);
	char *text = arena_strndup(arena, "a", 1), *next = arena_strdup(arena, "bc");
	ck_assert_ptr_eq(text, second + 1); /* texts are not aligned */
	ck_assert_ptr_eq(next, text + 2);
	(void)arena_alloc(arena, 129);
	ck_assert_uint_eq(arena_bytes(arena), 512);
	(void)arena_alloc(arena, 400); /* no room: beside, and the first goes on */
	ck_assert_uint_eq(arena_bytes(arena), 512 + 400 + 16);
	ck_assert_ptr_eq(arena_strdup(arena, "d"),
	                 (char *)(((uintptr_t)next + 3 + 15) / 16 * 16) + 129);
	for (int i = 0; i < 200000; i++) {
		size_t before = arena_bytes(arena), most = before / 2;
		most = most < 512 ? 512 : most > (1 << 20) ? 1 << 20 : most;
		memset(arena_alloc(arena, 100), 1, 100);
		ck_assert(arena_bytes(arena) == before || arena_bytes(arena) == before + most);
	}
	ck_assert_uint_ge(arena_bytes(arena), 200000 * 100);
	ck_assert_uint_le(arena_bytes(arena), 200000 * 112 + (2 << 20));
	arena_reset(arena);
	ck_assert_uint_eq(arena_bytes(arena), 1 << 20);
	memset(arena_alloc(arena, (1 << 18) - 16), 1, (1 << 18) - 16);
	ck_assert_uint_eq(arena_bytes(arena), 1 << 20);
	arena_free(arena);

	arena = arena_new(); /* one that holds a single large piece gives it back */
	memset(arena_alloc(arena, 2 << 20), 1, 2 << 20);
	ck_assert_uint_eq(arena_bytes(arena), (2 << 20) + 16);
	arena_reset(arena);
	ck_assert_uint_eq(arena_bytes(arena), 0);
	ck_assert_str_eq(arena_printf(arena, "%s-%d", "x", 5), "x-5");
	arena_free(arena);
}
END_TEST

START_TEST(sizes_beyond_all_end_the_program)
{
	ck_assert_uint_eq(xsize_add(SIZE_MAX - 1, 1), SIZE_MAX);
	(void)xsize_add(SIZE_MAX, 1);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("util_mem");
	TCase *tests = tcase_create("mem");

	tcase_add_test(tests, grow_doubles_and_keeps_contents);
	tcase_add_test(tests, zero_sizes_give_memory);
	tcase_add_test(tests, try_refuses_what_is_too_large);
	tcase_add_test(tests, try_fails_where_told);
	tcase_add_test(tests, overflow_ends_the_program_after_the_hook);
	tcase_add_test(tests, arena_memory_is_aligned_and_does_not_overlap);
	tcase_add_test(tests, arena_prints_and_zeroes);
	tcase_add_test(tests, arena_reset_gives_memory_back);
	tcase_add_test(tests, arena_holds_little_more_than_asked);
	tcase_add_exit_test(tests, sizes_beyond_all_end_the_program, 2);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
