/* Inside of coders: what making, agreeing and running share.
 * Used by its room alone. */
#ifndef LANESCOPE_COLUMN_SCAN_CODER_PRIVATE_H
#define LANESCOPE_COLUMN_SCAN_CODER_PRIVATE_H

#include <pthread.h>
#include <stdatomic.h>
#include "column/scan/coder.h"
#include "util/intern.h"
#include "util/mem.h"
#include "util/regex.h"

enum coder_type { CODER_TEXT, CODER_LANE, CODER_RANGE, CODER_NUMBER, CODER_ARG };

/* Hash table from numbers to codes + 1. */
struct number_table {
	struct number_entry {
		uint64_t number;
		uint32_t kind, code; /* code 0: free */
	} * entries;
	size_t n, mask;
};

struct coder {
	enum coder_type type;
	const struct dataset *dataset;
	enum row_column column; /* the first dimension's */
	const struct dimension_spec *specs[SCAN_DIMENSIONS];
	unsigned n_specs;
	bool is_identity; /* the text itself is the only dimension */
	struct row_slots slots;
	struct row_arg_slots arg_slots;
	/* of how long or large one call is, where records stand for many; UINT32_MAX */
	uint32_t calls_slot;
	struct divisor width; /* of buckets, ns; by 0: the number itself */
	int64_t first_ns; /* buckets of starts before it are its: the scope's range begins there */
	int64_t lowest;   /* CODER_RANGE */
	uint32_t limit;
	_Atomic uint32_t *by_code; /* code + 1, 0: not met yet; [n_by_code - 1]: missing */
	uint32_t n_by_code;
	const struct value_bounds *bounds[SCAN_DIMENSIONS]; /* by part; NULL: any value */
	struct value_bounds upper; /* of time whose lower bound is no bound: see coder_carry */
	bool is_bounded;
	const uint32_t *aliases; /* by text code: the one that it counts as; NULL: itself */
	_Atomic uint32_t n_codes;
	pthread_mutex_t lock;  /* of what follows */
	struct intern *tuples; /* key of a tuple -> its place in tuple_codes */
	uint32_t *tuple_codes;
	size_t tuple_codes_capacity;
	struct number_table numbers; /* numbers need no key */
	struct arena *arena;
	struct scan_value *values; /* n_specs a code */
	size_t values_capacity;
};

struct coder_state {
	struct coder *coder;
	struct regex *regexes[SCAN_DIMENSIONS];
	struct number_table numbers;
	uint32_t null_code;                  /* + 1 */
	const struct dataset_source *source; /* that the cache is of */
	uint32_t *cache;                     /* code + 1 by the source's code, 0: not met yet */
	size_t n_cache, cache_capacity;
	struct strbuf scratch, key;
	int64_t integers[CHUNK_ROWS];
};

/* What a number in the table is. */
enum { NUMBER_INTEGER, NUMBER_REAL, NUMBER_UNSIGNED, NUMBER_TEXT /* run code */ };

/* Where the search for a number begins. */
static inline size_t
number_place(const struct number_table *table, uint64_t number, uint32_t kind)
{
	return (hash_mix((number >> 3) + ((uint64_t)kind << 61)) + (number & 7)) & table->mask;
}
/* The code + 1 of a number in a table; 0: it is not there. */
uint32_t number_find(const struct number_table *table, uint64_t number, uint32_t kind);
void number_add(struct number_table *table, uint64_t number, uint32_t kind, uint32_t code);

/* What a value that the coder keeps stands for: a bucket for its start. */
struct scan_value coder_shown(const struct coder *coder, struct scan_value value);
/* Does a tuple of them lie outside of the coder's bounds? */
bool coder_leaves_out(const struct coder *coder, const struct scan_value *tuple);
static inline bool
coder_is_outside(const struct coder *coder, const struct scan_value *tuple)
{
	return coder->is_bounded && coder_leaves_out(coder, tuple);
}

/* Codes that all threads agree on: of a tuple, of a number, of a text that is the coder's only
 * dimension. CODER_OUTSIDE where the bounds leave it out. ERR_LIMIT. */
int coder_agree(struct coder_state *state, const struct scan_value *tuple, uint32_t *code,
                struct err *err);
int coder_agree_number(struct coder_state *state, uint64_t number, uint32_t kind,
                       const struct scan_value *value, uint32_t *code, struct err *err);
int coder_agree_text(struct coder_state *state, uint32_t text, uint32_t *code, struct err *err);

#endif
