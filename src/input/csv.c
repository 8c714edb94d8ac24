/*
 * Nearly every line of a trace is a record without quotes: it is cut at its delimiters where it
 * stands. A line with a quote goes the long way: lines are joined until the quotes are closed, and
 * doubled quotes are undone into a buffer of their own.
 *
 * A quote that is never closed would swallow the rest of the input, and one that only another bad
 * line closes all that is good between them. So lines that were joined stay in a buffer until their
 * record is done with: where it turns out to be none, the first line alone is the broken one, and
 * the others are read again, from the buffer. Two lines that leave a quote open close each other,
 * so that a line is looked at a few times at most.
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
	strbuf_free(&csv->lines);
	strbuf_free(&csv->decoded);
}

static void
add_field(struct csv *csv, const char *start, size_t length)
{
	if (csv->n_fields == CSV_FIELD_LIMIT) {
		csv->problem = "more fields than are read";
		return;
	}
	MEM_GROW(csv->fields, csv->fields_capacity, csv->n_fields + 1);
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

/* A quoted field that begins at *at, the opening quote; moves behind the closing one. False: it is
 * not closed. */
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

/* People put blanks around quoted fields. */
static const char *
skip_blanks(const struct csv *csv, const char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '\t') && *at != csv->delimiter) {
		at++;
	}
	return at;
}

/* False: a quoted field is not closed, the record may go on in the next line. */
static bool
split_quoted(struct csv *csv, struct slice text)
{
	const char *at = text.ptr, *end = text.ptr + text.len, *found;

	csv->n_fields = 0;
	strbuf_clear(&csv->decoded);
	strbuf_add_slice(&csv->decoded, text); /* room for all: fields must not move */
	strbuf_clear(&csv->decoded);
	while (!csv->problem) {
		const char *quote = skip_blanks(csv, at, end);
		if (quote < end && *quote == '"') {
			at = quote;
			if (!take_quoted(csv, &at, end)) {
				return false;
			}
			at = skip_blanks(csv, at, end);
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

/* Does this line of a quoted field end it (and whatever it opens)? Wrong quotes are found when all
 * is split. */
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

/* ---- lines, of which some are read again ---- */

static bool
reads_again(const struct csv *csv)
{
	return csv->lines_at < csv->lines.len;
}

static uint64_t
position(const struct csv *csv)
{
	return reads_again(csv) ? csv->lines_offset + csv->lines_at : input_offset(csv->input);
}

/* 1: a line, 0: the end, -1: err. */
static int
take_line(struct csv *csv, struct slice *line, bool *cut, struct err *err)
{
	if (!reads_again(csv)) {
		return input_line(csv->input, line, cut, err);
	}
	const char *start = csv->lines.data + csv->lines_at;
	const char *newline = memchr(start, '\n', csv->lines.len - csv->lines_at);
	*line = (struct slice){start, (size_t)(newline - start)};
	*cut = false;
	csv->lines_at += line->len + 1;
	return 1;
}

/* The line at hand, which begins at `offset` of the input, and of the buffer if it stands there,
 * gets company: it, too, is kept from now on. Returns where it begins in the buffer. */
static size_t
keep_line(struct csv *csv, struct slice line, uint64_t offset)
{
	bool stands_there = csv->lines.len > 0 && line.ptr >= csv->lines.data &&
	                    line.ptr < csv->lines.data + csv->lines.len;
	size_t start = stands_there ? (size_t)(line.ptr - csv->lines.data) : 0;

	if (!stands_there) {
		strbuf_clear(&csv->lines);
		strbuf_add_slice(&csv->lines, line);
		strbuf_add_char(&csv->lines, '\n');
		csv->lines_at = csv->lines.len;
		csv->lines_offset = offset;
	} else if (start > csv->lines.len / 2) { /* what lies before it is done with */
		csv->lines.len -= start;
		csv->lines_at -= start;
		csv->lines_offset += start;
		memmove(csv->lines.data, csv->lines.data + start, csv->lines.len);
		start = 0;
	}
	return start;
}

/* The record gets one line more. 1, 0 at the end of the input, -1 with err. */
static int
add_line(struct csv *csv, bool *closes, struct err *err)
{
	struct slice line;
	bool cut = false, is_new = !reads_again(csv);
	int more = take_line(csv, &line, &cut, err);

	if (more <= 0) {
		return more;
	}
	*closes = toggles_quotes(line);
	csv->next_line++;
	if (is_new) {
		strbuf_add_slice(&csv->lines, line);
		strbuf_add_char(&csv->lines, '\n');
		csv->lines_at = csv->lines.len;
	}
	return 1;
}

/* Reads lines to the one that left a quote open, until one closes it. 0, or -1 with err. */
static int
join_lines(struct csv *csv, struct slice line, uint64_t offset, struct err *err)
{
	size_t length = line.len, start = keep_line(csv, line, offset);
	bool closes = false;

	csv->second = start + length + 1;
	csv->second_line = csv->next_line;
	while (!closes && csv->lines_at - start <= CSV_RECORD_LIMIT) {
		int more = add_line(csv, &closes, err);
		if (more < 0) {
			return -1;
		}
		if (more == 0) {
			break;
		}
	}
	csv->text =
	    without_return((struct slice){csv->lines.data + start, csv->lines_at - start - 1});
	if (!closes || !split_quoted(csv, csv->text) || csv->problem) {
		(void)csv_split_lines(csv);
	}
	return 0;
}

bool
csv_split_lines(struct csv *csv)
{
	if (csv->second_line == 0) {
		return false;
	}
	const char *newline = memchr(csv->text.ptr, '\n', csv->text.len);
	csv->text.len = newline ? (size_t)(newline - csv->text.ptr) : csv->text.len;
	csv->text = without_return(csv->text);
	csv->n_fields = 0;
	csv->problem = "a quote is not closed";
	csv->lines_at = csv->second;
	csv->next_line = csv->second_line;
	csv->second_line = 0;
	csv->is_open = csv->is_open && !reads_again(csv);
	return true;
}

/* Makes the record that begins with this line, at `offset` of the input. */
static int
read_record(struct csv *csv, struct slice line, uint64_t offset, struct err *err)
{
	csv->n_fields = 0;
	csv->text = without_return(line);
	if (line.len == 0 || !memchr(line.ptr, '"', line.len)) {
		split_plain(csv, csv->text);
		return 0;
	}
	return split_quoted(csv, csv->text) ? 0 : join_lines(csv, line, offset, err);
}

int
csv_next(struct csv *csv, struct err *err)
{
	struct slice line;
	bool cut = false;
	size_t mark_bytes = 0;

	csv->problem = NULL;
	csv->second_line = 0;
	do {
		csv->offset = position(csv);
		csv->line = csv->next_line;
		int more = take_line(csv, &line, &cut, err);
		if (more <= 0) {
			csv->n_fields = 0;
			return more;
		}
		csv->next_line++;
		mark_bytes = line.len;
		line = csv->line == 1 ? slice_behind_mark(line) : line;
		mark_bytes -= line.len;
	} while (slice_trim(line, " \t\r").len == 0);
	if (cut || line.len > CSV_RECORD_LIMIT) {
		csv->text = line;
		csv->n_fields = 0;
		csv->problem = "longer than is read";
	} else if (read_record(csv, line, csv->offset + mark_bytes, err)) {
		return -1;
	}
	csv->is_open = !reads_again(csv) && input_last_line_open(csv->input);
	return 1;
}
