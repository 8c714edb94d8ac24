/*
 * Dependencies between spans name them by the order in which the importer met them; their ids
 * follow from the blocks they went to. There may be as many dependencies as spans, and the order
 * may lie in a file, so they are looked up some ten thousand at a time: sorted, and merged with
 * each block's rows.
 */
#include "config.h"
#include "ingest/run.h"

#include <stdio.h>
#include <stdlib.h>

#include "util/mem.h"
#include "util/order.h"

#define BATCH 65536u

struct wanted {
	uint64_t ordinal;
	int64_t *id;
};

struct link {
	bool is_span;
	int64_t from, to; /* ids; 0: not found */
	uint32_t name;
};

struct linking {
	struct run *run;
	struct source *source;
	struct link *links;
	struct wanted *wanted;
	uint64_t *ordinals; /* of one block */
	uint32_t n_links, n_wanted;
	uint64_t n_lost; /* of this source */
};

static int
compare_wanted(const void *a, const void *b)
{
	const struct wanted *left = a, *right = b;
	return ORDER(left->ordinal, right->ordinal);
}

/* Index of the first one wanted whose ordinal is at least `ordinal`. */
static uint32_t
first_wanted(const struct linking *linking, uint64_t ordinal)
{
	uint32_t low = 0;

	ORDER_FIND(low, linking->n_wanted, middle, linking->wanted[middle].ordinal < ordinal);
	return low;
}

/* A block whose rows are ordinals in a row. */
static void
look_in_range(struct linking *linking, const struct kept_block *block)
{
	uint32_t at = first_wanted(linking, block->first_ordinal);

	for (; at < linking->n_wanted; at++) {
		uint64_t row = linking->wanted[at].ordinal - block->first_ordinal;
		if (row >= block->info.n_rows) {
			break;
		}
		*linking->wanted[at].id = block->info.first_id + (int64_t)row;
	}
}

/* A block whose rows' ordinals are listed, ascending. */
static int
look_in_list(struct linking *linking, const struct kept_block *block, struct err *err)
{
	uint64_t *ordinals = linking->ordinals;
	uint32_t n = block->info.n_rows;

	if (spill_read(linking->run->spill, &block->ordinals, 0, ordinals, n * sizeof *ordinals,
	               err)) {
		return -1;
	}
	uint32_t at = first_wanted(linking, ordinals[0]);
	for (uint32_t row = 0; row < n && at < linking->n_wanted;) {
		uint64_t ordinal = linking->wanted[at].ordinal;
		if (ordinals[row] < ordinal) {
			row++;
			continue;
		}
		if (ordinals[row] == ordinal) {
			*linking->wanted[at].id = block->info.first_id + row;
		}
		at++;
	}
	return 0;
}

static int
look_up_spans(struct linking *linking, struct err *err)
{
	const struct source *source = linking->source;

	SORT(linking->wanted, linking->n_wanted, compare_wanted);
	for (size_t b = 0; b < source->n_blocks[BLOCK_SPAN] && linking->n_wanted > 0; b++) {
		const struct kept_block *block = &source->blocks[BLOCK_SPAN][b];
		if (!block->has_ordinals) {
			look_in_range(linking, block);
		} else if (look_in_list(linking, block, err)) {
			return -1;
		}
	}
	return 0;
}

static int
write_batch(struct linking *linking, struct err *err)
{
	if (look_up_spans(linking, err)) {
		return -1;
	}
	for (uint32_t i = 0; i < linking->n_links; i++) {
		const struct link *link = &linking->links[i];
		if (link->from == 0 || link->to == 0) {
			linking->n_lost++;
		} else if (writer_dependency(linking->run->writer, link->is_span, link->from,
		                             link->to, link->name, err)) {
			return -1;
		}
	}
	linking->n_links = linking->n_wanted = 0;
	return cancel_requested(linking->run->options->cancel)
	           ? err_set(err, ERR_CANCELLED, "cancelled")
	           : 0;
}

static int64_t
task_id(const struct linking *linking, text_code key)
{
	return key == TEXT_NONE ? 0 : linking->run->task_ids[linking->source->text_map[key]];
}

static int
add_link(void *user, unsigned type, const void *fixed, struct slice extra, struct err *err)
{
	struct linking *linking = user;
	const struct dependency *dependency = fixed;
	struct link *link = &linking->links[linking->n_links++];

	(void)type;
	(void)extra;
	*link = (struct link){.is_span = dependency->type == DEPENDENCY_SPAN,
	                      .name = map_code(linking->source->text_map, dependency->name)};
	if (link->is_span) {
		linking->wanted[linking->n_wanted++] =
		    (struct wanted){dependency->from_span, &link->from};
		linking->wanted[linking->n_wanted++] =
		    (struct wanted){dependency->to_span, &link->to};
	} else {
		link->from = task_id(linking, dependency->from_key);
		link->to = task_id(linking, dependency->to_key);
	}
	return linking->n_links < BATCH ? 0 : write_batch(linking, err);
}

static int
report_lost(const struct linking *linking, struct err *err)
{
	char reason[128];
	struct problem problem = {.kind = PROBLEM_MISSING, .reason = reason};

	if (linking->n_lost == 0) {
		return 0;
	}
	snprintf(reason, sizeof reason,
	         "%llu dependencies were dropped: what they lead to is not in the trace",
	         (unsigned long long)linking->n_lost);
	linking->source->n_problems++;
	return writer_problem(linking->run->writer, linking->source->index, &problem, err);
}

int
run_write_dependencies(struct run *run, struct err *err)
{
	struct linking linking = {.run = run};
	struct spool_visitor visitor = {&linking, add_link};
	int result = 0;

	for (uint32_t i = 0; i < run->n_sources && result == 0; i++) {
		struct source *source = &run->sources[i];
		if (source->dependencies.n_records == 0) {
			continue;
		}
		if (!linking.links) {
			linking.links = xcalloc(BATCH, sizeof *linking.links);
			linking.wanted = xcalloc((size_t)BATCH * 2, sizeof *linking.wanted);
			linking.ordinals = xcalloc(BLOCK_ROWS, sizeof *linking.ordinals);
		}
		linking.source = source;
		linking.n_lost = 0;
		if (spool_each(&source->dependencies, &visitor, err) ||
		    write_batch(&linking, err) || report_lost(&linking, err)) {
			result = -1;
		}
	}
	free(linking.links);
	free(linking.wanted);
	free(linking.ordinals);
	return result;
}
