/*
 * A record with times -> span, aggregated span (import_dftracer_sums.c) or counter samples.
 *
 * Every argument is kept with its JSON type, except the host and the file that became fields. Sizes
 * follow the analyzer's rule: what a POSIX function with "write" or "read" in its name (readdir is
 * none) returned, if positive; of all other records `image_size`.
 */
#include "config.h"
#include "import/import_dftracer.h"

#include <math.h>

#include "util/format.h"

static inline void
fill_number(struct arg *arg, const struct dftracer_value *value)
{
	struct slice text = dftracer_slice(value);
	bool minus_zero = text.len == 2 && text.ptr[0] == '-' && text.ptr[1] == '0';

	arg->type = ARG_INTEGER;
	if (!value->is_integer || minus_zero ||
	    !dftracer_short_integer(text.ptr, text.len, &arg->integer)) {
		import_fill_number(arg, text, value->is_integer);
	}
}

static inline void
fill_string(struct arg *arg, const struct dftracer_value *value)
{
	const char *digits = value->ptr + (value->len && value->ptr[0] == '-');
	struct slice text = dftracer_slice(value);

	arg->type = ARG_INTEGER_TEXT;
	if (value->len && (unsigned char)(*digits - '0') < 10 &&
	    (*digits != '0' || value->len == 1) &&
	    (dftracer_short_integer(value->ptr, value->len, &arg->integer) ||
	     slice_int64(text, &arg->integer))) {
		return;
	}
	arg->type = ARG_TEXT;
	arg->text = text;
}

/* The name of an argument beside a column of the same name: one that nothing else here has. */
static uint32_t
twin_key(struct dftracer_reader *reader, uint32_t key)
{
	uint64_t number = reader->parser->record.number;

	do {
		key = dftracer_args_twin(reader, key);
	} while (reader->parser->keys[key].seen[0] == number ||
	         reader->parser->keys[key].seen[1] == number);
	return key;
}

static inline void
fill(struct dftracer_reader *reader, struct arg *arg, const struct dftracer_pair *pair)
{
	const struct dftracer_value *value = &pair->value;
	uint32_t key = pair->key;

	if (pair->level == 1 &&
	    reader->parser->keys[key].seen[0] == reader->parser->record.number) {
		key = twin_key(reader, key);
	}
	arg->key = dftracer_sink_key(reader, key);
	switch ((enum dftracer_type)value->type) {
	case DFTRACER_NUMBER:
		fill_number(arg, value);
		return;
	case DFTRACER_STRING:
		fill_string(arg, value);
		return;
	case DFTRACER_TRUE:
	case DFTRACER_FALSE:
		arg->type = ARG_BOOLEAN;
		arg->integer = value->type == DFTRACER_TRUE;
		return;
	case DFTRACER_NESTED:
		arg->type = ARG_JSON;
		arg->text = dftracer_slice(value);
		return;
	case DFTRACER_NULL:
	case DFTRACER_ABSENT:
		break;
	}
	arg->type = ARG_NULL;
	arg->integer = 0;
}

static void
args_reserve(struct dftracer_reader *reader, size_t n)
{
	if (n > reader->args_capacity) {
		MEM_GROW(reader->args, reader->args_capacity, n);
	}
}

/* The path of the record; *key becomes the argument that it came from. */
static text_code
path_of(struct dftracer_reader *reader, uint32_t *key)
{
	const struct dftracer_value *value = dftracer_argument(reader->parser, KEY_FNAME);

	if (value && value->type == DFTRACER_STRING) {
		*key = KEY_FNAME;
		return dftracer_text(reader, dftracer_slice(value), NULL);
	}
	value = dftracer_argument(reader->parser, KEY_FHASH);
	if (dftracer_is_text(value)) {
		*key = KEY_FHASH;
		return dftracer_symbol(reader, 'F', value);
	}
	*key = DFTRACER_NO_KEY;
	return TEXT_NONE;
}

static inline uint32_t
host_key(const struct dftracer_reader *reader)
{
	const struct dftracer_value *value = dftracer_argument(reader->parser, KEY_HOSTNAME);

	if (value && value->type == DFTRACER_STRING) {
		return KEY_HOSTNAME;
	}
	return dftracer_is_text(dftracer_argument(reader->parser, KEY_HHASH)) ? KEY_HHASH
	                                                                      : DFTRACER_NO_KEY;
}

/* All arguments but those two, and columns that have no place elsewhere. */
static size_t
gather(struct dftracer_reader *reader, uint32_t path_key)
{
	const struct dftracer_record *record = &reader->parser->record;
	uint32_t host = host_key(reader);
	size_t n = 0;

	args_reserve(reader, record->n_pairs + DFTRACER_TOPS);
	for (size_t i = 0; i < record->n_pairs; i++) {
		const struct dftracer_pair *pair = &record->pairs[i];
		if (pair->level == 1 && (pair->key == path_key || pair->key == host)) {
			continue;
		}
		fill(reader, &reader->args[n++], pair);
	}
	return n;
}

