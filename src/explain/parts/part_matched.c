/*
 * Part `matched`: the difference of the total task time by kind, of tasks that both runs have and
 * of those that one of them has alone.
 *
 * Totals are dominated by a few long tasks, so each kind also says how its tasks changed one by
 * one: quartiles of duration B / duration A, and a sign test of "as many became longer as
 * shorter". With many kinds some test well by chance; q is the smallest rate of false discoveries
 * at which the kind would still be named (Benjamini and Hochberg 1995). Tasks of a run share its
 * machine and are not independent, so p and q are too small rather than too large.
 *
 * Divided by lane, host or time, a pair stands where B ran it, and a task of A alone where A did.
 */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "explain/parts/division.h"
#include "explain/parts/matched.h"
#include "explain/parts/parts.h"
#include "explain/model/statistics.h"
#include "util/format.h"
#include "util/intern.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/quantile.h"

#define Q_MAX 0.05     /* named as differing */
#define RATIO_MIN 0.01 /* and by this much in the median */
#define NAMED_MAX 5
#define FEW_PAIRS_MIN 3 /* fewer say nothing, */
#define FEW_RATIO_MIN                                                                              \
	0.1 /* nor do differences below this, where no test can tell them from noise */

enum { MATCHED, ONLY_A, ONLY_B, SIDES };

struct kind_row {
	int64_t a_ns[SIDES], b_ns[SIDES];
	size_t n[SIDES];
	size_t first, n_ratios; /* into ratios */
	size_t n_less, n_more;
	double p, q;
};

struct matched_tally {
	const struct matched *matched;
	const struct schedule *schedules[2];
	struct part_division division;
	struct intern *groups; /* labels, a NUL behind each */
	uint32_t *group_of_a;  /* by thing of A: its, or its pair's */
	struct kind_row *rows; /* by group */
	size_t capacity;
	double *ratios; /* group by group, sorted */
	size_t n_zero;  /* pairs without a ratio */
};

/* Of a kind, on a lane, in a window: as far as it is divided by these. */
static uint32_t
group_of(struct matched_tally *tally, uint32_t kind, const struct schedule *schedule, uint32_t lane,
         int64_t window)
{
	struct strbuf key = {0};
	for (size_t i = 0; i < tally->division.n; i++) {
		division_label(&tally->division, i, tally->matched->kinds[kind], schedule, lane,
		               window, &key);
		strbuf_add(&key, "", 1);
	}
	uint32_t group = intern_id(tally->groups, strbuf_slice(&key));
	strbuf_free(&key);
	if (intern_count(tally->groups) > tally->capacity) {
		size_t before = tally->capacity;
		MEM_GROW(tally->rows, tally->capacity, (size_t)group + 1);
		memset(tally->rows + before, 0, (tally->capacity - before) * sizeof *tally->rows);
	}
	return group;
}

/* Where rows are kinds, these are the groups: nothing is looked up for each thing. */
static uint32_t
find_group(struct matched_tally *tally, uint32_t kind, unsigned run, size_t thing)
{
	if (tally->division.mask == DIVIDE_KIND) {
		return kind;
	}
	const struct schedule *schedule = tally->schedules[run];
	const struct schedule_item *item = &schedule->items[thing];
	return group_of(tally, kind, schedule, item->lane,
	                division_window(&tally->division, item->start_ns));
}

static size_t
count_groups(const struct matched_tally *tally)
{
	return intern_count(tally->groups);
}

static bool
ratio_of(const struct matched *matched, size_t i, double *ratio)
{
	const struct matched_thing *a = &matched->run[0].things[i];
	uint32_t j = matched->matching->b_of_a[i];
	if (j == MATCHING_NONE || a->is_rest || a->duration_ns <= 0 ||
	    matched->run[1].things[j].duration_ns <= 0) {
		return false;
	}
	*ratio = (double)matched->run[1].things[j].duration_ns / (double)a->duration_ns;
	return true;
}

