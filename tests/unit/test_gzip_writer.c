/* Files as they are written, plain or compressed: what was put in comes out again. */
#include "config.h"

#include <fcntl.h>
#include <string.h>

#include "folder.h"
#include "input/gzip_writer.h"
#include "input/input.h"
#include "unit.h"
#include "util/mem.h"
#include "util/prng.h"

#define N_BYTES ((size_t)2 << 20)

static struct slice
random_bytes(void)
{
	char *bytes = xmalloc(N_BYTES);
	struct prng prng = {11};

	for (size_t i = 0; i < N_BYTES; i++) {
		bytes[i] = (char)prng_below(&prng, 200);
	}
	return (struct slice){bytes, N_BYTES};
}

static void
put_in_pieces(struct gzip_writer *writer, struct slice bytes)
{
	static const size_t pieces[] = {1, 0, 100000, 262144, 262145, 7, 700000, 262143};

	for (size_t i = 0; bytes.len; i++) {
		size_t n = pieces[i % (sizeof pieces / sizeof *pieces)];
		n = n < bytes.len ? n : bytes.len;
		gzip_writer_put(writer, bytes.ptr, n);
		bytes = slice_from(bytes, n);
	}
}

static void
check_file(const char *path, struct slice wanted, unsigned n_members)
{
	struct err err = ERR_INIT;
	struct input *input = input_open(path, &err);
	struct slice bytes;

	ck_assert_msg(input, "%s", err.message);
	int got = input_fill(input, wanted.len + 1, &bytes, &err);
	ck_assert_int_eq(got, wanted.len > 0);
	if (got) {
		ck_assert(slice_equal(bytes, wanted));
		input_consume(input, bytes.len);
	}
	ck_assert_int_eq(input_fill(input, 1, &bytes, &err), 0);
	ck_assert_uint_eq(input_members(input), n_members);
	ck_assert(!input_truncated(input));
	input_close(input);
}

START_TEST(what_was_put_in_comes_out)
{
	struct err err = ERR_INIT;
	const char *folder = folder_new();
	struct slice bytes = random_bytes();

	ck_assert_int_eq(chdir(folder), 0);
	for (int level = 0; level <= 9; level += 3) {
		struct gzip_writer *writer = gzip_writer_open("a", level, &err);
		ck_assert_ptr_nonnull(writer);
		put_in_pieces(writer, bytes);
		ck_assert(!gzip_writer_failed(writer));
		ck_assert_int_eq(gzip_writer_close(writer, &err), 0);
		check_file("a", bytes, level > 0);
	}
	free((void *)bytes.ptr);
	folder_remove(folder);
}
END_TEST

START_TEST(nothing_is_an_empty_file_or_member)
{
	struct err err = ERR_INIT;
	const char *folder = folder_new();

	ck_assert_int_eq(chdir(folder), 0);
	for (int level = 0; level < 2; level++) {
		struct gzip_writer *writer = gzip_writer_open("a", level, &err);
		gzip_writer_put(writer, "", 0);
		ck_assert_int_eq(gzip_writer_close(writer, &err), 0);
		check_file("a", slice_of(""), (unsigned)level);
	}
	folder_remove(folder);
}
END_TEST

START_TEST(a_split_begins_a_member)
{
	struct err err = ERR_INIT;
	const char *folder = folder_new();

	ck_assert_int_eq(chdir(folder), 0);
	for (int level = 0; level < 2; level++) {
		struct gzip_writer *writer = gzip_writer_open("a", level, &err);
		gzip_writer_put(writer, "one\n", 4);
		gzip_writer_split(writer);
		gzip_writer_put(writer, "two\n", 4);
		gzip_writer_split(writer);
		gzip_writer_put(writer, "three\n", 6);
		ck_assert_int_eq(gzip_writer_close(writer, &err), 0);
		check_file("a", slice_of("one\ntwo\nthree\n"), level ? 3 : 0);
	}
	folder_remove(folder);
}
END_TEST

