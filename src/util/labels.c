/*
 * What a label must show is the first place where it differs from all others: in a sorted list that
 * is where it leaves its neighbours. Texts are cut between characters, and begin with a word where
 * there is room. Labels that differ in several places may still look the same: these get a number.
 */
#include "config.h"

#include "util/labels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/ascii.h"
#include "util/format.h"
#include "util/order.h"
#include "util/utf8.h"

struct label_entry {
	struct slice label, shown;
	size_t index;   /* in the list */
	size_t differs; /* byte at which it leaves all others; its length if it is a begin of one */
};

static int
compare_labels(const void *left, const void *right)
{
	const struct label_entry *a = left, *b = right;
	int order = slice_compare(a->label, b->label);

	return order ? order : ORDER(a->index, b->index);
}

static int
compare_shown(const void *left, const void *right)
{
	const struct label_entry *a = left, *b = right;
	int order = slice_compare(a->shown, b->shown);

	return order ? order : compare_labels(left, right);
}

static bool
goes_on(char byte)
{
	return ((unsigned char)byte & 0xc0) == 0x80;
}

static bool
is_word(char c)
{
	return is_letter(c) || is_digit(c) || (unsigned char)c >= 0x80;
}

/* Is a byte inside of a word? "GroupInService" are three. */
static bool
is_inside_word(struct slice label, size_t at)
{
	bool begins = is_upper(label.ptr[at]) && is_lower(label.ptr[at - 1]);

	return is_word(label.ptr[at]) && is_word(label.ptr[at - 1]) && !begins;
}

/* Bytes that two labels begin with alike, whole characters. */
static size_t
shared_bytes(struct slice a, struct slice b)
{
	size_t n = 0;

	while (n < a.len && n < b.len && a.ptr[n] == b.ptr[n]) {
		n++;
	}
	while (n > 0 && ((n < a.len && goes_on(a.ptr[n])) || (n < b.len && goes_on(b.ptr[n])))) {
		n--;
	}
	return n;
}

/* Begins of entries that are different, so that equal ones do not hide each other. */
static void
find_differences(struct label_entry *sorted, size_t n)
{
	for (size_t i = 0, next; i < n; i = next) {
		size_t differs = i > 0 ? shared_bytes(sorted[i - 1].label, sorted[i].label) : 0;

		for (next = i + 1; next < n && slice_equal(sorted[next].label, sorted[i].label);) {
			next++;
		}
		if (next < n) {
			size_t after = shared_bytes(sorted[i].label, sorted[next].label);
			differs = MOST(differs, after);
		}
		for (size_t k = i; k < next; k++) {
			sorted[k].differs = differs;
		}
	}
}

/* Back to where the word begins in which a byte lies. */
static size_t
word_begin(struct slice label, size_t at)
{
	while (at > 0 && at < label.len && is_inside_word(label, at)) {
		at--;
	}
	return at;
}

/* The last bytes of a text that take at most so many columns. */
static struct slice
clip_begin(struct slice text, size_t columns)
{
	size_t at = text.len, used = 0;

	while (at > 0) {
		size_t before = at - 1, wide;

		while (before > 0 && goes_on(text.ptr[before])) {
			before--;
		}
		wide = utf8_columns((struct slice){text.ptr + before, at - before});
		if (used + wide > columns) {
			break;
		}
		used += wide;
		at = before;
	}
	return slice_from(text, at);
}

/* Text that must show its begin; what does not fit at its end is left out. */
static void
add_begin(struct strbuf *out, struct slice text, size_t columns, const char *mark)
{
	if (utf8_columns(text) <= columns) {
		strbuf_add_slice(out, text);
	} else if (columns > 0) {
		strbuf_add_slice(out, utf8_clip(text, columns - 1));
		strbuf_add_text(out, mark);
	}
}

/* Where a label has to be cut so that its end fits behind a mark, in what all begin with: before a
 * word, if there is one. SIZE_MAX: nowhere there. */
static size_t
cut_of(const struct label_entry *entry, size_t shared, size_t columns)
{
	struct slice label = entry->label;
	size_t at;

	if (shared == 0 || utf8_columns(slice_from(label, shared)) >= columns) {
		return SIZE_MAX;
	}
	at = (size_t)(clip_begin(label, columns - 1).ptr - label.ptr);
	while (at > 0 && at < shared && is_inside_word(label, at)) {
		at++;
	}
	return at;
}

/* cut: where those are cut whose differences fit. */
static void
add_short(struct strbuf *out, const struct label_entry *entry, size_t shared, size_t cut,
          size_t columns, const char *mark)
{
	struct slice label = entry->label;
	struct slice to_difference = {label.ptr, entry->differs};
	size_t begin, head;

	if (cut_of(entry, shared, columns) != SIZE_MAX) {
		strbuf_add_text(out, mark);
		strbuf_add_slice(out, slice_from(label, cut));
		return;
	}
	head = MOST(columns / 2, utf8_columns(to_difference) + 2);
	if (head <=
	    columns * 3 / 4) { /* up to the difference, and the end as far as there is room */
		struct slice kept = utf8_clip(label, head);

		strbuf_add_slice(out, kept);
		strbuf_add_text(out, mark);
		strbuf_add_slice(out, clip_begin(label, columns - utf8_columns(kept) - 1));
		return;
	}
	head = columns / 3;
	begin = word_begin(label, entry->differs);
	if (utf8_columns((struct slice){label.ptr + begin, entry->differs - begin}) + head + 3 >
	    columns) {
		begin = entry->differs;
	}
	if (begin == label.len) { /* the begin of another: its end tells it */
		begin =
		    (size_t)(clip_begin(label, columns > head + 1 ? columns - head - 1 : 0).ptr -
		             label.ptr);
	}
	strbuf_add_slice(out, utf8_clip(label, head));
	strbuf_add_text(out, mark);
	add_begin(out, slice_from(label, begin), columns > head ? columns - head - 1 : 0, mark);
}

