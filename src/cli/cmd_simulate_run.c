/*
 * Simulations as run files: one with all that happens in it, or a sweep, of which the figures are
 * kept.
 */
#include "config.h"
#include "cli/cmd_simulate.h"

#include <stdlib.h>

#include "simulate/preemption_record.h"
#include "simulate/sweep_record.h"
#include "store/runfile.h"

struct recording {
	const struct preemption_params *params;
	const struct preemption_trace *trace;
	const struct cancel *cancel;
};

static int
record(void *user, struct sink *sink, struct err *err)
{
	struct recording *recording = user;
	struct preemption_result result;

	return preemption_record(recording->params, recording->trace, recording->cancel, sink,
	                         &result, err);
}

/* told is freed. */
static int
make_run(int (*make)(void *user, struct sink *sink, struct err *err), void *user,
         struct strbuf *told, const struct ingest_options *options, struct ingest_summary *summary,
         struct err *err)
{
	struct ingest_maker maker = {.format = "preemption",
	                             .source = "lanescope simulate preemption",
	                             .make = make,
	                             .user = user,
	                             .told = strbuf_slice(told)};
	int rc = ingest_make(&maker, options, summary, err);
	strbuf_free(told);
	return rc;
}

int
simulate_make_run(const struct preemption_params *params, const struct preemption_trace *trace,
                  const struct ingest_options *options, struct ingest_summary *summary,
                  struct err *err)
{
	struct recording recording = {params, trace, options->cancel};
	struct strbuf told = {0};
	preemption_describe(params, trace, &told);
	return make_run(record, &recording, &told, options, summary, err);
}

static int
record_sweep(void *user, struct sink *sink, struct err *err)
{
	return sweep_record(user, sink, err);
}

static int
make_sweep(struct preemption_sweep *sweep, const struct ingest_options *options,
           struct ingest_summary *summary, struct err *err)
{
	struct strbuf told = {0};
	sweep_describe(sweep, &told);
	return make_run(record_sweep, sweep, &told, options, summary, err);
}

int
simulate_make_file(struct simulate_choice *choice, const char *path, struct err *err)
{
	struct preemption_sweep *sweep = &choice->sweep;
	struct preemption_params params;
	struct ingest_summary summary;
	char *name = runfile_name(path);
	struct ingest_options options = {.out = path,
	                                 .name = name,
	                                 .clash = choice->force ? CLASH_REPLACE : CLASH_KEEP,
	                                 .cancel = &choice->cli->cancel};
	bool is_single = sweep->n_points * sweep->n_seeds == 1;

	preemption_sweep_params(sweep, 0, &params);
	params.seed = sweep->seeds[0];
	int rc = is_single ? simulate_make_run(&params, sweep->trace, &options, &summary, err)
	                   : make_sweep(sweep, &options, &summary, err);
	if (rc == 0 && summary.is_held) {
		cli_say("%s: holds this already", path);
	}
	free(name);
	return rc;
}
