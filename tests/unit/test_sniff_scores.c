/* How sure each format is of what begins a file, figure by figure: who wins where several claim a
 * file hangs on them. */
#include "config.h"
#include "import/import.h"

#include <string.h>

#include "import/formats.h"
#include "import/import_chrome.h"
#include "import/import_preemption.h"
#include "unit.h"
#include "util/mem.h"

#define U SNIFF_UNDECIDED
#define E "{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"pid\":1,\"tid\":1}"
#define O "{\"a\":1}"

static void
check(const struct import_format *format, const char *text, const char *name, int score)
{
	int found = format->sniff(slice_of(text), name);
	ck_assert_msg(found == score, "%s, %s: %d, not %d\n%s", format->name, name, found, score,
	              text);
}

struct scored {
	const char *text;
	int score;
};

static const struct scored chrome_cases[] = {
    {"[" E "]", 70},
    {" \t\r\n[" E "]", 70},
    {"\xef\xbb\xbf[" E "]", 70},
    {"above\n[" E "]", 70},
    {"above\n[\n" E "]", 70},
    {"above\n[ \t" E "]", 70},
    {"above\n[1]\n[" E "]", 70},
    {"above\n{\"traceEvents\":[", 97},
    {"above\n{ \"traceEvents\":[", 97},
    {"above\n[1," E "]", 0},
    {"above\n{1:2,\"traceEvents\":[", 0},
    {"[]", 20},
    {"[] ", 20},
    {"[] x", 0},
    {"[", U},
    {"{", U},
    {"", 0},
    {"hello", 0},
    {"\"text\"", 0},
    {"[5]", 0},
    {"[5," E "]", 70},
    {"[" E "," O "]", 70},
    {"[" E "," O "," O "]", 0},
    {"[" O "]", 0},
    {"[" O ",", U},
    {"[" O "," O ",", 0},
    {"[" O ",{\"ph\":\"X\",\"ts\":1,", -40},
    {"[" O "," O ",{\"ph\":\"X\",\"ts\":1,", 0},
    {"[{\"ph\":\"X\",\"ts\":1,\"na", -40},
    {"[{\"ts\":1,\"pid\":1,\"na", -40},
    {"[{\"cat\":\"c\",\"dur\":1,\"na", -40},
    {"[{\"tid\":\"c\",\"args\":{},\"na", -40},
    {"[{\"ph\":\"X\",\"name\":\"b", U},
    {"[{\"name\":\"b\",\"ph\":\"X\",", U},
    {"[{\"ph\":\"Q\",\"ts\":1,", U},
    {"[{\"ph\":\"X\",\"pid\":1}]", 70},
    {"[{\"ph\":\"X\",\"ts\":1}]", 70},
    {"[{\"ph\":\"X\",\"name\":1}]", 70},
    {"[{\"ph\":\"X\",\"tid\":1}]", 0},
    {"[{\"ph\":\"X\",\"cat\":1,\"dur\":1,\"args\":1}]", 0},
    {"[{\"ph\":\"X\"}]", 0},
    {"[{\"ts\":1,\"pid\":1,\"name\":1}]", 0},
    {"[{\"ph\":1,\"ts\":1}]", 0},
    {"[{\"ph\":\"XX\",\"ts\":1}]", 0},
    {"[{\"ph\":\"\",\"ts\":1}]", 0},
    {"[{\"ts\":1,\"args\":{\"ph\":\"X\"}}]", 0},
    {"[{\"args\":{\"a\":[{}]},\"ph\":\"X\",\"ts\":1}]", 70},
    {"[" E "\n" E "\n", 0}, /* a record a line */
    {"[" E "," E "\n" E "\n", 70},
    {"[{\"ph\":\"X\",broken}," E "]", 70},
    {"[{\"ph\":\"X\",broken} \t\r\n, \t\r\n" E "]", 70},
    {"[{\"ph\":\"X\",broken} x," E "]", U},
    {"[{\"ph\":\"X\",broken},x" E "]", U},
    {"{\"traceEvents\":[", 97},
    {"{\"traceEvents\":{", 97},
    {"{\"traceEvents\":5}", 0},
    {"{\"a\":{\"traceEvents\":[]},\"traceEvents\":[", 97},
    {"{\"a\":{\"traceEvents\":[]}}", 0},
    {"{\"a\":1,", U},
    {"{\"a\":1}", 0},
    {"{\"otherData\":{", -50},
    {"{\"otherData\":1}", 0},
    {"{\"otherData\":1,\"a\":1,\"b", -50},
    {"{\"displayTimeUnit\":\"ns\",", -50},
    {"{\"schemaVersion\":1,", -50},
    {"{\"deviceProperties\":[", -50},
    {"{\"stackFrames\":{", -50},
    {"{\"viztracer_metadata\":{", -50},
    {"{\"distributedInfo\":{", -50},
    {"{\"beginningOfTime\":1,", -50},
    {"{\"systemTraceEvents\":\"", U}, /* its value does not begin yet */
    {"{\"systemTraceEvents\":\"\",", -50},
    {"{\"controllerTraceDataKey\":\"a\",", -50},
    {"{\"file_info\":{", -50},
};

