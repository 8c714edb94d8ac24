/* Sums that the totals of a run file answer: the same as scanned, and scanned where they do not
 * tell or do not hold. */
#include "config.h"

#include <inttypes.h>

#include "unit/scan_fixture.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct fixture *few, *many;

static void
setup(void)
{
	fixture_has_many = false;
	few = fixture_new(11, 700, 256, false);
	many = fixture_new(13, 4000, 1000, false);
}

static void
teardown(void)
{
	fixture_free(few);
	fixture_free(many);
}

struct kept_totals {
	struct dataset_total *totals;
	size_t n;
	unsigned n_asked;
};

static int
give_totals(void *user, bool if_few, const struct dataset_total **totals, size_t *n,
            struct err *err)
{
	struct kept_totals *kept = user;
	(void)if_few;
	(void)err;
	kept->n_asked++;
	*totals = kept->totals;
	*n = kept->n;
	return 0;
}

static uint32_t
code_of(const struct dataset *dataset, struct scan_value value)
{
	for (uint32_t code = 0; value.type == SCAN_TEXT && code < dataset->n_texts; code++) {
		if (slice_equal(dataset->texts[code], value.text)) {
			return code;
		}
	}
	return TEXT_NONE;
}

/* As the import makes them. */
static struct kept_totals
make_totals(const struct dataset *dataset)
{
	struct sums_request request = {.kind = BLOCK_SPAN, .by = "lane,category,name"};
	struct err err = ERR_INIT;
	struct sums *sums = sums_run(dataset, &request, &err);
	ck_assert_msg(sums != NULL, "%s", err.message);
	struct kept_totals kept = {.n = sums_count(sums)};
	kept.totals = xcalloc(kept.n, sizeof *kept.totals);
	for (size_t i = 0; i < kept.n; i++) {
		const struct group_sums *group = sums_group(sums, i);
		const struct measure_sums *duration = &group->measure[MEASURE_DURATION],
					  *size = &group->measure[MEASURE_SIZE];
		kept.totals[i] = (struct dataset_total){
		    .lane = (uint32_t)sums_key(sums, i, ROW_LANE).integer,
		    .category = code_of(dataset, sums_key(sums, i, ROW_CATEGORY)),
		    .name = code_of(dataset, sums_key(sums, i, ROW_NAME)),
		    .calls = group->n,
		    .rows = group->rows,
		    .start_min = group->start_min,
		    .end_max = group->end_max,
		    .duration_sum = duration->sum,
		    .duration_min = duration->min,
		    .duration_max = duration->max,
		    .self_sum = group->measure[MEASURE_SELF].sum,
		    .size_n = size->n,
		    .size_sum = size->sum,
		    .size_min = size->min,
		    .size_max = size->max,
		    .duration_squares = duration->squares,
		    .size_squares = size->squares,
		    .is_exact = true,
		};
	}
	sums_free(sums);
	return kept;
}

/* Everything that the request's groups show, as text. */
static void
show_sums(const struct dataset *dataset, const struct sums_request *request, struct strbuf *out)
{
	struct err err = ERR_INIT;
	struct sums *sums = sums_run(dataset, request, &err);
	ck_assert_msg(sums != NULL, "%s", err.message);
	for (size_t i = 0; i < sums_count(sums); i++) {
		for (int d = 0; d < ROW_COLUMNS; d++) {
			if (sums_has(sums, (enum row_column)d)) {
				struct scan_value key = sums_key(sums, i, (enum row_column)d);
				strbuf_printf(out, "%d:%" PRId64 "%.*s ", key.type, key.integer,
				              (int)key.text.len, key.text.len ? key.text.ptr : "");
			}
		}
		const struct group_sums *group = sums_group(sums, i);
		strbuf_printf(out, "n %" PRId64 " rows %" PRId64 " %" PRId64 "..%" PRId64, group->n,
		              group->rows, group->start_min, group->end_max);
		for (int m = 0; m < MEASURES; m++) {
			const struct measure_sums *measure = &group->measure[m];
			strbuf_printf(out,
			              " | %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64
			              " %016" PRIx64 "%016" PRIx64 " %.17g",
			              measure->n, measure->sum, measure->min, measure->max,
			              (uint64_t)(measure->squares >> 64),
			              (uint64_t)measure->squares, measure->deviation);
		}
		strbuf_add_char(out, '\n');
	}
	sums_free(sums);
}

