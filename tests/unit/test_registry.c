/*
 * Every column of the registry is everywhere: filters, orders, dimensions, SQL tables, rows,
 * prompts and the manual have it, and agree on its values. The blocks here have a column for each
 * field that the registry knows, so that a new one is tested without a line here.
 */
#include "config.h"

#include <inttypes.h>

#include "column/scan/rowvalue.h"
#include "tests/unit/vtab_check.h"
#include "ui/app/view.h"

#define STEP 37 /* rows from one that is looked at to the next */

static const char *const tables[BLOCK_KINDS] = {"span", "event", "counter"};

/* Gives a block of spans the columns that nobody has filled. */
static void
attach_missing(const struct block_info *block)
{
	struct column_info columns[FIELD_BEFORE_ARGS];
	size_t offsets[FIELD_BEFORE_ARGS], n = 0;
	struct strbuf bytes = {NULL, 0, 0};
	int64_t values[FIXTURE_BLOCK];
	uint64_t presence[FIXTURE_BLOCK / 64];

	memset(presence, 0x6d, sizeof(presence));
	for (uint32_t field = FIELD_START; field < FIELD_BEFORE_ARGS; field++) {
		bool is_wanted = false;
		for (int i = 0; i < ROW_COLUMNS; i++) {
			is_wanted |= row_columns[i].field == field &&
			             row_columns[i].class == ROW_CLASS_INTEGER;
		}
		if (!is_wanted || block_column(block, field)) {
			continue;
		}
		for (uint32_t i = 0; i < block->n_rows; i++) {
			values[i] = field == FIELD_UNFINISHED ? 1 : 100 + i * 8 + field;
		}
		columns[n] = (struct column_info){.field = field, .type = COLUMN_INTEGER};
		offsets[n] = bytes.len;
		/* a record of many calls without a sum takes its duration for it */
		column_encode_integers(&columns[n++], values,
		                       field == FIELD_CALL_SUM ? NULL : presence, block->n_rows,
		                       &bytes);
	}
	ck_assert_int_eq(memory_dataset_attach(fixture.memory, block->source, block->sequence,
	                                       columns, offsets, n, strbuf_slice(&bytes)),
	                 0);
	strbuf_free(&bytes);
}

static const struct dataset *
dataset(void)
{
	return memory_dataset_get(fixture.memory);
}

static void
setup_all(void)
{
	setup();
	for (size_t i = 0; i < dataset()->n_blocks[BLOCK_SPAN]; i++) {
		attach_missing(&dataset()->blocks[BLOCK_SPAN][i]);
	}
}

static struct scan_value
value_of(enum block_kind kind, int64_t id, enum row_column column)
{
	struct span_row row;
	struct err err = ERR_INIT;

	ck_assert_msg(row_get(dataset(), kind, id, &row, &err) == 0, "%s", err.message);
	/* Of a row of one call the totals are not told. */
	bool is_told = row_columns[column].other != FIELD_CALLS || row.calls != 1;
	struct scan_value value = row_column_value(dataset(), &row, column);
	ck_assert(is_told || value.type == SCAN_NULL);
	return value;
}

/* What filters call the row's own value, whatever calls it stands for. */
static const char *
filter_name(enum row_column column)
{
	static char name[64];
	snprintf(name, sizeof(name), "%s%s", row_columns[column].is_of_calls ? "record_" : "",
	         row_columns[column].name);
	return name;
}

/* Rows that the filter takes, ordered by the column. */
static int64_t
rows_taken(enum block_kind kind, const char *filter, enum row_column column,
           const struct scan_value *value)
{
	struct page_request request = {.kind = kind, .filter = filter, .limit = 10};
	struct span_row *rows;
	struct err err = ERR_INIT;

	request.order = row_columns[column].name;
	if (value) {
		request.parameters[0] = *value;
	}
	int64_t n = page_run(dataset(), &request, &rows, NULL, &err);
	ck_assert_msg(n >= 0,
	              "%s: %s (src/column/scan/filter_predicate.c, src/column/ops/page_order.c)",
	              filter, err.message);
	free(rows);
	return n;
}

