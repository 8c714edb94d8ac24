/*
 * Names of files that are of one kind: what lies empty or damaged beside the traces of a run may
 * have been one of them, as far as its name tells; a job's output, its notes and settings are none.
 *
 * Names are alike that differ only in what has digits in it (ranks, processes, hosts, times) and in
 * compression, and those of one ending, if it isn't one that anything may have.
 */
#include "config.h"
#include "ingest/plan.h"

#include <string.h>

#include "util/ascii.h"

static struct slice
name_of(const char *path)
{
	static const char *const compressed[] = {".gz", ".zst", ".xz", ".bz2", ".lz4"};
	struct slice name = slice_of(path_name(path));

	for (size_t i = 0; i < COUNT_OF(compressed); i++) {
		if (slice_ends_with(slice_from(name, 1), compressed[i])) {
			name.len -= strlen(compressed[i]);
			break;
		}
	}
	return name;
}

/* Each word with a digit in it becomes "#". */
static void
add_pattern(struct strbuf *pattern, struct slice name)
{
	for (size_t i = 0, end; i < name.len; i = end) {
		bool has_digit = false;
		for (end = i; end < name.len && is_alnum(name.ptr[end]); end++) {
			has_digit |= is_digit(name.ptr[end]);
		}
		if (has_digit) {
			strbuf_add_char(pattern, '#');
		} else {
			end = end == i ? i + 1 : end;
			strbuf_add(pattern, name.ptr + i, end - i);
		}
	}
}

static bool
has_same_pattern(struct slice a, struct slice b)
{
	struct strbuf one = {0}, other = {0};

	add_pattern(&one, a);
	add_pattern(&other, b);
	bool same =
	    one.len == other.len && (one.len == 0 || memcmp(one.data, other.data, one.len) == 0);
	strbuf_free(&one);
	strbuf_free(&other);
	return same;
}

static struct slice
ending_of(struct slice name)
{
	for (size_t i = name.len; i-- > 1;) {
		if (name.ptr[i] == '.') {
			return (struct slice){name.ptr + i + 1, name.len - i - 1};
		}
	}
	return (struct slice){0};
}

static bool
has_same_ending(struct slice a, struct slice b)
{
	static const char *const of_anything[] = {"json", "csv", "txt", "log", "out", "err", "dat"};
	struct slice ending = ending_of(a), other = ending_of(b);

	for (size_t i = 0; i < COUNT_OF(of_anything); i++) {
		if (slice_is(ending, of_anything[i])) {
			return false;
		}
	}
	return ending.len && slice_equal(ending, other);
}

bool
plan_is_alike(const struct planning *planning, const struct run_draft *draft, const char *path)
{
	struct slice name = name_of(path);

	for (unsigned i = 0; i < draft->n_files; i++) {
		struct slice of_run = name_of(planning->files[draft->files[i]].path);
		if (has_same_ending(name, of_run) || has_same_pattern(name, of_run)) {
			return true;
		}
	}
	return false;
}
