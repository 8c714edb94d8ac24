/* UTF-8 and terminal columns. Invalid bytes count as U+FFFD, one per byte.
 * Used by chart, cli, export, import, manual, query/timeline, store, ui/app, ui/base, ui/chart,
 * ui/lists, ui/table, ui/term, ui/timeline. */
#ifndef LANESCOPE_UTIL_UTF8_H
#define LANESCOPE_UTIL_UTF8_H

#include <stdint.h>
#include "util/slice.h"

/* Decodes the character at text[0]; *length gets the bytes used (1 for an invalid byte). */
uint32_t utf8_next(struct slice text, size_t *length);
size_t utf8_encode(uint32_t code, char out[4]);
bool utf8_valid(struct slice text);
#define UTF8_UNICODE 14 /* whose tables the widths are of */
/* Columns of one character: 0 combining, 1, 2 wide; -1 for what must not reach a terminal
 * (controls C0/C1, bidi overrides, what is invisible, unassigned). Own table, so that it does not
 * vary by locale. */
int utf8_width(uint32_t code);
size_t utf8_columns(struct slice text);
/* Longest prefix of at most `columns` columns, combining marks kept with their base. */
struct slice utf8_clip(struct slice text, size_t columns);
/* Appends text with every control, bidi override, character without ink and width (U+200B) and
 * invalid byte replaced by a visible escape (\n, \t, \x1b, \u202e), for messages and terminals. */
void utf8_escape(struct strbuf *out, struct slice text);
/* The same of invalid bytes alone (\xff), for files. */
void utf8_escape_invalid(struct strbuf *out, struct slice text);

/* The same for the first character of a text that is not empty, without memory: writes up to
 * UTF8_ESCAPE_BYTES into out, returns how many; *used gets the bytes of text that they stand
 * for. */
#define UTF8_ESCAPE_BYTES 12
size_t utf8_escape_next(struct slice text, char out[UTF8_ESCAPE_BYTES], size_t *used);

#endif
