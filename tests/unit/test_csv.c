/* The CSV reader: the rules of RFC 4180, what is accepted beyond them, and broken records among
 * good ones. */
#include "config.h"
#include "unit.h"

#include <string.h>

#include "input/csv.h"
#include "util/mem.h"
#include "util/prng.h"

/* All records: fields in <>, records in lines, "! reason" for one that is none. */
static char *
show(const char *text, size_t length, size_t chunk)
{
	struct strbuf out = {0};
	struct err err = ERR_INIT;
	struct csv csv;
	struct input *input = input_from_memory((struct slice){text, length}, chunk);

	csv_open(&csv, input, ',');
	while (csv_next(&csv, &err) == 1) {
		if (csv.problem) {
			strbuf_printf(&out, "! %s\n", csv.problem);
			continue;
		}
		for (size_t i = 0; i < csv.n_fields; i++) {
			strbuf_add_char(&out, '<');
			strbuf_add(&out, csv.fields[i].ptr, csv.fields[i].len);
			strbuf_add_char(&out, '>');
		}
		strbuf_add_char(&out, '\n');
	}
	ck_assert_int_eq(csv_next(&csv, &err), 0);
	ck_assert_int_eq(err.code, ERR_NONE);
	csv_close(&csv);
	input_close(input);
	strbuf_add(&out, "", 0);
	return strbuf_take(&out);
}

static void
check(const char *text, const char *expected)
{
	for (size_t chunk = 0; chunk < 5; chunk++) {
		char *found = show(text, strlen(text), chunk);
		ck_assert_str_eq(found, expected);
		free(found);
	}
}

START_TEST(plain_records)
{
	check("a,b\nc,d\n", "<a><b>\n<c><d>\n");
	check("a,b\r\nc,d", "<a><b>\n<c><d>\n");
	check(",a,,\n", "<><a><><>\n");
	check("a, b ,c\n", "<a>< b ><c>\n");
	check("\xef\xbb\xbf"
	      "a,b\n",
	      "<a><b>\n");
	check("\n\r\n \na\n\n\nb\n\n", "<a>\n<b>\n");
	check(",\n", "<><>\n");
}
END_TEST

START_TEST(quoted_records)
{
	check("\"a\",\"b\"\n", "<a><b>\n");
	check("\"a,b\",c\n", "<a,b><c>\n");
	check("\"a\"\"b\",\"\"\"\",\"\"\n", "<a\"b><\"><>\n");
	check("\"a\nb\",c\nd\n", "<a\nb><c>\n<d>\n");
	check("\"a\r\n\r\nb\",c\r\nd\r\n", "<a\r\n\r\nb><c>\n<d>\n");
	check("\"a\"\"\n\"\"b\",\"c\nd\"", "<a\"\n\"b><c\nd>\n");
	check("\xef\xbb\xbf\"a\"\n", "<a>\n");
}
END_TEST

START_TEST(blanks_around_quotes)
{
	check("1, \"a,b\" ,c\n", "<1><a,b><c>\n");
	check("\t\"a\"\t\n", "<a>\n");
	check("1, \"a\nb\", 2\n", "<1><a\nb>< 2>\n");
	check("1, \"a\" x,2\n", "! text behind a closing quote\n");
}
END_TEST

/* A record of several lines that is none to the caller is its first line; the others are read
 * again, as what they are. */
START_TEST(lines_are_split)
{
	const char *text = "\"x\n1,2\ny\",9\n\"a\nb\",3\n4,5\n\"y\n6";
	const struct {
		uint64_t line, offset;
		const char *text;
	} expected[] = {{1, 0, "\"x"},  {2, 3, "1,2"},  {3, 7, "y\",9"}, {4, 12, "\"a\nb\",3"},
	                {6, 20, "4,5"}, {7, 24, "\"y"}, {8, 27, "6"}};

	for (size_t chunk = 0; chunk < 5; chunk++) {
		struct err err = ERR_INIT;
		struct csv csv;
		struct input *input = input_from_memory(slice_of(text), chunk);
		csv_open(&csv, input, ',');
		for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
			ck_assert_int_eq(csv_next(&csv, &err), 1);
			if (i == 0) {
				ck_assert(slice_is(csv.text, "\"x\n1,2\ny\",9"));
				ck_assert_ptr_null(csv.problem);
			}
			if (i == 0 || csv.line == 7) {
				ck_assert(csv_split_lines(&csv) == (i == 0));
			}
			ck_assert_uint_eq(csv.line, expected[i].line);
			ck_assert_uint_eq(csv.offset, expected[i].offset);
			ck_assert(slice_is(csv.text, expected[i].text));
			ck_assert(csv.is_open == (csv.line == 8));
		}
		ck_assert_int_eq(csv_next(&csv, &err), 0);
		csv_close(&csv);
		input_close(input);
	}
}
END_TEST

