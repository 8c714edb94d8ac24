/* What the tests of the DFTracer importer share. */
#ifndef LANESCOPE_TESTS_DFTRACER_FIXTURE_H
#define LANESCOPE_TESTS_DFTRACER_FIXTURE_H

#include <inttypes.h>
#include <string.h>

#include "unit.h"
#include "import/formats.h"
#include "record_sink.h"

static const struct import_format *const format = &import_dftracer;

static inline const char *
fixture(const char *name)
{
	static char path[4096];
	const char *folder = getenv("LANESCOPE_SRCDIR");

	snprintf(path, sizeof path, "%s/tests/data/dftracer/%s", folder ? folder : ".", name);
	return path;
}

static inline struct record_sink *
read_fixture(const char *name, bool lenient)
{
	struct record_sink *recorded = record_sink_new();

	ck_assert_int_eq(record_file(recorded, format, fixture(name), lenient, NULL), 0);
	return recorded;
}

static inline struct record_sink *
read_text(const char *text, bool lenient)
{
	struct record_sink *recorded = record_sink_new();

	ck_assert_int_eq(record_bytes(recorded, format, text, strlen(text), 0, lenient, NULL), 0);
	return recorded;
}

/* "name cat path start+duration size calls | lane | args" */
static inline const char *
show_span(const struct record_sink *recorded, size_t index)
{
	static char text[4096];
	char size[32] = "-";

	ck_assert_uint_lt(index, recorded->n_spans);
	const struct span *span = &recorded->spans[index];
	if (span->size_bytes != SIZE_NONE) {
		snprintf(size, sizeof size, "%" PRId64, span->size_bytes);
	}
	snprintf(text, sizeof text, "%s %s %s %" PRId64 "+%" PRId64 " %s %" PRId64 " | %s | %s",
	         record_text(recorded, span->name), record_text(recorded, span->category),
	         record_text(recorded, span->path), span->start_ns, span->duration_ns, size,
	         span->calls, record_lane(recorded, span->lane),
	         record_args(recorded, span->args, span->n_args));
	return text;
}

#define OLD(pid)                                                                                   \
	"{\"name\":\"r\",\"pid\":\"" pid                                                           \
	"\",\"tid\":\"1\",\"ts\":\"1\",\"dur\":\"1\",\"args\":{\"hostname\":\"h" pid "\"}}\n"

#endif
