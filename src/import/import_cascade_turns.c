/*
 * What repeats in a trace, and where its rows may be divided.
 *
 * Rows are taken in the order of their times: they are written only nearly so. Where all that
 * follows is earlier than all before, another clock begins, and its rows stand behind those of the
 * clock before. They may be divided where those before, in this order, are those before in the file
 * too, and where no task or transfer is amid its stages.
 */
#include "config.h"
#include "import/import_cascade_division.h"

#include <stdlib.h>

#include "util/order.h"

static int
compare_times(const void *a, const void *b)
{
	const struct timed_row *x = a, *y = b;

	ORDER_BY(x->clock, y->clock);
	ORDER_BY(x->at, y->at);
	return ORDER(x->row, y->row);
}

static void
order_rows(struct cascade_turns *turns)
{
	const struct cascade_row *rows = turns->trace->rows;
	struct timed_row *order = turns->order;
	int64_t latest = INT64_MIN, earliest = INT64_MAX;
	int64_t *latest_from = turns->pauses;
	bool is_sorted = true;

	for (size_t i = turns->n; i-- > turns->from;) {
		latest = MOST(rows[i].at, latest);
		latest_from[i] = latest;
	}
	for (size_t i = turns->from; i < turns->n; i++) {
		uint32_t clock = i > turns->from ? order[i - 1].clock : 0;
		clock += i > turns->from && latest_from[i] < earliest;
		order[i] = (struct timed_row){rows[i].at, clock, i};
		earliest = LEAST(rows[i].at, earliest);
		is_sorted &= i == turns->from || compare_times(&order[i - 1], &order[i]) < 0;
	}
	if (!is_sorted) {
		SORT(order + turns->from, turns->n - turns->from, compare_times);
	}
}

static int64_t
time_from_to(int64_t a, int64_t b)
{
	int64_t time = 0;

	return __builtin_sub_overflow(b, a, &time) ? INT64_MAX : time;
}

static void
note_pauses(struct cascade_turns *turns)
{
	const struct timed_row *order = turns->order;
	size_t last_row = turns->from;

	turns->pauses[turns->from] = 0;
	for (size_t i = turns->from + 1; i < turns->n; i++) {
		const struct timed_row *before = &order[i - 1], *row = &order[i];
		last_row = MOST(before->row, last_row);
		bool is_later = before->clock == row->clock;
		int64_t pause = is_later ? time_from_to(before->at, row->at)
		                         : time_from_to(row->at, before->at);
		turns->pauses[i] = last_row < i ? pause : 0;
	}
}

static uint32_t
subject_of(struct cascade_turns *turns, struct intern *keys, const struct cascade_row *row)
{
	bool is_task = row->subject == SUBJECT_TASK;
	uint32_t key[3] = {is_task ? row->task : row->dataset,
	                   is_task ? INTERN_NONE : cascade_worker_of(turns->trace, row), is_task};
	uint32_t id = intern_id(keys, (struct slice){(const char *)key, sizeof key});

	if (id == turns->n_subjects) {
		MEM_GROW(turns->subjects, turns->subjects_capacity, turns->n_subjects + 1);
		turns->subjects[turns->n_subjects++] =
		    (struct cascade_turn_subject){.is_task = is_task, .turn = NOWHERE};
		turns->n_tasks += is_task;
	}
	return id;
}

static bool
is_end(const struct cascade_row *row)
{
	return row->stage == STAGE_FINISHED || row->stage == STAGE_COMPLETED ||
	       row->stage == STAGE_PUBLISHED;
}

static void
take_row(struct cascade_turns *turns, struct intern *keys, size_t position)
{
	const struct cascade_row *row = &turns->trace->rows[turns->order[position].row];
	uint32_t stage = UINT32_C(1) << row->stage;

	if (row->subject != SUBJECT_TASK && row->subject != SUBJECT_TRANSFER) {
		return;
	}
	uint32_t id = subject_of(turns, keys, row);
	struct cascade_turn_subject *subject = &turns->subjects[id];
	if (subject->turn == NOWHERE || turns->turns[subject->turn].stages & stage) {
		MEM_GROW(turns->turns, turns->turns_capacity, turns->n_turns + 1);
		turns->turns[turns->n_turns] = (struct cascade_turn){
		    .subject = id, .first = position, .end = NOWHERE, .previous = subject->turn};
		subject->turn = turns->n_turns++;
	}
	struct cascade_turn *turn = &turns->turns[subject->turn];
	turn->stages |= stage;
	turn->last = position;
	turn->end = turn->end == NOWHERE && is_end(row) ? position : turn->end;
}

static void
close_places_amid(struct cascade_turns *turns)
{
	int32_t *under_way = xcalloc(turns->n - turns->from + 2, sizeof *under_way), sum = 0;

	for (size_t i = 0; i < turns->n_turns; i++) {
		under_way[turns->turns[i].first + 1 - turns->from]++;
		under_way[turns->turns[i].last + 1 - turns->from]--;
	}
	for (size_t i = turns->from; i < turns->n; i++) {
		sum += under_way[i - turns->from];
		turns->pauses[i] = sum == 0 ? turns->pauses[i] : 0;
	}
	free(under_way);
}

struct cascade_turns *
cascade_turns_new(struct cascade_trace *trace)
{
	struct cascade_turns *turns = xcalloc(1, sizeof *turns);

	turns->trace = trace;
	turns->order = xcalloc(trace->n_rows + 1, sizeof *turns->order);
	turns->pauses = xcalloc(trace->n_rows + 1, sizeof *turns->pauses);
	return turns;
}

void
cascade_turns_find(struct cascade_turns *turns, size_t from, size_t n)
{
	struct intern *keys = intern_new();

	turns->from = from;
	turns->n = n;
	turns->n_turns = turns->n_subjects = turns->n_tasks = 0;
	order_rows(turns);
	note_pauses(turns);
	for (size_t i = from; i < n; i++) {
		take_row(turns, keys, i);
	}
	close_places_amid(turns);
	intern_free(keys);
}

void
cascade_turns_free(struct cascade_turns *turns)
{
	free(turns->order);
	free(turns->pauses);
	free(turns->turns);
	free(turns->subjects);
	free(turns);
}
