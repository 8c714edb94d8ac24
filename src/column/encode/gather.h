/* Rows of a block before they are encoded: for src/column/block*.c alone.
 * Used by its room alone. */
#ifndef LANESCOPE_COLUMN_ENCODE_GATHER_H
#define LANESCOPE_COLUMN_ENCODE_GATHER_H

#include "column/encode/block.h"

/* One column: the values of the rows that have one. */
struct gathered_column {
	uint32_t field;
	uint8_t type; /* enum column_type */
	uint32_t n;
	size_t capacity;
	uint16_t *rows;
	int64_t *values; /* integers, bits, codes; LOCAL_TEXT: where it ends in `text` */
	struct strbuf text;
	struct slice last_text; /* dictionary text of values[n-1], if n > 0 */
};

/* What is known of an argument's texts over the whole source. */
struct gathered_key {
	uint64_t n_texts, n_new, new_bytes;
	bool is_local;
};

/* Shared by the rows of one builder. */
struct gather_texts {
	struct intern *dictionary;
	struct gathered_key *keys;
	size_t n_keys;
};

struct gather {
	struct gather_texts *texts;
	uint32_t n, limit;                               /* rows */
	int64_t *start, *duration, *lane, *name, *value; /* one a row; of those that the kind has */
	uint64_t *ordinals;
	struct span_order *orders;       /* from the first span on that has one */
	struct gathered_column *columns; /* the others, in order of first use */
	size_t n_columns, columns_capacity;
	uint32_t *slots; /* by field - FIELD_CATEGORY: index in columns + 1, 0 none */
	size_t n_slots;
	size_t text_bytes; /* gathered since the last clear */
	bool is_open;      /* durations are not known yet: no column of them */
};

void gather_init(struct gather *gather, enum block_kind kind, uint32_t limit,
                 struct gather_texts *texts);
void gather_fini(struct gather *gather);
void gather_clear(struct gather *gather); /* ready for the next block */
/* Values of row gather->n (the caller counts it up). */
void gather_integer(struct gather *gather, uint32_t field, enum column_type type, int64_t value);
void gather_order(struct gather *gather, struct span_order order);
void gather_args(struct gather *gather, const struct arg *args, size_t n_args);
struct slice gathered_text(const struct gather *gather, const struct gathered_column *column,
                           uint32_t i);
/* Fills in the category of each row that has one. */
void gather_categories(const struct gather *gather, struct span_key *keys);
/* And the sum of the calls' durations of each that stands for many. */
void gather_call_sums(const struct gather *gather, struct span_key *keys);
/* Moves the rows whose bit is set to the end of `to`. */
void gather_move(struct gather *from, const uint64_t *rows, struct gather *to);
/* Decides which keys' texts repeat too rarely for the dictionary. */
void gather_texts_decide(struct gather_texts *texts);

/* Encodes all rows (n > 0); info gets everything but sequence. */
struct block *gather_encode(const struct gather *gather, enum block_kind kind, uint32_t source);

#endif
