/*
 * Each key of the key table on a terminal, at least once, with what it does seen on the screen. The
 * table below is by command; a command of the key table that is missing here fails, and so does a
 * key whose effect does not come. Every key is pressed in an explorer of its own, over two runs.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/pty/script.h"
#include "tests/unit/unit.h"
#include "ui/base/keys.h"

/* From the list of runs to a view: two steps at most, and what is seen after each. */
enum way {
	RUNS,
	OVERVIEW,
	QUERIES,
	TABLE,
	CHART,
	TEXT,
	CHOICES,
	DIFF,
	SPANS,
	SPAN,
	TIMELINE,
	PAIR
};
static const struct {
	const char *keys[2], *shows[2];
} ways[] = {
    [RUNS] = {{NULL}, {NULL}},
    [OVERVIEW] = {{"ji"}, {"questions for this run"}},
    [QUERIES] = {{"jv"}, {"> task-by-kind"}},
    [TABLE] = {{"jv", "\r"}, {"> task-by-kind", "> efi"}},
    [CHART] = {{"jv", "\rP"}, {"> task-by-kind", "kind efi: 8."}},
    [TEXT] = {{"jv", "V"}, {"> task-by-kind", "title: Tasks"}},
    [CHOICES] = {{"D"}, {"the same question asked of one-worker (A)"}},
    [DIFF] = {{"D", "\r"}, {"the same question", "total_delta"}},
    [SPANS] = {{"jS"}, {"1 of 494 spans"}},
    [SPAN] = {{"jS:sort category\r", "\r"}, {"category▴", "of its kind"}},
    [TIMELINE] = {{"jT"}, {"run 64.1 ms"}},
    [PAIR] = {{"|"}, {"from start"}},
};

