/*
 * The overview on the screen, from above: facts, the run over time, how busy its lanes were, and
 * side by side what took most and what can be asked. Small screens lose the lanes first, then the
 * facts.
 */
#include "config.h"

#include <stdio.h>

#include "ui/base/facts.h"
#include "ui/lists/view_overview.h"
#include "ui/term/short_rows.h"
#include "util/format.h"
#include "util/utf8.h"

#define FACT_ROWS 3 /* facts, tags, what goes over time */
#define LEFT_MARGIN 2
#define MIN_LIST_ROWS 6

static bool
has_tags(const struct overview *overview)
{
	return overview->n_tags > 0 || overview->n_problems > 0;
}

/* Rows above the panes. */
static int
head_rows(const struct overview *overview)
{
	return FACT_ROWS - !has_tags(overview) - !overview->minimap_title;
}

/* Between the heading of the lists and the foot of the screen. */
static struct area
lists_area(const struct overview_view *mine, struct area area)
{
	struct area lanes = overview_pane_area(mine, area, PANE_LANES);
	int top =
	    lanes.height > 0 ? lanes.y + lanes.height + 1 : area.y + head_rows(mine->overview) + 1;

	return (struct area){area.x, top + 1, area.width, area.y + area.height - top - 1};
}

struct area
overview_pane_area(const struct overview_view *mine, struct area area, enum overview_pane pane)
{
	const struct overview *overview = mine->overview;
	struct area lists;
	int left;

	if (pane == PANE_LANES) {
		int head = head_rows(overview), room = (area.height - head - 4) / 2;
		int rows =
		    overview->n_lanes < (size_t)area.height ? (int)overview->n_lanes : area.height;

		rows = rows > room ? room : rows;
		if (area.height - head - rows - 3 < MIN_LIST_ROWS) {
			rows = area.height - head - 3 - MIN_LIST_ROWS;
		}
		return (struct area){area.x, area.y + head + 1, area.width, rows > 0 ? rows : 0};
	}
	lists = lists_area(mine, area);
	left = overview->n_names > 0 ? lists.width * 23 / 40 : 0;
	if (lists.height < 0) {
		lists.height = 0;
	}
	return pane == PANE_NAMES
	           ? (struct area){lists.x, lists.y, left - 2, left > 0 ? lists.height : 0}
	           : (struct area){lists.x + left, lists.y, lists.width - left, lists.height};
}

struct slice
overview_row_text(const struct overview_view *mine, enum overview_pane pane, size_t row)
{
	switch (pane) {
	case PANE_LANES:
		return mine->overview->lanes[row].name;
	case PANE_NAMES:
		return mine->overview->names[row].name;
	default:
		return slice_of(mine->questions[row]->title);
	}
}

/* ---- head ---- */

static void
add_facts(const struct overview *overview, struct strbuf *out)
{
	const struct run_info *info = &overview->info, *inside = &overview->inside;
	char text[FORMAT_BYTES];

	if (info->duration_ns > 0) {
		strbuf_printf(out, ", %s%s", overview->is_at_most ? "at most " : "",
		              format_duration(text, info->duration_ns));
	}
	if (inside->duration_ns < info->duration_ns) {
		strbuf_printf(out, ", of it %s", format_duration(text, inside->duration_ns));
	}
	lane_words_add(&overview->lanes_are, out);
	facts_add_count(out, inside->n_tasks, "task", "tasks");
	facts_add_count(out, inside->n_transfers, "transfer", "transfers");
	facts_add_count(out, overview->n_trials, "trial", "trials");
	facts_add_count(out, overview->n_samples, "sample", "samples");
	facts_add_count(out, overview->n_preempted, "node preempted", "nodes preempted");
	facts_add_count(out, inside->n_spans, "span", "spans");
	facts_add_count(out, inside->n_events, "event", "events");
	facts_add_count(out, inside->n_counters, "counter sample", "counter samples");
	if (info->has_date) {
		strbuf_printf(out, ", %s", format_wall_time(text, info->date_ns, WALL_MINUTE));
	}
}

static void
draw_facts(const struct overview *overview, struct canvas *canvas, struct area area)
{
	struct strbuf facts = {0};

	add_facts(overview, &facts);
	facts_draw(canvas, area.y, area.width, &overview->info, strbuf_slice(&facts));
	strbuf_free(&facts);
}

