/* The loop over blocks: each block once, on any number of threads; order, errors, cancelling,
 * damage. */
#include "config.h"

#include <inttypes.h>

#include "unit/scan_fixture.h"

struct totals {
	struct fixture *fixture;
	uint32_t start, size, path, nowhere;
	atomic_uint_fast64_t n_rows, sum, n_sizes, n_wrong;
	atomic_uint n_blocks;
	size_t merged, last_merged; /* calling thread only */
	uint32_t slot_rows[64];
	int64_t stop_at, fail_at; /* block, -1: never */
	struct cancel *cancel;
};

static int
scan_totals(void *user, struct block_view *view, unsigned slot, struct err *err)
{
	struct totals *totals = user;
	uint32_t n = 0;

	while (block_view_next(view)) {
		const struct chunk_column *start = block_view_column(view, totals->start);
		const struct chunk_column *nowhere = block_view_column(view, totals->nowhere);
		const struct chunk_column *path = block_view_column(view, totals->path);
		totals->n_wrong +=
		    start->n_present != view->n || nowhere->n_present != 0 || nowhere->info != NULL;
		totals->n_wrong += block_view_column(view, totals->start) != start;
		for (uint32_t i = 0; i < view->n; i++) {
			const struct fixture_row *row =
			    &totals->fixture
				 ->rows[BLOCK_SPAN][view->info->first_id - 1 + view->row + i];
			bool has_path = path->presence[i / 64] >> (i & 63) & 1;
			totals->sum += (uint64_t)start->values[i];
			totals->n_wrong +=
			    row->start != start->values[i] || has_path != (row->path != NULL);
			totals->n_wrong +=
			    has_path &&
			    !slice_is(view->dataset->texts[view->source->texts[path->values[i]]],
			              row->path);
		}
		if (view->row % 4096 == 0) { /* not in each chunk */
			const struct chunk_column *size = block_view_column(view, totals->size);
			totals->n_sizes += size->n_present;
		}
		n += view->n;
	}
	totals->n_rows += n;
	totals->n_blocks++;
	totals->slot_rows[slot] = n;
	if ((int64_t)view->index >= totals->fail_at && totals->fail_at >= 0) {
		return err_set(err, ERR_INTERNAL, "failed at %zu", view->index);
	}
	if (totals->cancel && totals->n_blocks == 3) {
		cancel_request(totals->cancel);
	}
	return 0;
}

static int
merge_totals(void *user, const struct block_info *block, unsigned slot, struct err *err)
{
	struct totals *totals = user;

	(void)err;
	totals->n_wrong += totals->slot_rows[slot] != block->n_rows;
	totals->n_wrong += totals->merged > 0 && (size_t)block->first_id <= totals->last_merged;
	totals->last_merged = (size_t)block->first_id;
	return (int64_t)totals->merged++ == totals->stop_at;
}

static bool
odd_blocks(void *user, const struct block_info *block)
{
	(void)user;
	return block->sequence % 2;
}

struct setup {
	struct fixture *fixture;
	struct block_fields fields;
	struct totals totals;
	struct block_loop loop;
};

static void
setup(struct setup *setup, uint64_t seed, size_t rows, uint32_t block_rows)
{
	memset(setup, 0, sizeof *setup);
	setup->fixture = fixture_new(seed, rows, block_rows, false);
	struct totals *totals = &setup->totals;
	totals->fixture = setup->fixture;
	totals->stop_at = totals->fail_at = -1;
	totals->start = block_fields_add(&setup->fields, FIELD_START);
	totals->size = block_fields_add(&setup->fields, FIELD_SIZE);
	totals->path = block_fields_add(&setup->fields, FIELD_PATH);
	totals->nowhere = block_fields_add(&setup->fields, field_arg(70, ARG_REAL));
	ck_assert_uint_eq(block_fields_add(&setup->fields, FIELD_SIZE), totals->size);
	setup->loop = (struct block_loop){.dataset = &setup->fixture->dataset,
	                                  .fields = &setup->fields,
	                                  .end = SIZE_MAX,
	                                  .user = totals,
	                                  .scan = scan_totals};
}

static void
teardown(struct setup *setup)
{
	block_fields_free(&setup->fields);
	fixture_free(setup->fixture);
}

