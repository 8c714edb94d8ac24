/*
 * A layer over SQLite's own for unix. Pages are sealed in SQLite's buffer on their way to the file,
 * and checked on their way back before SQLite sees them. SQLite mostly reads whole pages, but the
 * header alone when it opens a file, and some versions read parts of the pages that long values
 * flow over to: whatever is asked for, the whole page around it is read and checked. Files are not
 * mapped into memory (methods of version 1 have no xFetch), so nothing comes by another way.
 *
 * A page that is not what was written is SQLITE_IOERR_DATA to SQLite; which page it was is kept
 * here, and err_of_result asks for it.
 *
 * Files that SQLite sorts in lie below the layer, too: it may merge what it sorts for seconds
 * without asking whether it is to go on.
 */
#include "config.h"
#include "store/checked.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "store/page.h"
#include "util/mem.h"

#ifndef SQLITE_IOERR_DATA /* known from 3.32 on */
#define SQLITE_IOERR_DATA (SQLITE_IOERR | (32 << 8))
#endif
#ifndef SQLITE_IOCAP_SUBPAGE_READ /* from 3.48 on */
#define SQLITE_IOCAP_SUBPAGE_READ 0x8000
#endif

#define READ_TRIES 2

struct checked_file {
	sqlite3_file base;
	size_t page_bytes;
	bool is_written, refuses_zero_pages;
	unsigned damaged_page; /* from 1; 0: none seen */
	sqlite3_int64 zero_pages;
	char *path;            /* as it was given to checked_open; NULL: it wasn't */
	unsigned char *page;   /* the whole one around what is read; allocated at first use */
	sqlite3_int64 below[]; /* the file of the layer below */
};

static sqlite3_vfs *below; /* that layer */

static sqlite3_file *
file_below(sqlite3_file *file)
{
	return (sqlite3_file *)((struct checked_file *)file)->below;
}

static int
checked_close(sqlite3_file *file)
{
	free(((struct checked_file *)file)->page);
	free(((struct checked_file *)file)->path);
	return file_below(file)->pMethods->xClose(file_below(file));
}

/* What was seen first to be damaged, or could not be read, in a file opened to be read, of all such
 * files. */
static struct {
	pthread_mutex_t lock;
	char *path; /* NULL: none */
	unsigned page;
	int errnum; /* 0: the page is damaged */
} first = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void
keep_first(const struct checked_file *file, unsigned page, int errnum)
{
	pthread_mutex_lock(&first.lock);
	if (!first.path && file->path) {
		first.path = xstrdup(file->path);
		first.page = page;
		first.errnum = errnum;
	}
	pthread_mutex_unlock(&first.lock);
}

static int
damaged(struct checked_file *file, sqlite3_int64 offset)
{
	if (!file->damaged_page) {
		file->damaged_page = (unsigned)(offset / (sqlite3_int64)file->page_bytes) + 1;
	}
	keep_first(file, file->damaged_page, 0);
	return SQLITE_IOERR_DATA;
}

/* SQLite calls some failures of the system a damaged file (SQLITE_IOERR_CORRUPTFS): here none is,
 * and one that passes is passed over. */
static int
read_below(struct checked_file *file, void *buffer, int n, sqlite3_int64 offset)
{
	sqlite3_file *of = file_below(&file->base);
	int result = SQLITE_OK, errnum = 0;
	for (int i = 0; i < READ_TRIES; i++) {
		result = of->pMethods->xRead(of, buffer, n, offset);
		if ((result & 0xff) != SQLITE_IOERR || result == SQLITE_IOERR_SHORT_READ) {
			return result;
		}
	}
	(void)of->pMethods->xFileControl(of, SQLITE_FCNTL_LAST_ERRNO, &errnum);
	keep_first(file, 0, errnum ? errnum : EIO);
	return SQLITE_IOERR_READ;
}

int
checked_set_damage(const char *path, unsigned page, struct err *err)
{
	return err_set(err, ERR_FORMAT,
	               "%s: is damaged, page %u is not as it was written: copy the file again or "
	               "import its traces again (lanescope verify looks at all of its pages)",
	               path, page);
}

int
checked_first_failure(struct err *err)
{
	pthread_mutex_lock(&first.lock);
	int status = !first.path ? 0
	             : first.errnum
	                 ? err_set_errno(err, first.errnum, "%s: could not be read", first.path)
	                 : checked_set_damage(first.path, first.page, err);
	pthread_mutex_unlock(&first.lock);
	return status;
}

void
checked_forget_failure(const char *path)
{
	pthread_mutex_lock(&first.lock);
	if (first.path && strcmp(first.path, path) == 0) {
		free(first.path);
		first.path = NULL;
	}
	pthread_mutex_unlock(&first.lock);
}

