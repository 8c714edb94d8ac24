/*
 * What a job has once: each process, each rank, each part of an experiment. Files that claim the
 * same may still be of one job: two libraries trace one process, and a worker tells the rank of the
 * process that started it. Claims are hashed with the group of files that they are made for.
 */
#include "config.h"
#include "ingest/plan_jobs.h"

#include <inttypes.h>
#include <string.h>

#include "util/format.h"
#include "util/order.h"

enum claim_kind { CLAIM_PROCESS, CLAIM_RANK, CLAIM_PART };

/* What a job has once. */
struct claim {
	enum claim_kind kind;
	uint32_t group;
	uint64_t a, b; /* host and process id; rank; part */
};

/* ---- what files say of each other ---- */

int64_t
plan_rank_of(const struct dividing *dividing, const struct plan_file *file)
{
	if (file->look.rank < 0 && dividing->pids_are_ranks && file->look.pids_may_be_ranks &&
	    file->look.n_processes > 0) {
		return file->look.processes[0].pid;
	}
	return file->look.rank;
}

/* Walks through the first records of two files that are of one identity: how many say other things,
 * and how many the same. */
static void
compare_records(const struct plan_file *a, const struct plan_file *b, unsigned *n_others,
                unsigned *n_same)
{
	const struct import_look *x = &a->look, *y = &b->look;

	*n_others = *n_same = 0;
	for (unsigned i = 0, k = 0; i < x->n_records && k < y->n_records;) {
		const struct look_record *one = &x->records[i], *other = &y->records[k];
		*n_others += one->identity == other->identity && one->content != other->content;
		*n_same += one->identity == other->identity && one->content == other->content;
		i += one->identity <= other->identity;
		k += other->identity <= one->identity;
	}
}

/* Do they tell the same, and nothing tells it apart when it is read? */
static bool
is_uncountable(const struct plan_file *a, const struct plan_file *b, unsigned n_same)
{
	unsigned n = LEAST(a->look.n_records, b->look.n_records);

	return a->look.records_lack_ids && b->look.records_lack_ids && n > 0 && n_same * 2 > n;
}

/* Did a process of one start a process of the other, or have they one in common? */
static bool
is_related(const struct plan_file *a, const struct plan_file *b)
{
	for (unsigned i = 0; i < a->look.n_processes; i++) {
		const struct look_process *x = &a->look.processes[i];
		for (unsigned k = 0; k < b->look.n_processes; k++) {
			const struct look_process *y = &b->look.processes[k];
			if (x->host == y->host &&
			    (x->pid == y->pid || x->parent == y->pid || y->parent == x->pid)) {
				return true;
			}
		}
	}
	return false;
}

/* NULL: they may be of one job. */
static const char *
contradict_process(struct dividing *dividing, const struct claim_member *member,
                   const struct look_process *process, const struct plan_file *file)
{
	const struct plan_file *other = dividing->files[member->file];
	struct arena *arena = dividing->planning->arena;
	int64_t between = plan_apart(file->look.begin_ns, other->look.begin_ns);
	char number[FORMAT_BYTES];

	if (process->start && member->process->start && process->start != member->process->start) {
		return arena_printf(arena, "process %" PRId64 " again with another start",
		                    process->pid);
	}
	if (!(process->start && member->process->start) && between > APART_NS) {
		return arena_printf(arena, "process %" PRId64 " again, begun %s apart",
		                    process->pid, format_duration(number, between));
	}
	bool is_same_writer =
	    (process->start && member->process->start) || (file->look.kinds & other->look.kinds);
	unsigned n_others, n_same;
	compare_records(file, other, &n_others, &n_same);
	if (is_same_writer && n_others > 0) {
		return arena_printf(arena, "process %" PRId64 " again with other records",
		                    process->pid);
	}
	return is_uncountable(file, other, n_same)
	           ? arena_printf(
			 arena,
			 "process %" PRId64
			 ": the same records again, which have no ids to count them once by",
			 process->pid)
	           : NULL;
}

