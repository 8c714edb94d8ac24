/*
 * Flow events -> dependencies between spans.
 *
 * A flow event points at a time on a thread; the span meant is the innermost around it, or the next
 * to begin (an end without "bp": "e"). The span may stand before or after it in the file, so each
 * window of spans is laid over the points that have not been through a window since they were
 * found: windows overlap by half, so a point meets all spans within half a window before it, and,
 * while it has found none, all after it. What a point that is settled is still needed for takes
 * little (import_chrome_links.c). Memory grows with the flow events alone, up to a limit.
 */
#include "config.h"
#include "import/import_chrome.h"

#include <stdio.h>
#include <stdlib.h>

#include "util/intervals.h"
#include "util/order.h"

#define WINDOW_SPANS ((size_t)1 << 19)
#define POINTS_LIMIT ((size_t)1 << 22) /* not settled */
#define SAME_START_LIMIT 256u          /* spans that begin at once, of which a point may name one */
#define KIND_BYTES sizeof(uint32_t)

struct point {
	uint32_t thread; /* first, see chrome_order */
	uint32_t flow;
	int64_t time_ns;
	uint32_t number; /* of the point */
	uint8_t phase;   /* 0 begin, 1 step, 2 end */
	bool binds_next;
	bool is_exact, has_span;
	struct chrome_exact exact;
	uint64_t span;                 /* ordinal of the best yet */
	int64_t start_ns, duration_ns; /* of that */
};

struct flow_span {       /* a span */
	uint32_t thread; /* first, see chrome_order */
	text_code name;
	int64_t start_ns, duration_ns;
	uint64_t span, order; /* order: where its begin stands */
};

struct chrome_flows {
	struct intern *kinds;    /* kind, category, name */
	struct strbuf last_kind; /* of them, as most are; its code */
	uint32_t last_code;
	text_code *names; /* by kind */
	size_t names_capacity;
	struct intern *keys; /* code of the kind, id -> flow */
	struct chrome_links *links;
	struct point *points; /* not settled yet */
	size_t n_points, points_capacity;
	size_t n_old; /* points that have been through a window */
	uint32_t n_numbers;
	uint64_t n_lost; /* points beyond the limit */
	struct flow_span *places;
	size_t n_places, places_capacity;
	struct strbuf key;
};

struct chrome_flows *
chrome_flows_new(void)
{
	struct chrome_flows *flows = xcalloc(1, sizeof *flows);

	flows->kinds = intern_new();
	flows->keys = intern_new();
	flows->links = chrome_links_new();
	return flows;
}

void
chrome_flows_free(struct chrome_flows *flows)
{
	if (flows) {
		intern_free(flows->kinds);
		intern_free(flows->keys);
		chrome_links_free(flows->links);
		free(flows->names);
		free(flows->points);
		free(flows->places);
		strbuf_free(&flows->key);
		strbuf_free(&flows->last_kind);
		free(flows);
	}
}

static uint32_t
find_kind(struct chrome_reader *reader, char kind, struct slice category, struct slice name)
{
	struct chrome_flows *flows = reader->flows;
	uint32_t n = intern_count(flows->kinds);

	strbuf_clear(&flows->key);
	strbuf_add_char(&flows->key, kind);
	strbuf_add(&flows->key, &category.len, sizeof category.len);
	strbuf_add_slice(&flows->key, category);
	strbuf_add_slice(&flows->key, name);
	struct slice key = strbuf_slice(&flows->key);
	if (n > 0 && slice_equal(key, strbuf_slice(&flows->last_kind))) {
		return flows->last_code;
	}
	uint32_t code = intern_id(flows->kinds, key);
	strbuf_clear(&flows->last_kind);
	strbuf_add_slice(&flows->last_kind, key);
	flows->last_code = code;
	if (code == n) {
		struct slice shown = name.len ? name : category;
		MEM_GROW(flows->names, flows->names_capacity, (size_t)n + 1);
		flows->names[code] = shown.len ? sink_text(reader->sink, shown) : TEXT_NONE;
	}
	return code;
}

uint32_t
chrome_flow_id(struct chrome_reader *reader, char kind, struct slice category, struct slice name,
               struct slice id)
{
	struct chrome_flows *flows = reader->flows;
	uint32_t code = find_kind(reader, kind, category, name);

	strbuf_clear(&flows->key);
	strbuf_add(&flows->key, &code, KIND_BYTES);
	strbuf_add_slice(&flows->key, id);
	return intern_id(flows->keys, strbuf_slice(&flows->key));
}

