/*
 * Traces that lanescope wrote itself (export/chrome.c) come back as the runs they were: otherData
 * says when time 0 was, each thread which lane it is, ends of flows which span they mean, and the
 * argument "lanescope" of a span what it had beside its arguments.
 */
#include "config.h"
#include "import/import_chrome.h"
#include "util/order.h"

#define PRODUCER "lanescope "
/* Spans that stand before their parent nest behind all others of their times, by depth. */
#define OWN_DEPTHS (UINT64_C(1) << 62)

/* We wrote it. */
static bool
chrome_is_own(const struct chrome_reader *reader)
{
	return reader->marks & CHROME_MARK_LANESCOPE;
}

void
chrome_own_about(struct chrome_reader *reader, struct slice key, struct slice value)
{
	static const struct {
		const char *name;
		enum clock_type clock;
	} clocks[] = {
	    {"wall", CLOCK_WALL}, {"monotonic", CLOCK_STEADY}, {"relative", CLOCK_RELATIVE}};
	int64_t ns;

	if (reader->number > 0) {
		return; /* too late: events were read without it */
	}
	if (slice_is(key, "otherData.producer") && value.len > sizeof PRODUCER - 1 &&
	    memcmp(value.ptr, PRODUCER, sizeof PRODUCER - 1) == 0) {
		reader->marks |= CHROME_MARK_LANESCOPE;
	}
	if (!chrome_is_own(reader)) {
		return;
	}
	if (slice_is(key, "otherData.start_ns") && slice_int64(value, &ns) && ns > -TIME_LIMIT &&
	    ns < TIME_LIMIT) {
		reader->own_start_ns = ns;
	}
	for (size_t i = 0; i < COUNT_OF(clocks); i++) {
		if (slice_is(key, "otherData.clock") && slice_is(value, clocks[i].name)) {
			reader->own_clock = clocks[i].clock;
			reader->has_own_clock = true;
		}
	}
}

/* ---- lanes ---- */

static struct ident
own_ident(struct chrome_reader *reader, const char *name)
{
	const struct chrome_value *value = chrome_argument(reader->record, name);
	struct ident ident = {.type = IDENT_NONE};

	if (value && value->type == CHROME_NUMBER &&
	    slice_int64(chrome_text(value), &ident.integer)) {
		ident.type = IDENT_INTEGER;
	} else if (value && value->type == CHROME_STRING) {
		ident.type = IDENT_TEXT;
		ident.text = chrome_code(reader, value);
	}
	return ident;
}

static text_code
own_text(struct chrome_reader *reader, const char *name)
{
	const struct chrome_value *value = chrome_argument(reader->record, name);

	return value ? chrome_code(reader, value) : TEXT_NONE;
}

uint32_t
chrome_own_lane(struct chrome_reader *reader)
{
	const struct chrome_value *kind = chrome_argument(reader->record, "kind");
	struct lane lane = {.host = own_text(reader, "host"),
	                    .process = own_ident(reader, "process"),
	                    .thread = own_ident(reader, "thread"),
	                    .name = own_text(reader, "name")};

	enum lane_kind named = kind ? lane_kind_named(chrome_text(kind)) : LANE_KINDS;

	lane.kind = named != LANE_KINDS ? named : lane.kind;
	return chrome_is_own(reader) ? sink_lane(reader->sink, &lane) : LANE_NONE;
}

/* ---- spans ---- */

bool
chrome_is_own_argument(const struct chrome_reader *reader, const struct chrome_pair *pair)
{
	return chrome_is_own(reader) && !pair->is_member && pair->value.type == CHROME_NESTED &&
	       slice_is(chrome_text(&pair->key), "lanescope");
}

/* What a record that stands for many calls tells of them. */
static void
own_total(struct chrome_reader *reader, struct slice key, int64_t number, struct span *span)
{
	struct call_totals *totals = &reader->own_totals;

	if (slice_is(key, "call_sum")) {
		totals->sum_ns = number;
		span->totals = totals;
	} else if (slice_is(key, "call_min")) {
		totals->min_ns = number;
	} else if (slice_is(key, "call_max")) {
		totals->max_ns = number;
	} else if (slice_is(key, "size_min")) {
		totals->size_min = number;
	} else if (slice_is(key, "size_max")) {
		totals->size_max = number;
	}
}

static void
own_member(struct chrome_reader *reader, struct slice key, enum json_token token,
           struct slice value, struct span *span)
{
	int64_t number;

	if (token == JSON_STRING && slice_is(key, "path")) {
		span->path = sink_text(reader->sink, value);
	}
	if (token != JSON_NUMBER || !slice_int64(value, &number)) {
		return;
	}
#define READ_BACK(field, name, member, none)                                                       \
	if (slice_is(key, name)) {                                                                 \
		span->member = number;                                                             \
	}
	SPAN_NUMBERS(READ_BACK)
	span->calls = MOST(span->calls, 1);
	if (slice_is(key, "depth")) {
		span->order.begin = OWN_DEPTHS + (uint64_t)(number & UINT16_MAX);
	} else if (number >= 0) {
		own_total(reader, key, number, span);
	}
}

void
chrome_own_span(struct chrome_reader *reader, struct span *span)
{
	static const char padding[INPUT_PADDING];
	const struct chrome_value *value = chrome_argument(reader->record, "lanescope");
	struct strbuf *copy = &reader->own_text, key = {0};
	struct json *json = &reader->own_json;
	enum json_token token;

	if (!value || value->type != CHROME_NESTED) {
		return;
	}
	reader->own_totals = (struct call_totals){
	    .min_ns = TIME_NONE, .max_ns = TIME_NONE, .size_min = SIZE_NONE, .size_max = SIZE_NONE};
	strbuf_clear(copy);
	strbuf_add(copy, value->text, value->len);
	strbuf_add(copy, padding, sizeof padding);
	json_begin(json, (struct slice){copy->data, value->len}, CHROME_JSON_FLAGS);
	if (json_next(json) == JSON_OBJECT_BEGIN) {
		while (json_next(json) == JSON_KEY) {
			strbuf_clear(&key);
			strbuf_add_slice(&key, json->text);
			token = json_next(json);
			own_member(reader, strbuf_slice(&key), token, json->text, span);
			if (json_skip(json) == JSON_ERROR) {
				break;
			}
		}
	}
	strbuf_free(&key);
}

/* ---- flows ---- */

bool
chrome_own_flow(struct chrome_reader *reader, struct chrome_exact *exact)
{
	const struct chrome_value *duration = chrome_argument(reader->record, "dur");

	exact->name = own_text(reader, "name");
	return chrome_is_own(reader) && duration && chrome_is_word(duration) &&
	       chrome_time(chrome_text(duration), &exact->duration_ns);
}
