/* Columns: whatever goes in comes out, chunk by chunk and one by one; damaged columns are
 * refused or harmless. */
#include "config.h"

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

static int64_t
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

static int64_t *
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
static uint64_t *
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

static bool
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

static void
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
static void
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
static uint32_t
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

static void
encode_reals(struct column_info *info, const double *values, const uint64_t *presence, uint32_t n,
             struct strbuf *out)
{
	int64_t *bits = xcalloc((size_t)n + 1, sizeof *bits);

	memcpy(bits, values, n * sizeof *bits);
	info->n_present = pack(bits, sizeof *bits, presence, n);
	column_encode_packed_reals(info, bits, presence, n, out);
	free(bits);
}

static void
encode_texts(struct column_info *info, const struct slice *values, const uint64_t *presence,
             uint32_t n, struct strbuf *out)
{
	struct slice *packed = xcalloc((size_t)n + 1, sizeof *packed);

	memcpy(packed, values, n * sizeof *packed);
	info->n_present = pack(packed, sizeof *packed, presence, n);
	column_encode_packed_texts(info, packed, presence, n, out);
	free(packed);
}

static void
check_reader(const struct column_reader *reader, const int64_t *values, const uint64_t *presence,
             uint32_t n, struct prng *prng)
{
	check_chunks(*reader, values, presence, n, prng);
	check_small(reader, values, presence, n, prng);
}

static struct column_reader
must_open(const struct column_info *info, const void *blob, uint32_t n)
{
	struct column_reader reader;
	struct err err = ERR_INIT;

	ck_assert_msg(column_reader_init(&reader, info, blob, NULL, NULL, n, &err) == 0, "%s",
	              err.message);
	return reader;
}

static void
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

static void
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

static double
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

/* Reads everything of a column that may be damaged. */
static void
read_all(const struct column_info *info, const void *blob, uint32_t n)
{
	struct column_reader reader;
	struct err err = ERR_INIT;
	int64_t values[4096];
	uint64_t presence[64];
	struct slice text;
	static volatile char touched; /* makes the sanitizer look at the bytes */

	if (column_reader_init(&reader, info, blob, NULL, NULL, n, &err) < 0) {
		if (err.code != ERR_FORMAT) {
			ck_abort_msg("%s", err.message);
		}
		return;
	}
	for (uint32_t row = 0; row < n; row += 97) {
		if (column_text(&reader, row, &text) && text.len > 0) {
			touched ^= text.ptr[0] ^ text.ptr[text.len - 1];
		}
	}
	for (uint32_t row = 0; row < n; row += 4096) {
		column_read(&reader, n - row < 4096 ? n - row : 4096, values, presence);
	}
}

static void
damage(struct column_info *info, unsigned char *blob, struct prng *prng)
{
	switch (prng_below(prng, 9)) {
	case 0:
		info->flags ^= (uint8_t)(1u << prng_below(prng, 8));
		break;
	case 1:
		info->width = (uint8_t)prng_below(prng, 80);
		break;
	case 2:
		info->n_present = (uint32_t)prng_below(prng, 70000);
		break;
	case 3:
		info->type = (uint8_t)prng_below(prng, 6);
		break;
	case 4:
		info->base = (int64_t)prng_next(prng);
		info->scale = (int64_t)prng_next(prng);
		break;
	case 5:
		info->blob_bytes -= (uint32_t)prng_below(prng, info->blob_bytes + 1);
		break;
	default:
		if (info->blob_bytes) {
			uint64_t head =
			    prng_below(prng, info->blob_bytes < 24 ? info->blob_bytes : 24);
			blob[prng_below(prng, 2) ? head : prng_below(prng, info->blob_bytes)] ^=
			    (unsigned char)(1u << prng_below(prng, 8));
		}
	}
}

START_TEST(test_damaged)
{
	struct prng prng = {21};

	for (int round = 0; round < 60; round++) {
		uint32_t n = 1 + (uint32_t)prng_below(&prng, 3000);
		uint64_t *presence =
		    round % 3 ? make_presence(1 + (unsigned)round % 5, &prng, n) : NULL;
		int64_t *values = make_values((enum shape)(round % SHAPES), &prng, n);
		struct column_info info = {.type = COLUMN_INTEGER};
		struct strbuf out = {0};
		if (round % 4 == 3) {
			struct slice *texts = xcalloc(n, sizeof *texts);
			for (uint32_t row = 0; row < n; row++) {
				texts[row] = (struct slice){"some text", prng_below(&prng, 10)};
			}
			encode_texts(&info, texts, presence, n, &out);
			free(texts);
		} else if (round % 4 == 2) {
			double *reals = xcalloc(n, sizeof *reals);
			for (uint32_t row = 0; row < n; row++) {
				reals[row] = real_value(1 + round % 5, &prng);
			}
			info.type = COLUMN_REAL;
			encode_reals(&info, reals, presence, n, &out);
			free(reals);
		} else {
			column_encode_integers(&info, values, presence, n, &out);
		}
		for (int i = 0; i < 200; i++) {
			struct column_info broken = info;
			unsigned char *blob = blob_copy(&out);
			for (uint64_t times = 1 + prng_below(&prng, 3); times > 0; times--) {
				damage(&broken, blob, &prng);
			}
			read_all(&broken, blob,
			         prng_below(&prng, 8) ? n : (uint32_t)prng_below(&prng, 70000));
			free(blob);
		}
		strbuf_free(&out);
		free(values);
		free(presence);
	}
}
END_TEST

