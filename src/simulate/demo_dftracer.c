/*
 * A made-up training job under DFTracer: readers fetch samples (POSIX calls under reader and loader
 * records), the model computes, and every so often each rank writes its share of a checkpoint: some
 * layer files, a small model file, a large optimizer file. With SCR the files go to node-local
 * storage with bookkeeping around each (filemap, access, stat), and threads copy them to the
 * parallel file system afterwards.
 *
 * Durations come from integer arithmetic alone, so that every machine writes the same.
 */
#include "config.h"
#include "simulate/demo_traces.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "simulate/demo_record.h"
#include "util/mem.h"
#include "util/order.h"

#define START_US INT64_C(1712598200000000)
#define COMPUTE_EVERY 16u /* reader cycles */
#define CYCLE_RECORDS 7u
#define TRAINING_US INT64_C(60000000)
#define FLUSH_BYTES (INT64_C(128) << 20)
#define FLUSH_THREADS 4u

#define DATA_FOLDER "/p/lustre2/demo/data/megatron/train"
#define PFS_FOLDER "/p/lustre2/demo/checkpoints/megatron"
#define SSD_FOLDER "/l/ssd/demo/scr.defjobid"

static const int64_t layer_writes[] = {384, 129761280, 64, 20971520, 487};
static const int64_t model_writes[] = {320, 30102, 405};
static const int64_t optimizer_writes[] = {704,       1009254400, 64,         1009254400, 865075200,
                                           865075200, 1587392,    1875123200, 935};

enum threads { THREAD_MAIN, THREAD_READER = 404, THREAD_FLUSH = 767 };

/* ---- durations ---- */

/* Around `median`, skewed as I/O is: one in 16 takes four times as long, one in 256 twenty times.
 */
static int64_t
around(struct demo_rank *rank, int64_t median)
{
	uint64_t draw = prng_next(&rank->prng);
	int64_t factor = 128 + (int64_t)(draw & 127) + (int64_t)(draw >> 7 & 127);

	if ((draw >> 20 & 255) == 0) {
		factor *= 20;
	} else if ((draw >> 28 & 15) == 0) {
		factor *= 4;
	}
	int64_t duration = median / 256 * factor + median % 256 * factor / 256;
	return duration ? duration : 1;
}

/* Bytes at a rate of MB/s, which is bytes per microsecond. */
static int64_t
moving(struct demo_rank *rank, int64_t bytes, int64_t rate)
{
	int64_t share = 90 + (int64_t)prng_below(&rank->prng, 30);

	return bytes / rate * share / 100 + around(rank, 4);
}

/* ---- calls; each returns the time after it ---- */

/* A file as a thread has it open. */
struct opened {
	struct demo_file *file;
	unsigned thread;
	int64_t fd;
};

static int64_t
call_at(struct demo_rank *rank, const char *name, const struct opened *opened, int64_t start_us,
        int64_t duration_us, const struct demo_field *fields, size_t n)
{
	struct demo_call call = {name,         "POSIX", opened->thread, start_us, duration_us,
	                         opened->file, 0};

	demo_event(rank, &call, fields, n);
	return start_us + duration_us + 3 + (int64_t)prng_below(&rank->prng, 30);
}

static int64_t
move_bytes(struct demo_rank *rank, const char *name, const struct opened *opened, int64_t at,
           int64_t bytes, int64_t rate)
{
	struct demo_field fields[] = {
	    {"ret", bytes, true}, {"count", bytes, true}, {"fd", opened->fd, false}};

	return call_at(rank, name, opened, at, moving(rank, bytes, rate), fields, 3);
}

static int64_t
open_file(struct demo_rank *rank, const struct opened *opened, int64_t at, int64_t median)
{
	struct demo_field fields[] = {
	    {"ret", opened->fd, false}, {"flags", 577, false}, {"mode", 438, false}};

	return call_at(rank, "open64", opened, at, around(rank, median), fields, 3);
}

static int64_t
plain_call(struct demo_rank *rank, const char *name, const struct opened *opened, int64_t at,
           int64_t median)
{
	struct demo_field fields[] = {{"ret", 0, false}, {"fd", opened->fd, false}};

	return call_at(rank, name, opened, at, around(rank, median), fields, 2);
}

