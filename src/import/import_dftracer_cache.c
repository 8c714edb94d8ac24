/*
 * What repeats from record to record, answered without asking the sink: each cache is a
 * direct-mapped table in front of a callback, compared byte for byte, so that a collision costs a
 * call and nothing else. The sink still sees every text, lane and key in order of first appearance.
 */
#include "config.h"
#include "import/import_dftracer.h"

#include <stdlib.h>

/* Longer texts are not kept: they rarely repeat. */
#define TEXT_LIMIT 512u

#define NAME_OF(id, name) name,
static const char *const known_keys[] = {DFTRACER_KEYS(NAME_OF)};

void
dftracer_keys_init(struct dftracer_parser *parser)
{
	parser->key_names = intern_new();
	for (size_t i = 0; i <= DFTRACER_KEY_SLOTS; i++) {
		parser->key_slots[i].len = UINT32_MAX;
	}
	for (uint32_t id = 0; id < KEYS_KNOWN; id++) {
		char padded[INPUT_PADDING] = "";
		size_t len = strlen(known_keys[id]);
		memcpy(padded, known_keys[id], len);
		dftracer_key_find(parser, padded, len);
	}
}

void
dftracer_cache_fini(struct dftracer_reader *reader)
{
	for (size_t i = 0; i < DFTRACER_TEXT_SLOTS; i++) {
		free(reader->texts[i].bytes);
	}
}

/* All bits of both count: numbers differ at their ends, which are high bytes. */
static inline size_t
slot_of(uint64_t a, uint64_t b, size_t n_slots)
{
	unsigned __int128 product = (unsigned __int128)(a ^ UINT64_C(0x9e3779b97f4a7c15)) *
	                            (b ^ UINT64_C(0xd6e8feb86659fd93));

	return (size_t)((uint64_t)product ^ (uint64_t)(product >> 64)) & (n_slots - 1);
}

uint32_t
dftracer_key_intern(struct dftracer_parser *parser, const char *key, size_t len)
{
	uint32_t known = intern_count(parser->key_names);
	uint32_t id = intern_id(parser->key_names, (struct slice){key, len});

	if (id == known) {
		MEM_GROW(parser->keys, parser->keys_capacity, (size_t)id + 1);
		parser->keys[id] = (struct dftracer_key){.sink_key = DFTRACER_UNASKED,
		                                         .args_twin = DFTRACER_UNASKED};
	}
	if (len <= 16) {
		uint64_t first = dftracer_load_part(key, len);
		uint64_t second = len > 8 ? dftracer_load_part(key + 8, len - 8) : 0;
		struct dftracer_key_slot *slot =
		    &parser->key_slots[dftracer_key_hash(first, second, len)];
		slot += slot->len != UINT32_MAX;
		*slot = (struct dftracer_key_slot){{first, second}, (uint32_t)len, id};
	}
	return id;
}

uint32_t
dftracer_ask_key(struct dftracer_reader *reader, uint32_t key)
{
	uint32_t code = sink_key(reader->sink, intern_text(reader->parser->key_names, key));

	reader->parser->keys[key].sink_key = code;
	return code;
}

uint32_t
dftracer_args_twin(struct dftracer_reader *reader, uint32_t key)
{
	if (reader->parser->keys[key].args_twin == DFTRACER_UNASKED) {
		struct strbuf name = {0};
		struct slice text = intern_text(reader->parser->key_names, key);
		static const char zeros[INPUT_PADDING];

		strbuf_add_text(&name, "args.");
		strbuf_add_slice(&name, text);
		size_t len = name.len;
		strbuf_add(&name, zeros, sizeof zeros);
		uint32_t twin = dftracer_key_find(reader->parser, name.data, len);
		strbuf_free(&name);
		reader->parser->keys[key].args_twin = twin;
	}
	return reader->parser->keys[key].args_twin;
}

static bool
contains(struct slice text, const char *part)
{
	return slice_contains(text, slice_of(part));
}

static uint32_t
flags_of(struct slice text)
{
	uint32_t flags = 0;

	if (contains(text, "write")) {
		flags |= MEANS_WRITE;
	} else if (contains(text, "read") && !contains(text, "readdir")) {
		flags |= MEANS_READ;
	}
	flags |= slice_is(text, "POSIX") ? MEANS_POSIX : 0;
	flags |= slice_is(text, "dftracer") ? MEANS_DFTRACER : 0;
	flags |= slice_is(text, "start") ? MEANS_START : 0;
	flags |= slice_is(text, "end") ? MEANS_END : 0;
	return flags;
}

