/*
 * A document for people who have no lanescope: headings, texts, tables and pictures, put together
 * in memory and written as one file that needs no other. Texts may hold anything: each writer
 * escapes them.
 * Used by cli.
 */
#ifndef LANESCOPE_EXPORT_DOCUMENT_H
#define LANESCOPE_EXPORT_DOCUMENT_H

#include <stdio.h>
#include "query/saved/query.h"
#include "util/mem.h"

struct document;
struct document_format {
	const char *name, *extension;
	bool has_svg; /* else pictures are text */
	void (*write)(const struct document *document, FILE *file);
};
extern const struct document_format document_formats[]; /* the last has no name */

struct document *document_new(const char *title);
void document_free(struct document *document); /* takes NULL */

/* Level 1: a part; level 2: within it. All stand in the list of contents. */
void document_heading(struct document *document, unsigned level, const char *text);
void document_text(struct document *document, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Of a list: items that follow each other are one. */
void document_item(struct document *document, const char *text);
/* To be pasted into a shell. */
void document_command(struct document *document, const char *command);
/* Takes the result. */
void document_table(struct document *document, struct result *result);
/* SVG where the format has it, else lines of text. */
void document_picture(struct document *document, struct slice picture);
int document_write(const struct document *document, const struct document_format *format,
                   FILE *file, struct err *err);

/* For the writers. */
struct document_block {
	enum {
		BLOCK_HEADING,
		BLOCK_TEXT,
		BLOCK_ITEM,
		BLOCK_COMMAND,
		BLOCK_TABLE,
		BLOCK_PICTURE
	} type;
	unsigned level;        /* of a heading */
	struct slice text;     /* of all but tables */
	struct result *result; /* of a table */
};
struct document {
	struct arena *arena;
	const char *title;
	struct document_block *blocks;
	size_t n, capacity;
};
void document_write_html(const struct document *document, FILE *file);
void document_write_markdown(const struct document *document, FILE *file);

#endif
