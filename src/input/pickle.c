/*
 * Opcodes of the restricted pickle reader: a table of what each is called and what follows it, and
 * a switch that hands it to the machine. An opcode that is not in the table is refused by its name
 * or number; every length is compared with the bytes left before anything is done with it.
 */
#include "config.h"
#include "input/pickle.h"

#include <stdlib.h>
#include <string.h>

#include "input/pickle_machine.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/utf8.h"

struct reader {
	struct pickle_machine machine;
	const unsigned char *start, *at, *end;
};

static bool
fail(struct reader *reader, const char *problem)
{
	reader->machine.problem = problem;
	return false;
}

/* ---- what follows an opcode ---- */

static size_t
n_left(const struct reader *reader)
{
	return (size_t)(reader->end - reader->at);
}

static bool
take_number(struct reader *reader, size_t n_bytes, uint64_t *number)
{
	if (n_left(reader) < n_bytes) {
		return fail(reader, "the data end within it");
	}
	*number = 0;
	for (size_t i = 0; i < n_bytes; i++) {
		*number |= (uint64_t)reader->at[i] << 8 * i;
	}
	reader->at += n_bytes;
	return true;
}

/* A length of n_bytes, and so many bytes. */
static bool
take_bytes(struct reader *reader, size_t n_bytes, struct slice *bytes)
{
	uint64_t length;

	if (!take_number(reader, n_bytes, &length)) {
		return false;
	}
	if (length > n_left(reader) || length > UINT32_MAX) {
		return fail(reader, "it is longer than the data");
	}
	*bytes = (struct slice){(const char *)reader->at, (size_t)length};
	reader->at += length;
	return true;
}

static bool
take_line(struct reader *reader, struct slice *line)
{
	const unsigned char *newline = memchr(reader->at, '\n', n_left(reader));

	if (!newline) {
		return fail(reader, "the data end within it");
	}
	*line = (struct slice){(const char *)reader->at, (size_t)(newline - reader->at)};
	reader->at = newline + 1;
	return true;
}

/* ---- opcodes ---- */

static bool
push_text(struct reader *reader, size_t n_bytes, enum pickle_kind kind)
{
	struct slice bytes;

	if (!take_bytes(reader, n_bytes, &bytes)) {
		return false;
	}
	if (kind == VALUE_TEXT && !utf8_valid(bytes)) {
		return fail(reader, "text that is not UTF-8");
	}
	return machine_push(
	    &reader->machine,
	    (struct pickle_value){.kind = kind, .length = (uint32_t)bytes.len, .text = bytes.ptr});
}

static bool
push_integer(struct reader *reader, int64_t integer)
{
	return machine_push(&reader->machine,
	                    (struct pickle_value){.kind = VALUE_INTEGER, .integer = integer});
}

static bool
push_unsigned(struct reader *reader, size_t n_bytes)
{
	uint64_t number;

	return take_number(reader, n_bytes, &number) && push_integer(reader, (int64_t)number);
}

/* LONG1, LONG4: a length, then two's complement, least byte first. */
static bool
push_long(struct reader *reader, size_t n_bytes)
{
	struct slice bytes;
	uint64_t number = 0;

	if (!take_bytes(reader, n_bytes, &bytes)) {
		return false;
	}
	if (bytes.len > sizeof number) {
		return fail(reader, "an integer of more than 64 bits");
	}
	bool negative = bytes.len && (unsigned char)bytes.ptr[bytes.len - 1] >= 0x80;
	for (size_t i = 0; i < sizeof number; i++) {
		uint64_t byte = i < bytes.len ? (unsigned char)bytes.ptr[i] : negative ? 0xff : 0;
		number |= byte << 8 * i;
	}
	return push_integer(reader, (int64_t)number);
}

static bool
push_real(struct reader *reader)
{
	uint64_t number;
	struct pickle_value value = {.kind = VALUE_REAL};

	if (!take_number(reader, 8, &number)) {
		return false;
	}
	number = __builtin_bswap64(number); /* the only one that is big-endian */
	memcpy(&value.real, &number, sizeof number);
	return machine_push(&reader->machine, value);
}