/* One column, damaged in one place: refused. */
struct specimen {
	struct column_info info;
	struct strbuf bytes;
};

static struct specimen
specimen_of(enum shape shape, unsigned presence_kind, uint32_t n)
{
	struct prng prng = {31};
	struct specimen specimen = {.info = {.type = COLUMN_INTEGER}};
	int64_t *values = make_values(shape, &prng, n);
	uint64_t *presence = presence_kind ? make_presence(presence_kind, &prng, n) : NULL;

	column_encode_integers(&specimen.info, values, presence, n, &specimen.bytes);
	free(values);
	free(presence);
	return specimen;
}

/* Changes the description, or XORs a byte counted from the start (or the end if negative). */
static void
check_refused(const struct specimen *specimen, struct column_info info, uint32_t n, long at,
              unsigned char change)
{
	struct column_reader reader;
	struct err err = ERR_INIT;
	unsigned char *blob = blob_copy(&specimen->bytes);

	if (change) {
		blob[at < 0 ? (size_t)((long)specimen->bytes.len + at) : (size_t)at] ^= change;
	}
	ck_assert_int_eq(column_reader_init(&reader, &info, blob, NULL, NULL, n, &err), -1);
	ck_assert_int_eq(err.code, ERR_FORMAT);
	free(blob);
}

/* How many patches a dense column has: their count stands behind the numbers. */
static uint32_t
patches_of(const struct specimen *specimen)
{
	uint32_t count;
	size_t at = ((size_t)specimen->info.n_present * specimen->info.width + 7) / 8;

	memcpy(&count, specimen->bytes.data + at, sizeof count);
	return count;
}

START_TEST(test_refused)
{
	enum { N = 4000 };
	struct specimen plain = specimen_of(SHAPE_SMALL, 0, N),
			sparse = specimen_of(SHAPE_SMALL, 2, N);
	struct specimen list = specimen_of(SHAPE_SMALL, 3, N),
			table = specimen_of(SHAPE_FEW_WIDE, 0, N);
	struct specimen patches = specimen_of(SHAPE_OUTLIERS, 0, N);
	struct column_info info = plain.info;

	ck_assert(list.info.flags & COLUMN_LIST && table.info.flags & COLUMN_TABLE &&
	          patches.info.flags & COLUMN_PATCH);
	info.blob_bytes--;
	check_refused(&plain, info, N, 0, 0);
	info.blob_bytes += 2; /* one byte too many, of those that may be read beyond */
	check_refused(&plain, info, N, 0, 0);
	check_refused(&plain, plain.info, N - 1, 0, 0);
	check_refused(&plain, plain.info, BLOCK_ROWS + 1, 0, 0);
	static const uint8_t flags[] = {COLUMN_LIST,
	                                COLUMN_SPARSE | COLUMN_FILL,
	                                COLUMN_TABLE | COLUMN_DELTA,
	                                COLUMN_TABLE | COLUMN_PATCH,
	                                COLUMN_DECIMAL,
	                                COLUMN_COPY | COLUMN_DELTA,
	                                COLUMN_COPY};
	for (size_t i = 0; i < sizeof flags; i++) {
		info = plain.info;
		info.flags = flags[i];
		check_refused(&plain, info, N, 0, 0);
	}
	info = plain.info;
	info.width = 58;
	check_refused(&plain, info, N, 0, 0);
	info = plain.info;
	info.type = COLUMN_LOCAL_TEXT + 1;
	check_refused(&plain, info, N, 0, 0);
	check_refused(&sparse, sparse.info, N, 17, 4); /* a bit of the bitmap */
	check_refused(&list, list.info, N, 1, 0x80);   /* a row beyond the last */
	const char *rows = list.bytes.data;
	ck_assert(rows[1] == rows[3] && rows[0] != rows[2]);
	check_refused(&list, list.info, N, 2, (unsigned char)(rows[0] ^ rows[2])); /* a row twice */
	check_refused(&table, table.info, N, 0, 1);    /* one entry more or less */
	check_refused(&table, table.info, N, 2, 0xff); /* bytes an entry */
	check_refused(&patches, patches.info, N, -1 - 8 * (long)patches_of(&patches), 0x80);
	struct specimen *all[] = {&plain, &sparse, &list, &table, &patches};
	for (int i = 0; i < 5; i++) {
		strbuf_free(&all[i]->bytes);
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
	tcase_add_test(tcase, test_damaged);
	tcase_add_test(tcase, test_refused);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
