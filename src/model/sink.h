/*
 * struct sink: what every importer speaks into, one sink a source (file). The receiving side
 * numbers texts, lanes and keys densely in order of first appearance in this source, so that the
 * result does not depend on which thread decodes which file.
 *
 * Callbacks that return int: 0 go on, nonzero stop reading and return that from the importer (the
 * receiver keeps the error). All slices and pointers are lent for the call.
 * Used by import, ingest, simulate, store.
 */
#ifndef LANESCOPE_MODEL_SINK_H
#define LANESCOPE_MODEL_SINK_H

#include "model/model.h"

enum clock_type {
	CLOCK_WALL, /* ns since 1970 */
	/* (time.h has CLOCK_MONOTONIC) ns since an unknown instant, the same for all files of the
	 * run */
	CLOCK_STEADY,
	CLOCK_RELATIVE /* ns since the start of the run */
};

/* What a source turned out to hold; given once, at the end, through sink->facts. */
struct source_facts {
	enum clock_type clock;
	const char *dialect;           /* "old", "v2", "generation 1"; static text */
	uint64_t records;              /* valid records of every kind */
	uint64_t metadata, aggregated; /* of these */
	uint64_t bad_records;          /* lines or records dropped as malformed or invalid */
	/* From when to when there were records, those that became neither span, event nor counter
	 * included; nothing where is_timed is not set. */
	bool is_timed;
	int64_t first_ns, last_ns;
	/* What makes its times wall-clock times when added, if its clock is another and the source
	 * tells. */
	bool has_wall_offset;
	int64_t wall_offset_ns;
};

struct sink {
	void *user;
	/* Set by importers that go from record to record: the one at hand, as problems number
	 * them. */
	uint64_t record, offset;

	text_code (*text)(void *user, struct slice text);
	/* A text known only by a number that the trace defines elsewhere, maybe in another file:
	 * looked up at the end by (scope, symbol) in this source, then in the other sources in
	 * order, then by symbol alone. Never defined: the text is the symbol itself, and a problem
	 * is recorded. */
	text_code (*symbol)(void *user, struct slice scope, struct slice symbol);
	/* First definition of (scope, symbol) in a source wins. */
	void (*define)(void *user, struct slice scope, struct slice symbol, struct slice text);
	/* A text that this source itself tells once it knows it, by `tell`: "" if it never does. */
	text_code (*later)(void *user);
	void (*tell)(void *user, text_code later, struct slice text);
	uint32_t (*key)(void *user, struct slice name);        /* an argument's name */
	uint32_t (*lane)(void *user, const struct lane *lane); /* dense id in this source */

	int (*span)(void *user, const struct span *span);
	int (*event)(void *user, const struct event *event);
	int (*counter)(void *user, const struct counter *counter);

	int (*task)(void *user, const struct task *task);
	int (*transfer)(void *user, const struct transfer *transfer);
	int (*dependency)(void *user, const struct dependency *dependency);
	int (*capacity)(void *user, const struct capacity *capacity);
	int (*preemption)(void *user, const struct preemption *preemption);
	uint32_t (*trial)(void *user, const struct trial *trial); /* dense id in this source */
	int (*sample)(void *user, const struct sample *sample);
	int (*tag)(void *user, const struct tag *tag);
	int (*problem)(void *user, const struct problem *problem);
	void (*facts)(void *user, const struct source_facts *facts);
};

/* sink_text(sink, text) and so on: the same, said to a sink. */
#define SINK_TAKES(type, what, parameter)                                                          \
	static inline type sink_##what(struct sink *sink, parameter)                               \
	{                                                                                          \
		return sink->what(sink->user, what);                                               \
	}
SINK_TAKES(text_code, text, struct slice text)
SINK_TAKES(uint32_t, key, struct slice key)
SINK_TAKES(uint32_t, lane, const struct lane *lane)
SINK_TAKES(int, span, const struct span *span)
SINK_TAKES(int, event, const struct event *event)
SINK_TAKES(int, counter, const struct counter *counter)
SINK_TAKES(int, task, const struct task *task)
SINK_TAKES(int, transfer, const struct transfer *transfer)
SINK_TAKES(int, dependency, const struct dependency *dependency)
SINK_TAKES(int, capacity, const struct capacity *capacity)
SINK_TAKES(int, preemption, const struct preemption *preemption)
SINK_TAKES(uint32_t, trial, const struct trial *trial)
SINK_TAKES(int, sample, const struct sample *sample)
SINK_TAKES(int, tag, const struct tag *tag)
SINK_TAKES(int, problem, const struct problem *problem)
SINK_TAKES(void, facts, const struct source_facts *facts)
#undef SINK_TAKES

/* A tag by its texts. */
static inline int
sink_tag_texts(struct sink *sink, text_code scope, struct slice key, struct slice value)
{
	struct tag tag = {.scope = scope, .key = sink_text(sink, key)};

	tag.value = sink_text(sink, value);
	return sink_tag(sink, &tag);
}

#endif
