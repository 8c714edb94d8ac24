/*
 * A connection with our virtual tables over random rows in memory, and the same rows in plain
 * tables (plain_span, plain_event, plain_counter) of the same columns.
 *
 * Every record carries its ordinal as argument `ord`, since a builder may store long spans apart,
 * so that ids are known only afterwards. What the finishing pass would add (depth, parent, covered)
 * is a function of the id here.
 */
#ifndef LANESCOPE_TESTS_VTAB_FIXTURE_H
#define LANESCOPE_TESTS_VTAB_FIXTURE_H

#include <string.h>

#include "column/scan/scan.h"
#include "store/functions.h"
#include "store/vtab.h"
#include "tests/unit/unit.h"
#include "unit/memory_dataset.h"
#include "util/mem.h"
#include "util/prng.h"

#define FIXTURE_SOURCES 3
#define FIXTURE_LANES 4    /* a source */
#define FIXTURE_SPANS 1200 /* a source */
#define FIXTURE_INSTANTS 300
#define FIXTURE_BLOCK 128 /* rows */

/* Of this name, some records stand for five calls each. */
#define FIXTURE_MANY "open"
static const char *const fixture_names[] = {"write", "read",  "open", "close",
                                            "mmap",  "WRITE", "a'b"};
static const char *const fixture_categories[] = {"POSIX", "STDIO", "APP"};
static const char *const fixture_paths[] = {"/a/b/rank_1.npy", "/a/b/rank_22.npy", "/a/c/",
                                            "plain.txt",       "/tmp/x",           ""};
static const char *const fixture_hosts[] = {"node1", "node2"};
#define PICK(prng, array) (array)[prng_below(prng, sizeof(array) / sizeof((array)[0]))]

struct fixture {
	sqlite3 *db;
	struct memory_dataset *memory;
	struct intern *texts[FIXTURE_SOURCES], *keys[FIXTURE_SOURCES];
	struct lane lanes[FIXTURE_SOURCES][FIXTURE_LANES];
	struct block **blocks;
	size_t n_blocks, blocks_cap;
	sqlite3_stmt *insert;
	const struct cancel *cancel;
	int n_scans; /* how often a table asked for the run */
	int n_released;
	int64_t ordinal;
};

static inline void
fixture_run(struct fixture *fixture, const char *sql)
{
	char *message = NULL;
	sqlite3_exec(fixture->db, sql, NULL, NULL, &message);
	ck_assert_msg(!message, "%s: %s", sql, message);
}

/* All rows and columns as text, columns split by '|', rows by newlines; reals with 12 digits. The
 * caller frees it. An error gives "error CODE: MESSAGE". */
static inline char *
fixture_query(struct fixture *fixture, const char *sql)
{
	sqlite3_stmt *stmt = NULL;
	struct strbuf out = {NULL, 0, 0};
	int result = sqlite3_prepare_v2(fixture->db, sql, -1, &stmt, NULL);
	strbuf_add(&out, "", 0);
	while (result == SQLITE_OK && (result = sqlite3_step(stmt)) == SQLITE_ROW) {
		for (int i = 0; i < sqlite3_column_count(stmt); i++) {
			strbuf_add_text(&out, i > 0 ? "|" : "");
			if (sqlite3_column_type(stmt, i) == SQLITE_FLOAT) {
				strbuf_printf(&out, "%.12g", sqlite3_column_double(stmt, i));
			} else {
				const char *text = (const char *)sqlite3_column_text(stmt, i);
				strbuf_add_text(&out, text ? text : "NULL");
			}
		}
		strbuf_add_text(&out, "\n");
		result = SQLITE_OK;
	}
	if (result != SQLITE_OK && result != SQLITE_DONE) {
		strbuf_clear(&out);
		strbuf_printf(&out, "error %d: %s", result, sqlite3_errmsg(fixture->db));
	}
	sqlite3_finalize(stmt);
	return out.data ? strbuf_take(&out) : xstrdup("");
}

static inline int
fixture_take_block(void *user, struct block *block, const struct span_key *keys)
{
	struct fixture *fixture = user;
	(void)keys;
	fixture->blocks = mem_grow(fixture->blocks, &fixture->blocks_cap, fixture->n_blocks + 1,
	                           sizeof(*fixture->blocks));
	fixture->blocks[fixture->n_blocks++] = block;
	return 0;
}

