/*
 * Is it a Chrome trace? What reads them passes over what is broken, so what recognises them does,
 * too: up to some dozen members of the list are looked at, and behind a broken one that goes on at
 * what looks like the next.
 *
 * What writes a trace to its standard output may have put lines of its own above it ("Warning:
 * ..."): the trace begins at the first line that begins like one.
 *
 * A list of other records must not be taken for one, nor an object that holds no list of events.
 * Where the bytes end before that is known (the list may stand behind megabytes of metadata, the
 * first event may be as long) the answer is a claim that any other format's beats, and that more
 * bytes may settle.
 */
#include "config.h"
#include "import/import_chrome.h"

#include "util/ascii.h"
#include "util/order.h"

#define SNIFF_OBJECTS 20u
#define SNIFF_MEMBERS 1000u /* objects or not */

/* How sure. Those of lists stay below what has marks of its own. */
enum {
	SURE_OBJECT = 97,
	SURE_EVENTS = 70,
	SURE_EMPTY = 20,
	WEAK_OBJECT = 50, /* members as around events */
	WEAK_EVENT = 40   /* an event, as far as it goes */
};

/* What an event was found to have. */
enum {
	HAS_PHASE,
	HAS_NAME,
	HAS_CATEGORY,
	HAS_TIME,
	HAS_DURATION,
	HAS_PROCESS,
	HAS_THREAD,
	HAS_ARGS,
	HAS_NOTHING
};

struct chrome_sniff {
	struct strbuf bytes;
	struct json json;
	unsigned members;               /* of the list, looked at */
	unsigned events, parts, others; /* whole events, parts of events, other objects */
	bool is_closed;                 /* the list ended */
};

static bool
is_phase(struct slice text)
{
	static const char letters[] = "XBEiIRCbneSTpFstfNODMPcVv=()";

	return text.len == 1 && text.ptr[0] && strchr(letters, text.ptr[0]);
}

static unsigned
bit_of(struct json *json)
{
	static const char *const keys[HAS_NOTHING] = {"ph",  "name", "cat", "ts",
	                                              "dur", "pid",  "tid", "args"};

	for (unsigned i = 0; i < HAS_NOTHING; i++) {
		if (slice_is(json->text, keys[i])) {
			return 1u << i;
		}
	}
	return 0;
}

/* A whole event tells its phase, and a process, a time or a name. */
static bool
is_event(unsigned found)
{
	return found & 1u << HAS_PHASE &&
	       found & (1u << HAS_TIME | 1u << HAS_PROCESS | 1u << HAS_NAME);
}

/* Of a part two members will do, but for the name that anything may have. */
static bool
is_part(unsigned found)
{
	found &= ~(1u << HAS_NAME);
	return (found & (found - 1)) != 0;
}

/* An object of the list, whose { was read: counted. False if it does not end well. */
static bool
look_at_event(struct chrome_sniff *sniff)
{
	struct json *json = &sniff->json;
	unsigned depth = json->depth, found = 0;

	for (;;) {
		enum json_token token = json_next(json);
		if (token == JSON_OBJECT_END && json->depth < depth) {
			sniff->events += is_event(found);
			sniff->others += !is_event(found);
			return true;
		}
		unsigned bit = token == JSON_KEY ? bit_of(json) : 0;
		token = token == JSON_KEY ? json_next(json) : token;
		if (token != JSON_ERROR &&
		    (bit != 1u << HAS_PHASE || (token == JSON_STRING && is_phase(json->text)))) {
			found |= bit;
		}
		if (json_skip(json) == JSON_ERROR) {
			sniff->parts += is_part(found);
			return false;
		}
	}
}

/* Goes on behind what is broken, at an object that stands behind "}," : as with a list of its
 * own. */
static bool
find_event(struct chrome_sniff *sniff)
{
	char *end = sniff->bytes.data + sniff->bytes.len - INPUT_PADDING;
	char *at = sniff->bytes.data + (sniff->json.start - sniff->bytes.data) +
	           sniff->json.error_offset; /* in the bytes that are being read */
	char *comma = NULL;
	bool is_closed = false;

	for (; at < end; at++) {
		if (*at == '{' && comma) {
			*comma = '[';
			json_begin(&sniff->json, (struct slice){comma, (size_t)(end - comma)},
			           CHROME_JSON_FLAGS & ~JSON_CONCATENATED);
			return json_next(&sniff->json) == JSON_ARRAY_BEGIN;
		}
		if (*at == ',' && is_closed) {
			comma = at;
			is_closed = false;
		} else if (*at != ' ' && *at != '\n' && *at != '\r' && *at != '\t') {
			is_closed = *at == '}';
			comma = NULL;
		}
	}
	return false;
}

