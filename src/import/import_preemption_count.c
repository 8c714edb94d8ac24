/*
 * Traces that count instances: how many there are (node, asg, p3counts, gcloud, steps, sky), how many went or came (terminate, found,
 * additions). Rows are given on as they come, in the order of the file, so that files of any size are read; of equal times the later
 * row is the state. Only the probe log of gcloud goes back and forth in time: its rows are kept and sorted.
 *
 * A terminate trace may forget to advance the date at midnight. Its times can only grow, so one that is earlier than the row before is
 * of the next day, and so are all that follow.
 */
#include "config.h"
#include "import/import_preemption.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/format.h"
#include "util/intervals.h"
#include "util/mem.h"

#define NS_PER_S INT64_C(1000000000)
#define NS_PER_DAY (86400 * NS_PER_S)
#define KEPT_LIMIT ((size_t)8 << 20) /* rows or points that are kept to be sorted */
#define COUNT_MOST INT64_C(1000000000000)

static const char bad_columns[] = "not as many columns as this form has";
static const char bad_time[] = "the time is none";
static const char bad_count[] = "the count is not a whole number from 0 up";

/* ---- the columns of each form ---- */

static const char *
read_columns(struct preemption_reader *reader, int64_t *time_ns, int64_t *nodes)
{
	const struct slice *fields = reader->csv.fields;
	size_t n = reader->csv.n_fields, time_column = 0;
	int64_t clock_ns = 0;
	bool is_time;

	if (n != strlen(preemption_shapes[reader->form].columns)) {
		return bad_columns;
	}
	switch (reader->form) {
	case FORM_GCLOUD:
		is_time =
		    preemption_date(fields[0], time_ns) && preemption_clock(fields[1], &clock_ns);
		break;
	case FORM_P3COUNTS:
		is_time = decimal_to_ns(fields[0], 1000000, time_ns);
		break;
	case FORM_STEPS: /* hours if it has decimals; a file has them everywhere or nowhere */
		is_time = decimal_to_ns(fields[0],
		                        memchr(fields[0].ptr, '.', fields[0].len) ? 3600 * NS_PER_S
		                                                                  : NS_PER_S,
		                        time_ns);
		break;
	default:
		time_column = reader->form == FORM_ADDITIONS || reader->form == FORM_FOUND;
		is_time = preemption_date_time(fields[time_column], time_ns);
		break;
	}
	if (!is_time || *time_ns > INT64_MAX / 4 || *time_ns < INT64_MIN / 4) {
		return bad_time;
	}
	*time_ns += clock_ns;
	if (!preemption_count(fields[n - 1], nodes) || *nodes < 0 || *nodes > COUNT_MOST) {
		return bad_count;
	}
	return NULL;
}

/* ---- counts ---- */

/* What is remembered of the changes, for conclusions. */
static void
note_change(struct preemption_reader *reader, int64_t time_ns, int64_t change)
{
	struct preemption_facts *facts = reader->facts;

	if (change > 0) {
		facts->added += change;
		facts->rises_early =
		    preemption_digest(facts->rises_early, reader->before_ns, change);
		facts->rises_late = preemption_digest(facts->rises_late, time_ns, change);
	} else if (change < 0) {
		facts->lost -= change;
		facts->drops_early =
		    preemption_digest(facts->drops_early, reader->before_ns, -change);
		facts->drops_late = preemption_digest(facts->drops_late, time_ns, -change);
	}
}

static int
put_count(struct preemption_reader *reader, int64_t time_ns, int64_t nodes)
{
	if (reader->before_ns != TIME_NONE) {
		if (time_ns < reader->before_ns) {
			reader->first_backward =
			    reader->n_backward++ ? reader->first_backward : reader->line;
		}
		note_change(reader, time_ns, nodes - reader->before_nodes);
	}
	reader->max_nodes = nodes > reader->max_nodes ? nodes : reader->max_nodes;
	preemption_note_time(reader, time_ns);
	int stop = preemption_put_capacity(reader, time_ns, nodes);
	/* The last change stays apart: it may be the end of the group. */
	int64_t drop = reader->before_ns == TIME_NONE ? 0 : reader->before_nodes - nodes;
	if (nodes > 0 && drop > reader->largest_drop) {
		reader->largest_drop = drop;
	}
	reader->last_drop = nodes == 0 ? drop : 0;
	reader->before_ns = time_ns;
	reader->before_nodes = nodes;
	return stop;
}

