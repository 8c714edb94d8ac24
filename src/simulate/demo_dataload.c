/*
 * A made-up study of data loading: the times and the memory of a training loop that reads samples
 * one by one (baseline1), merged into blocks of one size (baseline2), and into blocks of the size
 * that was found to be best (ours).
 *
 * A read costs its latency once, however many samples it brings; what is brought at a time is
 * unpacked the slower the more it is, and lies in memory. So blocks pay where the loop waits for
 * data, up to a size; where computing takes longer than loading, nothing is left to gain. That is
 * what the study is there to show.
 */
#include "config.h"
#include "simulate/demo_traces.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "simulate/demo_files.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/prng.h"
#include "util/slice.h"

#define BATCH 512
#define BATCHES 6
#define SAMPLES (BATCH * BATCHES)
#define LOADERS 4
#define BEST_BLOCK 20
#define US INT64_C(1000)
#define MS INT64_C(1000000)
#define WARM_UP_NS (900 * MS)
#define LATENCY_NS (2400 * US)
#define TRANSFER_NS (250 * US)
#define UNPACK_NS (1200 * US)
#define LEAST_WAIT_NS (6 * MS)
#define MEMORY_ROWS 8

struct made_trial {
	const char *folder;
	int64_t compute_ns; /* of a batch */
	int block;
	bool is_chosen; /* the block size stands in opt_config */
	struct prng prng;
};

/* Within 2 % of it. */
static int64_t
about(struct made_trial *trial, int64_t much)
{
	return much / 1000 * (980 + (int64_t)prng_below(&trial->prng, 41));
}

/* ---- arrays ---- */

static void
put_head(FILE *file, const char *type, int n)
{
	static const char magic[] = {(char)0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, 118, 0};
	char text[119];

	snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (%d,), }",
	         type, n);
	fwrite(magic, 1, sizeof magic, file);
	fprintf(file, "%-117s\n", text);
}

static int
write_times(const struct made_trial *trial, const char *name, const int64_t *ns, int n,
            struct err *err)
{
	FILE *file = demo_open(err, "%s/%s.npy", trial->folder, name);

	if (file) {
		put_head(file, "<f8", n);
	}
	for (int i = 0; file && i < n; i++) {
		double seconds = (double)ns[i] / 1e9;
		uint64_t bits;
		memcpy(&bits, &seconds, sizeof bits);
		for (int k = 0; k < 8; k++, bits >>= 8) {
			fputc((int)(bits & 0xff), file);
		}
	}
	return demo_close(file, trial->folder, err);
}

static void
put_pickled(FILE *file, const char *text)
{
	fprintf(file, "X%c%c%c%c%s", (int)strlen(text), 0, 0, 0, text);
}

/* An array of dicts, as numpy pickles it: bytes of each container as text. */
static int
write_memory(struct made_trial *trial, struct err *err)
{
	static const char head[] = "\x80\x03"
				   "cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\n"
				   "K\0\x85"
				   "C\001b\x87R(K\001K";
	static const char type[] = "\x85"
				   "cnumpy\ndtype\nX\002\0\0\0O8\x89\x88\x87R(K\003"
				   "X\001\0\0\0|NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK?tb\x89](";
	FILE *file = demo_open(err, "%s/memory.npy", trial->folder);
	char bytes[32];

	if (!file) {
		return -1;
	}
	put_head(file, "|O", MEMORY_ROWS);
	fwrite(head, 1, sizeof head - 1, file);
	fputc(MEMORY_ROWS, file);
	fwrite(type, 1, sizeof type - 1, file);
	for (int i = 0; i < MEMORY_ROWS; i++) {
		fputs("}(", file);
		put_pickled(file, "train");
		snprintf(
		    bytes, sizeof bytes, "%" PRId64,
		    about(trial, INT64_C(6000000000) + INT64_C(4800000) * LOADERS * trial->block));
		put_pickled(file, bytes);
		put_pickled(file, "train-client");
		put_pickled(file, "72000000");
		fputc('u', file);
	}
	fputs("etb.", file);
	return demo_close(file, trial->folder, err);
}

/* ---- trials ---- */

