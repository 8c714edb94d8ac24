/*
 * Which rows of a result are shown in which order: filters, then sort keys. What is wanted is
 * written down, worked out (on the worker, where the rows are many), and taken by the table's
 * model.
 * Used by ui/lists.
 */
#ifndef LANESCOPE_UI_TABLE_TABLE_ORDER_H
#define LANESCOPE_UI_TABLE_TABLE_ORDER_H

#include "ui/base/filter_stack.h"
#include "ui/base/result_hold.h"
#include "ui/table/table_sort.h"
#include "util/cancel.h"

#define SORT_KEYS 8

/* What the user wants. */
struct table_wish {
	struct filter_stack filters;           /* table_filter.h */
	struct table_sort_key keys[SORT_KEYS]; /* none: as the query gave them */
	size_t n_keys;
};
void table_wish_fini(struct table_wish *wish);
struct table_wish table_wish_copy(const struct table_wish *wish);

struct table_order {
	struct result_hold *hold;
	struct table_wish wish;
	size_t *rows; /* to begin with, and then as wanted */
	size_t n_rows;
	size_t n_passed; /* of the filters, by the rows to begin with */
	bool is_sorted;
};

/* Of all rows. */
struct table_order *table_order_new(struct result_hold *hold, const struct table_wish *wish);
/* Of rows that are in order and have passed n_passed of the filters. */
struct table_order *table_order_narrow(struct result_hold *hold, const struct table_wish *wish,
                                       const size_t *rows, size_t n_rows, size_t n_passed);
/* A filter that the columns can't take keeps all rows. Fails only if it is cancelled. */
int table_order_run(struct table_order *order, const struct cancel *cancel, struct err *err);
void table_order_free(struct table_order *order); /* takes NULL */

#endif
