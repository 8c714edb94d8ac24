/* What Enter opens on a row, compared with the row's figures. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "query/spans/span_list.h"
#include "query/timeline/timeline_hits.h"
#include "tests/invariant/rows.h"
#include "tests/invariant/written.h"
#include "util/intern.h"
#include "util/mem.h"

#define ROWS_OF_EXPORT 5000   /* longer lists are counted, not written */
#define ROWS_OF_TARGET 100000 /* likewise, of another query's answer */

/* The sum of columns of the row, or a number in their place; false: none of them has a value. */
static bool
figure_of_row(const struct asked *asked, struct slice columns, double *sum)
{
	bool is_there = false;

	*sum = 0;
	while (columns.len > 0) {
		const char *plus = memchr(columns.ptr, '+', columns.len);
		struct slice one = {columns.ptr, plus ? (size_t)(plus - columns.ptr) : columns.len};
		const struct value *value = value_named(asked, one);
		bool is_digit = one.ptr[0] >= '0' && one.ptr[0] <= '9';

		if (is_digit || (value && value_is_number(value))) {
			*sum += is_digit ? strtod(one.ptr, NULL) : value_number(value);
			is_there = true;
		}
		columns = slice_from(columns, one.len + 1);
	}
	return is_there;
}

static struct slice
covers_of(const struct asked *asked)
{
	return slice_of(asked->query->covers ? asked->query->covers : "");
}

/* ---- spans ---- */

static double
total_named(const struct totals *totals, struct slice name)
{
	return slice_is(name, "count")      ? totals->count
	       : slice_is(name, "rows")     ? totals->rows
	       : slice_is(name, "duration") ? totals->duration
	       : slice_is(name, "whole")    ? totals->whole
	       : slice_is(name, "self")     ? totals->self
	                                    : totals->size;
}

static void
compare_spans(const struct asked *asked, const struct totals *totals, const char *where)
{
	struct slice rest = covers_of(asked), name, column;
	double row;

	while (drill_target(&asked->query->drill) != DRILL_QUERY &&
	       covers_next(&rest, &name, &column)) {
		if (figure_of_row(asked, column, &row)) {
			compare(asked, name, row, total_named(totals, name), where);
		}
	}
}

/* Spans by which rows lead on: what lists, marks and exports of them hold. Many rows lead to the
 * same ones, which are asked for once in a run and scope. */
struct spans {
	struct totals listed, exported;
	double marked, marked_by_lane;
	bool has_range, sums_leave, is_exported,
	    is_known; /* else an answer failed, which was told */
};

struct spans_seen {
	struct intern *filters;
	struct spans *spans; /* by filter */
	size_t capacity;
};

struct spans_seen *
spans_seen_new(void)
{
	struct spans_seen *seen = xcalloc(1, sizeof *seen);

	seen->filters = intern_new();
	return seen;
}

void
spans_seen_free(struct spans_seen *seen)
{
	intern_free(seen->filters);
	free(seen->spans);
	free(seen);
}

static int
read_marks(const struct asked *asked, const char *filter, struct spans *spans, struct err *err)
{
	struct timeline_hits hits = {0};

	if (timeline_hits_read(asked->store, filter, &hits, NULL, err)) {
		return -1;
	}
	spans->marked = (double)hits.n;
	for (uint32_t i = 0; i < hits.n_ids; i++) {
		spans->marked_by_lane += (double)hits.by_lane[i];
	}
	timeline_hits_fini(&hits);
	return 0;
}

static int
read_spans_behind(const struct asked *asked, const char *filter, struct spans *spans,
                  struct err *err)
{
	struct span_list list = {
	    .filter = filter, .key = SPAN_KEY_START, .dataset = store_dataset(asked->store, err)};
	struct span_figures figures;

	if (!list.dataset || span_list_figures(&list, &figures, err) ||
	    read_marks(asked, filter, spans, err)) {
		return -1;
	}
	spans->listed = totals_of_figures(&figures);
	spans->has_range = figures.has_range;
	spans->sums_leave = figures.sums_leave;
	spans->is_exported = !figures.sums_leave && (figures.n <= ROWS_OF_EXPORT || asked->is_wide);
	return spans->is_exported ? totals_of_export(&list, &figures, &spans->exported, err) : 0;
}

