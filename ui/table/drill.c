/*
 * A binding NAME=VALUE is a condition on spans, a parameter of the next query,
 * or a part of the place in the timeline. VALUE is a column of the row, a
 * parameter of its query (":name") or a text in single quotes; NAME~VALUE takes
 * it as a GLOB pattern. Texts of the trace are always quoted: whatever they
 * hold, they can't become a condition of their own.
 */
#include "config.h"

#include "ui/table/drill.h"

#include <stdlib.h>
#include <string.h>

#include "ui/table/table_source.h"
#include "util/format.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "ui/base/texts.h"
#include "util/quote.h"

struct binding {
	struct slice name, source;
	bool is_pattern;
};

/* Takes the next binding off *rest; false at the end or at what is none. */
static bool
next_binding(struct slice *rest, struct binding *binding)
{
	size_t i = 0, start;

	*rest = slice_trim(*rest, " \t");
	while (i < rest->len && rest->ptr[i] != '=' && rest->ptr[i] != '~' && rest->ptr[i] != ' ') {
		i++;
	}
	if (i == 0 || i >= rest->len || rest->ptr[i] == ' ') {
		return false;
	}
	binding->name = (struct slice){rest->ptr, i};
	binding->is_pattern = rest->ptr[i] == '~';
	start = ++i;
	if (i < rest->len && rest->ptr[i] == '\'') {
		for (i++; i < rest->len && rest->ptr[i] != '\''; i++) {
		}
		i += i < rest->len;
	} else {
		while (i < rest->len && rest->ptr[i] != ' ') {
			i++;
		}
	}
	binding->source = (struct slice){rest->ptr + start, i - start};
	*rest = slice_from(*rest, i);
	return binding->source.len > 0;
}

/* -1: none is called so. */
static int
param_named(const struct query_param *params, size_t n, struct slice name)
{
	size_t i = 0;

	while (i < n && !slice_is(name, params[i].name)) {
		i++;
	}
	return i < n ? (int)i : -1;
}

/* The value that a binding's source stands for; false if there is no such
 * column or parameter. Texts are borrowed. */
static bool
source_value(const struct drill *drill, const struct result *result, size_t row,
             struct slice source, struct value *value)
{
	int i;

	if (source.ptr[0] == '\'') {
		*value =
		    (struct value){.type = VALUE_TEXT,
		                   .text = {source.ptr + 1, source.len > 1 ? source.len - 2 : 0}};
		return true;
	}
	if (source.ptr[0] == ':') {
		i = param_named(drill->params, drill->n_params, slice_from(source, 1));
		if (i < 0) {
			return false;
		}
		const char *text = drill->texts && drill->texts[i] ? drill->texts[i]
		                                                   : drill->params[i].default_text;
		*value = (struct value){.type = VALUE_TEXT, .text = slice_of(text ? text : "")};
		return true;
	}
	i = column_find(result->columns, result->n_columns, source);
	if (i < 0) {
		return false;
	}
	*value = *result_value(result, row, (size_t)i);
	return true;
}

/* ---- filters on spans ---- */

static void
add_condition(struct strbuf *filter, struct slice name, bool is_pattern, const struct value *value)
{
	char buffer[FORMAT_BYTES];

	strbuf_printf(filter, "%s%.*s ", filter->len ? " AND " : "", (int)name.len, name.ptr);
	switch (value->type) {
	case VALUE_NULL:
		strbuf_add_text(filter, "IS NULL");
		break;
	case VALUE_INTEGER:
		strbuf_printf(filter, "= %lld", (long long)value->integer);
		break;
	case VALUE_REAL:
		strbuf_printf(filter, "= %s", format_real(buffer, value->real));
		break;
	default:
		strbuf_add_text(filter, is_pattern ? "GLOB " : "= ");
		quote_add(filter, value->text, '\'');
	}
}

/* Names of the filter language whose equality says which spans a row is about.
 */
