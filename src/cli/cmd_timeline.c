/*
 * lanescope timeline RUN, or A B over each other: the explorer's timeline without the explorer, as
 * text or SVG, or its cells as rows. What the cells hold adds up: the sum of busy_ns over a lane's
 * cells is the lane's busy time in the window.
 */
#include "config.h"
#include "cli/cli.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>

#include "cli/classes.h"
#include "cli/cmd_timeline.h"
#include "cli/cmd_timeline_write.h"
#include "cli/open.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/window.h"
#include "query/saved/target.h"
#include "query/timeline/timeline_alike.h"
#include "query/timeline/timeline_hits.h"
#include "query/timeline/timeline_pair.h"
#include "ui/timeline/timeline_text.h"
#include "util/order.h"

#define WIDTH 100 /* where standard output is no terminal */
#define WIDTH_LIMIT 1000

struct timeline_call {
	struct output_choice output;
	struct strbuf classes;
	int64_t from_ns, to_ns; /* to_ns 0: the run's end */
	const char *lanes, *mark;
	bool *in_scope;    /* by lane; NULL: all are */
	int width, height; /* 0: as it fits; all */
	bool ascii, svg, depth, counters, has_colour, alike;
	bool is_picture; /* not rows of cells, whose sums are exact */
	enum colour_mode colour;
	enum colour_when colour_when;
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
	case OPTION_MARK:
		call->mark = value;
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
	case OPTION_ALIKE:
		call->alike = true;
		return 0;
	case OPTION_COUNTERS:
		call->counters = true;
		return 0;
	case OPTION_COLOUR:
		if (colour_when_find(slice_of(value), &call->colour_when)) {
			return 0;
		}
		call->has_colour = true;
		if (!colour_mode_find(slice_of(value), &call->colour)) {
			return err_set(err, ERR_USAGE,
			               "--colour=%s: category, name, class or status is needed, "
			               "or, of two runs, slowdown; or auto, always or never",
			               value);
		}
		return 0;
	default:
		return output_take(&call->output, id, value, err);
	}
}

/* ---- which lines ---- */

static bool
any_in_scope(const struct timeline_call *call, const struct timeline_row *row)
{
	uint32_t i = 0;

	while (i < row->n_members && !call->in_scope[row->members[i]]) {
		i++;
	}
	return i < row->n_members;
}

static bool
is_wanted(const struct timeline_call *call, const struct timeline_row *row)
{
	if (row->type == TIMELINE_ALIKE) {
		return !call->lanes && (!call->in_scope || any_in_scope(call, row));
	}
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
		if (row->type == TIMELINE_ALIKE && !row->leads_pair) {
			i += row->n_below;
		}
	}
	return lines;
}

/* ---- the answer ---- */

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

/* The lanes of one run, or of two in pairs. */
static int
read_timeline(struct drawing *drawing, unsigned parts, struct err *err)
{
	struct store *const *stores = drawing->runs->stores;
	struct timeline *a = timeline_new_with(stores[0], parts, err), *b = NULL;

	if (!a || drawing->runs->n == 1) {
		drawing->timeline = a;
		return a ? 0 : -1;
	}
	b = timeline_new_with(stores[1], parts, err);
	if (b) {
		drawing->timeline = timeline_of_two(a, b, store_run(stores[0])->n_spans);
		drawing->axis.duration_ns[0] = a->duration_ns;
		drawing->axis.duration_ns[1] = b->duration_ns;
	}
	timeline_release(a);
	timeline_release(b);
	return b ? 0 : -1;
}

static int
fold_alike(struct drawing *drawing, struct err *err)
{
	struct store *const *stores = drawing->runs->stores;
	struct store *const both[2] = {stores[0], drawing->runs->n > 1 ? stores[1] : NULL};
	struct timeline *folded =
	    timeline_alike_read(both, drawing->timeline, drawing->cancel, err);

	if (folded) {
		timeline_release(drawing->timeline);
		drawing->timeline = folded;
	}
	return folded ? 0 : -1;
}

