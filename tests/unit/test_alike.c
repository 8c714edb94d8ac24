/* Who is odd among lanes, processes and hosts: of figures given, and of a run's sums. */
#include "config.h"

#include "column/ops/alike.h"
#include "unit/unit.h"
#include "util/mem.h"
#include "util/prng.h"

#define MS INT64_C(1000000)
#define LIMIT_MEMBERS 10000
#define NAMES 20

/* A group of n members, each 100 ms in name 0 and busy from 0 on. */
struct team {
	struct alike alike;
	struct alike_group group;
	struct alike_member members[LIMIT_MEMBERS];
	struct alike_time times[LIMIT_MEMBERS * NAMES];
	size_t n_times;
};
static struct team team;

static void
team_of(uint32_t n)
{
	memset(&team, 0, sizeof team);
	team.group = (struct alike_group){ALIKE_LANES, 0, n, 0, false};
	team.alike.groups = &team.group;
	team.alike.members = team.members;
	team.alike.n_groups = 1;
	team.alike.n_members = n;
	for (uint32_t i = 0; i < n; i++) {
		team.members[i] = (struct alike_member){.lane = i, .last_ns = 100 * MS};
	}
}

static void
spend(uint32_t member, uint32_t name, int64_t ns)
{
	team.times[team.n_times++] = (struct alike_time){member, name, ns};
}

static uint32_t
rate(void)
{
	alike_rate(&team.alike, team.times, team.n_times);
	ck_assert_uint_le(team.group.n_alike, team.group.n);
	return team.group.n - team.group.n_alike;
}

START_TEST(equals_are_alike)
{
	team_of(16);
	for (uint32_t i = 0; i < 16; i++) {
		spend(i, 0, 100 * MS);
	}
	ck_assert_uint_eq(rate(), 0);
	ck_assert_uint_eq(team.group.n_alike, 16);
	ck_assert(team.group.folds);
	ck_assert_int_eq(team.members[3].busy_ns, 100 * MS);
}
END_TEST

START_TEST(two_of_many_are_odd_and_say_by_what)
{
	team_of(18);
	for (uint32_t i = 0; i < 18; i++) {
		spend(i, 0, (i == 5 ? 180 : 100) * MS);
		spend(i, 1, 20 * MS);
	}
	team.members[9].last_ns = 130 * MS;
	ck_assert_uint_eq(rate(), 2);
	ck_assert(team.group.folds);
	ck_assert_uint_eq(team.group.n_alike, 16);
	ck_assert(team.members[5].is_odd && team.members[9].is_odd);
	ck_assert_int_eq(team.members[5].figure, ALIKE_NAME); /* before busy, which is as far off */
	ck_assert_uint_eq(team.members[5].name, 0);
	ck_assert_int_eq(team.members[5].value_ns, 180 * MS);
	ck_assert_int_eq(team.members[5].usual_ns, 100 * MS);
	ck_assert_int_eq(team.members[9].figure, ALIKE_LAST);
	ck_assert_int_eq(team.members[9].value_ns, 130 * MS);
	ck_assert_int_eq(team.members[9].usual_ns, 100 * MS);
	ck_assert_int_eq(team.members[9].limit_ns, 2 * MS); /* 2 % of 100 ms */
}
END_TEST

START_TEST(what_one_alone_does_is_odd)
{
	team_of(9);
	for (uint32_t i = 0; i < 9; i++) {
		spend(i, 0, 100 * MS);
	}
	spend(4, 7, 3 * MS);
	spend(6, 8, 1 * MS); /* less than 2 % of what all are busy for */
	ck_assert_uint_eq(rate(), 1);
	ck_assert(team.members[4].is_odd);
	ck_assert_uint_eq(team.members[4].name, 7);
	ck_assert_int_eq(team.members[4].usual_ns, 0);
}
END_TEST

START_TEST(the_missing_of_what_all_do_is_odd)
{
	team_of(9);
	for (uint32_t i = 0; i < 9; i++) {
		spend(i, 0, 100 * MS);
		if (i != 2) {
			spend(i, 1, 50 * MS);
		}
	}
	ck_assert_uint_eq(rate(), 1);
	ck_assert(team.members[2].is_odd);
	ck_assert_int_eq(team.members[2].value_ns, 0);
	ck_assert_int_eq(team.members[2].usual_ns, 50 * MS);
}
END_TEST

START_TEST(where_all_differ_nothing_folds)
{
	team_of(8);
	for (uint32_t i = 0; i < 8; i++) {
		spend(i, i, 100 * MS); /* each something of its own */
	}
	ck_assert_uint_eq(rate(), 8);
	ck_assert(!team.group.folds);
}
END_TEST

/* A slope has no outliers, but its ends have no picture in common. */
START_TEST(far_apart_is_not_alike)
{
	team_of(16);
	for (uint32_t i = 0; i < 16; i++) {
		spend(i, 0, (i + 1) * 10 * MS);
	}
	ck_assert_uint_ge(rate(), 8);
	ck_assert(!team.group.folds);
	ck_assert(!team.members[7].is_odd);
	ck_assert(team.members[0].is_odd && team.members[15].is_odd);
}
END_TEST

