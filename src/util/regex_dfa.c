/*
 * A deterministic automaton, built lazily from the program: a state is the set of instructions that
 * wait for a byte (or for the far edge of the text), a step costs one table look-up once it was
 * taken before. When the table is full, it is emptied and the run goes on from the state that it is
 * in: so memory is bounded and time is proportional to the text, whatever the pattern.
 *
 * Bytes that no instruction tells apart share a column of the table.
 */
#include "config.h"
#include "util/regex_match.h"

#include <stdlib.h>
#include <string.h>

#include "util/intern.h"
#include "util/order.h"

#define STATES_MAX 4096u
#define MEMBERS_MAX (1u << 18) /* instructions in all states together */
#define CELLS_MAX (1u << 18)   /* of the table */
#define BUCKETS 8192u          /* of the index of states: power of two, above STATES_MAX */
#define DEAD 0u
#define UNKNOWN UINT32_MAX

struct dfa_state {
	uint32_t first, n; /* members */
	bool accepts, accepts_at_edge;
};

/* A set of instructions in order of insertion, emptied in no time. */
struct dfa_set {
	uint32_t *items, *place;
	uint32_t n;
};

struct dfa {
	const struct regex_program *program;
	bool is_floating, empty_matches;
	enum regex_op near, far;
	uint8_t columns[256];
	unsigned char column_byte[256]; /* a byte of each column */
	unsigned n_columns;
	struct dfa_state *states;
	uint32_t n_states, states_max;
	uint32_t *members;
	uint32_t n_members, members_cap;
	uint32_t *table;           /* next state: table[state * n_columns + column] */
	uint32_t buckets[BUCKETS]; /* state, 0: free */
	struct dfa_set set;
	uint32_t *stack;
	uint32_t start_edge, start_inside; /* states, UNKNOWN after the table was emptied */
};

/* --- Sets of instructions ------------------------------------------------ */

static bool
set_add(struct dfa_set *set, uint32_t item)
{
	uint32_t place = set->place[item];
	if (place < set->n && set->items[place] == item) {
		return false;
	}
	set->place[item] = set->n;
	set->items[set->n++] = item;
	return true;
}

/* Adds what is reached from `instruction` without reading. The visited ones are all in the set;
 * state_find keeps those that wait. */
static void
closure(struct dfa *dfa, uint32_t instruction, bool at_near, bool at_far)
{
	const struct regex_instruction *code = dfa->program->instructions;
	uint32_t depth = 0;
	dfa->stack[depth++] = instruction;
	while (depth > 0) {
		uint32_t i = dfa->stack[--depth];
		if (!set_add(&dfa->set, i)) {
			continue;
		}
		enum regex_op op = (enum regex_op)code[i].op;
		if (op == OP_SPLIT) {
			dfa->stack[depth++] = code[i].y;
			dfa->stack[depth++] = code[i].x;
		} else if (op == OP_JUMP || op == OP_SAVE || (op == dfa->near && at_near) ||
		           (op == dfa->far && at_far)) {
			dfa->stack[depth++] = code[i].x;
		}
	}
}

static bool
set_accepts(const struct dfa *dfa)
{
	for (uint32_t i = 0; i < dfa->set.n; i++) {
		if (dfa->program->instructions[dfa->set.items[i]].op == OP_MATCH) {
			return true;
		}
	}
	return false;
}

/* Would these members accept if the text ended here? Uses the set. */
static bool
members_accept_at_edge(struct dfa *dfa, const uint32_t *members, uint32_t n)
{
	const struct regex_instruction *code = dfa->program->instructions;
	dfa->set.n = 0;
	for (uint32_t i = 0; i < n; i++) {
		if (code[members[i]].op == dfa->far) {
			closure(dfa, members[i], false, true);
		}
	}
	return set_accepts(dfa);
}

/* --- States -------------------------------------------------------------- */

static void
states_clear(struct dfa *dfa)
{
	memset(dfa->buckets, 0, sizeof(dfa->buckets));
	dfa->states[DEAD] = (struct dfa_state){0, 0, false, false};
	memset(dfa->table, 0, dfa->n_columns * sizeof(*dfa->table)); /* dead ones stay dead */
	dfa->n_states = 1;
	dfa->n_members = 0;
	dfa->start_edge = dfa->start_inside = UNKNOWN;
}

