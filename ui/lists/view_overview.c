/*
 * A run at a glance. Three lists (lanes, names, questions) share the screen; the keys go to the one
 * with the cursor. Whatever is selected leads on: a lane to the timeline, a name to its spans, a
 * question to its table.
 */
#include "config.h"

#include <stdlib.h>

#include "query/saved/query_list.h"
#include "query/spans/span_list.h"
#include "ui/lists/view_overview.h"
#include "util/mem.h"

struct overview_job {
	struct view_job job;
	const struct query_library *library;
	struct overview *overview;
};

static int
work(struct view_job *job, struct job_worker *worker, struct err *err)
{
	struct overview_job *mine = (struct overview_job *)job;
	struct store *store = job_store(job, worker, err);

	mine->overview = store ? overview_read(store, &job->cancel, err) : NULL;
	if (!mine->overview) {
		return -1;
	}
	mine->overview->info.has =
	    query_needs_read(store, mine->library, mine->overview->arena, err);
	return mine->overview->info.has ? 0 : -1;
}

static void
free_job(struct view_job *job)
{
	overview_free(((struct overview_job *)job)->overview);
}

static void
ask(struct view *view)
{
	struct overview_job *job = job_new(sizeof *job, 0, work, free_job, view->run_path);

	job->library = app_library(view->app);
	view_submit(view, &job->job);
}

static void
take_pane(struct view *view, enum overview_pane pane)
{
	struct overview_view *mine = view->state;

	mine->pane = pane;
	view->list = &mine->lists[pane];
}

/* The pane with the cursor has rows, if any has. */
static void
settle(struct view *view)
{
	struct overview_view *mine = view->state;

	for (enum overview_pane pane = 0; mine->overview && pane < PANES; pane++) {
		int height = overview_pane_area(mine, view->area, pane).height;

		mine->lists[pane].height = height > 0 ? (size_t)height : 1;
		list_settle(&mine->lists[pane]);
	}
	if (mine->lists[mine->pane].n == 0) {
		take_pane(view, PANE_QUESTIONS);
	}
}

static bool
row_has(const struct view *view, size_t row, struct slice text)
{
	const struct overview_view *mine = view->state;

	return slice_contains_anycase(overview_row_text(mine, mine->pane, row), text);
}

static void
open_question(struct view *view, size_t i)
{
	struct overview_view *mine = view->state;

	view_open(view, PLACE_QUERY, .query = mine->questions[i]);
}

/* Where the selected lane or name leads. */
static struct focus
selected_focus(const struct overview_view *mine)
{
	const struct list *list = &mine->lists[mine->pane];
	struct focus focus = FOCUS_NONE;

	if (list->selected < list->n && mine->pane == PANE_LANES) {
		focus.lane = mine->overview->lanes[list->selected].lane;
	} else if (list->selected < list->n && mine->pane == PANE_NAMES) {
		focus.filter = mine->overview->names[list->selected].filter;
	}
	return focus;
}

/* All of it, with the spans of a name marked that was chosen. */
static void
open_timeline(struct view *view)
{
	const struct overview_view *mine = view->state;
	struct focus focus = selected_focus(mine);

	if (!mine->has_chosen && mine->lists[PANE_NAMES].selected == 0) {
		focus.filter = NULL;
	}
	view_open(view, PLACE_TIMELINE, .focus = &focus);
}

static void
open_spans(struct view *view)
{
	struct overview_view *mine = view->state;
	const struct list *list = &mine->lists[mine->pane];
	struct focus focus = selected_focus(mine);
	struct strbuf filter = {0};

	if (mine->pane == PANE_LANES && list->selected < list->n) {
		const struct overview_lane *lane = &mine->overview->lanes[list->selected];

		if (lane->is_host) {
			span_filter_add(&filter, "host", lane->name);
		} else {
			strbuf_printf(&filter, "lane = %lld", (long long)lane->lane);
		}
		focus.filter = filter.data;
	}
	view_open(view, PLACE_SPANS, .focus = &focus);
	strbuf_free(&filter);
}

static void
add_to_scope(struct view *view)
{
	const struct overview_view *mine = view->state;
	const struct list *list = &mine->lists[mine->pane];
	struct focus focus = selected_focus(mine);
	struct strbuf filter = {0};

	if (focus.lane >= 0) {
		app_scope_add_lane(view->app, mine->overview->lanes[list->selected].name);
	} else if (mine->pane == PANE_LANES && list->selected < list->n) {
		span_filter_add(&filter, "host", mine->overview->lanes[list->selected].name);
		app_scope_add_condition(view->app, filter.data);
	} else if (!app_scope_add_focus(view->app, &focus)) {
		view_say(view, "no spans stand behind this row");
	}
	strbuf_free(&filter);
}

static bool
open_selected(struct view *view)
{
	struct overview_view *mine = view->state;
	const struct list *list = &mine->lists[mine->pane];

	if (list->selected >= list->n) {
		return false;
	}
	if (mine->pane == PANE_QUESTIONS) {
		open_question(view, list->selected);
	} else if (mine->pane == PANE_LANES) {
		open_timeline(view);
	} else if (mine->overview->names[list->selected].filter) {
		open_spans(view);
	} else {
		view_say(view, "no spans stand behind this row: ask a question (Tab)");
	}
	return true;
}

/* On to the next pane that has rows on the screen. */
static void
change_pane(struct view *view, int step)
{
	struct overview_view *mine = view->state;
	enum overview_pane pane = mine->pane;

	do {
		pane = (enum overview_pane)(((int)pane + step + PANES) % PANES);
	} while (pane != mine->pane && (mine->lists[pane].n == 0 ||
	                                overview_pane_area(mine, view->area, pane).height == 0));
	take_pane(view, pane);
	mine->has_chosen = true;
}

