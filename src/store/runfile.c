/*
 * The first hundred bytes of a run file say all that is needed to refuse it with a clear reason,
 * which SQLite's "file is not a database" isn't. Offsets are those of SQLite's file format.
 */
#include "config.h"
#include "store/runfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/page.h"
#include "store/part.h"
#include "store/store.h"
#include "util/mem.h"
#include "util/slice.h"

#define NAME_BYTES_MAX 500 /* SQLite's 512 less the endings that it adds */

static uint32_t
big_endian32(const unsigned char *bytes)
{
	return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 |
	       bytes[3];
}

static int
version_of(const unsigned char *header)
{
	return (int32_t)big_endian32(header + 60);
}

static bool
is_database(const unsigned char *header, size_t length)
{
	static const char magic[16] = "SQLite format 3";
	return length == PAGE_HEADER_BYTES && memcmp(header, magic, sizeof magic) == 0;
}

static bool
is_of(const unsigned char *header, size_t length, int application_id)
{
	return is_database(header, length) && big_endian32(header + 68) == (uint32_t)application_id;
}

static struct file_identity
identity_of(const struct stat *status)
{
	return (struct file_identity){status->st_dev, status->st_ino, status->st_size,
	                              status->st_mtim};
}

/* Opens path and reads the header; *length gets how much there is. */
static int
read_header(const char *path, struct stat *status, unsigned char header[PAGE_HEADER_BYTES],
            size_t *length, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0) {
		return err_set_errno(err, errno, "%s", path);
	}
	int result = -1;
	if (fstat(fd, status)) {
		err_set_errno(err, errno, "%s", path);
		goto out;
	}
	if (!S_ISREG(status->st_mode)) {
		err_set(err, ERR_FORMAT, "%s: is %s, not a run file", path,
		        S_ISDIR(status->st_mode) ? "a folder" : "no regular file");
		goto out;
	}
	*length = 0;
	while (*length < PAGE_HEADER_BYTES) {
		ssize_t got = read(fd, header + *length, PAGE_HEADER_BYTES - *length);
		if (got < 0 && errno == EINTR) {
			continue;
		}
		if (got < 0) {
			err_set_errno(err, errno, "%s", path);
			goto out;
		}
		if (got == 0) {
			break;
		}
		*length += (size_t)got;
	}
	result = 0;
out:
	close(fd);
	return result;
}

static int
set_older(const char *path, int version, struct err *err)
{
	if (version < STORE_VERSION_OLDEST) {
		return err_set(
		    err, ERR_FORMAT,
		    "%s: has run file version %d, which is no longer read: import its traces again",
		    path, version);
	}
	return err_set(
	    err, ERR_FORMAT,
	    "%s: has run file version %d, which is no longer read: lanescope upgrade makes a "
	    "run file of version %d of it, or import its traces again",
	    path, version, STORE_VERSION);
}

/* What files of all versions have in common. */
static int
check_any(const char *path, const unsigned char *header, size_t length, struct err *err)
{
	if (length == 0) {
		return err_set(err, ERR_FORMAT, "%s: is empty, not a run file", path);
	}
	if (!is_database(header, length)) {
		return err_set(
		    err, ERR_FORMAT,
		    "%s: is not a run file; if it is a trace, import it first: lanescope import %s",
		    path, path);
	}
	if (is_of(header, length, PART_APPLICATION_ID)) {
		return err_set(err, ERR_FORMAT,
		               "%s: is a part of a run: lanescope merge makes a run of its parts",
		               path);
	}
	if (!is_of(header, length, STORE_APPLICATION_ID)) {
		return err_set(err, ERR_FORMAT,
		               "%s: is an SQLite database, but not one of lanescope's run files",
		               path);
	}
	int version = version_of(header);
	return version > STORE_VERSION
	           ? err_set(err, ERR_FORMAT,
	                     "%s: was made by a newer lanescope (run file version %d, this one "
	                     "reads %d): update lanescope",
	                     path, version, STORE_VERSION)
	           : 0;
}

static int
check_sealed(const char *path, const unsigned char *header, int64_t file_bytes, const char *remedy,
             struct err *err)
{
	int64_t expected = (int64_t)big_endian32(header + 28) * (int64_t)page_header_bytes(header);

	return file_bytes != expected
	           ? err_set(err, ERR_FORMAT,
	                     "%s: is damaged, it has %lld bytes instead of %lld: %s", path,
	                     (long long)file_bytes, (long long)expected, remedy)
	           : 0;
}

static int
check_pages(const char *path, const unsigned char *header, int64_t file_bytes, struct err *err)
{
	if (header[18] != 1 || header[19] != 1) {
		return err_set(
		    err, ERR_FORMAT,
		    "%s: another program switched it to a write-ahead log: import its traces again",
		    path);
	}
	if (version_of(header) >= STORE_VERSION_SEALED && !page_header_is_sealed(header)) {
		return err_set(err, ERR_FORMAT,
		               "%s: its pages have no checksums, it is damaged or another program "
		               "wrote it anew: copy it again or import its traces again",
		               path);
	}
	return check_sealed(path, header, file_bytes, "copy it again or import its traces again",
	                    err);
}

