/* The restricted pickle reader: streams as numpy writes them in protocols 2 to 5, and everything
 * that must be refused, where it is. */
#include "config.h"

#include <string.h>
#include <time.h>

#include "unit.h"
#include "input/pickle.h"
#include "util/mem.h"

#define BYTES(text) ((struct slice){text, sizeof(text) - 1})

/* Parts of an array of N dicts, protocol 3. */
#define P3 "\x80\x03"
#define ARRAY                                                                                      \
	"cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\x00\x85"                         \
	"C\x01"                                                                                    \
	"b\x87R"
#define TYPE "cnumpy\ndtype\nX\x02\x00\x00\x00O8\x89\x88\x87R"
#define TYPE_STATE                                                                                 \
	"(K\x03X\x01\x00\x00\x00|NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK?t"                         \
	"b"
#define BEGIN(n) P3 ARRAY "(K\x01K" n "\x85" TYPE TYPE_STATE "\x89"
#define END "tb."
#define TEXT_A                                                                                     \
	"X\x01\x00\x00\x00"                                                                        \
	"a"
#define TEXT_B                                                                                     \
	"X\x01\x00\x00\x00"                                                                        \
	"b"

/* "a=1 b='x' | ..." */
static const char *
show(const struct pickle_array *array)
{
	static char text[4096];
	size_t n = 0;

	text[0] = '\0';
	for (size_t i = 0; i < array->n_items && n < sizeof text - 200; i++) {
		const struct pickle_dict *dict = &array->dicts[array->items[i]];
		n += (size_t)snprintf(text + n, sizeof text - n, i ? " |" : "");
		for (size_t k = 0; k < dict->n_entries && n < sizeof text - 100; k++) {
			const struct pickle_entry *entry = &dict->entries[k];
			n += (size_t)snprintf(text + n, sizeof text - n,
			                      " %.*s=", (int)entry->key.len, entry->key.ptr);
			switch (entry->type) {
			case PICKLE_TEXT:
				n += (size_t)snprintf(text + n, sizeof text - n, "'%.*s'",
				                      (int)entry->text.len, entry->text.ptr);
				break;
			case PICKLE_INTEGER:
				n += (size_t)snprintf(text + n, sizeof text - n, "%lld",
				                      (long long)entry->integer);
				break;
			case PICKLE_REAL:
				n += (size_t)snprintf(text + n, sizeof text - n, "%g", entry->real);
				break;
			case PICKLE_NONE:
				n += (size_t)snprintf(text + n, sizeof text - n, "None");
				break;
			}
		}
	}
	return text;
}

static void
check(struct slice bytes, uint64_t n_items, const char *expected)
{
	struct pickle_array array = {0};
	struct err err = ERR_INIT;

	int result = pickle_read(bytes, 0, n_items, &array, &err);
	ck_assert_msg(result == 0, "%s", err.message);
	ck_assert_uint_eq(array.n_bytes, bytes.len);
	ck_assert_str_eq(show(&array), expected);
	pickle_free(&array);
}

/* Refused with these words in the message. */
static void
refuse_n(struct slice bytes, uint64_t n_items, const char *where, const char *why)
{
	struct pickle_array array = {0};
	struct err err = ERR_INIT;

	ck_assert_msg(pickle_read(bytes, 128, n_items, &array, &err) == -1, "%s", why);
	ck_assert_msg(strstr(err.message, why) && strstr(err.message, where), "%s, not %s %s",
	              err.message, where, why);
	ck_assert_ptr_null(array.dicts);
}

static void
refuse(struct slice bytes, const char *where, const char *why)
{
	refuse_n(bytes, 1, where, why);
}

