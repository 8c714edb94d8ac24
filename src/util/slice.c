/*
 * Numbers are read by hand: strtod and friends want a NUL, follow the locale's decimal point,
 * accept hexadecimal and white space, and are slow. Integers are the hot path (ids and times of
 * every record); reals take the exact short way (Clinger's fast path) and fall back to strtod_l for
 * the rest.
 */
#include "config.h"
#include "util/slice.h"

#include <float.h>
#include <locale.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/ascii.h"
#include "util/mem.h"
#include "util/order.h"

bool
slice_uint64(struct slice text, uint64_t *value)
{
	uint64_t sum = 0;

	if (text.len == 0) {
		return false;
	}
	for (size_t i = 0; i < text.len; i++) {
		unsigned digit = (unsigned char)text.ptr[i] - (unsigned)'0';
		if (digit > 9) {
			return false;
		}
		if (i >= 19 && (__builtin_mul_overflow(sum, (uint64_t)10, &sum) ||
		                __builtin_add_overflow(sum, (uint64_t)digit, &sum))) {
			return false;
		}
		if (i < 19) { /* can't overflow */
			sum = sum * 10 + digit;
		}
	}
	*value = sum;
	return true;
}

bool
slice_int64(struct slice text, int64_t *value)
{
	bool negative = text.len && text.ptr[0] == '-';
	uint64_t magnitude;

	if (!slice_uint64(slice_from(text, negative), &magnitude) ||
	    magnitude > (uint64_t)INT64_MAX + negative) {
		return false;
	}
	*value = (int64_t)(negative ? 0 - magnitude : magnitude);
	return true;
}

static locale_t c_locale;

static void
make_c_locale(void)
{
	c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

/* The slow way, for text already known to be a number. */
static bool
slow_double(struct slice text, double *value)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	char small[128];
	char *copy = text.len < sizeof small ? small : xmalloc(text.len + 1);

	pthread_once(&once, make_c_locale);
	memcpy(copy, text.ptr, text.len);
	copy[text.len] = '\0';
	char *end;
	*value = strtod_l(copy, &end, c_locale);
	bool whole = end == copy + text.len;
	if (copy != small) {
		free(copy);
	}
	return whole;
}

static bool
is_special(struct slice text)
{
	static const char *const words[] = {"nan", "inf", "infinity"};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		if (slice_is_anycase(text, words[i])) {
			return true;
		}
	}
	return false;
}

/* The parts of a decimal number: mantissa * 10^exponent10. */
struct decimal {
	uint64_t mantissa;
	long exponent10;
	unsigned digits; /* significant ones in mantissa; more than 19 make it inexact */
};

static bool
read_exponent(const char *at, const char *end, long *exponent10)
{
	bool negative = at < end && *at == '-';
	long value = 0;

	if (at < end && (*at == '-' || *at == '+')) {
		at++;
	}
	if (at == end) {
		return false;
	}
	for (; at < end; at++) {
		if (!is_digit(*at)) {
			return false;
		}
		value = value > 100000 ? value : value * 10 + (*at - '0');
	}
	*exponent10 += negative ? -value : value;
	return true;
}

/* [0-9]* [. [0-9]*] [e...] with at least one digit; the sign is gone already. */
static bool
read_decimal(const char *at, const char *end, struct decimal *decimal)
{
	bool any = false;
	bool point = false;

	for (; at < end; at++) {
		if (*at == '.' && !point) {
			point = true;
			continue;
		}
		if (!is_digit(*at)) {
			break;
		}
		any = true;
		if (decimal->digits < 20) {
			decimal->mantissa = decimal->mantissa * 10 + (uint64_t)(*at - '0');
			decimal->digits += decimal->mantissa != 0;
		}
		decimal->exponent10 -= point;
	}
	if (!any || at == end) {
		return any;
	}
	return (*at == 'e' || *at == 'E') && read_exponent(at + 1, end, &decimal->exponent10);
}

bool
slice_is_above_int64(struct slice text)
{
	int64_t integer;
	double real;

	return !slice_int64(text, &integer) && slice_double(text, &real) && real >= 0x1p63 &&
	       real <= DBL_MAX;
}

bool
slice_double(struct slice text, double *value)
{
	static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
	                                1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
	                                1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
	struct decimal decimal = {0, 0, 0};
	bool is_signed = text.len && (text.ptr[0] == '-' || text.ptr[0] == '+');
	struct slice bare = {text.ptr + is_signed, text.len - is_signed};

	if (bare.len == 0) {
		return false;
	}
	if (!read_decimal(bare.ptr, bare.ptr + bare.len, &decimal)) {
		return is_special(bare) && slow_double(text, value);
	}
	if (decimal.digits > 19 || decimal.mantissa > (UINT64_C(1) << 53) ||
	    decimal.exponent10 < -22 || decimal.exponent10 > 22) {
		return slow_double(text, value);
	}
	double result = (double)decimal.mantissa;
	result = decimal.exponent10 < 0 ? result / powers[-decimal.exponent10]
	                                : result * powers[decimal.exponent10];
	*value = text.ptr[0] == '-' ? -result : result;
	return true;
}

bool
slice_starts_with(struct slice text, const char *start)
{
	size_t n = strlen(start);

	return text.len >= n && slice_is((struct slice){text.ptr, n}, start);
}

bool
slice_ends_with(struct slice text, const char *end)
{
	size_t n = strlen(end);

	return text.len >= n && slice_is(slice_from(text, text.len - n), end);
}

