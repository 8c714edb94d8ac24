/*
 * task_levels(window, worker): how many tasks of workers that match the GLOB pattern `worker` wait
 * and run, in windows of time `window` ns long.
 *
 * A task waits from when it was enqueued, or where that is not recorded from the end of the last
 * task that it depends on, until it starts, and runs until it is finished. What was before the
 * scope's range is so at its start; a window counts what happens in the range only.
 *
 * Each of these is a move: up or down at an instant. Moves are sorted by time, and one pass over
 * them, and over the windows that begin meanwhile, adds up the levels times how long they last.
 * Moves are four for each task, so they lie in a workspace.
 */
#include "config.h"
#include "store/vtab.h"

#include <stdlib.h>

#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/radix.h"
#include "util/workspace.h"

#define TASKS_LIMIT (1u << 28)
#define WINDOWS_LIMIT 100000 /* that have a row though nothing happens in them */

enum move { QUEUED, LEFT, BEGUN, DONE, MOVES };
#define IS_IN_RANGE 4u /* added to a move: it counts */

enum { START, WAITS, RUNS, LASTS, WAITS_MOST, RUNS_MOST, COUNT_QUEUED, COUNT_BEGUN, COUNT_DONE };

struct level_row {
	int64_t start_ns, lasts_ns, waits_most, runs_most, queued, begun, done;
	__int128 waits, runs; /* levels times how long they lasted */
};

struct levels {
	int64_t window_ns, start_ns, end_ns; /* of the range */
	struct workspace *workspace;
	struct radix_item *moves;
	size_t n_moves, capacity;
	int64_t waits, runs; /* at the instant at hand */
	struct level_row *rows;
	size_t n, row_capacity;
};

/* ---- moves ---- */

static void
add_move(struct levels *levels, sqlite3_stmt *row, int column, enum move move, int64_t least_ns)
{
	int64_t time_ns = MOST(sqlite3_column_int64(row, column), least_ns);
	uint32_t kind = move | (time_ns >= levels->start_ns ? IS_IN_RANGE : 0);

	if (sqlite3_column_type(row, column) == SQLITE_NULL || time_ns > levels->end_ns) {
		return;
	}
	levels->moves[levels->n_moves++] =
	    (struct radix_item){radix_key(MOST(time_ns, levels->start_ns)), kind};
}

static int
take_task(void *user, sqlite3_stmt *row, struct err *err)
{
	enum { TASK_QUEUED, TASK_STARTED, TASK_FINISHED };
	struct levels *levels = user;

	if (levels->n_moves + MOVES > levels->capacity) {
		return err_set(err, ERR_FORMAT, "the run file is damaged: tasks were miscounted");
	}
	add_move(levels, row, TASK_QUEUED, QUEUED, INT64_MIN);
	if (sqlite3_column_type(row, TASK_QUEUED) != SQLITE_NULL) {
		add_move(levels, row, TASK_STARTED, LEFT, sqlite3_column_int64(row, TASK_QUEUED));
	}
	add_move(levels, row, TASK_STARTED, BEGUN, INT64_MIN);
	add_move(levels, row, TASK_FINISHED, DONE, INT64_MIN);
	return 0;
}

/* Room for all. */
static int
take_count(void *user, sqlite3_stmt *row, struct err *err)
{
	struct levels *levels = user;
	int64_t n_tasks = sqlite3_column_int64(row, 0);

	if (n_tasks > TASKS_LIMIT) {
		return err_set(err, ERR_LIMIT, "more than %u tasks", TASKS_LIMIT);
	}
	levels->capacity = (size_t)n_tasks * MOVES;
	levels->moves = workspace_array(levels->workspace, levels->capacity, sizeof *levels->moves);
	return 0;
}

static int
read_tasks(struct vtab *vtab, struct levels *levels, sqlite3_value *worker, struct err *err)
{
	static const char count[] = "SELECT count(*) FROM main.task";
	static const char tasks[] =
	    "SELECT coalesce(t.enqueued, (SELECT max(n.finished) FROM main.dependency d JOIN "
	    "main.task n ON n.id = d.from_id WHERE d.to_id = t.id AND d.type = 'task'), "
	    "t.started), t.started, t.finished FROM main.task t LEFT JOIN main.string w ON w.id = "
	    "t.worker WHERE coalesce(w.text, '') GLOB coalesce(?1, '*')";

	return vtab_take_rows(vtab, count, NULL, take_count, levels, err) ||
	       vtab_take_rows(vtab, tasks, worker, take_task, levels, err);
}

/* ---- levels ---- */

static struct level_row *
row_of(struct levels *levels, int64_t time_ns)
{
	int64_t start_ns =
	    LEAST(time_ns, levels->end_ns - 1) / levels->window_ns * levels->window_ns;

	if (levels->n == 0 || levels->rows[levels->n - 1].start_ns != start_ns) {
		MEM_GROW(levels->rows, levels->row_capacity, levels->n + 1);
		levels->rows[levels->n++] = (struct level_row){
		    .start_ns = start_ns, .waits_most = INT64_MIN, .runs_most = INT64_MIN};
	}
	return &levels->rows[levels->n - 1];
}

static void
take_move(struct levels *levels, struct level_row *row, uint32_t kind)
{
	int counts = (kind & IS_IN_RANGE) != 0;

	switch ((enum move)(kind & ~IS_IN_RANGE)) {
	case QUEUED:
		levels->waits++;
		row->queued += counts;
		break;
	case LEFT:
		levels->waits--;
		break;
	case BEGUN:
		levels->runs++;
		row->begun += counts;
		break;
	case DONE:
		levels->runs--;
		row->done += counts;
		break;
	default:
		break;
	}
}

