/*
 * The header of a saved query is read line by line: `-- word: rest`, `-- param ...` or `-- column
 * ...`. A comment line indented by two blanks or more goes on with the one before. The header ends
 * at the first line that is no comment; what follows is the statement, which keeps its own
 * comments.
 *
 * Unknown words are errors rather than prose, since a mistyped `mesure:` would otherwise silently
 * make a diff useless. Names in key, measure and sort must be declared columns, and the statement's
 * :parameters and the header's must be the same set: all that can be found wrong without a database
 * is found here, with its line.
 */
#include "config.h"
#include "query/saved/query_file.h"

#include <stdlib.h>
#include <string.h>

#include "query/saved/list.h"
#include "util/ascii.h"

#define QUERY_PARAMS 32
#define QUERY_COLUMNS 128

struct header_parser {
	struct arena *arena;
	struct saved_query *query;
	const char *origin;
	unsigned line;
	struct err *err;
	const char **tail; /* text that an indented line goes on with; NULL: none */
	struct query_param params[QUERY_PARAMS];
	struct result_column columns[QUERY_COLUMNS];
	const char *sums; /* column list as in the header; NULL if absent */
	unsigned key_line, measure_line, sums_line, sort_line, needs_line, alternatives_line,
	    plot_line;
};

static int
fail(struct header_parser *parser, unsigned line, const char *what, struct slice detail)
{
	int n = detail.len > 80 ? 80 : (int)detail.len;
	return err_set(parser->err, ERR_FORMAT, "%s:%u: %s%s%.*s%s", parser->origin, line, what,
	               n ? "\"" : "", n, detail.ptr, n ? "\"" : "");
}

static const struct slice nothing = {"", 0};

static int
fail_here(struct header_parser *parser, const char *what, struct slice detail)
{
	return fail(parser, parser->line, what, detail);
}

static char *
keep(struct header_parser *parser, struct slice text)
{
	return arena_strndup(parser->arena, text.ptr, text.len);
}

/* Takes the next word off *rest. */
static struct slice
take_word(struct slice *rest)
{
	*rest = slice_trim(*rest, " \t");
	size_t n = 0;
	while (n < rest->len && rest->ptr[n] != ' ' && rest->ptr[n] != '\t') {
		n++;
	}
	struct slice word = {rest->ptr, n};
	*rest = slice_from(*rest, n);
	*rest = slice_trim(*rest, " \t");
	return word;
}

static bool
valid_name(struct slice name)
{
	bool ok = name.len > 0 && name.len < 64 && !is_digit(name.ptr[0]);
	for (size_t i = 0; i < name.len; i++) {
		ok = ok && is_word_char(name.ptr[i]);
	}
	return ok;
}

/* 'a quoted text' with '' for a quote. */
static bool
take_quoted(struct slice *rest, struct strbuf *text)
{
	size_t i = 1;
	for (;; i++) {
		if (i >= rest->len) {
			return false;
		}
		if (rest->ptr[i] == '\'') {
			if (i + 1 >= rest->len || rest->ptr[i + 1] != '\'') {
				break;
			}
			i++;
		}
		strbuf_add_char(text, rest->ptr[i]);
	}
	*rest = slice_trim((struct slice){rest->ptr + i + 1, rest->len - i - 1}, " \t");
	return true;
}

/* A default is a quoted text or a word that begins like a number; *text stays NULL where there is
 * none. */
static int
take_default(struct header_parser *parser, struct slice *rest, const char **text)
{
	if (rest->len && rest->ptr[0] == '\'') {
		struct strbuf quoted = {0};
		bool closed = take_quoted(rest, &quoted);
		*text = arena_slice(parser->arena, strbuf_slice(&quoted)).ptr;
		strbuf_free(&quoted);
		return closed ? 0 : fail_here(parser, "default without its closing quote", nothing);
	}
	size_t sign = rest->len > 1 && rest->ptr[0] == '-';
	if (rest->len && is_digit(rest->ptr[sign])) {
		*text = keep(parser, take_word(rest));
	}
	return 0;
}