static int
read_page(struct checked_file *file, void *page, sqlite3_int64 offset)
{
	int result = read_below(file, page, (int)file->page_bytes, offset);
	if (result == SQLITE_IOERR_SHORT_READ && !file->is_written) {
		return damaged(file, offset);
	}
	if (result != SQLITE_OK) {
		return result;
	}
	bool is_good = page_is_sealed(page, file->page_bytes) &&
	               !(file->refuses_zero_pages && page_is_zero(page, file->page_bytes));
	return is_good ? SQLITE_OK : damaged(file, offset);
}

/* A part of one page, or of several. Of a file that grows, what is beyond its end is zeros, and
 * SQLITE_IOERR_SHORT_READ says so: SQLite goes on with them. */
static int
read_part(struct checked_file *file, unsigned char *buffer, size_t n, sqlite3_int64 offset)
{
	if (!file->page && !(file->page = malloc(file->page_bytes))) {
		return SQLITE_IOERR_NOMEM;
	}
	int result = SQLITE_OK;
	while (n) {
		size_t begin = (size_t)offset & (file->page_bytes - 1);
		size_t part = file->page_bytes - begin < n ? file->page_bytes - begin : n;
		result = read_page(file, file->page, offset - (sqlite3_int64)begin);
		if (result != SQLITE_OK && result != SQLITE_IOERR_SHORT_READ) {
			return result;
		}
		memcpy(buffer, file->page + begin, part);
		buffer += part;
		offset += (sqlite3_int64)part;
		n -= part;
	}
	return result; /* of the last page: the first that is not whole is followed by none */
}

static int
checked_read(sqlite3_file *base, void *buffer, int n, sqlite3_int64 offset)
{
	struct checked_file *file = (struct checked_file *)base;
	return (size_t)n == file->page_bytes && (offset & (n - 1)) == 0
	           ? read_page(file, buffer, offset)
	           : read_part(file, buffer, (size_t)n, offset);
}

static int
checked_write(sqlite3_file *base, const void *buffer, int n, sqlite3_int64 offset)
{
	struct checked_file *file = (struct checked_file *)base;
	if ((size_t)n != file->page_bytes || (offset & (n - 1)) != 0) {
		return SQLITE_IOERR_WRITE; /* SQLite writes whole pages only */
	}
	/* The reserved bytes of SQLite's own page are there to be written. */
	page_seal((unsigned char *)(uintptr_t)buffer, file->page_bytes);
	file->zero_pages += page_is_zero(buffer, file->page_bytes);
	return file_below(base)->pMethods->xWrite(file_below(base), buffer, n, offset);
}

static int
checked_truncate(sqlite3_file *file, sqlite3_int64 bytes)
{
	return file_below(file)->pMethods->xTruncate(file_below(file), bytes);
}

static int
checked_sync(sqlite3_file *file, int flags)
{
	return file_below(file)->pMethods->xSync(file_below(file), flags);
}

static int
checked_file_size(sqlite3_file *file, sqlite3_int64 *bytes)
{
	return file_below(file)->pMethods->xFileSize(file_below(file), bytes);
}

static int
checked_lock(sqlite3_file *file, int lock)
{
	return file_below(file)->pMethods->xLock(file_below(file), lock);
}

static int
checked_unlock(sqlite3_file *file, int lock)
{
	return file_below(file)->pMethods->xUnlock(file_below(file), lock);
}

static int
checked_reserved(sqlite3_file *file, int *is_reserved)
{
	return file_below(file)->pMethods->xCheckReservedLock(file_below(file), is_reserved);
}

static int
checked_control(sqlite3_file *file, int question, void *answer)
{
	return file_below(file)->pMethods->xFileControl(file_below(file), question, answer);
}

static int
checked_sector(sqlite3_file *file)
{
	return file_below(file)->pMethods->xSectorSize(file_below(file));
}

/* That parts of pages can be read is not told: it would not pay. */
static int
checked_device(sqlite3_file *file)
{
	return file_below(file)->pMethods->xDeviceCharacteristics(file_below(file)) &
	       ~SQLITE_IOCAP_SUBPAGE_READ;
}

/* What either kind of file leaves to the one below. */
#define PASSED_ON                                                                                  \
	.iVersion = 1, .xClose = checked_close, .xTruncate = checked_truncate,                     \
	.xSync = checked_sync, .xFileSize = checked_file_size, .xLock = checked_lock,              \
	.xUnlock = checked_unlock, .xCheckReservedLock = checked_reserved,                         \
	.xFileControl = checked_control, .xSectorSize = checked_sector,                            \
	.xDeviceCharacteristics = checked_device
static const sqlite3_io_methods methods = {PASSED_ON, .xRead = checked_read,
                                           .xWrite = checked_write};

