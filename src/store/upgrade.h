/* Run files of older versions, written anew as ones of this version, and run files with other tags.
 * Used by cli. */
#ifndef LANESCOPE_STORE_UPGRADE_H
#define LANESCOPE_STORE_UPGRADE_H

#include "util/cancel.h"
#include "util/err.h"
#include "util/tag_list.h"

struct upgrade_version {
	int version;
	const unsigned char *sql; /* its schema, a text */
};
/* Since which version a column is there, or (column NULL) a table. */
struct upgrade_addition {
	int version;
	const char *table, *column;
	const char *before; /* SQL: what a row of an older file has instead */
};
struct upgrade_history {
	const struct upgrade_version *versions;   /* the last has no sql */
	const struct upgrade_addition *additions; /* the last has no table */
};
/* That of lanescope's own versions. */
extern const struct upgrade_history upgrade_history;

/* Writes the run of the file `from` to `to`, where nothing may be yet: all that the old file holds,
 * its identity among it. *version: of the old file. ERR_FORMAT if it is no run file of an older
 * version in `history`, or is damaged, as far as that shows where pages have no checksums. */
int upgrade_run(const struct upgrade_history *history, const char *from, const char *to,
                int *version, const struct cancel *cancel, struct err *err);
/* Writes the run of the file `from`, of this version, to `to`, where nothing may be yet, with these
 * tags as what people say of it (value "": nor do its traces). All else is the same, its identity
 * as well. */
int upgrade_tags(const char *from, const char *to, const struct tag_list *tags,
                 const struct cancel *cancel, struct err *err);

#endif
