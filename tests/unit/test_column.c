/* Columns: whatever goes in comes out, chunk by chunk and one by one; damaged ones are in
 * test_column_damaged.c. */
#include "config.h"

#include "column_fixture.h"

START_TEST(test_round_trip)
{
	struct prng prng = {11};

	for (unsigned presence = 0; presence < 6; presence++) {
		for (size_t i = 0; i < ROW_COUNTS - (presence > 1); i++) {
			check_round_trip((enum shape)_i, presence, row_counts[i], &prng);
		}
	}
	if (_i == SHAPE_CONSTANT || _i == SHAPE_SMALL || _i == SHAPE_FEW_WIDE) {
		ck_assert_uint_gt(n_small, 50);
	}
	if (_i == SHAPE_FULL || _i == SHAPE_OUTLIERS) {
		ck_assert_uint_lt(n_small, 50); /* the shortest ones */
	}
}
END_TEST

/* Bits a value of what the encodings are for: a wrong choice shows here. */
START_TEST(test_sizes)
{
	static const struct {
		enum shape shape;
		double bits;
	} most[] = {{SHAPE_CONSTANT, 0},      {SHAPE_SMALL, 5.1},     {SHAPE_TIMES, 9.5},
	            {SHAPE_STEPS, 0.1},       {SHAPE_OUTLIERS, 11},   {SHAPE_LOW_OUTLIERS, 8},
	            {SHAPE_FEW_WIDE, 5.2},    {SHAPE_FREQUENT, 16.5}, {SHAPE_FREQUENT_DELTA, 5},
	            {SHAPE_SCALED, 33.1},     {SHAPE_POWER, 4.1},     {SHAPE_FULL, 64.1},
	            {SHAPE_LATE_CHANGE, 20.5}};
	struct prng prng = {5};

	for (size_t i = 0; i < sizeof most / sizeof *most; i++) {
		int64_t *values = make_values(most[i].shape, &prng, MAX_ROWS);
		struct column_info info = {.type = COLUMN_INTEGER};
		struct strbuf out = {0};
		column_encode_integers(&info, values, NULL, MAX_ROWS, &out);
		ck_assert_msg(out.len * 8.0 / MAX_ROWS <= most[i].bits, "shape %d takes %.2f bits",
		              most[i].shape, out.len * 8.0 / MAX_ROWS);
		strbuf_free(&out);
		free(values);
	}
}
END_TEST

START_TEST(test_reals)
{
	struct prng prng = {77};

	for (unsigned presence_kind = 0; presence_kind < 6; presence_kind++) {
		for (size_t c = 0; c < ROW_COUNTS; c++) {
			uint32_t n = row_counts[c];
			double *values = xrealloc_array(NULL, n, sizeof *values);
			double min = INFINITY, max = -INFINITY;
			uint64_t *presence =
			    presence_kind ? make_presence(presence_kind, &prng, n) : NULL;
			for (uint32_t row = 0; row < n; row++) {
				values[row] = real_value(_i, &prng);
				if (is_present(presence, row) && !isnan(values[row])) {
					min = values[row] < min ? values[row] : min;
					max = values[row] > max ? values[row] : max;
				}
			}
			struct column_info info = {.type = COLUMN_REAL};
			struct strbuf out = {0};
			encode_reals(&info, values, presence, n, &out);
			if (_i < 2 && n > 4000 && !presence) {
				ck_assert_uint_lt(out.len, n * 18 / 8);
			}
			unsigned char *blob = blob_copy(&out);
			struct column_reader reader = must_open(&info, blob, n);
			check_reader(&reader, (const int64_t *)(const void *)values, presence, n,
			             &prng);
			double got;
			memcpy(&got, &info.min, sizeof got);
			ck_assert(min == INFINITY || got == min);
			memcpy(&got, &info.max, sizeof got);
			ck_assert(max == -INFINITY || got == max);
			free(blob);
			strbuf_free(&out);
			free(presence);
			free(values);
		}
	}
}
END_TEST

