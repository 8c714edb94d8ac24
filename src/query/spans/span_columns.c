/*
 * Rows of a list as a table shows and exports them. A record that stands for many calls is as long
 * as the interval that it reports: what its calls add up to stands beside, so that whoever sums the
 * table finds what the figures of the list say.
 */
#include "config.h"

#include "query/spans/span_list.h"

#define READ_ROWS 20000

const struct result_column span_columns[SPAN_COLUMNS] = {
    {.name = "start", .kind = KIND_TIME},
    {.name = "duration", .kind = KIND_DURATION, .is_measure = true},
    {.name = "inside", .kind = KIND_DURATION},    /* the scope's range */
    {.name = "unfinished", .kind = KIND_INTEGER}, /* 1, or nothing: hidden where no span is */
    {.name = "self", .kind = KIND_DURATION},
    {.name = "name", .kind = KIND_TEXT},
    {.name = "category", .kind = KIND_TEXT},
    {.name = "lane_name", .kind = KIND_TEXT},
    {.name = "size", .kind = KIND_SIZE},
    {.name = "path", .kind = KIND_TEXT},
    {.name = "arguments", .kind = KIND_TEXT},
    {.name = "calls", .kind = KIND_COUNT}, /* of a record that stands for many, as is the next */
    {.name = "call_sum", .kind = KIND_DURATION},
    {.name = "id", .kind = KIND_INTEGER},
};

static const struct value nothing = {.type = VALUE_NULL};

static struct value
text_value(struct slice text)
{
	return text.len > 0 ? (struct value){.type = VALUE_TEXT, .text = text} : nothing;
}

void
span_page_values(const struct span_page *page, int64_t i, struct value values[SPAN_COLUMNS])
{
	const struct span_row *row = &page->rows[i];
	const struct span_texts *texts = &page->texts[i];
	bool is_single = row->calls == 1;

	values[0] = value_integer(row->start_ns);
	values[1] = value_integer(row->duration_ns);
	values[SPAN_COLUMN_INSIDE] = value_integer(row->inside_ns);
	values[3] = row->unfinished ? value_integer(1) : nothing;
	values[4] = value_integer(row->self_ns);
	values[5] = text_value(texts->name);
	values[6] = text_value(texts->category);
	values[7] = text_value(texts->lane);
	values[8] = row->size_bytes == SIZE_NONE ? nothing : value_integer(row->size_bytes);
	values[9] = text_value(texts->path);
	values[10] = text_value(texts->arguments);
	values[11] = is_single ? nothing : value_integer(row->calls);
	values[12] = is_single ? nothing : value_integer(row->call_sum_ns);
	values[13] = value_integer(row->id);
}

int
span_list_read(const struct span_list *list, const struct span_figures *figures, int64_t most,
               int (*row)(void *user, const struct value *values, struct err *err), void *user,
               struct err *err)
{
	int64_t n = most < figures->n ? most : figures->n;
	struct span_known known = {0};
	int rc = 0;

	/* Each page begins where the last one ended. */
	for (int64_t first = 0; rc == 0 && first < n; first += READ_ROWS) {
		int64_t want = n - first < READ_ROWS ? n - first : READ_ROWS;
		struct span_page *page = span_page_read(list, figures, &known, first, want, err);

		for (int64_t i = 0; page && rc == 0 && i < page->n; i++) {
			struct value values[SPAN_COLUMNS];

			span_page_values(page, i, values);
			rc = row(user, values, err) ? -1 : 0;
		}
		rc = page ? rc : -1;
		known = span_page_known(page);
		span_page_free(page);
	}
	return rc;
}
