/*
 * The stack, the memo and the values of the restricted pickle reader.
 *
 * Containers are referred to by number and never copied, so a memo reference costs the same
 * whatever it refers to. A container that has become part of another takes no more items: numpy
 * never does that, and without it no container can come to hold itself, and the depth of each is
 * known when it is put into another.
 *
 * REDUCE and BUILD do nothing but compare: with the one call that makes an array, the one that
 * makes its dtype, and the way protocol 2 spells bytes.
 */
#include "config.h"
#include "input/pickle_machine.h"

#include <stdlib.h>
#include <string.h>

#include "util/mem.h"
#include "util/order.h"

#define STACK_LIMIT ((size_t)1 << 20)

static bool
fail(struct pickle_machine *machine, const char *problem)
{
	machine->problem = problem;
	return false;
}

static bool
over_limit(struct pickle_machine *machine, const char *problem)
{
	machine->is_limit = true;
	return fail(machine, problem);
}

/* ---- stack and memo ---- */

bool
machine_push(struct pickle_machine *machine, struct pickle_value value)
{
	if (++machine->n_values > PICKLE_VALUES_LIMIT) {
		return over_limit(machine, "more values than are read");
	}
	if (machine->n_stack == STACK_LIMIT) {
		return over_limit(machine, "its stack grows without bound");
	}
	MEM_GROW(machine->stack, machine->stack_capacity, machine->n_stack + 1);
	machine->stack[machine->n_stack++] = value;
	return true;
}

/* Values above the topmost mark. */
static size_t
n_above(const struct pickle_machine *machine)
{
	return machine->n_stack - (machine->n_marks ? machine->top_mark + 1 : 0);
}

bool
machine_pop(struct pickle_machine *machine, struct pickle_value *value)
{
	if (n_above(machine) == 0) {
		return fail(machine, "nothing is on the stack");
	}
	*value = machine->stack[--machine->n_stack];
	return true;
}

bool
machine_mark(struct pickle_machine *machine)
{
	struct pickle_value mark = {.kind = VALUE_MARK, .integer = (int64_t)machine->top_mark};

	if (machine->n_marks == PICKLE_DEPTH) {
		return over_limit(machine, "nested too deeply");
	}
	if (!machine_push(machine, mark)) {
		return false;
	}
	machine->top_mark = machine->n_stack - 1;
	machine->n_marks++;
	return true;
}

/* Forgets everything from the topmost mark on. */
static void
drop_mark(struct pickle_machine *machine)
{
	machine->n_stack = machine->top_mark;
	machine->top_mark = (size_t)machine->stack[machine->n_stack].integer;
	machine->n_marks--;
}

bool
machine_pop_mark(struct pickle_machine *machine)
{
	if (machine->n_marks == 0) {
		return fail(machine, "no mark is on the stack");
	}
	drop_mark(machine);
	return true;
}

bool
machine_pop_any(struct pickle_machine *machine)
{
	struct pickle_value value;

	if (machine->n_marks && n_above(machine) == 0) {
		drop_mark(machine);
		return true;
	}
	return machine_pop(machine, &value);
}

bool
machine_get(struct pickle_machine *machine, uint64_t index)
{
	return index >= machine->memo_capacity || machine->memo[index].kind == VALUE_UNSET
	           ? fail(machine, "refers to something that was never put there")
	           : machine_push(machine, machine->memo[index]);
}

bool
machine_put(struct pickle_machine *machine, uint64_t index)
{
	size_t old = machine->memo_capacity;

	if (index >= PICKLE_MEMO_LIMIT) {
		return over_limit(machine, "the memo has no such place");
	}
	if (n_above(machine) == 0) {
		return fail(machine, "nothing is on the stack");
	}
	if (index >= old) {
		MEM_GROW(machine->memo, machine->memo_capacity, index + 1);
		memset(machine->memo + old, 0,
		       (machine->memo_capacity - old) * sizeof *machine->memo); /* UNSET */
	}
	machine->n_memo_set += machine->memo[index].kind == VALUE_UNSET;
	machine->memo[index] = machine->stack[machine->n_stack - 1];
	return true;
}

