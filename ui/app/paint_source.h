/*
 * The rows of a table as what a timeline paints on its lanes: asked for by the timeline's worker,
 * and opened again at a row. So that neither knows the other's view.
 * Used by ui/lists, ui/table, ui/timeline.
 */
#ifndef LANESCOPE_UI_APP_PAINT_SOURCE_H
#define LANESCOPE_UI_APP_PAINT_SOURCE_H

#include <stdatomic.h>
#include "query/saved/row_place.h"
#include "ui/app/view.h"

struct paint_source;
struct paint_source_ops {
	/* On the worker: the table (new). NULL on error. */
	struct result *(*load)(const struct paint_source *source, struct job_worker *worker,
	                       const struct cancel *cancel, struct err *err);
	/* What its rows' places are read by; borrowed from the source. */
	struct drill (*drill)(const struct paint_source *source);
	/* The table above the view, at a row of the result. */
	void (*open)(const struct paint_source *source, struct view *view, size_t row);
	void (*free)(struct paint_source *source);
};
struct paint_source {
	const struct paint_source_ops *ops;
	atomic_uint references;
	const char *title; /* what is painted: "Idle lanes in time" */
};

static inline struct paint_source *
paint_source_retain(struct paint_source *source)
{
	atomic_fetch_add(&source->references, 1);
	return source;
}

/* Takes NULL. */
static inline void
paint_source_release(struct paint_source *source)
{
	if (source && atomic_fetch_sub(&source->references, 1) == 1) {
		source->ops->free(source);
	}
}

#endif
