/* What the files of the reader read rows with. */
#include "config.h"
#include "store/reader.h"

#include <stdarg.h>
#include <stdio.h>

sqlite3_stmt *
reader_prepare(sqlite3 *db, const char *sql, struct err *err)
{
	sqlite3_stmt *statement;
	int result = sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
	if (result != SQLITE_OK) {
		err_of_file(db, result, "run file", err);
		return NULL;
	}
	return statement;
}

int
reader_step(sqlite3_stmt *statement, struct err *err)
{
	int result = sqlite3_step(statement);
	if (result == SQLITE_ROW) {
		return 1;
	}
	return result == SQLITE_DONE
	           ? 0
	           : err_of_file(sqlite3_db_handle(statement), result, "run file", err);
}

int
reader_each(sqlite3 *db, const char *sql, reader_row *row, void *user, struct err *err)
{
	sqlite3_stmt *list = reader_prepare(db, sql, err);
	int status = list ? 0 : -1;
	while (status == 0 && (status = reader_step(list, err)) == 1) {
		status = row(user, list, err);
	}
	sqlite3_finalize(list);
	return status;
}

int
reader_damaged(struct err *err, const char *format, ...)
{
	char why[256];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(why, sizeof why, format, arguments);
	va_end(arguments);
	return err_set(err, ERR_FORMAT,
	               "the run file is damaged (%s): copy it again or import its traces again",
	               why);
}

void
text_codes(const struct intern *wanted, const struct slice *texts, uint32_t n_texts,
           text_code *codes)
{
	uint32_t n_wanted = intern_count(wanted);
	for (uint32_t i = 0; i < n_wanted; i++) {
		codes[i] = TEXT_NONE;
	}
	for (uint32_t code = 0; n_wanted && code < n_texts; code++) {
		uint32_t i = intern_find(wanted, texts[code]);
		if (i != INTERN_NONE && codes[i] == TEXT_NONE) {
			codes[i] = code;
		}
	}
}
