/*
 * Gathering rows. A record's arguments differ from record to record, so all but the columns that
 * every row has are gathered as (row, value) pairs, which costs two stores a value and nothing for
 * what is absent, however many keys there are; bitmaps are made when the block is encoded.
 *
 * Texts go to the source's dictionary until a key shows that its texts rarely repeat (paths with a
 * time in them, UUIDs): from then on its texts stay in their block, so that the dictionary, which
 * is in memory, does not grow with the trace. The decision is made between blocks and depends on
 * the rows alone.
 */
#include "config.h"
#include "column/encode/gather.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/order.h"

#define FIRST_SLOT FIELD_CATEGORY
#define COLUMNS_KEPT 256u /* from block to block */

void
gather_init(struct gather *gather, enum block_kind kind, uint32_t limit, struct gather_texts *texts)
{
	*gather = (struct gather){.texts = texts, .limit = limit};
	gather->start = xrealloc_array(NULL, limit, sizeof *gather->start);
	gather->lane = xrealloc_array(NULL, limit, sizeof *gather->lane);
	gather->name = xrealloc_array(NULL, limit, sizeof *gather->name);
	gather->ordinals = xrealloc_array(NULL, limit, sizeof *gather->ordinals);
	if (kind == BLOCK_SPAN) {
		gather->duration = xrealloc_array(NULL, limit, sizeof *gather->duration);
	}
	if (kind == BLOCK_COUNTER) {
		gather->value = xrealloc_array(NULL, limit, sizeof *gather->value);
	}
}

static void
column_free(struct gathered_column *column)
{
	free(column->rows);
	free(column->values);
	strbuf_free(&column->text);
}

void
gather_fini(struct gather *gather)
{
	for (size_t i = 0; i < gather->n_columns; i++) {
		column_free(&gather->columns[i]);
	}
	free(gather->columns);
	free(gather->slots);
	free(gather->start);
	free(gather->duration);
	free(gather->lane);
	free(gather->name);
	free(gather->value);
	free(gather->ordinals);
	free(gather->orders);
}

/* Columns that the last block used keep their memory, others go; all go if they are very many. */
void
gather_clear(struct gather *gather)
{
	size_t kept = 0;

	for (size_t i = 0; i < gather->n_columns; i++) {
		struct gathered_column *column = &gather->columns[i];
		if (column->n == 0 || gather->n_columns > COLUMNS_KEPT) {
			gather->slots[column->field - FIRST_SLOT] = 0;
			column_free(column);
			continue;
		}
		column->n = 0;
		strbuf_clear(&column->text);
		gather->columns[kept++] = *column;
		gather->slots[column->field - FIRST_SLOT] = (uint32_t)kept;
	}
	gather->n_columns = kept;
	gather->n = 0;
	gather->text_bytes = 0;
}

static struct gathered_column *
add_column(struct gather *gather, uint32_t field, enum column_type type)
{
	size_t slot = field - FIRST_SLOT;

	if (slot >= gather->n_slots) {
		size_t old = gather->n_slots;
		MEM_GROW(gather->slots, gather->n_slots, slot + 1);
		memset(gather->slots + old, 0, (gather->n_slots - old) * sizeof *gather->slots);
	}
	MEM_GROW(gather->columns, gather->columns_capacity, gather->n_columns + 1);
	struct gathered_column *column = &gather->columns[gather->n_columns++];
	*column = (struct gathered_column){.field = field, .type = (uint8_t)type};
	gather->slots[slot] = (uint32_t)gather->n_columns;
	return column;
}

static inline struct gathered_column *
find_column(struct gather *gather, uint32_t field, enum column_type type)
{
	size_t slot = field - FIRST_SLOT;
	uint32_t index = slot < gather->n_slots ? gather->slots[slot] : 0;

	return index ? &gather->columns[index - 1] : add_column(gather, field, type);
}

static void
grow_column(struct gathered_column *column, uint32_t limit)
{
	size_t capacity = column->capacity ? column->capacity * 4 : 16;

	capacity = LEAST(limit, capacity);
	column->rows = xrealloc_array(column->rows, capacity, sizeof *column->rows);
	column->values = xrealloc_array(column->values, capacity, sizeof *column->values);
	column->capacity = capacity;
}

/* Place of the current row's value: a key that stands twice in a record has its last value. */
static inline int64_t *
column_place(struct gather *gather, struct gathered_column *column)
{
	if (column->n > 0 && column->rows[column->n - 1] == gather->n) {
		return &column->values[column->n - 1];
	}
	if (column->n == column->capacity) {
		grow_column(column, gather->limit);
	}
	column->rows[column->n] = (uint16_t)gather->n;
	return &column->values[column->n++];
}

