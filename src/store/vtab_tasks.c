/*
 * task_sums(lanes): what the tasks of lanes whose names match the GLOB pattern `lanes` (NULL: of
 * all) took, as it was recorded, a row for each worker and key. Lanes of the same host (or process)
 * and thread are one worker, called by the first of them.
 *
 * Tasks are read once, in the order of their ids, in which times are added: so sums come out to the
 * last digit as a loop over the records has them. A group is found by hash. Rows are given by
 * recorded_sum, the largest first, and nr, so that SQLite need not sort them. Groups may be as many
 * as tasks, so all lies in a workspace.
 */
#include "config.h"
#include "store/vtab.h"

#include <math.h>
#include <stdlib.h>

#include "store/functions.h"
#include "util/intern.h"
#include "util/mem.h"
#include "util/radix.h"
#include "util/workspace.h"

#define TASKS_LIMIT (UINT32_MAX / 4) /* groups have numbers of 32 bits, and twice as many slots */
#define NO_SIZE INT64_MIN

enum { WORKER, KEY, KIND, N, RECORDED_SUM, WORKER_SUM, SIZE, NR, COLUMNS };

struct task_group {
	double recorded_sum;        /* NAN: none */
	uint32_t worker, key, kind; /* worker: its number; kind: of its first task */
	uint32_t n, nr;
	bool is_recorded;
};

/* A row, with all that it shows: rows are read in order, but lie anywhere among the groups. */
struct task_row {
	double recorded_sum, worker_sum;
	int64_t size;
	uint32_t worker, key, kind, n, nr; /* worker: its lane */
};

struct task_worker {
	double recorded_sum; /* NAN: none */
	uint32_t lane, n_groups;
	bool is_recorded;
};

struct task_sums {
	struct workspace *workspace;
	uint32_t *lane_of_lane; /* the worker's; UINT32_MAX: its tasks are not asked for */
	uint32_t *worker_of_lane;
	struct task_worker *workers; /* in the order in which they were met, as the groups */
	uint32_t n_workers;
	struct task_group *groups;
	size_t n, capacity;
	uint32_t *slots; /* a group's number + 1, by hash of worker and key; 0: free */
	size_t n_slots;
	int64_t *sizes; /* by key: of its last task, of any lane */
	uint32_t n_lanes, n_texts;
	struct task_row *rows;
};

static void
free_sums(void *rows)
{
	struct task_sums *sums = rows;

	if (sums) {
		workspace_free(sums->workspace);
		free(sums);
	}
}

/* ---- reading ---- */

/* A number below n, or n: it is none. */
static uint32_t
number_below(sqlite3_stmt *row, int column, uint32_t n)
{
	int64_t number = sqlite3_column_int64(row, column);

	return sqlite3_column_type(row, column) == SQLITE_INTEGER && number >= 0 && number < n
	           ? (uint32_t)number
	           : n;
}

static int
take_lane(void *user, sqlite3_stmt *row, struct err *err)
{
	struct task_sums *sums = user;
	uint32_t lane = number_below(row, 0, sums->n_lanes);

	(void)err;
	if (lane < sums->n_lanes) {
		sums->lane_of_lane[lane] = number_below(row, 1, sums->n_lanes);
	}
	return 0;
}

static int
take_count(void *user, sqlite3_stmt *row, struct err *err)
{
	struct task_sums *sums = user;
	int64_t n = sqlite3_column_int64(row, 0);

	if (n > TASKS_LIMIT) {
		return err_set(err, ERR_LIMIT, "more than %u tasks", TASKS_LIMIT);
	}
	sums->capacity = (size_t)n;
	sums->n_slots = 2;
	while (sums->n_slots < 2 * sums->capacity) {
		sums->n_slots *= 2;
	}
	sums->groups = workspace_array(sums->workspace, sums->capacity, sizeof *sums->groups);
	sums->slots = workspace_array(sums->workspace, sums->n_slots, sizeof *sums->slots);
	return 0;
}

