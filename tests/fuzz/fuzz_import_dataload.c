/* The importer of data-loading results on any bytes, whole and in pieces: what it says is checked
 * by the recording sink. The first byte gives the size of the pieces. */
#include "config.h"

#include <stdlib.h>

#include "fuzz/fuzz.h"
#include "import/formats.h"
#include "unit/record_sink.h"

#define CALLS_LIMIT 20000
#define GZIP_LIMIT 2000 /* a few bytes can inflate to gigabytes */

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const size_t chunks[] = {0, 1, 7, 64};

	if (size < 2) {
		return 0;
	}
	const char *text = (const char *)data + 1;
	(void)import_dataload.sniff((struct slice){text, size - 1}, "opt_config");
	if (size < GZIP_LIMIT || text[0] != '\x1f') {
		struct record_sink *recorded = record_sink_new();
		recorded->stop_after = CALLS_LIMIT;
		(void)record_bytes(recorded, &import_dataload, text, size - 1, chunks[data[0] & 3],
		                   false, NULL);
		record_sink_free(recorded);
	}
	return 0;
}
