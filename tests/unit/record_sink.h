/*
 * A sink that remembers everything an importer says, with deep copies, and checks what no importer
 * may get wrong (codes and lanes it was given, durations, order of calls): a broken promise aborts.
 */
#ifndef LANESCOPE_TESTS_RECORD_SINK_H
#define LANESCOPE_TESTS_RECORD_SINK_H

#include "import/import.h"
#include "model/sink.h"

struct recorded_text {
	char *text; /* of a symbol: its scope, a NUL, the symbol */
	size_t len;
	bool is_symbol;
	size_t scope_len;
};
struct recorded_definition {
	char *scope, *symbol, *text;
};

struct record_sink {
	struct sink sink; /* give this to an importer; user is this struct */
	struct recorded_text *texts;
	char **keys;
	struct lane *lanes;
	struct recorded_definition *definitions;
	/* args and reasons inside are copies */
	struct span *spans;
	struct event *events;
	struct counter *counters;
	struct task *tasks;
	struct transfer *transfers;
	struct dependency *dependencies;
	struct capacity *capacities;
	struct preemption *preemptions;
	struct trial *trials;
	struct sample *samples;
	struct tag *tags;
	struct problem *problems;
	struct source_facts facts;
	size_t n_texts, n_keys, n_lanes, n_definitions, n_spans, n_events, n_counters, n_tasks,
	    n_transfers, n_dependencies, n_capacities, n_preemptions, n_trials, n_samples, n_tags,
	    n_problems;
	bool has_facts, stopped;
	unsigned n_threads;               /* as in struct import_options: 1 at first */
	const struct number_set *omitted; /* the same */
	int stop_after; /* callbacks that return int say 1 after this many; -1 never */
	struct arena *arena;
	struct intern *text_ids; /* (kind, bytes) -> code */
	struct intern *lane_ids, *key_ids;
	size_t capacities_of[16];
};

struct record_sink *record_sink_new(void);
void record_sink_free(struct record_sink *recorded); /* takes NULL */

/* The text of a code, symbols resolved as model/sink.h says (within this source); "-" for
 * TEXT_NONE. */
const char *record_text(const struct record_sink *recorded, text_code code);
const char *record_ident(const struct record_sink *recorded, const struct ident *ident);
const char *record_lane(const struct record_sink *recorded,
                        uint32_t lane); /* "kind host/process/thread name" */
/* Arguments as "key=value ..." in order: 1 integer, "1" integer text, 'a' text, {..} JSON, 1.5,
 * true, null. */
const char *record_args(const struct record_sink *recorded, const struct arg *args, size_t n_args);
const char *record_tag(const struct record_sink *recorded, const char *scope,
                       const char *key); /* NULL if none */
size_t record_problems(const struct record_sink *recorded, enum problem_kind kind);

/* Reads bytes or a file with one format; returns what read returned. facts may be NULL (they are
 * freed). */
int record_bytes(struct record_sink *recorded, const struct import_format *format,
                 const void *bytes, size_t length, size_t chunk, bool lenient, void **facts);
int record_file(struct record_sink *recorded, const struct import_format *format, const char *path,
                bool lenient, void **facts);

#endif
