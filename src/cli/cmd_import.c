/*
 * lanescope import TRACE...: every run that the traces hold becomes a run file. One that fails does
 * not keep the others from being imported; the worst status counts, and a path that leads to no run
 * is a failure. Files in folders that no importer knows are named, since a trace passed over in
 * silence looks like a smaller run. --dry-run prints what would be done:
 *
 *   n2_base.lanes: dftracer, 2 files: folder logs/n2_base
 *     logs/n2_base/trace-0.pfw.gz
 *     logs/n2_base/trace-1.pfw.gz
 *     ! logs/n2_base/trace-1.pfw: holds the same as ..., which is read in its place
 */
#include "config.h"
#include "cli/cache.h"
#include "cli/cmd_import.h"
#include "cli/jobs.h"
#include "cli/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import/import.h"
#include "query/saved/run_tags.h"
#include "query/saved/target.h"
#include "store/store.h"
#include "util/format.h"
#include "util/mem.h"
#include "util/slice.h"
#include "util/utf8.h"

#define SKIPPED_SHOWN 5

static int
take_part(const char *value, struct part_number *part, struct err *err)
{
	unsigned nth, of;

	if (jobs_number(value, &nth, &of, err)) {
		return -1;
	}
	*part = (struct part_number){nth, of};
	return 0;
}

static int
take(void *user, int id, const char *value, struct err *err)
{
	struct import_call *call = user;
	switch (id) {
	case OPTION_NAME:
		call->options.name = value;
		return 0;
	case OPTION_FORMAT:
		call->options.format = value;
		return !import_find(value)
		           ? err_set(err, ERR_USAGE,
		                     "no trace format \"%s\" (lanescope import --help lists them)",
		                     value)
		           : 0;
	case OPTION_EACH:
		call->options.each = true;
		return 0;
	case OPTION_ONE:
		call->options.one = true;
		return 0;
	case OPTION_DRY_RUN:
		call->dry_run = true;
		return 0;
	case OPTION_TAG:
		return tag_list_take(&call->tags, value, err);
	case OPTION_TAGS_FROM:
		path_list_add(&call->patterns, value);
		return 0;
	case OPTION_LENIENT:
		call->options.lenient = true;
		return 0;
	case OPTION_ONE_PART:
		call->options.is_part = true;
		return take_part(value, &call->part, err);
	case OPTION_PLAN:
		call->plan_file = value;
		return 0;
	case OPTION_JOBS:
		return take_jobs(value, &call->n_jobs, err);
	case OPTION_WITH:
		call->launcher = value;
		return 0;
	default:
		return import_take(&call->options, &call->say, id, value, err);
	}
}

static int
import_one(const struct import_call *call, const struct ingest_plan *plan)
{
	struct err err = ERR_INIT;
	struct ingest_summary summary = {0};
	return progress_import(plan, &call->options, &summary, &err)
	           ? cli_fail(&err)
	           : say_import(plan, &summary, &call->say);
}

static void
print_escaped(FILE *file, const char *before, const char *text, const char *after)
{
	struct strbuf line = {0};
	strbuf_add_text(&line, before);
	utf8_escape(&line, slice_of(text));
	fprintf(file, "%s%s", line.data, after);
	strbuf_free(&line);
}

/* place: where it goes, or what it is called. */
static void
print_plan(const struct ingest_plan *plan, const char *place, FILE *file)
{
	print_escaped(file, "", place, ": ");
	fprintf(file, "%s, %u file%s: ", plan->format, plan->n_paths,
	        plan->n_paths == 1 ? "" : "s");
	print_escaped(file, "", plan->grouping ? plan->grouping : "", "\n");
	for (unsigned i = 0; i < plan->n_paths; i++) {
		bool is_beside = i >= plan->n_paths - plan->n_beside;
		print_escaped(file, is_beside ? "  + " : "  ", plan->paths[i], "\n");
	}
	for (size_t i = 0; i < plan->tags->n; i++) {
		const struct tag_text *tag = &plan->tags->all[i];
		print_escaped(file, i ? " " : "  tags: ", tag->key, "=");
		print_escaped(file, "", tag->value, i + 1 < plan->tags->n ? "" : "\n");
	}
	for (unsigned i = 0; i < plan->n_problems; i++) {
		print_escaped(file, "  ! ", plan->problems[i].reason, "\n");
	}
}

