/* The tour: it comes with the demo, is walked a key at a time, ended, begun again, and leaves small
 * screens alone. */
#include "config.h"

#include <stdio.h>
#include <unistd.h>

#include "tests/pty/explore.h"
#include "tests/unit/unit.h"

static const char *
state(void)
{
	static char path[300];

	snprintf(path, sizeof path, "%s/state/lanescope/tour", explore_folder());
	return path;
}

static struct pty *
demo(int columns, int rows, const char *variable)
{
	static const char *const arguments[] = {"demo", NULL};

	return explore_with(columns, rows, arguments, variable);
}

/* Each step's line names the key that is pressed next, whole on a screen of 80 columns. */
static const struct {
	const char *line, *key, *then;
} walk[] = {
    {"Tour 1/11  A makes this run A of a comparison ", "A", "A one-worker"},
    {"Tour 2/11  j goes to the next run ", "j", "4 workers on 1 host"},
    {"Tour 3/11  B makes this one B ", "B", "B four-workers"},
    {"Tour 4/11  X says why B was faster or slower than A ", "X", "4 lanes instead of 1"},
    {"Tour 5/11  Enter leads on from any row: here to the evidence ", "\r",
     "> Busy and idle lanes"},
    {"Tour 6/11  T shows when: B's lanes over time ", "T", "four-workers > Timeline"},
    {"Tour 7/11  w zooms in around the cursor ", "w", "0 ns .. 3.6"},
    {"Tour 8/11  . walks from span to span of a lane ", ".", "retrieve(0, 6)"},
    {"Tour 9/11  v lists the questions that fit this run ", "v", "four-workers > Queries"},
    {"Tour 10/11  Enter asks the one under the cursor ", "\r", "> Tasks by kind"},
    {"Tour 11/11  ? lists all keys; :tour begins the tour again ", "?", "In this view"},
};

START_TEST(it_is_walked_to_its_end_a_key_at_a_time)
{
	struct pty *pty;

	(void)unlink(state());
	pty = demo(80, 24, NULL);
	ck_assert(pty_wait(pty, "Tour 1/11"));
	explore_quit(pty);
	ck_assert_int_eq(access(state(), F_OK), -1); /* left is not walked */
	pty = demo(80, 24, NULL);
	for (size_t i = 0; i < sizeof walk / sizeof walk[0]; i++) {
		ck_assert_msg(pty_wait(pty, walk[i].line), "%s", walk[i].line);
		pty_send(pty, walk[i].key);
		ck_assert_msg(pty_wait(pty, walk[i].then), "%s", walk[i].then);
	}
	ck_assert(pty_wait_gone(pty, "Tour"));
	ck_assert_int_eq(access(state(), F_OK), 0);
	explore_quit(pty);
	pty = demo(80, 24, NULL); /* seen */
	ck_assert(pty_wait(pty, "12 runs"));
	ck_assert(!pty_shows(pty, "Tour"));
	explore_press(pty, ":tour\r", "Tour 1/11");
	explore_press(pty, "A", "Tour 2/11");
	explore_press(pty, ":tour\r", "Tour 1/11");
	explore_quit(pty);
}
END_TEST

START_TEST(it_is_ended_for_good)
{
	struct pty *pty;

	(void)unlink(state());
	pty = demo(80, 24, NULL);
	ck_assert(pty_wait(pty, "Tour 1/11"));
	pty_send(pty, "\x14"); /* ^T */
	ck_assert(pty_wait_gone(pty, "Tour"));
	explore_quit(pty);
	ck_assert_int_eq(access(state(), F_OK), 0);
	pty = demo(80, 24, NULL);
	ck_assert(pty_wait(pty, "12 runs"));
	ck_assert(!pty_shows(pty, "Tour"));
	explore_quit(pty);
}
END_TEST

/* Other runs than the demo's: only if it is asked for. */
START_TEST(it_does_not_come_by_itself)
{
	struct pty *pty;

	(void)unlink(state());
	pty = explore(80, 24, NULL, NULL);
	ck_assert(pty_wait(pty, "3 runs"));
	ck_assert(!pty_shows(pty, "Tour"));
	explore_press(pty, "T", "> Timeline");
	explore_press(pty, ":tour\r", "Tour 1/11  A in the list of runs makes this run");
	explore_quit(pty);
}
END_TEST

START_TEST(a_step_waits_for_its_key_in_its_view)
{
	struct pty *pty;

	(void)unlink(state());
	pty = demo(80, 24, NULL);
	explore_press(pty, "j", "Tour 1/11"); /* the second step's */
	explore_press(pty, "k", "Tour 1/11");
	explore_press(pty, "T", "A in the list of runs makes this run A");
	explore_press(pty, "q", "12 runs");
	explore_press(pty, "A", "Tour 2/11");
	explore_press(pty, "jBX", "Tour 5/11");
	explore_quit(pty);
	ck_assert_int_eq(access(state(), F_OK), -1);
}
END_TEST

START_TEST(what_fails_does_not_lead_on)
{
	struct pty *pty = explore(80, 24, NULL, NULL);

	explore_press(pty, ":tour\r", "Tour 1/11");
	explore_press(pty, "A", "Tour 2/11");
	explore_press(pty, "j", "Tour 3/11");
	explore_press(pty, "B", "Tour 4/11");
	explore_press(pty, "AX", "mark"); /* only one run is marked now */
	explore_press(pty, "k", "Tour 4/11");
	explore_quit(pty);
}
END_TEST

START_TEST(small_screens_are_left_alone)
{
	static const struct {
		int columns, rows;
		bool is_shown;
	} sizes[] = {{59, 24, false}, {60, 16, true},   {80, 15, false}, {40, 10, false},
	             {80, 24, true},  {300, 100, true}, {1, 1, false},   {80, 24, true}};
	struct pty *pty;

	(void)unlink(state());
	pty = demo(80, 24, NULL);
	ck_assert(pty_wait(pty, "Tour 1/11"));
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
		pty_resize(pty, sizes[i].columns, sizes[i].rows);
		if (sizes[i].is_shown) {
			ck_assert_msg(pty_wait(pty, "^T ends the tour"), "%zu", i);
			ck_assert_msg(pty_wait(pty, "Enter open"), "%zu", i);
		} else {
			ck_assert_msg(pty_wait_gone(pty, "Tour"), "%zu", i);
		}
		if (sizes[i].columns > 1) { /* nothing that is needed gives way */
			ck_assert_msg(pty_wait(pty, "one-worker"), "%zu", i);
		}
	}
	pty_resize(pty, 40, 10);
	ck_assert(pty_wait_gone(pty, "Tour"));
	pty_send(pty, "A"); /* it leads on all the same */
	pty_resize(pty, 80, 24);
	ck_assert(pty_wait(pty, "Tour 2/11"));
	explore_quit(pty);
}
END_TEST

static void
add(void *tests)
{
	tcase_add_test(tests, it_is_walked_to_its_end_a_key_at_a_time);
	tcase_add_test(tests, it_is_ended_for_good);
	tcase_add_test(tests, it_does_not_come_by_itself);
	tcase_add_test(tests, a_step_waits_for_its_key_in_its_view);
	tcase_add_test(tests, what_fails_does_not_lead_on);
	tcase_add_test(tests, small_screens_are_left_alone);
}

int
main(void)
{
	return explore_main("tour", add);
}
