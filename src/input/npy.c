/*
 * The header is a Python dict, written by numpy in one way only, but readable in many: keys in any
 * order and either quotes are taken, everything else that Python would evaluate is refused.
 *
 * Values are converted as they come, item by item; an array in Fortran order is turned around at
 * the end, when all of it is there.
 */
#include "config.h"
#include "input/npy.h"

#include <stdlib.h>
#include <string.h>

#include "util/ascii.h"
#include "util/mem.h"
#include "util/order.h"

#define MAGIC "\x93NUMPY"
#define MAGIC_BYTES 6u
#define HEADER_LIMIT (1u << 20)

/* ---- the dict ---- */

struct literal {
	const char *at, *end;
	struct npy *npy;
	const char *problem; /* static text */
};

static void
skip_blanks(struct literal *literal)
{
	while (literal->at < literal->end && (*literal->at == ' ' || *literal->at == '\t' ||
	                                      *literal->at == '\n' || *literal->at == '\r')) {
		literal->at++;
	}
}

static bool
take(struct literal *literal, char c)
{
	skip_blanks(literal);
	bool found = literal->at < literal->end && *literal->at == c;
	literal->at += found;
	return found;
}

/* A text in either quotes, without escapes. False: there is none. */
static bool
take_text(struct literal *literal, struct slice *text)
{
	skip_blanks(literal);
	if (literal->at == literal->end || (*literal->at != '\'' && *literal->at != '"')) {
		return false;
	}
	const char *start = literal->at + 1;
	const char *quote = memchr(start, *literal->at, (size_t)(literal->end - start));
	if (!quote || memchr(start, '\\', (size_t)(quote - start))) {
		return false;
	}
	*text = (struct slice){start, (size_t)(quote - start)};
	literal->at = quote + 1;
	return true;
}

static bool
take_word(struct literal *literal, const char *word)
{
	size_t length = strlen(word);

	skip_blanks(literal);
	if ((size_t)(literal->end - literal->at) < length ||
	    memcmp(literal->at, word, length) != 0) {
		return false;
	}
	literal->at += length;
	return true;
}

static bool
read_type(struct literal *literal, struct slice descr)
{
	static const struct {
		char letter;
		enum npy_kind kind;
		const char *sizes;
	} types[] = {{'f', NPY_FLOAT, "248"},
	             {'i', NPY_SIGNED, "1248"},
	             {'u', NPY_UNSIGNED, "1248"},
	             {'b', NPY_BOOLEAN, "1"}};
	struct npy *npy = literal->npy;

	if (slice_is(descr, "|O")) {
		npy->kind = NPY_OBJECT;
		memcpy(npy->descr, "|O", 3);
		return true;
	}
	if (descr.len != 3 || !memchr("<>|=", descr.ptr[0], 4)) {
		return false;
	}
	for (size_t i = 0; i < COUNT_OF(types); i++) {
		if (descr.ptr[1] == types[i].letter && descr.ptr[2] != '\0' &&
		    strchr(types[i].sizes, descr.ptr[2])) {
			npy->kind = types[i].kind;
			npy->item_bytes = (unsigned)(descr.ptr[2] - '0');
			npy->is_big_endian = descr.ptr[0] == '>';
			memcpy(npy->descr, descr.ptr, 3);
			return true;
		}
	}
	return false;
}

/* "(2, 3)", "(5,)", "()"; a Python 2 writes 5L. */
static bool
take_shape(struct literal *literal)
{
	struct npy *npy = literal->npy;
	bool comma = true;

	if (!take(literal, '(')) {
		return false;
	}
	while (!take(literal, ')')) {
		uint64_t size = 0;
		const char *start = literal->at;
		if (!comma || npy->n_dimensions == NPY_DIMENSIONS) {
			return false;
		}
		for (; literal->at < literal->end && is_digit(*literal->at); literal->at++) {
			if (__builtin_mul_overflow(size, UINT64_C(10), &size) ||
			    __builtin_add_overflow(size, (uint64_t)(*literal->at - '0'), &size)) {
				literal->problem = "a dimension of the shape is too large";
				return false;
			}
		}
		if (literal->at == start) {
			return false;
		}
		literal->at += literal->at < literal->end && *literal->at == 'L';
		npy->shape[npy->n_dimensions++] = size;
		comma = take(literal, ',');
	}
	return npy->n_dimensions != 1 || comma; /* (5) is a number, not a tuple */
}

