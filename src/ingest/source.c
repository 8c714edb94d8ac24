/*
 * A source is read on one thread from its first byte to its last. All that it numbers (texts,
 * argument names, lanes, trials) it numbers for itself, so that the outcome does not depend on what
 * other threads do meanwhile; blocks leave it at once, the few other records are put aside in
 * spools.
 */
#include "config.h"
#include "ingest/source.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/mem.h"

void
source_init(struct source *source, uint32_t index, const char *path,
            const struct source_target *target)
{
	*source = (struct source){.index = index, .path = path, .target = target};
	source->texts = intern_new_spilled(target->texts);
	source->keys = intern_new();
	source->scopes = intern_new();
	source->records.spill = target->spill;
	source->dependencies.spill = target->spill;
	source->problems.spill = target->spill;
	source->last_later = TEXT_NONE;
	source->time_min = INT64_MAX;
	source->time_max = INT64_MIN;
}

void
source_forget_texts(struct source *source)
{
	intern_free(source->texts);
	intern_free(source->keys);
	index_free(&source->lanes.index);
	intern_free(source->scopes);
	free(source->symbols);
	free(source->told_texts);
	source->texts = source->keys = source->scopes = NULL;
	source->symbols = NULL;
	source->told_texts = NULL;
}

static void
free_builders(struct source *source)
{
	for (int kind = 0; kind < BLOCK_KINDS; kind++) {
		block_builder_free(source->builders[kind]);
		source->builders[kind] = NULL;
	}
}

void
source_forget(struct source *source, const struct import_format *format)
{
	if (source->format_facts && format->free_facts) {
		format->free_facts(source->format_facts);
	}
	source_forget_texts(source);
	early_source_fini(&source->early);
	free_builders(source);
	input_close(source->input);
	for (int kind = 0; kind < BLOCK_KINDS; kind++) {
		for (size_t i = 0; i < source->n_blocks[kind]; i++) {
			free(source->blocks[kind][i].info.columns);
		}
		free(source->blocks[kind]);
	}
	spool_fini(&source->records);
	spool_fini(&source->dependencies);
	spool_fini(&source->problems);
	lane_list_free(&source->lanes);
	free(source->text_map);
	free(source->key_map);
	free(source->lane_map);
	free(source->pending);
	free(source->place);
	if (source->is_loaded) {
		free((char *)source->facts.dialect);
	}
	*source = (struct source){0};
}

/* ---- problems ---- */

int
source_tell(struct source *source, struct problem problem, struct err *err, const char *format, ...)
{
	char reason[1024];
	va_list list;

	va_start(list, format);
	(void)vsnprintf(reason, sizeof reason, format, list);
	va_end(list);
	problem.reason = reason;
	source->n_problems++;
	return problem_keep(&source->problems, &problem, err);
}

void
problem_restore(const struct kept_problem *kept, struct slice extra, struct strbuf *reason,
                struct problem *problem)
{
	strbuf_clear(reason);
	strbuf_add(reason, extra.ptr, kept->reason_bytes);
	*problem =
	    (struct problem){kept->kind,
	                     kept->record,
	                     kept->offset,
	                     reason->data,
	                     {extra.ptr + kept->reason_bytes, extra.len - kept->reason_bytes}};
}

/* ---- reading ---- */

/* Once for each source, the first one as the example. */
static int
note_implausible(struct source *source, const struct implausible *implausible, const char *what,
                 const char *unit, struct err *err)
{
	bool is_more = implausible->first == SIZE_TOO_LARGE;

	return implausible->n == 0
	           ? 0
	           : source_tell(source,
	                         (struct problem){.kind = PROBLEM_SUSPICIOUS,
	                                          .record = implausible->first_record,
	                                          .offset = implausible->first_offset},
	                         err, "%s (records: %llu, the first with %s%lld %s)", what,
	                         (unsigned long long)implausible->n, is_more ? "more than " : "",
	                         is_more ? (long long)INT64_MAX : (long long)implausible->first,
	                         unit);
}

/* Members of a gzip file that could not be read, before others that could. */
static int
note_damage(struct source *source, struct err *err)
{
	struct problem problem = {.kind = PROBLEM_MALFORMED};
	const char *reason = input_damage(source->input, &problem.offset);

	return reason ? source_tell(source, problem, err, "%s", reason) : 0;
}

/* What only the end shows. */
static int
note_the_end(struct source *source, struct err *err)
{
	const struct problem cut = {.kind = PROBLEM_TRUNCATED, .offset = source->plain_bytes};

	source->facts.bad_records += source->n_untimely;
	if (note_damage(source, err) ||
	    (source->truncated && !source->truncation_told &&
	     source_tell(source, cut, err, "%s", input_truncation(source->input))) ||
	    (source->n_untimely > 0 &&
	     source_tell(source, (struct problem){.kind = PROBLEM_INVALID}, err,
	                 "%llu records have times that can't be (before 1823 or after 2116)",
	                 (unsigned long long)source->n_untimely)) ||
	    note_implausible(source, &source->implausible_sizes,
	                     "sizes above 256 TiB are left out and kept as an argument", "bytes",
	                     err) ||
	    note_implausible(source, &source->implausible_durations,
	                     "durations above 36 years are taken as 0 and kept as an argument",
	                     "ns", err)) {
		return -1;
	}
	if (source->n_problems > source->problems.n_records) {
		char reason[80];
		const struct problem rest = {.kind = PROBLEM_SUSPICIOUS, .reason = reason};
		snprintf(reason, sizeof reason, "%llu more problems of this source are not listed",
		         (unsigned long long)(source->n_problems - source->problems.n_records));
		return problem_keep(&source->problems, &rest,
		                    err); /* none of its own: not counted */
	}
	return 0;
}

