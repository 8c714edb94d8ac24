#include "config.h"
#include "export/document.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>

const struct document_format document_formats[] = {
    {"md", "md", false, document_write_markdown},
    {"html", "html", true, document_write_html},
    {NULL, NULL, false, NULL},
};

struct document *
document_new(const char *title)
{
	struct document *document = xcalloc(1, sizeof *document);

	document->arena = arena_new();
	document->title = arena_strdup(document->arena, title);
	return document;
}

void
document_free(struct document *document)
{
	if (!document) {
		return;
	}
	for (size_t i = 0; i < document->n; i++) {
		result_free(document->blocks[i].result);
	}
	free(document->blocks);
	arena_free(document->arena);
	free(document);
}

static struct document_block *
add_block(struct document *document, int type, struct slice text)
{
	MEM_GROW(document->blocks, document->capacity, document->n + 1);
	document->blocks[document->n] =
	    (struct document_block){.type = type, .text = arena_slice(document->arena, text)};
	return &document->blocks[document->n++];
}

void
document_heading(struct document *document, unsigned level, const char *text)
{
	add_block(document, BLOCK_HEADING, slice_of(text))->level = level;
}

void
document_text(struct document *document, const char *format, ...)
{
	struct strbuf text = {0};
	va_list args;

	va_start(args, format);
	strbuf_vprintf(&text, format, args);
	va_end(args);
	add_block(document, BLOCK_TEXT, strbuf_slice(&text));
	strbuf_free(&text);
}

void
document_item(struct document *document, const char *text)
{
	add_block(document, BLOCK_ITEM, slice_of(text));
}

void
document_command(struct document *document, const char *command)
{
	add_block(document, BLOCK_COMMAND, slice_of(command));
}

void
document_table(struct document *document, struct result *result)
{
	add_block(document, BLOCK_TABLE, slice_of(""))->result = result;
}

void
document_picture(struct document *document, struct slice picture)
{
	add_block(document, BLOCK_PICTURE, picture);
}

int
document_write(const struct document *document, const struct document_format *format, FILE *file,
               struct err *err)
{
	errno = 0;
	format->write(document, file);
	return fflush(file) != 0 || ferror(file)
	           ? err_set_errno(err, errno ? errno : EIO, "can't write the output")
	           : 0;
}
