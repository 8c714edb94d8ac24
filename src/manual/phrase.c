/*
 * A macro holds for the words behind it until the next one: `.Va format , dialect Pq the trace's`.
 * Punctuation that is a word of its own is never marked and stands close to its neighbour; at the
 * end of a line it stands behind what was opened on the line (`.Pq Xr lanescope 1 ,` is
 * "(lanescope(1)),"). mandoc_char(7) and mdoc(7) tell it all; here is what our pages use, and
 * tests/unit/test_manual.c holds that it is enough for them.
 */
#include "config.h"
#include "manual/phrase.h"

#include <string.h>

enum role {
	ROLE_MARK,     /* the words are marked, or not */
	ROLE_FLAG,     /* and have a dash before them */
	ROLE_NAME,     /* without a word: what the page is about */
	ROLE_CALL,     /* the first one is a function, the others are its arguments */
	ROLE_PAGE,     /* a name and the section of a manual */
	ROLE_CLOSE_UP, /* no blank here */
	ROLE_PREFIX,   /* none behind the first word */
	ROLE_ENCLOSE,  /* the rest of the line */
	ROLE_OPEN,
	ROLE_SHUT
};

static const struct macro {
	const char *name;
	enum role role;
	enum manual_mark mark;
	const char *left, *right;
} macros[] = {
    {"Ar", ROLE_MARK, MANUAL_UNDERLINED, NULL, NULL},
    {"Cm", ROLE_MARK, MANUAL_BOLD, NULL, NULL},
    {"Dq", ROLE_ENCLOSE, 0, "\"", "\""},
    {"Em", ROLE_MARK, MANUAL_UNDERLINED, NULL, NULL},
    {"Ev", ROLE_MARK, 0, NULL, NULL},
    {"Fa", ROLE_MARK, MANUAL_UNDERLINED, NULL, NULL},
    {"Fl", ROLE_FLAG, MANUAL_BOLD, NULL, NULL},
    {"Fn", ROLE_CALL, MANUAL_BOLD, NULL, NULL},
    {"Ic", ROLE_MARK, MANUAL_BOLD, NULL, NULL},
    {"Li", ROLE_MARK, 0, NULL, NULL},
    {"Nd", ROLE_MARK, 0, "-", NULL},
    {"Nm", ROLE_NAME, MANUAL_BOLD, NULL, NULL},
    {"No", ROLE_MARK, 0, NULL, NULL},
    {"Ns", ROLE_CLOSE_UP, 0, NULL, NULL},
    {"Oc", ROLE_SHUT, 0, NULL, "]"},
    {"Oo", ROLE_OPEN, 0, "[", NULL},
    {"Op", ROLE_ENCLOSE, 0, "[", "]"},
    {"Pa", ROLE_MARK, MANUAL_UNDERLINED, NULL, NULL},
    {"Pc", ROLE_SHUT, 0, NULL, ")"},
    {"Pf", ROLE_PREFIX, 0, NULL, NULL},
    {"Po", ROLE_OPEN, 0, "(", NULL},
    {"Pq", ROLE_ENCLOSE, 0, "(", ")"},
    {"Ql", ROLE_ENCLOSE, 0, "'", "'"},
    {"Sq", ROLE_ENCLOSE, 0, "'", "'"},
    {"Sx", ROLE_MARK, MANUAL_UNDERLINED, NULL, NULL},
    {"Sy", ROLE_MARK, MANUAL_BOLD, NULL, NULL},
    {"Va", ROLE_MARK, MANUAL_UNDERLINED, NULL, NULL},
    {"Xr", ROLE_PAGE, 0, NULL, NULL},
};
static const struct {
	const char *name, *text;
} escapes[] = {{"&", ""},     {"-", "-"},   {"e", "\\"},   {" ", LAY_BLANK},
               {"(dq", "\""}, {"(mu", "x"}, {"(em", "--"}, {"c", ""}};

void
phrase_read(struct phrase *phrase, struct slice line)
{
	phrase->n = 0;
	while ((line = slice_trim(line, " ")).len > 0 && phrase->n < PHRASE_WORDS) {
		bool is_quoted = *line.ptr == '"';
		size_t from = is_quoted, end = from;

		while (end < line.len && line.ptr[end] != (is_quoted ? '"' : ' ')) {
			end += 1 + (line.ptr[end] == '\\' && end + 1 < line.len);
		}
		if (phrase->n == PHRASE_WORDS - 1) {
			end = line.len;
		}
		phrase->words[phrase->n++] = (struct slice){line.ptr + from, end - from};
		line = slice_from(line, end + is_quoted);
	}
}

void
phrase_note_unknown(struct phrase_setting *setting, struct slice what)
{
	if (setting->n_unknown++ == 0) {
		setting->unknown = what;
	}
}

static const struct macro *
macro_find(struct slice word)
{
	size_t i = NAME_FIND(word, macros);

	return i < COUNT_OF(macros) ? &macros[i] : NULL;
}

bool
phrase_is_macro(struct slice word)
{
	return macro_find(word) != NULL;
}

static bool
is_one_of(struct slice word, const char *marks)
{
	return word.len == 1 && strchr(marks, *word.ptr);
}

bool
phrase_closes(struct slice word)
{
	return is_one_of(word, ".,;:?!)]");
}

