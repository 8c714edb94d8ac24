/*
 * The filter language against SQLite: random conditions, the same rows in a plain table, the same
 * answer.
 */
#include "config.h"

#include <inttypes.h>
#include <sqlite3.h>

#include "unit/matching.h"
#include "util/regex.h"

static const char *const span_columns[] = {
    "id",   "name",      "category", "path",    "basename", "dirname", "class",
    "size", "duration",  "self",     "start",   "end",      "depth",   "calls",
    "lane", "lane_name", "host",     "process", "thread",   "kind",    "parent"};
static const char *const event_columns[] = {"id",        "name", "category", "start",  "lane",
                                            "lane_name", "host", "process",  "thread", "kind"};
static const char *const counter_columns[] = {"id",        "name", "start",   "value",  "lane",
                                              "lane_name", "host", "process", "thread", "kind"};
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct {
	const char *const *names;
	size_t n;
} columns_of[BLOCK_KINDS] = {{span_columns, COUNT(span_columns)},
                             {event_columns, COUNT(event_columns)},
                             {counter_columns, COUNT(counter_columns)}};

/* The columns that SQLite cannot hold as they are: a key whose values are both text and number. */
static const char *const plain_keys[] = {"offset", "mode", "odd key"};

static struct fixture *fixture;
static sqlite3 *database;

static void
free_regex(void *regex)
{
	regex_free(regex);
}

static void
sql_regexp(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	(void)argc;
	if (sqlite3_value_type(argv[0]) == SQLITE_NULL ||
	    sqlite3_value_type(argv[1]) == SQLITE_NULL) {
		return;
	}
	struct regex *regex = sqlite3_get_auxdata(context, 0), *made = NULL;
	if (!regex) {
		struct err err = ERR_INIT;
		const char *pattern = (const char *)sqlite3_value_text(argv[0]);
		regex = made = regex_compile(
		    (struct slice){pattern, (size_t)sqlite3_value_bytes(argv[0])}, &err);
		FIXTURE_CHECK(regex != NULL, "%s", err.message);
	}
	const char *text = (const char *)sqlite3_value_text(argv[1]);
	sqlite3_result_int(
	    context,
	    regex_matches(regex, (struct slice){text, (size_t)sqlite3_value_bytes(argv[1])}));
	if (made) {
		sqlite3_set_auxdata(context, 0, made, free_regex);
	}
}

static void
bind_value(sqlite3_stmt *stmt, int i, struct row_value value)
{
	switch (value.type) {
	case VALUE_IS_NULL:
		sqlite3_bind_null(stmt, i);
		break;
	case VALUE_IS_INTEGER:
		sqlite3_bind_int64(stmt, i, value.integer);
		break;
	case VALUE_IS_REAL:
		sqlite3_bind_double(stmt, i, value.real);
		break;
	default:
		FIXTURE_CHECK(value.type == VALUE_IS_TEXT, "type %d", value.type);
		sqlite3_bind_text(stmt, i, value.text.ptr ? value.text.ptr : "",
		                  (int)value.text.len, SQLITE_STATIC);
	}
}

static void
run_sql(const char *sql)
{
	char *message = NULL;
	ck_assert_msg(sqlite3_exec(database, sql, NULL, NULL, &message) == SQLITE_OK, "%s: %s", sql,
	              message);
}

static void
load_table(enum block_kind kind)
{
	struct strbuf sql = {0};
	sqlite3_stmt *stmt;
	strbuf_printf(&sql, "CREATE TABLE t%d(", kind);
	for (size_t i = 0; i < columns_of[kind].n; i++) {
		strbuf_printf(&sql, "\"%s\",", columns_of[kind].names[i]);
	}
	strbuf_add_text(&sql, "\"offset\", \"mode\", \"odd key\")");
	run_sql(sql.data);
	strbuf_clear(&sql);
	strbuf_printf(&sql, "INSERT INTO t%d VALUES(", kind);
	for (size_t i = 0; i < columns_of[kind].n; i++) {
		strbuf_add_text(&sql, "?,");
	}
	strbuf_add_text(&sql, "?,?,?)");
	ck_assert_int_eq(sqlite3_prepare_v2(database, sql.data, -1, &stmt, NULL), SQLITE_OK);
	for (size_t r = 0; r < fixture->n_rows[kind]; r++) {
		int at = 1;
		for (size_t i = 0; i < columns_of[kind].n; i++) {
			bind_value(stmt, at++,
			           fixture_value(fixture, &fixture->rows[kind][r],
			                         columns_of[kind].names[i]));
		}
		for (size_t i = 0; i < COUNT(plain_keys); i++) {
			bind_value(stmt, at++,
			           fixture_value(fixture, &fixture->rows[kind][r], plain_keys[i]));
		}
		FIXTURE_CHECK(sqlite3_step(stmt) == SQLITE_DONE, "insert");
		sqlite3_reset(stmt);
	}
	sqlite3_finalize(stmt);
	strbuf_free(&sql);
}