/* What went wrong tells more than what was tagged. */
static void
draw_tags(const struct overview *overview, struct canvas *canvas, struct area area, int y)
{
	struct strbuf line = {0};
	int x = LEFT_MARGIN;

	if (overview->n_problems > 0) {
		x += 2 + canvas_text_cut(canvas, x, y, area.width - x - 1, STYLE_ERROR,
		                         overview->problems[0]);
	}
	for (size_t i = 0; i < overview->n_tags; i++) {
		const struct overview_tag *tag = &overview->tags[i];

		strbuf_printf(&line, "%s%.*s ", i ? "  " : "", (int)tag->key.len, tag->key.ptr);
		strbuf_add_slice(&line, tag->value);
	}
	if (x < area.width - 8) {
		canvas_text_cut(canvas, x, y, area.width - x - 1, STYLE_MUTED, strbuf_slice(&line));
	}
	strbuf_free(&line);
}

/* Mean of the cells that a column of the screen stands for. */
static double
share_at(const struct overview *overview, int column, int columns)
{
	double from = (double)overview->n_cells * column / columns;
	double to = (double)overview->n_cells * (column + 1) / columns, sum = 0;

	for (size_t i = (size_t)from; i < overview->n_cells && (double)i < to; i++) {
		double low = (double)i > from ? (double)i : from;
		double high = (double)(i + 1) < to ? (double)(i + 1) : to;

		sum += overview->cells[i] * (high - low);
	}
	return to > from ? sum / (to - from) : 0;
}

static void
draw_minimap(const struct overview *overview, struct canvas *canvas, struct area area, int y)
{
	char text[FORMAT_BYTES];
	int x = LEFT_MARGIN, columns;

	if (overview->high > 0) {
		snprintf(text, sizeof text, "%.4g on average, %.4g at most", overview->mean,
		         overview->high);
	} else {
		format_percent(text, overview->mean_share);
	}
	x += canvas_puts(canvas, x, y, STYLE_HEADER, overview->minimap_title) + 2;
	columns = area.width - x - (int)strlen(text) - 4;
	for (int i = 0; i < columns; i++) {
		canvas_puts(canvas, x + i, y, STYLE_BAR,
		            canvas_level(canvas, share_at(overview, i, columns)));
	}
	canvas_puts(canvas, area.width - (int)strlen(text) - 1, y, STYLE_NORMAL, text);
}

/* ---- panes ---- */

/* A share that is there is never nothing. */
static void
draw_bar(struct canvas *canvas, int x, int y, int columns, double share)
{
	int64_t eighths = (int64_t)(share * columns * 8 + 0.5);

	if (columns > 0) {
		canvas_bar(canvas, x, y, columns, eighths < 1 && share > 0 ? 1 : eighths,
		           STYLE_BAR);
	}
}

static struct slice
text_of_lane(const void *of, size_t row)
{
	return ((const struct overview *)of)->lanes[row].name;
}

static struct slice
text_of_name(const void *of, size_t row)
{
	return ((const struct overview *)of)->names[row].name;
}

/* Of a row of `all`: a text that does not fit shows what tells it from the others. */
static void
draw_short(const struct overview *overview, size_t row, size_t all, short_rows_text *text_of,
           struct canvas *canvas, int x, int y, int columns)
{
	struct arena *arena = arena_new();
	struct slice text = text_of(overview, row);
	struct slice *texts =
	    short_rows(row, 1, all, text_of, overview, columns, canvas->ascii, arena);

	canvas_text(canvas, x, y, columns, STYLE_NORMAL,
	            texts          ? *texts
	            : text.len > 0 ? text
	                           : slice_of("(no name)"));
	arena_free(arena);
}

#define LANE_COLUMNS 18 /* of its spans */
#define HOST_COLUMNS 22 /* of its lanes and spans */

