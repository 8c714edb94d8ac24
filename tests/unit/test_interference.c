/* How durations go along with what runs beside: sums against a reference span by span, and runs
 * with an effect that is known, or none. */
#include "config.h"
#include "column/ops/interference.h"

#include <inttypes.h>

#include "unit/scan_fixture.h"
#include "util/order.h"

/* --- sums ----------------------------------------------------------------- */

static bool
counts(const struct fixture *fixture, const struct fixture_row *row, const char *name)
{
	return row->duration > 0 && fixture->dataset.lanes[row->lane].kind != LANE_AGGREGATE &&
	       (!name || (row->name && strcmp(row->name, name) == 0));
}

static int64_t
beside_by_hand(const struct fixture *fixture, const struct fixture_row *span, const char *others,
               bool anywhere)
{
	const struct lane *lanes = fixture->dataset.lanes;
	size_t n = 0, n_rows = fixture->n_rows[BLOCK_SPAN];
	struct interval *all = xcalloc(n_rows + 1, sizeof *all);
	for (size_t i = 0; i < n_rows; i++) {
		const struct fixture_row *row = &fixture->rows[BLOCK_SPAN][i];
		int64_t start = MOST(row->start, span->start);
		int64_t end = LEAST(row->start + row->duration, span->start + span->duration);
		bool is_there = anywhere || lanes[row->lane].host == lanes[span->lane].host;
		if (counts(fixture, row, others) && row->lane != span->lane && is_there &&
		    start < end) {
			all[n++] = (struct interval){start, end};
		}
	}
	n = intervals_union(all, n);
	int64_t length = intervals_length(all, n);
	free(all);
	return length;
}

static void
check_row(const struct fixture *fixture, const struct interference_row *row, const char *of,
          const char *others, bool anywhere)
{
	struct interference_row want = {0};
	for (size_t i = 0; i < fixture->n_rows[BLOCK_SPAN]; i++) {
		const struct fixture_row *span = &fixture->rows[BLOCK_SPAN][i];
		bool is_in = row->level != OF_LANE || span->lane == row->lane;
		if (counts(fixture, span, of) && is_in) {
			int64_t beside = beside_by_hand(fixture, span, others, anywhere);
			want.n++;
			want.sum_ns += span->duration;
			want.beside_ns += beside;
			want.n_beside += beside * 20 >= span->duration;
		}
	}
	FIXTURE_CHECK(row->n == want.n && row->sum_ns == want.sum_ns &&
	                  row->beside_ns == want.beside_ns && row->n_beside == want.n_beside,
	              "lane %d: %" PRId64 " %" PRId64 " %" PRId64 ", not %" PRId64 " %" PRId64
	              " %" PRId64,
	              (int)row->lane, row->n, row->n_beside, row->beside_ns, want.n, want.n_beside,
	              want.beside_ns);
}

START_TEST(sums_by_hand)
{
	struct fixture *fixture = fixture_new(61, 300, 120, false);
	struct err err = ERR_INIT;
	for (int i = 0; i < 8; i++) {
		const char *of = i & 1 ? "read" : NULL, *others = i & 2 ? "write" : NULL;
		struct interference_request request = {.of = of ? "name = 'read'" : "",
		                                       .beside = others ? "name = 'write'" : "",
		                                       .within = i & 4 ? INTERFERENCE_RUN
		                                                       : INTERFERENCE_HOST};
		struct interferences found;
		fixture->dataset.n_threads = (unsigned)i % 3 + 1;
		ck_assert_int_eq(interference_run(&fixture->dataset, &request, &found, &err), 0);
		ck_assert_uint_gt(found.n, 1);
		for (size_t r = 0; r < found.n; r++) {
			if (found.rows[r].level == OF_RUN || found.rows[r].level == OF_LANE) {
				check_row(fixture, &found.rows[r], of, others, i & 4);
			}
		}
		free(found.rows);
	}
	fixture_free(fixture);
}
END_TEST

START_TEST(extremes_do_not_overflow)
{
	struct fixture *fixture = fixture_new(62, 300, 120, true);
	struct interference_request request = {
	    .of = "", .beside = "name = 'read'", .within = INTERFERENCE_RUN, .n_shifts = 50};
	struct interferences found;
	struct err err = ERR_INIT;
	ck_assert_int_eq(interference_run(&fixture->dataset, &request, &found, &err), 0);
	ck_assert_int_ge(found.rows[0].beside_ns, 0);
	ck_assert_int_le(found.rows[0].beside_ns, found.rows[0].sum_ns);
	free(found.rows);
	fixture_free(fixture);
}
END_TEST

