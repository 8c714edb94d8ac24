/* The DFTracer importer: every dialect by a fixture in tests/data/dftracer, damage, recognition. */
#include "config.h"

#include "dftracer_fixture.h"
#include "import/import_dftracer.h"
#include "util/prng.h"

static void
check_facts(const struct record_sink *recorded, const char *dialect, uint64_t records,
            uint64_t metadata, uint64_t aggregated, uint64_t bad)
{
	ck_assert_str_eq(recorded->facts.dialect, dialect);
	ck_assert_uint_eq(recorded->facts.records, records);
	ck_assert_uint_eq(recorded->facts.metadata, metadata);
	ck_assert_uint_eq(recorded->facts.aggregated, aggregated);
	ck_assert_uint_eq(recorded->facts.bad_records, bad);
}

START_TEST(dialect_v0)
{
	struct record_sink *recorded = read_fixture("v0.pfw", false);

	check_facts(recorded, "v0", 2, 0, 0, 1);
	ck_assert_int_eq(recorded->facts.clock, CLOCK_RELATIVE);
	ck_assert_str_eq(show_span(recorded, 0),
	                 "TFFramework.__init__ ai_framework - 108849000+15000 - 1 | "
	                 "thread -/33128/81567 - | ");
	ck_assert_str_eq(show_span(recorded, 1),
	                 "Reader.read reader - 2749279000+237094000 4096 1 | "
	                 "thread -/33128/81568 - | step=8 image_size=4096");
	ck_assert_uint_eq(recorded->problems[0].record, 3);
	ck_assert_int_eq(recorded->problems[0].kind, PROBLEM_MALFORMED);
	record_sink_free(recorded);
	recorded = read_fixture("v0.pfw", true); /* trailing commas within */
	check_facts(recorded, "v0", 3, 0, 0, 0);
	ck_assert_str_eq(show_span(recorded, 1), "generate.iter generator - 180755000+9000 - 1 | "
	                                         "thread -/33128/81568 - | step=8");
	record_sink_free(recorded);
}
END_TEST

START_TEST(dialect_old)
{
	struct record_sink *recorded = read_fixture("old.pfw", false);
	const char *lane = "thread corona237/3/953748 -";
	char expected[1024];

	check_facts(recorded, "old", 8, 0, 0, 0);
	ck_assert_int_eq(recorded->facts.clock, CLOCK_WALL);
	ck_assert_uint_eq(recorded->n_lanes, 2);
	snprintf(expected, sizeof expected,
	         "open64 POSIX /p/data/file_0.bat 1698080323775554000+141000 - 1 | %s | id=\"0\" "
	         "ret=18 flags=66 mode=420",
	         lane);
	ck_assert_str_eq(show_span(recorded, 0), expected);
	snprintf(
	    expected, sizeof expected,
	    "write POSIX /p/data/file_0.bat 1698080323778895000+92000 131072 1 | %s | id=\"1\" "
	    "ret=\"131072\" count=\"131072\" fd=18",
	    lane);
	ck_assert_str_eq(show_span(recorded, 1), expected);
	/* ret 0, -1, of readdir, of STDIO: no size; readlink counts as a read */
	for (size_t i = 2; i <= 5; i++) {
		ck_assert_int_eq(recorded->spans[i].size_bytes, SIZE_NONE);
	}
	ck_assert_int_eq(recorded->spans[7].size_bytes, 33);
	/* decimal microseconds; objects keep their JSON */
	ck_assert_str_eq(
	    show_span(recorded, 6),
	    "FormatReader.get_sample reader - 1698080323779006125+2500 65536 1 | "
	    "thread corona237/3/953749 - | id=\"6\" epoch='train' step=1 image_idx=11 "
	    "image_size=65536 relations={\"used\":[\"a\",\"b\"],\"n\":{\"deep\":[1,2.50]}}");
	/* every JSON type; an argument named as a column of the record */
	ck_assert_str_eq(record_args(recorded, recorded->spans[7].args, recorded->spans[7].n_args),
	                 "id=\"7\" ret=33 name='an argument' path='/x' level=1 p_idx=-1 ok=true "
	                 "none=null half=0.5 big=18446744073709551615 "
	                 "huge=123456789012345678901234567890 args.id=9");
	ck_assert_int_eq(recorded->spans[7].args[9].type, ARG_UNSIGNED);
	ck_assert_int_eq(recorded->spans[7].args[10].type, ARG_JSON);
	record_sink_free(recorded);
}
END_TEST

