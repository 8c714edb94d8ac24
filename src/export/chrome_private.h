/* What the parts of the Chrome trace exporter share. chrome.c says what becomes what.
 * Used by its room alone. */
#ifndef LANESCOPE_EXPORT_CHROME_PRIVATE_H
#define LANESCOPE_EXPORT_CHROME_PRIVATE_H

#include "column/scan/blockloop.h"
#include "column/scan/scan.h"
#include "export/chrome.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/workers.h"

/* Threads that make text: more of them only wait for the one that writes, and each holds two
 * blocks' text. */
#define TRACE_THREADS 4u
static inline unsigned
trace_threads(void)
{
	unsigned n = workers_count();

	return LEAST(n, TRACE_THREADS);
}

struct trace_lane { /* by the run's lane */
	bool is_wanted;
	/* its counters need one: other lanes of the process may have counters of the same names */
	bool has_id;
	uint32_t pid, tid;
	uint32_t n_rows; /* threads it takes: 1, or a row of depth each */
	/* its spans tell their depths: by the order of records equal ones would not nest */
	bool has_depths;
	uint32_t extra_tid; /* of row 1; the others follow */
	struct slice name;  /* without the process; in the arena */
};

struct trace_flow_end {
	int64_t subject; /* id of the span or task */
	int64_t id;      /* of the dependency */
	uint32_t name;   /* text code or TEXT_NONE */
	bool is_target;
};
struct trace_ends { /* sorted by subject */
	struct trace_flow_end *ends;
	size_t n, capacity;
};

#define TRACE_STAGES 8
struct trace_record { /* a task or a transfer, found by its span */
	uint32_t lane, name;
	int64_t start_ns; /* of the span */
	int64_t id, size_bytes;
	int64_t stages[TRACE_STAGES]; /* TIME_NONE: not recorded */
	uint32_t texts[3];            /* key, kind, worker; origin, target, mode; TEXT_NONE: none */
};
struct trace_records { /* sorted by lane, start, name, id */
	struct trace_record *records;
	size_t n, capacity;
};

struct trace_writer {
	struct store *store;
	const struct dataset *dataset;
	const struct chrome_options *options;
	struct gzip_writer *out;
	struct chrome_written *written;
	bool has_events; /* the list is not empty: a comma is due */

	struct arena *arena;
	struct trace_lane *lanes;
	uint32_t free_pid; /* none is used from here on */
	/* columns without a place of their own in a Chrome trace */
	enum row_column own[ROW_COLUMNS];
	unsigned n_own;
	uint32_t own_key; /* of an argument with our member's name; UINT32_MAX: none */

	struct trace_records tasks, transfers;
	struct trace_ends task_ends;
};

/* The argument under which a span's path, size, calls, task and transfer stand. */
#define TRACE_OWN "lanescope"

/* chrome.c: events as text, each beginning ",\n". */
void trace_put(struct trace_writer *trace, const struct strbuf *events);
void trace_add_us(struct strbuf *out, int64_t ns); /* microseconds with three digits */
void trace_add_place(struct strbuf *out, uint32_t pid, uint32_t tid);
bool trace_in_window(const struct chrome_options *options, int64_t start_ns, int64_t end_ns);

/* chrome_lanes.c: makes trace->lanes; ERR_USAGE if none is wanted. */
int trace_choose_lanes(struct trace_writer *trace, struct err *err);
/* Fills trace->lanes and writes their metadata. n_rows: by lane, see trace_rows_of_lanes. */
int trace_write_lanes(struct trace_writer *trace, const uint32_t *n_rows, struct err *err);

/* chrome_nest.c: how many threads each lane needs (new): 1 where spans nest, else as many as it has
 * rows of depth. Sets has_depths of the lanes. */
uint32_t *trace_rows_of_lanes(struct trace_writer *trace, struct err *err);

/* chrome_tasks.c: tasks and transfers by their spans */
int trace_load_records(struct trace_writer *trace, struct err *err);
void trace_free_records(struct trace_writer *trace);
/* NULL: the span is none's. */
const struct trace_record *trace_find_record(const struct trace_records *records,
                                             const struct span_row *span);
/* A JSON object of what is known of it. */
void trace_add_task(const struct trace_writer *trace, const struct trace_record *task,
                    struct strbuf *out);
void trace_add_transfer(const struct trace_writer *trace, const struct trace_record *transfer,
                        struct strbuf *out);

/* chrome_flows.c */
struct trace_flows; /* dependencies between spans, read in step with their blocks */
struct trace_flows *trace_flows_new(struct trace_writer *trace, struct err *err);
/* Reads what begins and ends in the block; blocks in order. */
int trace_flows_read(struct trace_flows *flows, size_t block, struct err *err);
/* Ends of a block in the order of spans; NULL: none. */
const struct trace_ends *trace_flows_of(const struct trace_flows *flows, size_t block);
void trace_flows_drop(struct trace_flows *flows, size_t block);
void trace_flows_free(struct trace_flows *flows); /* takes NULL */
/* Events of the ends of one subject, at its span; returns how many dependencies end there. */
size_t trace_add_flows(const struct trace_writer *trace, const struct trace_ends *ends,
                       int64_t subject, const struct span_row *span, struct strbuf *out);
int trace_load_task_ends(struct trace_writer *trace, struct err *err);

/* chrome_rows.c */
int trace_write_rows(struct trace_writer *trace, enum block_kind kind, struct err *err);
/* The thread of a span. */
uint32_t trace_tid(const struct trace_lane *lane, int64_t depth);

#endif
