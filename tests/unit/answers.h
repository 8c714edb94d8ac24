/*
 * Whole answers of parts about made-up runs, as text, against a section of
 * tests/data/explain/answers. Where answers are meant to change: ANSWERS=file makes the tests
 * append what they find.
 */
#ifndef LANESCOPE_TESTS_ANSWERS_H
#define LANESCOPE_TESTS_ANSWERS_H

#include "explain/parts/parts.h"
#include "explain/pool.h"
#include "made_run.h"
#include "unit.h"

#define RUNS_MAX 6

struct asked { /* runs of A, then of B */
	struct explain_run runs[2 * RUNS_MAX];
	size_t n_a, n_b;
};

static inline void
add_run(struct asked *asked, unsigned side, struct schedule *schedule)
{
	static const char *const names[2][RUNS_MAX] = {{"a1", "a2", "a3", "a4", "a5", "a6"},
	                                               {"b1", "b2", "b3", "b4", "b5", "b6"}};
	size_t k = side ? asked->n_b++ : asked->n_a++;
	asked->runs[side * RUNS_MAX + k] =
	    (struct explain_run){.name = names[side][k], .schedule = schedule};
}

/* ---- answers as text ---- */

/* So many figures as no compiler and no mathematical library differ in. */
static inline void
add_value(struct strbuf *text, const struct value *value)
{
	if (value->type == VALUE_TEXT) {
		strbuf_add_slice(text, value->text);
	} else if (value_is_number(value)) {
		double number = value_number(value);
		strbuf_printf(text, "%.6g", fabs(number) < 1e-200 ? 0 : number);
	} else {
		strbuf_add_char(text, '-');
	}
}

#define FIRST_ROWS 8

/* All rows, or the first and what all add up to. */
static inline void
add_rows(struct strbuf *text, const struct result *result, bool is_long)
{
	for (size_t c = 0; c < result->n_columns; c++) {
		strbuf_printf(text, "%s%s", c ? " | " : "", result->columns[c].name);
	}
	strbuf_add_char(text, '\n');
	for (size_t r = 0; r < result->n_rows && !(is_long && r >= FIRST_ROWS); r++) {
		for (size_t c = 0; c < result->n_columns; c++) {
			strbuf_add_text(text, c ? " | " : "");
			add_value(text, result_value(result, r, c));
		}
		strbuf_add_char(text, '\n');
	}
	if (is_long && result->n_rows > FIRST_ROWS) {
		strbuf_printf(text, "all %zu:", result->n_rows);
		for (size_t c = 0; c < result->n_columns; c++) {
			double sum = 0;
			for (size_t r = 0; r < result->n_rows; r++) {
				const struct value *value = result_value(result, r, c);
				sum += value_is_number(value) ? value_number(value) : 0;
			}
			strbuf_printf(text, " %.6g", sum);
		}
		strbuf_add_char(text, '\n');
	}
	for (size_t n = 0; n < result->n_notes; n++) {
		strbuf_printf(text, "note: %s\n", result->notes[n]);
	}
}

/* One part: its parameters have their defaults but for those that are given, "name=value". How many
 * rows it has. */
static inline size_t
ask(struct strbuf *text, struct asked *asked, const struct explain_part *part,
    const char *const given[2])
{
	struct explain explain = {
	    .a = asked->runs, .b = asked->runs + RUNS_MAX, .n_a = asked->n_a, .n_b = asked->n_b};
	const char *texts[8] = {0};
	struct err err = ERR_INIT;
	strbuf_printf(text, "-- %s", part->name);
	for (size_t p = 0; p < part->n_params; p++) {
		size_t n = strlen(part->params[p].name);
		texts[p] = part->params[p].default_text;
		for (size_t g = 0; g < 2 && given[g]; g++) {
			if (strncmp(given[g], part->params[p].name, n) == 0 && given[g][n] == '=') {
				texts[p] = given[g] + n + 1;
				strbuf_printf(text, " %s", given[g]);
			}
		}
	}
	strbuf_add_char(text, '\n');
	bool is_pooled = asked->n_a + asked->n_b > 2 && part->runs < EXPLAIN_RUNS_GROUPS;
	struct result *result = is_pooled ? explain_pool(&explain, part, texts, &err)
	                                  : explain_part_rows(&explain, part, texts, &err);
	size_t n_rows = result ? result->n_rows : 0;
	if (result) {
		add_rows(text, result, n_rows > 2 * FIRST_ROWS);
	} else {
		strbuf_printf(text, "error: %s\n", err.message);
	}
	result_free(result);
	return n_rows;
}