START_TEST(what_numpy_writes)
{
	check(BYTES(BEGIN("\x00") "]" END), 0, "");
	check(BYTES(BEGIN("\x01") "]}" TEXT_A TEXT_B "sa" END), 1, " a='b'");
	check(BYTES(BEGIN("\x02") "](}(" TEXT_A "K\x07" TEXT_B "Nu}" TEXT_A
	                          "G\x3f\xf8\0\0\0\0\0\0se" END),
	      2, " a=7 b=None | a=1.5");
	/* items in several groups, items one by one, DICT, LIST, TUPLE2 dropped by POP, a mark by
	 * POP_MARK */
	check(BYTES(BEGIN("\x03") "](}e}a(" TEXT_A "K\x01"
	                          "da" END),
	      3, " | | a=1");
	check(BYTES(BEGIN("\x01") "NN\x86"
	                          "0(NNN1(}l" END),
	      1, "");
	/* integers */
	check(BYTES(BEGIN("\x01") "]}(" TEXT_A "J\xfe\xff\xff\xff" TEXT_B "M\xff\xff"
	                          "ua" END),
	      1, " a=-2 b=65535");
	check(BYTES(BEGIN("\x01") "]}(" TEXT_A "\x8a\x00" TEXT_B "\x8a\x02\x00\xff"
	                          "ua" END),
	      1, " a=0 b=-256");
	check(BYTES(BEGIN("\x01") "]}(" TEXT_A "\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f" TEXT_B
	                          "\x8b\x08\0\0\0\0\0\0\0\0\0\0\x80"
	                          "ua" END),
	      1, " a=9223372036854775807 b=-9223372036854775808");
}
END_TEST

/* The flags of the type are integers where older numpy wrote them. */
START_TEST(integer_flags)
{
#define INTEGER_TYPE(first, second) "cnumpy\ndtype\nX\x02\x00\x00\x00O8" first second "\x87R"
	check(BYTES(P3 ARRAY "(K\x01K\x01\x85" INTEGER_TYPE("K\x00", "K\x01") TYPE_STATE
	            "\x89]}" TEXT_A TEXT_B "sa" END),
	      1, " a='b'");
	check(BYTES(P3 ARRAY "(K\x01K\x01\x85" INTEGER_TYPE("\x89", "K\x01") TYPE_STATE
	            "\x89]}" TEXT_A TEXT_B "sa" END),
	      1, " a='b'");
}
END_TEST

START_TEST(protocols_2_4_and_5)
{
	static const char module_2[] =
	    "\x80\x02"
	    "cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\x00\x85"
	    "c_codecs\nencode\nX\x01\x00\x00\x00"
	    "bX\x06\x00\x00\x00latin1\x86R\x87R"
	    "(K\x01K\x01\x85" TYPE TYPE_STATE "\x89]}" TEXT_A TEXT_B "sa" END;
	static const char four[] =
	    "\x95\xb0\x00\x00\x00\x00\x00\x00\x00\x8c\x16numpy._core.multiarray\x94\x8c\x0c_"
	    "reconstruct\x94\x93\x94"
	    "\x8c\x05numpy\x94\x8c\x07ndarray\x94\x93\x94K\x00\x85\x94"
	    "C\x01"
	    "b\x94\x87\x94R\x94(K\x01K\x01\x85\x94"
	    "h\x03\x8c\x05"
	    "dtype\x94\x93\x94\x8c\x02O8\x94\x89\x88\x87\x94R\x94(K\x03\x8c\x01|\x94NNN"
	    "J\xff\xff\xff\xffJ\xff\xff\xff\xffK?t\x94"
	    "b\x89]\x94}\x94\x8c\x03pod\x94\x8c\x02"
	    "12\x94sat\x94"
	    "b."
	    "                              ";
	struct pickle_array array = {0};
	struct err err = ERR_INIT;
	struct strbuf stream = {NULL, 0, 0};

	check(BYTES(module_2), 1, " a='b'");
	for (char protocol = 4; protocol <= 5; protocol++) {
		strbuf_clear(&stream);
		strbuf_add_char(&stream, (char)0x80);
		strbuf_add_char(&stream, protocol);
		strbuf_add(&stream, four, sizeof four - 1);
		ck_assert_msg(pickle_read(strbuf_slice(&stream), 0, 1, &array, &err) == 0, "%s",
		              err.message);
		ck_assert_str_eq(show(&array), " pod='12'");
		ck_assert_uint_eq(array.n_bytes,
		                  stream.len - 30); /* what follows is told, not read */
		pickle_free(&array);
	}
	strbuf_free(&stream);
}
END_TEST

