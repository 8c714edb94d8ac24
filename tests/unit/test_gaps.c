/* Gaps and idle sums against a reference that looks for the next span at each span's end. Random
 * spans stand on a coarse grid of times, so that many nest, overlap, touch, start together or have
 * no length; little memory makes many windows. */
#include "config.h"
#include "column/ops/gaps.h"
#include "column/ops/block_order.h"

#include <inttypes.h>

#include "unit/scan_fixture.h"

#define GRID_SOURCES 2
#define GRID_LANES 3 /* lane 0 is the same in both sources; some are of one process */
#define GRID_BLOCK_ROWS 64

static const char *const grid_names[] = {"read", "write", "seek"};

/* What the reference needs of a span. */
struct plain {
	int64_t id, start, end;
	uint32_t lane;
	const char *name;
};

struct grid {
	struct prng prng;
	struct intern *texts[GRID_SOURCES], *keys[GRID_SOURCES];
	struct lane lanes[GRID_SOURCES][GRID_LANES];
	struct block **blocks;
	size_t n_blocks, capacity;
	struct memory_dataset *memory;
	struct dataset dataset;
	struct plain *given, *spans; /* of the source being built; of all, by id - 1 */
	size_t n;
};

static int
take_block(void *user, struct block *block, const struct span_key *keys)
{
	struct grid *grid = user;
	(void)keys;
	grid->blocks =
	    mem_grow(grid->blocks, &grid->capacity, grid->n_blocks + 1, sizeof *grid->blocks);
	grid->blocks[grid->n_blocks++] = block;
	for (uint32_t i = 0; i < block->info.n_rows; i++) {
		size_t from = block->ordinals ? block->ordinals[i] : block->first_ordinal + i;
		grid->spans[grid->n] = grid->given[from];
		grid->spans[grid->n].id = (int64_t)grid->n + 1;
		grid->n++;
	}
	return 0;
}

/* In which order a source's spans come, and how sources stand to each other. */
enum order { BY_CHANCE, ONE_AFTER_ANOTHER, SIDE_BY_SIDE };

/* Starts of spans that come in order rise with them, but for a few. */
static int64_t
make_start(struct grid *grid, size_t i, size_t n, uint32_t source, int64_t times, enum order order)
{
	int64_t start = (int64_t)prng_below(&grid->prng, (uint64_t)times);
	int64_t in_order = (int64_t)i * times / (int64_t)n + start % (3 * times / (int64_t)n + 1);

	return order == BY_CHANCE           ? start
	       : order == ONE_AFTER_ANOTHER ? in_order + source * times
	                                    : in_order;
}

/* Of spans in order some are so long that they stand in blocks of their own. */
static int64_t
make_duration(struct grid *grid, int64_t longest, enum order order)
{
	uint64_t factor = order != BY_CHANCE && prng_below(&grid->prng, 100) == 0 ? 1000 : 1;

	return (int64_t)prng_below(&grid->prng, (uint64_t)longest * factor + 1);
}

static void
build_source(struct grid *grid, uint32_t source, size_t n, int64_t times, int64_t longest,
             enum order order)
{
	struct block_receiver receiver = {grid, take_block};
	struct block_builder *builder =
	    block_builder_new(BLOCK_SPAN, source, grid->texts[source], GRID_BLOCK_ROWS, &receiver);
	for (size_t i = 0; i < n; i++) {
		struct plain *plain = &grid->given[i];
		*plain = (struct plain){.start = make_start(grid, i, n, source, times, order),
		                        .lane = (uint32_t)prng_below(&grid->prng, GRID_LANES),
		                        .name = grid_names[prng_below(&grid->prng, 3)]};
		plain->end = plain->start + make_duration(grid, longest, order);
		struct span span = {.start_ns = plain->start,
		                    .duration_ns = plain->end - plain->start,
		                    .lane = plain->lane,
		                    .name = intern_id(grid->texts[source], slice_of(plain->name)),
		                    .category = TEXT_NONE,
		                    .path = TEXT_NONE,
		                    .size_bytes = SIZE_NONE,
		                    .calls = 1};
		ck_assert_int_eq(block_builder_span(builder, &span), 0);
	}
	ck_assert_int_eq(block_builder_flush(builder), 0);
	block_builder_free(builder);
}

