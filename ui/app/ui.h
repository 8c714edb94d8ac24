/* The explorer. The only header of ui/ that the command line needs. */
#ifndef LANESCOPE_UI_APP_UI_H
#define LANESCOPE_UI_APP_UI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "util/err.h"

/* Traces that become runs while the explorer is open. */
enum import_state {
	IMPORT_WAITING, /* for its turn */
	IMPORT_READING,
	IMPORT_FINISHING, /* read in full, not yet a run */
	IMPORT_DONE,
	IMPORT_FAILED,
	IMPORT_STOPPED
};
struct ui_import {
	const char *name, *format; /* stand as long as the imports */
	enum import_state state;
	double progress;                                   /* 0 .. 1 of reading; -1: not known */
	int64_t records, records_per_second, seconds_left; /* the last two -1: not known */
	const char *run_path;                              /* once done */
	struct err err;                                    /* of a failed one */
};
struct ui_imports {
	void *user;
	size_t n;
	/* Begins, one after the other, on threads of its own. wake is called when one begins or ends, and at most twice a second between. */
	void (*start)(void *user, void (*wake)(void *wake_user), void *wake_user);
	void (*read)(void *user, size_t i, struct ui_import *import); /* how far one is */
	void (*cancel)(void *user, size_t i);
	void (*again)(void *user, size_t i); /* a stopped or failed one */
	void (*wait)(void *user);            /* until none runs or waits */
	void (*stop)(void *user);            /* all; afterwards wake is not called any more */
};

struct ui_options {
	const char *const *paths; /* run files and folders of them; none: the current folder */
	size_t n_paths;
	const struct ui_imports *imports; /* listed behind the paths; NULL: none */
	bool ascii; /* draw with ASCII only, whatever the locale and the settings say */
	const char
	    *session; /* file in which what is remembered is kept; NULL: only for this time */
	const char *query_dir; /* further saved queries; may be NULL */
	const char *classes;   /* of paths, tried before the setting's; checked, may be NULL */
	/* Scripted: plays the keys in this file without a terminal, on a screen of width x height cells, and writes the last screen
	 * to standard output as text. Words separated by blanks: names of keys (Enter, Esc, Down, ^L, F1 ...), single characters, 'text' typed letter
	 * by letter; # begins a comment. Results are waited for before each key. */
	const char *keys_file;
	int width, height; /* of the scripted screen; 0: 80 x 24 */
};

int ui_run(const struct ui_options *options, struct err *err);

#endif
