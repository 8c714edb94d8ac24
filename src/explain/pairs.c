/*
 * More than two runs, two at a time.
 *
 * Pairs are dealt so that every run of a group counts alike: run i of a covers the i-th of n_a
 * equal pieces of a line, run j of b the j-th of n_b; a pair weighs what their pieces have in
 * common. That takes at most n_a + n_b - 1 pairs, and a mean over these is the mean over the runs.
 * Of a series, whose first run is a, it makes that run with each of the others.
 */
#include "config.h"
#include "explain/pool.h"

#include <stdlib.h>
#include <string.h>

#include "explain/explain.h"
#include "util/order.h"

static size_t
common_divisor(size_t a, size_t b)
{
	return b == 0 ? a : common_divisor(b, a % b);
}

static int
visit_pair(struct explain *explain, const struct explain_deal *deal, explain_visitor *visit,
           void *user, struct err *err)
{
	struct explain_run a = explain->a[deal->a], b = explain->b[deal->b];
	struct explain pair = {.a = &a,
	                       .b = &b,
	                       .n_a = 1,
	                       .n_b = 1,
	                       .is_of_many = true,
	                       .is_pooled = !explain->is_series,
	                       .longest_ns = explain->longest_ns,
	                       .cancel = explain->cancel,
	                       .lost = explain->lost};
	int rc = visit(user, &pair, deal, err);
	explain->a[deal->a] = a;
	explain->b[deal->b].schedule = b.schedule;
	return rc;
}

int
explain_each_pair(struct explain *explain, explain_visitor *visit, void *user, struct err *err)
{
	size_t divisor = common_divisor(explain->n_a, explain->n_b);
	size_t of_a = explain->n_b / divisor, of_b = explain->n_a / divisor; /* a run's piece */
	for (size_t i = 0, j = 0, at = 0; i < explain->n_a;) {
		size_t end = LEAST((i + 1) * of_a, (j + 1) * of_b);
		const struct explain_deal deal = {i, j, (int64_t)(end - at), (int64_t)of_a,
		                                  (int64_t)of_b};
		if (visit_pair(explain, &deal, visit, user, err)) {
			return -1;
		}
		bool ends_a = end == (i + 1) * of_a, ends_b = end == (j + 1) * of_b;
		if (ends_a) {
			explain_release(explain, &explain->a[i]);
		}
		if (ends_b) {
			explain_release(explain, &explain->b[j]);
		}
		at = end;
		i += ends_a;
		j += ends_b;
	}
	return 0;
}

struct result *
explain_part_rows(struct explain *explain, const struct explain_part *part,
                  const char *const *texts, struct err *err)
{
	return part->query ? explain_query_part(explain, part, texts, err)
	                   : part->compute(explain, texts, err);
}

char *
explain_pair_name(const struct explain *explain, const struct explain *pair)
{
	struct strbuf name = {0};
	if (!explain->is_series) {
		strbuf_printf(&name, "%s -> ", pair->a->name);
	}
	strbuf_add_text(&name, pair->b->name);
	return strbuf_take(&name);
}

void
explain_fold_notes(struct result *result, const struct explain *explain, char *const *pairs,
                   size_t n_pairs)
{
	size_t n = explain->n_a + explain->n_b;
	const char **names = xcalloc(n, sizeof *names);
	for (size_t i = 0; i < n; i++) {
		names[i] = explain_run_at(explain, i)->name;
	}
	result_fold_notes(result, (const char *const *)pairs, n_pairs,
	                  explain->is_series ? "runs" : "pairs");
	result_fold_notes(result, names, n, "runs");
	free(names);
}

/* ---- tables of pairs ---- */

struct stacking {
	const struct explain *explain;
	explain_table_maker *make;
	void *user;
	struct result **tables;
	char **names;
	size_t n;
};

static int
add_table(void *user, struct explain *pair, const struct explain_deal *deal, struct err *err)
{
	struct stacking *stacking = user;
	struct result *table = stacking->make(stacking->user, pair, err);
	(void)deal;
	if (!table) {
		return -1;
	}
	stacking->tables[stacking->n] = table;
	stacking->names[stacking->n++] = explain_pair_name(stacking->explain, pair);
	return 0;
}

struct result *
explain_stack(struct explain *explain, explain_table_maker *make, void *user, struct err *err)
{
	struct stacking stacking = {.explain = explain, .make = make, .user = user};
	struct result *stack = NULL;
	MEM_NEW(stacking.tables, explain->n_a + explain->n_b);
	MEM_NEW(stacking.names, explain->n_a + explain->n_b);
	if (explain_each_pair(explain, add_table, &stacking, err) == 0) {
		stack = query_stack(stacking.tables, (const char *const *)stacking.names, NULL,
		                    NULL, stacking.n, err);
	}
	if (stack && !explain->is_series) {
		stack->columns[0].name = "pair";
		stack->columns[0].about = "runs of a and b that the row is of";
	}
	if (stack) {
		explain_fold_notes(stack, explain, stacking.names, stacking.n);
	}
	for (size_t i = 0; i < stacking.n; i++) {
		result_free(stacking.tables[i]);
		free(stacking.names[i]);
	}
	free(stacking.tables);
	free(stacking.names);
	return stack;
}
