/*
 * What goes wrong below the virtual tables: a run that is not there, a column that can't be read,
 * a cancel in the middle. Each is an error that names the table, never a figure of a part of the
 * rows; and the same statement answers again afterwards.
 */
#include "config.h"

#include "tests/unit/vtab_check.h"

/* A source of which the nth fetch fails, or cancels what goes on. */
struct faults {
	struct dataset dataset;
	const struct dataset *whole;
	struct cancel cancel;
	int n_fetches, fail_at, cancel_at; /* 0: never */
	bool is_missing;
};

static struct faults faults;

static int
fetch(void *user, int64_t blob_id, void *buffer, size_t bytes, struct err *err)
{
	(void)user;
	if (++faults.n_fetches == faults.fail_at) {
		return err_set(err, ERR_FORMAT, "lost");
	}
	if (faults.n_fetches == faults.cancel_at) {
		cancel_request(&faults.cancel);
	}
	return faults.whole->fetch(faults.whole->user, blob_id, buffer, bytes, err);
}

static const struct dataset *
get_dataset(void *user, struct err *err)
{
	(void)user;
	if (faults.is_missing) {
		err_set(err, ERR_FORMAT, "no run");
		return NULL;
	}
	return &faults.dataset;
}

static const struct cancel *
get_cancel(void *user)
{
	(void)user;
	return &faults.cancel;
}

/* A connection of its own to the fixture's run. */
static void
open_faulty(struct fixture *faulty)
{
	struct vtab_source source = {.dataset = get_dataset, .cancel = get_cancel};
	struct err err = ERR_INIT;
	memset(&faults, 0, sizeof faults);
	memset(faulty, 0, sizeof *faulty);
	faults.whole = memory_dataset_get(fixture.memory);
	faults.dataset = *faults.whole;
	faults.dataset.fetch = fetch;
	ck_assert_int_eq(sqlite3_open(":memory:", &faulty->db), SQLITE_OK);
	ck_assert_int_eq(functions_register(faulty->db, &err), 0);
	ck_assert_int_eq(vtab_register(faulty->db, &source, &err), 0);
}

static const struct {
	const char *table, *sql;
} queries[] = {
    {"span", "SELECT id, name, duration, self, path, size, calls FROM span"},
    {"span", "SELECT id, args FROM span WHERE id % 40 = 0"},
    {"event", "SELECT id, args, category FROM event WHERE name = 'read'"},
    {"counter", "SELECT id, value FROM counter WHERE time > 20000"},
    {"span_sums", "SELECT name, n, dur_sum FROM span_sums('name')"},
    {"span_sums", "SELECT name, category, dur_p50, self_p99, size_p25, dur_std FROM "
                  "span_sums('name,category', 'duration > 50')"},
    {"span_sums", "SELECT start, lane, n FROM span_sums('start(5000),lane')"},
    {"span_sums", "SELECT arg1, basename, n, unfinished_n FROM span_sums('arg.fd,basename')"},
    {"span_sums", "SELECT pattern, n FROM span_sums('pattern(''[0-9]'', ''#'')')"},
    {"span_sums", "SELECT calls, size, depth, n FROM span_sums('calls,size,depth')"},
    {"span_sums", "SELECT n, start_min, finish_max, dur_p90 FROM span_sums('', 'arg.fd > 1')"},
    {"event_sums", "SELECT category, n FROM event_sums('category', 'lane <> 1')"},
    {"counter_sums", "SELECT name, value_p50, value_std FROM counter_sums('name')"},
    {"span_page", "SELECT id, name, lane FROM span_page('', '-duration,name', 5, 20)"},
    {"span_page", "SELECT id, path, size FROM span_page('depth < 3', 'path,-self', 0, 9)"},
    {"span_page", "SELECT id, matching, args FROM span_page('name = ''read''', '', 300, 5)"},
    {"event_page", "SELECT id, time FROM event_page('', 'name,-start', 3, 9)"},
    {"counter_page", "SELECT id, value FROM counter_page('', '-value', 0, 9)"},
    {"span_busy", "SELECT busy, threads, processes, level FROM span_busy('')"},
    {"span_busy", "SELECT name, host, busy, hidden FROM span_busy('name,host', 'depth > 0', "
                  "'depth = 0')"},
    {"span_busy", "SELECT start, busy FROM span_busy('start(20000)')"},
    {"span_overlap", "SELECT * FROM span_overlap(30000, 'name = ''read''', 'depth = 1')"},
    {"span_interference",
     "SELECT level, n, beside_ns, low FROM span_interference('name = ''read''', '', 'run', 9)"},
    {"span_pair_sums", "SELECT lane, cause, delay_p50 FROM span_pair_sums('lane,cause', 9, "
                       "'name', 'depth = 3', 'depth = 0')"},
    {"span_pairs",
     "SELECT id, n, partner_finish FROM span_pairs('name', 'depth = 3', 'depth = 0')"},
    {"span_gaps", "SELECT lane, start, duration, before_name, after FROM span_gaps('', 10, 8)"},
    {"span_gaps_within",
     "SELECT lane, start, duration, before_name, after FROM span_gaps_within('host', "
     "'depth = 3', 10, 8)"},
    {"span_idle", "SELECT * FROM span_idle('depth = 0', 0)"},
};

