/*
 * Arrays of dicts: one dict for each moment at which memory was sampled, container -> bytes, mostly
 * as decimal text. The sample is their sum. A dict of fewer than two containers was taken before
 * the sidecar was up and tells nothing: NaN, so that rows used and skipped can be counted.
 *
 * A dict that stands in the array many times is summed up once.
 */
#include "config.h"
#include "import/import_dataload.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "input/pickle.h"

#define CONTAINERS_MIN 2u

/* An optional sign and digits, blanks around. */
static bool
read_decimal(struct slice text, int64_t *value)
{
	while (text.len && (text.ptr[0] == ' ' || text.ptr[0] == '\t')) {
		text = slice_from(text, 1);
	}
	while (text.len && (text.ptr[text.len - 1] == ' ' || text.ptr[text.len - 1] == '\t')) {
		text.len--;
	}
	if (text.len > 1 && text.ptr[0] == '+' && text.ptr[1] != '-') {
		text = slice_from(text, 1);
	}
	return slice_int64(text, value);
}

/* NULL, or why it is no number of bytes. */
static const char *
read_bytes(const struct pickle_entry *entry, int64_t *value)
{
	switch (entry->type) {
	case PICKLE_TEXT:
		return read_decimal(entry->text, value) ? NULL : "a text that is no integer";
	case PICKLE_INTEGER:
		*value = entry->integer;
		return NULL;
	case PICKLE_REAL:
		if (!(entry->real > -0x1p63 && entry->real < 0x1p63)) {
			return "a number beyond 64 bits";
		}
		*value = (int64_t)entry->real;
		return NULL;
	case PICKLE_NONE:
		break;
	}
	return "None, which is no number";
}

struct sum {
	double bytes;        /* NaN: not to be used */
	const char *problem; /* or NULL */
};

static struct sum
sum_up(const struct pickle_dict *dict)
{
	int64_t sum = 0, value;

	if (dict->n_entries < CONTAINERS_MIN) {
		return (struct sum){(double)NAN, NULL};
	}
	for (size_t i = 0; i < dict->n_entries; i++) {
		const char *problem = read_bytes(&dict->entries[i], &value);
		if (!problem && __builtin_add_overflow(sum, value, &sum)) {
			problem = "a sum beyond 64 bits";
		}
		if (problem) {
			return (struct sum){(double)NAN, problem};
		}
	}
	return (struct sum){(double)sum, NULL};
}

static int
give_items(struct dataload_reader *reader, const char *name, const struct pickle_array *array)
{
	struct sum *sums = xcalloc(array->n_dicts + 1, sizeof *sums);
	double *values = xcalloc(array->n_items + 1, sizeof *values);
	char reason[160];
	int result = 0;

	for (size_t i = 0; i < array->n_dicts; i++) {
		sums[i] = sum_up(&array->dicts[i]);
	}
	for (size_t i = 0; i < array->n_items && result == 0; i++) {
		const struct sum *sum = &sums[array->items[i]];
		values[i] = sum->bytes;
		if (sum->problem) {
			snprintf(reason, sizeof reason, "row %zu can't be summed up: %s", i + 1,
			         sum->problem);
			reader->counts.bad_records++;
			result = dataload_problem(reader, PROBLEM_INVALID, i + 1, reason);
		} else {
			reader->counts.records++;
		}
	}
	result = result ? result : dataload_sample(reader, name, "object", values, array->n_items);
	free(values);
	free(sums);
	return result ? -1 : 0;
}

static int
collect(struct dataload_reader *reader, struct strbuf *bytes)
{
	struct slice more;
	int result;

	while ((result = input_fill(reader->input, 1, &more, reader->err)) > 0) {
		if (bytes->len + more.len > PICKLE_BYTES_LIMIT) {
			return err_set(reader->err, ERR_LIMIT, "the array is larger than is read");
		}
		strbuf_add_slice(bytes, more);
		input_consume(reader->input, more.len);
	}
	return result;
}

int
dataload_read_memory(struct dataload_reader *reader, const char *name, uint64_t n_items)
{
	struct strbuf bytes = {0};
	struct pickle_array array = {0};
	uint64_t offset = input_offset(reader->input);
	int result = collect(reader, &bytes);

	result = result ? result
	                : pickle_read(strbuf_slice(&bytes), offset, n_items, &array, reader->err);
	if (result == 0 && array.n_bytes < bytes.len) {
		result = dataload_problem(reader, PROBLEM_SUSPICIOUS, 0,
		                          "bytes follow the array; they are not read")
		             ? -1
		             : 0;
	}
	result = result ? result : give_items(reader, name, &array);
	pickle_free(&array);
	strbuf_free(&bytes);
	return result;
}
