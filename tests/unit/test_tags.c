/* Files of tags, hostile ones as well, and patterns of paths. */
#include "config.h"

#include "ingest/tag_file.h"
#include "unit/folder.h"
#include "unit/unit.h"
#include "util/tag_list.h"
#include "util/tag_pattern.h"

static const char *folder;
static char path[256];

static void
set_up(void)
{
	folder = folder_new();
	snprintf(path, sizeof path, "%s/t.tags", folder);
}

static void
tear_down(void)
{
	folder_remove(folder);
}

static void
write_bytes(const char *bytes, size_t n)
{
	FILE *file = fopen(path, "w");
	ck_assert(file && fwrite(bytes, 1, n, file) == n && fclose(file) == 0);
}

static int
read_text(const char *text, struct tag_list *list, struct err *err)
{
	char *identity = NULL;
	*err = (struct err)ERR_INIT;
	write_bytes(text, strlen(text));
	int rc = tag_list_read(list, path, &identity, err);
	free(identity);
	return rc;
}

START_TEST(lines_are_read)
{
	struct tag_list list = {0};
	struct err err;
	ck_assert_int_eq(
	    read_text("\xef\xbb\xbf# a comment\n\n a = 1 \r\nb=\"x  \"\nc = e\"\\x41\"\n"
	              "a=2\nidentity = 12\nd =\n e=f=g",
	              &list, &err),
	    0);
	static const char *const pairs[][2] = {
	    {"a", "2"}, {"b", "x  "}, {"c", "A"}, {"d", ""}, {"e", "f=g"}};
	ck_assert_uint_eq(list.n, 5);
	for (size_t i = 0; i < 5; i++) {
		ck_assert_str_eq(list.all[i].key, pairs[i][0]);
		ck_assert_str_eq(list.all[i].value, pairs[i][1]);
	}
	ck_assert_ptr_null(tag_list_find(&list, "identity"));
	tag_list_free(&list);
}
END_TEST

/* What is written reads back the same, whatever the value. */
START_TEST(written_reads_back)
{
	static const char *const values[] = {"4",      "",     " a", "b ", "\"q\"",       "'",
	                                     "e\"x\"", "E'y'", "e",  "#",  "caf\xc3\xa9", "a = b"};
	struct tag_list list = {0}, again = {0};
	struct err err = ERR_INIT;
	struct strbuf text = {0};
	char key[8];
	for (size_t i = 0; i < COUNT_OF(values); i++) {
		snprintf(key, sizeof key, "k%zu", i);
		ck_assert_int_eq(tag_list_set(&list, slice_of(key), slice_of(values[i]), &err), 0);
	}
	tag_list_write(&list, "0123", &text);
	write_bytes(text.data, text.len);
	char *identity = NULL;
	ck_assert_int_eq(tag_list_read(&again, path, &identity, &err), 0);
	ck_assert_str_eq(identity, "0123");
	ck_assert_uint_eq(again.n, COUNT_OF(values));
	for (size_t i = 0; i < again.n; i++) {
		ck_assert_str_eq(again.all[i].value, values[i]);
	}
	free(identity);
	strbuf_free(&text);
	tag_list_free(&list);
	tag_list_free(&again);
}
END_TEST

/* Nothing of a broken file is taken; the message has its line. */
START_TEST(broken_files_say_where)
{
	static const char *const texts[][2] = {{"a = 1\nb\n", ":2: a line is"},
	                                       {"1a = 1\n", ":1: \"1a\" can't be"},
	                                       {"a b = 1\n", ":1: \"a b\" can't be"},
	                                       {"a- = 1\n", ":1: \"a-\" can't be"},
	                                       {"= 1\n", ":1: \"\" can't be"},
	                                       {"\n\nk = \xff\n", ":3: tag k: a value"},
	                                       {"k = a\tb\n", ":1: tag k: a value"},
	                                       {"k = e\"\\n\"\n", ":1: tag k: a value"},
	                                       {"k = e\"\\0\"\n", ":1: tag k: a value"},
	                                       {"\033[2J = 1\n", ":1: \"\\x1b[2J\" can't be"}};
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		struct tag_list list = {0};
		struct err err;
		ck_assert_int_eq(read_text(texts[i][0], &list, &err), -1);
		ck_assert_msg(strstr(err.message, texts[i][1]) != NULL, "%s", err.message);
		ck_assert_uint_eq(list.n, 0);
		tag_list_free(&list);
	}
}
END_TEST

