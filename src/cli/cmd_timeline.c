/*
 * lanescope timeline RUN: the explorer's timeline without the explorer, as text or SVG, or its
 * cells as rows. What the cells hold adds up: the sum of busy_ns over a lane's cells is the lane's
 * busy time in the window.
 */
#include "config.h"
#include "cli/cli.h"

#include <errno.h>
#include <langinfo.h>
#include <stdlib.h>
#include <string.h>

#include "cli/classes.h"
#include "cli/open.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/window.h"
#include "export/svg.h"
#include "query/saved/target.h"
#include "query/timeline/timeline.h"
#include "ui/timeline/timeline_text.h"
#include "util/format.h"
#include "util/order.h"

#define WIDTH 100 /* where standard output is no terminal */
#define WIDTH_LIMIT 1000

struct timeline_call {
	struct output_choice output;
	struct strbuf classes;
	int64_t from_ns, to_ns; /* to_ns 0: the run's end */
	const char *lanes;
	const bool *in_scope; /* by lane; NULL: all are */
	int width, height;    /* 0: as it fits; all */
	bool ascii, svg, depth, counters, has_colour;
	bool is_picture; /* not rows of cells, whose sums are exact */
	enum colour_mode colour;
};

static int
take_number(const char *option, const char *value, int low, int high, int *number, struct err *err)
{
	int64_t wide;

	if (!slice_int64(slice_of(value), &wide) || wide < low || wide > high) {
		return err_set(err, ERR_USAGE, "--%s=%s: a number from %d to %d is needed", option,
		               value, low, high);
	}
	*number = (int)wide;
	return 0;
}

static int
take(void *user, int id, const char *value, struct err *err)
{
	struct timeline_call *call = user;

	switch (id) {
	case OPTION_FROM:
		return window_take_time("from", value, &call->from_ns, err);
	case OPTION_TO:
		return window_take_time("to", value, &call->to_ns, err);
	case OPTION_CLASS:
		return classes_take(&call->classes, value, err);
	case OPTION_LANES:
		call->lanes = value;
		return 0;
	case OPTION_WIDTH:
		return take_number("width", value, 30, WIDTH_LIMIT, &call->width, err);
	case OPTION_HEIGHT:
		return take_number("height", value, 1, 100000, &call->height, err);
	case OPTION_ASCII:
		call->ascii = true;
		return 0;
	case OPTION_SVG:
		call->svg = true;
		return 0;
	case OPTION_DEPTH:
		call->depth = true;
		return 0;
	case OPTION_COUNTERS:
		call->counters = true;
		return 0;
	case OPTION_COLOUR:
		call->has_colour = true;
		if (!colour_mode_find(slice_of(value), &call->colour) ||
		    call->colour == COLOUR_SLOWDOWN) {
			return err_set(err, ERR_USAGE,
			               "--colour=%s: category, name, class or status is needed",
			               value);
		}
		return 0;
	default:
		return output_take(&call->output, id, value, err);
	}
}

/* ---- which lines ---- */

static bool
is_wanted(const struct timeline_call *call, const struct timeline_row *row)
{
	if (call->in_scope && row->type != TIMELINE_COUNTER && row->type != TIMELINE_CAPACITY &&
	    row->type != TIMELINE_SUM && (row->type != TIMELINE_LANE || !call->in_scope[row->id])) {
		return false;
	}
	if (row->type == TIMELINE_COUNTER || row->type == TIMELINE_CAPACITY ||
	    row->type == TIMELINE_SUM) {
		return call->counters;
	}
	return !call->lanes ||
	       (row->type == TIMELINE_LANE && window_matches_lane(call->lanes, row->name));
}

/* Lines of the rows wanted; *left gets how many --height leaves out. */
static struct timeline_line *
choose_lines(const struct timeline_call *call, const struct timeline *timeline,
             const int32_t *depths, size_t *n, size_t *left)
{
	struct timeline_line *lines = NULL;
	size_t capacity = 0;

	*n = *left = 0;
	for (size_t i = 0; i < timeline->n_rows; i++) {
		const struct timeline_row *row = &timeline->rows[i];
		int deepest = depths && row->type == TIMELINE_LANE ? depths[row->id] : -1;

		if (!is_wanted(call, row)) {
			continue;
		}
		for (int depth = deepest > 0 ? 0 : -1; depth <= (deepest > 0 ? deepest : -1);
		     depth++) {
			if (call->height > 0 && *n >= (size_t)call->height) {
				++*left;
				continue;
			}
			MEM_GROW(lines, capacity, *n + 1);
			lines[(*n)++] = (struct timeline_line){i, depth};
		}
	}
	return lines;
}

/* ---- the answer ---- */

