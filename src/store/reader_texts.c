/*
 * Loading a dataset: texts, argument names, lanes and the sources' maps.
 *
 * A hostile file may show any number of rows of any length (pages of a B-tree can be used many
 * times over), so ids must count up from 0 one by one, and all texts (and all maps) together may
 * not be longer than the file.
 */
#include "config.h"
#include "store/reader.h"

#include <stdlib.h>
#include <string.h>

/* How many rows a table of ids has, as `sql` asks for the last one: arrays are made for them at
 * once, since growing ones take twice the memory. No row is shorter than ROW_BYTES. */
#define ROW_BYTES 4

static int
count_rows(const struct loading *loading, const char *sql, size_t *n, struct err *err)
{
	sqlite3_stmt *last = reader_prepare(loading->db, sql, err);
	int status = last ? reader_step(last, err) : -1;
	if (status == 1) {
		int64_t id = sqlite3_column_type(last, 0) == SQLITE_NULL
		                 ? -1
		                 : sqlite3_column_int64(last, 0);
		status = id < -1 || id >= loading->file_bytes / ROW_BYTES
		             ? reader_damaged(err, "a table is longer than the file")
		             : 0;
		*n = status == 0 ? (size_t)(id + 1) : 0;
	}
	sqlite3_finalize(last);
	return status;
}

struct texts {
	struct loading *loading;
	struct slice *items;
	size_t n, room;
	int64_t bytes;
};

static int
add_text(void *user, sqlite3_stmt *row, struct err *err)
{
	struct texts *texts = user;
	if (texts->n >= texts->room || texts->n >= TEXT_NONE ||
	    sqlite3_column_int64(row, 0) != (int64_t)texts->n) {
		return reader_damaged(err, "texts are not numbered");
	}
	const char *text = (const char *)sqlite3_column_text(row, 1);
	size_t length = (size_t)sqlite3_column_bytes(row, 1);
	texts->bytes += (int64_t)length;
	if (!text || texts->bytes > texts->loading->file_bytes) {
		return reader_damaged(err, "texts are longer than the file");
	}
	char *copy = text_heap_alloc(texts->loading->texts, length + 1);
	memcpy(copy, text, length);
	copy[length] = '\0';
	texts->items[texts->n++] = (struct slice){copy, length};
	return 0;
}

/* Rows (id, text) by id. */
static int
load_list(struct loading *loading, const char *count, const char *sql, const struct slice **items,
          uint32_t *n, struct err *err)
{
	struct texts texts = {.loading = loading};
	if (count_rows(loading, count, &texts.room, err)) {
		return -1;
	}
	texts.items = arena_alloc(loading->arena, texts.room * sizeof *texts.items);
	*items = texts.items;
	int status = reader_each(loading->db, sql, add_text, &texts, err);
	*n = (uint32_t)texts.n;
	return status;
}

/* --- lanes --- */

struct lanes {
	struct loading *loading;
	struct lane *items;
	size_t n, room;
	int64_t ident_bytes;
	struct intern *idents; /* texts of processes and threads; a lane's ident holds an id of this
	                          until all are known */
};

/* A nullable code of a text; false if out of range. */
static bool
column_code(sqlite3_stmt *row, int column, uint32_t n_texts, text_code *code)
{
	if (sqlite3_column_type(row, column) == SQLITE_NULL) {
		*code = TEXT_NONE;
		return true;
	}
	int64_t value = sqlite3_column_int64(row, column);
	*code = (text_code)value;
	return value >= 0 && value < n_texts;
}

static struct ident
column_ident(sqlite3_stmt *row, int column, struct lanes *lanes)
{
	switch (sqlite3_column_type(row, column)) {
	case SQLITE_NULL:
		return (struct ident){.type = IDENT_NONE};
	case SQLITE_INTEGER:
		return (struct ident){.type = IDENT_INTEGER,
		                      .integer = sqlite3_column_int64(row, column)};
	default: {
		const char *text = (const char *)sqlite3_column_text(row, column);
		struct slice slice = {text ? text : "", (size_t)sqlite3_column_bytes(row, column)};
		lanes->ident_bytes += (int64_t)slice.len;
		return (struct ident){.type = IDENT_TEXT, .text = intern_id(lanes->idents, slice)};
	}
	}
}

static int
add_lane(void *user, sqlite3_stmt *row, struct err *err)
{
	struct lanes *lanes = user;
	struct lane lane;
	uint32_t n_texts = lanes->loading->dataset->n_texts;
	const char *kind = (const char *)sqlite3_column_text(row, 5);

	lane.kind = lane_kind_named(slice_of(kind ? kind : ""));
	if (lanes->n >= lanes->room || lanes->n >= LANE_NONE ||
	    sqlite3_column_int64(row, 0) != (int64_t)lanes->n ||
	    !column_code(row, 1, n_texts, &lane.host) ||
	    !column_code(row, 4, n_texts, &lane.name) || lane.name == TEXT_NONE ||
	    lane.kind == LANE_KINDS) {
		return reader_damaged(err, "lane %zu", lanes->n);
	}
	lane.process = column_ident(row, 2, lanes);
	lane.thread = column_ident(row, 3, lanes);
	if (lanes->ident_bytes > lanes->loading->file_bytes) {
		return reader_damaged(err, "texts of lanes are longer than the file");
	}
	lanes->items[lanes->n++] = lane;
	return 0;
}