START_TEST(dialect_ph_h)
{
	struct record_sink *recorded = read_fixture("ph-h.pfw", false);

	check_facts(recorded, "H", 3, 2, 0, 0);
	ck_assert_str_eq(show_span(recorded, 0),
	                 "read POSIX /data/a.bin 1727286231145121000+10000 5 1 | "
	                 "thread corona171/77/77 - | id=3 ret=5");
	record_sink_free(recorded);
}
END_TEST

START_TEST(dialect_short_hash)
{
	struct record_sink *recorded = read_fixture("short-hash.pfw", false);

	check_facts(recorded, "16-bit", 18, 13, 0, 0);
	ck_assert_uint_eq(recorded->n_spans, 5);
	/* first definition in the process, then any other; hosts and files do not mix */
	ck_assert_str_eq(record_text(recorded, recorded->spans[1].path), "/etc/first");
	ck_assert_str_eq(record_text(recorded, recorded->spans[2].path), "/etc/other");
	ck_assert_str_eq(record_text(recorded, recorded->spans[3].path), "/etc/same-as-host");
	ck_assert_str_eq(record_text(recorded, recorded->spans[4].path), "file 40000");
	ck_assert_str_eq(record_lane(recorded, recorded->spans[2].lane),
	                 "thread corona173/101/101 -");
	ck_assert_str_eq(record_tag(recorded, "process 100", "command"), "./cm1.exe");
	ck_assert_str_eq(record_tag(recorded, "process 100", "executable"), "DEFAULT");
	ck_assert_str_eq(record_tag(recorded, "process 101", "rank"), "3");
	ck_assert_str_eq(record_tag(recorded, "process 100", "core_affinity"), "[0,1,2]");
	ck_assert_str_eq(record_tag(recorded, "process 100", "process_name"), "Rank 0");
	ck_assert_str_eq(record_tag(recorded, "process 100 thread 100", "thread_name"), "100");
	ck_assert_str_eq(record_tag(recorded, "process 100", "batch_size"), "32");
	record_sink_free(recorded);
}
END_TEST

START_TEST(dialect_new)
{
	struct record_sink *recorded = read_fixture("new.pfw", false);

	check_facts(recorded, "new", 5, 2, 0, 0);
	ck_assert_str_eq(show_span(recorded, 1),
	                 "opendir POSIX /p/train 1744611912981200000+7000 - 1 | "
	                 "thread corona171/1028567/1028570 - | id=11 p_idx=5 level=2");
	/* hashes of strings stay arguments, beyond int64 too */
	ck_assert_str_eq(record_args(recorded, recorded->spans[0].args, recorded->spans[0].n_args),
	                 "id=5 p_idx=-1 cmd_hash=17868160079272185648 level=1 version=100008 "
	                 "date='Sun Apr 13 23:25:12 2025' ppid=1028565");
	record_sink_free(recorded);
}
END_TEST

