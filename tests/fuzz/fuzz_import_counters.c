/* The importer of counters on any bytes: what it says is checked by the recording sink, and does
 * not depend on the pieces they come in. */
#include "config.h"

#include "fuzz/fuzz.h"
#include "import/formats.h"
#include "unit/record_sink.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct slice bytes = {(const char *)data, size};
	struct record_sink *whole = record_sink_new(), *pieces = record_sink_new();

	bool is_gzip = size > 0 && data[0] == 0x1f;
	if (is_gzip && size > 2000) { /* a few bytes of gzip can inflate to gigabytes */
		size = 2000;
	}
	if (size) {
		int score = import_counters.sniff(bytes, "x");
		FUZZ_CHECK(score == 0 || score == 10 || score == 90);
		(void)record_bytes(whole, &import_counters, data, size, 0, false, NULL);
		(void)record_bytes(pieces, &import_counters, data, size, 3, false, NULL);
		/* Where a broken gzip stream breaks off depends on the pieces. */
		FUZZ_CHECK(is_gzip || (whole->n_counters == pieces->n_counters &&
		                       whole->n_problems == pieces->n_problems));
	}
	record_sink_free(whole);
	record_sink_free(pieces);
	return 0;
}
