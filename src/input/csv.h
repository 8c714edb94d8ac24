/*
 * Streaming CSV reader (RFC 4180): records of an input of any size, one after the other, in bounded memory. Accepted beyond the RFC:
 * LF or CRLF, a missing last newline, blank lines (skipped), a UTF-8 byte order mark. Fields keep their blanks.
 *
 * A record that breaks the rules is given with `problem` set, and reading goes on behind it.
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
	struct slice
	    text; /* the record as it stands in the input (one of several lines: without its last newline) */
	const char *problem; /* why this is no record, static text; NULL if it is one */
	bool is_open;        /* the last record, without its newline */
	/* private */
	struct input *input;
	char delimiter;
	uint64_t next_line;
	size_t fields_capacity;
	struct strbuf joined;  /* a record of several lines */
	struct strbuf decoded; /* fields whose quotes were doubled */
};

void csv_open(struct csv *csv, struct input *input, char delimiter);
/* 1: a record, 0: the end, -1: err says why the input can't be read. */
int csv_next(struct csv *csv, struct err *err);
void csv_close(struct csv *csv); /* not the input */

#endif