/* ---- losses and additions ---- */

static int
put_change(struct preemption_reader *reader, int64_t time_ns, int64_t nodes)
{
	struct preemption_facts *facts = reader->facts;
	bool is_backward;

	time_ns = time_add(time_ns, reader->shift_ns);
	is_backward = reader->before_ns != TIME_NONE && time_ns < reader->before_ns;
	if (is_backward && reader->form == FORM_TERMINATE) {
		int64_t days = (reader->before_ns - time_ns + NS_PER_DAY - 1) / NS_PER_DAY;
		time_ns += days * NS_PER_DAY;
		reader->shift_ns += days * NS_PER_DAY;
		int stop = preemption_note(
		    reader, reader->line,
		    "row %" PRIu64 ": the time is earlier than the row before, as the "
		    "date was not advanced after midnight: a day is added from here on",
		    reader->counts.records + 1);
		if (stop) {
			return stop;
		}
	} else if (is_backward) {
		reader->first_backward =
		    reader->n_backward++ ? reader->first_backward : reader->line;
	}
	reader->before_ns = time_ns;
	preemption_note_time(reader, time_ns);
	facts->digest = preemption_digest(facts->digest, time_ns, nodes);
	if (reader->form == FORM_ADDITIONS) {
		facts->added += nodes;
		return preemption_put_change(reader, time_ns, -nodes);
	}
	facts->lost += nodes;
	return preemption_put_change(reader, time_ns, nodes);
}

int
preemption_count_row(struct preemption_reader *reader)
{
	int64_t time_ns, nodes;
	const char *reason = read_columns(reader, &time_ns, &nodes);

	if (reason) {
		return preemption_reject(reader, reason);
	}
	switch (reader->form) {
	case FORM_TERMINATE:
	case FORM_ADDITIONS:
	case FORM_FOUND:
		return put_change(reader, time_ns, nodes);
	default:
		return put_count(reader, time_ns, nodes);
	}
}

/* "full-64": a group of 64, by its name. */
static int64_t
size_in_name(const char *pool)
{
	const char *dash = strrchr(pool, '-');
	int64_t size;

	return dash && slice_int64(slice_of(dash + 1), &size) && size > 0 ? size : INT64_MAX;
}

static int
note_node_trace(struct preemption_reader *reader)
{
	const char *pool = reader->facts->pool;
	int stop = 0;

	if (reader->max_nodes > size_in_name(pool)) {
		stop = preemption_note(reader, 0,
		                       "%.100s: the count reaches %" PRId64
		                       ", more than the group was meant to hold by its name",
		                       pool, reader->max_nodes);
	}
	if (stop == 0 && reader->last_drop > 1 && reader->last_drop > reader->largest_drop) {
		stop =
		    preemption_note(reader, 0,
		                    "the last row takes all %" PRId64
		                    " instances at once: the group was stopped, not preempted; the "
		                    "figures include it",
		                    reader->last_drop);
	}
	return stop;
}

int
preemption_count_end(struct preemption_reader *reader)
{
	int stop = 0;

	if (reader->n_backward) {
		const char *sorted =
		    reader->form == FORM_GCLOUD ? ": the rows are sorted by time" : "";
		stop = reader->n_backward == 1
		           ? preemption_note(reader, 0,
		                             "time goes backward once, in line %" PRIu64 "%s",
		                             reader->first_backward, sorted)
		           : preemption_note(reader, 0,
		                             "time goes backward %" PRIu64
		                             " times, first in line %" PRIu64 "%s",
		                             reader->n_backward, reader->first_backward, sorted);
	}
	if (stop == 0 && reader->n_equal) {
		stop =
		    preemption_note(reader, 0,
		                    "%" PRIu64 " time%s more than once, first in line %" PRIu64
		                    ": of equal times the later line is the state",
		                    reader->n_equal, reader->n_equal == 1 ? " stands" : "s stand",
		                    reader->first_equal);
	}
	if (stop == 0 && reader->n_prices) {
		stop = preemption_note(
		    reader, 0,
		    "%" PRIu64 " value%s, not counts: a price above 0 is taken for one "
		    "instance",
		    reader->n_prices, reader->n_prices == 1 ? " is a price" : "s are prices");
	}
	if (stop == 0 && reader->form == FORM_NODE) {
		stop = note_node_trace(reader);
	}
	return stop;
}

