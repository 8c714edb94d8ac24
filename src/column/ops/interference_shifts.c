/*
 * What sums by lane and name tell of the run, hosts, names and lanes; and of what chance gives: the
 * sample's sums with the others shifted in time.
 */
#include "config.h"
#include "column/ops/interference_private.h"

#include <math.h>
#include <stdlib.h>

#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/prng.h"
#include "util/workers.h"

#define SPANS_MIN 6
#define NAMES_MAX 64   /* that get rows */
#define SHIFT_MIN 0.02 /* of all time */
#define QUANTILE 0.025
#define AHEAD 8 /* spans whose stretches are on their way from memory */

/* ---- sums ---- */

void
interference_add_sums(struct span_sums *sums, const struct span_sums *more)
{
	sums->n += more->n;
	sums->n_beside += more->n_beside;
	time_raise(&sums->sum_ns, more->sum_ns);
	time_raise(&sums->beside_ns, more->beside_ns);
	sums->shares += more->shares;
	sums->beside_shares += more->beside_shares;
}

void
interference_add(struct span_sums *sums, int64_t duration_ns, int64_t beside_ns)
{
	int64_t share = duration_ns < INT64_MAX / ONE
	                    ? beside_ns * ONE / duration_ns
	                    : (int64_t)((wide)beside_ns * ONE / duration_ns);
	interference_add_sums(sums, &(struct span_sums){1, share >= BESIDE_SHARE, duration_ns,
	                                                beside_ns, share, (wide)beside_ns * share});
}

/* ---- rows ---- */

static uint32_t
code_at(const struct interfering *interfering, const struct beside_group *group,
        enum interference_level level)
{
	return level == OF_RUN    ? 0
	       : level == OF_HOST ? interfering->dataset->lanes[group->lane].host
	       : level == OF_NAME ? group->name
	                          : group->lane;
}

struct coded {
	uint32_t code, group;
};

static int
compare_codes(const void *left, const void *right)
{
	const struct coded *a = left, *b = right;
	ORDER_BY(a->code, b->code);
	return ORDER(a->group, b->group);
}

/* A row for each host, name or lane, where there are several; names that are hashes make none. */
static void
add_rows(struct interfering *interfering, enum interference_level level)
{
	struct interferences *found = interfering->found;
	struct coded *codes = xcalloc(interfering->n_groups + 1, sizeof *codes);
	size_t n = interfering->n_groups, n_rows = 0;
	for (uint32_t g = 0; g < n; g++) {
		codes[g] = (struct coded){code_at(interfering, &interfering->groups[g], level), g};
		interfering->row_of[g * LEVELS + level] = NO_ROW;
	}
	SORT(codes, n, compare_codes);
	for (size_t i = 0; i < n; i++) {
		n_rows += i == 0 || codes[i].code != codes[i - 1].code;
	}
	bool are_wanted =
	    level == OF_RUN || (n_rows > 1 && (level != OF_NAME || n_rows <= NAMES_MAX));
	for (size_t i = 0; i < n && are_wanted; i++) {
		const struct beside_group *group = &interfering->groups[codes[i].group];
		if (i == 0 || codes[i].code != codes[i - 1].code) {
			found->rows[found->n++] = (struct interference_row){
			    .level = level,
			    .lane = level == OF_LANE ? group->lane : TEXT_NONE,
			    .host = level == OF_HOST || level == OF_LANE
			                ? interfering->dataset->lanes[group->lane].host
			                : TEXT_NONE,
			    .name = level == OF_NAME ? group->name : TEXT_NONE};
		}
		interfering->row_of[codes[i].group * LEVELS + level] = (uint32_t)found->n - 1;
	}
	free(codes);
}

/* k by row, of sums by group. */
static void
find_slowed(const struct interfering *interfering, const struct span_sums *sums, size_t stride,
            double *slowed)
{
	size_t n_rows = interfering->found->n;
	double *below = xcalloc(n_rows + 1, sizeof *below);
	memset(slowed, 0, n_rows * sizeof *slowed);
	for (size_t g = 0; g < interfering->n_groups; g++) {
		const struct span_sums *of = (const void *)((const char *)sums + g * stride);
		if (of->n < 2) {
			continue;
		}
		double n = (double)of->n, mean = (double)of->sum_ns / n;
		double share = (double)of->shares / (double)ONE / n;
		double with_duration = (double)of->beside_ns - share * (double)of->sum_ns;
		double with_beside =
		    (double)of->beside_shares / (double)ONE - share * (double)of->beside_ns;
		for (unsigned level = 0; level < LEVELS; level++) {
			uint32_t row = interfering->row_of[g * LEVELS + level];
			if (row != NO_ROW) {
				slowed[row] += with_duration / mean;
				below[row] += with_beside / mean;
			}
		}
	}
	for (size_t r = 0; r < n_rows; r++) {
		slowed[r] = below[r] > 0 ? slowed[r] / below[r] : NAN;
	}
	free(below);
}

