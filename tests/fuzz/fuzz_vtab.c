/*
 * Arguments of the virtual tables, any values: an answer or an error with words, soon. The first
 * byte names the table; behind it stands an argument a line: a number if it is one, "NULL", else
 * text.
 */
#include "config.h"

#include <stdlib.h>

#include "fuzz/commands.h"
#include "fuzz/fuzz.h"
#include "store/store.h"
#include "util/mem.h"

#define ARGUMENTS_MOST 12
#define ROWS_MOST 500

static const char *const tables[] = {"span_sums",       "event_sums",     "counter_sums",
                                     "span_page",       "event_page",     "counter_page",
                                     "span_busy",       "span_overlap",   "span_interference",
                                     "span_pairs",      "span_gaps",      "span_idle",
                                     "span_alike",      "makespan",       "capacity_state",
                                     "sample_value",    "span",           "event",
                                     "counter",         "span_flows",     "capacity_sums",
                                     "preemption_sums", "span_pair_sums", "span_gaps_within",
                                     "task_sums",       "sample_sums",    "task_levels"};

static struct store *
open_once(void)
{
	struct err err = ERR_INIT;
	char *path = fuzz_run("dftracer/new.pfw", "run");
	struct store *store = store_open(path, &err);

	free(path);
	FUZZ_CHECK(store != NULL);
	return store;
}

static void
bind(struct stmt *stmt, int i, struct slice text)
{
	int64_t integer;
	double real;

	if (slice_is(text, "NULL")) {
		stmt_bind_null(stmt, i);
	} else if (slice_int64(text, &integer)) {
		stmt_bind_integer(stmt, i, integer);
	} else if (slice_double(text, &real)) {
		stmt_bind_real(stmt, i, real);
	} else {
		stmt_bind_text(stmt, i, text);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct store *store;
	struct slice arguments[ARGUMENTS_MOST];
	struct strbuf sql = {0};
	struct err err = ERR_INIT;
	int n = 0, rc;

	if (size == 0) {
		return 0;
	}
	store = store ? store : open_once();
	struct slice rest = {(const char *)data + 1, size - 1};
	for (; rest.len && n < ARGUMENTS_MOST; n++) {
		const char *end = memchr(rest.ptr, '\n', rest.len);
		arguments[n] = (struct slice){rest.ptr, end ? (size_t)(end - rest.ptr) : rest.len};
		rest = slice_from(rest, arguments[n].len + (end != NULL));
	}
	strbuf_printf(&sql, "SELECT * FROM %s(", tables[data[0] % COUNT_OF(tables)]);
	for (int i = 0; i < n; i++) {
		strbuf_printf(&sql, "%s?%d", i ? ", " : "", i + 1);
	}
	strbuf_add_text(&sql, ")");
	struct stmt *stmt = store_prepare(store, sql.data, &err);
	for (int i = 0; i < n; i++) {
		bind(stmt, i + 1, arguments[i]);
	}
	int rows = 0;
	while ((rc = stmt_step(stmt, &err)) == 1 && ++rows < ROWS_MOST) {
	}
	FUZZ_CHECK(rc >= 0 || err.message[0] != '\0');
	stmt_free(stmt);
	strbuf_free(&sql);
	return 0;
}