/* Many quotes, closed by chance only: time goes with the bytes. */
START_TEST(many_open_quotes)
{
	static const char *const patterns[] = {"\"a\n", "\"a\nb\n", "\"a\"\"\nb,\"c\n",
	                                       "\"\n\",\"\n"};
	struct strbuf text = {0};
	struct err err = ERR_INIT;
	struct csv csv;
	uint64_t lines = 0;

	while (text.len < (size_t)4 << 20) {
		strbuf_add_text(&text, patterns[_i]);
	}
	struct input *input = input_from_memory(strbuf_slice(&text), 0);
	csv_open(&csv, input, ',');
	while (csv_next(&csv, &err) == 1) {
		(void)csv_split_lines(&csv);
		lines = csv.line;
	}
	ck_assert_uint_gt(lines, 500000);
	csv_close(&csv);
	input_close(input);
	strbuf_free(&text);
}
END_TEST

START_TEST(broken_records)
{
	check("a\"b,c\"\nd\n", "! a quote inside a field without quotes\n<d>\n");
	check("\"a\"b,c\nd\n", "! text behind a closing quote\n<d>\n");
	check("a\"b,c\nd\n", "! a quote inside a field without quotes\n<d>\n"); /* opens nothing */
	check("a\n\"b\nc", "<a>\n! a quote is not closed\n<c>\n");
	check("\"a\nb,c\n\"d\"e,f\ng\n\"h",
	      "! a quote is not closed\n<b><c>\n! text behind a closing quote\n<g>\n"
	      "! a quote is not closed\n");
	check("\"a\nb\nc\"d\ne\n", "! a quote is not closed\n<b>\n! a quote inside a field "
	                           "without quotes\n<e>\n");
	check("\"", "! a quote is not closed\n");
	check("", "");
	check("\n\n", "");
}
END_TEST

START_TEST(positions)
{
	const char *text = "\xef\xbb\xbf"
			   "a,b\n\n\"c\nd\",e\nf";
	struct err err = ERR_INIT;
	struct csv csv;
	struct input *input = input_from_memory(slice_of(text), 1);

	csv_open(&csv, input, ',');
	ck_assert_int_eq(csv_next(&csv, &err), 1);
	ck_assert_uint_eq(csv.line, 1);
	ck_assert_uint_eq(csv.offset, 0);
	ck_assert_int_eq(csv_next(&csv, &err), 1);
	ck_assert_uint_eq(csv.line, 3);
	ck_assert_uint_eq(csv.offset, 8);
	ck_assert(slice_is(csv.text, "\"c\nd\",e"));
	ck_assert(!csv.is_open);
	ck_assert_int_eq(csv_next(&csv, &err), 1);
	ck_assert_uint_eq(csv.line, 5);
	ck_assert_uint_eq(csv.offset, 16);
	ck_assert(csv.is_open);
	ck_assert_int_eq(csv_next(&csv, &err), 0);
	csv_close(&csv);
	input_close(input);
}
END_TEST

/* A quote that is never closed breaks its own line; what follows is read. */
START_TEST(open_quote_is_bounded)
{
	size_t lines = CSV_RECORD_LIMIT / 1024 + 100;
	struct strbuf text = {0};
	struct err err = ERR_INIT;
	struct csv csv;
	char line[1024];
	uint64_t records = 0, broken = 0;

	memset(line, 'x', sizeof line);
	line[sizeof line - 1] = '\n';
	strbuf_add_text(&text, "\"a\n");
	for (size_t i = 0; i < lines; i++) {
		strbuf_add(&text, line, sizeof line);
	}
	struct input *input = input_from_memory(strbuf_slice(&text), 0);
	csv_open(&csv, input, ',');
	while (csv_next(&csv, &err) == 1) {
		broken += csv.problem != NULL;
		records += csv.problem == NULL;
	}
	ck_assert_uint_eq(broken, 1);
	ck_assert_uint_eq(records, lines);
	csv_close(&csv);
	input_close(input);
	strbuf_free(&text);
}
END_TEST

