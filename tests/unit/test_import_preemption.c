/* The importer of spot instance traces: each form by a small file in tests/data/preemption, what is
 * wrong in them. */
#include "config.h"
#include "unit.h"

#include <inttypes.h>
#include <string.h>

#include "import/formats.h"
#include "import/import_preemption.h"
#include "record_sink.h"
#include "util/mem.h"
#include "util/prng.h"

#define S INT64_C(1000000000)

static const struct import_format *const format = &import_preemption;

static struct record_sink *
read_fixture(const char *name, const char *form)
{
	char path[4096];
	const char *folder = getenv("LANESCOPE_SRCDIR");
	struct record_sink *recorded = record_sink_new();

	snprintf(path, sizeof path, "%s/tests/data/preemption/%s", folder ? folder : ".", name);
	ck_assert_int_eq(record_file(recorded, format, path, false, NULL), 0);
	ck_assert_str_eq(recorded->facts.dialect, form);
	return recorded;
}

static struct record_sink *
read_text(const char *text)
{
	struct record_sink *recorded = record_sink_new();

	ck_assert_int_eq(record_bytes(recorded, format, text, strlen(text), 0, false, NULL), 0);
	return recorded;
}

/* "time:nodes time:nodes", times in seconds from the first. */
static const char *
show_capacity(const struct record_sink *recorded)
{
	static char text[1024];
	size_t length = 0;

	text[0] = '\0';
	for (size_t i = 0; i < recorded->n_capacities && length < sizeof text; i++) {
		const struct capacity *capacity = &recorded->capacities[i];
		length += (size_t)snprintf(
		    text + length, sizeof text - length, "%s%" PRId64 ":%" PRId64, i ? " " : "",
		    (capacity->time_ns - recorded->capacities[0].time_ns) / S, capacity->nodes);
	}
	return text;
}

static const char *
show_changes(const struct record_sink *recorded)
{
	static char text[1024];
	size_t length = 0;

	text[0] = '\0';
	for (size_t i = 0; i < recorded->n_preemptions && length < sizeof text; i++) {
		const struct preemption *change = &recorded->preemptions[i];
		length += (size_t)snprintf(
		    text + length, sizeof text - length, "%s%" PRId64 ":%" PRId64, i ? " " : "",
		    (change->time_ns - recorded->preemptions[0].time_ns) / S, change->nodes);
	}
	return text;
}

static const char *
show_span(const struct record_sink *recorded, size_t index)
{
	static char text[1024];

	ck_assert_uint_lt(index, recorded->n_spans);
	const struct span *span = &recorded->spans[index];
	snprintf(text, sizeof text, "%s %s %" PRId64 "+%" PRId64 " | %s | %s",
	         record_text(recorded, span->category), record_text(recorded, span->name),
	         span->start_ns / 1000000, span->duration_ns / 1000000,
	         record_lane(recorded, span->lane),
	         record_args(recorded, span->args, span->n_args));
	return text;
}

static bool
has_problem(const struct record_sink *recorded, const char *part)
{
	for (size_t i = 0; i < recorded->n_problems; i++) {
		if (strstr(recorded->problems[i].reason, part)) {
			return true;
		}
	}
	return false;
}

START_TEST(node)
{
	struct record_sink *recorded = read_fixture("small-8-node-trace.csv", "node");

	ck_assert_int_eq(recorded->facts.clock, CLOCK_WALL);
	ck_assert_uint_eq(recorded->facts.records, 5);
	ck_assert_int_eq(recorded->capacities[0].time_ns, INT64_C(1627342800) * S);
	ck_assert_str_eq(show_capacity(recorded), "0:4 600:9 900:7 1500:8 1800:0");
	ck_assert_str_eq(record_text(recorded, recorded->capacities[0].group), "small-8");
	ck_assert_uint_eq(recorded->n_preemptions, 0);
	ck_assert_uint_eq(recorded->n_counters, 5);
	ck_assert_str_eq(record_lane(recorded, recorded->counters[0].lane),
	                 "counter -/-/- small-8");
	ck_assert_uint_eq(recorded->n_problems, 2);
	ck_assert(has_problem(recorded, "the count reaches 9, more than"));
	ck_assert(has_problem(recorded, "takes all 8 instances at once"));
	record_sink_free(recorded);
}
END_TEST

