/* The window's twins: its cells as a table, what is drawn or the cells in a file. */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "export/export.h"
#include "export/svg.h"
#include "ui/timeline/timeline_text.h"
#include "ui/app/save.h"
#include "ui/timeline/view_timeline.h"
#include "util/mem.h"

void
timeline_open_table(struct view *view)
{
	struct timeline_view *state = view->state;

	if (!timeline_window_is_current(state)) {
		view_say(view, "the picture is not there yet");
		return;
	}
	view_open(view, PLACE_RESULT, .title = "Timeline cells",
	          .result = timeline_window_table(state->window, state->timeline, state->colours));
}

static int
write_text(struct view *view, FILE *file, struct err *err)
{
	struct timeline_view *state = view->state;
	struct timeline_drawing drawing = timeline_drawing(state, view->area.width);
	const struct timeline_paper paper = {.width = view->area.width};
	struct strbuf text = {0};
	int rc = 0;

	drawing.lines = state->window->lines;
	drawing.n_lines = state->window->n_lines;
	timeline_text(&drawing, 0, &paper, &text);
	if (fwrite(text.data, 1, text.len, file) != text.len) {
		rc = err_set_errno(err, errno, "picture");
	}
	strbuf_free(&text);
	return rc;
}

static int
write_bins(struct view *view, const struct export_format *format, FILE *file, struct err *err)
{
	struct timeline_view *state = view->state;
	struct export_options options = save_options(view);
	struct result *result;
	int rc;

	result = state->pane.has_cursor && state->pane.area
	             ? timeline_area_table(state->pane.area)
	             : timeline_window_table(state->window, state->timeline, state->colours);
	rc = export_result(result, format, &options, file, err);
	result_free(result);
	return rc;
}

void
timeline_export(struct view *view, struct slice text)
{
	struct timeline_view *state = view->state;
	const struct export_format *format = NULL;
	const char *const own[1] = {view->run_name};
	bool marks = timeline_marks(state);
	char *marked = marks ? timeline_marked_text(state) : NULL;
	struct svg_picture picture = {.window = state->window,
	                              .hits = marks ? state->hits.window : NULL,
	                              .marked = marked,
	                              .timeline = state->timeline,
	                              .colours = state->colours,
	                              .run_names =
	                                  timeline_is_of_two(state) ? state->runs.name : own};
	struct err err = ERR_INIT;
	FILE *file;
	char *path;
	int rc;

	if (!timeline_window_is_current(state) ||
	    (marks && (!picture.hits || picture.hits->start_ns != state->window->start_ns ||
	               picture.hits->cell_ns != state->window->cell_ns))) {
		view_say(view, "the picture is not there yet");
		free(marked);
		return;
	}
	path = save_picture_path(view, text, "svg");
	if (!path) {
		free(marked);
		return; /* it asks again, or has said why */
	}
	bool is_text = save_has_ending(path, "txt"), is_svg = save_has_ending(path, "svg");
	for (const struct export_format *one = export_formats; one->name; one++) {
		format = save_has_ending(path, one->extension) ? one : format;
	}
	file = fopen(path, "we");
	if (!file) {
		rc = err_set_errno(&err, errno, "%s", path);
	} else {
		rc = is_text  ? write_text(view, file, &err)
		     : is_svg ? export_svg(&picture, file, &err)
		              : write_bins(view, format, file, &err);
		if (fclose(file) != 0 && rc == 0) {
			rc = err_set_errno(&err, errno, "%s", path);
		}
	}
	if (rc != 0) {
		view_fail(view, err.message);
	} else {
		view_say(view, "wrote %s", path);
	}
	free(path);
	free(marked);
}
