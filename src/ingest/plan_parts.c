/*
 * Files that hold several runs, one behind the other, are read once to find where each begins, for the formats that can tell. One plan becomes
 * several then, each with its records of every file. All files of a run must tell of as many: what belongs together is
 * counted from the first one on. Else the plan stays as it is, and the import tells of what it finds.
 */
#include "config.h"
#include "ingest/plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct parting {
	struct planning *planning;
	struct import_parts *parts; /* of each file */
	unsigned n_files;
};

static void
free_parts(struct parting *parting)
{
	for (unsigned i = 0; i < parting->n_files; i++) {
		import_parts_free(&parting->parts[i]);
	}
	free(parting->parts);
}

/* What can't be read is the import's to tell. */
static int
find_parts(const struct planning *planning, const struct import_format *format, const char *path,
           struct import_parts *parts, struct err *err)
{
	struct err own = ERR_INIT;
	struct input *input = input_open(path, &own);

	if (!input) {
		return 0;
	}
	input_read_ahead(input);
	int result = format->find_parts(input, planning->options->cancel, parts, &own);
	input_close(input);
	if (result != 0 && own.code == ERR_CANCELLED) {
		*err = own;
		return -1;
	}
	if (result != 0) {
		import_parts_clear(parts);
	}
	return 0;
}

static struct plan_part *
records_of(const struct parting *parting, unsigned part, unsigned n_files)
{
	struct plan_part *records =
	    arena_alloc(parting->planning->arena, ((size_t)n_files + 1) * sizeof *records);

	for (unsigned i = 0; i < n_files; i++) {
		records[i] = (struct plan_part){0, 0};
		if (i < parting->n_files) {
			const struct import_parts *parts = &parting->parts[i];
			records[i].first = part ? parts->parts[part - 1].first : 0;
			records[i].end = part < parts->n ? parts->parts[part].first : 0;
		}
	}
	return records;
}

static const char *
reason_of(const struct parting *parting, unsigned part, unsigned n)
{
	const struct import_parts *parts = &parting->parts[0];
	const struct import_part *border = &parts->parts[part ? part - 1 : 0];

	return arena_printf(parting->planning->arena,
	                    "run %u of %u in one file: at record %" PRIu64 " %s", part + 1, n,
	                    border->record, border->reason);
}

/* Puts a draft for each part in the place of the draft. */
static void
divide(struct parting *parting, unsigned index)
{
	struct planning *planning = parting->planning;
	unsigned n = (unsigned)parting->parts[0].n + 1;

	planning->drafts = mem_grow(planning->drafts, &planning->drafts_capacity,
	                            (size_t)planning->n_drafts + n, sizeof *planning->drafts);
	struct draft *first = &planning->drafts[index], whole = *first;
	memmove(first + n, first + 1, (planning->n_drafts - index - 1) * sizeof *first);
	planning->n_drafts += n - 1;
	for (unsigned i = 0; i < n; i++) {
		first[i] = whole;
		first[i].part = i + 1;
		first[i].records = records_of(parting, i, whole.n_files);
		first[i].reason = reason_of(parting, i, n);
		first[i].files = xcalloc((size_t)whole.n_files + 1, sizeof *whole.files);
		first[i].files_capacity = (size_t)whole.n_files + 1;
		memcpy(first[i].files, whole.files, whole.n_files * sizeof *whole.files);
		first[i].problems = xcalloc((size_t)whole.n_problems + 1, sizeof *whole.problems);
		first[i].problems_capacity = (size_t)whole.n_problems + 1;
		if (whole.n_problems > 0) {
			memcpy(first[i].problems, whole.problems,
			       whole.n_problems * sizeof *whole.problems);
		}
	}
	free(whole.files);
	free(whole.problems);
}

static int
look_into(struct planning *planning, unsigned index, struct err *err)
{
	const struct draft *draft = &planning->drafts[index];
	struct parting parting = {.planning = planning,
	                          .n_files = draft->n_files - draft->n_beside};
	bool is_alike = true;
	int result = 0;

	parting.parts = xcalloc((size_t)parting.n_files + 1, sizeof *parting.parts);
	for (unsigned i = 0; i < parting.n_files && result == 0 && is_alike; i++) {
		const char *path = planning->files[draft->files[i]].path;
		result = find_parts(planning, draft->format, path, &parting.parts[i], err);
		is_alike = parting.parts[i].n == parting.parts[0].n;
	}
	if (result == 0 && is_alike && parting.parts[0].n > 0) {
		divide(&parting, index);
	}
	free_parts(&parting);
	return result;
}

int
plan_parts(struct planning *planning, struct err *err)
{
	for (unsigned i = planning->n_drafts; i-- > 0 && !planning->options->one;) {
		const struct draft *draft = &planning->drafts[i];
		const char *path = planning->files[draft->files[0]].path;
		if (draft->format->find_parts && !plan_reads_once(path) &&
		    look_into(planning, i, err) != 0) {
			return -1;
		}
	}
	return 0;
}
