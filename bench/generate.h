/* What `generate` writes beside lanescope's own demo traces. */
#ifndef LANESCOPE_BENCH_GENERATE_H
#define LANESCOPE_BENCH_GENERATE_H

#include <stdbool.h>
#include <stdint.h>

#include "util/err.h"

struct varied {
	uint64_t events; /* in all files */
	unsigned ranks;
	uint64_t seed;
};

/* One rank's file, FOLDER/trace-RANK.pfw.gz; the folder is there. */
int generate_varied_rank(const char *folder, const struct varied *options, unsigned rank,
                         struct err *err);

#endif
