/* The questions that both runs answer with measures that can be subtracted. */
#include "config.h"

#include "ui/lists/query_list.h"
#include "ui/table/table_source.h"
#include "ui/lists/view_choices.h"

static int
load(const struct choices_maker *maker, const struct query_library *library, struct worker *worker,
     const struct cancel *cancel, struct choices *choices, struct err *err)
{
	struct store *a = worker_store(worker, maker->path_a, cancel, err);
	struct store *b = a ? worker_store(worker, maker->path_b, cancel, err) : NULL;
	size_t n = query_library_count(library), n_fitting;
	const struct saved_query **fitting;
	struct run_info infos[2];
	const struct run_info *const runs[2] = {&infos[0], &infos[1]};

	if (!b) {
		return -1;
	}
	infos[0] = *store_run(a);
	infos[1] = *store_run(b);
	infos[0].has = query_needs_read(a, library, choices->arena, err);
	infos[1].has = infos[0].has ? query_needs_read(b, library, choices->arena, err) : NULL;
	if (!infos[1].has) {
		return -1;
	}
	fitting = arena_alloc(choices->arena, (n + 1) * sizeof(const struct saved_query *));
	n_fitting = query_list_fitting(library, runs, 2, fitting);
	choices->heading =
	    arena_printf(choices->arena, "the same question asked of %s (A) and %s (B)",
	                 maker->name_a, maker->name_b);
	choices->list = arena_zalloc(choices->arena, (n + 1) * sizeof(*choices->list));
	for (size_t i = 0; i < n_fitting; i++) {
		const struct saved_query *query = fitting[i];

		if (query->measures && *query->measures) {
			choices->list[choices->n++] = (struct choice){.name = query->name,
			                                              .title = query->title,
			                                              .about = query->about,
			                                              .fact = slice_of(query->name),
			                                              .what = query};
		}
	}
	return 0;
}

static void
open_query(const struct choices_maker *maker, struct view *view, const struct choice *choice)
{
	app_push(view->app,
	         view_table_new(view->app, maker->path_b, maker->name_b,
	                        table_source_diff(maker->path_a, maker->name_a, maker->path_b,
	                                          maker->name_b, choice->what)));
}

struct view *
view_diff_new(struct app *app, const char *path_a, const char *name_a, const char *path_b,
              const char *name_b)
{
	struct choices_maker maker = {"Diff",
	                              load,
	                              open_query,
	                              (char *)(uintptr_t)path_a,
	                              (char *)(uintptr_t)name_a,
	                              (char *)(uintptr_t)path_b,
	                              (char *)(uintptr_t)name_b};

	return view_choices_new(app, &maker);
}
