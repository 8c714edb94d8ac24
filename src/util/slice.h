/* Slices of bytes (borrowed, not NUL-terminated) and growing byte buffers.
 * Used by most rooms. */
#ifndef LANESCOPE_UTIL_SLICE_H
#define LANESCOPE_UTIL_SLICE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct slice {
	const char *ptr;
	size_t len;
};

static inline struct slice
slice_of(const char *text)
{
	return (struct slice){text, strlen(text)};
}

static inline bool
slice_equal(struct slice a, struct slice b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

static inline bool
slice_is(struct slice a, const char *text)
{
	return slice_equal(a, slice_of(text));
}

/* Without its first n bytes; empty where it has no more. */
static inline struct slice
slice_from(struct slice text, size_t n)
{
	n = n < text.len ? n : text.len;
	return (struct slice){text.ptr + n, text.len - n};
}

bool slice_starts_with(struct slice text, const char *start);
bool slice_ends_with(struct slice text, const char *end);
/* The same, ASCII case apart, and with something before it: as a file's name does with ".gz". */
bool slice_has_ending(struct slice text, const char *ending);
/* Are they the same, ASCII case apart? */
bool slice_is_anycase(struct slice a, const char *text);
/* By bytes, a shorter one before what it begins: below, equal to or above 0. */
int slice_compare(struct slice a, struct slice b);
/* Without UTF-8's byte order mark, if it begins with one. */
struct slice slice_behind_mark(struct slice text);

/* Whole slice as a decimal integer; false when it is not one or overflows. "+1" and "" are not. */
bool slice_int64(struct slice text, int64_t *value);
bool slice_uint64(struct slice text, uint64_t *value);
/* Is it a number, and one above INT64_MAX? */
bool slice_is_above_int64(struct slice text);
/* Decimal with optional sign, fraction and exponent, or nan, inf, infinity; "." in any locale. */
bool slice_double(struct slice text, double *value);
/* Without any of the characters in blanks at both ends; NUL is none of them. */
struct slice slice_trim(struct slice text, const char *blanks);
/* Takes a word off *text, up to the next blank, with the blanks around it. */
struct slice slice_take_word(struct slice *text);
/* The place of a name among n rows of `bytes` bytes, each of which begins with its name
 * (const char *); n: it is none of theirs. */
size_t name_find(struct slice name, const void *rows, size_t n, size_t bytes);
/* The same of an array. */
#define NAME_FIND(name, rows)                                                                      \
	name_find((name), (rows), sizeof(rows) / sizeof *(rows), sizeof *(rows))
bool slice_contains(struct slice text, struct slice part);
/* The same, ASCII case apart. */
bool slice_contains_anycase(struct slice text, struct slice part);

/* A growing buffer. Zero-initialise; strbuf_free takes a zeroed one. data is NUL-terminated once
 * anything was added. */
struct strbuf {
	char *data;
	size_t len, cap;
};
void strbuf_add(struct strbuf *buf, const void *bytes, size_t length);
void strbuf_add_slice(struct strbuf *buf, struct slice text);
void strbuf_add_text(struct strbuf *buf, const char *text);
void strbuf_add_char(struct strbuf *buf, char c);
void strbuf_add_integer(struct strbuf *buf, int64_t integer); /* its digits */
void strbuf_printf(struct strbuf *buf, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void strbuf_vprintf(struct strbuf *buf, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));
void strbuf_clear(struct strbuf *buf); /* keeps the memory */
void strbuf_free(struct strbuf *buf);
struct slice strbuf_slice(const struct strbuf *buf);
char *strbuf_take(struct strbuf *buf); /* new string, caller frees; buf is empty afterwards */

#endif
