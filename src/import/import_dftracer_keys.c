/*
 * The second reading, of sources in which records may stand twice: a key for each record of the
 * threads concerned. A record is known by its process and thread, its id, its times and its name.
 * Metadata, which has no times, and records without an id (counters of some dialects) are known by
 * all their bytes.
 */
#include "config.h"
#include "import/import_dftracer.h"

static uint64_t
hash_value(const struct dftracer_value *value, uint64_t seed)
{
	return dftracer_is_text(value) ? hash_bytes(value->ptr, value->len, seed)
	                               : hash_mix(seed + value->type);
}

static bool
is_known_kind(const struct dftracer_value *ph)
{
	return !dftracer_is_text(ph) ||
	       (ph->len == 1 && ph->ptr[0] && strchr("XMHCA1234", ph->ptr[0]));
}

bool
dftracer_key_of(const struct dftracer_reader *reader, const struct dftracer_facts *facts,
                struct import_key *key)
{
	struct slice record = reader->at.record;
	const struct dftracer_value *top = reader->parser->record.top;
	int64_t id;

	if (!is_known_kind(&top[KEY_PH])) {
		return false; /* no record, whatever it is like */
	}
	*key = (struct import_key){.record = reader->at.number, .offset = reader->at.offset};
	if (!dftracer_id(reader, &id) || top[KEY_TS].type == DFTRACER_ABSENT) {
		key->process = hash_value(&top[KEY_PID], 1);
		key->id = hash_bytes(record.ptr, record.len, 2);
		key->content = hash_bytes(record.ptr, record.len, 3);
		key->is_weak = true;
		return true;
	}
	key->process = dftracer_ids_key(reader);
	if (!dftracer_is_suspect(facts, key->process) || !dftracer_is_valid(reader)) {
		return false;
	}
	key->id = (uint64_t)id;
	key->content = hash_value(&top[KEY_NAME], 0);
	key->content = hash_value(&top[KEY_TS], key->content);
	key->content = hash_value(&top[KEY_DUR], key->content);
	return true;
}
