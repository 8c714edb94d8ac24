/*
 * One event of a Chrome trace, by its phase: complete events become spans, begins and ends go to be
 * matched, counters become one sample for each series, flow events points to be linked, metadata
 * names; everything else that has a time is an event with its phase among its arguments, phases
 * nobody knows included.
 */
#include "config.h"
#include "import/import_chrome.h"

#include <math.h>

#include "util/intervals.h"

#define CANCEL_EVERY 4096u

/* ---- spans ---- */

static struct slice
field_text(const struct chrome_reader *reader, enum chrome_field field)
{
	const struct chrome_value *value = &reader->record->fields[field];

	return chrome_is_word(value) ? chrome_text(value) : (struct slice){"", 0};
}

static text_code
name_code(struct chrome_reader *reader)
{
	return chrome_code(reader, &reader->record->fields[CHROME_NAME]);
}

static text_code
category_code(struct chrome_reader *reader)
{
	return field_text(reader, CHROME_CAT).len
	           ? chrome_code(reader, &reader->record->fields[CHROME_CAT])
	           : TEXT_NONE;
}

/* Which operation of which process an identifier means: "P:ID" where it is one process's own. */
static void
put_id(struct chrome_reader *reader, struct strbuf *out)
{
	const struct chrome_value *fields = reader->record->fields;
	enum chrome_field field = fields[CHROME_ID2_LOCAL].type    ? CHROME_ID2_LOCAL
	                          : fields[CHROME_ID2_GLOBAL].type ? CHROME_ID2_GLOBAL
	                                                           : CHROME_ID;
	struct slice id = field_text(reader, field), scope = field_text(reader, CHROME_SCOPE);

	if (field == CHROME_ID2_LOCAL) {
		strbuf_printf(out, "%u:", chrome_process_of(reader, &fields[CHROME_PID]));
	}
	strbuf_add_slice(out, id);
	if (scope.len) {
		strbuf_add_char(out, '\0');
		strbuf_add_slice(out, scope);
	}
}

static bool
is_true(const struct chrome_value *value)
{
	return value->type == CHROME_TRUE;
}

static struct chrome_binding
binding_of(struct chrome_reader *reader)
{
	const struct chrome_value *fields = reader->record->fields;
	struct chrome_binding binding = {.flow = INTERN_NONE,
	                                 .in = is_true(&fields[CHROME_FLOW_IN]),
	                                 .out = is_true(&fields[CHROME_FLOW_OUT])};
	struct slice id = field_text(reader, CHROME_BIND_ID), nothing = {"", 0};

	if (id.len && (binding.in || binding.out)) {
		binding.flow = chrome_flow_id(reader, 'v', nothing, nothing, id);
	}
	return binding;
}

/* LANE_THREAD: the category does not say. */
static enum lane_kind
kind_of_category(struct slice category)
{
	static const struct {
		const char *category;
		enum lane_kind kind;
	} kinds[] = {{"Trace", LANE_SUMMARY},          {"gpu_user_annotation", LANE_ANNOTATION},
	             {"cuda_sync", LANE_ANNOTATION},   {"kernel", LANE_DEVICE},
	             {"gpu_memcpy", LANE_DEVICE},      {"gpu_memset", LANE_DEVICE},
	             {"mtia_ccp_events", LANE_DEVICE}, {"Kernel", LANE_DEVICE},
	             {"Memcpy", LANE_DEVICE},          {"Memset", LANE_DEVICE}};
	size_t place = NAME_FIND(category, kinds);

	return place < COUNT_OF(kinds) ? kinds[place].kind : LANE_THREAD;
}

static enum lane_kind
lane_kind_of(struct chrome_reader *reader, uint32_t thread)
{
	uint8_t *known = &reader->known.kinds[reader->record->fields[CHROME_CAT].repeat];

	if (*known == UINT8_MAX || reader->record->fields[CHROME_CAT].repeat == 0) {
		*known = (uint8_t)kind_of_category(field_text(reader, CHROME_CAT));
	}
	enum lane_kind kind = (enum lane_kind) * known;
	if (chrome_is_recording(reader, thread)) {
		return LANE_SUMMARY;
	}
	return kind == LANE_THREAD && chrome_is_device(reader, thread) ? LANE_DEVICE : kind;
}

/* How many calls a sum of clang's stands for; 0: it is none. */
static int64_t
summed_calls(struct chrome_reader *reader)
{
	struct slice name = field_text(reader, CHROME_NAME);
	int64_t calls;

	if (!slice_starts_with(name, "Total ")) {
		return 0;
	}
	const struct chrome_value *count = chrome_argument(reader->record, "count");
	if (!count || !chrome_argument(reader->record, "avg ms") || !chrome_is_word(count) ||
	    !slice_int64(chrome_text(count), &calls) || calls < 0) {
		return 0;
	}
	reader->marks |= CHROME_MARK_CLANG;
	return calls;
}