static void
check_totals(const struct dataset *scanned, const struct dataset *with_totals,
             const struct sums_request *request, bool is_used)
{
	struct strbuf expected = {0}, shown = {0};
	struct kept_totals *kept = with_totals->user;
	unsigned n_asked = kept->n_asked;
	show_sums(scanned, request, &expected);
	show_sums(with_totals, request, &shown);
	strbuf_add_char(&expected, '.');
	strbuf_add_char(&shown, '.');
	ck_assert_msg((kept->n_asked > n_asked) == is_used, "by %s where %s", request->by,
	              request->filter);
	ck_assert_msg(slice_equal(strbuf_slice(&expected), strbuf_slice(&shown)),
	              "by %s where %s:\n%s\n%s", request->by, request->filter, expected.data,
	              shown.data);
	strbuf_free(&expected);
	strbuf_free(&shown);
}

static const char *const total_bys[] = {"",
                                        "name",
                                        "category,name",
                                        "lane",
                                        "host,kind,name",
                                        "name,process,thread",
                                        "lane_name,category"};
static const char *const total_filters[] = {
    "",
    "name = 'write'",
    "category IS NULL",
    "name GLOB '*e*' AND NOT (category = 'POSIX' OR host = 'node1')",
    "process IN (1, 10, 'rank') OR name < 'k' AND thread IS NOT NULL",
    "lane > 2 AND kind <> 'worker'",
    "name IN ()",
    "name = NULL"};

/* The blocks of a dataset with totals are never fetched, where these suffice. */
static int
fetch_nothing(void *user, int64_t blob_id, void *buffer, size_t bytes, struct err *err)
{
	(void)user;
	(void)blob_id;
	(void)buffer;
	(void)bytes;
	return err_set(err, ERR_SYSTEM, "blocks are read");
}

START_TEST(totals_say_the_same)
{
	struct fixture *const fixtures[] = {few, many};
	for (size_t f = 0; f < COUNT(fixtures); f++) {
		struct kept_totals kept = make_totals(&fixtures[f]->dataset);
		struct dataset with_totals = fixtures[f]->dataset;
		with_totals.totals = give_totals;
		with_totals.fetch = fetch_nothing;
		with_totals.user = &kept;
		for (size_t b = 0; b < COUNT(total_bys); b++) {
			for (size_t c = 0; c < COUNT(total_filters); c++) {
				struct sums_request request = {
				    .kind = BLOCK_SPAN,
				    .by = total_bys[b],
				    .filter = total_filters[c],
				    .unread = {c % 2 ? SUMS_NO_SQUARES : 0,
				               SUMS_NO_SQUARES | SUMS_NO_RANGE, 0},
				    .unread_times = c % 2 == 1};
				check_totals(&fixtures[f]->dataset, &with_totals, &request, true);
				request.unread[MEASURE_DURATION] |= SUMS_NO_SUM | SUMS_NO_RANGE;
				request.unread[MEASURE_SIZE] |= c % 3 ? SUMS_NO_SUM : 0;
				check_totals(&fixtures[f]->dataset, &with_totals, &request, true);
			}
		}
		free(kept.totals);
	}
}
END_TEST

/* Names that count as others: their sums are those of all of them together, scanned and from
 * totals. */
START_TEST(names_count_as_others)
{
	const struct dataset *dataset = &many->dataset;
	struct kept_totals kept = make_totals(dataset);
	struct dataset with_totals = *dataset;
	uint32_t *aliases = xcalloc(dataset->n_texts, sizeof *aliases);
	struct sums_request one_by_one = {.kind = BLOCK_SPAN, .by = "lane,name"};
	struct sums_request together = {
	    .kind = BLOCK_SPAN,
	    .by = "name,lane",
	    .unread = {[MEASURE_SELF] = SUMS_NO_SQUARES | SUMS_NO_RANGE},
	    .name_aliases = aliases};
	struct err err = ERR_INIT;
	size_t n_names = 0;

	with_totals.totals = give_totals;
	with_totals.fetch = fetch_nothing;
	with_totals.user = &kept;
	for (uint32_t code = 0; code < dataset->n_texts; code++) { /* two, and no name */
		aliases[code] = code % 3 == 2 ? TEXT_NONE : code % 3;
	}
	check_totals(dataset, &with_totals, &together, true);
	struct sums *each = sums_run(dataset, &one_by_one, &err);
	struct sums *sums = sums_run(dataset, &together, &err);
	ck_assert_msg(each && sums, "%s", err.message);
	for (size_t i = 0; i < sums_count(sums); i++) {
		uint32_t alias = code_of(dataset, sums_key(sums, i, ROW_NAME));
		int64_t lane = sums_key(sums, i, ROW_LANE).integer, n = 0, ns = 0;
		for (size_t k = 0; k < sums_count(each); k++) {
			uint32_t code = code_of(dataset, sums_key(each, k, ROW_NAME));
			uint32_t counts_as = code == TEXT_NONE ? TEXT_NONE : aliases[code];
			if (sums_key(each, k, ROW_LANE).integer == lane && counts_as == alias) {
				n += sums_group(each, k)->n;
				ns += sums_group(each, k)->measure[MEASURE_DURATION].sum;
				n_names++;
			}
		}
		ck_assert_int_eq(sums_group(sums, i)->n, n);
		ck_assert_int_eq(sums_group(sums, i)->measure[MEASURE_DURATION].sum, ns);
	}
	ck_assert_uint_eq(n_names, sums_count(each));
	ck_assert_uint_lt(sums_count(sums), sums_count(each));
	sums_free(each);
	sums_free(sums);
	free(aliases);
	free(kept.totals);
}
END_TEST

