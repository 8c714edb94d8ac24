/*
 * A binding NAME=VALUE is a parameter of the next query, or a part of the place in the timeline.
 * VALUE is a column of the row, a parameter of its query (":name") or a text in single quotes;
 * NAME~VALUE takes it as a GLOB pattern; [NAME=VALUE] is left out where the value is missing.
 */
#include "config.h"
#include "query/saved/row_place.h"

#include <stdlib.h>
#include <string.h>

#include "query/saved/row_filter.h"
#include "util/ascii.h"
#include "util/format.h"
#include "util/mem.h"
#include "util/quote.h"

struct binding {
	struct slice name, source;
	bool is_pattern, is_optional;
};

/* Takes the next binding off *rest; false at the end or at what is none. */
static bool
next_binding(struct slice *rest, struct binding *binding)
{
	size_t i = 0, start;

	*rest = slice_trim(*rest, " \t");
	binding->is_optional = rest->len > 0 && rest->ptr[0] == '[';
	*rest = slice_from(*rest, binding->is_optional);
	while (i < rest->len && !strchr("=~ ", rest->ptr[i])) {
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
		while (i < rest->len && !strchr(" ]", rest->ptr[i])) {
			i++;
		}
	}
	binding->source = (struct slice){rest->ptr + start, i - start};
	*rest = slice_from(*rest, i);
	if (binding->is_optional && rest->len > 0 && rest->ptr[0] == ']') {
		*rest = slice_from(*rest, 1);
	} else if (binding->is_optional) {
		return false;
	}
	return binding->source.len > 0;
}

static struct row_values
values_of(const struct drill *drill, const struct result *result, size_t row)
{
	return (struct row_values){.columns = result->columns,
	                           .n_columns = result->n_columns,
	                           .cells = result_value(result, row, 0),
	                           .params = drill->params,
	                           .texts = drill->texts,
	                           .n_params = drill->n_params};
}

struct drill
drill_of_query(const struct saved_query *query, char *const *texts)
{
	return (struct drill){.header = &query->drill,
	                      .spans = query->spans,
	                      .params = query->params,
	                      .texts = texts,
	                      .n_params = query->n_params};
}

enum drill_target
drill_target(const struct query_drill *header)
{
	const char *view = header ? header->view : NULL;

	return !view                           ? DRILL_NOWHERE
	       : strcmp(view, "row") == 0      ? DRILL_ROW
	       : strcmp(view, "span") == 0     ? DRILL_SPANS
	       : strcmp(view, "timeline") == 0 ? DRILL_TIMELINE
	                                       : DRILL_QUERY;
}

/* What says which spans a row stands for: the line of its own, or that of Enter. */
static const char *
spans_text(const struct query_drill *header, const char *spans)
{
	bool says = drill_target(header) == DRILL_SPANS && header->bindings && *header->bindings;

	return says ? header->bindings : spans;
}

/* ---- places ---- */

/* What a place in the timeline is made of. */
static const char *const place_names[] = {"lane_name", "start", "duration", "finish",
                                          "end",       "lane",  "span"};

static bool
is_place_name(struct slice name)
{
	for (size_t i = 0; i < COUNT_OF(place_names); i++) {
		if (slice_is(name, place_names[i])) {
			return true;
		}
	}
	return false;
}

/* What the header binds to the name, else the column that is called so itself. */
static bool
place_value(const struct drill *drill, const struct row_values *values, const char *name,
            struct value *value)
{
	struct slice source = slice_of(name), rest;
	struct err ignored = ERR_INIT;
	struct binding binding;

	if (drill_target(drill->header) == DRILL_TIMELINE) {
		rest = slice_of(drill->header->bindings);
		while (next_binding(&rest, &binding)) {
			source = slice_is(binding.name, name) ? binding.source : source;
		}
	}
	int column = column_find(values->columns, values->n_columns, source);
	enum column_kind kind = column < 0 ? KIND_INTEGER : values->columns[column].kind;
	bool is_id = slice_is(slice_of(name), "span") || slice_is(slice_of(name), "lane");