static text_code
flow_name(const struct chrome_reader *reader, uint32_t flow)
{
	uint32_t code;

	memcpy(&code, intern_text(reader->flows->keys, flow).ptr, KIND_BYTES);
	return reader->flows->names[code];
}

static bool
is_full(struct chrome_flows *flows)
{
	bool is_full = flows->n_points == POINTS_LIMIT || flows->n_numbers == CHROME_LINKS_LIMIT;

	flows->n_lost += is_full;
	return is_full;
}

void
chrome_flow_point(struct chrome_reader *reader, uint32_t flow, char phase, uint32_t thread,
                  int64_t time_ns, bool binds_next, const struct chrome_exact *exact)
{
	struct chrome_flows *flows = reader->flows;

	if (is_full(flows)) {
		return;
	}
	MEM_GROW(flows->points, flows->points_capacity, flows->n_points + 1);
	flows->points[flows->n_points++] =
	    (struct point){.time_ns = time_ns,
	                   .flow = flow,
	                   .thread = thread,
	                   .number = flows->n_numbers++,
	                   .phase = phase == 's'   ? 0
	                            : phase == 't' ? 1
	                                           : 2,
	                   .binds_next = binds_next,
	                   .is_exact = exact,
	                   .exact = exact ? *exact : (struct chrome_exact){0, TEXT_NONE}};
}

/* ---- which span a point means ---- */

/* Of those that begin at once, on one thread. */
static int
compare_places(const void *a, const void *b)
{
	const struct flow_span *x = a, *y = b;

	ORDER_BY(y->duration_ns, x->duration_ns);
	return ORDER(x->order, y->order);
}

/* Of one time, on one thread. */
static int
compare_points(const void *a, const void *b)
{
	const struct point *x = a, *y = b;

	return ORDER(x->number, y->number);
}

static void
take(struct point *point, const struct flow_span *place)
{
	bool is_better = !point->has_span;

	if (!is_better && point->binds_next) {
		is_better =
		    place->start_ns < point->start_ns ||
		    (place->start_ns == point->start_ns && place->duration_ns > point->duration_ns);
	} else if (!is_better) {
		is_better =
		    place->start_ns > point->start_ns || (place->start_ns == point->start_ns &&
		                                          place->duration_ns <= point->duration_ns);
	}
	if (is_better) {
		point->has_span = true;
		point->span = place->span;
		point->start_ns = place->start_ns;
		point->duration_ns = place->duration_ns;
	}
}

/* The innermost around the point; the one that it names, if it does. */
static const struct flow_span *
choose(const struct flow_span *const *open, size_t n_open, const struct point *point)
{
	for (size_t i = n_open; point->is_exact && i > 0 && n_open - i < SAME_START_LIMIT; i--) {
		const struct flow_span *place = open[i - 1];
		if (place->start_ns == point->time_ns &&
		    place->duration_ns == point->exact.duration_ns &&
		    place->name == point->exact.name) {
			return place;
		}
	}
	return n_open > 0 && !point->is_exact ? open[n_open - 1] : NULL;
}

/* What chrome_order made of the spans. */
struct sorted_spans {
	void **places;
	size_t n;
};

static const struct flow_span *
place_at(const struct sorted_spans *spans, size_t at)
{
	return spans->places[at];
}

/* Does a span stand at `at` that is of the point's thread and begins when it is? */
static bool
begins_there(const struct sorted_spans *spans, size_t at, const struct point *point)
{
	return place_at(spans, at)->thread == point->thread &&
	       place_at(spans, at)->start_ns == point->time_ns;
}

/* Does it stand before the point, or begin just then? */
static bool
is_begun(const struct flow_span *place, const struct point *point)
{
	return place->thread < point->thread ||
	       (place->thread == point->thread && place->start_ns <= point->time_ns);
}

/* Lays the spans over the points, both sorted. */
static void
lay_over(const struct sorted_spans *spans, void *const *points, size_t n_points)
{
	const struct flow_span **open = xcalloc(spans->n + 1, sizeof *open);
	size_t n_open = 0, at = 0;

	for (size_t i = 0; i < n_points; i++) {
		struct point *point = points[i];
		while (at < spans->n && is_begun(place_at(spans, at), point)) {
			open[n_open++] = place_at(spans, at++);
		}
		while (n_open && (open[n_open - 1]->thread != point->thread ||
		                  time_add(open[n_open - 1]->start_ns,
		                           open[n_open - 1]->duration_ns) < point->time_ns)) {
			n_open--;
		}
		if (!point->binds_next) {
			const struct flow_span *place = choose(open, n_open, point);
			if (place) {
				take(point, place);
			}
			continue;
		}
		size_t first = at; /* the outermost of those that begin just then */
		while (first > 0 && begins_there(spans, first - 1, point) && at - first < 64) {
			first--;
		}
		if (first < spans->n && place_at(spans, first)->thread == point->thread) {
			take(point, place_at(spans, first));
		}
	}
	free(open);
}

