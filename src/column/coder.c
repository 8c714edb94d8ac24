/*
 * Three ways to a code:
 *   by code:    texts and lanes. A table from the run's code to ours, filled when a code is first
 * met, read without locks. by range:   numbers of which the blocks' metadata say that they lie
 * close together (depths, time buckets): code = value - lowest + 1. by value:   other numbers and
 * arguments: each thread keeps a hash table of what it has seen; new values are agreed on under a
 * lock. The lock is taken once for each distinct value and thread. Codes depend on who came first,
 * but results are sorted by value in the end.
 *
 * What a code stands for is kept as a tuple of values, one for each dimension of the coder.
 */
#include "config.h"
#include "column/coder.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "column/pathname.h"
#include "util/intern.h"
#include "util/mem.h"
#include "util/regex.h"

#define RANGE_CODES 65536 /* at most so many codes by range */

enum coder_type { CODER_TEXT, CODER_LANE, CODER_RANGE, CODER_NUMBER, CODER_ARG };

struct coder {
	enum coder_type type;
	const struct dataset *dataset;
	enum row_column column; /* the first dimension's */
	const struct dimension_spec *specs[SCAN_DIMENSIONS];
	unsigned n_specs;
	bool is_identity; /* the text itself is the only dimension */
	struct row_slots slots;
	struct row_arg_slots arg_slots;
	int64_t width_ns; /* of buckets; 0: the number itself */
	int64_t lowest;   /* CODER_RANGE */
	uint32_t limit;
	_Atomic uint32_t *by_code; /* code + 1, 0: not met yet; [n_by_code - 1]: missing */
	uint32_t n_by_code;
	_Atomic uint32_t n_codes;
	pthread_mutex_t lock;  /* of what follows */
	struct intern *tuples; /* key of a tuple -> code */
	struct arena *arena;
	struct scan_value *values; /* n_specs a code */
	size_t values_capacity;
};

/* Hash table from numbers to codes + 1. */
struct number_table {
	struct number_entry {
		uint64_t number;
		uint32_t kind, code; /* code 0: free */
	} * entries;
	size_t n, mask;
};

struct coder_state {
	struct coder *coder;
	struct regex *regexes[SCAN_DIMENSIONS];
	struct number_table numbers;
	uint32_t null_code;                       /* + 1 */
	int64_t bucket, bucket_start, bucket_end; /* the last one used */
	const struct dataset_source *source;      /* that the cache is of */
	uint32_t *cache; /* code + 1 by the source's code, 0: not met yet */
	size_t n_cache, cache_capacity;
	struct strbuf scratch, key;
	int64_t integers[CHUNK_ROWS];
};

/* What a number in the table is. */
enum { NUMBER_INTEGER, NUMBER_REAL, NUMBER_UNSIGNED, NUMBER_TEXT /* run code */ };

static uint32_t
number_find(const struct number_table *table, uint64_t number, uint32_t kind)
{
	if (table->n == 0) {
		return 0;
	}
	for (size_t i = hash_mix(number + kind) & table->mask;; i = (i + 1) & table->mask) {
		const struct number_entry *entry = &table->entries[i];
		if (entry->code == 0 || (entry->number == number && entry->kind == kind)) {
			return entry->code;
		}
	}
}

static void
number_add(struct number_table *table, uint64_t number, uint32_t kind, uint32_t code)
{
	if (table->n * 2 >= table->mask) {
		struct number_table larger = {.mask = table->mask ? table->mask * 2 + 1 : 255};
		larger.entries = xcalloc(larger.mask + 1, sizeof *larger.entries);
		for (size_t i = 0; table->entries && i <= table->mask; i++) {
			if (table->entries[i].code) {
				number_add(&larger, table->entries[i].number,
				           table->entries[i].kind, table->entries[i].code);
			}
		}
		free(table->entries);
		*table = larger;
	}
	size_t i = hash_mix(number + kind) & table->mask;
	while (table->entries[i].code) {
		i = (i + 1) & table->mask;
	}
	table->entries[i] = (struct number_entry){number, kind, code};
	table->n++;
}

