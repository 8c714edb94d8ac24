/*
 * Scales and ticks. Ticks stand at round values of the axis's unit: 1, 2 and 5 times a power of
 * ten, powers of two of bytes, and of times minutes, hours and days where they are that long. Their
 * texts have the digits that tell neighbours apart, and no others.
 */
#include "config.h"
#include "chart/chart_private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "util/order.h"

static bool
is_time(enum column_kind kind)
{
	return kind == KIND_DURATION || kind == KIND_TIME || kind == KIND_CLOCK;
}

static bool
is_binary(enum column_kind kind)
{
	return kind == KIND_SIZE || kind == KIND_RATE;
}

static bool
is_whole(enum column_kind kind)
{
	return kind == KIND_COUNT || kind == KIND_INTEGER || is_time(kind) || is_binary(kind);
}

double
chart_axis_share(const struct chart_axis *axis, double value)
{
	if (axis->is_log) {
		value = value > 0 ? value : axis->low;
		return log(value / axis->low) / log(axis->high / axis->low);
	}
	return (value - axis->low) / (axis->high - axis->low);
}

/* The least of 1, 2, 5 times a power of ten that is no less. */
static double
decimal_step(double least)
{
	double power = pow(10, floor(log10(least)));

	for (int i = 0; i < 3; i++) {
		static const double factors[] = {1, 2, 5};

		if (factors[i] * power >= least * (1 - 1e-9)) {
			return factors[i] * power;
		}
	}
	return 10 * power;
}

static double
time_step(double least)
{
	static const double seconds[] = {30,   60,   120,   300,   600,   1200, 1800,
	                                 3600, 7200, 10800, 21600, 43200, 86400};

	if (least <= 20e9) {
		return decimal_step(least);
	}
	for (size_t i = 0; i < COUNT_OF(seconds); i++) {
		if (seconds[i] * 1e9 >= least) {
			return seconds[i] * 1e9;
		}
	}
	return decimal_step(least / 86400e9) * 86400e9;
}

double
chart_step(enum column_kind kind, double least)
{
	double step = is_time(kind)     ? time_step(least)
	              : is_binary(kind) ? exp2(ceil(log2(least) - 1e-9))
	                                : decimal_step(least);

	return is_whole(kind) && step < 1 ? 1 : step;
}

static int64_t
whole(double value)
{
	return value > -9.2e18 ? value < 9.2e18 ? (int64_t)llround(value) : INT64_MAX : INT64_MIN;
}

/* "64.0 KiB" as "64 KiB". */
static void
drop_zeros(char *text)
{
	char *dot = strchr(text, '.');
	char *end = dot ? dot + 1 + strspn(dot + 1, "0123456789") : NULL;
	char *last = end;

	if (!dot || *end == 'e') {
		return;
	}
	while (last[-1] == '0') {
		last--;
	}
	last -= last[-1] == '.';
	memmove(last, end, strlen(end) + 1);
}

/* A clock's time of day; of one that counts from boot, its time. */
static void
show_clock(char out[FORMAT_BYTES], int64_t ns, int64_t apart_ns)
{
	char whole_text[FORMAT_BYTES];

	if (ns < INT64_C(315532800000000000)) {
		format_position(out, ns, apart_ns);
		return;
	}
	format_wall_time(whole_text, ns, WALL_SECOND); /* 2024-10-31T14:02:11Z */
	bool is_days = apart_ns >= INT64_C(86400000000000);
	snprintf(out, FORMAT_BYTES, "%.*s", is_days ? 10 : 8, whole_text + (is_days ? 0 : 11));
	if (apart_ns < 1000000000) {
		size_t n = strlen(out);
		snprintf(out + n, FORMAT_BYTES - n, ".%06lld", (long long)(ns % 1000000000 / 1000));
	}
}

/* With the digits that tell it from its neighbour `apart` away. */
static char *
show(enum column_kind kind, double value, double apart, char out[FORMAT_BYTES])
{
	struct value shown = value_real(value);
	double digits = 1 + floor(log10(MOST(fabs(value), apart) / apart) + 1e-9);

	if (value == 0) {
		return strcpy(out, kind == KIND_PERCENT ? "0 %" : "0");
	}
	if (kind == KIND_CLOCK) {
		show_clock(out, whole(value), whole(apart));
	} else if (is_time(kind)) {
		format_position(out, whole(value), whole(apart));
	} else if (is_binary(kind) && digits <= 4) {
		(void)value_show(&shown, kind, out);
	} else if (kind == KIND_PERCENT && apart < 1e-3 && fabs(value) < 1e12) {
		snprintf(out, FORMAT_BYTES, "%.*g %%", (int)LEAST(digits + 1, 15), value * 100);
		return out;
	} else if (kind == KIND_PERCENT || (kind == KIND_COUNT && digits <= 3)) {
		(void)value_show(&shown, kind, out);
	} else {
		snprintf(out, FORMAT_BYTES, "%.*g", (int)LEAST(MOST(digits + 1, 6), 15), value);
		return out;
	}
	if (!strchr(out, ':')) {
		drop_zeros(out);
	}
	return out;
}

