/*
 * Columns, any description and any bytes. First bytes: the description; then the bytes of a column
 * and of the one it may copy. What is accepted must read the same in chunks with and without skips.
 * The same bytes as values must come back from the encoders.
 */
#include "config.h"

#include <stdlib.h>

#include "column/encode/column.h"
#include "fuzz/fuzz.h"
#include "util/mem.h"

struct taker {
	const uint8_t *data;
	size_t left;
};

static void
take(struct taker *taker, void *out, size_t bytes)
{
	size_t some = bytes < taker->left ? bytes : taker->left;

	memset(out, 0, bytes);
	if (some > 0) { /* of no input the pointer may be NULL */
		memcpy(out, taker->data, some);
	}
	taker->data += some;
	taker->left -= some;
}

static uint64_t
number(struct taker *taker, size_t bytes)
{
	uint64_t value = 0;
	take(taker, &value, bytes);
	return value;
}

static struct column_info
take_info(struct taker *taker)
{
	struct column_info info = {.field = 1};

	info.type = (uint8_t)number(taker, 1);
	info.flags = (uint8_t)number(taker, 1);
	info.width = (uint8_t)number(taker, 1);
	info.n_present = (uint32_t)number(taker, 3);
	info.base = (int64_t)number(taker, 8);
	info.scale = (int64_t)number(taker, 8);
	info.first = (int64_t)number(taker, 8);
	info.blob_bytes = (uint32_t)number(taker, 2);
	return info;
}

/* Exactly the bytes and the 8 that may be read beyond. */
static unsigned char *
take_blob(struct taker *taker, struct column_info *info)
{
	info->blob_bytes =
	    info->blob_bytes < taker->left ? info->blob_bytes : (uint32_t)taker->left;
	unsigned char *blob = xcalloc((size_t)info->blob_bytes + 8, 1);
	take(taker, blob, info->blob_bytes);
	return blob;
}

static void
read_column(struct column_reader reader, uint32_t n_rows)
{
	const struct column_reader start = reader;
	struct column_reader straight = reader;
	int64_t values[4096], same[4096];
	uint64_t presence[64], present[64];
	struct slice text;

	for (uint32_t row = 0, chunk = 0; row < n_rows; chunk++) {
		uint32_t n = chunk % 3 == 0 ? 64 : chunk % 3 == 1 ? 1024 : 4096;
		n = n < n_rows - row ? n : n_rows - row;
		column_read(&straight, n, same, present);
		if (chunk % 5 == 4) {
			column_skip(&reader, n);
			row += n;
			continue;
		}
		column_read(&reader, n, values, presence);
		for (uint32_t i = 0; i < n; i++) {
			bool is_present = presence[i / 64] >> (i & 63) & 1;
			FUZZ_CHECK((present[i / 64] >> (i & 63) & 1) == is_present);
			FUZZ_CHECK(values[i] == same[i]);
			if (start.own.info->type == COLUMN_LOCAL_TEXT &&
			    i % (1 + chunk * 37) == 0) {
				FUZZ_CHECK(column_text(&start, row + i, &text) == is_present);
				FUZZ_CHECK(text.len == 0 || text.ptr[0] == text.ptr[0]);
			}
		}
		row += n;
	}
}

static void
check_encoders(const uint8_t *data, size_t size)
{
	uint32_t n = size / 8 < 5000 ? (uint32_t)(size / 8) : 5000;
	int64_t *values = xcalloc((size_t)n + 1, sizeof *values), read[4096];
	uint64_t presence[64];
	struct column_reader reader;
	struct err err = ERR_INIT;

	memcpy(values, data, (size_t)n * 8);
	for (int type = COLUMN_INTEGER; type <= COLUMN_REAL; type++) {
		struct column_info info = {.type = (uint8_t)type, .n_present = n};
		struct strbuf out = {NULL, 0, 0};
		if (type == COLUMN_REAL) {
			column_encode_packed_reals(&info, values, NULL, n, &out);
		} else {
			column_encode_packed_integers(&info, values, NULL, n, &out);
		}
		strbuf_add(&out, "12345678", 8);
		FUZZ_CHECK(column_reader_init(&reader, &info, out.data, NULL, NULL, n, &err) == 0);
		for (uint32_t row = 0; row < n; row += 4096) {
			uint32_t some = n - row < 4096 ? n - row : 4096;
			column_read(&reader, some, read, presence);
			FUZZ_CHECK(memcmp(read, values + row, some * sizeof *read) == 0);
		}
		strbuf_free(&out);
	}
	free(values);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct taker taker = {data, size};
	struct column_reader reader;
	struct err err = ERR_INIT;
	uint32_t n_rows = (uint32_t)number(&taker, 3);
	struct column_info info = take_info(&taker), source = take_info(&taker);
	unsigned char *blob = take_blob(&taker, &info), *source_blob = take_blob(&taker, &source);

	if (column_reader_init(&reader, &info, blob, &source, source_blob, n_rows, &err) == 0) {
		read_column(reader, n_rows);
	}
	free(blob);
	free(source_blob);
	check_encoders(data, size);
	return 0;
}
