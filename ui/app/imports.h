/* Traces that become runs while the explorer is open. Told by the command line (cli/background.c),
 * shown by the list of runs.
 * Used by ui, ui/lists. */
#ifndef LANESCOPE_UI_APP_IMPORTS_H
#define LANESCOPE_UI_APP_IMPORTS_H

#include <stddef.h>
#include <stdint.h>
#include "util/err.h"

enum import_state {
	IMPORT_WAITING, /* for its turn */
	IMPORT_READING,
	IMPORT_FINISHING, /* read in full, not yet a run */
	IMPORT_DONE,      /* those before it go on, those behind it came to nothing */
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
struct result;
struct ui_imports {
	void *user;
	size_t n;
	/* Begins, one after the other, on threads of its own. wake is called when one begins or
	 * ends, and at most twice a second between. */
	void (*start)(void *user, void (*wake)(void *wake_user), void *wake_user);
	void (*read)(void *user, size_t i, struct ui_import *import); /* how far one is */
	/* What was read of it so far, by name (new). Any thread. */
	struct result *(*early)(void *user, size_t i);
	void (*cancel)(void *user, size_t i);
	void (*again)(void *user, size_t i); /* a stopped or failed one */
	void (*wait)(void *user);            /* until none runs or waits */
	void (*stop)(void *user);            /* all; afterwards wake is not called any more */
};

#endif
