#include "config.h"
#include "column/scan/dataset.h"

#include <stdlib.h>

#include "util/order.h"

const struct column_info *
block_column(const struct block_info *block, uint32_t field)
{
	uint32_t low = 0;

	ORDER_FIND(low, block->n_columns, middle, block->columns[middle].field < field);
	return low < block->n_columns && block->columns[low].field == field ? &block->columns[low]
	                                                                    : NULL;
}

static uint32_t
remap_field(uint32_t field, const uint32_t *keys, uint32_t n_keys)
{
	uint32_t key = (field - FIELD_ARG) / ARG_TYPES;

	if (field < FIELD_ARG || key >= n_keys) {
		return field;
	}
	return field_arg(keys[key], (enum arg_type)((field - FIELD_ARG) % ARG_TYPES));
}

static int
compare_fields(const void *left, const void *right)
{
	const struct column_info *a = left, *b = right;
	return ORDER(a->field, b->field);
}

void
block_info_remap(struct block_info *info, const uint32_t *keys, uint32_t n_keys)
{
	for (uint32_t i = 0; i < info->n_columns; i++) {
		struct column_info *column = &info->columns[i];
		column->field = remap_field(column->field, keys, n_keys);
		column->same_as = remap_field(column->same_as, keys, n_keys);
	}
	SORT(info->columns, info->n_columns, compare_fields);
}

uint32_t
dataset_key(const struct dataset *dataset, struct slice name)
{
	for (uint32_t i = 0; i < dataset->n_keys; i++) {
		if (slice_equal(dataset->keys[i], name)) {
			return i;
		}
	}
	return UINT32_MAX;
}

struct slice
dataset_class_of(const struct dataset *dataset, struct slice path)
{
	return path_classes_name(dataset->classes, path_classes_find(dataset->classes, path));
}

void
dataset_fetched(const struct dataset *dataset)
{
	if (dataset->fetched) {
		dataset->fetched(dataset->user);
	}
}

int
dataset_each_total(const struct dataset *dataset, dataset_visit_total *visit, void *visitor,
                   struct err *err)
{
	const struct dataset_total *totals;
	size_t n;

	if (dataset->each_total) {
		return dataset->each_total(dataset->user, visit, visitor, err);
	}
	if (dataset->totals(dataset->user, false, &totals, &n, err)) {
		return -1;
	}
	for (size_t i = 0; i < n; i++) {
		visit(visitor, &totals[i]);
	}
	return 0;
}

bool
dataset_has_calls(const struct dataset *dataset)
{
	for (size_t i = 0; i < dataset->n_blocks[BLOCK_SPAN]; i++) {
		if (block_column(&dataset->blocks[BLOCK_SPAN][i], FIELD_CALLS)) {
			return true;
		}
	}
	return false;
}