bool
machine_memoize(struct pickle_machine *machine)
{
	return machine_put(machine, machine->n_memo_set);
}

/* ---- containers ---- */

static struct pickle_container *
container_of_value(const struct pickle_machine *machine, struct pickle_value value)
{
	return &machine->containers[value.container];
}

static bool
is_container(struct pickle_value value)
{
	return value.kind == VALUE_TUPLE || value.kind == VALUE_LIST || value.kind == VALUE_DICT;
}

/* Moves the topmost n values into a container. */
static bool
fill(struct pickle_machine *machine, enum pickle_kind kind, uint32_t index, size_t n)
{
	struct pickle_container *container = &machine->containers[index];

	if (n == 0) {
		return true;
	}
	struct pickle_value *values = machine->stack + machine->n_stack - n;
	if (container->is_settled) {
		return fail(machine,
		            "a container grows after it was put into another, or into itself");
	}
	if (kind == VALUE_DICT && n % 2 != 0) {
		return fail(machine, "a dict with a key that has no value");
	}
	for (size_t i = 0; i < n; i++) {
		if (kind == VALUE_DICT && i % 2 == 0 && values[i].kind != VALUE_TEXT) {
			return fail(machine, "a key that is not text");
		}
		if (!is_container(values[i])) {
			continue;
		}
		if (values[i].container == index) {
			return fail(machine, "a container holds itself");
		}
		struct pickle_container *item = container_of_value(machine, values[i]);
		item->is_settled = true;
		if (item->depth >= PICKLE_DEPTH) {
			return over_limit(machine, "nested too deeply");
		}
		container->depth = MOST(item->depth + 1, container->depth);
	}
	MEM_GROW(container->items, container->capacity, container->n_items + n);
	memcpy(container->items + container->n_items, values, n * sizeof *values);
	container->n_items += n;
	machine->n_stack -= n;
	return true;
}

bool
machine_collect(struct pickle_machine *machine, enum pickle_kind kind, size_t n)
{
	uint32_t index = (uint32_t)machine->n_containers; /* fewer than PICKLE_VALUES_LIMIT */

	if (n_above(machine) < n) {
		return fail(machine, "too little is on the stack");
	}
	MEM_GROW(machine->containers, machine->containers_capacity, machine->n_containers + 1);
	machine->containers[machine->n_containers++] = (struct pickle_container){.depth = 1};
	return fill(machine, kind, index, n) &&
	       machine_push(machine, (struct pickle_value){.kind = kind, .container = index});
}

/* The mark goes, what was above it stays on the stack: *n values. */
static bool
lift_marked(struct pickle_machine *machine, size_t *n)
{
	if (machine->n_marks == 0) {
		return fail(machine, "no mark is on the stack");
	}
	size_t first = machine->top_mark + 1;
	*n = n_above(machine);
	drop_mark(machine);
	memmove(machine->stack + machine->n_stack, machine->stack + first,
	        *n * sizeof *machine->stack);
	machine->n_stack += *n;
	return true;
}

bool
machine_collect_marked(struct pickle_machine *machine, enum pickle_kind kind)
{
	size_t n;

	return lift_marked(machine, &n) && machine_collect(machine, kind, n);
}

bool
machine_append(struct pickle_machine *machine, enum pickle_kind kind, size_t n)
{
	if (n_above(machine) < n + 1) {
		return fail(machine, "too little is on the stack");
	}
	struct pickle_value target = machine->stack[machine->n_stack - n - 1];
	if (target.kind != kind) {
		return fail(machine, kind == VALUE_LIST ? "appends to what is no list"
		                                        : "sets items of what is no dict");
	}
	return fill(machine, kind, target.container, n);
}

bool
machine_append_marked(struct pickle_machine *machine, enum pickle_kind kind)
{
	size_t n;

	return lift_marked(machine, &n) && machine_append(machine, kind, n);
}

/* ---- names, REDUCE and BUILD ---- */