static const struct press {
	const char *command;
	enum way way;
	const char *before[4]; /* what to press first, and what is seen then; twice */
	const char *after;     /* what to type behind the key */
	const char *shows;     /* not there before */
	const char *gone;      /* there before */
} presses[] = {
    {"open", RUNS, {0}, NULL, "one-worker > Overview", NULL},
    {"open", OVERVIEW, {0}, NULL, "> Spans", NULL},
    {"open", QUERIES, {0}, NULL, "> Tasks by kind", NULL},
    {"open", CHOICES, {0}, NULL, "total_delta", NULL},
    {"open", SPANS, {0}, NULL, "of its name", NULL},
    {"open", CHART, {0}, NULL, "> Task life cycles", NULL},
    {"partner", DIFF, {0}, NULL, "one-worker > ", NULL},
    {"open", TIMELINE, {0}, NULL, "of its kind", NULL},
    {"back", QUERIES, {0}, NULL, "2 runs", NULL},
    {"cancel", TABLE, {"&efi\r", "1 of 6 rows"}, NULL, NULL, "1 of 6 rows"},
    {"quit", RUNS, {0}, NULL, NULL, NULL},
    {"help", TABLE, {0}, NULL, "In this view", NULL},
    {"command", QUERIES, {0}, "zz9", ":zz9", NULL},
    {"tour-end", RUNS, {":tour\r", "Tour 1/11"}, NULL, NULL, "Tour 1/11"},
    {"redraw", RUNS, {0}, NULL, NULL, NULL},
    {"reload", RUNS, {0}, NULL, NULL, NULL},
    {"glyphs", TABLE, {0}, NULL, "####", NULL},
    {"mouse", RUNS, {0}, NULL, "takes the mouse", NULL},
    {"up", QUERIES, {"j", "> task-summary"}, NULL, "> task-by-kind", NULL},
    {"down", QUERIES, {0}, NULL, "> task-summary", NULL},
    {"left", TABLE, {"ll", "> efi"}, "F", "values of n", NULL},
    {"right", TABLE, {0}, "F", "values of n", NULL},
    {"page-up", QUERIES, {"G", "> idle-gaps"}, NULL, NULL, "> idle-gaps"},
    {"page-down", QUERIES, {0}, NULL, NULL, "> task-by-kind"},
    {"first", QUERIES, {"G", "> idle-gaps"}, NULL, "> task-by-kind", NULL},
    {"last", QUERIES, {0}, NULL, "> idle-gaps", NULL},
    {"next-pane", OVERVIEW, {0}, NULL, "> 1 Tasks by kind", NULL},
    {"previous-pane", OVERVIEW, {0}, NULL, "> worker0", NULL},
    {"mark-a", RUNS, {"j", "> B four-workers"}, NULL, "> A four-workers", NULL},
    {"mark-b", RUNS, {0}, NULL, "> B one-worker", NULL},
    {"sort-up", TABLE, {0}, NULL, "sort kind", NULL},
    {"sort-down", TABLE, {0}, NULL, "sort -kind", NULL},
    {"sort-add-up", TABLE, {"[l", "sort kind"}, NULL, "sort kind,n", NULL},
    {"sort-add-down", TABLE, {"[l", "sort kind"}, NULL, "sort kind,-n", NULL},
    {"filter", RUNS, {0}, "^one\r", "1 of 2 runs", NULL},
    {"filter", TABLE, {0}, "efi\r", "1 of 6 rows", NULL},
    {"filter", TIMELINE, {0}, "category = \"task\"\r", "filtered", NULL},
    {"unfilter", RUNS, {"&^one\r", "1 of 2 runs"}, NULL, NULL, "1 of 2 runs"},
    {"unfilter", TABLE, {"&efi\r", "1 of 6 rows"}, NULL, NULL, "1 of 6 rows"},
    {"scope-add", TABLE, {0}, NULL, "drop  < back", NULL},
    {"scope-add", SPANS, {0}, NULL, "scope  range ", NULL},
    {"scope-add", OVERVIEW, {0}, NULL, "drop  < back", NULL},
    {"scope-add", TIMELINE, {0}, NULL, "scope  lanes ", NULL},
    {"scope-cell", SPANS, {"lll", "> Spans"}, NULL, "scope  name = ", NULL},
    {"scope-drop", OVERVIEW, {"+", "drop  < back"}, NULL, NULL, "drop  < back"},
    {"scope-back", OVERVIEW, {"+", "drop  < back"}, NULL, NULL, "drop  < back"},
    {"scope-forth",
     OVERVIEW,
     {":scope range 1s ..\r", "range 1s ..", "<", "the whole run"},
     NULL,
     "drop  < back",
     NULL},
    {"zoom-in", TIMELINE, {0}, NULL, "0 ns .. 3.6", NULL},
    {"zoom-out", TIMELINE, {"w", "0 ns .. 3.6"}, NULL, NULL, "0 ns .. 3.6"},
    {"window-back", TIMELINE, {"w", "0 ns .. 3.6"}, NULL, NULL, "0 ns .. 3.6"},
    {"pan-left",
     TIMELINE,
     {"ww", "[", "G", "7.261 s of 7.261 s"},
     NULL,
     NULL,
     "7.261 s of 7.261 s"},
    {"pan-right", TIMELINE, {"ww", "["}, NULL, NULL, " 0 ns .. "},
    {"next-span", TIMELINE, {0}, NULL, "retrieve(0, 6)", NULL},
    {"previous-span", TIMELINE, {".", "retrieve(0, 6)"}, NULL, NULL, "retrieve(0, 6)"},
    {"next-cell", TIMELINE, {0}, NULL, "retrieve(0, 6)", NULL},
    {"previous-cell", TIMELINE, {"L", "retrieve(0, 6)"}, NULL, NULL, "retrieve(0, 6)"},
    {"next-flow", SPAN, {0}, NULL, "> output", NULL},
    {"next-flow", TIMELINE, {0}, NULL, "output 1 of 2", NULL},
    {"previous-flow", TIMELINE, {")", "output 1 of 2"}, NULL, "run 64.1 ms", NULL},
    {"fold", TIMELINE, {"k", ">▾fiab"}, NULL, ">▸fiab", NULL},
    {"fold-all", TIMELINE, {0}, NULL, "▾worker1", NULL},
    {"fit", TIMELINE, {".", "retrieve(0, 6)"}, NULL, NULL, " 0 ns .. 7.2"},
    {"mark-here", TIMELINE, {0}, NULL, "range begins here", NULL},
    {"idle", TIMELINE, {0}, NULL, "in this window", NULL},
    {"alike", TIMELINE, {0}, NULL, "nothing folds", NULL},
    {"area-lanes", TIMELINE, {0}, NULL, "mark a range first", NULL},
    {"colour", TIMELINE, {0}, NULL, "colour class", NULL},
    {"aggregate", TIMELINE, {0}, NULL, "  idle ", NULL},
    {"pair", DIFF, {0}, NULL, "from start", NULL},
    {"align", PAIR, {0}, NULL, "scaled", NULL},
    {"table", TIMELINE, {0}, NULL, "Timeline cells", NULL},
    {"overview", QUERIES, {0}, NULL, "> Overview", NULL},
    {"queries", OVERVIEW, {0}, NULL, "> Queries", NULL},
    {"timeline", OVERVIEW, {0}, NULL, "> Timeline", NULL},
    {"spans", OVERVIEW, {0}, NULL, "> Spans", NULL},
    {"plot", TABLE, {0}, NULL, "kind efi: 8.", NULL},
    {"plot", CHART, {0}, NULL, "scatter  6 of 6 rows", NULL},
    {"plot-x", CHART, {0}, NULL, "no other column for x", NULL},
    {"plot-y", CHART, {0}, NULL, "kind efi: 2.06 s", NULL},
    {"down", CHART, {0}, NULL, "kind sot: ", NULL},
    {"parameter", CHART, {0}, "y=n\r", "kind efi: 4", NULL},
    {"problems", OVERVIEW, {0}, NULL, "> Problems", NULL},
    {"sql", OVERVIEW, {0}, "SEL", "SQL> SEL", NULL},
    {"diff", RUNS, {0}, NULL, "the same question asked of", NULL},
    {"explain", RUNS, {0}, NULL, "> Explain", NULL},
    {"swap", RUNS, {0}, NULL, "> B one-worker", NULL},
    {"slowdown", PAIR, {0}, NULL, "twice or more", NULL},
    {"swap", PAIR, {0}, NULL, "four-workers | one-worker", NULL},
    {"delta", DIFF, {0}, NULL, "total_rel", NULL},
    {"frequency", RUNS, {0}, "\r", "values of format", NULL},
    {"frequency", TABLE, {0}, NULL, "values of kind", NULL},
    {"frequency", SPANS, {"lll", "> Spans"}, NULL, "Spans by name", NULL},
    {"pivot", TABLE, {0}, "n\r", "pivot kind by n", NULL},
    {"pivot", SPANS, {"lll", "> Spans"}, "host\r", "Spans: name by host", NULL},
    {"parameter", DIFF, {0}, "threshold=7%\r", "threshold=7%", NULL},
    {"mark-here", TABLE, {0}, NULL, "1 marked", NULL},
    {"next-marked", TABLE, {"jm", "1 marked", "g", "> efi"}, NULL, NULL, "> efi"},
    {"previous-marked", TABLE, {"jm", "1 marked", "G", "> concat"}, NULL, NULL, "> concat"},
    {"column-left", TABLE, {"l", "kind        n "}, NULL, NULL, "kind        n "},
    {"column-right", TABLE, {0}, NULL, NULL, "kind        n "},
    {"column-hide", TABLE, {0}, NULL, NULL, "kind        n "},
    {"columns-show", TABLE, {"z", ">  4"}, NULL, "kind        n ", NULL},
    {"whole-text", SPANS, {"lll", "> Spans"}, NULL, "d84285664a4aae96cd3be739", NULL},
    {"save", TABLE, {0}, NULL, ":save", NULL},
    {"show-sql", TABLE, {0}, NULL, "title: Tasks", NULL},
    {"edit-sql", TABLE, {0}, NULL, "Edited by sed", NULL},
    {"export", TABLE, {0}, NULL, "write to (", NULL},
    {"copy", TABLE, {0}, NULL, "copied", NULL},
    {"copy-row", TABLE, {0}, NULL, "copied", NULL},
    {"search", TABLE, {0}, "sot\r", "> sot", NULL},
    {"search", TIMELINE, {0}, "sot:\r", "'sot:': 1 of 8", NULL},
    {"search-next",
     QUERIES,
     {"/transfer\r", "> transfer-avoidable"},
     NULL,
     "> transfer-by-dataset",
     NULL},
    {"search-previous",
     QUERIES,
     {"/transfer\rn", "> transfer-by-dataset"},
     NULL,
     "> transfer-avoidable",
     NULL},
};
#define N_PRESSES (sizeof(presses) / sizeof(presses[0]))

