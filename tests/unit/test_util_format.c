/* Numbers for people, and exact decimal times. */
#include "config.h"

#include <ctype.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "unit.h"
#include "util/format.h"
#include "util/order.h"
#include "util/prng.h"

struct pair {
	int64_t value;
	const char *text;
};

static void
check(char *(*format)(char *, int64_t), const struct pair *pairs, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char out[FORMAT_BYTES];
		ck_assert_str_eq(format(out, pairs[i].value), pairs[i].text);
	}
}
#define CHECK(format, pairs) check(format, pairs, sizeof(pairs) / sizeof *(pairs))

START_TEST(durations)
{
	static const struct pair pairs[] = {
	    {0, "0 ns"},
	    {999, "999 ns"},
	    {-5, "-5 ns"},
	    {1000, "1.00 us"},
	    {12480000, "12.5 ms"},
	    {9999600, "10.0 ms"},
	    {999499, "999 us"},
	    {999500, "1.00 ms"},
	    {999501, "1.00 ms"},
	    {INT64_C(18210000000), "18.2 s"},
	    {INT64_C(-18210000000), "-18.2 s"},
	    {INT64_C(59949000000), "59.9 s"},
	    {INT64_C(59950000000), "1m 00s"},
	    {INT64_C(1264000000000), "21m 04s"},
	    {INT64_C(11520000000000), "3h 12m"},
	    {INT64_C(-11520000000000), "-3h 12m"},
	    {INT64_C(180000000000000), "2d 02h"},
	    {INT64_MAX, "106751d 23h"},
	    {INT64_MIN, "-106751d 23h"},
	};
	CHECK(format_duration, pairs);
}
END_TEST

START_TEST(positions_have_the_digits_that_tell_them_apart)
{
	static const struct {
		int64_t ns, apart_ns;
		const char *text;
	} cases[] = {
	    {0, 1, "0 ns"},
	    {7, 1, "7 ns"},
	    {1500, 100, "1.5 us"},
	    {1500, 1, "1.500 us"},
	    {20000000, 20000000, "20 ms"},
	    {12345678, 1000, "12.346 ms"},
	    {1000000000, 1000000000, "1 s"},
	    {1000000000, 500000000, "1.0 s"},
	    {2578123456, 999999, "2.5781 s"},
	    {59999999999, 1000000000, "1:00"},
	    {INT64_C(89041234567), 100000, "1:29.0412"},
	    {INT64_C(89041234567), 1, "1:29.041234567"},
	    {INT64_C(89041234567), INT64_C(60000000000), "1:29"},
	    {INT64_C(7439000000000), 1000000000, "2:03:59"},
	    {INT64_C(1036810500000000), 100000000, "12d 0:00:10.5"},
	    {-1500, 100, "-1.5 us"},
	    {INT64_MAX, 1, "106751d 23:47:16.854775807"},
	    {INT64_MIN, 1, "-106751d 23:47:16.854775808"},
	};
	char text[FORMAT_BYTES], next[FORMAT_BYTES];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		ck_assert_str_eq(format_position(text, cases[i].ns, cases[i].apart_ns),
		                 cases[i].text);
	}
	for (int64_t apart = 1; apart < INT64_C(100000000000); apart = apart * 7 / 3 + 1) {
		for (int64_t at = 0; at < INT64_MAX / 8; at = at * 5 + apart) {
			int64_t back;

			format_position(text, at, apart);
			format_position(next, at + apart, apart);
			ck_assert_str_ne(text, next);
			ck_assert_msg(parse_duration(slice_of(text), &back), "%s", text);
			ck_assert_int_le(llabs(back - at),
			                 apart > 999999999 ? 500000000 : apart / 2);
		}
	}
}
END_TEST

START_TEST(times_without_a_zoom_are_known_to_the_microsecond)
{
	char text[FORMAT_BYTES];

	ck_assert_str_eq(format_time(text, 0), "0 ns");
	ck_assert_str_eq(format_time(text, 123456), "123.456 us");
	ck_assert_str_eq(format_time(text, -999999), "-999.999 us");
	ck_assert_str_eq(format_time(text, 12345678), "12.346 ms");
	ck_assert_str_eq(format_time(text, INT64_C(180000000000)), "3:00");
	ck_assert_str_eq(format_time(text, 60000), "60 us");
	ck_assert_str_eq(format_time(text, 1500000000), "1.500 s");
	ck_assert_str_eq(format_time(text, INT64_C(89041234567)), "1:29.041235");
}
END_TEST

