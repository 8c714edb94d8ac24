/*
 * What each source says about processes, hosts and ranks, and what is missing when all sources of a
 * run are looked at together: studies have been misled by half of the trace files not being there.
 *
 * A rank is known from a process's own record (PR rank), from a file name trace-RANK-of-RANKS, or,
 * where the tracer wrote ranks in place of process ids (as the old dialects did under DLIO), from
 * those. A process that wrote a start record and no end record died, or its file was cut.
 */
#include "config.h"
#include "import/import_dftracer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/order.h"

#define ENDLESS_LISTED 100u
#define RANKS_LIMIT INT64_C(16777216) /* of a file name or record: more is not believed */
/* Process ids are taken for ranks up to this many times their number. */
#define RANK_SPREAD 2
#define RANK_SLACK 16

void
dftracer_ranks_of_name(const char *path, int64_t *rank, int64_t *ranks)
{
	const char *name = path_name(path);
	int end = 0;

	*rank = *ranks = -1;
	if (!name ||
	    sscanf(name, "trace-%9" SCNd64 "-of-%9" SCNd64 ".pfw%n", rank, ranks, &end) != 2 ||
	    end == 0 || *rank < 0 || *ranks <= *rank) {
		*rank = *ranks = -1;
	}
}

struct dftracer_facts *
dftracer_facts_new(const char *path)
{
	struct dftracer_facts *facts = xcalloc(1, sizeof *facts);

	facts->texts = intern_new();
	facts->process_keys = intern_new();
	dftracer_ranks_of_name(path, &facts->file_rank, &facts->file_ranks);
	return facts;
}

void
dftracer_facts_free(void *data)
{
	struct dftracer_facts *facts = data;

	if (facts) {
		intern_free(facts->texts);
		intern_free(facts->process_keys);
		dftracer_forget_ids(facts);
		free(facts->processes);
		free(facts->host_names);
		free(facts->ranks);
		free(facts);
	}
}

struct dftracer_process *
dftracer_facts_process(struct dftracer_facts *facts, struct slice host, bool host_is_hash,
                       int64_t pid)
{
	struct {
		int64_t pid;
		uint32_t host, is_hash;
	} key = {pid, INTERN_NONE, host_is_hash};

	if (host.ptr) {
		key.host = intern_id(facts->texts, host);
	}
	uint32_t id =
	    intern_id(facts->process_keys, (struct slice){(const char *)&key, sizeof key});
	if (id == facts->n_processes) {
		MEM_GROW(facts->processes, facts->processes_capacity, (size_t)id + 1);
		facts->processes[facts->n_processes++] = (struct dftracer_process){
		    .pid = pid, .host = key.host, .host_is_hash = host_is_hash && host.ptr};
	}
	return &facts->processes[id];
}

void
dftracer_facts_host_name(struct dftracer_facts *facts, struct slice hash, struct slice name)
{
	uint32_t id = intern_id(facts->texts, hash), name_id = intern_id(facts->texts, name);

	if (id >= facts->host_names_capacity) {
		MEM_GROW(facts->host_names, facts->host_names_capacity, (size_t)id + 1);
	}
	while (facts->n_host_names <= id) {
		facts->host_names[facts->n_host_names++] = INTERN_NONE;
	}
	if (facts->host_names[id] == INTERN_NONE) {
		facts->host_names[id] = name_id;
	}
}

void
dftracer_facts_rank(struct dftracer_facts *facts, int64_t rank)
{
	if (rank >= RANKS_LIMIT) {
		return;
	}
	MEM_GROW(facts->ranks, facts->ranks_capacity, facts->n_ranks + 1);
	facts->ranks[facts->n_ranks++] = rank;
}

const char *
dftracer_facts_dialect(const struct dftracer_facts *facts)
{
	uint32_t marks = facts->marks;

	if (!facts->any_record) {
		return "empty";
	}
	if (marks & MARK_NUMERIC_PH) {
		return "v2";
	}
	if (marks & MARK_PH_H) {
		return "H";
	}
	if (marks & MARK_HEX_HASH) {
		return "hex";
	}
	if (marks & MARK_WIDE_HASH) {
		return "new";
	}
	if (marks & MARK_SHORT_HASH) {
		return "16-bit";
	}
	if (marks & MARK_QUOTED_PID) {
		return "old";
	}
	return marks & MARK_ID ? "new" : "v0";
}

