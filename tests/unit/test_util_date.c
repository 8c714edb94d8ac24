/* Dates and times of day as texts. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "unit.h"
#include "util/date.h"

struct pair {
	int64_t value;
	const char *text;
};

START_TEST(dates)
{
	static const struct pair good[] = {
	    {0, "1970-01-01T00:00:00Z"},
	    {0, "1970-01-01 00:00:00"},
	    {INT64_C(-1000000000), "1969-12-31T23:59:59Z"},
	    {INT64_C(951825600500000000), "2000-02-29 12:00:00.5"},
	    {INT64_C(951825600500000000), "2000-02-29 12:00:00,5"},
	    {INT64_C(1700000000000000000), "2023-11-14T23:13:20+01:00"},
	    {INT64_C(1700000000000000000), "2023-11-15T03:43:20+0530"},
	    {INT64_C(1700000000250000000), "2023-11-14 17:13:20.25-05"},
	    {INT64_C(1700000000000000000), "2023-11-14 22:13:20 +0000"},
	    {INT64_C(1700000000000000000), "2023-11-14 22:13:20 UTC"},
	};
	static const char *const bad[] = {"",
	                                  "2023-11-14",
	                                  "2023-02-29T00:00:00Z",
	                                  "2100-02-29T00:00:00Z",
	                                  "2023-13-01T00:00:00Z",
	                                  "2023-1-01T00:00:00Z",
	                                  "2023-11-14T24:00:00Z",
	                                  "2023-11-14T22:13:20ZZ",
	                                  "2023-11-14T22:13:20.",
	                                  "2023-11-14T22:13:20.5e1",
	                                  "2023-11-14T22:13:20+1",
	                                  "2023-11-14T22:13:2",
	                                  "2023-11-14T22:1",
	                                  "2023-1",
	                                  "2023-11-14T:13:20Z",
	                                  "2023-11-14T22::20Z",
	                                  "202",
	                                  "2023-11-14T22:13:20+24:00",
	                                  "2023-11-14T22:13:20+01:60",
	                                  "2023-11-14T22:13:20+01:",
	                                  "2023-11-14T22:13:20 CET",
	                                  "2023-11-14-22:13:20"};
	int64_t ns;

	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		ck_assert_msg(date_time_ns(slice_of(good[i].text), &ns), "%s", good[i].text);
		ck_assert_int_eq(ns, good[i].value);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		ck_assert_msg(!date_time_ns(slice_of(bad[i]), &ns), "%s", bad[i]);
	}
	ck_assert(date_lacks_zone(slice_of("2023-11-14 22:13:20.5")));
	ck_assert(!date_lacks_zone(slice_of("2023-11-14 22:13:20Z")));
	ck_assert(!date_lacks_zone(slice_of("2023-11-14T22:13:20 +01:00")));
	ck_assert(!date_lacks_zone(slice_of("2023-11-14")));
	ck_assert(!date_lacks_zone(slice_of("1700000000")));
	ck_assert(date_day_ns(slice_of("1970-01-02"), &ns) && ns == INT64_C(86400000000000));
	ck_assert(date_clock_ns(slice_of("00:01:00.5"), &ns) && ns == INT64_C(60500000000));
	ck_assert(!date_clock_ns(slice_of("00:01:00 "), &ns));
}
END_TEST

/* Every day of two centuries, and days that are none, as the C library counts them. */
START_TEST(every_date)
{
	for (int year = 1899; year <= 2101; year++) {
		for (int month = 0; month <= 13; month++) {
			for (int day = 0; day <= 32; day++) {
				struct tm tm = {
				    .tm_year = year - 1900, .tm_mon = month - 1, .tm_mday = day};
				char text[48];
				int64_t ns;
				time_t s = timegm(&tm);
				bool is_day = year >= 1900 && year <= 2100 && month >= 1 &&
				              tm.tm_mon == month - 1 && tm.tm_mday == day;
				snprintf(text, sizeof text, "%04d-%02d-%02d", year, month, day);
				ck_assert_msg(date_day_ns(slice_of(text), &ns) == is_day, "%s",
				              text);
				ck_assert_msg(!is_day || ns == (int64_t)s * 1000000000, "%s", text);
				ck_assert(!is_day || date_days(year, month, day) * 86400 == s);
			}
		}
	}
	ck_assert_int_eq(date_days(0, 3, 1), -719468);
	ck_assert_int_eq(date_days(-400, 3, 1), -719468 - 146097);
	ck_assert_int_eq(date_days(-1, 3, 1), -719468 - 366);
}
END_TEST

