/*
 * What the records of tables capacity and preemption come to.
 *
 * capacity_sums(big, each): a row for each pool, of its states as capacity_state has them.
 * preemption_sums(big): a row for each pool and kind of record.
 *
 * Each reads its table once, record by record, and keeps a state for each pool; where a record goes
 * back in time all begins again with a statement that sorts. No dictionary is needed, so none is
 * loaded: what limits is SQLite, which steps from row to row.
 */
#include "config.h"
#include "store/vtab.h"

#include <math.h>
#include <stdlib.h>

#include "store/moments.h"
#include "util/index.h"
#include "util/intern.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

/* ---- figures, and what they are of ---- */

struct pool_figure {
	struct moments moments;
	__int128 sum;
};

static void
figure_add(struct pool_figure *figure, int64_t value)
{
	moments_add(&figure->moments, value);
	figure->sum += value;
}

static double
figure_mean(const struct pool_figure *figure)
{
	return figure->moments.n > 0 ? (double)figure->sum / (double)figure->moments.n : NAN;
}

struct pool_key {
	int64_t pool, kind;
	bool has_pool;
};

/* Numbers of keys, in the order in which they were met. */
struct pool_keys {
	struct pool_key *keys;
	size_t n, capacity, last; /* last: that was found */
	struct index index;
};

static bool
is_key(const struct pool_key *key, const struct pool_key *wanted)
{
	return key->pool == wanted->pool && key->kind == wanted->kind &&
	       key->has_pool == wanted->has_pool;
}

static size_t
find_key(struct pool_keys *keys, const struct pool_key *key)
{
	uint64_t hash = hash_mix((uint64_t)key->pool ^ hash_mix((uint64_t)key->kind));
	uint32_t at;

	if (keys->last < keys->n && is_key(&keys->keys[keys->last], key)) {
		return keys->last;
	}
	INDEX_FIND(at, &keys->index, hash, is_key(&keys->keys[at], key));
	if (at == INDEX_NONE) {
		at = (uint32_t)keys->n;
		MEM_GROW(keys->keys, keys->capacity, keys->n + 1);
		keys->keys[keys->n++] = *key;
		index_add(&keys->index, hash, at);
	}
	return keys->last = at;
}

static void
free_keys(struct pool_keys *keys)
{
	free(keys->keys);
	index_free(&keys->index);
	*keys = (struct pool_keys){0};
}

static struct pool_key
key_of_row(sqlite3_stmt *row, int64_t kind)
{
	return (struct pool_key){.pool = sqlite3_column_int64(row, 0),
	                         .kind = kind,
	                         .has_pool = sqlite3_column_type(row, 0) != SQLITE_NULL};
}

/* ---- reading ---- */

static int
check_sum(const struct pool_figure *figure, struct err *err)
{
	return figure->sum == (int64_t)figure->sum
	           ? 0
	           : err_set(err, ERR_LIMIT, "a sum of instances is more than 64 bits hold");
}

/* Values of a row, one after the other. */
struct pool_row {
	int64_t *values;
	int n;
	unsigned missing;
};

static void
put_integer(struct pool_row *row, int64_t value)
{
	row->values[row->n++] = value;
}

static void
put_real(struct pool_row *row, double value)
{
	row->missing |= isnan(value) ? 1u << row->n : 0;
	memcpy(&row->values[row->n++], &value, sizeof value);
}

static void
put_figure(struct pool_row *row, const struct pool_figure *figure)
{
	put_real(row, figure_mean(figure));
	put_real(row, moments_deviation(&figure->moments));
}

static void
put_pool(struct pool_row *row, const struct pool_key *key)
{
	row->missing |= key->has_pool ? 0 : 1u << row->n;
	put_integer(row, key->pool);
}

/* ---- capacity_sums ---- */

struct pool_time {
	bool is_known;
	int64_t time;
};

struct capacity_sums {
	struct pool_key key;
	int64_t n, start, low, high;
	double node_time;
	/* the state at hand, and what was before it */
	int64_t time, nodes, before;
	bool has_before, is_each;
	struct pool_time since, changed, dropped;
	struct pool_figure changes, drops, stops, losses, loss_gaps, rises, regular;
	int64_t n_big;
};