bool
slice_has_ending(struct slice text, const char *ending)
{
	size_t n = strlen(ending);

	return text.len > n && slice_is_anycase(slice_from(text, text.len - n), ending);
}

bool
slice_is_anycase(struct slice a, const char *text)
{
	size_t i = 0;

	while (i < a.len && text[i] && to_lower(a.ptr[i]) == to_lower(text[i])) {
		i++;
	}
	return i == a.len && !text[i];
}

int
slice_compare(struct slice a, struct slice b)
{
	size_t n = LEAST(a.len, b.len);
	int order = n ? memcmp(a.ptr, b.ptr, n) : 0;

	return order ? order : ORDER(a.len, b.len);
}

struct slice
slice_behind_mark(struct slice text)
{
	return slice_from(text, slice_starts_with(text, "\xef\xbb\xbf") ? 3 : 0);
}

struct slice
slice_trim(struct slice text, const char *blanks)
{
	while (text.len && text.ptr[0] && strchr(blanks, text.ptr[0])) {
		text.ptr++;
		text.len--;
	}
	while (text.len && text.ptr[text.len - 1] && strchr(blanks, text.ptr[text.len - 1])) {
		text.len--;
	}
	return text;
}

size_t
name_find(struct slice name, const void *rows, size_t n, size_t bytes)
{
	const char *const *row = rows;
	size_t i = 0;

	while (i < n && !slice_is(name, *row)) {
		i++;
		row += bytes / sizeof *row; /* a row is aligned as its name */
	}
	return i;
}

bool
slice_contains(struct slice text, struct slice part)
{
	return part.len == 0 || (text.len && memmem(text.ptr, text.len, part.ptr, part.len));
}

bool
slice_contains_anycase(struct slice text, struct slice part)
{
	for (size_t i = 0; i + part.len <= text.len; i++) {
		size_t k = 0;

		while (k < part.len && to_lower(text.ptr[i + k]) == to_lower(part.ptr[k])) {
			k++;
		}
		if (k == part.len) {
			return true;
		}
	}
	return false;
}

/* Room for `more` bytes and a NUL. */
static void
reserve(struct strbuf *buf, size_t more)
{
	size_t want = xsize_add(xsize_add(buf->len, more), 1);

	if (want > buf->cap) {
		buf->data = mem_grow(buf->data, &buf->cap, want, 1);
	}
}

void
strbuf_add(struct strbuf *buf, const void *bytes, size_t length)
{
	reserve(buf, length);
	if (length) {
		memcpy(buf->data + buf->len, bytes, length);
	}
	buf->len += length;
	buf->data[buf->len] = '\0';
}

void
strbuf_add_slice(struct strbuf *buf, struct slice text)
{
	strbuf_add(buf, text.ptr, text.len);
}

void
strbuf_add_text(struct strbuf *buf, const char *text)
{
	strbuf_add(buf, text, strlen(text));
}

void
strbuf_add_char(struct strbuf *buf, char c)
{
	reserve(buf, 1);
	buf->data[buf->len++] = c;
	buf->data[buf->len] = '\0';
}

void
strbuf_add_integer(struct strbuf *buf, int64_t integer)
{
	static const char pairs[] = "00010203040506070809101112131415161718192021222324"
				    "25262728293031323334353637383940414243444546474849"
				    "50515253545556575859606162636465666768697071727374"
				    "75767778798081828384858687888990919293949596979899";
	char digits[20];
	size_t at = sizeof digits;
	uint64_t left = integer < 0 ? -(uint64_t)integer : (uint64_t)integer;

	for (; left >= 100; left /= 100) {
		at -= 2;
		memcpy(digits + at, pairs + left % 100 * 2, 2);
	}
	if (left >= 10) {
		digits[--at] = (char)('0' + left % 10);
		left /= 10;
	}
	digits[--at] = (char)('0' + left);
	if (integer < 0) {
		digits[--at] = '-';
	}
	strbuf_add(buf, digits + at, sizeof digits - at);
}

void
strbuf_vprintf(struct strbuf *buf, const char *format, va_list args)
{
	va_list again;

	va_copy(again, args);
	int length = vsnprintf(NULL, 0, format, args);
	if (length >= 0) {
		reserve(buf, (size_t)length);
		vsnprintf(buf->data + buf->len, (size_t)length + 1, format, again);
		buf->len += (size_t)length;
	}
	va_end(again);
}

void
strbuf_printf(struct strbuf *buf, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	strbuf_vprintf(buf, format, args);
	va_end(args);
}

void
strbuf_clear(struct strbuf *buf)
{
	buf->len = 0;
	if (buf->data) {
		buf->data[0] = '\0';
	}
}

void
strbuf_free(struct strbuf *buf)
{
	free(buf->data);
	*buf = (struct strbuf){NULL, 0, 0};
}

struct slice
strbuf_slice(const struct strbuf *buf)
{
	return (struct slice){buf->data ? buf->data : "", buf->len};
}

char *
strbuf_take(struct strbuf *buf)
{
	reserve(buf, 0);
	buf->data[buf->len] = '\0';
	char *text = buf->data;
	*buf = (struct strbuf){NULL, 0, 0};
	return text;
}

struct slice
slice_take_word(struct slice *text)
{
	struct slice word = slice_trim(*text, " ");
	const char *blank = memchr(word.ptr, ' ', word.len);

	*text = slice_from(*text, (size_t)(word.ptr - text->ptr));
	word.len = blank ? (size_t)(blank - word.ptr) : word.len;
	*text = slice_from(*text, word.len);
	while (text->len > 0 && *text->ptr == ' ') {
		*text = slice_from(*text, 1);
	}
	return word;
}
