/* The importer of data-loading results: what paths say, every kind of file, what the tags of a
 * trial are, and the edge cases of the samples, each of which must be read exactly or refused. */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"
#include "import/formats.h"
#include "import/import_dataload.h"
#include "input/json.h"
#include "record_sink.h"

static const struct import_format *const format = &import_dataload;

#define TREE "tests/data/dataload/exp1"
#define OURS "ours/librispeech/run1/remote/sim_compute_time=0.1"

static const char *
tree_path(const char *file)
{
	static char path[4096];
	const char *folder = getenv("LANESCOPE_SRCDIR");

	snprintf(path, sizeof path, "%s/" TREE "/%s", folder ? folder : ".", file);
	return path;
}

static struct record_sink *
read_path(const char *path, void **facts)
{
	struct record_sink *recorded = record_sink_new();

	ck_assert_int_eq(record_file(recorded, format, path, false, facts), 0);
	return recorded;
}

/* ---- paths ---- */

/* "kind dataset variant run mode time size | name | path | problem" */
static void
check_trial(const char *path, size_t folder_bytes, const char *expected)
{
	struct arena *arena = arena_new();
	struct dataload_trial trial;
	char text[1024];

	dataload_trial_of(arena, path, folder_bytes, &trial);
	snprintf(text, sizeof text, "%s %s %s %s %s %s %s | %s | %s | %s", trial.kind,
	         trial.dataset, trial.variant, trial.run, trial.mode, trial.sim_compute_time,
	         trial.block_size, trial.name, trial.path, trial.problem ? trial.problem : "");
	ck_assert_str_eq(text, expected);
	arena_free(arena);
}

START_TEST(what_paths_say)
{
	check_trial(
	    "/a/run9/local/exp1/baseline1/librispeech/run2/remote/sim_compute_time=1.0/memory.npy",
	    19,
	    "baseline1 librispeech  run2 remote 1.0  | "
	    "baseline1/librispeech/run2/remote/sim_compute_time=1.0 | "
	    "baseline1/librispeech/run2/remote/sim_compute_time=1.0 | ");
	check_trial(
	    "/exp1/baseline2/imagenet/local/sim_compute_time=0.1-block_size=100/io_time.npy", 31,
	    "baseline2 imagenet   local 0.1 100 | "
	    "baseline2/imagenet/local/sim_compute_time=0.1-block_size=100 | "
	    "sim_compute_time=0.1-block_size=100 | ");
	/* signs and exponents, no run and no mode, levels of one's own */
	check_trial("/ours/ucf/sim_compute_time=-1e-3-block_size=7/memory.npy", 1,
	            "ours ucf    -1e-3 7 | ours/ucf/sim_compute_time=-1e-3-block_size=7 | "
	            "ours/ucf/sim_compute_time=-1e-3-block_size=7 | ");
	check_trial("/ours/mine/uselibrosa/v2/run1/local/sim_compute_time=2/memory.npy", 6,
	            "ours mine uselibrosa/v2 run1 local 2  | "
	            "ours/mine/uselibrosa/v2/run1/local/sim_compute_time=2 | "
	            "mine/uselibrosa/v2/run1/local/sim_compute_time=2 | ");
	check_trial("/ours/remote/run3/sim_compute_time=2/memory.npy", 0,
	            "ours   run3 remote 2  | ours/remote/run3/sim_compute_time=2 | "
	            "/ours/remote/run3/sim_compute_time=2 | ");
	/* no kind: only what stands right before the folder */
	check_trial("/home/local/x/imagenet/run4/remote/sim_compute_time=0.5/memory.npy", 0,
	            " imagenet  run4 remote 0.5  | imagenet/run4/remote/sim_compute_time=0.5 | "
	            "/home/local/x/imagenet/run4/remote/sim_compute_time=0.5 | ");
	check_trial("/home/local/x/sim_compute_time=0.5/memory.npy", 0,
	            "     0.5  | sim_compute_time=0.5 | /home/local/x/sim_compute_time=0.5 | ");
	/* names that do not fit */
	check_trial("/ours/x/sim_compute_time=fast/memory.npy", 0,
	            "ours x      | ours/x/sim_compute_time=fast | /ours/x/sim_compute_time=fast | "
	            "the compute time in its folder's name is no number");
	check_trial("/ours/x/sim_compute_time=1-block_size=0/memory.npy", 0,
	            "ours x    1  | ours/x/sim_compute_time=1-block_size=0 | "
	            "/ours/x/sim_compute_time=1-block_size=0 | "
	            "the block size in its folder's name is no positive integer");
	check_trial("/data/things/a.npy", 6,
	            "       | things | things | its folder is not named sim_compute_time=S");
	check_trial("/a.npy", 1, "       | . | . | its folder is not named sim_compute_time=S");
}
END_TEST

