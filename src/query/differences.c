/*
 * What differs between the runs that a table puts side by side. Half of the trace files missing
 * looks like half of the writes: so before any figure of two runs is compared, differences in what
 * was recorded are stated.
 */
#include "config.h"
#include "query/query.h"

#include <stdlib.h>
#include <string.h>

/* Each gives one number or text; small tables only. */
static const struct {
	const char *what, *sql;
} facts[] = {
    {"format", "SELECT format || coalesce(' ' || dialect, '') FROM run"},
    {"trace files", "SELECT count(*) FROM source"},
    {"cut trace files", "SELECT count(*) FROM source WHERE truncated"},
    {"hosts", "SELECT count(DISTINCT host) FROM lane"},
    {"ranks", "SELECT max(value) FROM tags WHERE scope IS NULL AND key = 'ranks'"},
    {"processes",
     "SELECT count(*) FROM (SELECT DISTINCT host, process FROM lane WHERE process IS NOT NULL)"},
    {"lanes", "SELECT count(*) FROM lane"},
    {"tasks", "SELECT tasks FROM run"},
    {"skipped records", "SELECT coalesce(sum(bad_records), 0) FROM source"},
    {"problems", "SELECT problems FROM run"},
};

/* The fact of one run as text; "?" when it can't be read. */
static char *
read_fact(struct store *store, const char *sql)
{
	struct err err = ERR_INIT;
	struct result *result = query_sql(store, sql, NULL, &err);
	struct strbuf text = {0};
	if (!result || result->n_rows == 0) {
		strbuf_add_char(&text, '?');
	} else if (result_value(result, 0, 0)->type == VALUE_INTEGER) {
		strbuf_printf(&text, "%lld", (long long)result_value(result, 0, 0)->integer);
	} else if (result_value(result, 0, 0)->type == VALUE_TEXT) {
		struct slice value = result_value(result, 0, 0)->text;
		strbuf_add(&text, value.ptr, value.len);
	} else {
		strbuf_add_char(&text, '-');
	}
	result_free(result);
	return strbuf_take(&text);
}

void
query_note_differences(struct result *result, struct store *const *stores, size_t n)
{
	struct strbuf note = {0};
	for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
		struct strbuf values = {0};
		char *first = NULL;
		bool differ = false;
		for (size_t r = 0; r < n; r++) {
			char *value = read_fact(stores[r], facts[i].sql);
			differ = differ || (first && strcmp(first, value) != 0);
			strbuf_printf(&values, "%s%s",
			              r == 0   ? ""
			              : n == 2 ? " and "
			                       : ", ",
			              value);
			if (first) {
				free(value);
			} else {
				first = value;
			}
		}
		if (differ) {
			strbuf_printf(&note, "%s%s %s", note.len ? "; " : "", facts[i].what,
			              values.data);
		}
		free(first);
		strbuf_free(&values);
	}
	if (note.len) {
		result_add_note(result, "the runs differ: %s", note.data);
	}
	strbuf_free(&note);
}
