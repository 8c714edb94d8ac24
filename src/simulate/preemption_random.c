/*
 * The draws, each from as many numbers of the stream as documented: whoever writes the simulation
 * anew in another language gets the same results. A negative size is folded by its absolute value,
 * as the measurements that the defaults come from were used; the mean of sizes is therefore above
 * the mean asked for.
 */
#include "config.h"
#include "simulate/preemption_random.h"

#include <math.h>

#include "util/order.h"

#define TWO_PI 6.283185307179586
#define MINUTE_MS 60000

double
random_uniform(struct prng *prng)
{
	return (double)(prng_next(prng) >> 11) * 0x1p-53;
}

uint64_t
random_below(struct prng *prng, uint64_t n)
{
	uint64_t rest = (UINT64_C(0) - n) % n, value;

	do {
		value = prng_next(prng);
	} while (value < rest);
	return value % n;
}

double
random_normal(struct prng *prng, double mean, double deviation)
{
	double u1 = 1 - random_uniform(prng), u2 = random_uniform(prng);

	return mean + deviation * sqrt(-2 * log(u1)) * cos(TWO_PI * u2);
}

int64_t
random_size(struct prng *prng, double mean, double deviation)
{
	double size = fabs(rint(random_normal(prng, mean, deviation)));

	return size < 1 ? 1 : size < 1e12 ? (int64_t)size : INT64_C(1000000000000);
}

void
random_victims(struct prng *prng, int64_t *ids, size_t n, size_t k)
{
	for (size_t i = 0; i < k; i++) {
		size_t other = i + (size_t)random_below(prng, n - i);
		int64_t id = ids[i];
		ids[i] = ids[other];
		ids[other] = id;
	}
}

static bool
happens(struct prng *prng, double chance_a_minute, int64_t step_ms)
{
	return random_uniform(prng) < chance_a_minute * (double)step_ms / MINUTE_MS;
}

int64_t
random_preemption(struct prng *prng, const struct preemption_params *params, int64_t step_ms)
{
	return happens(prng, params->p_preempt, step_ms)
	           ? random_size(prng, params->preempt_mean, params->preempt_std)
	           : 0;
}

int64_t
random_addition(struct prng *prng, const struct preemption_params *params, int64_t step_ms)
{
	if (!happens(prng, params->p_add, step_ms)) {
		return 0;
	}
	if (random_uniform(prng) < params->p_big) {
		uint64_t range = (uint64_t)(params->big_hi - params->big_lo) + 1;
		return params->big_lo + (int64_t)random_below(prng, range);
	}
	return random_size(prng, params->add_mean, params->add_std);
}

int
preemption_generate(const struct preemption_params *params,
                    int (*row)(void *user, int64_t minute, int64_t count, int64_t lost,
                               int64_t added),
                    void *user)
{
	struct prng prng = {params->seed};
	int64_t count = params->initial, minutes = preemption_duration_ms(params) / MINUTE_MS;

	int stop = row(user, 0, count, 0, 0);
	for (int64_t minute = 1; stop == 0 && minute <= minutes; minute++) {
		int64_t lost = random_preemption(&prng, params, MINUTE_MS);
		int64_t removable = count > params->inst_min ? count - params->inst_min : 0;
		lost = LEAST(lost, removable);
		count -= lost;
		int64_t added = random_addition(&prng, params, MINUTE_MS);
		int64_t room = params->inst_max > count ? params->inst_max - count : 0;
		added = LEAST(added, room);
		count += added;
		if (lost || added) {
			stop = row(user, minute, count, lost, added);
		}
	}
	return stop;
}
