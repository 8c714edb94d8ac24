/* Lists of spans a page at a time, against one sort of all of them; places, searches; arguments. */
#include "config.h"

#include "unit/scan_fixture.h"

#include <strings.h>

#include "query/spans/span_arguments.h"
#include "query/spans/span_list.h"
#include "util/intervals.h"
#include "util/order.h"

/* Columns whose values rows do not carry along. */
static const char *const others[] = {"host", "process", "depth",          "basename",
                                     "end",  "arg.fd",  "arg.\"no such\""};
static const char *const filters[] = {NULL,           "duration > 2500",
                                      "size > 4095",  "name IN ('read', 'it''s', 'a%b_c')",
                                      "path IS NULL", "duration < -5"};
#define N_FILTERS (sizeof(filters) / sizeof(filters[0]))

/* All rows of a list in its order, from a single page. */
static struct span_row *
sort_all(const struct dataset *dataset, const struct span_list *list, int64_t *n)
{
	struct page_request request = {
	    .kind = BLOCK_SPAN, .filter = list->filter, .limit = dataset->n_rows[BLOCK_SPAN]};
	struct err err = ERR_INIT;
	struct span_row *rows = NULL;
	char order[32];

	snprintf(order, sizeof(order), "%s%s", list->is_descending ? "-" : "",
	         list->column ? list->column : span_list_key_name(list->key));
	request.order = order;
	*n = page_run(dataset, &request, &rows, NULL, &err);
	ck_assert_msg(*n >= 0, "%s", err.message);
	return rows;
}

static struct span_figures
figures_of(const struct span_list *list)
{
	struct span_figures figures;
	struct err err = ERR_INIT;

	ck_assert_msg(span_list_figures(list, &figures, &err) == 0, "%s", err.message);
	return figures;
}

static void
check_figures(const struct span_figures *figures, const struct span_row *rows, int64_t n)
{
	int64_t n_sized = 0, self_ns = 0;

	for (int64_t i = 0; i < n; i++) {
		n_sized += rows[i].size_bytes != SIZE_NONE ? rows[i].calls : 0;
		self_ns =
		    time_add(self_ns, rows[i].calls > 1 ? rows[i].call_sum_ns : rows[i].self_ns);
	}
	ck_assert_int_eq(figures->n, n);
	ck_assert_int_eq(figures->n_sized, n_sized);
	ck_assert_int_eq(figures->self_ns, self_ns);
}

/* Pages here and there, each known from the one before. */
static void
check_pages(struct fixture *fixture, const struct span_list *list,
            const struct span_figures *figures, const struct span_row *rows, int64_t n)
{
	struct span_known known = {0};
	struct err err = ERR_INIT;

	for (int round = 0; round < 8; round++) {
		int64_t first = n > 0 ? fixture_number(fixture, n) : 0, want = 1 + round * 5;
		int64_t expected = want < n - first ? want : n - first;
		struct span_page *page;

		if (round % 2 == 1 && known.n > 0) { /* beside the last one */
			first = known.places[round % 4 == 1] + (round % 4 == 1 ? 1 : -want);
			first = first < 0 ? 0 : first > n ? n : first;
			expected = want < n - first ? want : n - first;
		}
		page = span_page_read(list, figures, &known, first, want, &err);
		ck_assert_msg(page != NULL, "%s", err.message);
		FIXTURE_CHECK(page->first == first && page->n == expected,
		              "key %d: %lld rows from %lld, not %lld", list->key,
		              (long long)page->n, (long long)first, (long long)expected);
		for (int64_t i = 0; i < page->n; i++) {
			FIXTURE_CHECK(page->rows[i].id == rows[first + i].id,
			              "key %d%s filter %s far %lld: row %lld is %lld, not %lld",
			              list->key, list->is_descending ? " desc" : "",
			              list->filter ? list->filter : "-", (long long)list->far_rows,
			              (long long)(first + i), (long long)page->rows[i].id,
			              (long long)rows[first + i].id);
		}
		known = span_page_known(page);
		span_page_free(page);
	}
}

static void
check_places(const struct span_list *list, const struct span_figures *figures,
             const struct span_row *rows, int64_t n)
{
	struct err err = ERR_INIT;

	if (list->key == SPAN_KEY_DURATION && n > 0) {
		int64_t value = rows[n / 2].duration_ns, first = 0;

		while (list->is_descending ? rows[first].duration_ns > value
		                           : rows[first].duration_ns < value) {
			first++;
		}
		ck_assert_int_eq(span_list_seek(list, figures, value, &err), first);
	}
}

