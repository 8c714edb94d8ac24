/*
 * Part stages: the time of tasks and transfers by the stage of their life and by kind.
 *
 * A life is a chain of instants (planned, enqueued, started ...); a stage is the time between two
 * neighbours, so the stages of one life add up to its length by construction. Which instants a
 * trace records depends on the version of what wrote it: only those that both runs record divide
 * the time, else a stage of one run would stand against a longer one of the other. Where a single
 * life lacks one of them, the time across the hole belongs to no stage, and has the row
 * "(missing)"; a life without an end is known up to its last instant, and has the row
 * "(unfinished)".
 *
 * It is no saved query, which is asked of each run alone: what one run lacks divides the other
 * differently, and a stage is from whichever instant before it is left.
 */
#include "config.h"
#include "explain/parts/parts.h"

#include <stdlib.h>
#include <string.h>

#include "query/saved/list.h"
#include "util/format.h"
#include "util/intervals.h"

#define INSTANTS_MAX 8

/* A kind of life: how it is read, and its stages by the instant that ends them. */
struct life {
	const char *name;
	const char *counts; /* how many have each instant */
	const char *sql;    /* kind, name, the instants, of all */
	size_t n;
	const char *instants[INSTANTS_MAX];
	const char *stages[INSTANTS_MAX]; /* from the instant before; [0] unused */
};

static const struct life lives[] = {
    {"task",
     "SELECT count(planned), count(enqueued), count(started), count(loaded), count(computed), "
     "count(published), count(coalesce(completed, finished)) FROM task",
     "SELECT k.text, n.text, planned, enqueued, started, loaded, computed, published, "
     "coalesce(completed, finished) FROM task LEFT JOIN string k ON k.id = task.kind "
     "JOIN string n ON n.id = task.name ORDER BY task.id",
     7,
     {"planned", "enqueued", "started", "loaded", "computed", "published", "finished"},
     {NULL, "communication", "queue", "load", "run", "publish", "report"}},
    {"transfer",
     "SELECT count(planned), count(started), count(loaded), count(received), count(unloaded), "
     "count(coalesce(completed, finished)) FROM transfer",
     "SELECT m.text, n.text, planned, started, loaded, received, unloaded, "
     "coalesce(completed, finished) FROM transfer LEFT JOIN string m ON m.id = transfer.mode "
     "JOIN string n ON n.id = transfer.name ORDER BY transfer.id",
     6,
     {"planned", "started", "loaded", "received", "unloaded", "finished"},
     {NULL, "communication", "load", "transmit", "unload", "report"}},
};
enum { TASK, TRANSFER, LIVES };

/* Which instants at least one life of a run has. */
struct recorded {
	bool has[INSTANTS_MAX];
};

static int
find_recorded(struct store *store, const struct life *life, struct recorded *recorded,
              struct err *err)
{
	struct stmt *stmt = store_prepare(store, life->counts, err);
	int more = stmt ? stmt_step(stmt, err) : -1;
	for (size_t i = 0; more > 0 && i < life->n; i++) {
		recorded->has[i] = stmt_integer(stmt, (int)i) > 0;
	}
	stmt_free(stmt);
	return more < 0 ? -1 : 0;
}

/* The instants that divide the lives of both runs; a run without lives has no say. */
struct stage_chain {
	const struct life *life;
	size_t n, at[INSTANTS_MAX];
	const char *stages[INSTANTS_MAX];
};

static bool
has_any(const struct recorded *recorded)
{
	return memchr(recorded->has, 1, sizeof recorded->has) != NULL;
}

/* What the time up to an instant is called. Where nothing tells loading, computing and publishing
 * apart, all of it is the run; where nothing tells when a transfer arrived, it is the transfer
 * until its end. */
static const char *
stage_name(const struct stage_chain *chain, size_t instant)
{
	const struct life *life = chain->life;
	bool ends = instant + 1 == life->n;
	const char *middle = life == &lives[TASK] ? "computed" : "received";
	for (size_t i = 0; ends && i < chain->n; i++) {
		ends = strcmp(life->instants[chain->at[i]], middle) != 0;
	}
	if (ends) {
		return life == &lives[TASK] ? "run" : "transmit";
	}
	return life->stages[instant];
}

static void
make_chain(struct stage_chain *chain, const struct life *life, const struct recorded *a,
           const struct recorded *b, struct result *notes)
{
	bool both = has_any(a) && has_any(b);
	*chain = (struct stage_chain){.life = life};
	for (size_t i = 0; i < life->n; i++) {
		if (both ? a->has[i] && b->has[i] : a->has[i] || b->has[i]) {
			chain->at[chain->n++] = i;
		} else if (both && (a->has[i] || b->has[i])) {
			result_add_note(
			    notes, "%s times \"%s\" are recorded in %s only: they divide nothing",
			    life->name, life->instants[i], a->has[i] ? "a" : "b");
		}
	}
	for (size_t i = 1; i < chain->n; i++) {
		chain->stages[i] = stage_name(chain, chain->at[i]);
	}
}

