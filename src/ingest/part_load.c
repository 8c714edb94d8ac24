/*
 * A source out of a part: everything that is known of it is read back, and its blocks go the way
 * that they would have gone had it been read: their bytes as they are, and of their spans what the
 * finishing pass needs, out of the columns.
 */
#include "config.h"
#include "ingest/part.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "ingest/pack_source.h"
#include "input/squeeze.h"
#include "util/intervals.h"
#include "util/order.h"

#define CHUNK_ROWS 4096u

struct part_loading {
	struct run *run;
	struct source *source;
	const struct kept_source *kept;
	struct part_reader *part;
	uint32_t n_pieces;
	struct span_key *keys; /* of a block */
	struct strbuf values;  /* of a sample */
};

static int
take_piece(void *user, struct pack *pack, struct err *err)
{
	struct part_loading *loading = user;
	int64_t id = part_piece_id(loading->kept->index, loading->n_pieces++);

	if (cancel_requested(loading->run->options->cancel)) {
		return err_set(err, ERR_CANCELLED, "cancelled");
	}
	if (!part_is_run(loading->part)) {
		return part_blob(loading->part, id, &pack->bytes, err);
	}
	struct strbuf squeezed = {0};
	int status = part_blob(loading->part, id, &squeezed, err) ||
	             unsqueeze(strbuf_slice(&squeezed), &pack->bytes, err);
	strbuf_free(&squeezed);
	return status ? -1 : 0;
}

static int
take_values(void *user, uint64_t nth, struct slice *values, struct err *err)
{
	struct part_loading *loading = user;
	uint64_t id = loading->kept->first_sample + nth + 1;

	strbuf_clear(&loading->values);
	int status = part_sample(loading->part, (int64_t)id, &loading->values, err);
	*values = strbuf_slice(&loading->values);
	return status;
}

static int
unsound(const struct part_loading *loading, struct err *err)
{
	return err_set(err, ERR_FORMAT,
	               "%s: is damaged, a block of %s is not what it says: make it again",
	               loading->kept->part, loading->source->path);
}

/* The bytes of a block's columns, one after another, and their places in the run file. */
static struct block *
load_bytes(struct part_loading *loading, struct block_info *info, struct err *err)
{
	struct block *block = xcalloc(1, sizeof *block);

	block->info = *info;
	block->info.columns = xrealloc_array(NULL, info->n_columns, sizeof *info->columns);
	block->offsets = xcalloc((size_t)info->n_columns + 1, sizeof *block->offsets);
	for (uint32_t i = 0; i < info->n_columns; i++) {
		struct column_info *column = &info->columns[i];
		block->offsets[i] = block->bytes.len;
		if (column->blob_bytes) {
			int64_t id =
			    writer_blob_id(loading->kept->index, info->kind, info->sequence, i);
			column->blob_id =
			    writer_blob_id(info->source, info->kind, info->sequence, i);
			if (part_blob(loading->part, id, &block->bytes, err)) {
				goto failed;
			}
		}
		if (block->bytes.len - block->offsets[i] != column->blob_bytes) {
			unsound(loading, err);
			goto failed;
		}
		block->info.columns[i] = *column;
	}
	strbuf_add(&block->bytes, "\0\0\0\0\0\0\0", 8);
	return block;
failed:
	block_free(block);
	return NULL;
}

/* ---- keys ---- */

static const struct column_info *
find_column(const struct block *block, uint32_t field, const char **bytes)
{
	for (uint32_t i = 0; i < block->info.n_columns; i++) {
		const struct column_info *column = &block->info.columns[i];
		if (column->field == field) {
			*bytes = column->blob_bytes ? block->bytes.data + block->offsets[i] : NULL;
			return column;
		}
	}
	*bytes = NULL;
	return NULL;
}

/* Calls `take` for each row that has a value in the column, if the block has that. */
static int
each_value(const struct block *block, uint32_t field, struct span_key *keys,
           void (*take)(struct span_key *key, int64_t value), struct err *err)
{
	const char *bytes, *source_bytes = NULL;
	const struct column_info *column = find_column(block, field, &bytes), *source = NULL;
	uint32_t n_rows = block->info.n_rows;
	struct column_reader reader;
	int64_t values[CHUNK_ROWS];
	uint64_t presence[CHUNK_ROWS / 64];

	if (!column) {
		return 0;
	}
	if (column->flags & COLUMN_COPY) {
		source = find_column(block, column->same_as, &source_bytes);
	}
	if (column_reader_init(&reader, column, bytes, source, source_bytes, n_rows, err)) {
		return -1;
	}
	for (uint32_t row = 0; row < n_rows; row += CHUNK_ROWS) {
		uint32_t n = LEAST(n_rows - row, CHUNK_ROWS);
		column_read(&reader, n, values, presence);
		for (uint32_t i = 0; i < n; i++) {
			if (presence[i / 64] >> i % 64 & 1) {
				take(&keys[row + i], values[i]);
			}
		}
	}
	return 0;
}

