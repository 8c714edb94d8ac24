/*
 * What surrounds the events of a Chrome trace: facts about the recording, which become tags; stack
 * frames and samples; and what the whole says about the program that wrote it.
 *
 * The metadata may be most of a file (source texts, system logs), so a value longer than anyone
 * reads is told by its length only.
 */
#include "config.h"
#include "import/import_chrome.h"

#include <stdio.h>

#include "util/format.h"
#include "util/intervals.h"

#define VALUE_LIMIT ((size_t)8 << 10)
#define MEMBERS_LIMIT 256u
#define EVENTS_LOOKED_AT 2000u
/* Times below are counted from the start of something, above since 1970 (this is 1973, in ns). */
#define WALL_CLOCK_MIN_NS INT64_C(100000000000000000)
/* Dates at which traces are recorded: from 2000 to 2100. */
#define DATE_MIN_NS INT64_C(946684800000000000)
#define DATE_MAX_NS INT64_C(4102444800000000000)

/* ---- members ---- */

static int
malformed(struct chrome_reader *reader, bool *is_malformed)
{
	*is_malformed = true;
	return reader->err->code != ERR_NONE ? -1 : 0;
}

/* Members that tell when on the wall clock the trace's time 0 was: PyTorch's base, VizTracer's (of
 * a monotonic clock), clang's start, Bazel's. */
static void
note_clock(struct chrome_reader *reader, struct slice key, struct slice value)
{
	static const struct {
		const char *key;
		int64_t unit_ns;
	} clocks[] = {{"baseTimeNanoseconds", 1},
	              {"viztracer_metadata.baseTimeNanoseconds", 1},
	              {"beginningOfTime", 1000},
	              {"otherData.profile_start_ts", 1000000}};

	for (size_t i = 0; i < COUNT_OF(clocks); i++) {
		int64_t ns;
		if (slice_is(key, clocks[i].key) && decimal_to_ns(value, clocks[i].unit_ns, &ns) &&
		    ns > 0 && ns < TIME_LIMIT) {
			reader->counts.has_wall_offset = true;
			reader->counts.wall_offset_ns = ns;
		}
	}
}

/* The text of the value that `token` begins, as a tag. 0, 1 the sink stopped, 2 malformed. */
static int
tag_value(struct chrome_reader *reader, struct slice key, enum json_token token)
{
	static const char *const words[] = {
	    [CHROME_TRUE] = "true", [CHROME_FALSE] = "false", [CHROME_NULL] = "null"};
	struct chrome_value value;

	if (chrome_read_value(&reader->parser, token, VALUE_LIMIT, &value)) {
		return 2;
	}
	struct slice text = chrome_text(&value);
	if (value.type == CHROME_TRUE || value.type == CHROME_FALSE || value.type == CHROME_NULL) {
		text = slice_of(words[value.type]);
	}
	note_clock(reader, key, text);
	chrome_own_about(reader, key, text);
	struct strbuf copy = {0};
	if (text.len > VALUE_LIMIT) {
		strbuf_printf(&copy, "%zu bytes, too long to keep", text.len);
		text = strbuf_slice(&copy);
	}
	int stop = chrome_tag(reader, NULL, key, text) != 0;
	strbuf_free(&copy);
	return stop;
}

/* An object, member by member: "otherData.version". */
static int
tag_members(struct chrome_reader *reader, struct slice key)
{
	struct json *json = &reader->parser.json;
	struct strbuf name = {0};
	unsigned n = 0;
	int result = 0, more = 1;

	while (result == 0 && (more = json_member(json)) > 0) {
		strbuf_clear(&name);
		strbuf_add_slice(&name, key);
		strbuf_add_char(&name, '.');
		strbuf_add_slice(&name, json->text);
		enum json_token token = json_next(json);
		chrome_parser_clear(&reader->parser);
		if (++n <= MEMBERS_LIMIT) {
			result = tag_value(reader, strbuf_slice(&name), token);
		} else if (json_skip(json) == JSON_ERROR) {
			result = 2;
		}
	}
	strbuf_free(&name);
	return more < 0 ? 2 : result;
}

static void
mark_member(struct chrome_reader *reader, struct slice key)
{
	static const struct {
		const char *key;
		uint32_t mark;
	} signs[] = {{"schemaVersion", CHROME_MARK_PYTORCH},
	             {"deviceProperties", CHROME_MARK_PYTORCH},
	             {"distributedInfo", CHROME_MARK_PYTORCH},
	             {"baseTimeNanoseconds", CHROME_MARK_PYTORCH},
	             {"beginningOfTime", CHROME_MARK_CLANG},
	             {"viztracer_metadata", CHROME_MARK_VIZTRACER},
	             {"controllerTraceDataKey", CHROME_MARK_CHROME},
	             {"clientInfo", CHROME_MARK_CHROME},
	             {"powerTraceAsString", CHROME_MARK_CHROME},
	             {"systemTraceEvents", CHROME_MARK_CHROME}};

	for (size_t i = 0; i < COUNT_OF(signs); i++) {
		reader->marks |= slice_is(key, signs[i].key) ? signs[i].mark : 0;
	}
}

