/*
 * Three scans in groups of the same keys: what is inside, in the scope of the range; whole
 * durations; and how many spans begin or end outside.
 */
#include "config.h"

#include "query/timeline/timeline_area.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "column/scan/rowcolumn.h"
#include "column/scan/scan.h"
#include "util/format.h"
#include "util/intern.h"
#include "util/intervals.h"
#include "util/order.h"
#include "util/quote.h"

#define GROUPS_LIMIT (1u << 20)

void
timeline_area_condition(struct strbuf *out, int64_t start_ns, int64_t end_ns)
{
	strbuf_printf(out, "start < %" PRId64 " AND (end > %" PRId64 " OR start >= %" PRId64 ")",
	              end_ns, start_ns, start_ns);
}

static bool
same_key(const struct scan_value *a, const struct scan_value *b)
{
	return a->type == b->type && (a->type == SCAN_NULL      ? true
	                              : a->type == SCAN_INTEGER ? a->integer == b->integer
	                              : a->type == SCAN_REAL    ? a->real == b->real
	                                                        : slice_equal(a->text, b->text));
}

/* The dimension that groups tell their keys by. */
static enum row_column
dimension_of(const char *by)
{
	enum row_column column;

	return row_column_find(slice_of(by), BLOCK_SPAN, &column) ? column : ROW_ARG1;
}

static void
name_row(struct timeline_area *area, struct area_row *row, const struct scan_value *key)
{
	struct strbuf condition = {0};
	char number[FORMAT_BYTES];

	strbuf_printf(&condition, "%s ", area->by);
	switch (key->type) {
	case SCAN_NULL:
		row->text = slice_of("-");
		strbuf_add_text(&condition, "IS NULL");
		break;
	case SCAN_INTEGER:
		row->text = slice_of(arena_printf(area->arena, "%" PRId64, key->integer));
		strbuf_printf(&condition, "= %" PRId64, key->integer);
		break;
	case SCAN_REAL:
		row->text =
		    slice_of(arena_printf(area->arena, "%s", format_real(number, key->real)));
		strbuf_printf(&condition, "= %s", format_real(number, key->real));
		break;
	default:
		row->text = arena_slice(area->arena, key->text);
		strbuf_add_text(&condition, "= ");
		quote_add(&condition, key->text, '\'');
	}
	row->condition = arena_slice(area->arena, strbuf_slice(&condition)).ptr;
	strbuf_free(&condition);
}

/* A scan that reads what the area needs. more: of the range; NULL: the dataset's scope has it. */
static struct sums *
run(const struct dataset *dataset, const struct area_request *of, const char *more,
    const struct cancel *cancel, struct err *err)
{
	struct strbuf filter = {0};
	struct sums_request request = {
	    .kind = BLOCK_SPAN,
	    .by = of->by,
	    .unread = {[MEASURE_DURATION] = SUMS_NO_RANGE | SUMS_NO_SQUARES,
	               [MEASURE_SELF] = SUMS_NO_RANGE | SUMS_NO_SQUARES,
	               [MEASURE_SIZE] = SUMS_NO_SUM | SUMS_NO_RANGE | SUMS_NO_SQUARES},
	    .unread_times = true,
	    .unread_unfinished = true,
	    .group_limit = GROUPS_LIMIT,
	    .cancel = cancel};
	struct sums *sums;

	strbuf_add_text(&filter, more ? more : "");
	if (of->filter && *of->filter) {
		strbuf_printf(&filter, "%s(%s)", more ? " AND " : "", of->filter);
	}
	request.filter = filter.len > 0 ? filter.data : NULL;
	sums = sums_run(dataset, &request, err);
	strbuf_free(&filter);
	return sums;
}

static void
take_inside(struct timeline_area *area, struct sums *sums, enum row_column dimension)
{
	area->rows = arena_zalloc(area->arena, (sums_count(sums) + 1) * sizeof *area->rows);
	for (size_t i = 0; i < sums_count(sums); i++) {
		const struct group_sums *group = sums_group(sums, i);
		struct scan_value key = sums_key(sums, i, dimension);
		struct area_row *row = &area->rows[area->n++];

		row->n = group->rows;
		row->calls = group->n;
		row->inside_ns = group->measure[MEASURE_DURATION].sum;
		row->self_ns = group->measure[MEASURE_SELF].sum;
		area->n_spans += row->n;
		area->inside_ns = time_add(area->inside_ns, row->inside_ns);
		name_row(area, row, &key);
	}
}

/* Groups of another scan, whose keys are among those and in the same order. */
static void
take_more(struct timeline_area *area, struct sums *inside, struct sums *sums,
          enum row_column dimension, bool is_reaching)
{
	size_t i = 0;