static void
take_start(struct span_key *key, int64_t value)
{
	key->start_ns = value;
}

static void
take_duration(struct span_key *key, int64_t value)
{
	key->duration_ns = value;
}

static void
take_lane(struct span_key *key, int64_t value)
{
	key->lane = value < 0 || value > UINT32_MAX ? LANE_NONE : (uint32_t)value;
}

static void
take_category(struct span_key *key, int64_t value)
{
	key->category = value < 0 || value > UINT32_MAX ? TEXT_NONE : (uint32_t)value;
}

/* Of a record that stands for many calls: what it says of their sum, else its duration. */
static void
take_calls(struct span_key *key, int64_t value)
{
	(void)value;
	key->call_sum_ns = key->duration_ns;
}

static void
take_call_sum(struct span_key *key, int64_t value)
{
	key->call_sum_ns = value;
}

/* Are all of them such as a reader lets through, and the block's bounds theirs? */
static bool
are_sound(const struct part_loading *loading, const struct block_info *info)
{
	const struct span_key *keys = loading->keys;
	int64_t first = INT64_MAX, last = INT64_MIN, end = INT64_MIN;

	for (uint32_t row = 0; row < info->n_rows; row++) {
		const struct span_key *key = &keys[row];
		bool is_timely = key->start_ns > -TIME_LIMIT && key->start_ns < TIME_LIMIT &&
		                 key->duration_ns >= 0 &&
		                 time_add(key->start_ns, key->duration_ns) < TIME_LIMIT;
		if (!is_timely || key->lane >= loading->source->lanes.n ||
		    (key->category != TEXT_NONE &&
		     key->category >= intern_count(loading->source->texts))) {
			return false;
		}
		first = LEAST(first, key->start_ns);
		last = MOST(last, key->start_ns);
		end = MOST(end, time_add(key->start_ns, key->duration_ns));
	}
	return first == info->start_min && last == info->start_max && end == info->end_max;
}

static int
make_keys(struct part_loading *loading, const struct block *block, struct err *err)
{
	struct span_key *keys = loading->keys;
	struct err found = ERR_INIT;

	for (uint32_t row = 0; row < block->info.n_rows; row++) {
		keys[row] =
		    (struct span_key){.lane = LANE_NONE, .category = TEXT_NONE, .call_sum_ns = -1};
	}
	if (each_value(block, FIELD_START, keys, take_start, &found) ||
	    each_value(block, FIELD_DURATION, keys, take_duration, &found) ||
	    each_value(block, FIELD_LANE, keys, take_lane, &found) ||
	    each_value(block, FIELD_CATEGORY, keys, take_category, &found) ||
	    each_value(block, FIELD_CALLS, keys, take_calls, &found) ||
	    each_value(block, FIELD_CALL_SUM, keys, take_call_sum, &found) ||
	    !are_sound(loading, &block->info)) {
		return unsound(loading, err);
	}
	return 0;
}

/* ---- blocks ---- */

static int
load_orders(struct part_loading *loading, const struct kept_block *kept, struct block *block,
            struct err *err)
{
	size_t n_bytes = kept->info.n_rows * sizeof *block->orders;

	if (!kept->has_orders) {
		return 0;
	}
	block->orders = xmalloc(n_bytes);
	return spill_read(loading->run->spill, &kept->orders, 0, block->orders, n_bytes, err);
}

static bool
has_sane_bounds(const struct block_info *info)
{
	return info->start_min > -TIME_LIMIT && info->start_min <= info->start_max &&
	       info->start_max < TIME_LIMIT && info->end_max > -TIME_LIMIT &&
	       info->end_max < TIME_LIMIT;
}

static int
load_block(struct part_loading *loading, struct kept_block *kept, struct err *err)
{
	struct block *block;
	bool has_keys = kept->info.kind == BLOCK_SPAN && !kept->is_open && !loading->run->held;

	if (!has_sane_bounds(&kept->info)) {
		return unsound(loading, err);
	}
	block = load_bytes(loading, &kept->info, err);
	if (!block) {
		return -1;
	}
	block->is_open = kept->is_open;
	if (load_orders(loading, kept, block, err) ||
	    (has_keys && make_keys(loading, block, err))) {
		block_free(block);
		return -1;
	}
	return loading->source->target->pass(loading->source->target->user, block,
	                                     has_keys ? loading->keys : NULL, err);
}

/* Of the kinds' next blocks the one that came first; NULL: there are no more. */
static struct kept_block *
next_block(struct source *source, size_t *at)
{
	struct kept_block *next = NULL;

	for (int kind = 0; kind < BLOCK_KINDS; kind++) {
		struct kept_block *blocks = source->blocks[kind];
		if (at[kind] < source->n_blocks[kind] &&
		    (!next || blocks[at[kind]].arrival < next->arrival)) {
			next = &blocks[at[kind]];
		}
	}
	if (next) {
		at[next->info.kind]++;
	}
	return next;
}