	/* a clock is of another zero than the timeline's, a time is no id */
	return kind != KIND_CLOCK && !(is_id && kind == KIND_DURATION) &&
	       row_value(values, source, value, &ignored) == 0;
}

static bool
place_integer(const struct drill *drill, const struct row_values *values, const char *name,
              int64_t *integer)
{
	struct value value;
	bool is_there = place_value(drill, values, name, &value) && value.type == VALUE_INTEGER;

	*integer = is_there ? value.integer : *integer;
	return is_there;
}

/* Start, length, lane and span; of a row without a header only what columns of these names say. */
static void
read_place(const struct drill *drill, const struct row_values *values, struct row_place *place)
{
	struct value lane_name;
	int64_t finish_ns;
	bool has_length;

	place->has_start = place_integer(drill, values, "start", &place->start_ns);
	has_length = place_integer(drill, values, "duration", &place->length_ns);
	(void)(place_integer(drill, values, "span", &place->span) ||
	       /* a row that stands for the spans of a filter is none: its id is of something
	        * else */
	       (place->has_start && has_length && drill_target(drill->header) != DRILL_SPANS &&
	        place_integer(drill, values, "id", &place->span)));
	(void)place_integer(drill, values, "lane", &place->lane);
	if (place->has_start && !has_length &&
	    (place_integer(drill, values, "finish", &finish_ns) ||
	     place_integer(drill, values, "end", &finish_ns)) &&
	    __builtin_sub_overflow(finish_ns, place->start_ns, &place->length_ns)) {
		place->length_ns = 0;
	}
	if (place_value(drill, values, "lane_name", &lane_name) && lane_name.type == VALUE_TEXT) {
		struct strbuf text = {0};

		strbuf_add_slice(&text, lane_name.text);
		place->lane_name = strbuf_take(&text);
	}
}

/* The lane whose name the condition asks for: where the spans are. */
static char *
lane_of_filter(const char *filter)
{
	static const char asked[] = "lane_name = ";
	const char *at = filter ? strstr(filter, asked) : NULL;
	struct strbuf name = {0};
	size_t n;

	if (!at || (at > filter && at[-1] != ' ' && at[-1] != '(') ||
	    quote_take(slice_of(at + sizeof asked - 1), &name, &n) != QUOTE_TAKEN) {
		strbuf_free(&name);
		return NULL;
	}
	return strbuf_take(&name);
}

void
row_place_read(const struct drill *drill, const struct result *result, size_t row,
               struct row_place *place)
{
	struct row_values values = values_of(drill, result, row);
	const char *text = spans_text(drill->header, drill->spans);
	struct strbuf filter = {0}, why = {0};
	struct err err = ERR_INIT;

	*place = (struct row_place){.span = -1, .lane = -1};
	read_place(drill, &values, place);
	if (text && row_filter_write(text, &values, &filter, &err) == 0 && filter.len > 0) {
		place->filter = strbuf_take(&filter);
	} else {
		const char *of = err.code == ERR_FORMAT
		                     ? "which spans the row stands for is not said"
		                     : "the row stands for no spans";

		strbuf_printf(&why, "%s%s%s", of, *err.message ? ": " : "", err.message);
		place->why_not = strbuf_take(&why);
	}
	strbuf_free(&filter);
	place->lane_name = place->lane_name ? place->lane_name : lane_of_filter(place->filter);
}

void
row_place_free(struct row_place *place)
{
	free(place->filter);
	free(place->why_not);
	free(place->lane_name);
	*place = (struct row_place){.span = -1, .lane = -1};
}

