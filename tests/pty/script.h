/* A script of keys as lanescope --keys plays it, without a terminal and on one: the terminal must
 * show what the program meant to. */
#ifndef LANESCOPE_TESTS_SCRIPT_H
#define LANESCOPE_TESTS_SCRIPT_H

#include "tests/pty/explore.h"

/* Where a script leads from the list of the demo's runs. */
struct script_view {
	const char *name, *script;
};
extern const struct script_view script_views[];
extern const size_t script_n_views;

/* The screens of the words "screen", then that at the script's end, when all answers are there: a
 * line a row, malloc'd. path NULL: explore_runs(). */
char *script_screen(const char *path, int columns, int rows, const char *script);
/* Plays it word by word on a terminal that shows `before` (what was played already, "" at the
 * start), and waits for the screen of each word. */
void script_follow(struct pty *pty, const char *path, int columns, int rows, const char *before,
                   const char *script);
/* Plays it without waiting for anything. */
void script_press(struct pty *pty, const char *script);
/* What a terminal sends for a key; lent until the next call. */
const char *script_bytes(int key);

#endif
