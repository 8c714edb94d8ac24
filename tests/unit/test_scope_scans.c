/*
 * Scans in random scopes against slow references: what is in scope, what of it is inside of the
 * range, busy and idle time. Parts of a run add up to it.
 */
#include "config.h"

#include "column/ops/busy.h"
#include "column/ops/gaps.h"
#include "unit/scan_fixture.h"
#include "util/order.h"

static struct fixture *fixture;

static bool
is_any(const struct fixture_row *row)
{
	(void)row;
	return true;
}

static bool
is_posix(const struct fixture_row *row)
{
	return row->category && strcmp(row->category, "POSIX") == 0;
}

static bool
is_long_read(const struct fixture_row *row)
{
	return strcmp(row->name, "read") == 0 && row->duration > 1000;
}

static bool
is_on_node1(const struct fixture_row *row)
{
	struct row_value host = fixture_value(fixture, row, "host");
	return host.type == VALUE_IS_TEXT && slice_is(host.text, "node1");
}

static const struct {
	const char *filter;
	bool (*accepts)(const struct fixture_row *row);
} conditions[] = {
    {NULL, is_any},
    {"(category = POSIX)", is_posix},
    {"(name = read) AND (record_duration > 1us OR id < 0)", is_long_read},
    {"lane_name GLOB '*' AND (host = node1)", is_on_node1},
};
#define CONDITIONS (sizeof conditions / sizeof *conditions)

/* A scope: one of the conditions, and a range or none. */
static size_t condition;

static int64_t
end_of(const struct fixture_row *row)
{
	return time_add(row->start, row->duration);
}

static bool
is_in_range(const struct fixture_row *row)
{
	const struct dataset_scope *scope = &fixture->dataset.scope;
	return !scope->has_range ||
	       (scope->start_ns < scope->end_ns && row->start < scope->end_ns &&
	        (end_of(row) > scope->start_ns || row->start >= scope->start_ns));
}

static bool
is_in_scope(const struct fixture_row *row)
{
	return is_in_range(row) && conditions[condition].accepts(row);
}

static void
cut(int64_t *start, int64_t *end)
{
	const struct dataset_scope *scope = &fixture->dataset.scope;
	if (scope->has_range) {
		*start = *start < scope->start_ns ? scope->start_ns : *start;
		*end = *end > scope->end_ns ? scope->end_ns : *end;
	}
}

static int64_t
inside_of(const struct fixture_row *row)
{
	int64_t start = row->start, end = end_of(row);
	cut(&start, &end);
	return end > start ? end - start : 0;
}

/* Of the calls that a record stands for, as if they were spread evenly. */
static int64_t
sum_inside(const struct fixture_row *row)
{
	int64_t sum = row->has_totals ? row->totals.sum_ns : row->duration, start = row->start,
		end = end_of(row);
	cut(&start, &end);
	if (row->calls == 1 || row->duration == 0) {
		return row->calls == 1 ? inside_of(row) : sum;
	}
	return (int64_t)((__int128)sum * (end - row->start) / row->duration -
	                 (__int128)sum * (start - row->start) / row->duration);
}

static void
set_range(int64_t start, int64_t end)
{
	fixture->dataset.scope = (struct dataset_scope){true, start, end, NULL};
	fixture->dataset.scope.filter = conditions[condition].filter;
}

static void
set_random_scope(void)
{
	int64_t length = fixture->dataset.duration_ns;
	int64_t start = fixture_number(fixture, length),
		end = start + (fixture_chance(fixture, 30) ? fixture_number(fixture, 3000)
	                                                   : fixture_number(fixture, length));
	condition = (size_t)fixture_number(fixture, CONDITIONS);
	if (fixture_chance(fixture, 50)) { /* at the borders of a span */
		const struct fixture_row *row =
		    &fixture->rows[BLOCK_SPAN]
				  [fixture_number(fixture, (int64_t)fixture->n_rows[BLOCK_SPAN])];
		start = row->start;
		end = fixture_chance(fixture, 50) ? end_of(row) : start + 1000;
	}
	set_range(start, end);
	fixture->dataset.scope.has_range = fixture_chance(fixture, 80);
}

static void
check_page(void)
{
	struct page_request request = {.kind = BLOCK_SPAN, .order = "-inside", .limit = 100000};
	struct span_row *rows;
	struct err err = ERR_INIT;
	size_t expected = 0;
	int64_t n = page_run(&fixture->dataset, &request, &rows, NULL, &err);

	ck_assert_msg(n >= 0, "%s", err.message);
	for (size_t i = 0; i < fixture->n_rows[BLOCK_SPAN]; i++) {
		expected += is_in_scope(&fixture->rows[BLOCK_SPAN][i]);
	}
	ck_assert_int_eq(n, expected);
	for (int64_t i = 0; i < n; i++) {
		const struct fixture_row *row = &fixture->rows[BLOCK_SPAN][rows[i].id - 1];
		FIXTURE_CHECK(is_in_scope(row), "%" PRId64 " is not in scope", rows[i].id);
		FIXTURE_CHECK(rows[i].inside_ns == inside_of(row), "inside of %" PRId64,
		              rows[i].id);
		FIXTURE_CHECK(i == 0 || rows[i - 1].inside_ns >= rows[i].inside_ns, "order");
	}
	free(rows);
}