static void
print_plans(const struct ingest_plans *plans, FILE *file)
{
	for (unsigned i = 0; i < plans->n_plans; i++) {
		const struct ingest_plan *plan = &plans->plans[i];
		print_plan(plan, plans->refusal ? plan->name : plan->out_path, file);
	}
}

struct part_work {
	const struct import_call *call;
	const struct ingest_plan *plan;
	const char *path;
	struct ingest_summary summary;
};

static int
make_part(void *user, struct ingest_progress *counters, struct err *err)
{
	struct part_work *work = user;
	return ingest_part(work->plan, work->path, work->call->part, &work->call->options, counters,
	                   &work->summary, err);
}

static int
import_part(const struct import_call *call, const struct ingest_plan *plan)
{
	struct err err = ERR_INIT;
	struct ingest_progress counters = {0};
	bool is_named = call->options.out && strcmp(call->options.out, plan->out_path) == 0;
	char *path = is_named ? xstrdup(plan->out_path) : ingest_part_path(plan, call->part);
	struct part_work work = {.call = call, .plan = plan, .path = path};
	int status =
	    progress_show(plan->name, call->options.cancel, &counters, make_part, &work, &err)
		? cli_fail(&err)
		: CLI_DONE;

	free(path);
	return status ? status : say_part_import(plan, &work.summary, &call->say);
}

static int
import_all(const struct import_call *call, const struct ingest_plans *plans)
{
	int status = CLI_DONE;
	for (unsigned i = 0; i < plans->n_plans && !cancel_requested(call->options.cancel); i++) {
		status = cli_worse(status, call->part.of ? import_part(call, &plans->plans[i])
		                                         : import_one(call, &plans->plans[i]));
	}
	return status;
}

/* A pattern for which no path was made is a mistake, one that some don't fit is told. */
static int
say_unfit(const struct ingest_plans *plans, struct err *err)
{
	unsigned n_unfit = 0;
	for (unsigned i = 0; i < plans->n_plans; i++) {
		n_unfit += plans->plans[i].fits_no_pattern;
	}
	if (n_unfit > 0 && n_unfit == plans->n_plans) {
		return err_set(err, ERR_USAGE, "--tags-from: fits the path of no trace (%s)",
		               plans->plans[0].paths[0]);
	}
	for (unsigned i = 0; i < plans->n_plans; i++) {
		if (plans->plans[i].fits_no_pattern) {
			cli_say("%s: its path fits no --tags-from", plans->plans[i].paths[0]);
		}
	}
	return 0;
}

static void
say_skipped(const struct ingest_plans *plans)
{
	for (unsigned i = 0; i < plans->n_skipped && i < SKIPPED_SHOWN; i++) {
		cli_say("passed over %s", plans->skipped[i]);
	}
	if (plans->n_skipped > SKIPPED_SHOWN) {
		cli_say("passed over %u more files", plans->n_skipped - SKIPPED_SHOWN);
	}
}

/* Each path that leads to no run, once all others are done. */
static int
say_failed(const struct ingest_plans *plans, int status)
{
	for (unsigned i = 0; i < plans->n_failed; i++) {
		cli_say("%s", plans->failed[i]);
	}
	return plans->n_failed ? CLI_FAILED : status;
}

static int
make_out_folder(const struct ingest_plans *plans, struct err *err)
{
	char *path = plans->folder ? xstrdup(plans->folder) : NULL;
	int rc = path ? make_folders(path, 0777, err) : 0;
	free(path);
	return rc;
}

static int
write_plan(const struct import_call *call, const struct ingest_plans *plans, struct err *err)
{
	unsigned n_files = 0;
	for (unsigned i = 0; i < plans->n_plans; i++) {
		n_files += plans->plans[i].n_paths;
	}
	if (ingest_plans_write(plans, &call->options, call->plan_file, err)) {
		return cli_fail(err);
	}
	if (!call->say.is_quiet) {
		struct strbuf counts = {0};
		strbuf_printf(&counts, ": %u run%s, %u file%s\n", plans->n_plans,
		              plans->n_plans == 1 ? "" : "s", n_files, n_files == 1 ? "" : "s");
		print_escaped(stdout, "", call->plan_file, counts.data);
		strbuf_free(&counts);
	}
	return CLI_DONE;
}

