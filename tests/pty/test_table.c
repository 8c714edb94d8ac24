/* Tables on a terminal: each of their keys, and where they lead. */
#include "config.h"

#include <string.h>
#include <sys/stat.h>

#include "tests/pty/explore.h"
#include "tests/unit/unit.h"

static struct pty *
open_query(const char *name, const char *variable)
{
	struct pty *pty = explore(110, 30, NULL, variable);
	char command[200];

	ck_assert(pty_wait(pty, "cascade"));
	snprintf(command, sizeof(command), "\r:query %s\r", name);
	explore_press(pty, command, " rows ");
	return pty;
}

START_TEST(rows_are_sorted_by_several_columns)
{
	struct pty *pty = open_query("task-by-kind", NULL);

	ck_assert(pty_wait(pty, "sort -total"));
	ck_assert(pty_wait(pty, "> efi"));
	explore_press(pty, "[", "kind▴");
	ck_assert(pty_wait(pty, "> concat"));
	explore_press(pty, "l]", "n▾");
	explore_press(pty, "h{", "sort -n,kind");
	ck_assert(pty_wait(pty, "kind▴2"));
	explore_press(pty, "}", "sort -n,-kind");
	explore_press(pty, ":sort kind -total\r", "sort kind,-total");
	explore_press(pty, ":sort nonsense\r", "nonsense");
	explore_quit(pty);
}
END_TEST

START_TEST(cells_are_searched_while_typing)
{
	struct pty *pty = open_query("task-times", NULL);

	explore_press(pty, "/THRESH", "> threshold:");
	pty_send(pty, "\r");
	pty_send(pty, "n");
	explore_press(pty, "N", "> threshold:");
	pty_send(pty, "/no such text\r");
	explore_press(pty, "n", "nothing matches no such text");
	explore_quit(pty);
}
END_TEST

START_TEST(filters_stack_and_are_dropped_one_by_one)
{
	struct pty *pty = open_query("task-times", NULL);

	explore_press(pty, "&kind = concat\r", "30 of 135 rows");
	explore_press(pty, ":filter worker <> worker0\r",
	              "filter  kind = concat  &  worker <> worker0");
	explore_press(pty, "&totl > 1s\r", "did you mean total?");
	ck_assert(pty_wait(pty, "): totl > 1s")); /* to be mended */
	pty_send(pty, "\x1b");
	ck_assert(pty_wait_gone(pty, "totl > 1s"));
	pty_send(pty, "\\");
	ck_assert(pty_wait_gone(pty, "&  worker <> worker0"));
	ck_assert(pty_wait(pty, "30 of 135 rows"));
	explore_press(pty, "&total > 1h\r", "nothing matches");
	pty_send(pty, "\\\\");
	ck_assert(pty_wait_gone(pty, "filter  kind"));
	explore_press(pty, "\\", "no filter stands");
	explore_quit(pty);
}
END_TEST

START_TEST(columns_are_moved_hidden_shown_and_widened)
{
	struct pty *pty = open_query("task-times", NULL);

	explore_press(pty, "ll^", "kind       worker ");
	pty_send(pty, "$");
	pty_send(pty, ":hide worker\r");
	ck_assert(pty_wait_gone(pty, " worker "));
	pty_send(pty, "z");
	ck_assert(pty_wait_gone(pty, " kind "));
	explore_press(pty, "Z", " kind ");
	ck_assert(pty_wait(pty, " worker"));
	pty_send(pty, "hhhh_");
	ck_assert(pty_wait_gone(pty, "…"));
	explore_press(pty, "_", "…");
	explore_press(pty, "llllllllllll", "‹");
	explore_quit(pty);
}
END_TEST

START_TEST(marked_rows_have_totals)
{
	struct pty *pty = open_query("task-by-kind", NULL);

	explore_press(pty, "mm", "  2 marked   12  16.4 s");
	explore_press(pty, "GJ", ">*efi");
	explore_press(pty, "J", ">*sot");
	explore_press(pty, "K", ">*efi");
	explore_press(pty, "m", "  1 marked    8  8.18 s");
	pty_send(pty, "\x1b");
	ck_assert(pty_wait_gone(pty, "1 marked"));
	explore_press(pty, "J", "no row is marked");
	explore_quit(pty);
}
END_TEST