static struct grid *
grid_new(uint64_t seed, size_t n, int64_t times, int64_t longest, enum order order)
{
	struct grid *grid = xcalloc(1, sizeof *grid);
	const struct lane *lanes[GRID_SOURCES];
	uint32_t n_lanes[GRID_SOURCES];
	size_t first = 0;
	grid->prng.state = seed;
	grid->given = xcalloc(n, sizeof *grid->given);
	grid->spans = xcalloc(n * GRID_SOURCES, sizeof *grid->spans);
	for (uint32_t source = 0; source < GRID_SOURCES; source++) {
		grid->texts[source] = intern_new();
		grid->keys[source] = intern_new();
		for (int i = 0; i < GRID_LANES; i++) {
			bool is_shared = i == 0 && order != SIDE_BY_SIDE;
			int64_t thread = is_shared ? 0 : (int64_t)source * 10 + i;
			grid->lanes[source][i] =
			    (struct lane){.host = TEXT_NONE,
			                  .process = {IDENT_INTEGER, .integer = thread % 10 % 2},
			                  .thread = {IDENT_INTEGER, .integer = thread},
			                  .name = TEXT_NONE,
			                  .kind = LANE_THREAD};
		}
		lanes[source] = grid->lanes[source];
		n_lanes[source] = GRID_LANES;
		build_source(grid, source, n, times, longest, order);
	}
	grid->memory = memory_dataset_new(grid->blocks, grid->n_blocks, grid->texts, grid->keys,
	                                  lanes, n_lanes, GRID_SOURCES);
	grid->dataset = *memory_dataset_get(grid->memory);
	for (size_t i = 0; i < grid->n; i++) {
		struct plain *plain = &grid->spans[i];
		first += i == n;
		plain->start -= memory_dataset_origin(grid->memory);
		plain->end -= memory_dataset_origin(grid->memory);
		plain->lane = grid->dataset.sources[first].lanes[plain->lane];
	}
	return grid;
}

static void
grid_free(struct grid *grid)
{
	memory_dataset_free(grid->memory);
	for (int source = 0; source < GRID_SOURCES; source++) {
		intern_free(grid->texts[source]);
		intern_free(grid->keys[source]);
	}
	free(grid->blocks);
	free(grid->given);
	free(grid->spans);
	free(grid);
}

/* --- The reference -------------------------------------------------------- */

struct expected {
	struct gap *gaps; /* all that count, sorted */
	struct lane_gaps *lanes;
	size_t n;
};

static int
compare_gaps(const void *left, const void *right)
{
	const struct gap *a = left, *b = right;
	int64_t length_a = a->end_ns - a->start_ns, length_b = b->end_ns - b->start_ns;
	if (length_a != length_b) {
		return length_a > length_b ? -1 : 1;
	}
	if (a->lane != b->lane) {
		return a->lane < b->lane ? -1 : 1;
	}
	return a->start_ns < b->start_ns ? -1 : a->start_ns > b->start_ns;
}

static void
offer(struct gap_neighbour *best, const struct plain *span, bool is_lane)
{
	int64_t duration = span->end - span->start;
	if (best->id == 0 || (is_lane && duration > best->duration_ns)) {
		*best = (struct gap_neighbour){span->id, duration, TEXT_NONE, 0};
	}
}

