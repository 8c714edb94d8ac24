/* Many events of a Chrome trace at once: the fast parser against the tokenizer, and traces read in
 * batches, on one thread and on several, against the same read event by event. */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "unit.h"
#include "batch_check.h"
#include "import/formats.h"
#include "import/import_chrome.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/prng.h"

/* ---- one event ---- */

static void
show_value(struct strbuf *out, const struct chrome_value *value)
{
	strbuf_printf(out, "%d%d:", value->type, value->is_integer);
	strbuf_add_slice(out, chrome_text(value));
	strbuf_add_char(out, '|');
}

static void
show_record(const struct chrome_parser *parser, const struct chrome_record *record,
            struct strbuf *out)
{
	strbuf_clear(out);
	for (size_t i = 0; i < CHROME_FIELDS; i++) {
		show_value(out, &record->fields[i]);
	}
	for (size_t i = 0; i < record->n_pairs; i++) {
		const struct chrome_pair *pair = &parser->pairs[record->first_pair + i];
		strbuf_add_char(out, pair->is_member ? 'm' : 'a');
		show_value(out, &pair->key);
		show_value(out, &pair->value);
	}
	strbuf_printf(out, "%d%" PRId64 "%d%" PRId64 "%d%d%d", record->has_ts, record->ts_ns,
	              record->has_dur, record->dur_ns, record->has_args, record->has_odd_args,
	              record->is_cut);
}

/* Pieces of which events are made, right and wrong. */
static void
make_event(struct prng *prng, struct strbuf *out)
{
	static const char *const pieces[] = {"\"name\":\"read\"",
	                                     "\"ph\":\"X\"",
	                                     "\"ph\" : \"B\"",
	                                     "\"ts\":12.5",
	                                     "\"ts\": \"13\"",
	                                     "\"dur\":-3",
	                                     "\"pid\":1",
	                                     "\"tid\":\"two\"",
	                                     "\"id\":\"0x1\"",
	                                     "\"id2\":{\"local\":\"0x1\"}",
	                                     "\"bp\":\"e\"",
	                                     "\"bind_id\":7",
	                                     "\"flow_in\":true",
	                                     "\"flow_out\":true",
	                                     "\"flow_out\":false",
	                                     "\"scope\":\"s\"",
	                                     "\"sf\":3",
	                                     "\"cat\":\"a,b\"",
	                                     "\"args\":{",
	                                     "\"args\":{}",
	                                     "\"args\": {\n \"k\": [1, 2, {\"a\": null}]\n}",
	                                     "\"args\":null",
	                                     "\"args\":[1]",
	                                     "}",
	                                     ",",
	                                     "\"k\":0",
	                                     "\"k\":01",
	                                     "\"k\":-",
	                                     "\"k\":1.",
	                                     "\"k\":1.5e5",
	                                     "\"k\":NaN",
	                                     "\"k\":-Infinity",
	                                     "\"k\":nul",
	                                     "\"s\":\"a\\\"b\\u00e9\\ud83d\\ude00\\ud83d\"",
	                                     "\"s\":\"a\\x\"",
	                                     "\"s\":\"\x01\t\"",
	                                     "\"s\":\"\xc3\xa9\xff\"",
	                                     "\"\\u0074s\":7",
	                                     "\"o\":{ \"a\" : 1 , \"b\":[ ] }",
	                                     "\"o\":{\"a\":1,}",
	                                     "\"o\":{\"a\\n\":1}",
	                                     "\"l\":[1,,2]",
	                                     "\"l\":[\"x\\/y\", \"\xe2\x82\xac\", true, -0.5]",
	                                     "\"d\":[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]",
	                                     " ",
	                                     "\n\t",
	                                     "\"",
	                                     ":",
	                                     "{",
	                                     "\"quite_a_long_key_here\":\"and a long value, too\"",
	                                     "\"\":1",
	                                     "\"big\":123456789012345678901234567890"};

	strbuf_add_char(out, '{');
	for (uint64_t n = prng_below(prng, 12); n; n--) {
		strbuf_add_text(out, pieces[prng_below(prng, COUNT_OF(pieces))]);
		if (prng_below(prng, 8)) {
			strbuf_add_char(out, ',');
		}
	}
	if (out->data[out->len - 1] == ',' && prng_below(prng, 8)) {
		out->len--;
	}
	strbuf_add_text(out, prng_below(prng, 3) ? "}" : "}}");
}