static inline uint32_t
fixture_text(struct fixture *fixture, uint32_t source, const char *text)
{
	return intern_id(fixture->texts[source], slice_of(text));
}

static inline void
fixture_make_lanes(struct fixture *fixture, uint32_t source)
{
	for (uint32_t i = 0; i < FIXTURE_LANES; i++) {
		struct lane *lane = &fixture->lanes[source][i];
		char name[32];
		snprintf(name, sizeof(name), "lane %u.%u", source, i);
		lane->host =
		    i == 3 ? TEXT_NONE : fixture_text(fixture, source, fixture_hosts[source % 2]);
		lane->name = fixture_text(fixture, source, source == 2 && i > 1 ? "twin" : name);
		lane->process = (struct ident){.type = IDENT_INTEGER, .integer = source + 10};
		lane->thread = i == 2
		                   ? (struct ident){.type = IDENT_TEXT,
		                                    .text = fixture_text(fixture, source, "main")}
		                   : (struct ident){.type = IDENT_INTEGER, .integer = i};
		lane->kind = i == 1 ? LANE_WORKER : LANE_THREAD;
	}
}

static inline void
fixture_bind(struct fixture *fixture, int i, const char *text)
{
	if (text) {
		sqlite3_bind_text(fixture->insert, i, text, -1, SQLITE_TRANSIENT);
	} else {
		sqlite3_bind_null(fixture->insert, i);
	}
}

/* One row into table raw(kind, ord, source, lane, start, duration, name, category, path, size,
 * calls, value, fd). */
static inline void
fixture_insert(struct fixture *fixture, int kind, uint32_t source, const struct span *span,
               const char *const texts[3], double value, const int64_t *fd)
{
	sqlite3_stmt *insert = fixture->insert;
	sqlite3_bind_int(insert, 1, kind);
	sqlite3_bind_int64(insert, 2, fixture->ordinal);
	sqlite3_bind_int64(insert, 3, source);
	sqlite3_bind_int64(insert, 4, span->lane);
	sqlite3_bind_int64(insert, 5, span->start_ns);
	sqlite3_bind_int64(insert, 6, span->duration_ns);
	for (int i = 0; i < 3; i++) {
		fixture_bind(fixture, 7 + i, texts[i]);
	}
	if (span->size_bytes == SIZE_NONE) {
		sqlite3_bind_null(insert, 10);
	} else {
		sqlite3_bind_int64(insert, 10, span->size_bytes);
	}
	sqlite3_bind_int64(insert, 11, span->calls);
	sqlite3_bind_double(insert, 12, value);
	if (fd) {
		sqlite3_bind_int64(insert, 13, *fd);
	} else {
		sqlite3_bind_null(insert, 13);
	}
	ck_assert_int_eq(sqlite3_step(insert), SQLITE_DONE);
	sqlite3_reset(insert);
}

