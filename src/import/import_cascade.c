/*
 * Traces of ECMWF's cascade scheduler: JSON lines or the program's raw log, in the three
 * generations of its trace format.
 *
 * Rows of one task or transfer come from several processes and only nearly in order of time, and
 * whether workers carry their host shows only over the whole file; so rows are kept (about 100
 * bytes each), pivoted at the end and given to the sink then. Lines of other loggers are passed
 * over; whatever claims to be a row and is none becomes a problem.
 */
#include "config.h"
#include "import/formats.h"

#include <stdio.h>
#include <stdlib.h>

#include "import/import_cascade.h"
#include "util/order.h"
#include "util/pack.h"

#define EXCERPT_BYTES 512u
#define CANCEL_EVERY 1024u

static int
problem(struct cascade_trace *trace, enum problem_kind kind, const char *reason)
{
	struct problem found = {.kind = kind,
	                        .record = trace->line,
	                        .offset = trace->offset,
	                        .reason = reason,
	                        .excerpt = trace->text};

	found.excerpt.len = LEAST(found.excerpt.len, EXCERPT_BYTES);
	return sink_problem(trace->sink, &found);
}

/* 0, or what the sink said. */
static int
take_text(struct cascade_trace *trace, struct slice text, bool is_cut)
{
	const char *reason =
	    trace->is_array ? "an object that does not end" : "the line is longer than is read";
	bool invalid = false;
	enum cascade_line kind = CASCADE_BAD;

	if (!is_cut) {
		kind = cascade_read_line(trace, text, &reason, &invalid);
	}
	if (kind == CASCADE_FOREIGN && trace->is_json) {
		reason = "neither a JSON object nor a line of the log";
		kind = CASCADE_BAD;
	}
	if (kind == CASCADE_MICROTRACE &&
	    trace->microtraces[trace->n_microtraces - 1].time_ns == TIME_NONE) {
		trace->n_microtraces--;
		reason = "a microtrace whose line has no time";
		invalid = true;
		kind = CASCADE_BAD;
	}
	if (kind != CASCADE_BAD) {
		trace->counts.records += kind != CASCADE_FOREIGN;
		return 0;
	}
	trace->counts.bad_records++;
	if (trace->is_open && input_truncated(trace->input)) {
		trace->has_tail = true;
		trace->tail_offset = trace->offset;
		return 0; /* told together with the break of the gzip stream */
	}
	return problem(trace,
	               invalid          ? PROBLEM_INVALID
	               : trace->is_open ? PROBLEM_TRUNCATED
	                                : PROBLEM_MALFORMED,
	               reason);
}

/* 0 at the end, 1 the sink stopped, -1 with err. */
static int
read_rows(struct cascade_trace *trace, const struct import_options *options, struct err *err)
{
	struct slice text;
	bool is_cut = false;
	int more = cascade_look(trace, err);

	for (unsigned n = 1; more == 0 && (more = cascade_next(trace, &text, &is_cut, err)) > 0;
	     n++) {
		if (n % CANCEL_EVERY == 0 && options && cancel_requested(options->cancel)) {
			return err_set(err, ERR_CANCELLED, "cancelled");
		}
		if (import_is_wanted(options, cascade_place(trace->offset)) &&
		    take_text(trace, text, is_cut) != 0) {
			return 1;
		}
		more = 0;
	}
	if (more < 0) {
		return -1;
	}
	trace->text.len = 0;
	trace->offset = trace->has_tail ? trace->tail_offset : trace->offset;
	if (input_truncated(trace->input)) {
		return problem(trace, PROBLEM_TRUNCATED, input_truncation(trace->input)) ? 1 : 0;
	}
	return 0;
}

static struct cascade_facts *
facts_new(void)
{
	struct cascade_facts *facts = xcalloc(1, sizeof *facts);

	facts->hosts = intern_new();
	facts->workers = intern_new();
	return facts;
}

static void
facts_pack(struct pack *pack, void **all)
{
	struct cascade_facts *facts = *all = *all ? *all : facts_new();

	PACK(pack, facts->generation);
	PACK(pack, facts->multi_host);
	pack_intern(pack, facts->hosts);
	pack_intern(pack, facts->workers);
}

static void
facts_free(void *data)
{
	struct cascade_facts *facts = data;

	if (facts) {
		intern_free(facts->hosts);
		intern_free(facts->workers);
		free(facts);
	}
}

static int
read_source(struct input *input, struct sink *sink, const struct import_options *options,
            void **facts, struct err *err)
{
	static const char *const dialects[] = {"empty", "generation 1", "generation 2",
	                                       "generation 3"};
	struct cascade_trace trace = {.sink = sink, .input = input, .texts = intern_new()};
	struct cascade_facts *found = facts_new();
	int result = read_rows(&trace, options, err);

	*facts = NULL;
	if (result == 0 && (cascade_report_parts(&trace) || cascade_pivot(&trace) ||
	                    cascade_emit(&trace, found) != 0)) {
		result = 1;
	}
	if (result == 0) {
		trace.counts.clock = trace.generation < 3 ? CLOCK_STEADY : CLOCK_WALL;
		trace.counts.dialect = dialects[trace.generation];
		sink_facts(sink, &trace.counts);
		*facts = found;
		found = NULL;
	}
	facts_free(found);
	cascade_lives_free(&trace.tasks);
	cascade_lives_free(&trace.transfers);
	cascade_rows_free(&trace);
	return result ? -1 : 0;
}