/* ---- the probe log ---- */

struct kept_row {
	int64_t time_ns, nodes;
	uint64_t line;
};
struct kept_rows {
	struct kept_row *rows;
	size_t n, capacity;
	bool is_full;
};

static int
compare_rows(const void *a, const void *b)
{
	const struct kept_row *x = a, *y = b;

	if (x->time_ns != y->time_ns) {
		return x->time_ns < y->time_ns ? -1 : 1;
	}
	return (x->line > y->line) - (x->line < y->line);
}

static int
keep(struct preemption_reader *reader, struct kept_rows *kept, int64_t time_ns, int64_t nodes)
{
	if (kept->n == KEPT_LIMIT) {
		if (kept->is_full) {
			return 0;
		}
		kept->is_full = true;
		return preemption_problem(reader, PROBLEM_TRUNCATED,
		                          "more rows than can be sorted: the rest is left out");
	}
	kept->rows = mem_grow(kept->rows, &kept->capacity, kept->n + 1, sizeof *kept->rows);
	kept->rows[kept->n++] = (struct kept_row){time_ns, nodes, reader->line};
	return 0;
}

static int
put_kept(struct preemption_reader *reader, const struct kept_rows *kept)
{
	int stop = 0;

	for (size_t i = 0; i < kept->n && stop == 0; i++) {
		const struct kept_row *row = &kept->rows[i];
		if (i && row->time_ns == kept->rows[i - 1].time_ns) {
			reader->first_equal = reader->n_equal++ ? reader->first_equal : row->line;
		}
		stop = put_count(reader, row->time_ns, row->nodes);
	}
	return stop;
}

static struct kept_rows *
kept_of(struct preemption_reader *reader)
{
	return (struct kept_rows *)reader->kept;
}

static int
keep_probe(struct preemption_reader *reader)
{
	struct kept_rows *kept = kept_of(reader);
	int64_t time_ns, nodes;
	const char *reason = read_columns(reader, &time_ns, &nodes);

	if (reason) {
		return preemption_reject(reader, reason);
	}
	if (kept->n && time_ns < kept->rows[kept->n - 1].time_ns) {
		reader->first_backward =
		    reader->n_backward++ ? reader->first_backward : reader->line;
	}
	return keep(reader, kept, time_ns, nodes);
}

int
preemption_read_gcloud(struct preemption_reader *reader)
{
	struct kept_rows kept = {0};

	reader->kept = &kept;
	int result = preemption_each_row(reader, keep_probe);
	if (result == 0) {
		qsort(kept.rows, kept.n, sizeof *kept.rows, compare_rows);
		result = put_kept(reader, &kept);
	}
	free(kept.rows);
	reader->kept = NULL;
	return result ? result : preemption_count_end(reader);
}

/* ---- SkyPilot: {"metadata": {"gap_seconds": N}, "data": [...]} ---- */

struct sky {
	struct preemption_reader *reader;
	struct json *json;
	int64_t gap_ns; /* 0: not known yet */
	uint64_t n_points;
	struct kept_rows early; /* points before the gap was known; their times are ordinals */
};

/* A price is no count: available, if it is above 0. */
static bool
read_point(struct sky *sky, int64_t *nodes)
{
	double price;

	if (sky->json->is_integer) {
		return slice_int64(sky->json->text, nodes) && *nodes >= 0 && *nodes <= COUNT_MOST;
	}
	if (!slice_double(sky->json->text, &price) || price < 0) {
		return false;
	}
	sky->reader->n_prices++;
	*nodes = price > 0;
	return true;
}

static int
put_point(struct sky *sky, int64_t ordinal, int64_t nodes)
{
	int64_t time_ns;

	if (__builtin_mul_overflow(ordinal, sky->gap_ns, &time_ns) || time_ns > INT64_MAX / 4) {
		sky->reader->counts.bad_records++;
		return 0;
	}
	sky->reader->line = (uint64_t)ordinal + 1;
	sky->reader->counts.records++;
	return put_count(sky->reader, time_ns, nodes);
}

