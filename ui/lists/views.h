/* The views of lists, each at a place (ui/app/place.h). Used by the table of places. */
#ifndef LANESCOPE_UI_LISTS_VIEWS_H
#define LANESCOPE_UI_LISTS_VIEWS_H

#include "ui/app/view.h"

struct view *view_runs_new(struct app *app, const struct view_place *place);
struct view *view_overview_new(struct app *app, const struct view_place *place);
struct view *view_queries_new(struct app *app, const struct view_place *place);
struct view *view_spans_new(struct app *app, const struct view_place *place);
struct view *view_span_new(struct app *app, const struct view_place *place);
struct view *view_diff_new(struct app *app, const struct view_place *place);
struct view *view_explain_new(struct app *app, const struct view_place *place);
struct view *view_text_new(struct app *app, const struct view_place *place);
struct view *view_help_new(struct app *app, const struct view_place *place);

#endif
