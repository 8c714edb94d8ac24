/*
 * The pane below the lanes: what is in the marked range, in groups. It follows the range, the
 * filters and, where it is of the selected row alone, the selection. The lanes keep their half of
 * the screen.
 */
#include "config.h"

#include "ui/timeline/view_timeline.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/term/short_rows.h"
#include "util/format.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/utf8.h"

#define PANE_LEAST_ROWS 5
#define TEXT_LEAST 22
#define LANES_LIMIT 4096u
#define WHEEL_ROWS 3

static const char *const groupings[] = {"name", "category", "lane_name", "path", "arg.kind"};
static const struct {
	const char *name, *name_a; /* name_a: where B's stands beside; NULL: as ever */
	int width;
} columns[AREA_COLUMNS] = {[AREA_TEXT] = {"", NULL, 0},
                           [AREA_INSIDE] = {"inside", "A inside", 11},
                           [AREA_SHARE] = {"share", NULL, 9},
                           [AREA_SELF] = {"self", NULL, 11},
                           [AREA_COUNT] = {"count", "A count", 9},
                           [AREA_REACHING] = {"reach in", NULL, 10},
                           [AREA_MEAN] = {"mean", "A mean", 11},
                           [AREA_TOTAL] = {"total", NULL, 11},
                           [AREA_INSIDE_B] = {"B inside", NULL, 11},
                           [AREA_DELTA] = {"B - A", NULL, 11},
                           [AREA_COUNT_B] = {"B count", NULL, 9},
                           [AREA_MEAN_B] = {"B mean", NULL, 11}};

static const char *
grouping(const struct timeline_view *state)
{
	return state->pane.by ? state->pane.by : groupings[state->pane.grouping];
}

static bool
timeline_has_pane(const struct timeline_view *state)
{
	return state->range == RANGE_CLOSED;
}

int
timeline_pane_rows(const struct timeline_view *state, int rows)
{
	int lanes = rows / 2 < (int)state->list.n ? rows / 2 : (int)state->list.n;

	lanes = lanes > 0 ? lanes : 1;
	return timeline_has_pane(state) && rows - lanes >= PANE_LEAST_ROWS ? rows - lanes : 0;
}

/* ---- asked ---- */

/* The lanes of a row; false: it has none. */
static bool
add_lanes(const struct timeline_view *state, const struct timeline_row *row, struct strbuf *filter)
{
	const uint32_t *lanes = row->type == TIMELINE_LANE ? &row->id : row->members;
	uint32_t n = row->type == TIMELINE_LANE ? 1 : row->n_members;

	if (n == 0 || n > LANES_LIMIT) {
		return false;
	}
	strbuf_add_text(filter, "lane IN (");
	for (uint32_t i = 0; i < n; i++) {
		strbuf_printf(filter, "%s%" PRIu32, i ? "," : "",
		              timeline_is_of_two(state)
		                  ? (uint32_t)timeline_own_lane(state->timeline, lanes[i])
		                  : lanes[i]);
	}
	strbuf_add_char(filter, ')');
	return true;
}

/* The selected row; of two runs the one of a side, NULL: that run has none. */
static const struct timeline_row *
row_of_side(const struct timeline_view *state, int side)
{
	const struct timeline_line *line = timeline_selected_line(state);
	size_t row = line ? line->row : SIZE_MAX;

	if (line && timeline_is_of_two(state) && timeline_side(state) != side) {
		row = timeline_counterpart(state->timeline, row);
	}
	return row != SIZE_MAX ? &state->timeline->rows[row] : NULL;
}

/* Lanes and filters that the pane is of, in a side's run; NULL: all. New. */
static char *
conditions(const struct timeline_view *state, int side)
{
	const struct timeline_row *row = row_of_side(state, side);
	struct strbuf filter = {0};
	char *kept = filter_stack_all(&state->filters);

	if (state->pane.is_of_row && row) {
		(void)add_lanes(state, row, &filter);
	} else if (state->pane.is_of_row) {
		strbuf_add_text(&filter, "lane < 0");
	}
	if (kept) {
		strbuf_printf(&filter, "%s(%s)", filter.len > 0 ? " AND " : "", kept);
	}
	free(kept);
	return filter.len > 0 ? strbuf_take(&filter) : NULL;
}

