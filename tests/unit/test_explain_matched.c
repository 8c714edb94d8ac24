/* Matching of tasks and files, the parts about matched tasks, contention and placement. */
#include "config.h"
#include "explain/parts/matched.h"

#include "explain/parts/contention.h"
#include "explain/parts/parts.h"
#include "explain_fixture.h"
#include "unit.h"

static void
assert_stripped(void (*strip)(struct strbuf *, struct slice), const char *text, const char *wanted)
{
	struct strbuf out = {0};
	strip(&out, slice_of(text));
	ck_assert_str_eq(out.data ? out.data : "", wanted);
	strbuf_free(&out);
}

START_TEST(strips_hashes)
{
	assert_stripped(matching_strip, "efi:3ca7e41b9d2f", "efi:");
	assert_stripped(matching_strip, "retrieve(0, 11):66952b78", "retrieve(0, 11):");
	assert_stripped(matching_strip, "x-123e4567-e89b-12d3-a456-426614174000-y", "x--y");
	assert_stripped(matching_strip, "('sum-0a1b2c3d4e5f', 3, 0)", "('sum-', 3, 0)");
	assert_stripped(matching_strip, "feedface", "feedface"); /* a word */
	assert_stripped(matching_strip, "defaced1x", "defaced1x");
	assert_stripped(matching_strip, "run12345678abc", "run12345678abc"); /* not a whole word */
	assert_stripped(matching_strip, "a1b2c3d", "a1b2c3d");               /* too short */
	assert_stripped(matching_strip, "", "");
	assert_stripped(matching_strip, "123e4567-e89b-12d3-a456-4266", "-4266");
	assert_stripped(matching_strip, "fit-123e4567-e89b-12d3-a456", "fit-"); /* cut at a dash */
	assert_stripped(matching_strip, "123e4567-e89b-12d3-a45", "-e89b-12d3-a45");
	assert_stripped(matching_pattern, "ckpt_0012.rank3.pt", "ckpt_#.rank#.pt");
	assert_stripped(matching_pattern, "img_3ca7e41b9d2f.npz", "img_#.npz");
	assert_stripped(matching_pattern, "img-3ca7e41b9d2f.npz", "img-#.npz");
}
END_TEST

static struct matching *
match(const char *const *keys_a, const char *const *keys_b)
{
	struct schedule *runs[2];
	const char *const *keys[2] = {keys_a, keys_b};
	for (int r = 0; r < 2; r++) {
		struct made_task tasks[16];
		size_t n = 0;
		for (; keys[r][n]; n++) {
			int64_t start = 100 - (int64_t)n; /* later ones start earlier */
			tasks[n] =
			    (struct made_task){keys[r][n], 0, 0, start, start, SCHEDULE_NO_TIME};
		}
		runs[r] = made_schedule(tasks, n, NULL, 0, 1, 1);
	}
	struct err err = ERR_INIT;
	struct matching *matching = matching_new(runs[0], runs[1], NULL, &err);
	arena_free(runs[0]->arena);
	arena_free(runs[1]->arena);
	return matching;
}

START_TEST(one_rule_for_a_run)
{
	const char *const a[] = {"efi:11112222", "sot:33334444", "only:55556666", NULL};
	const char *const b[] = {"efi:11112222", "sot:33334444", "only:77778888", NULL};
	struct matching *matching = match(a, b);
	ck_assert_str_eq(matching->rule, "key");
	ck_assert_uint_eq(matching->n_pairs, 2); /* the leftovers are different tasks */
	matching_free(matching);
	const char *const other[] = {"efi:9999aaaa", "sot:0000bbbb", "only:77778888", NULL};
	matching = match(a, other);
	ck_assert_str_eq(matching->rule, "name without hashes, and occurrence");
	ck_assert_uint_eq(matching->n_pairs, 3);
	matching_free(matching);
}
END_TEST

