#include "config.h"
#include "cli/gate_call.h"

#include <stdio.h>
#include <string.h>

#include "util/utf8.h"

const struct cli_option option_fail_over = {
    OPTION_FAIL_OVER, "fail-over", "SHARE",
    "exit with 1 if B is worse than A by more (5%), noise aside", WORDS_ANY};
const struct cli_option option_undecided = {
    OPTION_UNDECIDED, "undecided", "WHAT",
    "a gate of too few runs to decide: pass (default) or fail", WORDS_ANY};
const struct cli_option option_quiet = {OPTION_QUIET, "quiet", NULL,
                                        "only the gate's verdict, one line", WORDS_NONE};
const struct cli_option option_total = {
    OPTION_TOTAL, "total", NULL, "the gate is on the sum over the rows, not on each", WORDS_NONE};
const struct cli_option option_a = {OPTION_A, "a", "RUN...", "runs of the first group", WORDS_RUN};
const struct cli_option option_b = {OPTION_B, "b", "RUN...", "runs of the second group", WORDS_RUN};

static int
take_limit(struct gate_choice *choice, const char *text, struct err *err)
{
	struct value share;
	if (!query_parse_value(KIND_PERCENT, slice_of(text), &share) || share.real < 0) {
		return err_set(err, ERR_USAGE, "--fail-over %s: not %s", text,
		               column_kinds[KIND_PERCENT].examples);
	}
	choice->is_set = true;
	choice->limit = share.real;
	return 1;
}

int
gate_take(struct gate_choice *choice, int id, const char *value, struct err *err)
{
	switch (id) {
	case OPTION_FAIL_OVER:
		return take_limit(choice, value, err);
	case OPTION_UNDECIDED:
		choice->undecided_fails = strcmp(value, "fail") == 0;
		return choice->undecided_fails || strcmp(value, "pass") == 0
		           ? 1
		           : err_set(err, ERR_USAGE, "--undecided %s: pass or fail", value);
	case OPTION_QUIET:
		choice->is_quiet = true;
		return 1;
	case OPTION_TOTAL:
		choice->is_total = true;
		return 1;
	default:
		return 0;
	}
}

int
gate_check(const struct gate_choice *choice, struct err *err)
{
	const char *option = choice->is_quiet          ? "quiet"
	                     : choice->is_total        ? "total"
	                     : choice->undecided_fails ? "undecided"
	                                               : NULL;
	return option && !choice->is_set
	           ? err_set(err, ERR_USAGE, "--%s is of a gate: --fail-over is missing", option)
	           : 0;
}

/* Names in it are the traces'. */
static void
print_line(const char *line)
{
	struct strbuf shown = {0};
	utf8_escape(&shown, slice_of(line));
	printf("%s\n", shown.data);
	strbuf_free(&shown);
}

bool
gate_tells_why(struct gate_choice *choice, const struct run_set *runs, const struct err *err)
{
	struct strbuf line = {0};
	bool is_why = choice->is_set && err->code != ERR_USAGE && err->code != ERR_CANCELLED &&
	              !gate_compares(runs->stores, runs->names, runs->n, &line);
	if (is_why) {
		choice->verdict = GATE_NOT_COMPARABLE;
		if (choice->is_quiet) {
			print_line(line.data);
		} else {
			cli_say("%s", line.data);
		}
	}
	strbuf_free(&line);
	return is_why;
}

void
gate_tell(struct gate_choice *choice, struct gate *gate, struct result *answer)
{
	struct strbuf line = {0};
	choice->verdict = gate_judge(gate, &line);
	if (choice->is_quiet) {
		print_line(line.data);
	} else {
		result_add_note(answer, "%s", line.data);
	}
	strbuf_free(&line);
}

int
gate_status(const struct gate_choice *choice)
{
	bool fails = choice->verdict == GATE_CROSSED || choice->verdict == GATE_NOT_COMPARABLE ||
	             (choice->verdict == GATE_UNDECIDED && choice->undecided_fails);
	return fails ? CLI_GATE : CLI_DONE;
}
