/* The restricted pickle reader on any bytes. The first byte is the number of items that the array
 * must have. */
#include "config.h"

#include "fuzz/fuzz.h"
#include "input/pickle.h"
#include "util/utf8.h"

static void
check_dict(const struct pickle_dict *dict, struct slice bytes)
{
	for (size_t i = 0; i < dict->n_entries; i++) {
		const struct pickle_entry *entry = &dict->entries[i];
		FUZZ_CHECK(utf8_valid(entry->key));
		FUZZ_CHECK(entry->key.ptr >= bytes.ptr &&
		           entry->key.ptr + entry->key.len <= bytes.ptr + bytes.len);
		if (entry->type == PICKLE_TEXT) {
			FUZZ_CHECK(utf8_valid(entry->text));
		}
		FUZZ_CHECK(i == 0 || !slice_equal(entry->key, dict->entries[i - 1].key));
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err err = ERR_INIT;
	struct pickle_array array = {0};

	if (size < 1) {
		return 0;
	}
	struct slice bytes = {(const char *)data + 1, size - 1};
	if (pickle_read(bytes, 0, data[0], &array, &err) == 0) {
		FUZZ_CHECK(array.n_items == data[0] && array.n_bytes <= bytes.len);
		FUZZ_CHECK(array.n_dicts <= array.n_items);
		for (size_t i = 0; i < array.n_items; i++) {
			FUZZ_CHECK(array.items[i] < array.n_dicts);
		}
		for (size_t i = 0; i < array.n_dicts; i++) {
			check_dict(&array.dicts[i], bytes);
		}
	} else {
		FUZZ_CHECK(err.code == ERR_FORMAT || err.code == ERR_LIMIT);
	}
	pickle_free(&array);
	return 0;
}