/* A key that stands twice is paired in order of start, and never more than once. */
START_TEST(repeated_keys_pair_in_order)
{
	const char *const a[] = {"x", "x", "y", "x", NULL}, *const b[] = {"x", "y", "x", NULL};
	struct matching *matching = match(a, b);
	ck_assert_uint_eq(matching->n_pairs, 3);
	ck_assert_uint_eq(matching->n_repeated, 3);
	/* Items stand in order of start: of A x y x x, of B x y x. */
	ck_assert_uint_eq(matching->b_of_a[0], 0);
	ck_assert_uint_eq(matching->b_of_a[1], 1);
	ck_assert_uint_eq(matching->b_of_a[2], 2);
	ck_assert_uint_eq(matching->b_of_a[3], MATCHING_NONE);
	matching_free(matching);
}
END_TEST

START_TEST(nothing_to_match)
{
	const char *const none[] = {NULL}, *const some[] = {"x", NULL};
	struct matching *matching = match(none, some);
	ck_assert_uint_eq(matching->n_pairs, 0);
	ck_assert_uint_eq(matching->a_of_b[0], MATCHING_NONE);
	matching_free(matching);
	matching = match(none, none);
	ck_assert_uint_eq(matching->n_pairs, 0);
	matching_free(matching);
}
END_TEST

START_TEST(files_by_path_basename_pattern)
{
	const struct slice a[] = {slice_of("/p/one/x"), slice_of("/p/one/y")};
	const struct slice moved[] = {slice_of("/lus/two/y"), slice_of("/lus/two/x")};
	const struct slice renamed[] = {slice_of("/p/z17"), slice_of("q")};
	const struct slice numbered[] = {slice_of("/p/z4"), slice_of("/q/z5")};
	struct matching *matching = matching_new_files(a, 2, a, 2);
	ck_assert_str_eq(matching->rule, "path");
	matching_free(matching);
	matching = matching_new_files(a, 2, moved, 2);
	ck_assert_str_eq(matching->rule, "basename and occurrence");
	ck_assert_uint_eq(matching->b_of_a[0], 1);
	matching_free(matching);
	matching = matching_new_files(renamed, 2, numbered, 2);
	ck_assert_str_eq(matching->rule, "pattern of the basename, and occurrence");
	ck_assert_uint_eq(matching->n_pairs, 1);
	matching_free(matching);
}
END_TEST

static const struct sim_params base = {.n_tasks = 600,
                                       .n_lanes = 8,
                                       .per_host = 4,
                                       .graph_seed = 5,
                                       .noise_seed = 1,
                                       .noise = 0.03,
                                       .dispatch_ns = MS / 5,
                                       .edge_share = 60};

static struct result *
explain(const struct explain_part *part, const struct sim_params *params_a,
        const struct sim_params *params_b)
{
	struct schedule *a = sim_run(params_a), *b = sim_run(params_b);
	struct result *result = made_explain(part, a, b, NULL);
	ck_assert_ptr_nonnull(result);
	arena_free(a->arena);
	arena_free(b->arena);
	return result;
}

static void
assert_adds_up(const struct result *result, double a_ns, double b_ns)
{
	double sum[3] = {0};
	const char *const names[] = {"A", "B", "delta"};
	for (size_t r = 0; r + 1 < result->n_rows; r++) {
		for (int c = 0; c < 3; c++) {
			sum[c] += made_number(result, r, names[c]);
		}
	}
	size_t last = result->n_rows - 1;
	ck_assert_uint_eq(made_row(result, "sum", NULL), last);
	for (int c = 0; c < 3; c++) {
		ck_assert_double_eq(sum[c], made_number(result, last, names[c]));
	}
	ck_assert_double_eq(sum[0], a_ns);
	ck_assert_double_eq(sum[1], b_ns);
}

static double
total(const struct schedule *schedule)
{
	double sum = 0;
	for (size_t i = 0; i < schedule->n_items; i++) {
		sum += (double)(schedule->items[i].end_ns - schedule->items[i].start_ns);
	}
	return sum;
}