START_TEST(chrome)
{
	for (size_t i = 0; i < sizeof chrome_cases / sizeof *chrome_cases; i++) {
		check(&import_chrome, chrome_cases[i].text, "x", chrome_cases[i].score);
	}
	for (int c = 1; c < 0x7f; c++) {
		char text[64];
		snprintf(text, sizeof text, "[{\"ph\":\"%s%c\",\"ts\":1}]",
		         c == '"' || c == '\\' ? "\\" : "", c);
		check(&import_chrome, text, "x",
		      c >= ' ' && strchr("XBEiIRCbneSTpFstfNODMPcVv=()", c) ? 70 : 0);
	}
}
END_TEST

/* Where a trace begins behind other lines; what stands behind the head is not looked at. */
START_TEST(chrome_begins)
{
	static const struct {
		const char *text;
		size_t length, begin;
	} cases[] = {{"x\n[ {", 4, 0},       {"x\n[ {", 5, 2}, {"x\n{\"", 3, 0},  {"x\n{\"", 4, 2},
	             {"x\ny\n[\n\t{", 8, 4}, {" \n[ {", 5, 0}, {"x\n[", 3, 0},    {"x[{", 3, 0},
	             {"x\n{{", 4, 0},        {"x\n[\"", 4, 0}, {"x\n[\0{", 5, 2}, {"\0{", 2, 0}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct slice head = {cases[i].text, cases[i].length};
		ck_assert_msg(chrome_begin(head) == cases[i].begin, "%zu", i);
	}
}
END_TEST

/* Some dozen objects are looked at, and a thousand members of other kinds. */
START_TEST(chrome_looks_at_so_many)
{
	static const struct {
		const char *unit, *after;
		size_t n;
		int score;
	} cases[] = {
	    {E ",", O "," O "]", 18, 70}, {O ",", E "]", 18, 0}, {"5,", E "]", 999, 70},
	    {"5,", E "]", 1000, 0},       {"5,", "", 998, U},    {"5,", "5,", 999, 0},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct strbuf text = {0};
		strbuf_add_char(&text, '[');
		for (size_t k = 0; k < cases[i].n; k++) {
			strbuf_add_text(&text, cases[i].unit);
		}
		strbuf_add_text(&text, cases[i].after);
		check(&import_chrome, text.data, "x", cases[i].score);
		strbuf_free(&text);
	}
	/* Ten others, ten events: as many are looked at, the rest does not count. */
	struct strbuf text = {0};
	strbuf_add_char(&text, '[');
	for (size_t k = 0; k < 40; k++) {
		strbuf_add_text(&text, k < 10 ? E "," : O ",");
	}
	check(&import_chrome, text.data, "x", 70);
	strbuf_free(&text);
}
END_TEST

