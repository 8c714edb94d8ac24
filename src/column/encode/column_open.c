/*
 * Opening a column. A run file may be hostile, and reads are the innermost loop of every scan, so
 * everything is checked once, here: that the parts of the blob lie where their sizes say and fill
 * it exactly, that the bitmap has as many bits as there are numbers, that patches and row numbers
 * ascend within bounds. From then on only the indexes of tables need care (they are clipped).
 */
#include "config.h"
#include "column/encode/column.h"

#include "column/encode/column_bits.h"

/* What is left of the blob while its parts are taken off. */
struct blob_rest {
	const unsigned char *bytes;
	size_t left;
};

static const unsigned char *
cursor_take(struct blob_rest *cursor, uint64_t bytes)
{
	if (bytes > cursor->left) {
		return NULL;
	}
	const unsigned char *taken = cursor->bytes;
	cursor->bytes += bytes;
	cursor->left -= bytes;
	return taken;
}

static bool
ascends_below(const unsigned char *numbers, uint32_t n, uint32_t bound)
{
	int64_t previous = -1;

	for (uint32_t i = 0; i < n; i++) {
		uint16_t number = load_u16(numbers + 2 * (size_t)i);
		if (number <= previous || number >= bound) {
			return false;
		}
		previous = number;
	}
	return true;
}

static bool
flags_valid(const struct column_info *info)
{
	unsigned flags = info->flags;
	unsigned presence = flags & (COLUMN_SPARSE | COLUMN_LIST);

	if (info->type > COLUMN_LOCAL_TEXT || !bits_width_valid(info->width)) {
		return false;
	}
	if (presence == COLUMN_LIST || (presence && flags & COLUMN_FILL)) {
		return false;
	}
	if (flags & COLUMN_TABLE && flags & (COLUMN_DELTA | COLUMN_PATCH)) {
		return false;
	}
	if (flags & COLUMN_DECIMAL && info->type != COLUMN_REAL) {
		return false;
	}
	if (flags & COLUMN_COPY) {
		return flags == (COLUMN_COPY | presence) && info->type == COLUMN_INTEGER &&
		       info->width == 0;
	}
	return info->type != COLUMN_LOCAL_TEXT || flags == presence;
}

static bool
take_presence(struct column_stream *stream, struct blob_rest *cursor)
{
	const struct column_info *info = stream->info;

	stream->n_numbers = info->n_present;
	if (info->flags & COLUMN_LIST) {
		stream->list = cursor_take(cursor, 2 * (uint64_t)info->n_present);
		return stream->list && ascends_below(stream->list, info->n_present, stream->n_rows);
	}
	if (!(info->flags & (COLUMN_SPARSE | COLUMN_FILL))) {
		return info->n_present == stream->n_rows;
	}
	stream->bitmap = cursor_take(cursor, (stream->n_rows + 7) / 8);
	if (!stream->bitmap) {
		return false;
	}
	stream->n_numbers = bitmap_count(stream->bitmap, 0, stream->n_rows);
	if (info->flags & COLUMN_SPARSE) {
		return stream->n_numbers == info->n_present;
	}
	const unsigned char *fill = cursor_take(cursor, 8);
	stream->fill = fill ? load_u64(fill) : 0;
	return fill && info->n_present == stream->n_rows;
}

static bool
take_table(struct column_stream *stream, struct blob_rest *cursor)
{
	if (stream->info->flags & COLUMN_TABLE) {
		const unsigned char *head = cursor_take(cursor, 3);
		if (!head || head[2] < 1 || head[2] > 8) {
			return false;
		}
		stream->n_table = load_u16(head) + 1u;
		stream->entry_bytes = head[2];
		stream->table =
		    cursor_take(cursor, (uint64_t)stream->n_table * stream->entry_bytes);
		if (!stream->table) {
			return false;
		}
	}
	if (stream->info->flags & COLUMN_DECIMAL) {
		const unsigned char *digits = cursor_take(cursor, 1);
		if (!digits || *digits > 15) {
			return false;
		}
		stream->digits = *digits;
	}
	return true;
}

static bool
take_patches(struct column_stream *stream, struct blob_rest *cursor)
{
	if (!(stream->info->flags & COLUMN_PATCH)) {
		return true;
	}
	const unsigned char *count = cursor_take(cursor, 4);
	if (!count || load_u32(count) > stream->n_numbers) {
		return false;
	}
	stream->n_patches = load_u32(count);
	stream->patches = cursor_take(cursor, 10 * (uint64_t)stream->n_patches);
	return stream->patches &&
	       ascends_below(stream->patches, stream->n_patches, stream->n_numbers);
}

static bool
take_texts(struct column_stream *stream, struct blob_rest *cursor)
{
	if (stream->info->type != COLUMN_LOCAL_TEXT) {
		return true;
	}
	const unsigned char *length = cursor_take(cursor, 4);
	if (!length) {
		return false;
	}
	stream->text_bytes = load_u32(length);
	stream->texts = cursor_take(cursor, stream->text_bytes);
	return stream->texts != NULL;
}

static int
stream_init(struct column_stream *stream, const struct column_info *info, const void *blob,
            uint32_t n_rows, struct err *err)
{
	static const unsigned char nothing[8];
	struct blob_rest cursor = {blob ? blob : nothing, blob ? info->blob_bytes : 0};

	memset(stream, 0, sizeof *stream);
	stream->info = info;
	stream->n_rows = n_rows;
	stream->previous = (uint64_t)info->first;
	if (n_rows > BLOCK_ROWS || info->n_present > n_rows || !flags_valid(info)) {
		return err_set(err, ERR_FORMAT, "column %u: bad description",
		               (unsigned)info->field);
	}
	bool ok = take_presence(stream, &cursor) && take_table(stream, &cursor);
	if (ok && !(info->flags & COLUMN_COPY)) {
		uint64_t count = (uint64_t)stream->n_numbers + (info->type == COLUMN_LOCAL_TEXT);
		stream->numbers = cursor_take(&cursor, bits_bytes(count, info->width));
		ok = stream->numbers != NULL;
	}
	if (!ok || !take_patches(stream, &cursor) || !take_texts(stream, &cursor) ||
	    cursor.left != 0) {
		return err_set(err, ERR_FORMAT,
		               "column %u: its %lu bytes do not fit its description",
		               (unsigned)info->field, (unsigned long)info->blob_bytes);
	}
	return 0;
}

int
column_reader_init(struct column_reader *reader, const struct column_info *info, const void *blob,
                   const struct column_info *source_info, const void *source_blob, uint32_t n_rows,
                   struct err *err)
{
	if (stream_init(&reader->own, info, blob, n_rows, err)) {
		return -1;
	}
	if (!(info->flags & COLUMN_COPY)) {
		return 0;
	}
	if (!source_info || source_info->flags & COLUMN_COPY ||
	    source_info->type != COLUMN_INTEGER) {
		return err_set(err, ERR_FORMAT,
		               "column %u: a copy of what is no column of integers",
		               (unsigned)info->field);
	}
	return stream_init(&reader->source, source_info, source_blob, n_rows, err);
}