/* --- runs with a known effect --------------------------------------------- */

#define LANES 4 /* steps on the first three, flushes on the last */
#define MS 1000000

struct made_run {
	struct intern *texts, *keys;
	struct lane lanes[LANES];
	struct block **blocks;
	size_t n_blocks, capacity;
	struct memory_dataset *memory;
};

static int
take_block(void *user, struct block *block, const struct span_key *keys)
{
	struct made_run *run = user;
	(void)keys;
	MEM_GROW(run->blocks, run->capacity, run->n_blocks + 1);
	run->blocks[run->n_blocks++] = block;
	return 0;
}

static void
add_span(struct block_builder *builder, struct intern *texts, const char *name, uint32_t lane,
         double start, double end)
{
	struct span span = {.start_ns = (int64_t)start,
	                    .duration_ns = (int64_t)(end - start),
	                    .lane = lane,
	                    .name = intern_id(texts, slice_of(name)),
	                    .category = TEXT_NONE,
	                    .path = TEXT_NONE,
	                    .size_bytes = SIZE_NONE,
	                    .calls = 1};
	ck_assert_int_eq(block_builder_span(builder, &span), 0);
}

static double
uniform(struct prng *prng)
{
	return (double)(prng_next(prng) >> 11) / 0x1p53;
}

/* Steps of about 10 ms whose work goes up and down slowly; a flush at times, while which a step
 * gets on by 1 - slowed. */
static struct made_run *
made_run_new(uint64_t seed, size_t n_steps, double slowed, bool are_numbered)
{
	struct made_run *run = xcalloc(1, sizeof *run);
	struct prng prng = {seed};
	size_t n_flushes = n_steps / 8;
	double *flushes = xcalloc(2 * n_flushes + 2, sizeof *flushes), at = 0;
	char name[32];
	run->texts = intern_new();
	run->keys = intern_new();
	for (uint32_t l = 0; l < LANES; l++) {
		run->lanes[l] = (struct lane){.host = TEXT_NONE,
		                              .process = {.type = IDENT_INTEGER, .integer = l},
		                              .name = TEXT_NONE,
		                              .kind = LANE_THREAD};
	}
	struct block_receiver receiver = {run, take_block};
	struct block_builder *builder =
	    block_builder_new(BLOCK_SPAN, 0, run->texts, 256, &receiver);
	for (size_t f = 0; f < n_flushes; f++) {
		flushes[2 * f] = at += MS * (10 + 90 * uniform(&prng));
		flushes[2 * f + 1] = at += MS * (10 + 50 * uniform(&prng));
		add_span(builder, run->texts, "flush", LANES - 1, flushes[2 * f], at);
	}
	flushes[2 * n_flushes] = INFINITY;
	for (uint32_t lane = 0; lane < LANES - 1; lane++) {
		double time = MS * uniform(&prng), slow = 1;
		for (size_t i = 0, edge = 0; i < n_steps; i++) {
			slow = 0.8 * slow + 0.2 * (0.5 + uniform(&prng));
			double work = 10 * MS * slow * (0.95 + 0.1 * uniform(&prng)), start = time;
			while (work > 0) {
				while (flushes[edge] <= time) {
					edge++;
				}
				double rate = edge % 2 ? 1 - slowed : 1;
				double most = fmin(flushes[edge] - time, work / rate);
				time += most;
				work = most < work / rate ? work - most * rate : 0;
			}
			snprintf(name, sizeof name, are_numbered ? "step %zu" : "step", i);
			add_span(builder, run->texts, name, lane, start, time);
			time += MS * uniform(&prng);
		}
	}
	ck_assert_int_eq(block_builder_flush(builder), 0);
	block_builder_free(builder);
	free(flushes);
	run->memory = memory_dataset_new(run->blocks, run->n_blocks, &run->texts, &run->keys,
	                                 (const struct lane *const[]){run->lanes},
	                                 (const uint32_t[]){LANES}, 1);
	return run;
}

static void
made_run_free(struct made_run *run)
{
	memory_dataset_free(run->memory);
	intern_free(run->texts);
	intern_free(run->keys);
	free(run->blocks);
	free(run);
}

