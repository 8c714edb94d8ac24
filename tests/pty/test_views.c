/* Runs, overview, spans and one span on a terminal; traces imported while the explorer is open. */
#include "config.h"

#include <dirent.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/pty/explore.h"
#include "tests/unit/unit.h"

/* A file of the folder of runs whose name begins so. */
static const char *
run_file(const char *prefix)
{
	static char path[600];
	DIR *folder = opendir(explore_runs());
	struct dirent *entry;

	ck_assert_ptr_nonnull(folder);
	path[0] = '\0';
	while ((entry = readdir(folder)) != NULL) {
		if (strncmp(entry->d_name, prefix, strlen(prefix)) == 0) {
			snprintf(path, sizeof(path), "%s/%s", explore_runs(), entry->d_name);
		}
	}
	closedir(folder);
	ck_assert_msg(path[0] != '\0', "no run %s*", prefix);
	return path;
}

START_TEST(runs_are_marked_swapped_and_found)
{
	struct pty *pty = explore(100, 24, NULL, NULL);

	ck_assert(pty_wait(pty, "3 runs"));
	explore_press(pty, "A", "   A ");
	explore_press(pty, "jB", "   B ");
	explore_press(pty, "x", "> A ");
	explore_press(pty, "D", "the same question asked of");
	explore_press(pty, "\r", "total_delta");
	explore_press(pty, "%", "total_rel");
	explore_press(pty, ":threshold 99%\r", "threshold=99%");
	explore_press(pty, "qq/training\r", ">   training");
	explore_press(pty, "n/nosuch\rn", "nothing matches nosuch");
	pty_send(pty, "\033");
	ck_assert(pty_wait_gone(pty, "   A "));
	explore_press(pty, "y", "copied");
	explore_quit(pty);
}
END_TEST

START_TEST(keys_lead_from_the_list_into_the_selected_run)
{
	static const struct {
		const char *key, *shows;
	} ways[] = {{"\r", "> Overview"}, {"i", "> Overview"}, {"v", "> Queries"},
	            {"T", "> Timeline"},  {"S", "> Spans"},    {"\x10", "> Problems"}};
	struct pty *pty = explore(100, 30, NULL, NULL);

	ck_assert(pty_wait(pty, "3 runs"));
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		pty_send(pty, ways[i].key);
		ck_assert_msg(pty_wait(pty, ways[i].shows), "%s", ways[i].shows);
		explore_press(pty, "q", "3 runs");
	}
	pty_send(pty, "G");
	explore_press(pty, ";SELECT count(*) AS spans_there FROM span\r", "spans_there");
	explore_quit(pty);
}
END_TEST

START_TEST(files_that_come_go_or_break_are_seen_by_R)
{
	struct pty *pty = explore(100, 24, NULL, NULL);
	char command[1600], path[700];

	snprintf(path, sizeof(path), "%s/later.lanes", explore_runs());
	ck_assert(pty_wait(pty, "3 runs"));
	snprintf(command, sizeof(command), "head -c 5000 '%s' >'%s'", run_file("training"), path);
	ck_assert_int_eq(system(command), 0);
	explore_press(pty, "R", "is damaged");
	ck_assert(pty_wait(pty, "4 runs"));
	ck_assert_int_eq(unlink(path), 0);
	explore_press(pty, "R", "3 runs");
	ck_assert(pty_wait_gone(pty, "is damaged"));
	explore_quit(pty);
}
END_TEST

/* What a view has nothing to show for stays on the screen when the message is gone. */
START_TEST(a_view_of_a_run_that_breaks_says_why_it_is_empty)
{
	char command[1600], path[700];
	struct pty *pty;

	snprintf(path, sizeof(path), "%s/breaks.lanes", explore_folder());
	snprintf(command, sizeof(command), "cp '%s' '%s'", run_file("training"), path);
	ck_assert_int_eq(system(command), 0);
	pty = explore(100, 24, path, NULL);
	ck_assert(pty_wait(pty, "questions for this run"));
	ck_assert_int_eq(truncate(path, 5000), 0);
	for (const char *key = "TS"; *key; key++) {
		const char keys[] = {*key, '\0'};

		explore_press(pty, keys, "breaks.lanes");
		explore_press(pty, "\x0c", "q back"); /* the keys again, in the message's place */
		ck_assert(pty_wait(pty, "breaks.lanes"));
		explore_press(pty, "q", "questions for this run");
	}
	explore_quit(pty);
	ck_assert_int_eq(unlink(path), 0);
}
END_TEST

