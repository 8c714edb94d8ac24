/*
 * The best division of rows into runs: the one in which least stands twice within a run.
 *
 * A task that begins again in the same run costs 8 if it had ended. If not it may have failed and
 * been tried again: it costs 1, and 4 where none had ended when it began first. Each cut costs 6,
 * so that single ones that are tried again divide nothing; between such a turn of a task and the
 * next, one behind the other, no cut is made at all. Of divisions that cost as much the one whose
 * cuts have the longest pauses is taken.
 *
 * The cheapest division of the rows up to a place is the cheapest of those up to an earlier place,
 * and what is between as one run more. With each row that a task begins again, all runs that begin
 * at or before its turn before cost more: a tree over the places keeps the cheapest begin, so that
 * all places are looked at in n log n.
 */
#include "config.h"
#include "import/import_cascade_division.h"

#include <stdlib.h>

#include "util/order.h"

enum { COST_AGAIN = 8, COST_EARLY = 4, COST_RETRIED = 1, COST_CUT = 6 };

struct cost {
	int64_t paid;
	int64_t rests; /* the more the better */
};

/* Of a range of begins of the last run: the cheapest, and what is to be added to all of them. */
struct cheapest {
	struct cost cost;
	int64_t more;
	size_t begin;
};

struct cuts {
	const struct cascade_turns *turns;
	size_t *places; /* where a run may begin; the last one: the end */
	size_t n_places;
	struct cheapest *tree; /* of n_leaves leaves; 1 is the root */
	size_t n_leaves;
	size_t end;     /* where the first ended */
	size_t *begins; /* of the last run of the best division up to each place, as index */
};

#define NOT_YET (INT64_MAX / 2)

static bool
is_cheaper(struct cost a, struct cost b)
{
	return a.paid != b.paid ? a.paid < b.paid : a.rests > b.rests;
}

static void
choose(struct cuts *cuts, size_t node)
{
	const struct cheapest *left = &cuts->tree[2 * node], *right = left + 1;
	struct cheapest *both = &cuts->tree[node];
	const struct cheapest *better = is_cheaper(right->cost, left->cost) ? right : left;

	both->cost = better->cost;
	both->cost.paid += both->more;
	both->begin = better->begin;
}

static void
add_begin(struct cuts *cuts, size_t begin, struct cost cost)
{
	size_t node = cuts->n_leaves + begin;

	/* what was added to all around it was before it was here */
	for (size_t above = node / 2; above > 0; above /= 2) {
		cost.paid -= cuts->tree[above].more;
	}
	cuts->tree[node] = (struct cheapest){.cost = cost, .begin = begin};
	for (node /= 2; node > 0; node /= 2) {
		choose(cuts, node);
	}
}

/* Makes all begins before `end` cost more. */
static void
charge(struct cuts *cuts, size_t end, int64_t more)
{
	size_t node = cuts->n_leaves + end;

	/* the ranges left of the way from the leaf at the end to the root */
	for (; node > 1; node /= 2) {
		if (node % 2 == 1) {
			cuts->tree[node - 1].cost.paid += more;
			cuts->tree[node - 1].more += more;
		}
		choose(cuts, node / 2);
	}
}

/* Where runs may begin, but where the task that begins behind is the last that began before and had
 * not ended: it is tried again. */
static void
note_places(struct cuts *cuts)
{
	const struct cascade_turns *turns = cuts->turns;
	size_t n = 0, next = 0, last = NOWHERE;

	cuts->places = xcalloc(turns->n - turns->from + 2, sizeof *cuts->places);
	cuts->places[n++] = turns->from;
	for (size_t i = turns->from + 1; i < turns->n; i++) {
		for (; next < turns->n_turns; next++) {
			const struct cascade_turn *turn = &turns->turns[next];
			bool counts = cascade_turn_counts(turns, turn);
			if (counts && turn->first >= i) {
				break;
			}
			last = counts ? next : last;
		}
		bool is_retried = last != NOWHERE && next < turns->n_turns &&
		                  turns->turns[next].previous == last &&
		                  turns->turns[last].end == NOWHERE;
		if (turns->pauses[i] > 0 && !is_retried) {
			cuts->places[n++] = i;
		}
	}
	cuts->places[n++] = turns->n;
	cuts->n_places = n;
}

static int64_t
cost_of(const struct cuts *cuts, const struct cascade_turn *before)
{
	if (before->end != NOWHERE) {
		return COST_AGAIN;
	}
	return before->first < cuts->end ? COST_EARLY : COST_RETRIED;
}

/* How many places are at or before a position. */
static size_t
places_until(const struct cuts *cuts, size_t position)
{
	size_t low = 0;

	ORDER_FIND(low, cuts->n_places, middle, cuts->places[middle] <= position);
	return low;
}

static void
divide(struct cuts *cuts)
{
	const struct cascade_turns *turns = cuts->turns;
	size_t turn = 0;

	add_begin(cuts, 0, (struct cost){0, 0});
	for (size_t i = 1; i < cuts->n_places; i++) {
		for (; turn < turns->n_turns && turns->turns[turn].first < cuts->places[i];
		     turn++) {
			const struct cascade_turn *again = &turns->turns[turn];
			if (again->previous == NOWHERE || !cascade_turn_counts(turns, again)) {
				continue;
			}
			const struct cascade_turn *before = &turns->turns[again->previous];
			charge(cuts, places_until(cuts, before->first), cost_of(cuts, before));
		}
		struct cost cost = cuts->tree[1].cost;
		cuts->begins[i] = cuts->tree[1].begin;
		if (i + 1 == cuts->n_places) {
			break;
		}
		cost.paid += COST_CUT;
		if (__builtin_add_overflow(cost.rests, turns->pauses[cuts->places[i]],
		                           &cost.rests)) {
			cost.rests = INT64_MAX;
		}
		add_begin(cuts, i, cost);
	}
}

/* Does anything begin again? Notes where the first ended. */
static bool
has_repeats(struct cuts *cuts)
{
	const struct cascade_turns *turns = cuts->turns;
	bool any = false;

	cuts->end = NOWHERE;
	for (size_t i = 0; i < turns->n_turns; i++) {
		const struct cascade_turn *turn = &turns->turns[i];
		if (cascade_turn_counts(turns, turn)) {
			any |= turn->previous != NOWHERE;
			cuts->end = LEAST(turn->end, cuts->end);
		}
	}
	return any;
}

size_t
cascade_cuts_find(const struct cascade_turns *turns, size_t **found)
{
	struct cuts cuts = {.turns = turns, .n_leaves = 1};
	size_t n = 0;

	*found = NULL;
	if (!has_repeats(&cuts)) {
		return 0;
	}
	note_places(&cuts);
	while (cuts.n_leaves <= cuts.n_places) {
		cuts.n_leaves *= 2;
	}
	cuts.begins = xcalloc(cuts.n_places, sizeof *cuts.begins);
	cuts.tree = xcalloc(2 * cuts.n_leaves, sizeof *cuts.tree);
	for (size_t i = 0; i < 2 * cuts.n_leaves; i++) {
		cuts.tree[i].cost.paid = NOT_YET;
	}
	divide(&cuts);
	for (size_t i = cuts.begins[cuts.n_places - 1]; i > 0; i = cuts.begins[i]) {
		n++;
	}
	*found = xcalloc(n + 1, sizeof **found);
	size_t left = n;
	for (size_t i = cuts.begins[cuts.n_places - 1]; i > 0; i = cuts.begins[i]) {
		(*found)[--left] = cuts.places[i];
	}
	free(cuts.places);
	free(cuts.begins);
	free(cuts.tree);
	return n;
}
