/*
 * The records that were put aside, source by source, with codes, lanes and times of the run.
 */
#include "config.h"
#include "ingest/run.h"

#include <stdlib.h>

#include "util/intern.h"
#include "util/mem.h"

#define CANCEL_EVERY 4096

struct writing {
	struct run *run;
	const struct source *source; /* NULL: the run as a whole */
	struct intern *trials;       /* name and path -> id - 1 */
	uint32_t *trial_ids;         /* by number in the source */
	size_t n_trials, trials_capacity;
	int64_t n_tasks; /* written so far, all sources */
	unsigned n_polled;
	struct strbuf reason;
};

static uint32_t
text_of(const struct writing *writing, text_code code)
{
	return map_code(writing->source->text_map, code);
}

static uint32_t
lane_of(const struct writing *writing, uint32_t lane)
{
	return map_code(writing->source->lane_map, lane);
}

static void
shift(const struct writing *writing, int64_t *time_ns)
{
	if (*time_ns != TIME_NONE) {
		/* can't overflow: see TIME_LIMIT */
		*time_ns += writing->source->shift_ns;
		*time_ns -= writing->run->origin_ns;
	}
}

static int
write_task(struct writing *writing, struct task task, struct err *err)
{
	struct run *run = writing->run;

	task.key = text_of(writing, task.key);
	task.name = text_of(writing, task.name);
	task.kind = text_of(writing, task.kind);
	task.worker = text_of(writing, task.worker);
	task.lane = lane_of(writing, task.lane);
	shift(writing, &task.planned);
	shift(writing, &task.enqueued);
	shift(writing, &task.started);
	shift(writing, &task.loaded);
	shift(writing, &task.computed);
	shift(writing, &task.published);
	shift(writing, &task.finished);
	shift(writing, &task.completed);
	writing->n_tasks++;
	if (run->task_ids && run->task_ids[task.key] == 0 && writing->n_tasks < UINT32_MAX) {
		run->task_ids[task.key] = (uint32_t)writing->n_tasks;
	}
	return writer_task(run->writer, writing->source->index, &task, err);
}

static int
write_transfer(struct writing *writing, struct transfer transfer, struct err *err)
{
	transfer.name = text_of(writing, transfer.name);
	transfer.source = text_of(writing, transfer.source);
	transfer.target = text_of(writing, transfer.target);
	transfer.mode = text_of(writing, transfer.mode);
	transfer.lane = lane_of(writing, transfer.lane);
	shift(writing, &transfer.planned);
	shift(writing, &transfer.started);
	shift(writing, &transfer.loaded);
	shift(writing, &transfer.received);
	shift(writing, &transfer.unloaded);
	shift(writing, &transfer.finished);
	shift(writing, &transfer.completed);
	return writer_transfer(writing->run->writer, writing->source->index, &transfer, err);
}

static int
write_capacity(struct writing *writing, struct capacity capacity, struct err *err)
{
	capacity.group = text_of(writing, capacity.group);
	shift(writing, &capacity.time_ns);
	return writer_capacity(writing->run->writer, writing->source->index, &capacity, err);
}

static int
write_preemption(struct writing *writing, struct preemption preemption, struct err *err)
{
	preemption.group = text_of(writing, preemption.group);
	shift(writing, &preemption.time_ns);
	return writer_preemption(writing->run->writer, writing->source->index, &preemption, err);
}

/* Sources may tell of one trial together: the same name and path. */
static int
write_trial(struct writing *writing, struct trial trial, struct err *err)
{
	trial.name = text_of(writing, trial.name);
	trial.path = text_of(writing, trial.path);
	text_code key[2] = {trial.name, trial.path};
	uint32_t n = intern_count(writing->trials);
	uint32_t id = intern_id(writing->trials, (struct slice){(const char *)key, sizeof key});
	MEM_GROW(writing->trial_ids, writing->trials_capacity, writing->n_trials + 1);
	writing->trial_ids[writing->n_trials++] = id + 1;
	if (id < n) {
		return 0; /* another source has told of it */
	}
	return writer_trial(writing->run->writer, writing->source->index, &trial, err);
}

