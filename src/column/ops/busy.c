/*
 * Busy time by group, in bounded memory and on all cores.
 *
 * Spans are divided into cells: the dimensions asked for, and the lane besides, for it is threads
 * that hide each other. The cells are groups of sums as those of span_sums are, found by the same
 * code, and so plain sums come with them. Each cell keeps its spans as a list of intervals, merged
 * as they come (busy_collect.c); what hides is collected in the same way, by lane. From the cells'
 * unions follow those of groups, and what is hidden of them (busy_measure.c). Levels of groups, as
 * those of hosts and of the processes of hosts, are made of the same cells: one reading does for
 * all.
 *
 * Blocks are read in order of start, and measured as far as everything is known, so that the lists
 * stay small (busy_read.c).
 */
#include "config.h"
#include "column/ops/busy_private.h"

#include <stdlib.h>

#include "util/mem.h"

#define MEMORY_BYTES ((size_t)512 << 20)

/* --- Plans --------------------------------------------------------------- */

/* Takes the next level's dimensions off the text: up to a ';' that is in no quotes and no
 * brackets. */
static struct slice
take_level(const char **rest)
{
	struct slice level = {*rest, 0};
	int depth = 0;
	char quote = 0;

	for (; **rest && (quote || depth > 0 || **rest != ';'); ++*rest, level.len++) {
		if (quote) {
			quote = **rest == quote ? 0 : quote;
		} else if (**rest == '\'' || **rest == '"') {
			quote = **rest;
		} else {
			depth += (**rest == '(') - (**rest == ')');
		}
	}
	return slice_trim(level, " \t\n");
}

/* All levels' dimensions in one list, and how many each level has. */
static int
parse_levels(struct busy *busy, const struct dataset *dataset, struct arena *arena,
             struct strbuf *by, struct dimension_list *list, struct err *err)
{
	const char *rest = busy->request->by ? busy->request->by : "";
	bool is_last;

	do {
		struct slice level = take_level(&rest);
		is_last = *rest == 0;
		rest += !is_last;
		if (level.len > 0) {
			strbuf_add_text(by, by->len ? "," : "");
			strbuf_add(by, level.ptr, level.len);
		}
		if (busy->n_levels > SCAN_DIMENSIONS) {
			return err_set(err, ERR_QUERY, "by: more than %d levels",
			               SCAN_DIMENSIONS + 1);
		}
		if (dimension_parse(dataset, BLOCK_SPAN, by->data ? by->data : "",
		                    busy->request->parameters, arena, list, err) < 0) {
			return -1;
		}
		busy->level_dimensions[busy->n_levels++] = list->n;
	} while (!is_last);
	return 0;
}

/* `by` with the lane behind its dimensions, if it is none of them. */
static int
make_by(struct busy *busy, const struct dataset *dataset, struct strbuf *by, struct err *err)
{
	struct arena *arena = arena_new();
	struct dimension_list list = {.n = 0};
	bool has_lane = false, has_time = false;
	int status = parse_levels(busy, dataset, arena, by, &list, err);

	for (unsigned i = 0; i < list.n && status == 0; i++) {
		has_lane |= list.specs[i].dimension == ROW_LANE;
		has_time |= list.specs[i].dimension == ROW_TIME;
	}
	arena_free(arena);
	if (status == 0 && has_time) {
		status = err_set(err, ERR_QUERY,
		                 "by: busy time goes by start(WIDTH), not by time(WIDTH)");
	}
	if (status == 0 && !has_lane && list.n == SCAN_DIMENSIONS) {
		status =
		    err_set(err, ERR_QUERY, "by: more than %d dimensions", SCAN_DIMENSIONS - 1);
	}
	if (status == 0 && !has_lane) {
		strbuf_add_text(by, list.n > 0 ? ",lane" : "lane");
	}
	return status;
}

