/*
 * The same data twice counts once: X.pfw beside X.pfw.gz, copies under other names, links.
 *
 * Only files whose first 64 KiB (decompressed) are equal are suspected; of those that are not
 * compressed and of one size the last block is compared, and then all, up to the first difference.
 * What holds only the beginning of a file, since it broke off or was copied too early, is a copy of
 * it where it lies beside it; elsewhere it is a run that ended early, or is taken for one. Files
 * shorter than 64 KiB are suspected by plan_begins.c.
 *
 * Where names and folders tell what the content is (arrays of trials, pools of zones), equal
 * content under another name is other data: import_copies.
 */
#include "config.h"
#include "ingest/plan.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/ascii.h"
#include "util/order.h"

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

/* *bytes: how many were the same. */
static enum likeness
compare_inputs(struct input *a, struct input *b, const struct cancel *cancel, uint64_t *bytes,
               struct err *err)
{
	struct slice bytes_a, bytes_b;

	for (;;) {
		int more_a = input_fill(a, COMPARE_BYTES, &bytes_a, err);
		int more_b = input_fill(b, COMPARE_BYTES, &bytes_b, err);
		if (more_a < 0 || more_b < 0 || cancel_requested(cancel)) {
			return DIFFERENT;
		}
		*bytes = input_offset(a);
		if (more_a == 0 || more_b == 0) {
			return more_a == more_b ? EQUAL : more_a == 0 ? A_BEGINS_B : B_BEGINS_A;
		}
		size_t n = LEAST(bytes_a.len, bytes_b.len);
		if (memcmp(bytes_a.ptr, bytes_b.ptr, n) != 0) {
			return DIFFERENT;
		}
		input_consume(a, n);
		input_consume(b, n);
	}
}

static bool
is_below(struct slice folder, struct slice above)
{
	return folder.len > above.len && memcmp(folder.ptr, above.ptr, above.len) == 0 &&
	       (above.len == 1 || folder.ptr[above.len] == '/');
}

/* Would they be of one run, or runs side by side? */
static bool
lie_together(const struct planning *planning, const struct plan_file *a, const struct plan_file *b)
{
	struct slice folder_a = intern_text(planning->folders, a->folder),
		     folder_b = intern_text(planning->folders, b->folder);

	return a->folder == b->folder ||
	       (a->grouping == GROUP_TREE &&
	        (is_below(folder_a, folder_b) || is_below(folder_b, folder_a)));
}

/* A beginning that other files go with, as its name or content tells, and that not with `whole`: of
 * a run that was appended to, it is the first, and stays with its files. */
static bool
has_own_company(const struct planning *planning, const struct plan_file *file,
                const struct plan_file *whole)
{
	struct slice job = file->look.job;
	bool has = false;

	if (job.len == 0 || slice_equal(job, whole->look.job)) {
		return false;
	}
	for (size_t i = 0; i < planning->n_files && !has; i++) {
		const struct plan_file *other = &planning->files[i];
		has = other != file && other->format == file->format &&
		      other->copy_of == FILE_NONE && slice_equal(other->look.job, job);
	}
	return has;
}

/* What can't be read now is no copy: reading it later tells why. */
static enum likeness
compare_files(const struct planning *planning, const struct plan_file *a, const struct plan_file *b,
              uint64_t *bytes)
{
	const struct cancel *cancel = planning->options->cancel;
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
		likeness = compare_inputs(input_a, input_b, cancel, bytes, &err);
	}
	input_close(input_a);
	input_close(input_b);
	if (likeness == EQUAL || likeness == DIFFERENT) {
		return likeness;
	}
	bool a_begins = likeness == A_BEGINS_B;
	bool is_wanted = !planning->options->each && *bytes > 0 && lie_together(planning, a, b) &&
	                 !has_own_company(planning, a_begins ? a : b, a_begins ? b : a);
	return is_wanted ? likeness : DIFFERENT;
}

/* Only files of one key can be copies of each other. */
static uint32_t
key_of(struct intern *keys, const struct plan_file *file)
{
	struct strbuf key = {0};
	uint64_t words[] = {file->head_hash, file->head_length, (uint64_t)file->format->copies, 0};
	struct slice name = plain_name(file->path);

	if (file->format->copies != COPIES_ANYWHERE) {
		words[3] = (uint64_t)file->folder + 1;
	}
	strbuf_add(&key, words, sizeof words);
	strbuf_add_text(&key, file->format->name);
	if (file->format->copies == COPIES_NAME) {
		strbuf_add_char(&key, '/');
		strbuf_add_slice(&key, name);
	}
	uint32_t id = intern_id(keys, strbuf_slice(&key));
	strbuf_free(&key);
	return id;
}

/* How many files there are, but for equal heads, of one folder, and of one folder and alike
 * names. */
struct company {
	struct intern *keys;
	uint32_t *counts; /* by id in keys */
	size_t capacity;
};

