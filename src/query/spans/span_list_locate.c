/*
 * A row by its number alone, far from all that is known: counting what stands before a key is a
 * scan that reads one column, and thirty of them find any number. Of names the counts are had from
 * sums by name.
 */
#include "config.h"

#include "query/spans/span_list_private.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Rows of the region whose key stands before value (or is it). */
int64_t
region_count_before(const struct reading *reading, const struct region *region, int64_t value,
                    bool or_equal, struct err *err)
{
	struct strbuf filter = {0};
	char condition[80];

	region_filter(reading, region, &filter);
	snprintf(condition, sizeof condition, "%s %c%s %" PRId64, key_filter(reading->list->key),
	         reading->list->is_descending ? '>' : '<', or_equal ? "=" : "", value);
	filter_and(&filter, condition);
	int64_t n = reading_count(reading, &filter, slice_of(""), err);
	strbuf_free(&filter);
	return n;
}

/* The one row number k, by id, among those of the region with this key. */
static int
read_nth_equal(const struct reading *reading, const struct region *region, int64_t value,
               struct slice text, int64_t k, struct span_row *row, struct err *err)
{
	const char *name = key_filter(reading->list->key);
	struct strbuf filter = {0};
	struct span_row *rows = NULL;
	char condition[80];

	region_filter(reading, region, &filter);
	if (key_is_text(reading->list->key)) {
		snprintf(condition, sizeof condition, "%s = ?8", name);
	} else {
		snprintf(condition, sizeof condition, "%s = %" PRId64, name, value);
	}
	filter_and(&filter, condition);
	int64_t n = reading_scan(
	    reading,
	    (struct page_request){.filter = filter.data, .order = "", .offset = k, .limit = 1},
	    text, &rows, NULL, err);
	if (n == 1) {
		*row = rows[0];
	}
	free(rows);
	strbuf_free(&filter);
	return n == 1  ? 0
	       : n < 0 ? -1
	               : err_set(err, ERR_FORMAT, "the run's spans are not as many as they were");
}

static int
locate_number(const struct reading *reading, const struct region *region, int64_t nth,
              struct span_row *row, struct err *err)
{
	const struct span_list *list = reading->list;
	struct strbuf filter = {0};
	int64_t ends[2] = {0, 0}, before;
	struct strbuf order = {0};

	region_filter(reading, region, &filter);
	for (int i = 0; i < 2; i++) {
		struct span_row *rows = NULL;
		int64_t n;

		region_order(reading, region, i == 1, &order);
		n = reading_scan(
		    reading,
		    (struct page_request){.filter = filter.data, .order = order.data, .limit = 1},
		    slice_of(""), &rows, NULL, err);
		ends[i] = n == 1 ? span_row_key(&rows[0], list->key) : 0;
		free(rows);
		if (n < 0) {
			strbuf_free(&order);
			strbuf_free(&filter);
			return -1;
		}
	}
	strbuf_free(&order);
	strbuf_free(&filter);
	while (ends[0] != ends[1]) { /* the first key that nth rows do not suffice to reach */
		__int128 length = (__int128)ends[1] - ends[0]; /* negative if descending */
		int64_t middle = (int64_t)(ends[0] + length / 2);
		int64_t n = region_count_before(reading, region, middle, true, err);

		if (n < 0) {
			return -1;
		}
		if (n > nth) {
			ends[1] = middle;
		} else {
			ends[0] = middle + (list->is_descending ? -1 : 1);
		}
	}
	before = region_count_before(reading, region, ends[0], false, err);
	return before < 0
	           ? -1
	           : read_nth_equal(reading, region, ends[0], slice_of(""), nth - before, row, err);
}

static int
locate_text(const struct reading *reading, const struct region *region, int64_t nth,
            struct span_row *row, struct err *err)
{
	static const enum row_column dimensions[SPAN_KEYS] = {[SPAN_KEY_NAME] = ROW_NAME,
	                                                      [SPAN_KEY_CATEGORY] = ROW_CATEGORY,
	                                                      [SPAN_KEY_PATH] = ROW_PATH,
	                                                      [SPAN_KEY_LANE] = ROW_LANE_NAME};
	enum span_list_key key = reading->list->key;
	struct strbuf filter = {0};
	struct sums_request request = {.kind = BLOCK_SPAN,
	                               .by = span_list_key_name(key),
	                               .cancel = reading->list->cancel,
	                               .unread_times = true};
	struct slice text = slice_of("");
	int rc = -1;

	region_filter(reading, region, &filter);
	request.filter = filter.data;
	struct sums *sums = sums_run(reading->dataset, &request, err);
	if (!sums) {
		goto out;
	}
	size_t n = sums_count(sums);
	for (size_t i = 0; i < n; i++) {
		size_t group = reading->list->is_descending ? n - 1 - i : i;
		int64_t rows = sums_group(sums, group)->rows;

		text = sums_key(sums, group, dimensions[key]).text;
		if (nth < rows) {
			break;
		}
		nth -= rows;
	}
	rc = read_nth_equal(reading, region, 0, text, nth, row, err);
out:
	sums_free(sums);
	strbuf_free(&filter);
	return rc;
}

int
region_locate(const struct reading *reading, const struct region *region, int64_t nth,
              struct span_row *row, struct err *err)
{
	return key_is_text(reading->list->key) ? locate_text(reading, region, nth, row, err)
	                                       : locate_number(reading, region, nth, row, err);
}