/* ---- files ---- */

static void
check_sample(const struct record_sink *recorded, size_t index, const char *name, const char *type,
             size_t n, const double *values)
{
	ck_assert_uint_lt(index, recorded->n_samples);
	const struct sample *sample = &recorded->samples[index];
	ck_assert_str_eq(record_text(recorded, sample->name), name);
	ck_assert_str_eq(record_text(recorded, sample->type), type);
	ck_assert_uint_eq(sample->n_values, n);
	ck_assert_uint_eq(sample->trial, 0);
	for (size_t i = 0; i < n; i++) {
		ck_assert_msg(sample->values[i] == values[i] ||
		                  (isnan(values[i]) && isnan(sample->values[i])),
		              "%zu: %g, not %g", i, sample->values[i], values[i]);
	}
}

START_TEST(arrays)
{
	struct record_sink *recorded = read_path(
	    tree_path("baseline1/librispeech/run1/remote/sim_compute_time=0.1/data_load_time.npy"),
	    NULL);

	ck_assert_uint_eq(recorded->n_trials, 1);
	ck_assert_str_eq(record_text(recorded, recorded->trials[0].name),
	                 "baseline1/librispeech/run1/remote/sim_compute_time=0.1");
	ck_assert_uint_eq(recorded->n_samples, 1);
	check_sample(recorded, 0, "data_load_time", "float64", 4,
	             (const double[]){9, 0.5, 0.5, 0.5});
	ck_assert_uint_eq(recorded->n_problems, 0);
	ck_assert_uint_eq(recorded->facts.records, 4);
	record_sink_free(recorded);

	/* the first moment has one container only */
	recorded = read_path(
	    tree_path("baseline1/librispeech/run1/remote/sim_compute_time=0.1/memory.npy"), NULL);
	check_sample(recorded, 0, "memory", "object", 3,
	             (const double[]){(double)NAN, 100 * 1048576.0, 200 * 1048576.0});
	ck_assert_uint_eq(recorded->n_problems, 0);
	record_sink_free(recorded);
}
END_TEST

START_TEST(search_logs)
{
	struct record_sink *recorded = read_path(tree_path(OURS "/job.csv"), NULL);

	ck_assert_uint_eq(recorded->n_samples, 3);
	check_sample(recorded, 0, "job.csv:threadpool_size", "text", 6,
	             (const double[]){1, 2, 4, 2, 8, 4});
	check_sample(recorded, 1, "job.csv:block_size", "text", 6,
	             (const double[]){10, 20, 20, 40, 40, 10});
	check_sample(recorded, 2, "job.csv:batch_completion_time", "text", 6,
	             (const double[]){2.5, 2, 1.95, 2.25, 1.94, 1});
	record_sink_free(recorded);

	static const char text[] = "threadpool_size,block_size,batch_completion_time\r\n1,2,3\r\n1,"
				   "2\r\n\r\n1,x,3\r\n4,5,6";
	for (size_t chunk = 0; chunk < 9; chunk++) {
		recorded = record_sink_new();
		ck_assert_int_eq(
		    record_bytes(recorded, format, text, sizeof text - 1, chunk, false, NULL), 0);
		ck_assert_uint_eq(recorded->n_samples, 3);
		ck_assert_uint_eq(recorded->samples[2].n_values, 2);
		ck_assert(recorded->samples[2].values[1] == 6);
		ck_assert_uint_eq(record_problems(recorded, PROBLEM_MALFORMED), 2);
		ck_assert_uint_eq(recorded->problems[1].record, 5);
		ck_assert_uint_eq(recorded->facts.bad_records, 2);
		record_sink_free(recorded);
	}
}
END_TEST

