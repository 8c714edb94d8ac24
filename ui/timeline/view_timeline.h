/* Inside of the timeline's view: its state and its jobs, shared by the view_timeline_*.c files.
 * Used by its room alone. */
#ifndef LANESCOPE_UI_TIMELINE_VIEW_TIMELINE_H
#define LANESCOPE_UI_TIMELINE_VIEW_TIMELINE_H

#include "explain/partner.h"
#include "query/spans/span_walk.h"
#include "query/timeline/timeline_area.h"
#include "query/timeline/timeline_hits.h"
#include "query/timeline/timeline_near.h"
#include "query/timeline/timeline_paint.h"
#include "query/timeline/timeline_pair.h"
#include "ui/base/filter_stack.h"
#include "ui/timeline/timeline_draw.h"
#include "ui/base/list.h"
#include "ui/app/paint_source.h"
#include "ui/app/view.h"

#define ZOOMS 64
#define WINDOWS_BACK 32
#define TIMELINE_PARTS (TIMELINE_PROCESSES | TIMELINE_VALUES | TIMELINE_SUMS | TIMELINE_PEAKS)
#define TIMELINE_PANE_HEAD 2 /* its title, its columns */
#define DEPTHS_UNKNOWN (-2)

enum {
	JOB_ROWS,
	JOB_DEPTHS,
	JOB_SCOPE,
	JOB_WINDOW,
	JOB_MINIMAP,
	JOB_SPAN,
	JOB_RANGE,
	JOB_PASSING,
	JOB_HITS,
	JOB_HITS_WINDOW,
	JOB_IDLE,
	JOB_ALIKE,
	JOB_AREA,
	JOB_COLOURS,
	JOB_PAINT,
	JOB_PARTNER,
	JOB_PARTNER_SHOWN /* not asked for by a key: takes the place of none that is */
};

/* What a JOB_SPAN looks for. */
enum span_wish {
	WISH_NONE,
	WISH_ID,  /* this one */
	WISH_AT,  /* what lies at a time of a lane */
	WISH_MOVE /* where moves lead to */
};

/* Steps from the selected span: along its lane, through what a search finds, through what it leads
 * to or comes from. */
enum span_move {
	MOVE_NEXT,
	MOVE_PREVIOUS,
	MOVE_FOUND_NEXT,
	MOVE_FOUND_PREVIOUS,
	MOVE_OUTPUT,
	MOVE_INPUT
};
#define MOVES_LIMIT 64

/* The span at the cursor, which is on its way. */
struct span_asked {
	enum span_wish wish; /* WISH_NONE, WISH_ID or WISH_AT */
	struct span_walk walk;
};

/* What to do with the partner that is found. */
enum partner_wish {
	PARTNER_SHOW,      /* to tell of it */
	PARTNER_SHOW_BOTH, /* the same, with both on the screen */
	PARTNER_GO,
	PARTNER_ALIGN
};

struct flow_walk {
	bool is_forward;
	int64_t ids[FLOWS_LIMIT];
	int64_t n, at; /* at: which of them is selected; n 0: none is walked */
};

enum lane_sort { LANES_IN_ORDER, LANES_BY_NAME, LANES_BY_BUSY, LANES_BY_FIRST, LANES_BY_LAST };
#define LANE_ORDERS 5
const char *lane_order_name(enum lane_sort sort); /* "order", "name", ... */
bool lane_order_find(struct slice name, enum lane_sort *sort);

/* Spans that are marked. */
struct timeline_marked {
	char *filter;                   /* in the filter language; NULL: none are */
	struct timeline_window *window; /* of them; may be of older times */
	struct timeline_hits found;     /* by_lane NULL: not known yet */
	bool shows_others;              /* lanes without any as well */
};

/* Below the lanes: what is in the marked range. */
struct timeline_pane {
	struct timeline_area *area; /* NULL: on its way */
	char *by;                   /* dimension that was typed; NULL: the grouping's */
	int grouping;
	enum area_column sort;
	struct list list;
	bool has_cursor; /* keys go there */
	bool is_of_row;  /* of the selected lane or group alone */
};

