/* Records that stand twice, in one source or two, count once: runs with copies of stretches of
 * their records are the runs without. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "ingest/run.h"
#include "ingest_folder.h"
#include "run_answers.h"
#include "util/mem.h"
#include "util/number_set.h"
#include "util/prng.h"

#define SOURCES_MAX 6u
#define DIALECTS 6u

enum dialect { OLD, H, SHORT, HEX, WIDE, NEWEST };

/* Lines, of which stretches are copied. */
struct lines {
	char **lines;
	bool *is_call;
	size_t n, capacity;
};

static void
add_line(struct lines *lines, const char *line, bool is_call)
{
	if (lines->n == lines->capacity) {
		lines->capacity = lines->capacity * 2 + 64;
		lines->lines = xrealloc_array(lines->lines, lines->capacity, sizeof(char *));
		lines->is_call = xrealloc_array(lines->is_call, lines->capacity, sizeof(bool));
	}
	lines->lines[lines->n] = xstrdup(line);
	lines->is_call[lines->n++] = is_call;
}

static void
insert_line(struct lines *lines, size_t at, const char *line, bool is_call)
{
	add_line(lines, line, is_call);
	char *added = lines->lines[lines->n - 1];
	memmove(lines->lines + at + 1, lines->lines + at, (lines->n - 1 - at) * sizeof(char *));
	memmove(lines->is_call + at + 1, lines->is_call + at, lines->n - 1 - at);
	lines->lines[at] = added;
	lines->is_call[at] = is_call;
}

static void
free_lines(struct lines *lines)
{
	for (size_t i = 0; i < lines->n; i++) {
		free(lines->lines[i]);
	}
	free(lines->lines);
	free(lines->is_call);
	*lines = (struct lines){NULL, NULL, 0, 0};
}

/* ---- a process that records ---- */

struct process {
	enum dialect dialect;
	struct prng *prng;
	struct lines *lines;
	int pid, tid, host;
	int64_t id, now;
	unsigned known_files;
};

static const char *
hash_of(const struct process *process, unsigned number, char *buffer)
{
	unsigned hash = number + 100u * (unsigned)process->host;

	if (process->dialect == HEX || process->dialect == NEWEST) {
		snprintf(buffer, 40, "\"%016x\"", hash);
	} else if (process->dialect == WIDE) {
		snprintf(buffer, 40, "17000000000000000%03u", hash);
	} else {
		snprintf(buffer, 40, "%u", hash);
	}
	return buffer;
}

/* Of the second kinds HH and FH; "process_name" has a value. */
static void
record_metadata(struct process *process, const char *kind, const char *name, unsigned number)
{
	char line[400], hash[40], host[40];

	hash_of(process, number, hash);
	hash_of(process, 0, host);
	if (process->dialect == OLD) {
		return;
	}
	if (process->dialect == H) {
		snprintf(line, sizeof line,
		         "{\"id\":%ld,\"name\":\"%s\",\"cat\":\"dftracer\",\"pid\":%d,\"tid\":%d,"
		         "\"ph\":\"H\",\"args\":{\"hash\":%s}}",
		         (long)process->id++, name, process->pid, process->tid, hash);
	} else if (process->dialect == NEWEST) {
		snprintf(line, sizeof line,
		         "{\"name\":\"%s\",\"cat\":\"dftracer\",\"type\":1,\"pid\":%d,\"tid\":%d,"
		         "\"ph\":4,\"args\":{\"hhash\":%s,\"name\":\"%s\",\"value\":%s}}",
		         kind, process->pid, process->tid, host, name, hash);
	} else {
		snprintf(line, sizeof line,
		         "{\"id\":%ld,\"name\":\"%s\",\"cat\":\"dftracer\",\"pid\":%d,\"tid\":%d,"
		         "\"ph\":\"M\",\"args\":{\"name\":\"%s\",\"value\":%s}}",
		         (long)process->id++, kind, process->pid, process->tid, name, hash);
	}
	add_line(process->lines, line, false);
}

