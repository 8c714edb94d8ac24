/* What all share that reads a schedule. */
#include "config.h"

#include "explain/schedule/schedule_private.h"

int
schedule_poll(const struct schedule_reading *reading, size_t count, struct err *err)
{
	return count % 65536 == 0 ? cancel_check(reading->cancel, err) : 0;
}

int
schedule_each(const struct schedule_reading *reading, const char *sql, size_t limit,
              const char *what, void (*row)(void *user, struct stmt *stmt), void *user,
              struct err *err)
{
	struct stmt *stmt = store_prepare(reading->store, sql, err);
	int more = 1;

	for (size_t count = 0; more > 0 && (more = stmt_step(stmt, err)) > 0; count++) {
		if (count == limit) {
			more = err_set(err, ERR_LIMIT, "more than %zu %s", limit, what);
		} else if (schedule_poll(reading, count, err)) {
			more = -1;
		} else {
			row(user, stmt);
		}
	}
	stmt_free(stmt);
	return more;
}

int64_t
schedule_time_at(struct stmt *stmt, int column)
{
	return stmt_type(stmt, column) == VALUE_INTEGER ? stmt_integer(stmt, column)
	                                                : SCHEDULE_NO_TIME;
}

uint32_t
schedule_code_at(const struct schedule *schedule, struct stmt *stmt, int column)
{
	int64_t code = stmt_type(stmt, column) == VALUE_INTEGER ? stmt_integer(stmt, column) : -1;

	return code >= 0 && (uint64_t)code < schedule->n_texts ? (uint32_t)code : SCHEDULE_NONE;
}

void
schedule_settle_lanes(struct schedule_reading *reading)
{
	struct schedule *schedule = reading->schedule;
	uint32_t before = SCHEDULE_NONE;
	size_t c = 0;

	MEM_NEW(schedule->lanes, reading->dataset->n_lanes);
	for (size_t i = 0; i < schedule->n_items; i++) {
		struct schedule_item *item = &schedule->items[i];

		if (item->lane != before) {
			before = item->lane;
			schedule->lanes[schedule->n_lanes++] =
			    (struct schedule_lane){.id = before,
			                           .name = reading->dataset->lanes[before].name,
			                           .host = reading->dataset->lanes[before].host,
			                           .first = i};
			for (; c < schedule->n_calls && schedule->calls[c].lane <= before; c++) {
				schedule->calls[c].lane = (uint32_t)schedule->n_lanes - 1;
			}
		}
		schedule->lanes[schedule->n_lanes - 1].n++;
		item->lane = (uint32_t)schedule->n_lanes - 1;
		if (item->task != SCHEDULE_NONE) {
			schedule->tasks[item->task].item = (uint32_t)i;
		}
	}
}
