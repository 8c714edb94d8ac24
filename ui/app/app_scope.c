/*
 * The scope: one for all views and for both runs. It stands in the second line of every view of a
 * run, as words that can be taken away; jobs carry the one that stood when they were asked
 * (ui/base/job.c), and a view that comes to the top with answers of another asks again.
 */
#include "config.h"

#include "ui/app/app_private.h"

#include <stdlib.h>
#include <string.h>

#include "util/format.h"
#include "util/mem.h"
#include "util/quote.h"
#include "util/utf8.h"

#define SCOPED (IN_RUN | IN_RUNS) /* views that it is a matter of */

const struct scope *
app_scope(const struct app *app)
{
	return scope_history_now(&app->scopes);
}

bool
app_scope_is_shown(const struct app *app, const struct view *view)
{
	return app_scope(app)->n > 0 && view->sets & SCOPED;
}

void
app_scope_check(struct app *app)
{
	struct view *view = app->top;

	if (view->scope_turn == app->scope_turn) {
		return;
	}
	view->scope_turn = app->scope_turn;
	if (view->run_path && view->ops->act) {
		view->has_answer = false; /* what goes wrong now is told in its place */
		(void)view->ops->act(view, ACTION_RELOAD);
	}
}

/* Another one stands. */
static void
changed(struct app *app)
{
	struct view *top = app->top;
	struct strbuf text = {0};

	scope_write(app_scope(app), &text);
	memory_set(app->memory, "scope", text.len > 0 ? text.data : NULL);
	if (text.len == 0) {
		app_say(app, false, "scope: the whole run");
	}
	strbuf_free(&text);
	jobs_set_scope(app->jobs, app_scope(app));
	app->scope_turn++;
	if (top) {
		app_resize(app, app->width, app->height); /* its line may come or go */
		app_scope_check(app);
	}
}

static void
app_scope_set(struct app *app, const struct scope *scope)
{
	if (scope_history_set(&app->scopes, scope)) {
		changed(app);
	}
}

/* The scope that stands and more words. */
static void
add_words(struct app *app, const struct scope_word *words, size_t n)
{
	struct scope scope = {0};

	scope_copy(&scope, app_scope(app));
	for (size_t i = 0; i < n; i++) {
		scope_add(&scope, &words[i]);
	}
	if (scope.n > SCOPE_WORDS) {
		app_say(app, true, "a scope has at most %d words: - drops the last", SCOPE_WORDS);
	} else if (scope_equal(&scope, app_scope(app))) {
		app_say(app, false, "that is in the scope already");
	} else {
		app_scope_set(app, &scope);
	}
	scope_free(&scope);
}

static void
app_scope_add(struct app *app, const struct scope_word *word)
{
	add_words(app, word, 1);
}

void
app_scope_add_range(struct app *app, int64_t start_ns, int64_t end_ns)
{
	app_scope_add(app, &(struct scope_word){SCOPE_RANGE, start_ns, end_ns, NULL});
}

void
app_scope_add_condition(struct app *app, const char *condition)
{
	struct scope_word word = {.kind = SCOPE_FILTER, .text = xstrdup(condition)};

	app_scope_add(app, &word);
	free(word.text);
}

/* A pattern that a text alone matches. */
static char *
pattern_of(struct slice text)
{
	struct strbuf pattern = {0};

	for (size_t i = 0; i < text.len; i++) {
		strbuf_printf(&pattern, strchr("*?[", text.ptr[i]) ? "[%c]" : "%c", text.ptr[i]);
	}
	return strbuf_take(&pattern);
}

void
app_scope_add_lane(struct app *app, struct slice lane_name)
{
	struct scope_word word = {.kind = SCOPE_LANES, .text = pattern_of(lane_name)};

	app_scope_add(app, &word);
	free(word.text);
}

bool
app_scope_add_focus(struct app *app, const struct focus *focus)
{
	struct scope_word words[2] = {0};
	struct strbuf lane = {0};
	size_t n = 0;
	bool has_window = focus->end_ns > focus->start_ns;

	if (focus->filter && *focus->filter) { /* all that is behind a row; the rest is a place */
		app_scope_add_condition(app, focus->filter);
		return true;
	}
	if (focus->lane_name) {
		words[n++] = (struct scope_word){.kind = SCOPE_LANES,
		                                 .text = pattern_of(slice_of(focus->lane_name))};
	} else if (focus->lane >= 0) {
		strbuf_printf(&lane, "lane = %lld", (long long)focus->lane);
		words[n++] = (struct scope_word){.kind = SCOPE_FILTER, .text = strbuf_take(&lane)};
	}
	if (has_window || focus->mark_end_ns > focus->mark_start_ns) {
		words[n++] = (struct scope_word){
		    .kind = SCOPE_RANGE,
		    .start_ns = has_window ? focus->start_ns : focus->mark_start_ns,
		    .end_ns = has_window ? focus->end_ns : focus->mark_end_ns};
	}
	if (n > 0) {
		add_words(app, words, n);
	}
	for (size_t i = 0; i < n; i++) {
		free(words[i].text);
	}
	return n > 0;
}

