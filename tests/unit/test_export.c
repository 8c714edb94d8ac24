/* Formats of output, byte by byte; a full disk. */
#include "config.h"
#include "unit.h"

#include <math.h>
#include <string.h>

#include "export/export.h"

static const struct result_column columns[] = {{.name = "name", .kind = KIND_TEXT},
                                               {.name = "time", .kind = KIND_DURATION},
                                               {.name = "share", .kind = KIND_PERCENT},
                                               {.name = "size", .kind = KIND_SIZE}};

static struct result *
example(void)
{
	struct result *result = result_new("Example", columns, 4);
	struct value *row = result_add_row(result);
	row[0] = value_text(result, slice_of("write"));
	row[1] = value_integer(12480000);
	row[2] = value_real(0.5);
	row[3] = value_integer(4096);
	row = result_add_row(result);
	row[0] = value_text(result, slice_of("a,\"b\"\nc\t\\d\x1b[31m"));
	row[1] = value_integer(-1);
	row = result_add_row(result);
	row[0] = value_text(result, slice_of("=1+1"));
	row[2] = value_real(1.0 / 3);
	row[3] = value_integer(INT64_MAX);
	row = result_add_row(result);
	row[0] = value_text(result, slice_of(""));
	row[2] = value_real(HUGE_VAL);
	return result;
}

/* Output of a format; to be freed. */
static char *
render(const struct result *result, const char *name, const struct export_options *options)
{
	struct err err = ERR_INIT;
	char *text = NULL;
	size_t length = 0;
	FILE *file = open_memstream(&text, &length);
	const struct export_format *format = export_format_find(name, &err);
	ck_assert_msg(format != NULL, "%s", err.message);
	ck_assert_msg(export_result(result, format, options, file, &err) == 0, "%s", err.message);
	fclose(file);
	return text;
}

static void
renders(const char *name, const struct export_options *options, const char *expected)
{
	struct result *result = example();
	char *text = render(result, name, options);
	ck_assert_str_eq(text, expected);
	free(text);
	result_free(result);
}

static const struct export_options plain = {.header = true};

START_TEST(test_csv)
{
	renders("csv", &plain,
	        "name,time,share,size\n"
	        "write,12480000,0.5,4096\n"
	        "\"a,\"\"b\"\"\nc\t\\d\x1b[31m\",-1,,\n"
	        "\"=1+1\",,0.3333333333333333,9223372036854775807\n"
	        "\"\",,inf,\n");
	struct export_options options = {.header = false, .escape = true};
	renders("csv", &options,
	        "write,12480000,0.5,4096\n"
	        "\"a,\"\"b\"\"\\nc\\t\\d\\x1b[31m\",-1,,\n"
	        "\"=1+1\",,0.3333333333333333,9223372036854775807\n"
	        "\"\",,inf,\n");
}
END_TEST

/* Which texts CSV quotes and TSV escapes, byte by byte: alone, at the end, within, at the begin. */
START_TEST(test_every_byte)
{
	for (int c = 1; c < 256; c++) {
		char byte = (char)c,
		     text[4][4] = {{byte}, {'x', byte}, {'x', byte, 'x'}, {byte, 'x'}};
		for (unsigned i = 0; i < 4; i++) {
			struct result *result = result_new(NULL, columns, 1);
			const struct export_options rows = {.header = false};
			char csv[32], tsv[32], shown[5] = {byte}, escaped[5] = {byte};
			bool is_quoted = strchr(",\n\r\"", c) ||
			                 (i % 3 == 0 && strchr("=+-@ \t", c)) ||
			                 (i < 2 && c == ' ');
			result_add_row(result)[0] = value_text(result, slice_of(text[i]));
			if (c >= 0x80) { /* no UTF-8 by itself */
				snprintf(shown, sizeof shown, "\\x%02x", c);
				memcpy(escaped, shown, sizeof shown);
			}
			snprintf(csv, sizeof csv, "%s%s%s%s%s%s\n", is_quoted ? "\"" : "",
			         i == 1 || i == 2 ? "x" : "", shown, c == '"' ? "\"" : "",
			         i > 1 ? "x" : "", is_quoted ? "\"" : "");
			const char *special = strchr("\tt\nn\rr", c);
			if (c < ' ' && special) {
				escaped[0] = '\\';
				escaped[1] = special[1];
			} else if (c == '\\') {
				escaped[1] = '\\';
			}
			snprintf(tsv, sizeof tsv, "%s%s%s\n", i == 1 || i == 2 ? "x" : "", escaped,
			         i > 1 ? "x" : "");
			char *found = render(result, "csv", &rows);
			ck_assert_str_eq(found, csv);
			free(found);
			found = render(result, "tsv", &rows);
			ck_assert_str_eq(found, tsv);
			free(found);
			result_free(result);
		}
	}
}
END_TEST