START_TEST(one_is_no_group)
{
	team_of(1);
	spend(0, 0, 100 * MS);
	ck_assert_uint_eq(rate(), 0);
	ck_assert(!team.group.folds);
}
END_TEST

START_TEST(two_are_alike_or_not)
{
	static const struct {
		int64_t second_ms;
		uint32_t odd;
	} cases[] = {{100, 0}, {101, 0}, {120, 0}, {200, 2}};

	team_of(2);
	spend(0, 0, 100 * MS);
	spend(1, 0, cases[_i].second_ms * MS);
	ck_assert_uint_eq(rate(), cases[_i].odd);
	ck_assert(team.group.folds == (cases[_i].odd == 0));
}
END_TEST

START_TEST(idle_members_have_no_ends)
{
	team_of(10);
	for (uint32_t i = 0; i < 10; i++) {
		if (i < 8) {
			spend(i, 0, 100 * MS);
		} else {
			team.members[i].is_empty = true;
			team.members[i].last_ns = 0;
		}
	}
	ck_assert_uint_eq(rate(), 2);
	ck_assert_int_eq(team.members[8].figure, ALIKE_NAME);
	ck_assert_int_eq(team.members[8].value_ns, 0);
	team_of(10); /* all idle */
	for (uint32_t i = 0; i < 10; i++) {
		team.members[i].is_empty = true;
	}
	ck_assert_uint_eq(rate(), 0);
	ck_assert(team.group.folds);
}
END_TEST

/* Several times of a member and name add up; the order in which they come does not matter. */
START_TEST(times_come_in_any_order)
{
	team_of(5);
	for (uint32_t i = 5; i-- > 0;) {
		spend(i, 1, 10 * MS);
		spend(i, 0, 40 * MS);
		spend(i, 0, (i == 3 ? 90 : 50) * MS);
	}
	ck_assert_uint_eq(rate(), 1);
	ck_assert(team.members[3].is_odd);
	ck_assert_int_eq(team.members[3].value_ns, 130 * MS);
	ck_assert_int_eq(team.members[3].usual_ns, 90 * MS);
	ck_assert_int_eq(team.members[0].busy_ns, 100 * MS);
}
END_TEST

/* About normal: a sum of twelve. */
static int64_t
noise(struct prng *prng, int64_t width)
{
	int64_t sum = 0;

	for (int i = 0; i < 12; i++) {
		sum += (int64_t)prng_below(prng, (uint64_t)width) - width / 2;
	}
	return sum;
}

/* Of ten thousand lanes with twenty names 3.5 would call many odd that are noise. */
START_TEST(noise_is_not_odd)
{
	struct prng prng = {7};
	static const uint32_t sizes[] = {4, 16, 64, 1000, LIMIT_MEMBERS};
	uint32_t n = sizes[_i];

	team_of(n);
	for (uint32_t i = 0; i < n; i++) {
		for (uint32_t name = 0; name < NAMES; name++) {
			spend(i, name, 100 * MS + noise(&prng, 12 * MS));
		}
		team.members[i].last_ns += noise(&prng, 3 * MS);
	}
	if (n > 8) { /* a straggler in it is */
		team.members[n / 2].last_ns += 90 * MS;
	}
	ck_assert_uint_le(rate(), n > 8 ? 2 : 0);
	ck_assert(n <= 8 || team.members[n / 2].is_odd);
	ck_assert(team.group.folds);
}
END_TEST

/* Times at the ends of what 64 bits hold. */
START_TEST(extremes_are_survived)
{
	team_of(3);
	spend(0, 0, INT64_MAX);
	spend(0, 1, INT64_MAX);
	spend(1, 0, 0);
	team.members[1].first_ns = INT64_MIN;
	team.members[2].last_ns = INT64_MAX;
	ck_assert_uint_le(rate(), 3);
	ck_assert_int_eq(team.members[0].busy_ns, INT64_MAX);
}
END_TEST

/* ---- out of a run ---- */

#define RUN_LANES 40
static struct lane lanes[RUN_LANES];
static struct dataset_total totals[RUN_LANES * 2];
static size_t n_totals;

static int
give_totals(void *user, bool if_few, const struct dataset_total **all, size_t *n, struct err *err)
{
	(void)user;
	(void)if_few;
	(void)err;
	*all = totals;
	*n = n_totals;
	return 0;
}

/* ms 0: a lane without spans. */
static uint32_t
add_lane(uint32_t *n_lanes, uint32_t host, int64_t process, enum lane_kind kind, int64_t ms)
{
	uint32_t id = (*n_lanes)++;

	lanes[id] = (struct lane){
	    .host = host, .process = {.type = IDENT_INTEGER, .integer = process}, .kind = kind};
	if (ms > 0) {
		totals[n_totals++] = (struct dataset_total){
		    .lane = id, .name = 3, .end_max = ms * MS, .self_sum = ms * MS};
	}
	return id;
}

