/*
 * Errors live in a struct of the caller: nothing to free, and setting one can't fail for lack of
 * memory: a message that is longer than the stack's share is then cut at its end, nothing else.
 * Messages quote file names and trace contents, so every byte that could steer a terminal is
 * escaped here, once, whoever prints the message later.
 */
#include "config.h"
#include "util/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/utf8.h"

#define RAW_BYTES 4096 /* messages that need no memory */
#define CONTEXT_LEAST 256

static const char ellipsis[] = "\xe2\x80\xa6";
#define ELLIPSIS_BYTES (sizeof(ellipsis) - 1)

/* Bytes that escaping makes of raw. */
static size_t
escaped_bytes(struct slice raw)
{
	size_t bytes = 0, used;
	char piece[UTF8_ESCAPE_BYTES];

	for (; raw.len > 0; raw.ptr += used, raw.len -= used) {
		bytes += utf8_escape_next(raw, piece, &used);
	}
	return bytes;
}

/* Escapes what fits into `room` bytes; returns how many it took, *rest is what did not fit. */
static size_t
escape(char *out, size_t room, struct slice raw, struct slice *rest)
{
	size_t at = 0;

	while (raw.len > 0) {
		char piece[UTF8_ESCAPE_BYTES];
		size_t used, n = utf8_escape_next(raw, piece, &used);

		if (at + n > room) {
			break;
		}
		memcpy(out + at, piece, n);
		at += n;
		raw = slice_from(raw, used);
	}
	*rest = raw;
	return at;
}

/* Escapes raw into `room` bytes (and a NUL). What is too long loses its middle: the begin says what
 * failed, the end why and what to do. */
static void
fill(char *message, size_t room, struct slice raw)
{
	size_t bytes = escaped_bytes(raw), at, head = (room - ELLIPSIS_BYTES) / 2, used;
	char piece[UTF8_ESCAPE_BYTES];

	if (bytes > room) {
		at = escape(message, head, raw, &raw);
		memcpy(message + at, ellipsis, ELLIPSIS_BYTES);
		bytes -= at;
		at += ELLIPSIS_BYTES;
		for (; bytes > room - at; raw.ptr += used, raw.len -= used) {
			bytes -= utf8_escape_next(raw, piece, &used);
		}
		message += at;
		room -= at;
	}
	message[escape(message, room, raw, &raw)] = '\0';
}

/* What the format makes, in buffer or, if it is longer and there is memory, in *memory, which the
 * caller frees. */
static struct slice __attribute__((format(printf, 3, 0)))
format_raw(char buffer[RAW_BYTES], char **memory, const char *format, va_list args)
{
	va_list again;
	int length;

	va_copy(again, args);
	length = vsnprintf(buffer, RAW_BYTES, format, args);
	*memory = length >= RAW_BYTES ? malloc((size_t)length + 1) : NULL;
	if (*memory) {
		vsnprintf(*memory, (size_t)length + 1, format, again);
	}
	va_end(again);
	if (length < 0) {
		length = 0;
	}
	return *memory
	           ? (struct slice){*memory, (size_t)length}
	           : (struct slice){buffer, length < RAW_BYTES ? (size_t)length : RAW_BYTES - 1};
}

int
err_set(struct err *err, enum err_code code, const char *format, ...)
{
	char buffer[RAW_BYTES], *memory;
	struct slice raw;
	va_list args;

	va_start(args, format);
	raw = format_raw(buffer, &memory, format, args);
	va_end(args);
	err->code = code;
	fill(err->message, ERR_MESSAGE_BYTES - 1, raw);
	free(memory);
	return -1;
}

/* Puts "context: " before why. The context gives way first. */
static void
join(struct err *err, struct slice context, const char *why)
{
	char raw[2 * ERR_MESSAGE_BYTES + 2];
	size_t room = ERR_MESSAGE_BYTES - 1, why_length = strlen(why), length;

	room = why_length + 2 + CONTEXT_LEAST < room ? room - why_length - 2 : CONTEXT_LEAST;
	fill(raw, room, context);
	length = strlen(raw);
	length += (size_t)snprintf(raw + length, sizeof(raw) - length, ": %s", why);
	fill(err->message, ERR_MESSAGE_BYTES - 1, (struct slice){raw, length});
}

int
err_set_errno(struct err *err, int errnum, const char *format, ...)
{
	char buffer[RAW_BYTES], *memory, why[256];
	struct slice raw;
	va_list args;

	va_start(args, format);
	raw = format_raw(buffer, &memory, format, args);
	va_end(args);
	/* strerror_r has two incompatible forms; "%m" is the same in glibc and musl. */
	errno = errnum;
	snprintf(why, sizeof(why), "%m");
	err->code = ERR_SYSTEM;
	join(err, raw, why);
	free(memory);
	return -1;
}

int
err_wrap(struct err *err, const char *format, ...)
{
	char buffer[RAW_BYTES], *memory, why[ERR_MESSAGE_BYTES];
	struct slice raw;
	va_list args;

	va_start(args, format);
	raw = format_raw(buffer, &memory, format, args);
	va_end(args);
	memcpy(why, err->message, sizeof(why));
	join(err, raw, why);
	free(memory);
	return -1;
}
