/*
 * The job knows three states. Events within training happen at their exact times, however many fall
 * between two looks at the cluster: a checkpoint that ends together with an iteration ends first,
 * so that the iteration can start the next one.
 *
 * Iterations are counted as useful when they end; an interruption takes those back that no finished
 * checkpoint holds. Within one stretch of training all iterations take the same time, since the
 * world size changes by interruptions only.
 */
#include "config.h"
#include "simulate/preemption_job.h"

#define FNV_BASIS UINT64_C(0xcbf29ce484222325)
#define FNV_PRIME UINT64_C(0x100000001b3)
#define EVENTS_A_POLL 0xffff

/* ---- the log ---- */

static uint64_t
digest_text(uint64_t digest, const char *text)
{
	for (; *text; text++) {
		digest = (digest ^ (unsigned char)*text) * FNV_PRIME;
	}
	return digest;
}

static uint64_t
digest_number(uint64_t digest, int64_t number, const char *after)
{
	char digits[24], *at = digits + sizeof digits;

	*--at = '\0';
	do {
		*--at = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	return digest_text(digest_text(digest, at), after);
}

static void
log_event(struct training_job *job, int64_t time_ms, const char *event, int64_t n)
{
	uint64_t digest = digest_number(job->digest, time_ms, ",");

	digest = digest_text(digest_text(digest, event), ",");
	job->digest = digest_number(digest_number(digest, job->world, ","), n, "\n");
	job->n_events++;
	if (job->observer->log) {
		job->observer->log(job->observer->user, time_ms, event, job->world, n);
	}
}

static void
show(struct training_job *job, const char *state, int64_t start_ms, int64_t end_ms)
{
	if (job->observer->job && end_ms > start_ms) {
		job->observer->job(job->observer->user, state, start_ms, end_ms, job->world);
	}
}

/* ---- training ---- */

static void
start_training(struct training_job *job, int64_t time_ms)
{
	job->state = JOB_TRAINING;
	job->iter_ms = preemption_iteration_ms(job->params, job->world);
	job->iter_start_ms = job->since_ms = job->saved_end_ms = job->save_start_ms = time_ms;
	job->save_end_ms = -1;
}

static void
end_checkpoint(struct training_job *job)
{
	job->saved_end_ms += (job->saving - job->saved) * job->iter_ms;
	job->saved = job->saving;
	job->result->checkpoints_saved++;
	log_event(job, job->save_end_ms, "checkpoint", job->saved);
	job->save_end_ms = -1;
}

static void
end_iteration(struct training_job *job)
{
	int64_t end_ms = job->iter_start_ms + job->iter_ms;

	job->done++;
	job->result->iterations_executed++;
	job->result->useful_ms += job->iter_ms;
	job->iter_start_ms = end_ms;
	log_event(job, end_ms, "step", job->done);
	if (job->save_end_ms < 0 &&
	    end_ms - job->save_start_ms >= job->params->checkpoint_every_ms) {
		job->saving = job->done;
		job->save_start_ms = end_ms;
		job->save_end_ms = end_ms + job->params->checkpoint_ms;
	}
}

/* One event, if there is one up to time_ms. */
static bool
train(struct training_job *job, int64_t time_ms)
{
	int64_t iter_end_ms = job->iter_start_ms + job->iter_ms;
	bool saves = job->save_end_ms >= 0 && job->save_end_ms <= iter_end_ms;

	if ((saves ? job->save_end_ms : iter_end_ms) > time_ms) {
		return false;
	}
	if (saves) {
		end_checkpoint(job);
	} else {
		end_iteration(job);
	}
	return true;
}

static bool
resume(struct training_job *job, int64_t time_ms)
{
	if (job->until_ms > time_ms) {
		return false;
	}
	job->result->reconfig_ms += job->until_ms - job->since_ms;
	show(job, "reconfiguring", job->since_ms, job->until_ms);
	start_training(job, job->until_ms);
	log_event(job, job->until_ms, "resume", job->done);
	return true;
}

/* ---- outside ---- */

void
job_start(struct training_job *job, int64_t world)
{
	job->digest = FNV_BASIS;
	job->world = world;
	job->save_end_ms = -1;
	if (world > 0) {
		start_training(job, 0);
	} else {
		job->state = JOB_IDLE;
	}
	log_event(job, 0, "start", 0);
}

int
job_advance(struct training_job *job, int64_t time_ms, struct err *err)
{
	while (job->state == JOB_TRAINING
	           ? train(job, time_ms)
	           : job->state == JOB_RECONFIGURING && resume(job, time_ms)) {
		if ((job->n_events & EVENTS_A_POLL) == 0 && cancel_requested(job->cancel)) {
			return err_set(err, ERR_CANCELLED, "cancelled");
		}
	}
	job->now_ms = time_ms;
	return 0;
}

static void
interrupt_training(struct training_job *job)
{
	struct preemption_result *result = job->result;
	int64_t unsaved_ms = (job->done - job->saved) * job->iter_ms;
	int64_t lost_ms = unsaved_ms + job->now_ms - job->iter_start_ms;

	if (job->save_end_ms >= 0) {
		result->checkpoints_aborted++;
		job->save_end_ms = -1;
	}
	result->useful_ms -= unsaved_ms;
	result->lost_ms += lost_ms;
	result->rollbacks += lost_ms > 0;
	result->iterations_lost += job->done - job->saved;
	job->done = job->saved;
	show(job, "useful", job->since_ms, job->saved_end_ms);
	show(job, "lost", job->saved_end_ms, job->now_ms);
}

/* Time without training, up to now. */
static void
end_pause(struct training_job *job)
{
	struct preemption_result *result = job->result;

	*(job->state == JOB_IDLE ? &result->idle_ms : &result->reconfig_ms) +=
	    job->now_ms - job->since_ms;
	show(job, job_state_name(job->state), job->since_ms, job->now_ms);
}

void
job_interrupt(struct training_job *job, int64_t world)
{
	struct preemption_result *result = job->result;

	if (job->state == JOB_TRAINING) {
		interrupt_training(job);
	} else {
		result->reconfig_restarts += job->state == JOB_RECONFIGURING && world > 0;
		end_pause(job);
	}
	job->world = world;
	job->since_ms = job->now_ms;
	if (world > 0) {
		job->state = JOB_RECONFIGURING;
		job->until_ms = job->now_ms + job->params->reconfig_ms;
		result->reconfigs++;
		log_event(job, job->now_ms, "reconfig", job->saved);
	} else {
		job->state = JOB_IDLE;
		log_event(job, job->now_ms, "idle", job->saved);
	}
}

void
job_finish(struct training_job *job)
{
	struct preemption_result *result = job->result;

	if (job->state == JOB_TRAINING) {
		result->pending_ms = job->now_ms - job->iter_start_ms;
		show(job, "useful", job->since_ms, job->iter_start_ms);
		show(job, "pending", job->iter_start_ms, job->now_ms);
	} else {
		end_pause(job);
	}
	result->iterations = job->done;
	result->last_saved = job->saved;
	result->final_state = job->state;
	result->digest = job->digest;
}
