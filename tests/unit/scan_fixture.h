/*
 * Random runs in memory for the tests of scans: several sources with dictionaries of their own,
 * missing values, extremes, lanes that sources share, arguments of every JSON type; and the same
 * rows, plain, for slow references.
 */
#ifndef LANESCOPE_TESTS_SCAN_FIXTURE_H
#define LANESCOPE_TESTS_SCAN_FIXTURE_H

#include <inttypes.h>
#include <math.h>
#include "column/scan/blockloop.h"
#include "column/scan/rowvalue.h"
#include "column/scan/scan.h"
#include "unit/unit.h"
#include "unit/memory_dataset.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/prng.h"

#define FIXTURE_SOURCES 3
#define FIXTURE_LANES 5 /* of a source */
#define FIXTURE_KEYS 5

enum fixture_key { KEY_FD, KEY_OFFSET, KEY_MODE, KEY_MIX, KEY_UNIQUE };
static const char *const fixture_keys[FIXTURE_KEYS] = {"fd", "offset", "mode", "mix", "odd key"};

/* A row, its texts resolved and its times from the run's start. */
struct fixture_row {
	int64_t id, start, duration, covered, depth, calls, size,
	    parent;      /* size SIZE_NONE, parent 0: none */
	bool has_totals; /* of calls, where those are more than one */
	struct call_totals totals;
	const char *name, *category, *path; /* NULL: none */
	double value;
	uint32_t lane; /* of the run */
	struct row_value args[FIXTURE_KEYS];
};

struct fixture_block {
	enum block_kind kind;
	uint32_t source, sequence, n_rows;
	uint64_t *ordinals;
};

struct fixture {
	struct prng prng;
	bool is_extreme;
	struct arena *arena;
	struct intern *texts[FIXTURE_SOURCES], *keys[FIXTURE_SOURCES];
	struct lane lanes[FIXTURE_SOURCES][FIXTURE_LANES];
	struct memory_dataset *memory;
	struct dataset dataset;                /* the memory's, with n_threads to be set */
	struct fixture_row *rows[BLOCK_KINDS]; /* by id - 1 */
	size_t n_rows[BLOCK_KINDS];
	/* While building. */
	struct fixture_row *given[BLOCK_KINDS][FIXTURE_SOURCES];
	uint32_t *given_lanes[BLOCK_KINDS][FIXTURE_SOURCES];
	size_t n_given[BLOCK_KINDS][FIXTURE_SOURCES];
	struct block **blocks;
	struct fixture_block *block_notes;
	size_t n_blocks, blocks_capacity, notes_capacity;
};

static const char *const fixture_names[] = {
    "read",       "write",         "open64", "Close", "MPI_Send",
    "checkpoint", "l\xc3\xa4ufer", "it's",   "a%b_c", ""};
static const char *const fixture_categories[] = {"POSIX", "STDIO", "app", "Posix"};
static const char *const fixture_paths[] = {"/p/lustre2/ckpt/model-1-600-0.pt",
                                            "/p/lustre2/ckpt/model-2-600-1.pt",
                                            "/p/lustre2/ckpt/layer_01-model_00.pt",
                                            "/l/ssd/ckpt/model-1-600-0.pt",
                                            "relative",
                                            "/",
                                            "a/",
                                            "//x//y",
                                            "/tmp/\xc3\xa9t\xc3\xa9-12",
                                            "/dev/shm/sem.12"};
static const char *const fixture_hosts[] = {"node1", "node2", NULL};

/* As ck_assert_msg, but without Check's record of each call, for inner loops. */
#define FIXTURE_CHECK(condition, ...)                                                              \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			ck_abort_msg(__VA_ARGS__);                                                 \
		}                                                                                  \
	} while (0)

#define FIXTURE_PICK(fixture, array)                                                               \
	((array)[prng_below(&(fixture)->prng, sizeof(array) / sizeof((array)[0]))])

static inline bool
fixture_chance(struct fixture *fixture, unsigned percent)
{
	return prng_below(&fixture->prng, 100) < percent;
}

static inline int64_t
fixture_number(struct fixture *fixture, int64_t below)
{
	return (int64_t)prng_below(&fixture->prng, (uint64_t)below);
}

static inline text_code
fixture_text(struct fixture *fixture, int source, const char *text)
{
	return text ? intern_id(fixture->texts[source], slice_of(text)) : TEXT_NONE;
}

