/* Part of term.c: signals while the terminal is ours. */
#ifndef LANESCOPE_UI_TERM_SIGNALS_H
#define LANESCOPE_UI_TERM_SIGNALS_H

#include <termios.h>

enum term_signal {
	TERM_SIGNAL_NONE,
	TERM_SIGNAL_QUIT, /* stays */
	TERM_SIGNAL_RESIZE,
	TERM_SIGNAL_CONTINUED /* stopped and gone on: somebody else had the terminal */
};

/* Once curses has the terminal. Each signal that asks for something writes a byte into wake_file (-1: none); one that ends the program at once puts
 * the terminal back first, to the modes before. */
void term_signals_take(int wake_file, const struct termios *before);
void term_signals_release(void); /* the old handlers come back */
/* The next that was not told yet. */
enum term_signal term_signals_next(void);
/* What lies in between was our own doing: forgets that the program was continued, but the size may be another. */
void term_signals_came_back(void);

#endif
