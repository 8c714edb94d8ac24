/* Statements with values of a row in them: of the run, or of the answer that the row leads to. */
#include "config.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "query/saved/row_filter.h"
#include "tests/invariant/rows.h"

static void
add_literal(struct strbuf *sql, const struct value *value)
{
	if (value->type == VALUE_INTEGER) {
		strbuf_printf(sql, "%lld", (long long)value->integer);
	} else if (value->type == VALUE_REAL) {
		strbuf_printf(sql, "%.17g", value->real);
	} else if (value->type == VALUE_TEXT) {
		strbuf_add_char(sql, '\'');
		for (size_t i = 0; i < value->text.len; i++) {
			strbuf_add_text(sql, value->text.ptr[i] == '\'' ? "'" : "");
			strbuf_add_char(sql, value->text.ptr[i]);
		}
		strbuf_add_char(sql, '\'');
	} else {
		strbuf_add_text(sql, "NULL");
	}
}

/* The lane that the place is on, as the timeline finds it: by its id, else by its name. */
static int64_t
lane_of_place(const struct asked *asked, const struct row_place *place)
{
	const struct dataset *dataset = store_dataset(asked->store, &(struct err)ERR_INIT);
	int64_t lane = place->lane;

	for (uint32_t i = 0; lane < 0 && place->lane_name && dataset && i < dataset->n_lanes; i++) {
		struct slice name = dataset->texts[dataset->lanes[i].name];

		lane = slice_is(name, place->lane_name) ? (int64_t)i : lane;
	}
	return lane;
}

static struct value
value_of_place(const struct asked *asked, const struct row_place *place, struct slice name)
{
	return slice_is(name, "start")  ? value_integer(place->start_ns)
	       : slice_is(name, "end")  ? value_integer(place->start_ns + place->length_ns)
	       : slice_is(name, "span") ? value_integer(place->span)
	                                : value_integer(lane_of_place(asked, place));
}

/* False: the text in braces names nothing. */
static bool
add_value(const struct asked *asked, const struct row_place *place, struct slice name,
          struct strbuf *sql)
{
	struct row_values values = {.columns = asked->result->columns,
	                            .n_columns = asked->result->n_columns,
	                            .cells = result_value(asked->result, asked->row, 0),
	                            .params = asked->query->params,
	                            .texts = asked->texts,
	                            .n_params = asked->query->n_params};
	struct err err = ERR_INIT;
	struct value value;

	if (name.ptr[0] == '@' && place) {
		value = value_of_place(asked, place, slice_from(name, 1));
		add_literal(sql, &value);
		return true;
	}
	if (row_value(&values, slice_from(name, name.ptr[0] == '!'), &value, &err)) {
		fail(asked, "facts", err.message);
		return false;
	}
	if (name.ptr[0] == '!') {
		strbuf_add_slice(sql, value.text);
	} else {
		add_literal(sql, &value);
	}
	return true;
}

static bool
write_facts(const struct asked *asked, const struct row_place *place, const char *facts,
            struct strbuf *sql)
{
	for (const char *at = facts; *at;) {
		size_t n = strcspn(at, "{");

		strbuf_add_slice(sql, (struct slice){at, n});
		at += n;
		if (*at) {
			struct slice name = {at + 1, strcspn(at, "}") - 1};

			if (!add_value(asked, place, name, sql)) {
				return false;
			}
			at += name.len + 2;
		}
	}
	return true;
}

static void
compare_fact(const struct asked *asked, const char *name, const struct value *fact,
             const char *where)
{
	const struct value *row = value_named(asked, slice_of(name));

	if (strcmp(name, "none") == 0) {
		compare(asked, slice_of(name), 0, value_number(fact), where);
	} else if (strcmp(name, "some") == 0) {
		compare(asked, slice_of(name), 1, value_number(fact) > 0, where);
	} else if (!row) {
		fail(asked, "facts: it has no such column", name);
	} else {
		compare_values(asked, name, row, fact, where);
	}
}

