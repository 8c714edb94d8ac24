/*
 * Results of data-loading experiments: a tree of folders, each a trial, with arrays of numpy
 * (seconds a batch, seconds a read, memory), the configuration that was chosen and the log of the
 * search for it.
 *
 * Every file is a source; those of one folder name the same trial. An array becomes a sample of the
 * file's name, a column of a search log one of the name FILE:COLUMN. A file that can't be read is a
 * problem and takes nothing else with it.
 */
#include "config.h"
#include "import/formats.h"

#include <stdlib.h>

#include "import/import_dataload.h"
#include "input/csv.h"
#include "util/order.h"
#include "util/pack.h"

#define TEXT_BYTES 256u /* of opt_config and readme.txt */
#define STEPS_LIMIT ((size_t)1 << 20)

#define CONFIG_NAME "opt_config"
#define README_START "sim_compute_time:"
#define LOG_HEADER "threadpool_size,block_size,batch_completion_time"
#define LOG_COLUMNS 3u

/* ---- names ---- */

static struct slice
file_name(const char *path)
{
	struct slice name =
	    slice_of(path ? path_name(path) : ""); /* no path: bytes without a name */

	if (slice_ends_with(slice_from(name, 1), ".gz")) {
		name.len -= 3;
	}
	return name;
}

/* "io_time" of "io_time.npy" */
static char *
sample_name(const char *file)
{
	size_t length = strlen(file);
	bool named = length > 4 && strcmp(file + length - 4, ".npy") == 0;

	return xstrndup(file, named ? length - 4 : length);
}

/* ---- arrays ---- */

static int
read_numbers(struct dataload_reader *reader, const struct npy *npy, const char *name)
{
	struct slice more;
	double *values;

	if (npy_read_values(reader->input, npy, &values, reader->err)) {
		return -1;
	}
	reader->counts.records += npy->n_values;
	int result =
	    dataload_sample(reader, name, npy_type_name(npy), values, npy->n_values) ? -1 : 0;
	free(values);
	if (result != 0) {
		return -1;
	}
	int trailing = input_fill(reader->input, 1, &more, reader->err);
	if (trailing > 0 && dataload_problem(reader, PROBLEM_SUSPICIOUS, 0,
	                                     "bytes follow the array; they are not read") != 0) {
		return -1;
	}
	return trailing < 0 ? -1 : 0;
}

static int
read_array(struct dataload_reader *reader)
{
	struct npy npy;

	if (npy_read_header(reader->input, &npy, reader->err)) {
		return -1;
	}
	char *name = sample_name(reader->facts->file);
	int result = npy.kind == NPY_OBJECT ? dataload_read_memory(reader, name, npy.n_values)
	                                    : read_numbers(reader, &npy, name);
	free(name);
	return result;
}

/* ---- configuration ---- */

#define BLANKS " \t\r\n\v\f"

/* The whole of a small file, kept, without blanks around it. */
static int
read_text(struct dataload_reader *reader, struct slice *text)
{
	if (input_fill(reader->input, TEXT_BYTES + 1, text, reader->err) < 0) {
		return -1;
	}
	size_t length = LEAST(text->len, TEXT_BYTES);
	*text = slice_trim(
	    (struct slice){arena_strndup(reader->facts->arena, text->ptr, length), length}, BLANKS);
	input_consume(reader->input, length);
	return 0;
}

static const char *
keep(struct dataload_reader *reader, struct slice text)
{
	return arena_strndup(reader->facts->arena, text.ptr, text.len);
}

/* "2,120": threads, block size. */
static int
read_config(struct dataload_reader *reader)
{
	struct slice text, threads, size;
	uint64_t number;

	if (read_text(reader, &text)) {
		return -1;
	}
	const char *comma = text.len ? memchr(text.ptr, ',', text.len) : NULL;
	if (comma) {
		threads = (struct slice){text.ptr, (size_t)(comma - text.ptr)};
		size = slice_trim((struct slice){comma + 1, text.len - threads.len - 1}, BLANKS);
		threads = slice_trim(threads, BLANKS);
	}
	if (!comma || !slice_uint64(threads, &number) || number == 0 ||
	    !slice_uint64(size, &number) || number == 0) {
		return err_set(reader->err, ERR_FORMAT,
		               "is not THREADS,BLOCK_SIZE: the folder's own figures are kept");
	}
	reader->facts->chosen_threads = keep(reader, threads);
	reader->facts->chosen_size = keep(reader, size);
	reader->counts.records++;
	return 0;
}