/* What totals do not tell exactly is scanned. */
START_TEST(totals_do_not_suffice)
{
	struct kept_totals kept = make_totals(&many->dataset);
	static const struct {
		const char *by, *filter;
		unsigned duration, self; /* unread */
		unsigned quantiles;
	} others[] = {
	    {"path", "", SUMS_NO_SQUARES, 7, 0},
	    {"name,start(1s)", "", SUMS_NO_SQUARES, 7, 0},
	    {"name,time(1s)", "", SUMS_NO_SQUARES, 7, 0},
	    {"name,arg.fd", "", SUMS_NO_SQUARES, 7, 0},
	    {"name", "path IS NOT NULL", SUMS_NO_SQUARES, 7, 0},
	    {"name", "name = 'read' AND duration > 3", SUMS_NO_SQUARES, 7, 0},
	    {"name", "id > 3", SUMS_NO_SQUARES, 7, 0},
	    {"name", "", SUMS_NO_SQUARES, SUMS_NO_SQUARES, 0},
	    {"name", "", SUMS_NO_SQUARES, 7, QUANTILE_50},
	};
	for (size_t i = 0; i < COUNT(others); i++) {
		struct dataset with_totals = many->dataset;
		struct err err = ERR_INIT;
		struct sums_request request = {.kind = BLOCK_SPAN,
		                               .by = others[i].by,
		                               .filter = others[i].filter,
		                               .unread = {others[i].duration, others[i].self, 7},
		                               .quantiles = {others[i].quantiles}};
		with_totals.totals = give_totals;
		with_totals.fetch = fetch_nothing;
		with_totals.user = &kept;
		ck_assert_msg(!sums_run(&with_totals, &request, &err), "by %s where %s",
		              others[i].by, others[i].filter);
		ck_assert_msg(strstr(err.message, "blocks are read") != NULL, "%s", err.message);
	}
	ck_assert_uint_eq(kept.n_asked, 0);
	free(kept.totals);
}
END_TEST

/* Totals of other rows than there are, or that are only near, are not used. */
START_TEST(totals_are_refused)
{
	struct sums_request request = {
	    .kind = BLOCK_SPAN, .by = "name", .unread = {SUMS_NO_SQUARES, 7, SUMS_NO_SQUARES}};
	for (int i = 0; i < 3; i++) {
		struct kept_totals kept = make_totals(&many->dataset);
		struct dataset with_totals = many->dataset;
		struct err err = ERR_INIT;
		with_totals.totals = give_totals;
		with_totals.fetch = fetch_nothing;
		with_totals.user = &kept;
		kept.n -= i == 0;
		kept.totals[1].rows += i == 1;
		kept.totals[1].is_exact = i != 2;
		ck_assert(!sums_run(&with_totals, &request, &err));
		ck_assert_uint_eq(kept.n_asked, 1);
		ck_assert_msg(strstr(err.message, "blocks are read") != NULL, "%s", err.message);
		free(kept.totals);
	}
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("sums_totals");
	TCase *tcase = tcase_create("sums_totals");

	tcase_add_unchecked_fixture(tcase, setup, teardown);
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, totals_say_the_same);
	tcase_add_test(tcase, names_count_as_others);
	tcase_add_test(tcase, totals_do_not_suffice);
	tcase_add_test(tcase, totals_are_refused);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
