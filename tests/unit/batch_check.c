#include "config.h"
#include "batch_check.h"

#include <glob.h>
#include <inttypes.h>

#include "unit.h"
#include "record_sink.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/pack.h"
#include "util/workers.h"

static void
show_args(struct strbuf *out, const struct record_sink *recorded, const struct arg *args, size_t n)
{
	strbuf_add_text(out, record_args(recorded, args, n));
	strbuf_add_char(out, '\n');
}

static void
show_totals(struct strbuf *out, const struct call_totals *totals)
{
	strbuf_printf(out, "(%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 ") ",
	              totals->sum_ns, totals->min_ns, totals->max_ns, totals->size_min,
	              totals->size_max);
}

/* What the format wants to know of the source at the end, as a part would have it. */
static void
show_facts(const struct import_format *format, void **facts, struct strbuf *out)
{
	struct pack pack = {.is_reading = false};

	format->pack_facts(&pack, facts);
	for (size_t i = 0; i < pack.bytes.len; i++) {
		strbuf_printf(out, "%02x", (unsigned char)pack.bytes.data[i]);
	}
	strbuf_free(&pack.bytes);
	format->free_facts(*facts);
}

/* All that was said, with its places. */
static void
show(struct record_sink *recorded, struct strbuf *out)
{
	const struct source_facts *facts = &recorded->facts;

	strbuf_clear(out);
	strbuf_printf(out, "%s %d %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", facts->dialect,
	              facts->clock, facts->records, facts->bad_records, facts->metadata);
	for (size_t i = 0; i < recorded->n_texts; i++) {
		for (size_t k = 0; k < recorded->texts[i].len; k++) { /* NULs are in symbols */
			char sign = recorded->texts[i].text[k];
			strbuf_add_char(out, sign ? sign : '|');
		}
		strbuf_add_char(out, '\n');
	}
	for (size_t i = 0; i < recorded->n_lanes; i++) {
		strbuf_printf(out, "%s\n", record_lane(recorded, (uint32_t)i));
	}
	for (size_t i = 0; i < recorded->n_definitions; i++) {
		const struct recorded_definition *definition = &recorded->definitions[i];
		strbuf_printf(out, "%s %s %s\n", definition->scope, definition->symbol,
		              definition->text);
	}
	for (size_t i = 0; i < recorded->n_spans; i++) {
		const struct span *span = &recorded->spans[i];
		strbuf_printf(out,
		              "%u %u %u %u %" PRId64 "+%" PRId64 " %" PRIu64 " %" PRId64
		              " %d %" PRId64 " ",
		              span->name, span->category, span->path, span->lane, span->start_ns,
		              span->duration_ns, span->order.begin, span->size_bytes,
		              span->is_unfinished, span->calls);
		if (span->totals) {
			show_totals(out, span->totals);
		}
		show_args(out, recorded, span->args, span->n_args);
	}
	for (size_t i = 0; i < recorded->n_events; i++) {
		const struct event *event = &recorded->events[i];
		strbuf_printf(out, "%u %u %u @%" PRId64 " ", event->name, event->category,
		              event->lane, event->time_ns);
		show_args(out, recorded, event->args, event->n_args);
	}
	for (size_t i = 0; i < recorded->n_counters; i++) {
		const struct counter *counter = &recorded->counters[i];
		strbuf_printf(out, "%u %u %g@%" PRId64 "\n", counter->name, counter->lane,
		              counter->value, counter->time_ns);
	}
	for (size_t i = 0; i < recorded->n_dependencies; i++) {
		const struct dependency *dependency = &recorded->dependencies[i];
		strbuf_printf(out, "%" PRIu64 "->%" PRIu64 " %u\n", dependency->from_span,
		              dependency->to_span, dependency->name);
	}
	for (size_t i = 0; i < recorded->n_tags; i++) {
		strbuf_printf(out, "%u %u %u\n", recorded->tags[i].scope, recorded->tags[i].key,
		              recorded->tags[i].value);
	}
	for (size_t i = 0; i < recorded->n_problems; i++) {
		const struct problem *problem = &recorded->problems[i];
		strbuf_printf(out, "%d %" PRIu64 " %" PRIu64 " %s\n", problem->kind,
		              problem->record, problem->offset, problem->reason);
	}
}

static void
read_as(const struct batch_check *check, struct slice trace, size_t chunk, unsigned n_threads,
        struct strbuf *out)
{
	struct record_sink *recorded = record_sink_new();
	void *facts = NULL;

	recorded->n_threads = n_threads;
	recorded->omitted = check->omitted;
	ck_assert_int_eq(
	    record_bytes(recorded, check->format, trace.ptr, trace.len, chunk, false, &facts), 0);
	show(recorded, out);
	if (facts) {
		show_facts(check->format, &facts, out);
	}
	record_sink_free(recorded);
}