START_TEST(test_texts)
{
	static const uint32_t counts[] = {1, 64, 777, 9000};
	struct prng prng = {3};
	char letters[4096];

	for (size_t i = 0; i < sizeof letters; i++) {
		letters[i] = (char)prng_next(&prng);
	}
	for (unsigned kind = 0; kind < 18; kind++) {
		for (size_t c = 0; c < 4; c++) {
			uint32_t n = counts[c];
			uint64_t *presence = kind % 6 ? make_presence(kind % 6, &prng, n) : NULL;
			struct slice *values = xrealloc_array(NULL, n, sizeof *values);
			for (uint32_t row = 0; row < n; row++) {
				size_t length = kind < 6    ? 16
				                : kind < 12 ? prng_below(&prng, 40)
				                            : 0;
				values[row] =
				    (struct slice){letters + prng_below(&prng, 4000), length};
			}
			struct column_info info = {.type = COLUMN_LOCAL_TEXT};
			struct strbuf out = {0};
			encode_texts(&info, values, presence, n, &out);
			unsigned char *blob = blob_copy(&out);
			struct column_reader reader = must_open(&info, blob, n);
			struct slice text;
			uint32_t n_wrong = 0;
			for (uint32_t row = 0; row < n; row++) {
				n_wrong +=
				    column_text(&reader, row, &text) != is_present(presence, row);
				n_wrong +=
				    is_present(presence, row) && !slice_equal(text, values[row]);
			}
			ck_assert_uint_eq(n_wrong, 0);
			ck_assert(!column_text(&reader, n, &text));
			if (kind == 0) {
				ck_assert_uint_eq(out.len, n * 16u + 4);
			}
			free(blob);
			strbuf_free(&out);
			free(values);
			free(presence);
		}
	}
}
END_TEST

START_TEST(test_copy)
{
	struct prng prng = {8};
	struct err err = ERR_INIT;

	for (unsigned kind = 0; kind < 36; kind++) {
		uint32_t n = 5000;
		int64_t *values = make_values(SHAPE_OUTLIERS, &prng, n);
		uint64_t *source_presence = kind / 6 ? make_presence(kind / 6, &prng, n) : NULL;
		uint64_t *presence = make_presence(1 + kind % 5, &prng, n);
		for (uint32_t word = 0; source_presence && word < n / 64; word++) {
			presence[word] &= source_presence[word];
		}
		if (source_presence) {
			presence[n / 64] &= source_presence[n / 64];
		}
		struct column_info info = {.type = COLUMN_INTEGER},
				   source = {.type = COLUMN_INTEGER};
		struct strbuf out = {0}, source_out = {0};
		column_encode_integers(&source, values, source_presence, n, &source_out);
		column_encode_copy(&info, 42, presence, n, &out);
		unsigned char *blob = blob_copy(&out), *source_blob = blob_copy(&source_out);
		struct column_reader reader;
		ck_assert_uint_eq(info.same_as, 42);
		ck_assert(column_reader_init(&reader, &info, blob, &source, source_blob, n, &err) ==
		          0);
		check_reader(&reader, values, presence, n, &prng);
		ck_assert(column_reader_init(&reader, &info, blob, NULL, NULL, n, &err) == -1);
		ck_assert(column_reader_init(&reader, &info, blob, &info, blob, n, &err) == -1);
		ck_assert_int_eq(err.code, ERR_FORMAT);
		free(blob);
		free(source_blob);
		strbuf_free(&out);
		strbuf_free(&source_out);
		free(presence);
		free(source_presence);
		free(values);
	}
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("column");
	TCase *tcase = tcase_create("column");

	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, test_round_trip, 0, SHAPES);
	tcase_add_test(tcase, test_sizes);
	tcase_add_loop_test(tcase, test_reals, 0, 6);
	tcase_add_test(tcase, test_texts);
	tcase_add_test(tcase, test_copy);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