static int
too_many(const struct coder *coder, struct err *err)
{
	return err_set(err, ERR_LIMIT,
	               "more than %" PRIu32
	               " values of %s: filter more, or take coarser dimensions",
	               coder->limit, dimension_name(coder->specs[0]->dimension));
}

/* Two tuples are the same if their keys are. Reals by bits, texts by bytes. */
static void
make_key(struct strbuf *key, const struct scan_value *tuple, unsigned n)
{
	strbuf_clear(key);
	for (unsigned i = 0; i < n; i++) {
		uint8_t type = (uint8_t)tuple[i].type;
		uint64_t length = tuple[i].text.len;
		strbuf_add(key, &type, 1);
		if (tuple[i].type == SCAN_TEXT) {
			strbuf_add(key, &length, sizeof length);
			strbuf_add(key, tuple[i].text.ptr, tuple[i].text.len);
		} else if (tuple[i].type == SCAN_INTEGER) {
			strbuf_add(key, &tuple[i].integer, sizeof tuple[i].integer);
		} else if (tuple[i].type == SCAN_REAL) {
			strbuf_add(key, &tuple[i].real, sizeof tuple[i].real);
		}
	}
}

/* Agrees on the code of a tuple with the other threads. */
static int
agree(struct coder_state *state, const struct scan_value *tuple, uint32_t *code, struct err *err)
{
	struct coder *coder = state->coder;
	int result = 0;
	make_key(&state->key, tuple, coder->n_specs);
	pthread_mutex_lock(&coder->lock);
	uint32_t n = atomic_load_explicit(&coder->n_codes, memory_order_relaxed);
	uint32_t id = intern_id(coder->tuples, strbuf_slice(&state->key));
	if (id >= coder->limit) {
		result = too_many(coder, err);
	} else if (id == n) {
		coder->values = mem_grow(coder->values, &coder->values_capacity,
		                         ((size_t)n + 1) * coder->n_specs, sizeof *coder->values);
		for (unsigned i = 0; i < coder->n_specs; i++) {
			struct scan_value value = tuple[i];
			if (value.type == SCAN_TEXT) {
				value.text.ptr = arena_strndup(coder->arena,
				                               value.text.len ? value.text.ptr : "",
				                               value.text.len);
			}
			coder->values[(size_t)n * coder->n_specs + i] = value;
		}
		atomic_store_explicit(&coder->n_codes, n + 1, memory_order_release);
	}
	pthread_mutex_unlock(&coder->lock);
	*code = id;
	return result;
}

/* The text itself is the dimension: no two codes of the dictionary are alike, so they need no
 * comparing. */
static int
agree_identity(struct coder_state *state, uint32_t text, uint32_t *code, struct err *err)
{
	struct coder *coder = state->coder;
	int result = 0;
	pthread_mutex_lock(&coder->lock);
	uint32_t n = atomic_load_explicit(&coder->n_codes, memory_order_relaxed);
	uint32_t known = atomic_load_explicit(&coder->by_code[text], memory_order_relaxed);
	if (known) {
		*code = known - 1;
	} else if (n >= coder->limit) {
		result = too_many(coder, err);
	} else {
		coder->values = mem_grow(coder->values, &coder->values_capacity, (size_t)n + 1,
		                         sizeof *coder->values);
		bool is_text = text < coder->dataset->n_texts;
		coder->values[n] = (struct scan_value){.type = is_text ? SCAN_TEXT : SCAN_NULL,
		                                       .text = is_text ? coder->dataset->texts[text]
		                                                       : (struct slice){"", 0}};
		*code = n;
		atomic_store_explicit(&coder->n_codes, n + 1, memory_order_release);
		atomic_store_explicit(&coder->by_code[text], n + 1, memory_order_release);
	}
	pthread_mutex_unlock(&coder->lock);
	return result;
}

