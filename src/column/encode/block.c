/*
 * The builder: rows are gathered, and encoded and given away when the block is full.
 *
 * A span that lasts much longer than the time in which its neighbours start would make its whole
 * block look as long to a reader of a short window. So before a block is encoded such rows are
 * moved to a second one, which is given away when it is full itself, or at the end. Where most rows
 * are long that would only shuffle them: it is done for at most an eighth.
 *
 * Records that stand for many calls and do not tell how long their interval is go to blocks of
 * their own, which get their column of durations when all is read.
 */
#include "config.h"
#include "column/encode/block.h"

#include <stdlib.h>

#include "column/encode/gather.h"
#include "util/mem.h"
#include "util/order.h"

#define TEXT_BYTES_MAX (8u << 20) /* gathered for a block */
#define COLUMNS_ENOUGH 4096u      /* ends a block */
#define COLUMNS_NAMED FIELD_ARG   /* more than a row has beside its arguments */
#define LONG_FACTOR 4             /* how much longer than the extent of the starts */
#define LONG_MIN_ROWS 64u         /* below, extents mean nothing */

struct block_builder {
	enum block_kind kind;
	uint32_t source, sequence, rows;
	uint64_t n_added;
	struct block_receiver receiver;
	struct gather_texts texts;
	struct gather usual, slow; /* slow: long spans; no memory before the first one */
	struct gather open;        /* spans whose duration is not known yet; the same */
	struct span_key *keys;
};

struct block_builder *
block_builder_new(enum block_kind kind, uint32_t source, struct intern *texts, uint32_t rows,
                  const struct block_receiver *receiver)
{
	struct block_builder *builder = xcalloc(1, sizeof *builder);

	builder->kind = kind;
	builder->source = source;
	builder->rows = rows < 1 ? 1 : LEAST(BLOCK_ROWS, rows);
	builder->receiver = *receiver;
	builder->texts.dictionary = texts;
	return builder;
}

void
block_builder_free(struct block_builder *builder)
{
	if (builder) {
		gather_fini(&builder->usual);
		gather_fini(&builder->slow);
		gather_fini(&builder->open);
		free(builder->texts.keys);
		free(builder->keys);
		free(builder);
	}
}

static const struct span_key *
make_keys(struct block_builder *builder, const struct gather *gather)
{
	if (builder->kind != BLOCK_SPAN) {
		return NULL;
	}
	if (!builder->keys) {
		builder->keys = xrealloc_array(NULL, builder->rows, sizeof *builder->keys);
	}
	for (uint32_t row = 0; row < gather->n; row++) {
		builder->keys[row] = (struct span_key){.start_ns = gather->start[row],
		                                       .duration_ns = gather->duration[row],
		                                       .lane = (uint32_t)gather->lane[row],
		                                       .category = TEXT_NONE,
		                                       .call_sum_ns = -1};
	}
	gather_categories(gather, builder->keys);
	gather_call_sums(gather, builder->keys);
	return builder->keys;
}

static int
emit(struct block_builder *builder, struct gather *gather)
{
	if (gather->n == 0) {
		return 0;
	}
	struct block *block = gather_encode(gather, builder->kind, builder->source);
	block->info.sequence = builder->sequence++;
	int status =
	    builder->receiver.block(builder->receiver.user, block, make_keys(builder, gather));
	gather_clear(gather);
	gather_texts_decide(&builder->texts);
	return status;
}

/* Marks the rows that last much longer than the time in which all start; returns how many, 0 if
 * it is not worth it. */
static uint32_t
mark_long(const struct gather *gather, uint64_t *rows)
{
	int64_t min = gather->start[0], max = gather->start[0];
	uint32_t n_long = 0;

	for (uint32_t row = 1; row < gather->n; row++) {
		min = LEAST(gather->start[row], min);
		max = MOST(gather->start[row], max);
	}
	uint64_t extent = (uint64_t)max - (uint64_t)min;
	if (gather->n < LONG_MIN_ROWS || extent == 0 || extent > INT64_MAX / LONG_FACTOR) {
		return 0;
	}
	for (uint32_t row = 0; row < gather->n; row++) {
		bool is_long = gather->duration[row] > (int64_t)extent * LONG_FACTOR;
		rows[row / 64] |= (uint64_t)is_long << (row & 63);
		n_long += is_long;
	}
	return n_long <= gather->n / 8 ? n_long : 0;
}

static int
move_long(struct block_builder *builder)
{
	struct gather *usual = &builder->usual, *slow = &builder->slow;
	uint64_t *rows = xcalloc(usual->n / 64 + 1, sizeof *rows);
	uint32_t n_long = mark_long(usual, rows);
	int status = 0;

	if (n_long > 0) {
		if (!slow->start) {
			gather_init(slow, builder->kind, builder->rows, &builder->texts);
		}
		if (n_long > builder->rows - slow->n || slow->text_bytes >= TEXT_BYTES_MAX ||
		    slow->n_columns + usual->n_columns + COLUMNS_NAMED > BLOCK_COLUMNS) {
			status = emit(builder, slow);
		}
		gather_move(usual, rows, slow);
	}
	free(rows);
	return status;
}

