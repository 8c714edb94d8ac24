/* The Chrome trace importer: every phase by the fixture in tests/data/chrome, containers and
 * damage, begins and ends, flows, names of lanes, memory, recognition. */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "unit.h"
#include "import/formats.h"
#include "record_sink.h"
#include "util/mem.h"
#include "util/prng.h"

static const struct import_format *const format = &import_chrome;

static struct record_sink *
read_bytes(const char *text, size_t length)
{
	struct record_sink *recorded = record_sink_new();

	ck_assert_int_eq(record_bytes(recorded, format, text, length, 0, false, NULL), 0);
	return recorded;
}

static struct record_sink *
read_text(const char *text)
{
	return read_bytes(text, strlen(text));
}

/* All that was said, a line each: spans, events, counters, dependencies, problems. */
static char *
show(const struct record_sink *recorded)
{
	struct strbuf out = {0};

	for (size_t i = 0; i < recorded->n_spans; i++) {
		const struct span *span = &recorded->spans[i];
		strbuf_printf(&out, "%s|%s|%" PRId64 "+%" PRId64 "|%s|%s",
		              record_text(recorded, span->name),
		              record_text(recorded, span->category), span->start_ns,
		              span->duration_ns, record_lane(recorded, span->lane),
		              record_args(recorded, span->args, span->n_args));
		if (span->calls != 1) {
			strbuf_printf(&out, "|calls %" PRId64, span->calls);
		}
		if (span->size_bytes != SIZE_NONE) {
			strbuf_printf(&out, "|size %" PRId64, span->size_bytes);
		}
		strbuf_add_text(&out, span->is_unfinished ? "|unfinished" : "");
		strbuf_add_char(&out, '\n');
	}
	for (size_t i = 0; i < recorded->n_events; i++) {
		const struct event *event = &recorded->events[i];
		strbuf_printf(&out, "%s|%s|@%" PRId64 "|%s|%s\n",
		              record_text(recorded, event->name),
		              record_text(recorded, event->category), event->time_ns,
		              record_lane(recorded, event->lane),
		              record_args(recorded, event->args, event->n_args));
	}
	for (size_t i = 0; i < recorded->n_counters; i++) {
		const struct counter *counter = &recorded->counters[i];
		strbuf_printf(&out, "%s=%g@%" PRId64 "|%s\n", record_text(recorded, counter->name),
		              counter->value, counter->time_ns,
		              record_lane(recorded, counter->lane));
	}
	for (size_t i = 0; i < recorded->n_dependencies; i++) {
		const struct dependency *dependency = &recorded->dependencies[i];
		strbuf_printf(&out, "%s->%s|%s\n",
		              record_text(recorded, recorded->spans[dependency->from_span].name),
		              record_text(recorded, recorded->spans[dependency->to_span].name),
		              record_text(recorded, dependency->name));
	}
	for (size_t i = 0; i < recorded->n_problems; i++) {
		strbuf_printf(&out, "%s: %s\n", problem_kind_name(recorded->problems[i].kind),
		              recorded->problems[i].reason);
	}
	return out.len ? strbuf_take(&out) : xstrdup("");
}

static void
check(struct record_sink *recorded, const char *expected)
{
	char *shown = show(recorded);

	ck_assert_msg(strcmp(shown, expected) == 0, "said:\n%s\nexpected:\n%s", shown, expected);
	free(shown);
	record_sink_free(recorded);
}

static struct record_sink *
read_fixture(const char *name)
{
	char path[4096];
	const char *folder = getenv("LANESCOPE_SRCDIR");
	struct record_sink *recorded = record_sink_new();

	snprintf(path, sizeof path, "%s/tests/data/chrome/%s", folder ? folder : ".", name);
	ck_assert_int_eq(record_file(recorded, format, path, false, NULL), 0);
	return recorded;
}

