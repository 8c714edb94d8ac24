/*
 * A file that holds more than one run: somebody appended, or joined logs.
 *
 * Rows are divided where two things come together: no time of the rows before lies among the times behind, and no task or transfer is under way.
 * Such places are in one run too (it may rest), so one of these must be there as well:
 *
 *   - between the times before and behind lie years: it is another clock
 *   - at least half of the tasks, of the side that has fewer, are on both sides, and begin anew on the second
 *
 * Of all places that will do the one with the longest pause is taken, and both sides are looked at again. What does not come to this is one run,
 * and a row that stands twice is told as such.
 */
#include "config.h"
#include "import/import_cascade.h"

#include <stdlib.h>

#define YEAR_NS (INT64_C(31556952) * 1000000000)

struct division {
	const struct cascade_trace *trace;
	struct import_parts *parts;
	/* Of the rows looked at: times of all up to this one, and of this and all behind. */
	int64_t *min_before, *max_before, *min_behind, *max_behind;
	int32_t *under_way; /* tasks and transfers before the row */
	int32_t *coming;    /* tasks that began before the row and begin again */
};

/* A task by its name, or a data set by its name and where it goes. */
struct life_rows {
	size_t first, last;     /* rows of its first time */
	uint32_t stages;        /* of that time, as bits */
	bool is_task, is_again; /* another time has begun */
};

static uint32_t
life_of(struct intern *keys, const struct cascade_row *row)
{
	bool is_task = row->subject == SUBJECT_TASK;
	uint32_t key[4] = {is_task ? row->task : row->dataset, is_task ? INTERN_NONE : row->worker,
	                   is_task ? INTERN_NONE : row->target, is_task};

	return intern_id(keys, (struct slice){(const char *)key, sizeof key});
}

static bool
has_life(const struct cascade_row *row)
{
	return row->subject == SUBJECT_TASK || row->subject == SUBJECT_TRANSFER;
}

/* The first row from `from` on by which a task begins another time; n if none does. Notes what is under way where. */
static size_t
find_again(struct division *division, size_t from, size_t n)
{
	struct intern *keys = intern_new();
	struct life_rows *lives = NULL;
	size_t n_lives = 0, capacity = 0, again = n;
	const struct cascade_row *rows = division->trace->rows;

	for (size_t i = from; i < n; i++) {
		if (!has_life(&rows[i])) {
			continue;
		}
		uint32_t id = life_of(keys, &rows[i]);
		if (id == n_lives) {
			lives = mem_grow(lives, &capacity, n_lives + 1, sizeof *lives);
			lives[n_lives++] = (struct life_rows){
			    .first = i, .is_task = rows[i].subject == SUBJECT_TASK};
		}
		struct life_rows *life = &lives[id];
		uint32_t stage = UINT32_C(1) << rows[i].stage;
		if (life->stages & stage && !life->is_again) {
			life->is_again = true;
			again = rows[i].subject == SUBJECT_TASK && i < again ? i : again;
		}
		if (!life->is_again) {
			life->stages |= stage;
			life->last = i;
		}
	}
	memset(division->under_way + from, 0, (n - from + 1) * sizeof *division->under_way);
	memset(division->coming + from, 0, (n - from + 1) * sizeof *division->coming);
	for (size_t i = 0; i < n_lives; i++) {
		division->under_way[lives[i].first + 1]++;
		division->under_way[lives[i].last + 1]--;
		division->coming[lives[i].first + 1] += lives[i].is_task && lives[i].is_again;
	}
	for (size_t i = from + 1; i <= n; i++) {
		division->under_way[i] += division->under_way[i - 1];
		division->coming[i] += division->coming[i - 1];
	}
	free(lives);
	intern_free(keys);
	return again;
}

static void
note_times(struct division *division, size_t from, size_t n)
{
	const struct cascade_row *rows = division->trace->rows;

	for (size_t i = from; i < n; i++) {
		int64_t at = rows[i].at;
		bool is_first = i == from;
		division->min_before[i] =
		    is_first || at < division->min_before[i - 1] ? at : division->min_before[i - 1];
		division->max_before[i] =
		    is_first || at > division->max_before[i - 1] ? at : division->max_before[i - 1];
	}
	for (size_t i = n; i-- > from;) {
		int64_t at = rows[i].at;
		bool is_last = i + 1 == n;
		division->min_behind[i] =
		    is_last || at < division->min_behind[i + 1] ? at : division->min_behind[i + 1];
		division->max_behind[i] =
		    is_last || at > division->max_behind[i + 1] ? at : division->max_behind[i + 1];
	}
}

/* The time between the rows before row i and the others; 0 where they have times in common. */
static int64_t
pause_before(const struct division *division, size_t i)
{
	int64_t later = division->min_behind[i], end = division->max_before[i - 1];
	int64_t earlier = division->max_behind[i], begin = division->min_before[i - 1];
	int64_t pause = 0;

	if (later > end) {
		return __builtin_sub_overflow(later, end, &pause) ? INT64_MAX : pause;
	}
	if (earlier < begin) {
		return __builtin_sub_overflow(begin, earlier, &pause) ? INT64_MAX : pause;
	}
	return 0;
}

/* Where it rests longest, of the rows up to `last` at which most tasks have begun that begin again; `from` if nowhere. */
static size_t
longest_pause(const struct division *division, size_t from, size_t last, bool by_tasks)
{
	size_t best = from;
	int64_t best_pause = 0;

	for (size_t i = from + 1; i <= last; i++) {
		int64_t pause = division->under_way[i] == 0 ? pause_before(division, i) : 0;
		bool has_more = by_tasks && division->coming[i] > division->coming[best];
		if (pause > best_pause || (pause > 0 && has_more)) {
			best = i;
			best_pause = pause;
		}
	}
	return best;
}