static inline int
fixture_take_block(void *user, struct block *block, const struct span_key *keys)
{
	struct fixture *fixture = user;
	(void)keys;
	fixture->blocks = mem_grow(fixture->blocks, &fixture->blocks_capacity,
	                           fixture->n_blocks + 1, sizeof(struct block *));
	fixture->block_notes = mem_grow(fixture->block_notes, &fixture->notes_capacity,
	                                fixture->n_blocks + 1, sizeof(struct fixture_block));
	struct fixture_block *note = &fixture->block_notes[fixture->n_blocks];
	*note = (struct fixture_block){block->info.kind, block->info.source, block->info.sequence,
	                               block->info.n_rows, NULL};
	note->ordinals = arena_alloc(fixture->arena, block->info.n_rows * sizeof *note->ordinals);
	for (uint32_t i = 0; i < block->info.n_rows; i++) {
		note->ordinals[i] = block->ordinals ? block->ordinals[i] : block->first_ordinal + i;
	}
	fixture->blocks[fixture->n_blocks++] = block;
	return 0;
}

/* Sources 0 and 1 share lanes 0 and 1. */
static inline void
fixture_make_lanes(struct fixture *fixture, int source)
{
	for (int i = 0; i < FIXTURE_LANES; i++) {
		int shared = i < 2 ? 0 : source;
		struct lane *lane = &fixture->lanes[source][i];
		*lane = (struct lane){
		    .host = fixture_text(fixture, source, fixture_hosts[(shared + i) % 3]),
		    .name = TEXT_NONE,
		    .kind = i == 4 ? LANE_WORKER : LANE_THREAD};
		lane->process =
		    (struct ident){.type = IDENT_INTEGER, .integer = shared * 10 + i / 2};
		if (i == 3) {
			lane->process = (struct ident){
			    .type = IDENT_TEXT, .text = fixture_text(fixture, source, "worker-3")};
			lane->name = fixture_text(fixture, source, "lane three");
		}
		if (i != 4) {
			lane->thread =
			    (struct ident){.type = IDENT_INTEGER, .integer = shared * 100 + i};
		}
	}
}

static inline struct row_value
fixture_arg_value(struct fixture *fixture, enum fixture_key key)
{
	struct row_value value = {.type = VALUE_IS_INTEGER};
	int type = key == KEY_MIX ? (int)fixture_number(fixture, 7) : 0;
	switch (key) {
	case KEY_FD:
		value.integer = fixture_number(fixture, 12) - 1;
		value.type = fixture_chance(fixture, 30) ? VALUE_IS_INTEGER_TEXT : VALUE_IS_INTEGER;
		break;
	case KEY_OFFSET:
		value.integer = fixture_number(fixture, INT64_C(1) << 40);
		break;
	case KEY_MODE:
		value = (struct row_value){
		    .type = VALUE_IS_TEXT,
		    .text = slice_of(fixture_chance(fixture, 50) ? "O_RDONLY" : "w+")};
		break;
	case KEY_UNIQUE:
		value.type = VALUE_IS_TEXT;
		value.text = slice_of(arena_printf(fixture->arena, "u-%" PRIu64 "-%d",
		                                   prng_next(&fixture->prng) % 100000, type));
		break;
	default: {
		static const double reals[] = {0.5, -1.25, 3, 1e300, 7, -0.0};
		static const int64_t integers[] = {0, 3, 7, -1, INT64_MAX, INT64_MIN};
		value.type = type;
		value.integer = FIXTURE_PICK(fixture, integers);
		value.real = FIXTURE_PICK(fixture, reals);
		value.text = slice_of(fixture_chance(fixture, 50) ? "3.5" : "seven");
		if (type == VALUE_IS_UNSIGNED) {
			value.integer = fixture_chance(fixture, 50) ? -1 : INT64_MIN;
		} else if (type == 6) {
			value = (struct row_value){.type = VALUE_IS_TEXT,
			                           .text = slice_of("{\"a\":[1]}")};
		}
		break;
	}
	}
	return value;
}

