/* The Chrome trace importer where there is much of something: begins and flow events by the hundred
 * thousand, deep nesting, operations that never end. */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "unit.h"
#include "import/formats.h"
#include "record_sink.h"
#include "util/mem.h"

#define EVENT(name, rest) "{\"name\":\"" name "\",\"pid\":1,\"tid\":1," rest "}"
#define COMPLETE EVENT("a", "\"ph\":\"X\",\"ts\":1,\"dur\":2")
#define BEGIN(name, ts) EVENT(name, "\"ph\":\"B\",\"ts\":" ts)
#define END(name, ts) EVENT(name, "\"ph\":\"E\",\"ts\":" ts)

static const struct import_format *const format = &import_chrome;

static struct record_sink *
read_bytes(const char *text, size_t length)
{
	struct record_sink *recorded = record_sink_new();

	ck_assert_int_eq(record_bytes(recorded, format, text, length, 0, false, NULL), 0);
	return recorded;
}

/* More begins and ends than are held back at once, of many operations: all find their partner. */
START_TEST(many_begins)
{
	struct strbuf text = {0};
	const unsigned n = 300000;

	strbuf_add_char(&text, '[');
	for (unsigned i = 0; i < n; i++) {
		strbuf_printf(&text,
		              "{\"ph\":\"b\",\"id\":%u,\"cat\":\"c\",\"name\":\"n\",\"pid\":1,"
		              "\"ts\":%u,\"args\":{\"t\":\"%0200u\"}},",
		              i, 2 * i, i);
		strbuf_printf(
		    &text,
		    "{\"ph\":\"e\",\"id\":%u,\"cat\":\"c\",\"name\":\"n\",\"pid\":1,\"ts\":%u},", i,
		    2 * i + 100);
	}
	strbuf_add_text(&text, COMPLETE "]");
	struct record_sink *recorded = read_bytes(text.data, text.len);
	strbuf_free(&text);
	ck_assert_uint_eq(recorded->n_spans, n + 1);
	ck_assert_uint_eq(recorded->n_problems, 0);
	for (size_t i = 0; i < recorded->n_spans; i++) {
		int64_t duration = recorded->spans[i].duration_ns;
		ck_assert(duration == 100000 || duration == 2000);
	}
	record_sink_free(recorded);
}
END_TEST

/* Unmatched names at great depth cost little. */
START_TEST(hostile_depth)
{
	struct strbuf text = {0};

	strbuf_add_char(&text, '[');
	for (unsigned i = 0; i < 100000; i++) {
		strbuf_add_text(&text, BEGIN("a", "1") ",");
	}
	for (unsigned i = 0; i < 100000; i++) {
		strbuf_add_text(&text, END("b", "2") ",");
	}
	struct record_sink *recorded = read_bytes(text.data, text.len);
	strbuf_free(&text);
	ck_assert_uint_eq(recorded->n_events, 100000);
	ck_assert_uint_eq(recorded->n_spans, 100000); /* unfinished */
	record_sink_free(recorded);
}
END_TEST

/* More spans than one window holds: points meet those near them in the file, and those of the
 * window's later half, which is kept, far behind them. */
START_TEST(many_flows)
{
	struct strbuf text = {0};
	const unsigned n = 700000;

	strbuf_add_char(&text, '[');
	for (unsigned i = 0; i < n; i++) {
		strbuf_printf(&text, "{\"ph\":\"X\",\"pid\":1,\"tid\":%u,\"ts\":%u,\"dur\":5},",
		              1 + i % 2, 10 * i);
		if (i % 100000 == 99999) {
			strbuf_printf(&text,
			              "{\"ph\":\"s\",\"id\":%u,\"pid\":1,\"tid\":%u,\"ts\":%u},", i,
			              1 + (i - 1) % 2, 10 * (i - 1));
			strbuf_printf(
			    &text,
			    "{\"ph\":\"f\",\"bp\":\"e\",\"id\":%u,\"pid\":1,\"tid\":%u,\"ts\":%u},",
			    i, 1 + (i + 1) % 2, 10 * (i + 1));
		}
		if (i == 600000) {
			strbuf_add_text(
			    &text, "{\"ph\":\"s\",\"id\":7,\"pid\":1,\"tid\":2,\"ts\":5000010},"
				   "{\"ph\":\"f\",\"bp\":\"e\",\"id\":7,\"pid\":1,\"tid\":2,\"ts\":"
				   "5000030},");
		}
	}
	strbuf_add_char(&text, ']');
	struct record_sink *recorded = read_bytes(text.data, text.len);
	strbuf_free(&text);
	ck_assert_uint_eq(recorded->n_dependencies, 7); /* the last end is behind the last span */
	for (size_t i = 0; i < 6; i++) {
		ck_assert_uint_eq(recorded->dependencies[i].from_span, 100000 * (i + 1) - 2);
		ck_assert_uint_eq(recorded->dependencies[i].to_span, 100000 * (i + 1));
	}
	ck_assert_uint_eq(recorded->dependencies[6].from_span, 500001);
	ck_assert_uint_eq(recorded->dependencies[6].to_span, 500003);
	record_sink_free(recorded);
}
END_TEST

/* More open at once than memory is meant for: the oldest are events, the others find their ends,
 * and nothing is lost. */
START_TEST(too_much_is_open)
{
	enum { N = 460, ARGUMENT = 512 << 10 };
	struct strbuf text = {0};
	char *argument = xmalloc(ARGUMENT + 1);
	unsigned long long n_given_up = 0;

	memset(argument, 'x', ARGUMENT);
	argument[ARGUMENT] = '\0';
	strbuf_add_char(&text, '[');
	for (unsigned i = 0; i < N; i++) {
		strbuf_printf(&text, "{\"ph\":\"B\",\"name\":\"n\",\"pid\":1,\"tid\":%u,\"ts\":%u,",
		              i, i);
		strbuf_add_text(&text, "\"args\":{\"long\":\"");
		strbuf_add(&text, argument, ARGUMENT);
		strbuf_add_text(&text, "\"}},\n");
	}
	for (unsigned i = 0; i < N; i++) {
		strbuf_printf(&text, "{\"ph\":\"E\",\"pid\":1,\"tid\":%u,\"ts\":%u},", i, N + i);
	}
	strbuf_add_text(&text, "{}]");
	struct record_sink *recorded = read_bytes(text.data, text.len);
	for (size_t i = 0; i < recorded->n_problems; i++) {
		const char *reason = recorded->problems[i].reason;
		if (strstr(reason, "too many are open at once")) {
			n_given_up = strtoull(reason, NULL, 10);
		}
	}
	ck_assert_uint_gt(n_given_up, N / 4);
	ck_assert_uint_lt(n_given_up, N * 3 / 4);
	ck_assert_uint_eq(recorded->n_spans, N - n_given_up);
	ck_assert_uint_eq(recorded->n_events, 2 * n_given_up); /* their ends as well */
	for (size_t i = 0; i < recorded->n_spans; i++) {
		ck_assert_int_eq(recorded->spans[i].start_ns, (int64_t)(n_given_up + i) * 1000);
		ck_assert_int_eq(recorded->spans[i].duration_ns, N * 1000);
	}
	record_sink_free(recorded);
	strbuf_free(&text);
	free(argument);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("import_chrome_limits");
	TCase *tcase = tcase_create("all");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, many_begins);
	tcase_add_test(tcase, hostile_depth);
	tcase_add_test(tcase, many_flows);
	tcase_add_test(tcase, too_much_is_open);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