START_TEST(parsers_agree)
{
	static const char zeroes[INPUT_PADDING];
	struct chrome_parser plain = {.texts = arena_new()}, full = {.texts = arena_new()};
	struct strbuf text = {0}, one = {0}, other = {0};
	struct chrome_record record;
	struct prng prng = {7};
	unsigned n_plain = 0, n_full = 0;
	char room[8192];

	for (unsigned round = 0; round < 100000; round++) {
		strbuf_clear(&text);
		make_event(&prng, &text);
		size_t len = text.len;
		strbuf_add(&text, zeroes, sizeof zeroes);
		ck_assert_uint_le(len, sizeof room);
		chrome_parser_clear(&plain);
		chrome_parser_clear(&full);
		plain.room = room;
		const char *end = chrome_parse_plain(&plain, text.data, text.data + len, &record);
		show_record(&plain, &record, &one);
		json_begin(&full.json, (struct slice){text.data, len}, CHROME_JSON_FLAGS);
		bool is_good = chrome_parse_record(&full, &record);
		n_plain += end != NULL;
		n_full += is_good;
		if (end) {
			ck_assert_msg(is_good, "%.*s", (int)len, text.data);
			ck_assert_uint_eq((size_t)(end - text.data), json_offset(&full.json));
			ck_assert(plain.room <= room + len);
			show_record(&full, &record, &other);
			ck_assert_msg(slice_equal(strbuf_slice(&one), strbuf_slice(&other)),
			              "%.*s\n%s\n%s", (int)len, text.data, one.data, other.data);
		}
	}
	ck_assert_uint_gt(n_plain, 3000); /* the test reaches both */
	ck_assert_uint_gt(n_full, n_plain + 1000);
	strbuf_free(&text);
	strbuf_free(&one);
	strbuf_free(&other);
	chrome_parser_fini(&plain);
	chrome_parser_fini(&full);
}
END_TEST

/* ---- whole traces ---- */

static const struct batch_check check = {.format = &import_chrome};

