/* All spans of the list to a file: read page by page, each beginning where the last one ended, so
 * that memory does not grow with them. */
#include "config.h"

#include <stdlib.h>

#include "ui/app/save.h"
#include "ui/lists/view_spans.h"
#include "util/mem.h"

#define EXPORT_PAGE 20000

struct spans_stream {
	struct save_stream stream;
	char *run_path;
	struct span_list list; /* with its own filter */
	struct span_figures figures;
};

static int
put_rows(struct save_stream *stream, struct job_worker *worker, struct save_sink *sink,
         const struct cancel *cancel, struct err *err)
{
	struct spans_stream *mine = (struct spans_stream *)stream;
	struct span_list *list = &mine->list;
	struct span_known known = {0};

	if (spans_list_open(list, worker_store(worker, mine->run_path, cancel, err), cancel, err)) {
		return -1;
	}
	for (int64_t first = 0; first < mine->figures.n; first += EXPORT_PAGE) {
		struct span_page *page =
		    span_page_read(list, &mine->figures, &known, first, EXPORT_PAGE, err);

		if (!page) {
			return -1;
		}
		for (int64_t i = 0; i < page->n; i++) {
			struct value values[SPAN_COLUMNS];

			span_page_values(page, i, values);
			save_put(sink, values);
		}
		known = span_page_known(page);
		span_page_free(page);
	}
	return 0;
}

static void
free_stream(struct save_stream *stream)
{
	struct spans_stream *mine = (struct spans_stream *)stream;

	free(mine->run_path);
	free((char *)mine->list.filter);
	free(mine);
}

void
spans_export(struct view *view, char *path)
{
	struct spans_view *spans = view->state;
	struct spans_stream *stream;

	if (!path || !spans->is_known) {
		free(path);
		return;
	}
	stream = xcalloc(1, sizeof *stream);
	stream->stream = (struct save_stream){.title = "Spans",
	                                      .columns = span_columns,
	                                      .n_columns = SPAN_COLUMNS,
	                                      .rows = put_rows,
	                                      .free = free_stream};
	stream->run_path = xstrdup(view->run_path);
	stream->list = spans_list(spans);
	stream->figures = spans->figures;
	save_rows(view, &stream->stream, path);
}
