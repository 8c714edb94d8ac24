/*
 * Running a statement into a result, or row by row into a receiver. A result copies texts that a
 * receiver is only lent.
 *
 * Kinds of columns come from the saved query's header, else from the column's name, else (results
 * only) from what the column turned out to hold.
 */
#include "config.h"
#include "query/saved/query.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "query/saved/notes.h"
#include "query/saved/query_file.h"
#include "query/saved/kind.h"
#include "util/format.h"
#include "util/quote.h"

static const struct query_param *
find_param(const struct saved_query *query, const char *name)
{
	size_t i = name_find(slice_of(name), query->params, query->n_params, sizeof *query->params);
	return i < query->n_params ? &query->params[i] : NULL;
}

static int
set_unknown_argument(const struct saved_query *query, const char *name, struct err *err)
{
	const char **names = xcalloc(query->n_params + 1, sizeof *names);
	struct strbuf list = {0};
	for (size_t i = 0; i < query->n_params; i++) {
		names[i] = query->params[i].name;
		strbuf_printf(&list, "%s%s", i ? ", " : "", names[i]);
	}
	const char *near = query_suggest(name, names, query->n_params);
	err_set(err, ERR_USAGE, "query %s has no parameter \"%s\"%s%s%s; it has %s", query->name,
	        name, near ? ": did you mean \"" : "", near ? near : "", near ? "\"" : "",
	        list.data ? list.data : "none");
	free(names);
	strbuf_free(&list);
	return -1;
}

static int
bind_value(struct stmt *stmt, int i, const struct saved_query *query,
           const struct query_param *param, const char *text, struct err *err)
{
	struct value value;
	if (query_param_value(param, slice_of(text), &value, err)) {
		return err_wrap(err, "query %s", query->name);
	}
	if (value.type == VALUE_TEXT) {
		stmt_bind_text(stmt, i, value.text);
	} else if (value.type == VALUE_REAL) {
		stmt_bind_real(stmt, i, value.real);
	} else {
		stmt_bind_integer(stmt, i, value.integer);
	}
	return 0;
}

/* The last of arguments with one name wins, as with options. */
static int
bind_arguments(struct stmt *stmt, const struct saved_query *query,
               const struct query_argument *arguments, size_t n_arguments, struct err *err)
{
	for (size_t i = 0; i < n_arguments; i++) {
		if (!find_param(query, arguments[i].name)) {
			return set_unknown_argument(query, arguments[i].name, err);
		}
	}
	for (int i = 1; i <= stmt_parameters(stmt); i++) {
		const char *name = stmt_parameter_name(stmt, i);
		const struct query_param *param = name ? find_param(query, name + 1) : NULL;
		if (!param) {
			return err_set(err, ERR_QUERY, "query %s: parameter %s is not declared",
			               query->name, name ? name : "?");
		}
		const char *text = param->default_text;
		for (size_t j = 0; j < n_arguments; j++) {
			text =
			    strcmp(arguments[j].name, param->name) == 0 ? arguments[j].text : text;
		}
		if (!text) {
			return err_set(err, ERR_USAGE, "query %s needs -p %s=...: %s", query->name,
			               param->name, param->about);
		}
		if (bind_value(stmt, i, query, param, text, err)) {
			return -1;
		}
	}
	return 0;
}

/* The argument for a parameter, the last of that name; NULL: none. */
static const char *
argument_for(const char *parameter, const struct query_argument *arguments, size_t n)
{
	const char *text = NULL;
	for (size_t i = 0; parameter && i < n; i++) {
		text = strcmp(arguments[i].name, parameter + 1) == 0 ? arguments[i].text : text;
	}
	return text;
}

static int
check_plain_arguments(struct stmt *stmt, const struct query_argument *arguments, size_t n,
                      struct err *err)
{
	for (size_t i = 0; i < n; i++) {
		bool is_there = false;
		for (int k = 1; k <= stmt_parameters(stmt) && !is_there; k++) {
			is_there = argument_for(stmt_parameter_name(stmt, k), &arguments[i], 1);
		}
		if (!is_there) {
			return err_set(err, ERR_USAGE, "-p %s: the statement has no :%s",
			               arguments[i].name, arguments[i].name);
		}
	}
	return 0;
}

