/*
 * Which files of a folder are one job. They are, unless they contradict each other:
 *
 *   - the same process (host and process id) with another start record, begun more than a minute
 *     apart, or with other records of the same kinds under the same ids;
 *   - the same rank of another process, unless one of the two started the other;
 *   - names that tell of another number of ranks, or of another experiment, or of the same part;
 *   - begun more than a minute apart, where neither ranks (for up to an hour) nor a parent process
 *     tie them.
 *
 * Files that contradict each other must not draw others to the wrong side. So files are first put
 * together whose names are alike but for the number of their rank or process (base-0, base-1), in
 * the order of their begins; then these sets are put together, as far as they fit. What a set holds
 * is found by hashing, and each file is held against a bounded number of sets only.
 */
#include "config.h"
#include "ingest/plan_jobs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/ascii.h"
#include "util/format.h"
#include "util/order.h"

#define RANKS_APART_NS (3600 * SECOND_NS)
#define CANDIDATES 256u

/* ---- groups ---- */

/* Why the files of a group (of one, in the first round) can't be of another; NULL: they can. */
static const char *
misfit(struct dividing *dividing, const struct round *round, uint32_t index,
       const struct group *one)
{
	const struct group *group = &round->groups[index];
	char number[FORMAT_BYTES];
	const char *reason = NULL;
	bool is_descendant = false;

	if (one->ranks > 0 && group->ranks > 0 && one->ranks != group->ranks) {
		return arena_printf(dividing->planning->arena,
		                    "of %" PRId64 " ranks, not of %" PRId64, one->ranks,
		                    group->ranks);
	}
	for (size_t i = 0; i < one->n_files && !reason; i++) {
		reason = plan_contradiction(dividing, round, index, one->files[i]);
		is_descendant |= plan_descends(dividing, round, index, one->files[i]);
	}
	if (reason || is_descendant || one->first == TIME_NONE || group->first == TIME_NONE) {
		return reason;
	}
	int64_t gap = MOST(one->first - group->last, group->first - one->last);
	int64_t limit = one->is_ranked && group->is_ranked ? RANKS_APART_NS : one->apart_ns;
	return gap > limit ? arena_printf(dividing->planning->arena, "begun %s after the others",
	                                  format_duration(number, gap))
	                   : NULL;
}

/* How well a group fits that may: by the process that started them, the command, the number of the
 * process. */
static double
score(const struct group *group, const struct group *one)
{
	double distance = (double)group->pid - (double)one->pid;
	bool same_parent = one->parent && one->parent == group->parent && one->host == group->host;
	bool same_command = one->command && one->command == group->command;

	double gap_s = (double)plan_apart(one->first, group->last) / SECOND_NS;

	return (same_parent ? 4 : 0) + (same_command ? 2 : 0) +
	       1 / (1 + (distance < 0 ? -distance : distance)) + 0.5 / (1 + gap_s);
}

static void
add_to_group(const struct dividing *dividing, struct round *round, uint32_t index,
             const struct group *one)
{
	struct group *group = &round->groups[index];

	for (size_t i = 0; i < one->n_files; i++) {
		MEM_GROW(group->files, group->capacity, group->n_files + 1);
		group->files[group->n_files++] = one->files[i];
		plan_claim(dividing, round, index, one->files[i]);
	}
	if (one->first != TIME_NONE) {
		group->first = group->first == TIME_NONE || one->first < group->first
		                   ? one->first
		                   : group->first;
		group->last =
		    group->last == TIME_NONE || one->last > group->last ? one->last : group->last;
	}
	group->ranks = group->ranks > 0 ? group->ranks : one->ranks;
	group->command = group->command ? group->command : one->command;
	group->parent = group->parent ? group->parent : one->parent;
	group->host = group->host ? group->host : one->host;
	group->is_ranked &= one->is_ranked;
	group->pid = one->pid;
}

/* Puts files to the group that they fit best, among those from `newest` on (by previous, or all
 * before it), or to a new one. The group's index. */
