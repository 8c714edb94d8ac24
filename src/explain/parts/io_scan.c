/*
 * One pass over the spans of a run on all cores, and the groups that the I/O parts are made of.
 *
 * These are no saved queries: span_sums and span_busy could give most of the sums, but not classes
 * of paths that are given with the question, nor the union of all files of one pattern, nor the
 * first call of a group, nor a call cut where another class is busy; and by path and size they make
 * groups for every file times every size only to add most of them up again. Here a path's class is
 * decided once for each path, and a row goes straight to its group. Each thread has groups of its
 * own, found through an index; they are joined and put in the order of their codes, so that the
 * result does not depend on the threads.
 *
 * Busy times are unions: a group keeps its spans as a list that is merged whenever it is full, and
 * only grows if merging does not free half of it. Where merging frees little, it is left to the
 * end.
 */
#include "config.h"
#include "explain/parts/division.h"
#include "explain/parts/io.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "column/scan/filter.h"
#include "column/scan/row_read.h"
#include "util/index.h"
#include "util/intern.h"
#include "util/intervals.h"
#include "util/order.h"
#include "util/workers.h"

unsigned
io_threads(const struct io_run *run)
{
	return run->dataset->n_threads ? run->dataset->n_threads : workers_count();
}

struct io_pass {
	const struct io_loop *loop;
	struct filter *filter;
	struct filter_state **states; /* by thread */
	unsigned n_states;
	struct row_fields fields;
};

static int
scan_chunk(struct io_pass *pass, struct block_view *view, struct err *err)
{
	uint64_t matches[CHUNK_WORDS];
	struct row_chunk chunk;
	struct span_row row;
	if (filter_chunk(pass->states[view->thread], view, matches) == 0) {
		return 0;
	}
	row_chunk_read(&pass->fields, view, &chunk);
	for (uint32_t w = 0; w < CHUNK_WORDS; w++) {
		for (uint64_t left = matches[w]; left; left &= left - 1) {
			row_fill(view, &chunk, w * 64 + (uint32_t)__builtin_ctzll(left), &row);
			if (pass->loop->row(pass->loop->user, view->thread, &row, err)) {
				return -1;
			}
		}
	}
	return 0;
}

static int
scan_block(void *user, struct block_view *view, unsigned slot, struct err *err)
{
	(void)slot;
	while (block_view_next(view)) {
		if (scan_chunk(user, view, err)) {
			return -1;
		}
	}
	return 0;
}

int
io_loop_run(const struct io_loop *loop, struct err *err)
{
	static const struct scan_value parameters[SCAN_PARAMETERS];
	struct io_pass pass = {.loop = loop};
	struct block_fields fields = {0};
	struct block_loop blocks = {.dataset = loop->run->dataset,
	                            .kind = BLOCK_SPAN,
	                            .fields = &fields,
	                            .end = SIZE_MAX,
	                            .n_threads = io_threads(loop->run),
	                            .user = &pass,
	                            .n_filters = 1,
	                            .scan = scan_block,
	                            .cancel = loop->run->cancel};
	int rc = -1;
	pass.filter = filter_compile(loop->run->dataset, BLOCK_SPAN, loop->filter, parameters, err);
	if (!pass.filter) {
		goto out;
	}
	filter_bind(pass.filter, &fields);
	row_fields_add(&pass.fields, &fields,
	               UINT64_C(1) << FIELD_START | UINT64_C(1) << FIELD_DURATION |
	                   UINT64_C(1) << FIELD_LANE | UINT64_C(1) << FIELD_NAME |
	                   UINT64_C(1) << FIELD_PATH | UINT64_C(1) << FIELD_SIZE |
	                   UINT64_C(1) << FIELD_CALLS | UINT64_C(1) << FIELD_CALL_SUM);
	pass.n_states = block_loop_threads(&blocks);
	MEM_NEW(pass.states, pass.n_states);
	for (unsigned t = 0; t < pass.n_states; t++) {
		pass.states[t] = filter_state_new(pass.filter);
	}
	blocks.filters = pass.states;
	rc = block_loop_run(&blocks, err) ? -1 : 0;
out:
	for (unsigned t = 0; t < pass.n_states; t++) {
		filter_state_free(pass.states[t]);
	}
	free(pass.states);
	filter_free(pass.filter);
	block_fields_free(&fields);
	return rc;
}

/* What one thread has found. */
struct io_table {
	struct io_group *groups;
	size_t n, capacity;
	struct index by_key;
	uint8_t *class_of; /* by path's code, class + 1; 0 not decided yet */
	uint32_t last;     /* group used last */
};

