/* Problems, and names in them. */
#include "config.h"
#include "import/import_dasf.h"

#include "util/order.h"
#include "util/utf8.h"

#define NAME_BYTES 200u

int
dasf_problem(struct dasf_reader *reader, enum problem_kind kind, const char *reason)
{
	struct problem problem = {.kind = kind,
	                          .record = reader->number,
	                          .offset = reader->offset,
	                          .reason = reason,
	                          .excerpt = {"", 0}};

	return sink_problem(reader->sink, &problem);
}

void
dasf_add_name(struct strbuf *out, struct slice name)
{
	utf8_escape(out, (struct slice){name.ptr, LEAST(name.len, NAME_BYTES)});
}