/* Of a statement without a header, which tells no kinds. */
static int
bind_plain(struct stmt *stmt, const struct query_argument *arguments, size_t n, struct err *err)
{
	if (check_plain_arguments(stmt, arguments, n, err)) {
		return -1;
	}
	for (int i = 1; i <= stmt_parameters(stmt); i++) {
		const char *name = stmt_parameter_name(stmt, i);
		const char *text = argument_for(name, arguments, n);
		struct strbuf unquoted = {0};
		int64_t integer;
		double real;
		size_t used;
		if (!text) {
			return name
			           ? err_set(err, ERR_USAGE,
			                     "SQL: the parameter %s has no value (-p %s=... on the "
			                     "command line)",
			                     name, name + 1)
			           : err_set(err, ERR_USAGE,
			                     "SQL: a parameter without a name has no value: call "
			                     "it :name, and give it one by -p name=...");
		}
		struct slice given = slice_of(text);
		if (quote_take(given, &unquoted, &used) == QUOTE_TAKEN && used == given.len) {
			stmt_bind_text(stmt, i,
			               unquoted.len ? strbuf_slice(&unquoted) : slice_of(""));
		} else if (slice_int64(given, &integer)) {
			stmt_bind_integer(stmt, i, integer);
		} else if (slice_double(given, &real) && isfinite(real)) {
			stmt_bind_real(stmt, i, real);
		} else {
			stmt_bind_text(stmt, i, given);
		}
		strbuf_free(&unquoted);
	}
	return 0;
}

/* Columns of a prepared statement; kinds from query (may be NULL) or names. Names are borrowed from
 * the statement. */
static struct result_column *
describe_columns(struct stmt *stmt, const struct saved_query *query, bool *known)
{
	int n = stmt_columns(stmt);
	struct result_column *columns = xcalloc((size_t)n + 1, sizeof *columns);
	for (int i = 0; i < n; i++) {
		const char *name = stmt_column_name(stmt, i);
		columns[i].name = name ? name : "?";
		known[i] = column_kind_guess(columns[i].name, &columns[i].kind);
		int declared =
		    query ? column_find(query->columns, query->n_columns, slice_of(columns[i].name))
			  : -1;
		if (declared >= 0) {
			columns[i] = query->columns[declared];
			known[i] = true;
		}
	}
	return columns;
}

static int
check_declared(const struct saved_query *query, const struct result_column *columns, size_t n,
               struct err *err)
{
	for (size_t i = 0; i < query->n_columns; i++) {
		if (column_find(columns, n, slice_of(query->columns[i].name)) < 0) {
			return err_set(
			    err, ERR_QUERY,
			    "the statement gives no column %s, which its header declares",
			    query->columns[i].name);
		}
	}
	return 0;
}

static int
query_rows(struct stmt *stmt, const struct query_receiver *receiver, struct err *err)
{
	int n = stmt_columns(stmt), more;
	struct value *values = xcalloc((size_t)n + 1, sizeof *values);
	while ((more = stmt_step(stmt, err)) > 0) {
		for (int i = 0; i < n; i++) {
			stmt_value(stmt, i, &values[i]);
		}
		if (receiver->row(receiver->user, values, err)) {
			more = -1;
			break;
		}
	}
	free(values);
	return more;
}

/* types: of each column a bit for each type that it has. */
static int
collect_rows(struct stmt *stmt, struct result *result, unsigned *types, struct err *err)
{
	int more;

	while ((more = stmt_step(stmt, err)) > 0) {
		struct value *row = result_add_row(result);
		for (size_t i = 0; i < result->n_columns; i++) {
			stmt_value(stmt, (int)i, &row[i]);
			types[i] |= 1u << row[i].type;
			if (row[i].type == VALUE_TEXT || row[i].type == VALUE_BLOB) {
				row[i].text = result_keep_text(result, row[i].text);
			}
		}
		if (result_bytes(result) > RESULT_BYTES_LIMIT) {
			return err_set(err, ERR_LIMIT,
			               "the result has more than %zu rows and does not fit in "
			               "memory: narrow it, or let `lanescope sql` stream it as csv",
			               result->n_rows);
		}
	}
	return more;
}

