/*
 * Runs as Chrome traces: what is read back with another JSON reader is what went in, and on every
 * thread the spans nest. Random traces, whose threads hold spans that overlap in all ways, against
 * every pair of spans.
 */
#include "config.h"
#include "unit.h"

#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "export/chrome.h"
#include "folder.h"
#include "ingest/ingest.h"
#include "seal.h"
#include "util/mem.h"
#include "util/prng.h"

#define SPANS 1500
#define TRACES 6

struct expected {
	int64_t start_ns, duration_ns;
	int64_t thread; /* of the input */
	int64_t number; /* an argument */
	bool is_seen;
};
struct thread_span {
	int64_t start_ns, end_ns, thread;
};

static char folder[64];

static void
set_up(void)
{
	strcpy(folder, folder_new());
}

static void
tear_down(void)
{
	folder_remove(folder);
}

static char *
path_of(const char *name)
{
	struct strbuf path = {0};

	strbuf_printf(&path, "%s/%s", folder, name);
	return strbuf_take(&path);
}

static void
write_file(const char *path, const struct strbuf *text)
{
	FILE *file = fopen(path, "w");

	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(text->data, 1, text->len, file), text->len);
	ck_assert_int_eq(fclose(file), 0);
}

/* Imports the trace text as a run; the run file's path, to be freed. */
static char *
import_text(const struct strbuf *text)
{
	char *trace = path_of("trace.json"), *run = path_of("run.lanes");
	const char *traces[] = {trace};
	struct ingest_options options = {.out = run};
	struct err err = ERR_INIT;

	write_file(trace, text);
	struct ingest_plans *plans = ingest_plan(traces, 1, &options, &err);
	ck_assert_msg(plans != NULL, "%s", err.message);
	ck_assert_uint_eq(plans->n_plans, 1);
	ck_assert_msg(ingest_run(&plans->plans[0], &options, NULL, NULL, &err) == 0, "%s",
	              err.message);
	ingest_plans_free(plans);
	free(trace);
	return run;
}

/* Exports it and reads that back with jansson; integers beyond 64 bits become reals. */
static json_t *
export_run(const char *run, const struct chrome_options *options, struct chrome_written *written)
{
	char *path = path_of("out.json");
	struct err err = ERR_INIT;
	struct store *store = store_open(run, &err);
	json_error_t error;

	ck_assert_msg(store != NULL, "%s", err.message);
	struct gzip_writer *out = gzip_writer_open(path, 0, &err);
	ck_assert_ptr_nonnull(out);
	ck_assert_msg(chrome_export(store, options, out, written, &err) == 0, "%s", err.message);
	ck_assert_int_eq(gzip_writer_close(out, &err), 0);
	store_close(store);
	json_t *trace = json_load_file(path, JSON_DECODE_INT_AS_REAL | JSON_ALLOW_NUL, &error);
	ck_assert_msg(trace != NULL, "%s at %d", error.text, error.position);
	free(path);
	return trace;
}

static const struct chrome_options everything = {.from_ns = INT64_MIN, .to_ns = INT64_MAX};

static int64_t
ns_of(const json_t *event, const char *member)
{
	return llround(json_real_value(json_object_get(event, member)) * 1000);
}

static bool
has_phase(const json_t *event, const char *phase)
{
	return strcmp(json_string_value(json_object_get(event, "ph")), phase) == 0;
}

