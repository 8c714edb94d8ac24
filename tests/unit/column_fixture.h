/* Values of many shapes, encoded and read back: for tests of columns. */
#ifndef LANESCOPE_TESTS_COLUMN_FIXTURE_H
#define LANESCOPE_TESTS_COLUMN_FIXTURE_H

#include <math.h>
#include "column/encode/column_indices.h"
#include "unit/unit.h"
#include "util/mem.h"
#include "util/prng.h"

#define MAX_ROWS BLOCK_ROWS

static const uint32_t row_counts[] = {1,   2,    7,    63,   64,    65,      511,
                                      513, 1000, 4096, 5000, 20000, MAX_ROWS};
#define ROW_COUNTS (sizeof row_counts / sizeof *row_counts)

enum shape {
	SHAPE_CONSTANT,
	SHAPE_SMALL,
	SHAPE_FULL,
	SHAPE_EXTREMES,
	SHAPE_TIMES,
	SHAPE_STEPS,
	SHAPE_OUTLIERS,
	SHAPE_LOW_OUTLIERS,
	SHAPE_FEW_WIDE,
	SHAPE_FREQUENT,
	SHAPE_FREQUENT_DELTA,
	SHAPE_SCALED,
	SHAPE_POWER,
	SHAPE_LATE_CHANGE,
	SHAPE_CODES,
	SHAPES
};

static unsigned n_small; /* columns of few values, of those met */

static inline int64_t
shape_value(enum shape shape, struct prng *prng, uint32_t row, int64_t previous)
{
	switch (shape) {
	case SHAPE_CONSTANT:
		return -77;
	case SHAPE_SMALL:
		return (int64_t)prng_below(prng, 17) - 5;
	case SHAPE_FULL:
		return (int64_t)prng_next(prng);
	case SHAPE_EXTREMES:
		return prng_below(prng, 2) ? INT64_MIN : INT64_MAX - (int64_t)prng_below(prng, 2);
	case SHAPE_TIMES:
		return previous + 1000 * ((int64_t)prng_below(prng, 300) - 50);
	case SHAPE_STEPS:
		return 5000000000 + 3 * (int64_t)row;
	case SHAPE_OUTLIERS:
		return prng_below(prng, 200) ? (int64_t)prng_below(prng, 1000)
		                             : (int64_t)(prng_next(prng) >> 2);
	case SHAPE_LOW_OUTLIERS:
		return prng_below(prng, 300) ? 1000000000 + (int64_t)prng_below(prng, 100)
		                             : -(int64_t)prng_below(prng, 10);
	case SHAPE_FEW_WIDE:
		return (int64_t)(prng_below(prng, 23) * UINT64_C(0x123456789abcdef1));
	case SHAPE_FREQUENT:
		return prng_below(prng, 2) ? -1 : (int64_t)prng_below(prng, 1u << 30);
	case SHAPE_FREQUENT_DELTA:
		return prng_below(prng, 3) == 0 ? -1 : 1000000 + 7 * (int64_t)row;
	case SHAPE_SCALED:
		return INT64_MIN + 1000000007 * (int64_t)prng_below(prng, 5000000000);
	case SHAPE_POWER:
		return (int64_t)(prng_below(prng, 16) << 60);
	case SHAPE_LATE_CHANGE: /* what the sample sees differs from the rest */
		return row % 9362 < 64 ? 3 : (int64_t)prng_below(prng, 1u << 20);
	default:
		return (int64_t)prng_below(prng, 1 + row / 8);
	}
}

static inline int64_t *
make_values(enum shape shape, struct prng *prng, uint32_t n)
{
	int64_t *values = xrealloc_array(NULL, n, sizeof *values);
	int64_t previous = 1712598200500137000;

	for (uint32_t row = 0; row < n; row++) {
		previous = values[row] = shape_value(shape, prng, row, previous);
	}
	return values;
}

