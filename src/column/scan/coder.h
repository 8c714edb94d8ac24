/*
 * Coders turn rows into small dense numbers, one coder for all dimensions that depend on the same
 * thing: the lane (host, process, thread ...), the path (basename, pattern ...), the name, a
 * number, an argument. Groups are then tuples of codes.
 * Used by column/ops.
 */
#ifndef LANESCOPE_COLUMN_SCAN_CODER_H
#define LANESCOPE_COLUMN_SCAN_CODER_H

#include "column/scan/dimension.h"
#include "util/divisor.h"

struct coder;       /* shared by all threads */
struct coder_state; /* one a thread */

struct coder_set {
	struct coder *coders[SCAN_DIMENSIONS];
	unsigned n;
	/* Of the i-th dimension of the list: which coder, and which of its dimensions. */
	struct {
		unsigned coder, part;
	} places[SCAN_DIMENSIONS];
	int time; /* the coder of time(WIDTH), -1: none */
};
/* limit: codes a coder may give out. The list and its arena must outlive the set. */
void coder_set_init(struct coder_set *set, const struct dataset *dataset, enum block_kind kind,
                    const struct dimension_list *list, uint32_t limit, struct block_fields *fields);
/* Names count as others: aliases[code] is the text code of the one (TEXT_NONE: as no name), for all
 * of the run's texts. They must outlive the set. */
void coder_set_alias_names(struct coder_set *set, const uint32_t *aliases);
/* Only rows with such values have codes (sums_request.bounds); they must outlive the set. */
void coder_set_bound(struct coder_set *set, const struct value_bounds *bounds);
#define CODER_OUTSIDE (UINT32_MAX - 1) /* instead of the code of any other value */
/* What its tables over the run's texts or lanes take while so many threads scan. */
uint64_t coder_table_bytes(const struct coder *coder, unsigned n_threads);
bool coder_is_bounded(const struct coder *coder);
void coder_set_free(struct coder_set *set);

struct coder_state *coder_state_new(struct coder *coder);
void coder_state_free(struct coder_state *state); /* takes NULL */

/* codes[row] for the chunk's rows rows[0 ... n-1] (rows NULL: 0 ... n-1). ERR_LIMIT, ERR_FORMAT
 * (metadata of the block that lie). */
int coder_run(struct coder_state *state, struct block_view *view, const uint16_t *rows, uint32_t n,
              uint32_t *codes, struct err *err);
/* The coder's column in the view's chunk, if it is one of few values (and neither buckets nor
 * several columns); false: it is not. */
bool coder_small(const struct coder_state *state, struct block_view *view,
                 struct few_values *small);
/* The code of an index of it. */
int coder_small_code(struct coder_state *state, struct block_view *view,
                     const struct few_values *small, unsigned index, uint32_t *code,
                     struct err *err);
/* Is its dimension the number that stands in one column, of any size? */
bool coder_is_number(const struct coder *coder, uint32_t *field);
/* Such a coder's column in the view's chunk. */
struct row_integers coder_numbers(struct coder_state *state, struct block_view *view);
/* Do all of the set's dimensions depend on name, category and lane alone? */
bool coder_set_fits_totals(const struct coder_set *set);
int coder_total(struct coder_state *state, const struct dataset_total *total, uint32_t *code,
                struct err *err);
/* Of a time coder, after coder_set_bound(): what starts before the instant has the bucket before
 * it, whatever its bounds say. */
void coder_carry(struct coder *coder, int64_t from_ns);
/* The code of a bucket (start / width) of a time coder. */
int coder_bucket(struct coder_state *state, int64_t bucket, uint32_t *code, struct err *err);
struct divisor coder_width(const struct coder *coder);
/* Do codes stand for numbers in their order? Code 1 for the lowest, 0 for a missing one. */
bool coder_is_range(const struct coder *coder, int64_t *lowest);

/* Codes given out so far (all are below); for coders by range, all that may come. */
uint32_t coder_count(const struct coder *coder);
/* After the scan: what a code stands for. */
struct scan_value coder_value(const struct coder *coder, unsigned part, uint32_t code);
/* Brings the value of a code that is read soon into the processor's cache. */
void coder_prefetch(const struct coder *coder, uint32_t code);

#endif