static int64_t
copied_bytes(const struct chrome_reader *reader)
{
	const struct chrome_value *bytes = chrome_argument(reader->record, "bytes");
	int64_t size;

	if (!bytes || !chrome_is_word(bytes)) {
		return SIZE_NONE;
	}
	struct slice text = chrome_text(bytes);
	if (!slice_int64(text, &size)) {
		return slice_is_above_int64(text) ? SIZE_TOO_LARGE : SIZE_NONE;
	}
	return size >= 0 ? size : SIZE_NONE;
}

static int
emit_complete(struct chrome_reader *reader, struct span *span)
{
	const struct chrome_value *dur = &reader->record->fields[CHROME_DUR];
	uint32_t thread = chrome_thread_of(reader);
	enum lane_kind kind = lane_kind_of(reader, thread);
	struct chrome_binding binding = binding_of(reader);

	bool is_timed = reader->record->has_dur;
	span->duration_ns = is_timed ? reader->record->dur_ns : 0;
	chrome_gather_args(reader);
	if (!is_timed && chrome_is_word(dur) && chrome_text(dur).len > 0) {
		reader->chrome_counts.odd_durations++;
		chrome_fill(chrome_place_member(reader, slice_of("dur")), dur);
	} else {
		reader->chrome_counts.no_duration += !is_timed;
	}
	span->order.begin = reader->number;
	if (span->duration_ns < 0) {
		reader->chrome_counts.negative_durations++;
		span->duration_ns = 0;
		chrome_fill(chrome_place_member(reader, slice_of("dur")), dur);
	}
	bool is_own = reader->threads[thread].is_own;
	int64_t calls = is_own ? 0 : summed_calls(reader);
	bool is_total = calls > 0;
	if (is_own) {
		chrome_own_span(reader, span);
	} else if (is_total) { /* the number stays an argument: the duration is that of no call */
		reader->counts.aggregated++;
	} else if (kind == LANE_DEVICE) {
		span->size_bytes = copied_bytes(reader);
	}
	span->lane = is_total ? chrome_process_lane(
				    reader, chrome_process_of_thread(reader, thread), LANE_SUMMARY)
	                      : chrome_thread_lane(reader, thread, kind);
	span->name = name_code(reader);
	span->category = category_code(reader);
	span->args = reader->args;
	span->n_args = reader->n_args;
	return chrome_give_span(reader, span, is_total ? INTERN_NONE : thread, &binding);
}

static int
emit_begin(struct chrome_reader *reader, int64_t time_ns, bool is_begin)
{
	uint32_t thread = chrome_thread_of(reader);
	struct chrome_begin begin = {.time_ns = time_ns,
	                             .thread = thread,
	                             .is_begin = is_begin,
	                             .phase = is_begin ? 'B' : 'E',
	                             .is_named = field_text(reader, CHROME_NAME).len > 0,
	                             .binding = binding_of(reader)};

	chrome_gather_args(reader);
	begin.lane = chrome_thread_lane(reader, thread, lane_kind_of(reader, thread));
	begin.name = name_code(reader);
	begin.category = category_code(reader);
	return chrome_nest_add(reader, &begin);
}

/* ---- instants ---- */

/* phase: 0 where the kind of event goes without saying. */
static int
give_event(struct chrome_reader *reader, int64_t time_ns, uint32_t lane, char phase)
{
	struct slice name = field_text(reader, CHROME_NAME), frame = field_text(reader, CHROME_SF);
	struct event event = {.time_ns = time_ns, .lane = lane, .category = category_code(reader)};

	chrome_gather_args(reader);
	if (phase) {
		struct arg *arg = chrome_place_member(reader, slice_of("ph"));
		arg->type = ARG_TEXT;
		arg->text = (struct slice){&phase, 1};
	}
	event.name =
	    name.len == 0 && frame.len ? chrome_frame_name(reader, frame) : name_code(reader);
	event.args = reader->args;
	event.n_args = reader->n_args;
	return sink_event(reader->sink, &event);
}

static int
emit_instant(struct chrome_reader *reader, int64_t time_ns, char phase)
{
	uint32_t thread = chrome_thread_of(reader);
	uint32_t lane = chrome_thread_lane(reader, thread, lane_kind_of(reader, thread));

	return give_event(reader, time_ns, lane, phase == 'i' || phase == 'I' ? 0 : phase);
}

