/*
 * Scans over the blocks of a run on all cores: sums by group, quantiles, pages of rows, overlaps.
 *
 * Rows out of the dataset's scope are in no scan. Sums of durations are of the parts inside of its
 * range, and so are buckets, busy time, gaps and overlaps; what else is told of a span (its
 * duration, extremes, deviations, quantiles, sizes) is of the whole of it. Rows by id alone
 * (row_get, row_arguments) are there whatever the scope.
 *
 * Filter language (filter.h has the grammar): column = <> != < <= > >= value, [NOT] IN (...), LIKE,
 * GLOB, REGEXP, BETWEEN, IS [NOT] NULL, AND, OR, NOT, parentheses, ?1 ... ?8, 'text' or "text",
 * durations (10ms) and sizes (4MiB). NULL, the empty text: every row. Columns: those of the
 * registry (column/encode/registry.h), and arg.KEY. Text conditions are decided once for each
 * dictionary string; blocks are pruned by their columns' min and max. SQL's three-valued logic;
 * LIKE is ASCII case-insensitive as in SQLite.
 *
 * `by`: a list of dimensions, comma-separated: the columns that the registry gives a `by`, arg.KEY,
 * `start(WIDTH)` (bucket of the start), `time(WIDTH)` (a span counts in its start's bucket,
 * duration sum is divided among all it crosses; self time stays with the start), `pattern(REGEX[,
 * REPLACEMENT])` (of the path's basename, POSIX extended plus \d \w \s, every match replaced,
 * default by nothing). Of arg.KEY, texts that are integers and reals without a fraction count as
 * integers, integers above INT64_MAX are texts of digits. time(WIDTH) makes groups without rows
 * where spans only pass through. WIDTH is a duration, REGEX a quoted text, each may be ?N. The
 * empty text: one group.
 * Used by cli, column/ops, explain, explain/parts, explain/schedule, export, query/saved,
 * query/spans, query/timeline, store, ui/timeline.
 */
#ifndef LANESCOPE_COLUMN_SCAN_SCAN_H
#define LANESCOPE_COLUMN_SCAN_SCAN_H

#include <math.h>

#include "column/scan/census.h"
#include "column/scan/dataset.h"
#include "util/err.h"

struct scan_value {
	enum { SCAN_NULL, SCAN_INTEGER, SCAN_REAL, SCAN_TEXT } type;
	int64_t integer;
	double real;
	struct slice text; /* borrowed from the dataset or the result */
};

static inline struct scan_value
scan_text(struct slice text)
{
	return (struct scan_value){.type = SCAN_TEXT, .text = text};
}

#define SCAN_PARAMETERS 8
#define SCAN_DIMENSIONS 8
#define SCAN_GROUP_LIMIT (8u << 20)

enum measure { MEASURE_DURATION, MEASURE_SELF, MEASURE_SIZE, MEASURE_VALUE };
#define MEASURES 4
/* Which quantiles to compute exactly (linear interpolation, as numpy), for each measure. */
enum {
	QUANTILE_25 = 1,
	QUANTILE_50 = 2,
	QUANTILE_75 = 4,
	QUANTILE_90 = 8,
	QUANTILE_95 = 16,
	QUANTILE_99 = 32
};
#define QUANTILES 6

/* What the caller will not read; it need not be computed and is 0 then. */
enum { SUMS_NO_SUM = 1 /* nor n */, SUMS_NO_RANGE = 2 /* min, max */, SUMS_NO_SQUARES = 4 };

/* Values from one to another, in the order of sums: no value, numbers, texts. */
struct value_bounds {
	bool has_from, has_to;
	bool is_after;   /* from is not among them */
	bool is_through; /* to is among them */
	struct scan_value from, to;
};