START_TEST(pages_are_parts_of_the_whole)
{
	struct fixture *fixture = fixture_new((uint64_t)_i + 1, 400, 64, _i == 1);

	for (int key = 0; key < SPAN_KEYS + (int)COUNT_OF(others); key++) {
		for (size_t f = 0; f < N_FILTERS; f++) {
			struct span_list list = {
			    .filter = filters[f],
			    .key = (enum span_list_key)LEAST(key, SPAN_KEYS),
			    .column = key < SPAN_KEYS ? NULL : others[key - SPAN_KEYS],
			    .is_descending = (key + (int)f + _i) % 2 == 0,
			    .far_rows = (int)f % 3,
			    .dataset = &fixture->dataset};
			struct span_figures figures = figures_of(&list);
			int64_t n;
			struct span_row *rows = sort_all(&fixture->dataset, &list, &n);

			check_figures(&figures, rows, n);
			check_pages(fixture, &list, &figures, rows, n);
			check_places(&list, &figures, rows, n);
			free(rows);
		}
	}
	fixture_free(fixture);
}
END_TEST

static struct slice
text_of(const struct dataset *dataset, uint32_t code)
{
	return code < dataset->n_texts ? dataset->texts[code] : (struct slice){"", 0};
}

static bool
holds(struct slice text, const char *part)
{
	size_t n = strlen(part);

	for (size_t i = 0; i + n <= text.len; i++) {
		if (strncasecmp(text.ptr + i, part, n) == 0) {
			return true;
		}
	}
	return false;
}

static bool
row_holds(const struct dataset *dataset, const struct span_row *row, const char *part)
{
	return holds(text_of(dataset, row->name), part) ||
	       holds(text_of(dataset, row->category), part) ||
	       holds(text_of(dataset, row->path), part) ||
	       holds(text_of(dataset, dataset->lanes[row->lane].name), part);
}

/* Where a search from a row must end, by looking at one row after the other. */
static int64_t
find_slowly(const struct dataset *dataset, const struct span_row *rows, int64_t n, int64_t from,
            enum span_find where, const char *part)
{
	for (int64_t i = where == SPAN_FIND_HERE ? 0 : 1; i <= n; i++) {
		int64_t row = (from + (where == SPAN_FIND_PREVIOUS ? n - i % n : i)) % n;

		if (row_holds(dataset, &rows[row], part)) {
			return row;
		}
	}
	return -2;
}

START_TEST(searches_go_around_the_end)
{
	static const char *const parts[] = {"READ",    "it's",         "%", "_", "\\",
	                                    "lustre2", "no such thing"};
	struct fixture *fixture = fixture_new(7, 300, 64, false);
	struct err err = ERR_INIT;

	for (int key = 0; key < SPAN_KEYS; key++) {
		struct span_list list = {.filter = key % 2 ? "duration > 2500" : NULL,
		                         .key = (enum span_list_key)key,
		                         .is_descending = key % 3 == 0,
		                         .dataset = &fixture->dataset};
		struct span_figures figures = figures_of(&list);
		int64_t n;
		struct span_row *rows = sort_all(&fixture->dataset, &list, &n);

		for (size_t i = 0; i < 3 * sizeof(parts) / sizeof(parts[0]); i++) {
			const char *part = parts[i / 3];
			enum span_find where = (enum span_find)(i % 3);
			int64_t from = fixture_number(fixture, n);
			int64_t expected =
			    find_slowly(&fixture->dataset, rows, n, from, where, part);
			int64_t found = span_list_find(&list, &figures, &rows[from], where,
			                               slice_of(part), &err);

			FIXTURE_CHECK(
			    found == expected, "%s from %lld, way %d, key %d: %lld, not %lld", part,
			    (long long)from, where, key, (long long)found, (long long)expected);
		}
		free(rows);
	}
	fixture_free(fixture);
}
END_TEST

START_TEST(wrong_filters_and_stopped_scans_are_errors)
{
	struct fixture *fixture = fixture_new(3, 300, 64, false);
	struct span_list list = {.filter = "nonsense >", .dataset = &fixture->dataset};
	struct cancel cancel = {true};
	struct span_figures figures;
	struct err err = ERR_INIT;

	ck_assert_int_eq(span_list_figures(&list, &figures, &err), -1);
	ck_assert_int_eq(err.code, ERR_QUERY);
	list.filter = NULL;
	figures = figures_of(&list);
	list.key = SPAN_KEY_PATH;
	ck_assert_int_eq(span_list_seek(&list, &figures, 5, &err), -1);
	list.key = SPAN_KEY_OTHER;
	list.column = "host";
	ck_assert_int_eq(span_list_seek(&list, &figures, 5, &err), -1);
	ck_assert_int_eq(span_list_find(&list, &figures, &(struct span_row){.id = 1},
	                                SPAN_FIND_NEXT, slice_of("a"), &err),
	                 -1);
	ck_assert_int_eq(err.code, ERR_USAGE);
	list.key = SPAN_KEY_SELF;
	list.column = NULL;
	list.cancel = &cancel;
	ck_assert_ptr_null(span_page_read(&list, &figures, &(struct span_known){0}, 10, 10, &err));
	ck_assert_int_eq(err.code, ERR_CANCELLED);
	fixture_free(fixture);
}
END_TEST

