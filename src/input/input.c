/*
 * One buffer between whatever the bytes come from and the readers. Lines are found in place and
 * lent; only the partial line at the buffer's end moves, when the buffer is filled again. The
 * buffer grows for a line that does not fit, and moves only when that wins at least half of it, so
 * no sequence of line lengths and short reads makes the copying more than linear.
 */
#include "config.h"
#include "input/input.h"

#include <stdlib.h>

#include "input/ahead.h"
#include "input/gzip.h"
#include "input/raw.h"
#include "util/mem.h"
#include "util/order.h"

#define BUFFER_BYTES ((size_t)256 << 10)
#define SPARE_BYTES ((size_t)4096)
#define PEEK_LIMIT ((size_t)16 << 20)
#define BUFFER_LIMIT ((size_t)INPUT_LINE_LIMIT * 4)

struct input {
	char *path;
	struct raw raw;
	struct gzip *gzip;   /* NULL: plain */
	struct ahead *ahead; /* NULL: bytes are read when they are needed */
	char *buffer;        /* capacity + INPUT_PADDING bytes */
	size_t capacity, start, end;
	uint64_t offset; /* of buffer[start] */
	bool ended, skip_rest, last_line_open;
};

/* Containers that we name, so that the user knows what to do. */
static const struct {
	const char *magic;
	size_t length;
	const char *name, *remedy;
} foreign[] = {
    {"PK\003\004", 4, "zip archive", "unpack it with unzip first"},
    {"\3757zXZ\0", 6, "xz file", "use: xz -dc FILE | lanescope import -"},
    {"\x28\xb5\x2f\xfd", 4, "zstd file", "use: zstd -dc FILE | lanescope import -"},
    {"BZh", 3, "bzip2 file", "use: bzip2 -dc FILE | lanescope import -"},
};

static bool
starts_with(const struct raw *raw, const char *magic, size_t length)
{
	return raw->avail >= length && memcmp(raw->next, magic, length) == 0;
}

static bool
is_bzip2(const struct raw *raw)
{
	/* "BZh" alone could be text: a level and the first block's magic follow. */
	return raw->avail >= 10 && (memcmp(raw->next + 4, "\x31\x41\x59\x26\x53\x59", 6) == 0 ||
	                            memcmp(raw->next + 4, "\x17\x72\x45\x38\x50\x90", 6) == 0);
}

static int
refuse_foreign(const struct input *input, struct err *err)
{
	for (size_t i = 0; i < COUNT_OF(foreign); i++) {
		bool is_bz = foreign[i].magic[0] == 'B';
		if (starts_with(&input->raw, foreign[i].magic, foreign[i].length) &&
		    (!is_bz || is_bzip2(&input->raw))) {
			return err_set(err, ERR_FORMAT,
			               "%s: is a %s, which is not read directly: %s", input->path,
			               foreign[i].name, foreign[i].remedy);
		}
	}
	return 0;
}

static struct input *
input_new(const char *path)
{
	struct input *input = xcalloc(1, sizeof *input);

	input->path = xstrdup(path);
	return input;
}

/* One that takes a small plain file whole, and then some, so that its end is found without growing
 * (make_room). */
static void
make_buffer(struct input *input)
{
	int64_t size = input->raw.size;
	size_t capacity = BUFFER_BYTES;

	if (!input->gzip && size >= 0 && size < (int64_t)BUFFER_BYTES / 2) {
		capacity = (size_t)size + (size_t)size / 2 + SPARE_BYTES;
	}
	input->capacity = capacity;
	input->buffer = xmalloc(capacity + INPUT_PADDING);
	memset(input->buffer + capacity, 0, INPUT_PADDING);
}