START_TEST(rows_add_up_to_task_time)
{
	struct prng prng = {(uint64_t)_i + 21};
	for (int round = 0; round < 25; round++) {
		struct sim_params params[2];
		struct schedule *runs[2];
		for (int r = 0; r < 2; r++) {
			params[r] = base;
			params[r].n_tasks = 10 + (unsigned)prng_below(&prng, 150);
			params[r].n_lanes = 1 + (unsigned)prng_below(&prng, 9);
			params[r].contention = (double)prng_below(&prng, 3) / 3;
			params[r].noise_seed = prng_next(&prng);
			runs[r] = sim_run(&params[r]);
		}
		static const char *const divisions[] = {"kind", "lane",      "host",
		                                        "time", "lane,kind", "kind,lane,host,time"};
		struct result *result;
		for (size_t i = 0; i < sizeof divisions / sizeof *divisions; i++) {
			const char *const by[] = {divisions[i], i % 2 ? "0ns" : "1s"};
			result = made_explain(&explain_matched, runs[0], runs[1], by);
			assert_adds_up(result, total(runs[0]), total(runs[1]));
			result_free(result);
		}
		/* Contention splits the matched ones: here the tasks that the smaller run has. */
		const struct result *pairs =
		    made_explain(&explain_matched_tasks, runs[0], runs[1], NULL);
		double a_ns = 0, b_ns = 0;
		for (size_t p = 0; p < pairs->n_rows; p++) {
			a_ns += made_number(pairs, p, "a");
			b_ns += made_number(pairs, p, "b");
		}
		ck_assert_uint_eq(pairs->n_rows, params[0].n_tasks < params[1].n_tasks
		                                     ? params[0].n_tasks
		                                     : params[1].n_tasks);
		result = made_explain(&explain_contention, runs[0], runs[1], NULL);
		assert_adds_up(result, a_ns, b_ns);
		result_free(result);
		result_free((struct result *)pairs);
		arena_free(runs[0]->arena);
		arena_free(runs[1]->arena);
	}
}
END_TEST

START_TEST(matched_names_slow_kind)
{
	struct sim_params b = base;
	b.noise_seed = 2;
	b.factor[2] = 1.6;
	struct result *result = explain(&explain_matched, &base, &b);
	ck_assert_uint_eq(made_row(result, "matched", "kind 2"), 0);
	double ratio = made_number(result, 0, "median");
	ck_assert_double_le(fabs(ratio - 1.6), 0.016);
	ck_assert_double_gt(made_number(result, 0, "share"), 0.95);
	ck_assert_double_lt(made_number(result, 0, "q"), 1e-6);
	ck_assert(made_has_note(result, "kind 2 is slower: 1.6 times as long"));
	for (int kind = 0; kind < SIM_KINDS; kind++) {
		char note[32];
		snprintf(note, sizeof note, "kind %d is ", kind);
		ck_assert_int_eq(made_has_note(result, note), kind == 2);
	}
	result_free(result);
	/* Contention does not take it for its own. */
	result = explain(&explain_contention, &base, &b);
	ck_assert_uint_lt(made_row(result, "something else", "kind 2"), 2);
	double part = made_number(result, made_row(result, "something else", "kind 2"), "delta");
	double sum = made_number(result, made_row(result, "sum", NULL), "delta");
	ck_assert_double_le(fabs(part / sum - 1), 0.1);
	result_free(result);
}
END_TEST

START_TEST(matched_lists_tasks_of_one_run)
{
	struct sim_params b = base;
	b.n_tasks = 650;
	struct result *result = explain(&explain_matched, &base, &b);
	size_t n = 0;
	for (int kind = 0; kind < SIM_KINDS; kind++) {
		char name[32];
		snprintf(name, sizeof name, "kind %d", kind);
		size_t row = made_row(result, "only in B", name);
		n += row == SIZE_MAX ? 0 : (size_t)made_number(result, row, "n");
		ck_assert_uint_eq(made_row(result, "only in A", name), SIZE_MAX);
	}
	ck_assert_uint_eq(n, 50);
	result_free(result);
}
END_TEST