static const char *const run_files[] = {"lanes", NULL};
static const char out_advice[] =
    "run files are written, so call it NAME.lanes, or a folder for them NAME/";

static int
carry_out(const struct import_call *call, const struct ingest_plans *plans, struct err *err)
{
	int status = CLI_DONE;
	if (!call->part.of ||
	    (call->part.nth == 1 && !call->say.is_quiet)) { /* one tells what all see */
		say_skipped(plans);
	}
	if (call->dry_run) {
		print_plans(plans, stdout);
	}
	if (say_unfit(plans, err)) {
		return cli_fail(err);
	}
	if (plans->refusal) {
		if (!call->dry_run) {
			print_plans(plans, stderr);
		}
		err_set(err, ERR_USAGE, "%s", plans->refusal);
		status = cli_fail(err);
	} else if (!call->dry_run) {
		status = call->plan_file && !call->part.of ? write_plan(call, plans, err)
		         : make_out_folder(plans, err)     ? cli_fail(err)
		         : call->n_jobs                    ? import_in_jobs(call, plans)
		                                           : import_all(call, plans);
	}
	return say_failed(plans, status);
}

/* What goes by a plan is what the plan says. */
static int
check_plan(const struct import_call *call, size_t n_traces, struct err *err)
{
	const struct ingest_options *options = &call->options;
	bool plans_anew = options->name || options->format || options->each || options->one ||
	                  options->lenient || call->tags.n || call->patterns.n;

	if (!call->plan_file) {
		return 0;
	}
	if (call->n_jobs) {
		return err_set(err, ERR_USAGE, "--jobs makes its plan by itself: leave --plan out");
	}
	if (!call->part.of) {
		return options->out ? err_set(err, ERR_USAGE,
		                              "--plan FILE names what is written: -o is for the "
		                              "parts")
		                    : 0;
	}
	return n_traces || plans_anew
	           ? err_set(err, ERR_USAGE,
	                     "--part goes by the plan, which says what is read and how: give %s "
	                     "when the plan is made",
	                     n_traces ? "traces" : "options of the runs")
	           : 0;
}

static int
check_words(const struct import_call *call, size_t n_traces, struct err *err)
{
	if (!n_traces && !(call->plan_file && call->part.of)) {
		return err_set(err, ERR_USAGE, "which traces? (- is standard input)");
	}
	if (call->n_jobs && call->part.of) {
		return err_set(err, ERR_USAGE, "--jobs makes all parts, --part one: which is it?");
	}
	if (call->launcher && !call->n_jobs) {
		return err_set(err, ERR_USAGE,
		               "--with starts the processes of --jobs: how many are they?");
	}
	return check_plan(call, n_traces, err);
}

int
command_import(struct cli *cli)
{
	struct import_call call = {.options = {.cancel = &cli->cancel}};
	struct err err = ERR_INIT;
	if (options_parse(cli, take, &call, &err) || check_words(&call, cli->n_words, &err) ||
	    (call.options.out && !call.part.of &&
	     target_check_ending(call.options.out, run_files, out_advice, &err))) {
		return cli_usage(cli, &err);
	}
	call.traces = (const char *const *)cli->words;
	call.n_traces = cli->n_words;
	call.options.tags = &call.tags;
	call.options.patterns = (const char *const *)call.patterns.paths;
	call.options.n_patterns = call.patterns.n;
	struct ingest_plans *plans =
	    call.plan_file && call.part.of
		? ingest_plans_read(call.plan_file, &call.options, &err)
		: ingest_plan(call.traces, (unsigned)call.n_traces, &call.options, &err);
	int status = plans ? carry_out(&call, plans, &err) : cli_fail(&err);
	ingest_plans_free(plans);
	tag_list_free(&call.tags);
	path_list_free(&call.patterns);
	return status;
}