/* A text's cell, in CSV and TSV, with --safe-csv or without. */
static void
check_cell(const char *text, bool safe, const char *csv, const char *tsv)
{
	static const struct result_column one[] = {{.name = "t", .kind = KIND_TEXT}};
	const struct export_options options = {.safe = safe};
	const char *const formats[] = {"csv", "tsv"}, *const expected[] = {csv, tsv};

	for (int i = 0; i < 2; i++) {
		struct result *result = result_new(NULL, one, 1);
		result_add_row(result)[0] = value_text(result, slice_of(text));
		char *found = render(result, formats[i], &options);
		ck_assert_uint_gt(strlen(found), 0);
		found[strlen(found) - 1] = '\0';
		ck_assert_str_eq(found, expected[i]);
		free(found);
		result_free(result);
	}
}

START_TEST(test_formulas)
{
	static const struct {
		const char *text, *csv, *tsv;
	} cells[] = {
	    {"=1+1", "'=1+1", "'=1+1"},
	    {"=HYPERLINK(\"a\")", "\"'=HYPERLINK(\"\"a\"\")\"", "'=HYPERLINK(\"a\")"},
	    {"@SUM(1)", "'@SUM(1)", "'@SUM(1)"},
	    {"+cmd", "'+cmd", "'+cmd"},
	    {"-2+3", "'-2+3", "'-2+3"},
	    {"\t=1", "'\t=1", "'\\t=1"},
	    {"\r=1", "\"'\r=1\"", "'\\r=1"},
	    {"\xef\xbc\x9d"
	     "1",
	     "'\xef\xbc\x9d"
	     "1",
	     "'\xef\xbc\x9d"
	     "1"},
	    {"-", "'-", "'-"},
	    /* numbers, and what only looks alike */
	    {"-2", "\"-2\"", "-2"},
	    {"+1.5e3", "\"+1.5e3\"", "+1.5e3"},
	    {"a=1", "a=1", "a=1"},
	    {"", "\"\"", ""},
	    {"'=1", "'=1", "'=1"},
	};

	for (size_t i = 0; i < COUNT_OF(cells); i++) {
		check_cell(cells[i].text, true, cells[i].csv, cells[i].tsv);
	}
	check_cell("=1+1", false, "\"=1+1\"", "=1+1");
	/* columns are named by traces as well */
	static const struct result_column named[] = {{.name = "=1", .kind = KIND_INTEGER}};
	const struct export_options options = {.header = true, .safe = true};
	struct result *result = result_new(NULL, named, 1);
	result_add_row(result)[0] = value_integer(-1);
	char *found = render(result, "csv", &options);
	ck_assert_str_eq(found, "'=1\n-1\n");
	free(found);
	result_free(result);
}
END_TEST

