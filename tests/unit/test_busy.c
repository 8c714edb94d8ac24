/* Busy and hidden time of groups against a reference that walks over the borders of all spans. */
#include "config.h"

#include <inttypes.h>

#include "column/ops/busy.h"
#include "unit/scan_fixture.h"

static struct fixture *fixture;

/* Which process and which thread a lane is of, for comparing: lanes without a thread's id are
 * threads of their own. */
static bool
same_process(uint32_t a, uint32_t b)
{
	const struct lane *of_a = &fixture->dataset.lanes[a], *of_b = &fixture->dataset.lanes[b];
	return of_a->host == of_b->host && of_a->process.type == of_b->process.type &&
	       (of_a->process.type == IDENT_TEXT ? of_a->process.text == of_b->process.text
	                                         : of_a->process.integer == of_b->process.integer);
}

static bool
same_thread(uint32_t a, uint32_t b)
{
	const struct lane *of_a = &fixture->dataset.lanes[a], *of_b = &fixture->dataset.lanes[b];
	return a == b ||
	       (same_process(a, b) && of_a->thread.type == IDENT_INTEGER &&
	        of_b->thread.type == IDENT_INTEGER && of_a->thread.integer == of_b->thread.integer);
}

struct border {
	int64_t at;
	uint32_t lane;
	int busy, beside;
};

static int
compare_borders(const void *left, const void *right)
{
	const struct border *a = left, *b = right;
	return (a->at > b->at) - (a->at < b->at);
}

typedef bool (*predicate)(const struct fixture_row *row);

static bool
is_posix(const struct fixture_row *row)
{
	return row->category && strcmp(row->category, "POSIX") == 0;
}

static bool
is_checkpoint(const struct fixture_row *row)
{
	return row->name && strcmp(row->name, "checkpoint") == 0;
}

static bool
is_any(const struct fixture_row *row)
{
	(void)row;
	return true;
}

/* The key's value as the group has it; NULL by: one group. */
static bool
in_group(const struct fixture_row *row, const char *const *by, unsigned n_by,
         const struct scan_value *keys)
{
	for (unsigned i = 0; i < n_by; i++) {
		struct row_value value = fixture_value(fixture, row, by[i]);
		if (value.type == VALUE_IS_NULL || keys[i].type == SCAN_NULL) {
			if ((value.type == VALUE_IS_NULL) != (keys[i].type == SCAN_NULL)) {
				return false;
			}
		} else if (row_value_compare(&value, &keys[i]) != 0) {
			return false;
		}
	}
	return true;
}

static struct busy_group
reference(const char *const *by, unsigned n_by, const struct scan_value *keys, predicate filter,
          predicate beside)
{
	struct busy_group group = {0};
	size_t n = 0, n_rows = fixture->n_rows[BLOCK_SPAN];
	uint32_t n_lanes = fixture->dataset.n_lanes;
	struct border *borders = xcalloc(n_rows * 2, sizeof *borders);
	int *busy = xcalloc(n_lanes, sizeof *busy),
	    *computing = xcalloc(n_lanes, sizeof *computing);
	bool *seen = xcalloc(n_lanes, sizeof *seen);
	for (size_t i = 0; i < n_rows; i++) {
		const struct fixture_row *row = &fixture->rows[BLOCK_SPAN][i];
		int is_busy = filter(row) && in_group(row, by, n_by, keys), hides = beside(row);
		if (is_busy) {
			group.rows++;
			group.n += row->calls;
			group.duration_sum += row->has_totals ? row->totals.sum_ns : row->duration;
			group.size_n += row->size != SIZE_NONE ? row->calls : 0;
			group.summed += row->calls > 1 ? row->calls : 0;
			group.size_sum += row->size != SIZE_NONE ? row->size : 0;
			bool new_thread = true, new_process = true;
			for (uint32_t l = 0; l < n_lanes; l++) {
				new_thread &= !(seen[l] && same_thread(l, row->lane));
				new_process &= !(seen[l] && same_process(l, row->lane));
			}
			group.threads += new_thread;
			group.processes += new_process;
			seen[row->lane] = true;
		}
		if (is_busy || hides) {
			borders[n++] = (struct border){row->start, row->lane, is_busy, hides};
			borders[n++] = (struct border){time_add(row->start, row->duration),
			                               row->lane, -is_busy, -hides};
		}
	}
	qsort(borders, n, sizeof *borders, compare_borders);
	for (size_t i = 0; i + 1 < n; i++) {
		busy[borders[i].lane] += borders[i].busy;
		computing[borders[i].lane] += borders[i].beside;
		bool any = false, hidden = false;
		for (uint32_t a = 0; a < n_lanes; a++) {
			any |= busy[a] > 0;
			for (uint32_t b = 0; busy[a] > 0 && b < n_lanes; b++) {
				hidden |=
				    computing[b] > 0 && same_process(a, b) && !same_thread(a, b);
			}
		}
		int64_t length = time_sub(borders[i + 1].at, borders[i].at);
		group.busy_ns += any ? length : 0;
		group.hidden_ns += hidden ? length : 0;
	}
	free(borders);
	free(busy);
	free(computing);
	free(seen);
	return group;
}

