/*
 * The order of a page: which columns, and from a row its keys.
 *
 * Numbers of arguments may be integers, unsigned or real; they are compared exactly as (nearest
 * double, what is missing from it). Texts are compared where they lie, in the dictionary;
 * block-local ones are copied into the key, since their block will be gone.
 */
#include "config.h"
#include "column/ops/page_order.h"

#include <stdlib.h>

#include "column/scan/token.h"
#include "util/mem.h"
#include "util/order.h"

static int
parse_column(struct tokenizer *tokenizer, const struct dataset *dataset, enum block_kind kind,
             struct order_column *column, struct err *err)
{
	const struct token *token = &tokenizer->token;
	struct strbuf allowed = {0};

	if (token->type == TOKEN_MINUS || token->type == TOKEN_PLUS) {
		column->is_descending = token->type == TOKEN_MINUS;
		if (tokenizer_next(tokenizer, err)) {
			return -1;
		}
	}
	if (token->type == TOKEN_ARGUMENT) {
		column->column = ROW_ARG;
		column->key = 0;
		while (column->key < dataset->n_keys &&
		       !slice_equal(dataset->keys[column->key], token->text)) {
			column->key++;
		}
		column->key = column->key < dataset->n_keys ? column->key : UINT32_MAX;
		return tokenizer_next(tokenizer, err);
	}
	if (token->type == TOKEN_WORD && row_column_find(token->text, kind, &column->column)) {
		return tokenizer_next(tokenizer, err);
	}
	strbuf_add_text(&allowed, "a column (");
	row_column_list(kind, &allowed);
	strbuf_add_text(&allowed, "), - before it for descending");
	token_expected(tokenizer, allowed.data, err);
	strbuf_free(&allowed);
	return -1;
}

static int
parse_columns(struct tokenizer *tokenizer, const struct dataset *dataset, enum block_kind kind,
              struct page_order *order, struct err *err)
{
	if (tokenizer->token.type == TOKEN_END) {
		return 0;
	}
	for (;;) {
		if (order->n == PAGE_KEYS) {
			return token_error(tokenizer, &tokenizer->token, err,
			                   "more than %d columns", PAGE_KEYS);
		}
		if (parse_column(tokenizer, dataset, kind, &order->columns[order->n++], err)) {
			return -1;
		}
		if (tokenizer->token.type == TOKEN_END) {
			return 0;
		}
		if (tokenizer->token.type != TOKEN_COMMA) {
			return token_expected(tokenizer, ", or the end", err);
		}
		if (tokenizer_next(tokenizer, err)) {
			return -1;
		}
	}
}

int
page_order_parse(const struct dataset *dataset, enum block_kind kind, const char *text,
                 struct page_order *order, struct err *err)
{
	struct arena *arena = arena_new();
	struct tokenizer tokenizer;

	*order = (struct page_order){.n = 0};
	int status = tokenizer_init(&tokenizer, "order", slice_of(text ? text : ""), arena, err);
	if (status == 0) {
		status = parse_columns(&tokenizer, dataset, kind, order, err);
	}
	arena_free(arena);
	if (order->n > 0 && order->columns[0].column == ROW_ID &&
	    !order->columns[0].is_descending) {
		order->n = 0;
	}
	return status;
}

void
page_order_bind(struct page_order *order, struct block_fields *fields)
{
	for (unsigned i = 0; i < order->n; i++) {
		struct order_column *column = &order->columns[i];
		if (column->column != ROW_ARG) {
			row_column_bind(column->column, fields, &column->slots);
		} else if (column->key != UINT32_MAX) {
			row_arg_bind(column->key, fields, &column->arg_slots);
		}
	}
}

static int
compare_integers(int64_t a, int64_t b)
{
	return ORDER(a, b);
}

