/*
 * Records are put together by plain copies into a buffer, a few hundred nanoseconds each, so that
 * compression is most of the time.
 */
#include "config.h"
#include "simulate/demo_record.h"

#include <string.h>

#define RECORD_BYTES ((size_t)2048) /* no record is longer */

void
demo_put_bytes(struct demo_rank *rank, const char *bytes, size_t length)
{
	memcpy(rank->buffer + rank->len, bytes, length);
	rank->len += length;
}

void
demo_put(struct demo_rank *rank, const char *text)
{
	demo_put_bytes(rank, text, strlen(text));
}

static void
put_unsigned(struct demo_rank *rank, uint64_t value)
{
	char digits[24];
	size_t at = sizeof digits;

	do {
		digits[--at] = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	demo_put_bytes(rank, digits + at, sizeof digits - at);
}

static void
put_integer(struct demo_rank *rank, int64_t value)
{
	if (value < 0) {
		demo_put(rank, "-");
	}
	put_unsigned(rank, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

static void
put_hash(struct demo_rank *rank, uint64_t hash)
{
	static const char hex[] = "0123456789abcdef";
	char digits[18];

	if (rank->options->dialect == DEMO_NEW) {
		put_unsigned(rank, hash);
		return;
	}
	digits[0] = digits[17] = '"';
	for (unsigned i = 0; i < 16; i++) {
		digits[16 - i] = hex[hash >> (4 * i) & 15];
	}
	demo_put_bytes(rank, digits, sizeof digits);
}

void
demo_flush_full(struct demo_rank *rank)
{
	if (rank->len > DEMO_BUFFER_BYTES - RECORD_BYTES) {
		gzip_writer_put(rank->out, rank->buffer, rank->len);
		rank->len = 0;
	}
}

uint64_t
demo_hash(const char *text)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (; *text; text++) {
		hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	}
	struct prng prng = {hash};
	return prng_next(&prng);
}

/* ---- records ---- */

bool
demo_is_old(const struct demo_rank *rank)
{
	return rank->options->dialect == DEMO_OLD;
}

/* A member and its number: the old dialect writes wide ones as texts. */
static void
put_number(struct demo_rank *rank, const char *key, bool is_wide, int64_t value)
{
	const char *quote = is_wide && demo_is_old(rank) ? "\"" : "";

	demo_put(rank, key);
	demo_put(rank, quote);
	put_integer(rank, value);
	demo_put(rank, quote);
}

void
demo_put_head(struct demo_rank *rank, uint64_t id, const char *name, const char *category,
              unsigned type, int64_t tid)
{
	demo_put(rank, "{");
	if (id) {
		put_number(rank, "\"id\":", true, (int64_t)id);
		demo_put(rank, ",");
	}
	demo_put(rank, "\"name\":\"");
	demo_put(rank, name);
	demo_put(rank, "\",\"cat\":\"");
	demo_put(rank, category);
	if (rank->options->dialect == DEMO_V2) {
		demo_put(rank, "\",\"type\":");
		put_unsigned(rank, type);
	} else {
		demo_put(rank, "\"");
	}
	put_number(rank, ",\"pid\":", true, rank->pid);
	put_number(rank, ",\"tid\":", true, tid);
}

void
demo_metadata(struct demo_rank *rank, const char *kind, const char *name, uint64_t hash,
              const char *value)
{
	bool v2 = rank->options->dialect == DEMO_V2;

	rank->records++;
	rank->last_id += !v2;
	if (!rank->out) {
		return;
	}
	demo_put_head(rank, v2 ? 0 : rank->last_id, kind, "dftracer", 1, rank->tid);
	demo_put(rank,
	         v2 ? ",\"ph\":4,\"args\":{\"hhash\":" : ",\"ph\":\"M\",\"args\":{\"hhash\":");
	put_hash(rank, rank->host_hash);
	demo_put(rank, ",\"name\":\"");
	demo_put(rank, name);
	demo_put(rank, "\",\"value\":");
	if (hash) {
		put_hash(rank, hash);
	} else {
		demo_put(rank, value);
	}
	demo_put(rank, "}}\n");
	demo_flush_full(rank);
}

void
demo_define_file(struct demo_rank *rank, struct demo_file *file)
{
	if (!demo_is_old(rank) && !file->defined) {
		file->defined = true;
		demo_metadata(rank, "FH", file->path, file->hash, NULL);
	}
}

static void
put_context(struct demo_rank *rank)
{
	if (demo_is_old(rank)) {
		demo_put(rank, "\"hostname\":\"");
		demo_put(rank, rank->host);
		demo_put(rank, "\"");
		return;
	}
	demo_put(rank, "\"hhash\":");
	put_hash(rank, rank->host_hash);
	demo_put(rank, ",\"p_idx\":");
	put_integer(rank, rank->parent);
	demo_put(rank, rank->parent < 0 ? ",\"level\":1" : ",\"level\":2");
}

static void
put_file(struct demo_rank *rank, const struct demo_file *file)
{
	if (demo_is_old(rank)) {
		demo_put(rank, ",\"fname\":\"");
		demo_put(rank, file->path);
		demo_put(rank, "\"");
	} else {
		demo_put(rank, ",\"fhash\":");
		put_hash(rank, file->hash);
	}
}

static void
put_fields(struct demo_rank *rank, const struct demo_field *fields, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		demo_put(rank, ",\"");
		demo_put(rank, fields[i].key);
		put_number(rank, "\":", fields[i].wide, fields[i].value);
	}
}

void
demo_event(struct demo_rank *rank, const struct demo_call *call, const struct demo_field *fields,
           size_t n)
{
	if (call->file) {
		demo_define_file(rank, call->file);
	}
	uint64_t id = call->id ? call->id : ++rank->last_id;
	rank->records++;
	if (!rank->out) {
		return;
	}
	bool posix = strcmp(call->category, "POSIX") == 0;
	demo_put_head(rank, id, call->name, call->category,
	              posix                                     ? 3
	              : strcmp(call->category, "dftracer") == 0 ? 1
	                                                        : 6,
	              rank->tid + call->thread);
	put_number(rank, ",\"ts\":", true, call->start_us);
	put_number(rank, ",\"dur\":", true, call->duration_us);
	demo_put(rank, rank->options->dialect == DEMO_V2 ? ",\"ph\":1,\"args\":{"
	                                                 : ",\"ph\":\"X\",\"args\":{");
	put_context(rank);
	put_fields(rank, fields, n);
	if (call->file) {
		put_file(rank, call->file);
	}
	demo_put(rank, "}}\n");
	demo_flush_full(rank);
}
