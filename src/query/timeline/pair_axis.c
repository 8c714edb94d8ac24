/* No run is longer than the axis, so that each of its times has a point of its own. */
#include "config.h"

#include "query/timeline/pair_axis.h"

#include <stdbool.h>

#include "util/intervals.h"
#include "util/order.h"

int64_t
pair_axis_length(const struct pair_axis *axis)
{
	if (axis->alignment == ALIGN_ANCHOR) {
		int64_t a = time_sub(axis->duration_ns[0], axis->anchor_ns[0]);
		int64_t b = time_sub(axis->duration_ns[1], axis->anchor_ns[1]);

		return time_add(MOST(axis->anchor_ns[0], axis->anchor_ns[1]), MOST(a, b));
	}
	return MOST(axis->duration_ns[0], axis->duration_ns[1]);
}

/* By how much a run begins later than the axis. */
static int64_t
shift(const struct pair_axis *axis, int side)
{
	int64_t later = time_sub(axis->anchor_ns[!side], axis->anchor_ns[side]);

	return axis->alignment == ALIGN_ANCHOR && later > 0 ? later : 0;
}

/* value * by / of, towards minus infinity. of > 0. */
static int64_t
scale_down(int64_t value, int64_t by, int64_t of)
{
	__int128 product = (__int128)value * by;
	__int128 whole = product / of;

	whole -= product % of < 0;
	return whole > INT64_MAX ? INT64_MAX : whole < INT64_MIN ? INT64_MIN : (int64_t)whole;
}

static bool
is_scaled(const struct pair_axis *axis, int side)
{
	return axis->alignment == ALIGN_SCALED && axis->duration_ns[side] > 0;
}

int64_t
pair_axis_time(const struct pair_axis *axis, int side, int64_t at_ns)
{
	if (is_scaled(axis, side)) {
		return scale_down(at_ns, axis->duration_ns[side], pair_axis_length(axis));
	}
	return time_sub(at_ns, shift(axis, side));
}

int64_t
pair_axis_point(const struct pair_axis *axis, int side, int64_t time_ns)
{
	if (is_scaled(axis, side)) { /* towards plus infinity */
		return -scale_down(-time_ns, pair_axis_length(axis), axis->duration_ns[side]);
	}
	return time_add(time_ns, shift(axis, side));
}