START_TEST(test_all)
{
	struct setup s;
	struct err err = ERR_INIT;
	uint64_t sum = 0;

	for (unsigned threads = 1; threads <= 8; threads *= 2) {
		for (int merges = 0; merges < 2; merges++) {
			setup(&s, 5, 700, threads == 4 ? 4096 : 32);
			size_t n_blocks = s.fixture->dataset.n_blocks[BLOCK_SPAN];
			s.loop.n_threads = threads;
			s.loop.merge = merges ? merge_totals : NULL;
			ck_assert_int_eq(block_loop_run(&s.loop, &err), 0);
			ck_assert_uint_eq(s.totals.n_rows, s.fixture->n_rows[BLOCK_SPAN]);
			ck_assert_uint_eq(s.totals.n_blocks, n_blocks);
			ck_assert_uint_eq(s.totals.n_wrong, 0);
			ck_assert_uint_eq(s.totals.merged, merges ? n_blocks : 0);
			ck_assert(sum == 0 || s.totals.sum == sum);
			sum = s.totals.sum;
			teardown(&s);
		}
	}
}
END_TEST

START_TEST(test_part)
{
	struct setup s;
	struct err err = ERR_INIT;
	static const size_t order[] = {4, 2, 0, 2};

	setup(&s, 6, 300, 32);
	s.loop.first = 3;
	s.loop.end = 10;
	ck_assert_int_eq(block_loop_run(&s.loop, &err), 0);
	ck_assert_uint_eq(s.totals.n_blocks, 7);
	s.loop.wanted = odd_blocks;
	ck_assert_int_eq(block_loop_run(&s.loop, &err), 0);
	ck_assert_uint_eq(s.totals.n_blocks,
	                  10 + 1 * (s.fixture->dataset.blocks[BLOCK_SPAN][3].sequence % 2));
	s.loop.wanted = NULL;
	s.loop.order = order;
	s.loop.first = 0;
	s.loop.end = 4;
	s.totals.n_blocks = 0;
	ck_assert_int_eq(block_loop_run(&s.loop, &err), 0);
	ck_assert_uint_eq(s.totals.n_blocks, 4);
	s.loop.first = 4;
	ck_assert_int_eq(block_loop_run(&s.loop, &err), 0);
	ck_assert_uint_eq(s.totals.n_blocks, 4);
	ck_assert_uint_eq(s.totals.n_wrong, 0);
	teardown(&s);
}
END_TEST

START_TEST(test_stop)
{
	struct setup s;
	struct err err = ERR_INIT;
	struct cancel cancel;

	for (unsigned threads = 1; threads <= 4; threads++) {
		setup(&s, 7, 600, 32);
		s.loop.n_threads = threads;
		s.loop.merge = merge_totals;
		s.totals.stop_at = 4;
		ck_assert_int_eq(block_loop_run(&s.loop, &err), 1);
		ck_assert_uint_eq(s.totals.merged, 5);
		ck_assert_uint_lt(s.totals.n_blocks, 20);

		s.totals.stop_at = -1;
		s.totals.fail_at = 9;
		s.totals.merged = 0;
		ck_assert_int_eq(block_loop_run(&s.loop, &err), -1);
		ck_assert_str_eq(err.message, "failed at 9");
		ck_assert_uint_le(s.totals.merged, 9);

		s.totals.fail_at = -1;
		s.totals.merged = 0;
		s.totals.n_blocks = 0;
		atomic_init(&cancel.requested, false);
		s.totals.cancel = &cancel;
		s.loop.cancel = &cancel;
		ck_assert_int_eq(block_loop_run(&s.loop, &err), -1);
		ck_assert_int_eq(err.code, ERR_CANCELLED);
		ck_assert_uint_lt(s.totals.n_blocks, 20);
		teardown(&s);
	}
}
END_TEST

static int
broken_fetch(void *user, int64_t blob_id, void *buffer, size_t bytes, struct err *err)
{
	static atomic_uint calls;

	(void)user;
	(void)blob_id;
	memset(buffer, 0x5a, bytes);
	return calls++ == 7 ? err_set(err, ERR_CHANGED, "the run has changed: reopen") : 0;
}

