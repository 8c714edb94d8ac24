/* Filters, orders and counts of a list's parts. */
#include "config.h"

#include "query/spans/span_list_private.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "column/scan/token.h"
#include "query/spans/span_filter.h"
#include "util/quote.h"

static const struct {
	const char *name;
	/* what a filter calls it: rows are in order, whatever calls they stand for */
	const char *filter;
	bool may_miss, is_text;
} keys[SPAN_KEYS + 1] = {{"id", "id", false, false},
                         {"start", "start", false, false},
                         {"duration", "record_duration", false, false},
                         {"inside", "inside", false, false},
                         {"self", "record_self", false, false},
                         {"size", "record_size", true, false},
                         {"name", "name", true, true},
                         {"category", "category", true, true},
                         {"path", "path", true, true},
                         {"lane_name", "lane_name", false, true},
                         {"", "", true, false}};

bool
key_may_miss(enum span_list_key key)
{
	return keys[key].may_miss;
}

const char *
key_filter(enum span_list_key key)
{
	return keys[key].filter;
}

bool
key_is_text(enum span_list_key key)
{
	return keys[key].is_text;
}

static bool
span_list_key_find(struct slice name, enum span_list_key *key)
{
	size_t i = name_find(name, keys, SPAN_KEYS, sizeof *keys);
	if (i < SPAN_KEYS) {
		*key = (enum span_list_key)i;
	}
	return i < SPAN_KEYS;
}

const char *
span_list_key_name(enum span_list_key key)
{
	return keys[key].name;
}

/* One name, and nothing behind it. */
static int
read_column(struct tokenizer *tokenizer, struct strbuf *name, struct err *err)
{
	const struct token token = tokenizer->token;
	enum row_column column;

	if (token.type == TOKEN_ARGUMENT) {
		strbuf_add_text(name, "arg.");
		span_filter_write_key(name, token.text);
	} else if (token.type == TOKEN_WORD && row_column_find(token.text, BLOCK_SPAN, &column)) {
		strbuf_add_text(name, row_columns[column].name);
	} else {
		struct strbuf expected = {0};

		strbuf_add_text(&expected, "a column (");
		row_column_list(BLOCK_SPAN, &expected);
		strbuf_add_text(&expected, "), - before it for descending");
		token_expected(tokenizer, expected.data, err);
		strbuf_free(&expected);
		return -1;
	}
	return tokenizer_next(tokenizer, err)       ? -1
	       : tokenizer->token.type == TOKEN_END ? 0
	                                            : token_expected(tokenizer, "the end", err);
}

int
span_list_key_read(struct slice name, enum span_list_key *key, char **column, struct err *err)
{
	struct arena *arena = arena_new();
	struct tokenizer tokenizer;
	struct strbuf read = {0};
	int rc = tokenizer_init(&tokenizer, "sort", name, arena, err);

	*column = NULL;
	rc = rc ? rc : read_column(&tokenizer, &read, err);
	if (rc == 0 && !span_list_key_find(strbuf_slice(&read), key)) {
		*key = SPAN_KEY_OTHER;
		*column = strbuf_take(&read);
	}
	strbuf_free(&read);
	arena_free(arena);
	return rc;
}

void
span_filter_add(struct strbuf *filter, const char *column, struct slice text)
{
	strbuf_printf(filter, "%s = ", column);
	quote_add(filter, text, '\'');
}

struct reading
reading_of(const struct span_list *list)
{
	return (struct reading){.dataset = list->dataset, .list = list};
}

void
filter_and(struct strbuf *filter, const char *condition)
{
	if (*condition) {
		strbuf_printf(filter, "%s(%s)", filter->len > 0 ? " AND " : "", condition);
	}
}

/* What filters call what the list is ordered by. */
static const char *
column_of(const struct span_list *list)
{
	return list->key == SPAN_KEY_OTHER ? list->column : keys[list->key].filter;
}

/* The list's own filter, and which of its two parts. */
void
region_filter(const struct reading *reading, const struct region *region, struct strbuf *filter)
{
	const struct span_list *list = reading->list;

	strbuf_add_text(filter, "");
	filter_and(filter, list->filter ? list->filter : "");
	if (keys[list->key].may_miss) {
		strbuf_printf(filter, "%s(%s IS %sNULL)", filter->len > 0 ? " AND " : "",
		              column_of(list), region->is_valued ? "NOT " : "");
	}
}

bool
reading_goes_by_id(const struct reading *reading, const struct region *region)
{
	return reading->list->key == SPAN_KEY_ID || !region->is_valued;
}

