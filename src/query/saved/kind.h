/*
 * Kinds of columns and parameters: how a number is meant, written and shown. A new kind is a name
 * in the enum, a row in kind.c and an item in lanescope-query(5). Used by everything that shows
 * results or reads values: query, explain, export, ui, cli.
 * Used by chart, cli, explain, explain/frame, explain/parts, explain/verdict, export, manual,
 * query, query/spans, query/timeline, ui/base, ui/chart, ui/lists, ui/table.
 */
#ifndef LANESCOPE_QUERY_SAVED_KIND_H
#define LANESCOPE_QUERY_SAVED_KIND_H

#include <stdbool.h>
#include <stdint.h>
#include "util/format.h"
#include "util/slice.h"

/* The values stay what SQL gave. */
enum column_kind {
	KIND_TEXT,
	KIND_INTEGER,
	KIND_REAL,
	KIND_DURATION, /* ns */
	KIND_TIME,     /* ns from the run's start */
	KIND_SIZE,     /* bytes */
	KIND_PERCENT,  /* 0.5 = 50 % */
	KIND_COUNT,
	KIND_CLOCK, /* ns on the run's own clock: since 1970, or since boot */
	KIND_RATE,  /* bytes a second */
	COLUMN_KINDS
};
struct column_kind_facts {
	const char *name; /* "duration", as in a query's header */
	const char *unit; /* of the values; NULL: none */
	/* that a parameter may be written in, smallest first; NULL: it needs none */
	const char *units;
	const char *examples; /* "a duration like 30s, 20ms or 1m30s" */
	/* What a text stands for; false: nothing. One of them, of texts neither. */
	bool (*read)(struct slice text, int64_t *value);
	bool (*read_real)(struct slice text, double *value);
	char *(*show)(char *out, int64_t value);     /* out has FORMAT_BYTES */
	char *(*show_real)(char *out, double value); /* NULL: rounded, as an integer */
	bool is_amount;                              /* never negative as a parameter */
	bool adds_up;                                /* unless the column's name says otherwise */
	bool is_length;                              /* tables draw a bar beside it */
};
extern const struct column_kind_facts column_kinds[COLUMN_KINDS];
bool column_kind_find(struct slice name, enum column_kind *kind);
bool column_kind_is_number(enum column_kind kind); /* all but text: right-aligned */

struct value;
/* The value that a text stands for, by kind ("30s", "4MiB", "50%", ...); false if it is none. Text
 * is not copied. */
bool query_parse_value(enum column_kind kind, struct slice text, struct value *value);
/* A value as people read it: "12.48 ms", "577.1 GiB", "47.2 %", "" for NULL. Numbers are written
 * into buffer, texts are the value's own. CSV and JSON print raw values instead. */
struct slice value_show(const struct value *value, enum column_kind kind,
                        char buffer[FORMAT_BYTES]);

#endif