static int64_t
seek(struct demo_rank *rank, const struct opened *opened, int64_t at, int64_t offset)
{
	struct demo_field fields[] = {{"ret", offset, true},
	                              {"offset", offset, true},
	                              {"whence", 0, false},
	                              {"fd", opened->fd, false}};

	return call_at(rank, "lseek64", opened, at, around(rank, 2), fields, 4);
}

/* ---- checkpoints ---- */

struct share {
	const char *kind;
	unsigned number;
	const int64_t *writes;
	size_t n_writes;
};

static void
name_file(struct demo_file *file, const char *folder, const struct share *share, unsigned step,
          unsigned rank)
{
	snprintf(file->path, sizeof file->path, "%s/%s-%u-%u-%u.pt", folder, share->kind,
	         share->number, step, rank);
	file->hash = demo_hash(file->path);
	file->defined = false;
}

/* What SCR does around a file that was written. */
static int64_t
keep_books(struct demo_rank *rank, struct demo_file *file, int64_t at)
{
	struct demo_file map = {.defined = false};
	struct opened books = {&map, THREAD_MAIN, 26}, kept = {file, THREAD_MAIN, -1};

	snprintf(map.path, sizeof map.path, SSD_FOLDER "/filemap_%u", rank->rank);
	map.hash = demo_hash(map.path);
	at = open_file(rank, &books, at, 21000);
	at = move_bytes(rank, "read", &books, at, 20, 100);
	at = seek(rank, &books, at, 0);
	at = move_bytes(rank, "write", &books, at, 4000, 60);
	at = plain_call(rank, "ftruncate", &books, at, 15);
	at = plain_call(rank, "close", &books, at, 40);
	at = plain_call(rank, "access", &kept, at, 5);
	at = plain_call(rank, "__xstat64", &kept, at, 6);
	return plain_call(rank, "__xstat64", &kept, at, 6);
}

static int64_t
write_share(struct demo_rank *rank, const struct share *share, unsigned step, int64_t at)
{
	bool scr = rank->options->scr;
	int64_t rate = scr ? 1400 : 2600, begin = at;
	struct demo_file file;
	struct opened opened = {&file, THREAD_MAIN, 30};

	name_file(&file, scr ? SSD_FOLDER : PFS_FOLDER, share, step, rank->rank);
	at = open_file(rank, &opened, at, scr ? 120 : 9000);
	at = plain_call(rank, "__fxstat64", &opened, at, 2);
	for (size_t i = 0; i < share->n_writes; i++) {
		at = move_bytes(rank, "write", &opened, at, share->writes[i], rate);
	}
	at = seek(rank, &opened, at, 0);
	at = plain_call(rank, "close", &opened, at, 60);
	struct demo_field fields[] = {{"epoch", 1, false}, {"step", step, false}};
	struct demo_call save = {"PyTorchCheckpointing.save_state",
	                         "checkpoint",
	                         THREAD_MAIN,
	                         begin,
	                         at - begin,
	                         NULL,
	                         0};
	demo_event(rank, &save, fields, 2);
	return scr ? keep_books(rank, &file, at) : at;
}

/* Node-local storage to the parallel file system, by threads, after the checkpoint. */
static void
flush_share(struct demo_rank *rank, const struct share *share, unsigned step, unsigned thread,
            int64_t at)
{
	struct demo_file from, to;
	int64_t left = 0;

	thread = THREAD_FLUSH + thread % FLUSH_THREADS;
	struct opened source = {&from, thread, 41}, target = {&to, thread, 42};

	name_file(&from, SSD_FOLDER, share, step, rank->rank);
	name_file(&to, PFS_FOLDER, share, step, rank->rank);
	from.defined = true; /* when it was written */
	for (size_t i = 0; i < share->n_writes; i++) {
		left += share->writes[i];
	}
	at = open_file(rank, &source, at, 50);
	at = open_file(rank, &target, at, 8000);
	for (; left > 0; left -= FLUSH_BYTES) {
		int64_t bytes = LEAST(left, FLUSH_BYTES);
		at = move_bytes(rank, "read", &source, at, bytes, 2400);
		at = move_bytes(rank, "write", &target, at, bytes, 330);
	}
	at = plain_call(rank, "fsync", &target, at, 14000);
	at = plain_call(rank, "close", &target, at, 1000);
	plain_call(rank, "close", &source, at, 10);
}

