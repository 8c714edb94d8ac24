/*
 * Places: what can be opened. A row, a key or a command says where it leads and asks app_open for it; the table of places (ui/places.c)
 * knows which view that is. So no view knows another.
 *
 * All that a place names is lent for the call, but for `source` and `result`, which are taken.
 */
#ifndef LANESCOPE_UI_APP_PLACE_H
#define LANESCOPE_UI_APP_PLACE_H

#include "ui/base/two_runs.h"
#include "util/slice.h"

enum place_kind {
	PLACE_RUNS, /* paths, imports */
	/* in a run */
	PLACE_OVERVIEW,
	PLACE_QUERIES,
	PLACE_SPANS,    /* focus */
	PLACE_SPAN,     /* span */
	PLACE_TIMELINE, /* focus */
	/* tables */
	PLACE_QUERY,  /* the answer to query with texts */
	PLACE_SQL,    /* the answer to text, which was typed at the prompt */
	PLACE_RESULT, /* result, called title; in a run or in none */
	PLACE_SOURCE, /* of source; in a run or in none */
	/* of two runs */
	PLACE_QUESTIONS,  /* that both answer */
	PLACE_DIFFERENCE, /* of their answers to query */
	PLACE_EXPLAIN,    /* all parts */
	PLACE_PART,       /* part with texts */
	PLACE_PAIR,       /* their timelines; focus is of side */
	/* texts */
	PLACE_TEXT,       /* text, called title */
	PLACE_SOURCE_SQL, /* the SQL of source */
	PLACE_HELP,       /* for views of these sets */
	PLACES
};

/* Where a view of a run's time or spans begins. */
struct focus {
	const char *filter;       /* in the language of span_sums; NULL: none */
	int64_t span;             /* span.id to select; -1: none */
	int64_t lane;             /* lane.id to select; -1: none */
	int64_t start_ns, end_ns; /* window; end <= start: all */
	const char *lane_name;    /* lane to select by its name, if lane is -1; NULL: none */
	const char *search;       /* in names: what to mark, and where n leads; NULL: nothing */
	/* Where the cursor begins and, if the end is behind it, the range to mark; end < start: nothing. With a span: nothing. */
	int64_t mark_start_ns, mark_end_ns;
};
#define FOCUS_NONE ((struct focus){NULL, -1, -1, 0, 0, NULL, NULL, 0, -1})

struct view_place {
	enum place_kind kind;
	const char *run_path, *run_name; /* NULL: none */
	struct two_runs runs;
	const struct focus *focus; /* NULL: FOCUS_NONE */
	int side;                  /* 0: A, 1: B */
	int64_t span;              /* id */
	const struct saved_query *query;
	const struct explain_part *part;
	const char *const *texts; /* of parameters, NULL each: its default; NULL: all defaults */
	const char *title;
	struct slice text;
	struct table_source *source; /* taken */
	struct result *result;       /* taken */
	unsigned sets;               /* enum view_set */
	const char *const *paths;    /* run files and folders */
	size_t n_paths;
	const struct ui_imports *imports; /* traces that are becoming runs; NULL: none */
};

#endif
