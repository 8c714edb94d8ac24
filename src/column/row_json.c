/*
 * A row's arguments as JSON again. Each column is one key and one JSON type, so 1 and "1", true and
 * null, and unsigned numbers come back as they were; members stand in the order of keys. A block's
 * argument columns are fetched once and decoded in chunks, so that going through rows in order
 * costs what a scan costs.
 */
#include "config.h"
#include "column/row_read.h"

#include <math.h>
#include <stdlib.h>

#include "util/format.h"
#include "util/mem.h"
#include "util/utf8.h"

struct row_args {
	const struct dataset *dataset;
	enum block_kind kind;
	struct block_fields fields;
	struct block_reader *reader;
	struct block_view *view;
	size_t block; /* that is open; SIZE_MAX: none */
};

struct row_args *
row_args_new(const struct dataset *dataset, enum block_kind kind)
{
	struct row_args *args = xcalloc(1, sizeof *args);

	args->dataset = dataset;
	args->kind = kind;
	args->block = SIZE_MAX;
	return args;
}

static void
close_block(struct row_args *args)
{
	block_reader_free(args->reader);
	args->reader = NULL;
	args->view = NULL;
	args->block = SIZE_MAX;
	args->fields.n = 0;
}

void
row_args_free(struct row_args *args)
{
	if (args) {
		close_block(args);
		block_fields_free(&args->fields);
		free(args);
	}
}

static int
open_block(struct row_args *args, size_t block, struct err *err)
{
	const struct block_info *info = &args->dataset->blocks[args->kind][block];
	struct block_fields *fields = &args->fields;

	close_block(args);
	for (uint32_t i = 0; i < info->n_columns; i++) {
		uint32_t field = info->columns[i].field;
		if (field < FIELD_ARG) {
			continue;
		}
		if ((field - FIELD_ARG) / ARG_TYPES >= args->dataset->n_keys) {
			return err_set(err, ERR_FORMAT, "block %zu: column %u: no such argument",
			               block, (unsigned)field);
		}
		fields->fields = mem_grow(fields->fields, &fields->capacity, fields->n + 1,
		                          sizeof *fields->fields);
		fields->fields[fields->n++] = field;
	}
	args->reader = block_reader_new(args->dataset, args->kind, fields);
	args->view = block_reader_open(args->reader, block, err);
	if (!args->view) {
		close_block(args);
		return -1;
	}
	args->block = block;
	return 0;
}

static void
add_escaped(struct strbuf *json, unsigned char c)
{
	static const char letters[] = "btn\0fr"; /* from 8 on */

	strbuf_add_char(json, '\\');
	if (c == '"' || c == '\\') {
		strbuf_add_char(json, (char)c);
	} else if (c >= 8 && c <= 13 && c != 11) {
		strbuf_add_char(json, letters[c - 8]);
	} else {
		strbuf_printf(json, "u%04x", c);
	}
}

/* A JSON string; what is no UTF-8 becomes U+FFFD. */
static void
add_text(struct strbuf *json, struct slice text)
{
	size_t plain = 0; /* bytes that need nothing, not added yet */

	strbuf_add_char(json, '"');
	for (size_t at = 0; at < text.len;) {
		unsigned char c = (unsigned char)text.ptr[at];
		size_t length = 1;
		char bytes[4];
		uint32_t code = 0;
		if (c >= 0x80) {
			code = utf8_next((struct slice){text.ptr + at, text.len - at}, &length);
		}
		if ((c >= 0x20 && c < 0x7f && c != '"' && c != '\\') || length > 1) {
			at += length;
			plain += length;
			continue;
		}
		strbuf_add(json, text.ptr + at - plain, plain);
		plain = 0;
		if (c >= 0x80) {
			strbuf_add(json, bytes, utf8_encode(code, bytes));
		} else {
			add_escaped(json, c);
		}
		at += length;
	}
	strbuf_add(json, text.ptr + text.len - plain, plain);
	strbuf_add_char(json, '"');
}

