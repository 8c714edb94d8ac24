/* The cascade importer on rows as other programs write them: of tables, in arrays, without an
 * end. */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "cascade_fixture.h"
#include "util/mem.h"

#define ROWS 6
static const char *const plain_rows[ROWS] = {
    "{\"action\":\"taskPlanned\",\"task\":\"a:1\",\"worker\":\"w\",\"host\":\"controller\",\"at\":"
    "16274564727889}",
    "{\"action\":\"taskEnqueued\",\"task\":\"a:1\",\"worker\":\"w\",\"host\":\"h\",\"at\":"
    "16300000000000}",
    "{\"action\":\"taskStarted\",\"task\":\"a:1\",\"worker\":\"w\",\"host\":\"h\",\"at\":"
    "16300000000027}",
    "{\"action\":\"taskFinished\",\"task\":\"a:1\",\"worker\":\"w\",\"host\":\"h\",\"at\":"
    "16400000000000}",
    "{\"action\":\"transmitFinished\",\"dataset\":\"a:1\",\"worker\":\"w\",\"host\":\"h\",\"mode\":"
    "\"local\",\"at\":16400000000009}",
    "{\"action\":\"controllerReport\",\"actDuration\":\"150460\",\"waitDuration\":\"27\",\"at\":"
    "16500000000000}"};
static const char *const table_rows[ROWS] = {
    "{\"action\":\"taskPlanned\",\"task\":\"a:1\",\"dataset\":null,\"mode\":NaN,\"worker\":\"w\","
    "\"host\":\"controller\",\"at\":16274564727889.0,"
    "\"actDuration\":NaN,\"waitDuration\":null}",
    "{\"action\":\"taskEnqueued\",\"task\":\"a:1\",\"dataset\":null,\"mode\":null,\"worker\":\"w\","
    "\"host\":\"h\",\"at\":1.63e13,\"actDuration\":null}",
    "{\"action\":\"taskStarted\",\"task\":\"a:1\",\"dataset\":null,\"mode\":null,\"worker\":\"w\","
    "\"host\":\"h\",\"at\":\"16300000000027.0\"}",
    "{\"action\":\"taskFinished\",\"task\":\"a:1\",\"dataset\":\"nan\",\"mode\":\"NaN\",\"worker\":"
    "\"w\",\"host\":\"h\",\"at\":1.64E+13}",
    "{\"action\":\"transmitFinished\",\"task\":null,\"dataset\":\"a:1\",\"worker\":\"w\",\"host\":"
    "\"h\",\"mode\":\"local\",\"at\":16400000000009.00}",
    "{\"action\":\"controllerReport\",\"task\":null,\"actDuration\":150460.0,\"waitDuration\":\"27."
    "0\",\"at\":1.65e13}"};

/* Times, places and arguments of all that was read. */
static char *
show_all(const struct record_sink *recorded)
{
	struct strbuf out = {0};

	for (size_t i = 0; i < recorded->n_tasks; i++) {
		const struct task *task = &recorded->tasks[i];
		strbuf_printf(&out, "task %s %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n",
		              record_text(recorded, task->key), task->planned, task->enqueued,
		              task->started, task->finished);
	}
	for (size_t i = 0; i < recorded->n_transfers; i++) {
		const struct transfer *transfer = &recorded->transfers[i];
		strbuf_printf(&out, "transfer %s %" PRId64 "\n",
		              record_text(recorded, transfer->mode), transfer->finished);
	}
	for (size_t i = 0; i < recorded->n_events; i++) {
		const struct event *event = &recorded->events[i];
		strbuf_printf(&out, "event %" PRId64 " %s\n", event->time_ns,
		              record_args(recorded, event->args, event->n_args));
	}
	return strbuf_take(&out);
}

static void
add_rows(struct strbuf *text, const char *const *rows, const char *before, const char *between,
         const char *after)
{
	strbuf_add_text(text, before);
	for (size_t i = 0; i < ROWS; i++) {
		strbuf_add_text(text, i ? between : "");
		strbuf_add_text(text, rows[i]);
	}
	strbuf_add_text(text, after);
}