START_TEST(clocks_are_read)
{
	static const char *const wrong[] = {
	    "1:",   ":1",     "1:60",   "1:2:3:4", "1:60:00", "1d 2",  "1:2 s",
	    "1:-2", "1.5:20", "d 1:00", "1:2:60",  "1d1:00",  "1: 20", "99999999999999999999:00"};
	int64_t ns;

	ck_assert(parse_duration(slice_of("-1:29.5"), &ns));
	ck_assert_int_eq(ns, INT64_C(-89500000000));
	ck_assert(parse_duration(slice_of("90:00"), &ns));
	ck_assert_int_eq(ns, INT64_C(5400000000000));
	ck_assert(parse_duration(slice_of("1d 2:00:00"), &ns));
	ck_assert_int_eq(ns, INT64_C(93600000000000));
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		ck_assert_msg(!parse_duration(slice_of(wrong[i]), &ns), "%s", wrong[i]);
	}
}
END_TEST

START_TEST(sizes)
{
	static const struct pair pairs[] = {
	    {0, "0 B"},
	    {1023, "1023 B"},
	    {1024, "1.000 KiB"},
	    {-1536, "-1.500 KiB"},
	    {INT64_C(619654774784), "577.1 GiB"},
	    {1048575, "1.000 MiB"},
	    {INT64_MAX, "8.000 EiB"},
	    {INT64_MIN, "-8.000 EiB"},
	};
	CHECK(format_size, pairs);
}
END_TEST

START_TEST(rates)
{
	static const struct pair pairs[] = {
	    {0, "0 B/s"}, {1610612736, "1.500 GiB/s"}, {-1536, "-1.500 KiB/s"}};
	CHECK(format_rate, pairs);
}
END_TEST

START_TEST(counts)
{
	static const struct pair pairs[] = {
	    {0, "0"},
	    {999, "999"},
	    {1121, "1 121"},
	    {99999, "99 999"},
	    {100000, "100 k"},
	    {999499, "999 k"},
	    {999500, "1.00 M"},
	    {10000000, "10.0 M"},
	    {-12, "-12"},
	    {-1021, "-1 021"},
	    {-10000000, "-10.0 M"},
	    {INT64_MAX, "9.22 E"},
	    {INT64_MIN, "-9.22 E"},
	};
	CHECK(format_count, pairs);
}
END_TEST

START_TEST(percents)
{
	char out[FORMAT_BYTES];

	ck_assert_str_eq(format_percent(out, 0.472), "47.2 %");
	ck_assert_str_eq(format_percent(out, -0.00001), "0.0 %");
	ck_assert_str_eq(format_percent(out, -1.5), "-150.0 %");
	ck_assert_str_eq(format_percent(out, 1e300), "> 1e15 %");
	ck_assert_str_eq(format_percent(out, (double)NAN), "-");
	ck_assert_str_eq(format_percent(out, (double)-INFINITY), "-> 1e15 %");
}
END_TEST

START_TEST(wall_times)
{
	static const struct {
		const char *zone;
		int64_t ns;
		const char *text;
	} cases[] = {
	    {"UTC0", 0, "1970-01-01T00:00:00.000000Z"},
	    {"UTC0", -1, "1969-12-31T23:59:59.999999Z"},
	    {"UTC0", INT64_C(1730383331250000999), "2024-10-31T14:02:11.250000Z"},
	    {"UTC0", INT64_C(951782400) * 1000000000, "2000-02-29T00:00:00.000000Z"},
	    {"UTC0", INT64_C(4107542400) * 1000000000, "2100-03-01T00:00:00.000000Z"},
	    {"UTC0", INT64_MAX, "2262-04-11T23:47:16.854775Z"},
	    {"UTC0", INT64_MIN, "1677-09-21T00:12:43.145224Z"},
	    /* in winter, in summer, across midnight, with half an hour */
	    {"CET-1CEST,M3.5.0,M10.5.0/3", INT64_C(1730383331) * 1000000000,
	     "2024-10-31T15:02:11.000000+01:00"},
	    {"CET-1CEST,M3.5.0,M10.5.0/3", INT64_C(1719784800) * 1000000000,
	     "2024-07-01T00:00:00.000000+02:00"},
	    {"XXX+3:30", INT64_C(951782400) * 1000000000, "2000-02-28T20:30:00.000000-03:30"},
	};
	char out[FORMAT_BYTES];

	for (size_t i = 0; i < sizeof(cases) / sizeof *cases; i++) {
		ck_assert_int_eq(setenv("TZ", cases[i].zone, 1), 0);
		ck_assert_str_eq(format_wall_time(out, cases[i].ns, WALL_MICROSECOND),
		                 cases[i].text);
	}
	ck_assert_str_eq(format_wall_time(out, 0, WALL_MINUTE), "1969-12-31T20:30-03:30");
	ck_assert_str_eq(format_wall_time(out, 0, WALL_SECOND), "1969-12-31T20:30:00-03:30");
}
END_TEST