static const char *const span_columns[] = {"name",   "category", "path",      "basename", "dirname",
                                           "class",  "host",     "lane_name", "kind",     "process",
                                           "thread", "parent",   NULL};

static bool
is_one_of(struct slice name, const char *const *names)
{
	for (size_t i = 0; names[i]; i++) {
		if (slice_is(name, names[i])) {
			return true;
		}
	}
	return false;
}

/* Whether the header leads to this view. */
static bool
leads_to(const struct drill *drill, const char *view)
{
	return drill->header && drill->header->view && strcmp(drill->header->view, view) == 0;
}

static bool
has_header(const struct drill *drill)
{
	return drill->header && drill->header->view;
}

/* What a place in the timeline is made of, rather than a condition. */
static const char *const place_columns[] = {"lane_name", "start", "duration", "finish", "end",
                                            "lane",      "id",    "span",     NULL};

/* The condition that the header makes (of a span or timeline drill), or that
 * the columns' names make. */
static void
make_filter(const struct drill *drill, const struct result *result, size_t row,
            struct strbuf *filter)
{
	struct binding binding;
	struct value value;

	if (has_header(drill)) {
		bool is_timeline = leads_to(drill, "timeline");
		struct slice rest =
		    slice_of(is_timeline || leads_to(drill, "span") ? drill->header->bindings
		             : drill->spans                         ? drill->spans
		                                                    : "");

		while (next_binding(&rest, &binding)) {
			if ((!is_timeline || !is_one_of(binding.name, place_columns)) &&
			    source_value(drill, result, row, binding.source, &value)) {
				add_condition(filter, binding.name, binding.is_pattern, &value);
			}
		}
		return;
	}
	for (size_t i = 0; i < result->n_columns; i++) {
		struct slice name = slice_of(result->columns[i].name);
		const struct value *cell = result_value(result, row, i);

		/* A host that is missing may also mean "all hosts": only what is there
     * binds. */
		if (is_one_of(name, span_columns) && cell->type != VALUE_NULL &&
		    cell->type != VALUE_BLOB) {
			add_condition(filter, name, false, cell);
		}
	}
}

/* ---- places ---- */

/* An integer of the row under the name that the header binds, or that the
 * column has itself. */
static bool
place_integer(const struct drill *drill, const struct result *result, size_t row, const char *name,
              int64_t *integer)
{
	struct slice source = slice_of(name), rest;
	struct binding binding;
	struct value value;
	int column;

	if (leads_to(drill, "timeline")) {
		rest = slice_of(drill->header->bindings);
		while (next_binding(&rest, &binding)) {
			source = slice_is(binding.name, name) ? binding.source : source;
		}
	}
	column = column_find(result->columns, result->n_columns, source);
	if (column < 0 || !source_value(drill, result, row, source, &value) ||
	    value.type != VALUE_INTEGER) {
		return false;
	}
	*integer = value.integer;
	return result->columns[column].kind != KIND_CLOCK; /* of another zero than the timeline's */
}

/* The text that the header's place binds to lane_name; NULL if there is none. */
static char *
place_lane(const struct drill *drill, const struct result *result, size_t row)
{
	const char *bindings[] = {has_header(drill) ? drill->header->bindings : "",
	                          drill->spans ? drill->spans : ""};
	struct binding binding;
	struct value value;

	for (size_t i = 0; i < 2; i++) {
		struct slice rest = slice_of(bindings[i]);

		while (next_binding(&rest, &binding)) {
			if (slice_is(binding.name, "lane_name") &&
			    source_value(drill, result, row, binding.source, &value) &&
			    value.type == VALUE_TEXT) {
				return text_new(value.text);
			}
		}
	}
	return NULL;
}