static void
setup(void)
{
	fixture = fixture_new(7, 500, 300, true);
	ck_assert_int_eq(sqlite3_open(":memory:", &database), SQLITE_OK);
	sqlite3_create_function(database, "regexp", 2, SQLITE_UTF8, NULL, sql_regexp, NULL, NULL);
	for (int kind = 0; kind < BLOCK_KINDS; kind++) {
		load_table((enum block_kind)kind);
	}
}

static void
teardown(void)
{
	sqlite3_close(database);
	fixture_free(fixture);
}

static void
compare_with_sql(enum block_kind kind, const char *text, const char *sql,
                 const struct scan_value *parameters)
{
	struct err err = ERR_INIT;
	struct strbuf query = {0};
	sqlite3_stmt *stmt;
	/* About calls, where a record stands for many: another test's matter. */
	bool asks_of_calls = strstr(text, "size") || strstr(text, "dur") || strstr(text, "self");
	unsigned char *rows =
	    matching_rows(fixture, kind, text, parameters, strlen(text) % 16 == 0 ? 3 : 1, &err);
	FIXTURE_CHECK(rows != NULL, "%s: %s", text, err.message);
	strbuf_printf(&query, "SELECT id, (%s) FROM t%d ORDER BY id", sql, kind);
	FIXTURE_CHECK(sqlite3_prepare_v2(database, query.data, -1, &stmt, NULL) == SQLITE_OK,
	              "%s: %s", query.data, sqlite3_errmsg(database));
	for (int i = 0; parameters && i < sqlite3_bind_parameter_count(stmt); i++) {
		struct row_value value = {.type = parameters[i].type == SCAN_TEXT   ? VALUE_IS_TEXT
		                                  : parameters[i].type == SCAN_REAL ? VALUE_IS_REAL
		                                  : parameters[i].type == SCAN_NULL
		                                      ? VALUE_IS_NULL
		                                      : VALUE_IS_INTEGER,
		                          .integer = parameters[i].integer,
		                          .real = parameters[i].real,
		                          .text = parameters[i].text};
		bind_value(stmt, i + 1, value);
	}
	for (size_t i = 0; i < fixture->n_rows[kind]; i++) {
		FIXTURE_CHECK(sqlite3_step(stmt) == SQLITE_ROW, "%s", text);
		bool is_same = rows[i] == (sqlite3_column_int(stmt, 1) != 0);
		FIXTURE_CHECK(is_same || (asks_of_calls && fixture->rows[kind][i].calls > 1),
		              "row %zu of kind %d: %s: %d", i + 1, kind, text, rows[i]);
	}
	sqlite3_finalize(stmt);
	strbuf_free(&query);
	free(rows);
}

/* Random conditions, written in both languages at once. */
struct writer {
	struct prng *prng;
	struct strbuf text, sql;
	enum block_kind kind;
};

static void
put(struct writer *writer, const char *both)
{
	strbuf_add_text(&writer->text, both);
	strbuf_add_text(&writer->sql, both);
}

static uint64_t
below(struct writer *writer, uint64_t n)
{
	return prng_below(writer->prng, n);
}

static const char *
put_column(struct writer *writer)
{
	size_t n = columns_of[writer->kind].n, i = below(writer, n + COUNT(plain_keys));
	const char *name = i < n ? columns_of[writer->kind].names[i] : plain_keys[i - n];
	strbuf_printf(&writer->text,
	              i < n               ? "%s"
	              : strchr(name, ' ') ? "arg.\"%s\""
	                                  : "arg.%s",
	              name);
	strbuf_printf(&writer->sql, "\"%s\"", name);
	return name;
}

