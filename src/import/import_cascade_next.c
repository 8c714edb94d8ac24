/*
 * The text of the next row. Most traces are lines; a table that was written as one JSON array has
 * its rows wherever the writer broke the lines, if at all.
 *
 * An array is not parsed as one document, as then one broken row would end it: the text of each
 * object is cut out by its braces (those within strings apart), and read like a line. What lies
 * between objects and is neither comma nor bracket is given line by line, and so is the first line
 * of an object that does not end: reading goes on with the line behind it.
 */
#include "config.h"
#include "import/import_cascade.h"

#include "util/ascii.h"
#include "util/order.h"

#define BLANKS " \t\r\n"

#define HEAD_BYTES ((size_t)64 << 10)
#define OBJECT_LIMIT ((size_t)1 << 20)
#define DEPTH_MOST                                                                                 \
	16u /* of a row; what opens more does not end, so that no line is looked at often */

int
cascade_look(struct cascade_trace *trace, struct err *err)
{
	struct slice head;

	trace->next_line = 1;
	if (input_peek(trace->input, HEAD_BYTES, &head, err)) {
		return -1;
	}
	struct slice whole = head;
	head = slice_behind_mark(head);
	trace->to_consume = whole.len - head.len;
	for (size_t i = 0; i < head.len;) { /* the first line that begins with a bracket decides */
		const char *newline = memchr(head.ptr + i, '\n', head.len - i);
		size_t end = newline ? (size_t)(newline - head.ptr) : head.len;
		struct slice line = slice_trim((struct slice){head.ptr + i, end - i}, BLANKS);
		if (line.len && (line.ptr[0] == '{' || line.ptr[0] == '[')) {
			struct slice rest =
			    slice_trim((struct slice){line.ptr + 1,
			                              head.len - (size_t)(line.ptr + 1 - head.ptr)},
			               BLANKS);
			trace->is_array = line.ptr[0] == '[' && rest.len && rest.ptr[0] == '{';
			trace->is_json =
			    trace->is_array ||
			    (line.ptr[0] == '{' && slice_contains(line, slice_of("\"action\"")));
			if (trace->is_json) {
				break;
			}
		}
		if (slice_contains(line, slice_of("tracing"))) {
			break; /* a log */
		}
		i = end + 1;
	}
	return 0;
}

/* Bytes of the object that the text begins with; 0: it does not end here, or a string of it does
 * not end in its line. *is_broken: nor will it behind. */
static size_t
object_length(struct slice text, bool *is_broken)
{
	unsigned depth = 0;
	bool in_string = false;

	*is_broken = false;
	for (size_t i = 0; i < text.len; i++) {
		char c = text.ptr[i];
		if (in_string) {
			if (c == '\n') {
				*is_broken = true;
				return 0;
			}
			i += c == '\\';
			in_string = c != '"';
		} else if (c == '"') {
			in_string = true;
		} else if (c == '{' && ++depth > DEPTH_MOST) {
			*is_broken = true;
			return 0;
		} else if (c == '}' && --depth == 0) {
			return i + 1;
		}
	}
	return 0;
}

static size_t
line_length(struct slice text)
{
	const char *newline = memchr(text.ptr, '\n', text.len);
	return newline ? (size_t)(newline - text.ptr) : text.len;
}

/* What is no object goes to the end of its line, or to an object on it. */
static size_t
garbage_length(struct slice text)
{
	size_t length = line_length(text);
	const char *brace = memchr(text.ptr, '{', length);
	return brace ? (size_t)(brace - text.ptr) : length;
}

static size_t
count_newlines(struct slice text)
{
	size_t n = 0;

	for (size_t i = 0; i < text.len; i++) {
		n += text.ptr[i] == '\n';
	}
	return n;
}

/* Passes over what may stand between objects. 1, 0 at the end, -1. */
static int
come_to_object(struct cascade_trace *trace, struct slice *bytes, struct err *err)
{
	for (;;) {
		size_t i = 0;
		input_consume(trace->input, trace->to_consume);
		trace->to_consume = 0;
		int more = input_fill(trace->input, 1, bytes, err);
		if (more <= 0) {
			return more;
		}
		while (i < bytes->len &&
		       (is_blank(bytes->ptr[i]) || strchr(",[]", bytes->ptr[i])) && bytes->ptr[i]) {
			trace->next_line += bytes->ptr[i++] == '\n';
		}
		if (i < bytes->len) {
			input_consume(trace->input, i);
			return input_fill(trace->input, 1, bytes, err);
		}
		trace->to_consume = i;
	}
}

static int
next_object(struct cascade_trace *trace, struct slice *text, bool *is_cut, struct err *err)
{
	struct slice bytes = {0};
	int more = come_to_object(trace, &bytes, err);
	bool is_broken = false, is_object = more > 0 && bytes.ptr[0] == '{';
	size_t length = 0, had = 0;

	trace->line = trace->next_line;
	trace->offset = input_offset(trace->input);
	while (more > 0) {
		length = is_object ? object_length(bytes, &is_broken) : garbage_length(bytes);
		bool is_whole = is_object ? length > 0 || is_broken : length < bytes.len;
		if (is_whole || bytes.len == had || bytes.len >= OBJECT_LIMIT) {
			trace->is_open = !is_whole && bytes.len == had;
			break;
		}
		had = bytes.len;
		more = input_fill(trace->input, LEAST(2 * had, OBJECT_LIMIT), &bytes, err);
	}
	if (more <= 0) {
		return more;
	}
	*is_cut = is_object && length == 0;
	length = length ? length : line_length(bytes);
	trace->next_line += count_newlines((struct slice){bytes.ptr, length});
	trace->to_consume = length;
	*text = slice_trim((struct slice){bytes.ptr, length}, BLANKS);
	return 1;
}

static int
next_line(struct cascade_trace *trace, struct slice *text, bool *is_cut, struct err *err)
{
	input_consume(trace->input, trace->to_consume);
	trace->to_consume = 0;
	do {
		trace->line = trace->next_line;
		trace->offset = input_offset(trace->input);
		int more = input_line(trace->input, text, is_cut, err);
		if (more <= 0) {
			return more;
		}
		trace->next_line++;
		*text = slice_trim(*text, BLANKS);
	} while (text->len == 0);
	trace->is_open = input_last_line_open(trace->input);
	return 1;
}

int
cascade_next(struct cascade_trace *trace, struct slice *text, bool *is_cut, struct err *err)
{
	uint64_t line = trace->line;
	int more = trace->is_array ? next_object(trace, text, is_cut, err)
	                           : next_line(trace, text, is_cut, err);

	trace->text = more > 0 ? *text : (struct slice){0};
	trace->line = more > 0 ? trace->line : line;
	return more;
}
