/* One place decides how a number of some kind looks, so that the explorer, tables and Markdown
 * agree. */
#include "config.h"

#include "query/saved/show.h"

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

/* A place on the time axis: to the microsecond, as neighbours differ by little. */
static const char *
show_time(int64_t ns, char *buffer)
{
	snprintf(buffer, FORMAT_BYTES, "%s%lld.%06lld s", ns < 0 ? "-" : "", llabs(ns / 1000000000),
	         llabs(ns % 1000000000) / 1000);
	return buffer;
}

/* Wall clocks count from 1970, monotonic ones from boot: what would be before 1980 is the latter.
 */
static const char *
show_clock(int64_t ns, char *buffer)
{
	if (ns < INT64_C(315532800000000000)) {
		return show_time(ns, buffer);
	}
	format_wall_time(buffer, ns);
	size_t n = strlen(buffer);
	snprintf(buffer + n, FORMAT_BYTES - n, ".%06lld", (long long)(ns % 1000000000 / 1000));
	return buffer;
}

static const char *
show_integer(int64_t integer, enum column_kind kind, char *buffer)
{
	switch (kind) {
	case KIND_TIME:
		return show_time(integer, buffer);
	case KIND_DURATION:
		return format_duration(buffer, integer);
	case KIND_SIZE:
		return format_size(buffer, integer);
	case KIND_RATE:
		return format_rate(buffer, integer);
	case KIND_COUNT:
		return format_count(buffer, integer);
	case KIND_PERCENT:
		return format_percent(buffer, (double)integer);
	case KIND_CLOCK:
		return show_clock(integer, buffer);
	default:
		snprintf(buffer, FORMAT_BYTES, "%lld", (long long)integer);
		return buffer;
	}
}

static const char *
show_real(double real, enum column_kind kind, char *buffer)
{
	switch (kind) {
	case KIND_PERCENT:
		return format_percent(buffer, real);
	case KIND_REAL:
	case KIND_TEXT:
		snprintf(buffer, FORMAT_BYTES, "%.6g", real);
		return buffer;
	default:
		return isfinite(real) ? show_integer(whole(real), kind, buffer) : "";
	}
}

struct slice
value_show(const struct value *value, enum column_kind kind, char buffer[FORMAT_BYTES])
{
	switch (value->type) {
	case VALUE_INTEGER:
		return slice_of(show_integer(value->integer, kind, buffer));
	case VALUE_REAL:
		return slice_of(show_real(value->real, kind, buffer));
	case VALUE_TEXT:
	case VALUE_BLOB:
		return value->text;
	default:
		return slice_of("");
	}
}
