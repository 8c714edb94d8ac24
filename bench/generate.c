/*
 * Writes the traces that the measurements read.
 *
 *   generate dftracer FOLDER [EVENTS [RANKS [old|new|v2 [base|scr [SEED [LEVEL]]]]]]
 *   generate varied FOLDER [EVENTS [RANKS [SEED]]]
 *   generate cascade FILE [HOSTS [WORKERS [SEED [SLOW]]]]
 *   generate many FILE spans|names|lanes|flows [N]
 *
 * `varied` are DFTracer calls of nearly as many sizes and durations as there are calls. The last
 * one writes a Chrome trace with much of one thing: N spans (a million by default) of few
 * names, of a name each, on a lane each, or with an arrow from each to the one before.
 * DFTracer's ranks are written on all cores.
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/generate.h"
#include "simulate/demo_traces.h"
#include "util/mem.h"
#include "util/workers.h"

static const char *
argument(int argc, char **argv, int index, const char *fallback)
{
	return index < argc ? argv[index] : fallback;
}

struct job {
	const char *folder;
	struct demo_dftracer options;
	struct demo_count *counts;
};

static int
write_rank(void *user, size_t item, unsigned thread, struct err *err)
{
	struct job *job = user;

	(void)thread;
	return demo_write_dftracer_rank(job->folder, &job->options, (unsigned)item,
	                                &job->counts[item], err);
}

static int
generate_dftracer(int argc, char **argv, struct err *err)
{
	struct job job = {.folder = argv[2], .options = DEMO_DFTRACER_DEFAULTS};
	const char *dialect = argument(argc, argv, 5, "old");
	struct demo_count sum = {0, 0};

	job.options.events = strtoull(argument(argc, argv, 3, "100000"), NULL, 10);
	job.options.ranks = (unsigned)strtoul(argument(argc, argv, 4, "16"), NULL, 10);
	job.options.dialect = strcmp(dialect, "new") == 0  ? DEMO_NEW
	                      : strcmp(dialect, "v2") == 0 ? DEMO_V2
	                                                   : DEMO_OLD;
	job.options.scr = strcmp(argument(argc, argv, 6, "base"), "scr") == 0;
	job.options.seed = strtoull(argument(argc, argv, 7, "1"), NULL, 10);
	job.options.level = atoi(argument(argc, argv, 8, "1"));
	if (mkdir(job.folder, 0777) != 0 && errno != EEXIST) {
		return err_set_errno(err, errno, "%s: cannot create the folder", job.folder);
	}
	job.counts = xcalloc(job.options.ranks ? job.options.ranks : 1, sizeof *job.counts);
	int result = workers_run(workers_count(), job.options.ranks, write_rank, &job, NULL, err);
	for (unsigned i = 0; i < job.options.ranks; i++) {
		sum.records += job.counts[i].records;
	}
	free(job.counts);
	if (result == 0) {
		printf("%llu records in %u files\n", (unsigned long long)sum.records,
		       job.options.ranks);
	}
	return result;
}

struct varied_job {
	const char *folder;
	struct varied options;
};

static int
write_varied(void *user, size_t item, unsigned thread, struct err *err)
{
	struct varied_job *job = user;

	(void)thread;
	return generate_varied_rank(job->folder, &job->options, (unsigned)item, err);
}

static int
generate_varied(int argc, char **argv, struct err *err)
{
	struct varied_job job = {
	    argv[2],
	    {strtoull(argument(argc, argv, 3, "100000"), NULL, 10),
	     (unsigned)strtoul(argument(argc, argv, 4, "16"), NULL, 10),
	     strtoull(argument(argc, argv, 5, "1"), NULL, 10)},
	};

	if (job.options.ranks == 0) {
		return err_set(err, ERR_USAGE, "RANKS: at least one");
	}
	if (mkdir(job.folder, 0777) != 0 && errno != EEXIST) {
		return err_set_errno(err, errno, "%s: cannot create the folder", job.folder);
	}
	return workers_run(workers_count(), job.options.ranks, write_varied, &job, NULL, err);
}

static int
generate_cascade(int argc, char **argv, struct err *err)
{
	return demo_write_cascade(argv[2],
	                          (unsigned)strtoul(argument(argc, argv, 3, "0"), NULL, 10),
	                          (unsigned)strtoul(argument(argc, argv, 4, "4"), NULL, 10),
	                          strtoull(argument(argc, argv, 5, "1"), NULL, 10),
	                          strtod(argument(argc, argv, 6, "1"), NULL), err);
}

/* One span of what there is much of, as lines of the array. */
static void
write_span(FILE *file, const char *what, unsigned long long i)
{
	bool is_lanes = strcmp(what, "lanes") == 0;
	unsigned long long lane = is_lanes ? i : i % 16;
	unsigned long long start = i / 16 * 10;

	fprintf(file, "{\"ph\":\"X\",\"pid\":1,\"tid\":%llu,\"ts\":%llu,\"dur\":%llu,", lane, start,
	        1 + i * 7919 % 9);
	if (strcmp(what, "names") == 0) {
		fprintf(file, "\"name\":\"GET /items/%016llx\"},\n", i * 0x9e3779b97f4a7c15ULL);
	} else {
		fprintf(file, "\"name\":\"step %llu\"},\n", i % 100);
	}
	if (is_lanes) {
		fprintf(file,
		        "{\"ph\":\"M\",\"pid\":1,\"tid\":%llu,\"name\":\"thread_name\",\"args\":{"
		        "\"name\":\"request %llu\"}},\n",
		        lane, i);
	} else if (strcmp(what, "flows") == 0) {
		const char *place = "\"name\":\"next\",\"cat\":\"flow\",\"pid\":1";
		fprintf(file, "{\"ph\":\"s\",%s,\"tid\":%llu,\"ts\":%llu,\"id\":%llu},\n", place,
		        lane, start, i + 1);
		fprintf(file,
		        "{\"ph\":\"f\",\"bp\":\"e\",%s,\"tid\":%llu,\"ts\":%llu,\"id\":%llu},\n",
		        place, lane, start, i >= 16 ? i - 15 : i + 1);
	}
}