static struct interference_row
ask(const struct made_run *run, uint64_t seed, uint32_t sample, unsigned n_threads)
{
	struct dataset dataset = *memory_dataset_get(run->memory);
	struct interference_request request = {.of = "name GLOB 'step*'",
	                                       .beside = "name = 'flush'",
	                                       .n_shifts = 199,
	                                       .seed = seed,
	                                       .sample = sample};
	struct interferences found;
	struct err err = ERR_INIT;
	dataset.n_threads = n_threads;
	ck_assert_msg(interference_run(&dataset, &request, &found, &err) == 0, "%s", err.message);
	ck_assert_uint_eq(found.n, LANES); /* the run, and three lanes */
	struct interference_row row = found.rows[0];
	ck_assert_int_eq(row.level, OF_RUN);
	free(found.rows);
	return row;
}

START_TEST(planted_effects_are_found)
{
	static const double slowed[] = {0.1, 0.3, 0.5, -0.25};
	for (size_t i = 0; i < sizeof slowed / sizeof *slowed; i++) {
		struct made_run *run = made_run_new(10 + i, 600, slowed[i], i == 1);
		struct interference_row row = ask(run, 1, 0, 1);
		ck_assert_msg(fabs(row.slowed - slowed[i]) < 0.03, "%g for %g", row.slowed,
		              slowed[i]);
		ck_assert_msg(row.low <= slowed[i] && slowed[i] <= row.high, "%g to %g for %g",
		              row.low, row.high, slowed[i]);
		ck_assert_double_gt(row.low * row.high, 0);
		ck_assert_double_lt(row.chance, 0.05);
		ck_assert_int_eq(row.together_ns > row.apart_ns, slowed[i] > 0);
		made_run_free(run);
	}
}
END_TEST

/* Durations go up and down together for a while, and so do flushes: chance gives more than it would
 * were each by itself, and still the range of 95 % holds 0 in nearly as many. */
START_TEST(no_effect_is_none)
{
	int n_held = 0;
	for (uint64_t seed = 0; seed < 100; seed++) {
		struct made_run *run = made_run_new(1000 + seed, 400, 0, false);
		struct interference_row row = ask(run, seed, 0, 1);
		n_held += row.low <= 0 && row.high >= 0;
		ck_assert_double_lt(fabs(row.slowed), 0.06);
		made_run_free(run);
	}
	ck_assert_int_ge(n_held, 90);
}
END_TEST

/* The seed alone decides; a sample makes the range but wider. */
START_TEST(threads_do_not_matter)
{
	struct made_run *run = made_run_new(5, 500, 0.2, false);
	struct interference_row one = ask(run, 7, 0, 1), four = ask(run, 7, 0, 4);
	ck_assert_int_eq(memcmp(&one, &four, sizeof one), 0);
	one = ask(run, 7, 200, 1);
	four = ask(run, 7, 200, 4);
	ck_assert_int_eq(memcmp(&one, &four, sizeof one), 0);
	ck_assert_double_lt(one.low, 0.2);
	ck_assert_double_gt(one.high, 0.2);
	made_run_free(run);
}
END_TEST

START_TEST(nothing_to_compare)
{
	struct made_run *run = made_run_new(5, 100, 0, false);
	struct interference_request request = {
	    .of = "name = 'step'", .beside = "id < 0", .n_shifts = 19};
	struct interferences found;
	struct err err = ERR_INIT;
	const struct dataset *dataset = memory_dataset_get(run->memory);
	ck_assert_int_eq(interference_run(dataset, &request, &found, &err), 0);
	ck_assert(isnan(found.rows[0].slowed) && isnan(found.rows[0].low));
	ck_assert(isnan(found.rows[0].together_ns));
	free(found.rows);
	request.of = "id < 0";
	ck_assert_int_eq(interference_run(dataset, &request, &found, &err), 0);
	ck_assert_uint_eq(found.n, 0);
	free(found.rows);
	request.of = "nme = 1";
	ck_assert_int_eq(interference_run(dataset, &request, &found, &err), -1);
	ck_assert_int_eq(err.code, ERR_QUERY);
	made_run_free(run);
}
END_TEST

static Suite *
make_suite(void)
{
	Suite *suite = suite_create("interference");
	TCase *tcase = tcase_create("interference");
	tcase_add_test(tcase, sums_by_hand);
	tcase_add_test(tcase, extremes_do_not_overflow);
	tcase_add_test(tcase, planted_effects_are_found);
	tcase_add_test(tcase, no_effect_is_none);
	tcase_add_test(tcase, threads_do_not_matter);
	tcase_add_test(tcase, nothing_to_compare);
	suite_add_tcase(suite, tcase);
	return suite;
}

int
main(void)
{
	return unit_run(make_suite());
}
