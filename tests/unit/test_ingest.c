/*
 * From files to run files: finding and naming, and imports through a small format of this test that
 * reaches every callback of the sink. Its lines:
 *
 *   span LANE START DURATION NAME    event LANE TIME NAME    counter LANE TIME VALUE NAME
 *   hash LANE START DURATION SYMBOL  define SYMBOL TEXT      (names by symbol, in the scope of the file's first line "scope S")
 *   task KEY START END    transfer NAME START END    needs FROM TO    link FROM TO    (ordinals of spans)
 *   capacity TIME NODES   preempt TIME NODES    trial NAME    sample N    tag KEY VALUE    bad    fail    cancel
 */
#include "config.h"

#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "ingest/find.h"
#include "ingest/ingest.h"
#include "ingest/run.h"
#include "store/store.h"
#include "folder.h"
#include "unit.h"
#include "util/prng.h"

/* Sanitizers keep freed memory: peak memory then says nothing. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED
#endif
#endif

/* ---- the format ---- */

static struct cancel test_cancel;

struct reader {
	struct sink *sink;
	struct source_facts facts;
	char scope[40];
	unsigned n_lines;
};

static uint32_t
lane_of(struct reader *reader, unsigned number)
{
	struct sink *sink = reader->sink;
	struct lane lane = {.host = sink->text(sink->user, slice_of(number % 2 ? "odd" : "even")),
	                    .process = {.type = IDENT_INTEGER, .integer = number / 4},
	                    .thread = {.type = IDENT_INTEGER, .integer = number},
	                    .name = TEXT_NONE,
	                    .kind = number == 99 ? LANE_AGGREGATE : LANE_THREAD};
	return sink->lane(sink->user, &lane);
}

static text_code
text_of(struct reader *reader, const char *text)
{
	return reader->sink->text(reader->sink->user, slice_of(text));
}

static int
read_span(struct reader *reader, const char *line, bool by_symbol)
{
	struct sink *sink = reader->sink;
	unsigned lane;
	long long start, duration;
	char name[64];

	if (sscanf(line, "%*s %u %lld %lld %63s", &lane, &start, &duration, name) != 4) {
		return -1;
	}
	struct arg arg = {.key = sink->key(sink->user, slice_of("ordinal")),
	                  .type = ARG_INTEGER,
	                  .integer = start};
	struct span span = {
	    .start_ns = start,
	    .duration_ns = duration,
	    .lane = lane_of(reader, lane),
	    .name = by_symbol ? sink->symbol(sink->user, slice_of(reader->scope), slice_of(name))
	                      : text_of(reader, name),
	    .category = text_of(reader, "C"),
	    .path = TEXT_NONE,
	    .size_bytes = duration,
	    .calls = 1,
	    .args = &arg,
	    .n_args = 1};
	return sink->span(sink->user, &span);
}

static int
read_instant(struct reader *reader, const char *line)
{
	struct sink *sink = reader->sink;
	unsigned lane;
	long long time;
	double value;
	char name[64];

	if (sscanf(line, "event %u %lld %63s", &lane, &time, name) == 3) {
		struct event event = {.time_ns = time,
		                      .lane = lane_of(reader, lane),
		                      .name = text_of(reader, name),
		                      .category = TEXT_NONE};
		return sink->event(sink->user, &event);
	}
	if (sscanf(line, "counter %u %lld %lf %63s", &lane, &time, &value, name) == 4) {
		struct counter counter = {.time_ns = time,
		                          .lane = lane_of(reader, lane),
		                          .name = text_of(reader, name),
		                          .value = value};
		return sink->counter(sink->user, &counter);
	}
	return -1;
}

static int
read_task(struct reader *reader, const char *line)
{
	struct sink *sink = reader->sink;
	long long start, end;
	char name[64];

	if (sscanf(line, "task %63s %lld %lld", name, &start, &end) == 3) {
		struct task task = {.key = text_of(reader, name),
		                    .name = text_of(reader, name),
		                    .kind = TEXT_NONE,
		                    .lane = lane_of(reader, 1),
		                    .worker = text_of(reader, "worker"),
		                    .planned = TIME_NONE,
		                    .enqueued = TIME_NONE,
		                    .started = start,
		                    .loaded = TIME_NONE,
		                    .computed = TIME_NONE,
		                    .published = TIME_NONE,
		                    .finished = end,
		                    .completed = TIME_NONE,
		                    .recorded_start = 0.5,
		                    .recorded_duration = 0.25,
		                    .size_bytes = SIZE_NONE};
		return sink->task(sink->user, &task);
	}
	if (sscanf(line, "transfer %63s %lld %lld", name, &start, &end) == 3) {
		struct transfer transfer = {.name = text_of(reader, name),
		                            .lane = LANE_NONE,
		                            .source = TEXT_NONE,
		                            .target = text_of(reader, "odd"),
		                            .mode = text_of(reader, "local"),
		                            .planned = TIME_NONE,
		                            .started = start,
		                            .loaded = TIME_NONE,
		                            .received = TIME_NONE,
		                            .unloaded = TIME_NONE,
		                            .finished = end,
		                            .completed = TIME_NONE,
		                            .size_bytes = 7};
		return sink->transfer(sink->user, &transfer);
	}
	return -1;
}

static int
read_dependency(struct reader *reader, const char *line)
{
	struct sink *sink = reader->sink;
	struct dependency dependency = {.name = text_of(reader, "dep")};
	char from[64], to[64];
	unsigned long long from_span, to_span;

	if (sscanf(line, "needs %63s %63s", from, to) == 2) {
		dependency.type = DEPENDENCY_TASK;
		dependency.from_key = text_of(reader, from);
		dependency.to_key = text_of(reader, to);
	} else if (sscanf(line, "link %llu %llu", &from_span, &to_span) == 2) {
		dependency.type = DEPENDENCY_SPAN;
		dependency.from_span = from_span;
		dependency.to_span = to_span;
	} else {
		return -1;
	}
	return sink->dependency(sink->user, &dependency);
}

