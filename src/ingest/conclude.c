/*
 * The end of an import: everything that is known only when all sources are read. Texts, argument
 * names and lanes first, then the records that were put aside, then blocks and tiles; the sources
 * last, as problems of theirs may come to light until then.
 */
#include "config.h"
#include "ingest/part.h"
#include "ingest/run.h"

#include <stdio.h>
#include <stdlib.h>

#include "input/squeeze.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

/* ---- what the format finds over all sources ---- */

static bool
is_timed(const struct source *source)
{
	return source->time_min <= source->time_max;
}

static void
shift(struct source *source, int64_t shift_ns)
{
	source->shift_ns = shift_ns;
	source->time_min = time_add(source->time_min, shift_ns);
	source->time_max = time_add(source->time_max, shift_ns);
}

struct conclusion {
	struct run *run;
	struct err err;
	bool failed;
};

static text_code
conclude_text(void *user, struct slice text)
{
	struct conclusion *conclusion = user;
	return intern_id(conclusion->run->merge.texts, text);
}

static int
conclude_tag(void *user, const struct tag *tag)
{
	struct conclusion *conclusion = user;
	struct tag kept = *tag;

	kept.key = kept.key == TEXT_NONE ? conclude_text(user, slice_of("")) : kept.key;
	kept.value = kept.value == TEXT_NONE ? conclude_text(user, slice_of("")) : kept.value;
	conclusion->failed |= spool_put(&conclusion->run->run_tags, RECORD_TAG, &kept, sizeof kept,
	                                (struct slice){0}, &conclusion->err) != 0;
	return conclusion->failed;
}

static int
conclude_problem(void *user, const struct problem *problem)
{
	struct conclusion *conclusion = user;

	conclusion->failed |=
	    problem_keep(&conclusion->run->run_problems, problem, &conclusion->err) != 0;
	return conclusion->failed;
}

/* Times beyond the limit stay where they are. */
static void
align(struct source *source, int64_t offset_ns)
{
	bool fits = time_add(source->time_min, offset_ns) > -TIME_LIMIT &&
	            time_add(source->time_max, offset_ns) < TIME_LIMIT;

	if (is_timed(source) && fits) {
		shift(source, offset_ns);
		source->facts.clock = CLOCK_WALL;
	}
}

/* Puts the clocks of the format's sources together. */
static void
ask_clocks(struct run *run, void *const *facts, struct sink *sink)
{
	uint32_t n = run->n_sources - run->plan->n_beside;
	int64_t *offsets_ns = xcalloc((size_t)n + 1, sizeof *offsets_ns);

	if (run->format->align && run->format->align(facts, n, sink, offsets_ns)) {
		for (uint32_t i = 0; i < n; i++) {
			align(&run->sources[i], offsets_ns[i]);
		}
	}
	free(offsets_ns);
}

/* What the planning found before anything was read. */
static int
take_planned_problems(struct run *run, struct err *err)
{
	for (unsigned i = 0; i < run->plan->n_problems; i++) {
		struct problem problem = {.kind = run->plan->problems[i].kind,
		                          .reason = run->plan->problems[i].reason};
		if (problem_keep(&run->run_problems, &problem, err)) {
			return -1;
		}
	}
	return 0;
}

/* What people say of the run stands apart from what its traces say. */
static bool
take_given_tags(const struct run *run, struct sink *sink)
{
	const struct tag_list *tags = run->plan->tags;
	bool stop = false;

	for (size_t i = 0; tags && !stop && i < tags->n; i++) {
		stop = *tags->all[i].value &&
		       sink_tag_texts(sink, sink_text(sink, slice_of(TAG_SCOPE_GIVEN)),
		                      slice_of(tags->all[i].key), slice_of(tags->all[i].value));
	}
	return stop;
}

static int
ask_format(struct run *run, struct err *err)
{
	struct conclusion conclusion = {run, ERR_INIT, false};
	struct sink sink = {.user = &conclusion,
	                    .text = conclude_text,
	                    .tag = conclude_tag,
	                    .problem = conclude_problem};
	void **facts = xcalloc((size_t)run->n_sources + 1, sizeof *facts);

	for (uint32_t i = 0; i < run->n_sources; i++) {
		facts[i] = run->sources[i].format_facts;
	}
	ask_clocks(run, facts, &sink);
	if (run->format->conclude) {
		run->format->conclude(facts, run->n_sources - run->plan->n_beside, &sink);
	}
	free(facts);
	(void)take_given_tags(run, &sink);
	if (conclusion.failed) {
		*err = conclusion.err;
		return -1;
	}
	return 0;
}

/* ---- what we find over all sources ---- */

static int
add_problem(struct source *source, const char *reason, struct err *err)
{
	return source_tell(source, (struct problem){.kind = PROBLEM_SUSPICIOUS}, err, "%s", reason);
}