static const struct spans *
spans_behind(const struct asked *asked, const char *filter)
{
	struct spans_seen *seen = asked->seen;
	uint32_t known = intern_count(seen->filters);
	uint32_t id = intern_id(seen->filters, slice_of(filter));
	struct err err = ERR_INIT;

	if (id == known) {
		MEM_GROW(seen->spans, seen->capacity, (size_t)id + 1);
		seen->spans[id] = (struct spans){.is_known = true};
		if (read_spans_behind(asked, filter, &seen->spans[id], &err)) {
			seen->spans[id].is_known = false;
			fail(asked, filter, err.message);
		}
	}
	return &seen->spans[id];
}

static void
check_spans(const struct asked *asked, const char *filter)
{
	const struct spans *spans = spans_behind(asked, filter);
	const struct totals *listed = &spans->listed, *exported = &spans->exported;

	if (!spans->is_known) {
		return;
	}
	compare(asked, slice_of("rows"), listed->rows, spans->marked, "marked");
	compare(asked, slice_of("rows"), listed->rows, spans->marked_by_lane,
	        "marked, lane by lane");
	if (spans->sums_leave) {
		return;
	}
	compare_spans(asked, listed, filter);
	if (!spans->is_exported) {
		return;
	}
	compare(asked, slice_of("count"), listed->count, exported->count, "exported");
	compare(asked, slice_of("rows"), listed->rows, exported->rows, "exported");
	if (!spans->has_range || !exported->has_many) {
		compare(asked, slice_of("duration"), listed->duration, exported->duration,
		        "exported");
	}
	if (!spans->has_range && !exported->has_many) {
		compare(asked, slice_of("self"), listed->self, exported->self, "exported");
	}
	compare(asked, slice_of("size"), listed->size, exported->size, "exported");
}

/* ---- another query's rows ---- */

static double
column_total(const struct result *result, struct slice name)
{
	int c = column_find(result->columns, result->n_columns, name);
	double sum = slice_is(name, "rows") && c < 0 ? (double)result->n_rows : 0;

	for (size_t i = 0; c >= 0 && i < result->n_rows; i++) {
		const struct value *value = result_value(result, i, (size_t)c);

		sum += value_is_number(value) ? value_number(value) : 0;
	}
	return sum;
}

static void
compare_answer(const struct asked *asked, const struct result *behind)
{
	const struct row_check *check = row_check_find(asked->query->name);
	struct slice rest = covers_of(asked), name, column;
	double row;

	if (behind->n_rows >= ROWS_OF_TARGET) {
		return;
	}
	while (covers_next(&rest, &name, &column)) {
		if (figure_of_row(asked, column, &row)) {
			compare(asked, name, row, column_total(behind, name),
			        asked->query->drill.view);
		}
	}
	if (check && check->facts) {
		facts_of_answer(asked, behind, check->facts);
	}
	if (!asked->query->covers && !(check && check->facts)) {
		compare(asked, slice_of("some"), 1, behind->n_rows > 0, asked->query->drill.view);
	}
	compare(asked, slice_of("rows"), (double)behind->n_rows, rows_of_export(behind),
	        "exported");
}

static void
check_query(const struct asked *asked, const struct drill *drill)
{
	struct err err = ERR_INIT;
	const struct saved_query *target =
	    query_library_find(asked->library, asked->query->drill.view, &err);
	char **texts =
	    drill_texts(drill, target->params, target->n_params, asked->result, asked->row);
	struct query_argument *arguments = xcalloc(target->n_params + 1, sizeof *arguments);
	struct result *behind;
	size_t n = 0;

	for (size_t i = 0; i < target->n_params; i++) {
		if (texts[i]) {
			arguments[n++] = (struct query_argument){target->params[i].name, texts[i]};
		}
	}
	behind = query_run(asked->store, target, arguments, n, NULL, &err);
	if (behind) {
		compare_answer(asked, behind);
	} else {
		fail(asked, target->name, err.message);
	}
	result_free(behind);
	free(arguments);
	for (size_t i = 0; i < target->n_params; i++) {
		free(texts[i]);
	}
	free(texts);
}

/* ---- places ---- */

