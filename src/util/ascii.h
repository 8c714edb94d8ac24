/* What a byte is as an ASCII character, whatever the locale; bytes above 127 are none of these.
 * Used by most rooms. */
#ifndef LANESCOPE_UTIL_ASCII_H
#define LANESCOPE_UTIL_ASCII_H

#include <stdbool.h>

static inline bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool
is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static inline bool
is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

static inline bool
is_letter(char c)
{
	return is_lower(c) || is_upper(c);
}

static inline bool
is_alnum(char c)
{
	return is_letter(c) || is_digit(c);
}

/* What a name in C or SQL is made of; the first may not be a digit there. */
static inline bool
is_word_char(char c)
{
	return is_alnum(c) || c == '_';
}

/* Between the tokens of JSON: no vertical tab or form feed, as opposed to is_space. */
static inline bool
is_blank(char c)
{
	return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

static inline bool
is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline char
to_lower(char c)
{
	return is_upper(c) ? (char)(c + ('a' - 'A')) : c;
}

static inline char
to_upper(char c)
{
	return is_lower(c) ? (char)(c - ('a' - 'A')) : c;
}

/* The value of a hexadecimal digit of either case; -1: it is none. */
static inline int
hex_value(char c)
{
	char low = to_lower(c);

	return is_digit(c) ? c - '0' : low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
}

#endif
