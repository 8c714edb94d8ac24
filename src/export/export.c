/*
 * The table of formats, and what they share: a line is put together in memory and written at once;
 * stdio keeps the error of a failed write until the end, where it becomes one message (a full disk
 * is named as such).
 */
#include "config.h"
#include "export/export.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/format.h"
#include "util/order.h"
#include "util/workers.h"

#define PIECE_ROWS 4096
#define PIECES_EACH 4 /* of each thread, so that one waits little for others */

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

/* Rows that one thread puts together at a time. */
struct row_piece {
	struct exporter exporter; /* a line of its own */
	const struct result *result;
	size_t end; /* of its rows */
};

static int
format_piece(void *user, size_t item, unsigned thread, struct err *err)
{
	struct row_piece *piece = &((struct row_piece *)user)[item];
	struct exporter *exporter = &piece->exporter;

	(void)thread;
	(void)err;
	for (; exporter->n_rows < piece->end; exporter->n_rows++) {
		exporter->format->row(exporter, result_value(piece->result, exporter->n_rows, 0));
	}
	return 0;
}

/* Many rows by all threads, written in turn; no more than some pieces are in memory. */
static void
export_rows(struct exporter *exporter, const struct result *result)
{
	unsigned n_threads = result->n_rows > PIECE_ROWS ? workers_count() : 1;
	size_t n_pieces = (size_t)n_threads * PIECES_EACH;
	struct row_piece *pieces = xcalloc(n_pieces, sizeof *pieces);
	struct err ignored = ERR_INIT; /* no piece fails */

	for (size_t i = 0; i < n_pieces; i++) {
		pieces[i] = (struct row_piece){.exporter = *exporter, .result = result};
		pieces[i].exporter.line = (struct strbuf){0};
	}
	write_line(exporter);
	while (exporter->n_rows < result->n_rows && !ferror(exporter->file)) {
		size_t n = 0;
		for (; n < n_pieces && exporter->n_rows < result->n_rows; n++) {
			pieces[n].exporter.n_rows = exporter->n_rows;
			exporter->n_rows = LEAST(exporter->n_rows + PIECE_ROWS, result->n_rows);
			pieces[n].end = exporter->n_rows;
		}
		(void)workers_run(n_threads, n, format_piece, pieces, NULL, &ignored);
		for (size_t i = 0; i < n; i++) {
			write_line(&pieces[i].exporter);
		}
	}
	for (size_t i = 0; i < n_pieces; i++) {
		strbuf_free(&pieces[i].exporter.line);
	}
	free(pieces);
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
	export_rows(&exporter, result);
	return exporter_close(&exporter, err);
}
