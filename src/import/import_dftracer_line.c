/* A line: what stands around its record, and problems of it. */
#include "config.h"
#include "import/import_dftracer.h"

/* Takes off what may stand around a record: array brackets, one comma behind. *brackets: any seen.
 */
struct slice
dftracer_strip(struct slice text, bool *brackets)
{
	text = slice_trim(text, DFTRACER_BLANKS);
	while (text.len && (text.ptr[0] == '[' || text.ptr[0] == ']')) {
		*brackets = true;
		text = slice_trim(slice_from(text, 1), DFTRACER_BLANKS);
	}
	if (text.len && text.ptr[0] == '{') {
		if (text.ptr[text.len - 1] == ']') {
			*brackets = true;
			text = slice_trim((struct slice){text.ptr, text.len - 1}, DFTRACER_BLANKS);
		}
		if (text.len && text.ptr[text.len - 1] == ',') {
			text = slice_trim((struct slice){text.ptr, text.len - 1}, DFTRACER_BLANKS);
		}
	}
	return text;
}

int
dftracer_problem(struct dftracer_reader *reader, enum problem_kind kind, const char *reason)
{
	struct problem problem = {
	    .kind = kind,
	    .record = reader->at.number,
	    .offset = reader->at.offset,
	    .reason = reason,
	    .excerpt = reader->at.text,
	};

	if (problem.excerpt.len > DFTRACER_EXCERPT) {
		problem.excerpt.len = DFTRACER_EXCERPT;
	}
	return sink_problem(reader->sink, &problem);
}
