/* What views with a list share: moving in it by keys and mouse, its height, and drawing it. */
#include "config.h"

#include "ui/app/view.h"

#define ABOUT_FROM 16 /* rows that a screen needs */

int
view_about_rows(const struct view *view)
{
	return view->area.height >= ABOUT_FROM ? view->ops->about : 0;
}

void
view_list_lay(struct view *view)
{
	int height = view->area.height - view->ops->head - view->ops->foot - view_about_rows(view);

	view->list->height = height > 1 ? (size_t)height : 1;
	list_settle(view->list);
}

static void
tell_moved(struct view *view)
{
	if (view->ops->moved) {
		view->ops->moved(view, false);
	}
}

bool
view_list_act(struct view *view, enum view_action action)
{
	if (!view->list || !(view->ops->is_text ? list_act_text(view->list, action)
	                                        : list_act(view->list, action))) {
		return false;
	}
	tell_moved(view);
	return true;
}

void
view_list_mouse(struct view *view, const struct mouse_event *event)
{
	int wheel_rows = view->ops->wheel_rows ? view->ops->wheel_rows : 1;
	enum list_hit hit;

	if (view->ops->is_text &&
	    (event->type == MOUSE_WHEEL_UP || event->type == MOUSE_WHEEL_DOWN)) {
		(void)view_list_act(view, event->type == MOUSE_WHEEL_UP ? ACTION_UP : ACTION_DOWN);
		return;
	}
	hit = list_mouse(view->list, event, view->area.y + view->ops->head, wheel_rows);
	if (hit != LIST_MISSED) {
		tell_moved(view);
	}
	if (hit == LIST_OPENED && view->ops->act) {
		(void)view->ops->act(view, ACTION_OPEN);
	}
}

void
view_list_draw(const struct view *view, struct canvas *canvas, const void *how)
{
	const struct list *list = view->list;
	int y = view->area.y + view->ops->head;

	for (size_t i = list->top; i < list->n && i - list->top < list->height; i++, y++) {
		view->ops->row(view, canvas, i, y, how);
		if (i == list->selected) {
			canvas_select(canvas, 0, y, view->area.width,
			              view->ops->is_text ? "" : ">");
		}
	}
}