static void
record_call(struct process *process, const char *name, int64_t id, int64_t start, int tid,
            unsigned file)
{
	char line[400], hash[40], host[40], path[40];
	int64_t duration = process->now - start;

	snprintf(path, sizeof path, "/data/file%u", file);
	hash_of(process, 0, host);
	if (process->dialect != OLD && file >= process->known_files) {
		process->known_files = file + 1;
		record_metadata(process, "FH", path, file + 1);
	}
	hash_of(process, file + 1, hash);
	if (process->dialect == OLD) {
		snprintf(
		    line, sizeof line,
		    "{\"id\":\"%ld\",\"name\":\"%s\",\"cat\":\"POSIX\",\"pid\":\"%d\",\"tid\":"
		    "\"%d\",\"ts\":\"%ld\",\"dur\":\"%ld\",\"ph\":\"X\",\"args\":{\"hostname\":"
		    "\"node%d\",\"fname\":\"%s\",\"ret\":\"%u\"}}",
		    (long)id, name, process->pid, tid, (long)start, (long)duration, process->host,
		    path, file + 1);
	} else {
		snprintf(line, sizeof line,
		         "{\"id\":%ld,\"name\":\"%s\",\"cat\":\"POSIX\",\"pid\":%d,\"tid\":%d,"
		         "\"ts\":%ld,\"dur\":%ld,\"ph\":%s,\"args\":{\"hhash\":%s,\"fhash\":%s,"
		         "\"ret\":%u}}",
		         (long)id, name, process->pid, tid, (long)start, (long)duration,
		         process->dialect == NEWEST ? "1" : "\"X\"", host, hash, file + 1);
	}
	add_line(process->lines, line, true);
}

static void
record_counter(struct process *process)
{
	char line[300], host[40];

	snprintf(line, sizeof line,
	         "{\"name\":\"cpu\",\"cat\":\"sys\",\"pid\":%d,\"tid\":%d,\"ts\":%ld,\"ph\":%s,"
	         "\"args\":{\"hhash\":%s,\"user\":%u}}",
	         process->pid, process->tid, (long)process->now,
	         process->dialect == NEWEST ? "2" : "\"C\"", hash_of(process, 0, host),
	         (unsigned)prng_below(process->prng, 100));
	add_line(process->lines, line, false);
}

/* Calls nest; ids are given as they begin, records are written as they end. The clock is coarse:
 * many fall on one instant. */
static void
call(struct process *process, unsigned depth, int tid)
{
	static const char *const names[] = {"read", "write", "open64", "close", "step"};
	int64_t id = process->id++, start = process->now;
	unsigned children = depth < 3 ? (unsigned)prng_below(process->prng, 4) : 0;

	process->now += (int64_t)prng_below(process->prng, 3);
	for (unsigned i = 0; i < children; i++) {
		call(process, depth + 1, tid);
	}
	process->now += (int64_t)prng_below(process->prng, 3);
	record_call(process, names[prng_below(process->prng, 5)], id, start, tid,
	            (unsigned)prng_below(process->prng, 6));
	if ((process->dialect == HEX || process->dialect == NEWEST) &&
	    prng_below(process->prng, 8) == 0) {
		process->now++;
		record_counter(process);
	}
}

static void
record_process(struct process *process, unsigned n_calls)
{
	char host[40];

	snprintf(host, sizeof host, "node%d", process->host);
	record_metadata(process, "HH", host, 0);
	for (unsigned i = 0; i < n_calls; i++) {
		call(process, 0, process->tid + (int)prng_below(process->prng, 3));
		process->now += (int64_t)prng_below(process->prng, 5);
	}
}

/* ---- importing ---- */

