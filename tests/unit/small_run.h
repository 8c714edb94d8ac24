/*
 * A small run for the tests of the store, written through the writer: two sources, three lanes, a
 * block each of spans, events and counters for each source, and a row or two in every other table.
 */
#ifndef LANESCOPE_TESTS_SMALL_RUN_H
#define LANESCOPE_TESTS_SMALL_RUN_H

#include <math.h>
#include <string.h>
#include "column/encode/column.h"
#include "store/store.h"
#include "store/writer.h"
#include "unit/folder.h"
#include "unit/unit.h"

#define SMALL_ROWS 10u /* of a block */

static const char *const small_texts[] = {"node1", "main", "write", "read",    "POSIX",
                                          "t-1",   "",     "load",  "float64", "a\xffz"};
#define SMALL_TEXTS 10u

#define must(call)                                                                                 \
	do {                                                                                       \
		struct err err = ERR_INIT;                                                         \
		(void)err;                                                                         \
		ck_assert_msg((call), "%s: %s", #call, err.message);                               \
	} while (0)

/* Value of row i of a column: not evenly spaced, or there would be no bytes. */
static inline int64_t
small_value(int64_t base, int64_t step, uint32_t i)
{
	return base + (int64_t)i * step + (step ? i % 3 : 0);
}

/* One column, of those values; a real one of their thirds. */
static inline struct column_info
small_run_column(struct writer *writer, const struct block_info *block, uint32_t nth,
                 uint32_t field, enum column_type type, int64_t base, int64_t step)
{
	int64_t values[SMALL_ROWS], bits[SMALL_ROWS];
	struct strbuf bytes = {0};
	struct column_info column = {
	    .field = field, .type = (uint8_t)type, .n_present = SMALL_ROWS};
	for (uint32_t i = 0; i < SMALL_ROWS; i++) {
		values[i] = small_value(base, step, i);
		double real = (double)values[i] / 3;
		memcpy(&bits[i], &real, sizeof real);
	}
	if (type == COLUMN_REAL) {
		column_encode_packed_reals(&column, bits, NULL, SMALL_ROWS, &bytes);
	} else {
		column_encode_integers(&column, values, NULL, SMALL_ROWS, &bytes);
	}
	column.blob_bytes = (uint32_t)bytes.len;
	if (bytes.len) {
		column.blob_id = writer_blob_id(block->source, block->kind, block->sequence, nth);
		must(writer_blob(writer, column.blob_id, strbuf_slice(&bytes), &err) == 0);
	}
	strbuf_free(&bytes);
	return column;
}

/* Rows start every 100 ns or so, spans last 50 to 60 ns, all are called "write"; source 0 is on
 * lane 0 from 0 on, source 1 on lane 1 from 1000 on. */
static inline void
small_block(struct writer *writer, uint32_t source, enum block_kind kind)
{
	struct column_info columns[8];
	struct block_info block = {.kind = kind,
	                           .source = source,
	                           .n_rows = SMALL_ROWS,
	                           .first_id = 1 + source * SMALL_ROWS};
	uint32_t n = 0;
	block.start_min = source * 1000;
	block.start_max = block.start_min + (SMALL_ROWS - 1) * 100;
	block.end_max = block.start_max + (kind == BLOCK_SPAN ? 59 : 0);
	columns[n] =
	    small_run_column(writer, &block, n, FIELD_START, COLUMN_INTEGER, block.start_min, 100);
	n++;
	if (kind == BLOCK_SPAN) {
		columns[n] =
		    small_run_column(writer, &block, n, FIELD_DURATION, COLUMN_INTEGER, 50, 1);
		n++;
	}
	columns[n] = small_run_column(writer, &block, n, FIELD_LANE, COLUMN_INTEGER, source, 0);
	n++;
	columns[n] = small_run_column(writer, &block, n, FIELD_NAME, COLUMN_TEXT, 0, 0);
	n++;
	if (kind == BLOCK_COUNTER) {
		columns[n] = small_run_column(writer, &block, n, FIELD_VALUE, COLUMN_REAL, 7, 1);
		n++;
	}
	/* a later version's column, which must be passed over */
	columns[n] = small_run_column(writer, &block, n, FIELD_ARG - 1, COLUMN_INTEGER, 3, 1);
	n++;
	columns[n] =
	    small_run_column(writer, &block, n, field_arg(1, ARG_INTEGER), COLUMN_INTEGER, -5, 1);
	n++;
	block.n_columns = n;
	block.columns = columns;
	must(writer_block(writer, &block, &err) == 0);
}

/* Everything but the run's facts. with_spans: also span blocks. */
static inline void
small_rows(struct writer *writer, bool with_spans)
{
	static const uint32_t texts[] = {2, 3}, lanes[] = {0, 1};
	const struct lane run_lanes[] = {
	    {.host = 0,
	     .process = {.type = IDENT_INTEGER, .integer = 4711},
	     .thread = {.type = IDENT_TEXT, .text = 5},
	     .name = 1,
	     .kind = LANE_THREAD},
	    {.host = TEXT_NONE, .name = 6, .kind = LANE_WORKER},
	    {.host = 0, .process = {.type = IDENT_TEXT, .text = 9}, .name = 1, .kind = LANE_ASYNC},
	};
	for (uint32_t i = 0; i < SMALL_TEXTS; i++) {
		must(writer_text(writer, slice_of(small_texts[i]), &err) == 0);
	}
	must(writer_key(writer, slice_of("fd"), &err) == 0);
	must(writer_key(writer, slice_of("offset"), &err) == 0);
	for (int i = 0; i < 3; i++) {
		must(writer_lane(writer, &run_lanes[i], &err) == 0);
	}
	for (uint32_t i = 0; i < 2; i++) {
		struct writer_source source = {.path = i ? "b.json" : "a.json",
		                               .dialect = i ? NULL : "v2",
		                               .raw_bytes = i ? -1 : 100,
		                               .plain_bytes = 1000,
		                               .n_events = SMALL_ROWS,
		                               .n_counters = SMALL_ROWS,
		                               .members = 1,
		                               .truncated = i == 1,
		                               .n_problems = i,
		                               .texts = texts,
		                               .n_texts = 2,
		                               .lanes = lanes,
		                               .n_lanes = 2};
		source.facts =
		    (struct source_facts){.records = 40, .metadata = 2, .bad_records = i};
		source.n_spans = with_spans ? SMALL_ROWS : 0;
		must(writer_source(writer, &source, &err) == 0);
	}
	for (int kind = with_spans ? BLOCK_SPAN : BLOCK_EVENT; kind < BLOCK_KINDS; kind++) {
		small_block(writer, 0, (enum block_kind)kind);
		small_block(writer, 1, (enum block_kind)kind);
	}
	const struct task tasks[] = {
	    {.key = 2,
	     .name = 2,
	     .kind = TEXT_NONE,
	     .lane = LANE_NONE,
	     .worker = TEXT_NONE,
	     .planned = 5,
	     .enqueued = TIME_NONE,
	     .started = TIME_NONE,
	     .loaded = TIME_NONE,
	     .computed = TIME_NONE,
	     .published = TIME_NONE,
	     .finished = TIME_NONE,
	     .completed = TIME_NONE,
	     .recorded_start = NAN,
	     .recorded_duration = NAN,
	     .size_bytes = SIZE_NONE},
	    {3, 3, 4, 1, 5, 1, 2, 3, 4, 5, 6, 7, 8, 0.1, 1e300, 0},
	};
	must(writer_task(writer, 0, &tasks[0], &err) == 0);
	must(writer_task(writer, 1, &tasks[1], &err) == 0);
	const struct transfer transfer = {2,         1, 0, TEXT_NONE, 4, 1,        2,
	                                  TIME_NONE, 4, 5, 6,         7, SIZE_NONE};
	must(writer_transfer(writer, 0, &transfer, &err) == 0);
	must(writer_dependency(writer, false, 1, 2, TEXT_NONE, &err) == 0);
	must(writer_dependency(writer, true, 1, 2, 4, &err) == 0);
	must(writer_capacity(writer, 0, &(struct capacity){10, 0, 64}, &err) == 0);
	must(writer_preemption(writer, 0, &(struct preemption){20, TEXT_NONE, -3}, &err) == 0);
	must(writer_trial(writer, 1, &(struct trial){7, TEXT_NONE}, &err) == 0);
	must(writer_sample(writer, &(struct sample){1, 7, (const double[]){1.5, -2.5}, 2, 8},
	                   &err) == 0);
	must(writer_tag(writer, &(struct tag){TEXT_NONE, 2, 3}, &err) == 0);
	const struct problem problem = {
	    PROBLEM_MALFORMED, 3, 99, "no JSON", {"\x1b[31m{\n\xff", 8}};
	must(writer_problem(writer, 1, &problem, &err) == 0);
	const struct problem missing = {PROBLEM_MISSING, 0, 0, "rank 3 is missing", {NULL, 0}};
	must(writer_problem(writer, -1, &missing, &err) == 0);
	const struct tile_chunk tile = {TILE_LANE, 1, 2, 3, {"tile\0bytes", 10}};
	must(writer_tile(writer, &tile, &err) == 0);
}

static inline void
small_run_facts(struct writer *writer, const char *name)
{
	const struct writer_run run = {.name = name,
	                               .format = "chrome",
	                               .clock = CLOCK_WALL,
	                               .start_ns = INT64_C(1700000000123456789),
	                               .wall_start_ns = INT64_C(1700000000123456789),
	                               .duration_ns = 1959,
	                               .tile_base_ns = 64,
	                               .tile_levels = 4};
	must(writer_set_run(writer, &run, &err) == 0);
}

static inline void
small_run_write(const char *path, const char *name, bool with_spans)
{
	struct writer *writer = NULL;
	must((writer = writer_new(path, &err)) != NULL);
	small_rows(writer, with_spans);
	small_run_facts(writer, name);
	must(writer_finish(writer, NULL, NULL, &err) == 0);
}

static inline struct store *
small_run_open(const char *path)
{
	struct store *store = NULL;
	must((store = store_open(path, &err)) != NULL);
	return store;
}

static inline struct stmt *
small_prepare(struct store *store, const char *sql)
{
	struct stmt *stmt = NULL;
	must((stmt = store_prepare(store, sql, &err)) != NULL);
	return stmt;
}

#endif
