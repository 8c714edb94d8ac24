/*
 * Searches of the view on top. The view says only what its rows hold (row_has), or asks a worker
 * where many millions are looked through (find); what the keys do and what is said about it is the
 * same everywhere, here.
 */
#include "config.h"

#include "ui/app/app_private.h"

#include <stdio.h>

#define SLICE_NS INT64_C(15000000) /* with the drawing well below what is felt */

static bool
has(const void *user, size_t row, struct slice text)
{
	const struct view *view = user;

	return view->ops->row_has(view, row, text);
}

static bool
is_typed(const struct app *app)
{
	return app->prompt.is_open && app->prompt.kind == PROMPT_SEARCH;
}

static void
tell_selected(struct view *view)
{
	if (view->ops->moved) {
		view->ops->moved(view, true);
	}
}

/* What the prompt does not say, being closed. */
static void
say_outcome(struct app *app)
{
	const struct list_search *search = &app->top->search;

	if (is_typed(app)) {
		return;
	}
	if (search->outcome == SEARCH_MISSED) {
		app_say(app, false, "nothing matches %s (/ looks for another text)",
		        search->text.data);
	} else if (search->outcome == SEARCH_WRAPPED) {
		app_say(app, false,
		        search->where == SEARCH_PREVIOUS ? "around the top: on from the last row"
		                                         : "around the end: on from the first row");
	}
}

void
app_search_go(struct app *app)
{
	struct view *view = app->top;
	enum search_outcome outcome;

	if (view->search.outcome != SEARCH_GOES_ON || !view->ops->row_has) {
		return;
	}
	outcome = search_go(&view->search, view->list, has, view, SLICE_NS);
	if (outcome == SEARCH_FOUND || outcome == SEARCH_WRAPPED) {
		tell_selected(view);
	}
	if (outcome != SEARCH_GOES_ON) {
		say_outcome(app);
	}
}

void
app_search_ended(struct view *view, enum search_outcome outcome)
{
	view->search.outcome = outcome;
	if (view->app->top == view && !view->app->message[0]) { /* a later key may have said more */
		say_outcome(view->app);
	}
}

static void
look(struct app *app)
{
	struct view *view = app->top;

	if (view->ops->find) {
		view->ops->find(view, view->search.where);
	} else {
		app_search_go(app);
	}
}

void
app_search_open(struct app *app)
{
	struct view *view = app->top;

	if (view->list) {
		search_open(&view->search, view->list);
	}
	app_prompt(app, PROMPT_SEARCH, "/", "");
}

static void
accept(struct app *app, struct slice text)
{
	struct view *view = app->top;

	if (text.len > 0) {
		if (view->search.outcome != SEARCH_GOES_ON) {
			say_outcome(app);
		}
		return;
	}
	search_leave(&view->search, view->list); /* nothing typed: the former text */
	app_search_step(app, SEARCH_NEXT);
}

bool
app_search_typed(struct app *app, bool is_accepted)
{
	struct view *view = app->top;
	struct slice text = strbuf_slice(&app->prompt.text);

	if (app->prompt.kind != PROMPT_SEARCH || !view->list) {
		return false;
	}
	if (is_accepted) {
		accept(app, text);
	} else if (!app->prompt.is_open) {
		search_leave(&view->search, view->list);
		tell_selected(view);
	} else {
		search_type(&view->search, view->list, text);
		if (text.len == 0 || !view->ops->find) {
			tell_selected(view);
		}
		if (text.len > 0) {
			look(app);
		}
	}
	return true;
}

void
app_search_step(struct app *app, enum search_where where)
{
	struct view *view = app->top;

	if (search_begin(&view->search, view->list, where)) {
		look(app);
	} else {
		app_say(app, false, "nothing was searched for yet (/ searches)");
	}
}

const char *
app_search_note(const struct app *app, char text[32])
{
	const struct list_search *search = &app->top->search;

	if (!is_typed(app) || !app->top->list) {
		return "";
	}
	switch (search->outcome) {
	case SEARCH_MISSED:
		return "nothing matches, Esc leaves";
	case SEARCH_WRAPPED:
		return "found around the end";
	case SEARCH_GOES_ON:
		if (app->top->ops->find) {
			return "searching";
		}
		snprintf(text, 32, "searching %d %%", search_percent(search));
		return text;
	default:
		return "";
	}
}
