/*
 * Keys. Each becomes an action by the key table and goes to the view on top first; what it does not
 * take and means the same everywhere (help, prompts, the ways into other views of the run) is done
 * here.
 */
#include "config.h"

#include "ui/app/app_private.h"
#include "util/mem.h"

#include <string.h>

static void
prompt_tell(struct app *app, bool final)
{
	bool is_own = app->prompt.kind == PROMPT_COMMAND || app->prompt.kind == PROMPT_SQL;

	if (!is_own && !app_search_typed(app, final) && app->top->ops->prompt) {
		app->top->ops->prompt(app->top, app->prompt.kind, strbuf_slice(&app->prompt.text),
		                      final);
	}
}

static void
prompt_offers(struct app *app)
{
	struct completion offers = {.typed = {app->prompt.text.data, app->prompt.cursor}};
	const struct view *view = app->top;

	if (app->prompt.kind == PROMPT_COMMAND) {
		app_command_complete(app, &offers);
	} else if (app->prompt.kind == PROMPT_SQL) {
		app_sql_complete(app, &offers);
	} else if (view->ops->complete) {
		view->ops->complete(view, app->prompt.kind, &offers);
	}
	prompt_offer(&app->prompt, &offers);
}

static void
prompt_accepted(struct app *app)
{
	struct slice text = strbuf_slice(&app->prompt.text);

	if (app->prompt.kind == PROMPT_COMMAND) {
		app_command(app, text);
	} else if (app->prompt.kind == PROMPT_SQL) {
		if (text.len > 0) {
			app_sql_ask(app, text);
		}
	} else {
		prompt_tell(app, true);
	}
}

static void
prompt_take_key(struct app *app, int key)
{
	switch (prompt_key(&app->prompt, key, app->history)) {
	case PROMPT_WANTS_OFFERS:
		prompt_offers(app);
		break;
	case PROMPT_ACCEPTED:
		prompt_accepted(app);
		return;
	case PROMPT_EDITED:
	case PROMPT_LEFT:
		break;
	case PROMPT_NOTHING:
		return;
	}
	prompt_tell(app, false);
}

static bool
view_act(struct view *view, enum view_action action)
{
	return view->ops->act && view->ops->act(view, action);
}

/* Esc goes from the nearest thing outwards: what runs, then what the view can undo, then the
 * view. */
static void
cancel(struct app *app)
{
	struct view *view = app->top;

	if (search_stop(&view->search)) {
		jobs_cancel(app->jobs, view, false);
		app_say(app, false, "search stopped");
	} else if (view_is_busy(view)) {
		jobs_cancel(app->jobs, view, true);
		if (view->ops->cancelled) {
			view->ops->cancelled(view);
		}
		app_say(app, false, "stopped");
	} else if (!view_act(view, ACTION_CANCEL) && view->below) {
		app_pop(app);
	}
}

/* Places that a key leads to from any view of a run, or of two. */
static const struct {
	enum view_action action;
	enum place_kind place;
	bool is_of_two;
} ways[] = {
    {ACTION_OVERVIEW, PLACE_OVERVIEW, false}, {ACTION_QUERIES, PLACE_QUERIES, false},
    {ACTION_TIMELINE, PLACE_TIMELINE, false}, {ACTION_SPANS, PLACE_SPANS, false},
    {ACTION_PROBLEMS, PLACE_QUERY, false},    {ACTION_DIFF, PLACE_QUESTIONS, true},
    {ACTION_EXPLAIN, PLACE_EXPLAIN, true},    {ACTION_PAIR, PLACE_PAIR, true},
};

/* The list of runs stands below everything: what has no run of its own there, the view answers
 * itself. */
static bool
act_on_way(struct app *app, enum view_action action)
{
	const struct view *view = app->top;
	struct err ignored = ERR_INIT;

	if (action == ACTION_SQL && view->run_path) {
		app_sql_open(app, "");
		return true;
	}
	for (size_t i = 0; i < COUNT_OF(ways); i++) {
		struct view_place place = {.kind = ways[i].place};

		if (ways[i].action != action || (!ways[i].is_of_two && !view->run_path)) {
			continue;
		}
		if (place.kind == PLACE_QUERY) {
			place.query = query_library_find(app->library, "problems", &ignored);
		}
		if (!ways[i].is_of_two || app_pair(view, &place.runs)) {
			view_open_place(view, place);
		}
		return true;
	}
	return false;
}

/* Out of the view on top. Out of the last one only if that is meant: with something unfinished, or
 * after views were opened, whose places, marks and scope end with it. */
static void
leave(struct app *app)
{
	const struct view *view = app->top;
	const char *what = view->ops->unfinished ? view->ops->unfinished(view) : NULL;

	if (view->below) {
		app_pop(app);
	} else if (what) {
		app_say(app, false, "%s: leave? y/n", what);
		app->question = ASKS_OF_UNFINISHED;
	} else if (app->has_opened && app->settings.ask_to_leave != ASKS_OFF) {
		app_say(app, false, "leave lanescope? q or y leaves, any other key stays");
		app->question = ASKS_OF_VIEWS;
	} else {
		app_pop(app);
	}
}

/* True if the key answers what was asked and means nothing else. */
static bool
take_answer(struct app *app, int key)
{
	enum app_question question = app->question;

	app->question = ASKS_NOTHING;
	if (question == ASKS_NOTHING) {
		return false;
	}
	if (key == 'y' || key == 'Y' ||
	    (question == ASKS_OF_VIEWS && keys_lookup(key, app->top->sets) == ACTION_BACK)) {
		app->is_running = false;
		return true;
	}
	return key == 'n' || key == 'N' || key == KEY_ESCAPE;
}

