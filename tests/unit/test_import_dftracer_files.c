/* The DFTracer importer over whole files: what only shows over all sources of a run, generated
 * traces, gzip that breaks off, and the samples. */
#include "config.h"

#include "dftracer_fixture.h"
#include "folder.h"
#include "input/gzip_writer.h"
#include "simulate/demo_traces.h"
#include "util/mem.h"

/* ---- over all sources ---- */

static struct record_sink *
conclude(const char *const *texts, size_t n)
{
	struct record_sink *last = record_sink_new();
	void **facts =
	    xcalloc(n + 1, sizeof *facts); /* the last stays NULL: a source without facts */

	for (size_t i = 0; i < n; i++) {
		struct record_sink *recorded = record_sink_new();
		ck_assert_int_eq(
		    record_bytes(recorded, format, texts[i], strlen(texts[i]), 0, false, &facts[i]),
		    0);
		record_sink_free(recorded);
	}
	format->conclude(facts, n + 1, &last->sink);
	for (size_t i = 0; i < n; i++) {
		format->free_facts(facts[i]);
	}
	format->free_facts(NULL);
	free(facts);
	return last;
}

START_TEST(ranks_by_process)
{
	const char *const some[] = {OLD("8"), OLD("9"), OLD("11")};
	struct record_sink *last = conclude(some, 3);

	ck_assert_uint_eq(last->n_problems, 1);
	ck_assert_int_eq(last->problems[0].kind, PROBLEM_MISSING);
	ck_assert_ptr_nonnull(strstr(last->problems[0].reason, "9 of 12 ranks"));
	ck_assert_ptr_nonnull(strstr(last->problems[0].reason, "0-7, 10"));
	ck_assert_str_eq(record_tag(last, "-", "ranks"), "3");
	ck_assert_str_eq(record_tag(last, "-", "processes"), "3");
	ck_assert_str_eq(record_tag(last, "-", "hosts"), "3");
	record_sink_free(last);
	/* ids of the operating system are no ranks */
	const char *const ids[] = {OLD("33128"), OLD("33129"), OLD("33131")};
	last = conclude(ids, 3);
	ck_assert_uint_eq(last->n_problems, 0);
	ck_assert_ptr_null(record_tag(last, "-", "ranks"));
	record_sink_free(last);
	const char *const whole[] = {OLD("1"), OLD("0"), OLD("1")};
	last = conclude(whole, 3);
	ck_assert_uint_eq(last->n_problems, 0);
	ck_assert_str_eq(record_tag(last, "-", "ranks"), "2");
	record_sink_free(last);
	last = conclude(NULL, 0);
	ck_assert_uint_eq(last->n_problems, 0);
	record_sink_free(last);
}
END_TEST

#define START_OF(pid, host)                                                                        \
	"{\"name\":\"start\",\"cat\":\"dftracer\",\"pid\":" pid                                    \
	",\"tid\":1,\"ts\":1,\"dur\":0,\"args\":{\"hhash\":" host "}}\n"
#define END_OF(pid, host)                                                                          \
	"{\"name\":\"end\",\"cat\":\"dftracer\",\"pid\":" pid                                      \
	",\"tid\":1,\"ts\":9,\"dur\":0,\"args\":{\"hhash\":" host "}}\n"
#define HOST(name, host)                                                                           \
	"{\"name\":\"HH\",\"ph\":\"M\",\"pid\":1,\"args\":{\"name\":\"" name "\",\"value\":" host  \
	"}}\n"
#define RANK(rank)                                                                                 \
	"{\"name\":\"PR\",\"ph\":\"M\",\"pid\":1,\"args\":{\"name\":\"rank\",\"value\":\"" rank    \
	"\"}}\n"

START_TEST(processes_without_end)
{
	/* the same pid on two hosts; one process in two files; a hash defined in another file */
	const char *const texts[] = {HOST("alpha", "11") START_OF("5", "11") START_OF("6", "12"),
	                             HOST("beta", "12") END_OF("5", "11") START_OF("5", "12"),
	                             RANK("0") RANK("2")};
	struct record_sink *last = conclude(texts, 3);

	ck_assert_str_eq(record_tag(last, "-", "hosts"), "2");
	ck_assert_str_eq(record_tag(last, "-", "processes"), "3");
	ck_assert_uint_eq(last->n_problems, 3);
	ck_assert_ptr_nonnull(strstr(last->problems[0].reason, "1 of 3 ranks"));
	ck_assert_ptr_nonnull(strstr(last->problems[1].reason, "process 5 on beta"));
	ck_assert_ptr_nonnull(strstr(last->problems[2].reason, "process 6 on beta"));
	record_sink_free(last);
}
END_TEST

/* ---- generated traces ---- */

