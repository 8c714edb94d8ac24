/* Imports through a small format of these tests (ingest_format.h): all that arrives, alike with any
 * number of threads, or nothing. */
#include "config.h"

#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "ingest_format.h"
#include "util/prng.h"

/* Sanitizers keep freed memory: peak memory then says nothing. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED
#endif
#endif

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

/* Links name spans by ordinals; long spans stand in blocks of their own, so ids are in another
 * order. */
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

/* In the cache a whole run of the same files is taken as it is. */
START_TEST(what_is_there_already_is_told)
{
	struct err err = ERR_INIT;
	struct ingest_summary summary;

	make_folder();
	const char *paths[] = {write_file("f", "span 1 0 5 a\n"),
	                       write_file("g", "span 1 9 5 b\n")};
	struct ingest_plan plan = {.format = "test",
	                           .name = "run",
	                           .out_path = in_folder("run.lanes"),
	                           .paths = paths,
	                           .n_paths = 2};
	struct ingest_options options = {.clash = CLASH_SHARE};
	for (int i = 0; i < 2; i++) {
		memset(&summary, 1, sizeof summary);
		ck_assert_int_eq(run_import(&plan, &test_format, &options, NULL, &summary, &err),
		                 0);
		ck_assert_int_eq(summary.is_held, i > 0);
		ck_assert_uint_eq(summary.sources, 2);
		ck_assert_uint_eq(summary.spans, i > 0 ? 0 : 2);
		ck_assert_str_eq(summary.out_path, plan.out_path);
	}
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
	ck_assert_uint_eq(summary.spans, 3);
	ck_assert_uint_eq(summary.events, 0);
	ck_assert_uint_eq(summary.tasks, 0);
	ck_assert_uint_eq(summary.bad_records, 5);
	struct store *store = open_run(in_folder("run.lanes"));
	expect(store, "SELECT name, start, duration FROM span ORDER BY start",
	       "first|0|0\nc|4611686018427387903|0\nlast|9223372036854775806|0\n");
	expect(store, "SELECT args FROM span WHERE name = 'c'",
	       "{\"ordinal\":0,\"size\":9223372036854775807,\"duration\":9223372036854775807}\n");
	expect(store, "SELECT count(*) FROM problem WHERE reason LIKE '5 records have times%'",
	       "1\n");
	expect(store,
	       "SELECT count(*) FROM problem WHERE kind = 'suspicious' AND reason LIKE "
	       "'durations above 36 years %(records: 1, the first with 9223372036854775807 ns)'",
	       "1\n");
	store_close(store);
	remove_folder();
}
END_TEST

/* Sizes that can't be are left out and told, lanes without a name are called by what is known. */
START_TEST(oddities_are_told)
{
	struct err err = ERR_INIT;
	struct ingest_summary summary = {
	    .sources = 77, .bad_records = 77, .spans = 77, .tasks = 77};

	make_folder();
	const char *paths[] = {
	    write_file("f", "transfer a 1 5 9223372036854775807\ntransfer b 1 6 281474976710656\n"
	                    "transfer c 1 7 281474976710657\ntransfer d 1 8 0\n"
	                    "span 100 1 1 x\nspan 101 2 1 y\nspan 7 3 1 z\n")};
	int result = import(paths, 1, in_folder("run.lanes"), 1, &summary, &err);
	ck_assert_msg(result == 0, "%s", err.message);
	ck_assert_uint_eq(summary.sources, 1);
	ck_assert_uint_eq(summary.bad_records, 0);
	ck_assert_uint_eq(summary.spans, 3);
	ck_assert_uint_eq(summary.tasks, 0);
	struct store *store = open_run(in_folder("run.lanes"));
	expect(store, "SELECT ifnull(size, '-') FROM transfer ORDER BY finished",
	       "-\n281474976710656\n-\n0\n");
	expect(store,
	       "SELECT count(*) FROM problem WHERE kind = 'suspicious' AND reason LIKE "
	       "'sizes above %(records: 2, the first with 9223372036854775807 bytes)'",
	       "1\n");
	expect(store, "SELECT lane_name FROM span ORDER BY start", "thread\nmain\n1/7\n");
	store_close(store);
	const char *orphan[] = {write_file("g", "trial t\nsample 0\nsample 1\n")};
	ck_assert_int_eq(import(orphan, 1, in_folder("other.lanes"), 1, NULL, &err), -1);
	ck_assert_int_eq(err.code, ERR_INTERNAL);
	ck_assert_ptr_nonnull(strstr(err.message, "/g: a sample of no trial"));
	remove_folder();
}
END_TEST

