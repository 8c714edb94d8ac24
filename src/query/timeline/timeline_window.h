/*
 * What the lines of a timeline show in a window: cells, values, and, where they are few enough, the
 * spans themselves. Everything that drawing needs is in it, so that it can be made on one thread
 * and drawn on another.
 * Used by cli, export, ui/timeline.
 */
#ifndef LANESCOPE_QUERY_TIMELINE_TIMELINE_WINDOW_H
#define LANESCOPE_QUERY_TIMELINE_TIMELINE_WINDOW_H

#include "query/saved/query.h"
#include "query/timeline/timeline_colour.h"

struct timeline_line {
	size_t row;
	int depth; /* only the spans of this depth of a lane; -1: all */
};

struct timeline_request {
	const struct timeline_line *lines;
	size_t n_lines;
	/* start_ns: a multiple of cell_ns. Cells of a width that timeline_snap gives are exact; of
	 * any other they add up to the same, but what lies at their ends is as if it were spread
	 * evenly over the tiles there */
	int64_t start_ns, cell_ns;
	uint32_t n_cells;
	const char *filter; /* other spans are left out; NULL: all are shown */
	const struct colours *colours;
	size_t span_limit; /* more are shown as cells; 0: WINDOW_SPANS */
	/* To be looked at: of a run of more than TIMELINE_BLUR_SPANS what sums up lanes comes from
	 * tiles up to 16 times as wide as the cells, so that not all spans are read for it */
	bool is_picture;
};
#define WINDOW_SPANS 6000u

struct timeline_span {
	int64_t id, start_ns, duration_ns;
	uint32_t depth, lane, rank; /* of its colour */
	struct slice name;
	bool is_unfinished;  /* its end is not in the trace */
	int64_t call_sum_ns; /* of the calls that a record stands for; else its duration */
};

struct timeline_value {
	bool is_known;
	double low, high;
};

struct timeline_track {
	/* lanes, hosts, processes; their `category` is a rank of colours. NULL: none */
	struct tile_cell *cells;
	struct timeline_value *values; /* counters, capacity, sums: NULL for others */
	double low, high;              /* of the values that may come */
	uint32_t
	    n_lanes; /* of a group those in scope that can be busy or idle, at least 1; else 1 */
	const struct timeline_span *spans; /* by start; NULL: only cells are known */
	size_t n_spans;
	bool has_spans;
	/* Records that stand for many calls, no spans: what counts are its cells' densities, cut at
	 * their width. Their times by colour are the calls', but where tiles told them; busy is at
	 * most what it says. */
	bool is_dense;
	bool is_cut; /* a process of too many lanes: unfold it */
	/* Cells are narrower than the tiles that they are of, whose time and starts are spread
	 * evenly over them: TILE_BLUR. */
	bool is_about;
};

struct timeline_window {
	struct arena *arena;
	int64_t start_ns, cell_ns;
	uint32_t n_cells;
	struct {
		int64_t from_ns, until_ns;
	} scoped[2]; /* what of it is in the scope's range; of two runs for each */
	size_t n_lines;
	struct timeline_line *lines;
	struct timeline_track *tracks; /* a line each */
	bool is_filtered;
	struct timeline_window *parts[2]; /* of two runs: a window of each, kept for its texts */
};

/* Busy share of a line in a cell. */
static inline double
timeline_share(const struct timeline_track *track, const struct tile_cell *cell, int64_t cell_ns)
{
	return (double)cell->busy_ns / (double)cell_ns / (track->n_lanes > 0 ? track->n_lanes : 1);
}

struct timeline_window *timeline_window_read(struct store *store, const struct timeline *timeline,
                                             const struct timeline_request *request,
                                             const struct cancel *cancel, struct err *err);
void timeline_window_free(struct timeline_window *window); /* takes NULL */

/* Whether no line has anything to show in it: neither a span, a value nor a lane too many. */
bool timeline_window_is_empty(const struct timeline_window *window);
/* The cell of a track at a time, NULL outside of the window. */
const struct tile_cell *timeline_window_cell(const struct timeline_window *window, size_t line,
                                             int64_t at_ns);
/* Number of the line in the window, n_lines if it is not there. */
size_t timeline_window_line(const struct timeline_window *window, struct timeline_line line);
/* By number of a span in a track that has them: is it among those of `hits`, the same lines and
 * times under a condition? New; NULL: hits is NULL, or does not know its spans. */
bool *timeline_window_hits(const struct timeline_window *window, size_t line,
                           const struct timeline_window *hits);

/* The cells as rows: lane, depth, start, end, busy_ns, share, density_ns, count, most (category,
 * name ...), most_ns; for values: low, high. */
struct result *timeline_window_table(const struct timeline_window *window,
                                     const struct timeline *timeline,
                                     const struct colours *colours);

#endif
