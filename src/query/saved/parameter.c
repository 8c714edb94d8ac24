/*
 * Parameters: where they stand in a statement, and what their texts mean. A parameter's kind
 * decides how its text is read, so that "-p window=30s" and "-p minimum=4MiB" need no conversion by
 * hand; what comes out is bound, never pasted into SQL.
 *
 * What a statement could do nothing with (a statistic that it does not know, a negative number of
 * batches) would give an answer with holes, or quietly another one. So a header says what is
 * allowed, as `{mean, median}` or `{0..100%}`, and that is asked of every value before the
 * statement runs.
 */
#include "config.h"
#include "query/saved/query_file.h"

#include <math.h>

#include "query/saved/list.h"
#include "util/ascii.h"
#include "util/format.h"

static size_t
skip_quoted(struct slice sql, size_t i, char end, unsigned *line)
{
	for (i++; i < sql.len && sql.ptr[i] != end; i++) {
		*line += sql.ptr[i] == '\n';
	}
	return i + 1; /* a doubled quote is simply two strings in a row */
}

static size_t
skip_comment(struct slice sql, size_t i, unsigned *line)
{
	if (sql.ptr[i] == '-') {
		while (i < sql.len && sql.ptr[i] != '\n') {
			i++;
		}
		return i;
	}
	for (i += 2; i + 1 < sql.len && !(sql.ptr[i] == '*' && sql.ptr[i + 1] == '/'); i++) {
		*line += sql.ptr[i] == '\n';
	}
	return i + 2;
}

struct slice
query_next_parameter(struct slice sql, size_t *position, unsigned *line)
{
	size_t i = *position;
	while (i < sql.len) {
		char c = sql.ptr[i], next = i + 1 < sql.len ? sql.ptr[i + 1] : 0;
		if (c == '\'' || c == '"' || c == '`') {
			i = skip_quoted(sql, i, c, line);
		} else if (c == '[') {
			i = skip_quoted(sql, i, ']', line);
		} else if ((c == '-' && next == '-') || (c == '/' && next == '*')) {
			i = skip_comment(sql, i, line);
		} else if (c == ':' && is_word_char(next)) {
			size_t start = ++i;
			while (i < sql.len && is_word_char(sql.ptr[i])) {
				i++;
			}
			*position = i;
			return (struct slice){sql.ptr + start, i - start};
		} else {
			*line += c == '\n';
			i++;
		}
	}
	*position = sql.len;
	return slice_of("");
}

/* ---- what a parameter allows ---- */

/* The ends of LOW..HIGH; an end that is not there is empty. */
static bool
split_range(const char *allowed, struct slice *low, struct slice *high)
{
	const char *dots = strstr(allowed, "..");

	if (!dots) {
		return false;
	}
	*low = slice_trim((struct slice){allowed, (size_t)(dots - allowed)}, " \t");
	*high = slice_trim(slice_of(dots + 2), " \t");
	return low->len > 0 || high->len > 0;
}

/* An end that is empty is not passed by any value. */
static bool
is_beyond(enum column_kind kind, const struct value *value, struct slice end, int sign)
{
	struct value bound;

	return end.len > 0 && query_parse_value(kind, end, &bound) &&
	       sign * value_number(value) > sign * value_number(&bound);
}

bool
query_allowed_is_valid(enum column_kind kind, const char *allowed)
{
	struct slice rest = slice_of(allowed), item, low, high;
	struct value value;

	if (kind == KIND_TEXT) {
		bool any = false;
		while (list_next(&rest, &item)) {
			if (item.len == 0) {
				return false;
			}
			any = true;
		}
		return any;
	}
	return split_range(allowed, &low, &high) &&
	       (high.len == 0 || query_parse_value(kind, high, &value)) &&
	       (low.len == 0 ||
	        (query_parse_value(kind, low, &value) && !is_beyond(kind, &value, high, 1)));
}

/* A count or a size is never negative. */
static const char *
allowed_of(const struct query_param *param)
{
	return param->allowed ? param->allowed : column_kinds[param->kind].is_amount ? "0.." : NULL;
}

void
query_allowed_print(const struct query_param *param, struct strbuf *out)
{
	const char *allowed = allowed_of(param);
	struct slice rest = slice_of(allowed ? allowed : ""), item, low, high;

	if (param->kind == KIND_TEXT) {
		for (bool first = true; list_next(&rest, &item); first = false) {
			strbuf_add_text(out, first ? "" : rest.len ? ", " : " or ");
			strbuf_add_slice(out, item);
		}
	} else if (allowed && split_range(allowed, &low, &high)) {
		strbuf_printf(out, "%s%.*s%s%.*s", high.len == 0 || low.len == 0 ? "" : "from ",
		              (int)low.len, low.ptr,
		              high.len == 0  ? " or more"
		              : low.len == 0 ? "at most "
		                             : " to ",
		              (int)high.len, high.ptr);
	}
}

static bool
is_allowed(const struct query_param *param, const struct value *value)
{
	const char *allowed = allowed_of(param);
	struct slice rest = slice_of(allowed ? allowed : ""), item, low, high;

	if (!allowed) {
		return true;
	}
	if (param->kind != KIND_TEXT) {
		return split_range(allowed, &low, &high) &&
		       !is_beyond(param->kind, value, low, -1) &&
		       !is_beyond(param->kind, value, high, 1);
	}
	while (list_next(&rest, &item)) {
		if (slice_equal(item, value->text)) {
			return true;
		}
	}
	return false;
}

/* 0 is 0 in any unit. */
static bool
lacks_unit(enum column_kind kind, struct slice text)
{
	double number;

	return column_kinds[kind].units && slice_double(slice_trim(text, " \t"), &number) &&
	       number != 0;
}

static int
set_no_unit(const struct query_param *param, struct slice text, struct err *err)
{
	struct strbuf ways = {0};
	struct slice number = slice_trim(text, " \t");

	for (const char *unit = column_kinds[param->kind].units; *unit;) {
		size_t n = strcspn(unit, " ");
		strbuf_printf(&ways, "%s%.*s%.*s",
		              ways.len == 0 ? ""
		              : unit[n]     ? ", "
		                            : " or ",
		              (int)number.len, number.ptr, (int)n, unit);
		unit += n + (unit[n] == ' ');
	}
	err_set(err, ERR_USAGE, "%s=%.*s has no unit: write %s", param->name, (int)text.len,
	        text.ptr, ways.data);
	strbuf_free(&ways);
	return -1;
}

int
query_param_value(const struct query_param *param, struct slice text, struct value *value,
                  struct err *err)
{
	struct strbuf allowed = {0};

	if (lacks_unit(param->kind, text)) {
		return set_no_unit(param, text, err);
	}
	if (!query_parse_value(param->kind, text, value)) {
		return err_set(err, ERR_USAGE, "%s=%.*s: not %s", param->name, (int)text.len,
		               text.ptr, column_kinds[param->kind].examples);
	}
	if (is_allowed(param, value)) {
		return 0;
	}
	query_allowed_print(param, &allowed);
	err_set(err, ERR_USAGE, "%s=%.*s: not %s", param->name, (int)text.len, text.ptr,
	        allowed.data);
	strbuf_free(&allowed);
	return -1;
}
