/* Recognition by all formats together: no fixture and no sample is taken for one of another format,
 * whole heads or short ones; what stands beside the traces, and random bytes, are nobody's. */
#include "config.h"
#include "import/import.h"

#include <ftw.h>
#include <stdlib.h>
#include <string.h>

#include "record_sink.h"
#include "unit.h"
#include "util/prng.h"

#define HEAD_BYTES ((size_t)64 << 10)

static unsigned n_recognised;

static size_t root_length; /* of the paths that are walked */

/* The format whose folder a path lies in; NULL: none. */
static const struct import_format *
format_of_path(const char *path)
{
	for (size_t i = 0; import_formats[i]; i++) {
		char folder[64];
		snprintf(folder, sizeof folder, "/%s/", import_formats[i]->name);
		if (strstr(path + root_length, folder)) {
			return import_formats[i];
		}
	}
	return NULL;
}

static bool
is_beside(const char *path)
{
	static const char *const words[] = {"/expected/", "README", "manifest.json",
	                                    "index.json", ".py",    ".zindex"};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		if (strstr(path, words[i])) {
			return true;
		}
	}
	return false;
}

static int
sniff_file(const char *path, const struct stat *status, int type, struct FTW *where)
{
	static const size_t cuts[] = {HEAD_BYTES, 16384, 4096, 1024};
	const struct import_format *want = format_of_path(path);
	struct err err = ERR_INIT;
	struct slice head;
	(void)status;
	(void)where;
	struct input *input = type == FTW_F && want ? input_open(path, &err) : NULL;
	if (!input || input_peek(input, HEAD_BYTES, &head, &err) != 0) {
		input_close(input);
		return 0;
	}
	for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
		struct slice cut = {head.ptr, head.len < cuts[i] ? head.len : cuts[i]};
		const struct import_format *found = import_sniff(cut, path);
		if (found && strcmp(found->name, "counters") == 0 &&
		    strcmp(want->name, "chrome") == 0) {
			continue; /* counters given with a trace lie beside it */
		}
		ck_assert_msg(!found || found == want, "%s, %zu bytes: %s", path, cut.len,
		              found ? found->name : "");
		ck_assert_msg(!found || !is_beside(path), "%s: %s", path, found ? found->name : "");
		n_recognised += found == want && i == 0;
	}
	input_close(input);
	return 0;
}

START_TEST(fixtures)
{
	const char *source = getenv("LANESCOPE_SRCDIR");
	char folder[4096];
	snprintf(folder, sizeof folder, "%s/tests/data", source ? source : ".");
	if (access(folder, R_OK) != 0) {
		return;
	}
	n_recognised = 0;
	root_length = strlen(folder);
	ck_assert_int_eq(nftw(folder, sniff_file, 16, FTW_PHYS), 0);
	ck_assert_uint_gt(n_recognised, 50);
}
END_TEST

START_TEST(samples)
{
	const char *folder = unit_shared();
	if (!folder) {
		return;
	}
	n_recognised = 0;
	root_length = strlen(folder);
	ck_assert_int_eq(nftw(folder, sniff_file, 16, FTW_PHYS), 0);
	ck_assert_uint_gt(n_recognised, 200);
}
END_TEST

/* Bytes of any kind, of text, and of what JSON, CSV and MessagePack are made of. */
START_TEST(random_bytes)
{
	static const char json[] = "[{\"}],:0123456789 \n", csv[] = "0123456789,.-:\n\" abc",
			  packed[] = "\0\0\0\0\0\0\0\x40\x87\xa4\xcb\xd9nameXtimestamp";
	static const struct {
		const char *bytes;
		size_t n;
	} alphabets[] = {
	    {json, sizeof json - 1}, {csv, sizeof csv - 1}, {packed, sizeof packed - 1}};
	struct prng prng = {23 + (uint64_t)_i};
	char bytes[2048];
	for (unsigned round = 0; round < 3000; round++) {
		size_t n = 1 + prng_below(&prng, sizeof bytes);
		for (size_t i = 0; i < n; i++) {
			bytes[i] = _i == 3 ? (char)prng_next(&prng)
			           : _i == 4
			               ? (char)(32 + prng_below(&prng, 95))
			               : alphabets[_i].bytes[prng_below(&prng, alphabets[_i].n)];
		}
		const struct import_format *found = import_sniff((struct slice){bytes, n}, "x");
		ck_assert_msg(!found, "round %u, %zu bytes: %s", round, n,
		              found ? found->name : "");
	}
}
END_TEST

#define EVENT "{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":2,\"pid\":1,\"tid\":1}"

