/*
 * Files that hold several runs, one behind the other, are read once to find where each begins, for
 * the formats that can tell. One plan becomes several then, each with its records of every file.
 * All files of a run must tell of as many borders: what belongs together is counted from the first
 * one on. A file that is not certain of its own borders follows one that is, where both are of one
 * clock and pause at once. Else the plan stays as it is, and the pauses are told; of other borders
 * the import tells.
 */
#include "config.h"
#include "ingest/plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/format.h"
#include "util/order.h"

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

/* ---- borders ---- */

static size_t
count_certain(const struct import_parts *parts)
{
	size_t n = 0;

	for (size_t i = 0; i < parts->n; i++) {
		n += parts->parts[i].is_certain;
	}
	return n;
}

/* The nth that is certain, from 0; NULL: there are fewer. */
static struct import_part *
certain(const struct import_parts *parts, size_t nth)
{
	for (size_t i = 0; i < parts->n; i++) {
		if (parts->parts[i].is_certain && nth-- == 0) {
			return &parts->parts[i];
		}
	}
	return NULL;
}

/* Has the file a pause at each border of the guide, which is certain? Then these are its
 * borders. */
static bool
follow(struct import_parts *parts, const struct import_parts *guide)
{
	size_t n_certain = 0, at = 0, n = count_certain(guide);
	bool *is_border = xcalloc(parts->n + 1, sizeof *is_border);

	for (size_t nth = 0; nth < n; nth++) {
		const struct import_part *wanted = certain(guide, nth);
		while (at < parts->n && !(parts->parts[at].before < wanted->after &&
		                          wanted->before < parts->parts[at].after)) {
			at++;
		}
		n_certain += at < parts->n && parts->parts[at].is_certain;
		if (at < parts->n) {
			is_border[at++] = true;
		} else {
			n = 0; /* none fits */
		}
	}
	bool fits = n > 0 && n_certain == count_certain(parts);
	for (size_t i = 0; fits && i < parts->n; i++) {
		parts->parts[i].is_certain = is_border[i];
	}
	free(is_border);
	return fits;
}

/* Do all files tell of as many runs, by themselves or following others? */
static bool
agree(struct parting *parting)
{
	size_t most = 0;
	bool fits = true;

	for (unsigned i = 0; i < parting->n_files; i++) {
		size_t n = count_certain(&parting->parts[i]);
		most = MOST(n, most);
	}
	for (unsigned i = 0; most > 0 && i < parting->n_files && fits; i++) {
		fits = count_certain(&parting->parts[i]) == most;
		for (unsigned k = 0; k < parting->n_files && !fits; k++) {
			fits = count_certain(&parting->parts[k]) == most &&
			       follow(&parting->parts[i], &parting->parts[k]);
		}
	}
	return most > 0 && fits;
}

/* A problem for each file that pauses within these records where it is not divided. */
static void
tell_pauses(const struct parting *parting, unsigned index, bool is_divided)
{
	struct planning *planning = parting->planning;
	char length[FORMAT_BYTES];

	for (unsigned i = 0; i < parting->n_files; i++) {
		const struct run_draft *draft = &planning->drafts[index];
		const struct import_part *first = NULL;
		size_t n = 0;
		for (size_t k = 0; k < parting->parts[i].n; k++) {
			const struct import_part *part = &parting->parts[i].parts[k];
			bool is_here =
			    !draft->records ||
			    (part->first >= draft->records[i].first &&
			     (draft->records[i].end == 0 || part->first < draft->records[i].end));
			if (is_here && !(is_divided && part->is_certain) &&
			    part->after > part->before) {
				first = first ? first : part;
				n++;
			}
		}
		if (!first) {
			continue;
		}
		const char *path = planning->files[draft->files[i]].path;
		int64_t pause_ns = (int64_t)((first->after - first->before) * 1e9);
		plan_problem(planning, index, PROBLEM_SUSPICIOUS,
		             arena_printf(planning->arena,
		                          "%s: nothing is recorded for %s before record %" PRIu64
		                          "%s: was another run appended to the file? All of it is "
		                          "read as one",
		                          path, format_duration(length, pause_ns), first->record,
		                          n > 1 ? ", and in other places" : ""));
	}
}

/* ---- dividing ---- */

static struct plan_part *
records_of(const struct parting *parting, unsigned part, unsigned n_files)
{
	struct plan_part *records =
	    arena_alloc(parting->planning->arena, ((size_t)n_files + 1) * sizeof *records);

	for (unsigned i = 0; i < n_files; i++) {
		records[i] = (struct plan_part){0, 0};
		if (i < parting->n_files) {
			const struct import_part *from =
			    part ? certain(&parting->parts[i], part - 1) : NULL;
			const struct import_part *to = certain(&parting->parts[i], part);
			records[i].first = from ? from->first : 0;
			records[i].end = to ? to->first : 0;
		}
	}
	return records;
}

static const char *
reason_of(const struct parting *parting, unsigned part, unsigned n)
{
	const struct import_part *border = certain(&parting->parts[0], part ? part - 1 : 0);

	return arena_printf(parting->planning->arena,
	                    "run %u of %u in one file: at record %" PRIu64 " %s", part + 1, n,
	                    border->record, border->reason);
}

/* Puts a draft for each part in the place of the draft. */
static void
divide(struct parting *parting, unsigned index)
{
	struct planning *planning = parting->planning;
	unsigned n = (unsigned)count_certain(&parting->parts[0]) + 1;

	MEM_GROW(planning->drafts, planning->drafts_capacity, (size_t)planning->n_drafts + n);
	struct run_draft *first = &planning->drafts[index], whole = *first;
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
	for (unsigned i = 0; i < n; i++) {
		tell_pauses(parting, index + i, true);
	}
}

static int
look_into(struct planning *planning, unsigned index, struct err *err)
{
	const struct run_draft *draft = &planning->drafts[index];
	struct parting parting = {.planning = planning,
	                          .n_files = draft->n_files - draft->n_beside};
	int result = 0;

	parting.parts = xcalloc((size_t)parting.n_files + 1, sizeof *parting.parts);
	for (unsigned i = 0; i < parting.n_files && result == 0; i++) {
		const char *path = planning->files[draft->files[i]].path;
		result = find_parts(planning, draft->format, path, &parting.parts[i], err);
	}
	if (result == 0 && agree(&parting)) {
		divide(&parting, index);
	} else if (result == 0) {
		tell_pauses(&parting, index, false);
	}
	free_parts(&parting);
	return result;
}

int
plan_parts(struct planning *planning, struct err *err)
{
	for (unsigned i = planning->n_drafts; i-- > 0 && !planning->options->one;) {
		const struct run_draft *draft = &planning->drafts[i];
		const char *path = planning->files[draft->files[0]].path;
		if (draft->format->find_parts && !plan_reads_once(path) &&
		    look_into(planning, i, err)) {
			return -1;
		}
	}
	return 0;
}