/* A literal backslash is two in TSV, so that a wrong byte's is told from it. */
START_TEST(test_wrong_bytes)
{
	check_cell("a\xff\\\xc3\xa4\xe2\x80", false, "a\\xff\\\xc3\xa4\\xe2\\x80",
	           "a\\xff\\\\\xc3\xa4\\xe2\\x80");
	check_cell("\xff,\"", false, "\"\\xff,\"\"\"", "\\xff,\"");
}
END_TEST

START_TEST(test_tsv)
{
	renders("tsv", &plain,
	        "name\ttime\tshare\tsize\n"
	        "write\t12480000\t0.5\t4096\n"
	        "a,\"b\"\\nc\\t\\\\d\x1b[31m\t-1\t\\N\t\\N\n"
	        "=1+1\t\\N\t0.3333333333333333\t9223372036854775807\n"
	        "\t\\N\tinf\t\\N\n");
}
END_TEST

START_TEST(test_json)
{
	renders("json", &plain,
	        "[{\"name\": \"write\", \"time\": 12480000, \"share\": 0.5, \"size\": 4096},\n"
	        " {\"name\": \"a,\\\"b\\\"\\nc\\t\\\\d\\u001b[31m\", \"time\": -1, \"share\": "
	        "null, \"size\": null},\n"
	        " {\"name\": \"=1+1\", \"time\": null, \"share\": 0.3333333333333333, \"size\": "
	        "9223372036854775807},\n"
	        " {\"name\": \"\", \"time\": null, \"share\": null, \"size\": null}]\n");
	struct result *empty = result_new(NULL, columns, 4);
	char *text = render(empty, "json", &plain);
	ck_assert_str_eq(text, "[]\n");
	free(text);
	text = render(empty, "jsonl", &plain);
	ck_assert_str_eq(text, "");
	free(text);
	result_free(empty);
}
END_TEST

START_TEST(test_json_bytes)
{
	struct result *result = result_new(NULL, columns, 1);
	struct value *row = result_add_row(result);
	row[0] = value_text(result, slice_of("\xff\xc3\xa4\xf0\x9f\x98\x80\xe2\x80\xae\x7f"));
	char *text = render(result, "jsonl", &plain);
	ck_assert_str_eq(text,
	                 "{\"name\": \"\xef\xbf\xbd\xc3\xa4\xf0\x9f\x98\x80\xe2\x80\xae\x7f\"}\n");
	free(text);
	struct export_options terminal = {.header = true, .escape = true};
	text = render(result, "jsonl", &terminal);
	ck_assert_str_eq(text,
	                 "{\"name\": \"\xef\xbf\xbd\xc3\xa4\xf0\x9f\x98\x80\\u202e\\u007f\"}\n");
	free(text);
	result_free(result);
}
END_TEST

START_TEST(test_table)
{
	renders("table", &plain,
	        "name                     time     share       size\n"
	        "write                 12.5 ms    50.0 %  4.000 KiB\n"
	        "a,\"b\"\\nc\\t\\d\\x1b[31m    -1 ns         -          -\n"
	        "=1+1                        -    33.3 %  8.000 EiB\n"
	        "                            -  > 1e15 %          -\n");
}
END_TEST

