/*
 * Traces of spot instances: how many there were when, who came and went, and the profile of a job
 * that ran on them. Twelve forms of traces, from half a dozen producers, and the files of a profile
 * directory.
 *
 * What a trace says is given on as it says it: counts as capacity, losses and additions as
 * preemptions, never the one made from the other; the saved queries derive what a form lacks. So
 * nothing is counted twice where the files of one trace are read together. For the eye, counts are
 * a counter too, losses events, named instances and the job's work spans.
 */
#include "config.h"
#include "import/formats.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "import/import_preemption.h"
#include "import/shared.h"
#include "util/mem.h"
#include "util/pack.h"

#define CANCEL_EVERY 1024u
#define HEAD_BYTES ((size_t)64 << 10)
#define HEAD_BYTES_MAX ((size_t)16 << 20)

/* ---- what all forms say alike ---- */

/* ---- rows ---- */

/* Fields that are no column of the form go by the name that the header gives them, else by their
 * place. */
static void
name_more(struct preemption_reader *reader, size_t n_fields, bool is_header)
{
	struct sink *sink = reader->sink;
	const struct preemption_layout *layout = &reader->layout;
	size_t n_columns = strlen(preemption_shapes[layout->form].columns);
	const char *own = layout->form == FORM_EVENTS ? "node" : "nodes"; /* of its events */

	reader->more_keys = xrealloc_array(reader->more_keys, n_fields, sizeof *reader->more_keys);
	for (size_t i = reader->n_more_keys; i < n_fields; i++) {
		bool is_column = false;
		for (size_t column = 0; column < n_columns; column++) {
			is_column |= layout->places[column] == i;
		}
		struct slice name = is_header ? reader->csv.fields[i] : (struct slice){"", 0};
		reader->more_keys[i] =
		    is_column ? PREEMPTION_NO_KEY
			      : import_field_key(sink, name, i, own, reader->more_keys, i);
	}
	reader->n_more_keys = n_fields;
}

/* What stands in fields that are no column is kept: for each of them its place and length, and the
 * bytes. */
static void
keep_more(struct preemption_reader *reader)
{
	const struct csv *csv = &reader->csv;

	strbuf_clear(&reader->more);
	if (csv->n_fields == strlen(preemption_shapes[reader->form].columns) &&
	    reader->n_more_keys <= csv->n_fields) {
		return;
	}
	if (csv->n_fields > reader->n_more_keys) {
		name_more(reader, csv->n_fields, false);
	}
	for (size_t i = 0; i < csv->n_fields; i++) {
		uint32_t head[2] = {(uint32_t)i, (uint32_t)csv->fields[i].len};
		if (reader->more_keys[i] != PREEMPTION_NO_KEY && csv->fields[i].len) {
			strbuf_add(&reader->more, head, sizeof head);
			strbuf_add_slice(&reader->more, csv->fields[i]);
		}
	}
}

/* The fields in the order of the form's columns. NULL, or why they are none. */
static const char *
take_fields(struct preemption_reader *reader)
{
	const struct csv *csv = &reader->csv;
	const struct preemption_layout *layout = &reader->layout;
	size_t n_columns = strlen(preemption_shapes[layout->form].columns);

	if (layout->is_named ? reader->n_more_keys && csv->n_fields > reader->n_more_keys
	                     : csv->n_fields > n_columns && !preemption_allows_more(layout->form)) {
		return "more columns than this form has";
	}
	for (size_t i = 0; i < n_columns; i++) {
		uint8_t place = layout->places[i];
		reader->fields[i] = (struct slice){"", 0};
		if (place == PLACE_NONE) {
			continue;
		}
		if (place >= csv->n_fields) {
			return "not as many columns as this form has";
		}
		reader->fields[i] = csv->fields[place];
	}
	keep_more(reader);
	return NULL;
}