static int
write_loop(struct made_trial *trial, int64_t batch_ns, struct err *err)
{
	int64_t load_ns[BATCHES], compute_ns[BATCHES];

	for (int i = 0; i < BATCHES; i++) {
		/* Loaders that unpack blocks take some of the loop's own time. */
		compute_ns[i] = about(trial, trial->compute_ns + 40 * MS + 400 * US * trial->block);
		load_ns[i] = i == 0
		                 ? about(trial, WARM_UP_NS)
		                 : MOST(LEAST_WAIT_NS, about(trial, batch_ns) - compute_ns[i - 1]);
	}
	return write_times(trial, "data_load_time", load_ns, BATCHES, err) ||
	               write_times(trial, "compute_time", compute_ns, BATCHES - 1, err)
	           ? -1
	           : 0;
}

static int
write_trial(struct made_trial *trial, struct err *err)
{
	int64_t times[SAMPLES];
	int64_t read_ns = LATENCY_NS + TRANSFER_NS * trial->block;
	int64_t sample_ns = read_ns / trial->block + UNPACK_NS + UNPACK_NS * trial->block / 300;
	int n_reads = (SAMPLES + trial->block - 1) / trial->block;

	for (int i = 0; i < n_reads; i++) {
		times[i] = about(trial, read_ns);
	}
	int rc = write_times(trial, "io_time", times, n_reads, err);
	for (int i = 0; i < SAMPLES; i++) {
		times[i] = about(trial, sample_ns);
	}
	rc = rc ? rc : write_times(trial, "processing_time", times, SAMPLES, err);
	rc = rc ? rc : write_loop(trial, sample_ns * BATCH / LOADERS, err);
	rc = rc ? rc : write_memory(trial, err);
	if (rc == 0 && trial->is_chosen) {
		FILE *file = demo_open(err, "%s/opt_config", trial->folder);
		if (file) {
			fprintf(file, "1,%d", trial->block);
		}
		rc = demo_close(file, trial->folder, err);
	}
	return rc;
}

static const struct compute {
	const char *text;
	int64_t ns; /* of a batch */
} computes[] = {{"0.1", 100 * MS}, {"0.5", 500 * MS}, {"1.0", 1000 * MS}};

/* STUDY/KIND/images/[run1/]remote/sim_compute_time=S[-block_size=B] */
static int
make_trial(const char *study, const char *kind, int run, const struct compute *compute, int block,
           uint64_t seed, struct err *err)
{
	struct strbuf path = {0};

	strbuf_printf(&path, "%s/%s/images/", study, kind);
	if (run > 0) {
		strbuf_printf(&path, "run%d/", run);
	}
	strbuf_printf(&path, "remote/sim_compute_time=%s", compute->text);
	if (run == 0) {
		strbuf_printf(&path, "-block_size=%d", block);
	}
	strbuf_add_char(&path, '/');
	int rc = 0;
	for (char *end = path.data + strlen(study) + 1; rc == 0 && (end = strchr(end, '/'));
	     end++) {
		*end = '\0';
		if (mkdir(path.data, 0777) && errno != EEXIST) {
			rc = err_set_errno(err, errno, "%s", path.data);
		}
		*end = end[1] ? '/' : '\0';
	}
	struct made_trial trial = {.folder = path.data,
	                           .compute_ns = compute->ns,
	                           .block = block,
	                           .is_chosen = run > 0 && block > 1,
	                           .prng = {seed + (uint64_t)(compute - computes) * 10000 +
	                                    (uint64_t)(run * 1000 + block)}};
	rc = rc ? rc : write_trial(&trial, err);
	strbuf_free(&path);
	return rc;
}

int
demo_write_dataload(const char *folder, uint64_t seed, struct err *err)
{
	static const int blocks[] = {1, 10, BEST_BLOCK, 40, 80, 160, 320};

	for (size_t i = 0; i < COUNT_OF(computes); i++) {
		for (int run = 1; run <= 2; run++) {
			if (make_trial(folder, "baseline1", run, &computes[i], 1, seed, err) ||
			    make_trial(folder, "ours", run, &computes[i], BEST_BLOCK, seed, err)) {
				return -1;
			}
		}
	}
	for (size_t i = 0; i < COUNT_OF(blocks); i++) {
		if (make_trial(folder, "baseline2", 0, &computes[0], blocks[i], seed, err)) {
			return -1;
		}
	}
	return 0;
}