static void
draw_lane(const struct overview_view *mine, size_t row, struct canvas *canvas, struct area pane,
          int y)
{
	const struct overview_lane *lane = &mine->overview->lanes[row];
	char text[3 * FORMAT_BYTES], count[FORMAT_BYTES], lanes[FORMAT_BYTES];
	int name = pane.width / 4 < 12 ? 12 : pane.width / 4 > 24 ? 24 : pane.width / 4;
	int columns = mine->overview->n_hosts > 1 ? HOST_COLUMNS : LANE_COLUMNS;
	int right = pane.width - columns - 10;

	draw_short(mine->overview, row, mine->overview->n_lanes, text_of_lane, canvas,
	           pane.x + LEFT_MARGIN, y, name - 1);
	draw_bar(canvas, pane.x + LEFT_MARGIN + name, y, right - name - LEFT_MARGIN - 2,
	         lane->share > 1 ? 1 : lane->share);
	canvas_text_right(canvas, pane.x + right, y, 8, STYLE_NORMAL,
	                  slice_of(format_percent(text, lane->share)));
	if (lane->is_host) {
		snprintf(text, sizeof text, "%s %s%s, %s", format_count(lanes, lane->n_lanes),
		         lane->lanes_are, lane->n_lanes == 1 ? "" : "s",
		         format_count(count, lane->count));
		if (strlen(text) + strlen(" spans") < HOST_COLUMNS) {
			strcat(text, lane->count == 1 ? " span" : " spans");
		}
	} else {
		snprintf(text, sizeof text, "%s span%s", format_count(count, lane->count),
		         lane->count == 1 ? "" : "s");
	}
	canvas_text_right(canvas, pane.x + right + 8, y, columns, STYLE_MUTED, slice_of(text));
}

static void
figure_text(const struct overview_name *name, char out[FORMAT_BYTES])
{
	switch (name->kind) {
	case KIND_DURATION:
		format_duration(out, (int64_t)name->value);
		break;
	case KIND_COUNT:
		format_count(out, (int64_t)name->value);
		break;
	default:
		snprintf(out, FORMAT_BYTES, "%.4g", name->value);
	}
}

#define MEAN_COLUMNS 9
#define VALUE_COLUMNS 9
#define NAME_COLUMNS 10 /* at least */

static void
count_text(const struct overview_name *name, char out[FORMAT_BYTES + 16])
{
	*out = '\0';
	if (name->kind != KIND_REAL || name->count > 0) { /* of nodes none taken away is no news */
		format_count(out, name->count);
		strcat(out, name->kind == KIND_REAL ? " preempted" : " x");
	}
}

/* Of the longest count. */
static int
count_columns(const struct overview *overview)
{
	char text[FORMAT_BYTES + 16];
	int columns = 0;

	for (size_t i = 0; i < overview->n_names; i++) {
		count_text(&overview->names[i], text);
		columns = (int)strlen(text) > columns ? (int)strlen(text) : columns;
	}
	return columns;
}

static void
draw_name(const struct overview_view *mine, size_t row, struct canvas *canvas, struct area pane,
          int y)
{
	const struct overview_name *name = &mine->overview->names[row];
	double most = mine->overview->names[0].value;
	int count = count_columns(mine->overview);
	int mean = name->kind == KIND_DURATION ? MEAN_COLUMNS : 0;
	int room = pane.width - LEFT_MARGIN - count - mean - VALUE_COLUMNS, bar, x;
	char text[FORMAT_BYTES + 16];

	if (room < NAME_COLUMNS) { /* the name tells more than a mean or a count */
		room += mean;
		mean = 0;
	}
	if (room < NAME_COLUMNS) {
		room += count;
		count = 0;
	}
	bar = room > 18 ? room / 3 : 0;
	x = pane.x + LEFT_MARGIN + room - bar;
	draw_short(mine->overview, row, mine->overview->n_names, text_of_name, canvas,
	           pane.x + LEFT_MARGIN, y, room - bar - 1);
	if (count > 0) {
		count_text(name, text);
		canvas_text_right(canvas, x, y, count, STYLE_MUTED, slice_of(text));
	}
	if (mean > 0 && name->count > 0) {
		format_duration(text, (int64_t)(name->value / (double)name->count));
		canvas_text_right(canvas, x + count, y, mean, STYLE_MUTED, slice_of(text));
	}
	x += count + mean;
	draw_bar(canvas, x + 1, y, bar - 1, most > 0 ? name->value / most : 0);
	figure_text(name, text);
	canvas_text_right(canvas, x + bar, y, VALUE_COLUMNS, STYLE_NORMAL, slice_of(text));
}

