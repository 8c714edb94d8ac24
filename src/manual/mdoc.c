/*
 * Pages are written in mdoc(7), as those of other programs, so that man(1) shows them. Where there
 * is no man, this lays them out: the blocks here (sections, lists, displays), running text in
 * phrase.c, lines in lay.c. Indents shrink where the width is small.
 */
#include "config.h"
#include "manual/phrase.h"

#include "util/order.h"

#define LISTS_MAX 8
#define NARROW 60 /* columns below which indents are as small as they can be */
#define BODY 6    /* of "-width Ds" */
#define BODY_MAX 20

struct list_state {
	size_t head, body; /* indents */
	bool is_compact, is_bullet;
};

struct page_layout {
	struct lay lay;
	struct phrase_setting setting;
	size_t base; /* indent of a section's text */
	struct list_state lists[LISTS_MAX];
	size_t n_lists, n_literal;
	bool in_synopsis;
};

static size_t
step(const struct page_layout *page, size_t columns)
{
	return page->lay.width < NARROW ? LEAST(columns, 2) : columns;
}

static size_t
text_indent(const struct page_layout *page)
{
	return page->n_lists ? page->lists[page->n_lists - 1].body : page->base;
}

static void
heading(struct page_layout *page, const struct phrase *phrase, size_t indent)
{
	struct lay *lay = &page->lay;
	struct phrase bold = {.n = phrase->n};

	lay_gap(lay);
	page->n_lists = page->n_literal = 0;
	lay->indent = indent;
	lay->hang = 0;
	bold.words[0] = slice_of("Sy");
	for (size_t i = 1; i < phrase->n; i++) {
		bold.words[i] = phrase->words[i];
	}
	phrase_lay(&bold, 0, &page->setting, lay);
	lay_break(lay);
	lay->indent = page->base;
}

static void
list_begin(struct page_layout *page, const struct phrase *phrase)
{
	struct list_state list = {.head = page->lay.indent};
	size_t body = BODY;

	for (size_t i = 1; i < phrase->n; i++) {
		struct slice word = phrase->words[i];
		if (slice_is(word, "-compact")) {
			list.is_compact = true;
		} else if (slice_is(word, "-bullet")) {
			list.is_bullet = true;
			body = 2;
		} else if (slice_is(word, "-offset")) {
			list.head += step(page, BODY);
			i++;
		} else if (slice_is(word, "-width") && i + 1 < phrase->n) {
			word = phrase->words[++i];
			body = slice_is(word, "Ds") ? BODY : word.len + 2;
		} else if (!slice_is(word, "-tag")) {
			phrase_note_unknown(&page->setting, word);
		}
	}
	list.body = list.head + step(page, LEAST(body, BODY_MAX));
	lay_break(&page->lay);
	if (page->n_lists < LISTS_MAX) {
		page->lists[page->n_lists++] = list;
	}
}

static void
list_end(struct page_layout *page)
{
	lay_break(&page->lay);
	if (page->n_lists > 0) {
		page->n_lists--;
		page->lay.indent = text_indent(page);
	}
}

static void
item(struct page_layout *page, const struct phrase *phrase)
{
	struct lay *lay = &page->lay;
	const struct list_state *list = page->n_lists ? &page->lists[page->n_lists - 1] : NULL;

	if (!list) {
		phrase_note_unknown(&page->setting, phrase->words[0]);
		return;
	}
	lay_break(lay);
	lay->wants_gap = lay->wants_gap || !list->is_compact;
	lay->indent = list->head;
	if (list->is_bullet) {
		lay_text(lay, slice_of("*"));
	} else {
		phrase_lay(phrase, 1, &page->setting, lay);
	}
	lay_tab(lay, list->body);
}

static void
literal_begin(struct page_layout *page, const struct phrase *phrase)
{
	lay_gap(&page->lay);
	page->n_literal++;
	for (size_t i = 1; i < phrase->n; i++) {
		if (slice_is(phrase->words[i], "-offset")) {
			page->lay.indent += step(page, BODY);
			i++;
		} else if (!slice_is(phrase->words[i], "-literal")) {
			phrase_note_unknown(&page->setting, phrase->words[i]);
		}
	}
}

static void
literal_end(struct page_layout *page)
{
	page->n_literal = 0;
	page->lay.indent = text_indent(page);
	lay_gap(&page->lay);
}

static void
displayed_line(struct page_layout *page, const struct phrase *phrase)
{
	size_t indent = page->lay.indent;

	lay_break(&page->lay);
	page->lay.indent += step(page, BODY);
	phrase_lay(phrase, 1, &page->setting, &page->lay);
	lay_break(&page->lay);
	page->lay.indent = indent;
}

static void
macro_line(struct page_layout *page, struct slice line)
{
	struct phrase phrase;
	struct slice name;

	phrase_read(&phrase, slice_from(line, 1));
	name = phrase.n ? phrase.words[0] : slice_of("");
	if (slice_is(name, "Sh")) {
		heading(page, &phrase, 0);
		page->in_synopsis = phrase.n > 1 && slice_is(phrase.words[1], "SYNOPSIS");
	} else if (slice_is(name, "Ss")) {
		heading(page, &phrase, page->base / 2);
		page->in_synopsis = false;
	} else if (slice_is(name, "Pp")) {
		lay_gap(&page->lay);
	} else if (slice_is(name, "Bl")) {
		list_begin(page, &phrase);
	} else if (slice_is(name, "El")) {
		list_end(page);
	} else if (slice_is(name, "It")) {
		item(page, &phrase);
	} else if (slice_is(name, "Bd")) {
		literal_begin(page, &phrase);
	} else if (slice_is(name, "Ed")) {
		literal_end(page);
	} else if (slice_is(name, "Dl")) {
		displayed_line(page, &phrase);
	} else if (phrase_is_macro(name)) {
		if (page->in_synopsis && slice_is(name, "Nm")) {
			lay_break(&page->lay);
			page->lay.hang = step(page, BODY);
		}
		phrase_lay(&phrase, 0, &page->setting, &page->lay);
	} else if (!slice_is(name, "Dd") && !slice_is(name, "Dt") && !slice_is(name, "Os")) {
		phrase_note_unknown(&page->setting, line);
	}
}

static void
text_line(struct page_layout *page, struct slice line)
{
	struct strbuf text = {0};
	bool ends = phrase_unescape(line, &page->setting, &text);

	if (page->n_literal) {
		lay_verbatim(&page->lay, strbuf_slice(&text));
	} else if (text.len > 0) {
		lay_text(&page->lay, strbuf_slice(&text));
		page->lay.joins = !ends;
	}
	strbuf_free(&text);
}

size_t
manual_lay(struct slice text, struct slice name, size_t width, struct strbuf *out,
           struct slice *unknown)
{
	struct page_layout page = {.lay = {.out = out, .width = width}, .setting = {.name = name}};

	page.base = page.lay.indent = step(&page, 4);
	while (text.len > 0) {
		const char *newline = memchr(text.ptr, '\n', text.len);
		struct slice line = {text.ptr, newline ? (size_t)(newline - text.ptr) : text.len};
		if (line.len > 0 && *line.ptr == '.' && !slice_starts_with(line, ".\\\"")) {
			macro_line(&page, line);
		} else if (line.len == 0 || *line.ptr != '.') {
			text_line(&page, line);
		}
		text = slice_from(text, line.len + 1);
	}
	lay_break(&page.lay);
	strbuf_free(&page.lay.line);
	strbuf_free(&page.lay.word);
	if (page.setting.n_unknown) {
		*unknown = page.setting.unknown;
	}
	return page.setting.n_unknown;
}