static int64_t
checkpoint(struct demo_rank *rank, unsigned step, int64_t at)
{
	const struct demo_dftracer *options = rank->options;
	struct share model = {"model", 1, model_writes, 3};
	struct share optimizer = {"optimizer", 1, optimizer_writes, 9};
	struct share layer = {"layer", 0, layer_writes, 5};
	int64_t begin = at;
	uint64_t id = ++rank->last_id;

	rank->parent = (int64_t)id;
	for (unsigned i = rank->rank; i < options->layers; i += options->ranks) {
		layer.number = i;
		at = write_share(rank, &layer, step, at);
	}
	at = write_share(rank, &model, step, at);
	at = write_share(rank, &optimizer, step, at) + around(rank, 700000);
	struct demo_field fields[] = {{"epoch", 1, false}, {"step", step, false}};
	struct demo_call whole = {"PyTorchCheckpointing.checkpoint",
	                          "checkpoint",
	                          THREAD_MAIN,
	                          begin,
	                          at - begin,
	                          NULL,
	                          id};
	rank->parent = -1;
	demo_event(rank, &whole, fields, 2);
	if (options->scr) {
		for (unsigned i = rank->rank; i < options->layers; i += options->ranks) {
			layer.number = i;
			flush_share(rank, &layer, step, i, at);
		}
		flush_share(rank, &model, step, 1, at);
		flush_share(rank, &optimizer, step, 2, at);
	}
	return at;
}

/* ---- training ---- */

static void
app_event(struct demo_rank *rank, struct demo_call call, int64_t step, int64_t image)
{
	struct demo_field fields[] = {{"epoch", 1, false},
	                              {"step", step, false},
	                              {"image_idx", image, false},
	                              {"image_size", (image % 8 + 1) * 65536, false}};

	demo_event(rank, &call, fields,
	           image < 0                              ? 1
	           : strcmp(call.category, "reader") == 0 ? 4
	                                                  : 3);
}

/* Exactly n records, over TRAINING_US or as long as so many take. */
static int64_t
train(struct demo_rank *rank, uint64_t n, int64_t at)
{
	uint64_t cycles = n * COMPUTE_EVERY / (CYCLE_RECORDS * COMPUTE_EVERY + 1);
	int64_t pace = cycles ? TRAINING_US / (int64_t)cycles : TRAINING_US;
	int64_t end = at + TRAINING_US, cycle_start = at;

	pace = MOST(220, pace);
	for (uint64_t cycle = 1; n >= CYCLE_RECORDS + 1; cycle++, n -= CYCLE_RECORDS) {
		struct demo_file *file = &rank->data[prng_below(&rank->prng, DEMO_DATA_FILES)];
		int64_t size = INT64_C(4096) << prng_below(&rank->prng, 8);
		struct opened opened = {file, THREAD_READER, 20 + (int64_t)(cycle % 16)};
		int64_t t = cycle_start;
		int64_t step = (int64_t)(cycle / COMPUTE_EVERY), image = (int64_t)(cycle % 1024);
		for (unsigned half = 0; half < 2; half++) {
			t = seek(rank, &opened, t, size * half);
			t = move_bytes(rank, "read", &opened, t, size, 1800);
		}
		app_event(rank,
		          (struct demo_call){"IndexedBinaryReader.get_sample", "reader",
		                             THREAD_READER, cycle_start - 2, t - cycle_start + 5,
		                             NULL, 0},
		          step, image);
		app_event(rank,
		          (struct demo_call){"FormatReader.preprocess", "reader", THREAD_READER,
		                             t + 4, around(rank, 12), NULL, 0},
		          step, image);
		app_event(rank,
		          (struct demo_call){"TorchDataset.__getitem__", "data_loader",
		                             THREAD_READER, cycle_start - 4, t - cycle_start + 60,
		                             NULL, 0},
		          step, image);
		if (cycle % COMPUTE_EVERY == 0) {
			app_event(rank,
			          (struct demo_call){"TorchFramework.compute", "ai_framework",
			                             THREAD_MAIN, cycle_start - pace * 8, pace * 7,
			                             NULL, 0},
			          step, -1);
			n--;
		}
		cycle_start += MOST(pace, t - cycle_start + 70);
	}
	struct opened first = {&rank->data[0], THREAD_READER, 20};
	for (; n; n--) {
		cycle_start = seek(rank, &first, cycle_start, 0);
	}
	return MOST(cycle_start, end);
}

/* ---- a rank ---- */

