/*
 * Counters from elsewhere: CSV of time, host, name and value, as LDMS, power meters and scripts write them.
 *
 * Times are wall-clock times: numbers since 1970 in seconds, milliseconds, microseconds or nanoseconds, told apart by their size as each is a
 * thousand times the other, or ISO 8601, in UTC where they name no offset from it. Given with traces of another format, the counters become part of their run, each host with a
 * lane of its own, in the time of the trace.
 */
#include "config.h"
#include "import/formats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "input/csv.h"
#include "util/date.h"
#include "util/format.h"
#include "util/intern.h"
#include "util/mem.h"

#define CANCEL_EVERY 4096u
#define EXCERPT_BYTES 512u

enum { COLUMN_TIME, COLUMN_HOST, COLUMN_NAME, COLUMN_VALUE, COLUMNS };
static const char *const column_names[COLUMNS] = {"time", "host", "name", "value"};

struct counters_reader {
	struct sink *sink;
	struct csv csv;
	uint32_t *lanes; /* by code of the host's text */
	size_t lanes_capacity;
	struct source_facts counts;
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

/* ---- rows ---- */

static struct slice
trim(struct slice text)
{
	while (text.len && (text.ptr[0] == ' ' || text.ptr[0] == '\t')) {
		text.ptr++;
		text.len--;
	}
	while (text.len && (text.ptr[text.len - 1] == ' ' || text.ptr[text.len - 1] == '\t')) {
		text.len--;
	}
	return text;
}

static uint32_t
lane_of(struct counters_reader *reader, struct slice host)
{
	struct sink *sink = reader->sink;
	text_code code = sink->text(sink->user, host);
	size_t before = reader->lanes_capacity;

	reader->lanes = mem_grow(reader->lanes, &reader->lanes_capacity, (size_t)code + 1,
	                         sizeof *reader->lanes);
	for (size_t i = before; i < reader->lanes_capacity; i++) {
		reader->lanes[i] = LANE_NONE;
	}
	if (reader->lanes[code] == LANE_NONE) {
		struct lane lane = {.host = host.len ? code : TEXT_NONE,
		                    .name = host.len ? code : TEXT_NONE,
		                    .kind = LANE_COUNTER};
		reader->lanes[code] = sink->lane(sink->user, &lane);
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

	problem.excerpt.len =
	    problem.excerpt.len < EXCERPT_BYTES ? problem.excerpt.len : EXCERPT_BYTES;
	reader->counts.bad_records++;
	return reader->sink->problem(reader->sink->user, &problem);
}

static int
read_row(struct counters_reader *reader)
{
	const struct csv *csv = &reader->csv;
	struct counter counter = {0};

	if (csv->problem || csv->n_fields != COLUMNS) {
		return drop(reader, PROBLEM_MALFORMED,
		            csv->problem ? csv->problem : "not four fields");
	}
	if (!read_time(trim(csv->fields[COLUMN_TIME]), &counter.time_ns)) {
		return drop(reader, PROBLEM_INVALID,
		            "the time is neither a number since 1970 nor a date");
	}
	if (!slice_double(trim(csv->fields[COLUMN_VALUE]), &counter.value) ||
	    !isfinite(counter.value)) {
		return drop(reader, PROBLEM_INVALID, "the value is no number");
	}
	reader->counts.records++;
	counter.lane = lane_of(reader, trim(csv->fields[COLUMN_HOST]));
	counter.name = reader->sink->text(reader->sink->user, trim(csv->fields[COLUMN_NAME]));
	return reader->sink->counter(reader->sink->user, &counter);
}

/* 0 at the end, 1 the sink stopped, -1 with err. */
static int
read_rows(struct counters_reader *reader, const struct cancel *cancel, struct err *err)
{
	uint64_t n = 0;
	int more;

	while ((more = csv_next(&reader->csv, err)) > 0) {
		if (n++ == 0) {
			continue; /* the header */
		}
		if (n % CANCEL_EVERY == 0 && cancel_requested(cancel)) {
			return err_set(err, ERR_CANCELLED, "cancelled");
		}
		if (read_row(reader) != 0) {
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

	*facts = NULL;
	csv_open(&reader.csv, input, ',');
	int result = read_rows(&reader, options ? options->cancel : NULL, err);
	if (result == 0 && input_truncated(input)) {
		struct problem problem = {.kind = PROBLEM_TRUNCATED,
		                          .reason = input_truncation(input)};
		result = sink->problem(sink->user, &problem) != 0;
	}
	if (result == 0) {
		reader.counts.clock = CLOCK_WALL;
		sink->facts(sink->user, &reader.counts);
	}
	csv_close(&reader.csv);
	free(reader.lanes);
	return result ? -1 : 0;
}

/* ---- recognition ---- */

static int
sniff_head(struct slice head, const char *file_name)
{
	const char *newline = memchr(head.ptr, '\n', head.len);
	struct slice line = {head.ptr, newline ? (size_t)(newline - head.ptr) : head.len};

	(void)file_name;
	if (line.len >= 3 && memcmp(line.ptr, "\xef\xbb\xbf", 3) == 0) {
		line.ptr += 3;
		line.len -= 3;
	}
	if (line.len && line.ptr[line.len - 1] == '\r') {
		line.len--;
	}
	for (size_t i = 0; i < COLUMNS; i++) {
		const char *comma = memchr(line.ptr, ',', line.len);
		size_t len = comma ? (size_t)(comma - line.ptr) : line.len;
		if (!slice_is(trim((struct slice){line.ptr, len}), column_names[i]) ||
		    !comma != (i + 1 == COLUMNS)) {
			return 0;
		}
		len += comma != NULL;
		line.ptr += len;
		line.len -= len;
	}
	return 90;
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