/* What is recognised in `before`, a filling of `n` times `fill`, and `after`. */
static const struct import_format *
recognise(const char *before, const char *fill, size_t n, const char *after,
          const struct import_format *only)
{
	const struct import_format *format = NULL;
	struct strbuf text = {0};
	struct err err = ERR_INIT;
	struct slice head, again;

	strbuf_add_text(&text, before);
	for (size_t i = 0; i < n; i++) {
		strbuf_add_text(&text, fill);
	}
	strbuf_add_text(&text, after);
	struct input *input = input_from_memory(strbuf_slice(&text), 0);
	ck_assert_int_eq(import_recognise(input, only, &format, &head, &err), 0);
	ck_assert_uint_gt(head.len, 0);
	ck_assert_int_eq(input_peek(input, 1, &again, &err), 0); /* nothing was consumed */
	ck_assert_int_eq(again.ptr[0], text.data[0]);
	input_close(input);
	strbuf_free(&text);
	return format;
}

/* The list of events stands behind long members, or its first event is long. */
START_TEST(far_events)
{
	static const struct {
		const char *before, *fill, *after;
	} cases[] = {
	    {"{\"metadata\":{\"sourceMaps\":\"", "x", "\"},\"traceEvents\":[" EVENT "]}"},
	    {"{\"clientInfo\":\"", "x", "\",\"traceEvents\":[" EVENT "]}"},
	    {"{\"traceAnnotations\":{\"a\":[0", ",1", "]},\"traceEvents\":[" EVENT "]}"},
	    {"{\"samples\":[{\"cpu\":0}", ",{\"cpu\":1}", "],\"traceEvents\":[" EVENT "]}"},
	    {"{\"mine\":[[]", ",[]", "],\"traceEvents\":{\"traceEvents\":[]}}"},
	    {"[{\"ph\":\"X\",\"name\":\"", "x", "\",\"ts\":1,\"pid\":1,\"tid\":1}]"},
	    {"[{\"args\":{\"a\":\"", "x", "\"},\"ph\":\"i\",\"name\":\"a\",\"ts\":1}," EVENT},
	};
	static const size_t lengths[] = {60000, 70000, 200000, 1000000};
	const struct import_format *chrome = import_find("chrome");
	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		const char *before = cases[_i].before, *fill = cases[_i].fill;
		ck_assert_ptr_eq(recognise(before, fill, lengths[i], cases[_i].after, NULL),
		                 chrome);
		ck_assert_ptr_eq(recognise(before, fill, lengths[i], cases[_i].after, chrome),
		                 chrome);
		ck_assert_ptr_null(
		    recognise(before, fill, lengths[i], cases[_i].after, import_find("dftracer")));
	}
	ck_assert_ptr_null(recognise(cases[_i].before, cases[_i].fill, (size_t)20 << 20, "", NULL));
}
END_TEST

/* What wrote a trace to its standard output wrote lines of its own above it. */
START_TEST(lines_above)
{
	static const char *const above[] = {"Warning: no device\n",
	                                    "[INFO] recording ...\n{not JSON}\n",
	                                    "\n\n1 of 2 done, [3] left\r\n"};
	static const char *const traces[] = {
	    "{\"traceEvents\":[" EVENT "," EVENT "]}", "[" EVENT "," EVENT "]",
	    "[\n  " EVENT ",\n  " EVENT "\n]\n", "{\n \"traceEvents\": [\n" EVENT "," EVENT "]\n}"};
	const struct import_format *chrome = import_find("chrome");

	for (size_t i = 0; i < sizeof above / sizeof *above; i++) {
		struct strbuf text = {0};
		bool is_first =
		    above[i][0] ==
		    '['; /* a list that is none, to the rule: only behind another line */
		strbuf_printf(&text, "%s%s%s", is_first ? "start\n" : "", above[i], traces[_i]);
		ck_assert_msg(import_sniff(strbuf_slice(&text), "x") == chrome, "%s", text.data);
		struct record_sink *recorded = record_sink_new();
		ck_assert_int_eq(
		    record_bytes(recorded, chrome, text.data, text.len, 0, false, NULL), 0);
		ck_assert_uint_eq(recorded->facts.records, 2);
		ck_assert_uint_eq(recorded->facts.bad_records, 1);
		ck_assert_uint_eq(recorded->n_problems, 1);
		ck_assert_uint_eq(recorded->problems[0].offset, 0);
		record_sink_free(recorded);
		strbuf_free(&text);
	}
}
END_TEST

#define LOG_ROW                                                                                    \
	"2025-04-11 12:00:00,000:DEBUG:cascade.low.tracing.marker:39:#host=h;task=a;"              \
	"action=task_planned;worker=h0.w0;at=1744372800000000000\n"