void
gather_integer(struct gather *gather, uint32_t field, enum column_type type, int64_t value)
{
	*column_place(gather, find_column(gather, field, type)) = value;
}

void
gather_order(struct gather *gather, struct span_order order)
{
	if (!gather->orders && order.begin != 0) {
		MEM_NEW(gather->orders, gather->limit);
	}
	if (gather->orders) {
		gather->orders[gather->n] = order;
	}
}

static struct gathered_key *
text_key(struct gather_texts *texts, uint32_t key)
{
	if (key >= texts->n_keys) {
		size_t old = texts->n_keys;
		MEM_GROW(texts->keys, texts->n_keys, (size_t)key + 1);
		memset(texts->keys + old, 0, (texts->n_keys - old) * sizeof *texts->keys);
	}
	return &texts->keys[key];
}

static void
gather_local_text(struct gather *gather, struct gathered_column *column, struct slice text)
{
	int64_t *end = column_place(gather, column);

	column->text.len = column->n > 1 ? (size_t)column->values[column->n - 2] : 0;
	strbuf_add_slice(&column->text, text);
	*end = (int64_t)column->text.len;
	gather->text_bytes += text.len;
}

static void
gather_text(struct gather *gather, uint32_t field, struct slice text)
{
	struct gathered_key *key = text_key(gather->texts, (field - FIELD_ARG) / ARG_TYPES);
	struct gathered_column *column =
	    find_column(gather, field, key->is_local ? COLUMN_LOCAL_TEXT : COLUMN_TEXT);

	if (column->n == 0) { /* kept from a block before the decision */
		column->type = key->is_local ? COLUMN_LOCAL_TEXT : COLUMN_TEXT;
	}
	if (column->type == COLUMN_LOCAL_TEXT) {
		gather_local_text(gather, column, text);
		return;
	}
	key->n_texts++;
	if (column->n > 0 && slice_equal(text, column->last_text)) {
		int64_t code = column->values[column->n - 1];
		*column_place(gather, column) = code;
		return;
	}
	struct intern *dictionary = gather->texts->dictionary;
	uint32_t count = intern_count(dictionary);
	uint32_t code = intern_id(dictionary, text);
	if (intern_count(dictionary) != count) {
		key->n_new++;
		key->new_bytes += text.len;
		gather->text_bytes += text.len;
	}
	*column_place(gather, column) = code;
	column->last_text = intern_text(dictionary, code);
}

void
gather_args(struct gather *gather, const struct arg *args, size_t n_args)
{
	for (size_t i = 0; i < n_args; i++) {
		const struct arg *arg = &args[i];
		uint32_t field = field_arg(arg->key, arg->type);
		int64_t bits;
		switch (arg->type) {
		case ARG_TEXT:
		case ARG_JSON:
			gather_text(gather, field, arg->text);
			break;
		case ARG_REAL:
			memcpy(&bits, &arg->real, sizeof bits);
			gather_integer(gather, field, COLUMN_REAL, bits);
			break;
		case ARG_NULL:
			gather_integer(gather, field, COLUMN_INTEGER, 0);
			break;
		default:
			gather_integer(gather, field, COLUMN_INTEGER, arg->integer);
		}
	}
}

struct slice
gathered_text(const struct gather *gather, const struct gathered_column *column, uint32_t i)
{
	if (column->type == COLUMN_TEXT) {
		return intern_text(gather->texts->dictionary, (uint32_t)column->values[i]);
	}
	int64_t start = i > 0 ? column->values[i - 1] : 0;
	const char *text = column->text.data ? column->text.data : "";
	return (struct slice){text + start, (size_t)(column->values[i] - start)};
}

/* The dictionary may grow by so much for a key before it matters that its texts rarely repeat;
 * the larger, the stricter. */
static bool
repeats_rarely(const struct gathered_key *key)
{
	if (key->n_new > 4096 || key->new_bytes > 4u << 20) {
		return key->n_new > key->n_texts / 2 ||
		       (key->n_new > 262144 && key->n_new > key->n_texts / 8);
	}
	return false;
}

void
gather_texts_decide(struct gather_texts *texts)
{
	for (size_t i = 0; i < texts->n_keys; i++) {
		struct gathered_key *key = &texts->keys[i];
		key->is_local = key->is_local || repeats_rarely(key);
	}
}

/* Takes the values of the rows whose bit is set out to `to`. places[row]: the row's number among
 * those taken, or among those that stay. */
