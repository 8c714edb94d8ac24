/*
 * The members of a group stand in a row, so that a figure of all of them is one array. Times by
 * name are few against members times names: who has none counts as zero without being written down.
 */
#include "config.h"
#include "column/ops/alike.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

#define NORMAL_QUARTILE 0.6745 /* the MAD of a normal distribution is so many deviations */

/* A group at work. */
struct rating {
	struct alike *alike;
	struct alike_group *group;
	int64_t *values, *sorted; /* a figure by member; scratch */
	double score;             /* k */
};

static int
compare_ns(const void *left, const void *right)
{
	return ORDER(*(const int64_t *)left, *(const int64_t *)right);
}

static int64_t
median(int64_t *values, size_t n)
{
	if (n == 0) {
		return 0;
	}
	SORT(values, n, compare_ns);
	int64_t low = values[(n - 1) / 2], high = values[n / 2];
	return low + time_sub(high, low) / 2;
}

static int64_t
distance(int64_t a, int64_t b)
{
	return a < b ? time_sub(b, a) : time_sub(a, b);
}

static void
note(struct alike_member *member, enum alike_figure figure, uint32_t name, int64_t value,
     int64_t usual, int64_t limit)
{
	int64_t off = distance(value, usual);
	double by = (double)off / ((double)limit + 1);
	double before =
	    (double)distance(member->value_ns, member->usual_ns) / ((double)member->limit_ns + 1);

	if (off > limit && (!member->is_odd || by > before)) {
		member->is_odd = true;
		member->figure = figure;
		member->name = name;
		member->value_ns = value;
		member->usual_ns = usual;
		member->limit_ns = limit;
	}
}

/* values: a figure of n of the group's members; whole: what percents are of. */
static int64_t
limit_of(const struct rating *rating, const int64_t *values, size_t n, int64_t usual, int64_t whole)
{
	double limit;

	for (size_t i = 0; i < n; i++) {
		rating->sorted[i] = distance(values[i], usual);
	}
	limit = rating->score * (double)median(rating->sorted, n) / NORMAL_QUARTILE;
	limit = fmin(fmax(limit, ALIKE_LEAST * (double)whole), ALIKE_MOST * (double)whole);
	return (int64_t)limit;
}

static int64_t
median_of(const struct rating *rating, const int64_t *values, size_t n)
{
	if (n > 0) {
		memcpy(rating->sorted, values, n * sizeof *values);
	}
	return median(rating->sorted, n);
}

/* Times of one name. */
static void
rate_name(const struct rating *rating, const struct alike_time *times, size_t n, int64_t whole)
{
	struct alike_member *members = rating->alike->members;
	uint32_t first = rating->group->first, n_members = rating->group->n;
	int64_t usual, limit;

	memset(rating->values, 0, n_members * sizeof *rating->values);
	for (size_t i = 0; i < n; i++) {
		time_raise(&rating->values[times[i].member - first], times[i].ns);
	}
	if (n * 2 < n_members) { /* more than half have none: so much is usual */
		usual = 0;
		limit = (int64_t)(ALIKE_LEAST * (double)whole);
		for (size_t i = 0; i < n; i++) {
			note(&members[times[i].member], ALIKE_NAME, times[i].name,
			     rating->values[times[i].member - first], usual, limit);
		}
		return;
	}
	usual = median_of(rating, rating->values, n_members);
	limit = limit_of(rating, rating->values, n_members, usual, whole);
	for (uint32_t i = 0; i < n_members; i++) {
		note(&members[first + i], ALIKE_NAME, times[0].name, rating->values[i], usual,
		     limit);
	}
}

static void
rate_busy(const struct rating *rating, int64_t usual)
{
	struct alike_member *members = rating->alike->members + rating->group->first;
	uint32_t n = rating->group->n;
	int64_t limit;

	for (uint32_t i = 0; i < n; i++) {
		rating->values[i] = members[i].busy_ns;
	}
	limit = limit_of(rating, rating->values, n, usual, usual);
	for (uint32_t i = 0; i < n; i++) {
		note(&members[i], ALIKE_BUSY, TEXT_NONE, members[i].busy_ns, usual, limit);
	}
}

