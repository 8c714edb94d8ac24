/* Rows as JSON objects, or under their columns as arrays, one by one: they must stream. Infinite
 * reals are null. */
#include "config.h"
#include "export/export.h"

#include <math.h>

#include "util/json_text.h"

static void
add_text(struct exporter *exporter, struct slice text)
{
	json_add_text_as(&exporter->line, text,
	                 exporter->options.escape ? JSON_TEXT_SHOWN : JSON_TEXT_REPAIRED);
}

static void
add_value(struct exporter *exporter, const struct value *value, struct strbuf *scratch)
{
	if (value->type == VALUE_NULL || (value->type == VALUE_REAL && !isfinite(value->real))) {
		strbuf_add_text(&exporter->line, "null");
	} else if (value->type == VALUE_TEXT || value->type == VALUE_BLOB) {
		add_text(exporter, export_raw(value, scratch));
	} else {
		strbuf_add_slice(&exporter->line, export_raw(value, scratch));
	}
}

static void
add_object(struct exporter *exporter, const struct value *values)
{
	struct strbuf scratch = {0}, *line = &exporter->line;
	strbuf_add_char(line, '{');
	for (size_t i = 0; i < exporter->n_columns; i++) {
		strbuf_add_text(line, i ? ", " : "");
		add_text(exporter, slice_of(exporter->columns[i].name));
		strbuf_add_text(line, ": ");
		add_value(exporter, &values[i], &scratch);
	}
	strbuf_add_char(line, '}');
	strbuf_free(&scratch);
}

void
export_json_begin(struct exporter *exporter)
{
	strbuf_add_char(&exporter->line, '[');
}

void
export_json_row(struct exporter *exporter, const struct value *values)
{
	strbuf_add_text(&exporter->line, exporter->n_rows ? ",\n " : "");
	add_object(exporter, values);
}

void
export_json_end(struct exporter *exporter)
{
	strbuf_add_text(&exporter->line, "]\n");
}

void
export_jsonl_row(struct exporter *exporter, const struct value *values)
{
	add_object(exporter, values);
	strbuf_add_char(&exporter->line, '\n');
}

/* ---- frame: what the columns are, then rows as arrays ---- */

static void
add_member(struct exporter *exporter, const char *name, const char *text)
{
	strbuf_printf(&exporter->line, ", \"%s\": ", name);
	if (text) {
		add_text(exporter, slice_of(text));
	} else {
		strbuf_add_text(&exporter->line, "null");
	}
}

void
export_frame_begin(struct exporter *exporter)
{
	static const char *const better[] = {"none", "lower", "higher"};
	struct strbuf *line = &exporter->line;
	strbuf_add_text(line, "{\"columns\": [");
	for (size_t i = 0; i < exporter->n_columns; i++) {
		const struct result_column *column = &exporter->columns[i];
		strbuf_add_text(line, i ? ",\n  {\"name\": " : "\n  {\"name\": ");
		add_text(exporter, slice_of(column->name));
		add_member(exporter, "kind", column_kinds[column->kind].name);
		add_member(exporter, "unit", column_unit(column));
		strbuf_printf(line, ", \"key\": %s, \"measure\": %s",
		              column->is_key ? "true" : "false",
		              column->is_measure ? "true" : "false");
		add_member(exporter, "better", better[column->better]);
		add_member(exporter, "about", column_about(column));
		strbuf_add_char(line, '}');
	}
	strbuf_add_text(line, "],\n \"rows\": [");
}

void
export_frame_row(struct exporter *exporter, const struct value *values)
{
	struct strbuf scratch = {0}, *line = &exporter->line;
	strbuf_add_text(line, exporter->n_rows ? ",\n  [" : "\n  [");
	for (size_t i = 0; i < exporter->n_columns; i++) {
		strbuf_add_text(line, i ? ", " : "");
		add_value(exporter, &values[i], &scratch);
	}
	strbuf_add_char(line, ']');
	strbuf_free(&scratch);
}

void
export_frame_end(struct exporter *exporter)
{
	strbuf_add_text(&exporter->line, "]}\n");
}
