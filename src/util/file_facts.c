/* A change of content shows in the time of modification, or (where a program puts that back, as tar
 * and rsync do) in the time of change. */
#include "config.h"
#include "util/file_facts.h"

#include <sys/stat.h>

static int64_t
to_ns(const struct timespec *time)
{
	return (int64_t)((uint64_t)time->tv_sec * 1000000000u + (uint64_t)time->tv_nsec);
}

struct file_facts
file_facts_of(const struct stat *status)
{
	return (struct file_facts){(int64_t)status->st_dev, (int64_t)status->st_ino,
	                           (int64_t)status->st_size, to_ns(&status->st_mtim),
	                           to_ns(&status->st_ctim)};
}

bool
file_facts_read(const char *path, struct file_facts *facts)
{
	struct stat status;
	if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) {
		return false;
	}
	*facts = file_facts_of(&status);
	return true;
}

bool
file_facts_same_file(const struct file_facts *a, const struct file_facts *b)
{
	return a->device == b->device && a->inode == b->inode;
}
