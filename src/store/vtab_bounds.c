/*
 * From the constraints of a WHERE clause to the bounds that a row cursor prunes by.
 *
 * SQLite checks every row again, so a bound may be wider than its constraint but never narrower;
 * where types make that hard (a number against text, several lanes of one name) there is no bound
 * at all.
 */
#include "config.h"
#include "store/vtab.h"

#include <math.h>

#include "util/order.h"

#define NOTHING (-2) /* row_bounds: no row matches */

struct bounding {
	const struct dataset *dataset;
	struct row_bounds bounds;
	bool is_empty; /* no row can match */
};

static int64_t
real_to_integer(double value)
{
	return value >= 0x1p63 ? INT64_MAX : value <= -0x1p63 ? INT64_MIN : (int64_t)value;
}

/* The integers that the constraint allows: [*low, *high], never too few. False: no bound. */
static bool
allowed_range(char letter, sqlite3_value *value, int64_t *low, int64_t *high)
{
	int64_t from, to;
	*low = INT64_MIN;
	*high = INT64_MAX;
	switch (sqlite3_value_type(value)) {
	case SQLITE_INTEGER:
		from = to = sqlite3_value_int64(value);
		break;
	case SQLITE_FLOAT: /* > 1.5 is >= 1 here; SQLite looks closer */
		from = real_to_integer(floor(sqlite3_value_double(value)));
		to = real_to_integer(ceil(sqlite3_value_double(value)));
		break;
	default:
		return false;
	}
	if (letter == '=' || letter == '>' || letter == 'G') {
		*low = from;
	}
	if (letter == '=' || letter == '<' || letter == 'L') {
		*high = to;
	}
	return true;
}

static void
raise_to(int64_t *bound, int64_t value)
{
	*bound = MOST(value, *bound);
}

static void
lower_to(int64_t *bound, int64_t value)
{
	*bound = LEAST(value, *bound);
}

static void
bound_number(struct bounding *bounding, enum row_column column, int64_t low, int64_t high)
{
	struct row_bounds *bounds = &bounding->bounds;
	switch (column) {
	case ROW_ID:
		raise_to(&bounds->id_min, low);
		lower_to(&bounds->id_max, high);
		break;
	case ROW_START:
		raise_to(&bounds->start_min, low);
		lower_to(&bounds->start_max, high);
		break;
	case ROW_END: /* what ends by `high` starts by then */
		raise_to(&bounds->end_min, low);
		lower_to(&bounds->start_max, high);
		break;
	case ROW_DURATION:
		raise_to(&bounds->duration_min, low);
		lower_to(&bounds->duration_max, high);
		break;
	default: /* lane = */
		if (low < 0 || low >= bounding->dataset->n_lanes ||
		    (bounds->lane >= 0 && bounds->lane != low)) {
			bounding->is_empty = true;
		}
		bounds->lane = low;
	}
}

/* The code of a text: NOTHING if no text is it, -1 if it should be there more than once. */
static int64_t
find_text(const struct dataset *dataset, struct slice text)
{
	int64_t found = NOTHING;
	for (uint32_t i = 0; i < dataset->n_texts; i++) {
		if (slice_equal(dataset->texts[i], text)) {
			if (found >= 0) {
				return -1;
			}
			found = i;
		}
	}
	return found;
}

/* A bound where exactly one lane, or none, has this name or host. */
static void
bound_lanes(struct bounding *bounding, enum row_column column, int64_t code)
{
	const struct dataset *dataset = bounding->dataset;
	int64_t found = NOTHING;
	for (uint32_t i = 0; i < dataset->n_lanes; i++) {
		const struct lane *lane = &dataset->lanes[i];
		if ((column == ROW_HOST ? lane->host : lane->name) == code) {
			if (found >= 0) {
				return;
			}
			found = i;
		}
	}
	if (found == NOTHING) {
		bounding->is_empty = true;
	} else {
		bound_number(bounding, ROW_LANE, found, found);
	}
}

static void
bound_text(struct bounding *bounding, enum row_column column, sqlite3_value *value)
{
	if (sqlite3_value_type(value) != SQLITE_TEXT) {
		return;
	}
	const char *ptr = (const char *)sqlite3_value_text(value);
	struct slice text = {ptr ? ptr : "", ptr ? (size_t)sqlite3_value_bytes(value) : 0};
	int64_t code = find_text(bounding->dataset, text);
	if (code == -1) {
		return;
	}
	if (code == NOTHING) {
		bounding->is_empty = true;
	} else if (column == ROW_NAME) {
		bounding->bounds.name = code;
	} else if (column == ROW_CATEGORY) {
		bounding->bounds.category = code;
	} else {
		bound_lanes(bounding, column, code);
	}
}

static void
bound(struct bounding *bounding, enum row_column column, char letter, sqlite3_value *value)
{
	int64_t low, high;
	if (sqlite3_value_type(value) == SQLITE_NULL) {
		bounding->is_empty = true; /* no comparison with NULL is true */
	} else if (column == ROW_NAME || column == ROW_CATEGORY || column == ROW_LANE_NAME ||
	           column == ROW_HOST) {
		bound_text(bounding, column, value);
	} else if (allowed_range(letter, value, &low, &high)) {
		bound_number(bounding, column, low, high);
	}
}

static enum row_column
column_at_place(int place)
{
	int column = 0;
	while (row_columns[column].place != place) {
		column++;
	}
	return (enum row_column)column;
}

bool
bounds_of_plan(const struct dataset *dataset, const char *plan, int argc, sqlite3_value **argv,
               struct row_bounds *bounds)
{
	struct bounding bounding = {.dataset = dataset};
	bounding.bounds = (struct row_bounds){
	    .id_min = INT64_MIN,
	    .id_max = INT64_MAX,
	    .start_min = INT64_MIN,
	    .start_max = INT64_MAX,
	    .end_min = INT64_MIN,
	    .duration_min = INT64_MIN,
	    .duration_max = INT64_MAX,
	    .lane = -1,
	    .name = -1,
	    .category = -1,
	};
	for (int i = 0; i < argc; i++) {
		bound(&bounding, column_at_place(plan[2 * i] - 'A' + 1), plan[2 * i + 1], argv[i]);
	}
	*bounds = bounding.bounds;
	return !bounding.is_empty;
}
