/*
 * Lanes over time. A *timeline* is a run's rows (lanes, what sums them up, values); a *line* is a
 * row, or one depth of a lane, as it is folded. A *window* is a stretch of time in cells, and what
 * lines show in it, a *track* each (timeline_window.h); the screen's part, a *drawing* of windows
 * into cells of a terminal, is ui/timeline/timeline_draw.h. Of the spans behind it tells
 * query/spans/span_walk.h.
 * Used by cli, export, query, ui/lists, ui/timeline.
 */
#ifndef LANESCOPE_QUERY_TIMELINE_TIMELINE_H
#define LANESCOPE_QUERY_TIMELINE_TIMELINE_H

#include <stdatomic.h>
#include "column/finish/tile.h"
#include "store/store.h"
#include "util/mem.h"

enum timeline_row_type {
	TIMELINE_LANE,
	TIMELINE_HOST,    /* sums the lanes of a host */
	TIMELINE_PROCESS, /* sums the lanes of a process */
	TIMELINE_ALIKE,   /* sums lanes, processes or hosts that are alike (timeline_alike.h) */
	TIMELINE_COUNTER, /* a counter of a lane */
	TIMELINE_CAPACITY,
	TIMELINE_SUM /* of the run: enum timeline_sum */
};
enum timeline_sum { SUM_WORK, SUM_IDLE, SUM_TRANSFER, SUM_QUEUE };

/* By what a row is odd among those of its group. */
struct timeline_odd {
	int figure; /* enum alike_figure */
	struct slice name;
	int64_t own_ns, usual_ns;
	uint32_t n_alike; /* of the group */
};

struct timeline_row {
	bool is_host;   /* type is TIMELINE_HOST */
	bool is_beside; /* a row of the lane above it: its queue, its transfers */
	uint32_t id;    /* lane id; host: its text code; sum: enum timeline_sum */
	struct slice name;
	struct slice label; /* short, for the screen: less what rows above say; empty: name */
	enum lane_kind kind;
	const uint32_t *members; /* lane ids below a group whose busy time counts */
	uint32_t n_members;
	/* lanes of records that stand for many calls, after the members: only their density
	 * counts */
	uint32_t n_dense;
	enum timeline_row_type type;
	unsigned level; /* how deep it stands among the rows */
	size_t n_below; /* rows that follow and belong to this one */
	uint8_t side;   /* of a timeline of two runs: 1: A's, 2: B's; else 0 */
	/* its counterpart in B is the next row; what is below both is below that one */
	bool leads_pair;
	uint32_t text;        /* capacity: its pool (TEXT_NONE: none) */
	struct slice counter; /* its name, without the lane that `name` may have as well */
	/* of its spans in the run, lanes only: self time, first start, last end */
	int64_t busy_ns, first_ns, last_ns;
	double low, high;               /* of a counter or capacity, in the run */
	const struct timeline_odd *odd; /* NULL: it is not, or was not asked */
	/* TIMELINE_ALIKE: what its rows are; where they are a host's (its id), the host's other
	 * members */
	enum timeline_row_type alike_are;
	const uint32_t *others;
	uint32_t n_others;
};

/* A worker, a thread, a stream: what lanes are counted by. Queues and transfers are rows of one. */
static inline bool
timeline_row_is_lane(const struct timeline_row *row)
{
	return row->type == TIMELINE_LANE && !row->is_beside;
}

/* Does it sum up lanes? */
static inline bool
timeline_row_sums_lanes(const struct timeline_row *row)
{
	return row->type == TIMELINE_HOST || row->type == TIMELINE_PROCESS ||
	       row->type == TIMELINE_ALIKE;
}

/* Does anything stand below it? */
static inline bool
timeline_row_is_group(const struct timeline_row *row)
{
	return row->n_below > 0 || (row->leads_pair && row[1].n_below > 0);
}