/* A time of which a character is missing or stands twice is none, but for what is optional. */
START_TEST(every_character_of_a_time_counts)
{
	static const char good[] = "2021-07-26T18:42:05.25+02:30";
	/* where one may be missing: a digit of the fraction, the colon of the offset */
	static const char may_miss[] = "....................xx...x..",
			  may_double[] = "....................xx......";
	const int64_t whole = INT64_C(1627315925250000000);
	int64_t ns;
	char text[64];

	ck_assert(date_time_ns(slice_of(good), &ns) && ns == whole);
	for (size_t i = 0; good[i]; i++) {
		snprintf(text, sizeof text, "%.*s%s", (int)i, good, good + i + 1);
		ck_assert_msg(date_time_ns(slice_of(text), &ns) == (may_miss[i] == 'x'), "%s",
		              text);
		snprintf(text, sizeof text, "%.*s%s", (int)i + 1, good, good + i);
		ck_assert_msg(date_time_ns(slice_of(text), &ns) == (may_double[i] == 'x'), "%s",
		              text);
		snprintf(text, sizeof text, "%.*s", (int)i, good);
		bool is_whole = i == 19 || i == 21 || i == 22 || i == 25;
		ck_assert_msg(date_time_ns(slice_of(text), &ns) == is_whole, "%s", text);
		if (is_whole) {
			ck_assert_int_eq(ns,
			                 i == 19   ? whole + 9000 * INT64_C(1000000000) - 250000000
			                 : i == 21 ? whole + 9000 * INT64_C(1000000000) - 50000000
			                 : i == 22 ? whole + 9000 * INT64_C(1000000000)
			                           : whole + 1800 * INT64_C(1000000000));
		}
	}
	for (int n = 0; n < 100; n++) {
		snprintf(text, sizeof text, "%02d:00:00", n);
		ck_assert_int_eq(date_clock_ns(slice_of(text), &ns), n < 24);
		ck_assert(n >= 24 || ns == n * INT64_C(3600000000000));
		snprintf(text, sizeof text, "00:%02d:00", n);
		ck_assert_int_eq(date_clock_ns(slice_of(text), &ns), n < 60);
		ck_assert(n >= 60 || ns == n * INT64_C(60000000000));
		snprintf(text, sizeof text, "00:00:%02d", n);
		ck_assert_int_eq(date_clock_ns(slice_of(text), &ns), n <= 60);
		ck_assert(n > 60 || ns == n * INT64_C(1000000000));
		snprintf(text, sizeof text, "1970-01-02 00:00:00 -%02d", n);
		ck_assert_int_eq(date_time_ns(slice_of(text), &ns), n < 24);
		ck_assert(n >= 24 || ns == (24 + n) * INT64_C(3600000000000));
		snprintf(text, sizeof text, "1970-01-02t00:00:00+00%02d", n);
		ck_assert_int_eq(date_time_ns(slice_of(text), &ns), n < 60);
		ck_assert(n >= 60 || ns == (1440 - n) * INT64_C(60000000000));
	}
	snprintf(text, sizeof text, "00:00:00.%040d", 5);
	ck_assert(date_clock_ns(slice_of(text), &ns));
	snprintf(text, sizeof text, "00:00:00.%041d", 5);
	ck_assert(!date_clock_ns(slice_of(text), &ns));
	ck_assert(date_clock_ns(slice_of("00:00:00,5"), &ns) && ns == 500000000);
	ck_assert(!date_clock_ns(slice_of("00:00:00."), &ns));
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("util_date");
	TCase *tests = tcase_create("date");

	tcase_add_test(tests, dates);
	tcase_add_test(tests, every_date);
	tcase_add_test(tests, every_character_of_a_time_counts);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