static const struct alike_group *
group_of(const struct alike *alike, enum alike_level level, uint32_t lane)
{
	ck_assert_uint_ne(alike->by_lane[level][lane], ALIKE_NONE);
	return &alike->groups[alike->members[alike->by_lane[level][lane]].group];
}

/* Two hosts of three processes of two threads each, with what does not count beside them; on a
 * third, workers that have no process to themselves. */
START_TEST(lanes_processes_and_hosts_have_groups)
{
	struct dataset dataset = {.lanes = lanes, .totals = give_totals, .duration_ns = 1000 * MS};
	uint32_t n = 0, counter = 0, queue = 0, idle = 0, sums = 0, worker = 0;
	struct err err = ERR_INIT;
	struct alike alike;

	n_totals = 0;
	for (uint32_t host = 0; host < 2; host++) {
		for (int64_t process = 0; process < 3; process++) {
			int64_t ms = host == 1 && process == 2 ? 150 : 100;

			add_lane(&n, host, process, LANE_THREAD, ms);
			add_lane(&n, host, process, LANE_THREAD, ms);
		}
		counter = add_lane(&n, host, 0, LANE_COUNTER, 0);
		queue = add_lane(&n, host, 0, LANE_WAITING, 7);
		sums = add_lane(&n, host, 1, LANE_AGGREGATE, 900);
		idle = add_lane(&n, host, 1, LANE_THREAD, 0);
	}
	for (int64_t process = 10; process < 14; process++) {
		worker = add_lane(&n, 2, process, LANE_WORKER, 100);
	}
	dataset.n_lanes = n;
	ck_assert_int_eq(alike_run(&dataset, NULL, &alike, &err), 0);
	for (int level = 0; level < ALIKE_LEVELS; level++) {
		ck_assert_uint_eq(alike.by_lane[level][counter], ALIKE_NONE);
		ck_assert_uint_eq(alike.by_lane[level][queue], ALIKE_NONE);
		ck_assert_uint_eq(alike.by_lane[level][sums], ALIKE_NONE);
		ck_assert_uint_eq(alike.by_lane[level][idle], ALIKE_NONE);
	}
	ck_assert_uint_eq(group_of(&alike, ALIKE_LANES, 0)->n, 2);
	ck_assert(group_of(&alike, ALIKE_LANES, 0)->folds);
	ck_assert_uint_eq(group_of(&alike, ALIKE_PROCESSES, 0)->n, 3);
	ck_assert_uint_eq(group_of(&alike, ALIKE_PROCESSES, 0)->n_alike, 3);
	ck_assert_uint_eq(group_of(&alike, ALIKE_PROCESSES, 10)->n_alike, 2);
	ck_assert(alike.members[alike.by_lane[ALIKE_PROCESSES][14]].is_odd);
	ck_assert(alike.members[alike.by_lane[ALIKE_PROCESSES][15]].is_odd);
	ck_assert_int_eq(alike.members[alike.by_lane[ALIKE_PROCESSES][15]].value_ns, 300 * MS);
	ck_assert_uint_eq(group_of(&alike, ALIKE_LANES, worker)->n, 4);
	ck_assert(group_of(&alike, ALIKE_LANES, worker)->folds);
	ck_assert_uint_eq(alike.by_lane[ALIKE_PROCESSES][worker], ALIKE_NONE);
	ck_assert_uint_eq(group_of(&alike, ALIKE_HOSTS, worker)->n, 3);
	ck_assert(alike.members[alike.by_lane[ALIKE_HOSTS][worker]].is_odd);
	alike_fini(&alike);
}
END_TEST

START_TEST(a_run_without_spans_has_no_groups)
{
	struct dataset dataset = {.lanes = lanes, .totals = give_totals};
	struct err err = ERR_INIT;
	struct alike alike;

	n_totals = 0;
	ck_assert_int_eq(alike_run(&dataset, NULL, &alike, &err), 0);
	ck_assert_uint_eq(alike.n_members, 0);
	ck_assert_uint_eq(alike.n_groups, 0);
	alike_fini(&alike);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("alike");
	TCase *tcase = tcase_create("alike");

	tcase_set_timeout(tcase, 30);
	tcase_add_test(tcase, equals_are_alike);
	tcase_add_test(tcase, two_of_many_are_odd_and_say_by_what);
	tcase_add_test(tcase, what_one_alone_does_is_odd);
	tcase_add_test(tcase, the_missing_of_what_all_do_is_odd);
	tcase_add_test(tcase, where_all_differ_nothing_folds);
	tcase_add_test(tcase, far_apart_is_not_alike);
	tcase_add_test(tcase, one_is_no_group);
	tcase_add_loop_test(tcase, two_are_alike_or_not, 0, 4);
	tcase_add_test(tcase, idle_members_have_no_ends);
	tcase_add_test(tcase, times_come_in_any_order);
	tcase_add_loop_test(tcase, noise_is_not_odd, 0, 5);
	tcase_add_test(tcase, extremes_are_survived);
	tcase_add_test(tcase, lanes_processes_and_hosts_have_groups);
	tcase_add_test(tcase, a_run_without_spans_has_no_groups);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
