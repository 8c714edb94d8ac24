/*
 * Making a part is an import without its end: sources are read as ever, their blocks go to the
 * file as they come, and what else is known of each (part_keep.c), so that nothing of it stays in
 * memory.
 */
#include "config.h"
#include "ingest/part.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "store/runfile.h"
#include "util/clock.h"
#include "util/file_facts.h"
#include "util/mem.h"

struct part_mark
ingest_part_mark(const struct ingest_plan *plan, const struct ingest_options *options, uint32_t of)
{
	struct part_about about;

	part_about_make(&about, plan, options, (struct part_number){1, of});
	struct part_mark mark = {about.plan_digest, of};
	part_about_free(&about);
	return mark;
}

static bool
is_of(const struct part_about *about, const struct part_mark *mark, uint32_t nth)
{
	return strcmp(about->made_by, PART_MADE_BY) == 0 &&
	       about->plan_digest.high == mark->plan.high &&
	       about->plan_digest.low == mark->plan.low && about->of == mark->of &&
	       about->n_numbers == 1 && about->numbers[0] == nth;
}

bool
ingest_part_is_there(const char *path, const struct part_mark *mark, uint32_t nth)
{
	struct err err = ERR_INIT;
	struct part_reader *part = part_open(path, &err);
	struct arena *arena = arena_new();
	struct part_about about;
	bool is_there = part && part_about_read(&about, part_about(part), path, arena, &err) == 0;

	if (is_there) {
		is_there = is_of(&about, mark, nth);
		part_about_free(&about);
	}
	arena_free(arena);
	part_close(part);
	return is_there;
}

static bool
is_whole(const char *path, const struct cancel *cancel)
{
	struct err err = ERR_INIT;
	struct runfile_pages pages = {0};

	return runfile_verify(path, &pages, cancel, &err) == 0 && pages.damaged == 0;
}

int
part_check_files(const struct ingest_plan *plan, struct err *err)
{
	for (unsigned i = 0; i < plan->n_paths; i++) {
		struct stat status;
		if (strcmp(plan->paths[i], "-") == 0 ||
		    (stat(plan->paths[i], &status) == 0 && !S_ISREG(status.st_mode))) {
			return err_set(
			    err, ERR_USAGE,
			    "%s: is read once only, so no part can be made of it: save it "
			    "to a file first",
			    plan->paths[i]);
		}
	}
	return 0;
}

/* Are the part's files as they were when the plan was made? */
static int
check_unchanged(const struct part_about *about, struct err *err)
{
	for (size_t i = 0; i < about->n_held; i++) {
		const struct held_source *held = &about->held[i];
		struct file_facts facts;
		if (!file_facts_read(held->path, &facts)) {
			return err_set(
			    err, ERR_CHANGED,
			    "%s: is not there as it was when the plan was made%s: "
			    "make the plan again",
			    held->path,
			    *held->path == '/' ? "" : ", or the plan was made in another folder");
		}
		if (facts.size_bytes != held->size_bytes ||
		    facts.modified_ns != held->modified_ns) {
			return err_set(err, ERR_CHANGED,
			               "%s: has changed since the plan was made: make the plan "
			               "again",
			               held->path);
		}
	}
	return 0;
}

int
part_make(const struct ingest_plan *plan, const char *path, struct part_about *about,
          const struct ingest_options *options, struct ingest_progress *progress,
          struct ingest_summary *summary, struct err *err)
{
	struct strbuf told = {0};
	bool *is_held = xcalloc((size_t)plan->n_paths + 1, sizeof *is_held);
	int64_t start_ns = clock_ns();
	struct run *run;
	int status = -1;

	part_about_write(about, &told);
	for (size_t i = 0; i < about->n_held; i++) {
		is_held[about->held[i].index] = true;
	}
	run = run_new_part(plan, path, is_held, options, progress);
	run->writer = part_writer_new(path, err);
	if (run->writer) {
		status = run_decode(run, err);
		if (status) {
			writer_abort(run->writer);
		} else {
			status = writer_finish_part(run->writer, strbuf_slice(&told),
			                            options->cancel, err);
		}
	}
	if (status == 0) {
		run_sum_up(run, path, summary);
		summary->sources = about->n_held;
		summary->seconds = (double)(clock_ns() - start_ns) * 1e-9;
	}
	run_free_part(run);
	strbuf_free(&told);
	free(is_held);
	return status;
}

char *
ingest_part_path(const struct ingest_plan *plan, struct part_number number)
{
	size_t length = strlen(plan->out_path);
	struct strbuf path = {0};

	length -= length > 6 && strcmp(plan->out_path + length - 6, ".lanes") == 0 ? 6 : 0;
	strbuf_printf(&path, "%.*s.%u-of-%u" INGEST_PART_ENDING, (int)length, plan->out_path,
	              number.nth, number.of);
	return strbuf_take(&path);
}

int
ingest_part(const struct ingest_plan *plan, const char *path, struct part_number number,
            const struct ingest_options *options, struct ingest_progress *progress,
            struct ingest_summary *summary, struct err *err)
{
	struct part_about about;
	int status;

	if (!plan->as_planned && part_check_files(plan, err)) {
		return -1;
	}
	part_about_make(&about, plan, options, number);
	status = plan->as_planned ? check_unchanged(&about, err) : 0;
	const struct part_mark mark = {about.plan_digest, number.of};
	*summary = (struct ingest_summary){.sources = about.n_held, .is_held = true};
	snprintf(summary->out_path, sizeof summary->out_path, "%s", path);
	if (status == 0 &&
	    (options->clash == CLASH_REPLACE || !ingest_part_is_there(path, &mark, number.nth) ||
	     !is_whole(path, options->cancel))) {
		status = part_make(plan, path, &about, options, progress, summary, err);
	}
	part_about_free(&about);
	return status;
}