int
runfile_check_older(const char *path, int *version, struct file_identity *identity, struct err *err)
{
	unsigned char header[PAGE_HEADER_BYTES];
	struct stat status;
	size_t length;
	if (read_header(path, &status, header, &length, err) ||
	    check_any(path, header, length, err) ||
	    check_pages(path, header, status.st_size, err)) {
		return -1;
	}
	*version = version_of(header);
	*identity = identity_of(&status);
	return 0;
}

int
runfile_check(const char *path, struct file_identity *identity, struct err *err)
{
	unsigned char header[PAGE_HEADER_BYTES];
	struct stat status;
	size_t length;
	if (read_header(path, &status, header, &length, err) ||
	    check_any(path, header, length, err)) {
		return -1;
	}
	if (version_of(header) < STORE_VERSION) {
		return set_older(path, version_of(header), err);
	}
	*identity = identity_of(&status);
	return check_pages(path, header, status.st_size, err);
}

int
runfile_check_as(const char *path, int application_id, int version, struct err *err)
{
	unsigned char header[PAGE_HEADER_BYTES];
	struct stat status;
	size_t length;

	if (read_header(path, &status, header, &length, err)) {
		return -1;
	}
	if (!is_of(header, length, application_id)) {
		return err_set(err, ERR_FORMAT, "%s: is no part of a run%s", path,
		               length == 0 ? ", it is empty" : "");
	}
	if (version_of(header) != version) {
		return err_set(
		    err, ERR_FORMAT,
		    "%s: is a part that another lanescope made (version %d, this one reads "
		    "%d): make it again",
		    path, version_of(header), version);
	}
	return page_header_is_sealed(header)
	           ? check_sealed(path, header, status.st_size, "make it again", err)
	           : err_set(err, ERR_FORMAT, "%s: its pages have no checksums: make it again",
	                     path);
}

int
runfile_is_same(const char *path, const struct file_identity *identity, struct err *err)
{
	struct stat status;
	if (stat(path, &status)) {
		return err_set(err, ERR_CHANGED, "%s: the run is no longer there: reopen", path);
	}
	struct file_identity now = identity_of(&status);
	if (now.device != identity->device || now.inode != identity->inode ||
	    now.size_bytes != identity->size_bytes ||
	    now.modified.tv_sec != identity->modified.tv_sec ||
	    now.modified.tv_nsec != identity->modified.tv_nsec) {
		return err_set(err, ERR_CHANGED, "%s: the run has changed: reopen", path);
	}
	return 0;
}

static bool
says_it_is(const char *path, int application_id)
{
	unsigned char header[PAGE_HEADER_BYTES];
	struct err ignored = ERR_INIT;
	struct stat status;
	size_t length;
	return read_header(path, &status, header, &length, &ignored) == 0 &&
	       is_of(header, length, application_id);
}

bool
runfile_is_run(const char *path)
{
	return says_it_is(path, STORE_APPLICATION_ID);
}

bool
runfile_is_part(const char *path)
{
	return says_it_is(path, PART_APPLICATION_ID);
}

int
runfile_may_replace(const char *path, struct err *err)
{
	return runfile_may_replace_as(path, STORE_APPLICATION_ID, "run file", err);
}

int
runfile_may_replace_as(const char *path, int application_id, const char *word, struct err *err)
{
	unsigned char header[PAGE_HEADER_BYTES];
	struct stat status;
	size_t length;
	if (stat(path, &status)) {
		return errno == ENOENT ? 0 : err_set_errno(err, errno, "%s", path);
	}
	if (S_ISDIR(status.st_mode)) {
		return err_set(err, ERR_USAGE, "%s: is a folder: give the name of a file in it",
		               path);
	}
	if (!S_ISREG(status.st_mode)) {
		return err_set(err, ERR_USAGE,
		               "%s: is no regular file: a run can't be written there", path);
	}
	if (read_header(path, &status, header, &length, err)) {
		return -1;
	}
	if (length == 0 || is_of(header, length, application_id)) {
		return 0;
	}
	return err_set(err, ERR_USAGE,
	               "%s: is there already and is not a %s: remove it first or give another name",
	               path, word);
}

char *
runfile_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	size_t length = strlen(name);
	bool has_ending = length > 6 && strcmp(name + length - 6, ".lanes") == 0;
	return xstrndup(name, length - (has_ending ? 6 : 0));
}

char *
runfile_uri(const char *path, const char *query)
{
	static const char plain[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-~";
	struct strbuf uri = {0};
	strbuf_add_text(&uri, path[0] == '/' ? "file://"
	                                     : "file:"); /* else "//x" would begin with a host */
	for (const char *p = path; *p; p++) {
		if (strchr(plain, *p)) {
			strbuf_add_char(&uri, *p);
		} else {
			strbuf_printf(&uri, "%%%02x", (unsigned)(unsigned char)*p);
		}
	}
	strbuf_printf(&uri, "?%s", query);
	return strbuf_take(&uri);
}

int
runfile_check_name(const char *path, struct err *err)
{
	char folder[PATH_MAX];
	size_t bytes = strlen(path);
	if (bytes == 0) {
		return err_set(err, ERR_USAGE, "the name of a run file is empty");
	}
	if (path[0] != '/' && getcwd(folder, sizeof folder)) {
		bytes += strlen(folder) + 1;
	}
	return bytes > NAME_BYTES_MAX
	           ? err_set(
			 err, ERR_SYSTEM,
			 "%s: its full name has %zu bytes, more than the %d that SQLite can open",
			 path, bytes, NAME_BYTES_MAX)
	           : 0;
}
