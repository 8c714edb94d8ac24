/*
 * Errors live in a struct of the caller: nothing to free, and setting one can't fail for lack of
 * memory. Messages quote file names and trace contents, so every byte that could steer a terminal
 * is escaped here, once, whoever prints the message later.
 */
#include "config.h"
#include "util/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "util/utf8.h"

#define RAW_BYTES 4096 /* an unescaped message; longer ones are cut */

/* Escapes raw into message; ends it with an ellipsis if it does not fit. */
static void
fill(char message[ERR_MESSAGE_BYTES], const char *raw, size_t length)
{
	static const char ellipsis[] = "\xe2\x80\xa6";
	struct slice rest = {raw, length};
	size_t at = 0;
	size_t cut = 0; /* last place where the ellipsis still fits */

	while (rest.len) {
		char piece[UTF8_ESCAPE_BYTES];
		size_t used;
		size_t n = utf8_escape_next(rest, piece, &used);
		if (at + n >= ERR_MESSAGE_BYTES) {
			memcpy(message + cut, ellipsis, sizeof ellipsis);
			return;
		}
		memcpy(message + at, piece, n);
		at += n;
		if (at + sizeof ellipsis <= ERR_MESSAGE_BYTES) {
			cut = at;
		}
		rest.ptr += used;
		rest.len -= used;
	}
	message[at] = '\0';
}

/* Length of what vsnprintf wrote into a buffer of `size`. */
static size_t
written(int length, size_t size)
{
	if (length < 0) {
		return 0;
	}
	return (size_t)length < size ? (size_t)length : size - 1;
}

int
err_set(struct err *err, enum err_code code, const char *format, ...)
{
	char raw[RAW_BYTES];
	va_list args;

	va_start(args, format);
	int length = vsnprintf(raw, sizeof raw, format, args);
	va_end(args);
	err->code = code;
	fill(err->message, raw, written(length, sizeof raw));
	return -1;
}

int
err_set_errno(struct err *err, int errnum, const char *format, ...)
{
	char raw[RAW_BYTES];
	char why[256];
	va_list args;

	va_start(args, format);
	size_t length = written(vsnprintf(raw, sizeof raw, format, args), sizeof raw);
	va_end(args);
	/* strerror_r has two incompatible forms; "%m" is the same in glibc and musl. */
	errno = errnum;
	size_t why_length = written(snprintf(why, sizeof why, ": %m"), sizeof why);
	if (length > sizeof raw - why_length) {
		length = sizeof raw - why_length;
	}
	memcpy(raw + length, why, why_length);
	err->code = ERR_SYSTEM;
	fill(err->message, raw, length + why_length);
	return -1;
}

int
err_wrap(struct err *err, const char *format, ...)
{
	char raw[RAW_BYTES];
	va_list args;

	va_start(args, format);
	size_t length = written(vsnprintf(raw, sizeof raw, format, args), sizeof raw);
	va_end(args);
	size_t room = sizeof raw - length;
	length += written(snprintf(raw + length, room, ": %s", err->message), room);
	fill(err->message, raw, length);
	return -1;
}
