/*
 * Measures that are alternatives for one thing (the time in a file system summed by thread, summed
 * by process, or as the union of the calls) may rank runs differently; whoever reads one of them
 * must know.
 *
 * For each row that runs have in common, and each two alternatives: the runs are sorted by the one,
 * and if by the other any comes before one that is strictly less, the two disagree. Ties disagree
 * with nothing, and runs that lack one of the figures are left out.
 */
#include "config.h"
#include "query/saved/query.h"

#include <stdlib.h>

#include "query/saved/list.h"
#include "query/saved/match.h"
#include "util/format.h"

#define RUNS_SHOWN 6 /* with more of them only two that disagree are named */
#define ALTERNATIVES_MAX 16

struct ranking {
	struct result *const *results;
	const char *const *names;
	size_t n;
	size_t columns[ALTERNATIVES_MAX];
	size_t n_columns;
};

/* A run's figures for one row. */
struct run_alternatives {
	const char *name;
	struct value values[ALTERNATIVES_MAX];
};

/* Order of runs by one of the alternatives; qsort takes no argument. */
static int
compare_ranked(const struct run_alternatives *a, const struct run_alternatives *b,
               size_t alternative)
{
	return value_compare(&a->values[alternative], &b->values[alternative]);
}

static void
sort_ranked(struct run_alternatives *ranked, size_t n, size_t alternative)
{
	for (size_t i = 1; i < n; i++) { /* runs are few */
		struct run_alternatives moved = ranked[i];
		size_t k = i;
		for (; k > 0 && compare_ranked(&ranked[k - 1], &moved, alternative) > 0; k--) {
			ranked[k] = ranked[k - 1];
		}
		ranked[k] = moved;
	}
}

/* Two runs, sorted by `by`, of which the first is strictly less by it and strictly more by
 * `other`. */
static bool
disagree(const struct run_alternatives *sorted, size_t n, size_t by, size_t other, size_t pair[2])
{
	size_t most = 0,
	       candidate =
		   0; /* of those strictly less; of those with the same figure as this one, too */

	for (size_t i = 1; i < n; i++) {
		if (compare_ranked(&sorted[i - 1], &sorted[i], by) < 0) {
			most = candidate;
		}
		if (compare_ranked(&sorted[most], &sorted[i], by) < 0 &&
		    compare_ranked(&sorted[most], &sorted[i], other) > 0) {
			pair[0] = most;
			pair[1] = i;
			return true;
		}
		if (compare_ranked(&sorted[i], &sorted[candidate], other) > 0) {
			candidate = i;
		}
	}
	return false;
}

static bool
find_disagreement(const struct ranking *ranking, struct run_alternatives *ranked, size_t n,
                  size_t pair[2])
{
	for (size_t by = 0; by + 1 < ranking->n_columns; by++) {
		sort_ranked(ranked, n, by);
		for (size_t other = by + 1; other < ranking->n_columns; other++) {
			if (disagree(ranked, n, by, other, pair)) {
				return true;
			}
		}
	}
	return false;
}

/* Runs that have the row, with all of its figures. */
static size_t
take_row(const struct ranking *ranking, const size_t *rows, struct run_alternatives *ranked)
{
	size_t n = 0;

	for (size_t i = 0; i < ranking->n; i++) {
		bool is_whole = rows[i] > 0;
		for (size_t c = 0; is_whole && c < ranking->n_columns; c++) {
			ranked[n].values[c] =
			    *result_value(ranking->results[i], rows[i] - 1, ranking->columns[c]);
			is_whole = ranked[n].values[c].type == VALUE_INTEGER ||
			           ranked[n].values[c].type == VALUE_REAL;
		}
		ranked[n].name = ranking->names[i];
		n += is_whole;
	}
	return n;
}

/* "a < b = c" */
static void
print_order(struct run_alternatives *ranked, size_t n, size_t alternative, struct strbuf *out)
{
	sort_ranked(ranked, n, alternative);
	for (size_t i = 0; i < n; i++) {
		const char *sign = i == 0 ? ""
		                   : compare_ranked(&ranked[i - 1], &ranked[i], alternative)
		                       ? " < "
		                       : " = ";
		strbuf_printf(out, "%s%s", sign, ranked[i].name);
	}
}

/* "by time a < b; by busy and sum b < a" */
static void
print_orders(const struct ranking *ranking, struct run_alternatives *ranked, size_t n,
             struct strbuf *out)
{
	struct strbuf orders[ALTERNATIVES_MAX] = {{0}};
	bool is_told[ALTERNATIVES_MAX] = {false};

