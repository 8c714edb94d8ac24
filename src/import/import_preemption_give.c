/* What the forms of traces give to the sink, and what they note. */
#include "config.h"
#include "import/import_preemption.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "util/mem.h"
#include "util/order.h"

#define EXCERPT_BYTES 512u

text_code
preemption_text(struct preemption_reader *reader, const char *text)
{
	return sink_text(reader->sink, slice_of(text));
}

int
preemption_problem(struct preemption_reader *reader, enum problem_kind kind, const char *reason)
{
	struct problem problem = {.kind = kind,
	                          .record = reader->line,
	                          .offset = reader->offset,
	                          .reason = reason,
	                          .excerpt = reader->text};

	problem.excerpt.len = LEAST(problem.excerpt.len, EXCERPT_BYTES);
	return sink_problem(reader->sink, &problem);
}

int
preemption_note(struct preemption_reader *reader, uint64_t line, const char *format, ...)
{
	char reason[300];
	struct problem problem = {.kind = PROBLEM_SUSPICIOUS, .record = line, .reason = reason};
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(reason, sizeof reason, format, arguments);
	va_end(arguments);
	if (line && line == reader->line) {
		problem.offset = reader->offset;
		problem.excerpt = reader->text;
	}
	return sink_problem(reader->sink, &problem);
}

int
preemption_reject(struct preemption_reader *reader, const char *reason)
{
	reader->reject = reason;
	return 0;
}

uint64_t
preemption_digest(uint64_t digest, int64_t time_ns, int64_t number)
{
	return hash_mix(digest ^ (uint64_t)time_ns * UINT64_C(0x9e3779b97f4a7c15)) +
	       (uint64_t)number;
}

void
preemption_note_time(struct preemption_reader *reader, int64_t time_ns)
{
	reader->first_ns = reader->first_ns == TIME_NONE ? time_ns : reader->first_ns;
	reader->last_ns = time_ns;
}

int
preemption_put_capacity(struct preemption_reader *reader, int64_t time_ns, int64_t nodes,
                        struct slice more)
{
	struct sink *sink = reader->sink;
	struct arg args[PREEMPTION_MORE];
	struct capacity capacity = {time_ns, reader->pool, nodes};
	struct counter counter = {.time_ns = time_ns,
	                          .lane = reader->lane,
	                          .name = reader->instances,
	                          .value = (double)nodes,
	                          .args = args,
	                          .n_args = preemption_more_args(reader, more, args)};

	int stop = sink_capacity(sink, &capacity);
	return stop ? stop : sink_counter(sink, &counter);
}

int
preemption_put_change(struct preemption_reader *reader, int64_t time_ns, int64_t nodes,
                      struct slice more)
{
	struct sink *sink = reader->sink;
	struct preemption preemption = {time_ns, reader->pool, nodes};
	struct arg args[1 + PREEMPTION_MORE];
	struct event event = {.time_ns = time_ns, .lane = reader->lane, .args = args};

	args[0] = (struct arg){
	    .key = reader->nodes_key, .type = ARG_INTEGER, .integer = nodes < 0 ? -nodes : nodes};
	event.n_args = 1 + preemption_more_args(reader, more, args + 1);

	event.name = preemption_text(reader, nodes < 0 ? "addition" : "preemption");
	event.category = preemption_text(reader, "capacity");
	int stop = sink_preemption(sink, &preemption);
	return stop ? stop : sink_event(sink, &event);
}

int
preemption_put_tag(struct preemption_reader *reader, text_code scope, struct slice key,
                   struct slice value)
{
	return sink_tag_texts(reader->sink, scope, key, value);
}

bool
preemption_is_cancelled(struct preemption_reader *reader)
{
	if (!cancel_requested(reader->cancel)) {
		return false;
	}
	err_set(reader->err, ERR_CANCELLED, "cancelled");
	return true;
}

size_t
preemption_more_args(const struct preemption_reader *reader, struct slice more, struct arg *args)
{
	size_t n = 0;
	uint32_t head[2];

	while (more.len >= sizeof head && n < PREEMPTION_MORE) {
		memcpy(head, more.ptr, sizeof head);
		struct slice text = {more.ptr + sizeof head, head[1]};
		struct arg *arg = &args[n++];
		*arg =
		    (struct arg){.key = reader->more_keys[head[0]], .type = ARG_TEXT, .text = text};
		if (slice_int64(text, &arg->integer)) {
			arg->type = ARG_INTEGER;
		}
		more = slice_from(more, sizeof head + text.len);
	}
	return n;
}
