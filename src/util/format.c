/*
 * What people read: few digits, the unit that fits, the same in every locale. Exact values are
 * printed elsewhere as integers; only format_real round-trips.
 */
#include "config.h"
#include "util/format.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "util/ascii.h"
#include "util/real_digits.h"

#define NS_PER_SECOND INT64_C(1000000000)

/* value (0 <= value < 1e5) with at most `digits` significant digits (3 or 4). No "%.*f": its
 * decimal point is the locale's. */
static void
put_scaled(char *out, size_t size, bool negative, double value, int digits)
{
	uint64_t limit = digits == 4 ? 10000 : 1000;
	uint64_t scale = limit / 10;
	uint64_t rounded = (uint64_t)llround(value * (double)scale);
	int after = digits - 1;
	char fraction[8] = "";

	while (rounded >= limit && after > 0) {
		scale /= 10;
		after--;
		rounded = (uint64_t)llround(value * (double)scale);
	}
	if (after) {
		uint64_t rest = rounded % scale;
		fraction[0] = '.';
		for (int i = after; i > 0; i--, rest /= 10) {
			fraction[i] = (char)('0' + rest % 10);
		}
	}
	snprintf(out, size, "%s%" PRIu64 "%s", negative ? "-" : "", rounded / scale, fraction);
}

static uint64_t
magnitude(int64_t value)
{
	return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

/* Whole seconds and above: two units, the lower one padded. */
static void
put_long_duration(char out[FORMAT_BYTES], const char *sign, uint64_t seconds)
{
	uint64_t minutes = seconds / 60;
	uint64_t hours = minutes / 60;

	if (hours == 0) {
		snprintf(out, FORMAT_BYTES, "%s%" PRIu64 "m %02us", sign, minutes,
		         (unsigned)(seconds % 60));
	} else if (hours < 24) {
		snprintf(out, FORMAT_BYTES, "%s%" PRIu64 "h %02um", sign, hours,
		         (unsigned)(minutes % 60));
	} else {
		snprintf(out, FORMAT_BYTES, "%s%" PRIu64 "d %02uh", sign, hours / 24,
		         (unsigned)(hours % 24));
	}
}

char *
format_duration(char out[FORMAT_BYTES], int64_t ns)
{
	static const struct {
		const char *name;
		double ns,
		    below; /* largest value that still prints with three digits in this unit */
	} units[] = {{"us", 1e3, 999.5e3}, {"ms", 1e6, 999.5e6}, {"s", 1e9, 59.95e9}};
	uint64_t size = magnitude(ns);
	char number[FORMAT_BYTES - 8];

	if (size < 1000) {
		snprintf(out, FORMAT_BYTES, "%" PRId64 " ns", ns);
		return out;
	}
	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		if ((double)size < units[i].below) {
			put_scaled(number, sizeof number, ns < 0, (double)size / units[i].ns, 3);
			snprintf(out, FORMAT_BYTES, "%s %s", number, units[i].name);
			return out;
		}
	}
	uint64_t seconds = (size + NS_PER_SECOND / 2) / NS_PER_SECOND;
	put_long_duration(out, ns < 0 ? "-" : "", seconds);
	return out;
}

/* Digits after a point, of a value below 10^places: "" or ".0412". */
static void
put_fraction(char out[16], uint64_t value, int places, int digits)
{
	for (; places > digits; places--) {
		value /= 10;
	}
	out[0] = '\0';
	if (digits > 0) {
		out[0] = '.';
		out[digits + 1] = '\0';
		for (int i = digits; i > 0; i--, value /= 10) {
			out[i] = (char)('0' + value % 10);
		}
	}
}

static void
put_clock(char out[FORMAT_BYTES], const char *sign, uint64_t ns, int digits)
{
	uint64_t seconds = ns / NS_PER_SECOND, hours = seconds / 3600;
	unsigned minute = (unsigned)(seconds / 60 % 60), second = (unsigned)(seconds % 60);
	char fraction[16];

	put_fraction(fraction, ns % NS_PER_SECOND, 9, digits);
	if (hours >= 24) {
		snprintf(out, FORMAT_BYTES, "%s%" PRIu64 "d %u:%02u:%02u%s", sign, hours / 24,
		         (unsigned)(hours % 24), minute, second, fraction);
	} else if (hours > 0) {
		snprintf(out, FORMAT_BYTES, "%s%u:%02u:%02u%s", sign, (unsigned)hours, minute,
		         second, fraction);
	} else {
		snprintf(out, FORMAT_BYTES, "%s%u:%02u%s", sign, minute, second, fraction);
	}
}

