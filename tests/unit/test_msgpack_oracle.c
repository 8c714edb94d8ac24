/*
 * The reader of MessagePack against msgpack-c, where that is installed: documents that msgpack-c
 * packed, the same damaged, and bytes of chance. Both must take the same values out of the same
 * bytes and refuse the same ones. Two differences are meant, and allowed only where they apply:
 *
 * - A text that is not UTF-8 is refused here; msgpack-c leaves that to its caller.
 * - msgpack-c refuses more than ORACLE_DEPTH containers in each other; skipping has no such limit.
 *
 * msgpack-c reserves memory for as many elements as a count claims before it has seen one; such
 * claims are made smaller before both readers see the bytes (cap_claims).
 */
#include "config.h"

#include <stdio.h>

#ifdef HAVE_MSGPACK

#include <math.h>
#include <msgpack.h>
#include <string.h>

#include "unit.h"
#include "input/msgpack.h"
#include "util/prng.h"

#define ORACLE_DEPTH 32

/* ck_assert writes to its runner each time: too slow for what is asked millions of times. */
#define EXPECT(condition)                                                                          \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			ck_abort_msg("not so: %s", #condition);                                    \
		}                                                                                  \
	} while (0)

/* How often each outcome came: a test that never saw one would prove nothing. */
struct tally {
	unsigned n_agreed, n_refused, n_not_utf8, n_deep;
};

/* ---- What both must agree on ---- */

/* By the table of the Unicode standard (3-7). */
static bool
is_utf8(const unsigned char *at, size_t left)
{
	while (left > 0) {
		unsigned n = *at < 0x80 ? 1 : *at < 0xe0 ? 2 : *at < 0xf0 ? 3 : 4;
		if ((*at >= 0x80 && *at < 0xc2) || *at > 0xf4 || n > left) {
			return false;
		}
		for (unsigned i = 1; i < n; i++) {
			if ((at[i] & 0xc0) != 0x80) {
				return false;
			}
		}
		if ((*at == 0xe0 && at[1] < 0xa0) || (*at == 0xed && at[1] > 0x9f) ||
		    (*at == 0xf0 && at[1] < 0x90) || (*at == 0xf4 && at[1] > 0x8f)) {
			return false;
		}
		at += n;
		left -= n;
	}
	return true;
}

static bool
all_utf8(const msgpack_object *object)
{
	bool all = true;

	if (object->type == MSGPACK_OBJECT_STR) {
		return is_utf8((const unsigned char *)object->via.str.ptr, object->via.str.size);
	}
	if (object->type == MSGPACK_OBJECT_ARRAY) {
		for (uint32_t i = 0; i < object->via.array.size; i++) {
			all = all && all_utf8(&object->via.array.ptr[i]);
		}
	} else if (object->type == MSGPACK_OBJECT_MAP) {
		for (uint32_t i = 0; i < object->via.map.size; i++) {
			all = all && all_utf8(&object->via.map.ptr[i].key) &&
			      all_utf8(&object->via.map.ptr[i].val);
		}
	}
	return all;
}

/* Whether a key somewhere is an array or a map, which JSON cannot have. */
static bool
has_nested_key(const msgpack_object *object)
{
	bool has = false;

	if (object->type == MSGPACK_OBJECT_ARRAY) {
		for (uint32_t i = 0; i < object->via.array.size; i++) {
			has = has || has_nested_key(&object->via.array.ptr[i]);
		}
	} else if (object->type == MSGPACK_OBJECT_MAP) {
		for (uint32_t i = 0; i < object->via.map.size; i++) {
			const msgpack_object_kv *pair = &object->via.map.ptr[i];
			has = has || pair->key.type == MSGPACK_OBJECT_ARRAY ||
			      pair->key.type == MSGPACK_OBJECT_MAP || has_nested_key(&pair->val);
		}
	}
	return has;
}

static void
check_bytes(const struct msgpack_value *value, enum msgpack_type type, const char *bytes,
            uint32_t length)
{
	EXPECT(value->type == type);
	EXPECT(value->text.len == length);
	EXPECT(length == 0 || memcmp(value->text.ptr, bytes, length) == 0);
}