int
sort_key_compare(const struct sort_key *left, const struct sort_key *right)
{
	int order;

	if (left->rank == KEY_NONE || right->rank == KEY_NONE) {
		return (left->rank == KEY_NONE) - (right->rank == KEY_NONE);
	}
	if (left->rank != right->rank) {
		order = left->rank < right->rank ? -1 : 1;
	} else if (left->rank == KEY_NUMBER) {
		order = compare_integers(left->a, right->a);
		order = order ? order : compare_integers(left->b, right->b);
	} else {
		size_t length = (size_t)LEAST(left->b, right->b);
		order = length ? memcmp(left->text, right->text, length) : 0;
		order = order ? order : compare_integers(left->b, right->b);
	}
	return left->is_descending ? -order : order;
}

void
order_chunk_read(const struct page_order *order, struct block_view *view, struct order_chunk *chunk)
{
	for (unsigned k = 0; k < order->n; k++) {
		const struct order_column *column = &order->columns[k];
		struct order_chunk_column *out = &chunk->columns[k];
		switch (row_columns[column->column].class) {
		case ROW_CLASS_INTEGER:
		case ROW_CLASS_REAL:
			out->integers =
			    row_column_read(column->column, &column->slots, view, out->scratch);
			break;
		case ROW_CLASS_TEXT:
		case ROW_CLASS_LANE:
			out->codes = row_codes_read(
			    column->slots.field,
			    row_columns[column->column].class == ROW_CLASS_LANE, view);
			break;
		case ROW_CLASS_ARG:
			for (int type = 0; type < ARG_TYPES && column->key != UINT32_MAX; type++) {
				out->args[type] =
				    block_view_column(view, column->arg_slots.slots[type]);
			}
			break;
		}
	}
}

static bool
is_present(const uint64_t *presence, uint32_t n_present, uint32_t n, uint32_t i)
{
	return n_present == n || (n_present > 0 && presence[i / 64] >> (i & 63) & 1);
}

static void
key_text(struct sort_key *key, struct slice text)
{
	key->rank = KEY_TEXT;
	key->text = text.ptr;
	key->b = (int64_t)text.len;
}

/* The bits of a double as an integer of the same order; -0 like 0. */
static int64_t
real_order(double value)
{
	int64_t bits;

	value += 0.0;
	memcpy(&bits, &value, sizeof bits);
	return bits < 0 ? bits ^ INT64_MAX : bits;
}

static void
key_real(struct sort_key *key, int64_t bits)
{
	double value;

	memcpy(&value, &bits, sizeof value);
	if (value == value) { /* no order for what is no number */
		key->rank = KEY_NUMBER;
		key->a = real_order(value);
	}
}

/* As (nearest double, rest), to be compared with reals. */
static void
key_exact(struct sort_key *key, int64_t value, bool is_unsigned)
{
	double nearest = is_unsigned ? (double)(uint64_t)value : (double)value;

	key->rank = KEY_NUMBER;
	key->a = real_order(nearest);
	if (nearest >= 18446744073709551616.0 ||
	    (!is_unsigned && nearest >= 9223372036854775808.0)) {
		key->b = (int64_t)((uint64_t)value -
		                   (is_unsigned ? 0 : UINT64_C(1) << 63)); /* below 2^64, 2^63 */
	} else if (is_unsigned) {
		key->b = (int64_t)((uint64_t)value - (uint64_t)nearest);
	} else {
		key->b = value - (int64_t)nearest;
	}
}

static void
key_code(struct sort_key *key, const struct dataset *dataset, enum row_column column, uint32_t code)
{
	if (row_columns[column].class == ROW_CLASS_TEXT) {
		if (code < dataset->n_texts) {
			key_text(key, row_text_of(dataset, column, dataset->texts[code]));
		}
		return;
	}
	struct scan_value value = row_lane_value(dataset, column, code);
	if (value.type == SCAN_TEXT) {
		key_text(key, value.text);
	} else if (value.type == SCAN_INTEGER) {
		key->rank = KEY_NUMBER;
		key->a = value.integer;
	}
}

static void
key_local_text(struct sort_key *key, struct slice text)
{
	char *copy = xmalloc(text.len);

	memcpy(copy, text.ptr, text.len);
	key_text(key, (struct slice){copy, text.len});
	key->is_owned = true;
}