START_TEST(test_table_width)
{
	static const struct result_column wide[] = {{.name = "path", .kind = KIND_TEXT},
	                                            {.name = "n", .kind = KIND_COUNT},
	                                            {.name = "note", .kind = KIND_TEXT},
	                                            {.name = "time", .kind = KIND_DURATION}};
	struct result *result = result_new(NULL, wide, 4);
	struct value *row = result_add_row(result);
	row[0] = value_text(result, slice_of("/a/very/long/path/to/some/checkpoint-1-600.pt"));
	row[1] = value_integer(5);
	row[2] = value_text(
	    result,
	    slice_of(
		"\xc3\xa4\xc3\xb6\xc3\xbc\xe6\xbc\xa2\xe5\xad\x97 and what else there is to say"));
	row[3] = value_integer(1000);
	struct export_options options = {.header = true, .width = 51};
	char *text = render(result, "table", &options);
	ck_assert_str_eq(text,
	                 "path                n  note                    time\n"
	                 "\xe2\x80\xa6"
	                 "eckpoint-1-600.pt  5  \xc3\xa4\xc3\xb6\xc3\xbc\xe6\xbc\xa2\xe5\xad\x97 "
	                 "and what e\xe2\x80\xa6  1.00 us\n");
	free(text);
	options.width = 22;
	options.ascii = true;
	text = render(result, "table", &options);
	ck_assert_str_eq(
	    text, "path                n\n~eckpoint-1-600.pt  5\n(no room for: note, time)\n");
	free(text);
	result_value(result, 0, 1)->type = VALUE_NULL; /* what says nothing goes first */
	options.width = 47;
	text = render(result, "table", &options);
	ck_assert_str_eq(text,
	                 "path                note                   time\n"
	                 "~eckpoint-1-600.pt  \xc3\xa4\xc3\xb6\xc3\xbc\xe6\xbc\xa2\xe5\xad\x97 and "
	                 "what ~  1.00 us\n"
	                 "(no room for: n)\n");
	free(text);
	options.width = 1;
	text = render(result, "table", &options); /* a column always remains */
	ck_assert_ptr_nonnull(strstr(text, "no room for: n, note, time"));
	free(text);
	result_free(result);
}
END_TEST

/* A table is as wide as the terminal where the least widths allow it, never wider, and no narrower
 * than it need be; what is left out is named. */
START_TEST(test_every_width)
{
	static const struct result_column wide[] = {{.name = "note", .kind = KIND_TEXT},
	                                            {.name = "n", .kind = KIND_COUNT},
	                                            {.name = "path", .kind = KIND_TEXT},
	                                            {.name = "time", .kind = KIND_DURATION}};
	struct result *result = result_new(NULL, wide, 4);
	struct value *row = result_add_row(result);
	row[0] = value_text(result, slice_of("twenty-four characters ."));
	row[1] = value_integer(12345);
	row[2] = value_text(result, slice_of("/thirty/characters/of/a/path.x"));
	row[3] = value_integer(1000);
	const size_t least = 18, full = 24 + 2 + 6 + 2 + 30 + 2 + 7;
	for (unsigned width = 1; width < full + 5; width++) {
		struct export_options options = {.header = true, .width = width, .ascii = true};
		char *text = render(result, "table", &options);
		size_t n_header = strcspn(text, "\n"), n_row = strcspn(text + n_header + 1, "\n");
		size_t shown = width >= 2 * least + 19   ? (width < full ? width : full)
		               : width >= 2 * least + 10 ? 2 * least + 10
		               : width >= least + 8      ? least + 8
		                                         : least;
		ck_assert_msg(n_row == shown, "%u: %zu, not %zu\n%s", width, n_row, shown, text);
		ck_assert_uint_le(n_header, n_row);
		ck_assert_int_eq(strstr(text, "(no room for: time)") != NULL,
		                 width >= 2 * least + 10 && width < 2 * least + 19);
		ck_assert_int_eq(strstr(text, "(no room for: path, time)") != NULL,
		                 width >= least + 8 && width < 2 * least + 10);
		ck_assert_int_eq(strstr(text, "(no room for: n, path, time)") != NULL,
		                 width < least + 8);
		ck_assert_int_eq(strchr(text, '~') != NULL, width < full);
		free(text);
	}
	result_free(result);
}
END_TEST

START_TEST(test_markdown)
{
	struct result *result = result_new(NULL, columns, 2);
	struct value *row = result_add_row(result);
	row[0] = value_text(result, slice_of("a|b*c\nd<x>"));
	row[1] = value_integer(12480000);
	char *text = render(result, "md", &plain);
	ck_assert_str_eq(text,
	                 "| name | time |\n| :-- | --: |\n| a\\|b\\*c\\\\nd\\<x\\> | 12.5 ms |\n");
	free(text);
	result_free(result);
}
END_TEST