text_code
dftracer_text(struct dftracer_reader *reader, struct slice text, uint32_t *flags)
{
	struct sink *sink = reader->sink;

	if (text.len > TEXT_LIMIT) {
		if (flags) {
			*flags = flags_of(text);
		}
		return sink_text(sink, text);
	}
	uint64_t head = dftracer_load_part(text.ptr, text.len), tail = 0;
	if (text.len > 8) { /* names differ at their ends, files at their beginnings too */
		memcpy(&tail, text.ptr + text.len - 8, 8);
		uint64_t middle;
		memcpy(&middle, text.ptr + text.len / 2 - 4, 8);
		tail ^= middle * 31;
	}
	if (text.len > 16) {
		uint64_t before;
		memcpy(&before, text.ptr + text.len - 16, 8);
		head ^= before * 131;
	}
	uint64_t hash = (head + text.len) ^ tail * UINT64_C(0xd6e8feb86659fd93);
	struct dftracer_text *slot = &reader->texts[slot_of(hash, text.len, DFTRACER_TEXT_SLOTS)];
	if (slot->hash != hash || slot->len != text.len || !slot->bytes ||
	    memcmp(slot->bytes, text.ptr, text.len) != 0) {
		if (slot->capacity < text.len || !slot->bytes) {
			slot->capacity = text.len < 64 ? 64 : TEXT_LIMIT;
			slot->bytes = xrealloc_array(slot->bytes, slot->capacity, 1);
		}
		memcpy(slot->bytes, text.ptr, text.len);
		slot->len = (uint32_t)text.len;
		slot->hash = hash;
		slot->flags = MEANS_UNASKED;
		slot->code = sink_text(sink, text);
	}
	if (flags) { /* of few of the texts, where most are paths */
		slot->flags = slot->flags == MEANS_UNASKED ? flags_of(text) : slot->flags;
		*flags = slot->flags;
	}
	return slot->code;
}

/* Up to n * 8 bytes, zero-padded. */
static inline void
load_words(uint64_t *words, const struct dftracer_value *value, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		words[i] = value->len > 8 * i || i == 0
		               ? dftracer_load_part(value->ptr + 8 * i, value->len - 8 * i)
		               : 0;
	}
}

/* ---- hashes ----
 * Scope: the process. The class stands in the symbol, so that a file's hash is never resolved by a
 * host's of the same number (with 16 bits they meet), and one that nobody defines reads "file
 * 5692". */

static const char *
class_name(char class)
{
	return class == 'F' ? "file " : class == 'H' ? "host " : "string ";
}

static struct slice
pid_scope(const struct dftracer_reader *reader)
{
	const struct dftracer_value *pid = &reader->parser->record.top[KEY_PID];

	return dftracer_is_text(pid) ? dftracer_slice(pid) : (struct slice){"", 0};
}

static void
symbol_text(struct strbuf *out, char class, struct slice hash)
{
	strbuf_add_text(out, class_name(class));
	strbuf_add_slice(out, hash);
}

void
dftracer_define(struct dftracer_reader *reader, char class, struct slice hash, struct slice text)
{
	struct strbuf symbol = {0};

	symbol_text(&symbol, class, hash);
	reader->sink->define(reader->sink->user, pid_scope(reader), strbuf_slice(&symbol), text);
	strbuf_free(&symbol);
}

static void
mark_hash(struct dftracer_reader *reader, const struct dftracer_value *hash)
{
	int64_t number;

	if (hash->type == DFTRACER_STRING) {
		reader->facts->marks |= MARK_HEX_HASH;
	} else if (dftracer_integer(hash, &number) && number >= 0 && number <= UINT16_MAX) {
		reader->facts->marks |= MARK_SHORT_HASH;
	} else {
		reader->facts->marks |= MARK_WIDE_HASH;
	}
}

text_code
dftracer_symbol(struct dftracer_reader *reader, char class, const struct dftracer_value *hash)
{
	struct slice bytes = dftracer_slice(hash);
	struct dftracer_symbol *slot = NULL, wanted = {.class = class, .len = hash->len};

	if (bytes.len <= 24 &&
	    dftracer_integer(&reader->parser->record.top[KEY_PID], &wanted.pid)) {
		load_words(wanted.words, hash, 3);
		size_t at = slot_of(wanted.words[0] + wanted.words[2] + (uint64_t) class,
		                    wanted.words[1] + (uint64_t)wanted.pid, DFTRACER_SYMBOL_SLOTS);
		slot = &reader->symbols[at];
		if (slot->class == class && slot->len == wanted.len && slot->pid == wanted.pid &&
		    memcmp(slot->words, wanted.words, sizeof wanted.words) == 0) {
			return slot->code;
		}
	}
	struct strbuf symbol = {0};
	symbol_text(&symbol, class, bytes);
	wanted.code =
	    reader->sink->symbol(reader->sink->user, pid_scope(reader), strbuf_slice(&symbol));
	strbuf_free(&symbol);
	mark_hash(reader, hash);
	if (slot) {
		*slot = wanted;
	}
	return wanted.code;
}