START_TEST(files_have_limits)
{
	struct tag_list list = {0};
	struct err err = ERR_INIT;
	struct strbuf text = {0};
	for (unsigned i = 0; i < TAGS_MAX; i++) {
		strbuf_printf(&text, "k%u = %u\n", i, i);
	}
	ck_assert_int_eq(read_text(text.data, &list, &err), 0);
	ck_assert_uint_eq(list.n, TAGS_MAX);
	strbuf_add_text(&text, "more = 1\n");
	ck_assert_int_eq(read_text(text.data, &list, &err), -1);
	ck_assert_int_eq(err.code, ERR_LIMIT);
	strbuf_clear(&text);
	for (unsigned i = 0; i < TAG_VALUE_BYTES + 1; i++) {
		strbuf_add_char(&text, 'x');
	}
	err = (struct err)ERR_INIT;
	ck_assert_int_eq(tag_list_set(&list, slice_of("k1"), strbuf_slice(&text), &err), -1);
	text.len--;
	ck_assert_int_eq(tag_list_set(&list, slice_of("k1"), strbuf_slice(&text), &err), 0);
	ck_assert_int_eq(tag_check_key((struct slice){text.data, TAG_KEY_BYTES}, &err), 0);
	ck_assert_int_eq(tag_check_key((struct slice){text.data, TAG_KEY_BYTES + 1}, &err), -1);
	strbuf_clear(&text);
	while (text.len <= TAG_FILE_BYTES) {
		strbuf_add_text(&text, "# nothing\n");
	}
	ck_assert_int_eq(read_text(text.data, &list, &err), -1);
	ck_assert_int_eq(err.code, ERR_LIMIT);
	strbuf_free(&text);
	tag_list_free(&list);
}
END_TEST

START_TEST(no_file_is_no_error)
{
	struct tag_list list = {0};
	struct err err = ERR_INIT;
	ck_assert_int_eq(tag_list_read(&list, path, NULL, &err), 1);
	ck_assert_int_eq(err.code, ERR_NONE);
	ck_assert_int_eq(tag_list_read(&list, folder, NULL, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.message, "no regular file"));
}
END_TEST

static int
read_file(const char *text, struct tag_list *list, struct err *err)
{
	*err = (struct err)ERR_INIT;
	write_bytes(text, strlen(text));
	return tag_file_read(list, path, err);
}

/* Files that say the same, as lines and as JSON, and what they say. */
static const struct {
	const char *lines, *json, *tags;
} forms[] = {
    {"a = 4\nb = x y\n", "{\"a\": 4, \"b\": \"x y\"}", "a=4|b=x y|"},
    {"\n\n a=1e3\nb=-0.50\nc=12345678901234567890123",
     "\xef\xbb\xbf\r\n\t {\"a\":1e3,\n\"b\":-0.50,\"c\":12345678901234567890123}\n",
     "a=1e3|b=-0.50|c=12345678901234567890123|"},
    {"a = true\nb = false\nc =\nd = \"\"", "{\"a\":true,\"b\":false,\"c\":null,\"d\":\"\"}",
     "a=true|b=false|c=|d=|"},
    {"a = 1\nb = 2\na = 3", "{\"a\":1,\"b\":2,\"a\":3}", "a=3|b=2|"},
    {"a = 1\na =", "{\"a\":1,\"a\":null}", "a=|"},
    {"a = \" x \"\nb = e\"\\\"q\\\"\"\nidentity = 7",
     "{\"a\": \" x \", \"b\": \"\\\"q\\u0022\", \"identity\": 7}", "a= x |b=\"q\"|identity=7|"},
    {"# none", "{}", ""},
};