struct io_gathering {
	const struct io_run *run;
	const struct io_request *request;
	struct io_table *tables;
	atomic_size_t busy_bytes, n_groups;
};

static bool
is_same(const struct io_group *a, const struct io_group *b)
{
	return a->operation == b->operation && a->path == b->path && a->class == b->class &&
	       a->size_class == b->size_class && a->process == b->process &&
	       a->thread == b->thread && a->lane == b->lane && a->host == b->host &&
	       a->window == b->window;
}

static uint64_t
hash_of(const struct io_group *key)
{
	uint64_t hash = hash_mix((uint64_t)key->operation << 32 | key->path);

	hash = hash_mix(hash ^ ((uint64_t)key->process << 32 | key->thread << 16 | key->class << 8 |
	                        key->size_class));
	return hash_mix(hash ^ ((uint64_t)key->lane << 32 | key->host) ^
	                hash_mix((uint64_t)key->window));
}

static inline void
add_sums(struct io_group *group, const struct io_group *other)
{
	time_raise(&group->n, other->n);
	time_raise(&group->duration_ns, other->duration_ns);
	time_raise(&group->size_bytes, other->size_bytes);
	time_raise(&group->n_sized, other->n_sized);
	group->start_ns = LEAST(other->start_ns, group->start_ns);
	group->end_ns = MOST(other->end_ns, group->end_ns);
	group->first_id = LEAST(other->first_id, group->first_id);
}

/* Adds a group of one row to the table's of the same key, and returns that; NULL: there are too
 * many. */
static struct io_group *
add_one(struct io_gathering *gathering, struct io_table *table, const struct io_group *one,
        struct err *err)
{
	uint32_t found = table->last;
	if (found >= table->n || !is_same(&table->groups[found], one)) {
		uint64_t hash = hash_of(one);
		INDEX_FIND(found, &table->by_key, hash, is_same(&table->groups[found], one));
		if (found == INDEX_NONE) {
			if (atomic_fetch_add_explicit(&gathering->n_groups, 1,
			                              memory_order_relaxed) >= IO_GROUP_LIMIT) {
				err_set(err, ERR_LIMIT,
				        "more than %u groups: filter more, or divide by less",
				        IO_GROUP_LIMIT);
				return NULL;
			}
			MEM_GROW(table->groups, table->capacity, table->n + 1);
			found = table->last = (uint32_t)table->n++;
			table->groups[found] = *one;
			index_add(&table->by_key, hash, found);
			return &table->groups[found];
		}
		table->last = found;
	}
	add_sums(&table->groups[found], one);
	return &table->groups[found];
}

static int
add_busy(struct io_gathering *gathering, struct io_group *group, int64_t start, int64_t end,
         struct err *err)
{
	struct interval *last = group->n_busy ? &group->busy[group->n_busy - 1] : NULL;
	if (last && start >= last->start && start <= last->end) {
		last->end = MOST(end, last->end);
		return 0;
	}
	if (group->n_busy == group->capacity) {
		size_t before = group->n_busy;
		if (!group->is_sparse) {
			group->n_busy = intervals_union(group->busy, before);
			group->is_sparse = before > 0 && group->n_busy > before / 4 * 3;
		}
		if (group->n_busy * 2 > group->capacity || group->capacity == 0) {
			size_t more = group->capacity ? group->capacity : 8;
			size_t bytes = more * sizeof *group->busy;
			if (atomic_fetch_add_explicit(&gathering->busy_bytes, bytes,
			                              memory_order_relaxed) +
			        bytes >
			    IO_BUSY_BYTES) {
				return err_set(err, ERR_LIMIT,
				               "too many separate spans: filter more");
			}
			MEM_GROW(group->busy, group->capacity, group->capacity + more);
		}
	}
	if (start < end) {
		group->busy[group->n_busy++] = (struct interval){start, end};
	}
	return 0;
}

