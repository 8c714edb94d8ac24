#include "config.h"

#include "ui/lists/view_choices.h"

#include <stdlib.h>

#include "util/utf8.h"

struct choices_view {
	const struct choices_kind *kind;
	struct two_runs runs;
	struct choices choices;
	struct list list;
};

struct choices_job {
	struct view_job job;
	const struct choices_kind *kind;
	struct two_runs runs; /* own copies */
	const struct query_library *library;
	struct choices choices;
};

static int
load(struct view_job *job, struct job_worker *worker, struct err *err)
{
	struct choices_job *mine = (struct choices_job *)job;

	mine->choices.arena = arena_new();
	return mine->kind->load(&mine->runs, mine->library, worker, &job->cancel, &mine->choices,
	                        err);
}

static void
free_job(struct view_job *job)
{
	struct choices_job *mine = (struct choices_job *)job;

	arena_free(mine->choices.arena);
	two_runs_free(&mine->runs);
}

static void
ask(struct view *view)
{
	struct choices_view *choices = view->state;
	struct choices_job *job = job_new(sizeof *job, 0, load, free_job, NULL);

	job->kind = choices->kind;
	job->runs = two_runs_copy(&choices->runs);
	job->library = app_library(view->app);
	view_submit(view, &job->job);
}

/* The rest of the row is for the fact: titles take what facts leave, and at least nearly half of
 * it. */
static int
title_columns(const struct choices *choices, int width)
{
	int columns = width * 9 / 20, title = 0, fact = 0;

	columns = columns < 36 ? (width < 40 ? width - 4 : 36) : columns;
	for (size_t i = 0; i < choices->n; i++) {
		int own = (int)utf8_columns(slice_of(choices->list[i].title));
		int its = (int)utf8_columns(choices->list[i].fact);

		title = own > title ? own : title;
		fact = its > fact ? its : fact;
	}
	title = title < width - fact - 6 ? title : width - fact - 6;
	return title > columns ? title : columns;
}

static void
draw_row(const struct view *view, struct canvas *canvas, size_t i, int y, const void *how)
{
	const struct choices_view *choices = view->state;
	const struct choice *choice = &choices->choices.list[i];
	int title = *(const int *)how;

	canvas_text_middle(canvas, 2, y, title, STYLE_NORMAL, slice_of(choice->title));
	canvas_text_cut(canvas, 4 + title, y, view->area.width - title - 5, STYLE_MUTED,
	                choice->fact);
}

static void
draw(const struct view *view, struct canvas *canvas, struct area area)
{
	const struct choices_view *choices = view->state;
	int about = view_about_rows(view), title;

	if (!choices->choices.list) {
		return;
	}
	canvas_wrapped(canvas, 2, area.y, area.width - 3, choices->kind->heading_rows, STYLE_HEADER,
	               slice_of(choices->choices.heading));
	title = title_columns(&choices->choices, area.width);
	view_list_draw(view, canvas, &title);
	if (choices->list.n == 0) {
		canvas_puts(canvas, 2, area.y + view->ops->head, STYLE_MUTED,
		            "nothing that both runs answer");
	} else {
		const char *text = choices->choices.list[choices->list.selected].about;

		canvas_wrapped(canvas, 2, area.y + area.height - about + 1, area.width - 4,
		               about - 1, STYLE_MUTED, slice_of(text ? text : ""));
	}
}

static bool
row_has(const struct view *view, size_t row, struct slice text)
{
	const struct choices_view *choices = view->state;

	return slice_contains_anycase(slice_of(choices->choices.list[row].name), text) ||
	       slice_contains_anycase(slice_of(choices->choices.list[row].title), text);
}

static void
open_selected(struct view *view)
{
	struct choices_view *choices = view->state;
	const struct choice *choice;

	if (choices->list.selected >= choices->list.n) {
		return;
	}
	choice = &choices->choices.list[choices->list.selected];
	choices->kind->open(&choices->runs, view, choice);
}

/* Both, at the place of what is selected. False: it has none, and they are not asked for anyway. */
static bool
open_timelines(struct view *view, bool anyway)
{
	struct choices_view *choices = view->state;
	size_t i = choices->list.selected;
	const struct focus *focus = i < choices->list.n ? &choices->choices.list[i].focus : NULL;
	bool is_place = focus && focus->mark_end_ns > focus->mark_start_ns;

	if (is_place || anyway) {
		view_open(view, PLACE_PAIR, .runs = choices->runs, .focus = is_place ? focus : NULL,
		          .side = 1,
		          .paint =
		              is_place && choices->kind->paint
		                  ? choices->kind->paint(&choices->runs, &choices->choices.list[i])
		                  : NULL);
	}
	return is_place || anyway;
}

static bool
act(struct view *view, enum view_action action)
{
	struct choices_view *choices = view->state;

	switch (action) {
	case ACTION_OPEN:
		open_selected(view);
		break;
	case ACTION_SWAP:
		choices->runs = two_runs_swapped(&choices->runs);
		app_mark_both(view->app, &choices->runs);
		view_set_runs(view, &choices->runs, choices->kind->title);
		ask(view);
		break;
	case ACTION_PAIR:
	case ACTION_TIMELINE:
		return open_timelines(view, action == ACTION_PAIR);
	case ACTION_RELOAD:
		ask(view);
		break;
	default:
		return false;
	}
	return true;
}

static void
status(const struct view *view, struct strbuf *out)
{
	const struct choices_view *choices = view->state;

	strbuf_printf(out, "A %s   B %s", choices->runs.name[0], choices->runs.name[1]);
}

static void
done(struct view *view, struct view_job *job)
{
	struct choices_view *choices = view->state;
	struct choices_job *mine = (struct choices_job *)job;

	arena_free(choices->choices.arena);
	choices->choices = mine->choices;
	mine->choices.arena = NULL;
	choices->list.n = choices->choices.n;
	list_settle(&choices->list);
}

static void
close_choices(struct view *view)
{
	struct choices_view *choices = view->state;

	arena_free(choices->choices.arena);
	two_runs_free(&choices->runs);
	free(choices);
}

#define CHOICES_OPS(heading_rows)                                                                  \
	{                                                                                          \
		.sets = IN_CHOICES, .head = (heading_rows) + 1, .about = 6, .draw = draw,          \
		.row = draw_row, .act = act, .status = status, .done = done, .row_has = row_has,   \
		.close = close_choices,                                                            \
	}
static const struct view_ops one_row = CHOICES_OPS(1), rows = CHOICES_OPS(HEADING_ROWS);

struct view *
view_choices_new(struct app *app, const struct view_place *place, const struct choices_kind *kind)
{
	struct choices_view *choices = xcalloc(1, sizeof *choices);
	struct view *view =
	    view_new(app, kind->heading_rows > 1 ? &rows : &one_row, choices, place, kind->title);

	view->list = &choices->list;
	choices->kind = kind;
	choices->runs = two_runs_copy(&place->runs);
	view_set_runs(view, &choices->runs, kind->title);
	ask(view);
	return view;
}