#define R(head, more) "{" head "\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1" more "}"
#define POSIX R("\"name\":\"read\",\"cat\":\"POSIX\",", ",\"ph\":\"X\"")
#define PLAIN R("\"name\":\"read\",\"cat\":\"x\",", ",\"ph\":\"X\"")
#define MARKED(mark) R("\"name\":\"read\",\"cat\":\"x\",", ",\"ph\":\"X\",\"args\":{" mark "}")
#define HASH MARKED("\"hhash\":\"a\"")
#define FOREIGN "{\"name\":\"read\",\"pid\":1,\"ph\":\"B\"}"

static const struct {
	const char *text;
	int unnamed, named; /* x.json, x.pfw.gz */
} dftracer_cases[] = {
    {POSIX "\n", 95, 100},
    {POSIX, 95, 100},
    {"[\n" POSIX "\n", 95, 100},
    {"\xef\xbb\xbf[\n" POSIX "\n", 95, 100},
    {"[\n" POSIX ",\n", 0, 85},
    {PLAIN "\n", 60, 85},
    {PLAIN ",\n", 0, 40},
    {HASH "\n", 95, 100},
    {HASH ",\n", 75, 85},
    {HASH ",\n" PLAIN ",\n", 75, 85},
    {HASH ",\n" PLAIN ",\n" PLAIN ",\n", 0, 40},
    {HASH "\n" PLAIN "\n" PLAIN "\n", 85, 85},
    {HASH ",\n" HASH ",\n" FOREIGN ",\n", 0, 85},
    {HASH "\n" HASH "\n" FOREIGN "\n", 95, 100},
    {POSIX "\nx\n", 95, 100},
    {POSIX "\nx\nx", 95, 100},
    {POSIX "\nx\nx\n", 0, 0},
    {POSIX "\n{\"a\n{\"a\n", 0, 0},
    {POSIX "\n{\"a\n{\"a", 95, 100},
    {POSIX "\n{\"a\":1}\n{\"a\":1}", 0, 0},
    {POSIX "\n\n\n\n", 95, 100},
    {"x\n", 0, 0},
    {"", 0, 0},
    {MARKED("\"fhash\":\"a\"") "\n", 95, 100},
    {MARKED("\"hostname\":\"a\"") "\n", 95, 100},
    {MARKED("\"fname\":\"a\"") "\n", 95, 100},
    {MARKED("\"p_idx\":\"a\"") "\n", 95, 100},
    {MARKED("\"ret\":1") "\n", 95, 100},
    {MARKED("\"other\":1") "\n", 60, 85},
    {R("\"name\":\"a\",\"cat\":\"dftracer\",", ",\"ph\":\"X\"") "\n", 95, 100},
    {R("\"name\":\"a\",\"cat\":\"STDIO\",", ",\"ph\":\"X\"") "\n", 95, 100},
    {R("\"name\":\"a\",\"cat\":\"posix\",", ",\"ph\":\"X\"") "\n", 60, 85},
    {R("\"name\":\"a\",", "") "\n", 60, 85},
    {R("\"name\":\"a\",", ",\"ph\":1") "\n", 95, 100},
    {R("\"name\":\"a\",", ",\"ph\":\"1\"") "\n", 60, 85},
    {R("\"name\":\"a\",", ",\"ph\":5") "\n", 0, 0},
    {R("\"name\":\"a\",", ",\"ph\":12") "\n", 0, 0},
    {R("\"name\":\"a\",", ",\"ph\":\"\"") "\n", 0, 0},
    {R("\"name\":\"a\",", ",\"ph\":null") "\n", 0, 0},
    {R("\"name\":1,", "") "\n", 0, 0},
    {R("", "") "\n", 0, 0},
    {"{\"name\":\"a\",\"tid\":1,\"ts\":1,\"dur\":1}\n", 0, 0},
    {"{\"name\":\"a\",\"pid\":1,\"ts\":1,\"dur\":1}\n", 0, 0},
    {"{\"name\":\"a\",\"pid\":1,\"tid\":1,\"dur\":1}\n", 0, 0},
    {"{\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1}\n", 0, 0},
};