struct capacity_reading {
	struct pool_keys keys;
	struct capacity_sums *pools;
	size_t capacity;
	int64_t big;
};

static void
add_drop(struct capacity_sums *sums, bool is_last)
{
	int64_t fall = time_sub(sums->before, sums->nodes);

	figure_add(&sums->drops, fall);
	if (sums->nodes == 0 && sums->before > 1 && is_last) { /* the shutdown */
		figure_add(&sums->stops, fall);
		return;
	}
	figure_add(&sums->losses, fall);
	if (sums->dropped.is_known) {
		figure_add(&sums->loss_gaps, time_sub(sums->time, sums->dropped.time));
	}
}

static void
add_rise(struct capacity_sums *sums, int64_t big)
{
	int64_t rise = time_sub(sums->nodes, sums->before);

	figure_add(&sums->rises, rise);
	if (rise > big) {
		sums->n_big++;
	} else {
		figure_add(&sums->regular, rise);
	}
}

/* Nothing more comes at the state's time. */
static void
end_state(struct capacity_sums *sums, bool is_last, int64_t big)
{
	bool is_change = sums->has_before && sums->nodes != sums->before;
	struct pool_time from = sums->is_each ? sums->since : sums->changed,
			 now = {true, sums->time};

	sums->low = LEAST(sums->nodes, sums->low);
	sums->high = MOST(sums->nodes, sums->high);
	if (sums->has_before && (is_change || sums->is_each)) {
		figure_add(&sums->changes, time_sub(sums->time, from.time));
	}
	if (is_change && sums->nodes < sums->before) {
		add_drop(sums, is_last);
		sums->dropped = now;
	} else if (is_change) {
		add_rise(sums, big);
	}
	sums->changed = is_change || !sums->has_before ? now : sums->changed;
	sums->since = now;
	sums->before = sums->nodes;
	sums->has_before = true;
}

/* 1: the row is earlier than what was before it. */
static int
take_count(void *user, sqlite3_stmt *row, struct err *err)
{
	struct capacity_reading *reading = user;
	struct pool_key key = key_of_row(row, 0);
	int64_t time = sqlite3_column_int64(row, 1);
	size_t n = reading->keys.n, at = find_key(&reading->keys, &key);

	(void)err;
	MEM_GROW(reading->pools, reading->capacity, reading->keys.n);
	struct capacity_sums *sums = &reading->pools[at];
	if (at == n) {
		*sums = (struct capacity_sums){
		    .key = key, .start = time, .low = INT64_MAX, .high = INT64_MIN};
	} else if (time < sums->time) {
		return 1;
	} else if (time > sums->time) {
		sums->node_time += (double)sums->nodes * (double)time_sub(time, sums->time);
		end_state(sums, false, reading->big);
	}
	sums->n++;
	sums->time = time;
	sums->nodes = sqlite3_column_int64(row, 2);
	sums->is_each = sqlite3_column_int(row, 3);
	return 0;
}

static int
take_counts(struct vtab *vtab, struct capacity_reading *reading, sqlite3_value *each,
            struct err *err)
{
#define COUNTS                                                                                     \
	"SELECT pool, time, nodes, source IN (SELECT id FROM main.source WHERE dialect = ?1) "     \
	"FROM main.capacity ORDER BY "
	int rc = vtab_take_rows(vtab, COUNTS "id", each, take_count, reading, err);

	if (rc == 1) {
		free_keys(&reading->keys);
		rc = vtab_take_rows(vtab, COUNTS "time, id", each, take_count, reading, err);
	}
	for (size_t i = 0; i < reading->keys.n && rc >= 0; i++) {
		struct capacity_sums *sums = &reading->pools[i];
		end_state(sums, true, reading->big);
		rc = check_sum(&sums->drops, err) || check_sum(&sums->rises, err) ? -1 : rc;
	}
	return rc;
}