/* One key and its value; *seen: bits of the keys there were. */
static bool
take_member(struct literal *literal, unsigned *seen, struct err *err)
{
	struct slice key, descr;
	unsigned bit;

	if (!take_text(literal, &key) || !take(literal, ':')) {
		return false;
	}
	if (slice_is(key, "descr")) {
		bit = 1;
		if (!take_text(literal, &descr)) {
			literal->problem = "records of several fields are not read";
			return false;
		}
		if (!read_type(literal, descr)) {
			err_set(err, ERR_FORMAT, "no .npy file that can be read: type \"%.*s\"",
			        (int)(LEAST(descr.len, 40)), descr.ptr);
			return false;
		}
	} else if (slice_is(key, "fortran_order")) {
		bit = 2;
		literal->npy->is_fortran = take_word(literal, "True");
		if (!literal->npy->is_fortran && !take_word(literal, "False")) {
			return false;
		}
	} else if (slice_is(key, "shape")) {
		bit = 4;
		literal->npy->n_dimensions = 0;
		if (!take_shape(literal)) {
			return false;
		}
	} else {
		literal->problem = "its header has an unknown key";
		return false;
	}
	bool is_new = !(*seen & bit);
	*seen |= bit;
	return is_new;
}

static int
parse_header(struct slice text, struct npy *npy, struct err *err)
{
	struct literal literal = {text.ptr, text.ptr + text.len, npy,
	                          "its header is not a dict of descr, fortran_order and shape"};
	unsigned seen = 0;
	bool comma = true;

	err->code = ERR_NONE;
	bool ok = take(&literal, '{');
	while (ok && !take(&literal, '}')) {
		ok = comma && take_member(&literal, &seen, err);
		comma = ok && take(&literal, ',');
	}
	skip_blanks(&literal);
	if (err->code != ERR_NONE) {
		return -1;
	}
	return !ok || seen != 7 || literal.at != literal.end
	           ? err_set(err, ERR_FORMAT, "no .npy file: %s", literal.problem)
	           : 0;
}

static int
count_values(struct npy *npy, struct err *err)
{
	uint64_t bytes;

	npy->n_values = 1;
	for (unsigned i = 0; i < npy->n_dimensions; i++) {
		if (npy->shape[i] == 0) {
			npy->n_values = 0;
			return 0;
		}
	}
	for (unsigned i = 0; i < npy->n_dimensions; i++) {
		if (__builtin_mul_overflow(npy->n_values, npy->shape[i], &npy->n_values)) {
			return err_set(err, ERR_LIMIT, "the shape is too large");
		}
	}
	if (__builtin_mul_overflow(npy->n_values, (uint64_t)npy->item_bytes, &bytes) ||
	    npy->n_values > NPY_VALUES_LIMIT) {
		return err_set(err, ERR_LIMIT,
		               "the array is larger than is read (%u million values)",
		               (unsigned)(NPY_VALUES_LIMIT >> 20));
	}
	return 0;
}

/* ---- the container ---- */

bool
npy_recognise(struct slice head)
{
	return head.len >= MAGIC_BYTES && memcmp(head.ptr, MAGIC, MAGIC_BYTES) == 0;
}

/* At least `want` bytes. */
static int
need(struct input *input, size_t want, struct slice *bytes, struct err *err)
{
	int more = input_fill(input, want, bytes, err);

	if (more < 0) {
		return -1;
	}
	return more == 0 || bytes->len < want
	           ? err_set(err, ERR_FORMAT, "the file ends within the header of the array")
	           : 0;
}

int
npy_read_header(struct input *input, struct npy *npy, struct err *err)
{
	struct slice bytes;
	size_t length = 0, n_length = 2;

	if (need(input, MAGIC_BYTES + 2, &bytes, err)) {
		return -1;
	}
	if (!npy_recognise(bytes)) {
		return err_set(err, ERR_FORMAT, "no .npy file: it does not begin with \\x93NUMPY");
	}
	unsigned major = (unsigned char)bytes.ptr[6], minor = (unsigned char)bytes.ptr[7];
	if (major < 1 || major > 3 || minor != 0) {
		return err_set(err, ERR_FORMAT, "version %u.%u of .npy is unknown", major, minor);
	}
	n_length = major == 1 ? 2 : 4;
	input_consume(input, MAGIC_BYTES + 2);
	if (need(input, n_length, &bytes, err)) {
		return -1;
	}
	for (size_t i = n_length; i-- > 0;) {
		length = length << 8 | (unsigned char)bytes.ptr[i];
	}
	if (length > HEADER_LIMIT) {
		return err_set(err, ERR_LIMIT, "the header of the array is longer than is read");
	}
	input_consume(input, n_length);
	if (need(input, length, &bytes, err)) {
		return -1;
	}
	struct npy found = {.major = major};
	if (parse_header((struct slice){bytes.ptr, length}, &found, err) ||
	    count_values(&found, err)) {
		return -1;
	}
	input_consume(input, length);
	*npy = found;
	return 0;
}