START_TEST(an_overview_leads_on_from_all_its_lists)
{
	struct pty *pty = explore(100, 40, run_file("four"), NULL);

	ck_assert(pty_wait(pty, "> Overview"));
	ck_assert(pty_wait(pty, "where the time goes"));
	ck_assert(pty_wait(pty, "questions for this run"));
	pty_send(pty, "\r"); /* the first name */
	ck_assert(pty_wait(pty, "filter  category = 'task' AND arg.kind = "));
	pty_send(pty, "q\t\r"); /* the first question */
	ck_assert(pty_wait(pty, "Tasks by kind"));
	explore_press(pty, "q2", "Where task time goes");
	pty_send(pty, "q\t\r"); /* the first lane */
	ck_assert(pty_wait(pty, "> Timeline"));
	explore_press(pty, "qS", "filter  lane = ");
	explore_press(pty, "q\x1b[Z/Problems\r",
	              "> "); /* back in the questions, which the search goes through */
	explore_press(pty, "nNy", "copied");
	explore_press(pty, "R\x10", "no problems: all");
	explore_quit(pty);
}
END_TEST

START_TEST(spans_are_scrolled_sorted_filtered_and_left)
{
	struct pty *pty = explore(100, 24, run_file("training"), NULL);

	ck_assert(pty_wait(pty, "questions for this run"));
	explore_press(pty, "\t\tS", "1 of ");
	ck_assert(pty_wait(pty, "filter  host = "));
	pty_send(pty, "\\");
	ck_assert(pty_wait_gone(pty, "filter  host = "));
	explore_press(pty, "Gk", "mean ");
	explore_press(pty, "gl]", "sort -duration");
	explore_press(pty, "[", "sort duration");
	pty_send(pty, ":jump 50%\r");
	ck_assert(pty_wait_gone(pty, " 1 of "));
	explore_press(pty, ":sort lane_name\r", "sort lane_name");
	explore_press(pty, ":sort nonsense\r", "found nonsense");
	explore_press(pty, "&duration > 1us\r", "filter  duration > 1us");
	explore_press(pty, "&(\r", "(");
	pty_send(pty, "\x1b");
	ck_assert(pty_wait_gone(pty, "filter  duration"));
	explore_press(pty, "y", "copied");
	explore_press(pty, "Y", "copied");
	explore_press(pty, "/read\r", "read");
	pty_send(pty, "nN"); /* what they find comes later, and has its word to say */
	explore_press(pty, "T", "> Timeline");
	explore_press(pty, "q\r", "> Span ");
	ck_assert(pty_wait(pty, "of its name"));
	explore_press(pty, ")", "no outputs of this span are known");
	explore_press(pty, "/duration\rY", "copied");
	explore_press(pty, "S", "filter  name = ");
	explore_quit(pty);
}
END_TEST

/* The screen of the spans of a trace with these events. */
static char *
spans_screen(const char *events)
{
	char path[300], arguments[900];
	FILE *file;

	snprintf(path, sizeof(path), "%s/open.json", explore_folder());
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	fputs(events, file);
	ck_assert_int_eq(fclose(file), 0);
	snprintf(arguments, sizeof(arguments), "import --force -o %s/open.lanes %s 2>/dev/null",
	         explore_folder(), path);
	free(explore_output(arguments));
	snprintf(path, sizeof(path), "%s/keys", explore_folder());
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	fputs("100x12 S", file);
	ck_assert_int_eq(fclose(file), 0);
	snprintf(arguments, sizeof(arguments), "--keys %s %s/open.lanes", path, explore_folder());
	return explore_output(arguments);
}

START_TEST(unfinished_spans_are_marked)
{
	char *screen = spans_screen(
	    "[{\"ph\":\"B\",\"pid\":1,\"tid\":1,\"ts\":0,\"name\":\"hangs\"},"
	    "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":5,\"dur\":4,\"name\":\"ends\"}]");

	ck_assert_msg(strstr(screen, "hangs") && strstr(screen, "unfinished"), "%s", screen);
	free(screen);
	screen = spans_screen("[{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":5,\"dur\":4,"
	                      "\"name\":\"ends\"}]");
	ck_assert_msg(strstr(screen, "ends") && !strstr(screen, "unfinished"), "%s", screen);
	free(screen);
}
END_TEST

