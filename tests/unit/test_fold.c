/* Runs that are tagged alike as one row: figures, keys that repeat, rows that are missing, tags as
 * columns. */
#include "config.h"
#include "query/saved/fold.h"

#include <math.h>
#include <stdlib.h>

#include "unit/unit.h"

#define RUNS 5

static struct result *results[RUNS];
static struct run_tag tag_texts[RUNS][2];
static struct run_tags tags[RUNS];

/* kind, n (adds up), late (does not). */
static struct result *
new_result(void)
{
	static const struct result_column columns[] = {
	    {.name = "kind", .kind = KIND_TEXT, .is_key = true},
	    {.name = "n", .kind = KIND_COUNT, .is_measure = true, .sums = SUMS_UP},
	    {.name = "late", .kind = KIND_DURATION, .is_measure = true, .sums = SUMS_NOT},
	    {.name = "note", .kind = KIND_TEXT}};
	return result_new("t", columns, 4);
}

static void
add(size_t run, const char *kind, int64_t n, int64_t late)
{
	RESULT_ADD(results[run], value_word(results[run], kind), value_integer(n),
	           value_integer(late), value_word(results[run], "x"));
}

static void
tag(size_t run, const char *nodes, const char *mode)
{
	tag_texts[run][0] = (struct run_tag){"nodes", nodes, TAG_OF_IMPORT};
	tag_texts[run][1] = (struct run_tag){"mode", mode, TAG_OF_TRACE};
	tags[run] = (struct run_tags){.all = tag_texts[run], .n = mode ? 2 : 1};
}

/* nodes 16: runs 0, 1; nodes 4: runs 2, 3, and 4, which has no mode. */
static void
set_up(void)
{
	for (size_t i = 0; i < RUNS; i++) {
		results[i] = new_result();
	}
	tag(0, "16", "scr");
	add(0, "b", 10, 100);
	add(0, "a", 1, 7);
	tag(1, "16", "scr");
	add(1, "b", 20, 400);
	tag(2, "4", "scr");
	add(2, "a", 1, 1);
	add(2, "a", 3, 3);
	tag(3, "4", "base");
	add(3, "a", 5, 5);
	tag(4, "4", NULL);
}

static void
tear_down(void)
{
	for (size_t i = 0; i < RUNS; i++) {
		result_free(results[i]);
	}
}

/* The table as lines "16,b,2,15". */
static char *
show(const struct result *table)
{
	struct strbuf out = {0};
	for (size_t i = 0; i < table->n_columns; i++) {
		strbuf_printf(&out, "%s%s", i ? "," : "", table->columns[i].name);
	}
	for (size_t r = 0; r < table->n_rows; r++) {
		for (size_t i = 0; i < table->n_columns; i++) {
			const struct value *value = result_value(table, r, i);
			strbuf_add_text(&out, i ? "," : "\n");
			if (value->type == VALUE_TEXT) {
				strbuf_add_slice(&out, value->text);
			} else if (value->type != VALUE_NULL) {
				strbuf_printf(&out, "%g", value_number(value));
			}
		}
	}
	return strbuf_take(&out);
}

static const struct {
	struct fold fold;
	const char *table; /* NULL: an error that says: */
	const char *message;
} cases[] = {
    /* n adds up: a run without the row counts 0 in it, not in late */
    {{.by = "nodes"},
     "nodes,kind,runs,n_mean,late_mean\n4,a,3,2,3\n4,a,3,1,3\n16,b,2,15,250\n16,a,2,0.5,7",
     NULL},
    {{.by = "nodes,mode", .measures = "late", .stats = "n,min,max,sum,median,std"},
     "nodes,mode,kind,runs,late_n,late_min,late_max,late_sum,late_median,late_std\n"
     "4,base,a,1,1,5,5,5,5,\n4,scr,a,1,1,1,1,1,1,\n4,scr,a,1,1,3,3,3,3,\n"
     "16,scr,b,2,2,100,400,500,250,212.132\n16,scr,a,2,1,7,7,7,7,",
     NULL},
    {{.stats = "sum", .measures = "n"}, "kind,runs,n_sum\nb,5,30\na,5,7\na,5,3", NULL},
    {{.stats = "sum", .measures = "n", .key = "note"}, "note,runs,n_sum\nx,5,36\nx,5,4", NULL},
    {{.by = "nodes", .pivot = "mode", .measures = "late"},
     "nodes,kind,runs,(none),base,scr\n4,a,2,,5,1\n4,a,1,,,3\n16,b,2,,,250\n16,a,2,,,7",
     NULL},
    {{.pivot = "nodes", .measures = "n", .stats = "mean,n"},
     "kind,runs,4 n_mean,4 n_n,16 n_mean,16 n_n\na,5,2,3,0.5,2\na,3,1,3,,\nb,2,,,15,2",
     NULL},
    {{.by = "node"}, NULL, "no run has a tag node; there are: nodes, mode"},
    {{.pivot = "node"}, NULL, "no run has a tag node"},
    {{.stats = "mode"}, NULL, "--stat mode: is none of mean, median"},
    {{.stats = ""}, NULL, "--stat: which of"},
    {{.measures = "kind"}, NULL, "kind is no number"},
    {{.measures = "nn"}, NULL, "no column \"nn\""},
    {{.key = "nn"}, NULL, "no column \"nn\""},
};