/* "base-#" of "base-12.pfw"; without: of all files of the folder. */
static uint32_t *
company_of(struct company *company, const struct plan_file *file, bool alike, uint64_t head)
{
	struct slice name = alike ? plain_name(file->path) : (struct slice){"", 0};
	struct strbuf key = {0};

	strbuf_printf(&key, "%u %d %llx ", file->folder, alike, (unsigned long long)head);
	for (size_t i = 0; i < name.len; i++) {
		bool is_number = is_digit(name.ptr[i]);
		if (!is_number || key.data[key.len - 1] != '#') {
			strbuf_add_char(&key, is_number ? '#' : name.ptr[i]);
		}
	}
	uint32_t n = intern_count(company->keys), id = intern_id(company->keys, strbuf_slice(&key));
	MEM_GROW(company->counts, company->capacity, (size_t)id + 1);
	if (id == n) {
		company->counts[id] = 0;
	}
	strbuf_free(&key);
	return &company->counts[id];
}

static void
company_init(struct company *company, const struct planning *planning)
{
	*company = (struct company){.keys = intern_new()};
	for (size_t i = 0; i < planning->n_files; i++) {
		const struct plan_file *file = &planning->files[i];
		for (int alike = 0; file->format && alike < 2; alike++) {
			if ((*company_of(company, file, alike, file->head_hash | 1))++ == 0) {
				++*company_of(company, file, alike, 0);
			}
		}
	}
}

/* Of equal files the one is read that lies with most others, as a copy of some of a job's files is
 * no job; then the one that is called like most; no link; then that of the shortest path, as copies
 * have longer names. */
static bool
is_better(const struct planning *planning, const struct plan_file *a, const struct plan_file *b,
          struct company *company)
{
	for (int alike = 0; alike < 2; alike++) {
		uint32_t n_a = *company_of(company, a, alike, 0);
		uint32_t n_b = *company_of(company, b, alike, 0);
		if (n_a != n_b) {
			return n_a > n_b;
		}
	}
	if (a->folder !=
	    b->folder) { /* whichever was named first: all of a job come from one folder */
		struct slice folder_a = intern_text(planning->folders, a->folder),
			     folder_b = intern_text(planning->folders, b->folder);
		return folder_a.len != folder_b.len
		           ? folder_a.len < folder_b.len
		           : memcmp(folder_a.ptr, folder_b.ptr, folder_a.len) < 0;
	}
	if (a->is_link != b->is_link) {
		return b->is_link;
	}
	struct slice name_a = slice_of(a->path), name_b = slice_of(b->path);
	return name_a.len - plan_folder_length(a->path, name_a.len) <
	       name_b.len - plan_folder_length(b->path, name_b.len);
}

/* Looks for a file that this one is a copy of, or that is one of it, among those of its key, which
 * are linked by next. */
static void
settle(struct planning *planning, size_t index, size_t first, const size_t *next,
       struct company *company)
{
	struct plan_file *file = &planning->files[index];

	for (size_t i = first; i != FILE_NONE; i = next[i]) {
		struct plan_file *other = &planning->files[i];
		if (other->copy_of != FILE_NONE) {
			continue;
		}
		uint64_t bytes = 0;
		enum likeness likeness = compare_files(planning, other, file, &bytes);
		if (likeness == A_BEGINS_B ||
		    (likeness == EQUAL && is_better(planning, file, other, company))) {
			other->copy_of = index;
			other->beginning_bytes = likeness == A_BEGINS_B ? bytes : 0;
			return;
		}
		if (likeness != DIFFERENT) {
			file->copy_of = i;
			file->beginning_bytes = likeness == B_BEGINS_A ? bytes : 0;
			return;
		}
	}
}

void
plan_settle_beginning(struct planning *planning, size_t index, size_t whole)
{
	struct plan_file *file = &planning->files[index];
	uint64_t bytes = 0;
	bool is_one = compare_files(planning, file, &planning->files[whole], &bytes) == A_BEGINS_B;

	file->copy_of = is_one ? whole : file->copy_of;
	file->beginning_bytes = is_one ? bytes : file->beginning_bytes;
}

int
plan_copies(struct planning *planning, struct err *err)
{
	size_t n = planning->n_files;
	struct intern *keys = intern_new();
	struct company company;
	size_t *next = xcalloc(n + 1, sizeof *next), *last = xcalloc(n + 1, sizeof *last),
	       *first = xcalloc(n + 1, sizeof *first);

	company_init(&company, planning);
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
		settle(planning, i, first[key], next, &company);
		next[last[key]] = i;
		last[key] = i;
	}
	intern_free(company.keys);
	free(company.counts);
	free(first);
	free(last);
	free(next);
	intern_free(keys);
	return cancel_requested(planning->options->cancel)
	           ? err_set(err, ERR_CANCELLED, "cancelled")
	           : 0;
}