#define COLUMNS 100
#define ROWS 30

static struct pty *
open_view(enum way way)
{
	char paths[2][300];
	const char *arguments[] = {paths[0], paths[1], NULL};
	struct pty *pty;

	snprintf(paths[0], sizeof(paths[0]), "%s/one-worker.lanes", explore_runs());
	snprintf(paths[1], sizeof(paths[1]), "%s/four-workers.lanes", explore_runs());
	pty = explore_with(COLUMNS, ROWS, arguments,
	                   "EDITOR=sed -i 's/title: .*/title: Edited by sed/'");
	ck_assert(pty_wait(pty, "> A one-worker"));
	for (size_t i = 0; i < 2 && ways[way].keys[i]; i++) {
		pty_send(pty, ways[way].keys[i]);
		ck_assert_msg(pty_wait(pty, ways[way].shows[i]), "no \"%s\"", ways[way].shows[i]);
	}
	return pty;
}

/* Leaving ends the program. */
static void
check_quit(const char *bytes)
{
	struct pty *pty = open_view(TABLE);

	pty_send(pty, bytes);
	explore_end(pty, 0);
}

/* What stands there already is sent once more. */
static void
check_redraw(const char *bytes)
{
	struct pty *pty = open_view(RUNS);
	size_t sent = pty_bytes(pty);

	pty_send(pty, bytes);
	ck_assert(pty_wait_sent(pty, sent, "four-workers"));
	explore_quit(pty);
}

