/*
 * Flow events -> dependencies between spans.
 *
 * A flow event points at a time on a thread; the span meant is the innermost around it, or the next to begin (an end without "bp": "e"). The
 * span may stand before or after it in the file, so points are kept to the end, and each window of spans is laid over those
 * that have not been through a window since they were found: windows overlap by half, so a point meets all spans within half a window
 * before it, and, while it has found none, all after it. Memory grows with the flow events alone, up to a limit.
 *
 * Then the points of one flow, by time, are linked: each from the last one that begins or passes it on; an end that no begin
 * precedes from the first after it.
 */
#include "config.h"
#include "import/import_chrome.h"

#include <stdio.h>
#include <stdlib.h>

#include "util/intervals.h"

#define WINDOW_SPANS ((size_t)1 << 19)
#define POINTS_LIMIT ((size_t)1 << 23)
#define SAME_START_LIMIT 256u /* spans that begin at once, of which a point may name one */
#define NO_SPAN UINT64_MAX

struct point {
	int64_t time_ns;
	uint32_t flow, thread;
	uint32_t number; /* of the point */
	uint8_t phase;   /* 0 begin, 1 step, 2 end */
	bool binds_next;
	bool is_settled, is_exact;
	struct chrome_exact exact;
	uint64_t span;                 /* ordinal of the best yet */
	int64_t start_ns, duration_ns; /* of that */
};

struct place { /* a span */
	int64_t start_ns, duration_ns;
	uint64_t span;
	uint32_t thread;
	text_code name;
};

struct chrome_flows {
	struct intern *keys; /* kind, category, name, id -> flow */
	text_code *names;    /* by flow */
	size_t names_capacity;
	struct point *points;
	size_t n_points, points_capacity;
	size_t n_old;    /* points that have been through a window */
	uint64_t n_lost; /* points beyond the limit */
	struct place *places;
	size_t n_places, places_capacity;
	struct strbuf key;
};

struct chrome_flows *
chrome_flows_new(void)
{
	struct chrome_flows *flows = xcalloc(1, sizeof *flows);

	flows->keys = intern_new();
	return flows;
}

void
chrome_flows_free(struct chrome_flows *flows)
{
	if (flows) {
		intern_free(flows->keys);
		free(flows->names);
		free(flows->points);
		free(flows->places);
		strbuf_free(&flows->key);
		free(flows);
	}
}

uint32_t
chrome_flow_id(struct chrome_reader *reader, char kind, struct slice category, struct slice name,
               struct slice id)
{
	struct chrome_flows *flows = reader->flows;
	struct slice parts[] = {category, name, id};
	uint32_t n = intern_count(flows->keys);

	strbuf_clear(&flows->key);
	strbuf_add_char(&flows->key, kind);
	for (size_t i = 0; i < 3; i++) {
		strbuf_add(&flows->key, &parts[i].len, sizeof parts[i].len);
		strbuf_add(&flows->key, parts[i].ptr, parts[i].len);
	}
	uint32_t flow = intern_id(flows->keys, strbuf_slice(&flows->key));
	if (flow == n) {
		struct slice shown = name.len ? name : category;
		flows->names = mem_grow(flows->names, &flows->names_capacity, (size_t)n + 1,
		                        sizeof *flows->names);
		flows->names[flow] =
		    shown.len ? reader->sink->text(reader->sink->user, shown) : TEXT_NONE;
	}
	return flow;
}

static struct point *
add_point(struct chrome_flows *flows, uint32_t flow, char phase)
{
	if (flows->n_points == POINTS_LIMIT) {
		flows->n_lost++;
		return NULL;
	}
	flows->points = mem_grow(flows->points, &flows->points_capacity, flows->n_points + 1,
	                         sizeof *flows->points);
	struct point *point = &flows->points[flows->n_points];
	*point = (struct point){.flow = flow,
	                        .number = (uint32_t)flows->n_points,
	                        .phase = phase == 's'   ? 0
	                                 : phase == 't' ? 1
	                                                : 2,
	                        .span = NO_SPAN};
	flows->n_points++;
	return point;
}

void
chrome_flow_point(struct chrome_reader *reader, uint32_t flow, char phase, uint32_t thread,
                  int64_t time_ns, bool binds_next, const struct chrome_exact *exact)
{
	struct point *point = add_point(reader->flows, flow, phase);

	if (point) {
		point->time_ns = time_ns;
		point->thread = thread;
		point->binds_next = binds_next;
		point->is_exact = exact;
		point->exact = exact ? *exact : (struct chrome_exact){0, TEXT_NONE};
	}
}