static struct scan_value
text_value(const struct dataset *dataset, uint32_t code)
{
	if (code >= dataset->n_texts) {
		return (struct scan_value){.type = SCAN_NULL};
	}
	return (struct scan_value){.type = SCAN_TEXT, .text = dataset->texts[code]};
}

static struct scan_value
ident_value(const struct dataset *dataset, const struct ident *ident)
{
	if (ident->type == IDENT_INTEGER) {
		return (struct scan_value){.type = SCAN_INTEGER, .integer = ident->integer};
	}
	return text_value(dataset, ident->type == IDENT_TEXT ? ident->text : TEXT_NONE);
}

static struct scan_value
lane_value(const struct dataset *dataset, enum row_column column, uint32_t code)
{
	if (code >= dataset->n_lanes) {
		return (struct scan_value){.type = SCAN_NULL};
	}
	const struct dataset_lane *lane = &dataset->lanes[code];
	switch (column) {
	case ROW_LANE:
		return (struct scan_value){.type = SCAN_INTEGER, .integer = code};
	case ROW_LANE_NAME:
		return text_value(dataset, lane->name);
	case ROW_HOST:
		return text_value(dataset, lane->host);
	case ROW_KIND:
		return (struct scan_value){.type = SCAN_TEXT,
		                           .text = slice_of(lane_kind_name(lane->kind))};
	default:
		return ident_value(dataset, column == ROW_PROCESS ? &lane->process : &lane->thread);
	}
}