/* A key that needs the lists waits for them. False if it does not. */
static bool
keep_early(struct overview_view *mine, int key, bool needs_lists)
{
	if (needs_lists && mine->n_early < EARLY_KEYS) {
		mine->early[mine->n_early++] = key;
	}
	return needs_lists;
}

static bool
act(struct view *view, enum view_action action)
{
	struct overview_view *mine = view->state;
	struct list *list = &mine->lists[mine->pane];

	if (action == ACTION_RELOAD) {
		ask(view);
		return true;
	}
	if (!mine->overview) {
		return keep_early(mine, -(int)action,
		                  action == ACTION_OPEN || action == ACTION_NEXT_PANE ||
		                      action == ACTION_PREVIOUS_PANE || action == ACTION_UP ||
		                      action == ACTION_DOWN);
	}
	switch (action) {
	case ACTION_OPEN:
		return open_selected(view);
	case ACTION_NEXT_PANE:
	case ACTION_PREVIOUS_PANE:
		change_pane(view, action == ACTION_NEXT_PANE ? 1 : -1);
		break;
	case ACTION_TIMELINE:
		open_timeline(view);
		break;
	case ACTION_SPANS:
		open_spans(view);
		break;
	case ACTION_SCOPE_ADD:
		add_to_scope(view);
		break;
	case ACTION_COPY:
		if (list->selected < list->n) {
			app_copy(view->app, overview_row_text(mine, mine->pane, list->selected));
		}
		break;
	default:
		return false;
	}
	return true;
}

static bool
key(struct view *view, int key)
{
	struct overview_view *mine = view->state;

	if (!mine->overview) {
		return keep_early(mine, key, key >= '1' && key <= '9');
	}
	if (key >= '1' && key <= '9' && (size_t)(key - '1') < mine->lists[PANE_QUESTIONS].n) {
		open_question(view, (size_t)(key - '1'));
		return true;
	}
	return false;
}

static void
list_questions(struct view *view)
{
	struct overview_view *mine = view->state;
	const struct run_info *info = &mine->overview->info;

	free(mine->questions);
	mine->library = app_library(view->app);
	mine->questions =
	    query_list_fitting(mine->library, &info, 1, &mine->lists[PANE_QUESTIONS].n);
}

/* A query was saved. */
static void
woken(struct view *view)
{
	const struct overview_view *mine = view->state;

	if (mine->overview && mine->library != app_library(view->app)) {
		list_questions(view);
		settle(view);
	}
}

static void
done(struct view *view, struct view_job *job)
{
	struct overview_view *mine = view->state;
	struct overview_job *got = (struct overview_job *)job;
	bool is_first = !mine->overview;

	overview_free(mine->overview);
	mine->overview = got->overview;
	got->overview = NULL;
	list_questions(view);
	mine->lists[PANE_LANES].n = mine->overview->n_lanes;
	mine->lists[PANE_NAMES].n = mine->overview->n_names;
	if (is_first) {
		take_pane(view, PANE_NAMES);
	}
	settle(view);
	for (size_t i = 0; i < mine->n_early; i++) {
		(void)(mine->early[i] < 0 ? act(view, (enum view_action) - mine->early[i])
		                          : key(view, mine->early[i]));
	}
	mine->n_early = 0;
}

static void
mouse(struct view *view, const struct mouse_event *event)
{
	struct overview_view *mine = view->state;
	enum list_hit hit;

	for (enum overview_pane pane = 0; mine->overview && pane < PANES; pane++) {
		struct area area = overview_pane_area(mine, view->area, pane);

		if (event->y < area.y || event->y >= area.y + area.height || event->x < area.x ||
		    event->x >= area.x + area.width) {
			continue;
		}
		hit = list_mouse(&mine->lists[pane], event, area.y, 1);
		if (hit != LIST_MISSED && event->type != MOUSE_WHEEL_UP &&
		    event->type != MOUSE_WHEEL_DOWN) {
			take_pane(view, pane);
			mine->has_chosen = true;
		}
		if (hit == LIST_OPENED) {
			(void)open_selected(view);
		}
		return;
	}
}

static void
status(const struct view *view, struct strbuf *out)
{
	const struct overview_view *mine = view->state;

	if (mine->overview && mine->overview->n_all_lanes > (int64_t)mine->overview->n_lanes) {
		strbuf_printf(out, "%zu of %lld %ss", mine->overview->n_lanes,
		              (long long)mine->overview->n_all_lanes,
		              mine->overview->lanes[0].is_host ? "host"
		                                               : mine->overview->lanes_are.one);
	}
}

static bool
is_waiting(const struct view *view)
{
	return !((const struct overview_view *)view->state)->overview;
}

static void
close_overview(struct view *view)
{
	struct overview_view *mine = view->state;

	overview_free(mine->overview);
	free(mine->questions);
	free(mine);
}

static const struct view_ops ops = {
    .sets = IN_OVERVIEW,
    .draw = overview_draw,
    .act = act,
    .is_waiting = is_waiting,
    .key = key,
    .status = status,
    .resize = settle,
    .done = done,
    .woken = woken,
    .row_has = row_has,
    .mouse = mouse,
    .close = close_overview,
};

struct view *
view_overview_new(struct app *app, const struct view_place *place)
{
	struct overview_view *mine = xcalloc(1, sizeof *mine);
	struct view *view = view_new(app, &ops, mine, place, "Overview");

	take_pane(view, PANE_LANES);
	ask(view);
	return view;
}
