/*
 * A row's arguments as JSON again. Each column is one key and one JSON type, so 1 and "1", true and
 * null, and unsigned numbers come back as they were; members stand in the order of keys. A block's
 * argument columns are fetched once and decoded in chunks, so that going through rows in order
 * costs what a scan costs.
 */
#include "config.h"
#include "column/scan/row_read.h"

#include <stdlib.h>

#include "util/json_text.h"
#include "util/mem.h"

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
		MEM_GROW(fields->fields, fields->capacity, fields->n + 1);
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
add_real(struct strbuf *json, int64_t bits)
{
	double value;

	memcpy(&value, &bits, sizeof value);
	json_add_real(json, value);
}

void
row_argument_json(struct strbuf *json, enum arg_type type, int64_t value, struct slice text)
{
	switch (type) {
	case ARG_INTEGER:
		json_add_integer(json, value);
		break;
	case ARG_UNSIGNED:
		json_add_unsigned(json, (uint64_t)value);
		break;
	case ARG_REAL:
		add_real(json, value);
		break;
	case ARG_INTEGER_TEXT:
		strbuf_add_char(json, '"');
		json_add_integer(json, value);
		strbuf_add_char(json, '"');
		break;
	case ARG_BOOLEAN:
		strbuf_add_text(json, value ? "true" : "false");
		break;
	case ARG_NULL:
		strbuf_add_text(json, "null");
		break;
	case ARG_TEXT:
		json_add_text(json, text);
		break;
	case ARG_JSON:
		strbuf_add_slice(json, text);
		break;
	}
}

bool
row_argument_read(struct block_view *view, uint32_t slot, uint32_t row, int64_t *value,
                  struct slice *text)
{
	const struct chunk_column *column = block_view_column(view, slot);
	const struct column_info *info = column->info;

	*text = slice_of("");
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
		*text = code < view->dataset->n_texts ? view->dataset->texts[code] : *text;
	}
	return true;
}

int
row_args_json(struct row_args *args, size_t block, uint32_t row, struct strbuf *json,
              struct err *err)
{
	if (args->block != block && open_block(args, block, err)) {
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
		if (!row_argument_read(view, slot, row, &value, &text)) {
			continue;
		}
		strbuf_add_char(json, separator);
		json_add_text(json, args->dataset->keys[argument / ARG_TYPES]);
		strbuf_add_char(json, ':');
		row_argument_json(json, (enum arg_type)(argument % ARG_TYPES), value, text);
		separator = ',';
	}
	strbuf_add_text(json, separator == '{' ? "{}" : "}");
	return block_reader_check(args->reader, err);
}