static int
emit_usual(struct block_builder *builder)
{
	int status = 0;

	if (builder->kind == BLOCK_SPAN && builder->usual.n > 0) {
		status = move_long(builder);
	}
	return status ? status : emit(builder, &builder->usual);
}

/* Gives the gathered rows away. */
static int
emit_full(struct block_builder *builder, struct gather *gather)
{
	return gather == &builder->usual ? emit_usual(builder) : emit(builder, gather);
}

/* Place for one more row. */
static inline int
row_start(struct block_builder *builder, struct gather *gather, size_t n_args)
{
	size_t n_columns = LEAST(n_args, BLOCK_ROW_ARGS);
	int status = 0;

	if (gather->n_columns + n_columns + COLUMNS_NAMED > BLOCK_COLUMNS) {
		status = emit_full(builder, gather);
	}
	if (!gather->start) {
		gather_init(gather, builder->kind, builder->rows, &builder->texts);
	}
	gather->ordinals[gather->n] = builder->n_added++;
	return status;
}

static inline int
row_end(struct block_builder *builder, struct gather *gather, const struct arg *args, size_t n_args)
{
	gather_args(gather, args, LEAST(n_args, BLOCK_ROW_ARGS));
	gather->n++;
	if (gather->n < builder->rows && gather->text_bytes < TEXT_BYTES_MAX &&
	    gather->n_columns < COLUMNS_ENOUGH) {
		return 0;
	}
	return emit_full(builder, gather);
}

static inline void
add_known(struct gather *gather, enum field field, enum column_type type, int64_t value,
          int64_t none)
{
	if (value != none) {
		gather_integer(gather, field, type, value);
	}
}

static void
add_totals(struct gather *gather, const struct call_totals *totals)
{
	gather_integer(gather, FIELD_CALL_SUM, COLUMN_INTEGER, totals->sum_ns);
	add_known(gather, FIELD_CALL_MIN, COLUMN_INTEGER, totals->min_ns, TIME_NONE);
	add_known(gather, FIELD_CALL_MAX, COLUMN_INTEGER, totals->max_ns, TIME_NONE);
	add_known(gather, FIELD_SIZE_MIN, COLUMN_INTEGER, totals->size_min, SIZE_NONE);
	add_known(gather, FIELD_SIZE_MAX, COLUMN_INTEGER, totals->size_max, SIZE_NONE);
}

int
block_builder_span(struct block_builder *builder, const struct span *span)
{
	const struct call_totals *totals = span->calls != 1 ? span->totals : NULL;
	bool is_open = span->totals && span->totals->is_open;
	struct gather *gather = is_open ? &builder->open : &builder->usual;
	int status = row_start(builder, gather, span->n_args);
	uint32_t row = gather->n;

	if (status) {
		return status;
	}
	gather->is_open = is_open;
	gather->start[row] = span->start_ns;
	gather->duration[row] = span->duration_ns;
	gather->lane[row] = span->lane;
	gather->name[row] = span->name;
	add_known(gather, FIELD_CATEGORY, COLUMN_TEXT, span->category, TEXT_NONE);
	add_known(gather, FIELD_PATH, COLUMN_TEXT, span->path, TEXT_NONE);
#define GATHER(field, name, member, none)                                                          \
	add_known(gather, FIELD_##field, COLUMN_INTEGER, span->member, none);
	SPAN_NUMBERS(GATHER)
	if (totals) {
		add_totals(gather, totals);
	}
	gather_order(gather, span->order);
	return row_end(builder, gather, span->args, span->n_args);
}

int
block_builder_event(struct block_builder *builder, const struct event *event)
{
	struct gather *gather = &builder->usual;
	int status = row_start(builder, gather, event->n_args);
	uint32_t row = gather->n;

	if (status) {
		return status;
	}
	gather->start[row] = event->time_ns;
	gather->lane[row] = event->lane;
	gather->name[row] = event->name;
	add_known(gather, FIELD_CATEGORY, COLUMN_TEXT, event->category, TEXT_NONE);
	return row_end(builder, gather, event->args, event->n_args);
}

int
block_builder_counter(struct block_builder *builder, const struct counter *counter)
{
	struct gather *gather = &builder->usual;
	int status = row_start(builder, gather, counter->n_args);
	uint32_t row = gather->n;

	if (status) {
		return status;
	}
	gather->start[row] = counter->time_ns;
	gather->lane[row] = counter->lane;
	gather->name[row] = counter->name;
	memcpy(&gather->value[row], &counter->value, sizeof counter->value);
	return row_end(builder, gather, counter->args, counter->n_args);
}

int
block_builder_flush(struct block_builder *builder)
{
	int status = emit_usual(builder);

	status = status ? status : emit(builder, &builder->slow);
	return status ? status : emit(builder, &builder->open);
}