/* ---- over all sources ---- */

/* A process of the run: the same (host, pid) may write several files. */
struct run_process {
	struct slice host; /* ptr NULL: unknown */
	int64_t pid;
	bool started, ended;
	bool has_grid;
	int64_t sums_start_ns;
	uint64_t n_sums; /* records for many calls */
};

static struct slice
host_name(const struct dftracer_facts *facts, uint32_t host)
{
	return host < facts->n_host_names && facts->host_names[host] != INTERN_NONE
	           ? intern_text(facts->texts, facts->host_names[host])
	           : (struct slice){0};
}

/* What hashes stand for, as the first source that tells it says. */
struct host_names {
	struct intern *hashes;
	struct slice *names;
	size_t capacity;
};

static void
host_names_collect(struct host_names *known, void *const *facts, size_t n_facts)
{
	*known = (struct host_names){.hashes = intern_new()};
	for (size_t i = 0; i < n_facts; i++) {
		const struct dftracer_facts *source = facts[i];
		for (uint32_t host = 0; source && host < source->n_host_names; host++) {
			struct slice name = host_name(source, host);
			uint32_t n = intern_count(known->hashes);
			if (name.ptr &&
			    intern_id(known->hashes, intern_text(source->texts, host)) == n) {
				MEM_GROW(known->names, known->capacity, (size_t)n + 1);
				known->names[n] = name;
			}
		}
	}
}

/* A hash is looked up in its own source, then in the others, as the texts of records are. */
static struct slice
process_host(const struct host_names *known, const struct dftracer_facts *source,
             const struct dftracer_process *process)
{
	struct slice name = {0};

	if (process->host == INTERN_NONE) {
		return name;
	}
	struct slice text = intern_text(source->texts, process->host);
	if (!process->host_is_hash) {
		return text;
	}
	name = host_name(source, process->host);
	if (name.ptr) {
		return name;
	}
	uint32_t id = intern_find(known->hashes, text);
	return id != INTERN_NONE ? known->names[id] : text;
}

static int
compare_processes(const void *a, const void *b)
{
	const struct run_process *x = a, *y = b;
	int order = slice_compare(x->host, y->host);

	return order ? order : ORDER(x->pid, y->pid);
}

static void
unite(struct run_process *process, const struct run_process *other)
{
	process->started |= other->started;
	process->ended |= other->ended;
	process->has_grid |= other->has_grid || (process->n_sums > 0 && other->n_sums > 0 &&
	                                         process->sums_start_ns != other->sums_start_ns);
	process->sums_start_ns =
	    process->n_sums > 0 ? process->sums_start_ns : other->sums_start_ns;
	process->n_sums += other->n_sums;
}

/* All processes, sorted by host and pid, each once. */
static struct run_process *
collect_processes(void *const *facts, size_t n_facts, size_t *n)
{
	struct run_process *all = NULL;
	size_t count = 0, capacity = 0, kept = 0;
	struct host_names known;

	host_names_collect(&known, facts, n_facts);
	for (size_t i = 0; i < n_facts; i++) {
		const struct dftracer_facts *source = facts[i];
		for (size_t k = 0; source && k < source->n_processes; k++) {
			const struct dftracer_process *process = &source->processes[k];
			MEM_GROW(all, capacity, count + 1);
			all[count++] = (struct run_process){process_host(&known, source, process),
			                                    process->pid,
			                                    process->started,
			                                    process->ended,
			                                    process->has_grid,
			                                    process->sums_start_ns,
			                                    process->n_sums};
		}
	}
	intern_free(known.hashes);
	free(known.names);
	SORT(all, count, compare_processes);
	for (size_t i = 0; i < count; i++) {
		if (kept && compare_processes(&all[kept - 1], &all[i]) == 0) {
			unite(&all[kept - 1], &all[i]);
		} else {
			all[kept++] = all[i];
		}
	}
	*n = kept;
	return all;
}

static int
report(struct sink *sink, const char *reason)
{
	struct problem problem = {.kind = PROBLEM_MISSING, .reason = reason};

	return sink_problem(sink, &problem);
}

