/* Two runs on one axis: times aligned, whole nanoseconds and back; rows matched into one
 * timeline. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "query/timeline/timeline_pair.h"
#include "util/mem.h"
#include "util/prng.h"
#include "unit/unit.h"

START_TEST(times_align)
{
	struct pair_axis axis = {ALIGN_START, {1000, 400}, {300, 100}};

	ck_assert_int_eq(pair_axis_length(&axis), 1000);
	ck_assert_int_eq(pair_axis_time(&axis, 1, 50), 50);
	axis.alignment = ALIGN_SCALED;
	ck_assert_int_eq(pair_axis_time(&axis, 0, 1000), 1000);
	ck_assert_int_eq(pair_axis_time(&axis, 1, 1000), 400);
	ck_assert_int_eq(pair_axis_point(&axis, 1, 400), 1000);
	ck_assert_int_eq(pair_axis_point(&axis, 1, 1), 3);  /* the first one of its own */
	ck_assert_int_eq(pair_axis_time(&axis, 1, -1), -1); /* before the run, too */
	axis.alignment = ALIGN_ANCHOR;
	ck_assert_int_eq(pair_axis_length(&axis), 1000);
	ck_assert_int_eq(pair_axis_time(&axis, 0, 300), 300);
	ck_assert_int_eq(pair_axis_time(&axis, 1, 300), 100);
	ck_assert_int_eq(pair_axis_time(&axis, 1, 0), -200);
	ck_assert_int_eq(pair_axis_point(&axis, 1, 100), 300);
}
END_TEST

/* Any time of a run is found again at its point, points keep their order, none lies outside. */
START_TEST(points_are_the_inverse)
{
	struct prng prng = {7};

	for (int i = 0; i < 20000; i++) {
		int64_t limit = INT64_C(1) << (1 + prng_below(&prng, 61));
		struct pair_axis axis = {(enum pair_alignment)prng_below(&prng, PAIR_ALIGNMENTS),
		                         {1 + (int64_t)prng_below(&prng, (uint64_t)limit),
		                          1 + (int64_t)prng_below(&prng, (uint64_t)limit)},
		                         {0, 0}};
		int side = (int)prng_below(&prng, 2);

		for (int k = 0; k < 2; k++) {
			axis.anchor_ns[k] =
			    (int64_t)prng_below(&prng, (uint64_t)axis.duration_ns[k]);
		}
		int64_t length = pair_axis_length(&axis);
		int64_t time = (int64_t)prng_below(&prng, (uint64_t)axis.duration_ns[side]);
		int64_t point = pair_axis_point(&axis, side, time);

		ck_assert_int_ge(point, 0);
		ck_assert_int_le(point, length);
		ck_assert_int_eq(pair_axis_time(&axis, side, point), time);
		ck_assert_int_lt(pair_axis_time(&axis, side, point - 1), time);
		ck_assert_int_le(pair_axis_point(&axis, side, axis.duration_ns[side]), length);
	}
}
END_TEST

/* ---- rows ---- */

static struct timeline_row
row(enum timeline_row_type type, const char *name, size_t n_below, int64_t busy_ns)
{
	return (struct timeline_row){
	    .type = type, .name = slice_of(name), .n_below = n_below, .busy_ns = busy_ns};
}

static struct timeline *
timeline_with(const struct timeline_row *rows, size_t n)
{
	struct timeline *timeline;

	MEM_NEW(timeline, 1);
	atomic_init(&timeline->references, 1);
	timeline->arena = arena_new();
	timeline->rows = arena_copy(timeline->arena, rows, n * sizeof *rows);
	timeline->n_rows = n;
	for (size_t i = 0; i < n; i++) {
		if (rows[i].type == TIMELINE_LANE) {
			timeline->rows[i].id = timeline->n_lanes++;
		}
	}
	return timeline;
}

/* "A x  B x  A only ...", with > before a row that leads a pair and the depth as dots. */
static void
expect_rows(const struct timeline *timeline, const char *wanted)
{
	struct strbuf text = {0};

	for (size_t i = 0; i < timeline->n_rows; i++) {
		strbuf_printf(&text, "%s%s%c %.*s+%zu", i > 0 ? "  " : "",
		              timeline->rows[i].leads_pair ? ">" : "",
		              timeline->rows[i].side == 2 ? 'B' : 'A',
		              (int)timeline->rows[i].name.len, timeline->rows[i].name.ptr,
		              timeline->rows[i].n_below);
	}
	ck_assert_str_eq(text.data, wanted);
	strbuf_free(&text);
}