static int
read_fact(struct reader *reader, const char *line)
{
	struct sink *sink = reader->sink;
	long long time, nodes;
	char key[64], value[64];
	static double values[3000];

	if (sscanf(line, "capacity %lld %lld", &time, &nodes) == 2) {
		struct capacity capacity = {time, text_of(reader, "zone"), nodes};
		return sink->capacity(sink->user, &capacity);
	}
	if (sscanf(line, "preempt %lld %lld", &time, &nodes) == 2) {
		struct preemption preemption = {time, text_of(reader, "zone"), nodes};
		return sink->preemption(sink->user, &preemption);
	}
	if (sscanf(line, "trial %63s", key) == 1) {
		struct trial trial = {text_of(reader, key), TEXT_NONE};
		uint32_t id = sink->trial(sink->user, &trial);
		for (size_t i = 0; i < 3000; i++) {
			values[i] = (double)i / 2;
		}
		struct sample sample = {id, text_of(reader, "time"), values, 3000,
		                        text_of(reader, "float64")};
		return sink->sample(sink->user, &sample);
	}
	if (sscanf(line, "tag %63s %63s", key, value) == 2) {
		struct tag tag = {TEXT_NONE, text_of(reader, key), text_of(reader, value)};
		return sink->tag(sink->user, &tag);
	}
	if (sscanf(line, "define %63s %63s", key, value) == 2) {
		sink->define(sink->user, slice_of(reader->scope), slice_of(key), slice_of(value));
		return 0;
	}
	return sscanf(line, "scope %39s", reader->scope) == 1 ? 0 : -1;
}

static int
read_line(struct reader *reader, const char *line, struct err *err)
{
	struct sink *sink = reader->sink;

	if (strcmp(line, "fail") == 0) {
		return err_set(err, ERR_SYSTEM, "the disk is gone");
	}
	if (strcmp(line, "cancel") == 0) {
		cancel_request(&test_cancel);
		return 0;
	}
	if (strcmp(line, "bad") == 0) {
		struct problem problem = {.kind = PROBLEM_MALFORMED,
		                          .record = reader->n_lines,
		                          .reason = "bad line",
		                          .excerpt = slice_of(line)};
		reader->facts.bad_records++;
		return sink->problem(sink->user, &problem);
	}
	switch (line[0]) {
	case 's':
		return line[1] == 'p' ? read_span(reader, line, false) : read_fact(reader, line);
	case 'h':
		return read_span(reader, line, true);
	case 'e':
		return read_instant(reader, line);
	case 'c':
		return line[1] == 'o' ? read_instant(reader, line) : read_fact(reader, line);
	case 'n':
	case 'l':
		return read_dependency(reader, line);
	case 't':
		return strncmp(line, "task", 4) == 0 || strncmp(line, "transfer", 8) == 0
		           ? read_task(reader, line)
		           : read_fact(reader, line);
	default:
		return read_fact(reader, line);
	}
}

static int
read_lines(struct input *input, struct sink *sink, const struct import_options *options,
           void **facts, struct err *err)
{
	struct reader reader = {.sink = sink, .facts = {.clock = CLOCK_WALL, .dialect = "plain"}};
	struct slice line;
	int more;

	while ((more = input_line(input, &line, NULL, err)) == 1) {
		char *text = xstrndup(line.ptr, line.len);
		reader.n_lines++;
		int result = read_line(&reader, text, err);
		free(text);
		if (result != 0) {
			return -1;
		}
		if (cancel_requested(options->cancel)) {
			return err_set(err, ERR_CANCELLED, "cancelled");
		}
		reader.facts.records++;
	}
	sink->facts(sink->user, &reader.facts);
	*facts = xstrdup(input_path(input));
	return more;
}

static void
conclude(void *const *facts, size_t n_facts, struct sink *sink)
{
	char text[32];

	snprintf(text, sizeof text, "%zu sources", n_facts);
	struct tag tag = {TEXT_NONE, sink->text(sink->user, slice_of("concluded")),
	                  sink->text(sink->user, slice_of(text))};
	(void)sink->tag(sink->user, &tag);
	struct problem problem = {.kind = PROBLEM_MISSING, .reason = facts[n_facts - 1]};
	(void)sink->problem(sink->user, &problem);
}

static int
sniff_nothing(struct slice head, const char *file_name)
{
	(void)head;
	(void)file_name;
	return 0;
}

static const struct import_format test_format = {.name = "test",
                                                 .summary = "lines",
                                                 .grouping = GROUP_TOGETHER,
                                                 .sniff = sniff_nothing,
                                                 .read = read_lines,
                                                 .conclude = conclude,
                                                 .free_facts = free};

/* ---- a folder for each test ---- */

static const char *folder;

static void
make_folder(void)
{
	folder = folder_new();
}

static void
remove_folder(void)
{
	folder_remove(folder);
}

static const char *
in_folder(const char *name)
{
	static char paths[64][160];
	static unsigned next;
	char *path = paths[next++ % 64];
	snprintf(path, sizeof paths[0], "%s/%s", folder, name);
	return path;
}

static const char *
write_file(const char *name, const char *text)
{
	const char *path = in_folder(name);
	FILE *file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
	return path;
}

static unsigned
count_entries(void)
{
	char command[128];
	unsigned n = 0;
	snprintf(command, sizeof command, "ls -A '%s' | wc -l", folder);
	FILE *pipe = popen(command, "r");
	ck_assert_int_eq(fscanf(pipe, "%u", &n), 1);
	pclose(pipe);
	return n;
}