struct sums_request {
	enum block_kind kind;
	const char *by, *filter; /* NULL: empty */
	struct scan_value parameters[SCAN_PARAMETERS];
	unsigned quantiles[MEASURES]; /* masks; 0: none */
	unsigned unread[MEASURES];    /* masks of SUMS_NO_...; 0: everything is read */
	bool unread_times;            /* start_min, end_max */
	bool unread_unfinished;
	uint32_t group_limit;  /* 0: SCAN_GROUP_LIMIT */
	uint32_t gather_limit; /* values that quantiles keep in memory; 0: 4 M (tests take less) */
	/* distinct values by group that each thread counts for quantiles; 0: 32 K, 1: as good as
	 * none */
	uint32_t count_limit;
	/* Names count as others, as coder_set_alias_names() takes them; NULL: each as itself. */
	const uint32_t *name_aliases;
	/* Groups with such values only: one for each dimension; NULL: all. */
	const struct value_bounds *bounds;
	const struct cancel *cancel;
};

struct measure_sums {
	int64_t n; /* calls that have the measure: rows, but for those that stand for many */
	int64_t sum, min, max; /* integers */
	/* what of the whole durations is not in sum: it lies outside of the scope's range */
	int64_t outside;
	/* 64 bits: sum is the nearest that fits, good for drawing only; real_sum is it, rounded */
	bool sum_leaves;
	bool squares_leave;        /* 128 bits: there is no deviation */
	unsigned __int128 squares; /* of integers: exact */
	double real_sum, real_min,
	    /* MEASURE_VALUE; sum in row order within a block, blocks in order: deterministic */
	    real_max;
	double real_squares; /* of the distances of reals from their mean */
	/* of a sample; NaN below two values and of durations that time(WIDTH) divides */
	double deviation;
	double quantile[QUANTILES]; /* NaN where n is 0 */
	/* calls among them are known by their sum alone: no squares, no quantiles */
	bool has_no_distribution;
	bool has_no_range; /* nor do all tell their extremes */
};

struct group_sums {
	int64_t n; /* calls: rows weighted by calls */
	int64_t rows;
	bool n_leaves;  /* 64 bits */
	int64_t summed; /* calls of rows that stand for many */
	int64_t start_min, end_max;
	/* Rows whose end was not recorded, and their durations (0 where a time dimension divides
	 * them). */
	int64_t unfinished, unfinished_ns;
	bool unfinished_leaves; /* the latter leaves 64 bits */
	struct measure_sums measure[MEASURES];
};

/* Of integers; NaN where there are none. */
static inline double
measure_mean(const struct measure_sums *sums)
{
	double sum = sums->sum_leaves ? sums->real_sum : (double)sums->sum;
	return sums->n > 0 ? sum / (double)sums->n : NAN;
}

struct sums;
/* Groups sorted by their keys in the order of `by` (NULL first, numbers, then text by bytes). An
 * empty `by` gives one group even if nothing matches. NULL on error: ERR_QUERY with position and
 * what is allowed, ERR_LIMIT, ERR_CANCELLED, ERR_FORMAT. */
struct sums *sums_run(const struct dataset *dataset, const struct sums_request *request,
                      struct err *err);
size_t sums_count(const struct sums *sums);
bool sums_has(const struct sums *sums, enum row_column dimension);
struct scan_value sums_key(const struct sums *sums, size_t group, enum row_column dimension);
/* Lent until the next call. */
const struct group_sums *sums_group(struct sums *sums, size_t group);
/* The same but for `measure`, which means nothing. */
const struct group_sums *sums_counts(struct sums *sums, size_t group);
/* Is it the first of `by`? */
bool sums_are_ordered_by(const struct sums *sums, enum row_column dimension);
/* From now on the groups come in another order: places[i] is where the i-th stood. */
void sums_put_in_order(struct sums *sums, const uint32_t *places);
void sums_free(struct sums *sums);

/* Groups of which there may be more than memory should hold: the same as those of one sums_run(),
 * in the same order, but in parts, each by a scan of its own. */
struct sums_parts;
/* What the request borrows stays with the caller until the end. */
struct sums_parts *sums_parts_new(const struct dataset *dataset,
                                  const struct sums_request *request);
bool sums_parts_end(const struct sums_parts *parts); /* there is no part any more */
/* The next part, which is there and may be empty; new. ERR_LIMIT: one bucket or value has too
 * many. */