/* Texts of the program and recordings of other tools, long and of no use in a tag. */
static const char *const passed_over[] = {"file_info", "systemTraceEvents", "powerTraceAsString"};
#define SYSTEM_EVENTS 1 /* its place there: Fuchsia's names are used */
#define SOURCE_TEXTS 1u /* bit of file_info, which is no recording */

static bool
holds_something(const struct json *json, enum json_token token)
{
	return token == JSON_OBJECT_BEGIN || token == JSON_ARRAY_BEGIN ||
	       (token == JSON_STRING && json->text.len > 0);
}

/* Recordings of the system that the trace brings along. */
static int
tell_passed_over(struct chrome_reader *reader)
{
	char reason[160];
	int stop = 0;

	for (size_t i = 0; i < COUNT_OF(passed_over) && stop == 0; i++) {
		if ((reader->passed_over & ~SOURCE_TEXTS) >> i & 1) {
			snprintf(reason, sizeof reason,
			         "%s is passed over%s: it holds what the system recorded, in a "
			         "form that "
			         "is not read",
			         passed_over[i],
			         i == SYSTEM_EVENTS && reader->has_system_names
			             ? " but for its names"
			             : "");
			stop = chrome_problem(reader, PROBLEM_SUSPICIOUS, reason);
		}
	}
	return stop;
}

int
chrome_about(struct chrome_reader *reader, struct slice key, bool *is_malformed)
{
	struct json *json = &reader->parser.json;
	bool is_system = false;
	int result = 0;

	mark_member(reader, key);
	chrome_parser_clear(&reader->parser);
	json_open_input(json, reader->input, CHROME_JSON_FLAGS, reader->err);
	enum json_token token = json_next(json);
	for (size_t i = 0; i < COUNT_OF(passed_over); i++) {
		if (slice_is(key, passed_over[i])) {
			reader->passed_over |= holds_something(json, token) ? 1u << i : 0;
			is_system = i == SYSTEM_EVENTS && token == JSON_OBJECT_BEGIN;
			key.len = 0;
		}
	}
	reader->has_system_names |= is_system;
	if (is_system ? !chrome_system_names(reader)
	              : token == JSON_ERROR || (key.len == 0 && json_skip(json) == JSON_ERROR)) {
		return malformed(reader, is_malformed);
	}
	if (key.len) {
		result = token == JSON_OBJECT_BEGIN ? tag_members(reader, key)
		                                    : tag_value(reader, key, token);
	}
	return result == 2 || (result == 0 && json_next(json) != JSON_END)
	           ? malformed(reader, is_malformed)
	           : result;
}

/* ---- stack frames ---- */

#define FRAME_SCOPE "stack frame"

static void
put_frame(struct strbuf *out, struct slice id)
{
	strbuf_add_text(out, "frame ");
	strbuf_add_slice(out, id);
}

text_code
chrome_frame_name(struct chrome_reader *reader, struct slice id)
{
	struct strbuf symbol = {0};

	put_frame(&symbol, id);
	text_code code =
	    reader->sink->symbol(reader->sink->user, slice_of(FRAME_SCOPE), strbuf_slice(&symbol));
	strbuf_free(&symbol);
	return code;
}

/* The members of one frame: its name is what its id stands for. */
static bool
read_frame(struct chrome_reader *reader, const struct strbuf *symbol)
{
	struct json *json = &reader->parser.json;

	int more;
	while ((more = json_member(json)) > 0) {
		bool is_name = slice_is(json->text, "name");
		if (json_next(json) == JSON_STRING && is_name) {
			reader->sink->define(reader->sink->user, slice_of(FRAME_SCOPE),
			                     strbuf_slice(symbol), json->text);
		} else if (json_skip(json) == JSON_ERROR) {
			return false;
		}
	}
	return more == 0;
}