/* A window around [start, end] in which it can be seen in its surroundings. */
static void
set_window(struct focus *focus, const struct result *result, int64_t start_ns, int64_t length_ns)
{
	int64_t margin_ns = length_ns / 2;
	int column = column_find(result->columns, result->n_columns, slice_of("start"));

	if (length_ns <= 0) { /* an instant: a part of what the table spans */
		for (size_t i = 0; column >= 0 && i < result->n_rows; i++) {
			const struct value *value = result_value(result, i, (size_t)column);
			int64_t far_ns = value->type == VALUE_INTEGER ? value->integer / 50 : 0;

			margin_ns = far_ns > margin_ns ? far_ns : margin_ns;
		}
		margin_ns = margin_ns > 0 ? margin_ns : 1000000;
	}
	if (__builtin_sub_overflow(start_ns, margin_ns, &focus->start_ns) ||
	    __builtin_add_overflow(start_ns, length_ns, &focus->end_ns) ||
	    __builtin_add_overflow(focus->end_ns, margin_ns, &focus->end_ns)) {
		focus->start_ns = focus->end_ns = 0;
		return;
	}
	focus->start_ns = focus->start_ns < 0 ? 0 : focus->start_ns;
}

bool
drill_focus(const struct drill *drill, const struct result *result, size_t row, struct focus *focus)
{
	struct strbuf filter = {0};
	int64_t start_ns, end_ns, length_ns = 0, integer;
	bool has_start = place_integer(drill, result, row, "start", &start_ns);
	bool has_length = place_integer(drill, result, row, "duration", &length_ns);

	*focus = FOCUS_NONE;
	if (place_integer(drill, result, row, "span", &integer) ||
	    /* a row that stands for the spans of a filter is none: its id is of something else */
	    (has_start && has_length && !leads_to(drill, "span") &&
	     place_integer(drill, result, row, "id", &integer))) {
		focus->span = integer;
	}
	if (place_integer(drill, result, row, "lane", &integer)) {
		focus->lane = integer;
	}
	if (has_start && !has_length &&
	    (place_integer(drill, result, row, "finish", &end_ns) ||
	     place_integer(drill, result, row, "end", &end_ns)) &&
	    __builtin_sub_overflow(end_ns, start_ns, &length_ns)) {
		length_ns = 0;
	}
	if (has_start) {
		set_window(focus, result, start_ns, length_ns);
		focus->mark_start_ns = start_ns;
		focus->mark_end_ns = time_add(start_ns, length_ns > 0 ? length_ns : 0);
	}
	focus->lane_name = place_lane(drill, result, row);
	make_filter(drill, result, row, &filter);
	focus->filter = filter.len > 0 ? strbuf_take(&filter) : NULL;
	strbuf_free(&filter);
	return focus->filter || focus->lane_name || has_start || focus->span >= 0 ||
	       focus->lane >= 0;
}

void
drill_focus_free(struct focus *focus)
{
	free((char *)focus->filter);
	free((char *)focus->lane_name);
	*focus = FOCUS_NONE;
}

/* ---- opening ---- */

/* A pattern that matches text alone, if the parameter's default tells that it
 * takes GLOB patterns. */
static char *
parameter_text(const struct query_param *param, const struct value *value, bool is_pattern)
{
	struct strbuf text = {0};
	char buffer[FORMAT_BYTES];
	bool globs = param->default_text && strchr(param->default_text, '*') && !is_pattern;

	strbuf_add_text(&text, "");
	if (value->type == VALUE_INTEGER) {
		const char *units = column_kinds[param->kind].units;
		strbuf_printf(&text, "%lld%.*s", (long long)value->integer,
		              units ? (int)strcspn(units, " ") : 0, units ? units : "");
	} else if (value->type == VALUE_REAL) {
		strbuf_add_text(&text, format_real(buffer, value->real));
	}
	for (size_t i = 0; value->type == VALUE_TEXT && i < value->text.len; i++) {
		char c = value->text.ptr[i];

		if (globs && (c == '*' || c == '?' || c == '[')) {
			strbuf_printf(&text, "[%c]", c);
		} else if (c != '\0') {
			strbuf_add_char(&text, c);
		}
	}
	return strbuf_take(&text);
}

