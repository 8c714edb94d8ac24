/*
 * Records that stand for many calls: their number, what these took together, each and at least the
 * longest, and their bytes.
 *
 * A field is told as sum, minimum and maximum, or as the one value that it had in all calls. What
 * is missing is not known and no reason to lose the rest; but what contradicts itself, and calls of
 * which nobody says how long they took, are told once a source.
 *
 * The starts of a process's records give the length of their intervals. Where all are the same one,
 * nothing does (import_dftracer_facts.c tells); this notes what is needed for that.
 */
#include "config.h"
#include "import/import_dftracer.h"

#include <inttypes.h>

/* The members of a record for one field of its calls: its sum, or what never varied. */
struct field_keys {
	uint32_t plain, sum, min, max;
};

/* A field's figures; what the record does not tell, or tells wrongly, is `none`. */
struct field_sums {
	int64_t sum, min, max;
	bool is_contradictory;
};

static const struct field_keys duration_keys = {KEY_DUR, KEY_DUR_SUM, KEY_DUR_MIN, KEY_DUR_MAX};

static bool
field_value(struct dftracer_reader *reader, uint32_t key, bool is_time, int64_t *value)
{
	const struct dftracer_value *found = dftracer_argument(reader->parser, key);

	return found && (is_time ? dftracer_time(found, value) : dftracer_integer(found, value));
}

/* The least and the greatest of a field whose sum is known. Calls that failed have negative
 * sizes. */
static void
read_extremes(struct dftracer_reader *reader, const struct field_keys *keys, bool is_time,
              struct field_sums *out)
{
	const int64_t none = INT64_MIN;
	bool has_min = field_value(reader, keys->min, is_time, &out->min),
	     has_max = field_value(reader, keys->max, is_time, &out->max);

	out->is_contradictory = (has_min && has_max && out->min > out->max) ||
	                        (is_time && has_min && out->min < 0) ||
	                        (has_max && out->max > out->sum && (is_time || out->min >= 0));
	if (!has_min || !has_max || out->min < 0 || out->min > out->max || out->max > out->sum) {
		out->min = out->max = none;
	}
}

/* False: they leave 64 bits. */
static bool
read_field(struct dftracer_reader *reader, const struct field_keys *keys, bool is_time,
           int64_t calls, struct field_sums *out)
{
	const int64_t none = INT64_MIN;

	*out = (struct field_sums){none, none, none, false};
	if (field_value(reader, keys->sum, is_time, &out->sum)) {
		read_extremes(reader, keys, is_time, out);
		return true;
	}
	if (field_value(reader, keys->plain, is_time, &out->min)) {
		out->max = out->min;
		return !__builtin_mul_overflow(out->min, calls, &out->sum);
	}
	return true;
}

bool
dftracer_sum_calls(struct dftracer_reader *reader, int64_t *calls)
{
	const struct dftracer_value *count = dftracer_argument(reader->parser, KEY_DFT_CNT);
	struct field_sums sums;

	if (count) {
		return dftracer_integer(count, calls) && *calls > 0;
	}
	*calls = 1;
	if (!dftracer_argument(reader->parser, KEY_DUR_SUM) ||
	    !read_field(reader, &duration_keys, true, 1, &sums) || sums.max <= 0) {
		return true;
	}
	*calls = sums.sum / sums.max + (sums.sum % sums.max != 0);
	*calls = *calls < 2 && sums.min != sums.max ? 2 : *calls;
	return true;
}

/* The first of these in the source, and how many. */
static void
note_first(const struct dftracer_reader *reader, struct dftracer_doubt *doubt, int64_t calls)
{
	if (doubt->n_records++ == 0) {
		doubt->line = reader->at.number;
		doubt->offset = reader->at.offset;
	}
	if (__builtin_add_overflow(doubt->n_calls, calls, &doubt->n_calls)) {
		doubt->n_calls = INT64_MAX;
	}
}

void
dftracer_sum_sizes(struct dftracer_reader *reader, uint32_t name_flags, uint32_t category_flags,
                   struct span *span, struct call_totals *totals)
{
	static const struct field_keys fields[] = {
	    {KEY_RET, KEY_RET_SUM, KEY_RET_MIN, KEY_RET_MAX},
	    {KEY_IMAGE_SIZE, KEY_IMAGE_SIZE_SUM, KEY_IMAGE_SIZE_MIN, KEY_IMAGE_SIZE_MAX}};
	bool has_ret = dftracer_argument(reader->parser, KEY_RET) ||
	               dftracer_argument(reader->parser, KEY_RET_SUM);
	uint32_t key = dftracer_size_key(name_flags, category_flags, has_ret);
	struct field_sums sums;

	const struct field_keys *field = &fields[key == KEY_IMAGE_SIZE];
	if (key == DFTRACER_NO_KEY) {
		return;
	}
	if (!read_field(reader, field, false, span->calls, &sums) ||
	    dftracer_size(dftracer_argument(reader->parser, field->sum)) == SIZE_TOO_LARGE ||
	    dftracer_size(dftracer_argument(reader->parser, field->plain)) == SIZE_TOO_LARGE) {
		span->size_bytes = SIZE_TOO_LARGE;
		return;
	}
	if (sums.is_contradictory) {
		note_first(reader, &reader->contradictory, span->calls);
	}
	if (sums.sum <= 0) {
		return;
	}
	span->size_bytes = sums.sum;
	if (sums.min > 0) { /* else some have no size, and the others' smallest is not told */
		totals->size_min = sums.min;
		totals->size_max = sums.max;
	}
}

