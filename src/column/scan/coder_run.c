/*
 * Running coders: a chunk's rows to codes. Every way has its shortcut for what follows what came
 * before: texts and lanes by a table over the source's codes, numbers by the last one seen, then by
 * a hash table of the thread.
 */
#include "config.h"
#include "column/scan/coder_private.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "column/scan/pathname.h"
#include "util/order.h"

#define MANY_NUMBERS 4096 /* of 16 bytes each, twice: more than a core's first cache */

static struct scan_value
derived_text(struct coder_state *state, unsigned part, uint32_t code)
{
	const struct dimension_spec *spec = state->coder->specs[part];
	struct scan_value value = row_text_value(state->coder->dataset, spec->column, code);
	if (value.type == SCAN_NULL) {
		return value;
	}
	if (spec->dimension == ROW_PATTERN) {
		if (!state->regexes[part]) {
			struct err err = ERR_INIT;
			state->regexes[part] =
			    regex_compile(spec->pattern, &err); /* succeeded when `by` was parsed */
		}
		strbuf_clear(&state->scratch); /* only one dimension can be a pattern */
		if (state->regexes[part]) {
			regex_replace(state->regexes[part], value.text, spec->replacement,
			              &state->scratch);
		}
		value.text = state->scratch.len ? strbuf_slice(&state->scratch) : slice_of("");
	}
	return value;
}

/* A text or lane met for the first time. */
static int
code_of_code(struct coder_state *state, uint32_t run_code, uint32_t *code, struct err *err)
{
	struct coder *coder = state->coder;
	struct scan_value tuple[SCAN_DIMENSIONS];
	if (coder->is_identity) {
		return coder_agree_text(state, run_code, code, err);
	}
	for (unsigned i = 0; i < coder->n_specs; i++) {
		tuple[i] = coder->type == CODER_LANE
		               ? row_lane_value(coder->dataset, coder->specs[i]->column, run_code)
		               : derived_text(state, i, run_code);
	}
	if (coder_agree(state, tuple, code, err) < 0) {
		return -1;
	}
	atomic_store_explicit(&coder->by_code[run_code], *code + 1, memory_order_release);
	return 0;
}

static bool
is_present(const uint64_t *presence, uint32_t n_present, uint32_t n, uint32_t row)
{
	return n_present == n || (n_present > 0 && (presence[row / 64] >> row % 64 & 1));
}

/* The run's code that one counts as: itself, its alias, or the one that stands for a missing
 * value. */
static uint32_t
counted_as(const struct coder *coder, uint32_t run_code)
{
	const uint32_t missing = coder->n_by_code - 1;

	if (run_code < missing && coder->aliases) {
		run_code = coder->aliases[run_code];
	}
	return LEAST(run_code, missing);
}

/* The code + 1 of a source's code, first met in this source; source_code n_cache - 1 stands for a
 * missing value. */
static int
resolve(struct coder_state *state, const uint32_t *map, uint32_t source_code, struct err *err)
{
	struct coder *coder = state->coder;
	const uint32_t missing = coder->n_by_code - 1;
	uint32_t run_code =
	    counted_as(coder, source_code + 1 < state->n_cache ? map[source_code] : missing);
	uint32_t code = atomic_load_explicit(&coder->by_code[run_code], memory_order_acquire);
	if (code == 0) {
		if (code_of_code(state, run_code, &code, err)) {
			return -1;
		}
		code++;
	}
	state->cache[source_code] = code;
	return 0;
}

int
coder_total(struct coder_state *state, const struct dataset_total *total, uint32_t *code,
            struct err *err)
{
	struct coder *coder = state->coder;
	uint32_t run_code = counted_as(coder, coder->type == CODER_LANE   ? total->lane
	                                      : coder->column == ROW_NAME ? total->name
	                                                                  : total->category);
	uint32_t known = atomic_load_explicit(&coder->by_code[run_code], memory_order_acquire);
	if (known == 0) {
		return code_of_code(state, run_code, code, err);
	}
	*code = known - 1;
	return 0;
}