START_TEST(filters_and_orders_have_it)
{
	enum row_column column = (enum row_column)_i, found;

	for (int kind = 0; kind < BLOCK_KINDS; kind++) {
		struct slice name = slice_of(row_columns[column].name);
		bool is_named = row_column_is_named(column, (enum block_kind)kind);
		if (row_columns[column]
		        .of) { /* of a dimension of its own filters may know the name */
			continue;
		}
		ck_assert_int_eq(row_column_find(name, (enum block_kind)kind, &found), is_named);
		for (int64_t id = 1; is_named && id <= dataset()->n_rows[kind]; id += STEP) {
			struct scan_value value = value_of((enum block_kind)kind, id, column);
			char filter[160];
			bool is_hidden =
			    row_columns[column].other == FIELD_CALLS && value.type == SCAN_NULL;
			ck_assert_int_eq(found, column);
			snprintf(filter, sizeof(filter), "id = %" PRId64 " AND %s %s", id,
			         filter_name(column), value.type == SCAN_NULL ? "IS NULL" : "= ?1");
			ck_assert_msg(
			    is_hidden ||
				rows_taken((enum block_kind)kind, filter, column, &value) == 1,
			    "%s: is not what row_column_value says (src/column/scan/row.c, "
			    "src/column/scan/rowcolumn.c)",
			    filter);
		}
	}
}
END_TEST

START_TEST(dimensions_have_it)
{
	const struct row_column_info *info = &row_columns[_i];
	enum row_column column = (enum row_column)_i;
	const char *by = info->of == ROW_ARG        ? "arg.ord"
	                 : info->of == ROW_BASENAME ? "pattern('x')"
	                 : column == ROW_TIME       ? "time(10)"
	                 : info->of                 ? "start(10)"
	                                            : info->name;

	if (!info->by || !*info->by) {
		return;
	}
	for (int64_t id = 1; id <= dataset()->n_rows[BLOCK_SPAN]; id += STEP) {
		struct sums_request request = {.kind = BLOCK_SPAN, .by = by, .filter = "id = ?1"};
		struct err err = ERR_INIT;
		request.parameters[0] = (struct scan_value){.type = SCAN_INTEGER, .integer = id};
		struct sums *sums = sums_run(dataset(), &request, &err);
		ck_assert_msg(sums, "%s: %s (src/column/scan/dimension.c)", by, err.message);
		ck_assert(sums_has(sums, column));
		bool is_whole = !info->of && sums_count(sums) == 1;
		if (is_whole && !info->is_of_calls) {
			struct scan_value key = sums_key(sums, 0, column);
			struct scan_value value = value_of(BLOCK_SPAN, id, column);
			ck_assert_msg(
			    key.type == value.type &&
				(key.type == SCAN_NULL || scan_value_compare(&key, &value) == 0),
			    "%s: a group has another value than its row (src/column/scan/coder.c)",
			    by);
		}
		sums_free(sums);
	}
}
END_TEST

START_TEST(tables_have_it)
{
	const struct row_column_info *info = &row_columns[_i];
	char sql[300], expected[80];

	for (int kind = 0; info->place > 0 && kind < BLOCK_KINDS; kind++) {
		bool is_there = row_column_in((enum row_column)_i, (enum block_kind)kind);
		const char *name = info->kinds_of_synonym >> kind & 1 ? info->synonym : info->name;
		int before = 0;
		for (int i = 0; i < ROW_COLUMNS; i++) {
			ck_assert_msg(
			    i == _i || row_columns[i].place != info->place,
			    "%s and %s have the same place (src/column/encode/registry.h)",
			    info->name, row_columns[i].name);
			before += row_columns[i].place > 0 && row_columns[i].place < info->place &&
			          row_column_in((enum row_column)i, (enum block_kind)kind);
		}
		snprintf(expected, sizeof(expected), is_there ? "%d|%s\n" : "", before,
		         vtab_type_of_column((enum row_column)_i));
		snprintf(sql, sizeof(sql),
		         "SELECT cid, upper(type) FROM pragma_table_info('%s') WHERE name = '%s'",
		         tables[kind], name);
		check_text(sql, expected);
		for (int64_t id = 1; is_there && _i != ROW_ARGS && id <= dataset()->n_rows[kind];
		     id += STEP) {
			sqlite3_stmt *stmt;
			struct scan_value value =
			    value_of((enum block_kind)kind, id, (enum row_column)_i);
			snprintf(sql, sizeof(sql),
			         "SELECT \"%s\" IS ?1 FROM %s WHERE id = %" PRId64, name,
			         tables[kind], id);
			ck_assert_int_eq(sqlite3_prepare_v2(fixture.db, sql, -1, &stmt, NULL),
			                 SQLITE_OK);
			if (value.type == SCAN_INTEGER) {
				sqlite3_bind_int64(stmt, 1, value.integer);
			} else if (value.type == SCAN_REAL) {
				sqlite3_bind_double(stmt, 1, value.real);
			} else if (value.type == SCAN_TEXT) {
				sqlite3_bind_text(stmt, 1, value.text.ptr, (int)value.text.len,
				                  SQLITE_STATIC);
			}
			ck_assert_int_eq(sqlite3_step(stmt), SQLITE_ROW);
			ck_assert_msg(sqlite3_column_int(stmt, 0) == 1,
			              "%s: reads another value (src/store/vtab_row.c: row_fields)",
			              sql);
			sqlite3_finalize(stmt);
		}
	}
}
END_TEST