void
region_order(const struct reading *reading, const struct region *region, bool is_reversed,
             struct strbuf *out)
{
	const struct span_list *list = reading->list;

	strbuf_clear(out);
	if (reading_goes_by_id(reading, region)) {
		bool is_descending = region->is_valued && list->is_descending;

		strbuf_add_text(out, is_descending != is_reversed ? "-id" : "");
	} else {
		strbuf_printf(out, "%s%s%s", list->is_descending != is_reversed ? "-" : "",
		              list->key == SPAN_KEY_OTHER ? list->column : keys[list->key].name,
		              is_reversed ? ",-id" : "");
	}
}

int64_t
span_row_key(const struct span_row *row, enum span_list_key key)
{
	switch (key) {
	case SPAN_KEY_START:
		return row->start_ns;
	case SPAN_KEY_DURATION:
		return row->duration_ns;
	case SPAN_KEY_INSIDE:
		return row->inside_ns;
	case SPAN_KEY_SELF:
		return row->self_ns;
	case SPAN_KEY_SIZE:
		return row->size_bytes;
	default:
		return row->id;
	}
}

bool
span_row_has_key(const struct span_row *row, enum span_list_key key)
{
	switch (key) {
	case SPAN_KEY_SIZE:
		return row->size_bytes != SIZE_NONE;
	case SPAN_KEY_NAME:
		return row->name != TEXT_NONE;
	case SPAN_KEY_CATEGORY:
		return row->category != TEXT_NONE;
	case SPAN_KEY_PATH:
		return row->path != TEXT_NONE;
	default:
		return true;
	}
}

struct slice
reading_row_text(const struct reading *reading, const struct span_row *row)
{
	switch (reading->list->key) {
	case SPAN_KEY_NAME:
		return dataset_text(reading->dataset, row->name);
	case SPAN_KEY_CATEGORY:
		return dataset_text(reading->dataset, row->category);
	case SPAN_KEY_PATH:
		return dataset_text(reading->dataset, row->path);
	case SPAN_KEY_LANE:
		return dataset_text(reading->dataset, row->lane < reading->dataset->n_lanes
		                                          ? reading->dataset->lanes[row->lane].name
		                                          : TEXT_NONE);
	default:
		return slice_of("");
	}
}

/* "Stands behind the row" or "before it". A name is ?8. */
void
region_beside(struct strbuf *filter, const struct reading *reading, const struct region *region,
              const struct span_row *row, bool behind)
{
	const struct span_list *list = reading->list;
	const char *name = keys[list->key].filter;
	bool is_descending = region->is_valued && list->is_descending;
	char value[32] = "?8", condition[160];

	if (reading_goes_by_id(reading, region)) {
		snprintf(condition, sizeof condition, "id %c %" PRId64,
		         behind != is_descending ? '>' : '<', row->id);
	} else {
		if (!keys[list->key].is_text) {
			snprintf(value, sizeof value, "%" PRId64, span_row_key(row, list->key));
		}
		snprintf(condition, sizeof condition, "%s %c %s OR (%s = %s AND id %c %" PRId64 ")",
		         name, behind != is_descending ? '>' : '<', value, name, value,
		         behind ? '>' : '<', row->id);
	}
	filter_and(filter, condition);
}

/* A page of a filter; beside: the row whose name is ?8, or NULL. */
int64_t
reading_scan(const struct reading *reading, struct page_request page, struct slice beside,
             struct span_row **rows, int64_t *matching, struct err *err)
{
	page.kind = BLOCK_SPAN;
	page.cancel = reading->list->cancel;
	page.parameters[6] = scan_text(reading->text);
	page.parameters[7] = scan_text(beside);
	return page_run(reading->dataset, &page, rows, matching, err);
}

/* How many pass a filter; -1 on error. */
int64_t
reading_count(const struct reading *reading, const struct strbuf *filter, struct slice beside,
              struct err *err)
{
	struct span_row *rows = NULL;
	int64_t matching = 0;
	int64_t n =
	    reading_scan(reading, (struct page_request){.filter = filter->data, .order = ""},
	                 beside, &rows, &matching, err);

	free(rows);
	return n < 0 ? -1 : matching;
}

void
reading_regions(const struct reading *reading, const struct span_figures *figures,
                struct region regions[2])
{
	int64_t n_valued = keys[reading->list->key].may_miss ? figures->n_valued : figures->n;

	regions[0] = (struct region){true, 0, n_valued};
	regions[1] = (struct region){false, n_valued, figures->n - n_valued};
}