/* Kinds of columns that nothing named: what their values are. */
static void
settle_kinds(struct result *result, const unsigned *types, const bool *known)
{
	for (size_t column = 0; column < result->n_columns; column++) {
		bool text = types[column] & (1u << VALUE_TEXT | 1u << VALUE_BLOB);
		bool real = types[column] & 1u << VALUE_REAL;
		bool number = real || types[column] & 1u << VALUE_INTEGER;
		if (text && !number) {
			result->columns[column].kind = KIND_TEXT;
		} else if (!known[column]) {
			result->columns[column].kind = text || !number ? KIND_TEXT
			                               : real          ? KIND_REAL
			                                               : KIND_INTEGER;
		}
	}
}

/* What tells a row from others, for a message: "name=write, process=3". */
static void
print_keys(const struct result *result, size_t row, struct strbuf *out)
{
	char buffer[FORMAT_BYTES];

	for (size_t i = 0; i < result->n_columns; i++) {
		const struct result_column *column = &result->columns[i];
		if (column->is_key) {
			struct slice text =
			    value_show(result_value(result, row, i), column->kind, buffer);
			strbuf_printf(out, "%s%s=%.*s", out->len ? ", " : " of ", column->name,
			              (int)text.len, text.ptr);
		}
	}
}

/* A sum that SQL made a real of, as it left 64 bits, has lost digits: an error. */
static int
check_wholes(const struct result *result, const unsigned *types, struct err *err)
{
	for (size_t i = 0; i < result->n_columns; i++) {
		bool may_be =
		    !column_kinds[result->columns[i].kind].show_real && types[i] & 1u << VALUE_REAL;
		for (size_t row = 0; may_be && row < result->n_rows; row++) {
			const struct value *value = result_value(result, row, i);
			if (value->type == VALUE_REAL && isfinite(value->real) &&
			    (value->real >= 0x1p63 || value->real < -0x1p63)) {
				struct strbuf keys = {0};
				print_keys(result, row, &keys);
				err_set(err, ERR_LIMIT, "%s%s is more than 64 bits hold",
				        result->columns[i].name, keys.len ? keys.data : "");
				strbuf_free(&keys);
				return -1;
			}
		}
	}
	return 0;
}

static struct result *
collect(struct stmt *stmt, const struct saved_query *query, struct err *err)
{
	size_t n = (size_t)stmt_columns(stmt);
	bool *known = xcalloc(n + 1, sizeof *known);
	struct result_column *columns = describe_columns(stmt, query, known);
	struct result *result = NULL;
	if (query && check_declared(query, columns, n, err)) {
		goto out;
	}
	result = result_new(query ? query->title : NULL, columns, n);
	unsigned *types = xcalloc(n + 1, sizeof *types);
	bool failed = collect_rows(stmt, result, types, err) != 0;
	if (!failed) {
		settle_kinds(result, types, known);
		failed = query && (check_wholes(result, types, err) ||
		                   (query->sort && result_sort(result, query->sort, err)));
	}
	free(types);
	if (failed) {
		result_free(result);
		result = NULL;
	}
out:
	free(columns);
	free(known);
	return result;
}

static bool
is_built_in(const struct saved_query *query)
{
	return query->sql_line == 0 || strcmp(query->origin, "built in") == 0;
}

/* Users' own are told by file and line. */
static struct stmt *
prepare_saved(struct store *store, const struct saved_query *query, struct err *err)
{
	struct stmt *stmt =
	    is_built_in(query)
		? store_prepare(store, query->sql, err)
		: store_prepare_file(store, query->sql, query->origin, query->sql_line, err);
	if (!stmt && is_built_in(query)) {
		err_wrap(err, "query %s", query->name);
	}
	return stmt;
}

