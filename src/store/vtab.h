/* Our virtual tables, inside of src/store: what they share. The essay stands in vtab_tables.c. */
#ifndef LANESCOPE_STORE_VTAB_H
#define LANESCOPE_STORE_VTAB_H

#include <stdbool.h>

#include "store/internal.h"

#include "column/scan/scan.h"
#include "util/slice.h"

/* Where the tables get the run from: a run_reader, or whatever a test has. */
struct vtab_source {
	void *user;
	const struct dataset *(*dataset)(void *user, struct err *err);
	const struct cancel *(*cancel)(void *user); /* what scans poll; may give NULL */
	void (*release)(void *user);                /* after the last use; may be NULL */
	/* run_reader_take_census; may be NULL */
	int (*take_census)(void *user, const char *filter,
	                   const struct scan_value parameters[SCAN_PARAMETERS], bool is_beside,
	                   struct err *err);
};

/* The source of a connection's tables, shared by its modules and tables. */
struct vtab_run {
	struct vtab_source source;
	unsigned references;
};

struct vtab_type {
	const char *name;
	enum block_kind kind;
	const sqlite3_module *methods;
	/* Appends the columns' declarations, "id INTEGER, start INTEGER, ...". */
	void (*declare)(const struct vtab_type *type, struct strbuf *columns);
	const struct listed_table *listed; /* of vtab_listed_module */
};

/* What a registered module knows. */
struct vtab_module {
	const struct vtab_type *type;
	struct vtab_run *run;
};
void vtab_run_release(struct vtab_run *run); /* one reference less */

/* Columns of a table, in order. */
struct row_shape {
	enum row_column columns[ROW_COLUMNS];
	int n;
};

struct vtab {
	sqlite3_vtab base; /* first: SQLite sees only this */
	const struct vtab_type *type;
	struct vtab_run *run;
	sqlite3 *db;
	struct row_shape rows, dimensions; /* of its kind, and the columns of groups */
};

/* All tables' xConnect and xDisconnect. */
int vtab_connect(sqlite3 *db, void *module, int argc, const char *const *argv, sqlite3_vtab **table,
                 char **message);
int vtab_disconnect(sqlite3_vtab *table);

/* Registers the virtual tables. The source is released with the last of them (on failure, too). */
int vtab_register(sqlite3 *db, const struct vtab_source *source, struct err *err);
/* The tables' source of a run reader, which is_owned: is freed with them. */
struct vtab_source vtab_reader_source(struct run_reader *reader, bool is_owned);

/* The table's message and result code for an error. */
int vtab_fail(struct vtab *vtab, const struct err *err);
const struct dataset *vtab_dataset(struct vtab *vtab, struct err *err);
const struct cancel *vtab_cancel(struct vtab *vtab);
/* After a scan of spans. */
int vtab_take_census(struct vtab *vtab, const char *filter,
                     const struct scan_value parameters[SCAN_PARAMETERS], bool is_beside,
                     struct err *err);

/* As the result of xColumn. Texts are borrowed from the dataset, so stay as long as the connection.
 */
void vtab_result_text(sqlite3_context *context, struct slice text);
void vtab_result_code(sqlite3_context *context, const struct dataset *dataset, uint32_t code);

/*
 * Arguments of table-valued functions: hidden columns in a row, from shape->first on, named by
 * shape->names. An argument that depends on another table of the query is waited for; one that is
 * required and given nowhere is an error.
 */
#define ARGUMENTS_MAX 12
#define PARAMETER_NAMES "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8"
struct arguments_shape {
	const char *names[ARGUMENTS_MAX];
	int n, n_required;
	const char *usage; /* "span_sums(by [, filter [, p1 ... p8]])" less the name */
};
struct arguments {
	sqlite3_value *values[ARGUMENTS_MAX]; /* NULL: not given */
};

/* Appends the hidden columns' declarations. */
void arguments_declare(const struct arguments_shape *shape, struct strbuf *columns);
/* xBestIndex: constraints on the hidden columns from `first` on become xFilter's arguments, idxStr
 * says which. */
int arguments_best_index(struct vtab *vtab, const struct arguments_shape *shape, int first,
                         sqlite3_index_info *info);
/* xFilter: takes copies; *is_same: nothing changed. -1: out of memory. */
int arguments_set(struct arguments *arguments, const char *names, int argc, sqlite3_value **argv,
                  bool *is_same);
void arguments_free(struct arguments *arguments);
/* xColumn of a hidden column: the argument as it was given, NULL if it was not. */
void arguments_result(const struct arguments *arguments, int i, sqlite3_context *context);
/* Text of an argument; NULL (of SQL or not given) leaves *text NULL. Refuses blobs and NUL bytes.
 */
int arguments_text(const struct arguments *arguments, const struct arguments_shape *shape, int i,
                   const char **text, struct err *err);
int arguments_integer(const struct arguments *arguments, const struct arguments_shape *shape, int i,
                      int64_t *integer, struct err *err);
/* An integer of ns, or a text such as '10ms'; NULL gives 0. */
int arguments_duration(const struct arguments *arguments, const struct arguments_shape *shape,
                       int i, int64_t *duration_ns, struct err *err);
