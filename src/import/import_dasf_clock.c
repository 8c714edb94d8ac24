/*
 * The clocks of hosts, put on the wall.
 *
 * Timestamps count from a host's start. A sample of its resources tells the wall clock's time
 * beside, so the two are apart by what the middle one of the host's samples says: single ones may
 * have been made while the wall clock was being set. Of many samples each 2nd, 4th, 8th ... counts.
 *
 * A file is written on one host, hence all of it follows the clock of its own samples, or else of
 * those that another file has of its first host. The timestamps stay in the arguments as recorded.
 */
#include "config.h"
#include "import/import_dasf.h"

#include <math.h>
#include <stdlib.h>

#include "util/order.h"

#define SAMPLES_MAX 4096u
#define WALL_LIMIT_S 4e9

void
dasf_clock_add(struct dasf_clock *clock, double wall, double timestamp)
{
	if (!(wall > 0 && wall <= WALL_LIMIT_S)) {
		return;
	}
	if (clock->n == SAMPLES_MAX) {
		clock->n = SAMPLES_MAX / 2;
		for (size_t i = 0; i < clock->n; i++) {
			clock->offsets[i] = clock->offsets[2 * i];
		}
		clock->halvings++;
	}
	if ((clock->n_seen++ & ((UINT64_C(1) << clock->halvings) - 1)) == 0) {
		MEM_GROW(clock->offsets, clock->capacity, clock->n + 1);
		clock->offsets[clock->n++] = wall - timestamp;
	}
}

/* What a kept sample says, and for how many it stands. */
struct vote {
	uint32_t host;
	double offset, weight;
};

struct votes {
	struct vote *votes;
	size_t n, capacity;
};

static void
add_votes(struct votes *votes, uint32_t host, const struct dasf_clock *clock)
{
	MEM_GROW(votes->votes, votes->capacity, votes->n + clock->n + 1);
	for (size_t i = 0; i < clock->n; i++) {
		votes->votes[votes->n++] =
		    (struct vote){host, clock->offsets[i], ldexp(1, (int)clock->halvings)};
	}
}

static int
compare_votes(const void *a, const void *b)
{
	const struct vote *left = a, *right = b;

	ORDER_BY(left->host, right->host);
	return ORDER(left->offset, right->offset);
}

static void
sort_votes(struct votes *votes)
{
	SORT(votes->votes, votes->n, compare_votes);
}

/* The middle one of sorted votes of one host; NaN if there is none. */
static double
middle(const struct vote *votes, size_t n)
{
	double total = 0, so_far = 0;

	for (size_t i = 0; i < n; i++) {
		total += votes[i].weight;
	}
	for (size_t i = 0; i < n; i++) {
		so_far += votes[i].weight;
		if (so_far * 2 >= total) {
			return votes[i].offset;
		}
	}
	return NAN;
}

double
dasf_clock_offset(const struct dasf_clock *clock)
{
	struct votes votes = {0};

	add_votes(&votes, 0, clock);
	sort_votes(&votes);
	double offset = middle(votes.votes, votes.n);
	free(votes.votes);
	return offset;
}

/* ---- over all files ---- */

struct clocks {
	struct intern *names;
	double *offsets; /* by id of the host's name; NaN: nothing tells */
};

/* The offset of each host, by the samples of all files. */
static void
clocks_init(struct clocks *clocks, void *const *all_facts, size_t n_facts)
{
	struct votes votes = {0};

	clocks->names = intern_new();
	for (size_t i = 0; i < n_facts; i++) {
		const struct dasf_facts *facts = all_facts[i];
		for (size_t j = 0; facts && j < facts->n_hosts; j++) {
			struct slice name = intern_text(facts->texts, facts->hosts[j].name);
			add_votes(&votes, intern_id(clocks->names, name), &facts->hosts[j].clock);
		}
	}
	uint32_t n_hosts = intern_count(clocks->names);
	clocks->offsets = xcalloc((size_t)n_hosts + 1, sizeof *clocks->offsets);
	for (uint32_t i = 0; i < n_hosts; i++) {
		clocks->offsets[i] = NAN;
	}
	sort_votes(&votes);
	for (size_t i = 0, end; i < votes.n; i = end) {
		uint32_t host = votes.votes[i].host;
		for (end = i + 1; end < votes.n && votes.votes[end].host == host;) {
			end++;
		}
		clocks->offsets[host] = middle(votes.votes + i, end - i);
	}
	free(votes.votes);
}

/* That of a host in this file. *by_own: its own samples tell. */
static double
offset_in(const struct clocks *clocks, const struct dasf_facts *facts, size_t host, bool *by_own)
{
	const struct dasf_host *own = &facts->hosts[host];
	double offset = own->clock.n ? dasf_clock_offset(&own->clock) : NAN;

	*by_own = !isnan(offset);
	return *by_own ? offset
	               : clocks->offsets[intern_find(clocks->names,
	                                             intern_text(facts->texts, own->name))];
}