static inline void
fixture_add_row(struct fixture *fixture, struct prng *prng, struct block_builder *builder,
                enum block_kind kind, uint32_t source, int64_t near_ns)
{
	const char *texts[3] = {PICK(prng, fixture_names), PICK(prng, fixture_categories),
	                        PICK(prng, fixture_paths)};
	int64_t fd = (int64_t)prng_below(prng, 4);
	bool has_fd = prng_below(prng, 3) > 0;
	struct arg args[2] = {
	    {.key = intern_id(fixture->keys[source], slice_of("ord")), .type = ARG_INTEGER},
	    {.key = intern_id(fixture->keys[source], slice_of("fd")), .type = ARG_INTEGER},
	};
	args[0].integer = ++fixture->ordinal;
	args[1].integer = fd;
	texts[1] = kind == BLOCK_COUNTER || prng_below(prng, 5) == 0 ? NULL : texts[1];
	texts[2] = kind != BLOCK_SPAN || prng_below(prng, 4) == 0 ? NULL : texts[2];
	struct span span = {
	    .start_ns = near_ns + (int64_t)prng_below(prng, 3000),
	    .duration_ns = 10 + (int64_t)prng_below(prng, prng_below(prng, 50) ? 200 : 500000),
	    .lane = (uint32_t)prng_below(prng, FIXTURE_LANES),
	    .name = fixture_text(fixture, source, texts[0]),
	    .category = texts[1] ? fixture_text(fixture, source, texts[1]) : TEXT_NONE,
	    .path = texts[2] ? fixture_text(fixture, source, texts[2]) : TEXT_NONE,
	    .size_bytes = prng_below(prng, 3) ? (int64_t)prng_below(prng, 5) * 4096 : SIZE_NONE,
	    .calls = prng_below(prng, 6) || strcmp(texts[0], FIXTURE_MANY) != 0 ? 1 : 5,
	    .args = args,
	    .n_args = has_fd ? 2 : 1,
	};
	double value = (double)prng_below(prng, 1000) / 8;
	int result = 0;
	if (kind == BLOCK_SPAN) {
		result = block_builder_span(builder, &span);
	} else if (kind == BLOCK_EVENT) {
		struct event event = {span.start_ns, span.lane, span.name,
		                      span.category, args,      span.n_args};
		result = block_builder_event(builder, &event);
	} else {
		struct counter counter = {span.start_ns, span.lane, span.name,
		                          value,         args,      span.n_args};
		result = block_builder_counter(builder, &counter);
	}
	ck_assert_int_eq(result, 0);
	fixture_insert(fixture, kind, source, &span, texts, value, has_fd ? &fd : NULL);
}

static inline void
fixture_make_source(struct fixture *fixture, struct prng *prng, uint32_t source)
{
	static const int counts[] = {FIXTURE_SPANS, FIXTURE_INSTANTS, FIXTURE_INSTANTS};
	struct block_receiver receiver = {fixture, fixture_take_block};
	fixture->texts[source] = intern_new();
	fixture->keys[source] = intern_new();
	/* Codes must differ from source to source. */
	(void)fixture_text(fixture, source, fixture_names[source]);
	fixture_make_lanes(fixture, source);
	for (int kind = 0; kind < BLOCK_KINDS; kind++) {
		struct block_builder *builder =
		    block_builder_new((enum block_kind)kind, source, fixture->texts[source],
		                      FIXTURE_BLOCK, &receiver);
		for (int i = 0; i < counts[kind]; i++) {
			fixture_add_row(fixture, prng, builder, (enum block_kind)kind, source,
			                (int64_t)source * 40000 + i * 100);
		}
		ck_assert_int_eq(block_builder_flush(builder), 0);
		block_builder_free(builder);
	}
}

/* depth, parent and covered of a block of spans, from its ids. */
static inline void
fixture_finish_block(struct fixture *fixture, const struct block_info *info)
{
	int64_t values[3][FIXTURE_BLOCK];
	uint64_t presence[FIXTURE_BLOCK / 64] = {0};
	struct column_info columns[3] = {{.field = FIELD_DEPTH, .type = COLUMN_INTEGER},
	                                 {.field = FIELD_PARENT, .type = COLUMN_INTEGER},
	                                 {.field = FIELD_COVERED, .type = COLUMN_INTEGER}};
	size_t offsets[3];
	struct strbuf bytes = {NULL, 0, 0};
	for (uint32_t i = 0; i < info->n_rows; i++) {
		int64_t id = info->first_id + i;
		values[0][i] = id * 13 % 5;
		values[1][i] = 1 + id % 4;
		values[2][i] = id % 7;
		if (id > 4 && id % 3 > 0) {
			presence[i / 64] |= UINT64_C(1) << i % 64;
		}
	}
	for (int i = 0; i < 3; i++) {
		offsets[i] = bytes.len;
		column_encode_integers(&columns[i], values[i], i == 1 ? presence : NULL,
		                       info->n_rows, &bytes);
	}
	ck_assert_int_eq(memory_dataset_attach(fixture->memory, info->source, info->sequence,
	                                       columns, offsets, 3, strbuf_slice(&bytes)),
	                 0);
	strbuf_free(&bytes);
}

static inline const struct dataset *
fixture_dataset(void *user, struct err *err)
{
	struct fixture *fixture = user;
	(void)err;
	fixture->n_scans++;
	return memory_dataset_get(fixture->memory);
}