static const char *
write_lines(const char *name, const struct lines *lines)
{
	struct strbuf text = {NULL, 0, 0};

	strbuf_add_text(&text, "[\n");
	for (size_t i = 0; i < lines->n; i++) {
		strbuf_add_text(&text, lines->lines[i]);
		strbuf_add_char(&text, '\n');
	}
	strbuf_add_char(&text, '\0');
	const char *path = write_file(name, text.data);
	strbuf_free(&text);
	return path;
}

static void
import_lines(const struct lines *sources, unsigned n, const char *out, unsigned n_threads)
{
	struct err err = ERR_INIT;
	const char *paths[SOURCES_MAX];
	char name[32];

	for (unsigned i = 0; i < n; i++) {
		snprintf(name, sizeof name, "source%u.pfw", i);
		paths[i] = write_lines(name, &sources[i]);
	}
	struct ingest_plan plan = {
	    .format = "dftracer", .name = "run", .out_path = out, .paths = paths, .n_paths = n};
	struct ingest_options options = {.n_threads = n_threads};
	(void)remove(out);
	ck_assert_msg(ingest_run(&plan, &options, NULL, NULL, &err) == 0, "%s", err.message);
}

static void
compare_runs(const char *run, const char *other)
{
	static const char *const statements[] = {
	    "SELECT sum(records), sum(metadata), sum(bad_records), sum(spans), sum(events), "
	    "sum(counters) FROM source",
	    "SELECT host, process, thread, category, name, n, rows, start_min, finish_max, "
	    "dur_sum, size_n, size_sum FROM span_totals ORDER BY 1, 2, 3, 4, 5",
	    "SELECT span.name, category, path, lanes.process, lanes.thread, start, duration, args "
	    "FROM span "
	    "JOIN lanes ON lanes.id = span.lane ORDER BY 1, 2, 3, 4, 5, 6, 7, 8",
	    "SELECT name, time, value FROM counter ORDER BY 1, 2, 3",
	    /* which of two alike holds the other depends on their order */
	    "SELECT host, process, thread, sum(self_sum) FROM span_totals GROUP BY 1, 2, 3",
	    "SELECT scope, key, value FROM tags ORDER BY 1, 2, 3",
	    "SELECT duration_ns FROM run",
	};

	expect_same_answers(run, other, statements, sizeof statements / sizeof *statements);
}

/* ---- the property ---- */

static void
copy_stretch(struct lines *sources, unsigned n, struct prng *prng)
{
	const struct lines *from = &sources[prng_below(prng, n)];
	struct lines *to = &sources[prng_below(prng, n)];
	size_t length = 1 + prng_below(prng, from->n),
	       first = prng_below(prng, from->n - length + 1);
	size_t at = prng_below(prng, 3) ? to->n : prng_below(prng, to->n + 1);
	struct lines copy = {NULL, NULL, 0, 0};
	bool is_call = false;

	for (size_t i = 0; i < length; i++) {
		add_line(&copy, from->lines[first + i], from->is_call[first + i]);
		is_call |= from->is_call[first + i];
	}
	for (size_t i = 0; i < length && is_call; i++) {
		insert_line(to, at + i, copy.lines[i], copy.is_call[i]);
	}
	free_lines(&copy);
}

/* 1 to 4 processes in as many files or fewer. Ranks stand for process ids in the old dialect, and
 * processes are forked. */
static unsigned
record_run(struct lines *sources, enum dialect dialect, struct prng *prng)
{
	unsigned n = 1 + (unsigned)prng_below(prng, SOURCES_MAX);
	unsigned n_processes = n + (unsigned)prng_below(prng, 3);

	for (unsigned i = 0; i < n_processes; i++) {
		struct process process = {.dialect = dialect,
		                          .prng = prng,
		                          .lines = &sources[i % n],
		                          .pid =
		                              dialect == OLD ? (int)(i % n) : 4000 + (int)(i % 5),
		                          .tid = 10000 * (int)(i + 1),
		                          .host = (int)(i / 5),
		                          .id = (int64_t)prng_below(prng, 2),
		                          .now = INT64_C(1700000000000000) + (int64_t)i * 7};
		record_process(&process, 3 + (unsigned)prng_below(prng, 30));
	}
	return n;
}