/* Only counters can be shifted: the rest of a source is related to other records. */
static bool
has_only_counters(const struct source *source)
{
	return source->n_rows[BLOCK_SPAN] == 0 && source->n_rows[BLOCK_EVENT] == 0 &&
	       source->records.n_records == 0;
}

/* A source whose clock is another than the first one's: counters are brought into its time, if it
 * tells how the two differ, or else begin with it. */
static int
reconcile(struct source *source, const struct source *first, struct err *err)
{
	if (!has_only_counters(source)) {
		return add_problem(source,
		                   "its times are of another clock than those of the run's first "
		                   "source: they can't be compared",
		                   err);
	}
	if (source->facts.clock == CLOCK_WALL && first->facts.has_wall_offset) {
		shift(source, time_sub(0, first->facts.wall_offset_ns));
		return 0;
	}
	shift(source, time_sub(first->time_min, source->time_min));
	return add_problem(source,
	                   "its times are of another clock than those of the run's first source: "
	                   "its first sample is put at that one's start",
	                   err);
}

/* The run's clock is that of the first source with times. */
static int
check_clocks(struct run *run, struct err *err)
{
	const struct source *first = NULL;

	for (uint32_t i = 0; i < run->n_sources; i++) {
		struct source *source = &run->sources[i];
		if (!is_timed(source)) {
			continue;
		}
		first = first ? first : source;
		if (source->facts.clock != first->facts.clock && reconcile(source, first, err)) {
			return -1;
		}
	}
	run->clock = first            ? first->facts.clock
	             : run->n_sources ? run->sources[0].facts.clock
	                              : CLOCK_RELATIVE;
	return 0;
}

/* From when to when the first n sources have times; min > max: none has. */
static void
measure_extent(const struct run *run, uint32_t n, int64_t *min, int64_t *max)
{
	*min = INT64_MAX;
	*max = INT64_MIN;
	for (uint32_t i = 0; i < n; i++) {
		const struct source *source = &run->sources[i];
		if (is_timed(source)) {
			*min = LEAST(source->time_min, *min);
			*max = MOST(source->time_max, *max);
		}
	}
}

static bool
is_apart(const struct source *source, int64_t min, int64_t max)
{
	return is_timed(source) && (source->time_max < min || source->time_min > max);
}

/* Sources beside the traces none of whose samples fall within these. */
static int
report_strangers(struct run *run, struct err *err)
{
	uint32_t n_traces = run->n_sources - run->plan->n_beside;
	int64_t min, max;

	measure_extent(run, n_traces, &min, &max);
	for (uint32_t i = n_traces; i < run->n_sources && min <= max; i++) {
		if (is_apart(&run->sources[i], min, max) &&
		    add_problem(
			&run->sources[i],
			"none of its samples falls within the trace: check their time zone, and "
			"whether the files belong together",
			err)) {
			return -1;
		}
	}
	return 0;
}

static int
report_unresolved(struct run *run, struct err *err)
{
	for (uint32_t i = 0; i < run->n_sources; i++) {
		struct source *source = &run->sources[i];
		if (source->n_unresolved > 0 &&
		    source_tell(source, (struct problem){.kind = PROBLEM_SUSPICIOUS}, err,
		                "%llu names are known by their hash only: no source says what they "
		                "are",
		                (unsigned long long)source->n_unresolved)) {
			return -1;
		}
	}
	return 0;
}

static void
find_extent(struct run *run)
{
	int64_t min, max;

	measure_extent(run, run->n_sources, &min, &max);
	run->origin_ns = min <= max ? min : 0;
	run->duration_ns = min <= max ? time_sub(max, min) : 0;
}

/* When the run began on the wall clock: by its own, or as its first source tells the difference.
 * TIME_NONE: nothing tells. */
static int64_t
wall_start(const struct run *run)
{
	const struct source *first = run->n_sources ? &run->sources[0] : NULL;

	if (run->clock == CLOCK_WALL) {
		return run->origin_ns;
	}
	return first && first->facts.has_wall_offset
	           ? time_add(run->origin_ns, first->facts.wall_offset_ns)
	           : TIME_NONE;
}

static void
count(struct run *run)
{
	for (uint32_t i = 0; i < run->n_sources; i++) {
		run_count(run, &run->sources[i]);
	}
	run->n_problems += run->run_problems.n_records;
}

/* ---- writing ---- */

#define ROWS_A_POLL 4096

static int
poll(const struct run *run, size_t i, struct err *err)
{
	return i % ROWS_A_POLL == 0 ? cancel_check(run->options->cancel, err) : 0;
}

