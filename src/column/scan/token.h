/* Words of the filter language and of lists of dimensions: the tokenizer that both parsers
 * share.
 * Used by column/ops, query/spans. */
#ifndef LANESCOPE_COLUMN_SCAN_TOKEN_H
#define LANESCOPE_COLUMN_SCAN_TOKEN_H

#include "column/scan/scan.h"
#include "util/mem.h"

enum token_type {
	TOKEN_END,
	TOKEN_WORD,      /* text: as written */
	TOKEN_ARGUMENT,  /* arg.KEY; text: the key */
	TOKEN_NUMBER,    /* text: digits and unit, without sign */
	TOKEN_TEXT,      /* text: without quotes */
	TOKEN_PARAMETER, /* parameter: 0 ... SCAN_PARAMETERS-1 */
	TOKEN_EQUAL,
	TOKEN_UNEQUAL,
	TOKEN_LESS,
	TOKEN_LESS_EQUAL,
	TOKEN_GREATER,
	TOKEN_GREATER_EQUAL,
	TOKEN_OPEN,
	TOKEN_CLOSE,
	TOKEN_COMMA,
	TOKEN_PLUS,
	TOKEN_MINUS
};

struct token {
	enum token_type type;
	size_t position;     /* of its first byte, from 0 */
	struct slice source; /* as written */
	struct slice text;   /* in the arena */
	unsigned parameter;
};

struct tokenizer {
	const char *what;    /* "filter" or "by", for messages */
	struct slice input;  /* borrowed */
	size_t offset;       /* behind `token` */
	struct token token;  /* the current one */
	struct arena *arena; /* borrowed */
};

#define TOKEN_INPUT_BYTES (1u << 20)

/* Reads the first token. -1: the text is too long (ERR_LIMIT) or cannot be split (ERR_QUERY). */
int tokenizer_init(struct tokenizer *tokenizer, const char *what, struct slice input,
                   struct arena *arena, struct err *err);
int tokenizer_next(struct tokenizer *tokenizer, struct err *err);
bool token_is_key(struct slice text); /* may stand behind "arg." without quotes */
/* The current token and what follows it up to a blank, a comma or a ")": a text without quotes
 * ("node-1.a"). */
struct slice tokenizer_extend(struct tokenizer *tokenizer);
bool token_is(const struct token *token, const char *word); /* TOKEN_WORD, ASCII case-insensitive */
/* "filter, character 7: expected X, found 'Y'". Always -1. */
int token_expected(const struct tokenizer *tokenizer, const char *expected, struct err *err);
/* "filter, character 7: MESSAGE" at a token. Always -1. */
int token_error(const struct tokenizer *tokenizer, const struct token *token, struct err *err,
                const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Reads "12", "1.5e3", "10ms", "4MiB", with an optional sign. False: not a number of this kind. */
bool number_parse(struct slice text, enum number_unit unit, struct scan_value *value);

#endif