static int
report_endless(const struct run_process *processes, size_t n, struct sink *sink)
{
	size_t endless = 0;
	int stop = 0;
	char reason[512];

	for (size_t i = 0; i < n && stop == 0; i++) {
		const struct run_process *process = &processes[i];
		if (!process->started || process->ended || ++endless > ENDLESS_LISTED) {
			continue;
		}
		int host_len = process->host.len < 200 ? (int)process->host.len : 200;
		snprintf(reason, sizeof reason,
		         "process %" PRId64
		         "%s%.*s wrote no end record: it died or its trace is cut",
		         process->pid, host_len ? " on " : "", host_len,
		         host_len ? process->host.ptr : "");
		stop = report(sink, reason);
	}
	if (endless > ENDLESS_LISTED && stop == 0) {
		snprintf(reason, sizeof reason, "%zu more processes wrote no end record",
		         endless - ENDLESS_LISTED);
		stop = report(sink, reason);
	}
	return stop;
}

/* Processes all of whose records for many calls begin at one time: nothing says how long their
 * interval is. */
static int
report_intervals(const struct run_process *processes, size_t n, struct sink *sink)
{
	const struct run_process *first = NULL;
	uint64_t n_processes = 0, n_records = 0;
	struct strbuf reason = {0};

	for (size_t i = 0; i < n; i++) {
		if (processes[i].n_sums > 0 && !processes[i].has_grid) {
			first = first ? first : &processes[i];
			n_processes++;
			n_records += processes[i].n_sums;
		}
	}
	if (!first) {
		return 0;
	}
	strbuf_printf(&reason, "the reporting interval of process %" PRId64, first->pid);
	if (first->host.len) {
		strbuf_add_text(&reason, " on ");
		strbuf_add_slice(&reason, first->host);
	}
	if (n_processes > 1) {
		strbuf_printf(&reason, " and %" PRIu64 " more", n_processes - 1);
	}
	strbuf_printf(&reason,
	              " is not known (all records for many calls begin at one time): the length of "
	              "%" PRIu64 " record%s is a guess, and busy times, bandwidths and the run's "
	              "length are no bounds",
	              n_records, n_records == 1 ? "" : "s");
	int stop = import_tell(sink, &(struct problem){.kind = PROBLEM_SUSPICIOUS}, &reason);
	return stop ? stop : import_tag_count(sink, "records of unknown interval", n_records);
}

struct ranks {
	int64_t *ranks; /* sorted, each once */
	size_t n, capacity;
	int64_t expected; /* 0 .. expected-1 should be there */
	const char *evidence;
};

static void
ranks_add(struct ranks *ranks, int64_t rank)
{
	MEM_GROW(ranks->ranks, ranks->capacity, ranks->n + 1);
	ranks->ranks[ranks->n++] = rank;
}

/* Process ids that can only be ranks, or nearly so: 0 is no process's id, and ranks lie densely. */
static bool
pids_are_ranks(const struct run_process *processes, size_t n)
{
	int64_t min = INT64_MAX, max = INT64_MIN;

	for (size_t i = 0; i < n; i++) {
		min = LEAST(processes[i].pid, min);
		max = MOST(processes[i].pid, max);
	}
	return n && min >= 0 && max < RANKS_LIMIT &&
	       (min == 0 || (n > 1 && (size_t)max < RANK_SPREAD * n + RANK_SLACK));
}

static bool
wrote_old_dialect(void *const *facts, size_t n_facts)
{
	for (size_t i = 0; i < n_facts; i++) {
		const struct dftracer_facts *source = facts[i];
		const char *dialect = source ? dftracer_facts_dialect(source) : "old";
		if (source && source->any_record && strcmp(dialect, "old") != 0 &&
		    strcmp(dialect, "v0") != 0) {
			return false;
		}
	}
	return true;
}