START_TEST(copies_count_once)
{
	struct prng prng = {(uint64_t)_i * 977 + 5};
	enum dialect dialect = (enum dialect)(_i % (int)DIALECTS);
	struct lines sources[SOURCES_MAX] = {{NULL, NULL, 0, 0}};

	make_folder();
	unsigned n = record_run(sources, dialect, &prng);
	import_lines(sources, n, in_folder("plain.lanes"), 2);
	expect_answer(in_folder("plain.lanes"),
	              "SELECT count(*) FROM problem WHERE kind = 'duplicate'", "0\n");
	for (unsigned i = 0, copies = 1 + (unsigned)prng_below(&prng, 4); i < copies; i++) {
		copy_stretch(sources, n, &prng);
	}
	for (unsigned i = 1; i < n; i++) {
		unsigned other = (unsigned)prng_below(&prng, i + 1);
		struct lines swapped = sources[i];
		sources[i] = sources[other];
		sources[other] = swapped;
	}
	import_lines(sources, n, in_folder("copies.lanes"), 1 + (unsigned)_i % 3);
	compare_runs(in_folder("plain.lanes"), in_folder("copies.lanes"));
	expect_answer(
	    in_folder("copies.lanes"),
	    "SELECT max(n) FROM (SELECT count(*) AS n FROM problem WHERE kind = 'duplicate' "
	    "GROUP BY source)",
	    "1\n");
	for (unsigned i = 0; i < n; i++) {
		free_lines(&sources[i]);
	}
	remove_folder();
}
END_TEST

/* ---- single cases ---- */

#define CALL(id, name, ts)                                                                         \
	"{\"id\":" #id ",\"name\":\"" name "\",\"cat\":\"POSIX\",\"pid\":7,\"tid\":7,\"ts\":" #ts  \
	",\"dur\":2,\"ph\":\"X\",\"args\":{\"hhash\":\"ab\"}}"

static void
add_calls(struct lines *lines, const char *const *calls, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		add_line(lines, calls[i], true);
	}
}

START_TEST(what_is_told_names_the_first_of_each)
{
	static const char *const one[] = {CALL(1, "read", 1700000000000010),
	                                  CALL(2, "read", 1700000000000020),
	                                  CALL(3, "write", 1700000000000030)};
	static const char *const other[] = {
	    CALL(5, "open", 1700000000000050), CALL(3, "write", 1700000000000030),
	    CALL(2, "read", 1700000000000020), CALL(1, "read", 1700000000000011)};
	struct lines sources[2] = {{NULL, NULL, 0, 0}};

	make_folder();
	add_calls(&sources[0], one, 3);
	add_calls(&sources[1], other, 4);
	import_lines(sources, 2, in_folder("run.lanes"), 2);
	expect_answer(in_folder("run.lanes"), "SELECT count(*) FROM span", "5\n");
	expect_answer(in_folder("run.lanes"), "SELECT records, spans FROM source", "3|3\n2|2\n");
	expect_answer(
	    in_folder("run.lanes"),
	    "SELECT kind, record, replace(reason, rtrim(source, 'source1.pfw'), '') FROM "
	    "problems WHERE kind IN ('duplicate', 'suspicious') AND source IS NOT NULL AND "
	    "reason NOT LIKE '%hash%'",
	    "duplicate|3|2 records here stand elsewhere too, with the same process, id, times "
	    "and name (the first is record 4 of source0.pfw): counted once, there\n"
	    "suspicious|5|1 record here has an id that another record of the thread has, with "
	    "other times or another name (the first: record 2 of source0.pfw): another start "
	    "of the process, or a second tracer in it; all are kept\n");
	free_lines(&sources[0]);
	free_lines(&sources[1]);
	remove_folder();
}
END_TEST