/* An array of dicts of two entries each, of which the second is 1, as numpy writes it. */
static void
add_dicts(struct strbuf *out, const struct slice *values, size_t n)
{
	static const char begin[] =
	    "\x80\x03"
	    "cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\x00\x85"
	    "C\x01"
	    "b\x87R(K\x01K";
	static const char type[] =
	    "\x85"
	    "cnumpy\ndtype\nX\x02\x00\x00\x00O8\x89\x88\x87R"
	    "(K\x03X\x01\x00\x00\x00|NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK?t"
	    "b\x89](";
	static const char key_a[] = "}(X\x01\x00\x00\x00"
				    "a";
	static const char key_b[] = "X\x01\x00\x00\x00"
				    "bK\x01u";
	char header[128];
	int length = snprintf(header, sizeof header,
	                      "{'descr': '|O', 'fortran_order': False, 'shape': (%zu,), }\n", n);

	strbuf_add(out, "\x93NUMPY\x01\x00", 8);
	strbuf_add_char(out, (char)length);
	strbuf_add_char(out, 0);
	strbuf_add(out, header, (size_t)length);
	strbuf_add(out, begin, sizeof begin - 1);
	strbuf_add_char(out, (char)n);
	strbuf_add(out, type, sizeof type - 1);
	for (size_t i = 0; i < n; i++) {
		strbuf_add(out, key_a, sizeof key_a - 1);
		strbuf_add_slice(out, values[i]);
		strbuf_add(out, key_b, sizeof key_b - 1);
	}
	strbuf_add_text(out, "etb.");
}

#define VALUE(text)                                                                                \
	{                                                                                          \
		text, sizeof(text) - 1                                                             \
	}

/* Bytes come as texts, integers and real numbers; what can't be added up is said of its row. */
START_TEST(memory_of_containers)
{
	static const struct slice values[] = {
	    VALUE("K\x29"),
	    VALUE("X\x04\x00\x00\x00 +7\t"),
	    VALUE("G\x40\x07\x33\x33\x33\x33\x33\x33"), /* 2.9 */
	    VALUE("N"),
	    VALUE("X\x01\x00\x00\x00x"),
	    VALUE("G\x43\xe1\x58\xe4\x60\x91\x3d\x00"), /* 1e19 */
	    VALUE("G\xc3\xe0\x00\x00\x00\x00\x00\x00"), /* -2^63 */
	    VALUE("X\x13\x00\x00\x00"
	          "9223372036854775807"),
	    VALUE("X\x03\x00\x00\x00+-3"),
	    VALUE("X\x01\x00\x00\x00+"),
	    VALUE("X\x13\x00\x00\x00"
	          "9223372036854775806"),
	    VALUE("X\x02\x00\x00\x00\t5"),
	};
	static const char *const reasons[] = {
	    "row 4 can't be summed up: None, which is no number",
	    "row 5 can't be summed up: a text that is no integer",
	    "row 6 can't be summed up: a number beyond 64 bits",
	    "row 7 can't be summed up: a number beyond 64 bits",
	    "row 8 can't be summed up: a sum beyond 64 bits",
	    "row 9 can't be summed up: a text that is no integer",
	    "row 10 can't be summed up: a text that is no integer",
	    "bytes follow the array; they are not read",
	};
	double none = (double)NAN;
	const double sums[] = {42, 8, 3, none, none, none, none, none, none, none, 0x1p63, 6};
	struct strbuf bytes = {0};

	add_dicts(&bytes, values, 12);
	for (int has_more = 0; has_more < 2; has_more++) {
		struct record_sink *recorded = record_sink_new();

		ck_assert_int_eq(record_bytes(recorded, format, bytes.data, bytes.len,
		                              has_more ? 7 : 0, false, NULL),
		                 0);
		ck_assert_uint_eq(recorded->n_samples, 1);
		ck_assert_uint_eq(recorded->samples[0].n_values, 12);
		for (size_t i = 0; i < 12; i++) {
			double value = recorded->samples[0].values[i];
			ck_assert_msg(isnan(sums[i]) ? isnan(value) : value == sums[i], "%zu: %g",
			              i, value);
		}
		ck_assert_uint_eq(recorded->n_problems, (size_t)(7 + has_more));
		ck_assert_uint_eq(record_problems(recorded, PROBLEM_INVALID), 7);
		for (size_t i = 0; i < 7; i++) {
			ck_assert_str_eq(recorded->problems[i + (size_t)has_more].reason,
			                 reasons[i]);
			ck_assert_uint_eq(recorded->problems[i + (size_t)has_more].record, i + 4);
		}
		if (has_more) {
			ck_assert_int_eq(recorded->problems[0].kind, PROBLEM_SUSPICIOUS);
			ck_assert_str_eq(recorded->problems[0].reason, reasons[7]);
		}
		ck_assert_uint_eq(recorded->facts.bad_records, 7);
		ck_assert_uint_eq(recorded->facts.records, 5);
		record_sink_free(recorded);
		strbuf_add_text(&bytes, "more");
	}
	strbuf_free(&bytes);
}
END_TEST

