/*
 * Budgets of pieces of work that follow one another. The clock is the test's: the watch's own look
 * at it waits until the next piece has begun, or a tenth of a second where that is kept from
 * beginning meanwhile.
 */
#include "config.h"

#include <sys/syscall.h>
#include <time.h>

#include "explain/frame/watchdog.h"
#include "tests/unit/unit.h"

static _Thread_local bool is_main;
static atomic_bool has_looked = true, has_begun;

static void
sleep_ms(long ms)
{
	const struct timespec time = {ms / 1000, ms % 1000 * 1000000};

	nanosleep(&time, NULL);
}

int
clock_gettime(clockid_t clock, struct timespec *now)
{
	if (!is_main && !atomic_exchange(&has_looked, true)) {
		for (int i = 0; i < 100 && !atomic_load(&has_begun); i++) {
			sleep_ms(1);
		}
	}
	return (int)syscall(SYS_clock_gettime, clock, now);
}

START_TEST(a_budget_that_ended_does_not_end_the_next)
{
	struct err err = ERR_INIT;
	struct watchdog *watchdog;
	const struct cancel *cancel;

	is_main = true;
	atomic_store(&has_looked, false);
	watchdog = watchdog_new(NULL, &err);
	ck_assert_ptr_nonnull(watchdog);
	watchdog_arm(watchdog, 1);
	while (!atomic_load(&has_looked)) { /* the watch has read the first deadline */
		sleep_ms(1);
	}
	watchdog_disarm(watchdog);
	cancel = watchdog_arm(watchdog, INT64_C(3600) * 1000000000);
	atomic_store(&has_begun, true);
	sleep_ms(50);
	ck_assert(!cancel_requested(cancel));
	ck_assert(!watchdog_disarm(watchdog));
	watchdog_free(watchdog);
}
END_TEST

START_TEST(budgets_end_and_outer_flags_are_passed_on)
{
	struct err err = ERR_INIT;
	struct cancel outer = {false};
	struct watchdog *watchdog;
	const struct cancel *cancel;

	watchdog = watchdog_new(&outer, &err);
	ck_assert_ptr_nonnull(watchdog);
	ck_assert(cancel_requested(watchdog_arm(watchdog, 0)));
	ck_assert(watchdog_disarm(watchdog));
	cancel = watchdog_arm(watchdog, 1);
	while (!cancel_requested(cancel)) {
		sleep_ms(1);
	}
	ck_assert(watchdog_disarm(watchdog));
	cancel = watchdog_arm(watchdog, INT64_MAX);
	ck_assert(!cancel_requested(cancel));
	cancel_request(&outer);
	while (!cancel_requested(cancel)) {
		sleep_ms(1);
	}
	ck_assert(!watchdog_disarm(watchdog)); /* stopped, but not by its time */
	watchdog_free(watchdog);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("watchdog");
	TCase *tests = tcase_create("watchdog");

	tcase_add_test(tests, a_budget_that_ended_does_not_end_the_next);
	tcase_add_test(tests, budgets_end_and_outer_flags_are_passed_on);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