static int
import(const char **paths, unsigned n_paths, const char *out, unsigned n_threads,
       struct ingest_summary *summary, struct err *err)
{
	struct ingest_plan plan = {
	    .format = "test", .name = "run", .out_path = out, .paths = paths, .n_paths = n_paths};
	struct ingest_options options = {.n_threads = n_threads, .cancel = &test_cancel};
	return run_import(&plan, &test_format, &options, NULL, summary, err);
}

static struct store *
open_run(const char *path)
{
	struct err err = ERR_INIT;
	struct store *store = store_open(path, &err);
	ck_assert_msg(store != NULL, "%s", err.message);
	return store;
}

/* All rows of a query as text: columns by '|', rows by newlines. */
static char *
query(struct store *store, const char *sql)
{
	struct err err = ERR_INIT;
	struct strbuf out = {NULL, 0, 0};
	struct stmt *stmt = store_prepare(store, sql, &err);
	int more;

	ck_assert_msg(stmt != NULL, "%s: %s", sql, err.message);
	while ((more = stmt_step(stmt, &err)) == 1) {
		for (int i = 0; i < stmt_columns(stmt); i++) {
			struct slice text = stmt_text(stmt, i);
			strbuf_add_text(&out, i ? "|" : "");
			strbuf_add(&out, text.ptr, text.len);
		}
		strbuf_add_char(&out, '\n');
	}
	ck_assert_msg(more == 0, "%s: %s", sql, err.message);
	stmt_free(stmt);
	return strbuf_take(&out);
}

static void
expect(struct store *store, const char *sql, const char *expected)
{
	char *rows = query(store, sql);
	ck_assert_msg(strcmp(rows, expected) == 0, "%s:\n%s\nexpected:\n%s", sql, rows, expected);
	free(rows);
}

/* ---- tests ---- */

START_TEST(everything_arrives)
{
	struct err err = ERR_INIT;
	struct ingest_summary summary;

	make_folder();
	const char *paths[] = {
	    write_file("a", "span 1 1000 500 outer\nspan 1 1100 200 inner\nevent 2 1500 tick\n"
	                    "counter 2 1600 2.5 load\ntask t1 1200 1400\ntask t2 1300 1450\n"
	                    "needs t1 t2\nlink 0 1\ntag k v\nbad\n"),
	    write_file("b", "transfer d 1700 1800\ncapacity 900 5\npreempt 1900 -1\ntrial x\n"
	                    "span 3 2000 10 outer\nneeds t2 t1\nneeds t2 nowhere\n"),
	};
	int result = import(paths, 2, in_folder("run.lanes"), 2, &summary, &err);
	ck_assert_msg(result == 0, "%s", err.message);
	ck_assert_uint_eq(summary.sources, 2);
	ck_assert_uint_eq(summary.records, 17);
	ck_assert_uint_eq(summary.spans, 3);
	ck_assert_uint_eq(summary.events, 1);
	ck_assert_uint_eq(summary.counters, 1);
	ck_assert_uint_eq(summary.tasks, 2);
	ck_assert_uint_eq(summary.transfers, 1);
	ck_assert_uint_eq(summary.bad_records, 1);
	ck_assert_uint_eq(summary.problems, 3);
	ck_assert_uint_gt(summary.run_bytes, 0);
	struct store *store = open_run(in_folder("run.lanes"));
	/* Times count from the earliest of all, the capacity at 900. */
	expect(store, "SELECT name, format, dialect, clock, start_ns, duration_ns FROM run",
	       "run|test|plain|wall|900|1110\n");
	expect(
	    store,
	    "SELECT id, start, duration, name, category, depth, parent, self, lane FROM span ORDER "
	    "BY "
	    "id",
	    "1|100|500|outer|C|0||300|0\n2|200|200|inner|C|1|1|200|0\n3|1100|10|outer|C|0||10|2\n");
	expect(store, "SELECT args FROM span WHERE id = 3", "{\"ordinal\":2000}\n");
	expect(store, "SELECT start, name, lane FROM event", "600|tick|1\n");
	expect(store, "SELECT start, name, value FROM counter", "700|load|2.5\n");
	expect(store,
	       "SELECT key, started, finished, worker, recorded_start FROM tasks ORDER BY id",
	       "t1|300|500|worker|0.5\nt2|400|550|worker|0.5\n");
	expect(store, "SELECT name, started, finished, target, mode, size FROM transfers",
	       "d|800|900|odd|local|7\n");
	expect(store, "SELECT type, from_id, to_id, name FROM dependencies ORDER BY id",
	       "task|1|2|dep\nspan|1|2|dep\ntask|2|1|dep\n");
	expect(store, "SELECT time, pool, nodes FROM capacities", "0|zone|5\n");
	expect(store, "SELECT time, pool, nodes FROM preemptions", "1000|zone|-1\n");
	expect(store,
	       "SELECT t.name, s.name, s.type, s.n, length(s.data) FROM trials t JOIN samples s ON "
	       "s.trial = t.id",
	       "x|time|float64|3000|24000\n");
	expect(store, "SELECT key, value FROM tags ORDER BY id", "k|v\nconcluded|2 sources\n");
	expect(store, "SELECT kind, record, excerpt FROM problems WHERE source LIKE '%/a'",
	       "malformed|10|bad\n");
	expect(store, "SELECT reason FROM problems WHERE source LIKE '%/b'",
	       "1 dependencies were dropped: what they lead to is not in the trace\n");
	expect(store, "SELECT kind, reason LIKE '%/b' FROM problems WHERE source IS NULL",
	       "missing|1\n");
	expect(store, "SELECT id, host, process, thread, name, kind FROM lanes ORDER BY id",
	       "0|odd|0|1|0/1|thread\n1|even|0|2|0/2|thread\n2|odd|0|3|0/3|thread\n");
	expect(store,
	       "SELECT records, bad_records, spans, events, counters, problems FROM sources ORDER "
	       "BY id",
	       "10|1|2|1|1|1\n7|0|1|0|0|1\n");
	store_close(store);
	remove_folder();
}
END_TEST