START_TEST(two_seeds_name_no_cause)
{
	struct sim_params b = base;
	for (uint64_t seed = 2; seed < 8; seed++) {
		b.noise_seed = seed;
		struct result *result = explain(&explain_matched, &base, &b);
		ck_assert(made_has_note(result, "no kind differs by more than chance"));
		result_free(result);
		result = explain(&explain_contention, &base, &b);
		ck_assert_uint_eq(made_row(result, "concurrency (host)", NULL), SIZE_MAX);
		ck_assert(made_has_note(result, "no contention is to be seen") ||
		          made_has_note(result, "weak") || made_has_note(result, "can't be told"));
		result_free(result);
	}
}
END_TEST

/* Zero durations have no ratio, are counted, and keep their time in the rows. */
START_TEST(zero_durations)
{
	const struct made_task in_a[] = {{"x", 0, 0, 0, 0, SCHEDULE_NO_TIME},
	                                 {"y", 0, 0, 1, 5, SCHEDULE_NO_TIME}};
	const struct made_task in_b[] = {{"x", 0, 0, 0, 7, SCHEDULE_NO_TIME},
	                                 {"y", 0, 0, 7, 7, SCHEDULE_NO_TIME}};
	struct schedule *a = made_schedule(in_a, 2, NULL, 0, 1, 1);
	struct schedule *b = made_schedule(in_b, 2, NULL, 0, 1, 1);
	struct result *result = made_explain(&explain_matched, a, b, NULL);
	assert_adds_up(result, 4, 7);
	ck_assert(made_has_note(result, "2 pairs took no time in one run"));
	ck_assert(isnan(made_number(result, 0, "median")));
	result_free(result);
	result = made_explain(&explain_contention, a, b, NULL);
	assert_adds_up(result, 4, 7);
	ck_assert_double_eq(made_number(result, made_row(result, "something else", NULL), "delta"),
	                    3);
	result_free(result);
	arena_free(a->arena);
	arena_free(b->arena);
}
END_TEST

/* Mean number running, by going through every ns. */
START_TEST(concurrency_by_counting)
{
	struct prng prng = {3};
	for (int round = 0; round < 40; round++) {
		struct made_task tasks[20];
		unsigned n = (unsigned)prng_below(&prng, 20);
		for (unsigned i = 0; i < n; i++) {
			int64_t start = (int64_t)prng_below(&prng, 50);
			tasks[i] = (struct made_task){NULL,
			                              0,
			                              (unsigned)prng_below(&prng, 6),
			                              start,
			                              start + (int64_t)prng_below(&prng, 20),
			                              SCHEDULE_NO_TIME};
		}
		struct schedule *schedule = made_schedule(tasks, n, NULL, 0, 6, 2);
		double *concurrency[DOMAINS];
		contention_concurrency(schedule, concurrency);
		for (size_t i = 0; i < n; i++) {
			const struct schedule_item *item = &schedule->items[i];
			double ran[DOMAINS] = {0}, took = (double)(item->end_ns - item->start_ns);
			for (int64_t t = item->start_ns; t < item->end_ns; t++) {
				for (size_t j = 0; j < n; j++) {
					const struct schedule_item *other = &schedule->items[j];
					bool runs = other->start_ns <= t && t < other->end_ns;
					ran[DOMAIN_LANE] += runs && other->lane == item->lane;
					ran[DOMAIN_HOST] +=
					    runs && other->lane / 2 == item->lane / 2;
					ran[DOMAIN_ALL] += runs;
				}
			}
			for (int d = 0; d < DOMAINS; d++) {
				double wanted = took > 0 ? ran[d] / took : 1;
				ck_assert_double_le(fabs(concurrency[d][i] - wanted), 1e-9);
			}
		}
		for (int d = 0; d < DOMAINS; d++) {
			free(concurrency[d]);
		}
		arena_free(schedule->arena);
	}
}
END_TEST

