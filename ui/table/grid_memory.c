/* A grid's columns as one line of text, and back. */
#include "config.h"

#include <stdlib.h>

#include "query/saved/list.h"
#include "ui/table/grid_private.h"
#include "util/ascii.h"
#include "util/mem.h"

void
grid_write(const struct grid *grid, struct strbuf *out)
{
	for (size_t i = 0; i < grid->n; i++) {
		const struct grid_column *column = &grid->columns[i];

		strbuf_printf(out, "%s%s", i ? "," : "", column->is_hidden ? "-" : "");
		for (const char *c = column->name; *c; c++) {
			if (is_word_char(*c)) {
				strbuf_add_char(out, *c);
			} else {
				strbuf_printf(out, "%%%02x", (unsigned char)*c);
			}
		}
		strbuf_add_text(out, column->is_wide ? "+" : "");
		strbuf_add_text(out, column->is_kept ? "=" : "");
	}
}

static void
read_name(struct slice text, struct strbuf *name)
{
	strbuf_clear(name);
	for (size_t i = 0; i < text.len; i++) {
		if (text.ptr[i] == '%' && i + 2 < text.len && hex_value(text.ptr[i + 1]) >= 0 &&
		    hex_value(text.ptr[i + 2]) >= 0) {
			strbuf_add_char(name, (char)(hex_value(text.ptr[i + 1]) * 16 +
			                             hex_value(text.ptr[i + 2])));
			i += 2;
		} else {
			strbuf_add_char(name, text.ptr[i]);
		}
	}
}

/* Moves the column of this name to place `to`; false if it isn't behind it. */
static bool
bring(struct grid *grid, struct slice name, size_t to)
{
	for (size_t i = to; i < grid->n; i++) {
		if (slice_is(name, grid->columns[i].name)) {
			grid_bring(grid, i, to);
			return true;
		}
	}
	return false;
}

void
grid_read(struct grid *grid, const char *text)
{
	struct strbuf name = {0};
	size_t placed = 0;

	for (struct slice rest = slice_of(text), item; list_next(&rest, &item);) {
		bool is_hidden = item.len > 0 && item.ptr[0] == '-', is_wide, is_kept;

		item = slice_from(item, is_hidden);
		is_kept = item.len > 0 && item.ptr[item.len - 1] == '=';
		item.len -= is_kept;
		is_wide = item.len > 0 && item.ptr[item.len - 1] == '+';
		item.len -= is_wide;
		read_name(item, &name);
		if (bring(grid, strbuf_slice(&name), placed)) {
			grid->columns[placed].is_hidden = is_hidden;
			grid->columns[placed].is_wide = is_wide;
			grid->columns[placed].is_kept = is_kept;
			placed++;
		}
	}
	strbuf_free(&name);
	grid->selected = 0;
	while (grid->selected + 1 < grid->n && grid->columns[grid->selected].is_hidden) {
		grid->selected++;
	}
}
