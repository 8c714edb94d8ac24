/* The table of bindings, and the names of keys. A binding's first key is the one that footer and help show first. */
#include "config.h"

#include "ui/keys.h"

#include <stdio.h>

#include "util/utf8.h"

#define CONTROL(c) ((c)-64)

static const struct key_binding bindings[] = {
    {ACTION_OPEN,
     IN_RUNS | IN_QUERIES | IN_TABLE | IN_TIMELINE,
     {KEY_ENTER},
     "open",
     "open",
     "go into what is selected"},
    {ACTION_BACK, IN_ALL, {'q', KEY_BACKSPACE_ASCII}, "back", "back", "leave this view"},
    {ACTION_CANCEL,
     IN_ALL,
     {KEY_ESCAPE, CONTROL('C')},
     "cancel",
     NULL,
     "stop what runs; else clear the selection or filter; else leave"},
    {ACTION_QUIT, IN_ALL, {'Q'}, "quit", NULL, "leave lanescope"},
    {ACTION_HELP, IN_ALL, {'?', KEY_F1}, "help", "help", "the keys of this view"},
    {ACTION_REDRAW, IN_ALL, {CONTROL('L')}, "redraw", NULL, "draw the whole screen again"},
    {ACTION_GLYPHS, IN_ALL, {'~'}, "glyphs", NULL, "switch between Unicode and ASCII glyphs"},
    {ACTION_UP, IN_ALL, {'k', KEY_CURSOR_UP}, "up", NULL, "one row up"},
    {ACTION_DOWN, IN_ALL, {'j', KEY_CURSOR_DOWN}, "down", NULL, "one row down"},
    {ACTION_LEFT, IN_TABLE, {'h', KEY_CURSOR_LEFT}, "left", NULL, "one column to the left"},
    {ACTION_RIGHT, IN_TABLE, {'l', KEY_CURSOR_RIGHT}, "right", NULL, "one column to the right"},
    {ACTION_PAGE_UP, IN_ALL, {KEY_PAGE_UP, CONTROL('U')}, "page-up", NULL, "one page up"},
    {ACTION_PAGE_DOWN,
     IN_ALL,
     {KEY_PAGE_DOWN, CONTROL('D'), ' '},
     "page-down",
     NULL,
     "one page down"},
    {ACTION_FIRST, IN_ALL, {'g', KEY_FIRST}, "first", NULL, "first row, or the start of the run"},
    {ACTION_LAST, IN_ALL, {'G', KEY_LAST}, "last", NULL, "last row, or the end of the run"},
    {ACTION_TIMELINE,
     IN_RUNS | IN_QUERIES | IN_TABLE,
     {'T'},
     "timeline",
     "timeline",
     "the run's lanes over time"},
    {ACTION_SEARCH, IN_LISTS | IN_TIMELINE, {'/'}, "search", "search", "find text, from here on"},
    {ACTION_SEARCH_NEXT,
     IN_LISTS | IN_TIMELINE,
     {'n'},
     "search-next",
     NULL,
     "next place that was searched for"},
    {ACTION_SEARCH_PREVIOUS,
     IN_LISTS | IN_TIMELINE,
     {'N'},
     "search-previous",
     NULL,
     "previous place that was searched for"},
    {ACTION_FILTER,
     IN_TABLE,
     {'&'},
     "filter",
     "filter",
     "keep rows: a regular expression, or COLUMN OP VALUE (total > 1s)"},
    {ACTION_UNFILTER, IN_TABLE, {'\\'}, "unfilter", NULL, "drop the last filter"},
    {ACTION_PARAMETER,
     IN_TABLE,
     {'p'},
     "parameter",
     "parameter",
     "set a parameter of the query (NAME=VALUE) and ask again"},
    {ACTION_SORT_UP, IN_TABLE, {'['}, "sort-up", "sort", "sort by this column, smallest first"},
    {ACTION_SORT_DOWN, IN_TABLE, {']'}, "sort-down", NULL, "sort by this column, largest first"},
    {ACTION_PAN_LEFT,
     IN_TIMELINE,
     {'h', KEY_CURSOR_LEFT, 'a'},
     "pan-left",
     "pan",
     "earlier by a quarter of the screen"},
    {ACTION_PAN_RIGHT,
     IN_TIMELINE,
     {'l', KEY_CURSOR_RIGHT, 'd'},
     "pan-right",
     NULL,
     "later by a quarter of the screen"},
    {ACTION_ZOOM_IN, IN_TIMELINE, {'w', '+', 'z'}, "zoom-in", "zoom", "zoom in around the cursor"},
    {ACTION_ZOOM_OUT, IN_TIMELINE, {'s', '-', 'Z'}, "zoom-out", NULL, "zoom out around the cursor"},
    {ACTION_NEXT_CELL, IN_TIMELINE, {'.'}, "next-cell", "cell", "cursor one cell later"},
    {ACTION_PREVIOUS_CELL, IN_TIMELINE, {','}, "previous-cell", NULL, "cursor one cell earlier"},
    {ACTION_FIT, IN_TIMELINE, {'f'}, "fit", "fit", "the whole run"},
};

