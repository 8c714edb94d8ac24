/*
 * lanescope demo: made-up runs to look around in (demo_runs.c), in the cache or in a folder of the
 * user's. Without a terminal: what each of them tells, and the command that shows it.
 */
#include "config.h"
#include "cli/browse.h"
#include "cli/cache.h"
#include "cli/called_as.h"
#include "cli/demo_runs.h"
#include "cli/options.h"
#include "cli/resolve.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/mem.h"

#define WORDS_MAX 7

/* What the runs tell. Words of a command that name one of them are printed so that a shell finds
 * it. */
static const struct lesson {
	const char *tells;
	const char *words[WORDS_MAX];
} lessons[] = {
    {"Four workers of a host do a graph of tasks faster than one, but not four times: tasks that\n"
     "run on one host at a time slow each other down.",
     {"explain", "one-worker", "four-workers"}},
    {"A host for each of the four: its tasks run alone, but all that they need has to travel.",
     {"explain", "four-workers", "four-hosts"}},
    {"The four workers of one host again, given their tasks over the network: the controller\n"
     "sends each, and that takes its time.",
     {"explain", "four-workers", "one-host"}},
    {"Two hosts of two workers: a part of the transfers brings what the host has already.",
     {"query", "transfer-by-mode", "two-hosts"}},
    {"What more workers lost, and to what, as speed-up and efficiencies.",
     {"explain", "one-worker", "two-hosts", "four-hosts", "--part", "scaling"}},
    {"A training job writes checkpoints: hardly any of its I/O is hidden behind computing.",
     {"query", "io-summary", "training"}},
    {"The same job with SCR, whose node-local storage is slower than the file system here, and\n"
     "who copies all of it there afterwards: checkpoints take longer, not shorter.",
     {"diff", "checkpoint-time", "training", "training-scr"}},
    {"A training loop under PyTorch's profiler: half of the time its device waits for the host,\n"
     "which waits for data.",
     {"query", "gpu-idle", "pytorch"}},
    {"A pipeline of Dask: filtering takes most of its time, most of all on the worker that has\n"
     "the larger chunks; the others wait for it.",
     {"query", "worker-balance", "pipeline"}},
    {"Reading training data in blocks: faster where computing is short, not where it takes as\n"
     "long as loading.",
     {"query", "trial-improvement", "loading"}},
    {"Six hours of a cluster of spot instances: how often some were taken away, how many came.",
     {"query", "preemption-summary", "spot-capacity"}},
    {"Training simulated on just these: how much of its time is useful, lost or spent on\n"
     "beginning again.",
     {"spans", "spot-training", "--by", "name", "--filter", "category = job"}},
};

/* A run's name where it leads there whoever asks, else its path. */
static void
add_run(struct strbuf *out, const char *name, const char *path)
{
	struct strbuf found = {0};
	struct err ignored = ERR_INIT;

	if (!getenv("XDG_CACHE_HOME") && resolve_name(name, &found, NULL, &ignored) == 1 &&
	    strcmp(found.data, path) == 0) {
		strbuf_add_text(out, name);
	} else {
		shell_path_add(out, path);
	}
	strbuf_free(&found);
}

static void
add_word(struct strbuf *out, const char *word, const struct path_list *made)
{
	for (size_t i = 0; i < made->n; i++) {
		const char *name = strrchr(made->paths[i], '/') + 1;
		if (strncmp(name, word, strlen(word)) == 0 &&
		    strcmp(name + strlen(word), ".lanes") == 0) {
			add_run(out, word, made->paths[i]);
			return;
		}
	}
	shell_word_add(out, word);
}

static int
print_lessons(const struct cli *cli, const char *folder, const struct path_list *made,
              struct err *err)
{
	struct strbuf text = {0};

	strbuf_printf(&text, "%zu made-up runs, and their traces in traces/, are in ", made->n);
	shell_path_add(&text, folder);
	strbuf_add_text(&text, "\n");
	for (size_t i = 0; i < COUNT_OF(lessons); i++) {
		strbuf_printf(&text, "\n%s\n    ", lessons[i].tells);
		called_as_add(&text, cli);
		for (size_t k = 0; k < WORDS_MAX && lessons[i].words[k]; k++) {
			strbuf_add_char(&text, ' ');
			add_word(&text, lessons[i].words[k], made);
		}
		strbuf_add_char(&text, '\n');
	}
	strbuf_add_text(&text,
	                "\nAll of them; on a terminal, without `runs`, to look around in:\n    ");
	called_as_add(&text, cli);
	strbuf_add_text(&text, " runs ");
	shell_path_add(&text, folder);
	strbuf_add_char(&text, '\n');
	int rc = fwrite(text.data, 1, text.len, stdout) != text.len || fflush(stdout) != 0
	             ? err_set_errno(err, errno, "standard output")
	             : 0;
	strbuf_free(&text);
	return rc;
}

int
command_demo(struct cli *cli)
{
	struct strbuf folder = {0};
	struct path_list made = {0};
	struct err err = ERR_INIT;
	if (options_parse(cli, NULL, NULL, &err)) {
		return cli_usage(cli, &err);
	}
	int status, rc = 0;
	bool is_own = cli->n_words == 0;
	if (cli->n_words > 1) {
		err_set(&err, ERR_USAGE, "\"%s\": one folder is enough", cli->words[1]);
		return cli_usage(cli, &err);
	}
	if (is_own) {
		rc = cache_folder("demo", &folder, &err);
	} else {
		strbuf_add_text(&folder, cli->words[0]);
	}
	rc = rc ? rc : demo_make(cli, folder.data, is_own, &made, &err);
	if (rc) {
		status = cli_usage(cli, &err);
	} else if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)) {
		struct ui_options options = {
		    .paths = (const char *const *)made.paths, .n_paths = made.n, .tour = true};
		status = browse_open(&options);
	} else {
		status = print_lessons(cli, folder.data, &made, &err) ? cli_fail(&err) : CLI_DONE;
	}
	path_list_free(&made);
	strbuf_free(&folder);
	return status;
}
