/*
 * Which spans a row of an answer stands for, as the header of its query says (lanescope-query(5)):
 * a condition of the filter language in which a bare word for a value is a column of the row, and
 * :NAME a parameter. Predicates that stand beside each other hold together, `~` is GLOB, = a
 * missing value is IS NULL; a parameter for a predicate is a condition itself. What stands in [ ]
 * is left out where a value in it is missing, or a parameter in it is blank or '*'.
 *
 *   name=name category=:category [path~:path] [:filter] kind<>'summary'
 *   when scope='run': class=class; when host: class=class host=host; none it counts nothing
 * Used by its room alone.
 */
#ifndef LANESCOPE_QUERY_SAVED_ROW_FILTER_H
#define LANESCOPE_QUERY_SAVED_ROW_FILTER_H

#include "query/saved/query.h"

/* Where the values come from. */
struct row_values {
	const struct result_column *columns;
	size_t n_columns;
	const struct value *cells; /* NULL: of no row, for checks: all is taken for there */
	const struct query_param *params;
	char *const *texts; /* of the parameters, NULL each: its default; NULL: all defaults */
	size_t n_params;
};

/* A column's value, a parameter's (":name") or a text in single quotes. Texts are borrowed. -1:
 * there is no such column or parameter, or the text is none of the parameter's kind. */
int row_value(const struct row_values *values, struct slice source, struct value *value,
              struct err *err);
/* Appends the condition. -1: the row stands for no spans, err says why. */
int row_filter_write(const char *text, const struct row_values *values, struct strbuf *filter,
                     struct err *err);
/* Tries every alternative; err says what names nothing, or can't be read. */
int row_filter_check(const char *text, const struct row_values *values, struct err *err);

#endif
