/*
 * Times of a Chrome trace: decimal microseconds -> nanoseconds.
 *
 * Since 1970 they have sixteen digits before the point and often three behind it, more than a
 * double holds, so it is the text that is converted. Halves of a nanosecond go to the even one, as
 * other readers of such traces round.
 */
#include "config.h"
#include "import/import_chrome.h"

#include "util/format.h"
#include "util/intervals.h"

#define NS_PER_US 1000

/* Does the number end with exactly half a nanosecond: is its last digit, but zeros, the fourth
 * behind the point, and a 5? */
static bool
is_tie(struct slice text)
{
	int64_t n = 0, n_before = -1, last = 0, exponent = 0; /* digits */
	bool is_five = false;
	size_t i = text.ptr[0] == '-';

	for (; i < text.len && text.ptr[i] != 'e' && text.ptr[i] != 'E'; i++) {
		char c = text.ptr[i];
		if (c == '.') {
			n_before = n;
			continue;
		}
		if (c != '0') {
			last = n;
			is_five = c == '5';
		}
		n++;
	}
	n_before = n_before < 0 ? n : n_before;
	if (i < text.len) {
		struct slice power = {text.ptr + i + 1, text.len - i - 1};
		if (power.len && power.ptr[0] == '+') {
			power = slice_from(power, 1);
		}
		if (!slice_int64(power, &exponent)) {
			return false;
		}
	}
	return is_five && time_sub(last - (n_before - 1), exponent) == 4;
}

bool
chrome_time(struct slice text, int64_t *ns)
{
	int64_t rounded; /* away from zero */

	if (!decimal_to_ns(text, NS_PER_US, &rounded) || rounded <= -TIME_LIMIT ||
	    rounded >= TIME_LIMIT) {
		return false;
	}
	if (rounded & 1 && is_tie(text)) {
		rounded -= text.ptr[0] == '-' ? -1 : 1;
	}
	*ns = rounded;
	return true;
}
