/* What becomes of a line that was parsed, by itself or in a batch. */
#include "config.h"

#include <stdio.h>

#include "import/import_dftracer.h"
#include "util/number_set.h"
#include "util/order.h"

static int
drop_malformed(struct dftracer_reader *reader, const char *why, uint64_t column, bool cut_off)
{
	char reason[256];

	reader->counts.bad_records++;
	if (cut_off && input_truncated(reader->input)) {
		reader->tail_offset = reader->at.offset;
		reader->tail_len = LEAST(reader->at.text.len, DFTRACER_EXCERPT);
		memcpy(reader->tail, reader->at.text.ptr, reader->tail_len);
		return 0; /* told together with the break of the gzip stream */
	}
	if (memchr(reader->at.text.ptr, '\0', reader->at.text.len)) {
		snprintf(reason, sizeof reason, "NUL bytes: a hole in the file");
	} else {
		snprintf(reason, sizeof reason, "%s at column %llu%s", why,
		         (unsigned long long)column,
		         cut_off ? ": the file ends within a record" : "");
	}
	return dftracer_problem(reader, cut_off ? PROBLEM_TRUNCATED : PROBLEM_MALFORMED, reason);
}

int
dftracer_take_line(struct dftracer_reader *reader)
{
	const struct dftracer_line *line = &reader->at;
	const char *reason = line->reason;

	reader->sink->record = line->number;
	reader->sink->offset = line->offset;
	if (reason) {
		uint64_t column = line->column + (uint64_t)(line->record.ptr - line->text.ptr);
		return drop_malformed(reader, reason, column, input_last_line_open(reader->input));
	}
	int stop = dftracer_emit(reader, &reason);
	if (reason) {
		reader->counts.bad_records++;
		return dftracer_problem(reader, PROBLEM_INVALID, reason);
	}
	reader->counts.records++;
	reader->facts->any_record = true;
	return stop;
}

bool
dftracer_is_omitted(const struct dftracer_reader *reader)
{
	const struct import_options *options = reader->options;

	return options && options->omitted && number_set_has(options->omitted, reader->at.number);
}

int
dftracer_check_cancel(const struct dftracer_reader *reader, struct err *err)
{
	bool is_cancelled = reader->options && cancel_requested(reader->options->cancel);

	return is_cancelled ? err_set(err, ERR_CANCELLED, "cancelled") : 0;
}
