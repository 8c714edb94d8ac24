/* Names of trials are what was varied: "p_preempt=0.05 depth=8"; all else is a fact of the run. */
#include "config.h"
#include "simulate/sweep_record.h"

#include <inttypes.h>
#include <stdlib.h>

#include "simulate/preemption_record.h"
#include "util/format.h"
#include "util/mem.h"

void
sweep_axis_name(const struct preemption_param *param, struct strbuf *out)
{
	for (const char *c = param->name; *c; c++) {
		strbuf_add_char(out, *c == '-' ? '_' : *c);
	}
	strbuf_add_text(out, param->type == PREEMPTION_MS ? "_ms" : "");
}

static void
axis_value(const struct preemption_param *param, const struct preemption_params *params,
           struct strbuf *out)
{
	char text[FORMAT_BYTES];

	if (param->type == PREEMPTION_REAL) {
		strbuf_add_text(out, format_real(text, preemption_real_at(params, param->offset)));
	} else {
		strbuf_printf(out, "%" PRId64, preemption_integer_at(params, param->offset));
	}
}

void
sweep_describe(const struct preemption_sweep *sweep, struct strbuf *out)
{
	struct preemption_params params;

	preemption_describe(&sweep->base, sweep->trace, out);
	for (size_t i = 0; i < sweep->n_seeds; i++) {
		strbuf_printf(out, "of seed %" PRIu64 "\n", sweep->seeds[i]);
	}
	for (size_t point = 0; point < sweep->n_points; point++) {
		preemption_sweep_params(sweep, point, &params);
		for (size_t i = 0; i < sweep->n_axes; i++) {
			strbuf_add_text(out, i ? " " : "point ");
			sweep_axis_name(sweep->axes[i].param, out);
			strbuf_add_char(out, '=');
			axis_value(sweep->axes[i].param, &params, out);
		}
		strbuf_add_char(out, '\n');
	}
}

/* One a seed; the trial is known. */
static int
put_samples(const struct preemption_sweep *sweep, size_t point, uint32_t trial, struct sink *sink)
{
	double *values = xcalloc(sweep->n_seeds, sizeof *values);
	struct sample sample = {.trial = trial, .values = values, .n_values = sweep->n_seeds};
	int rc = 0;

	sample.type = sink_text(sink, slice_of("float64"));
	for (const struct preemption_field *field = preemption_fields; rc == 0 && field->name;
	     field++) {
		for (size_t i = 0; i < sweep->n_seeds; i++) {
			values[i] = preemption_field_real(
			    field, &sweep->results[point * sweep->n_seeds + i]);
		}
		sample.name = sink_text(sink, slice_of(field->name));
		rc = sink_sample(sink, &sample);
	}
	free(values);
	return rc;
}

static int
put_point(const struct preemption_sweep *sweep, size_t point, struct sink *sink)
{
	struct preemption_params params;
	struct strbuf name = {0}, scope = {0};
	int rc = 0;

	preemption_sweep_params(sweep, point, &params);
	for (size_t i = 0; i < sweep->n_axes; i++) {
		strbuf_add_text(&name, i ? " " : "");
		sweep_axis_name(sweep->axes[i].param, &name);
		strbuf_add_char(&name, '=');
		axis_value(sweep->axes[i].param, &params, &name);
	}
	strbuf_add_text(&name, sweep->n_axes ? "" : "all");
	strbuf_printf(&scope, "trial %s", name.data);
	for (size_t i = 0; rc == 0 && i < sweep->n_axes; i++) {
		struct strbuf key = {0}, value = {0};

		sweep_axis_name(sweep->axes[i].param, &key);
		axis_value(sweep->axes[i].param, &params, &value);
		rc = sink_tag_texts(sink, sink_text(sink, strbuf_slice(&scope)), strbuf_slice(&key),
		                    strbuf_slice(&value));
		strbuf_free(&key);
		strbuf_free(&value);
	}
	struct trial trial = {sink_text(sink, strbuf_slice(&name)), TEXT_NONE};
	rc = rc ? rc : put_samples(sweep, point, sink_trial(sink, &trial), sink);
	strbuf_free(&name);
	strbuf_free(&scope);
	return rc;
}

int
sweep_record(const struct preemption_sweep *sweep, struct sink *sink, struct err *err)
{
	struct source_facts facts = {.clock = CLOCK_RELATIVE,
	                             .dialect = "sweep",
	                             .records = sweep->n_points * sweep->n_seeds};
	text_code parameters = sink_text(sink, slice_of("parameters"));
	int rc = sink_tag_texts(sink, parameters, slice_of("trace"),
	                        slice_of(sweep->trace ? "replayed" : "by chance"));

	rc = rc ? rc : preemption_record_params(&sweep->base, sink);
	for (size_t point = 0; rc == 0 && point < sweep->n_points; point++) {
		rc = cancel_requested(sweep->cancel) ? err_set(err, ERR_CANCELLED, "interrupted")
		                                     : put_point(sweep, point, sink);
	}
	if (rc == 0) {
		sink_facts(sink, &facts);
	}
	return rc ? -1 : 0;
}
