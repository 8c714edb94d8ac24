/*
 * makespan: from when to when a run ran, one row, or none where nothing did. Whoever tells a run's
 * makespan reads it here, so that all tell the same.
 *
 * Of a run with tasks, from the first planned time (of any task) or the first start, whichever is
 * earlier, to the last end of a task that ran on a lane; of any other, from the first start of a
 * span to the last end, of all lanes but those that repeat what others hold. Spans without length
 * begin and end it as others do. recorded_start and recorded_finish are the same without records
 * that stand for many calls, of which only the intervals that they report are known: NULL where
 * there is nothing else.
 */
#include "config.h"
#include "store/vtab.h"

#include "util/mem.h"

enum { START, FINISH, DURATION, RECORDED_START, RECORDED_FINISH, IS_PLANNED, COLUMNS };

struct makespan {
	int64_t values[COLUMNS];
	unsigned missing; /* mask of columns */
};

static const char sql[] =
    "WITH ran AS (SELECT min(started) AS start, max(coalesce(published, finished, computed)) AS "
    "finish FROM main.task WHERE lane IS NOT NULL AND started <= coalesce(published, finished, "
    "computed)), plan AS (SELECT min(planned) AS start FROM main.task), spans AS (SELECT "
    "min(start_min) AS start, max(finish_max) AS finish, min(CASE WHEN kind <> 'aggregate' THEN "
    "start_min END) AS recorded_start, max(CASE WHEN kind <> 'aggregate' THEN finish_max END) AS "
    "recorded_finish FROM main.work_total JOIN main.lane ON lane.id = work_total.lane), extent AS "
    "(SELECT min(ran.start, coalesce(plan.start, ran.start)) AS start, finish, min(ran.start, "
    "coalesce(plan.start, ran.start)) AS recorded_start, finish AS recorded_finish, "
    "coalesce(plan.start <= ran.start, 0) AS is_planned FROM ran, plan "
    "UNION ALL SELECT *, 0 FROM spans WHERE NOT EXISTS (SELECT 1 FROM main.task)) "
    "SELECT start, finish, finish - start, recorded_start, recorded_finish, is_planned FROM extent "
    "WHERE start IS NOT NULL";

/* Of what reaches out of the scope's range, as tasks do, the part inside counts. */
static void
clip(const struct dataset *dataset, struct makespan *row)
{
	dataset_clip(dataset, &row->values[START], &row->values[FINISH]);
	dataset_clip(dataset, &row->values[RECORDED_START], &row->values[RECORDED_FINISH]);
	row->values[DURATION] = row->values[FINISH] - row->values[START];
}

static int
run(struct vtab *vtab, struct listed_cursor *cursor, struct err *err)
{
	sqlite3_stmt *stmt;
	const struct dataset *dataset = cursor->cursor.dataset;
	int result = vtab_prepare(vtab, sql, &stmt);

	if (result == SQLITE_OK && (result = sqlite3_step(stmt)) == SQLITE_ROW) {
		struct makespan *row = xcalloc(1, sizeof *row);
		for (int c = 0; c < COLUMNS; c++) {
			row->values[c] = sqlite3_column_int64(stmt, c);
			row->missing |= (unsigned)(sqlite3_column_type(stmt, c) == SQLITE_NULL)
			                << c;
		}
		if (dataset->scope.has_range) {
			clip(dataset, row);
		}
		cursor->rows = row;
		cursor->n = 1;
	}
	int rc = result == SQLITE_ROW || result == SQLITE_DONE
	             ? 0
	             : err_of_file(vtab_connection(vtab), result, "makespan", err);
	(void)sqlite3_finalize(stmt);
	return rc;
}

static unsigned
read_makespan(const void *rows, int64_t row, int64_t values[LISTED_COLUMNS])
{
	const struct makespan *makespan = (const struct makespan *)rows + row;

	memcpy(values, makespan->values, sizeof makespan->values);
	return makespan->missing;
}

const struct listed_table vtab_makespan_listed = {.n_columns = COLUMNS,
                                                  .columns = {{"start", 0},
                                                              {"finish", 0},
                                                              {"duration", 0},
                                                              {"recorded_start", 0},
                                                              {"recorded_finish", 0},
                                                              {"is_planned", 0}},
                                                  .run = run,
                                                  .read = read_makespan};