static void
move_column(struct gather *from, struct gathered_column *column, const uint64_t *rows,
            const uint16_t *places, struct gather *to)
{
	bool is_text = column->field >= FIELD_ARG &&
	               (column->type == COLUMN_TEXT || column->type == COLUMN_LOCAL_TEXT);
	uint32_t first = to->n, n = column->n;
	int64_t text_start = 0, text_end = 0; /* of this text; of those that stay */

	column->n = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t row = column->rows[i];
		int64_t value = column->values[i];
		struct slice text = {NULL, 0};
		if (column->type == COLUMN_LOCAL_TEXT) {
			text = (struct slice){column->text.data + text_start,
			                      (size_t)(value - text_start)};
			text_start = value;
		} else if (is_text) {
			text = intern_text(from->texts->dictionary, (uint32_t)value);
		}
		if (!(rows[row / 64] >> (row & 63) & 1)) {
			if (column->type == COLUMN_LOCAL_TEXT) {
				memmove(column->text.data + text_end, text.ptr, text.len);
				value = text_end += (int64_t)text.len;
			}
			column->rows[column->n] = places[row];
			column->values[column->n++] = value;
			continue;
		}
		to->n = first + places[row];
		if (is_text) {
			gather_text(to, column->field, text);
		} else {
			gather_integer(to, column->field, (enum column_type)column->type, value);
		}
	}
	to->n = first;
	column->text.len = (size_t)text_end;
}

static uint32_t
move_dense(int64_t *from, uint32_t n, const uint64_t *rows, int64_t *to)
{
	uint32_t kept = 0;

	for (uint32_t row = 0; row < n; row++) {
		if (rows[row / 64] >> (row & 63) & 1) {
			*to++ = from[row];
		} else {
			from[kept++] = from[row];
		}
	}
	return kept;
}

static void
move_orders(struct gather *from, const uint64_t *rows, struct gather *to)
{
	uint32_t first = to->n, kept = 0;

	for (uint32_t row = 0; from->orders && row < from->n; row++) {
		if (rows[row / 64] >> (row & 63) & 1) {
			gather_order(to, from->orders[row]);
			to->n++;
		} else {
			from->orders[kept++] = from->orders[row];
		}
	}
	to->n = first;
}

void
gather_move(struct gather *from, const uint64_t *rows, struct gather *to)
{
	uint32_t n = from->n, n_moved = 0, kept = 0;
	uint16_t *places = xrealloc_array(NULL, (size_t)n + 1, sizeof *places);
	int64_t *ordinals = (int64_t *)from->ordinals;

	for (uint32_t row = 0; row < n; row++) {
		places[row] = (uint16_t)(rows[row / 64] >> (row & 63) & 1 ? n_moved++ : kept++);
	}
	for (size_t i = 0; i < from->n_columns; i++) {
		move_column(from, &from->columns[i], rows, places, to);
	}
	move_dense(from->start, n, rows, to->start + to->n);
	move_dense(from->duration, n, rows, to->duration + to->n);
	move_dense(from->lane, n, rows, to->lane + to->n);
	move_dense(from->name, n, rows, to->name + to->n);
	move_dense(ordinals, n, rows, (int64_t *)to->ordinals + to->n);
	move_orders(from, rows, to);
	from->n = kept;
	to->n += n_moved;
	free(places);
}

static const struct gathered_column *
column_of(const struct gather *gather, uint32_t field)
{
	size_t slot = field - FIRST_SLOT;
	uint32_t index = slot < gather->n_slots ? gather->slots[slot] : 0;

	return index > 0 ? &gather->columns[index - 1] : NULL;
}

void
gather_categories(const struct gather *gather, struct span_key *keys)
{
	const struct gathered_column *column = column_of(gather, FIELD_CATEGORY);

	for (uint32_t i = 0; column && i < column->n; i++) {
		keys[column->rows[i]].category = (uint32_t)column->values[i];
	}
}

void
gather_call_sums(const struct gather *gather, struct span_key *keys)
{
	const struct gathered_column *calls = column_of(gather, FIELD_CALLS);
	const struct gathered_column *sums = column_of(gather, FIELD_CALL_SUM);

	for (uint32_t i = 0; calls && i < calls->n; i++) {
		struct span_key *key = &keys[calls->rows[i]];
		key->call_sum_ns = key->duration_ns;
	}
	for (uint32_t i = 0; sums && i < sums->n; i++) {
		keys[sums->rows[i]].call_sum_ns = sums->values[i];
	}
}
