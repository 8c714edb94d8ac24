/*
 * Records about the trace itself: what hashes stand for (HH host, FH file, SH other strings), facts
 * about processes and threads (PR, CM, process_name, thread_name and the entity records EH, ET,
 * ER), and the start and end of each process.
 *
 * Facts become tags of "process PID". A start record names its command and executable by hashes of
 * strings that an SH record defined before; they become the tags "command" and "executable".
 */
#include "config.h"
#include "import/import_dftracer.h"

#include "util/json_text.h"

static int
emit_tag(struct dftracer_reader *reader, struct slice scope, struct slice key, struct slice value)
{
	return sink_tag_texts(reader->sink, sink_text(reader->sink, scope), key, value);
}

static void
remember_string(struct dftracer_reader *reader, struct slice hash, struct slice text)
{
	uint32_t id = intern_id(reader->strings, hash);
	uint32_t text_id = intern_id(reader->strings, text);
	size_t count = intern_count(reader->strings), old = reader->string_texts_capacity;

	if (count > old) {
		MEM_GROW(reader->string_texts, reader->string_texts_capacity, count);
		for (size_t i = old; i < reader->string_texts_capacity; i++) {
			reader->string_texts[i] = INTERN_NONE;
		}
	}
	if (reader->string_texts[id] == INTERN_NONE) {
		reader->string_texts[id] = text_id;
	}
}

static int
define_hash(struct dftracer_reader *reader, char class, const struct dftracer_value *hash,
            const struct dftracer_value *text, const char **reason)
{
	if (!dftracer_is_text(hash) || !dftracer_is_text(text)) {
		*reason = "a hash record without its hash or text";
		return -1;
	}
	dftracer_define(reader, class, dftracer_slice(hash), dftracer_slice(text));
	if (class == 'H') {
		dftracer_facts_host_name(reader->facts, dftracer_slice(hash), dftracer_slice(text));
	} else if (class == 'S') {
		remember_string(reader, dftracer_slice(hash), dftracer_slice(text));
	}
	return 0;
}

static void
add_json_value(struct strbuf *out, const struct dftracer_value *value)
{
	static const char *const words[] = {
	    [DFTRACER_ABSENT] = "null",
	    [DFTRACER_NULL] = "null",
	    [DFTRACER_TRUE] = "true",
	    [DFTRACER_FALSE] = "false",
	};

	switch ((enum dftracer_type)value->type) {
	case DFTRACER_NUMBER:
	case DFTRACER_NESTED:
		strbuf_add_slice(out, dftracer_slice(value));
		return;
	case DFTRACER_STRING:
		json_add_text_as(out, dftracer_slice(value), JSON_TEXT_KEPT);
		return;
	default:
		strbuf_add_text(out, words[value->type]);
	}
}

/* All arguments but the host as a JSON object: for records with fields of their own. */
static void
add_json_args(struct dftracer_reader *reader, struct strbuf *out)
{
	const struct dftracer_record *record = &reader->parser->record;
	char separator = '{';

	for (size_t i = 0; i < record->n_pairs; i++) {
		const struct dftracer_pair *pair = &record->pairs[i];
		if (pair->level != 1 || pair->key == KEY_HHASH) {
			continue;
		}
		struct slice key = intern_text(reader->parser->key_names, pair->key);
		strbuf_add_char(out, separator);
		json_add_text_as(out, key, JSON_TEXT_KEPT);
		strbuf_add_char(out, ':');
		add_json_value(out, &pair->value);
		separator = ',';
	}
	if (separator == '{') {
		strbuf_add_char(out, '{');
	}
	strbuf_add_char(out, '}');
}

/* Arguments beside host, name and value. */
static bool
has_own_fields(const struct dftracer_reader *reader)
{
	for (size_t i = 0; i < reader->parser->record.n_pairs; i++) {
		const struct dftracer_pair *pair = &reader->parser->record.pairs[i];
		if (pair->level == 1 && pair->key != KEY_HHASH && pair->key != KEY_NAME &&
		    pair->key != KEY_VALUE) {
			return true;
		}
	}
	return false;
}

static int
tag_fact(struct dftracer_reader *reader, struct slice record_name)
{
	const struct dftracer_value *name = dftracer_argument(reader->parser, KEY_NAME);
	const struct dftracer_value *value = dftracer_argument(reader->parser, KEY_VALUE);
	bool process_name = slice_is(record_name, "process_name");
	bool thread_name = slice_is(record_name, "thread_name");
	struct strbuf scope = {0}, text = {0};
	struct slice key = record_name;
	int64_t rank;

	dftracer_process_scope(reader, &scope);
	if ((process_name || thread_name) && dftracer_is_text(name)) {
		if (thread_name && dftracer_is_text(&reader->parser->record.top[KEY_TID])) {
			struct slice tid = dftracer_slice(&reader->parser->record.top[KEY_TID]);
			strbuf_add_text(&scope, " thread ");
			strbuf_add_slice(&scope, tid);
		}
		strbuf_add_slice(&text, dftracer_slice(name));
	} else if (dftracer_is_text(name) && value && !has_own_fields(reader)) {
		key = dftracer_slice(name);
		if (value->type == DFTRACER_STRING) {
			strbuf_add_slice(&text, dftracer_slice(value));
		} else {
			add_json_value(&text, value);
		}
		if (slice_is(record_name, "PR") && slice_is(key, "rank") &&
		    dftracer_integer(value, &rank) && rank >= 0) {
			dftracer_facts_rank(reader->facts, rank);
		}
	} else {
		add_json_args(reader, &text);
	}
	int stop = emit_tag(reader, strbuf_slice(&scope), key, strbuf_slice(&text));
	strbuf_free(&scope);
	strbuf_free(&text);
	return stop;
}

