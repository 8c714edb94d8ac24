/*
 * The DFTracer importer on any bytes, strict and lenient, whole and in pieces: what it says is
 * checked by the recording sink. The first byte gives the options. Lines that the plain parser
 * takes must be taken alike by the full one.
 */
#include "config.h"

#include <stdlib.h>

#include "fuzz/fuzz.h"
#include "import/formats.h"
#include "import/import_dftracer.h"
#include "unit/record_sink.h"

#define CALLS_LIMIT 20000
#define GZIP_LIMIT 2000 /* a few bytes can inflate to gigabytes */

static bool
same_value(const struct dftracer_value *a, const struct dftracer_value *b)
{
	bool has_text = a->type == DFTRACER_STRING || a->type == DFTRACER_NUMBER;

	return a->type == b->type && a->is_integer == b->is_integer &&
	       (!has_text ||
	        slice_equal((struct slice){a->ptr, a->len}, (struct slice){b->ptr, b->len}));
}

static void
check_line(struct slice line)
{
	struct dftracer_parser *plain = dftracer_parser_new(false),
			       *full = dftracer_parser_new(false);
	uint64_t column;

	if (line.len && dftracer_parse_plain(plain, line)) {
		FUZZ_CHECK(!dftracer_parse_json(full, line, &column));
		FUZZ_CHECK(plain->record.n_pairs == full->record.n_pairs);
		for (size_t i = 0; i < DFTRACER_TOPS; i++) {
			FUZZ_CHECK(same_value(&plain->record.top[i], &full->record.top[i]));
		}
		for (size_t i = 0; i < plain->record.n_pairs; i++) {
			const struct dftracer_pair *a = &plain->record.pairs[i];
			const struct dftracer_pair *b = &full->record.pairs[i];
			FUZZ_CHECK(a->level == b->level && same_value(&a->value, &b->value));
			FUZZ_CHECK(slice_equal(intern_text(plain->key_names, a->key),
			                       intern_text(full->key_names, b->key)));
		}
	}
	dftracer_parser_free(plain);
	dftracer_parser_free(full);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const size_t chunks[] = {0, 1, 7, 64};

	if (size < 2) {
		return 0;
	}
	bool lenient = data[0] & 1;
	size_t chunk = chunks[data[0] >> 1 & 3];
	data++;
	size--;
	char *padded = malloc(size + INPUT_PADDING);
	memcpy(padded, data, size);
	memset(padded + size, '"', INPUT_PADDING);
	(void)import_dftracer.sniff((struct slice){padded, size}, "x");
	check_line((struct slice){padded, size});
	if (size < GZIP_LIMIT || padded[0] != '\x1f') {
		struct record_sink *recorded = record_sink_new(), *last = record_sink_new();
		void *facts = NULL;
		recorded->stop_after = CALLS_LIMIT;
		(void)record_bytes(recorded, &import_dftracer, padded, size, chunk, lenient,
		                   &facts);
		FUZZ_CHECK(!recorded->has_facts ||
		           recorded->facts.bad_records +
		                   record_problems(recorded, PROBLEM_TRUNCATED) +
		                   record_problems(recorded, PROBLEM_SUSPICIOUS) >=
		               recorded->n_problems);
		import_dftracer.conclude(&facts, 1, &last->sink);
		import_dftracer.free_facts(facts);
		record_sink_free(last);
		record_sink_free(recorded);
	}
	free(padded);
	return 0;
}