static void
rank_init(struct demo_rank *rank, const struct demo_dftracer *options, unsigned number)
{
	memset(rank, 0, sizeof *rank);
	rank->options = options;
	rank->rank = number;
	rank->prng.state = options->seed * UINT64_C(1000003) + number;
	rank->pid = demo_is_old(rank) ? (int64_t)number : 950547 + (int64_t)number * 3;
	rank->tid = 950547 + (int64_t)number * 3 + (demo_is_old(rank) ? (int64_t)number : 0);
	rank->parent = -1;
	unsigned node = (unsigned)((uint64_t)number * options->nodes / options->ranks);
	snprintf(rank->host, sizeof rank->host, "node%03u", 171 + node);
	rank->host_hash = demo_hash(rank->host);
	for (unsigned i = 0; i < DEMO_DATA_FILES; i++) {
		struct demo_file *file = &rank->data[i];
		snprintf(file->path, sizeof file->path, DATA_FOLDER "/img_%04u_of_1024.bin",
		         (number * DEMO_DATA_FILES + i) % 1024);
		file->hash = demo_hash(file->path);
	}
}

static int64_t
begin_rank(struct demo_rank *rank)
{
	static const char command[] = "python;train.py;workload=megatron";
	char text[64];
	int64_t at = START_US + (int64_t)rank->rank * 137;

	if (!demo_is_old(rank)) {
		demo_metadata(rank, "HH", rank->host, rank->host_hash, NULL);
		demo_metadata(rank, "SH", command, demo_hash(command), NULL);
		demo_metadata(rank, "SH", "train.py", demo_hash("train.py"), NULL);
		struct demo_field fields[] = {{"version", 100008, false},
		                              {"ppid", rank->pid - 1, false}};
		struct demo_call start = {"start", "dftracer", THREAD_MAIN, at, 0, NULL, 0};
		demo_event(rank, &start, fields, 2);
		snprintf(text, sizeof text, "\"%u\"", rank->rank);
		demo_metadata(rank, "PR", "rank", 0, text);
		snprintf(text, sizeof text, "[%u,%u]", rank->rank * 2, rank->rank * 2 + 1);
		demo_metadata(rank, "PR", "core_affinity", 0, text);
		for (unsigned i = 0; i < DEMO_DATA_FILES; i++) {
			demo_define_file(rank, &rank->data[i]);
		}
	}
	return at + 500000;
}

/* The newest dialect's samples of the machine and sums of many calls. */
static void
samples(struct demo_rank *rank, int64_t at)
{
	char record[512];

	if (rank->options->dialect != DEMO_V2) {
		return;
	}
	rank->records += 2;
	if (!rank->out) {
		return;
	}
	demo_put_head(rank, 0, "cpu", "sys", 7, 0);
	snprintf(record, sizeof record,
	         ",\"ts\":%lld,\"ph\":2,\"args\":{\"hhash\":\"%016llx\",\"user_pct\":%u.%u,"
	         "\"system_pct\":3.2,\"iowait_pct\":0.8}}\n",
	         (long long)at, (unsigned long long)rank->host_hash,
	         (unsigned)prng_below(&rank->prng, 60), (unsigned)prng_below(&rank->prng, 10));
	demo_put(rank, record);
	demo_put_head(rank, 0, "openat", "POSIX", 3, rank->tid);
	snprintf(record, sizeof record,
	         ",\"ts\":%lld,\"ph\":3,\"args\":{\"hhash\":\"%016llx\",\"dft_cnt\":4,"
	         "\"dur_min\":3,\"dur_max\":444,\"dur_sum\":%u}}\n",
	         (long long)at, (unsigned long long)rank->host_hash,
	         450 + (unsigned)prng_below(&rank->prng, 400));
	demo_put(rank, record);
	demo_flush_full(rank);
}

static void
bad_line(struct demo_rank *rank, unsigned kind)
{
	static const char hole[80];

	switch (kind % 4) {
	case 0: /* a file name from memory that was freed */
		demo_put(rank, "{\"id\":\"1\",\"name\":\"close\",\"cat\":\"POSIX\",\"pid\":\"0\","
		               "\"tid\":\"9\","
		               "\"ts\":\"1712598257392616\",\"dur\":\"4\",\"ph\":\"X\",\"args\":{"
		               "\"fname\":\"\002\"}}");
		break;
	case 1: /* cut short */
		demo_put(rank,
		         "{\"id\":\"2\",\"name\":\"write\",\"cat\":\"POSIX\",\"pid\":\"0\",\"ts\":"
		         "\"17125");
		break;
	case 2: /* two writers */
		demo_put(
		    rank,
		    "{\"id\":\"3\",\"name\":\"wr{\"id\":\"4\",\"name\":\"close\",\"pid\":\"0\"}");
		break;
	default: /* blocks that never reached the disk */
		demo_put_bytes(rank, hole, sizeof hole);
	}
	demo_put(rank, "\n");
	rank->bad_lines++;
	demo_flush_full(rank);
}

