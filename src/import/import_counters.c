/*
 * Counters from elsewhere: CSV of time, host, name and value, as LDMS, power meters and scripts
 * write them. A header names these columns, in any order, with commas, semicolons or tabs between
 * them; what stands in others is kept as arguments of the samples.
 *
 * Times are wall-clock times: numbers since 1970 in seconds, milliseconds, microseconds or
 * nanoseconds, told apart by their size as each is a thousand times the other, or ISO 8601, in UTC
 * where they name no offset from it. Given with traces of another format, the counters become part
 * of their run, each host with a lane of its own, in the time of the trace.
 */
#include "config.h"
#include "import/formats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "import/shared.h"
#include "input/csv.h"
#include "util/date.h"
#include "util/format.h"
#include "util/intern.h"
#include "util/mem.h"
#include "util/order.h"

#define BLANKS " \t"

#define CANCEL_EVERY 4096u
#define EXCERPT_BYTES 512u
#define HEAD_BYTES ((size_t)64 << 10)
#define SURE 90
#define SURE_HEADER 10 /* above lines that are no such rows */
#define MORE_MOST 32u  /* columns that are kept as arguments */

enum { COLUMN_TIME, COLUMN_HOST, COLUMN_NAME, COLUMN_VALUE, COLUMNS };
static const char *const column_names[COLUMNS] = {"time", "host", "name", "value"};

/* How a file is written. */
struct layout {
	char delimiter;
	size_t places[COLUMNS]; /* of the columns among the fields */
	size_t n_fields;
	struct strbuf header; /* that line, empty if there is none */
};

struct counters_reader {
	struct sink *sink;
	struct csv csv;
	struct layout layout;
	uint32_t more_keys[MORE_MOST]; /* of fields that are no column */
	size_t more_places[MORE_MOST];
	size_t n_more;
	uint32_t *lanes; /* by code of the host's text */
	size_t lanes_capacity;
	struct source_facts counts;
	bool has_local_times; /* without a zone */
};

/* ---- times ---- */

static bool
read_time(struct slice text, int64_t *ns)
{
	double value;

	if (!slice_double(text, &value) || !isfinite(value)) {
		return date_time_ns(text, ns) && *ns >= 0;
	}
	int64_t unit = value < 1e11 ? 1000000000 : value < 1e14 ? 1000000 : value < 1e17 ? 1000 : 1;
	return value >= 0 && decimal_to_ns(text, unit, ns);
}

/* ---- the header ---- */

static bool
is_header(const struct layout *layout, const struct csv *csv)
{
	return layout->header.len > 0 &&
	       slice_equal(slice_trim(csv->text, BLANKS), strbuf_slice(&layout->header));
}

/* Does this record name all columns? */
static bool
take_header(struct layout *layout, const struct csv *csv)
{
	struct slice text = slice_trim(csv->text, BLANKS);

	for (size_t column = 0; column < COLUMNS; column++) {
		size_t field = 0;
		while (field < csv->n_fields &&
		       !slice_is_anycase(slice_trim(csv->fields[field], BLANKS),
		                         column_names[column])) {
			field++;
		}
		if (field == csv->n_fields) {
			return false;
		}
		layout->places[column] = field;
	}
	layout->n_fields = csv->n_fields;
	strbuf_clear(&layout->header);
	strbuf_add_slice(&layout->header, text);
	return true;
}

/* NULL, or why the fields are none of ours. */
static const char *
read_fields(const struct layout *layout, const struct csv *csv, struct counter *counter)
{
	double value;

	if (csv->problem || csv->n_fields != layout->n_fields) {
		return csv->problem         ? csv->problem
		       : layout->header.len ? "not as many fields as the header"
		                            : "not four fields";
	}
	if (!read_time(slice_trim(csv->fields[layout->places[COLUMN_TIME]], BLANKS),
	               &counter->time_ns)) {
		return "the time is neither a number since 1970 nor a date";
	}
	if (!slice_double(slice_trim(csv->fields[layout->places[COLUMN_VALUE]], BLANKS), &value) ||
	    !isfinite(value)) {
		return "the value is no number";
	}
	counter->value = value;
	return NULL;
}