static void
expect_merged(const struct timeline_row *a, size_t n_a, const struct timeline_row *b, size_t n_b,
              const char *wanted)
{
	struct timeline *left = timeline_with(a, n_a), *right = timeline_with(b, n_b);
	struct timeline *both = timeline_of_two(left, right, 100);

	timeline_release(left);
	timeline_release(right);
	expect_rows(both, wanted);
	for (size_t i = 0; i < both->n_rows; i++) {
		int side = both->rows[i].side == 2;
		size_t origin = both->pair->origins[i];
		size_t other = timeline_counterpart(both, i);

		ck_assert_uint_eq(both->pair->rows[side][origin], i);
		ck_assert(other == SIZE_MAX || timeline_counterpart(both, other) == i);
		if (both->rows[i].type == TIMELINE_LANE) {
			ck_assert_int_eq(timeline_side_of_lane(both, both->rows[i].id), side);
			ck_assert_int_eq(timeline_own_lane(both, both->rows[i].id),
			                 both->pair->sides[side]->rows[origin].id);
		}
	}
	ck_assert_int_eq(timeline_own_span(both, timeline_shared_span(both, 1, 5)), 5);
	ck_assert_int_eq(timeline_side_of_span(both, timeline_shared_span(both, 1, 1)), 1);
	ck_assert_int_eq(timeline_side_of_span(both, 100), 0);
	timeline_release(both);
}

START_TEST(lanes_match_by_name_then_by_rank)
{
	const struct timeline_row a[] = {
	    row(TIMELINE_LANE, "x", 0, 1), row(TIMELINE_LANE, "only a", 0, 9),
	    row(TIMELINE_LANE, "y", 0, 5), row(TIMELINE_LANE, "less", 0, 2)};
	const struct timeline_row b[] = {row(TIMELINE_LANE, "y", 0, 5),
	                                 row(TIMELINE_LANE, "only b", 0, 3),
	                                 row(TIMELINE_LANE, "x", 0, 7)};

	expect_merged(a, COUNT_OF(a), b, COUNT_OF(b),
	              ">A x+0  B x+0  >A only a+0  B only b+0  >A y+0  B y+0  A less+0");
	expect_merged(b, COUNT_OF(b), a, COUNT_OF(a),
	              ">A y+0  B y+0  >A only b+0  B only a+0  >A x+0  B x+0  B less+0");
}
END_TEST

START_TEST(equal_names_match_in_order)
{
	const struct timeline_row a[] = {row(TIMELINE_LANE, "x", 0, 1),
	                                 row(TIMELINE_LANE, "x", 0, 2)};

	expect_merged(a, COUNT_OF(a), a, COUNT_OF(a), ">A x+0  B x+0  >A x+0  B x+0");
}
END_TEST

/* What is below both hosts is below B's; a host of one run keeps its own. */
START_TEST(groups_match_before_what_is_in_them)
{
	const struct timeline_row a[] = {
	    row(TIMELINE_HOST, "h", 2, 0), row(TIMELINE_LANE, "x", 0, 1),
	    row(TIMELINE_LANE, "y", 0, 1), row(TIMELINE_HOST, "i", 1, 0),
	    row(TIMELINE_LANE, "z", 0, 1)};
	const struct timeline_row b[] = {row(TIMELINE_HOST, "h", 1, 0),
	                                 row(TIMELINE_LANE, "y", 0, 1)};

	expect_merged(a, COUNT_OF(a), b, COUNT_OF(b),
	              ">A h+0  B h+3  A x+0  >A y+0  B y+0  A i+1  A z+0");
	expect_merged(b, COUNT_OF(b), a, COUNT_OF(a),
	              ">A h+0  B h+3  >A y+0  B y+0  B x+0  B i+1  B z+0");
	expect_merged(a, 0, b, COUNT_OF(b), "B h+1  B y+0");
}
END_TEST

/* Nothing is paired across kinds: a counter is no lane. */
START_TEST(kinds_do_not_mix)
{
	const struct timeline_row a[] = {row(TIMELINE_LANE, "x", 0, 1),
	                                 row(TIMELINE_COUNTER, "c", 0, 0)};
	const struct timeline_row b[] = {row(TIMELINE_COUNTER, "x", 0, 0),
	                                 row(TIMELINE_HOST, "x", 0, 1)};

	expect_merged(a, COUNT_OF(a), b, COUNT_OF(b), "A x+0  A c+0  B x+0  B x+0");
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("pair_axis");
	TCase *tests = tcase_create("pair_axis");

	tcase_add_test(tests, times_align);
	tcase_add_test(tests, points_are_the_inverse);
	tcase_add_test(tests, lanes_match_by_name_then_by_rank);
	tcase_add_test(tests, equal_names_match_in_order);
	tcase_add_test(tests, groups_match_before_what_is_in_them);
	tcase_add_test(tests, kinds_do_not_mix);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