bool
app_scope_add_cell(struct app *app, const char *column, const struct value *value)
{
	struct strbuf condition = {0}, word = {0};
	struct scope scope = {0};
	struct err err = ERR_INIT;
	bool is_fine = true;

	if (value->type == VALUE_TEXT &&
	    (strcmp(column, "lane_name") == 0 || strcmp(column, "lane") == 0 ||
	     strcmp(column, "worker") == 0)) {
		app_scope_add_lane(app, value->text);
		return true;
	}
	if (value->type == VALUE_TEXT) {
		strbuf_printf(&condition, "%s = ", column);
		quote_add(&condition, value->text, '\'');
	} else if (value->type == VALUE_INTEGER) {
		strbuf_printf(&condition, "%s = %lld", column, (long long)value->integer);
	} else {
		app_say(app, true, "%s: such a cell can't be a condition", column);
		is_fine = false;
	}
	if (is_fine) {
		strbuf_add_text(&word, "filter ");
		quote_add(&word, strbuf_slice(&condition), '\'');
		is_fine = scope_read(strbuf_slice(&word), &scope, &err) == 0;
		if (is_fine) {
			add_words(app, scope.words, scope.n);
		} else {
			app_say(app, true,
			        "%s is no column of spans: + adds what stands behind the row",
			        column);
		}
	}
	scope_free(&scope);
	strbuf_free(&condition);
	strbuf_free(&word);
	return is_fine;
}

static int
drop(struct app *app, size_t i, struct err *err)
{
	struct scope scope = {0};

	if (i >= app_scope(app)->n) {
		return app_scope(app)->n == 0
		           ? err_set(err, ERR_USAGE,
		                     "the scope is the whole run: there is no word "
		                     "to drop")
		           : err_set(err, ERR_USAGE, "the scope has %zu word%s", app_scope(app)->n,
		                     app_scope(app)->n == 1 ? "" : "s");
	}
	scope_copy(&scope, app_scope(app));
	scope_remove(&scope, i);
	app_scope_set(app, &scope);
	scope_free(&scope);
	return 0;
}

bool
app_scope_act(struct app *app, enum view_action action)
{
	struct err err = ERR_INIT;
	bool is_back = action == ACTION_SCOPE_BACK;

	if (action == ACTION_SCOPE_DROP) {
		if (drop(app, app_scope(app)->n - 1, &err)) {
			app_say(app, false, "%s", err.message);
		}
		return true;
	}
	if (!is_back && action != ACTION_SCOPE_FORTH) {
		return false;
	}
	if (scope_history_step(&app->scopes, is_back ? -1 : 1)) {
		changed(app);
	} else {
		app_say(app, false,
		        is_back ? "there was no scope before this one" : "there is no later scope");
	}
	return true;
}

/* ":scope drop N", counted as they are shown. */
static int
drop_nth(struct app *app, struct slice text, struct err *err)
{
	int64_t nth = (int64_t)app_scope(app)->n;

	if (text.len > 0 && (!decimal_to_int64(text, &nth) || nth < 1)) {
		return err_set(err, ERR_USAGE, "scope drop: which word, 1 for the first");
	}
	return drop(app, (size_t)nth - 1, err);
}

int
app_scope_command(struct app *app, struct slice arguments, struct err *err)
{
	struct scope scope = {0};
	struct strbuf text = {0};
	struct slice rest = arguments, word = slice_take_word(&rest);
	int rc = 0;

	if (arguments.len == 0) { /* to be seen, and changed */
		strbuf_add_text(&text, "scope ");
		scope_write(app_scope(app), &text);
		app_prompt(app, PROMPT_COMMAND, ":", text.data);
		if (app_scope(app)->n == 0) {
			app_say(app, false,
			        "the whole run; range 1s .. 2s, lanes PATTERN or a "
			        "condition (name = x), with ; between them");
		}
	} else if (slice_is(word, "drop")) {
		rc = drop_nth(app, rest, err);
	} else if (slice_is(arguments, "all") || slice_is(arguments, "none")) {
		app_scope_set(app, &scope);
	} else {
		bool adds = slice_is(word, "add") && rest.len > 0;

		if (adds) {
			scope_write(app_scope(app), &text);
			strbuf_add_text(&text, text.len > 0 ? "; " : "");
		}
		strbuf_add_slice(&text, adds ? rest : arguments);
		rc = scope_read(strbuf_slice(&text), &scope, err);
		if (rc == 0) {
			app_scope_set(app, &scope);
		}
	}
	scope_free(&scope);
	strbuf_free(&text);
	return rc;
}

