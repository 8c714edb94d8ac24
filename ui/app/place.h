/*
 * Places: what can be opened. A row, a key or a command says where it leads and asks app_open for
 * it; the table of places (ui/places.c) knows which view that is. So no view knows another.
 *
 * All that a place names is lent for the call, but for `source`, `result` and `paint`, which are
 * taken.
 * Used by ui, ui/chart, ui/lists, ui/table, ui/timeline.
 */
#ifndef LANESCOPE_UI_APP_PLACE_H
#define LANESCOPE_UI_APP_PLACE_H

#include "ui/base/two_runs.h"
#include "util/slice.h"

/* clang-format off */
/* Kinds of places and who makes the view of each; what a kind needs of struct view_place besides. */
#define PLACE_KINDS(row) \
	row(RUNS, view_runs_new)         /* paths, imports */ \
	/* in a run */ \
	row(OVERVIEW, view_overview_new) \
	row(QUERIES, view_queries_new)   /* paths: to be asked of these runs */ \
	row(SPANS, view_spans_new)       /* focus */ \
	row(SPAN, view_span_new)         /* span */ \
	row(TIMELINE, view_timeline_new) /* focus */ \
	/* tables, in a run or in none */ \
	row(QUERY, view_table_new)       /* the answer to query with texts; of paths: all in one */ \
	row(SQL, view_table_new)         /* the answer to text, which was typed at the prompt */ \
	row(RESULT, view_table_new)      /* result, called title */ \
	row(SOURCE, view_table_new)      /* of source */ \
	row(CHART, view_chart_new)       /* of result: the rows of the table below, in its order */ \
	/* of two runs */ \
	row(QUESTIONS, view_diff_new)    /* that both answer */ \
	row(DIFFERENCE, view_table_new)  /* of their answers to query */ \
	row(EXPLAIN, view_explain_new)   /* the causes of their difference */ \
	row(PARTS, view_parts_new)       /* of explain: the evidence */ \
	row(PART, view_table_new)        /* part with texts */ \
	row(PAIR, view_timeline_new)     /* their timelines; focus is of side */ \
	/* texts */ \
	row(TEXT, view_text_new)         /* text, called title */ \
	row(SOURCE_SQL, view_text_new)   /* the SQL of source */ \
	row(HELP, view_help_new)         /* for views of these sets */ \
	row(MANUAL, view_manual_new)     /* what it has on the words of text */
/* clang-format on */

enum place_kind {
#define PLACE_KIND(kind, make) PLACE_##kind,
	PLACE_KINDS(PLACE_KIND)
#undef PLACE_KIND
	    PLACES
};

/* Where a view of a run's time or spans begins. */
struct focus {
	/* In the language of span_sums: what a list keeps, and a timeline marks; NULL: none. */
	const char *filter;
	int64_t span;             /* span.id to select; -1: none */
	int64_t lane;             /* lane.id to select; -1: none */
	int64_t start_ns, end_ns; /* window; end <= start: all */
	const char *lane_name;    /* lane to select by its name, if lane is -1; NULL: none */
	/* Where the cursor begins and, if the end is behind it, the range to mark; end < start:
	 * nothing. With a span: nothing. */
	int64_t mark_start_ns, mark_end_ns;
	bool only_window;  /* of a list: those spans alone that overlap the window */
	bool to_partner;   /* of two runs: with what stands for the span in the other one */
	bool keeps_window; /* of a timeline of one run: also with a span */
};
#define FOCUS_NONE ((struct focus){NULL, -1, -1, 0, 0, NULL, 0, -1, false, false, false})

struct view_place {
	enum place_kind kind;
	const char *run_path, *run_name; /* NULL: none */
	struct two_runs runs;
	const struct focus *focus; /* NULL: FOCUS_NONE */
	int side;                  /* 0: A, 1: B */
	int64_t span;              /* id */
	const struct saved_query *query;
	const struct explain_part *part;
	char *const *texts; /* of parameters, NULL each: its default; NULL: all defaults */
	const char *title;
	struct slice text;
	struct table_source *source; /* taken */
	size_t row;                  /* of a SOURCE: of its result, plus one; 0: its first */
	/* of a timeline: rows that are painted on its lanes; taken; NULL: none */
	struct paint_source *paint;
	struct result *result;    /* taken */
	unsigned sets;            /* enum view_set */
	const char *const *paths; /* run files and folders */
	size_t n_paths;
	const struct ui_imports *imports; /* traces that are becoming runs; NULL: none */
};

struct app;
#define PLACE_MAKER(kind, make) struct view *make(struct app *app, const struct view_place *place);
PLACE_KINDS(PLACE_MAKER)
#undef PLACE_MAKER

#endif