/* Our codes by the source's, so that a row costs one look-up. */
static void
begin_source(struct coder_state *state, const struct dataset_source *source)
{
	size_t n =
	    (size_t)(state->coder->type == CODER_LANE ? source->n_lanes : source->n_texts) + 1;
	if (state->source == source) {
		return;
	}
	if (n > state->cache_capacity) {
		free(state->cache);
		MEM_NEW(state->cache, n);
		state->cache_capacity = n;
	} else {
		memset(state->cache, 0, n * sizeof *state->cache);
	}
	state->n_cache = n;
	state->source = source;
}

bool
coder_small(const struct coder_state *state, struct block_view *view, struct few_values *small)
{
	const struct coder *coder = state->coder;
	bool is_plain = coder->type == CODER_TEXT || coder->type == CODER_LANE ||
	                (coder->column == ROW_SIZE && coder->type != CODER_ARG);
	if (coder->column == ROW_SIZE && coder->calls_slot != UINT32_MAX &&
	    block_column(view->info, FIELD_CALLS)) {
		return false;
	}
	return is_plain && block_view_small(view, coder->slots.field, small);
}

static int
run_codes(struct coder_state *state, struct block_view *view, const uint16_t *rows, uint32_t n,
          uint32_t *out, struct err *err)
{
	struct row_codes codes =
	    row_codes_read(state->coder->slots.field, state->coder->type == CODER_LANE, view);
	begin_source(state, view->source);
	const uint32_t missing = (uint32_t)state->n_cache - 1;
	const bool is_full = codes.n_present == view->n;
	uint32_t *cache = state->cache;
	if (is_full && codes.is_constant) {
		uint32_t code = (uint32_t)codes.values[rows ? rows[0] : 0];
		if (!cache[code] && resolve(state, codes.map, code, err)) {
			return -1;
		}
		for (uint32_t i = 0; i < n; i++) {
			out[rows ? rows[i] : i] = cache[code] - 1;
		}
		return 0;
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t row = rows ? rows[i] : i, code = missing;
		if (is_full || is_present(codes.presence, codes.n_present, view->n, row)) {
			code = (uint32_t)codes.values[row];
		}
		if (!cache[code] && resolve(state, codes.map, code, err)) {
			return -1;
		}
		out[row] = cache[code] - 1;
	}
	return 0;
}

static int
code_of_number(struct coder_state *state, uint64_t number, uint32_t kind,
               const struct scan_value *value, uint32_t *code, struct err *err)
{
	uint32_t known = number_find(&state->numbers, number, kind);
	if (known) {
		*code = known - 1;
		return 0;
	}
	bool is_text = value->type == SCAN_TEXT;
	if ((is_text ? coder_agree(state, value, code, err)
	             : coder_agree_number(state, number, kind, value, code, err)) < 0) {
		return -1;
	}
	if (*code != CODER_OUTSIDE) { /* which may be any number of them */
		number_add(&state->numbers, number, kind, *code + 1);
	}
	return 0;
}

static int
code_of_null(struct coder_state *state, uint32_t *code, struct err *err)
{
	struct scan_value null = {.type = SCAN_NULL};
	if (state->coder->type == CODER_RANGE) {
		*code = coder_is_outside(state->coder, &null) ? CODER_OUTSIDE : 0;
		return 0;
	}
	if (state->null_code == 0) {
		if (coder_agree(state, &null, code, err) < 0) {
			return -1;
		}
		state->null_code = *code + 1;
	}
	*code = state->null_code - 1;
	return 0;
}

static int
code_of_integer(struct coder_state *state, int64_t integer, uint32_t *code, struct err *err)
{
	struct coder *coder = state->coder;
	struct scan_value value = {.type = SCAN_INTEGER, .integer = integer};
	if (coder->type == CODER_RANGE) {
		uint64_t distance = (uint64_t)integer - (uint64_t)coder->lowest;
		if (integer < coder->lowest || distance + 1 >= coder_count(coder)) {
			return err_set(
			    err, ERR_FORMAT,
			    "damaged block: %s lies outside of the bounds that its metadata give",
			    row_columns[coder->specs[0]->dimension].name);
		}
		*code = coder_is_outside(coder, &value) ? CODER_OUTSIDE : (uint32_t)distance + 1;
		return 0;
	}
	return code_of_number(state, (uint64_t)integer, NUMBER_INTEGER, &value, code, err);
}

/* Presence of the rows that stand for many calls: none is as long or large as they are together.
 * NULL: no such rows. */