/* ---- which span a point means ---- */

static int
compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->thread != y->thread) {
		return x->thread < y->thread ? -1 : 1;
	}
	if (x->start_ns != y->start_ns) {
		return x->start_ns < y->start_ns ? -1 : 1;
	}
	if (x->duration_ns != y->duration_ns) {
		return x->duration_ns > y->duration_ns ? -1 : 1;
	}
	return (x->span > y->span) - (x->span < y->span);
}

static int
compare_times(const void *a, const void *b)
{
	const struct point *x = *(struct point *const *)a, *y = *(struct point *const *)b;

	if (x->thread != y->thread) {
		return x->thread < y->thread ? -1 : 1;
	}
	if (x->time_ns != y->time_ns) {
		return x->time_ns < y->time_ns ? -1 : 1;
	}
	return (x->number > y->number) - (x->number < y->number);
}

static void
take(struct point *point, const struct place *place)
{
	bool is_better = point->span == NO_SPAN;

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
		point->span = place->span;
		point->start_ns = place->start_ns;
		point->duration_ns = place->duration_ns;
	}
}

/* The innermost around the point; the one that it names, if it does. */
static const struct place *
choose(const struct place *const *open, size_t n_open, const struct point *point)
{
	for (size_t i = n_open; point->is_exact && i > 0 && n_open - i < SAME_START_LIMIT; i--) {
		const struct place *place = open[i - 1];
		if (place->start_ns == point->time_ns &&
		    place->duration_ns == point->exact.duration_ns &&
		    place->name == point->exact.name) {
			return place;
		}
	}
	return n_open > 0 && !point->is_exact ? open[n_open - 1] : NULL;
}

/* Lays the places, sorted, over the points, sorted. */
static void
lay_over(const struct place *places, size_t n_places, struct point **points, size_t n_points)
{
	const struct place **open = xcalloc(n_places + 1, sizeof *open);
	size_t n_open = 0, at = 0;

	for (size_t i = 0; i < n_points; i++) {
		struct point *point = points[i];
		while (at < n_places && (places[at].thread < point->thread ||
		                         (places[at].thread == point->thread &&
		                          places[at].start_ns <= point->time_ns))) {
			open[n_open++] = &places[at++];
		}
		while (n_open && (open[n_open - 1]->thread != point->thread ||
		                  time_add(open[n_open - 1]->start_ns,
		                           open[n_open - 1]->duration_ns) < point->time_ns)) {
			n_open--;
		}
		if (!point->binds_next) {
			const struct place *place = choose(open, n_open, point);
			if (place) {
				take(point, place);
			}
			continue;
		}
		size_t first = at; /* the outermost of those that begin just then */
		while (first > 0 && places[first - 1].thread == point->thread &&
		       places[first - 1].start_ns == point->time_ns && at - first < 64) {
			first--;
		}
		if (first < n_places && places[first].thread == point->thread) {
			take(point, &places[first]);
		}
	}
	free(open);
}

/* Lays the spans of the window over the points that may need them, and keeps the later half. */
static void
use_window(struct chrome_flows *flows, bool is_last)
{
	size_t half = is_last ? flows->n_places : flows->n_places / 2, n = 0;
	size_t n_kept = flows->n_places - half;

	if (flows->n_points) {
		struct place *kept = xcalloc(n_kept + 1, sizeof *kept);
		struct point **points = xcalloc(flows->n_points, sizeof *points);
		if (n_kept) {
			memcpy(kept, flows->places + half, n_kept * sizeof *kept);
		}
		for (size_t i = 0; i < flows->n_points; i++) {
			if (!flows->points[i].is_settled) {
				points[n++] = &flows->points[i];
			}
		}
		if (n && flows->n_places) {
			qsort(points, n, sizeof(struct point *), compare_times);
			qsort(flows->places, flows->n_places, sizeof *flows->places,
			      compare_places);
			lay_over(flows->places, flows->n_places, points, n);
		}
		for (size_t i = 0; i < flows->n_old; i++) {
			flows->points[i].is_settled |= flows->points[i].span != NO_SPAN;
		}
		flows->n_old = flows->n_points;
		if (n_kept) {
			memcpy(flows->places, kept, n_kept * sizeof *kept);
		}
		free(points);
		free(kept);
	} else if (n_kept) {
		memmove(flows->places, flows->places + half, n_kept * sizeof *flows->places);
	}
	flows->n_places = n_kept;
}

