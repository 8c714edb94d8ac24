/*
 * All that is known of one span, as a list to read: its own fields, its arguments, where it stands (parents, children), how it compares with others of its name, what it
 * waited for and what waited for it, and the life of the task that it is.
 */
#include "config.h"

#include "query/span_list.h"

#include <stdio.h>
#include <stdlib.h>

#include "query/show.h"
#include "query/timeline_span.h"

enum { AT_FIELD, AT_VALUE, AT_SPAN, AT_SECTION, AT_END };
#define PARENTS_LIMIT 64
#define CHILDREN 10

struct facts {
	struct store *store;
	struct result *result;
	const struct span_detail *detail;
	const struct cancel *cancel;
};

static void
add_text(struct facts *facts, const char *section, const char *field, struct slice text,
         int64_t span)
{
	struct value *row;

	if (text.len == 0) {
		return;
	}
	row = result_add_row(facts->result);
	row[AT_FIELD] = value_text(facts->result, slice_of(field));
	row[AT_VALUE] = value_text(facts->result, text);
	if (span > 0) {
		row[AT_SPAN] = value_integer(span);
	}
	row[AT_SECTION] = value_text(facts->result, slice_of(section));
}

static void
add_number(struct facts *facts, const char *field, int64_t number, enum column_kind kind)
{
	char buffer[FORMAT_BYTES];
	struct value value = value_integer(number);

	add_text(facts, "span", field, value_show(&value, kind, buffer), -1);
}

static void
add_fields(struct facts *facts)
{
	const struct span_detail *detail = facts->detail;
	const struct span_row *span = &detail->span;

	add_text(facts, "span", "name", detail->name, -1);
	add_text(facts, "span", "category", detail->category, -1);
	add_text(facts, "span", "lane", detail->lane, -1);
	add_text(facts, "span", "host", detail->host, -1);
	add_number(facts, "start", span->start_ns, KIND_TIME);
	add_number(facts, "duration", span->duration_ns, KIND_DURATION);
	add_number(facts, "self", span->self_ns, KIND_DURATION);
	add_number(facts, "depth", span->depth, KIND_INTEGER);
	if (span->calls != 1) {
		add_number(facts, "calls", span->calls, KIND_COUNT);
	}
	add_text(facts, "span", "path", detail->path, -1);
	if (span->size_bytes >= 0) {
		add_number(facts, "size", span->size_bytes, KIND_SIZE);
	}
	add_number(facts, "id", span->id, KIND_INTEGER);
}

/* Its duration against the mean of its name in the run. */
static int
add_comparison(struct facts *facts, struct err *err)
{
	struct stmt *stmt = store_prepare(
	    facts->store,
	    "SELECT sum(n), sum(dur_sum), max(dur_max) FROM span_totals WHERE name = ?1", err);
	int more;

	if (!stmt) {
		return -1;
	}
	stmt_bind_text(stmt, 1, facts->detail->name);
	more = stmt_step(stmt, err);
	if (more > 0 && stmt_integer(stmt, 0) > 1) {
		double mean = (double)stmt_integer(stmt, 1) / (double)stmt_integer(stmt, 0);
		char text[3 * FORMAT_BYTES], shown[FORMAT_BYTES], longest[FORMAT_BYTES];
		char count[FORMAT_BYTES];

		snprintf(text, sizeof(text), "%.2f x the mean of %s, %s; the longest takes %s",
		         mean > 0 ? (double)facts->detail->span.duration_ns / mean : 0,
		         format_count(count, stmt_integer(stmt, 0)),
		         format_duration(shown, (int64_t)mean),
		         format_duration(longest, stmt_integer(stmt, 2)));
		add_text(facts, "span", "of its name", slice_of(text), -1);
	}
	stmt_free(stmt);
	return more < 0 ? -1 : 0;
}

static int
add_arguments(struct facts *facts, struct err *err)
{
	struct stmt *stmt = store_prepare(facts->store,
	                                  "SELECT j.key, j.value FROM span s, json_each(s.args) j"
	                                  " WHERE s.id = ?1",
	                                  err);
	int more;

	if (!stmt) { /* this SQLite has no JSON: as one text */
		*err = (struct err)ERR_INIT;
		add_text(facts, "arguments", "arguments", facts->detail->arguments, -1);
		return 0;
	}
	stmt_bind_integer(stmt, 1, facts->detail->span.id);
	while ((more = stmt_step(stmt, err)) > 0) {
		char *field = strndup(stmt_text(stmt, 0).ptr, stmt_text(stmt, 0).len);

		add_text(facts, "arguments", field ? field : "", stmt_text(stmt, 1), -1);
		free(field);
	}
	stmt_free(stmt);
	return more;
}

