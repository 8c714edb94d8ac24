/*
 * Parts `schedule`, `schedule-lanes` and `schedule-transfers`: are the two schedules different at
 * all?
 *
 * Workers have no identity across runs (the first to register is worker 0), so placement is
 * compared under the relabelling of lanes that makes the most matched tasks stand alike; hosts
 * likewise. What is left over differs in structure. A difference of makespans between equal
 * schedules is one of timing alone (the two words are those of Spectroscope, Sambasivan et al.,
 * NSDI 2011).
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "explain/model/assignment.h"
#include "explain/schedule/matching.h"
#include "explain/parts/parts.h"
#include "explain/model/statistics.h"
#include "util/mem.h"
#include "util/order.h"

#define MATCHED 0.5 /* of what ran must be matched to call schedules alike */
#define ALIKE 0.9   /* placed alike and in order from this on: the schedules are called alike */

struct relabelling {         /* of lanes, or of hosts */
	uint32_t *number[2]; /* by lane: of its host, or itself */
	size_t n[2];         /* how many numbers */
	uint32_t *other;     /* by number in A: number in B, or ASSIGNMENT_NONE */
	int64_t *in_common;  /* by number in A: matched tasks that stand on both */
	int64_t n_alike;
	bool is_exact;
};

/* Dense numbers of the lanes' hosts, in order of lanes; returns how many. */
static size_t
number_hosts(const struct schedule *schedule, uint32_t *number)
{
	uint32_t *known = xcalloc(schedule->n_texts + 1, sizeof *known), n = 0;
	for (size_t l = 0; l < schedule->n_lanes; l++) {
		uint32_t host = schedule->lanes[l].host;
		uint32_t *slot = &known[LEAST(host, schedule->n_texts)];
		if (*slot == 0) {
			*slot = ++n;
		}
		number[l] = *slot - 1;
	}
	free(known);
	return n;
}

static int
compare_cells(const void *a, const void *b)
{
	const struct assignment_cell *x = a, *y = b;
	ORDER_BY(x->row, y->row);
	return ORDER(x->column, y->column);
}

/* A cell for each pair of numbers that have matched tasks in common. */
static struct assignment_cell *
count_common(const struct schedule *a, const struct schedule *b, const struct matching *matching,
             const struct relabelling *labels, size_t *n)
{
	struct assignment_cell *cells = xcalloc(matching->n_pairs, sizeof *cells);
	size_t n_pairs = 0, n_cells = 0;
	for (size_t i = 0; i < a->n_items; i++) {
		uint32_t j = matching->b_of_a[i];
		if (j != MATCHING_NONE) {
			cells[n_pairs++] =
			    (struct assignment_cell){labels->number[0][a->items[i].lane],
			                             labels->number[1][b->items[j].lane], 1};
		}
	}
	SORT(cells, n_pairs, compare_cells);
	for (size_t i = 0; i < n_pairs; i++) {
		if (n_cells > 0 && compare_cells(&cells[n_cells - 1], &cells[i]) == 0) {
			cells[n_cells - 1].weight++;
		} else {
			cells[n_cells++] = cells[i];
		}
	}
	*n = n_cells;
	return cells;
}

static void
relabel(const struct schedule *a, const struct schedule *b, const struct matching *matching,
        bool by_host, struct relabelling *labels)
{
	const struct schedule *schedules[2] = {a, b};
	for (unsigned r = 0; r < 2; r++) {
		size_t n_lanes = schedules[r]->n_lanes;
		MEM_NEW(labels->number[r], n_lanes);
		for (size_t l = 0; l < n_lanes; l++) {
			labels->number[r][l] = (uint32_t)l;
		}
		labels->n[r] = by_host ? number_hosts(schedules[r], labels->number[r]) : n_lanes;
	}
	size_t n_cells;
	struct assignment_cell *cells = count_common(a, b, matching, labels, &n_cells);
	MEM_NEW(labels->other, labels->n[0]);
	MEM_NEW(labels->in_common, labels->n[0]);
	labels->n_alike = assignment_best(cells, n_cells, labels->n[0], labels->n[1], labels->other,
	                                  &labels->is_exact);
	for (size_t i = 0; i < n_cells; i++) {
		if (labels->other[cells[i].row] == cells[i].column) {
			labels->in_common[cells[i].row] = cells[i].weight;
		}
	}
	free(cells);
}

static void
relabelling_fini(struct relabelling *labels)
{
	free(labels->number[0]);
	free(labels->number[1]);
	free(labels->other);
	free(labels->in_common);
}

struct placement_order { /* rank correlation of the starts of matched tasks */
	double spearman, kendall;
};

static struct placement_order
correlate_starts(const struct schedule *a, const struct schedule *b,
                 const struct matching *matching)
{
	size_t n = 0;
	double *x = xcalloc(matching->n_pairs, sizeof *x),
	       *y = xcalloc(matching->n_pairs, sizeof *y);
	for (size_t i = 0; i < a->n_items; i++) {
		uint32_t j = matching->b_of_a[i];
		if (j != MATCHING_NONE) {
			x[n] = (double)(a->items[i].start_ns - a->start_ns);
			y[n++] = (double)(b->items[j].start_ns - b->start_ns);
		}
	}
	struct placement_order order = {statistics_spearman(x, y, n), statistics_kendall(x, y, n)};
	free(x);
	free(y);
	return order;
}