/* Files may tell of one trial together. */
START_TEST(trials_of_several_sources)
{
	struct err err = ERR_INIT;

	make_folder();
	const char *paths[] = {write_file("a", "trial x\ntrial y\n"), write_file("b", "tag k v\n"),
	                       write_file("c", "trial y\ntrial z\ntrial x\ntrial y\n")};
	int result = import(paths, 3, in_folder("run.lanes"), 2, NULL, &err);
	ck_assert_msg(result == 0, "%s", err.message);
	struct store *store = open_run(in_folder("run.lanes"));
	expect(store,
	       "SELECT t.id, t.source, v.name, v.path IS NULL FROM trial t JOIN trials v ON v.id = "
	       "t.id",
	       "1|0|x|1\n2|0|y|1\n3|2|z|1\n");
	expect(store, "SELECT trial FROM sample ORDER BY id", "1\n2\n2\n3\n1\n2\n");
	expect(store, "SELECT trial, count(value), max(value) FROM sample_value GROUP BY trial",
	       "1|6000|1499.5\n2|9000|1499.5\n3|3000|1499.5\n");
	store_close(store);
	remove_folder();
}
END_TEST

START_TEST(symbols_are_found_wherever_they_are_defined)
{
	struct err err = ERR_INIT;

	make_folder();
	const char *paths[] = {
	    /* own definition, though after the use; another file's in the same scope; one known by
		 * symbol alone; one that nobody defines */
	    write_file(
		"a",
		"scope p1\nhash 1 10 1 own\nhash 1 20 1 far\nhash 1 30 1 lone\nhash 1 40 1 none\n"
		"define own Own\ndefine own Later\n"),
	    write_file("b", "scope p2\ndefine lone First\ndefine own Foreign\nhash 1 50 1 "
	                    "own\nhash 1 60 1 none\n"),
	    write_file("c", "scope p1\ndefine far Far\ndefine lone Second\ndefine own Third\nhash "
	                    "1 70 1 own\n"),
	    write_file("d", "scope p1\ndefine far Farther\nhash 1 80 1 far\nhash 1 90 1 lone\n"),
	};
	for (unsigned threads = 1; threads <= 3; threads++) {
		int result = import(paths, 4, in_folder("run.lanes"), threads, NULL, &err);
		ck_assert_msg(result == 0, "%s", err.message);
		struct store *store = open_run(in_folder("run.lanes"));
		expect(store, "SELECT name FROM span ORDER BY start",
		       "Own\nFar\nSecond\nnone\nForeign\nnone\nThird\nFarther\nSecond\n");
		expect(store,
		       "SELECT substr(source, -1), kind, reason FROM problems WHERE reason LIKE "
		       "'%hash%' ORDER BY id",
		       "a|suspicious|1 names are known by their hash only: no source says what "
		       "they are\n"
		       "b|suspicious|1 names are known by their hash only: no source says what "
		       "they are\n");
		store_close(store);
	}
	remove_folder();
}
END_TEST

/* A file of n lines of all kinds, spans of every length. */
static const char *
write_random(const char *name, unsigned n, uint64_t seed)
{
	struct prng prng = {seed};
	const char *path = in_folder(name);
	FILE *file = fopen(path, "w");
	long long now = 1000;
	unsigned n_spans = 0;

	fprintf(file, "scope p%u\n", (unsigned)seed % 3);
	for (unsigned i = 0; i < n; i++) {
		unsigned lane = (unsigned)prng_below(&prng, 6);
		uint64_t kind = prng_below(&prng, 40);
		now += (long long)prng_below(&prng, 100);
		if (kind < 30) {
			bool is_long = prng_below(&prng, 100) == 0;
			fprintf(file, "%s %u %lld %u n%u\n", kind < 25 ? "span" : "hash", lane, now,
			        (unsigned)prng_below(&prng, is_long ? 100000000 : 1000),
			        (unsigned)prng_below(&prng, 30));
			n_spans++;
		} else if (kind < 33) {
			fprintf(file, "event %u %lld e%u\n", lane, now,
			        (unsigned)prng_below(&prng, 9));
		} else if (kind < 35) {
			fprintf(file, "counter %u %lld %u.5 c\n", lane, now,
			        (unsigned)prng_below(&prng, 9));
		} else if (kind < 36) {
			fprintf(file, "define n%u text%u\n", (unsigned)prng_below(&prng, 25),
			        (unsigned)prng_below(&prng, 1000));
		} else if (kind < 37) {
			fprintf(file, "task k%u %lld %lld\n", i, now, now + 10);
		} else if (kind < 39 && n_spans > 1) {
			fprintf(file, "link %u %u\n", (unsigned)prng_below(&prng, n_spans),
			        (unsigned)prng_below(&prng, n_spans));
		} else {
			fprintf(file, "bad\n");
		}
	}
	fclose(file);
	return path;
}