/* Spans of a few threads, of which every other one nests them. */
static void
make_trace(struct prng *prng, struct expected *spans, struct strbuf *text)
{
	strbuf_add_text(text, "[");
	for (size_t i = 0; i < SPANS; i++) {
		struct expected *span = &spans[i];
		int64_t length = INT64_C(1) << prng_below(prng, 20);

		*span = (struct expected){.thread = (int64_t)prng_below(prng, 6),
		                          .number = (int64_t)i,
		                          .duration_ns = length};
		span->start_ns = (int64_t)prng_below(prng, 1 << 20);
		if (span->thread % 2 == 0) { /* intervals of a tree */
			span->start_ns -= span->start_ns % length;
		}
		strbuf_printf(text,
		              "%s{\"name\":\"s%zu\",\"ph\":\"X\",\"pid\":%d,\"tid\":%lld,"
		              "\"ts\":%lld.%03d,\"dur\":%lld.%03d,\"args\":{\"n\":%zu}}",
		              i ? ",\n" : "", i % 7, (int)(span->thread % 3),
		              (long long)span->thread, (long long)(span->start_ns / 1000),
		              (int)(span->start_ns % 1000), (long long)(length / 1000),
		              (int)(length % 1000), i);
	}
	strbuf_add_text(text, "]");
}

static void
check_nesting(const struct thread_span *spans, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < n; j++) {
			const struct thread_span *a = &spans[i], *b = &spans[j];

			if (a->thread == b->thread && a->start_ns < b->start_ns &&
			    b->start_ns < a->end_ns && a->end_ns < b->end_ns) {
				ck_abort_msg("spans %zu and %zu overlap on a thread", i, j);
			}
		}
	}
}

START_TEST(test_random)
{
	struct prng prng = {(uint64_t)_i + 1};
	struct expected *spans = xcalloc(SPANS, sizeof *spans);
	struct thread_span *found = xcalloc(SPANS, sizeof *found);
	struct strbuf text = {0};
	struct chrome_written written;
	size_t n = 0, i;
	json_t *event;

	make_trace(&prng, spans, &text);
	char *run = import_text(&text);
	json_t *trace = export_run(run, &everything, &written);
	int64_t origin_ns = INT64_MAX;
	for (i = 0; i < SPANS; i++) {
		origin_ns = spans[i].start_ns < origin_ns ? spans[i].start_ns : origin_ns;
	}
	json_array_foreach(json_object_get(trace, "traceEvents"), i, event)
	{
		if (!has_phase(event, "X")) {
			continue;
		}
		double number =
		    json_number_value(json_object_get(json_object_get(event, "args"), "n"));
		ck_assert(number >= 0 && number < SPANS);
		struct expected *span = &spans[(size_t)number];
		ck_assert(!span->is_seen);
		span->is_seen = true;
		ck_assert_int_eq(ns_of(event, "ts"), span->start_ns - origin_ns);
		ck_assert_int_eq(ns_of(event, "dur"), span->duration_ns);
		double pid = json_number_value(json_object_get(event, "pid"));
		ck_assert_int_eq((int64_t)pid, span->thread % 3);
		double tid = json_number_value(json_object_get(event, "tid"));
		ck_assert(span->thread % 2 == 1 || (int64_t)tid == span->thread);
		found[n++] = (struct thread_span){ns_of(event, "ts"),
		                                  ns_of(event, "ts") + ns_of(event, "dur"),
		                                  (int64_t)pid << 32 | (int64_t)tid};
	}
	ck_assert_uint_eq(n, SPANS);
	ck_assert_int_eq(written.n_spans, SPANS);
	check_nesting(found, n);
	json_decref(trace);
	strbuf_free(&text);
	free(run);
	free(found);
	free(spans);
}
END_TEST

/* What a window leaves is what touches it. */
START_TEST(test_window)
{
	struct prng prng = {99};
	struct expected *spans = xcalloc(SPANS, sizeof *spans);
	struct strbuf text = {0};
	struct chrome_options options = {.from_ns = 300000, .to_ns = 400000};
	struct chrome_written written;
	int64_t n = 0, origin_ns = INT64_MAX;

	make_trace(&prng, spans, &text);
	for (size_t i = 0; i < SPANS; i++) {
		origin_ns = spans[i].start_ns < origin_ns ? spans[i].start_ns : origin_ns;
	}
	for (size_t i = 0; i < SPANS; i++) {
		int64_t start_ns = spans[i].start_ns - origin_ns;

		n += start_ns < 400000 && start_ns + spans[i].duration_ns > 300000;
	}
	char *run = import_text(&text);
	json_decref(export_run(run, &options, &written));
	ck_assert_int_eq(written.n_spans, n);
	ck_assert(n > 0 && n < SPANS);
	strbuf_free(&text);
	free(run);
	free(spans);
}
END_TEST

