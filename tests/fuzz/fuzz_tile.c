/* Bytes of a tile chunk: refused, or cells that survive being encoded and decoded again. */
#include "config.h"

#include "column/finish/tile.h"
#include "fuzz/fuzz.h"
#include "util/mem.h"

static void
require_same(const struct tile_cell *a, const struct tile_cell *b)
{
	FUZZ_CHECK(a->busy_ns == b->busy_ns);
	FUZZ_CHECK(a->count == b->count);
	FUZZ_CHECK(a->n_categories == b->n_categories);
	for (uint32_t i = 0; i < a->n_categories; i++) {
		FUZZ_CHECK(a->categories[i].category == b->categories[i].category);
		FUZZ_CHECK(a->categories[i].ns == b->categories[i].ns);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct tile_cell cells[TILE_CHUNK], again[TILE_CHUNK];
	struct arena *arena = arena_new();
	struct strbuf bytes = {0};
	struct err err = ERR_INIT;

	if (tile_decode((struct slice){(const char *)data, size}, cells, arena, &err) == 0) {
		tile_encode(cells, TILE_CHUNK, &bytes);
		FUZZ_CHECK(tile_decode(strbuf_slice(&bytes), again, arena, &err) == 0);
		for (uint32_t i = 0; i < TILE_CHUNK; i++) {
			require_same(&cells[i], &again[i]);
		}
	}
	strbuf_free(&bytes);
	arena_free(arena);
	return 0;
}
