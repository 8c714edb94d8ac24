/* Byte sources: lines of any length, chunks of any size, reading ahead, files. What is in gzip:
 * test_input_gzip.c. */
#include "config.h"

#include <fcntl.h>
#include <string.h>
#include <zlib.h>

#include "folder.h"
#include "input_gzip.h"
#include "unit.h"
#include "input/input.h"
#include "util/mem.h"
#include "util/prng.h"

START_TEST(lines)
{
	static const struct {
		const char *text;
		const char *lines[5];
		bool open;
	} cases[] = {
	    {"", {NULL}, false},
	    {"\n", {""}, false},
	    {"a", {"a"}, true},
	    {"a\n", {"a"}, false},
	    {"a\n\nbc", {"a", "", "bc"}, true},
	    {"a\r\nb\n\n", {"a\r", "b", ""}, false},
	};
	static const size_t chunks[] = {0, 1, 2, 3};

	for (size_t i = 0; i < sizeof cases / sizeof *cases * 4; i++) {
		size_t n = 0;
		bool cut = true;
		struct err err = ERR_INIT;
		struct slice line;
		struct input *input = input_from_memory(slice_of(cases[i / 4].text), chunks[i % 4]);
		while (input_line(input, &line, &cut, &err) == 1) {
			ck_assert_ptr_nonnull(cases[i / 4].lines[n]);
			ck_assert(slice_is(line, cases[i / 4].lines[n++]));
			ck_assert(!cut);
		}
		ck_assert_ptr_null(cases[i / 4].lines[n]);
		ck_assert_int_eq(input_last_line_open(input), cases[i / 4].open);
		ck_assert_uint_eq(input_offset(input), strlen(cases[i / 4].text));
		ck_assert_int_eq(input_line(input, &line, NULL, &err), 0);
		ck_assert_int_eq(input_line(input, &line, NULL, &err), 0);
		input_close(input);
	}
}
END_TEST

START_TEST(lines_of_every_length)
{
	static char filler[700000];
	struct prng prng = {11};

	for (int round = 0; round < 4; round++) {
		struct strbuf text = {NULL, 0, 0};
		size_t lengths[300], n = 0;
		while (n < 300) {
			lengths[n] = (size_t)prng_below(&prng, n % 50 == 0 ? 700000 : 2000);
			memset(filler, 'a' + (int)(n % 26), lengths[n]);
			strbuf_add(&text, filler, lengths[n]);
			strbuf_add_char(&text, '\n');
			n++;
		}
		size_t chunk = round % 3 ? 1 + (size_t)prng_below(&prng, 5000) : 0;
		struct input *input = input_from_memory(strbuf_slice(&text), chunk);
		struct err err = ERR_INIT;
		struct slice line;
		for (size_t i = 0; i < n; i++) {
			ck_assert_int_eq(input_line(input, &line, NULL, &err), 1);
			ck_assert_uint_eq(line.len, lengths[i]);
			for (size_t j = 0; j < line.len; j += 7) {
				ck_assert_int_eq(line.ptr[j], (char)('a' + i % 26));
			}
		}
		ck_assert_int_eq(input_line(input, &line, NULL, &err), 0);
		input_close(input);
		strbuf_free(&text);
	}
}
END_TEST