void
interference_fill(struct interfering *interfering)
{
	struct interferences *found = interfering->found;
	MEM_NEW(interfering->row_of, interfering->n_groups * LEVELS + 1);
	MEM_NEW(found->rows, interfering->n_groups * LEVELS + 1);
	for (unsigned level = 0; level < LEVELS; level++) {
		add_rows(interfering, (enum interference_level)level);
	}
	struct span_sums *all = xcalloc(found->n + 1, sizeof *all);
	double *slowed = xcalloc(found->n + 1, sizeof *slowed);
	for (size_t g = 0; g < interfering->n_groups; g++) {
		for (unsigned level = 0; level < LEVELS; level++) {
			uint32_t row = interfering->row_of[g * LEVELS + level];
			if (row != NO_ROW) {
				interference_add_sums(&all[row], &interfering->groups[g].sums);
			}
		}
	}
	find_slowed(interfering, interfering->groups ? &interfering->groups[0].sums : NULL,
	            sizeof *interfering->groups, slowed);
	for (size_t r = 0; r < found->n; r++) {
		struct interference_row *row = &found->rows[r];
		double shares = (double)all[r].shares / (double)ONE;
		row->n = all[r].n;
		row->n_beside = all[r].n_beside;
		row->sum_ns = all[r].sum_ns;
		row->beside_ns = all[r].beside_ns;
		row->together_ns = shares > 0 ? (double)row->beside_ns / shares : NAN;
		row->apart_ns = (double)row->n > shares ? (double)(row->sum_ns - row->beside_ns) /
		                                              ((double)row->n - shares)
		                                        : NAN;
		bool can = row->n_beside >= SPANS_MIN && row->n - row->n_beside >= SPANS_MIN;
		row->slowed = can && fabs(slowed[r]) < 1 ? slowed[r] : NAN;
		row->low = row->high = row->chance = NAN;
	}
	free(all);
	free(slowed);
}

/* ---- shifts ---- */

static const struct beside *
beside_of(const struct interfering *interfering, const struct sampled *span)
{
	return &interfering->beside[interfering->domain[span->lane]];
}

static int64_t
start_shifted(const struct interfering *interfering, const struct sampled *span, int64_t shift_ns)
{
	int64_t start = span->start_ns - shift_ns;

	return start + (start < interfering->first_ns ? interfering->length_ns : 0);
}

static int64_t
covered_shifted(const struct interfering *interfering, const struct sampled *span, int64_t shift_ns)
{
	const struct beside *beside = beside_of(interfering, span);
	bool own = interfering->has_others[span->lane];
	int64_t begin = interfering->first_ns, end = begin + interfering->length_ns;
	int64_t start = start_shifted(interfering, span, shift_ns),
		until = time_add(start, span->duration_ns), over = until - end;
	int64_t covered = beside_covered(beside, span->lane, own, start, LEAST(until, end));
	return covered +
	       (over > 0 ? beside_covered(beside, span->lane, own, begin, begin + over) : 0);
}

/* What the spans behind the one at hand will read. */
static void
prefetch(const struct interfering *interfering, size_t at, int64_t shift_ns)
{
	if (at + 2 * AHEAD < interfering->n_sample) {
		const struct sampled *far = &interfering->sample[at + 2 * AHEAD];
		const struct sampled *near = &interfering->sample[at + AHEAD];
		beside_prefetch_place(beside_of(interfering, far),
		                      start_shifted(interfering, far, shift_ns));
		beside_prefetch(beside_of(interfering, near),
		                start_shifted(interfering, near, shift_ns));
	}
}

static int
try_shift(void *user, size_t item, unsigned thread, struct err *err)
{
	struct interfering *interfering = user;
	struct span_sums *sums = xcalloc(interfering->n_groups + 1, sizeof *sums);
	struct prng prng = {interfering->request->seed + item};
	double drawn = (double)(prng_next(&prng) >> 11) / 0x1p53;
	int64_t shift_ns =
	    (int64_t)((double)interfering->length_ns * (SHIFT_MIN + drawn * (1 - 2 * SHIFT_MIN)));
	(void)thread;
	(void)err;
	for (size_t i = 0; i < interfering->n_sample; i++) {
		const struct sampled *span = &interfering->sample[i];
		prefetch(interfering, i, shift_ns);
		interference_add(&sums[span->group], span->duration_ns,
		                 covered_shifted(interfering, span, shift_ns));
	}
	find_slowed(interfering, sums, sizeof *sums,
	            interfering->at_shift + item * interfering->found->n);
	free(sums);
	return 0;
}

static int
compare_reals(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;
	return ORDER(a, b);
}

/* What shifts give; where most give nothing, there is no range. */
static void
find_ranges(struct interfering *interfering)
{
	struct interferences *found = interfering->found;
	size_t n_shifts = interfering->request->n_shifts;
	double *given = xcalloc(n_shifts + 1, sizeof *given);
	for (size_t r = 0; r < found->n; r++) {
		struct interference_row *row = &found->rows[r];
		size_t n = 0, n_as_much = 0;
		for (size_t s = 0; s < n_shifts; s++) {
			double slowed = interfering->at_shift[s * found->n + r];
			if (isfinite(slowed)) {
				given[n++] = slowed;
				n_as_much += fabs(slowed) >= fabs(row->slowed);
			}
		}
		if (2 * n > n_shifts && isfinite(row->slowed)) {
			SORT(given, n, compare_reals);
			size_t at = (size_t)((double)(n - 1) * QUANTILE);
			row->low = row->slowed - given[n - 1 - at];
			row->high = row->slowed - given[at];
			row->chance = (double)(n_as_much + 1) / (double)(n + 1);
		}
	}
	free(given);
}

int
interference_shift(struct interfering *interfering, struct err *err)
{
	size_t n_shifts = interfering->request->n_shifts;
	if (interfering->n_sample == 0 || n_shifts == 0 || interfering->length_ns <= 0) {
		return 0;
	}
	MEM_NEW(interfering->at_shift, n_shifts * interfering->found->n + 1);
	if (workers_run(interfering->n_threads, n_shifts, try_shift, interfering,
	                interfering->request->cancel, err)) {
		return -1;
	}
	find_ranges(interfering);
	return 0;
}
