/* The importer of counters: times of every unit, rows that are none, recognition. */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "unit.h"
#include "import/formats.h"
#include "record_sink.h"

#define HEADER "time,host,name,value\n"

static struct record_sink *
read_text(const char *text)
{
	struct record_sink *recorded = record_sink_new();

	ck_assert_int_eq(
	    record_bytes(recorded, &import_counters, text, strlen(text), 0, false, NULL), 0);
	return recorded;
}

START_TEST(times)
{
	static const struct {
		const char *text;
		int64_t ns;
	} cases[] = {
	    {"0", 0},
	    {"1700000000", INT64_C(1700000000000000000)},
	    {"1700000000.123456789", INT64_C(1700000000123456789)},
	    {"1.7e9", INT64_C(1700000000000000000)},
	    {"1700000000123", INT64_C(1700000000123000000)},
	    {"1700000000123456", INT64_C(1700000000123456000)},
	    {"1700000000123456789", INT64_C(1700000000123456789)},
	    {"1970-01-01T00:00:00Z", 0},
	    {"2000-02-29 12:00:00.5", INT64_C(951825600500000000)},
	    {"2023-11-14T22:13:20Z", INT64_C(1700000000000000000)},
	    {"2023-11-14T22:13:20+00:00", INT64_C(1700000000000000000)},
	    {"2023-11-14T23:13:20+01:00", INT64_C(1700000000000000000)},
	    {"2023-11-15T03:43:20+0530", INT64_C(1700000000000000000)},
	    {"2023-11-14 17:13:20.25-05", INT64_C(1700000000250000000)},
	    {"2023-11-14T22:13:20.250000+00:00", INT64_C(1700000000250000000)},
	    {" 5 ", INT64_C(5000000000)},
	};
	static const char *const bad[] = {"",
	                                  "x",
	                                  "-1",
	                                  "nan",
	                                  "2023-11-14",
	                                  "2023-13-14T22:13:20Z",
	                                  "2023-11-14T22:13:20+1",
	                                  "2023-11-14T22:13:20+24:00",
	                                  "2023-11-14T22:13:20+01:60",
	                                  "2023-11-14T22:13:20+01:00Z+01",
	                                  "2023-11-14T22:13:20+01:000",
	                                  "2023-11-14T22:13:20+01:",
	                                  "2023-11-14T22:13:20.5e1",
	                                  "2023-11-14T22:13:20.",
	                                  "1e300",
	                                  "2023-11-14T22:13:20.x"};
	char text[128];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		snprintf(text, sizeof text, HEADER "%s,h,c,1\n", cases[i].text);
		struct record_sink *recorded = read_text(text);
		ck_assert_msg(recorded->n_counters == 1, "%s", cases[i].text);
		ck_assert_msg(recorded->counters[0].time_ns == cases[i].ns, "%s: %" PRId64,
		              cases[i].text, recorded->counters[0].time_ns);
		record_sink_free(recorded);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		snprintf(text, sizeof text, HEADER "%s,h,c,1\n", bad[i]);
		struct record_sink *recorded = read_text(text);
		ck_assert_msg(recorded->n_counters == 0 &&
		                  record_problems(recorded, PROBLEM_INVALID) == 1,
		              "%s", bad[i]);
		record_sink_free(recorded);
	}
}
END_TEST

START_TEST(rows)
{
	struct record_sink *recorded =
	    read_text("\xef\xbb\xbf" HEADER "1,a,\"power, "
	              "W\",1.5\r\n2,b,c,-2e3\n3,,c,7\n4,a,c\n5,a,c,x\n6,a,c,inf\n7,a,c,1,2\n8,a");

	ck_assert_uint_eq(recorded->n_counters, 3);
	ck_assert_uint_eq(recorded->facts.records, 3);
	ck_assert_uint_eq(recorded->facts.bad_records, 5);
	ck_assert_uint_eq(record_problems(recorded, PROBLEM_TRUNCATED), 1);
	ck_assert_int_eq(recorded->facts.clock, CLOCK_WALL);
	ck_assert_str_eq(record_text(recorded, recorded->counters[0].name), "power, W");
	ck_assert_str_eq(record_lane(recorded, recorded->counters[0].lane), "counter a/-/- a");
	ck_assert_str_eq(record_lane(recorded, recorded->counters[2].lane), "counter -/-/- -");
	ck_assert(recorded->counters[1].value == -2000);
	record_sink_free(recorded);
}
END_TEST