char **
drill_texts(const struct drill *drill, const struct query_param *params, size_t n_params,
            const struct result *result, size_t row)
{
	char **texts = xcalloc(n_params + 1, sizeof *texts);
	struct slice rest = slice_of(drill->header->bindings);
	struct binding binding;
	struct value value;

	while (next_binding(&rest, &binding)) {
		int i = param_named(params, n_params, binding.name);

		if (i >= 0 && source_value(drill, result, row, binding.source, &value)) {
			free(texts[i]);
			texts[i] = parameter_text(
			    &params[i], &value, binding.is_pattern || binding.source.ptr[0] == ':');
		}
	}
	return texts;
}

static bool
open_query(struct view *view, const struct view_place *in, const struct drill *drill,
           const struct result *result, size_t row)
{
	struct err err = ERR_INIT;
	struct view_place next = *in;
	char **texts;

	next.kind = PLACE_QUERY;
	next.query = query_library_find(app_library(view->app), drill->header->view, &err);
	if (!next.query) {
		view_fail(view, err.message);
		return true;
	}
	texts = drill_texts(drill, next.query->params, next.query->n_params, result, row);
	next.texts = texts;
	app_open(view->app, &next);
	texts_free(texts, next.query->n_params);
	return true;
}

bool
drill_leads_to_query(const struct query_drill *header)
{
	static const char *const views[] = {"span", "timeline", "row", NULL};

	return header->view && !is_one_of(slice_of(header->view), views);
}

bool
drill_open(struct view *view, const struct view_place *in, const struct drill *drill,
           const struct result *result, size_t row)
{
	struct view_place next = *in;
	struct focus focus;
	bool is_place;

	if (!in->run_path || leads_to(drill, "row")) {
		return false;
	}
	if (drill->header && drill_leads_to_query(drill->header)) {
		return open_query(view, in, drill, result, row);
	}
	is_place = drill_focus(drill, result, row, &focus);
	if (leads_to(drill, "timeline")) {
		next.kind = PLACE_TIMELINE;
	} else if (!has_header(drill) && focus.span >= 0) {
		next.kind = PLACE_SPAN;
	} else {
		next.kind = focus.filter ? PLACE_SPANS : PLACE_TIMELINE;
	}
	next.focus = &focus;
	next.span = focus.span;
	if (is_place) {
		app_open(view->app, &next);
	}
	drill_focus_free(&focus);
	return is_place;
}

int
drill_check(const struct query_drill *header, const struct query_param *params, size_t n_params,
            const struct result_column *columns, size_t n_columns, const struct saved_query *target,
            struct err *err)
{
	bool is_timeline = strcmp(header->view, "timeline") == 0;
	struct slice rest = slice_of(header->bindings);
	struct binding binding;

	if (drill_leads_to_query(header) && !target) {
		return err_set(err, ERR_FORMAT, "drill: no query %s", header->view);
	}
	while (next_binding(&rest, &binding)) {
		struct slice source = binding.source;
		bool is_known =
		    source.ptr[0] == '\'' ||
		    (source.ptr[0] == ':' ? param_named(params, n_params, slice_from(source, 1))
		                          : column_find(columns, n_columns, source)) >= 0;
		bool is_name =
		    target
			? param_named(target->params, target->n_params, binding.name) >= 0
			: is_one_of(binding.name, span_columns) || slice_is(binding.name, "size") ||
			      (binding.name.len > 4 && slice_starts_with(binding.name, "arg.")) ||
			      (is_timeline && is_one_of(binding.name, place_columns));

		if (!is_known) {
			return err_set(err, ERR_FORMAT, "drill: no column or parameter %.*s",
			               (int)source.len, source.ptr);
		}
		if (!is_name) {
			return err_set(err, ERR_FORMAT, "drill: %s has no %.*s", header->view,
			               (int)binding.name.len, binding.name.ptr);
		}
	}
	if (slice_trim(rest, " \t").len > 0) {
		return err_set(err, ERR_FORMAT, "drill: not NAME=VALUE: %.*s", (int)rest.len,
		               rest.ptr);
	}
	return 0;
}