START_TEST(terminate_goes_over_midnight)
{
	struct record_sink *recorded = read_fixture("small-8-terminate-trace.csv", "terminate");

	ck_assert_str_eq(show_changes(recorded), "0:1 240:2 900:1");
	ck_assert_str_eq(record_text(recorded, recorded->preemptions[0].group), "small-8");
	ck_assert_uint_eq(recorded->n_problems, 1);
	ck_assert_uint_eq(recorded->problems[0].record, 4);
	ck_assert_int_eq(recorded->problems[0].kind, PROBLEM_SUSPICIOUS);
	ck_assert_uint_eq(recorded->n_events, 3);
	record_sink_free(recorded);

	/* Two midnights: days add up. */
	recorded = read_text("timestamp,number\n2021-07-26T23:00:00Z,1\n2021-07-26T01:00:00Z,1\n"
	                     "2021-07-26T22:00:00Z,1\n2021-07-26T02:00:00Z,1\n");
	ck_assert_str_eq(show_changes(recorded), "0:1 7200:1 82800:1 97200:1");
	ck_assert_uint_eq(recorded->n_problems, 2);
	record_sink_free(recorded);
}
END_TEST

START_TEST(additions_and_drops)
{
	struct record_sink *recorded = read_fixture("small-8-additions-trace.csv", "additions");
	ck_assert_str_eq(show_changes(recorded), "0:-5 900:-1");
	record_sink_free(recorded);
	recorded = read_fixture("small-8-found-preemptions.csv", "found");
	ck_assert_str_eq(show_changes(recorded), "0:2 900:8");
	ck_assert_str_eq(record_text(recorded, recorded->preemptions[0].group), "small-8");
	record_sink_free(recorded);
}
END_TEST

START_TEST(files_of_one_trace_are_compared)
{
	static const char *const names[] = {"small-8-node-trace.csv", "small-8-terminate-trace.csv",
	                                    "small-8-additions-trace.csv",
	                                    "small-8-found-preemptions.csv"};
	static const char *const forms[] = {"node", "terminate", "additions", "found"};
	const char *folder = getenv("LANESCOPE_SRCDIR");
	void *facts[5] = {NULL};
	char path[4096];

	for (size_t i = 0; i < 4; i++) {
		struct record_sink *recorded = record_sink_new();
		snprintf(path, sizeof path, "%s/tests/data/preemption/%s", folder ? folder : ".",
		         names[i]);
		ck_assert_int_eq(record_file(recorded, format, path, false, &facts[i]), 0);
		ck_assert_str_eq(recorded->facts.dialect, forms[i]);
		record_sink_free(recorded);
	}
	struct record_sink *recorded = record_sink_new();
	format->conclude(facts, 5, &recorded->sink);
	ck_assert_uint_eq(recorded->n_problems, 2); /* the drops found are those of the count */
	ck_assert(has_problem(recorded, "drops of the count sum to 10, the terminations to 4"));
	ck_assert(has_problem(
	    recorded, "rises in the file of form additions bear the time of the row before"));
	record_sink_free(recorded);
	for (size_t i = 0; i < 5; i++) {
		format->free_facts(facts[i]);
	}
}
END_TEST

/* Of the drops that were found none is that of the count. */
START_TEST(drops_that_are_others)
{
	static const char *const texts[] = {
	    "timestamp,count\n2021-07-26T23:40:00Z,4\n2021-07-26T23:50:00Z,9\n"
	    "2021-07-26T23:55:00Z,7\n2021-07-27T00:05:00Z,8\n",
	    ",dt,count\n0,2021-07-26 23:55:00,3\n1,2021-07-27 00:10:00,8\n"};
	void *facts[2] = {NULL};

	for (size_t i = 0; i < 2; i++) {
		struct record_sink *recorded = record_sink_new();
		ck_assert_int_eq(
		    record_bytes(recorded, format, texts[i], strlen(texts[i]), 0, false, &facts[i]),
		    0);
		ck_assert_str_eq(recorded->facts.dialect, i ? "found" : "node");
		record_sink_free(recorded);
	}
	struct record_sink *recorded = record_sink_new();
	format->conclude(facts, 2, &recorded->sink);
	ck_assert_uint_eq(recorded->n_problems, 1);
	ck_assert(has_problem(recorded, "of form found does not hold the drops of the count"));
	record_sink_free(recorded);
	for (size_t i = 0; i < 2; i++) {
		format->free_facts(facts[i]);
	}
}
END_TEST

