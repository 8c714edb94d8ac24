/*
 * The Chrome trace importer on any bytes, record by record, whole and in pieces, on one thread
 * and on three: what it says is checked by the recording sink, and must not depend on how the bytes
 * come in. The first byte gives the piece's size.
 */
#include "config.h"

#include <stdlib.h>

#include "fuzz/fuzz.h"
#include "import/formats.h"
#include "unit/record_sink.h"

#define CALLS_LIMIT 20000
#define GZIP_LIMIT 2000 /* a few bytes can inflate to gigabytes */

static struct record_sink *
read_in_pieces(const char *bytes, size_t size, size_t chunk, unsigned n_threads)
{
	struct record_sink *recorded = record_sink_new();

	recorded->n_threads = n_threads;
	recorded->stop_after = CALLS_LIMIT;
	(void)record_bytes(recorded, &import_chrome, bytes, size, chunk, false, NULL);
	return recorded;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const size_t chunks[] = {0, 2, 7, 64};

	if (size < 2) {
		return 0;
	}
	size_t chunk = chunks[data[0] >> 1 & 3];
	data++;
	size--;
	char *padded = malloc(size + INPUT_PADDING);
	memcpy(padded, data, size);
	memset(padded + size, '"', INPUT_PADDING);
	int score = import_chrome.sniff((struct slice){padded, size}, "x");
	FUZZ_CHECK(score >= -100 && score <= 100);
	if (size < GZIP_LIMIT || padded[0] != '\x1f') {
		struct record_sink *whole = read_in_pieces(padded, size, 0, 0);
		struct record_sink *pieces =
		    read_in_pieces(padded, size, chunk, data[-1] & 8 ? 3 : 1);
		/* Where a broken gzip stream breaks off depends on the pieces. */
		if (padded[0] != '\x1f') {
			FUZZ_CHECK(whole->n_spans == pieces->n_spans &&
			           whole->n_events == pieces->n_events);
			FUZZ_CHECK(whole->n_counters == pieces->n_counters &&
			           whole->n_dependencies == pieces->n_dependencies);
			FUZZ_CHECK(whole->n_problems == pieces->n_problems &&
			           whole->n_lanes == pieces->n_lanes);
		}
		for (size_t i = 0; i < whole->n_dependencies; i++) {
			FUZZ_CHECK(whole->dependencies[i].from_span < whole->n_spans &&
			           whole->dependencies[i].to_span < whole->n_spans);
		}
		record_sink_free(whole);
		record_sink_free(pieces);
	}
	free(padded);
	return 0;
}
