/*
 * Text laid into lines: words that come piece by piece, wrapped between an indent and a width.
 * Used by its room alone.
 */
#ifndef LANESCOPE_MANUAL_LAY_H
#define LANESCOPE_MANUAL_LAY_H

#include "manual/manual.h"

/* In a piece: a blank at which no line is broken. */
#define LAY_BLANK "\004"

struct lay {
	struct strbuf *out;
	struct strbuf line, word; /* with marks */
	size_t line_columns, word_columns;
	size_t width, indent;
	size_t hang;           /* more indent, of the lines that a paragraph goes on in */
	enum manual_mark mark; /* of the pieces to come; 0: none */
	bool joins;            /* the next piece has no blank before it */
	bool wants_gap;        /* an empty line stands before the next one */
};

/* A piece of running text, or, with blanks in it, several words. */
void lay_text(struct lay *lay, struct slice text);
/* The same without a blank before it. */
void lay_join(struct lay *lay, const char *text);
/* Blanks stay, and nothing is wrapped. */
void lay_verbatim(struct lay *lay, struct slice text);
void lay_break(struct lay *lay); /* ends the line, if something stands in it */
void lay_gap(struct lay *lay);   /* and leaves one empty before what comes */
/* The text goes on at this column: on the same line if that has room before it, else on a new one.
 * It is the indent from now on. */
void lay_tab(struct lay *lay, size_t column);

#endif
