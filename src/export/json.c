/* Rows as JSON objects, one by one: they must stream. Infinite reals are null. */
#include "config.h"
#include "export/export.h"

#include <math.h>

#include "util/json_text.h"

static void
add_object(struct exporter *exporter, const struct value *values)
{
	struct strbuf scratch = {0}, *line = &exporter->line;
	enum json_texts texts = exporter->options.escape ? JSON_TEXT_SHOWN : JSON_TEXT_REPAIRED;
	strbuf_add_char(line, '{');
	for (size_t i = 0; i < exporter->n_columns; i++) {
		strbuf_add_text(line, i ? ", " : "");
		json_add_text_as(line, slice_of(exporter->columns[i].name), texts);
		strbuf_add_text(line, ": ");
		const struct value *value = &values[i];
		if (value->type == VALUE_NULL ||
		    (value->type == VALUE_REAL && !isfinite(value->real))) {
			strbuf_add_text(line, "null");
		} else if (value->type == VALUE_TEXT || value->type == VALUE_BLOB) {
			json_add_text_as(line, export_raw(value, &scratch), texts);
		} else {
			struct slice raw = export_raw(value, &scratch);
			strbuf_add_slice(line, raw);
		}
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
