/* Styles of cells: a meaning (term.c turns it into what the terminal has) and attributes.
 * Used by ui/app, ui/base, ui/chart, ui/lists, ui/table, ui/timeline. */
#ifndef LANESCOPE_UI_TERM_STYLE_H
#define LANESCOPE_UI_TERM_STYLE_H

#include <stdint.h>

typedef uint16_t cell_style;

enum style {
	STYLE_NORMAL,
	STYLE_TITLE,  /* the line of place */
	STYLE_HEADER, /* column names, rulers */
	STYLE_MUTED,  /* units, rules, what is there but not asked for */
	STYLE_KEY,    /* keys in the footer and the help */
	STYLE_ERROR,
	STYLE_BAR,  /* bars inside cells */
	STYLE_WAIT, /* waiting, transfers */
	STYLE_A,    /* run A and run B of a comparison */
	STYLE_B,
	STYLE_MATCH,  /* what a search found */
	STYLE_GROUP,  /* what sums up others, and so has none of their colours */
	STYLE_PALETTE /* first of STYLE_PALETTE_SIZE colours for categories */
};
#define STYLE_PALETTE_SIZE 12u
#define STYLES (STYLE_PALETTE + STYLE_PALETTE_SIZE)

enum style_attribute {
	STYLE_REVERSE = 0x100,
	STYLE_BOLD = 0x200,
	STYLE_DIM = 0x400,
	STYLE_UNDERLINE = 0x800
};

static inline cell_style
style_palette(unsigned i)
{
	return (cell_style)(STYLE_PALETTE + i % STYLE_PALETTE_SIZE);
}

#endif