const char *
npy_type_name(const struct npy *npy)
{
	static const char *const names[][4] = {
	    [NPY_FLOAT] = {"float8", "float16", "float32", "float64"},
	    [NPY_SIGNED] = {"int8", "int16", "int32", "int64"},
	    [NPY_UNSIGNED] = {"uint8", "uint16", "uint32", "uint64"},
	};
	unsigned power = 0;

	if (npy->kind == NPY_OBJECT) {
		return "object";
	}
	if (npy->kind == NPY_BOOLEAN) {
		return "bool";
	}
	while (1u << power < npy->item_bytes) {
		power++;
	}
	return names[npy->kind][power];
}

/* ---- values ---- */

static double
half_to_double(uint64_t bits)
{
	uint64_t exponent = bits >> 10 & 31, fraction = bits & 1023;
	uint64_t wide = bits >> 15 << 63;
	double value;

	if (exponent == 0) { /* a multiple of 2^-24 */
		value = (double)fraction * 0x1p-24;
		return wide ? -value : value;
	}
	wide |= (exponent == 31 ? UINT64_C(2047) : exponent - 15 + 1023) << 52 | fraction << 42;
	memcpy(&value, &wide, sizeof value);
	return value;
}

static double
real_of(uint64_t bits, unsigned item_bytes)
{
	uint32_t word = (uint32_t)bits;
	float single;
	double value;

	if (item_bytes == 2) {
		return half_to_double(bits);
	}
	if (item_bytes == 4) {
		memcpy(&single, &word, sizeof single);
		return (double)single;
	}
	memcpy(&value, &bits, sizeof value);
	return value;
}

static double
value_of(const struct npy *npy, const unsigned char *bytes)
{
	uint64_t bits = 0;
	unsigned n = npy->item_bytes;

	for (unsigned i = 0; i < n; i++) {
		bits |= (uint64_t)bytes[npy->is_big_endian ? n - 1 - i : i] << 8 * i;
	}
	switch (npy->kind) {
	case NPY_FLOAT:
		return real_of(bits, n);
	case NPY_SIGNED: /* from n bytes to 8, keeping the sign */
		return (double)((int64_t)(bits << (64 - 8 * n)) >> (64 - 8 * n));
	case NPY_BOOLEAN:
		return bits != 0;
	case NPY_UNSIGNED:
	case NPY_OBJECT:
		break;
	}
	return (double)bits;
}

/* From the order of the file (first index fastest) to C order (last index fastest). */
static double *
turn_around(const struct npy *npy, const double *values)
{
	double *turned = xcalloc(npy->n_values, sizeof *turned);
	uint64_t index[NPY_DIMENSIONS] = {0}, stride[NPY_DIMENSIONS], from = 0, step = 1;

	for (unsigned i = 0; i < npy->n_dimensions; i++) {
		stride[i] = step;
		step *= npy->shape[i];
	}
	for (uint64_t to = 0; to < npy->n_values; to++) {
		turned[to] = values[from];
		for (unsigned i = npy->n_dimensions; i-- > 0;) {
			from += stride[i];
			if (++index[i] < npy->shape[i]) {
				break;
			}
			from -= stride[i] * npy->shape[i];
			index[i] = 0;
		}
	}
	return turned;
}

/* Is the file itself too short? Known before anything is read, unless it is compressed or a
 * pipe. */
static bool
is_cut(const struct input *input, const struct npy *npy)
{
	int64_t size = input_raw_size(input);
	uint64_t bytes = npy->n_values * npy->item_bytes; /* checked by count_values */

	return size >= 0 && !input_compressed(input) &&
	       ((uint64_t)size < input_offset(input) ||
	        (uint64_t)size - input_offset(input) < bytes);
}

int
npy_read_values(struct input *input, const struct npy *npy, double **values, struct err *err)
{
	double *read = NULL;
	size_t n = 0, capacity = 0;
	struct slice bytes;

	if (npy->kind == NPY_OBJECT) {
		return err_set(err, ERR_FORMAT, "an array of objects is not one of numbers");
	}
	bool cut = is_cut(input, npy);
	while (!cut && n < npy->n_values) {
		int more = input_fill(input, npy->item_bytes, &bytes, err);
		if (more < 0) {
			free(read);
			return -1;
		}
		uint64_t there = bytes.len / npy->item_bytes;
		cut = more == 0 || there == 0;
		if (cut) {
			break;
		}
		there = LEAST(there, npy->n_values - n);
		MEM_GROW(read, capacity, n + there);
		for (uint64_t i = 0; i < there; i++) {
			read[n + i] =
			    value_of(npy, (const unsigned char *)bytes.ptr + i * npy->item_bytes);
		}
		n += there;
		input_consume(input, there * npy->item_bytes);
	}
	if (cut) {
		free(read);
		return err_set(err, ERR_FORMAT, "the file ends within the data of the array");
	}
	if (npy->is_fortran && npy->n_dimensions > 1 && n > 0) {
		double *turned = turn_around(npy, read);
		free(read);
		read = turned;
	}
	*values = read ? read : xcalloc(1, sizeof *read);
	return 0;
}
