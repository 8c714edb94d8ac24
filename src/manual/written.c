/* What the program knows in tables of its own, written as mdoc, so that it looks like the rest. */
#include "config.h"
#include "manual/written.h"

#include <stdarg.h>

#include "query/saved/query_file.h"
#include "util/utf8.h"

/* Backslashes are escapes in mdoc, blanks and quotes part arguments, dots begin macros. Texts may
 * be of files: controls become visible. */
static void
add_escaped(struct strbuf *mdoc, const char *text, bool is_argument)
{
	struct strbuf shown = {0};

	utf8_escape(&shown, slice_of(text));
	if (is_argument) {
		strbuf_add_char(mdoc, '"');
	} else if (shown.len > 0 && (*text == '.' || *text == '\'')) {
		strbuf_add_text(mdoc, "\\&");
	}
	for (size_t i = 0; i < shown.len; i++) {
		char c = shown.data[i];

		if (c == '\\') {
			strbuf_add_text(mdoc, "\\e");
		} else if (c == '"' && is_argument) {
			strbuf_add_text(mdoc, "\\(dq");
		} else {
			strbuf_add_char(mdoc, c);
		}
	}
	strbuf_add_text(mdoc, is_argument ? "\"" : "\n");
	strbuf_free(&shown);
}

__attribute__((format(printf, 3, 0))) static void
add_formatted(struct strbuf *mdoc, const char *macro, const char *format, va_list list)
{
	struct strbuf text = {0};

	strbuf_vprintf(&text, format, list);
	strbuf_add_text(mdoc, macro);
	add_escaped(mdoc, text.data, *macro != 0);
	strbuf_add_text(mdoc, *macro ? "\n" : "");
	strbuf_free(&text);
}

void
write_heading(struct strbuf *mdoc, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	add_formatted(mdoc, ".Sh ", format, list);
	va_end(list);
}

void
write_text(struct strbuf *mdoc, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	add_formatted(mdoc, "", format, list);
	va_end(list);
}

void
write_line(struct strbuf *mdoc, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	add_formatted(mdoc, ".Dl ", format, list);
	va_end(list);
}

static void
write_item(struct strbuf *mdoc, const char *name)
{
	strbuf_add_text(mdoc, ".It Cm ");
	add_escaped(mdoc, name, true);
	strbuf_add_char(mdoc, '\n');
}

static void
begin_list(struct strbuf *mdoc, const char *heading)
{
	strbuf_printf(mdoc, ".Ss %s\n.Bl -tag -width makespan_relative -compact\n", heading);
}

static void
write_parameters(const struct saved_query *query, struct strbuf *mdoc)
{
	for (size_t i = 0; i < query->n_params; i++) {
		const struct query_param *param = &query->params[i];
		struct strbuf rest = {0}, allowed = {0};

		query_allowed_print(param, &allowed);
		strbuf_printf(
		    &rest, "%s (%s%s%s%s)", param->default_text ? param->default_text : "...",
		    column_kinds[param->kind].name, allowed.len ? ", " : "",
		    allowed.len ? allowed.data : "", param->default_text ? "" : ", required");
		if (i == 0) {
			begin_list(mdoc, "Parameters");
		}
		strbuf_printf(mdoc, ".It Fl p Ar %s Ns = Ns ", param->name);
		add_escaped(mdoc, rest.data, true);
		strbuf_add_char(mdoc, '\n');
		write_text(mdoc, "%s", param->about);
		strbuf_free(&rest);
		strbuf_free(&allowed);
	}
	strbuf_add_text(mdoc, query->n_params ? ".El\n" : "");
}

static void
write_columns(const struct saved_query *query, struct strbuf *mdoc)
{
	for (size_t i = 0; i < query->n_columns; i++) {
		const struct result_column *column = &query->columns[i];
		const char *unit = column_bare_unit(column);
		const char *about = column_about(column);

		if (i == 0) {
			begin_list(mdoc, "Columns");
		}
		write_item(mdoc, column->name);
		write_text(mdoc, "%s%s%s%s%s%s%s", column_kinds[column->kind].name,
		           about ? ": " : "", about ? about : "", unit ? " [" : "",
		           unit ? unit : "", unit ? "]" : "",
		           column->better == BETTER_HIGHER ? " (higher is better)" : "");
	}
	strbuf_add_text(mdoc, query->n_columns ? ".El\n" : "");
}

void
write_query(const struct saved_query *query, struct strbuf *mdoc)
{
	write_heading(mdoc, "%s: %s", query->name, query->title);
	if (query->about) {
		write_text(mdoc, "%s", query->about);
	}
	strbuf_add_text(mdoc, ".Pp\n");
	write_line(mdoc, "lanescope query %s [-p NAME=VALUE]... RUN...", query->name);
	strbuf_add_text(mdoc, ".Pp\n");
	write_text(mdoc, "For runs of format %s; %s.", query->formats, query->origin);
	write_parameters(query, mdoc);
	write_columns(query, mdoc);
	if (query_unscoped(query) || query->key || query->measures) {
		strbuf_add_text(mdoc, ".Pp\n");
	}
	if (query_unscoped(query)) {
		write_text(mdoc, "Not scoped: %s.", query_unscoped(query));
	}
	if (query->key) {
		write_text(mdoc, "Key: %s.", query->key);
	}
	if (query->measures) {
		write_text(mdoc, "Measures: %s.", query->measures);
	}
}

