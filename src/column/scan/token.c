/*
 * A tokenizer without surprises: every byte is looked at once, texts are copied, as they are meant,
 * into the parser's arena, and what is not understood is refused with its position. A number
 * swallows the letters behind it as its unit ("1m30s", "4MiB"); which units are allowed is known
 * only where it is used.
 */
#include "config.h"
#include "column/scan/token.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "util/ascii.h"
#include "util/format.h"
#include "util/quote.h"

#define EXCERPT_BYTES 40

/* Bytes that an argument's key may have without quotes. */
static bool
is_key_byte(char c)
{
	return is_word_char(c) || (unsigned char)c >= 0x80 || (c != '\0' && strchr(".-:$@#/", c));
}

bool
token_is_key(struct slice text)
{
	size_t i = 0;
	while (i < text.len && is_key_byte(text.ptr[i])) {
		i++;
	}
	return text.len > 0 && i == text.len;
}

bool
token_is(const struct token *token, const char *word)
{
	return token->type == TOKEN_WORD && slice_is_anycase(token->source, word);
}

int
token_error(const struct tokenizer *tokenizer, const struct token *token, struct err *err,
            const char *format, ...)
{
	char message[ERR_MESSAGE_BYTES];
	va_list args;
	va_start(args, format);
	vsnprintf(message, sizeof message, format, args);
	va_end(args);
	return err_set(err, ERR_QUERY, "%s, character %zu: %s", tokenizer->what,
	               token->position + 1, message);
}

int
token_expected(const struct tokenizer *tokenizer, const char *expected, struct err *err)
{
	const struct token *token = &tokenizer->token;
	if (token->type == TOKEN_END) {
		return token_error(tokenizer, token, err, "expected %s, found the end", expected);
	}
	struct slice found = token->source;
	bool is_cut = found.len > EXCERPT_BYTES;
	return token_error(tokenizer, token, err, "expected %s, found %.*s%s", expected,
	                   is_cut ? EXCERPT_BYTES : (int)found.len, found.ptr, is_cut ? "..." : "");
}

static char
peek(const struct tokenizer *tokenizer, size_t ahead)
{
	size_t at = tokenizer->offset + ahead;
	return at < tokenizer->input.len ? tokenizer->input.ptr[at] : '\0';
}

/* Whether a text in quotes begins there, plain or with escapes. */
static bool
is_text(const struct tokenizer *tokenizer)
{
	char c = peek(tokenizer, 0), next = peek(tokenizer, 1);
	return c == '\'' || c == '"' || ((c == 'e' || c == 'E') && (next == '\'' || next == '"'));
}

/* The text in quotes at the offset. */
static int
read_text(struct tokenizer *tokenizer, struct err *err)
{
	struct slice rest = {tokenizer->input.ptr + tokenizer->offset,
	                     tokenizer->input.len - tokenizer->offset};
	struct strbuf text = {0};
	size_t n = 0;
	int rc = 0;
	switch (quote_take(rest, &text, &n)) {
	case QUOTE_TAKEN:
		tokenizer->token.text = arena_slice(tokenizer->arena, strbuf_slice(&text));
		tokenizer->offset += n;
		break;
	case QUOTE_ESCAPE:
		rc = err_set(
		    err, ERR_QUERY,
		    "%s, character %zu: a text in e'...' has \\0 \\n \\r \\t \\\\ \\' \\\" and "
		    "\\xHH",
		    tokenizer->what, tokenizer->offset + n + 1);
		break;
	default:
		rc = err_set(err, ERR_QUERY,
		             "%s, character %zu: the text that begins with %c does not end",
		             tokenizer->what, tokenizer->offset + 1, rest.ptr[0]);
	}
	strbuf_free(&text);
	return rc;
}

static int
read_parameter(struct tokenizer *tokenizer, struct err *err)
{
	char c = peek(tokenizer, 1);
	if (c < '1' || c > '0' + SCAN_PARAMETERS || is_digit(peek(tokenizer, 2))) {
		return err_set(err, ERR_QUERY, "%s, character %zu: parameters are ?1 to ?%d",
		               tokenizer->what, tokenizer->offset + 1, SCAN_PARAMETERS);
	}
	tokenizer->token.type = TOKEN_PARAMETER;
	tokenizer->token.parameter = (unsigned)(c - '1');
	tokenizer->offset += 2;
	return 0;
}

/* Digits, a fraction, an exponent, and any letters and further digits as the unit. */
static void
read_number(struct tokenizer *tokenizer)
{
	size_t n = 0;
	for (;;) {
		char c = peek(tokenizer, n);
		bool is_exponent_sign = (c == '+' || c == '-') && n > 0 &&
		                        to_lower(peek(tokenizer, n - 1)) == 'e' &&
		                        is_digit(peek(tokenizer, n + 1)) &&
		                        (n < 2 || !is_letter(peek(tokenizer, n - 2)));
		if (!is_word_char(c) && c != '.' && (unsigned char)c < 0x80 && !is_exponent_sign) {
			break;
		}
		n++;
	}
	tokenizer->token.type = TOKEN_NUMBER;
	tokenizer->token.text = (struct slice){tokenizer->input.ptr + tokenizer->offset, n};
	tokenizer->offset += n;
}