/* What is allowed: `{mean, median}`, `{0..100%}`; *allowed stays NULL where that is not said. */
static int
take_allowed(struct header_parser *parser, struct slice *rest, enum column_kind kind,
             const char **allowed)
{
	const char *end =
	    rest->len && rest->ptr[0] == '{' ? memchr(rest->ptr, '}', rest->len) : NULL;

	if (!rest->len || rest->ptr[0] != '{') {
		return 0;
	}
	if (!end) {
		return fail_here(parser, "no } follows ", *rest);
	}
	struct slice inside = {rest->ptr + 1, (size_t)(end - rest->ptr - 1)};
	*allowed = keep(parser, slice_trim(inside, " \t"));
	if (!query_allowed_is_valid(kind, *allowed)) {
		return fail_here(
		    parser,
		    "neither texts like {mean, median} nor a range of its kind like {0..9}: ",
		    inside);
	}
	*rest = slice_trim((struct slice){end + 1, rest->len - inside.len - 2}, " \t");
	return 0;
}

/* n_params: none is called so. */
static size_t
find_param(const struct header_parser *parser, struct slice name)
{
	return name_find(name, parser->params, parser->query->n_params, sizeof *parser->params);
}

static int
parse_param(struct header_parser *parser, struct slice rest)
{
	struct saved_query *query = parser->query;
	struct slice name = take_word(&rest), kind = take_word(&rest);
	struct query_param param = {.name = "default"};
	if (!valid_name(name)) {
		return fail_here(parser, "param needs a name and a kind; not a name: ", name);
	}
	if (!column_kind_find(kind, &param.kind)) {
		return fail_here(parser, "not a kind: ", kind);
	}
	if (find_param(parser, name) < query->n_params) {
		return fail_here(parser, "param given twice: ", name);
	}
	if (query->n_params == QUERY_PARAMS) {
		return fail_here(parser, "too many parameters", nothing);
	}
	if (take_default(parser, &rest, &param.default_text)) {
		return -1;
	}
	if (take_allowed(parser, &rest, param.kind, &param.allowed)) {
		return -1;
	}
	struct value value;
	struct err ignored = ERR_INIT;
	if (param.default_text &&
	    query_param_value(&param, slice_of(param.default_text), &value, &ignored)) {
		return fail_here(parser,
		                 "default is not of its kind, has no unit, or is not allowed: ",
		                 slice_of(param.default_text));
	}
	if (rest.len == 0) {
		return fail_here(parser, "param without a description: ", name);
	}
	param.name = keep(parser, name);
	param.about = keep(parser, rest);
	parser->tail = &parser->params[query->n_params].about;
	parser->params[query->n_params++] = param;
	return 0;
}

static struct result_column *
find_column(struct header_parser *parser, struct slice name)
{
	int i = column_find(parser->columns, parser->query->n_columns, name);
	return i < 0 ? NULL : &parser->columns[i];
}

static int
parse_column(struct header_parser *parser, struct slice rest)
{
	struct saved_query *query = parser->query;
	struct slice name = take_word(&rest), kind = take_word(&rest);
	struct result_column column = {0};
	if (!valid_name(name)) {
		return fail_here(parser, "column needs a name and a kind; not a name: ", name);
	}
	if (!column_kind_find(kind, &column.kind)) {
		return fail_here(parser, "not a kind: ", kind);
	}
	if (find_column(parser, name)) {
		return fail_here(parser, "column given twice: ", name);
	}
	if (query->n_columns == QUERY_COLUMNS) {
		return fail_here(parser, "too many columns", nothing);
	}
	column.name = keep(parser, name);
	column.about = rest.len ? keep(parser, rest) : NULL;
	column.better = column_meaning(&column) ? column_meaning(&column)->better : BETTER_NONE;
	parser->tail = &parser->columns[query->n_columns].about;
	parser->columns[query->n_columns++] = column;
	return 0;
}

static int
parse_drill(struct header_parser *parser, struct slice rest)
{
	struct slice view = take_word(&rest);
	if (view.len == 0) {
		return fail_here(parser, "drill needs a view", nothing);
	}
	parser->query->drill.view = keep(parser, view);
	parser->query->drill.bindings = keep(parser, rest);
	parser->tail = &parser->query->drill.bindings;
	return 0;
}

