/* A list to choose from, with what the selected choice is below it: the questions that two runs answer, the parts of explain. */
#ifndef LANESCOPE_UI_LISTS_VIEW_CHOICES_H
#define LANESCOPE_UI_LISTS_VIEW_CHOICES_H

#include "ui/app/view.h"
#include "util/mem.h"

struct choice {
	const char *name, *title, *about;
	struct slice fact; /* behind the title: what it says most; may be empty */
	bool is_off;       /* can't be opened: the fact says why */
	const void *what;  /* for `open` */
};

struct choices {
	struct arena *arena; /* of all texts */
	const char *heading; /* line above the list */
	struct choice *list; /* in the arena */
	size_t n;
};

struct choices_maker {
	const char *title; /* "A | B > Diff" stands in the line of place */
	/* On the worker: fills choices, whose arena is there. library is read only. */
	int (*load)(const struct choices_maker *maker, const struct query_library *library,
	            struct worker *worker, const struct cancel *cancel, struct choices *choices,
	            struct err *err);
	void (*open)(const struct choices_maker *maker, struct view *view,
	             const struct choice *choice);
	char *path_a, *name_a, *path_b, *name_b; /* copied */
};

/* Takes nothing of maker: copies it and its texts. */
struct view *view_choices_new(struct app *app, const struct choices_maker *maker);

#endif