static void
collect_ranks(void *const *facts, size_t n_facts, const struct run_process *processes,
              size_t n_processes, struct ranks *ranks)
{
	size_t kept = 0;

	for (size_t i = 0; i < n_facts; i++) {
		const struct dftracer_facts *source = facts[i];
		for (size_t k = 0; source && k < source->n_ranks; k++) {
			ranks_add(ranks, source->ranks[k]);
		}
	}
	ranks->evidence = "by their PR records";
	if (ranks->n == 0) {
		ranks->evidence = "by the file names";
		for (size_t i = 0; i < n_facts; i++) {
			const struct dftracer_facts *source = facts[i];
			if (source && source->file_rank >= 0) {
				ranks_add(ranks, source->file_rank);
			}
		}
	}
	if (ranks->n == 0 && wrote_old_dialect(facts, n_facts) &&
	    pids_are_ranks(processes, n_processes)) {
		ranks->evidence = "by the process numbers";
		for (size_t i = 0; i < n_processes; i++) {
			ranks_add(ranks, processes[i].pid);
		}
	}
	SORT(ranks->ranks, ranks->n, import_compare_times);
	for (size_t i = 0; i < ranks->n; i++) {
		if (kept == 0 || ranks->ranks[kept - 1] != ranks->ranks[i]) {
			ranks->ranks[kept++] = ranks->ranks[i];
		}
	}
	ranks->n = kept;
	ranks->expected = kept ? ranks->ranks[kept - 1] + 1 : 0;
	for (size_t i = 0; i < n_facts; i++) {
		const struct dftracer_facts *source = facts[i];
		if (source && source->file_ranks > ranks->expected) {
			ranks->expected = source->file_ranks;
		}
	}
}

#define RANGES_SHOWN 20u

/* "0-5, 9": the gaps in the ranks. */
static void
add_missing(struct strbuf *out, const struct ranks *ranks)
{
	int64_t next = 0;
	unsigned shown = 0;

	for (size_t i = 0; i <= ranks->n; i++) {
		int64_t here = i < ranks->n ? ranks->ranks[i] : ranks->expected;
		if (here > next && ++shown > RANGES_SHOWN) {
			strbuf_add_text(out, ", ...");
			return;
		}
		if (here > next) {
			strbuf_add_text(out, shown > 1 ? ", " : "");
			strbuf_printf(out, here - 1 > next ? "%" PRId64 "-%" PRId64 : "%" PRId64,
			              next, here - 1);
		}
		next = here + 1;
	}
}

static int
report_ranks(const struct ranks *ranks, struct sink *sink)
{
	struct strbuf reason = {0};
	int stop = 0;

	if (ranks->expected > (int64_t)ranks->n) {
		int64_t missing = ranks->expected - (int64_t)ranks->n;
		strbuf_printf(&reason,
		              "%" PRId64 " of %" PRId64 " ranks (%s) %s no trace: ", missing,
		              ranks->expected, ranks->evidence, missing == 1 ? "has" : "have");
		add_missing(&reason, ranks);
		stop = report(sink, reason.data);
	}
	strbuf_free(&reason);
	return stop;
}

static size_t
count_hosts(const struct run_process *processes, size_t n)
{
	size_t hosts = 0;

	for (size_t i = 0; i < n; i++) {
		hosts += processes[i].host.ptr &&
		         (i == 0 || !slice_equal(processes[i - 1].host, processes[i].host));
	}
	return hosts;
}

/* Files that still lack the bracket which the tracer writes when it ends; the newest dialect has
 * none. */
static size_t
count_open_files(void *const *facts, size_t n_facts)
{
	size_t open = 0;

	for (size_t i = 0; i < n_facts; i++) {
		const struct dftracer_facts *source = facts[i];
		open += source && source->any_record && !source->closed &&
		        strcmp(dftracer_facts_dialect(source), "v2") != 0;
	}
	return open;
}

void
dftracer_conclude(void *const *facts, size_t n_facts, struct sink *sink)
{
	size_t n = 0;
	struct run_process *processes = collect_processes(facts, n_facts, &n);
	struct ranks ranks = {0};

	collect_ranks(facts, n_facts, processes, n, &ranks);
	size_t open = count_open_files(facts, n_facts);
	if (import_tag_count(sink, "hosts", count_hosts(processes, n)) == 0 &&
	    import_tag_count(sink, "processes", n) == 0 &&
	    (ranks.n == 0 || import_tag_count(sink, "ranks", ranks.n) == 0) &&
	    (open == 0 || import_tag_count(sink, "files not closed by the tracer", open) == 0) &&
	    report_ranks(&ranks, sink) == 0 &&
	    dftracer_report_restarts(facts, n_facts, sink) == 0 &&
	    report_intervals(processes, n, sink) == 0) {
		(void)report_endless(processes, n, sink); /* nobody is left to tell of a stop */
	}
	free(ranks.ranks);
	free(processes);
}
