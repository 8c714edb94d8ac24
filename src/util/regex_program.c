/*
 * The tree becomes a program over bytes, forwards or in reverse.
 *
 * A class of code points turns into alternatives of byte sequences (each the bytes of all
 * characters between two that differ in their last bytes only), so that the matchers see nothing
 * but bytes. Repetitions with counts are written out; that is what the limit on the program's size
 * is for.
 *
 * While a part is written, its exits are not yet known: every part simply ends where the next
 * instruction will stand.
 */
#include "config.h"
#include "util/regex_program.h"

#include <stdlib.h>

#include "util/utf8.h"

struct emitter {
	struct regex_program *program;
	size_t cap;
	bool is_bytes, is_full;
};

static uint32_t
emit(struct emitter *emitter, enum regex_op op, uint8_t low, uint8_t high)
{
	struct regex_program *program = emitter->program;
	if (program->n >= REGEX_INSTRUCTIONS) {
		emitter->is_full = true;
		return 0;
	}
	MEM_GROW(program->instructions, emitter->cap, program->n + 1u);
	program->instructions[program->n] =
	    (struct regex_instruction){(uint8_t)op, low, high, program->n + 1, 0};
	return program->n++;
}

/* A chain of alternatives: before each but the last a SPLIT, after each but the last a JUMP to the
 * common end. */
struct alternatives {
	uint32_t split, last_jump;
	bool is_open;
};

static void
alternative_begin(struct emitter *emitter, struct alternatives *chain, bool is_last)
{
	if (chain->is_open) {
		uint32_t jump = emit(emitter, OP_JUMP, 0, 0);
		emitter->program->instructions[jump].y = chain->last_jump;
		chain->last_jump = jump;
		emitter->program->instructions[chain->split].y = emitter->program->n;
	} else {
		chain->last_jump = UINT32_MAX;
	}
	chain->is_open = true;
	if (!is_last) {
		chain->split = emit(emitter, OP_SPLIT, 0, 0);
	}
}

static void
alternatives_end(struct emitter *emitter, struct alternatives *chain)
{
	struct regex_instruction *instructions = emitter->program->instructions;
	for (uint32_t jump = chain->last_jump; jump != UINT32_MAX && !emitter->is_full;) {
		uint32_t next = instructions[jump].y;
		instructions[jump].x = emitter->program->n;
		jump = next;
	}
}

/* --- Characters ---------------------------------------------------------- */

struct byte_sequence {
	uint8_t low[4], high[4];
	unsigned n;
};

struct sequences {
	struct byte_sequence *items;
	size_t n, cap;
};

/* Byte sequences of the characters low ... high, all of the same length. */
static void
sequences_split(struct sequences *list, uint32_t low, uint32_t high)
{
	for (unsigned i = 1; i < 4; i++) {
		uint32_t mask = (UINT32_C(1) << (6 * i)) - 1;
		if (low <= 0x7f || (low & ~mask) == (high & ~mask)) {
			continue;
		}
		if (low & mask) {
			sequences_split(list, low, low | mask);
			sequences_split(list, (low | mask) + 1, high);
			return;
		}
		if ((high & mask) != mask) {
			sequences_split(list, low, (high & ~mask) - 1);
			sequences_split(list, high & ~mask, high);
			return;
		}
	}
	struct byte_sequence sequence;
	char from[4], to[4];
	sequence.n = (unsigned)utf8_encode(low, from);
	(void)utf8_encode(high, to);
	for (unsigned i = 0; i < sequence.n; i++) {
		sequence.low[i] = (uint8_t)from[i];
		sequence.high[i] = (uint8_t)to[i];
	}
	MEM_GROW(list->items, list->cap, list->n + 1);
	list->items[list->n++] = sequence;
}

/* Splits at the code points where the number of bytes changes. */
static void
sequences_add(struct sequences *list, uint32_t low, uint32_t high)
{
	static const uint32_t last[] = {0x7f, 0x7ff, 0xd7ff, 0xffff, REGEX_CODE_MAX};
	for (unsigned i = 0; i < sizeof(last) / sizeof(last[0]) && low <= high; i++) {
		uint32_t to = high < last[i] ? high : last[i];
		if (low <= to) {
			uint32_t from = low >= 0xd800 && low < 0xe000 ? 0xe000 : low;
			if (from <= to) {
				sequences_split(list, from, to);
			}
			low = to + 1;
		}
	}
}

static void
emit_class(struct emitter *emitter, const struct regex_node *node)
{
	struct sequences list = {0};
	for (size_t i = 0; i < node->n_ranges; i++) {
		struct regex_range range = node->ranges[i];
		/* What goes up to the last code point stands for "anything else": in a text of
		 * bytes for all of them. */
		if (emitter->is_bytes && range.high == REGEX_CODE_MAX) {
			uint8_t low = range.low < 0x80 ? (uint8_t)range.low : 0x80;
			MEM_GROW(list.items, list.cap, list.n + 1);
			list.items[list.n++] = (struct byte_sequence){{low}, {0xff}, 1};
			continue;
		}
		sequences_add(&list, range.low, range.high);
	}
	struct alternatives chain = {0, UINT32_MAX, false};
	for (size_t i = 0; i < list.n && !emitter->is_full; i++) {
		const struct byte_sequence *sequence = &list.items[i];
		alternative_begin(emitter, &chain, i + 1 == list.n);
		for (unsigned k = 0; k < sequence->n; k++) {
			unsigned byte = emitter->program->is_reverse ? sequence->n - 1 - k : k;
			emit(emitter, OP_BYTES, sequence->low[byte], sequence->high[byte]);
		}
	}
	alternatives_end(emitter, &chain);
	if (list.n == 0) {
		emit(emitter, OP_BYTES, 1, 0); /* nothing */
	}
	free(list.items);
}

