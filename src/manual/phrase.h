/*
 * A line of mdoc: its words, and the macros of running text.
 * Used by its room alone.
 */
#ifndef LANESCOPE_MANUAL_PHRASE_H
#define LANESCOPE_MANUAL_PHRASE_H

#include "manual/lay.h"

#define PHRASE_WORDS 96

/* The words of a macro line, quotes taken off, behind the macro or with it. Empty texts in quotes
 * are words, too. What is more than PHRASE_WORDS stays in the last one. */
struct phrase {
	size_t n;
	struct slice words[PHRASE_WORDS];
};
void phrase_read(struct phrase *phrase, struct slice line);

/* What all lines share. */
struct phrase_setting {
	struct slice name; /* of .Nm */
	size_t n_unknown;
	struct slice unknown; /* the first of them */
};
void phrase_note_unknown(struct phrase_setting *setting, struct slice what);
/* Is it the name of a macro of running text? */
bool phrase_is_macro(struct slice word);
/* Lays words from the i-th on, which may be a macro. */
void phrase_lay(const struct phrase *phrase, size_t i, struct phrase_setting *setting,
                struct lay *lay);
/* Text with its escapes replaced, appended. False: the line goes on without a blank ("\c"). */
bool phrase_unescape(struct slice text, struct phrase_setting *setting, struct strbuf *out);
/* One of the punctuation marks that stand close to the word before them. */
bool phrase_closes(struct slice word);

#endif