/* A file that can't be read is a problem with its reason and place, never the end of the import. */
START_TEST(broken_files)
{
	struct record_sink *recorded = read_path(
	    tree_path(
		"baseline2/librispeech/remote/sim_compute_time=1e-3-block_size=8/io_time.npy"),
	    NULL);
	ck_assert_uint_eq(recorded->n_samples, 0);
	ck_assert_uint_eq(record_problems(recorded, PROBLEM_MALFORMED), 1);
	ck_assert_ptr_nonnull(strstr(recorded->problems[0].reason, "ends within the data"));
	ck_assert_uint_eq(recorded->facts.bad_records, 1);
	record_sink_free(recorded);

	recorded = read_path(
	    tree_path("baseline2/librispeech/remote/sim_compute_time=1e-3-block_size=8/memory.npy"),
	    NULL);
	ck_assert_uint_eq(recorded->n_samples, 0);
	ck_assert_ptr_nonnull(
	    strstr(recorded->problems[0].reason, "byte 130, opcode GLOBAL: names something"));
	record_sink_free(recorded);

	recorded = read_path(
	    tree_path("ours/librispeech/run1/remote/sim_compute_time=0.5/opt_config"), NULL);
	ck_assert_uint_eq(record_problems(recorded, PROBLEM_MALFORMED), 1);
	ck_assert_ptr_nonnull(strstr(recorded->problems[0].reason, "THREADS,BLOCK_SIZE"));
	record_sink_free(recorded);
}
END_TEST

/* ---- what all files of a folder say together ---- */

/* Reads these files of the tree and concludes. */
static struct record_sink *
conclude(const char *const *files, size_t n)
{
	struct record_sink *recorded = record_sink_new();
	void *facts[16] = {NULL};

	ck_assert_uint_lt(n, 16);
	for (size_t i = 0; i < n; i++) {
		struct record_sink *single = read_path(tree_path(files[i]), &facts[i]);
		record_sink_free(single);
	}
	format->conclude(facts, n, &recorded->sink);
	for (size_t i = 0; i < n; i++) {
		format->free_facts(facts[i]);
	}
	return recorded;
}

static void
check_tag(const struct record_sink *recorded, const char *folder, const char *key,
          const char *value)
{
	char scope[4200];

	snprintf(scope, sizeof scope, "trial %s", tree_path(folder));
	const char *found = record_tag(recorded, scope, key);
	ck_assert_msg(found && strcmp(found, value) == 0, "%s %s: %s", folder, key,
	              found ? found : "none");
}

