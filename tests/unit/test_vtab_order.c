/*
 * Sums in the order of a statement: what the table sorts itself is what SQLite makes of the same
 * rows, where a + before each column keeps the table from it.
 */
#include "config.h"

#include "tests/unit/vtab_check.h"

static const char *const span_columns[] = {
    "n",        "rows",     "summed",   "start_min", "finish_max",   "dur_sum",       "dur_min",
    "dur_max",  "dur_std",  "dur_p50",  "self_sum",  "size_n",       "size_sum",      "size_min",
    "size_max", "size_p90", "size_std", "dur_sumsq", "unfinished_n", "unfinished_sum"};
static const char *const counter_columns[] = {"n",         "value_sum", "value_min", "value_devsq",
                                              "value_p50", "start_min", "value_n"};
/* What is in `by`, then the columns of that. */
static const char *const groups[][3] = {{"name,process", "name", "process"},
                                        {"size,path", "size", "path"},
                                        {"thread,name", "thread", "name"},
                                        {"lane,arg.fd", "lane", "arg1"},
                                        {"size", "size", "size"}};
static const char *const counter_groups[][3] = {{"name,process", "name", "process"},
                                                {"lane", "lane", "lane"}};

/* Each with rows in every order that is random but for all that tells groups apart. */
static void
check_order(struct prng *prng, const char *table, const char *const group[3],
            const char *const *columns, size_t n_columns)
{
	struct strbuf ours = {0}, plain = {0};
	size_t n = 1 + prng_below(prng, 3);
	const char *filter = strcmp(table, "span_sums") == 0 ? PICK(prng, span_filters) : "";
	const char *shown = columns[prng_below(prng, n_columns)];

	for (size_t i = 0; i < n + 2; i++) {
		bool is_key = i >= n || prng_below(prng, 4) == 0;
		const char *column = i >= n   ? group[i - n + 1]
		                     : is_key ? group[1 + prng_below(prng, 2)]
		                              : columns[prng_below(prng, n_columns)];
		const char *way = prng_below(prng, 2) ? " DESC" : "";

		strbuf_printf(&ours, "%s%s%s", i ? ", " : "", column, way);
		strbuf_printf(&plain, "%s+%s%s", i ? ", " : "", column, way);
	}

	for (int i = 0; i < 2; i++) {
		char *sql[2];
		for (int k = 0; k < 2; k++) {
			sql[k] =
			    sqlite3_mprintf("SELECT rowid, %s, %s, hex(%s), n FROM %s('%s', %Q) "
			                    "ORDER BY %s LIMIT %s",
			                    group[1], group[2], shown, table, group[0], filter,
			                    k ? plain.data : ours.data, i ? "7" : "-1");
		}
		check_same(sql[0], sql[1]);
		sqlite3_free(sql[0]);
		sqlite3_free(sql[1]);
	}
	strbuf_free(&ours);
	strbuf_free(&plain);
}

START_TEST(orders_are_those_of_sqlite)
{
	struct prng prng = {77 + (uint64_t)_i};

	for (int round = 0; round < 120; round++) {
		check_order(&prng, "span_sums", PICK(&prng, groups), span_columns,
		            COUNT_OF(span_columns));
		check_order(&prng, "counter_sums", PICK(&prng, counter_groups), counter_columns,
		            COUNT_OF(counter_columns));
	}
}
END_TEST