START_TEST(phases)
{
	struct record_sink *recorded = read_fixture("phases.json");

	ck_assert_uint_eq(recorded->facts.metadata, 4);
	ck_assert_uint_eq(recorded->facts.records, 32);
	ck_assert_uint_eq(recorded->facts.bad_records, 2);
	ck_assert_str_eq(record_tag(recorded, "-", "otherData.version"), "1");
	ck_assert_str_eq(record_tag(recorded, "-", "otherData.deep"), "{\"a\":[1]}");
	ck_assert_str_eq(record_tag(recorded, "-", "displayTimeUnit"), "ns");
	ck_assert_str_eq(record_tag(recorded, "-", "phase ?"), "1");
	ck_assert_str_eq(record_tag(recorded, "-", "phase X"), "6");
	ck_assert_str_eq(record_tag(recorded, "process 1", "process_name"), "P");
	check(recorded,
	      "text times|-|30000+5000|thread -/1/2 P/last|\n"
	      "no duration|-|31002+0|thread -/-7/w:1 -7/w:1|id=3 event.id='0x9'\n"
	      "negative|-|40000+0|thread -/1/2 P/last|dur=-3\n"
	      "args|-|60000+1000|thread -/1/2 P/last|args='text'\n"
	      "odd numbers|-|62000+1000|thread -/1/2 P/last|n='NaN' i='-Infinity' "
	      "big=18446744073709551615 l=[null]\n"
	      "inner|-|12000+3000|thread -/1/2 P/last|\n"
	      "outer|a,b|10000+10000|thread -/1/2 P/last|x=1 y='end' z=[1,{\"w\":null}]\n"
	      "old|net|45000+2000|async -/1/- P/net|id='a'\n"
	      "load|net|45000+4000|async -/1/- P/net|u='v' id=1\n"
	      "open|-|56000+7000|thread -/1/2 P/last||unfinished\n"
	      "mine|net|50000+13000|async -/1/- P/net|id2.local=\"1\"|unfinished\n"
	      "instant|-|@41000|thread -/1/2 P/last|s='g'\n"
	      "mark|-|@42000|thread -/1/2 P/last|ph='R'\n"
	      "unknown|-|@43000|thread -/1/2 P/last|ph='?'\n"
	      "load|net|@46000|async -/1/- P/net|id=1 ph='n'\n"
	      "old|net|@46000|async -/1/- P/net|step='half' id='a' ph='T'\n"
	      "Thing|-|@52000|thread -/1/2 P/last|id='0x1' ph='N'\n"
	      "Thing|-|@53000|thread -/1/2 P/last|snapshot={\"a\":1} id='0x1' ph='O'\n"
	      "Thing|-|@54000|thread -/1/2 P/last|id='0x1' ph='D'\n"
	      "leaf|-|@57000|thread -/1/2 P/last|sf=2 ph='P'\n"
	      "main|-|@58500|thread -/1/2 P/last|cpu=0 weight=1 sf=1 ph='P'\n"
	      "mine|net|@51000|async -/-7/- -7/net|id2.local=\"1\" ph='e'\n"
	      "nothing|-|@55000|thread -/1/2 P/last|ph='E'\n"
	      "c[7]=1@44000|counter -/1/- P/counters\n"
	      "c[7].other=2.5@44000|counter -/1/- P/counters\n"
	      "invalid: an event without a time (ts)\n"
	      "invalid: an event without a phase (ph)\n"
	      "suspicious: 1 complete events have no duration: taken as 0\n"
	      "suspicious: 1 complete events have a negative duration: taken as 0\n"
	      "missing: 1 begins have no end: spans until the end of the trace, marked unfinished\n"
	      "missing: 1 ends have no begin: kept as events\n"
	      "missing: 1 asynchronous operations have no end: spans until the end of the trace, "
	      "marked unfinished\n"
	      "missing: 1 ends of asynchronous operations have no begin: kept as events\n"
	      "suspicious: 1 values of counters are no numbers: left out\n"
	      "suspicious: 1 events have arguments that are no object: kept as \"args\"\n"
	      "suspicious: 1 members of the list of events are no objects: passed over\n");
}
END_TEST

#define EVENT(name, rest) "{\"name\":\"" name "\",\"pid\":1,\"tid\":1," rest "}"

