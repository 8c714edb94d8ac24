/*
 * Encoded cells of a chunk. In this order:
 * - the format: 1, or 2 if a cell of the chunk has a density
 * - the number of categories in the chunk; their codes + 1 (so TEXT_NONE is 0), increasing, each as
 *   the difference to the one before
 * - the largest busy of the chunk's cells, ns
 * - the cells, to the end.
 *
 * A cell that is not empty:
 * - a byte: number of categories (3 bits), gap (1), full (1), count (3)
 * - if gap is set: how many empty cells stand before this one
 * - if the three bits are 7: the number of categories - 7, the count - 7
 * - busy, unless it is the chunk's largest (full is set), or 0 (there are no categories)
 * - for each category its place in the chunk's list and its ns; the last one's, which is the rest
 *   of busy, is left out
 * - its density, in format 2.
 *
 * All but the cell's first byte are variable-length integers of seven bits a byte, lowest first. A
 * lane that is all busy with one category takes two or three bytes a cell.
 */
#include "config.h"
#include "column/finish/tile.h"

#include <stdlib.h>

#include "column/finish/cell.h"
#include "util/mem.h"
#include "util/order.h"

#define FORMAT_PLAIN 1
#define FORMAT_DENSITY 2
#define ESCAPE 7u
#define BIT_GAP 8u
#define BIT_FULL 16u
#define COUNT_SHIFT 5
#define FAMILIAR 16u /* categories compared one by one before a chunk's list is sorted */

static void
put(struct strbuf *out, uint64_t value)
{
	char bytes[10];
	size_t n = 0;

	for (; value >= 128; value >>= 7) {
		bytes[n++] = (char)(value | 128);
	}
	bytes[n++] = (char)value;
	strbuf_add(out, bytes, n);
}

static int
compare_codes(const void *a, const void *b)
{
	uint32_t left, right;

	memcpy(&left, a, sizeof left);
	memcpy(&right, b, sizeof right);
	return ORDER(left, right);
}

/* The categories of all cells as code + 1, sorted, each once. New. */
static uint32_t *
list_categories(const struct tile_cell *cells, uint32_t n_cells, size_t *n_codes)
{
	uint32_t *codes = NULL;
	size_t n = 0, capacity = 0, kept = 0;

	for (uint32_t i = 0; i < n_cells; i++) {
		for (uint32_t k = 0; k < cells[i].n_categories; k++) {
			uint32_t code = cells[i].categories[k].category + 1;
			size_t seen = 0;
			while (seen < n && seen < FAMILIAR && codes[seen] != code) {
				seen++;
			}
			if (seen == n || seen == FAMILIAR) {
				MEM_GROW(codes, capacity, n + 1);
				codes[n++] = code;
			}
		}
	}
	SORT(codes, n, compare_codes);
	for (size_t i = 0; i < n; i++) {
		if (i == 0 || codes[i] != codes[kept - 1]) {
			codes[kept++] = codes[i];
		}
	}
	*n_codes = kept;
	return codes;
}

static size_t
place_of(const uint32_t *codes, size_t n, uint32_t code)
{
	size_t behind = 0;

	ORDER_FIND(behind, n, middle, codes[middle] <= code);
	return behind - (behind > 0);
}

static void
encode_cell(const struct tile_cell *cell, uint32_t gap, int64_t fullest_ns, const uint32_t *codes,
            size_t n_codes, struct strbuf *out)
{
	uint64_t n = cell->n_categories, count = (uint64_t)cell->count;
	bool is_full = n > 0 && cell->busy_ns == fullest_ns;

	strbuf_add_char(out,
	                (char)(LEAST(n, ESCAPE) | (gap ? BIT_GAP : 0) | (is_full ? BIT_FULL : 0) |
	                       LEAST(count, ESCAPE) << COUNT_SHIFT));
	if (gap) {
		put(out, gap);
	}
	if (n >= ESCAPE) {
		put(out, n - ESCAPE);
	}
	if (count >= ESCAPE) {
		put(out, count - ESCAPE);
	}
	if (n > 0 && !is_full) {
		put(out, (uint64_t)cell->busy_ns);
	}
	for (uint64_t k = 0; k < n; k++) {
		put(out, place_of(codes, n_codes, cell->categories[k].category + 1));
		if (k + 1 < n) {
			put(out, (uint64_t)cell->categories[k].ns);
		}
	}
}

void
tile_encode(const struct tile_cell *cells, uint32_t n_cells, struct strbuf *out)
{
	size_t n_codes;
	uint32_t *codes = list_categories(cells, n_cells, &n_codes);
	int64_t fullest_ns = 0;
	uint32_t gap = 0;
	bool has_density = false;

	for (uint32_t i = 0; i < n_cells; i++) {
		fullest_ns = MOST(cells[i].busy_ns, fullest_ns);
		has_density = has_density || cells[i].density_ns > 0;
	}
	strbuf_add_char(out, has_density ? FORMAT_DENSITY : FORMAT_PLAIN);
	put(out, n_codes);
	for (size_t i = 0; i < n_codes; i++) {
		put(out, codes[i] - (i > 0 ? codes[i - 1] : 0));
	}
	put(out, (uint64_t)fullest_ns);
	for (uint32_t i = 0; i < n_cells; i++) {
		if (cell_is_empty(&cells[i])) {
			gap++;
			continue;
		}
		encode_cell(&cells[i], gap, fullest_ns, codes, n_codes, out);
		if (has_density) {
			put(out, (uint64_t)cells[i].density_ns);
		}
		gap = 0;
	}
	free(codes);
}