int
chrome_stack_frames(struct chrome_reader *reader, bool *is_malformed)
{
	struct json *json = &reader->parser.json;
	struct strbuf symbol = {0};
	json_open_input(json, reader->input, CHROME_JSON_FLAGS, reader->err);
	bool is_object = json_next(json) == JSON_OBJECT_BEGIN;
	bool good = is_object || json_skip(json) != JSON_ERROR;
	int more = 0;
	while (good && is_object && (more = json_member(json)) > 0) {
		strbuf_clear(&symbol);
		put_frame(&symbol, json->text);
		good = json_next(json) == JSON_OBJECT_BEGIN ? read_frame(reader, &symbol)
		                                            : json_skip(json) != JSON_ERROR;
	}
	strbuf_free(&symbol);
	return good && more == 0 && json_next(json) == JSON_END ? 0
	                                                        : malformed(reader, is_malformed);
}

/* ---- the dialect ---- */

static uint32_t
mark_category(struct slice category)
{
	static const struct {
		const char *start;
		uint32_t mark;
	} signs[] = {{"cpu_op", CHROME_MARK_PYTORCH},
	             {"cuda_runtime", CHROME_MARK_PYTORCH},
	             {"Operator", CHROME_MARK_PYTORCH},
	             {"build phase marker", CHROME_MARK_BAZEL},
	             {"action processing", CHROME_MARK_BAZEL},
	             {"general information", CHROME_MARK_BAZEL},
	             {"FEE", CHROME_MARK_VIZTRACER},
	             {"fee", CHROME_MARK_VIZTRACER},
	             {"DataFlow", CHROME_MARK_TENSORFLOW},
	             {"worker_idle", CHROME_MARK_RAY},
	             {"task:", CHROME_MARK_RAY},
	             {"disabled-by-default-devtools", CHROME_MARK_DEVTOOLS},
	             {"devtools.timeline", CHROME_MARK_DEVTOOLS},
	             {"__metadata", CHROME_MARK_CHROME},
	             {"toplevel", CHROME_MARK_CHROME},
	             {"webkit", CHROME_MARK_CHROME},
	             {"cc", CHROME_MARK_CHROME},
	             {"renderer", CHROME_MARK_CHROME}};

	for (size_t i = 0; i < COUNT_OF(signs); i++) {
		if (slice_starts_with(category, signs[i].start)) {
			return signs[i].mark;
		}
	}
	return 0;
}

void
chrome_mark_event(struct chrome_reader *reader)
{
	const struct chrome_record *record = reader->record;
	const struct chrome_value *ts = &record->fields[CHROME_TS];

	if (reader->number > EVENTS_LOOKED_AT) {
		return;
	}
	if (record->fields[CHROME_CAT].type == CHROME_STRING) {
		reader->marks |= mark_category(chrome_text(&record->fields[CHROME_CAT]));
	}
	if (record->fields[CHROME_NAME].type == CHROME_STRING) {
		struct slice name = chrome_text(&record->fields[CHROME_NAME]);
		reader->marks |= slice_is(name, "ExecuteCompiler") ? CHROME_MARK_CLANG : 0;
	}
	reader->marks |= ts->type == CHROME_STRING ? CHROME_MARK_HERMES : 0;
}

static const char *
chrome_dialect(const struct chrome_reader *reader)
{
	static const struct {
		uint32_t mark;
		const char *name;
	} names[] = {{CHROME_MARK_LANESCOPE, "lanescope"},   {CHROME_MARK_PYTORCH, "pytorch"},
	             {CHROME_MARK_BAZEL, "bazel"},           {CHROME_MARK_CLANG, "clang"},
	             {CHROME_MARK_VIZTRACER, "viztracer"},   {CHROME_MARK_UFTRACE, "uftrace"},
	             {CHROME_MARK_TENSORFLOW, "tensorflow"}, {CHROME_MARK_RAY, "ray"},
	             {CHROME_MARK_DEVTOOLS, "devtools"},     {CHROME_MARK_HERMES, "hermes"},
	             {CHROME_MARK_CHROME, "chrome"}};

	for (size_t i = 0; i < COUNT_OF(names); i++) {
		if (reader->marks & names[i].mark) {
			return names[i].name;
		}
	}
	return "generic";
}

/* ---- at the end ---- */

/* Does the base lead to a date? One of another clock, or of none, does not. */
static bool
tells_date(const struct source_facts *counts)
{
	int64_t start_ns = time_add(counts->first_ns, counts->wall_offset_ns);

	return counts->has_wall_offset && counts->is_timed && start_ns >= DATE_MIN_NS &&
	       start_ns < DATE_MAX_NS;
}

static int
tag_number(struct chrome_reader *reader, const char *key, uint64_t number)
{
	char text[32];

	snprintf(text, sizeof text, "%llu", (unsigned long long)number);
	return chrome_tag(reader, NULL, slice_of(key), slice_of(text));
}