static inline struct strbuf
read_section(const char *name)
{
	char path[1000], line[4000], head[100];
	struct strbuf text = {0};
	bool is_it = false;
	snprintf(path, sizeof path, "%s/tests/data/explain/answers", getenv("LANESCOPE_SRCDIR"));
	snprintf(head, sizeof head, "== %s\n", name);
	FILE *file = fopen(path, "r");
	while (file && fgets(line, sizeof line, file)) {
		is_it = strncmp(line, "== ", 3) == 0 ? strcmp(line, head) == 0 : is_it;
		strbuf_add_text(&text, is_it ? line : "");
	}
	if (file) {
		fclose(file);
	}
	return text;
}

static inline void
check_section(const char *name, struct strbuf *text)
{
	struct strbuf wanted = read_section(name);
	const char *update = getenv("ANSWERS");
	if (update) {
		FILE *file = fopen(update, "a");
		ck_assert_ptr_nonnull(file);
		fputs(text->data, file);
		fclose(file);
	} else if (!wanted.data || strcmp(text->data, wanted.data) != 0) {
		size_t from = 0; /* of the first line that differs */
		for (size_t i = 0; wanted.data && text->data[i] == wanted.data[i]; i++) {
			from = text->data[i] == '\n' ? i + 1 : from;
		}
		ck_abort_msg("%s: found\n%.*s\nnot\n%.*s", name,
		             (int)strcspn(text->data + from, "\n"), text->data + from,
		             wanted.data ? (int)strcspn(wanted.data + from, "\n") : 0,
		             wanted.data ? wanted.data + from : "");
	}
	strbuf_free(&wanted);
	strbuf_free(text);
}

static inline void
check_and_free(const char *name, struct asked *asked, struct strbuf *text)
{
	for (size_t r = 0; r < 2 * RUNS_MAX; r++) {
		matching_free(asked->runs[r].matching);
		if (asked->runs[r].schedule) {
			arena_free(asked->runs[r].schedule->arena);
		}
	}
	check_section(name, text);
}

static const char *const no_arguments[2] = {NULL, NULL};

/* The verdict, and where in time its first causes are. */
static inline void
check_verdict(const char *name, struct asked *asked)
{
	static const char *const ranks[][2] = {{"cause=1"}, {"cause=2"}, {"cause=3"}};
	struct strbuf text = {0};
	strbuf_printf(&text, "== %s\n", name);
	size_t n = ask(&text, asked, &explain_causes, no_arguments);
	for (size_t c = 0; c < n && c < COUNT_OF(ranks) && asked->n_a + asked->n_b == 2; c++) {
		ask(&text, asked, &explain_intervals, ranks[c]);
	}
	check_and_free(name, asked, &text);
}

