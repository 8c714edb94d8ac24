/* What commands other than the explorer print on a terminal: tables through a pager, and the bar of
 * an import. */
#include "config.h"

#include <signal.h>
#include <string.h>

#include "tests/pty/explore.h"
#include "tests/unit/unit.h"

/* A shell's commands in the tests' folder; $L is the program. */
static struct pty *
run(int columns, const char *commands)
{
	char folder[300], program[700], script[4096];
	const char *argv[] = {"/bin/sh", "-c", script, NULL};
	const char *environment[] = {folder, program, "LANESCOPE_PAGER", "PAGER", NULL};

	snprintf(folder, sizeof(folder), "XDG_CACHE_HOME=%s", explore_folder());
	snprintf(program, sizeof(program), "L=%s", getenv("LANESCOPE"));
	snprintf(script, sizeof(script), "cd '%s' || exit 9\n%s", explore_folder(), commands);
	return pty_start(columns, 24, argv, environment);
}

static void
end(struct pty *pty, int status)
{
	ck_assert_int_eq(pty_end(pty), status);
	ck_assert(pty_is_given_back(pty));
	pty_free(pty);
}

#define QUERY "\"$L\" query task-by-kind one-worker --limit 1 "

START_TEST(tables_go_through_the_pager_that_is_named)
{
	static const struct {
		const char *commands, *first;
	} cases[] = {
	    {"LANESCOPE_PAGER='sed s/^/paged:/' PAGER=false " QUERY, "paged:kind "},
	    {"PAGER='sed s/^/paged:/' " QUERY, "paged:kind "},
	    {"LANESCOPE_PAGER= PAGER='sed s/^/paged:/' " QUERY, "kind "},
	    {"LANESCOPE_PAGER=cat PAGER='sed s/^/paged:/' " QUERY, "kind "},
	    {"export PAGER='sed s/^/paged:/'; " QUERY "--no-pager", "kind "},
	    {"export PAGER='sed s/^/paged:/'; " QUERY "--format tsv", "kind "},
	    {"export PAGER='sed s/^/paged:/'; " QUERY "--format table | cat", "kind "},
	    {"export PAGER='sed s/^/paged:/'; " QUERY "-o t.txt; cat t.txt", "kind "},
	    {"PAGER=/no/such/pager " QUERY "; echo status $?", ""},
	};
	struct pty *pty = run(200, cases[_i].commands);

	ck_assert_int_eq(pty_end(pty), 0);
	ck_assert_msg(strncmp(pty_row(pty, 0), cases[_i].first, strlen(cases[_i].first)) == 0,
	              "case %d: %s", _i, pty_row(pty, 0));
	ck_assert_int_eq(pty_shows(pty, "status 0"), cases[_i].first[0] == 0);
	pty_free(pty);
}
END_TEST

/* Bold for the terminal itself, typed over for a pager, plain for anything else. */
START_TEST(the_manual_is_marked_for_who_shows_it)
{
	static const struct {
		const char *commands, *shows;
		bool has_bold;
	} cases[] = {
	    {"PAGER= \"$L\" help upgrade", "lanescope upgrade old -o new", true},
	    {"PAGER='head -n 2 | cat -v' \"$L\" help upgrade", "u^Hup^Hpg^Hgr^Hr", false},
	    {"PAGER='sed s/^/paged:/' \"$L\" help upgrade --no-pager", "    lanescope upgrade",
	     true},
	    {"\"$L\" help upgrade | cat", "lanescope upgrade old -o new", false},
	    {"PAGER=cat \"$L\" query task-times --help", "lanescope query task-times", true},
	};
	struct pty *pty = run(80, cases[_i].commands);

	ck_assert_int_eq(pty_end(pty), 0);
	ck_assert_msg(strstr(pty_output(pty), cases[_i].has_bold ? "\033[1m" : cases[_i].shows) !=
	                  NULL,
	              "case %d", _i);
	ck_assert_msg(cases[_i].has_bold || strstr(pty_output(pty), "\033[") == NULL, "case %d",
	              _i);
	pty_free(pty);
}
END_TEST

