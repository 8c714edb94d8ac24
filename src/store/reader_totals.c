/*
 * Table span_total for the scans: read when a query first asks for sums that it can answer. What
 * is not as the writer writes it counts as no totals, and the blocks are scanned instead. So they
 * are where nearly each span has a name of its own, for a row of a table takes as long as many rows
 * of blocks; a timeline, which ranks all names, takes them all the same: each in turn, and keeps
 * none where they are many.
 */
#include "config.h"
#include "store/reader.h"

#include <stdlib.h>

#include "store/squares.h"
#include "util/mem.h"
#include "util/order.h"

/* A nullable code below n; n itself stands for a code that is not there. */
static uint32_t
column_code(sqlite3_stmt *row, int column, uint32_t n)
{
	if (sqlite3_column_type(row, column) == SQLITE_NULL) {
		return TEXT_NONE;
	}
	int64_t code = sqlite3_column_int64(row, column);
	return code >= 0 && code < n ? (uint32_t)code : n;
}

/* The columns that hold sums of squares, behind those of integers. */
#define COLUMN_INTEGERS 17
#define COLUMN_DURATION_SQUARES 17
#define COLUMN_SIZE_SQUARES 18

/* Numbers, or nothing: extremes of sizes may be missing. A sum that is real has left 64 bits. */
static bool
are_numbers(sqlite3_stmt *row, bool *are_integers)
{
	*are_integers = true;
	for (int i = 3; i < COLUMN_INTEGERS; i++) {
		int type = sqlite3_column_type(row, i);
		if (type == SQLITE_FLOAT) {
			*are_integers = false;
		} else if (type != SQLITE_INTEGER && type != SQLITE_NULL) {
			return false;
		}
	}
	return true;
}

/* Missing where rows stand for many calls: sums of such a run are not answered from its totals. */
static bool
column_squares(sqlite3_stmt *row, int column, unsigned __int128 *squares)
{
	if (sqlite3_column_type(row, column) == SQLITE_NULL) {
		*squares = 0;
		return true;
	}
	if (sqlite3_column_type(row, column) != SQLITE_BLOB ||
	    sqlite3_column_bytes(row, column) != SQUARES_BYTES) {
		return false;
	}
	*squares = squares_get(sqlite3_column_blob(row, column));
	return true;
}

/* False: no total of ours. */
static bool
take_total(const struct dataset *dataset, sqlite3_stmt *row, struct dataset_total *total)
{
	*total = (struct dataset_total){
	    .lane = column_code(row, 0, dataset->n_lanes),
	    .category = column_code(row, 1, dataset->n_texts),
	    .name = column_code(row, 2, dataset->n_texts),
	    .calls = sqlite3_column_int64(row, 3),
	    .rows = sqlite3_column_int64(row, 4),
	    .start_min = sqlite3_column_int64(row, 5),
	    .end_max = sqlite3_column_int64(row, 6),
	    .duration_sum = sqlite3_column_int64(row, 7),
	    .duration_min = sqlite3_column_int64(row, 8),
	    .duration_max = sqlite3_column_int64(row, 9),
	    .self_sum = sqlite3_column_int64(row, 10),
	    .size_n = sqlite3_column_int64(row, 11),
	    .size_sum = sqlite3_column_int64(row, 12),
	    .size_min = sqlite3_column_int64(row, 13),
	    .size_max = sqlite3_column_int64(row, 14),
	    .unfinished = sqlite3_column_int64(row, 15),
	    .unfinished_sum = sqlite3_column_int64(row, 16),
	};
	return are_numbers(row, &total->is_exact) &&
	       column_squares(row, COLUMN_DURATION_SQUARES, &total->duration_squares) &&
	       column_squares(row, COLUMN_SIZE_SQUARES, &total->size_squares) &&
	       total->lane < dataset->n_lanes && total->category != dataset->n_texts &&
	       total->name != dataset->n_texts && total->rows > 0 && total->size_n >= 0 &&
	       (total->size_n <= total->calls || total->size_n <= total->rows);
}

/* A total is of a row at least, so a run has no more of them than rows. What is not as the writer
 * writes it leaves none. */
