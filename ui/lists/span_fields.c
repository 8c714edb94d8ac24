/*
 * What is known of a span, as rows of a label and a value: itself, its arguments, the stages of its
 * task, then the spans that it leads to.
 */
#include "config.h"

#include "ui/lists/span_fields.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/format.h"
#include "util/mem.h"
#include "util/utf8.h"

#define LABEL_COLUMNS 14
#define LABEL_LIMIT 28

static void
add(struct span_fields *fields, enum span_section section, struct slice label, struct slice value,
    int64_t id)
{
	int columns = (int)utf8_columns(label) + 2;

	if (value.len == 0) {
		return;
	}
	MEM_GROW(fields->list, fields->capacity, fields->n + 1);
	fields->list[fields->n++] = (struct span_field){section, label, value, id};
	columns = columns > LABEL_LIMIT ? LABEL_LIMIT : columns;
	fields->label_columns = columns > fields->label_columns ? columns : fields->label_columns;
}

static void __attribute__((format(printf, 3, 4)))
add_printf(struct span_fields *fields, const char *label, const char *format, ...)
{
	char text[256];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	add(fields, fields->section, slice_of(label), arena_slice(fields->arena, slice_of(text)),
	    0);
}

/* Of the span itself. */
static void
add_own(struct span_fields *fields, const char *label, struct slice value)
{
	add(fields, SECTION_SPAN, slice_of(label), value, 0);
}

/* A time with all of its nanoseconds: "4.868 s  (4867673123 ns)". */
static void
add_time(struct span_fields *fields, const char *label,
         char *(*show)(char out[FORMAT_BYTES], int64_t ns), int64_t ns)
{
	char text[FORMAT_BYTES];

	show(text, ns);
	if (ns > -1000 && ns < 1000) { /* "7 ns" says all */
		add_printf(fields, label, "%s", text);
	} else {
		add_printf(fields, label, "%s  (%lld ns)", text, (long long)ns);
	}
}

static void
add_size(struct span_fields *fields, const char *label, int64_t bytes)
{
	char text[FORMAT_BYTES];

	add_printf(fields, label, "%s  (%lld bytes)", format_size(text, bytes), (long long)bytes);
}

/* A column of the registry that needs no words. */
static void
add_plain(struct span_fields *fields, const struct row_column_info *column,
          const struct scan_value *value)
{
	if (value->type == SCAN_TEXT) {
		add_own(fields, column->name, value->text);
	} else if (value->type == SCAN_INTEGER && column->unit == UNIT_DURATION) {
		add_time(fields, column->name, format_duration, value->integer);
	} else if (value->type == SCAN_INTEGER && column->unit == UNIT_SIZE) {
		add_size(fields, column->name, value->integer);
	} else if (value->type == SCAN_INTEGER) {
		add_printf(fields, column->name, "%lld", (long long)value->integer);
	}
}

static void
add_lane(struct span_fields *fields)
{
	const struct span_about *about = fields->about;
	struct strbuf text = {0};
	const struct {
		const char *name;
		struct slice value;
	} parts[] = {{"host", about->host},
	             {"process", about->process},
	             {"thread", about->thread},
	             {"kind", about->kind}};

	strbuf_add_slice(&text, about->lane);
	for (size_t i = 0; i < COUNT_OF(parts); i++) {
		if (parts[i].value.len > 0) {
			strbuf_printf(&text, "  %s ", parts[i].name);
			strbuf_add_slice(&text, parts[i].value);
		}
	}
	add_own(fields, "lane", arena_slice(fields->arena, strbuf_slice(&text)));
	strbuf_free(&text);
}

/* A record that stands for many calls: what it tells of them, and how much of its interval they
 * took, if they did not overlap. */
static void
add_calls(struct span_fields *fields, const struct span_row *row)
{
	char n[FORMAT_BYTES], sum[FORMAT_BYTES], text[FORMAT_BYTES];

	add_printf(fields, "calls", "%s in this interval; when and how long each: unknown",
	           format_count(n, row->calls));
	if (row->call_sum_ns != TIME_NONE) {
		add_printf(fields, "time of calls", "%s, mean %s",
		           format_duration(sum, row->call_sum_ns),
		           format_duration(text, row->call_sum_ns / row->calls));
	}
	if (row->call_min_ns != TIME_NONE && row->call_max_ns != TIME_NONE) {
		add_printf(fields, "a call", "min %s, max %s",
		           format_duration(sum, row->call_min_ns),
		           format_duration(text, row->call_max_ns));
	}
	if (row->call_sum_ns != TIME_NONE && row->duration_ns > 0) {
		add_printf(
		    fields, "density", "%s of the interval",
		    format_percent(text, (double)row->call_sum_ns / (double)row->duration_ns));
	}
	if (row->size_bytes != SIZE_NONE) {
		add_printf(fields, "mean size", "%s",
		           format_size(text, row->size_bytes / row->calls));
	}
	if (row->size_min != SIZE_NONE && row->size_max != SIZE_NONE) {
		add_printf(fields, "size of a call", "min %s, max %s",
		           format_size(sum, row->size_min), format_size(text, row->size_max));
	}
}

