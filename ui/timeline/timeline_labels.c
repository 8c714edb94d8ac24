/* What lanes are called before their cells: those that stand below the same row are shortened
 * together, so that what tells them apart is there in few columns. And what spans are called, by
 * what is in the window. */
#include "config.h"

#include <stdlib.h>

#include "ui/timeline/timeline_draw.h"
#include "util/mem.h"

/* Rows of a level in [from, end). */
static void
shorten_level(const struct timeline *timeline, size_t from, size_t end, int columns,
              struct slice *labels, struct arena *arena)
{
	unsigned level = timeline->rows[from].level;
	size_t *rows = arena_alloc(arena, (end - from) * sizeof *rows), n = 0;
	struct slice *list = arena_alloc(arena, (end - from) * sizeof *list), *shown;

	for (size_t i = from; i < end; i += 1 + timeline->rows[i].n_below) {
		const struct timeline_row *row = &timeline->rows[i];

		rows[n] = i;
		list[n++] = row->label.len > 0 ? row->label : row->name;
		if (row->n_below > 0 && i + row->n_below < end) {
			shorten_level(timeline, i + 1, i + 1 + row->n_below, columns, labels,
			              arena);
		}
	}
	columns -= timeline_label_indent(level) + 1 +
	           (timeline->rows[from].side > 0 ? TIMELINE_SIDE_COLUMNS : 0);
	shown = labels_shorten(list, n, columns > 1 ? (size_t)columns : 1, "~", arena);
	for (size_t i = 0; i < n; i++) {
		labels[rows[i]] = shown[i];
	}
}

struct slice *
timeline_labels(const struct timeline *timeline, int width, struct arena *arena)
{
	struct slice *labels = arena_zalloc(arena, (timeline->n_rows + 1) * sizeof *labels);

	if (timeline->n_rows > 0) {
		shorten_level(timeline, 0, timeline->n_rows,
		              timeline_label_columns(width) - TIMELINE_SHARE_COLUMNS, labels,
		              arena);
	}
	return labels;
}

struct slice
timeline_caption(const struct timeline *timeline, const struct colours *colours,
                 const struct timeline_span *span, char *mark)
{
	*mark = '\0';
	if (span->rank < colours->n && colours->mode >= COLOUR_STATUS && span->rank > 0) {
		*mark = colours->marks[span->rank];
	}
	if (colours->mode == COLOUR_NAME && timeline->has_tasks && span->rank < colours->n) {
		return colours->labels[span->rank];
	}
	return span->name;
}

struct label_list *
timeline_captions(const struct timeline *timeline, const struct colours *colours,
                  const struct timeline_window *window)
{
	struct slice *list = NULL;
	struct label_list *captions;
	size_t n = 0, capacity = 0;
	char mark;

	for (size_t i = 0; i < window->n_lines; i++) {
		const struct timeline_track *track = &window->tracks[i];

		for (size_t k = 0; track->has_spans && k < track->n_spans; k++) {
			struct slice caption =
			    timeline_caption(timeline, colours, &track->spans[k], &mark);

			if (n == 0 || !slice_equal(list[n - 1], caption)) {
				MEM_GROW(list, capacity, n + 1);
				list[n++] = caption;
			}
		}
	}
	captions = label_list_new(list, n);
	free(list);
	return captions;
}
