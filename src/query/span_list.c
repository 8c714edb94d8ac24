/*
 * A page of spans costs what it shows: span_page keeps only the rows of the page while it scans. Rows far down a long list are found from its other end, in the opposite
 * order, because a page must hold all rows before it.
 */
#include "config.h"

#include "query/span_list.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct result_column columns[] = {
    {.name = "id", .kind = KIND_INTEGER},
    {.name = "start", .kind = KIND_TIME},
    {.name = "duration", .kind = KIND_DURATION, .is_measure = true},
    {.name = "self", .kind = KIND_DURATION},
    {.name = "name", .kind = KIND_TEXT},
    {.name = "category", .kind = KIND_TEXT},
    {.name = "lane_name", .kind = KIND_TEXT},
    {.name = "size", .kind = KIND_SIZE},
    {.name = "path", .kind = KIND_TEXT},
    {.name = "args", .kind = KIND_TEXT},
};
#define N_COLUMNS (sizeof(columns) / sizeof(columns[0]))

static const char page_sql[] =
    "SELECT id, start, duration, self, name, category, lane_name, size,"
    " path, nullif(args, '{}') FROM span_page(:filter, :order, :offset, :n)";

/* "-duration" -> "duration,-id"; ties stand by id, whichever way the rest goes. */
static void
reverse_order(const char *order, struct strbuf *out)
{
	if (!order || !*order) {
		strbuf_add_text(out, "-id");
	} else if (*order == '-') {
		strbuf_printf(out, "%s,-id", order + 1);
	} else {
		strbuf_printf(out, "-%s,-id", order);
	}
}

static void
bind(struct stmt *stmt, const struct spans_request *request, const char *order, int64_t offset,
     int64_t n)
{
	if (request->filter) {
		stmt_bind_text(stmt, 1, slice_of(request->filter));
	} else {
		stmt_bind_null(stmt, 1);
	}
	if (order && *order) {
		stmt_bind_text(stmt, 2, slice_of(order));
	} else {
		stmt_bind_null(stmt, 2);
	}
	stmt_bind_integer(stmt, 3, offset);
	stmt_bind_integer(stmt, 4, n);
}

static void
take_row(struct result *result, struct stmt *stmt)
{
	struct value *row = result_add_row(result);

	for (size_t c = 0; c < N_COLUMNS; c++) {
		switch (stmt_type(stmt, (int)c)) {
		case VALUE_INTEGER:
			row[c] = value_integer(stmt_integer(stmt, (int)c));
			break;
		case VALUE_REAL:
			row[c] = value_real(stmt_real(stmt, (int)c));
			break;
		case VALUE_NULL:
			break;
		default:
			row[c] = value_text(result, stmt_text(stmt, (int)c));
		}
	}
}

/* How many match, and their time. */
static int
read_totals(struct store *store, const char *filter, struct spans_page *page, struct err *err)
{
	struct stmt *stmt =
	    store_prepare(store, "SELECT rows, dur_sum FROM span_sums('', :filter)", err);
	int more = -1;

	if (stmt) {
		if (filter) {
			stmt_bind_text(stmt, 1, slice_of(filter));
		} else {
			stmt_bind_null(stmt, 1);
		}
		more = stmt_step(stmt, err);
	}
	if (more > 0) {
		page->matching = stmt_integer(stmt, 0);
		page->total_ns = stmt_integer(stmt, 1);
	}
	stmt_free(stmt);
	return more < 0 ? -1 : 0;
}

static void
reverse_rows(struct result *result)
{
	for (size_t low = 0, high = result->n_rows; low + 1 < high; low++) {
		high--;
		for (size_t c = 0; c < result->n_columns; c++) {
			struct value value = *result_value(result, low, c);

			*result_value(result, low, c) = *result_value(result, high, c);
			*result_value(result, high, c) = value;
		}
	}
}

static int
read_rows(struct store *store, const struct spans_request *request, struct spans_page *page,
          struct err *err)
{
	bool from_end = request->offset > page->matching / 2;
	int64_t n = request->n < page->matching - request->offset
	                ? request->n
	                : page->matching - request->offset;
	struct strbuf reversed = {0};
	struct stmt *stmt;
	int more = -1;

	if (n <= 0) {
		return 0;
	}
	stmt = store_prepare(store, page_sql, err);
	if (stmt) {
		if (from_end) {
			reverse_order(request->order, &reversed);
			bind(stmt, request, reversed.data, page->matching - request->offset - n, n);
		} else {
			bind(stmt, request, request->order, request->offset, n);
		}
		while ((more = stmt_step(stmt, err)) > 0) {
			take_row(page->result, stmt);
		}
		stmt_free(stmt);
	}
	if (from_end) {
		reverse_rows(page->result);
	}
	strbuf_free(&reversed);
	return more;
}

struct spans_page *
spans_page_read(struct store *store, const struct spans_request *request,
                const struct cancel *cancel, struct err *err)
{
	struct spans_page *page = xcalloc(1, sizeof(*page));

	page->result = result_new("Spans", columns, N_COLUMNS);
	page->offset = request->offset;
	page->matching = request->matching;
	page->total_ns = -1;
	store_set_cancel(store, cancel);
	if ((page->matching < 0 && read_totals(store, request->filter, page, err) != 0) ||
	    read_rows(store, request, page, err) != 0) {
		spans_page_free(page);
		page = NULL;
	}
	store_set_cancel(store, NULL);
	return page;
}

void
spans_page_free(struct spans_page *page)
{
	if (page) {
		result_free(page->result);
		free(page);
	}
}

static void
add_quoted(struct strbuf *out, struct slice text)
{
	strbuf_add_char(out, '\'');
	for (size_t i = 0; i < text.len; i++) {
		if (text.ptr[i] == '\'') {
			strbuf_add_char(out, '\'');
		}
		strbuf_add_char(out, text.ptr[i]);
	}
	strbuf_add_char(out, '\'');
}

static bool
has_word(struct slice text, const char *word)
{
	size_t length = strlen(word);

	for (size_t i = 0; i + length <= text.len; i++) {
		bool begins = i == 0 || isspace((unsigned char)text.ptr[i - 1]);
		bool ends = i + length == text.len ||
		            isspace((unsigned char)text.ptr[i + length]) ||
		            text.ptr[i + length] == '(';

		if (begins && ends && strncasecmp(text.ptr + i, word, length) == 0) {
			return true;
		}
	}
	return false;
}

void
spans_filter_text(struct slice typed, struct strbuf *filter)
{
	static const char *const words[] = {"LIKE", "GLOB", "REGEXP", "IN", "IS", "BETWEEN"};
	bool is_expression = memchr(typed.ptr, '=', typed.len) ||
	                     memchr(typed.ptr, '<', typed.len) || memchr(typed.ptr, '>', typed.len);

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]) && !is_expression; i++) {
		is_expression = has_word(typed, words[i]);
	}
	if (is_expression) {
		strbuf_add(filter, typed.ptr, typed.len);
	} else {
		strbuf_add_text(filter, "name REGEXP ");
		add_quoted(filter, typed);
	}
}
