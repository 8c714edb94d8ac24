/*
 * A program on a pseudo-terminal whose screen is kept by libvterm. Tests wait for text, they never
 * sleep.
 */
#ifndef LANESCOPE_TESTS_PTY_H
#define LANESCOPE_TESTS_PTY_H

#include <stdbool.h>
#include <stddef.h>

struct pty;

/* Starts argv (NULL-terminated) with TERM=xterm-256color, LC_ALL=C.UTF-8; environment: "NAME=value"
 * or "NAME" to unset, NULL-terminated, or NULL. */
struct pty *pty_start(int columns, int rows, const char *const *argv,
                      const char *const *environment);
/* Reads output until is_met; false after the timeout, or at the program's end. The others wait for
 * a condition in this way, and say which did not come. */
typedef bool pty_condition(struct pty *pty, const void *user);
bool pty_wait_until(struct pty *pty, pty_condition *is_met, const void *user);
/* Reads output until the screen shows text anywhere in a row; false after timeout (10 s, longer
 * under sanitizers) or at the program's end. */
bool pty_wait(struct pty *pty, const char *text);
/* The same for what is sent, whether it changes the screen or not: text within the bytes from
 * `from` on (pty_bytes). */
bool pty_wait_sent(struct pty *pty, size_t from, const char *text);
/* Whether the screen shows text now. */
bool pty_shows(struct pty *pty, const char *text);
/* Until the screen is this one: a line a row, trailing blanks do not count. */
bool pty_wait_screen(struct pty *pty, const char *screen);
bool pty_wait_gone(struct pty *pty, const char *text); /* until no row shows it */
const char *pty_row(struct pty *pty,
                    int row);      /* without trailing blanks; lent until the next call */
char *pty_screen(struct pty *pty); /* all rows, a line each; malloc'd */
bool pty_reversed(struct pty *pty, int row, int column);
void pty_send(struct pty *pty, const char *keys);
void pty_resize(struct pty *pty, int columns, int rows);
void pty_signal(struct pty *pty, int signal);
/* To what a shell on the terminal runs in the foreground. */
void pty_signal_foreground(struct pty *pty, int signal);
void
pty_hang_up(struct pty *pty); /* the terminal goes away; only pty_end and pty_free may follow */
/* Waits for the end: exit status, or 128 + signal; -1 after the timeout (then the program is
 * killed). */
int pty_end(struct pty *pty);
bool pty_on_main_screen(const struct pty *pty); /* the alternate screen was left */
/* The main screen, the cursor seen, the mouse not taken, and pty_cooked. */
bool pty_is_given_back(const struct pty *pty);
bool pty_cooked(const struct pty *pty);  /* the line discipline echoes and edits as before */
int pty_noises(const struct pty *pty);   /* bells, titles, reversed screens, mouse modes so far */
size_t pty_bytes(const struct pty *pty); /* received so far */
const char *pty_output(const struct pty *pty); /* these bytes; lent until more are received */
void pty_dump(struct pty *pty);                /* the screen as TAP comments */
void pty_free(struct pty *pty);                /* kills what still runs; takes NULL */

#endif