/* A gap begins at the end of a span if all spans of the lane that end later start later, too. */
static struct expected
reference(const struct plain *spans, size_t n, uint32_t n_lanes, int64_t least, bool is_lane)
{
	struct expected expected = {xcalloc(n, sizeof(struct gap)),
	                            xcalloc(n_lanes, sizeof(struct lane_gaps)), 0};
	for (size_t i = 0; i < n; i++) {
		struct lane_gaps *lane = &expected.lanes[spans[i].lane];
		struct gap gap = {.start_ns = spans[i].end, .end_ns = INT64_MAX};
		bool is_first = true;
		if (lane->n_spans++ == 0) {
			lane->start_ns = INT64_MAX;
		}
		lane->start_ns = spans[i].start < lane->start_ns ? spans[i].start : lane->start_ns;
		lane->end_ns = spans[i].end > lane->end_ns ? spans[i].end : lane->end_ns;
		for (size_t k = 0; k < n; k++) {
			if (spans[k].lane == spans[i].lane && spans[k].end > gap.start_ns &&
			    spans[k].start < gap.end_ns) {
				gap.end_ns = spans[k].start;
			}
			is_first = is_first && (k >= i || spans[k].lane != spans[i].lane ||
			                        spans[k].end != spans[i].end);
		}
		if (!is_first || gap.end_ns == INT64_MAX || gap.end_ns <= gap.start_ns) {
			continue;
		}
		gap.lane = spans[i].lane;
		lane->uncovered_ns += gap.end_ns - gap.start_ns;
		if (gap.end_ns - gap.start_ns >= least) {
			expected.gaps[expected.n++] = gap;
		}
	}
	qsort(expected.gaps, expected.n, sizeof *expected.gaps, compare_gaps);
	for (size_t i = 0; i < expected.n; i++) {
		struct gap *gap = &expected.gaps[i];
		struct lane_gaps *lane = &expected.lanes[gap->lane];
		int64_t length = gap->end_ns - gap->start_ns;
		lane->idle_ns += length;
		if (lane->n_gaps++ == 0) {
			lane->longest_ns = length;
			lane->longest_start_ns = gap->start_ns;
		}
		for (size_t k = 0; k < n; k++) {
			if (spans[k].lane == gap->lane && spans[k].end == gap->start_ns) {
				offer(&gap->before, &spans[k], is_lane);
			}
			if (spans[k].lane == gap->lane && spans[k].start == gap->end_ns) {
				offer(&gap->after, &spans[k], is_lane);
			}
		}
	}
	return expected;
}

static void
check_neighbour(const struct dataset *dataset, const struct plain *spans,
                const struct gap_neighbour *got, const struct gap_neighbour *want)
{
	FIXTURE_CHECK(got->id == want->id, "span %" PRId64 ", not %" PRId64, got->id, want->id);
	FIXTURE_CHECK(
	    got->name < dataset->n_texts &&
		slice_equal(dataset->texts[got->name], slice_of(spans[want->id - 1].name)),
	    "name of span %" PRId64, got->id);
}

static void
check(const struct dataset *dataset, const struct plain *spans, size_t n_spans,
      const struct expected *expected, const struct gaps_request *request)
{
	struct err err = ERR_INIT;
	struct gaps gaps;
	size_t n = expected->n < (size_t)request->limit ? expected->n : (size_t)request->limit;
	ck_assert_msg(gaps_run(dataset, request, &gaps, &err) == 0, "%s", err.message);
	ck_assert_uint_eq(gaps.n_lanes, dataset->n_lanes);
	for (uint32_t lane = 0; lane < gaps.n_lanes && request->within == GAPS_LANE; lane++) {
		const struct lane_gaps *got = &gaps.lanes[lane], *want = &expected->lanes[lane];
		FIXTURE_CHECK(memcmp(got, want, sizeof *got) == 0,
		              "lane %u: %" PRId64 " spans, %" PRId64 " gaps, idle %" PRId64
		              ", not %" PRId64 ", %" PRId64 ", %" PRId64,
		              lane, got->n_spans, got->n_gaps, got->idle_ns, want->n_spans,
		              want->n_gaps, want->idle_ns);
	}
	ck_assert_uint_eq(gaps.n_gaps, n);
	for (size_t i = 0; i < n; i++) {
		FIXTURE_CHECK(compare_gaps(&gaps.gaps[i], &expected->gaps[i]) == 0,
		              "gap %zu: lane %u from %" PRId64 ", not lane %u from %" PRId64, i,
		              gaps.gaps[i].lane, gaps.gaps[i].start_ns, expected->gaps[i].lane,
		              expected->gaps[i].start_ns);
		if (request->neighbours) {
			FIXTURE_CHECK(gaps.gaps[i].before.id <= (int64_t)n_spans, "id");
			check_neighbour(dataset, spans, &gaps.gaps[i].before,
			                &expected->gaps[i].before);
			check_neighbour(dataset, spans, &gaps.gaps[i].after,
			                &expected->gaps[i].after);
		}
	}
	gaps_fini(&gaps);
}

/* The first lane of those that count as one. */
static uint32_t
first_lane(const struct dataset *dataset, uint32_t lane, enum gaps_within within)
{
	uint32_t first = 0;

	while (within == GAPS_LANE ? first != lane
	       : within == GAPS_PROCESS
	           ? dataset->lanes[first].process.integer != dataset->lanes[lane].process.integer
	           : false) {
		first++;
	}
	return first;
}

