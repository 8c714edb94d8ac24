/* A window's numbers as a table: what the eye sees, for scripts and for those who can't see it. */
#include "config.h"

#include "query/timeline/timeline_window.h"

#include <stdio.h>

#include "util/intervals.h"

enum {
	BIN_LANE,
	BIN_DEPTH,
	BIN_START,
	BIN_END,
	BIN_BUSY,
	BIN_SHARE,
	BIN_DENSITY,
	BIN_COUNT,
	BIN_MOST,
	BIN_MOST_NS,
	BIN_LOW,
	BIN_HIGH,
	BIN_ROW,
	BIN_RUN /* of two runs */
};

/* A cell of a line, or a value. */
struct bin {
	const struct timeline_window *window;
	const struct colours *colours;
	const struct timeline_row *row;
	const struct timeline_track *track;
	int depth;
	uint32_t at;
	const struct tile_cell *cell;
	const struct timeline_value *value; /* NULL: it is a cell */
};

/* What a row is: those of hosts and processes sum the lanes below them. */
static const char *
row_word(const struct timeline_row *row)
{
	static const char *const words[] = {
	    [TIMELINE_LANE] = "lane",         [TIMELINE_HOST] = "host",
	    [TIMELINE_PROCESS] = "process",   [TIMELINE_COUNTER] = "counter",
	    [TIMELINE_CAPACITY] = "capacity", [TIMELINE_SUM] = "sum",
	    [TIMELINE_ALIKE] = "alike",
	};

	return words[row->type];
}

static void
add_cell(struct result *result, const struct bin *bin)
{
	const struct timeline_window *window = bin->window;
	const struct timeline_row *row = bin->row;
	const struct tile_cell *cell = bin->cell;
	int64_t start = time_add(window->start_ns, (int64_t)bin->at * window->cell_ns);
	struct value *values = result_add_row(result);

	values[BIN_LANE] = value_text(result, row->name);
	values[BIN_ROW] = value_text(result, slice_of(row_word(row)));
	if (row->side > 0) {
		values[BIN_RUN] = value_text(result, slice_of(row->side == 1 ? "A" : "B"));
	}
	if (bin->depth >= 0) {
		values[BIN_DEPTH] = value_integer(bin->depth);
	}
	values[BIN_START] = value_integer(start);
	values[BIN_END] = value_integer(time_add(start, window->cell_ns));
	if (bin->value) {
		values[BIN_LOW] = value_real(bin->value->low);
		values[BIN_HIGH] = value_real(bin->value->high);
		return;
	}
	values[BIN_BUSY] = value_integer(cell->busy_ns);
	values[BIN_SHARE] = value_real(timeline_share(bin->track, cell, window->cell_ns));
	if (cell->density_ns > 0) {
		values[BIN_DENSITY] = value_integer(cell->density_ns);
	}
	values[BIN_COUNT] = value_integer(cell->count);
	if (cell->n_categories > 0 && row->type == TIMELINE_LANE) {
		uint32_t rank = cell->categories[0].category;

		if (rank < bin->colours->n) {
			values[BIN_MOST] = value_text(result, bin->colours->labels[rank]);
		}
		values[BIN_MOST_NS] = value_integer(cell->categories[0].ns);
	}
}

struct result *
timeline_window_table(const struct timeline_window *window, const struct timeline *timeline,
                      const struct colours *colours)
{
	const struct result_column columns[] = {
	    [BIN_LANE] = COLUMN_KEY("lane", NULL),
	    [BIN_DEPTH] = COLUMN("depth", KIND_INTEGER, NULL),
	    [BIN_START] = COLUMN("start", KIND_TIME, NULL, .is_key = true),
	    [BIN_END] = COLUMN("end", KIND_TIME, NULL),
	    [BIN_BUSY] = COLUMN_MEASURE("busy_ns", KIND_DURATION, NULL),
	    [BIN_SHARE] = COLUMN("share", KIND_PERCENT, NULL),
	    [BIN_DENSITY] = COLUMN_MEASURE("density_ns", KIND_DURATION, NULL),
	    [BIN_COUNT] = COLUMN("count", KIND_COUNT, NULL),
	    [BIN_MOST] = COLUMN(colour_mode_name(colours->mode), KIND_TEXT, NULL),
	    [BIN_MOST_NS] = COLUMN("most_ns", KIND_DURATION, NULL),
	    [BIN_LOW] = COLUMN("low", KIND_REAL, NULL),
	    [BIN_HIGH] = COLUMN("high", KIND_REAL, NULL),
	    [BIN_ROW] = COLUMN_KEY("row", NULL),
	    [BIN_RUN] = COLUMN_KEY("run", NULL),
	};
	struct result *result =
	    result_new("Timeline cells", columns, timeline->pair ? COUNT_OF(columns) : BIN_RUN);

	for (size_t line = 0; line < window->n_lines; line++) {
		const struct timeline_row *row = &timeline->rows[window->lines[line].row];
		const struct timeline_track *track = &window->tracks[line];

		for (uint32_t i = 0; i < window->n_cells; i++) {
			const struct tile_cell *cell = track->cells ? &track->cells[i] : NULL;
			const struct timeline_value *value =
			    track->values && track->values[i].is_known ? &track->values[i] : NULL;

			if (value || (cell && (cell->busy_ns > 0 || cell->count > 0 ||
			                       cell->density_ns > 0))) {
				add_cell(result,
				         &(struct bin){window, colours, row, track,
				                       window->lines[line].depth, i, cell, value});
			}
		}
	}
	return result;
}