int sums_parts_next(struct sums_parts *parts, struct sums **sums, struct err *err);
void sums_parts_free(struct sums_parts *parts); /* takes NULL */

/* Of the spans that a filter takes. */
int scan_census_take(const struct dataset *dataset, const char *filter,
                     const struct scan_value parameters[SCAN_PARAMETERS],
                     const struct cancel *cancel, struct scan_census *census, struct err *err);

/* The value of a row's column of ROW_CLASS_INTEGER; false: it has none. */
bool row_column_integer(const struct span_row *row, enum row_column column, int64_t *value);
/* The value of a row's column but arguments: as SQL tables show it. Texts are the dataset's. */
struct scan_value row_column_value(const struct dataset *dataset, const struct span_row *row,
                                   enum row_column column);

struct page_request {
	enum block_kind kind;
	const char *filter;
	struct scan_value parameters[SCAN_PARAMETERS];
	/* "-duration,start": columns of the filter language, "-" descending. Numbers before texts,
	 * texts by bytes; rows without a value last in either direction; ties by id. NULL or blank:
	 * by id. */
	const char *order;
	int64_t offset, limit; /* offset + limit <= 10 M */
	const struct cancel *cancel;
};
/* The rows offset ... offset + limit - 1 of all that match, in order; returns how many, -1 on
 * error. *rows is new (free()). *matching (may be NULL) gets the number of all that match. */
int64_t page_run(const struct dataset *dataset, const struct page_request *request,
                 struct span_row **rows, int64_t *matching, struct err *err);

/* Rows by id, and the arguments of one as JSON text ("{}" if none), appended. -1 if there is no
 * such row or on error. */
int row_get(const struct dataset *dataset, enum block_kind kind, int64_t id, struct span_row *row,
            struct err *err);
int row_arguments(const struct dataset *dataset, enum block_kind kind, int64_t id,
                  struct strbuf *json, struct err *err);

/* Iterates over rows in scope in id order, blocks pruned by the given bounds only (the caller
 * checks rows again). For the virtual tables. */
struct row_bounds {
	int64_t id_min, id_max, start_min, start_max, end_min /* rows that end at or after */,
	    duration_min, duration_max;
	int64_t lane;           /* -1: any */
	int64_t name, category; /* run text code, -1: any; -2: nothing matches */
	/* bit field numbers (1 << FIELD_x) that the caller will read; args apart */
	uint64_t columns;
};
struct row_cursor;
struct row_cursor *row_cursor_new(const struct dataset *dataset, enum block_kind kind,
                                  const struct row_bounds *bounds);
int row_cursor_next(struct row_cursor *cursor, struct span_row *row,
                    struct err *err); /* 1, 0 at the end, -1 */
/* Bounds the cursor by this id alone, also after its end: what is open serves again, so that
 * look-ups of neighbouring ids cost little. Not after an error, nor where other bounds were
 * given. */
void row_cursor_seek(struct row_cursor *cursor, int64_t id);
/* Does the block that it has open hold this id? */
bool row_cursor_holds(const struct row_cursor *cursor, int64_t id);
int row_cursor_arguments(struct row_cursor *cursor, struct strbuf *json,
                         struct err *err); /* of the current row */
void row_cursor_free(struct row_cursor *cursor);

/* Unions of intervals of two sets of spans, in windows by the span's start (spans are not cut at
 * windows; as DFAnalyzer's exact summary). */
struct overlap_request {
	const char *a, *b; /* filters */
	struct scan_value parameters[SCAN_PARAMETERS];
	int64_t window_ns; /* <= 0: one window over all */
	const struct cancel *cancel;
};
struct overlap_window {
	int64_t start_ns;
	int64_t a_ns, b_ns,
	    /* lengths of union(A), union(B), union(A) & union(B) of spans that start in this
	     * window */
	    both_ns;
	int64_t n_a, n_b;
};
int64_t overlap_run(const struct dataset *dataset, const struct overlap_request *request,
                    struct overlap_window **windows, struct err *err);

#endif