START_TEST(tags_of_a_trial)
{
	static const char *const files[] = {
	    OURS "/data_load_time.npy", OURS "/compute_time.npy", OURS "/opt_config",
	    OURS "-block_size=40/io_time.npy",
	    "ours/librispeech/run1/remote/sim_compute_time=0.5/opt_config"};
	struct record_sink *recorded = conclude(files, sizeof files / sizeof *files);

	check_tag(recorded, OURS, "kind", "ours");
	check_tag(recorded, OURS, "dataset", "librispeech");
	check_tag(recorded, OURS, "run", "run1");
	check_tag(recorded, OURS, "mode", "remote");
	check_tag(recorded, OURS, "sim_compute_time", "0.1");
	check_tag(recorded, OURS, "threadpool_size", "2");
	check_tag(recorded, OURS, "block_size", "20");
	check_tag(recorded, OURS "-block_size=40", "block_size", "40");
	check_tag(recorded, OURS "-block_size=40", "threadpool_size", "1");
	check_tag(recorded, "ours/librispeech/run1/remote/sim_compute_time=0.5", "block_size",
	          "1");                          /* defaults stay */
	ck_assert_uint_eq(recorded->n_tags, 21); /* each folder's once */
	ck_assert_uint_eq(record_problems(recorded, PROBLEM_MISSING), 3);
	ck_assert_ptr_nonnull(strstr(recorded->problems[0].reason,
	                             ": no io_time.npy, processing_time.npy, memory.npy"));
	record_sink_free(recorded);
}
END_TEST

START_TEST(a_note_where_the_folder_says_nothing)
{
	struct record_sink *recorded = record_sink_new(), *concluded = record_sink_new();
	void *facts;

	ck_assert_int_eq(
	    record_bytes(recorded, format, "sim_compute_time: 0.75\n", 23, 0, false, &facts), 0);
	format->conclude(&facts, 1, &concluded->sink);
	ck_assert_uint_gt(concluded->n_tags, 0);
	bool found = false;
	for (size_t i = 0; i < concluded->n_tags; i++) {
		found |= strcmp(record_text(concluded, concluded->tags[i].key),
		                "sim_compute_time") == 0 &&
		         strcmp(record_text(concluded, concluded->tags[i].value), "0.75") == 0;
	}
	ck_assert(found);
	format->free_facts(facts);
	record_sink_free(recorded);
	record_sink_free(concluded);
}
END_TEST

START_TEST(recognition)
{
	struct slice empty = {"", 0};

	ck_assert_int_eq(format->sniff(empty, "memory.npy"), 0);
	ck_assert_int_eq(format->sniff(slice_of("\x93NUMPY\x01"), "-"), 100);
	ck_assert_int_eq(format->sniff(slice_of("\x93NUMP"), "x.npy"), 0);
	ck_assert_int_eq(
	    format->sniff(slice_of("threadpool_size,block_size,batch_completion_time\n"), "x"),
	    100);
	ck_assert_int_eq(
	    format->sniff(slice_of("threadpool_size,block_size,batch_completion_times\n"), "x"), 0);
	ck_assert_int_gt(format->sniff(slice_of("sim_compute_time: 0.1"), "readme.txt"), 0);
	ck_assert_int_gt(format->sniff(slice_of("2,120"), "a/opt_config"), 0);
	ck_assert_int_eq(format->sniff(slice_of("2,120"), "a/config"), 0);
	ck_assert_int_eq(
	    format->sniff(slice_of("sim_compute_time,threadpool_size,block_size\n"), "x.csv"), 0);
}
END_TEST

START_TEST(the_sink_may_stop)
{
	struct record_sink *recorded = record_sink_new();

	recorded->stop_after = 0;
	ck_assert_int_eq(record_file(recorded, format, tree_path(OURS "/io_time.npy"), false, NULL),
	                 -1);
	record_sink_free(recorded);
}
END_TEST

/* ---- edge cases of the samples ---- */

struct edge {
	char file[256];
	bool is_ok, has_values, has_sums;
	double values[64];
	size_t n_values;
};

