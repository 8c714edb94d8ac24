/* Runs for tests of what reads them, imported from traces that the tests write as text. */
#ifndef LANESCOPE_TESTS_IMPORTED_RUN_H
#define LANESCOPE_TESTS_IMPORTED_RUN_H

#include "ingest/ingest.h"
#include "ingest_folder.h"
#include "run_answers.h"

/* Into the test's folder, as NAME.lanes. */
static inline struct store *
import_text(const char *format, const char *name, const char *text)
{
	struct err err = ERR_INIT;
	struct strbuf out = {0};
	const char *path = write_file(name, text);
	strbuf_printf(&out, "%s.lanes", path);
	struct ingest_plan plan = {
	    .format = format, .name = name, .out_path = out.data, .paths = &path, .n_paths = 1};
	struct ingest_options options = {.n_threads = 1};
	ck_assert_msg(ingest_run(&plan, &options, NULL, NULL, &err) == 0, "%s", err.message);
	struct store *store = open_run(out.data);
	strbuf_free(&out);
	return store;
}

/* A line of a DFTracer trace: a call, in us. args: "\"ret\":1", or "". */
static inline void
add_call(struct strbuf *trace, const char *name, const char *category, int thread, int start,
         int duration, const char *args)
{
	strbuf_printf(trace,
	              "{\"id\":%zu,\"name\":\"%s\",\"cat\":\"%s\",\"pid\":1,\"tid\":%d,\"ts\":%d,"
	              "\"dur\":%d,\"ph\":\"X\",\"args\":{%s}}\n",
	              trace->len, name, category, thread, start, duration, args);
}

static inline struct store *
import_calls(const char *name, struct strbuf *trace)
{
	struct store *store = import_text("dftracer", name, trace->data);
	strbuf_free(trace);
	return store;
}

#endif