static void
act(struct app *app, enum view_action action)
{
	switch (action) {
	case ACTION_QUIT:
		app->is_running = false;
		return;
	case ACTION_BACK:
		leave(app);
		return;
	case ACTION_CANCEL:
		cancel(app);
		return;
	case ACTION_REDRAW:
		app->wants_redraw = true;
		return;
	case ACTION_GLYPHS:
		app->canvas->ascii = !app->canvas->ascii;
		return;
	case ACTION_MOUSE:
		app->has_mouse = !app->has_mouse;
		app_say(app, false,
		        app->has_mouse
		            ? "lanescope takes the mouse (M gives it back to the terminal)"
		            : "the mouse is the terminal's");
		return;
	case ACTION_HELP:
		if (!(app->top->sets & IN_HELP)) {
			app_open(app,
			         &(struct view_place){.kind = PLACE_HELP, .sets = app->top->sets});
		}
		return;
	case ACTION_COMMAND:
		app_prompt(app, PROMPT_COMMAND, ":", "");
		return;
	case ACTION_TOUR_END:
		app_tour_end(app);
		return;
	case ACTION_SEARCH:
		app_search_open(app);
		return;
	case ACTION_SEARCH_NEXT:
	case ACTION_SEARCH_PREVIOUS:
		if (app->top->list) {
			app_search_step(app, action == ACTION_SEARCH_NEXT ? SEARCH_NEXT
			                                                  : SEARCH_PREVIOUS);
			return;
		}
		break;
	default:
		break;
	}
	if (view_act(app->top, action) || view_list_act(app->top, action) ||
	    act_on_way(app, action) || app_scope_act(app, action)) {
		return;
	}
	if (action == ACTION_FILTER) {
		app_prompt(app, PROMPT_FILTER,
		           "& keep (regular expression, or COLUMN OP VALUE): ", "");
	}
}

void
app_act(struct app *app, enum view_action action)
{
	unsigned views = app->top->sets;

	act(app, action);
	app_tour_note(app, action, views);
}

/* What a key would do, and where; or that it does nothing anywhere. */
static void
say_unknown(struct app *app, int key)
{
	const struct key_binding *elsewhere = key_binding_elsewhere(key);
	struct strbuf views = {0};
	char name[16];

	if (elsewhere) {
		views_name(elsewhere->views, &views);
		app_say(app, false, "%s means nothing here; in %.*s: %s", key_label(key, name),
		        (int)views.len, views.data, elsewhere->help);
	} else {
		app_say(app, false, "no such key: %s (? shows the keys)", key_label(key, name));
	}
	strbuf_free(&views);
}

static void
do_key(struct app *app, int key)
{
	enum view_action action;

	app->message[0] = '\0';
	if (app->prompt.is_open) {
		prompt_take_key(app, key);
		return;
	}
	if (take_answer(app, key)) {
		return;
	}
	if (key == 26) { /* ^Z */
		app->wants_suspend = true;
		return;
	}
	action = keys_lookup(key, app->top->sets);
	if (action != ACTION_CANCEL && app->top->ops->row_has) { /* who goes on means it */
		(void)search_stop(&app->top->search);
	}
	if (action != ACTION_NONE) {
		app_act(app, action);
	} else if (!app->top->ops->key || !app->top->ops->key(app->top, key)) {
		say_unknown(app, key);
	}
}

static void
take_key(struct app *app, int key)
{
	app->takes_key = true;
	do_key(app, key);
	app->takes_key = false;
}

/* Whether a key can be taken although there is nothing to choose yet. A prompt can be typed in;
 * what it asks can't be answered. */
static bool
needs_nothing(const struct app *app, int key)
{
	if (app->prompt.is_open) {
		return key != KEY_ENTER && key != '\n';
	}
	switch (keys_lookup(key, app->top->sets)) {
	case ACTION_NONE:
	case ACTION_BACK:
	case ACTION_HELP:
	case ACTION_COMMAND:
	case ACTION_SEARCH:
	case ACTION_REDRAW:
	case ACTION_GLYPHS:
	case ACTION_MOUSE:
		return true;
	case ACTION_OVERVIEW:
	case ACTION_QUERIES:
	case ACTION_TIMELINE:
	case ACTION_SPANS:
	case ACTION_PROBLEMS:
	case ACTION_SQL:
		return app->top->run_path != NULL;
	default:
		return false;
	}
}

bool
app_is_waiting(const struct app *app)
{
	const struct view *view = app->top;

	return view->ops->is_waiting && view->ops->is_waiting(view) && jobs_owe(app->jobs, view);
}

/*
 * Keys typed ahead of the first answer are kept, in their order, and taken when it is there: who
 * types "/name, Enter, T" right after the start gets what he typed. What stops or leaves does not
 * wait, and drops them.
 */
void
app_key(struct app *app, int key)
{
	enum view_action action = keys_lookup(key, app->top->sets);

	if (action == ACTION_CANCEL || (action == ACTION_QUIT && !app->prompt.is_open)) {
		app->n_ahead = 0;
	} else if (app_is_waiting(app) && (app->n_ahead > 0 || !needs_nothing(app, key))) {
		if (app->n_ahead < KEYS_AHEAD) {
			app->ahead[app->n_ahead++] = key;
		}
		return;
	}
	take_key(app, key);
}

void
app_catch_up(struct app *app)
{
	size_t taken = 0;

	if (app->prompt.is_open) {
		prompt_tell(app, false);
	}
	while (taken < app->n_ahead && app->is_running && !app_is_waiting(app)) {
		take_key(app, app->ahead[taken++]);
	}
	app->n_ahead -= taken;
	memmove(app->ahead, app->ahead + taken, app->n_ahead * sizeof app->ahead[0]);
}
