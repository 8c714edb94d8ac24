/* What explain, diff and query share for --fail-over: its options, and what becomes of the answer.
 * Used by its room alone. */
#ifndef LANESCOPE_CLI_GATE_CALL_H
#define LANESCOPE_CLI_GATE_CALL_H

#include "cli/open.h"
#include "cli/options.h"
#include "explain/gate.h"

/* Zero-initialise. */
struct gate_choice {
	bool is_set, undecided_fails, is_total, is_quiet;
	double limit;
	enum gate_verdict verdict; /* once gate_tell has told it */
};
/* 1 if the option was one of these, 0 if not, -1 on error. */
int gate_take(struct gate_choice *choice, int id, const char *value, struct err *err);
/* ERR_USAGE for options of a gate without one. */
int gate_check(const struct gate_choice *choice, struct err *err);
/* There is no answer, for this error: may that be as the runs are not comparable? Then that is told
 * instead, as the verdict is, but on standard error. */
bool gate_tells_why(struct gate_choice *choice, const struct run_set *runs, const struct err *err);
/* The verdict: as a note of the answer, or, where the choice is quiet, as the only line on standard
 * output. */
void gate_tell(struct gate_choice *choice, struct gate *gate, struct result *answer);
/* The exit status that belongs to it. */
int gate_status(const struct gate_choice *choice);

extern const struct cli_option option_fail_over, option_undecided, option_quiet, option_total,
    option_a, option_b;
/* Options of every command that has a gate. */
#define OPTIONS_OF_GATES &option_fail_over, &option_undecided, &option_quiet

#endif