struct timeline_view {
	struct timeline *timeline;         /* NULL until the lanes were read */
	struct colours *colours;           /* come with it */
	struct colours *colours_b;         /* of two runs: B's, with the same ranks; else NULL */
	struct two_runs runs;              /* own; of one run: NULL */
	struct pair_axis axis;             /* of two runs */
	struct explain_partners *partners; /* of two runs; NULL: not matched yet */
	struct explain_partner partner;    /* of the span partner_of; its span's id 0: none */
	int64_t partner_of;                /* 0: of none */
	int64_t n_spans_b;                 /* of two runs: spans of B */
	struct timeline_window *window;    /* may be of older times */
	struct label_list *captions;       /* of the window's spans; NULL: no window yet */
	struct timeline_window *minimap;
	struct timescale scale;
	struct timescale zooms[ZOOMS],
	    zoomed; /* where zooming in came from; where it led to last */
	int n_zooms;
	struct list list; /* of lines */
	int line_rows;    /* that each takes on a tall screen where few lanes are */
	struct arena *label_arena;
	const struct slice *labels; /* by row */
	int labels_width;           /* of the screen that they are for */
	const struct timeline *labels_of;
	struct timeline_line *lines;
	struct timeline_line folded; /* the selected line, while folded away */
	size_t folded_into;          /* row that is selected in its place; SIZE_MAX: none is */
	bool *is_open;               /* by row */
	int32_t *depths; /* deepest by lane; DEPTHS_UNKNOWN until the lane is first unfolded */
	bool shows_sums, fits;        /* fits: the whole run is shown: follow resizes */
	enum colour_mode mode;        /* wished; colours may still be of another */
	enum colour_mode mode_before; /* what ! goes back to from slowdown */
	struct filter_stack filters;
	struct strbuf search; /* as typed, where that made the marks */
	struct timeline_marked hits;
	struct paint_source *paint_source; /* what is painted; NULL: nothing is */
	struct timeline_paint *paint;      /* NULL: not there yet */
	bool hides_unpainted;              /* lanes without a stretch have no line */
	bool focus_number; /* the first hit is selected: its number comes with their count */
	enum lane_sort sort;
	struct timeline_hits active; /* lanes that are not hidden as idle; by_lane NULL: all */
	bool *is_hidden;             /* by row */
	struct span_number number; /* of the selected span among what search finds; n 0: unknown */
	struct span_row selected;  /* id 0: none */
	unsigned n_cleared;        /* how often it was given up: what was asked before is late */
	struct span_detail *detail;
	struct flow_walk flow;
	enum span_move moves[MOVES_LIMIT]; /* since the last span came */
	bool has_panned; /* since the last move: its span does not bring the window back */
	int n_moves;
	struct span_asked asked;
	enum { RANGE_NONE, RANGE_OPEN, RANGE_CLOSED } range;
	int64_t range_start, range_end;
	struct range_facts facts;
	bool has_facts;
	struct timeline_pane pane;
	int pane_rows;      /* 0: it is not shown */
	int drag_from;      /* column, -1: no button is held */
	struct focus focus; /* where to begin; without filter */
	enum { FITTED_NOT, FITTED_SELECTION, FITTED_CORE } fitted; /* what f did last */
	struct timeline_core core;
	struct timeline_hits in_scope;       /* by lane, whether it is */
	struct timescale back[WINDOWS_BACK]; /* windows before this one, the last one last */
	int n_back;
	int focus_side; /* of two runs: whose the focus is */
};

