/*
 * The condition is copied token by token; only values are looked up. Texts of the trace are always
 * quoted: whatever they hold, they can't become a condition of their own. What can't be looked up
 * is an error rather than left out, since a condition less is more spans than the row counted.
 */
#include "config.h"
#include "query/saved/row_filter.h"

#include <string.h>

#include "query/saved/query_file.h"
#include "util/ascii.h"
#include "util/format.h"
#include "util/quote.h"

/* Columns of spans that a condition may ask for, besides arg.KEY. */
static const char *const span_columns[] = {
    "name",        "category", "path",    "basename", "dirname",   "class",
    "host",        "kind",     "process", "thread",   "lane_name", "size",
    "start",       "end",      "parent",  "duration", "self",      "record_duration",
    "record_size", "calls",    "id",      "lane",     "unfinished"};

struct filter_writer {
	const struct row_values *values;
	struct slice rest;
	struct strbuf *out;
	struct err *err;
	/* PREDICATE: one may begin; OPERATOR: behind a column; VALUE: behind an operator; LIST:
	 * within IN (...); DONE: behind a predicate. */
	enum { PREDICATE, OPERATOR, VALUE, LIST, DONE } state;
	struct strbuf operator; /* that the value decides about */
	/* of [ ] */
	bool is_optional, is_missing;
	size_t optional_at;
	int optional_state;
};

static const struct query_param *
param_named(const struct row_values *values, struct slice name)
{
	size_t i = name_find(name, values->params, values->n_params, sizeof *values->params);

	return i < values->n_params ? &values->params[i] : NULL;
}

static int
param_value(const struct row_values *values, const struct query_param *param, struct value *value,
            struct err *err)
{
	size_t i = (size_t)(param - values->params);
	const char *text =
	    values->texts && values->texts[i] ? values->texts[i] : param->default_text;

	return query_param_value(param, slice_of(text ? text : ""), value, err);
}

int
row_value(const struct row_values *values, struct slice source, struct value *value,
          struct err *err)
{
	if (source.len > 1 && source.ptr[0] == '\'') {
		*value =
		    (struct value){.type = VALUE_TEXT, .text = {source.ptr + 1, source.len - 2}};
		return 0;
	}
	if (source.len > 0 && source.ptr[0] == ':') {
		const struct query_param *param = param_named(values, slice_from(source, 1));

		if (!param) {
			return err_set(err, ERR_FORMAT, "there is no parameter %.*s",
			               (int)source.len, source.ptr);
		}
		*value = (struct value){.type = VALUE_TEXT, .text = {"x", 1}};
		return values->cells ? param_value(values, param, value, err) : 0;
	}
	int column = column_find(values->columns, values->n_columns, source);

	if (column < 0) {
		return err_set(err, ERR_FORMAT, "there is no column %.*s", (int)source.len,
		               source.ptr);
	}
	*value = values->cells ? values->cells[column]
	                       : (struct value){.type = VALUE_TEXT, .text = {"x", 1}};
	return 0;
}

/* ---- tokens ---- */

static bool
is_word(char c)
{
	return is_word_char(c) || c == '.';
}

/* A word with the quoted rest of arg."any key", a quoted text, an operator, or one character. */
static struct slice
take_token(struct slice *rest)
{
	struct strbuf ignored = {0};
	size_t n = 0, quoted = 0;

	*rest = slice_trim(*rest, " \t");
	while (n < rest->len &&
	       (is_word(rest->ptr[n]) || (n == 0 && strchr(":-+", rest->ptr[0])))) {
		n++;
	}
	if (n < rest->len && strchr("'\"", rest->ptr[n]) &&
	    (n == 0 || rest->ptr[n - 1] == '.' || (n == 1 && rest->ptr[0] == 'e'))) {
		struct slice text = n == 1 ? *rest : slice_from(*rest, n);

		n = n == 1 ? 0 : n;
		n = quote_take(text, &ignored, &quoted) == QUOTE_TAKEN ? n + quoted : rest->len;
		strbuf_free(&ignored);
	}
	for (bool is_sign = n == 0; is_sign && n < 2 && n < rest->len; n++) {
		if (!strchr("<>=!", rest->ptr[n])) {
			break;
		}
	}
	n = n == 0 && rest->len > 0 ? 1 : n;
	struct slice token = {rest->ptr, n};

	*rest = slice_from(*rest, n);
	return token;
}

