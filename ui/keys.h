/*
 * Keys and what they mean. One table makes the bindings, the footer, the help screen and the command line.
 */
#ifndef LANESCOPE_UI_KEYS_H
#define LANESCOPE_UI_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include "util/slice.h"

/* A key: a Unicode character, a control character (1..31, 127), or one of these. */
enum key {
	KEY_NONE = 0,
	KEY_TAB = '\t',
	KEY_ENTER = '\r',
	KEY_ESCAPE = 27,
	KEY_BACKSPACE_ASCII = 127,
	KEY_SPECIAL = 0x200000,
	KEY_CURSOR_UP,
	KEY_CURSOR_DOWN,
	KEY_CURSOR_LEFT,
	KEY_CURSOR_RIGHT,
	KEY_PAGE_UP,
	KEY_PAGE_DOWN,
	KEY_FIRST,
	KEY_LAST,
	KEY_DELETE,
	KEY_BACK_TAB,
	KEY_F1
};

/* Views as bits, for the bindings that hold in them. */
enum view_set {
	IN_RUNS = 1,
	IN_QUERIES = 2,
	IN_TABLE = 4,
	IN_TIMELINE = 8,
	IN_HELP = 16,
	IN_LISTS = IN_RUNS | IN_QUERIES | IN_TABLE | IN_HELP,
	IN_ALL = 31
};

enum action {
	ACTION_NONE,
	ACTION_UP,
	ACTION_DOWN,
	ACTION_LEFT,
	ACTION_RIGHT,
	ACTION_PAGE_UP,
	ACTION_PAGE_DOWN,
	ACTION_FIRST,
	ACTION_LAST,
	ACTION_OPEN,
	ACTION_BACK,
	ACTION_CANCEL,
	ACTION_QUIT,
	ACTION_HELP,
	ACTION_REDRAW,
	ACTION_SEARCH,
	ACTION_SEARCH_NEXT,
	ACTION_SEARCH_PREVIOUS,
	ACTION_FILTER,
	ACTION_UNFILTER,
	ACTION_SORT_UP,
	ACTION_SORT_DOWN,
	ACTION_TIMELINE,
	ACTION_ZOOM_IN,
	ACTION_ZOOM_OUT,
	ACTION_PAN_LEFT,
	ACTION_PAN_RIGHT,
	ACTION_FIT,
	ACTION_NEXT_CELL,
	ACTION_PREVIOUS_CELL,
	ACTION_GLYPHS,
	ACTION_PARAMETER
};

struct key_binding {
	enum action action;
	unsigned views;    /* enum view_set */
	int keys[4];       /* ended by KEY_NONE if fewer */
	const char *name;  /* of the command: "sort-up" */
	const char *label; /* in the footer: "sort"; NULL: not there */
	const char *help;  /* one line */
};

const struct key_binding *key_bindings(size_t *n);
/* What a key means in a view; ACTION_NONE if nothing. */
enum action keys_lookup(int key, enum view_set view);
/* "Enter", "^L", "q", "PgDn". */
const char *key_label(int key, char out[16]);
/* Reads such a name (or a single character); KEY_NONE if there is no such key. For scripts of keys. */
int key_from_name(struct slice name);

#endif
