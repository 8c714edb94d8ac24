#include "config.h"
#include "cli/colours.h"

#include "ui/term/sgr.h"
#include "util/order.h"

bool
colour_when_find(struct slice name, enum colour_when *when)
{
	static const struct {
		const char *name;
		enum colour_when when;
	} words[] = {{"auto", COLOUR_AUTO}, {"always", COLOUR_ALWAYS}, {"never", COLOUR_NEVER}};
	size_t i = NAME_FIND(name, words);

	if (i < COUNT_OF(words)) {
		*when = words[i].when;
	}
	return i < COUNT_OF(words);
}

int
colours_of(enum colour_when when, const struct output *output, const struct term_wishes *wishes)
{
	if (when == COLOUR_NEVER ||
	    (when == COLOUR_AUTO && (!output->is_terminal || !term_wants_colours(wishes)))) {
		return 0;
	}
	int n = sgr_colours(); /* not before: curses ends the program where memory is short */
	if (when == COLOUR_ALWAYS && n < 8) { /* who reads it later has more than this terminal */
		n = 256;
	}
	return wishes->colours == COLOURS_8 ? LEAST(n, 8) : n;
}