START_TEST(names_and_calls)
{
	refuse(BYTES(P3 "cbuiltins\nprint\n"), "byte 130, opcode GLOBAL", "names something");
	refuse(BYTES(P3 "cnumpy\nload\n"), "GLOBAL", "names something");
	refuse(BYTES(P3 "cnumpy.core.multiarray\nndarray\n"), "GLOBAL", "names something");
	refuse(BYTES(P3 "cnumpy"), "GLOBAL", "data end");
	refuse(BYTES("\x80\x04\x8c\x05posix\x8c\x06system\x93"), "STACK_GLOBAL", "names something");
	refuse(BYTES("\x80\x04K\x01\x8c\x06system\x93"), "STACK_GLOBAL", "not text");
	/* the right names, called otherwise */
	refuse(BYTES(P3 "cnumpy\nndarray\n)R"), "REDUCE", "calls something");
	refuse(BYTES(P3 "cnumpy\ndtype\nX\x02\x00\x00\x00"
	                "f8\x89\x88\x87R"),
	       "REDUCE", "calls something in a way");
	refuse(BYTES(P3 "cnumpy\ndtype\nX\x02\x00\x00\x00O8K\x00K\x02\x87R"), "REDUCE", "in a way");
	refuse(BYTES(P3 "cnumpy\ndtype\nX\x02\x00\x00\x00O8J\xff\xff\xff\xffK\x01\x87R"), "REDUCE",
	       "in a way");
	refuse(BYTES(P3 "c_codecs\nencode\nX\x01\x00\x00\x00"
	                "bX\x05\x00\x00\x00rot13\x86R"),
	       "REDUCE", "calls something");
	refuse(BYTES(P3 "cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\x01\x85"
	                "C\x01"
	                "b\x87R"),
	       "REDUCE", "in a way");
	refuse(BYTES(P3 "cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\x00\x85"
	                "C\x01"
	                "c\x87R"),
	       "REDUCE", "in a way");
	refuse(BYTES(P3 ARRAY ARRAY), "REDUCE", "in a way");
	refuse(BYTES(P3 TYPE TYPE), "REDUCE", "in a way");
	refuse(BYTES(P3 "cnumpy\ndtype\n]R"), "REDUCE", "without a tuple");
	refuse(BYTES(P3 "])R"), "REDUCE", "calls something");
	refuse(BYTES(P3 "]Nb"), "BUILD", "takes none");
	refuse(BYTES(P3 TYPE ")b"), "BUILD", "dtype");
	refuse(BYTES(P3 TYPE TYPE_STATE TYPE_STATE), "BUILD", "dtype");
	refuse(BYTES(P3 ARRAY ")b"), "BUILD", "array");
	/* the type without its state */
	refuse(BYTES(P3 ARRAY "(K\x01K\x00\x85" TYPE "\x89]" END), "BUILD", "array");
}
END_TEST

START_TEST(opcodes_that_are_refused)
{
	/* all that protocols 0 to 5 know, but for those that arrays need, and all that none
	 * knows */
	static const char needed[] =
	    ".(01Ncbaesul]})tdRqrhjJKMGBCX\x85\x86\x87\x88\x89\x8a\x8b\x8c\x8d\x93\x94\x95";
	char stream[] = P3 "]]? ";

	for (int opcode = 0; opcode < 256; opcode++) {
		if (opcode && strchr(needed, opcode)) {
			continue;
		}
		stream[4] = (char)opcode;
		refuse((struct slice){stream, sizeof stream - 1}, "byte 132", "don't need it");
	}
	refuse(BYTES(P3 "(X\x01\x00\x00\x00"
	                "aibuiltins\nprint\n."),
	       "opcode INST", "need");
	refuse(BYTES(P3 "Pabc\n."), "opcode PERSID", "need");
	refuse(BYTES(P3 P3), "opcode PROTO", "need");
}
END_TEST

START_TEST(lengths_and_ends)
{
	refuse(BYTES(""), "", "protocol");
	refuse(BYTES("\x80"), "", "protocol");
	refuse(BYTES("(lp0\n."), "opcode MARK", "protocol");
	refuse(BYTES("\x80\x01."), "PROTO", "none of 2 to 5");
	refuse(BYTES("\x80\x06."), "PROTO", "none of 2 to 5");
	refuse(BYTES(P3 "X\xff\xff\xff\x7f"
	                "abc."),
	       "BINUNICODE", "longer than the data");
	refuse(BYTES("\x80\x04\x8d\xff\xff\xff\xff\xff\xff\xff\xff"
	             "a"),
	       "BINUNICODE8", "longer");
	refuse(BYTES("\x80\x04\x95\x02\x00\x00\x00\x00\x00\x00\x00]"), "FRAME", "longer");
	refuse(BYTES(P3 "B\x05\x00\x00\x00"
	                "abcd"),
	       "BINBYTES", "longer");
	refuse(BYTES(P3 "J\x01"), "BININT", "data end");
	refuse(BYTES(P3 "\x8a\x09"
	                "123456789"),
	       "LONG1", "64 bits");
	refuse(BYTES(P3 "\x8b\xff\xff\xff\xff"), "LONG4", "longer");
	refuse(BYTES(P3 "X\x01\x00\x00\x00\xff"), "BINUNICODE", "UTF-8");
	refuse(BYTES(P3 "]"), "byte 131, opcode end", "data end before");
	refuse(BYTES(P3 "]."), "STOP", "not an array");
	refuse(BYTES(P3 "."), "STOP", "not an array");
	refuse(BYTES(P3 ARRAY "."), "STOP", "not an array");
	refuse_n(BYTES(P3 "N" ARRAY "(K\x01K\x00\x85" TYPE TYPE_STATE "\x89]" END), 0, "STOP",
	         "not an array");
}
END_TEST

