/*
 * Calls stand in order of start, callers before what they call, so one walk does: a call of B whose
 * caller has a partner in A takes the first that is left of what that partner calls by this name.
 * What one run calls more than the other thus shifts no later calls against each other but those of
 * its name in the same call.
 */
#include "config.h"
#include "explain/schedule/matching_calls.h"

#include <stdlib.h>
#include <string.h>

#include "util/intern.h"
#include "util/mem.h"

/* What both runs have in common, as codes. */
struct names {
	struct intern *lanes, *kinds;
};

struct call_side {
	const struct schedule *schedule;
	uint32_t *lane_code, *kind_code; /* by the schedule's lanes and kinds */
};

/* The k-th lane whose name is the same but for numbers and hashes. */
static void
code_places(struct call_side *side, struct names *names)
{
	const struct schedule *schedule = side->schedule;
	struct intern *patterns = intern_new();
	uint32_t *n = xcalloc(schedule->n_lanes + 1, sizeof *n);
	struct strbuf text = {0};
	for (size_t l = 0; l < schedule->n_lanes; l++) {
		strbuf_clear(&text);
		matching_pattern(&text, schedule_lane_name(schedule, l));
		uint32_t *k = &n[intern_id(patterns, strbuf_slice(&text))];
		strbuf_add(&text, k, sizeof *k);
		side->lane_code[l] = intern_id(names->lanes, strbuf_slice(&text));
		++*k;
	}
	strbuf_free(&text);
	free(n);
	intern_free(patterns);
}

static struct call_side
side_of(const struct schedule *schedule, bool by_place, struct names *names)
{
	struct call_side side = {schedule, xcalloc(schedule->n_lanes + 1, sizeof(uint32_t)),
	                         xcalloc(schedule->n_kinds + 1, sizeof(uint32_t))};
	for (size_t k = 0; k < schedule->n_kinds; k++) {
		side.kind_code[k] = intern_id(names->kinds, schedule->kinds[k]);
	}
	if (by_place) {
		code_places(&side, names);
	}
	for (size_t l = 0; !by_place && l < schedule->n_lanes; l++) {
		side.lane_code[l] = intern_id(names->lanes, schedule_lane_name(schedule, l));
	}
	return side;
}

static void
side_fini(struct call_side *side)
{
	free(side->lane_code);
	free(side->kind_code);
}

/* Where a call stands: `caller` is a call of A, or none. */
struct stand {
	uint32_t caller, lane, kind;
};

static struct stand
stand_of(const struct call_side *side, const struct schedule_call *call, uint32_t caller)
{
	bool is_outermost = caller == SCHEDULE_NONE;
	return (struct stand){caller, is_outermost ? side->lane_code[call->lane] : 0,
	                      side->kind_code[call->kind]};
}

static struct slice
bytes_of(const struct stand *stand)
{
	return (struct slice){(const char *)stand, sizeof *stand};
}

/* The calls of A that stand alike, in order. */
struct call_queues {
	struct intern *stands;
	uint32_t *first, *last; /* by stand */
	uint32_t *next;         /* by call */
};

static void
fill(struct call_queues *queues, const struct call_side *a, size_t *n_repeated)
{
	size_t n = a->schedule->n_calls;
	*queues = (struct call_queues){intern_new(), xcalloc(n, sizeof(uint32_t)),
	                               xcalloc(n, sizeof(uint32_t)), xcalloc(n, sizeof(uint32_t))};
	for (size_t c = 0; c < n; c++) {
		const struct schedule_call *call = &a->schedule->calls[c];
		struct stand stand = stand_of(a, call, call->caller);
		uint32_t known = intern_count(queues->stands);
		uint32_t id = intern_id(queues->stands, bytes_of(&stand));
		queues->next[c] = MATCHING_NONE;
		if (id == known) {
			queues->first[id] = (uint32_t)c;
		} else {
			queues->next[queues->last[id]] = (uint32_t)c;
			++*n_repeated;
		}
		queues->last[id] = (uint32_t)c;
	}
}