static int
take_row(struct preemption_reader *reader, int (*row)(struct preemption_reader *))
{
	struct csv *csv = &reader->csv;
	enum problem_kind kind = PROBLEM_INVALID;
	int stop = 0;

	reader->reject = csv->problem ? csv->problem : take_fields(reader);
	if (!reader->reject) {
		stop = row(reader);
	}
	if (stop || !reader->reject) {
		reader->counts.records++;
		return stop;
	}
	reader->counts.bad_records++;
	if (csv_split_lines(csv)) {
		reader->reject = csv->problem;
		reader->text = csv->text;
	}
	kind = csv->problem ? PROBLEM_MALFORMED : kind;
	if (csv->is_open && input_truncated(reader->input)) {
		return 0; /* told with the break of the gzip stream */
	}
	return preemption_problem(reader, csv->is_open ? PROBLEM_TRUNCATED : kind, reader->reject);
}

/* The header, wherever it stands, and again where files were put behind each other. */
static bool
is_header(struct preemption_reader *reader)
{
	const struct strbuf *header = &reader->layout.header;

	if (header->len == 0 ||
	    !slice_equal(slice_trim(reader->csv.text, PREEMPTION_BLANKS), strbuf_slice(header))) {
		return false;
	}
	if (reader->n_more_keys == 0) {
		name_more(reader, reader->csv.n_fields, true);
	}
	return true;
}

/* Reads CSV rows but the header, gives each to row. */
static int
preemption_each_row(struct preemption_reader *reader, int (*row)(struct preemption_reader *))
{
	struct csv *csv = &reader->csv;

	for (;;) {
		int more = csv_next(csv, reader->err);
		if (more <= 0) {
			reader->text.len = 0;
			return more;
		}
		reader->line = csv->line;
		reader->offset = csv->offset;
		reader->text = csv->text;
		if (csv->line % CANCEL_EVERY == 0 && preemption_is_cancelled(reader)) {
			return -1;
		}
		for (size_t i = 0; i < csv->n_fields; i++) {
			csv->fields[i] = slice_trim(csv->fields[i], PREEMPTION_BLANKS);
		}
		if ((csv->text.len && csv->text.ptr[0] == '#') ||
		    (!csv->problem && is_header(reader))) {
			continue;
		}
		if (take_row(reader, row)) {
			return 1;
		}
	}
}

/* ---- a file ---- */

static int
read_form(struct preemption_reader *reader)
{
	int result;

	switch (reader->form) {
	case FORM_SKY:
		return preemption_read_sky(reader);
	case FORM_JSONL:
		return preemption_read_jsonl(reader);
	case FORM_LIVEPUT:
		return preemption_read_liveput(reader);
	case FORM_EXPERIMENT:
		return preemption_read_experiment(reader);
	case FORM_EVENTS:
		result = preemption_each_row(reader, preemption_event_row);
		return result ? result : preemption_events_end(reader);
	default:
		break;
	}
	if (preemption_shapes[reader->form].is_profile) {
		result = preemption_each_row(reader, preemption_profile_row);
		return result ? result : preemption_profile_end(reader);
	}
	result = preemption_each_row(reader, preemption_count_row);
	return result ? result : preemption_count_end(reader);
}

/* What a trace begins with: the pool that its numbers are of, and a lane to show them. */
static void
begin_trace(struct preemption_reader *reader)
{
	struct sink *sink = reader->sink;
	struct slice name = preemption_pool_name(input_path(reader->input), reader->form);
	struct lane lane = {.host = TEXT_NONE, .kind = LANE_COUNTER};

	reader->pool = lane.name = sink_text(sink, name);
	reader->lane = sink_lane(sink, &lane);
	reader->instances = preemption_text(reader, "instances");
	reader->nodes_key = sink_key(sink, slice_of("nodes"));
	reader->facts->pool = xstrndup(name.ptr, name.len);
}

/* What lies behind the last row can't be seen from the rows: how long the trace is. */
static int
end_trace(struct preemption_reader *reader)
{
	char length[32];
	int64_t end_ns = reader->end_ns == TIME_NONE ? reader->last_ns : reader->end_ns, length_ns;

	if (!preemption_shapes[reader->form].is_alone || reader->first_ns == TIME_NONE ||
	    __builtin_sub_overflow(end_ns, reader->first_ns, &length_ns)) {
		return 0;
	}
	snprintf(length, sizeof length, "%" PRId64, length_ns / 1000000);
	return preemption_put_tag(reader, reader->pool, slice_of("length_ms"), slice_of(length));
}