/* p1 ... p8, which are the last eight. */
int arguments_parameters(const struct arguments *arguments, const struct arguments_shape *shape,
                         struct scan_value parameters[SCAN_PARAMETERS], struct err *err);

/*
 * Tables of groups: figures, then a column for each dimension (vtab_groups.c).
 */
/* What a cursor over groups begins with. */
struct groups_cursor {
	sqlite3_vtab_cursor base;
	struct arguments arguments;
	size_t group, n_groups;
};
int vtab_groups_next(sqlite3_vtab_cursor *base);
int vtab_groups_eof(sqlite3_vtab_cursor *base);
int vtab_groups_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *rowid);
/* The columns that are dimensions. */
struct row_shape dimension_shape(void);
void vtab_declare_dimensions(struct strbuf *columns);
/* Fails the read of a dimension that is not in `by`. */
int vtab_no_dimension(struct vtab *vtab, enum row_column dimension, sqlite3_value *by);
void vtab_result_value(sqlite3_context *context, const struct scan_value *value);
/* Fails the read of a figure that does not fit; has, keys: by column. */
int vtab_too_large(struct vtab *vtab, const bool *has, const struct scan_value *keys,
                   const char *prefix, const char *column, int bits);

/*
 * Columns of single rows, shared by span, event, counter and their pages.
 */
/* How a column is declared: "INTEGER", "" for any type. */
const char *vtab_type_of_column(enum row_column column);
/* The visible columns of a kind, in order. */
struct row_shape row_shape(enum block_kind kind);
void row_declare(enum block_kind kind, struct strbuf *columns);
/* The name of the time column of events and counters is `time`, but filters and orders say `start`:
 * a hidden column of that name stands behind all others. Appends it for those kinds. */
void row_declare_alias(enum block_kind kind, struct strbuf *columns);
/* Fields (1 << FIELD_x) that a column is made of. */
uint64_t row_fields(enum row_column column);
/* The value of any column but ROW_ARGS. */
void row_result(sqlite3_context *context, const struct dataset *dataset, const struct span_row *row,
                enum row_column column);

/* The bounds of constraints, as planned by span's xBestIndex: two letters for each of argv, the
 * column's place from 'A' on and the comparison ('=', '<', '>', 'L' for <=, 'G' for >=). False: no row can
 * match. bounds->columns is left 0. */
bool bounds_of_plan(const struct dataset *dataset, const char *plan, int argc, sqlite3_value **argv,
                    struct row_bounds *bounds);

extern const sqlite3_module vtab_rows_module, vtab_sums_module, vtab_page_module, vtab_busy_module,
    vtab_listed_module, vtab_samples_module, vtab_capacity_module;
void vtab_rows_declare(const struct vtab_type *type, struct strbuf *columns);
void vtab_sums_declare(const struct vtab_type *type, struct strbuf *columns);
void vtab_page_declare(const struct vtab_type *type, struct strbuf *columns);
void vtab_busy_declare(const struct vtab_type *type, struct strbuf *columns);
void vtab_capacity_declare(const struct vtab_type *type, struct strbuf *columns);
void vtab_samples_declare(const struct vtab_type *type, struct strbuf *columns);

/* The begin of a cursor over rows that a scan has put into an array. */
struct listed_cursor {
	sqlite3_vtab_cursor base;
	struct arguments arguments;
	const struct dataset *dataset; /* set by the scan if it is needed later */
	void *rows;                    /* to be freed; NULL where the scan gave none */
	int64_t at, n;
	bool is_run; /* the arguments' scan has been run */
	bool wants_extra;
};
/* Of an xFilter: runs the scan, which sets rows and n (and dataset), unless it was run with the same arguments. */
int vtab_listed_filter(sqlite3_vtab_cursor *base, const char *names, int argc, sqlite3_value **argv,
                       int (*run)(struct vtab *vtab, sqlite3_vtab_cursor *base, struct err *err));
void vtab_listed_fini(struct listed_cursor *cursor);
int vtab_listed_next(sqlite3_vtab_cursor *base);
int vtab_listed_eof(sqlite3_vtab_cursor *base);
int vtab_listed_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *rowid);

/* A table that is nothing more: its arguments, its columns and the scan that fills it. */
#define LISTED_COLUMNS 10
struct listed_table {
	struct arguments_shape arguments;
	int n_columns;
	struct {
		const char *name;
		bool is_text; /* a text code */
	} columns[LISTED_COLUMNS];
	unsigned extra; /* mask of columns; cursor->wants_extra tells whether one of them is read */
	/* Sets rows and n; dataset and arguments are set. */
	int (*run)(struct vtab *vtab, struct listed_cursor *cursor, struct err *err);
	/* A row's values; returns the mask of those that are NULL. */
	unsigned (*read)(const void *rows, int64_t row, int64_t values[LISTED_COLUMNS]);
};
void vtab_listed_declare(const struct vtab_type *type, struct strbuf *columns);
extern const struct listed_table vtab_overlap_listed, vtab_pairs_listed, vtab_gaps_listed,
    vtab_idle_listed;

#endif
