/*
 * Filters on the rows of a result, as people type them:
 *
 *   PATTERN            a regular expression that the shown text of some cell
 * matches COLUMN OP VALUE    = <> != < <= > >= by the column's kind ("total >
 * 40ms"), ~ and !~ against a regular expression
 *
 * COLUMN may stand in double quotes, VALUE in quotes of either kind (doubled inside; e"..." with
 * escapes, util/quote.h), and is then nothing but text. NULL after = and <> is the missing value,
 * which no other comparison holds for.
 * Used by its room alone.
 */
#ifndef LANESCOPE_UI_TABLE_TABLE_FILTER_H
#define LANESCOPE_UI_TABLE_TABLE_FILTER_H

#include "query/saved/query.h"

struct table_filter;
/* Borrows nothing but the result. NULL on error: ERR_USAGE or ERR_QUERY says
 * what is wrong and how to write it. */
struct table_filter *table_filter_compile(const struct result *result, struct slice text,
                                          struct err *err);
bool table_filter_holds(const struct table_filter *filter, size_t row);
void table_filter_free(struct table_filter *filter); /* takes NULL */

/* Whether the character may stand in the shown text of a number ("12.48 ms", "1e+20", "nan"). */
bool value_shows_in_numbers(char c);

/* Appends the filter that holds for exactly the rows with this value in this
 * column. */
void table_filter_write(struct strbuf *out, const struct result_column *column,
                        const struct value *value);

#endif
