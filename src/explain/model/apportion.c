/* What no int64 can hold is cut to the nearest: then the sum is not met, and the caller's rows show
 * a residual. */
#include "config.h"

#include "explain/model/apportion.h"

#include <math.h>
#include <stdlib.h>

#include "util/mem.h"
#include "util/order.h"

struct remainder {
	long double size;
	size_t place;
};

static int
compare(const void *a, const void *b)
{
	const struct remainder *x = a, *y = b;

	ORDER_BY(y->size, x->size);
	return ORDER(x->place, y->place);
}

/* out holds the quotients rounded down. */
static void
hand_out(struct remainder *remainders, size_t n, int64_t total, int64_t *out)
{
	wide_int missing = total;

	for (size_t i = 0; i < n; i++) {
		missing -= out[i];
	}
	SORT(remainders, n, compare);
	for (size_t i = 0; i < n && missing > 0; i++, missing--) {
		out[remainders[i].place] += out[remainders[i].place] < INT64_MAX;
	}
	for (size_t i = n; i-- > 0 && missing < 0; missing++) {
		out[remainders[i].place] -= out[remainders[i].place] > INT64_MIN;
	}
}

void
apportion(const wide_int *amounts, size_t n, wide_int divisor, int64_t total, int64_t *out)
{
	struct remainder *remainders = xcalloc(n, sizeof *remainders);

	for (size_t i = 0; i < n; i++) {
		wide_int quotient = amounts[i] / divisor, left = amounts[i] % divisor;

		if (left < 0) { /* round down, not to zero */
			quotient--;
			left += divisor;
		}
		out[i] = (int64_t)MOST(LEAST(quotient, INT64_MAX), INT64_MIN);
		remainders[i] = (struct remainder){(long double)left, i};
	}
	hand_out(remainders, n, total, out);
	free(remainders);
}

void
apportion_reals(const long double *amounts, size_t n, int64_t total, int64_t *out)
{
	struct remainder *remainders = xcalloc(n, sizeof *remainders);

	for (size_t i = 0; i < n; i++) {
		long double below = floorl(amounts[i]);

		out[i] = below >= 0x1p63L   ? INT64_MAX
		         : below < -0x1p63L ? INT64_MIN
		                            : (int64_t)below;
		remainders[i] = (struct remainder){amounts[i] - below, i};
	}
	hand_out(remainders, n, total, out);
	free(remainders);
}
