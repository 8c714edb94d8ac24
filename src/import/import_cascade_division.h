/* Between the files that divide a file's rows into runs: import_cascade_parts.c tells the rules.
 * Used by its room alone. */
#ifndef LANESCOPE_IMPORT_IMPORT_CASCADE_DIVISION_H
#define LANESCOPE_IMPORT_IMPORT_CASCADE_DIVISION_H

#include "import/import_cascade.h"

#define NOWHERE SIZE_MAX

/* A row in the order of times. */
struct timed_row {
	int64_t at;
	uint32_t clock; /* of those by which the file goes, one after the other */
	size_t row;
};

/* What a task or transfer goes through until one of its stages stands again. */
struct cascade_turn {
	uint32_t subject;
	uint32_t stages;    /* as bits */
	size_t first, last; /* positions in the order of times */
	size_t end;         /* where it ended; NOWHERE: it did not */
	size_t previous;    /* turn of the same subject; NOWHERE: none */
};

/* Of a task, the number of a piece where it was seen, ended, began before any ended. */
struct cascade_marks {
	uint32_t seen, ended, early;
};
struct cascade_turn_subject {
	bool is_task, is_told;
	size_t turn;                   /* its last one so far */
	struct cascade_marks marks[2]; /* of pieces of even and odd numbers */
};

/* The rows from..n-1 of a trace, and where they may be divided. Arrays of rows are indexed from 0,
 * whatever `from` is. */
struct cascade_turns {
	struct cascade_trace *trace;
	size_t from, n;
	struct timed_row *order;
	int64_t *pauses; /* before the row at that position; 0: they can't be divided there */
	struct cascade_turn *turns; /* in the order of their begins */
	size_t n_turns, turns_capacity;
	struct cascade_turn_subject *subjects;
	size_t n_subjects, subjects_capacity;
	size_t n_tasks;
};

struct cascade_turns *cascade_turns_new(struct cascade_trace *trace);
void cascade_turns_find(struct cascade_turns *turns, size_t from, size_t n);
void cascade_turns_free(struct cascade_turns *turns);

/* Transfers count where there are no tasks. */
static inline bool
cascade_turn_counts(const struct cascade_turns *turns, const struct cascade_turn *turn)
{
	return turns->subjects[turn->subject].is_task == (turns->n_tasks > 0);
}

/* The best division of the rows: positions in increasing order into *cuts (new). Returns how
 * many. */
size_t cascade_cuts_find(const struct cascade_turns *turns, size_t **cuts);

#endif
