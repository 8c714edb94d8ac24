/*
 * Cells of all lines of a run with a million lanes are some gigabytes: the text is read and drawn a
 * piece at a time. SVG and rows are read whole, or refused where memory has no room for them.
 */
#include "config.h"
#include "cli/cmd_timeline_write.h"

#include <errno.h>
#include <stdlib.h>

#include "cli/user_settings.h"
#include "export/svg.h"
#include "query/timeline/timeline_alike.h"
#include "util/budget.h"
#include "util/order.h"
#include "util/utf8.h"

#define PIECE_LINES 4096 /* read and drawn at once */
/* Where all are: of a cell with what it knows of colours and its row of a table; their part of the
 * budget. */
#define ROOM_OF_CELL 400
#define ROOM_SHARES 2

/* Whether spans are drawn one by one is decided for all pieces alike, as near as can be. */
static size_t
span_limit(const struct drawing *drawing, size_t n_lines)
{
	return drawing->n_lines > PIECE_LINES
	           ? MOST((size_t)WINDOW_SPANS * n_lines / drawing->n_lines, 1)
	           : WINDOW_SPANS;
}

struct timeline_window *
drawing_window(const struct drawing *drawing, const struct timeline_line *lines, size_t n_lines,
               int64_t start_ns, int64_t cell_ns, const char *filter, struct err *err)
{
	struct store *const *stores = drawing->runs->stores;
	struct timeline_request request = {.lines = lines,
	                                   .n_lines = n_lines,
	                                   .start_ns = start_ns,
	                                   .cell_ns = cell_ns,
	                                   .n_cells = (uint32_t)timescale_cells(&drawing->scale),
	                                   .colours = drawing->colours[0],
	                                   .filter = filter,
	                                   .span_limit = span_limit(drawing, n_lines),
	                                   .is_picture = drawing->is_picture};

	if (drawing->timeline->pair) {
		const struct pair_source two = {
		    .stores = {stores[0], stores[1]},
		    .timeline = drawing->timeline,
		    .colours = {drawing->colours[0], drawing->colours[1]},
		    .axis = drawing->axis};

		return timeline_pair_window_read(&two, &request, drawing->cancel, err);
	}
	return timeline_window_read(stores[0], drawing->timeline, &request, drawing->cancel, err);
}

static void
forget_piece(struct drawing *drawing)
{
	timeline_window_free(drawing->window);
	timeline_window_free(drawing->hits);
	drawing->window = drawing->hits = NULL;
}

/* What n lines from one on show, and what of it is marked. */
static int
read_piece(struct drawing *drawing, size_t from, size_t n, struct err *err)
{
	const struct timeline_line *lines = n > 0 ? drawing->lines + from : NULL; /* none may be */
	const struct timescale *scale = &drawing->scale;

	forget_piece(drawing);
	drawing->window =
	    drawing_window(drawing, lines, n, scale->start_ns, scale->cell_ns, NULL, err);
	if (!drawing->window) {
		return -1;
	}
	drawing->is_empty &= timeline_window_is_empty(drawing->window);
	if (drawing->marked_filter.len == 0) {
		return 0;
	}
	drawing->hits = drawing_window(drawing, lines, n, scale->start_ns, scale->cell_ns,
	                               drawing->marked_filter.data, err);
	return drawing->hits ? 0 : -1;
}

/* All lines at once, if memory has room for them. */
static int
read_whole(struct drawing *drawing, struct err *err)
{
	uint64_t cells = (uint64_t)drawing->n_lines * (unsigned)timescale_cells(&drawing->scale);
	char budget[BUDGET_TEXT_BYTES];

	if (cells * ROOM_OF_CELL > (uint64_t)budget_bytes() / ROOM_SHARES) {
		return err_set(
		    err, ERR_LIMIT,
		    "%zu lines of %d cells are more than memory should hold (it may use "
		    "%s): ask for fewer (--height, --lanes, --width), for the picture as "
		    "text, or give more with --memory SIZE",
		    drawing->n_lines, (int)timescale_cells(&drawing->scale), budget_print(budget));
	}
	return read_piece(drawing, 0, drawing->n_lines, err);
}

/* Why the lanes are odd that are drawn. */
static void
add_odd(const struct drawing *drawing, struct strbuf *text)
{
	for (size_t i = 0; i < drawing->n_lines; i++) {
		const struct timeline_row *row = &drawing->timeline->rows[drawing->lines[i].row];

		if (row->odd && drawing->lines[i].depth <= 0) {
			struct slice name = utf8_clip(row->name, 40);

			strbuf_printf(text, "odd%s %.*s: ",
			              row->side == 1   ? " A"
			              : row->side == 2 ? " B"
			                               : "",
			              (int)name.len, name.ptr);
			timeline_odd_say(row->odd, text);
			strbuf_add_char(text, '\n');
		}
	}
	if (drawing->timeline->base && drawing->timeline->n_alike == 0) {
		strbuf_add_text(text, "no lanes are alike\n");
	}
}

static void
add_notes(const struct drawing *drawing, struct strbuf *text)
{
	char cell[FORMAT_BYTES];

	timescale_say(&drawing->scale, drawing->timeline->is_at_most ? "at most " : "", text);
	strbuf_printf(text, ", %s a cell", format_duration(cell, drawing->scale.cell_ns));
	if (drawing->left_out > 0) {
		strbuf_printf(text, ", %zu more lines are not shown", drawing->left_out);
	}
	if (drawing->n_lines > 0 && drawing->is_empty) {
		strbuf_add_text(text, drawing->window->is_filtered ? ": nothing in scope is here"
		                                                   : ": nothing here");
	}
	strbuf_add_char(text, '\n');
	add_odd(drawing, text);
	if (drawing->marked.len > 0) {
		strbuf_printf(text, "marked %s\n", drawing->marked.data);
	}
}