static void
draw_question(const struct overview_view *mine, size_t row, struct canvas *canvas, struct area pane,
              int y)
{
	char digit[2] = {row < 9 ? (char)('1' + row) : ' ', '\0'};

	canvas_puts(canvas, pane.x + LEFT_MARGIN, y, STYLE_KEY, digit);
	canvas_text_cut(canvas, pane.x + LEFT_MARGIN + 2, y, pane.width - LEFT_MARGIN - 3,
	                STYLE_NORMAL, slice_of(mine->questions[row]->title));
}

static void
draw_pane(const struct overview_view *mine, struct canvas *canvas, struct area area,
          enum overview_pane pane)
{
	static void (*const draw_row[PANES])(const struct overview_view *mine, size_t row,
	                                     struct canvas *canvas, struct area pane,
	                                     int y) = {draw_lane, draw_name, draw_question};
	struct area place = overview_pane_area(mine, area, pane);
	const struct list *list = &mine->lists[pane];

	for (int i = 0; i < place.height && list->top + (size_t)i < list->n; i++) {
		size_t row = list->top + (size_t)i;
		int y = place.y + i;

		draw_row[pane](mine, row, canvas, place, y);
		if (row == list->selected && pane == mine->pane) {
			canvas_select(canvas, place.x, y, place.width, ">");
		}
	}
}

/* Below the lanes, in the row that parts them from the lists: how many more there are. */
static void
draw_more_lanes(const struct overview_view *mine, struct canvas *canvas, struct area area)
{
	const struct overview *overview = mine->overview;
	struct area place = overview_pane_area(mine, area, PANE_LANES);
	int64_t n_above = (int64_t)mine->lists[PANE_LANES].top;
	int64_t n_below = overview->n_all_lanes - n_above - place.height;
	bool at_end = n_above + place.height >= (int64_t)overview->n_lanes;
	char text[3 * FORMAT_BYTES], count[FORMAT_BYTES];

	if (place.height > 0 && n_below > 0) {
		snprintf(text, sizeof text, "%s more %s%s%s", format_count(count, n_below),
		         overview->lanes[0].is_host ? "host" : overview->lanes_are.one,
		         n_below == 1 ? "" : "s", at_end ? " in the timeline" : "");
		canvas_text_right(canvas, place.x, place.y + place.height, place.width - 2,
		                  STYLE_MUTED, slice_of(text));
	}
}

/* Titles over the lists, and the word for the last column. */
static void
draw_titles(const struct overview_view *mine, struct canvas *canvas, struct area area)
{
	struct area names = overview_pane_area(mine, area, PANE_NAMES);
	struct area questions = overview_pane_area(mine, area, PANE_QUESTIONS);
	const struct overview *overview = mine->overview;

	if (names.height > 0) {
		int room = names.width - LEFT_MARGIN - VALUE_COLUMNS;
		struct slice title = slice_of(overview->names_title);

		if (overview->names_brief && (int)utf8_columns(title) > room) {
			title = slice_of(overview->names_brief);
		}
		canvas_text(canvas, names.x + LEFT_MARGIN, names.y - 1, room, STYLE_HEADER, title);
		canvas_text_right(canvas, names.x + names.width - VALUE_COLUMNS, names.y - 1,
		                  VALUE_COLUMNS, STYLE_HEADER, slice_of(overview->names_figure));
	}
	if (questions.height > 0) {
		canvas_text(canvas, questions.x + LEFT_MARGIN, questions.y - 1,
		            questions.width - LEFT_MARGIN, STYLE_HEADER,
		            slice_of("questions for this run"));
	}
}

void
overview_draw(const struct view *view, struct canvas *canvas, struct area area)
{
	const struct overview_view *mine = view->state;
	const struct overview *overview = mine->overview;
	int y = area.y;

	if (!overview) {
		return;
	}
	draw_facts(overview, canvas, area);
	if (has_tags(overview)) {
		draw_tags(overview, canvas, area, ++y);
	}
	if (overview->minimap_title) {
		draw_minimap(overview, canvas, area, ++y);
	}
	draw_more_lanes(mine, canvas, area);
	draw_titles(mine, canvas, area);
	for (enum overview_pane pane = 0; pane < PANES; pane++) {
		draw_pane(mine, canvas, area, pane);
	}
}