static const struct {
	const char *by, *filter, *beside;
	const char *columns[3];
	unsigned n;
	predicate is_in, hides;
} cases[] = {
    {"", "", "name = checkpoint", {NULL}, 0, is_any, is_checkpoint},
    {"", "category = POSIX", "name = ?2", {NULL}, 0, is_posix, is_checkpoint},
    {"host", "category = ?1", "name = ?2", {"host"}, 1, is_posix, is_checkpoint},
    {"process", "category = POSIX", "", {"process"}, 1, is_posix, is_any},
    {"host,process,thread",
     "category = POSIX",
     "name = checkpoint",
     {"host", "process", "thread"},
     3,
     is_posix,
     is_checkpoint},
    {"lane", "", "category = POSIX", {"lane"}, 1, is_any, is_posix},
    {"path,name", "", "name = checkpoint", {"path", "name"}, 2, is_any, is_checkpoint},
    {"class", "category = POSIX", "name = checkpoint", {"class"}, 1, is_posix, is_checkpoint},
    {"arg.fd", "", "category = POSIX", {"fd"}, 1, is_any, is_posix},
};
#define CASES (sizeof cases / sizeof *cases)

static void
check_case(size_t c, size_t memory_bytes, unsigned n_threads)
{
	static const enum row_column dimensions[] = {ROW_HOST,       ROW_PROCESS, ROW_THREAD,
	                                             ROW_LANE,       ROW_PATH,    ROW_NAME,
	                                             ROW_PATH_CLASS, ROW_ARG1};
	static const char *const names[] = {"host", "process", "thread", "lane",
	                                    "path", "name",    "class",  "fd"};
	struct busy_request request = {.by = cases[c].by,
	                               .filter = cases[c].filter,
	                               .beside = cases[c].beside,
	                               .memory_bytes = memory_bytes};
	struct err err = ERR_INIT;
	int64_t rows = 0;
	request.parameters[0] = (struct scan_value){.type = SCAN_TEXT, .text = {"POSIX", 5}};
	request.parameters[1] = (struct scan_value){.type = SCAN_TEXT, .text = {"checkpoint", 10}};
	fixture->dataset.n_threads = n_threads;
	struct busy *busy = busy_run(&fixture->dataset, &request, &err);
	ck_assert_msg(busy != NULL, "%s", err.message);
	for (size_t g = 0; g < busy_count(busy); g++) {
		struct scan_value keys[3];
		for (unsigned i = 0; i < cases[c].n; i++) {
			size_t d = 0;
			while (strcmp(names[d], cases[c].columns[i]) != 0) {
				d++;
			}
			ck_assert(busy_has(busy, dimensions[d]));
			keys[i] = busy_key(busy, g, dimensions[d]);
		}
		struct busy_group expected =
		    reference(cases[c].columns, cases[c].n, keys, cases[c].is_in, cases[c].hides);
		const struct busy_group *group = busy_group(busy, g);
		ck_assert_int_eq(group->rows, expected.rows);
		ck_assert_int_eq(group->n, expected.n);
		ck_assert_int_eq(group->summed, expected.summed);
		ck_assert_int_eq(group->duration_sum, expected.duration_sum);
		ck_assert_int_eq(group->size_n, expected.size_n);
		ck_assert_int_eq(group->size_sum, expected.size_sum);
		ck_assert_msg(group->busy_ns == expected.busy_ns,
		              "by '%s', group %zu: busy %" PRId64 " instead of %" PRId64,
		              cases[c].by, g, group->busy_ns, expected.busy_ns);
		ck_assert_msg(group->hidden_ns == expected.hidden_ns,
		              "by '%s', group %zu: hidden %" PRId64 " instead of %" PRId64,
		              cases[c].by, g, group->hidden_ns, expected.hidden_ns);
		ck_assert_int_eq(group->threads, expected.threads);
		ck_assert_int_eq(group->processes, expected.processes);
		rows += group->rows;
	}
	int64_t all = 0;
	for (size_t i = 0; i < fixture->n_rows[BLOCK_SPAN]; i++) {
		all += cases[c].is_in(&fixture->rows[BLOCK_SPAN][i]);
	}
	ck_assert_int_eq(rows, all);
	busy_free(busy);
}