	for (size_t k = 0; k < sums_count(sums) && i < area->n; k++) {
		const struct group_sums *group = sums_group(sums, k);
		struct scan_value key = sums_key(sums, k, dimension);
		size_t at = i;

		while (at < area->n) {
			struct scan_value own = sums_key(inside, at, dimension);

			if (same_key(&own, &key)) {
				break;
			}
			at++;
		}
		if (at == area->n) {
			continue;
		}
		i = at + 1;
		if (is_reaching) {
			area->rows[at].n_reaching = group->rows;
			area->n_reaching += group->rows;
		} else {
			area->rows[at].total_ns = group->measure[MEASURE_DURATION].sum;
		}
	}
}

struct timeline_area *
timeline_area_read(struct store *store, const struct area_request *request,
                   const struct cancel *cancel, struct err *err)
{
	const struct dataset *dataset = store_dataset(store, err);
	enum row_column dimension = dimension_of(request->by);
	struct sums *inside = NULL, *whole = NULL, *reaching = NULL;
	struct timeline_area *area = NULL;
	struct strbuf range = {0};
	struct dataset scoped;

	if (!dataset) {
		return NULL;
	}
	scoped = *dataset;
	scoped.scope =
	    (struct dataset_scope){true, request->start_ns, request->end_ns, dataset->scope.filter};
	dataset_clip(dataset, &scoped.scope.start_ns, &scoped.scope.end_ns);
	timeline_area_condition(&range, scoped.scope.start_ns, scoped.scope.end_ns);
	inside = run(&scoped, request, NULL, cancel, err);
	whole = inside ? run(dataset, request, range.data, cancel, err) : NULL;
	strbuf_printf(&range, " AND (start < %" PRId64 " OR end > %" PRId64 ")",
	              scoped.scope.start_ns, scoped.scope.end_ns);
	reaching = whole ? run(dataset, request, range.data, cancel, err) : NULL;
	if (reaching) {
		MEM_NEW(area, 1);
		area->arena = arena_new();
		area->start_ns = request->start_ns;
		area->end_ns = request->end_ns;
		area->by = arena_slice(area->arena, slice_of(request->by)).ptr;
		take_inside(area, inside, dimension);
		take_more(area, inside, whole, dimension, false);
		take_more(area, inside, reaching, dimension, true);
		timeline_area_sort(area, AREA_INSIDE);
	}
	sums_free(inside);
	sums_free(whole);
	sums_free(reaching);
	strbuf_free(&range);
	return area;
}

void
timeline_area_free(struct timeline_area *area)
{
	if (area) {
		timeline_area_free(area->beside);
		arena_free(area->arena);
		free(area);
	}
}

/* ---- two runs ---- */

void
timeline_area_join(struct timeline_area *a, struct timeline_area *b)
{
	static const struct area_row nothing;
	struct area_row *rows = arena_zalloc(a->arena, (a->n + b->n + 1) * sizeof *rows);
	struct intern *groups = intern_new(); /* by condition: A's are numbered as its rows */

	for (size_t i = 0; i < a->n; i++) {
		rows[intern_id(groups, slice_of(a->rows[i].condition))] = a->rows[i];
		rows[i].beside = &nothing;
	}
	for (size_t i = 0; i < b->n; i++) {
		const struct area_row *row = &b->rows[i];
		uint32_t at = intern_id(groups, slice_of(row->condition));

		if (at >= a->n) {
			rows[at] =
			    (struct area_row){.text = row->text, .condition = row->condition};
		}
		rows[at].beside = row;
	}
	a->n = intern_count(groups);
	a->rows = rows;
	a->beside = b;
	intern_free(groups);
}

/* ---- in order, as a table ---- */

const enum area_column *
timeline_area_columns(bool is_of_two)
{
	static const enum area_column of_one[AREA_SHOWN] = {AREA_TEXT, AREA_INSIDE, AREA_SHARE,
	                                                    AREA_SELF, AREA_COUNT,  AREA_REACHING,
	                                                    AREA_MEAN, AREA_TOTAL};
	static const enum area_column of_two[AREA_SHOWN] = {AREA_TEXT,  AREA_INSIDE, AREA_INSIDE_B,
	                                                    AREA_DELTA, AREA_COUNT,  AREA_COUNT_B,
	                                                    AREA_MEAN,  AREA_MEAN_B};

	return is_of_two ? of_two : of_one;
}

static int
compare_inside(const void *left, const void *right)
{
	const struct area_row *a = left, *b = right;

	ORDER_BY(b->inside_ns, a->inside_ns);
	ORDER_BY(b->n, a->n);
	if (a->beside && b->beside) {
		ORDER_BY(b->beside->inside_ns, a->beside->inside_ns);
		ORDER_BY(b->beside->n, a->beside->n);
	}
	return slice_compare(a->text, b->text);
}

#define COMPARE(name, value)                                                                       \
	static int compare_##name(const void *left, const void *right)                             \
	{                                                                                          \
		const struct area_row *a = left, *b = right;                                       \
                                                                                                   \
		ORDER_BY(b->value, a->value);                                                      \
		return compare_inside(a, b);                                                       \
	}
