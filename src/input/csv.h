/*
 * Streaming CSV reader (RFC 4180): records of an input of any size, one after the other, in bounded
 * memory. Accepted beyond the RFC: LF or CRLF, a missing last newline, blank lines (skipped), a
 * UTF-8 byte order mark, blanks around a quoted field. Fields without quotes keep their blanks.
 *
 * A record that breaks the rules is given with `problem` set, and reading goes on behind it. A
 * quote that nothing closes breaks its own line alone: the lines behind it are read as records.
 * Used by import.
 */
#ifndef LANESCOPE_INPUT_CSV_H
#define LANESCOPE_INPUT_CSV_H

#include <stdbool.h>
#include <stdint.h>
#include "input/input.h"
#include "util/err.h"
#include "util/slice.h"

#define CSV_RECORD_LIMIT (16u << 20) /* bytes of one record */
#define CSV_FIELD_LIMIT 65536u       /* fields of one record */

struct csv {
	/* read-only for the caller; lent until the next call */
	struct slice *fields;
	size_t n_fields;
	uint64_t line;   /* where the record begins, from 1 */
	uint64_t offset; /* the same in decompressed bytes */
	/* the record as it stands in the input (one of several lines: without its last newline) */
	struct slice text;
	const char *problem; /* why this is no record, static text; NULL if it is one */
	bool is_open;        /* the last record, without its newline */
	/* private */
	struct input *input;
	char delimiter;
	uint64_t next_line;
	size_t fields_capacity;
	struct strbuf lines; /* of a record of several, and those that are read again */
	size_t lines_at;     /* where the next one to be read again begins; the end: none is left */
	uint64_t lines_offset; /* of the buffer's first byte, in the input */
	size_t second; /* in the buffer: the second line of the record at hand, if it has one */
	uint64_t second_line;  /* its number; 0: it has none */
	struct strbuf decoded; /* fields whose quotes were doubled */
};

void csv_open(struct csv *csv, struct input *input, char delimiter);
/* 1: a record, 0: the end, -1: err says why the input can't be read. */
int csv_next(struct csv *csv, struct err *err);
/* The record at hand, of several lines, is none to the caller: it becomes its first line with a
 * quote that is not closed (problem), and its other lines are read again. False, and nothing
 * changes: it is of one line. */
bool csv_split_lines(struct csv *csv);
void csv_close(struct csv *csv); /* not the input */

#endif
