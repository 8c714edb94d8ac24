/*
 * A file that holds more than one run: somebody appended to it, joined logs, or began anew what had
 * broken off.
 *
 * Rows may be divided only where all times before are earlier than those behind (or all later), and
 * where no task and no transfer goes on (import_cascade_turns.c). Such places are in one run too
 * (it may rest), so there must be evidence as well:
 *
 *   - between the times before and behind lie years: it is another clock
 *   - the tasks begin anew
 *
 * A task that is tried again begins anew as well, so for the second the best division of the whole
 * is sought first (import_cascade_cuts.c). Of its places those are certain where, between the run
 * before and the run behind,
 *
 *   - all tasks before, several, are again behind; or one that had ended, and it is the only one
 *     behind too; or
 *   - of the side with fewer tasks at least half are on both sides, and half of them had ended or
 *     half of all that had; and of the first
 *     tasks of each side (that begin before any ends) half are the same: the beginning comes again,
 *     not what was lost;
 *
 * and where next to none that had ended stands again on one of the sides: each is one run, not two
 * at once.
 *
 * A place that is not certain is given up: the run goes on behind it. What is one run then and has
 * more than single tasks that stand twice is told. Files without tasks go by their transfers.
 */
#include "config.h"
#include "import/import_cascade_division.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/order.h"

#define YEAR_NS (INT64_C(31556952) * 1000000000)
#define FEW 16u /* one of so many */

struct division {
	struct cascade_turns *turns;
	struct import_parts *parts;
	uint32_t number; /* of the piece taken last */
};

/* Of the tasks of one side. */
struct side {
	size_t n, n_ended, n_early; /* early: begun before any had ended */
	size_t n_again;             /* turns of tasks that had ended before on this side */
	size_t end;                 /* where the first ended */
};

/* ---- what is certain ---- */

/* Turns between two cuts. */
struct piece {
	size_t first, end;
};

static size_t
first_end(const struct cascade_turns *turns, struct piece piece)
{
	size_t end = NOWHERE;

	for (size_t i = piece.first; i < piece.end; i++) {
		const struct cascade_turn *turn = &turns->turns[i];
		if (cascade_turn_counts(turns, turn)) {
			end = LEAST(turn->end, end);
		}
	}
	return end;
}

/* Counts the tasks of a piece, and marks them with its number. */
static struct side
take_side(struct division *division, struct piece piece)
{
	struct cascade_turns *turns = division->turns;
	struct side side = {.end = first_end(turns, piece)};
	uint32_t number = ++division->number;

	for (size_t i = piece.first; i < piece.end; i++) {
		const struct cascade_turn *turn = &turns->turns[i];
		struct cascade_marks *marks = &turns->subjects[turn->subject].marks[number % 2];
		if (!cascade_turn_counts(turns, turn)) {
			continue;
		}
		side.n += marks->seen != number;
		side.n_again += marks->ended == number;
		marks->seen = number;
		if (turn->end != NOWHERE && marks->ended != number) {
			marks->ended = number;
			side.n_ended++;
		}
		if (turn->first < side.end && marks->early != number) {
			marks->early = number;
			side.n_early++;
		}
	}
	return side;
}

/* Counts the tasks of the piece taken last that are of the one before it too. */
static struct side
count_both(const struct division *division, struct piece piece)
{
	const struct cascade_turns *turns = division->turns;
	uint32_t behind = division->number, before = behind - 1;
	struct side both = {0};

	for (size_t i = piece.first; i < piece.end; i++) {
		const struct cascade_turn *turn = &turns->turns[i];
		const struct cascade_marks *marks = turns->subjects[turn->subject].marks;
		bool is_first = turn->previous == NOWHERE || turn->previous < piece.first;
		if (cascade_turn_counts(turns, turn) && is_first) {
			both.n += marks[before % 2].seen == before;
			both.n_ended += marks[before % 2].ended == before;
			both.n_early +=
			    marks[before % 2].early == before && marks[behind % 2].early == behind;
		}
	}
	return both;
}

static size_t
fewer(size_t a, size_t b)
{
	return LEAST(a, b);
}

/* Why the piece behind is another run; NULL: it may be the same. */
static const char *
begins_anew(struct division *division, struct piece piece_before, struct piece piece_behind)
{
	struct side before = take_side(division, piece_before);
	struct side behind = take_side(division, piece_behind);
	struct side both = count_both(division, piece_behind);
	bool all = both.n == before.n && (both.n > 1 || (behind.n == 1 && both.n_ended == 1));
	bool half = both.n > 1 && both.n * 2 >= fewer(before.n, behind.n) &&
	            both.n_ended * 2 >= fewer(before.n_ended, both.n) &&
	            both.n_early * 2 >= fewer(before.n_early, behind.n_early);

	if (!(all || half) || (before.n_again + behind.n_again) * FEW > both.n) {
		return NULL;
	}
	return before.n_ended == before.n ? "tasks begin anew after all have ended"
	                                  : "tasks begin anew where it had broken off";
}

/* ---- division ---- */

static void
add_part(struct division *division, size_t at, const char *reason)
{
	const struct cascade_row *row = &division->turns->trace->rows[at];

	import_parts_add(division->parts, &(struct import_part){.first = cascade_place(row->offset),
	                                                        .record = row->line,
	                                                        .reason = reason,
	                                                        .is_certain = true});
}

/* Where it rests for years, and longest; `from` if nowhere. */
static size_t
another_clock(const struct cascade_turns *turns)
{
	size_t at = turns->from;

	for (size_t i = turns->from + 1; i < turns->n; i++) {
		at = turns->pauses[i] >= YEAR_NS && turns->pauses[i] > turns->pauses[at] ? i : at;
	}
	return at;
}