void
timeline_ask_area(struct view *view)
{
	struct timeline_view *state = view->state;
	struct timeline_job *job;

	if (!timeline_has_pane(state) || !state->timeline) {
		return;
	}
	job = timeline_job_new(view, JOB_AREA);
	free(job->filter);
	job->filter = conditions(state, 0);
	job->filter_b = timeline_is_of_two(state) ? conditions(state, 1) : NULL;
	job->by = xstrdup(grouping(state));
	job->start_ns = state->range_start;
	job->end_ns = state->range_end;
	job->row = timeline_selected_line(state) ? timeline_selected_line(state)->row : 0;
	view_submit(view, &job->job);
}

void
timeline_take_area(struct view *view, struct timeline_job *job)
{
	struct timeline_view *state = view->state;
	struct timeline_pane *pane = &state->pane;

	if (job->refused.code != ERR_NONE) {
		view_fail(view, job->refused.message);
		free(pane->by);
		pane->by = NULL;
		timeline_ask_area(view);
		return;
	}
	timeline_area_free(pane->area);
	pane->area = job->area;
	job->area = NULL;
	timeline_area_sort(pane->area, pane->sort);
	pane->list.n = pane->area->n;
	list_settle(&pane->list);
}

void
timeline_pane_fini(struct timeline_pane *pane)
{
	timeline_area_free(pane->area);
	free(pane->by);
}

/* The range is another, or gone. */
void
timeline_range_changed(struct view *view)
{
	struct timeline_view *state = view->state;
	struct timeline_pane *pane = &state->pane;

	timeline_area_free(pane->area);
	pane->area = NULL;
	pane->list.n = pane->list.selected = pane->list.top = 0;
	pane->has_cursor = pane->has_cursor && timeline_has_pane(state);
	timeline_lay_area(view);
	timeline_ask_window(view);
	timeline_ask_area(view);
}

/* ---- drawn ---- */

/* Columns that there is room for, from the left; the texts have what is left. */
static int
columns_shown(const enum area_column *shown, int width, int *text_columns)
{
	int n = 1, used = 3;

	while (n < AREA_SHOWN && width - used - columns[shown[n]].width >= TEXT_LEAST) {
		used += columns[shown[n++]].width;
	}
	*text_columns = width - used;
	return n;
}

static char *
cell_text(char out[FORMAT_BYTES + 1], const struct timeline_area *area, const struct area_row *row,
          enum area_column column)
{
	switch (column) {
	case AREA_INSIDE:
		return format_duration(out, row->inside_ns);
	case AREA_SHARE:
		return format_percent(out, area->inside_ns > 0
		                               ? (double)row->inside_ns / (double)area->inside_ns
		                               : 0);
	case AREA_SELF:
		return format_duration(out, row->self_ns);
	case AREA_COUNT:
		return format_count(out, row->n);
	case AREA_REACHING:
		out[0] = '\0';
		return row->n_reaching > 0 ? format_count(out, row->n_reaching) : out;
	case AREA_MEAN:
		return format_duration(out, (int64_t)area_mean_ns(row));
	case AREA_TOTAL:
		return format_duration(out, row->total_ns);
	case AREA_DELTA:
		out[0] = '+';
		format_duration(out + (area_delta_ns(row) > 0), area_delta_ns(row));
		return out;
	case AREA_INSIDE_B:
		return cell_text(out, area->beside, row->beside, AREA_INSIDE);
	case AREA_COUNT_B:
		return cell_text(out, area->beside, row->beside, AREA_COUNT);
	default:
		return cell_text(out, area->beside, row->beside, AREA_MEAN);
	}
}

static void
draw_title(const struct timeline_view *state, struct canvas *canvas, int y)
{
	const struct timeline_pane *pane = &state->pane;
	const struct timeline_row *row = timeline_selected_row(state);
	char n[FORMAT_BYTES], length[FORMAT_BYTES], spans[FORMAT_BYTES];
	int x = 1;

	x += canvas_printf(canvas, x, y, pane->has_cursor ? STYLE_TITLE : STYLE_HEADER,
	                   "what ran here, by %s", grouping(state));
	if (pane->area && pane->area->beside) {
		x += canvas_printf(canvas, x, y, STYLE_MUTED, "   A %s, B %s spans",
		                   format_count(n, pane->area->n_spans),
		                   format_count(spans, pane->area->beside->n_spans));
	} else if (pane->area) {
		x += canvas_printf(
		    canvas, x, y, STYLE_MUTED, "   %s span%s in %s group%s",
		    format_count(spans, pane->area->n_spans), pane->area->n_spans == 1 ? "" : "s",
		    format_count(n, (int64_t)pane->area->n), pane->area->n == 1 ? "" : "s");
	}
	x += canvas_printf(canvas, x, y, STYLE_MUTED, "   %s   ",
	                   format_duration(length, time_sub(state->range_end, state->range_start)));
	if (pane->is_of_row && row) {
		canvas_text_cut(canvas, x, y, canvas->width - x - 1, STYLE_MUTED, row->name);
	} else {
		canvas_printf(canvas, x, y, STYLE_MUTED, "all lanes");
	}
}