/* ---- the run ---- */

static void
add_names(struct intern *names, const struct intern *more)
{
	for (uint32_t i = 0; i < intern_count(more); i++) {
		intern_id(names, intern_text(more, i));
	}
}

/* Facts about the run: its files may hold a kind of rows each. */
static void
conclude(void *const *facts, size_t n_facts, struct sink *sink)
{
	struct cascade_facts *run = facts_new();
	bool any = false;

	for (size_t i = 0; i < n_facts; i++) {
		const struct cascade_facts *file = facts[i];
		if (!file) {
			continue;
		}
		any = true;
		run->generation = MOST(file->generation, run->generation);
		run->multi_host |= file->multi_host;
		add_names(run->hosts, file->hosts);
		add_names(run->workers, file->workers);
	}
	size_t n_hosts = intern_count(run->hosts);
	bool several = run->generation < 3 ? run->multi_host : n_hosts > 1;
	if (any && import_tag_count(sink, "generation", run->generation) == 0 &&
	    import_tag(sink, "scenario", several ? "M" : "F") == 0 &&
	    import_tag_count(sink, "hosts", n_hosts) == 0) {
		(void)import_tag_count(sink, "workers", intern_count(run->workers));
	}
	facts_free(run);
}

/* ---- several runs ---- */

static int
pass_over(void *user, const struct problem *problem)
{
	(void)user;
	(void)problem;
	return 0;
}

static int
find_parts(struct input *input, const struct cancel *cancel, struct import_parts *parts,
           struct err *err)
{
	struct sink sink = {.problem = pass_over};
	struct import_options options = {.cancel = cancel};
	struct cascade_trace trace = {.sink = &sink, .input = input, .texts = intern_new()};
	int result = read_rows(&trace, &options, err);

	if (result == 0) {
		cascade_divide(&trace, parts);
	}
	cascade_rows_free(&trace);
	return result;
}

/* ---- recognition ---- */

#define SNIFF_HITS 20u

static bool
is_action(const struct cascade_trace *trace)
{
	const struct cascade_row *row = &trace->rows[trace->n_rows - 1];

	return row->subject != SUBJECT_OTHER;
}

/* Text, as a log is, and no table of JSON: its rows may stand behind any number of other loggers'
 * lines. */
static bool
may_become_log(const struct cascade_trace *trace, struct slice head)
{
	return head.len && !trace->is_json && !trace->is_array &&
	       !memchr(head.ptr, '\0', head.len) && memchr(head.ptr, '\n', head.len);
}

/* A log may begin with many lines of other loggers, so all of the head is looked at, and more is
 * asked for where it has none of ours; only lines that can be ours are parsed. */
static int
sniff_head(struct slice head, const char *file_name)
{
	struct cascade_trace trace = {.texts = intern_new(), .input = input_from_memory(head, 0)};
	unsigned rows = 0, others = 0;
	struct err err = ERR_INIT;
	const char *reason;
	bool invalid, is_cut = false;
	struct slice text;

	(void)file_name;
	(void)cascade_look(&trace, &err);
	while ((rows < SNIFF_HITS || others >= rows) &&
	       cascade_next(&trace, &text, &is_cut, &err) > 0) {
		bool is_json = text.ptr[0] == '{';
		if (is_cut || (!is_json && !slice_contains(text, slice_of("tracing")))) {
			others += trace.is_json && !trace.is_open;
			continue;
		}
		enum cascade_line kind = cascade_read_line(&trace, text, &reason, &invalid);
		bool is_ours =
		    kind == CASCADE_MICROTRACE || (kind == CASCADE_ROW && is_action(&trace));
		bool is_flawed =
		    kind == CASCADE_BAD && invalid && slice_contains(text, slice_of("\"action\""));
		rows += is_ours;
		others += !is_ours && !is_flawed && is_json && !trace.is_open;
	}
	bool is_open = rows == 0 && others == 0 && may_become_log(&trace, head);
	input_close(trace.input);
	cascade_rows_free(&trace);
	if (is_open) {
		return SNIFF_UNDECIDED;
	}
	return rows == 0 || others > rows ? 0 : 95;
}

/* A helper of the project splits a trace into X.tasks, X.datasets and X.controller. */
static void
look(struct slice head, const char *file_name, struct arena *arena, struct import_look *look)
{
	static const char *const parts[] = {".tasks", ".datasets", ".controller"};
	const char *name = path_name(file_name);

	(void)head;
	for (size_t i = 0; i < COUNT_OF(parts); i++) {
		const char *end = strstr(name, parts[i]);
		char after = end ? end[strlen(parts[i])] : 'x';
		if (end && end > name && (after == '.' || after == '\0')) {
			look->label = parts[i] + 1;
			look->part = i + 1;
			look->job.len = (size_t)(end - name);
			look->job.ptr = arena_strndup(arena, name, look->job.len);
		}
	}
}

const struct import_format import_cascade = {
    .name = "cascade",
    .summary = "ECMWF cascade task and transmit traces (JSON lines or log)",
    .grouping = GROUP_EACH,
    .look = look,
    .sniff = sniff_head,
    .read = read_source,
    .find_parts = find_parts,
    .conclude = conclude,
    .pack_facts = facts_pack,
    .free_facts = facts_free,
};
