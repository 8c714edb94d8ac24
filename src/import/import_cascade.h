/*
 * What the parts of the cascade importer share:
 *
 *   import_cascade.c        the loop over lines, recognition
 *   import_cascade_next.c   the text of the next row: a line, or an object of a JSON array
 *   import_cascade_rows.c   line (JSON or log) -> struct cascade_row
 *   import_cascade_pivot.c  rows -> one life cycle for each task and each transfer
 *   import_cascade_parts.c  rows -> runs, where a file holds several; import_cascade_turns.c what
 *                           repeats, import_cascade_cuts.c the best division
 *   import_cascade_emit.c   life cycles -> tasks, transfers, spans
 *   import_cascade_controller.c  controller, microtraces -> spans, events, counters
 *
 * Texts are ids of trace->texts throughout; INTERN_NONE is missing.
 * Used by its room alone.
 */
#ifndef LANESCOPE_IMPORT_IMPORT_CASCADE_H
#define LANESCOPE_IMPORT_IMPORT_CASCADE_H

#include "import/shared.h"
#include "input/json.h"
#include "util/intern.h"
#include "util/mem.h"

enum cascade_subject {
	SUBJECT_TASK,
	SUBJECT_TRANSFER,
	SUBJECT_REPORT, /* controllerReport: one iteration of the controller (generation 2) */
	SUBJECT_PHASE,  /* ctrl_*: the start of a phase of the controller (generation 3) */
	SUBJECT_OTHER   /* an action that is not known */
};

enum cascade_stage {
	STAGE_PLANNED,
	STAGE_ENQUEUED,
	STAGE_STARTED,
	STAGE_LOADED,
	STAGE_COMPUTED,
	STAGE_PUBLISHED,
	STAGE_RECEIVED,
	STAGE_UNLOADED,
	STAGE_FINISHED,
	STAGE_COMPLETED,
	STAGES
};

/* A key and value that no field stands for. */
struct cascade_extra {
	uint32_t key, value;
};

struct cascade_row {
	uint64_t line;
	uint64_t offset;
	int64_t at;
	int64_t pid; /* of the logging process, -1 unknown */
	uint32_t action, host, worker, task, dataset, mode, source, target;
	uint32_t first_extra, n_extras;
	uint8_t subject;    /* enum cascade_subject */
	uint8_t stage;      /* of tasks and transfers */
	uint8_t generation; /* that spells the action so: 1, 2 or 3 */
};

/* "#kind=INT": a duration without a time of its own. */
struct cascade_microtrace {
	int64_t time_ns; /* of the log line, as it prints it; TIME_NONE unknown */
	int64_t value_ns, pid;
	uint32_t kind;
};

/* One task on one worker, or one data set on its way to one target. */
struct cascade_life {
	uint32_t name, place; /* place: worker or target */
	uint32_t host, mode, source;
	uint8_t generation;
	int64_t times[STAGES];
	uint64_t lines[STAGES], offsets[STAGES];
};
struct cascade_lives {
	struct intern *keys; /* (name, place) as bytes -> index */
	struct cascade_life *lives;
	size_t n, capacity;
};

struct cascade_trace {
	struct sink *sink;
	struct input *input;
	struct intern *texts;
	struct cascade_row *rows;
	size_t n_rows, rows_capacity;
	struct cascade_extra *extras;
	size_t n_extras, extras_capacity;
	struct cascade_microtrace *microtraces;
	size_t n_microtraces, microtraces_capacity;
	struct json json;
	struct source_facts counts;
	uint64_t line, offset;
	struct slice text; /* of the line at hand */
	bool has_tail;     /* the last line broke off with the gzip stream; where it begins: */
	uint64_t tail_offset;
	bool is_json;  /* the first row is: lines that are neither JSON nor of a log are bad */
	bool is_array; /* rows are the objects of an array, over any lines */
	/* the text at hand ends where the input does, without a newline or the end of its object */
	bool is_open;
	uint64_t next_line;
	size_t to_consume; /* of the input, before the next row */
	int64_t zone_ns;   /* of the log's clock: wall time = printed time + zone */
	bool zone_known;
	unsigned generation; /* highest seen */
	bool multi_host;

	struct cascade_lives tasks, transfers;
};

/* Of a file, which may be one of several that hold a run's rows by kind. */
struct cascade_facts {
	unsigned generation;
	bool multi_host;
	struct intern *hosts, *workers; /* names */
};

/* What tells rows of one run in a file from those of the next, and grows from row to row: several
 * may stand on one line. */
static inline uint64_t
cascade_place(uint64_t offset)
{
	return offset + 1;
}

/* Looks at how rows are written. 0, -1 with err. */
int cascade_look(struct cascade_trace *trace, struct err *err);
/* The next text that may be a row (trimmed, padded, lent until the next call), in trace->text with
 * its line and offset. *is_cut: too long, or an object that does not end. 1, 0 at the end, -1 with
 * err. */
int cascade_next(struct cascade_trace *trace, struct slice *text, bool *is_cut, struct err *err);

enum cascade_line { CASCADE_ROW, CASCADE_MICROTRACE, CASCADE_FOREIGN, CASCADE_BAD };
/* Reads one line (trimmed, padded) and appends what it holds. BAD: *reason (static text); *invalid
 * when the line parses but makes no sense. */
enum cascade_line cascade_read_line(struct cascade_trace *trace, struct slice line,
                                    const char **reason, bool *invalid);
void cascade_rows_free(struct cascade_trace *trace);

/* Whether workers carry their host, from all rows. */
void cascade_detect_hosts(struct cascade_trace *trace);
/* The worker of a row (of transfers of generation 3: the target), spelt as the controller does. */
uint32_t cascade_worker_of(struct cascade_trace *trace, const struct cascade_row *row);
/* 0, or what the sink said (of duplicates). */
int cascade_pivot(struct cascade_trace *trace);
/* Where runs begin, by cascade_place; and what is told where they are read as one. */
void cascade_divide(struct cascade_trace *trace, struct import_parts *parts);
int cascade_report_parts(struct cascade_trace *trace);

void cascade_lives_free(struct cascade_lives *lives);

int cascade_emit(struct cascade_trace *trace, struct cascade_facts *facts);

/* ---- between import_cascade_emit.c and import_cascade_controller.c ---- */

enum cascade_role { ROLE_RUN, ROLE_QUEUE, ROLE_TRANSFERS, ROLES };

struct cascade_worker {
	uint32_t host;         /* as rows from there say */
	uint32_t lanes[ROLES]; /* LANE_NONE until used */
	bool runs_tasks;
};

struct cascade_emitter {
	struct cascade_trace *trace;
	struct sink *sink;
	text_code *codes;               /* by id of trace->texts; TEXT_NONE: not asked for yet */
	struct cascade_worker *workers; /* by id of the worker's (or target host's) text */
	bool *is_host;                  /* by id of text */
	size_t n_texts;
	uint32_t controller; /* its lane, LANE_NONE until used */
	struct {
		uint32_t task, kind, mode, source;
	} keys; /* of arguments */
};

text_code cascade_code(struct cascade_emitter *emitter, uint32_t id);
text_code cascade_word(struct cascade_emitter *emitter, const char *text);
int cascade_emit_controller(struct cascade_emitter *emitter);

#endif
