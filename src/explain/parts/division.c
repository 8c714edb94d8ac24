/*
 * A group is told by its labels without time; a cell is a group in a window, found by its place:
 * windows are few, so cells of a group stand in a row. Only when rows are made does a cell get all
 * of its labels.
 */
#include "config.h"

#include "explain/parts/division.h"

#include <stdlib.h>
#include <string.h>

#include "query/saved/list.h"
#include "util/format.h"
#include "util/intern.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

#define WINDOWS_MAX 1000
#define ABOUT_WINDOWS 10
#define CELLS_MAX (UINT32_C(1) << 22)

static const struct {
	const char *name;
	unsigned bit;
} dimensions[DIVISION_MAX] = {
    {"kind", DIVIDE_KIND}, {"lane", DIVIDE_LANE}, {"host", DIVIDE_HOST}, {"time", DIVIDE_TIME}};

/* 1, 2 or 5 times a power of ten, not below a tenth of the longer run. */
int64_t
division_window_length(int64_t longest_ns)
{
	int64_t window = 1;

	for (int i = 0; window < longest_ns / ABOUT_WINDOWS; i++) {
		window = i % 3 == 1 ? window / 2 * 5 : window * 2;
	}
	return window;
}

int64_t
division_window_at(int64_t time_ns, int64_t window_ns)
{
	return time_ns / window_ns - (time_ns % window_ns < 0);
}

void
division_window_label(int64_t window, int64_t window_ns, struct strbuf *out)
{
	char from[FORMAT_BYTES], to[FORMAT_BYTES];
	int64_t start = window * window_ns, apart = 1;

	while (window_ns / 10 >= apart && window_ns % (apart * 10) == 0) {
		apart *= 10;
	}
	strbuf_printf(out, "%s to %s", format_position(from, start, apart),
	              format_position(to, time_add(start, window_ns), apart));
}

static int
choose_windows(struct part_division *division, const struct explain_part *part, const char *window,
               int64_t longest_ns, const struct schedule *a, const struct schedule *b,
               struct err *err)
{
	int64_t start = LEAST(a->start_ns, b->start_ns), end = MOST(a->end_ns, b->end_ns);

	division->window_ns = explain_integer(KIND_DURATION, window);
	if (division->window_ns <= 0) {
		division->window_ns = division_window_length(longest_ns);
	}
	division->first = division_window_at(start, division->window_ns);
	division->n_windows =
	    time_sub(end, start) / division->window_ns < WINDOWS_MAX
		? division_window_at(end - 1, division->window_ns) - division->first + 1
		: WINDOWS_MAX + 1;
	division->n_windows = MOST(division->n_windows, 1);
	return division->n_windows <= WINDOWS_MAX
	           ? 0
	           : err_set(err, ERR_LIMIT, "part %s: window=%s: more than %d windows", part->name,
	                     window, WINDOWS_MAX);
}

int
division_parse(struct part_division *division, const struct explain_part *part,
               const struct explain *explain, const char *const *by_window,
               const struct schedule *a, const struct schedule *b, struct err *err)
{
	*division = (struct part_division){.n_windows = 1};
	for (struct slice rest = slice_of(by_window[0]), item; list_next(&rest, &item);) {
		size_t i = NAME_FIND(item, dimensions);
		if (i == DIVISION_MAX || division->mask & dimensions[i].bit) {
			division->n = 0;
			break;
		}
		division->names[division->n++] = dimensions[i].name;
		division->mask |= dimensions[i].bit;
	}
	if (division->n == 0) {
		return err_set(err, ERR_USAGE,
		               "part %s: by=%s: not a list of kind, lane, host, time", part->name,
		               by_window[0]);
	}
	/* The same for all pairs of many runs, so that their windows are. */
	int64_t longest_ns =
	    explain->longest_ns ? explain->longest_ns : MOST(explain_ran_ns(a), explain_ran_ns(b));
	return division->mask & DIVIDE_TIME
	           ? choose_windows(division, part, by_window[1], longest_ns, a, b, err)
	           : 0;
}

int64_t
division_window(const struct part_division *division, int64_t time_ns)
{
	int64_t window;

	if (division->window_ns == 0) {
		return 0;
	}
	window = division_window_at(time_ns, division->window_ns) - division->first;
	window = MOST(window, 0);
	return LEAST(window, division->n_windows - 1);
}