static bool
is_numeric(const char *column)
{
	static const char *const names[] = {"id",    "size",  "duration", "self",   "start", "end",
	                                    "depth", "calls", "lane",     "parent", "value"};
	for (size_t i = 0; i < COUNT(names); i++) {
		if (strcmp(names[i], column) == 0) {
			return true;
		}
	}
	return false;
}

static void
put_quoted(struct writer *writer, struct slice text)
{
	put(writer, "'");
	for (size_t i = 0; i < text.len; i++) {
		char c[2] = {text.ptr[i], 0};
		put(writer, c[0] == '\'' ? "''" : c);
	}
	put(writer, "'");
}

/* Mostly a value that some row has in this column, or one near it. */
static void
put_value(struct writer *writer, const char *column)
{
	static const char *const numbers[] = {"0",
	                                      "1",
	                                      "-1",
	                                      "2.5",
	                                      "-0.5",
	                                      "9223372036854775807",
	                                      "-9223372036854775808",
	                                      "1e30",
	                                      "4096.0",
	                                      "NULL",
	                                      "+7",
	                                      "1e-3",
	                                      "3e2",
	                                      "99999999999999999999"};
	size_t n = fixture->n_rows[writer->kind];
	struct row_value value =
	    fixture_value(fixture, &fixture->rows[writer->kind][below(writer, n)], column);
	char number[64];
	if (below(writer, 5) == 0 || value.type == VALUE_IS_NULL) {
		put(writer, numbers[below(writer, COUNT(numbers))]);
	} else if (value.type == VALUE_IS_TEXT) {
		put_quoted(writer, value.text);
	} else if (value.type == VALUE_IS_REAL) {
		snprintf(number, sizeof number, "%.17g", value.real);
		put(writer, number);
	} else if (below(writer, 4) == 0 && !is_numeric(column)) {
		put(writer, "'12'");
	} else if (value.integer == INT64_MIN) {
		put(writer, "-9223372036854775808");
	} else {
		snprintf(number, sizeof number, "%" PRId64, value.integer);
		put(writer, number);
	}
}

static void
put_pattern(struct writer *writer)
{
	static const struct {
		const char *op, *pattern;
	} patterns[] = {{"LIKE", "'%o%'"},
	                {"LIKE", "'POSIX'"},
	                {"LIKE", "'/p/lustre2/%'"},
	                {"LIKE", "'_ead'"},
	                {"LIKE", "'l_ufer'"},
	                {"LIKE", "'a!%%' ESCAPE '!'"},
	                {"LIKE", "'%!_c' ESCAPE '!'"},
	                {"LIKE", "''"},
	                {"LIKE", "4096"},
	                {"LIKE", "'%6'"},
	                {"LIKE", "NULL"},
	                {"LIKE", "'a!' ESCAPE '!'"},
	                {"LIKE", "'%x' ESCAPE NULL"},
	                {"GLOB", "'*model-[0-9]*'"},
	                {"GLOB", "'[^/]*'"},
	                {"GLOB", "'POSIX'"},
	                {"GLOB", "'?o*'"},
	                {"GLOB", "'*[]a-c]*'"},
	                {"GLOB", "'[a'"},
	                {"GLOB", "'*t\xc3\xa9*'"},
	                {"GLOB", "'*[\xc3\xa0-\xc3\xaf]*'"},
	                {"GLOB", "'*[a-]*'"},
	                {"GLOB", "'40?6'"},
	                {"REGEXP", "'^/p/'"},
	                {"REGEXP", "'[0-9]+-[0-9]+'"},
	                {"REGEXP", "'(read|write)$'"},
	                {"REGEXP", "'^$'"},
	                {"REGEXP", "''"},
	                {"REGEXP", "'^[0-9]{4}$'"}};
	size_t i = below(writer, COUNT(patterns));
	put(writer, patterns[i].op);
	put(writer, " ");
	put(writer, patterns[i].pattern);
}

