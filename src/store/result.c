/*
 * Errors to SQLite result codes and back. SQLite carries a code and a text through its layers, and
 * nothing else; the codes are chosen so that what comes out on the other side has the kind of error
 * that went in.
 */
#include "config.h"
#include "store/internal.h"

#include "store/checked.h"
#include "util/mem.h"

int
result_of_err(const struct err *err)
{
	switch (err->code) {
	case ERR_NONE:
		return SQLITE_OK;
	case ERR_SYSTEM:
	case ERR_CHANGED: /* the store looks at the file itself after an I/O error */
		return SQLITE_IOERR;
	case ERR_FORMAT:
		return SQLITE_CORRUPT;
	case ERR_LIMIT:
		return SQLITE_TOOBIG;
	case ERR_CANCELLED:
		return SQLITE_INTERRUPT;
	case ERR_INTERNAL:
		return SQLITE_INTERNAL;
	case ERR_USAGE:
	case ERR_QUERY:
		break;
	}
	return SQLITE_ERROR;
}

static enum err_code
code_of_result(int result)
{
	switch (result & 0xff) {
	case SQLITE_INTERRUPT:
		return ERR_CANCELLED;
	case SQLITE_TOOBIG:
		return ERR_LIMIT;
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB:
		return ERR_FORMAT;
	case SQLITE_NOMEM:
	case SQLITE_IOERR:
	case SQLITE_CANTOPEN:
	case SQLITE_FULL:
	case SQLITE_PERM:
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
	case SQLITE_PROTOCOL:
		return ERR_SYSTEM;
	case SQLITE_INTERNAL:
	case SQLITE_MISUSE:
		return ERR_INTERNAL;
	default:
		return ERR_QUERY;
	}
}

int
err_of_result(sqlite3 *db, int result, const char *what, struct err *err)
{
	const char *path;
	unsigned page;
	if ((result & 0xff) == SQLITE_IOERR && db && checked_damage(db, &path, &page)) {
		return checked_set_damage(path ? path : what ? what : "the run file", page, err);
	}
	if ((result & 0xff) == SQLITE_NOMEM) {
		char exhausted[ERR_MESSAGE_BYTES];
		mem_print_exhausted(exhausted, sizeof exhausted);
		err_set(err, ERR_SYSTEM, "%s", exhausted);
		return what ? err_wrap(err, "%s", what) : -1;
	}
	enum err_code code = code_of_result(result);
	const char *message = code == ERR_CANCELLED ? "interrupted"
	                      : db                  ? sqlite3_errmsg(db)
	                                            : sqlite3_errstr(result);
	bool has_errno = (result & 0xff) == SQLITE_IOERR || (result & 0xff) == SQLITE_CANTOPEN;
	int errnum = has_errno && db ? sqlite3_system_errno(db) : 0;
	if (errnum) {
		err_set_errno(err, errnum, "%s", message);
	} else {
		err_set(err, code, "%s", message);
	}
	return what ? err_wrap(err, "%s", what) : -1;
}

int
err_of_file(sqlite3 *db, int result, const char *what, struct err *err)
{
	err_of_result(db, result, what, err);
	if (err->code == ERR_QUERY) {
		err->code = ERR_FORMAT;
	}
	return -1;
}
