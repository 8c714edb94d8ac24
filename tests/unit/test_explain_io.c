/* Groups and streams of I/O against slow references over the same random rows; watchdog. */
#include "config.h"
#include "explain/parts/io_streams.h"
#include "explain/frame/watchdog.h"

#include <time.h>

#include "unit/scan_fixture.h"

static const char classes_text[] = "parallel=/p/*|*lustre* disk=/l/*|/tmp/* memory=/dev/shm/*";

struct made {
	struct fixture *fixture;
	struct io_run run;
	struct path_classes *classes;
};

static struct made
make(uint64_t seed, size_t n_rows, bool is_extreme, unsigned n_threads)
{
	struct err err = ERR_INIT;
	struct made made = {.fixture = fixture_new(seed, n_rows, 200, is_extreme)};
	made.fixture->dataset.n_threads = n_threads;
	made.run.dataset = &made.fixture->dataset;
	uint32_t n_lanes = made.run.dataset->n_lanes;
	made.run.process_of_lane = xcalloc(n_lanes + 1, sizeof(uint32_t));
	made.run.thread_of_lane = xcalloc(n_lanes + 1, sizeof(uint32_t));
	for (uint32_t i = 0; i < n_lanes; i++) {
		made.run.process_of_lane[i] = i % 3;
		made.run.thread_of_lane[i] = i / 3;
	}
	made.classes = path_classes_new(classes_text, &err);
	ck_assert_msg(made.classes != NULL, "%s", err.message);
	return made;
}

static void
unmake(struct made *made)
{
	free(made->run.process_of_lane);
	free(made->run.thread_of_lane);
	path_classes_free(made->classes);
	fixture_free(made->fixture);
}

static unsigned
class_of(const struct made *made, const struct fixture_row *row)
{
	return row->path ? path_classes_find(made->classes, slice_of(row->path))
	                 : path_classes_count(made->classes);
}

static bool
is_text(const struct made *made, uint32_t code, const char *text)
{
	return text ? code != TEXT_NONE && slice_is(made->run.dataset->texts[code], text)
	            : code == TEXT_NONE;
}

#define WINDOW_NS 5000

static int64_t
window_of(int64_t time_ns)
{
	int64_t window = time_ns / WINDOW_NS;
	return window * WINDOW_NS > time_ns ? window - 1 : window;
}

static bool
belongs(const struct made *made, unsigned by, const struct io_group *group,
        const struct fixture_row *row)
{
	return (!(by & IO_OPERATION) || is_text(made, group->operation, row->name)) &&
	       (!(by & IO_FILE) || is_text(made, group->path, row->path)) &&
	       group->class == (by & IO_CLASS ? class_of(made, row) : 0) &&
	       group->size_class == (by & IO_SIZE ? io_size_class(row->size, row->calls) : 0) &&
	       group->process == (by & IO_PROCESS ? row->lane % 3 : 0) &&
	       group->thread == (by & IO_THREAD ? row->lane / 3 : 0) &&
	       group->lane == (by & IO_LANE ? row->lane : TEXT_NONE) &&
	       group->host ==
	           (by & IO_HOST ? made->run.dataset->lanes[row->lane].host : TEXT_NONE) &&
	       group->window == (by & IO_TIME ? window_of(row->start) : 0);
}

/* All rows belong to one group each, and a group's sums are its rows'. */
static void
check_groups(const struct made *made, unsigned by)
{
	struct err err = ERR_INIT;
	struct io_request request = {"", by, WINDOW_NS, made->classes, true};
	struct io_groups groups;
	size_t n_rows = made->fixture->n_rows[BLOCK_SPAN], n_seen = 0;
	struct interval *busy = xcalloc(n_rows + 1, sizeof *busy);
	ck_assert_msg(io_groups_read(&made->run, &request, &groups, &err) == 0, "%s", err.message);
	for (size_t g = 0; g < groups.n; g++) {
		const struct io_group *group = &groups.groups[g];
		struct io_group want = {.start_ns = INT64_MAX, .end_ns = INT64_MIN};
		size_t n_busy = 0;
		want.first_id = INT64_MAX;
		for (size_t i = 0; i < n_rows; i++) {
			const struct fixture_row *row = &made->fixture->rows[BLOCK_SPAN][i];
			if (!belongs(made, by, group, row)) {
				continue;
			}
			int64_t end = time_add(row->start, row->duration);
			n_seen++;
			want.n += row->calls;
			want.duration_ns = time_add(
			    want.duration_ns, row->has_totals ? row->totals.sum_ns : row->duration);
			want.n_sized += row->size != SIZE_NONE ? row->calls : 0;
			want.start_ns = row->start < want.start_ns ? row->start : want.start_ns;
			want.end_ns = end > want.end_ns ? end : want.end_ns;
			want.first_id = row->id < want.first_id ? row->id : want.first_id;
			busy[n_busy++] = (struct interval){row->start, end};
		}
		n_busy = intervals_union(busy, n_busy);
		ck_assert_int_eq(group->n, want.n);
		ck_assert_int_eq(group->duration_ns, want.duration_ns);
		ck_assert_int_eq(group->n_sized, want.n_sized);
		ck_assert_int_eq(group->start_ns, want.start_ns);
		ck_assert_int_eq(group->end_ns, want.end_ns);
		ck_assert_int_eq(group->first_id, want.first_id);
		ck_assert_uint_eq(group->n_busy, n_busy);
		ck_assert(n_busy == 0 || memcmp(group->busy, busy, n_busy * sizeof *busy) == 0);
	}
	ck_assert_uint_eq(n_seen, n_rows);
	free(busy);
	io_groups_fini(&groups);
}