struct timeline_job {
	struct view_job job;
	struct two_runs runs;  /* own; of one run: NULL */
	int side;              /* of two runs: which one a span is looked for in */
	struct pair_axis axis; /* of two runs */
	int64_t n_spans_b;
	char *other_path, *other_name;       /* of the run to compare with */
	struct timeline *timeline;           /* retained */
	struct colours *colours, *colours_b; /* retained */
	struct timeline_line *lines;
	size_t n_lines;
	struct timescale scale;
	char *filter;   /* other spans are left out; NULL: all are there */
	char *by;       /* of a JOB_AREA */
	char *filter_b; /* of a JOB_AREA of two runs: B's */
	struct timeline_area *area;
	char *marked; /* those of the filter that are marked; NULL: none */
	enum span_wish wish;
	unsigned n_cleared; /* the view's, when it was asked */
	struct span_walk walk;
	enum span_move moves[MOVES_LIMIT];
	int n_moves;
	struct span_asked
	    begin;           /* moves begin at this span, if there is one, else where walk does */
	char *lane_name;     /* of a JOB_ROWS: the first hit is looked for there; NULL: on all */
	bool is_first_hit;   /* the span of a JOB_ROWS is the first of all that are marked; of two
	                      * runs that is not known */
	int64_t lane;        /* of a JOB_DEPTHS; -1: all */
	int64_t lane_beside; /* as well; -1: none */
	enum colour_mode mode;
	size_t row;
	int64_t start_ns, end_ns;
	/* what comes back */
	struct timeline *new_timeline;
	struct colours *new_colours, *new_colours_b;
	int32_t *depths;
	struct timeline_window *window;
	struct label_list *captions; /* of a JOB_WINDOW */
	struct span_row span;        /* id 0: there is none */
	bool is_at_end;              /* the last of the moves led nowhere */
	struct span_detail *detail;
	struct flow_walk flow;
	struct range_facts facts;
	struct span_number number;
	struct timeline_hits found;
	struct paint_source *paint_source; /* retained */
	struct timeline_paint *paint;
	struct timeline_core core;
	struct timeline_hits in_scope;
	bool is_asked;            /* of a JOB_ALIKE: by a key */
	struct surroundings near; /* of what the view was opened for */
	bool has_near;
	int64_t n_passing, n_all; /* spans that pass the filters, of how many */
	struct err refused;       /* the user's filter or pattern */
	/* of a JOB_PARTNER */
	enum partner_wish partner_wish;
	struct explain_partners *partners; /* retained; NULL: they are to be matched */
	struct explain_partner partner;    /* its span's id 0: there is none */
	int64_t own_start_ns;              /* of the span whose partner it is, in its run */
	char *own_name;                    /* its name; NULL: there is no span */
};

/* ---- two runs ---- */

static inline bool
timeline_is_of_two(const struct timeline_view *state)
{
	return state->runs.path[0];
}
/* Which run the selected row is of; 0 if there is but one. */
int timeline_side(const struct timeline_view *state);
/* A point of the axis as a time of the run of the selected row. */
int64_t timeline_own_time(const struct timeline_view *state, int64_t at_ns);
/* A span of a side's run, as it stands among those of the timeline. */
struct span_row timeline_shared_row(const struct timeline *timeline, const struct pair_axis *axis,
                                    int side, struct span_row span);
/* The view stands in the run of the selected row. */
void timeline_stand_in_run(struct view *view);
void timeline_set_open(struct timeline_view *state, size_t row, bool is_open);
void timeline_align(struct view *view, enum pair_alignment alignment);
void timeline_align_next(struct view *view);
/* Looks for what stands for the selected span, or the one at the cursor, in the other run. */
void timeline_ask_partner(struct view *view, enum partner_wish wish);
/* The same, to show it, for a span that was selected since. */
void timeline_follow_partner(struct view *view);
void timeline_take_partner(struct view *view, struct timeline_job *job);
int timeline_read_partner(struct timeline_job *job, struct store *const stores[2], struct err *err);
/* Of the selected span, among those of the timeline; 0: none is known. */
int64_t timeline_partner_span(const struct timeline_view *state);
void timeline_add_partner(const struct timeline_view *state, struct strbuf *line);
void timeline_swap(struct view *view);
/* On the worker: numbers and times of a job as those of its side's run, and back. */
int timeline_job_enter(struct timeline_job *job, struct store *store, struct err *err);
void timeline_job_leave(struct timeline_job *job);
/* The mode that a timeline begins with, where another is wished. */
enum colour_mode timeline_begin_mode(const struct timeline *timeline, enum colour_mode wished);
int timeline_read_two(struct timeline_job *job, struct store *const stores[2], struct err *err);
int32_t *timeline_depths_of_two(struct timeline_job *job, const struct timeline *timeline,
                                struct store *const stores[2], struct err *err);
/* As span_search, through both runs in the order of their axis, at one point of it A first; the
 * job's side becomes that of the span found. */
int timeline_search_two(struct timeline_job *job, struct store *const stores[2],
                        const struct span_walk *walk, struct err *err);