START_TEST(counts)
{
	struct record_sink *recorded = read_fixture("group-InService.csv", "asg");
	ck_assert_str_eq(show_capacity(recorded), "0:0 60:16 120:15");
	record_sink_free(recorded);

	recorded = read_fixture("counts.csv", "p3counts");
	ck_assert_int_eq(recorded->facts.clock, CLOCK_RELATIVE);
	ck_assert_str_eq(show_capacity(recorded), "0:1 0:2 0:3 7:2 9:3 9:4");
	ck_assert_str_eq(record_tag(recorded, "counts", "length_ms"), "9000");
	record_sink_free(recorded);

	recorded = read_fixture("steps.csv", "steps"); /* hours */
	ck_assert_str_eq(show_capacity(recorded), "0:0 108:0 108:9 212:9 212:2");
	ck_assert_int_eq(recorded->capacities[4].time_ns, INT64_C(212400) * 1000000);
	record_sink_free(recorded);

	recorded = read_text("0,0\n21529,0\n21529,4\n"); /* seconds */
	ck_assert_str_eq(recorded->facts.dialect, "steps");
	ck_assert_str_eq(show_capacity(recorded), "0:0 21529:0 21529:4");
	record_sink_free(recorded);

	recorded = read_text("0,8");
	ck_assert_str_eq(recorded->facts.dialect, "steps");
	ck_assert_str_eq(show_capacity(recorded), "0:8");
	record_sink_free(recorded);
}
END_TEST

START_TEST(probes_are_sorted)
{
	struct record_sink *recorded = read_fixture("probes.txt", "gcloud");

	ck_assert_str_eq(show_capacity(recorded), "0:80 60:70 120:81 120:70");
	ck_assert_uint_eq(recorded->n_problems, 2);
	ck_assert(has_problem(recorded, "time goes backward once, in line 3"));
	ck_assert(has_problem(recorded, "1 time stands more than once, first in line 4"));
	record_sink_free(recorded);
}
END_TEST

START_TEST(named_instances)
{
	struct record_sink *recorded = read_fixture("events.csv", "events");

	ck_assert_str_eq(show_capacity(recorded), "0:2 5:2 9:1 12:2");
	ck_assert_str_eq(show_changes(recorded), "0:-2 5:1 5:-1 9:1 12:-1");
	ck_assert_uint_eq(recorded->n_spans, 4);
	ck_assert_str_eq(show_span(recorded, 0),
	                 "instance active 0+5000 | instance events/-/node1 node1 | ");
	ck_assert_str_eq(show_span(recorded, 1),
	                 "instance active 0+9000 | instance events/-/node2 node2 | ");
	ck_assert_str_eq(show_span(recorded, 2),
	                 "instance active 12000+0 | instance events/-/node1 node1 | ");
	ck_assert_str_eq(show_span(recorded, 3),
	                 "instance active 5000+7000 | instance events/-/node3 node3 | ");
	ck_assert_uint_eq(recorded->n_problems, 0);
	record_sink_free(recorded);

	recorded = read_text("0,add,a\n1,remove,b\n2,add,a\n1,remove,a\n2,add,a\n");
	ck_assert_uint_eq(record_problems(recorded, PROBLEM_DUPLICATE), 1);
	ck_assert_uint_eq(recorded->problems[1].record, 5);
	ck_assert(has_problem(recorded, "removes an instance that is not there"));
	ck_assert(has_problem(recorded, "time goes backward once, in line 4: the rows are "
	                                "sorted by time"));
	record_sink_free(recorded);
}
END_TEST

static size_t
count_told(const struct record_sink *recorded)
{
	return recorded->n_events + recorded->n_counters + recorded->n_spans +
	       recorded->n_capacities + recorded->n_preemptions + recorded->n_tags +
	       recorded->n_problems;
}