static int64_t
size_of(struct dftracer_reader *reader, uint32_t name_flags, uint32_t category_flags)
{
	bool has_ret = dftracer_argument(reader->parser, KEY_RET) != NULL;
	uint32_t key = dftracer_size_key(name_flags, category_flags, has_ret);

	return key == DFTRACER_NO_KEY ? SIZE_NONE
	                              : dftracer_size(dftracer_argument(reader->parser, key));
}

static int
refuse(const char **reason, const char *why)
{
	*reason = why;
	return -1;
}

static int
check_times(const struct span *span, const char **reason)
{
	int64_t end;

	if (span->duration_ns < 0) {
		return refuse(reason, "the duration is negative");
	}
	if (span->start_ns == TIME_NONE ||
	    __builtin_add_overflow(span->start_ns, span->duration_ns, &end)) {
		return refuse(reason, "the time is out of range");
	}
	return 0;
}

bool
dftracer_is_valid(const struct dftracer_reader *reader)
{
	const struct dftracer_value *top = reader->parser->record.top;
	struct span span = {.start_ns = 0};
	const char *reason;

	return top[KEY_NAME].type == DFTRACER_STRING &&
	       dftracer_time(&top[KEY_TS], &span.start_ns) &&
	       (top[KEY_DUR].type == DFTRACER_ABSENT ||
	        dftracer_time(&top[KEY_DUR], &span.duration_ns)) &&
	       check_times(&span, &reason) == 0;
}

static inline text_code
category_of(struct dftracer_reader *reader, uint32_t *flags)
{
	const struct dftracer_value *cat = &reader->parser->record.top[KEY_CAT];

	*flags = 0;
	return dftracer_is_text(cat) ? dftracer_text(reader, dftracer_slice(cat), flags)
	                             : TEXT_NONE;
}

static inline void
note_time(struct dftracer_reader *reader, int64_t time_ns)
{
	if (time_ns > reader->time_max) {
		reader->time_max = time_ns;
	}
}

static int
emit_complete(struct dftracer_reader *reader, const char **reason)
{
	const struct dftracer_value *top = reader->parser->record.top;
	struct span span = {.calls = 1};
	uint32_t name_flags, category_flags, path_key;

	if (!dftracer_time(&top[KEY_TS], &span.start_ns)) {
		return refuse(reason, "ts is not a time");
	}
	if (top[KEY_DUR].type != DFTRACER_ABSENT &&
	    !dftracer_time(&top[KEY_DUR], &span.duration_ns)) {
		return refuse(reason, "dur is not a time");
	}
	if (check_times(&span, reason)) {
		return -1;
	}
	note_time(reader, span.start_ns);
	span.lane = dftracer_lane(reader, LANE_THREAD);
	dftracer_note_id(reader, span.lane, span.start_ns, span.start_ns + span.duration_ns);
	span.name = dftracer_text(reader, dftracer_slice(&top[KEY_NAME]), &name_flags);
	span.category = category_of(reader, &category_flags);
	span.path = path_of(reader, &path_key);
	span.size_bytes = size_of(reader, name_flags, category_flags);
	span.n_args = gather(reader, path_key);
	span.args = reader->args;
	int stop = sink_span(reader->sink, &span);
	if (stop == 0 && (category_flags & MEANS_DFTRACER) &&
	    (name_flags & (MEANS_START | MEANS_END))) {
		stop = dftracer_lifecycle(reader, name_flags);
	}
	return stop;
}

/* What a record says of its calls besides when their interval begins. */
static int
fill_sums(struct dftracer_reader *reader, struct span *span, struct call_totals *totals,
          const char **reason)
{
	if (!dftracer_time(&reader->parser->record.top[KEY_TS], &span->start_ns)) {
		return refuse(reason, "ts is not a time");
	}
	if (!dftracer_sum_calls(reader, &span->calls)) {
		return refuse(reason, "dft_cnt is not a number of calls");
	}
	*reason = dftracer_sum_durations(reader, span, totals);
	return *reason ? -1 : check_times(span, reason);
}

/* One record for many calls: from the start of their interval on, whose length the receiver finds.
 * If it stands for one, it is that call. */
static int
emit_aggregated(struct dftracer_reader *reader, const char **reason)
{
	struct call_totals totals = {.size_min = SIZE_NONE, .size_max = SIZE_NONE, .is_open = true};
	struct span span = {.size_bytes = SIZE_NONE};
	uint32_t name_flags, category_flags, path_key;

	if (fill_sums(reader, &span, &totals, reason)) {
		return -1;
	}
	bool is_call = span.calls == 1;
	note_time(reader, span.start_ns);
	span.totals = is_call ? NULL : &totals;
	span.lane = dftracer_lane(reader, is_call ? LANE_THREAD : LANE_AGGREGATE);
	dftracer_note_id(reader, LANE_NONE, span.start_ns, span.start_ns);
	span.name = dftracer_text(reader, dftracer_slice(&reader->parser->record.top[KEY_NAME]),
	                          &name_flags);
	span.category = category_of(reader, &category_flags);
	span.path = path_of(reader, &path_key);
	dftracer_sum_sizes(reader, name_flags, category_flags, &span, &totals);
	span.n_args = gather(reader, path_key);
	span.args = reader->args;
	if (!is_call) {
		dftracer_sum_start(reader, span.lane, span.start_ns);
		reader->counts.aggregated++;
	}
	return sink_span(reader->sink, &span);
}