static uint32_t
place(struct dividing *dividing, struct round *round, uint32_t newest, bool by_series,
      const struct group *one)
{
	uint32_t best = NONE, index = newest;
	const char *reason = NULL;
	double best_score = -1;

	for (unsigned n = 0; index != NONE && n < CANDIDATES; n++) {
		const char *why = misfit(dividing, round, index, one);
		double fit = why ? -1 : score(&round->groups[index], one);
		reason = reason ? reason : why;
		if (!why && fit > best_score) {
			best = index;
			best_score = fit;
		}
		index = by_series ? round->groups[index].previous : index ? index - 1 : NONE;
	}
	if (best == NONE) {
		MEM_GROW(round->groups, round->groups_capacity, (size_t)round->n_groups + 1);
		best = round->n_groups++;
		round->groups[best] = (struct group){.first = TIME_NONE,
		                                     .last = TIME_NONE,
		                                     .apart_ns = one->apart_ns,
		                                     .ranks = -1,
		                                     .is_ranked = true,
		                                     .series = one->series,
		                                     .previous = by_series ? newest : NONE,
		                                     .reason = reason ? reason : one->reason};
	}
	add_to_group(dividing, round, best, one);
	return best;
}

static void
round_init(struct round *round)
{
	*round = (struct round){.claims = intern_new()};
}

static void
round_fini(struct round *round)
{
	for (uint32_t i = 0; i < round->n_groups; i++) {
		free(round->groups[i].files);
	}
	intern_free(round->claims);
	free(round->groups);
	free(round->first_member);
	free(round->members);
}

/* ---- first round: files whose names are alike ---- */

/* "base-#" of "base-3.pfw", where 3 is its rank or process; without such a number all numbers are
 * taken out. */
static uint32_t
series_of(const struct dividing *dividing, const struct plan_file *file)
{
	struct slice name = file->look.job.len ? file->look.job : plain_name(file->path);
	struct strbuf series = {0}, bare = {0};
	int64_t rank = plan_rank_of(dividing, file), number;
	size_t own = SIZE_MAX, own_end = 0;

	for (size_t i = 0, end; i < name.len; i = end) {
		end = i + 1;
		while (is_digit(name.ptr[i]) && end < name.len && is_digit(name.ptr[end])) {
			end++;
		}
		bool is_number = is_digit(name.ptr[i]) &&
		                 slice_int64((struct slice){name.ptr + i, end - i}, &number);
		bool is_own = is_number && number == rank;
		for (unsigned k = 0; is_number && k < file->look.n_processes && !is_own; k++) {
			is_own = file->look.processes[k].pid == number;
		}
		bool is_count =
		    own != SIZE_MAX && i >= 4 && memcmp(name.ptr + i - 4, "-of-", 4) == 0;
		if (is_own && !is_count) {
			own = i;
			own_end = end;
		}
		strbuf_add(&bare, is_digit(name.ptr[i]) ? "#" : name.ptr + i,
		           is_digit(name.ptr[i]) ? 1 : end - i);
	}
	if (file->look.job.len) {
		strbuf_printf(&series, "%c", file->look.begin_ns == TIME_NONE ? ' ' : '@');
		strbuf_add_slice(&series, name);
	} else if (own != SIZE_MAX) {
		strbuf_add_char(&series, '#');
		strbuf_add(&series, name.ptr, own);
		strbuf_add_char(&series, '#');
		strbuf_add(&series, name.ptr + own_end, name.len - own_end);
	} else {
		strbuf_add_char(&series, '*');
		strbuf_add(&series, bare.data, bare.len);
	}
	uint32_t id = intern_id(dividing->series, strbuf_slice(&series));
	strbuf_free(&series);
	strbuf_free(&bare);
	return id;
}

/* Of those named in a common way the text that is common: "base" of "base-#". The group is
 * final. */
