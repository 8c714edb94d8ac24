/*
 * One pass over a page's mdoc. A section goes until the next of its rank, an item until the next of
 * its list. The head of an item is one or several names: `.It Fl o Ar path` is "-o", `.It Ic w , s`
 * are "w" and "s", `.It Ic zoom-in Pq Ic w` is a command and its key; a head without macros is
 * taken whole, and by its parts between commas.
 */
#include "config.h"
#include "manual/index.h"

#include "manual/phrase.h"

#include "util/ascii.h"

#define LISTS_MAX 8

const char *const topic_kinds[TOPIC_KINDS] = {"command", "query",  "format", "producer",
                                              "page",    "column", "word",   "section"};

/* Of what is open: the topics from..to-1 end where it ends. */
struct open_topics {
	size_t from, to;
	struct slice list;
};

struct page_scan {
	struct manual *manual;
	const struct manual_page *page;
	struct slice section;
	struct open_topics sections[2]; /* .Sh, .Ss */
	struct open_topics lists[LISTS_MAX];
	size_t n_lists;
	bool in_synopsis, was_name;
};

bool
index_line(struct slice *text, struct slice *line)
{
	const char *newline = text->len ? memchr(text->ptr, '\n', text->len) : NULL;

	*line = (struct slice){text->ptr, newline ? (size_t)(newline - text->ptr) : text->len};
	if (text->len == 0) {
		return false;
	}
	*text = slice_from(*text, line->len + 1);
	return true;
}

/* The text from `at` on is its; where it ends is set later. */
static void
add(struct page_scan *scan, enum topic_kind kind, struct slice name, const char *at,
    struct slice list)
{
	struct manual *manual = scan->manual;
	struct phrase_setting setting = {0};
	struct strbuf text = {0};

	(void)phrase_unescape(name, &setting, &text);
	for (size_t i = 0; kind == TOPIC_FORMAT && i < text.len; i++) {
		text.data[i] = to_lower(text.data[i]); /* as --format has it */
	}
	if (text.len > 0) {
		MEM_GROW(manual->topics, manual->capacity, manual->n_topics + 1);
		manual->topics[manual->n_topics++] =
		    (struct topic){.kind = kind,
		                   .name = arena_strndup(manual->arena, text.data, text.len),
		                   .page = *scan->page,
		                   .section = scan->section,
		                   .text = {at, 0},
		                   .list = list};
	}
	strbuf_free(&text);
}

static void
end_topics(struct page_scan *scan, struct open_topics *open, const char *at)
{
	for (size_t i = open->from; i < open->to; i++) {
		scan->manual->topics[i].text.len = (size_t)(at - scan->manual->topics[i].text.ptr);
	}
	open->from = open->to = 0;
}

static void
end_sections(struct page_scan *scan, size_t rank, const char *at)
{
	while (scan->n_lists > 0) {
		end_topics(scan, &scan->lists[--scan->n_lists], at);
	}
	for (; rank < COUNT_OF(scan->sections); rank++) {
		end_topics(scan, &scan->sections[rank], at);
	}
}

/* The sections of one page are what it is about: its formats, its producers. */
static enum topic_kind
section_kind(const struct page_scan *scan, size_t rank, struct slice title)
{
	bool is_plain = slice_is(title, "NAME") || slice_is(title, "DESCRIPTION") ||
	                slice_is(title, "SEE ALSO") || slice_is(title, "WHAT IS ONE RUN");

	if (slice_is(scan->page->name, "lanescope-formats") && rank == 0 && !is_plain) {
		return TOPIC_FORMAT;
	}
	return slice_is(scan->page->name, "lanescope-record") && rank == 1 ? TOPIC_PRODUCER
	                                                                   : TOPIC_SECTION;
}

static void
add_section(struct page_scan *scan, size_t rank, struct slice line)
{
	struct slice title = slice_trim(slice_from(line, 3), " \"");
	size_t n = scan->manual->n_topics;

	end_sections(scan, rank, line.ptr);
	scan->section = title;
	add(scan, section_kind(scan, rank, title), title, line.ptr, slice_of(""));
	scan->sections[rank] = (struct open_topics){n, scan->manual->n_topics, slice_of("")};
	if (rank == 0) {
		scan->in_synopsis = slice_is(title, "SYNOPSIS");
	}
}

