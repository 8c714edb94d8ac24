/*
 * Three ways to a code:
 *   by code:    texts and lanes. A table from the run's code to ours, filled when a code is first
 *       met, read without locks.
 *   by range:   numbers of which the blocks' metadata say that they lie close together (depths,
 *       time buckets): code = value - lowest + 1.
 *   by value:   other numbers and arguments, by hash tables.
 * Codes depend on who came first, but results are sorted by value in the end, so nobody sees that.
 */
#include "config.h"
#include "column/scan/coder_private.h"

#include <stdlib.h>
#include "util/order.h"

#define RANGE_CODES 65536 /* at most so many codes by range */

uint32_t
coder_count(const struct coder *coder)
{
	return atomic_load_explicit(&((struct coder *)coder)->n_codes, memory_order_acquire);
}

struct divisor
coder_width(const struct coder *coder)
{
	return coder->width;
}

bool
coder_is_range(const struct coder *coder, int64_t *lowest)
{
	*lowest = coder->lowest;
	return coder->type == CODER_RANGE;
}

bool
coder_is_number(const struct coder *coder, uint32_t *field)
{
	*field = row_columns[coder->column].field;
	return coder->type == CODER_NUMBER && coder->width.by == 0 &&
	       coder->calls_slot == UINT32_MAX && !row_columns[coder->column].is_computed &&
	       row_columns[coder->column].class == ROW_CLASS_INTEGER;
}

struct scan_value
coder_shown(const struct coder *coder, struct scan_value value)
{
	if (coder->width.by && value.type == SCAN_INTEGER &&
	    __builtin_mul_overflow(value.integer, coder->width.by, &value.integer)) {
		value.integer = INT64_MIN; /* the bucket begins before time does */
	}
	return value;
}

struct scan_value
coder_value(const struct coder *coder, unsigned part, uint32_t code)
{
	struct scan_value value = {.type = SCAN_NULL};
	if (coder->type == CODER_RANGE) {
		value.type = code ? SCAN_INTEGER : SCAN_NULL;
		value.integer = code ? coder->lowest + (int64_t)code - 1 : 0;
	} else {
		value = coder->values[(size_t)code * coder->n_specs + part];
	}
	return coder_shown(coder, value);
}

void
coder_prefetch(const struct coder *coder, uint32_t code)
{
	if (coder->type != CODER_RANGE) {
		__builtin_prefetch(&coder->values[(size_t)code * coder->n_specs]);
	}
}

/* Bounds of a column's numbers over all blocks, from their metadata. False: not known. */
static bool
number_bounds(const struct dataset *dataset, enum block_kind kind, const struct coder *coder,
              int64_t *min, int64_t *max)
{
	bool is_time = coder->specs[0]->dimension == ROW_TIME;
	*min = INT64_MAX;
	*max = INT64_MIN;
	for (size_t i = 0; i < dataset->n_blocks[kind]; i++) {
		struct row_range range =
		    row_column_range(is_time ? ROW_END : coder->column, &dataset->blocks[kind][i]);
		if (range.type == RANGE_UNKNOWN) {
			return false;
		}
		if (range.type == RANGE_KNOWN) {
			*min = LEAST(range.min, *min);
			*max = MOST(range.max, *max);
		}
	}
	return true;
}

/* By range where the numbers lie close together. */
static void
choose_range(struct coder *coder, const struct dataset *dataset, enum block_kind kind)
{
	int64_t min, max;
	if (!number_bounds(dataset, kind, coder, &min, &max) || min > max) {
		return;
	}
	if (coder->width.by) {
		min = divide_floor(coder->width, min);
		max = divide_floor(coder->width, MOST(max, coder->first_ns));
	}
	if ((uint64_t)max - (uint64_t)min < RANGE_CODES - 2) {
		coder->type = CODER_RANGE;
		coder->lowest = min;
		atomic_init(&coder->n_codes, (uint32_t)(max - min) + 2);
	}
}

static enum coder_type
type_of(enum row_column column)
{
	switch (row_columns[column].class) {
	case ROW_CLASS_TEXT:
		return CODER_TEXT;
	case ROW_CLASS_LANE:
		return CODER_LANE;
	case ROW_CLASS_ARG:
		return CODER_ARG;
	default:
		return CODER_NUMBER;
	}
}

static bool
is_of_path(enum row_column column)
{
	return row_columns[column].field == FIELD_PATH;
}

/* May both dimensions be parts of one coder? */
static bool
go_together(enum row_column a, enum row_column b)
{
	enum coder_type type = type_of(a);
	return type == type_of(b) && (type == CODER_LANE || (is_of_path(a) && is_of_path(b)));
}