static void
put_predicate(struct writer *writer)
{
	static const char *const ops[] = {
	    " = ", " == ", " <> ", " != ", " < ", " <= ", " > ", " >= ", "=", "<", ">="};
	const char *column = put_column(writer);
	const char *not = below(writer, 3) == 0 ? " NOT " : " ";
	switch (below(writer, 8)) {
	case 0:
		put(writer, below(writer, 2) ? " IS NULL" : " is not NULL");
		break;
	case 1:
		put(writer, not );
		put(writer, "IN (");
		for (uint64_t i = 0, n = below(writer, 6); i < n; i++) {
			put(writer, i ? ", " : "");
			put_value(writer, column);
		}
		put(writer, ")");
		break;
	case 2:
		put(writer, not );
		put(writer, "between ");
		put_value(writer, column);
		put(writer, " and ");
		put_value(writer, column);
		break;
	case 3:
	case 4:
		put(writer, not );
		put_pattern(writer);
		break;
	default:
		put(writer, ops[below(writer, COUNT(ops))]);
		put_value(writer, column);
		break;
	}
}

static void
put_condition(struct writer *writer, int depth)
{
	switch (depth > 0 ? below(writer, 6) : 5) {
	case 0:
	case 1:
		put_condition(writer, depth - 1);
		put(writer, below(writer, 2) ? " AND " : " OR ");
		put_condition(writer, depth - 1);
		break;
	case 2:
		put(writer, "(");
		put_condition(writer, depth - 1);
		put(writer, ")");
		break;
	case 3:
		put(writer, below(writer, 2) ? "NOT (" : " not not not(");
		put_condition(writer, depth - 1);
		put(writer, ")");
		break;
	default:
		put_predicate(writer);
		break;
	}
}

START_TEST(random_filters_match_sqlite)
{
	struct prng prng = {42 + (uint64_t)_i};
	struct writer writer = {.prng = &prng, .kind = (enum block_kind)_i};
	for (int round = 0; round < 400; round++) {
		strbuf_clear(&writer.text);
		strbuf_clear(&writer.sql);
		put_condition(&writer, round % 5);
		compare_with_sql(writer.kind, writer.text.data, writer.sql.data, NULL);
	}
	strbuf_free(&writer.text);
	strbuf_free(&writer.sql);
}
END_TEST

START_TEST(parameters_match_sqlite)
{
	struct scan_value parameters[SCAN_PARAMETERS] = {
	    {.type = SCAN_TEXT, .text = slice_of("%model%")},
	    {.type = SCAN_INTEGER, .integer = 4096},
	    {.type = SCAN_REAL, .real = 2500.5},
	    {.type = SCAN_NULL},
	    {.type = SCAN_TEXT, .text = slice_of("write")},
	    {.type = SCAN_REAL, .real = NAN},
	    {.type = SCAN_TEXT, .text = {NULL, 0}},
	    {.type = SCAN_INTEGER, .integer = INT64_MIN}};
	static const char *const filters[] = {"path LIKE ?1",
	                                      "size = ?2 OR name = ?5",
	                                      "duration > ?3",
	                                      "name <> ?4",
	                                      "NOT name = ?4",
	                                      "name IN (?5, ?4)",
	                                      "name NOT IN (?5, ?4)",
	                                      "size NOT BETWEEN ?4 AND ?2",
	                                      "size BETWEEN ?8 AND ?2",
	                                      "size > ?6",
	                                      "name = ?7",
	                                      "name >= ?7",
	                                      "process = ?5 OR process > ?2",
	                                      "name GLOB ?7",
	                                      "path NOT LIKE ?1 AND size < ?2"};
	for (size_t i = 0; i < COUNT(filters); i++) {
		compare_with_sql(BLOCK_SPAN, filters[i], filters[i], parameters);
	}
}
END_TEST

static Suite *
make_suite(void)
{
	Suite *suite = suite_create("filter");
	TCase *tcase = tcase_create("filter");
	tcase_add_unchecked_fixture(tcase, setup, teardown);
	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, random_filters_match_sqlite, 0, BLOCK_KINDS);
	tcase_add_test(tcase, parameters_match_sqlite);
	suite_add_tcase(suite, tcase);
	return suite;
}

int
main(void)
{
	return unit_run(make_suite());
}