/* Events that a cut may be wrong about: others like them in their arguments and in their texts. */
static void
make_trace(struct prng *prng, struct strbuf *out)
{
	static const struct {
		const char *before, *after; /* of a number */
	} events[] = {
	    {"{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":2,\"dur\":1,\"args\":{},\"ts\":", "}"},
	    {"{\"ph\":\"X\",\"name\":\"b\",\"pid\":1,\"tid\":2,\"dur\":2,\"ts\":",
	     ",\"args\":{\"l\":[{\"ph\":1},{\"ph\":\"X\"},{\"ph\":\"X\"}]}}"},
	    {"{\"ph\":\"X\",\"name\":\"},\\n{\\\"ph\\\":\",\"pid\":1,\"tid\":3,\"dur\":1,\"ts\":",
	     "}"},
	    {"{\"ph\":\"X\",\"name\":\"},\n{\",\"pid\":1,\"tid\":3,\"dur\":1,\"ts\":", "}"},
	    {"{\"ph\":\"s\",\"name\":\"f\",\"pid\":1,\"tid\":2,\"ts\":7,\"id\":", "}"},
	    {"{\"name\":\"n\",\"ph\":\"B\",\"pid\":1,\"tid\":4,\"ts\":", "}"},
	    {"{\"ph\":\"E\",\"pid\":1,\"tid\":4,\"ts\":", "}"},
	    {"{\"ph\":\"C\",\"name\":\"c\",\"pid\":1,\"ts\":", ",\"args\":{\"v\":1e3}}"},
	    {"{\"ph\":\"X\",\"pid\":1,\"tid\":2,\"dur\":1,\"name\":\"late ", "\"}"},
	    {"", ""}};
	bool is_varied = prng_below(prng, 2);

	strbuf_add_text(out, "{\"a\":1,\"traceEvents\":[");
	for (unsigned i = 0; i < 600; i++) {
		uint64_t which = is_varied || prng_below(prng, 50) == 0
		                     ? prng_below(prng, COUNT_OF(events))
		                     : prng_below(prng, 2);
		strbuf_printf(out, "%s%s%u%s", i ? ",\n" : "", events[which].before, i,
		              events[which].after);
	}
	strbuf_add_text(out, "],\"z\":[{\"ph\":1},{\"ph\":2},{\"ph\":3}],\"samples\":[");
	for (unsigned i = 0; i < 50; i++) {
		strbuf_printf(out, "%s{\"ts\":%u,\"pid\":1,\"tid\":2,\"weight\":1}", i ? "," : "",
		              i);
	}
	strbuf_add_text(out, "]}");
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

START_TEST(samples)
{
	check_samples(&check, "tests/data/chrome/*.json", 20, "chrome/*.json*", 2);
}
END_TEST

/* More of them than are kept at once of a batch. */
START_TEST(tiny_events)
{
	struct prng prng = {23};
	struct strbuf trace = {0};

	strbuf_add_char(&trace, '[');
	for (unsigned i = 0; i < 40000; i++) {
		strbuf_add_text(&trace,
		                i % 8192 < 2 || i == 30000 ? "{\"ph\":\"i\",\"ts\":7}," : "{},");
	}
	strbuf_add_text(&trace, "{}]");
	check_trace(&check, &prng, strbuf_slice(&trace), "tiny");
	trace.data[100000] = '!';
	check_trace(&check, &prng, strbuf_slice(&trace), "tiny");
	strbuf_free(&trace);
}
END_TEST

/* Some longer than a batch is. */
START_TEST(events_of_any_length)
{
	struct prng prng = {17};
	struct strbuf trace = {0};

	strbuf_add_char(&trace, '[');
	for (size_t length = 1; length < (size_t)3 << 20; length = length * 5 + 1) {
		for (unsigned i = 0; i < 3; i++) {
			strbuf_add_text(&trace, "{\"ph\":\"i\",\"ts\":1,\"name\":\"");
			for (size_t n = 0; n < length; n++) {
				strbuf_add_char(&trace, (char)('a' + n % 26));
			}
			strbuf_add_text(&trace, "\"},");
		}
	}
	strbuf_add_text(&trace, "{\"ph\":\"i\",\"ts\":1}]");
	check_trace(&check, &prng, strbuf_slice(&trace), "long");
	strbuf_free(&trace);
}
END_TEST

struct element {
	uint32_t thread, number;
	int64_t time_ns;
};

static int
compare_numbers(const void *a, const void *b)
{
	const struct element *x = a, *y = b;

	return ORDER(x->number, y->number);
}

static int
compare_elements(const void *a, const void *b)
{
	const struct element *x = *(void *const *)a, *y = *(void *const *)b;

	ORDER_BY(x->thread, y->thread);
	ORDER_BY(x->time_ns, y->time_ns);
	return ORDER(x->number, y->number);
}

START_TEST(order_is_as_sorting)
{
	enum { MOST_ELEMENTS = 300, THREADS = 5 };
	const struct chrome_ordering ordering = {
	    THREADS, sizeof(struct element), offsetof(struct element, time_ns), compare_numbers};
	struct prng prng = {19};

	for (unsigned round = 0; round < 3000; round++) {
		struct element elements[MOST_ELEMENTS];
		void *expected[MOST_ELEMENTS];
		size_t n = prng_below(&prng, MOST_ELEMENTS);
		uint64_t part = 1 + prng_below(&prng, 60), step = prng_below(&prng, 3);
		int64_t time_ns = 0;
		for (size_t i = 0; i < n; i++) {
			bool is_back = prng_below(&prng, part) == 0;
			time_ns = is_back ? -(int64_t)prng_below(&prng, 50)
			                  : time_ns + (int64_t)prng_below(&prng, step + 1);
			elements[i] = (struct element){(uint32_t)prng_below(&prng, THREADS),
			                               (uint32_t)prng_below(&prng, 4), time_ns};
			expected[i] = &elements[i];
		}
		void **ordered = chrome_order(elements, n, &ordering);
		SORT(expected, n, compare_elements);
		for (size_t i = 0; i < n; i++) {
			ck_assert_int_eq(compare_elements(&ordered[i], &expected[i]), 0);
		}
		free(ordered);
	}
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("import_chrome_batches");
	TCase *tcase = tcase_create("all");

	tcase_set_timeout(tcase, 600);
	tcase_add_test(tcase, parsers_agree);
	tcase_add_test(tcase, made_traces);
	tcase_add_test(tcase, samples);
	tcase_add_test(tcase, tiny_events);
	tcase_add_test(tcase, events_of_any_length);
	tcase_add_test(tcase, order_is_as_sorting);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
