/*
 * Why B took longer than A: the answer in a sentence, and its causes, the largest first, with what
 * each adds to the makespan and how sure that is. Enter leads to the part of explain that shows the
 * cause; the last row to all parts.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>

#include "explain/explain.h"
#include "query/saved/kind.h"
#include "ui/lists/parts_heading.h"
#include "ui/lists/view_choices.h"
#include "ui/table/table_source.h"
#include "util/format.h"
#include "util/intervals.h"

/* A cell of the verdict's result; no text where there is none. */
static struct slice
cell(const struct result *causes, size_t row, const char *name, char buffer[FORMAT_BYTES])
{
	int column = column_find(causes->columns, causes->n_columns, slice_of(name));

	return column < 0 ? (struct slice){"", 0}
	                  : value_show(result_value(causes, row, (size_t)column),
	                               causes->columns[column].kind, buffer);
}

/* "+2.576 s (938.3 ms to 4.214 s)". */
static void
add_amount(struct strbuf *out, const struct result *causes, size_t row, const char *name)
{
	char buffer[FORMAT_BYTES], low_name[32], high_name[32];
	struct slice amount = cell(causes, row, name, buffer);

	snprintf(low_name, sizeof low_name, "%s_low", name);
	snprintf(high_name, sizeof high_name, "%s_high", name);
	if (amount.len == 0) {
		strbuf_add_text(out, "not known");
		return;
	}
	if (amount.ptr[0] != '-') {
		strbuf_add_char(out, '+');
	}
	strbuf_add_slice(out, amount);
	strbuf_add_text(out, " (");
	strbuf_add_slice(out, cell(causes, row, low_name, buffer));
	strbuf_add_text(out, " to ");
	strbuf_add_slice(out, cell(causes, row, high_name, buffer));
	strbuf_add_char(out, ')');
}

/* Below the list: the cause in full, what speaks against it, and where it is shown. */
static const char *
about(struct arena *arena, const struct result *causes, size_t row, const struct explain_part *part)
{
	char buffer[FORMAT_BYTES];
	struct strbuf text = {0};

	strbuf_add_slice(&text, cell(causes, row, "sentence", buffer));
	strbuf_add_text(&text, ": makespan ");
	add_amount(&text, causes, row, "makespan");
	strbuf_add_text(&text, ", time of tasks ");
	add_amount(&text, causes, row, "lane_time");
	strbuf_add_text(&text, ", nine of ten in these ranges");
	struct slice against = cell(causes, row, "against", buffer);
	if (against.len > 0) {
		strbuf_add_text(&text, ". Against it: ");
		strbuf_add_slice(&text, against);
	}
	if (part) {
		strbuf_printf(&text, ". Enter: %s", part->title);
	}
	const char *kept = arena_strdup(arena, text.data);
	strbuf_free(&text);
	return kept;
}

static int64_t
integer(const struct result *causes, size_t row, const char *name, int64_t none)
{
	int column = column_find(causes->columns, causes->n_columns, slice_of(name));
	const struct value *value = column < 0 ? NULL : result_value(causes, row, (size_t)column);

	return value && value->type == VALUE_INTEGER ? value->integer : none;
}

/* Where B shows the cause most, with as much around it. */
static struct focus
focus_of(const struct result *causes, size_t row)
{
	struct focus focus = FOCUS_NONE;
	int64_t start = integer(causes, row, "start", 0), end = integer(causes, row, "end", 0);

	focus.lane = integer(causes, row, "lane", -1);
	focus.mark_start_ns = start;
	focus.mark_end_ns = end;
	focus.start_ns = time_sub(start, time_sub(end, start));
	focus.start_ns = focus.start_ns > 0 ? focus.start_ns : 0;
	focus.end_ns = time_add(end, time_sub(end, start));
	return focus;
}

static void
add_cause(struct choices *choices, const struct result *causes, size_t row)
{
	char buffer[FORMAT_BYTES];
	struct err ignored = ERR_INIT;
	struct choice *choice = &choices->list[choices->n++];
	struct strbuf amount = {0};
	const char *look = arena_slice(choices->arena, cell(causes, row, "look", buffer)).ptr;
	const struct explain_part *part = *look ? explain_part_find(look, &ignored) : NULL;
	const char *sentence =
	    arena_slice(choices->arena, cell(causes, row, "sentence", buffer)).ptr;

	add_amount(&amount, causes, row, "makespan");
	*choice = (struct choice){.name = sentence,
	                          .title = sentence,
	                          .about = about(choices->arena, causes, row, part),
	                          .fact = arena_slice(choices->arena, strbuf_slice(&amount)),
	                          .what = part,
	                          .focus = focus_of(causes, row),
	                          .rank = integer(causes, row, "rank", 0)};
	strbuf_free(&amount);
}

static int
load(const struct two_runs *runs, const struct query_library *library, struct job_worker *worker,
     const struct cancel *cancel, struct choices *choices, struct err *err)
{
	struct store *stores[2];
	struct err why = ERR_INIT;

	(void)library;
	if (worker_stores(worker, runs, cancel, stores, err)) {
		return -1;
	}
	struct explain *explain =
	    explain_new(&stores[0], &runs->name[0], 1, &stores[1], &runs->name[1], 1, cancel);
	const struct explain_part *verdict = explain_part_find("causes", err);
	struct result *causes = explain_compute(explain, verdict, NULL, 0, &why);
	size_t n = causes ? causes->n_rows : 0;

	choices->heading =
	    causes ? arena_strdup(choices->arena, causes->n_notes > 0 ? causes->notes[0] : "")
	    : why.code == ERR_USAGE ? parts_heading(choices->arena, explain)
				    : arena_strdup(choices->arena, why.message);
	choices->list = arena_zalloc(choices->arena, (n + 1) * sizeof *choices->list);
	for (size_t row = 0; row < n; row++) {
		add_cause(choices, causes, row);
	}
	choices->list[choices->n++] = (struct choice){
	    .name = "evidence",
	    .title = "Evidence",
	    .fact = slice_of("all parts of explain"),
	    .about = "All that the two runs are compared by, part by part: where the time went, "
		     "in rows that add up to the difference, critical path, idle lanes, replay, "
		     "matched tasks, and the causes as a table with all their figures."};
	result_free(causes);
	worker_lose(worker, explain->lost);
	explain_free(explain);
	if (explain_is_failure(&why)) {
		*err = why;
		return -1;
	}
	return cancel_check(cancel, err);
}

static void
open_choice(const struct two_runs *runs, struct view *view, const struct choice *choice)
{
	if (choice->what) {
		view_open(view, PLACE_PART, .runs = *runs, .part = choice->what);
	} else {
		view_open(view, PLACE_PARTS, .runs = *runs);
	}
}

/* The stretches that the cause is in, in both runs. */
static struct paint_source *
paint(const struct two_runs *runs, const struct choice *choice)
{
	struct err ignored = ERR_INIT;
	const struct explain_part *part = explain_part_find("intervals", &ignored);
	char of[] = "cause", rank[24], *texts[] = {of, rank, NULL};
	struct table_source *source;
	struct paint_source *paint;

	snprintf(rank, sizeof rank, "%" PRId64, choice->rank);
	source = table_source_explain(runs, part, texts);
	paint = paint_source_of_table(source, source->texts);
	table_source_release(source);
	return paint;
}

static const struct choices_kind kind = {"Explain", HEADING_ROWS, load, open_choice, paint};

struct view *
view_explain_new(struct app *app, const struct view_place *place)
{
	return view_choices_new(app, place, &kind);
}
