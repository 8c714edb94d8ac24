/*
 * DFTracer calls whose sizes, durations and paths have little in common: sizes and durations are
 * spread evenly over their logarithms, so that nearly each size stands once, and none of the five
 * thousand files is read twice in a row. What compression, dictionaries and sums by value gain on
 * a training job's few sizes, they do not gain here.
 */
#include "config.h"
#include "bench/generate.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <zlib.h>

#include "util/prng.h"

#define FILES 5000u
#define THREADS 4u /* of a rank */
#define RANKS_OF_HOST 8u

static const struct call {
	const char *name, *category;
	bool moves; /* bytes */
} calls[] = {
    {"read", "POSIX", true},
    {"pread64", "POSIX", true},
    {"write", "POSIX", true},
    {"pwrite64", "POSIX", true},
    {"fread", "STDIO", true},
    {"fwrite", "STDIO", true},
    {"open64", "POSIX", false},
    {"close", "POSIX", false},
    {"lseek64", "POSIX", false},
    {"__fxstat64", "POSIX", false},
    {"fsync", "POSIX", false},
    {"mkdir", "POSIX", false},
    {"unlink", "POSIX", false},
    {"TorchDataset.__getitem__", "data_loader", false},
    {"IndexedBinaryReader.get_sample", "reader", false},
    {"FormatReader.preprocess", "reader", false},
    {"TorchFramework.compute", "ai_framework", false},
};

/* From low to high, evenly over the logarithm. */
static uint64_t
spread(struct prng *prng, double low, double high)
{
	double share = (double)prng_below(prng, 1u << 30) / (double)(1u << 30);

	return (uint64_t)(low * pow(high / low, share));
}

static int
write_line(gzFile file, const struct varied *options, unsigned rank, uint64_t id, int64_t now[],
           struct prng *prng)
{
	const struct call *call = &calls[prng_below(prng, sizeof calls / sizeof *calls)];
	unsigned thread = (unsigned)prng_below(prng, THREADS);
	uint64_t duration = spread(prng, 1, 20000), path = prng_below(prng, FILES);
	int64_t start = now[thread];
	char moved[64] = "";

	now[thread] += (int64_t)(duration + spread(prng, 1, 300));
	if (call->moves) {
		unsigned long long bytes = spread(prng, 64, 1 << 26);
		snprintf(moved, sizeof moved, "\"ret\":\"%llu\",\"count\":\"%llu\",", bytes, bytes);
	}
	return gzprintf(
	    file,
	    "{\"id\":\"%llu\",\"name\":\"%s\",\"cat\":\"%s\",\"pid\":\"%u\",\"tid\":"
	    "\"%u\",\"ts\":\"%lld\",\"dur\":\"%llu\",\"ph\":\"X\",\"args\":{"
	    "\"hostname\":\"node%02u\",%s\"fname\":\"/p/lustre2/d%02u/%016llx.bin\"}}\n",
	    (unsigned long long)id, call->name, call->category, rank,
	    1000 + rank * THREADS + thread, (long long)start, (unsigned long long)duration,
	    rank / RANKS_OF_HOST, moved, (unsigned)(path % 40),
	    (unsigned long long)((path + options->seed) * 0x9e3779b97f4a7c15u));
}

int
generate_varied_rank(const char *folder, const struct varied *options, unsigned rank,
                     struct err *err)
{
	struct prng prng = {options->seed * 1000003u + rank};
	int64_t now[THREADS];
	char path[4096];

	snprintf(path, sizeof path, "%s/trace-%u.pfw.gz", folder, rank);
	for (unsigned i = 0; i < THREADS; i++) {
		now[i] = INT64_C(1712598200000000) + rank * 131 + i * 17;
	}
	gzFile file = gzopen(path, "wb6");
	bool failed = !file || gzputs(file, "[\n") < 0;
	uint64_t n = options->events / options->ranks + (rank < options->events % options->ranks);
	for (uint64_t i = 0; !failed && i < n; i++) {
		failed = write_line(file, options, rank, i, now, &prng) <= 0;
	}
	failed = (file && gzclose(file) != Z_OK) || failed;
	return failed ? err_set_errno(err, errno, "%s: cannot be written", path) : 0;
}