/* What a run's timeline says, of two that of a side. */
static const struct timeline *
timeline_of(const struct drawing *drawing, size_t run)
{
	return drawing->timeline->pair ? drawing->timeline->pair->sides[run] : drawing->timeline;
}

/* The range of the scope, and its lanes: of two runs all that either is in. */
static void
take_scope(struct timeline_call *call, const struct drawing *drawing)
{
	struct store_view whole = {INT64_MAX, 0};
	bool is_scoped = false;
	size_t at = 0;

	MEM_NEW(call->in_scope, (size_t)drawing->timeline->n_lanes + 1);
	for (size_t run = 0; run < drawing->runs->n; run++) {
		struct store_view view = store_view(drawing->runs->stores[run]);
		const bool *lanes = store_lanes(drawing->runs->stores[run]);

		whole.start_ns = LEAST(whole.start_ns, view.start_ns);
		whole.end_ns = MOST(whole.end_ns, view.end_ns);
		is_scoped |= lanes != NULL;
		for (uint32_t i = 0; i < timeline_of(drawing, run)->n_lanes; i++) {
			call->in_scope[at++] = !lanes || lanes[i];
		}
	}
	call->from_ns = MOST(call->from_ns, whole.start_ns);
	call->to_ns = call->to_ns > 0 ? LEAST(call->to_ns, whole.end_ns) : whole.end_ns;
	if (!is_scoped) {
		free(call->in_scope);
		call->in_scope = NULL;
	}
}

/* By lane. */
static int32_t *
read_depths(const struct drawing *drawing, struct err *err)
{
	int32_t *depths = xcalloc((size_t)drawing->timeline->n_lanes + 1, sizeof *depths);
	size_t at = 0;

	for (size_t run = 0; run < drawing->runs->n; run++) {
		const struct timeline *own = timeline_of(drawing, run);
		int32_t *one =
		    timeline_depths(drawing->runs->stores[run], own, -1, drawing->cancel, err);

		if (!one) {
			free(depths);
			return NULL;
		}
		memcpy(depths + at, one, own->n_lanes * sizeof *depths);
		at += own->n_lanes;
		free(one);
	}
	return depths;
}

static int
read_colours(const struct timeline_call *call, struct drawing *drawing, struct err *err)
{
	const struct run_set *runs = drawing->runs;
	bool by_name = drawing->timeline->has_tasks || !drawing->timeline->has_categories;
	enum colour_mode mode = call->has_colour ? call->colour
	                        : by_name        ? COLOUR_NAME
	                                         : COLOUR_CATEGORY;

	if (runs->n == 2) {
		return colours_new_shared(runs->stores, runs->names, 2, mode, drawing->colours,
		                          err);
	}
	drawing->colours[0] = colours_new(runs->stores[0], NULL, NULL, mode, err);
	return drawing->colours[0] ? 0 : -1;
}

/* How many spans of the whole run are marked. */
static int
count_marked(const struct timeline_call *call, struct drawing *drawing, struct err *err)
{
	struct timeline_hits found = {0}, one;
	int rc = 0;

	strbuf_printf(&drawing->marked_filter, "(%s)", call->mark);
	for (size_t run = 0; rc == 0 && run < drawing->runs->n; run++) {
		rc = timeline_hits_read(drawing->runs->stores[run], drawing->marked_filter.data,
		                        &one, drawing->cancel, err);
		if (rc == 0) {
			timeline_hits_append(&found, &one);
		}
	}
	if (rc == 0) {
		timeline_hits_say(&found, drawing->runs->n == 2, &drawing->marked);
		strbuf_printf(&drawing->marked, ": %s", call->mark);
	}
	timeline_hits_fini(&found);
	return rc;
}

static int
read_lines(const struct timeline_call *call, struct drawing *drawing, struct err *err)
{
	struct timeline_line strips[2];
	int32_t *depths = call->depth ? read_depths(drawing, err) : NULL;
	size_t n;

	if (call->depth && !depths) {
		return -1;
	}
	drawing->lines =
	    choose_lines(call, drawing->timeline, depths, &drawing->n_lines, &drawing->left_out);
	free(depths);
	if (call->mark && count_marked(call, drawing, err)) {
		return -1;
	}
	n = timeline_strips(drawing->timeline, strips);
	if (n > 0) {
		drawing->minimap = drawing_window(drawing, strips, n, 0,
		                                  timescale_fit_ns(&drawing->scale), NULL, err);
	}
	return drawing->minimap || n == 0 ? 0 : -1;
}