/* ---- lanes ---- */

static struct ident
ident_of(struct dftracer_reader *reader, const struct dftracer_value *value)
{
	struct ident ident = {.type = IDENT_NONE};

	if (dftracer_integer(value, &ident.integer)) {
		ident.type = IDENT_INTEGER;
	} else if (value->type == DFTRACER_STRING || value->type == DFTRACER_NUMBER) {
		ident.type = IDENT_TEXT;
		ident.text = dftracer_text(reader, dftracer_slice(value), NULL);
	}
	return ident;
}

/* A lane not seen lately: notes its process. */
static uint32_t
lane_new(struct dftracer_reader *reader, enum lane_kind kind, const struct dftracer_value *host,
         bool host_is_hash)
{
	const struct dftracer_value *top = reader->parser->record.top;
	struct lane lane = {.host = TEXT_NONE, .name = TEXT_NONE, .kind = kind};
	struct dftracer_facts *facts = reader->facts;
	struct slice name = {0};

	if (host) {
		name = dftracer_slice(host);
		lane.host = host_is_hash ? dftracer_symbol(reader, 'H', host)
		                         : dftracer_text(reader, name, NULL);
	}
	lane.process = ident_of(reader, &top[KEY_PID]);
	if (kind != LANE_COUNTER) {
		lane.thread = ident_of(reader, &top[KEY_TID]);
	}
	if (lane.process.type == IDENT_INTEGER) {
		dftracer_facts_process(facts, name, host_is_hash, lane.process.integer);
	}
	facts->marks |= top[KEY_PID].type == DFTRACER_STRING ? MARK_QUOTED_PID : 0;
	facts->marks |=
	    reader->parser->keys[KEY_ID].seen[0] == reader->parser->record.number ? MARK_ID : 0;
	return sink_lane(reader->sink, &lane);
}

uint32_t
dftracer_lane(struct dftracer_reader *reader, enum lane_kind kind)
{
	const struct dftracer_value *pid = &reader->parser->record.top[KEY_PID];
	const struct dftracer_value *tid = &reader->parser->record.top[KEY_TID];
	const struct dftracer_value *host = dftracer_argument(reader->parser, KEY_HOSTNAME);
	bool is_name = host && host->type == DFTRACER_STRING;

	if (!is_name) {
		host = dftracer_argument(reader->parser, KEY_HHASH);
		host = dftracer_is_text(host) ? host : NULL;
	}
	struct dftracer_value none = {"\0\0\0\0\0\0\0", 0, DFTRACER_ABSENT, false};
	const struct dftracer_value *name = host ? host : &none;
	if (!dftracer_is_text(pid) || !dftracer_is_text(tid) || pid->len > 16 || tid->len > 16 ||
	    name->len > 24) {
		return lane_new(reader, kind, host, !is_name);
	}
	struct dftracer_lane wanted;
	load_words(wanted.words, pid, 2);
	load_words(wanted.words + 2, tid, 2);
	load_words(wanted.words + 4, name, 3);
	wanted.shape = 1u | (uint32_t)is_name << 1 | (uint32_t)(host != NULL) << 2 |
	               (uint32_t)kind << 3 | pid->len << 8 | tid->len << 16 | name->len << 24;
	struct dftracer_lane *slot =
	    &reader->lanes[slot_of(wanted.words[0] * 3 + wanted.words[1] + wanted.words[4],
	                           wanted.words[2] + wanted.shape, DFTRACER_LANE_SLOTS)];
	if (slot->shape != wanted.shape ||
	    memcmp(slot->words, wanted.words, sizeof wanted.words) != 0) {
		wanted.lane = lane_new(reader, kind, host, !is_name);
		*slot = wanted;
	}
	return slot->lane;
}

struct slice
dftracer_process_scope(struct dftracer_reader *reader, struct strbuf *out)
{
	struct slice pid = pid_scope(reader);

	strbuf_clear(out);
	strbuf_add_text(out, "process ");
	strbuf_add_slice(out, pid);
	return strbuf_slice(out);
}