static void
add_facts(struct span_fields *fields)
{
	const struct span_about *about = fields->about;
	const struct span_row *row = &about->span;
	char text[FORMAT_BYTES];

	add_own(fields, "name", about->name);
	add_own(fields, "category", about->category);
	add_lane(fields);
	add_time(fields, "start", format_time, row->start_ns);
	add_time(fields, "duration", format_duration, row->duration_ns);
	if (row->self_ns != row->duration_ns) {
		add_time(fields, "self", format_duration, row->self_ns);
	}
	if (row->size_bytes != SIZE_NONE) {
		add_size(fields, "size", row->size_bytes);
		if (row->duration_ns > 0 && row->size_bytes > 0) {
			double rate = (double)row->size_bytes / (double)row->duration_ns * 1e9;

			add_printf(fields, "rate", "%s%s/s", row->calls > 1 ? "at least " : "",
			           format_size(text, rate < 9e18 ? (int64_t)rate : INT64_MAX));
		}
	}
	add_own(fields, "path", about->path);
	if (row->unfinished) {
		add_own(fields, "unfinished",
		        slice_of("its end is not in the trace: until its last time"));
	}
	if (row->calls > 1) {
		add_calls(fields, row);
	}
	for (int i = 0; i < ROW_COLUMNS; i++) {
		add_plain(fields, &row_columns[i], &about->plain[i]);
	}
	add_printf(fields, "id", "%lld", (long long)row->id);
	add_own(fields, "source", about->source);
}

static void
add_comparison(struct span_fields *fields)
{
	const struct span_peers *peers = fields->peers;
	double own = (double)fields->about->span.duration_ns;
	char a[FORMAT_BYTES], b[FORMAT_BYTES], c[FORMAT_BYTES], d[FORMAT_BYTES], n[FORMAT_BYTES];

	if (!peers || peers->n < 2 || !isfinite(peers->mean_ns)) {
		return;
	}
	if (peers->n_summed > 0) { /* not even whether a call took longer than this one is known */
		add_printf(fields, "of its name", "%s calls: mean %s; %s are only known as sums",
		           format_count(n, peers->n), format_duration(a, (int64_t)peers->mean_ns),
		           format_count(b, peers->n_summed));
		return;
	}
	add_printf(fields, peers->kind.len > 0 ? "of its kind" : "of its name",
	           "%s: min %s, median %s, p95 %s, max %s", format_count(n, peers->n),
	           format_duration(a, peers->min_ns), format_duration(b, (int64_t)peers->median_ns),
	           format_duration(c, (int64_t)peers->p95_ns), format_duration(d, peers->max_ns));
	if (peers->mean_ns > 0 && peers->median_ns > 0) {
		add_printf(fields, "against them",
		           "%.2f x their mean, %.2f x their median; %s took longer",
		           own / peers->mean_ns, own / peers->median_ns,
		           peers->n_longer > 0 ? format_count(n, peers->n_longer) : "none");
	}
}

static void
add_stages(struct span_fields *fields)
{
	const struct span_about *about = fields->about;
	char at[FORMAT_BYTES], since[FORMAT_BYTES];

	for (size_t i = 0; i < about->n_stages; i++) {
		const struct span_stage *stage = &about->stages[i];

		add_printf(fields, stage->name, "%-11s%s%s", format_time(at, stage->at_ns),
		           stage->since_ns < 0 ? "" : "  +",
		           stage->since_ns < 0 ? "" : format_duration(since, stage->since_ns));
	}
}

static void
add_lines(struct span_fields *fields, enum span_section section, const char *label,
          const struct span_lines *lines)
{
	fields->section = section;
	for (size_t i = 0; i < lines->n; i++) {
		const struct span_line *line = &lines->lines[i];
		struct strbuf text = {0};
		char number[FORMAT_BYTES];

		strbuf_printf(&text, "%9s  ", format_duration(number, line->duration_ns));
		strbuf_add_slice(&text, line->name);
		if (!slice_equal(line->lane, fields->about->lane)) {
			strbuf_add_text(&text, "  on ");
			strbuf_add_slice(&text, line->lane);
		}
		add(fields, section, slice_of(label),
		    arena_slice(fields->arena, strbuf_slice(&text)), line->id);
		strbuf_free(&text);
	}
	if (lines->n_all > (int64_t)lines->n) {
		char number[FORMAT_BYTES];

		add_printf(fields, "", "%9s  in all; the longest are shown",
		           format_count(number, lines->n_all));
	}
}

void
span_fields_lay(struct span_fields *fields, const struct span_about *about,
                const struct span_peers *peers)
{
	arena_free(fields->arena);
	fields->arena = arena_new();
	fields->about = about;
	fields->peers = peers;
	fields->n = 0;
	fields->label_columns = LABEL_COLUMNS;
	fields->section = SECTION_SPAN;
	add_facts(fields);
	add_comparison(fields);
	for (size_t i = 0; i < about->n_arguments; i++) {
		add(fields, SECTION_ARGUMENTS, about->arguments[i].name, about->arguments[i].value,
		    0);
	}
	fields->section = SECTION_TASK;
	add_stages(fields);
	add_lines(fields, SECTION_PARENTS, "parent", &about->parents);
	add_lines(fields, SECTION_INPUTS, "input", &about->inputs);
	add_lines(fields, SECTION_OUTPUTS, "output", &about->outputs);
	if (peers) {
		add_lines(fields, SECTION_CHILDREN, "child", &peers->children);
	}
}

void
span_fields_free(struct span_fields *fields)
{
	arena_free(fields->arena);
	free(fields->list);
}