#define TIMELINE_PEAKS_LEVELS 9
struct timeline {
	atomic_uint references; /* private */
	struct arena *arena;
	int64_t duration_ns;
	bool is_at_most;      /* its end is that of a reporting interval */
	int64_t tile_base_ns; /* private: for timeline_snap */
	/* hosts in natural order, each followed by its lanes (by process, thread, name,
	 * naturally) */
	struct timeline_row *rows;
	size_t n_rows;
	uint32_t n_lanes; /* of the run: ids are below */
	uint32_t n_work;  /* lanes that can be busy or idle */
	uint32_t n_dense; /* lanes of records that stand for many calls */
	bool has_tasks;
	bool has_categories;  /* two at least */
	int64_t peak_cell_ns; /* private: for timeline_peak */
	double peaks[TIMELINE_PEAKS_LEVELS];
	struct timeline_pair *pair; /* of two runs (timeline_of_two); else NULL */
	/* Of one in which alike lanes fold (timeline_alike.h): what it was made of, else NULL; by
	 * row, the row there, SIZE_MAX of a TIMELINE_ALIKE; how many of those there are. */
	struct timeline *base;
	size_t *base_rows;
	size_t n_alike;
};

/* Rows beside hosts and lanes. */
enum timeline_parts {
	TIMELINE_PROCESSES =
	    1, /* a row for each process with several lanes, on hosts with several processes */
	TIMELINE_VALUES = 2, /* counters and capacity, after all lanes */
	TIMELINE_PEAKS = 8,  /* no rows: what timeline_peak tells */
	TIMELINE_SUMS = 4    /* work, idle, transfer, queue of the run, before all lanes */
};

/* Lanes that hold spans. NULL on error. Lives on its own: the store may be closed. */
struct timeline *timeline_new(struct store *store, struct err *err);
struct timeline *timeline_new_with(struct store *store, unsigned parts, struct err *err);
/* Counted, so that work on another thread may outlive the view that asked for it. */
struct timeline *timeline_retain(struct timeline *timeline);
void timeline_release(struct timeline *timeline); /* takes NULL */

/* Is the run's length an upper bound, as its last end is that of a reporting interval? */
int timeline_read_at_most(struct store *store, bool *is_at_most, struct err *err);

/* The largest share of its lanes that a host or process ever kept busy through a cell of this
 * width; of narrow cells that of wider ones. Of very many lanes only the first groups count. 0:
 * there is none, or it was not asked for (TIMELINE_PEAKS). */
double timeline_peak(const struct timeline *timeline, int64_t cell_ns);

/* Width of cells to use for a wished one: rounded up to what tiles give exactly. */
int64_t timeline_snap(const struct timeline *timeline, int64_t wished_ns);
/* Time of all lanes that work, added up, into the axis's cells; of a run without such lanes the
 * density of the others. start_ns must be a multiple of cell_ns. TILE_BLUR counts
 * from TIMELINE_BLUR_SPANS spans on, else it is TILE_SPLIT. */
#define TIMELINE_BLUR_SPANS 1000000
int timeline_busy(struct store *store, const struct timeline *timeline, struct tile_axis axis,
                  int64_t *busy_ns, const struct cancel *cancel, struct err *err);

/* Facts of the spans that begin in [start, end) on lanes; busy: how long any ran there, summed over
 * the lanes. */
struct range_facts {
	int64_t start_ns, end_ns, busy_ns, n, min_ns, max_ns;
	double mean_ns;
	bool is_about; /* busy is of a range a little larger */
	/* that they stand for: > n if one stands for many; busy is an upper bound then */
	int64_t n_calls;
	bool has_no_range; /* min and max are not known */
};
/* Spans that a filter keeps (NULL: all) of a row and what is below it; cell_ns: as fine as busy
 * needs to be. */
struct range_request {
	size_t row;
	int64_t start_ns, end_ns, cell_ns;
	const char *filter;
};
int timeline_range(struct store *store, const struct timeline *timeline,
                   const struct range_request *request, struct range_facts *facts,
                   const struct cancel *cancel, struct err *err);

/* Deepest depth of each lane, or of one (-1: all): n_lanes new integers (free()), -1 where a lane
 * holds no spans or was not asked for. NULL on error. */
int32_t *timeline_depths(struct store *store, const struct timeline *timeline, int64_t lane,
                         const struct cancel *cancel, struct err *err);

#endif
