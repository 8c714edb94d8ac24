/* Problems and tags. */
#include "config.h"
#include "import/import_chrome.h"

int
chrome_problem(struct chrome_reader *reader, enum problem_kind kind, const char *reason)
{
	struct problem problem = {.kind = kind,
	                          .record = reader->number,
	                          .offset = reader->offset,
	                          .reason = reason,
	                          .excerpt = {"", 0}};

	if (kind != PROBLEM_MALFORMED && kind != PROBLEM_INVALID && kind != PROBLEM_TRUNCATED) {
		problem.record = problem.offset = 0; /* about the whole */
	}
	return sink_problem(reader->sink, &problem) ? 1 : 0;
}

int
chrome_tag(struct chrome_reader *reader, const char *scope, struct slice key, struct slice value)
{
	struct sink *sink = reader->sink;

	return sink_tag_texts(sink, scope ? sink_text(sink, slice_of(scope)) : TEXT_NONE, key,
	                      value);
}
