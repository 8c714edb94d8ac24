/* The builder: every row comes out once and whole, in blocks that are as the header says. */
#include "config.h"

#include "column/scan/dataset.h"
#include "unit/unit.h"
#include "util/mem.h"
#include "util/prng.h"

struct built {
	struct intern *texts;
	struct block **blocks;
	size_t n, capacity;
	uint64_t n_keys_checked;
	int stop_after;
};

static int
take(void *user, struct block *block, const struct span_key *keys)
{
	struct built *built = user;

	ck_assert_uint_eq(block->info.sequence, built->n);
	ck_assert((keys != NULL) == (block->info.kind == BLOCK_SPAN));
	built->blocks =
	    mem_grow(built->blocks, &built->capacity, built->n + 1, sizeof(struct block *));
	built->blocks[built->n++] = block;
	for (uint32_t i = 0; keys && i < block->info.n_rows; i++) {
		int64_t end;
		bool is_within = keys[i].start_ns >= block->info.start_min &&
		                 keys[i].start_ns <= block->info.start_max;
		if (__builtin_add_overflow(keys[i].start_ns, keys[i].duration_ns, &end)) {
			end = INT64_MAX;
		}
		ck_assert_msg(is_within && end <= block->info.end_max,
		              "a key outside its block's times");
		built->n_keys_checked++;
	}
	return built->stop_after && (int)built->n >= built->stop_after ? 7 : 0;
}

static struct built *
built_new(void)
{
	struct built *built = xcalloc(1, sizeof *built);
	built->texts = intern_new();
	return built;
}

static void
built_free(struct built *built)
{
	for (size_t i = 0; i < built->n; i++) {
		block_free(built->blocks[i]);
	}
	free(built->blocks);
	intern_free(built->texts);
	free(built);
}

static struct block_builder *
builder_of(struct built *built, enum block_kind kind, uint32_t rows)
{
	struct block_receiver receiver = {built, take};
	return block_builder_new(kind, 3, built->texts, rows, &receiver);
}

/* All values of a column, absent ones 0; false if the block has no such column. */
static bool
column_of(const struct block *block, uint32_t field, int64_t *values, uint64_t *presence)
{
	const struct column_info *info = block_column(&block->info, field), *source = NULL;
	struct column_reader reader;
	struct err err = ERR_INIT;
	const char *bytes = block->bytes.data;

	if (!info) {
		return false;
	}
	if (info->flags & COLUMN_COPY) {
		source = block_column(&block->info, info->same_as);
	}
	ck_assert_msg(column_reader_init(
			  &reader, info, bytes + block->offsets[info - block->info.columns], source,
			  source ? bytes + block->offsets[source - block->info.columns] : NULL,
			  block->info.n_rows, &err) == 0,
	              "field %u: %s", info->field, err.message);
	for (uint32_t row = 0; row < block->info.n_rows; row += 4096) {
		uint32_t left = block->info.n_rows - row;
		column_read(&reader, left < 4096 ? left : 4096, values + row, presence + row / 64);
	}
	return true;
}

static struct span
plain_span(int64_t start, int64_t duration)
{
	return (struct span){.start_ns = start,
	                     .duration_ns = duration,
	                     .category = TEXT_NONE,
	                     .path = TEXT_NONE,
	                     .size_bytes = SIZE_NONE,
	                     .calls = 1};
}

static uint64_t
ordinal_of(const struct block *block, uint32_t row)
{
	return block->ordinals ? block->ordinals[row] : block->first_ordinal + row;
}

