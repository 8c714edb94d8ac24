/*
 * The table of formats, and what they share: a line is put together in memory and written at once;
 * stdio keeps the error of a failed write until the end, where it becomes one message (a full disk
 * is named as such).
 */
#include "config.h"
#include "export/export.h"

#include <errno.h>
#include <string.h>

#include "util/format.h"

const struct export_format export_formats[] = {
    {"table", "txt", "aligned columns, for people (default on a terminal)", NULL, NULL, NULL,
     export_table},
    {"csv", "csv", "RFC 4180, raw values (default elsewhere)", export_csv_begin, export_csv_row,
     NULL, NULL},
    {"tsv", "tsv", "tab-separated, backslash escapes", export_tsv_begin, export_tsv_row, NULL,
     NULL},
    {"json", "json", "an array of objects", export_json_begin, export_json_row, export_json_end,
     NULL},
    {"jsonl", "jsonl", "an object a line", NULL, export_jsonl_row, NULL, NULL},
    {"frame", "frame", "JSON: what the columns are, then rows as arrays; for programs",
     export_frame_begin, export_frame_row, export_frame_end, NULL},
    {"md", "md", "a Markdown table, for people", NULL, NULL, NULL, export_markdown},
    {NULL, NULL, NULL, NULL, NULL, NULL, NULL},
};

const struct export_format *
export_format_find(const char *name, struct err *err)
{
	struct strbuf list = {0};
	for (const struct export_format *format = export_formats; format->name; format++) {
		if (strcmp(format->name, name) == 0) {
			strbuf_free(&list);
			return format;
		}
		strbuf_printf(&list, "%s%s", list.len ? ", " : "", format->name);
	}
	err_set(err, ERR_USAGE, "no output format \"%s\"; there are: %s", name, list.data);
	strbuf_free(&list);
	return NULL;
}

void
exporter_open(struct exporter *exporter, const struct export_format *format,
              const struct export_options *options, FILE *file, const struct result_column *columns,
              size_t n_columns)
{
	*exporter = (struct exporter){.format = format,
	                              .options = *options,
	                              .file = file,
	                              .columns = columns,
	                              .n_columns = n_columns};
	if (format->begin) {
		format->begin(exporter);
	}
}

static void
write_line(struct exporter *exporter)
{
	if (exporter->line.len) {
		(void)fwrite(exporter->line.data, 1, exporter->line.len,
		             exporter->file); /* ferror is asked at the end */
		strbuf_clear(&exporter->line);
	}
}

void
exporter_row(struct exporter *exporter, const struct value *values)
{
	exporter->format->row(exporter, values);
	exporter->n_rows++;
	if (exporter->line.len > 1 << 16) {
		write_line(exporter);
	}
}

int
exporter_close(struct exporter *exporter, struct err *err)
{
	if (!ferror(exporter->file)) { /* else it says why */
		errno = 0;
	}
	if (exporter->format->end) {
		exporter->format->end(exporter);
	}
	write_line(exporter);
	strbuf_free(&exporter->line);
	if (fflush(exporter->file) != 0 || ferror(exporter->file)) {
		return err_set_errno(err, errno ? errno : EIO, "can't write the output");
	}
	return 0;
}

int
export_result(const struct result *result, const struct export_format *format,
              const struct export_options *options, FILE *file, struct err *err)
{
	struct exporter exporter;
	exporter_open(&exporter, format, options, file, result->columns, result->n_columns);
	if (format->whole) {
		format->whole(&exporter, result);
		return exporter_close(&exporter, err);
	}
	for (size_t i = 0; i < result->n_rows && !ferror(file); i++) {
		exporter_row(&exporter, result_value(result, i, 0));
	}
	return exporter_close(&exporter, err);
}
