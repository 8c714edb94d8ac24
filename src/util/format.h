/* Numbers as people read them, and back. All parse functions take the whole text or fail.
 * Used by most rooms. */
#ifndef LANESCOPE_UTIL_FORMAT_H
#define LANESCOPE_UTIL_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "util/slice.h"

#define FORMAT_BYTES 48 /* enough for any result below */

/* At most three significant digits and a unit: "12.5 ms", "18.2 s", "21m 04s", "3h 12m". ns. */
char *format_duration(char out[FORMAT_BYTES], int64_t ns);
/* A time from a run's start, with the digits that tell it from one apart_ns away: "89.04 ms",
 * "1.5 s", from a minute on as clocks have it, "1:29.0412", "2:03:59", "12d 0:00:10". Read back by
 * parse_duration. */
char *format_position(char out[FORMAT_BYTES], int64_t ns, int64_t apart_ns);
/* The same where no zoom says what has to be told apart: to the microsecond, below a millisecond
 * all of it, without thousandths that are 0: "3:00", "1.500 s", "29.548 ms". */
char *format_time(char out[FORMAT_BYTES], int64_t ns);
/* "577.1 GiB", powers of 1024; bytes. */
char *format_size(char out[FORMAT_BYTES], int64_t bytes);
/* "1.5 GiB/s" */
char *format_rate(char out[FORMAT_BYTES], int64_t bytes_per_second);
/* "10.0 M" from 100 000 up, grouped by thin "1 121" below. */
char *format_count(char out[FORMAT_BYTES], int64_t count);
char *format_percent(char out[FORMAT_BYTES], double share); /* 0.472 -> "47.2 %" */
/* Shortest decimal that reads back as the same double; "." in any locale; integers get ".0". */
char *format_real(char out[FORMAT_BYTES], double value);
/* "2024-10-31T14:02:11+01:00" from ns since 1970, in the time zone of the user (TZ); "Z" for
 * UTC. */
enum wall_precision { WALL_MINUTE, WALL_SECOND, WALL_MICROSECOND };
char *format_wall_time(char out[FORMAT_BYTES], int64_t ns, enum wall_precision precision);

bool parse_duration(struct slice text,
                    int64_t *ns); /* "1.5s" "20ms" "300" (ns) "1m30s" "2h" "1:29.04" */
bool parse_rate(struct slice text, int64_t *bytes_per_second); /* "1.5 GiB/s", or as a size */
bool parse_size(struct slice text, int64_t *bytes); /* "64" "32KiB" "4 MB" (1000s) "1G" (1024s) */

/* Decimal JSON number of `unit_ns` units to integer ns, exact without a double, rounding half away
 * from zero below 1 ns; accepts sign, fraction and exponent. False when not a number or out of
 * range. */
bool decimal_to_ns(struct slice number, int64_t unit_ns, int64_t *ns);
/* The integer that a decimal number is, however it is spelt ("27", "27.0", "1.6e13"), exact without
 * a double. False when it has a fraction, is no number or out of range. */
bool decimal_to_int64(struct slice number, int64_t *value);

#endif
