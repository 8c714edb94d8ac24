/* What --from, --to and --lanes mean, wherever they are taken. */
#include "config.h"
#include "cli/window.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "util/format.h"
#include "util/mem.h"

int
window_take_time(const char *option, const char *value, int64_t *ns, struct err *err)
{
	return !parse_duration(slice_of(value), ns) || *ns < 0
	           ? err_set(err, ERR_USAGE,
	                     "--%s=%s: a time from the run's start is needed (3.2s, 10ms, ns)",
	                     option, value)
	           : 0;
}

int
window_check(int64_t from_ns, int64_t to_ns, struct err *err)
{
	char from[FORMAT_BYTES], to[FORMAT_BYTES];

	return from_ns < to_ns
	           ? 0
	           : err_set(err, ERR_USAGE, "the window is empty: it begins at %s and ends at %s",
	                     format_time(from, from_ns), format_time(to, to_ns));
}

bool
window_matches_lane(const char *text, struct slice name)
{
	char *copy = xstrndup(name.ptr, name.len);
	bool matches =
	    strpbrk(text, "*?[") ? fnmatch(text, copy, 0) == 0 : strstr(copy, text) != NULL;

	free(copy);
	return matches;
}
