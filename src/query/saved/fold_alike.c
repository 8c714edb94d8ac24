/* What a fold is asked for, and which runs are alike by it. */
#include "config.h"
#include "query/saved/fold_private.h"

#include <stdlib.h>
#include <string.h>

#include "query/saved/list.h"
#include "util/order.h"

const char *const fold_stat_names[STATS] = {"mean", "median", "std", "min", "max", "sum", "n"};

/* ---- what is asked for ---- */

static int
set_unknown_tag(const struct folding *folding, const char *name, struct err *err)
{
	struct strbuf list = {0};
	for (size_t i = 0; i < folding->n_known; i++) {
		for (size_t k = 0; k < folding->known[i].n; k++) {
			const char *key = folding->known[i].all[k].key;
			bool is_new = true;
			for (size_t j = 0; is_new && j < i; j++) {
				is_new = !run_tags_find(&folding->known[j], key);
			}
			if (is_new) {
				strbuf_printf(&list, "%s%s", list.len ? ", " : "", key);
			}
		}
	}
	err_set(err, ERR_USAGE, "no run has a tag %s; there are: %s", name,
	        list.len ? list.data : "none");
	strbuf_free(&list);
	return -1;
}

int
fold_add_tag(struct folding *folding, const char *name, struct err *err)
{
	bool is_there = false;
	for (size_t i = 0; !is_there && i < folding->n_known; i++) {
		is_there = run_tags_find(&folding->known[i], name);
	}
	for (size_t i = 0; i < folding->n_by; i++) {
		if (strcmp(folding->by[i], name) == 0) {
			return 0;
		}
	}
	if (!is_there) {
		return set_unknown_tag(folding, name, err);
	}
	if (folding->n_by == FOLD_TAGS) {
		return err_set(err, ERR_USAGE, "more than %d tags", FOLD_TAGS);
	}
	folding->by[folding->n_by++] = name;
	return 0;
}

int
fold_read_tags(struct folding *folding, const char *list, const char *skip, struct err *err)
{
	int rc = 0;
	for (struct slice rest = slice_of(list ? list : ""), item;
	     rc == 0 && list_next(&rest, &item);) {
		const char *name = arena_slice(folding->arena, item).ptr;
		rc = skip && strcmp(name, skip) == 0 ? 0 : fold_add_tag(folding, name, err);
	}
	return rc;
}

static int
read_stats(struct folding *folding, const char *list, struct err *err)
{
	for (struct slice rest = slice_of(list ? list : "mean"), item; list_next(&rest, &item);) {
		size_t stat = 0;
		while (stat < STATS && !slice_is(item, fold_stat_names[stat])) {
			stat++;
		}
		if (stat == STATS || folding->n_stats == FOLD_STATS) {
			return err_set(err, ERR_USAGE, "--stat %.*s: is none of %s", (int)item.len,
			               item.ptr, FOLD_STAT_WORDS);
		}
		folding->stats[folding->n_stats++] = (enum fold_stat)stat;
	}
	return folding->n_stats ? 0
	                        : err_set(err, ERR_USAGE, "--stat: which of %s?", FOLD_STAT_WORDS);
}

static int
find_columns(struct folding *folding, const struct fold *fold, struct err *err)
{
	MEM_NEW(folding->keys, folding->n + 1);
	for (size_t i = 0; i < folding->n; i++) {
		if (folding->results[i]->n_columns != folding->results[0]->n_columns) {
			return err_set(err, ERR_QUERY,
			               "the runs gave different columns: they can't be put "
			               "together");
		}
		if (match_keys(folding->results[i], fold->key, &folding->keys[i], err)) {
			return -1;
		}
	}
	match_measures(folding->results[0], &folding->keys[0], &folding->measures);
	if (fold->measures &&
	    match_keys(folding->results[0], fold->measures, &folding->measures, err)) {
		return -1;
	}
	for (size_t i = 0; i < folding->measures.n; i++) {
		const struct result_column *column =
		    &folding->results[0]->columns[folding->measures.column[i]];
		if (!column_kind_is_number(column->kind)) {
			return err_set(err, ERR_USAGE, "--measure: %s is no number", column->name);
		}
		folding->lead = column->is_lead && !fold->measures ? i : folding->lead;
	}
	return folding->measures.n
	           ? 0
	           : err_set(err, ERR_USAGE, "the query measures nothing: name it by --measure");
}

/* ---- runs that are alike ---- */

struct value
fold_tag_value(const struct folding *folding, size_t run, size_t by)
{
	const struct run_tag *tag = run_tags_find(&folding->tags[run], folding->by[by]);
	struct value value = {.type = VALUE_NULL};
	if (tag && !run_tag_number(tag, &value)) {
		value = (struct value){.type = VALUE_TEXT, .text = slice_of(tag->value)};
	}
	return value;
}

struct tagged_run {
	const struct folding *folding;
	size_t run;
};

static int
compare_tags(const struct folding *folding, size_t a, size_t b)
{
	int order = 0;
	for (size_t i = 0; order == 0 && i < folding->n_by; i++) {
		struct value x = fold_tag_value(folding, a, i), y = fold_tag_value(folding, b, i);
		order = value_compare(&x, &y);
	}
	return order;
}

static int
compare_runs(const void *a, const void *b)
{
	const struct tagged_run *x = a, *y = b;
	int order = compare_tags(x->folding, x->run, y->run);
	return order ? order : ORDER(x->run, y->run);
}

void
fold_find_alike(struct folding *folding)
{
	struct tagged_run *runs = xcalloc(folding->n + 1, sizeof *runs);
	size_t group = 0;
	MEM_NEW(folding->group, folding->n + 1);
	MEM_NEW(folding->n_alike, folding->n + 1);
	for (size_t i = 0; i < folding->n; i++) {
		runs[i] = (struct tagged_run){folding, i};
	}
	SORT(runs, folding->n, compare_runs);
	for (size_t i = 0; i < folding->n; i++) {
		group += i > 0 && compare_tags(folding, runs[i - 1].run, runs[i].run) != 0;
		folding->group[runs[i].run] = group;
		folding->n_alike[group]++;
	}
	free(runs);
}

size_t *
fold_groups(const struct run_tags *tags, size_t n, const struct fold *fold, struct err *err)
{
	struct folding folding = {
	    .tags = tags, .n = n, .known = tags, .n_known = n, .arena = arena_new()};
	bool is_by_start = fold->trend && strcmp(fold->trend, FOLD_STARTED) == 0;
	size_t *groups = NULL;

	if (fold_read_tags(&folding, fold->by, NULL, err) == 0 &&
	    fold_read_tags(&folding, fold->pivot, NULL, err) == 0 &&
	    fold_read_tags(&folding, is_by_start ? NULL : fold->trend, NULL, err) == 0) {
		fold_find_alike(&folding);
		groups = folding.group;
		folding.group = NULL;
	}
	fold_free(&folding);
	return groups;
}

int
fold_read(struct folding *folding, const struct fold *fold, struct err *err)
{
	return fold_read_tags(folding, fold->by, fold->trend ? fold->trend : fold->pivot, err) ||
	               read_stats(folding, fold->stats, err) || find_columns(folding, fold, err)
	           ? -1
	           : 0;
}

void
fold_free(struct folding *folding)
{
	free(folding->keys);
	free(folding->group);
	free(folding->n_alike);
	arena_free(folding->arena);
}