START_TEST(the_mouse_selects_and_opens_in_every_list)
{
	struct pty *pty = explore(100, 40, run_file("training"), NULL);

	ck_assert(pty_wait(pty, "questions for this run"));
	explore_press(pty, "M", "lanescope takes the mouse");
	pty_send(pty, "\x1b[<0;80;14M\x1b[<0;80;14m"); /* a question */
	ck_assert(pty_wait_gone(pty, "lanescope takes the mouse"));
	pty_send(pty, "\r");
	ck_assert(pty_wait_gone(pty, "> Overview"));
	explore_press(pty, "qS", "1 of ");
	explore_press(pty, "\x1b[<0;20;6M\x1b[<0;20;6m", "4 of ");
	explore_press(pty, "\x1b[<65;20;6M\x1b[<65;20;6m", "7 of ");
	pty_send(pty, "\x1b[<0;20;2M\x1b[<0;20;2m"); /* a title: sorts */
	ck_assert(pty_wait(pty, "sort -"));
	explore_press(pty, "\r", "> Span ");
	explore_press(pty, "\x1b[<0;20;5M\x1b[<0;20;5m", "> ");
	explore_quit(pty);
}
END_TEST

START_TEST(no_size_is_too_small_or_too_large)
{
	static const struct {
		const char *keys, *shows;
	} views[] = {{"", "questions for this run"},
	             {"\r", " of 4 spans"},
	             {"\r", "four-workers > Span "},
	             {"S", "filter  name = "},
	             {"\r", "four-workers > Span "},
	             {":help record\r", "lanescope-record"},
	             {":help task-times\r", "Task life cycles"},
	             {"?", "In this view"}};
	struct pty *pty = explore(80, 24, run_file("four"), NULL);

	ck_assert(pty_wait(pty, "questions for this run"));
	for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++) {
		pty_send(pty, views[i].keys);
		ck_assert_msg(pty_wait(pty, views[i].shows), "%s", views[i].shows);
		for (int side = 1; side < 60; side += 7) {
			pty_resize(pty, side * 3, side);
		}
		pty_resize(pty, 1, 1);
		pty_resize(pty, 300, 100);
		pty_resize(pty, 80, 24);
		ck_assert_msg(pty_wait(pty, views[i].shows), "%s, resized", views[i].shows);
	}
	explore_quit(pty);
}
END_TEST

START_TEST(the_manual_is_completed_opened_and_searched)
{
	struct pty *pty = explore(80, 24, run_file("four"), NULL);

	ck_assert(pty_wait(pty, "questions for this run"));
	explore_press(pty, ":help transfer-avoid\t", ":help transfer-avoidable");
	explore_press(pty, "\r", "lanescope query transfer-avoidable");
	explore_press(pty, "q:help record\r/ftime-trace\r", "clang++ -ftime-trace -c hello.cc");
	pty_resize(pty, 40, 10); /* the same part of it, in narrower lines */
	ck_assert(pty_wait(pty, "clang"));
	explore_press(pty, ":help makspan\r", "no word \"makspan\"");
	pty_resize(pty, 80, 24);
	explore_press(pty, ":help contents\r", "how to get a trace from each");
	explore_press(pty, "?", "In this view");
	explore_press(pty, "qqq", "questions for this run");
	explore_quit(pty);
}
END_TEST

/* ---- imports ---- */

/* A cascade trace that takes a while: the demo's own records, many times. */
static const char *
large_trace(void)
{
	static char path[600];
	FILE *file;

	snprintf(path, sizeof(path), "%s/large.pfw", explore_folder());
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	fputs("[\n", file);
	for (int i = 0; i < 1500000; i++) {
		fprintf(file,
		        "{\"id\":%d,\"name\":\"read\",\"cat\":\"POSIX\",\"pid\":%d,\"tid\":%d,"
		        "\"ts\":%d,"
		        "\"dur\":5,\"ph\":\"X\",\"args\":{\"fname\":\"/a/b%d\",\"size\":%d}}\n",
		        i, i % 7, i % 7, 1000 + i * 10, i % 100, i);
	}
	ck_assert_int_eq(fclose(file), 0);
	return path;
}

/* Files below the cache's folder of runs. */
static int
count_cached(void)
{
	char command[700], line[32] = "";
	FILE *pipe;

	snprintf(command, sizeof(command), "find '%s/cache/lanescope/runs' -mindepth 1 | wc -l",
	         explore_folder());
	pipe = popen(command, "r");
	ck_assert_ptr_nonnull(pipe);
	ck_assert_ptr_nonnull(fgets(line, sizeof(line), pipe));
	pclose(pipe);
	return atoi(line);
}