void
app_scope_complete(const struct app *app, struct completion *completion)
{
	static const char *const words[] = {"range", "lanes", "filter", "add", "drop", "all"};

	(void)app;
	completion_begin(completion, " ;");
	completion_add_texts(completion, words, COUNT_OF(words));
	completion_add_columns(completion);
}

int
app_scope_begin(struct app *app, const struct scope *scope, struct err *err)
{
	const char *remembered = memory_get(app->memory, "scope");
	struct scope before = {0};

	if (scope && scope->n > 0) {
		app_scope_set(app, scope);
	} else if (remembered) {
		if (scope_read(slice_of(remembered), &before, err)) {
			return err_wrap(err, "the session's scope");
		}
		app_scope_set(app, &before);
		scope_free(&before);
	}
	return 0;
}

/* A word as the line shows it: of a range its length, too. */
static void
word_show(const struct scope_word *word, struct strbuf *out)
{
	char from[FORMAT_BYTES], to[FORMAT_BYTES], length[FORMAT_BYTES], *unit;
	int64_t length_ns = word->end_ns - word->start_ns;

	if (word->kind != SCOPE_RANGE || word->end_ns == INT64_MAX) {
		scope_word_write(word, out);
		return;
	}
	format_position(from, word->start_ns, length_ns / 1000);
	format_position(to, word->end_ns, length_ns / 1000);
	unit = strrchr(from, ' ');
	if (unit && strrchr(to, ' ') && strcmp(unit, strrchr(to, ' ')) == 0) {
		*unit = '\0'; /* "1.000 .. 3.000 s" */
	}
	strbuf_printf(out, "range %s .. %s (%s)", from, to, format_duration(length, length_ns));
}

#define WORDS_FROM 8 /* behind "scope" */
#define GAP 3
#define WORD_LEAST 12

/* Columns of the i-th word, which begins at x: all that it needs, or what is left. 0: too few
 * are. */
static int
word_columns(const struct app *app, size_t i, int x, struct strbuf *text)
{
	int left = app->width - x - 3, columns;

	strbuf_clear(text);
	word_show(&app_scope(app)->words[i], text);
	columns = (int)utf8_columns(strbuf_slice(text));
	return columns <= left ? columns : left >= WORD_LEAST ? left : 0;
}

/* Draws it (canvas not NULL), or finds the word at column `at`; the number of words if none. */
static size_t
walk_line(const struct app *app, struct canvas *canvas, int at)
{
	const struct scope *scope = app_scope(app);
	size_t found = scope->n;
	struct strbuf text = {0};
	int x = WORDS_FROM;

	for (size_t i = 0; i < scope->n; i++) {
		int columns = word_columns(app, i, x, &text);

		if (columns == 0) {
			if (canvas) {
				canvas_puts(canvas, app->width - 2, 1, STYLE_MUTED, "…");
			}
			break;
		}
		if (canvas) {
			canvas_text_middle(canvas, x, 1, columns, STYLE_NORMAL,
			                   strbuf_slice(&text));
		}
		found = at >= x && at < x + columns ? i : found;
		x += columns + GAP;
	}
	if (canvas && x + 20 < app->width) {
		x = app->width - 16;
		x += canvas_puts(canvas, x, 1, STYLE_KEY, "-") + 1;
		x += canvas_puts(canvas, x, 1, STYLE_MUTED, "drop") + 2;
		x += canvas_puts(canvas, x, 1, STYLE_KEY, "<") + 1;
		canvas_puts(canvas, x, 1, STYLE_MUTED, "back");
	}
	strbuf_free(&text);
	return found;
}

void
app_scope_draw(struct app *app)
{
	canvas_puts(app->canvas, 1, 1, STYLE_HEADER, "scope");
	(void)walk_line(app, app->canvas, -1);
}

bool
app_scope_mouse(struct app *app, const struct mouse_event *event)
{
	struct err ignored = ERR_INIT;

	if (event->type != MOUSE_PRESS || event->y != 1 || !app_scope_is_shown(app, app->top)) {
		return false;
	}
	(void)drop(app, walk_line(app, NULL, event->x), &ignored);
	return true;
}
