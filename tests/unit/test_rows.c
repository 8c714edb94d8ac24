/* Rows by id, rows by cursor, and their arguments as JSON, against the rows that went in. */
#include "config.h"

#include <inttypes.h>
#include <jansson.h>

#include "unit/scan_fixture.h"

static void
check_row(const struct fixture *fixture, enum block_kind kind, const struct fixture_row *want,
          const struct span_row *row)
{
	const struct dataset *dataset = &fixture->dataset;
	struct slice category = want->category ? slice_of(want->category) : (struct slice){NULL, 0};
	bool is_same = row->id == want->id && row->start_ns == want->start &&
	               row->lane == want->lane && slice_is(dataset->texts[row->name], want->name);

	is_same = is_same && (want->category ? slice_equal(dataset->texts[row->category], category)
	                                     : row->category == TEXT_NONE);
	is_same = is_same && (want->path ? slice_is(dataset->texts[row->path], want->path)
	                                 : row->path == TEXT_NONE);
	is_same = is_same && row->duration_ns == want->duration &&
	          row->self_ns == want->duration - want->covered;
	is_same = is_same && row->size_bytes == want->size && row->calls == want->calls &&
	          row->parent == want->parent && row->depth == want->depth;
	if (want->calls > 1 && want->has_totals) {
		is_same = is_same && row->call_sum_ns == want->totals.sum_ns &&
		          row->call_min_ns == want->totals.min_ns &&
		          row->call_max_ns == want->totals.max_ns &&
		          row->size_min == want->totals.size_min &&
		          row->size_max == want->totals.size_max;
	} else {
		is_same = is_same && row->call_sum_ns == want->duration &&
		          row->call_min_ns == TIME_NONE && row->size_max == SIZE_NONE;
	}
	if (kind == BLOCK_COUNTER) {
		is_same = is_same && memcmp(&row->value, &want->value, sizeof row->value) == 0;
	}
	ck_assert_msg(is_same, "row %" PRId64 " of kind %d differs", want->id, kind);
}

START_TEST(test_get)
{
	struct fixture *fixture = fixture_new(1 + (uint64_t)_i, 300, _i ? 4096 : 100, _i == 2);
	struct err err = ERR_INIT;
	struct span_row row;

	for (int kind = 0; kind < BLOCK_KINDS; kind++) {
		for (size_t i = 0; i < fixture->n_rows[kind]; i += 7) {
			ck_assert(row_get(&fixture->dataset, (enum block_kind)kind, (int64_t)i + 1,
			                  &row, &err) == 0);
			check_row(fixture, (enum block_kind)kind, &fixture->rows[kind][i], &row);
		}
		static const int64_t missing[] = {0, -1, INT64_MIN, INT64_MAX, 901};
		for (int i = 0; i < 5; i++) {
			ck_assert_int_eq(row_get(&fixture->dataset, (enum block_kind)kind,
			                         missing[i], &row, &err),
			                 -1);
		}
	}
	fixture_free(fixture);
}
END_TEST

static struct row_bounds
no_bounds(void)
{
	return (struct row_bounds){.id_min = INT64_MIN,
	                           .id_max = INT64_MAX,
	                           .start_min = INT64_MIN,
	                           .start_max = INT64_MAX,
	                           .end_min = INT64_MIN,
	                           .duration_min = INT64_MIN,
	                           .duration_max = INT64_MAX,
	                           .lane = -1,
	                           .name = -1,
	                           .category = -1,
	                           .columns = UINT64_MAX};
}

static struct row_bounds
random_bounds(struct fixture *fixture)
{
	struct row_bounds bounds = no_bounds();
	int64_t n = (int64_t)fixture->n_rows[BLOCK_SPAN];

	if (fixture_chance(fixture, 40)) {
		bounds.id_min = fixture_number(fixture, n + 20) - 10;
		bounds.id_max = bounds.id_min + fixture_number(fixture, n);
	}
	if (fixture_chance(fixture, 40)) {
		bounds.start_min = fixture_number(fixture, n * 1000);
		bounds.start_max = bounds.start_min + fixture_number(fixture, n * 300);
	}
	if (fixture_chance(fixture, 20)) {
		bounds.end_min = fixture_number(fixture, n * 1000);
	}
	if (fixture_chance(fixture, 30)) {
		bounds.duration_min = fixture_number(fixture, 4000);
		bounds.duration_max = bounds.duration_min + fixture_number(fixture, 4000);
	}
	bounds.lane = fixture_chance(fixture, 30)
	                  ? fixture_number(fixture, fixture->dataset.n_lanes + 1)
	                  : -1;
	bounds.name =
	    fixture_chance(fixture, 30) ? fixture_number(fixture, fixture->dataset.n_texts) : -1;
	bounds.category =
	    fixture_chance(fixture, 20) ? fixture_number(fixture, fixture->dataset.n_texts) : -1;
	return bounds;
}

