/* The table of bindings, and the names of keys. A binding's first key is the one that footer and help show first. */
#include "config.h"

#include "ui/base/keys.h"

#include <stdio.h>
#include <string.h>

#include "util/utf8.h"

#define CONTROL(c) ((c)-64)

/* Read before views are opened, written only by keys_bind: one program, one set of keys. */
static struct key_binding bindings[] = {
    {ACTION_OPEN,
     IN_ALL & ~(IN_HELP | IN_TEXT),
     {KEY_ENTER},
     "open",
     "open",
     "go into what is selected"},
    {ACTION_OPEN_A,
     IN_DIFF,
     {'a'},
     "open-a",
     "in A",
     "go into what is selected in run A (Enter: in B)"},
    {ACTION_BACK, IN_ALL, {'q', KEY_BACKSPACE_ASCII}, "back", "back", "leave this view"},
    {ACTION_CANCEL,
     IN_ALL,
     {KEY_ESCAPE, CONTROL('C')},
     "cancel",
     NULL,
     "stop what runs; else clear selection or filter; else leave"},
    {ACTION_QUIT, IN_ALL, {'Q'}, "quit", NULL, "leave lanescope"},
    {ACTION_HELP, IN_ALL, {'?', KEY_F1}, "help", "help", "the keys of this view"},
    {ACTION_COMMAND, IN_ALL, {':'}, "command", NULL, "type a command; Tab completes it"},
    {ACTION_REDRAW, IN_ALL, {CONTROL('L')}, "redraw", NULL, "draw the whole screen again"},
    {ACTION_RELOAD, IN_ALL & ~IN_HELP, {'R'}, "reload", NULL, "ask again"},
    {ACTION_GLYPHS, IN_ALL, {'~'}, "glyphs", NULL, "switch between Unicode and ASCII glyphs"},
    {ACTION_MOUSE,
     IN_ALL,
     {'M'},
     "mouse",
     NULL,
     "let lanescope take the mouse, or leave it to the terminal"},
    {ACTION_UP, IN_ALL, {'k', KEY_CURSOR_UP}, "up", NULL, "one row up"},
    {ACTION_DOWN, IN_ALL, {'j', KEY_CURSOR_DOWN}, "down", NULL, "one row down"},
    {ACTION_LEFT,
     IN_TABLE | IN_SPANS | IN_TEXT,
     {'h', KEY_CURSOR_LEFT},
     "left",
     NULL,
     "one column to the left"},
    {ACTION_RIGHT,
     IN_TABLE | IN_SPANS | IN_TEXT,
     {'l', KEY_CURSOR_RIGHT},
     "right",
     NULL,
     "one column to the right"},
    {ACTION_PAGE_UP, IN_ALL, {KEY_PAGE_UP, CONTROL('U')}, "page-up", NULL, "one page up"},
    {ACTION_PAGE_DOWN,
     IN_ALL,
     {KEY_PAGE_DOWN, CONTROL('D'), ' '},
     "page-down",
     NULL,
     "one page down"},
    {ACTION_FIRST, IN_ALL, {'g', KEY_FIRST}, "first", NULL, "first row, or the start of the run"},
    {ACTION_LAST, IN_ALL, {'G', KEY_LAST}, "last", NULL, "last row, or the end of the run"},
    {ACTION_NEXT_PANE, IN_OVERVIEW, {KEY_TAB}, "next-pane", "list", "to the next list"},
    {ACTION_PREVIOUS_PANE,
     IN_OVERVIEW,
     {KEY_BACK_TAB},
     "previous-pane",
     NULL,
     "to the previous list"},
    {ACTION_MARK_A, IN_RUNS, {'a'}, "mark-a", "A", "make this run A of comparisons"},
    {ACTION_MARK_B, IN_RUNS, {'b'}, "mark-b", "B", "make this run B of comparisons"},
    {ACTION_DELTA,
     IN_DIFF,
     {'%'},
     "delta",
     "delta",
     "show differences as amounts, percent or ratios"},
    {ACTION_SORT_UP,
     IN_TABLE | IN_SPANS,
     {'['},
     "sort-up",
     "sort",
     "sort by this column, smallest first"},
    {ACTION_SORT_DOWN,
     IN_TABLE | IN_SPANS,
     {']'},
     "sort-down",
     NULL,
     "sort by this column, largest first"},
    {ACTION_SORT_ADD_UP,
     IN_TABLE,
     {'{'},
     "sort-add-up",
     NULL,
     "sort equal rows by this column, smallest first"},
    {ACTION_SORT_ADD_DOWN, IN_TABLE, {'}'}, "sort-add-down", NULL, "the same, largest first"},
    {ACTION_FILTER,
     IN_TABLE | IN_SPANS | IN_TIMELINE,
     {'&'},
     "filter",
     "filter",
     "keep rows: regular expression or COLUMN OP VALUE (a > 1s)"},
    {ACTION_UNFILTER,
     IN_TABLE | IN_SPANS | IN_TIMELINE,
     {'\\'},
     "unfilter",
     NULL,
     "drop the last filter"},
    {ACTION_ZOOM_IN, IN_LANES, {'w', '+'}, "zoom-in", "zoom", "zoom in around the cursor"},
    {ACTION_ZOOM_OUT, IN_LANES, {'s', '-'}, "zoom-out", NULL, "zoom out around the cursor"},
    {ACTION_PAN_LEFT,
     IN_LANES,
     {'h', KEY_CURSOR_LEFT, 'a'},
     "pan-left",
     "pan",
     "earlier by a quarter of the screen; at the begin by a cell"},
    {ACTION_PAN_RIGHT,
     IN_LANES,
     {'l', KEY_CURSOR_RIGHT, 'd'},
     "pan-right",
     NULL,
     "later by a quarter of the screen; at the end by a cell"},
    {ACTION_NEXT_SPAN, IN_TIMELINE, {'.'}, "next-span", "span", "next span of the lane"},
    {ACTION_PREVIOUS_SPAN, IN_TIMELINE, {','}, "previous-span", NULL, "previous span of the lane"},
    {ACTION_NEXT_CELL, IN_LANES, {'>'}, "next-cell", NULL, "cursor one cell later"},
    {ACTION_PREVIOUS_CELL, IN_LANES, {'<'}, "previous-cell", NULL, "cursor one cell earlier"},
    {ACTION_NEXT_FLOW,
     IN_TIMELINE | IN_SPAN,
     {')', ']'},
     "next-flow",
     "in/output",
     "to what depends on this span: its outputs, one by one"},
    {ACTION_PREVIOUS_FLOW,
     IN_TIMELINE | IN_SPAN,
     {'(', '['},
     "previous-flow",
     NULL,
     "to what this span depends on: its inputs, one by one"},
    {ACTION_FOLD,
     IN_LANES,
     {'o', KEY_TAB},
     "fold",
     "fold",
     "fold or unfold: a host's lanes, a lane's nested spans"},
    {ACTION_FOLD_ALL,
     IN_LANES,
     {'O', KEY_BACK_TAB},
     "fold-all",
     NULL,
     "fold or unfold all hosts and lanes"},
    {ACTION_FIT,
     IN_LANES,
     {'f'},
     "fit",
     "fit",
     "zoom to the selected span or range; again: to the whole run"},
    {ACTION_MARK_RANGE,
     IN_TIMELINE,
     {'m'},
     "mark-range",
     "range",
     "mark a range, start, then end: its length, busy time, count"},
    {ACTION_COLOUR,
     IN_TIMELINE,
     {'c'},
     "colour",
     "colour",
     "colour by category, name, status or slowdown"},
    {ACTION_AGGREGATE,
     IN_TIMELINE,
     {'A'},
     "aggregate",
     NULL,
     "one row a run: work, transfer, queue and idle over time"},
    {ACTION_PAIR,
     IN_RUNS | IN_CHOICES | IN_DIFF | IN_TIMELINE,
     {'B'},
     "pair",
     NULL,
     "timelines of runs A and B over each other"},
    {ACTION_ALIGN,
     IN_PAIR,
     {'='},
     "align",
     "align",
     "align runs: from start, scaled to one length, at this span"},
    {ACTION_TABLE, IN_LANES, {'t'}, "table", NULL, "the cells of the picture as a table"},
    {ACTION_OVERVIEW,
     (IN_RUN & ~IN_OVERVIEW) | IN_RUNS,
     {'i'},
     "overview",
     NULL,
     "the run at a glance"},
    {ACTION_QUERIES,
     (IN_RUN & ~IN_QUERIES) | IN_RUNS,
     {'v'},
     "queries",
     NULL,
     "the saved queries that fit the run"},
    {ACTION_TIMELINE,
     (IN_RUN & ~IN_TIMELINE) | IN_RUNS,
     {'T'},
     "timeline",
     "timeline",
     "the run's lanes over time, at what is selected"},
    {ACTION_SPANS,
     (IN_RUN & ~IN_SPANS) | IN_RUNS,
     {'S'},
     "spans",
     NULL,
     "the spans, with the filter that stands"},
    {ACTION_PROBLEMS,
     IN_RUN | IN_RUNS,
     {'P'},
     "problems",
     NULL,
     "what could not be read, where and why"},
    {ACTION_SQL, IN_RUN | IN_RUNS, {';'}, "sql", NULL, "ask in SQL"},
    {ACTION_DIFF,
     IN_RUN | IN_RUNS,
     {'D'},
     "diff",
     "diff",
     "the same question asked of runs A and B, side by side"},
    {ACTION_EXPLAIN,
     IN_RUN | IN_RUNS,
     {'X'},
     "explain",
     NULL,
     "why B took longer than A, in parts that add up"},
    {ACTION_SWAP, IN_RUNS | IN_CHOICES | IN_DIFF | IN_PAIR, {'x'}, "swap", NULL, "swap A and B"},
    {ACTION_FREQUENCY,
     IN_TABLE,
     {'F'},
     "frequency",
     "frequency",
     "how often each value of this column occurs"},
    {ACTION_PARAMETER,
     IN_TABLE,
     {'p'},
     "parameter",
     "parameter",
     "set a parameter of the query (NAME=VALUE) and ask again"},
    {ACTION_MARK_ROW,
     IN_TABLE,
     {'m'},
     "mark-row",
     NULL,
     "mark this row; totals of marked rows stand below"},
    {ACTION_NEXT_MARKED, IN_TABLE, {'.'}, "next-marked", NULL, "next marked row"},
    {ACTION_PREVIOUS_MARKED, IN_TABLE, {','}, "previous-marked", NULL, "previous marked row"},
    {ACTION_COLUMN_LEFT,
     IN_TABLE | IN_SPANS,
     {'<'},
     "column-left",
     NULL,
     "move this column to the left"},
    {ACTION_COLUMN_RIGHT,
     IN_TABLE | IN_SPANS,
     {'>'},
     "column-right",
     NULL,
     "move this column to the right"},
    {ACTION_COLUMN_HIDE, IN_TABLE | IN_SPANS, {'-'}, "column-hide", NULL, "hide this column"},
    {ACTION_COLUMNS_SHOW,
     IN_TABLE | IN_SPANS,
     {'+'},
     "columns-show",
     NULL,
     "show all hidden columns again"},
    {ACTION_COLUMN_WIDEN,
     IN_TABLE | IN_SPANS,
     {'_'},
     "column-widen",
     NULL,
     "as wide as its longest text, and back"},
    {ACTION_SHOW_SQL, IN_TABLE | IN_QUERIES, {'s'}, "show-sql", NULL, "the query's SQL"},
    {ACTION_EDIT_SQL,
     IN_TABLE | IN_QUERIES | IN_TEXT,
     {'E'},
     "edit-sql",
     NULL,
     "open the query in $EDITOR and ask what was written"},
    {ACTION_EXPORT,
     IN_TABLE | IN_SPANS | IN_TIMELINE,
     {'e'},
     "export",
     "export",
     "write what is shown to a file; its ending says the format"},
    {ACTION_COPY,
     IN_ALL & ~IN_HELP,
     {'y'},
     "copy",
     NULL,
     "copy the selected value to the terminal's clipboard (OSC 52)"},
    {ACTION_COPY_ROW,
     IN_TABLE | IN_SPANS | IN_SPAN,
     {'Y'},
     "copy-row",
     NULL,
     "copy the selected row"},
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
};