/* The process has started again, in the same file and in another: nothing is a copy, and both are
 * told. */
START_TEST(another_start_is_kept_and_told)
{
	struct prng prng = {3};
	struct lines sources[2] = {{NULL, NULL, 0, 0}};
	struct process process = {.dialect = WIDE,
	                          .prng = &prng,
	                          .lines = &sources[0],
	                          .pid = 7,
	                          .tid = 7,
	                          .now = INT64_C(1700000000000000)};

	make_folder();
	record_process(&process, 20);
	process.id = 0;
	record_process(&process, 20);
	process.id = 0;
	process.lines = &sources[1];
	process.known_files = 0;
	record_process(&process, 20);
	size_t n = sources[0].n + sources[1].n;
	import_lines(sources, 2, in_folder("run.lanes"), 1);
	char wanted[32];
	snprintf(wanted, sizeof wanted, "%zu\n", n);
	expect_answer(in_folder("run.lanes"), "SELECT sum(records) FROM source", wanted);
	expect_answer(
	    in_folder("run.lanes"),
	    "SELECT count(*), count(DISTINCT source) FROM problem WHERE reason LIKE '%ids begin "
	    "again%'",
	    "2|1\n");
	free_lines(&sources[0]);
	free_lines(&sources[1]);
	remove_folder();
}
END_TEST

/* More keys than one bucket takes, and than stay in memory. */
START_TEST(many_copies)
{
	struct prng prng = {11};
	struct lines sources[2] = {{NULL, NULL, 0, 0}};
	struct process process = {.dialect = WIDE,
	                          .prng = &prng,
	                          .lines = &sources[0],
	                          .pid = 7,
	                          .tid = 7,
	                          .now = INT64_C(1700000000000000)};

	make_folder();
	record_process(&process, 20000);
	for (size_t i = 0; i < sources[0].n; i++) {
		add_line(&sources[1], sources[0].lines[i], sources[0].is_call[i]);
	}
	import_lines(sources, 1, in_folder("plain.lanes"), 2);
	import_lines(sources, 2, in_folder("copies.lanes"), 2);
	char *one = answer(in_folder("plain.lanes"), "SELECT sum(records), count(*) FROM source");
	char *two =
	    answer(in_folder("copies.lanes"), "SELECT sum(records), count(*) - 1 FROM source");
	ck_assert_str_eq(one, two);
	free(one);
	free(two);
	free_lines(&sources[0]);
	free_lines(&sources[1]);
	remove_folder();
}
END_TEST

START_TEST(sets_of_numbers)
{
	struct number_set *set = number_set_new();
	struct prng prng = {1};
	bool *model = xcalloc(200000, sizeof *model);
	uint64_t n = 0;

	ck_assert(!number_set_has(NULL, 3));
	ck_assert(!number_set_add(set, NUMBER_SET_LIMIT));
	for (unsigned i = 0; i < 100000; i++) {
		uint64_t number = i < 70000 ? i : prng_below(&prng, 200000);
		ck_assert(number_set_add(set, number) == !model[number]);
		n += !model[number];
		model[number] = true;
	}
	for (uint64_t i = 0; i < 200000; i++) {
		ck_assert(number_set_has(set, i) == model[i]);
	}
	ck_assert_uint_eq(number_set_count(set), n);
	ck_assert(!number_set_has(set, NUMBER_SET_LIMIT));
	number_set_free(set);
	free(model);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("repeats");
	TCase *tests = tcase_create("repeats");

	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, sets_of_numbers);
	tcase_add_test(tests, what_is_told_names_the_first_of_each);
	tcase_add_test(tests, another_start_is_kept_and_told);
	tcase_add_test(tests, many_copies);
	tcase_add_loop_test(tests, copies_count_once, 0, 60);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
