/*
 * Keys and what they mean. One table makes the bindings, the footer, the help screen and the
 * command line.
 * Used by ui, ui/app, ui/chart, ui/lists, ui/table, ui/timeline.
 */
#ifndef LANESCOPE_UI_BASE_KEYS_H
#define LANESCOPE_UI_BASE_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include "ui/term/key.h"
#include "util/err.h"
#include "util/slice.h"

/* Views as bits, for the bindings that hold in them. A view may be several: a table of differences
 * is IN_TABLE | IN_DIFF. */
enum view_set {
	IN_RUNS = 1,
	IN_OVERVIEW = 2,
	IN_QUERIES = 4,
	IN_TABLE = 8, /* any result: a query's, SQL's, a difference, a part of explain */
	IN_DIFF = 16,
	IN_SPANS = 32, /* list of spans */
	IN_SPAN = 64,  /* one span with all its fields */
	IN_TIMELINE = 128,
	IN_PAIR = 256, /* two timelines on one axis */
	IN_HELP = 512,
	IN_TEXT = 1024,    /* plain text: a query's SQL, what was copied */
	IN_CHOICES = 2048, /* questions to two runs */
	IN_CHART = 4096,
	IN_LISTS = IN_CHOICES | IN_RUNS | IN_OVERVIEW | IN_QUERIES | IN_TABLE | IN_SPANS | IN_SPAN |
	           IN_HELP | IN_TEXT,
	IN_LANES = IN_TIMELINE | IN_PAIR,
	IN_RUN = IN_CHOICES | IN_OVERVIEW | IN_QUERIES | IN_TABLE | IN_SPANS | IN_SPAN |
	         IN_TIMELINE | IN_PAIR, /* stands in a run */
	IN_ALL = 0xffff                 /* with those to come */
};

enum view_action {
	ACTION_NONE,
#define ROW(action, views, keys, name, label, help) ACTION_##action,
#include "ui/base/actions.h"
};

#define KEYS_A_COMMAND 4

struct key_binding {
	enum view_action action;
	unsigned views;           /* enum view_set */
	int keys[KEYS_A_COMMAND]; /* ended by KEY_NONE if fewer */
	const char *name;         /* of the command: "sort-up" */
	const char *label;        /* in the footer: "sort"; NULL: not there */
	const char *help;         /* one line */
};

const struct key_binding *key_bindings(void); /* behind the last is one without a name */
/* What a key means in a view; ACTION_NONE if nothing. */
enum view_action keys_lookup(int key, unsigned views);
/* The first binding of a key in any view, NULL if no view has one; and where that is, in words. */
const struct key_binding *key_binding_elsewhere(int key);
void views_name(unsigned views, struct strbuf *out);
/* Gives a command these keys instead of its own (n of at most 4); other commands of the same views
 * lose them. For the whole program; ERR_USAGE if there is no such command. n 0: the command has no
 * key any more. */
int keys_bind(struct slice command, const int *keys, size_t n, struct err *err);
/* The binding of a command's name, NULL if there is none. */
const struct key_binding *key_binding_find(struct slice name);
/* "Enter", "^L", "q", "PgDn". */
const char *key_label(int key, char out[16]);
/* Reads such a name (or a single character); KEY_NONE if there is no such key. For scripts of
 * keys. */
int key_from_name(struct slice name);

#endif