START_TEST(an_import_runs_stops_goes_on_and_leaves_no_litter)
{
	const char *arguments[] = {large_trace(), NULL};
	struct pty *pty = explore_with(100, 12, arguments, NULL);

	ck_assert(pty_wait(pty, "importing"));
	ck_assert(pty_wait(pty, "1 to import"));
	explore_press(pty, "\r", "large, read so far");
	ck_assert(pty_wait(pty, " records read so far, at most "));
	explore_press(pty, "q", "1 to import");
	explore_press(pty, "\x1b", "R begins again");
	explore_press(pty, "\r", "stopped: of what was read until then");
	explore_press(pty, "q", "1 to import");
	explore_press(pty, "R", "importing");
	explore_press(pty, "q", "an import is running: leave? y/n");
	explore_press(pty, "n", "importing");
	ck_assert(pty_wait_gone(pty, "leave?"));
	explore_press(pty, "q", "leave? y/n");
	pty_send(pty, "y"); /* in the middle of it */
	explore_end(pty, 0);
	ck_assert_int_eq(count_cached(), 0);

	pty = explore_with(100, 12, arguments, NULL);
	ck_assert(pty_wait(pty, "importing"));
	pty_send(pty, "Q"); /* asks nothing */
	explore_end(pty, 0);
	ck_assert_int_eq(count_cached(), 0);

	pty = explore_with(100, 12, arguments, NULL);
	ck_assert(pty_wait(pty, "importing"));
	pty_signal(pty, SIGTERM);
	ck_assert_int_eq(pty_end(pty), 143);
	ck_assert(pty_on_main_screen(pty));
	pty_free(pty);
	ck_assert_int_eq(count_cached(), 0);

	pty = explore_with(100, 12, arguments, NULL);
	ck_assert(pty_wait(pty, "importing"));
	explore_press(pty, "\r", "large, read so far");
	ck_assert(pty_wait(pty, "large > Overview")); /* the only run opens by itself */
	explore_press(pty, "q", "large, read so far");
	ck_assert(pty_wait(pty, "1.50 M")); /* all of it, in the end */
	ck_assert(pty_wait(pty, "all was read: Enter lists a row's spans in the run"));
	explore_press(pty, "\r", "filter  name = 'read'");
	explore_quit(pty);
	ck_assert_int_eq(count_cached(), 2); /* a folder and the run file */
	pty = explore_with(100, 12, arguments, NULL);
	ck_assert(pty_wait(pty, "large > Overview")); /* from the cache */
	explore_quit(pty);
}
END_TEST

/* Who goes on before an overview or spans are there gets what he asked for when they are. */
START_TEST(keys_before_the_answer_count)
{
	static const struct {
		const char *keys, *shows;
	} cases[] = {
	    {"ji\r", "filter  category = 'task' AND arg.kind = 'efi'"},
	    {"ji\033[B\r", "filter  category = 'task' AND arg.kind = 'sot'"},
	    {"ji\033[B\033[B\033[A\r", "filter  category = 'task' AND arg.kind = 'sot'"},
	    {"ji\t\r", "> Tasks by kind"},
	    {"ji\033[Z\r", "> Timeline"},
	    {"ji2", "> Where task time goes"},
	    {"jS\r", "of its name"},
	    {"jST", "> Timeline"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pty *pty = explore(100, 30, NULL, NULL);

		ck_assert(pty_wait(pty, "3 runs"));
		explore_press(pty, cases[i].keys, cases[i].shows);
		explore_quit(pty);
	}
}
END_TEST

static void
add(void *tests)
{
	tcase_add_test(tests, runs_are_marked_swapped_and_found);
	tcase_add_test(tests, keys_lead_from_the_list_into_the_selected_run);
	tcase_add_test(tests, files_that_come_go_or_break_are_seen_by_R);
	tcase_add_test(tests, a_view_of_a_run_that_breaks_says_why_it_is_empty);
	tcase_add_test(tests, an_overview_leads_on_from_all_its_lists);
	tcase_add_test(tests, spans_are_scrolled_sorted_filtered_and_left);
	tcase_add_test(tests, unfinished_spans_are_marked);
	tcase_add_test(tests, the_mouse_selects_and_opens_in_every_list);
	tcase_add_test(tests, no_size_is_too_small_or_too_large);
	tcase_add_test(tests, the_manual_is_completed_opened_and_searched);
	tcase_add_test(tests, keys_before_the_answer_count);
	tcase_add_test(tests, an_import_runs_stops_goes_on_and_leaves_no_litter);
}

int
main(void)
{
	return explore_main("views", add);
}