int
query_has_rows(struct store *store, const struct saved_query *query,
               const struct query_argument *arguments, size_t n_arguments,
               const struct cancel *cancel, struct err *err)
{
	int rc = -1;
	store_set_cancel(store, cancel);
	struct stmt *stmt = prepare_saved(store, query, err);
	if (stmt && bind_arguments(stmt, query, arguments, n_arguments, err) == 0) {
		rc = stmt_step(stmt, err);
	}
	stmt_free(stmt);
	store_set_cancel(store, NULL);
	return rc;
}

struct result *
query_run_plain(struct store *store, const struct saved_query *query,
                const struct query_argument *arguments, size_t n_arguments,
                const struct cancel *cancel, struct err *err)
{
	struct result *result = NULL;
	store_set_cancel(store, cancel);
	store_forget_censuses(store);
	struct stmt *stmt = prepare_saved(store, query, err);
	if (stmt && bind_arguments(stmt, query, arguments, n_arguments, err) == 0) {
		result = collect(stmt, query, err);
		if (!result && err->code != ERR_CANCELLED) {
			bool left = strstr(err->message, "integer overflow") != NULL;
			err_wrap(err, "query %s%s", query->name,
			         left ? ": a sum is more than 64 bits hold" : "");
			if (!is_built_in(query)) {
				err_wrap(err, "%s:%u", query->origin, query->sql_line);
			}
		}
	}
	stmt_free(stmt);
	store_set_cancel(store, NULL);
	return result;
}

struct result *
query_sql_bound(struct store *store, const char *sql, const struct query_argument *arguments,
                size_t n_arguments, const struct cancel *cancel, struct err *err)
{
	struct result *result = NULL;
	store_set_cancel(store, cancel);
	store_forget_censuses(store);
	struct stmt *stmt = store_prepare(store, sql, err);
	if (stmt && bind_plain(stmt, arguments, n_arguments, err) == 0) {
		result = collect(stmt, NULL, err);
	}
	if (result) {
		query_note_left_out(result, store);
	}
	stmt_free(stmt);
	store_set_cancel(store, NULL);
	return result;
}

struct result *
query_sql(struct store *store, const char *sql, const struct cancel *cancel, struct err *err)
{
	return query_sql_bound(store, sql, NULL, 0, cancel, err);
}

static void
stream_notes(const struct store *store, const struct query_receiver *receiver)
{
	struct result *notes = result_new(NULL, NULL, 0);
	query_note_left_out(notes, store);
	for (size_t i = 0; i < notes->n_notes; i++) {
		receiver->note(receiver->user, notes->notes[i]);
	}
	result_free(notes);
}

static int
stream_rows(struct store *store, struct stmt *stmt, const struct query_receiver *receiver,
            struct err *err)
{
	size_t n = (size_t)stmt_columns(stmt);
	bool *known = xcalloc(n + 1, sizeof *known);
	struct result_column *columns = describe_columns(stmt, NULL, known);
	int rc = receiver->columns(receiver->user, columns, n, err);
	rc = rc == 0 ? query_rows(stmt, receiver, err) : -1;
	free(columns);
	free(known);
	if (receiver->note) {
		stream_notes(store, receiver);
	}
	return rc;
}

int
query_stream(struct store *store, const char *sql, const struct query_argument *arguments,
             size_t n_arguments, const struct query_receiver *receiver, const struct cancel *cancel,
             struct err *err)
{
	int rc = -1;
	store_set_cancel(store, cancel);
	store_forget_censuses(store);
	struct stmt *stmt = store_prepare(store, sql, err);
	if (stmt && bind_plain(stmt, arguments, n_arguments, err) == 0) {
		rc = stream_rows(store, stmt, receiver, err);
	}
	stmt_free(stmt);
	store_set_cancel(store, NULL);
	return rc;
}