static int
load_totals(struct run_reader *reader, sqlite3_stmt *list, struct err *err)
{
	const struct dataset *dataset = &reader->dataset;
	size_t n = 0, capacity = 0;
	int status;

	while ((status = reader_step(list, err)) == 1) {
		MEM_GROW(reader->totals, capacity, n + 1);
		if ((int64_t)n == dataset->n_rows[BLOCK_SPAN] ||
		    !take_total(dataset, list, &reader->totals[n])) {
			n = 0;
			status = 0;
			break;
		}
		n++;
	}
	reader->n_totals = n;
	return status;
}

#define FEW_TOTALS 4096 /* read, however few spans there are */
#define SPANS_A_TOTAL 64
#define KEPT_TOTALS 65536 /* more are read again each time, where each is seen once */

/* How many rows there are; -1 on error. */
static int64_t
count_totals(struct run_reader *reader, struct err *err)
{
	sqlite3_stmt *last =
	    reader_prepare(reader->db, "SELECT max(rowid) FROM main.span_total", err);
	int status = last ? reader_step(last, err) : -1;
	int64_t n = status < 0 ? -1 : status == 0 ? 0 : MOST(sqlite3_column_int64(last, 0), 0);

	sqlite3_finalize(last);
	return n;
}

/* Are they so many that blocks are read sooner? -1 on error. */
static int
are_many(struct run_reader *reader, struct err *err)
{
	int64_t n = count_totals(reader, err);

	return n < 0 ? -1 : n > FEW_TOTALS + reader->dataset.n_rows[BLOCK_SPAN] / SPANS_A_TOTAL;
}

static sqlite3_stmt *
list_totals(struct run_reader *reader, struct err *err)
{
	return reader_prepare(reader->db,
	                      "SELECT lane, category, name, n, rows, start_min, finish_max, "
	                      "dur_sum, dur_min, dur_max, self_sum, size_n, size_sum, "
	                      "size_min, size_max, unfinished_n, unfinished_sum, "
	                      "dur_sumsq, size_sumsq FROM main.span_total",
	                      err);
}

int
reader_totals(void *user, bool if_few, const struct dataset_total **totals, size_t *n,
              struct err *err)
{
	struct run_reader *reader = user;
	int many = if_few && !reader->has_totals ? are_many(reader, err) : 0;
	if (many < 0) {
		return -1;
	}
	if (!reader->has_totals && !many) {
		sqlite3_stmt *list = list_totals(reader, err);
		int status = list ? load_totals(reader, list, err) : -1;
		sqlite3_finalize(list);
		if (status) { /* it is asked again */
			free(reader->totals);
			reader->totals = NULL;
			return -1;
		}
		reader->has_totals = true;
	}
	*totals = reader->totals;
	*n = reader->n_totals;
	return 0;
}

/* Visits all as they come (visit NULL: none). 1, or 0: not all are of ours; -1. */
static int
visit_totals(struct run_reader *reader, dataset_visit_total *visit, void *visitor, struct err *err)
{
	const struct dataset *dataset = &reader->dataset;
	sqlite3_stmt *list = list_totals(reader, err);
	struct dataset_total total;
	int64_t n = 0;
	int status = list ? 1 : -1;
	bool is_ours = true;

	while (status == 1 && is_ours && (status = reader_step(list, err)) == 1) {
		is_ours = n++ < dataset->n_rows[BLOCK_SPAN] && take_total(dataset, list, &total);
		if (is_ours && visit) {
			visit(visitor, &total);
		}
	}
	sqlite3_finalize(list);
	return status < 0 ? -1 : is_ours;
}

/* One that is not of ours leaves none, so many are looked at first. */
int
reader_each_total(void *user, dataset_visit_total *visit, void *visitor, struct err *err)
{
	struct run_reader *reader = user;
	int64_t n_rows = reader->has_totals ? 0 : count_totals(reader, err);
	const struct dataset_total *totals;
	size_t n;

	if (n_rows < 0) {
		return -1;
	}
	if (n_rows > KEPT_TOTALS) {
		int status = visit_totals(reader, NULL, NULL, err);
		status = status > 0 ? visit_totals(reader, visit, visitor, err) : status;
		return status < 0 ? -1 : 0;
	}
	if (reader_totals(reader, false, &totals, &n, err)) {
		return -1;
	}
	for (size_t i = 0; i < n; i++) {
		visit(visitor, &totals[i]);
	}
	return 0;
}