static struct scan_value
derived_text(struct coder_state *state, unsigned part, uint32_t code)
{
	const struct dimension_spec *spec = state->coder->specs[part];
	struct scan_value value = text_value(state->coder->dataset, code);
	if (value.type == SCAN_NULL) {
		return value;
	}
	if (spec->column == ROW_BASENAME) {
		value.text = path_basename(value.text);
	} else if (spec->column == ROW_DIRNAME) {
		value.text = path_dirname(value.text);
	}
	if (spec->dimension == DIMENSION_PATTERN) {
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
		value.text =
		    state->scratch.len ? strbuf_slice(&state->scratch) : (struct slice){"", 0};
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
		return agree_identity(state, run_code, code, err);
	}
	for (unsigned i = 0; i < coder->n_specs; i++) {
		tuple[i] = coder->type == CODER_LANE
		               ? lane_value(coder->dataset, coder->specs[i]->column, run_code)
		               : derived_text(state, i, run_code);
	}
	if (agree(state, tuple, code, err) < 0) {
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

/* The code + 1 of a source's code, first met in this source; source_code n_cache - 1 stands for a missing value. */
static int
resolve(struct coder_state *state, const uint32_t *map, uint32_t source_code, struct err *err)
{
	struct coder *coder = state->coder;
	const uint32_t missing = coder->n_by_code - 1;
	uint32_t run_code = source_code + 1 < state->n_cache ? map[source_code] : missing;
	run_code = run_code < missing ? run_code : missing;
	uint32_t code = atomic_load_explicit(&coder->by_code[run_code], memory_order_acquire);
	if (code == 0) {
		if (code_of_code(state, run_code, &code, err) < 0) {
			return -1;
		}
		code++;
	}
	state->cache[source_code] = code;
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
		state->cache = xcalloc(n, sizeof *state->cache);
		state->cache_capacity = n;
	} else {
		memset(state->cache, 0, n * sizeof *state->cache);
	}
	state->n_cache = n;
	state->source = source;
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
		if (!cache[code] && resolve(state, codes.map, code, err) < 0) {
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
		if (!cache[code] && resolve(state, codes.map, code, err) < 0) {
			return -1;
		}
		out[row] = cache[code] - 1;
	}
	return 0;
}

/* The bucket of a start: rows come nearly in order, so the last bucket is tried before dividing. */
static int64_t
bucket_of(struct coder_state *state, int64_t start)
{
	if (start < state->bucket_start || start >= state->bucket_end) {
		int64_t width = state->coder->width_ns, bucket = start / width;
		bucket -= start % width < 0;
		state->bucket = bucket;
		if (__builtin_mul_overflow(bucket, width, &state->bucket_start)) {
			state->bucket_start = INT64_MIN;
		}
		if (__builtin_add_overflow(state->bucket_start, width, &state->bucket_end)) {
			state->bucket_end = INT64_MAX;
		}
	}
	return state->bucket;
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
	if (agree(state, value, code, err) < 0) {
		return -1;
	}
	number_add(&state->numbers, number, kind, *code + 1);
	return 0;
}

static int
code_of_null(struct coder_state *state, uint32_t *code, struct err *err)
{
	struct scan_value null = {.type = SCAN_NULL};
	if (state->null_code == 0) {
		if (agree(state, &null, code, err) < 0) {
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
	if (coder->type == CODER_RANGE) {
		uint64_t distance = (uint64_t)integer - (uint64_t)coder->lowest;
		if (integer < coder->lowest || distance + 1 >= coder_count(coder)) {
			return err_set(
			    err, ERR_FORMAT,
			    "damaged block: %s lies outside of the bounds that its metadata give",
			    dimension_name(coder->specs[0]->dimension));
		}
		*code = (uint32_t)distance + 1;
		return 0;
	}
	struct scan_value value = {.type = SCAN_INTEGER, .integer = integer};
	return code_of_number(state, (uint64_t)integer, NUMBER_INTEGER, &value, code, err);
}

static int
run_numbers(struct coder_state *state, struct block_view *view, const uint16_t *rows, uint32_t n,
            uint32_t *out, struct err *err)
{
	struct coder *coder = state->coder;
	struct row_integers integers =
	    row_column_read(coder->column, &coder->slots, view, state->integers);
	uint32_t last_code = 0;
	int64_t last = 0;
	bool has_last = false;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t row = rows ? rows[i] : i;
		if (!is_present(integers.presence, integers.n_present, view->n, row)) {
			out[row] = 0; /* missing, by range */
			if (coder->type != CODER_RANGE && code_of_null(state, &out[row], err) < 0) {
				return -1;
			}
			continue;
		}
		int64_t number = integers.values[row];
		number = coder->width_ns ? bucket_of(state, number) : number;
		if (!has_last || number != last) {
			if (code_of_integer(state, number, &last_code, err) < 0) {
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
coder_bucket(struct coder_state *state, int64_t bucket, uint32_t *code, struct err *err)
{
	return code_of_integer(state, bucket, code, err);
}

/* An argument's value of one type in one row. */
static int
code_of_arg(struct coder_state *state, enum arg_type type, enum row_arg_storage storage,
            struct block_view *view, uint32_t row, const struct chunk_column *column,
            uint32_t *code, struct err *err)
{
	char digits[24];
	struct scan_value value = {.type = SCAN_TEXT};
	const struct dataset *dataset = state->coder->dataset;
	int64_t number = column->values ? column->values[row] : 0;
	if (storage == ROW_ARG_LOCAL) {
		if (!block_view_text(view, state->coder->arg_slots.slots[type], view->row + row,
		                     &value.text)) {
			return code_of_null(state, code, err);
		}
		return agree(state, &value, code, err);
	}
	if (storage == ROW_ARG_CODES) {
		uint32_t text = view->source->texts[number];
		if (text >= dataset->n_texts) {
			return code_of_null(state, code, err);
		}
		value.text = dataset->texts[text];
		return code_of_number(state, text, NUMBER_TEXT, &value, code, err);
	}
	if (storage == ROW_ARG_REALS) {
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
	if (type == ARG_UNSIGNED) {
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
	const struct chunk_column *columns[ARG_TYPES];
	enum row_arg_storage storages[ARG_TYPES];
	enum arg_type types[ARG_TYPES];
	unsigned n_types = 0;
	for (int type = 0; type < ARG_TYPES && coder->specs[0]->key != UINT32_MAX; type++) {
		const struct chunk_column *column =
		    block_view_column(view, coder->arg_slots.slots[type]);
		enum row_arg_storage storage = row_arg_storage((enum arg_type)type, column->info);
		if (type != ARG_NULL && storage != ROW_ARG_NONE && column->n_present > 0) {
			columns[n_types] = column;
			storages[n_types] = storage;
			types[n_types++] = (enum arg_type)type;
		}
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t row = rows ? rows[i] : i;
		unsigned t = 0;
		while (t < n_types &&
		       !is_present(columns[t]->presence, columns[t]->n_present, view->n, row)) {
			t++;
		}
		if ((t == n_types ? code_of_null(state, &out[row], err)
		                  : code_of_arg(state, types[t], storages[t], view, row, columns[t],
		                                &out[row], err)) < 0) {
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
	if (!state) {
		return;
	}
	for (unsigned i = 0; i < SCAN_DIMENSIONS; i++) {
		regex_free(state->regexes[i]);
	}
	free(state->numbers.entries);
	free(state->cache);
	strbuf_free(&state->scratch);
	strbuf_free(&state->key);
	free(state);
}

uint32_t
coder_count(const struct coder *coder)
{
	return atomic_load_explicit(&((struct coder *)coder)->n_codes, memory_order_acquire);
}

int64_t
coder_width(const struct coder *coder)
{
	return coder->width_ns;
}

struct scan_value
coder_value(const struct coder *coder, unsigned part, uint32_t code)
{
	struct scan_value value = {.type = SCAN_NULL};
	if (coder->type == CODER_RANGE) {
		value.type = code ? SCAN_INTEGER : SCAN_NULL;
		value.integer = code ? coder->lowest + (int64_t)code - 1 : 0;
	} else {
		value = coder->values[(size_t)code * coder->n_specs + part];
	}
	if (coder->width_ns && value.type == SCAN_INTEGER &&
	    __builtin_mul_overflow(value.integer, coder->width_ns, &value.integer)) {
		value.integer = INT64_MIN; /* the bucket begins before time does */
	}
	return value;
}

/* Bounds of a column's numbers over all blocks, from their metadata. False: not known. */
static bool
number_bounds(const struct dataset *dataset, enum block_kind kind, const struct coder *coder,
              int64_t *min, int64_t *max)
{
	static const uint32_t fields[ROW_COLUMNS] = {[ROW_SIZE] = FIELD_SIZE,
	                                             [ROW_DURATION] = FIELD_DURATION,
	                                             [ROW_DEPTH] = FIELD_DEPTH,
	                                             [ROW_CALLS] = FIELD_CALLS};
	uint32_t field = fields[coder->column];
	bool is_time = coder->specs[0]->dimension == DIMENSION_TIME;
	if (!field && coder->column != ROW_START) {
		return false;
	}
	*min = coder->column == ROW_DEPTH ? 0 : coder->column == ROW_CALLS ? 1 : INT64_MAX;
	*max = coder->column == ROW_DEPTH ? 0 : coder->column == ROW_CALLS ? 1 : INT64_MIN;
	for (size_t i = 0; i < dataset->n_blocks[kind]; i++) {
		const struct block_info *block = &dataset->blocks[kind][i];
		const struct column_info *info = field ? block_column(block, field) : NULL;
		if (field && !info) {
			continue;
		}
		int64_t low = field ? info->min : block->start_min, high = field ? info->max
		                                                           : is_time
		                                                               ? block->end_max
		                                                               : block->start_max;
		*min = low < *min ? low : *min;
		*max = high > *max ? high : *max;
	}
	return true;
}

/* By range where the numbers lie close together. */
static void
choose_range(struct coder *coder, const struct dataset *dataset, enum block_kind kind)
{
	int64_t min, max;
	if (!number_bounds(dataset, kind, coder, &min, &max) || min > max) {
		return;
	}
	if (coder->width_ns) {
		min = min / coder->width_ns - (min % coder->width_ns < 0);
		max = max / coder->width_ns - (max % coder->width_ns < 0);
	}
	if ((uint64_t)max - (uint64_t)min < RANGE_CODES - 2) {
		coder->type = CODER_RANGE;
		coder->lowest = min;
		atomic_init(&coder->n_codes, (uint32_t)(max - min) + 2);
	}
}

static enum coder_type
type_of(enum row_column column)
{
	switch (row_column_class(column)) {
	case ROW_CLASS_TEXT:
		return CODER_TEXT;
	case ROW_CLASS_LANE:
		return CODER_LANE;
	case ROW_CLASS_ARG:
		return CODER_ARG;
	default:
		return CODER_NUMBER;
	}
}

static bool
is_of_path(enum row_column column)
{
	return column == ROW_PATH || column == ROW_BASENAME || column == ROW_DIRNAME;
}

/* May both dimensions be parts of one coder? */
static bool
go_together(enum row_column a, enum row_column b)
{
	enum coder_type type = type_of(a);
	return type == type_of(b) && (type == CODER_LANE || (is_of_path(a) && is_of_path(b)));
}

static struct coder *
coder_new(const struct dataset *dataset, const struct dimension_spec *spec, uint32_t limit)
{
	struct coder *coder = xcalloc(1, sizeof *coder);
	coder->type = type_of(spec->column);
	coder->dataset = dataset;
	coder->column = spec->column;
	coder->width_ns = spec->width_ns;
	coder->limit = limit;
	coder->tuples = intern_new();
	coder->arena = arena_new();
	pthread_mutex_init(&coder->lock, NULL);
	return coder;
}

static void
coder_begin(struct coder *coder, const struct dataset *dataset, enum block_kind kind,
            struct block_fields *fields)
{
	if (coder->type == CODER_ARG) {
		if (coder->specs[0]->key != UINT32_MAX) {
			row_arg_bind(coder->specs[0]->key, fields, &coder->arg_slots);
		}
		return;
	}
	row_column_bind(coder->column, fields, &coder->slots);
	if (coder->type == CODER_NUMBER) {
		choose_range(coder, dataset, kind);
		return;
	}
	coder->n_by_code = (coder->type == CODER_LANE ? dataset->n_lanes : dataset->n_texts) + 1;
	coder->by_code = xcalloc(coder->n_by_code, sizeof *coder->by_code);
	coder->is_identity =
	    coder->n_specs == 1 && (coder->column == ROW_NAME || coder->column == ROW_CATEGORY ||
	                            coder->column == ROW_PATH);
}

void
coder_set_init(struct coder_set *set, const struct dataset *dataset, enum block_kind kind,
               const struct dimension_list *list, uint32_t limit, struct block_fields *fields)
{
	set->n = 0;
	set->time = -1;
	for (unsigned i = 0; i < list->n; i++) {
		const struct dimension_spec *spec = &list->specs[i];
		unsigned c = 0;
		while (c < set->n && !go_together(set->coders[c]->column, spec->column)) {
			c++;
		}
		if (c == set->n) {
			set->coders[set->n++] = coder_new(dataset, spec, limit);
		}
		struct coder *coder = set->coders[c];
		set->places[i].coder = c;
		set->places[i].part = coder->n_specs;
		coder->specs[coder->n_specs++] = spec;
		if (spec->dimension == DIMENSION_TIME) {
			set->time = (int)c;
		}
	}
	for (unsigned c = 0; c < set->n; c++) {
		coder_begin(set->coders[c], dataset, kind, fields);
	}
}

void
coder_set_free(struct coder_set *set)
{
	for (unsigned c = 0; c < set->n; c++) {
		struct coder *coder = set->coders[c];
		pthread_mutex_destroy(&coder->lock);
		intern_free(coder->tuples);
		arena_free(coder->arena);
		free((void *)coder->by_code);
		free(coder->values);
		free(coder);
	}
	set->n = 0;
}
