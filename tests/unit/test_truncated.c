/* Files that end early, plain and compressed, at many places: whole records are kept, and what is
 * cut is told, at the place where it begins. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dasf_records.h"
#include "ingest/ingest.h"
#include "ingest_folder.h"
#include "input/gzip_writer.h"
#include "input/input.h"
#include "run_answers.h"
#include "util/mem.h"

#define RECORDS 12u
#define CUTS 60u

struct trace {
	struct strbuf bytes;
	size_t begins[RECORDS], ends[RECORDS]; /* of the records */
	size_t n;
};

static void
add_text(struct trace *trace, const char *before, const char *record, const char *behind)
{
	strbuf_add_text(&trace->bytes, before);
	trace->begins[trace->n] = trace->bytes.len;
	strbuf_add_text(&trace->bytes, record);
	trace->ends[trace->n++] = trace->bytes.len;
	strbuf_add_text(&trace->bytes, behind);
}

static void
make_dftracer(struct trace *trace)
{
	char record[300];

	strbuf_add_text(&trace->bytes, "[\n");
	for (unsigned i = 0; i < RECORDS; i++) {
		snprintf(
		    record, sizeof record,
		    "{\"id\":%u,\"name\":\"read\",\"cat\":\"POSIX\",\"pid\":7,\"tid\":7,\"ts\":"
		    "17000000000000%02u,\"dur\":1,\"ph\":\"X\",\"args\":{\"hostname\":\"n\"}}",
		    i, i * 3);
		add_text(trace, "", record, "\n");
	}
}

static void
make_cascade(struct trace *trace)
{
	static const char *const actions[] = {"taskPlanned", "taskEnqueued", "taskStarted",
	                                      "taskFinished"};
	char record[300];

	for (unsigned i = 0; i < RECORDS; i++) {
		snprintf(
		    record, sizeof record,
		    "{\"task\": \"t%u\", \"action\": \"%s\", \"worker\": \"worker0\", \"host\": "
		    "\"fiab\", \"at\": %u}",
		    i / 4, actions[i % 4], 1000 + i);
		add_text(trace, "", record, "\n");
	}
}

static void
make_chrome(struct trace *trace)
{
	char record[300];

	strbuf_add_text(&trace->bytes, "[");
	for (unsigned i = 0; i < RECORDS; i++) {
		snprintf(record, sizeof record,
		         "{\"name\":\"a\",\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":%u,\"dur\":5,"
		         "\"args\":{\"k\":%u}}",
		         i * 10, i);
		add_text(trace, i ? ",\n" : "\n", record, "");
	}
	strbuf_add_text(&trace->bytes, "\n]\n");
}

static void
make_dasf(struct trace *trace)
{
	for (unsigned i = 0; i < RECORDS; i++) {
		trace->begins[trace->n] = trace->bytes.len;
		add_call(&trace->bytes, "Work", 100 + i, 0.5, "n1", "worker-n1-0",
		         "a longer text that is cut somewhere");
		trace->ends[trace->n++] = trace->bytes.len;
	}
}

static const struct {
	const char *format, *name;
	void (*make)(struct trace *trace);
} formats[] = {{"dftracer", "a.pfw", make_dftracer},
               {"cascade", "a.jsonl", make_cascade},
               {"chrome", "a.json", make_chrome},
               {"dasf", "a.msgpack", make_dasf}};

enum packing { PLAIN, ONE_MEMBER, MEMBERS, PACKINGS };

/* The file's bytes as they are stored; members end in the midst of records. */
static void
pack(const struct trace *trace, enum packing packing, struct strbuf *out)
{
	struct err err = ERR_INIT;
	const char *path = in_folder("packed");
	struct gzip_writer *writer = gzip_writer_open(path, packing == PLAIN ? 0 : 6, &err);
	size_t part = packing == MEMBERS ? 200 : trace->bytes.len;
	char buffer[8192];
	size_t n;

	for (size_t at = 0; at < trace->bytes.len; at += part) {
		size_t left = trace->bytes.len - at;
		gzip_writer_put(writer, trace->bytes.data + at, left < part ? left : part);
		if (left > part && packing == MEMBERS) {
			gzip_writer_split(writer);
		}
	}
	ck_assert_int_eq(gzip_writer_close(writer, &err), 0);
	FILE *file = fopen(path, "rb");
	while ((n = fread(buffer, 1, sizeof buffer, file)) > 0) {
		strbuf_add(out, buffer, n);
	}
	fclose(file);
}

