/*
 * Errors: what failed, where, why, and what the user can do.
 *
 * A function that can fail takes `struct err *err` last and returns 0 or -1 (constructors: a
 * pointer or NULL). Outputs are written only on success. `err` may not be NULL.
 * Used by most rooms.
 */
#ifndef LANESCOPE_UTIL_ERR_H
#define LANESCOPE_UTIL_ERR_H

enum err_code {
	ERR_NONE = 0,
	ERR_USAGE,     /* the command line or a parameter is wrong */
	ERR_SYSTEM,    /* a system call failed (the message holds strerror) */
	ERR_FORMAT,    /* input is not what it claims to be */
	ERR_LIMIT,     /* a size limit that protects memory was reached */
	ERR_QUERY,     /* SQL or the filter language was refused */
	ERR_CHANGED,   /* a run file changed under its reader */
	ERR_CANCELLED, /* the user asked to stop */
	ERR_INTERNAL
};

/* Caller-owned, no memory of its own; a message longer than this has an ellipsis in its middle: the
 * reason at its end stays. */
#define ERR_MESSAGE_BYTES 1024
struct err {
	enum err_code code;
	char message[ERR_MESSAGE_BYTES]; /* "what: why", UTF-8, control bytes escaped, no newline */
};

#define ERR_INIT                                                                                   \
	{                                                                                          \
		ERR_NONE, ""                                                                       \
	}

/* Sets code and message; control bytes that come in by %s are escaped. Always returns -1. */
int err_set(struct err *err, enum err_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* As err_set, with ": strerror(errnum)" appended and code ERR_SYSTEM. Always returns -1. */
int err_set_errno(struct err *err, int errnum, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Puts "context: " before the message, keeping the code; a long context is cut before the message
 * is. Always returns -1. */
int err_wrap(struct err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
