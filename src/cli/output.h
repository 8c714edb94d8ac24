/* Where a command's answer goes: standard output, a pager, or a file that is written whole or not
 * at all.
 * Used by its room alone. */
#ifndef LANESCOPE_CLI_OUTPUT_H
#define LANESCOPE_CLI_OUTPUT_H

#include <stdio.h>
#include <sys/types.h>
#include "cli/open.h"
#include "cli/options.h"
#include "export/export.h"

/* What the options say. Zero-initialise. */
struct output_choice {
	const char *format, *path, *sort, *columns; /* columns: which, in which order; NULL: all */
	/* of the command, which must not be written over; NULL: none */
	const struct path_list *inputs;
	const struct scope *scope; /* said with the answer; NULL: none */
	struct strbuf *notes;      /* they are put there, a line each; NULL: told */
	bool tells_notes; /* in JSON as a field `notes` as well: answers that need their notes */
	bool limits_each; /* the limit is one of each run, where several stand below each other */
	bool no_header, no_pager, limited, safe_csv,
	    has_path; /* has_path: of each run, where several stand below each other */
	enum {
		SUMS_NEVER,
		SUMS_FOR_PEOPLE, /* in tables of several rows */
		SUMS_ALWAYS
	} sums;            /* last rows, of all rows, those that a limit leaves out as well */
	bool sums_are_set; /* by an option */
	size_t limit;
};
/* choice: struct output_choice. 1 if the option was one of these, 0 if not, -1 on error. */
int output_take(void *choice, int id, const char *value, struct err *err);

/* The format asked for, by the file's ending, or by what standard output is. NULL if the ending
 * names a format that is not written here. */
const struct export_format *output_choose_format(const struct output_choice *choice,
                                                 struct err *err);
/* Refuses to write over a run file, an input, or a trace behind one (query/saved/target.h). For
 * commands that take long before they write: output_open does it, too. */
int output_check(const struct output_choice *choice, struct err *err);

struct output {
	FILE *file;
	const struct export_format *format;
	struct export_options options;
	pid_t pager;            /* 0: none */
	char *path, *temporary; /* NULL: standard output, or written in place (a device, a pipe) */
	bool is_terminal;
};
int output_open(struct output *output, const struct output_choice *choice, struct err *err);
/* rc: not 0 where writing it failed; what was written is thrown away then. Waits for the pager.
 * Returns rc, -1 where only closing it failed. */
int output_close(struct output *output, int rc, struct err *err);

/* Rows into an output as they come, for struct query_receiver. Zero-initialise but for output. */
struct output_stream {
	struct output *output;
	struct exporter exporter;
	struct result_column *columns; /* NULL: none have come */
};
int output_stream_columns(void *stream, const struct result_column *columns, size_t n,
                          struct err *err);
int output_stream_row(void *stream, const struct value *values, struct err *err);
/* As output_close: returns rc, -1 where only the end could not be written. */
int output_stream_end(struct output_stream *stream, int rc, struct err *err);

/* The scope of an answer that is written row by row, as a note. */
void output_say_scope(const struct output_choice *choice);
/* Sorts, limits, opens, prints notes (above a table on a terminal, else to stderr), writes,
 * closes. */
int output_result(struct result *result, const struct output_choice *choice, struct err *err);
/* Says as a note of what part of the run it is. */
void output_note_scope(struct result *result, const struct output_choice *choice);
/* Its next step alone: sorts and limits; what the rows are part of comes last. */
int output_arrange(struct result *result, const struct output_choice *choice, struct err *err);
/* The same for several tables, an empty line between them. */
int output_results(struct result *const *results, size_t n, const struct output_choice *choice,
                   struct err *err);

/* The results of the runs below each other: a column `run`, with --path one of the run files'
 * paths, one for each tag that people gave them. New; NULL on error. */
struct run_set;
struct result *output_stack(struct result *const *results, struct run_set *runs,
                            const struct output_choice *choice, struct err *err);

#endif