static void
check_generated(const struct demo_dftracer *options)
{
	const char *folder = folder_new();
	char path[256];
	struct err err = ERR_INIT;
	struct demo_count count;
	uint64_t records = 0, bad = 0, writes = 0;
	void *facts[8] = {NULL};

	ck_assert_msg(demo_write_dftracer(folder, options, &count, &err) == 0, "%s", err.message);
	for (unsigned i = 0; i < options->ranks; i++) {
		struct record_sink *recorded = record_sink_new();
		snprintf(path, sizeof path, "%s/trace-%u-of-%u.pfw%s", folder, i, options->ranks,
		         options->level ? ".gz" : "");
		ck_assert_int_eq(record_file(recorded, format, path, false, &facts[i]), 0);
		records += recorded->facts.records;
		bad += recorded->facts.bad_records;
		ck_assert_uint_eq(recorded->n_problems, recorded->facts.bad_records);
		for (size_t k = 0; k < recorded->n_spans; k++) {
			writes += recorded->spans[k].size_bytes == INT64_C(1875123200);
			ck_assert_int_ge(recorded->spans[k].start_ns, INT64_C(1712598200000000000));
		}
		record_sink_free(recorded);
	}
	folder_remove(folder);
	struct record_sink *last = record_sink_new();
	format->conclude(facts, options->ranks, &last->sink);
	ck_assert_uint_eq(last->n_problems, 0);
	ck_assert_str_eq(record_tag(last, "-", "ranks"), "4");
	ck_assert_str_eq(record_tag(last, "-", "hosts"), "2");
	record_sink_free(last);
	for (unsigned i = 0; i < options->ranks; i++) {
		format->free_facts(facts[i]);
	}
	ck_assert_uint_eq(records, count.records);
	ck_assert_uint_eq(bad, count.bad_lines);
	ck_assert_uint_eq(count.records, options->events);
	ck_assert_uint_eq(bad, options->bad_lines);
	ck_assert_uint_ge(writes, (uint64_t)options->ranks * options->steps);
}

START_TEST(generated)
{
	struct demo_dftracer options = DEMO_DFTRACER_DEFAULTS;

	options.ranks = 4;
	options.nodes = 2;
	options.steps = 2;
	options.layers = 6;
	options.events = 4001;
	for (unsigned i = 0; i < 6; i++) {
		options.dialect = (enum demo_dialect)(i % 3);
		options.scr = i >= 3;
		options.bad_lines = i % 2 ? 13 : 0;
		options.level = i == 4 ? 0 : 1;
		options.seed = i;
		check_generated(&options);
	}
	struct err err = ERR_INIT;
	options.ranks = 0;
	ck_assert_int_eq(demo_write_dftracer("/tmp", &options, NULL, &err), -1);
	options.ranks = 1;
	ck_assert_int_eq(demo_write_dftracer("/nonexistent/a/b", &options, NULL, &err), -1);
	if (access("/dev/full", W_OK) == 0) { /* what could not be written is told at the end */
		for (int level = 0; level < 2; level++) {
			struct gzip_writer *writer = gzip_writer_open("/dev/full", level, &err);
			gzip_writer_put(writer, "text", 4);
			ck_assert_int_eq(gzip_writer_close(writer, &err), -1);
			ck_assert_int_eq(err.code, ERR_SYSTEM);
		}
	}
}
END_TEST

/* A gzip file cut anywhere: all whole lines before the break, and one problem that says so. */
START_TEST(truncated_gzip)
{
	char path[] = "/tmp/lanescope-cut-XXXXXX";
	struct err err = ERR_INIT;
	const unsigned lines = 400;
	uint64_t begins[401] = {0};
	size_t n_within = 0;

	close(mkstemp(path));
	struct gzip_writer *writer = gzip_writer_open(path, 6, &err);
	for (unsigned i = 0; i < lines; i++) {
		char line[256];
		int len = snprintf(line, sizeof line,
		                   "{\"name\":\"f%u\",\"pid\":1,\"tid\":1,\"ts\":%u,\"dur\":%u}\n",
		                   i * 7919 % 1000, i, i * 31 % 77);
		gzip_writer_put(writer, line, (size_t)len);
		begins[i + 1] = begins[i] + (uint64_t)len;
		if (i == lines / 2) {
			gzip_writer_split(writer);
		}
	}
	ck_assert_int_eq(gzip_writer_close(writer, &err), 0);
	FILE *file = fopen(path, "rb");
	char bytes[16384];
	size_t size = fread(bytes, 1, sizeof bytes, file);
	fclose(file);
	unlink(path);
	size_t last_records = 0;
	for (size_t cut = 40; cut <= size; cut += cut + 60 < size ? 37 : 1) {
		struct record_sink *recorded = record_sink_new();
		ck_assert_int_eq(record_bytes(recorded, format, bytes, cut, 0, false, NULL), 0);
		ck_assert_uint_ge(recorded->facts.records, last_records);
		last_records = recorded->facts.records;
		/* cut between the members, the file looks whole */
		size_t broken = record_problems(recorded, PROBLEM_TRUNCATED);
		ck_assert_uint_eq(recorded->n_problems, broken);
		ck_assert(broken == 1 || cut == size || last_records == lines / 2 + 1);
		if (broken && strstr(recorded->problems[0].reason, "the last line is incomplete")) {
			ck_assert_uint_eq(recorded->problems[0].offset, begins[last_records]);
			ck_assert_uint_eq(recorded->problems[0].record, last_records + 1);
			n_within++;
		}
		record_sink_free(recorded);
	}
	ck_assert_uint_eq(last_records, lines);
	ck_assert_uint_gt(n_within, 0);
}
END_TEST

