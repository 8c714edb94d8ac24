/*
 * A small format that reaches every callback of the sink, and imports of it. Its lines:
 *
 *   span LANE START DURATION NAME    event LANE TIME NAME    counter LANE TIME VALUE NAME
 *   hash LANE START DURATION SYMBOL define SYMBOL TEXT (names by symbol, in the scope of the file's
 *   first line "scope S")
 *   task KEY START END transfer NAME START END [SIZE] needs FROM TO link FROM TO (ordinals of
 *   spans) capacity TIME NODES preempt TIME NODES trial NAME sample N tag KEY VALUE bad fail cancel
 */
#ifndef LANESCOPE_TESTS_INGEST_FORMAT_H
#define LANESCOPE_TESTS_INGEST_FORMAT_H

#include <stdlib.h>
#include <string.h>

#include "ingest/ingest.h"
#include "ingest/run.h"
#include "ingest_folder.h"
#include "run_answers.h"
#include "util/mem.h"

/* ---- the format ---- */

static struct cancel test_cancel;

struct reader {
	struct sink *sink;
	struct source_facts facts;
	char scope[40];
	unsigned n_lines;
};

static uint32_t
lane_of(struct reader *reader, unsigned number)
{
	struct sink *sink = reader->sink;
	struct lane lane = {.host = sink->text(sink->user, slice_of(number % 2 ? "odd" : "even")),
	                    .process = {.type = IDENT_INTEGER, .integer = number / 4},
	                    .thread = {.type = IDENT_INTEGER, .integer = number},
	                    .name = TEXT_NONE,
	                    .kind = number == 99 ? LANE_AGGREGATE : LANE_THREAD};
	if (number >= 100) { /* of which little is known */
		lane.thread = lane.process = (struct ident){.type = IDENT_NONE};
	}
	if (number > 100) {
		lane.process = (struct ident){.type = IDENT_TEXT,
		                              .text = sink->text(sink->user, slice_of("main"))};
	}
	return sink->lane(sink->user, &lane);
}

static text_code
text_of(struct reader *reader, const char *text)
{
	return reader->sink->text(reader->sink->user, slice_of(text));
}

static int
read_span(struct reader *reader, const char *line, bool by_symbol)
{
	struct sink *sink = reader->sink;
	unsigned lane;
	long long start, duration;
	char name[64];

	if (sscanf(line, "%*s %u %lld %lld %63s", &lane, &start, &duration, name) != 4) {
		return -1;
	}
	struct arg arg = {.key = sink->key(sink->user, slice_of("ordinal")),
	                  .type = ARG_INTEGER,
	                  .integer = start};
	struct span span = {
	    .start_ns = start,
	    .duration_ns = duration,
	    .lane = lane_of(reader, lane),
	    .name = by_symbol ? sink->symbol(sink->user, slice_of(reader->scope), slice_of(name))
	                      : text_of(reader, name),
	    .category = text_of(reader, "C"),
	    .path = TEXT_NONE,
	    .size_bytes = duration,
	    .calls = 1,
	    .args = &arg,
	    .n_args = 1};
	return sink->span(sink->user, &span);
}

static int
read_instant(struct reader *reader, const char *line)
{
	struct sink *sink = reader->sink;
	unsigned lane;
	long long time;
	double value;
	char name[64];

	if (sscanf(line, "event %u %lld %63s", &lane, &time, name) == 3) {
		struct event event = {.time_ns = time,
		                      .lane = lane_of(reader, lane),
		                      .name = text_of(reader, name),
		                      .category = TEXT_NONE};
		return sink->event(sink->user, &event);
	}
	if (sscanf(line, "counter %u %lld %lf %63s", &lane, &time, &value, name) == 4) {
		struct counter counter = {.time_ns = time,
		                          .lane = lane_of(reader, lane),
		                          .name = text_of(reader, name),
		                          .value = value};
		return sink->counter(sink->user, &counter);
	}
	return -1;
}