/* A place is within the run, and on one lane where the row names one. */
static void
check_place(const struct asked *asked, const struct row_place *place)
{
	const struct row_check *check = row_check_find(asked->query->name);
	const struct dataset *dataset = store_dataset(asked->store, &(struct err)ERR_INIT);
	double n_lanes = 0;

	if (!place->has_start) {
		const struct value *start = value_named(asked, slice_of("start"));

		if (!start || start->type != VALUE_NULL) {
			fail(asked, "it is no place in the timeline", "");
		}
		return;
	}
	for (uint32_t i = 0; place->lane_name && i < dataset->n_lanes; i++) {
		n_lanes +=
		    slice_is(dataset->texts[dataset->lanes[i].name], place->lane_name) ? 1 : 0;
	}
	if (place->lane_name && place->span < 0 && place->lane < 0) {
		compare(asked, slice_of("lanes"), 1, n_lanes, "of its name");
	}
	compare(asked, slice_of("place"), 1,
	        place->start_ns >= 0 && place->start_ns <= dataset->duration_ns,
	        "it begins within the run");
	if (check && check->facts) {
		facts_of_run(asked, place, check->facts);
	}
}

/* ---- rows ---- */

void
check_row(const struct asked *asked)
{
	struct drill drill = drill_of_query(asked->query, asked->texts);
	enum drill_target target = drill_target(&asked->query->drill);
	const struct row_check *check = row_check_find(asked->query->name);
	struct row_place place;

	counts.rows++;
	row_place_read(&drill, asked->result, asked->row, &place);
	if (place.filter) {
		check_spans(asked, place.filter);
	} else if (strncmp(place.why_not, "which spans", 11) == 0) {
		fail(asked, "spans", place.why_not);
	}
	if (target == DRILL_QUERY) {
		check_query(asked, &drill);
	} else if (target == DRILL_TIMELINE) {
		check_place(asked, &place);
	} else if (check && check->facts) {
		facts_of_run(asked, &place, check->facts);
	}
	row_place_free(&place);
}

/* ---- parts of a range ---- */

static bool
totals_in(const struct asked *asked, const struct scope_word *word, const char *filter,
          struct totals *totals)
{
	struct scope scope = {0};
	struct err err = ERR_INIT;
	struct span_list list = {.filter = filter, .key = SPAN_KEY_START};
	struct span_figures figures = {0};
	int rc;

	scope_copy(&scope, store_scope(asked->store));
	if (word) {
		scope_add(&scope, word);
	}
	struct scope before = {0};

	scope_copy(&before, store_scope(asked->store));
	rc = store_set_scope(asked->store, &scope, &err);
	list.dataset = rc ? NULL : store_dataset(asked->store, &err);
	rc = list.dataset ? span_list_figures(&list, &figures, &err) : -1;
	*totals = totals_of_figures(&figures);
	if (rc || store_set_scope(asked->store, &before, &err)) {
		fail(asked, "parts", err.message);
	}
	scope_free(&scope);
	scope_free(&before);
	return rc == 0 && !figures.sums_leave;
}

/* A span begins in one part, and its time in the range is that in its parts. */
void
check_parts(const struct asked *asked)
{
	struct store_view view = store_view(asked->store);
	int64_t third = (view.end_ns - view.start_ns) / 3;
	double inside = 0, begun = 0;
	struct totals whole;

	if (!totals_in(asked, NULL, NULL, &whole)) {
		return;
	}
	for (int i = 0; i < 3; i++) {
		struct scope_word part = {.kind = SCOPE_RANGE,
		                          .start_ns = i == 0 ? 0 : view.start_ns + i * third,
		                          .end_ns =
		                              i == 2 ? INT64_MAX : view.start_ns + (i + 1) * third};
		char begins[64];
		struct totals totals;

		snprintf(begins, sizeof begins, "start >= %lldns", (long long)part.start_ns);
		if (!totals_in(asked, &part, NULL, &totals)) {
			return;
		}
		inside += totals.duration;
		if (!totals_in(asked, &part, i == 0 ? NULL : begins, &totals)) {
			return;
		}
		begun += totals.rows;
	}
	compare(asked, slice_of("rows"), whole.rows, begun, "begun in three parts");
	compare(asked, slice_of("duration"), whole.duration, inside, "inside three parts");
}
