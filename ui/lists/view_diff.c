/* The questions that both runs answer with measures that can be subtracted. */
#include "config.h"

#include <stdlib.h>

#include "query/saved/query_list.h"
#include "ui/lists/view_choices.h"

static int
load(const struct two_runs *runs, const struct query_library *library, struct job_worker *worker,
     const struct cancel *cancel, struct choices *choices, struct err *err)
{
	struct store *stores[2];
	size_t n;
	const struct saved_query **fitting;
	struct run_info infos[2];
	const struct run_info *const both[2] = {&infos[0], &infos[1]};

	if (worker_stores(worker, runs, cancel, stores, err)) {
		return -1;
	}
	infos[0] = *store_run(stores[0]);
	infos[1] = *store_run(stores[1]);
	infos[0].has = query_needs_read(stores[0], library, choices->arena, err);
	infos[1].has =
	    infos[0].has ? query_needs_read(stores[1], library, choices->arena, err) : NULL;
	if (!infos[1].has) {
		return -1;
	}
	fitting = query_list_fitting(library, both, 2, &n);
	choices->heading =
	    arena_printf(choices->arena, "the same question asked of %s (A) and %s (B)",
	                 runs->name[0], runs->name[1]);
	choices->list = arena_zalloc(choices->arena, (n + 1) * sizeof *choices->list);
	for (size_t i = 0; i < n; i++) {
		const struct saved_query *query = fitting[i];

		if (query->measures && *query->measures) {
			choices->list[choices->n++] = (struct choice){.name = query->name,
			                                              .title = query->title,
			                                              .about = query->about,
			                                              .fact = slice_of(query->name),
			                                              .what = query};
		}
	}
	free(fitting);
	return 0;
}

static void
open_query(const struct two_runs *runs, struct view *view, const struct choice *choice)
{
	view_open(view, PLACE_DIFFERENCE, .runs = *runs, .query = choice->what);
}

static const struct choices_kind kind = {"Diff", 1, load, open_query, NULL};

struct view *
view_diff_new(struct app *app, const struct view_place *place)
{
	return view_choices_new(app, place, &kind);
}