START_TEST(dftracer)
{
	for (size_t i = 0; i < sizeof dftracer_cases / sizeof *dftracer_cases; i++) {
		check(&import_dftracer, dftracer_cases[i].text, "x.json",
		      dftracer_cases[i].unnamed);
		check(&import_dftracer, dftracer_cases[i].text, NULL, dftracer_cases[i].unnamed);
		check(&import_dftracer, dftracer_cases[i].text, "x.pfw.gz",
		      dftracer_cases[i].named);
	}
	for (int c = 'A'; c <= 'z'; c++) { /* kinds of records without times, and foreign ones */
		char text[256];
		if (!strchr("[\\]^_`", c)) {
			snprintf(text, sizeof text, "{\"name\":\"a\",\"pid\":1,\"ph\":\"%c\"}\n",
			         c);
			check(&import_dftracer, text, "x", strchr("MHCA", c) ? 60 : 0);
			snprintf(text, sizeof text,
			         HASH ",\n" HASH ",\n{\"name\":\"a\",\"ph\":\"%c\"}\n", c);
			check(&import_dftracer, text, "x",
			      strchr("BEiIRbneSTpFstfNODPcVv", c) ? 0 : 75);
		}
	}
	check(&import_dftracer, "{\"name\":\"a\",\"pid\":1,\"ph\":2}\n", "x", 95);
	check(&import_dftracer, "{\"name\":\"a\",\"pid\":1,\"ph\":3}\n", "x", 95);
	check(&import_dftracer, "{\"name\":\"a\",\"pid\":1,\"ph\":4}\n", "x", 95);
}
END_TEST

/* Forty lines are looked at; where there are commas, all. */
START_TEST(dftracer_looks_at_so_many)
{
	for (size_t n = 39; n <= 40; n++) {
		for (int has_commas = 0; has_commas < 2; has_commas++) {
			struct strbuf text = {0};
			for (size_t i = 0; i < n; i++) {
				strbuf_printf(&text, "%s%s\n", HASH, has_commas ? "," : "");
			}
			for (size_t i = 0; i < 50; i++) {
				strbuf_add_text(&text, "x\n");
			}
			check(&import_dftracer, text.data, "x", has_commas ? 0 : 95);
			strbuf_free(&text);
		}
	}
	struct strbuf text = {0};
	for (size_t i = 0; i < 41; i++) {
		strbuf_add_text(&text, i < 20 ? POSIX "\n" : "x\n");
	}
	check(&import_dftracer, text.data, "x", 95); /* 20 of 40 */
	strbuf_free(&text);
}
END_TEST

#define T1 "2021-07-26T18:42:00Z"
#define T2 "2021-07-26T18:43:00Z"

