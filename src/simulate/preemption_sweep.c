/*
 * A sweep is the product of its axes. A simulation takes a fraction of a millisecond and knows
 * nothing of the others, so the cores share them one by one, and each writes its own result.
 */
#include "config.h"
#include "simulate/preemption_sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/format.h"
#include "util/mem.h"
#include "util/workers.h"

bool
preemption_next_item(struct slice *rest, struct slice *item)
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

struct value_list {
	struct preemption_params *values;
	size_t n, capacity;
};

/* LOW..HIGH:N, or LOW..HIGH of whole numbers: all of them. 1: it is one, 0: it is none. */
static int
split_range(const struct preemption_param *param, struct slice item, struct slice ends[2],
            uint64_t *n, struct err *err)
{
	const char *dots = NULL, *colon;

	for (size_t i = 1; i + 1 < item.len && !dots; i++) {
		dots = item.ptr[i] == '.' && item.ptr[i + 1] == '.' ? item.ptr + i : NULL;
	}
	if (!dots) {
		return 0;
	}
	ends[0] = (struct slice){item.ptr, (size_t)(dots - item.ptr)};
	ends[1] = slice_from(item, ends[0].len + 2);
	colon = ends[1].len ? memchr(ends[1].ptr, ':', ends[1].len) : NULL;
	*n = 0;
	if (colon) {
		struct slice count = slice_from(ends[1], (size_t)(colon - ends[1].ptr) + 1);

		ends[1].len = (size_t)(colon - ends[1].ptr);
		if (!slice_uint64(count, n) || *n < 2 || *n > PREEMPTION_SWEEP_LIMIT) {
			return err_set(
			    err, ERR_USAGE,
			    "--%s %.*s: not a number of values from 2 to %d behind the :",
			    param->name, (int)item.len, item.ptr, PREEMPTION_SWEEP_LIMIT);
		}
	} else if (param->type != PREEMPTION_INTEGER) {
		return err_set(err, ERR_USAGE, "--%s %.*s: how many values? %.*s:5", param->name,
		               (int)item.len, item.ptr, (int)item.len, item.ptr);
	}
	return 1;
}

/* Of twelve digits, so that a tenth of the way from 0.1 to 0.5 is what people write. */
static double
real_between(double low, double high, uint64_t i, uint64_t n)
{
	char text[FORMAT_BYTES];
	double last = (double)(n - 1), to = (double)i, real;

	snprintf(text, sizeof text, "%.12g", low * ((last - to) / last) + high * (to / last));
	return slice_double(slice_of(text), &real) ? real : low;
}

static int64_t
integer_between(int64_t low, int64_t high, uint64_t i, uint64_t n)
{
	uint64_t span = (uint64_t)high - (uint64_t)low, last = n - 1;

	return (int64_t)((uint64_t)low + span / last * i + (span % last * i + last / 2) / last);
}

static int
add_range(struct value_list *list, const struct preemption_param *param, struct slice item,
          const struct slice ends[2], uint64_t n, struct err *err)
{
	struct preemption_params low = preemption_defaults, high = preemption_defaults;
	size_t offset = param->offset;

	if (preemption_param_set(&low, param, ends[0], err) ||
	    preemption_param_set(&high, param, ends[1], err)) {
		return -1;
	}
	double from = preemption_real_at(&low, offset), to = preemption_real_at(&high, offset);
	int64_t first = preemption_integer_at(&low, offset),
		last = preemption_integer_at(&high, offset);
	bool is_real = param->type == PREEMPTION_REAL;
	uint64_t wholes = is_real || last < first ? 0 : (uint64_t)last - (uint64_t)first + 1;

	n = n == 0 ? wholes : n;
	if (is_real ? !(from < to) : last <= first) {
		return err_set(err, ERR_USAGE,
		               "--%s %.*s: a range goes from its smaller end to the larger",
		               param->name, (int)item.len, item.ptr);
	}
	if (n > PREEMPTION_SWEEP_LIMIT || (!is_real && n > wholes)) {
		return err_set(err, ERR_USAGE,
		               "--%s %.*s: so many different values do not lie there", param->name,
		               (int)item.len, item.ptr);
	}
	if (n > PREEMPTION_SWEEP_LIMIT - list->n) {
		return err_set(err, ERR_LIMIT, "at most %d simulations at once",
		               PREEMPTION_SWEEP_LIMIT);
	}
	for (uint64_t i = 0; i < n; i++) {
		double real = real_between(from, to, i, n);
		int64_t integer = is_real ? 0 : integer_between(first, last, i, n);

		MEM_GROW(list->values, list->capacity, list->n + 1);
		list->values[list->n] = preemption_defaults;
		memcpy((char *)&list->values[list->n++] + offset,
		       is_real ? (const void *)&real : (const void *)&integer, sizeof real);
	}
	return 0;
}

static int
add_item(struct value_list *list, const struct preemption_param *param, struct slice item,
         struct err *err)
{
	struct slice ends[2];
	uint64_t n;
	int is_range = split_range(param, item, ends, &n, err);

	if (is_range) {
		return is_range < 0 ? -1 : add_range(list, param, item, ends, n, err);
	}
	MEM_GROW(list->values, list->capacity, list->n + 1);
	list->values[list->n] = preemption_defaults;
	return preemption_param_set(&list->values[list->n++], param, item, err);
}

int
preemption_sweep_values(struct preemption_sweep *sweep, const struct preemption_param *param,
                        struct slice list, struct err *err)
{
	struct value_list values = {0};

	for (struct slice rest = list, item; preemption_next_item(&rest, &item);) {
		if (add_item(&values, param, item, err)) {
			free(values.values);
			return -1;
		}
	}
	if (values.n == 1) {
		free(values.values);
		return preemption_param_set(&sweep->base, param, list, err);
	}
	*axis_of(sweep, param) = (struct preemption_axis){param, values.values, values.n};
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
	for (struct slice rest = list, item; preemption_next_item(&rest, &item);) {
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