static void
add_parts(struct page_scan *scan, struct slice head, const char *at, struct slice list)
{
	add(scan, TOPIC_WORD, head, at, list);
	while (slice_contains(head, slice_of(","))) {
		size_t n = (size_t)((const char *)memchr(head.ptr, ',', head.len) - head.ptr);

		add(scan, TOPIC_WORD, slice_trim((struct slice){head.ptr, n}, " "), at, list);
		head = slice_trim(slice_from(head, n + 1), " ");
		if (!slice_contains(head, slice_of(","))) {
			add(scan, TOPIC_WORD, head, at, list);
		}
	}
}

/* With the dash that .Fl puts before it. */
static void
add_flag(struct page_scan *scan, struct slice word, const char *at, struct slice list)
{
	struct strbuf flag = {0};

	strbuf_add_char(&flag, '-');
	strbuf_add_slice(&flag, word);
	add(scan, TOPIC_WORD, strbuf_slice(&flag), at, list);
	strbuf_free(&flag);
}

static void
add_names(struct page_scan *scan, const struct phrase *phrase, const char *at, struct slice list)
{
	static const char *const naming[] = {"Cm", "Ev", "Fn", "Ic", "Li", "Pa", "Sy", "Va"};
	struct slice macro = {0};

	for (size_t i = 1; i < phrase->n; i++) {
		struct slice word = phrase->words[i];

		if (phrase_is_macro(word)) {
			macro = word;
		} else if (slice_is(macro, "Fl")) {
			add_flag(scan, word, at, list);
		} else if (!phrase_closes(word) && NAME_FIND(macro, naming) < COUNT_OF(naming)) {
			add(scan, TOPIC_WORD, word, at, list);
		}
		if (slice_is(macro, "Fn")) {
			break; /* its arguments are no names */
		}
	}
}

static void
add_item(struct page_scan *scan, struct slice line)
{
	struct open_topics *open = &scan->lists[scan->n_lists - 1];
	struct slice head = slice_trim(slice_from(line, 3), " ");
	size_t n = scan->manual->n_topics;
	struct phrase phrase;

	end_topics(scan, open, line.ptr);
	phrase_read(&phrase, line);
	if (phrase.n > 1 && phrase_is_macro(phrase.words[1])) {
		add_names(scan, &phrase, line.ptr, open->list);
	} else {
		add_parts(scan, head, line.ptr, open->list);
	}
	open->from = n;
	open->to = scan->manual->n_topics;
}

/* In the synopsis: ".Nm" alone, then ".Cm NAME" and what it takes. */
static void
look_for_command(struct page_scan *scan, struct slice line)
{
	struct manual *manual = scan->manual;
	struct slice rest = slice_from(line, 4), name = slice_take_word(&rest);
	size_t n = manual->n_topics;

	if (slice_is(line, ".Nm")) {
		end_topics(scan, &scan->sections[1], line.ptr);
	} else if (scan->was_name && slice_starts_with(line, ".Cm ")) {
		if (!slice_is(name, manual->topics[n - 1].name)) { /* not one more of its forms */
			add(scan, TOPIC_COMMAND, name, line.ptr - 4, slice_of(""));
		}
		n = manual->n_topics;
		scan->sections[1] = (struct open_topics){n - 1, n, slice_of("")};
	}
	scan->was_name = slice_is(line, ".Nm");
}

void
index_page(struct manual *manual, const struct manual_page *page)
{
	struct page_scan scan = {.manual = manual, .page = page};
	struct slice text = page->text, line;

	add(&scan, TOPIC_PAGE, page->name, text.ptr, slice_of(""));
	manual->topics[manual->n_topics - 1].text = text;
	while (index_line(&text, &line)) {
		if (slice_starts_with(line, ".Sh ") || slice_starts_with(line, ".Ss ")) {
			add_section(&scan, line.ptr[2] == 's', line);
		} else if (scan.in_synopsis) {
			look_for_command(&scan, line);
		} else if (slice_starts_with(line, ".Bl ") && scan.n_lists < LISTS_MAX) {
			scan.lists[scan.n_lists++] = (struct open_topics){.list = line};
		} else if (slice_starts_with(line, ".It") && scan.n_lists > 0) {
			add_item(&scan, line);
		} else if (slice_is(line, ".El") && scan.n_lists > 0) {
			end_topics(&scan, &scan.lists[--scan.n_lists], line.ptr);
		}
	}
	end_sections(&scan, 0, page->text.ptr + page->text.len);
}
