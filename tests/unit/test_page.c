/* Pages against sorting all matching rows: any order, any filter, any window, any number of
 * threads. */
#include "config.h"

#include <inttypes.h>

#include "unit/scan_fixture.h"

struct reference {
	const struct fixture *fixture;
	const struct fixture_row *row;
	struct row_value keys[3];
};

struct order {
	const char *text; /* as given to page_run */
	const char *columns[3];
	bool is_descending[3];
};

static const struct order span_orders[] = {
    {"", {"id"}, {false}},
    {"-id", {"id"}, {true}},
    {"-duration", {"duration"}, {true}},
    {"duration, -start", {"duration", "start"}, {false, true}},
    {"start", {"start"}, {false}},
    {"-start", {"start"}, {true}},
    {"-end,name", {"end", "name"}, {true, false}},
    {"size", {"size"}, {false}},
    {"-size,path,-id", {"size", "path", "id"}, {true, false, true}},
    {"name,-duration", {"name", "duration"}, {false, true}},
    {"-name", {"name"}, {true}},
    {"class,-path", {"class", "path"}, {false, true}},
    {"category,basename,-dirname", {"category", "basename", "dirname"}, {false, false, true}},
    {"-path", {"path"}, {true}},
    {"-self,depth", {"self", "depth"}, {true, false}},
    {"calls,-parent", {"calls", "parent"}, {false, true}},
    {"host,-process,thread", {"host", "process", "thread"}, {false, true, false}},
    {"-lane_name,kind", {"lane_name", "kind"}, {true, false}},
    {"lane", {"lane"}, {false}},
    {"arg.fd,-arg.offset", {"fd", "offset"}, {false, true}},
    {"-arg.mix", {"mix"}, {true}},
    {"arg.mix", {"mix"}, {false}},
    {"arg.\"odd key\"", {"odd key"}, {false}},
    {"-arg.\"odd key\",arg.mode", {"odd key", "mode"}, {true, false}},
    {"arg.nosuch,-duration", {"duration"}, {true}},
};
static const struct order counter_orders[] = {{"-value", {"value"}, {true}},
                                              {"name,value", {"name", "value"}, {false, false}}};

struct filter_case {
	const char *text, *column;
	int64_t above; /* column > above; column NULL: every row */
};
static const struct filter_case filters[] = {{NULL, NULL, 0},
                                             {"  ", NULL, 0},
                                             {"start >= 0", "start", -1},
                                             {"record_duration > 2500", "duration", 2500},
                                             {"record_size > 4095", "size", 4095},
                                             {"record_duration > 1999990", "duration", 1999990},
                                             {"start > 90us", "start", 90000},
                                             {"record_duration < -5", "duration", INT64_MAX}};

static long double
number_of(const struct row_value *value)
{
	return value->type == VALUE_IS_REAL       ? (long double)value->real
	       : value->type == VALUE_IS_UNSIGNED ? (long double)(uint64_t)value->integer
	                                          : (long double)value->integer;
}

static bool
is_none(const struct row_value *value)
{
	return value->type == VALUE_IS_NULL || (value->type == VALUE_IS_REAL && isnan(value->real));
}

static int
compare_values(const struct row_value *a, const struct row_value *b)
{
	bool a_text = a->type == VALUE_IS_TEXT, b_text = b->type == VALUE_IS_TEXT;

	if (a_text != b_text) {
		return a_text ? 1 : -1;
	}
	if (a_text) {
		size_t length = a->text.len < b->text.len ? a->text.len : b->text.len;
		int order = length ? memcmp(a->text.ptr, b->text.ptr, length) : 0;
		return order ? order : (a->text.len > b->text.len) - (a->text.len < b->text.len);
	}
	long double x = number_of(a), y = number_of(b);
	return (x > y) - (x < y);
}

static const struct order *sorted_by;

