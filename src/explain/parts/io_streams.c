/*
 * Two passes. The first finds the streams and the union of each class's calls; the second cuts
 * every call of a stream at those unions. A call's bytes are divided in proportion to its time, as
 * nothing says when in a call they moved; in integers, so that the order of adding does not show.
 */
#include "config.h"
#include "explain/parts/io_streams.h"

#include <stdlib.h>
#include <string.h>

#include "util/intervals.h"
#include "util/order.h"

#define STREAMS_MAX 4096

struct class_cover { /* a merged list */
	struct interval *intervals;
	size_t n, capacity;
};

struct cutting {
	const struct io_run *run;
	const struct path_classes *classes;
	struct io_streams *streams;
	unsigned n_classes;
	struct class_cover *covers; /* [class] its own; [n_classes + class]: of all the others */
	uint16_t *stream_of;        /* [operation * n_classes + class]: stream + 1 */
	struct {
		uint8_t *class_of;       /* by path: class + 1 */
		size_t *at;              /* by cover, see covered() */
		struct io_state *states; /* [stream * (n_classes + 1) + class] */
	} * threads;
};

/* How much of [start, end) a list covers. *at is where the last search ended: rows come nearly in
 * order. */
static int64_t
covered(const struct class_cover *cover, size_t *at, int64_t start, int64_t end)
{
	const struct interval *list = cover->intervals;
	size_t n = cover->n, i = *at;
	int64_t sum = 0;
	if (n == 0 || start >= list[n - 1].end || end <= list[0].start) {
		return 0;
	}
	if (i >= n || list[i].start > start || (i + 1 < n && list[i + 1].start <= start)) {
		i = 0; /* the last that starts at or before start */
		ORDER_FIND(i, n, middle, list[middle].start <= start);
		i -= i > 0;
	}
	*at = i;
	for (; i < n && list[i].start < end; i++) {
		int64_t from = MOST(list[i].start, start);
		int64_t to = LEAST(list[i].end, end);
		sum += to > from ? to - from : 0;
	}
	return sum;
}

static void
add_part(struct io_state *state, const struct span_row *row, int64_t time_ns)
{
	__extension__ __int128 bytes = (__int128)row->size_bytes * time_ns;
	time_raise(&state->time_ns, time_ns);
	time_raise(&state->size_bytes, (int64_t)(bytes / row->duration_ns));
}

static int
cut_row(void *user, unsigned thread, const struct span_row *row, struct err *err)
{
	struct cutting *cutting = user;
	unsigned n = cutting->n_classes;
	(void)err;
	if (row->name == TEXT_NONE || row->size_bytes == SIZE_NONE || row->duration_ns <= 0) {
		return 0;
	}
	unsigned class = io_class_of(cutting->classes, cutting->run->dataset,
	                             cutting->threads[thread].class_of, row->path);
	size_t stream = cutting->stream_of[(size_t)row->name * n + class];
	if (stream == 0) {
		return 0;
	}
	struct io_state *states = &cutting->threads[thread].states[(stream - 1) * (n + 1)];
	size_t *at = cutting->threads[thread].at;
	int64_t end = time_add(row->start_ns, row->duration_ns);
	for (unsigned c = 0; c < n; c++) {
		if (c != class && cutting->covers[c].n) {
			add_part(&states[c], row,
			         covered(&cutting->covers[c], &at[c], row->start_ns, end));
		}
	}
	unsigned others = n + class;
	add_part(&states[n], row,
	         row->duration_ns -
	             covered(&cutting->covers[others], &at[others], row->start_ns, end));
	return 0;
}

static void
cover_add(struct class_cover *cover, const struct interval *intervals, size_t n)
{
	if (n) {
		cover->intervals =
		    mem_grow(cover->intervals, &cover->capacity, cover->n + n, sizeof *intervals);
		memcpy(cover->intervals + cover->n, intervals, n * sizeof *intervals);
		cover->n += n;
	}
}

static void
make_covers(struct cutting *cutting, const struct io_groups *groups)
{
	unsigned n = cutting->n_classes;
	MEM_NEW(cutting->covers, (size_t)n * 2);
	for (size_t i = 0; i < groups->n; i++) {
		const struct io_group *group = &groups->groups[i];
		cover_add(&cutting->covers[group->class], group->busy, group->n_busy);
	}
	for (unsigned c = 0; c < n; c++) {
		struct class_cover *cover = &cutting->covers[c];
		cover->n = intervals_union(cover->intervals, cover->n);
	}
	for (unsigned c = 0; c < n; c++) {
		struct class_cover *others = &cutting->covers[n + c];
		for (unsigned other = 0; other < n; other++) {
			const struct class_cover *cover = &cutting->covers[other];
			if (other != c) {
				cover_add(others, cover->intervals, cover->n);
			}
		}
		others->n = intervals_union(others->intervals, others->n);
	}
}

