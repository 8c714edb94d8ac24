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
	pty_send(pty, "a");
	ck_assert(pty_wait(pty, "   A "));
	pty_send(pty, "jb");
	ck_assert(pty_wait(pty, "   B "));
	pty_send(pty, "x");
	ck_assert(pty_wait(pty, "> A "));
	pty_send(pty, "D");
	ck_assert(pty_wait(pty, "the same question asked of"));
	pty_send(pty, "\r");
	ck_assert(pty_wait(pty, "total_delta"));
	pty_send(pty, "%");
	ck_assert(pty_wait(pty, "total_rel"));
	pty_send(pty, ":threshold 99%\r");
	ck_assert(pty_wait(pty, "threshold=99%"));
	pty_send(pty, "qq/training\r");
	ck_assert(pty_wait(pty, ">   training"));
	pty_send(pty, "n/nosuch\rn");
	ck_assert(pty_wait(pty, "not found: nosuch"));
	pty_send(pty, "aa");
	ck_assert(pty_wait_gone(pty, "   A "));
	pty_send(pty, "y");
	ck_assert(pty_wait(pty, "copied"));
	pty_send(pty, "Q");
	explore_end(pty, 0);
}
END_TEST

START_TEST(keys_lead_from_the_list_into_the_selected_run)
{
	static const struct {
		const char *key, *shows;
	} ways[] = {{"\r", "> Overview"}, {"i", "> Overview"}, {"v", "> Queries"},
	            {"T", "> Timeline"},  {"S", "> Spans"},    {"P", "> Problems"}};
	struct pty *pty = explore(100, 30, NULL, NULL);

	ck_assert(pty_wait(pty, "3 runs"));
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		pty_send(pty, ways[i].key);
		ck_assert_msg(pty_wait(pty, ways[i].shows), "%s", ways[i].shows);
		pty_send(pty, "q");
		ck_assert(pty_wait(pty, "3 runs"));
	}
	pty_send(pty, "G");
	pty_send(pty, ";SELECT count(*) AS spans_there FROM span\r");
	ck_assert(pty_wait(pty, "spans_there"));
	pty_send(pty, "Q");
	explore_end(pty, 0);
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
	pty_send(pty, "R");
	ck_assert(pty_wait(pty, "is damaged"));
	ck_assert(pty_wait(pty, "4 runs"));
	ck_assert_int_eq(unlink(path), 0);
	pty_send(pty, "R");
	ck_assert(pty_wait(pty, "3 runs"));
	ck_assert(pty_wait_gone(pty, "is damaged"));
	pty_send(pty, "Q");
	explore_end(pty, 0);
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
	pty_send(pty, "q2");
	ck_assert(pty_wait(pty, "Where task time goes"));
	pty_send(pty, "q\t\r"); /* the first lane */
	ck_assert(pty_wait(pty, "> Timeline"));
	pty_send(pty, "qS");
	ck_assert(pty_wait(pty, "filter  lane = "));
	pty_send(pty, "q\x1b[Z/Problems\r");
	ck_assert(pty_wait(pty, "> ")); /* back in the questions, which the search goes through */
	pty_send(pty, "nNy");
	ck_assert(pty_wait(pty, "copied"));
	pty_send(pty, "RP");
	ck_assert(pty_wait(pty, "no problems: all"));
	pty_send(pty, "Q");
	explore_end(pty, 0);
}
END_TEST

START_TEST(spans_are_scrolled_sorted_filtered_and_left)
{
	struct pty *pty = explore(100, 24, run_file("training"), NULL);

	ck_assert(pty_wait(pty, "questions for this run"));
	pty_send(pty, "\t\tS");
	ck_assert(pty_wait(pty, "1 of "));
	ck_assert(pty_wait(pty, "filter  host = "));
	pty_send(pty, "\\");
	ck_assert(pty_wait_gone(pty, "filter  host = "));
	pty_send(pty, "Gk");
	ck_assert(pty_wait(pty, "mean "));
	pty_send(pty, "gl]");
	ck_assert(pty_wait(pty, "sort -duration"));
	pty_send(pty, "[");
	ck_assert(pty_wait(pty, "sort duration"));
	pty_send(pty, ":jump 50%\r");
	ck_assert(pty_wait_gone(pty, " 1 of "));
	pty_send(pty, ":sort lane_name\r");
	ck_assert(pty_wait(pty, "sort lane_name"));
	pty_send(pty, ":sort nonsense\r");
	ck_assert(pty_wait(pty, "can't be sorted by 'nonsense'"));
	pty_send(pty, "&duration > 1us\r");
	ck_assert(pty_wait(pty, "filter  duration > 1us"));
	pty_send(pty, "&(\r");
	ck_assert(pty_wait(pty, "("));
	pty_send(pty, "\x1b");
	ck_assert(pty_wait_gone(pty, "filter  duration"));
	pty_send(pty, "y");
	ck_assert(pty_wait(pty, "copied"));
	pty_send(pty, "Y");
	ck_assert(pty_wait(pty, "copied"));
	pty_send(pty, "/read\r");
	ck_assert(pty_wait(pty, "read"));
	pty_send(pty, "nN"); /* what they find comes later, and has its word to say */
	pty_send(pty, "T");
	ck_assert(pty_wait(pty, "> Timeline"));
	pty_send(pty, "q\r");
	ck_assert(pty_wait(pty, "> Span "));
	ck_assert(pty_wait(pty, "of its name"));
	pty_send(pty, ")");
	ck_assert(pty_wait(pty, "no outputs of this span are known"));
	pty_send(pty, "/duration\rY");
	ck_assert(pty_wait(pty, "copied"));
	pty_send(pty, "S");
	ck_assert(pty_wait(pty, "filter  name = "));
	pty_send(pty, "Q");
	explore_end(pty, 0);
}
END_TEST

