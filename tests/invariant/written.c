/* CSV is written by the program's own exporter and read again here. */
#include "config.h"
#include "tests/invariant/written.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/export.h"
#include "input/csv.h"

struct totals
totals_of_figures(const struct span_figures *figures)
{
	return (struct totals){.count = (double)figures->n_calls,
	                       .rows = (double)figures->n,
	                       .duration = (double)figures->inside_ns,
	                       .whole = (double)figures->duration_ns,
	                       .self = (double)figures->self_ns,
	                       .size = (double)figures->size_bytes};
}

/* ---- reading CSV ---- */

/* The next field, without its quotes. True: it is its record's last. */
static bool
next_field(const char **at, struct strbuf *field)
{
	bool is_quoted = false, is_last;

	strbuf_clear(field);
	while (**at && (is_quoted || (**at != ',' && **at != '\n'))) {
		size_t plain = strcspn(*at, is_quoted ? "\"" : "\",\n");

		strbuf_add(field, *at, plain);
		*at += plain;
		is_quoted = **at == '"' ? !is_quoted : is_quoted;
		*at += **at == '"';
	}
	is_last = **at != ',';
	*at += **at != '\0';
	return is_last;
}

struct span_record {
	double inside, self, size, calls, call_sum; /* NAN: it stands empty */
};

static void
take_field(struct span_record *record, const char *column, const struct strbuf *field)
{
	double *into = strcmp(column, "inside") == 0     ? &record->inside
	               : strcmp(column, "self") == 0     ? &record->self
	               : strcmp(column, "size") == 0     ? &record->size
	               : strcmp(column, "calls") == 0    ? &record->calls
	               : strcmp(column, "call_sum") == 0 ? &record->call_sum
	                                                 : NULL;

	if (into) {
		*into = field->len > 0 ? strtod(field->data, NULL) : NAN;
	}
}

static void
add_record(struct totals *totals, const struct span_record *record)
{
	bool is_many = !isnan(record->calls);

	totals->has_many = totals->has_many || is_many;
	totals->rows++;
	totals->count += is_many ? record->calls : 1;
	totals->duration += is_many ? record->call_sum : record->inside;
	totals->self += record->self;
	totals->size += isnan(record->size) ? 0 : record->size;
}

/* Lines behind the first, which holds names. */
static void
read_spans(const char *at, struct totals *totals)
{
	struct strbuf field = {0};

	at += strcspn(at, "\n");
	at += *at == '\n';
	while (*at) {
		struct span_record record = {0};
		bool is_last = false;

		for (size_t i = 0; i < SPAN_COLUMNS && !is_last; i++) {
			is_last = next_field(&at, &field);
			take_field(&record, span_columns[i].name, &field);
		}
		add_record(totals, &record);
	}
	strbuf_free(&field);
}

/* ---- writing it ---- */

static int
put_row(void *exporter, const struct value *values, struct err *err)
{
	(void)err;
	exporter_row(exporter, values);
	return 0;
}

int
totals_of_export(const struct span_list *list, const struct span_figures *figures,
                 struct totals *totals, struct err *err)
{
	struct export_options options = {.header = true};
	struct exporter exporter;
	char *text = NULL;
	size_t length;
	FILE *file = open_memstream(&text, &length);
	int rc, rc_close;

	*totals = (struct totals){0};
	exporter_open(&exporter, export_format_find("csv", err), &options, file, span_columns,
	              SPAN_COLUMNS);
	rc = span_list_read(list, figures, INT64_MAX, put_row, &exporter, err);
	rc_close = exporter_close(&exporter, err);
	fclose(file);
	if (rc == 0 && rc_close == 0) {
		read_spans(text, totals);
	}
	free(text);
	return rc ? rc : rc_close;
}

double
rows_of_export(const struct result *result)
{
	struct export_options options = {0};
	struct strbuf field = {0};
	struct err err = ERR_INIT;
	char *text = NULL;
	size_t length;
	FILE *file = open_memstream(&text, &length);
	double rows = 0;
	int rc = export_result(result, export_format_find("csv", &err), &options, file, &err);

	fclose(file);
	for (const char *at = text; rc == 0 && *at;) {
		rows += next_field(&at, &field) ? 1 : 0;
	}
	strbuf_free(&field);
	free(text);
	return rows;
}