START_TEST(both_forms_say_the_same)
{
	const char *const texts[] = {forms[_i].lines, forms[_i].json};
	for (size_t k = 0; k < COUNT_OF(texts); k++) {
		struct tag_list list = {0};
		struct err err;
		struct strbuf text = {0};
		ck_assert_msg(read_file(texts[k], &list, &err) == 0, "%s", err.message);
		for (size_t i = 0; i < list.n; i++) {
			strbuf_printf(&text, "%s=%s|", list.all[i].key, list.all[i].value);
		}
		ck_assert_str_eq(text.data ? text.data : "", forms[_i].tags);
		strbuf_free(&text);
		tag_list_free(&list);
	}
}
END_TEST

static const struct {
	const char *text, *message; /* behind the path */
} broken_json[] = {
    {"{\"a\": 1,\n\"b\": {\"c\": 1}}", ":2: tag b: a value is a text"},
    {"{\"a\": 1,\n\n\"b\": [1]}", ":3: tag b: a value is a text"},
    {"{\"a b\": 1}", ":1: \"a b\" can't be"},
    {"{\"a\\u0000\": 1}", ":1: \"a\\x00\" can't be"},
    {"{\"\": 1}", ":1: \"\" can't be"},
    {"{\"k\":\n\"a\\nb\"}", ":2: tag k: a value is one line"},
    {"{\"k\": \"a\\u0000\"}", ":1: tag k: a value is one line"},
    {"{\"k\": \"\xff\"}", ":1: byte "},
    {"{\"a\": 1,\n \"b\" 2}", ":2: byte 6: no colon"},
    {"{\"a\": 1,}", ":1: byte "},
    {"{\"a\": NaN}", ":1: byte "},
    {"{\"a\": 1", ":1: byte "},
    {"{\"a\": 1} {}", ":1: byte 10: bytes after"},
    {"\n{", ":2: byte 2: ends inside"},
    {"{a = 1}\n", ":1: byte 2: not a key in quotes; tags that begin with { are one JSON object"},
    {"[1]", ":1: a line is key = value"},
};

START_TEST(broken_json_says_where)
{
	struct tag_list list = {0};
	struct err err;
	const char *message = broken_json[_i].message;
	ck_assert_int_eq(read_file(broken_json[_i].text, &list, &err), -1);
	ck_assert_msg(strncmp(err.message, path, strlen(path)) == 0 &&
	                  strncmp(err.message + strlen(path), message, strlen(message)) == 0,
	              "%s", err.message);
	ck_assert_uint_eq(list.n, 0);
}
END_TEST

START_TEST(json_has_the_same_limits)
{
	struct tag_list list = {0};
	struct err err;
	struct strbuf text = {0};
	for (unsigned i = 0; i <= TAGS_MAX; i++) {
		strbuf_printf(&text, "%s\"k%u\":%u", i ? "," : "{", i % TAGS_MAX, i);
	}
	strbuf_add_text(&text, "}");
	ck_assert_msg(read_file(text.data, &list, &err) == 0, "%s", err.message);
	ck_assert_uint_eq(list.n, TAGS_MAX);
	text.len--;
	strbuf_add_text(&text, ",\"more\":1}");
	ck_assert_int_eq(read_file(text.data, &list, &err), -1);
	ck_assert_int_eq(err.code, ERR_LIMIT);
	for (unsigned n = TAG_VALUE_BYTES; n <= TAG_VALUE_BYTES + 1; n++) {
		strbuf_clear(&text);
		strbuf_add_text(&text, "{\"k1\":");
		for (unsigned i = 0; i < n; i++) {
			strbuf_add_char(&text, '1');
		}
		strbuf_add_text(&text, "}");
		ck_assert_int_eq(read_file(text.data, &list, &err), n > TAG_VALUE_BYTES ? -1 : 0);
	}
	strbuf_clear(&text);
	strbuf_add_char(&text, '{');
	while (text.len <= TAG_FILE_BYTES) {
		strbuf_add_char(&text, ' ');
	}
	ck_assert_int_eq(read_file(text.data, &list, &err), -1);
	ck_assert_int_eq(err.code, ERR_LIMIT);
	strbuf_free(&text);
	tag_list_free(&list);
}
END_TEST

