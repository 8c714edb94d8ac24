/* Cascade traces into a recording sink. */
#ifndef LANESCOPE_TESTS_CASCADE_FIXTURE_H
#define LANESCOPE_TESTS_CASCADE_FIXTURE_H

#include "unit.h"
#include "import/formats.h"
#include "record_sink.h"

static const struct import_format *const format = &import_cascade;

/* With what is known once all files are read; here it is one. */
static inline void
read_run(struct record_sink *recorded, const char *path)
{
	void *facts;

	ck_assert_int_eq(record_file(recorded, format, path, false, &facts), 0);
	format->conclude(&facts, 1, &recorded->sink);
	format->free_facts(facts);
}

static inline struct record_sink *
read_fixture(const char *name)
{
	char path[4096];
	const char *folder = getenv("LANESCOPE_SRCDIR");
	struct record_sink *recorded = record_sink_new();

	snprintf(path, sizeof path, "%s/tests/data/cascade/%s", folder ? folder : ".", name);
	read_run(recorded, path);
	return recorded;
}

static inline struct record_sink *
read_text(const char *text)
{
	struct record_sink *recorded = record_sink_new();

	ck_assert_int_eq(record_bytes(recorded, format, text, strlen(text), 0, false, NULL), 0);
	return recorded;
}

#endif