static void
draw_heads(const struct timeline_view *state, struct canvas *canvas, int y, int n, int text_columns)
{
	bool is_of_two = state->pane.area->beside;
	const enum area_column *shown = timeline_area_columns(is_of_two);
	int x = 3 + text_columns;

	canvas_text_cut(canvas, 2, y, text_columns, STYLE_HEADER, slice_of(grouping(state)));
	for (int i = 1; i < n; i++) {
		enum area_column column = shown[i];
		const char *name_a = is_of_two ? columns[column].name_a : NULL;
		char head[FORMAT_BYTES];

		snprintf(head, sizeof head, "%s%s", name_a ? name_a : columns[column].name,
		         state->pane.sort != column ? ""
		         : canvas->ascii            ? "v"
		                                    : "▾");
		canvas_text_right(canvas, x, y, columns[column].width - 1, STYLE_HEADER,
		                  slice_of(head));
		x += columns[column].width;
	}
}

static struct slice
text_of_row(const void *of, size_t row)
{
	return ((const struct timeline_area *)of)->rows[row].text;
}

void
timeline_draw_pane(const struct timeline_view *state, struct canvas *canvas, int y)
{
	const struct timeline_pane *pane = &state->pane;
	const struct list *list = &pane->list;
	const enum area_column *shown = timeline_area_columns(timeline_is_of_two(state));
	int text_columns, n = columns_shown(shown, canvas->width, &text_columns);
	struct slice *texts;
	struct arena *arena;

	draw_title(state, canvas, y);
	if (!pane->area) {
		return;
	}
	if (pane->area->n == 0) {
		canvas_puts(canvas, 2, y + 1, STYLE_MUTED,
		            "no span is in this range: m marks another, r takes all lanes");
		return;
	}
	draw_heads(state, canvas, y + 1, n, text_columns);
	arena = arena_new();
	texts = short_rows(list->top, LEAST(list->n - list->top, list->height), list->n,
	                   text_of_row, pane->area, text_columns, canvas->ascii, arena);
	for (size_t i = list->top; i < list->n && i - list->top < list->height; i++) {
		const struct area_row *row = &pane->area->rows[i];
		int line = y + TIMELINE_PANE_HEAD + (int)(i - list->top), x = 3 + text_columns;

		canvas_text_middle(canvas, 2, line, text_columns, STYLE_NORMAL,
		                   texts ? texts[i - list->top] : row->text);
		for (int column = 1; column < n; column++) {
			char text[FORMAT_BYTES + 1];

			canvas_text_right(
			    canvas, x, line, columns[shown[column]].width - 1, STYLE_NORMAL,
			    slice_of(cell_text(text, pane->area, row, shown[column])));
			x += columns[shown[column]].width;
		}
		if (i == list->selected && pane->has_cursor) {
			canvas_select(canvas, 0, line, canvas->width, ">");
		}
	}
	arena_free(arena);
}

/* ---- keys ---- */

/* Exactly the spans of the selected group, of two runs in that of the selected lane. */
static void
open_spans(struct view *view)
{
	struct timeline_view *state = view->state;
	const struct timeline_pane *pane = &state->pane;
	int side = timeline_is_of_two(state) ? timeline_side(state) : 0;
	const struct timeline_area *area = side && pane->area ? pane->area->beside : pane->area;
	struct focus focus = FOCUS_NONE;
	struct strbuf filter = {0};
	char *kept;

	if (!pane->area || pane->list.selected >= pane->area->n) {
		return;
	}
	strbuf_printf(&filter, "%s AND ", pane->area->rows[pane->list.selected].condition);
	timeline_area_condition(&filter, area->start_ns, area->end_ns);
	kept = conditions(state, side);
	if (kept) {
		strbuf_printf(&filter, " AND %s", kept);
	}
	focus.filter = filter.data;
	view_open(view, PLACE_SPANS, .focus = &focus);
	free(kept);
	strbuf_free(&filter);
}