/* The members of the list, whose [ was read. False: a record a line, no list. */
static bool
look_at_list(struct chrome_sniff *sniff)
{
	struct json *json = &sniff->json;

	while (sniff->members < SNIFF_MEMBERS &&
	       sniff->events + sniff->parts + sniff->others < SNIFF_OBJECTS) {
		enum json_token token = json_next(json);
		if (token == JSON_ARRAY_END) {
			sniff->is_closed = true;
			break;
		}
		bool is_good = token == JSON_OBJECT_BEGIN ? look_at_event(sniff)
		                                          : json_skip(json) != JSON_ERROR;
		if (!is_good && sniff->members == 1 && json->depth == 1 &&
		    strncmp(json->error, "neither comma", 13) == 0) {
			return false;
		}
		if (!is_good && !find_event(sniff)) {
			break;
		}
		sniff->members++;
	}
	return true;
}

static int
sniff_list(struct chrome_sniff *sniff)
{
	if (!look_at_list(sniff)) {
		return 0;
	}
	if (sniff->is_closed && sniff->members == 0) {
		return json_next(&sniff->json) == JSON_END ? SURE_EMPTY : 0;
	}
	if (sniff->events) {
		return sniff->events >= sniff->others ? SURE_EVENTS : 0;
	}
	if (sniff->parts) {
		return sniff->parts >= sniff->others ? -WEAK_EVENT : 0;
	}
	bool has_all = sniff->is_closed || sniff->members >= SNIFF_MEMBERS || sniff->others > 1;
	return has_all ? 0 : SNIFF_UNDECIDED;
}

static int
sniff_object(struct json *json)
{
	static const char *const typical[] = {
	    "otherData",         "displayTimeUnit",        "schemaVersion",   "deviceProperties",
	    "stackFrames",       "viztracer_metadata",     "distributedInfo", "beginningOfTime",
	    "systemTraceEvents", "controllerTraceDataKey", "file_info"};
	int score = SNIFF_UNDECIDED;

	int more;
	while ((more = json_member(json)) > 0) {
		enum json_token token;
		if (slice_is(json->text, "traceEvents")) {
			token = json_next(json);
			return token == JSON_ARRAY_BEGIN || token == JSON_OBJECT_BEGIN ? SURE_OBJECT
			                                                               : 0;
		}
		int claim = SNIFF_UNDECIDED;
		for (size_t i = 0; i < COUNT_OF(typical); i++) {
			claim = slice_is(json->text, typical[i]) ? -WEAK_OBJECT : claim;
		}
		token = json_next(json);
		score = token != JSON_ERROR && claim != SNIFF_UNDECIDED ? claim : score;
		if (json_skip(json) == JSON_ERROR) {
			return score;
		}
	}
	return more == 0 ? 0 : score; /* 0: without a list of events */
}

static bool
is_filler(char c)
{
	return is_blank(c) || c == '\0';
}

/* {", [{ or [ at the end of a line: what a line of a log does not begin with. */
static bool
is_beginning(struct slice text)
{
	size_t i = 1;

	if (text.len < 2 || (text.ptr[0] != '{' && text.ptr[0] != '[')) {
		return false;
	}
	bool is_object = text.ptr[0] == '{';
	while (i < text.len && is_filler(text.ptr[i])) {
		i++;
	}
	return i < text.len && text.ptr[i] == (is_object ? '"' : '{');
}

size_t
chrome_begin(struct slice head)
{
	size_t first = 0;

	head.len = LEAST(head.len, CHROME_PREAMBLE);
	while (first < head.len && is_filler(head.ptr[first])) {
		first++;
	}
	if (first == head.len || head.ptr[first] == '{' || head.ptr[first] == '[') {
		return 0;
	}
	for (size_t i = first; i < head.len;) {
		const char *newline = memchr(head.ptr + i, '\n', head.len - i);
		if (!newline) {
			break;
		}
		i = (size_t)(newline + 1 - head.ptr);
		if (is_beginning(slice_from(head, i))) {
			return i;
		}
	}
	return 0;
}

/* The head of our own, with what readers of text need behind it, and without the NULs that are
 * passed over. */
static void
copy_head(struct strbuf *bytes, struct slice head)
{
	static const char zeros[INPUT_PADDING];

	strbuf_add_slice(bytes, head);
	for (size_t i = 0; i < head.len; i++) {
		bytes->data[i] = bytes->data[i] ? bytes->data[i] : ' ';
	}
	strbuf_add(bytes, zeros, sizeof zeros);
}

int
chrome_sniff(struct slice head, const char *file_name)
{
	struct chrome_sniff sniff = {.members = 0};
	int score = 0;

	(void)file_name;
	head = slice_behind_mark(head);
	size_t begin = chrome_begin(head);
	head = slice_from(head, begin);
	copy_head(&sniff.bytes, head);
	json_begin(&sniff.json, (struct slice){sniff.bytes.data, head.len},
	           CHROME_JSON_FLAGS & ~JSON_CONCATENATED);
	enum json_token token = json_next(&sniff.json);
	if (token == JSON_ARRAY_BEGIN) {
		score = sniff_list(&sniff);
	} else if (token == JSON_OBJECT_BEGIN) {
		score = sniff_object(&sniff.json);
	}
	json_fini(&sniff.json);
	strbuf_free(&sniff.bytes);
	return score;
}