START_TEST(groups_are_those_of_the_rows)
{
	static const unsigned masks[] = {0,
	                                 IO_OPERATION,
	                                 IO_CLASS,
	                                 IO_SIZE | IO_PROCESS,
	                                 IO_FILE | IO_OPERATION,
	                                 IO_CLASS | IO_THREAD | IO_OPERATION,
	                                 IO_LANE | IO_OPERATION,
	                                 IO_HOST,
	                                 IO_TIME,
	                                 IO_TIME | IO_HOST | IO_CLASS,
	                                 511};
	struct made made = make((uint64_t)_i + 1, 900, _i == 3, (unsigned)_i % 3 + 1);
	for (size_t i = 0; i < sizeof masks / sizeof *masks; i++) {
		check_groups(&made, masks[i]);
	}
	unmake(&made);
}
END_TEST

/* How much of a row lies in intervals, one by one. */
static int64_t
inside(const struct fixture_row *row, const struct interval *list, size_t n)
{
	int64_t sum = 0, end = time_add(row->start, row->duration);
	for (size_t i = 0; i < n; i++) {
		int64_t from = list[i].start > row->start ? list[i].start : row->start;
		int64_t to = list[i].end < end ? list[i].end : end;
		sum += to > from ? to - from : 0;
	}
	return sum;
}

/* The union of rows of (or, if others, not of) a class; only those of a stream if it is not
 * NULL. */
static size_t
collect(const struct made *made, unsigned class, bool others, const struct io_stream *stream,
        struct interval *list)
{
	size_t n = 0;
	for (size_t i = 0; i < made->fixture->n_rows[BLOCK_SPAN]; i++) {
		const struct fixture_row *row = &made->fixture->rows[BLOCK_SPAN][i];
		bool is_its = class_of(made, row) == class;
		if (is_its != others && (!stream || is_text(made, stream->operation, row->name))) {
			list[n++] =
			    (struct interval){row->start, time_add(row->start, row->duration)};
		}
	}
	return intervals_union(list, n);
}

static void
check_state(const struct made *made, const struct io_stream *stream, unsigned with,
            unsigned n_classes)
{
	size_t n_rows = made->fixture->n_rows[BLOCK_SPAN];
	struct interval *list = xcalloc(n_rows + 1, sizeof *list);
	struct interval *own = xcalloc(n_rows + 1, sizeof *own);
	bool is_alone = with == n_classes;
	size_t n = collect(made, is_alone ? stream->class : with, is_alone, NULL, list);
	size_t n_own = collect(made, stream->class, false, stream, own);
	struct io_state want = {0, 0, 0};
	for (size_t i = 0; i < n_rows; i++) {
		const struct fixture_row *row = &made->fixture->rows[BLOCK_SPAN][i];
		if (class_of(made, row) != stream->class || row->size == SIZE_NONE ||
		    row->duration <= 0 || !is_text(made, stream->operation, row->name)) {
			continue;
		}
		int64_t time_ns = inside(row, list, n);
		time_ns = is_alone ? row->duration - time_ns : time_ns;
		__extension__ __int128 bytes = (__int128)row->size * time_ns / row->duration;
		want.time_ns = time_add(want.time_ns, time_ns);
		want.size_bytes = time_add(want.size_bytes, (int64_t)bytes);
	}
	int64_t without = intervals_length_without(own, n_own, list, n);
	want.busy_ns = is_alone ? without : intervals_length(own, n_own) - without;
	ck_assert_int_eq(stream->with[with].time_ns, want.time_ns);
	ck_assert_int_eq(stream->with[with].size_bytes, want.size_bytes);
	ck_assert_int_eq(stream->with[with].busy_ns, want.busy_ns);
	free(list);
	free(own);
}

