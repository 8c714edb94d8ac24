/* The dataset of a run file: what it is, how its columns are fetched, and when that ends. */
#include "config.h"
#include "store/store.h"

#include <sqlite3.h>

#include "store/store_private.h"
#include "unit/small_run.h"

static const char *folder;
static char run_path[256];

static void
set_up(void)
{
	folder = folder_new();
	snprintf(run_path, sizeof(run_path), "%s/run.lanes", folder);
	small_run_write(run_path, "r", false);
}

static void
tear_down(void)
{
	folder_remove(folder);
}

static struct store *
open_run(void)
{
	return small_run_open(run_path);
}

static void
check_dataset(struct store *store)
{
	const struct dataset *dataset = NULL;
	must((dataset = store_dataset(store, &err)) != NULL);
	must(store_dataset(store, &err) == dataset);
	ck_assert_int_eq(dataset->n_texts, SMALL_TEXTS);
	for (uint32_t i = 0; i < SMALL_TEXTS; i++) {
		ck_assert(slice_is(dataset->texts[i], small_texts[i]));
	}
	ck_assert_int_eq(dataset->n_keys, 2);
	ck_assert(slice_is(dataset->keys[1], "offset"));
	ck_assert_int_eq(dataset->duration_ns, 1959);
	ck_assert_int_eq(dataset->n_lanes, 3);
	const struct lane *lanes = dataset->lanes;
	ck_assert_int_eq(lanes[0].host, 0);
	ck_assert_int_eq(lanes[0].process.type, IDENT_INTEGER);
	ck_assert_int_eq(lanes[0].process.integer, 4711);
	ck_assert_int_eq(lanes[0].thread.type, IDENT_TEXT);
	ck_assert_int_eq(lanes[0].thread.text, 5);
	ck_assert_int_eq(lanes[0].name, 1);
	ck_assert_int_eq(lanes[0].kind, LANE_THREAD);
	ck_assert_int_eq(lanes[1].host, TEXT_NONE);
	ck_assert_int_eq(lanes[1].process.type, IDENT_NONE);
	ck_assert_int_eq(lanes[2].process.text, 9);
	ck_assert_int_eq(lanes[2].kind, LANE_ASYNC);
	ck_assert_int_eq(dataset->n_sources, 2);
	ck_assert_int_eq(dataset->sources[1].n_texts, 2);
	ck_assert_int_eq(dataset->sources[1].texts[1], 3);
	ck_assert_int_eq(dataset->sources[1].n_lanes, 2);
	ck_assert_int_eq(dataset->sources[1].lanes[1], 1);
	ck_assert_int_eq(dataset->n_blocks[BLOCK_SPAN], 0);
	ck_assert_int_eq(dataset->n_blocks[BLOCK_EVENT], 2);
	ck_assert_int_eq(dataset->n_rows[BLOCK_COUNTER], 20);
}

START_TEST(test_dataset)
{
	struct store *store = open_run();
	check_dataset(store);
	store_rest(store);
	check_dataset(store);
	store_close(store);
}
END_TEST

/* While a scope is set it stays. */
START_TEST(test_rest_in_scope)
{
	struct store *store = open_run();
	struct scope scope = {0};
	const struct dataset *dataset = NULL;
	must(scope_read(slice_of("name=read"), &scope, &err) == 0);
	must(store_set_scope(store, &scope, &err) == 0);
	store_rest(store);
	must((dataset = store_dataset(store, &err)) != NULL);
	ck_assert_ptr_nonnull(dataset->scope.filter);
	scope_free(&scope);
	store_close(store);
}
END_TEST

/* Every column of every block comes back as it was written. */
START_TEST(test_columns)
{
	struct store *store = open_run();
	const struct dataset *dataset = NULL;
	must((dataset = store_dataset(store, &err)) != NULL);
	for (uint32_t b = 0; b < 2; b++) {
		const struct block_info *block = &dataset->blocks[BLOCK_COUNTER][b];
		ck_assert_int_eq(block->kind, BLOCK_COUNTER);
		ck_assert_int_eq(block->source, b);
		ck_assert_int_eq(block->first_id, 1 + b * SMALL_ROWS);
		ck_assert_int_eq(block->n_rows, SMALL_ROWS);
		ck_assert_int_eq(block->start_min, b * 1000);
		ck_assert_int_eq(block->end_max, b * 1000 + 900);
		static const uint32_t fields[] = {FIELD_START,   FIELD_LANE,
		                                  FIELD_NAME,    FIELD_VALUE,
		                                  FIELD_ARG - 1, FIELD_ARG + ARG_TYPES};
		const int64_t bases[] = {b * 1000, b, 0, 7, 3, -5}, steps[] = {100, 0, 0, 1, 1, 1};
		ck_assert_int_eq(block->n_columns, 6);
		for (uint32_t c = 0; c < 6; c++) {
			const struct column_info *column = &block->columns[c];
			struct column_reader reader;
			int64_t values[64];
			uint64_t presence[1];
			unsigned char bytes[256];
			ck_assert_int_eq(column->field, fields[c]);
			ck_assert_int_lt(column->blob_bytes, sizeof(bytes) - 8);
			if (column->blob_id) {
				must(dataset->fetch(dataset->user, column->blob_id, bytes,
				                    column->blob_bytes, &err) == 0);
			}
			must(column_reader_init(&reader, column, bytes, NULL, NULL, SMALL_ROWS,
			                        &err) == 0);
			column_read(&reader, SMALL_ROWS, values, presence);
			for (uint32_t i = 0; i < SMALL_ROWS; i++) {
				int64_t expected = small_value(bases[c], steps[c], i);
				double real = (double)expected / 3;
				if (fields[c] == FIELD_VALUE) {
					memcpy(&expected, &real, sizeof(expected));
				}
				ck_assert_int_eq(values[i], expected);
			}
		}
	}
	store_close(store);
}
END_TEST

