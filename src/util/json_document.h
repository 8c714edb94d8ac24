/*
 * A small JSON document, built as a tree and written whole: what a command says of itself, nested
 * lists in it. The one user of jansson. Rows, of which there may be millions, are written one by
 * one with util/json_text instead, and what a trace holds is read with input/json: jansson refuses
 * bytes that are no UTF-8 and integers of more than 64 bits. `info` and the list of `explain
 * --parts` are tables in every format, json among them, so they are rows. Used by cli.
 * Used by cli.
 */
#ifndef LANESCOPE_UTIL_JSON_DOCUMENT_H
#define LANESCOPE_UTIL_JSON_DOCUMENT_H

#include <stdbool.h>
#include <stdio.h>
#include "util/slice.h"

/* An array, in which json_document_open begins the first object; keys are NULL within an array.
 * Never NULL. */
struct json_document;
struct json_document *json_document_new(void);
/* An object or array within the one that is open, up to its json_document_close. Eight deep at
 * most. */
void json_document_open(struct json_document *document, const char *key, bool is_array);
void json_document_close(struct json_document *document);
/* NULL is null; what is no UTF-8 becomes U+FFFD. */
void json_document_text(struct json_document *document, const char *key, const char *text);
/* One item of the outer array a line, as tables are written. is_ascii: no other characters, for
 * terminals, where those of a text might be commands. Errors stay in file. */
void json_document_write(const struct json_document *document, bool is_ascii, FILE *file);
void json_document_free(struct json_document *document);

/* Appends its library and the version of that. */
void json_document_library(struct strbuf *out);

#endif
