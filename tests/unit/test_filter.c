/*
 * The filter language against SQLite: random conditions, the same rows in a plain table, the same
 * answer. And what SQLite cannot say: units, arguments that are texts and numbers at once, errors.
 */
#include "config.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdatomic.h>

#include "column/filter.h"
#include "unit/scan_fixture.h"
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

/* Which rows match, by id - 1. */
struct matching {
	struct filter *filter;
	struct filter_state *states[8];
	_Atomic unsigned char *rows;
	bool is_pruned;
};

static bool
match_wanted(void *user, const struct block_info *block)
{
	struct matching *matching = user;
	return !matching->is_pruned || filter_prune(matching->states[0], block) != FILTER_NONE;
}

static int
match_block(void *user, struct block_view *view, unsigned slot, struct err *err)
{
	struct matching *matching = user;
	struct filter_state *state = matching->states[view->thread];
	uint32_t n_matches = 0;
	enum filter_verdict verdict = filter_prune(state, view->info);
	(void)slot;
	(void)err;
	while (block_view_next(view)) {
		uint64_t matches[CHUNK_WORDS];
		uint32_t n = filter_chunk(state, view, matches), counted = 0;
		for (uint32_t i = 0; i < CHUNK_ROWS; i++) {
			bool is_match = matches[i / 64] >> i % 64 & 1;
			FIXTURE_CHECK(!is_match || i < view->n, "a match behind the chunk");
			if (is_match) {
				matching->rows[view->info->first_id - 1 + view->row + i] = 1;
				counted++;
			}
		}
		FIXTURE_CHECK(n == counted, "%u matches, not %u", counted, n);
		n_matches += n;
	}
	FIXTURE_CHECK(verdict != FILTER_NONE || n_matches == 0, "pruned, but %u match", n_matches);
	FIXTURE_CHECK(verdict != FILTER_ALL || n_matches == view->info->n_rows, "not all match");
	return 0;
}

/* NULL and *err on error. Caller frees. */
static unsigned char *
matching_rows(enum block_kind kind, const char *text, const struct scan_value *parameters,
              unsigned n_threads, struct err *err)
{
	static const struct scan_value none[SCAN_PARAMETERS];
	struct matching matching = {.is_pruned = true};
	struct block_fields fields = {0};
	matching.filter =
	    filter_compile(&fixture->dataset, kind, text, parameters ? parameters : none, err);
	if (!matching.filter) {
		return NULL;
	}
	filter_bind(matching.filter, &fields);
	for (unsigned i = 0; i < n_threads; i++) {
		matching.states[i] = filter_state_new(matching.filter);
	}
	matching.rows = xcalloc(fixture->n_rows[kind], 1);
	struct block_loop loop = {.dataset = &fixture->dataset,
	                          .kind = kind,
	                          .fields = &fields,
	                          .end = SIZE_MAX,
	                          .n_threads = n_threads,
	                          .user = &matching,
	                          .wanted = match_wanted,
	                          .scan = match_block};
	FIXTURE_CHECK(block_loop_run(&loop, err) == 0, "%s", err->message);
	for (int i = 0; i < 8; i++) {
		filter_state_free(matching.states[i]);
	}
	filter_free(matching.filter);
	block_fields_free(&fields);
	return (unsigned char *)matching.rows;
}

