/* The .npy reader on any bytes, whole and in pieces (the first byte gives their size): values only
 * where all bytes were there. */
#include "config.h"

#include <stdlib.h>

#include "fuzz/fuzz.h"
#include "input/npy.h"

#define GZIP_LIMIT 2000 /* a few bytes can inflate to gigabytes */

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const size_t chunks[] = {0, 1, 7, 64};
	struct err err = ERR_INIT;
	struct npy npy;
	double *values;
	volatile double last = 0;

	if (size < 2 || (data[1] == 0x1f && size > GZIP_LIMIT)) {
		return 0;
	}
	struct slice bytes = {(const char *)data + 1, size - 1};
	struct input *input = input_from_memory(bytes, chunks[data[0] & 3]);
	if (npy_read_header(input, &npy, &err) == 0) {
		FUZZ_CHECK(npy.n_values <= NPY_VALUES_LIMIT && npy.n_dimensions <= NPY_DIMENSIONS);
		FUZZ_CHECK(npy_type_name(&npy)[0] != '\0');
		if (npy_read_values(input, &npy, &values, &err) == 0) {
			for (uint64_t i = 0; i < npy.n_values; i++) {
				last = values[i]; /* all of them are there to be read */
			}
			(void)last;
			FUZZ_CHECK(input_compressed(input) || npy.n_values * npy.item_bytes < size);
			free(values);
		} else {
			FUZZ_CHECK(err.code != ERR_NONE);
		}
	} else {
		FUZZ_CHECK(err.code != ERR_NONE);
	}
	input_close(input);
	return 0;
}