char *
format_position(char out[FORMAT_BYTES], int64_t ns, int64_t apart_ns)
{
	static const struct {
		const char *name;
		uint64_t ns;
		int places;
	} units[] = {{"s", 1000000000, 9}, {"ms", 1000000, 6}, {"us", 1000, 3}, {"ns", 1, 0}};
	const char *sign = ns < 0 ? "-" : "";
	uint64_t size = magnitude(ns), finest = 1;
	int known = 0; /* digits of the nanoseconds that do not matter */
	char fraction[16];
	size_t i = 0;

	while (known < 9 && apart_ns / 10 >= (int64_t)finest) {
		finest *= 10;
		known++;
	}
	size = (size + finest / 2) / finest * finest;
	if (size >= 60 * (uint64_t)NS_PER_SECOND) {
		put_clock(out, sign, size, 9 - known);
		return out;
	}
	while (i < 3 && size < units[i].ns) {
		i++;
	}
	int digits = units[i].places > known ? units[i].places - known : 0;
	put_fraction(fraction, size % units[i].ns, units[i].places, digits);
	snprintf(out, FORMAT_BYTES, "%s%" PRIu64 "%s %s", size > 0 ? sign : "", size / units[i].ns,
	         fraction, units[i].name);
	return out;
}

char *
format_time(char out[FORMAT_BYTES], int64_t ns)
{
	uint64_t size = magnitude(ns);
	int64_t finest_ns = size < 1000000 ? 1 : 1000;

	while (finest_ns < NS_PER_SECOND && size % (uint64_t)(1000 * finest_ns) == 0) {
		finest_ns *= 1000; /* zeros behind the point say nothing */
	}
	return format_position(out, ns, finest_ns);
}

char *
format_size(char out[FORMAT_BYTES], int64_t bytes)
{
	static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
	uint64_t size = magnitude(bytes);
	double value = (double)size / 1024;
	size_t unit = 0;
	char number[FORMAT_BYTES - 8];

	if (size < 1024) {
		snprintf(out, FORMAT_BYTES, "%" PRId64 " B", bytes);
		return out;
	}
	while (value >= 1023.5 && unit + 1 < sizeof units / sizeof *units) {
		value /= 1024;
		unit++;
	}
	put_scaled(number, sizeof number, bytes < 0, value, 4);
	snprintf(out, FORMAT_BYTES, "%s %s", number, units[unit]);
	return out;
}

char *
format_rate(char out[FORMAT_BYTES], int64_t bytes_per_second)
{
	size_t n = strlen(format_size(out, bytes_per_second));

	snprintf(out + n, FORMAT_BYTES - n, "/s");
	return out;
}

char *
format_count(char out[FORMAT_BYTES], int64_t count)
{
	static const char units[] = {'k', 'M', 'G', 'T', 'P', 'E'};
	uint64_t size = magnitude(count);
	const char *sign = count < 0 ? "-" : "";
	char number[FORMAT_BYTES - 8];

	if (size < 1000) {
		snprintf(out, FORMAT_BYTES, "%s%" PRIu64, sign, size);
	} else if (size < 100000) {
		snprintf(out, FORMAT_BYTES, "%s%" PRIu64 " %03" PRIu64, sign, size / 1000,
		         size % 1000);
	} else {
		double value = (double)size / 1e3;
		size_t unit = 0;
		while (value >= 999.5 && unit + 1 < sizeof units) {
			value /= 1e3;
			unit++;
		}
		put_scaled(number, sizeof number, count < 0, value, 3);
		snprintf(out, FORMAT_BYTES, "%s %c", number, units[unit]);
	}
	return out;
}

char *
format_percent(char out[FORMAT_BYTES], double share)
{
	double percent = fabs(share * 100);

	if (isnan(share)) {
		snprintf(out, FORMAT_BYTES, "-");
	} else if (percent > 1e15) {
		snprintf(out, FORMAT_BYTES, "%s> 1e15 %%", share < 0 ? "-" : "");
	} else {
		uint64_t tenths = (uint64_t)llround(percent * 10);
		snprintf(out, FORMAT_BYTES, "%s%" PRIu64 ".%u %%", share < 0 && tenths ? "-" : "",
		         tenths / 10, (unsigned)(tenths % 10));
	}
	return out;
}