struct stage_tally {
	struct explain_rows *rows, *stages; /* as asked for; by stage alone, for the note */
	size_t n_labels, places[3];         /* of what the rows are by: stage, kind, what */
	int64_t totals_ns[2];
	bool is_b;
};

static void
add_stage(struct stage_tally *tally, const char *what, const char *stage, const char *kind,
          int64_t time_ns)
{
	const char *parts[3] = {stage, kind, what}, *labels[3];
	for (size_t i = 0; i < tally->n_labels; i++) {
		labels[i] = parts[tally->places[i]];
	}
	if (time_ns != 0) {
		int64_t a = tally->is_b ? 0 : time_ns, b = tally->is_b ? time_ns : 0;
		explain_rows_add(tally->rows, labels, a, b);
		explain_rows_add(tally->stages, &stage, a, b);
	}
}

/* One life, its instants as columns of the statement. Returns its length. */
static int64_t
add_life(struct stage_tally *tally, const struct stage_chain *chain, struct stmt *stmt,
         const char *kind)
{
	const char *what = chain->life->name;
	size_t n_known = 0, last = 0;
	int64_t first_ns = 0, last_ns = 0;
	bool ended = chain->n && stmt_type(stmt, (int)chain->at[chain->n - 1] + 2) == VALUE_INTEGER;
	for (size_t i = 0; i < chain->n; i++) {
		int column = (int)chain->at[i] + 2;
		if (stmt_type(stmt, column) != VALUE_INTEGER) {
			continue;
		}
		int64_t at_ns = stmt_integer(stmt, column);
		if (n_known++ == 0) {
			first_ns = at_ns;
		} else if (ended) {
			const char *stage = last + 1 == i ? chain->stages[i] : "(missing)";
			add_stage(tally, what, stage, kind, time_sub(at_ns, last_ns));
		}
		last = i;
		last_ns = at_ns;
	}
	if (!ended && n_known) {
		add_stage(tally, what, "(unfinished)", kind, time_sub(last_ns, first_ns));
	}
	return n_known ? time_sub(last_ns, first_ns) : 0;
}

/* A task's kind, else its name without what differs between tasks of a kind; "-" for none. Lent
 * until the next call. */
static const char *
kind_of(struct stmt *stmt, struct strbuf *scratch)
{
	strbuf_clear(scratch);
	schedule_kind(scratch, stmt_text(stmt, 0), stmt_text(stmt, 1)); /* NULL: empty */
	return scratch->len ? scratch->data : "-";
}

static int
add_run(struct stage_tally *tally, struct store *store, const struct stage_chain *chain,
        struct err *err)
{
	int64_t *total_ns = &tally->totals_ns[tally->is_b];
	struct strbuf kind = {0};
	struct stmt *stmt = store_prepare(store, chain->life->sql, err);
	int more = 1;
	while (more > 0 && (more = stmt_step(stmt, err)) > 0) {
		const char *name = kind_of(stmt, &kind);
		time_raise(total_ns, add_life(tally, chain, stmt, name));
	}
	stmt_free(stmt);
	strbuf_free(&kind);
	return more;
}

static int
add_lives(struct explain *explain, const struct life *life, struct stage_tally *tally,
          struct result *notes, struct err *err)
{
	struct recorded recorded[2] = {{{false}}, {{false}}};
	struct store *stores[2] = {explain->a[0].store, explain->b[0].store};
	struct stage_chain chain = {0};
	int rc = 0;
	/* First what is recorded in either run, then by that. */
	for (unsigned pass = 0; rc == 0 && pass < 4; pass++) {
		unsigned side = pass % 2;
		if (pass == 2) {
			make_chain(&chain, life, &recorded[0], &recorded[1], notes);
		}
		tally->is_b = side == 1;
		store_set_cancel(stores[side], explain->cancel);
		rc = pass < 2 ? find_recorded(stores[side], life, &recorded[side], err)
		              : add_run(tally, stores[side], &chain, err);
		store_set_cancel(stores[side], NULL);
	}
	return rc;
}

/* "run +9.720 s (94.7 %), queue ..." over all kinds, in the order of the largest. */
static void
note_stages(struct result *result, const struct result *stages, const char *of)
{
	struct strbuf note = {0};
	char time[FORMAT_BYTES], share[FORMAT_BYTES];
	size_t n = stages->n_columns;
	for (size_t r = 0; r < stages->n_rows; r++) {
		struct value *row = result_value(stages, r, 0);
		bool is_sum = slice_is(row[0].text, "sum");
		if (row[n - 2].type != VALUE_INTEGER ||
		    (!is_sum && (row[n - 2].integer == 0 || row[n - 1].type != VALUE_REAL))) {
			continue;
		}
		const char *sign = row[n - 2].integer > 0 ? "+" : "";
		format_duration(time, row[n - 2].integer);
		if (is_sum) {
			result_add_note(result, "%s time %s%s%s%s", of, sign, time,
			                note.len ? ": " : "", note.len ? note.data : "");
		} else {
			format_percent(share, row[n - 1].real);
			strbuf_printf(&note, "%s%.*s %s%s (%s)", note.len ? ", " : "",
			              (int)row[0].text.len, row[0].text.ptr, sign, time, share);
		}
	}
	strbuf_free(&note);
}

