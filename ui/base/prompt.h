/*
 * The line that is typed into: text, cursor, history, completion. Knows neither what it is for nor
 * what follows from it; the application asks for completions and tells the view.
 * Used by ui/app, ui/chart, ui/lists, ui/table, ui/timeline.
 */
#ifndef LANESCOPE_UI_BASE_PROMPT_H
#define LANESCOPE_UI_BASE_PROMPT_H

#include "ui/base/completion.h"
#include "ui/base/history.h"
#include "ui/term/canvas.h"
#include "ui/term/key.h"
#include "util/mem.h"

enum prompt_kind {
	PROMPT_SEARCH,
	PROMPT_FILTER,
	PROMPT_PARAMETER,
	PROMPT_COMMAND, /* the application's own */
	PROMPT_SQL,     /* the application's own */
	PROMPT_EXPORT,
	PROMPT_GROUP, /* by which columns */
	PROMPT_PIVOT
};

struct prompt {
	bool is_open;
	enum prompt_kind kind;
	const char *label;
	struct strbuf text;
	size_t cursor; /* byte offset, at a character's begin */
	struct completion offers;
	size_t chosen;       /* of offers; n: what was typed */
	struct strbuf typed; /* the text before completion, or before history was walked */
	size_t typed_cursor;
	size_t from_newest; /* in history; 0: what was typed */
};

enum prompt_outcome {
	PROMPT_NOTHING,
	PROMPT_EDITED,
	PROMPT_WANTS_OFFERS, /* Tab: prompt_offer is asked for */
	PROMPT_ACCEPTED,     /* Enter; closed, text stands */
	PROMPT_LEFT          /* Esc; closed, text empty */
};

void prompt_open(struct prompt *prompt, enum prompt_kind kind, const char *label, const char *text);
void prompt_reopen(struct prompt *prompt); /* after PROMPT_ACCEPTED: with the text that stands */
void prompt_fini(struct prompt *prompt);
enum prompt_outcome prompt_key(struct prompt *prompt, int key, struct history *history);
/* Takes the offers: one is put in at once, of several what they have in common; further Tabs go
 * through them. */
void prompt_offer(struct prompt *prompt, struct completion *offers);
/* On the last row, the note (may be empty) at its end, the offers on the row above. */
void prompt_draw(const struct prompt *prompt, const char *note, struct canvas *canvas);

#endif