static struct slice
label_of(const struct dividing *dividing, const struct group *group)
{
	const char *name = path_name(dividing->planning->files[group->files[0]].path);
	struct slice text = intern_text(dividing->series, group->series);
	struct strbuf label = {0};

	bool is_name =
	    text.len > 0 && (text.ptr[0] == '#' || strncmp(name, text.ptr + 1, text.len - 1) == 0);
	if (!is_name) {
		return (struct slice){0};
	}
	for (size_t i = 1; i < text.len; i++) {
		bool is_number = text.ptr[0] == '#' && text.ptr[i] == '#';
		bool is_dash = strchr("-_.", text.ptr[i]) &&
		               (i + 1 == text.len || text.ptr[i + 1] == '#' || label.len == 0);
		if (!is_number && !(text.ptr[0] == '#' && is_dash)) {
			strbuf_add_char(&label, text.ptr[i]);
		}
	}
	struct slice kept = arena_slice(dividing->planning->arena, strbuf_slice(&label));
	strbuf_free(&label);
	return kept;
}

/* A group of one file. */
static struct group
alone(const struct dividing *dividing, size_t *index)
{
	const struct import_look *look = &dividing->files[*index]->look;
	const struct look_process *process = look->n_processes ? &look->processes[0] : NULL;

	return (struct group){.first = look->begin_ns,
	                      .last = look->begin_ns,
	                      .apart_ns = look->apart_ns ? look->apart_ns : APART_NS,
	                      .ranks = look->ranks,
	                      .command = look->command,
	                      .is_ranked = plan_rank_of(dividing, dividing->files[*index]) >= 0,
	                      .files = index,
	                      .n_files = 1,
	                      .series = series_of(dividing, dividing->files[*index]),
	                      .parent =
	                          process && process->parent > 1 ? (uint64_t)process->parent : 0,
	                      .host = process ? process->host : 0,
	                      .pid = process ? process->pid : 0};
}

static void
first_round(struct dividing *dividing, struct round *round)
{
	uint32_t *newest = NULL;
	size_t capacity = 0;
	uint32_t n_series = 0;

	for (size_t i = 0; i < dividing->n; i++) {
		struct group one = alone(dividing, &i);
		MEM_GROW(newest, capacity, (size_t)one.series + 1);
		while (n_series <= one.series) {
			newest[n_series++] = NONE;
		}
		uint32_t group = place(dividing, round, newest[one.series], true, &one);
		if (newest[one.series] == NONE || group > newest[one.series]) {
			newest[one.series] = group;
		}
	}
	free(newest);
}

/* ---- second round: what was put together, as far as it fits ---- */

static int
compare_groups(const void *a, const void *b)
{
	const struct group *x = *(const struct group *const *)a,
			   *y = *(const struct group *const *)b;
	bool known_x = x->first != TIME_NONE, known_y = y->first != TIME_NONE;

	if (known_x != known_y) {
		return known_x ? -1 : 1;
	}
	ORDER_BY(x->first, y->first);
	return ORDER(x->files[0], y->files[0]);
}

static void
second_round(struct dividing *dividing, const struct round *sets, struct round *jobs)
{
	struct group **sorted = xcalloc((size_t)sets->n_groups + 1, sizeof *sorted);

	for (uint32_t i = 0; i < sets->n_groups; i++) {
		sorted[i] = &sets->groups[i];
	}
	SORT(sorted, sets->n_groups, compare_groups);
	for (uint32_t i = 0; i < sets->n_groups; i++) {
		bool names_job = dividing->files[sorted[i]->files[0]]->look.job.len > 0;
		place(dividing, jobs, names_job || jobs->n_groups == 0 ? NONE : jobs->n_groups - 1,
		      false, sorted[i]);
	}
	free(sorted);
}

/* ---- all of it ---- */

static int
compare_begins(const void *a, const void *b)
{
	const struct plan_file *x = *(const struct plan_file *const *)a,
			       *y = *(const struct plan_file *const *)b;
	int64_t begin_x = x->look.begin_ns, begin_y = y->look.begin_ns;

	if ((begin_x != TIME_NONE) != (begin_y != TIME_NONE)) {
		return begin_x != TIME_NONE ? -1 : 1;
	}
	ORDER_BY(begin_x, begin_y);
	return ORDER(x, y); /* as they were found */
}