static _Thread_local const struct cancel *watched;

void
checked_watch(const struct cancel *cancel)
{
	watched = cancel;
}

static int
put_aside_read(sqlite3_file *file, void *buffer, int n, sqlite3_int64 offset)
{
	return file_below(file)->pMethods->xRead(file_below(file), buffer, n, offset);
}

static int
put_aside_write(sqlite3_file *file, const void *buffer, int n, sqlite3_int64 offset)
{
	return cancel_requested(watched)
	           ? SQLITE_INTERRUPT
	           : file_below(file)->pMethods->xWrite(file_below(file), buffer, n, offset);
}

static const sqlite3_io_methods put_aside = {PASSED_ON, .xRead = put_aside_read,
                                             .xWrite = put_aside_write};

/* Of the file that belongs to the file above. */
static int
open_below(struct checked_file *file, const char *name, const sqlite3_io_methods *with, int flags,
           int *out_flags)
{
	int result = below->xOpen(below, name, file_below(&file->base), flags, out_flags);
	if (result == SQLITE_OK) {
		file->base.pMethods = with;
	}
	return result;
}

/* The size of pages, from the file's header. That it is true shows when the first page is read:
 * with another size its checksum is wrong. */
static int
look_at_header(struct checked_file *file)
{
	unsigned char header[PAGE_HEADER_BYTES];
	int result = read_below(file, header, sizeof header, 0);
	if (result == SQLITE_OK) {
		file->page_bytes = page_header_bytes(header);
	}
	return result == SQLITE_IOERR_SHORT_READ || (result == SQLITE_OK && !file->page_bytes)
	           ? SQLITE_NOTADB
	           : result;
}

static int
checked_file_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *base, int flags, int *out_flags)
{
	struct checked_file *file = (struct checked_file *)base;
	(void)vfs;
	*file = (struct checked_file){.is_written = flags & SQLITE_OPEN_READWRITE};
	if (!(flags & SQLITE_OPEN_MAIN_DB)) {           /* other files have no seals */
		return flags & SQLITE_OPEN_TEMP_JOURNAL /* so it opens those that it sorts in */
		           ? open_below(file, name, &put_aside, flags, out_flags)
		           : below->xOpen(below, name, base, flags, out_flags);
	}
	int result = open_below(file, name, &methods, flags, out_flags);
	result = result == SQLITE_OK ? look_at_header(file) : result;
	if (result != SQLITE_OK && base->pMethods) {
		checked_close(base);
		file->base.pMethods = NULL; /* SQLite calls nothing more */
	}
	return result;
}

static sqlite3_vfs checked;
static bool is_registered;

/* As the layer below but for opening: its other functions take nothing from their sqlite3_vfs but
 * pAppData, which stays the same. */
static void
register_checked(void)
{
	below = sqlite3_vfs_find("unix");
	if (below) {
		checked = *below;
		checked.pNext = NULL;
		checked.zName = "lanescope";
		checked.szOsFile = (int)sizeof(struct checked_file) + below->szOsFile;
		checked.xOpen = checked_file_open;
		is_registered = sqlite3_vfs_register(&checked, 0) == SQLITE_OK;
	}
}

const char *
checked_vfs(struct err *err)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, register_checked);
	if (!is_registered) {
		err_set(err, ERR_SYSTEM,
		        "this SQLite library has no files of unix: lanescope can't use it");
		return NULL;
	}
	return checked.zName;
}

/* The main database's; NULL: it is none of ours, or closed. */
static struct checked_file *
file_of(sqlite3 *db)
{
	sqlite3_file *file = NULL;
	bool is_ours =
	    sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK &&
	    file && file->pMethods == &methods;
	return is_ours ? (struct checked_file *)file : NULL;
}

bool
checked_damage(sqlite3 *db, const char **path, unsigned *page)
{
	const struct checked_file *file = file_of(db);
	if (!file) { /* SQLite closes a file again when already its header can't be read */
		*path = NULL;
		*page = 1;
		return sqlite3_extended_errcode(db) == SQLITE_IOERR_DATA;
	}
	*path = file->path;
	*page = file->damaged_page;
	return *page > 0;
}

int64_t
checked_zero_pages(sqlite3 *db)
{
	const struct checked_file *file = file_of(db);
	return file ? file->zero_pages : 0;
}

void
checked_refuse_zero_pages(sqlite3 *db)
{
	struct checked_file *file = file_of(db);
	if (file) {
		file->refuses_zero_pages = true;
	}
}

void
checked_call(sqlite3 *db, const char *path)
{
	struct checked_file *file = file_of(db);
	if (file) {
		free(file->path);
		file->path = xstrdup(path);
	}
}