static int
side_init(struct busy *busy, struct busy_side *side, const struct dataset *dataset, const char *by,
          const char *filter, struct err *err)
{
	struct sums_request request = {
	    .kind = BLOCK_SPAN,
	    .by = by,
	    .filter = filter,
	    .unread = {[MEASURE_DURATION] = SUMS_NO_RANGE | SUMS_NO_SQUARES,
	               [MEASURE_SELF] = SUMS_NO_SUM | SUMS_NO_RANGE | SUMS_NO_SQUARES,
	               [MEASURE_SIZE] = SUMS_NO_RANGE | SUMS_NO_SQUARES},
	    .unread_times = true,
	    .unread_unfinished = true,
	    .cancel = busy->request->cancel};

	memcpy(request.parameters, busy->request->parameters, sizeof request.parameters);
	side->has_plan = true;
	if (sums_plan_init(&side->plan, dataset, &request, err)) {
		return -1;
	}
	row_column_bind(ROW_START, &side->plan.fields, &side->start_slots);
	row_column_bind(ROW_END, &side->plan.fields, &side->end_slots);
	struct block_loop loop = {.dataset = dataset};
	side->n_threads = block_loop_threads(&loop);
	MEM_NEW(side->lists, side->n_threads);
	MEM_NEW(side->n_mapped_of, side->n_threads);
	side->sums = xcalloc(side->n_threads, sizeof(struct sums_thread *));
	for (unsigned t = 0; t < side->n_threads; t++) {
		side->sums[t] = sums_thread_new(&side->plan, &side->n_groups);
	}
	side->budget = &busy->budget;
	side->room = &busy->room;
	side->first_ns = INT64_MIN;
	side->last_ns = INT64_MAX;
	side->end = SIZE_MAX;
	return 0;
}

static void
side_fini(struct busy_side *side)
{
	if (!side->has_plan) {
		return;
	}
	busy_drop(side);
	for (unsigned t = 0; t < side->n_threads; t++) {
		sums_thread_free(side->sums[t]);
	}
	free(side->sums);
	free(side->lists);
	free(side->n_mapped_of);
	free(side->carry);
	if (side->is_known) {
		group_table_fini(&side->table);
		group_totals_fini(&side->totals);
	}
	sums_plan_fini(&side->plan);
}

static int
run(struct busy *busy, const struct dataset *dataset, struct err *err)
{
	struct strbuf by = {0};
	int status = make_by(busy, dataset, &by, err);

	if (status == 0) {
		status =
		    side_init(busy, &busy->sides[0], dataset, by.data, busy->request->filter, err);
	}
	if (status == 0 && busy->has_beside &&
	    (status = side_init(busy, &busy->sides[1], dataset, "lane", busy->request->beside,
	                        err)) < 0) {
		err_wrap(err, "beside");
	}
	strbuf_free(&by);
	if (status == 0) {
		busy_find_threads(dataset, &busy->lanes);
		status = busy_read(busy, dataset, err);
		block_room_free(&busy->room);
	}
	return status;
}

struct busy *
busy_run(const struct dataset *dataset, const struct busy_request *request, struct err *err)
{
	struct busy *busy = xcalloc(1, sizeof *busy);

	busy->request = request;
	busy->has_beside = request->beside != NULL;
	busy->budget.limit_bytes = request->memory_bytes ? request->memory_bytes : MEMORY_BYTES;
	if (run(busy, dataset, err) < 0) {
		busy_free(busy);
		return NULL;
	}
	busy->request = NULL; /* the caller's */
	return busy;
}

void
busy_free(struct busy *busy)
{
	if (busy) {
		side_fini(&busy->sides[0]);
		side_fini(&busy->sides[1]);
		free(busy->lanes.threads);
		free(busy->lanes.processes);
		free(busy->lanes.process_of_thread);
		busy_free_groups(busy);
		free(busy);
	}
}

/* --- Results ------------------------------------------------------------- */

size_t
busy_count(const struct busy *busy)
{
	return busy->n_groups;
}

static unsigned
place_of(const struct busy *busy, unsigned level, enum row_column dimension)
{
	unsigned i = 0;

	while (i < busy->level_dimensions[level] &&
	       busy->sides[0].plan.dimensions.specs[i].dimension != dimension) {
		i++;
	}
	return i;
}

bool
busy_has(const struct busy *busy, enum row_column dimension)
{
	unsigned last = busy->n_levels - 1;

	return place_of(busy, last, dimension) < busy->level_dimensions[last];
}

struct scan_value
busy_key(const struct busy *busy, size_t group, enum row_column dimension)
{
	const struct busy_cells *cells = &busy->cells[group];
	unsigned place = place_of(busy, cells->level, dimension);

	return place < busy->level_dimensions[cells->level]
	           ? busy_cell_value(&busy->sides[0], busy->order[cells->first], place)
	           : (struct scan_value){.type = SCAN_NULL};
}

bool
busy_is_beside(const struct busy *busy)
{
	return busy->has_beside && busy->sides[1].table.n_groups > 0;
}

const struct busy_group *
busy_group(const struct busy *busy, size_t group)
{
	return &busy->groups[group];
}