static int
compare_references(const void *left, const void *right)
{
	const struct reference *a = left, *b = right;

	for (int k = 0; k < 3 && sorted_by->columns[k]; k++) {
		if (is_none(&a->keys[k]) || is_none(&b->keys[k])) {
			if (is_none(&a->keys[k]) != is_none(&b->keys[k])) {
				return is_none(&a->keys[k]) ? 1 : -1;
			}
			continue;
		}
		int order = compare_values(&a->keys[k], &b->keys[k]);
		if (order) {
			return sorted_by->is_descending[k] ? -order : order;
		}
	}
	return (a->row->id > b->row->id) - (a->row->id < b->row->id);
}

static size_t
sort_all(const struct fixture *fixture, enum block_kind kind, const struct order *order,
         const struct filter_case *filter, struct reference *references)
{
	size_t n = 0;

	for (size_t i = 0; i < fixture->n_rows[kind]; i++) {
		const struct fixture_row *row = &fixture->rows[kind][i];
		if (filter->column) {
			struct row_value value = fixture_value(fixture, row, filter->column);
			if (value.type != VALUE_IS_INTEGER || value.integer <= filter->above) {
				continue;
			}
		}
		references[n] = (struct reference){.fixture = fixture, .row = row};
		for (int k = 0; k < 3 && order->columns[k]; k++) {
			references[n].keys[k] = fixture_value(fixture, row, order->columns[k]);
		}
		n++;
	}
	sorted_by = order;
	qsort(references, n, sizeof *references, compare_references);
	return n;
}

static void
check_page(const struct fixture *fixture, const struct page_request *request,
           const struct reference *want, size_t n_matching, bool wants_matching)
{
	struct err err = ERR_INIT;
	struct span_row *rows;
	int64_t matching = -1;
	int64_t n =
	    page_run(&fixture->dataset, request, &rows, wants_matching ? &matching : NULL, &err);
	size_t offset = (size_t)request->offset, limit = (size_t)request->limit;
	size_t n_want = offset >= n_matching          ? 0
	                : n_matching - offset < limit ? n_matching - offset
	                                              : limit;

	ck_assert_msg(n == (int64_t)n_want,
	              "order '%s' filter '%s' offset %zu limit %zu: %" PRId64 " rows, not %zu: %s",
	              request->order, request->filter, offset, limit, n, n_want, err.message);
	ck_assert(!wants_matching || matching == (int64_t)n_matching);
	for (size_t i = 0; i < n_want; i++) {
		const struct fixture_row *row = want[offset + i].row;
		if (rows[i].id != row->id || rows[i].duration_ns != row->duration ||
		    rows[i].start_ns != row->start) {
			ck_abort_msg(
			    "order '%s' filter '%s' offset %zu limit %zu: row %zu is %" PRId64
			    ", not %" PRId64,
			    request->order, request->filter, offset, limit, i, rows[i].id, row->id);
		}
	}
	free(rows);
}

static void
check_order(struct fixture *fixture, enum block_kind kind, const struct order *order,
            const struct filter_case *filter, struct reference *references)
{
	static const int64_t windows[][2] = {{0, 10},    {0, 0},      {5, 1},
	                                     {100, 300}, {0, 100000}, {100000, 5}};
	size_t n = sort_all(fixture, kind, order, filter, references);

	for (size_t i = 0; i < sizeof windows / sizeof *windows; i++) {
		struct page_request request = {.kind = kind,
		                               .filter = filter->text,
		                               .order = order->text,
		                               .offset = windows[i][0],
		                               .limit = windows[i][1]};
		fixture->dataset.n_threads = 1 + (unsigned)fixture_number(fixture, 4);
		check_page(fixture, &request, references, n, i % 2);
		check_page(fixture, &request, references, n, i % 2 == 0);
	}
}

