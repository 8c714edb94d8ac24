/* Inside of struct store, shared by store.c and stmt.c.
 * Used by its room alone. */
#ifndef LANESCOPE_STORE_STORE_PRIVATE_H
#define LANESCOPE_STORE_STORE_PRIVATE_H

#include "store/internal.h"
#include "store/runfile.h"
#include "util/mem.h"

struct store {
	sqlite3 *db;
	char *path, *name; /* name: of the run, from the path */
	struct file_identity identity;
	struct run_reader *reader;
	struct run_info info; /* the reader's, but for the name */
	const struct cancel *cancel;
	struct scope scope;
	bool is_shown; /* store_show was done */
};

/* ERR_CHANGED if the file isn't what it was at opening. */
int store_is_same(struct store *store, struct err *err);
/* Makes the temporary views through which SQL sees the run, as the scope says (store_views.c).
 * Statements look at no cancel afterwards. */
int store_show(struct store *store, struct err *err);
/* The same, if it was not done yet: most of what lists runs needs no view. */
int store_show_once(struct store *store, struct err *err);
void store_guard(struct store *store); /* what users may not do is refused from now on */
/* After a failure: if the file has changed, that is the reason, and err becomes ERR_CHANGED. Always
 * -1. */
int store_failed(struct store *store, struct err *err);

#endif
