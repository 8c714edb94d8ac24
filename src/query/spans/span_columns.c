/* Rows of a page as a table shows and exports them. */
#include "config.h"

#include "query/spans/span_list.h"

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
	values[11] = value_integer(row->id);
}