/* A run file that came since is seen. */
static void
check_reload(const char *bytes)
{
	struct pty *pty = explore(COLUMNS, ROWS, NULL, NULL);
	char command[1000], path[400];

	ck_assert(pty_wait(pty, "3 runs"));
	snprintf(path, sizeof(path), "%s/came-since.lanes", explore_runs());
	snprintf(command, sizeof(command), "cp '%s/training.lanes' '%s'", explore_runs(), path);
	ck_assert_int_eq(system(command), 0);
	explore_press(pty, bytes, "4 runs");
	explore_quit(pty);
	unlink(path);
}

static void
check_press(const struct press *press, const char *bytes)
{
	struct pty *pty = open_view(press->way);

	for (size_t i = 0; i < 4 && press->before[i]; i += 2) {
		pty_send(pty, press->before[i]);
		ck_assert_msg(pty_wait(pty, press->before[i + 1]), "%s: no \"%s\"", press->command,
		              press->before[i + 1]);
	}
	ck_assert_msg(!press->shows || !pty_shows(pty, press->shows), "%s: \"%s\" is there before",
	              press->command, press->shows);
	ck_assert_msg(!press->gone || pty_shows(pty, press->gone), "%s: \"%s\" is not there before",
	              press->command, press->gone);
	pty_send(pty, bytes);
	if (press->after) {
		pty_send(pty, press->after);
	}
	if ((press->shows && !pty_wait(pty, press->shows)) ||
	    (press->gone && !pty_wait_gone(pty, press->gone))) {
		pty_dump(pty);
		ck_abort_msg("%s: no effect", press->command);
	}
	pty_free(pty);
}

