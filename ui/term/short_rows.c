/*
 * A row is shortened among the block of rows in which it stands, not among those on the screen: so
 * it looks the same while the list is scrolled, and a screen costs two blocks at most, however long
 * the list is.
 */
#include "config.h"

#include "ui/term/short_rows.h"

#include "ui/term/canvas.h"
#include "util/labels.h"
#include "util/order.h"
#include "util/utf8.h"

#define BLOCK_ROWS 512
#define TEXT_COLUMNS 1024 /* of longer ones the rest is not looked at */

static bool
fits(size_t first, size_t n, short_rows_text *text_of, const void *of, int columns)
{
	for (size_t i = 0; i < n; i++) {
		if (canvas_columns(text_of(of, first + i), columns + 1) > columns) {
			return false;
		}
	}
	return true;
}

/* A block's texts; rows without one are left as they are. */
static void
shorten_block(size_t begin, size_t end, short_rows_text *text_of, const void *of, int columns,
              bool is_ascii, struct slice *shown, struct arena *arena)
{
	struct slice *list = arena_zalloc(arena, (end - begin) * sizeof *list), *made;
	size_t rows[BLOCK_ROWS], n = 0;
	struct strbuf text = {0};

	for (size_t row = begin; row < end; row++) {
		struct slice whole = utf8_clip(text_of(of, row), TEXT_COLUMNS);

		shown[row - begin] = (struct slice){0};
		if (whole.len > 0) {
			strbuf_clear(&text);
			utf8_escape(&text, whole);
			rows[n] = row - begin;
			list[n++] = arena_slice(arena, strbuf_slice(&text));
		}
	}
	made = labels_shorten(list, n, (size_t)columns, is_ascii ? "~" : "…", arena);
	for (size_t i = 0; i < n; i++) {
		shown[rows[i]] = made[i];
	}
	strbuf_free(&text);
}

struct slice *
short_rows(size_t first, size_t n, size_t all, short_rows_text *text_of, const void *of,
           int columns, bool is_ascii, struct arena *arena)
{
	size_t begin = first - first % BLOCK_ROWS, end = begin;
	struct slice *shown;

	if (fits(first, n, text_of, of, columns)) {
		return NULL;
	}
	shown = arena_alloc(arena, (first + n - begin + BLOCK_ROWS) * sizeof *shown);
	for (; end < first + n; end = LEAST(end + BLOCK_ROWS, all)) {
		shorten_block(end, LEAST(end + BLOCK_ROWS, all), text_of, of, columns, is_ascii,
		              shown + (end - begin), arena);
	}
	return shown + (first - begin);
}
