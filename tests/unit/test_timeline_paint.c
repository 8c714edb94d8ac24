/* What is painted is the rows of a table that say where they lie, by lane and time. */
#include "config.h"

#include "query/timeline/timeline_paint.h"
#include "tests/unit/unit.h"
#include "util/mem.h"
#include "util/prng.h"

#define LANES 3
#define ROWS 400

static const struct result_column columns[] = {
    COLUMN_KEY("run", "whose"),
    COLUMN("start", KIND_TIME, "from"),
    COLUMN("end", KIND_TIME, "to"),
    COLUMN("lane_name", KIND_TEXT, "the lane"),
    COLUMN("lane", KIND_INTEGER, "its id"),
    COLUMN("class", KIND_TEXT, "what"),
};
static const struct query_drill header = {.view = "timeline", .bindings = "lane=lane"};
static const char *const names[2] = {"mine", NULL};

static struct timeline_row rows[LANES] = {{.type = TIMELINE_LANE, .id = 0, .name = {"first", 5}},
                                          {.type = TIMELINE_LANE, .id = 1, .name = {"second", 6}},
                                          {.type = TIMELINE_LANE, .id = 2, .name = {"third", 5}}};
static const struct timeline timeline = {.rows = rows, .n_rows = LANES, .n_lanes = LANES};

static struct timeline_paint *
paint(const struct result *result)
{
	const struct drill drill = {.header = &header};

	return timeline_paint_new(&timeline, names, "all of it", &drill, result, NULL);
}

static void
add(struct result *result, const char *run, int64_t start, int64_t end, int lane, const char *class)
{
	struct value none = {.type = VALUE_NULL};

	RESULT_ADD(result, run ? value_word(result, run) : none,
	           start < 0 ? none : value_integer(start), value_integer(end),
	           lane < 0 ? value_word(result, "second") : none,
	           lane < 0 ? none : value_integer(lane), class ? value_word(result, class) : none);
}

START_TEST(rows_that_say_no_place_are_left_out)
{
	struct result *result = result_new("rows", columns, COUNT_OF(columns));
	struct timeline_paint *painted;

	add(result, "mine", 10, 20, 2, "x");
	add(result, NULL, 5, 7, -1, NULL); /* by the lane's name, of no class */
	add(result, "mine", 1, 3, 7, "x"); /* no such lane */
	add(result, "mine", -1, 3, 0, "x");
	add(result, "other", 1, 3, 0, "x");
	add(result, "mine", 9, 4, 0, "x"); /* an instant: it ends before it begins */
	painted = paint(result);
	ck_assert_uint_eq(painted->n_rows, 6);
	ck_assert_uint_eq(painted->n, 3);
	ck_assert_uint_eq(painted->stretches[0].row, 5);
	ck_assert_int_eq(painted->stretches[0].end_ns, 9);
	ck_assert_uint_eq(painted->stretches[1].lane, 1);
	ck_assert_str_eq(painted->classes[painted->stretches[1].class].name, "all of it");
	ck_assert_uint_eq(painted->by_time[0], 1);
	ck_assert_int_eq(painted->by_lane[2], 1);
	timeline_paint_free(painted);
	result_free(result);
}
END_TEST

/* The most time first; the last class takes what is too many. */
START_TEST(classes_add_up)
{
	struct result *result = result_new("rows", columns, COUNT_OF(columns));
	struct timeline_paint *painted;
	int64_t n = 0, sum = 0;

	for (int i = 0; i < 12; i++) {
		char name[20];

		snprintf(name, sizeof name, "class %d", i);
		add(result, NULL, 0, 100 - i, 0, arena_strdup(result->arena, name));
		sum += 100 - i;
	}
	painted = paint(result);
	ck_assert_uint_eq(painted->n_classes, PAINT_CLASSES);
	ck_assert_str_eq(painted->classes[0].name, "class 0");
	ck_assert_str_eq(painted->classes[PAINT_CLASSES - 1].name, "others");
	for (uint32_t i = 0; i < painted->n_classes; i++) {
		n += painted->classes[i].n;
		sum -= painted->classes[i].sum_ns;
		for (uint32_t k = 0; k < i; k++) {
			ck_assert_int_ne(painted->classes[i].mark, painted->classes[k].mark);
		}
	}
	ck_assert_int_eq(n, 12);
	ck_assert_int_eq(sum, 0);
	timeline_paint_free(painted);
	result_free(result);
}
END_TEST

/* From the first stretch that a window's lane is asked of, none that overlaps it is missed. */
START_TEST(a_window_finds_all)
{
	struct result *result = result_new("rows", columns, COUNT_OF(columns));
	struct timeline_paint *painted;
	struct prng prng = {(uint64_t)_i};

	for (int i = 0; i < ROWS; i++) {
		int64_t start = (int64_t)(prng_below(&prng, 1000));

		add(result, NULL, start, start + (int64_t)(prng_below(&prng, i % 9 ? 20 : 300)),
		    (int)(prng_below(&prng, LANES)), "x");
	}
	painted = paint(result);
	ck_assert_uint_eq(painted->n, ROWS);
	for (int64_t at = 0; at < 1300; at += 7) {
		for (uint32_t lane = 0; lane < LANES; lane++) {
			size_t found = 0, all = 0, k = timeline_paint_from(painted, lane, at);

			for (; k < painted->firsts[lane + 1]; k++) {
				found += painted->stretches[k].end_ns >= at;
			}
			for (size_t i = 0; i < painted->n; i++) {
				all += painted->stretches[i].lane == lane &&
				       painted->stretches[i].end_ns >= at;
			}
			ck_assert_uint_eq(found, all);
		}
	}
	for (size_t i = 1; i < painted->n; i++) {
		ck_assert_int_le(painted->stretches[painted->by_time[i - 1]].start_ns,
		                 painted->stretches[painted->by_time[i]].start_ns);
	}
	timeline_paint_free(painted);
	result_free(result);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("timeline_paint");
	TCase *tests = tcase_create("timeline_paint");

	tcase_add_test(tests, rows_that_say_no_place_are_left_out);
	tcase_add_test(tests, classes_add_up);
	tcase_add_loop_test(tests, a_window_finds_all, 0, 5);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