/* Tasks on one host slow each other: runs have the same lanes on 4, 2 and 1 hosts. */
START_TEST(contention_of_three_runs_is_told)
{
	struct schedule *runs[3];
	struct sim_params params = base;
	params.contention = 0.5;
	for (unsigned r = 0; r < 3; r++) {
		params.per_host = base.n_lanes >> (2 - r);
		params.noise_seed = r + 1;
		runs[r] = sim_run(&params);
	}
	struct result *result = made_explain_runs(&explain_contention, runs, 3, NULL);
	double sum = made_number(result, made_row(result, "sum", NULL), "delta"), along = 0;
	for (size_t r = 0; r < result->n_rows; r++) {
		bool is_along = slice_is(result_value(result, r, 0)->text, "concurrency (host)");
		along += is_along ? made_number(result, r, "delta") : 0;
	}
	ck_assert_msg(fabs(along / sum - 1) < 0.05, "%g of %g", along, sum);
	ck_assert(made_has_note(result, "the more run at once on its host ("));
	ck_assert(made_has_note(result, "slopes of the other runs foretell"));
	ck_assert(!made_has_note(result, "cannot be told"));
	result_free(result);
	result = made_explain_runs(&explain_contention_fit, runs, 3, NULL);
	for (size_t r = 0; r < result->n_rows; r++) {
		if (slice_is(result_value(result, r, 1)->text, "host")) {
			ck_assert_double_lt(fabs(made_number(result, r, "slope") - 0.5), 0.05);
			ck_assert_double_lt(fabs(made_number(result, r, "early_slope") - 0.5),
			                    0.05);
		}
	}
	result_free(result);
	/* Two of them can't. */
	result = made_explain(&explain_contention, runs[0], runs[2], NULL);
	ck_assert(made_has_note(result, "weak: "));
	ck_assert(made_has_note(result, "cannot be told from a slower machine: give a third run"));
	result_free(result);
	for (unsigned r = 0; r < 3; r++) {
		arena_free(runs[r]->arena);
	}
}
END_TEST

/* Runs whose tasks are slower for another reason show no contention, whatever runs at once. */
START_TEST(slower_runs_are_no_contention)
{
	struct schedule *runs[4];
	struct sim_params params = base;
	static const double factor[4] = {1.4, 1, 1.5, 1.1};
	for (unsigned r = 0; r < 4; r++) {
		params.per_host = base.n_lanes >> (3 - r);
		params.noise_seed = r + 1;
		for (int k = 0; k < SIM_KINDS; k++) {
			params.factor[k] = factor[r];
		}
		runs[r] = sim_run(&params);
	}
	struct result *result = made_explain_runs(&explain_contention, runs, 4, NULL);
	ck_assert(!made_has_note(result, "foretell a run with"));
	result_free(result);
	for (unsigned r = 0; r < 4; r++) {
		arena_free(runs[r]->arena);
	}
}
END_TEST

/* Tasks that are long at the end, alone on their host then, and so the faster the more run at once:
 * a slope below 0, which is none. */
START_TEST(long_tails_are_no_contention)
{
	struct made_task tasks[2][44];
	struct schedule *runs[2];
	for (unsigned r = 0; r < 2; r++) {
		for (unsigned i = 0; i < 44; i++) {
			int64_t took = i >= 40 && r ? 1000 + i : 100 + i % 3;
			int64_t start = i / 4 * 120;
			tasks[r][i] = (struct made_task){
			    NULL, 0, i % 4, start, start + took, SCHEDULE_NO_TIME};
		}
		tasks[r][43].end += r ? 4000 : 0;
		runs[r] = made_schedule(tasks[r], 44, NULL, 0, 4, 4);
	}
	struct result *result = made_explain(&explain_contention, runs[0], runs[1], NULL);
	ck_assert(made_has_note(result, "no contention is to be seen"));
	double sum = made_number(result, made_row(result, "sum", NULL), "delta");
	ck_assert_double_eq(
	    made_number(result, made_row(result, "something else", "kind 0"), "delta"), sum);
	result_free(result);
	arena_free(runs[0]->arena);
	arena_free(runs[1]->arena);
}
END_TEST

