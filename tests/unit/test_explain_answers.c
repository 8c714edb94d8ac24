/*
 * Whole answers of parts about made-up runs, figure by figure, against tests/data/explain/answers.
 * Where answers are meant to change: ANSWERS=file makes the test write what it finds.
 */
#include "config.h"

#include "unit.h"

#include "explain/parts/parts.h"
#include "explain/pool.h"
#include "explain_fixture.h"
#include "made_run.h"
#include "util/slice.h"

#define RUNS_MAX 6

struct asked { /* runs of A, then of B */
	struct explain_run runs[2 * RUNS_MAX];
	size_t n_a, n_b;
};

static void
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
static void
add_value(struct strbuf *text, const struct value *value)
{
	if (value->type == VALUE_TEXT) {
		strbuf_add_slice(text, value->text);
	} else if (value_is_number(value)) {
		strbuf_printf(text, "%.6g", value_number(value));
	} else {
		strbuf_add_char(text, '-');
	}
}

#define FIRST_ROWS 12

/* All rows, or the first and what all add up to. */
static void
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
static size_t
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
	ck_assert_msg(result != NULL, "%s: %s", part->name, err.message);
	size_t n_rows = result->n_rows;
	add_rows(text, result, n_rows > 2 * FIRST_ROWS);
	result_free(result);
	return n_rows;
}

static struct strbuf
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

static void
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

/* ---- runs ---- */

static double
outlier(unsigned task, unsigned lane)
{
	(void)lane;
	return task == 61 ? 12 : 1;
}

static double
quick_outlier(unsigned task, unsigned lane)
{
	(void)lane;
	return task == 40 ? 0.05 : 1;
}

static double
second_half(unsigned task, unsigned lane)
{
	(void)lane;
	return task >= TASKS / 2 ? 1.5 : 1;
}

static double
first_third(unsigned task, unsigned lane)
{
	return lane == 1 && task < TASKS / 2 ? 1.8 : 1;
}

static double
host(unsigned task, unsigned lane)
{
	(void)task;
	return lane < 2 ? 1.4 : 1;
}

static double
kind_on_lane(unsigned task, unsigned lane)
{
	return lane == 3 && task * 7 / 3 % KINDS == 1 ? 2 : 1;
}

static double
kind_and_lane(unsigned task, unsigned lane)
{
	return (task * 7 / 3 % KINDS == 2 ? 1.3 : 1) * (lane == 1 ? 0.7 : 1);
}

static double
all_faster(unsigned task, unsigned lane)
{
	(void)task, (void)lane;
	return 0.8;
}

static int
fifth_kind(unsigned task)
{
	return task >= TASKS ? 4 : (int)(task * 7 / 3 % KINDS);
}

static int
rare_kind(unsigned task)
{
	return task % 40 == 7 ? 4 : (int)(task * 7 / 3 % KINDS);
}

static const char *
hashed_key(unsigned task, const char *name)
{
	static char keys[TASKS * 2][40];
	snprintf(keys[task], sizeof keys[task], "%s:%08xab", name, task);
	return keys[task];
}

static const char *
old_key(unsigned task)
{
	return hashed_key(task, task * 7 / 3 % KINDS == 2 ? "older" : "task");
}

static const char *
new_key(unsigned task)
{
	return hashed_key(task, task * 7 / 3 % KINDS == 2 ? "newer" : "task");
}

static const struct made_pair {
	const char *name;
	struct made_run a, b;
	const char *kind[2]; /* what kind 2 is called in either; or NULL */
	int64_t clock_ns;    /* by so much is the clock of B's host 1 ahead */
} made_pairs[] = {
    {"controller", .b = {.plan_ns = 6 * MS}},
    {"controller, faster", .a = {.plan_ns = 6 * MS}},
    {"communication", .b = {.communicate_ns = 9 * MS}},
    {"communication of a host", .b = {.far_host = 1, .far_ns = 9 * MS}},
    {"start-up", .b = {.begin_ns = 9 * MS}},
    {"an outlier", .b = {.factor = outlier}},
    {"an outlier, faster", .b = {.factor = quick_outlier}},
    {"from a time on", .b = {.factor = second_half}},
    {"a lane until a time", .b = {.factor = first_third}},
    {"a host", .b = {.factor = host}},
    {"a kind on a lane", .b = {.factor = kind_on_lane}},
    {"a kind, and a lane", .b = {.factor = kind_and_lane}},
    {"all faster", .b = {.factor = all_faster}},
    {"more work", .b = {.n_tasks = TASKS + 12, .kind = fifth_kind}},
    {"less work", .a = {.n_tasks = TASKS + 12, .kind = fifth_kind}},
    {"another kind here and there", .b = {.kind = rare_kind}},
    {"renamed", .a = {.key = old_key}, .b = {.key = new_key}, .kind = {NULL, "newer"}},
    {"heaped", .b = {.heaped = 3}},
    {"two lanes more", .b = {.n_lanes = 6}},
    {"a lane less", .b = {.n_lanes = 3}},
    {"a host of all lanes", .b = {.per_host = 4}},
    {"a pause", .b = {.pause_ns = 1000 * MS}},
    {"a clock ahead", .clock_ns = 80 * MS},
    {"a clock behind", .clock_ns = -80 * MS},
    {"a clock ahead, and communication", .b = {.communicate_ns = 5 * MS}, .clock_ns = 80 * MS},
    {"the same", .a = {0}},
    {"controller, start-up and a kind on a lane",
     .b = {.plan_ns = 5 * MS, .begin_ns = 6 * MS, .factor = kind_on_lane}},
};

