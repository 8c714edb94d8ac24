#include "config.h"

#include "ui/base/timescale.h"

#include <string.h>

#include "util/format.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/slice.h"

#define SECOND_NS INT64_C(1000000000)

/* cells * cell_ns, saturating. */
static int64_t
cells_ns(const struct timescale *scale, int64_t cells)
{
	if (cells > INT64_MAX / scale->cell_ns) {
		return INT64_MAX;
	}
	return cells < -(INT64_MAX / scale->cell_ns) ? -INT64_MAX : cells * scale->cell_ns;
}

static int64_t
last_start(const struct timescale *scale)
{
	int64_t cells =
	    scale->duration_ns / scale->cell_ns + (scale->duration_ns % scale->cell_ns != 0);

	return cells > scale->columns ? cells_ns(scale, cells - scale->columns) : 0;
}

static void
settle(struct timescale *scale)
{
	int64_t last = last_start(scale);

	if (scale->start_ns > last) {
		scale->start_ns = last;
	}
	if (scale->start_ns < 0) {
		scale->start_ns = 0;
	}
	scale->start_ns -= scale->start_ns % scale->cell_ns;
	if (scale->cursor >= scale->columns) {
		scale->cursor = scale->columns - 1;
	}
	if (scale->cursor < 0) {
		scale->cursor = 0;
	}
}

/* All of the run is there, in fewer cells than columns. */
static bool
is_stretched(const struct timescale *scale)
{
	return scale->start_ns == 0 && scale->duration_ns >= scale->columns &&
	       timescale_cells(scale) < scale->columns;
}

int
timescale_cells(const struct timescale *scale)
{
	int64_t left = time_sub(scale->duration_ns, scale->start_ns);
	int64_t cells = left / scale->cell_ns + (left % scale->cell_ns != 0);

	return cells < 1 ? 1 : cells < scale->columns ? (int)cells : scale->columns;
}

int64_t
timescale_cell_for(const struct timescale *scale, int64_t start_ns, int64_t end_ns)
{
	int64_t length = end_ns > start_ns ? time_sub(end_ns, start_ns) : 1;
	int columns = scale->columns;
	int64_t cell = length / columns + (length % columns != 0);
	int64_t room = (columns - length % columns) % columns; /* in the last cell */

	/* The window begins with a whole cell. */
	if (columns > 1 && start_ns % cell > room) {
		columns--;
		cell = length / columns + (length % columns != 0);
	}
	return cell;
}

int64_t
timescale_fit_ns(const struct timescale *scale)
{
	int64_t cell =
	    scale->duration_ns / scale->columns + (scale->duration_ns % scale->columns != 0);

	return cell > 0 ? cell : 1;
}

void
timescale_set_cell(struct timescale *scale, int64_t cell_ns)
{
	int64_t at = timescale_time(scale, scale->cursor);
	int64_t cell;

	scale->cell_ns = cell_ns > 0 ? cell_ns : 1;
	cell = at / scale->cell_ns - scale->cursor;
	scale->start_ns = cell > 0 ? cell * scale->cell_ns : 0;
	settle(scale);
	if (at >= scale->start_ns) {
		int column = timescale_column(scale, at);

		scale->cursor = column < scale->columns ? column : scale->columns - 1;
	}
}

void
timescale_resize(struct timescale *scale, int columns)
{
	scale->columns = columns > 0 ? columns : 1;
	settle(scale);
}

void
timescale_pan(struct timescale *scale, int64_t cells)
{
	int64_t limit = scale->duration_ns / scale->cell_ns + 1;

	cells = cells > limit ? limit : cells < -limit ? -limit : cells;
	scale->start_ns = time_add(scale->start_ns, cells_ns(scale, cells));
	settle(scale);
}

void
timescale_move(struct timescale *scale, int64_t cells)
{
	int64_t target = scale->cursor + cells;

	if (target < 0) {
		timescale_pan(scale, target);
		target = 0;
	} else if (target >= scale->columns) {
		timescale_pan(scale, target - scale->columns + 1);
		target = scale->columns - 1;
	}
	scale->cursor = (int)target;
}

