/*
 * Traces read in batches, on one thread and on several, against the same read record by record: all
 * that an importer says, with its places, and what it keeps of the source. A difference fails the
 * test.
 */
#ifndef LANESCOPE_TESTS_BATCH_CHECK_H
#define LANESCOPE_TESTS_BATCH_CHECK_H

#include "import/import.h"
#include "util/prng.h"

struct batch_check {
	const struct import_format *format;
	const struct number_set *omitted; /* as in struct import_options */
	/* Traces are gzip: where it is damaged, how much comes out depends on the bytes read at
	 * once. */
	bool is_packed;
};

/* In batches of several sizes. */
void check_trace(const struct batch_check *check, struct prng *prng, struct slice trace,
                 const char *what);
/* The trace and `rounds` damaged copies of it. */
void check_damaged(const struct batch_check *check, struct prng *prng, struct slice trace,
                   unsigned rounds, const char *what);
/* The same of files of the project's, and of the first 100 KiB of samples; both are patterns. */
void check_samples(const struct batch_check *check, const char *ours, unsigned our_rounds,
                   const char *shared, unsigned rounds);

#endif