/* --- The tree ------------------------------------------------------------ */

static void emit_node(struct emitter *emitter, const struct regex_node *node);

static void
emit_children(struct emitter *emitter, const struct regex_node *node)
{
	if (!emitter->program->is_reverse) {
		for (const struct regex_node *child = node->child; child; child = child->next) {
			emit_node(emitter, child);
		}
		return;
	}
	size_t n = 0;
	for (const struct regex_node *child = node->child; child; child = child->next) {
		n++;
	}
	const struct regex_node **children = xmalloc(n * sizeof(*children));
	size_t i = n;
	for (const struct regex_node *child = node->child; child; child = child->next) {
		children[--i] = child;
	}
	for (; i < n; i++) {
		emit_node(emitter, children[i]);
	}
	free(children);
}

/* Optional copies nest: x{0,3} is (x(x(x)?)?)?; all SPLITs leave for the same place. */
static void
emit_optional(struct emitter *emitter, const struct regex_node *child, uint32_t n)
{
	struct regex_program *program = emitter->program;
	uint32_t last = UINT32_MAX;
	for (uint32_t i = 0; i < n && !emitter->is_full; i++) {
		uint32_t split = emit(emitter, OP_SPLIT, 0, 0);
		program->instructions[split].y = last;
		last = split;
		emit_node(emitter, child);
	}
	while (last != UINT32_MAX && !emitter->is_full) {
		uint32_t next = program->instructions[last].y;
		program->instructions[last].y = program->n;
		last = next;
	}
}

static void
emit_repeat(struct emitter *emitter, const struct regex_node *node)
{
	struct regex_program *program = emitter->program;
	for (uint32_t i = 0; i < node->min && !emitter->is_full; i++) {
		uint32_t before = program->n;
		emit_node(emitter, node->child);
		if (program->n == before) {
			return; /* the empty text, however often */
		}
	}
	if (node->max != UINT32_MAX) {
		emit_optional(emitter, node->child, node->max - node->min);
		return;
	}
	uint32_t split = emit(emitter, OP_SPLIT, 0, 0);
	emit_node(emitter, node->child);
	uint32_t jump = emit(emitter, OP_JUMP, 0, 0);
	if (!emitter->is_full) {
		program->instructions[jump].x = split;
		program->instructions[split].y = program->n;
	}
}

static void
emit_group(struct emitter *emitter, const struct regex_node *node)
{
	bool is_kept = node->group < REGEX_GROUPS && !emitter->program->is_reverse;
	if (is_kept) {
		emit(emitter, OP_SAVE, (uint8_t)(node->group * 2), 0);
	}
	emit_node(emitter, node->child);
	if (is_kept) {
		emit(emitter, OP_SAVE, (uint8_t)(node->group * 2 + 1), 0);
	}
}

static void
emit_alternatives(struct emitter *emitter, const struct regex_node *node)
{
	struct alternatives chain = {0, UINT32_MAX, false};
	for (const struct regex_node *child = node->child; child && !emitter->is_full;
	     child = child->next) {
		alternative_begin(emitter, &chain, !child->next);
		emit_node(emitter, child);
	}
	alternatives_end(emitter, &chain);
}

static void
emit_node(struct emitter *emitter, const struct regex_node *node)
{
	if (emitter->is_full) {
		return;
	}
	switch (node->type) {
	case NODE_CLASS:
		emit_class(emitter, node);
		break;
	case NODE_CAT:
		emit_children(emitter, node);
		break;
	case NODE_ALT:
		emit_alternatives(emitter, node);
		break;
	case NODE_REPEAT:
		emit_repeat(emitter, node);
		break;
	case NODE_GROUP:
		emit_group(emitter, node);
		break;
	case NODE_BEGIN:
		emit(emitter, OP_BEGIN, 0, 0);
		break;
	case NODE_END:
		emit(emitter, OP_END, 0, 0);
		break;
	}
}

int
regex_program_make(struct regex_program *program, const struct regex_node *tree, bool is_bytes,
                   bool is_reverse, struct err *err)
{
	struct emitter emitter = {program, 0, is_bytes, false};
	*program = (struct regex_program){NULL, 0, is_reverse};
	emit_node(&emitter, tree);
	emit(&emitter, OP_MATCH, 0, 0);
	if (emitter.is_full) {
		regex_program_free(program);
		return err_set(err, ERR_LIMIT,
		               "regular expression: too large (repetition counts multiply)");
	}
	return 0;
}

void
regex_program_free(struct regex_program *program)
{
	free(program->instructions);
	*program = (struct regex_program){NULL, 0, false};
}
