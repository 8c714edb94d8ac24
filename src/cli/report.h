/*
 * A report: runs, and the document that is being made of them. A part of it is a row of the table
 * in report.c and one function that adds to the document.
 * Used by its room alone.
 */
#ifndef LANESCOPE_CLI_REPORT_H
#define LANESCOPE_CLI_REPORT_H

#include "cli/open.h"
#include "export/document.h"

struct report {
	struct cli *cli;
	struct run_set *runs;
	const struct query_library *library;
	const char *queries_dir;
	const struct document_format *format;
	struct document *document;
	bool has_failed; /* a part or a table could not be made, which was told */
};

int report_write_parts(struct report *report, struct err *err);

/* Each returns -1 where it can't go on; what a part lacks it says itself (report_lacks). */
int report_summary(struct report *report, struct err *err);
int report_timeline(struct report *report, struct err *err);
int report_verdict(struct report *report, struct err *err);
int report_questions(struct report *report, struct err *err);
int report_problems(struct report *report, struct err *err);
int report_provenance(struct report *report, struct err *err);

/* Says what could not be made, in the document and on stderr. -1 if it was stopped: then err says
 * so. */
int report_lacks(struct report *report, const char *what, const struct err *why, struct err *err);
/* A table, sums and all, cut to its first rows, of which each run has its share where several stand
 * below each other; how many there are is said behind it. columns:
 * those of a difference that are shown (NULL: all). Takes the result. */
int report_table(struct report *report, struct result *result, size_t n_most, const char *columns,
                 struct err *err);
/* The command that makes what stands there: its words, the runs (run: SIZE_MAX: all of them), scope
 * and classes of paths, options. options NULL: of a command that takes no scope. */
void report_command(struct report *report, const char *words, size_t run, const char *options);

#endif