static bool
push_simple(struct reader *reader, enum pickle_kind kind, int64_t integer)
{
	return machine_push(&reader->machine,
	                    (struct pickle_value){.kind = kind, .integer = integer});
}

static bool
read_global(struct reader *reader)
{
	struct slice module, name;

	return take_line(reader, &module) && take_line(reader, &name) &&
	       machine_global(&reader->machine, module, name);
}

static bool
read_stack_global(struct reader *reader)
{
	struct pickle_value module, name;

	if (!machine_pop(&reader->machine, &name) || !machine_pop(&reader->machine, &module)) {
		return false;
	}
	if (module.kind != VALUE_TEXT || name.kind != VALUE_TEXT) {
		return fail(reader, "a name that is not text");
	}
	return machine_global(&reader->machine, (struct slice){module.text, module.length},
	                      (struct slice){name.text, name.length});
}

static bool
read_frame(struct reader *reader)
{
	uint64_t length;

	if (!take_number(reader, 8, &length)) {
		return false;
	}
	return length <= n_left(reader) || fail(reader, "it is longer than the data");
}

static bool
read_memo(struct reader *reader, size_t n_bytes, bool is_put)
{
	uint64_t index;

	if (!take_number(reader, n_bytes, &index)) {
		return false;
	}
	return is_put ? machine_put(&reader->machine, index) : machine_get(&reader->machine, index);
}

static bool
push_signed(struct reader *reader)
{
	uint64_t number;

	return take_number(reader, 4, &number) && push_integer(reader, (int32_t)(uint32_t)number);
}

/* Every opcode there is in protocols 0 to 5, for messages. */
static const char *
name_of(unsigned char opcode)
{
	static const char *const names[256] = {
	    ['('] = "MARK",
	    ['.'] = "STOP",
	    ['0'] = "POP",
	    ['1'] = "POP_MARK",
	    ['2'] = "DUP",
	    ['F'] = "FLOAT",
	    ['I'] = "INT",
	    ['J'] = "BININT",
	    ['K'] = "BININT1",
	    ['L'] = "LONG",
	    ['M'] = "BININT2",
	    ['N'] = "NONE",
	    ['P'] = "PERSID",
	    ['Q'] = "BINPERSID",
	    ['R'] = "REDUCE",
	    ['S'] = "STRING",
	    ['T'] = "BINSTRING",
	    ['U'] = "SHORT_BINSTRING",
	    ['V'] = "UNICODE",
	    ['X'] = "BINUNICODE",
	    ['a'] = "APPEND",
	    ['b'] = "BUILD",
	    ['c'] = "GLOBAL",
	    ['d'] = "DICT",
	    ['}'] = "EMPTY_DICT",
	    ['e'] = "APPENDS",
	    ['g'] = "GET",
	    ['h'] = "BINGET",
	    ['i'] = "INST",
	    ['j'] = "LONG_BINGET",
	    ['l'] = "LIST",
	    [']'] = "EMPTY_LIST",
	    ['o'] = "OBJ",
	    ['p'] = "PUT",
	    ['q'] = "BINPUT",
	    ['r'] = "LONG_BINPUT",
	    ['s'] = "SETITEM",
	    ['t'] = "TUPLE",
	    [')'] = "EMPTY_TUPLE",
	    ['u'] = "SETITEMS",
	    ['G'] = "BINFLOAT",
	    ['B'] = "BINBYTES",
	    ['C'] = "SHORT_BINBYTES",
	    [0x80] = "PROTO",
	    [0x81] = "NEWOBJ",
	    [0x82] = "EXT1",
	    [0x83] = "EXT2",
	    [0x84] = "EXT4",
	    [0x85] = "TUPLE1",
	    [0x86] = "TUPLE2",
	    [0x87] = "TUPLE3",
	    [0x88] = "NEWTRUE",
	    [0x89] = "NEWFALSE",
	    [0x8a] = "LONG1",
	    [0x8b] = "LONG4",
	    [0x8c] = "SHORT_BINUNICODE",
	    [0x8d] = "BINUNICODE8",
	    [0x8e] = "BINBYTES8",
	    [0x8f] = "EMPTY_SET",
	    [0x90] = "ADDITEMS",
	    [0x91] = "FROZENSET",
	    [0x92] = "NEWOBJ_EX",
	    [0x93] = "STACK_GLOBAL",
	    [0x94] = "MEMOIZE",
	    [0x95] = "FRAME",
	    [0x96] = "BYTEARRAY8",
	    [0x97] = "NEXT_BUFFER",
	    [0x98] = "READONLY_BUFFER",
	};

	return names[opcode] ? names[opcode] : "an unknown one";
}