static bool
text_is(const struct fixture *fixture, const char *text, int64_t code)
{
	return code < 0 || (text && slice_is(fixture->dataset.texts[code], text));
}

static bool
is_within(const struct fixture *fixture, const struct row_bounds *bounds,
          const struct fixture_row *row)
{
	return row->id >= bounds->id_min && row->id <= bounds->id_max &&
	       row->start >= bounds->start_min && row->start <= bounds->start_max &&
	       time_add(row->start, row->duration) >= bounds->end_min &&
	       row->duration >= bounds->duration_min && row->duration <= bounds->duration_max &&
	       (bounds->lane < 0 || row->lane == bounds->lane) &&
	       text_is(fixture, row->name, bounds->name) &&
	       text_is(fixture, row->category, bounds->category);
}

/* Every row within the bounds comes once, in order; others may come too. */
static size_t
check_cursor(struct fixture *fixture, enum block_kind kind, const struct row_bounds *bounds)
{
	struct row_cursor *cursor = row_cursor_new(&fixture->dataset, kind, bounds);
	struct err err = ERR_INIT;
	struct span_row row;
	size_t next = 0, n = 0;
	int status;

	while ((status = row_cursor_next(cursor, &row, &err)) == 1) {
		ck_assert_msg(row.id > (int64_t)next && row.id <= (int64_t)fixture->n_rows[kind],
		              "out of order");
		for (; next + 1 < (size_t)row.id; next++) {
			ck_assert_msg(!is_within(fixture, bounds, &fixture->rows[kind][next]),
			              "row %zu is missing", next + 1);
		}
		if (bounds->columns == UINT64_MAX) {
			check_row(fixture, kind, &fixture->rows[kind][next], &row);
		}
		next++;
		n++;
	}
	ck_assert_msg(status == 0, "%s", err.message);
	for (; next < fixture->n_rows[kind]; next++) {
		ck_assert(!is_within(fixture, bounds, &fixture->rows[kind][next]));
	}
	row_cursor_free(cursor);
	return n;
}

START_TEST(test_cursor)
{
	struct fixture *fixture = fixture_new(50 + (uint64_t)_i, 400, _i ? 4096 : 64, false);
	struct row_bounds bounds = no_bounds();

	for (int kind = 0; kind < BLOCK_KINDS; kind++) {
		ck_assert_uint_eq(check_cursor(fixture, (enum block_kind)kind, &bounds),
		                  fixture->n_rows[kind]);
	}
	for (int round = 0; round < 60; round++) {
		bounds = random_bounds(fixture);
		bounds.columns =
		    round % 3 ? UINT64_MAX : UINT64_C(1) << (1 + round % (FIELD_BEFORE_ARGS - 1));
		check_cursor(fixture, (enum block_kind)(round % 4 % BLOCK_KINDS), &bounds);
	}
	bounds = no_bounds();
	bounds.name = -2;
	ck_assert_uint_eq(
	    check_cursor(fixture, BLOCK_EVENT,
	                 &(struct row_bounds){.name = -2, .lane = -1, .category = -1}),
	    0);
	bounds = no_bounds();
	bounds.id_min = bounds.id_max = 17;
	ck_assert_uint_eq(check_cursor(fixture, BLOCK_SPAN, &bounds), 1);
	bounds = no_bounds();
	bounds.lane = 3;
	ck_assert_uint_lt(check_cursor(fixture, BLOCK_SPAN, &bounds),
	                  fixture->n_rows[BLOCK_SPAN] / 2);
	fixture_free(fixture);
}
END_TEST