/* Long spans stand apart, with all that belongs to them. */
START_TEST(test_long_spans)
{
	struct built *built = built_new();
	struct block_builder *builder = builder_of(built, BLOCK_SPAN, 512);
	struct prng prng = {1};
	enum { N = 4000 };
	bool seen[N] = {false};
	int64_t values[512];
	uint64_t presence[8];
	size_t n_long = 0;

	for (int i = 0; i < N; i++) {
		struct span span = plain_span(i * 1000, i % 50 == 7 ? 10000000 + i : 500 + i % 100);
		char text[40];
		snprintf(text, sizeof text, "text %d", i);
		struct arg args[] = {{0, ARG_INTEGER, {.integer = i}},
		                     {2, ARG_TEXT, {.text = slice_of(text)}}};
		span.category = (uint32_t)i;
		span.args = args;
		span.n_args = prng_below(&prng, 4) ? 2 : 0;
		ck_assert(block_builder_span(builder, &span) == 0);
	}
	ck_assert(block_builder_flush(builder) == 0);
	ck_assert_uint_eq(built->n_keys_checked, N);
	for (size_t b = 0; b < built->n; b++) {
		const struct block *block = built->blocks[b];
		ck_assert_uint_eq(block->info.source, 3);
		int64_t extent = block->info.start_max - block->info.start_min;
		int64_t reach = block->info.end_max - block->info.start_min;
		bool is_long = reach > 10000000;
		ck_assert_msg(is_long || reach < extent + 1000, "block %zu reaches far", b);
		column_of(block, FIELD_DURATION, values, presence);
		for (uint32_t row = 0; row < block->info.n_rows; row++) {
			uint64_t ordinal = ordinal_of(block, row);
			ck_assert(ordinal < N && !seen[ordinal]);
			seen[ordinal] = true;
			n_long += is_long;
			if (values[row] != (ordinal % 50 == 7 ? 10000000 + (int64_t)ordinal
			                                      : 500 + (int64_t)ordinal % 100)) {
				ck_abort_msg("row %u of block %zu is another's", row, b);
			}
		}
		column_of(block, FIELD_CATEGORY, values, presence);
		int64_t args[512], texts[512];
		uint64_t has_args[8], has_texts[8];
		column_of(block, field_arg(0, ARG_INTEGER), args, has_args);
		column_of(block, field_arg(2, ARG_TEXT), texts, has_texts);
		for (uint32_t row = 0; row < block->info.n_rows; row++) {
			int64_t ordinal = (int64_t)ordinal_of(block, row);
			bool has = has_args[row / 64] >> (row & 63) & 1;
			char text[40];
			snprintf(text, sizeof text, "text %d", (int)ordinal);
			if (values[row] != ordinal || (has && args[row] != ordinal) ||
			    has != (has_texts[row / 64] >> (row & 63) & 1) ||
			    (has &&
			     !slice_is(intern_text(built->texts, (uint32_t)texts[row]), text))) {
				ck_abort_msg("row %u of block %zu has another's columns", row, b);
			}
		}
	}
	ck_assert_uint_eq(n_long, N / 50);
	ck_assert_uint_lt(built->n, 12);
	block_builder_free(builder);
	built_free(built);
}
END_TEST

/* Where long ones are many, or all start at once, they stay. */
START_TEST(test_many_long)
{
	for (int variant = 0; variant < 2; variant++) {
		struct built *built = built_new();
		struct block_builder *builder = builder_of(built, BLOCK_SPAN, 256);
		for (int i = 0; i < 256; i++) {
			struct span span = plain_span(variant ? 0 : i, i % 2 ? 1000000 : 1);
			block_builder_span(builder, &span);
		}
		block_builder_flush(builder);
		ck_assert_uint_eq(built->n, 1);
		ck_assert(built->blocks[0]->ordinals == NULL);
		block_builder_free(builder);
		built_free(built);
	}
}
END_TEST

/* n spans whose size equals argument 0 but for row `odd`. */
static struct built *
build_sizes(int n, int odd, unsigned keep_percent)
{
	struct built *built = built_new();
	struct block_builder *builder = builder_of(built, BLOCK_SPAN, BLOCK_ROWS);
	struct prng prng = {9};

	for (int i = 0; i < n; i++) {
		int64_t value = (int64_t)prng_below(&prng, 1u << 30);
		struct span span = plain_span(i * 10, 5);
		struct arg args[] = {{0, ARG_INTEGER, {.integer = value}},
		                     {1, ARG_INTEGER_TEXT, {.integer = 77}}};
		span.size_bytes =
		    prng_below(&prng, 100) < keep_percent ? value + (i == odd) : SIZE_NONE;
		span.args = args;
		span.n_args = 2;
		block_builder_span(builder, &span);
	}
	block_builder_flush(builder);
	block_builder_free(builder);
	return built;
}