/* Everything that the tables hold, column bytes and tiles as sums of their bytes. */
static char *
dump(const char *path)
{
	static const char *const queries[] = {
	    "SELECT * FROM string",
	    "SELECT * FROM argument",
	    "SELECT * FROM lane",
	    "SELECT * FROM task",
	    "SELECT * FROM dependency",
	    "SELECT * FROM tag",
	    "SELECT * FROM problem",
	    "SELECT * FROM span_total",
	    "SELECT * FROM block",
	    "SELECT * FROM block_column ORDER BY block, field",
	    "SELECT id, hex(bytes) FROM block_data ORDER BY id",
	    "SELECT subject, id, level, chunk, hex(cells) FROM tile ORDER BY 1, 2, 3, 4",
	    "SELECT id, path, spans, hex(text_map), hex(lane_map) FROM source",
	    "SELECT id, start, duration, name, lane, depth, parent, self, args FROM span",
	};
	struct store *store = open_run(path);
	struct strbuf all = {NULL, 0, 0};

	for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
		char *rows = query(store, queries[i]);
		strbuf_printf(&all, "%s\n%s", queries[i], rows);
		free(rows);
	}
	store_close(store);
	return strbuf_take(&all);
}

START_TEST(the_number_of_threads_changes_nothing)
{
	const char *paths[7];
	struct err err = ERR_INIT;
	char *first = NULL;

	make_folder();
	for (unsigned i = 0; i < 7; i++) {
		char name[8];
		snprintf(name, sizeof name, "f%u", i);
		paths[i] = write_random(name, i == 2 ? 6000 : 300, i + 1);
	}
	for (unsigned threads = 1; threads <= 5; threads += 2) {
		int result = import(paths, 7, in_folder("run.lanes"), threads, NULL, &err);
		ck_assert_msg(result == 0, "%s", err.message);
		char *all = dump(in_folder("run.lanes"));
		first = first ? first : all;
		ck_assert(strcmp(first, all) == 0);
		if (all != first) {
			free(all);
		}
	}
	free(first);
	remove_folder();
}
END_TEST

/* Links name spans by ordinals; long spans stand in blocks of their own, so ids are in another order. */
START_TEST(links_lead_to_the_right_spans)
{
	struct err err = ERR_INIT;
	enum { N = 3000 };
	char path[160];

	make_folder();
	strcpy(path, in_folder("f"));
	FILE *file = fopen(path, "w");
	for (unsigned i = 0; i < N; i++) {
		fprintf(file, "span 1 %u %u n%u\n", 1000 + i, i % 50 == 7 ? 1000000 : 3, i);
	}
	for (unsigned i = 0; i + 1 < N; i++) {
		fprintf(file, "link %u %u\n", i, (i * 7 + 1) % N);
	}
	fprintf(file, "link 5 %u\nlink 99999999 0\n", N);
	fclose(file);
	const char *paths[] = {path};
	int result = import(paths, 1, in_folder("run.lanes"), 1, NULL, &err);
	ck_assert_msg(result == 0, "%s", err.message);
	struct store *store = open_run(in_folder("run.lanes"));
	expect(store, "SELECT count(*) > 1 FROM block WHERE kind = 0", "1\n");
	char *rows = query(
	    store, "SELECT a.start, b.start FROM dependency d JOIN span a ON a.id = d.from_id "
		   "JOIN span b ON b.id = d.to_id ORDER BY d.id");
	char *at = rows;
	for (unsigned i = 0; i + 1 < N; i++) {
		unsigned from, to;
		int n;
		ck_assert_int_eq(sscanf(at, "%u|%u\n%n", &from, &to, &n), 2);
		ck_assert_uint_eq(from, i);
		ck_assert_uint_eq(to, (i * 7 + 1) % N);
		at += n;
	}
	ck_assert_int_eq(*at, '\0');
	free(rows);
	expect(store, "SELECT reason FROM problem WHERE kind = 'missing' AND source = 0",
	       "2 dependencies were dropped: what they lead to is not in the trace\n");
	store_close(store);
	remove_folder();
}
END_TEST

START_TEST(problems_are_listed_up_to_a_limit)
{
	struct err err = ERR_INIT;
	struct ingest_summary summary;
	char path[160];

	make_folder();
	strcpy(path, in_folder("f"));
	FILE *file = fopen(path, "w");
	for (unsigned i = 0; i < PROBLEM_ROWS + 500; i++) {
		fputs("bad\n", file);
	}
	fclose(file);
	const char *paths[] = {path};
	ck_assert_int_eq(import(paths, 1, in_folder("run.lanes"), 1, &summary, &err), 0);
	ck_assert_uint_eq(summary.problems, PROBLEM_ROWS + 501);
	struct store *store = open_run(in_folder("run.lanes"));
	expect(store, "SELECT count(*) FROM problem WHERE kind = 'malformed'", "10000\n");
	expect(store, "SELECT reason FROM problem WHERE kind = 'suspicious'",
	       "500 more problems of this source are not listed\n");
	store_close(store);
	remove_folder();
}
END_TEST

START_TEST(impossible_times_are_refused)
{
	struct err err = ERR_INIT;
	struct ingest_summary summary;

	make_folder();
	const char *paths[] = {write_file(
	    "f",
	    "span 1 9223372036854775807 5 a\nspan 1 -9223372036854775807 9223372036854775807 b\n"
	    "span 1 0 9223372036854775807 c\nspan 1 5 -1 d\nevent 1 -9223372036854775808 e\n"
	    "task k 9223372036854775807 5\nspan 1 4611686018427387903 0 last\nspan 1 "
	    "-4611686018427387903 0 first\n")};
	int result = import(paths, 1, in_folder("run.lanes"), 1, &summary, &err);
	ck_assert_msg(result == 0, "%s", err.message);
	ck_assert_uint_eq(summary.spans, 2);
	ck_assert_uint_eq(summary.events, 0);
	ck_assert_uint_eq(summary.tasks, 0);
	ck_assert_uint_eq(summary.bad_records, 6);
	struct store *store = open_run(in_folder("run.lanes"));
	expect(store, "SELECT name, start FROM span ORDER BY start",
	       "first|0\nlast|9223372036854775806\n");
	expect(store, "SELECT count(*) FROM problem WHERE reason LIKE '6 records have times%'",
	       "1\n");
	store_close(store);
	remove_folder();
}
END_TEST