START_TEST(each_key_does_what_the_table_says)
{
	static const struct {
		const char *command;
		void (*check)(const char *bytes);
	} others[] = {{"quit", check_quit}, {"redraw", check_redraw}, {"reload", check_reload}};
	const struct press *press = &presses[_i];
	const struct key_binding *binding = key_binding_find(slice_of(press->command));
	bool is_first = _i == 0 || strcmp(press->command, press[-1].command) != 0;
	void (*check)(const char *bytes) = NULL;

	ck_assert_msg(binding, "no command %s", press->command);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		check = strcmp(press->command, others[i].command) == 0 ? others[i].check : check;
	}
	for (size_t k = 0; k < KEYS_A_COMMAND && binding->keys[k] && (k == 0 || is_first); k++) {
		if (check) {
			check(script_bytes(binding->keys[k]));
		} else {
			check_press(press, script_bytes(binding->keys[k]));
		}
	}
}
END_TEST

/* What other terminals, multiplexers and modes send for the same keys; in one explorer, back in the
 * list of runs each time. */
START_TEST(keys_are_taken_in_all_their_spellings)
{
	static const struct {
		const char *from, *there, *bytes, *shows;
	} spellings[] = {
	    {"g", ">   four-workers", "\033[B", ">   one-worker"},
	    {"g", ">   four-workers", "\033OB", ">   one-worker"},
	    {"G", ">   training", "\033[A", ">   one-worker"},
	    {"G", ">   training", "\033OA", ">   one-worker"},
	    {"g", ">   four-workers", "\033[F", ">   training"},
	    {"g", ">   four-workers", "\033OF", ">   training"},
	    {"g", ">   four-workers", "\033[4~", ">   training"},
	    {"g", ">   four-workers", "\033[8~", ">   training"},
	    {"G", ">   training", "\033[H", ">   four-workers"},
	    {"G", ">   training", "\033OH", ">   four-workers"},
	    {"G", ">   training", "\033[1~", ">   four-workers"},
	    {"G", ">   training", "\033[7~", ">   four-workers"},
	    {"g", ">   four-workers", "\033[6~", ">   training"},
	    {"G", ">   training", "\033[5~", ">   four-workers"},
	    {"g", ">   four-workers", "\033OM", "four-workers > Overview"},
	    {"g", ">   four-workers", "\n", "four-workers > Overview"},
	    {"g", ">   four-workers", "\033OP", "In this view"},
	    {"g", ">   four-workers", "\033[11~", "In this view"},
	    {"g", ">   four-workers", "\033[[A", "In this view"},
	    {"i", "> Overview", "\177", "3 runs"},
	    {"i", "> Overview", "\b", "3 runs"},
	    {"/xyz", "/xyz", "\033[D\033OD\033[3~", "/xz"},
	    {"/xyz", "/xyz", "\033[H\033[3~", "/yz"},
	    {"/xyz", "/xyz", "\033[D\033OC\bw", "/xyw"},
	};
	struct pty *pty = explore(COLUMNS, ROWS, NULL, NULL);

	ck_assert(pty_wait(pty, "3 runs"));
	for (size_t i = 0; i < sizeof(spellings) / sizeof(spellings[0]); i++) {
		explore_press(pty, spellings[i].from, spellings[i].there);
		ck_assert(pty_wait_gone(pty, spellings[i].shows));
		explore_press(pty, spellings[i].bytes, spellings[i].shows);
		explore_press(pty, "\033", "T timeline");
		ck_assert(pty_wait(pty, "3 runs"));
	}
	explore_quit(pty);
}
END_TEST