/* What is in a range of the axis, of both runs. */
int timeline_area_of_two(struct timeline_job *job, struct store *const stores[2], struct err *err);
/* The spans in the window, of those that are kept, in the times of a side's run. New. */
char *timeline_window_filter(const struct timeline_job *job, int side);

/* A job about what is to be seen now; the caller adds what it wants and submits it. */
struct timeline_job *timeline_job_new(struct view *view, int kind);
void timeline_ask_window(struct view *view);
void timeline_ask_rows(struct view *view);
void timeline_ask_colours(struct view *view);
/* How many spans pass the filters, if any stands. */
void timeline_ask_passing(struct view *view);
/* Marks the spans of a filter, which is taken; NULL: none. */
void timeline_mark(struct view *view, char *filter);
/* Marks spans by their names, as a search does. */
void timeline_mark_names(struct view *view, const char *text);
/* Some are marked, or may be. */
bool timeline_marks(const struct timeline_view *state);
/* How many are, and on which lanes. */
void timeline_ask_hits(struct view *view);
void timeline_take_hits(struct view *view, struct timeline_job *job);
/* "8 of 404 spans: name = 'x'", new. */
char *timeline_marked_text(const struct timeline_view *state);
/* One line about them. */
void timeline_draw_marked(const struct timeline_view *state, struct canvas *canvas, int y);
/* Rows of a table that are painted on the lanes (view_timeline_paint.c): asked for; no more; one
 * line about them. */
void timeline_ask_paint(struct view *view);
void timeline_take_paint(struct view *view, struct timeline_job *job);
void timeline_drop_paint(struct view *view);
void timeline_draw_painted(const struct timeline_view *state, struct canvas *canvas, int y);
int timeline_read_paint(struct timeline_job *job, struct job_worker *worker, struct err *err);
/* To the next stretch in time, of all lanes. */
void timeline_walk_paint(struct view *view, bool is_backward);
/* Opens the row of the stretch under the cursor, if one is there. */
bool timeline_open_painted(struct view *view);

/* What is kept and marked, new; NULL: no condition stands. */
char *timeline_all_conditions(const struct timeline_view *state);
/* The list's height follows from the area and from what stands below the lanes. */
void timeline_lay_area(struct view *view);

/* Which rows no line shows. */
void timeline_hide_rows(struct timeline_view *state);
/* Rows in the order that the lanes are sorted by, lanes without their groups; returns how many. */
size_t timeline_row_order(const struct timeline_view *state, size_t *order);
void timeline_sort_lanes(struct view *view, enum lane_sort sort);
/* Where things happen in scope and its lanes: asked when it has changed, and with the rows. */
void timeline_ask_scope(struct view *view);
int timeline_read_scope(struct timeline_job *job, const struct timeline *timeline,
                        struct store *const stores[2], struct err *err);
void timeline_take_scope(struct view *view, struct timeline_job *job);
/* Hides lanes that are idle in the window, or shows them again; of marked spans, lanes without. */
void timeline_hide_idle(struct view *view);
void timeline_take_active(struct view *view, struct timeline_job *job);

/* Lanes that are alike in one row each group (view_timeline_alike.c), or all in theirs again. */
void timeline_fold_alike(struct view *view);
void timeline_unfold_alike(struct view *view);
/* is_asked: by a key, and so answered. */
void timeline_ask_alike(struct view *view, bool is_asked);
int timeline_read_alike(struct timeline_job *job, struct store *const stores[2], struct err *err);
void timeline_take_alike(struct view *view, struct timeline_job *job);

/* On the worker: what a JOB_SPAN wishes for, and its details. */
int timeline_read_span(struct timeline_job *job, struct store *const stores[2], struct err *err);
/* On the worker: 0 where it was the user's filter that failed, which the job then says; else -1. */
int timeline_refuse(struct timeline_job *job, struct err *err);
/* Details of the span under the cursor. */
void timeline_ask_span(struct view *view);

