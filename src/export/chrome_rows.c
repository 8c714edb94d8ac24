/*
 * Spans, events and samples, block after block: threads make the text of a block each, and the one
 * that called writes them in order. A block's columns of arguments are found once; an argument that
 * is JSON text already is checked, as a run file may hold anything, and comes out as a string if it
 * is none.
 */
#include "config.h"
#include "export/chrome_private.h"

#include <math.h>
#include <stdlib.h>

#include "column/scan/filter.h"
#include "column/scan/row_read.h"
#include "input/json.h"
#include "util/intervals.h"
#include "util/json_text.h"
#include "util/order.h"

struct argument { /* a column of the block at hand */
	uint32_t slot;
	enum arg_type type;
	size_t key_at, key_len; /* `,"key":` in text.keys */
};

struct text { /* of a block, made by one thread */
	struct strbuf events;
	struct chrome_written n;
	struct argument *arguments;
	size_t n_arguments, capacity;
	struct strbuf keys;
	struct json json; /* checks nested values */
	struct strbuf scratch;
};

struct rows_writer {
	struct trace_writer *trace;
	enum block_kind kind;
	struct row_fields fields;
	struct block_fields set;
	/* of the set, those of rows; arguments follow, sorted */
	size_t n_columns, n_arguments;
	struct trace_flows *flows;      /* of spans */
	struct text *texts;             /* by slot */
	struct err err;                 /* of `wanted`, which can't say it */
	struct filter *filter;          /* what is in scope */
	struct filter_state **in_scope; /* by thread */
};

/* ---- arguments ---- */

static int
compare_fields(const void *left, const void *right)
{
	const uint32_t *a = left, *b = right;

	return ORDER(*a, *b);
}

/* The fields of arguments that any block has go to the set. */
static int
find_arguments(struct rows_writer *writing, struct err *err)
{
	const struct dataset *dataset = writing->trace->dataset;
	size_t n_fields = (size_t)dataset->n_keys * ARG_TYPES;
	bool *is_there = xcalloc(n_fields + 1, sizeof *is_there);
	int rc = 0;

	writing->n_columns = writing->set.n;
	for (size_t i = 0; rc == 0 && i < dataset->n_blocks[writing->kind]; i++) {
		const struct block_info *info = &dataset->blocks[writing->kind][i];

		for (uint32_t column = 0; column < info->n_columns; column++) {
			uint32_t field = info->columns[column].field;

			if (field >= FIELD_ARG && field - FIELD_ARG >= n_fields) {
				rc = err_set(err, ERR_FORMAT,
				             "block %zu: column %u: no such argument", i,
				             (unsigned)field);
				break;
			}
			if (field >= FIELD_ARG) {
				is_there[field - FIELD_ARG] = true;
			}
		}
	}
	for (size_t i = 0; rc == 0 && i < n_fields; i++) {
		if (is_there[i]) {
			struct block_fields *set = &writing->set;

			MEM_GROW(set->fields, set->capacity, set->n + 1);
			set->fields[set->n++] = FIELD_ARG + (uint32_t)i;
		}
	}
	writing->n_arguments = writing->set.n - writing->n_columns;
	free(is_there);
	return rc;
}

static void
open_arguments(const struct rows_writer *writing, const struct block_info *info, struct text *text)
{
	const uint32_t *fields = writing->set.fields + writing->n_columns;
	size_t n_fields = writing->n_arguments;

	text->n_arguments = 0;
	strbuf_clear(&text->keys);
	for (uint32_t i = 0; i < info->n_columns; i++) {
		uint32_t field = info->columns[i].field;
		const uint32_t *found = field < FIELD_ARG ? NULL
		                                          : bsearch(&field, fields, n_fields,
		                                                    sizeof field, compare_fields);

		if (!found) {
			continue;
		}
		MEM_GROW(text->arguments, text->capacity, text->n_arguments + 1);
		struct argument *argument = &text->arguments[text->n_arguments++];

		argument->slot = (uint32_t)(found - writing->set.fields);
		argument->type = (enum arg_type)((field - FIELD_ARG) % ARG_TYPES);
		argument->key_at = text->keys.len;
		strbuf_add_char(&text->keys, ',');
		json_add_text(&text->keys,
		              writing->trace->dataset->keys[(field - FIELD_ARG) / ARG_TYPES]);
		strbuf_add_char(&text->keys, ':');
		argument->key_len = text->keys.len - argument->key_at;
	}
}

