#include "config.h"
#include "query/saved/run_table.h"

#include <stdlib.h>

#include "query/saved/tag_columns.h"

/* Behind the run's name. */
static void
place_columns(struct result_column *columns, const struct tag_columns *tags, size_t n_people)
{
	columns[0] = run_columns[RUN_NAME];
	memcpy(columns + 1 + n_people, run_columns + 1, (RUN_COLUMNS - 1) * sizeof *columns);
	for (size_t i = 0; i < tags->n; i++) {
		columns[i < n_people ? 1 + i : RUN_COLUMNS + i] = tags->columns[i];
	}
}

static void
add_row(struct result *table, struct result *plain, const struct run_entry *entry,
        const struct tag_columns *tags, size_t n_people)
{
	const struct value *own = run_list_add_row(plain, entry);
	struct value *row = result_add_row(table);
	for (size_t i = 0; i < RUN_COLUMNS; i++) {
		row[i ? n_people + i : 0] = value_copy(table, &own[i]);
	}
	tag_columns_values(tags, 0, n_people, &entry->tags, table, row + 1);
	tag_columns_values(tags, n_people, tags->n - n_people, &entry->tags, table,
	                   row + RUN_COLUMNS + n_people);
}

struct result *
run_table_new(const struct run_list *list, size_t *n_plain)
{
	struct tag_columns tags = {0};
	struct run_tags *all = xcalloc(list->n + 1, sizeof *all);
	for (size_t i = 0; i < list->n; i++) {
		all[i] = list->entries[i].tags;
	}
	tag_columns_add(&tags, all, list->n, false, run_columns, RUN_COLUMNS);
	size_t n_people = tags.n;
	tag_columns_add(&tags, all, list->n, true, run_columns, RUN_COLUMNS);
	struct result_column *columns = xcalloc(RUN_COLUMNS + tags.n, sizeof *columns);
	place_columns(columns, &tags, n_people);
	struct result *table = result_new("Runs", columns, RUN_COLUMNS + tags.n);
	struct result *plain = result_new("Runs", run_columns, RUN_COLUMNS);
	for (size_t i = 0; i < list->n; i++) {
		if (!list->entries[i].error) {
			add_row(table, plain, &list->entries[i], &tags, n_people);
		}
	}
	*n_plain = RUN_COLUMNS + n_people;
	result_free(plain);
	free(columns);
	free(all);
	tag_columns_free(&tags);
	return table;
}

void
run_table_keep_plain(struct result *table, size_t n_plain)
{
	bool *keeps = xcalloc(table->n_columns + 1, sizeof *keeps);
	memset(keeps, true, n_plain * sizeof *keeps);
	result_keep_columns(table, keeps);
	free(keeps);
}