START_TEST(frequencies_lead_back_to_a_filter)
{
	struct pty *pty = open_query("task-times", NULL);

	explore_press(pty, "llF", "values of kind");
	ck_assert(pty_wait(pty, "33.3 %"));
	explore_press(pty, "j\r", "filter  kind = concat");
	ck_assert(pty_wait(pty, "30 of 135 rows"));
	explore_press(pty, ":frequency worker\r", "values of worker");
	explore_press(pty, "q", "30 of 135 rows");
	explore_quit(pty);
}
END_TEST

START_TEST(parameters_are_set_in_place)
{
	struct pty *pty = open_query("task-times", NULL);

	ck_assert(pty_wait(pty, "parameters  worker=*  kind=*"));
	explore_press(pty, "pkin\t", "kind=*");
	explore_press(pty, "\x7fsot\r", "kind=sot");
	ck_assert(pty_wait(pty, "8 rows"));
	explore_press(pty, ":param worker=worker2\r", "5 rows");
	explore_press(pty, "pnonsense=1\r", "has no parameter 'nonsense'; there are worker, kind");
	pty_send(pty, "\x15worker=worker0\r"); /* mended where it stands */
	ck_assert(pty_wait(pty, "worker=worker0  kind=sot"));
	explore_quit(pty);
}
END_TEST

START_TEST(sql_is_shown_and_edited)
{
	char variable[400], path[300];
	FILE *file;
	struct pty *pty;

	/* An editor that asks for less each time it is called: the second text is wrong. */
	snprintf(path, sizeof(path), "%s/editor", explore_folder());
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	fprintf(file,
	        "#!/bin/sh\n"
	        "ls -l \"$1\" >%s/listed\n"
	        "if [ -e %s/called ]; then echo '-- nonsense: x' >\"$1\"; echo '-- title: x' "
	        ">>\"$1\"; else\n"
	        "touch %s/called; sed -i 's/^-- title:.*/-- title: Edited kinds/; s/^FROM sums "
	        "/FROM (SELECT * FROM sums LIMIT 2) AS sums /' \"$1\"; fi\n",
	        explore_folder(), explore_folder(), explore_folder());
	ck_assert_int_eq(fclose(file), 0);
	ck_assert_int_eq(chmod(path, 0700), 0);
	snprintf(variable, sizeof(variable), "VISUAL=%s", path);
	pty = open_query("task-by-kind", variable);
	explore_press(pty, "V", "-- title: Tasks by kind");
	ck_assert(pty_wait(pty, "WITH generation AS ("));
	explore_press(pty, "E", "Edited kinds");
	ck_assert(pty_wait(pty, "2 rows"));
	explore_press(pty, "E", "edited query:1: not a word of the header");
	snprintf(path, sizeof(path), "grep -q '^-rw------- ' %s/listed", explore_folder());
	ck_assert_int_eq(system(path), 0);
	explore_quit(pty);
}
END_TEST

START_TEST(an_editor_that_fails_is_named)
{
	struct pty *pty = open_query("task-by-kind", "VISUAL=/nowhere/editor -x");

	pty_send(pty, "E");
	ck_assert(pty_wait(pty, "can't run the editor '/nowhere/editor -x': set EDITOR"));
	ck_assert(pty_wait(pty, "Tasks by kind")); /* and the screen is whole again */
	explore_quit(pty);
	pty = open_query("task-by-kind", "VISUAL=false");
	pty_send(pty, "E");
	ck_assert(pty_wait(pty, "the editor 'false' ended with status 1: nothing is asked"));
	explore_quit(pty);
}
END_TEST

