/*
 * The registry of columns: all that a row of spans, events or counters has. From the one list below
 * come the words of filters, orders and dimensions, the columns of the SQL tables and with them
 * every export, the reading of rows, and what prompts offer.
 *
 * A new column is, in this file, a number in enum field, a member of struct span_row and a row of
 * ROW_COLUMN_LIST; in src/model/model.h a member of struct span and a row of SPAN_NUMBERS; and the
 * importer that sets it.
 *
 * Used by column/finish, column/ops, column/scan, explain/schedule, export, ingest, query/spans,
 * query/timeline, store, ui/base, ui/lists.
 */
#ifndef LANESCOPE_COLUMN_ENCODE_REGISTRY_H
#define LANESCOPE_COLUMN_ENCODE_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/slice.h"

enum block_kind { BLOCK_SPAN, BLOCK_EVENT, BLOCK_COUNTER };
#define BLOCK_KINDS 3

/* What a column of a block holds. The numbers stand in run files: they stay, new ones go before
 * FIELD_BEFORE_ARGS (STORE_VERSION says when that takes a new version). Arguments: FIELD_ARG + key
 * * ARG_TYPES + arg type, one column for each JSON type. */
enum field {
	FIELD_START = 1, /* ns */
	FIELD_DURATION,  /* ns */
	FIELD_LANE,
	FIELD_NAME,
	FIELD_CATEGORY,
	FIELD_PATH,    /* dictionary codes; TEXT_NONE: absent */
	FIELD_SIZE,    /* bytes */
	FIELD_CALLS,   /* absent: 1 */
	FIELD_VALUE,   /* counter value, real */
	FIELD_DEPTH,   /* finishing pass: row of nesting, 0 outermost; absent = 0 */
	FIELD_PARENT,  /* finishing pass: own id - parent's id; absent: no parent */
	FIELD_COVERED, /* finishing pass: ns covered by the span's direct children; absent = 0 */
	/* Of a record that stands for many calls: their durations, and the sizes of one. */
	FIELD_CALL_SUM, /* absent: the duration */
	FIELD_CALL_MIN, /* absent: not known, and so are the others */
	FIELD_CALL_MAX,
	FIELD_SIZE_MIN,
	FIELD_SIZE_MAX,
	FIELD_UNFINISHED,  /* 1: the span's end was not recorded; absent: it was */
	FIELD_BEFORE_ARGS, /* how many numbers stand before, 0 included; at most 31 */
	FIELD_ARG = 64
};

/* One row in full, in the run's codes. What is not known is TIME_NONE, SIZE_NONE or TEXT_NONE. */
struct span_row {
	int64_t id, start_ns, duration_ns, self_ns, size_bytes, calls, parent /* 0: none */, depth;
	int64_t inside_ns; /* the part of the duration in the scope's range */
	/* Of a record that stands for many calls; of others the duration, and not known. */
	int64_t call_sum_ns, call_min_ns, call_max_ns, size_min, size_max;
	int64_t unfinished; /* 1: the end was not recorded */
	uint32_t source, lane, name, category, path;
	double value; /* counters */
};

enum row_class {
	/* an int64_t of struct span_row; where a row of the list does not tell */
	ROW_CLASS_INTEGER,
	ROW_CLASS_REAL, /* a double of it */
	ROW_CLASS_TEXT, /* by a dictionary code */
	ROW_CLASS_LANE, /* by the lane */
	ROW_CLASS_ARG
};

/* What a number stands for; decides its units. */
enum number_unit { UNIT_ANY, UNIT_DURATION, UNIT_SIZE, UNIT_NONE };

struct row_column_info {
	const char *name, *synonym; /* in filters, orders and `by` */
	const char *by;             /* as shown among the dimensions: NULL is none, "" not shown */
	const char *sql_type;       /* where the class does not tell */
	uint8_t class, unit;
	uint8_t kinds;            /* bits (1 << BLOCK_x): which rows have it */
	uint8_t kinds_of_synonym; /* in whose SQL tables it is called by the synonym */
	uint8_t place;            /* among the columns of the SQL tables of rows, 0: not there */
	uint8_t of;               /* a dimension alone: the column that it is made of */
	uint32_t field;           /* of blocks, that holds it or that it is computed from */
	uint32_t other;           /* a second one that a row's value takes */
	uint32_t member;          /* offset in struct span_row */
	int64_t absent;           /* the member's value where a row has none */
	bool has_default;         /* which counts as a value then, rather than as NULL */
	bool is_computed;         /* its value is not the field's own */
	/* of a record that stands for many calls, a condition is about each of them */
	bool is_of_calls;
	bool is_sql_only; /* no word of filters and orders */
	/* Chrome traces have no place of their own for it: it is exported as an argument */
	bool is_in_trace;
	bool is_plain; /* the list of what is known of a span shows it as it is */
};