static int
compare_members(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return ORDER(x, y);
}

/* Gathers the waiting members of the set behind the members in use, sorted; returns how many. */
static uint32_t
members_gather(struct dfa *dfa)
{
	uint32_t n = 0, *members = dfa->members + dfa->n_members;
	for (uint32_t i = 0; i < dfa->set.n; i++) {
		enum regex_op op = (enum regex_op)dfa->program->instructions[dfa->set.items[i]].op;
		if (op == OP_BYTES || op == dfa->far || op == OP_MATCH) {
			members[n++] = dfa->set.items[i];
		}
	}
	qsort(members, n, sizeof(*members), compare_members);
	return n;
}

/* The state of the set, made if it is new. *was_cleared tells that all other states are gone. */
static uint32_t
state_find(struct dfa *dfa, bool *was_cleared)
{
	if (dfa->n_states == dfa->states_max ||
	    dfa->n_members + dfa->program->n > dfa->members_cap) {
		states_clear(dfa);
		*was_cleared = true;
	}
	uint32_t n = members_gather(dfa), *members = dfa->members + dfa->n_members;
	if (n == 0) {
		return DEAD;
	}
	uint32_t bucket = (uint32_t)hash_bytes(members, n * sizeof(*members), 0) & (BUCKETS - 1);
	for (; dfa->buckets[bucket]; bucket = (bucket + 1) & (BUCKETS - 1)) {
		const struct dfa_state *state = &dfa->states[dfa->buckets[bucket]];
		if (state->n == n &&
		    memcmp(dfa->members + state->first, members, n * sizeof(*members)) == 0) {
			return dfa->buckets[bucket];
		}
	}
	uint32_t number = dfa->n_states++;
	struct dfa_state *state = &dfa->states[number];
	*state = (struct dfa_state){dfa->n_members, n, set_accepts(dfa), false};
	state->accepts_at_edge = state->accepts || members_accept_at_edge(dfa, members, n);
	dfa->n_members += n;
	dfa->buckets[bucket] = number;
	memset(dfa->table + (size_t)number * dfa->n_columns, 0xff,
	       dfa->n_columns * sizeof(*dfa->table));
	return number;
}

static uint32_t
state_start(struct dfa *dfa, bool at_edge)
{
	uint32_t *start = at_edge ? &dfa->start_edge : &dfa->start_inside;
	if (*start == UNKNOWN) {
		bool was_cleared = false;
		dfa->set.n = 0;
		closure(dfa, 0, at_edge, false);
		uint32_t state = state_find(dfa, &was_cleared);
		*start = state;
	}
	return *start;
}

/* The step that the table does not have yet. */
static uint32_t
state_step(struct dfa *dfa, uint32_t from, unsigned column)
{
	const struct regex_instruction *code = dfa->program->instructions;
	const uint32_t *members = dfa->members + dfa->states[from].first;
	unsigned char byte = dfa->column_byte[column];
	bool was_cleared = false;

	dfa->set.n = 0;
	for (uint32_t i = 0; i < dfa->states[from].n; i++) {
		const struct regex_instruction *instruction = &code[members[i]];
		if (instruction->op == OP_BYTES && byte >= instruction->low &&
		    byte <= instruction->high) {
			closure(dfa, instruction->x, false, false);
		}
	}
	if (dfa->is_floating) {
		closure(dfa, 0, false, false);
	}
	uint32_t to = state_find(dfa, &was_cleared);
	if (!was_cleared) {
		dfa->table[(size_t)from * dfa->n_columns + column] = to;
	}
	return to;
}

static inline uint32_t
state_next(struct dfa *dfa, uint32_t from, char byte)
{
	unsigned column = dfa->columns[(unsigned char)byte];
	uint32_t to = dfa->table[(size_t)from * dfa->n_columns + column];
	return to != UNKNOWN ? to : state_step(dfa, from, column);
}

/* --- The automaton ------------------------------------------------------- */