START_TEST(records_that_are_too_long_are_told)
{
	char *text = malloc((size_t)CSV_RECORD_LIMIT + 12);
	struct err err = ERR_INIT;
	struct csv csv;

	for (size_t more = 0; more < 2; more++) {
		size_t length = CSV_RECORD_LIMIT + more;
		memcpy(text, "p,q\n", 4);
		memset(text + 4, 'x', length);
		memcpy(text + 4 + length, "\na,b\n", 6);
		struct input *input = input_from_memory((struct slice){text, 4 + length + 5}, 0);
		csv_open(&csv, input, ',');
		ck_assert_int_eq(csv_next(&csv, &err), 1);
		ck_assert_uint_eq(csv.n_fields, 2);
		ck_assert_int_eq(csv_next(&csv, &err), 1);
		ck_assert_int_eq(csv.problem != NULL, (int)more);
		ck_assert_uint_eq(csv.n_fields, 1 - more);
		ck_assert(slice_equal(csv.text, (struct slice){text + 4, length}));
		ck_assert_uint_eq(csv.line, 2);
		ck_assert(!csv_split_lines(&csv));
		ck_assert_int_eq(csv_next(&csv, &err), 1);
		ck_assert_ptr_null(csv.problem);
		ck_assert_uint_eq(csv.n_fields, 2);
		ck_assert_uint_eq(csv.line, 3);
		ck_assert_uint_eq(csv.offset, 4 + length + 1);
		csv_close(&csv);
		input_close(input);
	}
	free(text);
}
END_TEST

START_TEST(many_fields_are_bounded)
{
	struct strbuf text = {0};

	for (unsigned i = 0; i < 2 * CSV_FIELD_LIMIT; i++) {
		strbuf_add_char(&text, ',');
	}
	strbuf_add_text(&text, "\na\n");
	char *found = show(text.data, text.len, 0);
	ck_assert_str_eq(found, "! more fields than are read\n<a>\n");
	free(found);
	strbuf_free(&text);
}
END_TEST

/* Whatever is written by the rules is read as it was. */
START_TEST(reads_what_was_written)
{
	static const char alphabet[] = "ab,\"\n\r ;";
	struct prng prng = {7};

	for (int round = 0; round < 2000; round++) {
		struct strbuf text = {0}, expected = {0};
		unsigned rows = 1 + (unsigned)(prng_next(&prng) % 4);
		for (unsigned row = 0; row < rows; row++) {
			unsigned fields = 2 + (unsigned)(prng_next(&prng) % 3);
			for (unsigned field = 0; field < fields; field++) {
				strbuf_add_text(&text, field ? ",\"" : "\"");
				strbuf_add_char(&expected, '<');
				for (unsigned n = (unsigned)(prng_next(&prng) % 6); n > 0; n--) {
					char c = alphabet[prng_next(&prng) % (sizeof alphabet - 1)];
					strbuf_add_char(&text, c);
					if (c == '"') {
						strbuf_add_char(&text, c);
					}
					strbuf_add_char(&expected, c);
				}
				strbuf_add_char(&text, '"');
				strbuf_add_char(&expected, '>');
			}
			strbuf_add_text(&text, prng_next(&prng) % 2 ? "\n" : "\r\n");
			strbuf_add_char(&expected, '\n');
		}
		char *found = show(text.data, text.len, prng_next(&prng) % 9);
		ck_assert_str_eq(found, expected.data);
		free(found);
		strbuf_free(&text);
		strbuf_free(&expected);
	}
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("csv");
	TCase *cases = tcase_create("csv");

	tcase_add_test(cases, plain_records);
	tcase_add_test(cases, quoted_records);
	tcase_add_test(cases, blanks_around_quotes);
	tcase_add_test(cases, lines_are_split);
	tcase_add_loop_test(cases, many_open_quotes, 0, 4);
	tcase_add_test(cases, broken_records);
	tcase_add_test(cases, positions);
	tcase_add_test(cases, open_quote_is_bounded);
	tcase_add_test(cases, records_that_are_too_long_are_told);
	tcase_add_test(cases, many_fields_are_bounded);
	tcase_add_test(cases, reads_what_was_written);
	suite_add_tcase(suite, cases);
	return unit_run(suite);
}