/* clang-format off */
#define ROW_COLUMN_LIST(COLUMN) \
	COLUMN(ID, .name = "id", .unit = UNIT_NONE, .kinds = ALL, .place = 1, \
	       .is_computed = true, .has_default = true, .member = MEMBER(id)) \
	COLUMN(NAME, .name = "name", .class = ROW_CLASS_TEXT, .kinds = ALL, .field = FIELD_NAME, .place = 14, .by = "name", \
	       .member = MEMBER(name)) \
	COLUMN(CATEGORY, .name = "category", .class = ROW_CLASS_TEXT, .kinds = SPANS | EVENTS, .field = FIELD_CATEGORY, .place = 15, \
	       .by = "category", .member = MEMBER(category)) \
	COLUMN(PATH, .name = "path", .class = ROW_CLASS_TEXT, .kinds = SPANS, .field = FIELD_PATH, .place = 16, .by = "path", \
	       .member = MEMBER(path), .is_in_trace = true) \
	COLUMN(BASENAME, .name = "basename", .class = ROW_CLASS_TEXT, .kinds = SPANS, .field = FIELD_PATH, .by = "basename", \
	       .member = MEMBER(path), .is_computed = true) \
	COLUMN(DIRNAME, .name = "dirname", .class = ROW_CLASS_TEXT, .kinds = SPANS, .field = FIELD_PATH, .by = "dirname", \
	       .member = MEMBER(path), .is_computed = true) \
	COLUMN(PATH_CLASS, .name = "class", .class = ROW_CLASS_TEXT, .kinds = SPANS, .field = FIELD_PATH, .place = 17, .by = "class", \
	       .member = MEMBER(path), .is_computed = true) /* path_classes.h */ \
	COLUMN(PATTERN, .name = "pattern", .class = ROW_CLASS_TEXT, .kinds = SPANS, .of = ROW_BASENAME, .is_sql_only = true, \
	       .by = "pattern('REGEX'[, 'REPLACEMENT'])") \
	COLUMN(SIZE, .name = "size", .unit = UNIT_SIZE, .kinds = SPANS, .field = FIELD_SIZE, .place = 18, \
	       .by = "size", .member = MEMBER(size_bytes), .absent = SIZE_NONE, .is_in_trace = true, .is_of_calls = true) \
	COLUMN(DURATION, .name = "duration", .synonym = "dur", .unit = UNIT_DURATION, .kinds = SPANS, \
	       .field = FIELD_DURATION, .place = 3, .by = "duration", .member = MEMBER(duration_ns), .has_default = true, .is_of_calls = true) \
	COLUMN(SELF, .name = "self", .unit = UNIT_DURATION, .kinds = SPANS, .field = FIELD_DURATION, \
	       .other = FIELD_COVERED, .place = 5, .by = "self", .member = MEMBER(self_ns), .is_computed = true, .has_default = true, .is_of_calls = true) \
	COLUMN(START, .name = "start", .synonym = "time", .unit = UNIT_DURATION, .kinds = ALL, \
	       .field = FIELD_START, .place = 2, .kinds_of_synonym = EVENTS | COUNTERS, .member = MEMBER(start_ns), .has_default = true) \
	COLUMN(END, .name = "end", .synonym = "finish", .unit = UNIT_DURATION, .kinds = SPANS, \
	       .field = FIELD_DURATION, .other = FIELD_START, .place = 4, .kinds_of_synonym = SPANS, .is_computed = true, .has_default = true) \
	COLUMN(INSIDE, .name = "inside", .unit = UNIT_DURATION, .kinds = SPANS, .field = FIELD_DURATION, \
	       .other = FIELD_START, .member = MEMBER(inside_ns), .is_computed = true, .has_default = true) \
	COLUMN(DEPTH, .name = "depth", .unit = UNIT_NONE, .kinds = SPANS, .field = FIELD_DEPTH, .place = 6, \
	       .by = "depth", .member = MEMBER(depth), .has_default = true, .is_plain = true) \
	COLUMN(CALLS, .name = "calls", .unit = UNIT_NONE, .kinds = SPANS, .field = FIELD_CALLS, .place = 19, \
	       .by = "calls", .member = MEMBER(calls), .absent = 1, .has_default = true, .is_in_trace = true) \
	COLUMN(CALL_SUM, .name = "call_sum", .unit = UNIT_DURATION, .kinds = SPANS, .field = FIELD_CALL_SUM, \
	       .other = FIELD_CALLS, .place = 20, .member = MEMBER(call_sum_ns), .absent = TIME_NONE, .is_in_trace = true) \
	COLUMN(CALL_MIN, .name = "call_min", .unit = UNIT_DURATION, .kinds = SPANS, .field = FIELD_CALL_MIN, \
	       .other = FIELD_CALLS, .place = 21, .member = MEMBER(call_min_ns), .absent = TIME_NONE, .is_in_trace = true) \
	COLUMN(CALL_MAX, .name = "call_max", .unit = UNIT_DURATION, .kinds = SPANS, .field = FIELD_CALL_MAX, \
	       .other = FIELD_CALLS, .place = 22, .member = MEMBER(call_max_ns), .absent = TIME_NONE, .is_in_trace = true) \
	COLUMN(SIZE_MIN, .name = "size_min", .unit = UNIT_SIZE, .kinds = SPANS, .field = FIELD_SIZE_MIN, \
	       .other = FIELD_CALLS, .place = 23, .member = MEMBER(size_min), .absent = SIZE_NONE, .is_in_trace = true) \
	COLUMN(SIZE_MAX, .name = "size_max", .unit = UNIT_SIZE, .kinds = SPANS, .field = FIELD_SIZE_MAX, \
	       .other = FIELD_CALLS, .place = 24, .member = MEMBER(size_max), .absent = SIZE_NONE, .is_in_trace = true) \
	COLUMN(UNFINISHED, .name = "unfinished", .unit = UNIT_NONE, .kinds = SPANS, .field = FIELD_UNFINISHED, \
	       .place = 25, .by = "unfinished", .member = MEMBER(unfinished), .is_in_trace = true) \
	COLUMN(PARENT, .name = "parent", .unit = UNIT_NONE, .kinds = SPANS, .field = FIELD_PARENT, .place = 7, \
	       .member = MEMBER(parent), .is_computed = true) \
	COLUMN(VALUE, .name = "value", .class = ROW_CLASS_REAL, .kinds = COUNTERS, .field = FIELD_VALUE, .place = 40, .member = MEMBER(value)) \
	COLUMN(LANE, .name = "lane", .class = ROW_CLASS_LANE, .unit = UNIT_NONE, .kinds = ALL, .field = FIELD_LANE, .place = 8, .by = "lane", \
	       .sql_type = "INTEGER", .member = MEMBER(lane)) \
	COLUMN(LANE_NAME, .name = "lane_name", .class = ROW_CLASS_LANE, .kinds = ALL, .field = FIELD_LANE, .place = 9, .by = "lane_name", \
	       .sql_type = "TEXT", .is_computed = true) \
	COLUMN(HOST, .name = "host", .class = ROW_CLASS_LANE, .kinds = ALL, .field = FIELD_LANE, .place = 10, .by = "host", \
	       .sql_type = "TEXT", .is_computed = true) \
	COLUMN(PROCESS, .name = "process", .class = ROW_CLASS_LANE, .kinds = ALL, .field = FIELD_LANE, .place = 11, .by = "process", \
	       .is_computed = true) \
	COLUMN(THREAD, .name = "thread", .class = ROW_CLASS_LANE, .kinds = ALL, .field = FIELD_LANE, .place = 12, .by = "thread", \
	       .is_computed = true) \
	COLUMN(KIND, .name = "kind", .class = ROW_CLASS_LANE, .kinds = ALL, .field = FIELD_LANE, .place = 13, .by = "kind", \
	       .sql_type = "TEXT", .is_computed = true) \
	COLUMN(BUCKET, .name = "start", .kinds = ALL, .of = ROW_START, .by = "start(WIDTH)", .is_sql_only = true) \
	COLUMN(TIME, .name = "time", .kinds = ALL, .of = ROW_START, .by = "time(WIDTH)", .is_sql_only = true) \
	COLUMN(ARG, .name = "arg.KEY", .class = ROW_CLASS_ARG, .kinds = ALL) \
	COLUMN(ARG1, .name = "arg1", .class = ROW_CLASS_ARG, .kinds = ALL, .of = ROW_ARG, .by = "arg.KEY", .is_sql_only = true) \
	COLUMN(ARG2, .name = "arg2", .class = ROW_CLASS_ARG, .kinds = ALL, .of = ROW_ARG, .by = "", .is_sql_only = true) \
	COLUMN(ARG3, .name = "arg3", .class = ROW_CLASS_ARG, .kinds = ALL, .of = ROW_ARG, .by = "", .is_sql_only = true) \
	COLUMN(ARG4, .name = "arg4", .class = ROW_CLASS_ARG, .kinds = ALL, .of = ROW_ARG, .by = "", .is_sql_only = true) \
	COLUMN(SOURCE, .name = "source", .kinds = ALL, .place = 98, .is_computed = true, .has_default = true, \
	       .is_sql_only = true) \
	COLUMN(ARGS, .name = "args", .class = ROW_CLASS_ARG, .sql_type = "TEXT", .kinds = ALL, .place = 99, .is_sql_only = true)
/* clang-format on */

#define ROW_COLUMN_ID(id, ...) ROW_##id,
enum row_column { ROW_COLUMN_LIST(ROW_COLUMN_ID) ROW_COLUMNS };

extern const struct row_column_info row_columns[ROW_COLUMNS];

static inline bool
row_column_in(enum row_column column, enum block_kind kind)
{
	return row_columns[column].kinds >> kind & 1;
}

/* Is it called so, whatever the case, among the columns of a kind? */
bool row_column_is(enum row_column column, struct slice name, enum block_kind kind);
/* May a filter or an order name it, arguments aside? */
static inline bool
row_column_is_named(enum row_column column, enum block_kind kind)
{
	return row_column_in(column, kind) && column != ROW_ARG && !row_columns[column].is_sql_only;
}

/* By name among those that filters name. False: there is none. */
bool row_column_find(struct slice name, enum block_kind kind, enum row_column *column);
/* Appends "id, name, ..., arg.KEY" of a kind, for messages. */
void row_column_list(enum block_kind kind, struct strbuf *out);

#endif
