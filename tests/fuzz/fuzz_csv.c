/* The CSV reader on any bytes, whole and in pieces, some of whose records are split into their
 * lines: both give the same records, all of them inside of their text or its copy, and lines and
 * offsets only grow. The first byte gives the size of the pieces. */
#include "config.h"

#include <string.h>

#include "fuzz/fuzz.h"
#include "input/csv.h"
#include "util/intern.h"

static uint64_t
digest_records(struct slice bytes, size_t chunk)
{
	struct input *input = input_from_memory(bytes, chunk);
	struct err err = ERR_INIT;
	struct csv csv;
	uint64_t digest = 0, line = 0, offset = 0;
	int more;

	csv_open(&csv, input, ',');
	while ((more = csv_next(&csv, &err)) == 1) {
		FUZZ_CHECK(csv.line > line && csv.offset >= offset);
		line = csv.line;
		offset = csv.offset;
		digest = hash_bytes(csv.text.ptr, csv.text.len, digest + line);
		if (csv.line % 3 == 0 && csv_split_lines(&csv)) {
			FUZZ_CHECK(csv.problem && csv.n_fields == 0);
		}
		digest += csv.problem != NULL;
		FUZZ_CHECK(csv.problem || csv.n_fields > 0);
		for (size_t i = 0; i < csv.n_fields; i++) {
			digest = hash_bytes(csv.fields[i].ptr, csv.fields[i].len, digest);
		}
	}
	FUZZ_CHECK(more == 0);
	csv_close(&csv);
	input_close(input);
	return digest;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 2 || data[1] == 0x1f) {
		return 0;
	}
	struct slice bytes = {(const char *)data + 1, size - 1};
	FUZZ_CHECK(digest_records(bytes, 0) == digest_records(bytes, 1 + data[0] % 70));
	return 0;
}
