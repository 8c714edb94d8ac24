/*
 * Half: the other half is left for what is not counted (SQLite's pages, the C library's own, files
 * that the kernel keeps) and for the neighbours. The limit that budget_enforce sets is of private
 * writable memory (RLIMIT_DATA): the bytes of programs and shared libraries do not count, stacks of
 * threads do, whole. Then malloc fails, and the program ends by a sentence instead of a signal.
 */
#include "config.h"
#include "util/budget.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "util/format.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/workers.h"

#define STACK_ROOM (INT64_C(8) << 20) /* of each thread: what the C library reserves */
#define LINE_BYTES 4096

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED
#endif
#endif

static struct {
	int64_t bytes, limit;
	const char *why; /* "half of ...", or what said it */
	bool is_given;
} budget;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct rlimit before;
static bool is_enforced;

/* ---- control groups ---- */

/* The number in a file; INT64_MAX: there is none ("max", or no file). */
static int64_t
read_number(const char *path)
{
	FILE *file = fopen(path, "re");
	int64_t value = INT64_MAX;

	if (file) {
		if (fscanf(file, "%" SCNd64, &value) != 1 || value <= 0) {
			value = INT64_MAX;
		}
		(void)fclose(file);
	}
	return value;
}

/* The least that a group and those above it allow. What is mounted may begin anywhere above it, so
 * folders that are not there allow all. */
static int64_t
least_above(const char *mount, const char *controller, const char *group, const char *name)
{
	char folder[LINE_BYTES];
	int64_t least = INT64_MAX;

	snprintf(folder, sizeof folder, "%s", group);
	for (;;) {
		char path[2 * LINE_BYTES];
		snprintf(path, sizeof path, "%s%s%s/%s", mount, controller, folder, name);
		least = LEAST(least, read_number(path));
		char *slash = strrchr(folder, '/');
		if (!slash) {
			return least;
		}
		*slash = '\0';
	}
}

static bool
has_word(const char *list, const char *word)
{
	size_t n = strlen(word);

	for (const char *at = list; (at = strstr(at, word)); at += n) {
		if ((at == list || at[-1] == ',') && (at[n] == ',' || at[n] == '\0')) {
			return true;
		}
	}
	return false;
}

int64_t
budget_of_groups(const char *groups, const char *mount)
{
	FILE *file = fopen(groups, "re");
	char line[LINE_BYTES];
	int64_t least = INT64_MAX;

	while (file && fgets(line, sizeof line, file)) { /* "NUMBER:CONTROLLERS:/GROUP" */
		line[strcspn(line, "\n")] = '\0';
		char *controllers = strchr(line, ':');
		char *group = controllers ? strchr(controllers + 1, ':') : NULL;
		if (!group) {
			continue;
		}
		*group++ = '\0';
		controllers++;
		int64_t allowed =
		    *controllers == '\0' ? least_above(mount, "", group, "memory.max")
		    : has_word(controllers, "memory")
			? least_above(mount, "/memory", group, "memory.limit_in_bytes")
			: INT64_MAX;
		least = LEAST(least, allowed);
	}
	if (file) {
		(void)fclose(file);
	}
	return least;
}

/* ---- the number ---- */

static void
take_least(int64_t bytes, const char *why)
{
	if (bytes < budget.limit) {
		budget.limit = bytes;
		budget.why = why;
	}
}

static int64_t
limit_of(int resource)
{
	struct rlimit limit;

	return getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
	               limit.rlim_cur < (rlim_t)INT64_MAX
	           ? (int64_t)limit.rlim_cur
	           : INT64_MAX;
}

static void
find(void)
{
	long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);

	if (budget.is_given) {
		return;
	}
	budget.limit = INT64_MAX;
	take_least(pages > 0 && page_bytes > 0 ? (int64_t)pages * page_bytes : INT64_C(1) << 32,
	           "half of the machine's memory");
	take_least(budget_of_groups("/proc/self/cgroup", "/sys/fs/cgroup"),
	           "half of what its control group may use");
	take_least(limit_of(RLIMIT_AS), "half of what ulimit -v says");
	take_least(limit_of(RLIMIT_DATA), "half of what ulimit -d says");
	budget.bytes = MOST(budget.limit / 2, BUDGET_LEAST);
	budget.limit = budget.limit / 10 * 9;
}

int
budget_set(const char *where, const char *size, struct err *err)
{
	int64_t bytes;

	if (!parse_size(slice_of(size), &bytes) || bytes < BUDGET_LEAST) {
		return err_set(err, ERR_USAGE,
		               "%s=%s: a size of at least 32 MiB is needed (500M, 2G)", where,
		               size);
	}
	budget.bytes = budget.limit = bytes;
	budget.why = where;
	budget.is_given = true;
	return 0;
}

int64_t
budget_bytes(void)
{
	pthread_once(&once, find);
	return budget.bytes;
}

size_t
budget_share(unsigned shares, size_t most)
{
	int64_t share = budget_bytes() / shares;

	return (uint64_t)share < most ? (size_t)share : most;
}

char *
budget_print(char out[BUDGET_TEXT_BYTES])
{
	char size[FORMAT_BYTES];

	format_size(size, budget_bytes());
	snprintf(out, BUDGET_TEXT_BYTES, "%s, %s%s%s", size, budget.is_given ? "as " : "",
	         budget.why, budget.is_given ? " says" : "");
	return out;
}

/* ---- the limit ---- */

void
budget_enforce(void)
{
	static char text[BUDGET_TEXT_BYTES];

	mem_set_limit(budget_print(text));
#ifndef IS_SANITIZED /* sanitizers take what they like */
	int64_t stacks = STACK_ROOM * (int64_t)(workers_count() + 2);

	if (is_enforced || getrlimit(RLIMIT_DATA, &before) != 0) {
		return;
	}
	struct rlimit limit = before;
	if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > (rlim_t)(budget.limit + stacks)) {
		limit.rlim_cur = (rlim_t)(budget.limit + stacks);
		is_enforced = setrlimit(RLIMIT_DATA, &limit) == 0;
	}
#endif
}

void
budget_lift(void)
{
	if (is_enforced) {
		(void)setrlimit(RLIMIT_DATA, &before);
	}
}