/* The first row of a log stands behind lines of other loggers, of any length. */
START_TEST(far_rows)
{
	static const size_t lengths[] = {10, 1000, 10000, 100000};
	const struct import_format *cascade = import_find("cascade");

	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		ck_assert_ptr_eq(recognise("begin\n", "2024-10-15 [x] {y} compiling, 3 of 4\n",
		                           lengths[i], LOG_ROW LOG_ROW, NULL),
		                 cascade);
		ck_assert_ptr_null(
		    recognise("begin\n", "2024-10-15 tracing\n", lengths[i], "", NULL));
	}
}
END_TEST

/* Documents of others, short and long. */
START_TEST(other_documents)
{
	static const struct {
		const char *before, *fill, *after;
	} cases[] = {
	    {"{\"name\":\"p\",\"dependencies\":{\"a\":\"1\"", ",\"b\":\"2\"", "}}"},
	    {"{\"type\":\"FeatureCollection\",\"features\":[{}", ",{\"type\":\"Feature\"}", "]}"},
	    {"{\"schemaVersion\":2,\"layers\":[{}", ",{\"size\":1}", "]}"},
	    {"{\"samples\":[0", ",1", "]}"},
	    {"[0", ",1.5", "]"},
	    {"[\"a\"", ",\"b\"", "]"},
	    {"[{\"name\":\"a\",\"ts\":1}", ",{\"name\":\"b\",\"ts\":2,\"pid\":3}", "]"},
	    {"[{\"name\":\"a\",\"samples\":[0", ",1", "]},{\"name\":\"b\"}]"},
	    {"[{\"name\":\"soil\",\"ph\":\"6\"}", ",{\"name\":\"clay\",\"ph\":\"7\"}", "]"},
	    {"{\"a\":1}\n", "{\"a\":1}\n", ""},
	};
	static const size_t lengths[] = {0, 1, 10, 1000, 100000};
	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		const struct import_format *found =
		    recognise(cases[_i].before, cases[_i].fill, lengths[i], cases[_i].after, NULL);
		ck_assert_msg(!found, "%s, %zu: %s", cases[_i].before, lengths[i],
		              found ? found->name : "");
	}
}
END_TEST

/* What begins an event claims it, but behind whoever is sure. */
START_TEST(claims)
{
	static const char part[] = "[{\"ph\":\"X\",\"ts\":1,\"name\":\"lo",
			  record[] = "{\"id\":1,\"name\":\"read\",\"cat\":\"POSIX\",\"pid\":1,"
				     "\"tid\":1,\"ts\":1,\"dur\":1,\"ph\":\"X\",\"args\":{}}\n";
	char text[400];
	ck_assert_ptr_eq(import_sniff(slice_of(part), "x"), import_find("chrome"));
	snprintf(text, sizeof text, "[\n%s", record);
	ck_assert_ptr_eq(import_sniff(slice_of(text), "x"), import_find("dftracer"));
	ck_assert_ptr_eq(import_sniff(slice_of("{\"otherData\":{\"a\":"), "x"),
	                 import_find("chrome"));
	ck_assert_ptr_null(import_sniff(slice_of("{\"metadata\":{\"a\":"), "x"));
}
END_TEST

/* ---- lines of no meaning among those of a trace ---- */

struct line_trace {
	const char *format, *dialect; /* dialect: NULL any */
	const char *lines[8];
};
static const struct line_trace line_traces[] = {
    {"dftracer",
     NULL,
     {"{\"id\":1,\"name\":\"read\",\"cat\":\"POSIX\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1,\"ph\":"
      "\"X\",\"args\":{}}",
      "{\"id\":2,\"name\":\"open\",\"cat\":\"POSIX\",\"pid\":1,\"tid\":1,\"ts\":2,\"dur\":1,\"ph\":"
      "\"X\",\"args\":{}}"}},
    {"cascade",
     NULL,
     {"{\"action\":\"taskStarted\",\"task\":\"a\",\"worker\":\"w\",\"at\":1}",
      "{\"action\":\"taskFinished\",\"task\":\"a\",\"worker\":\"w\",\"at\":2}"}},
    {"counters", NULL, {"1700000000,h,c,1", "1700000001,h,c,2"}},
    {"preemption", "events", {"0,add,n1", "5,add,n2", "9,remove,n1"}},
    {"preemption", "p3counts", {"0,1", "7,2", "9,3"}},
    {"preemption", "steps", {"0.0,1", "0.5,1"}},
    {"preemption", "gcloud", {"2021-12-10, 13:07:45, 80", "2021-12-10, 13:08:45, 70"}},
    {"preemption", "node", {"2021-07-26T23:40:00Z,4", "2021-07-26T23:50:00+02:00,9"}},
    {"preemption", "asg", {"2021-09-14 05:18:00,0.0", "2021-09-14 05:19:00,16.0"}},
    {"preemption",
     "jsonl",
     {"[0, \"add\", {\"nodes\": [\"a\"]}]", "[5, \"remove\", {\"nodes\": [\"a\"]}]"}},
    {"preemption",
     "loop_times",
     {"4,1,1000000020.0,1000000022.0,1.5,0.25,2.0", "4,2,1000000026.0,1000000028.0,1.5,0.25,2.0"}},
};