static void
sum_kinds(struct matched_tally *tally)
{
	const struct matched *matched = tally->matched;
	const struct matched_run *a = &matched->run[0], *b = &matched->run[1];
	for (uint32_t k = 0; tally->division.mask == DIVIDE_KIND && k < matched->n_kinds; k++) {
		(void)group_of(tally, k, tally->schedules[0], SCHEDULE_NONE, 0);
	}
	MEM_NEW(tally->group_of_a, a->n);
	for (size_t i = 0; i < a->n; i++) {
		const struct matched_thing *thing = &a->things[i];
		uint32_t j = matched->matching->b_of_a[i];
		if (thing->is_rest) {
			continue;
		}
		int side = j == MATCHING_NONE ? ONLY_A : MATCHED;
		tally->group_of_a[i] =
		    find_group(tally, thing->kind, side == MATCHED, side == MATCHED ? j : i);
		struct kind_row *row = &tally->rows[tally->group_of_a[i]];
		row->n[side]++;
		time_raise(&row->a_ns[side], thing->duration_ns);
		if (side == MATCHED) {
			int64_t b_ns = b->things[j].duration_ns;
			time_raise(&row->b_ns[side], b_ns);
			row->n_less += b_ns < thing->duration_ns;
			row->n_more += b_ns > thing->duration_ns;
			double ratio;
			row->n_ratios += ratio_of(matched, i, &ratio);
		}
	}
	for (size_t j = 0; j < b->n; j++) {
		if (matched->matching->a_of_b[j] == MATCHING_NONE && !b->things[j].is_rest) {
			uint32_t group = find_group(tally, b->things[j].kind, 1, j);
			struct kind_row *row = &tally->rows[group];
			row->n[ONLY_B]++;
			time_raise(&row->b_ns[ONLY_B], b->things[j].duration_ns);
		}
	}
}

static void
collect_ratios(struct matched_tally *tally)
{
	const struct matched *matched = tally->matched;
	size_t at = 0;
	for (size_t k = 0; k < count_groups(tally); k++) {
		tally->rows[k].first = at;
		at += tally->rows[k].n_ratios;
		tally->n_zero += tally->rows[k].n[MATCHED] - tally->rows[k].n_ratios;
		tally->rows[k].n_ratios = 0;
	}
	MEM_NEW(tally->ratios, at);
	for (size_t i = 0; i < matched->run[0].n; i++) {
		struct kind_row *row = &tally->rows[tally->group_of_a[i]];
		double ratio;
		if (ratio_of(matched, i, &ratio)) {
			tally->ratios[row->first + row->n_ratios++] = ratio;
		}
	}
}

static void
test_kinds(struct matched_tally *tally)
{
	size_t n = count_groups(tally);
	double *q = xcalloc(n, sizeof *q);
	for (size_t k = 0; k < n; k++) {
		struct kind_row *row = &tally->rows[k];
		quantile_sort(tally->ratios + row->first, row->n_ratios);
		row->p =
		    row->n[MATCHED] == 0 ? NAN : statistics_sign_test(row->n_less, row->n_more);
		q[k] = row->p;
	}
	statistics_adjust(q, n);
	for (size_t k = 0; k < n; k++) {
		tally->rows[k].q = q[k];
	}
	free(q);
}

