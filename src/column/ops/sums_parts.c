/*
 * More groups than memory should hold, part by part. A scan that meets too many leaves a sample of
 * their keys; by that what it was to find is divided into ranges of the first dimension's values,
 * as many as should fit, and each is found by a scan of its own, which gives no codes to values
 * outside. Since groups are ordered by their keys, the parts follow one another as one answer.
 *
 * A part that is still too large is divided again. Where the sample has one value of a dimension
 * alone, that value is a part, and it is divided by the next dimension.
 */
#include "config.h"
#include "column/ops/sums_private.h"

#include <math.h>
#include <stdlib.h>

#include "column/scan/rowvalue.h"
#include "util/mem.h"
#include "util/order.h"

#define PARTS_MOST 256
#define ROOM_FOR_ERROR 1.5 /* of the estimate of how many there are */

/* Values of each dimension; those of the first ones that are one value alone come before. */
struct sums_part {
	struct value_bounds bounds[SCAN_DIMENSIONS];
};

struct sums_parts {
	const struct dataset *dataset;
	struct sums_request request;
	struct arena *arena; /* of the bounds' texts */
	struct sums_part *parts;
	size_t n, capacity; /* still to come: the next one is the last */
	bool is_divided;
};

struct sums_parts *
sums_parts_new(const struct dataset *dataset, const struct sums_request *request)
{
	struct sums_parts *parts = xcalloc(1, sizeof *parts);

	parts->dataset = dataset;
	parts->request = *request;
	parts->arena = arena_new();
	MEM_GROW(parts->parts, parts->capacity, 1);
	parts->parts[parts->n++] = (struct sums_part){.bounds = {{.has_from = false}}};
	return parts;
}

void
sums_parts_free(struct sums_parts *parts)
{
	if (parts) {
		free(parts->parts);
		arena_free(parts->arena);
		free(parts);
	}
}

static bool
is_one_value(const struct value_bounds *bounds)
{
	return bounds->has_from && bounds->has_to && bounds->is_through &&
	       scan_value_order(&bounds->from, &bounds->to) == 0;
}

static int
compare_values(const void *left, const void *right)
{
	return scan_value_order(left, right);
}

/* Groups of the bucket before those of time that are asked for are none of the answer. */
static bool
is_before(const struct value_bounds *bounds, const struct scan_value *value)
{
	return value->type != SCAN_INTEGER ||
	       (bounds->has_from &&
	        scan_value_order(value, &bounds->from) < (bounds->is_after ? 1 : 0));
}

/* The sample's values of a dimension, sorted. New. */
static struct scan_value *
sort_values(const struct sums_sample *sample, unsigned dimension, const struct value_bounds *bounds,
            size_t *n)
{
	struct scan_value *values = xcalloc(sample->n + 1, sizeof *values);

	*n = 0;
	for (size_t i = 0; i < sample->n; i++) {
		values[*n] = sample->keys[i * sample->n_dimensions + dimension];
		*n += (int)dimension != sample->time || !is_before(bounds, &values[*n]);
	}
	SORT(values, *n, compare_values);
	return values;
}

static struct scan_value
keep_value(struct sums_parts *parts, struct scan_value value)
{
	if (value.type == SCAN_TEXT) {
		value.text = arena_slice(parts->arena, value.text);
	}
	return value;
}

static struct value_bounds *
add_part(struct sums_parts *parts, const struct sums_part *whole, unsigned dimension)
{
	MEM_GROW(parts->parts, parts->capacity, parts->n + 1);
	parts->parts[parts->n] = *whole;
	return &parts->parts[parts->n++].bounds[dimension];
}

/* What lies above the value, the value, what lies below. */
static void
divide_around(struct sums_parts *parts, const struct sums_part *whole, unsigned dimension,
              struct scan_value value)
{
	value = keep_value(parts, value);
	struct value_bounds *above = add_part(parts, whole, dimension);
	above->has_from = above->is_after = true;
	above->from = value;
	*add_part(parts, whole, dimension) = (struct value_bounds){
	    .has_from = true, .has_to = true, .is_through = true, .from = value, .to = value};
	struct value_bounds *below = add_part(parts, whole, dimension);
	below->has_to = true;
	below->is_through = false;
	below->to = value;
}

/* By values of the sorted sample at equal distances, of which at least two differ. */
static void
divide_between(struct sums_parts *parts, const struct sums_part *whole, unsigned dimension,
               const struct scan_value *values, size_t n, size_t n_parts)
{
	struct value_bounds rest = whole->bounds[dimension];
	const struct scan_value *last = NULL;
	size_t first = 1;

	while (scan_value_order(&values[first], &values[0]) == 0) {
		first++;
	}
	for (size_t i = n_parts - 1; i > 0; i--) {
		const struct scan_value *value = &values[MOST(n * i / n_parts, first)];
		if (last && scan_value_order(value, last) == 0) {
			continue;
		}
		last = value;
		struct value_bounds *part = add_part(parts, whole, dimension);
		*part = rest;
		part->has_from = true;
		part->is_after = false;
		part->from = keep_value(parts, *value);
		rest.has_to = true;
		rest.is_through = false;
		rest.to = part->from;
	}
	*add_part(parts, whole, dimension) = rest;
}

/* Puts parts in the place of one that was too large. False: it can't be divided. */
static bool
divide(struct sums_parts *parts, const struct sums_part *whole, const struct sums_sample *sample)
{
	unsigned dimension = 0;

	while (dimension < sample->n_dimensions && is_one_value(&whole->bounds[dimension])) {
		dimension++;
	}
	if (dimension == sample->n_dimensions) {
		return false;
	}
	size_t n;
	struct scan_value *values = sort_values(sample, dimension, &whole->bounds[dimension], &n);
	double n_parts = ceil(ROOM_FOR_ERROR / sample->part) + 1;
	if (n == 0) {
		free(values);
		return false;
	}
	if (scan_value_order(&values[0], &values[n - 1]) == 0) {
		divide_around(parts, whole, dimension, values[0]);
	} else {
		divide_between(parts, whole, dimension, values, n,
		               n_parts < PARTS_MOST ? (size_t)n_parts : PARTS_MOST);
	}
	free(values);
	parts->is_divided = true;
	return true;
}

bool
sums_parts_end(const struct sums_parts *parts)
{
	return parts->n == 0;
}

int
sums_parts_next(struct sums_parts *parts, struct sums **sums, struct err *err)
{
	for (;;) {
		struct sums_part part = parts->parts[--parts->n];
		struct sums_sample sample = {0};
		struct err own = ERR_INIT;
		parts->request.bounds = parts->is_divided ? part.bounds : NULL;
		*sums = sums_run_sampled(parts->dataset, &parts->request, &sample, &own);
		bool is_divided = !*sums && divide(parts, &part, &sample);
		arena_free(sample.arena);
		if (*sums) {
			return 0;
		}
		if (!is_divided) {
			*err = own;
			return -1;
		}
	}
}
