/*
 * A run appears under its name only when it is whole: it is written under a temporary name in the
 * same folder, flushed, and given its name in one step that fails where the name is taken: of two
 * imports to one name the first wins, and a run never takes the place of another. An import that is
 * killed leaves its temporary file, and nobody may know whether it is still being written: another
 * host may be at it. The name tells: HOST and PID, with the PID namespace where it isn't the
 * machine's own (two containers of one host name see different processes under one PID). A dead
 * process's file is litter; of another host's it is after a day without a write, by the file
 * system's own clock.
 */
#include "config.h"
#include "util/tempfile.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "util/ascii.h"
#include "util/intern.h"
#include "util/litter.h"
#include "util/mem.h"
#include "util/slice.h"

#define NAME_BYTES_MAX 120 /* of the run's own name in the temporary one (255 in all) */
#define HOST_BYTES_MAX 64
#define OLD_SECONDS (24 * 60 * 60)
#define INITIAL_PID_NAMESPACE 0xEFFFFFFCu /* its inode on every Linux */

static const char ending[] = ".tmp";

/* Folder of path, and where its last part begins. New text. */
static char *
folder_of(const char *path, const char **name)
{
	const char *slash = strrchr(path, '/');
	*name = slash ? slash + 1 : path;
	if (!slash) {
		return xstrdup(".");
	}
	return slash == path ? xstrdup("/") : xstrndup(path, (size_t)(slash - path));
}

/* ".NAME.", cut and told apart by a hash where NAME is long. */
static void
add_prefix(struct strbuf *out, const char *name)
{
	size_t bytes = strlen(name);
	strbuf_add_char(out, '.');
	if (bytes <= NAME_BYTES_MAX) {
		strbuf_add(out, name, bytes);
	} else {
		strbuf_add(out, name, NAME_BYTES_MAX - 17);
		strbuf_printf(out, "~%016" PRIx64, hash_bytes(name, bytes, 0));
	}
	strbuf_add_char(out, '.');
}

/* This machine, as far as process numbers go. */
static void
add_host(struct strbuf *out)
{
	struct utsname machine;
	struct stat namespace;
	const char *name =
	    uname(&machine) == 0 && machine.nodename[0] ? machine.nodename : "localhost";
	for (size_t i = 0; i < HOST_BYTES_MAX && name[i]; i++) {
		bool is_plain = is_word_char(name[i]) || name[i] == '.';
		strbuf_add_char(out, is_plain ? name[i] : '_');
	}
	if (stat("/proc/self/ns/pid", &namespace) == 0 &&
	    namespace.st_ino != INITIAL_PID_NAMESPACE) {
		strbuf_printf(out, "_%" PRIu64, (uint64_t) namespace.st_ino);
	}
}

static uint64_t
random_number(void)
{
	uint64_t number;
	if (getrandom(&number, sizeof number, GRND_NONBLOCK) != (ssize_t)sizeof number) {
		struct timespec now;
		clock_gettime(CLOCK_REALTIME, &now);
		number = hash_mix((uint64_t)now.tv_sec * 1000000007u + (uint64_t)now.tv_nsec);
	}
	return number;
}

/* Parses "HOST-PID-RANDOM.tmp". */
static bool
parse_rest(const char *rest, struct slice *host, int64_t *pid)
{
	size_t bytes = strlen(rest);
	if (bytes < sizeof ending || strcmp(rest + bytes - (sizeof ending - 1), ending) != 0) {
		return false;
	}
	const char *host_end = strchr(rest, '-');
	const char *pid_end = host_end ? strchr(host_end + 1, '-') : NULL;
	if (!pid_end || strspn(pid_end + 1, "0123456789abcdef") != 16 ||
	    bytes != (size_t)(pid_end - rest) + 1 + 16 + sizeof ending - 1) {
		return false;
	}
	*host = (struct slice){rest, (size_t)(host_end - rest)};
	return slice_int64((struct slice){host_end + 1, (size_t)(pid_end - host_end - 1)}, pid) &&
	       *pid > 0 && *pid <= INT32_MAX;
}

/* now: by the clock of the file system, which need not be this host's. */
static bool
is_litter(int folder, const char *name, const char *rest, struct slice own_host, time_t now)
{
	struct slice host;
	struct stat status;
	int64_t pid;
	if (!parse_rest(rest, &host, &pid) || fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) ||
	    !(S_ISREG(status.st_mode) || S_ISDIR(status.st_mode))) {
		return false;
	}
	if (slice_equal(host, own_host) && kill((pid_t)pid, 0) != 0 && errno == ESRCH) {
		return true;
	}
	return now - status.st_mtim.tv_sec > OLD_SECONDS;
}

