/* Pairs of two sets of spans against plain loops over the rows, by keys that are texts, numbers,
 * often absent, or an argument. */
#include "config.h"

#include <inttypes.h>

#include "column/ops/pairs.h"
#include "unit/scan_fixture.h"

struct side {
	const char *filter;
	bool (*accepts)(const struct fixture_row *row);
};

static bool
is_read(const struct fixture_row *row)
{
	return strcmp(row->name, "read") == 0;
}

static bool
is_long(const struct fixture_row *row)
{
	return row->duration > 1000;
}

static bool
is_any(const struct fixture_row *row)
{
	(void)row;
	return true;
}

static bool
is_nothing(const struct fixture_row *row)
{
	return row->id < 0;
}

static const struct side sides[] = {{"name = 'read'", is_read},
                                    {"record_duration > 1000", is_long},
                                    {"", is_any},
                                    {"id < 0", is_nothing}};
#define SIDES (sizeof(sides) / sizeof(sides[0]))

static bool
same_name(const struct fixture_row *a, const struct fixture_row *b)
{
	return strcmp(a->name, b->name) == 0;
}

/* The size of many calls is that of none. */
static bool
same_size(const struct fixture_row *a, const struct fixture_row *b)
{
	return a->size != SIZE_NONE && a->size == b->size && a->calls == 1 && b->calls == 1;
}

static bool
same_path(const struct fixture_row *a, const struct fixture_row *b)
{
	return a->path && b->path && strcmp(a->path, b->path) == 0;
}

static const struct {
	const char *key;
	bool (*same)(const struct fixture_row *a, const struct fixture_row *b);
} keys[] = {{"name", same_name}, {"size", same_size}, {"path", same_path}};
#define KEYS (sizeof(keys) / sizeof(keys[0]))

static int64_t
end_of(const struct fixture_row *row)
{
	return row->start + row->duration;
}

static void
check_pair(const struct fixture *fixture, const struct pair *pair, const struct side *spans,
           const struct side *partners, size_t key)
{
	const struct fixture_row *rows = fixture->rows[BLOCK_SPAN], *row = &rows[pair->id - 1];
	int64_t start = 0, end = 0;
	uint32_t n = 0;

	ck_assert(spans->accepts(row));
	ck_assert_int_eq(pair->start_ns, row->start);
	ck_assert_int_eq(pair->duration_ns, row->duration);
	ck_assert_uint_eq(pair->lane, row->lane);
	ck_assert(slice_is(fixture->dataset.texts[pair->name], row->name));
	for (size_t i = 0; i < fixture->n_rows[BLOCK_SPAN]; i++) {
		if (partners->accepts(&rows[i]) && keys[key].same(row, &rows[i])) {
			start = n == 0 || rows[i].start < start ? rows[i].start : start;
			end = n == 0 || end_of(&rows[i]) > end ? end_of(&rows[i]) : end;
			n++;
		}
	}
	ck_assert_msg(pair->n_partners == n, "%s of span %" PRId64 ": %u partners, not %u",
	              keys[key].key, pair->id, pair->n_partners, n);
	if (n > 0) {
		ck_assert_int_eq(pair->partner_start_ns, start);
		ck_assert_int_eq(pair->partner_end_ns, end);
	}
}

static void
check_order(const struct pair *pairs, int64_t n)
{
	int64_t until = INT64_MIN;

	for (int64_t i = 0; i < n; i++) {
		bool is_first = i == 0 || pairs[i].lane != pairs[i - 1].lane;
		int64_t end = pairs[i].start_ns + pairs[i].duration_ns;
		until = is_first ? INT64_MIN : until;
		ck_assert_int_eq(pairs[i].before_ns, until);
		ck_assert(is_first ? i == 0 || pairs[i].lane > pairs[i - 1].lane
		                   : pairs[i].start_ns >= pairs[i - 1].start_ns);
		until = end > until ? end : until;
	}
}