static inline void
fixture_make_args(struct fixture *fixture, int source, struct fixture_row *row, struct arg *args,
                  size_t *n_args)
{
	*n_args = 0;
	for (int key = 0; key < FIXTURE_KEYS; key++) {
		struct row_value *value = &row->args[key];
		if (fixture_chance(fixture, key == KEY_FD ? 40 : 75)) {
			*value = (struct row_value){.type = VALUE_IS_NULL};
			continue;
		}
		*value = fixture_arg_value(fixture, (enum fixture_key)key);
		struct arg *arg = &args[(*n_args)++];
		arg->key = intern_id(fixture->keys[source], slice_of(fixture_keys[key]));
		arg->integer = value->integer;
		switch (value->type) {
		case VALUE_IS_NULL:
			arg->type = ARG_NULL;
			break;
		case VALUE_IS_INTEGER:
			arg->type = (value->integer == 0 || value->integer == 1) &&
			                    fixture_chance(fixture, 50)
			                ? ARG_BOOLEAN
			                : ARG_INTEGER;
			break;
		case VALUE_IS_UNSIGNED:
			arg->type = ARG_UNSIGNED;
			break;
		case VALUE_IS_REAL:
			arg->type = ARG_REAL;
			arg->real = value->real;
			break;
		case VALUE_IS_INTEGER_TEXT:
			arg->type = ARG_INTEGER_TEXT;
			break;
		default:
			arg->type =
			    value->text.len && value->text.ptr[0] == '{' ? ARG_JSON : ARG_TEXT;
			arg->text = value->text;
			break;
		}
	}
}

/* Records that stand for many calls are among the rows, all of one name. */
#define FIXTURE_MANY "checkpoint"
static bool fixture_has_many = true;
/* Half of the sizes are numbers that hardly come twice. */
static bool fixture_has_wide_sizes = false;

static inline int64_t
fixture_maybe(struct fixture *fixture, int64_t below, int64_t none)
{
	return fixture_chance(fixture, 80) ? fixture_number(fixture, below) : none;
}

static inline void
fixture_make_calls(struct fixture *fixture, struct fixture_row *row)
{
	row->calls = 2 + fixture_number(fixture, 50);
	row->has_totals = fixture_chance(fixture, 80);
	row->totals = (struct call_totals){.sum_ns = fixture_number(fixture, 9000),
	                                   .min_ns = fixture_maybe(fixture, 100, TIME_NONE),
	                                   .max_ns = fixture_maybe(fixture, 3000, TIME_NONE),
	                                   .size_min = fixture_maybe(fixture, 100, SIZE_NONE),
	                                   .size_max = fixture_maybe(fixture, 99999, SIZE_NONE)};
}

static inline void
fixture_make_row(struct fixture *fixture, enum block_kind kind, int source, size_t i,
                 struct fixture_row *row)
{
	const int64_t origin = INT64_C(1700000000000000000);
	static const int64_t sizes[] = {0, 1, 4096, 4096, 4096, 65536, 1 << 20};
	static const int64_t extremes[] = {INT64_MAX, INT64_MIN + 1, -1, INT64_C(1) << 62};
	*row = (struct fixture_row){.size = SIZE_NONE, .calls = 1};
	row->start =
	    origin + (int64_t)i * 1000 + fixture_number(fixture, 3000) - (source == 1 ? 777 : 0);
	row->name = FIXTURE_PICK(fixture, fixture_names);
	row->category = kind != BLOCK_COUNTER && fixture_chance(fixture, 90)
	                    ? FIXTURE_PICK(fixture, fixture_categories)
	                    : NULL;
	row->value =
	    fixture_chance(fixture, 5) ? NAN : (double)fixture_number(fixture, 1000) / 7 - 20;
	row->lane = (uint32_t)fixture_number(fixture, FIXTURE_LANES);
	if (kind != BLOCK_SPAN) {
		return;
	}
	row->duration = fixture_chance(fixture, 3) ? fixture_number(fixture, 2000000)
	                                           : fixture_number(fixture, 5000);
	if (fixture_chance(fixture, 60)) {
		row->path = FIXTURE_PICK(fixture, fixture_paths);
	}
	if (fixture_chance(fixture, 40)) {
		row->size = fixture_chance(fixture, 80) ? FIXTURE_PICK(fixture, sizes)
		                                        : fixture_number(fixture, 100000);
	}
	if (fixture_has_wide_sizes && row->size != SIZE_NONE) {
		row->size = fixture_chance(fixture, 50)
		                ? fixture_number(fixture, INT64_C(1) << 40)
		                : fixture_number(fixture, 9) * INT64_C(123456789012);
	}
	if (fixture_has_many && strcmp(row->name, FIXTURE_MANY) == 0 &&
	    fixture_chance(fixture, 50)) {
		fixture_make_calls(fixture, row);
	}
	if (fixture->is_extreme && fixture_chance(fixture, 5)) {
		row->size = FIXTURE_PICK(fixture, extremes);
	}
	if (fixture->is_extreme && fixture_chance(fixture, 2)) {
		row->duration = INT64_MAX - row->start - fixture_number(fixture, 1000);
	}
}