/* Names and values that are hard on a writer: what comes out is JSON, and says the same. */
START_TEST(test_hostile)
{
	static const char bytes[] =
	    "[{\"name\":\"\\u0000\\\"\\\\\x01\xff\xfe\",\"ph\":\"X\",\"ts\":1,\"dur\":1,\"pid\":"
	    "\"\\u0007\","
	    "\"tid\":{},\"args\":{\"\\\"k\":\"\\u001b]0;x\\u0007\",\"nan\":{\"a\":NaN},\"list\":[1,"
	    "],"
	    "\"lanescope\":\"own\",\"u\":18446744073709551615}},"
	    "{\"name\":\"n\",\"ph\":\"C\",\"ts\":1,\"pid\":1,\"args\":{\"x\":1e-320}},"
	    "{\"name\":\"</"
	    "script>\",\"ph\":\"i\",\"ts\":2,\"pid\":-1,\"tid\":9223372036854775807}]";
	struct strbuf text = {0};
	struct chrome_written written;
	size_t i, n = 0;
	json_t *event;

	strbuf_add(&text, bytes, sizeof bytes - 1);
	char *run = import_text(&text);
	json_t *trace = export_run(run, &everything, &written);
	json_array_foreach(json_object_get(trace, "traceEvents"), i, event)
	{
		const json_t *args = json_object_get(event, "args");

		ck_assert(json_is_number(json_object_get(event, "pid")));
		if (has_phase(event, "X")) {
			ck_assert_str_eq(json_string_value(json_object_get(args, "\"k")),
			                 "\x1b]0;x\x07");
			ck_assert_str_eq(json_string_value(json_object_get(args, "lanescope")),
			                 "own");
			n++;
		} else if (has_phase(event, "i")) {
			ck_assert_str_eq(json_string_value(json_object_get(event, "name")),
			                 "</script>");
			n++;
		}
	}
	ck_assert_uint_eq(n, 2);
	json_decref(trace);
	strbuf_free(&text);
	free(run);
}
END_TEST

/* A nested value is stored as text: one that was changed in the file comes out as a string. */
START_TEST(test_changed_value)
{
	struct strbuf text = {0}, bytes = {0};
	struct chrome_written written;
	char buffer[4096];
	size_t i, n = 0, got;
	json_t *event;

	strbuf_add_text(&text,
	                "[{\"name\":\"n\",\"ph\":\"X\",\"ts\":1,\"dur\":1,\"pid\":1,\"tid\":1,"
	                "\"args\":{\"v\":{\"patch\":[\"me\"]}}}]");
	char *run = import_text(&text);
	FILE *file = fopen(run, "r");
	while ((got = fread(buffer, 1, sizeof buffer, file)) > 0) {
		strbuf_add(&bytes, buffer, got);
	}
	fclose(file);
	for (char *at = bytes.data; at < bytes.data + bytes.len - 18; at++) {
		if (memcmp(at, "{\"patch\":[\"me\"]}", 16) == 0) {
			at[15] = '"';
			n++;
		}
	}
	ck_assert_uint_ge(n, 1);
	write_file(run, &bytes);
	seal_pages(run);
	json_t *trace = export_run(run, &everything, &written);
	json_array_foreach(json_object_get(trace, "traceEvents"), i, event)
	{
		ck_assert(!has_phase(event, "X") ||
		          json_is_string(json_object_get(json_object_get(event, "args"), "v")));
	}
	ck_assert_int_eq(written.n_spans, 1);
	json_decref(trace);
	strbuf_free(&text);
	strbuf_free(&bytes);
	free(run);
}
END_TEST