/* Numbers up to the end of an array. */
static void
take_numbers(struct json *json, struct edge *edge)
{
	enum json_token token = json_next(json);

	ck_assert_int_eq(token, JSON_ARRAY_BEGIN);
	edge->n_values = 0;
	while ((token = json_next(json)) == JSON_NUMBER) {
		ck_assert_uint_lt(edge->n_values, 64);
		ck_assert(slice_double(json->text, &edge->values[edge->n_values++]));
	}
	ck_assert_int_eq(token, JSON_ARRAY_END);
}

static void
check_edge(const struct edge *edge, const char *folder)
{
	char path[4096];
	struct record_sink *recorded = record_sink_new();
	size_t n = 0;

	snprintf(path, sizeof path, "%s/dataload/edge/%s", folder, edge->file);
	ck_assert_int_eq(record_file(recorded, format, path, false, NULL), 0);
	ck_assert_msg((recorded->n_samples == 1) == edge->is_ok, "%s", edge->file);
	ck_assert_msg((record_problems(recorded, PROBLEM_MALFORMED) == 0) == edge->is_ok, "%s",
	              edge->file);
	for (size_t i = 0; edge->is_ok && i < recorded->samples[0].n_values; i++) {
		double value = recorded->samples[0].values[i];
		if (edge->has_values || (edge->has_sums && !isnan(value))) {
			ck_assert_msg(n < edge->n_values && value == edge->values[n],
			              "%s: %zu is %g", edge->file, i, value);
			n++;
		}
	}
	ck_assert_msg(!(edge->has_values || edge->has_sums) || n == edge->n_values, "%s",
	              edge->file);
	record_sink_free(recorded);
}

START_TEST(edge_cases)
{
	const char *folder = unit_shared();
	static char text[1 << 16];
	char path[4096];
	struct json json = {0};
	struct edge edge = {.is_ok = false};
	unsigned n_checked = 0;
	enum json_token token;

	if (!folder) {
		return;
	}
	snprintf(path, sizeof path, "%s/dataload/edge/index.json", folder);
	FILE *file = fopen(path, "r");
	if (!file) {
		return;
	}
	size_t length = fread(text, 1, sizeof text - INPUT_PADDING, file);
	fclose(file);
	json_begin(&json, (struct slice){text, length}, JSON_STRICT);
	while ((token = json_next(&json)) > JSON_END) {
		if (token == JSON_OBJECT_END && json.depth == 1) {
			check_edge(&edge, folder);
			edge = (struct edge){.is_ok = false};
			n_checked++;
		}
		if (token != JSON_KEY) {
			continue;
		}
		if (slice_is(json.text, "file")) {
			ck_assert_int_eq(json_next(&json), JSON_STRING);
			snprintf(edge.file, sizeof edge.file, "%.*s", (int)json.text.len,
			         json.text.ptr);
		} else if (slice_is(json.text, "ok")) {
			edge.is_ok = json_next(&json) == JSON_TRUE;
		} else if (slice_is(json.text, "values_c_order")) {
			edge.has_values = true;
			take_numbers(&json, &edge);
		} else if (slice_is(json.text, "row_sums_used")) {
			edge.has_sums = true;
			take_numbers(&json, &edge);
		}
	}
	ck_assert_int_eq(token, JSON_END);
	ck_assert_uint_gt(n_checked, 50);
	json_fini(&json);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("import_dataload");
	TCase *cases = tcase_create("import_dataload");

	tcase_add_test(cases, what_paths_say);
	tcase_add_test(cases, arrays);
	tcase_add_test(cases, search_logs);
	tcase_add_test(cases, memory_of_containers);
	tcase_add_test(cases, broken_files);
	tcase_add_test(cases, tags_of_a_trial);
	tcase_add_test(cases, a_note_where_the_folder_says_nothing);
	tcase_add_test(cases, recognition);
	tcase_add_test(cases, the_sink_may_stop);
	tcase_add_test(cases, edge_cases);
	suite_add_tcase(suite, cases);
	return unit_run(suite);
}