START_TEST(stack_and_memo)
{
	refuse(BYTES(P3 "e"), "APPENDS", "no mark");
	refuse(BYTES(P3 "t"), "TUPLE", "no mark");
	refuse(BYTES(P3 "1"), "POP_MARK", "no mark");
	refuse(BYTES(P3 "0"), "POP", "nothing");
	refuse(BYTES(P3 "R"), "REDUCE", "nothing");
	refuse(BYTES(P3 "N\x87"), "TUPLE3", "too little");
	refuse(BYTES(P3 "N(\x85"), "TUPLE1", "too little"); /* not across a mark */
	refuse(BYTES(P3 "(e"), "APPENDS", "too little");
	refuse(BYTES(P3 "}Na"), "APPEND", "no list");
	refuse(BYTES(P3 "]NNs"), "SETITEM", "no dict");
	refuse(BYTES(P3 "}K\x01K\x01s"), "SETITEM", "not text");
	refuse(BYTES(P3 "}(" TEXT_A "u"), "SETITEMS", "no value");
	refuse(BYTES(P3 "h\x07"), "BINGET", "never put");
	refuse(BYTES(P3 "Nq\x05h\x04"), "BINGET", "never put");
	refuse(BYTES(P3 "j\xff\xff\xff\xff"), "LONG_BINGET", "never put");
	refuse(BYTES(P3 "q\x00"), "BINPUT", "nothing");
	refuse(BYTES(P3 "Nr\x40\x42\x0f\x00"), "LONG_BINPUT", "no such place"); /* 1 000 000 */
	refuse(BYTES("\x80\x04\x94"), "MEMOIZE", "nothing");
}
END_TEST

START_TEST(containers_in_containers)
{
	refuse(BYTES(P3 "]q\0h\0a"), "APPEND", "itself");
	refuse(BYTES(P3 "]q\0]h\0aa"), "APPEND", "grows after");
	refuse(BYTES(P3 "}q\0" TEXT_A "]h\0as"), "SETITEM", "grows after");
	refuse(BYTES(P3 "((((((((((((((((((((((((((((((((("), "MARK", "too deeply");
	char deep[200] = P3;
	memset(deep + 2, ']', 50);
	memset(deep + 52, 'a', 49);
	refuse((struct slice){deep, 101}, "APPEND", "too deeply");
	/* 33 tuples around nothing */
	memset(deep + 2, 0x85, 60);
	deep[2] = ')';
	refuse((struct slice){deep, 60}, "TUPLE1", "too deeply");
}
END_TEST

START_TEST(items_of_the_array)
{
	refuse_n(BYTES(BEGIN("\x02") "]}a" END), 2, "BUILD", "number of items");
	refuse_n(BYTES(BEGIN("\x01") "]}a" END), 2, "BUILD", "number of items");
	refuse_n(BYTES(BEGIN("\x02") "](}}e" END), 1, "BUILD", "number of items");
	refuse(BYTES(BEGIN("\x01") "]Na" END), "BUILD", "not a dict");
	refuse(BYTES(BEGIN("\x01") "]]a" END), "BUILD", "not a dict");
	refuse(BYTES(BEGIN("\x01") "]}" TEXT_A "\x88sa" END), "STOP", "neither text");
	refuse(BYTES(BEGIN("\x01") "]}" TEXT_A "]sa" END), "STOP", "neither text");
	refuse(BYTES(BEGIN("\x01") "]}(" TEXT_A "N" TEXT_A "Nua" END), "STOP", "stands twice");
	/* a shape of several dimensions, and one that overflows */
	check(BYTES(P3 ARRAY "(K\x01K\x02K\x01\x86" TYPE TYPE_STATE "\x89](}}e" END), 2, " |");
	refuse_n(BYTES(P3 ARRAY
	               "(K\x01(J\xff\xff\xff\x7fJ\xff\xff\xff\x7fJ\xff\xff\xff\x7ft" TYPE TYPE_STATE
	               "\x89]" END),
	         0, "BUILD", "number of items");
	refuse_n(BYTES(P3 ARRAY "(K\x01J\xff\xff\xff\xff\x85" TYPE TYPE_STATE "\x89]" END), 0,
	         "BUILD", "number of items");
}
END_TEST