/* First starts, or last ends, of those that have spans. */
static void
rate_ends(const struct rating *rating, enum alike_figure figure)
{
	struct alike_member *members = rating->alike->members + rating->group->first;
	int64_t usual, limit, whole;
	size_t n = 0;

	for (uint32_t i = 0; i < rating->group->n; i++) {
		if (!members[i].is_empty) {
			rating->values[n++] = time_sub(members[i].last_ns, members[i].first_ns);
		}
	}
	whole = median_of(rating, rating->values, n);
	n = 0;
	for (uint32_t i = 0; i < rating->group->n; i++) {
		if (!members[i].is_empty) {
			rating->values[n++] =
			    figure == ALIKE_FIRST ? members[i].first_ns : members[i].last_ns;
		}
	}
	usual = median_of(rating, rating->values, n);
	limit = limit_of(rating, rating->values, n, usual, whole);
	for (uint32_t i = 0; i < rating->group->n; i++) {
		if (!members[i].is_empty) {
			note(&members[i], figure, TEXT_NONE,
			     figure == ALIKE_FIRST ? members[i].first_ns : members[i].last_ns,
			     usual, limit);
		}
	}
}

/* By group (as members are), name, member. */
static int
compare_times(const void *left, const void *right)
{
	const struct alike_time *a = left, *b = right;

	ORDER_BY(a->name, b->name);
	return ORDER(a->member, b->member);
}

/* Of one member and name one time is left. */
static size_t
join_times(struct alike_time *times, size_t n)
{
	size_t joined = 0;

	SORT(times, n, compare_times);
	for (size_t i = 0; i < n; i++) {
		if (joined > 0 && compare_times(&times[joined - 1], &times[i]) == 0) {
			time_raise(&times[joined - 1].ns, times[i].ns);
		} else {
			times[joined++] = times[i];
		}
	}
	return joined;
}

static size_t
end_of_name(const struct alike_time *times, size_t n, size_t from)
{
	size_t end = from;

	while (end < n && times[end].name == times[from].name) {
		end++;
	}
	return end;
}

static void
rate_group(struct rating *rating, struct alike_time *times, size_t n)
{
	struct alike_group *group = rating->group;
	struct alike_member *members = rating->alike->members + group->first;
	size_t n_names = 0;
	int64_t whole;

	n = join_times(times, n);
	for (uint32_t i = 0; i < group->n; i++) {
		members[i].busy_ns = 0;
		members[i].is_odd = false;
	}
	for (size_t i = 0; i < n; i++) {
		time_raise(&rating->alike->members[times[i].member].busy_ns, times[i].ns);
		n_names += i == 0 || times[i].name != times[i - 1].name;
	}
	for (uint32_t i = 0; i < group->n; i++) {
		rating->values[i] = members[i].busy_ns;
	}
	whole = median_of(rating, rating->values, group->n);
	rating->score = sqrt(2 * log(((double)n_names + 3) * group->n)); /* busy, first, last */
	rating->score = fmax(rating->score, ALIKE_SCORE);
	for (size_t i = 0, end; i < n; i = end) {
		end = end_of_name(times, n, i);
		rate_name(rating, times + i, end - i, whole);
	}
	rate_busy(rating, whole);
	rate_ends(rating, ALIKE_FIRST);
	rate_ends(rating, ALIKE_LAST);
	group->n_alike = 0;
	for (uint32_t i = 0; i < group->n; i++) {
		group->n_alike += !members[i].is_odd;
	}
	group->folds = group->n_alike >= 2 && group->n_alike > group->n / 2;
}

void
alike_rate(struct alike *alike, struct alike_time *times, size_t n_times)
{
	size_t *firsts = xcalloc((size_t)alike->n_groups + 1, sizeof *firsts);
	struct alike_time *by_group = xmalloc((n_times + 1) * sizeof *by_group);
	struct rating rating = {.alike = alike};

	MEM_NEW(rating.values, (size_t)alike->n_members + 1);
	MEM_NEW(rating.sorted, (size_t)alike->n_members + 1);
	for (size_t i = 0; i < n_times; i++) {
		firsts[alike->members[times[i].member].group]++;
	}
	for (uint32_t i = 0; i < alike->n_groups; i++) {
		firsts[i + 1] += firsts[i];
	}
	for (size_t i = n_times; i-- > 0;) {
		by_group[--firsts[alike->members[times[i].member].group]] = times[i];
	}
	for (uint32_t i = 0; i < alike->n_groups; i++) {
		rating.group = &alike->groups[i];
		rate_group(&rating, by_group + firsts[i], firsts[i + 1] - firsts[i]);
	}
	free(rating.values);
	free(rating.sorted);
	free(by_group);
	free(firsts);
}