static struct coder *
coder_new(const struct dataset *dataset, const struct dimension_spec *spec, uint32_t limit)
{
	struct coder *coder = xcalloc(1, sizeof *coder);
	coder->type = type_of(spec->column);
	coder->dataset = dataset;
	coder->column = spec->column;
	coder->width = spec->width_ns ? divisor_of(spec->width_ns) : (struct divisor){0};
	coder->first_ns = dataset->scope.has_range ? dataset->scope.start_ns : INT64_MIN;
	coder->limit = limit;
	coder->tuples = intern_new();
	coder->arena = arena_new();
	pthread_mutex_init(&coder->lock, NULL);
	return coder;
}

static void
coder_begin(struct coder *coder, const struct dataset *dataset, enum block_kind kind,
            struct block_fields *fields)
{
	if (coder->type == CODER_ARG) {
		if (coder->specs[0]->key != UINT32_MAX) {
			row_arg_bind(coder->specs[0]->key, fields, &coder->arg_slots);
		}
		return;
	}
	row_column_bind(coder->column, fields, &coder->slots);
	coder->calls_slot = row_columns[coder->column].is_of_calls && dataset_has_calls(dataset)
	                        ? block_fields_add(fields, FIELD_CALLS)
	                        : UINT32_MAX;
	if (coder->type == CODER_NUMBER) {
		choose_range(coder, dataset, kind);
		return;
	}
	coder->n_by_code = (coder->type == CODER_LANE ? dataset->n_lanes : dataset->n_texts) + 1;
	MEM_NEW(coder->by_code, coder->n_by_code);
	coder->is_identity = coder->n_specs == 1 && coder->type == CODER_TEXT &&
	                     !row_columns[coder->column].is_computed;
}

void
coder_set_init(struct coder_set *set, const struct dataset *dataset, enum block_kind kind,
               const struct dimension_list *list, uint32_t limit, struct block_fields *fields)
{
	set->n = 0;
	set->time = -1;
	for (unsigned i = 0; i < list->n; i++) {
		const struct dimension_spec *spec = &list->specs[i];
		unsigned c = 0;
		while (c < set->n && !go_together(set->coders[c]->column, spec->column)) {
			c++;
		}
		if (c == set->n) {
			set->coders[set->n++] = coder_new(dataset, spec, limit);
		}
		struct coder *coder = set->coders[c];
		set->places[i].coder = c;
		set->places[i].part = coder->n_specs;
		coder->specs[coder->n_specs++] = spec;
		if (spec->dimension == ROW_TIME) {
			set->time = (int)c;
		}
	}
	for (unsigned c = 0; c < set->n; c++) {
		coder_begin(set->coders[c], dataset, kind, fields);
	}
}

void
coder_set_alias_names(struct coder_set *set, const uint32_t *aliases)
{
	for (unsigned c = 0; c < set->n; c++) {
		if (set->coders[c]->column == ROW_NAME) {
			set->coders[c]->aliases = aliases;
		}
	}
}

void
coder_set_bound(struct coder_set *set, const struct value_bounds *bounds)
{
	for (unsigned c = 0; c < set->n; c++) {
		struct coder *coder = set->coders[c];
		for (unsigned part = 0; part < coder->n_specs; part++) {
			unsigned i = 0;
			while (set->places[i].coder != c || set->places[i].part != part) {
				i++;
			}
			coder->bounds[part] = &bounds[i];
			coder->is_bounded |= bounds[i].has_from || bounds[i].has_to;
		}
	}
}

void
coder_carry(struct coder *coder, int64_t from_ns)
{
	coder->first_ns = MOST(coder->first_ns, from_ns - 1);
	coder->upper = *coder->bounds[0];
	coder->upper.has_from = false;
	coder->bounds[0] = &coder->upper;
}

uint64_t
coder_table_bytes(const struct coder *coder, unsigned n_threads)
{
	const struct dataset *dataset = coder->dataset;
	uint64_t largest = 0;

	for (uint32_t i = 0; coder->by_code && i < dataset->n_sources; i++) {
		const struct dataset_source *source = &dataset->sources[i];
		uint64_t n = coder->type == CODER_LANE ? source->n_lanes : source->n_texts;
		largest = MOST(n, largest);
	}
	return (coder->n_by_code + largest * n_threads) * (uint64_t)sizeof(uint32_t);
}

bool
coder_is_bounded(const struct coder *coder)
{
	return coder->is_bounded;
}

bool
coder_set_fits_totals(const struct coder_set *set)
{
	for (unsigned c = 0; c < set->n; c++) {
		const struct coder *coder = set->coders[c];
		if (coder->type != CODER_LANE && coder->column != ROW_NAME &&
		    coder->column != ROW_CATEGORY) {
			return false;
		}
	}
	return true;
}

void
coder_set_free(struct coder_set *set)
{
	for (unsigned c = 0; c < set->n; c++) {
		struct coder *coder = set->coders[c];
		pthread_mutex_destroy(&coder->lock);
		intern_free(coder->tuples);
		free(coder->tuple_codes);
		free(coder->numbers.entries);
		arena_free(coder->arena);
		free((void *)coder->by_code);
		free(coder->values);
		free(coder);
	}
	set->n = 0;
}