START_TEST(what_else_asks_for_an_order)
{
	check_same("SELECT n, count(*), sum(size) FROM span_sums('size,name') GROUP BY n",
	           "SELECT +n, count(*), sum(size) FROM span_sums('size,name') GROUP BY +n");
	check_same("SELECT name, max(dur_sum) FROM span_sums('process,name') GROUP BY name",
	           "SELECT name, max(dur_sum) FROM span_sums('process,name') GROUP BY +name");
	check_same("SELECT DISTINCT path FROM span_sums('size,path')",
	           "SELECT DISTINCT path FROM (SELECT path FROM span_sums('path') LIMIT -1)");
	check_same("SELECT min(size), max(size), min(path), max(path) FROM span_sums('size,path')",
	           "SELECT min(size), max(size), min(path), max(path) FROM plain_span");
	check_same("SELECT min(size) FROM span_sums('size,path')",
	           "SELECT min(size) FROM plain_span");
	check_same("SELECT max(path) FROM span_sums('size,path')",
	           "SELECT max(path) FROM plain_span");
	check_same("SELECT by, n FROM span_sums WHERE by IN ('', 'kind') ORDER BY n",
	           "SELECT by, n FROM span_sums WHERE by IN ('', 'kind') ORDER BY +n");
	check_same("SELECT a.n, b.name FROM span_sums('size') a JOIN span_sums('name') b ORDER BY "
	           "a.n DESC, a.size, b.name",
	           "SELECT a.n, b.name FROM span_sums('size') a JOIN span_sums('name') b ORDER BY "
	           "+a.n DESC, +a.size, +b.name");
	check_same("SELECT (SELECT n FROM span_sums('name', 'depth = ?1', d.depth) ORDER BY n DESC "
	           "LIMIT 1) FROM (SELECT DISTINCT depth FROM plain_span ORDER BY 1) d",
	           "SELECT (SELECT n FROM span_sums('name', 'depth = ?1', d.depth) ORDER BY +n "
	           "DESC LIMIT 1) FROM (SELECT DISTINCT depth FROM plain_span ORDER BY 1) d");
}
END_TEST

START_TEST(what_can_not_be_read_can_not_be_sorted_by)
{
	check_error("SELECT n FROM span_sums('name') ORDER BY size", "size is not in by 'name'");
	check_error("SELECT n FROM span_sums('name') ORDER BY n, process DESC",
	            "process is not in by");
	check_text("SELECT n FROM span_sums('name', 'id < 0') ORDER BY size", "");
}
END_TEST

/* Is the statement sorted by SQLite? */
static bool
is_sorted_by_sqlite(const char *sql)
{
	char *explain = sqlite3_mprintf("EXPLAIN QUERY PLAN %s", sql);
	char *plan = fixture_query(&fixture, explain);
	bool is_sorted = strstr(plan, "TEMP B-TREE") != NULL;

	free(plan);
	sqlite3_free(explain);
	return is_sorted;
}

START_TEST(sqlite_sorts_what_we_can_not)
{
	ck_assert(!is_sorted_by_sqlite("SELECT size FROM span_sums('size') ORDER BY n DESC, size"));
	ck_assert(!is_sorted_by_sqlite("SELECT n FROM span_sums('name') ORDER BY dur_p50, name"));
	ck_assert(is_sorted_by_sqlite("SELECT n FROM span_sums('name') ORDER BY dur_sumsq"));
	ck_assert(is_sorted_by_sqlite("SELECT n FROM span_sums('name') ORDER BY n + 1"));
	ck_assert(
	    is_sorted_by_sqlite("SELECT n FROM span_sums('name') ORDER BY name COLLATE NOCASE"));
	ck_assert(is_sorted_by_sqlite("SELECT n FROM span_sums('name') ORDER BY p1"));
}
END_TEST

static Suite *
order_suite(void)
{
	Suite *suite = suite_create("vtab_order");
	TCase *tc = tcase_create("vtab_order");
	tcase_set_timeout(tc, 60);
	tcase_add_unchecked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, orders_are_those_of_sqlite, 0, 3);
	tcase_add_test(tc, what_else_asks_for_an_order);
	tcase_add_test(tc, what_can_not_be_read_can_not_be_sorted_by);
	tcase_add_test(tc, sqlite_sorts_what_we_can_not);
	suite_add_tcase(suite, tc);
	return suite;
}

int
main(void)
{
	return unit_run(order_suite());
}