START_TEST(reals_are_shortest)
{
	static const struct {
		double value;
		const char *text;
	} cases[] = {
	    {0, "0.0"},
	    {-0.0, "-0.0"},
	    {0.1, "0.1"},
	    {1, "1.0"},
	    {-100000, "-100000.0"},
	    {1e15, "1000000000000000.0"},
	    {1e16, "1e+16"},
	    {123456789012345680.0, "1.2345678901234568e+17"},
	    {0.0001, "0.0001"},
	    {0.00001, "1e-05"},
	    {0.00012345, "0.00012345"},
	    {1.0 / 3, "0.3333333333333333"},
	    {5e-324, "5e-324"},
	    {DBL_MAX, "1.7976931348623157e+308"},
	    {12.5, "12.5"},
	    {1712598200.500024, "1712598200.500024"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char out[FORMAT_BYTES];
		ck_assert_str_eq(format_real(out, cases[i].value), cases[i].text);
	}
}
END_TEST

START_TEST(reals_read_back)
{
	struct prng prng = {5};

	for (int i = 0; i < 50000; i++) {
		uint64_t bits = prng_next(&prng);
		double value, back;
		char out[FORMAT_BYTES];
		memcpy(&value, &bits, sizeof value);
		if (i % 2) {
			value = (double)(int64_t)(bits >> 20) / 1e6;
		}
		ck_assert(slice_double(slice_of(format_real(out, value)), &back));
		ck_assert_msg(value == back || (isnan(value) && isnan(back)), "%s", out);
	}
}
END_TEST

/* Digits of a number's text but for zeros at either end. */
static int
take_digits(const char *text, char digits[40])
{
	int n = 0, zeros = 0;

	for (; *text && *text != 'e'; text++) {
		if (isdigit((unsigned char)*text)) {
			zeros = *text == '0' ? zeros + (n > 0) : 0;
			digits[n] = *text;
			n += n > 0 || *text != '0';
		}
	}
	digits[n - zeros] = '\0';
	return n - zeros;
}

/* Of decimals, powers of two, numbers next to powers of ten and any in between: no shorter text
 * reads back, and the digits are those of the number rounded. */
START_TEST(no_text_is_shorter)
{
	struct prng prng = {6};

	for (int i = 0; i < 50000; i++) {
		char out[FORMAT_BYTES], shorter[40], rounded[40], digits[40], expected[40];
		double value = (double)prng_below(&prng, UINT64_C(1) << (prng_next(&prng) % 54)) /
		               pow(10, (double)prng_below(&prng, 23));
		if (i % 3 == 0) {
			value =
			    nextafter(pow(10, (double)prng_below(&prng, 24) - 8), i % 2 ? 1e30 : 0);
		} else if (i % 3 == 1) {
			value = (double)(prng_next(&prng) >> 11) / 0x1p53 *
			        pow(10, (double)prng_below(&prng, 26) - 9);
		} else if (i % 31 == 0) {
			value = ldexp(1, (int)prng_below(&prng, 84) - 34);
		}
		int n = take_digits(format_real(out, value), digits);
		ck_assert_msg(strtod(out, NULL) == value, "%s", out);
		snprintf(rounded, sizeof rounded, "%.*e", MOST(n, 1) - 1, value);
		take_digits(rounded, expected);
		ck_assert_msg(strcmp(digits, expected) == 0, "%s, not %s", out, rounded);
		if (n > 1) {
			snprintf(shorter, sizeof shorter, "%.*e", n - 2, value);
			ck_assert_msg(strtod(shorter, NULL) != value, "%s, not %s", out, shorter);
		}
	}
}
END_TEST

START_TEST(parse_durations)
{
	static const struct pair good[] = {
	    {300, "300"},
	    {0, "0"},
	    {1500000000, "1.5s"},
	    {20000000, "20ms"},
	    {20000000, "20 ms"},
	    {90000000000, "1m30s"},
	    {INT64_C(7200000000000), "2h"},
	    {INT64_C(1264000000000), "21m 04s"},
	    {12480000, "12.48 ms"},
	    {1001, "1us1ns"},
	    {1000, "1\xc2\xb5s"},
	    {-20000000, "-20ms"},
	    {1, "0.5ns"},
	    {INT64_C(172800000000000), "2d"},
	    {1000, "1\xce\xbcs"},
	    {60000000000, "1min"},
	};
	static const char *const bad[] = {"",      "ms",      "1x",          "1s2", "1 2",
	                                  "--1s",  "1.2.3s",  "s1",          "1s,", "1e3s",
	                                  "5 s x", "300000d", "106000d800d", "+1s", "1..s"};
	int64_t ns;

	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		ck_assert_msg(parse_duration(slice_of(good[i].text), &ns), "%s", good[i].text);
		ck_assert_int_eq(ns, good[i].value);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		ck_assert_msg(!parse_duration(slice_of(bad[i]), &ns), "%s", bad[i]);
	}
}
END_TEST