static const char *
contradict(struct dividing *dividing, const struct claim_member *member, const struct claim *claim,
           const struct look_process *process, const struct plan_file *file)
{
	const struct plan_file *other = dividing->files[member->file];
	struct arena *arena = dividing->planning->arena;

	switch (claim->kind) {
	case CLAIM_PROCESS:
		return contradict_process(dividing, member, process, file);
	case CLAIM_RANK:
		return is_related(file, other)
		           ? NULL
		           : arena_printf(arena, "rank %" PRId64 " again with another start",
		                          (int64_t)claim->a);
	case CLAIM_PART:
		break;
	}
	return arena_printf(arena, "%s again", file->look.label);
}

/* ---- claims ---- */

struct claims {
	const struct look_process *process; /* of the claim at hand */
	struct claim claim;
	unsigned next;
};

/* The claims of a file, one after the other. */
static bool
next_claim(const struct dividing *dividing, const struct plan_file *file, struct claims *claims)
{
	const struct import_look *look = &file->look;
	uint32_t group = claims->claim.group;

	memset(&claims->claim, 0, sizeof claims->claim); /* compared as bytes */
	claims->claim.group = group;
	claims->process = NULL;
	for (;;) {
		unsigned n = claims->next++;
		if (n < look->n_processes) {
			claims->process = &look->processes[n];
			claims->claim.kind = CLAIM_PROCESS;
			claims->claim.a = claims->process->host;
			claims->claim.b = (uint64_t)claims->process->pid;
			return true;
		}
		n -= look->n_processes;
		claims->process = NULL;
		if (n == 0 && plan_rank_of(dividing, file) >= 0) {
			claims->claim.kind = CLAIM_RANK;
			claims->claim.a = (uint64_t)plan_rank_of(dividing, file);
			return true;
		}
		if (n == 1 && look->part) {
			claims->claim.kind = CLAIM_PART;
			claims->claim.a = look->part;
			return true;
		}
		if (n > 1) {
			return false;
		}
	}
}

static struct slice
claim_key(const struct claim *claim)
{
	return (struct slice){(const char *)claim, sizeof *claim};
}

void
plan_claim(const struct dividing *dividing, struct round *round, uint32_t group, size_t file)
{
	struct claims claims = {.claim.group = group};

	while (next_claim(dividing, dividing->files[file], &claims)) {
		uint32_t n = intern_count(round->claims);
		uint32_t id = intern_id(round->claims, claim_key(&claims.claim));
		MEM_GROW(round->first_member, round->first_capacity, (size_t)id + 1);
		if (id == n) {
			round->first_member[id] = NONE;
		}
		MEM_GROW(round->members, round->members_capacity, (size_t)round->n_members + 1);
		round->members[round->n_members] =
		    (struct claim_member){file, claims.process, round->first_member[id]};
		round->first_member[id] = round->n_members++;
	}
}

const char *
plan_contradiction(struct dividing *dividing, const struct round *round, uint32_t group,
                   size_t index)
{
	const struct plan_file *file = dividing->files[index];
	struct claims claims = {.claim.group = group};
	const char *reason = NULL;

	while (!reason && next_claim(dividing, file, &claims)) {
		uint32_t id = intern_find(round->claims, claim_key(&claims.claim));
		uint32_t i = id == INTERN_NONE ? NONE : round->first_member[id];
		for (; i != NONE && !reason; i = round->members[i].next) {
			reason = contradict(dividing, &round->members[i], &claims.claim,
			                    claims.process, file);
		}
	}
	return reason;
}

bool
plan_descends(const struct dividing *dividing, const struct round *round, uint32_t group,
              size_t index)
{
	const struct import_look *look = &dividing->files[index]->look;

	for (unsigned i = 0; i < look->n_processes; i++) {
		struct claim claim;
		memset(&claim, 0, sizeof claim);
		claim.kind = CLAIM_PROCESS;
		claim.group = group;
		claim.a = look->processes[i].host;
		claim.b = (uint64_t)look->processes[i].parent;
		if (look->processes[i].parent > 1 &&
		    intern_find(round->claims, claim_key(&claim)) != INTERN_NONE) {
			return true;
		}
	}
	return false;
}
