/*
 * What the rows of a part about schedules are divided by, as the user says it: a list of kind,
 * lane, host and time, each at most once. And the cells that it makes of two runs: a group of the
 * named ones for each window of time.
 * Used by its room alone.
 */
#ifndef LANESCOPE_EXPLAIN_PARTS_DIVISION_H
#define LANESCOPE_EXPLAIN_PARTS_DIVISION_H

#include "explain/frame/frame.h"
#include "explain/model/apportion.h"

enum { DIVIDE_KIND = 1, DIVIDE_LANE = 2, DIVIDE_HOST = 4, DIVIDE_TIME = 8 };
#define DIVISION_MAX 4
struct part_division {
	size_t n;
	const char *names[DIVISION_MAX]; /* in the order given */
	unsigned mask;
	int64_t window_ns; /* of the runs' time, from 0 on; 0: not by time */
	int64_t first, n_windows;
};
#define DIVISION_WINDOW_PARAM                                                                      \
	{                                                                                          \
		.name = "window", .default_text = "0ns",                                           \
		.about = "length of a window of time (0: about a tenth of the longest run)",       \
		.kind = KIND_DURATION                                                              \
	}
#define DIVISION_PARAMS                                                                            \
	{.name = "by",                                                                             \
	 .default_text = "kind",                                                                   \
	 .about = "rows: a list of kind, lane, host, time",                                        \
	 .kind = KIND_TEXT},                                                                       \
	    DIVISION_WINDOW_PARAM
/* by_window: the arguments of DIVISION_PARAMS. ERR_USAGE; ERR_LIMIT: too many windows. */
int division_parse(struct part_division *division, const struct explain_part *part,
                   const struct explain *explain, const char *const *by_window,
                   const struct schedule *a, const struct schedule *b, struct err *err);
/* The window of this length that a time lies in, 0 being that which begins at 0; appends its label;
 * and how long windows are by themselves, about a tenth of a run's length. */
int64_t division_window_at(int64_t time_ns, int64_t window_ns);
void division_window_label(int64_t window, int64_t window_ns, struct strbuf *out);
int64_t division_window_length(int64_t longest_ns);
/* Windows from the first on, 0 without time; times outside belong to the outermost. */
int64_t division_window(const struct part_division *division, int64_t time_ns);
/* When a window ends; INT64_MAX: never, as there is only one. */
int64_t division_window_end(const struct part_division *division, int64_t window);
/* Appends the label of the i-th name, an empty one where the item has none. what: instead of the
 * kind. */
void division_label(const struct part_division *division, size_t i, struct slice what,
                    const struct schedule *schedule, uint32_t lane, int64_t window,
                    struct strbuf *out);

/* Amounts of both runs. */
struct cells;
/* column: a label before those of the division, or NULL. */
struct cells *cells_new(const struct part_division *division, const char *column);
void cells_free(struct cells *cells); /* takes NULL */
/* The group of a lane's kind. state: the label before it, or NULL; lane SCHEDULE_NONE: of none. One
 * that stays has rows also where its amounts are 0, unless by time. */
uint32_t cells_group(struct cells *cells, const char *state, struct slice kind,
                     const struct schedule *schedule, uint32_t lane, bool stays);
/* Of each item of a schedule, by its kind and lane. New. */
uint32_t *cells_groups_of_items(struct cells *cells, const char *state,
                                const struct schedule *schedule);
uint32_t cells_n_groups(const struct cells *cells);
/* Once all groups are there. ERR_LIMIT: too many cells. */
int cells_check(const struct cells *cells, const struct explain_part *part, struct err *err);
/* run: 0 or 1. */
void cells_add(struct cells *cells, int run, uint32_t group, int64_t window, wide_int amount);
/* [start, end) cut at the ends of windows, sign times (1 or -1). */
void cells_add_time(struct cells *cells, int run, uint32_t group, int64_t start, int64_t end,
                    int sign);
/* A run's amounts divided by `divisor`, in ns that add up to total_ns. Before the rows. */
void cells_settle(struct cells *cells, int run, wide_int divisor, int64_t total_ns);
struct explain_rows *cells_rows(const struct cells *cells); /* new */

#endif