static const struct result_column columns[] = {
    COLUMN_KEY("tasks", "matched, or in one run only"),
    COLUMN_KEY("kind", "kind of task, or pattern of file names"), /* or what rows are of */
    COLUMN_MEASURE("a", KIND_DURATION, "time in them, run A"),
    COLUMN_MEASURE("b", KIND_DURATION, "time in them, run B"),
    COLUMN_MEASURE("delta", KIND_DURATION, "b - a"),
    COLUMN_MEASURE("share", KIND_PERCENT, "of the sum's delta"),
    COLUMN("n", KIND_COUNT, "pairs, or tasks in one run only"),
    COLUMN_MEASURE("lower_quartile", KIND_REAL, "of duration b / duration a"),
    COLUMN_MEASURE("median", KIND_REAL, "of duration b / duration a"),
    COLUMN_MEASURE("upper_quartile", KIND_REAL, "of duration b / duration a"),
    COLUMN_MEASURE("longer", KIND_COUNT, "pairs that took longer in b"),
    COLUMN("p", KIND_REAL, "sign test: by chance this uneven"),
    COLUMN("q", KIND_REAL, "p adjusted for the number of kinds (Benjamini-Hochberg)"),
};
enum { TASKS, LABELS, A, B, DELTA, SHARE, N, LOWER, LONGER = LOWER + 3, P, Q, COLUMNS };

struct line { /* of the result */
	uint32_t group;
	int side;
	int64_t delta_ns;
};

static int
compare_lines(const void *a, const void *b)
{
	const struct line *x = a, *y = b;
	int64_t dx = llabs(x->delta_ns), dy = llabs(y->delta_ns);
	ORDER_BY(dy, dx);
	ORDER_BY(x->side, y->side);
	return ORDER(x->group, y->group);
}

/* A row less its labels but one: what is behind them stands at A and on. */
static struct value *
add_amounts(const struct matched_tally *tally, struct result *result, const char *tasks,
            int64_t a_ns, int64_t b_ns, int64_t total_delta_ns, size_t n)
{
	struct value *row = result_add_row(result);
	int64_t delta = time_sub(b_ns, a_ns);
	row[TASKS] = value_word(result, tasks);
	row += tally->division.n - 1;
	row[A] = value_integer(a_ns);
	row[B] = value_integer(b_ns);
	row[DELTA] = value_integer(delta);
	if (total_delta_ns != 0) {
		row[SHARE] = value_real((double)delta / (double)total_delta_ns);
	}
	row[N] = value_integer((int64_t)n);
	return row;
}

static void
add_line(const struct matched_tally *tally, const struct line *line, int64_t total_delta_ns,
         struct result *result)
{
	static const char *const sides[] = {"matched", "only in A", "only in B"};
	static const double quartiles[] = {0.25, 0.5, 0.75};
	const struct kind_row *kind = &tally->rows[line->group];
	const char *label = intern_text(tally->groups, line->group).ptr;
	int side = line->side;
	struct value *row = add_amounts(tally, result, sides[side], kind->a_ns[side],
	                                kind->b_ns[side], total_delta_ns, kind->n[side]);
	for (size_t i = tally->division.n; i-- > 0; label += strlen(label) + 1) {
		*(row + LABELS - i) = value_word(result, label);
	}
	if (side != MATCHED) {
		return;
	}
	for (int i = 0; i < 3; i++) { /* NULL where nothing has a ratio */
		row[LOWER + i] = value_finite(
		    quantile_sorted(tally->ratios + kind->first, kind->n_ratios, quartiles[i]));
	}
	row[LONGER] = value_integer((int64_t)kind->n_more);
	row[P] = value_real(kind->p);
	row[Q] = value_real(kind->q);
}

/* Not even all pairs longer, or all shorter, would be beyond chance. */
static bool
is_too_few(const struct kind_row *row)
{
	size_t n = row->n_less + row->n_more;
	return n > 0 && statistics_sign_test(n, 0) >= Q_MAX;
}

static void
name_group(const struct matched_tally *tally, uint32_t group, struct strbuf *out)
{
	const char *label = intern_text(tally->groups, group).ptr;
	for (size_t i = 0; i < tally->division.n; i++, label += strlen(label) + 1) {
		strbuf_printf(out, "%s%s", i ? " / " : "", label);
	}
}

