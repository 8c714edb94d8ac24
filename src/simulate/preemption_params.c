/*
 * Parameters and results by name: one table for each, from which options, columns, checks and tests
 * are made. The defaults are measured: chances and sizes of a group of 64 instances over 355
 * minutes, times of a job of 4 billion parameters in pipelines of 16.
 */
#include "config.h"
#include "simulate/preemption.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "util/format.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/slice.h"

const struct preemption_params preemption_defaults = {
    .seed = 1,
    .minutes = 355,
    .tick_ms = 5000,
    .depth = 16,
    .prep_ms = 180000,
    .initial = 32,
    .inst_max = 64,
    .p_preempt = 58.0 / 355,
    .preempt_mean = 140.0 / 58,
    .preempt_std = 2.086165648825032,
    .p_add = 51.0 / 355,
    .add_mean = 122.0 / 48,
    .add_std = 1.9456261184790364,
    .p_big = 3.0 / 51,
    .big_lo = 11,
    .big_hi = 31,
    .reconfig_ms = 88000,
    .checkpoint_ms = 89000,
    .samples_per_iter = 288,
    .iterations = {{16, 18000}, {32, 11000}, {48, 9000}, {64, 8000}},
    .n_iterations = 4,
};

const struct preemption_param preemption_params[] = {
#define X(member, name, type, form, about) {name, type, offsetof(struct preemption_params, member)},
    PREEMPTION_PARAMS(X)
#undef X
	{NULL, PREEMPTION_INTEGER, 0},
};

#define FIELD(member, type, is_main)                                                               \
	{                                                                                          \
#member, type, offsetof(struct preemption_result, member), is_main                 \
	}
const struct preemption_field preemption_fields[] = {
    FIELD(wasted_fraction, FIELD_SHARE, true),
    FIELD(useful_fraction, FIELD_SHARE, true),
    FIELD(iterations_per_hour, FIELD_REAL, true),
    FIELD(efficiency_vs_full, FIELD_SHARE, true),
    FIELD(mean_active, FIELD_REAL, true),
    FIELD(instance_idle_fraction, FIELD_SHARE, true),
    FIELD(useful_ms, FIELD_MS, true),
    FIELD(lost_ms, FIELD_MS, true),
    FIELD(reconfig_ms, FIELD_MS, true),
    FIELD(idle_ms, FIELD_MS, true),
    FIELD(pending_ms, FIELD_MS, false),
    FIELD(duration_ms, FIELD_MS, false),
    FIELD(rollback_fraction, FIELD_SHARE, true),
    FIELD(iterations, FIELD_COUNT, true),
    FIELD(last_saved, FIELD_COUNT, false),
    FIELD(iterations_executed, FIELD_COUNT, false),
    FIELD(iterations_lost, FIELD_COUNT, true),
    FIELD(samples_per_second, FIELD_REAL, true),
    FIELD(mean_instances, FIELD_REAL, true),
    FIELD(reconfigs, FIELD_COUNT, true),
    FIELD(reconfig_restarts, FIELD_COUNT, false),
    FIELD(rollbacks, FIELD_COUNT, true),
    FIELD(checkpoints_saved, FIELD_COUNT, true),
    FIELD(checkpoints_aborted, FIELD_COUNT, false),
    FIELD(preempt_events, FIELD_COUNT, false),
    FIELD(preempted, FIELD_COUNT, true),
    FIELD(preempted_active, FIELD_COUNT, false),
    FIELD(add_events, FIELD_COUNT, false),
    FIELD(added, FIELD_COUNT, true),
    FIELD(add_clamped, FIELD_COUNT, false),
    FIELD(case_1a, FIELD_COUNT, false),
    FIELD(case_1b, FIELD_COUNT, false),
    FIELD(case_grow, FIELD_COUNT, false),
    FIELD(case_both, FIELD_COUNT, false),
    FIELD(case_exact, FIELD_COUNT, false),
    FIELD(inst_ms_active, FIELD_MS, false),
    FIELD(inst_ms_standby, FIELD_MS, false),
    FIELD(inst_ms_prep, FIELD_MS, false),
    FIELD(final_active, FIELD_COUNT, false),
    FIELD(final_standby, FIELD_COUNT, false),
    FIELD(final_prep, FIELD_COUNT, false),
    {NULL, FIELD_COUNT, 0, false},
};

int64_t
preemption_field_integer(const struct preemption_field *field,
                         const struct preemption_result *result)
{
	return preemption_integer_at(result, field->offset);
}