/* What can't be removed stays: it harms nobody but the disk. */
static void
remove_litter(const char *folder_path, struct slice prefix, struct slice own_host, time_t now)
{
	DIR *folder = opendir(folder_path);
	if (!folder) {
		return;
	}
	struct dirent *entry;
	while ((entry = readdir(folder))) {
		if (strncmp(entry->d_name, prefix.ptr, prefix.len) == 0 &&
		    is_litter(dirfd(folder), entry->d_name, entry->d_name + prefix.len, own_host,
		              now)) {
			struct strbuf path = {0};
			strbuf_printf(&path, "%s/%s", folder_path, entry->d_name);
			litter_remove(path.data);
			strbuf_free(&path);
		}
	}
	closedir(folder);
}

/* Any temporary file, whatever it is for: names and hosts may have dots, so each is tried as what
 * ends the name. */
static bool
is_held(int folder, const char *name, struct slice own_host, time_t now)
{
	bool is_held = false;
	for (const char *dot = strchr(name, '.'); dot; dot = strchr(dot + 1, '.')) {
		struct slice host;
		int64_t pid;
		struct stat status;
		if (!parse_rest(dot + 1, &host, &pid)) {
			continue;
		}
		if (slice_equal(host, own_host)) { /* however old */
			return kill((pid_t)pid, 0) == 0 || errno != ESRCH;
		}
		is_held = fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
		          now - status.st_mtim.tv_sec <= OLD_SECONDS;
	}
	return is_held;
}

bool
tempfile_in_use(const char *folder_path)
{
	DIR *folder = opendir(folder_path);
	struct strbuf host = {0};
	struct dirent *entry;
	bool in_use = false;
	if (!folder) {
		return false;
	}
	add_host(&host);
	while (!in_use && (entry = readdir(folder))) {
		in_use = is_held(dirfd(folder), entry->d_name, strbuf_slice(&host), time(NULL));
	}
	closedir(folder);
	strbuf_free(&host);
	return in_use;
}

static int
explain_folder(int errnum, const char *folder, struct err *err)
{
	switch (errnum) {
	case ENOENT:
		return err_set(
		    err, ERR_SYSTEM,
		    "%s: no such folder: make it first (mkdir -p) or give another place (-o)",
		    folder);
	case EACCES:
	case EPERM:
	case EROFS:
		err_set_errno(err, errnum,
		              "%s: can't write in this folder, give another place (-o)", folder);
		return -1;
	default:
		return err_set_errno(err, errnum, "%s: can't make a file in this folder", folder);
	}
}

static int
make(const char *path, bool is_folder, mode_t mode, char **made)
{
	const char *name;
	char *folder = folder_of(path, &name);
	struct strbuf prefix = {0}, host = {0}, temporary = {0};
	struct stat status;
	add_prefix(&prefix, name);
	add_host(&host);
	strbuf_printf(&temporary, "%s/%s%s-%ld-%016" PRIx64 "%s", folder, prefix.data, host.data,
	              (long)getpid(), random_number(), ending);
	int fd = is_folder && mkdir(temporary.data, 0777)
	             ? -1
	             : open(temporary.data,
	                    is_folder ? O_RDONLY | O_DIRECTORY | O_CLOEXEC
	                              : O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
	                    mode);
	int errnum = fd < 0 ? errno : 0;
	if (fd >= 0) {
		litter_add(temporary.data);
		if (fstat(fd, &status) == 0) {
			remove_litter(folder, strbuf_slice(&prefix), strbuf_slice(&host),
			              status.st_mtim.tv_sec);
		}
		*made = strbuf_take(&temporary);
	}
	strbuf_free(&temporary);
	strbuf_free(&prefix);
	strbuf_free(&host);
	free(folder);
	errno = errnum;
	return fd;
}

int
tempfile_create(const char *path, mode_t mode, char **made)
{
	struct stat status;
	bool is_there = stat(path, &status) == 0;
	int fd = make(path, false, mode, made);
	if (fd >= 0 && is_there) {
		(void)fchmod(fd, status.st_mode & 0777); /* at worst as a new one */
	}
	return fd;
}

char *
tempfile_folder(const char *path, struct err *err)
{
	char *made = NULL;
	int fd = make(path, true, 0, &made);
	if (fd < 0) {
		err_set_errno(err, errno, "%s: cannot create the folder", path);
		return NULL;
	}
	close(fd);
	return made;
}

int
tempfile_end(char *temporary, const char *path, bool is_good)
{
	int rc = is_good ? rename(temporary, path) : 0;
	int errnum = errno;
	if (is_good && rc == 0) {
		litter_forget(temporary);
	} else {
		litter_remove(temporary);
	}
	free(temporary);
	errno = errnum;
	return rc;
}

char *
tempfile_new(const char *path, struct err *err)
{
	char *made = NULL;
	int fd = make(path, false, 0666, &made);
	if (fd < 0) {
		int errnum = errno;
		const char *name;
		char *folder = folder_of(path, &name);
		explain_folder(errnum, folder, err);
		free(folder);
		return NULL;
	}
	close(fd);
	return made;
}

