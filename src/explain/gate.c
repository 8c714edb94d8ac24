#include "config.h"
#include "explain/gate_figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "explain/model/limit_test.h"
#include "util/format.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/quantile.h"

#define FALSE_ALARMS 0.01
#define FIGURES_LISTED 3 /* more are counted */

bool
gate_compares(struct store *const *stores, const char *const *names, size_t n, struct strbuf *line)
{
	struct strbuf clashes = {0};
	query_clashes(&clashes, stores, names, n);
	bool compares = clashes.len == 0;
	if (!compares) {
		strbuf_printf(line, "gate: not comparable: %s", clashes.data);
	}
	strbuf_free(&clashes);
	return compares;
}

/* The same run again, maybe under another name, tells nothing more of how runs vary. */
static bool
is_copy(struct store *const *stores, size_t first, size_t i)
{
	const char *identity = store_run(stores[i])->identity;
	bool is_same = false;
	for (size_t k = first; k < i && *identity; k++) {
		is_same = is_same || strcmp(store_run(stores[k])->identity, identity) == 0;
	}
	return is_same;
}

struct gate *
gate_new(double limit, struct store *const *stores, const char *const *names, size_t n_a,
         size_t n_b)
{
	struct gate *gate = xcalloc(1, sizeof *gate);
	*gate = (struct gate){.arena = arena_new(),
	                      .limit = limit,
	                      .n_a = n_a,
	                      .n_b = n_b,
	                      .stores = stores,
	                      .names = names};
	gate->is_copy = arena_zalloc(gate->arena, (n_a + n_b) * sizeof *gate->is_copy + 1);
	for (size_t i = 0; i < n_a + n_b; i++) {
		unsigned side = i >= n_a;
		gate->is_copy[i] = is_copy(stores, side ? n_a : 0, i);
		gate->n_runs[side] += !gate->is_copy[i];
	}
	return gate;
}

void
gate_free(struct gate *gate)
{
	if (gate) {
		free(gate->figures);
		arena_free(gate->arena);
		free(gate);
	}
}

struct gate_figure *
gate_figure_add(struct gate *gate, const char *name, enum column_kind kind, bool is_higher_better)
{
	MEM_GROW(gate->figures, gate->capacity, gate->n + 1);
	struct gate_figure *figure = &gate->figures[gate->n++];
	*figure = (struct gate_figure){
	    .name = arena_strdup(gate->arena, name),
	    .kind = kind,
	    .is_higher_better = is_higher_better,
	    .bound = {"", ""},
	    .values = {arena_zalloc(gate->arena, gate->n_a * sizeof(double) + 1),
	               arena_zalloc(gate->arena, gate->n_b * sizeof(double) + 1)},
	};
	return figure;
}

void
gate_figure_take(const struct gate *gate, struct gate_figure *figure, size_t run, double value)
{
	unsigned side = run >= gate->n_a;
	if (!gate->is_copy[run] && isfinite(value)) {
		figure->values[side][figure->n[side]++] = value;
	}
}

bool
gate_is_pair(const struct gate *gate)
{
	return gate->n_runs[0] == 1 && gate->n_runs[1] == 1;
}

/* How far B is beyond what it may be; above 0: too far. */
static double
excess(const struct gate *gate, const struct gate_figure *figure)
{
	double most = limit_of(figure->median[0], gate->limit, figure->is_higher_better);
	return figure->is_higher_better ? most - figure->median[1] : figure->median[1] - most;
}

static double
relative(const struct gate_figure *figure)
{
	return (figure->median[1] - figure->median[0]) / fabs(figure->median[0]);
}

/* What is most surely worse first, then what is worse by most. */
static int
compare_figures(const void *left, const void *right)
{
	const struct gate_figure *a = left, *b = right;
	double worse_a = relative(a) * (a->is_higher_better ? -1 : 1);
	double worse_b = relative(b) * (b->is_higher_better ? -1 : 1);
	ORDER_BY(b->is_crossed, a->is_crossed);
	ORDER_BY(isnan(worse_a), isnan(worse_b));
	ORDER_BY(worse_b, worse_a);
	return ORDER(a->index, b->index);
}