/* Tasks that begin alone, before others do, and so the more run at once the longer they take: their
 * own length makes the concurrency, not the other way round. */
START_TEST(own_length_is_no_contention)
{
	enum { TASKS = 80 };
	struct made_task tasks[3][TASKS];
	struct schedule *runs[3];
	for (unsigned r = 0; r < 3; r++) {
		for (unsigned i = 0; i < TASKS; i++) {
			int64_t begin = i / 8 * 10000;
			bool is_long = i % 8 == 0;
			int64_t start = is_long ? begin : begin + 1000;
			int64_t took = is_long ? 1000 * (1 + 3 * r) + i : 8000 + i % 3;
			tasks[r][i] = (struct made_task){NULL,  is_long ? 0 : 1, i % 8,
			                                 start, start + took,    SCHEDULE_NO_TIME};
		}
		runs[r] = made_schedule(tasks[r], TASKS, NULL, 0, 8, 8);
	}
	struct result *result = made_explain_runs(&explain_contention, runs, 3, NULL);
	ck_assert(made_has_note(result, "not where the concurrency of their beginnings is taken"));
	ck_assert(!made_has_note(result, "slopes of the other runs foretell"));
	result_free(result);
	for (unsigned r = 0; r < 3; r++) {
		arena_free(runs[r]->arena);
	}
}
END_TEST

/* The same schedule on renamed lanes is the same schedule. */
START_TEST(placement_under_relabelling)
{
	struct made_task in_a[60], in_b[60];
	for (unsigned i = 0; i < 60; i++) {
		in_a[i] = (struct made_task){NULL, 0, i % 6, i * 10, i * 10 + 5, SCHEDULE_NO_TIME};
		in_b[i] = in_a[i];
		in_b[i].lane = (i % 6 * 5 + 3) % 6;
	}
	in_b[0].lane = in_b[1].lane;
	struct schedule *a = made_schedule(in_a, 60, NULL, 0, 6, 2);
	struct schedule *b = made_schedule(in_b, 60, NULL, 0, 6, 2);
	struct result *result = made_explain(&explain_placement, a, b, NULL);
	double alike =
	    made_number(result, made_row(result, "placed on the same lane", NULL), "both");
	double rho =
	    made_number(result, made_row(result, "start order, Spearman's rho", NULL), "both");
	ck_assert_double_le(fabs(alike - 59.0 / 60), 1e-12);
	ck_assert_double_le(fabs(rho - 1), 1e-12);
	ck_assert(made_has_note(result, "the schedules are alike"));
	result_free(result);
	result = made_explain(&explain_placement_lanes, a, b, NULL);
	ck_assert_uint_eq(result->n_rows, 6);
	double common = 0;
	for (size_t r = 0; r < 6; r++) {
		common += made_number(result, r, "in_common");
	}
	ck_assert_double_eq(common, 59);
	result_free(result);
	arena_free(a->arena);
	arena_free(b->arena);
}
END_TEST

START_TEST(placement_of_other_schedule)
{
	struct made_task in_a[200], in_b[200];
	struct prng prng = {4};
	for (unsigned i = 0; i < 200; i++) {
		in_a[i] = (struct made_task){NULL, 0, i % 8, i * 10, i * 10 + 5, SCHEDULE_NO_TIME};
		in_b[i] = in_a[i];
		in_b[i].lane = (unsigned)prng_below(&prng, 5);
		in_b[i].start = (int64_t)prng_below(&prng, 2000);
		in_b[i].end = in_b[i].start + 5;
	}
	struct schedule *a = made_schedule(in_a, 200, NULL, 0, 8, 2);
	struct schedule *b = made_schedule(in_b, 200, NULL, 0, 5, 2);
	struct result *result = made_explain(&explain_placement, a, b, NULL);
	ck_assert_double_lt(
	    made_number(result, made_row(result, "placed on the same lane", NULL), "both"), 0.4);
	ck_assert(made_has_note(result, "differ in structure"));
	result_free(result);
	result = made_explain(&explain_placement_lanes, a, b, NULL);
	ck_assert_uint_eq(result->n_rows, 8);
	result_free(result);
	arena_free(a->arena);
	arena_free(b->arena);
}
END_TEST