/* Do most of the tasks before row `at` begin anew behind it? */
static bool
begin_anew(const struct division *division, size_t from, size_t at, size_t n)
{
	const struct cascade_row *rows = division->trace->rows;
	struct intern *before = intern_new(), *behind = intern_new();
	uint8_t *stages = xcalloc(at - from + 1, sizeof *stages); /* the first of each */
	struct intern *again = intern_new();

	for (size_t i = from; i < n; i++) {
		if (rows[i].subject != SUBJECT_TASK) {
			continue;
		}
		struct slice key = {(const char *)&rows[i].task, sizeof rows[i].task};
		uint32_t known = intern_count(before);
		uint32_t id = i < at ? intern_id(before, key) : intern_find(before, key);
		if (i >= at) {
			intern_id(behind, key);
			if (id != INTERN_NONE && stages[id] == rows[i].stage) {
				intern_id(again, key);
			}
		} else if (id == known || rows[i].stage < stages[id]) {
			stages[id] = rows[i].stage;
		}
	}
	size_t n_before = intern_count(before), n_behind = intern_count(behind);
	size_t fewer = n_before < n_behind ? n_before : n_behind, n_again = intern_count(again);
	intern_free(again);
	intern_free(before);
	intern_free(behind);
	free(stages);
	return n_again > 0 && n_again * 2 >= fewer;
}

/* Divides rows from..n-1. */
static void
divide(struct division *division, size_t from, size_t n)
{
	const struct cascade_row *rows = division->trace->rows;
	const char *reason = "its clock jumps by years";

	if (n - from < 2) {
		return;
	}
	note_times(division, from, n);
	size_t again = find_again(division, from, n);
	size_t at = longest_pause(division, from, n - 1, false);
	if (at == from || pause_before(division, at) < YEAR_NS) {
		at = again < n ? longest_pause(division, from, again, true) : from;
		if (at == from || !begin_anew(division, from, at, n)) {
			return;
		}
		reason = "tasks begin anew after all have ended";
	}
	divide(division, from, at);
	import_parts_add(division->parts,
	                 &(struct import_part){.first = cascade_place(rows[at].offset),
	                                       .record = rows[at].line,
	                                       .reason = reason,
	                                       .is_certain = true});
	divide(division, at, n);
}

void
cascade_divide(const struct cascade_trace *trace, struct import_parts *parts)
{
	size_t n = trace->n_rows;
	struct division division = {
	    .trace = trace,
	    .parts = parts,
	    .min_before = xcalloc(n + 1, sizeof(int64_t)),
	    .max_before = xcalloc(n + 1, sizeof(int64_t)),
	    .min_behind = xcalloc(n + 1, sizeof(int64_t)),
	    .max_behind = xcalloc(n + 1, sizeof(int64_t)),
	    .under_way = xcalloc(n + 2, sizeof(int32_t)),
	    .coming = xcalloc(n + 2, sizeof(int32_t)),
	};

	divide(&division, 0, n);
	free(division.min_before);
	free(division.max_before);
	free(division.min_behind);
	free(division.max_behind);
	free(division.under_way);
	free(division.coming);
}

/* Do most of the tasks have rows that stand twice? */
static bool
most_stand_twice(const struct cascade_trace *trace)
{
	struct intern *rows = intern_new(), *tasks = intern_new(), *twice = intern_new();

	for (size_t i = 0; i < trace->n_rows; i++) {
		const struct cascade_row *row = &trace->rows[i];
		uint32_t key[2] = {row->task, row->stage};
		uint32_t n = intern_count(rows);
		struct slice task = {(const char *)&row->task, sizeof row->task};
		if (row->subject != SUBJECT_TASK) {
			continue;
		}
		intern_id(tasks, task);
		if (intern_id(rows, (struct slice){(const char *)key, sizeof key}) != n) {
			intern_id(twice, task);
		}
	}
	bool most = intern_count(twice) > 1 && intern_count(twice) * 2 >= intern_count(tasks);
	intern_free(rows);
	intern_free(tasks);
	intern_free(twice);
	return most;
}

static const struct cascade_row *
row_at(const struct cascade_trace *trace, uint64_t place)
{
	size_t i = 0;

	while (i + 1 < trace->n_rows && cascade_place(trace->rows[i].offset) < place) {
		i++;
	}
	return &trace->rows[i];
}

int
cascade_report_parts(struct cascade_trace *trace)
{
	struct import_parts parts = {NULL, 0, 0};
	struct strbuf reason = {NULL, 0, 0};
	struct problem problem = {.kind = PROBLEM_SUSPICIOUS};

	cascade_divide(trace, &parts);
	if (parts.n) {
		const struct cascade_row *first = row_at(trace, parts.parts[0].first);
		problem.record = first->line;
		problem.offset = first->offset;
		strbuf_printf(
		    &reason,
		    "more than one run in this file, read as one: here %s; imported from a "
		    "file and without --one they are runs of their own",
		    parts.parts[0].reason);
	} else if (most_stand_twice(trace)) {
		strbuf_add_text(
		    &reason,
		    "more than one run in this file? Most of its tasks have rows that stand "
		    "several times, but nothing tells where one ends and the next begins: "
		    "what stands twice counts once");
	}
	problem.reason = reason.data;
	int stop = reason.len ? trace->sink->problem(trace->sink->user, &problem) : 0;
	strbuf_free(&reason);
	import_parts_free(&parts);
	return stop;
}
