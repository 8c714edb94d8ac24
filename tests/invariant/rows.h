/*
 * What the parts of the program `rows` share: the row that is looked at, and what is counted and
 * told. A row is looked at in an answer, an answer is of a query with its parameters, of a run in
 * a scope.
 */
#ifndef LANESCOPE_TESTS_INVARIANT_ROWS_H
#define LANESCOPE_TESTS_INVARIANT_ROWS_H

#include "query/saved/row_place.h"
#include "store/store.h"

struct counts {
	long answers, with_rows, rows, figures, failures;
};
extern struct counts counts;

struct spans_seen; /* what rows of a run, in a scope, have led to */
struct spans_seen *spans_seen_new(void);
void spans_seen_free(struct spans_seen *seen);

struct asked {
	const struct query_library *library;
	const struct saved_query *query;
	const char *run; /* its file's name */
	struct store *store;
	const char *scope; /* as text; NULL: all */
	char **texts;      /* of the parameters */
	const struct result *result;
	size_t row;
	bool is_wide; /* longer lists are read as well */
	struct spans_seen *seen;
};

/* ---- telling ---- */

/* Prints which row of which answer it is of, and counts. */
void fail(const struct asked *asked, const char *what, const char *detail);
void compare(const struct asked *asked, struct slice name, double row, double behind,
             const char *where);
void compare_values(const struct asked *asked, const char *name, const struct value *row,
                    const struct value *behind, const char *where);
const struct value *value_named(const struct asked *asked, struct slice name); /* NULL: no column */

/* ---- what is compared ---- */

/* Of a query beside what its `covers:` says, or in its place. */
struct row_check {
	const char *query;
	/* A statement of SQL whose columns are figures of the row, asked of the run, or of the
	 * answer that the row leads to as table `behind`. `none` must be 0, `some` more. {NAME} is
	 * a value of the row, {:NAME} of a parameter, {!NAME} a name of a column, {@start},
	 * {@end}, {@lane} and {@span} are of the place that opens. NULL: none. */
	const char *facts;
	const char *nothing; /* why there are no figures to compare; else NULL */
};
const struct row_check *row_check_find(const char *query); /* NULL: none */
/* Every query says what is compared, or why nothing is; failures are counted. */
void row_checks_look(const struct query_library *library);

void facts_of_run(const struct asked *asked, const struct row_place *place, const char *facts);
void facts_of_answer(const struct asked *asked, const struct result *behind, const char *facts);

/* Makes sum, avg and total of the run's connection fail where the order of rows would count. */
void refuse_orders(struct store *store);

void check_row(const struct asked *asked);
/* The run's lists in a scope: marks are what is listed, and a range's parts add up to it. */
void check_parts(const struct asked *asked);

#endif