static void check_same(struct msgpack *reader, const msgpack_object *object);

static void
check_container(struct msgpack *reader, const struct msgpack_value *value,
                const msgpack_object *object)
{
	if (object->type == MSGPACK_OBJECT_ARRAY) {
		EXPECT(value->type == MSGPACK_ARRAY);
		EXPECT(value->count == object->via.array.size);
		for (uint32_t i = 0; i < object->via.array.size; i++) {
			check_same(reader, &object->via.array.ptr[i]);
		}
		return;
	}
	EXPECT(value->type == MSGPACK_MAP);
	EXPECT(value->count == object->via.map.size);
	for (uint32_t i = 0; i < object->via.map.size; i++) {
		check_same(reader, &object->via.map.ptr[i].key);
		check_same(reader, &object->via.map.ptr[i].val);
	}
}

/* The reader's next value is that of msgpack-c, with all that is in it. */
static void
check_same(struct msgpack *reader, const msgpack_object *object)
{
	struct msgpack_value value;

	EXPECT(msgpack_next(reader, &value) == 0);
	switch (object->type) {
	case MSGPACK_OBJECT_NIL:
		EXPECT(value.type == MSGPACK_NIL);
		break;
	case MSGPACK_OBJECT_BOOLEAN:
		EXPECT(value.type == MSGPACK_BOOLEAN);
		EXPECT(value.integer == object->via.boolean);
		break;
	case MSGPACK_OBJECT_POSITIVE_INTEGER:
		EXPECT(value.type ==
		       (object->via.u64 > INT64_MAX ? MSGPACK_UNSIGNED : MSGPACK_INTEGER));
		EXPECT((value.type == MSGPACK_UNSIGNED ? value.count : (uint64_t)value.integer) ==
		       object->via.u64);
		break;
	case MSGPACK_OBJECT_NEGATIVE_INTEGER:
		EXPECT(value.type == MSGPACK_INTEGER);
		EXPECT(value.integer == object->via.i64);
		break;
	case MSGPACK_OBJECT_FLOAT32:
	case MSGPACK_OBJECT_FLOAT64:
		EXPECT(value.type == MSGPACK_REAL);
		EXPECT((isnan(value.real) && isnan(object->via.f64)) ||
		       memcmp(&value.real, &object->via.f64, sizeof value.real) == 0);
		break;
	case MSGPACK_OBJECT_STR:
		check_bytes(&value, MSGPACK_TEXT, object->via.str.ptr, object->via.str.size);
		break;
	case MSGPACK_OBJECT_BIN:
		check_bytes(&value, MSGPACK_BINARY, object->via.bin.ptr, object->via.bin.size);
		break;
	case MSGPACK_OBJECT_EXT:
		check_bytes(&value, MSGPACK_EXTENSION, object->via.ext.ptr, object->via.ext.size);
		EXPECT(value.integer == object->via.ext.type);
		break;
	default:
		check_container(reader, &value, object);
	}
}

/* How many containers are in each other in the next value, which is whole. */
static unsigned
depth_of(struct msgpack *reader)
{
	struct msgpack_value value;
	unsigned deepest = 0;

	EXPECT(msgpack_next(reader, &value) == 0);
	if (value.type != MSGPACK_ARRAY && value.type != MSGPACK_MAP) {
		return 0;
	}
	for (uint64_t i = 0; i < (value.type == MSGPACK_MAP ? value.count * 2 : value.count); i++) {
		unsigned depth = depth_of(reader);
		deepest = depth > deepest ? depth : deepest;
	}
	return deepest + 1;
}

/* msgpack-c took `object`, up to `end`. */
static bool
check_accepted(struct msgpack *reader, const msgpack_object *object, const char *end,
               struct tally *tally)
{
	struct msgpack values = *reader, json = *reader;
	struct strbuf out = {0};
	bool valid = all_utf8(object);

