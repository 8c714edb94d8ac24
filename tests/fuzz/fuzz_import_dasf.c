/* The DASF importer on any bytes, whole and in pieces: what it says is checked by the recording
 * sink. The first byte gives the size of the pieces. */
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
	const char *bytes = (const char *)data + 1;
	(void)import_dasf.sniff((struct slice){bytes, size - 1}, "x");
	if (size < GZIP_LIMIT || bytes[0] != '\x1f') {
		struct record_sink *recorded = record_sink_new();
		void *facts = NULL;
		recorded->stop_after = CALLS_LIMIT;
		if (record_bytes(recorded, &import_dasf, bytes, size - 1, chunks[data[0] & 3],
		                 false, &facts) == 0) {
			import_dasf.conclude(&facts, 1, &recorded->sink);
			import_dasf.free_facts(facts);
		}
		record_sink_free(recorded);
	}
	return 0;
}
