/* Selection and scrolling of a list of rows: the same keys everywhere. */
#ifndef LANESCOPE_UI_LIST_H
#define LANESCOPE_UI_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include "ui/keys.h"

struct list {
	size_t n, selected, top;
	size_t height; /* rows on the screen */
};

/* Keeps the selection inside the list and on the screen. Call after n, height or selected changed. */
void list_settle(struct list *list);
/* True if the action is one that moves in a list. */
bool list_act(struct list *list, enum action action);

/* Where a search goes: on from the selected row itself (while the text is typed), or beyond it, either way. */
enum list_search { SEARCH_HERE, SEARCH_NEXT, SEARCH_PREVIOUS };
/* Selects the nearest row that matches, around the end; false if none does. */
bool list_find(struct list *list, enum list_search where,
               bool (*matches)(const void *user, size_t row), const void *user);

#endif
