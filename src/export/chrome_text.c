/* What the files of the Chrome export write with. */
#include "config.h"
#include "export/chrome_private.h"

#include "util/json_text.h"

#define NS_PER_US 1000

void
trace_put(struct trace_writer *trace, const struct strbuf *events)
{
	if (events->len > 0) {
		size_t skipped = !trace->has_events; /* a comma */

		gzip_writer_put(trace->out, events->data + skipped, events->len - skipped);
		trace->has_events = true;
	}
}

void
trace_add_us(struct strbuf *out, int64_t ns)
{
	uint64_t magnitude = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
	unsigned rest = (unsigned)(magnitude % NS_PER_US);
	char digits[4] = {'.', (char)('0' + rest / 100), (char)('0' + rest / 10 % 10),
	                  (char)('0' + rest % 10)};

	if (ns < 0) {
		strbuf_add_char(out, '-');
	}
	json_add_unsigned(out, magnitude / NS_PER_US);
	strbuf_add(out, digits, sizeof digits);
}

void
trace_add_place(struct strbuf *out, uint32_t pid, uint32_t tid)
{
	strbuf_add_text(out, ",\"pid\":");
	json_add_unsigned(out, pid);
	strbuf_add_text(out, ",\"tid\":");
	json_add_unsigned(out, tid);
}

bool
trace_in_window(const struct chrome_options *options, int64_t start_ns, int64_t end_ns)
{
	return start_ns < options->to_ns &&
	       (end_ns > options->from_ns || start_ns >= options->from_ns);
}

uint32_t
trace_tid(const struct trace_lane *lane, int64_t depth)
{
	if (lane->n_rows == 1 || depth <= 0) {
		return lane->tid;
	}
	return lane->extra_tid + (depth < lane->n_rows ? (uint32_t)depth : lane->n_rows - 1) - 1;
}