static int
read_task(struct reader *reader, const char *line)
{
	struct sink *sink = reader->sink;
	long long start, end, size = 7;
	char name[64];

	if (sscanf(line, "task %63s %lld %lld", name, &start, &end) == 3) {
		struct task task = {.key = text_of(reader, name),
		                    .name = text_of(reader, name),
		                    .kind = TEXT_NONE,
		                    .lane = lane_of(reader, 1),
		                    .worker = text_of(reader, "worker"),
		                    .planned = TIME_NONE,
		                    .enqueued = TIME_NONE,
		                    .started = start,
		                    .loaded = TIME_NONE,
		                    .computed = TIME_NONE,
		                    .published = TIME_NONE,
		                    .finished = end,
		                    .completed = TIME_NONE,
		                    .recorded_start = 0.5,
		                    .recorded_duration = 0.25,
		                    .size_bytes = SIZE_NONE};
		return sink->task(sink->user, &task);
	}
	if (sscanf(line, "transfer %63s %lld %lld %lld", name, &start, &end, &size) >= 3) {
		struct transfer transfer = {.name = text_of(reader, name),
		                            .lane = LANE_NONE,
		                            .source = TEXT_NONE,
		                            .target = text_of(reader, "odd"),
		                            .mode = text_of(reader, "local"),
		                            .planned = TIME_NONE,
		                            .started = start,
		                            .loaded = TIME_NONE,
		                            .received = TIME_NONE,
		                            .unloaded = TIME_NONE,
		                            .finished = end,
		                            .completed = TIME_NONE,
		                            .size_bytes = size};
		return sink->transfer(sink->user, &transfer);
	}
	return -1;
}

static int
read_dependency(struct reader *reader, const char *line)
{
	struct sink *sink = reader->sink;
	struct dependency dependency = {.name = text_of(reader, "dep")};
	char from[64], to[64];
	unsigned long long from_span, to_span;

	if (sscanf(line, "needs %63s %63s", from, to) == 2) {
		dependency.type = DEPENDENCY_TASK;
		dependency.from_key = text_of(reader, from);
		dependency.to_key = text_of(reader, to);
	} else if (sscanf(line, "link %llu %llu", &from_span, &to_span) == 2) {
		dependency.type = DEPENDENCY_SPAN;
		dependency.from_span = from_span;
		dependency.to_span = to_span;
	} else {
		return -1;
	}
	return sink->dependency(sink->user, &dependency);
}

static int
read_fact(struct reader *reader, const char *line)
{
	struct sink *sink = reader->sink;
	long long time, nodes;
	char key[64], value[64];
	double values[3000];

	for (size_t i = 0; i < 3000; i++) {
		values[i] = (double)i / 2;
	}
	if (sscanf(line, "capacity %lld %lld", &time, &nodes) == 2) {
		struct capacity capacity = {time, text_of(reader, "zone"), nodes};
		return sink->capacity(sink->user, &capacity);
	}
	if (sscanf(line, "preempt %lld %lld", &time, &nodes) == 2) {
		struct preemption preemption = {time, text_of(reader, "zone"), nodes};
		return sink->preemption(sink->user, &preemption);
	}
	if (sscanf(line, "trial %63s", key) == 1) {
		struct trial trial = {text_of(reader, key), TEXT_NONE};
		uint32_t id = sink->trial(sink->user, &trial);
		struct sample sample = {id, text_of(reader, "time"), values, 3000,
		                        text_of(reader, "float64")};
		return sink->sample(sink->user, &sample);
	}
	if (sscanf(line, "sample %lld", &nodes) == 1) {
		struct sample sample = {(uint32_t)nodes, text_of(reader, "time"), values, 1,
		                        text_of(reader, "float64")};
		return sink->sample(sink->user, &sample);
	}
	if (sscanf(line, "tag %63s %63s", key, value) == 2) {
		struct tag tag = {TEXT_NONE, text_of(reader, key), text_of(reader, value)};
		return sink->tag(sink->user, &tag);
	}
	if (sscanf(line, "define %63s %63s", key, value) == 2) {
		sink->define(sink->user, slice_of(reader->scope), slice_of(key), slice_of(value));
		return 0;
	}
	return sscanf(line, "scope %39s", reader->scope) == 1 ? 0 : -1;
}

