/*
 * What parts ask of the frame. A schedule is read when the first part asks for it and then kept, as
 * most parts need it and it is the costly step; parts that never look at it (those about I/O) never
 * pay for it.
 */
#include "config.h"
#include "explain/frame/frame.h"

#include <pthread.h>

#include "util/format.h"
#include "util/intervals.h"
#include "util/order.h"
#include "util/workers.h"

#define KEPT_RECORDS (32 << 20) /* in all runs: of more, schedules are read again */

static const struct schedule *
read_schedule(const struct explain *explain, struct explain_run *run, struct err *err)
{
	run->schedule = schedule_read(run->store, explain->cancel, err);
	if (!run->schedule && err->code != ERR_CANCELLED) {
		err_wrap(err, "%s", run->name);
	}
	return run->schedule;
}

static int
read_run(void *user, size_t item, unsigned thread, struct err *err)
{
	(void)thread;
	return read_schedule(user, explain_run_at(user, item), err) ? 0 : -1;
}

/* Tasks of two runs are read at once, a thread each. Spans are not: while they are sorted they take
 * twice the memory. */
static bool
can_read_both(const struct explain *explain)
{
	const struct explain_run *a = &explain->a[0], *b = &explain->b[0];
	return explain->n_a > 0 && explain->n_b > 0 && !a->schedule && !b->schedule &&
	       a->store != b->store && store_run(a->store)->n_tasks > 0 &&
	       store_run(b->store)->n_tasks > 0;
}

const struct schedule *
explain_schedule(struct explain *explain, struct explain_run *run, struct err *err)
{
	if (run == &explain->a[0] && can_read_both(explain)) {
		return workers_run(2, 2, read_run, explain, explain->cancel, err) ? NULL
		                                                                  : run->schedule;
	}
	return run->schedule ? run->schedule : read_schedule(explain, run, err);
}

int
explain_schedules(struct explain *explain, const struct schedule **a, const struct schedule **b,
                  struct err *err)
{
	*a = explain_schedule(explain, &explain->a[0], err);
	*b = *a ? explain_schedule(explain, &explain->b[0], err) : NULL;
	return *b ? 0 : -1;
}

bool
explain_is_failure(const struct err *why)
{
	return why->code != ERR_NONE && why->code != ERR_USAGE && why->code != ERR_LIMIT;
}

void
explain_lose(const struct explain *explain, const struct err *why)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* pairs are asked two at a time */

	if (explain->lost && explain_is_failure(why)) {
		pthread_mutex_lock(&lock);
		if (explain->lost->code == ERR_NONE) {
			*explain->lost = *why;
		}
		pthread_mutex_unlock(&lock);
	}
}

struct explain_run *
explain_run_at(const struct explain *explain, size_t i)
{
	return i < explain->n_a ? &explain->a[i] : &explain->b[i - explain->n_a];
}

const struct matching *
explain_matching(struct explain *explain, struct err *err)
{
	const struct schedule *a, *b;
	if (explain_schedules(explain, &a, &b, err)) {
		return NULL;
	}
	struct explain_run *run = &explain->a[0];
	if (!run->matching || run->matching_with != explain->b[0].store) {
		matching_free(run->matching);
		run->matching = matching_new(a, b, explain->cancel, err);
		run->matching_with = explain->b[0].store;
	}
	return run->matching;
}

void
explain_release(const struct explain *explain, struct explain_run *run)
{
	int64_t n = 0;
	for (size_t i = 0; i < explain->n_a + explain->n_b; i++) {
		struct store *store = explain_run_at(explain, i)->store;
		n += store ? store_run(store)->n_tasks + store_run(store)->n_spans : 0;
	}
	if (n > KEPT_RECORDS) {
		schedule_free(run->schedule);
		matching_free(run->matching);
		run->schedule = NULL;
		run->matching = NULL;
	}
}

const char *
explain_head(const struct explain *explain, int side)
{
	return !explain->is_of_many ? (side ? explain->b : explain->a)->name : side ? "b" : "a";
}

int64_t
explain_ran_ns(const struct schedule *schedule)
{
	return time_sub(schedule->end_ns, schedule->start_ns);
}

int64_t
explain_makespan_ns(const struct schedule *schedule)
{
	const struct schedule_summed *summed = &schedule->summed;

	return summed->records > 0 ? time_sub(summed->end_ns, summed->start_ns)
	                           : explain_ran_ns(schedule);
}

const char *
explain_bound(const struct schedule *schedule)
{
	return explain_makespan_ns(schedule) > explain_ran_ns(schedule) ? "at most " : "";
}

double
explain_share(const char *text)
{
	struct value value;
	bool ok = query_parse_value(KIND_PERCENT, slice_of(text), &value);
	return ok && value.type == VALUE_REAL ? value.real : 0;
}

int64_t
explain_integer(enum column_kind kind, const char *text)
{
	struct value value;
	bool ok = query_parse_value(kind, slice_of(text), &value);
	return ok && value.type == VALUE_INTEGER ? value.integer : 0;
}

void
explain_note_summed(struct result *result, const struct explain *explain, const char *parts)
{
	for (size_t i = 0; i < explain->n_a + explain->n_b; i++) {
		const struct explain_run *run = explain_run_at(explain, i);
		char calls[FORMAT_BYTES], records[FORMAT_BYTES], time[FORMAT_BYTES];
		if (run->schedule && run->schedule->summed.records > 0) {
			const struct schedule_summed *summed = &run->schedule->summed;
			result_add_note(
			    result,
			    "%s: %s calls in %s record%s of many calls, %s of "
			    "calls' time, are no part of %s: when each ran is not "
			    "known, and what looks idle may be theirs",
			    run->name, format_count(calls, summed->calls),
			    format_count(records, summed->records), summed->records == 1 ? "" : "s",
			    format_duration(time, summed->calls_ns), parts ? parts : "the rows");
		}
	}
}