static int
write_names(struct run *run, struct err *err)
{
	const struct merge *merge = &run->merge;

	for (uint32_t i = 0; i < intern_count(merge->texts); i++) {
		if (poll(run, i, err) ||
		    writer_text(run->writer, intern_text(merge->texts, i), err)) {
			return -1;
		}
	}
	for (uint32_t i = 0; i < intern_count(merge->keys); i++) {
		if (writer_key(run->writer, intern_text(merge->keys, i), err)) {
			return -1;
		}
	}
	for (size_t i = 0; i < merge->lanes.n; i++) {
		struct lane lane = lane_list_at(&merge->lanes, i);
		if (poll(run, i, err) || writer_lane(run->writer, &lane, err)) {
			return -1;
		}
	}
	return 0;
}

static int
write_sources(struct run *run, struct err *err)
{
	for (uint32_t i = 0; i < run->n_sources; i++) {
		const struct source *source = &run->sources[i];
		char digest[DIGEST_TEXT_BYTES];
		struct writer_source row = {
		    .path = source->path,
		    .dialect = source->facts.dialect,
		    .raw_bytes = (int64_t)source->raw_bytes,
		    .plain_bytes = (int64_t)source->plain_bytes,
		    .facts = source->facts,
		    .n_spans = (int64_t)source->n_rows[BLOCK_SPAN],
		    .n_events = (int64_t)source->n_rows[BLOCK_EVENT],
		    .n_counters = (int64_t)source->n_rows[BLOCK_COUNTER],
		    .n_problems = (int64_t)source->n_problems,
		    .members = source->members,
		    .truncated = source->truncated,
		    .digest = source->is_unread ? NULL : digest_print(source->digest, digest),
		    .place = source->place,
		    .file = source->is_file ? &source->file : NULL,
		    .texts = source->text_map,
		    .lanes = source->lane_map,
		    .n_texts = source->n_texts,
		    .n_lanes = source->n_lanes};
		if (writer_source(run->writer, &row, err)) {
			return -1;
		}
	}
	return 0;
}

/* The sources' dialects, each once, in order. */
static void
list_dialects(const struct run *run, struct strbuf *out)
{
	struct intern *seen = intern_new();

	for (uint32_t i = 0; i < run->n_sources; i++) {
		const char *dialect = run->sources[i].facts.dialect;
		uint32_t n = intern_count(seen);
		if (dialect && intern_id(seen, slice_of(dialect)) == n) {
			strbuf_add_text(out, n ? ", " : "");
			strbuf_add_text(out, dialect);
		}
	}
	intern_free(seen);
}

static int
write_run(struct run *run, struct err *err)
{
	struct strbuf dialect = {0};

	list_dialects(run, &dialect);
	struct writer_run row = {.name = run->plan->name,
	                         .format = run->format->name,
	                         .dialect = dialect.len ? dialect.data : NULL,
	                         .grouping = run->plan->grouping,
	                         .clock = run->clock,
	                         .start_ns = run->origin_ns,
	                         .wall_start_ns = wall_start(run),
	                         .duration_ns = run->duration_ns,
	                         .tile_base_ns = run->tile_base_ns,
	                         .tile_levels = run->tile_levels,
	                         .identity = run->place.identity};
	int result = writer_set_run(run->writer, &row, err);
	strbuf_free(&dialect);
	return result;
}

/* What makes it a run that others can be merged with. */
static int
write_kept(struct run *run, struct err *err)
{
	struct strbuf bytes = {0}, squeezed = {0};
	struct part_about about;

	part_about_make_run(&about, run);
	part_about_write(&about, &bytes);
	part_about_free(&about);
	int status = squeeze(strbuf_slice(&bytes), &squeezed, err) ||
	             writer_kept(run->writer, strbuf_slice(&squeezed), err);
	strbuf_free(&squeezed);
	strbuf_free(&bytes);
	return status ? -1 : 0;
}

static void
identify(struct run *run)
{
	struct digest_value *digests = xcalloc((size_t)run->n_sources + 1, sizeof *digests);

	for (uint32_t i = 0; i < run->n_sources; i++) {
		digests[i] = run->sources[i].digest;
	}
	place_identify(&run->place, digests);
	free(digests);
}

int
run_conclude(struct run *run, struct err *err)
{
	merge_finish(&run->merge, run->sources, run->n_sources);
	if (take_planned_problems(run, err) || ask_format(run, err) || check_clocks(run, err) ||
	    run_close_spans(run, err) || report_strangers(run, err) ||
	    report_unresolved(run, err)) {
		return -1;
	}
	find_extent(run);
	if (write_names(run, err)) {
		return -1;
	}
	run_group_lanes(run);
	run->n_texts = intern_count(run->merge.texts);
	merge_fini(&run->merge); /* with millions of names there is no room for what is written */
	if (run_write_records(run, err) || run_write_blocks(run, err) ||
	    run_write_dependencies(run, err) || write_sources(run, err) ||
	    (run->keeps && write_kept(run, err))) {
		return -1;
	}
	count(run);
	identify(run);
	return write_run(run, err);
}
