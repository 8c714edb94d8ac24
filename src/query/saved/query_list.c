/*
 * What tells most can't be computed, so a few names lead the list: for each format the questions
 * that its users ask first. All others follow by name, which keeps families (task-, transfer-,
 * span-) together.
 */
#include "config.h"

#include "query/saved/query_list.h"

#include <stdlib.h>
#include <string.h>

#include "util/mem.h"
#include "util/order.h"

static const char *const leading[] = {"task-by-kind",
                                      "task-summary",
                                      "transfer-avoidable",
                                      "controller-summary",
                                      "function-bottleneck",
                                      "task-bottleneck",
                                      "worker-balance",
                                      "resource-summary",
                                      "io-summary",
                                      "checkpoint-time",
                                      "function-time",
                                      "gpu-busy",
                                      "gpu-idle",
                                      "gpu-overlap",
                                      "critical-path",
                                      "preemption-accounting",
                                      "preemption-summary",
                                      "preemption-rollbacks",
                                      "trial-improvement",
                                      "trial-means",
                                      "span-totals",
                                      "span-by-category",
                                      "lane-totals",
                                      "span-longest",
                                      "idle-by-lane"};
#define N_LEADING COUNT_OF(leading)

bool
query_list_is_special(const struct saved_query *query)
{
	return strcmp(query->formats, "any") != 0;
}

static size_t
place_of(const struct saved_query *query)
{
	size_t i = 0;

	while (i < N_LEADING && strcmp(leading[i], query->name) != 0) {
		i++;
	}
	for (size_t k = 0; k < query->n_params; k++) {
		if (!query->params[k].default_text) {
			return N_LEADING + 1;
		}
	}
	return i;
}

static int
compare(const void *a, const void *b)
{
	const struct saved_query *left = *(const struct saved_query *const *)a;
	const struct saved_query *right = *(const struct saved_query *const *)b;
	size_t left_place = place_of(left), right_place = place_of(right);

	ORDER_BY(left_place, right_place);
	return strcmp(left->name, right->name);
}

/* For runs side by side: the worst. Where some have what is needed and others have not, all that
 * can be said is who has: that comes last. */
static enum query_rank
rank_for(const struct saved_query *query, const struct run_info *const *runs, size_t n_runs)
{
	enum query_rank worst = QUERY_RANK_DIALECT;
	size_t n_empty = 0;

	for (size_t i = 0; i < n_runs; i++) {
		enum query_rank rank = query_rank(query, runs[i]);

		if (rank == QUERY_RANK_EMPTY) {
			n_empty++;
		} else if (rank > worst) {
			worst = rank;
		}
	}
	if (n_empty == n_runs) {
		return QUERY_RANK_EMPTY;
	}
	return n_empty > 0 && worst < QUERY_RANK_OTHER ? QUERY_RANK_OTHER : worst;
}

const struct saved_query **
query_list_fitting(const struct query_library *library, const struct run_info *const *runs,
                   size_t n_runs, size_t *n)
{
	const struct saved_query **fitting =
	    xcalloc(query_library_count(library) + 1, sizeof *fitting);

	*n = 0;
	for (enum query_rank rank = 0; rank < QUERY_RANK_EMPTY; rank++) {
		size_t n_before = *n;

		for (size_t i = 0; i < query_library_count(library); i++) {
			const struct saved_query *query = query_library_get(library, i);

			if (rank_for(query, runs, n_runs) == rank) {
				fitting[(*n)++] = query;
			}
		}
		if (*n - n_before > 1) {
			qsort(fitting + n_before, *n - n_before, sizeof *fitting, compare);
		}
	}
	return fitting;
}