/* Those that only move values about. */
static bool
run_machine_opcode(struct reader *reader, unsigned char opcode)
{
	struct pickle_machine *machine = &reader->machine;

	switch (opcode) {
	case '(':
		return machine_mark(machine);
	case '0':
		return machine_pop_any(machine);
	case '1':
		return machine_pop_mark(machine);
	case 0x94:
		return machine_memoize(machine);
	case ')':
		return machine_collect(machine, VALUE_TUPLE, 0);
	case 0x85:
		return machine_collect(machine, VALUE_TUPLE, 1);
	case 0x86:
		return machine_collect(machine, VALUE_TUPLE, 2);
	case 0x87:
		return machine_collect(machine, VALUE_TUPLE, 3);
	case 't':
		return machine_collect_marked(machine, VALUE_TUPLE);
	case ']':
		return machine_collect(machine, VALUE_LIST, 0);
	case 'l':
		return machine_collect_marked(machine, VALUE_LIST);
	case '}':
		return machine_collect(machine, VALUE_DICT, 0);
	case 'd':
		return machine_collect_marked(machine, VALUE_DICT);
	case 'a':
		return machine_append(machine, VALUE_LIST, 1);
	case 'e':
		return machine_append_marked(machine, VALUE_LIST);
	case 's':
		return machine_append(machine, VALUE_DICT, 2);
	case 'u':
		return machine_append_marked(machine, VALUE_DICT);
	case 'R':
		return machine_reduce(machine);
	case 'b':
		return machine_build(machine);
	default:
		return fail(reader, "arrays of dicts don't need it");
	}
}

static bool
run_opcode(struct reader *reader, unsigned char opcode)
{
	switch (opcode) {
	case 0x95:
		return read_frame(reader);
	case 'c':
		return read_global(reader);
	case 0x93:
		return read_stack_global(reader);
	case 'h':
		return read_memo(reader, 1, false);
	case 'j':
		return read_memo(reader, 4, false);
	case 'q':
		return read_memo(reader, 1, true);
	case 'r':
		return read_memo(reader, 4, true);
	case 'N':
		return push_simple(reader, VALUE_NONE, 0);
	case 0x88:
		return push_simple(reader, VALUE_BOOLEAN, 1);
	case 0x89:
		return push_simple(reader, VALUE_BOOLEAN, 0);
	case 'J':
		return push_signed(reader);
	case 'K':
		return push_unsigned(reader, 1);
	case 'M':
		return push_unsigned(reader, 2);
	case 0x8a:
		return push_long(reader, 1);
	case 0x8b:
		return push_long(reader, 4);
	case 'G':
		return push_real(reader);
	case 0x8c:
		return push_text(reader, 1, VALUE_TEXT);
	case 'X':
		return push_text(reader, 4, VALUE_TEXT);
	case 0x8d:
		return push_text(reader, 8, VALUE_TEXT);
	case 'C':
		return push_text(reader, 1, VALUE_BYTES);
	case 'B':
		return push_text(reader, 4, VALUE_BYTES);
	default:
		return run_machine_opcode(reader, opcode);
	}
}

/* ---- the result ---- */

static int
compare_keys(const void *a, const void *b)
{
	const struct pickle_entry *x = a, *y = b;

	return slice_compare(x->key, y->key);
}

static bool
convert_value(struct pickle_value value, struct pickle_entry *entry)
{
	switch (value.kind) {
	case VALUE_TEXT:
		entry->type = PICKLE_TEXT;
		entry->text = (struct slice){value.text, value.length};
		return true;
	case VALUE_INTEGER:
		entry->type = PICKLE_INTEGER;
		entry->integer = value.integer;
		return true;
	case VALUE_REAL:
		entry->type = PICKLE_REAL;
		entry->real = value.real;
		return true;
	case VALUE_NONE:
		entry->type = PICKLE_NONE;
		return true;
	default:
		return false;
	}
}