START_TEST(containers)
{
#define A EVENT("a", "\"ph\":\"X\",\"ts\":1,\"dur\":2")
#define SHOWN_A "a|-|1000+2000|thread -/1/1 1|\n"
	static const struct {
		const char *text, *said;
	} cases[] = {
	    {"[" A "]", SHOWN_A},
	    {"\xef\xbb\xbf[\r\n" A "\r\n]\r\n", SHOWN_A},
	    {"[" A ",]", SHOWN_A},
	    {"[" A, SHOWN_A
	     "suspicious: the list of events has no end: the recording may have been broken off\n"},
	    {"[" A ", \n", SHOWN_A
	     "suspicious: the list of events has no end: the recording may have been broken off\n"},
	    {"[" A ",{\"name\":\"b", SHOWN_A "truncated: the file ends within an event\n"},
	    {"[" A ",{\"name\":\"b\",\"ts\":1",
	     SHOWN_A "truncated: the file ends within an event\n"},
	    {"{\"traceEvents\":[" A "]}", SHOWN_A},
	    {"{\"traceEvents\":{\"traceEvents\":[" A "]}}", SHOWN_A},
	    {"{\"x\":{\"y\":[{}]},\"traceEvents\":[" A "],\"z\":1}\n", SHOWN_A},
	    {"{\"traceEvents\":[" A,
	     SHOWN_A "truncated: the file ends within its list of events\n"},
	    {"{\"traceEvents\":[" A "],\"z\":[1,",
	     SHOWN_A "malformed: no JSON from here on: the rest is not read\n"},
	    {"[]", ""},
	    {"{\"traceEvents\":[]}", ""},
	    {"{}", ""},
	    {"", ""},
	    {"[" A "] x", SHOWN_A "malformed: there are bytes behind the trace: not read\n"},
	    {"x", "malformed: neither a list of events nor an object that holds one\n"},
	    {"[null,1,\"s\",[]," A "]",
	     SHOWN_A "suspicious: 4 members of the list of events are no objects: passed over\n"},
	    {"[{\"name\":\"lost\",\"a\":nope}, " A "]",
	     SHOWN_A "malformed: not a value at byte 20\n"},
	    {"[{\"name\":\"lost\",\"a\":nope},\n " A "," A "]",
	     SHOWN_A SHOWN_A "malformed: not a value at byte 20\n"},
	    {"[{\"n\":\"un\"quoted\"}," A "]",
	     SHOWN_A "malformed: neither comma nor } after a value at byte 10\n"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct record_sink *recorded = read_text(cases[i].text);
		char *shown = show(recorded);
		ck_assert_msg(strcmp(shown, cases[i].said) == 0, "%s\nsaid:\n%s\nexpected:\n%s",
		              cases[i].text, shown, cases[i].said);
		free(shown);
		record_sink_free(recorded);
	}
	char hole[] = "[" A "\0\0\0," A "]";
	check(read_bytes(hole, sizeof hole - 1),
	      SHOWN_A SHOWN_A "malformed: 1 runs of NUL bytes: holes in the file\n");
}
END_TEST

START_TEST(deep_nesting)
{
	struct strbuf text = {0};

	strbuf_add_text(&text, "[{\"name\":\"deep\",\"args\":{\"a\":");
	for (int i = 0; i < 100000; i++) {
		strbuf_add_char(&text, '[');
	}
	for (int i = 0; i < 100000; i++) {
		strbuf_add_char(&text, ']');
	}
	strbuf_add_text(&text, "}}," A "]");
	struct record_sink *recorded = read_bytes(text.data, text.len);
	ck_assert_uint_eq(recorded->n_spans, 1);
	ck_assert_uint_eq(record_problems(recorded, PROBLEM_MALFORMED), 1);
	strbuf_free(&text);
	record_sink_free(recorded);
}
END_TEST

START_TEST(times)
{
	static const struct {
		const char *ts;
		int64_t ns;
	} cases[] = {
	    {"1", 1000},
	    {"-1.5", -1500},
	    {"1700000000123456.789", INT64_C(1700000000123456789)},
	    {"\"12\"", 12000},
	    {"1e3", 1000000},
	    {"1.5e+3", 1500000},
	    {"1e15", INT64_C(1000000000000000000)},
	    {"-0", 0},
	    {"0.0005", 0}, /* halves go to even */
	    {"0.0015", 2},
	    {"0.0025", 2},
	    {"-0.0035", -4},
	    {"0.00251", 3},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[256];
		snprintf(text, sizeof text, "[{\"ph\":\"i\",\"pid\":1,\"tid\":1,\"ts\":%s}]",
		         cases[i].ts);
		struct record_sink *recorded = read_text(text);
		ck_assert_msg(recorded->n_events == 1, "%s", cases[i].ts);
		ck_assert_msg(recorded->events[0].time_ns == cases[i].ns, "%s: %" PRId64,
		              cases[i].ts, recorded->events[0].time_ns);
		record_sink_free(recorded);
	}
	static const char *const bad[] = {"null", "NaN",  "\"x\"", "1e30",
	                                  "[]",   "true", "\"\"",  "9223372036854775807"};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		char text[256];
		snprintf(text, sizeof text, "[{\"ph\":\"i\",\"pid\":1,\"tid\":1,\"ts\":%s}]",
		         bad[i]);
		struct record_sink *recorded = read_text(text);
		ck_assert_msg(recorded->n_events == 0 && recorded->facts.bad_records == 1, "%s",
		              bad[i]);
		record_sink_free(recorded);
	}
}
END_TEST