bool
timescale_pan_or_move(struct timescale *scale, int64_t cells)
{
	int64_t before = scale->start_ns;

	timescale_pan(scale, cells);
	if (scale->start_ns != before) {
		return true;
	}
	if (cells < 0 || timescale_time(scale, scale->cursor + 1) < scale->duration_ns) {
		timescale_move(scale, cells > 0 ? 1 : -1);
	}
	return false;
}

int64_t
timescale_time(const struct timescale *scale, int column)
{
	if (is_stretched(scale)) {
		__int128 scaled = (__int128)scale->duration_ns * column;

		return (int64_t)(scaled / scale->columns + (scaled % scale->columns > 0));
	}
	return time_add(scale->start_ns, cells_ns(scale, column));
}

int
timescale_column(const struct timescale *scale, int64_t at_ns)
{
	int64_t column;

	if (at_ns < scale->start_ns) {
		return -1;
	}
	column = is_stretched(scale)
	             ? (int64_t)((__int128)at_ns * scale->columns / scale->duration_ns)
	             : time_sub(at_ns, scale->start_ns) / scale->cell_ns;
	if (column >= scale->columns) {
		bool is_end =
		    at_ns == scale->duration_ns && at_ns == timescale_time(scale, scale->columns);

		column = scale->columns - is_end;
	}
	return (int)column;
}

int64_t
timescale_apart_ns(const struct timescale *scale)
{
	return scale->cell_ns / 10 > 0 ? scale->cell_ns / 10 : 1;
}

void
timescale_say(const struct timescale *scale, const char *whole, struct strbuf *out)
{
	char from[FORMAT_BYTES], to[FORMAT_BYTES], all[FORMAT_BYTES];
	int64_t apart_ns = timescale_apart_ns(scale), end = timescale_time(scale, scale->columns);

	format_duration(all, scale->duration_ns);
	if (end < scale->duration_ns) {
		format_position(to, end, apart_ns);
	} else {
		if (scale->start_ns > 0) {
			format_position(all, scale->duration_ns, apart_ns);
		}
		memcpy(to, all, sizeof to);
	}
	strbuf_printf(out, "%s .. %s", format_position(from, scale->start_ns, apart_ns), to);
	if (whole) {
		strbuf_printf(out, " of %s%s", whole, all);
	}
}

void
timescale_show(struct timescale *scale, int64_t at_ns, int column)
{
	int64_t cell;

	at_ns = at_ns < 0 ? 0 : at_ns > scale->duration_ns ? scale->duration_ns : at_ns;
	cell = at_ns / scale->cell_ns - column;
	scale->start_ns = cell > 0 ? cell * scale->cell_ns : 0;
	scale->cursor = column;
	settle(scale);
	column = timescale_column(scale, at_ns);
	scale->cursor = column < 0 ? 0 : column < scale->columns ? column : scale->columns - 1;
}

bool
timescale_same_window(const struct timescale *a, const struct timescale *b)
{
	return a->start_ns == b->start_ns && a->cell_ns == b->cell_ns && a->columns == b->columns;
}

/* From half a minute on, marks stand where clocks have them. */
static const int64_t clock_steps_s[] = {30,   60,    120,   300,   600,   1200,   1800,   3600,
                                        7200, 10800, 21600, 43200, 86400, 172800, 432000, 864000};

int64_t
timescale_ruler_ns(const struct timescale *scale, int columns)
{
	static const int steps[] = {1, 2, 5};
	int64_t wanted =
	    scale->cell_ns < INT64_MAX / (columns + 1) ? scale->cell_ns * columns : INT64_MAX / 2;

	for (size_t i = 0; i < COUNT_OF(clock_steps_s); i++) {
		if (wanted > 20 * SECOND_NS && clock_steps_s[i] * SECOND_NS >= wanted) {
			return clock_steps_s[i] * SECOND_NS;
		}
	}
	for (int64_t power = 1; power <= INT64_MAX / 10; power *= 10) {
		for (int i = 0; i < 3; i++) {
			if (power * steps[i] >= wanted) {
				return power * steps[i];
			}
		}
	}
	return wanted;
}