/* NULL: there is no room for one more. */
static struct task_group *
find_group(struct task_sums *sums, uint32_t worker, uint32_t key)
{
	size_t at = hash_mix((uint64_t)worker << 32 | key) & (sums->n_slots - 1);

	for (; sums->slots[at] > 0; at = (at + 1) & (sums->n_slots - 1)) {
		struct task_group *group = &sums->groups[sums->slots[at] - 1];
		if (group->key == key && group->worker == worker) {
			return group;
		}
	}
	if (sums->n == sums->capacity) {
		return NULL;
	}
	struct task_group *group = &sums->groups[sums->n++];
	*group = (struct task_group){
	    .worker = worker, .key = key, .nr = sums->workers[worker].n_groups++};
	sums->slots[at] = (uint32_t)sums->n;
	return group;
}

static uint32_t
find_worker(struct task_sums *sums, uint32_t lane)
{
	uint32_t first = sums->lane_of_lane[lane];

	if (sums->worker_of_lane[first] == 0) {
		sums->workers[sums->n_workers].lane = first;
		sums->worker_of_lane[first] = ++sums->n_workers;
	}
	return sums->worker_of_lane[first] - 1;
}

static int
take_task(void *user, sqlite3_stmt *row, struct err *err)
{
	enum { TASK_KEY, TASK_KIND, TASK_LANE, TASK_DURATION, TASK_SIZE };
	struct task_sums *sums = user;
	uint32_t key = number_below(row, TASK_KEY, sums->n_texts);
	uint32_t lane = number_below(row, TASK_LANE, sums->n_lanes);

	sums->sizes[key] = sqlite3_column_type(row, TASK_SIZE) == SQLITE_NULL
	                       ? NO_SIZE
	                       : sqlite3_column_int64(row, TASK_SIZE);
	if (lane == sums->n_lanes || sums->lane_of_lane[lane] == UINT32_MAX) {
		return 0;
	}
	struct task_group *group = find_group(sums, find_worker(sums, lane), key);
	if (!group) {
		return err_set(err, ERR_FORMAT, "the run file is damaged: tasks were miscounted");
	}
	if (group->n++ == 0) {
		group->kind = number_below(row, TASK_KIND, sums->n_texts);
	}
	if (sqlite3_column_type(row, TASK_DURATION) != SQLITE_NULL) {
		group->recorded_sum += sqlite3_column_double(row, TASK_DURATION);
		group->is_recorded = true;
	}
	return 0;
}

/* ---- groups in order ---- */

/* Sums of workers, from left to right; numbers go worker by worker. */
static void
finish_workers(struct task_sums *sums)
{
	uint32_t first = 0;

	for (size_t g = 0; g < sums->n; g++) {
		struct task_group *group = &sums->groups[g];
		struct task_worker *worker = &sums->workers[group->worker];
		group->recorded_sum = group->is_recorded ? group->recorded_sum : NAN;
		if (!isnan(group->recorded_sum)) {
			worker->recorded_sum += group->recorded_sum;
			worker->is_recorded = true;
		}
	}
	for (uint32_t w = 0; w < sums->n_workers; w++) {
		uint32_t n = sums->workers[w].n_groups;
		sums->workers[w].n_groups = first; /* from now on: of those before it */
		first += n;
		if (!sums->workers[w].is_recorded) {
			sums->workers[w].recorded_sum = NAN;
		}
	}
	for (size_t g = 0; g < sums->n; g++) {
		sums->groups[g].nr += sums->workers[sums->groups[g].worker].n_groups;
	}
}

static void
sort_groups(struct task_sums *sums)
{
	size_t n = sums->n;
	struct radix_item *items = workspace_array(sums->workspace, n, sizeof *items),
			  *other = workspace_array(sums->workspace, n, sizeof *other);

	sums->rows = workspace_array(sums->workspace, n, sizeof *sums->rows);
	for (size_t g = 0; g < n; g++) {
		const struct task_group *group = &sums->groups[g];
		bool is_known = !isnan(group->recorded_sum);
		items[group->nr] = (struct radix_item){
		    is_known ? ~order_of_real(group->recorded_sum) : UINT64_MAX, (uint32_t)g};
	}
	items = radix_sort(items, other, n);
	for (size_t i = 0; i < n; i++) {
		const struct task_group *group = &sums->groups[items[i].index];
		const struct task_worker *worker = &sums->workers[group->worker];
		sums->rows[i] = (struct task_row){group->recorded_sum,
		                                  worker->recorded_sum,
		                                  sums->sizes[group->key],
		                                  worker->lane,
		                                  group->key,
		                                  group->kind,
		                                  group->n,
		                                  group->nr};
	}
}

