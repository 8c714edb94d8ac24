/* Inside of the view of two runs; shared by the view_pair_*.c files.
 * Used by its room alone. */
#ifndef LANESCOPE_UI_TIMELINE_VIEW_PAIR_H
#define LANESCOPE_UI_TIMELINE_VIEW_PAIR_H

#include "query/spans/span_walk.h"
#include "ui/timeline/timeline_draw.h"
#include "ui/base/list.h"
#include "ui/timeline/pair_axis.h"
#include "ui/app/view.h"

#define PAIR_HEAD_ROWS 2
#define PAIR_FOOT_ROWS 3
#define PAIR_ZOOMS 64

enum { JOB_SIDE_A, JOB_SIDE_B, JOB_WINDOW_A, JOB_WINDOW_B, JOB_ANCHOR };

struct pair_side {
	char *path, *name;
	struct timeline *timeline;
	struct colours *colours;
	struct timeline_window *window;
};

struct pair_view {
	struct pair_side sides[2];
	struct pair_axis axis;
	struct timescale scale; /* of the axis */
	struct pair_rows *rows;
	struct list list; /* of rows * 3 lines, a pair at a time */
	bool shows_lanes, fits;
	struct timescale zooms[PAIR_ZOOMS],
	    zoomed; /* where zooming in came from; where it led to */
	int n_zooms;
	struct focus focus; /* of one side, until both runs are there; without texts */
	int focus_side;
	int64_t anchor; /* id of a span of that side to align at, until the cursor moves; 0: none */
};

struct pair_job {
	struct view_job job;
	int side;
	char *other_path;
	struct timeline *timeline, *new_timeline;
	struct colours *colours, *new_colours;
	struct timeline_request request;
	struct timeline_line *lines;
	struct timeline_window *window;
	int64_t anchor; /* id of the span to align at; 0: the one at the cursor */
	int64_t lane, from_ns, to_ns, anchor_ns[2];
	char *anchor_name; /* of the span under the cursor, NULL: there is none */
	bool is_found;
};

static inline bool
pair_is_ready(const struct pair_view *pair)
{
	return pair->sides[0].timeline && pair->sides[1].timeline;
}
void pair_ask_windows(struct view *view);
void pair_set_cell(struct view *view, int64_t cell_ns);
void pair_align(struct view *view, enum pair_alignment alignment);
void pair_lay_rows(struct view *view);
void pair_set_place(struct view *view);
bool pair_act(struct view *view, enum view_action action);
/* A job about one side; the caller adds what it wants and submits it. */
struct pair_job *pair_job_new(struct view *view, int kind, int side);
/* What a row of the screen shows in a column; false: nothing is known there. rank may be NULL. */
bool pair_share_at(const struct pair_view *pair, int side, size_t index, int column, double *share,
                   uint32_t *rank);
void pair_draw(const struct view *view, struct canvas *canvas, struct area area);

#endif