START_TEST(failures_leave_nothing)
{
	struct ingest_summary summary;

	make_folder();
	const char *good = write_file("good", "span 1 1 1 a\n");
	const char *bad = write_file("bad", "span 1 1 1 a\nfail\n");
	const char *stopping = write_file("stopping", "span 1 1 1 a\ncancel\nspan 1 2 1 a\n");
	const char *sets[][3] = {{good, bad, good},
	                         {in_folder("absent"), good, bad},
	                         {good, good, stopping},
	                         {good, in_folder(""), bad}};
	static const enum err_code codes[] = {ERR_SYSTEM, ERR_SYSTEM, ERR_CANCELLED, ERR_SYSTEM};
	static const char *const words[] = {"/bad: the disk is gone", "absent: No such file",
	                                    "cancelled", "Is a directory"};
	for (unsigned i = 0; i < 4 * 2; i++) {
		struct err err = ERR_INIT;
		atomic_store(&test_cancel.requested, false);
		ck_assert_int_eq(
		    import(sets[i / 2], 3, in_folder("run.lanes"), 1 + i % 2 * 2, &summary, &err),
		    -1);
		ck_assert_int_eq(err.code, codes[i / 2]);
		ck_assert_msg(strstr(err.message, words[i / 2]) != NULL, "%s", err.message);
		ck_assert_uint_eq(count_entries(), 3);
	}
	struct err err = ERR_INIT;
	const char *paths[] = {good};
	atomic_store(&test_cancel.requested, false);
	ck_assert_int_eq(import(paths, 1, in_folder("no/such/folder.lanes"), 1, NULL, &err), -1);
	ck_assert_int_eq(err.code, ERR_SYSTEM);
	cancel_request(&test_cancel);
	ck_assert_int_eq(import(paths, 1, in_folder("run.lanes"), 1, NULL, &err), -1);
	ck_assert_int_eq(err.code, ERR_CANCELLED);
	atomic_store(&test_cancel.requested, false);
	ck_assert_uint_eq(count_entries(), 3);
	/* A run that is there stays as it is when its re-import fails. */
	ck_assert_int_eq(import(paths, 1, in_folder("run.lanes"), 1, NULL, &err), 0);
	char *before = dump(in_folder("run.lanes"));
	ck_assert_int_eq(import(sets[0], 3, in_folder("run.lanes"), 2, NULL, &err), -1);
	char *after = dump(in_folder("run.lanes"));
	ck_assert_str_eq(before, after);
	free(before);
	free(after);
	remove_folder();
}
END_TEST

START_TEST(empty_sources_make_an_empty_run)
{
	struct err err = ERR_INIT;

	make_folder();
	const char *paths[] = {write_file("a", ""), write_file("b", "scope x\n")};
	int result = import(paths, 2, in_folder("run.lanes"), 2, NULL, &err);
	ck_assert_msg(result == 0, "%s", err.message);
	struct store *store = open_run(in_folder("run.lanes"));
	expect(store, "SELECT start_ns, duration_ns, spans, records FROM run", "0|0|0|1\n");
	expect(store, "SELECT count(*) FROM span", "0\n");
	store_close(store);
	remove_folder();
}
END_TEST

START_TEST(progress_adds_up)
{
	struct err err = ERR_INIT;
	struct ingest_progress progress = {0};
	struct ingest_summary summary;

	make_folder();
	const char *paths[] = {write_random("a", 20000, 5), write_random("b", 100, 6)};
	struct ingest_plan plan = {.format = "test",
	                           .name = "run",
	                           .out_path = in_folder("run.lanes"),
	                           .paths = paths,
	                           .n_paths = 2};
	struct ingest_options options = {.n_threads = 2};
	ck_assert_int_eq(run_import(&plan, &test_format, &options, &progress, &summary, &err), 0);
	ck_assert_uint_eq(atomic_load(&progress.raw_bytes), summary.raw_bytes);
	ck_assert_uint_eq(atomic_load(&progress.raw_total), summary.raw_bytes);
	ck_assert_uint_eq(summary.plain_bytes, summary.raw_bytes);
	ck_assert_uint_ge(atomic_load(&progress.records),
	                  summary.spans + summary.events + summary.counters);
	ck_assert_int_eq(atomic_load(&progress.phase), INGEST_DONE);
	remove_folder();
}
END_TEST

#ifndef IS_SANITIZED
static long
peak_kib(unsigned n_lines)
{
	int ends[2];
	long peak = 0;
	const char *paths[] = {write_random("big", n_lines, 3)};

	ck_assert_int_eq(pipe(ends), 0);
	pid_t child = fork();
	if (child == 0) {
		struct err err = ERR_INIT;
		struct rusage usage;
		setenv("TMPDIR", folder, 1);
		int result = import(paths, 1, in_folder("run.lanes"), 2, NULL, &err);
		getrusage(RUSAGE_SELF, &usage);
		peak = result ? 0 : usage.ru_maxrss;
		ssize_t written = write(ends[1], &peak, sizeof peak);
		_exit(written == sizeof peak ? 0 : 1);
	}
	ck_assert_int_eq(read(ends[0], &peak, sizeof peak), sizeof peak);
	close(ends[0]);
	close(ends[1]);
	return peak;
}

START_TEST(memory_does_not_grow_with_the_input)
{
	make_folder();
	long small = peak_kib(200000), large = peak_kib(1200000);
	ck_assert_int_gt(small, 0);
	/* A million spans more would be some 100 MiB in memory. */
	ck_assert_msg(large < small + 32 * 1024, "%ld and %ld KiB", small, large);
	remove_folder();
}
END_TEST
#endif

/* ---- finding, naming ---- */

