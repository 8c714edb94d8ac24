/* What tells, without reading it, whether a file is the one it was.
 * Used by cli, ingest, input, query/saved, store. */
#ifndef LANESCOPE_UTIL_FILE_FACTS_H
#define LANESCOPE_UTIL_FILE_FACTS_H

#include <stdbool.h>
#include <stdint.h>

struct stat;

/* Device and inode as SQLite can keep them; times in ns since 1970. */
struct file_facts {
	int64_t device, inode, size_bytes, modified_ns, changed_ns;
};
struct file_facts file_facts_of(const struct stat *status);
/* Of a regular file, through links; false: there is none. */
bool file_facts_read(const char *path, struct file_facts *facts);
/* The same file under any name, changed or not. */
bool file_facts_same_file(const struct file_facts *a, const struct file_facts *b);

#endif