void
facts_of_run(const struct asked *asked, const struct row_place *place, const char *facts)
{
	struct strbuf sql = {0};
	struct err err = ERR_INIT;
	struct result *result;

	if (write_facts(asked, place, facts, &sql)) {
		result = query_sql(asked->store, sql.data, NULL, &err);
		if (!result || result->n_rows != 1) {
			fail(asked, "facts", result ? "not one row" : err.message);
		}
		for (size_t i = 0; result && result->n_rows == 1 && i < result->n_columns; i++) {
			compare_fact(asked, result->columns[i].name, result_value(result, 0, i),
			             "at its place");
		}
		result_free(result);
	}
	strbuf_free(&sql);
}

/* ---- of another answer ---- */

static void
bind(sqlite3_stmt *insert, int at, const struct value *value)
{
	if (value->type == VALUE_INTEGER) {
		sqlite3_bind_int64(insert, at, value->integer);
	} else if (value->type == VALUE_REAL) {
		sqlite3_bind_double(insert, at, value->real);
	} else if (value->type == VALUE_TEXT) {
		sqlite3_bind_text(insert, at, value->text.ptr, (int)value->text.len,
		                  SQLITE_TRANSIENT);
	} else {
		sqlite3_bind_null(insert, at);
	}
}

static void
make_table(sqlite3 *db, const struct result *result)
{
	struct strbuf columns = {0}, marks = {0}, sql = {0};
	sqlite3_stmt *insert = NULL;

	for (size_t i = 0; i < result->n_columns; i++) {
		strbuf_printf(&columns, "%s\"%s\"", i ? ", " : "", result->columns[i].name);
		strbuf_add_text(&marks, i ? ", ?" : "?");
	}
	strbuf_printf(&sql, "CREATE TABLE behind (%s)", columns.data);
	sqlite3_exec(db, sql.data, NULL, NULL, NULL);
	sql.len = 0;
	strbuf_printf(&sql, "INSERT INTO behind VALUES (%s)", marks.data);
	sqlite3_prepare_v2(db, sql.data, -1, &insert, NULL);
	for (size_t row = 0; row < result->n_rows; row++) {
		for (size_t i = 0; i < result->n_columns; i++) {
			bind(insert, (int)i + 1, result_value(result, row, i));
		}
		sqlite3_step(insert);
		sqlite3_reset(insert);
	}
	sqlite3_finalize(insert);
	strbuf_free(&columns);
	strbuf_free(&marks);
	strbuf_free(&sql);
}

static struct value
fact_at(sqlite3_stmt *statement, int i)
{
	int type = sqlite3_column_type(statement, i);
	struct value value = {.type = VALUE_NULL};

	if (type == SQLITE_INTEGER) {
		value = value_integer(sqlite3_column_int64(statement, i));
	} else if (type == SQLITE_FLOAT) {
		value = value_real(sqlite3_column_double(statement, i));
	} else if (type == SQLITE_TEXT) {
		value.type = VALUE_TEXT;
		value.text.ptr = (const char *)sqlite3_column_text(statement, i);
		value.text.len = (size_t)sqlite3_column_bytes(statement, i);
	}
	return value;
}

void
facts_of_answer(const struct asked *asked, const struct result *behind, const char *facts)
{
	struct strbuf sql = {0};
	sqlite3_stmt *statement = NULL;
	sqlite3 *db = NULL;

	if (sqlite3_open(":memory:", &db) == SQLITE_OK && write_facts(asked, NULL, facts, &sql)) {
		make_table(db, behind);
		if (sqlite3_prepare_v2(db, sql.data, -1, &statement, NULL) != SQLITE_OK ||
		    sqlite3_step(statement) != SQLITE_ROW) {
			fail(asked, "facts", sqlite3_errmsg(db));
		}
		for (int i = 0; i < sqlite3_data_count(statement); i++) {
			struct value fact = fact_at(statement, i);

			compare_fact(asked, sqlite3_column_name(statement, i), &fact,
			             asked->query->drill.view);
		}
	}
	sqlite3_finalize(statement);
	sqlite3_close(db);
	strbuf_free(&sql);
}
