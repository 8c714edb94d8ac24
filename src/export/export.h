/*
 * Results as text: table, csv, tsv, json, jsonl, frame, md. CSV, TSV and JSON hold the values as
 * they are (integers, ns, bytes); table and Markdown show them as people read them. Output goes to
 * a FILE of the caller's; a write that fails is an error, said once, at the end.
 * Used by cli, ui/app, ui/timeline.
 */
#ifndef LANESCOPE_EXPORT_EXPORT_H
#define LANESCOPE_EXPORT_EXPORT_H

#include <stdio.h>
#include "query/saved/query.h"
#include "util/slice.h"

struct export_options {
	bool header; /* names of the columns */
	/* output is a terminal: control bytes of texts are shown as \x1b and the like, whatever the
	 * format */
	bool escape;
	/* CSV and TSV: an apostrophe before texts that spreadsheets take for formulas */
	bool safe;
	bool ascii; /* no UTF-8 of our own in tables */
	/* columns a table may take, 0: any; what does not fit is shortened, then left out, and that
	 * is said */
	size_t width;
};

struct exporter;
struct export_format {
	const char *name, *extension, *summary;
	/* Row by row; NULL for formats that must see the whole result first. */
	void (*begin)(struct exporter *exporter);
	void (*row)(struct exporter *exporter, const struct value *values);
	void (*end)(struct exporter *exporter);
	void (*whole)(struct exporter *exporter, const struct result *result);
};
extern const struct export_format export_formats[]; /* the last has no name */
const struct export_format *export_format_find(const char *name,
                                               struct err *err); /* error lists them */

struct exporter {
	const struct export_format *format;
	struct export_options options;
	FILE *file;
	const struct result_column *columns;
	size_t n_columns, n_rows;
	struct strbuf line; /* being put together */
};

/* Formats with a row function only. columns must stay until exporter_close. */
void exporter_open(struct exporter *exporter, const struct export_format *format,
                   const struct export_options *options, FILE *file,
                   const struct result_column *columns, size_t n_columns);
void exporter_row(struct exporter *exporter, const struct value *values);
int exporter_close(struct exporter *exporter, struct err *err);

/* Any format. */
int export_result(const struct result *result, const struct export_format *format,
                  const struct export_options *options, FILE *file, struct err *err);

/* Of the formats, for formats.c. */
void export_csv_begin(struct exporter *exporter);
void export_csv_row(struct exporter *exporter, const struct value *values);
void export_tsv_begin(struct exporter *exporter);
void export_tsv_row(struct exporter *exporter, const struct value *values);
void export_json_begin(struct exporter *exporter);
void export_json_row(struct exporter *exporter, const struct value *values);
void export_json_end(struct exporter *exporter);
void export_jsonl_row(struct exporter *exporter, const struct value *values);
void export_frame_begin(struct exporter *exporter);
void export_frame_row(struct exporter *exporter, const struct value *values);
void export_frame_end(struct exporter *exporter);
void export_table(struct exporter *exporter, const struct result *result);
void export_markdown(struct exporter *exporter, const struct result *result);

/* A cell as people read it, in tables: escaped, "-" for NULL, nothing in a row of sums. number, of
 * FORMAT_BYTES, and scratch hold what is not lent. */
struct slice export_shown(const struct result *result, size_t row, size_t column, char *number,
                          struct strbuf *scratch);
/* Text that means nothing but itself in Markdown, within a line. */
void export_markdown_text(struct strbuf *line, struct slice text);

/* A value's text for CSV and TSV: integers, shortest exact reals, blobs as hexadecimal digits.
 * Scratch holds what is not lent. */
struct slice export_raw(const struct value *value, struct strbuf *scratch);

#endif