static char *
put(char *at, const char *text, int n)
{
	memcpy(at, text, (size_t)n);
	return at + n;
}

char *
format_real(char out[FORMAT_BYTES], double value)
{
	static const char zeros[] = "000000000000000";
	char digits[REAL_DIGITS], *at = out;
	int exponent10;

	if (isnan(value) || isinf(value)) {
		snprintf(out, FORMAT_BYTES, "%s",
		         isnan(value) ? "nan"
		         : value < 0  ? "-inf"
		                      : "inf");
		return out;
	}
	if (signbit(value)) {
		*at++ = '-';
	}
	int n = value == 0 ? 0 : real_digits(fabs(value), digits, &exponent10);
	if (n == 0) {
		at = put(at, "0.0", 3);
	} else if (exponent10 < -4 || exponent10 >= 16) {
		snprintf(at, FORMAT_BYTES - 1, "%c%s%.*se%s%02d", digits[0], n > 1 ? "." : "",
		         n - 1, digits + 1, exponent10 < 0 ? "-" : "+",
		         exponent10 < 0 ? -exponent10 : exponent10);
		return out;
	} else if (exponent10 < 0) {
		at = put(put(at, "0.", 2), zeros, -exponent10 - 1);
		at = put(at, digits, n);
	} else if (n > exponent10 + 1) {
		at = put(put(at, digits, exponent10 + 1), ".", 1);
		at = put(at, digits + exponent10 + 1, n - exponent10 - 1);
	} else {
		at = put(put(at, digits, n), zeros, exponent10 + 1 - n);
		at = put(at, ".0", 2);
	}
	*at = '\0';
	return out;
}

/* Date of a day counted from 1970-01-01, proleptic Gregorian: years start in March here, so that
 * the leap day is a year's last one. */
static void
civil_date(int64_t day, int64_t *year, unsigned *month, unsigned *month_day)
{
	int64_t shifted = day + 719468;
	int64_t era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
	unsigned day_of_era = (unsigned)(shifted - era * 146097);
	unsigned year_of_era =
	    (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
	unsigned day_of_year =
	    day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
	unsigned from_march = (5 * day_of_year + 2) / 153;

	*month_day = day_of_year - (153 * from_march + 2) / 5 + 1;
	*month = from_march < 10 ? from_march + 3 : from_march - 9;
	*year = (int64_t)year_of_era + era * 400 + (*month <= 2);
}

/* How far the local time is ahead of UTC then, in whole minutes, as ISO 8601 has it. */
static int64_t
zone_seconds(int64_t seconds)
{
	time_t then = (time_t)seconds;
	struct tm local;

	tzset();
	return then == seconds && localtime_r(&then, &local) ? local.tm_gmtoff / 60 * 60 : 0;
}

static void
add_zone(char *out, size_t room, int64_t seconds)
{
	unsigned minutes = (unsigned)(seconds < 0 ? -seconds : seconds) / 60;

	if (seconds == 0) {
		snprintf(out, room, "Z");
	} else {
		snprintf(out, room, "%c%02u:%02u", seconds < 0 ? '-' : '+', minutes / 60,
		         minutes % 60);
	}
}

char *
format_wall_time(char out[FORMAT_BYTES], int64_t ns, enum wall_precision precision)
{
	int64_t rest = ns % NS_PER_SECOND, utc = ns / NS_PER_SECOND - (rest < 0);
	int64_t zone = zone_seconds(utc);
	int64_t seconds = utc + zone, day = seconds / 86400 - (seconds % 86400 < 0);
	unsigned second = (unsigned)(seconds - day * 86400);
	int64_t year;
	unsigned month, month_day;

	civil_date(day, &year, &month, &month_day);
	int n = snprintf(out, FORMAT_BYTES, "%04" PRId64 "-%02u-%02uT%02u:%02u", year, month,
	                 month_day, second / 3600, second / 60 % 60);
	if (precision >= WALL_SECOND) {
		n += snprintf(out + n, FORMAT_BYTES - (size_t)n, ":%02u", second % 60);
	}
	if (precision >= WALL_MICROSECOND) {
		n += snprintf(out + n, FORMAT_BYTES - (size_t)n, ".%06" PRId64,
		              (rest < 0 ? rest + NS_PER_SECOND : rest) / 1000);
	}
	add_zone(out + n, FORMAT_BYTES - (size_t)n, zone);
	return out;
}