START_TEST(test_damage)
{
	struct setup s;
	struct err err = ERR_INIT;

	setup(&s, 8, 300, 64);
	struct dataset broken = s.fixture->dataset;
	struct dataset_source sources[FIXTURE_SOURCES];
	memcpy(sources, broken.sources, sizeof sources);
	s.loop.dataset = &broken;
	broken.sources = sources;

	sources[0].n_texts = 3; /* codes out of range */
	ck_assert_int_eq(block_loop_run(&s.loop, &err), -1);
	ck_assert_int_eq(err.code, ERR_FORMAT);
	sources[0].n_texts = 0;
	ck_assert_int_eq(block_loop_run(&s.loop, &err), -1);
	ck_assert_int_eq(err.code, ERR_FORMAT);
	sources[0] = s.fixture->dataset.sources[0];

	struct block_info *blocks =
	    xcalloc(broken.n_blocks[BLOCK_SPAN], sizeof *blocks); /* the third block lies */
	memcpy(blocks, broken.blocks[BLOCK_SPAN], broken.n_blocks[BLOCK_SPAN] * sizeof *blocks);
	broken.blocks[BLOCK_SPAN] = blocks;
	const struct block_info good = blocks[2];
	blocks[2].source = 99;
	ck_assert_int_eq(block_loop_run(&s.loop, &err), -1);
	ck_assert_int_eq(err.code, ERR_FORMAT);
	blocks[2] = good;
	blocks[2].n_rows = BLOCK_ROWS + 1;
	ck_assert_int_eq(block_loop_run(&s.loop, &err), -1);
	blocks[2].n_rows = good.n_rows - 1;
	ck_assert_int_eq(block_loop_run(&s.loop, &err), -1);
	ck_assert_int_eq(err.code, ERR_FORMAT);
	blocks[2] = good;
	blocks[2].columns = xrealloc_array(NULL, good.n_columns, sizeof *good.columns);
	memcpy(blocks[2].columns, good.columns, good.n_columns * sizeof *good.columns);
	for (uint32_t i = 0; i < good.n_columns; i++) {
		if (blocks[2].columns[i].field == FIELD_START) {
			blocks[2].columns[i].type = COLUMN_TEXT;
		}
	}
	ck_assert_int_eq(block_loop_run(&s.loop, &err), -1);
	ck_assert_int_eq(err.code, ERR_FORMAT);
	free(blocks[2].columns);
	blocks[2] = good;

	broken.fetch = broken_fetch; /* a failing fetch; and garbage */
	int status = block_loop_run(&s.loop, &err);
	ck_assert_int_eq(status, -1);
	ck_assert(err.code == ERR_CHANGED || err.code == ERR_FORMAT);
	free(blocks);
	teardown(&s);
}
END_TEST

START_TEST(test_reader)
{
	struct setup s;
	struct err err = ERR_INIT;

	setup(&s, 9, 4000, 4096);
	struct block_reader *reader = block_reader_new(&s.fixture->dataset, BLOCK_SPAN, &s.fields);
	for (size_t b = s.fixture->dataset.n_blocks[BLOCK_SPAN]; b-- > 0;) {
		struct block_view *view = block_reader_open(reader, b, &err);
		ck_assert(view != NULL);
		const struct fixture_row *rows =
		    &s.fixture->rows[BLOCK_SPAN][view->info->first_id - 1];
		for (int i = 0; i < 200; i++) {
			uint32_t row = (uint32_t)fixture_number(s.fixture, view->info->n_rows);
			if (i % 4) {
				continue;
			}
			block_view_skip_to(view, row); /* forwards and back */
			ck_assert(block_view_next(view) && row - view->row < view->n);
			const struct chunk_column *start = block_view_column(view, s.totals.start);
			ck_assert_int_eq(start->values[row - view->row], rows[row].start);
		}
	}
	ck_assert_int_eq(block_reader_check(reader, &err), 0);
	block_reader_free(reader);
	block_reader_free(NULL);
	teardown(&s);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("blockloop");
	TCase *tcase = tcase_create("blockloop");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, test_all);
	tcase_add_test(tcase, test_part);
	tcase_add_test(tcase, test_stop);
	tcase_add_test(tcase, test_damage);
	tcase_add_test(tcase, test_reader);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
