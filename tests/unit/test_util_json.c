/* JSON as it is written: value by value, and as one small document. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "unit.h"
#include "util/json_document.h"
#include "util/json_text.h"

static void
check_text(const char *text, size_t len, const char *json)
{
	struct strbuf out = {0};

	strbuf_add_char(&out, '>'); /* appended, not written over */
	json_add_text(&out, (struct slice){text, len});
	ck_assert_str_eq(out.data, json);
	strbuf_free(&out);
}
#define CHECK_TEXT(text, json) check_text(text, sizeof(text) - 1, ">\"" json "\"")

START_TEST(texts_are_quoted)
{
	CHECK_TEXT("", "");
	CHECK_TEXT("a b~", "a b~");
	CHECK_TEXT("say \"hi\" \\ now", "say \\\"hi\\\" \\\\ now");
	CHECK_TEXT("/", "/");
}
END_TEST

START_TEST(control_characters_are_escaped)
{
	CHECK_TEXT("\t\n\r", "\\t\\n\\r");
	CHECK_TEXT("\b\f", "\\u0008\\u000c");
	CHECK_TEXT("\x07\x0b\x0e", "\\u0007\\u000b\\u000e");
	CHECK_TEXT("a\0b", "a\\u0000b");
	CHECK_TEXT("\x1f \x7f", "\\u001f \x7f"); /* JSON asks for no more */
}
END_TEST

START_TEST(what_is_no_utf8_is_replaced)
{
	CHECK_TEXT("\xc3\xa9t\xc3\xa9 \xf0\x9f\x98\x80", "\xc3\xa9t\xc3\xa9 \xf0\x9f\x98\x80");
	CHECK_TEXT("a\xff"
	           "b\xc3",
	           "a\xef\xbf\xbd"
	           "b\xef\xbf\xbd");
	CHECK_TEXT("plain \x80 plain \n plain", "plain \xef\xbf\xbd plain \\n plain");
}
END_TEST

static void
check_as(const char *text, enum json_texts how, const char *json)
{
	struct strbuf out = {0};

	json_add_text_as(&out, slice_of(text), how);
	ck_assert_str_eq(out.data, json);
	strbuf_free(&out);
}

/* For a terminal nothing steers it; as it was, even what is no UTF-8 stays. */
START_TEST(texts_are_shown_or_kept)
{
	static const char text[] = "a\x7f~\xc3\xa9 \xe2\x80\xae \xf3\xa0\x80\x81 \xff\n\"";

	check_as(text, JSON_TEXT_REPAIRED,
	         "\"a\x7f~\xc3\xa9 \xe2\x80\xae \xf3\xa0\x80\x81 \xef\xbf\xbd\\n\\\"\"");
	check_as(text, JSON_TEXT_KEPT,
	         "\"a\x7f~\xc3\xa9 \xe2\x80\xae \xf3\xa0\x80\x81 \xff\\n\\\"\"");
	check_as(text, JSON_TEXT_SHOWN,
	         "\"a\\u007f~\xc3\xa9 \\u202e \\udb40\\udc01 \xef\xbf\xbd\\n\\\"\"");
	check_as("\xf3\xa0\x81\xbf", JSON_TEXT_SHOWN, "\"\\udb40\\udc7f\"");
	check_as("\xff", JSON_TEXT_SHOWN, "\"\xef\xbf\xbd\"");
	check_as("\xef\xbf\xbf", JSON_TEXT_SHOWN, "\"\\uffff\"");
}
END_TEST

START_TEST(integers_have_all_their_digits)
{
	struct strbuf out = {0};

	json_add_integer(&out, 0);
	strbuf_add_char(&out, ' ');
	json_add_integer(&out, 10);
	strbuf_add_char(&out, ' ');
	json_add_integer(&out, -1);
	strbuf_add_char(&out, ' ');
	json_add_integer(&out, INT64_MAX);
	strbuf_add_char(&out, ' ');
	json_add_integer(&out, INT64_MIN);
	strbuf_add_char(&out, ' ');
	json_add_unsigned(&out, UINT64_MAX);
	ck_assert_str_eq(out.data,
	                 "0 10 -1 9223372036854775807 -9223372036854775808 18446744073709551615");
	strbuf_free(&out);
}
END_TEST

START_TEST(reals_read_back_or_are_null)
{
	struct strbuf out = {0};

	json_add_real(&out, 0.1);
	strbuf_add_char(&out, ' ');
	json_add_real(&out, -2.0);
	strbuf_add_char(&out, ' ');
	json_add_real(&out, HUGE_VAL);
	strbuf_add_char(&out, ' ');
	json_add_real(&out, -HUGE_VAL);
	strbuf_add_char(&out, ' ');
	json_add_real(&out, (double)NAN);
	ck_assert_str_eq(out.data, "0.1 -2.0 9e999 -9e999 null");
	strbuf_free(&out);
}
END_TEST

/* [{"name": "e-acute newline", "values": ["b", {"deep": null}], "after": "c"}, {}] */
static void
check_document(bool is_ascii, const char *wanted)
{
	struct json_document *document = json_document_new();
	char *text = NULL;
	size_t size = 0;

	json_document_open(document, NULL, false);
	json_document_text(document, "name", "\xc3\xa9\n\xff");
	json_document_open(document, "values", true);
	json_document_text(document, NULL, "b");
	json_document_open(document, NULL, false);
	json_document_text(document, "deep", NULL);
	json_document_close(document);
	json_document_close(document);
	json_document_text(document, "after", "c");
	json_document_close(document);
	json_document_open(document, NULL, false);
	json_document_close(document);

	FILE *file = open_memstream(&text, &size);
	json_document_write(document, is_ascii, file);
	fclose(file);
	ck_assert_str_eq(text, wanted);
	free(text);
	json_document_free(document);
}

START_TEST(documents_have_an_item_a_line)
{
	check_document(
	    false, "[{\"name\": \"\xc3\xa9\\n\xef\xbf\xbd\", \"values\": [\"b\", {\"deep\": null}],"
		   " \"after\": \"c\"},\n {}]\n");
	check_document(true,
	               "[{\"name\": \"\\u00E9\\n\\uFFFD\", \"values\": [\"b\", {\"deep\": null}],"
	               " \"after\": \"c\"},\n {}]\n");
}
END_TEST

START_TEST(a_document_of_nothing)
{
	struct json_document *document = json_document_new();
	char *text = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&text, &size);

	json_document_write(document, false, file);
	fclose(file);
	ck_assert_str_eq(text, "[]\n");
	free(text);
	json_document_free(document);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("json as written");
	TCase *tcase = tcase_create("json");

	tcase_add_test(tcase, texts_are_quoted);
	tcase_add_test(tcase, control_characters_are_escaped);
	tcase_add_test(tcase, what_is_no_utf8_is_replaced);
	tcase_add_test(tcase, texts_are_shown_or_kept);
	tcase_add_test(tcase, integers_have_all_their_digits);
	tcase_add_test(tcase, reals_read_back_or_are_null);
	tcase_add_test(tcase, documents_have_an_item_a_line);
	tcase_add_test(tcase, a_document_of_nothing);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