static void
lay_window(struct chrome_reader *reader)
{
	struct chrome_flows *flows = reader->flows;
	size_t n_threads = intern_count(reader->thread_keys);
	const struct chrome_ordering of_points = {n_threads, sizeof *flows->points,
	                                          offsetof(struct point, time_ns), compare_points};
	const struct chrome_ordering of_places = {
	    n_threads, sizeof *flows->places, offsetof(struct flow_span, start_ns), compare_places};
	void **points = chrome_order(flows->points, flows->n_points, &of_points);
	struct sorted_spans spans = {chrome_order(flows->places, flows->n_places, &of_places),
	                             flows->n_places};

	lay_over(&spans, points, flows->n_points);
	free(points);
	free(spans.places);
}

/* Those that have a span and met all that could be a better one; in the end, all that have one. */
static void
settle(struct chrome_flows *flows, bool is_last)
{
	size_t n = 0;

	for (size_t i = 0; i < flows->n_points; i++) {
		const struct point *point = &flows->points[i];
		if (point->has_span && (is_last || i < flows->n_old)) {
			chrome_links_add(flows->links,
			                 &(struct chrome_link_point){.time_ns = point->time_ns,
			                                             .span = point->span,
			                                             .flow = point->flow,
			                                             .number = point->number,
			                                             .phase = point->phase});
		} else {
			flows->points[n++] = *point;
		}
	}
	flows->n_points = flows->n_old = n;
}

/* Lays the spans of the window over the points that may need them, and keeps the later half. */
static void
use_window(struct chrome_reader *reader, bool is_last)
{
	struct chrome_flows *flows = reader->flows;
	size_t half = is_last ? flows->n_places : flows->n_places / 2;

	if (flows->n_points && flows->n_places) {
		lay_window(reader);
	}
	settle(flows, is_last);
	flows->n_places -= half;
	if (flows->n_places) {
		memmove(flows->places, flows->places + half,
		        flows->n_places * sizeof *flows->places);
	}
}

void
chrome_flow_span(struct chrome_reader *reader, const struct span *span, uint32_t thread,
                 const struct chrome_binding *binding)
{
	struct chrome_flows *flows = reader->flows;

	if (binding->flow != INTERN_NONE && (binding->in || binding->out)) {
		unsigned phase = binding->in && binding->out ? 1 : binding->out ? 0 : 2;
		if (!is_full(flows)) {
			chrome_links_add(flows->links,
			                 &(struct chrome_link_point){.time_ns = span->start_ns,
			                                             .span = reader->n_spans,
			                                             .flow = binding->flow,
			                                             .number = flows->n_numbers++,
			                                             .phase = phase});
		}
	}
	if (thread == INTERN_NONE) {
		return;
	}
	MEM_GROW(flows->places, flows->places_capacity, flows->n_places + 1);
	flows->places[flows->n_places++] =
	    (struct flow_span){thread,          span->name,       span->start_ns, span->duration_ns,
	                       reader->n_spans, span->order.begin};
	if (flows->n_places == WINDOW_SPANS) {
		use_window(reader, false);
	}
}

/* ---- the end ---- */

int
chrome_flows_finish(struct chrome_reader *reader)
{
	struct chrome_flows *flows = reader->flows;
	char reason[160];

	use_window(reader, true);
	free(flows->points); /* sorting the links takes as much */
	free(flows->places);
	flows->points = NULL;
	flows->places = NULL;
	int stop = chrome_links_give(reader, intern_count(flows->keys), flow_name, flows->links);
	if (flows->n_points && stop == 0) {
		snprintf(reason, sizeof reason, "%zu of %u flow events point at no span",
		         flows->n_points, (unsigned)flows->n_numbers);
		stop = chrome_problem(reader, PROBLEM_SUSPICIOUS, reason);
	}
	if (flows->n_lost && stop == 0) {
		snprintf(reason, sizeof reason,
		         "%llu flow events are not followed: there are too many",
		         (unsigned long long)flows->n_lost);
		stop = chrome_problem(reader, PROBLEM_SUSPICIOUS, reason);
	}
	return stop;
}
