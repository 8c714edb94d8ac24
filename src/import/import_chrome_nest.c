/*
 * Begins and ends -> spans: B and E of a thread, b, n and e or S, T, p and F of an asynchronous
 * operation.
 *
 * Events of a thread need not stand in the order of their times, and what an end closes depends on
 * that order: an end with a name closes the innermost open begin of that name and leaves the others
 * open, one without a name the innermost. So begins and ends are held back, and applied by (time,
 * place in the file); a file that has more of them than fit is applied half by half, and what then
 * comes too late is matched as well as is still possible, and counted.
 *
 * Memory is bounded: where too much is open, the older half is given up.
 *
 * What stays open lasts until the last time of the trace, and is marked as unfinished: what hangs
 * is what the trace of a crash is opened for. Ends of nothing are kept as events with their phase,
 * and so are begins that were given up.
 */
#include "config.h"
#include "import/import_chrome.h"

#include <stdlib.h>

#include "util/intervals.h"
#include "util/order.h"

#define HELD_LIMIT ((size_t)1 << 20)
#define HELD_BYTES_LIMIT ((size_t)64 << 20)
#define OPEN_BYTES_LIMIT ((size_t)192 << 20)
#define TRACK_BYTES 256u /* what an open begin and its track take about, beside arguments */
/* How far down the ends look for their begins, on the average: one may look deeper by what others
 * saved. */
#define LOOKS_PER_EVENT 128u
#define TRACKS_KEPT 4096u

struct held {
	int64_t time_ns;
	uint64_t number;
	uint32_t track, lane;
	text_code name, category;
	struct chrome_args *args;
	struct chrome_binding binding;
	bool is_begin, is_named;
	char phase;
};

struct track {
	uint32_t thread; /* INTERN_NONE: asynchronous */
	struct held *open;
	size_t n_open, capacity;
	uint32_t n_held;
	int64_t applied_ns; /* time of the last one applied */
};

struct chrome_nest {
	struct intern *keys; /* 'T' and thread, or 'A' and what tells operations apart -> track */
	struct track *tracks;
	size_t tracks_capacity;
	struct held *held;
	size_t n_held, held_capacity, held_bytes, open_bytes;
	uint64_t looks_left;
	struct strbuf key;
};

struct chrome_nest *
chrome_nest_new(void)
{
	struct chrome_nest *nest = xcalloc(1, sizeof *nest);

	nest->keys = intern_new();
	return nest;
}

void
chrome_nest_free(struct chrome_nest *nest)
{
	if (!nest) {
		return;
	}
	for (uint32_t i = 0; i < intern_count(nest->keys); i++) {
		for (size_t j = 0; j < nest->tracks[i].n_open; j++) {
			free(nest->tracks[i].open[j].args);
		}
		free(nest->tracks[i].open);
	}
	for (size_t i = 0; i < nest->n_held; i++) {
		free(nest->held[i].args);
	}
	intern_free(nest->keys);
	free(nest->tracks);
	free(nest->held);
	strbuf_free(&nest->key);
	free(nest);
}

/* ---- arguments beyond their event ---- */

static bool
has_text(const struct arg *arg)
{
	return arg->type == ARG_TEXT || arg->type == ARG_JSON;
}

static struct chrome_args *
keep_args(const struct chrome_reader *reader)
{
	size_t n = reader->n_args, bytes = sizeof(struct chrome_args) + n * sizeof(struct arg);

	if (n == 0) {
		return NULL;
	}
	size_t texts = bytes;
	for (size_t i = 0; i < n; i++) {
		bytes += has_text(&reader->args[i]) ? reader->args[i].text.len : 0;
	}
	struct chrome_args *kept = xmalloc(bytes);
	kept->n = n;
	kept->bytes = bytes;
	char *text = (char *)kept + texts;
	for (size_t i = 0; i < n; i++) {
		struct arg *arg = &kept->args[i];
		*arg = reader->args[i];
		if (has_text(arg)) {
			memcpy(text, arg->text.ptr, arg->text.len);
			arg->text.ptr = text;
			text += arg->text.len;
		}
	}
	return kept;
}