/* Entries end up sorted by key. */
static bool
convert_dict(struct reader *reader, const struct pickle_container *container,
             struct pickle_dict *dict)
{
	dict->n_entries = container->n_items / 2;
	dict->entries = xcalloc(dict->n_entries + 1, sizeof *dict->entries);
	for (size_t i = 0; i < dict->n_entries; i++) {
		struct pickle_value key = container->items[2 * i];
		dict->entries[i].key = (struct slice){key.text, key.length};
		if (!convert_value(container->items[2 * i + 1], &dict->entries[i])) {
			return fail(reader, "a value that is neither text, number nor None");
		}
	}
	SORT(dict->entries, dict->n_entries, compare_keys);
	for (size_t i = 1; i < dict->n_entries; i++) {
		if (compare_keys(&dict->entries[i - 1], &dict->entries[i]) == 0) {
			return fail(reader, "a key stands twice in a dict");
		}
	}
	return true;
}

static bool
convert_array(struct reader *reader, struct pickle_array *array)
{
	const struct pickle_machine *machine = &reader->machine;
	const struct pickle_container *list = &machine->containers[machine->list];
	/* container -> 1 + its number among the dicts */
	uint32_t *numbers = xcalloc(machine->n_containers + 1, sizeof *numbers);
	bool ok = true;

	array->n_items = list->n_items;
	array->items = xcalloc(list->n_items + 1, sizeof *array->items);
	array->dicts = xcalloc(list->n_items + 1, sizeof *array->dicts);
	for (size_t i = 0; i < list->n_items && ok; i++) {
		uint32_t container = list->items[i].container;
		if (numbers[container] == 0) {
			numbers[container] = (uint32_t)++array->n_dicts;
			ok = convert_dict(reader, &machine->containers[container],
			                  &array->dicts[array->n_dicts - 1]);
		}
		array->items[i] = numbers[container] - 1;
	}
	free(numbers);
	return ok;
}

/* ---- all of it ---- */

static bool
run(struct reader *reader, const unsigned char **opcode_at)
{
	*opcode_at = reader->at;
	if (n_left(reader) < 2 || reader->at[0] != 0x80) {
		return fail(reader, "it does not begin with a protocol");
	}
	if (reader->at[1] < 2 || reader->at[1] > 5) {
		return fail(reader, "the protocol is none of 2 to 5");
	}
	reader->at += 2;
	while (reader->at < reader->end) {
		*opcode_at = reader->at;
		unsigned char opcode = *reader->at++;
		if (opcode == '.') {
			return machine_stop(&reader->machine);
		}
		if (!run_opcode(reader, opcode)) {
			return false;
		}
	}
	*opcode_at = reader->end;
	return fail(reader, "the data end before it does");
}

int
pickle_read(struct slice bytes, uint64_t base_offset, uint64_t n_items, struct pickle_array *array,
            struct err *err)
{
	const unsigned char *start = (const unsigned char *)bytes.ptr, *opcode_at = start;
	struct reader reader = {.start = start, .at = start, .end = start + bytes.len};
	struct pickle_array found = {0};
	int result = 0;

	reader.machine.n_wished = n_items;
	if (run(&reader, &opcode_at) && convert_array(&reader, &found)) {
		found.n_bytes = (size_t)(reader.at - start);
		*array = found;
	} else {
		const char *name = opcode_at < reader.end ? name_of(*opcode_at) : "end";
		uint64_t offset = base_offset + (uint64_t)(opcode_at - start);
		result = err_set(err, reader.machine.is_limit ? ERR_LIMIT : ERR_FORMAT,
		                 "pickle refused at byte %llu, opcode %s: %s",
		                 (unsigned long long)offset, name, reader.machine.problem);
		pickle_free(&found);
	}
	machine_fini(&reader.machine);
	return result;
}

void
pickle_free(struct pickle_array *array)
{
	for (size_t i = 0; i < array->n_dicts; i++) {
		free(array->dicts[i].entries);
	}
	free(array->dicts);
	free(array->items);
	*array = (struct pickle_array){0};
}
