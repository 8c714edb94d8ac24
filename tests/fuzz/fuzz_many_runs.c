/*
 * What is asked of many runs at once, and how it is shown: conditions on their tags, columns,
 * orders, rows folded by tags, charts, values of a sweep. First byte: which; then its words, a line
 * each. Runs of two formats, with tags.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "fuzz/commands.h"
#include "fuzz/fuzz.h"
#include "simulate/preemption_sweep.h"
#include "util/mem.h"
#include "util/order.h"

#define WORDS_MOST 4
#define WORD_BYTES_MOST 300

/* INPUT stands for words of the input, in their order. */
#define INPUT ((const char *)-1)
static const char *const calls[][10] = {
    {"runs", "--where", INPUT, NULL},
    {"runs", "--columns", INPUT, "--sort", INPUT, NULL},
    {"query", "task-summary", "--by", INPUT, "--stat", INPUT, NULL},
    {"query", "task-summary", "--by", INPUT, "--pivot", INPUT, NULL},
    {"query", "task-summary", "--runs-where", INPUT, "--columns", INPUT, NULL},
    {"query", "span-totals", "--plot=line", "--x", INPUT, "--y", INPUT, NULL},
    {"query", "span-totals", "--plot", "--y", INPUT, "--log", INPUT, NULL},
    {"query", "span-totals", "--plot=heatmap", "--series", INPUT, "--size", INPUT, NULL},
    {"query", "span-totals", "--plot", "--x", INPUT, "--format", "svg", NULL},
};

static void
check_sweep(struct slice words[WORDS_MOST])
{
	struct preemption_sweep sweep = {.base = preemption_defaults};
	struct err err = ERR_INIT;
	size_t n_params = 0;

	while (preemption_params[n_params].name) {
		n_params++;
	}
	size_t param = words[0].len ? (unsigned char)words[0].ptr[0] % n_params : 0;
	if (preemption_sweep_values(&sweep, &preemption_params[param], words[1], &err) ||
	    preemption_sweep_seeds(&sweep, words[2], &err)) {
		FUZZ_CHECK(err.message[0] != '\0');
	}
	for (size_t i = 0; i < sweep.n_axes; i++) {
		FUZZ_CHECK(sweep.axes[i].n > 1);
	}
	preemption_sweep_free(&sweep);
}

static void
check_call(const char *const *call, struct slice words[WORDS_MOST])
{
	static const char *runs[3];
	const char *argv[16] = {NULL};
	char *kept[WORDS_MOST];
	size_t n = 0, n_kept = 0;

	if (!runs[0]) {
		runs[0] = fuzz_run("golden/one.jsonl", "one");
		runs[1] = fuzz_run("golden/four.jsonl", "four");
		runs[2] = fuzz_run("chrome/gpu.json", "gpu");
		FUZZ_CHECK(FUZZ_COMMAND("tag", runs[0], "nodes=1", "mode=scr") == CLI_DONE);
		FUZZ_CHECK(FUZZ_COMMAND("tag", runs[1], "nodes=4", "note=a b") == CLI_DONE);
	}
	for (; call[n]; n++) {
		argv[n] = call[n];
		if (call[n] == INPUT) {
			argv[n] = kept[n_kept] = xstrndup(words[n_kept].ptr, words[n_kept].len);
			n_kept++;
		}
	}
	memcpy(argv + n, runs, sizeof runs);
	int status = fuzz_command(argv);
	FUZZ_CHECK(status == CLI_DONE || status == CLI_FAILED);
	while (n_kept > 0) {
		free(kept[--n_kept]);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct slice words[WORDS_MOST] = {{"", 0}, {"", 0}, {"", 0}, {"", 0}};

	if (size == 0) {
		return 0;
	}
	struct slice rest = {(const char *)data + 1, size - 1};
	for (size_t i = 0; i < WORDS_MOST && rest.len > 0; i++) {
		const char *end = memchr(rest.ptr, '\n', rest.len);
		size_t n = end ? (size_t)(end - rest.ptr) : rest.len;
		words[i] = (struct slice){rest.ptr, LEAST(n, WORD_BYTES_MOST)};
		rest = slice_from(rest, LEAST(n + 1, rest.len));
	}
	size_t which = data[0] % (COUNT_OF(calls) + 1);
	if (which == COUNT_OF(calls)) {
		check_sweep(words);
	} else {
		check_call(calls[which], words);
	}
	return 0;
}