/* Looks at the first bytes: gzip or not. */
static int
recognise(struct input *input, enum inflate_engine engine, struct err *err)
{
	int more = 1;

	while (more == 1 && input->raw.avail < 16) {
		more = raw_refill(&input->raw, err);
	}
	if (more < 0) {
		return -1;
	}
	if (starts_with(&input->raw, "\x1f\x8b\x08", 3)) {
		input->gzip = gzip_new(engine);
	}
	make_buffer(input);
	return 0;
}

static struct input *
input_open_engine(const char *path, enum inflate_engine engine, struct err *err)
{
	struct input *input = input_new(path);

	if (raw_open(&input->raw, path, err)) {
		goto fail;
	}
	if (recognise(input, engine, err)) {
		err_wrap(err, "%s", path);
		goto fail;
	}
	if (refuse_foreign(input, err)) {
		goto fail;
	}
	return input;
fail:
	input_close(input);
	return NULL;
}

struct input *
input_open(const char *path, struct err *err)
{
	return input_open_engine(path, INFLATE_BEST, err);
}

struct input *
input_from_memory_engine(struct slice bytes, size_t chunk, enum inflate_engine engine)
{
	struct input *input = input_new("(memory)");
	struct err ignored; /* memory can always be read */

	raw_open_memory(&input->raw, bytes, chunk);
	(void)recognise(input, engine, &ignored);
	return input;
}

struct input *
input_from_memory(struct slice bytes, size_t chunk)
{
	return input_from_memory_engine(bytes, chunk, INFLATE_BEST);
}

void
input_close(struct input *input)
{
	if (input) {
		ahead_free(input->ahead);
		raw_close(&input->raw);
		gzip_free(input->gzip);
		free(input->buffer);
		free(input->path);
		free(input);
	}
}

/* A buffer of twice the size, with the bytes at hand at its beginning. */
static int
grow(struct input *input, struct err *err)
{
	size_t held = input->end - input->start;
	char *larger = mem_try(input->capacity * 2 + INPUT_PADDING, 1, BUFFER_LIMIT);

	if (!larger) {
		return err_set(err, ERR_LIMIT, "%s: no memory for a buffer of %zu bytes",
		               input->path, input->capacity * 2);
	}
	memcpy(larger, input->buffer + input->start, held);
	memset(larger + input->capacity * 2, 0, INPUT_PADDING);
	free(input->buffer);
	input->buffer = larger;
	input->capacity *= 2;
	input->start = 0;
	input->end = held;
	return 0;
}

/* Makes room behind the bytes at hand: by moving them where that wins much, else by a larger
 * buffer. */
static int
make_room(struct input *input, struct err *err)
{
	size_t held = input->end - input->start;

	if (held == 0) {
		input->start = input->end = 0;
	}
	if (input->capacity - input->end >= input->capacity / 4) {
		return 0;
	}
	if (input->start < input->capacity / 2) {
		return grow(input, err);
	}
	memcpy(input->buffer, input->buffer + input->start, held);
	input->start = 0;
	input->end = held;
	return 0;
}

/* The next plain bytes, on whatever thread. */
static int64_t
produce(void *user, void *out, size_t size, struct err *err)
{
	struct input *input = user;

	if (input->raw.chunk && size > input->raw.chunk) {
		size = input->raw.chunk;
	}
	return input->gzip ? gzip_read(input->gzip, &input->raw, out, size, err)
	                   : raw_read(&input->raw, out, size, err);
}

void
input_read_ahead(struct input *input)
{
	if (!input->ahead && !input->ended) {
		input->ahead = ahead_new(produce, input);
	}
}

/* Makes a piece's memory the buffer, with the bytes at hand in front of what was read. */
static void
exchange(struct input *input, struct ahead_piece *piece, size_t held)
{
	char *old = input->buffer;

	memcpy(piece->memory + AHEAD_HEADROOM - held, old + input->start, held);
	input->buffer = piece->memory;
	input->start = AHEAD_HEADROOM - held;
	input->end = AHEAD_HEADROOM + (size_t)piece->n;
	if (input->capacity == AHEAD_CAPACITY) {
		piece->memory = old;
		return;
	}
	free(old); /* the first one, or one that grew for a long line */
	input->capacity = AHEAD_CAPACITY;
	piece->memory = xmalloc(AHEAD_CAPACITY + INPUT_PADDING);
	memset(piece->memory + AHEAD_CAPACITY, 0, INPUT_PADDING);
}

