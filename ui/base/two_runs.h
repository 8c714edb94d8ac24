/* Runs A and B of a comparison: their files, and what they are called. Used by places, questions to
 * two runs, tables of differences.
 * Used by ui/app, ui/lists, ui/table, ui/timeline. */
#ifndef LANESCOPE_UI_BASE_TWO_RUNS_H
#define LANESCOPE_UI_BASE_TWO_RUNS_H

struct two_runs {
	const char *path[2], *name[2];
};

/* Own copies of the texts; two_runs_free frees them. */
struct two_runs two_runs_copy(const struct two_runs *runs);
void two_runs_free(struct two_runs *runs);
/* B and A; the texts are those of runs. */
struct two_runs two_runs_swapped(const struct two_runs *runs);

#endif
