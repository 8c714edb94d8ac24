/*
 * Regular expressions: the one dialect of the filter language, of SQL's REGEXP and of
 * regexp_replace.
 *
 * POSIX extended syntax ( . [] [^] [[:alpha:]] * + ? {m,n} | () ^ $ ) plus \d \D \w \W \s \S \t \n
 * \r in and outside of brackets (so \ is an escape there, too); (?:...) groups without a number. No
 * back references. `^` and
 * `$` are the ends of the text, not of lines; `.` and [^x] match newlines, as in POSIX. Longest
 * match of those that start leftmost. The same on every system and in every locale: classes are
 * ASCII, a character is a UTF-8 sequence (a byte, in a text that is not valid UTF-8). Texts may
 * hold NUL bytes.
 *
 * Matching takes time proportional to the text, whatever the pattern; memory is bounded.
 * Used by column/scan, query/spans, store, ui/table.
 */
#ifndef LANESCOPE_UTIL_REGEX_H
#define LANESCOPE_UTIL_REGEX_H

#include <stdbool.h>
#include "util/err.h"
#include "util/slice.h"

struct regex;
/* NULL on error: ERR_QUERY with the position and the reason, ERR_LIMIT if the pattern is too large.
 */
struct regex *regex_compile(struct slice pattern, struct err *err);
/* Does it match anywhere? A regex keeps what it learns: use it on one thread at a time. */
bool regex_matches(struct regex *regex, struct slice text);
/* Appends text to *out with every match replaced. In the replacement \0 is the match, \1 to \9 are
 * its groups (empty where they did not take part), \\ is a backslash. Returns the number of
 * matches. */
size_t regex_replace(struct regex *regex, struct slice text, struct slice replacement,
                     struct strbuf *out);
void regex_free(struct regex *regex); /* takes NULL */

#endif
