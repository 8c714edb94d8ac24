/* The explorer. The only header of ui/ that the command line needs.
 * Used by cli. */
#ifndef LANESCOPE_UI_UI_H
#define LANESCOPE_UI_UI_H

#include <stdbool.h>
#include <stddef.h>
#include "ui/app/imports.h"

struct scope;

struct ui_options {
	const char *const *paths; /* run files and folders of them; none: the current folder */
	size_t n_paths;
	const struct ui_imports *imports; /* listed behind the paths; NULL: none */
	bool ascii; /* draw with ASCII only, whatever the locale and the settings say */
	/* file in which what is remembered is kept; NULL: only for this time */
	const char *session;
	const char *query_dir;     /* further saved queries; may be NULL */
	const struct scope *scope; /* to begin with; the whole run: the session's, if any */
	const char *classes;       /* of paths, tried before the setting's; checked, may be NULL */
	bool safe_csv;             /* as if the setting were on */
	bool no_session;           /* runs are not remembered either */
	bool tour;                 /* begin with the tour, unless the user has seen it */
	/* Scripted: plays the keys in this file without a terminal, on a screen of width x height
	 * cells, and writes the last screen to standard output as text. Words separated by blanks:
	 * names of keys (Enter, Esc, Down, ^L, F1 ...), single characters, 'text' typed letter by
	 * letter; # begins a comment. Results are waited for after each key; one that fails (a
	 * message of an error) does not end the script, but ui_run fails and names the first. */
	const char *keys_file;
	int width, height; /* of the scripted screen; 0: 80 x 24 */
	/* Its screens as one file, NAME.svg (animated) or NAME.cast; NULL: none. A word of the
	 * script like 2s lets the screen stay that much longer. */
	const char *cast;
};

int ui_run(const struct ui_options *options, struct err *err);

#endif