static const uint64_t *
rows_of_many(const struct coder *coder, struct block_view *view)
{
	if (coder->calls_slot == UINT32_MAX) {
		return NULL;
	}
	const struct chunk_column *calls = block_view_column(view, coder->calls_slot);
	return calls->info && calls->n_present > 0 ? calls->presence : NULL;
}

struct row_integers
coder_numbers(struct coder_state *state, struct block_view *view)
{
	return row_column_read(state->coder->column, &state->coder->slots, view, state->integers);
}

/* Where the chunk's numbers are looked up, if there are too many for that to be near. */
static void
fetch_numbers(const struct number_table *table, const int64_t *numbers, const uint16_t *rows,
              uint32_t n)
{
	for (uint32_t i = 0; table->n > MANY_NUMBERS && i < n; i++) {
		__builtin_prefetch(&table->entries[number_place(
		    table, (uint64_t)numbers[rows ? rows[i] : i], NUMBER_INTEGER)]);
	}
}

/* Buckets of a chunk that has a start in every row, straight from the starts. False: one of them is
 * not where the blocks' metadata say. */
static inline __attribute__((always_inline)) bool
run_buckets(const struct coder *coder, const int64_t *starts, const uint16_t *rows, uint32_t n,
            uint32_t *out)
{
	const struct divisor width = coder->width;
	const int64_t first_ns = coder->first_ns;
	const uint64_t lowest = (uint64_t)coder->lowest;
	uint64_t farthest = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t row = rows ? rows[i] : i;
		uint64_t distance =
		    (uint64_t)divide_floor(width, MOST(starts[row], first_ns)) - lowest;
		out[row] = (uint32_t)distance + 1;
		farthest = MOST(distance, farthest);
	}
	return farthest < coder_count(coder) - 1;
}

static int
run_numbers(struct coder_state *state, struct block_view *view, const uint16_t *rows, uint32_t n,
            uint32_t *out, struct err *err)
{
	struct coder *coder = state->coder;
	struct row_integers integers = coder_numbers(state, view);
	const uint64_t *of_many = rows_of_many(coder, view);
	uint32_t last_code = 0;
	int64_t last = 0;
	bool has_last = false;

	if (coder->type == CODER_RANGE && coder->width.by && !coder->is_bounded &&
	    integers.n_present == view->n &&
	    (rows ? run_buckets(coder, integers.values, rows, n, out)
	          : run_buckets(coder, integers.values, NULL, n, out))) {
		return 0;
	}
	if (coder->width.by == 0 && integers.n_present > 0) {
		fetch_numbers(&state->numbers, integers.values, rows, n);
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t row = rows ? rows[i] : i;
		if (!is_present(integers.presence, integers.n_present, view->n, row) ||
		    (of_many && of_many[row / 64] >> row % 64 & 1)) {
			if (code_of_null(state, &out[row], err)) {
				return -1;
			}
			continue;
		}
		int64_t number = integers.values[row];
		number = coder->width.by ? divide_floor(coder->width, MOST(number, coder->first_ns))
		                         : number;
		if (!has_last || number != last) {
			if (code_of_integer(state, number, &last_code, err)) {
				return -1;
			}
			last = number;
			has_last = true;
		}
		out[row] = last_code;
	}
	return 0;
}

int
coder_small_code(struct coder_state *state, struct block_view *view, const struct few_values *small,
                 unsigned index, uint32_t *code, struct err *err)
{
	struct coder *coder = state->coder;
	bool is_absent = index >= small->n_values, is_lane = coder->type == CODER_LANE;
	if (coder->type == CODER_RANGE || coder->type == CODER_NUMBER) {
		return is_absent ? code_of_null(state, code, err)
		                 : code_of_integer(state, small->values[index], code, err);
	}
	begin_source(state, view->source);
	uint32_t source_code =
	    is_absent ? (uint32_t)state->n_cache - 1 : (uint32_t)small->values[index];
	if (!state->cache[source_code] &&
	    resolve(state, is_lane ? view->source->lanes : view->source->texts, source_code, err) <
	        0) {
		return -1;
	}
	*code = state->cache[source_code] - 1;
	return 0;
}

int
coder_bucket(struct coder_state *state, int64_t bucket, uint32_t *code, struct err *err)
{
	return code_of_integer(state, bucket, code, err);
}