START_TEST(a_line_over_the_limit_is_cut)
{
	size_t size = (size_t)INPUT_LINE_LIMIT + 5;
	char *text = malloc(size + 10);
	struct slice line;
	struct err err = ERR_INIT;
	bool cut = false;

	memset(text, 'x', size);
	memcpy(text + size, "\nnext\nlast", 10);
	struct input *input = input_from_memory((struct slice){text, size + 10}, 0);
	ck_assert_int_eq(input_line(input, &line, &cut, &err), 1);
	ck_assert_uint_eq(line.len, INPUT_LINE_LIMIT);
	ck_assert(cut);
	ck_assert_int_eq(input_line(input, &line, &cut, &err), 1);
	ck_assert(slice_is(line, "next"));
	ck_assert(!cut);
	ck_assert_uint_eq(input_offset(input), size + 6);
	ck_assert_int_eq(input_line(input, &line, &cut, &err), 1);
	ck_assert(slice_is(line, "last"));
	ck_assert_int_eq(input_line(input, &line, &cut, &err), 0);
	input_close(input);
	/* The same without a newline at the end, and exactly at the limit. */
	input = input_from_memory((struct slice){text, size}, 0);
	ck_assert_int_eq(input_line(input, &line, &cut, &err), 1);
	ck_assert(cut);
	ck_assert_int_eq(input_line(input, &line, &cut, &err), 0);
	ck_assert(input_last_line_open(input));
	input_close(input);
	input = input_from_memory((struct slice){text, size + 1}, 0);
	ck_assert_int_eq(input_line(input, &line, &cut, &err), 1);
	ck_assert(cut);
	ck_assert_int_eq(input_line(input, &line, &cut, &err), 0);
	ck_assert(!input_last_line_open(input));
	input_close(input);
	input = input_from_memory((struct slice){text + 5, size - 5 + 1}, 0);
	ck_assert_int_eq(input_line(input, &line, &cut, &err), 1);
	ck_assert(!cut);
	ck_assert_uint_eq(line.len, INPUT_LINE_LIMIT);
	input_close(input);
	free(text);
}
END_TEST

START_TEST(memory_that_can_not_be_had_is_an_error)
{
	struct strbuf text = {NULL, 0, 0};
	struct slice line;
	struct err err = ERR_INIT;

	make_text(&text, 400000, 3);
	for (size_t i = 0; i < text.len; i++) {
		text.data[i] = text.data[i] == '\n' ? ' ' : text.data[i];
	}
	struct input *input = input_from_memory(strbuf_slice(&text), 0);
	mem_fail_at(1);
	ck_assert_int_eq(input_line(input, &line, NULL, &err), -1);
	ck_assert_int_eq(err.code, ERR_LIMIT);
	ck_assert_str_eq(err.message, "(memory): no memory for a buffer of 524288 bytes");
	mem_fail_at(0);
	input_close(input);
	strbuf_free(&text);
}
END_TEST

/* Opening reads the 16 bytes that tell a format, in steps of the chunk. */
START_TEST(reads_are_no_longer_than_a_chunk)
{
	struct strbuf text = {NULL, 0, 0};

	make_text(&text, 3000, 5);
	for (size_t chunk = 1; chunk < 16; chunk++) {
		struct input *input = input_from_memory(strbuf_slice(&text), chunk);
		ck_assert_uint_eq(input_raw_offset(input), (16 + chunk - 1) / chunk * chunk);
		input_close(input);
	}
	strbuf_free(&text);
}
END_TEST

START_TEST(peeking_consumes_nothing)
{
	struct strbuf text = {NULL, 0, 0};
	struct err err = ERR_INIT;
	struct slice head, line;

	make_text(&text, 3000000, 4);
	for (size_t chunk = 0; chunk < 3000; chunk += 999) {
		struct input *input = input_from_memory(strbuf_slice(&text), chunk);
		static const size_t wants[] = {1, 10, 100000, 1 << 20, 2 << 20, 3};
		for (size_t i = 0; i < 6; i++) {
			size_t most = wants[i] < 1 << 20 ? wants[i] : 1 << 20;
			ck_assert_int_eq(input_peek(input, wants[i], &head, &err), 0);
			ck_assert_uint_ge(head.len, most);
			ck_assert_int_eq(memcmp(head.ptr, text.data, head.len), 0);
		}
		ck_assert_uint_eq(input_offset(input), 0);
		ck_assert_int_eq(input_line(input, &line, NULL, &err), 1);
		ck_assert_int_eq(memcmp(line.ptr, text.data, line.len), 0);
		input_close(input);
	}
	struct input *input = input_from_memory(slice_of("ab"), 1);
	ck_assert_int_eq(input_peek(input, 10, &head, &err), 0);
	ck_assert(slice_is(head, "ab"));
	input_close(input);
	strbuf_free(&text);
}
END_TEST