/* Those of the begin and of the end as one, the end's counting where both have a key. */
static void
merge_args(struct chrome_reader *reader, const struct chrome_args *first,
           const struct chrome_args *second)
{
	const struct chrome_args *both[] = {first, second};
	size_t n = (first ? first->n : 0) + (second ? second->n : 0);

	MEM_GROW(reader->args, reader->args_capacity, n + 1);
	reader->n_args = 0;
	reader->args_number++;
	for (size_t part = 0; part < 2; part++) {
		for (size_t i = 0; both[part] && i < both[part]->n; i++) {
			const struct arg *arg = &both[part]->args[i];
			size_t place = reader->n_args;
			if (reader->key_seen[arg->key] == reader->args_number) {
				place = reader->key_place[arg->key];
			} else {
				reader->n_args++;
			}
			reader->key_seen[arg->key] = reader->args_number;
			reader->key_place[arg->key] = (uint32_t)place;
			reader->args[place] = *arg;
		}
	}
}

/* ---- matching ---- */

/* end: NULL if there is none. */
static int
give_span(struct chrome_reader *reader, const struct track *track, const struct held *begin,
          const struct held *end)
{
	int64_t end_ns = end ? end->time_ns : reader->counts.last_ns;
	struct span span = {.start_ns = begin->time_ns,
	                    .duration_ns = time_sub(end_ns, begin->time_ns),
	                    .lane = begin->lane,
	                    .name = begin->name,
	                    .category = begin->category,
	                    .path = TEXT_NONE,
	                    .size_bytes = SIZE_NONE,
	                    .calls = 1,
	                    .order = {begin->number, end ? end->number : INT64_MAX},
	                    .is_unfinished = !end};
	struct chrome_binding binding = begin->binding;

	span.duration_ns = MOST(0, span.duration_ns); /* it came too late */
	merge_args(reader, begin->args, end ? end->args : NULL);
	span.args = reader->args;
	span.n_args = reader->n_args;
	if (binding.flow == INTERN_NONE && end) {
		binding = end->binding;
	}
	return chrome_give_span(reader, &span, track->thread, &binding);
}

/* One that found no partner, as an event. */
static int
give_alone(struct chrome_reader *reader, const struct held *held)
{
	struct sink *sink = reader->sink;
	struct event event = {.time_ns = held->time_ns,
	                      .lane = held->lane,
	                      .name = held->name,
	                      .category = held->category};
	struct arg *args = xcalloc((held->args ? held->args->n : 0) + 1, sizeof *args);
	uint32_t key = sink_key(sink, slice_of("ph"));

	for (size_t i = 0; held->args && i < held->args->n; i++) {
		if (held->args->args[i].key != key) {
			args[event.n_args++] = held->args->args[i];
		}
	}
	args[event.n_args++] =
	    (struct arg){.key = key, .type = ARG_TEXT, .text = {&held->phase, 1}};
	event.args = args;
	int stop = sink_event(sink, &event);
	free(args);
	return stop;
}

static size_t
find_begin(struct chrome_nest *nest, const struct track *track, const struct held *end)
{
	size_t n = track->n_open;

	if (!end->is_named || n == 0) {
		return n ? n - 1 : SIZE_MAX;
	}
	for (size_t i = n; i > 0 && nest->looks_left > 0; i--, nest->looks_left--) {
		if (track->open[i - 1].name == end->name) {
			return i - 1;
		}
	}
	/* Names of asynchronous ends are often those of something else. */
	return track->thread == INTERN_NONE ? n - 1 : SIZE_MAX;
}

static size_t
open_bytes(const struct held *held)
{
	return TRACK_BYTES + (held->args ? held->args->bytes : 0);
}

static void
push_open(struct chrome_nest *nest, struct track *track, const struct held *begin)
{
	if (track->n_open == track->capacity) { /* most operations never have two */
		track->capacity = track->capacity ? track->capacity * 2 : 1;
		track->open = xrealloc_array(track->open, track->capacity, sizeof *track->open);
	}
	track->open[track->n_open++] = *begin;
	nest->open_bytes += open_bytes(begin);
}

static void
drop_open(struct chrome_nest *nest, struct track *track, size_t at)
{
	nest->open_bytes -= open_bytes(&track->open[at]);
	free(track->open[at].args);
	memmove(&track->open[at], &track->open[at + 1],
	        (track->n_open - at - 1) * sizeof *track->open);
	track->n_open--;
}

