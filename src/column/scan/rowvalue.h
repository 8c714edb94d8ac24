/* Values of rows and how SQL compares them with values given by the user.
 * Used by column/ops, explain/parts, query/saved, store. */
#ifndef LANESCOPE_COLUMN_SCAN_ROWVALUE_H
#define LANESCOPE_COLUMN_SCAN_ROWVALUE_H

#include "column/scan/scan.h"

struct row_value {
	enum {
		VALUE_IS_NULL,
		VALUE_IS_INTEGER,
		/* above INT64_MAX, bit-cast in integer: a number to numbers, its digits to texts */
		VALUE_IS_UNSIGNED,
		VALUE_IS_REAL,
		VALUE_IS_TEXT,
		/* a text that is an integer: an integer to numbers, a text to texts */
		VALUE_IS_INTEGER_TEXT,
	} type;
	int64_t integer;
	double real;
	struct slice text;
};

/* SQLite's order: numbers (integers and reals exactly, not through doubles), then texts by bytes.
 * Neither may be NULL. */
int scan_value_compare(const struct scan_value *a, const struct scan_value *b);
/* The same, what has no value first. */
int scan_value_order(const struct scan_value *a, const struct scan_value *b);
int row_value_compare(const struct row_value *row, const struct scan_value *value);

#define ROW_VALUE_DIGITS 32
/* The value as LIKE and its kin see it; digits: scratch. Not for NULL. */
struct slice row_value_text(const struct row_value *row, char digits[ROW_VALUE_DIGITS]);

/* SQL's LIKE (escape: a character or 0) and GLOB, on UTF-8 characters; time at most length times
 * pattern. */
bool text_like(struct slice text, struct slice pattern, uint32_t escape);
bool text_glob(struct slice text, struct slice pattern);

#endif
