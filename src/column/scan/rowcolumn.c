/*
 * Blocks may be damaged or hostile: a column whose type is not what its field demands counts as
 * missing, and computed values saturate.
 */
#include "config.h"
#include "column/scan/rowcolumn.h"

#include "column/scan/pathname.h"
#include "util/intervals.h"
#include "util/order.h"

void
row_column_bind(enum row_column column, struct block_fields *fields, struct row_slots *slots)
{
	*slots = (struct row_slots){0, 0};
	if (row_columns[column].field) {
		slots->field = block_fields_add(fields, row_columns[column].field);
	}
	if (row_columns[column].other && row_columns[column].is_computed) {
		slots->covered = block_fields_add(fields, row_columns[column].other);
	}
}

static struct row_integers
read_plain(const struct chunk_column *column, enum column_type type)
{
	if (!column->info || column->info->type != type) {
		return (struct row_integers){NULL, NULL, 0};
	}
	return (struct row_integers){column->values, column->presence, column->n_present};
}

/* A column that has a value in every row: `missing` where none is recorded. */
static struct row_integers
read_with_default(const struct chunk_column *column, const struct block_view *view, int64_t missing,
                  int64_t *scratch)
{
	struct row_integers plain = read_plain(column, COLUMN_INTEGER);
	if (plain.n_present == view->n) {
		return plain;
	}
	for (uint32_t i = 0; i < view->n; i++) {
		bool is_present = plain.n_present && (plain.presence[i / 64] >> i % 64 & 1);
		scratch[i] = is_present ? plain.values[i] : missing;
	}
	return (struct row_integers){scratch, NULL, view->n};
}

static struct row_integers
read_self(const struct row_slots *slots, struct block_view *view, int64_t *scratch)
{
	struct row_integers duration =
	    read_plain(block_view_column(view, slots->field), COLUMN_INTEGER);
	struct row_integers covered =
	    read_plain(block_view_column(view, slots->covered), COLUMN_INTEGER);
	if (duration.n_present == 0 || covered.n_present == 0) {
		return duration;
	}
	for (uint32_t i = 0; i < view->n; i++) { /* absent rows are 0 */
		scratch[i] = time_sub(duration.values[i], covered.values[i]);
	}
	return (struct row_integers){scratch, duration.presence, duration.n_present};
}

static struct row_integers
read_end(const struct row_slots *slots, struct block_view *view, int64_t *scratch)
{
	struct row_integers duration =
	    read_plain(block_view_column(view, slots->field), COLUMN_INTEGER);
	struct row_integers start =
	    read_plain(block_view_column(view, slots->covered), COLUMN_INTEGER);
	if (start.n_present == 0 || duration.n_present == 0) {
		return start;
	}
	for (uint32_t i = 0; i < view->n; i++) {
		scratch[i] = time_add(start.values[i], duration.values[i]);
	}
	return (struct row_integers){scratch, start.presence, start.n_present};
}

static struct row_integers
read_inside(const struct row_slots *slots, struct block_view *view, int64_t *scratch)
{
	struct row_integers duration =
	    read_plain(block_view_column(view, slots->field), COLUMN_INTEGER);
	struct row_integers start =
	    read_plain(block_view_column(view, slots->covered), COLUMN_INTEGER);
	if (duration.n_present == 0 || start.n_present == 0 ||
	    !dataset_cuts(view->dataset, view->info)) {
		return duration;
	}
	for (uint32_t i = 0; i < view->n; i++) {
		scratch[i] = dataset_inside(view->dataset, start.values[i], duration.values[i]);
	}
	return (struct row_integers){scratch, duration.presence, duration.n_present};
}

struct row_integers
row_column_read(enum row_column column, const struct row_slots *slots, struct block_view *view,
                int64_t *scratch)
{
	int64_t first_id = view->info->first_id;
	switch (column) {
	case ROW_ID:
		for (uint32_t i = 0; i < view->n; i++) {
			scratch[i] = time_add(first_id, (int64_t)view->row + i);
		}
		return (struct row_integers){scratch, NULL, view->n};
	case ROW_SELF:
		return read_self(slots, view, scratch);
	case ROW_END:
		return read_end(slots, view, scratch);
	case ROW_INSIDE:
		return read_inside(slots, view, scratch);
	case ROW_PARENT: {
		struct row_integers delta =
		    read_plain(block_view_column(view, slots->field), COLUMN_INTEGER);
		for (uint32_t i = 0; delta.n_present && i < view->n; i++) {
			scratch[i] =
			    time_sub(time_add(first_id, (int64_t)view->row + i), delta.values[i]);
		}
		return (struct row_integers){scratch, delta.presence, delta.n_present};
	}
	default:
		break;
	}
	const struct row_column_info *info = &row_columns[column];
	const struct chunk_column *plain = block_view_column(view, slots->field);
	return info->has_default
	           ? read_with_default(plain, view, info->absent, scratch)
	           : read_plain(plain,
	                        info->class == ROW_CLASS_REAL ? COLUMN_REAL : COLUMN_INTEGER);
}