void
chrome_flow_span(struct chrome_reader *reader, const struct span *span, uint32_t thread,
                 const struct chrome_binding *binding)
{
	struct chrome_flows *flows = reader->flows;

	if (binding->flow != INTERN_NONE && (binding->in || binding->out)) {
		char phase = binding->in && binding->out ? 't' : binding->out ? 's' : 'f';
		struct point *point = add_point(flows, binding->flow, phase);
		if (point) {
			point->time_ns = span->start_ns;
			point->thread = thread;
			point->span = reader->n_spans;
			point->is_settled = true;
		}
	}
	if (thread == INTERN_NONE) {
		return;
	}
	flows->places = mem_grow(flows->places, &flows->places_capacity, flows->n_places + 1,
	                         sizeof *flows->places);
	flows->places[flows->n_places++] =
	    (struct place){span->start_ns, span->duration_ns, reader->n_spans, thread, span->name};
	if (flows->n_places == WINDOW_SPANS) {
		use_window(flows, false);
	}
}

/* ---- links ---- */

static int
compare_links(const void *a, const void *b)
{
	const struct point *x = a, *y = b;

	if (x->flow != y->flow) {
		return x->flow < y->flow ? -1 : 1;
	}
	if (x->time_ns != y->time_ns) {
		return x->time_ns < y->time_ns ? -1 : 1;
	}
	if (x->phase != y->phase) {
		return x->phase < y->phase ? -1 : 1;
	}
	return (x->number > y->number) - (x->number < y->number);
}

static int
link_points(struct chrome_reader *reader, const struct point *from, const struct point *to)
{
	struct dependency dependency = {.type = DEPENDENCY_SPAN,
	                                .from_key = TEXT_NONE,
	                                .to_key = TEXT_NONE,
	                                .from_span = from->span,
	                                .to_span = to->span,
	                                .name = reader->flows->names[to->flow]};

	if (from->span == to->span) {
		return 0;
	}
	return reader->sink->dependency(reader->sink->user, &dependency);
}

/* The points of one flow, sorted. */
static int
link_flow(struct chrome_reader *reader, const struct point *points, size_t n)
{
	const struct point *source = NULL;
	size_t first = 0;
	int stop = 0;

	while (first < n && (points[first].phase == 2 || points[first].span == NO_SPAN)) {
		first++;
	}
	for (size_t i = 0; i < n && stop == 0; i++) {
		const struct point *point = &points[i];
		if (point->span == NO_SPAN) {
			continue;
		}
		if (point->phase > 0 && source) {
			stop = link_points(reader, source, point);
		} else if (point->phase == 2 && first < n) {
			stop = link_points(reader, &points[first], point);
		}
		source = point->phase < 2 ? point : source;
	}
	return stop;
}

static int
report_unbound(struct chrome_reader *reader, uint64_t n_unbound)
{
	struct chrome_flows *flows = reader->flows;
	char reason[160];
	int stop = 0;

	if (n_unbound) {
		snprintf(reason, sizeof reason, "%llu of %zu flow events point at no span",
		         (unsigned long long)n_unbound, flows->n_points);
		stop = chrome_problem(reader, PROBLEM_SUSPICIOUS, reason);
	}
	if (flows->n_lost && stop == 0) {
		snprintf(reason, sizeof reason, "%llu flow events beyond %zu are not followed",
		         (unsigned long long)flows->n_lost, POINTS_LIMIT);
		stop = chrome_problem(reader, PROBLEM_SUSPICIOUS, reason);
	}
	return stop;
}

int
chrome_flows_finish(struct chrome_reader *reader)
{
	struct chrome_flows *flows = reader->flows;
	uint64_t n_unbound = 0;
	int stop = 0;

	use_window(flows, true);
	if (flows->n_points) {
		qsort(flows->points, flows->n_points, sizeof *flows->points, compare_links);
	}
	for (size_t i = 0, end; i < flows->n_points && stop == 0; i = end) {
		for (end = i;
		     end < flows->n_points && flows->points[end].flow == flows->points[i].flow;
		     end++) {
			n_unbound += flows->points[end].span == NO_SPAN;
		}
		stop = link_flow(reader, &flows->points[i], end - i);
	}
	return stop ? stop : report_unbound(reader, n_unbound);
}
