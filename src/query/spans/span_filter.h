/*
 * Filters on spans as people type them after "&":
 *
 *   CONDITION of the filter language (column/scan/filter.h), begun by a column: duration > 1ms AND
 *   arg.kind = efi
 *   COLUMN ~ PATTERN   and !~, as in tables: REGEXP and NOT REGEXP
 *   PATTERN            a regular expression that names match
 * Used by cli, ui/base, ui/lists, ui/timeline.
 */
#ifndef LANESCOPE_QUERY_SPANS_SPAN_FILTER_H
#define LANESCOPE_QUERY_SPANS_SPAN_FILTER_H

#include "util/err.h"
#include "util/slice.h"

/* The text in the filter language, new. NULL: err says what is wrong and where in the text. */
char *span_filter_write(struct slice text, struct err *err);
/* Appends the condition that names hold a text, or, with one of ^ $ * [ | \, match a regular
 * expression. */
void span_filter_add_name(struct strbuf *out, const char *text);
/* Appends an argument's name as it stands behind "arg.": in quotes if need be. */
void span_filter_write_key(struct strbuf *out, struct slice key);
/* Whether a filter of the language asks for a column; arg.KEY is another than KEY. */
bool span_filter_names(const char *filter, const char *column);

#endif
