/*
 * A result as a chart: which of its columns are the axes, which rows make which series, and what of
 * it is drawn. Knows neither cells nor SVG: writers ask an axis where a value stands and which
 * ticks it has.
 *
 * A chart is bounded, however many rows there are: bars and cells of a heat map up to a limit,
 * points of lines and scatters binned beyond one. Whatever was left out, folded or averaged is a
 * note.
 * Used by cli, export, ui/chart.
 */
#ifndef LANESCOPE_CHART_CHART_H
#define LANESCOPE_CHART_CHART_H

#include "query/saved/query.h"
#include "query/timeline/timeline_colour.h"

enum chart_kind {
	CHART_BARS,
	CHART_LINE,
	CHART_STEPS, /* a line that stays as it is until its next point */
	CHART_SCATTER,
	CHART_HISTOGRAM,
	CHART_CDF,
	CHART_HEATMAP,
	CHART_KINDS
};
extern const char *const chart_kind_names[CHART_KINDS + 1]; /* the last is NULL */
bool chart_kind_find(struct slice name, enum chart_kind *kind);
static inline bool
chart_is_line(enum chart_kind kind)
{
	return kind == CHART_LINE || kind == CHART_STEPS;
}

#define CHART_SERIES 8u     /* more are folded into one, or left out */
#define CHART_BARS_MOST 50u /* bars, rows and columns of a heat map, unless more are asked for */
#define CHART_POINTS 1000u  /* of a line */
#define CHART_TICKS 24u
#define CHART_LIMIT 1e300 /* values beyond are not drawn */

/* What is asked for; NULL and 0 is what the columns suggest. Names of columns, several with commas
 * between them; lent. */
struct chart_wish {
	bool has_kind;
	enum chart_kind kind;
	const char *x, *y, *series;
	const char *log; /* axes with a logarithmic scale: "x", "y", "x,y"; "" none */
	size_t most;     /* bars, rows and columns of a heat map */
};

/* Takes what a query's line `plot:` says (NULL: nothing) where nothing is wished for, if the result
 * has its columns and no other family of charts is asked for: values of a histogram are no points.
 * Texts live in the arena. */
void chart_wish_suggest(struct chart_wish *wish, const char *plot, const struct result *result,
                        struct arena *arena);

struct chart_axis {
	struct slice title;
	enum column_kind kind;
	bool is_log;
	double low, high; /* low < high; both > 0 where is_log */
	/* names at 0, 1, ... from -0.5 to n_names - 0.5; 0: numbers */
	size_t n_names;
	struct slice *names;
};
struct chart_tick {
	double at;
	char text[FORMAT_BYTES];
};
/* From 0 at low to 1 at high; beyond them outside of that. */
double chart_axis_share(const struct chart_axis *axis, double value);
/* Round values between low and high, rising, about as many as wanted; how many. Of names: as many
 * as there are is for the writer. */
size_t chart_axis_ticks(const struct chart_axis *axis, size_t wanted,
                        struct chart_tick ticks[CHART_TICKS]);
/* A value of the axis as people read it. */
char *chart_axis_show(const struct chart_axis *axis, double value, char out[FORMAT_BYTES]);

/* A bar: at name x from 0 to y. A point: at (x, y). A part of a histogram: from x to x_end, from
 * low to high, y is its count. A step of a CDF: y is the share of values up to x. A cell of a heat
 * map: at names (x, y), of a value. */
struct chart_point {
	double x, x_end, y;
	double low, high; /* spread; NAN: none */
	double value;
	size_t row;    /* of the result; the first of them */
	size_t n_rows; /* that it stands for */
};
struct chart_series {
	struct slice name; /* escaped; empty: the only one */
	uint8_t slot;      /* colour, as in timelines; COLOUR_SLOT_NONE: none of its own */
	char mark;         /* a letter, where nobody sees colours */
	bool is_other;
	size_t n;
	struct chart_point *points; /* by x */
};
struct chart {
	struct arena *arena;
	enum chart_kind kind;
	struct slice title;
	struct chart_axis x, y;
	struct chart_axis value; /* of a heat map */
	size_t n_series;
	struct chart_series *series;
	const char *series_title; /* what series are told apart by: "kind"; NULL: one series */
	uint8_t *name_slots;      /* of bars of one series: the names' colours; NULL: all alike */
	size_t n_notes;
	const char **notes;
	size_t n_rows; /* of the result that are drawn or counted */
	/* names of the columns, for those who ask for another chart */
	const char *x_columns, *y_columns, *series_columns;
};

/* NULL: ERR_USAGE says which columns there are, or why they make no such chart. A result without
 * rows gives a chart without points and a note. */
struct chart *chart_new(const struct result *result, const struct chart_wish *wish,
                        struct err *err);
void chart_free(struct chart *chart); /* takes NULL */

/* Of what its names are colours in timelines (true), or of nothing there. */
bool chart_colour_mode(const struct chart *chart, enum colour_mode *mode);
/* Gives names the colours that they have in a run's timeline. */
void chart_set_colours(struct chart *chart, const struct colours *colours);

#endif