/* Only spans of one name, or all. */
static size_t
take(const struct grid *grid, const char *name, enum gaps_within within, struct plain *out)
{
	size_t n = 0;
	for (size_t i = 0; i < grid->n; i++) {
		if (!name || strcmp(grid->spans[i].name, name) == 0) {
			out[n] = grid->spans[i];
			out[n].lane = first_lane(&grid->dataset, out[n].lane, within);
			n++;
		}
	}
	return n;
}

static void
check_grid(struct grid *grid, const char *name, int64_t least, enum gaps_within within)
{
	static const size_t memories[] = {0, 40000, 3000};
	static const int64_t limits[] = {0, 1, 7, GAPS_LIMIT};
	struct plain *spans = xcalloc(grid->n, sizeof *spans);
	size_t n = take(grid, name, within, spans);
	struct expected expected =
	    reference(spans, n, grid->dataset.n_lanes, least ? least : 1, within == GAPS_LANE);
	for (int i = 0; i < 12; i++) {
		struct gaps_request request = {.within = within,
		                               .filter = name ? "name = ?1" : NULL,
		                               .least_ns = least,
		                               .limit = limits[i % 4],
		                               .neighbours = i % 2 == 1,
		                               .memory_bytes = memories[i / 4]};
		if (name) {
			request.parameters[0] =
			    (struct scan_value){.type = SCAN_TEXT, .text = slice_of(name)};
		}
		grid->dataset.n_threads = (unsigned)i % 3 + 1;
		check(&grid->dataset, grid->spans, grid->n, &expected, &request);
	}
	free(expected.gaps);
	free(expected.lanes);
	free(spans);
}

/* --- Tests ---------------------------------------------------------------- */

/* From hardly any gaps to hardly any overlap; in the last all spans have no length. */
static const struct {
	size_t n;
	int64_t times, longest;
	enum order order;
} shapes[] = {{1, 1, 0, BY_CHANCE},
              {2, 5, 3, BY_CHANCE},
              {60, 40, 12, BY_CHANCE},
              {500, 2000, 9, BY_CHANCE},
              {700, 100, 5, BY_CHANCE},
              {700, 20000, 60, BY_CHANCE},
              {900, 900, 1, BY_CHANCE},
              {400, 1000000, 2000, BY_CHANCE},
              {900, 30000, 40, BY_CHANCE},
              {900, 500000, 10, BY_CHANCE},
              {300, 5000, 0, BY_CHANCE},
              {800, 12, 0, BY_CHANCE},
              {900, 90000, 100, ONE_AFTER_ANOTHER},
              {900, 90000, 30, SIDE_BY_SIDE},
              {900, 9000, 100, ONE_AFTER_ANOTHER},
              {900, 900000, 1, SIDE_BY_SIDE}};

START_TEST(random_spans)
{
	struct grid *grid = grid_new(100 + (uint64_t)_i, shapes[_i].n, shapes[_i].times,
	                             shapes[_i].longest, shapes[_i].order);
	for (enum gaps_within within = GAPS_LANE; within <= GAPS_RUN; within++) {
		check_grid(grid, NULL, 0, within);
		check_grid(grid, NULL, shapes[_i].times / 200 + 2, within);
		check_grid(grid, "write", 1, within);
		check_grid(grid, "no such name", 1, within);
	}
	grid_free(grid);
}
END_TEST

/* Of the block that a span stands in. */
static size_t
block_of(const struct dataset *dataset, const struct plain *span)
{
	size_t block = 0;

	while (span->id >= dataset->blocks[BLOCK_SPAN][block].first_id +
	                       dataset->blocks[BLOCK_SPAN][block].n_rows) {
		block++;
	}
	return block;
}

/* By place in the order: is the first start of a lane's spans behind it what is said? */
static void
check_known(const struct grid *grid, const struct block_order *order, const size_t *places,
            uint32_t lane)
{
	int64_t last_ns = INT64_MIN;

	for (size_t n = 0; n <= order->n; n++) {
		int64_t known_ns = block_order_known(order, n, lane);
		for (size_t i = 0; i < grid->n; i++) {
			const struct plain *span = &grid->spans[i];
			ck_assert(span->lane != lane || span->start >= known_ns ||
			          places[block_of(&grid->dataset, span)] < n);
		}
		ck_assert(known_ns >= last_ns);
		last_ns = known_ns;
	}
	ck_assert_int_eq(last_ns, INT64_MAX);
}

