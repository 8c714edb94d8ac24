/* Inside of struct writer, shared by writer.c and the files that fill its tables.
 * Used by its room alone. */
#ifndef LANESCOPE_STORE_WRITER_PRIVATE_H
#define LANESCOPE_STORE_WRITER_PRIVATE_H

#include "store/schema.h"
#include "store/sqlite.h"
#include "store/writer.h"

enum insert {
	INSERT_BLOB,
	INSERT_RUN,
	INSERT_SOURCE,
	INSERT_TEXT,
	INSERT_KEY,
	INSERT_LANE,
	INSERT_BLOCK,
	INSERT_COLUMN,
	INSERT_TILE,
	INSERT_TASK,
	INSERT_TRANSFER,
	INSERT_DEPENDENCY,
	INSERT_CAPACITY,
	INSERT_PREEMPTION,
	INSERT_TRIAL,
	INSERT_SAMPLE,
	INSERT_TAG,
	INSERT_PROBLEM,
	INSERT_TOTAL,
	INSERT_KEPT
};
#define INSERTS 20

/* A column's bytes that came before the database was made. */
struct early_blob {
	int64_t id;
	size_t bytes;
};

/* What a file of ours is: a run, or something else that is written like one. */
struct writer_kind {
	int application_id, version;
	const char *schema; /* NULL: a run's, which is made in two steps */
	const char *word;   /* "run file" */
};
/* As writer_new, for a file of that kind (static). */
struct writer *writer_new_of(const struct writer_kind *kind, const char *path, struct err *err);
/* Ends a file whose rows are all in, and gives it its name, in the place of one of its kind. */
int writer_complete(struct writer *writer, const struct cancel *cancel, struct err *err);

struct writer {
	const struct writer_kind *kind;
	char *path, *temporary;
	sqlite3 *db; /* NULL: not made yet */
	struct early_blob *early;
	size_t n_early, early_capacity;
	struct strbuf early_bytes;          /* theirs, one after another */
	sqlite3_stmt *inserts[INSERTS];     /* prepared at first use */
	int64_t n_rows[INSERTS];            /* inserted so far */
	int64_t n_beside;                   /* of the lanes: rows of others */
	int64_t n_block_rows[BLOCK_KINDS];  /* rows in blocks */
	int64_t n_source_rows[BLOCK_KINDS]; /* what the sources say of that */
	int64_t n_records;

	bool has_run;
	struct writer_run run; /* its texts are ours */
};

/* Makes the database, for a large or a small run, unless it is there. */
int writer_begin(struct writer *writer, bool is_large, struct err *err);
/* One row on its way: begin, its values in the order of the statement, end. What goes wrong before
 * is told by the end. */
struct insert_row {
	struct writer *writer;
	sqlite3_stmt *statement; /* NULL: there is none, and err says why */
	enum insert insert;
	int n, result;
};
struct insert_row insert_begin(struct writer *writer, enum insert insert, struct err *err);
void insert_null(struct insert_row *row);
void insert_integer(struct insert_row *row, int64_t value);
void insert_unless(struct insert_row *row, int64_t value,
                   int64_t none); /* NULL if value is none: TIME_NONE, TEXT_NONE ... */
void insert_real(struct insert_row *row, double value);       /* NULL if NaN */
void insert_text(struct insert_row *row, struct slice text);  /* lent until the end */
void insert_string(struct insert_row *row, const char *text); /* NULL if NULL */
void insert_blob(struct insert_row *row, struct slice bytes); /* lent until the end */
int insert_end(struct insert_row *row, struct err *err);

/* The same for several values at once: INSERT_UNLESS(&row, TEXT_NONE, task->key, task->name). */
void insert_integers(struct insert_row *row, const int64_t *values, size_t n);
void insert_all_unless(struct insert_row *row, int64_t none, const int64_t *values, size_t n);
void insert_strings(struct insert_row *row, const char *const *texts, size_t n);
#define INSERT_VALUES(type, ...)                                                                   \
	(const type[]){__VA_ARGS__}, sizeof((const type[]){__VA_ARGS__}) / sizeof(type)
#define INSERT_INTEGERS(row, ...) insert_integers(row, INSERT_VALUES(int64_t, __VA_ARGS__))
#define INSERT_UNLESS(row, none, ...)                                                              \
	insert_all_unless(row, none, INSERT_VALUES(int64_t, __VA_ARGS__))
#define INSERT_STRINGS(row, ...) insert_strings(row, INSERT_VALUES(char *const, __VA_ARGS__))

/* The connection's error as one of this file: "PATH: can't write: why, what to do". Always -1. */
int writer_failed(struct writer *writer, int result, struct err *err);

/* SQL of our own. */
int writer_execute(struct writer *writer, const char *sql, struct err *err);
int writer_make_schema(struct writer *writer, enum schema_part part, struct err *err);

/* Ends a file whose tables, all of them, were filled through writer->db: indexes, views, and what
 * writer_finish does last. Frees the writer in any case. */
int writer_finish_tables(struct writer *writer, const struct writer_placing *placing,
                         const struct cancel *cancel, struct err *err);

/* Table span_total, from what was written. */
int writer_totals(struct writer *writer, const struct cancel *cancel, struct err *err);

#endif
