#include "config.h"
#include "cli/early_table.h"

#include <stdlib.h>

#include "util/format.h"
#include "util/mem.h"

enum { NAME, CALLS, TOTAL, SHARE, MEAN, LONGEST, COLUMNS };
static const struct result_column columns[COLUMNS] = {
    [NAME] = COLUMN_KEY("name", "Name; none: those that come late, or that the whole run tells"),
    [CALLS] = COLUMN_MEASURE("calls", KIND_COUNT, "Calls read so far"),
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
	row[CALLS] = value_integer(sums->calls);
	row[TOTAL] = value_integer(sums->total_ns);
	row[MEAN] = value_integer(sums->total_ns / sums->calls);
	if (sums->longest_ns != TIME_NONE) {
		row[LONGEST] = value_integer(sums->longest_ns);
	}
}

/* What the sums are of. */
static void
add_note(struct result *table, const struct ui_import *import)
{
	char count[FORMAT_BYTES];

	switch (import->state) {
	case IMPORT_WAITING:
		result_add_note(table, "it waits for its turn");
		break;
	case IMPORT_READING:
		format_count(count, import->records);
		if (import->progress >= 0) {
			result_add_note(table, "of %s records read so far, at most %.0f %% of all",
			                count, import->progress * 100);
		} else {
			result_add_note(table, "of %s records read so far", count);
		}
		break;
	case IMPORT_FINISHING:
		result_add_note(table, "all is read, and is becoming a run");
		break;
	case IMPORT_DONE:
		result_add_note(table, "all was read: Enter lists a row's spans in the run");
		break;
	case IMPORT_FAILED:
		result_add_note(table, "failed: %s", import->err.message);
		break;
	case IMPORT_STOPPED:
		result_add_note(table, "stopped: of what was read until then");
	}
}

struct result *
early_table(struct early_look *early, const struct ui_import *import)
{
	struct result *table = result_new("Read so far", columns, COLUMNS);
	double all = 0;

	early_each(early, give, table);
	for (size_t i = 0; i < table->n_rows; i++) {
		all += (double)result_value(table, i, TOTAL)->integer;
	}
	for (size_t i = 0; i < table->n_rows && all > 0; i++) {
		table->values[i * COLUMNS + SHARE] =
		    value_real((double)result_value(table, i, TOTAL)->integer / all);
	}
	add_note(table, import);
	return table;
}
