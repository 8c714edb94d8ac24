/* Our virtual tables, inside of src/store: what they share. The essay stands in vtab_tables.c.
 * Used by its room alone. */
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
	/* run_reader_tiles; may be NULL */
	int (*tiles)(void *user, struct tile_reader *tiles, struct err *err);
	/* What there is without a dataset: the file is a run, and what of it is in scope; NULL on
	 * error. No such function: it is asked of the dataset. */
	const struct dataset_scope *(*scope)(void *user, struct err *err);
	/* The connection that reads the run, once there is a dataset or scope; NULL: the tables'
	 * own */
	sqlite3 *(*connection)(void *user);
};

/* The source of a connection's tables, shared by its modules and tables. */
struct vtab_run {
	struct vtab_source source;
	unsigned references;
};

struct vtab_type {
	const char *name;
	enum block_kind kind;
	const struct vtab_class *class;
	const struct listed_table *listed; /* of vtab_listed */
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

/* What the tables of one file have in common. */
struct vtab;
struct listed_cursor;
struct arguments_shape;
struct vtab_class {
	sqlite3_module methods; /* VTAB_FRAME and its own */
	/* Appends the columns' declarations, "id INTEGER, start INTEGER, ...". */
	void (*declare)(const struct vtab_type *type, struct strbuf *columns);
	size_t cursor_bytes;
	void (*release)(sqlite3_vtab_cursor *cursor); /* what it holds, before it is freed */
	/* Of those whose xFilter is vtab_listed_filter: */
	const struct arguments_shape *arguments;
	int (*run)(struct vtab *vtab, struct listed_cursor *cursor,
	           struct err *err); /* sets rows and n */
	void (*free_rows)(void *rows);
	/* Of groups: their value of a dimension; false: it is not in `by`. */
	bool (*key)(const struct listed_cursor *cursor, enum row_column dimension,
	            struct scan_value *value);
};

/* What every cursor begins with. */
struct vtab_cursor {
	sqlite3_vtab_cursor base;
	const struct dataset *dataset; /* set by xFilter */
	struct strbuf json;            /* of arguments */
	int64_t at;                    /* the row's number, from 0 on */
	bool is_end;
};

struct vtab {
	sqlite3_vtab base; /* first: SQLite sees only this */
	const struct vtab_type *type;
	struct vtab_run *run;
	sqlite3 *db;
	struct row_shape rows, dimensions; /* of its kind, and the columns of groups */
};

/* What all tables do alike: cursors are zeroed memory of the class's size. */
int vtab_connect(sqlite3 *db, void *module, int argc, const char *const *argv, sqlite3_vtab **table,
                 char **message);
int vtab_disconnect(sqlite3_vtab *table);
int vtab_open(sqlite3_vtab *table, sqlite3_vtab_cursor **cursor);
int vtab_close(sqlite3_vtab_cursor *base);
int vtab_eof(sqlite3_vtab_cursor *base);
int vtab_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *rowid);
#define VTAB_FRAME VTAB_FRAME_BUT_ROWID, .xRowid = vtab_rowid
#define VTAB_FRAME_BUT_ROWID                                                                       \
	.xConnect = vtab_connect, .xDisconnect = vtab_disconnect, .xOpen = vtab_open,              \
	.xClose = vtab_close, .xEof = vtab_eof

/* Registers the virtual tables. The source is released with the last of them (on failure, too). */
int vtab_register(sqlite3 *db, const struct vtab_source *source, struct err *err);
/* The tables' source of a run reader, which is_owned: is freed with them. */
struct vtab_source vtab_reader_source(struct run_reader *reader, bool is_owned);

/* The table's message, which begins with its name, and result code for an error. */
int vtab_fail(struct vtab *vtab, struct err *err);
const struct dataset *vtab_dataset(struct vtab *vtab, struct err *err);
const struct cancel *vtab_cancel(struct vtab *vtab);
const struct dataset_scope *vtab_scope(struct vtab *vtab, struct err *err);
/* *tiles has no base_ns where the source has none. 0 or -1. */
int vtab_tiles(struct vtab *vtab, struct tile_reader *tiles, struct err *err);
/* After a scan of spans. */
int vtab_take_census(struct vtab *vtab, const char *filter,
                     const struct scan_value parameters[SCAN_PARAMETERS], bool is_beside,
                     struct err *err);

