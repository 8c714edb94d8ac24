/* The MessagePack reader on any bytes: walking tokens, skipping and conversion must agree on what a
 * value is, and the JSON must be JSON. */
#include "config.h"

#include "fuzz/fuzz.h"
#include "input/json.h"
#include "input/msgpack.h"

static void
check_json(struct slice json)
{
	static const char zeros[INPUT_PADDING];
	struct strbuf padded = {0};
	struct json reader = {.depth = 0};
	enum json_token token;

	strbuf_add(&padded, json.ptr, json.len);
	strbuf_add(&padded, zeros, sizeof zeros);
	json_begin(&reader, (struct slice){padded.data, json.len}, JSON_STRICT);
	while ((token = json_next(&reader)) > JSON_END) {
	}
	FUZZ_CHECK(token == JSON_END);
	json_fini(&reader);
	strbuf_free(&padded);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct slice bytes = {(const char *)data, size};
	struct msgpack walker, skipper, copier;
	struct msgpack_value value;
	struct strbuf json = {0};

	msgpack_begin(&skipper, bytes);
	bool skipped = msgpack_skip(&skipper) == 0;
	uint64_t to_come = 1;
	msgpack_begin(&walker, bytes);
	while (to_come > 0 && msgpack_next(&walker, &value) == 0) {
		FUZZ_CHECK(walker.cursor <= walker.limit);
		to_come += value.type == MSGPACK_MAP     ? value.count * 2 - 1
		           : value.type == MSGPACK_ARRAY ? value.count - 1
		                                         : (uint64_t)-1;
	}
	FUZZ_CHECK(skipped == (to_come == 0));
	FUZZ_CHECK(!skipped || walker.cursor == skipper.cursor);
	msgpack_begin(&copier, bytes);
	if (msgpack_copy_json(&copier, &json) == 0) {
		FUZZ_CHECK(skipped && copier.cursor == skipper.cursor);
		check_json(strbuf_slice(&json));
	}
	strbuf_free(&json);
	return 0;
}
