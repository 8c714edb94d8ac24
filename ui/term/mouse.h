/* Mouse events on their way from curses, which hands out the newest of those that came together
 * first.
 * Used by ui/app, ui/base, ui/chart, ui/lists, ui/table, ui/timeline. */
#ifndef LANESCOPE_UI_TERM_MOUSE_H
#define LANESCOPE_UI_TERM_MOUSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mouse_event {
	int x, y; /* cell of the screen */
	enum {
		MOUSE_PRESS,
		MOUSE_DOUBLE,
		MOUSE_DRAG,
		MOUSE_RELEASE,
		MOUSE_WHEEL_UP,
		MOUSE_WHEEL_DOWN
	} type;
};

#define MOUSE_PENDING 16

struct mouse_queue {
	struct mouse_event pending[MOUSE_PENDING]; /* newest first, as they were pushed */
	size_t n;
	struct mouse_event last; /* press */
	int64_t last_ms;
};
/* What does not fit is lost. */
void mouse_queue_push(struct mouse_queue *queue, const struct mouse_event *event);
/* The oldest; a second press in one place soon after the first is a double click. False if there is
 * none. */
bool mouse_queue_pop(struct mouse_queue *queue, int64_t now_ms, struct mouse_event *event);

#endif
