/* The manual: mdoc as text, and what a word leads to. That the words are those of mandoc(1) is held
 * by tests/man.sh. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "manual/manual.h"
#include "tests/unit/unit.h"
#include "util/mem.h"

/* Without marks. */
static char *
plain(struct strbuf *text)
{
	size_t n = 0;

	for (size_t i = 0; i < text->len; i++) {
		if ((unsigned char)text->data[i] > MANUAL_PLAIN) {
			text->data[n++] = text->data[i];
		}
	}
	strbuf_add_char(text, 0);
	text->data[n] = 0;
	return strbuf_take(text);
}

static void
is_laid(const char *mdoc, size_t width, const char *expected)
{
	struct strbuf text = {0};
	struct slice unknown = {"", 0};
	size_t n = manual_lay(slice_of(mdoc), slice_of("prog"), width, &text, &unknown);
	char *shown = plain(&text);

	ck_assert_str_eq(shown, expected);
	ck_assert_msg(n == 0, "unknown: %.*s", (int)unknown.len, unknown.ptr);
	free(shown);
}

START_TEST(running_text_is_wrapped_at_the_width)
{
	is_laid("one two\nthree\n.Pp\nfour\n", 12, "  one two\n  three\n\n  four\n");
	is_laid("one two\nthree\n", 15, "  one two three\n");
	is_laid("averyveryverylongword b\n", 12, "  averyveryverylongword\n  b\n");
}
END_TEST

START_TEST(punctuation_stands_close)
{
	is_laid(".Va a , b\nand\n.Pq Xr sh 1 ,\n.Dq q .\n", 60, "    a, b and (sh(1)), \"q\".\n");
	is_laid(".Fl o , -each | one\n.Op Fl x Ar y\n", 60, "    -o, --each | -one [-x y]\n");
	is_laid(".Ar a Ns = Ns Ar b\n.Pf : Ar c\n.Fn f x \"y z\" .\n", 60,
	        "    a=b :c f(x, y z).\n");
	is_laid(".Po\nopen\n.Pc ,\n.Nm\n.Nm Cm go\n4^\\c\n.Va n\n", 60,
	        "    (open), prog prog go 4^n\n");
	is_laid(".Ql \\ a\\&\n\\e \\(mu \\(em \\-\n", 60, "    ' a' \\ x -- -\n");
}
END_TEST

START_TEST(lists_and_displays_are_indented)
{
	is_laid(".Sh S\n.Bl -tag -width Ds\n.It a\nx\n.It Fl -long Ar word\ny\n.El\nz\n", 60,
	        "S\n\n    a     x\n\n    --long word\n          y\n    z\n");
	is_laid(
	    ".Ss T\n.Bl -bullet -compact\n.It\nx y\n.El\n.Bd -literal -offset indent\na  b\n.Ed\n",
	    60, "  T\n    * x y\n\n          a  b\n");
	is_laid(".Bl -tag -width Ds -compact\n.It a\n.Bl -tag -width Ds -compact\n.It "
	        "b\nc\n.El\nd\n.El\n",
	        20, "  a\n    b c\n    d\n");
}
END_TEST

START_TEST(what_is_not_known_is_counted)
{
	struct strbuf text = {0};
	struct slice unknown;

	ck_assert_uint_eq(manual_lay(slice_of(".Zz x\n.Bl -hang\n.El\n\\(zz\n.It\n"), slice_of("p"),
	                             40, &text, &unknown),
	                  4);
	ck_assert(slice_is(unknown, ".Zz x"));
	strbuf_free(&text);
}
END_TEST

START_TEST(pages_have_nothing_unknown_at_any_width)
{
	struct manual_page page;
	size_t n = 0;

	for (; manual_page(n, &page); n++) {
		for (size_t width = 20; width < 120; width += 9) {
			struct strbuf text = {0};
			struct slice unknown = {"", 0};
			size_t found = manual_lay(page.text, page.name, width, &text, &unknown);

			ck_assert_msg(found == 0, "%.*s: %.*s", (int)page.name.len, page.name.ptr,
			              (int)unknown.len, unknown.ptr);
			ck_assert_uint_gt(text.len, page.text.len / 2);
			strbuf_free(&text);
		}
	}
	ck_assert_uint_ge(n, 5);
}
END_TEST

