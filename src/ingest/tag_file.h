/*
 * Files of tags that people lay beside traces: lines of key = value (util/tag_list.h), or, where
 * the first byte that is not blank is {, one JSON object,
 *
 *   {"nodes": 4, "note": "with blanks at an end ", "warm": true, "mode": null}
 *
 * of texts, numbers, which stay as written, true and false; null or "": no such tag, though the run
 * has one. Both forms have the same limits, and of a name that comes twice the later value counts.
 * Used by its room alone.
 */
#ifndef LANESCOPE_INGEST_TAG_FILE_H
#define LANESCOPE_INGEST_TAG_FILE_H

#include "util/tag_list.h"

/* Adds what a file says, or nothing and 1 where there is no file. Errors name file and line. */
int tag_file_read(struct tag_list *list, const char *path, struct err *err);

#endif