START_TEST(transfers_by_data_set)
{
	const struct made_task tasks[] = {{"x", 0, 0, 0, 10, SCHEDULE_NO_TIME},
	                                  {"y", 0, 1, 20, 30, SCHEDULE_NO_TIME},
	                                  {"z", 0, 2, 20, 30, SCHEDULE_NO_TIME}};
	const struct made_edge edges[] = {{0, 1, 10, 15}, {0, 2, 10, 18}};
	struct schedule *a = made_schedule(tasks, 3, edges, 1, 3, 1);
	struct schedule *b = made_schedule(tasks, 3, edges, 2, 3, 1);
	struct result *result = made_explain(&explain_placement_transfers, a, b, NULL);
	ck_assert_uint_eq(result->n_rows, 1);
	ck_assert_double_eq(made_number(result, 0, "a"), 1);
	ck_assert_double_eq(made_number(result, 0, "b"), 2);
	ck_assert_double_eq(made_number(result, 0, "time_b"), 13);
	result_free(result);
	result = made_explain(&explain_placement, a, b, NULL);
	ck_assert_double_eq(
	    made_number(result, made_row(result, "transfers per data set", NULL), "b"), 2);
	result_free(result);
	arena_free(a->arena);
	arena_free(b->arena);
}
END_TEST

START_TEST(empty_runs)
{
	struct schedule *a = made_schedule(NULL, 0, NULL, 0, 1, 1);
	static const struct explain_part *const parts[] = {&explain_matched,
	                                                   &explain_matched_tasks,
	                                                   &explain_contention,
	                                                   &explain_contention_fit,
	                                                   &explain_placement,
	                                                   &explain_placement_lanes,
	                                                   &explain_placement_transfers,
	                                                   &explain_replay,
	                                                   &explain_what_if};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		struct result *result = made_explain(parts[i], a, a, NULL);
		ck_assert_ptr_nonnull(result);
		result_free(result);
	}
	arena_free(a->arena);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("explain_matched");
	TCase *tcase = tcase_create("matching");
	tcase_add_test(tcase, strips_hashes);
	tcase_add_test(tcase, one_rule_for_a_run);
	tcase_add_test(tcase, repeated_keys_pair_in_order);
	tcase_add_test(tcase, nothing_to_match);
	tcase_add_test(tcase, files_by_path_basename_pattern);
	suite_add_tcase(suite, tcase);
	tcase = tcase_create("matched");
	tcase_add_loop_test(tcase, rows_add_up_to_task_time, 0, 4);
	tcase_add_test(tcase, matched_names_slow_kind);
	tcase_add_test(tcase, matched_lists_tasks_of_one_run);
	tcase_add_test(tcase, two_seeds_name_no_cause);
	tcase_add_test(tcase, zero_durations);
	tcase_add_test(tcase, empty_runs);
	suite_add_tcase(suite, tcase);
	tcase = tcase_create("contention");
	tcase_add_test(tcase, concurrency_by_counting);
	tcase_add_test(tcase, contention_of_three_runs_is_told);
	tcase_add_test(tcase, slower_runs_are_no_contention);
	tcase_add_test(tcase, own_length_is_no_contention);
	tcase_add_test(tcase, long_tails_are_no_contention);
	suite_add_tcase(suite, tcase);
	tcase = tcase_create("placement");
	tcase_add_test(tcase, placement_under_relabelling);
	tcase_add_test(tcase, placement_of_other_schedule);
	tcase_add_test(tcase, transfers_by_data_set);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
