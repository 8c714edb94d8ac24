#include "config.h"
#include "ui/chart/chart_save.h"

#include <errno.h>
#include <stdlib.h>

#include "export/chart_svg.h"
#include "ui/chart/chart_text.h"

struct chart_file {
	const struct chart *chart;
	int width, height; /* of text */
	bool is_svg;
};

static int
write_chart(const void *user, FILE *file, struct err *err)
{
	const struct chart_file *mine = user;
	struct chart_paper paper = {mine->width, mine->height, false, NULL};
	struct strbuf text = {0};
	int rc = 0;

	if (mine->is_svg) {
		return export_chart_svg(mine->chart, file, err);
	}
	chart_text(mine->chart, &paper, &text);
	if (fwrite(text.data, 1, text.len, file) != text.len) {
		rc = err_set_errno(err, errno, "chart");
	}
	strbuf_free(&text);
	return rc;
}

void
chart_save(struct view *view, struct result_hold *hold, const struct chart *chart,
           struct slice text)
{
	char *path = chart ? save_picture_path(view, text, "svg") : NULL;

	if (!path) {
		return; /* it asks again, has said why, or is still awaited */
	}
	bool is_svg = save_has_ending(path, "svg");
	if (is_svg || save_has_ending(path, "txt")) {
		struct chart_file file = {chart, view->area.width, view->area.height, is_svg};

		save_drawing(view, write_chart, &file, path);
	} else {
		save_selection(view, hold, NULL, hold->result->n_rows, NULL,
		               hold->result->n_columns, path);
	}
}