/* "sim_compute_time: 0.1" */
static int
read_readme(struct dataload_reader *reader)
{
	struct slice text;
	double seconds;

	if (read_text(reader, &text)) {
		return -1;
	}
	size_t start = strlen(README_START);
	while (start < text.len && text.ptr[start] == ' ') {
		start++;
	}
	text = slice_from(text, start);
	if (!slice_double(text, &seconds)) {
		return err_set(reader->err, ERR_FORMAT, "the compute time is no number");
	}
	reader->facts->noted_time = keep(reader, text);
	reader->counts.records++;
	return 0;
}

/* ---- search logs ---- */

struct steps {
	double *values[LOG_COLUMNS];
	size_t n, capacities[LOG_COLUMNS];
};

/* 0, or 1: the sink stopped. */
static int
take_step(struct dataload_reader *reader, struct csv *csv, struct steps *steps)
{
	double values[LOG_COLUMNS];
	const char *reason = csv->problem;

	if (!reason && csv->n_fields != LOG_COLUMNS) {
		reason = "a step has three fields";
	}
	for (size_t i = 0; i < LOG_COLUMNS && !reason; i++) {
		reason = slice_double(csv->fields[i], &values[i]) ? NULL : "a field is no number";
	}
	if (!reason && steps->n == STEPS_LIMIT) {
		reason = "the log has more steps than are read";
	}
	if (reason) {
		reader->counts.bad_records++;
		return dataload_problem(reader, PROBLEM_MALFORMED, csv->line, reason);
	}
	for (size_t i = 0; i < LOG_COLUMNS; i++) {
		MEM_GROW(steps->values[i], steps->capacities[i], steps->n + 1);
		steps->values[i][steps->n] = values[i];
	}
	steps->n++;
	reader->counts.records++;
	return 0;
}

static int
give_steps(struct dataload_reader *reader, const struct steps *steps)
{
	static const char *const columns[LOG_COLUMNS] = {"threadpool_size", "block_size",
	                                                 "batch_completion_time"};
	static const double none = 0;
	int result = 0;

	for (size_t i = 0; i < LOG_COLUMNS && result == 0; i++) {
		struct strbuf name = {0};
		strbuf_printf(&name, "%s:%s", reader->facts->file, columns[i]);
		result = dataload_sample(reader, name.data, "text",
		                         steps->n ? steps->values[i] : &none, steps->n);
		strbuf_free(&name);
	}
	return result;
}

static int
read_log(struct dataload_reader *reader)
{
	struct csv csv;
	struct steps steps = {.n = 0};
	bool is_header = true;
	int result;

	csv_open(&csv, reader->input, ',');
	while ((result = csv_next(&csv, reader->err)) > 0) {
		if (cancel_requested(reader->cancel)) {
			result = err_set(reader->err, ERR_CANCELLED, "cancelled");
			break;
		}
		if (!is_header && take_step(reader, &csv, &steps)) {
			result = -1;
			break;
		}
		is_header = false;
	}
	if (result == 0 && give_steps(reader, &steps)) {
		result = -1;
	}
	for (size_t i = 0; i < LOG_COLUMNS; i++) {
		free(steps.values[i]);
	}
	csv_close(&csv);
	return result;
}

/* ---- recognition ---- */

enum file_kind { FILE_OTHER, FILE_ARRAY, FILE_LOG, FILE_README, FILE_CONFIG };

static enum file_kind
kind_of(struct slice head, const char *path)
{
	if (npy_recognise(head)) {
		return FILE_ARRAY;
	}
	if (slice_starts_with(head, LOG_HEADER) &&
	    (head.len == strlen(LOG_HEADER) || head.ptr[strlen(LOG_HEADER)] == '\n' ||
	     head.ptr[strlen(LOG_HEADER)] == '\r')) {
		return FILE_LOG;
	}
	if (head.len < TEXT_BYTES && slice_starts_with(head, README_START)) {
		return FILE_README;
	}
	/* Two numbers: only the name tells what they are. */
	return head.len < TEXT_BYTES && slice_is(file_name(path), CONFIG_NAME) ? FILE_CONFIG
	                                                                       : FILE_OTHER;
}

