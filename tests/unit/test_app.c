/* The application without a terminal, over real runs: answers are taken in only where a test says
 * so, so keys and views that come before them are tried one by one. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "ingest/ingest.h"
#include "tests/unit/folder.h"
#include "tests/unit/unit.h"
#include "ui/app/app.h"
#include "ui/base/settings.h"
#include "ui/places.h"
#include "util/mem.h"

static const char *folder;
static char *runs[3];
static struct app *app;

static char *
import(const char *trace, const char *name)
{
	const char *root = getenv("LANESCOPE_SRCDIR");
	char source[500], path[200];
	const char *sources[] = {source};
	struct ingest_options options = {.out = path};
	struct ingest_plans *plans;
	struct err err = ERR_INIT;

	snprintf(source, sizeof source, "%s/tests/data/%s", root ? root : ".", trace);
	snprintf(path, sizeof path, "%s/%s.lanes", folder, name);
	plans = ingest_plan(sources, 1, &options, &err);
	ck_assert_msg(plans != NULL, "%s", err.message);
	ck_assert_msg(ingest_run(&plans->plans[0], &options, NULL, NULL, &err) == 0, "%s",
	              err.message);
	ingest_plans_free(plans);
	return xstrdup(path);
}

static void
make_runs(void)
{
	folder = folder_new();
	runs[0] = import("golden/one.jsonl", "one");
	runs[1] = import("golden/four.jsonl", "two");
	runs[2] = import("chrome/gpu.json", "gpu");
}

static void
remove_runs(void)
{
	for (int i = 0; i < 3; i++) {
		free(runs[i]);
	}
	folder_remove(folder);
}

static void
wake(void *user)
{
	(void)user;
}

/* Over the first n runs; two are marked A and B once they are found. */
static void
start(size_t n)
{
	static struct settings settings;
	const struct app_options options = {.settings = &settings, .places = places};
	struct err err = ERR_INIT;

	settings_init(&settings);
	app = app_new(&options, wake, NULL, &err);
	ck_assert_ptr_nonnull(app);
	app_open(app, &(struct view_place){
			  .kind = PLACE_RUNS, .paths = (const char **)runs, .n_paths = n});
	app_resize(app, 90, 20);
}

/* Each character is a key; with pause, all answers are waited for before each. */
static void
press(const char *keys, bool pause)
{
	for (const char *key = keys; *key && app_is_running(app); key++) {
		if (pause) {
			app_wait(app);
		}
		app_key(app, *key == '\n' ? KEY_ENTER : *key == '^' ? KEY_CURSOR_UP : *key);
	}
}

static char *
screen(void)
{
	struct strbuf all = {0};
	const struct canvas *canvas;

	app_wait(app);
	canvas = app_draw(app);
	for (int y = 0; y < canvas->height; y++) {
		canvas_row(canvas, y, &all);
		strbuf_add_char(&all, '\n');
	}
	return strbuf_take(&all);
}

/* ---- keys before the answers ---- */

#define KEPT 41 /* of these, by views that have nothing to choose yet */

static const char *const ahead[] = {"j\n",
                                    "jj\n",
                                    "G\n",
                                    "Gk\n",
                                    "jgG\n",
                                    "jT",
                                    "jv\n",
                                    "jvjj\n",
                                    "jiG",
                                    "j\n\t\n",
                                    "jijj\n",
                                    "jij^\n",
                                    "ji\tjj\n",
                                    "ji2",
                                    "ji9",
                                    "ji0",
                                    "ji:",
                                    "jv/io\n",
                                    "/o\nn\n",
                                    "D",
                                    "Dj\n",
                                    "Djx",
                                    "X",
                                    "Xj\n",
                                    "|",
                                    "Bjj",
                                    "jP",
                                    "ab",
                                    "jaGb",
                                    "jv\n]l[",
                                    "jv\nF",
                                    "jv\nls",
                                    "jTq",
                                    "jSqT",
                                    "jS&a\n",
                                    "j;SELECT 1\n",
                                    "jv\n%",
                                    "Dj\n%]",
                                    "jTB",
                                    "jip",
                                    "jvs\n",
                                    /* where they go, or are dropped, at once */ "jTjj",
                                    "jSjjj\n",
                                    "jSG\n",
                                    "jTtj",
                                    "jT&a\n",
                                    "jS/e\nn",
                                    "jvG\n\x1b",
                                    "jTwwl.",
                                    "jT.)",
                                    "jT.\n",
                                    "jTG,m",
                                    "jToOc",
                                    "jTA",
                                    "jT/e\nn",
                                    "jv\np\x1b"};