double
preemption_field_real(const struct preemption_field *field, const struct preemption_result *result)
{
	return field->type == FIELD_COUNT || field->type == FIELD_MS
	           ? (double)preemption_field_integer(field, result)
	           : preemption_real_at(result, field->offset);
}

const char *
job_state_name(enum job_state state)
{
	static const char *const names[] = {"training", "reconfiguring", "idle"};
	return names[state];
}

const char *
instance_state_name(enum instance_state state)
{
	static const char *const names[] = {"booting", "standby", "active", "gone"};
	return names[state];
}

/* ---- to text ---- */

void
preemption_describe(const struct preemption_params *params, const struct preemption_trace *trace,
                    struct strbuf *out)
{
	strbuf_printf(out, "seed %" PRIu64 "\n", params->seed);
	for (const struct preemption_param *param = preemption_params; param->name; param++) {
		if (param->type == PREEMPTION_REAL) {
			strbuf_printf(out, "%s %.17g\n", param->name,
			              preemption_real_at(params, param->offset));
		} else {
			strbuf_printf(out, "%s %" PRId64 "\n", param->name,
			              preemption_integer_at(params, param->offset));
		}
	}
	for (size_t i = 0; i < params->n_iterations; i++) {
		strbuf_printf(out, "iteration %" PRId64 " %" PRId64 "\n",
		              params->iterations[i].world, params->iterations[i].ms);
	}
	for (size_t i = 0; trace && i < trace->n_changes; i++) {
		const struct preemption_change *change = &trace->changes[i];
		strbuf_printf(out, "change %" PRId64 " %" PRId64 " %" PRId64 "\n", change->time_ms,
		              change->delta, change->node);
	}
	if (trace) {
		strbuf_printf(out, "trace %" PRId64 " %" PRId64 "\n", trace->initial,
		              trace->end_ms);
	}
}

/* ---- from text ---- */

/* A duration in whole milliseconds; a bare number is milliseconds. */
static bool
parse_ms(struct slice text, int64_t *ms)
{
	int64_t ns;

	if (slice_int64(text, ms)) {
		return true;
	}
	if (!parse_duration(text, &ns) || ns % 1000000 != 0) {
		return false;
	}
	*ms = ns / 1000000;
	return true;
}

int
preemption_param_set(struct preemption_params *params, const struct preemption_param *param,
                     struct slice text, struct err *err)
{
	char *place = (char *)params + param->offset;
	int64_t integer;
	double real;
	bool is_real = param->type == PREEMPTION_REAL;

	if (is_real ? !slice_double(text, &real) || !isfinite(real)
	            : !(param->type == PREEMPTION_MS ? parse_ms(text, &integer)
	                                             : slice_int64(text, &integer))) {
		return err_set(err, ERR_USAGE, "--%s %.*s: not %s", param->name, (int)text.len,
		               text.ptr,
		               is_real                        ? "a number"
		               : param->type == PREEMPTION_MS ? "a time in whole milliseconds (5s)"
		                                              : "a whole number");
	}
	if (is_real) {
		memcpy(place, &real, sizeof real);
	} else {
		memcpy(place, &integer, sizeof integer);
	}
	return 0;
}

static int
compare_worlds(const void *a, const void *b)
{
	int64_t x = ((const struct preemption_iteration *)a)->world,
		y = ((const struct preemption_iteration *)b)->world;
	return ORDER(x, y);
}

int
preemption_iterations_set(struct preemption_params *params, struct slice text, struct err *err)
{
	struct preemption_iteration list[PREEMPTION_WORLDS];
	size_t n = 0;

	for (size_t at = 0; at < text.len;) {
		size_t end = at;
		while (end < text.len && text.ptr[end] != ' ' && text.ptr[end] != ',') {
			end++;
		}
		const char *item = text.ptr + at;
		const char *colon = memchr(item, ':', end - at);
		size_t before = colon ? (size_t)(colon - item) : 0;
		if (end > at &&
		    (!colon || n == PREEMPTION_WORLDS ||
		     !slice_int64((struct slice){item, before}, &list[n].world) ||
		     !parse_ms((struct slice){colon + 1, end - at - before - 1}, &list[n].ms))) {
			return err_set(err, ERR_USAGE,
			               "--iter %.*s: not a list like \"16:18s 32:11s\" of at most "
			               "%d world sizes",
			               (int)text.len, text.ptr, PREEMPTION_WORLDS);
		}
		n += end > at;
		at = end + 1;
	}
	if (n == 0) {
		return err_set(err, ERR_USAGE, "--iter: no world size");
	}
	SORT(list, n, compare_worlds);
	memcpy(params->iterations, list, n * sizeof *list);
	params->n_iterations = n;
	return 0;
}