START_TEST(dialect_hex)
{
	struct record_sink *recorded = read_fixture("hex.pfw", false);

	check_facts(recorded, "hex", 5, 2, 1, 0);
	ck_assert_str_eq(show_span(recorded, 0),
	                 "pread POSIX /p/\xc3\xa9t\xc3\xa9 1744611912981200000+7000 64 1 | "
	                 "thread tuolumne1/8/9 - | id=3 ret=64");
	/* a C with dft_cnt is an aggregate */
	ck_assert_str_eq(show_span(recorded, 1),
	                 "write POSIX - 1744611912982000000+5000 7 3 | aggregate tuolumne1/8/9 - | "
	                 "dft_cnt=3 dur_min=1 dur_max=5 dur_sum=9 ret_min=1 ret_max=4 ret_sum=7");
	ck_assert_uint_eq(recorded->n_counters, 2);
	ck_assert_str_eq(record_text(recorded, recorded->counters[0].name), "cpu.user_pct");
	ck_assert_double_eq(recorded->counters[0].value, 12.5);
	ck_assert_str_eq(record_text(recorded, recorded->counters[1].name), "cpu.idle_pct");
	ck_assert_double_eq(recorded->counters[1].value, 80.25);
	ck_assert_int_eq(recorded->counters[1].time_ns, INT64_C(1744611912981300000));
	ck_assert_str_eq(record_lane(recorded, recorded->counters[1].lane),
	                 "counter tuolumne1/8/- -");
	record_sink_free(recorded);
}
END_TEST

START_TEST(dialect_v2)
{
	struct record_sink *recorded = read_fixture("v2.pfw", false);

	check_facts(recorded, "v2", 8, 2, 2, 0);
	ck_assert_str_eq(show_span(recorded, 1),
	                 "BLOCK CPP_APP - 1785104600145121000+1000054000 - 1 | "
	                 "thread tuolumne1/8/9 - | id=8 type=9 p_idx=7 key=0 level=3");
	ck_assert_str_eq(
	    show_span(recorded, 2),
	    "openat POSIX - 1785104600000000000+444000 - 2 | aggregate tuolumne1/8/9 - "
	    "| type=3 dft_cnt=2 dur_min=379 dur_max=444 dur_sum=823 mode_sum=1554");
	/* what never varied stands once: times the number of calls */
	ck_assert_str_eq(show_span(recorded, 3),
	                 "read POSIX - 1785104600000000000+185000 30 3 | aggregate tuolumne1/8/9 - "
	                 "| type=3 dft_cnt=3 dur=185 ret=10");
	ck_assert_uint_eq(recorded->n_counters, 1);
	ck_assert_str_eq(
	    record_args(recorded, recorded->counters[0].args, recorded->counters[0].n_args),
	    "cat='sys' tid=0 type=7 note='idle'");
	ck_assert_str_eq(record_tag(recorded, "process 8", "EH"),
	                 "{\"id\":\"8f0de68c04eea0bf\",\"type\":\"protein\",\"store\":3,"
	                 "\"uri\":\"/p/out/a.pdb\"}");
	ck_assert_uint_eq(recorded->n_problems, 1); /* times in ns, as the end record tells */
	ck_assert_int_eq(recorded->problems[0].kind, PROBLEM_SUSPICIOUS);
	ck_assert_ptr_nonnull(strstr(recorded->problems[0].reason, "time_metric"));
	record_sink_free(recorded);
}
END_TEST

struct expected_problem {
	uint64_t line;
	enum problem_kind kind;
	const char *reason; /* part of it */
};