/* Some signs before the first byte that differs. */
static size_t
first_difference(const struct strbuf *a, const struct strbuf *b)
{
	const size_t before = 60;
	size_t i = 0;

	while (i < LEAST(a->len, b->len) && a->data[i] == b->data[i]) {
		i++;
	}
	return i - LEAST(i, before);
}

void
check_trace(const struct batch_check *check, struct prng *prng, struct slice trace,
            const char *what)
{
	const size_t chunks[] = {0, 0, 100 + prng_below(prng, 3000), 1 + prng_below(prng, 300)};
	const unsigned n_threads[] = {1, 4, 2, 3};
	struct strbuf expected = {0}, shown = {0};

	read_as(check, trace, 0, 0, &expected);
	for (size_t i = 0; i < COUNT_OF(chunks); i++) {
		if (check->is_packed) {
			read_as(check, trace, chunks[i], 0, &expected);
		}
		thread_fail_at((unsigned)prng_below(prng, 4)); /* with fewer than wanted, too */
		read_as(check, trace, chunks[i], n_threads[i], &shown);
		thread_fail_at(0);
		size_t at = first_difference(&expected, &shown);
		ck_assert_msg(slice_equal(strbuf_slice(&expected), strbuf_slice(&shown)),
		              "%s, %zu bytes at once on %u threads:\n%.*s\nsaid\n...%.300s\nand "
		              "not\n...%.300s",
		              what, chunks[i], n_threads[i], (int)LEAST(trace.len, 3000), trace.ptr,
		              shown.data + at, expected.data + at);
	}
	strbuf_free(&expected);
	strbuf_free(&shown);
}

/* Changes some bytes, cuts some out, puts some in twice, or breaks the trace off. */
static void
damage(struct prng *prng, struct strbuf *trace)
{
	static const char bytes[] = "{}[],:\"\\ \n0-.eE1x\0\x01\xff";
	size_t at = prng_below(prng, trace->len),
	       n = LEAST(1 + prng_below(prng, 60), trace->len - at);

	switch (prng_below(prng, 4)) {
	case 0:
		trace->data[at] = bytes[prng_below(prng, sizeof bytes - 1)];
		break;
	case 1:
		memmove(trace->data + at, trace->data + at + n, trace->len - at - n);
		trace->len -= n;
		break;
	case 2: {
		struct strbuf longer = {0};
		strbuf_add(&longer, trace->data, at + n);
		strbuf_add(&longer, trace->data + at, trace->len - at);
		strbuf_free(trace);
		*trace = longer;
		break;
	}
	default:
		trace->len -= prng_below(prng, 8) ? 0 : LEAST(trace->len / 4, n * 20);
	}
}

void
check_damaged(const struct batch_check *check, struct prng *prng, struct slice trace,
              unsigned rounds, const char *what)
{
	check_trace(check, prng, trace, what);
	for (unsigned round = 0; round < rounds; round++) {
		struct strbuf copy = {0};
		strbuf_add_slice(&copy, trace);
		for (uint64_t n = 1 + prng_below(prng, 3); n && copy.len > 1; n--) {
			damage(prng, &copy);
		}
		check_trace(check, prng, strbuf_slice(&copy), what);
		strbuf_free(&copy);
	}
}

/* The first `most` bytes of each file, and damaged copies. */
static void
check_files(const struct batch_check *check, const char *folder, const char *pattern, size_t most,
            unsigned rounds)
{
	struct strbuf path = {0};
	struct prng prng = {13};
	glob_t found;

	strbuf_printf(&path, "%s/%s", folder, pattern);
	int none = glob(path.data, 0, NULL, &found);
	strbuf_free(&path);
	if (none) {
		return;
	}
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct err err = ERR_INIT;
		struct input *input = input_open(found.gl_pathv[i], &err);
		struct slice bytes;
		ck_assert_ptr_nonnull(input);
		ck_assert_int_eq(input_peek(input, most, &bytes, &err), 0);
		check_damaged(check, &prng, bytes, rounds, found.gl_pathv[i]);
		input_close(input);
	}
	globfree(&found);
}

void
check_samples(const struct batch_check *check, const char *ours, unsigned our_rounds,
              const char *shared, unsigned rounds)
{
	const char *folder = getenv("LANESCOPE_SRCDIR"), *samples = unit_shared();

	check_files(check, folder ? folder : ".", ours, SIZE_MAX, our_rounds);
	if (samples) {
		check_files(check, samples, shared, (size_t)100 << 10, rounds);
	}
}
