/*
 * span_pair_sums(by, least, key, spans, partners, p1 ...): the pairs of span_pairs, a row for each
 * value of what `by` names: '', or some of name, lane and cause. delay is from the partner's start
 * to the span's, queue from the partner's end; gaps are what is between a span and those before it
 * on its lane, by cause 0: the partner began only then, 1: none of that, but shorter than least,
 * 2: the others. Spans without a gap before them have no cause.
 *
 * A look at each pair finds its group; medians, where they are wanted, take another look.
 */
#include "config.h"
#include "store/vtab.h"

#include <stdlib.h>

#include "column/ops/pairs.h"
#include "store/functions.h"
#include "store/ordered.h"
#include "util/index.h"
#include "util/intern.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

enum pair_cause { CAUSE_PARTNER, CAUSE_SHORT, CAUSE_OTHER, CAUSE_NONE };
enum { BY_NAME = 1, BY_LANE = 2, BY_CAUSE = 4 };
enum { COLUMN_NAME, COLUMN_LANE, COLUMN_CAUSE, COLUMN_MEDIAN = 7 };

struct pair_key {
	uint32_t name, lane;
	enum pair_cause cause;
};

struct pair_group {
	struct pair_key key;
	unsigned by;
	int64_t n, n_paired, n_gaps, delay_max, gap_max;
	__int128 delay, queue, inside, partners, gaps;
	double median;
	size_t first, n_delays; /* of its delays among all */
};

struct pair_sums {
	unsigned by;
	int64_t least_ns;
	struct pair_group *groups;
	size_t n, capacity, last; /* last: that was found */
	struct index index;
	uint32_t *of_pair; /* a group's place for each pair; NULL: no medians are wanted */
};

static int
parse_by(const char *text, unsigned *by, struct err *err)
{
	static const char *const names[] = {"name", "lane", "cause"};
	struct slice rest = slice_of(text ? text : "");

	*by = 0;
	while (rest.len) {
		const char *comma = memchr(rest.ptr, ',', rest.len);
		struct slice word = {rest.ptr, comma ? (size_t)(comma - rest.ptr) : rest.len};
		unsigned i = 0;
		while (i < COUNT_OF(names) && !slice_is(word, names[i])) {
			i++;
		}
		if (i == COUNT_OF(names)) {
			return err_set(err, ERR_QUERY, "by: '%.*s' is none of name, lane, cause",
			               (int)word.len, word.ptr);
		}
		*by |= 1u << i;
		rest = slice_from(rest, word.len + (comma != NULL));
	}
	return 0;
}

/* ---- groups ---- */

static bool
is_key(const struct pair_key *key, const struct pair_key *wanted)
{
	return key->name == wanted->name && key->lane == wanted->lane &&
	       key->cause == wanted->cause;
}

static size_t
find_group(struct pair_sums *sums, const struct pair_key *key)
{
	uint64_t hash =
	    hash_mix(((uint64_t)key->name << 32 | key->lane) ^ hash_mix((uint64_t)key->cause));
	uint32_t at;

	if (sums->last < sums->n && is_key(&sums->groups[sums->last].key, key)) {
		return sums->last;
	}
	INDEX_FIND(at, &sums->index, hash, is_key(&sums->groups[at].key, key));
	if (at == INDEX_NONE) {
		at = (uint32_t)sums->n;
		MEM_GROW(sums->groups, sums->capacity, sums->n + 1);
		sums->groups[sums->n++] = (struct pair_group){
		    .key = *key, .by = sums->by, .delay_max = INT64_MIN, .gap_max = INT64_MIN};
		index_add(&sums->index, hash, at);
	}
	return sums->last = at;
}

static enum pair_cause
cause_of(const struct pair *pair, int64_t least_ns)
{
	return pair->before_ns == INT64_MIN || pair->start_ns <= pair->before_ns  ? CAUSE_NONE
	       : pair->n_partners > 0 && pair->partner_start_ns > pair->before_ns ? CAUSE_PARTNER
	       : time_sub(pair->start_ns, pair->before_ns) < least_ns             ? CAUSE_SHORT
	                                                                          : CAUSE_OTHER;
}

static void
add_pair(struct pair_sums *sums, const struct pair *pair, size_t i)
{
	enum pair_cause cause = cause_of(pair, sums->least_ns);
	struct pair_key key = {.name = sums->by & BY_NAME ? pair->name : 0,
	                       .lane = sums->by & BY_LANE ? pair->lane : 0,
	                       .cause = sums->by & BY_CAUSE ? cause : CAUSE_NONE};
	size_t at = find_group(sums, &key);
	struct pair_group *group = &sums->groups[at];

	group->n++;
	group->inside += pair->inside_ns;
	if (pair->n_partners > 0) {
		int64_t delay_ns = time_sub(pair->start_ns, pair->partner_start_ns);
		group->n_paired++;
		group->delay += delay_ns;
		group->delay_max = MOST(delay_ns, group->delay_max);
		group->queue += time_sub(pair->start_ns, pair->partner_end_ns);
		group->partners += time_sub(pair->partner_end_ns, pair->partner_start_ns);
	}
	if (cause != CAUSE_NONE) {
		int64_t gap_ns = time_sub(pair->start_ns, pair->before_ns);
		group->n_gaps++;
		group->gaps += gap_ns;
		group->gap_max = MOST(gap_ns, group->gap_max);
	}
	if (sums->of_pair) {
		sums->of_pair[i] = (uint32_t)at;
	}
}