/* `word: rest`; each once. */
static int
parse_field(struct header_parser *parser, struct slice word, struct slice rest)
{
	struct saved_query *query = parser->query;
	struct {
		const char *name;
		const char **field;
		unsigned *line;
	} fields[] = {
	    {"title:", &query->title, NULL},
	    {"about:", &query->about, NULL},
	    {"format:", &query->formats, NULL},
	    {"key:", &query->key, &parser->key_line},
	    {"measure:", &query->measures, &parser->measure_line},
	    {"sums:", &parser->sums, &parser->sums_line},
	    {"sort:", &query->sort, &parser->sort_line},
	    {"alternatives:", &query->alternatives, &parser->alternatives_line},
	    {"scans:", &query->scans, NULL},
	    {"scope:", &query->scope, NULL},
	    {"needs:", &query->needs, &parser->needs_line},
	    {"spans:", &query->spans, NULL},
	    {"covers:", &query->covers, NULL},
	    {"plot:", &query->plot, &parser->plot_line},
	};
	for (size_t i = 0; i < COUNT_OF(fields); i++) {
		if (!slice_is(word, fields[i].name)) {
			continue;
		}
		if (*fields[i].field) {
			return fail_here(parser, "given twice: ", word);
		}
		if (rest.len == 0) {
			return fail_here(parser, "nothing stands after ", word);
		}
		if (fields[i].field == &query->scope && !slice_starts_with(rest, "none ")) {
			return fail_here(parser, "scope: none, and why, not: ", rest);
		}
		*fields[i].field = keep(parser, rest);
		parser->tail = fields[i].field;
		if (fields[i].line) {
			*fields[i].line = parser->line;
		}
		return 0;
	}
	if (slice_is(word, "drill:")) {
		return parse_drill(parser, rest);
	}
	return fail_here(
	    parser,
	    "not a word of the header (title: about: format: param column key: measure: "
	    "sums: sort: alternatives: drill: spans: covers: plot: scans: scope: needs:, or "
	    "two blanks to go on with the line before): ",
	    word);
}

static int
continue_line(struct header_parser *parser, struct slice rest)
{
	const char **text = parser->tail;
	if (!text) {
		return fail_here(parser, "goes on with no line: ", rest);
	}
	*text = *text ? arena_printf(parser->arena, "%s %.*s", *text, (int)rest.len, rest.ptr)
	              : keep(parser, rest);
	return 0;
}

/* One comment line, without its newline and the leading "--". */
static int
parse_line(struct header_parser *parser, struct slice line)
{
	bool goes_on = line.len > 2 && memcmp(line.ptr, "  ", 2) == 0;
	struct slice rest = slice_trim(line, " \t");
	if (rest.len == 0) {
		return 0;
	}
	if (rest.len > 4096) {
		return fail_here(parser, "line too long", nothing);
	}
	if (goes_on) {
		return continue_line(parser, rest);
	}
	parser->tail = NULL;
	struct slice word = take_word(&rest);
	if (slice_is(word, "param")) {
		return parse_param(parser, rest);
	}
	if (slice_is(word, "column")) {
		return parse_column(parser, rest);
	}
	return parse_field(parser, word, rest);
}

/* What stands in parentheses behind a measure. */
static int
take_remarks(struct result_column *column, struct slice text)
{
	while (text.len > 0) {
		const char *end = text.ptr[0] == '(' ? memchr(text.ptr, ')', text.len) : NULL;
		struct slice remark = {text.ptr, end ? (size_t)(end + 1 - text.ptr) : 0};

		if (slice_is(remark, "(higher is better)") ||
		    slice_is(remark, "(lower is better)")) {
			column->better = remark.ptr[1] == 'h' ? BETTER_HIGHER : BETTER_LOWER;
		} else if (slice_is(remark, "(absent is 0)")) {
			column->absent_is_zero = true;
		} else {
			return -1;
		}
		text = slice_trim(slice_from(text, remark.len), " \t");
	}
	return 0;
}