/* A program called less of this test's, which names its options. */
START_TEST(less_is_the_pager_where_it_is)
{
	static const struct {
		const char *commands, *shows;
	} cases[] = {
	    {"PATH=nothing::tools " QUERY, "less -FRX<kind "},
	    {"PATH=tools:nothing " QUERY, "less -FRX<kind "},
	    {"PATH=nothing " QUERY, "kind "},
	    {"PATH=:nothing " QUERY,
	     "kind "}, /* the folder that one is in is no place for programs */
	    {"PATH= " QUERY, "kind "},
	    {"unset PATH; " QUERY, "kind "},
	    {"chmod -x tools/less; PATH=nothing:tools " QUERY, "kind "},
	};
	char commands[1000];
	struct pty *pty;

	snprintf(commands, sizeof(commands),
	         "mkdir -p tools; rm -f tools/less less\n"
	         "printf '#!/bin/sh\nprintf \"less $*<\"; while read -r line; do echo \"$line\"; "
	         "done\n' >tools/less\n"
	         "chmod +x tools/less; cp -p tools/less less\n%s",
	         cases[_i].commands);
	pty = run(200, commands);
	ck_assert_int_eq(pty_end(pty), 0);
	ck_assert_msg(strncmp(pty_row(pty, 0), cases[_i].shows, strlen(cases[_i].shows)) == 0,
	              "case %d: %s", _i, pty_row(pty, 0));
	pty_free(pty);
}
END_TEST

/* Who leaves early has seen enough; who reads on is waited for. */
START_TEST(the_pager_ends_when_it_wants)
{
	struct pty *pty =
	    run(100, "LANESCOPE_PAGER='read line; echo left after $line' \"$L\" sql one-worker "
	             "'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL "
	             "SELECT x + 1 FROM c WHERE x < 30000) SELECT x FROM c'; echo status $?");

	ck_assert(pty_wait(pty, "left after x"));
	ck_assert(pty_wait(pty, "status 0"));
	end(pty, 0);
	pty = run(100, "LANESCOPE_PAGER='cat >/dev/null; sleep 0.3; echo read' " QUERY
	               "; echo 'status' $?");
	ck_assert(pty_wait(pty, "status 0"));
	ck_assert_str_eq(pty_row(pty, 0), "read");
	end(pty, 0);
}
END_TEST

START_TEST(notes_stand_above_a_table_and_harm_no_terminal)
{
	struct pty *pty =
	    run(200, "LANESCOPE_PAGER='sed s/^/paged:/' \"$L\" query task-times one-worker "
	             "-p \"kind=$(printf '\\033[31mx')\"");

	ck_assert_int_eq(pty_end(pty), 0);
	ck_assert_str_eq(pty_row(pty, 0), "paged:note: no row: nothing matches kind=\\x1b[31mx");
	ck_assert_str_eq(pty_row(pty, 1), "paged:");
	ck_assert_int_eq(strncmp(pty_row(pty, 2), "paged:task ", 11), 0);
	ck_assert_ptr_null(strstr(pty_output(pty), "\033[31m"));
	pty_free(pty);
	pty = run(200, "\"$L\" query task-times one-worker --format csv -p kind=x");
	ck_assert_int_eq(pty_end(pty), 0);
	ck_assert_int_eq(strncmp(pty_row(pty, 0), "lanescope: note: ", 17), 0);
	ck_assert_int_eq(strncmp(pty_row(pty, 1), "task,", 5), 0);
	pty_free(pty);
}
END_TEST

/*
 * Three files of one run of which the middle one is a pipe that holds the import up: 5 of 16
 * records of the others are read then. More is in the pipe than is looked at to tell its format.
 */