static inline void
fixture_build(struct fixture *fixture, enum block_kind kind, int source, size_t n,
              uint32_t block_rows)
{
	struct block_receiver receiver = {fixture, fixture_take_block};
	struct block_builder *builder = block_builder_new(
	    kind, (uint32_t)source, fixture->texts[source], block_rows, &receiver);
	struct fixture_row *rows = xcalloc(n, sizeof *rows);
	fixture->given[kind][source] = rows;
	fixture->n_given[kind][source] = n;
	for (size_t i = 0; i < n; i++) {
		struct fixture_row *row = &rows[i];
		struct arg args[FIXTURE_KEYS];
		size_t n_args;
		fixture_make_row(fixture, kind, source, i, row);
		fixture_make_args(fixture, source, row, args, &n_args);
		text_code name = fixture_text(fixture, source, row->name),
			  category = fixture_text(fixture, source, row->category);
		if (kind == BLOCK_SPAN) {
			struct span span = {.start_ns = row->start,
			                    .duration_ns = row->duration,
			                    .lane = row->lane,
			                    .name = name,
			                    .category = category,
			                    .path = fixture_text(fixture, source, row->path),
			                    .size_bytes = row->size,
			                    .calls = row->calls,
			                    .totals = row->has_totals ? &row->totals : NULL,
			                    .args = args,
			                    .n_args = n_args};
			FIXTURE_CHECK(block_builder_span(builder, &span) == 0, "span");
		} else if (kind == BLOCK_EVENT) {
			struct event event = {row->start, row->lane, name, category, args, n_args};
			FIXTURE_CHECK(block_builder_event(builder, &event) == 0, "event");
		} else {
			struct counter counter = {row->start, row->lane, name,
			                          row->value, args,      n_args};
			FIXTURE_CHECK(block_builder_counter(builder, &counter) == 0, "counter");
		}
	}
	ck_assert_int_eq(block_builder_flush(builder), 0);
	block_builder_free(builder);
}

/* The columns of the finishing pass, here at random: depth, parent and covered of some rows, or of
 * none. */
static inline void
fixture_attach(struct fixture *fixture, const struct block_info *block, struct fixture_row *rows)
{
	static const uint32_t fields[] = {FIELD_DEPTH, FIELD_PARENT, FIELD_COVERED};
	struct column_info columns[3];
	size_t offsets[3];
	uint32_t n = 0;
	struct strbuf bytes = {0};
	for (int f = 0; f < 3; f++) {
		int64_t values[BLOCK_ROWS / 16] = {0};
		uint64_t presence[BLOCK_ROWS / 16 / 64] = {0};
		if (fixture_chance(fixture, 20)) {
			continue;
		}
		for (uint32_t i = 0; i < block->n_rows; i++) {
			struct fixture_row *row = &rows[i];
			if (fixture_chance(fixture, 40)) {
				continue;
			}
			if (fields[f] == FIELD_DEPTH) {
				values[i] = row->depth = fixture_number(fixture, 6);
			} else if (fields[f] == FIELD_PARENT) {
				values[i] = fixture_number(fixture, 9) - 4;
				values[i] -= row->id == values[i]; /* 0 stands for none */
				row->parent = row->id - values[i];
			} else {
				values[i] = row->covered =
				    fixture_number(fixture, row->duration / 2 + 1);
			}
			presence[i / 64] |= UINT64_C(1) << i % 64;
		}
		columns[n] = (struct column_info){.field = fields[f], .type = COLUMN_INTEGER};
		offsets[n] = bytes.len;
		column_encode_integers(&columns[n], values, presence, block->n_rows, &bytes);
		n++;
	}
	ck_assert_int_eq(memory_dataset_attach(fixture->memory, block->source, block->sequence,
	                                       columns, offsets, n, strbuf_slice(&bytes)),
	                 0);
	strbuf_free(&bytes);
}