/* A row for another span: its duration and name. */
static int
add_span(struct facts *facts, const char *section, const char *field, int64_t id, struct err *err)
{
	struct span_detail *other = span_detail_read(facts->store, id, facts->cancel, err);
	struct strbuf text = {0};
	char duration[FORMAT_BYTES];

	if (!other) {
		return -1;
	}
	strbuf_printf(&text, "%-9s ", format_duration(duration, other->span.duration_ns));
	strbuf_add(&text, other->name.ptr, other->name.len);
	if (!slice_equal(other->lane, facts->detail->lane)) {
		strbuf_add_text(&text, "  on ");
		strbuf_add(&text, other->lane.ptr, other->lane.len);
	}
	add_text(facts, section, field, strbuf_slice(&text), id);
	strbuf_free(&text);
	span_detail_free(other);
	return 0;
}

static int
add_parents(struct facts *facts, struct err *err)
{
	int64_t id = facts->detail->span.parent;
	int result = 0;

	for (int i = 0; i < PARENTS_LIMIT && id > 0 && result == 0; i++) {
		struct span_detail *parent = span_detail_read(facts->store, id, facts->cancel, err);

		result =
		    parent ? add_span(facts, "parents", i ? "its parent" : "parent", id, err) : -1;
		id = parent ? parent->span.parent : 0;
		span_detail_free(parent);
	}
	return result;
}

static int
add_children(struct facts *facts, struct err *err)
{
	struct strbuf filter = {0};
	struct spans_request request = {.order = "-duration", .n = CHILDREN, .matching = -1};
	struct spans_page *page;
	int result = 0;

	strbuf_printf(&filter, "parent = %lld", (long long)facts->detail->span.id);
	request.filter = filter.data;
	page = spans_page_read(facts->store, &request, facts->cancel, err);
	strbuf_free(&filter);
	if (!page) {
		return -1;
	}
	for (size_t i = 0; i < page->result->n_rows && result == 0; i++) {
		result = add_span(facts, "children", "child",
		                  result_value(page->result, i, 0)->integer, err);
	}
	if (page->matching > (int64_t)page->result->n_rows) {
		char text[FORMAT_BYTES + 32], count[FORMAT_BYTES];

		snprintf(text, sizeof(text), "%s in all, the longest are shown",
		         format_count(count, page->matching));
		add_text(facts, "children", "children", slice_of(text), -1);
	}
	spans_page_free(page);
	return result;
}

static int
add_flows(struct facts *facts, bool forward, struct err *err)
{
	int64_t ids[FLOWS_LIMIT];
	int64_t n =
	    span_flows(facts->store, facts->detail->span.id, forward, ids, facts->cancel, err);
	int result = n < 0 ? -1 : 0;

	for (int64_t i = 0; i < n && result == 0; i++) {
		result = add_span(facts, forward ? "outputs" : "inputs",
		                  forward ? "output" : "input", ids[i], err);
	}
	return result;
}

struct result *
span_facts(struct store *store, int64_t id, const struct cancel *cancel, struct err *err)
{
	static const struct result_column columns[AT_END] = {
	    [AT_FIELD] = {.name = "field", .kind = KIND_TEXT, .is_key = true},
	    [AT_VALUE] = {.name = "value", .kind = KIND_TEXT},
	    [AT_SPAN] = {.name = "span", .kind = KIND_INTEGER},
	    [AT_SECTION] = {.name = "section", .kind = KIND_TEXT},
	};
	struct span_detail *detail = span_detail_read(store, id, cancel, err);
	struct facts facts = {store, NULL, detail, cancel};
	int result;

	if (!detail) {
		return NULL;
	}
	facts.result = result_new("Span", columns, AT_END);
	store_set_cancel(store, cancel);
	add_fields(&facts);
	add_text(&facts, "task", "task", detail->task, -1);
	result = add_comparison(&facts, err) != 0 || add_arguments(&facts, err) != 0 ||
	         add_parents(&facts, err) != 0 || add_flows(&facts, false, err) != 0 ||
	         add_flows(&facts, true, err) != 0 || add_children(&facts, err) != 0;
	store_set_cancel(store, NULL);
	span_detail_free(detail);
	if (result != 0) {
		result_free(facts.result);
		return NULL;
	}
	return facts.result;
}
