/* Cells of tiles: their sums by category, and their bytes, whole and damaged. */
#include "config.h"

#include "column/finish/cell.h"
#include "column/scan/scan.h"
#include "unit/nesting_fixture.h"
#include "unit/unit.h"

/* Random cells as tile_encode wants them. */
static void
random_cells(struct tile_cell *cells, uint32_t n_cells, uint32_t n_codes, struct arena *arena,
             struct prng *prng)
{
	for (uint32_t i = 0; i < n_cells; i++) {
		uint32_t n = (uint32_t)prng_below(prng, prng_below(prng, 10) ? 4 : n_codes);
		struct category_time *times = arena_alloc(arena, (n + 1) * sizeof *times);
		int64_t ns = 1 + (int64_t)(prng_next(prng) >> (prng_below(prng, 40) + 20));
		cells[i] = (struct tile_cell){0};
		if (prng_below(prng, 3) == 0) {
			continue;
		}
		cells[i].count = (int64_t)prng_below(prng, 20);
		cells[i].n_categories = n;
		cells[i].categories = times;
		for (uint32_t k = n; k-- > 0;) {
			times[k] = (struct category_time){k == 1 ? TEXT_NONE : k * 3, ns};
			cells[i].busy_ns += ns;
			ns += 1 + (int64_t)prng_below(prng, 100);
		}
	}
}

static bool
same_cell(const struct tile_cell *a, const struct tile_cell *b)
{
	if (a->busy_ns != b->busy_ns || a->count != b->count ||
	    a->n_categories != b->n_categories) {
		return false;
	}
	for (uint32_t i = 0; i < a->n_categories; i++) {
		if (a->categories[i].category != b->categories[i].category ||
		    a->categories[i].ns != b->categories[i].ns) {
			return false;
		}
	}
	return true;
}

START_TEST(densities_come_back_and_cost_nothing_where_there_are_none)
{
	struct tile_cell cells[TILE_CHUNK] = {{0}}, back[TILE_CHUNK];
	struct arena *arena = arena_new();
	struct strbuf plain = {0}, dense = {0};
	struct err err = ERR_INIT;

	cells[3].count = 2;
	tile_encode(cells, TILE_CHUNK, &plain);
	ck_assert_int_eq(plain.data[0], 1);
	cells[3].density_ns = 77;
	cells[200].density_ns = INT64_MAX;
	tile_encode(cells, TILE_CHUNK, &dense);
	ck_assert_int_eq(tile_decode(strbuf_slice(&dense), back, arena, &err), 0);
	for (uint32_t i = 0; i < TILE_CHUNK; i++) {
		ck_assert_int_eq(back[i].density_ns, cells[i].density_ns);
		ck_assert_int_eq(back[i].count, cells[i].count);
	}
	dense.len--;
	ck_assert_int_eq(tile_decode(strbuf_slice(&dense), back, arena, &err), -1);
	strbuf_free(&plain);
	strbuf_free(&dense);
	arena_free(arena);
}
END_TEST

START_TEST(cells_come_back_from_their_bytes)
{
	struct prng prng = {12};
	struct err err = ERR_INIT;

	for (unsigned round = 0; round < 200; round++) {
		struct arena *arena = arena_new();
		struct tile_cell cells[TILE_CHUNK] = {{0}}, back[TILE_CHUNK];
		struct strbuf bytes = {0};
		random_cells(cells, TILE_CHUNK, round % 20 ? 9 : 300, arena, &prng);
		tile_encode(cells, TILE_CHUNK, &bytes);
		ck_assert_int_eq(tile_decode(strbuf_slice(&bytes), back, arena, &err), 0);
		for (uint32_t i = 0; i < TILE_CHUNK; i++) {
			EXPECT(same_cell(&cells[i], &back[i]));
		}
		strbuf_free(&bytes);
		arena_free(arena);
	}
}
END_TEST

START_TEST(sums_by_category_are_right_however_many)
{
	struct prng prng = {3};
	struct cell_sum sum = {0};

	for (uint32_t n_codes = 1; n_codes < 3000; n_codes = n_codes * 3 + 1) {
		int64_t *wanted = xcalloc(n_codes, sizeof *wanted), busy_ns = 0;
		uint32_t n = 0;
		for (unsigned i = 0; i < 5000; i++) {
			uint32_t code = (uint32_t)prng_below(&prng, n_codes);
			int64_t ns = 1 + (int64_t)prng_below(&prng, 100);
			cell_add(&sum, code * 1000 - 1, ns);
			n += wanted[code] == 0;
			wanted[code] += ns;
			busy_ns += ns;
		}
		struct tile_cell cell = cell_finish(&sum);
		ck_assert_int_eq(cell.busy_ns, busy_ns);
		ck_assert_uint_eq(cell.n_categories, n);
		for (uint32_t i = 0; i < n; i++) {
			const struct category_time *time = &cell.categories[i];
			EXPECT(time->ns == wanted[(time->category + 1) / 1000]);
			EXPECT(i == 0 || time[-1].ns > time->ns ||
			       (time[-1].ns == time->ns && time[-1].category < time->category));
		}
		cell_reset(&sum);
		free(wanted);
	}
	cell_fini(&sum);
}
END_TEST