static int
read_line(struct reader *reader, const char *line, struct err *err)
{
	struct sink *sink = reader->sink;

	if (strcmp(line, "fail") == 0) {
		return err_set(err, ERR_SYSTEM, "the disk is gone");
	}
	if (strcmp(line, "cancel") == 0) {
		cancel_request(&test_cancel);
		return 0;
	}
	if (strcmp(line, "bad") == 0) {
		struct problem problem = {.kind = PROBLEM_MALFORMED,
		                          .record = reader->n_lines,
		                          .reason = "bad line",
		                          .excerpt = slice_of(line)};
		reader->facts.bad_records++;
		return sink->problem(sink->user, &problem);
	}
	switch (line[0]) {
	case 's':
		return line[1] == 'p' ? read_span(reader, line, false) : read_fact(reader, line);
	case 'h':
		return read_span(reader, line, true);
	case 'e':
		return read_instant(reader, line);
	case 'c':
		return line[1] == 'o' ? read_instant(reader, line) : read_fact(reader, line);
	case 'n':
	case 'l':
		return read_dependency(reader, line);
	case 't':
		return strncmp(line, "task", 4) == 0 || strncmp(line, "transfer", 8) == 0
		           ? read_task(reader, line)
		           : read_fact(reader, line);
	default:
		return read_fact(reader, line);
	}
}

static int
read_lines(struct input *input, struct sink *sink, const struct import_options *options,
           void **facts, struct err *err)
{
	struct reader reader = {.sink = sink, .facts = {.clock = CLOCK_WALL, .dialect = "plain"}};
	struct slice line;
	int more;

	while ((more = input_line(input, &line, NULL, err)) == 1) {
		char *text = xstrndup(line.ptr, line.len);
		reader.n_lines++;
		int result = read_line(&reader, text, err);
		free(text);
		if (result != 0) {
			return -1;
		}
		if (cancel_requested(options->cancel)) {
			return err_set(err, ERR_CANCELLED, "cancelled");
		}
		reader.facts.records++;
	}
	sink->facts(sink->user, &reader.facts);
	*facts = xstrdup(input_path(input));
	return more;
}

static void
conclude(void *const *facts, size_t n_facts, struct sink *sink)
{
	char text[32];

	snprintf(text, sizeof text, "%zu sources", n_facts);
	struct tag tag = {TEXT_NONE, sink->text(sink->user, slice_of("concluded")),
	                  sink->text(sink->user, slice_of(text))};
	(void)sink->tag(sink->user, &tag);
	struct problem problem = {.kind = PROBLEM_MISSING, .reason = facts[n_facts - 1]};
	(void)sink->problem(sink->user, &problem);
}

static int
sniff_nothing(struct slice head, const char *file_name)
{
	(void)head;
	(void)file_name;
	return 0;
}

static const struct import_format test_format = {.name = "test",
                                                 .summary = "lines",
                                                 .grouping = GROUP_FOLDER,
                                                 .sniff = sniff_nothing,
                                                 .read = read_lines,
                                                 .conclude = conclude,
                                                 .free_facts = free};

/* ---- imports ---- */

static unsigned
count_entries(void)
{
	char command[128];
	unsigned n = 0;
	snprintf(command, sizeof command, "ls -A '%s' | wc -l", folder);
	FILE *pipe = popen(command, "r");
	ck_assert_int_eq(fscanf(pipe, "%u", &n), 1);
	pclose(pipe);
	return n;
}

static int
import(const char **paths, unsigned n_paths, const char *out, unsigned n_threads,
       struct ingest_summary *summary, struct err *err)
{
	struct ingest_plan plan = {
	    .format = "test", .name = "run", .out_path = out, .paths = paths, .n_paths = n_paths};
	struct ingest_options options = {.n_threads = n_threads, .cancel = &test_cancel};
	return run_import(&plan, &test_format, &options, NULL, summary, err);
}

#endif