static void
queues_fini(struct call_queues *queues)
{
	intern_free(queues->stands);
	free(queues->first);
	free(queues->last);
	free(queues->next);
}

/* By call of B, the call of A; MATCHING_NONE. To be freed. */
static uint32_t *
partners_of(const struct call_side *b, struct call_queues *queues, size_t *n_repeated)
{
	uint32_t *partner = xcalloc(b->schedule->n_calls, sizeof *partner);
	bool *is_seen = xcalloc(intern_count(queues->stands) + 1, sizeof *is_seen);
	for (size_t c = 0; c < b->schedule->n_calls; c++) {
		const struct schedule_call *call = &b->schedule->calls[c];
		uint32_t caller = SCHEDULE_NONE;
		partner[c] = MATCHING_NONE;
		if (call->caller != SCHEDULE_NONE) {
			caller = partner[call->caller];
			if (caller == MATCHING_NONE) {
				continue;
			}
		}
		struct stand stand = stand_of(b, call, caller);
		uint32_t id = intern_find(queues->stands, bytes_of(&stand));
		if (id == INTERN_NONE) {
			continue;
		}
		*n_repeated += is_seen[id];
		is_seen[id] = true;
		partner[c] = queues->first[id];
		if (partner[c] != MATCHING_NONE) {
			queues->first[id] = queues->next[partner[c]];
		}
	}
	free(is_seen);
	return partner;
}

static void
pair(struct matching *matching, uint32_t i, uint32_t j)
{
	matching->b_of_a[i] = j;
	matching->a_of_b[j] = i;
	matching->n_pairs++;
}

void
matching_pair_calls(struct matching *matching, const struct schedule *a, const struct schedule *b,
                    bool by_place)
{
	struct names names = {intern_new(), intern_new()};
	struct call_side side_a = side_of(a, by_place, &names),
			 side_b = side_of(b, by_place, &names);
	struct call_queues queues;
	fill(&queues, &side_a, &matching->n_repeated);
	uint32_t *partner = partners_of(&side_b, &queues, &matching->n_repeated);
	for (size_t c = 0; c < b->n_calls; c++) {
		uint32_t i =
		    partner[c] == MATCHING_NONE ? SCHEDULE_NONE : a->calls[partner[c]].head;
		if (i != SCHEDULE_NONE && b->calls[c].head != SCHEDULE_NONE) {
			pair(matching, i, b->calls[c].head);
		}
	}
	free(partner);
	queues_fini(&queues);
	side_fini(&side_a);
	side_fini(&side_b);
	intern_free(names.lanes);
	intern_free(names.kinds);
}

/* By item, the next stretch of its call; SCHEDULE_NONE. To be freed. */
static uint32_t *
next_stretches(const struct schedule *schedule)
{
	uint32_t *next = xcalloc(schedule->n_items, sizeof *next);
	uint32_t *later = xcalloc(schedule->n_calls, sizeof *later); /* by call */
	memset(later, 0xff, schedule->n_calls * sizeof *later);
	for (size_t i = schedule->n_items; i-- > 0;) {
		uint32_t call = schedule->items[i].call;
		next[i] = later[call];
		later[call] = (uint32_t)i;
	}
	free(later);
	return next;
}

void
matching_pair_stretches(struct matching *matching, const struct schedule *a,
                        const struct schedule *b)
{
	uint32_t *next_a = next_stretches(a), *next_b = next_stretches(b);
	for (size_t j = 0; j < b->n_items; j++) {
		uint32_t i = matching->a_of_b[j];
		if (i != MATCHING_NONE && next_a[i] != SCHEDULE_NONE &&
		    next_b[j] != SCHEDULE_NONE) {
			pair(matching, next_a[i], next_b[j]);
		}
	}
	free(next_a);
	free(next_b);
}