/* What can't be read, or not to its end, is a problem of the run that the others make. */
START_TEST(the_readable_part_is_a_run)
{
	struct err err = ERR_INIT;
	struct ingest_summary summary;

	make_folder();
	const char *good = write_file("good", "span 1 1 1 a\n");
	const char *bad = write_file("bad", "span 1 5 1 a\nfail\n");
	const char *paths[] = {in_folder("absent"), good, bad, in_folder("")};
	for (unsigned n_threads = 1; n_threads <= 3; n_threads += 2) {
		int result = import(paths, 4, in_folder("run.lanes"), n_threads, &summary, &err);
		ck_assert_msg(result == 0, "%s", err.message);
		ck_assert_uint_eq(summary.spans, 2);
		struct store *store = open_run(in_folder("run.lanes"));
		expect(store,
		       "SELECT kind, substr(reason, instr(reason, ': ') + 2), source FROM problem "
		       "WHERE source IS NOT NULL ORDER BY id",
		       "missing|No such file or directory|0\ntruncated|the disk is gone|2\n"
		       "missing|Is a directory|3\n");
		store_close(store);
	}
	remove_folder();
}
END_TEST

/* A run that is there already is told by its place and the number of its sources only. */
START_TEST(what_is_held_is_not_counted)
{
	struct err err = ERR_INIT;
	struct ingest_summary summary;

	make_folder();
	const char *a = write_file("a", "span 1 1 1 a\nbad\n"),
		   *b = write_file("b", "span 1 5 1 a\n");
	const char *paths[] = {a, b};
	for (int turn = 0; turn < 2; turn++) {
		memset(&summary, 0x55, sizeof summary);
		int result = import(paths, 2, in_folder("run.lanes"), 1, &summary, &err);
		ck_assert_msg(result == 0, "%s", err.message);
		ck_assert_int_eq(summary.is_held, turn == 1);
		ck_assert_str_eq(summary.out_path, in_folder("run.lanes"));
		ck_assert_uint_eq(summary.sources, 2);
		ck_assert_uint_eq(summary.spans, turn == 1 ? 0 : 2);
		ck_assert_int_eq(summary.problems > 0, turn == 0);
	}
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
	const char *stuck = write_file("stuck", "fail\n");
	const char *sets[][3] = {{stuck, in_folder("absent"), stuck},
	                         {in_folder("absent"), in_folder(""), stuck},
	                         {good, bad, stopping},
	                         {in_folder(""), in_folder("absent"), stuck}};
	static const enum err_code codes[] = {ERR_SYSTEM, ERR_SYSTEM, ERR_CANCELLED, ERR_SYSTEM};
	static const char *const words[] = {"/stuck: the disk is gone", "absent: No such file",
	                                    "cancelled", "Is a directory"};
	for (unsigned i = 0; i < 4 * 2; i++) {
		struct err err = ERR_INIT;
		atomic_store(&test_cancel.requested, false);
		ck_assert_int_eq(
		    import(sets[i / 2], 3, in_folder("run.lanes"), 1 + i % 2 * 2, &summary, &err),
		    -1);
		ck_assert_int_eq(err.code, codes[i / 2]);
		ck_assert_msg(strstr(err.message, words[i / 2]) != NULL, "%s", err.message);
		ck_assert_uint_eq(count_entries(), 4);
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
	ck_assert_uint_eq(count_entries(), 4);
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
	close(ends[1]); /* or nobody would see a child that crashed */
	ck_assert_int_eq(read(ends[0], &peak, sizeof peak), sizeof peak);
	close(ends[0]);
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
	tcase_add_test(tests, what_is_there_already_is_told);
	tcase_add_test(tests, impossible_times_are_refused);
	tcase_add_test(tests, oddities_are_told);
	tcase_add_test(tests, the_readable_part_is_a_run);
	tcase_add_test(tests, what_is_held_is_not_counted);
	tcase_add_test(tests, failures_leave_nothing);
	tcase_add_test(tests, empty_sources_make_an_empty_run);
	tcase_add_test(tests, progress_adds_up);
#ifndef IS_SANITIZED
	tcase_add_test(tests, memory_does_not_grow_with_the_input);
#endif
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
