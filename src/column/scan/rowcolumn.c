/*
 * One table says which columns there are; everything that lists, finds or reads them goes through
 * it. Blocks may be damaged or hostile: a column whose type is not what its field demands counts as
 * missing, and computed values saturate.
 */
#include "config.h"
#include "column/scan/rowcolumn.h"

#include "column/scan/token.h"
#include "util/intervals.h"

enum {
	SPANS = 1 << BLOCK_SPAN,
	EVENTS = 1 << BLOCK_EVENT,
	COUNTERS = 1 << BLOCK_COUNTER,
	ALL = SPANS | EVENTS | COUNTERS
};

static const struct {
	const char *name, *synonym;
	enum row_class class;
	unsigned kinds;
	uint32_t field;
} columns[ROW_COLUMNS] = {
    [ROW_ID] = {"id", NULL, ROW_CLASS_INTEGER, ALL, 0},
    [ROW_NAME] = {"name", NULL, ROW_CLASS_TEXT, ALL, FIELD_NAME},
    [ROW_CATEGORY] = {"category", NULL, ROW_CLASS_TEXT, SPANS | EVENTS, FIELD_CATEGORY},
    [ROW_PATH] = {"path", NULL, ROW_CLASS_TEXT, SPANS, FIELD_PATH},
    [ROW_BASENAME] = {"basename", NULL, ROW_CLASS_TEXT, SPANS, FIELD_PATH},
    [ROW_DIRNAME] = {"dirname", NULL, ROW_CLASS_TEXT, SPANS, FIELD_PATH},
    [ROW_PATH_CLASS] = {"class", NULL, ROW_CLASS_TEXT, SPANS, FIELD_PATH},
    [ROW_SIZE] = {"size", NULL, ROW_CLASS_INTEGER, SPANS, FIELD_SIZE},
    [ROW_DURATION] = {"duration", "dur", ROW_CLASS_INTEGER, SPANS, FIELD_DURATION},
    [ROW_SELF] = {"self", NULL, ROW_CLASS_INTEGER, SPANS, FIELD_DURATION},
    [ROW_START] = {"start", "time", ROW_CLASS_INTEGER, ALL, FIELD_START},
    [ROW_END] = {"end", "finish", ROW_CLASS_INTEGER, SPANS, FIELD_DURATION},
    [ROW_DEPTH] = {"depth", NULL, ROW_CLASS_INTEGER, SPANS, FIELD_DEPTH},
    [ROW_CALLS] = {"calls", NULL, ROW_CLASS_INTEGER, SPANS, FIELD_CALLS},
    [ROW_CALL_SUM] = {"call_sum", NULL, ROW_CLASS_INTEGER, SPANS, FIELD_CALL_SUM},
    [ROW_CALL_MIN] = {"call_min", NULL, ROW_CLASS_INTEGER, SPANS, FIELD_CALL_MIN},
    [ROW_CALL_MAX] = {"call_max", NULL, ROW_CLASS_INTEGER, SPANS, FIELD_CALL_MAX},
    [ROW_SIZE_MIN] = {"size_min", NULL, ROW_CLASS_INTEGER, SPANS, FIELD_SIZE_MIN},
    [ROW_SIZE_MAX] = {"size_max", NULL, ROW_CLASS_INTEGER, SPANS, FIELD_SIZE_MAX},
    [ROW_UNFINISHED] = {"unfinished", NULL, ROW_CLASS_INTEGER, SPANS, FIELD_UNFINISHED},
    [ROW_PARENT] = {"parent", NULL, ROW_CLASS_INTEGER, SPANS, FIELD_PARENT},
    [ROW_VALUE] = {"value", NULL, ROW_CLASS_REAL, COUNTERS, FIELD_VALUE},
    [ROW_LANE] = {"lane", NULL, ROW_CLASS_LANE, ALL, FIELD_LANE},
    [ROW_LANE_NAME] = {"lane_name", NULL, ROW_CLASS_LANE, ALL, FIELD_LANE},
    [ROW_HOST] = {"host", NULL, ROW_CLASS_LANE, ALL, FIELD_LANE},
    [ROW_PROCESS] = {"process", NULL, ROW_CLASS_LANE, ALL, FIELD_LANE},
    [ROW_THREAD] = {"thread", NULL, ROW_CLASS_LANE, ALL, FIELD_LANE},
    [ROW_KIND] = {"kind", NULL, ROW_CLASS_LANE, ALL, FIELD_LANE},
    [ROW_ARG] = {"arg.KEY", NULL, ROW_CLASS_ARG, ALL, FIELD_ARG},
};

const char *
row_column_name(enum row_column column)
{
	return columns[column].name;
}

enum row_class
row_column_class(enum row_column column)
{
	return columns[column].class;
}

bool
row_column_in(enum row_column column, enum block_kind kind)
{
	return columns[column].kinds >> kind & 1;
}

bool
row_column_find(struct slice name, enum block_kind kind, enum row_column *column)
{
	for (int i = 0; i < ROW_ARG; i++) {
		const char *synonym = columns[i].synonym;
		if (row_column_in((enum row_column)i, kind) &&
		    (slice_is_anycase(name, columns[i].name) ||
		     (synonym && slice_is_anycase(name, synonym)))) {
			*column = (enum row_column)i;
			return true;
		}
	}
	return false;
}

void
row_column_list(enum block_kind kind, struct strbuf *out)
{
	const char *separator = "";
	for (int i = 0; i < ROW_COLUMNS; i++) {
		if (row_column_in((enum row_column)i, kind)) {
			strbuf_printf(out, "%s%s", separator, columns[i].name);
			separator = ", ";
		}
	}
}

void
row_column_bind(enum row_column column, struct block_fields *fields, struct row_slots *slots)
{
	*slots = (struct row_slots){0, 0};
	if (columns[column].field) {
		slots->field = block_fields_add(fields, columns[column].field);
	}
	if (column == ROW_SELF) {
		slots->covered = block_fields_add(fields, FIELD_COVERED);
	} else if (column == ROW_END) {
		slots->covered = block_fields_add(fields, FIELD_START);
	}
}

/* time_add and time_sub of util/intervals.h, for inner loops. */
static inline int64_t
saturating_add(int64_t a, int64_t b)
{
	int64_t sum;
	return __builtin_add_overflow(a, b, &sum) ? (a < 0 ? INT64_MIN : INT64_MAX) : sum;
}

static inline int64_t
saturating_sub(int64_t a, int64_t b)
{
	int64_t difference;
	return __builtin_sub_overflow(a, b, &difference) ? (a < 0 ? INT64_MIN : INT64_MAX)
	                                                 : difference;
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
		scratch[i] = saturating_sub(duration.values[i], covered.values[i]);
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
		scratch[i] = saturating_add(start.values[i], duration.values[i]);
	}
	return (struct row_integers){scratch, start.presence, start.n_present};
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
	case ROW_DEPTH:
	case ROW_CALLS:
		return read_with_default(block_view_column(view, slots->field), view,
		                         column == ROW_CALLS, scratch);
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
		return read_plain(block_view_column(view, slots->field),
		                  column == ROW_VALUE ? COLUMN_REAL : COLUMN_INTEGER);
	}
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