static const struct {
	const char *pattern, *path, *tags; /* "a=1 b=2"; NULL: it does not fit */
} patterns[] = {
    {"n{nodes}_p{ppn}_{mode}", "/x/n4_p8_scr/t", "nodes=4 ppn=8 mode=scr"},
    {"n{nodes}_p{ppn}_{mode}", "n4_p8_scr_2", "nodes=4 ppn=8 mode=scr_2"},
    {"n{nodes}_p{ppn}_{mode}", "/x/an4_p8_scr/t", NULL},
    {"n{nodes}", "/n1/n2/t", "nodes=2"},
    {"n{nodes}", "/n/t", NULL},
    {"n{nodes}/t", "/n1/n2/t", "nodes=2"},
    {"n{a}/n{b}", "/n1/n2/t", "a=1 b=2"},
    {"{mode}/rep{rep}", "/scr/rep3/t", "mode=scr rep=3"},
    {"*_{mode}", "/a_b_c/t", "mode=b_c"},
    {"*_{mode}", "/_c", "mode=c"},
    {"{x}*", "/abc", "x=a"},
    {"{x}", "/a/b", "x=b"},
    {"{x}/", "/a/b", NULL},
    {"a{x}", "", NULL},
};

START_TEST(patterns_fit)
{
	struct tag_list list = {0};
	struct err err = ERR_INIT;
	struct strbuf text = {0};
	const char *tags = patterns[_i].tags;
	ck_assert_msg(tag_pattern_check(patterns[_i].pattern, &err) == 0, "%s", err.message);
	ck_assert_int_eq(tag_pattern_read(patterns[_i].pattern, slice_of(patterns[_i].path), &list),
	                 tags != NULL);
	for (size_t i = 0; i < list.n; i++) {
		strbuf_printf(&text, "%s%s=%s", i ? " " : "", list.all[i].key, list.all[i].value);
	}
	ck_assert_str_eq(text.data ? text.data : "", tags ? tags : "");
	strbuf_free(&text);
	tag_list_free(&list);
}
END_TEST

/* Each way to divide the path would be tried without a memory of what failed. */
START_TEST(patterns_take_bounded_time)
{
	struct tag_list list = {0};
	struct strbuf text = {0}, pattern = {0};
	for (int i = 0; i < 25; i++) {
		strbuf_printf(&pattern, "{k%d}a", i);
	}
	strbuf_add_text(&pattern, "b");
	for (int i = 0; i < 1000; i++) {
		strbuf_add_char(&text, 'a');
	}
	ck_assert(!tag_pattern_read(pattern.data, strbuf_slice(&text), &list));
	ck_assert_uint_eq(list.n, 0);
	strbuf_free(&text);
	strbuf_free(&pattern);
	tag_list_free(&list);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("tags");
	TCase *test_case = tcase_create("tags");
	tcase_add_checked_fixture(test_case, set_up, tear_down);
	tcase_add_test(test_case, lines_are_read);
	tcase_add_test(test_case, written_reads_back);
	tcase_add_test(test_case, broken_files_say_where);
	tcase_add_test(test_case, files_have_limits);
	tcase_add_test(test_case, no_file_is_no_error);
	tcase_add_loop_test(test_case, both_forms_say_the_same, 0, (int)COUNT_OF(forms));
	tcase_add_loop_test(test_case, broken_json_says_where, 0, (int)COUNT_OF(broken_json));
	tcase_add_test(test_case, json_has_the_same_limits);
	tcase_add_loop_test(test_case, patterns_fit, 0, (int)COUNT_OF(patterns));
	tcase_add_test(test_case, patterns_take_bounded_time);
	suite_add_tcase(suite, test_case);
	return unit_run(suite);
}
