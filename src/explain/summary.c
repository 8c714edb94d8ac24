/*
 * The summary: every part that adds up and fits these runs, one under the other, so that a reader
 * sees at a glance which way of dividing the difference says most. Parts have labels of their own
 * (stage and kind, class, cause); here they are put into one column, as the parts' columns cannot
 * stand side by side.
 *
 * A part that cannot be had (a run too large for it, say) is left out with a note; the others are
 * no less true without it. One that failed is noted as lost, and the answer is not whole
 * (explain_lose).
 */
#include "config.h"
#include "explain/explain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/student.h"
#include "util/intervals.h"

#define OUTSIDE 0.1 /* of a range: it holds nine of ten */

static bool
is_of_groups(const struct explain *explain)
{
	return explain->n_a + explain->n_b > 2;
}

static struct result *
new_summary(const struct explain *explain)
{
	struct arena *arena = arena_new();
	struct result_column columns[] = {
	    COLUMN_KEY("part", NULL),
	    COLUMN_KEY("row", NULL),
	    {0},
	    {0},
	    {0},
	    COLUMN("share", KIND_PERCENT, "of the part's sum"),
	    COLUMN("delta_low", KIND_DURATION, "lower end of the mean's range, nine of ten"),
	    COLUMN("delta_high", KIND_DURATION, "upper end"),
	};
	size_t n = COUNT_OF(columns) - (is_of_groups(explain) ? 0 : 2);
	explain_amounts(columns, 2, arena, explain, KIND_DURATION);
	struct result *summary = result_new("What differs between A and B", columns, n);
	arena_free(arena);
	return summary;
}

/* Of the runs of one side; NULL on error. */
static double *
read_makespans(struct explain *explain, struct explain_run *runs, size_t n, struct err *err)
{
	double *makespans = xcalloc(n, sizeof *makespans);
	for (size_t i = 0; i < n; i++) {
		const struct schedule *schedule = explain_schedule(explain, &runs[i], err);
		if (!schedule) {
			free(makespans);
			return NULL;
		}
		makespans[i] = (double)explain_makespan_ns(schedule);
	}
	return makespans;
}

static void
add_makespan_row(struct result *summary, const struct student_groups *groups)
{
	int64_t a = llround(groups->mean_a), b = llround(groups->mean_b), delta = time_sub(b, a);
	double half = student_quantile(OUTSIDE, groups->degrees) * student_error(groups, 0, 0);
	struct value *row = result_add_row(summary);
	summary->title = delta > 0   ? "Why B is slower than A"
	                 : delta < 0 ? "Why B is faster than A"
	                             : summary->title;
	row[0] = value_word(summary, "makespan");
	row[1] = value_word(summary, "sum");
	row[2] = value_integer(a);
	row[3] = value_integer(b);
	row[4] = value_integer(delta);
	row[5] = value_finite(delta ? 1 : NAN);
	if (isfinite(half)) { /* of two runs, there is none */
		row[6] = value_integer(delta - llround(half));
		row[7] = value_integer(delta + llround(half));
	}
}

static int
add_makespan(struct explain *explain, struct result *summary, struct err *err)
{
	double *a = read_makespans(explain, explain->a, explain->n_a, err);
	double *b = a ? read_makespans(explain, explain->b, explain->n_b, err) : NULL;
	if (b) {
		struct student_groups groups = student_groups(a, explain->n_a, b, explain->n_b);
		add_makespan_row(summary, &groups);
	}
	free(a);
	free(b);
	return b ? 0 : -1;
}

static struct value
join_labels(struct result *summary, const struct result *rows, size_t row)
{
	struct strbuf text = {0};
	for (size_t c = 0; c < rows->n_columns; c++) {
		const struct value *value = result_value(rows, row, c);
		if (value->type == VALUE_TEXT && value->text.len) {
			strbuf_add_text(&text, text.len ? " / " : "");
			strbuf_add_slice(&text, value->text);
		}
	}
	struct value joined = value_text(summary, text.len ? strbuf_slice(&text) : slice_of(""));
	strbuf_free(&text);
	return joined;
}

/* Every part that adds up has the amounts of A and B just before delta, and share behind it. */
static void
add_rows(struct result *summary, const struct explain_part *part, const struct result *rows)
{
	size_t delta = 0;
	while (strcmp(rows->columns[delta].name, "delta") != 0) {
		delta++;
	}
	int low = column_find(rows->columns, rows->n_columns, slice_of("delta_low"));
	for (size_t r = 0; r < rows->n_rows; r++) {
		const struct value *at = result_value(rows, r, delta);
		struct value *row = result_add_row(summary);
		row[0] = value_word(summary, part->name);
		row[1] = join_labels(summary, rows, r);
		memcpy(row + 2, at - 2, 4 * sizeof *row);
		if (low >= 0) {
			memcpy(row + 6, result_value(rows, r, (size_t)low), 2 * sizeof *row);
		}
	}
}

/* 0 also for a part that could not be had. */
static int
add_part(struct explain *explain, const struct explain_part *part, size_t limit,
         struct result *summary, struct err *err)
{
	struct err why = ERR_INIT;
	const struct query_argument unfolded = {"fold", "0%"};
	size_t n = limit == 0 && explain_part_takes(part, unfolded.name);
	struct result *rows = explain_compute_table(explain, part, &unfolded, n, &why);
	if (!rows && why.code == ERR_CANCELLED) {
		*err = why;
		return -1;
	}
	if (!rows) {
		bool failed = explain_is_failure(&why);
		result_add_note(summary, "part %s is %s: %s", part->name,
		                failed ? "lost" : "left out", why.message);
		err_wrap(&why, "part %s is lost", part->name);
		explain_lose(explain, &why);
		return 0;
	}
	if (limit) {
		explain_rows_limit(rows, limit);
	}
	add_rows(summary, part, rows);
	for (size_t i = 0; i < rows->n_notes; i++) {
		result_add_note(summary, "%s: %s", part->name, rows->notes[i]);
	}
	result_free(rows);
	return 0;
}

struct result *
explain_summary(struct explain *explain, size_t limit, struct err *err)
{
	struct result *summary = new_summary(explain);
	struct err why = ERR_INIT, ignored = ERR_INIT;
	struct strbuf without = {0};
	size_t n_parts = 0;
	int rc = add_makespan(explain, summary, err);
	if (rc == 0) {
		explain_note(summary, explain);
	}
	for (size_t i = 0; rc == 0 && explain_parts[i] && explain_parts[i]->name; i++) {
		const struct explain_part *part = explain_parts[i];
		if (part->adds_up &&
		    explain_part_check(explain, part, why.code ? &ignored : &why) == 0 &&
		    explain_part_is_listed(explain, part)) {
			rc = add_part(explain, part, limit, summary, err);
			n_parts++;
			if (part->summed == EXPLAIN_SUMMED_LEFT_OUT) {
				strbuf_printf(&without, "%s%s", without.len ? ", " : "",
				              part->name);
			}
		}
	}
	if (rc == 0 && n_parts == 0) {
		rc = err_set(err, ERR_USAGE,
		             "nothing adds up to a difference between these runs: %s; `lanescope "
		             "diff` compares what saved queries say of them, part indicators does "
		             "for all of them at once",
		             why.message);
	}
	if (rc == 0 && without.len > 0) {
		explain_note_summed(summary, explain, without.data);
	}
	strbuf_free(&without);
	if (rc) {
		result_free(summary);
		return NULL;
	}
	return summary;
}
