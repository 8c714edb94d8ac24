/*
 * The same data twice counts once: X.pfw beside X.pfw.gz, copies under other names, links.
 *
 * Only files whose first 64 KiB (decompressed) are equal are suspected; of those that are not
 * compressed, only if they are of one size. Then the last block is compared, and then all, up to the
 * first difference. Beside a file of the same name (X.pfw, X.pfw.gz) one that holds only the beginning of
 * it, since it was compressed too early or broke off, is a copy, too.
 *
 * Where names and folders tell what the content is (arrays of trials, pools of zones), equal content
 * under another name is other data: import_copies.
 */
#include "config.h"
#include "ingest/plan.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COMPARE_BYTES ((size_t)256 << 10)

enum likeness { DIFFERENT, EQUAL, A_BEGINS_B, B_BEGINS_A };

/* Compares the last block of two plain files of one size. */
static bool
same_last_block(const struct plan_file *a, const struct plan_file *b)
{
	static const size_t block = 4096;
	char bytes_a[4096], bytes_b[4096];
	off_t at = a->raw_size > block ? (off_t)(a->raw_size - block) : 0;
	int fd_a = open(a->path, O_RDONLY | O_CLOEXEC), fd_b = open(b->path, O_RDONLY | O_CLOEXEC);
	bool same = true; /* what can't be told here is told by reading all */

	if (fd_a >= 0 && fd_b >= 0) {
		ssize_t n_a = pread(fd_a, bytes_a, block, at);
		ssize_t n_b = pread(fd_b, bytes_b, block, at);
		same = n_a == n_b && (n_a <= 0 || memcmp(bytes_a, bytes_b, (size_t)n_a) == 0);
	}
	if (fd_a >= 0) {
		(void)close(fd_a); /* only read */
	}
	if (fd_b >= 0) {
		(void)close(fd_b);
	}
	return same;
}

static enum likeness
compare_inputs(struct input *a, struct input *b, const struct cancel *cancel, struct err *err)
{
	struct slice bytes_a, bytes_b;

	for (;;) {
		int more_a = input_fill(a, COMPARE_BYTES, &bytes_a, err);
		int more_b = input_fill(b, COMPARE_BYTES, &bytes_b, err);
		if (more_a < 0 || more_b < 0 || cancel_requested(cancel)) {
			return DIFFERENT;
		}
		if (more_a == 0 || more_b == 0) {
			return more_a == more_b ? EQUAL : more_a == 0 ? A_BEGINS_B : B_BEGINS_A;
		}
		size_t n = bytes_a.len < bytes_b.len ? bytes_a.len : bytes_b.len;
		if (memcmp(bytes_a.ptr, bytes_b.ptr, n) != 0) {
			return DIFFERENT;
		}
		input_consume(a, n);
		input_consume(b, n);
	}
}

/* Do they differ in their endings only? */
static bool
is_of_one_name(const struct plan_file *a, const struct plan_file *b)
{
	return a->folder == b->folder && slice_equal(plain_name(a->path), plain_name(b->path));
}

/* What can't be read now is no copy: reading it later tells why. */
static enum likeness
compare_files(const struct plan_file *a, const struct plan_file *b, const struct cancel *cancel)
{
	struct err err = ERR_INIT;
	enum likeness likeness = DIFFERENT;

	if (a->device == b->device && a->inode == b->inode) {
		return EQUAL;
	}
	bool is_plain = !a->is_compressed && !b->is_compressed;
	if (is_plain && a->raw_size == b->raw_size && !same_last_block(a, b)) {
		return DIFFERENT;
	}
	struct input *input_a = input_open(a->path, &err), *input_b = input_open(b->path, &err);
	if (input_a && input_b) {
		likeness = compare_inputs(input_a, input_b, cancel, &err);
	}
	input_close(input_a);
	input_close(input_b);
	return likeness == EQUAL || is_of_one_name(a, b) ? likeness : DIFFERENT;
}

/* Only files of one key can be copies of each other. */
static uint32_t
key_of(struct intern *keys, const struct plan_file *file)
{
	struct strbuf key = {NULL, 0, 0};
	uint64_t words[] = {file->head_hash, file->head_length, (uint64_t)file->format->copies, 0};
	struct slice name = plain_name(file->path);

	if (file->format->copies != COPIES_ANYWHERE) {
		words[3] = (uint64_t)file->folder + 1;
	}
	strbuf_add(&key, words, sizeof words);
	strbuf_add_text(&key, file->format->name);
	if (file->format->copies == COPIES_NAME) {
		strbuf_add_char(&key, '/');
		strbuf_add(&key, name.ptr, name.len);
	}
	uint32_t id = intern_id(keys, strbuf_slice(&key));
	strbuf_free(&key);
	return id;
}

/* Looks for a file that this one is a copy of, or that is one of it, among those of its key, which are linked by next. */
static void
settle(struct planning *planning, size_t index, size_t first, const size_t *next)
{
	struct plan_file *file = &planning->files[index];

	for (size_t i = first; i != FILE_NONE; i = next[i]) {
		struct plan_file *other = &planning->files[i];
		if (other->copy_of != FILE_NONE) {
			continue;
		}
		enum likeness likeness = compare_files(other, file, planning->options->cancel);
		if (likeness == EQUAL || likeness == B_BEGINS_A) {
			file->copy_of = i;
			file->is_beginning = likeness == B_BEGINS_A;
			return;
		}
		if (likeness == A_BEGINS_B) {
			other->copy_of = index;
			other->is_beginning = true;
			return;
		}
	}
}

int
plan_copies(struct planning *planning, struct err *err)
{
	size_t n = planning->n_files;
	struct intern *keys = intern_new();
	size_t *next = xcalloc(n + 1, sizeof *next), *last = xcalloc(n + 1, sizeof *last),
	       *first = xcalloc(n + 1, sizeof *first);

	for (size_t i = 0; i < n; i++) {
		const struct plan_file *file = &planning->files[i];
		next[i] = FILE_NONE;
		if (!file->format || file->head_length == 0) {
			continue;
		}
		uint32_t n_keys = intern_count(keys), key = key_of(keys, file);
		if (key == n_keys) {
			first[key] = last[key] = i;
			continue;
		}
		settle(planning, i, first[key], next);
		next[last[key]] = i;
		last[key] = i;
	}
	free(first);
	free(last);
	free(next);
	intern_free(keys);
	return cancel_requested(planning->options->cancel)
	           ? err_set(err, ERR_CANCELLED, "cancelled")
	           : 0;
}
