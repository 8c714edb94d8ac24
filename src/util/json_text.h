/*
 * Values written as JSON, one by one, for rows of results, traces and their records, of which there
 * may be millions. (What a command says of itself, as one document: util/json_document.) Used by
 * column/scan, export.
 * Used by column/scan, export, import, input.
 */
#ifndef LANESCOPE_UTIL_JSON_TEXT_H
#define LANESCOPE_UTIL_JSON_TEXT_H

#include <stdint.h>
#include "util/slice.h"

/* A JSON string, appended; what is no UTF-8 becomes U+FFFD. */
void json_add_text(struct strbuf *json, struct slice text);
enum json_texts {
	JSON_TEXT_REPAIRED, /* as json_add_text */
	/* and what has no width, which might be a command to a terminal, as \u202e and the like */
	JSON_TEXT_SHOWN,
	JSON_TEXT_KEPT /* bytes that are no UTF-8 stay as they are */
};
void json_add_text_as(struct strbuf *json, struct slice text, enum json_texts how);
void json_add_integer(struct strbuf *json, int64_t value);
void json_add_unsigned(struct strbuf *json, uint64_t value);
/* The shortest digits that read back as the same double. JSON has no word for what is not finite:
 * infinity is a number too large for a double, NaN is null. */
void json_add_real(struct strbuf *json, double value);

#endif
