/* Values to bytes and back: what was written comes back, in pieces, too; what was never written so
 * is refused, and nothing is read beyond it. */
#include "config.h"
#include "util/pack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"
#include "util/prng.h"

/* Pieces in memory. */
struct pieces {
	struct strbuf all[64];
	size_t n, next;
};

static int
turn(void *user, struct pack *pack, struct err *err)
{
	struct pieces *pieces = user;

	(void)err;
	if (pack->is_reading) {
		if (pieces->next < pieces->n) {
			strbuf_add_slice(&pack->bytes, strbuf_slice(&pieces->all[pieces->next++]));
		}
		return 0;
	}
	ck_assert_uint_lt(pieces->n, 64);
	strbuf_add_slice(&pieces->all[pieces->n++], strbuf_slice(&pack->bytes));
	strbuf_clear(&pack->bytes);
	return 0;
}

static void
pieces_free(struct pieces *pieces)
{
	for (size_t i = 0; i < pieces->n; i++) {
		strbuf_free(&pieces->all[i]);
	}
	*pieces = (struct pieces){0};
}

/* A thing with one of each kind. */
struct thing {
	uint64_t whole;
	int64_t sign;
	uint32_t small;
	uint8_t byte;
	bool flag;
	double real;
	struct slice text;
	char *string, *nothing;
	char field[8];
	uint32_t *list;
	size_t n, capacity;
};

static void
pack_thing(struct pack *pack, struct thing *thing)
{
	pack_break(pack);
	PACK(pack, thing->whole);
	PACK(pack, thing->sign);
	PACK(pack, thing->small);
	PACK(pack, thing->byte);
	PACK(pack, thing->flag);
	PACK(pack, thing->real);
	pack_slice(pack, &thing->text);
	pack_string(pack, &thing->string);
	pack_string(pack, &thing->nothing);
	pack_field(pack, thing->field, sizeof thing->field);
	PACK_ARRAY(pack, thing->list, thing->n, thing->capacity, pack_small);
}

static void
thing_free(struct thing *thing)
{
	free(thing->string);
	free(thing->nothing);
	free(thing->list);
}

static void
write_thing(struct pieces *pieces)
{
	uint32_t list[] = {1, UINT32_MAX, 0};
	struct pack pack = {.user = pieces, .piece = turn};
	struct err err = ERR_INIT;
	struct thing thing = {.whole = UINT64_MAX,
	                      .sign = INT64_MIN,
	                      .small = UINT32_MAX,
	                      .byte = 255,
	                      .flag = true,
	                      .real = -0.0,
	                      .text = {"a\0b", 3},
	                      .string = (char *)"text",
	                      .field = "sevenis",
	                      .list = list,
	                      .n = 3};

	pack_thing(&pack, &thing);
	ck_assert_int_eq(pack_end(&pack, &err), 0);
}

static int
read_thing(struct pieces *pieces, struct thing *thing, struct err *err)
{
	struct pack pack = {.is_reading = true, .user = pieces, .piece = turn};

	pieces->next = 0;
	*thing = (struct thing){0};
	pack_thing(&pack, thing);
	thing->text = (struct slice){0}; /* it was lent */
	return pack_end(&pack, err);
}

START_TEST(one_of_each_comes_back)
{
	struct pieces pieces = {0};
	struct pack pack = {.is_reading = true, .user = &pieces, .piece = turn};
	struct thing thing = {0};
	struct err err = ERR_INIT;

	write_thing(&pieces);
	pack_thing(&pack, &thing);
	ck_assert_uint_eq(thing.whole, UINT64_MAX);
	ck_assert_int_eq(thing.sign, INT64_MIN);
	ck_assert_uint_eq(thing.small, UINT32_MAX);
	ck_assert_uint_eq(thing.byte, 255);
	ck_assert(thing.flag);
	ck_assert(thing.real == 0 && signbit(thing.real));
	ck_assert_uint_eq(thing.text.len, 3);
	ck_assert_mem_eq(thing.text.ptr, "a\0b", 3);
	ck_assert_str_eq(thing.string, "text");
	ck_assert_ptr_null(thing.nothing);
	ck_assert_str_eq(thing.field, "sevenis");
	ck_assert_uint_eq(thing.n, 3);
	ck_assert_uint_eq(thing.list[1], UINT32_MAX);
	ck_assert_int_eq(pack_end(&pack, &err), 0);
	thing_free(&thing);
	pieces_free(&pieces);
}
END_TEST