/* Processes and threads: 1 and "1" are one, nothing is another. */
START_TEST(identities)
{
	struct record_sink *recorded =
	    read_text("[{\"ph\":\"i\",\"ts\":1,\"pid\":1,\"tid\":1,\"name\":\"a\"},{\"ph\":\"i\","
	              "\"ts\":1,\"pid\":\"1\",\"tid\":\"1\",\"name\":\"b\"},"
	              "{\"ph\":\"i\",\"ts\":1,\"pid\":\"172.0.0.1\",\"tid\":\"worker:1\",\"name\":"
	              "\"c\"},{\"ph\":\"i\",\"ts\":1,\"name\":\"d\"},"
	              "{\"ph\":\"i\",\"ts\":1,\"pid\":-9223372036854775808,\"tid\":\"\",\"name\":"
	              "\"e\"},{\"ph\":\"i\",\"ts\":1,\"pid\":1,\"name\":\"f\"}]");
	ck_assert_str_eq(record_tag(recorded, "-", "processes"), "4");
	ck_assert_str_eq(record_tag(recorded, "-", "threads"), "5");
	check(
	    recorded,
	    "a|-|@1000|thread -/1/1 1/1|\n"
	    "b|-|@1000|thread -/1/1 1/1|\n"
	    "c|-|@1000|thread -/172.0.0.1/worker:1 172.0.0.1/worker:1|\n"
	    "d|-|@1000|thread -/-/- no thread|\n"
	    "e|-|@1000|thread -/-9223372036854775808/ -9223372036854775808/-9223372036854775808|\n"
	    "f|-|@1000|thread -/1/- 1/1|\n");
}
END_TEST

#define B(name, ts) EVENT(name, "\"ph\":\"B\",\"ts\":" ts)
#define E(name, ts) EVENT(name, "\"ph\":\"E\",\"ts\":" ts)

START_TEST(begins_and_ends)
{
	/* by time, not by place in the file; an end closes the innermost begin of its name */
	check(read_text("[" E("b", "4") "," E("a", "9") "," B("b", "2") "," B("a", "1") "]"),
	      "b|-|2000+2000|thread -/1/1 1|\na|-|1000+8000|thread -/1/1 1|\n");
	check(read_text("[" B("a", "1") "," B("b", "2") "," E("a", "3") "," E("b", "4") "]"),
	      "a|-|1000+2000|thread -/1/1 1|\nb|-|2000+2000|thread -/1/1 1|\n");
	check(read_text("[" B("a", "1") "," B("a", "2") "," E("", "3") "," E("c", "4") "]"),
	      "a|-|2000+1000|thread -/1/1 1|\n"
	      "a|-|1000+3000|thread -/1/1 1||unfinished\n"
	      "c|-|@4000|thread -/1/1 1|ph='E'\n"
	      "missing: 1 begins have no end: spans until the end of the trace, marked unfinished\n"
	      "missing: 1 ends have no begin: kept as events\n");
}
END_TEST

