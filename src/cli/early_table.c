#include "config.h"
#include "cli/early_table.h"

#include <stdlib.h>

#include "util/mem.h"

enum { NAME, COUNT, TOTAL, SHARE, MEAN, LONGEST, COLUMNS };
static const struct result_column columns[COLUMNS] = {
    [NAME] = COLUMN_KEY("name", "Name; none: those that come late, or that the whole run tells"),
    [COUNT] = COLUMN_MEASURE("count", KIND_COUNT, "Spans read so far"),
    [TOTAL] = COLUMN_MEASURE("total", KIND_DURATION, "Their durations, summed"),
    [SHARE] = COLUMN("share", KIND_PERCENT, "Of all these"),
    [MEAN] = COLUMN("mean", KIND_DURATION, "Mean"),
    [LONGEST] = COLUMN("max", KIND_DURATION, "The largest"),
};

static void
give(void *user, struct slice name, const struct early_sums *sums)
{
	struct result *table = user;
	struct value *row = result_add_row(table);

	if (name.len > 0) {
		row[NAME] = value_text(table, name);
	}
	row[COUNT] = value_integer((int64_t)sums->spans);
	row[TOTAL] = value_integer(sums->total_ns);
	row[MEAN] = value_integer((int64_t)((uint64_t)sums->total_ns / sums->spans));
	row[LONGEST] = value_integer(sums->longest_ns);
}

struct result *
early_table(struct early_look *early)
{
	struct result *table = result_new("Read so far", columns, COLUMNS);
	struct err err = ERR_INIT;
	double all = 0;

	early_each(early, give, table);
	for (size_t i = 0; i < table->n_rows; i++) {
		all += (double)result_value(table, i, TOTAL)->integer;
	}
	for (size_t i = 0; i < table->n_rows && all > 0; i++) {
		table->values[i * COLUMNS + SHARE] =
		    value_real((double)result_value(table, i, TOTAL)->integer / all);
	}
	(void)result_sort(table, "-total, name", &err); /* its own columns */
	return table;
}