/* A statement over the file's tables, which it names with "main.": in a scope it reads what that
 * leaves of them. After vtab_dataset() or vtab_scope(). A result code. */
int vtab_prepare(struct vtab *vtab, const char *sql, sqlite3_stmt **stmt);
/* A row of one: 0, 1 to end with it, -1 with err set. */
typedef int vtab_take_row(void *user, sqlite3_stmt *row, struct err *err);
/* Hands all its rows to take, in their order. parameter: ?1; NULL: there is none, or it is NULL. 0,
 * what take ended with, or -1 with err set. */
int vtab_take_rows(struct vtab *vtab, const char *sql, sqlite3_value *parameter,
                   vtab_take_row *take, void *user, struct err *err);
/* The connection of such statements. */
sqlite3 *vtab_connection(struct vtab *vtab);
/* vtab_fail after such a statement; SQLITE_OK where result says that it went well. */
int vtab_fail_read(struct vtab *vtab, int result);

/* As the result of xColumn. Texts are borrowed from the dataset, so stay as long as the connection.
 */
void vtab_result_text(sqlite3_context *context, struct slice text);
void vtab_result_code(sqlite3_context *context, const struct dataset *dataset, uint32_t code);

/*
 * Arguments of table-valued functions: hidden columns in a row, from shape->first on, named by
 * shape->names. An argument that depends on another table of the query is waited for; one that is
 * required and given nowhere is an error.
 */