#define X(name, tid, ts, dur)                                                                      \
	"{\"ph\":\"X\",\"name\":\"" name "\",\"pid\":1,\"tid\":" tid ",\"ts\":" ts ",\"dur\":" dur \
	"}"
#define FLOW(ph, id, tid, ts, more)                                                                \
	"{\"ph\":\"" ph "\",\"cat\":\"c\",\"name\":\"flow\",\"id\":" id ",\"pid\":1,\"tid\":" tid  \
	",\"ts\":" ts more "}"

static void
check_links(const char *text, const char *expected)
{
	struct record_sink *recorded = read_text(text);
	char *shown = show(recorded);
	const char *at = shown;

	for (size_t i = 0; i < recorded->n_spans; i++) {
		at = strchr(at, '\n') + 1;
	}
	ck_assert_msg(strcmp(at, expected) == 0, "%s\nsaid:\n%s\nexpected:\n%s", text, at,
	              expected);
	free(shown);
	record_sink_free(recorded);
}

START_TEST(flows)
{
	/* innermost span around the point, whatever stands first in the file */
	check_links("[" FLOW("f", "1", "2", "22", ",\"bp\":\"e\"") "," X("a", "1", "0", "10") "," X(
			"b", "1", "2", "5") "," FLOW("s", "1", "1", "3", "") "," X("c", "2", "20",
	                                                                           "10") "]",
	            "b->c|flow\n");
	/* an end without bp: the next span to begin */
	check_links("[" X("a", "1", "0", "10") "," X("b", "2", "5", "10") "," X(
			"c", "2", "20", "10") "," FLOW("s", "1", "1", "3",
	                                               "") "," FLOW("f", "1", "2", "6", "") "]",
	            "a->c|flow\n");
	/* step by step; many ends of one begin; an end before its begin in time */
	check_links(
	    "[" X("a", "1", "0", "10") "," X("b", "2", "20", "10") "," X(
		"c", "3", "40", "10") "," FLOW("s", "7", "1", "1",
	                                       "") "," FLOW("t", "7", "2", "21",
	                                                    "") "," FLOW("f", "7", "3", "41",
	                                                                 ",\"bp\":\"e\"") "]",
	    "a->b|flow\nb->c|flow\n");
	check_links("[" X("a", "1", "0", "10") "," X("b", "2", "20", "10") "," X(
			"c", "3", "40",
			"10") "," FLOW("s", "7", "1", "1",
	                               "") "," FLOW("f", "7", "2", "21",
	                                            ",\"bp\":\"e\"") "," FLOW("f", "7", "3", "41",
	                                                                      ",\"bp\":\"e\"") "]",
	            "a->b|flow\na->c|flow\n");
	check_links("[" X("a", "1", "0", "10") "," X("b", "2", "20", "10") "," FLOW(
			"f", "7", "1", "1", ",\"bp\":\"e\"") "," FLOW("s", "7", "2", "21", "") "]",
	            "b->a|flow\n");
	/* no span there; other ids and names are other flows */
	check_links("[" X("a", "1", "0", "10") "," FLOW("s", "1", "1", "11", "") "," FLOW(
			"f", "2", "1", "1", ",\"bp\":\"e\"") "]",
	            "suspicious: 1 of 2 flow events point at no span\n");
	/* told by the spans themselves */
	check_links("[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1,\"bind_"
	            "id\":\"0x1\",\"flow_out\":true},"
	            "{\"ph\":\"X\",\"name\":\"b\",\"pid\":1,\"tid\":1,\"ts\":3,\"dur\":1,\"bind_"
	            "id\":\"0x1\",\"flow_in\":true,\"flow_out\":true},"
	            "{\"ph\":\"X\",\"name\":\"c\",\"pid\":1,\"tid\":1,\"ts\":5,\"dur\":1,\"bind_"
	            "id\":\"0x1\",\"flow_in\":true}]",
	            "a->b|-\nb->c|-\n");
}
END_TEST