START_TEST(the_mouse_selects_and_opens_in_every_list)
{
	struct pty *pty = explore(100, 40, run_file("training"), NULL);

	ck_assert(pty_wait(pty, "questions for this run"));
	pty_send(pty, "M");
	ck_assert(pty_wait(pty, "lanescope takes the mouse"));
	pty_send(pty, "\x1b[<0;80;14M\x1b[<0;80;14m"); /* a question */
	ck_assert(pty_wait_gone(pty, "lanescope takes the mouse"));
	pty_send(pty, "\r");
	ck_assert(pty_wait_gone(pty, "> Overview"));
	pty_send(pty, "qS");
	ck_assert(pty_wait(pty, "1 of "));
	pty_send(pty, "\x1b[<0;20;6M\x1b[<0;20;6m");
	ck_assert(pty_wait(pty, "4 of "));
	pty_send(pty, "\x1b[<65;20;6M\x1b[<65;20;6m");
	ck_assert(pty_wait(pty, "7 of "));
	pty_send(pty, "\x1b[<0;20;2M\x1b[<0;20;2m"); /* a title: sorts */
	ck_assert(pty_wait(pty, "sort -"));
	pty_send(pty, "\r");
	ck_assert(pty_wait(pty, "> Span "));
	pty_send(pty, "\x1b[<0;20;5M\x1b[<0;20;5m");
	ck_assert(pty_wait(pty, "> "));
	pty_send(pty, "Q");
	explore_end(pty, 0);
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
	             {"\r", "four-workers > Span "}};
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
	pty_send(pty, "Q");
	explore_end(pty, 0);
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
	pty_send(pty, "\r");
	ck_assert(pty_wait(pty, "large is not a run yet"));
	pty_send(pty, "\x1b");
	ck_assert(pty_wait(pty, "R begins again"));
	pty_send(pty, "R");
	ck_assert(pty_wait(pty, "importing"));
	pty_send(pty, "Q"); /* in the middle of it */
	explore_end(pty, 0);
	ck_assert_int_eq(count_cached(), 0);

	pty = explore_with(100, 12, arguments, NULL);
	ck_assert(pty_wait(pty, "importing"));
	pty_signal(pty, SIGTERM);
	ck_assert_int_ge(pty_end(pty), 0);
	ck_assert(pty_on_main_screen(pty));
	pty_free(pty);
	ck_assert_int_eq(count_cached(), 0);

	pty = explore_with(100, 12, arguments, NULL);
	ck_assert(pty_wait(pty, "large > Overview")); /* the only run opens by itself */
	pty_send(pty, "Q");
	explore_end(pty, 0);
	ck_assert_int_eq(count_cached(), 2); /* a folder and the run file */
	pty = explore_with(100, 12, arguments, NULL);
	ck_assert(pty_wait(pty, "large > Overview")); /* from the cache */
	pty_send(pty, "Q");
	explore_end(pty, 0);
}
END_TEST

static void
add(void *tests)
{
	tcase_add_test(tests, runs_are_marked_swapped_and_found);
	tcase_add_test(tests, keys_lead_from_the_list_into_the_selected_run);
	tcase_add_test(tests, files_that_come_go_or_break_are_seen_by_R);
	tcase_add_test(tests, an_overview_leads_on_from_all_its_lists);
	tcase_add_test(tests, spans_are_scrolled_sorted_filtered_and_left);
	tcase_add_test(tests, the_mouse_selects_and_opens_in_every_list);
	tcase_add_test(tests, no_size_is_too_small_or_too_large);
	tcase_add_test(tests, an_import_runs_stops_goes_on_and_leaves_no_litter);
}

int
main(void)
{
	return explore_main("views", add);
}