START_TEST(streams_are_cut_at_other_classes)
{
	struct made made = make((uint64_t)_i + 50, 700, false, (unsigned)_i % 3 + 1);
	struct err err = ERR_INIT;
	struct io_streams streams;
	ck_assert_msg(io_streams_read(&made.run, "", made.classes, &streams, &err) == 0, "%s",
	              err.message);
	ck_assert_uint_gt(streams.n, 10);
	for (size_t s = 0; s < streams.n; s++) {
		for (unsigned with = 0; with <= streams.n_classes; with++) {
			if (with != streams.streams[s].class) {
				check_state(&made, &streams.streams[s], with, streams.n_classes);
			}
		}
	}
	io_streams_fini(&streams);
	unmake(&made);
}
END_TEST

START_TEST(extremes_and_errors)
{
	struct made made = make(99, 500, true, 2);
	struct err err = ERR_INIT;
	struct io_streams streams;
	ck_assert_int_eq(io_streams_read(&made.run, NULL, made.classes, &streams, &err), 0);
	io_streams_fini(&streams);
	ck_assert_int_eq(io_streams_read(&made.run, "nme = 1", made.classes, &streams, &err), -1);
	ck_assert_int_eq(err.code, ERR_QUERY);
	ck_assert_msg(strncmp(err.message, "filter, ", 8) == 0, "%s", err.message);
	struct cancel cancel;
	atomic_init(&cancel.requested, true);
	made.run.cancel = &cancel;
	ck_assert_int_eq(io_streams_read(&made.run, "", made.classes, &streams, &err), -1);
	ck_assert_int_eq(err.code, ERR_CANCELLED);
	unmake(&made);
}
END_TEST

START_TEST(sizes_have_classes)
{
	ck_assert_str_eq(io_size_name(io_size_class(SIZE_NONE, 1)), "no size");
	ck_assert_str_eq(io_size_name(io_size_class(4096, 2)), "sums of many calls");
	ck_assert_str_eq(io_size_name(io_size_class(-1, 1)), "below 4 KiB");
	ck_assert_str_eq(io_size_name(io_size_class(4095, 1)), "below 4 KiB");
	ck_assert_str_eq(io_size_name(io_size_class(4096, 1)), "4 to 64 KiB");
	ck_assert_str_eq(io_size_name(io_size_class(INT64_MAX, 1)), "256 MiB and more");
}
END_TEST

START_TEST(divisions_are_lists_of_names)
{
	struct err err = ERR_INIT;
	struct io_by by;
	ck_assert_int_eq(io_by_parse(&by, "io", " rank , size", &err), 0);
	ck_assert_uint_eq(by.n, 2);
	ck_assert_uint_eq(by.mask, IO_PROCESS | IO_SIZE);
	ck_assert_str_eq(by.names[0], "rank");
	static const char *const wrong[] = {"", "rang", "size,size", "file,pattern"};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		err.code = ERR_NONE;
		ck_assert_int_eq(io_by_parse(&by, "io", wrong[i], &err), -1);
		ck_assert_int_eq(err.code, ERR_USAGE);
	}
}
END_TEST

static void
wait_until(const struct cancel *cancel)
{
	const struct timespec tick = {0, 1000000};
	while (!cancel_requested(cancel)) {
		(void)nanosleep(&tick, NULL);
	}
}

START_TEST(budgets_end)
{
	struct err err = ERR_INIT;
	struct cancel outer;
	atomic_init(&outer.requested, false);
	struct watchdog *watchdog = watchdog_new(&outer, &err);
	ck_assert(cancel_requested(watchdog_arm(watchdog, 0)));
	ck_assert(watchdog_disarm(watchdog));
	wait_until(watchdog_arm(watchdog, 10000000));
	ck_assert(watchdog_disarm(watchdog));
	const struct cancel *cancel = watchdog_arm(watchdog, INT64_MAX);
	ck_assert(!cancel_requested(cancel));
	cancel_request(&outer);
	wait_until(cancel);
	ck_assert(!watchdog_disarm(watchdog));
	watchdog_free(watchdog);
	watchdog_free(NULL);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("explain io");
	TCase *tests = tcase_create("io");
	tcase_set_timeout(tests, 60);
	tcase_add_loop_test(tests, groups_are_those_of_the_rows, 0, 4);
	tcase_add_loop_test(tests, streams_are_cut_at_other_classes, 0, 3);
	tcase_add_test(tests, extremes_and_errors);
	tcase_add_test(tests, sizes_have_classes);
	tcase_add_test(tests, divisions_are_lists_of_names);
	tcase_add_test(tests, budgets_end);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