static void
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

static const char *const none[2] = {NULL, NULL};

/* The verdict, and where in time its first causes are. */
static void
check_verdict(const char *name, struct asked *asked)
{
	static const char *const ranks[][2] = {{"cause=1"}, {"cause=2"}, {"cause=3"}};
	struct strbuf text = {0};
	strbuf_printf(&text, "== %s\n", name);
	size_t n = ask(&text, asked, &explain_causes, none);
	for (size_t c = 0; c < n && c < COUNT_OF(ranks) && asked->n_a + asked->n_b == 2; c++) {
		ask(&text, asked, &explain_intervals, ranks[c]);
	}
	check_and_free(name, asked, &text);
}

START_TEST(pairs)
{
	const struct made_pair *pair = &made_pairs[_i];
	struct asked asked = {.n_a = 0};
	for (unsigned r = 0; r < 2; r++) {
		struct made_run run = r ? pair->b : pair->a;
		run.seed = 5 + r;
		struct schedule *schedule = run_of(run);
		if (pair->kind[r]) {
			schedule->kinds[2] = slice_of(pair->kind[r]);
		}
		if (r == 1 && pair->clock_ns) {
			shift_host(schedule, 2, pair->clock_ns);
		}
		add_run(&asked, r, schedule);
	}
	check_verdict(pair->name, &asked);
}
END_TEST

/* ---- tasks with inputs ---- */

static struct sim_params
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
static void
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

static const struct sim_pair {
	const char *name;
	struct sim_params change_a, change_b; /* what is not 0 is otherwise than usual */
} sim_pairs[] = {
    {"transfers", {.link_ns = 5 * MS}, {.link_ns = 60 * MS}},
    {"transfers to a lane", {.link_ns = 8 * MS}, {.link_ns = 8 * MS, .slow_link_ns = 60 * MS}},
    {"contention",
     {.contention = 0.4, .n_lanes = 8},
     {.contention = 0.4, .n_lanes = 8, .per_host = 8}},
    {"less contention",
     {.contention = 0.4, .n_lanes = 8, .per_host = 8},
     {.contention = 0.4, .n_lanes = 8}},
    {"two causes", {.n_lanes = 4}, {.n_lanes = 3, .factor = {0, 1.8}}},
    {"against the difference", {.n_lanes = 4}, {.n_lanes = 8, .factor = {0, 0, 0, 2}}},
    {"three kinds", {.n_lanes = 4}, {.factor = {1.2, 0.8, 1.4}}},
};

static struct schedule *
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

START_TEST(simulated)
{
	const struct sim_pair *pair = &sim_pairs[_i];
	struct asked asked = {.n_a = 0};
	add_run(&asked, 0, sim_of(&pair->change_a, 21));
	add_run(&asked, 1, sim_of(&pair->change_b, 22));
	check_verdict(pair->name, &asked);
}
END_TEST

/* Parts that ask the schedules alone. */
static void
check_parts(const char *name, struct asked *asked)
{
	static const struct explain_part *const parts[] = {
	    &explain_sharing,         &explain_area,
	    &explain_area_effects,    &explain_path,
	    &explain_path_steps,      &explain_replay,
	    &explain_what_if,         &explain_matched,
	    &explain_matched_tasks,   &explain_contention,
	    &explain_contention_fit,  &explain_placement,
	    &explain_placement_lanes, &explain_placement_transfers,
	    &explain_scaling};
	static const char *const ways[][2] = {
	    {"of=idle", "run=a"}, {"of=path", "run=b"}, {"of=contention", "run=b"}};
	struct strbuf text = {0};
	strbuf_printf(&text, "== %s\n", name);
	for (size_t p = 0; p < COUNT_OF(parts); p++) {
		ask(&text, asked, parts[p], none);
	}
	for (size_t w = 0; w < COUNT_OF(ways); w++) {
		ask(&text, asked, &explain_intervals, ways[w]);
	}
	check_and_free(name, asked, &text);
}