START_TEST(natural_order)
{
	static const char *const sorted[] = {"",        "a",   "a-1",  "a-2", "a-10", "a-10b",
	                                     "a-010b2", "a1b", "a1b2", "a1c", "a002", "b"};
	for (size_t i = 0; i < sizeof sorted / sizeof *sorted; i++) {
		for (size_t j = 0; j < sizeof sorted / sizeof *sorted; j++) {
			int result = compare_naturally(sorted[i], sorted[j]);
			ck_assert_msg((result > 0) - (result < 0) == (i > j) - (i < j), "%s %s",
			              sorted[i], sorted[j]);
		}
	}
}
END_TEST

START_TEST(names_without_endings)
{
	static const char *const pairs[][2] = {{"x/trace-0-of-4.pfw.gz", "trace-0-of-4"},
	                                       {"m2_2.jsonl", "m2_2"},
	                                       {"a.b.JSON", "a.b"},
	                                       {"/p/.json", ".json"},
	                                       {"plain", "plain"},
	                                       {"events.log.gz", "events"}};
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		ck_assert(slice_is(plain_name(pairs[i][0]), pairs[i][1]));
	}
}
END_TEST

#define PFW                                                                                        \
	"[\n{\"id\":\"1\",\"name\":\"read\",\"cat\":\"POSIX\",\"pid\":\"0\",\"tid\":\"1\",\"ts\":" \
	"\"1712598200500024\","                                                                    \
	"\"dur\":\"48\",\"ph\":\"X\",\"args\":{\"hostname\":\"h\",\"ret\":\"4096\",\"fname\":\"/"  \
	"x\"}}\n"

START_TEST(folders_are_searched)
{
	struct err err = ERR_INIT;

	make_folder();
	mkdir(in_folder("run-a"), 0755);
	mkdir(in_folder("run-a/.hidden"), 0755);
	static const char *const traces[] = {"run-a/t-10.pfw",       "run-a/t-9.pfw",
	                                     "run-a/.t-1.pfw",       "run-a/.hidden/t.pfw",
	                                     "run-a/t-9.pfw.zindex", "run-a/old.lanes"};
	for (size_t i = 0; i < sizeof traces / sizeof *traces; i++) {
		write_file(traces[i], PFW);
	}
	write_file("run-a/README", "Hello there.\n");
	write_file("run-a/empty.pfw", "");
	ck_assert_int_eq(symlink(in_folder("run-a"), in_folder("run-a/loop")), 0);
	ck_assert_int_eq(mkfifo(in_folder("run-a/fifo"), 0600), 0);
	ck_assert_int_eq(symlink("t-9.pfw", in_folder("run-a/u.pfw")), 0);
	const char *paths[] = {in_folder("run-a")};
	struct ingest_options options = {.out = folder};
	struct ingest_plans *plans = ingest_plan(paths, 1, &options, &err);
	ck_assert_msg(plans != NULL, "%s", err.message);
	ck_assert_uint_eq(plans->n_plans, 1);
	const struct ingest_plan *plan = &plans->plans[0];
	ck_assert_str_eq(plan->name, "run-a");
	ck_assert_str_eq(plan->format, "dftracer");
	ck_assert_str_eq(plan->out_path, in_folder("run-a.lanes"));
	ck_assert_uint_eq(plan->n_paths, 2);
	ck_assert_str_eq(plan->paths[0], in_folder("run-a/t-9.pfw"));
	ck_assert_str_eq(plan->paths[1], in_folder("run-a/t-10.pfw"));
	ck_assert_uint_eq(plans->n_skipped, 3);
	ck_assert_ptr_nonnull(strstr(plans->skipped[0], "README: no trace format"));
	ck_assert_ptr_nonnull(strstr(plans->skipped[1], "empty.pfw: is empty"));
	ck_assert_ptr_nonnull(strstr(plans->skipped[2], "u.pfw: is there already"));
	ck_assert_int_eq(ingest_run(plan, &options, NULL, NULL, &err), 0);
	ingest_plans_free(plans);
	/* Each by itself, and a name for all is too few. */
	options.each = true;
	plans = ingest_plan(paths, 1, &options, &err);
	ck_assert_ptr_nonnull(plans);
	ck_assert_uint_eq(plans->n_plans, 2);
	ck_assert_str_eq(plans->plans[0].name, "t-9");
	ck_assert_str_eq(plans->plans[1].name, "t-10");
	ingest_plans_free(plans);
	remove_folder();
}
END_TEST

#define ADDITIONS ",timestamp,dt,count\n0,2021-07-26T18:42:00Z,2021-07-26 18:42:00,2\n"
#define COUNTS "timestamp,count\n2021-07-26T18:42:00Z,3\n2021-07-26T18:45:00Z,4\n"

/* What stands in one folder, or below it, is one run; what the user names is one, too. */
START_TEST(folders_are_runs)
{
	struct err err = ERR_INIT;
	static const char *const names[] = {"down", "up"};

	make_folder();
	mkdir(in_folder("all"), 0755);
	mkdir(in_folder("all/down"), 0755);
	mkdir(in_folder("all/down/deep"), 0755);
	mkdir(in_folder("all/up"), 0755);
	const char *files[] = {write_file("all/down/additions.csv", ADDITIONS),
	                       write_file("all/down/deep/node.csv", COUNTS),
	                       write_file("all/up/node.csv", COUNTS),
	                       write_file("all/up/terminate.csv", ADDITIONS)};
	const char *paths[] = {in_folder("all")};
	struct ingest_options options = {.out = folder};
	struct ingest_plans *plans = ingest_plan(paths, 1, &options, &err);
	ck_assert_msg(plans != NULL, "%s", err.message);
	ck_assert_uint_eq(plans->n_plans, 2);
	for (unsigned i = 0; i < 2; i++) {
		ck_assert_str_eq(plans->plans[i].name, names[i]);
		ck_assert_uint_eq(plans->plans[i].n_paths, 2);
		ck_assert_str_eq(plans->plans[i].paths[0], files[2 * i]);
		ck_assert_str_eq(plans->plans[i].paths[1], files[2 * i + 1]);
	}
	ingest_plans_free(plans);
	plans = ingest_plan(files, 4, &options, &err);
	ck_assert_msg(plans != NULL, "%s", err.message);
	ck_assert_uint_eq(plans->n_plans, 1);
	ck_assert_uint_eq(plans->plans[0].n_paths, 4);
	ingest_plans_free(plans);
	options.each = true;
	plans = ingest_plan(paths, 1, &options, &err);
	ck_assert_ptr_nonnull(plans);
	ck_assert_uint_eq(plans->n_plans, 4);
	ingest_plans_free(plans);
	remove_folder();
}
END_TEST

