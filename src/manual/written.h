/*
 * Pages that are written at run time, in mdoc as the others: of a saved query, a column, of all
 * there is.
 * Used by its room alone.
 */
#ifndef LANESCOPE_MANUAL_WRITTEN_H
#define LANESCOPE_MANUAL_WRITTEN_H

#include "manual/index.h"

void write_query(const struct saved_query *query, struct strbuf *mdoc);
void write_column(const struct manual *manual, const struct column_meaning *column,
                  struct strbuf *mdoc);
void write_contents(const struct manual *manual, struct strbuf *mdoc);
/* The line of a section, and a line of running text, whatever is in them. */
void write_heading(struct strbuf *mdoc, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void write_text(struct strbuf *mdoc, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A line as typed at the prompt of a shell. */
void write_line(struct strbuf *mdoc, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