static const struct {
	const char *form, *name, *text; /* form NULL: none */
	int score;
} preemption_cases[] = {
    {"node", "x", "timestamp,count\n" T1 ",8\n", 95},
    {"node", "x", "timestamp;count\n" T1 ";8\n", 95},
    {"node", "x", "TimeStamp\tCOUNT\n" T1 "\t8\n", 95},
    {"node", "x", "timestamp,count\n", 95},
    {"node", "x", "timestamp,count\nx,y\n", 10},
    {"node", "x", "timestamp,count\n" T1 ",8\nx,y\n", 10}, /* no more than half */
    {"node", "x", "timestamp,count\n" T1 ",8\n" T2 ",8\nx,y\n", 95},
    {"node", "x", "garbage\ntimestamp,count\n" T1 ",8\n" T2 ",8\n", 95},
    {"node", "x", "# comment\ntimestamp,count\n" T1 ",8\n", 95},
    {"node", "x", "more,count,timestamp\nm,8," T1 "\n", 60},
    {"terminate", "x", "timestamp,number\n" T1 ",8\n", 95},
    {"additions", "x", ",timestamp,dt,count\n0," T1 "," T1 ",1\n", 95},
    {"found", "x", ",dt,count\n0," T1 ",1\n", 95},
    {"asg", "x", "time,count\n" T1 ",8.0\n", 95},
    {"events", "x", "0,add,n1\n5,remove,n1\n", 90},
    {"events", "x", "0;add;n1\n5;remove;n1\n", 90},
    {"events", "x", "0\tadd\tn1\n5\tremove\tn1\n", 90},
    {"events", "x", "0,add,n1,more\n5,remove,n1,more\n", 90},
    {"events", "x", "node,ms,event\nn1,0,add\n", 90},
    {"events", "x", "worker,more,at,type\nn1,m,0,add\n", 60},
    {NULL, "x", "0,Add,n1\n", 0},
    {NULL, "x", "-1,add,n1\n", 0},
    {NULL, "x", "0,add,\n", 0},
    {NULL, "x", "0,add,1.5\n", 0},
    {"p3counts", "x", "0,1\n7,2\n", 30},
    {"p3counts", "x", "5,1\n7,2\n", 0},
    {"p3counts", "x", "0,1\n0,2\n0,3\n", 30},
    {"p3counts", "x", "ms,nodes\n0,1\n7,2\n", 30},
    {"p3counts", "x", "nodes,ms\n1,0\n2,7\n", 30},
    {"p3counts", "x", "ms,nodes\n1,1\n7,2\n", 0},
    {"steps", "x", "0,1\n0,2\n5,2\n", 30},
    {"steps", "x", "0.0,1\n0.5,1\n", 30},
    {"steps", "x", "0.5,1\n0.5,2\n", 0},
    {"steps", "x", "hours,y\n0.0,1\n0.5,1\n", 30},
    {NULL, "x", "0.0,1\n0.5,2\n", 0}, /* moves and changes at once */
    {NULL, "x", "0,-1\n", 0},
    {"gcloud", "x", "2021-12-10, 13:07:45, 80\n", 85},
    {"gcloud", "x", "2021-12-10, 13:07:45, 80, more\n", 85},
    {NULL, "x", "2021-12-10, 25:07:45, 80\n", 0},
    {"reconfig", "x", "2,1000000000.5,1000000002.75,2.25\n", 80},
    {NULL, "x", "2,900000000.0,1000000002.75,2.25\n", 0},
    {"reconfig", "x", "2,900000000.5,4999999999.5,2.25\n", 80},
    {NULL, "x", "2,900000000.5,5000000000.0,2.25\n", 0},
    {"loop_times", "x", "4,1,1000000020.0,1000000022.0,1.5,0.25,2.0\n", 85},
    {"async-checkpoint", "a/checkpoint_0.csv", "1.5\n2.5\n", 20},
    {"async-checkpoint", "checkpoint/a.csv", "1.5\n2.5\n", 0},
    {"load_times", "load_0.csv", "4,1,0.5\n", 20},
    {"load_times", "x", "4,1,0.5\n", 0},
    {"engine-timing", "x", "move,1000000000.5,1000000002.75,2.25\n", 80},
    {"train-loss-time", "x", "1000000000.5,1,11.5\n", 70},
    {"train-loss-time", "x", "1000000000,1,11.5\n", 70},
    {"load_times", "load", "1000000000,1,11.5\n", 20},
    {"crash-time", "crash-time.txt", "1000000045.25\n", 20},
    {"crash-time", "x", "1000000045.25\n", 0},
    {"async-checkpoint", "crash-time.txt", "1000000045.25\n1000000046.25\n", 0},
    {"dt_tlt", "x", ",timestamp,step,loss,dt\n0,1000000000.5,1,11.5," T1 "\n", 95},
    {"dt_reconfig", "x",
     ",ws,start,end,elapsed,dt_start,dt_end\n0,2,1000000000.5,1000000002.75,2.25," T1 "," T1 "\n",
     95},
    {"liveput", "x", "[{\"interval\": [1", 95},
    {"liveput", "x", "[{\"a\": [{}], \"b\": 1, \"interval\": [1", 95},
    {NULL, "x", "[{\"interval\": [\"", 0},
    {NULL, "x", "[{\"interval\": 1", 0},
    {NULL, "x", "[{\"intervals\": [1", 0},
    {NULL, "x", "[{\"a\": 1}", 0},
    {"sky", "x", "{\"metadata\": {\"gap_seconds\": 60", 95},
    {"sky", "x", "\xef\xbb\xbf {\"metadata\": {\"gap_seconds\": 60", 95},
    {"sky", "x", "{\"metadata\": {\"a\": \"r\", \"b\": null, \"gap_seconds\": 60", 95},
    {NULL, "x", "{\"metadata\": {\"a\": [1], \"gap_seconds\": 60", 0},
    {NULL, "x", "{\"metadata\": {\"a\": {}, \"gap_seconds\": 60", 0},
    {NULL, "x", "{\"metadata\": {\"gap_seconds\": \"60\"", 0},
    {NULL, "x", "{\"metadata\": {\"a\": 1}, \"gap_seconds\": 60", 0},
    {NULL, "x", "{\"metadata\": [\"gap_seconds\", 60", 0},
    {"sky", "x", "{\"data\": [1, 2", 95},
    {"sky", "x", "{\"a\": {\"b\": [1]}, \"data\": [1, 2], \"metadata\": {\"gap_seconds\": 1", 95},
    {NULL, "x", "{\"data\": [1, 2]}", 0},
    {NULL, "x", "{\"data\": [", 0},
    {NULL, "x", "{\"data\": [1, \"x\"", 0},
    {NULL, "x", "{\"data\": [\"x\"", 0},
    {"exp-info", "x", "{\"pipe-depth\": 2", 90},
    {"exp-info", "x", "{\"a\": {\"b\": [1]}, \"auto-scaling-group\": \"x\"", 90},
    {NULL, "x", "{\"pipe-depth\": null", 0},
    {NULL, "x", "{\"pipe-depth\": {}", 0},
    {"jsonl", "x", "[0, \"add\", {\"nodes\": [\"a\"", 90},
    {"jsonl", "x", "# comment\n \t\r\n[0, \"add\", {", 90},
    {"jsonl", "x", "x\n[0, \"add\", {}]\n[0, \"add\", {}]\n", 90},
    {"jsonl", "x", "# a\n# b\n# c\nx\n[0, \"add\", {}]\n# d\n[0, \"add\", {}]\n", 90},
    {"jsonl", "x", "[1\n[0, \"add\", {}]\n[0, \"add\", {}]\n", 90},
    {NULL, "x", "x\n[0, \"add\", {}]\n", 0},
    {NULL, "x", "[0.5, \"add\", {", 0},
    {NULL, "x", "[\"0\", \"add\", {", 0},
    {NULL, "x", "[0, 1, {", 0},
    {NULL, "x", "[0, \"add\", [", 0},
    {NULL, "x", "", 0},
    {NULL, "x", "\n \n", 0},
    {NULL, "x", "[]", 0},
    {NULL, "x", "{}", 0},
};