/* Row by row, as a stream is written. */
static char *
render_rows(const struct result *result, const char *name, const struct export_options *options)
{
	struct err err = ERR_INIT;
	struct exporter exporter;
	char *text = NULL;
	size_t length = 0;
	FILE *file = open_memstream(&text, &length);

	exporter_open(&exporter, export_format_find(name, &err), options, file, result->columns,
	              result->n_columns);
	for (size_t row = 0; row < result->n_rows; row++) {
		exporter_row(&exporter, result_value(result, row, 0));
	}
	ck_assert_msg(exporter_close(&exporter, &err) == 0, "%s", err.message);
	fclose(file);
	return text;
}

/* Many rows are put together by several threads. */
START_TEST(test_many_rows)
{
	static const char *const names[] = {"csv", "tsv", "json", "jsonl", "frame"};
	static const size_t counts[] = {4096, 4097, 16384, 50000};
	struct export_options options = {.header = true, .safe = true};

	setenv("LANESCOPE_THREADS", "3", 1);
	for (size_t c = 0; c < COUNT_OF(counts); c++) {
		struct result *result = result_new("Many", columns, 4);
		int64_t number = 1;
		for (size_t i = 0; i < counts[c]; i++) {
			struct value *row = result_add_row(result);
			char text[32];
			number = (int64_t)((uint64_t)number * UINT64_C(6364136223846793005) + i);
			snprintf(text, sizeof text, "%s%llu", i % 3 ? "=\"" : "a,\n",
			         (unsigned long long)i);
			row[0] = value_text(result, slice_of(text));
			row[1] = i % 5 ? value_integer(number >> i % 64)
			               : (struct value){.type = VALUE_NULL};
			row[2] = value_real((double)i / 7);
			row[3] = value_integer((int64_t)i);
		}
		for (size_t f = 0; f < COUNT_OF(names); f++) {
			char *text = render(result, names[f], &options);
			char *rows = render_rows(result, names[f], &options);
			ck_assert_msg(strcmp(text, rows) == 0, "%s of %zu rows", names[f],
			              counts[c]);
			free(text);
			free(rows);
		}
		result_free(result);
	}
}
END_TEST

START_TEST(test_full_disk)
{
	struct err err = ERR_INIT;
	FILE *file = fopen("/dev/full", "w");
	struct result *result = example();
	if (!file) {
		printf("# skipped: no /dev/full\n");
		result_free(result);
		return;
	}
	for (const struct export_format *format = export_formats; format->name; format++) {
		err = (struct err)ERR_INIT;
		ck_assert_int_eq(export_result(result, format, &plain, file, &err), -1);
		ck_assert_int_eq(err.code, ERR_SYSTEM);
	}
	fclose(file);
	result_free(result);
}
END_TEST

START_TEST(test_unknown_format)
{
	struct err err = ERR_INIT;
	ck_assert_ptr_null(export_format_find("xml", &err));
	ck_assert_ptr_nonnull(strstr(err.message, "table, csv, tsv, json, jsonl, frame, md"));
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("export");
	TCase *tests = tcase_create("export");
	tcase_add_test(tests, test_csv);
	tcase_add_test(tests, test_every_byte);
	tcase_add_test(tests, test_formulas);
	tcase_add_test(tests, test_wrong_bytes);
	tcase_add_test(tests, test_tsv);
	tcase_add_test(tests, test_json);
	tcase_add_test(tests, test_json_bytes);
	tcase_add_test(tests, test_table);
	tcase_add_test(tests, test_table_width);
	tcase_add_test(tests, test_every_width);
	tcase_add_test(tests, test_markdown);
	tcase_add_test(tests, test_many_rows);
	tcase_add_test(tests, test_full_disk);
	tcase_add_test(tests, test_unknown_format);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