/* "duration or size" */
static void
add_kinds(const struct column_meaning *column, struct strbuf *out)
{
	const char *between = "";

	for (unsigned kind = 0; kind < COLUMN_KINDS; kind++) {
		if (column->kinds & 1u << kind) {
			strbuf_printf(out, "%s%s", between, column_kinds[kind].name);
			between = " or ";
		}
	}
}

/* The queries that have it; those that say more of it say it. */
static void
write_users(const struct manual *manual, const struct column_meaning *column, struct strbuf *mdoc)
{
	struct strbuf plain = {0};

	strbuf_add_text(mdoc, ".Ss In saved queries\n.Bl -tag -width makespan_relative -compact\n");
	for (size_t i = 0; i < query_library_count(manual->library); i++) {
		const struct saved_query *query = query_library_get(manual->library, i);
		int place = column_find(query->columns, query->n_columns, slice_of(column->name));
		const char *about = place < 0 ? NULL : query->columns[place].about;

		if (place >= 0 && !about) {
			strbuf_printf(&plain, "%s%s", plain.len ? ", " : "", query->name);
		} else if (about) {
			write_item(mdoc, query->name);
			write_text(mdoc, "%s", about);
		}
	}
	strbuf_add_text(mdoc, ".El\n.Pp\n");
	if (plain.len) {
		write_text(mdoc, "%s", plain.data);
	}
	strbuf_free(&plain);
}

void
write_column(const struct manual *manual, const struct column_meaning *column, struct strbuf *mdoc)
{
	static const char *const better[] = {"", "; lower is better", "; higher is better"};
	struct strbuf names = {0}, kinds = {0};
	const char *name;

	add_kinds(column, &kinds);
	for (size_t i = 1; (name = column_alias(column->name, i)) != NULL; i++) {
		strbuf_printf(&names, "%s%s", i > 1 ? ", " : "", name);
	}
	write_heading(mdoc, "%s", column->name);
	write_text(mdoc, "%s.", column->about);
	write_text(mdoc, "A %s%s%s%s.", kinds.data, column->unit ? " in " : "",
	           column->unit ? column->unit : "", better[column->better]);
	if (names.len) {
		write_text(mdoc, "Also called %s.", names.data);
	}
	write_users(manual, column, mdoc);
	strbuf_free(&names);
	strbuf_free(&kinds);
}

static void
write_names(const struct manual *manual, enum topic_kind kind, const char *title,
            struct strbuf *mdoc)
{
	struct strbuf names = {0};

	for (size_t i = 0; i < manual->n_topics; i++) {
		if (manual->topics[i].kind == kind) {
			strbuf_printf(&names, "%s%s", names.len ? ", " : "",
			              manual->topics[i].name);
		}
	}
	if (names.len) {
		strbuf_printf(mdoc, ".It Sy %s\n", title);
		write_text(mdoc, "%s", names.data);
	}
	strbuf_free(&names);
}

/* What ".Nd" says of a page. */
static struct slice
page_summary(const struct manual_page *page)
{
	struct slice text = page->text, line;

	while (index_line(&text, &line) && !slice_starts_with(line, ".Nd ")) {
	}
	return slice_from(line, 4);
}

void
write_contents(const struct manual *manual, struct strbuf *mdoc)
{
	struct manual_page page;

	strbuf_add_text(mdoc, ".Sh MANUAL\n");
	write_line(mdoc, "lanescope help WORD...");
	strbuf_add_text(mdoc, ".Pp\n");
	write_text(mdoc, "WORD is any of those below, an option, a key of the explorer or its "
	                 "command, a setting, a function, a table, a part of lanescope explain, "
	                 "the title of a section; any other word is looked for in the text. "
	                 "lanescope help PAGE WORD looks in one page alone. In the "
	                 "explorer: :help WORD, and :help contents for this.");
	strbuf_add_text(mdoc, ".Bl -tag -width lanescope-formats\n.It Sy Pages\n"
	                      ".Bl -tag -width lanescope-formats -compact\n");
	for (size_t i = 0; manual_page(i, &page); i++) {
		struct slice summary = page_summary(&page);
		strbuf_printf(mdoc, ".It Cm %.*s\n%.*s\n", (int)page.name.len, page.name.ptr,
		              (int)summary.len, summary.ptr);
	}
	strbuf_add_text(mdoc, ".El\n");
	write_names(manual, TOPIC_COMMAND, "Commands", mdoc);
	write_names(manual, TOPIC_PRODUCER, "Producers of traces", mdoc);
	write_names(manual, TOPIC_FORMAT, "Formats of traces", mdoc);
	write_names(manual, TOPIC_QUERY, "Saved queries", mdoc);
	write_names(manual, TOPIC_COLUMN, "Columns of answers", mdoc);
	strbuf_add_text(mdoc, ".El\n");
}
