/* Numbers and texts as bytes, written and read by the same calls. */
#include "config.h"
#include "util/pack.h"

#include <stdlib.h>
#include <string.h>

static void
turn_piece(struct pack *pack)
{
	if (pack->failed) {
		return;
	}
	if (pack->is_reading) {
		pack->at = 0;
		strbuf_clear(&pack->bytes);
	}
	pack->failed = pack->piece(pack->user, pack, &pack->err) != 0;
}

void
pack_break(struct pack *pack)
{
	bool is_due =
	    pack->is_reading ? pack->at == pack->bytes.len : pack->bytes.len >= PACK_PIECE_BYTES;

	if (is_due) {
		turn_piece(pack);
	}
}

int
pack_end(struct pack *pack, struct err *err)
{
	if (pack->is_reading) {
		pack->failed |= pack->at != pack->bytes.len;
	} else if (pack->bytes.len > 0) {
		turn_piece(pack);
	}
	strbuf_free(&pack->bytes);
	if (!pack->failed) {
		return 0;
	}
	if (pack->err.code == ERR_NONE) {
		return err_set(err, ERR_FORMAT, "holds what was never written so");
	}
	*err = pack->err;
	return -1;
}

static unsigned char
take_byte(struct pack *pack)
{
	if (pack->failed || pack->at >= pack->bytes.len) {
		pack->failed = true;
		return 0;
	}
	return (unsigned char)pack->bytes.data[pack->at++];
}

static uint64_t
take_number(struct pack *pack)
{
	uint64_t value = 0;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		unsigned char byte = take_byte(pack);
		value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80)) {
			pack->failed |= shift == 63 && byte > 1;
			return pack->failed ? 0 : value;
		}
	}
	pack->failed = true;
	return 0;
}

static void
put_number(struct pack *pack, uint64_t value)
{
	char bytes[10];
	size_t n = 0;

	for (; value >= 0x80; value >>= 7) {
		bytes[n++] = (char)(value | 0x80);
	}
	bytes[n++] = (char)value;
	strbuf_add(&pack->bytes, bytes, n);
}

void
pack_unsigned(struct pack *pack, uint64_t *value)
{
	if (pack->is_reading) {
		*value = take_number(pack);
	} else {
		put_number(pack, *value);
	}
}

void
pack_signed(struct pack *pack, int64_t *value)
{
	uint64_t number = (uint64_t)*value << 1 ^ (*value < 0 ? UINT64_MAX : 0);

	pack_unsigned(pack, &number);
	number = number >> 1 ^ (number & 1 ? UINT64_MAX : 0);
	memcpy(value, &number, sizeof number);
}

/* A number that is no larger than that. */
static uint64_t
pack_within(struct pack *pack, uint64_t number, uint64_t largest)
{
	pack_unsigned(pack, &number);
	if (number > largest) {
		pack->failed = true;
	}
	return pack->failed ? 0 : number;
}

void
pack_small(struct pack *pack, uint32_t *value)
{
	*value = (uint32_t)pack_within(pack, *value, UINT32_MAX);
}

void
pack_byte(struct pack *pack, uint8_t *value)
{
	*value = (uint8_t)pack_within(pack, *value, UINT8_MAX);
}

void
pack_flag(struct pack *pack, bool *value)
{
	*value = pack_within(pack, *value, 1) != 0;
}

void
pack_real(struct pack *pack, double *value)
{
	uint64_t bits;

	memcpy(&bits, value, sizeof bits);
	pack_unsigned(pack, &bits);
	memcpy(value, &bits, sizeof bits);
}

void
pack_slice(struct pack *pack, struct slice *text)
{
	uint64_t length = text->len;

	if (!pack->is_reading) {
		put_number(pack, length);
		strbuf_add_slice(&pack->bytes, *text);
		return;
	}
	length = take_number(pack);
	if (length > pack->bytes.len - pack->at) {
		pack->failed = true;
	}
	*text = pack->failed ? (struct slice){"", 0}
	                     : (struct slice){pack->bytes.data + pack->at, (size_t)length};
	pack->at += text->len;
}

void
pack_string(struct pack *pack, char **text)
{
	struct arena *arena = arena_new();
	const char *kept = *text;

	pack_kept_string(pack, arena, &kept);
	if (pack->is_reading) {
		*text = kept ? xstrdup(kept) : NULL;
	}
	arena_free(arena);
}

void
pack_kept_string(struct pack *pack, struct arena *arena, const char **text)
{
	bool is_there = *text != NULL;
	struct slice bytes = is_there ? slice_of(*text) : (struct slice){0};

	pack_flag(pack, &is_there);
	if (is_there) {
		pack_slice(pack, &bytes);
	}
	if (pack->is_reading) {
		*text = is_there ? arena_strndup(arena, bytes.ptr, bytes.len) : NULL;
	}
}

void
pack_field(struct pack *pack, char *text, size_t size)
{
	struct slice bytes = {text, pack->is_reading ? 0 : strlen(text)};

	pack_slice(pack, &bytes);
	if (!pack->is_reading) {
		return;
	}
	pack->failed |= bytes.len >= size;
	if (!pack->failed) {
		memcpy(text, bytes.ptr, bytes.len);
		text[bytes.len] = '\0';
	}
}

/* Is it an id that no text leads to? */
static bool
is_reserved(const struct intern *intern, uint32_t id)
{
	struct slice text = intern_text(intern, id);

	return text.len == 0 && intern_find(intern, text) != id;
}

static void
take_text(struct pack *pack, struct intern *intern, uint32_t id)
{
	bool reserved = false;
	struct slice text;

	pack_flag(pack, &reserved);
	if (reserved) {
		(void)intern_reserve(intern);
		return;
	}
	pack_slice(pack, &text);
	if (!pack->failed && intern_id(intern, text) != id) {
		pack->failed = true;
	}
}

void
pack_intern(struct pack *pack, struct intern *intern)
{
	uint32_t n = intern_count(intern);

	pack_small(pack, &n);
	for (uint32_t id = 0; id < n && !pack->failed; id++) {
		pack_break(pack);
		if (pack->is_reading) {
			take_text(pack, intern, id);
			continue;
		}
		bool reserved = is_reserved(intern, id);
		struct slice text = intern_text(intern, id);
		pack_flag(pack, &reserved);
		if (!reserved) {
			pack_slice(pack, &text);
		}
	}
}