static int
compare_sizes(const void *a, const void *b)
{
	size_t x = *(const size_t *)a, y = *(const size_t *)b;

	return ORDER(x, y);
}

static int
compare_first_files(const void *a, const void *b)
{
	return compare_sizes(((const struct group *)a)->files, ((const struct group *)b)->files);
}

/* The old dialects wrote ranks as process ids: 0 is no process's. */
static bool
pids_are_ranks(const struct dividing *dividing)
{
	for (size_t i = 0; i < dividing->n; i++) {
		const struct import_look *look = &dividing->files[i]->look;
		if (look->pids_may_be_ranks && look->n_processes && look->processes[0].pid == 0) {
			return true;
		}
	}
	return false;
}

/* Why the files of a job are one, and those of others beside them are not. Files are by the
 * planning's numbers. */
static const char *
say_job(const struct dividing *dividing, const struct round *jobs, uint32_t index,
        const char *where)
{
	struct planning *planning = dividing->planning;
	const struct group *job = &jobs->groups[index], *other = NULL;
	struct slice name = planning->files[job->files[0]].look.job;

	if (jobs->n_groups == 1) {
		return where;
	}
	if (job->reason) {
		return arena_printf(planning->arena, "%s: %s", where, job->reason);
	}
	for (uint32_t i = 0; i < jobs->n_groups && !other; i++) {
		const struct group *one = &jobs->groups[i];
		bool is_beside = slice_equal(planning->files[one->files[0]].look.job, name);
		other = one->reason && is_beside ? one : NULL;
	}
	return arena_printf(planning->arena, "%s, one of %u jobs in it%s%.*s%s%s%s%s%s", where,
	                    jobs->n_groups, name.len ? " (" : "", (int)name.len,
	                    name.len ? name.ptr : "", name.len ? ")" : "",
	                    other ? "; apart from " : "",
	                    other ? path_name(planning->files[other->files[0]].path) : "",
	                    other ? ": " : "", other ? other->reason : "");
}

/* Jobs in the order in which their first files were found. */
static void
publish(struct dividing *dividing, struct round *jobs, const char *where)
{
	struct planning *planning = dividing->planning;
	for (uint32_t i = 0; i < jobs->n_groups; i++) {
		struct group *job = &jobs->groups[i];
		for (size_t k = 0; k < job->n_files; k++) {
			job->files[k] = (size_t)(dividing->files[job->files[k]] - planning->files);
		}
		SORT(job->files, job->n_files, compare_sizes);
	}
	SORT(jobs->groups, jobs->n_groups, compare_first_files);
	for (uint32_t i = 0; i < jobs->n_groups; i++) {
		const struct group *job = &jobs->groups[i];
		const char *reason = say_job(dividing, jobs, i, where);
		struct run_draft *draft =
		    plan_draft(planning, planning->files[job->files[0]].format, reason);
		draft->label = jobs->n_groups > 1 ? label_of(dividing, job) : (struct slice){"", 0};
		draft->begin_ns = job->first;
		draft->n_jobs = jobs->n_groups;
		for (size_t k = 0; k < job->n_files; k++) {
			plan_draft_add(draft, job->files[k]);
		}
	}
}

void
plan_jobs(struct planning *planning, const size_t *files, size_t n, const char *where)
{
	struct dividing dividing = {.planning = planning, .n = n, .series = intern_new()};
	struct round sets, jobs;

	dividing.files = xcalloc(n + 1, sizeof *dividing.files);
	for (size_t i = 0; i < n; i++) {
		dividing.files[i] = &planning->files[files[i]];
	}
	SORT(dividing.files, n, compare_begins);
	dividing.pids_are_ranks = pids_are_ranks(&dividing);
	round_init(&sets);
	round_init(&jobs);
	first_round(&dividing, &sets);
	second_round(&dividing, &sets, &jobs);
	publish(&dividing, &jobs, where);
	round_fini(&jobs);
	round_fini(&sets);
	intern_free(dividing.series);
	free(dividing.files);
}