START_TEST(numbers_come_back)
{
	struct pieces pieces = {0};
	struct pack out = {.user = &pieces, .piece = turn};
	struct pack in = {.is_reading = true, .user = &pieces, .piece = turn};
	struct prng prng = {3};
	struct err err = ERR_INIT;

	for (unsigned i = 0; i < 2000; i++) {
		uint64_t number = prng_next(&prng) >> i % 64;
		int64_t sign = (int64_t)number * (i % 2 ? -1 : 1);
		PACK(&out, number);
		PACK(&out, sign);
	}
	ck_assert_int_eq(pack_end(&out, &err), 0);
	prng = (struct prng){3};
	pack_break(&in);
	for (unsigned i = 0; i < 2000; i++) {
		uint64_t number = prng_next(&prng) >> i % 64, found = 0;
		int64_t sign = (int64_t)number * (i % 2 ? -1 : 1), found_sign = 0;
		PACK(&in, found);
		PACK(&in, found_sign);
		ck_assert_uint_eq(found, number);
		ck_assert_int_eq(found_sign, sign);
	}
	ck_assert_int_eq(pack_end(&in, &err), 0);
	pieces_free(&pieces);
}
END_TEST

START_TEST(texts_come_back_those_that_are_reserved_too)
{
	struct pieces pieces = {0};
	struct pack out = {.user = &pieces, .piece = turn};
	struct pack in = {.is_reading = true, .user = &pieces, .piece = turn};
	struct intern *texts = intern_new(), *back = intern_new();
	struct err err = ERR_INIT;
	char *large = malloc(100000);

	memset(large, 'x', 100000);
	(void)intern_reserve(texts);
	(void)intern_id(texts, slice_of(""));
	(void)intern_reserve(texts);
	uint32_t settled = intern_reserve(texts);
	(void)intern_settle(texts, settled, slice_of("later"));
	for (uint32_t i = 0; i < 40; i++) { /* some pieces of them */
		memcpy(large, &i, sizeof i);
		(void)intern_id(texts, (struct slice){large, 100000});
	}
	pack_intern(&out, texts);
	ck_assert_int_eq(pack_end(&out, &err), 0);
	ck_assert_uint_gt(pieces.n, 2);
	pack_break(&in);
	pack_intern(&in, back);
	ck_assert_int_eq(pack_end(&in, &err), 0);
	ck_assert_uint_eq(intern_count(back), intern_count(texts));
	for (uint32_t id = 0; id < intern_count(texts); id++) {
		ck_assert(slice_equal(intern_text(texts, id), intern_text(back, id)));
	}
	ck_assert_uint_eq(intern_find(back, slice_of("")), 1);
	ck_assert_uint_eq(intern_reserve(back), intern_count(texts));
	intern_free(texts);
	intern_free(back);
	free(large);
	pieces_free(&pieces);
}
END_TEST

START_TEST(what_is_cut_or_too_long_is_refused)
{
	struct pieces pieces = {0};
	struct err err = ERR_INIT;
	struct thing thing;

	write_thing(&pieces);
	ck_assert_uint_eq(pieces.n, 1);
	struct strbuf whole = pieces.all[0];
	for (size_t length = 0; length < whole.len; length++) {
		pieces.all[0] = (struct strbuf){0};
		strbuf_add(&pieces.all[0], whole.data, length);
		ck_assert_msg(read_thing(&pieces, &thing, &err) != 0, "cut at %zu", length);
		ck_assert_int_eq(err.code, ERR_FORMAT);
		thing_free(&thing);
		strbuf_free(&pieces.all[0]);
	}
	pieces.all[0] = whole;
	strbuf_add_char(&pieces.all[0], '\0');
	ck_assert_int_ne(read_thing(&pieces, &thing, &err), 0);
	thing_free(&thing);
	pieces_free(&pieces);
}
END_TEST