/* One dict with many entries stands in the array many times: it is there once, and costs so. */
START_TEST(references_are_no_copies)
{
	struct strbuf stream = {NULL, 0, 0};
	struct pickle_array array = {0};
	struct err err = ERR_INIT;
	enum { ENTRIES = 20000, ITEMS = 60000 };

	strbuf_add(&stream, P3 ARRAY "(K\x01J", sizeof P3 ARRAY "(K\x01J" - 1);
	uint32_t n = ITEMS;
	strbuf_add(&stream, &n, sizeof n);
	strbuf_add(&stream, "\x85" TYPE TYPE_STATE "\x89]}q\x01(",
	           sizeof "\x85" TYPE TYPE_STATE "\x89]}q\x01(" - 1);
	for (int i = 0; i < ENTRIES; i++) {
		char key[16];
		uint32_t length = (uint32_t)snprintf(key, sizeof key, "k%d", i);
		strbuf_add_char(&stream, 'X');
		strbuf_add(&stream, &length, sizeof length);
		strbuf_add(&stream, key, length);
		strbuf_add(&stream, "K\x01", 2);
	}
	strbuf_add(&stream, "u0(", 3);
	for (int i = 0; i < ITEMS; i++) {
		strbuf_add(&stream, "h\x01", 2);
	}
	strbuf_add(&stream, "e" END, 1 + sizeof END - 1);
	ck_assert_msg(pickle_read(strbuf_slice(&stream), 0, ITEMS, &array, &err) == 0, "%s",
	              err.message);
	ck_assert_uint_eq(array.n_items, ITEMS);
	ck_assert_uint_eq(array.n_dicts, 1);
	ck_assert_uint_eq(array.dicts[0].n_entries, ENTRIES);
	pickle_free(&array);

	/* lists that hold the list before them twice: a stream of a few bytes that would be
	 * gigabytes */
	strbuf_clear(&stream);
	strbuf_add(&stream, P3 "]q\0", 5);
	for (char i = 0; i < 60; i++) {
		char doubled[] = {']', '(', 'h', i, 'h', i, 'e', 'q', (char)(i + 1)};
		strbuf_add(&stream, doubled, sizeof doubled);
	}
	refuse(strbuf_slice(&stream), "APPENDS", "too deeply");
	strbuf_free(&stream);
}
END_TEST

START_TEST(stack_without_bound)
{
	size_t n = (size_t)20 << 20;
	char *stream = xmalloc(n);

	memset(stream, 'N', n);
	memcpy(stream, P3, 2);
	refuse((struct slice){stream, n}, "NONE", "without bound");
	for (size_t i = 2; i + 1 < n; i += 2) {
		memcpy(stream + i, "N0", 2);
	}
	refuse((struct slice){stream, n}, "end", "data end"); /* 10 M values, one after the other */
	free(stream);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("pickle");
	TCase *cases = tcase_create("pickle");

	tcase_add_test(cases, what_numpy_writes);
	tcase_add_test(cases, integer_flags);
	tcase_add_test(cases, protocols_2_4_and_5);
	tcase_add_test(cases, names_and_calls);
	tcase_add_test(cases, opcodes_that_are_refused);
	tcase_add_test(cases, lengths_and_ends);
	tcase_add_test(cases, stack_and_memo);
	tcase_add_test(cases, containers_in_containers);
	tcase_add_test(cases, items_of_the_array);
	tcase_add_test(cases, references_are_no_copies);
	tcase_add_test(cases, stack_without_bound);
	suite_add_tcase(suite, cases);
	return unit_run(suite);
}