int64_t
division_window_end(const struct part_division *division, int64_t window)
{
	return division->window_ns == 0 || window >= division->n_windows - 1
	           ? INT64_MAX
	           : (division->first + window + 1) * division->window_ns;
}

void
division_label(const struct part_division *division, size_t i, struct slice what,
               const struct schedule *schedule, uint32_t lane, int64_t window, struct strbuf *out)
{
	const char *name = division->names[i];
	bool has_lane = lane < schedule->n_lanes;

	if (strcmp(name, "kind") == 0) {
		strbuf_add_slice(out, what);
	} else if (strcmp(name, "time") == 0) {
		division_window_label(division->first + window, division->window_ns, out);
	} else if (has_lane && strcmp(name, "lane") == 0) {
		strbuf_add_slice(out, schedule_lane_name(schedule, lane));
	} else if (has_lane) {
		strbuf_add_slice(out, schedule_text(schedule, schedule->lanes[lane].host));
	}
}

/* ---- cells ---- */

struct cells {
	const struct part_division *division;
	const char *column;
	struct intern *groups; /* labels without time, a NUL behind each */
	bool *stays;           /* by group */
	wide_int *amounts[2];  /* by group, then window */
	int64_t *ns[2];
	size_t stays_capacity, capacity[2];
	bool is_full;
};

struct cells *
cells_new(const struct part_division *division, const char *column)
{
	struct cells *cells = xcalloc(1, sizeof *cells);

	cells->division = division;
	cells->column = column;
	cells->groups = intern_new();
	return cells;
}

void
cells_free(struct cells *cells)
{
	if (cells) {
		intern_free(cells->groups);
		free(cells->stays);
		for (int run = 0; run < 2; run++) {
			free(cells->amounts[run]);
			free(cells->ns[run]);
		}
		free(cells);
	}
}

static void
grow_amounts(struct cells *cells, size_t n_groups)
{
	size_t n = n_groups * (size_t)cells->division->n_windows;

	for (int run = 0; run < 2; run++) {
		size_t before = cells->capacity[run];

		MEM_GROW(cells->amounts[run], cells->capacity[run], n);
		if (cells->capacity[run] > before) {
			memset(cells->amounts[run] + before, 0,
			       (cells->capacity[run] - before) * sizeof *cells->amounts[run]);
		}
	}
}

uint32_t
cells_group(struct cells *cells, const char *state, struct slice kind,
            const struct schedule *schedule, uint32_t lane, bool stays)
{
	const struct part_division *division = cells->division;
	struct strbuf key = {0};
	uint32_t n = intern_count(cells->groups), group;

	if (cells->column) {
		strbuf_add(&key, state, strlen(state) + 1);
	}
	/* What is of no lane stands in the first place, where kinds have none. */
	bool is_first = lane == SCHEDULE_NONE && !(division->mask & DIVIDE_KIND);
	for (size_t i = 0; i < division->n; i++) {
		if (strcmp(division->names[i], "time") == 0) {
			continue;
		}
		if (is_first) {
			strbuf_add_slice(&key, kind);
		} else {
			division_label(division, i, kind, schedule, lane, 0, &key);
		}
		is_first = false;
		strbuf_add(&key, "", 1);
	}
	if (division->mask == DIVIDE_TIME) {
		strbuf_add_slice(&key, is_first ? kind : slice_of(""));
		strbuf_add(&key, "", 1);
	}
	if ((n + 1) * (uint64_t)division->n_windows > CELLS_MAX) {
		cells->is_full = true;
		strbuf_free(&key);
		return 0;
	}
	group = intern_id(cells->groups, strbuf_slice(&key));
	strbuf_free(&key);
	if (group == n) {
		MEM_GROW(cells->stays, cells->stays_capacity, (size_t)n + 1);
		cells->stays[group] = false;
		grow_amounts(cells, (size_t)n + 1);
	}
	cells->stays[group] = cells->stays[group] || stays;
	return group;
}