/* As SGR sequences: button, column, row, from 1 on; M pressed, m released. */
START_TEST(the_mouse_is_a_key_too)
{
	struct pty *pty = explore(COLUMNS, ROWS, NULL, NULL);

	ck_assert(pty_wait(pty, ">   four-workers"));
	explore_press(pty, "M", "takes the mouse");
	explore_press(pty, "\033[<0;9;5M\033[<0;9;5m", ">   training");       /* click */
	explore_press(pty, "\033[<64;9;5M\033[<64;9;5M", ">   four-workers"); /* wheel up */
	explore_press(pty, "\033[<65;9;5M", ">   one-worker");                /* and down */
	explore_press(pty, "\033[<0;9;3M\033[<0;9;3m\033[<0;9;3M\033[<0;9;3m",
	              "> Overview"); /* twice */
	explore_press(pty, "T", "0 ns .. 7.26 s of");
	explore_press(pty, "www", "0 ns .. 9");
	explore_press(pty, "g", " 0 ns .. ");
	explore_press(pty, "\033[<0;80;7M\033[<32;60;7M\033[<32;50;7M\033[<0;50;7m",
	              "range 375 ms"); /* drag */
	explore_quit(pty);
}
END_TEST

/* SGR sequences of the first button and the wheel, at a column and a row from 1 on. */
#define PRESS(x, y) "\033[<0;" #x ";" #y "M"
#define RELEASE(x, y) "\033[<0;" #x ";" #y "m"
#define CLICK(x, y) PRESS(x, y) RELEASE(x, y)
#define DRAG(x, y) "\033[<32;" #x ";" #y "M"
#define WHEEL_UP(x, y) "\033[<64;" #x ";" #y "M"
#define WHEEL_DOWN(x, y) "\033[<65;" #x ";" #y "M"

/* What the mouse does is what these keys do: a timeline's cells begin in column 26, its rows in row
 * 5, the second being selected; other rows begin below their titles. What is in a range has its
 * first row in row 18; the columns of a result of one row stand below each other from row 2 on. */
