/* A room of its own, since <term.h> takes common words (lines, columns, newline) as macros. */
#include "config.h"

#include "ui/term/term_type.h"

#include <curses.h>
#include <term.h>
#include <unistd.h>

bool
term_type_is_known(const char *type)
{
	int status;

	if (setupterm(type, STDOUT_FILENO, &status) != OK) {
		return false;
	}
	del_curterm(cur_term);
	return true;
}

int
term_type_colours(const char *type)
{
	int status, n = 0;

	if (setupterm(type, STDOUT_FILENO, &status) == OK) {
		n = tigetnum("colors");
		del_curterm(cur_term);
	}
	return n > 0 ? n : 0;
}