/* ---- the table ---- */

static int
run(struct vtab *vtab, struct listed_cursor *cursor, struct err *err)
{
	const struct dataset *dataset = cursor->cursor.dataset;
	struct task_sums *sums = xcalloc(1, sizeof *sums);
	const char *pattern;

	cursor->rows = sums;
	sums->workspace = workspace_new();
	sums->n_lanes = dataset->n_lanes;
	sums->n_texts = dataset->n_texts;
	size_t n_lanes = (size_t)sums->n_lanes + 1;
	sums->lane_of_lane = workspace_array(sums->workspace, n_lanes, sizeof(uint32_t));
	sums->worker_of_lane = workspace_array(sums->workspace, n_lanes, sizeof(uint32_t));
	sums->workers = workspace_array(sums->workspace, n_lanes, sizeof *sums->workers);
	sums->sizes =
	    workspace_array(sums->workspace, (size_t)sums->n_texts + 1, sizeof *sums->sizes);
	memset(sums->lane_of_lane, 0xff, n_lanes * sizeof(uint32_t));
	if (arguments_text(&cursor->arguments, 0, &pattern, err) ||
	    vtab_take_rows(vtab,
	                   "SELECT id, first_value(id) OVER (PARTITION BY coalesce(host, process), "
	                   "thread ORDER BY id) FROM main.lanes WHERE name GLOB coalesce(?1, '*')",
	                   cursor->arguments.values[0], take_lane, sums, err) ||
	    vtab_take_rows(vtab, "SELECT count(*) FROM main.task", NULL, take_count, sums, err) ||
	    vtab_take_rows(vtab,
	                   "SELECT key, kind, lane, recorded_duration, size FROM main.task "
	                   "ORDER BY id",
	                   NULL, take_task, sums, err)) {
		return -1;
	}
	finish_workers(sums);
	sort_groups(sums);
	cursor->n = (int64_t)sums->n;
	return 0;
}

static unsigned
read_group(const void *rows, int64_t row, int64_t values[LISTED_COLUMNS])
{
	const struct task_row *of = &((const struct task_sums *)rows)->rows[row];

	values[WORKER] = of->worker;
	values[KEY] = of->key;
	values[KIND] = of->kind;
	values[N] = of->n;
	memcpy(&values[RECORDED_SUM], &of->recorded_sum, sizeof(double));
	memcpy(&values[WORKER_SUM], &of->worker_sum, sizeof(double));
	values[SIZE] = of->size;
	values[NR] = of->nr;
	return (isnan(of->recorded_sum) ? 1u << RECORDED_SUM : 0) |
	       (isnan(of->worker_sum) ? 1u << WORKER_SUM : 0) |
	       (of->size == NO_SIZE ? 1u << SIZE : 0);
}

const struct listed_table vtab_task_sums_listed = {
    .arguments = {{"lanes"}, 1, 0, "([lanes])"},
    .n_columns = COLUMNS,
    .columns = {[WORKER] = {"worker", LISTED_INTEGER},
                [KEY] = {"key", LISTED_TEXT},
                [KIND] = {"kind", LISTED_TEXT},
                [N] = {"n", LISTED_INTEGER},
                [RECORDED_SUM] = {"recorded_sum", LISTED_REAL},
                [WORKER_SUM] = {"worker_sum", LISTED_REAL},
                [SIZE] = {"size", LISTED_INTEGER},
                [NR] = {"nr", LISTED_INTEGER}},
    .order = {{RECORDED_SUM, true}, {NR, false}},
    .n_order = 2,
    .run = run,
    .read = read_group,
    .free_rows = free_sums};