int
dftracer_metadata(struct dftracer_reader *reader, bool name_is_text, const char **reason)
{
	const struct dftracer_value *name = &reader->parser->record.top[KEY_NAME];
	const struct dftracer_value *text = dftracer_argument(reader->parser, KEY_NAME);
	const struct dftracer_value *hash = dftracer_argument(reader->parser, KEY_VALUE);
	struct slice kind = dftracer_slice(name);
	int stop = 0;

	if (name_is_text) { /* the record does not tell what its text is: it may be any of the three
		             */
		hash = dftracer_argument(reader->parser, KEY_HASH);
		for (const char *class = "HFS"; *class && stop == 0; class ++) {
			stop = define_hash(reader, *class, hash, name, reason);
		}
	} else if (slice_is(kind, "FH") || slice_is(kind, "HH") || slice_is(kind, "SH")) {
		stop = define_hash(reader, kind.ptr[0], hash, text, reason);
	} else {
		stop = tag_fact(reader, kind);
	}
	reader->counts.metadata += !*reason;
	dftracer_note_metadata_id(reader);
	return stop;
}

static int
tag_string(struct dftracer_reader *reader, unsigned argument, const char *key)
{
	const struct dftracer_value *hash = dftracer_argument(reader->parser, argument);
	struct strbuf scope = {0};

	if (!dftracer_is_text(hash)) {
		return 0;
	}
	uint32_t id = intern_find(reader->strings, dftracer_slice(hash));
	if (id == INTERN_NONE || reader->string_texts[id] == INTERN_NONE) {
		return 0;
	}
	dftracer_process_scope(reader, &scope);
	int stop = emit_tag(reader, strbuf_slice(&scope), slice_of(key),
	                    intern_text(reader->strings, reader->string_texts[id]));
	strbuf_free(&scope);
	return stop;
}

static bool
is_other_metric(struct slice metric)
{
	return !slice_is_anycase(metric, "us");
}

/* The unit of times, which only the end record tells: "time_metric" in it or in its "cfg". */
static bool
has_other_metric(struct dftracer_reader *reader)
{
	const struct dftracer_value *value = dftracer_argument(reader->parser, KEY_TIME_METRIC);
	const struct dftracer_value *cfg = dftracer_argument(reader->parser, KEY_CFG);
	struct json json = {0};
	bool is_key = false, other = false;

	if (dftracer_is_text(value)) {
		return is_other_metric(dftracer_slice(value));
	}
	if (!cfg || cfg->type != DFTRACER_NESTED) {
		return false;
	}
	json_begin(&json, dftracer_slice(cfg), JSON_STRICT);
	for (enum json_token token; (token = json_next(&json)) > JSON_END;) {
		if (is_key && (token == JSON_STRING || token == JSON_NUMBER)) {
			other = is_other_metric(json.text);
		}
		is_key = token == JSON_KEY && slice_is(json.text, "time_metric");
	}
	json_fini(&json);
	return other;
}

static void
note_process(struct dftracer_reader *reader, bool ended)
{
	const struct dftracer_value *host = dftracer_argument(reader->parser, KEY_HOSTNAME);
	bool is_hash = !host || host->type != DFTRACER_STRING;
	struct slice name = {0};
	int64_t pid;

	host = is_hash ? dftracer_argument(reader->parser, KEY_HHASH) : host;
	if (dftracer_is_text(host)) {
		name = dftracer_slice(host);
	}
	if (dftracer_integer(&reader->parser->record.top[KEY_PID], &pid)) {
		struct dftracer_process *process =
		    dftracer_facts_process(reader->facts, name, is_hash, pid);
		process->started |= !ended;
		process->ended |= ended;
	}
}

int
dftracer_lifecycle(struct dftracer_reader *reader, uint32_t name_flags)
{
	int stop = 0;

	note_process(reader, name_flags & MEANS_END);
	if (name_flags & MEANS_START) {
		stop = tag_string(reader, KEY_CMD_HASH, "command");
		return stop ? stop : tag_string(reader, KEY_EXEC_HASH, "executable");
	}
	if (has_other_metric(reader)) {
		stop = dftracer_problem(reader, PROBLEM_SUSPICIOUS,
		                        "the tracer's time_metric is not US: times are read as "
		                        "microseconds and are wrong by that factor");
	}
	return stop;
}