static inline const struct cancel *
fixture_cancel(void *user)
{
	return ((struct fixture *)user)->cancel;
}

static inline void
fixture_release(void *user)
{
	((struct fixture *)user)->n_released++;
}

static const char fixture_lanes_sql[] =
    "INSERT INTO plain_lane VALUES(%d, %d, %d, %Q, %Q, %s, %s, %Q)";

static inline char *
fixture_ident(struct fixture *fixture, uint32_t source, struct ident ident)
{
	if (ident.type == IDENT_INTEGER) {
		return sqlite3_mprintf("%lld", (long long)ident.integer);
	}
	struct slice text = intern_text(fixture->texts[source], ident.text);
	return sqlite3_mprintf("'%.*s'", (int)text.len, text.ptr);
}

/* The lanes by source and number there, with their ids in the run. */
static inline void
fixture_insert_lanes(struct fixture *fixture)
{
	const struct dataset *dataset = memory_dataset_get(fixture->memory);
	for (uint32_t source = 0; source < FIXTURE_SOURCES; source++) {
		for (uint32_t i = 0; i < FIXTURE_LANES; i++) {
			const struct lane *lane = &fixture->lanes[source][i];
			char *process = fixture_ident(fixture, source, lane->process);
			char *thread = fixture_ident(fixture, source, lane->thread);
			char *name = xstrndup(intern_text(fixture->texts[source], lane->name).ptr,
			                      intern_text(fixture->texts[source], lane->name).len);
			char *sql = sqlite3_mprintf(
			    fixture_lanes_sql, dataset->sources[source].lanes[i], source, i, name,
			    lane->host == TEXT_NONE ? NULL : fixture_hosts[source % 2], process,
			    thread, lane_kind_name(lane->kind));
			fixture_run(fixture, sql);
			sqlite3_free(sql);
			sqlite3_free(process);
			sqlite3_free(thread);
			free(name);
		}
	}
}

/* The plain tables, joined from raw and the lanes; ids come from the virtual table, by ord. */
static const char fixture_plain_sql[] =
    "CREATE TABLE ids AS SELECT 0 AS kind, id, CAST(json_extract(args, '$.ord') AS INTEGER) AS ord "
    "FROM span "
    "UNION ALL SELECT 1, id, CAST(json_extract(args, '$.ord') AS INTEGER) FROM event "
    "UNION ALL SELECT 2, id, CAST(json_extract(args, '$.ord') AS INTEGER) FROM counter;"
    "CREATE INDEX ids_ord ON ids(ord);"
    "CREATE TABLE plain_span(id INTEGER PRIMARY KEY, start INTEGER, duration INTEGER, finish "
    "INTEGER, self INTEGER,"
    " depth INTEGER, parent INTEGER, lane INTEGER, lane_name TEXT, host TEXT, process, thread, "
    "kind TEXT, name TEXT,"
    " category TEXT, path TEXT, size INTEGER, calls INTEGER, source INTEGER, fd);"
    "INSERT INTO plain_span SELECT i.id, start - origin, duration, start - origin + duration, "
    "duration - i.id % 7,"
    " i.id * 13 % 5, CASE WHEN i.id > 4 AND i.id % 3 > 0 THEN i.id - (1 + i.id % 4) END,"
    " l.id, l.name, l.host, process, thread, l.kind, r.name, category, path, size, calls, "
    "r.source, fd"
    " FROM raw r, origin JOIN plain_lane l ON l.source = r.source AND l.number = r.lane JOIN ids i "
    "ON i.ord = r.ord"
    " WHERE r.kind = 0;"
    "CREATE TABLE plain_event(id INTEGER PRIMARY KEY, time INTEGER, lane INTEGER, lane_name TEXT, "
    "host TEXT, process,"
    " thread, kind TEXT, name TEXT, category TEXT, source INTEGER, fd);"
    "INSERT INTO plain_event SELECT i.id, start - origin, l.id, l.name, l.host, process, thread, "
    "l.kind, r.name,"
    " category, r.source, fd"
    " FROM raw r, origin JOIN plain_lane l ON l.source = r.source AND l.number = r.lane JOIN ids i "
    "ON i.ord = r.ord"
    " WHERE r.kind = 1;"
    "CREATE TABLE plain_counter(id INTEGER PRIMARY KEY, time INTEGER, lane INTEGER, lane_name "
    "TEXT, host TEXT, process,"
    " thread, kind TEXT, name TEXT, value REAL, source INTEGER, fd);"
    "INSERT INTO plain_counter SELECT i.id, start - origin, l.id, l.name, l.host, process, thread, "
    "l.kind, r.name,"
    " value, r.source, fd"
    " FROM raw r, origin JOIN plain_lane l ON l.source = r.source AND l.number = r.lane JOIN ids i "
    "ON i.ord = r.ord"
    " WHERE r.kind = 2;";