/* Of an argument that a row has in several types the first counts. */
static void
key_argument(struct sort_key *key, const struct order_column *column,
             struct order_chunk_column *chunk, struct block_view *view, uint32_t i)
{
	for (int type = 0; type < ARG_TYPES && column->key != UINT32_MAX; type++) {
		const struct chunk_column *arg = chunk->args[type];
		struct slice text;
		if (row_arg_storage((enum arg_type)type, arg->info) == ROW_ARG_LOCAL) {
			if (block_view_text(view, column->arg_slots.slots[type], view->row + i,
			                    &text)) {
				key_local_text(key, text);
				return;
			}
			continue;
		}
		if (type == ARG_NULL || !is_present(arg->presence, arg->n_present, view->n, i)) {
			continue;
		}
		switch (row_arg_storage((enum arg_type)type, arg->info)) {
		case ROW_ARG_INTEGERS:
			key_exact(key, arg->values[i], type == ARG_UNSIGNED);
			return;
		case ROW_ARG_REALS:
			key_real(key, arg->values[i]);
			return;
		case ROW_ARG_CODES:
			key_code(key, view->dataset, ROW_NAME, view->source->texts[arg->values[i]]);
			return;
		default:
			break;
		}
	}
}

void
order_chunk_key(const struct page_order *order, struct order_chunk *chunk, struct block_view *view,
                uint32_t i, unsigned k, struct sort_key *key)
{
	const struct order_column *column = &order->columns[k];
	struct order_chunk_column *in = &chunk->columns[k];
	enum row_class class = (enum row_class)row_columns[column->column].class;

	*key = (struct sort_key){.rank = KEY_NONE, .is_descending = column->is_descending};
	if (class == ROW_CLASS_ARG) {
		key_argument(key, column, in, view, i);
	} else if (class == ROW_CLASS_INTEGER || class == ROW_CLASS_REAL) {
		if (!is_present(in->integers.presence, in->integers.n_present, view->n, i)) {
			return;
		}
		if (class == ROW_CLASS_REAL) {
			key_real(key, in->integers.values[i]);
		} else {
			key->rank = KEY_NUMBER;
			key->a = in->integers.values[i];
		}
	} else if (is_present(in->codes.presence, in->codes.n_present, view->n, i)) {
		key_code(key, view->dataset, column->column, in->codes.map[in->codes.values[i]]);
	}
}

void
sort_key_free(struct sort_key *key)
{
	if (key->is_owned) {
		free((char *)key->text);
	}
}

void
order_chunk_drop(const struct page_order *order, const struct order_chunk *chunk, uint32_t n,
                 const struct sort_key *worst, uint64_t *matches)
{
	const struct row_integers *column = &chunk->columns[0].integers;

	if (row_columns[order->columns[0].column].class != ROW_CLASS_INTEGER ||
	    worst->rank != KEY_NUMBER) {
		return;
	}
	for (uint32_t word = 0; word < (n + 63) / 64; word++) {
		uint32_t left = LEAST(n - word * 64, 64);
		const int64_t *values = column->values + word * 64;
		uint64_t bits = 0;
		if (column->n_present == 0 || matches[word] == 0) {
			matches[word] = 0;
			continue;
		}
		for (uint32_t i = 0; i < left; i++) {
			bool is_good =
			    worst->is_descending ? values[i] >= worst->a : values[i] <= worst->a;
			bits |= (uint64_t)is_good << i;
		}
		matches[word] &= column->n_present == n ? bits : bits & column->presence[word];
	}
}

bool
page_order_bound(const struct page_order *order, const struct block_info *block,
                 struct sort_key *key)
{
	bool is_descending = order->columns[0].is_descending;
	struct row_range range = row_column_range(order->columns[0].column, block);

	*key = (struct sort_key){.rank = range.type == RANGE_EMPTY ? KEY_NONE : KEY_NUMBER,
	                         .is_descending = is_descending,
	                         .a = is_descending ? range.max : range.min};
	return range.type != RANGE_UNKNOWN;
}
