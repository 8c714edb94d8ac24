/*
 * Between the parts of the pickle reader: pickle.c decodes opcodes, pickle_machine.c is the stack,
 * the memo and the values. Private to them.
 * Used by its room alone.
 */
#ifndef LANESCOPE_INPUT_PICKLE_MACHINE_H
#define LANESCOPE_INPUT_PICKLE_MACHINE_H

#include <stdbool.h>
#include "input/pickle.h"

enum pickle_kind {
	VALUE_UNSET, /* only in the memo */
	VALUE_MARK,
	VALUE_NONE,
	VALUE_BOOLEAN,
	VALUE_INTEGER,
	VALUE_REAL,
	VALUE_TEXT,
	VALUE_BYTES,
	VALUE_GLOBAL,
	VALUE_TUPLE,
	VALUE_LIST,
	VALUE_DICT,
	VALUE_TYPE, /* a dtype */
	VALUE_ARRAY
};

/* The five names; all are tags. */
enum pickle_global { GLOBAL_RECONSTRUCT, GLOBAL_ARRAY, GLOBAL_TYPE, GLOBAL_ENCODE };

struct pickle_value {
	enum pickle_kind kind;
	uint32_t length; /* of text and bytes; MARK: the mark below it */
	union {
		int64_t integer; /* booleans, and enum pickle_global, too */
		double real;
		const char *text;
		uint32_t container; /* index of a tuple, list or dict */
	};
};

/* Items of a tuple or list; keys and values of a dict in turn. */
struct pickle_container {
	struct pickle_value *items;
	size_t n_items, capacity;
	unsigned depth; /* 1 + that of the deepest container in it */
	/* is part of another: takes no more items, so that no container can hold itself */
	bool is_settled;
};

/* Of the one dtype and the one array. */
enum pickle_stage { STAGE_NONE, STAGE_MADE, STAGE_BUILT };

struct pickle_machine {
	struct pickle_value *stack;
	size_t n_stack, stack_capacity;
	size_t n_marks, top_mark; /* index of the topmost MARK, if there is one */
	struct pickle_value *memo;
	size_t memo_capacity, n_memo_set; /* memo[i] for all i < capacity is set or UNSET */
	struct pickle_container *containers;
	size_t n_containers, containers_capacity;
	uint64_t n_values; /* pushed in all */
	uint64_t n_wished; /* items that the array must have */
	enum pickle_stage type_stage, array_stage;
	uint32_t list;       /* the array's, once it is built */
	const char *problem; /* why the last function failed; static text */
	bool is_limit;
};

/* All return false with `problem` set. */
bool machine_push(struct pickle_machine *machine, struct pickle_value value);
bool machine_pop(struct pickle_machine *machine, struct pickle_value *value); /* not a MARK */
bool machine_mark(struct pickle_machine *machine);
bool machine_pop_any(struct pickle_machine *machine); /* POP: a MARK, too */
bool machine_pop_mark(struct pickle_machine *machine);
bool machine_get(struct pickle_machine *machine, uint64_t index);
bool machine_put(struct pickle_machine *machine, uint64_t index);
bool machine_memoize(struct pickle_machine *machine);
/* A new container of the topmost n values, or of those above the mark. */
bool machine_collect(struct pickle_machine *machine, enum pickle_kind kind, size_t n);
bool machine_collect_marked(struct pickle_machine *machine, enum pickle_kind kind);
/* Appends the topmost n values, or those above the mark, to the container of this kind below
 * them. */
bool machine_append(struct pickle_machine *machine, enum pickle_kind kind, size_t n);
bool machine_append_marked(struct pickle_machine *machine, enum pickle_kind kind);
bool machine_global(struct pickle_machine *machine, struct slice module, struct slice name);
bool machine_reduce(struct pickle_machine *machine);
bool machine_build(struct pickle_machine *machine);
/* STOP: the stack holds the array and nothing else. */
bool machine_stop(struct pickle_machine *machine);
void machine_fini(struct pickle_machine *machine);

#endif