/* Ids by themselves, and in order, some looked up. */
static void
check_rows(void)
{
	struct row_bounds bounds = {1,
	                            INT64_MAX,
	                            INT64_MIN,
	                            INT64_MAX,
	                            INT64_MIN,
	                            INT64_MIN,
	                            INT64_MAX,
	                            -1,
	                            -1,
	                            -1,
	                            1u << FIELD_START | 1u << FIELD_DURATION};
	struct span_row row;
	struct err err = ERR_INIT;
	struct row_cursor *cursor = row_cursor_new(&fixture->dataset, BLOCK_SPAN, &bounds);
	size_t n = fixture->n_rows[BLOCK_SPAN];

	for (size_t i = 0; i < n; i++) {
		if (is_in_scope(&fixture->rows[BLOCK_SPAN][i])) {
			ck_assert_int_eq(row_cursor_next(cursor, &row, &err), 1);
			ck_assert_int_eq(row.id, i + 1);
		}
	}
	ck_assert_int_eq(row_cursor_next(cursor, &row, &err), 0);
	for (int look_up = 0; look_up < 50; look_up++) {
		size_t i = (size_t)fixture_number(fixture, (int64_t)n);
		row_cursor_seek(cursor, (int64_t)i + 1);
		ck_assert_int_eq(row_cursor_next(cursor, &row, &err),
		                 is_in_scope(&fixture->rows[BLOCK_SPAN][i]));
	}
	row_cursor_free(cursor);
}

struct figures {
	int64_t n, rows, inside;
};

static struct figures
figures_of(const char *by, const char *filter)
{
	struct sums_request request = {.kind = BLOCK_SPAN, .by = by, .filter = filter};
	struct figures figures = {0};
	struct err err = ERR_INIT;
	struct sums *sums = sums_run(&fixture->dataset, &request, &err);

	ck_assert_msg(sums != NULL, "%s", err.message);
	for (size_t g = 0; g < sums_count(sums); g++) {
		const struct group_sums *group = sums_group(sums, g);
		figures.n += group->n;
		figures.rows += group->rows;
		figures.inside += group->measure[MEASURE_DURATION].sum;
	}
	sums_free(sums);
	return figures;
}

static void
check_sums(void)
{
	static const char *const by[] = {
	    "", "name", "lane,category", "time(7us)", "name,time(100us)", "start(10us)", "arg.fd"};
	static const char *const filters[] = {NULL, "name <> write"};
	for (size_t b = 0; b < sizeof by / sizeof *by * 2; b++) {
		struct figures expected = {0}, found = figures_of(by[b / 2], filters[b % 2]);
		for (size_t i = 0; i < fixture->n_rows[BLOCK_SPAN]; i++) {
			const struct fixture_row *row = &fixture->rows[BLOCK_SPAN][i];
			if (is_in_scope(row) && (b % 2 == 0 || strcmp(row->name, "write") != 0)) {
				expected.n += row->calls;
				expected.rows++;
				expected.inside += sum_inside(row);
			}
		}
		ck_assert_msg(found.n == expected.n && found.rows == expected.rows,
		              "%s: %" PRId64 " calls of %" PRId64 " rows", by[b / 2], found.n,
		              found.rows);
		ck_assert_msg(found.inside == expected.inside, "%s: %" PRId64 ", not %" PRId64,
		              by[b / 2], found.inside, expected.inside);
	}
}

static int
compare_intervals(const void *left, const void *right)
{
	const struct interval *a = left, *b = right;
	return (a->start > b->start) - (a->start < b->start);
}

/* What a lane's spans leave between the first and the last of them, and what they cover: in the
 * range. */
static void
measure_lane(uint32_t lane, int64_t *idle, int64_t *busy)
{
	struct interval *all = xcalloc(fixture->n_rows[BLOCK_SPAN] + 1, sizeof *all);
	size_t n = 0;
	int64_t until = 0;

	*idle = *busy = 0;
	for (size_t i = 0; i < fixture->n_rows[BLOCK_SPAN]; i++) {
		const struct fixture_row *row = &fixture->rows[BLOCK_SPAN][i];
		if (row->lane == lane && conditions[condition].accepts(row)) {
			all[n++] = (struct interval){row->start, end_of(row)};
		}
	}
	qsort(all, n, sizeof *all, compare_intervals);
	for (size_t i = 0; i < n; i++) {
		struct interval gap = {until, all[i].start},
				part = {MOST(until, all[i].start), all[i].end};
		cut(&gap.start, &gap.end);
		cut(&part.start, &part.end);
		*idle += i > 0 && gap.end > gap.start ? gap.end - gap.start : 0;
		*busy += part.end > part.start ? part.end - part.start : 0;
		until = MOST(until, all[i].end);
	}
	free(all);
}