/* In the order in which they came, so that the file is the same to the last byte, too. */
static int
load_blocks(struct part_loading *loading, struct err *err)
{
	size_t at[BLOCK_KINDS] = {0};
	struct kept_block *block;

	loading->keys = xrealloc_array(NULL, BLOCK_ROWS, sizeof *loading->keys);
	while ((block = next_block(loading->source, at))) {
		if (load_block(loading, block, err)) {
			return -1;
		}
	}
	return 0;
}

/* Keys of spans whose length only the whole run tells lie in the spill; they are used unseen. */
static int
check_open(struct part_loading *loading, struct err *err)
{
	const struct source *source = loading->source;

	for (size_t i = 0; i < source->n_blocks[BLOCK_SPAN]; i++) {
		const struct kept_block *block = &source->blocks[BLOCK_SPAN][i];
		if (!block->is_open) {
			continue;
		}
		if (spill_read(loading->run->spill, &block->keys, 0, loading->keys,
		               block->info.n_rows * sizeof *loading->keys, err)) {
			return -1;
		}
		if (!are_sound(loading, &block->info)) {
			return unsound(loading, err);
		}
	}
	return 0;
}

static int
load(struct part_loading *loading, const struct import_format *format, struct err *err)
{
	struct source *source = loading->source;
	struct source_pack sp = {.pack = {.is_reading = true, .user = loading, .piece = take_piece},
	                         .source = source,
	                         .spill = loading->run->spill,
	                         .values_apart = part_is_run(loading->part),
	                         .values = take_values};

	source_pack(&sp, format);
	if (pack_end(&sp.pack, err)) {
		return err->code == ERR_FORMAT ? err_wrap(err, "%s: what it holds of %s",
		                                          loading->kept->part, source->path)
		                               : -1;
	}
	if (load_blocks(loading, err) || check_open(loading, err)) {
		return -1;
	}
	struct source_tick tick = {.records = source->facts.records,
	                           .problems = source->n_problems,
	                           .raw_bytes = source->raw_bytes};
	return source->target->tick(source->target->user, &tick, err);
}

/* ---- parts that are open ---- */

/* Sources come in the order of the run, those of one part all over it: so that a part is not opened
 * for each of its sources, some stay open. NULL: this one is not. */
static struct part_reader *
take_open(struct run *run, const char *path)
{
	struct part_reader *reader = NULL;

	pthread_mutex_lock(&run->lock);
	for (unsigned i = run->n_open_parts; i > 0 && !reader; i--) {
		if (strcmp(run->open_parts[i - 1].path, path) == 0) {
			reader = run->open_parts[i - 1].reader;
			run->n_open_parts--;
			memmove(&run->open_parts[i - 1], &run->open_parts[i],
			        (run->n_open_parts - (i - 1)) * sizeof *run->open_parts);
		}
	}
	pthread_mutex_unlock(&run->lock);
	return reader;
}

/* A quarter of the files that this process may have open. */
static unsigned
most_open(void)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur >= 4
	           ? (unsigned)LEAST(limit.rlim_cur / 4, OPEN_PARTS)
	           : 1;
}

/* The one that was used longest ago makes room. */
static void
leave_open(struct run *run, const char *path, struct part_reader *reader)
{
	struct part_reader *oldest = NULL;
	unsigned most = most_open();

	part_forget(reader);
	pthread_mutex_lock(&run->lock);
	if (run->n_open_parts == most) {
		oldest = run->open_parts[0].reader;
		run->n_open_parts--;
		memmove(&run->open_parts[0], &run->open_parts[1],
		        run->n_open_parts * sizeof *run->open_parts);
	}
	run->open_parts[run->n_open_parts++] = (struct open_part){path, reader};
	pthread_mutex_unlock(&run->lock);
	part_close(oldest);
}

void
part_close_all(struct run *run)
{
	for (unsigned i = 0; i < run->n_open_parts; i++) {
		part_close(run->open_parts[i].reader);
	}
	run->n_open_parts = 0;
}

int
part_load_source(struct run *run, struct source *source, const struct kept_source *kept,
                 const struct import_format *format, struct err *err)
{
	struct part_loading loading = {
	    .run = run, .source = source, .kept = kept, .part = take_open(run, kept->part)};

	if (!loading.part) {
		loading.part = part_open(kept->part, err);
	}
	int status = loading.part ? load(&loading, format, err) : -1;
	if (status == 0) {
		leave_open(run, kept->part, loading.part);
	} else {
		part_close(loading.part);
	}
	free(loading.keys);
	strbuf_free(&loading.values);
	return status;
}