static int
emit_async(struct chrome_reader *reader, int64_t time_ns, char phase)
{
	bool is_nestable = phase == 'b' || phase == 'n' || phase == 'e';
	struct slice category = field_text(reader, CHROME_CAT),
		     name = field_text(reader, CHROME_NAME);
	uint32_t process = chrome_process_of(reader, &reader->record->fields[CHROME_PID]);
	uint32_t lane = chrome_async_lane(reader, process, category);

	if (phase == 'n' || phase == 'T' || phase == 'p') {
		return give_event(reader, time_ns, lane, phase);
	}
	struct strbuf track = {0};
	strbuf_add_char(&track, is_nestable ? 'n' : 'o');
	strbuf_add(&track, &category.len, sizeof category.len);
	strbuf_add_slice(&track, category);
	if (!is_nestable) {
		strbuf_add(&track, &name.len, sizeof name.len);
		strbuf_add_slice(&track, name);
	}
	put_id(reader, &track);
	struct chrome_begin begin = {.time_ns = time_ns,
	                             .thread = INTERN_NONE,
	                             .track = strbuf_slice(&track),
	                             .lane = lane,
	                             .is_begin = phase == 'b' || phase == 'S',
	                             .phase = phase,
	                             .is_named = is_nestable && name.len > 0,
	                             .binding = {.flow = INTERN_NONE}};
	chrome_gather_args(reader);
	begin.name = name_code(reader);
	begin.category = category_code(reader);
	int stop = chrome_nest_add(reader, &begin);
	strbuf_free(&track);
	return stop;
}

static int
emit_flow(struct chrome_reader *reader, int64_t time_ns, char phase)
{
	struct strbuf id = {0};

	put_id(reader, &id);
	uint32_t flow = chrome_flow_id(reader, 'f', field_text(reader, CHROME_CAT),
	                               field_text(reader, CHROME_NAME), strbuf_slice(&id));
	strbuf_free(&id);
	struct chrome_exact exact;
	bool is_exact = chrome_own_flow(reader, &exact);
	chrome_flow_point(reader, flow, phase, chrome_thread_of(reader), time_ns,
	                  phase == 'f' && !slice_is(field_text(reader, CHROME_BP), "e"),
	                  is_exact ? &exact : NULL);
	return 0;
}

/* ---- counters ---- */

/* What a series is called: the counter's name, its id, and the key unless that says no more. */
static void
name_series(const struct chrome_reader *reader, struct slice key, struct strbuf *out)
{
	struct slice name = field_text(reader, CHROME_NAME), id = field_text(reader, CHROME_ID);

	strbuf_clear(out);
	strbuf_add_slice(out, name);
	if (id.len) {
		strbuf_add_char(out, '[');
		strbuf_add_slice(out, id);
		strbuf_add_char(out, ']');
	}
	if (out->len == 0 || !(slice_is(key, "value") || slice_equal(key, name))) {
		strbuf_add_text(out, out->len ? "." : "");
		strbuf_add_slice(out, key);
	}
}

static int
emit_counters(struct chrome_reader *reader, int64_t time_ns)
{
	struct chrome_record *record = reader->record;
	struct counter counter = {.time_ns = time_ns};
	uint32_t process = chrome_process_of(reader, &record->fields[CHROME_PID]);
	uint32_t which = chrome_thread_of(reader); /* which may move the others */
	const struct chrome_thread *thread = &reader->threads[which];
	struct strbuf name = {0};
	int stop = 0;

	chrome_mark_repeated(record);
	for (size_t i = 0; i < record->n_pairs && stop == 0; i++) {
		const struct chrome_pair *pair = &record->pairs[i];
		if (pair->is_member || pair->is_repeated) {
			continue;
		}
		if (!chrome_is_word(&pair->value) ||
		    !slice_double(chrome_text(&pair->value), &counter.value) ||
		    !isfinite(counter.value)) {
			reader->chrome_counts.no_number++;
			continue;
		}
		counter.lane = thread->is_own ? thread->lane
		                              : chrome_process_lane(reader, process, LANE_COUNTER);
		counter.name = thread->is_own ? name_code(reader) : TEXT_NONE;
		if (counter.name == TEXT_NONE) {
			name_series(reader, chrome_text(&pair->key), &name);
			counter.name = sink_text(reader->sink, strbuf_slice(&name));
		}
		stop = sink_counter(reader->sink, &counter);
	}
	strbuf_free(&name);
	return stop;
}

/* ---- all ---- */