/* Lanes are known from their beginning on; all of those of a source that shares none, once another
 * one is read. */
START_TEST(blocks_in_order_tell_what_is_known)
{
	for (enum order how = BY_CHANCE; how <= SIDE_BY_SIDE; how++) {
		struct grid *grid = grid_new(3, 500, 90000, 100, how);
		size_t n = grid->dataset.n_blocks[BLOCK_SPAN], n_done = 0;
		size_t *places = xcalloc(n, sizeof *places);
		struct block_order order;
		block_order_init(&order, &grid->dataset, NULL);
		ck_assert_uint_eq(order.n, n);
		for (size_t i = 0; i < n; i++) {
			places[order.blocks[i]] = i;
		}
		for (uint32_t lane = 0; lane < grid->dataset.n_lanes; lane++) {
			check_known(grid, &order, places, lane);
			n_done += block_order_known(&order, n - 1, lane) == INT64_MAX;
		}
		ck_assert_uint_eq(n_done, how == SIDE_BY_SIDE ? GRID_LANES : 0);
		block_order_fini(&order);
		free(places);
		grid_free(grid);
	}
}
END_TEST

START_TEST(extreme_durations_do_not_overflow)
{
	struct fixture *fixture = fixture_new(41, 300, 100, true);
	size_t n = fixture->n_rows[BLOCK_SPAN];
	struct plain *spans = xcalloc(n, sizeof *spans);
	for (size_t i = 0; i < n; i++) {
		const struct fixture_row *row = &fixture->rows[BLOCK_SPAN][i];
		spans[i] = (struct plain){row->id, row->start, time_add(row->start, row->duration),
		                          row->lane, row->name};
	}
	struct expected expected = reference(spans, n, fixture->dataset.n_lanes, 1, true);
	struct gaps_request request = {
	    .least_ns = INT64_MIN, .limit = 1000, .neighbours = true, .memory_bytes = 5000};
	check(&fixture->dataset, spans, n, &expected, &request);
	free(expected.gaps);
	free(expected.lanes);
	free(spans);
	fixture_free(fixture);
}
END_TEST

START_TEST(errors)
{
	struct grid *grid = grid_new(7, 100, 1000, 10, BY_CHANCE);
	struct err err = ERR_INIT;
	struct gaps gaps;
	struct gaps_request request = {.filter = "nme = 1"};
	ck_assert_int_eq(gaps_run(&grid->dataset, &request, &gaps, &err), -1);
	ck_assert_int_eq(err.code, ERR_QUERY);
	gaps_fini(&gaps);
	struct cancel cancel;
	atomic_init(&cancel.requested, true);
	request = (struct gaps_request){.cancel = &cancel};
	ck_assert_int_eq(gaps_run(&grid->dataset, &request, &gaps, &err), -1);
	ck_assert_int_eq(err.code, ERR_CANCELLED);
	gaps_fini(&gaps);
	request = (struct gaps_request){.limit = GAPS_LIMIT + 1};
	ck_assert_int_eq(gaps_run(&grid->dataset, &request, &gaps, &err), -1);
	ck_assert_int_eq(err.code, ERR_LIMIT);
	gaps_fini(&gaps);
	request = (struct gaps_request){.memory_bytes = 16}; /* not even one span */
	ck_assert_int_eq(gaps_run(&grid->dataset, &request, &gaps, &err), -1);
	ck_assert_int_eq(err.code, ERR_LIMIT);
	ck_assert_msg(strstr(err.message, "start at one instant"), "%s", err.message);
	gaps_fini(&gaps);
	grid_free(grid);
}
END_TEST

static Suite *
make_suite(void)
{
	Suite *suite = suite_create("gaps");
	TCase *tcase = tcase_create("gaps");
	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, random_spans, 0, (int)(sizeof shapes / sizeof shapes[0]));
	tcase_add_test(tcase, blocks_in_order_tell_what_is_known);
	tcase_add_test(tcase, extreme_durations_do_not_overflow);
	tcase_add_test(tcase, errors);
	suite_add_tcase(suite, tcase);
	return suite;
}

int
main(void)
{
	return unit_run(make_suite());
}
