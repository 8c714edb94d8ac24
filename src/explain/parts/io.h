/*
 * Input and output of a run: its spans that match a filter, by operation, class of path, class of
 * size, process and file. What the parts io, io-calls, io-bandwidth, io-files and io-overlap share.
 * Used by its room alone.
 */
#ifndef LANESCOPE_EXPLAIN_PARTS_IO_H
#define LANESCOPE_EXPLAIN_PARTS_IO_H

#include "column/scan/scan.h"
#include "explain/frame/frame.h"
#include "explain/schedule/matching.h"
#include "util/intern.h"
#include "util/intervals.h"

/* Classes of paths, and one more of spans without a path. */
unsigned io_classes_count(const struct path_classes *classes);
const char *io_class_name(const struct path_classes *classes, unsigned index);
/* Of a path by its code; known[code] is class + 1 once it was asked for. */
unsigned io_class_of(const struct path_classes *classes, const struct dataset *dataset,
                     uint8_t *known, uint32_t path);
/* No run has spans of such categories (SQL), or of those that these parts look at by themselves. */
bool io_lacks(const struct explain *explain, const char *condition);
bool io_is_silent(const struct explain *explain);
#define IO_CLASSES_PARAM                                                                           \
	{                                                                                          \
		.name = "classes", .default_text = "",                                             \
		.about = "classes of paths, NAME=GLOB|GLOB...:NAME=GLOB...; tried before those "   \
			 "that --class and the settings name and those that are guessed",          \
		.kind = KIND_TEXT                                                                  \
	}

/* Classes of sizes. */
/* SIZE_NONE too; a record that stands for many calls does not tell how large each is. */
unsigned io_size_class(int64_t size_bytes, int64_t calls);
const char *io_size_name(unsigned index);

/* What a run's rows are divided by. */
enum {
	IO_OPERATION = 1,
	IO_CLASS = 2,
	IO_SIZE = 4,
	IO_PROCESS = 8,
	IO_THREAD = 16,
	IO_FILE = 32,
	IO_LANE = 64,
	IO_HOST = 128,
	IO_TIME = 256
};
/* The same as the user says it: a list of class, operation, size, rank, thread, lane, host, time,
 * pattern, file, each at most once. A pattern is the last part of a path with its numbers and
 * hashes as "#"; a call is of the window of time that it begins in. */
#define IO_LABELS_MAX 10
#define IO_BY_LIST "class, operation, size, rank, thread, lane, host, time, and pattern or file"
struct io_by {
	size_t n;
	const char *names[IO_LABELS_MAX];
	unsigned mask;
	int64_t window_ns; /* of the runs' time, from 0 on */
};
int io_by_parse(struct io_by *by, const char *part, const char *text, struct err *err);

/* A run as these parts see it. */
struct io_run {
	const struct dataset *dataset;
	const struct cancel *cancel;
	uint32_t *process_of_lane; /* index into processes */
	uint32_t *thread_of_lane;  /* of its process, counted in the order of their ids */
	char **processes; /* "rank 0" where the trace tells ranks, else "process 0" by order */
	size_t n_processes;
};

/* Rows on all cores; `row` is called for each that matches, on threads 0 ... io_threads() - 1.
 * Nonzero stops, err set by it. */
struct io_loop {
	const struct io_run *run;
	const char *filter;
	void *user;
	int (*row)(void *user, unsigned thread, const struct span_row *row, struct err *err);
};
unsigned io_threads(const struct io_run *run);
int io_loop_run(const struct io_loop *loop, struct err *err);

struct io_group {
	uint32_t operation, path; /* text codes; TEXT_NONE where not divided by, or absent */
	uint32_t class, size_class, process, thread; /* 0 where not divided by */
	uint32_t lane, host; /* lane of the run, text code; TEXT_NONE where not divided by */
	int64_t window;      /* 0 where not divided by */
	int64_t n, duration_ns, size_bytes, n_sized;
	int64_t start_ns, end_ns; /* first start, last end */
	int64_t first_id;         /* smallest id of its spans */
	struct interval *busy;    /* union of its spans, if asked for */
	size_t n_busy, capacity;
	bool is_sparse; /* merging the list frees little */
};
struct io_request {
	const char *filter;
	unsigned by; /* mask */
	int64_t window_ns;
	const struct path_classes *classes;
	bool keeps_busy;
};
struct io_groups {
	struct io_group *groups; /* in order of their codes */
	size_t n;
};
int io_groups_read(const struct io_run *run, const struct io_request *request,
                   struct io_groups *groups, struct err *err);
void io_groups_fini(struct io_groups *groups);
/* Adds what the other counts, and takes its busy list, which is no union then. */
void io_group_join(struct io_group *group, struct io_group *other);
#define IO_GROUP_LIMIT (1u << 20)
#define IO_BUSY_BYTES ((size_t)1 << 30)

/* An empty filter: calls on checkpoints where either run has some, else all POSIX calls. */
#define IO_FILTER_PARAM                                                                            \
	{                                                                                          \
		.name = "filter", .default_text = "",                                              \
		.about = "which spans, in the filter language (default: POSIX calls on "           \
			 "checkpoints, else all POSIX calls)",                                     \
		.kind = KIND_TEXT                                                                  \
	}

/* What both runs have under the same labels; of the run that has nothing n is 0. */
struct io_row {
	const char *labels[IO_LABELS_MAX];
	struct io_group of[2];
	int64_t busy_ns[2]; /* of their unions */
};

/* What both runs need, opened together. */
struct io_pair {
	struct io_run runs[2];
	struct path_classes *classes;
	char *filter;           /* as given, or chosen */
	char *note;             /* says which spans these are */
	struct matching *files; /* NULL: not asked for */
	uint32_t *a_of_b;       /* by b's text code: a's file of that path, or TEXT_NONE */
	struct intern *labels;  /* of rows, each ended by a NUL */
	struct io_row *rows;    /* once io_pair_read has read them */
	size_t n_rows, capacity;
};
/* classes NULL: none. */
int io_pair_init(struct io_pair *pair, struct explain *explain, const char *filter,
                 const char *classes, struct err *err);
/* The same for a part that divides: what `by` says, and its rows. Their parameters are filter, by,
 * classes and window. */
int io_pair_open(struct io_pair *pair, struct io_by *by, struct explain *explain, const char *part,
                 const char *const *arguments, struct err *err);
void io_pair_fini(struct io_pair *pair);
/* The rows of both runs by one division; files are matched if it is by file, so that b's bear a's
 * names. Once for a pair. are_files: only spans with a path, and how long they were busy. */
int io_pair_read(struct io_pair *pair, const struct io_by *by, bool are_files, struct err *err);
/* Adds what is to be said: which spans, how files were matched. */
void io_pair_note(const struct io_pair *pair, struct result *result);

#endif