START_TEST(tables)
{
	struct err err = ERR_INIT;
	struct result *table = query_fold(results, tags, RUNS, &cases[_i].fold, &err);
	if (!cases[_i].table) {
		ck_assert_ptr_null(table);
		ck_assert_msg(strstr(err.message, cases[_i].message) != NULL, "%s", err.message);
		return;
	}
	ck_assert_msg(table != NULL, "%s", err.message);
	char *shown = show(table);
	ck_assert_str_eq(shown, cases[_i].table);
	free(shown);
	result_free(table);
}
END_TEST

/* What the columns say of themselves, and what the table says of rows that were matched in order.
 * */
START_TEST(columns_and_notes)
{
	struct err err = ERR_INIT;
	struct fold fold = {.by = "nodes,mode", .stats = "mean,std,sum,n"};
	struct result *table = query_fold(results, tags, RUNS, &fold, &err);
	ck_assert_int_eq(table->columns[0].kind, KIND_INTEGER);
	ck_assert_int_eq(table->columns[1].kind, KIND_TEXT);
	ck_assert(table->columns[0].is_key && table->columns[2].is_key);
	ck_assert(!table->columns[3].is_measure && table->columns[4].is_measure);
	ck_assert_int_eq(table->columns[4].kind, KIND_REAL); /* a mean of counts */
	ck_assert_int_eq(table->columns[8].kind, KIND_DURATION);
	ck_assert_int_eq(table->columns[11].kind, KIND_COUNT);
	ck_assert(column_adds_up(&table->columns[6]) && !column_adds_up(&table->columns[4]));
	ck_assert_uint_eq(table->n_notes, 1);
	ck_assert_str_eq(table->notes[0], "1 key stands more than once in a run: matched in order");
	result_free(table);
}
END_TEST

/* The sum of whole numbers by their number, not what rounding on the way makes of it. */
START_TEST(means_are_exact)
{
	static const int64_t calls[12] = {24, 24, 24, 48, 48, 48, 48, 48, 48, 96, 96, 96};
	struct err err = ERR_INIT;
	struct result *many[12];
	struct run_tags none[12] = {{0}};
	struct fold fold = {.measures = "n"};

	for (size_t i = 0; i < 12; i++) {
		many[i] = new_result();
		RESULT_ADD(many[i], value_word(many[i], "a"), value_integer(calls[i]),
		           value_integer(0), value_word(many[i], "x"));
	}
	struct result *table = query_fold(many, none, 12, &fold, &err);
	ck_assert_msg(table != NULL, "%s", err.message);
	ck_assert(value_number(result_value(table, 0, 2)) == 54);
	result_free(table);
	for (size_t i = 0; i < 12; i++) {
		result_free(many[i]);
	}
}
END_TEST

START_TEST(runs_that_tags_do_not_tell_apart)
{
	static const struct {
		struct fold fold;
		const char *groups; /* a letter a run, those of one group alike */
	} folds[] = {{{0}, "aaaaa"},
	             {{.by = "nodes"}, "aabbb"},
	             {{.by = "nodes", .pivot = "mode"}, "aabcd"},
	             {{.by = "mode", .trend = "nodes"}, "aabcd"},
	             {{.trend = FOLD_STARTED}, "aaaaa"}};

	for (size_t i = 0; i < COUNT_OF(folds); i++) {
		struct err err = ERR_INIT;
		size_t *groups = fold_groups(tags, RUNS, &folds[i].fold, &err);
		ck_assert_msg(groups != NULL, "%s", err.message);
		for (size_t a = 0; a < RUNS; a++) {
			for (size_t b = 0; b < RUNS; b++) {
				ck_assert_msg((groups[a] == groups[b]) ==
				                  (folds[i].groups[a] == folds[i].groups[b]),
				              "fold %zu, runs %zu and %zu", i, a, b);
			}
		}
		free(groups);
	}
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("fold");
	TCase *test_case = tcase_create("fold");
	tcase_add_checked_fixture(test_case, set_up, tear_down);
	tcase_add_loop_test(test_case, tables, 0, (int)COUNT_OF(cases));
	tcase_add_test(test_case, columns_and_notes);
	tcase_add_test(test_case, means_are_exact);
	tcase_add_test(test_case, runs_that_tags_do_not_tell_apart);
	suite_add_tcase(suite, test_case);
	return unit_run(suite);
}