/* Different labels that look the same: the end of each makes room for a number. */
static void
number_alike(struct label_entry *entries, size_t n, size_t columns, struct arena *arena)
{
	size_t number = 0;

	SORT(entries, n, compare_shown);
	for (size_t i = 0, next; i < n; i = next) {
		for (next = i + 1;
		     next < n && slice_equal(entries[next].shown, entries[i].shown);) {
			next++;
		}
		if (slice_equal(entries[i].label, entries[next - 1].label)) {
			continue;
		}
		struct slice shown = entries[i].shown;
		for (size_t k = i; k < next; k++) {
			char text[FORMAT_BYTES];
			size_t digits;

			number += k == i || !slice_equal(entries[k].label, entries[k - 1].label);
			digits = (size_t)snprintf(text, sizeof text, "#%zu", number);
			if (digits <= columns) {
				struct slice kept = utf8_clip(shown, columns - digits);
				entries[k].shown = slice_of(
				    arena_printf(arena, "%.*s%s", (int)kept.len, kept.ptr, text));
			}
		}
	}
}

/* Bytes that all of a sorted list begin with, up to a word. */
static size_t
shared_by_all(const struct label_entry *sorted, size_t n)
{
	size_t shared = n > 1 ? shared_bytes(sorted[0].label, sorted[n - 1].label) : 0;

	return n > 1 && shared < sorted[0].label.len ? word_begin(sorted[0].label, shared) : 0;
}

struct slice *
labels_shorten(const struct slice *labels, size_t n, size_t columns, const char *mark,
               struct arena *arena)
{
	struct slice *shown = arena_alloc(arena, (n + 1) * sizeof *shown);
	struct label_entry *entries = xcalloc(n + 1, sizeof *entries);
	size_t shared, cut = 0;
	struct strbuf text = {0};

	for (size_t i = 0; i < n; i++) {
		entries[i] = (struct label_entry){.label = labels[i], .index = i};
	}
	SORT(entries, n, compare_labels);
	find_differences(entries, n);
	shared = shared_by_all(entries, n);
	for (size_t i = 0; i < n; i++) {
		size_t at = utf8_columns(entries[i].label) > columns
		                ? cut_of(&entries[i], shared, columns)
		                : SIZE_MAX;
		cut = at != SIZE_MAX ? MOST(at, cut) : cut;
	}
	for (size_t i = 0; i < n; i++) {
		entries[i].shown = entries[i].label;
		if (utf8_columns(entries[i].label) > columns) {
			strbuf_clear(&text);
			add_short(&text, &entries[i], shared, cut, columns, mark);
			entries[i].shown = arena_slice(arena, strbuf_slice(&text));
		}
	}
	number_alike(entries, n, columns, arena);
	for (size_t i = 0; i < n; i++) {
		shown[entries[i].index] = entries[i].shown;
	}
	strbuf_free(&text);
	free(entries);
	return shown;
}

/* ---- one at a time ---- */

struct label_list {
	struct arena *arena;
	struct label_entry *entries; /* sorted, each once */
	size_t n, shared;
};

struct label_list *
label_list_new(const struct slice *labels, size_t n)
{
	struct label_list *made = xcalloc(1, sizeof *made);
	struct label_entry *entries = xcalloc(n + 1, sizeof *entries);

	for (size_t i = 0; i < n; i++) {
		entries[i] = (struct label_entry){.label = labels[i], .index = i};
	}
	SORT(entries, n, compare_labels);
	made->arena = arena_new();
	made->entries = entries;
	for (size_t i = 0; i < n; i++) {
		if (i == 0 || !slice_equal(entries[i].label, entries[made->n - 1].label)) {
			entries[made->n++].label = arena_slice(made->arena, entries[i].label);
		}
	}
	find_differences(entries, made->n);
	made->shared = shared_by_all(entries, made->n);
	return made;
}

void
label_list_free(struct label_list *labels)
{
	if (labels) {
		arena_free(labels->arena);
		free(labels->entries);
		free(labels);
	}
}

void
label_list_add_short(const struct label_list *labels, struct slice label, size_t columns,
                     const char *mark, struct strbuf *out)
{
	const struct label_entry *entry = NULL;
	size_t at = 0;

	if (labels && utf8_columns(label) > columns) {
		ORDER_FIND(at, labels->n, i, slice_compare(labels->entries[i].label, label) < 0);
		if (at < labels->n && slice_equal(labels->entries[at].label, label)) {
			entry = &labels->entries[at];
		}
	}
	if (!entry || utf8_columns((struct slice){label.ptr, entry->differs}) < columns) {
		strbuf_add_slice(out, utf8_clip(label, columns));
		return;
	}
	add_short(out, entry, labels->shared, cut_of(entry, labels->shared, columns), columns,
	          mark);
}