#define IMPORT                                                                                     \
	"rm -rf job; mkdir job; cd job\n"                                                          \
	"awk 'BEGIN { for (pad = \"x\"; length(pad) < 1000; ) pad = pad pad; for (i = 1000; i < "  \
	"1516; "                                                                                   \
	"i++) { "                                                                                  \
	"printf "                                                                                  \
	"\"{\\\"id\\\":%d,\\\"name\\\":\\\"read\\\",\\\"cat\\\":\\\"POSIX\\\",\\\"pid\\\":1,"      \
	"\\\"tid\\\""                                                                              \
	":1,\\\"ts\\\":%d,\\\"dur\\\":5,\\\"ph\\\":\\\"X\\\",\\\"args\\\":{\\\"pad\\\":\\\"%"      \
	"s\\\"}}\\n\""                                                                             \
	", i, i * 10, pad >(i < 1005 ? \"a-0.pfw\" : i < 1505 ? \"held\" : \"a-2.pfw\") } }'\n"    \
	"mkfifo a-1.pfw go; (trap '' TERM HUP; cat held go >a-1.pfw) &\n"                          \
	"\"$L\" import --one --threads 1 --name held "

static void
release(void)
{
	char command[400];

	snprintf(command, sizeof(command), ": >'%s/job/go'", explore_folder());
	ck_assert_int_eq(system(command), 0);
}

START_TEST(an_import_shows_how_far_it_is)
{
	struct pty *pty = run(100, IMPORT "a-?.pfw; echo 'status' $?");

	ck_assert(pty_wait(pty, "held  reading    ██████▎               31 %"));
	ck_assert(pty_wait(pty, " records/s   "));
	ck_assert(pty_wait(pty, " s left"));
	ck_assert_str_eq(pty_row(pty, 1), "");
	release();
	ck_assert(pty_wait(pty, "status 0"));
	ck_assert_int_eq(strncmp(pty_row(pty, 0), "held.lanes: dftracer, 3 files, 516 records", 42),
	                 0);
	ck_assert(!pty_shows(pty, "reading"));
	end(pty, 0);
}
END_TEST

START_TEST(the_bar_is_plain_or_cut_where_the_terminal_is)
{
	struct pty *pty = run(100, "export LC_ALL=C\n" IMPORT "a-?.pfw");

	ck_assert(pty_wait(pty, "held  reading    ######                31 %"));
	release();
	end(pty, 0);
	pty = run(24, IMPORT "a-?.pfw");
	ck_assert(pty_wait(pty, "held  reading    ██████"));
	ck_assert_str_eq(pty_row(pty, 0), "held  reading    \u2588\u2588\u2588\u2588\u2588\u2588");
	ck_assert_str_eq(pty_row(pty, 1), "");
	release();
	end(pty, 0);
}
END_TEST

/* Of a pipe nobody knows how long it is; and without a terminal there is no bar. */
START_TEST(an_import_of_a_pipe_counts_records)
{
	struct pty *pty = run(100, IMPORT "a-1.pfw");

	ck_assert(pty_wait(pty, "held  reading    0 records   0 records/s"));
	ck_assert(!pty_shows(pty, "left"));
	release();
	end(pty, 0);
	pty = run(100, IMPORT "a-1.pfw 2>log & sleep 0.6; echo >go; wait; tr -c 'a-z\\n' . <log");
	ck_assert_int_eq(pty_end(pty), 0);
	ck_assert_ptr_nonnull(strstr(pty_output(pty), "held.lanes"));
	ck_assert_ptr_null(strstr(pty_output(pty), "reading"));
	pty_free(pty);
}
END_TEST