/* "total, rate (higher is better)": marks the columns, leaves the bare list. */
static int
mark_measures(struct header_parser *parser)
{
	struct strbuf bare = {0};
	int rc = -1;
	for (struct slice rest = slice_of(parser->query->measures), item;
	     list_next(&rest, &item);) {
		struct slice name = take_word(&item);
		struct result_column *column = find_column(parser, name);
		if (!column) {
			fail(parser, parser->measure_line,
			     "measure is not a declared column: ", name);
			goto out;
		}
		column->is_measure = true;
		if (!column_meaning(column)) {
			column->better = column->kind == KIND_RATE ? BETTER_HIGHER : BETTER_LOWER;
		}
		if (take_remarks(column, item)) {
			fail(parser, parser->measure_line,
			     "only (higher is better), (lower is better) and (absent is 0) may "
			     "follow a measure, not ",
			     item);
			goto out;
		}
		strbuf_printf(&bare, "%s%s", bare.len ? "," : "", column->name);
	}
	parser->query->measures = arena_slice(parser->arena, strbuf_slice(&bare)).ptr;
	rc = 0;
out:
	strbuf_free(&bare);
	return rc;
}

/* What the query is asked for: the measure that it sorts by, else its first time, else its
 * first. */
static void
mark_lead(struct header_parser *parser)
{
	const struct saved_query *query = parser->query;
	struct slice sort = slice_of(query->sort ? query->sort : ""), item = {NULL, 0};
	struct result_column *lead = NULL, *first = NULL;

	if (list_next(&sort, &item)) {
		bool is_descending = item.len > 0 && item.ptr[0] == '-';
		item = slice_from(item, is_descending);
		lead = find_column(parser, item);
	}
	for (struct slice rest = slice_of(query->measures); list_next(&rest, &item);) {
		struct result_column *column = find_column(parser, item);
		first = first ? first : column;
		lead = (lead && lead->is_measure) || column->kind != KIND_DURATION ? lead : column;
	}
	lead = lead && lead->is_measure ? lead : first;
	if (lead) {
		lead->is_lead = true;
	}
}

/* "sums: n, time" or "sums: none"; what the line does not name does not add up. */
static int
mark_sums(struct header_parser *parser)
{
	for (size_t i = 0; i < parser->query->n_columns; i++) {
		parser->columns[i].sums = SUMS_NOT;
	}
	if (slice_is(slice_trim(slice_of(parser->sums), " \t"), "none")) {
		return 0;
	}
	for (struct slice rest = slice_of(parser->sums), item; list_next(&rest, &item);) {
		struct result_column *column = find_column(parser, item);
		if (!column || column->kind == KIND_TEXT) {
			return fail(parser, parser->sums_line,
			            column ? "texts have no sum: "
			                   : "sums: is not of a declared column: ",
			            item);
		}
		column->sums = SUMS_UP;
	}
	return 0;
}

static int
check_needs(struct header_parser *parser)
{
	struct slice unknown;

	if (parser->query->needs && !query_needs_are_known(parser->query->needs, &unknown)) {
		return fail(parser, parser->needs_line,
		            "only spans, events, counters, tasks, transfers, capacity, devices, "
		            "flows, preemptions, trials, category=PATTERN, lane=PATTERN and "
		            "name=PATTERN can be needed, not ",
		            unknown);
	}
	return 0;
}

static int
check_alternatives(struct header_parser *parser)
{
	const char *text = parser->query->alternatives;
	struct slice set, item;
	for (struct slice rest = slice_of(text ? text : "");
	     query_alternatives_next(&rest, &set);) {
		size_t n = 0;
		for (struct slice names = set; list_next(&names, &item); n++) {
			if (!find_column(parser, item)) {
				return fail(parser, parser->alternatives_line,
				            "an alternative is not a declared column: ", item);
			}
		}
		if (n < 2) {
			return fail(parser, parser->alternatives_line,
			            "alternatives are two columns at least, not ", set);
		}
	}
	return 0;
}

