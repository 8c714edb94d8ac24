/*
 * The manual: the pages of man/, which are in the program, as text for a width, and found by a
 * word: a page, a command, a saved query, a format, a column ...
 *
 * Text of the manual comes in lines that end with a newline, with marks before and after words that
 * stand out. It is ASCII but for what saved queries of the user say.
 * Used by cli, ui/app, ui/lists.
 */
#ifndef LANESCOPE_MANUAL_MANUAL_H
#define LANESCOPE_MANUAL_MANUAL_H

#include <stdbool.h>
#include <stddef.h>
#include "query/saved/query.h"
#include "util/err.h"
#include "util/slice.h"

/* What the bytes between a mark and the next MANUAL_PLAIN are. */
enum manual_mark { MANUAL_BOLD = 1, MANUAL_UNDERLINED = 2, MANUAL_PLAIN = 3 };

struct manual_page {
	struct slice name; /* "lanescope-query" */
	char section;      /* '5' */
	struct slice text; /* mdoc */
};
bool manual_page(size_t i, struct manual_page *page); /* false behind the last */

/* The pages with a list of all that can be looked up. */
struct manual;
struct manual *manual_open(const struct query_library *library); /* new; library is lent */
void manual_close(struct manual *manual);                        /* takes NULL */
/* Appends what the manual has under these words, in lines of at most width columns where they can
 * be broken; without words, what there is. ERR_USAGE: it has nothing, and says what is near. */
int manual_answer(const struct manual *manual, struct slice words, size_t width, struct strbuf *out,
                  struct err *err);
/* The i-th word that can be looked up, of options without dashes; NULL at the end. For completions:
 * some come twice. */
const char *manual_word(const struct manual *manual, size_t i);

/* Appends a saved query's page: what it answers, its parameters and columns. */
void manual_query(const struct saved_query *query, size_t width, struct strbuf *out);

/* Appends mdoc as text. 0, or how many of its macros and escapes are not known here: *unknown is
 * the first of them then, in text. name: what .Nm alone stands for. */
size_t manual_lay(struct slice text, struct slice name, size_t width, struct strbuf *out,
                  struct slice *unknown);

#endif
