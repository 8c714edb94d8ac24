/* The explorer on a pseudo-terminal over three of the demo's runs: two cascade ones and a DFTracer
 * one. */
#ifndef LANESCOPE_TESTS_EXPLORE_H
#define LANESCOPE_TESTS_EXPLORE_H

#include "tests/pty/pty.h"

/* Fixture: a folder of this test program's, with the runs; also XDG_CONFIG_HOME, XDG_STATE_HOME and
 * XDG_CACHE_HOME of what is started. */
void explore_set_up(void);
void explore_tear_down(void);
const char *explore_folder(void);
const char *explore_runs(void); /* the folder of run files */

/* Opens path (NULL: explore_runs()), with nothing remembered; variable: one more "NAME=value", or
 * NULL. */
struct pty *explore(int columns, int rows, const char *path, const char *variable);
/* The same with any arguments behind the program's name, ended by NULL. */
struct pty *explore_with(int columns, int rows, const char *const *arguments, const char *variable);
/* Presses keys and waits until the screen shows text. */
void explore_press(struct pty *pty, const char *keys, const char *text);
void explore_quit(struct pty *pty); /* by Q; frees pty */
/* Waits for the end with this status; the terminal must be as it was. Frees pty. */
void explore_end(struct pty *pty, int status);
/* Runs the program without a terminal; all that it prints (free()). */
char *explore_output(const char *arguments);
/* The screens that a script of keys prints over explore_runs(): where it says so, and at its end
 * (free()). */
char *explore_play(const char *keys);
char *explore_play_refused(const char *keys); /* the same of keys that lead to an error */
/* main of a test program: skips where LANESCOPE names no program. */
int explore_main(const char *name, void (*add)(void *tests));

#endif