	EXPECT(msgpack_skip(reader) == (valid ? 0 : -1));
	EXPECT(msgpack_copy_json(&json, &out) == (valid && !has_nested_key(object) ? 0 : -1));
	strbuf_free(&out);
	if (!valid) {
		tally->n_not_utf8++;
		EXPECT(strcmp(reader->error, "a text that is not UTF-8") == 0);
		return false;
	}
	EXPECT(reader->cursor == end);
	check_same(&values, object);
	EXPECT(values.cursor == end);
	tally->n_agreed++;
	return true;
}

/* A count of 32 bits above 65535 loses its upper half, wherever the bytes look like one. */
static void
cap_claims(struct strbuf *bytes)
{
	for (size_t i = 0; i + 4 < bytes->len; i++) {
		unsigned char byte = (unsigned char)bytes->data[i];
		if ((byte == 0xdd || byte == 0xdf) && (bytes->data[i + 1] || bytes->data[i + 2])) {
			bytes->data[i + 1] = bytes->data[i + 2] = 0;
		}
	}
}

/* Both read values until one is refused. The bytes are a copy of their exact length, so that a
 * sanitizer sees any access behind them. */
static void
check_readers(struct slice document, struct tally *tally)
{
	char *bytes = malloc(document.len ? document.len : 1);
	msgpack_unpacked unpacked;
	size_t offset = 0;
	struct msgpack reader;
	bool more = true;

	EXPECT(bytes != NULL);
	if (document.len) {
		memcpy(bytes, document.ptr, document.len);
	}
	msgpack_unpacked_init(&unpacked);
	msgpack_begin(&reader, (struct slice){bytes, document.len});
	while (more) {
		struct msgpack whole = reader;
		msgpack_unpack_return result =
		    msgpack_unpack_next(&unpacked, bytes, document.len, &offset);
		if (result == MSGPACK_UNPACK_SUCCESS) {
			more = check_accepted(&reader, &unpacked.data, bytes + offset, tally);
		} else if (msgpack_skip(&reader) == 0) {
			EXPECT(result == MSGPACK_UNPACK_NOMEM_ERROR);
			EXPECT(depth_of(&whole) > ORACLE_DEPTH);
			tally->n_deep++;
			more = false;
		} else {
			tally->n_refused++;
			more = false;
		}
	}
	msgpack_unpacked_destroy(&unpacked);
	free(bytes);
}

/* ---- Documents ---- */

static int
write_bytes(void *out, const char *bytes, size_t length)
{
	strbuf_add(out, bytes, length);
	return 0;
}

/* Mostly short; sometimes around the limits of the forms. */
static size_t
random_length(struct prng *prng)
{
	static const size_t edges[] = {0, 15, 16, 31, 32, 255, 256};

	if (prng_below(prng, 1000) == 0) {
		return 65535 + prng_below(prng, 2);
	}
	return prng_below(prng, 8) ? prng_below(prng, 20) : edges[prng_below(prng, 7)];
}

static void
pack_random_bytes(struct prng *prng, msgpack_packer *packer)
{
	static const char *const letters[] = {"a", "\"", "\n", "ö", "✓", "\xf0\x9f\x98\x80"};
	size_t length = random_length(prng);
	struct strbuf bytes = {0};
	uint64_t kind = prng_below(prng, 4);

	strbuf_add_text(&bytes, "");
	while (bytes.len < length) {
		if (kind < 2) {
			strbuf_add_text(&bytes, letters[prng_below(prng, 6)]);
		} else {
			strbuf_add_char(&bytes, (char)prng_next(prng));
		}
	}
	if (kind < 2) {
		msgpack_pack_str(packer, bytes.len);
		msgpack_pack_str_body(packer, bytes.data, bytes.len);
	} else if (kind == 2) {
		msgpack_pack_bin(packer, bytes.len);
		msgpack_pack_bin_body(packer, bytes.data, bytes.len);
	} else {
		msgpack_pack_ext(packer, bytes.len, (int8_t)prng_next(prng));
		msgpack_pack_ext_body(packer, bytes.data, bytes.len);
	}
	strbuf_free(&bytes);
}

