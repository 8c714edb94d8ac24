/*
 * curses knows how to delete and insert characters, but only where the rest of a line stays in
 * place; a panned timeline moves as a whole. So it is told here: the terminal's own delete and
 * insert of characters, and the same done to curscr, which is what curses believes to be on the
 * screen. The next refresh sends what differs from that. The cursor is put back where curses left
 * it; the terminal's own way to save it is not ours: where there is one place for it, that keeps
 * the cursor of the screen we came from.
 */
#include "config.h"

#include "ui/term/term_shift.h"

#include <curses.h>
#include <stdio.h>
#include <stdlib.h>

#include "ui/term/canvas_shift.h"
#include "util/mem.h"

static const char *
capability(const char *name)
{
	const char *text = tigetstr(name);

	return text && text != (char *)-1 ? text : NULL;
}

/* curscr as the terminal now is: the cells' colours move with them, what comes in is blank. */
static void
shift_believed(int y, int x, int columns)
{
	for (int i = 0; i < columns; i++) {
		mvwdelch(curscr, y, x);
	}
	for (int i = 0; i > columns; i--) {
		mvwinsch(curscr, y, x, ' ');
	}
}

void
term_shift(const struct canvas *before, const struct canvas *after)
{
	struct canvas_shift shift = {0, xcalloc((size_t)after->height, sizeof(int))};
	const char *move_to = capability("cup"), *remove = capability("dch"),
		   *insert = capability("ich");

	if (move_to && remove && insert) {
		canvas_find_shift(before, after, &shift);
	}
	if (shift.columns != 0) {
		int columns = shift.columns > 0 ? shift.columns : -shift.columns;
		int cursor_y = getcury(curscr), cursor_x = getcurx(curscr);

		for (int y = 0; y < after->height; y++) {
			if (shift.xs[y] >= 0) {
				putp(tparm(move_to, y, shift.xs[y]));
				putp(tparm(shift.columns > 0 ? remove : insert, columns));
				shift_believed(y, shift.xs[y], shift.columns);
			}
		}
		putp(tparm(move_to, cursor_y, cursor_x));
		wmove(curscr, cursor_y, cursor_x);
		fflush(stdout); /* curses has a buffer of its own, empty by now */
	}
	free(shift.xs);
}