	for (size_t c = 0; c < ranking->n_columns; c++) {
		print_order(ranked, n, c, &orders[c]);
	}
	for (size_t c = 0; c < ranking->n_columns; c++) {
		if (is_told[c]) {
			continue;
		}
		strbuf_printf(out, "%sby %s", c > 0 ? "; " : "",
		              ranking->results[0]->columns[ranking->columns[c]].name);
		for (size_t k = c + 1; k < ranking->n_columns; k++) {
			if (strcmp(orders[k].data, orders[c].data) == 0) {
				is_told[k] = true;
				strbuf_printf(
				    out, " and %s",
				    ranking->results[0]->columns[ranking->columns[k]].name);
			}
		}
		strbuf_printf(out, " %s", orders[c].data);
	}
	for (size_t c = 0; c < ranking->n_columns; c++) {
		strbuf_free(&orders[c]);
	}
}

/* "path=/p/x: " */
static void
print_key(const struct result *result, size_t row, const struct match_columns *keys,
          struct strbuf *out)
{
	for (size_t k = 0; k < keys->n; k++) {
		const struct value *value = result_value(result, row, keys->column[k]);
		strbuf_printf(out, "%s%s=", k > 0 ? ", " : "",
		              result->columns[keys->column[k]].name);
		if (value->type == VALUE_TEXT) {
			strbuf_add_slice(out, value->text);
		} else if (value->type == VALUE_INTEGER) {
			strbuf_printf(out, "%lld", (long long)value->integer);
		} else if (value->type == VALUE_REAL) {
			strbuf_printf(out, "%g", value->real);
		}
	}
	strbuf_add_text(out, keys->n ? ": " : "");
}

static void
note_disagreement(struct result *result, const struct ranking *ranking, const struct match *match,
                  size_t group, size_t n_groups, const struct match_columns *keys)
{
	const size_t *rows = match->rows + group * ranking->n;
	struct run_alternatives *ranked = xcalloc(ranking->n + 1, sizeof *ranked);
	size_t n = take_row(ranking, rows, ranked), pair[2] = {0, 0}, first = 0;
	struct strbuf text = {0};

	while (rows[first] == 0) {
		first++;
	}
	if (n > RUNS_SHOWN && find_disagreement(ranking, ranked, n, pair)) {
		struct run_alternatives a = ranked[pair[0]], b = ranked[pair[1]];
		ranked[0] = a;
		ranked[1] = b;
		n = 2;
	}
	print_key(ranking->results[first], rows[first] - 1, &keys[first], &text);
	print_orders(ranking, ranked, n, &text);
	if (n_groups > 1) {
		strbuf_printf(&text, " (and %zu more rows)", n_groups - 1);
	}
	result_add_note(
	    result,
	    "runs rank differently: %s: these measure different things, and must not be mixed",
	    text.data);
	strbuf_free(&text);
	free(ranked);
}

static void
note_set(struct result *result, const struct ranking *ranking, const struct match *match,
         const struct match_columns *keys)
{
	struct run_alternatives *ranked = xcalloc(ranking->n + 1, sizeof *ranked);
	size_t first = 0, n_groups = 0;

	for (size_t g = 0; g < match->n_groups; g++) {
		size_t pair[2], n = take_row(ranking, match->rows + g * ranking->n, ranked);
		if (find_disagreement(ranking, ranked, n, pair)) {
			first = n_groups++ ? first : g;
		}
	}
	free(ranked);
	if (n_groups > 0) {
		note_disagreement(result, ranking, match, first, n_groups, keys);
	}
}

void
query_note_rankings(struct result *result, const struct saved_query *query,
                    struct result *const *results, const char *const *names, size_t n,
                    const char *key)
{
	struct match_columns *keys = xcalloc(n + 1, sizeof *keys);
	struct err ignored =
	    ERR_INIT; /* what is wrong with keys was told when the results were put together */
	bool are_known = query->alternatives != NULL && n > 1;

	for (size_t i = 0; i < n && are_known; i++) {
		are_known = match_keys(results[i], key, &keys[i], &ignored) == 0;
	}
	if (are_known) {
		struct match *match = match_rows(results, keys, n);
		struct slice rest = slice_of(query->alternatives), set, item;
		while (query_alternatives_next(&rest, &set)) {
			struct ranking ranking = {.results = results, .names = names, .n = n};
			while (list_next(&set, &item) && ranking.n_columns < ALTERNATIVES_MAX) {
				char *name = xstrndup(item.ptr, item.len);
				int column = result_column_find(results[0], name, &ignored);
				free(name);
				if (column >= 0) {
					ranking.columns[ranking.n_columns++] = (size_t)column;
				}
			}
			note_set(result, &ranking, match, keys);
		}
		match_free(match);
	}
	free(keys);
}

bool
query_alternatives_next(struct slice *rest, struct slice *set)
{
	return list_take(rest, set, ';');
}
