/*
 * A sweep is the product of its axes. A simulation takes a fraction of a millisecond and knows
 * nothing of the others, so the cores share them one by one, and each writes its own result.
 */
#include "config.h"
#include "simulate/preemption_sweep.h"

#include <math.h>
#include <stdlib.h>

#include "util/mem.h"
#include "util/workers.h"

/* The next item of a list separated by commas. */
static bool
next_item(struct slice *rest, struct slice *item)
{
	if (!rest->ptr) {
		return false;
	}
	const char *comma = rest->len ? memchr(rest->ptr, ',', rest->len) : NULL;
	*item = (struct slice){rest->ptr, comma ? (size_t)(comma - rest->ptr) : rest->len};
	*rest = comma ? (struct slice){comma + 1, rest->len - item->len - 1} : (struct slice){0};
	return true;
}

/* A second list for a parameter replaces the first. */
static struct preemption_axis *
axis_of(struct preemption_sweep *sweep, const struct preemption_param *param)
{
	for (size_t i = 0; i < sweep->n_axes; i++) {
		if (sweep->axes[i].param == param) {
			free(sweep->axes[i].values);
			return &sweep->axes[i];
		}
	}
	return &sweep->axes[sweep->n_axes++];
}

int
preemption_sweep_values(struct preemption_sweep *sweep, const struct preemption_param *param,
                        struct slice list, struct err *err)
{
	struct preemption_params *values = NULL;
	size_t n = 0, capacity = 0;

	for (struct slice rest = list, item; next_item(&rest, &item);) {
		MEM_GROW(values, capacity, n + 1);
		values[n] = preemption_defaults;
		if (preemption_param_set(&values[n++], param, item, err)) {
			free(values);
			return -1;
		}
	}
	if (n == 1) {
		free(values);
		return preemption_param_set(&sweep->base, param, list, err);
	}
	*axis_of(sweep, param) = (struct preemption_axis){param, values, n};
	return 0;
}

static bool
parse_range(struct slice item, uint64_t *from, uint64_t *to)
{
	const char *dash = item.len > 1 ? memchr(item.ptr + 1, '-', item.len - 1) : NULL;

	if (!dash) {
		return slice_uint64(item, from) && slice_uint64(item, to);
	}
	size_t before = (size_t)(dash - item.ptr);
	return slice_uint64((struct slice){item.ptr, before}, from) &&
	       slice_uint64((struct slice){dash + 1, item.len - before - 1}, to) && *from <= *to;
}

int
preemption_sweep_seeds(struct preemption_sweep *sweep, struct slice list, struct err *err)
{
	sweep->n_seeds = 0;
	for (struct slice rest = list, item; next_item(&rest, &item);) {
		uint64_t from, to;
		if (!parse_range(item, &from, &to)) {
			return err_set(err, ERR_USAGE,
			               "--seed %.*s: not a seed, or a list of them (1-20)",
			               (int)list.len, list.ptr);
		}
		if (to - from >= PREEMPTION_SWEEP_LIMIT - sweep->n_seeds) {
			return err_set(err, ERR_LIMIT, "at most %d simulations at once",
			               PREEMPTION_SWEEP_LIMIT);
		}
		size_t n = (size_t)(to - from) + 1;
		MEM_GROW(sweep->seeds, sweep->seeds_capacity, sweep->n_seeds + n);
		for (size_t i = 0; i < n; i++) {
			sweep->seeds[sweep->n_seeds++] = from + i;
		}
	}
	return 0;
}

void
preemption_sweep_params(const struct preemption_sweep *sweep, size_t point,
                        struct preemption_params *params)
{
	*params = sweep->base;
	for (size_t i = sweep->n_axes; i-- > 0;) {
		const struct preemption_axis *axis = &sweep->axes[i];
		size_t offset = axis->param->offset, bytes = sizeof(int64_t);
		_Static_assert(sizeof(double) == sizeof(int64_t), "a parameter has eight bytes");
		memcpy((char *)params + offset,
		       (const char *)&axis->values[point % axis->n] + offset, bytes);
		point /= axis->n;
	}
}

static int
simulate_one(void *user, size_t item, unsigned thread, struct err *err)
{
	struct preemption_sweep *sweep = user;
	struct preemption_params params;

	(void)thread; /* they share nothing */
	preemption_sweep_params(sweep, item / sweep->n_seeds, &params);
	params.seed = sweep->seeds[item % sweep->n_seeds];
	return preemption_run(&params, sweep->trace, NULL, sweep->cancel, &sweep->results[item],
	                      err);
}

int
preemption_sweep_run(struct preemption_sweep *sweep, unsigned n_threads,
                     const struct cancel *cancel, struct err *err)
{
	if (sweep->n_seeds == 0) {
		MEM_GROW(sweep->seeds, sweep->seeds_capacity, 1);
		sweep->seeds[sweep->n_seeds++] = sweep->base.seed;
	}
	sweep->n_points = 1;
	for (size_t i = 0; i < sweep->n_axes; i++) {
		sweep->n_points *= sweep->axes[i].n;
		if (sweep->n_points > PREEMPTION_SWEEP_LIMIT / sweep->n_seeds) {
			return err_set(err, ERR_LIMIT, "at most %d simulations at once",
			               PREEMPTION_SWEEP_LIMIT);
		}
	}
	size_t n = sweep->n_points * sweep->n_seeds;
	sweep->cancel = cancel;
	free(sweep->results);
	sweep->results = xcalloc(n, sizeof *sweep->results);
	return workers_run(n_threads ? n_threads : workers_count(), n, simulate_one, sweep, cancel,
	                   err);
}

struct preemption_moments
preemption_sweep_moments(const struct preemption_sweep *sweep, size_t point,
                         const struct preemption_field *field)
{
	const struct preemption_result *results = &sweep->results[point * sweep->n_seeds];
	double n = (double)sweep->n_seeds, sum = 0, squares = 0;

	for (size_t i = 0; i < sweep->n_seeds; i++) {
		sum += preemption_field_real(field, &results[i]);
	}
	for (size_t i = 0; i < sweep->n_seeds; i++) {
		double off = preemption_field_real(field, &results[i]) - sum / n;
		squares += off * off;
	}
	return (struct preemption_moments){sum / n, n > 1 ? sqrt(squares / (n - 1)) : NAN};
}

void
preemption_sweep_free(struct preemption_sweep *sweep)
{
	for (size_t i = 0; i < sweep->n_axes; i++) {
		free(sweep->axes[i].values);
	}
	free(sweep->seeds);
	free(sweep->results);
	*sweep = (struct preemption_sweep){0};
}