static int
generate_many(int argc, char **argv, struct err *err)
{
	const char *what = argument(argc, argv, 3, "spans");
	unsigned long long n = strtoull(argument(argc, argv, 4, "1000000"), NULL, 10);
	FILE *file = fopen(argv[2], "w");

	if (!file) {
		return err_set_errno(err, errno, "%s: cannot be written", argv[2]);
	}
	fputs("[\n", file);
	for (unsigned long long i = 0; i < n; i++) {
		write_span(file, what, i);
	}
	fputs("{}]\n", file);
	bool failed = ferror(file) != 0;
	return fclose(file) != 0 || failed
	           ? err_set_errno(err, errno, "%s: cannot be written", argv[2])
	           : 0;
}

int
main(int argc, char **argv)
{
	struct err err = ERR_INIT;
	int result = -1;

	if (argc < 3) {
		fprintf(stderr,
		        "usage: generate dftracer FOLDER [EVENTS [RANKS [old|new|v2 [base|scr "
		        "[SEED [LEVEL]]]]]]\n"
		        "       generate varied FOLDER [EVENTS [RANKS [SEED]]]\n"
		        "       generate cascade FILE [HOSTS [WORKERS [SEED [SLOW]]]]\n"
		        "       generate many FILE spans|names|lanes|flows [N]\n");
		return 2;
	}
	if (strcmp(argv[1], "dftracer") == 0) {
		result = generate_dftracer(argc, argv, &err);
	} else if (strcmp(argv[1], "varied") == 0) {
		result = generate_varied(argc, argv, &err);
	} else if (strcmp(argv[1], "cascade") == 0) {
		result = generate_cascade(argc, argv, &err);
	} else if (strcmp(argv[1], "many") == 0) {
		result = generate_many(argc, argv, &err);
	} else {
		err_set(&err, ERR_USAGE, "%s: neither dftracer, varied, cascade nor many", argv[1]);
	}
	if (result != 0) {
		fprintf(stderr, "generate: %s\n", err.message);
		return 2;
	}
	return 0;
}