static bool
is_one_of(struct slice name, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (slice_is_anycase(name, names[i])) {
			return true;
		}
	}
	return false;
}

/* ---- writing ---- */

static int
fail(struct filter_writer *writer, const char *what, struct slice token)
{
	return err_set(writer->err, ERR_FORMAT, "%s%.*s", what, (int)token.len, token.ptr);
}

static void
begin_predicate(struct filter_writer *writer)
{
	if (writer->state == DONE) {
		strbuf_add_text(writer->out, " AND ");
	}
	writer->state = PREDICATE;
}

static void
add_literal(struct strbuf *out, const struct value *value)
{
	char buffer[FORMAT_BYTES];

	if (value->type == VALUE_INTEGER) {
		strbuf_printf(out, "%lld", (long long)value->integer);
	} else if (value->type == VALUE_REAL) {
		strbuf_add_text(out, format_real(buffer, value->real));
	} else if (value->type == VALUE_NULL) {
		strbuf_add_text(out, "NULL");
	} else {
		quote_add(out, value->text, '\'');
	}
}

/* The operator and what stands behind it. */
static int
add_value(struct filter_writer *writer, const struct value *value, struct slice token)
{
	struct slice operator= strbuf_slice(&writer->operator);
	bool is_parameter = token.ptr[0] == ':';

	writer->is_missing |=
	    value->type == VALUE_NULL ||
	    (is_parameter && value->type == VALUE_TEXT &&
	     (slice_is(value->text, "*") || slice_trim(value->text, " ").len == 0));
	if (writer->state == LIST) {
		add_literal(writer->out, value);
		return 0;
	}
	writer->state = DONE;
	if (value->type == VALUE_NULL && (slice_is(operator, "=") || slice_is(operator, "<>"))) {
		strbuf_add_text(writer->out, slice_is(operator, "=") ? " IS NULL" : " IS NOT NULL");
		return 0;
	}
	if (value->type == VALUE_NULL && !writer->is_optional) {
		return fail(writer, "it has no ", token);
	}
	strbuf_printf(writer->out, " %.*s ", (int)operator.len, operator.ptr);
	add_literal(writer->out, value);
	return 0;
}

/* 1: the token says itself what it is, 0: it names what does; -1: it does not end. */
static int
is_literal(struct slice token)
{
	struct strbuf ignored = {0};
	size_t n;
	enum quote_outcome outcome = quote_take(token, &ignored, &n);

	strbuf_free(&ignored);
	return outcome == QUOTE_TAKEN  ? 1
	       : outcome != QUOTE_NONE ? -1
	                               : strchr("+-", token.ptr[0]) || is_digit(token.ptr[0]);
}

static int
take_value(struct filter_writer *writer, struct slice token)
{
	int literal = is_literal(token);
	struct value value;

	if (literal < 0) {
		return fail(writer, "it does not end: ", token);
	}
	if (literal == 0) {
		return row_value(writer->values, token, &value, writer->err)
		           ? -1
		           : add_value(writer, &value, token);
	}
	if (writer->state == VALUE) {
		strbuf_printf(writer->out, " %s ", writer->operator.data);
		writer->state = DONE;
	}
	strbuf_add_slice(writer->out, token);
	return 0;
}

/* A parameter that is a condition. */
static int
take_condition(struct filter_writer *writer, struct slice token)
{
	struct value value;

	if (row_value(writer->values, token, &value, writer->err)) {
		return -1;
	}
	bool is_blank = value.type != VALUE_TEXT || slice_trim(value.text, " \t\n").len == 0;

	if (is_blank && !writer->is_optional) {
		return fail(writer, "blank: ", token);
	}
	writer->is_missing |= is_blank;
	begin_predicate(writer);
	strbuf_printf(writer->out, "(%.*s)", is_blank ? 0 : (int)value.text.len,
	              is_blank ? "" : value.text.ptr);
	writer->state = DONE;
	return 0;
}

static void
set_operator(struct filter_writer *writer, const char *operator)
{
	strbuf_clear(&writer->operator);
	strbuf_add_text(&writer->operator, operator);
	writer->state = VALUE;
}

