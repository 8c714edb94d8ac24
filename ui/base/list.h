/* Selection and scrolling of a list of rows: the same keys everywhere.
 * Used by ui/app, ui/chart, ui/lists, ui/table, ui/timeline. */
#ifndef LANESCOPE_UI_BASE_LIST_H
#define LANESCOPE_UI_BASE_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include "ui/base/keys.h"
#include "ui/term/mouse.h"

struct list {
	size_t n, selected, top;
	size_t height; /* rows on the screen */
};

/* Keeps the selection inside the list and on the screen. Call after n, height or selected
 * changed. */
void list_settle(struct list *list);
/* "5 more below   ", if there are. */
void list_say_more(const struct list *list, struct strbuf *out);
/* True if the action is one that moves in a list. */
bool list_act(struct list *list, enum view_action action);

/* The same for a text, which scrolls at the first key: the selection stays where it is as long as
 * it is on the screen. */
bool list_act_text(struct list *list, enum view_action action);

enum list_hit { LIST_MISSED, LIST_SELECTED, LIST_OPENED };
/* The mouse on a list whose first row stands at y of the screen: the wheel moves by so many rows, a
 * press selects, a double click opens. */
enum list_hit list_mouse(struct list *list, const struct mouse_event *event, int y, int wheel_rows);

#endif
