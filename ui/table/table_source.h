/*
 * What a table shows: the answer of a saved query, of a statement of SQL, of a query on two runs, a
 * part of explain, a frequency table. The table (view_table.c) does all the rest: sort, filter,
 * columns, marks, export.
 *
 * A source is counted and does not change once made: `load` runs on the worker while the view may
 * be closed or ask again. Parameters are the table's; load gets the texts that stand at the time.
 * Used by ui/lists.
 */
#ifndef LANESCOPE_UI_TABLE_TABLE_SOURCE_H
#define LANESCOPE_UI_TABLE_TABLE_SOURCE_H

#include <stdatomic.h>
#include "ui/app/paint_source.h"
#include "ui/base/texts.h"

struct table_source_ops {
	/* On the worker. texts: a parameter's text each, NULL for its default. */
	struct result *(*load)(const struct table_source *source, char *const *texts,
	                       struct job_worker *worker, const struct cancel *cancel,
	                       struct err *err);
	/* Enter on a row: opens what is behind it, in the run of `in`. False if nothing is. May be
	 * NULL. */
	bool (*open)(const struct table_source *source, struct view *view,
	             const struct view_place *in, const struct result *result, size_t row);
	/* Where T leads from a row (focus->filter malloc'd). False: the whole run. May be NULL. */
	bool (*focus)(const struct table_source *source, const struct result *result, size_t row,
	              struct focus *focus);
	/* Of sums of spans: which spans a cell stands for, where Enter, S and T lead
	 * (focus->filter malloc'd). May be NULL. */
	void (*cell)(const struct table_source *source, const struct result *result, size_t row,
	             size_t column, struct focus *focus);
	/* Of them: the spans behind the table in other groups (PROMPT_GROUP, "name, host") or
	 * turned (PROMPT_PIVOT), as a table above the view, and the words of such texts. NULL: the
	 * table's own rows are counted. */
	int (*regroup)(const struct table_source *source, const struct view *view,
	               enum prompt_kind kind, struct slice text, struct err *err);
	void (*words)(const struct table_source *source, struct completion *completion);
	/* What a timeline paints of the table, if that is not its own rows (new; NULL: it
	 * is). May be NULL. */
	struct table_source *(*painted)(const struct table_source *source);
	/* Of two runs: the same with A and B in each other's place (new). May be NULL. */
	struct table_source *(*swap)(const struct table_source *source);
	/* Its figures change and rows come to its last one by themselves: they are asked for again
	 * when something outside has changed. May be NULL. */
	bool (*is_growing)(const struct table_source *source);
	void (*free)(struct table_source *source); /* frees it and what else it holds; NULL: free */
};

struct table_source {
	const struct table_source_ops *ops;
	atomic_uint references;
	const char *title; /* "Tasks by kind" */
	/* under which name the table's sort, filters and columns are remembered; NULL: not */
	const char *memory;
	const char *sort; /* of rows of no query: "-total"; NULL: as they come */
	const char *sql;  /* NULL if there is none to show */
	const char *by;   /* with `regroup`: "name, host", which F adds to; freed with the source */
	/* whose answer it is: its sort, drill and header; NULL: none */
	const struct saved_query *query;
	const struct query_param *params;
	/* of the parameters, to begin with; NULL: all defaults. Freed with the source */
	char **texts;
	size_t n_params;
	unsigned sets;        /* more bits of enum view_set: IN_DIFF */
	struct two_runs runs; /* NULL: it is of one, or none. Freed with the source */
	char *run_path;       /* of one run; freed with the source */
	/* what it is made of, of a difference, a part of explain, a result; the rest is freed with
	 * the source */
	const struct saved_query *compared;
	const struct explain_part *part;
	struct result *result;
	struct query_param *own_params;
	struct arena *arena; /* of the query */
	char *own;           /* title, sql or memory, where it is the source's own: freed with it */
	bool is_typed;       /* sql was typed at the prompt, which takes it back if it is refused */
	const char *empty;   /* what is said where there are no rows; NULL: "no rows" */
	bool notes_first;    /* what the answer says of itself is read before its parameters */
};

/* For `load`: those of the parameters that have a text (new, caller frees), n of them. */
struct query_argument *table_source_arguments(const struct query_param *params, size_t n_params,
                                              char *const *texts, size_t *n);
struct table_source *table_source_retain(struct table_source *source);
void table_source_release(struct table_source *source); /* takes NULL */

/* The source of a place that is a table: of those below, or what the place brings along. */
struct table_source *table_source_at(const struct view_place *place);
/* texts: values of the parameters to begin with, as in load; NULL: defaults. */
struct table_source *table_source_query(const char *run_path, const struct saved_query *query,
                                        char *const *texts);
/* The same of a query that lives in arena, which is taken. */
struct table_source *table_source_edited(const char *run_path, struct arena *arena,
                                         const struct saved_query *query, char *const *texts);
/* The query asked of each of the runs at the paths, which are copied; what is alike is one. */
struct table_source *table_source_across(const char *const *paths, size_t n_paths,
                                         const struct saved_query *query);
struct table_source *table_source_sql(const char *run_path, struct slice sql);
struct table_source *table_source_diff(const struct two_runs *runs,
                                       const struct saved_query *query);
struct table_source *table_source_explain(const struct two_runs *runs,
                                          const struct explain_part *part, char *const *texts);
/* Rows of the source, with these values of its parameters, for a timeline to paint: of its part
 * `intervals` where the source says so. */
struct paint_source *paint_source_of_table(const struct table_source *source, char *const *texts);
/* What the source's rows lead to, with these values of its parameters; texts are borrowed. */
struct drill table_source_drill(const struct table_source *source, char *const *texts);

/* Takes result. For tables made from what is on the screen. */
struct table_source *table_source_result(const char *title, struct result *result);

#endif
