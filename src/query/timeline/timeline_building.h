/* A window being made; shared by the files that add its parts.
 * Used by its room alone. */
#ifndef LANESCOPE_QUERY_TIMELINE_TIMELINE_BUILDING_H
#define LANESCOPE_QUERY_TIMELINE_TIMELINE_BUILDING_H

#include "column/scan/scan.h"
#include "query/timeline/timeline_window.h"
#include "query/timeline/timeline_private.h"
#include "util/intervals.h"

struct building {
	struct store *store;
	const struct dataset *dataset;
	const struct timeline *timeline;
	const struct timeline_request *request;
	const struct timeline_line *lines; /* these are the request's */
	size_t n_lines;
	int64_t start_ns, cell_ns;
	uint32_t n_cells;
	const struct colours *colours;
	struct timeline_window *window;
	struct timeline_track *tracks; /* the window's */
	struct arena *arena;
	struct tile_reader tiles;
	const struct cancel *cancel;
	int64_t end_ns;
	int64_t from_ns, until_ns; /* what of the window is in the scope's range */
	size_t *line_of_lane;      /* first line of a lane in the window, n_lines: none */
};

static inline const struct timeline_row *
building_row(const struct building *building, size_t line)
{
	return &building->timeline->rows[building->lines[line].row];
}
struct tile_cell *building_cells(struct building *building); /* empty */

/* Spans of the window, line by line. 1: they are in; 0: there are too many; -1. */
int building_add_spans(struct building *building, struct err *err);
/* Cells out of sums by lane and time, for what tiles don't know: filters, depths, other colours. */
int building_add_sums(struct building *building, struct err *err);
/* Adds a span to the cells it lies in; busy time as it is, not as a union. */
void building_add_to_cells(struct building *building, struct tile_cell *cells, int64_t start_ns,
                           int64_t duration_ns, uint32_t rank, int64_t count);
/* Counts spans where they start; one that reaches into the scope's range, where that begins. */
void building_add_count(const struct building *building, struct tile_cell *cells, int64_t start_ns,
                        int64_t count);
/* Adds a record that stands for many calls: their sum, spread evenly over its interval, to density
 * and colour; not to busy. */
void building_add_density(struct building *building, struct tile_cell *cells, int64_t start_ns,
                          int64_t duration_ns, int64_t sum_ns, uint32_t rank);
/* Adds an interval to busy alone. */
void building_add_dense_busy(struct building *building, struct tile_cell *cells, int64_t from_ns,
                             int64_t end_ns);
/* The cells of a lane of such records, out of its spans in order of their starts. */
void building_dense_cells(struct building *building, struct timeline_track *track);
/* The rank of a span's colour; by status: of one that went well. */
uint32_t building_rank_of(const struct building *building, const struct span_row *row);
/* Adds to a cell's time of a colour. */
void building_add_rank(struct building *building, struct tile_cell *cell, uint32_t rank,
                       int64_t ns);
/* Sorts each cell's categories, the largest first. */
void building_settle_cells(struct building *building, struct tile_cell *cells);
int building_add_values(struct building *building, struct err *err);
/* Busy time of hosts and processes under a filter or a scope, which tiles don't know. */
int building_add_groups(struct building *building, struct err *err);
/* "lane IN (...)" of the lines' lanes; false if there is none. */
bool building_lane_filter(const struct building *building, struct strbuf *out);
/* " AND (the user's filter)" if there is one. */
void building_add_filter(const struct building *building, struct strbuf *out);

#endif
