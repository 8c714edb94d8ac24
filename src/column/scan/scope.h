/*
 * A scope: what of a run is looked at. Words, each of which leaves something out:
 *
 *   range TIME .. TIME   what overlaps it; times from the run's start, either may be left out
 *   lanes PATTERN        what is on lanes whose lane_name the GLOB pattern matches
 *   CONDITION            of the filter language (filter.h), without parameters; or
 *                        filter 'CONDITION'
 *
 * As text they are divided by ";" (outside quotes): "range 1.2s .. 3.4s; lanes worker*; name =
 * efi".
 *
 * A span is in scope if it overlaps the range [start, end), at whose start an instant is inside,
 * and passes the lanes and the conditions; `inside` is the part of its duration in the range.
 * Used by cli, query/saved, store, ui/app, ui/base.
 */
#ifndef LANESCOPE_COLUMN_SCAN_SCOPE_H
#define LANESCOPE_COLUMN_SCAN_SCOPE_H

#include <stdbool.h>
#include <stdint.h>

#include "util/err.h"
#include "util/slice.h"

enum scope_kind { SCOPE_RANGE, SCOPE_LANES, SCOPE_FILTER };

struct scope_word {
	enum scope_kind kind;
	int64_t start_ns, end_ns; /* of a range: 0 and INT64_MAX where left out */
	char *text;               /* of lanes the pattern, of a filter the condition; owned */
};

#define SCOPE_WORDS 64

/* Zero-initialise: the whole run. */
struct scope {
	struct scope_word *words;
	size_t n;
};

/* Blank: the whole run. ERR_USAGE, ERR_QUERY (with the place in the text), ERR_LIMIT. */
int scope_read(struct slice text, struct scope *scope, struct err *err);
/* Appends what reads back as the same. */
void scope_write(const struct scope *scope, struct strbuf *out);
void scope_word_write(const struct scope_word *word, struct strbuf *out);
bool scope_equal(const struct scope *a, const struct scope *b);

/* The word is copied. What is there already, to the letter, is not added. */
void scope_add(struct scope *scope, const struct scope_word *word);
void scope_remove(struct scope *scope, size_t i);
void scope_copy(struct scope *scope, const struct scope *from); /* NULL: the whole run */
void scope_free(struct scope *scope);                           /* leaves the whole run */

/* What the ranges have in common; nothing: end is start. False: there is no range. */
bool scope_range(const struct scope *scope, int64_t *start_ns, int64_t *end_ns);
/* Lanes and conditions as one filter, new; NULL: there are none. */
char *scope_filter(const struct scope *scope);

/* The first condition that asks of more than lanes; NULL: there is none. */
const char *scope_condition(const struct scope *scope);

struct dataset;
/* lanes[i]: whether lane i of the dataset passes all words that are of lanes alone. 1: some do not,
 * 0: all do, -1. */
int scope_lanes(const struct scope *scope, const struct dataset *dataset, bool *lanes,
                struct err *err);

#endif