/* Behind a column: an operator, or IS [NOT] NULL, or [NOT] IN (. */
static int
take_operator(struct filter_writer *writer, struct slice token)
{
	static const char *const words[] = {"GLOB", "LIKE", "REGEXP"};
	static const char *const signs[] = {"=", "<>", "<", "<=", ">", ">="};
	struct strbuf operator= {0};

	if (slice_is_anycase(token, "IS")) {
		strbuf_add_text(writer->out, " IS");
		do {
			token = take_token(&writer->rest);
			strbuf_printf(writer->out, " %.*s", (int)token.len, token.ptr);
		} while (slice_is_anycase(token, "NOT"));
		writer->state = DONE;
		return slice_is_anycase(token, "NULL") ? 0 : fail(writer, "not NULL: ", token);
	}
	if (slice_is_anycase(token, "NOT")) {
		strbuf_add_text(&operator, "NOT ");
		token = take_token(&writer->rest);
	}
	int rc = 0;

	if (slice_is_anycase(token, "IN")) {
		struct slice open = take_token(&writer->rest);

		strbuf_printf(writer->out, " %sIN (", operator.data ? operator.data : "");
		writer->state = LIST;
		rc = slice_is(open, "(") ? 0 : fail(writer, "not (: ", open);
	} else if (slice_is(token, "~") || is_one_of(token, words, COUNT_OF(words)) ||
	           is_one_of(token, signs, COUNT_OF(signs))) {
		if (slice_is(token, "~")) {
			strbuf_add_text(&operator, "GLOB");
		} else {
			strbuf_add_slice(&operator, token);
		}
		set_operator(writer, operator.data);
	} else {
		rc = fail(writer, "no operator: ", token);
	}
	strbuf_free(&operator);
	return rc;
}

static int
take_bracket(struct filter_writer *writer, bool opens)
{
	if (opens == writer->is_optional || (writer->state != DONE && writer->state != PREDICATE)) {
		return fail(writer, "misplaced: ", slice_of(opens ? "[" : "]"));
	}
	if (opens) {
		writer->optional_at = writer->out->len;
		writer->optional_state = (int)writer->state;
		writer->is_missing = false;
	} else if (writer->is_missing) {
		writer->out->len = writer->optional_at;
		writer->state = writer->optional_state == DONE ? DONE : PREDICATE;
	}
	writer->is_optional = opens;
	return 0;
}

/* Where a predicate may begin, or one has ended. */
static int
take_predicate(struct filter_writer *writer, struct slice token)
{
	if (token.ptr[0] == '[' || token.ptr[0] == ']') {
		return take_bracket(writer, token.ptr[0] == '[');
	}
	if (token.ptr[0] == ':') {
		return take_condition(writer, token);
	}
	if (slice_is(token, ")")) {
		strbuf_add_char(writer->out, ')');
		writer->state = DONE;
		return 0;
	}
	if (slice_is_anycase(token, "AND") || slice_is_anycase(token, "OR")) {
		strbuf_printf(writer->out, " %.*s ", (int)token.len, token.ptr);
		writer->state = PREDICATE;
		return 0;
	}
	begin_predicate(writer);
	strbuf_add_slice(writer->out, token);
	if (slice_is_anycase(token, "NOT")) {
		strbuf_add_char(writer->out, ' ');
	} else if (!slice_is(token, "(")) {
		writer->state = OPERATOR;
		return is_one_of(token, span_columns, COUNT_OF(span_columns)) ||
		               (token.len > 4 && slice_starts_with(token, "arg."))
		           ? 0
		           : fail(writer, "spans have no ", token);
	}
	return 0;
}

static int
take_in_list(struct filter_writer *writer, struct slice token)
{
	if (slice_is(token, ",") || slice_is(token, ")")) {
		strbuf_add_text(writer->out, token.ptr[0] == ',' ? ", " : ")");
		writer->state = token.ptr[0] == ',' ? LIST : DONE;
		return 0;
	}
	return take_value(writer, token);
}

static int
write_condition(struct slice text, const struct row_values *values, struct strbuf *filter,
                struct err *err)
{
	struct filter_writer writer = {.values = values, .rest = text, .out = filter, .err = err};
	int rc = 0;

