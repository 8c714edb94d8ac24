/* Order and double clicks. */
#include "config.h"

#include "tests/unit/unit.h"
#include "ui/term/mouse.h"

static struct mouse_event
event_at(int x, int y, int type)
{
	struct mouse_event event = {.x = x, .y = y};

	event.type = type;
	return event;
}

static void
push(struct mouse_queue *queue, int x, int y, int type)
{
	struct mouse_event event = event_at(x, y, type);

	mouse_queue_push(queue, &event);
}

START_TEST(the_oldest_comes_first)
{
	struct mouse_queue queue = {.n = 0};
	struct mouse_event event;

	push(&queue, 5, 3, MOUSE_RELEASE); /* as curses gives them: the newest first */
	push(&queue, 5, 3, MOUSE_PRESS);
	ck_assert(mouse_queue_pop(&queue, 1000, &event));
	ck_assert_int_eq(event.type, MOUSE_PRESS);
	ck_assert(mouse_queue_pop(&queue, 1000, &event));
	ck_assert_int_eq(event.type, MOUSE_RELEASE);
	ck_assert(!mouse_queue_pop(&queue, 1000, &event));
}
END_TEST

static int
press(struct mouse_queue *queue, int x, int64_t now_ms)
{
	struct mouse_event event;

	push(queue, x, 1, MOUSE_PRESS);
	ck_assert(mouse_queue_pop(queue, now_ms, &event));
	return (int)event.type;
}

START_TEST(two_presses_in_one_place_soon_are_a_double_click)
{
	struct mouse_queue queue = {.n = 0};

	ck_assert_int_eq(press(&queue, 4, 10), MOUSE_PRESS);
	ck_assert_int_eq(press(&queue, 4, 200), MOUSE_DOUBLE);
	ck_assert_int_eq(press(&queue, 4, 300), MOUSE_PRESS); /* the third begins anew */
	ck_assert_int_eq(press(&queue, 4, 900), MOUSE_PRESS); /* too late */
	ck_assert_int_eq(press(&queue, 5, 950), MOUSE_PRESS); /* elsewhere */
}
END_TEST

START_TEST(too_many_are_lost_not_written_beyond)
{
	struct mouse_queue queue = {.n = 0};
	struct mouse_event event;
	size_t n = 0;

	for (int i = 0; i < 3 * MOUSE_PENDING; i++) {
		push(&queue, i, 0, MOUSE_WHEEL_UP);
	}
	while (mouse_queue_pop(&queue, 0, &event)) {
		n++;
	}
	ck_assert_uint_eq(n, MOUSE_PENDING);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("mouse");
	TCase *tests = tcase_create("mouse");

	tcase_add_test(tests, the_oldest_comes_first);
	tcase_add_test(tests, two_presses_in_one_place_soon_are_a_double_click);
	tcase_add_test(tests, too_many_are_lost_not_written_beyond);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