/* The host whose clock stands for those that nothing is known of: the first by name. INTERN_NONE:
 * of none anything is known. */
static uint32_t
stand_in(const struct clocks *clocks)
{
	uint32_t first = INTERN_NONE;

	for (uint32_t i = 0; i < intern_count(clocks->names); i++) {
		if (!isnan(clocks->offsets[i]) &&
		    (first == INTERN_NONE ||
		     slice_compare(intern_text(clocks->names, i),
		                   intern_text(clocks->names, first)) < 0)) {
			first = i;
		}
	}
	return first;
}

/* What does not fit together; each is told once, by its first case. */
struct misfits {
	struct slice without, moved, one, other; /* names of hosts; empty: no case */
	size_t n_without;
};

/* NaN if nothing tells it. */
static double
offset_of_file(const struct clocks *clocks, const struct dasf_facts *facts, struct misfits *misfits)
{
	double found = NAN;
	bool found_own = false;
	struct slice of = {"", 0};

	for (size_t i = 0; i < facts->n_hosts; i++) {
		struct slice name = intern_text(facts->texts, facts->hosts[i].name);
		bool is_own;
		double offset = offset_in(clocks, facts, i, &is_own);
		double usual = clocks->offsets[intern_find(clocks->names, name)];
		if (fabs(offset - usual) > DASF_MOVED_S) {
			misfits->moved = misfits->moved.len ? misfits->moved : name;
		}
		if (fabs(offset - found) > DASF_MOVED_S && misfits->one.len == 0) {
			misfits->one = of;
			misfits->other = name;
		}
		if (isnan(found) || (is_own && !found_own)) {
			found = offset;
			found_own = is_own;
			of = name;
		}
	}
	return found;
}

static void
report(struct sink *sink, const struct strbuf *reason)
{
	struct problem problem = {
	    .kind = PROBLEM_SUSPICIOUS, .reason = reason->data, .excerpt = {"", 0}};
	(void)sink_problem(sink, &problem);
}

static void
report_misfits(const struct misfits *misfits, struct slice stand_in, struct sink *sink)
{
	struct strbuf reason = {0};

	if (misfits->n_without) {
		dasf_add_name(&reason, misfits->without);
		strbuf_add_text(&reason, ": no Resource Usage sample tells the wall clock's time");
		if (misfits->n_without > 1) {
			strbuf_printf(&reason, " (nor for %zu more files)", misfits->n_without - 1);
		}
		strbuf_add_text(&reason, "; its times are taken as by the clock of ");
		dasf_add_name(&reason, stand_in);
		strbuf_add_text(&reason, ", and do not compare with those of other hosts");
		report(sink, &reason);
	}
	if (misfits->moved.len) {
		strbuf_clear(&reason);
		dasf_add_name(&reason, misfits->moved);
		strbuf_add_text(&reason, ": its samples in several files are of different clocks, "
		                         "as after a restart: import the files of each run by "
		                         "themselves");
		report(sink, &reason);
	}
	if (misfits->other.len) {
		strbuf_clear(&reason);
		dasf_add_name(&reason, misfits->other);
		strbuf_add_text(&reason, ": has a file in common with ");
		dasf_add_name(&reason, misfits->one);
		strbuf_add_text(&reason, ", whose clock is another: its times in there follow that "
		                         "one's, and do not compare with those of other hosts");
		report(sink, &reason);
	}
	strbuf_free(&reason);
}

bool
dasf_align(void *const *all_facts, size_t n_facts, struct sink *sink, int64_t *offsets_ns)
{
	struct misfits misfits = {{"", 0}, {"", 0}, {"", 0}, {"", 0}, 0};
	struct clocks clocks;

	clocks_init(&clocks, all_facts, n_facts);
	uint32_t usual = stand_in(&clocks);
	for (size_t i = 0; i < n_facts && usual != INTERN_NONE; i++) {
		const struct dasf_facts *facts = all_facts[i];
		double offset = facts ? offset_of_file(&clocks, facts, &misfits) : NAN;
		if (isnan(offset)) {
			offset = clocks.offsets[usual];
			if (facts && facts->n_hosts && misfits.n_without++ == 0) {
				misfits.without = intern_text(facts->texts, facts->hosts[0].name);
			}
		}
		offsets_ns[i] = (int64_t)llround(offset * 1e9);
	}
	if (usual != INTERN_NONE) {
		report_misfits(&misfits, intern_text(clocks.names, usual), sink);
	}
	intern_free(clocks.names);
	free(clocks.offsets);
	return usual != INTERN_NONE;
}