struct drawing {
	struct timeline *timeline;
	struct colours *colours;
	struct timeline_window *window, *minimap;
	struct timescale scale;
	int width;
	size_t left_out;
	const char *filter; /* the scope's */
	const struct cancel *cancel;
};

static struct timeline_window *
read_window(struct store *store, const struct drawing *drawing, const struct timeline_line *lines,
            size_t n_lines, int64_t start_ns, int64_t cell_ns, struct err *err)
{
	struct timeline_request request = {.lines = lines,
	                                   .n_lines = n_lines,
	                                   .start_ns = start_ns,
	                                   .cell_ns = cell_ns,
	                                   .n_cells = (uint32_t)timescale_cells(&drawing->scale),
	                                   .colours = drawing->colours,
	                                   .filter = drawing->filter};

	return timeline_window_read(store, drawing->timeline, &request, drawing->cancel, err);
}

static int
set_window(const struct timeline_call *call, struct drawing *drawing, struct err *err)
{
	int64_t end = call->to_ns > 0 && call->to_ns < drawing->timeline->duration_ns
	                  ? call->to_ns
	                  : drawing->timeline->duration_ns;
	int64_t cell_ns;

	drawing->scale = (struct timescale){.duration_ns = drawing->timeline->duration_ns,
	                                    .columns = timeline_cell_columns(drawing->width)};
	if ((call->to_ns > 0 || call->from_ns > 0) && window_check(call->from_ns, end, err)) {
		return -1;
	}
	cell_ns = timescale_cell_for(&drawing->scale, call->from_ns, end);
	drawing->scale.cell_ns =
	    call->is_picture ? cell_ns : timeline_snap(drawing->timeline, cell_ns);
	drawing->scale.start_ns = call->from_ns / drawing->scale.cell_ns * drawing->scale.cell_ns;
	return 0;
}

static int
read_drawing(struct store *store, const struct timeline_call *asked, struct drawing *drawing,
             struct err *err)
{
	struct timeline_call with_counters = *asked;
	const struct timeline_call *call = &with_counters;
	const struct dataset *dataset = store_dataset(store, err);
	struct store_view view = store_view(store);
	unsigned parts;
	struct timeline_line *lines, whole = {0, -1};
	enum colour_mode mode;
	int32_t *depths = NULL;
	size_t n;

	if (!dataset) {
		return -1;
	}
	drawing->filter = dataset->scope.filter;
	with_counters.in_scope = store_lanes(store);
	with_counters.from_ns = MOST(asked->from_ns, view.start_ns);
	with_counters.to_ns = asked->to_ns > 0 ? LEAST(asked->to_ns, view.end_ns) : view.end_ns;
	with_counters.counters |= store_run(store)->n_spans == 0; /* there is nothing else */
	parts = TIMELINE_PROCESSES | TIMELINE_SUMS | (call->counters ? TIMELINE_VALUES : 0);
	drawing->timeline = timeline_new_with(store, parts | TIMELINE_PEAKS, err);
	if (!drawing->timeline || set_window(call, drawing, err)) {
		return -1;
	}
	mode = call->has_colour ? call->colour
	       : drawing->timeline->has_tasks || !drawing->timeline->has_categories
	           ? COLOUR_NAME
	           : COLOUR_CATEGORY;
	drawing->colours = colours_new(store, NULL, NULL, mode, err);
	if (!drawing->colours ||
	    (call->depth &&
	     !(depths = timeline_depths(store, drawing->timeline, -1, drawing->cancel, err)))) {
		return -1;
	}
	lines = choose_lines(call, drawing->timeline, depths, &n, &drawing->left_out);
	free(depths);
	drawing->window = read_window(store, drawing, lines, n, drawing->scale.start_ns,
	                              drawing->scale.cell_ns, err);
	free(lines);
	if (drawing->window && drawing->timeline->n_rows > 0) {
		drawing->minimap = read_window(store, drawing, &whole, 1, 0,
		                               timescale_fit_ns(&drawing->scale), err);
	}
	return drawing->window && (drawing->minimap || drawing->timeline->n_rows == 0) ? 0 : -1;
}

static void
add_notes(const struct drawing *drawing, struct strbuf *text)
{
	char cell[FORMAT_BYTES], end[FORMAT_BYTES], start[FORMAT_BYTES], all[FORMAT_BYTES];
	int64_t to = timescale_time(&drawing->scale, drawing->scale.columns);

	to = LEAST(to, drawing->scale.duration_ns);
	strbuf_printf(
	    text, "%s .. %s of %s%s, %s a cell",
	    format_position(start, drawing->scale.start_ns, timescale_apart_ns(&drawing->scale)),
	    format_position(end, to, timescale_apart_ns(&drawing->scale)),
	    drawing->timeline->is_at_most ? "at most " : "",
	    format_duration(all, drawing->scale.duration_ns),
	    format_duration(cell, drawing->scale.cell_ns));
	if (drawing->left_out > 0) {
		strbuf_printf(text, ", %zu more lines are not shown", drawing->left_out);
	}
	strbuf_add_char(text, '\n');
}

