/* Tables of sums: what the cursor, its figures and its order share.
 * Used by its room alone. */
#ifndef LANESCOPE_STORE_VTAB_SUMS_H
#define LANESCOPE_STORE_VTAB_SUMS_H

#include "store/vtab.h"

#define SUMS_ORDER_MOST 8 /* columns of an ORDER BY that is taken over */

struct sums_cursor {
	struct listed_cursor listed; /* rows: the part's groups; n: of all parts until now */
	struct sums_parts *parts;
	int64_t first; /* row of the part */
	int n_figures; /* columns before the dimensions */
	/* Where rows come in an order that the statement asks for: it, as planned, and the places
	 * that they would have without. */
	char order[2 * SUMS_ORDER_MOST + 1];
	uint64_t used; /* columns that are read, as SQLite tells them */
	uint32_t *places;
	sqlite3_stmt *sorted;       /* of more than one part: SQLite sorts them */
	bool is_in_by[ROW_COLUMNS]; /* of its dimensions */
};

/* Appends their declarations: figures, then dimensions. */
void sums_declare(enum block_kind kind, struct strbuf *columns);
/* What must be computed where such columns are read, as a number for xFilter; and a request for
 * just that. */
int sums_parts_used(enum block_kind kind, sqlite3_uint64 used);
void sums_request_parts(enum block_kind kind, int parts, struct sums_request *request);

/* What a column of figures shows. */
struct sums_figure {
	enum {
		FIGURE_NULL,
		FIGURE_INTEGER,
		FIGURE_REAL,
		FIGURE_SQUARES, /* of integers */
		FIGURE_LARGE    /* it leaves 64 bits (of squares: 128) */
	} type;
	union {
		int64_t integer;
		double real;
		const unsigned __int128 *squares; /* the group's */
	};
};
struct sums_figure sums_figure(enum block_kind kind, const struct group_sums *group, int column);
/* Fails the read of one that leaves its bits. */
int sums_too_large(const struct listed_cursor *cursor, int column);
/* Is a figure of none of the measures (sums_counts)? */
bool sums_is_count(int column);
/* Figures stand before dimensions. */
int sums_first_dimension(enum block_kind kind);
/* "dur_sum", "name": its name in SQL. */
void sums_column_name(enum block_kind kind, int column, struct strbuf *out);

/* xBestIndex, after arguments_best_index: takes over the statement's order, if it can. */
int sums_order_plan(const struct vtab *vtab, sqlite3_index_info *info);
/* xFilter: the order and used columns of a plan behind its argc arguments. */
void sums_order_read(struct sums_cursor *cursor, const char *plan, int argc);
/* Puts the rows of the only part into it. A result code. */
int sums_order_rows(struct sums_cursor *cursor);
/* Instead, where there are more parts than this first one: a statement of the same table that
 * SQLite sorts. */
int sums_order_prepare(struct sums_cursor *cursor, struct err *err);
/* The next row of it, from the first on. A result code. */
int sums_order_step(struct sums_cursor *cursor);
void sums_order_column(const struct sums_cursor *cursor, sqlite3_context *context, int column);

#endif