static void
sort_pane(struct timeline_pane *pane, bool is_of_two, int step)
{
	const enum area_column *shown = timeline_area_columns(is_of_two);
	int at = 0;

	while (at < AREA_SHOWN - 1 && shown[at] != pane->sort) {
		at++;
	}
	do {
		at = (at + step + AREA_SHOWN) % AREA_SHOWN;
	} while (shown[at] == AREA_SHARE); /* the same order as inside */
	pane->sort = shown[at];
	if (pane->area) {
		timeline_area_sort(pane->area, pane->sort);
	}
	pane->list.selected = pane->list.top = 0;
}

/* Keys that the pane takes while the cursor is in it. */
static bool
act_inside(struct view *view, enum view_action action)
{
	struct timeline_view *state = view->state;
	struct timeline_pane *pane = &state->pane;

	switch (action) {
	case ACTION_OPEN:
		open_spans(view);
		return true;
	case ACTION_SORT_UP:
	case ACTION_SORT_DOWN:
		sort_pane(pane, timeline_is_of_two(state), action == ACTION_SORT_DOWN ? 1 : -1);
		return true;
	case ACTION_TABLE:
		if (pane->area) {
			view_open(view, PLACE_RESULT, .title = "What ran here",
			          .result = timeline_area_table(pane->area));
		}
		return true;
	case ACTION_COPY:
		if (pane->area && pane->list.selected < pane->area->n) {
			app_copy(view->app, pane->area->rows[pane->list.selected].text);
		}
		return true;
	default:
		return list_act(&pane->list, action);
	}
}

bool
timeline_act_pane(struct view *view, enum view_action action)
{
	struct timeline_view *state = view->state;
	struct timeline_pane *pane = &state->pane;

	switch (action) {
	case ACTION_NEXT_PANE:
	case ACTION_PREVIOUS_PANE:
	case ACTION_FREQUENCY:
	case ACTION_AREA_LANES:
		if (!timeline_has_pane(state)) {
			view_say(view,
			         "mark a range first: m here, m at its end; below stands what "
			         "ran in it");
			return true;
		}
		break;
	default:
		return timeline_has_pane(state) && pane->has_cursor && act_inside(view, action);
	}
	if (action == ACTION_FREQUENCY) {
		free(pane->by);
		pane->by = NULL;
		pane->grouping = (pane->grouping + 1) % (int)COUNT_OF(groupings);
		timeline_range_changed(view);
	} else if (action == ACTION_AREA_LANES) {
		pane->is_of_row = !pane->is_of_row;
		timeline_ask_area(view);
	} else {
		pane->has_cursor = !pane->has_cursor;
	}
	return true;
}

void
timeline_group_by(struct view *view, struct slice by)
{
	struct timeline_view *state = view->state;

	free(state->pane.by);
	state->pane.by = xstrndup(by.ptr, by.len);
	timeline_range_changed(view);
}

/* ---- mouse ---- */

int
timeline_pane_y(const struct timeline_view *state, struct area area)
{
	return area.y + timeline_head_rows(state->timeline) +
	       (int)state->list.height * state->line_rows;
}

bool
timeline_mouse_pane(struct view *view, const struct mouse_event *event)
{
	struct timeline_view *state = view->state;
	struct timeline_pane *pane = &state->pane;
	int y = timeline_pane_y(state, view->area);
	bool is_press = event->type == MOUSE_PRESS || event->type == MOUSE_DOUBLE;

	if (state->pane_rows == 0 || state->drag_from >= 0 || event->y < y ||
	    event->y >= y + state->pane_rows) {
		pane->has_cursor = pane->has_cursor && !is_press;
		return false;
	}
	if (event->type == MOUSE_DRAG || event->type == MOUSE_RELEASE) {
		return true;
	}
	pane->has_cursor = true;
	if (list_mouse(&pane->list, event, y + TIMELINE_PANE_HEAD, WHEEL_ROWS) == LIST_OPENED) {
		open_spans(view);
	}
	return true;
}
