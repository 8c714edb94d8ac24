/* One table decides how a number of some kind is read and shown, so that parameters, filters, the
 * explorer, tables and Markdown agree. */
#include "config.h"
#include "query/saved/query.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A real as an integer of its unit; saturates. */
static int64_t
whole(double real)
{
	if (!(real > -9.2e18)) {
		return INT64_MIN;
	}
	return real < 9.2e18 ? (int64_t)llround(real) : INT64_MAX;
}

/* Wall clocks count from 1970, monotonic ones from boot: what would be before 1980 is the latter.
 */
static char *
show_clock(char *buffer, int64_t ns)
{
	if (ns < INT64_C(315532800000000000)) {
		return format_time(buffer, ns);
	}
	return format_wall_time(buffer, ns, WALL_MICROSECOND);
}

static char *
show_plain(char *buffer, int64_t value)
{
	snprintf(buffer, FORMAT_BYTES, "%lld", (long long)value);
	return buffer;
}

static char *
show_real(char *buffer, double value)
{
	snprintf(buffer, FORMAT_BYTES, "%.6g", value);
	return buffer;
}

static char *
show_whole_percent(char *buffer, int64_t value)
{
	return format_percent(buffer, (double)value);
}

static bool
read_real(struct slice text, double *real)
{
	return slice_double(text, real) && isfinite(*real);
}

static bool
read_percent(struct slice text, double *share)
{
	bool percent = text.len && text.ptr[text.len - 1] == '%';
	text.len -= percent;
	while (percent && text.len && text.ptr[text.len - 1] == ' ') {
		text.len--;
	}
	if (!slice_double(text, share) || !isfinite(*share)) {
		return false;
	}
	*share = percent ? *share / 100 : *share;
	return true;
}

#define TIME_TEXTS                                                                                 \
	.unit = "ns", .units = "ns us ms s", .examples = "a duration like 30s, 20ms or 1m30s",     \
	.read = parse_duration
const struct column_kind_facts column_kinds[COLUMN_KINDS] = {
    [KIND_TEXT] = {.name = "text",
                   .examples = "a text",
                   .show = show_plain,
                   .show_real = show_real},
    [KIND_INTEGER] = {.name = "integer",
                      .examples = "an integer",
                      .read = slice_int64,
                      .show = show_plain},
    [KIND_REAL] = {.name = "real",
                   .examples = "a number like 0.25",
                   .read_real = read_real,
                   .show = show_plain,
                   .show_real = show_real},
    [KIND_DURATION] = {.name = "duration",
                       TIME_TEXTS,
                       .show = format_duration,
                       .adds_up = true,
                       .is_length = true},
    [KIND_TIME] = {.name = "time", TIME_TEXTS, .show = format_time},
    [KIND_CLOCK] = {.name = "clock", TIME_TEXTS, .show = show_clock},
    [KIND_SIZE] = {.name = "size",
                   .unit = "bytes",
                   .units = "B KiB MiB GiB",
                   .examples = "a size like 64KiB, 4 MB, 1G or 512B",
                   .read = parse_size,
                   .show = format_size,
                   .is_amount = true,
                   .adds_up = true,
                   .is_length = true},
    [KIND_RATE] = {.name = "rate",
                   .unit = "bytes/s",
                   .units = "B/s KiB/s MiB/s GiB/s",
                   .examples = "a rate like 1.5GiB/s",
                   .read = parse_rate,
                   .show = format_rate,
                   .is_amount = true,
                   .is_length = true},
    [KIND_PERCENT] = {.name = "percent",
                      .examples = "a share like 50% or 0.5",
                      .read_real = read_percent,
                      .show = show_whole_percent,
                      .show_real = format_percent},
    [KIND_COUNT] = {.name = "count",
                    .examples = "an integer",
                    .read = slice_int64,
                    .show = format_count,
                    .is_amount = true,
                    .adds_up = true},
};

bool
column_kind_find(struct slice name, enum column_kind *kind)
{
	size_t i = NAME_FIND(name, column_kinds);
	if (i < COLUMN_KINDS) {
		*kind = (enum column_kind)i;
	}
	return i < COLUMN_KINDS;
}

bool
column_kind_is_number(enum column_kind kind)
{
	return kind != KIND_TEXT;
}

bool
query_parse_value(enum column_kind kind, struct slice text, struct value *value)
{
	const struct column_kind_facts *facts = &column_kinds[kind];
	int64_t integer;
	double real;

	if (facts->read && facts->read(text, &integer)) {
		*value = value_integer(integer);
	} else if (facts->read_real && facts->read_real(text, &real)) {
		*value = value_real(real);
	} else if (kind == KIND_TEXT) {
		*value = (struct value){.type = VALUE_TEXT, .text = text};
	} else {
		return false;
	}
	return true;
}

struct slice
value_show(const struct value *value, enum column_kind kind, char buffer[FORMAT_BYTES])
{
	const struct column_kind_facts *facts = &column_kinds[kind];

	switch (value->type) {
	case VALUE_INTEGER:
		return slice_of(facts->show(buffer, value->integer));
	case VALUE_REAL:
		return slice_of(facts->show_real        ? facts->show_real(buffer, value->real)
		                : isfinite(value->real) ? facts->show(buffer, whole(value->real))
		                                        : "");
	case VALUE_TEXT:
	case VALUE_BLOB:
		return value->text;
	default:
		return slice_of("");
	}
}
