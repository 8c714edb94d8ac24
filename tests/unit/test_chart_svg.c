/* Charts as SVG: what has to fit into the picture. */
#include "config.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "export/chart_svg.h"
#include "tests/unit/made_chart.h"

static void
write_svg(const struct chart *chart, struct strbuf *out)
{
	struct err err = ERR_INIT;
	FILE *file = tmpfile();
	int c;

	strbuf_clear(out);
	ck_assert_int_eq(export_chart_svg(chart, file, &err), 0);
	rewind(file);
	while ((c = getc(file)) != EOF) {
		strbuf_add_char(out, (char)c);
	}
	fclose(file);
}

/* What does not fit keeps its ends, which tell it from others; notes go on in a further line. */
START_TEST(svg_keeps_long_names_and_notes_within)
{
	struct result *result = result_new("Tasks", task_columns, 4);
	struct strbuf out = {0}, name = {0};

	for (int i = 0; i < 40; i++) {
		strbuf_printf(&name, "some/folder/%c/", 'a' + i % 26);
	}
	strbuf_add_text(&name, "last.c");
	RESULT_ADD(result, text(arena_strdup(result->arena, name.data)), text("n1"),
	           value_integer(3), value_integer(2));
	RESULT_ADD(result, text("sot"), text("n1"), value_integer(1), value_integer(7));
	for (int i = 0; i < 60; i++) {
		strbuf_clear(&out);
		strbuf_printf(&out, "%sword%d", i ? " " : "", i);
		strbuf_add_text(&name, out.data);
	}
	result_add_note(result, "%s", strchr(name.data, 'w'));
	struct chart *chart = plot(result, CHART_BARS, NULL, "calls", NULL);
	write_svg(chart, &out);
	ck_assert(strstr(out.data, ">some/folder/a/some/folder/b") != NULL);
	ck_assert(strstr(out.data, "\xe2\x80\xa6") != NULL);
	ck_assert(strstr(out.data, "/last.c</text>") != NULL);
	for (int i = 0; i < 60; i++) {
		strbuf_clear(&name);
		strbuf_printf(&name, "word%d", i);
		ck_assert_msg(strstr(out.data, name.data) != NULL, "%s", name.data);
	}
	for (const char *at = out.data; (at = strstr(at, "<text ")) != NULL; at++) {
		const char *shown = strchr(at, '>'), *end = strstr(at, "</text>");
		ck_assert_int_lt(end - shown, 140);
	}
	chart_free(chart);
	chart = plot(result, CHART_HEATMAP, "name", "calls", "host");
	write_svg(chart, &out);
	ck_assert(strstr(out.data, "ast.c</text>") != NULL);
	chart_free(chart);
	strbuf_free(&out);
	strbuf_free(&name);
	result_free(result);
}
END_TEST

/* Values of a tick may be long: they begin within the picture. */
START_TEST(svg_has_room_for_its_ticks)
{
	static const struct result_column columns[] = {
	    {.name = "at", .kind = KIND_INTEGER, .is_key = true},
	    COLUMN_MEASURE("value", KIND_REAL, NULL)};
	struct result *result = result_new("Values", columns, 2);
	struct strbuf out = {0};
	int n = 0;

	for (int i = 0; i < 5; i++) {
		RESULT_ADD(result, value_integer(i), value_real(123456789000.0 + i));
	}
	struct chart *chart = plot(result, CHART_LINE, "at", "value", NULL);
	write_svg(chart, &out);
	for (const char *at = out.data; (at = strstr(at, "<text x=\"")) != NULL; at++) {
		double x = strtod(at + 9, NULL);
		const char *shown = strchr(at, '>'), *end = strstr(at, "</text>");
		bool is_left =
		    strstr(at, "text-anchor=\"end\" class=\"mark\"") == strchr(at + 9, 't');

		n += is_left;
		ck_assert(!is_left || x >= 5.5 * (double)(end - shown - 1));
	}
	ck_assert_int_gt(n, 2);
	chart_free(chart);
	strbuf_free(&out);
	result_free(result);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("chart_svg");
	TCase *tests = tcase_create("chart_svg");

	(void)setlocale(LC_CTYPE, "C.UTF-8");
	tcase_add_test(tests, svg_keeps_long_names_and_notes_within);
	tcase_add_test(tests, svg_has_room_for_its_ticks);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
