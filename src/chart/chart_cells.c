/*
 * Heat maps: names along x and y, a value where they meet. Rows of one cell add up where their
 * column does (a pivot); of other columns the cell is their mean.
 */
#include "config.h"
#include "chart/chart_private.h"

#include <math.h>
#include <stdlib.h>

#include "util/order.h"

static struct slice *
take_names(struct chart_data *data, const struct intern *from, size_t n)
{
	struct slice *names = arena_alloc(data->chart->arena, (n + 1) * sizeof *names);

	for (size_t i = 0; i < n; i++) {
		names[i] = arena_slice(data->chart->arena, intern_text(from, (uint32_t)i));
	}
	return names;
}

static void
set_names(struct chart_data *data, struct chart_axis *axis, const struct intern *from, size_t most,
          const char *what)
{
	size_t n = intern_count(from);

	axis->n_names = LEAST(n, most);
	axis->names = take_names(data, from, axis->n_names);
	axis->low = -0.5;
	axis->high = (double)axis->n_names - 0.5;
	if (axis->n_names == 0) {
		axis->low = 0;
		axis->high = 1;
	}
	if (n > axis->n_names) {
		chart_note(data->chart, "the first %zu of %zu %s are shown: --limit N shows more",
		           axis->n_names, n, what);
	}
}

void
chart_reduce_cells(struct chart_data *data)
{
	struct chart *chart = data->chart;
	const struct result_column *column = &data->result->columns[data->plan->y.at[0]];
	bool adds_up = column_adds_up(column);
	double low = INFINITY, high = -INFINITY;
	size_t folded = 0;

	chart->value = chart->y;
	chart->y = (struct chart_axis){.kind = KIND_TEXT, .title = slice_of(chart->series_columns)};
	set_names(data, &chart->x, data->names, MOST(data->plan->most, CHART_BARS_MOST), "columns");
	set_names(data, &chart->y, data->labels, data->plan->most, "rows");
	size_t n_x = chart->x.n_names, n = n_x * chart->y.n_names;
	chart->n_series = 1;
	chart->series = arena_zalloc(chart->arena, sizeof *chart->series);
	struct chart_point *cells = arena_zalloc(chart->arena, (n + 1) * sizeof *cells);
	for (size_t i = 0; i < data->n_raw; i++) {
		const struct chart_raw *raw = &data->raw[i];
		size_t at = (size_t)raw->series * n_x + (size_t)raw->x;

		if (raw->x < (double)n_x && raw->series < chart->y.n_names) {
			folded += cells[at].n_rows > 0;
			cells[at].row = cells[at].n_rows > 0 ? cells[at].row : raw->row;
			cells[at].value += raw->y;
			cells[at].n_rows++;
		}
	}
	for (size_t i = 0; i < n; i++) {
		if (cells[i].n_rows > 0) {
			cells[i].x = cells[i].x_end = (double)(i % n_x);
			cells[i].y = (double)(i / n_x);
			cells[i].value /= adds_up ? 1 : (double)cells[i].n_rows;
			low = LEAST(low, cells[i].value);
			high = MOST(high, cells[i].value);
		}
	}
	size_t to = 0;
	for (size_t i = 0; i < n; i++) {
		if (cells[i].n_rows > 0) {
			cells[to++] = cells[i];
		}
	}
	chart->series->points = cells;
	chart->series->n = to;
	chart_axis_fit(&chart->value, low, high, true);
	if (folded > 0) {
		chart_note(chart, "rows of one cell are %s", adds_up ? "added" : "averaged");
	}
}