START_TEST(test_copies)
{
	static int64_t sizes[10000], args[10000];
	static uint64_t has_sizes[200], has_args[200];

	for (unsigned keep = 10; keep <= 100; keep += 45) {
		for (int odd = -1; odd <= 9999; odd += 10000) {
			struct built *built =
			    build_sizes(10000, odd, keep == 100 || odd < 0 ? keep : 100);
			const struct block *block = built->blocks[0];
			const struct column_info *size = block_column(&block->info, FIELD_SIZE);
			ck_assert_uint_eq(built->n, 1);
			column_of(block, FIELD_SIZE, sizes, has_sizes);
			column_of(block, field_arg(0, ARG_INTEGER), args, has_args);
			bool is_copy =
			    size->flags & COLUMN_COPY ||
			    block_column(&block->info, field_arg(0, ARG_INTEGER))->flags &
				COLUMN_COPY;
			ck_assert_int_eq(is_copy, odd < 0);
			int64_t min = INT64_MAX, max = INT64_MIN;
			for (int i = 0; i < 10000; i++) {
				bool has = has_sizes[i / 64] >> (i & 63) & 1;
				if (has && sizes[i] != args[i] + (i == odd)) {
					ck_abort_msg("row %d", i);
				}
				min = has && sizes[i] < min ? sizes[i] : min;
				max = has && sizes[i] > max ? sizes[i] : max;
			}
			ck_assert_int_eq(size->min, min);
			ck_assert_int_eq(size->max, max);
			ck_assert_uint_eq(
			    block_column(&block->info, field_arg(1, ARG_INTEGER_TEXT))->blob_bytes,
			    0);
			built_free(built);
		}
	}
}
END_TEST

/* A key whose texts do not repeat leaves the dictionary; one whose texts do stays. */
START_TEST(test_local_texts)
{
	struct built *built = built_new();
	struct block_builder *builder = builder_of(built, BLOCK_EVENT, 5000);
	char unique[40], common[40];
	enum { N = 30000 };

	for (int i = 0; i < N; i++) {
		snprintf(unique, sizeof unique, "unique text number %d", i);
		snprintf(common, sizeof common, "one of %d", i % 100);
		struct arg args[] = {{0, ARG_TEXT, {.text = slice_of(unique)}},
		                     {1, ARG_TEXT, {.text = slice_of(common)}},
		                     {0, ARG_JSON, {.text = slice_of("[]")}}};
		struct event event = {
		    .time_ns = i, .category = TEXT_NONE, .args = args, .n_args = i % 2 ? 2 : 3};
		ck_assert(block_builder_event(builder, &event) == 0);
	}
	block_builder_flush(builder);
	ck_assert_uint_eq(built->n, 6);
	ck_assert_uint_le(intern_count(built->texts), 5000 + 101 + 1);
	for (size_t b = 0; b < built->n; b++) {
		const struct block *block = built->blocks[b];
		const struct column_info *info = block_column(&block->info, field_arg(0, ARG_TEXT));
		struct column_reader reader;
		struct err err = ERR_INIT;
		struct slice text;
		ck_assert_int_eq(info->type, b == 0 ? COLUMN_TEXT : COLUMN_LOCAL_TEXT);
		ck_assert_int_eq(block_column(&block->info, field_arg(1, ARG_TEXT))->type,
		                 COLUMN_TEXT);
		if (b == 0) {
			continue;
		}
		ck_assert(column_reader_init(&reader, info,
		                             block->bytes.data +
		                                 block->offsets[info - block->info.columns],
		                             NULL, NULL, block->info.n_rows, &err) == 0);
		for (uint32_t row = 0; row < block->info.n_rows; row++) {
			snprintf(unique, sizeof unique, "unique text number %d",
			         (int)(b * 5000 + row));
			if (!column_text(&reader, row, &text) || !slice_is(text, unique)) {
				ck_abort_msg("row %u of block %zu", row, b);
			}
		}
	}
	block_builder_free(builder);
	built_free(built);
}
END_TEST