/* From ids of idents to codes of the run's texts. */
static int
resolve_idents(struct loading *loading, struct lanes *lanes, struct err *err)
{
	uint32_t n = intern_count(lanes->idents);
	text_code *codes = xcalloc(n, sizeof *codes);
	int status = 0;
	text_codes(lanes->idents, loading->dataset->texts, loading->dataset->n_texts, codes);
	for (uint32_t i = 0; i < n && status == 0; i++) {
		status =
		    codes[i] == TEXT_NONE
			? reader_damaged(err, "a lane's process or thread is no text of the run")
			: 0;
	}
	for (size_t i = 0; i < lanes->n && status == 0; i++) {
		struct ident *const idents[] = {&lanes->items[i].process, &lanes->items[i].thread};
		for (int k = 0; k < 2; k++) {
			if (idents[k]->type == IDENT_TEXT) {
				idents[k]->text = codes[idents[k]->text];
			}
		}
	}
	free(codes);
	return status;
}

static int
load_lanes(struct loading *loading, struct err *err)
{
	struct lanes lanes = {.loading = loading};
	if (count_rows(loading, "SELECT max(id) FROM main.lane", &lanes.room, err)) {
		return -1;
	}
	lanes.items = arena_alloc(loading->arena, lanes.room * sizeof *lanes.items);
	lanes.idents = intern_new();
	int status = reader_each(
	    loading->db, "SELECT id, host, process, thread, name, kind FROM main.lane ORDER BY id",
	    add_lane, &lanes, err);
	status = status ? status : resolve_idents(loading, &lanes, err);
	loading->dataset->lanes = lanes.items;
	loading->dataset->n_lanes = (uint32_t)lanes.n;
	intern_free(lanes.idents);
	return status;
}

int
load_texts(struct loading *loading, struct err *err)
{
	struct dataset *dataset = loading->dataset;
	if (load_list(loading, "SELECT max(id) FROM main.string",
	              "SELECT id, text FROM main.string ORDER BY id", &dataset->texts,
	              &dataset->n_texts, err) ||
	    load_list(loading, "SELECT max(id) FROM main.argument",
	              "SELECT id, name FROM main.argument ORDER BY id", &dataset->keys,
	              &dataset->n_keys, err) ||
	    load_lanes(loading, err)) {
		return -1;
	}
	return dataset->n_keys > (UINT32_MAX - FIELD_ARG) / ARG_TYPES
	           ? reader_damaged(err, "too many arguments")
	           : 0;
}

/* --- sources --- */

/* A map from a source's codes to the run's: 32-bit little-endian numbers below n_targets. */
static int
load_map(struct loading *loading, sqlite3_stmt *row, int column, uint32_t n_targets,
         const uint32_t **map, uint32_t *n, struct err *err)
{
	const void *bytes = sqlite3_column_blob(row, column);
	size_t length = bytes ? (size_t)sqlite3_column_bytes(row, column) : 0;
	if (length % sizeof(uint32_t) != 0) {
		return reader_damaged(err, "map of a source");
	}
	uint32_t *codes = arena_alloc(loading->arena, length);
	if (length) {
		memcpy(codes, bytes, length);
	}
	for (size_t i = 0; i < length / sizeof(uint32_t); i++) {
		if (codes[i] >= n_targets) {
			return reader_damaged(err, "map of a source");
		}
	}
	*map = codes;
	*n = (uint32_t)(length / sizeof(uint32_t));
	return 0;
}

struct sources {
	struct loading *loading;
	struct dataset_source *items;
	size_t n, capacity;
	int64_t bytes; /* of all maps */
};

static int
add_source(void *user, sqlite3_stmt *row, struct err *err)
{
	struct sources *sources = user;
	struct loading *loading = sources->loading;
	struct dataset_source source;

	sources->bytes += (int64_t)sqlite3_column_bytes(row, 1) + sqlite3_column_bytes(row, 2);
	if (sources->n >= UINT32_MAX || sqlite3_column_int64(row, 0) != (int64_t)sources->n ||
	    sources->bytes > loading->file_bytes) {
		return reader_damaged(err, "source %zu", sources->n);
	}
	if (load_map(loading, row, 1, loading->dataset->n_texts, &source.texts, &source.n_texts,
	             err) ||
	    load_map(loading, row, 2, loading->dataset->n_lanes, &source.lanes, &source.n_lanes,
	             err)) {
		return -1;
	}
	MEM_GROW(sources->items, sources->capacity, sources->n + 1);
	sources->items[sources->n++] = source;
	return 0;
}

int
load_sources(struct loading *loading, struct err *err)
{
	struct sources sources = {.loading = loading};
	int status =
	    reader_each(loading->db, "SELECT id, text_map, lane_map FROM main.source ORDER BY id",
	                add_source, &sources, err);
	if (status == 0) {
		loading->dataset->sources =
		    arena_copy(loading->arena, sources.items, sources.n * sizeof *sources.items);
		loading->dataset->n_sources = (uint32_t)sources.n;
	}
	free(sources.items);
	return status;
}