START_TEST(what_an_editor_leaves_is_asked)
{
	struct pty *pty = open_query("task-by-kind", "VISUAL=sed -i s/before/after/");

	explore_press(pty, ";SELECT 41 + 1 AS before\r", "> before  42");
	explore_press(pty, "E", "after");
	ck_assert(pty_wait(pty, "after"));
	explore_press(pty, "E", "nothing was changed");
	explore_quit(pty);
	/* The values of parameters stay. */
	pty = open_query("task-times", "VISUAL=sed -i 's/^-- title:.*/-- title: Edited times/'");
	explore_press(pty, ":param kind=sot\r", "8 rows");
	explore_press(pty, "E", "Edited times");
	ck_assert(pty_wait(pty, "8 rows"));
	ck_assert(pty_wait(pty, "worker=*  kind=sot"));
	explore_quit(pty);
	/* What was wrong is there to be mended. */
	pty = open_query("task-by-kind", "VISUAL=sed -i -e '1{/title/i -- nonsense: x' -e '}' -e "
	                                 "'/^-- nonsense/{N;s/.*/-- title: Mended/' -e '}'");
	explore_press(pty, "E", "edited query:1: not a word of the header");
	explore_press(pty, "E", "> Mended");
	explore_quit(pty);
}
END_TEST

START_TEST(a_text_that_cannot_be_edited_is_not_asked)
{
	static const char *const editors[][2] = {
	    {"TMPDIR=/nowhere", "can't make /nowhere/lanescope-"},
	    {"VISUAL=rm", ".sql: No such file or directory"},
	    {"VISUAL=truncate -s 2M", ".sql: longer than 1 MiB"}};

	for (size_t i = 0; i < sizeof(editors) / sizeof(editors[0]); i++) {
		struct pty *pty = open_query("task-by-kind", editors[i][0]);

		explore_press(pty, "E", editors[i][1]);
		ck_assert(pty_wait(pty, "> Tasks by kind"));
		explore_quit(pty);
	}
}
END_TEST

START_TEST(rows_lead_to_what_is_behind_them)
{
	struct pty *pty = open_query("task-by-kind", NULL);

	explore_press(pty, "j\r", "Task life cycles");
	ck_assert(pty_wait(pty, "8 rows"));
	explore_press(pty, "T", "Timeline");
	explore_press(pty, "q", "8 rows");
	pty_send(pty, "qq");
	explore_press(pty, ":query idle-gaps\r", "Idle gaps");
	ck_assert(pty_wait(pty, " rows "));
	explore_press(pty, "\r", "Timeline");
	explore_quit(pty);
}
END_TEST

static void
check_file(const char *name, const char *expected)
{
	char path[300], text[4096];
	FILE *file;
	size_t n;

	snprintf(path, sizeof(path), "%s/%s", explore_folder(), name);
	file = fopen(path, "r");
	ck_assert_msg(file != NULL, "%s is not there", path);
	n = fread(text, 1, sizeof(text) - 1, file);
	text[n] = '\0';
	fclose(file);
	ck_assert_msg(strncmp(text, expected, strlen(expected)) == 0, "%s holds\n%s", name, text);
}

START_TEST(what_is_shown_is_exported)
{
	struct pty *pty = open_query("task-by-kind", NULL);
	char keys[500];

	explore_press(pty, "&n > 20\r", "4 of 6 rows");
	pty_send(pty,
	         "[:hide total\r:hide mean\r:hide p95\r:hide max\r:hide run_sum\r:hide queue_sum\r"
	         ":hide comm_sum\rl^");
	ck_assert(pty_wait(pty, "sort kind"));
	explore_press(pty, "e", "task-by-kind.csv");
	snprintf(keys, sizeof(keys), "\x15%s/out.csv\r", explore_folder());
	explore_press(pty, keys, "4 rows written to");
	check_file("out.csv", "n,kind,missing\n30,concat,0\n24,mean,0\n45,retrieve,0\n");
	/* It is not replaced unless that is said. */
	pty_send(pty, "\\");
	snprintf(keys, sizeof(keys), ":export %s/out.csv\r", explore_folder());
	explore_press(pty, keys, "exists; Enter replaces it");
	pty_send(pty, "\x1b");
	ck_assert(pty_wait_gone(pty, "exists; Enter replaces it"));
	check_file("out.csv", "n,kind,missing\n30,concat,0\n24,mean,0\n");
	explore_press(pty, keys, "exists; Enter replaces it");
	explore_press(pty, "\r", "6 rows written to");
	check_file("out.csv", "n,kind,missing\n30,concat,0\n4,efi,0\n");
	snprintf(keys, sizeof(keys), ":export %s/out.jsonl\r", explore_folder());
	pty_send(pty, keys);
	snprintf(keys, sizeof(keys), "6 rows written to %s/out.jsonl", explore_folder());
	ck_assert(pty_wait(pty, keys));
	check_file("out.jsonl", "{\"n\": 30, \"kind\": \"concat\", \"missing\": 0}\n");
	explore_press(pty, ":export /nowhere/at/all.csv\r", "can't write /nowhere/at/all.csv");
	explore_press(pty, ":export x.docx\r", "its ending names no format");
	explore_quit(pty);
}
END_TEST