/* Long spans moved while their key's texts are local, dictionary texts before. */
START_TEST(test_long_local)
{
	struct built *built = built_new();
	struct block_builder *builder = builder_of(built, BLOCK_SPAN, 6000);
	enum { N = 20000 };
	size_t n_checked = 0;

	for (int i = 0; i < N; i++) {
		char text[40];
		snprintf(text, sizeof text, "t%d", i);
		struct arg arg = {0, ARG_TEXT, {.text = slice_of(text)}};
		struct span span = plain_span(i * 10, i % 100 ? 5 : 10000000);
		span.args = &arg;
		span.n_args = 1;
		ck_assert(block_builder_span(builder, &span) == 0);
	}
	block_builder_flush(builder);
	for (size_t b = 0; b < built->n; b++) {
		const struct block *block = built->blocks[b];
		const struct column_info *info = block_column(&block->info, field_arg(0, ARG_TEXT));
		struct column_reader reader;
		struct err err = ERR_INIT;
		ck_assert(column_reader_init(&reader, info,
		                             block->bytes.data +
		                                 block->offsets[info - block->info.columns],
		                             NULL, NULL, block->info.n_rows, &err) == 0);
		const struct column_reader texts = reader;
		int64_t codes[4096];
		uint64_t present[64];
		for (uint32_t row = 0; row < block->info.n_rows; row++) {
			char text[40];
			struct slice got;
			uint32_t i = row % 4096, left = block->info.n_rows - row;
			snprintf(text, sizeof text, "t%d", (int)ordinal_of(block, row));
			if (i == 0) {
				column_read(&reader, left < 4096 ? left : 4096, codes, present);
			}
			bool has = present[i / 64] >> (i & 63) & 1;
			if (has && info->type == COLUMN_LOCAL_TEXT) {
				has = column_text(&texts, row, &got);
			} else if (has) {
				got = intern_text(built->texts, (uint32_t)codes[i]);
			}
			if (!has || !slice_is(got, text)) {
				ck_abort_msg("row %u of block %zu: %.*s", row, b, (int)got.len,
				             got.ptr);
			}
			n_checked++;
		}
	}
	ck_assert_uint_eq(n_checked, N);
	block_builder_free(builder);
	built_free(built);
}
END_TEST

START_TEST(test_early_flush)
{
	struct built *built = built_new();
	struct block_builder *builder = builder_of(built, BLOCK_EVENT, BLOCK_ROWS);
	char *big = xcalloc(1, 3u << 20);

	memset(big, 'x', 3u << 20);
	for (int i = 0; i < 10; i++) { /* large texts */
		big[0] = (char)('a' + i);
		struct arg arg = {0, ARG_JSON, {.text = {big, 3u << 20}}};
		struct event event = {
		    .time_ns = i, .category = TEXT_NONE, .args = &arg, .n_args = 1};
		block_builder_event(builder, &event);
	}
	ck_assert_uint_eq(built->n, 3);
	for (uint32_t i = 0; i < 10000; i++) { /* many keys */
		struct arg arg = {i, ARG_INTEGER, {.integer = i}};
		struct event event = {
		    .time_ns = i, .category = TEXT_NONE, .args = &arg, .n_args = 1};
		block_builder_event(builder, &event);
	}
	block_builder_flush(builder);
	ck_assert_uint_eq(built->n, 6);
	size_t bytes = 0;
	for (size_t b = 3; b < 6; b++) {
		ck_assert_uint_le(built->blocks[b]->info.n_columns, 4100);
		bytes += built->blocks[b]->bytes.len;
	}
	ck_assert_uint_lt(bytes,
	                  (3u << 20) + 10000 * 20); /* the last text; rare columns stay small */
	free(big);
	block_builder_free(builder);
	built_free(built);
}
END_TEST

