/* Part of term.c: signals while the terminal is ours.
 * Used by its room alone. */
#ifndef LANESCOPE_UI_TERM_TERM_SIGNALS_H
#define LANESCOPE_UI_TERM_TERM_SIGNALS_H

#include <termios.h>

enum term_signal {
	TERM_SIGNAL_NONE,
	TERM_SIGNAL_QUIT, /* stays */
	TERM_SIGNAL_STOP,
	TERM_SIGNAL_CONTINUED, /* stopped and gone on: somebody else had the terminal */
	TERM_SIGNAL_RESIZE
};

/* Before curses has the terminal: it leaves the signals alone that have a handler. Each writes a
 * byte into wake_file. */
void term_signals_take(int wake_file);
/* Once curses has it: signals that end the program at once put the terminal back first, to the
 * modes before. */
void term_signals_guard(const struct termios *before);
void term_signals_release(void); /* the old handlers come back; nothing if they are there */
/* The next that was not told yet. */
enum term_signal term_signals_next(void);
/* Stops the process and what runs with it, as ^Z does; returns when it is continued. */
void term_signals_stop(void);
/* While a program has the terminal: ^C and ^\\ are for it alone, ^Z stops both. */
void term_signals_lend(void);
void term_signals_take_back(void);
/* What lies in between was our own doing: forgets that the program was continued, but the size may
 * be another. */
void term_signals_came_back(void);

#endif