START_TEST(pairs_are_those_of_plain_loops)
{
	struct fixture *fixture = fixture_new(7 + (uint64_t)_i, 400, _i ? 900 : 60, _i == 2);
	struct err err = ERR_INIT;

	for (size_t i = 0; i < SIDES * SIDES * KEYS; i++) {
		const struct side *spans = &sides[i % SIDES], *partners = &sides[i / SIDES % SIDES];
		size_t key = i / SIDES / SIDES;
		struct pairs_request request = {
		    .key = keys[key].key, .spans = spans->filter, .partners = partners->filter};
		struct pair *pairs = NULL;
		int64_t wanted = 0, n = pairs_run(&fixture->dataset, &request, &pairs, &err);
		for (size_t k = 0; k < fixture->n_rows[BLOCK_SPAN]; k++) {
			wanted += spans->accepts(&fixture->rows[BLOCK_SPAN][k]);
		}
		ck_assert_int_eq(n, wanted);
		check_order(pairs, n);
		for (int64_t k = 0; k < n; k += 1 + n / 50) {
			check_pair(fixture, &pairs[k], spans, partners, key);
		}
		free(pairs);
	}
	fixture_free(fixture);
}
END_TEST

/* Whatever the threads, the order is the same. */
START_TEST(threads_make_no_difference)
{
	struct fixture *fixture = fixture_new(3, 3000, 200, false);
	struct pairs_request request = {.key = "arg.k0", .spans = "", .partners = "depth > 0"};
	struct err err = ERR_INIT;
	struct pair *one = NULL, *many = NULL;

	fixture->dataset.n_threads = 1;
	int64_t n = pairs_run(&fixture->dataset, &request, &one, &err);
	ck_assert_int_eq(n, (int64_t)fixture->n_rows[BLOCK_SPAN]);
	fixture->dataset.n_threads = 5;
	ck_assert_int_eq(pairs_run(&fixture->dataset, &request, &many, &err), n);
	for (int64_t i = 0; i < n; i++) {
		ck_assert_int_eq(one[i].id, many[i].id);
		ck_assert_uint_eq(one[i].n_partners, many[i].n_partners);
	}
	free(one);
	free(many);
	fixture_free(fixture);
}
END_TEST

START_TEST(what_is_wrong_is_said)
{
	static const struct {
		struct pairs_request request;
		const char *message;
	} wrong[] = {{{.key = "nme"}, "nme"},
	             {{.key = ""}, "key: one dimension"},
	             {{.key = NULL}, "key: one dimension"},
	             {{.key = "name,size"}, "key: one dimension"},
	             {{.key = "time(1ms)"}, "key: one dimension"},
	             {{.key = "name", .spans = "nme = 1"}, "spans: "},
	             {{.key = "name", .partners = "nme = 1"}, "partners: "}};
	struct fixture *fixture = fixture_new(1, 50, 20, false);
	struct cancel cancel;
	struct pair *pairs = NULL;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct err err = ERR_INIT;
		ck_assert_int_eq(pairs_run(&fixture->dataset, &wrong[i].request, &pairs, &err), -1);
		ck_assert_int_eq(err.code, ERR_QUERY);
		ck_assert_msg(strstr(err.message, wrong[i].message), "%s", err.message);
	}
	struct err err = ERR_INIT;
	struct pairs_request request = {.key = "name", .cancel = &cancel};
	atomic_init(&cancel.requested, true);
	ck_assert_int_eq(pairs_run(&fixture->dataset, &request, &pairs, &err), -1);
	ck_assert_int_eq(err.code, ERR_CANCELLED);
	fixture_free(fixture);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("pairs");
	TCase *tcase = tcase_create("pairs");

	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, pairs_are_those_of_plain_loops, 0, 3);
	tcase_add_test(tcase, threads_make_no_difference);
	tcase_add_test(tcase, what_is_wrong_is_said);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