	for (writer.rest = slice_trim(text, " \t"); rc == 0 && writer.rest.len > 0;
	     writer.rest = slice_trim(writer.rest, " \t")) {
		struct slice token = take_token(&writer.rest);

		rc = writer.state == OPERATOR ? take_operator(&writer, token)
		     : writer.state == VALUE  ? take_value(&writer, token)
		     : writer.state == LIST   ? take_in_list(&writer, token)
		                              : take_predicate(&writer, token);
	}
	if (rc == 0 &&
	    ((writer.state != DONE && text.len > 0 && filter->len > 0) || writer.is_optional)) {
		rc = fail(&writer, "it does not end: ", text);
	}
	if (filter->data) {
		filter->data[filter->len] = '\0'; /* what stood in [ ] may be gone */
	}
	strbuf_free(&writer.operator);
	return rc;
}

/* ---- alternatives ---- */

/* Up to the next ";" outside quotes. */
static struct slice
take_alternative(struct slice *rest)
{
	char quote = '\0';
	size_t i = 0;

	for (; i < rest->len && (quote || rest->ptr[i] != ';'); i++) {
		char c = rest->ptr[i];

		quote = quote && c == quote ? '\0' : !quote && (c == '\'' || c == '"') ? c : quote;
	}
	struct slice alternative = {rest->ptr, i};

	*rest = slice_from(*rest, i + 1);
	return slice_trim(alternative, " \t");
}

/* Takes "when SOURCE='text' SOURCE:" off, if it is there. 1: it holds. */
static int
take_when(struct slice *alternative, const struct row_values *values, struct err *err)
{
	bool holds = true, is_last = false;

	if (!slice_starts_with(*alternative, "when ")) {
		return 1;
	}
	*alternative = slice_trim(slice_from(*alternative, 5), " \t");
	while (!is_last) {
		struct slice source = take_token(alternative), text = {"", 0};
		struct value value;

		if (source.len == 0 || row_value(values, source, &value, err)) {
			return source.len ? -1 : err_set(err, ERR_FORMAT, "when without :");
		}
		if (alternative->len > 0 && alternative->ptr[0] == '=') {
			*alternative = slice_from(*alternative, 1);
			text = take_token(alternative);
			holds = holds && text.len > 1 && value.type == VALUE_TEXT &&
			        slice_equal(value.text, (struct slice){text.ptr + 1, text.len - 2});
		} else {
			holds = holds && value.type != VALUE_NULL;
		}
		is_last = alternative->len > 0 && alternative->ptr[0] == ':' &&
		          (alternative->len == 1 || alternative->ptr[1] == ' ');
	}
	*alternative = slice_trim(slice_from(*alternative, 1), " \t");
	return holds ? 1 : 0;
}

static bool
is_none(struct slice alternative)
{
	return slice_is(alternative, "none") || slice_starts_with(alternative, "none ");
}

int
row_filter_write(const char *text, const struct row_values *values, struct strbuf *filter,
                 struct err *err)
{
	for (struct slice rest = slice_of(text); rest.len > 0;) {
		struct slice alternative = take_alternative(&rest);
		int holds = take_when(&alternative, values, err);

		if (holds < 0) {
			return -1;
		}
		if (holds && is_none(alternative)) {
			alternative = slice_trim(slice_from(alternative, 4), " \t");
			return err_set(err, ERR_QUERY, "%.*s", (int)alternative.len,
			               alternative.ptr);
		}
		if (holds) {
			return write_condition(alternative, values, filter, err);
		}
	}
	return err_set(err, ERR_QUERY, "%s", "");
}

int
row_filter_check(const char *text, const struct row_values *values, struct err *err)
{
	for (struct slice rest = slice_of(text); rest.len > 0;) {
		struct strbuf ignored = {0};
		struct slice alternative = take_alternative(&rest);
		int rc = take_when(&alternative, values, err) < 0 ||
		                 (!is_none(alternative) &&
		                  write_condition(alternative, values, &ignored, err))
		             ? -1
		             : 0;

		strbuf_free(&ignored);
		if (rc) {
			return -1;
		}
	}
	return 0;
}
