/* What the Chrome trace importer counts, and what counts where something comes twice: phases,
 * threads, times, repeated members, ends far from their begins, files that break off. */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "unit.h"
#include "import/formats.h"
#include "record_sink.h"

static struct record_sink *
read_text(const char *text)
{
	struct record_sink *recorded = record_sink_new();

	ck_assert_int_eq(record_bytes(recorded, &import_chrome, text, strlen(text), 0, false, NULL),
	                 0);
	return recorded;
}

/* Halves of a nanosecond go to the even one, however they are written. */
START_TEST(halves)
{
	static const struct {
		const char *ts;
		int64_t ns;
	} cases[] = {
	    {"5e-4", 0},
	    {"15e-4", 2},
	    {"-5E-4", 0},
	    {"-12.5E-3", -12},
	    {"-13.5E-3", -14},
	    {"0.00125e+1", 12},
	    {"125000e-7", 12},
	    {"0.0125000000", 12},
	    {"1.0005", 1000},
	    {"1.0015", 1002},
	    {"10005e-1", 1000500},
	    {"5", 5000},
	    {"0.00050000000000000000000000000000001", 1},
	    {"5e-5", 0},
	    {"\"2.5e-3\"", 2},
	    {"5e3", 5000000},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[256];
		snprintf(text, sizeof text, "[{\"ph\":\"i\",\"pid\":1,\"tid\":1,\"ts\":%s}]",
		         cases[i].ts);
		struct record_sink *recorded = read_text(text);
		ck_assert_uint_eq(recorded->n_events, 1);
		ck_assert_msg(recorded->events[0].time_ns == cases[i].ns, "%s: %" PRId64,
		              cases[i].ts, recorded->events[0].time_ns);
		record_sink_free(recorded);
	}
}
END_TEST

/* Phases of several letters are counted as what they are; too many or too long ones together. */
START_TEST(long_phases)
{
	struct strbuf text = {0};
	struct record_sink *recorded = read_text(
	    "[{\"ph\":\"XX\",\"ts\":1,\"dur\":5,\"name\":\"n\"},{\"ph\":\"\\u00e9\",\"ts\":2},"
	    "{\"ph\":\"XX\",\"ts\":3},{\"ph\":\"X\",\"ts\":4}]");

	ck_assert_str_eq(record_tag(recorded, "-", "phase XX"), "2");
	ck_assert_str_eq(record_tag(recorded, "-", "phase \xc3\xa9"), "1");
	ck_assert_str_eq(record_tag(recorded, "-", "phase X"), "1");
	ck_assert_uint_eq(recorded->n_spans, 1);
	ck_assert_uint_eq(recorded->n_events, 3);
	record_sink_free(recorded);

	strbuf_add_char(&text, '[');
	for (unsigned round = 0; round < 2; round++) {
		for (unsigned i = 100; i < 200; i++) {
			strbuf_printf(&text, "{\"ph\":\"p%u\",\"ts\":1},", i);
		}
	}
	strbuf_printf(&text, "{\"ph\":\"%0100d\",\"ts\":1}]", 0);
	recorded = read_text(text.data);
	strbuf_free(&text);
	ck_assert_str_eq(record_tag(recorded, "-", "phase p100"), "2");
	ck_assert_str_eq(record_tag(recorded, "-", "phase p162"), "2");
	ck_assert_ptr_null(record_tag(recorded, "-", "phase p163"));
	ck_assert_str_eq(record_tag(recorded, "-", "phase (others)"), "75");
	record_sink_free(recorded);
}
END_TEST

/* Processes and threads of all events, those that make no sense included; times from the first to
 * the last, flows and empty counters included. */
START_TEST(counted)
{
	struct record_sink *recorded = read_text(
	    "[{\"pid\":1,\"tid\":1},{\"ph\":\"X\",\"pid\":2,\"tid\":1},"
	    "{\"ph\":\"X\",\"pid\":2,\"tid\":2,\"ts\":5,\"dur\":1},"
	    "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":2,\"tid\":3,\"ts\":1},"
	    "{\"ph\":\"s\",\"name\":\"f\",\"id\":1,\"pid\":2,\"tid\":2,\"ts\":3},"
	    "{\"ph\":\"C\",\"name\":\"c\",\"pid\":2,\"ts\":8,\"args\":{\"v\":\"none\"}}]");

	ck_assert_str_eq(record_tag(recorded, "-", "processes"), "2");
	ck_assert_str_eq(record_tag(recorded, "-", "threads"), "5");
	ck_assert_uint_eq(recorded->facts.bad_records, 2);
	ck_assert(recorded->facts.is_timed);
	ck_assert_int_eq(recorded->facts.first_ns, 3000);
	ck_assert_int_eq(recorded->facts.last_ns, 8000);
	record_sink_free(recorded);

	recorded = read_text("[{\"ph\":\"M\",\"name\":\"thread_name\",\"ts\":1}]");
	ck_assert(!recorded->facts.is_timed);
	record_sink_free(recorded);
}
END_TEST