/* Puts the rows in the order of their ids. */
static inline void
fixture_collect(struct fixture *fixture, enum block_kind kind)
{
	const struct dataset *dataset = memory_dataset_get(fixture->memory);
	int64_t origin = memory_dataset_origin(fixture->memory);
	fixture->n_rows[kind] = (size_t)dataset->n_rows[kind];
	fixture->rows[kind] = xcalloc(fixture->n_rows[kind], sizeof *fixture->rows[kind]);
	for (size_t b = 0; b < dataset->n_blocks[kind]; b++) {
		struct block_info block = dataset->blocks[kind][b];
		const struct fixture_block *note = fixture->block_notes;
		while (note->kind != kind || note->source != block.source ||
		       note->sequence != block.sequence) {
			note++;
		}
		struct fixture_row *rows = &fixture->rows[kind][block.first_id - 1];
		for (uint32_t i = 0; i < block.n_rows; i++) {
			rows[i] = fixture->given[kind][block.source][note->ordinals[i]];
			rows[i].id = block.first_id + i;
			rows[i].start -= origin;
			rows[i].lane = dataset->sources[block.source].lanes[rows[i].lane];
		}
		if (kind == BLOCK_SPAN) {
			fixture_attach(fixture, &block, rows);
		}
	}
}

/* n_rows a source; block_rows at most 4096. */
static inline struct fixture *
fixture_new(uint64_t seed, size_t n_rows, uint32_t block_rows, bool is_extreme)
{
	struct fixture *fixture = xcalloc(1, sizeof *fixture);
	const struct lane *lanes[FIXTURE_SOURCES];
	uint32_t n_lanes[FIXTURE_SOURCES];
	fixture->prng.state = seed;
	fixture->is_extreme = is_extreme;
	fixture->arena = arena_new();
	for (int source = 0; source < FIXTURE_SOURCES; source++) {
		fixture->texts[source] = intern_new();
		fixture->keys[source] = intern_new();
		for (int i = 0; i < source * 3; i++) { /* so that codes differ between sources */
			fixture_text(fixture, source, arena_printf(fixture->arena, "unused %d", i));
			intern_id(fixture->keys[source],
			          slice_of(arena_printf(fixture->arena, "unused %d", i)));
		}
		fixture_make_lanes(fixture, source);
		lanes[source] = fixture->lanes[source];
		n_lanes[source] = FIXTURE_LANES;
		for (int kind = 0; kind < BLOCK_KINDS; kind++) {
			fixture_build(fixture, (enum block_kind)kind, source, n_rows, block_rows);
		}
	}
	fixture->memory = memory_dataset_new(fixture->blocks, fixture->n_blocks, fixture->texts,
	                                     fixture->keys, lanes, n_lanes, FIXTURE_SOURCES);
	for (int kind = 0; kind < BLOCK_KINDS; kind++) {
		fixture_collect(fixture, (enum block_kind)kind);
	}
	fixture->dataset = *memory_dataset_get(fixture->memory);
	fixture->dataset.n_threads = 2;
	return fixture;
}

static inline void
fixture_free(struct fixture *fixture)
{
	memory_dataset_free(fixture->memory);
	for (int source = 0; source < FIXTURE_SOURCES; source++) {
		intern_free(fixture->texts[source]);
		intern_free(fixture->keys[source]);
	}
	for (int kind = 0; kind < BLOCK_KINDS; kind++) {
		free(fixture->rows[kind]);
		for (int source = 0; source < FIXTURE_SOURCES; source++) {
			free(fixture->given[kind][source]);
		}
	}
	free(fixture->blocks);
	free(fixture->block_notes);
	arena_free(fixture->arena);
	free(fixture);
}

static inline struct row_value
fixture_text_value(const char *text)
{
	return text ? (struct row_value){.type = VALUE_IS_TEXT, .text = slice_of(text)}
	            : (struct row_value){.type = VALUE_IS_NULL};
}

static inline struct row_value
fixture_integer_value(int64_t integer)
{
	return (struct row_value){.type = VALUE_IS_INTEGER, .integer = integer};
}

static inline struct row_value
fixture_code_value(const struct fixture *fixture, uint32_t code)
{
	if (code == TEXT_NONE) {
		return (struct row_value){.type = VALUE_IS_NULL};
	}
	return (struct row_value){.type = VALUE_IS_TEXT, .text = fixture->dataset.texts[code]};
}

static inline struct row_value
fixture_ident_value(const struct fixture *fixture, struct ident ident)
{
	if (ident.type == IDENT_INTEGER) {
		return fixture_integer_value(ident.integer);
	}
	return fixture_code_value(fixture, ident.type == IDENT_TEXT ? ident.text : TEXT_NONE);
}

