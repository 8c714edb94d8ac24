/*
 * Results of simulations as a table: what was varied, the seed, then every figure, the telling ones
 * first. Times are in milliseconds, as the simulation has them.
 */
#include "config.h"
#include "cli/cmd_simulate.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simulate/sweep_record.h"
#include "util/mem.h"

#define COLUMNS_MAX 400

struct table_columns {
	struct result_column list[COLUMNS_MAX];
	size_t n;
	struct arena *names;
};

static void
add_column(struct table_columns *columns, const char *name, enum column_kind kind, bool key)
{
	columns->list[columns->n++] =
	    (struct result_column){.name = name, .kind = kind, .is_key = key, .is_measure = !key};
}

static enum column_kind
field_kind(const struct preemption_field *field, bool is_mean)
{
	switch (field->type) {
	case FIELD_SHARE:
		return KIND_PERCENT;
	case FIELD_REAL:
		return KIND_REAL;
	default:
		return is_mean ? KIND_REAL : KIND_INTEGER;
	}
}

static void
add_axes(struct table_columns *columns, const struct preemption_sweep *sweep)
{
	for (size_t i = 0; i < sweep->n_axes; i++) {
		const struct preemption_param *param = sweep->axes[i].param;
		struct strbuf name = {0};

		sweep_axis_name(param, &name);
		add_column(columns, arena_strdup(columns->names, name.data),
		           param->type == PREEMPTION_REAL ? KIND_REAL : KIND_INTEGER, true);
		strbuf_free(&name);
	}
}

/* Values of the axes at a point; returns how many. */
static size_t
put_axes(const struct preemption_sweep *sweep, size_t point, struct value *row)
{
	struct preemption_params params;

	preemption_sweep_params(sweep, point, &params);
	for (size_t i = 0; i < sweep->n_axes; i++) {
		const struct preemption_param *param = sweep->axes[i].param;
		row[i] = param->type == PREEMPTION_REAL
		             ? value_real(preemption_real_at(&params, param->offset))
		             : value_integer(preemption_integer_at(&params, param->offset));
	}
	return sweep->n_axes;
}

static struct value
hex(struct result *result, uint64_t bits)
{
	char text[24];

	snprintf(text, sizeof text, "%016" PRIx64, bits);
	return value_text(result, slice_of(text));
}

static void
add_simulation(struct result *table, const struct preemption_sweep *sweep, size_t point,
               size_t seed)
{
	const struct preemption_result *one = &sweep->results[point * sweep->n_seeds + seed];
	struct value *row = result_add_row(table);
	size_t n = put_axes(sweep, point, row);
	char text[24];

	snprintf(text, sizeof text, "%" PRIu64, sweep->seeds[seed]);
	row[n++] = sweep->seeds[seed] > INT64_MAX ? value_text(table, slice_of(text))
	                                          : value_integer((int64_t)sweep->seeds[seed]);
	for (const struct preemption_field *field = preemption_fields; field->name; field++) {
		row[n++] = field->type == FIELD_COUNT || field->type == FIELD_MS
		               ? value_integer(preemption_field_integer(field, one))
		               : value_real(preemption_field_real(field, one));
	}
	row[n++] = value_text(table, slice_of(job_state_name(one->final_state)));
	row[n++] = hex(table, one->rng_state);
	row[n++] = hex(table, one->digest);
}

static void
add_summary(struct result *table, const struct preemption_sweep *sweep, size_t point,
            const enum sweep_stat *stats, size_t n_stats)
{
	double values[SWEEP_STATS];

	struct value *row = result_add_row(table);
	size_t n = put_axes(sweep, point, row);

	row[n++] = value_integer((int64_t)sweep->n_seeds);
	for (const struct preemption_field *field = preemption_fields; field->name; field++) {
		if (field->is_main) {
			sweep_stats_at(sweep, point, field, values);
			for (size_t i = 0; i < n_stats; i++) {
				row[n++] = value_finite(values[stats[i]]);
			}
		}
	}
}

/* The mean has the figure's own name. */
static void
add_stats(struct table_columns *columns, const struct preemption_field *field,
          const enum sweep_stat *stats, size_t n_stats)
{
	for (size_t i = 0; i < n_stats; i++) {
		const char *name = stats[i] == SWEEP_MEAN
		                       ? field->name
		                       : arena_printf(columns->names, "%s_%s", field->name,
		                                      sweep_stat_names[stats[i]]);
		add_column(columns, name, field_kind(field, true), false);
	}
}

struct result *
simulate_table(const struct preemption_sweep *sweep, bool summary, const enum sweep_stat *stats,
               size_t n_stats)
{
	struct table_columns columns = {.names = arena_new()};

	add_axes(&columns, sweep);
	add_column(&columns, summary ? "seeds" : "seed", summary ? KIND_COUNT : KIND_INTEGER, true);
	for (const struct preemption_field *field = preemption_fields; field->name; field++) {
		if (summary && field->is_main) {
			add_stats(&columns, field, stats, n_stats);
		} else if (!summary) {
			add_column(&columns, field->name, field_kind(field, false), false);
		}
	}
	if (!summary) {
		add_column(&columns, "final_state", KIND_TEXT, false);
		add_column(&columns, "rng_state", KIND_TEXT, false);
		add_column(&columns, "digest", KIND_TEXT, false);
	}
	struct result *table = result_new("Simulated preemption", columns.list, columns.n);
	arena_free(columns.names);
	for (size_t point = 0; point < sweep->n_points; point++) {
		for (size_t seed = 0; !summary && seed < sweep->n_seeds; seed++) {
			add_simulation(table, sweep, point, seed);
		}
		if (summary) {
			add_summary(table, sweep, point, stats, n_stats);
		}
	}
	return table;
}

/* Name of a row as a column: "p_preempt=0.5 seed=1". */
static const char *
name_row(const struct result *result, size_t row, size_t n_keys, struct arena *arena)
{
	struct strbuf name = {0}, scratch = {0};

	for (size_t i = 0; i < n_keys; i++) {
		struct slice text = export_raw(result_value(result, row, i), &scratch);
		strbuf_printf(&name, "%s%s=%.*s", i ? " " : "", result->columns[i].name,
		              (int)text.len, text.ptr);
	}
	const char *kept = arena_strndup(arena, name.data ? name.data : "", name.len);
	strbuf_free(&name);
	strbuf_free(&scratch);
	return kept;
}

struct result *
simulate_wide(const struct result *result, size_t n_keys)
{
	struct arena *names = arena_new();
	struct result_column *columns = xcalloc(result->n_rows + 1, sizeof *columns);

	columns[0] = (struct result_column){.name = "measure", .is_key = true};
	for (size_t i = 0; i < result->n_rows; i++) {
		columns[i + 1] = (struct result_column){.name = name_row(result, i, n_keys, names),
		                                        .kind = KIND_REAL};
	}
	struct result *wide = result_new(result->title, columns, result->n_rows + 1);
	size_t n = result->n_columns - n_keys;
	enum column_kind *kinds = arena_alloc(wide->arena, n * sizeof *kinds);
	for (size_t i = 0; i < n; i++) {
		struct value *row = result_add_row(wide);
		kinds[i] = result->columns[n_keys + i].kind;
		row[0] = value_text(wide, slice_of(result->columns[n_keys + i].name));
		for (size_t j = 0; j < result->n_rows; j++) {
			const struct value *value = result_value(result, j, n_keys + i);
			row[j + 1] =
			    value->type == VALUE_TEXT ? value_text(wide, value->text) : *value;
		}
	}
	wide->row_kinds = kinds;
	free(columns);
	arena_free(names);
	return wide;
}
