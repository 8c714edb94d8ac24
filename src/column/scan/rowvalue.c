/*
 * SQLite's comparisons without affinity, and its LIKE and GLOB.
 *
 * LIKE and GLOB match greedily and, on a mismatch, give the last wildcard one more character:
 * earlier wildcards never need to move, since what follows them matched at the leftmost place, so
 * there is no exponential backtracking as in SQLite's recursive matcher.
 */
#include "config.h"
#include "column/scan/rowvalue.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "util/ascii.h"
#include "util/order.h"
#include "util/utf8.h"

#define TWO_TO_63 9223372036854775808.0

static int
compare_integers(int64_t a, int64_t b)
{
	return ORDER(a, b);
}

static int
compare_unsigned_real(uint64_t number, double real)
{
	if (real < TWO_TO_63) {
		return 1;
	}
	if (real >= 2 * TWO_TO_63) {
		return -1;
	}
	uint64_t whole = (uint64_t)real; /* doubles this large have no fraction */
	return ORDER(number, whole);
}

static int
compare_texts(struct slice a, struct slice b)
{
	int order = slice_compare(a, b);
	return ORDER(order, 0);
}

static int
compare_reals(double a, double b)
{
	return ORDER(a, b);
}

int
scan_value_compare(const struct scan_value *a, const struct scan_value *b)
{
	if (a->type == SCAN_TEXT || b->type == SCAN_TEXT) {
		return a->type == b->type     ? compare_texts(a->text, b->text)
		       : a->type == SCAN_TEXT ? 1
		                              : -1;
	}
	if (a->type == SCAN_REAL) {
		return b->type == SCAN_REAL ? compare_reals(a->real, b->real)
		                            : -order_integer_real(b->integer, a->real);
	}
	return b->type == SCAN_REAL ? order_integer_real(a->integer, b->real)
	                            : compare_integers(a->integer, b->integer);
}

int
scan_value_order(const struct scan_value *a, const struct scan_value *b)
{
	if (a->type == SCAN_NULL || b->type == SCAN_NULL) {
		return (b->type == SCAN_NULL) - (a->type == SCAN_NULL);
	}
	return scan_value_compare(a, b);
}

int
row_value_compare(const struct row_value *row, const struct scan_value *value)
{
	char digits[ROW_VALUE_DIGITS];
	bool with_text = value->type == SCAN_TEXT;
	switch (row->type) {
	case VALUE_IS_TEXT:
		return with_text ? compare_texts(row->text, value->text) : 1;
	case VALUE_IS_UNSIGNED:
		if (with_text) {
			return compare_texts(row_value_text(row, digits), value->text);
		}
		return value->type == SCAN_REAL
		           ? compare_unsigned_real((uint64_t)row->integer, value->real)
		           : 1;
	case VALUE_IS_INTEGER_TEXT:
		if (with_text) {
			return compare_texts(row_value_text(row, digits), value->text);
		}
		break;
	case VALUE_IS_REAL:
		if (with_text) {
			return -1;
		}
		return value->type == SCAN_REAL ? compare_reals(row->real, value->real)
		                                : -order_integer_real(value->integer, row->real);
	default:
		break;
	}
	if (with_text) {
		return -1;
	}
	return value->type == SCAN_REAL ? order_integer_real(row->integer, value->real)
	                                : compare_integers(row->integer, value->integer);
}

/* As SQLite turns a real into text: 15 digits, always with a point. */
static size_t
print_real(char digits[ROW_VALUE_DIGITS], double real)
{
	if (isinf(real)) {
		return (size_t)snprintf(digits, ROW_VALUE_DIGITS, real < 0 ? "-Inf" : "Inf");
	}
	int n = snprintf(digits, ROW_VALUE_DIGITS, "%.15g", real == 0 ? 0.0 : real);
	char *exponent = NULL;
	for (int i = 0; i < n; i++) {
		if (digits[i] == 'e') {
			exponent = digits + i;
		} else if (digits[i] != '-' && digits[i] != '+' && !is_digit(digits[i])) {
			digits[i] = '.'; /* whatever the locale writes */
			return (size_t)n;
		}
	}
	char *at = exponent ? exponent : digits + n;
	memmove(at + 2, at, (size_t)(digits + n - at));
	memcpy(at, ".0", 2);
	return (size_t)n + 2;
}

struct slice
row_value_text(const struct row_value *row, char digits[ROW_VALUE_DIGITS])
{
	switch (row->type) {
	case VALUE_IS_TEXT:
		return row->text;
	case VALUE_IS_REAL:
		return (struct slice){digits, print_real(digits, row->real)};
	case VALUE_IS_UNSIGNED:
		return (struct slice){digits, (size_t)snprintf(digits, ROW_VALUE_DIGITS, "%" PRIu64,
		                                               (uint64_t)row->integer)};
	default:
		return (struct slice){
		    digits, (size_t)snprintf(digits, ROW_VALUE_DIGITS, "%" PRId64, row->integer)};
	}
}