/* The points at which something happens: all of the first ones, then ever fewer. */
static int
next_point(int point)
{
	return point + 1 + point / 12;
}

START_TEST(test_lost_columns)
{
	struct fixture faulty;
	char prefix[64];

	open_faulty(&faulty);
	snprintf(prefix, sizeof prefix, "error 11: %s: ", queries[_i].table);
	char *right = fixture_query(&fixture, queries[_i].sql);
	char *got = fixture_query(&faulty, queries[_i].sql);
	ck_assert_msg(strncmp(right, "error", 5) != 0 && *right, "%s: %s", queries[_i].sql, right);
	ck_assert_str_eq(got, right);
	free(got);
	int n = faults.n_fetches;
	ck_assert_int_gt(n, 0);
	for (int point = 1; point <= n; point = next_point(point)) {
		faults.fail_at = point;
		faults.n_fetches = 0;
		got = fixture_query(&faulty, queries[_i].sql);
		bool is_told =
		    strncmp(got, prefix, strlen(prefix)) == 0 || strcmp(got, "error 11: lost") == 0;
		if (faults.n_fetches >= point) { /* it may have known enough before */
			ck_assert_msg(is_told && strstr(got, "lost"), "%s: at %d of %d: %.200s",
			              queries[_i].sql, point, n, got);
		}
		free(got);
	}
	faults.fail_at = 0;
	got = fixture_query(&faulty, queries[_i].sql);
	ck_assert_str_eq(got, right);
	free(got);
	free(right);
	sqlite3_close(faulty.db);
}
END_TEST

/* Either all that was asked for, since it was nearly done, or that it was interrupted. */
START_TEST(test_cancelled)
{
	struct fixture faulty;
	int n_interrupted = 0;

	open_faulty(&faulty);
	char *right = fixture_query(&faulty, queries[_i].sql);
	int n = faults.n_fetches;
	for (int point = 1; point <= n; point = next_point(point)) {
		faults.cancel_at = point;
		faults.n_fetches = 0;
		char *got = fixture_query(&faulty, queries[_i].sql);
		bool is_interrupted = strncmp(got, "error 9: ", 9) == 0;
		ck_assert_msg(is_interrupted || strcmp(got, right) == 0, "%s: at %d of %d: %.200s",
		              queries[_i].sql, point, n, got);
		n_interrupted += is_interrupted;
		free(got);
		atomic_store(&faults.cancel.requested, false);
	}
	bool is_scan = strchr(queries[_i].table, '_') != NULL; /* rows come one by one */
	ck_assert_msg(n_interrupted > 0 || !is_scan, "%s", queries[_i].sql);
	free(right);
	sqlite3_close(faulty.db);
}
END_TEST

START_TEST(test_no_run)
{
	struct fixture faulty;
	char *expected = sqlite3_mprintf("error 11: %s: no run", queries[_i].table);

	open_faulty(&faulty);
	faults.is_missing = true;
	for (int round = 0; round < 2; round++) {
		char *got = fixture_query(&faulty, queries[_i].sql);
		ck_assert_str_eq(got, expected);
		free(got);
	}
	faults.is_missing = false;
	char *got = fixture_query(&faulty, queries[_i].sql);
	ck_assert_msg(strncmp(got, "error", 5) != 0, "%s", got);
	free(got);
	sqlite3_free(expected);
	sqlite3_close(faulty.db);
}
END_TEST

static int
fetches_of(struct fixture *faulty, const char *sql)
{
	faults.n_fetches = 0;
	free(fixture_query(faulty, sql));
	return faults.n_fetches;
}

/* How many rows match is found only where it is read. */
START_TEST(test_unread_matching)
{
	struct fixture faulty;

	open_faulty(&faulty);
	int read =
	    fetches_of(&faulty, "SELECT id, matching FROM span_page('self > 9', '-id', 0, 5)");
	int unread = fetches_of(&faulty, "SELECT id FROM span_page('self > 9', '-id', 0, 5)");
	ck_assert_int_lt(unread * 3, read);
	sqlite3_close(faulty.db);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("vtab_faults");
	TCase *tc = tcase_create("faults");
	tcase_set_timeout(tc, 60);
	tcase_add_unchecked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, test_lost_columns, 0, (int)COUNT_OF(queries));
	tcase_add_loop_test(tc, test_cancelled, 0, (int)COUNT_OF(queries));
	tcase_add_loop_test(tc, test_no_run, 0, (int)COUNT_OF(queries));
	tcase_add_test(tc, test_unread_matching);
	suite_add_tcase(suite, tc);
	return unit_run(suite);
}