/* Is it one JSON value and nothing else? */
static bool
is_json(struct text *text, struct slice value)
{
	static const char padding[INPUT_PADDING];
	enum json_token token;

	strbuf_clear(&text->scratch);
	strbuf_add_slice(&text->scratch, value);
	strbuf_add(&text->scratch, padding, sizeof padding);
	json_begin(&text->json, (struct slice){text->scratch.data, value.len}, JSON_STRICT);
	do {
		token = json_next(&text->json);
	} while (token != JSON_END && token != JSON_ERROR);
	return token == JSON_END;
}

/* Members of the arguments' object; *separator is ',' once there are some. */
static void
add_arguments(struct block_view *view, uint32_t i, struct text *text, char *separator)
{
	struct strbuf *out = &text->events;

	for (size_t a = 0; a < text->n_arguments; a++) {
		const struct argument *argument = &text->arguments[a];
		struct slice value_text;
		int64_t value;

		if (!row_argument_read(view, argument->slot, view->row + i, &value, &value_text)) {
			continue;
		}
		size_t at = out->len;
		strbuf_add(out, text->keys.data + argument->key_at, argument->key_len);
		out->data[at] = *separator;
		if (argument->type == ARG_JSON && !is_json(text, value_text)) {
			json_add_text(out, value_text);
		} else {
			row_argument_json(out, argument->type, value, value_text);
		}
		*separator = ',';
	}
}

/* ---- what all events have ---- */

static void
begin_event(const struct trace_writer *trace, const struct span_row *row, const char *phase,
            struct strbuf *out)
{
	strbuf_add_text(out, ",\n{\"name\":");
	json_add_text(out, dataset_text(trace->dataset, row->name));
	if (row->category != TEXT_NONE) {
		strbuf_add_text(out, ",\"cat\":");
		json_add_text(out, dataset_text(trace->dataset, row->category));
	}
	strbuf_add_text(out, phase);
	trace_add_us(out, row->start_ns);
}

/* ---- spans ---- */

/* A column's value, if there is one that says more than nothing. */
static void
add_column(const struct trace_writer *trace, const struct span_row *span, enum row_column column,
           char *separator, struct strbuf *out)
{
	bool is_integer = row_columns[column].class == ROW_CLASS_INTEGER;
	struct slice text = {0};
	int64_t integer;

	if (is_integer && (!row_column_integer(span, column, &integer) ||
	                   integer == row_columns[column].absent)) {
		return;
	}
	if (!is_integer) {
		struct scan_value value = row_column_value(trace->dataset, span, column);
		if (value.type != SCAN_TEXT) {
			return;
		}
		text = value.text;
	}
	strbuf_add_char(out, *separator);
	strbuf_add_char(out, '"');
	strbuf_add_text(out, row_columns[column].name);
	strbuf_add_text(out, "\":");
	if (is_integer) {
		json_add_integer(out, integer);
	} else {
		json_add_text(out, text);
	}
	*separator = ',';
}

/* What it has beside its arguments. */
static void
add_own(const struct trace_writer *trace, const struct span_row *span,
        const struct trace_record *task, struct strbuf *out)
{
	const struct trace_record *transfer =
	    task ? NULL : trace_find_record(&trace->transfers, span);
	char separator = '{';

	for (unsigned i = 0; i < trace->n_own; i++) {
		add_column(trace, span, trace->own[i], &separator, out);
	}
	if (trace->lanes[span->lane].has_depths) {
		strbuf_add_char(out, separator);
		strbuf_add_text(out, "\"depth\":");
		json_add_integer(out, span->depth);
		separator = ',';
	}
	if (task || transfer) {
		strbuf_add_char(out, separator);
		strbuf_add_text(out, task ? "\"task\":" : "\"transfer\":");
		if (task) {
			trace_add_task(trace, task, out);
		} else {
			trace_add_transfer(trace, transfer, out);
		}
		separator = ',';
	}
	if (separator == ',') {
		strbuf_add_char(out, '}');
	}
}