/* read_more where another thread reads. */
static int
take_ahead(struct input *input, struct err *err)
{
	struct ahead_piece *piece = ahead_take(input->ahead);
	size_t held = input->end - input->start;

	if (piece->n <= 0) {
		int result = (int)piece->n;
		*err = piece->err;
		ahead_free(input->ahead);
		input->ahead = NULL;
		input->ended = true;
		return result ? err_wrap(err, "%s", input->path) : 0;
	}
	if (held <= AHEAD_HEADROOM) {
		exchange(input, piece, held);
	} else {
		while (input->capacity - input->end < (size_t)piece->n) {
			if (grow(input, err)) {
				ahead_give(input->ahead, piece);
				return -1;
			}
		}
		memcpy(input->buffer + input->end, piece->memory + AHEAD_HEADROOM,
		       (size_t)piece->n);
		input->end += (size_t)piece->n;
	}
	ahead_give(input->ahead, piece);
	return 1;
}

/* Reads more behind the bytes at hand: 1, 0 at the end, -1. */
static int
read_more(struct input *input, struct err *err)
{
	if (input->ended) {
		return 0;
	}
	if (input->ahead) {
		return take_ahead(input, err);
	}
	if (make_room(input, err)) {
		return -1;
	}
	int64_t n = produce(input, input->buffer + input->end, input->capacity - input->end, err);
	if (n < 0) {
		return err_wrap(err, "%s", input->path);
	}
	input->end += (size_t)n;
	input->ended = n == 0;
	return n > 0;
}

/* Reads until `want` bytes are at hand or the input ends. */
static int
gather(struct input *input, size_t want, struct err *err)
{
	while (input->end - input->start < want) {
		int more = read_more(input, err);
		if (more <= 0) {
			return more;
		}
	}
	return 0;
}

void
input_consume(struct input *input, size_t n)
{
	input->start += n;
	input->offset += n;
}

void
input_put_back(struct input *input, struct slice bytes)
{
	size_t held = input->end - input->start;

	if (bytes.len > input->start) {
		size_t capacity = xsize_add(bytes.len + held, BUFFER_BYTES);
		char *larger = xmalloc(capacity + INPUT_PADDING);
		memcpy(larger + bytes.len, input->buffer + input->start, held);
		memset(larger + capacity, 0, INPUT_PADDING);
		free(input->buffer);
		input->buffer = larger;
		input->capacity = capacity;
		input->start = bytes.len;
		input->end = bytes.len + held;
	}
	input->start -= bytes.len;
	input->offset -= bytes.len;
	memcpy(input->buffer + input->start, bytes.ptr, bytes.len);
}

int
input_peek(struct input *input, size_t want, struct slice *head, struct err *err)
{
	if (gather(input, LEAST(want, PEEK_LIMIT), err)) {
		return -1;
	}
	size_t held = input->end - input->start;
	*head = (struct slice){input->buffer + input->start, LEAST(held, want)};
	return 0;
}

int
input_fill(struct input *input, size_t want, struct slice *bytes, struct err *err)
{
	if (gather(input, want ? want : 1, err)) {
		return -1;
	}
	*bytes = (struct slice){input->buffer + input->start, input->end - input->start};
	return bytes->len > 0;
}

/* Consumes the rest of a line that was cut. */
static int
skip_rest(struct input *input, struct err *err)
{
	for (;;) {
		size_t held = input->end - input->start;
		const char *at = input->buffer + input->start;
		const char *newline = held ? memchr(at, '\n', held) : NULL;
		input_consume(input, newline ? (size_t)(newline - at) + 1 : held);
		if (newline) {
			input->skip_rest = false;
			return 0;
		}
		int more = read_more(input, err);
		if (more <= 0) {
			input->skip_rest = more < 0;
			input->last_line_open = more == 0;
			return more;
		}
	}
}

