/*
 * Texts in quotes, as filters have them: 'text' or "text", a quote inside doubled; or e'text', in
 * which a backslash writes any byte: \0 \n \r \t \\ \' \" \xHH. A filter so stays one line that can
 * be read, typed and kept, whatever a trace's names hold.
 * Used by column/scan, query/saved, query/spans, query/timeline, ui/app, ui/lists, ui/table.
 */
#ifndef LANESCOPE_UTIL_QUOTE_H
#define LANESCOPE_UTIL_QUOTE_H

#include "util/slice.h"

/* Whether text can only be written with escapes. */
bool quote_escapes(struct slice text);
/* In the plain form if it shows what it is, else with escapes. */
void quote_add(struct strbuf *out, struct slice text, char quote);

enum quote_outcome {
	QUOTE_NONE,   /* text does not begin with a quoted text */
	QUOTE_TAKEN,  /* *n bytes of it, out has what they mean */
	QUOTE_OPEN,   /* it does not end */
	QUOTE_ESCAPE, /* at *n there is a backslash that means nothing */
};
enum quote_outcome quote_take(struct slice text, struct strbuf *out, size_t *n);

#endif