/* Busy times of a stream while other classes are in flight: its union cut by theirs. */
static void
measure_busy(const struct cutting *cutting, struct io_stream *stream, const struct io_group *group)
{
	unsigned n = cutting->n_classes;
	stream->all.busy_ns = intervals_length(group->busy, group->n_busy);
	for (unsigned c = 0; c <= n; c++) {
		const struct class_cover *cover = &cutting->covers[c < n ? c : n + stream->class];
		int64_t without = intervals_length_without(group->busy, group->n_busy,
		                                           cover->intervals, cover->n);
		stream->with[c].busy_ns = c < n ? stream->all.busy_ns - without : without;
	}
}

static void
make_streams(struct cutting *cutting, const struct io_groups *groups)
{
	struct io_streams *streams = cutting->streams;
	unsigned n = cutting->n_classes;
	streams->n_classes = n;
	MEM_NEW(streams->streams, groups->n);
	for (size_t i = 0; i < groups->n && streams->n < STREAMS_MAX; i++) {
		const struct io_group *group = &groups->groups[i];
		if (group->size_bytes <= 0 || group->operation == TEXT_NONE) {
			continue;
		}
		struct io_stream *stream = &streams->streams[streams->n++];
		*stream = (struct io_stream){
		    .operation = group->operation,
		    .class = group->class,
		    .calls = group->n,
		    .all = {0, group->duration_ns, group->size_bytes},
		    .with = xcalloc((size_t)n + 1, sizeof *stream->with),
		};
		measure_busy(cutting, stream, group);
		cutting->stream_of[(size_t)group->operation * n + group->class] =
		    (uint16_t)streams->n;
	}
}

static void
join_thread(struct cutting *cutting, unsigned thread)
{
	struct io_streams *streams = cutting->streams;
	size_t n = cutting->n_classes + 1u;
	for (size_t i = 0; i < streams->n * n; i++) {
		const struct io_state *from = &cutting->threads[thread].states[i];
		struct io_state *to = &streams->streams[i / n].with[i % n];
		time_raise(&to->time_ns, from->time_ns);
		time_raise(&to->size_bytes, from->size_bytes);
	}
}

static int
cut_rows(struct cutting *cutting, const char *filter, struct err *err)
{
	struct io_loop loop = {cutting->run, filter, cutting, cut_row};
	unsigned n_threads = io_threads(cutting->run);
	size_t n_states = cutting->streams->n * (cutting->n_classes + 1u);
	MEM_NEW(cutting->threads, n_threads);
	for (unsigned t = 0; t < n_threads; t++) {
		size_t n_texts = cutting->run->dataset->n_texts;
		cutting->threads[t].class_of = xcalloc(n_texts, 1);
		cutting->threads[t].at = xcalloc((size_t)cutting->n_classes * 2, sizeof(size_t));
		cutting->threads[t].states = xcalloc(n_states, sizeof(struct io_state));
	}
	int rc = io_loop_run(&loop, err);
	for (unsigned t = 0; t < n_threads; t++) {
		join_thread(cutting, t);
		free(cutting->threads[t].class_of);
		free(cutting->threads[t].at);
		free(cutting->threads[t].states);
	}
	free(cutting->threads);
	return rc;
}

int
io_streams_read(const struct io_run *run, const char *filter, const struct path_classes *classes,
                struct io_streams *streams, struct err *err)
{
	struct io_request request = {filter, IO_OPERATION | IO_CLASS, 0, classes, true};
	struct io_groups groups;
	struct cutting cutting = {.run = run,
	                          .classes = classes,
	                          .streams = streams,
	                          .n_classes = io_classes_count(classes)};
	*streams = (struct io_streams){.n = 0};
	if (io_groups_read(run, &request, &groups, err)) {
		return -1;
	}
	MEM_NEW(cutting.stream_of, ((size_t)run->dataset->n_texts + 1) * cutting.n_classes);
	make_covers(&cutting, &groups);
	make_streams(&cutting, &groups);
	int rc = cut_rows(&cutting, filter, err);
	for (unsigned c = 0; c < cutting.n_classes * 2; c++) {
		free(cutting.covers[c].intervals);
	}
	free(cutting.covers);
	free(cutting.stream_of);
	io_groups_fini(&groups);
	if (rc) {
		io_streams_fini(streams);
	}
	return rc;
}

void
io_streams_fini(struct io_streams *streams)
{
	for (size_t i = 0; i < streams->n; i++) {
		free(streams->streams[i].with);
	}
	free(streams->streams);
	*streams = (struct io_streams){.n = 0};
}
