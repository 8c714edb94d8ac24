/*
 * One file, no script, no reference to another: it opens from a mail and prints. It is well-formed
 * XML, too, so that any program can look into it. Colours follow the reader's, light or dark;
 * pictures stay on white.
 */
#include "config.h"
#include "export/document.h"
#include "export/export.h"
#include "export/svg_parts.h"

#include <inttypes.h>

static const char style[] =
    ":root{color-scheme:light dark}"
    "body{font:15px/1.45 system-ui,sans-serif;max-width:76em;margin:1.5em auto;padding:0 1em;"
    "color:#1a1a1a;background:#fff}"
    "h1,h2,h3{line-height:1.2;overflow-wrap:anywhere}h2{margin-top:2em}"
    "a{color:#1a5276}nav ol{columns:2}"
    ".wide{overflow-x:auto}"
    "table{border-collapse:collapse;font-size:13px;font-variant-numeric:tabular-nums}"
    "th,td{padding:.2em .7em;text-align:left;vertical-align:top;border-bottom:1px solid #ccc;"
    "max-width:30em;overflow-wrap:break-word}"
    "th.num,td.num{text-align:right;white-space:nowrap}"
    "tr.sum{font-weight:bold}"
    "pre{padding:.5em .7em;background:#f2f2f2;white-space:pre-wrap;overflow-wrap:anywhere}"
    "figure{margin:1em 0;overflow-x:auto}figure svg{max-width:100%;height:auto}"
    "@media(prefers-color-scheme:dark){body{color:#ddd;background:#1b1b1b}a{color:#8ec5e8}"
    "th,td{border-color:#555}pre{background:#2a2a2a}}"
    "@media print{body{max-width:none;margin:0;color:#000;background:#fff}pre{background:none;"
    "border:1px solid #999}h2,h3{break-after:avoid}tr,figure{break-inside:avoid}"
    "table{font-size:9px}td{overflow-wrap:anywhere}"
    ".wide,figure{overflow:visible}}";

static void
put_element(FILE *file, const char *tag, struct slice text)
{
	fprintf(file, "<%s>", tag);
	svg_put_foreign(file, text);
	fprintf(file, "</%s>\n", tag);
}

/* Parts are numbered, and what is within them. */
static void
put_number(FILE *file, const unsigned counts[2], unsigned level)
{
	fprintf(file, level == 1 ? "%u" : "%u.%u", counts[0], counts[1]);
}

static void
count(const struct document_block *block, unsigned counts[2])
{
	counts[1] = block->level == 1 ? 0 : counts[1] + 1;
	counts[0] += block->level == 1;
}

static void
put_contents(const struct document *document, FILE *file)
{
	unsigned counts[2] = {0}, level = 0;

	fputs("<nav><ol>", file);
	for (size_t i = 0; i < document->n; i++) {
		const struct document_block *block = &document->blocks[i];

		if (block->type != BLOCK_HEADING) {
			continue;
		}
		count(block, counts);
		fputs(level == 0             ? ""
		      : level < block->level ? "<ol>"
		      : level > block->level ? "</li></ol></li>\n"
		                             : "</li>\n",
		      file);
		fputs("<li><a href=\"#p", file);
		put_number(file, counts, block->level);
		fputs("\">", file);
		svg_put_foreign(file, block->text);
		fputs("</a>", file);
		level = block->level;
	}
	fprintf(file, "%s%s</ol></nav>\n", level > 1 ? "</li></ol>" : "", level > 0 ? "</li>" : "");
}

static void
put_row(const struct result *result, size_t r, FILE *file)
{
	struct strbuf scratch = {0};
	char number[FORMAT_BYTES];
	bool is_sum = r >= result->n_rows - result->n_sums;

	fputs(is_sum ? "<tr class=\"sum\">" : "<tr>", file);
	for (size_t c = 0; c < result->n_columns; c++) {
		struct slice text = export_shown(result, r, c, number, &scratch);

		if (is_sum && c == result->n_apart && text.len == 0) {
			text = slice_of("sum");
		}
		fputs(column_kind_is_number(result_kind(result, r, c)) ? "<td class=\"num\">"
		                                                       : "<td>",
		      file);
		svg_put_foreign(file, text);
		fputs("</td>", file);
	}
	fputs("</tr>\n", file);
	strbuf_free(&scratch);
}

static void
put_table(const struct result *result, FILE *file)
{
	fputs("<div class=\"wide\"><table>\n<thead><tr>", file);
	for (size_t c = 0; c < result->n_columns; c++) {
		struct strbuf title = {0};

		column_title(&result->columns[c], &title);
		fputs(column_kind_is_number(result->columns[c].kind) ? "<th class=\"num\">"
		                                                     : "<th>",
		      file);
		svg_put_foreign(file, strbuf_slice(&title));
		fputs("</th>", file);
		strbuf_free(&title);
	}
	fputs("</tr></thead>\n<tbody>\n", file);
	for (size_t r = 0; r < result->n_rows && !ferror(file); r++) {
		put_row(result, r, file);
	}
	fputs("</tbody></table></div>\n", file);
}

static void
put_heading(const struct document_block *block, const unsigned counts[2], FILE *file)
{
	unsigned level = block->level + 1;

	fprintf(file, "<h%u id=\"p", level);
	put_number(file, counts, block->level);
	fputs("\">", file);
	svg_put_foreign(file, block->text);
	fprintf(file, "</h%u>\n", level);
}

/* has_item: is the block before one of a list? is_followed: the one behind? */
static void
put_item(const struct document_block *block, bool has_item, bool is_followed, FILE *file)
{
	fputs(has_item ? "" : "<ul>\n", file);
	put_element(file, "li", block->text);
	fputs(is_followed ? "" : "</ul>\n", file);
}

static void
put_blocks(const struct document *document, FILE *file)
{
	unsigned counts[2] = {0};

	for (size_t i = 0; i < document->n && !ferror(file); i++) {
		const struct document_block *block = &document->blocks[i];

		switch (block->type) {
		case BLOCK_HEADING:
			count(block, counts);
			put_heading(block, counts, file);
			break;
		case BLOCK_TEXT:
			put_element(file, "p", block->text);
			break;
		case BLOCK_ITEM:
			put_item(block, i > 0 && block[-1].type == BLOCK_ITEM,
			         i + 1 < document->n && block[1].type == BLOCK_ITEM, file);
			break;
		case BLOCK_COMMAND:
			fputs("<pre><code>", file);
			svg_put_foreign(file, block->text);
			fputs("</code></pre>\n", file);
			break;
		case BLOCK_TABLE:
			put_table(block->result, file);
			break;
		case BLOCK_PICTURE:
			fputs("<figure>\n", file);
			(void)fwrite(block->text.ptr, 1, block->text.len, file);
			fputs("</figure>\n", file);
			break;
		}
	}
}

void
document_write_html(const struct document *document, FILE *file)
{
	fputs(
	    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
	    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
	    "'unsafe-inline'\"/>\n<meta name=\"viewport\" content=\"width=device-width\"/>\n",
	    file);
	put_element(file, "title", slice_of(document->title));
	fprintf(file, "<style>%s</style>\n</head>\n<body>\n", style);
	put_element(file, "h1", slice_of(document->title));
	put_contents(document, file);
	put_blocks(document, file);
	fputs("</body>\n</html>\n", file);
}