START_TEST(dialects)
{
	static const struct {
		const char *name, *dialect;
	} cases[] = {{"gpu.json", "pytorch"}, {"build.json", "bazel"}, {"clang.json", "clang"}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct record_sink *recorded = read_fixture(cases[i].name);
		ck_assert_str_eq(recorded->facts.dialect, cases[i].dialect);
		record_sink_free(recorded);
	}
}
END_TEST

/* What the devices of a PyTorch trace look like, and clang's sums. */
START_TEST(lanes)
{
	struct record_sink *recorded = read_fixture("gpu.json");

	ck_assert_uint_eq(recorded->n_lanes, 4);
	ck_assert_str_eq(record_lane(recorded, 0), "thread -/100/100 python/main");
	ck_assert_str_eq(record_lane(recorded, 1), "device -/0/7 GPU 0/stream 7");
	ck_assert_str_eq(record_lane(recorded, 2), "device -/0/20 GPU 0/stream 20");
	ck_assert_str_eq(record_lane(recorded, 3), "annotation -/0/7 GPU 0/stream 7 annotations");
	ck_assert_int_eq(recorded->spans[9].size_bytes, 4096);
	ck_assert_uint_eq(recorded->n_dependencies, 1);
	ck_assert_str_eq(
	    record_text(recorded, recorded->spans[recorded->dependencies[0].to_span].name), "gemm");
	record_sink_free(recorded);
	recorded = read_fixture("clang.json");
	ck_assert_uint_eq(recorded->n_lanes, 2);
	ck_assert_str_eq(record_lane(recorded, 1), "summary -/1/- totals");
	ck_assert_int_eq(recorded->spans[7].calls, 1);
	ck_assert_uint_eq(recorded->facts.aggregated, 1);
	record_sink_free(recorded);
}
END_TEST

/* Whatever is cut off or turned over, nothing breaks, and in pieces it reads alike. */
START_TEST(damage_at_random)
{
	static const char *const names[] = {"phases.json", "gpu.json", "build.json", "clang.json"};
	struct prng prng;

	prng = (struct prng){11};
	for (size_t f = 0; f < 4; f++) {
		char path[4096];
		const char *folder = getenv("LANESCOPE_SRCDIR");
		snprintf(path, sizeof path, "%s/tests/data/chrome/%s", folder ? folder : ".",
		         names[f]);
		FILE *file = fopen(path, "rb");
		ck_assert_ptr_nonnull(file);
		static char bytes[1 << 16];
		size_t n = fread(bytes, 1, sizeof bytes, file);
		fclose(file);
		for (int round = 0; round < 100; round++) {
			static char copy[1 << 16];
			memcpy(copy, bytes, n);
			size_t length = round % 2 ? n : (size_t)(prng_next(&prng) % n);
			for (int i = 0; i < round % 5 && length; i++) {
				copy[prng_next(&prng) % length] = (char)prng_next(&prng);
			}
			struct record_sink *whole = read_bytes(copy, length),
					   *pieces = record_sink_new();
			ck_assert_int_eq(
			    record_bytes(pieces, format, copy, length, 1 + round % 7, false, NULL),
			    0);
			char *a = show(whole), *b = show(pieces);
			ck_assert_str_eq(a, b);
			free(a);
			free(b);
			record_sink_free(whole);
			record_sink_free(pieces);
		}
	}
}
END_TEST

START_TEST(stopping)
{
	for (int after = 0; after < 60; after++) {
		char path[4096];
		const char *folder = getenv("LANESCOPE_SRCDIR");
		struct record_sink *recorded = record_sink_new();
		snprintf(path, sizeof path, "%s/tests/data/chrome/phases.json",
		         folder ? folder : ".");
		recorded->stop_after = after;
		int result = record_file(recorded, format, path, false, NULL);
		ck_assert_int_eq(result, recorded->stopped ? -1 : 0);
		ck_assert(recorded->stopped || after > 40);
		record_sink_free(recorded);
	}
}
END_TEST