/* A column of a row by its name in the filter language ("fd" and so on: arguments). */
static inline struct row_value
fixture_value(const struct fixture *fixture, const struct fixture_row *row, const char *column)
{
	const struct lane *lane = &fixture->dataset.lanes[row->lane];
	const struct {
		const char *name;
		int64_t value;
		bool is_null;
	} integers[] = {
	    {"id", row->id, false},
	    {"start", row->start, false},
	    {"duration", row->duration, false},
	    {"end", time_add(row->start, row->duration), false},
	    {"self", row->duration - row->covered, false},
	    {"depth", row->depth, false},
	    {"calls", row->calls, false},
	    {"call_sum", row->totals.sum_ns, !row->has_totals},
	    {"call_min", row->totals.min_ns, !row->has_totals || row->totals.min_ns == TIME_NONE},
	    {"call_max", row->totals.max_ns, !row->has_totals || row->totals.max_ns == TIME_NONE},
	    {"size_min", row->totals.size_min,
	     !row->has_totals || row->totals.size_min == SIZE_NONE},
	    {"size_max", row->totals.size_max,
	     !row->has_totals || row->totals.size_max == SIZE_NONE},
	    {"parent", row->parent, row->parent == 0},
	    {"size", row->size, row->size == SIZE_NONE},
	    {"lane", row->lane, false},
	};
	for (size_t i = 0; i < sizeof integers / sizeof integers[0]; i++) {
		if (strcmp(integers[i].name, column) == 0) {
			return integers[i].is_null ? (struct row_value){.type = VALUE_IS_NULL}
			                           : fixture_integer_value(integers[i].value);
		}
	}
	for (int key = 0; key < FIXTURE_KEYS; key++) {
		if (strcmp(fixture_keys[key], column) == 0) {
			return row->args[key];
		}
	}
	if (strcmp(column, "name") == 0) {
		return fixture_text_value(row->name);
	}
	if (strcmp(column, "category") == 0) {
		return fixture_text_value(row->category);
	}
	if (strcmp(column, "path") == 0) {
		return fixture_text_value(row->path);
	}
	if (strcmp(column, "basename") == 0 || strcmp(column, "dirname") == 0) {
		struct row_value value = fixture_text_value(row->path);
		if (row->path) { /* as Python's os.path, the long way */
			const char *slash = strrchr(row->path, '/');
			size_t head = slash ? (size_t)(slash + 1 - row->path) : 0;
			if (column[0] == 'b') {
				return fixture_text_value(row->path + head);
			}
			value.text.len = head;
			while (value.text.len > 0 && value.text.ptr[value.text.len - 1] == '/') {
				value.text.len--;
			}
			value.text.len = value.text.len ? value.text.len : head;
		}
		return value;
	}
	if (strcmp(column, "class") == 0) { /* of fixture_paths */
		const char *class = !row->path                           ? NULL
		                    : strncmp(row->path, "/p/", 3) == 0  ? "pfs"
		                    : strncmp(row->path, "/l/", 3) == 0  ? "ssd"
		                    : strncmp(row->path, "/tmp", 4) == 0 ? "tmp"
		                    : strncmp(row->path, "/dev", 4) == 0 ? "shm"
		                                                         : "other";
		return fixture_text_value(class);
	}
	if (strcmp(column, "lane_name") == 0) {
		return fixture_code_value(fixture, lane->name);
	}
	if (strcmp(column, "host") == 0) {
		return fixture_code_value(fixture, lane->host);
	}
	if (strcmp(column, "process") == 0 || strcmp(column, "thread") == 0) {
		return fixture_ident_value(fixture,
		                           column[0] == 'p' ? lane->process : lane->thread);
	}
	if (strcmp(column, "kind") == 0) {
		return fixture_text_value(lane_kind_name(lane->kind));
	}
	FIXTURE_CHECK(strcmp(column, "value") == 0, "column %s", column);
	return (struct row_value){.type = isnan(row->value) ? VALUE_IS_NULL : VALUE_IS_REAL,
	                          .real = row->value};
}

/* A data set that counts what is fetched of it. */
struct counted_dataset {
	struct dataset dataset;
	const struct dataset *counted;
	size_t n_fetches;
};

static inline int
counted_fetch(void *user, int64_t blob_id, void *buffer, size_t bytes, struct err *err)
{
	struct counted_dataset *counting = user;
	counting->n_fetches++;
	return counting->counted->fetch(counting->counted->user, blob_id, buffer, bytes, err);
}

static inline void
counted_init(struct counted_dataset *counting, const struct dataset *dataset)
{
	*counting = (struct counted_dataset){*dataset, dataset, 0};
	counting->dataset.fetch = counted_fetch;
	counting->dataset.user = counting;
}

#endif