static int
add_row(void *user, unsigned thread, const struct span_row *row, struct err *err)
{
	struct io_gathering *gathering = user;
	struct io_table *table = &gathering->tables[thread];
	const struct io_run *run = gathering->run;
	unsigned by = gathering->request->by;
	bool has_lane = row->lane != TEXT_NONE;
	int64_t end = time_add(row->start_ns, row->duration_ns);
	bool is_sized = row->size_bytes != SIZE_NONE;
	struct io_group one = {
	    .operation = by & IO_OPERATION ? row->name : TEXT_NONE,
	    .path = by & IO_FILE ? row->path : TEXT_NONE,
	    .class = by & IO_CLASS ? io_class_of(gathering->request->classes, run->dataset,
	                                         table->class_of, row->path)
	                           : 0,
	    .size_class = by & IO_SIZE ? io_size_class(row->size_bytes, row->calls) : 0,
	    .process = by & IO_PROCESS && has_lane ? run->process_of_lane[row->lane] : 0,
	    .thread = by & IO_THREAD && has_lane ? run->thread_of_lane[row->lane] : 0,
	    .lane = by & IO_LANE ? row->lane : TEXT_NONE,
	    .host = by & IO_HOST && has_lane ? run->dataset->lanes[row->lane].host : TEXT_NONE,
	    .window =
		by & IO_TIME ? division_window_at(row->start_ns, gathering->request->window_ns) : 0,
	    .n = row->calls,
	    .duration_ns = row->call_sum_ns,
	    .size_bytes = is_sized ? row->size_bytes : 0,
	    .n_sized = is_sized ? row->calls : 0,
	    .start_ns = row->start_ns,
	    .end_ns = end,
	    .first_id = row->id,
	};
	struct io_group *group = add_one(gathering, table, &one, err);
	if (!group) {
		return -1;
	}
	return gathering->request->keeps_busy ? add_busy(gathering, group, row->start_ns, end, err)
	                                      : 0;
}

static int
compare_groups(const void *left, const void *right)
{
	const struct io_group *a = left, *b = right;
	ORDER_BY(a->class, b->class);
	ORDER_BY(a->operation, b->operation);
	ORDER_BY(a->size_class, b->size_class);
	ORDER_BY(a->process, b->process);
	ORDER_BY(a->thread, b->thread);
	ORDER_BY(a->lane, b->lane);
	ORDER_BY(a->host, b->host);
	ORDER_BY(a->window, b->window);
	ORDER_BY(a->path, b->path);
	return ORDER(a->first_id, b->first_id);
}

void
io_group_join(struct io_group *group, struct io_group *other)
{
	add_sums(group, other);
	if (other->n_busy) {
		MEM_GROW(group->busy, group->capacity, group->n_busy + other->n_busy);
		memcpy(group->busy + group->n_busy, other->busy,
		       other->n_busy * sizeof *group->busy);
		group->n_busy += other->n_busy;
	}
	free(other->busy);
	other->busy = NULL;
}

static void
join_tables(struct io_gathering *gathering, unsigned n_tables, struct io_groups *groups)
{
	size_t total = 0, n = 0;
	for (unsigned t = 0; t < n_tables; t++) {
		total += gathering->tables[t].n;
	}
	struct io_group *all = xcalloc(total, sizeof *all);
	for (unsigned t = 0; t < n_tables; t++) {
		struct io_table *table = &gathering->tables[t];
		if (table->n) {
			memcpy(all + n, table->groups, table->n * sizeof *all);
		}
		n += table->n;
		table->n = 0;
	}
	SORT(all, total, compare_groups);
	n = 0;
	for (size_t i = 0; i < total; i++) {
		if (n && is_same(&all[n - 1], &all[i])) {
			io_group_join(&all[n - 1], &all[i]);
		} else {
			all[n++] = all[i];
		}
	}
	for (size_t i = 0; i < n; i++) {
		all[i].n_busy = intervals_union(all[i].busy, all[i].n_busy);
	}
	*groups = (struct io_groups){all, n};
}

int
io_groups_read(const struct io_run *run, const struct io_request *request, struct io_groups *groups,
               struct err *err)
{
	struct io_gathering gathering = {.run = run, .request = request};
	struct io_loop loop = {run, request->filter, &gathering, add_row};
	unsigned n = io_threads(run);
	MEM_NEW(gathering.tables, n);
	for (unsigned t = 0; t < n; t++) {
		gathering.tables[t].class_of = xcalloc(run->dataset->n_texts, 1);
	}
	int rc = io_loop_run(&loop, err);
	if (rc == 0) {
		join_tables(&gathering, n, groups);
	}
	for (unsigned t = 0; t < n; t++) {
		struct io_table *table = &gathering.tables[t];
		for (size_t i = 0; i < table->n; i++) {
			free(table->groups[i].busy);
		}
		free(table->groups);
		index_free(&table->by_key);
		free(table->class_of);
	}
	free(gathering.tables);
	return rc;
}

void
io_groups_fini(struct io_groups *groups)
{
	for (size_t i = 0; i < groups->n; i++) {
		free(groups->groups[i].busy);
	}
	free(groups->groups);
	*groups = (struct io_groups){NULL, 0};
}