static bool
same_value(const struct row_value *want, const json_t *got)
{
	switch (want->type) {
	case VALUE_IS_NULL:
		return got == NULL || json_is_null(got);
	case VALUE_IS_INTEGER:
		return json_is_boolean(got)
		           ? json_is_true(got) == (want->integer == 1) && want->integer <= 1
		           : json_is_integer(got) && json_integer_value(got) == want->integer;
	case VALUE_IS_REAL:
		return json_is_real(got) && json_real_value(got) == want->real;
	case VALUE_IS_INTEGER_TEXT: {
		char digits[32];
		snprintf(digits, sizeof digits, "%" PRId64, want->integer);
		return json_is_string(got) && strcmp(json_string_value(got), digits) == 0;
	}
	case VALUE_IS_TEXT:
		if (want->text.ptr[0] == '{') {
			return json_is_object(got);
		}
		return json_is_string(got) && slice_is(want->text, json_string_value(got));
	default: /* unsigned: jansson cannot hold them */
		return json_is_real(got) || json_is_integer(got);
	}
}

static void
check_arguments(const struct fixture_row *want, const struct strbuf *json)
{
	json_error_t error;
	json_t *object = json_loadb(json->data, json->len, JSON_REJECT_DUPLICATES, &error);

	if (!object && strstr(error.text, "too big")) {
		return;
	}
	ck_assert_msg(object != NULL, "%s: %s", json->data, error.text);
	for (int key = 0; key < FIXTURE_KEYS; key++) {
		ck_assert_msg(
		    same_value(&want->args[key], json_object_get(object, fixture_keys[key])),
		    "%s of row %" PRId64 ": %s", fixture_keys[key], want->id, json->data);
	}
	json_decref(object);
}

/* Sought one after the other, forwards, at random and beside the ids there are. */
START_TEST(test_seek)
{
	struct fixture *fixture = fixture_new(5, 3000, 700, false);
	struct counted_dataset counting;
	struct err err = ERR_INIT;
	struct row_bounds bounds = no_bounds();
	struct span_row row;
	int64_t n = (int64_t)fixture->n_rows[BLOCK_SPAN];

	counted_init(&counting, &fixture->dataset);
	bounds.id_min = bounds.id_max = 1;
	struct row_cursor *cursor = row_cursor_new(&counting.dataset, BLOCK_SPAN, &bounds);
	for (int64_t i = 0; i < 2 * n; i++) {
		bool is_there = i < n || fixture_chance(fixture, 90);
		int64_t id = i < n ? i + 1 : is_there ? 1 + fixture_number(fixture, n) : n + 1 + i;
		size_t before = counting.n_fetches;
		row_cursor_seek(cursor, id);
		ck_assert_int_eq(row_cursor_next(cursor, &row, &err), is_there);
		if (is_there) {
			check_row(fixture, BLOCK_SPAN, &fixture->rows[BLOCK_SPAN][id - 1], &row);
		}
		ck_assert_int_eq(row_cursor_next(cursor, &row, &err), 0);
		ck_assert(is_there || counting.n_fetches == before);
		if (i == n - 1) { /* each block once */
			ck_assert_uint_le(counting.n_fetches,
			                  fixture->dataset.n_blocks[BLOCK_SPAN] * 2 *
			                      FIELD_BEFORE_ARGS);
		}
	}
	row_cursor_free(cursor);
	fixture_free(fixture);
}
END_TEST

START_TEST(test_arguments)
{
	struct fixture *fixture = fixture_new(77 + (uint64_t)_i, 400, _i ? 4096 : 64, false);
	struct row_bounds bounds = no_bounds();
	struct err err = ERR_INIT;
	struct strbuf json = {0};
	struct span_row row;

	bounds.columns = 0;
	for (int kind = 0; kind < BLOCK_KINDS; kind++) {
		struct row_cursor *cursor =
		    row_cursor_new(&fixture->dataset, (enum block_kind)kind, &bounds);
		while (row_cursor_next(cursor, &row, &err) == 1) {
			if (row.id % 3) { /* not of each row */
				continue;
			}
			strbuf_clear(&json);
			ck_assert(row_cursor_arguments(cursor, &json, &err) == 0);
			check_arguments(&fixture->rows[kind][row.id - 1], &json);
		}
		row_cursor_free(cursor);
		for (int64_t id = 1; id <= (int64_t)fixture->n_rows[kind]; id += 61) {
			strbuf_clear(&json);
			ck_assert(row_arguments(&fixture->dataset, (enum block_kind)kind, id, &json,
			                        &err) == 0);
			check_arguments(&fixture->rows[kind][id - 1], &json);
		}
		ck_assert_int_eq(
		    row_arguments(&fixture->dataset, (enum block_kind)kind, 0, &json, &err), -1);
	}
	strbuf_free(&json);
	fixture_free(fixture);
}
END_TEST