/* ---- another query ---- */

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
	struct row_values values = values_of(drill, result, row);
	char **texts = xcalloc(n_params + 1, sizeof *texts);
	struct slice rest = slice_of(drill->header->bindings);
	struct err ignored = ERR_INIT;
	struct binding binding;
	struct value value;

	while (next_binding(&rest, &binding)) {
		size_t i = name_find(binding.name, params, n_params, sizeof *params);

		if (i < n_params && row_value(&values, binding.source, &value, &ignored) == 0 &&
		    !(binding.is_optional && value.type == VALUE_NULL)) {
			free(texts[i]);
			texts[i] = parameter_text(
			    &params[i], &value, binding.is_pattern || binding.source.ptr[0] == ':');
		}
	}
	return texts;
}

/* ---- checks ---- */

bool
covers_next(struct slice *rest, struct slice *name, struct slice *column)
{
	struct binding binding;

	if (!next_binding(rest, &binding)) {
		return false;
	}
	*name = binding.name;
	*column = binding.source;
	return true;
}

static int
check_bindings(const struct saved_query *query, const struct saved_query *target,
               const struct row_values *values, struct err *err)
{
	struct slice rest = slice_of(query->drill.bindings);
	struct binding binding;
	struct value ignored;

	while (next_binding(&rest, &binding)) {
		bool is_known = target ? name_find(binding.name, target->params, target->n_params,
		                                   sizeof *target->params) < target->n_params
		                       : is_place_name(binding.name);

		if (!is_known) {
			return err_set(err, ERR_FORMAT, "%s has no %.*s", query->drill.view,
			               (int)binding.name.len, binding.name.ptr);
		}
		if (row_value(values, binding.source, &ignored, err)) {
			return -1;
		}
	}
	return rest.len == 0
	           ? 0
	           : err_set(err, ERR_FORMAT, "not NAME=VALUE: %.*s", (int)rest.len, rest.ptr);
}

static int
check_covers(const struct saved_query *query, const struct saved_query *target,
             const struct row_values *values, struct err *err)
{
	static const char *const figures[] = {"count", "rows", "duration", "whole", "self", "size"};
	struct slice rest = slice_of(query->covers ? query->covers : ""), name, column;
	struct value ignored;

	while (covers_next(&rest, &name, &column)) {
		bool is_known =
		    target && (slice_is(name, "rows") ||
		               column_find(target->columns, target->n_columns, name) >= 0);

		for (size_t i = 0; i < COUNT_OF(figures) && !target; i++) {
			is_known = is_known || slice_is(name, figures[i]);
		}
		if (!is_known) {
			return err_set(err, ERR_FORMAT, "no figure of what the row leads to: %.*s",
			               (int)name.len, name.ptr);
		}
		for (struct slice sum = column; sum.len > 0;) {
			const char *plus = memchr(sum.ptr, '+', sum.len);
			struct slice one = {sum.ptr, plus ? (size_t)(plus - sum.ptr) : sum.len};

			sum = slice_from(sum, one.len + 1);
			if (!is_digit(one.ptr[0]) && row_value(values, one, &ignored, err)) {
				return -1;
			}
		}
	}
	return rest.len == 0
	           ? 0
	           : err_set(err, ERR_FORMAT, "not NAME=COLUMN: %.*s", (int)rest.len, rest.ptr);
}

int
drill_check(const struct saved_query *query, const struct saved_query *target, struct err *err)
{
	const char *spans = spans_text(&query->drill, query->spans);
	struct row_values values = {.columns = query->columns,
	                            .n_columns = query->n_columns,
	                            .params = query->params,
	                            .n_params = query->n_params};
	enum drill_target leads = drill_target(&query->drill);

	if (leads == DRILL_QUERY && !target) {
		return err_set(err, ERR_FORMAT, "drill: no query %s", query->drill.view);
	}
	if (leads == DRILL_SPANS && !spans) {
		return err_set(err, ERR_FORMAT, "drill: which spans?");
	}
	if ((leads == DRILL_TIMELINE || leads == DRILL_QUERY) &&
	    check_bindings(query, target, &values, err)) {
		return err_wrap(err, "drill");
	}
	if (spans && row_filter_check(spans, &values, err)) {
		return err_wrap(err, "spans");
	}
	return check_covers(query, target, &values, err) ? err_wrap(err, "covers") : 0;
}