/* What comes twice counts once, the last time. */
START_TEST(repeated)
{
	struct record_sink *recorded = read_text(
	    "[{\"ph\":\"X\",\"ts\":1,\"ts\":2,\"pid\":1,\"args\":{\"a\":1,\"b\":1,\"a\":2},"
	    "\"cname\":\"x\","
	    "\"args\":{\"c\":3,\"c\":4},\"cname\":\"y\"},"
	    "{\"ph\":\"X\",\"ts\":1,\"pid\":1,\"args\":[1],\"args\":{\"d\":1}},"
	    "{\"ph\":\"X\",\"ts\":1,\"pid\":1,\"args\":{\"d\":1},\"args\":[1]},"
	    "{\"ph\":\"X\",\"ts\":1,\"pid\":1,\"args\":{\"d\":1},\"args\":null},"
	    "{\"ph\":\"C\",\"name\":\"n\",\"ts\":1,\"pid\":1,\"args\":{\"v\":1,\"w\":2,\"v\":3},"
	    "\"cname\":\"x\"},"
	    "{\"ph\":\"C\",\"name\":\"n\",\"ts\":2,\"pid\":1,\"args\":{\"v\":1,\"v\":null}},"
	    "{\"ph\":\"b\",\"cat\":\"c\",\"name\":\"o\",\"ts\":1,\"pid\":1,\"id2\":{\"local\":1},"
	    "\"id2\":{\"global\":1}},"
	    "{\"ph\":\"e\",\"cat\":\"c\",\"name\":\"o\",\"ts\":2,\"pid\":2,\"id2\":{\"global\":1}}"
	    "]");
	static const char *const args[] = {"c=4 cname='y'", "d=1", "args=[1]", "", "id2.global=1"};

	ck_assert_uint_eq(recorded->n_spans, 5);
	for (size_t i = 0; i < 5; i++) {
		const struct span *span = &recorded->spans[i];
		const char *shown = record_args(recorded, span->args, span->n_args);
		ck_assert_str_eq(shown, args[i]);
	}
	ck_assert_int_eq(recorded->spans[0].start_ns, 2000);
	ck_assert_uint_eq(recorded->n_counters, 2);
	ck_assert_str_eq(record_text(recorded, recorded->counters[0].name), "n.w");
	ck_assert_str_eq(record_text(recorded, recorded->counters[1].name), "n.v");
	ck_assert_double_eq(recorded->counters[1].value, 3);
	record_sink_free(recorded);
}
END_TEST

/* Many arguments, each twice, are not compared each with each. */
START_TEST(repeated_often)
{
	struct strbuf text = {0};
	struct record_sink *recorded;

	strbuf_add_text(&text, "[{\"ph\":\"C\",\"name\":\"n\",\"ts\":1,\"args\":{");
	for (unsigned i = 0; i < 2000; i++) {
		strbuf_printf(&text, "%s\"s%u\":%u", i ? "," : "", i % 1000, i);
	}
	strbuf_add_text(&text, "}},{\"ph\":\"X\",\"ts\":1");
	for (unsigned i = 0; i < 2000; i++) {
		strbuf_printf(&text, ",\"m%u\":%u", i % 1000, i);
	}
	strbuf_add_text(&text, "}]");
	recorded = read_text(text.data);
	strbuf_free(&text);
	ck_assert_uint_eq(recorded->n_counters, 1000);
	for (size_t i = 0; i < 1000; i++) {
		ck_assert_double_eq(recorded->counters[i].value, (double)(i + 1000));
	}
	ck_assert_uint_eq(recorded->spans[0].n_args, 1000);
	for (size_t i = 0; i < 1000; i++) {
		ck_assert_int_eq(recorded->spans[0].args[i].integer, (int64_t)i + 1000);
	}
	record_sink_free(recorded);
}
END_TEST

/* An end finds its begin below any number of begins that were left open. */
START_TEST(below_many)
{
	struct strbuf text = {0};

	strbuf_add_text(&text, "[{\"ph\":\"B\",\"name\":\"main\",\"ts\":0},");
	for (unsigned i = 0; i < 3000; i++) {
		strbuf_printf(&text, "{\"ph\":\"B\",\"name\":\"open %u\",\"ts\":1},", i);
	}
	strbuf_add_text(&text, "{\"ph\":\"E\",\"name\":\"main\",\"ts\":7}]");
	struct record_sink *recorded = read_text(text.data);
	strbuf_free(&text);
	ck_assert_uint_eq(recorded->n_spans, 3001);
	for (unsigned i = 1; i < 3001; i++) { /* each of them until the trace's last time */
		ck_assert(recorded->spans[i].is_unfinished);
		ck_assert_int_eq(recorded->spans[i].duration_ns, 6000);
	}
	ck_assert(!recorded->spans[0].is_unfinished);
	ck_assert_str_eq(record_text(recorded, recorded->spans[0].name), "main");
	ck_assert_int_eq(recorded->spans[0].duration_ns, 7000);
	record_sink_free(recorded);
}
END_TEST

/* A file is read to its end where it breaks, so that its size is known. */
START_TEST(rest)
{
	static const char *const texts[] = {"{\"traceEvents\":[],]} and more",
	                                    "{\"a\":tru,\"traceEvents\":[]}",
	                                    "[] []",
	                                    "17 18",
	                                    "{\"traceEvents\":[{\"ph\":\"X\"",
	                                    "[{\"ph\":"};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct record_sink *recorded = record_sink_new();
		struct err err = ERR_INIT;
		struct input *input = input_from_memory(slice_of(texts[i]), 1);
		void *facts;
		ck_assert_int_eq(import_chrome.read(input, &recorded->sink, NULL, &facts, &err), 0);
		ck_assert_uint_eq(input_offset(input), strlen(texts[i]));
		ck_assert_uint_gt(recorded->n_problems, 0);
		input_close(input);
		record_sink_free(recorded);
	}
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("import_chrome_facts");
	TCase *tcase = tcase_create("all");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, halves);
	tcase_add_test(tcase, long_phases);
	tcase_add_test(tcase, counted);
	tcase_add_test(tcase, repeated);
	tcase_add_test(tcase, repeated_often);
	tcase_add_test(tcase, below_many);
	tcase_add_test(tcase, rest);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
