/* Part of term.c: what a terminal sends for its special keys.
 * Used by its room alone. */
#ifndef LANESCOPE_UI_TERM_TERM_KEYS_H
#define LANESCOPE_UI_TERM_TERM_KEYS_H

/* Once a terminal is open: curses also takes the spellings of keys that the terminal's description
 * does not have. */
void term_keys_define(void);
/* Our key for one of curses; KEY_NONE if it means nothing here. */
int term_key_of(int curses_key);

#endif
