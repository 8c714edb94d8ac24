/*
 * Nearly every line of a trace is a record without quotes: it is cut at its delimiters where it stands. A line with a quote goes
 * the long way: lines are joined until the quotes are closed, and doubled quotes are undone into a buffer of their own.
 *
 * A quote that is never closed would swallow the rest of the input; the joined record has a limit, and what lies behind it is read
 * as records again.
 */
#include "config.h"
#include "input/csv.h"

#include <stdlib.h>

#include "util/mem.h"

void
csv_open(struct csv *csv, struct input *input, char delimiter)
{
	*csv = (struct csv){.input = input, .delimiter = delimiter, .next_line = 1};
}

void
csv_close(struct csv *csv)
{
	free(csv->fields);
	strbuf_free(&csv->joined);
	strbuf_free(&csv->decoded);
}

static void
add_field(struct csv *csv, const char *start, size_t length)
{
	if (csv->n_fields == CSV_FIELD_LIMIT) {
		csv->problem = "more fields than are read";
		return;
	}
	csv->fields =
	    mem_grow(csv->fields, &csv->fields_capacity, csv->n_fields + 1, sizeof *csv->fields);
	csv->fields[csv->n_fields++] = (struct slice){start, length};
}

static void
split_plain(struct csv *csv, struct slice text)
{
	const char *at = text.ptr, *end = text.ptr + text.len, *found;

	while (!csv->problem && (found = memchr(at, csv->delimiter, (size_t)(end - at))) != NULL) {
		add_field(csv, at, (size_t)(found - at));
		at = found + 1;
	}
	add_field(csv, at, (size_t)(end - at));
}

/* A quoted field that begins at *at, the opening quote; moves behind the closing one. False: it is not closed. */
static bool
take_quoted(struct csv *csv, const char **at, const char *end)
{
	const char *start = *at + 1, *quote = start;
	size_t before = csv->decoded.len;
	bool is_doubled = false;

	for (;;) {
		quote = memchr(quote, '"', (size_t)(end - quote));
		if (!quote) {
			return false;
		}
		if (quote + 1 == end || quote[1] != '"') {
			break;
		}
		strbuf_add(&csv->decoded, start, (size_t)(quote + 1 - start));
		is_doubled = true;
		quote += 2;
		start = quote;
	}
	*at = quote + 1;
	if (!is_doubled) {
		add_field(csv, start, (size_t)(quote - start));
		return true;
	}
	strbuf_add(&csv->decoded, start, (size_t)(quote - start));
	add_field(csv, csv->decoded.data + before, csv->decoded.len - before);
	return true;
}

/* False: a quoted field is not closed, the record may go on in the next line. */
static bool
split_quoted(struct csv *csv, struct slice text)
{
	const char *at = text.ptr, *end = text.ptr + text.len, *found;

	csv->n_fields = 0;
	strbuf_clear(&csv->decoded);
	strbuf_add(&csv->decoded, text.ptr, text.len); /* room for all: fields must not move */
	strbuf_clear(&csv->decoded);
	while (!csv->problem) {
		if (at < end && *at == '"') {
			if (!take_quoted(csv, &at, end)) {
				return false;
			}
			if (at < end && *at != csv->delimiter) {
				csv->problem = "text behind a closing quote";
			}
		} else {
			found = memchr(at, csv->delimiter, (size_t)(end - at));
			found = found ? found : end;
			add_field(csv, at, (size_t)(found - at));
			if (memchr(at, '"', (size_t)(found - at))) {
				csv->problem = "a quote inside a field without quotes";
			}
			at = found;
		}
		if (at == end) {
			break;
		}
		at++;
	}
	return true;
}

/* Does this line of a quoted field end it (and whatever it opens)? Wrong quotes are found when all is split. */
static bool
toggles_quotes(struct slice text)
{
	const char *at = text.ptr, *end = text.ptr + text.len;
	bool odd = false;

	while ((at = memchr(at, '"', (size_t)(end - at))) != NULL) {
		odd = !odd;
		at++;
	}
	return odd;
}

static struct slice
without_return(struct slice line)
{
	line.len -= line.len && line.ptr[line.len - 1] == '\r';
	return line;
}

/* Puts lines to the one that left a quote open, until one closes it. 0, or -1 with err. */
static int
join_lines(struct csv *csv, struct slice line, struct err *err)
{
	bool cut = false;
	int more = 1;

	csv->n_fields = 0; /* those of the first line go with it */
	strbuf_clear(&csv->joined);
	strbuf_add(&csv->joined, line.ptr, line.len);
	while (csv->joined.len <= CSV_RECORD_LIMIT) {
		more = input_line(csv->input, &line, &cut, err);
		if (more <= 0) {
			csv->problem = "a quote is not closed";
			return more;
		}
		csv->next_line++;
		strbuf_add_char(&csv->joined, '\n');
		strbuf_add(&csv->joined, line.ptr, line.len);
		if (toggles_quotes(line)) {
			return 0;
		}
	}
	csv->problem = "longer than is read; maybe a quote is not closed";
	return 0;
}

/* Makes the record that begins with this line. */
static int
read_record(struct csv *csv, struct slice line, struct err *err)
{
	csv->n_fields = 0;
	if (line.len == 0 || !memchr(line.ptr, '"', line.len)) {
		csv->text = without_return(line);
		split_plain(csv, csv->text);
		return 0;
	}
	csv->text = without_return(line);
	if (split_quoted(csv, csv->text)) {
		return 0;
	}
	if (join_lines(csv, line, err) != 0) {
		return -1;
	}
	csv->text = without_return(strbuf_slice(&csv->joined));
	if (!csv->problem && !split_quoted(csv, csv->text)) {
		csv->problem = "a quote is not closed";
	}
	return 0;
}

static bool
is_blank(struct slice line)
{
	for (size_t i = 0; i < line.len; i++) {
		if (line.ptr[i] != ' ' && line.ptr[i] != '\t' && line.ptr[i] != '\r') {
			return false;
		}
	}
	return true;
}

int
csv_next(struct csv *csv, struct err *err)
{
	struct slice line;
	bool cut;

	csv->problem = NULL;
	for (;;) {
		csv->offset = input_offset(csv->input);
		csv->line = csv->next_line;
		int more = input_line(csv->input, &line, &cut, err);
		if (more <= 0) {
			csv->n_fields = 0;
			return more;
		}
		csv->next_line++;
		if (csv->line == 1 && line.len >= 3 && memcmp(line.ptr, "\xef\xbb\xbf", 3) == 0) {
			line.ptr += 3;
			line.len -= 3;
		}
		if (!is_blank(line)) {
			break;
		}
	}
	if (cut || line.len > CSV_RECORD_LIMIT) {
		csv->text = line;
		csv->n_fields = 0;
		csv->problem = "longer than is read";
	} else if (read_record(csv, line, err) != 0) {
		return -1;
	}
	csv->is_open = input_last_line_open(csv->input);
	return 1;
}