static int
take_points(struct sky *sky)
{
	struct preemption_reader *reader = sky->reader;
	enum json_token token;
	int64_t nodes;
	int stop = 0;

	while (stop == 0 && (token = json_next(sky->json)) != JSON_ARRAY_END) {
		if (token == JSON_ERROR) {
			return 0; /* seen by the caller */
		}
		int64_t ordinal = (int64_t)sky->n_points++;
		if (ordinal % 4096 == 0 && preemption_is_cancelled(reader)) {
			return -1;
		}
		if (token != JSON_NUMBER || !read_point(sky, &nodes)) {
			reader->line = sky->n_points;
			reader->offset = json_offset(sky->json);
			reader->counts.bad_records++;
			stop = preemption_problem(reader, PROBLEM_INVALID,
			                          "a value that is neither count nor price");
			if (token == JSON_ARRAY_BEGIN || token == JSON_OBJECT_BEGIN) {
				json_skip(sky->json);
			}
		} else if (sky->gap_ns) {
			stop = put_point(sky, ordinal, nodes);
		} else {
			stop = keep(reader, &sky->early, ordinal, nodes);
		}
	}
	return stop;
}

static int
put_early(struct sky *sky)
{
	int stop = 0;

	for (size_t i = 0; i < sky->early.n && stop == 0; i++) {
		stop = put_point(sky, sky->early.rows[i].time_ns, sky->early.rows[i].nodes);
	}
	sky->early.n = 0;
	return stop;
}

/* Numbers and texts of the metadata are tags of the trace; the gap is among them. */
static int
take_metadata(struct sky *sky)
{
	struct preemption_reader *reader = sky->reader;
	struct json *json = sky->json;
	struct strbuf key = {0};
	int stop = 0;

	while (stop == 0 && json_next(json) == JSON_KEY) {
		strbuf_clear(&key);
		strbuf_add(&key, json->text.ptr, json->text.len);
		enum json_token token = json_next(json);
		if (token == JSON_NUMBER && slice_is(strbuf_slice(&key), "gap_seconds")) {
			int64_t gap_ns;
			if (decimal_to_ns(json->text, NS_PER_S, &gap_ns) && gap_ns > 0) {
				sky->gap_ns = gap_ns;
			}
		}
		if (token == JSON_NUMBER || token == JSON_STRING) {
			stop = preemption_put_tag(reader, reader->pool, strbuf_slice(&key),
			                          json->text);
		} else if (token == JSON_OBJECT_BEGIN || token == JSON_ARRAY_BEGIN) {
			json_skip(json);
		} else if (token == JSON_ERROR) {
			break;
		}
	}
	strbuf_free(&key);
	return stop ? stop : put_early(sky);
}

static int
take_members(struct sky *sky)
{
	struct json *json = sky->json;
	enum json_token token = json_next(json);
	int result = 0;

	while (result == 0 && (token = json_next(json)) == JSON_KEY) {
		bool is_data = slice_is(json->text, "data"),
		     is_metadata = slice_is(json->text, "metadata");
		token = json_next(json);
		if (is_data && token == JSON_ARRAY_BEGIN) {
			result = take_points(sky);
		} else if (is_metadata && token == JSON_OBJECT_BEGIN) {
			result = take_metadata(sky);
		} else if (token == JSON_OBJECT_BEGIN || token == JSON_ARRAY_BEGIN) {
			json_skip(json);
		}
	}
	return result;
}

int
preemption_read_sky(struct preemption_reader *reader)
{
	struct json json = {0};
	struct sky sky = {.reader = reader, .json = &json};

	json_open_input(&json, reader->input, JSON_STRICT, reader->err);
	int result = take_members(&sky);
	if (result == 0 && json.error && reader->err->code != ERR_NONE) {
		result = -1;
	}
	if (result == 0 && json.error && !input_truncated(reader->input)) {
		reader->line = 0;
		reader->offset = json.error_offset;
		result = preemption_problem(reader, PROBLEM_MALFORMED, json.error);
	}
	if (result == 0 && sky.gap_ns == 0) {
		reader->line = 0;
		result =
		    preemption_problem(reader, PROBLEM_MISSING,
		                       "no gap_seconds: points are taken to be a second apart");
		sky.gap_ns = NS_PER_S;
		result = result ? result : put_early(&sky);
	}
	int64_t end_ns;
	if (sky.n_points && !__builtin_mul_overflow((int64_t)sky.n_points, sky.gap_ns, &end_ns)) {
		reader->end_ns = end_ns;
	}
	free(sky.early.rows);
	json_fini(&json);
	reader->text.len = 0;
	return result ? result : preemption_count_end(reader);
}