static void
add_span(const struct rows_writer *writing, struct block_view *view, uint32_t i,
         const struct span_row *span, struct text *text)
{
	const struct trace_writer *trace = writing->trace;
	const struct trace_lane *lane = &trace->lanes[span->lane];
	const struct trace_record *task = trace_find_record(&trace->tasks, span);
	const struct trace_ends *ends = trace_flows_of(writing->flows, view->index);
	struct strbuf *out = &text->events;
	char separator = '{';
	size_t before;

	begin_event(trace, span, ",\"ph\":\"X\",\"ts\":", out);
	strbuf_add_text(out, ",\"dur\":");
	trace_add_us(out, span->duration_ns);
	trace_add_place(out, lane->pid, trace_tid(lane, span->depth));
	before = out->len;
	strbuf_add_text(out, ",\"args\":");
	add_arguments(view, i, text, &separator);
	if (trace->own_key == UINT32_MAX) {
		size_t at = out->len;

		strbuf_add_char(out, separator);
		strbuf_add_text(out, "\"" TRACE_OWN "\":");
		size_t empty = out->len;
		add_own(trace, span, task, out);
		if (out->len == empty) {
			out->len = at;
		} else {
			separator = ',';
		}
	}
	if (separator == '{') {
		out->len = before;
	} else {
		strbuf_add_char(out, '}');
	}
	strbuf_add_char(out, '}');
	text->n.n_spans++;
	text->n.n_flows += (int64_t)trace_add_flows(trace, ends, span->id, span, out);
	if (task) {
		text->n.n_flows +=
		    (int64_t)trace_add_flows(trace, &trace->task_ends, task->id, span, out);
	}
}

/* ---- events and samples ---- */

/* The arguments as a member, where there are any, and the event's end. */
static void
end_event(struct block_view *view, uint32_t i, const char *member, struct text *text)
{
	struct strbuf *out = &text->events;
	size_t before = out->len;
	char separator = '{';

	strbuf_add_text(out, member);
	add_arguments(view, i, text, &separator);
	if (separator == '{') {
		out->len = before;
	}
	strbuf_add_text(out, separator == '{' ? "}" : "}}");
}

static void
add_event(const struct rows_writer *writing, struct block_view *view, uint32_t i,
          const struct span_row *event, struct text *text)
{
	const struct trace_lane *lane = &writing->trace->lanes[event->lane];

	begin_event(writing->trace, event, ",\"ph\":\"i\",\"ts\":", &text->events);
	trace_add_place(&text->events, lane->pid, lane->tid);
	end_event(view, i, ",\"args\":", text);
	text->n.n_events++;
}

/* The arguments of a counter event are its values: a sample's own stand beside them. */
static void
add_sample(const struct rows_writer *writing, struct block_view *view, uint32_t i,
           const struct span_row *sample, struct text *text)
{
	const struct trace_lane *lane = &writing->trace->lanes[sample->lane];
	struct strbuf *out = &text->events;

	if (!isfinite(sample->value)) {
		text->n.n_no_number++;
		return;
	}
	begin_event(writing->trace, sample, ",\"ph\":\"C\",\"ts\":", out);
	trace_add_place(out, lane->pid, lane->tid);
	if (lane->has_id) {
		strbuf_add_text(out, ",\"id\":");
		json_add_text(out, lane->name);
	}
	strbuf_add_text(out, ",\"args\":{\"value\":");
	json_add_real(out, sample->value);
	strbuf_add_char(out, '}');
	end_event(view, i, ",\"arguments\":", text);
	text->n.n_samples++;
}

/* ---- blocks ---- */

static bool
wanted(void *user, const struct block_info *block)
{
	struct rows_writer *writing = user;
	const struct chrome_options *options = writing->trace->options;
	size_t index = (size_t)(block - writing->trace->dataset->blocks[writing->kind]);

	if (writing->err.code != ERR_NONE || block->start_min >= options->to_ns ||
	    block->end_max < options->from_ns) {
		return false;
	}
	return !writing->flows || trace_flows_read(writing->flows, index, &writing->err) == 0;
}