START_TEST(preemption)
{
	for (size_t i = 0; i < sizeof preemption_cases / sizeof *preemption_cases; i++) {
		struct preemption_layout layout;
		const char *text = preemption_cases[i].text;
		preemption_recognise(slice_of(text), preemption_cases[i].name, &layout);
		const char *form =
		    layout.form == FORM_NONE ? "none" : preemption_shapes[layout.form].name;
		const char *want = preemption_cases[i].form ? preemption_cases[i].form : "none";
		ck_assert_msg(strcmp(form, want) == 0, "%s, not %s\n%s", form, want, text);
		ck_assert(!layout.is_unsure);
		preemption_layout_free(&layout);
		check(&import_preemption, text, preemption_cases[i].name,
		      preemption_cases[i].score);
		ck_assert_int_eq(
		    import_preemption.group_of(slice_of(text), preemption_cases[i].name),
		    layout.form >= FORM_EVENTS && layout.form <= FORM_LIVEPUT ? GROUP_EACH
									      : GROUP_TREE);
	}
}
END_TEST

START_TEST(preemption_layouts)
{
	struct preemption_layout layout;

	preemption_recognise(slice_of("worker;more;at;type\nn1;m;0;add\n"), "x", &layout);
	ck_assert_int_eq(layout.delimiter, ';');
	ck_assert(layout.is_named);
	ck_assert_uint_eq(layout.places[0], 2);
	ck_assert_uint_eq(layout.places[1], 3);
	ck_assert_uint_eq(layout.places[2], 0);
	ck_assert(slice_is(strbuf_slice(&layout.header), "worker;more;at;type"));
	preemption_layout_free(&layout);

	preemption_recognise(slice_of("dt,count\n" T1 ",1\n"), "x", &layout);
	ck_assert_int_eq(layout.form, FORM_FOUND); /* an index may be missing */
	ck_assert_uint_eq(layout.places[0], PLACE_NONE);
	ck_assert_uint_eq(layout.places[1], 0);
	ck_assert_uint_eq(layout.places[2], 1);
	preemption_layout_free(&layout);

	preemption_recognise(slice_of("0\tadd\tn1\n"), "x", &layout);
	ck_assert_int_eq(layout.delimiter, '\t');
	ck_assert(!layout.is_named);
	ck_assert_uint_eq(layout.places[2], 2);
	ck_assert_uint_eq(layout.header.len, 0);
	preemption_layout_free(&layout);
}
END_TEST

