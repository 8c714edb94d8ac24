/*
 * span_flows: what flow events connect (rows of table dependency of type span), a row for each name
 * of flows and names of the spans at both ends, with how long the one waited for the other.
 */
#include "config.h"
#include "store/vtab.h"

#include <stdlib.h>

#include "column/ops/flows.h"
#include "util/mem.h"

struct flow_list {
	struct flow *all;
	size_t n, capacity;
};

/* All of the file: those with an end that the scope leaves out are not counted. */
static int
read_flows(struct vtab *vtab, struct flow_list *list, struct err *err)
{
	static const char sql[] =
	    "SELECT from_id, to_id, name FROM main.dependency WHERE type = 'span'";
	sqlite3_stmt *stmt = NULL;
	int result = sqlite3_prepare_v2(vtab_connection(vtab), sql, -1, &stmt, NULL);

	while (result == SQLITE_OK || result == SQLITE_ROW) {
		result = sqlite3_step(stmt);
		if (result == SQLITE_ROW) {
			bool has_name = sqlite3_column_type(stmt, 2) != SQLITE_NULL;
			MEM_GROW(list->all, list->capacity, list->n + 1);
			list->all[list->n++] = (struct flow){
			    .from = sqlite3_column_int64(stmt, 0),
			    .to = sqlite3_column_int64(stmt, 1),
			    .name = has_name ? (uint32_t)sqlite3_column_int64(stmt, 2) : TEXT_NONE};
		}
	}
	int rc = result == SQLITE_DONE
	             ? 0
	             : err_of_file(vtab_connection(vtab), result, "table dependency", err);
	sqlite3_finalize(stmt);
	return rc;
}

static int
run(struct vtab *vtab, struct listed_cursor *cursor, struct err *err)
{
	struct flow_list flows = {0};
	struct flow_group *groups = NULL;
	int rc = read_flows(vtab, &flows, err);

	cursor->n = rc == 0 ? flows_sum(cursor->cursor.dataset, flows.all, flows.n,
	                                vtab_cancel(vtab), &groups, err)
	                    : -1;
	cursor->rows = groups;
	free(flows.all);
	return cursor->n < 0 ? -1 : 0;
}

static unsigned
read_group(const void *rows, int64_t row, int64_t values[LISTED_COLUMNS])
{
	const struct flow_group *group = (const struct flow_group *)rows + row;
	const double mean_ns = (double)group->wait_sum_ns / (double)group->n;
	const int64_t all[] = {group->name,       group->source,      group->target,
	                       group->n,          group->wait_min_ns, 0,
	                       group->wait_max_ns};

	memcpy(values, all, sizeof all);
	memcpy(&values[5], &mean_ns, sizeof mean_ns);
	return 0;
}

const struct listed_table vtab_flows_listed = {.n_columns = 7,
                                               .columns = {{"flow", LISTED_TEXT},
                                                           {"source", LISTED_TEXT},
                                                           {"target", LISTED_TEXT},
                                                           {"n", LISTED_INTEGER},
                                                           {"wait_min", LISTED_INTEGER},
                                                           {"wait_mean", LISTED_REAL},
                                                           {"wait_max", LISTED_INTEGER}},
                                               .run = run,
                                               .read = read_group};