static void
pack_random_number(struct prng *prng, msgpack_packer *packer)
{
	uint64_t bits = prng_next(prng) >> prng_below(prng, 64);
	int64_t integer = (int64_t)prng_next(prng) >> prng_below(prng, 64);
	double real;

	memcpy(&real, &bits, sizeof real);
	switch (prng_below(prng, 9)) {
	case 0:
		msgpack_pack_uint64(packer, bits);
		break;
	case 1:
		msgpack_pack_int64(packer, integer);
		break;
	case 2:
		msgpack_pack_fix_int64(packer, integer);
		break;
	case 3:
		msgpack_pack_fix_uint32(packer, (uint32_t)bits);
		break;
	case 4:
		msgpack_pack_fix_int16(packer, (int16_t)integer);
		break;
	case 5:
		msgpack_pack_fix_int8(packer, (int8_t)integer);
		break;
	case 6:
		msgpack_pack_float(packer, (float)integer / 64);
		break;
	case 7:
		msgpack_pack_double(packer, real);
		break;
	default:
		msgpack_pack_double(packer, (double)integer / 1024);
	}
}

static void
pack_random(struct prng *prng, msgpack_packer *packer, unsigned depth)
{
	uint64_t n = prng_below(prng, 20) ? prng_below(prng, 5) : 14 + prng_below(prng, 4);

	switch (prng_below(prng, depth ? 10 : 6)) {
	case 0:
		if (n == 0) {
			msgpack_pack_nil(packer);
		} else if (n & 1) {
			msgpack_pack_true(packer);
		} else {
			msgpack_pack_false(packer);
		}
		break;
	case 1:
	case 2:
	case 3:
		pack_random_number(prng, packer);
		break;
	case 4:
	case 5:
		pack_random_bytes(prng, packer);
		break;
	case 6:
	case 7:
		msgpack_pack_array(packer, n);
		for (uint64_t i = 0; i < n; i++) {
			pack_random(prng, packer, depth - 1);
		}
		break;
	default:
		msgpack_pack_map(packer, n);
		for (uint64_t i = 0; i < n; i++) {
			pack_random(prng, packer, prng_below(prng, 8) ? 0 : depth - 1);
			pack_random(prng, packer, depth - 1);
		}
	}
}

/* One byte becomes another, goes or comes, or the end is cut off. First bytes of values are
 * preferred to others. */
static void
damage(struct prng *prng, struct strbuf *bytes)
{
	char byte = (char)(prng_below(prng, 2) ? 0x80 + prng_below(prng, 0x60) : prng_next(prng));
	size_t at = (size_t)prng_below(prng, bytes->len + 1);

	if (at == bytes->len) {
		strbuf_add_char(bytes, byte);
		return;
	}
	switch (prng_below(prng, 6)) {
	case 0:
		bytes->data[at] ^= (char)(1 << prng_below(prng, 8));
		break;
	case 1:
		memmove(bytes->data + at, bytes->data + at + 1, bytes->len - at - 1);
		bytes->len--;
		break;
	case 2:
		strbuf_add_char(bytes, byte);
		memmove(bytes->data + at + 1, bytes->data + at, bytes->len - at - 1);
		bytes->data[at] = byte;
		break;
	case 3:
		bytes->len = at;
		break;
	default:
		bytes->data[at] = byte;
	}
}

/* ---- Tests ---- */

START_TEST(documents)
{
	struct prng prng = {20011};
	struct strbuf bytes = {0}, damaged = {0};
	struct tally whole = {0}, broken = {0};
	msgpack_packer packer;

	msgpack_packer_init(&packer, &bytes, write_bytes);
	for (unsigned round = 0; round < 4000; round++) {
		strbuf_clear(&bytes);
		pack_random(&prng, &packer, 5);
		/* what is packed is never refused, but for its end */
		check_readers(strbuf_slice(&bytes), &whole);
		ck_assert_uint_eq(whole.n_agreed, round + 1);
		for (unsigned i = 0; i < 4; i++) {
			strbuf_clear(&damaged);
			strbuf_add(&damaged, bytes.data, bytes.len);
			for (uint64_t n = prng_below(&prng, 4) + 1; n > 0; n--) {
				damage(&prng, &damaged);
			}
			cap_claims(&damaged);
			check_readers(strbuf_slice(&damaged), &broken);
		}
	}
	ck_assert_uint_eq(whole.n_refused, 4000);
	ck_assert_uint_gt(broken.n_agreed, 4000);
	ck_assert_uint_gt(broken.n_refused, 4000);
	ck_assert_uint_gt(broken.n_not_utf8, 50);
	strbuf_free(&bytes);
	strbuf_free(&damaged);
}
END_TEST