START_TEST(test_fetch_fails)
{
	struct store *store = open_run();
	const struct dataset *dataset = NULL;
	struct cancel cancel = {true};
	struct err failure = ERR_INIT;
	unsigned char bytes[300];
	must((dataset = store_dataset(store, &err)) != NULL);
	const struct column_info *column = &dataset->blocks[BLOCK_EVENT][0].columns[0];
	ck_assert_int_gt(column->blob_id, 0);
	ck_assert_int_eq(dataset->fetch(dataset->user, column->blob_id + 8191, bytes, 10, &failure),
	                 -1);
	ck_assert_int_eq(failure.code, ERR_FORMAT);
	ck_assert_ptr_nonnull(strstr(failure.message, "is missing"));
	ck_assert_int_eq(
	    dataset->fetch(dataset->user, column->blob_id, bytes, column->blob_bytes + 1, &failure),
	    -1);
	ck_assert_int_eq(failure.code, ERR_FORMAT);
	store_set_cancel(store, &cancel);
	ck_assert_int_eq(
	    dataset->fetch(dataset->user, column->blob_id, bytes, column->blob_bytes, &failure),
	    -1);
	ck_assert_int_eq(failure.code, ERR_CANCELLED);
	store_set_cancel(store, NULL);
	must(dataset->fetch(dataset->user, column->blob_id, bytes, column->blob_bytes, &err) == 0);
	store_close(store);
}
END_TEST

/* A scan runs inside a statement; interrupting that must reach the scan through its fetches, and be
 * over with the statement. */
START_TEST(test_fetch_is_interrupted)
{
	struct store *store = open_run();
	const struct dataset *dataset = NULL;
	struct stmt *outer = NULL;
	struct tile_reader tiles;
	struct slice cells;
	struct err failure = ERR_INIT;
	unsigned char bytes[300];
	must((dataset = store_dataset(store, &err)) != NULL);
	must(store_tiles(store, &tiles, &err) == 0);
	const struct column_info *column = &dataset->blocks[BLOCK_EVENT][0].columns[0];
	for (int round = 0; round < 3; round++) {
		must((outer = store_prepare(store, "SELECT id FROM string", &err)) != NULL);
		must(stmt_step(outer, &err) == 1);
		must(dataset->fetch(dataset->user, column->blob_id, bytes, column->blob_bytes,
		                    &err) == 0);
		must(tiles.fetch(tiles.user, TILE_LANE, 1, 2, 3, &cells, &err) == 0);
		sqlite3_interrupt(store->db);
		ck_assert_int_eq(dataset->fetch(dataset->user, column->blob_id, bytes,
		                                column->blob_bytes, &failure),
		                 -1);
		ck_assert_int_eq(failure.code, ERR_CANCELLED);
		ck_assert_int_eq(tiles.fetch(tiles.user, TILE_LANE, 1, 2, 3, &cells, &failure), -1);
		ck_assert_int_eq(failure.code, ERR_CANCELLED);
		ck_assert_int_eq(stmt_step(outer, &failure), -1);
		ck_assert_int_eq(failure.code, ERR_CANCELLED);
		stmt_free(outer);
		must(dataset->fetch(dataset->user, column->blob_id, bytes, column->blob_bytes,
		                    &err) == 0);
	}
	store_close(store);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("store_dataset");
	TCase *tcase = tcase_create("dataset");
	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_set_timeout(tcase, 30);
	tcase_add_test(tcase, test_dataset);
	tcase_add_test(tcase, test_rest_in_scope);
	tcase_add_test(tcase, test_columns);
	tcase_add_test(tcase, test_fetch_fails);
	tcase_add_test(tcase, test_fetch_is_interrupted);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