/* What rows are by, as asked for; with tasks and transfers together, also by which of them. */
static int
choose_labels(struct stage_tally *tally, const char *by, bool both, struct err *err)
{
	static const char *const names[] = {"stage", "kind", "of"};
	const char *labels[3];
	size_t n = 0, n_before;
	if (both) {
		tally->places[n] = 2;
		labels[n++] = names[2];
	}
	n_before = n;
	for (struct slice rest = slice_of(by), item; list_next(&rest, &item);) {
		size_t i = 0;
		while (i < 2 && !slice_is(item, names[i])) {
			i++;
		}
		if (i == 2 || n == n_before + 2) {
			return err_set(err, ERR_USAGE,
			               "part stages: by=%s: not stage, kind or stage,kind", by);
		}
		tally->places[n] = i;
		labels[n++] = names[i];
	}
	if (n == n_before) {
		return err_set(err, ERR_USAGE, "part stages: by=: not stage, kind or stage,kind");
	}
	tally->n_labels = n;
	tally->rows = explain_rows_new(labels, n);
	tally->stages = explain_rows_new(names, 1);
	return 0;
}

enum { PARAM_OF, PARAM_BY, PARAM_FOLD };

static struct result *
compute(struct explain *explain, const char *const *arguments, struct err *err)
{
	static const char *const choices[] = {"task", "transfer", "both"};
	const char *of = arguments[PARAM_OF];
	struct stage_tally tally = {.rows = NULL};
	struct result *result = NULL, *notes = result_new(NULL, NULL, 0);

	size_t choice = NAME_FIND(slice_of(of), choices);
	if (choice == COUNT_OF(choices)) {
		err_set(err, ERR_USAGE, "part stages: of=%s: not task, transfer or both", of);
		goto out;
	}
	if (choose_labels(&tally, arguments[PARAM_BY], choice == 2, err)) {
		goto out;
	}
	for (size_t i = 0; i < LIVES; i++) {
		if ((choice == i || choice == 2) &&
		    add_lives(explain, &lives[i], &tally, notes, err)) {
			goto out;
		}
	}
	int64_t a = tally.totals_ns[0], b = tally.totals_ns[1];
	bool is_short = !strstr(arguments[PARAM_BY], "kind"); /* stages are few: none is folded */
	result = explain_rows_finish(tally.rows, explain, "Task and transfer time by stage", a, b,
	                             is_short ? 0 : explain_share(arguments[PARAM_FOLD]));
	tally.rows = NULL;
	for (size_t i = 0; i < notes->n_notes; i++) {
		result_add_note(result, "%s", notes->notes[i]);
	}
	struct result *stages = explain_rows_finish(tally.stages, explain, NULL, a, b, 0);
	tally.stages = NULL;
	note_stages(result, stages, choice == 2 ? "task and transfer" : of);
	result_free(stages);
out:
	explain_rows_free(tally.rows);
	explain_rows_free(tally.stages);
	result_free(notes);
	return result;
}

static const struct query_param params[] = {
    {"of", "task", "whose time: task, transfer, both", KIND_TEXT, NULL},
    {"by", "stage,kind", "rows: stage,kind, kind,stage, stage or kind", KIND_TEXT, NULL},
    EXPLAIN_FOLD,
};

static const char *
why_not(const struct explain *explain)
{
	const struct run_info *a = store_run(explain->a[0].store);
	const struct run_info *b = store_run(explain->b[0].store);
	return a->n_tasks + a->n_transfers > 0 && b->n_tasks + b->n_transfers > 0
	           ? NULL
	           : "both must have tasks or transfers";
}

const struct explain_part explain_stages = {
    .name = "stages",
    .title = "Task and transfer time by stage",
    .about = "The difference of the total time of tasks (of=transfer: of transfers; of=both), by "
	     "stage of their life and "
	     "kind. A stage is the time between two recorded instants: communication (planned to "
	     "enqueued), queue (to "
	     "started), load (to loaded), run (to computed; to the end, where that is not "
	     "recorded), publish, report. Only "
	     "instants that both runs record divide the time. \"(missing)\" is time across an "
	     "instant that a single life "
	     "lacks, \"(unfinished)\" that of lives without an end. It says nothing about what "
	     "overlaps: times of tasks that "
	     "run at once are added.",
    .adds_up = true,
    .needs = "",
    EXPLAIN_PARAMS(params),
    .drill = {"matched-tasks", "kind=kind"},
    .spans = "category='task' arg.kind=kind",
    .why_not = why_not,
    .compute = compute,
};