static bool
counter_value(const struct dftracer_pair *pair, double *value)
{
	const struct dftracer_value *raw = &pair->value;
	struct slice text = dftracer_slice(raw);

	if (pair->level != 1 || !dftracer_is_text(raw) || pair->key == KEY_HHASH ||
	    pair->key == KEY_FHASH || pair->key == KEY_HOSTNAME || pair->key == KEY_FNAME ||
	    pair->key == KEY_P_IDX || pair->key == KEY_LEVEL) {
		return false;
	}
	if (raw->type == DFTRACER_STRING &&
	    (text.len == 0 || !((unsigned char)(text.ptr[0] - '0') < 10 || text.ptr[0] == '-'))) {
		return false; /* words that also read as numbers: nan, inf */
	}
	return slice_double(text, value) && isfinite(*value);
}

/* Columns of a counter's record that a sample has no field for become arguments. */
static size_t
counter_columns(struct dftracer_reader *reader)
{
	static const uint32_t columns[] = {KEY_CAT, KEY_TID, KEY_DUR};
	const struct dftracer_value *top = reader->parser->record.top;
	size_t n = 0;

	for (size_t i = 0; i < COUNT_OF(columns); i++) {
		if (top[columns[i]].type != DFTRACER_ABSENT) {
			struct dftracer_pair pair = {columns[i], 0, top[columns[i]]};
			reader->parser->keys[columns[i]].seen[0] = reader->parser->record.number;
			fill(reader, &reader->args[n++], &pair);
		}
	}
	return n;
}

static int
emit_counter(struct dftracer_reader *reader, const char **reason)
{
	const struct dftracer_record *record = &reader->parser->record;
	const struct dftracer_value *top = record->top;
	struct counter counter = {.time_ns = 0};
	uint32_t host = host_key(reader);
	struct strbuf name = {0};
	bool any = false;
	double value;

	if (!dftracer_time(&top[KEY_TS], &counter.time_ns) || counter.time_ns == TIME_NONE) {
		return refuse(reason, "ts is not a time");
	}
	note_time(reader, counter.time_ns);
	counter.lane = dftracer_lane(reader, LANE_COUNTER);
	dftracer_note_id(reader, LANE_NONE, counter.time_ns, counter.time_ns);
	args_reserve(reader, record->n_pairs + DFTRACER_TOPS);
	counter.n_args = counter_columns(reader);
	for (size_t i = 0; i < record->n_pairs; i++) {
		const struct dftracer_pair *pair = &record->pairs[i];
		if (counter_value(pair, &value)) {
			any = true;
		} else if (pair->level != 1 || pair->key != host) {
			fill(reader, &reader->args[counter.n_args++], pair);
		}
	}
	if (!any) {
		return refuse(reason, "a counter without a number");
	}
	counter.args = reader->args;
	int stop = 0;
	for (size_t i = 0; i < record->n_pairs && stop == 0; i++) {
		if (!counter_value(&record->pairs[i], &counter.value)) {
			continue;
		}
		struct slice key = intern_text(reader->parser->key_names, record->pairs[i].key);
		strbuf_clear(&name);
		strbuf_add_slice(&name, dftracer_slice(&top[KEY_NAME]));
		strbuf_add_char(&name, '.');
		strbuf_add_slice(&name, key);
		counter.name = sink_text(reader->sink, strbuf_slice(&name));
		stop = sink_counter(reader->sink, &counter);
	}
	strbuf_free(&name);
	return stop;
}

int
dftracer_emit(struct dftracer_reader *reader, const char **reason)
{
	const struct dftracer_value *top = reader->parser->record.top;
	const struct dftracer_value *ph = &top[KEY_PH];
	char kind = 'X';

	*reason = NULL;
	if (top[KEY_NAME].type != DFTRACER_STRING) {
		return refuse(reason, "no name");
	}
	if (dftracer_is_text(ph)) {
		kind = ph->len == 1 ? ph->ptr[0] : '?';
		reader->facts->marks |= ph->type == DFTRACER_NUMBER ? MARK_NUMERIC_PH : 0;
	} else if (ph->type != DFTRACER_ABSENT && ph->type != DFTRACER_NULL) {
		kind = '?';
	}
	switch (kind) {
	case 'X':
	case '1':
		return emit_complete(reader, reason);
	case 'C':
	case '2':
		return !dftracer_argument(reader->parser, KEY_DFT_CNT)
		           ? emit_counter(reader, reason)
		           : emit_aggregated(reader, reason);
	case 'A':
	case '3':
		return emit_aggregated(reader, reason);
	case 'M':
	case '4':
		return dftracer_metadata(reader, false, reason);
	case 'H':
		reader->facts->marks |= MARK_PH_H;
		return dftracer_metadata(reader, true, reason);
	default:
		return refuse(reason, "an unknown kind of record (ph)");
	}
}
