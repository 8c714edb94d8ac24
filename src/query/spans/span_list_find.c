/* Where in a list a span stands, or the next one with a text: counts of what stands before it. */
#include "config.h"

#include "query/spans/span_list_private.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static int64_t
place_of(const struct reading *reading, const struct region *region, const struct span_row *row,
         struct err *err)
{
	struct strbuf filter = {0};

	region_filter(reading, region, &filter);
	region_beside(&filter, reading, region, row, false);
	int64_t n = reading_count(reading, &filter, reading_row_text(reading, row), err);
	strbuf_free(&filter);
	return n < 0 ? -1 : region->first + n;
}

int64_t
span_list_seek(const struct span_list *list, const struct span_figures *figures, int64_t value,
               struct err *err)
{
	struct region regions[2];
	struct reading reading = reading_of(list);

	if (key_is_text(list->key) || list->key == SPAN_KEY_OTHER) {
		return err_set(err, ERR_USAGE, "the spans stand in the order of texts");
	}
	reading_regions(&reading, figures, regions);
	int64_t n = region_count_before(&reading, &regions[0], value, false, err);
	return n < 0 ? -1 : n < figures->n ? n : figures->n > 0 ? figures->n - 1 : 0;
}

/* First row of a region that holds ?7, from a row on (NULL: from an end): 1, 0 if there is none,
 * -1. */
static int
probe(const struct reading *reading, const struct region *region, const struct span_row *from,
      bool is_backward, struct span_row *row, struct err *err)
{
	struct strbuf filter = {0};
	struct span_row *rows = NULL;
	struct strbuf order = {0};

	if (region->n == 0) {
		return 0;
	}
	region_filter(reading, region, &filter);
	if (from) {
		region_beside(&filter, reading, region, from, !is_backward);
	}
	filter_and(&filter,
	           "name LIKE ?7 ESCAPE '\\' OR category LIKE ?7 ESCAPE '\\' OR path LIKE ?7 "
	           "ESCAPE '\\' OR lane_name LIKE ?7 ESCAPE '\\'");
	region_order(reading, region, is_backward, &order);
	int64_t n = reading_scan(
	    reading, (struct page_request){.filter = filter.data, .order = order.data, .limit = 1},
	    from ? reading_row_text(reading, from) : slice_of(""), &rows, NULL, err);
	if (n > 0) {
		*row = rows[0];
	}
	free(rows);
	strbuf_free(&order);
	strbuf_free(&filter);
	return (int)n;
}

static void
add_pattern(struct strbuf *pattern, struct slice text)
{
	strbuf_add_char(pattern, '%');
	for (size_t i = 0; i < text.len; i++) {
		if (text.ptr[i] == '%' || text.ptr[i] == '_' || text.ptr[i] == '\\') {
			strbuf_add_char(pattern, '\\');
		}
		strbuf_add_char(pattern, text.ptr[i]);
	}
	strbuf_add_char(pattern, '%');
}

/* The row itself counts too where the search begins. */
static int
probe_here(const struct reading *reading, const struct span_row *from, struct span_row *row,
           struct err *err)
{
	struct span_list only = {.filter = NULL};
	struct reading of_one = *reading;
	const struct region all = {.is_valued = true, .n = 1};
	char filter[40];

	snprintf(filter, sizeof filter, "id = %" PRId64, from->id);
	only.filter = filter;
	of_one.list = &only;
	return probe(&of_one, &all, NULL, false, row, err);
}

int64_t
span_list_find(const struct span_list *list, const struct span_figures *figures,
               const struct span_row *from, enum span_find where, struct slice text,
               struct err *err)
{
	struct strbuf pattern = {0};
	struct region regions[2];
	struct reading reading = reading_of(list);
	struct span_row row;
	bool is_backward = where == SPAN_FIND_PREVIOUS;
	int own, found = 0;
	int64_t place = -1;

	if (list->key == SPAN_KEY_OTHER) {
		return err_set(err, ERR_USAGE,
		               "no search in the order of %s: sort by start, name ... first",
		               list->column);
	}
	add_pattern(&pattern, text);
	reading.text = strbuf_slice(&pattern);
	reading_regions(&reading, figures, regions);
	own = !span_row_has_key(from, list->key);
	if (where == SPAN_FIND_HERE) {
		found = probe_here(&reading, from, &row, err);
	}
	/* Beyond the row, then the other part, then around the end. */
	if (found == 0) {
		found = probe(&reading, &regions[own], from, is_backward, &row, err);
	}
	if (found == 0) {
		found = probe(&reading, &regions[!own], NULL, is_backward, &row, err);
	}
	if (found == 0) {
		found = probe(&reading, &regions[own], NULL, is_backward, &row, err);
	}
	if (found > 0) {
		place = place_of(&reading, &regions[!span_row_has_key(&row, list->key)], &row, err);
	}
	strbuf_free(&pattern);
	return found == 0 ? -2 : found < 0 ? -1 : place;
}