/* A line in ten of a form in a long head: more bytes may show more. */
START_TEST(preemption_asks_for_more)
{
	for (unsigned every = 1; every < 13; every++) {
		struct strbuf text = {0};
		for (unsigned i = 0; i < 6000; i++) {
			strbuf_add_text(&text, i % every ? "words\n" : "0,add,n1\n");
		}
		check(&import_preemption, text.data, "x", every == 1 ? 90 : every <= 10 ? U : 0);
		text.data[20000] = '\0';
		check(&import_preemption, text.data, "x", every == 1 ? 90 : 0);
		strbuf_free(&text);
	}
}
END_TEST

START_TEST(preemption_pools)
{
	static const struct {
		const char *path, *trace,
		    *other; /* of a file of one trace among several, of others */
	} cases[] = {
	    {"a/us-east.csv", "us-east", "us-east"},
	    {"us-east-node-trace.csv.gz", "us-east", "us-east-node-trace"},
	    {"us-node-trace.csv", "us", "us-node-trace"},
	    {"us_terminate_trace.txt", "us", "us_terminate_trace"},
	    {"us-additions.json", "us", "us-additions"},
	    {"us_preemptions-trace.jsonl", "us", "us_preemptions-trace"},
	    {"us_node.csv", "us", "us_node"},
	    {"us-found-preemptions.csv", "us", "us-found-preemptions"},
	    {"-", "trace", "trace"},
	    {".csv", ".csv", ".csv"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct slice trace = preemption_pool_name(cases[i].path, FORM_NODE),
			     found = preemption_pool_name(cases[i].path, FORM_FOUND),
			     other = preemption_pool_name(cases[i].path, FORM_ASG);
		ck_assert_msg(slice_is(trace, cases[i].trace), "%s: %.*s", cases[i].path,
		              (int)trace.len, trace.ptr);
		ck_assert(slice_equal(trace, found));
		ck_assert_msg(slice_is(other, cases[i].other), "%s: %.*s", cases[i].path,
		              (int)other.len, other.ptr);
	}
}
END_TEST

#define ROW "{\"action\":\"taskStarted\",\"task\":\"a\",\"worker\":\"w\",\"at\":1}\n"
static const struct scored cascade_cases[] = {
    {ROW, 95},
    {ROW "{\"a\":1}\n", 95},
    {ROW "{\"a\":1}\n{\"a\":1}\n", 0},
    {"{\"a\":1}\n", 0},
    {"words\n", U},
    {"words", 0},
    {"", 0},
    {"[{\"a\":1}]\n", 0},
};

static const struct scored counters_cases[] = {
    {"time,host,name,value\n1700000000,h,c,1\n", 90},
    {"\xef\xbb\xbftime,host,name,value\n1700000000,h,c,1\n", 90},
    {"Value; Name ;HOST;TIME\n1;c;h;1700000000\n", 90},
    {"time\thost\tname\tvalue\n1700000000\th\tc\t1\n", 90},
    {"time,host,name,value,more\n1700000000,h,c,1,m\n", 90},
    {"time,host,name,value\n", 90},
    {"above\ntime,host,name,value\n", 90},
    {"above\nit\ntime,host,name,value\n", 0},
    {"above\ntime,host,name,value\n1700000000,h,c,1\n1700000000,h,c,1\n", 90},
    {"above\ntime,host,name,value\n1700000000,h,c,1\n", 0},
    {"time,host,name,value\n1,2,3\n", 10},
    {"time,host,name,value\n1700000000,h,c,1\n1,2,3\n", 10},
    {"time,host,name,value\n1700000000,h,c,1\n1,2,3", 90}, /* which may be cut */
    {"time,host,name,value\n1700000000,h,c,1\ntime,host,name,value\n", 90},
    {"time,host,name,value\n1700000000,h,c,nan\n", 10},
    {"time,host,name,value\nsoon,h,c,1\n", 10},
    {"time,host,name,value\n-1,h,c,1\n", 10},
    {"time,host,name\n1700000000,h,c\n", 0},
    {"1700000000,h,c,1\n", 0},
    {"", 0},
};

START_TEST(others)
{
	for (size_t i = 0; i < sizeof cascade_cases / sizeof *cascade_cases; i++) {
		check(&import_cascade, cascade_cases[i].text, "x", cascade_cases[i].score);
	}
	ck_assert_int_eq(import_cascade.sniff((struct slice){"a\0b\n", 4}, "x"), 0);
	for (size_t i = 0; i < sizeof counters_cases / sizeof *counters_cases; i++) {
		check(&import_counters, counters_cases[i].text, "x", counters_cases[i].score);
	}
	check(&import_dasf, "", "a/x.msgpack", 10);
	check(&import_dasf, "", ".msgpack", 0);
	check(&import_dasf, "", "x.csv", 0);
	check(&import_dasf, "", NULL, 0);
	check(&import_dataload, "threadpool_size,block_size,batch_completion_time", "x", 100);
	check(&import_dataload, "threadpool_size,block_size,batch_completion_time\r\n", "x", 100);
	check(&import_dataload, "sim_compute_time: 1", "x", 90);
	check(&import_dataload, "2,120", "a/opt_config", 60);
	check(&import_dataload, "2,120", "opt_config.gz", 60);
	check(&import_dataload, "2,120", "a/opt_config2", 0);
	check(&import_dataload, "2,120", NULL, 0);
	for (size_t n = 255; n <= 256; n++) {
		char text[257] = "sim_compute_time:";
		memset(text + strlen(text), '1', n - strlen(text));
		text[n] = '\0';
		check(&import_dataload, text, "x", n < 256 ? 90 : 0);
		memset(text, '1', n);
		check(&import_dataload, text, "opt_config", n < 256 ? 60 : 0);
	}
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("sniff scores");
	TCase *tcase = tcase_create("scores");

	tcase_add_test(tcase, chrome);
	tcase_add_test(tcase, chrome_begins);
	tcase_add_test(tcase, chrome_looks_at_so_many);
	tcase_add_test(tcase, dftracer);
	tcase_add_test(tcase, dftracer_looks_at_so_many);
	tcase_add_test(tcase, preemption);
	tcase_add_test(tcase, preemption_layouts);
	tcase_add_test(tcase, preemption_asks_for_more);
	tcase_add_test(tcase, preemption_pools);
	tcase_add_test(tcase, others);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