/* All that completion offers has an answer; so has what it is with its kind before it. */
START_TEST(every_word_has_an_answer)
{
	struct query_library *library = query_library_open(NULL);
	struct manual *manual = manual_open(library);
	const char *word;

	for (size_t i = 0; (word = manual_word(manual, i)) != NULL; i++) {
		struct strbuf text = {0};
		struct err err = ERR_INIT;

		ck_assert_msg(manual_answer(manual, slice_of(word), 78, &text, &err) == 0, "%s",
		              err.message);
		ck_assert_uint_gt(text.len, 0);
		strbuf_free(&text);
	}
	manual_close(manual);
	query_library_close(library);
}
END_TEST

static void
answers(const struct manual *manual, const char *words, const char *part)
{
	struct strbuf text = {0};
	struct err err = ERR_INIT;
	int rc = manual_answer(manual, slice_of(words), 78, &text, &err);
	char *shown = plain(&text);

	ck_assert_msg(rc == 0, "%s", err.message);
	ck_assert_msg(strstr(shown, part) != NULL, "%s: %s", words, shown);
	free(shown);
}

START_TEST(a_word_has_several_meanings)
{
	struct query_library *library = query_library_open(NULL);
	struct manual *manual = manual_open(library);

	answers(manual, "query", "lanescope query [table options]");
	answers(manual, "query", "lanescope help page query");
	answers(manual, "page query", "saved queries of lanescope");
	answers(manual, "lanescope-query.5", "saved queries of lanescope");
	answers(manual, "schema", "application_id");
	answers(manual, "CASCADE", "Recognised");
	answers(manual, "schema string", "lanescope-schema(5), TABLES");
	answers(manual, "p50", "Also called p50.");
	answers(manual, "--no-pager", "Do not use a pager.");
	answers(manual, "no-pager", "Do not use a pager.");
	answers(manual, "zoom-in", "Zoom in around the cursor.");
	answers(manual, "", "Saved queries");
	answers(manual, "interpolat", "lanescope help size-describe");
	manual_close(manual);
	query_library_close(library);
}
END_TEST

START_TEST(what_is_nowhere_is_told_with_what_is_near)
{
	struct query_library *library = query_library_open(NULL);
	struct manual *manual = manual_open(library);
	struct strbuf text = {0};
	struct err err = ERR_INIT;

	ck_assert_int_ne(manual_answer(manual, slice_of("makspan"), 78, &text, &err), 0);
	ck_assert_int_eq(err.code, ERR_USAGE);
	ck_assert_ptr_nonnull(strstr(err.message, "did you mean \"makespan\"?"));
	ck_assert_uint_eq(text.len, 0);
	manual_close(manual);
	query_library_close(library);
}
END_TEST

/* Texts of a user's query are shown as they are, and never as macros or controls. */
START_TEST(texts_of_queries_are_no_mdoc)
{
	static const struct query_param param = {.name = "x",
	                                         .default_text = "\"\\(mu",
	                                         .about = ".Sh a\\(mu \033[1m",
	                                         .kind = KIND_TEXT};
	struct saved_query query = {.name = "mine",
	                            .title = ".Sh \"quoted\" \001",
	                            .about = "'about' é \\-",
	                            .formats = "any",
	                            .origin = "mine.sql",
	                            .n_params = 1,
	                            .params = &param};
	struct strbuf text = {0};

	manual_query(&query, 78, &text);
	char *shown = plain(&text);
	ck_assert_ptr_nonnull(strstr(shown, "mine: .Sh \"quoted\" \\x01\n    'about' é \\-\n"));
	ck_assert_ptr_nonnull(strstr(shown, "-p x=\"\\(mu (text)"));
	ck_assert_ptr_nonnull(strstr(shown, ".Sh a\\(mu \\x1b[1m"));
	free(shown);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("manual");
	TCase *tests = tcase_create("manual");

	tcase_add_test(tests, running_text_is_wrapped_at_the_width);
	tcase_add_test(tests, punctuation_stands_close);
	tcase_add_test(tests, lists_and_displays_are_indented);
	tcase_add_test(tests, what_is_not_known_is_counted);
	tcase_add_test(tests, pages_have_nothing_unknown_at_any_width);
	tcase_add_test(tests, every_word_has_an_answer);
	tcase_add_test(tests, a_word_has_several_meanings);
	tcase_add_test(tests, what_is_nowhere_is_told_with_what_is_near);
	tcase_add_test(tests, texts_of_queries_are_no_mdoc);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