/* Nothing is told after the sink said so, whatever it was told then. */
START_TEST(stopping)
{
	static const char text[] = "0,add,a\n1,remove,a\n2,add,b\n3,add,c\n";
	struct record_sink *whole = read_text(text);
	int n = (int)count_told(whole);

	ck_assert_uint_eq(whole->n_preemptions, 4);
	for (int after = 0; after < n; after++) {
		struct record_sink *recorded = record_sink_new();
		recorded->stop_after = after;
		ck_assert_int_eq(
		    record_bytes(recorded, format, text, sizeof text - 1, 0, false, NULL), -1);
		ck_assert_int_eq(count_told(recorded), after + 1);
		ck_assert(!recorded->has_facts);
		record_sink_free(recorded);
	}
	record_sink_free(whole);
}
END_TEST

/* Whatever order the lines stand in, what is derived is that of the sorted trace. */
START_TEST(order_of_lines_does_not_matter)
{
	static const char *const traces[][9] = {
	    {"0,add,a", "10,add,b", "20,remove,a", "30,add,c", "40,remove,b", "50,add,a",
	     "60,remove,c", "70,add,d"},
	    {"0,1", "10,2", "20,1", "30,2", "40,5", "50,4", "60,1", "70,0"},
	    {"[0, \"add\", {\"nodes\": [\"a\", \"b\"]}]", "[10, \"remove\", {\"nodes\": [\"a\"]}]",
	     "[20, \"add\", {\"nodes\": [\"c\"]}]", "[30, \"no-op\", {}]",
	     "[40, \"remove\", {\"nodes\": [\"b\"]}]", "[50, \"add\", {\"nodes\": [\"a\"]}]",
	     "[60, \"remove\", {\"nodes\": [\"c\"]}]", "[70, \"DONE\", {\"duration\": 5}]"},
	};
	char sorted[3][1024] = {""};
	struct prng prng = {5 + (uint64_t)_i};

	for (int round = 0; round < 50; round++) {
		struct strbuf text = {0};
		size_t places[8];
		for (size_t i = 0; i < 8; i++) {
			size_t j = round ? prng_below(&prng, i + 1) : i;
			places[i] = places[j];
			places[j] = i;
		}
		for (size_t i = 0; i < 8; i++) {
			strbuf_printf(&text, "%s\n", traces[_i][places[i]]);
		}
		struct record_sink *recorded = read_text(text.data);
		const char *found[] = {show_capacity(recorded), show_changes(recorded)};
		for (int k = 0; k < 2; k++) {
			if (round == 0) {
				snprintf(sorted[k], sizeof sorted[k], "%s", found[k]);
			}
			ck_assert_str_eq(found[k], sorted[k]);
		}
		for (size_t i = 0; i < recorded->n_spans; i++) {
			ck_assert_int_ge(recorded->spans[i].duration_ns, 0);
		}
		ck_assert(has_problem(recorded, "the rows are sorted by time") ==
		          (recorded->n_problems > 0));
		if (round == 0) {
			ck_assert_uint_eq(recorded->n_problems, 0);
		}
		record_sink_free(recorded);
		strbuf_free(&text);
	}
}
END_TEST

/* Rows in any order within a window, more of them than are kept at once. */
START_TEST(sorting_is_bounded)
{
	struct strbuf text = {0};
	const uint64_t n = UINT64_C(5) << 20;

	for (uint64_t i = 0; i < n; i++) {
		uint64_t place = i ^ (i > 0 && i < n - 64 ? 63 : 0); /* blocks of 64, backward */
		strbuf_printf(&text, "%" PRIu64 ",%u\n", place, (unsigned)(place % 7));
	}
	strbuf_add_text(&text, "1,1\n"); /* too late */
	struct record_sink *recorded = read_text(text.data);
	ck_assert_uint_eq(recorded->n_capacities, n);
	for (size_t i = 1; i < recorded->n_capacities; i++) {
		ck_assert_int_ge(recorded->capacities[i].time_ns,
		                 recorded->capacities[i - 1].time_ns);
		ck_assert_int_eq(recorded->capacities[i].nodes,
		                 (recorded->capacities[i].time_ns / 1000000) % 7);
	}
	ck_assert(has_problem(recorded, "stands too far behind rows of later times"));
	ck_assert_uint_eq(recorded->facts.bad_records, 1);
	record_sink_free(recorded);
	strbuf_free(&text);
}
END_TEST