#define RANGE "T g k L L m L L L m"
#define ONE_ROW "j ; 'SELECT 1 AS one, 2 AS two, 3 AS three' Enter"
static const struct mouse_way {
	const char *before, *bytes, *keys;
} mouse_ways[] = {
    {"T g", CLICK(31, 8), "L L L L L j j"},
    {"T g", CLICK(5, 9), "j j j"},
    {"T g k", CLICK(36, 25), "L L L L L L L L L L"},
    {"T g k", CLICK(36, 3), "L L L L L L L L L L"},
    {"T g k", PRESS(28, 5) DRAG(31, 5) RELEASE(31, 5), "L L m L L L m"},
    {"T g k", PRESS(31, 5) DRAG(30, 5) DRAG(28, 9) RELEASE(28, 9), "L L L L L m H H H m"},
    {"T g k", PRESS(28, 5) DRAG(31, 5) DRAG(9, 5) RELEASE(9, 5), "L L m L L L m"},
    {"T g k", PRESS(28, 3) DRAG(31, 5) RELEASE(31, 5), "L L"},
    {"T g k", WHEEL_UP(36, 20), "L L L L L L L L L L w"},
    {"T g k", WHEEL_UP(5, 9), "w"},
    {"T g k w w", WHEEL_DOWN(5, 9), "s"},
    {"T g k", CLICK(3, 5) CLICK(3, 5), "o"},
    {"T g :", CLICK(5, 9) "\033", "Esc"},
    {"j S \\", CLICK(9, 6), "j j j"},
    {"j S \\", CLICK(9, 1), ""},
    {"j S \\", CLICK(20, 2), "l ]"},
    {"j S \\ l ]", CLICK(20, 2), "["},
    {"j S \\", CLICK(28, 6) "]", "j j j l l ]"},
    {"j S \\", CLICK(9, 6) CLICK(9, 6), "j j j Enter"},
    {"j S \\", WHEEL_DOWN(9, 6) WHEEL_DOWN(9, 6), "j j j j j j"},
    {"j S \\ j j j j j", WHEEL_UP(9, 6), "k k k"},
    {"j i", CLICK(5, 11), "j j"},
    {"j i", CLICK(70, 12), "Tab j j j"},
    {"j i", CLICK(5, 11) CLICK(5, 11), "j j Enter"},
    {"j i", CLICK(70, 9) CLICK(70, 9), "Tab Enter"},
    {"j i", WHEEL_DOWN(5, 11) WHEEL_DOWN(5, 11) WHEEL_UP(5, 11), "j"},
    {"j i", WHEEL_DOWN(70, 11) "\r", "Enter"},
    {"j v Enter", CLICK(5, 4) CLICK(5, 4), "j Enter"},
    {RANGE, CLICK(9, 20), "Tab j j"},
    {RANGE, CLICK(9, 19) CLICK(9, 19), "Tab j Enter"},
    {RANGE, WHEEL_DOWN(9, 20) WHEEL_DOWN(9, 20), "Tab j j j j j j"},
    {RANGE " Tab j j j j", WHEEL_UP(9, 20), "k k k"},
    {RANGE, CLICK(9, 20) CLICK(5, 9) "j", "Tab j j Tab j j j j j"},
    {ONE_ROW, CLICK(5, 4), "j j"},
    {ONE_ROW, WHEEL_DOWN(5, 3), "j"},
    {ONE_ROW " j j", WHEEL_UP(5, 3), "k"},
    {ONE_ROW, CLICK(5, 20), ""},
    {"?", WHEEL_DOWN(5, 9) WHEEL_DOWN(5, 9), "j j"},
};

START_TEST(the_mouse_does_what_keys_do)
{
	const struct mouse_way *way = &mouse_ways[_i];
	struct pty *pty = explore(COLUMNS, ROWS, NULL, NULL);
	char keys[100], *screen;

	ck_assert(pty_wait(pty, "3 runs"));
	explore_press(pty, "M", "takes the mouse");
	script_follow(pty, NULL, COLUMNS, ROWS, "", way->before);
	pty_send(pty, way->bytes);
	snprintf(keys, sizeof(keys), "%s %s", way->before, way->keys);
	screen = script_screen(NULL, COLUMNS, ROWS, keys);
	ck_assert_msg(pty_wait_screen(pty, screen), "the mouse after %s is not %s", way->before,
	              way->keys);
	free(screen);
	explore_quit(pty);
}
END_TEST

START_TEST(no_command_is_missing)
{
	size_t n;
	const struct key_binding *bindings = key_bindings();

	for (n = 0; bindings[n].name; n++) {
	}
	for (size_t i = 0; i < n; i++) {
		size_t k = 0;

		while (k < N_PRESSES && strcmp(presses[k].command, bindings[i].name) != 0) {
			k++;
		}
		ck_assert_msg(k < N_PRESSES, "no key of %s is pressed", bindings[i].name);
	}
}
END_TEST

static void
add(void *tests)
{
	tcase_add_test(tests, no_command_is_missing);
	tcase_add_test(tests, keys_are_taken_in_all_their_spellings);
	tcase_add_test(tests, the_mouse_is_a_key_too);
	tcase_add_loop_test(tests, the_mouse_does_what_keys_do, 0,
	                    (int)(sizeof(mouse_ways) / sizeof(mouse_ways[0])));
	tcase_add_loop_test(tests, each_key_does_what_the_table_says, 0, (int)N_PRESSES);
}

int
main(void)
{
	return explore_main("keys", add);
}