static int
emit_timed(struct chrome_reader *reader, char phase, int64_t time_ns)
{
	struct span span = {
	    .start_ns = time_ns, .path = TEXT_NONE, .size_bytes = SIZE_NONE, .calls = 1};

	switch (phase) {
	case 'X':
		return emit_complete(reader, &span);
	case 'B':
	case 'E':
		return emit_begin(reader, time_ns, phase == 'B');
	case 'b':
	case 'n':
	case 'e':
	case 'S':
	case 'T':
	case 'p':
	case 'F':
		return emit_async(reader, time_ns, phase);
	case 's':
	case 't':
	case 'f':
		return emit_flow(reader, time_ns, phase);
	case 'C':
		return emit_counters(reader, time_ns);
	default:
		return emit_instant(reader, time_ns, phase);
	}
}

/* A sample that names no process is of the only one there is. */
static void
adopt_sample(struct chrome_reader *reader)
{
	struct chrome_value *pid = &reader->record->fields[CHROME_PID];

	if (pid->type == CHROME_ABSENT && intern_count(reader->process_keys) == 1 &&
	    reader->processes[0].id.type != IDENT_NONE) {
		struct slice key = intern_text(reader->process_keys, 0);
		*pid = (struct chrome_value){
		    .type = CHROME_STRING, .text = key.ptr, .len = (uint32_t)key.len};
	}
}

static void
count_phase(struct chrome_reader *reader, struct slice phase)
{
	if (phase.len == 1) {
		reader->chrome_counts.phases[(unsigned char)phase.ptr[0]]++;
	} else if (phase.len) {
		bool is_rare = phase.len > CHROME_PHASE_BYTES ||
		               (intern_count(reader->phase_names) >= CHROME_PHASES - 1 &&
		                intern_find(reader->phase_names, phase) == INTERN_NONE);
		struct slice name = is_rare ? slice_of("(others)") : phase;
		reader->long_phases[intern_id(reader->phase_names, name)]++;
	}
}

/* 0, or what the sink said. *reason is set where the event makes no sense. */
static int
emit(struct chrome_reader *reader, bool is_sample, const char **reason)
{
	struct slice phase = field_text(reader, CHROME_PH);

	*reason = NULL;
	if (is_sample) {
		phase = slice_of("P");
		reader->chrome_counts.samples++;
		adopt_sample(reader);
	} else {
		uint32_t thread = chrome_thread_of(reader);
		reader->threads[thread].has_events = true;
		reader->processes[chrome_process_of_thread(reader, thread)].has_events = true;
		chrome_mark_event(reader);
		count_phase(reader, phase);
	}
	if (phase.len == 0) {
		*reason = "an event without a phase (ph)";
		return 0;
	}
	if (phase.ptr[0] == 'M' && phase.len == 1) {
		reader->counts.metadata++;
		return chrome_metadata(reader);
	}
	if (!reader->record->has_ts) {
		bool is_absent = reader->record->fields[CHROME_TS].type == CHROME_ABSENT;
		*reason = is_absent ? "an event without a time (ts)"
		                    : "a time (ts) that is no number, or out of range";
		return 0;
	}
	int64_t time_ns = time_add(reader->record->ts_ns, reader->own_start_ns);
	if (time_ns <= -TIME_LIMIT || time_ns >= TIME_LIMIT) {
		*reason = "a time (ts) that is out of range, counted from the trace's start";
		return 0;
	}
	chrome_note_time(reader, time_ns);
	return emit_timed(reader, phase.len == 1 ? phase.ptr[0] : '?', time_ns);
}

int
chrome_begin_event(struct chrome_reader *reader, uint64_t offset)
{
	reader->number++;
	reader->offset = offset;
	reader->sink->record = reader->number;
	reader->sink->offset = offset;
	return reader->number % CANCEL_EVERY == 0 && cancel_requested(reader->cancel)
	           ? err_set(reader->err, ERR_CANCELLED, "cancelled")
	           : 0;
}

int
chrome_take(struct chrome_reader *reader, const struct chrome_parser *parser,
            struct chrome_record *record, uint64_t offset, bool is_sample)
{
	const char *reason;

	if (chrome_begin_event(reader, offset)) {
		return -1;
	}
	record->pairs = chrome_pairs(parser, record);
	reader->record = record;
	reader->chrome_counts.cut += record->is_cut;
	reader->chrome_counts.odd_args += record->has_odd_args;
	int stop = emit(reader, is_sample, &reason);
	if (reason) {
		reader->counts.bad_records++;
		return chrome_problem(reader, PROBLEM_INVALID, reason);
	}
	reader->counts.records++;
	return stop ? 1 : 0;
}