static int
tag_counts(struct chrome_reader *reader)
{
	const struct chrome_counts *counts = &reader->chrome_counts;
	uint64_t processes = 0, threads = 0;
	char key[32];
	int stop = chrome_tag(reader, NULL, slice_of("form"),
	                      slice_of(reader->is_object ? "object" : "array"));

	for (unsigned i = 0; i < 256 && stop == 0; i++) {
		if (counts->phases[i]) {
			snprintf(key, sizeof key,
			         i >= 0x20 && i < 0x7f ? "phase %c" : "phase \\x%02x", i);
			stop = tag_number(reader, key, counts->phases[i]);
		}
	}
	for (uint32_t i = 0; i < intern_count(reader->phase_names) && stop == 0; i++) {
		struct strbuf longer = {0};
		struct slice name = intern_text(reader->phase_names, i);
		strbuf_add_text(&longer, "phase ");
		strbuf_add_slice(&longer, name);
		stop = tag_number(reader, longer.data, reader->long_phases[i]);
		strbuf_free(&longer);
	}
	if (counts->samples && stop == 0) {
		stop = tag_number(reader, "samples", counts->samples);
	}
	for (uint32_t i = 0; i < intern_count(reader->process_keys); i++) {
		processes += reader->processes[i].has_events;
	}
	for (uint32_t i = 0; i < intern_count(reader->thread_keys); i++) {
		threads += reader->threads[i].has_events;
	}
	stop = stop ? stop : tag_number(reader, "processes", processes);
	return stop ? stop : tag_number(reader, "threads", threads);
}

int
chrome_report(struct chrome_reader *reader)
{
	const struct chrome_counts *counts = &reader->chrome_counts;
	const struct {
		uint64_t n;
		enum problem_kind kind;
		const char *what;
	} reports[] = {
	    {counts->no_duration, PROBLEM_SUSPICIOUS,
	     "complete events have no duration: taken as 0"},
	    {counts->odd_durations, PROBLEM_SUSPICIOUS,
	     "complete events have a duration that is no time: taken as 0, kept as argument dur"},
	    {counts->negative_durations, PROBLEM_SUSPICIOUS,
	     "complete events have a negative duration: taken as 0"},
	    {counts->unmatched_begins, PROBLEM_MISSING,
	     "begins have no end: spans until the end of the trace, marked unfinished"},
	    {counts->unmatched_ends, PROBLEM_MISSING, "ends have no begin: kept as events"},
	    {counts->open_async, PROBLEM_MISSING,
	     "asynchronous operations have no end: spans until the end of the trace, "
	     "marked unfinished"},
	    {counts->unmatched_async, PROBLEM_MISSING,
	     "ends of asynchronous operations have no begin: kept as events"},
	    {counts->given_up, PROBLEM_SUSPICIOUS,
	     "of the oldest begins were not matched with their ends: too many are open at once"},
	    {counts->late, PROBLEM_SUSPICIOUS,
	     "begins and ends stand so far behind their time that they may be matched wrongly"},
	    {counts->no_number, PROBLEM_SUSPICIOUS, "values of counters are no numbers: left out"},
	    {counts->cut, PROBLEM_SUSPICIOUS, "events have more or longer arguments than are kept"},
	    {counts->odd_args, PROBLEM_SUSPICIOUS,
	     "events have arguments that are no object: kept as \"args\""},
	    {counts->not_objects, PROBLEM_SUSPICIOUS,
	     "members of the list of events are no objects: passed over"},
	    {counts->holes, PROBLEM_MALFORMED, "runs of NUL bytes: holes in the file"}};
	char reason[160];
	int stop = tag_counts(reader);

	stop = stop ? stop : tell_passed_over(reader);
	for (size_t i = 0; i < COUNT_OF(reports) && stop == 0; i++) {
		if (reports[i].n) {
			snprintf(reason, sizeof reason, "%llu %s", (unsigned long long)reports[i].n,
			         reports[i].what);
			stop = chrome_problem(reader, reports[i].kind, reason);
		}
	}
	bool is_wall = reader->counts.is_timed && reader->counts.last_ns >= WALL_CLOCK_MIN_NS;
	bool is_steady = reader->marks & (CHROME_MARK_CHROME | CHROME_MARK_DEVTOOLS);
	reader->counts.clock = is_wall ? CLOCK_WALL : is_steady ? CLOCK_STEADY : CLOCK_RELATIVE;
	if (reader->has_own_clock) {
		reader->counts.clock = reader->own_clock;
	}
	reader->counts.has_wall_offset = !is_wall && tells_date(&reader->counts);
	reader->counts.dialect = chrome_dialect(reader);
	return stop;
}