START_TEST(a_cell_names_the_largest_categories_only)
{
	/* _i: nothing without a category, little of it, much of it */
	uint32_t n = TILE_CATEGORIES + 1000;
	struct cell_sum sum = {0};
	int64_t left_ns = 0, other_ns = 0;

	for (uint32_t i = 0; i < n; i++) {
		cell_add(&sum, (uint32_t)((uint64_t)i * 7919 % n), 1000 + i * 2);
	}
	if (_i > 0) {
		cell_add(&sum, TEXT_NONE, _i == 1 ? 3 : 100000000);
	}
	struct tile_cell cell = cell_finish(&sum);
	ck_assert_uint_le(cell.n_categories, TILE_CATEGORIES);
	ck_assert_uint_ge(cell.n_categories, TILE_CATEGORIES - 1);
	left_ns = cell.busy_ns;
	for (uint32_t i = 0; i < cell.n_categories; i++) {
		const struct category_time *time = &cell.categories[i];
		left_ns -= time->ns;
		other_ns = time->category == TEXT_NONE ? time->ns : other_ns;
		EXPECT(i == 0 || time[-1].ns > time->ns);
		EXPECT(time->category == TEXT_NONE || time->ns >= 1000 + 1000 * 2);
	}
	ck_assert_int_eq(left_ns, 0);
	ck_assert_int_gt(other_ns, _i == 2 ? 100000000 : 1000 * 1000);
	cell_fini(&sum);
}
END_TEST

START_TEST(a_fully_busy_lane_takes_little)
{
	struct tile_cell cells[TILE_CHUNK];
	struct category_time time = {3, 1000000};
	struct strbuf bytes = {0};

	for (uint32_t i = 0; i < TILE_CHUNK; i++) {
		cells[i] = (struct tile_cell){1000000, 5, 0, 1, &time};
	}
	tile_encode(cells, TILE_CHUNK, &bytes);
	ck_assert_uint_le(bytes.len, 2 * TILE_CHUNK + 16);
	strbuf_free(&bytes);
}
END_TEST

START_TEST(damaged_bytes_are_refused_or_harmless)
{
	struct prng prng = {13};
	struct err err = ERR_INIT;
	struct arena *arena = arena_new();
	struct tile_cell cells[TILE_CHUNK], back[TILE_CHUNK];
	struct strbuf bytes = {0};

	random_cells(cells, TILE_CHUNK, 9, arena, &prng);
	tile_encode(cells, TILE_CHUNK, &bytes);
	for (unsigned round = 0; round < 6000; round++) {
		struct arena *scratch = arena_new();
		size_t length = round % 3 ? bytes.len : prng_below(&prng, bytes.len);
		char *copy = xmalloc(length);
		memcpy(copy, bytes.data, length);
		for (unsigned i = 0; i < round % 4 && length > 0; i++) {
			copy[prng_below(&prng, length)] = (char)prng_next(&prng);
		}
		if (tile_decode((struct slice){copy, length}, back, scratch, &err) == 0) {
			for (uint32_t i = 0; i < TILE_CHUNK; i++) {
				int64_t left = back[i].busy_ns;
				for (uint32_t k = 0; k < back[i].n_categories; k++) {
					left -= back[i].categories[k].ns;
				}
				EXPECT(left == 0);
			}
		} else {
			EXPECT(err.code == ERR_FORMAT);
		}
		free(copy);
		arena_free(scratch);
	}
	strbuf_free(&bytes);
	arena_free(arena);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("cell");
	TCase *tcase = tcase_create("cell");

	tcase_set_timeout(tcase, 30);
	tcase_add_test(tcase, densities_come_back_and_cost_nothing_where_there_are_none);
	tcase_add_test(tcase, cells_come_back_from_their_bytes);
	tcase_add_test(tcase, sums_by_category_are_right_however_many);
	tcase_add_loop_test(tcase, a_cell_names_the_largest_categories_only, 0, 3);
	tcase_add_test(tcase, a_fully_busy_lane_takes_little);
	tcase_add_test(tcase, damaged_bytes_are_refused_or_harmless);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