static const struct result_column columns[] = {
    COLUMN_KEY("figure", "what is compared"),
    COLUMN_MEASURE("a", KIND_REAL, "in A"),
    COLUMN_MEASURE("b", KIND_REAL, "in B"),
    COLUMN_MEASURE("both", KIND_REAL, "of the two together"),
};
enum { FIGURE, A, B, BOTH, COLUMNS };
#define FIGURES_MAX 16

struct placement_table {
	struct result *result;
	enum column_kind kinds[FIGURES_MAX];
};

static struct value *
add_figure(struct placement_table *table, const char *figure, enum column_kind kind)
{
	table->kinds[table->result->n_rows] = kind;
	struct value *row = result_add_row(table->result);
	row[FIGURE] = value_word(table->result, figure);
	return row;
}

static void
add_counts(struct placement_table *table, const char *figure, size_t a, size_t b)
{
	struct value *row = add_figure(table, figure, KIND_COUNT);
	row[A] = value_integer((int64_t)a);
	row[B] = value_integer((int64_t)b);
}

static void
add_both(struct placement_table *table, const char *figure, enum column_kind kind, double both)
{
	add_figure(table, figure, kind)[BOTH] = value_finite(both);
}

/* How often each data set moved; by code of its name. Returns how many moved at all. */
static size_t
count_transfers(const struct schedule *schedule, size_t *count)
{
	size_t n = 0;
	for (size_t t = 0; t < schedule->n_transfers; t++) {
		uint32_t name = schedule->transfers[t].name;
		if (name < schedule->n_texts) {
			n += count[name]++ == 0;
		}
	}
	return n;
}

static void
add_transfers(struct placement_table *table, const struct schedule *a, const struct schedule *b)
{
	const struct schedule *schedules[2] = {a, b};
	size_t n_sets[2], most[2] = {0, 0};
	for (unsigned r = 0; r < 2; r++) {
		size_t n_texts = schedules[r]->n_texts;
		size_t *count = xcalloc(n_texts, sizeof *count);
		n_sets[r] = count_transfers(schedules[r], count);
		for (size_t t = 0; t < n_texts; t++) {
			most[r] = MOST(count[t], most[r]);
		}
		free(count);
	}
	add_counts(table, "transfers", a->n_transfers, b->n_transfers);
	add_counts(table, "data sets moved", n_sets[0], n_sets[1]);
	struct value *row = add_figure(table, "transfers per data set", KIND_REAL);
	row[A] = value_finite((double)a->n_transfers / (double)n_sets[0]); /* none by none: NULL */
	row[B] = value_finite((double)b->n_transfers / (double)n_sets[1]);
	add_counts(table, "most transfers of a data set", most[0], most[1]);
}

static void
note_relabelling(const struct relabelling *labels, struct result *result)
{
	if (!labels->is_exact) {
		result_add_note(
		    result,
		    "%zu and %zu lanes are too many for the best relabelling: the largest overlaps "
		    "were taken in turn, so more tasks may be placed alike",
		    labels->n[0], labels->n[1]);
	}
}

static void
note_verdict(struct result *result, double alike, const struct placement_order *order, bool is_most)
{
	bool is_placed = alike >= ALIKE, is_ordered = order->spearman >= ALIKE;
	const char *verdict =
	    is_placed && is_ordered
		? "the schedules are alike: what differs is timing, not structure"
	    : is_placed ? "tasks are placed alike but start in another order"
	    : is_ordered
		? "tasks start in a similar order but are placed on other lanes: structure differs"
		: "the schedules differ in structure: in placement and in order";
	if (isnan(alike) || isnan(order->spearman)) {
		verdict = "too few matched tasks to compare the schedules";
	} else if (!is_most) {
		verdict = "most of what ran is in one run only: the schedules differ in structure";
	}
	result_add_note(result, "%s", verdict);
}