static int
give_line(struct input *input, size_t length, size_t with_newline, bool is_cut, struct slice *line,
          bool *cut)
{
	*line = (struct slice){input->buffer + input->start, length};
	input_consume(input, with_newline);
	input->skip_rest = is_cut;
	if (cut) {
		*cut = is_cut;
	}
	return 1;
}

int
input_line(struct input *input, struct slice *line, bool *cut, struct err *err)
{
	size_t searched = 0; /* bytes from start on that hold no newline */

	if (input->skip_rest && skip_rest(input, err)) {
		return -1;
	}
	for (;;) {
		size_t held = input->end - input->start;
		const char *at = input->buffer + input->start;
		const char *newline =
		    held > searched ? memchr(at + searched, '\n', held - searched) : NULL;
		size_t length = newline ? (size_t)(newline - at) : held;
		if (length > INPUT_LINE_LIMIT) {
			return give_line(input, INPUT_LINE_LIMIT, INPUT_LINE_LIMIT, true, line,
			                 cut);
		}
		if (newline) {
			return give_line(input, length, length + 1, false, line, cut);
		}
		searched = held;
		int more = read_more(input, err);
		if (more < 0) {
			return -1;
		}
		if (more == 0) {
			if (held == 0) {
				return 0;
			}
			input->last_line_open = true;
			return give_line(input, held, held, false, line, cut);
		}
	}
}

bool
input_last_line_open(const struct input *input)
{
	return input->last_line_open;
}

const char *
input_path(const struct input *input)
{
	return input->path;
}

uint64_t
input_offset(const struct input *input)
{
	return input->offset;
}

uint64_t
input_raw_offset(const struct input *input)
{
	return atomic_load_explicit(&((struct input *)input)->raw.offset, memory_order_relaxed);
}

uint64_t
input_waited_ns(const struct input *input)
{
	return atomic_load_explicit(&((struct input *)input)->raw.waited_ns, memory_order_relaxed);
}

int64_t
input_raw_size(const struct input *input)
{
	return input->raw.size;
}

bool
input_compressed(const struct input *input)
{
	return input->gzip != NULL;
}

unsigned
input_members(const struct input *input)
{
	return input->gzip ? gzip_members(input->gzip) : 0;
}

bool
input_truncated(const struct input *input)
{
	return input_truncation(input) != NULL;
}

const char *
input_truncation(const struct input *input)
{
	return input->gzip ? gzip_truncation(input->gzip) : NULL;
}

const char *
input_damage(const struct input *input, uint64_t *offset)
{
	return input->gzip ? gzip_damage(input->gzip, offset) : NULL;
}

const struct file_facts *
input_facts(const struct input *input)
{
	return input->raw.is_file ? &input->raw.facts : NULL;
}

int
input_finish(struct input *input, const struct cancel *cancel, struct digest_value *digest,
             struct err *err)
{
	ahead_free(input->ahead); /* from here on this thread reads */
	input->ahead = NULL;
	input->ended = true;
	if (raw_finish(&input->raw, cancel, err)) {
		return err->code == ERR_CANCELLED ? -1 : err_wrap(err, "%s", input->path);
	}
	*digest = digest_end(&input->raw.digest);
	return 0;
}

int
input_digest(const char *path, const struct cancel *cancel, struct digest_value *digest,
             struct err *err)
{
	struct raw raw;

	if (raw_open(&raw, path, err)) {
		return -1;
	}
	int result = raw_finish(&raw, cancel, err);
	if (result == 0) {
		*digest = digest_end(&raw.digest);
	}
	raw_close(&raw);
	return result == 0 || err->code == ERR_CANCELLED ? result : err_wrap(err, "%s", path);
}
