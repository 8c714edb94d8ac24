/*
 * Tags that people give to runs, and the files that hold them (lanescope(1), Tags): a line each,
 *
 *   # what begins so is a comment
 *   nodes = 4
 *   note = "with blanks at an end "
 *   mode =                              no such tag, though the run has one
 *
 * Names are letters, digits, _ . and -, values a line of UTF-8; both, their number and the file
 * have limits, as such files come from anywhere.
 * Used by cli, ingest, query/saved, store.
 */
#ifndef LANESCOPE_UTIL_TAG_LIST_H
#define LANESCOPE_UTIL_TAG_LIST_H

#include "util/err.h"
#include "util/mem.h"
#include "util/slice.h"

#define TAG_KEY_BYTES 64u
#define TAG_VALUE_BYTES 1000u
#define TAGS_MAX 200u
#define TAG_FILE_BYTES ((size_t)256 << 10)

struct tag_text {
	const char *key, *value; /* value "": the tag is taken away */
};
/* In the order in which they were first given. Zero-initialise. */
struct tag_list {
	struct tag_text *all;
	size_t n, capacity;
	struct arena *arena;
};

/* ERR_USAGE if that can't be a tag's name. */
int tag_check_key(struct slice key, struct err *err);
/* Gives a tag, or another value to it; texts are copied. */
int tag_list_set(struct tag_list *list, struct slice key, struct slice value, struct err *err);
/* "key=value"; blanks around either do not count. */
int tag_list_take(struct tag_list *list, const char *text, struct err *err);
/* Those of the other list as well; where both have one, the other's. */
int tag_list_add(struct tag_list *list, const struct tag_list *other, struct err *err);
const char *tag_list_find(const struct tag_list *list, const char *key); /* NULL: none */
/* Adds what a file says, or nothing and 1 where there is no file. Errors name file and line. The
 * line `identity = ...`, which says whose tags these are, goes to *identity (free(); NULL: none
 * there); identity NULL: it is a tag like others. */
int tag_list_read(struct tag_list *list, const char *path, char **identity, struct err *err);
/* Its two steps, for files that may be of another form. Appends a file's bytes, within the limit;
 * 1: there is none. */
int tag_list_load(const char *path, struct strbuf *text, struct err *err);
int tag_list_take_lines(struct tag_list *list, const char *path, struct slice text, char **identity,
                        struct err *err);
/* Appends the text of such a file; identity NULL: without that line. */
void tag_list_write(const struct tag_list *list, const char *identity, struct strbuf *out);
void tag_list_free(struct tag_list *list);

#endif