/* The layout whose header stands in these bytes, above rows or between them, and how sure it makes
 * one. */
static int
find_layout(struct slice head, char delimiter, struct layout *layout)
{
	struct input *input = input_from_memory(head, 0);
	struct err err = ERR_INIT;
	struct counter counter;
	struct csv csv;
	size_t n_rows = 0, n_good = 0, n_before = 0;

	csv_open(&csv, input, delimiter);
	while (csv_next(&csv, &err) > 0) {
		if (layout->header.len == 0) {
			n_before += csv.problem || !take_header(layout, &csv);
		} else if (!is_header(layout, &csv)) {
			bool is_good = read_fields(layout, &csv, &counter) == NULL;
			n_good += is_good;
			n_rows += is_good || !csv.is_open; /* the last may be cut */
			if (!is_good) {
				(void)csv_split_lines(&csv);
			}
		}
	}
	csv_close(&csv);
	input_close(input);
	if (layout->header.len == 0) {
		return 0;
	}
	bool is_most = n_good > 0 ? n_good * 2 > n_rows + n_before : n_rows == 0 && n_before < 2;
	return is_most ? SURE : n_before == 0 ? SURE_HEADER : 0;
}

/* The layout of what begins with head; how sure. Where nothing tells, it is a guess. */
static int
find_any_layout(struct slice head, struct layout *layout)
{
	static const char delimiters[] = ",;\t";
	int best = -1;

	head = slice_behind_mark(head);
	*layout = (struct layout){',', {0, 1, 2, 3}, COLUMNS, {0}};
	for (size_t i = 0; delimiters[i] && best < SURE; i++) {
		struct layout found = {.delimiter = delimiters[i]};
		int sure = find_layout(head, delimiters[i], &found);
		if (found.header.len > 0 && sure > best) {
			strbuf_free(&layout->header);
			*layout = found;
			best = sure;
		} else {
			strbuf_free(&found.header);
		}
	}
	return MOST(best, 0);
}

/* ---- rows ---- */

static uint32_t
lane_of(struct counters_reader *reader, struct slice host)
{
	struct sink *sink = reader->sink;
	text_code code = sink_text(sink, host);
	size_t before = reader->lanes_capacity;

	MEM_GROW(reader->lanes, reader->lanes_capacity, (size_t)code + 1);
	for (size_t i = before; i < reader->lanes_capacity; i++) {
		reader->lanes[i] = LANE_NONE;
	}
	if (reader->lanes[code] == LANE_NONE) {
		struct lane lane = {.host = host.len ? code : TEXT_NONE,
		                    .name = host.len ? code : TEXT_NONE,
		                    .kind = LANE_COUNTER};
		reader->lanes[code] = sink_lane(sink, &lane);
	}
	return reader->lanes[code];
}

static int
drop(struct counters_reader *reader, enum problem_kind kind, const char *reason)
{
	const struct csv *csv = &reader->csv;
	struct problem problem = {
	    .kind = csv->is_open && kind == PROBLEM_MALFORMED ? PROBLEM_TRUNCATED : kind,
	    .record = csv->line,
	    .offset = csv->offset,
	    .reason = reason,
	    .excerpt = csv->text};

	problem.excerpt.len = LEAST(problem.excerpt.len, EXCERPT_BYTES);
	reader->counts.bad_records++;
	return sink_problem(reader->sink, &problem);
}

/* Names the fields that are no column. */
static void
name_more(struct counters_reader *reader)
{
	const struct csv *csv = &reader->csv;

	for (size_t i = 0; i < csv->n_fields && reader->n_more < MORE_MOST; i++) {
		bool is_column = false;
		for (size_t column = 0; column < COLUMNS; column++) {
			is_column |= reader->layout.places[column] == i;
		}
		if (!is_column && slice_trim(csv->fields[i], BLANKS).len) {
			reader->more_places[reader->n_more] = i;
			struct slice name = slice_trim(csv->fields[i], BLANKS);
			reader->more_keys[reader->n_more] = import_field_key(
			    reader->sink, name, i, NULL, reader->more_keys, reader->n_more);
			reader->n_more++;
		}
	}
}

