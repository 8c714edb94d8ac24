/*
 * Run files that change under an open explorer: cut in half, overwritten, replaced, grown, removed.
 * Each view that is asked again says so, and all ways out of it still lead somewhere.
 */
#include "config.h"

#include <string.h>

#include "tests/pty/script.h"
#include "tests/unit/unit.h"

#define COLUMNS 160 /* messages on one row */
#define ROWS 30

static const struct harm {
	const char *command; /* on "$f" */
	const char *says;    /* after R */
	const char *of_next; /* or this, of a second run, for which the file is opened anew */
} harms[] = {
    {"truncate -s $(($(stat -c %s \"$f\") / 2)) \"$f\"", "changed", "is damaged"},
    {"echo rubbish >\"$f\"", "changed", "is not a run file"},
    {": >\"$f\"", "changed", "is empty"},
    {"echo more >>\"$f\"", "changed", "is damaged"},
    {"cp \"$r/training.lanes\" \"$f.new\" && mv \"$f.new\" \"$f\"", "changed", "changed"},
    {"rm \"$f\"", "no longer there", "No such file"},
};
#define N_HARMS (sizeof(harms) / sizeof(harms[0]))

/* A folder of two runs of their own. */
static void
copy_runs(char path[400])
{
	char command[1400];

	snprintf(path, 400, "%s/damage", explore_folder());
	snprintf(
	    command, sizeof(command),
	    "rm -rf '%s' && mkdir '%s' && cp '%s/four-workers.lanes' '%s/one-worker.lanes' '%s'",
	    path, path, explore_runs(), explore_runs(), path);
	ck_assert_int_eq(system(command), 0);
}

static void
harm_runs(const char *path, const char *harm)
{
	char command[1400];

	snprintf(command, sizeof(command), "r='%s'; for f in '%s'/*.lanes; do %s; done",
	         explore_runs(), path, harm);
	ck_assert_int_eq(system(command), 0);
}

/* Whether the view reads run files again when asked to. */
static bool
reads_again(const struct script_view *view)
{
	static const char *const others[] = {"runs", "queries", "text", "help", "choices"};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		if (strcmp(view->name, others[i]) == 0) {
			return false;
		}
	}
	return true;
}

/* Waits until keys were taken, whatever they did: for the prompt that comes after them. */
static void
check_alive(struct pty *pty, const char *keys, int step)
{
	char text[40];

	script_press(pty, keys);
	snprintf(text, sizeof(text), ":alive%d", step);
	pty_send(pty, text);
	ck_assert_msg(pty_wait(pty, text), "%s", keys);
	script_press(pty, "^C");
}

static bool
says(struct pty *pty, const void *user)
{
	const struct harm *harm = user;

	return pty_shows(pty, harm->says) || pty_shows(pty, harm->of_next);
}

/* Two harms a view, each harm in some views. */
START_TEST(runs_that_change_while_open_are_said)
{
	static const char *const ways[] = {"R Enter",     "T w l .", "v Enter", "S G g / 'e' Enter",
	                                   "i Tab Enter", "X Enter", "| R"};
	const struct script_view *view = &script_views[_i / 2];
	const struct harm *harm = &harms[(size_t)(_i / 2 + _i % 2 * 3) % N_HARMS];
	char path[400];
	struct pty *pty;

	copy_runs(path);
	pty = explore(COLUMNS, ROWS, path, NULL);
	script_follow(pty, path, COLUMNS, ROWS, "", view->script);
	harm_runs(path, harm->command);
	script_press(pty, "R");
	if (reads_again(view) && !pty_wait_until(pty, says, harm)) {
		pty_dump(pty);
		ck_abort_msg("%s: %s", view->name, harm->command);
	}
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		check_alive(pty, ways[i], (int)i);
	}
	explore_quit(pty);
}
END_TEST

static void
add(void *tests)
{
	tcase_add_loop_test(tests, runs_that_change_while_open_are_said, 0,
	                    2 * (int)script_n_views);
}

int
main(void)
{
	return explore_main("damage", add);
}