static int
read_reader(struct preemption_reader *reader)
{
	struct source_facts *counts = &reader->counts;
	const struct preemption_shape *shape = &preemption_shapes[reader->form];

	if (!shape->is_profile) {
		begin_trace(reader);
	}
	int result = read_form(reader);
	if (result == 0 && !shape->is_profile) {
		result = end_trace(reader);
	}
	if (result == 0 && input_truncated(reader->input)) {
		result =
		    preemption_problem(reader, PROBLEM_TRUNCATED, input_truncation(reader->input));
	}
	if (result == 0 && reader->has_local_times) {
		result = import_tag_no_zone(reader->sink, slice_of(reader->facts->pool));
	}
	if (result == 0) {
		counts->clock = shape->is_wall ? CLOCK_WALL : CLOCK_RELATIVE;
		counts->dialect = shape->name;
		reader->facts->rows = counts->records;
		sink_facts(reader->sink, counts);
	}
	return result;
}

static void
pack_facts(struct pack *pack, void **all)
{
	struct preemption_facts *facts = *all = *all ? *all : xcalloc(1, sizeof *facts);

	PACK(pack, facts->form);
	pack_string(pack, &facts->pool);
	PACK(pack, facts->rows);
	PACK(pack, facts->lost);
	PACK(pack, facts->added);
	PACK(pack, facts->digest);
	PACK(pack, facts->rises_early);
	PACK(pack, facts->rises_late);
	PACK(pack, facts->drops_early);
	PACK(pack, facts->drops_late);
	pack->failed |= facts->form > FORM_NONE;
}

static void
free_facts(void *facts)
{
	struct preemption_facts *preemption = facts;

	if (preemption) {
		free(preemption->pool);
		free(preemption);
	}
}

/* The form that most lines of the head have; where they have none, what there is in many more.
 * Whoever named the format is believed that there is something of it. */
static int
find_layout(struct preemption_reader *reader)
{
	struct slice head;

	for (size_t n = HEAD_BYTES;; n = HEAD_BYTES_MAX) {
		if (input_peek(reader->input, n, &head, reader->err)) {
			return -1;
		}
		preemption_recognise(head, input_path(reader->input), &reader->layout);
		if (reader->layout.form != FORM_NONE || head.len < n || n == HEAD_BYTES_MAX) {
			break;
		}
		preemption_layout_free(&reader->layout);
	}
	reader->form = reader->layout.form;
	if (reader->form == FORM_NONE) {
		return err_set(reader->err, ERR_FORMAT,
		               "no line is of a known form of spot instance traces");
	}
	if (!preemption_shapes[reader->form].columns && slice_behind_mark(head).len < head.len) {
		input_consume(reader->input, 3); /* the CSV reader does it itself */
	}
	return 0;
}

static void
free_reader(struct preemption_reader *reader)
{
	preemption_layout_free(&reader->layout);
	preemption_rows_free(reader);
	strbuf_free(&reader->more);
	free(reader->more_keys);
	intern_free(reader->names);
	free(reader->instance);
	for (size_t i = 0; i < PREEMPTION_MEASURED; i++) {
		free(reader->columns[i].values);
	}
}

static int
read_source(struct input *input, struct sink *sink, const struct import_options *options,
            void **facts, struct err *err)
{
	struct preemption_reader reader = {.input = input,
	                                   .sink = sink,
	                                   .cancel = options ? options->cancel : NULL,
	                                   .err = err,
	                                   .first_ns = TIME_NONE,
	                                   .last_ns = TIME_NONE,
	                                   .end_ns = TIME_NONE,
	                                   .before_ns = TIME_NONE,
	                                   .file_ns = TIME_NONE,
	                                   .batch_ns = TIME_NONE,
	                                   .pool = TEXT_NONE,
	                                   .rank = -1};

	*facts = NULL;
	int result = find_layout(&reader);
	if (result == 0) {
		reader.facts = xcalloc(1, sizeof *reader.facts);
		reader.facts->form = reader.form;
		csv_open(&reader.csv, input, reader.layout.delimiter);
		result = read_reader(&reader);
		csv_close(&reader.csv);
	}
	free_reader(&reader);
	if (result == 0) {
		*facts = reader.facts;
		return 0;
	}
	free_facts(reader.facts);
	return -1;
}

