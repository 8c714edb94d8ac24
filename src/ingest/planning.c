/* What the steps of the planning share: folders, what is told to the user, runs on their way. */
#include "config.h"
#include "ingest/plan.h"

#include <stdlib.h>
#include <string.h>

#define PROBLEMS_LISTED 100u

static const char *
sentence(struct planning *planning, const char *path, const char *reason)
{
	size_t length = strlen(path);
	bool names_it = strncmp(reason, path, length) == 0 && reason[length] == ':';

	return names_it ? arena_strdup(planning->arena, reason)
	                : arena_printf(planning->arena, "%s: %s", path, reason);
}

void
plan_skip(struct planning *planning, const char *path, const char *reason)
{
	struct ingest_plans *plans = &planning->plans;

	MEM_GROW(plans->skipped, planning->skipped_capacity, (size_t)plans->n_skipped + 1);
	plans->skipped[plans->n_skipped++] = sentence(planning, path, reason);
}

void
plan_fail(struct planning *planning, const char *path, const char *reason)
{
	struct ingest_plans *plans = &planning->plans;

	MEM_GROW(plans->failed, planning->failed_capacity, (size_t)plans->n_failed + 1);
	plans->failed[plans->n_failed++] = sentence(planning, path, reason);
}

size_t
plan_folder_length(const char *path, size_t length)
{
	while (length > 0 && path[length - 1] != '/') {
		length--;
	}
	return length > 1 ? length - 1 : length;
}

uint32_t
plan_folder(struct planning *planning, const char *path)
{
	size_t length = plan_folder_length(path, strlen(path));
	struct slice spelling = length ? (struct slice){path, length} : slice_of(".");
	uint32_t n = intern_count(planning->folder_spelling);
	uint32_t id = intern_id(planning->folder_spelling, spelling);

	if (id == n) {
		char *folder = xstrndup(spelling.ptr, spelling.len);
		char *real = xrealpath(folder);
		MEM_GROW(planning->folder_of_spelling, planning->spelling_capacity, (size_t)n + 1);
		planning->folder_of_spelling[id] =
		    intern_id(planning->folders, slice_of(real ? real : folder));
		free(real);
		free(folder);
	}
	return planning->folder_of_spelling[id];
}

void
plan_trouble(struct planning *planning, const char *path, const char *reason, bool is_told)
{
	const char *told = sentence(planning, path, reason);
	uint32_t id = intern_id(planning->trouble_sentences, slice_of(told));

	if (id < planning->n_troubles) { /* found in a folder and named as well */
		planning->troubles[id].is_told |= is_told;
		return;
	}
	MEM_GROW(planning->troubles, planning->troubles_capacity, planning->n_troubles + 1);
	planning->troubles[planning->n_troubles++] =
	    (struct plan_trouble){path, told, plan_folder(planning, path), is_told, false};
}

void
plan_stray(struct planning *planning, const char *path, const char *reason)
{
	size_t n = planning->n_troubles;

	plan_trouble(planning, path, reason, true);
	if (planning->n_troubles > n) {
		planning->troubles[n].is_stray = true;
	}
}

struct run_draft *
plan_draft(struct planning *planning, const struct import_format *format, const char *reason)
{
	MEM_GROW(planning->drafts, planning->drafts_capacity, (size_t)planning->n_drafts + 1);
	struct run_draft *draft = &planning->drafts[planning->n_drafts++];
	*draft = (struct run_draft){.format = format, .reason = reason, .begin_ns = TIME_NONE};
	return draft;
}

void
plan_draft_add(struct run_draft *draft, size_t file)
{
	MEM_GROW(draft->files, draft->files_capacity, (size_t)draft->n_files + 1);
	draft->files[draft->n_files++] = file;
}

void
plan_problem(struct planning *planning, unsigned index, enum problem_kind kind, const char *reason)
{
	struct run_draft *draft = &planning->drafts[index];

	if (draft->n_problems > PROBLEMS_LISTED) {
		return;
	}
	if (draft->n_problems == PROBLEMS_LISTED) {
		reason = arena_printf(planning->arena, "more of this kind are not listed");
	}
	MEM_GROW(draft->problems, draft->problems_capacity, (size_t)draft->n_problems + 1);
	draft->problems[draft->n_problems++] = (struct plan_problem){kind, reason};
}
