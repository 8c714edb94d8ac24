/* Many lines of a DFTracer trace at once, on several threads, against the same read line by line.
 * */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "input_gzip.h"
#include "batch_check.h"
#include "import/formats.h"
#include "util/number_set.h"

static const struct batch_check check = {.format = &import_dftracer};

/* Lines of all kinds, and what stands between them. */
static void
make_trace(struct prng *prng, struct strbuf *out)
{
	static const struct {
		const char *before, *after; /* of a number */
	} lines[] = {
	    {"{\"id\":1,\"name\":\"read\",\"cat\":\"POSIX\",\"pid\":1,\"tid\":2,\"dur\":3,\"ph\":"
	     "\"X\",\"args\":{\"hhash\":\"ab\",\"fhash\":\"f1\",\"ret\":7},\"ts\":",
	     "}"},
	    {"{\"name\":\"write\",\"cat\":\"STDIO\",\"pid\":\"1\",\"tid\":\"3\",\"dur\":\"5\","
	     "\"args\":{\"hostname\":\"n1\",\"size\":4,\"other\":[1,2]},\"id\":",
	     ",\"ts\":\"12\"},"},
	    {"{\"name\":\"a\\u00e9\\\"b\",\"cat\":\"x\",\"pid\":1,\"tid\":2,\"dur\":1,\"args\":"
	     "{\"k\\n\":\"v\\\\\",\"o\":{\"p\":[]}},\"ts\":",
	     "}"},
	    {"{\"name\":\"FH\",\"cat\":\"dftracer\",\"ph\":\"M\",\"pid\":1,\"tid\":1,\"args\":{"
	     "\"value\":\"f1\",\"name\":\"/p/",
	     "\"}}"},
	    {"{\"name\":\"c\",\"cat\":\"sys\",\"ph\":\"C\",\"pid\":1,\"tid\":0,\"args\":{\"v\":1.5,"
	     "\"p_idx\":3},\"ts\":",
	     "}"},
	    {"{\"name\":\"read\",\"cat\":\"POSIX\",\"ph\":\"C\",\"pid\":1,\"tid\":2,\"args\":{"
	     "\"dft_cnt\":4,\"dur_sum\":9,\"dur_min\":1,\"dur_max\":4,\"ret_sum\":8},\"ts\":",
	     "}"},
	    {"{\"name\":\"start\",\"cat\":\"dftracer\",\"ph\":\"X\",\"pid\":1,\"tid\":1,\"dur\":0,"
	     "\"args\":{\"cmd_hash\":\"s1\",\"exec_hash\":\"s2\"},\"ts\":",
	     "}"},
	    {"{\"name\":\"unknown\",\"k",
	     "\":1,\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1,\"ph\":\"Q\"}"},
	    {"{\"name\":\"twin\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":2,\"x\":1,\"args\":{\"x\":",
	     ",\"args.x\":2}}"},
	    {"{\"name\":\"broken\",\"ts\":", ""},
	    {"{\"name\":\"control\x01\",\"pid\":1,\"tid\":1,\"dur\":1,\"ts\":", "}"},
	    {"", ""},
	    {"[", ""},
	    {"\t\r", "\r"}};
	bool is_varied = prng_below(prng, 2);

	strbuf_add_text(out, prng_below(prng, 3) ? "[\n" : "\xef\xbb\xbf");
	for (unsigned i = 0; i < 600; i++) {
		uint64_t which = is_varied || prng_below(prng, 30) == 0
		                     ? prng_below(prng, COUNT_OF(lines))
		                     : prng_below(prng, 3);
		strbuf_printf(out, "%s%u%s\n", lines[which].before, 1000 + i * 7 % 500,
		              lines[which].after);
	}
	out->len -= prng_below(prng, 2);
}

START_TEST(made_traces)
{
	struct prng prng = {11};

	for (unsigned round = 0; round < 12; round++) {
		struct strbuf trace = {0};
		make_trace(&prng, &trace);
		check_damaged(&check, &prng, strbuf_slice(&trace), 8, "made");
		strbuf_free(&trace);
	}
}
END_TEST

/* Streams that break off, and good members behind damaged ones. */
START_TEST(gzip)
{
	const struct batch_check packed_check = {.format = &import_dftracer, .is_packed = true};
	struct prng prng = {29};

	for (unsigned round = 0; round < 6; round++) {
		struct strbuf trace = {0}, packed = {0};
		make_trace(&prng, &trace);
		add_member(&packed, strbuf_slice(&trace), 6);
		add_member(&packed, strbuf_slice(&trace), 1);
		check_damaged(&packed_check, &prng, strbuf_slice(&packed), 12, "gzip");
		strbuf_free(&trace);
		strbuf_free(&packed);
	}
}
END_TEST

START_TEST(lines_left_out)
{
	struct prng prng = {31};
	struct strbuf trace = {0};
	struct number_set *omitted = number_set_new();
	const struct batch_check without = {.format = &import_dftracer, .omitted = omitted};

	make_trace(&prng, &trace);
	for (unsigned i = 0; i < 100; i++) {
		number_set_add(omitted, prng_below(&prng, 700));
	}
	check_damaged(&without, &prng, strbuf_slice(&trace), 8, "left out");
	strbuf_free(&trace);
	number_set_free(omitted);
}
END_TEST

START_TEST(samples)
{
	check_samples(&check, "tests/data/dftracer/*.pfw", 12, "dftracer/*/*0.pfw*", 1);
}
END_TEST

/* More of them than are kept at once of a batch; and many without a record. */
START_TEST(tiny_lines)
{
	struct prng prng = {23};
	struct strbuf trace = {0};

	for (unsigned i = 0; i < 60000; i++) {
		strbuf_add_text(&trace, i % 8192 < 2   ? "{\"name\":\"a\",\"ts\":1}\n"
		                        : i / 9000 % 2 ? "\n"
		                                       : "{}\n");
	}
	check_trace(&check, &prng, strbuf_slice(&trace), "tiny");
	strbuf_free(&trace);
}
END_TEST

/* Some longer than a batch is, and one longer than is read. */
START_TEST(lines_of_any_length)
{
	static const char line[] = "{\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1}\n";
	struct prng prng = {17};
	struct strbuf trace = {0};
	size_t lengths[] = {1, 1000, 300000, 1200000, (size_t)5 << 20, INPUT_LINE_LIMIT + 1000};

	for (size_t i = 0; i < COUNT_OF(lengths); i++) {
		strbuf_add_text(&trace, "{\"name\":\"");
		for (size_t n = 0; n < lengths[i]; n += 10) {
			strbuf_add_text(&trace, "0123456789");
		}
		strbuf_add_text(&trace, "\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1}\n");
		for (unsigned k = 0; k < 5000; k++) {
			strbuf_add_text(&trace, line);
		}
	}
	check_trace(&check, &prng, strbuf_slice(&trace), "long");
	strbuf_free(&trace);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("import_dftracer_batches");
	TCase *tcase = tcase_create("all");

	tcase_set_timeout(tcase, 600);
	tcase_add_test(tcase, made_traces);
	tcase_add_test(tcase, gzip);
	tcase_add_test(tcase, lines_left_out);
	tcase_add_test(tcase, samples);
	tcase_add_test(tcase, tiny_lines);
	tcase_add_test(tcase, lines_of_any_length);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