START_TEST(fill_gives_what_was_wanted)
{
	struct strbuf text = {NULL, 0, 0};
	struct err err = ERR_INIT;
	struct slice bytes;
	struct prng prng = {12};

	make_text(&text, 500000, 5);
	for (int round = 0; round < 6; round++) {
		struct input *input =
		    input_from_memory(strbuf_slice(&text), round ? 1 + (size_t)round * 17 : 0);
		size_t at = 0;
		while (at < text.len) {
			size_t want = (size_t)prng_below(&prng, 3000);
			ck_assert_int_eq(input_fill(input, want, &bytes, &err), 1);
			ck_assert(bytes.len >= want || at + bytes.len == text.len);
			ck_assert_int_eq(memcmp(bytes.ptr, text.data + at, bytes.len), 0);
			size_t take = (size_t)prng_below(&prng, bytes.len + 1);
			input_consume(input, take);
			at += take;
			ck_assert_uint_eq(input_offset(input), at);
		}
		ck_assert_int_eq(input_fill(input, 1, &bytes, &err), 0);
		input_close(input);
	}
	strbuf_free(&text);
}
END_TEST

/* Reading ahead gives the same lines, whatever their length, and the same end. */
START_TEST(reading_ahead_changes_nothing)
{
	struct prng prng = {14};
	struct strbuf text = {NULL, 0, 0}, zipped = {NULL, 0, 0};
	static char filler[700000];

	memset(filler, 'x', sizeof filler);
	for (unsigned i = 0; i < 3000; i++) {
		static const uint64_t limits[] = {300, 70000, 700000};
		uint64_t most = limits[i % 100 ? 0 : i % 500 ? 1 : 2];
		strbuf_printf(&text, "%u", i);
		strbuf_add(&text, filler, (size_t)prng_below(&prng, most));
		strbuf_add_char(&text, '\n');
	}
	add_member(&zipped, strbuf_slice(&text), 1);
	for (unsigned i = 0; i < 6; i++) {
		struct slice bytes = i % 2 ? strbuf_slice(&zipped) : strbuf_slice(&text);
		bytes.len -= i == 5 ? 100 : 0; /* cut */
		struct input *plain = input_from_memory(bytes, 0);
		struct input *ahead = input_from_memory(bytes, i / 2 == 1 ? 3000 : 0);
		struct err err = ERR_INIT;
		struct slice a, b;
		int more = 1;
		if (i == 4) {
			ck_assert_int_eq(input_peek(ahead, 500000, &b, &err), 0);
		}
		input_read_ahead(ahead);
		while (more == 1) {
			more = input_line(plain, &a, NULL, &err);
			ck_assert_int_eq(input_line(ahead, &b, NULL, &err), more);
			ck_assert(more == 0 || slice_equal(a, b));
			ck_assert_uint_eq(input_offset(plain), input_offset(ahead));
		}
		ck_assert_int_eq(input_truncated(ahead), i == 5);
		ck_assert_int_eq(input_line(ahead, &b, NULL, &err), 0);
		ck_assert_int_eq(input_last_line_open(ahead), input_last_line_open(plain));
		input_close(plain);
		input_close(ahead);
		/* Closed before its end. */
		ahead = input_from_memory(bytes, 0);
		input_read_ahead(ahead);
		ck_assert_int_eq(input_line(ahead, &b, NULL, &err), 1);
		input_close(ahead);
	}
	strbuf_free(&text);
	strbuf_free(&zipped);
}
END_TEST

static const char *folder;

