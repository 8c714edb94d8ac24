/* Writing files, gzip-compressed or plain, for traces that we make: the counterpart of input.h.
 * Used by cli, export, simulate. */
#ifndef LANESCOPE_INPUT_GZIP_WRITER_H
#define LANESCOPE_INPUT_GZIP_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include "util/err.h"

struct gzip_writer;

/* Creates or replaces `path`. level 0 writes plain bytes, 1 to 9 one gzip member. NULL on error. */
struct gzip_writer *gzip_writer_open(const char *path, int level, struct err *err);
/* Writes to an open file, which stays the caller's and open; name: for messages. */
struct gzip_writer *gzip_writer_over(int fd, const char *name, int level, struct err *err);
/* Errors are kept and told by gzip_writer_close. */
void gzip_writer_put(struct gzip_writer *writer, const void *bytes, size_t length);
/* Whether anything could not be written so far, so that one may stop early. */
bool gzip_writer_failed(const struct gzip_writer *writer);
/* Ends the member and starts another. */
void gzip_writer_split(struct gzip_writer *writer);
/* Frees in any case; -1 when anything could not be written. Takes NULL (0). */
int gzip_writer_close(struct gzip_writer *writer, struct err *err);

#endif
