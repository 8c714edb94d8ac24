#include "config.h"

#include "ui/table/table_order.h"

#include <stdlib.h>
#include <string.h>

#include "ui/base/result_copy.h"
#include "ui/table/table_filter.h"
#include "util/mem.h"

#define ROWS_A_POLL 1024

void
table_wish_fini(struct table_wish *wish)
{
	filter_stack_fini(&wish->filters);
	*wish = (struct table_wish){0};
}

struct table_wish
table_wish_copy(const struct table_wish *wish)
{
	struct table_wish copy = *wish;

	copy.filters = (struct filter_stack){NULL, 0};
	for (size_t i = 0; i < wish->filters.n; i++) {
		filter_stack_take(&copy.filters, xstrdup(wish->filters.filters[i]));
	}
	return copy;
}

static struct table_order *
order_new(struct result_hold *hold, const struct table_wish *wish, const size_t *rows,
          size_t n_rows)
{
	struct table_order *order = xcalloc(1, sizeof *order);

	order->hold = result_hold_retain(hold);
	order->wish = table_wish_copy(wish);
	order->rows = numbers_copy(rows, n_rows);
	order->n_rows = n_rows;
	return order;
}

struct table_order *
table_order_new(struct result_hold *hold, const struct table_wish *wish)
{
	return order_new(hold, wish, NULL, hold->result->n_rows);
}

struct table_order *
table_order_narrow(struct result_hold *hold, const struct table_wish *wish, const size_t *rows,
                   size_t n_rows, size_t n_passed)
{
	struct table_order *order = order_new(hold, wish, rows, n_rows);

	order->n_passed = n_passed;
	order->is_sorted = true;
	return order;
}

static int
stopped(struct err *err)
{
	return err_set(err, ERR_CANCELLED, "stopped");
}

/* Keeps those rows for which the filter holds. */
static int
narrow(struct table_order *order, const char *text, const struct cancel *cancel, struct err *err)
{
	struct err ignored = ERR_INIT;
	struct table_filter *filter =
	    table_filter_compile(order->hold->result, slice_of(text), &ignored);
	size_t kept = 0, i = 0;

	for (; filter && i < order->n_rows; i++) {
		if (i % ROWS_A_POLL == 0 && cancel_requested(cancel)) {
			break;
		}
		if (table_filter_holds(filter, order->rows[i])) {
			order->rows[kept++] = order->rows[i];
		}
	}
	if (filter && i < order->n_rows) {
		table_filter_free(filter);
		return stopped(err);
	}
	order->n_rows = filter ? kept : order->n_rows;
	table_filter_free(filter);
	return 0;
}

int
table_order_run(struct table_order *order, const struct cancel *cancel, struct err *err)
{
	for (size_t i = order->n_passed; i < order->wish.filters.n; i++) {
		if (narrow(order, order->wish.filters.filters[i], cancel, err)) {
			return -1;
		}
	}
	if (!order->is_sorted &&
	    !table_sort(order->hold->result, order->wish.keys, order->wish.n_keys, order->rows,
	                order->n_rows, cancel)) {
		return stopped(err);
	}
	return 0;
}

void
table_order_free(struct table_order *order)
{
	if (order) {
		result_hold_release(order->hold);
		table_wish_fini(&order->wish);
		free(order->rows);
		free(order);
	}
}