START_TEST(clashing_names_grow)
{
	struct err err = ERR_INIT;

	make_folder();
	mkdir(in_folder("a"), 0755);
	mkdir(in_folder("b"), 0755);
	const char *paths[] = {write_file("a/t.pfw", PFW), write_file("a/t.json", PFW),
	                       write_file("b/t.pfw", PFW), write_file("b/other.pfw", PFW)};
	struct ingest_options options = {.each = true};
	struct ingest_plans *plans = ingest_plan(paths, 4, &options, &err);
	ck_assert_msg(plans != NULL, "%s", err.message);
	static const char *const names[] = {"a-t.pfw", "t.json", "b-t.pfw", "other"};
	for (unsigned i = 0; i < 4; i++) {
		ck_assert_str_eq(plans->plans[i].name, names[i]);
	}
	ck_assert_str_eq(plans->plans[3].out_path, "other.lanes");
	ingest_plans_free(plans);
	remove_folder();
}
END_TEST

START_TEST(what_can_not_be_planned)
{
	make_folder();
	const char *trace = write_file("t.pfw", PFW), *other = write_file("u.pfw", PFW);
	const char *text = write_file("notes.txt", "Hello\n"), *empty = write_file("empty", "");
	const char *database = write_file("x.lanes", "SQLite format 3");
	const struct {
		const char *paths[2];
		unsigned n_paths;
		struct ingest_options options;
		enum err_code code;
		const char *word;
	} cases[] = {
	    {{trace, text},
	     2,
	     {0},
	     ERR_FORMAT,
	     "notes.txt: no trace format recognises it (known: dftracer"},
	    {{in_folder("absent")}, 1, {0}, ERR_SYSTEM, "absent: No such file"},
	    {{empty}, 1, {0}, ERR_FORMAT, "empty: no trace found: it is empty"},
	    {{database}, 1, {0}, ERR_FORMAT, "is a database"},
	    {{trace}, 1, {.format = "nope"}, ERR_USAGE, "nope: no such format"},
	    {{trace}, 1, {.name = "a/b"}, ERR_USAGE, "can't be the name"},
	    {{trace, other},
	     2,
	     {.each = true, .out = "x.lanes"},
	     ERR_USAGE,
	     "2 runs need a folder"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct err err = ERR_INIT;
		ck_assert_ptr_null(ingest_plan((const char *const *)cases[i].paths,
		                               cases[i].n_paths, &cases[i].options, &err));
		ck_assert_int_eq(err.code, cases[i].code);
		ck_assert_msg(strstr(err.message, cases[i].word) != NULL, "%s", err.message);
	}
	remove_folder();
}
END_TEST

START_TEST(standard_input_is_read_once)
{
	struct err err = ERR_INIT;
	struct ingest_summary summary;
	const char *paths[] = {"-"};
	int ends[2];

	make_folder();
	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_int_eq(write(ends[1], PFW, sizeof PFW - 1), sizeof PFW - 1);
	close(ends[1]);
	dup2(ends[0], STDIN_FILENO);
	struct ingest_options options = {.out = folder};
	struct ingest_plans *plans = ingest_plan(paths, 1, &options, &err);
	ck_assert_msg(plans != NULL, "%s", err.message);
	ck_assert_str_eq(plans->plans[0].name, "stdin");
	struct ingest_plan copy = plans->plans[0]; /* as callers may */
	int result = ingest_run(&copy, &options, NULL, &summary, &err);
	ck_assert_msg(result == 0, "%s", err.message);
	ck_assert_uint_eq(summary.spans, 1);
	ingest_plans_free(plans);
	remove_folder();
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("ingest");
	TCase *tests = tcase_create("ingest");

	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, everything_arrives);
	tcase_add_test(tests, trials_of_several_sources);
	tcase_add_test(tests, symbols_are_found_wherever_they_are_defined);
	tcase_add_test(tests, the_number_of_threads_changes_nothing);
	tcase_add_test(tests, links_lead_to_the_right_spans);
	tcase_add_test(tests, problems_are_listed_up_to_a_limit);
	tcase_add_test(tests, impossible_times_are_refused);
	tcase_add_test(tests, failures_leave_nothing);
	tcase_add_test(tests, empty_sources_make_an_empty_run);
	tcase_add_test(tests, progress_adds_up);
#ifndef IS_SANITIZED
	tcase_add_test(tests, memory_does_not_grow_with_the_input);
#endif
	tcase_add_test(tests, natural_order);
	tcase_add_test(tests, names_without_endings);
	tcase_add_test(tests, folders_are_searched);
	tcase_add_test(tests, folders_are_runs);
	tcase_add_test(tests, clashing_names_grow);
	tcase_add_test(tests, what_can_not_be_planned);
	tcase_add_test(tests, standard_input_is_read_once);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