/* Keeps those of the cuts that are certain, with the reasons. Returns how many. */
static size_t
keep_certain(struct division *division, size_t *cuts, const char **reasons, size_t n)
{
	const struct cascade_turns *turns = division->turns;
	struct piece before = {0, 0}, behind = {0, 0};
	size_t kept = 0;

	for (size_t i = 0; i <= n; i++) {
		size_t end = i < n ? cuts[i] : turns->n;
		behind.first = behind.end;
		while (behind.end < turns->n_turns && turns->turns[behind.end].first < end) {
			behind.end++;
		}
		const char *reason = i ? begins_anew(division, before, behind) : NULL;
		if (reason) {
			cuts[kept] = cuts[i - 1];
			reasons[kept++] = reason;
			before.first = behind.first;
		}
		before.end = behind.end;
	}
	return kept;
}

/* Divides rows from..n-1. */
static void
divide(struct division *division, size_t from, size_t n)
{
	size_t *cuts;

	if (n - from < 2) {
		return;
	}
	division->number = 0;
	cascade_turns_find(division->turns, from, n);
	size_t at = another_clock(division->turns);
	if (at != from) {
		divide(division, from, at);
		add_part(division, at, "its clock jumps by years");
		divide(division, at, n);
		return;
	}
	size_t n_cuts = cascade_cuts_find(division->turns, &cuts);
	const char **reasons = xcalloc(n_cuts + 1, sizeof *reasons);
	n_cuts = keep_certain(division, cuts, reasons, n_cuts);
	for (size_t i = 0; i <= n_cuts && n_cuts > 0; i++) {
		size_t first = i ? cuts[i - 1] : from;
		if (i) {
			add_part(division, first, reasons[i - 1]);
		}
		divide(division, first, i < n_cuts ? cuts[i] : n);
	}
	free(reasons);
	free(cuts);
}

void
cascade_divide(struct cascade_trace *trace, struct import_parts *parts)
{
	struct division division = {.turns = cascade_turns_new(trace), .parts = parts};

	cascade_detect_hosts(trace);
	divide(&division, 0, trace->n_rows);
	cascade_turns_free(division.turns);
}

/* ---- what is read as one ---- */

struct cascade_repeats {
	size_t n_tasks, n_again, n_again_ended;
	size_t n_rows, n_same; /* rows that stand twice; those of the same time */
};

static struct cascade_repeats
count_repeats(struct cascade_trace *trace)
{
	struct cascade_turns *turns = cascade_turns_new(trace);
	struct intern *rows = intern_new(), *timed = intern_new();
	struct cascade_repeats repeats = {0};

	cascade_turns_find(turns, 0, trace->n_rows);
	for (size_t i = 0; i < turns->n_turns; i++) {
		const struct cascade_turn *turn = &turns->turns[i];
		bool *is_told = &turns->subjects[turn->subject].is_told;
		bool is_again = turn->previous != NOWHERE;
		if (!cascade_turn_counts(turns, turn)) {
			continue;
		}
		repeats.n_tasks += !is_again;
		repeats.n_again += is_again && !*is_told;
		repeats.n_again_ended +=
		    is_again && !*is_told && turns->turns[turn->previous].end != NOWHERE;
		*is_told |= is_again;
	}
	for (size_t i = 0; i < trace->n_rows; i++) {
		const struct cascade_row *row = &trace->rows[i];
		if (row->subject != SUBJECT_TASK && row->subject != SUBJECT_TRANSFER) {
			continue;
		}
		uint32_t key[7] = {row->subject,
		                   row->stage,
		                   row->task,
		                   row->dataset,
		                   cascade_worker_of(trace, row),
		                   (uint32_t)row->at,
		                   (uint32_t)((uint64_t)row->at >> 32)};
		uint32_t n = intern_count(rows), n_timed = intern_count(timed);
		repeats.n_rows +=
		    intern_id(rows, (struct slice){(const char *)key, 5 * sizeof *key}) != n;
		repeats.n_same +=
		    intern_id(timed, (struct slice){(const char *)key, sizeof key}) != n_timed;
	}
	intern_free(rows);
	intern_free(timed);
	cascade_turns_free(turns);
	return repeats;
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

static void
describe_repeats(struct cascade_trace *trace, struct strbuf *reason)
{
	struct cascade_repeats repeats = count_repeats(trace);

	if (repeats.n_again < 2 ||
	    (repeats.n_again * 2 < repeats.n_tasks && repeats.n_again_ended < 2)) {
		return;
	}
	if (repeats.n_same * 2 > repeats.n_rows) {
		strbuf_printf(reason,
		              "%zu rows stand twice, %zu of them with the same time: the same data "
		              "twice, which counts once",
		              repeats.n_rows, repeats.n_same);
	} else {
		strbuf_printf(
		    reason,
		    "more than one run in this file? %zu of %zu tasks begin anew, but nothing "
		    "tells "
		    "where one run ends and the next begins: what stands twice counts once",
		    repeats.n_again, repeats.n_tasks);
	}
}

int
cascade_report_parts(struct cascade_trace *trace)
{
	struct import_parts parts = {0};
	struct strbuf reason = {0};
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
	} else {
		describe_repeats(trace, &reason);
	}
	problem.reason = reason.data;
	int stop = reason.len ? sink_problem(trace->sink, &problem) : 0;
	strbuf_free(&reason);
	import_parts_free(&parts);
	return stop;
}