static inline void
fixture_register(struct fixture *fixture)
{
	struct err err = ERR_INIT;
	struct vtab_source source = {.user = fixture,
	                             .dataset = fixture_dataset,
	                             .cancel = fixture_cancel,
	                             .release = fixture_release};
	ck_assert_msg(functions_register(fixture->db, &err) == 0, "%s", err.message);
	ck_assert_msg(vtab_register(fixture->db, &source, &err) == 0, "%s", err.message);
}

static inline void
fixture_make_plain(struct fixture *fixture)
{
	fixture_run(fixture,
	            "CREATE TABLE plain_lane(id, source, number, name, host, process, thread, "
	            "kind)");
	fixture_insert_lanes(fixture);
	char *sql = sqlite3_mprintf("CREATE TABLE origin AS SELECT %lld AS origin",
	                            (long long)memory_dataset_origin(fixture->memory));
	fixture_run(fixture, sql);
	sqlite3_free(sql);
	fixture_run(fixture, fixture_plain_sql);
	char *text = fixture_query(fixture, "SELECT count(*), min(id), max(id) FROM plain_span");
	ck_assert_str_eq(text, "3600|1|3600\n");
	free(text);
}

static inline void
fixture_open(struct fixture *fixture, uint64_t seed)
{
	struct prng prng = {seed};
	const struct lane *lanes[FIXTURE_SOURCES];
	uint32_t n_lanes[FIXTURE_SOURCES];
	memset(fixture, 0, sizeof(*fixture));
	ck_assert_int_eq(sqlite3_open(":memory:", &fixture->db), SQLITE_OK);
	fixture_run(fixture, "CREATE TABLE raw(kind, ord INTEGER PRIMARY KEY, source, lane, start, "
	                     "duration, name, category, path, size, calls, value, fd); BEGIN");
	ck_assert_int_eq(sqlite3_prepare_v2(fixture->db,
	                                    "INSERT INTO raw VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)", -1,
	                                    &fixture->insert, NULL),
	                 SQLITE_OK);
	for (uint32_t i = 0; i < FIXTURE_SOURCES; i++) {
		fixture_make_source(fixture, &prng, i);
		lanes[i] = fixture->lanes[i];
		n_lanes[i] = FIXTURE_LANES;
	}
	sqlite3_finalize(fixture->insert);
	fixture_run(fixture, "COMMIT");
	fixture->memory = memory_dataset_new(fixture->blocks, fixture->n_blocks, fixture->texts,
	                                     fixture->keys, lanes, n_lanes, FIXTURE_SOURCES);
	const struct dataset *dataset = memory_dataset_get(fixture->memory);
	for (size_t i = 0; i < dataset->n_blocks[BLOCK_SPAN]; i++) {
		fixture_finish_block(fixture, &dataset->blocks[BLOCK_SPAN][i]);
	}
	fixture_register(fixture);
	fixture_make_plain(fixture);
}

static inline void
fixture_close(struct fixture *fixture)
{
	ck_assert_int_eq(sqlite3_close(fixture->db), SQLITE_OK);
	ck_assert_int_eq(fixture->n_released, 1);
	memory_dataset_free(fixture->memory);
	free(fixture->blocks);
	for (int i = 0; i < FIXTURE_SOURCES; i++) {
		intern_free(fixture->texts[i]);
		intern_free(fixture->keys[i]);
	}
}

#endif