uint32_t *
cells_groups_of_items(struct cells *cells, const char *state, const struct schedule *schedule)
{
	uint32_t *groups = xcalloc(schedule->n_items, sizeof *groups);
	uint32_t *of_kind = xcalloc(schedule->n_kinds, sizeof *of_kind); /* on one lane, + 1 */

	if (cells->division->mask == DIVIDE_KIND) { /* in their order, those of nothing as well */
		for (size_t k = 0; k < schedule->n_kinds; k++) {
			(void)cells_group(cells, state, schedule->kinds[k], schedule, SCHEDULE_NONE,
			                  true);
		}
	}
	for (uint32_t l = 0; l < schedule->n_lanes; l++) {
		const struct schedule_lane *lane = &schedule->lanes[l];

		memset(of_kind, 0, schedule->n_kinds * sizeof *of_kind);
		for (size_t i = lane->first; i < lane->first + lane->n; i++) {
			uint32_t kind = schedule->items[i].kind;

			if (of_kind[kind] == 0) {
				of_kind[kind] = cells_group(cells, state, schedule->kinds[kind],
				                            schedule, l, true) +
				                1;
			}
			groups[i] = of_kind[kind] - 1;
		}
	}
	free(of_kind);
	return groups;
}

uint32_t
cells_n_groups(const struct cells *cells)
{
	return intern_count(cells->groups);
}

int
cells_check(const struct cells *cells, const struct explain_part *part, struct err *err)
{
	return cells->is_full
	           ? err_set(err, ERR_LIMIT, "part %s: more than %u rows: divide by less",
	                     part->name, CELLS_MAX)
	           : 0;
}

void
cells_add(struct cells *cells, int run, uint32_t group, int64_t window, wide_int amount)
{
	cells->amounts[run][(size_t)group * (size_t)cells->division->n_windows + (size_t)window] +=
	    amount;
}

void
cells_add_time(struct cells *cells, int run, uint32_t group, int64_t start, int64_t end, int sign)
{
	while (start < end) {
		int64_t window = division_window(cells->division, start);
		int64_t until = LEAST(end, division_window_end(cells->division, window));

		cells_add(cells, run, group, window, sign * ((wide_int)until - start));
		start = until;
	}
}

void
cells_settle(struct cells *cells, int run, wide_int divisor, int64_t total_ns)
{
	size_t n = (size_t)intern_count(cells->groups) * (size_t)cells->division->n_windows;

	MEM_NEW(cells->ns[run], n);
	apportion(cells->amounts[run], n, divisor, total_ns, cells->ns[run]);
}

/* The texts of a group go to their places among the labels, the window to its own. */
static void
add_cell(const struct cells *cells, struct explain_rows *rows, uint32_t group, int64_t window,
         size_t at)
{
	const struct part_division *division = cells->division;
	const char *labels[DIVISION_MAX + 1], *text = intern_text(cells->groups, group).ptr;
	struct strbuf time = {0};
	size_t n = 0;

	if (division->window_ns > 0) {
		division_window_label(division->first + window, division->window_ns, &time);
	}
	if (cells->column) {
		labels[n++] = text;
		text += strlen(text) + 1;
	}
	for (size_t i = 0; i < division->n; i++) {
		if (strcmp(division->names[i], "time") != 0) {
			labels[n++] = text;
			text += strlen(text) + 1;
			continue;
		}
		if (division->n == 1 && !cells->column && *text) {
			strbuf_printf(&time, " %s", text);
		}
		labels[n++] = time.data;
	}
	explain_rows_add(rows, labels, cells->ns[0][at], cells->ns[1][at]);
	strbuf_free(&time);
}

struct explain_rows *
cells_rows(const struct cells *cells)
{
	const struct part_division *division = cells->division;
	const char *names[DIVISION_MAX + 1];
	struct explain_rows *rows;
	size_t n = 0, at = 0;

	if (cells->column) {
		names[n++] = cells->column;
	}
	for (size_t i = 0; i < division->n; i++) {
		bool is_with = cells->column && strcmp(division->names[i], "kind") == 0;
		names[n++] = is_with ? "with" : division->names[i];
	}
	rows = explain_rows_new(names, n);
	for (uint32_t g = 0; g < intern_count(cells->groups); g++) {
		for (int64_t w = 0; w < division->n_windows; w++, at++) {
			if (cells->ns[0][at] || cells->ns[1][at] ||
			    (cells->stays[g] && division->window_ns == 0)) {
				add_cell(cells, rows, g, w, at);
			}
		}
	}
	return rows;
}