static int
read_word(struct tokenizer *tokenizer, struct err *err)
{
	size_t n = 0;
	while (is_word_char(peek(tokenizer, n))) {
		n++;
	}
	struct slice word = {tokenizer->input.ptr + tokenizer->offset, n};
	if (!slice_is_anycase(word, "arg") || peek(tokenizer, n) != '.') {
		tokenizer->token.type = TOKEN_WORD;
		tokenizer->token.text = word;
		tokenizer->offset += n;
		return 0;
	}
	tokenizer->token.type = TOKEN_ARGUMENT;
	tokenizer->offset += n + 1;
	if (is_text(tokenizer)) {
		return read_text(tokenizer, err);
	}
	for (n = 0; is_key_byte(peek(tokenizer, n));) {
		n++;
	}
	if (n == 0) {
		return err_set(err, ERR_QUERY,
		               "%s, character %zu: expected the name of an argument after arg.",
		               tokenizer->what, tokenizer->offset + 1);
	}
	tokenizer->token.text = (struct slice){tokenizer->input.ptr + tokenizer->offset, n};
	tokenizer->offset += n;
	return 0;
}

/* Operators and punctuation. False: none begins here. */
static bool
read_sign(struct tokenizer *tokenizer)
{
	static const struct {
		char text[3];
		enum token_type type;
	} signs[] = {
	    /* longer ones first */
	    {"==", TOKEN_EQUAL},      {"<>", TOKEN_UNEQUAL},       {"!=", TOKEN_UNEQUAL},
	    {"<=", TOKEN_LESS_EQUAL}, {">=", TOKEN_GREATER_EQUAL}, {"=", TOKEN_EQUAL},
	    {"<", TOKEN_LESS},        {">", TOKEN_GREATER},        {"(", TOKEN_OPEN},
	    {")", TOKEN_CLOSE},       {",", TOKEN_COMMA},          {"+", TOKEN_PLUS},
	    {"-", TOKEN_MINUS},
	};
	for (size_t i = 0; i < COUNT_OF(signs); i++) {
		size_t n = strlen(signs[i].text);
		if (peek(tokenizer, 0) == signs[i].text[0] &&
		    (n == 1 || peek(tokenizer, 1) == signs[i].text[1])) {
			tokenizer->token.type = signs[i].type;
			tokenizer->offset += n;
			return true;
		}
	}
	return false;
}

static int
read_token(struct tokenizer *tokenizer, struct err *err)
{
	char c = peek(tokenizer, 0);
	if (is_text(tokenizer)) {
		tokenizer->token.type = TOKEN_TEXT;
		return read_text(tokenizer, err);
	}
	if (c == '?') {
		return read_parameter(tokenizer, err);
	}
	if (is_digit(c) || (c == '.' && is_digit(peek(tokenizer, 1)))) {
		read_number(tokenizer);
		return 0;
	}
	if (is_letter(c)) {
		return read_word(tokenizer, err);
	}
	if (!read_sign(tokenizer)) {
		char text[2] = {c, '\0'};
		return err_set(err, ERR_QUERY, "%s, character %zu: unexpected %s", tokenizer->what,
		               tokenizer->offset + 1,
		               (unsigned char)c >= 0x80 ? "character (texts stand in quotes)"
		                                        : text);
	}
	return 0;
}

int
tokenizer_next(struct tokenizer *tokenizer, struct err *err)
{
	while (tokenizer->offset < tokenizer->input.len &&
	       strchr(" \t\r\n\f\v", peek(tokenizer, 0)) && peek(tokenizer, 0)) {
		tokenizer->offset++;
	}
	size_t start = tokenizer->offset;
	tokenizer->token = (struct token){.type = TOKEN_END, .position = start};
	if (start >= tokenizer->input.len) {
		return 0;
	}
	if (read_token(tokenizer, err)) {
		return -1;
	}
	tokenizer->token.source =
	    (struct slice){tokenizer->input.ptr + start, tokenizer->offset - start};
	return 0;
}

struct slice
tokenizer_extend(struct tokenizer *tokenizer)
{
	size_t start = tokenizer->token.position;
	while (tokenizer->offset < tokenizer->input.len &&
	       !memchr(" \t\r\n\f\v,)", peek(tokenizer, 0), 8)) {
		tokenizer->offset++;
	}
	tokenizer->token.source =
	    (struct slice){tokenizer->input.ptr + start, tokenizer->offset - start};
	return (struct slice){arena_strndup(tokenizer->arena, tokenizer->token.source.ptr,
	                                    tokenizer->token.source.len),
	                      tokenizer->token.source.len};
}

int
tokenizer_init(struct tokenizer *tokenizer, const char *what, struct slice input,
               struct arena *arena, struct err *err)
{
	*tokenizer = (struct tokenizer){.what = what, .input = input, .arena = arena};
	if (input.len > TOKEN_INPUT_BYTES) {
		return err_set(err, ERR_LIMIT, "%s: longer than %u bytes", what, TOKEN_INPUT_BYTES);
	}
	return tokenizer_next(tokenizer, err);
}

bool
number_parse(struct slice text, enum number_unit unit, struct scan_value *value)
{
	int64_t integer;
	double real;
	struct slice digits = text;
	bool is_negative = digits.len > 0 && digits.ptr[0] == '-';
	if (digits.len > 0 && (digits.ptr[0] == '-' || digits.ptr[0] == '+')) {
		digits = slice_from(digits, 1);
	}
	if (digits.len == 0 || !(is_digit(digits.ptr[0]) || digits.ptr[0] == '.')) {
		return false;
	}
	if (slice_int64(is_negative ? text : digits, &integer)) {
		*value = (struct scan_value){.type = SCAN_INTEGER, .integer = integer};
		return true;
	}
	if (slice_double(digits, &real) && !isnan(real)) {
		*value = (struct scan_value){.type = SCAN_REAL, .real = is_negative ? -real : real};
		return true;
	}
	if (unit == UNIT_NONE || !((unit != UNIT_SIZE && parse_duration(digits, &integer)) ||
	                           (unit != UNIT_DURATION && parse_size(digits, &integer)))) {
		return false;
	}
	*value =
	    (struct scan_value){.type = SCAN_INTEGER, .integer = is_negative ? -integer : integer};
	return true;
}