/* Each first byte, with too few and with enough bytes of chance behind it. */
START_TEST(first_bytes)
{
	struct prng prng = {31};
	struct strbuf bytes = {0};
	struct tally tally = {0};

	for (unsigned first = 0; first < 256; first++) {
		for (unsigned round = 0; round < 80; round++) {
			strbuf_clear(&bytes);
			strbuf_add_char(&bytes, (char)first);
			/* small numbers are lengths that can be there */
			uint64_t n_zero = prng_below(&prng, 5), length = prng_below(&prng, 40);
			for (uint64_t i = 0; i < length; i++) {
				unsigned shift = (unsigned)prng_below(&prng, 8);
				strbuf_add_char(
				    &bytes,
				    (char)(i < n_zero ? 0 : (prng_next(&prng) & 0xff) >> shift));
			}
			cap_claims(&bytes);
			check_readers(strbuf_slice(&bytes), &tally);
		}
	}
	ck_assert_uint_gt(tally.n_agreed, 5000);
	ck_assert_uint_gt(tally.n_refused, 5000);
	ck_assert_uint_gt(tally.n_not_utf8, 50);
	strbuf_free(&bytes);
}
END_TEST

/* Forms of 32 bits, and containers in each other up to the limit of msgpack-c and above. */
START_TEST(large_and_deep)
{
	struct strbuf bytes = {0};
	struct tally tally = {0};
	msgpack_packer packer;

	msgpack_packer_init(&packer, &bytes, write_bytes);
	for (unsigned n = 65535; n <= 65536; n++) {
		strbuf_clear(&bytes);
		msgpack_pack_array(&packer, n);
		for (unsigned i = 0; i < n; i++) {
			msgpack_pack_unsigned_int(&packer, i);
		}
		msgpack_pack_map(&packer, n);
		for (unsigned i = 0; i < n; i++) {
			msgpack_pack_unsigned_int(&packer, i);
			msgpack_pack_nil(&packer);
		}
		check_readers(strbuf_slice(&bytes), &tally);
		check_readers((struct slice){bytes.data, bytes.len - 1}, &tally);
	}
	ck_assert_uint_eq(tally.n_agreed, 6);
	ck_assert_uint_eq(tally.n_deep, 0);
	for (unsigned depth = 1; depth <= 2 * ORACLE_DEPTH; depth++) {
		strbuf_clear(&bytes);
		for (unsigned i = 0; i < depth; i++) {
			if (i & 1) {
				msgpack_pack_map(&packer, 1);
				msgpack_pack_int(&packer, (int)i);
			} else {
				msgpack_pack_array(&packer, 1);
			}
		}
		msgpack_pack_nil(&packer);
		check_readers(strbuf_slice(&bytes), &tally);
		check_readers((struct slice){bytes.data, bytes.len - 1}, &tally);
	}
	ck_assert_uint_eq(tally.n_agreed, 6 + ORACLE_DEPTH);
	ck_assert_uint_eq(tally.n_deep, ORACLE_DEPTH);
	strbuf_free(&bytes);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("msgpack_oracle");
	TCase *tests = tcase_create("against msgpack-c");

	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, documents);
	tcase_add_test(tests, first_bytes);
	tcase_add_test(tests, large_and_deep);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}

#else

int
main(void)
{
	puts("1..0 # SKIP msgpack-c is not installed");
	return 0;
}

#endif