const struct key_binding *
key_bindings(size_t *n)
{
	*n = sizeof(bindings) / sizeof(bindings[0]);
	return bindings;
}

enum action
keys_lookup(int key, enum view_set view)
{
	size_t n;
	const struct key_binding *table = key_bindings(&n);

	if (key == '\n') {
		key = KEY_ENTER;
	} else if (key == '\b') {
		key = KEY_BACKSPACE_ASCII;
	}
	for (size_t i = 0; i < n && key != KEY_NONE; i++) {
		for (size_t k = 0; k < 4 && (table[i].views & view); k++) {
			if (table[i].keys[k] == key) {
				return table[i].action;
			}
		}
	}
	return ACTION_NONE;
}

static const struct {
	int key;
	const char *name;
} key_names[] = {
    {KEY_ENTER, "Enter"},
    {KEY_ESCAPE, "Esc"},
    {KEY_TAB, "Tab"},
    {KEY_BACK_TAB, "S-Tab"},
    {' ', "Space"},
    {KEY_BACKSPACE_ASCII, "Backspace"},
    {KEY_CURSOR_UP, "Up"},
    {KEY_CURSOR_DOWN, "Down"},
    {KEY_CURSOR_LEFT, "Left"},
    {KEY_CURSOR_RIGHT, "Right"},
    {KEY_PAGE_UP, "PgUp"},
    {KEY_PAGE_DOWN, "PgDn"},
    {KEY_FIRST, "Home"},
    {KEY_LAST, "End"},
    {KEY_DELETE, "Del"},
    {KEY_F1, "F1"},
};

const char *
key_label(int key, char out[16])
{
	for (size_t i = 0; i < sizeof(key_names) / sizeof(key_names[0]); i++) {
		if (key_names[i].key == key) {
			return key_names[i].name;
		}
	}
	if (key > 0 && key < 32) {
		snprintf(out, 16, "^%c", key + 64);
	} else {
		out[key > 0 && key < 0x110000 ? utf8_encode((uint32_t)key, out) : 0] = '\0';
	}
	return out;
}

int
key_from_name(struct slice name)
{
	size_t length;

	for (size_t i = 0; i < sizeof(key_names) / sizeof(key_names[0]); i++) {
		if (slice_is(name, key_names[i].name)) {
			return key_names[i].key;
		}
	}
	if (name.len == 2 && name.ptr[0] == '^' && name.ptr[1] >= '@' && name.ptr[1] <= '_') {
		return name.ptr[1] - 64;
	}
	if (name.len == 0) {
		return KEY_NONE;
	}
	uint32_t code = utf8_next(name, &length);
	return length == name.len ? (int)code : KEY_NONE;
}
