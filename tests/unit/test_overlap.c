/* Overlaps of two sets of spans against a reference that marks what is covered, nanosecond by
 * nanosecond (in coarse units). */
#include "config.h"

#include <inttypes.h>

#include "unit/scan_fixture.h"

struct side {
	const char *filter;
	bool (*accepts)(const struct fixture_row *row);
};

static bool
is_read(const struct fixture_row *row)
{
	return strcmp(row->name, "read") == 0;
}

static bool
is_posix(const struct fixture_row *row)
{
	return row->category && strcmp(row->category, "POSIX") == 0;
}

static bool
is_any(const struct fixture_row *row)
{
	(void)row;
	return true;
}

static bool
is_nothing(const struct fixture_row *row)
{
	return row->id < 0;
}

static const struct side sides[] = {{"name = 'read'", is_read},
                                    {"category = 'POSIX'", is_posix},
                                    {"", is_any},
                                    {"id < 0", is_nothing}};
#define SIDES (sizeof(sides) / sizeof(sides[0]))

/* Adds up the lengths of what is in a, in b and in both, by the borders of all intervals. */
struct border {
	int64_t at;
	int a, b; /* +1, -1 */
};

static int
compare_borders(const void *pa, const void *pb)
{
	const struct border *a = pa, *b = pb;
	return (a->at > b->at) - (a->at < b->at);
}

static struct overlap_window
reference_window(const struct fixture *fixture, const struct side *a, const struct side *b,
                 int64_t start, int64_t end)
{
	struct overlap_window window = {.start_ns = start};
	size_t n = 0, n_rows = fixture->n_rows[BLOCK_SPAN];
	struct border *borders = xcalloc(n_rows * 2, sizeof *borders);
	for (size_t i = 0; i < n_rows; i++) {
		const struct fixture_row *row = &fixture->rows[BLOCK_SPAN][i];
		bool in_a = a->accepts(row), in_b = b->accepts(row);
		if (row->start < start || row->start >= end || !(in_a || in_b)) {
			continue;
		}
		window.n_a += in_a;
		window.n_b += in_b;
		borders[n++] = (struct border){row->start, in_a, in_b};
		borders[n++] = (struct border){row->start + row->duration, -in_a, -in_b};
	}
	qsort(borders, n, sizeof *borders, compare_borders);
	int open_a = 0, open_b = 0;
	for (size_t i = 0; i + 1 < n; i++) {
		open_a += borders[i].a;
		open_b += borders[i].b;
		int64_t length = borders[i + 1].at - borders[i].at;
		window.a_ns += open_a ? length : 0;
		window.b_ns += open_b ? length : 0;
		window.both_ns += open_a && open_b ? length : 0;
	}
	free(borders);
	return window;
}

static void
check_overlap(struct fixture *fixture, const struct side *a, const struct side *b, int64_t width,
              unsigned n_threads)
{
	struct err err = ERR_INIT;
	struct overlap_request request = {.a = a->filter, .b = b->filter, .window_ns = width};
	struct overlap_window *windows = NULL;
	fixture->dataset.n_threads = n_threads;
	int64_t n = overlap_run(&fixture->dataset, &request, &windows, &err), next = 0, last = 0;
	ck_assert_msg(n >= 0, "%s", err.message);
	for (size_t i = 0; i < fixture->n_rows[BLOCK_SPAN]; i++) {
		last = fixture->rows[BLOCK_SPAN][i].start > last
		           ? fixture->rows[BLOCK_SPAN][i].start
		           : last;
	}
	for (int64_t start = 0; start <= (width > 0 ? last : 0); start += width > 0 ? width : 1) {
		struct overlap_window want =
		    reference_window(fixture, a, b, start, width > 0 ? start + width : INT64_MAX);
		if (width > 0 && want.n_a + want.n_b == 0) {
			continue;
		}
		FIXTURE_CHECK(next < n, "only %" PRId64 " windows", n);
		FIXTURE_CHECK(memcmp(&windows[next], &want, sizeof want) == 0,
		              "%s | %s by %" PRId64 ": window at %" PRId64 ": %" PRId64 " %" PRId64
		              " %" PRId64 ", not %" PRId64 " %" PRId64 " %" PRId64,
		              a->filter, b->filter, width, start, windows[next].a_ns,
		              windows[next].b_ns, windows[next].both_ns, want.a_ns, want.b_ns,
		              want.both_ns);
		next++;
	}
	ck_assert_int_eq(n, next);
	free(windows);
}

START_TEST(all_pairs_and_widths)
{
	static const int64_t widths[] = {0, 10000, 333333, 1000000000};
	struct fixture *fixture = fixture_new(31, 800, 300, false);
	for (size_t i = 0; i < SIDES * SIDES; i++) {
		for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
			check_overlap(fixture, &sides[i / SIDES], &sides[i % SIDES], widths[w],
			              (unsigned)(i % 3) * 3 + 1);
		}
	}
	fixture_free(fixture);
}
END_TEST

START_TEST(extremes_do_not_overflow)
{
	struct fixture *fixture = fixture_new(32, 300, 100, true);
	check_overlap(fixture, &sides[0], &sides[2], 0, 2);
	check_overlap(fixture, &sides[1], &sides[0], 50000, 2);
	fixture_free(fixture);
}
END_TEST

START_TEST(errors)
{
	struct fixture *fixture = fixture_new(33, 50, 100, false);
	struct err err = ERR_INIT;
	struct overlap_window *windows = NULL;
	struct overlap_request request = {.a = "name = 'read'", .b = "nme = 1"};
	ck_assert_int_eq(overlap_run(&fixture->dataset, &request, &windows, &err), -1);
	ck_assert_int_eq(err.code, ERR_QUERY);
	ck_assert_msg(strncmp(err.message, "second set: filter, character 1", 31) == 0, "%s",
	              err.message);
	struct cancel cancel;
	atomic_init(&cancel.requested, true);
	request = (struct overlap_request){.cancel = &cancel};
	ck_assert_int_eq(overlap_run(&fixture->dataset, &request, &windows, &err), -1);
	ck_assert_int_eq(err.code, ERR_CANCELLED);
	ck_assert_ptr_null(windows);
	/* What was not read whole is not said to have no windows. */
	err = (struct err)ERR_INIT;
	request = (struct overlap_request){
	    .a = "id < 0", .b = "id < 0", .window_ns = 1000, .cancel = &cancel};
	ck_assert_int_eq(overlap_run(&fixture->dataset, &request, &windows, &err), -1);
	ck_assert_int_eq(err.code, ERR_CANCELLED);
	fixture_free(fixture);
}
END_TEST

static Suite *
make_suite(void)
{
	Suite *suite = suite_create("overlap");
	TCase *tcase = tcase_create("overlap");
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, all_pairs_and_widths);
	tcase_add_test(tcase, extremes_do_not_overflow);
	tcase_add_test(tcase, errors);
	suite_add_tcase(suite, tcase);
	return suite;
}

int
main(void)
{
	return unit_run(make_suite());
}