START_TEST(recognition)
{
	static const struct {
		const char *text;
		int min, max;
	} cases[] = {
	    {"[" A ",\n" A, 65, 75},
	    {"[" A "]", 65, 75},
	    {"{\"traceEvents\":[", 95, 100},
	    {"{\"otherData\":{\"a\":1},\"traceEvents\":[" A, 95, 100},
	    {"{\"schemaVersion\":1,\"deviceProperties\":[", -60, -40},
	    {"{\"schemaVersion\":1,\"deviceProperties\":[]}", 0, 0},
	    {"{\"metadata\":{\"sourceMaps\":\"xx", SNIFF_UNDECIDED, SNIFF_UNDECIDED},
	    {"{\"metadata\":{\"sourceMaps\":\"xx\"}}", 0, 0},
	    {"{\"name\":\"p\",\"version\":\"1.0\"}", 0, 0},
	    {"{\"type\":\"FeatureCollection\",\"features\":[]}", 0, 0},
	    {"[1," A "]", 65, 75},
	    {"[null,[1]," A "]", 65, 75},
	    {"[{\"name\":\"q\"}," A "]", 65, 75},
	    {"[{\"name\":\"q\"},{\"name\":\"r\"}," A "]", 0, 0},
	    {"[" A ",{\"ph\":\"X\",\"name\":oops}]", 65, 75},
	    {"[{\"ph\":\"X\",\"name\":oops}," A "]", 65, 75},
	    {"[{\"ph\":\"X\",\"name\":oops} , " A "]", 65, 75},
	    {"[" A "," A " " A "]", 65, 75},
	    {"[{\"ph\":\"X\",\"ts\":1,\"name\":\"lo", -40, -40},
	    {"[{\"cat\":\"cc\",\"pid\":14689,\"tid\":14751,\"ts\":17", -40, -40},
	    {"[{\"name\":\"process_name\",\"ph\":\"M\",\"pi", SNIFF_UNDECIDED, SNIFF_UNDECIDED},
	    {"[{\"name\":\"lo", SNIFF_UNDECIDED, SNIFF_UNDECIDED},
	    {"[{\"name\":\"soil\",\"ph\":\"6\"}]", 0, 0},
	    {"[{\"name\":\"a\",\"ts\":1,\"pid\":2}]", 0, 0},
	    {"[", SNIFF_UNDECIDED, SNIFF_UNDECIDED},
	    {"[1,2,3", SNIFF_UNDECIDED, SNIFF_UNDECIDED},
	    {"\xef\xbb\xbf [ " A, 65, 75},
	    {"[]", 10, 30},
	    {A, 0, 0},
	    {"[\n" A "\n" A "\n", 0, 0},
	    {"{\"action\":\"taskPlanned\",\"at\":5}\n", 0, 0},
	    {"[1,2,3]", 0, 0},
	    {"[{\"a\":1}]", 0, 0},
	    {"name,ts\n1,2\n", 0, 0},
	    {"", 0, 0},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		int score = format->sniff(slice_of(cases[i].text), "x.json");
		ck_assert_msg(score >= cases[i].min && score <= cases[i].max, "%s: %d",
		              cases[i].text, score);
	}
	ck_assert_int_eq(format->sniff((struct slice){"[\0" A "]", sizeof "[\0" A "]" - 1}, "x"),
	                 70);
	ck_assert_ptr_eq(import_find("chrome"), format);
	ck_assert_ptr_eq(import_sniff(slice_of("[" A ",\n" A "]"), "x"), format);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("import_chrome");
	TCase *tcase = tcase_create("all");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, phases);
	tcase_add_test(tcase, containers);
	tcase_add_test(tcase, deep_nesting);
	tcase_add_test(tcase, times);
	tcase_add_test(tcase, identities);
	tcase_add_test(tcase, begins_and_ends);
	tcase_add_test(tcase, flows);
	tcase_add_test(tcase, dialects);
	tcase_add_test(tcase, lanes);
	tcase_add_test(tcase, damage_at_random);
	tcase_add_test(tcase, stopping);
	tcase_add_test(tcase, recognition);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