struct single {
	struct block *block;
};

static int
take_single(void *user, struct block *block, const struct span_key *keys)
{
	(void)keys;
	((struct single *)user)->block = block;
	return 0;
}

/* The JSON of one event with these arguments; keys "k0", "k1" ... */
static void
check_json(const struct arg *args, size_t n_args, const char *want)
{
	struct intern *texts = intern_new(), *keys = intern_new();
	struct single single = {NULL};
	struct block_receiver receiver = {&single, take_single};
	struct block_builder *builder = block_builder_new(BLOCK_EVENT, 0, texts, 10, &receiver);
	struct event event = {.lane = 0,
	                      .name = intern_id(texts, slice_of("e")),
	                      .category = TEXT_NONE,
	                      .args = args,
	                      .n_args = n_args};
	struct lane lane = {.host = TEXT_NONE, .name = TEXT_NONE};
	const struct lane *lanes = &lane;
	uint32_t n_lanes = 1;
	struct strbuf json = {0};
	struct err err = ERR_INIT;

	for (char c = '0'; c <= '9'; c++) {
		char name[3] = {'k', c, '\0'};
		intern_id(keys, slice_of(c == '9' ? "k\"\t" : name));
	}
	block_builder_event(builder, &event);
	block_builder_flush(builder);
	block_builder_free(builder);
	struct memory_dataset *memory =
	    memory_dataset_new(&single.block, 1, &texts, &keys, &lanes, &n_lanes, 1);
	ck_assert(row_arguments(memory_dataset_get(memory), BLOCK_EVENT, 1, &json, &err) == 0);
	ck_assert_str_eq(json.data, want);
	strbuf_free(&json);
	memory_dataset_free(memory);
	intern_free(texts);
	intern_free(keys);
}

START_TEST(test_json)
{
	static const char text[] =
	    "a\"b\\c/\b\f\n\r\t\x01\x1f\x7f \xc3\xa9\xff\xe2\x82 \xf0\x9f\x98\x80\xed\xa0\x80";
	struct arg numbers[] = {{0, ARG_INTEGER, {.integer = INT64_MIN}},
	                        {1, ARG_UNSIGNED, {.integer = -1}},
	                        {2, ARG_REAL, {.real = 0.1}},
	                        {3, ARG_INTEGER_TEXT, {.integer = -7}},
	                        {4, ARG_BOOLEAN, {.integer = 1}},
	                        {5, ARG_BOOLEAN, {.integer = 0}},
	                        {6, ARG_NULL, {.integer = 0}},
	                        {7, ARG_REAL, {.real = 5.0}},
	                        {8, ARG_REAL, {.real = -0.0}},
	                        {9, ARG_JSON, {.text = {"[1,{}]", 6}}}};
	struct arg texts[] = {{1, ARG_TEXT, {.text = {text, sizeof text - 1}}},
	                      {0, ARG_TEXT, {.text = {"", 0}}}};
	struct arg twice[] = {{2, ARG_INTEGER, {.integer = 1}}, {2, ARG_INTEGER, {.integer = 5}}};

	check_json(NULL, 0, "{}");
	check_json(numbers, 10,
	           "{\"k0\":-9223372036854775808,\"k1\":18446744073709551615,\"k2\":0.1,\"k3\":\"-"
	           "7\",\"k4\":true,\"k5\":false,"
	           "\"k6\":null,\"k7\":5.0,\"k8\":-0.0,\"k\\\"\\t\":[1,{}]}");
	check_json(texts, 2,
	           "{\"k0\":\"\",\"k1\":\"a\\\"b\\\\c/\\u0008\\u000c\\n\\r\\t\\u0001\\u001f\x7f "
	           "\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd "
	           "\xf0\x9f\x98\x80\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"}");
	check_json(twice, 2, "{\"k2\":5}");
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("rows");
	TCase *tcase = tcase_create("rows");

	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, test_get, 0, 3);
	tcase_add_loop_test(tcase, test_cursor, 0, 2);
	tcase_add_test(tcase, test_seek);
	tcase_add_loop_test(tcase, test_arguments, 0, 2);
	tcase_add_test(tcase, test_json);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