/* Rows of thousands of arguments, all different, some of them among the long ones. */
START_TEST(test_many_arguments)
{
	static struct arg args[BLOCK_ROW_ARGS + 1000];
	struct built *built = built_new();
	struct block_builder *builder = builder_of(built, BLOCK_SPAN, BLOCK_ROWS);
	uint64_t n_rows = 0;

	for (uint32_t i = 0; i < 400; i++) {
		uint32_t n = i % 50 == 3 ? i * 19 : i % 7;
		struct span span = {.start_ns = i,
		                    .duration_ns = i % 50 == 3 ? 1000000 : 1,
		                    .category = TEXT_NONE,
		                    .path = TEXT_NONE,
		                    .size_bytes = SIZE_NONE,
		                    .calls = 1,
		                    .args = args,
		                    .n_args = n};
		ck_assert_uint_lt(n, sizeof args / sizeof args[0]);
		for (uint32_t k = 0; k < n; k++) {
			args[k] = (struct arg){i * 8000 + k, ARG_INTEGER, {.integer = k}};
		}
		ck_assert_int_eq(block_builder_span(builder, &span), 0);
	}
	ck_assert_int_eq(block_builder_flush(builder), 0);
	for (size_t b = 0; b < built->n; b++) {
		const struct block_info *info = &built->blocks[b]->info;
		ck_assert_uint_le(info->n_columns, BLOCK_COLUMNS);
		n_rows += info->n_rows;
	}
	ck_assert_uint_eq(n_rows, 400);
	block_builder_free(builder);
	built_free(built);
}
END_TEST

START_TEST(test_extremes)
{
	struct built *built = built_new();
	struct block_builder *builder = builder_of(built, BLOCK_SPAN, 100);
	static const int64_t times[] = {INT64_MIN, INT64_MAX, 0, INT64_MIN + 1, INT64_MAX - 1};
	int64_t values[100];
	uint64_t presence[2];

	for (int i = 0; i < 100; i++) {
		struct span span = plain_span(times[i % 5], i % 3 ? INT64_MAX : 0);
		span.name = i % 4 ? TEXT_NONE : 5;
		span.lane = i % 7 ? LANE_NONE : 1;
		span.size_bytes = i % 2 ? INT64_MAX : -1;
		span.calls = i % 9 ? 1 : INT64_MIN;
		block_builder_span(builder, &span);
	}
	block_builder_flush(builder);
	ck_assert_uint_eq(built->n, 1);
	const struct block *block = built->blocks[0];
	ck_assert(block->info.start_min == INT64_MIN && block->info.start_max == INT64_MAX &&
	          block->info.end_max == INT64_MAX);
	column_of(block, FIELD_START, values, presence);
	for (int i = 0; i < 100; i++) {
		ck_assert_int_eq(values[i], times[i % 5]);
	}
	ck_assert(column_of(block, FIELD_NAME, values, presence));
	ck_assert_uint_eq(block_column(&block->info, FIELD_NAME)->n_present, 25);
	ck_assert(values[4] == 5 && presence[0] >> 4 & 1 && !(presence[0] >> 5 & 1));
	ck_assert_uint_eq(block_column(&block->info, FIELD_LANE)->n_present, 15);
	ck_assert_uint_eq(block_column(&block->info, FIELD_CALLS)->n_present, 12);
	ck_assert(!block_column(&block->info, FIELD_PATH) &&
	          !block_column(&block->info, FIELD_VALUE));
	block_builder_free(builder);
	built_free(built);
}
END_TEST

