/* A run in memory, for tests. */
#ifndef LANESCOPE_TESTS_MEMORY_DATASET_H
#define LANESCOPE_TESTS_MEMORY_DATASET_H

#include "column/scan/dataset.h"

/* For tests and for reading back what was just built: takes blocks (owned from then on), numbers
 * them, shifts times so that the earliest start is 0 and makes a dataset; texts of source i are
 * dictionaries[i] (borrowed; a code of source i maps to the union's). lanes[i] gives source i's
 * lanes, in its own codes. */
struct memory_dataset;
struct memory_dataset *memory_dataset_new(struct block **blocks, size_t n_blocks,
                                          struct intern *const *dictionaries,
                                          struct intern *const *keys,
                                          const struct lane *const *lanes, const uint32_t *n_lanes,
                                          uint32_t n_sources);
const struct dataset *memory_dataset_get(const struct memory_dataset *memory);
/* Adds columns (of the finishing pass, say) to a block of spans; the bytes are copied. Has the
 * signature of finish_receiver.columns. */
int memory_dataset_attach(void *memory, uint32_t source, uint32_t sequence,
                          struct column_info *columns, const size_t *offsets, uint32_t n,
                          struct slice bytes);
/* ns that were subtracted from all times */
int64_t memory_dataset_origin(const struct memory_dataset *memory);
void memory_dataset_free(struct memory_dataset *memory);

#endif