/* "efi is slower: 1.6 times as long in the median, 4 of 4 longer (...)"; how: what a test says. */
static void
note_kind(const struct matched_tally *tally, uint32_t group, double median, const char *how,
          struct result *result)
{
	const struct kind_row *row = &tally->rows[group];
	bool is_slower = median > 1;
	struct strbuf name = {0};
	name_group(tally, group, &name);
	result_add_note(result, "%s is %s: %.3g times as long in the median, %zu of %zu %s (%s)",
	                name.len ? name.data : "", is_slower ? "slower" : "faster", median,
	                is_slower ? row->n_more : row->n_less, row->n[MATCHED],
	                is_slower ? "longer" : "shorter", how);
	strbuf_free(&name);
}

/* Names the kinds whose tasks differ by more than chance, in the order of the rows, and those with
 * too few pairs for a test that all changed one way. */
static void
note_kinds(const struct matched_tally *tally, const struct line *lines, size_t n,
           struct result *result)
{
	size_t n_named = 0, n_too_few = 0, n_alike = 0;
	int64_t too_few_ns = 0;
	for (size_t i = 0; i < n; i++) {
		const struct kind_row *row = &tally->rows[lines[i].group];
		if (lines[i].side != MATCHED) {
			continue;
		}
		bool is_few = is_too_few(row);
		if (is_few) {
			n_too_few++;
			time_raise(&too_few_ns, llabs(lines[i].delta_ns));
		}
		double median =
		    row->n_ratios ? quantile_sorted(tally->ratios + row->first, row->n_ratios, 0.5)
				  : 1;
		bool is_one_way =
		    (row->n_less == 0 || row->n_more == 0) && row->n[MATCHED] >= FEW_PAIRS_MIN;
		if (fabs(median - 1) < (is_few ? FEW_RATIO_MIN : RATIO_MIN) ||
		    !(is_few ? is_one_way : row->q < Q_MAX)) {
			continue;
		}
		char how[64];
		size_t *n_of = is_few ? &n_alike : &n_named;
		snprintf(how, sizeof how, is_few ? "too few for a sign test: p = %.2g" : "q = %.2g",
		         is_few ? row->p : row->q);
		if ((*n_of)++ < NAMED_MAX) {
			note_kind(tally, lines[i].group, median, how, result);
		}
	}
	if (n_named == 0) {
		result_add_note(result,
		                "no kind%s differs by more than chance (q < %g and %g %% in the "
		                "median)",
		                n_too_few ? " with enough pairs for a test" : "", Q_MAX,
		                RATIO_MIN * 100);
	} else if (n_named > NAMED_MAX) {
		result_add_note(result, "%zu more kinds differ by more than chance",
		                n_named - NAMED_MAX);
	}
	if (n_too_few > 0) {
		char text[FORMAT_BYTES];
		result_add_note(result,
		                "kinds with too few pairs for a test: %zu, with differences of %s "
		                "in all",
		                n_too_few, format_duration(text, too_few_ns));
	}
	if (tally->n_zero > 0) {
		result_add_note(result, "%zu pairs took no time in one run and have no ratio",
		                tally->n_zero);
	}
}

/* The columns of the amounts bear the names of the runs, as in every part that adds up. */
static struct result *
new_result(const struct matched_tally *tally, const struct explain *explain)
{
	struct result_column all[COLUMNS + DIVISION_MAX], *named = all + tally->division.n - 1;
	struct result_column amounts[3];
	struct arena *arena = arena_new();
	memcpy(named, columns, sizeof columns);
	all[TASKS] = columns[TASKS];
	for (size_t i = 0; i < tally->division.n; i++) {
		bool is_kind = strcmp(tally->division.names[i], "kind") == 0;
		all[LABELS + i] = (struct result_column)COLUMN_KEY(
		    tally->division.names[i], is_kind ? columns[LABELS].about : NULL);
	}
	explain_amounts(amounts, 0, arena, explain, KIND_DURATION);
	named[A].name = amounts[0].name;
	named[B].name = amounts[1].name;
	struct result *result = result_new("Time of matched tasks, and of tasks in one run only",
	                                   all, COLUMNS + tally->division.n - 1);
	arena_free(arena);
	return result;
}

