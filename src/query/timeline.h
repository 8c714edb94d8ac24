/* A run's lanes as rows of a timeline, and the cells of any window of them. */
#ifndef LANESCOPE_QUERY_TIMELINE_H
#define LANESCOPE_QUERY_TIMELINE_H

#include <stdatomic.h>
#include "store/store.h"
#include "util/mem.h"

struct timeline_row {
	bool is_host; /* sums the lanes of a host; else one lane */
	uint32_t id;  /* lane id; host: its text code */
	struct slice name;
	enum lane_kind kind;
	const uint32_t *members; /* lane ids below a host */
	uint32_t n_members;
};

struct timeline {
	atomic_uint references; /* private */
	struct arena *arena;
	int64_t duration_ns;
	int64_t tile_base_ns; /* private: for timeline_snap */
	struct timeline_row *
	    rows; /* hosts in natural order, each followed by its lanes (by process, thread, name, naturally) */
	size_t n_rows;
	const struct slice *
	    texts; /* the run's dictionary, for category codes; copies of those that lanes can show */
	uint32_t n_texts;
	uint32_t *categories; /* codes, the one with most time first */
	size_t n_categories;
};

/* Lanes that hold spans. NULL on error. Lives on its own: the store may be closed. */
struct timeline *timeline_new(struct store *store, struct err *err);
/* Counted, so that work on another thread may outlive the view that asked for it. */
struct timeline *timeline_retain(struct timeline *timeline);
void timeline_release(struct timeline *timeline);                               /* takes NULL */
struct slice timeline_category(const struct timeline *timeline, uint32_t code); /* "" for none */
/* Rank of a category by its time in the run, from 0; n_categories if unknown. For colours. */
size_t timeline_category_rank(const struct timeline *timeline, uint32_t code);

struct timeline_window {
	struct arena *arena;
	int64_t start_ns, cell_ns;
	size_t first_row, n_rows;
	uint32_t n_cells;
	struct tile_cell *cells; /* row-major: cells[(row - first_row) * n_cells + cell] */
};
/* Width of cells to use for a wished one: rounded up to what tiles give exactly. */
int64_t timeline_snap(const struct timeline *timeline, int64_t wished_ns);
/* start_ns must be a multiple of cell_ns. NULL on error. */
struct timeline_window *timeline_read(struct store *store, const struct timeline *timeline,
                                      size_t first_row, size_t n_rows, int64_t start_ns,
                                      int64_t cell_ns, uint32_t n_cells,
                                      const struct cancel *cancel, struct err *err);
void timeline_window_free(struct timeline_window *window); /* takes NULL */

#endif