static int
write_sample(struct writing *writing, struct sample sample, struct slice values, struct err *err)
{
	sample.trial = writing->trial_ids[sample.trial];
	sample.name = text_of(writing, sample.name);
	sample.type = text_of(writing, sample.type);
	sample.values = (const double *)(const void *)values.ptr; /* spools align */
	return writer_sample(writing->run->writer, &sample, err);
}

static int
write_tag(struct writing *writing, struct tag tag, struct err *err)
{
	if (writing->source) { /* else in the run's codes already */
		tag.scope = text_of(writing, tag.scope);
		tag.key = text_of(writing, tag.key);
		tag.value = text_of(writing, tag.value);
	}
	return writer_tag(writing->run->writer, &tag, err);
}

static int
write_problem(struct writing *writing, const struct kept_problem *kept, struct slice extra,
              struct err *err)
{
	struct problem problem;

	problem_restore(kept, extra, &writing->reason, &problem);
	return writer_problem(writing->run->writer,
	                      writing->source ? (int64_t)writing->source->index : -1, &problem,
	                      err);
}

static int
write_record(void *user, unsigned type, const void *fixed, struct slice extra, struct err *err)
{
	struct writing *writing = user;

	if (++writing->n_polled % CANCEL_EVERY == 0 &&
	    cancel_requested(writing->run->options->cancel)) {
		return err_set(err, ERR_CANCELLED, "cancelled");
	}
	switch ((enum record_type)type) {
	case RECORD_TASK:
		return write_task(writing, *(const struct task *)fixed, err);
	case RECORD_TRANSFER:
		return write_transfer(writing, *(const struct transfer *)fixed, err);
	case RECORD_CAPACITY:
		return write_capacity(writing, *(const struct capacity *)fixed, err);
	case RECORD_PREEMPTION:
		return write_preemption(writing, *(const struct preemption *)fixed, err);
	case RECORD_TRIAL:
		return write_trial(writing, *(const struct trial *)fixed, err);
	case RECORD_SAMPLE:
		return write_sample(writing, *(const struct sample *)fixed, extra, err);
	case RECORD_TAG:
		return write_tag(writing, *(const struct tag *)fixed, err);
	case RECORD_PROBLEM:
		return write_problem(writing, fixed, extra, err);
	case RECORD_DEPENDENCY:
		break; /* in a spool of their own */
	}
	return err_set(err, ERR_INTERNAL, "record of unknown type");
}

/* Dependencies name tasks by their keys: keeps the id of the first task of each key, if anyone
 * asks. */
static void
prepare_task_ids(struct run *run)
{
	for (uint32_t i = 0; i < run->n_sources; i++) {
		if (run->sources[i].dependencies.n_records > run->sources[i].n_span_dependencies) {
			run->task_ids = xcalloc((size_t)run->n_texts + 1, sizeof *run->task_ids);
			return;
		}
	}
}

int
run_write_records(struct run *run, struct err *err)
{
	struct writing writing = {.run = run, .trials = intern_new()};
	struct spool_visitor visitor = {&writing, write_record};
	int result = 0;

	prepare_task_ids(run);
	for (uint32_t i = 0; i < run->n_sources && result == 0; i++) {
		writing.source = &run->sources[i];
		writing.n_trials = 0;
		result = spool_each(&writing.source->records, &visitor, err);
		if (result == 0) {
			result = spool_each(&writing.source->problems, &visitor, err);
		}
	}
	writing.source = NULL;
	result = result ? result : spool_each(&run->run_tags, &visitor, err);
	if (result == 0) {
		result = spool_each(&run->run_problems, &visitor, err);
	}
	intern_free(writing.trials);
	free(writing.trial_ids);
	strbuf_free(&writing.reason);
	return result;
}
