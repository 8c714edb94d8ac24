/* Filters over a fixture's blocks, chunk by chunk; what pruning and verdicts say is checked on the
 * way. */
#include "config.h"

#include "unit/matching.h"

#include <stdatomic.h>

#include "column/scan/filter.h"

/* Which rows match, by id - 1. */
struct matching {
	struct filter *filter;
	struct filter_state *states[8];
	_Atomic unsigned char *rows;
	bool is_pruned;
};

static bool
match_wanted(void *user, const struct block_info *block)
{
	struct matching *matching = user;
	return !matching->is_pruned || filter_prune(matching->states[0], block) != FILTER_NONE;
}

static int
match_block(void *user, struct block_view *view, unsigned slot, struct err *err)
{
	struct matching *matching = user;
	struct filter_state *state = matching->states[view->thread];
	uint32_t n_matches = 0;
	enum filter_verdict verdict = filter_prune(state, view->info);
	(void)slot;
	(void)err;
	while (block_view_next(view)) {
		uint64_t matches[CHUNK_WORDS];
		uint32_t n = filter_chunk(state, view, matches), counted = 0;
		for (uint32_t i = 0; i < CHUNK_ROWS; i++) {
			bool is_match = matches[i / 64] >> i % 64 & 1;
			FIXTURE_CHECK(!is_match || i < view->n, "a match behind the chunk");
			if (is_match) {
				matching->rows[view->info->first_id - 1 + view->row + i] = 1;
				counted++;
			}
		}
		FIXTURE_CHECK(n == counted, "%u matches, not %u", counted, n);
		n_matches += n;
	}
	FIXTURE_CHECK(verdict != FILTER_NONE || n_matches == 0, "pruned, but %u match", n_matches);
	FIXTURE_CHECK(verdict != FILTER_ALL || n_matches == view->info->n_rows, "not all match");
	return 0;
}

unsigned char *
matching_rows(struct fixture *fixture, enum block_kind kind, const char *text,
              const struct scan_value *parameters, unsigned n_threads, struct err *err)
{
	static const struct scan_value none[SCAN_PARAMETERS];
	struct matching matching = {.is_pruned = true};
	struct block_fields fields = {0};
	matching.filter =
	    filter_compile(&fixture->dataset, kind, text, parameters ? parameters : none, err);
	if (!matching.filter) {
		return NULL;
	}
	filter_bind(matching.filter, &fields);
	for (unsigned i = 0; i < n_threads; i++) {
		matching.states[i] = filter_state_new(matching.filter);
	}
	matching.rows = xcalloc(fixture->n_rows[kind], 1);
	struct block_loop loop = {.dataset = &fixture->dataset,
	                          .kind = kind,
	                          .fields = &fields,
	                          .end = SIZE_MAX,
	                          .n_threads = n_threads,
	                          .user = &matching,
	                          .wanted = match_wanted,
	                          .scan = match_block};
	FIXTURE_CHECK(block_loop_run(&loop, err) == 0, "%s", err->message);
	for (int i = 0; i < 8; i++) {
		filter_state_free(matching.states[i]);
	}
	filter_free(matching.filter);
	block_fields_free(&fields);
	return (unsigned char *)matching.rows;
}
