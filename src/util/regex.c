/*
 * Regular expressions of our own, since the system's differ between C libraries and locales, stop
 * at a NUL, and can be made to take exponential time or memory; and since a run's dictionary asks
 * the same pattern of a million strings, which wants an automaton rather than a matcher that starts
 * from nothing each time.
 *
 *     pattern --regex_parse--> tree --regex_program--> programs --regex_dfa--> yes or no, and where
 *                                                               --regex_groups--> groups of a match
 *
 * Replacing needs the leftmost match and its longest end without trying every start: the program of
 * the reversed pattern runs once from the end of the text and marks every position where a match
 * starts.
 *
 * Every pattern has two sets of programs, for texts that are valid UTF-8 and for those that are not
 * (there a byte is a character); each is made when first needed. That both fit the limit is checked
 * when the pattern is compiled.
 */
#include "config.h"
#include "util/regex.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "util/ascii.h"
#include "util/regex_match.h"
#include "util/utf8.h"

struct matcher {
	struct regex_program forward, reverse;
	struct dfa *search, *longest, *starts;
};

struct regex {
	struct arena *arena;
	struct matcher matchers[2]; /* [1]: texts that are not UTF-8 */
	unsigned char *starts;      /* bitmap, kept between calls */
	size_t starts_bytes;
};

struct regex *
regex_compile(struct slice pattern, struct err *err)
{
	struct regex *regex = xcalloc(1, sizeof(*regex));
	regex->arena = arena_new();
	struct regex_node *tree = regex_parse(pattern, regex->arena, err);
	if (!tree) {
		goto fail;
	}
	for (unsigned is_bytes = 0; is_bytes < 2; is_bytes++) {
		struct matcher *matcher = &regex->matchers[is_bytes];
		if (regex_program_make(&matcher->forward, tree, is_bytes, false, err) ||
		    regex_program_make(&matcher->reverse, tree, is_bytes, true, err)) {
			goto fail;
		}
	}
	return regex;
fail:
	regex_free(regex);
	return NULL;
}

void
regex_free(struct regex *regex)
{
	if (regex) {
		for (unsigned i = 0; i < 2; i++) {
			struct matcher *matcher = &regex->matchers[i];
			dfa_free(matcher->search);
			dfa_free(matcher->longest);
			dfa_free(matcher->starts);
			regex_program_free(&matcher->forward);
			regex_program_free(&matcher->reverse);
		}
		free(regex->starts);
		arena_free(regex->arena);
		free(regex);
	}
}

static bool
is_ascii(struct slice text)
{
	size_t i = 0;
	for (; i + 8 <= text.len; i += 8) {
		uint64_t word;
		memcpy(&word, text.ptr + i, 8);
		if (word & UINT64_C(0x8080808080808080)) {
			return false;
		}
	}
	for (; i < text.len; i++) {
		if (text.ptr[i] & 0x80) {
			return false;
		}
	}
	return true;
}

static struct matcher *
matcher_for(struct regex *regex, struct slice text, bool *is_utf8)
{
	*is_utf8 = is_ascii(text) || utf8_valid(text);
	return &regex->matchers[!*is_utf8];
}

bool
regex_matches(struct regex *regex, struct slice text)
{
	bool is_utf8;
	struct matcher *matcher = matcher_for(regex, text, &is_utf8);
	if (!matcher->search) {
		matcher->search = dfa_new(&matcher->forward, true);
	}
	return text.len == 0 ? dfa_matches_empty(matcher->search)
	                     : dfa_search(matcher->search, text);
}

/* --- Replacing ----------------------------------------------------------- */

struct replacing {
	struct matcher *matcher;
	struct slice text, replacement;
	bool is_utf8, has_groups;
	const unsigned char *starts;
	struct strbuf *out;
};

static bool
mentions_groups(struct slice replacement)
{
	for (size_t i = 0; i + 1 < replacement.len; i++) {
		if (replacement.ptr[i] == '\\') {
			i++;
			if (replacement.ptr[i] >= '1' && replacement.ptr[i] <= '9') {
				return true;
			}
		}
	}
	return false;
}

static void
add_replacement(const struct replacing *job, size_t start, size_t end)
{
	size_t slots[REGEX_SLOTS] = {start, end};
	if (job->has_groups) {
		regex_groups(&job->matcher->forward, job->text, start, end, slots);
	}
	struct slice replacement = job->replacement;
	for (size_t i = 0; i < replacement.len; i++) {
		char c = replacement.ptr[i];
		if (c != '\\' || i + 1 == replacement.len) {
			strbuf_add_char(job->out, c);
			continue;
		}
		c = replacement.ptr[++i];
		if (!is_digit(c)) {
			if (c != '\\') {
				strbuf_add_char(job->out, '\\');
			}
			strbuf_add_char(job->out, c);
			continue;
		}
		const size_t *slot = &slots[2 * (c - '0')];
		if (slot[0] != SIZE_MAX && slot[1] != SIZE_MAX) {
			strbuf_add(job->out, job->text.ptr + slot[0], slot[1] - slot[0]);
		}
	}
}

/* The next position from `at` on where a match starts that is not inside of a character; text.len +
 * 1: none. */
static size_t
next_start(const struct replacing *job, size_t at)
{
	while (at <= job->text.len) {
		if (at % 8 == 0 && job->starts[at / 8] == 0) {
			at += 8;
			continue;
		}
		bool is_inside = job->is_utf8 && at < job->text.len &&
		                 ((unsigned char)job->text.ptr[at] & 0xc0) == 0x80;
		if (!is_inside && job->starts[at / 8] >> at % 8 & 1) {
			return at;
		}
		at++;
	}
	return job->text.len + 1;
}

static size_t
replace_all(const struct replacing *job)
{
	struct slice text = job->text;
	size_t n = 0, copied = 0, last_end = SIZE_MAX;
	for (size_t at = 0; at <= text.len;) {
		size_t start = next_start(job, at);
		if (start > text.len) {
			break;
		}
		size_t end = dfa_longest(job->matcher->longest, text, start);
		bool is_empty = end == start;
		at = is_empty ? start + 1 : end;
		if (is_empty && start == last_end) {
			continue; /* right behind a match the empty text is no match of its own */
		}
		strbuf_add(job->out, text.ptr + copied, start - copied);
		add_replacement(job, start, end);
		copied = last_end = end;
		n++;
	}
	strbuf_add(job->out, text.ptr + copied, text.len - copied);
	return n;
}

/* Marks where matches start; false: nowhere. */
static bool
find_starts(struct regex *regex, struct matcher *matcher, struct slice text)
{
	size_t bytes = text.len / 8 + 1;
	regex->starts = mem_grow(regex->starts, &regex->starts_bytes, bytes, 1);
	memset(regex->starts, 0, bytes);
	if (text.len == 0) {
		regex->starts[0] = dfa_matches_empty(matcher->starts);
		return regex->starts[0];
	}
	return dfa_starts(matcher->starts, text, regex->starts);
}

size_t
regex_replace(struct regex *regex, struct slice text, struct slice replacement, struct strbuf *out)
{
	struct replacing job = {.text = text, .replacement = replacement, .out = out};
	job.matcher = matcher_for(regex, text, &job.is_utf8);
	if (!job.matcher->starts) {
		job.matcher->starts = dfa_new(&job.matcher->reverse, true);
		job.matcher->longest = dfa_new(&job.matcher->forward, false);
	}
	if (!find_starts(regex, job.matcher, text)) {
		strbuf_add_slice(out, text);
		return 0;
	}
	job.starts = regex->starts;
	job.has_groups = mentions_groups(replacement);
	return replace_all(&job);
}
