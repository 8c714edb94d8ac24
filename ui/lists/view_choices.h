/* A list to choose from, with what the selected choice is below it: the questions that two runs
 * answer, the parts of explain.
 * Used by its room alone. */
#ifndef LANESCOPE_UI_LISTS_VIEW_CHOICES_H
#define LANESCOPE_UI_LISTS_VIEW_CHOICES_H

#include "ui/app/place.h"
#include "ui/app/view.h"
#include "util/mem.h"

struct choice {
	const char *name, *title, *about;
	struct slice fact; /* behind the title: what it says most; may be empty */
	const void *what;  /* for `open` */
	/* Where T and B lead: in B's run, else (lane -1) to all. Without texts. */
	struct focus focus;
	int64_t rank; /* for `paint` */
};

struct choices {
	struct arena *arena; /* of all texts */
	const char *heading; /* above the list */
	struct choice *list; /* in the arena */
	size_t n;
};

#define HEADING_ROWS 3
/* A kind of choices. */
struct choices_kind {
	const char *title; /* "A | B > Diff" stands in the line of place */
	int heading_rows;  /* that the heading is wrapped to: 1 or HEADING_ROWS */
	/* On the worker: fills choices, whose arena is there. library is read only. */
	int (*load)(const struct two_runs *runs, const struct query_library *library,
	            struct job_worker *worker, const struct cancel *cancel, struct choices *choices,
	            struct err *err);
	void (*open)(const struct two_runs *runs, struct view *view, const struct choice *choice);
	/* What timelines that open at a choice paint (new). May be NULL. */
	struct paint_source *(*paint)(const struct two_runs *runs, const struct choice *choice);
};

/* Of the place's two runs; kind is borrowed. */
struct view *view_choices_new(struct app *app, const struct view_place *place,
                              const struct choices_kind *kind);

#endif
