/*
 * The evidence of why B took longer than A: the parts of explain, each with the row that says most,
 * all computed at once on the worker. Enter opens a part as a table.
 */
#include "config.h"

#include <stdio.h>

#include "explain/explain.h"
#include "query/saved/kind.h"
#include "ui/lists/parts_heading.h"
#include "ui/lists/view_choices.h"
#include "util/format.h"

/* "efi +4.40 s (50.5 %)": the first row of a part that adds up; the first note of one that does
 * not. */
static struct slice
fact_of(struct arena *arena, struct explain *explain, const struct explain_part *part)
{
	struct err why = ERR_INIT;
	struct result *result = explain_compute_rows(explain, part, NULL, 0, &why);
	struct strbuf text = {0};
	struct slice fact;

	explain_lose(explain, &why);
	if (!result || result->n_rows == 0) {
		result_free(result);
		return slice_of(result ? "no rows" : arena_strdup(arena, why.message));
	}
	for (size_t c = 0; part->adds_up && c < result->n_columns; c++) {
		const struct value *value = result_value(result, 0, c);
		const char *name = result->columns[c].name;
		char buffer[FORMAT_BYTES];
		struct slice shown = value_show(value, result->columns[c].kind, buffer);

		if (result->columns[c].kind == KIND_TEXT && shown.len > 0) {
			strbuf_printf(&text, "%s%.*s", text.len ? " " : "", (int)shown.len,
			              shown.ptr);
		} else if (strcmp(name, "delta") == 0) {
			bool grows = value->type == VALUE_INTEGER && value->integer > 0;

			strbuf_printf(&text, "  %s%.*s", grows ? "+" : "", (int)shown.len,
			              shown.ptr);
		} else if (strcmp(name, "share") == 0 && shown.len > 0) {
			strbuf_printf(&text, "  %.*s", (int)shown.len, shown.ptr);
		}
	}
	if (text.len == 0 && result->n_notes > 0) {
		strbuf_add_text(&text, result->notes[0]);
	}
	fact = arena_slice(arena, strbuf_slice(&text));
	strbuf_free(&text);
	result_free(result);
	return fact;
}

const char *
parts_heading(struct arena *arena, struct explain *explain)
{
	struct err why = ERR_INIT;
	const struct schedule *a, *b;
	int64_t a_ns, b_ns;
	char of_a[FORMAT_BYTES], of_b[FORMAT_BYTES], delta[FORMAT_BYTES];

	if (explain_schedules(explain, &a, &b, &why)) {
		explain_lose(explain, &why);
		return arena_strdup(arena, why.message);
	}
	a_ns = explain_makespan_ns(a);
	b_ns = explain_makespan_ns(b);
	if (a_ns == 0 && b_ns == 0) {
		return "neither run has spans: D compares what saved queries say of them";
	}
	if (a_ns == 0 || b_ns == 0) {
		return arena_printf(arena,
		                    "%s has no spans: D compares what saved queries say of both",
		                    a_ns == 0 ? explain->a->name : explain->b->name);
	}
	return arena_printf(arena, "makespan  A %s  %s%s   B %s  %s%s   B - A %s", explain->a->name,
	                    explain_bound(a), format_duration(of_a, a_ns), explain->b->name,
	                    explain_bound(b), format_duration(of_b, b_ns),
	                    format_duration(delta, b_ns - a_ns));
}

static int
load(const struct two_runs *runs, const struct query_library *library, struct job_worker *worker,
     const struct cancel *cancel, struct choices *choices, struct err *err)
{
	struct store *stores[2];
	struct explain *explain;
	size_t n = 0;

	(void)library;
	if (worker_stores(worker, runs, cancel, stores, err)) {
		return -1;
	}
	explain = explain_new(&stores[0], &runs->name[0], 1, &stores[1], &runs->name[1], 1, cancel);
	choices->heading = parts_heading(choices->arena, explain);
	while (explain_parts[n]->name) {
		n++;
	}
	choices->list = arena_zalloc(choices->arena, (n + 1) * sizeof *choices->list);
	for (size_t i = 0; i < n && !cancel_requested(cancel); i++) {
		const struct explain_part *part = explain_parts[i];
		struct choice *choice = &choices->list[choices->n];

		if (!explain_part_is_listed(explain, part)) {
			continue;
		}
		choices->n++;
		*choice = (struct choice){
		    .name = part->name, .title = part->title, .about = part->about, .what = part};
		if (part->adds_up || i == 0) { /* the first is the answer */
			choice->fact = fact_of(choices->arena, explain, part);
		}
	}
	worker_lose(worker, explain->lost);
	explain_free(explain);
	return cancel_requested(cancel) ? err_set(err, ERR_CANCELLED, "cancelled") : 0;
}

static void
open_part(const struct two_runs *runs, struct view *view, const struct choice *choice)
{
	view_open(view, PLACE_PART, .runs = *runs, .part = choice->what);
}

static const struct choices_kind kind = {"Evidence", 1, load, open_part, NULL};

struct view *
view_parts_new(struct app *app, const struct view_place *place)
{
	return view_choices_new(app, place, &kind);
}
