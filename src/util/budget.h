/*
 * How much memory lanescope may use: one number for the whole process. What takes much of it asks
 * here, and spills, works in parts or refuses beyond its share; answers are the same whatever the
 * number, but where they say that they are not. What gets by all that is stopped at a limit of the
 * process, before the kernel ends some process of its choice.
 * Used by cli, column/ops, explain/schedule, ingest, query/saved, store, ui/term.
 */
#ifndef LANESCOPE_UTIL_BUDGET_H
#define LANESCOPE_UTIL_BUDGET_H

#include <stddef.h>
#include <stdint.h>
#include "util/err.h"

/* The least that can be given: below it nothing works. */
#define BUDGET_LEAST (INT64_C(32) << 20)

/* What --memory or LANESCOPE_MEMORY (`where`) says: a size of at least BUDGET_LEAST. Before other
 * threads are there. */
int budget_set(const char *where, const char *size, struct err *err);
/* Bytes. What budget_set was given; else half of the least of the machine's memory, what its
 * control groups allow and the process's limits. */
int64_t budget_bytes(void);
/* One of so many equal shares, but at most `most` bytes. */
size_t budget_share(unsigned shares, size_t most);
/* "11.7 GiB, half of the machine's memory"; returns out. */
#define BUDGET_TEXT_BYTES 100
char *budget_print(char out[BUDGET_TEXT_BYTES]);
/* From now on this process gets no more: what was given, and room for threads, or, unless it was
 * given, nine tenths of what there is. */
void budget_enforce(void);
/* Takes that back, for another program in a child process. */
void budget_lift(void);

/* For tests: what the control groups listed in the file `groups` (as /proc/self/cgroup) allow,
 * their folders being below `mount`; INT64_MAX: all. */
int64_t budget_of_groups(const char *groups, const char *mount);

#endif
