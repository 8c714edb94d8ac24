/*
 * From the lists of threads to gaps: each cell is walked in order of start, as far as all of its
 * spans are known, and what was walked over is forgotten but for its end. So the lists hold what a
 * batch of blocks has, and what of it reaches beyond the beginning of the next block; their memory
 * is used for the next batch.
 *
 * A cell's spans stand in as many lists as there are threads, block by block in turns. So they are
 * not merged: that list whose next interval starts first is walked until another one's starts.
 */
#include "config.h"
#include "column/ops/gaps_private.h"

#include <stdlib.h>
#include <string.h>

#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/workers.h"

/* The walk whose next interval starts first, and until when it does: another one's is next, or
 * nothing is known; NULL: there is none. */
static struct cell_walk *
find_first(struct cell_walk *walks, unsigned n, int64_t *until_ns)
{
	struct cell_walk *first = NULL;

	for (unsigned i = 0; i < n; i++) {
		struct cell_walk *walk = &walks[i];
		if (walk->next == walk->end) {
			continue;
		}
		if (!first || walk->next->start < first->next->start) {
			*until_ns = first ? LEAST(first->next->start, *until_ns) : *until_ns;
			first = walk;
		} else {
			*until_ns = LEAST(walk->next->start, *until_ns);
		}
	}
	return first;
}

static void
walk_cell(const struct finding *finding, struct cell_walk *walks, unsigned n, uint32_t cell,
          int64_t known_ns, unsigned thread)
{
	struct lane_gaps *sums = &finding->lanes[cell];
	int64_t until_ns = known_ns, end_ns;
	struct cell_walk *first = find_first(walks, n, &until_ns);

	if (first && !finding->has_begun[cell] && first->next->start <= known_ns) {
		finding->has_begun[cell] = true;
		sums->start_ns = sums->end_ns = first->next->start;
	}
	end_ns = sums->end_ns;
	while (first && first->next->start <= known_ns) {
		const struct interval *next = first->next, *end = first->end;
		for (; next < end && next->start <= until_ns; next++) {
			if (next->start > end_ns) {
				gaps_add(finding, sums, cell, end_ns, next->start, thread);
			}
			end_ns = MOST(next->end, end_ns);
		}
		first->next = next;
		until_ns = known_ns;
		first = find_first(walks, n, &until_ns);
	}
	sums->end_ns = end_ns;
}

static int
sweep_cell(void *user, size_t item, unsigned thread, struct err *err)
{
	struct finding *finding = user;
	unsigned n_threads = finding->scan.n_threads, n = 0;
	struct cell_walk *walks = finding->walks + (size_t)thread * n_threads;
	uint32_t cell = finding->swept[item];
	int64_t known_ns = finding->was_read
	                       ? INT64_MAX
	                       : block_order_known(&finding->order, finding->n_read, cell);

	(void)err;
	for (unsigned t = 0; t < n_threads; t++) {
		struct interval_list *list = gaps_list(&finding->threads[t], cell);
		if (list) {
			struct intervals all = interval_list_merge(list);
			walks[n++] = (struct cell_walk){list, all.all, all.all + all.n};
		}
	}
	walk_cell(finding, walks, n, cell, known_ns, thread);
	for (unsigned i = 0; i < n; i++) {
		struct interval_list *list = walks[i].list;
		finding->lanes[cell].n_spans += list->n_spans;
		interval_list_shift(list, (size_t)(walks[i].next - list->intervals));
	}
	return 0;
}

int
gaps_sweep(struct finding *finding, struct err *err)
{
	int status = workers_run(finding->scan.n_threads, gaps_lists_cells(finding), sweep_cell,
	                         finding, finding->request->cancel, err);

	gaps_lists_release(finding);
	return status;
}

int
gaps_read_in_order(struct finding *finding, struct err *err)
{
	struct block_loop *loop = &finding->scan.loop;
	int status = 0;

	finding->n_read = 0;
	loop->order = finding->order.blocks;
	while (finding->n_read < finding->order.n && status == 0) {
		size_t n_rows = finding->batch_rows;
		loop->first = finding->n_read;
		finding->n_read = block_order_batch(&finding->order, finding->n_read, &n_rows,
		                                    finding->scan.states, 1);
		loop->end = finding->n_read;
		status = span_scan_run(&finding->scan, err);
		status = status == 0 ? gaps_sweep(finding, err) : status;
	}
	loop->order = NULL;
	loop->first = 0;
	loop->end = SIZE_MAX;
	return status;
}