/* How much can be decompressed, and whether the stream breaks off. */
static size_t
plain_length(const char *path, bool *is_broken)
{
	struct err err = ERR_INIT;
	struct input *input = input_open(path, &err);
	struct slice bytes;

	while (input_fill(input, 1, &bytes, &err) > 0) {
		input_consume(input, bytes.len);
	}
	size_t length = (size_t)input_offset(input);
	*is_broken = input_truncated(input);
	input_close(input);
	return length;
}

static void
check_cut(const struct trace *trace, const char *format, const char *path, const char *where)
{
	struct err err = ERR_INIT;
	char *out = xstrdup(in_folder("cut.lanes"));
	struct ingest_plan plan = {
	    .format = format, .name = "cut", .out_path = out, .paths = &path, .n_paths = 1};
	struct ingest_options options = {0};
	bool is_broken;
	size_t length = plain_length(path, &is_broken), n_whole = 0;
	char wanted[200];

	while (n_whole < trace->n && trace->ends[n_whole] <= length) {
		n_whole++;
	}
	bool is_within = n_whole < trace->n && trace->begins[n_whole] < length;
	(void)remove(plan.out_path);
	ck_assert_msg(ingest_run(&plan, &options, NULL, NULL, &err) == 0, "%s: %s", where,
	              err.message);
	char *found = answer(plan.out_path, "SELECT records, truncated FROM source");
	snprintf(wanted, sizeof wanted, "%zu|%d\n", n_whole, is_within || is_broken);
	ck_assert_msg(strcmp(found, wanted) == 0, "%s, %zu plain bytes: %s, not %s", where, length,
	              found, wanted);
	free(found);
	found = answer(plan.out_path, "SELECT \"offset\" FROM problem WHERE kind = 'truncated'");
	snprintf(wanted, sizeof wanted, "%zu\n", is_within ? trace->begins[n_whole] : length);
	ck_assert_msg(strcmp(found, is_within || is_broken ? wanted : "") == 0,
	              "%s, %zu plain bytes: told at %s, not %s", where, length, found, wanted);
	free(found);
	free(out);
}

START_TEST(cut_files)
{
	size_t format = (size_t)_i / PACKINGS;
	enum packing packing = (enum packing)(_i % PACKINGS);
	struct trace trace = {.n = 0};
	struct strbuf bytes = {NULL, 0, 0};
	char where[100];

	make_folder();
	formats[format].make(&trace);
	pack(&trace, packing, &bytes);
	char *path = xstrdup(in_folder(formats[format].name));
	size_t least = packing == PLAIN ? trace.begins[0] + 1 : 20;
	for (size_t i = 0; i <= CUTS; i++) {
		size_t n = least + (bytes.len - least) * i / CUTS;
		snprintf(where, sizeof where, "%s, packing %d, cut at %zu of %zu",
		         formats[format].format, (int)packing, n, bytes.len);
		(void)write_bytes(formats[format].name, bytes.data, n);
		check_cut(&trace, formats[format].format, path, where);
	}
	for (size_t i = 0; packing == PLAIN && i < trace.n; i++) { /* right behind a record */
		(void)write_bytes(formats[format].name, bytes.data, trace.ends[i]);
		check_cut(&trace, formats[format].format, path, "behind a record");
	}
	free(path);
	strbuf_free(&bytes);
	strbuf_free(&trace.bytes);
	remove_folder();
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("truncated");
	TCase *tests = tcase_create("truncated");

	tcase_set_timeout(tests, 60);
	tcase_add_loop_test(tests, cut_files, 0,
	                    (int)(sizeof formats / sizeof *formats) * PACKINGS);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