static const char *
header_of(const struct line_trace *trace)
{
	return strcmp(trace->format, "counters") == 0                  ? "time,host,name,value\n"
	       : trace->dialect && strcmp(trace->dialect, "node") == 0 ? "timestamp,count\n"
	       : trace->dialect && strcmp(trace->dialect, "asg") == 0  ? "time,count\n"
	                                                               : "";
}

/* Whatever stands before, between and behind the lines of a trace, if it is less than they are: the
 * trace is what it is, all of its lines are read, and each of the others is a problem of its
 * line. */
START_TEST(garbage_among_lines)
{
	static const char *const garbage[] = {"garbage",
	                                      "\"open",
	                                      "{\"half\": ",
	                                      "a,b\"c,d",
	                                      "[1, 2",
	                                      "\x01\x02\xff",
	                                      "Traceback (most recent call last):",
	                                      "--- ; ,,, ---",
	                                      "}",
	                                      "x,y,z,w,v"};
	const struct line_trace *trace = &line_traces[_i];
	struct prng prng = {31 + (uint64_t)_i};

	for (unsigned round = 0; round < 60; round++) {
		struct strbuf text = {0};
		uint64_t line = 1, bad[64], n_bad = 0, n_lines = 10 + prng_below(&prng, 60);
		bool has_header = header_of(trace)[0] == '\0';
		for (uint64_t i = 0; i < n_lines; line++) {
			bool is_bad = round % 2 ? line == 1 : prng_below(&prng, 4) == 0;
			if (is_bad && n_bad < 64 && 2 * n_bad + 4 < n_lines) {
				bad[n_bad++] = line;
				strbuf_printf(
				    &text, "%s\n",
				    garbage[prng_below(&prng, sizeof garbage / sizeof *garbage)]);
			} else if (!has_header) {
				strbuf_add_text(&text, header_of(trace));
				has_header = true;
			} else {
				size_t n = 0;
				while (trace->lines[n]) {
					n++;
				}
				strbuf_printf(&text, "%s\n", trace->lines[i++ % n]);
			}
		}
		const struct import_format *found = import_sniff(strbuf_slice(&text), "x");
		ck_assert_msg(found && strcmp(found->name, trace->format) == 0, "%s: %s\n%s",
		              trace->format, found ? found->name : "none", text.data);
		struct record_sink *recorded = record_sink_new();
		ck_assert_int_eq(record_bytes(recorded, found, text.data, text.len, 0, false, NULL),
		                 0);
		ck_assert_msg(recorded->facts.records == n_lines, "%s: %zu of %zu\n%s",
		              trace->format, (size_t)recorded->facts.records, (size_t)n_lines,
		              text.data);
		ck_assert(!trace->dialect || strcmp(recorded->facts.dialect, trace->dialect) == 0);
		for (uint64_t i = 0; i < n_bad; i++) {
			size_t n = 0;
			while (n < recorded->n_problems && recorded->problems[n].record != bad[i]) {
				n++;
			}
			ck_assert_msg(n < recorded->n_problems, "%s: line %zu\n%s", trace->format,
			              (size_t)bad[i], text.data);
		}
		record_sink_free(recorded);
		strbuf_free(&text);
	}
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("sniff");
	TCase *tcase = tcase_create("sniff");
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, fixtures);
	tcase_add_test(tcase, samples);
	tcase_add_loop_test(tcase, random_bytes, 0, 5);
	tcase_add_loop_test(tcase, far_events, 0, 7);
	tcase_add_loop_test(tcase, lines_above, 0, 4);
	tcase_add_test(tcase, far_rows);
	tcase_add_loop_test(tcase, other_documents, 0, 10);
	tcase_add_test(tcase, claims);
	tcase_add_loop_test(tcase, garbage_among_lines, 0,
	                    sizeof line_traces / sizeof *line_traces);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
