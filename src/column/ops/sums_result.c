/* What the caller reads of sums: keys and figures of a group, in the order of keys. */
#include "config.h"
#include "column/ops/sums_private.h"

#include <math.h>
#include <stdlib.h>

#include "util/mem.h"

/* Groups are read in the order of their keys, but stand in the order in which they came: of a
 * million each is in nobody's cache. So what is read soon is fetched while others are shown. */
#define AHEAD 8

size_t
sums_count(const struct sums *sums)
{
	return sums->n_ordered;
}

/* Where a dimension stands in `by`; -1: it does not. */
static int
place_of(const struct sums *sums, enum row_column dimension)
{
	for (unsigned i = 0; i < sums->plan.dimensions.n; i++) {
		if (sums->plan.dimensions.specs[i].dimension == dimension) {
			return (int)i;
		}
	}
	return -1;
}

bool
sums_has(const struct sums *sums, enum row_column dimension)
{
	return place_of(sums, dimension) >= 0;
}

struct scan_value
sums_key(const struct sums *sums, size_t group, enum row_column dimension)
{
	int i = place_of(sums, dimension);
	if (i < 0) {
		return (struct scan_value){.type = SCAN_NULL};
	}
	if (sums->values_starts) {
		return sums_values_key(sums, sums->order[group]);
	}
	unsigned coder = sums->plan.coders.places[i].coder, part = sums->plan.coders.places[i].part;
	uint32_t code = group_table_codes(&sums->table, sums->order[group])[coder];
	return coder_value(sums->plan.coders.coders[coder], part, code);
}

/* False: it leaves 64 bits, *out is the nearest that does not. */
static bool
fit(__int128 value, int64_t *out)
{
	*out = value > INT64_MAX ? INT64_MAX : value < INT64_MIN ? INT64_MIN : (int64_t)value;
	return *out == value;
}

static void
show_sum(__int128 sum, struct measure_sums *out)
{
	out->sum_leaves = !fit(sum, &out->sum);
	out->real_sum = out->sum_leaves ? (double)sum : 0;
}

static void
show_integers(const struct sums *sums, const struct measure_total *total, enum measure measure,
              struct measure_sums *out)
{
	unsigned parts = sums->plan.parts[measure];
	bool is_divided = measure == MEASURE_DURATION && sums->plan.coders.time >= 0;

	out->n = total->n;
	show_sum(total->sum, out);
	bool has_range = total->n > 0 && (parts & (PART_RANGE | PART_SQUARES));
	out->min = has_range ? total->min : 0;
	out->max = has_range ? total->max : 0;
	out->squares = parts & PART_SQUARES ? total->squares : 0;
	out->squares_leave = out->squares == SQUARES_LEAVE;
	if ((parts & PART_SQUARES) && !is_divided) {
		out->deviation = out->squares_leave ? NAN
		                                    : deviation_of_sums((uint64_t)total->n,
		                                                        total->sum, total->squares);
	}
}

static void
show_reals(const struct value_total *total, struct measure_sums *out)
{
	out->n = total->n;
	out->real_sum = total->sum;
	out->real_min = total->min;
	out->real_max = total->max;
	out->real_squares = total->deviations.squares;
	out->deviation = deviations_get(&total->deviations);
}

static const struct measure_sums no_figures = {.deviation = NAN,
                                               .quantile = {NAN, NAN, NAN, NAN, NAN, NAN}};

static void
show_measure(const struct sums *sums, uint32_t group, enum measure measure,
             struct measure_sums *out)
{
	const struct measure_total *totals = sums->totals.measures[measure];
	const struct calls_total *calls = sums->totals.calls ? &sums->totals.calls[group] : NULL;
	if (sums->values_starts) { /* the rest is as it was in the group before */
		struct measure_total total = sums_values_total(sums, group, measure);
		show_integers(sums, &total, measure, out);
		return;
	}
	*out = no_figures;
	if (totals) {
		struct measure_total total = totals[group];
		if (calls) {
			sums_calls_fold(calls, measure, &total);
		}
		show_integers(sums, &total, measure, out);
		if (sums->totals.outside && measure <= MEASURE_SELF) {
			const struct outside_total *all = &sums->totals.outside[group];
			__int128 outside = measure == MEASURE_SELF ? all->self : all->duration;

			show_sum(total.sum - outside, out);
			out->sum_leaves |= !fit(outside, &out->outside);
		}
	}
	if (measure == MEASURE_VALUE && sums->values) {
		show_reals(&sums->values[group], out);
	}
	const double *quantiles = sums->quantile_values[measure];
	for (int q = 0; quantiles && q < QUANTILES; q++) {
		out->quantile[q] = quantiles[(size_t)group * QUANTILES + (size_t)q];
	}
	if (calls && measure < MEASURE_VALUE && calls->measures[measure].n > 0) {
		out->has_no_distribution = true;
		out->has_no_range = calls->measures[measure].has_unknown;
		out->squares = 0;
		out->squares_leave = false;
		out->deviation = NAN;
		for (int q = 0; q < QUANTILES; q++) {
			out->quantile[q] = NAN;
		}
	}
}