bool
phrase_unescape(struct slice text, struct phrase_setting *setting, struct strbuf *out)
{
	bool ends = true;

	while (text.len > 0) {
		size_t i = 0;
		struct slice rest = slice_from(text, 1);

		if (*text.ptr != '\\') {
			strbuf_add_char(out, *text.ptr);
			text = rest;
			continue;
		}
		while (i < COUNT_OF(escapes) && !slice_starts_with(rest, escapes[i].name)) {
			i++;
		}
		if (i == COUNT_OF(escapes)) {
			phrase_note_unknown(setting, text);
			text = rest;
			continue;
		}
		strbuf_add_text(out, escapes[i].text);
		text = slice_from(rest, strlen(escapes[i].name));
		ends = !(text.len == 0 && escapes[i].name[0] == 'c');
	}
	return ends;
}

/* With a dash, or whatever stands close before it. */
static void
lay_word(struct lay *lay, struct phrase_setting *setting, const char *before, struct slice word)
{
	struct strbuf text = {0};

	strbuf_add_text(&text, before);
	bool ends = phrase_unescape(word, setting, &text);
	if (text.len > 0) {
		lay_text(lay, strbuf_slice(&text));
	}
	lay->joins = lay->joins || !ends;
	strbuf_free(&text);
}

static void
lay_plain(struct lay *lay, const char *text)
{
	enum manual_mark mark = lay->mark;

	lay->mark = 0;
	lay_text(lay, slice_of(text));
	lay->mark = mark;
}

static void
lay_close(struct lay *lay, struct slice text)
{
	char copy[2] = {text.ptr[0], 0};

	lay->joins = true;
	lay_plain(lay, copy);
}

static bool
is_argument(const struct phrase *phrase, size_t i, size_t n)
{
	return i < n && !phrase_is_macro(phrase->words[i]) && !phrase_closes(phrase->words[i]);
}

/* Behind the macro: what it takes besides words. The place of the first word that is left. */
static size_t
lay_head(const struct macro *macro, const struct phrase *phrase, size_t i, size_t n,
         struct phrase_setting *setting, struct lay *lay)
{
	bool has_argument = is_argument(phrase, i, n);

	lay->mark = macro->mark;
	if (macro->role == ROLE_NAME && !has_argument) {
		lay_text(lay, setting->name);
	} else if (macro->role == ROLE_FLAG && !has_argument) {
		lay_text(lay, slice_of("-"));
		lay->joins = i < n && phrase_is_macro(phrase->words[i]);
	} else if (macro->role == ROLE_CLOSE_UP) {
		lay->joins = true;
	} else if (macro->role == ROLE_PREFIX && i < n) {
		lay_word(lay, setting, "", phrase->words[i++]);
		lay->joins = true;
	} else if (macro->role == ROLE_PAGE && has_argument) {
		lay_word(lay, setting, "", phrase->words[i++]);
		if (is_argument(phrase, i, n)) {
			lay_join(lay, "(");
			lay->joins = true;
			lay_word(lay, setting, "", phrase->words[i++]);
			lay_join(lay, ")");
		}
	} else if (macro->role == ROLE_CALL && has_argument) {
		lay_word(lay, setting, "", phrase->words[i++]);
		lay->mark = 0;
		lay_join(lay, "(");
		for (bool is_first = true; is_argument(phrase, i, n); i++, is_first = false) {
			lay->joins = is_first;
			lay->mark = MANUAL_UNDERLINED;
			lay_word(lay, setting, "", phrase->words[i]);
			lay->mark = 0;
			if (is_argument(phrase, i + 1, n)) {
				lay_join(lay, ",");
			}
		}
		lay_join(lay, ")");
	} else if (macro->left) {
		lay_plain(lay, macro->left);
		lay->joins = macro->role != ROLE_MARK;
	} else if (macro->role == ROLE_SHUT) {
		lay_close(lay, slice_of(macro->right));
	}
	return i;
}

void
phrase_lay(const struct phrase *phrase, size_t i, struct phrase_setting *setting, struct lay *lay)
{
	const struct macro *macro = NULL;
	const char *rights[PHRASE_WORDS];
	size_t n = phrase->n, n_rights = 0;

	while (n > i && phrase_closes(phrase->words[n - 1])) {
		n--;
	}
	while (i < n) {
		struct slice word = phrase->words[i];
		const struct macro *next = macro_find(word);

		if (next) {
			macro = next;
			i = lay_head(macro, phrase, i + 1, n, setting, lay);
			if (macro->role == ROLE_ENCLOSE) {
				rights[n_rights++] = macro->right;
			}
			continue;
		}
		if (phrase_closes(word)) {
			lay_close(lay, word);
		} else if (is_one_of(word, "([|")) {
			char copy[2] = {word.ptr[0], 0};
			lay_plain(lay, copy);
			lay->joins = *word.ptr != '|';
		} else {
			lay_word(lay, setting, macro && macro->role == ROLE_FLAG ? "-" : "", word);
		}
		i++;
	}
	lay->mark = 0;
	while (n_rights > 0) {
		lay_close(lay, slice_of(rights[--n_rights]));
	}
	for (; n < phrase->n; n++) {
		lay_close(lay, phrase->words[n]);
	}
}