START_TEST(all_parts)
{
	static const struct sim_pair pair = {"all parts",
	                                     {.link_ns = 8 * MS, .contention = 0.2},
	                                     {.link_ns = 20 * MS,
	                                      .slow_link_ns = 40 * MS,
	                                      .contention = 0.2,
	                                      .factor = {0, 1.3},
	                                      .dispatch_ns = MS}};
	struct asked asked = {.n_a = 0};
	add_run(&asked, 0, sim_of(&pair.change_a, 31));
	add_run(&asked, 1, sim_of(&pair.change_b, 32));
	check_parts(pair.name, &asked);
}
END_TEST

/* ---- spans ---- */

START_TEST(spans)
{
	static const char *const names[] = {"spans: interference", "spans: barriers",
	                                    "spans: a lane less", "spans: more of them",
	                                    "spans: the same"};
	struct asked asked = {.n_a = 0};
	for (unsigned r = 0; r < 2; r++) {
		struct schedule *schedule = _i == 0   ? steps(3 + r, r ? 0.6 : 0)
		                            : _i == 1 ? barriers(8 + r, r ? 1.4 : 1)
		                            : _i == 2 ? dealt_spans(3 + r, TASKS, 0, 4 - r)
		                            : _i == 3
		                                ? dealt_spans(3 + r, TASKS + 20 * r, 50 + 20 * r, 2)
		                                : barriers(8 + r, 1);
		if (_i == 0) {
			as_spans(schedule);
		}
		add_run(&asked, r, schedule);
	}
	check_verdict(names[_i], &asked);
}
END_TEST

/* ---- groups ---- */

static const struct group_case {
	const char *name;
	size_t n_a, n_b;
	struct sim_params change_b;
	bool are_spans;
} group_cases[] = {
    {"groups: a kind", 3, 2, {.factor = {0, 0, 1.5}}, false},
    {"groups: a kind of spans", 2, 4, {.factor = {0, 0, 1.5}}, true},
    {"groups: the same", 3, 3, {.n_lanes = 0}, false},
    {"groups: lanes", 2, 3, {.n_lanes = 5}, false},
    {"groups: transfers", 3, 2, {.link_ns = 40 * MS}, false},
    {"groups: one run and three", 1, 3, {.factor = {1.3}}, false},
    {"groups: contention", 2, 2, {.per_host = 4}, false},
};

static struct asked
groups_of(const struct group_case *group)
{
	struct asked asked = {.n_a = 0};
	for (unsigned side = 0; side < 2; side++) {
		for (size_t k = 0; k < (side ? group->n_b : group->n_a); k++) {
			struct sim_params change = side ? group->change_b : (struct sim_params){0};
			change.link_ns = change.link_ns ? change.link_ns : 6 * MS;
			change.contention = 0.2;
			change.factor[3] = 0.98 + 0.02 * (double)((k * 2 + side) % 3);
			struct schedule *schedule = sim_of(&change, 50 + 10 * side + k);
			if (group->are_spans) {
				as_spans(schedule);
			}
			add_run(&asked, side, schedule);
		}
	}
	return asked;
}

START_TEST(groups)
{
	struct asked asked = groups_of(&group_cases[_i]);
	check_verdict(group_cases[_i].name, &asked);
}
END_TEST

START_TEST(all_parts_of_groups)
{
	static const struct group_case group = {
	    "groups: all parts", 3, 2, {.link_ns = 20 * MS, .factor = {0, 1.3}}, false};
	struct asked asked = groups_of(&group);
	check_parts(group.name, &asked);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("explain_answers");
	TCase *tcase = tcase_create("answers");
	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, pairs, 0, COUNT_OF(made_pairs));
	tcase_add_loop_test(tcase, simulated, 0, COUNT_OF(sim_pairs));
	tcase_add_test(tcase, all_parts);
	tcase_add_loop_test(tcase, spans, 0, 5);
	tcase_add_loop_test(tcase, groups, 0, COUNT_OF(group_cases));
	tcase_add_test(tcase, all_parts_of_groups);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