static int
run_capacity(struct vtab *vtab, struct listed_cursor *cursor, struct err *err)
{
	struct capacity_reading reading = {.big = 0};

	if (arguments_integer(&cursor->arguments, 0, &reading.big, err)) {
		return -1;
	}
	int rc = take_counts(vtab, &reading, cursor->arguments.values[1], err);
	cursor->rows = reading.pools;
	cursor->n = (int64_t)reading.keys.n;
	free_keys(&reading.keys);
	return rc < 0 ? -1 : 0;
}

static unsigned
read_capacity(const void *rows, int64_t at, int64_t values[LISTED_COLUMNS])
{
	const struct capacity_sums *sums = (const struct capacity_sums *)rows + at;
	struct pool_row row = {values, 0, 0};

	put_pool(&row, &sums->key);
	put_integer(&row, sums->n);
	put_integer(&row, sums->start);
	put_integer(&row, sums->time);
	put_integer(&row, sums->low);
	put_integer(&row, sums->high);
	put_integer(&row, sums->nodes);
	put_real(&row, sums->node_time);
	put_figure(&row, &sums->changes);
	put_integer(&row, sums->drops.moments.n);
	put_integer(&row, (int64_t)sums->drops.sum);
	row.missing |= sums->stops.moments.n == 0 ? 1u << row.n : 0;
	put_integer(&row, (int64_t)sums->stops.sum);
	put_integer(&row, sums->losses.moments.n);
	put_integer(&row, (int64_t)sums->losses.sum);
	put_figure(&row, &sums->losses);
	put_figure(&row, &sums->loss_gaps);
	put_integer(&row, sums->rises.moments.n);
	put_integer(&row, (int64_t)sums->rises.sum);
	put_integer(&row, sums->n_big);
	put_integer(&row, sums->regular.moments.n);
	put_figure(&row, &sums->regular);
	return row.missing;
}

const struct listed_table vtab_capacity_sums_listed = {
    .arguments = {{"big", "each"}, 2, 2, "(big, each)"},
    .n_columns = 25,
    .columns = {{"pool", LISTED_INTEGER},         {"rows", LISTED_INTEGER},
                {"start", LISTED_INTEGER},        {"finish", LISTED_INTEGER},
                {"nodes_min", LISTED_INTEGER},    {"nodes_max", LISTED_INTEGER},
                {"nodes_last", LISTED_INTEGER},   {"node_time", LISTED_REAL},
                {"change_mean", LISTED_REAL},     {"change_std", LISTED_REAL},
                {"drops", LISTED_INTEGER},        {"dropped", LISTED_INTEGER},
                {"stopped", LISTED_INTEGER},      {"losses", LISTED_INTEGER},
                {"lost", LISTED_INTEGER},         {"loss_mean", LISTED_REAL},
                {"loss_std", LISTED_REAL},        {"loss_gap", LISTED_REAL},
                {"loss_gap_std", LISTED_REAL},    {"rises", LISTED_INTEGER},
                {"risen", LISTED_INTEGER},        {"big_rows", LISTED_INTEGER},
                {"regular_rows", LISTED_INTEGER}, {"regular_mean", LISTED_REAL},
                {"regular_std", LISTED_REAL}},
    .is_plain = true,
    .run = run_capacity,
    .read = read_capacity};

/* ---- preemption_sums ---- */

enum { KIND_ADDED, KIND_TERMINATED, KIND_REMOVED, KIND_FOUND = 4, KIND_NOTHING };

struct preemption_sums {
	struct pool_key key;
	int64_t time;
	struct pool_figure nodes, gaps, regular;
	int64_t n_big;
};

struct preemption_reading {
	struct pool_keys keys;
	struct preemption_sums *sums;
	size_t capacity;
	int64_t big;
};

static int64_t
kind_of_row(sqlite3_stmt *row, int64_t nodes)
{
	return nodes == 0                   ? KIND_NOTHING
	       : nodes < 0                  ? KIND_ADDED
	       : sqlite3_column_int(row, 3) ? KIND_TERMINATED
	       : sqlite3_column_int(row, 4) ? KIND_FOUND
	                                    : KIND_REMOVED;
}