/* ---- what makes sense ---- */

static bool
is_within(int64_t value, int64_t min, int64_t max)
{
	return value >= min && value <= max;
}

static bool
is_size(double mean, double deviation)
{
	return fabs(mean) <= PREEMPTION_INSTANCES_LIMIT && deviation >= 0 &&
	       deviation <= PREEMPTION_INSTANCES_LIMIT;
}

static const char *
find_fault(const struct preemption_params *params)
{
	const int64_t most = PREEMPTION_INSTANCES_LIMIT, longest = PREEMPTION_MS_LIMIT;

	if (!(params->minutes > 0) || params->minutes * 60000 > (double)longest ||
	    preemption_duration_ms(params) < 1) {
		return "--minutes must be above 0 (and below 34 years)";
	}
	if (!is_within(params->tick_ms, 1, longest)) {
		return "--tick must be at least 1 ms";
	}
	if (!is_within(params->depth, 1, most)) {
		return "--depth must be at least 1";
	}
	if (!is_within(params->initial, 0, most) || !is_within(params->inst_max, 0, most) ||
	    !is_within(params->inst_min, 0, most)) {
		return "numbers of instances must be between 0 and 1000000";
	}
	if (!is_within(params->prep_ms, 0, longest) ||
	    !is_within(params->reconfig_ms, 0, longest) ||
	    !is_within(params->checkpoint_ms, 0, longest) ||
	    !is_within(params->checkpoint_every_ms, 0, longest)) {
		return "times must not be negative (or above 34 years)";
	}
	if (!(params->p_preempt >= 0) || !(params->p_add >= 0) || !(params->p_big >= 0)) {
		return "chances must not be negative";
	}
	if (!is_size(params->preempt_mean, params->preempt_std) ||
	    !is_size(params->add_mean, params->add_std)) {
		return "sizes must be at most 1000000 and their deviations not negative";
	}
	if (!is_within(params->big_lo, 0, most) ||
	    !is_within(params->big_hi, params->big_lo, most)) {
		return "--big-hi must not be below --big-lo";
	}
	return !is_within(params->samples_per_iter, 0, longest) ? "--samples must not be negative"
	                                                        : NULL;
}

int
preemption_params_check(const struct preemption_params *params, struct err *err)
{
	const char *fault = find_fault(params);

	if (fault) {
		return err_set(err, ERR_USAGE, "%s", fault);
	}
	for (size_t i = 0; i < params->n_iterations; i++) {
		const struct preemption_iteration *at = &params->iterations[i];
		if (!is_within(at->world, 1, PREEMPTION_INSTANCES_LIMIT) ||
		    !is_within(at->ms, 1, INT64_C(1) << 32)) {
			return err_set(err, ERR_USAGE,
			               "--iter: world sizes and times must be above 0");
		}
		if (i > 0 && at->world == at[-1].world) {
			return err_set(err, ERR_USAGE, "--iter: world size %lld stands twice",
			               (long long)at->world);
		}
	}
	return 0;
}

int64_t
preemption_duration_ms(const struct preemption_params *params)
{
	return (int64_t)(params->minutes * 60000 + 0.5);
}

int64_t
preemption_iteration_ms(const struct preemption_params *params, int64_t world)
{
	const struct preemption_iteration *list = params->iterations;
	size_t n = params->n_iterations, i = 0;

	while (i < n && list[i].world < world) {
		i++;
	}
	if (i == n || i == 0 || list[i].world == world) {
		return list[i < n ? i : n - 1].ms;
	}
	int64_t a = list[i - 1].world, b = list[i].world, range = b - a;
	int64_t sum = list[i - 1].ms * (b - world) + list[i].ms * (world - a);
	return (2 * sum + range) / (2 * range);
}

/* ---- traces ---- */

void
preemption_trace_add(struct preemption_trace *trace, struct preemption_change change)
{
	MEM_GROW(trace->changes, trace->capacity, trace->n_changes + 1);
	trace->changes[trace->n_changes++] = change;
}

void
preemption_trace_free(struct preemption_trace *trace)
{
	if (trace) {
		free(trace->changes);
		*trace = (struct preemption_trace){0};
	}
}