static int
check_lists(struct header_parser *parser)
{
	struct saved_query *query = parser->query;
	struct slice unknown;
	if (query->plot &&
	    !query_plot_is_known(query->plot, parser->columns, query->n_columns, &unknown)) {
		return fail(parser, parser->plot_line,
		            "a kind of chart, x=, y=, series= of declared columns and log= may be "
		            "here, not ",
		            unknown);
	}
	if ((query->measures && mark_measures(parser)) || (parser->sums && mark_sums(parser)) ||
	    check_alternatives(parser)) {
		return -1;
	}
	if (query->measures) {
		mark_lead(parser);
	}
	for (struct slice rest = slice_of(query->key ? query->key : ""), item;
	     list_next(&rest, &item);) {
		struct result_column *column = find_column(parser, item);
		if (!column) {
			return fail(parser, parser->key_line,
			            "key is not a declared column: ", item);
		}
		column->is_key = true;
	}
	for (struct slice rest = slice_of(query->sort ? query->sort : ""), item;
	     list_next(&rest, &item);) {
		size_t descending = item.len && item.ptr[0] == '-';
		if (!find_column(parser, slice_from(item, descending))) {
			return fail(parser, parser->sort_line,
			            "sort is not by a declared column: ", item);
		}
	}
	return 0;
}

static int
check_parameters(struct header_parser *parser, struct slice sql, unsigned line)
{
	struct saved_query *query = parser->query;
	bool used[QUERY_PARAMS] = {false};
	size_t position = 0;
	for (struct slice name; (name = query_next_parameter(sql, &position, &line)).len > 0;) {
		size_t i = find_param(parser, name);
		if (i == query->n_params) {
			return fail(parser, line, "no param line for :", name);
		}
		used[i] = true;
	}
	for (size_t i = 0; i < query->n_params; i++) {
		if (!used[i]) {
			return fail(parser, line, "the statement does not use param ",
			            slice_of(parser->params[i].name));
		}
	}
	return 0;
}

/* Header lines up to the statement; *rest gets what follows. */
static int
parse_header(struct header_parser *parser, struct slice text, struct slice *rest)
{
	while (text.len) {
		const char *newline = memchr(text.ptr, '\n', text.len);
		size_t n = newline ? (size_t)(newline - text.ptr) : text.len;
		struct slice line = {text.ptr, n};
		while (line.len && line.ptr[line.len - 1] == '\r') {
			line.len--;
		}
		bool comment = slice_starts_with(line, "--");
		if (!comment && slice_trim(line, " \t").len) {
			break;
		}
		if (comment && parse_line(parser, slice_from(line, 2))) {
			return -1;
		}
		n += newline != NULL;
		text = slice_from(text, n);
		parser->line++;
	}
	*rest = text;
	return 0;
}

const struct saved_query *
query_file_parse(struct arena *arena, const char *name, const char *origin, struct slice text,
                 struct err *err)
{
	struct header_parser *parser = xcalloc(1, sizeof *parser);
	struct saved_query *query = arena_zalloc(arena, sizeof *query), *parsed = NULL;
	struct slice sql;
	*parser = (struct header_parser){
	    .arena = arena, .query = query, .origin = origin, .line = 1, .err = err};
	query->name = arena_strdup(arena, name);
	query->origin = arena_strdup(arena, origin);
	if (memchr(text.ptr ? text.ptr : "", 0, text.len)) {
		err_set(err, ERR_FORMAT, "%s:1: not a text file (it holds a NUL byte)", origin);
		goto out;
	}
	if (parse_header(parser, text, &sql)) {
		goto out;
	}
	if (!query->title) {
		fail(parser, 1, "the header has no title:", nothing);
		goto out;
	}
	if (sql.len == 0) {
		fail_here(parser, "no statement follows the header", nothing);
		goto out;
	}
	if (check_needs(parser) || check_lists(parser) ||
	    check_parameters(parser, sql, parser->line)) {
		goto out;
	}
	query->formats = query->formats ? query->formats : "any";
	query->header = arena_strndup(arena, text.ptr, text.len - sql.len);
	query->sql = arena_strndup(arena, sql.ptr, sql.len);
	query->sql_line = parser->line;
	query->params = arena_copy(arena, parser->params, query->n_params * sizeof *parser->params);
	query->columns =
	    arena_copy(arena, parser->columns, query->n_columns * sizeof *parser->columns);
	parsed = query;
out:
	free(parser);
	return parsed;
}