/* Of a damaged run; who is given fewer rows than there are would ask for them again and again. */
START_TEST(pages_that_lack_rows_are_errors)
{
	struct fixture *fixture = fixture_new(5, 300, 64, false);
	struct span_list list = {.dataset = &fixture->dataset};
	struct span_figures figures = figures_of(&list);
	struct span_known none = {0};
	struct err err = ERR_INIT;

	figures.n += 1000;
	figures.n_valued += 1000;
	for (int key = 0; key < SPAN_KEYS; key++) {
		list.key = (enum span_list_key)key;
		ck_assert_ptr_null(span_page_read(&list, &figures, &none, figures.n / 2, 20, &err));
		ck_assert_int_eq(err.code, ERR_FORMAT);
	}
	fixture_free(fixture);
}
END_TEST

START_TEST(orders_are_one_column)
{
	static const struct {
		const char *name, *column; /* column NULL: refused; "": one of the enum */
	} cases[] = {{"START", ""},
	             {"lane_name", ""},
	             {"host", "host"},
	             {"arg.fd", "arg.fd"},
	             {"arg.\"a b\"", "arg.\"a b\""},
	             {"", NULL},
	             {"nonsense", NULL},
	             {"host, id", NULL},
	             {"host desc", NULL}};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct err err = ERR_INIT;
		enum span_list_key key;
		char *column = NULL;
		int rc = span_list_key_read(slice_of(cases[i].name), &key, &column, &err);

		ck_assert_msg((rc == 0) == (cases[i].column != NULL), "%s", cases[i].name);
		if (rc == 0) {
			ck_assert_str_eq(column ? column : "", cases[i].column);
			ck_assert_int_eq(key == SPAN_KEY_OTHER, column != NULL);
		}
		free(column);
	}
}
END_TEST

START_TEST(names_become_conditions_that_hold_for_them_alone)
{
	struct strbuf filter = {0};

	span_filter_add(&filter, "name", slice_of("it's' OR 1"));
	ck_assert_str_eq(filter.data, "name = 'it''s'' OR 1'");
	strbuf_free(&filter);
}
END_TEST

/* "key=value;" of each. */
static const char *
arguments(const char *json, char out[256])
{
	struct slice rest = slice_of(json);
	struct strbuf key = {0}, value = {0};
	size_t n = 0;

	out[0] = '\0';
	while (span_arguments_next(&rest, &key, &value) && n < 200) {
		n += (size_t)snprintf(out + n, 256 - n, "%s=%s;", key.data, value.data);
	}
	strbuf_free(&key);
	strbuf_free(&value);
	return out;
}

START_TEST(arguments_are_read_one_by_one)
{
	char out[256];

	ck_assert_str_eq(arguments("{}", out), "");
	ck_assert_str_eq(arguments("{\"fd\":3,\"path\":\"a b\"}", out), "fd=3;path=a b;");
	ck_assert_str_eq(arguments("{\"a\":[1,{\"b\":\"},\"}],\"c\":null}", out),
	                 "a=[1,{\"b\":\"},\"}];c=null;");
	ck_assert_str_eq(arguments("{\"q\\\"\":\"x\\n\\u00e9\\ud83d\\ude00\"}", out),
	                 "q\"=x\n\xc3\xa9\xf0\x9f\x98\x80;");
	ck_assert_str_eq(arguments("{ \"a\" : -1.5e3 , \"b\" : true }", out), "a=-1.5e3 ;b=true ;");
}
END_TEST

START_TEST(what_is_no_json_ends_the_arguments)
{
	static const char *const texts[] = {
	    "",         "{",         "{\"a",        "{\"a\"",
	    "{\"a\":",  "{\"a\":\"", "{\"a\":\"\\", "{\"a\":\"\\u12",
	    "nonsense", "[1,2]",     "{\"a\":}",    "{:,{{"};
	char out[256];

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		char *copy = xstrdup(texts[i]); /* exactly as long, for the sanitizer */

		ck_assert_str_eq(arguments(copy, out), "");
		free(copy);
	}
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("spans");
	TCase *tests = tcase_create("spans");

	tcase_set_timeout(tests, 60);
	tcase_add_loop_test(tests, pages_are_parts_of_the_whole, 0, 2);
	tcase_add_test(tests, searches_go_around_the_end);
	tcase_add_test(tests, wrong_filters_and_stopped_scans_are_errors);
	tcase_add_test(tests, pages_that_lack_rows_are_errors);
	tcase_add_test(tests, orders_are_one_column);
	tcase_add_test(tests, names_become_conditions_that_hold_for_them_alone);
	tcase_add_test(tests, arguments_are_read_one_by_one);
	tcase_add_test(tests, what_is_no_json_ends_the_arguments);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