static void
check_lanes(void)
{
	struct gaps_request idle_request = {.limit = 1000};
	struct busy_request busy_request = {.by = "lane",
	                                    .memory_bytes = fixture_chance(fixture, 50) ? 4000 : 0};
	struct err err = ERR_INIT;
	struct gaps gaps;
	int64_t *busy_ns = xcalloc(fixture->dataset.n_lanes, sizeof *busy_ns), all_ns = 0;
	struct busy *busy = busy_run(&fixture->dataset, &busy_request, &err);

	ck_assert_msg(busy != NULL, "%s", err.message);
	for (size_t g = 0; g < busy_count(busy); g++) {
		busy_ns[busy_key(busy, g, ROW_LANE).integer] = busy_group(busy, g)->busy_ns;
		all_ns += busy_group(busy, g)->duration_sum;
	}
	ck_assert_int_eq(all_ns, figures_of("", NULL).inside);
	ck_assert_msg(gaps_run(&fixture->dataset, &idle_request, &gaps, &err) == 0, "%s",
	              err.message);
	for (uint32_t lane = 0; lane < gaps.n_lanes; lane++) {
		int64_t idle, in_use;
		measure_lane(lane, &idle, &in_use);
		ck_assert_int_eq(gaps.lanes[lane].idle_ns, idle);
		ck_assert_int_eq(busy_ns[lane], in_use);
	}
	for (size_t i = 0; i < gaps.n_gaps; i++) {
		int64_t start = gaps.gaps[i].start_ns, end = gaps.gaps[i].end_ns;
		cut(&start, &end);
		ck_assert_int_eq(start, gaps.gaps[i].start_ns);
		ck_assert_int_eq(end, gaps.gaps[i].end_ns);
	}
	gaps_fini(&gaps);
	busy_free(busy);
	free(busy_ns);
}

/* Gaps of lanes as one lie between spans of the scope. */
static void
check_lanes_as_one(void)
{
	struct gaps_request request = {.within = GAPS_RUN, .limit = 1000, .neighbours = true};
	struct err err = ERR_INIT;
	struct gaps gaps;

	ck_assert_msg(gaps_run(&fixture->dataset, &request, &gaps, &err) == 0, "%s", err.message);
	for (size_t i = 0; i < gaps.n_gaps; i++) {
		ck_assert_int_gt(gaps.gaps[i].before.id, 0);
		ck_assert_int_gt(gaps.gaps[i].after.id, 0);
	}
	gaps_fini(&gaps);
}

static void
check_others(enum block_kind kind)
{
	struct page_request request = {.kind = kind, .limit = 100000};
	struct span_row *rows;
	struct err err = ERR_INIT;
	size_t expected = 0;
	int64_t n = page_run(&fixture->dataset, &request, &rows, NULL, &err);

	ck_assert_msg(n >= 0, "%s", err.message);
	for (size_t i = 0; i < fixture->n_rows[kind]; i++) {
		const struct fixture_row *row = &fixture->rows[kind][i];
		expected += is_in_range(row) &&
		            (condition == 0 || condition == 3 || kind == BLOCK_EVENT) &&
		            condition != 2 && conditions[condition].accepts(row);
	}
	ck_assert_int_eq(n, expected);
	free(rows);
}

START_TEST(random_scopes)
{
	fixture = fixture_new(700 + (uint64_t)_i, 300, 64, false);
	for (int scope = 0; scope < 12; scope++) {
		set_random_scope();
		check_page();
		check_rows();
		check_sums();
		check_lanes();
		check_lanes_as_one();
		check_others(BLOCK_EVENT);
		check_others(BLOCK_COUNTER);
	}
	fixture_free(fixture);
}
END_TEST

START_TEST(parts_add_up)
{
	fixture_has_many = false; /* what is spread evenly is rounded */
	fixture = fixture_new(90 + (uint64_t)_i, 400, 64, false);
	for (condition = 0; condition < CONDITIONS; condition++) {
		int64_t length = fixture->dataset.duration_ns + 10000000, inside = 0;
		set_range(0, length);
		struct figures whole = figures_of("name", NULL);
		for (int64_t at = 0, next; at < length; at = next) {
			next = at + 1 + fixture_number(fixture, length / 5);
			set_range(at, LEAST(next, length));
			inside += figures_of("name", NULL).inside;
		}
		ck_assert_int_eq(inside, whole.inside);
		set_range(length, length);
		ck_assert_int_eq(figures_of("", NULL).rows, 0);
	}
	fixture_free(fixture);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("scope_scans");
	TCase *tests = tcase_create("scope_scans");

	tcase_set_timeout(tests, 60);
	tcase_add_loop_test(tests, random_scopes, 0, 6);
	tcase_add_loop_test(tests, parts_add_up, 0, 3);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
