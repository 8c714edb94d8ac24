/* All spans of the list to a file. */
#include "config.h"

#include <stdlib.h>

#include "ui/app/save.h"
#include "ui/lists/view_spans.h"
#include "util/mem.h"

struct spans_stream {
	struct save_stream stream;
	char *run_path;
	struct span_list list; /* with its own filter */
	struct span_figures figures;
};

static int
put_row(void *sink, const struct value *values, struct err *err)
{
	(void)err;
	save_put(sink, values);
	return 0;
}

static int
put_rows(struct save_stream *stream, struct job_worker *worker, struct save_sink *sink,
         const struct cancel *cancel, struct err *err)
{
	struct spans_stream *mine = (struct spans_stream *)stream;
	struct store *store = worker_store(worker, mine->run_path, cancel, err);

	return spans_list_open(&mine->list, store, cancel, err)
	           ? -1
	           : span_list_read(&mine->list, &mine->figures, INT64_MAX, put_row, sink, err);
}

static void
free_stream(struct save_stream *stream)
{
	struct spans_stream *mine = (struct spans_stream *)stream;

	free(mine->run_path);
	free((char *)mine->list.filter);
	free((char *)mine->list.column);
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
