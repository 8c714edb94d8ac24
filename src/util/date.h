/* Dates as logs and tables write them (ISO 8601, with what people make of it), in the Gregorian
 * calendar.
 * Used by import, query/saved. */
#ifndef LANESCOPE_UTIL_DATE_H
#define LANESCOPE_UTIL_DATE_H

#include <stdbool.h>
#include <stdint.h>
#include "util/slice.h"

/* Days from 1970-01-01 to a date, which is not checked. */
int64_t date_days(int64_t year, int64_t month, int64_t day);

/* The whole text, as ns since 1970 (UTC): "2024-07-01T18:11:24.5+01:00". A blank may stand for the
 * T and before the offset, a comma for the point; the offset may be "Z", "UTC", "+01:00", "+0100"
 * or "+01", and what has none is UTC. Years 1900 to 2100. */
bool date_time_ns(struct slice text, int64_t *ns);
/* Is it such a text without an offset, so that UTC is only assumed? */
bool date_lacks_zone(struct slice text);
bool date_day_ns(struct slice text, int64_t *ns);   /* "2024-07-01": its midnight */
bool date_clock_ns(struct slice text, int64_t *ns); /* "18:11:24.5": since midnight */

#endif
