/*
 * Groups of rows whose dimensions are all columns of few values in a block: the combination of
 * their indices leads to the group through a small table of the block's, which is filled as
 * combinations are met. Codes and the group table are left for those.
 */
#include "config.h"
#include "column/ops/sums_private.h"

#include "column/scan/coder.h"

/* Numbers of combinations; false: too many. */
static bool
combine(struct sums_thread *thread, const struct few_values *columns, unsigned n)
{
	uint32_t step = columns[0].n_values + 1;
	uint16_t *indices = thread->small_indices;
	for (uint32_t i = 0; i < CHUNK_ROWS; i++) {
		indices[i] = columns[0].indices[i];
	}
	for (unsigned c = 1; c < n; c++) {
		uint16_t by = (uint16_t)step;
		step *= columns[c].n_values + 1;
		if (step > SMALL_GROUPS) {
			return false;
		}
		for (uint32_t i = 0; i < CHUNK_ROWS; i++) {
			indices[i] = (uint16_t)(indices[i] + by * columns[c].indices[i]);
		}
	}
	return true;
}

/* The group of a combination met for the first time. */
static int
add_combination(struct sums_thread *thread, struct block_view *view,
                const struct group_table *known, const struct few_values *columns,
                uint32_t combination, struct err *err)
{
	uint32_t tuple[SCAN_DIMENSIONS], left = combination, group;
	for (unsigned c = 0; c < thread->plan->coders.n; c++) {
		uint32_t n = columns[c].n_values + 1;
		if (coder_small_code(thread->coder_states[c], view, &columns[c], left % n,
		                     &tuple[c], err) < 0) {
			return -1;
		}
		left /= n;
	}
	if (known) {
		group = group_table_find(known, tuple);
	} else if (sums_thread_group(thread, tuple, &group, err)) {
		return -1;
	}
	thread->small_groups[combination] = group + 1;
	return 0;
}

/* Groups of the rows by bytes or, if NULL, by thread->small_indices. GROUP_NONE where a group is
 * not known yet; false if there are such. */
static inline __attribute__((always_inline)) bool
look_up(struct sums_thread *thread, const uint16_t *rows, const uint8_t *bytes)
{
	const uint32_t *known = thread->small_groups;
	const uint16_t *indices = thread->small_indices;
	uint32_t *groups = thread->groups, unknown = 0;
	for (uint32_t i = 0; i < thread->n_rows; i++) {
		uint32_t row = rows ? rows[i] : i;
		groups[row] = known[bytes ? bytes[row] : indices[row]] - 1;
		unknown |= groups[row] == GROUP_NONE;
	}
	return !unknown;
}

static bool
look_up_rows(struct sums_thread *thread, const struct few_values *columns, unsigned n)
{
	if (n == 1) {
		const uint8_t *bytes = columns[0].indices;
		return thread->rows ? look_up(thread, thread->rows, bytes)
		                    : look_up(thread, NULL, bytes);
	}
	return thread->rows ? look_up(thread, thread->rows, NULL) : look_up(thread, NULL, NULL);
}

int
sums_small_groups(struct sums_thread *thread, struct block_view *view,
                  const struct group_table *known, struct err *err)
{
	const struct group_table *table = known ? known : &thread->table;
	struct few_values columns[SCAN_DIMENSIONS];
	unsigned n = thread->plan->coders.n;
	for (unsigned c = 0; c < n; c++) {
		if (!coder_small(thread->coder_states[c], view, &columns[c])) {
			return 0;
		}
	}
	if (n > 1 && !combine(thread, columns, n)) {
		return 0;
	}
	if (thread->small_block != view->info || thread->small_table != table) {
		memset(thread->small_groups, 0, sizeof thread->small_groups);
		thread->small_block = view->info;
		thread->small_table = table;
	}
	if (look_up_rows(thread, columns, n)) {
		return 1;
	}
	for (uint32_t i = 0; i < thread->n_rows; i++) {
		uint32_t row = thread->rows ? thread->rows[i] : i;
		uint32_t combination = n > 1 ? thread->small_indices[row] : columns[0].indices[row];
		if (!thread->small_groups[combination] &&
		    add_combination(thread, view, known, columns, combination, err)) {
			return -1;
		}
		thread->groups[row] = thread->small_groups[combination] - 1;
	}
	return 1;
}
