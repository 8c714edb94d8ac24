/*
 * Traces that count instances: how many there are (node, asg, p3counts, gcloud, steps, sky), how
 * many went or came (terminate, found, additions). Rows are sorted by time; of equal times the
 * later row is the state.
 *
 * A terminate trace may forget to advance the date at midnight. A row that has the date of the row
 * before, and a time earlier by more than rows stand out of order, is of the next day, and so are
 * all that follow.
 */
#include "config.h"
#include "import/import_preemption.h"

#include <inttypes.h>
#include <stdio.h>

#include "util/date.h"
#include "util/format.h"
#include "util/intervals.h"
#include "util/order.h"

#define NS_PER_S INT64_C(1000000000)
#define NS_PER_DAY (86400 * NS_PER_S)
#define DISORDER_MOST                                                                              \
	(3600 * NS_PER_S) /* rows that are earlier than the one before by less are out of order */

static const char bad_time[] = "the time is none";
static const char bad_count[] = "the count is not a whole number from 0 up";

/* ---- the columns of each form ---- */

static const char *
read_columns(struct preemption_reader *reader, int64_t *time_ns, int64_t *nodes)
{
	const struct slice *fields = reader->fields;
	size_t n = strlen(preemption_shapes[reader->form].columns), time_column = 0;
	int64_t clock_ns = 0;
	bool is_time;

	switch (reader->form) {
	case FORM_GCLOUD:
		is_time = date_day_ns(fields[0], time_ns) && date_clock_ns(fields[1], &clock_ns);
		reader->has_local_times = true;
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
		is_time = date_time_ns(fields[time_column], time_ns);
		reader->has_local_times =
		    reader->has_local_times || date_lacks_zone(fields[time_column]);
		break;
	}
	if (!is_time || *time_ns > INT64_MAX / 4 || *time_ns < INT64_MIN / 4) {
		return bad_time;
	}
	*time_ns += clock_ns;
	if (!preemption_count(fields[n - 1], nodes) || *nodes < 0 ||
	    *nodes > PREEMPTION_NODES_MOST) {
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

int
preemption_put_count(struct preemption_reader *reader, int64_t time_ns, int64_t nodes,
                     struct slice more)
{
	if (reader->before_ns != TIME_NONE) {
		note_change(reader, time_ns, nodes - reader->before_nodes);
	}
	reader->max_nodes = MOST(nodes, reader->max_nodes);
	preemption_note_time(reader, time_ns);
	int stop = preemption_put_capacity(reader, time_ns, nodes, more);
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
put_change(struct preemption_reader *reader, int64_t time_ns, int64_t nodes, struct slice more)
{
	struct preemption_facts *facts = reader->facts;

	preemption_note_time(reader, time_ns);
	facts->digest = preemption_digest(facts->digest, time_ns, nodes);
	if (reader->form == FORM_ADDITIONS) {
		facts->added += nodes;
		return preemption_put_change(reader, time_ns, -nodes, more);
	}
	facts->lost += nodes;
	return preemption_put_change(reader, time_ns, nodes, more);
}

/* Adds the days that the date was not advanced by. */
static int
advance_date(struct preemption_reader *reader, int64_t *time_ns)
{
	int64_t recorded_ns = *time_ns;
	int stop = 0;

	if (reader->before_ns != TIME_NONE && reader->before_ns - recorded_ns >= DISORDER_MOST &&
	    recorded_ns / NS_PER_DAY == reader->before_ns / NS_PER_DAY) {
		reader->shift_ns += NS_PER_DAY;
		stop = preemption_note(
		    reader, reader->line,
		    "row %" PRIu64 ": the time is earlier than the row before, as the "
		    "date was not advanced after midnight: a day is added from here on",
		    reader->counts.records + 1);
	}
	reader->before_ns = recorded_ns;
	*time_ns = time_add(recorded_ns, reader->shift_ns);
	return stop;
}

int
preemption_count_row(struct preemption_reader *reader)
{
	int64_t time_ns, nodes;
	int stop = 0;
	const char *reason = read_columns(reader, &time_ns, &nodes);

	if (reason) {
		return preemption_reject(reader, reason);
	}
	switch (reader->form) {
	case FORM_TERMINATE:
		stop = advance_date(reader, &time_ns);
		reader->put = put_change;
		break;
	case FORM_ADDITIONS:
	case FORM_FOUND:
		reader->put = put_change;
		break;
	default:
		reader->put = preemption_put_count;
		break;
	}
	return stop ? stop : preemption_keep(reader, time_ns, nodes, strbuf_slice(&reader->more));
}

/* "full-64": a group of 64, by its name. A region ("us-east-1") and a date end in a number, too. */
static int64_t
size_in_name(const char *pool)
{
	static const char *const words[] = {"full", "half",    "small", "large", "group",
	                                    "pool", "cluster", "fleet", "asg",   "size",
	                                    "max",  "nodes",   "n"};
	const char *dash = strrchr(pool, '-'), *word = dash;
	int64_t size;

	while (word && word > pool && word[-1] != '-' && word[-1] != '_' && word[-1] != '.') {
		word--;
	}
	if (!dash || !slice_int64(slice_of(dash + 1), &size) || size <= 0) {
		return INT64_MAX;
	}
	for (size_t i = 0; i < COUNT_OF(words); i++) {
		if (slice_is_anycase((struct slice){word, (size_t)(dash - word)}, words[i])) {
			return size;
		}
	}
	return INT64_MAX;
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
	int stop = preemption_put_kept(reader);

	stop = stop ? stop : preemption_tell_order(reader);
	if (stop == 0 && reader->n_equal && reader->form == FORM_GCLOUD) {
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
