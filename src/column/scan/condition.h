/*
 * Conditions of the filter language (filter.h) on rows that are no blocks': of a list of runs, of
 * any table whose columns have names. Names that are no words stand in quotes. A text that is an
 * integer is equal to either.
 * Used by query/saved.
 */
#ifndef LANESCOPE_COLUMN_SCAN_CONDITION_H
#define LANESCOPE_COLUMN_SCAN_CONDITION_H

#include "column/scan/rowvalue.h"

struct condition_name {
	const char *name;
	bool is_number; /* it has only such: texts that it is compared with are read as numbers */
	enum number_unit unit;
};
/* Lent to a condition. */
struct condition_names {
	const struct condition_name *all;
	size_t n;
	/* What a text means that number_parse does not understand, a date say; may be NULL. */
	bool (*read)(void *user, size_t name, struct slice text, struct scan_value *value);
	void *user;
};

/* NULL on error, as filter_compile. */
struct condition *condition_compile(const struct condition_names *names, const char *text,
                                    struct err *err);
/* Of a row, a value for each name. */
bool condition_holds(struct condition *condition, const struct row_value *values);
void condition_free(struct condition *condition); /* takes NULL */

#endif