START_TEST(rows_of_tables)
{
	static const struct {
		const char *before, *between, *after;
		size_t bad;
	} shapes[] = {
	    {"", "\n", "\n", 0},
	    {"[", ",", "]", 0},
	    {"[\n  ", ",\n  ", "\n]\n", 0},
	    {"\xef\xbb\xbf[", ",\r\n", "]\r\n", 0},
	    {"[", ",\n", "", 0},
	    {"oops\n[", ",\n", "]", 1},
	    {"[", ",\noops\n", "]", 5},
	    {"[", ",\n{\"action\": \n", "]", 5},
	    {"[", ",\n{\"a: 1},\n", "]", 5},
	    {"[", ",\n{\"a\" 1},", "\n,{\"action\":", 6},
	    {"{oops\n", "\noops\n", "", 6},
	};
	struct record_sink *recorded = record_sink_new();
	struct strbuf text = {0};

	add_rows(&text, plain_rows, "", "\n", "\n");
	record_bytes(recorded, format, text.data, text.len, 0, false, NULL);
	char *expected = show_all(recorded);
	ck_assert_ptr_nonnull(
	    strstr(expected, "task a:1 16274564727889 16300000000000 16300000000027"));
	ck_assert_ptr_nonnull(strstr(expected, "actDuration=150460 waitDuration=27"));
	record_sink_free(recorded);
	for (size_t i = 0; i < 2 * sizeof shapes / sizeof *shapes; i++) {
		size_t shape = i / 2;
		strbuf_clear(&text);
		add_rows(&text, i % 2 ? table_rows : plain_rows, shapes[shape].before,
		         shapes[shape].between, shapes[shape].after);
		for (size_t chunk = 0; chunk < 8; chunk++) {
			recorded = record_sink_new();
			record_bytes(recorded, format, text.data, text.len, chunk, false, NULL);
			char *found = show_all(recorded);
			ck_assert_str_eq(found, expected);
			ck_assert_uint_eq(recorded->facts.bad_records, shapes[shape].bad);
			ck_assert_uint_eq(recorded->facts.records, ROWS);
			record_sink_free(recorded);
			free(found);
		}
		ck_assert_int_gt(format->sniff(strbuf_slice(&text), "x"), 0);
	}
	free(expected);
	strbuf_free(&text);
}
END_TEST

/* An object over several lines is told at its first; times above 2^53 are exact. */
START_TEST(pretty_arrays)
{
	struct record_sink *recorded = read_text(
	    "[\n  {\n    \"action\": \"task_started\",\n    \"task\": \"a{\\\"b\",\n"
	    "    \"at\": 1730382061123456789.0\n  },\n  {\n    \"action\": \"task_started\",\n"
	    "    \"at\": 1.5\n  },\n  {\n    \"action\": \"task_computed\", \"task\": "
	    "\"a{\\\"b\",\n"
	    "    \"at\": 1.730382061123456791e18\n  }\n]\n");

	ck_assert_uint_eq(recorded->n_tasks, 1);
	ck_assert_int_eq(recorded->tasks[0].started, INT64_C(1730382061123456789));
	ck_assert_uint_eq(recorded->n_problems, 1);
	ck_assert_uint_eq(recorded->problems[0].record, 7);
	ck_assert_uint_eq(recorded->problems[0].offset, 96);
	ck_assert_int_eq(recorded->problems[0].kind, PROBLEM_MALFORMED);
	record_sink_free(recorded);
}
END_TEST

/* Whatever opens and does not end: time goes with the bytes. */
START_TEST(objects_without_end)
{
	static const char *const patterns[] = {"{\n", "{\"a\n", "{{}\n{}\n", "{ \"\\\n"};
	struct strbuf text = {0};

	strbuf_add_text(&text, "[{\"action\":\"taskStarted\",\"task\":\"a\",\"at\":1},\n");
	while (text.len < (size_t)3 << 20) {
		strbuf_add_text(&text, patterns[_i]);
	}
	struct record_sink *recorded = record_sink_new();
	record_bytes(recorded, format, text.data, text.len, 0, false, NULL);
	ck_assert_uint_eq(recorded->n_tasks, 1);
	ck_assert_uint_gt(recorded->facts.bad_records, 100000);
	record_sink_free(recorded);
	strbuf_free(&text);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("import_cascade_rows");
	TCase *tcase = tcase_create("all");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, rows_of_tables);
	tcase_add_test(tcase, pretty_arrays);
	tcase_add_loop_test(tcase, objects_without_end, 0, 4);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