/* Of several runs a side: are these enough, however their figures are? */
static bool
can_decide(const struct gate *gate, const struct gate_figure *figure)
{
	return limit_test_can(figure->n[0], figure->n[1], FALSE_ALARMS / (double)gate->n);
}

/* What is not over the limit by its median is not over, and needs no test. */
static size_t
test_figures(struct gate *gate)
{
	double *p = xcalloc(gate->n + 1, sizeof *p);
	bool *crossed = xcalloc(gate->n + 1, sizeof *crossed);
	for (size_t i = 0; i < gate->n; i++) {
		struct gate_figure *figure = &gate->figures[i];
		bool is_tested = excess(gate, figure) > 0 && can_decide(gate, figure);
		p[i] = figure->p =
		    is_tested ? limit_test(figure->values[0], figure->n[0], figure->values[1],
		                           figure->n[1], gate->limit, figure->is_higher_better)
			      : 1;
	}
	size_t n = limit_test_share(p, gate->n, FALSE_ALARMS, crossed);
	for (size_t i = 0; i < gate->n; i++) {
		gate->figures[i].is_crossed = crossed[i];
	}
	free(p);
	free(crossed);
	return n;
}

static size_t
compare_pairs(struct gate *gate)
{
	size_t n = 0;
	for (size_t i = 0; i < gate->n; i++) {
		struct gate_figure *figure = &gate->figures[i];
		figure->is_crossed = excess(gate, figure) > figure->error;
		n += figure->is_crossed;
	}
	return n;
}

/* Figures that lack too many of the runs to be decided. */
static size_t
count_undecided(const struct gate *gate)
{
	size_t n = 0;
	for (size_t i = 0; i < gate->n; i++) {
		const struct gate_figure *figure = &gate->figures[i];
		bool can = gate_is_pair(gate)
		               ? excess(gate, figure) <= 0 || excess(gate, figure) > figure->error
		               : can_decide(gate, figure);
		n += !can;
	}
	return n;
}

static void
set_medians(struct gate *gate)
{
	for (size_t i = 0; i < gate->n; i++) {
		struct gate_figure *figure = &gate->figures[i];
		for (unsigned side = 0; side < 2; side++) {
			double *sorted = xcalloc(figure->n[side] + 1, sizeof *sorted);
			memcpy(sorted, figure->values[side], figure->n[side] * sizeof *sorted);
			quantile_sort(sorted, figure->n[side]);
			figure->median[side] = quantile_sorted(sorted, figure->n[side], 0.5);
			free(sorted);
		}
		figure->index = i;
	}
}

/* "makespan 17.83 s of f1, 28.09 s of f4, +57.6 %" */
static void
print_figure(struct strbuf *out, const struct gate *gate, const struct gate_figure *figure)
{
	bool is_groups = !gate_is_pair(gate);
	char text[FORMAT_BYTES];
	strbuf_printf(out, "%s%s", is_groups ? "median " : "", figure->name);
	for (unsigned side = 0; side < 2; side++) {
		struct value value = value_real(figure->median[side]);
		struct slice shown = value_show(&value, figure->kind, text);
		const char *name = gate->names[side ? gate->n_a : 0];
		strbuf_printf(out, "%s %s%.*s of %s", side ? "," : "", figure->bound[side],
		              (int)shown.len, shown.ptr,
		              !is_groups ? name
		              : side     ? "b"
		                         : "a");
	}
	if (isfinite(relative(figure))) {
		format_percent(text, relative(figure));
		strbuf_printf(out, ", %s%s", relative(figure) > 0 ? "+" : "", text);
	}
}

/* How sure that is. */
static void
print_noise(struct strbuf *out, const struct gate *gate, const struct gate_figure *figure)
{
	char around[FORMAT_BYTES];
	if (!gate_is_pair(gate)) {
		strbuf_printf(out, " (%zu and %zu runs", figure->n[0], figure->n[1]);
		if (excess(gate, figure) > 0) {
			strbuf_printf(out, ", p %.2g", figure->p);
		}
		strbuf_add_char(out, ')');
	} else if (figure->error > 0) {
		format_percent(around, figure->error / fabs(figure->median[0]));
		strbuf_printf(out, " (one run a side; noise of its items may be %s)", around);
	}
}

