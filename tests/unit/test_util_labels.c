/* Labels shortened by what they have in common: what tells them apart stays. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "unit/unit.h"
#include "util/labels.h"
#include "util/prng.h"
#include "util/utf8.h"

static void
check(const char *const *labels, size_t n, size_t columns, const char *const *wanted)
{
	struct arena *arena = arena_new();
	struct slice list[8];

	for (size_t i = 0; i < n; i++) {
		list[i] = slice_of(labels[i]);
	}
	const struct slice *shown = labels_shorten(list, n, columns, "~", arena);
	for (size_t i = 0; i < n; i++) {
		ck_assert_msg(slice_is(shown[i], wanted[i]), "%zu: '%.*s', not '%s'", i,
		              (int)shown[i].len, shown[i].ptr, wanted[i]);
	}
	arena_free(arena);
}

START_TEST(what_differs_stays)
{
	static const char *const threads[] = {"python3.8/thread 17", "python3.8/thread 18",
	                                      "python3.8/thread 203"};
	static const char *const short_threads[] = {"~/thread 17", "~/thread 18", "~/thread 203"};
	static const char *const paths[] = {"/p/lustre/data/a.npy", "/p/lustre/data/b.npy",
	                                    "/p/lustre/data/sub/c.npy"};
	static const char *const short_paths[] = {"~/a.npy", "~/b.npy", "~/sub/c.npy"};
	static const char *const kernels[] = {"void elementwise_kernel<4, add_functor<float>>(int)",
	                                      "void elementwise_kernel<4, mul_functor<float>>(int)",
	                                      "void reduce_kernel<512, 1, sum>(int)"};
	static const char *const short_kernels[] = {"void eleme~add_functor<float>~",
	                                            "void eleme~mul_functor<float>~",
	                                            "void reduce_ker~, 1, sum>(int)"};
	static const char *const groups[] = {"g-GroupInServiceInstances",
	                                     "g-GroupPendingInstances"};
	static const char *const short_groups[] = {"~InServiceInstances", "~PendingInstances"};
	static const char *const few[] = {"read", "write"};

	check(few, 2, 5, few); /* what fits stays as it is */
	check(threads, 3, 12, short_threads);
	check(paths, 3, 12, short_paths);
	check(kernels, 3, 30, short_kernels);
	check(groups, 2, 22, short_groups);
}
END_TEST

/* Different labels never look the same, equal ones do, and none is too long. */
START_TEST(different_labels_look_different)
{
	static const char *const words[] = {"void at::native::",
	                                    "vectorized",
	                                    "_kernel",
	                                    "<4, ",
	                                    "add",
	                                    "mul",
	                                    "漢字",
	                                    "float",
	                                    ">",
	                                    "/thread ",
	                                    "1",
	                                    "2",
	                                    "(int)",
	                                    "x"};
	struct prng prng = {3};

	for (int round = 0; round < 2000; round++) {
		struct arena *arena = arena_new();
		struct slice list[40];
		size_t n = 1 + prng_below(&prng, 40), columns = 6 + prng_below(&prng, 30);

		for (size_t i = 0; i < n; i++) {
			struct strbuf text = {0};

			strbuf_add_text(&text, round % 2 ? "python3.8/" : "");
			for (uint64_t k = prng_below(&prng, 12); k > 0; k--) {
				strbuf_add_text(&text, words[prng_below(&prng, 14)]);
			}
			list[i] = arena_slice(arena, strbuf_slice(&text));
			strbuf_free(&text);
		}
		const struct slice *shown = labels_shorten(list, n, columns, "…", arena);
		for (size_t i = 0; i < n; i++) {
			ck_assert(utf8_valid(shown[i]));
			ck_assert_msg(utf8_columns(shown[i]) <= columns, "%.*s of %zu",
			              (int)shown[i].len, shown[i].ptr, columns);
			for (size_t k = 0; k < i; k++) {
				ck_assert_msg(slice_equal(list[i], list[k]) ==
				                  slice_equal(shown[i], shown[k]),
				              "%.*s / %.*s: %.*s", (int)list[i].len, list[i].ptr,
				              (int)list[k].len, list[k].ptr, (int)shown[i].len,
				              shown[i].ptr);
			}
		}
		arena_free(arena);
	}
}
END_TEST

static void
check_short(const struct label_list *labels, const char *label, size_t columns, const char *wanted)
{
	struct strbuf text = {0};

	label_list_add_short(labels, slice_of(label), columns, "~", &text);
	ck_assert_msg(slice_is(strbuf_slice(&text), wanted), "'%.*s', not '%s'", (int)text.len,
	              text.data, wanted);
	strbuf_free(&text);
}

/* In the room that a bar has: its begin, unless that is all the same. */
START_TEST(one_label_shows_what_tells_it)
{
	struct slice list[] = {slice_of("efi:9a9bdd9f"), slice_of("efi:c10022aa"),
	                       slice_of("void elementwise_kernel<4, add_functor<float>>(int)"),
	                       slice_of("void elementwise_kernel<4, mul_functor<float>>(int)"),
	                       slice_of("efi:9a9bdd9f")};
	struct label_list *labels = label_list_new(list, 5);

	check_short(labels, "efi:9a9bdd9f", 12, "efi:9a9bdd9f");
	check_short(labels, "efi:9a9bdd9f", 6, "efi:9a");
	check_short(labels, "void elementwise_kernel<4, add_functor<float>>(int)", 12,
	            "void~add_fu~");
	check_short(labels, "void elementwise_kernel<4, mul_functor<float>>(int)", 40,
	            "void elementwise_kernel<4, mul_functor<f");
	check_short(labels, "unheard of", 6, "unhear");
	check_short(NULL, "unheard of", 6, "unhear");
	label_list_free(labels);
	label_list_free(NULL);
	labels = label_list_new(list, 0);
	check_short(labels, "unheard of", 6, "unhear");
	label_list_free(labels);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("util_labels");
	TCase *tests = tcase_create("util_labels");

	tcase_add_test(tests, what_differs_stays);
	tcase_add_test(tests, different_labels_look_different);
	tcase_add_test(tests, one_label_shows_what_tells_it);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
