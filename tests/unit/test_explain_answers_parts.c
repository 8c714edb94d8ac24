/* Answers of the parts that ask schedules alone, about made-up runs, figure by figure. */
#include "config.h"

#include "unit.h"

#include "answers.h"
#include "imported_run.h"

static const struct question {
	const struct explain_part *part;
	const char *given[2];
} questions[] = {
    {&explain_sharing, {"fold=0%"}},
    {&explain_sharing, {"by=kind,host", "fold=30%"}},
    {&explain_sharing, {"by=time,lane", "window=700ms"}},
    {&explain_area, {"fold=0%"}},
    {&explain_area, {"by=lane,time", "window=900ms"}},
    {&explain_area, {"by=host,kind"}},
    {&explain_area_effects, {"fold=0%"}},
    {&explain_path, {NULL}},
    {&explain_path_steps, {NULL}},
    {&explain_path_steps, {"run=a", "shortest=20ms"}},
    {&explain_replay, {NULL}},
    {&explain_replay, {"placement=fixed"}},
    {&explain_what_if, {"faster=50", "lanes=2"}},
    {&explain_what_if, {"what=kind", "run=a"}},
    {&explain_matched, {NULL}},
    {&explain_matched, {"by=lane,kind"}},
    {&explain_matched, {"by=time,host", "window=500ms"}},
    {&explain_matched_tasks, {NULL}},
    {&explain_matched_tasks, {"kind=kind 1"}},
    {&explain_contention, {NULL}},
    {&explain_contention_fit, {NULL}},
    {&explain_placement, {NULL}},
    {&explain_placement_lanes, {NULL}},
    {&explain_placement_transfers, {NULL}},
    {&explain_scaling, {NULL}},
    {&explain_intervals, {"of=idle", "run=a"}},
    {&explain_intervals, {"of=path", "run=b"}},
    {&explain_intervals, {"of=contention", "run=b"}},
};

/* ---- runs ---- */

static double
lane_and_kind(unsigned task, unsigned lane)
{
	return (task * 7 / 3 % KINDS == 1 ? 1.4 : 1) * (lane == 2 ? 0.8 : 1);
}

static int
rare_kind(unsigned task)
{
	return task % 40 == 7 ? 4 : (int)(task * 7 / 3 % KINDS);
}

static void
linked(struct asked *asked)
{
	static const struct sim_params a = {.link_ns = 8 * MS, .contention = 0.2};
	static const struct sim_params b = {.link_ns = 20 * MS,
	                                    .slow_link_ns = 40 * MS,
	                                    .contention = 0.2,
	                                    .factor = {0, 1.3},
	                                    .dispatch_ns = MS};
	add_run(asked, 0, sim_of(&a, 31));
	add_run(asked, 1, sim_of(&b, 32));
	turn(asked->runs[RUNS_MAX].schedule);
}

/* Inputs are sent as soon as they are there, long before their tasks may run. */
static void
sent_early(struct asked *asked)
{
	for (unsigned r = 0; r < 2; r++) {
		const struct sim_params change = {.link_ns = (r ? 25 : 8) * MS};
		struct schedule *schedule = sim_of(&change, 41 + r);
		for (size_t t = 0; t < schedule->n_transfers; t++) {
			struct schedule_transfer *transfer = &schedule->transfers[t];
			int64_t by = transfer->planned_ns - schedule->items[transfer->from].end_ns;
			transfer->planned_ns -= by;
			transfer->started_ns = transfer->planned_ns + MS;
			transfer->loaded_ns = transfer->received_ns = SCHEDULE_NO_TIME;
			transfer->finished_ns = transfer->planned_ns + change.link_ns;
		}
		add_run(asked, r, schedule);
	}
}

/* Of tasks that are not the same in either run, on other lanes; of some a time is not known. */
static void
planned(struct asked *asked)
{
	add_run(asked, 0, run_of((struct made_run){.seed = 7, .n_tasks = TASKS + 5}));
	add_run(asked, 1,
	        run_of((struct made_run){.seed = 8,
	                                 .n_lanes = 5,
	                                 .plan_ns = 4 * MS,
	                                 .factor = lane_and_kind,
	                                 .kind = rare_kind}));
	for (unsigned r = 0; r < 2; r++) {
		struct schedule *schedule = asked->runs[r * RUNS_MAX].schedule;
		for (size_t t = r; t < schedule->n_tasks; t += 13) {
			schedule->tasks[t].enqueued_ns = SCHEDULE_NO_TIME;
		}
		for (size_t t = r + 5; t < schedule->n_tasks; t += 17) {
			schedule->tasks[t].planned_ns = SCHEDULE_NO_TIME;
		}
	}
	turn(asked->runs[0].schedule);
}

static void
of_spans(struct asked *asked)
{
	add_run(asked, 0, steps(3, 0));
	add_run(asked, 1, steps(4, 0.6));
	as_spans(asked->runs[0].schedule);
	as_spans(asked->runs[RUNS_MAX].schedule);
	turn(asked->runs[RUNS_MAX].schedule);
}