static void
add_real(struct strbuf *json, int64_t bits)
{
	char buffer[FORMAT_BYTES];
	double value;

	memcpy(&value, &bits, sizeof value);
	if (isfinite(value)) {
		strbuf_add_text(json, format_real(buffer, value));
	} else { /* JSON has no word for them; a number too large reads as infinity */
		strbuf_add_text(json, isnan(value) ? "null" : value > 0 ? "9e999" : "-9e999");
	}
}

/* printf takes most of the time of a row otherwise. */
static void
add_number(struct strbuf *json, uint64_t magnitude, bool is_negative)
{
	char digits[20];
	size_t n = sizeof digits;

	if (is_negative) {
		strbuf_add_char(json, '-');
	}
	do {
		digits[--n] = (char)('0' + magnitude % 10);
		magnitude /= 10;
	} while (magnitude > 0);
	strbuf_add(json, digits + n, sizeof digits - n);
}

static void
add_integer(struct strbuf *json, int64_t value)
{
	add_number(json, value < 0 ? 0 - (uint64_t)value : (uint64_t)value, value < 0);
}

static void
add_value(struct strbuf *json, enum arg_type type, int64_t value, struct slice text)
{
	switch (type) {
	case ARG_INTEGER:
		add_integer(json, value);
		break;
	case ARG_UNSIGNED:
		add_number(json, (uint64_t)value, false);
		break;
	case ARG_REAL:
		add_real(json, value);
		break;
	case ARG_INTEGER_TEXT:
		strbuf_add_char(json, '"');
		add_integer(json, value);
		strbuf_add_char(json, '"');
		break;
	case ARG_BOOLEAN:
		strbuf_add_text(json, value ? "true" : "false");
		break;
	case ARG_NULL:
		strbuf_add_text(json, "null");
		break;
	case ARG_TEXT:
		add_text(json, text);
		break;
	case ARG_JSON:
		strbuf_add(json, text.ptr, text.len);
		break;
	}
}

static bool
read_value(struct row_args *args, uint32_t slot, uint32_t row, int64_t *value, struct slice *text)
{
	struct block_view *view = args->view;
	const struct chunk_column *column = block_view_column(view, slot);
	const struct column_info *info = column->info;

	*text = (struct slice){"", 0};
	*value = 0;
	if (!info) { /* columns of a damaged block may be out of order */
		return false;
	}
	if (info->type == COLUMN_LOCAL_TEXT) {
		return block_view_text(view, slot, row, text);
	}
	uint32_t i = row - view->row;
	if (!(column->presence[i / 64] >> (i & 63) & 1)) {
		return false;
	}
	*value = column->values[i];
	if (info->type == COLUMN_TEXT) {
		uint32_t code = view->source->texts[*value];
		*text = code < args->dataset->n_texts ? args->dataset->texts[code] : *text;
	}
	return true;
}

int
row_args_json(struct row_args *args, size_t block, uint32_t row, struct strbuf *json,
              struct err *err)
{
	if (args->block != block && open_block(args, block, err) < 0) {
		return -1;
	}
	struct block_view *view = args->view;
	if (row - view->row >= view->n) { /* not in the current chunk */
		block_view_skip_to(view, row);
		block_view_next(view);
	}
	char separator = '{';
	for (uint32_t slot = 0; slot < args->fields.n; slot++) {
		uint32_t argument = args->fields.fields[slot] - FIELD_ARG;
		struct slice text;
		int64_t value;
		if (!read_value(args, slot, row, &value, &text)) {
			continue;
		}
		strbuf_add_char(json, separator);
		add_text(json, args->dataset->keys[argument / ARG_TYPES]);
		strbuf_add_char(json, ':');
		add_value(json, (enum arg_type)(argument % ARG_TYPES), value, text);
		separator = ',';
	}
	strbuf_add_text(json, separator == '{' ? "{}" : "}");
	return block_reader_check(args->reader, err);
}