/* As read; NULL, or why they make no sense. */
static const char *
read_durations(struct dftracer_reader *reader, int64_t calls, struct field_sums *sums)
{
	const struct dftracer_value *sum = dftracer_argument(reader->parser, KEY_DUR_SUM);
	const struct dftracer_value *plain = dftracer_argument(reader->parser, KEY_DUR);
	const struct dftracer_value *top = &reader->parser->record.top[KEY_DUR];
	int64_t unread;

	if ((sum && !dftracer_time(sum, &unread)) ||
	    (!sum && plain && !dftracer_time(plain, &unread)) ||
	    !read_field(reader, &duration_keys, true, calls, sums)) {
		return "dur is not a time";
	}
	if (sums->sum == TIME_NONE && top->type != DFTRACER_ABSENT) {
		if (!dftracer_time(top, &sums->min) ||
		    __builtin_mul_overflow(sums->min, calls, &sums->sum)) {
			return "dur is not a time";
		}
		sums->max = sums->min;
	}
	return sums->sum != TIME_NONE && sums->sum < 0 ? "the duration is negative" : NULL;
}

const char *
dftracer_sum_durations(struct dftracer_reader *reader, struct span *span,
                       struct call_totals *totals)
{
	struct field_sums sums;
	const char *reason = read_durations(reader, span->calls, &sums);

	if (reason) {
		return reason;
	}
	if (sums.sum == TIME_NONE && span->calls > 1) {
		note_first(reader, &reader->untold, span->calls);
	}
	if (sums.is_contradictory) {
		note_first(reader, &reader->contradictory, span->calls);
	}
	totals->sum_ns = sums.sum == TIME_NONE ? 0 : sums.sum;
	totals->min_ns = sums.min;
	totals->max_ns = sums.max;
	span->duration_ns = span->calls == 1        ? totals->sum_ns
	                    : sums.max != TIME_NONE ? sums.max
	                                            : totals->sum_ns / span->calls;
	return NULL;
}

void
dftracer_sum_start(struct dftracer_reader *reader, uint32_t lane, int64_t start_ns)
{
	struct dftracer_facts *facts = reader->facts;
	const struct dftracer_value *host = dftracer_argument(reader->parser, KEY_HOSTNAME);
	bool is_name = host && host->type == DFTRACER_STRING;
	int64_t pid;

	if (lane != reader->sums_lane || reader->sums_process >= facts->n_processes) {
		host = is_name ? host : dftracer_argument(reader->parser, KEY_HHASH);
		struct slice name =
		    dftracer_is_text(host) ? dftracer_slice(host) : (struct slice){0};
		if (!dftracer_integer(&reader->parser->record.top[KEY_PID], &pid)) {
			return; /* named by a text, of which no facts are kept */
		}
		struct dftracer_process *found = dftracer_facts_process(facts, name, !is_name, pid);
		reader->sums_process = (size_t)(found - facts->processes);
		reader->sums_lane = lane;
	}
	struct dftracer_process *process = &facts->processes[reader->sums_process];
	process->has_grid |= process->n_sums > 0 && process->sums_start_ns != start_ns;
	process->sums_start_ns = start_ns;
	process->n_sums++;
}

static int
report_doubt(struct dftracer_reader *reader, const struct dftracer_doubt *doubt, const char *what,
             const char *consequence)
{
	struct problem problem = {
	    .kind = PROBLEM_SUSPICIOUS, .record = doubt->line, .offset = doubt->offset};
	struct strbuf reason = {0};

	if (doubt->n_records == 0) {
		return 0;
	}
	strbuf_printf(&reason,
	              "%" PRIu64 " record%s for %" PRId64 " calls (the first here) tell%s %s: %s",
	              doubt->n_records, doubt->n_records == 1 ? "" : "s", doubt->n_calls,
	              doubt->n_records == 1 ? "s" : "", what, consequence);
	return import_tell(reader->sink, &problem, &reason);
}

int
dftracer_report_sums(struct dftracer_reader *reader)
{
	int stop = report_doubt(reader, &reader->untold, "no durations",
	                        "in sums and means of time these calls count as 0 ns");

	return stop ? stop
	            : report_doubt(reader, &reader->contradictory,
	                           "a minimum and a maximum that contradict each other or "
	                           "the sum",
	                           "these two are taken as not known");
}

int64_t
dftracer_size(const struct dftracer_value *value)
{
	int64_t size;

	if (!value || !dftracer_is_text(value)) {
		return SIZE_NONE;
	}
	if (!dftracer_integer(value, &size)) {
		return slice_is_above_int64(dftracer_slice(value)) ? SIZE_TOO_LARGE : SIZE_NONE;
	}
	return size > 0 ? size : SIZE_NONE;
}

uint32_t
dftracer_size_key(uint32_t name_flags, uint32_t category_flags, bool has_ret)
{
	if ((category_flags & MEANS_POSIX) && has_ret) {
		return name_flags & (MEANS_WRITE | MEANS_READ) ? KEY_RET : DFTRACER_NO_KEY;
	}
	return KEY_IMAGE_SIZE;
}