bool
machine_global(struct pickle_machine *machine, struct slice module, struct slice name)
{
	static const struct {
		const char *module, *name;
		enum pickle_global global;
	} globals[] = {{"numpy.core.multiarray", "_reconstruct", GLOBAL_RECONSTRUCT},
	               {"numpy._core.multiarray", "_reconstruct", GLOBAL_RECONSTRUCT},
	               {"numpy", "ndarray", GLOBAL_ARRAY},
	               {"numpy", "dtype", GLOBAL_TYPE},
	               {"_codecs", "encode", GLOBAL_ENCODE}};

	for (size_t i = 0; i < COUNT_OF(globals); i++) {
		if (slice_is(module, globals[i].module) && slice_is(name, globals[i].name)) {
			return machine_push(machine,
			                    (struct pickle_value){.kind = VALUE_GLOBAL,
			                                          .integer = globals[i].global});
		}
	}
	return fail(machine, "names something that arrays of dicts don't need");
}

static struct slice
text_of(struct pickle_value value)
{
	return (struct slice){value.text, value.length};
}

static bool
is_text(struct pickle_value value, const char *text)
{
	return value.kind == VALUE_TEXT && slice_is(text_of(value), text);
}

static bool
is_integer(struct pickle_value value, int64_t integer)
{
	return value.kind == VALUE_INTEGER && value.integer == integer;
}

static bool
is_global(struct pickle_value value, enum pickle_global global)
{
	return value.kind == VALUE_GLOBAL && value.integer == (int64_t)global;
}

/* (ndarray, (0,), b'b') */
static bool
makes_array(const struct pickle_machine *machine, const struct pickle_container *arguments)
{
	const struct pickle_value *items = arguments->items;

	if (arguments->n_items != 3 || !is_global(items[0], GLOBAL_ARRAY) ||
	    items[1].kind != VALUE_TUPLE || items[2].kind != VALUE_BYTES ||
	    !slice_is(text_of(items[2]), "b")) {
		return false;
	}
	const struct pickle_container *shape = container_of_value(machine, items[1]);
	return shape->n_items == 1 && is_integer(shape->items[0], 0);
}

/* Older numpy writes its flags as the integers 0 and 1. */
static bool
is_flag(struct pickle_value value)
{
	return value.kind == VALUE_BOOLEAN || is_integer(value, 0) || is_integer(value, 1);
}

/* ('O8', False, True) */
static bool
makes_type(const struct pickle_container *arguments)
{
	static const char *const names[] = {"O8", "O4", "O", "|O8", "|O4", "|O"};
	const struct pickle_value *items = arguments->items;

	if (arguments->n_items != 3 || !is_flag(items[1]) || !is_flag(items[2])) {
		return false;
	}
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		if (is_text(items[0], names[i])) {
			return true;
		}
	}
	return false;
}

/* Each may be made once. */
static bool
make(struct pickle_machine *machine, enum pickle_stage *stage, bool is_right, enum pickle_kind kind)
{
	if (!is_right || *stage != STAGE_NONE) {
		return fail(machine, "calls something in a way that arrays of dicts don't need");
	}
	*stage = STAGE_MADE;
	return machine_push(machine, (struct pickle_value){.kind = kind});
}

bool
machine_reduce(struct pickle_machine *machine)
{
	struct pickle_value arguments, callable;

	if (!machine_pop(machine, &arguments) || !machine_pop(machine, &callable)) {
		return false;
	}
	if (arguments.kind != VALUE_TUPLE) {
		return fail(machine, "calls something without a tuple of arguments");
	}
	const struct pickle_container *tuple = container_of_value(machine, arguments);
	if (is_global(callable, GLOBAL_RECONSTRUCT)) {
		return make(machine, &machine->array_stage, makes_array(machine, tuple),
		            VALUE_ARRAY);
	}
	if (is_global(callable, GLOBAL_TYPE)) {
		return make(machine, &machine->type_stage, makes_type(tuple), VALUE_TYPE);
	}
	if (is_global(callable, GLOBAL_ENCODE) && tuple->n_items == 2 &&
	    tuple->items[0].kind == VALUE_TEXT && is_text(tuple->items[1], "latin1")) {
		/* Its bytes as UTF-8: they are only ever compared with "b". */
		struct pickle_value bytes = tuple->items[0];
		bytes.kind = VALUE_BYTES;
		return machine_push(machine, bytes);
	}
	return fail(machine, "calls something");
}

