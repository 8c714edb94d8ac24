/*
 * The filter language and the list of dimensions, any text, on a small run. First byte: the kind of
 * rows, and whether the rest is a filter or a `by`. A filter that is accepted must agree with its
 * own pruning, and never hold together with its negation.
 */
#include "config.h"

#include <stdlib.h>

#include "column/scan/filter.h"
#include "fuzz/fuzz.h"
#include "unit/memory_dataset.h"
#include "util/mem.h"

#define ROWS 300

struct run {
	struct intern *texts, *keys;
	struct lane lane;
	struct block *blocks[64];
	size_t n_blocks;
	struct memory_dataset *memory;
};

static int
take_block(void *user, struct block *block, const struct span_key *keys)
{
	struct run *run = user;
	(void)keys;
	FUZZ_CHECK(run->n_blocks < 64);
	run->blocks[run->n_blocks++] = block;
	return 0;
}

static void
build(struct run *run, enum block_kind kind)
{
	static const char *const texts[] = {"read", "write", "/a/model-1.pt", "it's", ""};
	struct block_receiver receiver = {run, take_block};
	struct block_builder *builder = block_builder_new(kind, 0, run->texts, 64, &receiver);
	for (int i = 0; i < ROWS; i++) {
		text_code text = intern_id(run->texts, slice_of(texts[i % 5]));
		struct arg args[] = {{.key = 0, .type = ARG_INTEGER, .integer = i},
		                     {.key = 1, .type = ARG_TEXT, .text = slice_of(texts[i % 3])}};
		struct span span = {.start_ns = i * 10,
		                    .duration_ns = i,
		                    .name = text,
		                    .category = i % 3 ? text : TEXT_NONE,
		                    .path = i % 2 ? text : TEXT_NONE,
		                    .size_bytes = i % 4 ? i : SIZE_NONE,
		                    .calls = 1 + i % 2,
		                    .args = args,
		                    .n_args = 2};
		struct event event = {i * 10, 0, text, text, args, 2};
		struct counter counter = {i * 10, 0, text, i / 3.0, args, 2};
		int result = kind == BLOCK_SPAN    ? block_builder_span(builder, &span)
		             : kind == BLOCK_EVENT ? block_builder_event(builder, &event)
		                                   : block_builder_counter(builder, &counter);
		FUZZ_CHECK(result == 0);
	}
	FUZZ_CHECK(block_builder_flush(builder) == 0);
	block_builder_free(builder);
}

static const struct dataset *
small_run(void)
{
	static struct run run;
	static struct dataset dataset;
	if (!run.memory) {
		const struct lane *lanes = &run.lane;
		uint32_t n_lanes = 1;
		run.texts = intern_new();
		run.keys = intern_new();
		run.lane = (struct lane){.host = TEXT_NONE,
		                         .process = {.type = IDENT_INTEGER, .integer = 5},
		                         .name = TEXT_NONE};
		intern_id(run.keys, slice_of("fd"));
		intern_id(run.keys, slice_of("mode"));
		for (int kind = 0; kind < BLOCK_KINDS; kind++) {
			build(&run, (enum block_kind)kind);
		}
		run.memory = memory_dataset_new(run.blocks, run.n_blocks, &run.texts, &run.keys,
		                                &lanes, &n_lanes, 1);
		dataset = *memory_dataset_get(run.memory);
		dataset.n_threads = 1;
	}
	return &dataset;
}

static const struct scan_value parameters[SCAN_PARAMETERS] = {
    {.type = SCAN_INTEGER, .integer = 100},
    {.type = SCAN_TEXT, .text = {"write", 5}},
    {.type = SCAN_REAL, .real = 0.5},
};

struct matching {
	struct filter_state *state;
	bool rows[ROWS];
};

static int
match_block(void *user, struct block_view *view, unsigned slot, struct err *err)
{
	struct matching *matching = user;
	enum filter_verdict verdict = filter_prune(matching->state, view->info);
	(void)slot;
	(void)err;
	while (block_view_next(view)) {
		uint64_t matches[CHUNK_WORDS];
		uint32_t n = filter_chunk(matching->state, view, matches);
		FUZZ_CHECK(verdict == FILTER_SOME || n == (verdict == FILTER_ALL ? view->n : 0));
		for (uint32_t i = 0; i < view->n; i++) {
			matching->rows[view->info->first_id - 1 + view->row + i] =
			    matches[i / 64] >> i % 64 & 1;
		}
	}
	return 0;
}

/* False: refused. */
static bool
run_filter(enum block_kind kind, const char *text, struct matching *matching)
{
	struct err err = ERR_INIT;
	struct block_fields fields = {0};
	struct filter *filter = filter_compile(small_run(), kind, text, parameters, &err);
	if (!filter) {
		FUZZ_CHECK((err.code == ERR_QUERY || err.code == ERR_LIMIT) && err.message[0]);
		return false;
	}
	filter_bind(filter, &fields);
	*matching = (struct matching){.state = filter_state_new(filter)};
	struct block_loop loop = {.dataset = small_run(),
	                          .kind = kind,
	                          .fields = &fields,
	                          .end = SIZE_MAX,
	                          .user = matching,
	                          .scan = match_block};
	FUZZ_CHECK(block_loop_run(&loop, &err) == 0);
	filter_state_free(matching->state);
	filter_free(filter);
	block_fields_free(&fields);
	return true;
}

static void
check_filter(enum block_kind kind, const char *text)
{
	struct matching yes, no;
	struct strbuf opposite = {0};
	strbuf_printf(&opposite, "NOT (%s)", text);
	if (run_filter(kind, text, &yes) && run_filter(kind, opposite.data, &no)) {
		for (int i = 0; i < ROWS; i++) {
			FUZZ_CHECK(!(yes.rows[i] && no.rows[i]));
		}
	}
	strbuf_free(&opposite);
}

static void
check_by(enum block_kind kind, const char *text)
{
	struct err err = ERR_INIT;
	struct sums_request request = {.kind = kind, .by = text, .quantiles = {QUANTILE_50}};
	memcpy(request.parameters, parameters, sizeof parameters);
	struct sums *sums = sums_run(small_run(), &request, &err);
	int64_t rows = 0;
	for (size_t g = 0; sums && g < sums_count(sums); g++) {
		rows += sums_group(sums, g)->rows;
	}
	FUZZ_CHECK(sums ? rows == ROWS : err.message[0] != '\0');
	sums_free(sums);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0) {
		return 0;
	}
	char *text = xstrndup((const char *)data + 1, size - 1);
	enum block_kind kind = (enum block_kind)(data[0] % 3);
	if (data[0] % 2) {
		check_by(kind, text);
	} else {
		check_filter(kind, text);
	}
	free(text);
	return 0;
}