static int
scan(void *user, struct block_view *view, unsigned slot, struct err *err)
{
	const struct rows_writer *writing = user;
	const struct trace_writer *trace = writing->trace;
	struct text *text = &writing->texts[slot];
	uint64_t matches[CHUNK_WORDS];
	struct row_chunk chunk;
	struct span_row row;

	(void)err;
	strbuf_clear(&text->events);
	text->n = (struct chrome_written){0};
	open_arguments(writing, view->info, text);
	while (block_view_next(view)) {
		row_chunk_read(&writing->fields, view, &chunk);
		filter_chunk(writing->in_scope[view->thread], view, matches);
		for (uint32_t i = 0; i < view->n; i++) {
			if (!(matches[i / 64] >> i % 64 & 1)) {
				continue;
			}
			row_fill(view, &chunk, i, &row);
			if (row.lane >= trace->dataset->n_lanes ||
			    !trace->lanes[row.lane].is_wanted ||
			    !trace_in_window(trace->options, row.start_ns,
			                     time_add(row.start_ns, row.duration_ns))) {
				continue;
			}
			if (writing->kind == BLOCK_SPAN) {
				add_span(writing, view, i, &row, text);
			} else if (writing->kind == BLOCK_EVENT) {
				add_event(writing, view, i, &row, text);
			} else {
				add_sample(writing, view, i, &row, text);
			}
		}
	}
	return 0;
}

static int
merge(void *user, const struct block_info *block, unsigned slot, struct err *err)
{
	struct rows_writer *writing = user;
	struct trace_writer *trace = writing->trace;
	const struct chrome_written *n = &writing->texts[slot].n;

	(void)err;
	trace_put(trace, &writing->texts[slot].events);
	trace->written->n_spans += n->n_spans;
	trace->written->n_events += n->n_events;
	trace->written->n_samples += n->n_samples;
	trace->written->n_flows += n->n_flows;
	trace->written->n_no_number += n->n_no_number;
	if (writing->flows) {
		trace_flows_drop(writing->flows,
		                 (size_t)(block - trace->dataset->blocks[writing->kind]));
	}
	return gzip_writer_failed(trace->out); /* closing it says why */
}

static int
run(struct rows_writer *writing, struct err *err)
{
	struct block_loop loop = {.dataset = writing->trace->dataset,
	                          .kind = writing->kind,
	                          .fields = &writing->set,
	                          .end = SIZE_MAX,
	                          .n_threads = trace_threads(),
	                          .user = writing,
	                          .wanted = wanted,
	                          .scan = scan,
	                          .merge = merge,
	                          .cancel = writing->trace->options->cancel};
	unsigned n_slots = block_loop_slots(&loop);
	int rc;

	unsigned n_threads = block_loop_threads(&loop);

	writing->texts = xcalloc(n_slots, sizeof *writing->texts);
	writing->in_scope = xcalloc(n_threads, sizeof(struct filter_state *));
	for (unsigned i = 0; i < n_threads; i++) {
		writing->in_scope[i] = filter_state_new(writing->filter);
	}
	loop.filters = writing->in_scope;
	loop.n_filters = 1;
	rc = block_loop_run(&loop, err);
	for (unsigned i = 0; i < n_threads; i++) {
		filter_state_free(writing->in_scope[i]);
	}
	free(writing->in_scope);
	if (rc == 0 && writing->err.code != ERR_NONE) {
		*err = writing->err;
		rc = -1;
	}
	rc = rc > 0 ? 0 : rc;
	for (unsigned i = 0; i < n_slots; i++) {
		strbuf_free(&writing->texts[i].events);
		strbuf_free(&writing->texts[i].scratch);
		strbuf_free(&writing->texts[i].keys);
		json_fini(&writing->texts[i].json);
		free(writing->texts[i].arguments);
	}
	free(writing->texts);
	return rc;
}

int
trace_write_rows(struct trace_writer *trace, enum block_kind kind, struct err *err)
{
	struct rows_writer writing = {.trace = trace, .kind = kind, .err = ERR_INIT};
	int rc = -1;

	row_fields_add(&writing.fields, &writing.set, ROW_ALL_COLUMNS);
	if (kind == BLOCK_SPAN && !(writing.flows = trace_flows_new(trace, err))) {
		goto out;
	}
	if (find_arguments(&writing, err) == 0 &&
	    (writing.filter = filter_compile(trace->dataset, kind, NULL, NULL, err))) {
		filter_bind(writing.filter, &writing.set);
		rc = run(&writing, err);
	}
out:
	filter_free(writing.filter);
	trace_flows_free(writing.flows);
	block_fields_free(&writing.set);
	return rc;
}