START_TEST(groups_are_those_of_the_rows)
{
	fixture = fixture_new(100 + (uint64_t)_i, 250, 64, false);
	for (size_t c = 0; c < CASES; c++) {
		check_case(c, 0, 1 + (unsigned)_i % 3);
	}
	fixture_free(fixture);
}
END_TEST

/* What does not fit is read window by window, to the same figures. */
START_TEST(memory_is_bounded)
{
	static const size_t sizes[] = {8000, 12000, 40000, 200000};
	fixture = fixture_new(7, 400, 32, false);
	for (size_t c = 0; c < CASES; c++) {
		for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
			check_case(c, sizes[i], 2);
		}
	}
	fixture_free(fixture);
}
END_TEST

/* Levels are what separate requests give. */
static void
check_level(const struct busy *levels, size_t *nth, unsigned level, const char *by,
            size_t memory_bytes)
{
	struct busy_request request = {.by = by,
	                               .filter = "category = POSIX",
	                               .beside = "name = checkpoint",
	                               .memory_bytes = memory_bytes};
	struct err err = ERR_INIT;
	struct busy *alone = busy_run(&fixture->dataset, &request, &err);
	ck_assert_msg(alone != NULL, "%s", err.message);
	for (size_t g = 0; g < busy_count(alone); g++, ++*nth) {
		ck_assert_uint_lt(*nth, busy_count(levels));
		struct busy_group expected = *busy_group(alone, g),
				  group = *busy_group(levels, *nth);
		ck_assert_uint_eq(group.level, level);
		ck_assert_uint_eq(expected.level, 0);
		ck_assert_int_eq(group.n, expected.n);
		ck_assert_int_eq(group.busy_ns, expected.busy_ns);
		ck_assert_int_eq(group.hidden_ns, expected.hidden_ns);
		ck_assert_int_eq(group.size_sum, expected.size_sum);
		ck_assert_int_eq(group.threads, expected.threads);
		ck_assert_int_eq(group.processes, expected.processes);
		for (int d = 0; d < ROW_COLUMNS; d++) {
			struct scan_value a = busy_key(alone, g, (enum row_column)d),
					  b = busy_key(levels, *nth, (enum row_column)d);
			ck_assert_int_eq(a.type, b.type);
			ck_assert(a.type == SCAN_NULL || scan_value_compare(&a, &b) == 0);
		}
	}
	busy_free(alone);
}