START_TEST(test_pages)
{
	struct fixture *fixture = fixture_new(900 + (uint64_t)_i, 500, _i % 2 ? 4096 : 64, _i == 2);
	struct reference *references = xcalloc(fixture->n_rows[BLOCK_SPAN], sizeof *references);

	for (size_t o = 0; o < sizeof span_orders / sizeof *span_orders; o++) {
		const struct filter_case *filter =
		    &filters[(o + (size_t)_i * 3) % (sizeof filters / sizeof *filters)];
		check_order(fixture, BLOCK_SPAN, &span_orders[o], &filters[0], references);
		check_order(fixture, BLOCK_SPAN, &span_orders[o], filter, references);
	}
	for (size_t f = 0; f < sizeof filters / sizeof *filters; f++) {
		check_order(fixture, BLOCK_SPAN, &span_orders[f % 3], &filters[f], references);
	}
	for (size_t o = 0; o < sizeof counter_orders / sizeof *counter_orders; o++) {
		check_order(fixture, BLOCK_COUNTER, &counter_orders[o], &filters[o * 2],
		            references);
	}
	check_order(fixture, BLOCK_EVENT, &span_orders[5], &filters[0], references);
	free(references);
	fixture_free(fixture);
}
END_TEST

/* Keys of many different texts have them in their blocks and not in the dictionary. */
START_TEST(test_local_texts)
{
	static const struct order orders[] = {
	    {"arg.\"odd key\"", {"odd key"}, {false}},
	    {"-arg.\"odd key\",arg.mode", {"odd key", "mode"}, {true, false}},
	    {"arg.mode,-arg.\"odd key\"", {"mode", "odd key"}, {false, true}}};
	struct fixture *fixture = fixture_new(41, 24000, 4096, false);
	struct reference *references = xcalloc(fixture->n_rows[BLOCK_SPAN], sizeof *references);
	bool is_local = false;

	for (size_t i = 0; i < fixture->dataset.n_blocks[BLOCK_SPAN]; i++) {
		const struct block_info *block = &fixture->dataset.blocks[BLOCK_SPAN][i];
		for (size_t k = 0; k < block->n_columns; k++) {
			is_local |= block->columns[k].type == COLUMN_LOCAL_TEXT;
		}
	}
	ck_assert(is_local);
	for (size_t o = 0; o < sizeof orders / sizeof *orders; o++) {
		check_order(fixture, BLOCK_SPAN, &orders[o], &filters[o * 3], references);
	}
	free(references);
	fixture_free(fixture);
}
END_TEST

static void
refuse(const struct fixture *fixture, struct page_request request, enum err_code code)
{
	struct err err = ERR_INIT;
	struct span_row *rows;

	ck_assert_int_eq(page_run(&fixture->dataset, &request, &rows, NULL, &err), -1);
	ck_assert_int_eq(err.code, code);
	ck_assert(err.message[0] != '\0');
}

START_TEST(test_refused)
{
	struct fixture *fixture = fixture_new(4, 50, 64, false);
	struct cancel cancel;
	static const char *const orders[] = {"nonsense",
	                                     "duration desc",
	                                     "duration,",
	                                     ",",
	                                     "-",
	                                     "--duration",
	                                     "value",
	                                     "arg.",
	                                     "id,id,id,id,id,id,id,id,id"};

	for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
		refuse(fixture, (struct page_request){.order = orders[i], .limit = 1}, ERR_QUERY);
	}
	refuse(fixture, (struct page_request){.filter = "duration >", .limit = 1}, ERR_QUERY);
	refuse(fixture, (struct page_request){.offset = -1, .limit = 1}, ERR_LIMIT);
	refuse(fixture, (struct page_request){.limit = -1}, ERR_LIMIT);
	refuse(fixture, (struct page_request){.offset = 9999999, .limit = 2}, ERR_LIMIT);
	refuse(fixture, (struct page_request){.offset = INT64_MAX, .limit = INT64_MAX}, ERR_LIMIT);
	atomic_init(&cancel.requested, true);
	refuse(fixture, (struct page_request){.order = "-duration", .limit = 1, .cancel = &cancel},
	       ERR_CANCELLED);
	refuse(fixture, (struct page_request){.limit = 1, .cancel = &cancel}, ERR_CANCELLED);
	fixture_free(fixture);
}
END_TEST

static size_t
fetches_of(struct fixture *fixture, const char *order, const char *filter)
{
	struct counted_dataset counting;
	struct page_request request = {.order = order, .filter = filter, .limit = 5};
	struct err err = ERR_INIT;
	struct span_row *rows;

	counted_init(&counting, &fixture->dataset);
	counting.dataset.n_threads = 1;
	ck_assert_int_eq(page_run(&counting.dataset, &request, &rows, NULL, &err), 5);
	free(rows);
	return counting.n_fetches;
}