static int
write_picture(const struct timeline_call *call, const struct drawing *drawing, const char *name,
              struct err *err)
{
	struct output_choice choice = call->output;
	struct output output;
	struct strbuf text = {0};
	int rc = 0;

	choice.format = "csv"; /* not used: no pager and no look at the file's ending */
	if (output_open(&output, &choice, err)) {
		return -1;
	}
	if (call->svg) {
		rc = export_svg(drawing->window, drawing->timeline, drawing->colours, name,
		                output.file, err);
	} else {
		struct arena *arena = arena_new();
		struct timeline_drawing screen = {
		    .timeline = drawing->timeline,
		    .colours = drawing->colours,
		    .window = drawing->window,
		    .minimap = drawing->minimap,
		    .scale = &drawing->scale,
		    .lines = drawing->window->lines,
		    .n_lines = drawing->window->n_lines,
		    .labels = timeline_labels(drawing->timeline, drawing->width, arena),
		    .label = timeline_label_columns(drawing->width),
		    .group_height =
			timeline_group_height(drawing->timeline, drawing->scale.cell_ns)};

		timeline_text(&screen, drawing->width, call->ascii || output.options.ascii, &text);
		add_notes(drawing, &text);
		if (fwrite(text.data, 1, text.len, output.file) != text.len) {
			rc = err_set_errno(err, errno, "picture");
		}
		arena_free(arena);
	}
	strbuf_free(&text);
	return output_close(&output, rc, err);
}

/* --svg says what is written, as --format does. */
static int
check_svg(const struct timeline_call *call, struct err *err)
{
	static const char *const svg[] = {"svg", NULL};

	if (call->svg && call->output.format) {
		return err_set(err, ERR_USAGE,
		               "--svg and --format %s: a picture or its cells? Give one of them",
		               call->output.format);
	}
	return call->svg && call->output.path
	           ? target_check_ending(call->output.path, svg,
	                                 "a picture as SVG is written, so call it NAME.svg", err)
	           : 0;
}

static int
answer(struct timeline_call *call, const struct run_set *runs, const struct cancel *cancel,
       struct err *err)
{
	struct drawing drawing = {.width = call->width, .cancel = cancel};
	struct slice path = slice_of(call->output.path ? call->output.path : "");
	int rc;

	if (runs->n != 1) {
		return err_set(err, ERR_USAGE, "timeline takes one run: these are %zu", runs->n);
	}
	call->is_picture = !call->output.format &&
	                   (!call->output.path || call->svg || slice_has_ending(path, ".txt") ||
	                    slice_has_ending(path, ".svg"));
	call->svg = call->svg || slice_has_ending(path, ".svg");
	call->output.inputs = &runs->inputs;
	call->output.scope = store_scope(runs->stores[0]);
	if ((!call->is_picture && !output_choose_format(&call->output, err)) ||
	    output_check(&call->output, err)) {
		return -1;
	}
	if (drawing.width == 0) {
		size_t columns = cli_width(stdout);

		drawing.width = columns >= 30 && columns <= WIDTH_LIMIT ? (int)columns : WIDTH;
	}
	rc = read_drawing(runs->stores[0], call, &drawing, err);
	if (rc == 0 && call->is_picture) {
		rc = write_picture(call, &drawing, runs->names[0], err);
	} else if (rc == 0) {
		struct result *bins =
		    timeline_window_table(drawing.window, drawing.timeline, drawing.colours);
		rc = output_result(bins, &call->output, err);
		result_free(bins);
	}
	timeline_window_free(drawing.window);
	timeline_window_free(drawing.minimap);
	colours_release(drawing.colours);
	timeline_release(drawing.timeline);
	return rc;
}

int
command_timeline(struct cli *cli)
{
	struct timeline_call call = {0};
	struct run_set runs;
	struct err err = ERR_INIT;
	int rc = options_parse(cli, take, &call, &err);

	classes_set(cli, &call.classes);
	if (rc || (cli->n_words != 1 && err_set(&err, ERR_USAGE, "it takes one run")) ||
	    check_svg(&call, &err)) {
		return cli_usage(cli, &err);
	}
	if (run_set_open(&runs, cli, cli->words, 1, false, &err)) {
		return cli_fail(&err);
	}
	rc = answer(&call, &runs, &cli->cancel, &err);
	run_set_close(&runs);
	return rc ? cli_fail(&err) : CLI_DONE;
}