/* kind 0: all; else dense, half, rare, none, all but one. */
static inline uint64_t *
make_presence(unsigned kind, struct prng *prng, uint32_t n)
{
	uint64_t *presence = xcalloc((n + 63) / 64 + 1, sizeof *presence);
	static const unsigned share[] = {0, 90, 50, 1, 0, 100};

	for (uint32_t row = 0; row < n; row++) {
		if (prng_below(prng, 100) < share[kind]) {
			presence[row / 64] |= UINT64_C(1) << (row & 63);
		}
	}
	if (kind == 5) {
		uint32_t row = (uint32_t)prng_below(prng, n);
		presence[row / 64] &= ~(UINT64_C(1) << (row & 63));
	}
	if (n % 64) { /* bits beyond the rows mean nothing */
		presence[n / 64] |= UINT64_MAX << (n % 64);
	}
	return presence;
}

static inline bool
is_present(const uint64_t *presence, uint32_t row)
{
	return !presence || presence[row / 64] >> (row & 63) & 1;
}

/* The blob as the store hands it out: exactly its bytes and 8 more. */
static unsigned char *
blob_copy(const struct strbuf *bytes)
{
	unsigned char *blob = xmalloc(bytes->len + 8);
	if (bytes->len) {
		memcpy(blob, bytes->data, bytes->len);
	}
	memset(blob + bytes->len, 0xa5, 8);
	return blob;
}

static inline void
check_chunks(struct column_reader reader, const int64_t *values, const uint64_t *presence,
             uint32_t n, struct prng *prng)
{
	int64_t out[4096];
	uint64_t bits[64];
	uint32_t n_wrong = 0;

	for (uint32_t row = 0; row < n;) {
		uint32_t some = (uint32_t)(1 + prng_below(prng, 64)) * 64;
		some = some > n - row ? n - row : some;
		if (prng_below(prng, 4) == 0) {
			column_skip(&reader, some);
			row += some;
			continue;
		}
		memset(bits, 0xff, sizeof bits);
		column_read(&reader, some, out, bits);
		for (uint32_t i = 0; i < some; i++) {
			bool present = is_present(presence, row + i);
			n_wrong += (bits[i / 64] >> (i & 63) & 1) != present;
			n_wrong += out[i] != (present ? values[row + i] : 0);
		}
		n_wrong += some % 64 && bits[some / 64] >> (some % 64) != 0;
		row += some;
	}
	ck_assert_uint_eq(n_wrong, 0);
}

/* Columns of few values: the indices lead to the same values. */
static inline void
check_small(const struct column_reader *reader, const int64_t *values, const uint64_t *presence,
            uint32_t n, struct prng *prng)
{
	struct column_indices small;
	uint8_t indices[4096];
	uint32_t n_wrong = 0;

	if (!column_indices_init(&small, reader)) {
		return;
	}
	n_small++;
	ck_assert_uint_le(small.n_values, SMALL_VALUES);
	ck_assert_uint_eq(small.absent, small.n_values);
	for (int round = 0; round < 2; round++) {
		column_indices_rewind(&small);
		for (uint32_t row = 0; row < n;) {
			uint32_t some = (uint32_t)(1 + prng_below(prng, 64)) * 64;
			some = some > n - row ? n - row : some;
			if (prng_below(prng, 4) == 0) {
				column_indices_skip(&small, some);
				row += some;
				continue;
			}
			column_indices_read(&small, some, indices);
			for (uint32_t i = 0; i < some; i++) {
				bool present = is_present(presence, row + i);
				n_wrong += (indices[i] < small.n_values) != present;
				n_wrong +=
				    indices[i] > small.absent ||
				    small.values[indices[i]] != (present ? values[row + i] : 0);
			}
			row += some;
		}
	}
	ck_assert_uint_eq(n_wrong, 0);
}

/* Moves the present ones of n elements to the front; how many. */
static inline uint32_t
pack(void *values, size_t size, const uint64_t *presence, uint32_t n)
{
	uint32_t n_present = 0;

	for (uint32_t row = 0; row < n; row++) {
		if (is_present(presence, row)) {
			memmove((char *)values + size * n_present++, (char *)values + size * row,
			        size);
		}
	}
	return n_present;
}

static inline void
encode_reals(struct column_info *info, const double *values, const uint64_t *presence, uint32_t n,
             struct strbuf *out)
{
	int64_t *bits = xcalloc((size_t)n + 1, sizeof *bits);