/* As people write them. */
START_TEST(columns)
{
	struct record_sink *recorded =
	    read_text("what is this\nValue; time ;name;HOST;unit;rack\n1.5;1;power;a;W;7\n"
	              "\"open;2\n2.5;2; \"po;wer\" ;b;\"\";8\nValue; time ;name;HOST;unit;rack\n"
	              "3.5;2023-11-14T23:13:20+01:00;power;a;W;\n3.5;1;power;a\n");

	ck_assert_uint_eq(recorded->n_counters, 3);
	ck_assert_uint_eq(recorded->facts.bad_records, 3);
	ck_assert_uint_eq(recorded->problems[0].record, 1);
	ck_assert_uint_eq(recorded->problems[1].record, 4);
	ck_assert_uint_eq(recorded->problems[2].record, 8);
	ck_assert_str_eq(record_text(recorded, recorded->counters[1].name), "po;wer");
	ck_assert_str_eq(record_lane(recorded, recorded->counters[1].lane), "counter b/-/- b");
	ck_assert_str_eq(
	    record_args(recorded, recorded->counters[0].args, recorded->counters[0].n_args),
	    "unit='W' rack=7");
	ck_assert_str_eq(
	    record_args(recorded, recorded->counters[1].args, recorded->counters[1].n_args),
	    "rack=8");
	ck_assert_int_eq(recorded->counters[2].time_ns, INT64_C(1700000000000000000));
	record_sink_free(recorded);
}
END_TEST

/* A record has each argument once: a name that comes again goes by its place. */
START_TEST(names_that_come_again)
{
	struct record_sink *recorded =
	    read_text("time,host,name,value,note,note,column 6\n0,h,c,1,a,b,c\n");

	ck_assert_uint_eq(recorded->n_counters, 1);
	ck_assert_str_eq(
	    record_args(recorded, recorded->counters[0].args, recorded->counters[0].n_args),
	    "note='a' column 6='b' column 7='c'");
	record_sink_free(recorded);
}
END_TEST

START_TEST(recognition)
{
	static const struct {
		const char *text;
		int score;
	} cases[] = {
	    {HEADER, 90},
	    {"time,host,name,value", 90},
	    {"\xef\xbb\xbftime, host, name, value\r\n1,a,b,2\n", 90},
	    {"time,host,name\n", 0},
	    {"time,host,name,value,more\n", 90},
	    {"Host;Time;Name;Value\na;1;b;2\n", 90},
	    {"time\thost\tname\tvalue\n1\ta\tb\t2\n", 90},
	    {"garbage\ntime,host,name,value\n1,a,b,2\n2,a,b,2\n", 90},
	    {"\"\ntime,host,name,value\n1,a,b,2\n2,a,b,2\n", 90},
	    {"a\nb\nc\ntime,host,name,value\n1,a,b,2\n", 0},
	    {"time,host,name,value\nnoon,a,b,2\nx\ny\n1,a,b,3\n", 10},
	    {"time,host,name,value\n1,a,b,\"2\n1,a,b,3\n2,a,b,4\n3,a,b,5\n4,a,b,6\n5,a,b,7\"\n",
	     90},
	    {"", 0}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		ck_assert_int_eq(import_counters.sniff(slice_of(cases[i].text), "x"),
		                 cases[i].score);
	}
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("import_counters");
	TCase *tcase = tcase_create("all");

	tcase_add_test(tcase, times);
	tcase_add_test(tcase, rows);
	tcase_add_test(tcase, columns);
	tcase_add_test(tcase, names_that_come_again);
	tcase_add_test(tcase, recognition);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