START_TEST(prompts_offer_it)
{
	struct completion completion = {0};
	bool is_offered = false;

	if (!row_column_is_named((enum row_column)_i, BLOCK_SPAN)) {
		return;
	}
	completion_add_columns(&completion);
	for (size_t i = 0; i < completion.n; i++) {
		is_offered |= strcmp(completion.words[i], row_columns[_i].name) == 0;
	}
	completion_free(&completion);
	ck_assert_msg(is_offered, "%s (ui/base/completion.c)", row_columns[_i].name);
}
END_TEST

/* The manual from one text to another, its markup made blanks. */
static char *
manual_part(const char *from, const char *to)
{
	const char *folder = getenv("LANESCOPE_SRCDIR");
	char path[4096];
	static char text[1 << 17];

	snprintf(path, sizeof(path), "%s/man/lanescope-schema.5", folder ? folder : ".");
	FILE *file = fopen(path, "r");
	ck_assert_msg(file, "%s", path);
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);
	char *begin = strstr(text, from), *end = begin ? strstr(begin, to) : NULL;
	ck_assert_msg(end, "%s has no %s ... %s", path, from, to);
	*end = '\0';
	for (char *c = begin; c < end; c++) {
		*c = *c == '\n' || *c == ',' || *c == ';' || *c == '.' || *c == '(' ? ' ' : *c;
	}
	return begin;
}

static void
check_manual(char *part, const char *name)
{
	char word[80];

	snprintf(word, sizeof(word), " %s ", name);
	ck_assert_msg(strstr(part, word),
	              "lanescope-schema(5) does not have \"%s\" in \"%.40s ...\" "
	              "(man/lanescope-schema.5)",
	              name, part);
}

START_TEST(the_manual_has_it)
{
	static const char *const begins[BLOCK_KINDS + 1] = {".It Sy span\n", ".It Sy event\n",
	                                                    ".It Sy counter\n", ".El"};
	const struct row_column_info *info = &row_columns[_i];
	char number[16];

	for (int kind = 0; info->place > 0 && kind < BLOCK_KINDS; kind++) {
		if (row_column_in((enum row_column)_i, (enum block_kind)kind)) {
			check_manual(manual_part(begins[kind], begins[kind + 1]),
			             info->kinds_of_synonym >> kind & 1 ? info->synonym
			                                                : info->name);
		}
	}
	if (info->by && *info->by && info->of != ROW_ARG) {
		check_manual(manual_part("is a list of the dimensions", "The empty text gives"),
		             info->of ? "Ql" : info->name);
	}
	if (info->field > 0) {
		snprintf(number, sizeof(number), "%u", (unsigned)info->field);
		check_manual(manual_part("says what a column holds", "From 64 on"), number);
	}
}
END_TEST

START_TEST(the_registry_is_sound)
{
	ck_assert_int_le(FIELD_BEFORE_ARGS, 31); /* sets of fields travel in an int (vtab_rows.c) */
	for (uint32_t field = FIELD_START; field < FIELD_BEFORE_ARGS; field++) {
		bool is_used = false;
		for (int i = 0; i < ROW_COLUMNS; i++) {
			is_used |= row_columns[i].field == field || row_columns[i].other == field;
		}
		ck_assert_msg(is_used, "field %u is no column's (src/column/encode/registry.h)",
		              (unsigned)field);
	}
	for (int i = 0; i < ROW_COLUMNS; i++) {
		ck_assert(row_columns[i].name && row_columns[i].kinds);
		for (int j = 0; j < i && !row_columns[i].is_sql_only; j++) {
			ck_assert_msg(row_columns[j].is_sql_only ||
			                  strcmp(row_columns[i].name, row_columns[j].name) != 0,
			              "two columns are called %s", row_columns[i].name);
		}
	}
}
END_TEST

static Suite *
registry_suite(void)
{
	Suite *suite = suite_create("registry");
	TCase *tcase = tcase_create("registry");

	tcase_add_checked_fixture(tcase, setup_all, teardown);
	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, filters_and_orders_have_it, 0, ROW_COLUMNS);
	tcase_add_loop_test(tcase, dimensions_have_it, 0, ROW_COLUMNS);
	tcase_add_loop_test(tcase, tables_have_it, 0, ROW_COLUMNS);
	suite_add_tcase(suite, tcase);
	tcase = tcase_create("words");
	tcase_add_loop_test(tcase, prompts_offer_it, 0, ROW_COLUMNS);
	tcase_add_loop_test(tcase, the_manual_has_it, 0, ROW_COLUMNS);
	tcase_add_test(tcase, the_registry_is_sound);
	suite_add_tcase(suite, tcase);
	return suite;
}

int
main(void)
{
	return unit_run(registry_suite());
}