/* The levels last until the next move, or the next window. */
static void
add_levels(const struct levels *levels, struct level_row *row, int64_t lasts_ns)
{
	row->lasts_ns += lasts_ns;
	row->waits += (__int128)levels->waits * lasts_ns;
	row->runs += (__int128)levels->runs * lasts_ns;
	row->waits_most = MOST(levels->waits, row->waits_most);
	row->runs_most = MOST(levels->runs, row->runs_most);
}

static void
sweep(struct levels *levels)
{
	const struct radix_item *moves = levels->moves;
	int64_t time_ns, step_ns;
	bool has_step = true;
	int n_steps = 1;

	time_ns = radix_number(moves[0].key);
	step_ns = time_ns / levels->window_ns * levels->window_ns;
	for (size_t i = 0; i < levels->n_moves || has_step;) {
		bool is_move = i < levels->n_moves;
		int64_t move_ns = is_move ? radix_number(moves[i].key) : INT64_MAX;
		int64_t begin_ns = has_step ? MOST(step_ns, levels->start_ns) : INT64_MAX;
		time_ns = LEAST(move_ns, begin_ns);
		struct level_row *row = row_of(levels, time_ns);
		for (; i < levels->n_moves && radix_number(moves[i].key) == time_ns; i++) {
			take_move(levels, row, moves[i].index);
		}
		while (has_step && MOST(step_ns, levels->start_ns) == time_ns) {
			step_ns = time_add(step_ns, levels->window_ns);
			has_step = step_ns < levels->end_ns && ++n_steps <= WINDOWS_LIMIT;
		}
		int64_t next_ns = has_step ? step_ns : levels->end_ns;
		if (i < levels->n_moves) {
			next_ns = LEAST(radix_number(moves[i].key), next_ns);
		}
		add_levels(levels, row, time_sub(next_ns, time_ns));
	}
}

/* ---- the table ---- */

static int
run_levels(struct vtab *vtab, struct listed_cursor *cursor, struct levels *levels, struct err *err)
{
	const struct dataset *dataset = cursor->cursor.dataset;
	const char *worker;

	if (arguments_duration(&cursor->arguments, 0, &levels->window_ns, err) ||
	    arguments_text(&cursor->arguments, 1, &worker, err)) {
		return -1;
	}
	if (levels->window_ns <= 0) {
		return err_set(err, ERR_QUERY, "window: a duration above 0");
	}
	levels->end_ns = dataset->duration_ns;
	dataset_clip(dataset, &levels->start_ns, &levels->end_ns);
	if (read_tasks(vtab, levels, cursor->arguments.values[1], err)) {
		return -1;
	}
	if (levels->n_moves > 0) {
		levels->moves = radix_sort(
		    levels->moves,
		    workspace_array(levels->workspace, levels->n_moves, sizeof *levels->moves),
		    levels->n_moves);
		sweep(levels);
	}
	return 0;
}

static int
check_rows(const struct levels *levels, struct err *err)
{
	for (size_t i = 0; i < levels->n; i++) {
		const struct level_row *row = &levels->rows[i];
		if (row->waits != (int64_t)row->waits || row->runs != (int64_t)row->runs) {
			return err_set(err, ERR_LIMIT, "a sum of times is more than 64 bits hold");
		}
	}
	return 0;
}

static int
run(struct vtab *vtab, struct listed_cursor *cursor, struct err *err)
{
	struct levels levels = {.workspace = workspace_new()};
	int status = run_levels(vtab, cursor, &levels, err);

	workspace_free(levels.workspace);
	cursor->rows = levels.rows;
	cursor->n = (int64_t)levels.n;
	return status ? -1 : check_rows(&levels, err);
}

static unsigned
read_levels(const void *rows, int64_t at, int64_t values[LISTED_COLUMNS])
{
	const struct level_row *row = (const struct level_row *)rows + at;
	const int64_t all[] = {[START] = row->start_ns,        [WAITS] = (int64_t)row->waits,
	                       [RUNS] = (int64_t)row->runs,    [LASTS] = row->lasts_ns,
	                       [WAITS_MOST] = row->waits_most, [RUNS_MOST] = row->runs_most,
	                       [COUNT_QUEUED] = row->queued,   [COUNT_BEGUN] = row->begun,
	                       [COUNT_DONE] = row->done};

	memcpy(values, all, sizeof all);
	return 0;
}

const struct listed_table vtab_task_levels_listed = {
    .arguments = {{"window", "worker"}, 2, 1, "(window [, worker])"},
    .n_columns = 9,
    .columns = {[START] = {"start", LISTED_INTEGER},
                [WAITS] = {"queue_time", LISTED_INTEGER},
                [RUNS] = {"run_time", LISTED_INTEGER},
                [LASTS] = {"lasts", LISTED_INTEGER},
                [WAITS_MOST] = {"queue_most", LISTED_INTEGER},
                [RUNS_MOST] = {"running_most", LISTED_INTEGER},
                [COUNT_QUEUED] = {"queued", LISTED_INTEGER},
                [COUNT_BEGUN] = {"begun", LISTED_INTEGER},
                [COUNT_DONE] = {"done", LISTED_INTEGER}},
    .order = {{START, false}},
    .n_order = 1,
    .run = run,
    .read = read_levels};