START_TEST(a_file_that_was_there_is_replaced)
{
	struct err err = ERR_INIT;
	const char *folder = folder_new();

	ck_assert_int_eq(chdir(folder), 0);
	for (int round = 0; round < 2; round++) {
		struct gzip_writer *writer = gzip_writer_open("a", 0, &err);
		gzip_writer_put(writer, "long text", round ? 4 : 9);
		ck_assert_int_eq(gzip_writer_close(writer, &err), 0);
		check_file("a", slice_of(round ? "long" : "long text"), 0);
	}
	folder_remove(folder);
}
END_TEST

START_TEST(a_file_of_the_callers_stays_open)
{
	struct err err = ERR_INIT;
	const char *folder = folder_new();

	ck_assert_int_eq(chdir(folder), 0);
	int fd = open("a", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	ck_assert_int_ge(fd, 0);
	for (int round = 0; round < 2; round++) {
		struct gzip_writer *writer = gzip_writer_over(fd, "a", 0, &err);
		gzip_writer_put(writer, round ? "b" : "a", 1);
		ck_assert_int_eq(gzip_writer_close(writer, &err), 0);
	}
	ck_assert_int_eq(close(fd), 0);
	check_file("a", slice_of("ab"), 0);

	int next = open("a", O_RDONLY | O_CLOEXEC); /* one of its own is closed */
	close(next);
	ck_assert_int_eq(gzip_writer_close(gzip_writer_open("a", 1, &err), &err), 0);
	fd = open("a", O_RDONLY | O_CLOEXEC);
	ck_assert_int_eq(fd, next);
	close(fd);
	folder_remove(folder);
}
END_TEST

START_TEST(failures_are_told_at_the_end)
{
	struct err err = ERR_INIT;
	struct slice bytes = random_bytes();

	ck_assert_ptr_null(gzip_writer_open("/nowhere/a", 1, &err));
	ck_assert_str_eq(err.message, "/nowhere/a: cannot create: No such file or directory");
	for (int level = 0; level < 2; level++) {
		struct gzip_writer *writer = gzip_writer_open("/dev/full", level, &err);
		gzip_writer_put(writer, "a", 1);
		gzip_writer_put(writer, bytes.ptr, bytes.len);
		ck_assert(gzip_writer_failed(writer));
		gzip_writer_put(writer, "b", 1);
		ck_assert_int_eq(gzip_writer_close(writer, &err), -1);
		ck_assert_str_eq(err.message, "/dev/full: cannot write: No space left on device");
	}
	free((void *)bytes.ptr);
	ck_assert_int_eq(gzip_writer_close(NULL, &err), 0);
}
END_TEST

/* A level that zlib does not have: nothing is left open or held. */
START_TEST(levels_that_are_none_are_refused)
{
	struct err err = ERR_INIT;
	const char *folder = folder_new();
	char path[4096];

	snprintf(path, sizeof path, "%s/x.gz", folder);
	int next = dup(STDIN_FILENO);
	close(next);
	ck_assert_ptr_null(gzip_writer_open(path, 10, &err));
	ck_assert_int_eq(err.code, ERR_SYSTEM);
	ck_assert_ptr_nonnull(strstr(err.message, "x.gz: cannot set up compression"));
	ck_assert_ptr_null(gzip_writer_over(STDOUT_FILENO, "out", 10, &err));
	ck_assert_str_eq(err.message, "out: cannot set up compression");
	int after = dup(STDIN_FILENO);
	ck_assert_int_eq(after, next);
	close(after);
	folder_remove(folder);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("gzip_writer");
	TCase *tcase = tcase_create("gzip_writer");

	tcase_add_test(tcase, what_was_put_in_comes_out);
	tcase_add_test(tcase, nothing_is_an_empty_file_or_member);
	tcase_add_test(tcase, a_split_begins_a_member);
	tcase_add_test(tcase, a_file_that_was_there_is_replaced);
	tcase_add_test(tcase, a_file_of_the_callers_stays_open);
	tcase_add_test(tcase, failures_are_told_at_the_end);
	tcase_add_test(tcase, levels_that_are_none_are_refused);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