/* What a page costs: a few blocks where metadata tell the rest, not all. */
START_TEST(test_few_blocks)
{
	struct fixture *fixture = fixture_new(12, 3000, 64, false);
	size_t n_blocks = fixture->dataset.n_blocks[BLOCK_SPAN];

	ck_assert_uint_gt(n_blocks, 130);
	ck_assert_uint_lt(fetches_of(fixture, NULL, NULL), 20);
	ck_assert_uint_lt(fetches_of(fixture, NULL, "duration > 100"), 40);
	ck_assert_uint_lt(fetches_of(fixture, "-start", NULL), 100);
	ck_assert_uint_lt(fetches_of(fixture, "start", "duration > 100"), 100);
	ck_assert_uint_ge(fetches_of(fixture, "-self", NULL), n_blocks);
	fixture_free(fixture);
}
END_TEST

static int
take_block(void *user, struct block *block, const struct span_key *keys)
{
	(void)keys;
	*(struct block **)user = block;
	return 0;
}

#define PATHS 700
#define PATH_SPANS 9 /* on each */

/* A block of more different paths than one would list for each block, but fewer than it has rows:
 * no byte of it is read where a condition holds for none of them, and none of its paths where it
 * holds for all. */
START_TEST(test_many_paths)
{
	struct intern *texts = intern_new(), *keys = intern_new();
	struct block *block;
	struct block_receiver receiver = {&block, take_block};
	struct block_builder *builder =
	    block_builder_new(BLOCK_SPAN, 0, texts, BLOCK_ROWS, &receiver);
	struct lane lane = {.host = TEXT_NONE, .name = TEXT_NONE};
	const struct lane *lanes = &lane;
	struct span span = {
	    .duration_ns = 1, .size_bytes = SIZE_NONE, .calls = 1, .category = TEXT_NONE};
	struct page_request request = {.limit = 1};
	struct counted_dataset counting;
	struct span_row *rows;
	struct err err = ERR_INIT;
	int64_t matching;
	uint32_t n_lanes = 1;
	char path[16];

	span.name = intern_id(texts, slice_of("read"));
	for (int i = 0; i < PATHS * PATH_SPANS; i++) {
		snprintf(path, sizeof path, "/d/%d", i * 7919 % PATHS);
		span.path = intern_id(texts, slice_of(path));
		span.start_ns = 3 * i;
		block_builder_span(builder, &span);
	}
	block_builder_flush(builder);
	block_builder_free(builder);
	struct memory_dataset *memory =
	    memory_dataset_new(&block, 1, &texts, &keys, &lanes, &n_lanes, 1);
	counted_init(&counting, memory_dataset_get(memory));
	request.filter = "path GLOB '/e/*'";
	ck_assert_int_eq(page_run(&counting.dataset, &request, &rows, &matching, &err), 0);
	ck_assert_int_eq(matching, 0);
	ck_assert_uint_eq(counting.n_fetches, 0);
	free(rows);
	request.filter = "path GLOB '/d/69*'"; /* 69, 690 ... 699 */
	ck_assert_int_eq(page_run(&counting.dataset, &request, &rows, &matching, &err), 1);
	ck_assert_int_eq(matching, 11 * PATH_SPANS);
	free(rows);
	request.filter = "path GLOB '/d/*'";
	request.limit = 0;
	counting.n_fetches = 0;
	request.order = "-start";
	ck_assert_int_eq(page_run(&counting.dataset, &request, &rows, &matching, &err), 0);
	ck_assert_int_eq(matching, PATHS * PATH_SPANS);
	ck_assert_uint_eq(counting.n_fetches, 0);
	free(rows);
	memory_dataset_free(memory);
	intern_free(texts);
	intern_free(keys);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("page");
	TCase *tcase = tcase_create("page");

	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, test_pages, 0, 3);
	tcase_add_test(tcase, test_local_texts);
	tcase_add_test(tcase, test_refused);
	tcase_add_test(tcase, test_few_blocks);
	tcase_add_test(tcase, test_many_paths);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