START_TEST(parse_sizes)
{
	static const struct pair good[] = {
	    {64, "64"},
	    {32768, "32KiB"},
	    {4000000, "4 MB"},
	    {1073741824, "1G"},
	    {1536, "1.5K"},
	    {5, "5 B"},
	    {INT64_C(1) << 50, "1PiB"},
	    {1024, "1k"},
	    {1000, "1kB"},
	    {1000, "1KB"},
	    {1 << 20, "1M"},
	    {1 << 20, "1MiB"},
	    {1 << 30, "1GiB"},
	    {1000000000, "1GB"},
	    {INT64_C(1) << 40, "1T"},
	    {INT64_C(1) << 40, "1TiB"},
	    {INT64_C(1000000000000), "1TB"},
	    {INT64_C(1) << 50, "1P"},
	    {INT64_C(1000000000000000), "1PB"},
	};
	static const char *const bad[] = {"", "KiB", "1X", "1 K K", "-1", "10000PiB", "1KiBs"};
	int64_t bytes;

	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		ck_assert_msg(parse_size(slice_of(good[i].text), &bytes), "%s", good[i].text);
		ck_assert_int_eq(bytes, good[i].value);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		ck_assert_msg(!parse_size(slice_of(bad[i]), &bytes), "%s", bad[i]);
	}
}
END_TEST

START_TEST(parse_rates)
{
	int64_t rate;

	ck_assert(parse_rate(slice_of("2KiB/s"), &rate) && rate == 2048);
	ck_assert(parse_rate(slice_of("3 MB/s"), &rate) && rate == 3000000);
	ck_assert(parse_rate(slice_of("7"), &rate) && rate == 7);
	ck_assert(parse_rate(slice_of("7/s"), &rate) && rate == 7);
	ck_assert(!parse_rate(slice_of("/s"), &rate));
	ck_assert(!parse_rate(slice_of(""), &rate));
	ck_assert(!parse_rate(slice_of("1KiB/h"), &rate));
	ck_assert(!parse_rate(slice_of("1/s/s"), &rate));
}
END_TEST

START_TEST(decimals)
{
	static const struct {
		const char *text;
		int64_t unit, value;
	} good[] = {
	    {"1712598200500024", 1000, INT64_C(1712598200500024000)},
	    {"0.1", 1000000000, 100000000},
	    {"1712598200.500024123", 1000000000, INT64_C(1712598200500024123)},
	    {"1712598200.5000241235", 1000000000, INT64_C(1712598200500024124)},
	    {"1712598200.50002412349999999999999999999999", 1000000000,
	     INT64_C(1712598200500024123)},
	    {"-0.0000000005", 1000000000, -1},
	    {"-0.00000000049999", 1000000000, 0},
	    {"0.0004999999999999999999999", 1000, 0},
	    {"0.0005", 1000, 1},
	    {"1e3", 1, 1000},
	    {"1.5E+3", 1, 1500},
	    {"15000e-4", 1, 2},
	    {"14999e-4", 1, 1},
	    {"1e-30", 1000000000, 0},
	    {"1e-999999999999999999999", 1000000000, 0},
	    {"0e999999999999999999999", 1000000000, 0},
	    {"0.000000000000000000000000000000001e33", 1, 1},
	    {"100000000000000000000000000000000e-32", 1, 1},
	    {"9223372036854775807", 1, INT64_MAX},
	    {"-9223372036854775808", 1, INT64_MIN},
	    {"9223372036854775.807", 1000, INT64_MAX},
	    {"9223372036.854775807", 1000000000, INT64_MAX},
	    {"9223372036.8547758074", 1000000000, INT64_MAX},
	    {"-9223372036.8547758084", 1000000000, INT64_MIN},
	    {"0.5", 7, 4},
	    {"0.333333333333333333333333333333", 3, 1},
	    {"1.", 10, 10},
	};
	static const char *const bad[] = {"",
	                                  "-",
	                                  ".",
	                                  "1e",
	                                  "1e+",
	                                  "+1",
	                                  "1x",
	                                  " 1",
	                                  "1.2.3",
	                                  "nan",
	                                  "9223372036854775808",
	                                  "-9223372036854775809",
	                                  "9223372036854775807.5",
	                                  "1e19",
	                                  "1e999999999999999999999",
	                                  "99999999999999999999999999999999"};
	int64_t ns;

	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		ck_assert_msg(decimal_to_ns(slice_of(good[i].text), good[i].unit, &ns), "%s",
		              good[i].text);
		ck_assert_msg(ns == good[i].value, "%s: %" PRId64, good[i].text, ns);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		ck_assert_msg(!decimal_to_ns(slice_of(bad[i]), 1, &ns), "%s", bad[i]);
	}
	ck_assert(!decimal_to_ns(slice_of("9223372036854775.808"), 1000, &ns));
	ck_assert(!decimal_to_ns(slice_of("1"), 0, &ns));
}
END_TEST

