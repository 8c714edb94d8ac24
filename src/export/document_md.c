/* Markdown that reads well as it is, in a mail or a terminal. */
#include "config.h"
#include "export/document.h"
#include "export/export.h"

#include "util/ascii.h"
#include "util/order.h"
#include "util/utf8.h"

/* A line must not become a list, a heading or a rule by what it begins with. */
static size_t
place_to_escape(struct slice line)
{
	size_t n = 0;

	if (line.len > 0 && memchr("#+-=", line.ptr[0], 4)) {
		return 0;
	}
	while (n < line.len && is_digit(line.ptr[n])) {
		n++;
	}
	return n > 0 && n < line.len && (line.ptr[n] == '.' || line.ptr[n] == ')') ? n : line.len;
}

/* A line, escaped for a terminal, then for Markdown. */
static void
put_line(FILE *file, const char *before, struct slice text)
{
	struct strbuf visible = {0}, escaped = {0};

	utf8_escape(&visible, text);
	export_markdown_text(&escaped, strbuf_slice(&visible));
	struct slice line = strbuf_slice(&escaped);
	size_t n = place_to_escape(line);
	fprintf(file, "%s%.*s%s%s\n", before, (int)n, line.ptr, n < line.len ? "\\" : "",
	        line.ptr + n);
	strbuf_free(&visible);
	strbuf_free(&escaped);
}

/* What no text between can end: longer than any row of backquotes there. */
static void
put_fence(FILE *file, struct slice text)
{
	size_t longest = 2, n = 0;

	for (size_t i = 0; i < text.len; i++) {
		n = text.ptr[i] == '`' ? n + 1 : 0;
		longest = MOST(longest, n);
	}
	for (size_t i = 0; i <= longest; i++) {
		fputc('`', file);
	}
	fputc('\n', file);
}

static void
put_fenced(FILE *file, struct slice text)
{
	put_fence(file, text);
	for (struct slice rest = text; rest.len > 0;) {
		const char *end = memchr(rest.ptr, '\n', rest.len);
		struct slice line = {rest.ptr, end ? (size_t)(end - rest.ptr) : rest.len};
		struct strbuf visible = {0};

		rest = slice_from(rest, line.len + (end != NULL));
		utf8_escape(&visible, line);
		fprintf(file, "%s\n", visible.data ? visible.data : "");
		strbuf_free(&visible);
	}
	put_fence(file, text);
}

static void
put_contents(const struct document *document, FILE *file)
{
	for (size_t i = 0; i < document->n; i++) {
		const struct document_block *block = &document->blocks[i];

		if (block->type == BLOCK_HEADING) {
			put_line(file, block->level > 1 ? "  - " : "- ", block->text);
		}
	}
}

static void
put_table(const struct result *result, FILE *file)
{
	const struct export_options options = {.header = true};
	struct err ignored = ERR_INIT; /* document_write asks the file */

	(void)export_result(result, export_format_find("md", &ignored), &options, file, &ignored);
}

static void
put_block(const struct document_block *block, FILE *file)
{
	switch (block->type) {
	case BLOCK_HEADING:
		put_line(file, block->level > 1 ? "### " : "## ", block->text);
		break;
	case BLOCK_TEXT:
		put_line(file, "", block->text);
		break;
	case BLOCK_ITEM:
		put_line(file, "- ", block->text);
		break;
	case BLOCK_COMMAND:
	case BLOCK_PICTURE:
		put_fenced(file, block->text);
		break;
	case BLOCK_TABLE:
		put_table(block->result, file);
		break;
	}
}

void
document_write_markdown(const struct document *document, FILE *file)
{
	put_line(file, "# ", slice_of(document->title));
	fputc('\n', file);
	put_contents(document, file);
	for (size_t i = 0; i < document->n && !ferror(file); i++) {
		const struct document_block *block = &document->blocks[i];
		bool goes_on = i > 0 && block->type == BLOCK_ITEM && block[-1].type == BLOCK_ITEM;

		fputs(goes_on ? "" : "\n", file);
		put_block(block, file);
	}
}
