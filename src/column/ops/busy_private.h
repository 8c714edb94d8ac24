/* What the files of busy time share (busy.c tells the story).
 * Used by its room alone. */
#ifndef LANESCOPE_COLUMN_OPS_BUSY_PRIVATE_H
#define LANESCOPE_COLUMN_OPS_BUSY_PRIVATE_H

#include "column/scan/blockloop.h"
#include "column/ops/busy.h"
#include "column/ops/sums_private.h"
#include "column/ops/interval_lists.h"

/* The spans of one filter, divided into cells: by the dimensions asked for and by lane. */
struct busy_side {
	struct sums_plan plan;
	bool has_plan;
	struct row_slots start_slots, end_slots;
	struct sums_thread **sums; /* by thread */
	/* by thread, of its own cells, or of the side's where these are known */
	struct interval_lists *lists;
	unsigned n_threads;
	_Atomic uint64_t n_groups;
	struct group_table table; /* cells, once all blocks were read */
	struct group_totals totals;
	bool is_known; /* table and totals are complete */
	/* as long as they are not: cells of all threads, and how many of each one's are among
	 * them */
	uint32_t n_mapped, *n_mapped_of;
	struct intervals *unions; /* by cell: of the window */
	/* by cell: how far what began before the window reaches into it; INT64_MIN: not */
	int64_t *carry;
	/* of the collection under way */
	const size_t *order; /* of blocks, of which it takes [first, end); NULL: all */
	size_t first, end;
	int64_t first_ns, last_ns;      /* spans that start in [first, last] */
	struct interval_budget *budget; /* of both sides */
	struct block_room *room;        /* likewise */
};

/* The cells so far: known to all threads, or mapped. */
static inline const struct group_table *
busy_table(const struct busy_side *side)
{
	return side->is_known ? &side->table : &side->sums[0]->table;
}

/* busy_collect.c: the intervals of the collection; as long as they are not known cells and totals,
 * too. 0; 1: they need more memory than there is (cells and totals come even so); -1 on error. */
int busy_collect(struct busy_side *side, struct err *err);
/* Cells that threads have met become the side's, those of the first. */
int busy_map_cells(struct busy_side *side, struct err *err);
/* All threads' totals become the side's, and the cells are known; after busy_map_cells(). */
int busy_join(struct busy_side *side, struct err *err);
/* Makes unions of what was collected before an instant; the rest stays. */
int busy_unite_known(struct busy_side *side, int64_t known_ns, struct err *err);
/* Makes unions of all that was collected, cut at last_ns + 1 where that is not the end; the rest is
 * carried on. */
int busy_unite(struct busy_side *side, bool is_last, struct err *err);
void busy_drop_unions(struct busy_side *side);
/* Gives back the memory of lists in which nothing is. */
void busy_release_lists(struct busy_side *side);
void busy_drop(struct busy_side *side); /* what was collected, and the unions */

/* Threads and processes of the run by lane. */
struct busy_lanes {
	uint32_t *threads, *processes; /* by lane */
	uint32_t n_threads, n_processes;
	uint32_t *process_of_thread;
};
/* busy_lanes.c: of the dataset's lanes; the arrays are the caller's to free. */
void busy_find_threads(const struct dataset *dataset, struct busy_lanes *lanes);

/* A group: cells order[first] ... order[end - 1] of the side. */
struct busy_cells {
	uint32_t first, end;
	unsigned level;
};

/* busy_totals.c: the groups' sums; groups stand level by level, in the order of their cells, of
 * which each level has all. */
struct busy_grouping {
	const struct busy_side *side;
	const uint32_t *order; /* n_order, of all levels */
	size_t n_order;
	const struct busy_cells *cells; /* of the groups */
	size_t n_groups;
	unsigned n_levels;
};
void busy_sum_groups(const struct busy_grouping *grouping, struct busy_group *groups);

struct busy {
	struct busy_side sides[2]; /* what is busy, what hides */
	bool has_beside;
	unsigned n_levels;
	unsigned level_dimensions[SCAN_DIMENSIONS + 1]; /* by level: how many of the dimensions */
	struct busy_lanes lanes;
	uint32_t *lane_of_cell[2];
	uint32_t *order; /* the first side's cells: by group, then by thread */
	size_t n_order;
	struct busy_cells *cells;
	struct busy_group *groups;
	size_t n_groups;
	struct interval_budget budget;
	struct block_room room;
	int64_t end_ns; /* of the run */
	const struct busy_request *request;
};

/* busy_groups.c: makes groups of the cells so far, which have what was measured of those before. */
void busy_group_cells(struct busy *busy);
/* Fills in their sums and threads, once totals are known. */
void busy_complete_groups(struct busy *busy);
void busy_free_groups(struct busy *busy);
struct scan_value busy_cell_value(const struct busy_side *side, uint32_t cell, unsigned dimension);

/* busy_read.c: from planned sides to groups. */
int busy_read(struct busy *busy, const struct dataset *dataset, struct err *err);

/* busy_measure.c: adds the window's busy and hidden time to the groups. */
struct busy_measuring {
	const struct busy_side *side, *beside; /* beside NULL: nothing hides */
	const struct busy_lanes *lanes;
	const uint32_t *lane_of_cell, *beside_lane_of_cell;
	const uint32_t *order;
	const struct busy_cells *cells; /* level by level */
	struct busy_group *groups;
	size_t n_groups;
	unsigned n_levels;
	unsigned n_threads;
	int64_t first_ns, end_ns; /* the window */
	const struct cancel *cancel;
};
int busy_measure(const struct busy_measuring *measuring, struct err *err);

#endif