/* All but those of several that are alike. */
static const bool *
open_rows(const struct timeline *timeline, struct arena *arena)
{
	bool *is_open = arena_zalloc(arena, timeline->n_rows + 1);

	for (size_t i = 0; i < timeline->n_rows; i++) {
		is_open[i] = timeline->rows[i].type != TIMELINE_ALIKE;
	}
	return is_open;
}

static int
write_text(const struct strbuf *text, FILE *file, struct err *err)
{
	return text->len > 0 && fwrite(text->data, 1, text->len, file) != text->len
	           ? err_set_errno(err, errno, "picture")
	           : 0;
}

/* A piece at a time, as each cell takes memory and only lines are needed that are being drawn. */
static int
write_lines(struct drawing *drawing, const struct timeline_paper *paper, FILE *file,
            struct err *err)
{
	struct arena *arena = arena_new();
	struct slice *labels = timeline_labels(drawing->timeline, drawing->width, arena);
	const bool *is_open = drawing->has_alike ? open_rows(drawing->timeline, arena) : NULL;
	struct strbuf text = {0};
	size_t from = 0;
	int rc = 0;

	do {
		size_t n = LEAST(drawing->n_lines - from, PIECE_LINES);
		unsigned parts = (from > 0 ? TEXT_GOES_ON : 0) |
		                 (from + n < drawing->n_lines ? TEXT_HAS_MORE : 0);

		if ((rc = read_piece(drawing, from, n, err)) != 0) {
			break;
		}
		struct label_list *captions =
		    timeline_captions(drawing->timeline, drawing->colours[0], drawing->window);
		struct timeline_drawing screen = {
		    .timeline = drawing->timeline,
		    .colours = drawing->colours[0],
		    .window = drawing->window,
		    .minimap = drawing->minimap,
		    .scale = &drawing->scale,
		    .lines = drawing->window->lines,
		    .n_lines = drawing->window->n_lines,
		    .labels = labels,
		    .captions = captions,
		    .hits = drawing->hits,
		    .label = timeline_label_columns(drawing->width),
		    .is_open = is_open,
		    .axis = drawing->timeline->pair ? &drawing->axis : NULL,
		    .names = drawing->runs->names,
		    .group_height =
			timeline_group_height(drawing->timeline, drawing->scale.cell_ns)};

		strbuf_clear(&text);
		timeline_text(&screen, parts, paper, &text);
		label_list_free(captions);
		rc = write_text(&text, file, err);
		from += n;
	} while (rc == 0 && from < drawing->n_lines);
	strbuf_clear(&text);
	if (rc == 0) {
		add_notes(drawing, &text);
		rc = write_text(&text, file, err);
	}
	strbuf_free(&text);
	arena_free(arena);
	return rc;
}

static int
write_svg(struct drawing *drawing, FILE *file, struct err *err)
{
	if (read_whole(drawing, err)) {
		return -1;
	}
	const struct svg_picture picture = {.window = drawing->window,
	                                    .hits = drawing->hits,
	                                    .marked = drawing->marked.data,
	                                    .timeline = drawing->timeline,
	                                    .colours = drawing->colours[0],
	                                    .run_names = drawing->runs->names};
	return export_svg(&picture, file, err);
}

int
drawing_write_picture(struct drawing *drawing, const struct timeline_paper *paper, FILE *file,
                      struct err *err)
{
	return drawing->is_svg ? write_svg(drawing, file, err)
	                       : write_lines(drawing, paper, file, err);
}

static int
write_picture(struct drawing *drawing, struct output_choice choice, struct err *err)
{
	struct output output;

	choice.format = "csv"; /* not used: no pager and no look at the file's ending */
	if (output_open(&output, &choice, err)) {
		return -1;
	}
	struct settings settings;
	user_settings_read(&settings);
	struct sgr_ink ink = {&settings.term,
	                      colours_of(drawing->colour_when, &output, &settings.term)};
	struct timeline_paper paper = {.width = drawing->width,
	                               .ascii = drawing->is_ascii || output.options.ascii,
	                               .ink = ink.n_colours > 0 ? &ink : NULL};
	int rc = drawing_write_picture(drawing, &paper, output.file, err);
	settings_fini(&settings);
	return output_close(&output, rc, err);
}

/* The cells as rows. */
static int
write_cells(struct drawing *drawing, const struct output_choice *choice, struct err *err)
{
	if (read_whole(drawing, err)) {
		return -1;
	}
	struct result *bins =
	    timeline_window_table(drawing->window, drawing->timeline, drawing->colours[0]);
	int rc = output_result(bins, choice, err);
	result_free(bins);
	return rc;
}

int
drawing_write(struct drawing *drawing, const struct output_choice *choice, struct err *err)
{
	return drawing->is_picture ? write_picture(drawing, *choice, err)
	                           : write_cells(drawing, choice, err);
}

void
drawing_fini(struct drawing *drawing)
{
	forget_piece(drawing);
	timeline_window_free(drawing->minimap);
	free(drawing->lines);
	strbuf_free(&drawing->marked);
	strbuf_free(&drawing->marked_filter);
	colours_release(drawing->colours[0]);
	colours_release(drawing->colours[1]);
	timeline_release(drawing->timeline);
}