struct row_codes
row_codes_read(uint32_t slot, bool is_lane, struct block_view *view)
{
	const struct chunk_column *column = block_view_column(view, slot);
	enum column_type wanted = is_lane ? COLUMN_INTEGER : COLUMN_TEXT;
	if (!column->info || column->info->type != wanted || column->n_present == 0) {
		return (struct row_codes){.n_present = 0};
	}
	return (struct row_codes){column->values, column->presence,
	                          is_lane ? view->source->lanes : view->source->texts,
	                          column->n_present, column->info->min == column->info->max};
}

static struct scan_value
text_value(const struct dataset *dataset, uint32_t code)
{
	return code < dataset->n_texts ? scan_text(dataset->texts[code])
	                               : (struct scan_value){.type = SCAN_NULL};
}

static struct scan_value
ident_value(const struct dataset *dataset, const struct ident *ident)
{
	return ident->type == IDENT_INTEGER
	           ? (struct scan_value){.type = SCAN_INTEGER, .integer = ident->integer}
	           : text_value(dataset, ident->type == IDENT_TEXT ? ident->text : TEXT_NONE);
}

struct slice
row_text_of(const struct dataset *dataset, enum row_column column, struct slice text)
{
	switch (column) {
	case ROW_BASENAME:
		return path_basename(text);
	case ROW_DIRNAME:
		return path_dirname(text);
	case ROW_PATH_CLASS:
		return dataset_class_of(dataset, text);
	default:
		return text;
	}
}

struct scan_value
row_text_value(const struct dataset *dataset, enum row_column column, uint32_t code)
{
	struct scan_value value = text_value(dataset, code);

	if (value.type == SCAN_TEXT) {
		value.text = row_text_of(dataset, column, value.text);
	}
	return value;
}

struct scan_value
row_lane_value(const struct dataset *dataset, enum row_column column, uint32_t lane)
{
	if (lane >= dataset->n_lanes) {
		return (struct scan_value){.type = SCAN_NULL};
	}
	const struct lane *of = &dataset->lanes[lane];
	switch (column) {
	case ROW_LANE_NAME:
		return text_value(dataset, of->name);
	case ROW_HOST:
		return text_value(dataset, of->host);
	case ROW_PROCESS:
		return ident_value(dataset, &of->process);
	case ROW_THREAD:
		return ident_value(dataset, &of->thread);
	case ROW_KIND:
		return (struct scan_value){.type = SCAN_TEXT,
		                           .text = slice_of(lane_kind_name(of->kind))};
	default:
		return (struct scan_value){.type = SCAN_INTEGER, .integer = lane};
	}
}

struct row_range
row_column_range(enum row_column column, const struct block_info *block)
{
	const struct row_column_info *info = &row_columns[column];
	struct row_range range = {.type = RANGE_KNOWN};

	if (column == ROW_ID) {
		range.min = block->first_id;
		range.max = time_add(block->first_id, (int64_t)block->n_rows - 1);
		return range;
	}
	if (column == ROW_START || column == ROW_END) {
		range.min = block->start_min;
		range.max = column == ROW_END ? block->end_max : block->start_max;
		return range;
	}
	if (info->class != ROW_CLASS_INTEGER || info->is_computed) {
		return (struct row_range){.type = RANGE_UNKNOWN};
	}
	const struct column_info *stored = block_column(block, info->field);
	if (!stored && !info->has_default) {
		return (struct row_range){.type = RANGE_EMPTY};
	}
	range.min = stored ? stored->min : info->absent;
	range.max = stored ? stored->max : info->absent;
	range.has_missing = stored && stored->n_present < block->n_rows;
	if (range.has_missing && info->has_default) {
		range.min = LEAST(range.min, info->absent);
		range.max = MOST(range.max, info->absent);
		range.has_missing = false;
	}
	return range;
}

void
row_arg_bind(uint32_t key, struct block_fields *fields, struct row_arg_slots *slots)
{
	for (int type = 0; type < ARG_TYPES; type++) {
		slots->slots[type] = block_fields_add(fields, field_arg(key, (enum arg_type)type));
	}
}

enum row_arg_storage
row_arg_storage(enum arg_type type, const struct column_info *info)
{
	if (!info) {
		return ROW_ARG_NONE;
	}
	if (type == ARG_TEXT || type == ARG_JSON) {
		return info->type == COLUMN_TEXT         ? ROW_ARG_CODES
		       : info->type == COLUMN_LOCAL_TEXT ? ROW_ARG_LOCAL
		                                         : ROW_ARG_NONE;
	}
	if (type == ARG_REAL) {
		return info->type == COLUMN_REAL ? ROW_ARG_REALS : ROW_ARG_NONE;
	}
	return info->type == COLUMN_INTEGER ? ROW_ARG_INTEGERS : ROW_ARG_NONE;
}
