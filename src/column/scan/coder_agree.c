/*
 * Agreeing on codes: the only place where threads that scan meet. The lock is taken once for each
 * distinct value and thread, for each thread remembers what it has learnt. What a code stands for
 * is kept as a tuple of values, one for each dimension of the coder.
 */
#include "config.h"
#include "column/scan/coder_private.h"
#include "column/scan/rowvalue.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

uint32_t
number_find(const struct number_table *table, uint64_t number, uint32_t kind)
{
	if (table->n == 0) {
		return 0;
	}
	for (size_t i = number_place(table, number, kind);; i = (i + 1) & table->mask) {
		const struct number_entry *entry = &table->entries[i];
		if (entry->code == 0 || (entry->number == number && entry->kind == kind)) {
			return entry->code;
		}
	}
}

void
number_add(struct number_table *table, uint64_t number, uint32_t kind, uint32_t code)
{
	if (table->n * 2 >= table->mask) {
		struct number_table larger = {.mask = table->mask ? table->mask * 2 + 1 : 255};
		larger.entries = xmalloc((larger.mask + 1) * sizeof *larger.entries);
		/* written at once: a page that is read first is faulted in twice */
		memset(larger.entries, 0, (larger.mask + 1) * sizeof *larger.entries);
		for (size_t i = 0; table->entries && i <= table->mask; i++) {
			if (table->entries[i].code) {
				number_add(&larger, table->entries[i].number,
				           table->entries[i].kind, table->entries[i].code);
			}
		}
		free(table->entries);
		*table = larger;
	}
	size_t i = number_place(table, number, kind);
	while (table->entries[i].code) {
		i = (i + 1) & table->mask;
	}
	table->entries[i] = (struct number_entry){number, kind, code};
	table->n++;
}

static bool
is_within(const struct value_bounds *bounds, const struct scan_value *value)
{
	return (!bounds->has_from ||
	        scan_value_order(value, &bounds->from) >= (bounds->is_after ? 1 : 0)) &&
	       (!bounds->has_to ||
	        scan_value_order(value, &bounds->to) < (bounds->is_through ? 1 : 0));
}

bool
coder_leaves_out(const struct coder *coder, const struct scan_value *tuple)
{
	for (unsigned i = 0; i < coder->n_specs; i++) {
		struct scan_value value = coder_shown(coder, tuple[i]);
		if (!is_within(coder->bounds[i], &value)) {
			return true;
		}
	}
	return false;
}

static int
too_many(const struct coder *coder, struct err *err)
{
	return err_set(err, ERR_LIMIT,
	               "more than %" PRIu32
	               " values of %s: filter more, or take coarser dimensions",
	               coder->limit, row_columns[coder->specs[0]->dimension].name);
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
			strbuf_add_slice(key, tuple[i].text);
		} else if (tuple[i].type == SCAN_INTEGER) {
			strbuf_add(key, &tuple[i].integer, sizeof tuple[i].integer);
		} else if (tuple[i].type == SCAN_REAL) {
			strbuf_add(key, &tuple[i].real, sizeof tuple[i].real);
		}
	}
}

/* A new code for a tuple. With the lock held. */
static int
new_code(struct coder *coder, const struct scan_value *tuple, uint32_t *code, struct err *err)
{
	uint32_t n = atomic_load_explicit(&coder->n_codes, memory_order_relaxed);
	if (n >= coder->limit) {
		return too_many(coder, err);
	}
	MEM_GROW(coder->values, coder->values_capacity, ((size_t)n + 1) * coder->n_specs);
	for (unsigned i = 0; i < coder->n_specs; i++) {
		struct scan_value value = tuple[i];
		if (value.type == SCAN_TEXT) {
			value.text.ptr = arena_strndup(
			    coder->arena, value.text.len ? value.text.ptr : "", value.text.len);
		}
		coder->values[(size_t)n * coder->n_specs + i] = value;
	}
	atomic_store_explicit(&coder->n_codes, n + 1, memory_order_release);
	*code = n;
	return 0;
}

/* Agrees on the code of a tuple with the other threads. */
int
coder_agree(struct coder_state *state, const struct scan_value *tuple, uint32_t *code,
            struct err *err)
{
	struct coder *coder = state->coder;
	int result = 0;
	if (coder_is_outside(coder, tuple)) {
		*code = CODER_OUTSIDE;
		return 0;
	}
	make_key(&state->key, tuple, coder->n_specs);
	pthread_mutex_lock(&coder->lock);
	uint32_t n = intern_count(coder->tuples),
		 id = intern_id(coder->tuples, strbuf_slice(&state->key));
	if (id == n) {
		MEM_GROW(coder->tuple_codes, coder->tuple_codes_capacity, (size_t)n + 1);
		result = new_code(coder, tuple, &coder->tuple_codes[id], err);
	}
	*code = coder->tuple_codes[id];
	pthread_mutex_unlock(&coder->lock);
	return result;
}

/* The same for an integer or a real. */
int
coder_agree_number(struct coder_state *state, uint64_t number, uint32_t kind,
                   const struct scan_value *value, uint32_t *code, struct err *err)
{
	struct coder *coder = state->coder;
	int result = 0;
	if (coder_is_outside(coder, value)) {
		*code = CODER_OUTSIDE;
		return 0;
	}
	pthread_mutex_lock(&coder->lock);
	uint32_t known = number_find(&coder->numbers, number, kind);
	if (known) {
		*code = known - 1;
	} else {
		result = new_code(coder, value, code, err);
		if (result == 0) {
			number_add(&coder->numbers, number, kind, *code + 1);
		}
	}
	pthread_mutex_unlock(&coder->lock);
	return result;
}

/* The text itself is the dimension: no two codes of the dictionary are alike, so they need no
 * comparing. */
int
coder_agree_text(struct coder_state *state, uint32_t text, uint32_t *code, struct err *err)
{
	struct coder *coder = state->coder;
	int result = 0;
	bool is_text = text < coder->dataset->n_texts;
	struct scan_value value = {.type = is_text ? SCAN_TEXT : SCAN_NULL,
	                           .text = is_text ? coder->dataset->texts[text] : slice_of("")};
	if (coder_is_outside(coder, &value)) {
		*code = CODER_OUTSIDE;
		atomic_store_explicit(&coder->by_code[text], CODER_OUTSIDE + 1,
		                      memory_order_release);
		return 0;
	}
	pthread_mutex_lock(&coder->lock);
	uint32_t n = atomic_load_explicit(&coder->n_codes, memory_order_relaxed);
	uint32_t known = atomic_load_explicit(&coder->by_code[text], memory_order_relaxed);
	if (known) {
		*code = known - 1;
	} else if (n >= coder->limit) {
		result = too_many(coder, err);
	} else {
		MEM_GROW(coder->values, coder->values_capacity, (size_t)n + 1);
		coder->values[n] = value;
		*code = n;
		atomic_store_explicit(&coder->n_codes, n + 1, memory_order_release);
		atomic_store_explicit(&coder->by_code[text], n + 1, memory_order_release);
	}
	pthread_mutex_unlock(&coder->lock);
	return result;
}