/* However the bytes arrive. */
START_TEST(pieces)
{
	static const char *const names[] = {"old.pfw", "short-hash.pfw", "v2.pfw", "damaged.pfw"};
	char bytes[8192];

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		FILE *file = fopen(fixture(names[i]), "rb");
		size_t size = fread(bytes, 1, sizeof bytes, file);
		fclose(file);
		for (size_t chunk = 1; chunk < 80; chunk += 13) {
			struct record_sink *whole = record_sink_new(), *parts = record_sink_new();
			ck_assert_int_eq(record_bytes(whole, format, bytes, size, 0, false, NULL),
			                 0);
			ck_assert_int_eq(
			    record_bytes(parts, format, bytes, size, chunk, false, NULL), 0);
			ck_assert_uint_eq(whole->facts.records, parts->facts.records);
			ck_assert_uint_eq(whole->n_spans, parts->n_spans);
			for (size_t k = 0; k < whole->n_spans; k++) {
				char one[4096];
				snprintf(one, sizeof one, "%s", show_span(whole, k));
				ck_assert_str_eq(one, show_span(parts, k));
			}
			ck_assert_uint_eq(whole->n_problems, parts->n_problems);
			for (size_t k = 0; k < whole->n_problems; k++) {
				ck_assert_str_eq(whole->problems[k].reason,
				                 parts->problems[k].reason);
				ck_assert_uint_eq(whole->problems[k].offset,
				                  parts->problems[k].offset);
			}
			record_sink_free(whole);
			record_sink_free(parts);
		}
	}
}
END_TEST

/* ---- samples ---- */

static void
read_samples(const char *shared, const char *folder, const char *before, const char *after,
             int first, int last, struct source_facts *sum)
{
	char path[4096];

	for (int i = first; i <= last; i++) {
		struct record_sink *recorded = record_sink_new();
		snprintf(path, sizeof path, "%s/dftracer/%s/%s%d%s", shared, folder, before, i,
		         after);
		if (first < 0) {
			snprintf(path, sizeof path, "%s/dftracer/%s/%s", shared, folder, before);
		}
		if (access(path, R_OK) == 0) {
			ck_assert_int_eq(record_file(recorded, format, path, false, NULL), 0);
			sum->records += recorded->facts.records;
			sum->metadata += recorded->facts.metadata;
			sum->bad_records += recorded->facts.bad_records;
			sum->dialect = recorded->facts.dialect;
			ck_assert_uint_eq(recorded->n_problems, recorded->facts.bad_records);
			ck_assert_uint_eq(recorded->n_spans + recorded->facts.metadata,
			                  recorded->facts.records);
		}
		record_sink_free(recorded);
	}
}

START_TEST(samples)
{
	static const struct {
		const char *folder, *before, *after; /* before NUMBER after; first -1: no number */
		int first, last;
		const char *dialect;
		uint64_t records, metadata, bad;
	} sets[] = {
	    {"dlio_profiler_v0", "trace-", "-of-2.pfw", 0, 1, "v0", 446, 0, 258},
	    {"dlp_old", "test.pfw", "", -1, -1, "old", 1012, 0, 0},
	    {"dlp_old", "test.pfw.gz", "", -1, -1, "old", 1012, 0, 0},
	    {"unet3d_old", "test-trace.pfw.gz", "", -1, -1, "old", 93894, 0, 0},
	    {"dist_v102", "test-trace-dist-", ".pfw.gz", 0, 1, "old", 3325 + 102784, 0, 2},
	    {"cm1_v105", "cm1-DEFAULT-", "-preload.pfw.gz", 3537780, 3537830, "16-bit",
	     190074 + 21775, 21775, 0},
	    {"dlio_v108", "trace-", "-of-8.pfw", 0, 7, "new", 13531 + 180, 180, 0},
	    {"graph", "test_data1.pfw", "", -1, -1, "old", 12, 0, 0},
	};
	const char *shared = unit_shared();

	for (size_t i = 0; shared && i < sizeof sets / sizeof *sets; i++) {
		struct source_facts sum = {.records = 0};
		read_samples(shared, sets[i].folder, sets[i].before, sets[i].after, sets[i].first,
		             sets[i].last, &sum);
		ck_assert_str_eq(sum.dialect, sets[i].dialect);
		ck_assert_uint_eq(sum.records, sets[i].records);
		ck_assert_uint_eq(sum.metadata, sets[i].metadata);
		ck_assert_uint_eq(sum.bad_records, sets[i].bad);
	}
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("import_dftracer_files");
	TCase *tcase = tcase_create("all");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, ranks_by_process);
	tcase_add_test(tcase, processes_without_end);
	tcase_add_test(tcase, generated);
	tcase_add_test(tcase, truncated_gzip);
	tcase_add_test(tcase, pieces);
	tcase_add_test(tcase, samples);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