COMPARE(self, self_ns)
COMPARE(count, n)
COMPARE(reaching, n_reaching)
COMPARE(total, total_ns)
COMPARE(inside_b, beside->inside_ns)
COMPARE(count_b, beside->n)
#undef COMPARE

static int
compare_text(const void *left, const void *right)
{
	const struct area_row *a = left, *b = right;

	return slice_compare(a->text, b->text);
}

static int
compare_mean(const void *left, const void *right)
{
	const struct area_row *a = left, *b = right;

	ORDER_BY(area_mean_ns(b), area_mean_ns(a));
	return compare_inside(a, b);
}

static int
compare_mean_b(const void *left, const void *right)
{
	const struct area_row *a = left, *b = right;

	ORDER_BY(area_mean_ns(b->beside), area_mean_ns(a->beside));
	return compare_inside(a, b);
}

static int
compare_delta(const void *left, const void *right)
{
	const struct area_row *a = left, *b = right;

	ORDER_BY(llabs(area_delta_ns(b)), llabs(area_delta_ns(a)));
	return compare_inside(a, b);
}

void
timeline_area_sort(struct timeline_area *area, enum area_column column)
{
	static int (*const compare[AREA_COLUMNS])(const void *, const void *) = {
	    [AREA_TEXT] = compare_text,         [AREA_INSIDE] = compare_inside,
	    [AREA_SHARE] = compare_inside,      [AREA_SELF] = compare_self,
	    [AREA_COUNT] = compare_count,       [AREA_REACHING] = compare_reaching,
	    [AREA_MEAN] = compare_mean,         [AREA_TOTAL] = compare_total,
	    [AREA_INSIDE_B] = compare_inside_b, [AREA_DELTA] = compare_delta,
	    [AREA_COUNT_B] = compare_count_b,   [AREA_MEAN_B] = compare_mean_b};

	SORT(area->rows, area->n, compare[column]);
}

static struct value
value_of(struct result *result, const struct timeline_area *area, const struct area_row *row,
         enum area_column column)
{
	switch (column) {
	case AREA_TEXT:
		return value_text(result, row->text);
	case AREA_INSIDE:
		return value_integer(row->inside_ns);
	case AREA_SHARE:
		return value_real(
		    area->inside_ns > 0 ? (double)row->inside_ns / (double)area->inside_ns : 0);
	case AREA_SELF:
		return value_integer(row->self_ns);
	case AREA_COUNT:
		return value_integer(row->n);
	case AREA_REACHING:
		return value_integer(row->n_reaching);
	case AREA_MEAN:
		return value_integer((int64_t)area_mean_ns(row));
	case AREA_TOTAL:
		return value_integer(row->total_ns);
	case AREA_INSIDE_B:
		return value_integer(row->beside->inside_ns);
	case AREA_DELTA:
		return value_integer(area_delta_ns(row));
	case AREA_COUNT_B:
		return value_integer(row->beside->n);
	default:
		return value_integer((int64_t)area_mean_ns(row->beside));
	}
}

struct result *
timeline_area_table(const struct timeline_area *area)
{
	bool is_of_two = area->beside;
	const struct result_column columns[AREA_COLUMNS] = {
	    [AREA_TEXT] = COLUMN_KEY(area->by, NULL),
	    [AREA_INSIDE] = COLUMN_MEASURE(is_of_two ? "inside_a" : "inside", KIND_DURATION, NULL),
	    [AREA_SHARE] = COLUMN("share", KIND_PERCENT, NULL),
	    [AREA_SELF] = COLUMN_MEASURE("self", KIND_DURATION, NULL),
	    [AREA_COUNT] = COLUMN_MEASURE(is_of_two ? "count_a" : "count", KIND_COUNT, NULL),
	    [AREA_REACHING] = COLUMN("reaching", KIND_COUNT, NULL),
	    [AREA_MEAN] = COLUMN(is_of_two ? "mean_a" : "mean", KIND_DURATION, NULL),
	    [AREA_TOTAL] = COLUMN_MEASURE("total", KIND_DURATION, NULL),
	    [AREA_INSIDE_B] = COLUMN_MEASURE("inside_b", KIND_DURATION, NULL),
	    [AREA_DELTA] = COLUMN_MEASURE("inside_delta", KIND_DURATION, NULL),
	    [AREA_COUNT_B] = COLUMN_MEASURE("count_b", KIND_COUNT, NULL),
	    [AREA_MEAN_B] = COLUMN("mean_b", KIND_DURATION, NULL),
	};
	const enum area_column *shown = timeline_area_columns(is_of_two);
	struct result_column chosen[AREA_SHOWN];
	struct result *result;

	for (int i = 0; i < AREA_SHOWN; i++) {
		chosen[i] = columns[shown[i]];
	}
	result = result_new("What is in the range", chosen, AREA_SHOWN);
	for (size_t i = 0; i < area->n; i++) {
		struct value *values = result_add_row(result);

		for (int k = 0; k < AREA_SHOWN; k++) {
			values[k] = value_of(result, area, &area->rows[i], shown[k]);
		}
	}
	return result;
}