#define ARGUMENTS_MAX 13
#define PARAMETER_NAMES "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8"
struct arguments_shape {
	const char *names[ARGUMENTS_MAX];
	int n, n_required;
	const char *usage; /* "span_sums(by [, filter [, p1 ... p8]])" less the name */
};
struct arguments {
	const struct arguments_shape *shape;
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
int arguments_text(const struct arguments *arguments, int i, const char **text, struct err *err);
int arguments_integer(const struct arguments *arguments, int i, int64_t *integer, struct err *err);
/* An integer of ns, or a text such as '10ms'; NULL gives 0. */
int arguments_duration(const struct arguments *arguments, int i, int64_t *duration_ns,
                       struct err *err);
/* The first two of groups: by, which may not be NULL, and a filter. */
int arguments_by(const struct arguments *arguments, const char **by, const char **filter,
                 struct err *err);
/* p1 ... p8, which are the last eight. */
int arguments_parameters(const struct arguments *arguments,
                         struct scan_value parameters[SCAN_PARAMETERS], struct err *err);

/*
 * Tables of groups: figures, then a column for each dimension (vtab_groups.c).
 */
/* The columns that are dimensions. */
struct row_shape dimension_shape(void);
void vtab_declare_dimensions(struct strbuf *columns);
/* xColumn behind the figures, from 0 on: a dimension (reading one that is not in `by` fails) or an
 * argument. */
int vtab_groups_column(const struct listed_cursor *cursor, sqlite3_context *context, int column);
/* Fails the read of a dimension. */
int vtab_not_in_by(const struct listed_cursor *cursor, enum row_column dimension);
void vtab_result_value(sqlite3_context *context, const struct scan_value *value);
/* Fails the read of a figure that does not fit. */
int vtab_too_large(const struct listed_cursor *cursor, const char *prefix, const char *column,
                   int bits);

/*
 * Columns of single rows, shared by span, event, counter and their pages.
 */
/* How a column is declared: "INTEGER", "" for any type. */
const char *vtab_type_of_column(enum row_column column);
/* The visible columns of a kind, in order. */
struct row_shape row_shape(enum block_kind kind);
void row_declare(enum block_kind kind, struct strbuf *columns);
/* A hidden column stands behind all others: of spans `inside`, which most times is the duration;
 * of events and counters `start`, which filters and orders call their time. Appends it. */
enum row_column row_alias(enum block_kind kind);
void row_declare_alias(enum block_kind kind, struct strbuf *columns);
/* Fields (1 << FIELD_x) that a column is made of. */
uint64_t row_fields(enum row_column column);
/* The value of any column but ROW_ARGS. */
void row_result(sqlite3_context *context, const struct dataset *dataset, const struct span_row *row,
                enum row_column column);
/* That of ROW_ARGS, once cursor->json was filled with this status. */
int row_result_arguments(struct vtab_cursor *cursor, sqlite3_context *context, int status,
                         const struct err *err);

/* The bounds of constraints, as planned by span's xBestIndex: two letters for each of argv, the
 * column's place from 'A' on and the comparison ('=', '<', '>', 'L' for <=, 'G' for >=). False: no
 * row can match. bounds->columns is left 0. */
bool bounds_of_plan(const struct dataset *dataset, const char *plan, int argc, sqlite3_value **argv,
                    struct row_bounds *bounds);

extern const struct vtab_class vtab_rows, vtab_sums, vtab_page, vtab_busy, vtab_listed,
    vtab_samples, vtab_capacity;

/* A cursor that is a statement over a table of the file. */
struct stmt_cursor {
	struct vtab_cursor cursor;
	sqlite3_stmt *stmt;
};
/* Of an xFilter: no statement, and the file's schema is ours. A result code. */
int vtab_stmt_begin(struct stmt_cursor *cursor);
void vtab_stmt_release(sqlite3_vtab_cursor *base);

/* The begin of a cursor over rows (or groups) that a scan gave. */
struct listed_cursor {
	struct vtab_cursor cursor;
	struct arguments arguments;
	void *rows; /* freed by the class; NULL where the scan gave none */
	int64_t n;
	int wants; /* idxNum: what else the scan was to find */
	bool is_run;
};
/* An xFilter: runs the class's scan, unless it was run with the same arguments. */
int vtab_listed_filter(sqlite3_vtab_cursor *base, int wants, const char *names, int argc,
                       sqlite3_value **argv);
int vtab_listed_next(sqlite3_vtab_cursor *base);
void vtab_listed_release(sqlite3_vtab_cursor *base);

/* A table that is nothing more: its arguments, its columns and the scan that fills it. */
#define LISTED_COLUMNS 25
struct listed_table {
	struct arguments_shape arguments;
	int n_columns;
	struct {
		const char *name;
		enum {
			LISTED_INTEGER,
			LISTED_TEXT, /* a text code */
			LISTED_REAL  /* a double's bytes */
		} type;
	} columns[LISTED_COLUMNS];
	/* How the rows are sorted, which spares SQLite doing so. */
	struct {
		int column;
		bool is_descending;
	} order[2];
	int n_order;
	bool is_plain;  /* no dataset is wanted: no column is a text */
	unsigned extra; /* mask of columns; cursor->wants has those of them that are read */
	/* Sets rows and n; dataset and arguments are set. */
	int (*run)(struct vtab *vtab, struct listed_cursor *cursor, struct err *err);
	/* A row's values; returns the mask of those that are NULL. */
	unsigned (*read)(const void *rows, int64_t row, int64_t values[LISTED_COLUMNS]);
	void (*free_rows)(void *rows); /* NULL: free() */
};
/* The pairs (ops/pairs.h) of a table whose arguments from the first on are key, spans, partners and
 * parameters; a census is taken. How many, or -1; *pairs are to be freed either way. */
struct pair;
int64_t vtab_pairs_find(struct vtab *vtab, const struct listed_cursor *cursor, int first,
                        struct pair **pairs, struct err *err);

extern const struct listed_table vtab_overlap_listed, vtab_pairs_listed, vtab_pair_sums_listed,
    vtab_gaps_listed, vtab_gaps_within_listed, vtab_idle_listed, vtab_interference_listed,
    vtab_makespan_listed, vtab_alike_listed, vtab_flows_listed, vtab_capacity_sums_listed,
    vtab_preemption_sums_listed, vtab_task_sums_listed, vtab_sample_sums_listed,
    vtab_task_levels_listed;

#endif