START_TEST(damage)
{
	static const struct expected_problem expected[] = {
	    {3, PROBLEM_MALFORMED, "control character"},
	    {4, PROBLEM_MALFORMED, ""},
	    {5, PROBLEM_MALFORMED, ""},
	    {6, PROBLEM_MALFORMED, ""},
	    {7, PROBLEM_MALFORMED, ""},
	    {8, PROBLEM_MALFORMED, "NUL bytes"},
	    {9, PROBLEM_MALFORMED, ""},
	    {10, PROBLEM_MALFORMED, "UTF-8"},
	    {12, PROBLEM_INVALID, "negative"},
	    {13, PROBLEM_INVALID, "ts is not a time"},
	    {14, PROBLEM_INVALID, "ph"},
	    {15, PROBLEM_INVALID, "no name"},
	    {16, PROBLEM_INVALID, "ts is not a time"},
	    {17, PROBLEM_MALFORMED, "not an object"},
	    {19, PROBLEM_TRUNCATED, "ends within a record"},
	};
	const size_t n = sizeof expected / sizeof *expected;
	struct record_sink *recorded = read_fixture("damaged.pfw", false);

	check_facts(recorded, "old", 2, 0, 0, n);
	ck_assert_uint_eq(recorded->n_problems, n);
	for (size_t i = 0; i < n; i++) {
		ck_assert_uint_eq(recorded->problems[i].record, expected[i].line);
		ck_assert_int_eq(recorded->problems[i].kind, expected[i].kind);
		ck_assert_ptr_nonnull(strstr(recorded->problems[i].reason, expected[i].reason));
	}
	ck_assert_uint_eq(recorded->problems[0].offset, 3 + 2 + 135);
	ck_assert_int_eq(memcmp(recorded->problems[1].excerpt.ptr, "{\"id\":\"2\"", 9), 0);
	record_sink_free(recorded);
	/* lenient: control characters, trailing commas and bytes that are not UTF-8 */
	recorded = read_fixture("damaged.pfw", true);
	check_facts(recorded, "old", 5, 0, 0, n - 3);
	ck_assert_str_eq(record_text(recorded, recorded->spans[1].path), "\002\003");
	ck_assert_str_eq(record_args(recorded, recorded->spans[2].args, recorded->spans[2].n_args),
	                 "id=\"1\" ret=0");
	ck_assert_str_eq(record_text(recorded, recorded->spans[3].path), "caf\\xe9");
	record_sink_free(recorded);
}
END_TEST

#define RECORD                                                                                     \
	"{\"name\":\"read\",\"cat\":\"POSIX\",\"pid\":1,\"tid\":2,\"ts\":5,\"dur\":3,\"ph\":"      \
	"\"X\",\"args\":{}}"

START_TEST(around_records)
{
	static const struct {
		const char *text;
		uint64_t records, bad;
	} cases[] = {
	    {"", 0, 0},
	    {"\n\n \t\r\n", 0, 0},
	    {"[\n]\n", 0, 0},
	    {"[", 0, 0},
	    {"   " RECORD, 1, 0},
	    {"[" RECORD "]", 1, 0},
	    {"[\r\n" RECORD "\r\n]", 1, 0},
	    {"[\n" RECORD " , \n" RECORD ",]\n", 2, 0},
	    {"][\n" RECORD "\n][\n" RECORD "\n]", 2, 0},
	    {"[" RECORD "," RECORD "]", 0, 1},
	    {RECORD RECORD, 0, 1},
	    {RECORD ",,\n", 0, 1},
	    {"{}", 0, 1},
	    {"{\"name\":\"x\"}", 0, 1},
	    {"null\n", 0, 1},
	    {"\xef\xbb\xbf" RECORD, 1, 0},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct record_sink *recorded = read_text(cases[i].text, false);
		ck_assert_msg(recorded->facts.records == cases[i].records &&
		                  recorded->facts.bad_records == cases[i].bad &&
		                  recorded->n_problems == cases[i].bad,
		              "%s: %" PRIu64 " records, %" PRIu64 " bad", cases[i].text,
		              recorded->facts.records, recorded->facts.bad_records);
		record_sink_free(recorded);
	}
}
END_TEST