static int
sniff_head(struct slice head, const char *path)
{
	switch (kind_of(head, path)) {
	case FILE_ARRAY:
	case FILE_LOG:
		return 100;
	case FILE_README:
		return 90;
	case FILE_CONFIG:
		return 60;
	case FILE_OTHER:
		break;
	}
	return 0;
}

/* ---- all of it ---- */

static void
pack_facts(struct pack *pack, void **all)
{
	struct dataload_facts *facts = *all = *all ? *all : xcalloc(1, sizeof *facts);
	struct dataload_trial *trial = &facts->trial;
	const char **texts[] = {&trial->name,
	                        &trial->path,
	                        &trial->kind,
	                        &trial->dataset,
	                        &trial->run,
	                        &trial->mode,
	                        &trial->variant,
	                        &trial->sim_compute_time,
	                        &trial->block_size,
	                        &trial->problem,
	                        &facts->file,
	                        &facts->noted_time,
	                        &facts->chosen_threads,
	                        &facts->chosen_size};
	uint64_t study_bytes = trial->study_bytes;

	facts->arena = facts->arena ? facts->arena : arena_new();
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		pack_kept_string(pack, facts->arena, texts[i]);
		pack->failed |=
		    !*texts[i] && texts[i] != &trial->problem && i < COUNT_OF(texts) - 3;
	}
	PACK(pack, trial->is_measured);
	PACK(pack, study_bytes);
	trial->study_bytes = (size_t)study_bytes;
}

static void
free_facts(void *user)
{
	struct dataload_facts *facts = user;

	arena_free(facts->arena);
	free(facts);
}

static struct dataload_facts *
facts_of(const char *path, size_t folder_bytes)
{
	struct dataload_facts *facts = xcalloc(1, sizeof *facts);
	struct slice name = file_name(path);

	facts->arena = arena_new();
	facts->file = arena_strndup(facts->arena, name.ptr, name.len);
	dataload_trial_of(facts->arena, path, folder_bytes, &facts->trial);
	return facts;
}

static int
read_file(struct dataload_reader *reader, const char **dialect)
{
	struct slice head;

	if (input_peek(reader->input, TEXT_BYTES + 1, &head, reader->err)) {
		return -1;
	}
	switch (kind_of(head, input_path(reader->input))) {
	case FILE_LOG:
		*dialect = "search log";
		return read_log(reader);
	case FILE_README:
		*dialect = "note";
		return read_readme(reader);
	case FILE_CONFIG:
		*dialect = "configuration";
		return read_config(reader);
	case FILE_ARRAY:
	case FILE_OTHER:
		break;
	}
	*dialect = "array";
	return read_array(reader);
}

static int
read_source(struct input *input, struct sink *sink, const struct import_options *options,
            void **facts, struct err *err)
{
	struct dataload_reader reader = {
	    .input = input, .sink = sink, .cancel = options ? options->cancel : NULL, .err = err};
	struct err unread = ERR_INIT;

	*facts = reader.facts = facts_of(input_path(input), options ? options->folder_bytes : 0);
	struct trial trial = {.name = sink_text(sink, slice_of(reader.facts->trial.name)),
	                      .path = sink_text(sink, slice_of(reader.facts->trial.path))};
	reader.trial = sink_trial(sink, &trial);
	reader.err = &unread;
	reader.counts.clock = CLOCK_RELATIVE;
	int result = read_file(&reader, &reader.counts.dialect);
	if (result != 0 && unread.code != ERR_FORMAT && unread.code != ERR_LIMIT) {
		*err = unread; /* the sink stopped, the disk failed */
		return -1;
	}
	if (result != 0) {
		reader.counts.bad_records++;
		if (dataload_problem(&reader, PROBLEM_MALFORMED, 0, unread.message)) {
			return -1;
		}
	}
	sink_facts(sink, &reader.counts);
	return 0;
}

const struct import_format import_dataload = {
    .name = "dataload",
    .summary = "Data-loading experiments (folders of .npy arrays, search logs)",
    .grouping = GROUP_HOME,
    .home_of = dataload_study_of,
    .copies = COPIES_NAME,
    .sniff = sniff_head,
    .read = read_source,
    .conclude = dataload_conclude,
    .pack_facts = pack_facts,
    .free_facts = free_facts,
};