static void
columns_make(struct dfa *dfa)
{
	bool is_border[257] = {false}; /* between byte - 1 and byte */
	for (uint32_t i = 0; i < dfa->program->n; i++) {
		const struct regex_instruction *instruction = &dfa->program->instructions[i];
		if (instruction->op == OP_BYTES) {
			is_border[instruction->low] = true;
			is_border[instruction->high + 1] = true;
		}
	}
	unsigned column = 0;
	for (unsigned byte = 0; byte < 256; byte++) {
		column += byte > 0 && is_border[byte];
		dfa->columns[byte] = (uint8_t)column;
		dfa->column_byte[column] = (unsigned char)byte;
	}
	dfa->n_columns = column + 1;
}

struct dfa *
dfa_new(const struct regex_program *program, bool is_floating)
{
	struct dfa *dfa = xcalloc(1, sizeof(*dfa));
	dfa->program = program;
	dfa->is_floating = is_floating;
	dfa->near = program->is_reverse ? OP_END : OP_BEGIN;
	dfa->far = program->is_reverse ? OP_BEGIN : OP_END;
	columns_make(dfa);
	dfa->states_max = CELLS_MAX / dfa->n_columns;
	dfa->states_max = LEAST(dfa->states_max, STATES_MAX);
	dfa->members_cap = MEMBERS_MAX; /* room for at least eight states: REGEX_INSTRUCTIONS */
	dfa->states = xmalloc(dfa->states_max * sizeof(*dfa->states));
	dfa->members = xmalloc(dfa->members_cap * sizeof(*dfa->members));
	dfa->table = xmalloc((size_t)dfa->states_max * dfa->n_columns * sizeof(*dfa->table));
	dfa->set.items = xmalloc(program->n * sizeof(*dfa->set.items));
	dfa->set.place = xcalloc(program->n, sizeof(*dfa->set.place));
	dfa->stack = xmalloc((2 * (size_t)program->n + 2) * sizeof(*dfa->stack));
	states_clear(dfa);
	closure(dfa, 0, true, true);
	dfa->empty_matches = set_accepts(dfa);
	return dfa;
}

void
dfa_free(struct dfa *dfa)
{
	if (dfa) {
		free(dfa->states);
		free(dfa->members);
		free(dfa->table);
		free(dfa->set.items);
		free(dfa->set.place);
		free(dfa->stack);
		free(dfa);
	}
}

bool
dfa_matches_empty(struct dfa *dfa)
{
	return dfa->empty_matches;
}

bool
dfa_search(struct dfa *dfa, struct slice text)
{
	uint32_t state = state_start(dfa, true);
	for (size_t i = 0; i < text.len; i++) {
		if (dfa->states[state].accepts) {
			return true;
		}
		state = state_next(dfa, state, text.ptr[i]);
		if (state == DEAD) {
			return false;
		}
	}
	return dfa->states[state].accepts_at_edge;
}

size_t
dfa_longest(struct dfa *dfa, struct slice text, size_t start)
{
	if (text.len == 0) {
		return dfa->empty_matches ? 0 : SIZE_MAX;
	}
	uint32_t state = state_start(dfa, start == 0);
	size_t end = SIZE_MAX;
	for (size_t i = start; state != DEAD; i++) {
		if (dfa->states[state].accepts) {
			end = i;
		}
		if (i == text.len) {
			return dfa->states[state].accepts_at_edge ? i : end;
		}
		state = state_next(dfa, state, text.ptr[i]);
	}
	return end;
}

bool
dfa_starts(struct dfa *dfa, struct slice text, unsigned char *starts)
{
	uint32_t state = state_start(dfa, true);
	bool any = false;
	for (size_t i = text.len;; i--) {
		bool is_start =
		    i > 0 ? dfa->states[state].accepts : dfa->states[state].accepts_at_edge;
		if (is_start) {
			starts[i / 8] |= (unsigned char)(1u << i % 8);
			any = true;
		}
		if (i == 0) {
			return any;
		}
		state = state_next(dfa, state, text.ptr[i - 1]);
		if (state == DEAD) {
			return any;
		}
	}
}
