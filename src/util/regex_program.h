/* Inside of regex: from the pattern's text to a tree, and from the tree to programs for the
 * matchers.
 * Used by its room alone. */
#ifndef LANESCOPE_UTIL_REGEX_PROGRAM_H
#define LANESCOPE_UTIL_REGEX_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "util/err.h"
#include "util/mem.h"
#include "util/slice.h"

#define REGEX_PATTERN_BYTES 65536u
#define REGEX_INSTRUCTIONS 32768u
#define REGEX_GROUPS 10u /* \0 to \9 */
#define REGEX_CODE_MAX 0x10ffffu

enum regex_node_type {
	NODE_CLASS,  /* one character of ranges */
	NODE_CAT,    /* children in a row */
	NODE_ALT,    /* one of children */
	NODE_REPEAT, /* child min to max times */
	NODE_GROUP,  /* child, remembered as a group */
	NODE_BEGIN,
	NODE_END
};

struct regex_range {
	uint32_t low, high; /* code points */
};

struct regex_node {
	enum regex_node_type type;
	struct regex_node *child, *last_child, *next;
	struct regex_range *ranges; /* sorted, apart */
	size_t n_ranges;
	uint32_t min, max; /* max UINT32_MAX: any number */
	uint32_t group;
};

/* The tree lives in the arena. NULL on error. */
struct regex_node *regex_parse(struct slice pattern, struct arena *arena, struct err *err);

enum regex_op {
	OP_BYTES, /* a byte of low ... high, then goes on at x */
	OP_SPLIT, /* x or y; x first */
	OP_JUMP,  /* x */
	OP_SAVE,  /* notes the position in slot low, then x */
	OP_BEGIN, /* at the beginning of the text: x */
	OP_END,   /* at the end of the text: x */
	OP_MATCH
};

struct regex_instruction {
	uint8_t op, low, high;
	uint32_t x, y;
};

struct regex_program {
	struct regex_instruction *instructions;
	uint32_t n;
	bool is_reverse; /* reads the text from its end */
};

/* is_bytes: every byte from 0x80 up is a character of its own. -1, ERR_LIMIT: too large. */
int regex_program_make(struct regex_program *program, const struct regex_node *tree, bool is_bytes,
                       bool is_reverse, struct err *err);
void regex_program_free(struct regex_program *program);

#endif