static void
compare_with_sql(enum block_kind kind, const char *text, const char *sql,
                 const struct scan_value *parameters)
{
	struct err err = ERR_INIT;
	struct strbuf query = {0};
	sqlite3_stmt *stmt;
	unsigned char *rows =
	    matching_rows(kind, text, parameters, strlen(text) % 16 == 0 ? 3 : 1, &err);
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
		FIXTURE_CHECK(rows[i] == (sqlite3_column_int(stmt, 1) != 0),
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

static void
check_same(enum block_kind kind, const char *a, const char *b)
{
	struct err err = ERR_INIT;
	unsigned char *rows_a = matching_rows(kind, a, NULL, 2, &err),
		      *rows_b = matching_rows(kind, b, NULL, 1, &err);
	ck_assert_msg(rows_a && rows_b, "%s | %s: %s", a, b, err.message);
	ck_assert_msg(memcmp(rows_a, rows_b, fixture->n_rows[kind]) == 0, "%s | %s", a, b);
	free(rows_a);
	free(rows_b);
}

START_TEST(units_synonyms_and_spelling)
{
	check_same(BLOCK_SPAN, "duration >= 2us", "DUR>=2000");
	check_same(BLOCK_SPAN, "self < 1.5us", "SELF < 1500");
	check_same(BLOCK_SPAN, "size = 4KiB", "size = 4096");
	check_same(BLOCK_SPAN, "size >= '64KiB'", "size >= 65536");
	check_same(BLOCK_SPAN, "finish > 100us", "end > 100000");
	check_same(BLOCK_SPAN, "start between 10us and 1ms", "start >= 10000 AND start <= 1000000");
	check_same(BLOCK_SPAN, "name = \"read\"", "name = 'read'");
	check_same(BLOCK_SPAN, "name = \"it's\"", "name = 'it''s'");
	check_same(BLOCK_SPAN, "name = e'\\x72e\\x61d'", "name = 'read'");
	check_same(BLOCK_SPAN, "arg.e'odd\\x20key' is not null", "arg.'odd key' is not null");
	check_same(BLOCK_SPAN, "name = read OR name IN (write,open)",
	           "name = 'read' OR name IN ('write', 'open')");
	check_same(BLOCK_SPAN, "(lane_name = node-1.x)", "lane_name = 'node-1.x'");
	check_same(BLOCK_SPAN, "", " \t\n ");
	check_same(BLOCK_SPAN, "", "id > 0");
	check_same(BLOCK_SPAN, "arg.nowhere IS NULL", "");
	check_same(BLOCK_SPAN, "arg.nowhere = 1 OR NOT arg.nowhere = 1", "id < 0");
	check_same(BLOCK_SPAN, "arg.'odd key' is not null", "arg.\"odd key\" NOT GLOB 'x'");
	check_same(BLOCK_EVENT, "time > 100us", "start > 100000");
}
END_TEST

/* The one rule SQL does not have: a JSON text that is an integer equals both. */
static bool
mix_equals(const struct row_value *value, const struct scan_value *literal)
{
	if (value->type == VALUE_IS_NULL) {
		return false;
	}
	if (literal->type == SCAN_TEXT && value->type == VALUE_IS_TEXT) {
		return slice_equal(value->text, literal->text);
	}
	if (literal->type == SCAN_TEXT) {
		char digits[32];
		snprintf(digits, sizeof digits,
		         value->type == VALUE_IS_UNSIGNED ? "%" PRIu64 : "%" PRId64,
		         value->integer);
		return (value->type == VALUE_IS_UNSIGNED || value->type == VALUE_IS_INTEGER_TEXT) &&
		       slice_is(literal->text, digits);
	}
	if (value->type == VALUE_IS_REAL) {
		return value->real == (double)literal->integer;
	}
	return (value->type == VALUE_IS_INTEGER || value->type == VALUE_IS_INTEGER_TEXT) &&
	       value->integer == literal->integer;
}

START_TEST(arguments_of_every_type)
{
	static const struct scan_value literals[] = {
	    {.type = SCAN_INTEGER, .integer = 3},
	    {.type = SCAN_INTEGER, .integer = 7},
	    {.type = SCAN_INTEGER, .integer = -1},
	    {.type = SCAN_TEXT, .text = {"3", 1}},
	    {.type = SCAN_TEXT, .text = {"7", 1}},
	    {.type = SCAN_TEXT, .text = {"seven", 5}},
	    {.type = SCAN_TEXT, .text = {"18446744073709551615", 20}},
	    {.type = SCAN_TEXT, .text = {"{\"a\":[1]}", 9}}};
	static const struct {
		const char *op;
		bool is_negated;
	} forms[] = {{"= ?1", false},
	             {"IN (?1)", false},
	             {"<> ?1", true},
	             {"NOT IN ('none', ?1)", true},
	             {"BETWEEN ?1 AND ?1", false}};
	for (int key = KEY_FD; key <= KEY_MIX; key += KEY_MIX - KEY_FD) {
		for (size_t l = 0; l < COUNT(literals) * COUNT(forms); l++) {
			struct scan_value parameters[SCAN_PARAMETERS] = {
			    literals[l / COUNT(forms)]};
			struct err err = ERR_INIT;
			char text[100];
			snprintf(text, sizeof text, "arg.%s %s", fixture_keys[key],
			         forms[l % COUNT(forms)].op);
			unsigned char *rows = matching_rows(BLOCK_SPAN, text, parameters, 2, &err);
			ck_assert_msg(rows != NULL, "%s: %s", text, err.message);
			for (size_t i = 0; i < fixture->n_rows[BLOCK_SPAN]; i++) {
				const struct row_value *value =
				    &fixture->rows[BLOCK_SPAN][i].args[key];
				bool expected = mix_equals(value, &parameters[0]);
				if (forms[l % COUNT(forms)].is_negated) {
					expected = value->type != VALUE_IS_NULL && !expected;
				}
				FIXTURE_CHECK(rows[i] == expected, "%s, literal %zu, row %zu", text,
				              l / COUNT(forms), i);
			}
			free(rows);
		}
	}
}
END_TEST

START_TEST(threads_agree)
{
	static const char *const filters[] = {"path LIKE '%model%' AND duration > 1us",
	                                      "name REGEXP '^[a-m]' OR arg.mix > 2",
	                                      "host = 'node1' OR size IS NULL"};
	for (size_t i = 0; i < COUNT(filters); i++) {
		struct err err = ERR_INIT;
		unsigned char *one = matching_rows(BLOCK_SPAN, filters[i], NULL, 1, &err);
		unsigned char *seven = matching_rows(BLOCK_SPAN, filters[i], NULL, 7, &err);
		ck_assert(one && seven);
		ck_assert_int_eq(memcmp(one, seven, fixture->n_rows[BLOCK_SPAN]), 0);
		free(one);
		free(seven);
	}
}
END_TEST

static void
check_refused(enum block_kind kind, const char *text, enum err_code code, const char *part)
{
	static const struct scan_value parameters[SCAN_PARAMETERS] = {
	    {.type = SCAN_TEXT, .text = {"x", 1}}};
	struct err err = ERR_INIT;
	struct filter *filter = filter_compile(&fixture->dataset, kind, text, parameters, &err);
	ck_assert_msg(filter == NULL, "%s", text);
	ck_assert_msg(err.code == code, "%.100s: code %d, %s", text, err.code, err.message);
	ck_assert_msg(strstr(err.message, part) != NULL, "%.100s: %s", text, err.message);
}

START_TEST(errors_say_where_and_what)
{
	check_refused(BLOCK_SPAN, "nme = 'x'", ERR_QUERY,
	              "character 1: expected a column (id, name, category, path");
	check_refused(BLOCK_SPAN, "nme = 'x'", ERR_QUERY, "found nme");
	check_refused(BLOCK_SPAN, "name ~ 'x'", ERR_QUERY, "character 6");
	check_refused(BLOCK_SPAN, "name 'x'", ERR_QUERY, "character 6: expected =");
	check_refused(BLOCK_SPAN, "name = ", ERR_QUERY, "found the end");
	check_refused(BLOCK_SPAN, "name = AND", ERR_QUERY, "character 8: expected a value");
	check_refused(BLOCK_SPAN, "name = x y", ERR_QUERY, "character 10: expected AND, OR");
	check_refused(BLOCK_SPAN, "name = x(1, 2)", ERR_QUERY, "character 11: expected AND");
	check_refused(BLOCK_SPAN, "duration > abc", ERR_QUERY, "character 12: duration");
	check_refused(BLOCK_SPAN, "name = 'x", ERR_QUERY, "does not end");
	check_refused(BLOCK_SPAN, "name = e'x\\y'", ERR_QUERY,
	              "character 11: a text in e'...' has");
	check_refused(BLOCK_SPAN, "(name = 'x'", ERR_QUERY, "AND, OR or )");
	check_refused(BLOCK_SPAN, "name = 'x')", ERR_QUERY, "AND, OR or the end");
	check_refused(BLOCK_SPAN, "name = 'x' name = 'y'", ERR_QUERY, "character 12");
	check_refused(BLOCK_SPAN, "name = ?9", ERR_QUERY, "?1 to ?8");
	check_refused(BLOCK_SPAN, "name = ?12", ERR_QUERY, "?1 to ?8");
	check_refused(BLOCK_SPAN, "duration > 10parsec", ERR_QUERY, "a duration");
	check_refused(BLOCK_SPAN, "size > 10ms", ERR_QUERY, "a size");
	check_refused(BLOCK_SPAN, "size > 'many'", ERR_QUERY, "a size");
	check_refused(BLOCK_SPAN, "size > ?1", ERR_QUERY, "a size");
	check_refused(BLOCK_SPAN, "depth = 1ms", ERR_QUERY, "is not a number");
	check_refused(BLOCK_SPAN, "name REGEXP '('", ERR_QUERY, "character 13");
	check_refused(BLOCK_SPAN, "name LIKE 'x' ESCAPE 'ab'", ERR_QUERY, "one character");
	check_refused(BLOCK_SPAN, "name NOT = 'x'", ERR_QUERY, "after NOT");
	check_refused(BLOCK_SPAN, "name IS 'x'", ERR_QUERY, "after IS");
	check_refused(BLOCK_SPAN, "name IN 'x'", ERR_QUERY, "( after IN");
	check_refused(BLOCK_SPAN, "name IN ('x' 'y')", ERR_QUERY, ", or )");
	check_refused(BLOCK_SPAN, "size BETWEEN 1 OR 2", ERR_QUERY, "BETWEEN");
	check_refused(BLOCK_SPAN, "value > 1", ERR_QUERY, "expected a column");
	check_refused(BLOCK_EVENT, "duration > 1", ERR_QUERY, "expected a column");
	check_refused(BLOCK_COUNTER, "path = 'x'", ERR_QUERY, "value");
	check_refused(BLOCK_SPAN, "arg. = 1", ERR_QUERY, "name of an argument");
	check_refused(BLOCK_SPAN, "\x80 = 1", ERR_QUERY, "character 1");
	check_refused(BLOCK_SPAN, "name = -'x'", ERR_QUERY, "a number");
	check_refused(BLOCK_SPAN, "AND", ERR_QUERY, "character 1");
	check_refused(BLOCK_SPAN, "()", ERR_QUERY, "character 2");
}
END_TEST

static char *
repeated(const char *part, size_t n, const char *end)
{
	struct strbuf text = {0};
	for (size_t i = 0; i < n; i++) {
		strbuf_add_text(&text, part);
	}
	strbuf_add_text(&text, end);
	return strbuf_take(&text);
}

START_TEST(hostile_filters_are_refused)
{
	static const struct {
		const char *part, *end, *message;
		size_t n;
	} cases[] = {{"(", "name = 'x'", "nested deeper", 100000},
	             {"not (", "name = 'x'", "nested deeper", 1000},
	             {"name = 'x' or ", "name = 'x'", "conditions", 20000},
	             {"name = NULL or ", "name = 'x'", "conditions", 20000},
	             {"name = 'xxxxxxxxxxxxxxxxxxx' or ", "name = 'x'", "longer than", 100000},
	             {"name in (", "", "character 15", 3}};
	for (size_t i = 0; i < COUNT(cases); i++) {
		char *text = repeated(cases[i].part, cases[i].n, cases[i].end);
		check_refused(BLOCK_SPAN, text,
		              strstr(cases[i].message, "character") ? ERR_QUERY : ERR_LIMIT,
		              cases[i].message);
		free(text);
	}
	char *pattern = repeated("%a", 30000, "'"), *text;
	struct strbuf filter = {0};
	strbuf_printf(&filter, "name LIKE '%s", pattern);
	check_refused(BLOCK_SPAN, filter.data, ERR_LIMIT, "pattern longer");
	strbuf_clear(&filter);
	strbuf_add_text(&filter, "name REGEXP '((a{1,255}){1,255}){1,255}'");
	check_refused(BLOCK_SPAN, filter.data, ERR_LIMIT, "character 13");
	/* Long but fine. */
	struct err err = ERR_INIT;
	text = repeated("not ", 100001, "name = 'read'");
	unsigned char *rows = matching_rows(BLOCK_SPAN, text, NULL, 1, &err);
	ck_assert_msg(rows != NULL, "%s", err.message);
	free(rows);
	free(text);
	text = repeated("'x', ", 100000, "'read')");
	strbuf_clear(&filter);
	strbuf_printf(&filter, "name IN (%s", text);
	check_same(BLOCK_SPAN, filter.data, "name = 'read'");
	free(text);
	free(pattern);
	strbuf_free(&filter);
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
	tcase_add_test(tcase, units_synonyms_and_spelling);
	tcase_add_test(tcase, arguments_of_every_type);
	tcase_add_test(tcase, threads_agree);
	tcase_add_test(tcase, errors_say_where_and_what);
	tcase_add_test(tcase, hostile_filters_are_refused);
	suite_add_tcase(suite, tcase);
	return suite;
}

int
main(void)
{
	return unit_run(make_suite());
}