START_TEST(levels_are_of_one_reading)
{
	static const struct {
		const char *by, *levels[4];
	} all[] = {{";host;process", {"", "host", "host,process"}},
	           {"path ; host,process;thread",
	            {"path", "path,host,process", "path,host,process,thread"}},
	           {"pattern('[0-9;]+');name", {"pattern('[0-9;]+')", "pattern('[0-9;]+'),name"}},
	           {"lane;", {"lane", "lane"}},
	           {";;name", {"", "", "name"}}};
	static const size_t sizes[] = {0, 8000};
	struct err err = ERR_INIT;
	fixture = fixture_new(11, 300, 64, false);
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
			struct busy_request request = {.by = all[i].by,
			                               .filter = "category = POSIX",
			                               .beside = "name = checkpoint",
			                               .memory_bytes = sizes[s]};
			struct busy *levels = busy_run(&fixture->dataset, &request, &err);
			ck_assert_msg(levels != NULL, "%s: %s", all[i].by, err.message);
			size_t nth = 0;
			for (unsigned level = 0; all[i].levels[level]; level++) {
				check_level(levels, &nth, level, all[i].levels[level], sizes[s]);
			}
			ck_assert_uint_eq(nth, busy_count(levels));
			busy_free(levels);
		}
	}
	fixture_free(fixture);
}
END_TEST

START_TEST(extremes_and_errors)
{
	static const struct {
		const char *by, *filter, *beside, *message;
	} wrong[] = {
	    {"tread", "", NULL, "by, character 1: expected a dimension"},
	    {"time(1s)", "", NULL, "by: busy time goes by start(WIDTH), not by time(WIDTH)"},
	    {"name,category,path,size,host,process,thread,kind", "", NULL,
	     "by: more than 7 dimensions"},
	    {"host;tread", "", NULL, "by, character 6: expected a dimension"},
	    {";;;;;;;;;", "", NULL, "by: more than 9 levels"},
	    {"", "nme = 1", NULL, "filter, character 1: expected a column"},
	    {"", "", "nme = 1", "beside: filter, character 1: expected a column"},
	};
	struct err err = ERR_INIT;
	fixture = fixture_new(3, 200, 64, true);
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct busy_request request = {
		    .by = wrong[i].by, .filter = wrong[i].filter, .beside = wrong[i].beside};
		err = (struct err)ERR_INIT;
		ck_assert_ptr_null(busy_run(&fixture->dataset, &request, &err));
		ck_assert_msg(strncmp(err.message, wrong[i].message, strlen(wrong[i].message)) == 0,
		              "%s", err.message);
	}
	struct busy_request request = {.by = "process", .beside = ""};
	struct busy *busy = busy_run(&fixture->dataset, &request, &err);
	ck_assert_ptr_nonnull(busy);
	for (size_t g = 0; g < busy_count(busy); g++) {
		ck_assert_int_ge(busy_group(busy, g)->busy_ns, busy_group(busy, g)->hidden_ns);
	}
	busy_free(busy);
	request.filter = "id < 0";
	busy = busy_run(&fixture->dataset, &request, &err);
	ck_assert_uint_eq(busy_count(busy), 0);
	busy_free(busy);
	request.by = NULL;
	busy = busy_run(&fixture->dataset, &request, &err);
	ck_assert_uint_eq(busy_count(busy), 1);
	ck_assert_int_eq(busy_group(busy, 0)->busy_ns, 0);
	busy_free(busy);
	for (int levels = 1; levels <= 2; levels++) { /* one of nothing, and one of each */
		request.by = levels == 1 ? ";host;process" : ";";
		busy = busy_run(&fixture->dataset, &request, &err);
		ck_assert_uint_eq(busy_count(busy), (size_t)levels);
		ck_assert_int_eq(busy_group(busy, 0)->busy_ns, 0);
		busy_free(busy);
	}
	request.by = NULL;
	struct cancel cancel;
	atomic_init(&cancel.requested, true);
	request.filter = "";
	request.cancel = &cancel;
	ck_assert_ptr_null(busy_run(&fixture->dataset, &request, &err));
	ck_assert_int_eq(err.code, ERR_CANCELLED);
	fixture_free(fixture);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("busy");
	TCase *tests = tcase_create("busy");
	tcase_set_timeout(tests, 120);
	tcase_add_loop_test(tests, groups_are_those_of_the_rows, 0, 4);
	tcase_add_test(tests, memory_is_bounded);
	tcase_add_test(tests, levels_are_of_one_reading);
	tcase_add_test(tests, extremes_and_errors);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
