/*
 * Byte sources: a file, standard input, gzip seen by its magic (any number of members; zlib, or
 * ISA-L where built with it). Plain read(2), no mmap: a file cut while it is read must not kill us.
 *
 * A gzip stream that breaks off gives all bytes that inflate produced, then a clean end with
 * input_truncated() true. Where good members follow a damaged one, they follow, on a new line, and
 * input_damage() tells.
 * Used by cli, export, import, ingest.
 */
#ifndef LANESCOPE_INPUT_INPUT_H
#define LANESCOPE_INPUT_INPUT_H

#include <stdbool.h>
#include <stdint.h>
#include "util/cancel.h"
#include "util/digest.h"
#include "util/err.h"
#include "util/file_facts.h"
#include "util/slice.h"

/* Readable bytes after every slice that input_line and input_fill return (their content is
 * unspecified), so that scanners may look ahead without a bounds check. */
#define INPUT_PADDING 64
#define INPUT_LINE_LIMIT (64u << 20)

struct input;

enum inflate_engine { INFLATE_BEST, INFLATE_ZLIB, INFLATE_ISAL };

/* "-" is standard input. ERR_SYSTEM or ERR_FORMAT (a zip, xz, zstd or bzip2 file is named as what
 * it is, with what to do). */
struct input *input_open(const char *path, struct err *err);
/* Bytes in memory, not copied; gzip is recognised there too. For tests and fuzzing: chunk > 0 makes
 * every read return at most that many bytes. */
struct input *input_from_memory(struct slice bytes, size_t chunk);
struct input *input_from_memory_engine(struct slice bytes, size_t chunk,
                                       enum inflate_engine engine);
/* Reads and inflates on a thread of its own from now on (after peeking is fine). Does nothing where
 * no thread can be had. Members and truncation are known at the end only, then. */
void input_read_ahead(struct input *input);
void input_close(struct input *input); /* takes NULL */

const char *input_path(const struct input *input); /* as given; "-" for stdin */

/* The last part of a path, which may be NULL: lent. */
static inline const char *
path_name(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;

	return slash ? slash + 1 : path;
}

/* First bytes without consuming them: up to `want` (at most 16 MiB), fewer only at the end. Lent
 * until the next call. -1 on error. */
int input_peek(struct input *input, size_t want, struct slice *head, struct err *err);

/* The next line without its newline, of any length up to INPUT_LINE_LIMIT (a longer one is cut
 * there, its rest skipped and *cut set, cut may be NULL). Lent until the next call. 1 line, 0 end,
 * -1 error (ERR_SYSTEM). A last line without newline is a line; input_last_line_open() then
 * tells. */
int input_line(struct input *input, struct slice *line, bool *cut, struct err *err);
bool input_last_line_open(const struct input *input);

/* All bytes at hand, at least `want` of them (0 counts as 1) unless the input ends before: lent
 * until the next call. 1, 0 at the end, -1 (ERR_LIMIT if there is no memory for so many at once).
 * input_consume takes the first n of them. For readers that are not line by line. */
int input_fill(struct input *input, size_t want, struct slice *bytes, struct err *err);
void input_consume(struct input *input, size_t n);
/* The bytes that were consumed last stand before those at hand again. */
void input_put_back(struct input *input, struct slice bytes);

uint64_t input_offset(const struct input *input); /* decompressed bytes consumed so far */
uint64_t
input_raw_offset(const struct input *input); /* bytes of the file read so far; atomic: any thread */
/* Nanoseconds that went by in waiting for storage that is far away; any thread. */
uint64_t input_waited_ns(const struct input *input);
int64_t input_raw_size(const struct input *input); /* file size, -1 unknown (pipe) */
bool input_compressed(const struct input *input);
unsigned input_members(const struct input *input); /* gzip members seen, 0 if plain */
bool input_truncated(const struct input *input);   /* the gzip stream broke off or is corrupt */
/* Of the file as it was when it was opened; NULL: it is none (a pipe, memory). */
const struct file_facts *input_facts(const struct input *input);
/* After the last call that reads: the digest of all raw bytes. Those that the reader did not want
 * are read for it, and count in input_raw_offset. */
int input_finish(struct input *input, const struct cancel *cancel, struct digest_value *digest,
                 struct err *err);
/* The same of a file as it is now, as its bytes are. */
int input_digest(const char *path, const struct cancel *cancel, struct digest_value *digest,
                 struct err *err);

const char *input_truncation(const struct input *input); /* why, a sentence; NULL if not */
/* Places inside that could not be read, before others that could, a sentence; NULL: none. Known at
 * the end only. *offset: decompressed bytes before the first. */
const char *input_damage(const struct input *input, uint64_t *offset);

/* Appends the inflaters and their versions. */
void input_libraries(struct strbuf *out);

#endif
