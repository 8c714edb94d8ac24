/* What the files of the finishing pass share (finish.c tells the story).
 * Used by its room alone. */
#ifndef LANESCOPE_COLUMN_FINISH_FINISH_PRIVATE_H
#define LANESCOPE_COLUMN_FINISH_FINISH_PRIVATE_H

#include <pthread.h>
#include "column/finish/finish.h"
#include "column/encode/span_sort.h"
#include "util/spill.h"
#include "util/slice.h"

/* finish.c: what finish_add leaves of a block */

/* The spans of one lane in one block, sorted and packed. */
struct finish_piece {
	int64_t first_start_ns, last_end_ns; /* on the source's clock */
	uint32_t lane;                       /* in the source's codes */
	uint32_t n;
	uint32_t offset; /* in the block's bytes; the next piece's offset ends it */
};
struct finish_block {
	uint32_t source, sequence, n_rows;
	uint32_t n_pieces, last_lane; /* the pieces' highest */
	struct spill_place place; /* n_bytes of spans, then the pieces, on a border of 8 bytes */
	uint32_t n_bytes;
	bool has_orders;   /* packed behind each span */
	bool has_sums;     /* the same behind that: of records that stand for many calls */
	uint64_t first_id; /* known when all blocks are there */
};

struct finish_scratch;
struct finish {
	struct spill *spill;
	pthread_mutex_t lock; /* guards the rest while blocks are added */
	struct finish_block *blocks;
	size_t n_blocks, block_capacity;
	struct finish_scratch *scratch; /* free ones */
};

/* Pieces of one block after the other. Zero-initialise. */
struct piece_reader {
	struct finish_piece *buffer;
	size_t capacity;
};
/* All pieces of a block, lent until the next call; NULL: err is set. */
const struct finish_piece *piece_read(struct piece_reader *reader, const struct finish *finish,
                                      const struct finish_block *block, struct err *err);
void piece_reader_fini(struct piece_reader *reader);

/* A lane's share of a block. */
struct finish_part {
	int64_t start_ns; /* of its first span, on the run's clock */
	uint32_t block, n;
	uint32_t offset, end; /* in the block's bytes */
};

/* finish_merge.c: the spans of a lane out of its parts, in order */
struct merge_span {
	int64_t start_ns, duration_ns; /* as recorded, shifted */
	uint32_t block, row, category; /* category in the source's codes */
	struct span_order order;
	int64_t call_sum_ns; /* of a record that stands for many calls; else -1 */
};
struct lane_merge;
struct lane_merge *merge_new(const struct finish *finish);
/* Begins with a lane; parts get sorted in place, and stay borrowed. */
void merge_begin(struct lane_merge *merge, struct finish_part *parts, size_t n_parts);
int merge_next(struct lane_merge *merge, struct merge_span *span,
               struct err *err);           /* 1, 0 at the end, -1 */
void merge_free(struct lane_merge *merge); /* takes NULL */

/* finish_result.c: nesting of spans on its way from lanes to blocks */
struct span_nesting {
	uint32_t block;
	uint16_t row, depth;
	int64_t distance; /* own id - parent's id, 0: no parent */
	int64_t covered_ns;
};
/* One thread's results, spilled in parts when there are many. */
struct result_log;
struct result_log *result_log_new(struct spill *spill);
int result_log_add(struct result_log *log, const struct span_nesting *result, struct err *err);
int result_log_flush(struct result_log *log, struct err *err);
void result_log_free(struct result_log *log); /* takes NULL */
/* Brings all results to their blocks, in order. */
int result_deliver(const struct finish *finish, const struct finish_plan *plan,
                   struct result_log *const *logs, size_t n_logs, unsigned n_threads,
                   const struct finish_receiver *receiver, struct err *err);

/* finish_tile.c: tiles on their way from lanes to the receiver */
struct tile_entry {
	enum tile_subject subject;
	uint32_t id;
	unsigned level;
	uint64_t chunk;
	struct spill_place place;
	size_t offset, n_bytes;
};
struct tile_log {
	struct spill *spill;
	struct strbuf bytes; /* not spilled yet: those of entries n_placed ... */
	struct tile_entry *entries;
	size_t n_entries, n_placed, capacity;
};
int tile_log_add(struct tile_log *log, enum tile_subject subject, uint32_t id, unsigned level,
                 uint64_t chunk, struct slice bytes, struct err *err);
int tile_log_flush(struct tile_log *log, struct err *err);
void tile_log_fini(struct tile_log *log);
/* All entries of some flushed logs, which have none then, sorted by (subject, id, level, chunk).
 * New (free()). */
struct tile_entry *tile_log_take(struct tile_log *logs, size_t n_logs, size_t *n);
struct tile_grouping {
	const struct finish_plan *plan;
	struct spill *spill;
	int64_t base_ns;
	struct tile_log *logs; /* get what is made; one a thread */
	unsigned n_threads;
};
/* What the lanes' tiles of the base level (sorted entries) are together, as entries of groups at
 * that level; others of the same groups may follow. */
int tile_part_groups(const struct tile_grouping *grouping, const struct tile_entry *lanes, size_t n,
                     struct err *err);
/* Group tiles out of the lanes', or of all that tile_part_groups made (sorted entries). */
int tile_groups(const struct tile_grouping *grouping, const struct tile_entry *entries, size_t n,
                struct err *err);
int tile_deliver(struct spill *spill, const struct tile_entry *entries, size_t n,
                 const struct finish_receiver *receiver, struct err *err);

#endif
