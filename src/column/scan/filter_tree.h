/* Inside of filters: the tree between parser and evaluator.
 * Used by its room alone. */
#ifndef LANESCOPE_COLUMN_SCAN_FILTER_TREE_H
#define LANESCOPE_COLUMN_SCAN_FILTER_TREE_H

#include <stdatomic.h>
#include "column/scan/condition.h"
#include "column/scan/filter.h"
#include "column/scan/rowcolumn.h"
#include "column/scan/rowvalue.h"
#include "column/scan/token.h"
#include "util/regex.h"

#define FILTER_DEPTH 200u /* of parentheses */
#define FILTER_CONDITIONS 1000u
#define FILTER_PATTERN_BYTES 50000u
#define FILTER_VERDICT_BYTES (UINT64_C(1) << 30)

enum filter_op {
	FILTER_EQUAL,
	FILTER_UNEQUAL,
	FILTER_LESS,
	FILTER_LESS_EQUAL,
	FILTER_GREATER,
	FILTER_GREATER_EQUAL,
	FILTER_IN,
	FILTER_LIKE,
	FILTER_GLOB,
	FILTER_REGEXP,
	FILTER_IS_NULL
};

/* What is known of a condition on a code: made when the code is first met. */
enum { VERDICT_UNKNOWN, VERDICT_NO, VERDICT_YES };

/* lo ... lo + span (is_outside: all others), on int64 values seen as unsigned differences. */
struct filter_range {
	int64_t lo;
	uint64_t span;
	bool is_outside;
};

/* Of what records of many calls tell: how many, and the extremes of what the condition is on. */
struct filter_calls_slots {
	uint32_t calls, min, max;
};

struct filter_leaf {
	enum row_column column;
	enum row_class class;
	uint32_t key; /* ROW_ARG; UINT32_MAX: no record of the run has it; index of a name */
	enum filter_op op;
	bool is_negated;         /* of IN, LIKE, GLOB, REGEXP, IS NULL */
	struct scan_value value; /* of comparisons; text: the pattern */
	uint32_t escape;
	const struct scan_value *list; /* IN: sorted */
	size_t n_list;
	bool list_has_null;
	bool has_range; /* a comparison with a number: integers are checked by range */
	struct filter_range range;
	uint32_t index; /* among the filter's leaves */
	struct row_slots slots;
	bool is_of_record; /* of the row itself, whatever calls it stands for: record_duration */
	/* a condition on duration, self or size, in a run that has records of many calls */
	bool is_of_calls;
	struct filter_calls_slots calls_slots;
	struct row_arg_slots arg_slots;
	/* Verdicts by run code of a text, by run lane; one more for "missing". NULL where not
	 * needed. */
	_Atomic uint8_t *text_verdicts, *lane_verdicts;
};

struct filter_node {
	enum { FILTER_AND, FILTER_OR, FILTER_LEAF, FILTER_FALSE } type;
	unsigned cost; /* cheaper children go first */
	struct filter_node *child, *next;
	struct filter_leaf *leaf;
};

struct filter {
	const struct dataset *dataset;
	enum block_kind kind;
	const struct condition_names *names; /* of rows that are no blocks'; NULL: the kind's */
	struct arena *arena;
	struct filter_node *root; /* NULL: every row */
	struct filter_leaf **leaves;
	uint32_t n_leaves;
};

/* A leaf's verdicts by the codes of one source. */
struct filter_cache {
	const struct dataset_source *source;
	uint8_t *verdicts;
	size_t capacity;
};

/* What a leaf makes of a column of few values of the block that is open: the indices it accepts,
 * or, if these are fewer, refuses. */
#define LISTED_INDICES 3
struct filter_small {
	bool is_known; /* else the column is evaluated row by row */
	bool accepts[SMALL_INDICES];
	unsigned n_accepted;
	bool is_listed, lists_accepted;
	uint8_t n_listed, listed[LISTED_INDICES];
};

struct filter_state {
	const struct filter *filter;
	struct regex **regexes;         /* by leaf; made when first needed */
	const struct block_info *block; /* that leaf_verdicts are about */
	enum filter_verdict *leaf_verdicts;
	const struct block_info
	    *open_block;             /* that leaf_verdicts were improved for by filter_open */
	struct filter_small *smalls; /* by leaf, of the open block */
	struct filter_cache *caches; /* by leaf */
	bool takes_undecided;        /* of records of many calls */
	int64_t scratch[CHUNK_ROWS];
};

/* Parses the text into filter->root and ->leaves. NOT is gone from the tree: negated conditions
 * stand in its place, so that only "true" matters from there on ("false" and "unknown" both leave a
 * row out). */
int filter_parse(struct filter *filter, struct slice text, const struct scan_value *parameters,
                 struct err *err);

/* Improves the leaf's verdict on an open block if its column has few values. */
void filter_leaf_open(struct filter_state *state, const struct filter_leaf *leaf,
                      struct block_view *view);
/* Evaluates such a leaf on the chunk; bits behind the chunk's rows mean nothing. False: it is not
 * such a one. */
bool filter_leaf_small(struct filter_state *state, const struct filter_leaf *leaf,
                       struct block_view *view, uint64_t *out);

/* Is the condition true for the value? */
bool filter_leaf_accepts(struct filter_state *state, const struct filter_leaf *leaf,
                         const struct row_value *value);
bool filter_leaf_accepts_null(const struct filter_leaf *leaf);
/* The same by run code of a text or run lane, looked up; codes out of range count as missing. */
bool filter_leaf_accepts_text(struct filter_state *state, const struct filter_leaf *leaf,
                              uint32_t code);
bool filter_leaf_accepts_lane(struct filter_state *state, const struct filter_leaf *leaf,
                              uint32_t lane);
/* Fills in ->has_range and ->range for a comparison with a number. */
void filter_leaf_set_range(struct filter_leaf *leaf);
/* Of a leaf with a range: all values are within min ... max. */
enum filter_verdict filter_leaf_prune_between(const struct filter_leaf *leaf, int64_t min,
                                              int64_t max);

/* Records of many calls (filter_calls.c): may the block hold such that the leaf is to be asked
 * of? */
bool filter_leaf_is_of_calls(const struct filter_leaf *leaf, const struct block_info *block);
void filter_leaf_bind_calls(struct filter_leaf *leaf, struct block_fields *fields);
/* Decides them anew in `out`, which holds what the leaf says of their rows. */
void filter_leaf_eval_calls(struct filter_state *state, const struct filter_leaf *leaf,
                            struct block_view *view, const uint64_t *active, uint64_t *out);
enum filter_verdict filter_leaf_prune(struct filter_state *state, const struct filter_leaf *leaf,
                                      const struct block_info *block);

#endif