/* ---- over all files of a run ---- */

static const struct preemption_facts *
find_facts(void *const *facts, size_t n, enum preemption_form form,
           const struct preemption_facts *like)
{
	for (size_t i = 0; i < n; i++) {
		const struct preemption_facts *found = facts[i];
		if (found && found->form == form && strcmp(found->pool, like->pool) == 0) {
			return found;
		}
	}
	return NULL;
}

__attribute__((format(printf, 2, 3))) static void
conclude_note(struct sink *sink, const char *format, ...)
{
	char reason[400];
	struct problem problem = {.kind = PROBLEM_SUSPICIOUS, .reason = reason};
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(reason, sizeof reason, format, arguments);
	va_end(arguments);
	(void)sink_problem(sink, &problem);
}

/* A file made from the counts: a change between two rows can bear the time of either. */
static void
compare_changes(const struct preemption_facts *node, const struct preemption_facts *made,
                const char *what, uint64_t early, uint64_t late, struct sink *sink)
{
	if (!made || made->digest == late) {
		return;
	}
	if (made->digest == early) {
		conclude_note(sink,
		              "%s: the %s in the file of form %s bear the time of the row before "
		              "the count changes, not of that "
		              "after; they are kept as they are",
		              node->pool, what, preemption_shapes[made->form].name);
		return;
	}
	conclude_note(sink, "%s: the file of form %s does not hold the %s of the count", node->pool,
	              preemption_shapes[made->form].name, what);
}

/* Files of one trace say the same in several ways, and not always the same. */
static void
compare_with(const struct preemption_facts *node, void *const *facts, size_t n, struct sink *sink)
{
	const struct preemption_facts *terminated = find_facts(facts, n, FORM_TERMINATE, node);
	const struct preemption_facts *additions = find_facts(facts, n, FORM_ADDITIONS, node);
	const struct preemption_facts *found = find_facts(facts, n, FORM_FOUND, node);

	if (terminated && terminated->lost != node->lost) {
		conclude_note(sink,
		              "%s: the drops of the count sum to %" PRId64
		              ", the terminations to %" PRId64
		              ": losses and additions between two rows cancel out",
		              node->pool, node->lost, terminated->lost);
	}
	compare_changes(node, additions, "rises", node->rises_early, node->rises_late, sink);
	compare_changes(node, found, "drops", node->drops_early, node->drops_late, sink);
}

static void
conclude(void *const *facts, size_t n_facts, struct sink *sink)
{
	for (size_t i = 0; i < n_facts; i++) {
		const struct preemption_facts *node = facts[i];
		if (node && node->form == FORM_NODE) {
			compare_with(node, facts, n_facts, sink);
		}
	}
}

/* ---- recognition ---- */

static int
sniff_head(struct slice head, const char *file_name)
{
	struct preemption_layout layout;

	preemption_recognise(head, file_name, &layout);
	preemption_layout_free(&layout);
	return layout.is_unsure ? SNIFF_UNDECIDED : layout.score;
}

static enum import_grouping
group_of(struct slice head, const char *file_name)
{
	struct preemption_layout layout;

	preemption_recognise(head, file_name, &layout);
	preemption_layout_free(&layout);
	return layout.form != FORM_NONE && preemption_shapes[layout.form].is_alone ? GROUP_EACH
	                                                                           : GROUP_TREE;
}

const struct import_format import_preemption = {
    .name = "preemption",
    .summary = "spot instance traces (counts, events, AWS, GCP, SkyPilot, Parcae) and job profiles",
    .grouping = GROUP_TREE,
    .group_of = group_of,
    .copies = COPIES_NAME,
    .sniff = sniff_head,
    .read = read_source,
    .conclude = conclude,
    .pack_facts = pack_facts,
    .free_facts = free_facts,
};
