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
list_act(struct list *list, enum action action)
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
		list->selected = list->n ? list->n - 1 : 0;
		break;
	default:
		return false;
	}
	list_settle(list);
	return true;
}