static size_t
take_more(const struct counters_reader *reader, struct arg *args)
{
	size_t n = 0;

	for (size_t i = 0; i < reader->n_more; i++) {
		struct slice text = slice_trim(reader->csv.fields[reader->more_places[i]], BLANKS);
		struct arg *arg = &args[n];
		*arg = (struct arg){.key = reader->more_keys[i], .type = ARG_TEXT, .text = text};
		arg->type = slice_int64(text, &arg->integer) ? ARG_INTEGER : ARG_TEXT;
		n += text.len > 0;
	}
	return n;
}

static int
read_row(struct counters_reader *reader)
{
	struct csv *csv = &reader->csv;
	const size_t *places = reader->layout.places;
	struct arg args[MORE_MOST];
	struct counter counter = {.args = args};
	const char *reason = read_fields(&reader->layout, csv, &counter);

	if (reason) {
		bool is_malformed = csv->problem || csv->n_fields != reader->layout.n_fields;
		bool is_split = csv_split_lines(csv);
		return drop(reader, is_malformed || is_split ? PROBLEM_MALFORMED : PROBLEM_INVALID,
		            is_split ? csv->problem : reason);
	}
	reader->counts.records++;
	reader->has_local_times =
	    reader->has_local_times ||
	    date_lacks_zone(slice_trim(csv->fields[places[COLUMN_TIME]], BLANKS));
	counter.lane = lane_of(reader, slice_trim(csv->fields[places[COLUMN_HOST]], BLANKS));
	counter.name =
	    sink_text(reader->sink, slice_trim(csv->fields[places[COLUMN_NAME]], BLANKS));
	counter.n_args = take_more(reader, args);
	return sink_counter(reader->sink, &counter);
}

/* 0 at the end, 1 the sink stopped, -1 with err. */
static int
read_rows(struct counters_reader *reader, const struct cancel *cancel, struct err *err)
{
	bool has_header = false;
	uint64_t n = 0;
	int more;

	while ((more = csv_next(&reader->csv, err)) > 0) {
		if (++n % CANCEL_EVERY == 0 && cancel_requested(cancel)) {
			return err_set(err, ERR_CANCELLED, "cancelled");
		}
		if (is_header(&reader->layout, &reader->csv)) {
			if (!has_header) {
				name_more(reader);
			}
			has_header = true;
			continue;
		}
		if (read_row(reader)) {
			return 1;
		}
	}
	return more;
}

static int
read_source(struct input *input, struct sink *sink, const struct import_options *options,
            void **facts, struct err *err)
{
	struct counters_reader reader = {.sink = sink};
	struct slice head;

	*facts = NULL;
	if (input_peek(input, HEAD_BYTES, &head, err)) {
		return -1;
	}
	(void)find_any_layout(head, &reader.layout); /* whoever named the format is believed */
	csv_open(&reader.csv, input, reader.layout.delimiter);
	int result = read_rows(&reader, options ? options->cancel : NULL, err);
	if (result == 0 && input_truncated(input)) {
		struct problem problem = {.kind = PROBLEM_TRUNCATED,
		                          .reason = input_truncation(input)};
		result = sink_problem(sink, &problem) != 0;
	}
	if (result == 0 && reader.has_local_times) {
		const char *slash = strrchr(input_path(input), '/');

		result = import_tag_no_zone(sink, slice_of(slash ? slash + 1 : input_path(input)));
	}
	if (result == 0) {
		reader.counts.clock = CLOCK_WALL;
		sink_facts(sink, &reader.counts);
	}
	csv_close(&reader.csv);
	strbuf_free(&reader.layout.header);
	free(reader.lanes);
	return result ? -1 : 0;
}

/* ---- recognition ---- */

static int
sniff_head(struct slice head, const char *file_name)
{
	struct layout layout;
	int sure = find_any_layout(head, &layout);

	(void)file_name;
	strbuf_free(&layout.header);
	return sure;
}

const struct import_format import_counters = {
    .name = "counters",
    .summary = "counters of hosts over time, CSV with columns time,host,name,value; joins the run "
	       "of traces given with it",
    .grouping = GROUP_BESIDE,
    .copies = COPIES_FOLDER,
    .sniff = sniff_head,
    .read = read_source,
};