/* Writing stops where the disk is full, and says so. */
START_TEST(test_full_disk)
{
	struct prng prng = {7};
	struct expected *spans = xcalloc(SPANS, sizeof *spans);
	struct strbuf text = {0};
	struct chrome_written written;
	struct err err = ERR_INIT;

	make_trace(&prng, spans, &text);
	char *run = import_text(&text);
	for (int level = 0; level < 2; level++) {
		int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
		struct store *store = store_open(run, &err);
		struct gzip_writer *out = gzip_writer_over(fd, "full", level, &err);

		ck_assert(fd >= 0 && store && out);
		ck_assert_int_eq(chrome_export(store, &everything, out, &written, &err), 0);
		ck_assert_int_eq(gzip_writer_close(out, &err), -1);
		ck_assert_ptr_nonnull(strstr(err.message, "full: cannot write"));
		ck_assert_int_eq(close(fd), 0); /* it stayed open */
		store_close(store);
	}
	strbuf_free(&text);
	free(run);
	free(spans);
}
END_TEST

/* The first error of an export that ends with one. */
static void
export_fails(const char *run, const struct chrome_options *options, struct err *err)
{
	struct chrome_written written;
	struct err closing = ERR_INIT;
	char *path = path_of("out.json");
	struct store *store = store_open(run, err);
	ck_assert_msg(store != NULL, "%s", err->message);
	struct gzip_writer *out = gzip_writer_open(path, 1, err);
	ck_assert_int_eq(chrome_export(store, options, out, &written, err), -1);
	ck_assert_int_eq(gzip_writer_close(out, &closing), 0);
	store_close(store);
	free(path);
}

/* A request to stop ends it. */
START_TEST(test_cancel)
{
	struct prng prng = {8};
	struct expected *spans = xcalloc(SPANS, sizeof *spans);
	struct strbuf text = {0};
	struct cancel cancel = {0};
	struct chrome_options options = everything;
	struct err err = ERR_INIT;

	make_trace(&prng, spans, &text);
	char *run = import_text(&text);
	options.cancel = &cancel;
	cancel_request(&cancel);
	export_fails(run, &options, &err);
	ck_assert_int_eq(err.code, ERR_CANCELLED);
	strbuf_free(&text);
	free(run);
	free(spans);
}
END_TEST

/* What can't be read in the middle ends it, and leaves nothing behind. */
START_TEST(test_damage)
{
	static const char *const cases[][2] = {
	    {"INSERT INTO preemption (id, time, nodes, source) VALUES"
	     " (0, 1, 9223372036854775807, 0), (1, 2, 1, 0)",
	     "integer overflow"},
	    {"UPDATE block_data SET bytes = x'ff' WHERE id = (SELECT max(data) FROM block_column)",
	     "column data"},
	};
	struct prng prng = {9};
	struct expected *spans = xcalloc(SPANS, sizeof *spans);
	struct strbuf text = {0};
	struct err err = ERR_INIT;

	make_trace(&prng, spans, &text);
	text.len--; /* the bracket */
	strbuf_add_text(&text,
	                ",{\"name\":\"f\",\"ph\":\"s\",\"ts\":2,\"pid\":0,\"tid\":0,\"id\":1},"
	                "{\"name\":\"f\",\"ph\":\"f\",\"ts\":21,\"pid\":1,\"tid\":1,\"id\":1}]");
	char *run = import_text(&text);
	seal_after(run, cases[_i][0]);
	export_fails(run, &everything, &err);
	ck_assert_msg(strstr(err.message, cases[_i][1]), "%s", err.message);
	strbuf_free(&text);
	free(run);
	free(spans);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("export_chrome");
	TCase *tests = tcase_create("export_chrome");
	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_loop_test(tests, test_random, 0, TRACES);
	tcase_add_test(tests, test_window);
	tcase_add_test(tests, test_hostile);
	tcase_add_test(tests, test_changed_value);
	tcase_add_test(tests, test_full_disk);
	tcase_add_test(tests, test_cancel);
	tcase_add_loop_test(tests, test_damage, 0, 2);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