/* Shifting the point by hand through the exponent does not change the value. */
START_TEST(decimals_do_not_depend_on_their_spelling)
{
	struct prng prng = {6};

	for (int i = 0; i < 50000; i++) {
		uint64_t digits = prng_next(&prng) >> (4 + prng_below(&prng, 50));
		int shift = (int)prng_below(&prng, 12);
		int64_t unit = INT64_C(1);
		for (uint64_t n = prng_below(&prng, 10); n > 0; n--) {
			unit *= 10;
		}
		char plain[80], moved[80];
		uint64_t power = 1;
		for (int n = 0; n < shift; n++) {
			power *= 10;
		}
		snprintf(plain, sizeof plain, "%" PRIu64 "e-%d", digits, shift);
		snprintf(moved, sizeof moved, "%" PRIu64 ".%0*" PRIu64, digits / power,
		         shift ? shift : 1, digits % power);
		int64_t a = 0, b = 0;
		bool is_a = decimal_to_ns(slice_of(plain), unit, &a);
		bool is_b = decimal_to_ns(slice_of(moved), unit, &b);
		unsigned __int128 exact =
		    ((unsigned __int128)digits * (uint64_t)unit * 2 / power + 1) / 2;
		ck_assert_int_eq(is_a, exact <= INT64_MAX);
		ck_assert_int_eq(is_b, is_a);
		if (is_a) {
			ck_assert_int_eq(a, (int64_t)exact);
			ck_assert_int_eq(b, a);
		}
	}
}
END_TEST

START_TEST(integers_however_spelt)
{
	static const struct pair good[] = {
	    {27, "27"},
	    {27, "27.0"},
	    {27, "27."},
	    {-27, "-2.7e1"},
	    {0, "0.000"},
	    {0, "0e-5"},
	    {INT64_C(16000000000000), "1.6e13"},
	    {INT64_C(16274564727889), "16274564727889.0"},
	    {INT64_C(1730382061123456789), "1730382061123456789.0"},
	    {INT64_C(1730382061123456789), "1.730382061123456789E+18"},
	    {120, "12000e-2"},
	    {INT64_MAX, "9223372036854775807.000"},
	};
	static const char *const bad[] = {
	    "",    "27.5", "1e-1", "0.5", "1.05e1", "1e30", "nan", "0x10", "9223372036854775808.0",
	    "1 0", "+"};
	int64_t value;

	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		ck_assert_msg(decimal_to_int64(slice_of(good[i].text), &value), "%s", good[i].text);
		ck_assert_int_eq(value, good[i].value);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		ck_assert_msg(!decimal_to_int64(slice_of(bad[i]), &value), "%s", bad[i]);
	}
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("util_format");
	TCase *tests = tcase_create("format");

	tcase_add_test(tests, durations);
	tcase_add_test(tests, positions_have_the_digits_that_tell_them_apart);
	tcase_add_test(tests, times_without_a_zoom_are_known_to_the_microsecond);
	tcase_add_test(tests, clocks_are_read);
	tcase_add_test(tests, sizes);
	tcase_add_test(tests, rates);
	tcase_add_test(tests, counts);
	tcase_add_test(tests, percents);
	tcase_add_test(tests, wall_times);
	tcase_add_test(tests, reals_are_shortest);
	tcase_add_test(tests, reals_read_back);
	tcase_add_test(tests, no_text_is_shorter);
	tcase_add_test(tests, parse_durations);
	tcase_add_test(tests, parse_sizes);
	tcase_add_test(tests, parse_rates);
	tcase_add_test(tests, decimals);
	tcase_add_test(tests, decimals_do_not_depend_on_their_spelling);
	tcase_add_test(tests, integers_however_spelt);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