START_TEST(keys_typed_ahead_do_what_they_do_later)
{
	char *early, *late;

	start(3);
	press(ahead[_i], true);
	late = screen();
	app_free(app);
	start(3);
	press(ahead[_i], false);
	early = screen();
	app_free(app);
	ck_assert_msg(strcmp(early, late) == 0, "%s", ahead[_i]);
	free(early);
	free(late);
}
END_TEST

/* Nothing is lost of what was asked and is not wanted any more. */
START_TEST(views_are_left_before_their_answers)
{
	for (size_t n = 1; n <= strlen(ahead[_i]); n++) {
		char keys[32];

		snprintf(keys, sizeof keys, "%.*s", (int)n, ahead[_i]);
		start(2);
		app_wait(app);
		press(keys, n % 2);
		(void)app_draw(app);
		app_resize(app, 60, 12);
		(void)app_draw(app);
		if (n % 3 == 0) {
			press("qq", false);
		}
		app_free(app);
	}
}
END_TEST

/* ---- leaving ---- */

static bool
asks(void)
{
	char *shown = screen();
	bool found = strstr(shown, "leave lanescope?") != NULL;

	free(shown);
	return found;
}

START_TEST(the_last_q_asks_where_views_were_opened)
{
	static const char *const opened[] = {"iq", "\nq", "Tq", "AjBDq"}, *const leaving[] = {
									      "q", "y", "Y"};

	for (size_t i = 0; i < 12; i++) {
		start(3);
		press(opened[i % 4], true);
		ck_assert(!asks());
		press("q", true);
		ck_assert(app_is_running(app));
		ck_assert(asks());
		press("j", true); /* any other key means what it always does */
		ck_assert(!asks());
		press("y", true); /* copies */
		ck_assert(app_is_running(app));
		press("q", true);
		ck_assert(asks());
		press(leaving[i / 4], true);
		ck_assert(!app_is_running(app));
		app_free(app);
	}
}
END_TEST

START_TEST(q_leaves_at_once_where_nothing_is_lost)
{
	static const char *const keys[] = {"q", "?qq", "jkq", "/g\nq"};

	for (size_t i = 0; i < 4; i++) {
		start(3);
		press(keys[i], true);
		ck_assert_msg(!app_is_running(app), "%s", keys[i]);
		app_free(app);
	}
	start(1); /* its overview opens without being asked for */
	app_wait(app);
	press("qq", true);
	ck_assert(!app_is_running(app));
	app_free(app);
	start(3);
	press("iqQ", true);
	ck_assert(!app_is_running(app));
	app_free(app);
	start(3);
	press(":set ask-to-leave off\niqq", true);
	ck_assert(!app_is_running(app));
	app_free(app);
}
END_TEST

START_TEST(what_is_asked_ends_when_it_is_not_seen)
{
	const struct mouse_event press_on_row = {.type = MOUSE_PRESS, .x = 5, .y = 3};

	start(3);
	press("iqq", true);
	ck_assert(asks());
	app_mouse(app, &press_on_row);
	ck_assert(!asks());
	press("y", true);
	ck_assert(app_is_running(app));
	app_free(app);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("app");
	TCase *tests = tcase_create("app");

	tcase_add_unchecked_fixture(tests, make_runs, remove_runs);
	tcase_add_loop_test(tests, keys_typed_ahead_do_what_they_do_later, 0, KEPT);
	tcase_add_loop_test(tests, views_are_left_before_their_answers, 0,
	                    (int)(sizeof ahead / sizeof ahead[0]));
	tcase_add_test(tests, the_last_q_asks_where_views_were_opened);
	tcase_add_test(tests, q_leaves_at_once_where_nothing_is_lost);
	tcase_add_test(tests, what_is_asked_ends_when_it_is_not_seen);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