int
tempfile_write(const char *path, const void *bytes, size_t n, struct err *err)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0) {
		return err_set_errno(err, errno, "%s", path);
	}
	int status = 0;
	for (size_t at = 0; at < n && status == 0;) {
		ssize_t written = write(fd, (const char *)bytes + at, n - at);
		if (written > 0) {
			at += (size_t)written;
		} else if (errno != EINTR) {
			status = err_set_errno(err, errno, "%s: can't write", path);
		}
	}
	if (close(fd) && status == 0) {
		status = err_set_errno(err, errno, "%s: can't write", path);
	}
	return status;
}

int
tempfile_flush(const char *path, struct err *err)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0) {
		return err_set_errno(err, errno, "%s", path);
	}
	int status =
	    fsync(fd) ? err_set_errno(err, errno, "%s: can't flush it to the disk", path) : 0;
	if (close(fd) && status == 0) { /* where network file systems report late write errors */
		status = err_set_errno(err, errno, "%s", path);
	}
	return status;
}

int
tempfile_replace(const char *path, const void *bytes, size_t n, struct err *err)
{
	char *temporary;
	int fd = tempfile_create(path, 0666, &temporary);
	if (fd < 0) {
		return err_set_errno(err, errno, "%s", path);
	}
	(void)close(fd);
	int rc = tempfile_write(temporary, bytes, n, err) || tempfile_flush(temporary, err);
	if (tempfile_end(temporary, path, rc == 0) != 0 && rc == 0) {
		rc = err_set_errno(err, errno, "%s", path);
	}
	return rc ? -1 : 0;
}

/* ---- a name that nobody else has ---- */

#define RENAME_NOREPLACE_FLAG                                                                      \
	1u /* the kernel's; glibc before 2.28 and old musl have no name for it */

static int
rename_without_replacing(const char *temporary, const char *path)
{
#ifdef SYS_renameat2
	return (int)syscall(SYS_renameat2, AT_FDCWD, temporary, AT_FDCWD, path,
	                    RENAME_NOREPLACE_FLAG);
#else
	(void)temporary;
	(void)path;
	errno = ENOSYS;
	return -1;
#endif
}

/* A network file system may have made the link and lost the answer: the number of names tells. */
static int
link_and_unlink(const char *temporary, const char *path)
{
	struct stat one, other;
	if (link(temporary, path) != 0) {
		int errnum = errno;
		bool is_made = stat(temporary, &one) == 0 && one.st_nlink == 2 &&
		               stat(path, &other) == 0 && one.st_ino == other.st_ino &&
		               one.st_dev == other.st_dev;
		if (!is_made) {
			errno = errnum;
			return -1;
		}
	}
	(void)unlink(temporary); /* the run is whole under either name */
	return 0;
}

static int
check_and_rename(const char *temporary, const char *path)
{
	struct stat status;
	if (lstat(path, &status) == 0) {
		errno = EEXIST;
		return -1;
	}
	return errno == ENOENT ? rename(temporary, path) : -1;
}

/* Some file systems have no second names (FAT, some FUSE), or their server doesn't. */
static bool
is_lacking(int errnum)
{
	switch (errnum) {
	case ENOSYS:
	case EINVAL:
	case EPERM:
	case EOPNOTSUPP: /* ENOTSUP on Linux */
	case EMLINK:
	case EXDEV:
		return true;
	default:
		return false;
	}
}

int
tempfile_try(enum tempfile_way way, const char *temporary, const char *path)
{
	int failed = way == TEMPFILE_RENAME ? rename_without_replacing(temporary, path)
	             : way == TEMPFILE_LINK ? link_and_unlink(temporary, path)
	                                    : check_and_rename(temporary, path);
	if (!failed) {
		return 0;
	}
	if (errno == EEXIST) {
		return 1;
	}
	return way != TEMPFILE_CHECK && is_lacking(errno) ? 2 : -1;
}

/* Not every file system can flush a folder; the run is whole under either name. */
static void
flush_folder(const char *path)
{
	const char *name;
	char *folder = folder_of(path, &name);
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0) {
		(void)fsync(fd);
		close(fd);
	}
	free(folder);
}

int
tempfile_place(const char *temporary, const char *path, bool may_replace, struct err *err)
{
	int status = may_replace ? rename(temporary, path) : 2;
	for (int way = 0; status == 2 && way < TEMPFILE_WAYS; way++) {
		status = tempfile_try(way, temporary, path);
	}
	if (status < 0) {
		return err_set_errno(err, errno, "%s: can't rename %s to it", path, temporary);
	}
	if (status == 0) {
		flush_folder(path);
	}
	return status;
}
