#include "config.h"
#include "util/clock.h"

#include <time.h>

int64_t
clock_ns(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now); /* can't fail for this clock */
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}
