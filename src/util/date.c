/*
 * A date is taken off the front of the text piece by piece; each piece says whether it was there.
 * Nothing depends on the locale, the time zone or the C library's calendar.
 */
#include "config.h"
#include "util/date.h"

#include "util/ascii.h"
#include "util/format.h"

#define NS_PER_S INT64_C(1000000000)
#define FRACTION_DIGITS 40u /* more are no time */

int64_t
date_days(int64_t year, int64_t month, int64_t day)
{
	year -= month <= 2;
	int64_t era = (year >= 0 ? year : year - 399) / 400, of_era = year - era * 400;
	int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;

	return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static bool
take_digits(struct slice *text, size_t n, int64_t *value)
{
	if (text->len < n) {
		return false;
	}
	*value = 0;
	for (size_t i = 0; i < n; i++) {
		if (!is_digit(text->ptr[i])) {
			return false;
		}
		*value = *value * 10 + (text->ptr[i] - '0');
	}
	*text = slice_from(*text, n);
	return true;
}

static bool
take_one_of(struct slice *text, const char *accepted)
{
	if (text->len == 0 || text->ptr[0] == '\0' || !strchr(accepted, text->ptr[0])) {
		return false;
	}
	*text = slice_from(*text, 1);
	return true;
}

static bool
is_leap(int64_t year)
{
	return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static bool
take_day(struct slice *text, int64_t *ns)
{
	static const unsigned char days[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	int64_t year, month, day;

	if (!take_digits(text, 4, &year) || !take_one_of(text, "-") ||
	    !take_digits(text, 2, &month) || !take_one_of(text, "-") ||
	    !take_digits(text, 2, &day)) {
		return false;
	}
	if (year < 1900 || year > 2100 || month < 1 || month > 12 || day < 1 ||
	    day > days[month - 1] || (month == 2 && day == 29 && !is_leap(year))) {
		return false;
	}
	*ns = date_days(year, month, day) * 86400 * NS_PER_S;
	return true;
}

/* ".25" or ",25", if there is one. */
static bool
take_fraction(struct slice *text, int64_t *ns)
{
	char decimal[FRACTION_DIGITS + 3] = "0.";
	size_t n = 0;

	*ns = 0;
	if (!take_one_of(text, ".,")) {
		return true;
	}
	while (n < text->len && is_digit(text->ptr[n])) {
		n++;
	}
	if (n == 0 || n > FRACTION_DIGITS) {
		return false;
	}
	memcpy(decimal + 2, text->ptr, n);
	*text = slice_from(*text, n);
	return decimal_to_ns((struct slice){decimal, n + 2}, NS_PER_S, ns);
}

static bool
take_clock(struct slice *text, int64_t *ns)
{
	int64_t hours, minutes, seconds, fraction;

	if (!take_digits(text, 2, &hours) || !take_one_of(text, ":") ||
	    !take_digits(text, 2, &minutes) || !take_one_of(text, ":") ||
	    !take_digits(text, 2, &seconds) || !take_fraction(text, &fraction)) {
		return false;
	}
	*ns = (hours * 3600 + minutes * 60 + seconds) * NS_PER_S + fraction;
	return hours < 24 && minutes < 60 && seconds <= 60; /* a leap second */
}

/* All that is left: an offset from UTC, or nothing. */
static bool
read_offset(struct slice text, int64_t *seconds)
{
	int64_t hours = 0, minutes = 0;

	*seconds = 0;
	(void)take_one_of(&text, " ");
	if (text.len == 0 || slice_is(text, "Z") || slice_is(text, "z") || slice_is(text, "UTC")) {
		return true;
	}
	bool is_behind = text.ptr[0] == '-';
	if (!take_one_of(&text, "+-") || !take_digits(&text, 2, &hours)) {
		return false;
	}
	if (text.len) {
		(void)take_one_of(&text, ":");
		if (!take_digits(&text, 2, &minutes)) {
			return false;
		}
	}
	*seconds = (is_behind ? -1 : 1) * (hours * 60 + minutes) * 60;
	return text.len == 0 && hours < 24 && minutes < 60;
}

bool
date_time_ns(struct slice text, int64_t *ns)
{
	int64_t day_ns, clock_ns, offset_s;

	if (!take_day(&text, &day_ns) || !take_one_of(&text, "Tt ") ||
	    !take_clock(&text, &clock_ns) || !read_offset(text, &offset_s)) {
		return false;
	}
	*ns = day_ns + clock_ns - offset_s * NS_PER_S;
	return true;
}

bool
date_lacks_zone(struct slice text)
{
	int64_t ns;

	return take_day(&text, &ns) && take_one_of(&text, "Tt ") && take_clock(&text, &ns) &&
	       text.len == 0;
}

bool
date_day_ns(struct slice text, int64_t *ns)
{
	return take_day(&text, ns) && text.len == 0;
}

bool
date_clock_ns(struct slice text, int64_t *ns)
{
	return take_clock(&text, ns) && text.len == 0;
}