/* Takes the first character off. */
static uint32_t
next_character(struct slice *text)
{
	unsigned char byte = (unsigned char)text->ptr[0];
	size_t length = 1;
	uint32_t code = byte < 0x80 ? byte : utf8_next(*text, &length);
	*text = slice_from(*text, length);
	return code;
}

static uint32_t
fold(uint32_t code)
{
	return code < 0x80 ? (unsigned char)to_lower((char)code) : code;
}

/* One element of a pattern, taken off its front. */
struct element {
	enum { ELEMENT_ONE, ELEMENT_ANY, ELEMENT_ANY_RUN, ELEMENT_SET, ELEMENT_BROKEN } type;
	uint32_t code;
	struct slice set; /* between the brackets of [set] */
};

static struct element
like_element(struct slice *pattern, uint32_t escape)
{
	uint32_t code = next_character(pattern);
	if (escape && code == escape) {
		return pattern->len == 0 ? (struct element){.type = ELEMENT_BROKEN}
		                         : (struct element){ELEMENT_ONE,
		                                            fold(next_character(pattern)),
		                                            {NULL, 0}};
	}
	if (code == '%') {
		return (struct element){.type = ELEMENT_ANY_RUN};
	}
	return (struct element){code == '_' ? ELEMENT_ANY : ELEMENT_ONE, fold(code), {NULL, 0}};
}

static struct element
glob_element(struct slice *pattern)
{
	uint32_t code = next_character(pattern);
	if (code != '[') {
		return (struct element){code == '*'   ? ELEMENT_ANY_RUN
		                        : code == '?' ? ELEMENT_ANY
		                                      : ELEMENT_ONE,
		                        code,
		                        {NULL, 0}};
	}
	size_t i = pattern->len > 0 && pattern->ptr[0] == '^';
	i += i < pattern->len && pattern->ptr[i] == ']'; /* first: stands for itself */
	while (i < pattern->len && pattern->ptr[i] != ']') {
		i++;
	}
	if (i == pattern->len) {
		return (struct element){.type = ELEMENT_BROKEN};
	}
	struct element element = {ELEMENT_SET, 0, {pattern->ptr, i}};
	*pattern = slice_from(*pattern, i + 1);
	return element;
}

/* SQLite's rules: ^ first inverts, a-z is a range but at either end, ] first stands for itself. */
static bool
set_has(struct slice set, uint32_t code)
{
	bool is_inverted = set.len > 0 && set.ptr[0] == '^', is_in = false;
	uint32_t previous = 0;
	if (is_inverted) {
		next_character(&set);
	}
	if (set.len > 0 && set.ptr[0] == ']') {
		is_in = code == ']';
		next_character(&set);
	}
	while (set.len > 0) {
		uint32_t member = next_character(&set);
		if (member == '-' && set.len > 0 && previous > 0) {
			uint32_t last = next_character(&set);
			is_in |= code >= previous && code <= last;
			previous = 0;
		} else {
			is_in |= code == member;
			previous = member;
		}
	}
	return is_in != is_inverted;
}

static bool
matches(struct slice text, struct slice pattern, bool is_glob, uint32_t escape)
{
	struct slice retry_text = {NULL, 0}, retry_pattern = {NULL, 0};
	for (;;) {
		struct slice rest = pattern, text_rest = text;
		bool is_match = pattern.len == 0 && text.len == 0;
		if (is_match) {
			return true;
		}
		if (pattern.len > 0) {
			struct element element =
			    is_glob ? glob_element(&rest) : like_element(&rest, escape);
			if (element.type == ELEMENT_BROKEN) {
				return false;
			}
			if (element.type == ELEMENT_ANY_RUN) {
				if (rest.len == 0) {
					return true;
				}
				retry_text = text;
				retry_pattern = pattern = rest;
				continue;
			}
			if (text.len > 0) {
				uint32_t code = next_character(&text_rest);
				is_match =
				    element.type == ELEMENT_ANY ||
				    (element.type == ELEMENT_SET && set_has(element.set, code)) ||
				    (element.type == ELEMENT_ONE &&
				     element.code == (is_glob ? code : fold(code)));
			}
		}
		if (is_match) {
			text = text_rest;
			pattern = rest;
			continue;
		}
		if (!retry_pattern.ptr || retry_text.len == 0) {
			return false;
		}
		next_character(&retry_text);
		text = retry_text;
		pattern = retry_pattern;
	}
}

bool
text_like(struct slice text, struct slice pattern, uint32_t escape)
{
	return matches(text, pattern, false, escape);
}

bool
text_glob(struct slice text, struct slice pattern)
{
	return matches(text, pattern, true, 0);
}