/* A request to stop ends an import with nothing written, and the status says which it was. */
START_TEST(an_import_is_stopped)
{
	static const struct {
		int signal;
		const char *status;
	} cases[] = {{SIGINT, "status 130"}, {SIGTERM, "status 143"}, {SIGHUP, "status 129"}};
	struct pty *pty = run(100, "trap : INT TERM HUP\n" IMPORT
	                           "a-1.pfw; echo 'status' $?; ls | grep held.lanes");

	ck_assert(pty_wait(pty, "reading"));
	pty_signal_foreground(pty, cases[_i].signal);
	ck_assert(pty_wait(pty, "stop")); /* stopping, or stopped already */
	release();
	ck_assert(pty_wait(pty, cases[_i].status));
	ck_assert_str_eq(pty_row(pty, 0), "lanescope: stopped");
	ck_assert_str_eq(pty_row(pty, 1), cases[_i].status);
	end(pty, 1);
}
END_TEST

/* Where the terminal does not know its width, the environment may. */
START_TEST(a_table_is_as_wide_as_the_terminal)
{
	static const struct {
		const char *commands;
		size_t width; /* in bytes: what is cut ends with one of three */
	} cases[] = {{"", 52},
	             {"export COLUMNS=30; ", 52},
	             {"export COLUMNS=30; stty cols 0; ", 32},
	             {"export COLUMNS=0; stty cols 0; ", 95},
	             {"export COLUMNS=100000; stty cols 0; ", 95},
	             {"export COLUMNS=x; stty cols 0; ", 95},
	             {"unset COLUMNS; stty cols 0; ", 95}};
	char commands[1000];
	size_t width = 0;
	struct pty *pty;

	snprintf(commands, sizeof(commands),
	         "%sLANESCOPE_PAGER= \"$L\" sql one-worker \"SELECT printf('%%095d', 1) AS x\"",
	         cases[_i].commands);
	pty = run(50, commands);
	ck_assert_int_eq(pty_end(pty), 0);
	for (const char *line = pty_output(pty); *line; line += strcspn(line, "\r\n") + 1) {
		size_t length = strcspn(line, "\r\n");
		width = length > width ? length : width;
	}
	ck_assert_msg(width == cases[_i].width, "case %d: %s", _i, pty_output(pty));
	pty_free(pty);
}
END_TEST

START_TEST(the_demo_opens_in_the_explorer)
{
	struct pty *pty = run(100, "\"$L\" demo");

	ck_assert(pty_wait(pty, "one-worker"));
	ck_assert(pty_wait(pty, "12 runs"));
	pty_send(pty, "Q");
	end(pty, 0);
}
END_TEST

START_TEST(the_demo_says_what_it_makes)
{
	struct pty *pty = run(100, "\"$L\" demo new >told");

	ck_assert_int_eq(pty_end(pty), 0);
	ck_assert_ptr_nonnull(strstr(pty_output(pty), "one-worker: run 1 of 12"));
	ck_assert_ptr_nonnull(strstr(pty_output(pty), "spot-training: run 12 of 12\r\033[K"));
	pty_free(pty);
}
END_TEST

static void
add(void *tests)
{
	tcase_add_loop_test(tests, the_manual_is_marked_for_who_shows_it, 0, 5);
	tcase_add_loop_test(tests, tables_go_through_the_pager_that_is_named, 0, 9);
	tcase_add_loop_test(tests, less_is_the_pager_where_it_is, 0, 7);
	tcase_add_test(tests, the_pager_ends_when_it_wants);
	tcase_add_test(tests, notes_stand_above_a_table_and_harm_no_terminal);
	tcase_add_test(tests, an_import_shows_how_far_it_is);
	tcase_add_test(tests, the_bar_is_plain_or_cut_where_the_terminal_is);
	tcase_add_test(tests, an_import_of_a_pipe_counts_records);
	tcase_add_loop_test(tests, an_import_is_stopped, 0, 3);
	tcase_add_loop_test(tests, a_table_is_as_wide_as_the_terminal, 0, 7);
	tcase_add_test(tests, the_demo_opens_in_the_explorer);
	tcase_add_test(tests, the_demo_says_what_it_makes);
}

int
main(void)
{
	return explore_main("output", add);
}