/* Reading: any failure sets is_bad, and everything reads as 0 from then on. */
struct tile_input {
	const unsigned char *at, *end;
	bool is_bad, has_density;
};

static uint64_t
fail(struct tile_input *in)
{
	in->is_bad = true;
	in->at = in->end;
	return 0;
}

/* At most `max`. */
static uint64_t
get(struct tile_input *in, uint64_t max)
{
	uint64_t value = 0;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		if (in->at == in->end) {
			return fail(in);
		}
		unsigned char byte = *in->at++;
		uint64_t bits = byte & 127;
		if (shift == 63 && bits > 1) {
			return fail(in);
		}
		value |= bits << shift;
		if (byte < 128) {
			return value <= max ? value : fail(in);
		}
	}
	return fail(in);
}

/* A category of the chunk: code + 1, and the cell it was last used in (from 1), as none may stand
 * twice in a cell. */
struct listed {
	uint32_t code, cell;
};

/* The chunk's list of categories, in the arena. Each takes a byte, which bounds the memory. */
static struct listed *
decode_categories(struct tile_input *in, size_t *n_codes, struct arena *arena)
{
	size_t n = (size_t)get(in, (uint64_t)(in->end - in->at));
	struct listed *list = arena_zalloc(arena, n * sizeof *list);

	for (size_t i = 0; i < n; i++) {
		uint32_t before = i > 0 ? list[i - 1].code : 0;
		uint32_t step = (uint32_t)get(in, UINT32_MAX - before);
		if (i > 0 && step == 0) {
			fail(in);
		}
		list[i].code = before + step;
	}
	*n_codes = n;
	return list;
}

static void
decode_times(struct tile_input *in, struct tile_cell *cell, uint32_t stamp, struct listed *list,
             size_t n_codes, struct arena *arena)
{
	uint32_t n = cell->n_categories;
	struct category_time *times = arena_alloc(arena, n * sizeof *times);
	int64_t left_ns = cell->busy_ns;

	for (uint32_t k = 0; k < n; k++) {
		struct listed *listed = &list[get(in, n_codes - 1)];
		bool is_repeated = listed->cell == stamp;
		listed->cell = stamp;
		times[k].category = listed->code - 1;
		times[k].ns = k + 1 < n ? (int64_t)get(in, (uint64_t)left_ns) : left_ns;
		left_ns -= times[k].ns;
		bool is_sorted =
		    k == 0 || times[k - 1].ns > times[k].ns ||
		    (times[k - 1].ns == times[k].ns && times[k - 1].category < times[k].category);
		if (times[k].ns <= 0 || !is_sorted || is_repeated) {
			fail(in);
			return;
		}
	}
	cell->categories = times;
}

static void
decode_cell(struct tile_input *in, struct tile_cell *cells, uint32_t *index, int64_t fullest_ns,
            struct listed *list, size_t n_codes, struct arena *arena)
{
	unsigned char head = *in->at++;
	uint64_t n = head & ESCAPE, count = head >> COUNT_SHIFT;

	if (head & BIT_GAP) {
		*index += (uint32_t)get(in, TILE_CHUNK);
	}
	if (n == ESCAPE) {
		n += get(in, TILE_CATEGORIES);
	}
	if (count == ESCAPE) {
		count += get(in, INT64_MAX - ESCAPE);
	}
	if (*index >= TILE_CHUNK || n > n_codes || n > TILE_CATEGORIES ||
	    (n == 0 && count == 0 && !in->has_density)) {
		fail(in);
		return;
	}
	struct tile_cell *cell = &cells[(*index)++];
	cell->count = (int64_t)count;
	cell->n_categories = (uint32_t)n;
	if (n > 0) {
		cell->busy_ns = head & BIT_FULL ? fullest_ns : (int64_t)get(in, INT64_MAX);
		decode_times(in, cell, *index, list, n_codes, arena);
	}
	if (in->has_density) {
		cell->density_ns = (int64_t)get(in, INT64_MAX);
		if (cell_is_empty(cell)) {
			fail(in);
		}
	}
}

int
tile_decode(struct slice bytes, struct tile_cell *cells, struct arena *arena, struct err *err)
{
	uint32_t index = 0;
	size_t n_codes;

	memset(cells, 0, TILE_CHUNK * sizeof *cells);
	if (bytes.len == 0) {
		return 0;
	}
	struct tile_input in = {(const unsigned char *)bytes.ptr,
	                        (const unsigned char *)bytes.ptr + bytes.len, false,
	                        bytes.ptr[0] == FORMAT_DENSITY};
	if (*in.at++ != FORMAT_PLAIN && !in.has_density) {
		return err_set(err, ERR_FORMAT, "tiles: unknown format %d",
		               (unsigned char)bytes.ptr[0]);
	}
	struct listed *list = decode_categories(&in, &n_codes, arena);
	int64_t fullest_ns = (int64_t)get(&in, INT64_MAX);
	while (in.at < in.end) {
		decode_cell(&in, cells, &index, fullest_ns, list, n_codes, arena);
	}
	if (in.is_bad) {
		memset(cells, 0, TILE_CHUNK * sizeof *cells);
		return err_set(err, ERR_FORMAT, "tiles: damaged chunk");
	}
	return 0;
}
