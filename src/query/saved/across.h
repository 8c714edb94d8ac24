/*
 * A query across many runs that are opened one after the other: their answers, tags and starts,
 * then all of them folded (fold.h).
 * Used by ui/table.
 */
#ifndef LANESCOPE_QUERY_SAVED_ACROSS_H
#define LANESCOPE_QUERY_SAVED_ACROSS_H

#include "query/saved/fold.h"

struct across;
/* query is lent. */
struct across *across_new(const struct saved_query *query);
/* Asks one more run. One that the query is not for is left out, one that gives no answer too; a
 * note says so. -1: cancelled, or the arguments are wrong. */
int across_add(struct across *across, struct store *store, const struct query_argument *arguments,
               size_t n_arguments, const struct cancel *cancel, struct err *err);
/* One that can't be asked. */
void across_miss(struct across *across, const struct err *why);
/* All as one table, by the tags of fold->by, "*": those that part the runs, but of which two have
 * the same; with fold->trend as query_trend. NULL: err says why. */
struct result *across_fold(const struct across *across, const struct fold *fold, struct err *err);
void across_free(struct across *across); /* takes NULL */

#endif