/* The column of an argument's values of one type, in a chunk. */
struct arg_column {
	enum arg_type type;
	enum row_arg_storage storage;
	const struct chunk_column *column;
};

/* An argument's value of one type in one row. */
static int
code_of_arg(struct coder_state *state, const struct arg_column *arg, struct block_view *view,
            uint32_t row, uint32_t *code, struct err *err)
{
	char digits[24];
	struct scan_value value = {.type = SCAN_TEXT};
	const struct dataset *dataset = state->coder->dataset;
	int64_t number = arg->column->values ? arg->column->values[row] : 0;
	if (arg->storage == ROW_ARG_LOCAL) {
		if (!block_view_text(view, state->coder->arg_slots.slots[arg->type],
		                     view->row + row, &value.text)) {
			return code_of_null(state, code, err);
		}
		return coder_agree(state, &value, code, err);
	}
	if (arg->storage == ROW_ARG_CODES) {
		uint32_t text = view->source->texts[number];
		if (text >= dataset->n_texts) {
			return code_of_null(state, code, err);
		}
		value.text = dataset->texts[text];
		return code_of_number(state, text, NUMBER_TEXT, &value, code, err);
	}
	if (arg->storage == ROW_ARG_REALS) {
		value.type = SCAN_REAL;
		memcpy(&value.real, &number, sizeof value.real);
		if (isnan(value.real)) {
			return code_of_null(state, code, err);
		}
		if (fabs(value.real) < 9e18 && value.real == (double)(int64_t)value.real) {
			return code_of_integer(state, (int64_t)value.real, code,
			                       err); /* 3.0 is in one group with 3 */
		}
		return code_of_number(state, (uint64_t)number, NUMBER_REAL, &value, code, err);
	}
	if (arg->type == ARG_UNSIGNED) {
		value.text = (struct slice){
		    digits, (size_t)snprintf(digits, sizeof digits, "%" PRIu64, (uint64_t)number)};
		return code_of_number(state, (uint64_t)number, NUMBER_UNSIGNED, &value, code, err);
	}
	return code_of_integer(state, number, code, err);
}

static int
run_arguments(struct coder_state *state, struct block_view *view, const uint16_t *rows, uint32_t n,
              uint32_t *out, struct err *err)
{
	const struct coder *coder = state->coder;
	struct arg_column args[ARG_TYPES];
	unsigned n_args = 0;
	for (int type = 0; type < ARG_TYPES && coder->specs[0]->key != UINT32_MAX; type++) {
		const struct chunk_column *column =
		    block_view_column(view, coder->arg_slots.slots[type]);
		enum row_arg_storage storage = row_arg_storage((enum arg_type)type, column->info);
		if (type != ARG_NULL && storage != ROW_ARG_NONE && column->n_present > 0) {
			args[n_args++] = (struct arg_column){(enum arg_type)type, storage, column};
		}
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t row = rows ? rows[i] : i;
		unsigned t = 0;
		while (t < n_args && !is_present(args[t].column->presence,
		                                 args[t].column->n_present, view->n, row)) {
			t++;
		}
		if ((t == n_args ? code_of_null(state, &out[row], err)
		                 : code_of_arg(state, &args[t], view, row, &out[row], err)) < 0) {
			return -1;
		}
	}
	return 0;
}

int
coder_run(struct coder_state *state, struct block_view *view, const uint16_t *rows, uint32_t n,
          uint32_t *codes, struct err *err)
{
	switch (state->coder->type) {
	case CODER_TEXT:
	case CODER_LANE:
		return run_codes(state, view, rows, n, codes, err);
	case CODER_ARG:
		return run_arguments(state, view, rows, n, codes, err);
	default:
		return run_numbers(state, view, rows, n, codes, err);
	}
}

struct coder_state *
coder_state_new(struct coder *coder)
{
	struct coder_state *state = xcalloc(1, sizeof *state);
	state->coder = coder;
	return state;
}

void
coder_state_free(struct coder_state *state)
{
	if (state) {
		for (unsigned i = 0; i < SCAN_DIMENSIONS; i++) {
			regex_free(state->regexes[i]);
		}
		free(state->numbers.entries);
		free(state->cache);
		strbuf_free(&state->scratch);
		strbuf_free(&state->key);
		free(state);
	}
}