static int
flush_builders(struct source *source)
{
	for (int kind = 0; kind < BLOCK_KINDS; kind++) {
		if (source->builders[kind] && block_builder_flush(source->builders[kind])) {
			return -1;
		}
	}
	return 0;
}

static void
note_input(struct source *source)
{
	const struct input *input = source->input;

	const struct file_facts *file = input_facts(input);

	source->plain_bytes = input_offset(input);
	source->raw_bytes = input_raw_offset(input);
	source->members = input_members(input);
	source->truncated = input_truncated(input) || source->truncation_told;
	source->is_file = file != NULL;
	if (file) {
		source->file = *file;
		source->place = strcmp(source->path, "-") == 0 ? NULL : xrealpath(source->path);
	}
}

/* A file that can't be read, or not to its end, is no reason to give up what others hold. */
static int
tell_loss(struct source *source, struct err *err)
{
	struct problem problem = {.kind = PROBLEM_MISSING};
	bool is_begun = source->n_problems > 0 || source->n_tasks > 0 || source->n_trials > 0;

	source->err = *err;
	source->is_unread = err->code == ERR_SYSTEM;
	for (int kind = 0; kind < BLOCK_KINDS; kind++) {
		is_begun |= source->n_rows[kind] > 0;
	}
	source->is_lost = !is_begun;
	if (is_begun && source->input) {
		problem.kind = PROBLEM_TRUNCATED;
		problem.offset = input_offset(source->input);
	}
	return source_tell(source, problem, err, "%s", source->err.message);
}

/* Whoever reads the file once more is to get another run, not to be told that it is there. */
static void
mark_unread(struct source *source)
{
	uint64_t told[] = {source->digest.high, source->digest.low, source->plain_bytes};
	struct digest digest;

	digest_init(&digest);
	digest_add(&digest, told, sizeof told);
	source->digest = digest_end(&digest);
}

/* After the last record; result: what reading came to. */
static int
finish(struct source *source, int result, const struct cancel *cancel, struct err *err)
{
	if (result != 0 && !source->failed && err->code != ERR_CANCELLED) {
		(void)err_wrap(err, "%s", source->path);
		result = tell_loss(source, err);
	}
	result = result ? result : flush_builders(source);
	if (source->failed) {
		*err = source->err;
		return -1;
	}
	if (result != 0) {
		return err->code == ERR_CANCELLED ? -1 : err_wrap(err, "%s", source->path);
	}
	if (input_finish(source->input, cancel, &source->digest, err)) {
		return -1;
	}
	note_input(source);
	if (source->is_unread) {
		mark_unread(source);
	}
	result = note_the_end(source, err);
	if (result == 0) {
		result = source_tick(source, true, err);
	}
	input_close(source->input);
	source->input = NULL;
	free_builders(source);
	return result;
}

/* Does what the user called a trace of this format look like one, by the rule that finds
 * formats? */
static int
doubt(struct source *source, const struct import_format *format, struct err *err)
{
	const struct import_format *found = NULL;
	struct slice head;

	if (import_recognise(source->input, format, &found, &head, err)) {
		return err_wrap(err, "%s", source->path);
	}
	source->is_foreign = head.len > 0 && found != format;
	return 0;
}

/* It did not, and nothing came of it: importers may pass over what they do not know. */
static int
tell_foreign(struct source *source, const struct import_format *format, struct err *err)
{
	source->is_foreign = source->facts.records == 0;
	if (!source->is_foreign) {
		return 0;
	}
	source->facts.bad_records += source->facts.bad_records == 0;
	return source_tell(source, (struct problem){.kind = PROBLEM_INVALID}, err,
	                   "no record of format %s in this file", format->name);
}

int
source_read(struct source *source, const struct import_format *format,
            const struct import_options *options, struct input *opened, struct err *err)
{
	struct sink sink;

	source->input = opened ? opened : input_open(source->path, err);
	if (!source->input) {
		return tell_loss(source, err);
	}
	source->told_waited_ns = input_waited_ns(source->input);
	if (source->is_forced && doubt(source, format, err)) {
		return -1;
	}
	if (source->target->read_ahead) {
		input_read_ahead(source->input);
	}
	source_sink(source, &sink);
	int result = format->read(source->input, &sink, options, &source->format_facts, err);
	if (finish(source, result, options->cancel, err)) {
		return -1;
	}
	return source->is_foreign ? tell_foreign(source, format, err) : 0;
}

int
source_make(struct source *source, struct slice told,
            int (*make)(void *user, struct sink *sink, struct err *err), void *user,
            struct err *err)
{
	struct sink sink;
	struct digest digest;

	source->input = input_from_memory((struct slice){"", 0}, 0);
	source_sink(source, &sink);
	int result = finish(source, make(user, &sink, err), NULL, err);
	digest_init(&digest);
	digest_add(&digest, told.ptr, told.len);
	source->digest = digest_end(&digest);
	return result;
}
