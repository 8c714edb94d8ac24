/* The tokenizer: any bytes, every flag; whole and in pieces the tokens are the same. The first byte
 * gives flags and piece size. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "input/json.h"
#include "util/intern.h"

/* A hash over all tokens and texts, errors with their place included. */
static uint64_t
digest(struct json *json)
{
	uint64_t hash = 0;
	enum json_token token = JSON_NULL;
	unsigned n_ends = 0;

	while (token != JSON_ERROR && n_ends < 2) {
		token = json_next(json);
		n_ends = token == JSON_END ? n_ends + 1 : 0;
		hash = hash_mix(hash ^ (uint64_t)(token + 2));
		if (token == JSON_KEY || token == JSON_STRING || token == JSON_NUMBER) {
			hash = hash_bytes(json->text.ptr, json->text.len, hash);
		}
		FUZZ_CHECK(json->depth <= JSON_DEPTH_LIMIT);
	}
	return hash_mix(hash ^ json->error_offset);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const size_t chunks[] = {0, 1, 3, 17};
	struct json json = {.depth = 0};
	struct err err = ERR_INIT;

	if (size == 0) {
		return 0;
	}
	unsigned flags = data[0] & 15;
	char *padded = malloc(size - 1 + INPUT_PADDING);
	memcpy(padded, data + 1, size - 1);
	memset(padded + size - 1, '"', INPUT_PADDING);
	struct slice text = {padded, size - 1};
	json_begin(&json, text, flags);
	uint64_t whole = digest(&json);
	if (size < 3 || memcmp(padded, "\x1f\x8b", 2) != 0) { /* else it would be inflated */
		struct input *input = input_from_memory(text, chunks[data[0] >> 4 & 3]);
		json_open_input(&json, input, flags, &err);
		FUZZ_CHECK(digest(&json) == whole);
		input_close(input);
	}
	json_begin(&json, text, flags);
	struct strbuf copy = {NULL, 0, 0};
	enum json_token token = json_next(&json);
	if (token != JSON_ERROR && token != JSON_END) {
		(void)json_copy_value(&json, token, &copy);
	}
	strbuf_free(&copy);
	json_fini(&json);
	free(padded);
	return 0;
}