static void
at_barriers(struct asked *asked)
{
	add_run(asked, 0, barriers(8, 1));
	add_run(asked, 1, barriers(9, 1.4));
}

/* Lanes that do several tasks at once, which take longer the more there are on their lane. */
static void
crowded(struct asked *asked)
{
	static const unsigned at_once[2][4] = {{1, 3, 2, 2}, {4, 1, 2, 5}};
	struct made_task tasks[2 * TASKS];
	for (unsigned r = 0; r < 2; r++) {
		struct prng prng = {r + 5};
		unsigned n = 0;
		for (unsigned lane = 0; lane < 4; lane++) {
			int64_t now = 0;
			for (unsigned done = 0, step = lane; done < 30; step++) {
				unsigned k = at_once[r][step % 4];
				double ns = 20e6 * pow(k, 0.8) * vary(&prng, 0.02);
				for (unsigned i = 0; i < k && done < 30; i++, done++) {
					tasks[n++] = (struct made_task){
					    NULL, (int)(done % 2),   lane,
					    now,  now + (int64_t)ns, SCHEDULE_NO_TIME};
				}
				now += (int64_t)ns;
			}
		}
		add_run(asked, r, made_schedule(tasks, n, NULL, 0, 4, 4));
	}
}

/* Next to nothing: two tasks at once and one of no length, beside one. */
static void
tiny(struct asked *asked)
{
	static const struct made_task a[] = {{NULL, 0, 0, 0, 5 * MS, SCHEDULE_NO_TIME},
	                                     {NULL, 1, 1, 2 * MS, 2 * MS, MS},
	                                     {NULL, 0, 1, 3 * MS, 4 * MS, SCHEDULE_NO_TIME}};
	static const struct made_task b[] = {{NULL, 0, 0, MS, 8 * MS, 0}};
	static const struct made_edge edge = {1, 2, 2 * MS, 3 * MS};
	add_run(asked, 0, made_schedule(a, 3, &edge, 1, 2, 1));
	add_run(asked, 1, made_schedule(b, 1, NULL, 0, 1, 1));
}

static void
groups(struct asked *asked)
{
	for (unsigned side = 0; side < 2; side++) {
		for (size_t k = 0; k < 3 - side; k++) {
			struct sim_params change = {.contention = 0.2,
			                            .link_ns = side ? 20 * MS : 6 * MS};
			change.factor[1] = side ? 1.3 : 1;
			change.factor[3] = 0.98 + 0.02 * (double)((k * 2 + side) % 3);
			add_run(asked, side, sim_of(&change, 50 + 10 * side + k));
		}
	}
	turn(asked->runs[1].schedule);
}

static void
planned_groups(struct asked *asked)
{
	for (unsigned side = 0; side < 2; side++) {
		for (size_t k = 0; k < 2 + side; k++) {
			struct made_run run = {.seed = 70 + 10 * side + k,
			                       .n_tasks = TASKS - (unsigned)k,
			                       .begin_ns = side ? 5 * MS : 0,
			                       .factor = side ? lane_and_kind : NULL,
			                       .kind = k == 1 ? rare_kind : NULL,
			                       .n_lanes = side && k == 2 ? 5 : 4};
			add_run(asked, side, run_of(run));
		}
	}
}

static const struct {
	const char *name;
	void (*add)(struct asked *asked);
} cases[] = {
    {"parts: tasks with inputs", linked},
    {"parts: tasks of a controller", planned},
    {"parts: spans", of_spans},
    {"parts: barriers", at_barriers},
    {"parts: hardly a run", tiny},
    {"parts: crowded lanes", crowded},
    {"parts: inputs that are sent early", sent_early},
    {"parts: groups", groups},
    {"parts: groups of a controller", planned_groups},
};

/* Of several runs, matchings are kept by their stores: each has one, of next to nothing. */
static void
add_stores(struct asked *asked)
{
	for (size_t r = 0; r < 2 * RUNS_MAX; r++) {
		if (asked->runs[r].schedule) {
			struct strbuf trace = {0};
			add_call(&trace, "open", "POSIX", 1, 0, 1, "");
			asked->runs[r].store = import_calls(asked->runs[r].name, &trace);
		}
	}
}

START_TEST(answers)
{
	struct asked asked = {.n_a = 0};
	struct strbuf text = {0};
	struct store *stores[2 * RUNS_MAX];
	cases[_i].add(&asked);
	make_folder();
	if (asked.n_a + asked.n_b > 2) {
		add_stores(&asked);
	}
	for (size_t r = 0; r < 2 * RUNS_MAX; r++) {
		stores[r] = asked.runs[r].store;
	}
	strbuf_printf(&text, "== %s\n", cases[_i].name);
	for (size_t q = 0; q < COUNT_OF(questions); q++) {
		ask(&text, &asked, questions[q].part, questions[q].given);
	}
	check_and_free(cases[_i].name, &asked, &text);
	for (size_t r = 0; r < 2 * RUNS_MAX; r++) {
		store_close(stores[r]);
	}
	remove_folder();
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("explain_answers_parts");
	TCase *tcase = tcase_create("parts");
	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, answers, 0, COUNT_OF(cases));
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