static void
find_medians(struct pair_sums *sums, const struct pair *pairs, size_t n)
{
	uint64_t *delays = xmalloc((n + 1) * sizeof *delays);
	size_t first = 0;

	for (size_t g = 0; g < sums->n; g++) {
		sums->groups[g].first = first;
		first += (size_t)sums->groups[g].n_paired;
	}
	for (size_t i = 0; i < n; i++) {
		struct pair_group *group = &sums->groups[sums->of_pair[i]];
		if (pairs[i].n_partners > 0) {
			delays[group->first + group->n_delays++] = order_of_integer(
			    time_sub(pairs[i].start_ns, pairs[i].partner_start_ns));
		}
	}
	for (size_t g = 0; g < sums->n; g++) {
		struct pair_group *group = &sums->groups[g];
		if (group->n_delays > 0) {
			group->median =
			    ordered_quantile(delays + group->first, group->n_delays, 0.5, false);
		}
	}
	free(delays);
}

static int
check_sums(const struct pair_sums *sums, struct err *err)
{
	for (size_t g = 0; g < sums->n; g++) {
		const struct pair_group *group = &sums->groups[g];
		const __int128 all[] = {group->delay, group->inside, group->partners, group->gaps};
		for (size_t i = 0; i < COUNT_OF(all); i++) {
			if (all[i] != (int64_t)all[i]) {
				return err_set(err, ERR_LIMIT,
				               "a sum of times is more than 64 bits hold");
			}
		}
	}
	return 0;
}

/* ---- the table ---- */

static int
run(struct vtab *vtab, struct listed_cursor *cursor, struct err *err)
{
	struct pair_sums sums = {.by = 0};
	struct pair *pairs = NULL;
	const char *by;

	if (arguments_text(&cursor->arguments, 0, &by, err) || parse_by(by, &sums.by, err) ||
	    arguments_duration(&cursor->arguments, 1, &sums.least_ns, err)) {
		return -1;
	}
	int64_t n = vtab_pairs_find(vtab, cursor, 2, &pairs, err);
	if (n > 0 && cursor->wants) {
		MEM_NEW(sums.of_pair, n);
	}
	for (int64_t i = 0; i < n; i++) {
		add_pair(&sums, &pairs[i], (size_t)i);
	}
	if (sums.of_pair) {
		find_medians(&sums, pairs, (size_t)n);
	}
	free(pairs);
	free(sums.of_pair);
	index_free(&sums.index);
	cursor->rows = sums.groups;
	cursor->n = (int64_t)sums.n;
	return n < 0 ? -1 : check_sums(&sums, err);
}

static unsigned
read_group(const void *rows, int64_t at, int64_t values[LISTED_COLUMNS])
{
	const struct pair_group *group = (const struct pair_group *)rows + at;
	const unsigned of_pairs = 0xf << 5 | 1 << 9 | 1 << 11, of_gaps = 3 << 13;
	const double n = (double)group->n_paired, mean = (double)group->delay / n,
		     queue_mean = (double)group->queue / n;
	const int64_t all[] = {group->key.name,
	                       group->key.lane,
	                       group->key.cause,
	                       group->n,
	                       group->n_paired,
	                       (int64_t)group->delay,
	                       0,
	                       0,
	                       group->delay_max,
	                       0,
	                       (int64_t)group->inside,
	                       (int64_t)group->partners,
	                       group->n_gaps,
	                       (int64_t)group->gaps,
	                       group->gap_max};

	memcpy(values, all, sizeof all);
	memcpy(&values[6], &mean, sizeof mean);
	memcpy(&values[COLUMN_MEDIAN], &group->median, sizeof group->median);
	memcpy(&values[9], &queue_mean, sizeof queue_mean);
	return (group->by & BY_NAME ? 0 : 1u << COLUMN_NAME) |
	       (group->by & BY_LANE ? 0 : 1u << COLUMN_LANE) |
	       (group->key.cause == CAUSE_NONE ? 1u << COLUMN_CAUSE : 0) |
	       (group->n_paired == 0 ? of_pairs : 0) | (group->n_gaps == 0 ? of_gaps : 0);
}

const struct listed_table vtab_pair_sums_listed = {
    .arguments = {{"by", "least", "key", "spans", "partners", PARAMETER_NAMES},
                  13,
                  5,
                  "(by, least, key, spans, partners [, p1, ... p8])"},
    .n_columns = 15,
    .columns = {{"name", LISTED_TEXT},
                {"lane", LISTED_INTEGER},
                {"cause", LISTED_INTEGER},
                {"n", LISTED_INTEGER},
                {"paired_n", LISTED_INTEGER},
                {"delay_sum", LISTED_INTEGER},
                {"delay_mean", LISTED_REAL},
                {"delay_p50", LISTED_REAL},
                {"delay_max", LISTED_INTEGER},
                {"queue_mean", LISTED_REAL},
                {"inside_sum", LISTED_INTEGER},
                {"partner_sum", LISTED_INTEGER},
                {"gaps", LISTED_INTEGER},
                {"gap_sum", LISTED_INTEGER},
                {"gap_max", LISTED_INTEGER}},
    .extra = 1u << COLUMN_MEDIAN,
    .run = run,
    .read = read_group};