static uint64_t
part_of(uint64_t whole, unsigned index, unsigned parts)
{
	return whole / parts + (index < whole % parts);
}

/* Writes, or only counts, everything; `filler` training records in all. */
static void
run_rank(struct demo_rank *rank, uint64_t filler)
{
	const struct demo_dftracer *options = rank->options;
	int64_t at = begin_rank(rank);
	uint64_t bad = part_of(options->bad_lines, rank->rank, options->ranks);

	for (unsigned step = 0; step < options->steps; step++) {
		at = train(rank, part_of(filler, step, options->steps), at);
		samples(rank, at);
		at = checkpoint(rank, 100 * (step + 1), at) + 2000000;
		for (uint64_t i = part_of(bad, step, options->steps); rank->out && i; i--) {
			bad_line(rank, rank->rank + (unsigned)rank->bad_lines);
		}
	}
	if (!demo_is_old(rank)) {
		struct demo_field fields[] = {{"num_events", (int64_t)rank->records, false}};
		struct demo_call end = {"end", "dftracer", THREAD_MAIN, at, 0, NULL, 0};
		demo_event(rank, &end, fields, 1);
	}
}

/* Records that do not depend on how many are wanted. */
static uint64_t
fixed_records(const struct demo_dftracer *options, unsigned number)
{
	struct demo_rank *rank = xmalloc(sizeof *rank);

	rank_init(rank, options, number);
	run_rank(rank, 0);
	uint64_t records = rank->records;
	free(rank);
	return records;
}

static int
check_options(const struct demo_dftracer *options, struct err *err)
{
	if (options->ranks == 0 || options->nodes == 0 || options->steps == 0) {
		return err_set(err, ERR_USAGE, "a trace needs ranks, nodes and steps");
	}
	return 0;
}

int
demo_write_dftracer_rank(const char *folder, const struct demo_dftracer *options, unsigned number,
                         struct demo_count *count, struct err *err)
{
	char path[4096];
	uint64_t fixed = 0;

	if (check_options(options, err)) {
		return -1;
	}
	for (unsigned i = 0; i < options->ranks; i++) {
		fixed += fixed_records(options, i);
	}
	uint64_t filler = options->training         ? options->training
	                  : options->events > fixed ? options->events - fixed
	                                            : 0;
	snprintf(path, sizeof path, "%s/trace-%u-of-%u.pfw%s", folder, number, options->ranks,
	         options->level ? ".gz" : "");
	struct gzip_writer *out = gzip_writer_open(path, options->level, err);
	if (!out) {
		return -1;
	}
	struct demo_rank *rank = xmalloc(sizeof *rank);
	rank_init(rank, options, number);
	rank->out = out;
	rank->buffer = xmalloc(DEMO_BUFFER_BYTES);
	if (options->dialect != DEMO_V2) {
		demo_put(rank, demo_is_old(rank) ? "[\n   " : "[\n");
	}
	run_rank(rank, part_of(filler, number, options->ranks));
	if (options->dialect == DEMO_NEW) {
		demo_put(rank, "]");
	}
	gzip_writer_put(out, rank->buffer, rank->len);
	if (count) {
		*count = (struct demo_count){rank->records, rank->bad_lines};
	}
	free(rank->buffer);
	free(rank);
	return gzip_writer_close(out, err);
}

int
demo_write_dftracer(const char *folder, const struct demo_dftracer *options,
                    struct demo_count *count, struct err *err)
{
	struct demo_count sum = {0, 0}, one;

	if (check_options(options, err)) {
		return -1;
	}
	if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
		return err_set_errno(err, errno, "%s: cannot create the folder", folder);
	}
	for (unsigned number = 0; number < options->ranks; number++) {
		if (demo_write_dftracer_rank(folder, options, number, &one, err)) {
			return -1;
		}
		sum.records += one.records;
		sum.bad_lines += one.bad_lines;
	}
	if (count) {
		*count = sum;
	}
	return 0;
}
