/* Of a run of very many spans, what sums up lanes comes from tiles that are wider than the cells:
 * that is said of them. */
#include "config.h"

#include "column/finish/tile.h"
#include "imported_run.h"
#include "query/timeline/timeline_window.h"

#define THREADS 4
#define CALLS (TIMELINE_BLUR_SPANS / THREADS + 1)
#define EVERY_US 10

static struct store *store;
static struct timeline *timeline;
static struct colours *colours;
static int64_t base_ns;

static void
set_up(void)
{
	struct strbuf trace = {0};
	struct tile_reader tiles;
	struct err err = ERR_INIT;

	make_folder();
	for (int thread = 1; thread <= THREADS; thread++) {
		for (int call = 0; call < CALLS; call++) {
			strbuf_printf(
			    &trace,
			    "{\"id\":%zu,\"name\":\"read\",\"cat\":\"POSIX\",\"pid\":%d,\"tid\":%d,"
			    "\"ts\":%d,\"dur\":%d,\"ph\":\"X\",\"args\":{}}\n",
			    trace.len, thread / 3, thread, call * EVERY_US, 1 + call % 7);
		}
	}
	store = import_calls("many.pfw", &trace);
	timeline = timeline_new_with(store, TIMELINE_PROCESSES, &err);
	ck_assert_msg(timeline != NULL, "%s", err.message);
	colours = colours_new(store, NULL, NULL, COLOUR_CATEGORY, &err);
	ck_assert_msg(colours != NULL, "%s", err.message);
	ck_assert_int_eq(store_tiles(store, &tiles, &err), 0);
	base_ns = tiles.base_ns;
	ck_assert_int_gt(base_ns, 16);
}

static void
tear_down(void)
{
	colours_release(colours);
	timeline_release(timeline);
	store_close(store);
	remove_folder();
}

/* The first row that sums up lanes is told as blurred, a lane never. */
static void
check(int64_t cell_ns, bool is_picture, const char *filter, bool expected)
{
	struct timeline_line lines[2] = {{SIZE_MAX, -1}, {SIZE_MAX, -1}};
	struct err err = ERR_INIT;

	for (size_t row = 0; row < timeline->n_rows; row++) {
		size_t *first = &lines[timeline->rows[row].type == TIMELINE_LANE].row;

		*first = *first == SIZE_MAX ? row : *first;
	}
	struct timeline_request request = {.lines = lines,
	                                   .n_lines = 2,
	                                   .cell_ns = cell_ns,
	                                   .n_cells = 40,
	                                   .filter = filter,
	                                   .colours = colours,
	                                   .is_picture = is_picture};
	struct timeline_window *window =
	    timeline_window_read(store, timeline, &request, NULL, &err);

	ck_assert_msg(window != NULL, "%s", err.message);
	ck_assert_int_gt(window->tracks[0].cells[1].count, 0);
	ck_assert(window->tracks[0].is_about == expected);
	ck_assert(!window->tracks[1].is_about);
	timeline_window_free(window);
}

START_TEST(groups_of_narrow_cells_are_blurred)
{
	ck_assert_int_gt(store_run(store)->n_spans, TIMELINE_BLUR_SPANS);
	check(base_ns / 4, true, NULL, true);
	check(base_ns / 4, false, NULL, false);
	check(base_ns / 4, true, "duration > 2", false);
	check(base_ns, true, NULL, false);
	check(base_ns * 16, true, NULL, false);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("timeline_blur");
	TCase *tests = tcase_create("timeline_blur");

	tcase_add_unchecked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, groups_of_narrow_cells_are_blurred);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