/* 1: the row is earlier than what was before it. */
static int
take_preemption(void *user, sqlite3_stmt *row, struct err *err)
{
	struct preemption_reading *reading = user;
	int64_t time = sqlite3_column_int64(row, 1), nodes = sqlite3_column_int64(row, 2);
	struct pool_key key = key_of_row(row, kind_of_row(row, nodes));
	size_t n = reading->keys.n, at = find_key(&reading->keys, &key);

	(void)err;
	MEM_GROW(reading->sums, reading->capacity, reading->keys.n);
	struct preemption_sums *sums = &reading->sums[at];
	if (at == n) {
		*sums = (struct preemption_sums){.key = key};
	} else if (time < sums->time) {
		return 1;
	} else {
		figure_add(&sums->gaps, time_sub(time, sums->time));
	}
	sums->time = time;
	nodes = nodes < 0 ? time_sub(0, nodes) : nodes;
	figure_add(&sums->nodes, nodes);
	if (nodes > reading->big) {
		sums->n_big++;
	} else {
		figure_add(&sums->regular, nodes);
	}
	return 0;
}

static int
take_preemptions(struct vtab *vtab, struct preemption_reading *reading, struct err *err)
{
#define PREEMPTIONS                                                                                \
	"SELECT pool, time, nodes, source IN (SELECT id FROM main.source WHERE dialect = "         \
	"'terminate'), source IN (SELECT id FROM main.source WHERE dialect = 'found') FROM "       \
	"main.preemption ORDER BY "
	int rc = vtab_take_rows(vtab, PREEMPTIONS "id", NULL, take_preemption, reading, err);

	if (rc == 1) {
		free_keys(&reading->keys);
		rc = vtab_take_rows(vtab, PREEMPTIONS "time, id", NULL, take_preemption, reading,
		                    err);
	}
	for (size_t i = 0; i < reading->keys.n && rc >= 0; i++) {
		rc = check_sum(&reading->sums[i].nodes, err) ? -1 : rc;
	}
	return rc;
}

static int
run_preemption(struct vtab *vtab, struct listed_cursor *cursor, struct err *err)
{
	struct preemption_reading reading = {.big = 0};

	if (arguments_integer(&cursor->arguments, 0, &reading.big, err)) {
		return -1;
	}
	int rc = take_preemptions(vtab, &reading, err);
	cursor->rows = reading.sums;
	cursor->n = (int64_t)reading.keys.n;
	free_keys(&reading.keys);
	return rc < 0 ? -1 : 0;
}

static unsigned
read_preemption(const void *rows, int64_t at, int64_t values[LISTED_COLUMNS])
{
	const struct preemption_sums *sums = (const struct preemption_sums *)rows + at;
	struct pool_row row = {values, 0, 0};

	put_pool(&row, &sums->key);
	row.missing |= sums->key.kind == KIND_NOTHING ? 1u << row.n : 0;
	put_integer(&row, sums->key.kind);
	put_integer(&row, sums->nodes.moments.n);
	put_integer(&row, (int64_t)sums->nodes.sum);
	put_figure(&row, &sums->nodes);
	put_figure(&row, &sums->gaps);
	put_integer(&row, sums->n_big);
	put_integer(&row, sums->regular.moments.n);
	put_figure(&row, &sums->regular);
	return row.missing;
}

const struct listed_table vtab_preemption_sums_listed = {
    .arguments = {{"big"}, 1, 1, "(big)"},
    .n_columns = 12,
    .columns = {{"pool", LISTED_INTEGER},
                {"kind", LISTED_INTEGER},
                {"rows", LISTED_INTEGER},
                {"nodes", LISTED_INTEGER},
                {"mean", LISTED_REAL},
                {"std", LISTED_REAL},
                {"gap", LISTED_REAL},
                {"gap_std", LISTED_REAL},
                {"big_rows", LISTED_INTEGER},
                {"regular_rows", LISTED_INTEGER},
                {"regular_mean", LISTED_REAL},
                {"regular_std", LISTED_REAL}},
    .is_plain = true,
    .run = run_preemption,
    .read = read_preemption};