/* What a time, a process or an argument may look like. */
START_TEST(values)
{
	static const struct {
		const char *text, *span;
	} cases[] = {
	    {"{\"name\":\"a\",\"ts\":0}", "a - - 0+0 - 1 | thread -/-/- - | "},
	    {"{\"name\":\"a\",\"ts\":-5,\"dur\":\"1\"}",
	     "a - - -5000+1000 - 1 | thread -/-/- - | "},
	    {"{\"name\":\"a\",\"ts\":\"1.0005\",\"dur\":1e3}",
	     "a - - 1001+1000000 - 1 | thread -/-/- - | "},
	    {"{\"name\":\"a\",\"ts\":9223372036854775,\"dur\":0}",
	     "a - - 9223372036854775000+0 - 1 | thread -/-/- - | "},
	    {"{\"name\":\"a\",\"ts\":1,\"pid\":\"host-a\",\"tid\":18446744073709551615}",
	     "a - - 1000+0 - 1 | thread -/host-a/18446744073709551615 - | "},
	    {"{\"name\":\"a\",\"ts\":1,\"pid\":\"-7\",\"tid\":0}",
	     "a - - 1000+0 - 1 | thread -/-7/0 - | "},
	    {"{\"args\":{\"ts\":4,\"x\":[]},\"ts\":1,\"name\":\"a\",\"type\":3,\"x\":\"y\"}",
	     "a - - 1000+0 - 1 | thread -/-/- - | ts=4 args.x=[] type=3 x='y'"},
	    {"{\"name\":\"a\",\"ts\":1,\"k\":1,\"args\":{\"k\":2,\"args.k\":3}}",
	     "a - - 1000+0 - 1 | thread -/-/- - | k=1 args.args.k=2 args.k=3"},
	    {"{\"name\":\"a\",\"name\":\"b\",\"ts\":1,\"args\":{\"k\":1,\"k\":\"01\"}}",
	     "b - - 1000+0 - 1 | thread -/-/- - | k='01'"},
	    {"{\"name\":\"a\",\"ts\":1,\"args\":{\"a\":-0,\"b\":\"-0\",\"c\":\"+1\",\"d\":\"\","
	     "\"e\":\"-12\",\"f\":1e400,\"g\":-9223372036854775808,\"h\":\"9223372036854775808\"}}",
	     "a - - 1000+0 - 1 | thread -/-/- - | a=-0.0 b='-0' c='+1' d='' e=\"-12\" f=1e400 "
	     "g=-9223372036854775808 h='9223372036854775808'"},
	    {"{\"name\":\"a\",\"ts\":1,\"args\":null}", "a - - 1000+0 - 1 | thread -/-/- - | "},
	    {"{\"name\":\"a\",\"ts\":1,\"args\":[1]}",
	     "a - - 1000+0 - 1 | thread -/-/- - | args=[1]"},
	    {"{\"name\":\"\\u0061\\n\",\"ts\":1,\"args\":{\"k\\u0065y\":\"\\\"\"}}",
	     "a\n - - 1000+0 - 1 | thread -/-/- - | key='\"'"},
	    {"{\"name\":\"a\",\"ts\":1,\"args\":{\"a_very_long_key_of_an_argument\":1,\"\":2}}",
	     "a - - 1000+0 - 1 | thread -/-/- - | a_very_long_key_of_an_argument=1 =2"},
	    {"{\"name\":\"pwrite64\",\"cat\":\"POSIX\",\"ts\":1,\"args\":{\"image_size\":4}}",
	     "pwrite64 POSIX - 1000+0 4 1 | thread -/-/- - | image_size=4"},
	    {"{\"name\":\"lseek\",\"cat\":\"POSIX\",\"ts\":1,\"args\":{\"ret\":9,\"image_size\":4}"
	     "}",
	     "lseek POSIX - 1000+0 - 1 | thread -/-/- - | ret=9 image_size=4"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct record_sink *recorded = read_text(cases[i].text, false);
		ck_assert_uint_eq(recorded->n_problems, 0);
		ck_assert_str_eq(show_span(recorded, 0), cases[i].span);
		record_sink_free(recorded);
	}
}
END_TEST

/* A counter's columns and arguments may have the same names. */
START_TEST(counter_names)
{
	struct record_sink *recorded =
	    read_text("{\"name\":\"m\",\"cat\":\"c\",\"tid\":4,\"ts\":1,\"ph\":\"C\",\"args\":"
	              "{\"v\":2,\"cat\":\"x\",\"tid\":\"y\"}}",
	              false);

	ck_assert_uint_eq(recorded->n_counters, 1);
	ck_assert_str_eq(
	    record_args(recorded, recorded->counters[0].args, recorded->counters[0].n_args),
	    "cat='c' tid=4 args.cat='x' args.tid='y'");
	record_sink_free(recorded);
}
END_TEST

START_TEST(invalid_values)
{
	static const char *const cases[] = {
	    "{\"name\":\"a\"}",
	    "{\"name\":7,\"ts\":1}",
	    "{\"name\":\"a\",\"ts\":true}",
	    "{\"name\":\"a\",\"ts\":9223372036854776}",
	    "{\"name\":\"a\",\"ts\":9223372036854775,\"dur\":1}",
	    "{\"name\":\"a\",\"ts\":1,\"dur\":\"x\"}",
	    "{\"name\":\"a\",\"ts\":1,\"dur\":null}",
	    "{\"name\":\"a\",\"ts\":1,\"ph\":\"XX\"}",
	    "{\"name\":\"a\",\"ts\":1,\"ph\":5}",
	    "{\"name\":\"a\",\"ts\":1,\"ph\":{}}",
	    "{\"name\":\"a\",\"ts\":1,\"ph\":3,\"args\":{\"dft_cnt\":0}}",
	    "{\"name\":\"a\",\"ts\":1,\"ph\":3,\"args\":{\"dft_cnt\":9223372036854775807,\"dur\":9}"
	    "}",
	    "{\"name\":\"a\",\"ts\":1,\"ph\":2,\"args\":{\"v\":\"nan\"}}",
	    "{\"name\":\"FH\",\"ph\":\"M\",\"args\":{\"name\":\"/x\"}}",
	    "{\"name\":\"HH\",\"ph\":4}",
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct record_sink *recorded = read_text(cases[i], false);
		ck_assert_msg(recorded->n_problems == 1 &&
		                  recorded->problems[0].kind == PROBLEM_INVALID &&
		                  recorded->facts.bad_records == 1 && recorded->facts.records == 0,
		              "%s", cases[i]);
		record_sink_free(recorded);
	}
}
END_TEST

START_TEST(too_large)
{
	struct strbuf text = {NULL, 0, 0};

	/* more members than are read: refused, not swallowed */
	strbuf_add_text(&text, "{\"name\":\"a\",\"ts\":1,\"args\":{\"k\":1");
	for (unsigned i = 0; i < 5000; i++) {
		strbuf_printf(&text, ",\"k%u\":%u", i, i);
	}
	strbuf_add_text(&text, "}}\n" RECORD "\n");
	struct record_sink *recorded = read_text(text.data, false);
	ck_assert_uint_eq(recorded->facts.records, 1);
	ck_assert_uint_eq(recorded->facts.bad_records, 1);
	ck_assert_ptr_nonnull(strstr(recorded->problems[0].reason, "members"));
	record_sink_free(recorded);
	/* a name of 200 kB, deep nesting, many keys */
	strbuf_clear(&text);
	strbuf_add_text(&text, "{\"name\":\"");
	for (unsigned i = 0; i < 200000; i++) {
		strbuf_add_char(&text, 'n');
	}
	strbuf_add_text(&text, "\",\"ts\":1,\"args\":{\"deep\":");
	for (unsigned i = 0; i < 400; i++) {
		strbuf_add_char(&text, '[');
	}
	for (unsigned i = 0; i < 400; i++) {
		strbuf_add_char(&text, ']');
	}
	for (unsigned i = 0; i < 1000; i++) {
		strbuf_printf(&text, ",\"key_%u\":%u", i, i);
	}
	strbuf_add_text(&text, "}}");
	recorded = read_text(text.data, false);
	ck_assert_uint_eq(recorded->facts.records, 1);
	ck_assert_uint_eq(recorded->spans[0].n_args, 1001);
	record_sink_free(recorded);
	strbuf_free(&text);
}
END_TEST

/* Caches may be wrong about nothing: more texts, hashes and lanes than they hold, interleaved. */
START_TEST(many_different)
{
	struct strbuf text = {NULL, 0, 0};
	const unsigned n = 4000;

	for (unsigned i = 0; i < n; i++) {
		unsigned k = i * 7919 % n;
		strbuf_printf(&text,
		              "{\"name\":\"f%u\",\"pid\":%u,\"tid\":%u,\"ts\":%u,\"dur\":%u,"
		              "\"args\":{\"hhash\":%u,\"fhash\":\"%x\"}}\n",
		              k % 1500, k % 50, k % 300, i, k, k % 3, k);
	}
	struct record_sink *recorded = read_text(text.data, false);
	ck_assert_uint_eq(recorded->n_spans, n);
	for (unsigned i = 0; i < n; i++) {
		unsigned k = i * 7919 % n;
		const struct span *span = &recorded->spans[i];
		const struct lane *lane = &recorded->lanes[span->lane];
		char name[32];
		snprintf(name, sizeof name, "f%u", k % 1500);
		ck_assert_str_eq(record_text(recorded, span->name), name);
		snprintf(name, sizeof name, "file %x", k);
		ck_assert_str_eq(record_text(recorded, span->path), name);
		ck_assert_int_eq(lane->process.integer, k % 50);
		ck_assert_int_eq(lane->thread.integer, k % 300);
		snprintf(name, sizeof name, "host %u", k % 3);
		ck_assert_str_eq(record_text(recorded, lane->host), name);
	}
	record_sink_free(recorded);
	strbuf_free(&text);
}
END_TEST

START_TEST(stopping)
{
	static const char text[] = RECORD "\n" RECORD "\n" RECORD "\n";

	for (int after = 0; after < 3; after++) {
		struct record_sink *recorded = record_sink_new();
		recorded->stop_after = after;
		ck_assert_int_eq(
		    record_bytes(recorded, format, text, sizeof text - 1, 0, false, NULL), -1);
		ck_assert_uint_eq(recorded->n_spans, (size_t)after + 1);
		ck_assert(!recorded->has_facts);
		record_sink_free(recorded);
	}
}
END_TEST

START_TEST(cancelling)
{
	struct strbuf text = {NULL, 0, 0};
	struct cancel cancel = {true};
	struct import_options options = {.cancel = &cancel};
	struct record_sink *recorded = record_sink_new();
	struct err err = ERR_INIT;
	void *facts = NULL;

	for (unsigned i = 0; i < 10000; i++) {
		strbuf_add_text(&text, RECORD "\n");
	}
	struct input *input = input_from_memory(strbuf_slice(&text), 0);
	ck_assert_int_eq(format->read(input, &recorded->sink, &options, &facts, &err), -1);
	ck_assert_int_eq(err.code, ERR_CANCELLED);
	ck_assert_uint_lt(recorded->n_spans, 5000);
	input_close(input);
	record_sink_free(recorded);
	strbuf_free(&text);
}
END_TEST

/* ---- recognition ---- */

#define POSIX(args)                                                                                \
	"{\"name\":\"a\",\"cat\":\"POSIX\",\"ph\":\"X\",\"ts\":1,\"dur\":1,\"pid\":1,\"tid\":1,"   \
	"\"args\":"                                                                                \
	"{" args "}}"
#define BEGIN "{\"ph\":\"B\",\"name\":\"hang\",\"cat\":\"c\",\"ts\":405,\"pid\":1,\"tid\":1}"

/* A phase of Chrome's decides wherever it stands in what is looked at. */
START_TEST(late_phases_are_seen)
{
	struct strbuf text = {NULL, 0, 0};

	strbuf_add_text(&text, "[");
	for (unsigned i = 0; i < 200; i++) {
		strbuf_add_text(&text, POSIX("\"ret\":1") ",\n");
	}
	ck_assert_int_gt(format->sniff(strbuf_slice(&text), "x"), 0);
	strbuf_add_text(&text, BEGIN "]\n");
	ck_assert_int_eq(format->sniff(strbuf_slice(&text), "x"), 0);
	ck_assert_str_eq(import_sniff(strbuf_slice(&text), "x")->name, "chrome");
	strbuf_free(&text);
}
END_TEST

START_TEST(recognition)
{
	static const struct {
		const char *text, *name;
		int min, max;
	} cases[] = {
	    {"", "a.pfw", 0, 0},
	    {"[\n", "a.pfw", 0, 0},
	    {"[\n" OLD("1"), "x", 95, 100},
	    {RECORD "\n", "x", 85, 100},                 /* category POSIX */
	    {"\xef\xbb\xbf[\r\n " RECORD, "x", 85, 100}, /* one line, no newline */
	    {"{\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1,\"ph\":\"X\"}\n", "x", 40, 80},
	    {"{\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1,\"ph\":\"X\"}\n", "x.pfw", 80,
	     99},
	    /* Chrome traces */
	    {"[{\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1,\"ph\":\"X\"},\n"
	     "{\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1,\"ph\":\"X\"},\n",
	     "trace.json", 0, 0},
	    {"[{\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1,\"ph\":\"X\"},"
	     "{\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1,\"ph\":\"X\"}]",
	     "trace.json", 0, 0},
	    {"{\"traceEvents\":[\n{\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1,\"ph\":"
	     "\"X\"},\n",
	     "trace.json", 0, 0},
	    {"{\"action\":\"taskPlanned\",\"at\":5}\n", "x.jsonl", 0, 0},
	    {"name,ts\n1,2\n", "x.csv", 0, 0},
	    /* post-processed: commas, but what only DFTracer writes */
	    {"[\n{\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1,\"args\":{\"hhash\":1}},\n",
	     "x", 60, 90},
	    {"[" POSIX("\"ret\":1") ",\n" POSIX("\"ret\":2") ",\n", "x", 60, 90},
	    {"[" POSIX("") ",\n" POSIX("") "]\n", "x.pfw", 75, 90},
	    /* any program may call a category so, and phases are Chrome's */
	    {"[" POSIX("") ",\n" POSIX("\"x\":1") "]\n", "x", 0, 0},
	    {"[\n" POSIX("\"ret\":1") ",\n" POSIX("\"ret\":1") ",\n" BEGIN ",\n]\n", "x", 0, 0},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		int score = format->sniff(slice_of(cases[i].text), cases[i].name);
		ck_assert_msg(score >= cases[i].min && score <= cases[i].max, "%s: %d",
		              cases[i].text, score);
	}
	ck_assert_ptr_eq(import_find("dftracer"), format);
	ck_assert_ptr_null(import_find("dftrace"));
	ck_assert_ptr_null(import_sniff(slice_of(""), NULL));
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("import_dftracer");
	TCase *tcase = tcase_create("all");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, dialect_v0);
	tcase_add_test(tcase, dialect_old);
	tcase_add_test(tcase, dialect_ph_h);
	tcase_add_test(tcase, dialect_short_hash);
	tcase_add_test(tcase, dialect_new);
	tcase_add_test(tcase, dialect_hex);
	tcase_add_test(tcase, dialect_v2);
	tcase_add_test(tcase, damage);
	tcase_add_test(tcase, around_records);
	tcase_add_test(tcase, values);
	tcase_add_test(tcase, counter_names);
	tcase_add_test(tcase, invalid_values);
	tcase_add_test(tcase, too_large);
	tcase_add_test(tcase, many_different);
	tcase_add_test(tcase, stopping);
	tcase_add_test(tcase, cancelling);
	tcase_add_test(tcase, recognition);
	tcase_add_test(tcase, late_phases_are_seen);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