char *
chart_axis_show(const struct chart_axis *axis, double value, char out[FORMAT_BYTES])
{
	struct value shown = value_real(value);

	if (axis->kind == KIND_COUNT && value != floor(value)) { /* a mean of counts */
		snprintf(out, FORMAT_BYTES, "%.4g", value);
		return out;
	}
	if (axis->kind == KIND_CLOCK) {
		show_clock(out, whole(value), 1);
		return out;
	}
	struct slice text = value_show(&shown, axis->kind, out);
	if (text.ptr != out) {
		snprintf(out, FORMAT_BYTES, "%.*s", (int)text.len, text.ptr);
	}
	return out;
}

static bool
add_tick(const struct chart_axis *axis, double at, double apart, struct chart_tick *ticks,
         size_t *n)
{
	double margin = axis->is_log ? 0 : (axis->high - axis->low) * 1e-9;

	if (*n == CHART_TICKS || at > axis->high * (axis->is_log ? 1 + 1e-9 : 1) + margin) {
		return false;
	}
	if (at >= axis->low * (axis->is_log ? 1 - 1e-9 : 1) - margin) {
		ticks[*n].at = at;
		show(axis->kind, at, apart, ticks[*n].text);
		(*n)++;
	}
	return true;
}

/* Powers of two, or of ten, with 2 and 5 between them where there are few. */
static size_t
log_ticks(const struct chart_axis *axis, size_t wanted, struct chart_tick *ticks)
{
	bool binary = is_binary(axis->kind);
	double base = binary ? 2 : 10;
	double powers = log(axis->high / axis->low) / log(base);
	double every = MOST(1, ceil(powers / (double)wanted));
	bool is_fine = !binary && powers * 3 <= (double)wanted + 2;
	double first = floor(log(axis->low) / log(base) / every + 1e-9) * every;
	size_t n = 0;

	for (size_t i = 0; i < 4 * CHART_TICKS; i++) {
		double at = pow(base, first + (double)i * every);

		if (!add_tick(axis, at, at, ticks, &n) ||
		    (is_fine && (!add_tick(axis, 2 * at, at, ticks, &n) ||
		                 !add_tick(axis, 5 * at, at, ticks, &n)))) {
			break;
		}
	}
	return n;
}

size_t
chart_axis_ticks(const struct chart_axis *axis, size_t wanted, struct chart_tick ticks[CHART_TICKS])
{
	size_t n = 0;

	wanted = LEAST(MOST(wanted, 1), CHART_TICKS - 2);
	if (axis->n_names > 0) {
		return 0;
	}
	if (axis->is_log) {
		return log_ticks(axis, wanted, ticks);
	}
	double step = chart_step(axis->kind, (axis->high - axis->low) / (double)wanted);
	double first = ceil(axis->low / step - 1e-9);
	for (size_t i = 0; i < CHART_TICKS; i++) {
		double index = first + (double)i;

		if (!add_tick(axis, index == 0 ? 0 : index * step, step, ticks, &n)) {
			break;
		}
	}
	return n;
}

void
chart_axis_fit(struct chart_axis *axis, double low, double high, bool with_zero)
{
	if (!(low <= high)) { /* nothing to show */
		low = axis->is_log ? 1 : 0;
		high = axis->is_log ? 10 : 1;
	}
	if (axis->is_log) {
		low = MOST(low, 1 / CHART_LIMIT);
		high = MOST(high, 1 / CHART_LIMIT);
		axis->low = low < high ? low : low / 2;
		axis->high = low < high ? high : high * 2;
		return;
	}
	if (with_zero || (low > 0 && low < high / 2)) {
		low = LEAST(low, 0);
		high = MOST(high, 0);
	}
	double room = MOST(MOST(fabs(low), fabs(high)) * 1e-13, 1 / CHART_LIMIT);
	if (high - low <= room) {
		double half = fabs(high) > room ? fabs(high) / 2 : 1;

		low = low >= 0 && low - half < 0 ? 0 : low - half;
		high += half;
	}
	axis->low = low;
	axis->high = high;
}

void
chart_axis_round(struct chart_axis *axis, size_t wanted)
{
	if (!axis->is_log && axis->n_names == 0) {
		double step = chart_step(axis->kind, (axis->high - axis->low) / (double)wanted);

		axis->low = floor(axis->low / step + 1e-9) * step;
		axis->high = ceil(axis->high / step - 1e-9) * step;
	}
}