START_TEST(json_lines)
{
	struct record_sink *recorded = read_fixture("lines.txt", "jsonl");

	ck_assert_str_eq(show_capacity(recorded), "0:2 120:1");
	ck_assert_str_eq(show_changes(recorded), "0:-2 120:1");
	ck_assert_str_eq(record_tag(recorded, "lines", "length_ms"), "150000");
	ck_assert_uint_eq(recorded->n_events, 5); /* three lines, two changes */
	ck_assert_str_eq(
	    record_args(recorded, recorded->events[0].args, recorded->events[0].n_args),
	    "throughput_opt_strategy=[2,1]");
	ck_assert_str_eq(show_span(recorded, 0),
	                 "instance active 0+120000 | instance lines/-/a a | ");
	ck_assert_str_eq(show_span(recorded, 1),
	                 "instance active 0+150000 | instance lines/-/b b | ");
	record_sink_free(recorded);

	recorded =
	    read_text("[0, \"add\", {\"nodes\": [\"a\"]}]\n[1, \"add\", {\"nodes\": [7]}]\n"
	              "[2, \"DONE\", {\"nodes\": []}]\n[3, \"remove\", {\"nodes\": [\"a\"]}]\n[4,");
	ck_assert_uint_eq(recorded->facts.bad_records, 2);
	ck_assert_uint_eq(record_problems(recorded, PROBLEM_MALFORMED), 1);
	ck_assert_uint_eq(record_problems(recorded, PROBLEM_TRUNCATED), 1);
	ck_assert(has_problem(recorded, "behind the row that ends the trace"));
	record_sink_free(recorded);
}
END_TEST

START_TEST(points_at_equal_distances)
{
	struct record_sink *recorded = read_fixture("zone.json", "sky");

	ck_assert_str_eq(show_capacity(recorded), "0:0 300:3 600:3 900:16");
	ck_assert_str_eq(record_tag(recorded, "zone", "length_ms"), "1200000");
	ck_assert_str_eq(record_tag(recorded, "zone", "gap_seconds"), "300");
	record_sink_free(recorded);

	recorded = read_text(
	    "{\"metadata\": {\"gap_seconds\": 0.5}, \"data\": [0, 0.35, 0.0, \"x\", [1], 2]}");
	ck_assert_uint_eq(recorded->n_capacities, 4);
	ck_assert_int_eq(recorded->capacities[1].nodes, 1);
	ck_assert_int_eq(recorded->capacities[2].nodes, 0);
	ck_assert_int_eq(recorded->capacities[3].time_ns, 5 * S / 2);
	ck_assert(has_problem(recorded, "2 values are prices"));
	ck_assert_uint_eq(recorded->facts.bad_records, 2);
	record_sink_free(recorded);

	recorded = read_text("{\"data\": [0, 1, 2], \"metadata\": {\"gap_seconds\": 60}}");
	ck_assert_str_eq(show_capacity(recorded), "0:0 60:1 120:2");
	ck_assert_str_eq(
	    record_tag(recorded, record_text(recorded, recorded->capacities[0].group), "length_ms"),
	    "180000");
	record_sink_free(recorded);

	recorded = read_text("{\"metadata\": {\"gap_seconds\": 60}, \"data\": [1, 2");
	ck_assert_uint_eq(recorded->n_capacities, 2);
	ck_assert_uint_eq(record_problems(recorded, PROBLEM_MALFORMED), 1);
	record_sink_free(recorded);
}
END_TEST

/* No point is lost: a second apart, and it is said. */
START_TEST(points_at_unknown_distances)
{
	static const char *const without[] = {
	    "{\"data\": [0, 1, 2], \"metadata\": {\"gap_seconds\": 0}}",
	    "{\"metadata\": {\"gap_seconds\": -1}, \"data\": [0, 1, 2]}"};
	enum { MANY = 100000 }; /* more than is looked at to recognise the form */
	struct strbuf many = {0};
	struct record_sink *recorded;

	for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
		recorded = read_text(without[i]);
		ck_assert_str_eq(show_capacity(recorded), "0:0 1:1 2:2");
		ck_assert_uint_eq(recorded->facts.records, 3);
		ck_assert_uint_eq(record_problems(recorded, PROBLEM_MISSING), 1);
		ck_assert(
		    has_problem(recorded, "no gap_seconds: points are taken to be a second apart"));
		ck_assert_str_eq(record_tag(recorded,
		                            record_text(recorded, recorded->capacities[0].group),
		                            "length_ms"),
		                 "3000");
		record_sink_free(recorded);
	}

	for (int i = 0; i < MANY; i++) {
		strbuf_printf(&many, "%s%d", i ? ", " : "{\"data\": [", i % 7);
	}
	strbuf_add_text(&many, "]}");
	recorded = read_text(many.data);
	ck_assert_uint_eq(recorded->facts.records, MANY);
	ck_assert_uint_eq(recorded->n_capacities, MANY);
	ck_assert_int_eq(recorded->capacities[MANY - 1].time_ns, (MANY - 1) * S);
	ck_assert_uint_eq(record_problems(recorded, PROBLEM_MISSING), 1);
	record_sink_free(recorded);
	strbuf_free(&many);
}
END_TEST