/* Bytes that can't have been written: what they are read as. */
static const struct {
	const char *bytes;
	size_t length;
	char as;
} hostile[] = {
    {"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 10, 'u'}, /* 65 bits */
    {"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11, 'u'},
    {"\x80\x80\x80\x80\x10", 5, 's'}, /* 2^32 */
    {"\x80\x02", 2, 'b'},
    {"\x02", 1, 'f'},
    {"\x05"
     "abcd",
     5, 't'},
    {"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"
     "a",
     11, 't'},
    {"\x08"
     "abcdefgh",
     9, '8'},
    {"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x01", 11, 'a'}, /* a count */
    {"\xff\xff\xff\xff\x0f\x01", 6, 'i'},
    {"\x02\x00\x01"
     "a\x00\x01"
     "a",
     7, 'i'}, /* a text twice */
};

static void
read_as(struct pack *pack, char as)
{
	struct thing thing = {0};
	struct intern *texts = intern_new();

	pack_break(pack);
	switch (as) {
	case 'u':
		PACK(pack, thing.whole);
		break;
	case 's':
		PACK(pack, thing.small);
		break;
	case 'b':
		PACK(pack, thing.byte);
		break;
	case 'f':
		PACK(pack, thing.flag);
		break;
	case 't':
		pack_slice(pack, &thing.text);
		break;
	case '8':
		pack_field(pack, thing.field, sizeof thing.field);
		break;
	case 'a':
		PACK_ARRAY(pack, thing.list, thing.n, thing.capacity, pack_small);
		break;
	default:
		pack_intern(pack, texts);
	}
	ck_assert(thing.whole == 0 && thing.small == 0 && thing.byte == 0 && !thing.flag);
	ck_assert(thing.text.len == 0 && thing.field[0] == '\0' && thing.n <= 2);
	intern_free(texts);
	thing_free(&thing);
}

START_TEST(hostile_bytes_are_refused)
{
	struct pieces pieces = {.n = 1};
	struct pack pack = {.is_reading = true, .user = &pieces, .piece = turn};
	struct err err = ERR_INIT;

	strbuf_add(&pieces.all[0], hostile[_i].bytes, hostile[_i].length);
	read_as(&pack, hostile[_i].as);
	ck_assert(pack.failed);
	ck_assert_int_ne(pack_end(&pack, &err), 0);
	ck_assert_int_eq(err.code, ERR_FORMAT);
	pieces_free(&pieces);
}
END_TEST

static int
give_nothing(void *user, struct pack *pack, struct err *err)
{
	(void)user;
	(void)pack;
	return err_set(err, ERR_SYSTEM, "no more");
}

START_TEST(who_has_no_piece_says_why)
{
	struct pack pack = {.is_reading = true, .piece = give_nothing};
	struct err err = ERR_INIT;
	uint64_t number = 5;

	pack_break(&pack);
	PACK(&pack, number);
	ck_assert_uint_eq(number, 0);
	ck_assert_int_ne(pack_end(&pack, &err), 0);
	ck_assert_int_eq(err.code, ERR_SYSTEM);
	ck_assert_str_eq(err.message, "no more");
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("pack");
	TCase *tcase = tcase_create("pack");

	tcase_add_test(tcase, one_of_each_comes_back);
	tcase_add_test(tcase, numbers_come_back);
	tcase_add_test(tcase, texts_come_back_those_that_are_reserved_too);
	tcase_add_test(tcase, what_is_cut_or_too_long_is_refused);
	tcase_add_loop_test(tcase, hostile_bytes_are_refused, 0, sizeof hostile / sizeof *hostile);
	tcase_add_test(tcase, who_has_no_piece_says_why);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