static void
print_decided(struct strbuf *out, const struct gate *gate, size_t n_crossed)
{
	char allowed[FORMAT_BYTES];
	size_t listed = MOST(n_crossed, 1);
	format_percent(allowed, gate->limit);
	if (gate->n == 1) {
		print_figure(out, gate, gate->figures);
		strbuf_printf(
		    out, ": %s the allowed %s%s", n_crossed ? "over" : "not over", allowed,
		    !n_crossed && excess(gate, gate->figures) > 0 ? " by more than noise" : "");
		print_noise(out, gate, gate->figures);
		return;
	}
	if (n_crossed) {
		strbuf_printf(out, "%zu of %zu figures %s over the allowed %s:", n_crossed, gate->n,
		              n_crossed == 1 ? "is" : "are", allowed);
	} else {
		strbuf_printf(out, "none of %zu figures is over the allowed %s, the most is",
		              gate->n, allowed);
	}
	for (size_t i = 0; i < listed && i < FIGURES_LISTED; i++) {
		strbuf_add_text(out, i ? "; " : " ");
		print_figure(out, gate, &gate->figures[i]);
		print_noise(out, gate, &gate->figures[i]);
	}
	if (listed > FIGURES_LISTED) {
		strbuf_printf(out, "; and %zu more", listed - FIGURES_LISTED);
	}
}

static void
print_undecided(struct strbuf *out, const struct gate *gate, size_t n_undecided)
{
	print_figure(out, gate, gate->figures);
	if (gate_is_pair(gate)) {
		print_noise(out, gate, gate->figures);
	}
	strbuf_printf(out, ": undecided, needs at least %zu runs a side",
	              limit_test_runs(FALSE_ALARMS / (double)gate->n));
	if (gate->n > 1) {
		strbuf_printf(out, " for %zu figures", gate->n);
	}
	strbuf_printf(out, " (these are %zu and %zu", gate->n_runs[0], gate->n_runs[1]);
	if (n_undecided < gate->n) {
		strbuf_printf(out, ", and %zu figure%s lack%s some", n_undecided,
		              n_undecided > 1 ? "s" : "", n_undecided > 1 ? "" : "s");
	}
	strbuf_add_char(out, ')');
}

enum gate_verdict
gate_judge(struct gate *gate, struct strbuf *line)
{
	if (!gate_compares(gate->stores, gate->names, gate->n_a + gate->n_b, line)) {
		return GATE_NOT_COMPARABLE;
	}
	if (gate->n == 0) {
		strbuf_add_text(line, "gate: not comparable: no figure stands on both sides");
		return GATE_NOT_COMPARABLE;
	}
	strbuf_add_text(line, "gate: ");
	set_medians(gate);
	size_t n_crossed = gate_is_pair(gate) ? compare_pairs(gate) : test_figures(gate);
	size_t n_undecided = n_crossed ? 0 : count_undecided(gate);
	SORT(gate->figures, gate->n, compare_figures);
	if (n_undecided) {
		print_undecided(line, gate, n_undecided);
	} else {
		print_decided(line, gate, n_crossed);
	}
	if (n_crossed && gate_is_pair(gate) && gate->figures[0].error == 0) {
		strbuf_add_text(line, " (one run a side: compared as they are)");
	}
	if (gate->n_one_sided) {
		strbuf_printf(line, "; %zu figure%s on one side only", gate->n_one_sided,
		              gate->n_one_sided == 1 ? " stands" : "s stand");
	}
	size_t n_copies = gate->n_a + gate->n_b - gate->n_runs[0] - gate->n_runs[1];
	if (n_copies) {
		strbuf_printf(line, "; %zu run%s the same as others", n_copies,
		              n_copies == 1 ? " is" : "s are");
	}
	return n_crossed ? GATE_CROSSED : n_undecided ? GATE_UNDECIDED : GATE_PASSED;
}