START_TEST(intervals)
{
	struct record_sink *recorded = read_fixture("liveput.json", "liveput");

	ck_assert_str_eq(show_capacity(recorded), "0:3 60:2");
	ck_assert_str_eq(show_changes(recorded), "0:-3 60:2 60:-1");
	ck_assert_uint_eq(recorded->n_spans, 2);
	ck_assert_str_eq(show_span(recorded, 1),
	                 "trace interval 60000+60000 | counter -/-/- liveput | "
	                 "throughut-opt=[2,1]");
	ck_assert_str_eq(record_tag(recorded, "liveput", "length_ms"), "120000");
	record_sink_free(recorded);

	recorded =
	    read_text("[{\"interval\": [1, 0, 0], \"duration\": 5}, {\"interval\": [2, 1, 9]}, 7, "
	              "{\"interval\": [1, \"x\", {}], \"a\": [[]]}, {\"interval\": [2, 0, 1]}]");
	ck_assert_uint_eq(recorded->facts.records, 2);
	ck_assert_uint_eq(recorded->facts.bad_records, 3);
	ck_assert(has_problem(recorded, "interval 5 begins with 2 instances, where 1 were left"));
	record_sink_free(recorded);
}
END_TEST

START_TEST(profile_spans)
{
	struct record_sink *recorded = read_fixture("profile/reconfig.csv", "reconfig");
	ck_assert_uint_eq(recorded->n_spans, 3);
	ck_assert_str_eq(show_span(recorded, 0),
	                 "reconfig reconfiguration 1000000000500+2250 | "
	                 "controller -/-/- job | world_size=2 elapsed_s=2.25");
	ck_assert_uint_eq(recorded->n_samples, 2);
	ck_assert_str_eq(record_text(recorded, recorded->samples[1].name), "reconfig.elapsed_s");
	ck_assert_uint_eq(recorded->samples[1].n_values, 3);
	ck_assert(recorded->samples[1].values[1] == 5.5);
	record_sink_free(recorded);

	recorded = read_fixture("profile/loop_times_0.csv", "loop_times");
	ck_assert_str_eq(show_span(recorded, 1),
	                 "loop iteration 1000000026000+2000 | thread -/0/- rank 0 | "
	                 "world_size=4 step=2 train_s=1.5 "
	                 "checkpoint_start_s=0.25 total_s=2.0");
	ck_assert_str_eq(record_text(recorded, recorded->trials[0].name), "rank 0");
	ck_assert_uint_eq(recorded->n_samples, 5);
	record_sink_free(recorded);

	recorded = read_fixture("profile/engine-timing_0.csv", "engine-timing");
	ck_assert_str_eq(show_span(recorded, 0), "engine move-to-cpu 1000000005000+500 | thread "
	                                         "-/0/engine rank 0 engine | elapsed_s=0.5");
	record_sink_free(recorded);

	recorded = read_fixture("profile/dt_reconfig.csv", "dt_reconfig");
	ck_assert_str_eq(record_lane(recorded, recorded->spans[0].lane),
	                 "controller -/-/- job (dt_reconfig)");
	record_sink_free(recorded);
}
END_TEST

