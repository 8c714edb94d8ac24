/*
 * Where the groups of a known match lie: threads through the program in order of priority (the
 * earlier alternative, the longer repetition first), each with the positions that it noted. Only
 * replacements that mention groups need it.
 *
 * A thread's slots are copied as the threads step, so the cost is text x threads x slots: fine for
 * the one match at hand.
 */
#include "config.h"
#include "util/regex_match.h"

#include <stdlib.h>
#include <string.h>

struct thread_list {
	uint32_t *items;
	size_t *slots; /* REGEX_SLOTS each */
	uint32_t n;
};

/* What is left to follow: an instruction, or (restore < REGEX_SLOTS) a slot to set back. */
struct group_pending {
	uint32_t instruction, restore;
	size_t position;
};

struct runner {
	const struct regex_program *program;
	size_t length;
	uint32_t *seen; /* by instruction: the last position + 1 where it was reached */
	struct group_pending *stack;
	struct thread_list now, next;
};

static void
push(struct runner *runner, size_t *depth, uint32_t instruction, uint32_t restore, size_t position)
{
	runner->stack[(*depth)++] = (struct group_pending){instruction, restore, position};
}

/* Adds what is reached from `instruction` at `position`, in order of priority. slots is as before
 * on return. */
static void
add_thread(struct runner *runner, struct thread_list *list, uint32_t instruction, size_t position,
           uint32_t mark, size_t *slots)
{
	const struct regex_instruction *code = runner->program->instructions;
	size_t depth = 0;
	push(runner, &depth, instruction, REGEX_SLOTS, 0);
	while (depth > 0) {
		struct group_pending top = runner->stack[--depth];
		if (top.restore < REGEX_SLOTS) {
			slots[top.restore] = top.position;
			continue;
		}
		uint32_t i = top.instruction;
		if (runner->seen[i] == mark) {
			continue;
		}
		runner->seen[i] = mark;
		switch ((enum regex_op)code[i].op) {
		case OP_SPLIT:
			push(runner, &depth, code[i].y, REGEX_SLOTS, 0);
			push(runner, &depth, code[i].x, REGEX_SLOTS, 0);
			break;
		case OP_JUMP:
			push(runner, &depth, code[i].x, REGEX_SLOTS, 0);
			break;
		case OP_SAVE:
			push(runner, &depth, 0, code[i].low, slots[code[i].low]);
			slots[code[i].low] = position;
			push(runner, &depth, code[i].x, REGEX_SLOTS, 0);
			break;
		case OP_BEGIN:
		case OP_END:
			if (position == (code[i].op == OP_BEGIN ? 0 : runner->length)) {
				push(runner, &depth, code[i].x, REGEX_SLOTS, 0);
			}
			break;
		case OP_BYTES:
		case OP_MATCH:
			memcpy(list->slots + (size_t)list->n * REGEX_SLOTS, slots,
			       REGEX_SLOTS * sizeof(*slots));
			list->items[list->n++] = i;
			break;
		}
	}
}

static void
run(struct runner *runner, struct slice text, size_t start, size_t end, size_t *slots)
{
	const struct regex_instruction *code = runner->program->instructions;
	size_t first[REGEX_SLOTS];
	for (size_t i = 0; i < REGEX_SLOTS; i++) {
		first[i] = SIZE_MAX;
	}
	uint32_t mark = 1;
	add_thread(runner, &runner->now, 0, start, mark, first);
	for (size_t at = start; at < end; at++) {
		unsigned char byte = (unsigned char)text.ptr[at];
		runner->next.n = 0;
		if (++mark == 0) {
			memset(runner->seen, 0, runner->program->n * sizeof(*runner->seen));
			mark = 1;
		}
		for (uint32_t i = 0; i < runner->now.n; i++) {
			const struct regex_instruction *instruction = &code[runner->now.items[i]];
			if (instruction->op == OP_BYTES && byte >= instruction->low &&
			    byte <= instruction->high) {
				add_thread(runner, &runner->next, instruction->x, at + 1, mark,
				           runner->now.slots + (size_t)i * REGEX_SLOTS);
			}
		}
		struct thread_list swap = runner->now;
		runner->now = runner->next;
		runner->next = swap;
	}
	for (uint32_t i = 0; i < runner->now.n; i++) {
		if (code[runner->now.items[i]].op == OP_MATCH) {
			memcpy(slots, runner->now.slots + (size_t)i * REGEX_SLOTS,
			       REGEX_SLOTS * sizeof(*slots));
			return;
		}
	}
}

static void
list_init(struct thread_list *list, uint32_t n)
{
	list->items = xmalloc(n * sizeof(*list->items));
	list->slots = xmalloc((size_t)n * REGEX_SLOTS * sizeof(*list->slots));
	list->n = 0;
}

void
regex_groups(const struct regex_program *program, struct slice text, size_t start, size_t end,
             size_t slots[REGEX_SLOTS])
{
	struct runner runner = {.program = program, .length = text.len};
	for (size_t i = 0; i < REGEX_SLOTS; i++) {
		slots[i] = SIZE_MAX;
	}
	runner.seen = xcalloc(program->n, sizeof(*runner.seen));
	runner.stack = xmalloc((2 * (size_t)program->n + 2) * sizeof(*runner.stack));
	list_init(&runner.now, program->n);
	list_init(&runner.next, program->n);
	run(&runner, text, start, end, slots);
	slots[0] = start;
	slots[1] = end;
	free(runner.seen);
	free(runner.stack);
	free(runner.now.items);
	free(runner.now.slots);
	free(runner.next.items);
	free(runner.next.slots);
}