static int
apply(struct chrome_reader *reader, struct track *track, struct held *held)
{
	int stop;

	reader->nest->looks_left += LOOKS_PER_EVENT;
	reader->chrome_counts.late += held->time_ns < track->applied_ns;
	track->applied_ns = held->time_ns;
	if (held->is_begin) {
		push_open(reader->nest, track, held);
		return 0;
	}
	size_t at = find_begin(reader->nest, track, held);
	if (at == SIZE_MAX) {
		reader->chrome_counts.unmatched_ends += track->thread != INTERN_NONE;
		reader->chrome_counts.unmatched_async += track->thread == INTERN_NONE;
		stop = give_alone(reader, held);
	} else {
		stop = give_span(reader, track, &track->open[at], held);
		drop_open(reader->nest, track, at);
	}
	free(held->args);
	return stop;
}

/* The time in the middle of all that are open. */
static int64_t
middle_of_open(const struct chrome_nest *nest)
{
	uint32_t n_tracks = intern_count(nest->keys);
	size_t n = 0, capacity = 0;
	int64_t *times = NULL;

	for (uint32_t i = 0; i < n_tracks; i++) {
		const struct track *track = &nest->tracks[i];
		MEM_GROW(times, capacity, n + track->n_open);
		for (size_t j = 0; j < track->n_open; j++) {
			times[n++] = track->open[j].time_ns;
		}
	}
	if (n == 0) {
		return INT64_MIN;
	}
	SORT(times, n, import_compare_times);
	int64_t middle_ns = times[n / 2];
	free(times);
	return middle_ns;
}

/* Begins whose end is waited for longest, as events. */
static int
give_up_older(struct chrome_reader *reader)
{
	struct chrome_nest *nest = reader->nest;
	int64_t middle_ns = middle_of_open(nest);
	int stop = 0;

	for (uint32_t i = 0; i < intern_count(nest->keys); i++) {
		struct track *track = &nest->tracks[i];
		size_t n = 0;
		for (size_t j = 0; j < track->n_open; j++) {
			struct held *begin = &track->open[j];
			if (begin->time_ns > middle_ns) {
				track->open[n++] = *begin;
				continue;
			}
			stop = stop ? stop : give_alone(reader, begin);
			nest->open_bytes -= open_bytes(begin);
			free(begin->args);
			reader->chrome_counts.given_up++;
		}
		track->n_open = n;
	}
	return stop;
}

/* ---- order ---- */

static int
compare_held(const void *a, const void *b)
{
	const struct held *x = a, *y = b;

	ORDER_BY(x->time_ns, y->time_ns);
	return ORDER(x->number, y->number);
}

/* Takes out the tracks on which nothing is open or held. */
static void
forget_tracks(struct chrome_nest *nest)
{
	uint32_t n = intern_count(nest->keys);
	struct intern *keys = intern_new();
	uint32_t *new_ids = xcalloc((size_t)n + 1, sizeof *new_ids);

	for (uint32_t i = 0; i < n; i++) {
		struct track track = nest->tracks[i];
		if (track.n_open == 0 && track.n_held == 0) {
			free(track.open);
			continue;
		}
		new_ids[i] = intern_id(keys, intern_text(nest->keys, i));
		nest->tracks[new_ids[i]] = track; /* at i or before */
	}
	for (size_t i = 0; i < nest->n_held; i++) {
		nest->held[i].track = new_ids[nest->held[i].track];
	}
	free(new_ids);
	intern_free(nest->keys);
	nest->keys = keys;
}

