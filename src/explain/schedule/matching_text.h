/*
 * Texts that differ from run to run, made alike.
 * Used by explain/parts.
 */
#ifndef LANESCOPE_EXPLAIN_SCHEDULE_MATCHING_TEXT_H
#define LANESCOPE_EXPLAIN_SCHEDULE_MATCHING_TEXT_H

#include "util/slice.h"

/* Appends text without UUIDs and without runs of eight or more hex digits that hold a digit
 * ("efi:3ca7e41b" -> "efi:"). */
void matching_strip(struct strbuf *out, struct slice text);
/* As that, with every other run of digits as "#". */
void matching_pattern(struct strbuf *out, struct slice text);

/* The last part of a path. */
struct slice matching_basename(struct slice path);

#endif