const struct key_binding *
key_bindings(size_t *n)
{
	*n = sizeof(bindings) / sizeof(bindings[0]);
	return bindings;
}

enum view_action
keys_lookup(int key, unsigned views)
{
	size_t n;
	const struct key_binding *table = key_bindings(&n);

	if (key == '\n') {
		key = KEY_ENTER;
	} else if (key == '\b') {
		key = KEY_BACKSPACE_ASCII;
	}
	for (size_t i = 0; i < n && key != KEY_NONE; i++) {
		for (size_t k = 0; k < KEYS_A_COMMAND && (table[i].views & views); k++) {
			if (table[i].keys[k] == key) {
				return table[i].action;
			}
		}
	}
	return ACTION_NONE;
}

const struct key_binding *
key_binding_find(struct slice name)
{
	size_t n;
	const struct key_binding *table = key_bindings(&n);

	for (size_t i = 0; i < n; i++) {
		if (slice_is(name, table[i].name)) {
			return &table[i];
		}
	}
	return NULL;
}

static bool
binding_has(const struct key_binding *binding, int key)
{
	for (size_t i = 0; i < KEYS_A_COMMAND; i++) {
		if (binding->keys[i] == key) {
			return true;
		}
	}
	return false;
}

static void
binding_lose(struct key_binding *binding, int key)
{
	size_t n = 0;

	for (size_t i = 0; i < KEYS_A_COMMAND; i++) {
		if (binding->keys[i] != key) {
			binding->keys[n++] = binding->keys[i];
		}
	}
	while (n < KEYS_A_COMMAND) {
		binding->keys[n++] = KEY_NONE;
	}
}

int
keys_bind(struct slice command, const int *keys, size_t n, struct err *err)
{
	struct key_binding *binding = NULL;
	size_t n_bindings = sizeof(bindings) / sizeof(bindings[0]);

	for (size_t i = 0; i < n_bindings && !binding; i++) {
		binding = slice_is(command, bindings[i].name) ? &bindings[i] : NULL;
	}
	if (!binding) {
		return err_set(err, ERR_USAGE, "no command '%.*s' (help, ?, lists them)",
		               (int)command.len, command.ptr);
	}
	if (n > KEYS_A_COMMAND) {
		return err_set(err, ERR_USAGE, "%s: at most %d keys", binding->name,
		               KEYS_A_COMMAND);
	}
	memset(binding->keys, 0, sizeof(binding->keys));
	for (size_t k = 0; k < n; k++) {
		for (size_t i = 0; i < n_bindings; i++) {
			if (bindings[i].views & binding->views &&
			    binding_has(&bindings[i], keys[k])) {
				binding_lose(&bindings[i], keys[k]);
			}
		}
		binding->keys[k] = keys[k];
	}
	return 0;
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