static void
fetch_ahead(const struct sums *sums, size_t index)
{
	size_t n = sums->n_ordered;

	if (index + 2 * AHEAD < n) {
		uint32_t far = sums->order[index + 2 * AHEAD];
		__builtin_prefetch(sums->values_starts ? &sums->values_starts[far]
		                                       : group_table_codes(&sums->table, far));
	}
	if (index + AHEAD >= n) {
		return;
	}
	uint32_t group = sums->order[index + AHEAD];
	if (sums->values_starts) {
		sums_values_prefetch(sums, group);
		return;
	}
	const uint32_t *codes = group_table_codes(&sums->table, group);
	for (unsigned c = 0; c < sums->plan.coders.n; c++) {
		coder_prefetch(sums->plan.coders.coders[c], codes[c]);
	}
	__builtin_prefetch(&sums->totals.rows[group]);
	for (int m = 0; m < MEASURE_VALUE; m++) {
		if (sums->totals.measures[m]) {
			__builtin_prefetch(&sums->totals.measures[m][group]);
			__builtin_prefetch(&sums->totals.measures[m][group].n);
		}
	}
}

/* What is not wanted is the same in all groups, and most of what there is. */
static void
clear_shown(struct sums *sums)
{
	struct group_sums *shown = &sums->shown;

	if (sums->n_shown == 0) {
		*shown = (struct group_sums){0};
		for (int m = 0; m < MEASURES; m++) {
			shown->measure[m] = no_figures;
		}
	}
	shown->summed = shown->start_min = shown->end_max = 0;
	shown->unfinished = shown->unfinished_ns = 0;
	shown->unfinished_leaves = false;
}

/* All but the measures. */
static void
show_counts(const struct sums *sums, uint32_t group, struct group_sums *out)
{
	out->rows = sums->values_starts ? sums_values_count(sums, group)
	                                : group_totals_rows(&sums->totals, group);
	const struct calls_total *calls = sums->totals.calls ? &sums->totals.calls[group] : NULL;
	__int128 n = (__int128)out->rows + (calls ? calls->calls - calls->rows : 0);
	out->n_leaves = !fit(n, &out->n);
	if (calls) {
		fit(calls->calls, &out->summed); /* at most n */
	}
	if (sums->totals.times &&
	    sums->totals.times[group].start_min <= sums->totals.times[group].end_max) {
		out->start_min = sums->totals.times[group].start_min;
		out->end_max = sums->totals.times[group].end_max;
		dataset_clip(sums->plan.dataset, &out->start_min, &out->end_max);
	}
	if (sums->totals.unfinished) {
		out->unfinished = sums->totals.unfinished[group].n;
		out->unfinished_leaves =
		    !fit(sums->totals.unfinished[group].sum, &out->unfinished_ns);
	}
}

const struct group_sums *
sums_group(struct sums *sums, size_t index)
{
	uint32_t group = sums->order[index];
	struct group_sums *out = &sums->shown;

	if (sums->n_shown == index + 1) { /* a row is asked for column by column */
		return out;
	}
	clear_shown(sums);
	sums->n_shown = index + 1;
	fetch_ahead(sums, index);
	show_counts(sums, group, out);
	for (int m = 0; m < MEASURES; m++) {
		if (sums->plan.parts[m]) {
			show_measure(sums, group, (enum measure)m, &out->measure[m]);
		}
	}
	return out;
}

const struct group_sums *
sums_counts(struct sums *sums, size_t index)
{
	clear_shown(sums);
	sums->n_shown = SIZE_MAX; /* none */
	show_counts(sums, sums->order[index], &sums->shown);
	return &sums->shown;
}

bool
sums_are_ordered_by(const struct sums *sums, enum row_column dimension)
{
	return place_of(sums, dimension) == 0;
}

void
sums_put_in_order(struct sums *sums, const uint32_t *places)
{
	uint32_t *order = xcalloc(sums->n_ordered + 1, sizeof *order);

	for (size_t i = 0; i < sums->n_ordered; i++) {
		order[i] = sums->order[places[i]];
	}
	free(sums->order);
	sums->order = order;
	sums->n_shown = SIZE_MAX;
}
