/*
 * Censuses of the scans that a statement makes, for what is to say of its answer. A scan that is
 * made again (with other columns, say) counts once: what tells scans apart is their filter and its
 * parameters. A statement that makes very many, a row of a join each, has those beyond the limit
 * counted together.
 */
#include "config.h"
#include "store/reader.h"

#include <stdlib.h>
#include <string.h>

#include "column/scan/scan.h"
#include "util/intervals.h"

#define CENSUSES_LIMIT 64

void
run_reader_forget_censuses(struct run_reader *reader)
{
	for (size_t i = 0; i < reader->n_censuses; i++) {
		free(reader->censuses[i].filter);
		free(reader->censuses[i].key);
	}
	reader->n_censuses = 0;
}

size_t
run_reader_censuses(const struct run_reader *reader, const struct store_census **censuses)
{
	*censuses = reader->censuses;
	return reader->n_censuses;
}

static char *
make_key(const char *filter, const struct scan_value parameters[SCAN_PARAMETERS], size_t *len)
{
	struct strbuf key = {0};
	strbuf_add(&key, filter, strlen(filter) + 1);
	for (int i = 0; i < SCAN_PARAMETERS; i++) {
		const struct scan_value *value = &parameters[i];
		strbuf_printf(&key, "%d:%lld:%.17g:%zu:", (int)value->type,
		              value->type == SCAN_INTEGER ? (long long)value->integer : 0,
		              value->type == SCAN_REAL ? value->real : 0,
		              value->type == SCAN_TEXT ? value->text.len : 0);
		if (value->type == SCAN_TEXT && value->text.len > 0) {
			strbuf_add_slice(&key, value->text);
		}
	}
	*len = key.len;
	return strbuf_take(&key);
}

static void
add(struct scan_census *into, const struct scan_census *more)
{
	into->records = time_add(into->records, more->records);
	into->calls = time_add(into->calls, more->calls);
	into->left_out_records = time_add(into->left_out_records, more->left_out_records);
	into->left_out_calls = time_add(into->left_out_calls, more->left_out_calls);
	into->unfinished = time_add(into->unfinished, more->unfinished);
	into->unfinished_ns = time_add(into->unfinished_ns, more->unfinished_ns);
}

int
run_reader_take_census(struct run_reader *reader, const struct dataset *dataset, const char *filter,
                       const struct scan_value *parameters, bool is_beside, struct err *err)
{
	struct scan_census census;
	size_t len;
	filter = filter ? filter : "";
	char *key = make_key(filter, parameters, &len);
	for (size_t i = 0; i < reader->n_censuses; i++) {
		if (reader->censuses[i].key_len == len &&
		    memcmp(reader->censuses[i].key, key, len) == 0) {
			free(key);
			return 0;
		}
	}
	if (scan_census_take(dataset, filter, parameters, reader->cancel, &census, err) < 0) {
		free(key);
		return -1;
	}
	if (is_beside) {
		census.unfinished = census.unfinished_ns = 0;
	}
	if (reader->n_censuses == CENSUSES_LIMIT) {
		add(&reader->censuses[CENSUSES_LIMIT - 1].census, &census);
		free(key);
		return 0;
	}
	MEM_GROW(reader->censuses, reader->censuses_capacity, reader->n_censuses + 1);
	reader->censuses[reader->n_censuses++] =
	    (struct store_census){xstrdup(filter), key, len, census};
	return 0;
}
