/*
 * What is compared by the parts `matched` and `matched-tasks`.
 *
 * Runs without tasks are mostly traces of I/O calls, where what two runs have in common is files;
 * their times are summed by path by one scan of the store. The kind of a file is the pattern of
 * its name. Everything else here depends on which is which in the two runs, so it is no query.
 */
#include "config.h"
#include "explain/parts/matched.h"

#include <stdlib.h>

#include "util/intern.h"
#include "util/intervals.h"
#include "util/mem.h"

static void
take_items(struct matched_run *run, const struct schedule *schedule, struct intern *kinds)
{
	run->n = schedule->n_items;
	MEM_NEW(run->things, run->n);
	for (size_t i = 0; i < run->n; i++) {
		const struct schedule_item *item = &schedule->items[i];
		uint32_t head = schedule_head(schedule, i);
		run->things[i] = (struct matched_thing){
		    matching_key(schedule, (uint32_t)i), schedule_lane_name(schedule, item->lane),
		    intern_id(kinds, schedule->kinds[item->kind]), item->end_ns - item->start_ns,
		    head != i};
		if (head != i) {
			time_raise(&run->things[head].duration_ns, run->things[i].duration_ns);
		}
	}
	for (size_t t = 0; t < schedule->n_tasks; t++) {
		run->n_unfinished += schedule->tasks[t].item == SCHEDULE_NONE;
	}
}

static bool
has_files(struct store *store)
{
	return store && store_run(store)->n_spans > 0;
}

/* Leaves the run empty where no span has a path. */
static int
take_files(struct matched *matched, unsigned r, struct store *store, struct intern *kinds,
           const struct cancel *cancel, struct err *err)
{
	struct result *files = query_sql(store,
	                                 "SELECT path, dur_sum FROM span_sums('path', '') "
	                                 "WHERE path <> '' ORDER BY path",
	                                 cancel, err);
	if (!files) {
		return -1;
	}
	struct matched_run *run = &matched->run[r];
	struct strbuf pattern = {0};
	MEM_NEW(run->things, files->n_rows);
	for (size_t i = 0; i < files->n_rows; i++) {
		const struct value *path = result_value(files, i, 0),
				   *sum = result_value(files, i, 1);
		if (path->type != VALUE_TEXT || sum->type != VALUE_INTEGER) {
			continue;
		}
		strbuf_clear(&pattern);
		matching_pattern(&pattern, matching_basename(path->text));
		run->things[run->n++] =
		    (struct matched_thing){arena_slice(matched->arena, path->text),
		                           {"", 0},
		                           intern_id(kinds, strbuf_slice(&pattern)),
		                           sum->integer,
		                           false};
	}
	strbuf_free(&pattern);
	result_free(files);
	return 0;
}

static void
match_files(struct matched *matched)
{
	struct slice *paths[2];
	for (unsigned r = 0; r < 2; r++) {
		const struct matched_run *run = &matched->run[r];
		MEM_NEW(paths[r], run->n);
		for (size_t i = 0; i < run->n; i++) {
			paths[r][i] = run->things[i].key;
		}
	}
	matched->what = "files";
	matched->matching = matched->files =
	    matching_new_files(paths[0], matched->run[0].n, paths[1], matched->run[1].n);
	free(paths[0]);
	free(paths[1]);
}

static int
load_files(struct matched *matched, struct explain *explain, struct intern *kinds, struct err *err)
{
	struct store *stores[2] = {explain->a->store, explain->b->store};
	if (!has_files(stores[0]) || !has_files(stores[1])) {
		return 0;
	}
	for (unsigned r = 0; r < 2; r++) {
		if (take_files(matched, r, stores[r], kinds, explain->cancel, err)) {
			return -1;
		}
	}
	if (matched->run[0].n > 0 && matched->run[1].n > 0) {
		match_files(matched);
		return 0;
	}
	for (unsigned r = 0; r < 2; r++) {
		free(matched->run[r].things);
		matched->run[r] = (struct matched_run){NULL, 0, 0};
	}
	return 0;
}

static int
load(struct matched *matched, struct explain *explain, struct intern *kinds, struct err *err)
{
	bool has_tasks = true;
	for (unsigned r = 0; r < 2; r++) {
		struct store *store = (r ? explain->b : explain->a)->store;
		has_tasks = has_tasks && (!store || store_run(store)->n_tasks > 0);
	}
	if (!has_tasks && load_files(matched, explain, kinds, err)) {
		return -1;
	}
	if (matched->matching) {
		return 0;
	}
	const struct schedule *a, *b;
	if (explain_schedules(explain, &a, &b, err)) {
		return -1;
	}
	matched->what = a->is_tasks && b->is_tasks ? "tasks" : "spans";
	take_items(&matched->run[0], a, kinds);
	take_items(&matched->run[1], b, kinds);
	matched->matching = explain_matching(explain, err);
	return matched->matching ? 0 : -1;
}

struct matched *
matched_new(struct explain *explain, struct err *err)
{
	struct matched *matched = xcalloc(1, sizeof *matched);
	struct intern *kinds = intern_new();
	matched->arena = arena_new();
	if (load(matched, explain, kinds, err)) {
		matched_free(matched);
		matched = NULL;
	} else {
		matched->n_kinds = intern_count(kinds);
		matched->kinds =
		    arena_alloc(matched->arena, (matched->n_kinds + 1) * sizeof *matched->kinds);
		for (size_t k = 0; k < matched->n_kinds; k++) {
			matched->kinds[k] =
			    arena_slice(matched->arena, intern_text(kinds, (uint32_t)k));
		}
	}
	intern_free(kinds);
	return matched;
}

void
matched_free(struct matched *matched)
{
	if (matched) {
		free(matched->run[0].things);
		free(matched->run[1].things);
		matching_free(matched->files);
		arena_free(matched->arena);
		free(matched);
	}
}

void
matched_note(const struct matched *matched, const struct explain *explain, struct result *result)
{
	const char *names[2] = {explain->a->name, explain->b->name};
	matching_note(matched->matching, matched->what, names[0], names[1], result);
	if (!matched->files) { /* whose times are sums */
		explain_note_summed(result, explain, NULL);
	}
	for (unsigned r = 0; r < 2; r++) {
		if (matched->run[r].n_unfinished > 0) {
			result_add_note(result,
			                "%s: %zu tasks never ran to their end and are left out",
			                names[r], matched->run[r].n_unfinished);
		}
	}
}