	memcpy(bits, values, n * sizeof *bits);
	info->n_present = pack(bits, sizeof *bits, presence, n);
	column_encode_packed_reals(info, bits, presence, n, out);
	free(bits);
}

static inline void
encode_texts(struct column_info *info, const struct slice *values, const uint64_t *presence,
             uint32_t n, struct strbuf *out)
{
	struct slice *packed = xcalloc((size_t)n + 1, sizeof *packed);

	memcpy(packed, values, n * sizeof *packed);
	info->n_present = pack(packed, sizeof *packed, presence, n);
	column_encode_packed_texts(info, packed, presence, n, out);
	free(packed);
}

static inline void
check_reader(const struct column_reader *reader, const int64_t *values, const uint64_t *presence,
             uint32_t n, struct prng *prng)
{
	check_chunks(*reader, values, presence, n, prng);
	check_small(reader, values, presence, n, prng);
}

static inline struct column_reader
must_open(const struct column_info *info, const void *blob, uint32_t n)
{
	struct column_reader reader;
	struct err err = ERR_INIT;

	ck_assert_msg(column_reader_init(&reader, info, blob, NULL, NULL, n, &err) == 0, "%s",
	              err.message);
	return reader;
}

static inline void
check_range(const struct column_info *info, const int64_t *values, const uint64_t *presence,
            uint32_t n)
{
	int64_t min = 0, max = 0;
	bool any = false;

	for (uint32_t row = 0; row < n; row++) {
		if (is_present(presence, row)) {
			min = !any || values[row] < min ? values[row] : min;
			max = !any || values[row] > max ? values[row] : max;
			any = true;
		}
	}
	ck_assert_int_eq(info->min, min);
	ck_assert_int_eq(info->max, max);
}

static inline void
check_round_trip(enum shape shape, unsigned presence_kind, uint32_t n, struct prng *prng)
{
	int64_t *values = make_values(shape, prng, n);
	uint64_t *presence = presence_kind ? make_presence(presence_kind, prng, n) : NULL;
	struct column_info info = {
	    .field = 99, .type = COLUMN_INTEGER, .flags = 0xff, .width = 9, .base = 7};
	struct strbuf out = {0}, again = {0};

	column_encode_integers(&info, values, presence, n, &out);
	ck_assert_uint_eq(info.blob_bytes, out.len);
	ck_assert_uint_le(out.len, (size_t)n * 9 + 16);
	check_range(&info, values, presence, n);
	unsigned char *blob = blob_copy(&out);
	struct column_reader reader = must_open(&info, blob, n);
	check_reader(&reader, values, presence, n, prng);

	struct column_info twin = {.field = 99, .type = COLUMN_INTEGER};
	column_encode_integers(&twin, values, presence, n, &again);
	ck_assert(twin.base == info.base && twin.flags == info.flags &&
	          slice_equal(strbuf_slice(&out), strbuf_slice(&again)));

	column_shift(&info, -1234567890123);
	if (info.n_present) {
		for (uint32_t row = 0; row < n; row++) {
			values[row] = (int64_t)((uint64_t)values[row] - 1234567890123u);
		}
		reader = must_open(&info, blob, n);
		check_reader(&reader, values, presence, n, prng);
	}
	free(blob);
	strbuf_free(&out);
	strbuf_free(&again);
	free(presence);
	free(values);
}

static inline double
real_value(int shape, struct prng *prng)
{
	static const double odd[] = {0.0,   -0.0,   INFINITY, -INFINITY, NAN,
	                             1e300, 5e-324, 0.1,      1e22,      9007199254740993.0};
	double value;
	uint64_t bits;

	switch (shape) {
	case 0:
		return (double)(int64_t)prng_below(prng, 1000);
	case 1:
		return ((double)(int64_t)prng_below(prng, 100000) - 5000) / 100;
	case 2:
		bits = prng_next(prng);
		memcpy(&value, &bits, sizeof value);
		return value;
	case 3:
		return odd[prng_below(prng, sizeof odd / sizeof *odd)];
	case 4:
		return (double)prng_next(prng) / 3e9;
	default:
		return prng_below(prng, 2) ? 0 : (double)prng_below(prng, 1u << 30) / 1000;
	}
}

#endif