static int
read_drawing(const struct timeline_call *asked, struct drawing *drawing, struct err *err)
{
	struct timeline_call call = *asked;
	unsigned parts = TIMELINE_PROCESSES | TIMELINE_SUMS | TIMELINE_PEAKS;
	int64_t n_spans = 0;
	int rc;

	for (size_t run = 0; run < drawing->runs->n; run++) {
		n_spans += store_run(drawing->runs->stores[run])->n_spans;
	}
	call.counters |= n_spans == 0; /* there is nothing else */
	parts |= call.counters ? TIMELINE_VALUES : 0;
	if (read_timeline(drawing, parts, err) || (call.alike && fold_alike(drawing, err))) {
		return -1;
	}
	take_scope(&call, drawing);
	rc = set_window(&call, drawing, err) || read_colours(&call, drawing, err) ||
	             read_lines(&call, drawing, err)
	         ? -1
	         : 0;
	free(call.in_scope);
	return rc;
}

int
timeline_picture(const struct run_set *runs, const struct timeline_choice *choice, FILE *file,
                 size_t *left_out, const struct cancel *cancel, struct err *err)
{
	const struct timeline_call call = {
	    .width = choice->width, .height = choice->height, .is_picture = true};
	struct drawing drawing = {.runs = runs,
	                          .width = choice->width,
	                          .is_picture = true,
	                          .is_svg = choice->is_svg,
	                          .is_empty = true,
	                          .cancel = cancel};
	const struct timeline_paper paper = {.width = choice->width};
	int rc = read_drawing(&call, &drawing, err);

	rc = rc ? rc : drawing_write_picture(&drawing, &paper, file, err);
	*left_out = drawing.left_out;
	drawing_fini(&drawing);
	return rc;
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
	struct drawing drawing = {
	    .runs = runs, .width = call->width, .is_empty = true, .cancel = cancel};
	struct slice path = slice_of(call->output.path ? call->output.path : "");
	int rc;

	if (runs->n != 1 && runs->n != 2) {
		return err_set(err, ERR_USAGE, "timeline takes one run or two: these are %zu",
		               runs->n);
	}
	if (runs->n == 1 && call->has_colour && call->colour == COLOUR_SLOWDOWN) {
		return err_set(err, ERR_USAGE,
		               "--colour=slowdown compares two runs: give both (timeline A B)");
	}
	call->is_picture = !call->output.format &&
	                   (!call->output.path || call->svg || slice_has_ending(path, ".txt") ||
	                    slice_has_ending(path, ".svg"));
	call->svg = call->svg || slice_has_ending(path, ".svg");
	if (call->mark && !call->is_picture) {
		return err_set(err, ERR_USAGE,
		               "--mark is of pictures: rows of some spans come with --scope");
	}
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
	drawing.is_picture = call->is_picture;
	drawing.is_svg = call->svg;
	drawing.is_ascii = call->ascii;
	drawing.colour_when = call->colour_when;
	drawing.has_alike = call->alike;
	rc = read_drawing(call, &drawing, err);
	if (rc == 0) {
		rc = drawing_write(&drawing, &call->output, err);
	}
	drawing_fini(&drawing);
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
	if (rc ||
	    (cli->n_words != 1 && cli->n_words != 2 &&
	     err_set(&err, ERR_USAGE, "it takes one run, or two over each other")) ||
	    check_svg(&call, &err)) {
		return cli_usage(cli, &err);
	}
	if (run_set_open(&runs, cli, cli->words, cli->n_words, cli->n_words > 1, &err)) {
		return cli_fail(&err);
	}
	rc = answer(&call, &runs, &cli->cancel, &err);
	run_set_close(&runs);
	return rc ? cli_fail(&err) : CLI_DONE;
}