START_TEST(profile_values)
{
	struct record_sink *recorded =
	    read_fixture("profile/async-checkpoint_0.csv", "async-checkpoint");
	ck_assert_uint_eq(recorded->n_samples, 1);
	ck_assert(recorded->samples[0].values[1] == 8.5);
	ck_assert_str_eq(record_text(recorded, recorded->samples[0].type), "float64");
	ck_assert_uint_eq(recorded->n_problems, 0);
	record_sink_free(recorded);

	recorded = read_fixture("profile/async-checkpoint_3.csv", "async-checkpoint");
	ck_assert_str_eq(record_text(recorded, recorded->trials[0].name), "rank 3");
	ck_assert(has_problem(recorded, "this rank writes none"));
	record_sink_free(recorded);

	recorded = read_fixture("profile/load_times_0.csv", "load_times");
	ck_assert_str_eq(record_text(recorded, recorded->samples[2].name), "load_times.elapsed_s");
	ck_assert(recorded->samples[2].values[0] == 0.0625);
	record_sink_free(recorded);

	recorded = read_fixture("profile/train-loss-time.csv", "train-loss-time");
	ck_assert_uint_eq(recorded->n_counters, 4);
	ck_assert_str_eq(record_lane(recorded, recorded->counters[2].lane), "counter -/-/- loss");
	ck_assert(recorded->counters[2].value == 11.5);
	ck_assert_str_eq(record_args(recorded, recorded->counters[2].args, 1), "step=2");
	record_sink_free(recorded);

	recorded = read_fixture("profile/dt_tlt.csv", "dt_tlt");
	ck_assert_str_eq(record_lane(recorded, recorded->counters[0].lane),
	                 "counter -/-/- loss (dt_tlt)");
	record_sink_free(recorded);

	recorded = read_fixture("profile/crash-time.txt", "crash-time");
	ck_assert_int_eq(recorded->events[0].time_ns, INT64_C(1000000045250000000));
	record_sink_free(recorded);

	recorded = read_fixture("profile/exp-info.json", "exp-info");
	ck_assert_str_eq(record_tag(recorded, "-", "pipe-depth"), "2");
	ck_assert_str_eq(record_tag(recorded, "-", "deepspeed-config.fp16.enabled"), "true");
	ck_assert_str_eq(record_tag(recorded, "-", "deepspeed-config.sizes"), "[1,2]");
	record_sink_free(recorded);
}
END_TEST

START_TEST(bad_rows)
{
	struct record_sink *recorded =
	    read_text("\xef\xbb\xbftimestamp,count\r\n2021-07-26T18:42:00Z,8\r\n\r\n"
	              "2021-02-30T18:42:00Z,8\r\n2021-07-26T18:43:00Z,-1\r\n"
	              "2021-07-26T18:44:00Z\r\n2021-07-26T25:44:00Z,1\r\n2021-07-26 "
	              "18:45:00.5,9\r\nx\"y,3\r\n2021-07-26T1");

	ck_assert_str_eq(show_capacity(recorded), "0:8 180:9");
	ck_assert_uint_eq(recorded->facts.bad_records, 6);
	ck_assert_uint_eq(record_problems(recorded, PROBLEM_INVALID), 4);
	ck_assert_uint_eq(record_problems(recorded, PROBLEM_MALFORMED), 1);
	ck_assert_uint_eq(record_problems(recorded, PROBLEM_TRUNCATED), 1);
	ck_assert_uint_eq(recorded->problems[0].record, 4);
	record_sink_free(recorded);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("import_preemption");
	TCase *forms = tcase_create("forms");

	tcase_add_test(forms, node);
	tcase_add_test(forms, terminate_goes_over_midnight);
	tcase_add_test(forms, additions_and_drops);
	tcase_add_test(forms, files_of_one_trace_are_compared);
	tcase_add_test(forms, drops_that_are_others);
	tcase_add_test(forms, counts);
	tcase_add_test(forms, probes_are_sorted);
	tcase_add_test(forms, named_instances);
	tcase_add_test(forms, stopping);
	tcase_add_loop_test(forms, order_of_lines_does_not_matter, 0, 3);
	tcase_add_test(forms, sorting_is_bounded);
	tcase_set_timeout(forms, 60);
	tcase_add_test(forms, json_lines);
	tcase_add_test(forms, points_at_equal_distances);
	tcase_add_test(forms, points_at_unknown_distances);
	tcase_add_test(forms, intervals);
	tcase_add_test(forms, profile_spans);
	tcase_add_test(forms, profile_values);
	tcase_add_test(forms, bad_rows);
	suite_add_tcase(suite, forms);
	return unit_run(suite);
}