static struct result *
make_result(const struct matched_tally *tally, const struct explain *explain)
{
	const struct matched *matched = tally->matched;
	size_t n_groups = count_groups(tally);
	struct line *lines = xcalloc(n_groups * SIDES, sizeof *lines);
	struct result *result = new_result(tally, explain);
	int64_t total_a = 0, total_b = 0;
	size_t n = 0, n_things = 0;
	for (uint32_t k = 0; k < n_groups; k++) {
		const struct kind_row *row = &tally->rows[k];
		for (int side = 0; side < SIDES; side++) {
			if (row->n[side] > 0) {
				lines[n++] = (struct line){
				    k, side, time_sub(row->b_ns[side], row->a_ns[side])};
				time_raise(&total_a, row->a_ns[side]);
				time_raise(&total_b, row->b_ns[side]);
				n_things += row->n[side];
			}
		}
	}
	SORT(lines, n, compare_lines);
	for (size_t i = 0; i < n; i++) {
		add_line(tally, &lines[i], time_sub(total_b, total_a), result);
	}
	add_amounts(tally, result, "sum", total_a, total_b, time_sub(total_b, total_a), n_things);
	matched_note(matched, explain, result);
	if (!explain->is_pooled) {
		note_kinds(tally, lines, n, result);
	}
	free(lines);
	return result;
}

static int
divide(struct matched_tally *tally, struct explain *explain, const char *const *arguments,
       struct err *err)
{
	static const struct schedule none; /* files are in no schedule */
	const struct schedule **of = tally->schedules;
	bool are_files = tally->matched->files != NULL;
	of[0] = of[1] = &none;
	if ((!are_files && explain_schedules(explain, &of[0], &of[1], err)) ||
	    division_parse(&tally->division, &explain_matched, explain, arguments, of[0], of[1],
	                   err)) {
		return -1;
	}
	return are_files && tally->division.mask != DIVIDE_KIND
	           ? err_set(err, ERR_USAGE,
	                     "part matched: by=%s: these runs are compared by their files, which "
	                     "have no lane, host or time: part io divides their calls",
	                     arguments[0])
	           : 0;
}

static struct result *
compute_matched(struct explain *explain, const char *const *arguments, struct err *err)
{
	struct matched *matched = matched_new(explain, err);
	struct matched_tally tally = {.matched = matched};
	struct result *result = NULL;
	if (!matched || divide(&tally, explain, arguments, err)) {
		matched_free(matched);
		return NULL;
	}
	tally.groups = intern_new();
	sum_kinds(&tally);
	collect_ratios(&tally);
	test_kinds(&tally);
	result = make_result(&tally, explain);
	intern_free(tally.groups);
	free(tally.group_of_a);
	free(tally.rows);
	free(tally.ratios);
	matched_free(matched);
	return result;
}

static const struct query_param params[] = {DIVISION_PARAMS};

const struct explain_part explain_matched = {
    .name = "matched",
    .title = "Time of matched tasks, and of tasks in one run only",
    .summed = EXPLAIN_SUMMED_SUMS,
    .about = "The difference of the total task time by kind. Tasks are matched by key, else by "
	     "name and occurrence, else by "
	     "name without UUIDs and hashes; files (of runs without tasks) by path, basename or "
	     "pattern; which rule applied and "
	     "how many it paired is said. A kind's row has the quartiles of duration b / duration "
	     "a over "
	     "its pairs, and the sign test with its q adjusted for the number of kinds (Benjamini "
	     "and Hochberg 1995). Tasks of a run are not "
	     "independent, so p and q are too small rather than too large. Pairs that took no time "
	     "in one run have no ratio. by divides by lane, host and window of time as well, those "
	     "of B for a pair.",
    .adds_up = true,
    .needs = "spans",
    EXPLAIN_PARAMS(params),
    .drill = {"matched-tasks", "kind=kind"},
    .spans = "category='task' arg.kind=kind",
    .compute = compute_matched,
};