static const char *
write_file(const char *name, const void *bytes, size_t size)
{
	static char path[256];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *file = fopen(path, "wb");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
	fclose(file);
	return path;
}

START_TEST(files)
{
	struct strbuf text = {NULL, 0, 0}, zipped = {NULL, 0, 0}, out = {NULL, 0, 0};
	struct err err = ERR_INIT;

	folder = folder_new();
	make_text(&text, 1000000, 8);
	add_member(&zipped, strbuf_slice(&text), 6);
	const char *path = write_file("plain", text.data, text.len);
	struct input *input = input_open(path, &err);
	ck_assert_ptr_nonnull(input);
	ck_assert_str_eq(input_path(input), path);
	ck_assert_int_eq(input_raw_size(input), 1000000);
	ck_assert(!input_compressed(input));
	ck_assert_uint_eq(input_members(input), 0);
	drain(input, &out);
	ck_assert(slice_equal(strbuf_slice(&out), strbuf_slice(&text)));
	input_close(input);
	unlink(path);
	/* Gzip by content, whatever its name; from standard input too. */
	path = write_file("x.txt", zipped.data, zipped.len);
	int fd = open(path, O_RDONLY);
	dup2(fd, STDIN_FILENO);
	close(fd);
	for (int i = 0; i < 2; i++) {
		input = input_open(i ? "-" : path, &err);
		ck_assert_ptr_nonnull(input);
		ck_assert(input_compressed(input));
		strbuf_clear(&out);
		drain(input, &out);
		ck_assert(slice_equal(strbuf_slice(&out), strbuf_slice(&text)));
		ck_assert_int_eq(input_raw_size(input), (int64_t)zipped.len);
		input_close(input);
	}
	unlink(path);
	ck_assert_ptr_null(input_open(folder, &err));
	ck_assert_int_eq(err.code, ERR_SYSTEM);
	ck_assert_ptr_null(input_open(path, &err));
	ck_assert_ptr_nonnull(strstr(err.message, "No such file"));
	folder_remove(folder);
	strbuf_free(&text);
	strbuf_free(&zipped);
	strbuf_free(&out);
}
END_TEST

START_TEST(foreign_containers_are_named)
{
	static const struct {
		const char *bytes;
		size_t length;
		const char *word;
	} cases[] = {
	    {"PK\003\004........", 12, "zip"},
	    {"\3757zXZ\0........", 14, "xz -dc"},
	    {"\x28\xb5\x2f\xfd.........", 12, "zstd -dc"},
	    {"BZh91AY&SY.......", 17, "bzip2 -dc"},
	    {"BZhello world. text", 19, NULL},
	    {"P", 1, NULL},
	};

	folder = folder_new();
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct err err = ERR_INIT;
		const char *path = write_file("file", cases[i].bytes, cases[i].length);
		struct input *input = input_open(path, &err);
		if (cases[i].word) {
			ck_assert_ptr_null(input);
			ck_assert_int_eq(err.code, ERR_FORMAT);
			ck_assert_msg(strstr(err.message, cases[i].word) != NULL, "%s",
			              err.message);
		} else {
			ck_assert_ptr_nonnull(input);
		}
		input_close(input);
		unlink(path);
	}
	folder_remove(folder);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("input");
	TCase *tests = tcase_create("input");

	tcase_set_timeout(tests, 20);
	tcase_add_test(tests, lines);
	tcase_add_test(tests, lines_of_every_length);
	tcase_add_test(tests, a_line_over_the_limit_is_cut);
	tcase_add_test(tests, memory_that_can_not_be_had_is_an_error);
	tcase_add_test(tests, reads_are_no_longer_than_a_chunk);
	tcase_add_test(tests, peeking_consumes_nothing);
	tcase_add_test(tests, fill_gives_what_was_wanted);
	tcase_add_test(tests, reading_ahead_changes_nothing);
	tcase_add_test(tests, files);
	tcase_add_test(tests, foreign_containers_are_named);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