/* Applies the first n of those held back. */
static int
drain(struct chrome_reader *reader, size_t n)
{
	struct chrome_nest *nest = reader->nest;
	size_t done = 0;
	int stop = 0;

	for (size_t i = 1; i < nest->n_held; i++) {
		if (compare_held(&nest->held[i - 1], &nest->held[i]) > 0) {
			SORT(nest->held, nest->n_held, compare_held);
			break;
		}
	}
	while (done < n && stop == 0) {
		struct held *held = &nest->held[done++];
		struct track *track = &nest->tracks[held->track];
		track->n_held--;
		nest->held_bytes -= held->args ? held->args->bytes : 0;
		stop = apply(reader, track, held);
		if (stop == 0 && nest->open_bytes > OPEN_BYTES_LIMIT) {
			stop = give_up_older(reader);
		}
		if (done % 4096 == 0 && cancel_requested(reader->cancel)) {
			stop = 1;
		}
	}
	nest->n_held -= done;
	if (nest->n_held) {
		memmove(nest->held, nest->held + done, nest->n_held * sizeof *nest->held);
	}
	if (intern_count(nest->keys) > TRACKS_KEPT) {
		forget_tracks(nest);
	}
	return stop;
}

static uint32_t
find_track(struct chrome_nest *nest, const struct chrome_begin *begin)
{
	bool is_async = begin->thread == INTERN_NONE;
	uint32_t n = intern_count(nest->keys);

	strbuf_clear(&nest->key);
	strbuf_add_char(&nest->key, is_async ? 'A' : 'T');
	if (is_async) {
		strbuf_add_slice(&nest->key, begin->track);
	} else {
		strbuf_add(&nest->key, &begin->thread, sizeof begin->thread);
	}
	uint32_t id = intern_id(nest->keys, strbuf_slice(&nest->key));
	if (id == n) {
		MEM_GROW(nest->tracks, nest->tracks_capacity, (size_t)n + 1);
		nest->tracks[id] = (struct track){.thread = begin->thread, .applied_ns = INT64_MIN};
	}
	return id;
}

int
chrome_nest_add(struct chrome_reader *reader, const struct chrome_begin *begin)
{
	struct chrome_nest *nest = reader->nest;
	uint32_t track = find_track(nest, begin);

	MEM_GROW(nest->held, nest->held_capacity, nest->n_held + 1);
	struct held *held = &nest->held[nest->n_held++];
	*held = (struct held){.time_ns = begin->time_ns,
	                      .number = reader->number,
	                      .track = track,
	                      .lane = begin->lane,
	                      .name = begin->name,
	                      .category = begin->category,
	                      .args = keep_args(reader),
	                      .binding = begin->binding,
	                      .is_begin = begin->is_begin,
	                      .is_named = begin->is_named,
	                      .phase = begin->phase};
	nest->tracks[track].n_held++;
	nest->held_bytes += held->args ? held->args->bytes : 0;
	return nest->n_held < HELD_LIMIT && nest->held_bytes < HELD_BYTES_LIMIT
	           ? 0
	           : drain(reader, (nest->n_held + 1) / 2);
}

int
chrome_nest_finish(struct chrome_reader *reader)
{
	struct chrome_nest *nest = reader->nest;
	int stop = drain(reader, nest->n_held);

	for (uint32_t i = 0; i < intern_count(nest->keys) && stop == 0; i++) {
		struct track *track = &nest->tracks[i];
		bool is_async = track->thread == INTERN_NONE;
		reader->chrome_counts.unmatched_begins += is_async ? 0 : track->n_open;
		reader->chrome_counts.open_async += is_async ? track->n_open : 0;
		for (size_t j = 0; j < track->n_open && stop == 0; j++) {
			stop = give_span(reader, track, &track->open[j], NULL);
		}
	}
	return stop;
}

void
chrome_note_time(struct chrome_reader *reader, int64_t time_ns)
{
	struct source_facts *facts = &reader->counts;

	facts->first_ns = facts->is_timed && facts->first_ns < time_ns ? facts->first_ns : time_ns;
	facts->last_ns = facts->is_timed && facts->last_ns > time_ns ? facts->last_ns : time_ns;
	facts->is_timed = true;
}

int
chrome_give_span(struct chrome_reader *reader, struct span *span, uint32_t thread,
                 const struct chrome_binding *binding)
{
	int64_t end_ns = time_add(span->start_ns, span->duration_ns);

	if (end_ns >= TIME_LIMIT) {
		span->duration_ns = time_sub(TIME_LIMIT - 1, span->start_ns);
		end_ns = TIME_LIMIT - 1;
	}
	chrome_note_time(reader, end_ns);
	chrome_flow_span(reader, span, thread, binding);
	reader->n_spans++;
	return sink_span(reader->sink, span);
}
