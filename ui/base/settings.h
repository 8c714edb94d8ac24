/*
 * The user's settings: $XDG_CONFIG_HOME/lanescope/config, lines "NAME = VALUE", # begins a comment.
 * What is wrong in it is collected with its line and never fatal: the rest holds.
 * Used by cli, ui, ui/app.
 */
#ifndef LANESCOPE_UI_BASE_SETTINGS_H
#define LANESCOPE_UI_BASE_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include "ui/term/term.h"
#include "util/err.h"
#include "util/slice.h"

/* Auto: in a terminal, not in a script of keys. */
enum settings_asks { ASKS_AUTO, ASKS_ON, ASKS_OFF };
enum settings_glyphs { GLYPHS_AUTO, GLYPHS_UTF8, GLYPHS_ASCII };
#define SETTINGS_CACHE_BYTES (INT64_C(20) << 30)

struct settings {
	enum settings_glyphs glyphs;
	struct term_wishes term;
	bool mouse;
	bool safe_csv;                   /* of saved tables: export/export.h */
	enum settings_asks ask_to_leave; /* the last q, where views were opened */
	int64_t cache_bytes;             /* what imported traces may take; -1: no limit */
	bool leaves_keys;                /* settings_read binds none */
	char classes[4096];              /* of paths: column/scan/path_classes.h; empty: guessed */
	char view[16];          /* what Enter on a run opens: overview, queries, timeline */
	struct strbuf problems; /* lines "FILE:LINE: reason"; empty if there are none */
};

void settings_init(struct settings *settings); /* the defaults */
void settings_fini(struct settings *settings);
/* Reads a file; one that is not there changes nothing. Keys are bound at once (keys_bind). */
void settings_read(struct settings *settings, const char *path);
/* One setting, as a line of the file or the command "set" gives it. */
int settings_set(struct settings *settings, struct slice name, struct slice value, struct err *err);

/* The i-th setting's name; NULL behind the last. */
const char *settings_name(size_t i);
/* Adds all of them as lines of the file, each with what it is. */
void settings_write(const struct settings *settings, struct strbuf *out);

/* Classes that come before those of the setting. If both are too long together, a problem says so
 * and the setting is left out. */
void settings_put_classes(struct settings *settings, const char *classes);

#endif