static struct result *
make_result(const struct explain *explain, const struct schedule *a, const struct schedule *b,
            const struct matching *matching)
{
	struct relabelling lanes, hosts;
	relabel(a, b, matching, false, &lanes);
	relabel(a, b, matching, true, &hosts);
	struct placement_order order = correlate_starts(a, b, matching);
	double n = (double)matching->n_pairs, alike = n > 0 ? (double)lanes.n_alike / n : NAN;
	struct placement_table table = {
	    .result = result_new("Are the schedules different at all", columns, COLUMNS)};
	struct value *makespan = add_figure(&table, "makespan", KIND_DURATION);
	makespan[A] = value_integer(explain_makespan_ns(a));
	makespan[B] = value_integer(explain_makespan_ns(b));
	add_counts(&table, "lanes", a->n_lanes, b->n_lanes);
	add_counts(&table, "hosts", hosts.n[0], hosts.n[1]);
	add_counts(&table, "ran", a->n_items, b->n_items);
	add_counts(&table, "ran in this run only", (a->n_items - matching->n_pairs),
	           (b->n_items - matching->n_pairs));
	add_both(&table, "matched", KIND_COUNT, n);
	add_both(&table, "placed on the same lane", KIND_PERCENT, alike);
	add_both(&table, "placed on the same host", KIND_PERCENT,
	         n > 0 ? (double)hosts.n_alike / n : NAN);
	add_both(&table, "start order, Spearman's rho", KIND_REAL, order.spearman);
	add_both(&table, "start order, Kendall's tau", KIND_REAL, order.kendall);
	add_transfers(&table, a, b);
	table.result->row_kinds = arena_copy(table.result->arena, table.kinds,
	                                     table.result->n_rows * sizeof *table.kinds);
	matching_note(matching, a->is_tasks && b->is_tasks ? "tasks" : "spans", explain->a->name,
	              explain->b->name, table.result);
	note_relabelling(&lanes, table.result);
	size_t most = MOST(a->n_items, b->n_items);
	note_verdict(table.result, alike, &order, n >= MATCHED * (double)most);
	relabelling_fini(&lanes);
	relabelling_fini(&hosts);
	return table.result;
}

/* Both schedules and the matching; NULL on error. */
static const struct matching *
match_runs(struct explain *explain, const struct schedule **a, const struct schedule **b,
           struct err *err)
{
	return explain_schedules(explain, a, b, err) ? NULL : explain_matching(explain, err);
}

static struct result *
compute_schedule(struct explain *explain, const char *const *arguments, struct err *err)
{
	(void)arguments;
	const struct schedule *a, *b;
	const struct matching *matching = match_runs(explain, &a, &b, err);
	if (!matching) {
		return NULL;
	}
	return make_result(explain, a, b, matching);
}

static const struct result_column lane_columns[] = {
    COLUMN_KEY("lane_a", "lane of A"),
    COLUMN_KEY("lane_b", "lane of B that it is compared with"),
    COLUMN_MEASURE("a", KIND_COUNT, "ran on it in A"),
    COLUMN_MEASURE("b", KIND_COUNT, "ran on it in B"),
    COLUMN_MEASURE("in_common", KIND_COUNT, "matched tasks that ran on both",
                   .better = BETTER_HIGHER),
};
enum { LANE_A, LANE_B, N_A, N_B, IN_COMMON, LANE_COLUMNS };

static struct result *
compute_lanes(struct explain *explain, const char *const *arguments, struct err *err)
{
	(void)arguments;
	const struct schedule *a, *b;
	const struct matching *matching = match_runs(explain, &a, &b, err);
	if (!matching) {
		return NULL;
	}
	struct relabelling labels;
	relabel(a, b, matching, false, &labels);
	struct result *result =
	    result_new("Lanes as they were compared", lane_columns, LANE_COLUMNS);
	bool *is_used = xcalloc(b->n_lanes, sizeof *is_used);
	for (size_t l = 0; l < a->n_lanes; l++) {
		struct value *row = result_add_row(result);
		row[LANE_A] = value_text(result, schedule_lane_name(a, l));
		row[N_A] = value_integer((int64_t)a->lanes[l].n);
		if (labels.other[l] != ASSIGNMENT_NONE) {
			is_used[labels.other[l]] = true;
			row[LANE_B] = value_text(result, schedule_lane_name(b, labels.other[l]));
			row[N_B] = value_integer((int64_t)b->lanes[labels.other[l]].n);
			row[IN_COMMON] = value_integer(labels.in_common[l]);
		}
	}
	for (size_t l = 0; l < b->n_lanes; l++) {
		if (!is_used[l]) {
			struct value *row = result_add_row(result);
			row[LANE_B] = value_text(result, schedule_lane_name(b, l));
			row[N_B] = value_integer((int64_t)b->lanes[l].n);
		}
	}
	note_relabelling(&labels, result);
	free(is_used);
	relabelling_fini(&labels);
	return result;
}

const struct explain_part explain_placement = {
    .name = "schedule",
    .title = "Are the schedules different at all",
    .about = "Placement of matched tasks under the relabelling of lanes (and of hosts) that makes "
	     "the most of them stand alike, since workers "
	     "have no identity across runs: the assignment problem, solved exactly (Kuhn 1955) up "
	     "to 256 lanes, greedily "
	     "beyond. Rank correlation of the order of starts (Spearman, Kendall). Transfers per "
	     "data set. Alike schedules "
	     "differ in timing, others in structure. With few tasks a lane some agree by chance.",
    .needs = "spans",
    .drill = {"schedule-lanes", ""},
    .compute = compute_schedule,
};

const struct explain_part explain_placement_lanes = {
    .name = "schedule-lanes",
    .runs = EXPLAIN_RUNS_EACH,
    .title = "Lanes as they were compared",
    .about = "Which lane of B each lane of A was compared with in the part schedule, and how many "
	     "matched "
	     "tasks ran on both.",
    .needs = "spans",
    .compute = compute_lanes,
};