START_TEST(cells_and_rows_are_copied)
{
	struct pty *pty = open_query("task-by-kind", NULL);

	explore_press(pty, "y", "copied 3 bytes");
	explore_press(pty, "Y", "copied");
	ck_assert(pty_wait_gone(pty, "copied 3 bytes"));
	explore_quit(pty);
}
END_TEST

START_TEST(choices_are_kept_for_the_next_time)
{
	struct pty *pty = open_query("task-by-kind", NULL);

	pty_send(pty, "[&n > 20\rlz");
	ck_assert(pty_wait_gone(pty, " n   "));
	explore_press(pty, "q", "questions for this run");
	explore_press(pty, ":query task-by-kind\r", "4 of 6 rows");
	ck_assert(pty_wait(pty, "sort kind"));
	ck_assert(pty_wait_gone(pty, " n   "));
	explore_quit(pty);
}
END_TEST

START_TEST(errors_of_sql_stay_on_the_screen)
{
	struct pty *pty = explore(110, 30, NULL, NULL);

	ck_assert(pty_wait(pty, "cascade"));
	explore_press(pty, "\r", "questions for this run");
	explore_press(pty, ":sql SELECT nonsense FROM run\r", "no such column: nonsense");
	ck_assert(pty_wait(pty, "SQL> SELECT nonsense FROM run"));
	pty_send(pty, "\x1b");
	ck_assert(pty_wait_gone(pty, "SQL>"));
	explore_press(pty, ":sql SELECT name, count(*) AS n FROM span GROUP BY name\r", " rows");
	explore_quit(pty);
}
END_TEST

START_TEST(any_size_shows_a_table)
{
	static const int sizes[][2] = {{1, 1}, {40, 8}, {500, 200}, {79, 3}, {2, 50}, {110, 30}};
	struct pty *pty = open_query("task-times", NULL);

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		pty_resize(pty, sizes[i][0], sizes[i][1]);
		pty_send(pty, "jl]m_$");
	}
	ck_assert(pty_wait(pty, " marked"));
	explore_quit(pty);
}
END_TEST

static void
add(void *user)
{
	TCase *tests = user;

	tcase_add_test(tests, rows_are_sorted_by_several_columns);
	tcase_add_test(tests, cells_are_searched_while_typing);
	tcase_add_test(tests, filters_stack_and_are_dropped_one_by_one);
	tcase_add_test(tests, columns_are_moved_hidden_shown_and_widened);
	tcase_add_test(tests, marked_rows_have_totals);
	tcase_add_test(tests, frequencies_lead_back_to_a_filter);
	tcase_add_test(tests, parameters_are_set_in_place);
	tcase_add_test(tests, sql_is_shown_and_edited);
	tcase_add_test(tests, an_editor_that_fails_is_named);
	tcase_add_test(tests, what_an_editor_leaves_is_asked);
	tcase_add_test(tests, a_text_that_cannot_be_edited_is_not_asked);
	tcase_add_test(tests, rows_lead_to_what_is_behind_them);
	tcase_add_test(tests, what_is_shown_is_exported);
	tcase_add_test(tests, cells_and_rows_are_copied);
	tcase_add_test(tests, choices_are_kept_for_the_next_time);
	tcase_add_test(tests, errors_of_sql_stay_on_the_screen);
	tcase_add_test(tests, any_size_shows_a_table);
}

int
main(void)
{
	return explore_main("table", add);
}