/* Labels of the rows for the width of the screen, unless these are there. */
void timeline_lay_labels(struct view *view);
/* Lines out of rows and what is folded; keeps the selected line if it is still there. */
void timeline_lay_lines(struct view *view);
/* Selects the line of a lane (and depth), unfolding what hides it. */
void timeline_select_lane(struct view *view, int64_t lane, int depth);
const struct timeline_line *
timeline_selected_line(const struct timeline_view *state); /* the selected one, or NULL */
const struct timeline_row *timeline_selected_row(const struct timeline_view *state);
/* Opens the lanes that have nested spans, if all of the lines then fit on the screen. */
void timeline_unfold_if_room(struct timeline_view *state);
void timeline_fold(struct view *view);
void timeline_fold_all(struct view *view);

/* Whether what was read is of the times shown, not of older ones. */
bool timeline_window_is_current(const struct timeline_view *state);
/* The cursor moved: what it stands on follows. */
void timeline_cursor_moved(struct view *view);
/* Selects a lane's row and an instant on it, brought on the screen; centred, or with as little
 * panning as need be. */
void timeline_show_at(struct view *view, int64_t lane, int depth, int64_t time_ns, bool centred);
/* Selects a span and brings it on the screen; centred, or with as little panning as need be. */
void timeline_go_to(struct view *view, const struct span_row *span, bool centred);
void timeline_set_cell(struct view *view, int64_t wished_ns);
void timeline_show_window(struct view *view, int64_t start_ns, int64_t end_ns);
void timeline_take_span(struct view *view, struct timeline_job *job);
void timeline_take_depths(struct view *view, struct timeline_job *job);

bool timeline_act(struct view *view, enum view_action action);
/* Facts of the range that is marked, on the selected row. */
void timeline_ask_range(struct view *view);
void timeline_clear_span(struct timeline_view *state);
/* Forgets the moves, and the span at the cursor, that are on their way. */
void timeline_stop_moves(struct timeline_view *state);
void timeline_walk(struct view *view, bool is_backward);
void timeline_walk_flow(struct view *view, bool is_forward);
void timeline_search(struct view *view, bool is_backward);
void timeline_filters_changed(struct view *view);
void timeline_prompt(struct view *view, enum prompt_kind kind, struct slice text, bool final);
enum command_outcome timeline_command(struct view *view, struct slice name, struct slice arguments,
                                      struct err *err);
void timeline_complete(const struct view *view, enum prompt_kind kind,
                       struct completion *completion);
void timeline_mouse(struct view *view, const struct mouse_event *event);

/* The window before a change is one to go back to, if there was a change. */
void timeline_keep_window(struct timeline_view *state, const struct timescale *before);
void timeline_window_back(struct view *view);
void timeline_fit(struct view *view);
/* Of a window in which nothing is to be seen: where the nearest is, or why. False: it has
 * something. */
bool timeline_tell_empty(const struct timeline_view *state, struct strbuf *out);
/* The window to begin with. */
void timeline_begin_window(struct view *view, const struct timeline_job *job);

/* Rows that it takes of those that lanes could have; 0: there is no room for it. */
int timeline_pane_rows(const struct timeline_view *state, int rows);
void timeline_ask_area(struct view *view);
void timeline_take_area(struct view *view, struct timeline_job *job);
void timeline_pane_fini(struct timeline_pane *pane);
void timeline_range_changed(struct view *view);
void timeline_draw_pane(const struct timeline_view *state, struct canvas *canvas, int y);
/* Its own keys, and all while the cursor is in it. */
bool timeline_act_pane(struct view *view, enum view_action action);
void timeline_group_by(struct view *view, struct slice by);
/* Its first row on the screen, while it is shown. */
int timeline_pane_y(const struct timeline_view *state, struct area area);
/* A press selects a row of it and takes the cursor there, a double click opens it, the wheel moves;
 * a press elsewhere gives the cursor back to the lanes. True: the event was the pane's. */
bool timeline_mouse_pane(struct view *view, const struct mouse_event *event);

/* What is below the lanes: the legend, and from two rows on, as many as the lanes leave free, the
 * facts. */
void timeline_draw_facts(const struct timeline_view *state, struct canvas *canvas, int y, int rows);
struct timeline_drawing timeline_drawing(const struct timeline_view *state, int width);
/* Writes the window, or its cells, to a file; says what came of it. */
void timeline_export(struct view *view, struct slice path);
void timeline_open_table(struct view *view);

#endif
