#include "config.h"

#include "ui/term/mouse.h"

#define DOUBLE_CLICK_MS 400

void
mouse_queue_push(struct mouse_queue *queue, const struct mouse_event *event)
{
	if (queue->n < MOUSE_PENDING) {
		queue->pending[queue->n++] = *event;
	}
}

bool
mouse_queue_pop(struct mouse_queue *queue, int64_t now_ms, struct mouse_event *event)
{
	bool again;

	if (queue->n == 0) {
		return false;
	}
	*event = queue->pending[--queue->n];
	if (event->type != MOUSE_PRESS) {
		return true;
	}
	again = queue->last_ms > 0 && queue->last.x == event->x && queue->last.y == event->y &&
	        now_ms - queue->last_ms < DOUBLE_CLICK_MS;
	queue->last = *event;
	queue->last_ms = again ? 0 : now_ms; /* a third press is a first one */
	event->type = again ? MOUSE_DOUBLE : MOUSE_PRESS;
	return true;
}
