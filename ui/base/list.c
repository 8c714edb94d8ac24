#include "config.h"

#include "ui/base/list.h"

void
list_settle(struct list *list)
{
	size_t height = list->height ? list->height : 1;

	if (list->n == 0) {
		list->selected = list->top = 0;
		return;
	}
	if (list->selected >= list->n) {
		list->selected = list->n - 1;
	}
	if (list->top > list->selected) {
		list->top = list->selected;
	}
	if (list->selected - list->top >= height) {
		list->top = list->selected - height + 1;
	}
	if (list->top + height > list->n) {
		list->top = list->n > height ? list->n - height : 0;
	}
}

bool
list_act(struct list *list, enum view_action action)
{
	size_t page = list->height > 1 ? list->height - 1 : 1;

	switch (action) {
	case ACTION_UP:
		list->selected -= list->selected > 0;
		break;
	case ACTION_DOWN:
		list->selected++;
		break;
	case ACTION_PAGE_UP:
		list->selected -= list->selected < page ? list->selected : page;
		break;
	case ACTION_PAGE_DOWN:
		list->selected += page;
		break;
	case ACTION_FIRST:
		list->selected = 0;
		break;
	case ACTION_LAST:
		list->selected = list->n; /* settles on the last row */
		break;
	default:
		return false;
	}
	list_settle(list);
	return true;
}

bool
list_act_text(struct list *list, enum view_action action)
{
	size_t page = list->height > 1 ? list->height - 1 : 1, top = list->top;
	size_t last_top = list->n > list->height ? list->n - list->height : 0;
	size_t up = action == ACTION_UP ? 1 : action == ACTION_PAGE_UP ? page : 0;
	size_t down = action == ACTION_DOWN ? 1 : action == ACTION_PAGE_DOWN ? page : 0;

	top -= up < top ? up : top;
	top = top + down < last_top ? top + down : last_top;
	if (up + down == 0 || top == list->top) { /* by the selection, to the ends */
		return list_act(list, action);
	}
	list->top = top;
	if (list->selected < top) {
		list->selected = top;
	} else if (list->selected >= top + list->height) {
		list->selected = top + list->height - 1;
	}
	return true;
}

enum list_hit
list_mouse(struct list *list, const struct mouse_event *event, int y, int wheel_rows)
{
	size_t row = (size_t)(event->y - y);

	switch (event->type) {
	case MOUSE_WHEEL_UP:
	case MOUSE_WHEEL_DOWN:
		for (int i = 0; i < wheel_rows; i++) {
			(void)list_act(list,
			               event->type == MOUSE_WHEEL_UP ? ACTION_UP : ACTION_DOWN);
		}
		return LIST_SELECTED;
	case MOUSE_PRESS:
	case MOUSE_DOUBLE:
		if (event->y < y || row >= list->height || list->top + row >= list->n) {
			return LIST_MISSED;
		}
		list->selected = list->top + row;
		return event->type == MOUSE_DOUBLE ? LIST_OPENED : LIST_SELECTED;
	default:
		return LIST_MISSED;
	}
}

void
list_say_more(const struct list *list, struct strbuf *out)
{
	if (list->top + list->height < list->n) {
		strbuf_printf(out, "%zu more below   ", list->n - list->top - list->height);
	}
}