/* (3, '|', None, None, None, -1, -1, 63) */
static bool
build_type(struct pickle_machine *machine, const struct pickle_container *state)
{
	const struct pickle_value *items = state->items;
	bool right = state->n_items == 8 && machine->type_stage == STAGE_MADE &&
	             is_integer(items[0], 3) && is_text(items[1], "|");

	for (size_t i = 2; i < 5 && right; i++) {
		right = items[i].kind == VALUE_NONE;
	}
	for (size_t i = 5; i < 8 && right; i++) {
		right = items[i].kind == VALUE_INTEGER;
	}
	if (!right) {
		return fail(machine, "gives a dtype a state that arrays of dicts don't need");
	}
	machine->type_stage = STAGE_BUILT;
	return true;
}

/* Whether the product of a shape is the count of items that is wished. */
static bool
has_count(const struct pickle_machine *machine, const struct pickle_container *shape)
{
	uint64_t n = 1;
	bool overflows = false, is_empty = false;

	for (size_t i = 0; i < shape->n_items; i++) {
		if (shape->items[i].kind != VALUE_INTEGER || shape->items[i].integer < 0) {
			return false;
		}
		is_empty |= shape->items[i].integer == 0;
		overflows |= __builtin_mul_overflow(n, (uint64_t)shape->items[i].integer, &n);
	}
	return is_empty ? machine->n_wished == 0 : !overflows && n == machine->n_wished;
}

/* (1, shape, dtype, is_fortran, [item, ...]) */
static bool
build_array(struct pickle_machine *machine, const struct pickle_container *state)
{
	const struct pickle_value *items = state->items;

	if (state->n_items != 5 || machine->array_stage != STAGE_MADE ||
	    machine->type_stage != STAGE_BUILT || !is_integer(items[0], 1) ||
	    items[1].kind != VALUE_TUPLE || items[2].kind != VALUE_TYPE ||
	    items[3].kind != VALUE_BOOLEAN || items[4].kind != VALUE_LIST) {
		return fail(machine, "gives an array a state that arrays of dicts don't need");
	}
	const struct pickle_container *list = container_of_value(machine, items[4]);
	if (!has_count(machine, container_of_value(machine, items[1])) ||
	    list->n_items != machine->n_wished) {
		return fail(machine, "the array has another number of items than its header says");
	}
	for (size_t i = 0; i < list->n_items; i++) {
		if (list->items[i].kind != VALUE_DICT) {
			return fail(machine, "an item of the array is not a dict");
		}
	}
	machine->list = items[4].container;
	machine->array_stage = STAGE_BUILT;
	return true;
}

bool
machine_build(struct pickle_machine *machine)
{
	struct pickle_value state;

	if (!machine_pop(machine, &state)) {
		return false;
	}
	if (n_above(machine) == 0) {
		return fail(machine, "nothing is on the stack");
	}
	enum pickle_kind kind = machine->stack[machine->n_stack - 1].kind;
	if (state.kind != VALUE_TUPLE || (kind != VALUE_TYPE && kind != VALUE_ARRAY)) {
		return fail(machine, "gives a state to what takes none");
	}
	const struct pickle_container *tuple = container_of_value(machine, state);
	return kind == VALUE_TYPE ? build_type(machine, tuple) : build_array(machine, tuple);
}

bool
machine_stop(struct pickle_machine *machine)
{
	if (machine->n_stack != 1 || machine->stack[0].kind != VALUE_ARRAY ||
	    machine->array_stage != STAGE_BUILT) {
		return fail(machine, "what it leaves is not an array");
	}
	return true;
}

void
machine_fini(struct pickle_machine *machine)
{
	for (size_t i = 0; i < machine->n_containers; i++) {
		free(machine->containers[i].items);
	}
	free(machine->containers);
	free(machine->memo);
	free(machine->stack);
}