/* The same run with its kinds and lanes in the opposite order, as another trace may have them. */
static inline void
turn(struct schedule *schedule)
{
	size_t n = schedule->n_items, at = 0;
	uint32_t last_kind = (uint32_t)schedule->n_kinds - 1, *moved = xcalloc(n, sizeof *moved);
	uint32_t last_lane = (uint32_t)schedule->n_lanes - 1;
	struct schedule_item *items =
	    arena_copy(schedule->arena, schedule->items, n * sizeof *items);
	struct schedule_lane *lanes =
	    arena_copy(schedule->arena, schedule->lanes, schedule->n_lanes * sizeof *lanes);
	struct slice *kinds =
	    arena_copy(schedule->arena, schedule->kinds, schedule->n_kinds * sizeof *kinds);
	for (uint32_t k = 0; k < schedule->n_kinds; k++) {
		schedule->kinds[k] = kinds[last_kind - k];
	}
	for (uint32_t l = 0; l < schedule->n_lanes; l++) {
		schedule->lanes[l] = lanes[last_lane - l];
		size_t first = schedule->lanes[l].first;
		schedule->lanes[l].first = at;
		for (size_t i = first; i < first + schedule->lanes[l].n; i++, at++) {
			schedule->items[at] = items[i];
			schedule->items[at].lane = l;
			schedule->items[at].kind = last_kind - items[i].kind;
			moved[i] = (uint32_t)at;
			if (items[i].task != SCHEDULE_NONE) {
				schedule->tasks[items[i].task].item = (uint32_t)at;
			}
		}
	}
	for (size_t e = 0; e < schedule->n_edges; e++) {
		schedule->edges[e].from = moved[schedule->edges[e].from];
		schedule->edges[e].to = moved[schedule->edges[e].to];
	}
	if (schedule->n_edges > 1) {
		qsort(schedule->edges, schedule->n_edges, sizeof *schedule->edges,
		      made_compare_edges);
	}
	for (size_t t = 0; t < schedule->n_transfers; t++) {
		struct schedule_transfer *transfer = &schedule->transfers[t];
		transfer->lane = last_lane - transfer->lane;
		transfer->from = moved[transfer->from];
	}
	free(moved);
}

/* ---- tasks with inputs ---- */

static inline struct sim_params
usual(uint64_t seed)
{
	return (struct sim_params){.n_tasks = 160,
	                           .n_lanes = 4,
	                           .per_host = 2,
	                           .graph_seed = 5,
	                           .noise_seed = seed,
	                           .noise = 0.04,
	                           .is_linked = true,
	                           .edge_share = 60};
}

/* Transfers of two modes, by their target's lane; of a few, a time is not known. */
static inline void
stamp_transfers(struct schedule *schedule, uint64_t seed)
{
	struct prng prng = {seed};
	uint32_t modes[] = {made_text(schedule, "lane 0"), made_text(schedule, "lane 1")};
	for (size_t t = 0; t < schedule->n_transfers; t++) {
		struct schedule_transfer *transfer = &schedule->transfers[t];
		int64_t ns = transfer->finished_ns - transfer->planned_ns;
		int64_t waited = ns / 9 + (int64_t)prng_below(&prng, (uint64_t)ns / 9);
		transfer->id = (uint32_t)t;
		transfer->mode = modes[transfer->lane % 2];
		transfer->started_ns =
		    t % 17 == 3 ? SCHEDULE_NO_TIME : transfer->planned_ns + waited;
		transfer->loaded_ns = transfer->planned_ns + ns / 3;
		transfer->received_ns = transfer->planned_ns + ns * 3 / 4;
		transfer->size_bytes = (int64_t)(1000 * (t % 5));
		if (t % 31 == 5) {
			transfer->finished_ns = SCHEDULE_NO_TIME;
		}
	}
}

static inline struct schedule *
sim_of(const struct sim_params *change, uint64_t seed)
{
	struct sim_params params = usual(seed);
	params.n_lanes = change->n_lanes ? change->n_lanes : params.n_lanes;
	params.per_host = change->per_host ? change->per_host : params.per_host;
	params.edge_share = change->edge_share ? change->edge_share : params.edge_share;
	params.contention = change->contention;
	params.link_ns = change->link_ns;
	params.slow_link_ns = change->slow_link_ns;
	params.is_fixed = change->is_fixed;
	params.skew = change->skew;
	params.dispatch_ns = change->dispatch_ns;
	memcpy(params.factor, change->factor, sizeof params.factor);
	struct schedule *schedule = sim_run(&params);
	stamp_transfers(schedule, seed);
	return schedule;
}

#endif