START_TEST(test_stops)
{
	struct built *built = built_new();
	struct block_builder *builder = builder_of(built, BLOCK_COUNTER, 10);
	struct counter counter = {.value = 1.5};
	int status = 0, n = 0;

	built->stop_after = 3;
	while ((status = block_builder_counter(builder, &counter)) == 0) {
		n++;
	}
	ck_assert_int_eq(status, 7);
	ck_assert_int_eq(n, 29);
	block_builder_free(builder);
	block_builder_free(NULL);
	built_free(built);
	block_free(NULL);
}
END_TEST

static void
build_random(struct built *built)
{
	struct block_builder *builder = builder_of(built, BLOCK_SPAN, 1000);
	struct prng prng = {123};

	for (int i = 0; i < 20000; i++) {
		char text[30];
		snprintf(text, sizeof text, "%d", (int)prng_below(&prng, 15000));
		struct span span = plain_span((int64_t)prng_below(&prng, 1u << 20) + i * 1000,
		                              (int64_t)prng_below(&prng, 3000) * 1000);
		struct arg args[] = {
		    {(uint32_t)prng_below(&prng, 5), ARG_TEXT, {.text = slice_of(text)}},
		    {(uint32_t)prng_below(&prng, 5),
		     ARG_REAL,
		     {.real = (double)prng_below(&prng, 100) / 8}},
		    {9, ARG_INTEGER, {.integer = i}}};
		span.args = args;
		span.n_args = prng_below(&prng, 4);
		block_builder_span(builder, &span);
	}
	block_builder_flush(builder);
	block_builder_free(builder);
}

START_TEST(test_deterministic)
{
	struct built *a = built_new(), *b = built_new();

	build_random(a);
	build_random(b);
	ck_assert_uint_eq(a->n, b->n);
	for (size_t i = 0; i < a->n; i++) {
		const struct block *x = a->blocks[i], *y = b->blocks[i];
		ck_assert(slice_equal(strbuf_slice(&x->bytes), strbuf_slice(&y->bytes)));
		ck_assert_uint_eq(x->info.n_columns, y->info.n_columns);
		for (uint32_t c = 0; c < x->info.n_columns; c++) {
			const struct column_info *p = &x->info.columns[c], *q = &y->info.columns[c];
			ck_assert(p->field == q->field && p->flags == q->flags &&
			          p->base == q->base && p->scale == q->scale &&
			          p->first == q->first && p->min == q->min && p->max == q->max &&
			          p->width == q->width);
			ck_assert(c == 0 || p->field > p[-1].field);
		}
	}
	built_free(a);
	built_free(b);
}
END_TEST

START_TEST(test_remap)
{
	struct built *built = build_sizes(100, -1, 100);
	struct block_info *info = &built->blocks[0]->info;
	static const uint32_t keys[] = {50, 7};

	block_info_remap(info, keys, 2);
	ck_assert(block_column(info, field_arg(50, ARG_INTEGER)) &&
	          block_column(info, field_arg(7, ARG_INTEGER_TEXT)));
	ck_assert(!block_column(info, field_arg(0, ARG_INTEGER)) &&
	          block_column(info, FIELD_START));
	for (uint32_t c = 0; c < info->n_columns; c++) {
		ck_assert(c == 0 || info->columns[c].field > info->columns[c - 1].field);
		if (info->columns[c].flags & COLUMN_COPY) {
			ck_assert(block_column(info, info->columns[c].same_as) != NULL);
		}
	}
	built_free(built);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("block");
	TCase *tcase = tcase_create("block");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, test_long_spans);
	tcase_add_test(tcase, test_many_long);
	tcase_add_test(tcase, test_copies);
	tcase_add_test(tcase, test_local_texts);
	tcase_add_test(tcase, test_long_local);
	tcase_add_test(tcase, test_early_flush);
	tcase_add_test(tcase, test_many_arguments);
	tcase_add_test(tcase, test_extremes);
	tcase_add_test(tcase, test_stops);
	tcase_add_test(tcase, test_deterministic);
	tcase_add_test(tcase, test_remap);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
