/* Notes on answers about spans that are more than they say: unfinished ones, and records that stand
 * for many calls.
 * Used by explain. */
#ifndef LANESCOPE_QUERY_SAVED_NOTES_H
#define LANESCOPE_QUERY_SAVED_NOTES_H

#include "query/saved/query.h"

/* What an answer shows that such records bear on. */
enum summed_part {
	SUMMED_PAGES = 1,         /* spans one by one */
	SUMMED_BUSY = 2,          /* unions, overlaps, gaps */
	SUMMED_MAKESPAN = 4,      /* the run's length, last ends */
	SUMMED_SELF = 8,          /* sums of self times */
	SUMMED_DISTRIBUTION = 16, /* quantiles, deviations, counts by size */
	SUMMED_OVERLAP = 32       /* what of two sets does not overlap */
};
/* What is asked of a run's totals with each answer. */
extern const char query_notes_run_sql[];
/* Says so where the run has unfinished spans; of: a run's name, or NULL. */
void result_note_unfinished(struct result *result, struct store *store, const char *of);
/* The same of such records. */
void result_note_summed(struct result *result, struct store *store, const char *of, unsigned parts);
/* What filters had to leave out, as they could not be decided, since store_forget_censuses. */
void query_note_left_out(struct result *result, const struct store *store);
/* All that there is to say about the spans of a saved query that was just run: of those that its
 * scans took, where they tell, else of the run's. */
void query_note_spans(struct result *result, struct store *store, const struct saved_query *query);

#endif
