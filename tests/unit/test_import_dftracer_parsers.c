/* The two parsers of DFTracer's lines against each other. */
#include "config.h"

#include "dftracer_fixture.h"
#include "import/import_dftracer.h"
#include "util/prng.h"

static void
show_value(struct strbuf *out, const struct dftracer_value *value)
{
	strbuf_printf(out, "%d%d:", value->type, value->is_integer);
	if (value->type == DFTRACER_STRING || value->type == DFTRACER_NUMBER) {
		strbuf_add(out, value->ptr, value->len);
	}
	strbuf_add_char(out, '|');
}

static void
show_record(const struct dftracer_parser *parser, struct strbuf *out)
{
	strbuf_clear(out);
	for (size_t i = 0; i < DFTRACER_TOPS; i++) {
		show_value(out, &parser->record.top[i]);
	}
	for (size_t i = 0; i < parser->record.n_pairs; i++) {
		const struct dftracer_pair *pair = &parser->record.pairs[i];
		struct slice key = intern_text(parser->key_names, pair->key);
		strbuf_printf(out, "%u ", pair->level);
		strbuf_add(out, key.ptr, key.len);
		strbuf_add_char(out, '=');
		show_value(out, &pair->value);
	}
}

/* Pieces of which lines are made, right and wrong. */
static void
make_line(struct prng *prng, struct strbuf *line)
{
	static const char *const pieces[] = {
	    "\"name\":\"read\"",
	    "\"ts\":12",
	    "\"dur\":\"3\"",
	    "\"args\":{",
	    "\"args\":{}",
	    "}",
	    "},",
	    ",",
	    ",",
	    ",",
	    ",",
	    "\"k\":-1.50",
	    "\"k\":0",
	    "\"k\":01",
	    "\"k\":-",
	    "\"k\":1.",
	    "\"k\":1e5",
	    "\"t\":true",
	    "\"f\":false",
	    "\"n\":null",
	    "\"n\":nul",
	    "\"s\":\"a\\\"b\"",
	    "\"s\":\"\x01\"",
	    "\"s\":\"\xc3\xa9\"",
	    "\"s\":\"\xff\"",
	    "\"o\":{\"a\":1}",
	    "\"l\":[1,2]",
	    " ",
	    "\t",
	    "\"",
	    ":",
	    "{",
	    "\"quite_a_long_key_here\":\"and a value that is longer than sixteen bytes\"",
	    "\"pid\" : 7",
	    "\"tid\": \"8\"",
	    "\"x\":\"\"",
	    "\"\":1",
	    "\"big\":123456789012345678901234567890",
	    "\"k\":12345678",
	    "\"k\":\"123456789\"",
	};

	strbuf_clear(line);
	strbuf_add_char(line, '{');
	for (uint64_t n = prng_below(prng, 12); n; n--) {
		strbuf_add_text(line, pieces[prng_below(prng, sizeof pieces / sizeof *pieces)]);
		if (prng_below(prng, 3)) {
			strbuf_add_char(line, ',');
		}
	}
	if (line->data[line->len - 1] == ',' && prng_below(prng, 8)) {
		line->len--;
	}
	strbuf_add_text(line, prng_below(prng, 3) ? "}" : "}}");
}

START_TEST(parsers_agree)
{
	struct dftracer_parser *plain = dftracer_parser_new(false),
			       *full = dftracer_parser_new(false);
	struct strbuf line = {NULL, 0, 0}, one = {NULL, 0, 0}, other = {NULL, 0, 0};
	static const char after[INPUT_PADDING] = "\"}}}}}]\n\"\"\"";
	struct prng prng = {7};
	unsigned n_plain = 0, n_full = 0;

	for (unsigned round = 0; round < 60000; round++) {
		uint64_t column;
		make_line(&prng, &line);
		size_t len = line.len;
		strbuf_add(&line, after, sizeof after);
		struct slice text = {line.data, len};
		bool accepted = dftracer_parse_plain(plain, text);
		const char *why = dftracer_parse_json(full, text, &column);
		n_plain += accepted;
		n_full += !why;
		if (accepted) {
			ck_assert_msg(!why, "%.*s: %s", (int)len, line.data, why);
			show_record(plain, &one);
			show_record(full, &other);
			ck_assert_str_eq(one.data, other.data);
		}
	}
	ck_assert_uint_gt(n_plain, 300); /* the test reaches both */
	ck_assert_uint_gt(n_full, n_plain + 300);
	strbuf_free(&line);
	strbuf_free(&one);
	strbuf_free(&other);
	dftracer_parser_free(plain);
	dftracer_parser_free(full);
}
END_TEST

/* Lines of every length around the parser's blocks of 64 bytes, and cut at every byte. */
START_TEST(plain_lengths)
{
	struct dftracer_parser *plain = dftracer_parser_new(false);
	struct strbuf line = {NULL, 0, 0};
	static const char zeros[INPUT_PADDING];

	for (size_t filler = 0; filler < 200; filler++) {
		strbuf_clear(&line);
		strbuf_add_text(&line, "{\"name\":\"");
		for (size_t i = 0; i < filler; i++) {
			strbuf_add_char(&line, 'x');
		}
		strbuf_add_text(&line, "\",\"ts\":123456789,\"args\":{\"k\":\"v\"}}");
		size_t len = line.len;
		strbuf_add(&line, zeros, sizeof zeros);
		ck_assert(dftracer_parse_plain(plain, (struct slice){line.data, len}));
		ck_assert_uint_eq(plain->record.top[KEY_NAME].len, filler);
		for (size_t cut = 0; cut < len; cut++) {
			ck_assert(!dftracer_parse_plain(plain, (struct slice){line.data, cut}));
		}
	}
	strbuf_free(&line);
	dftracer_parser_free(plain);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("import_dftracer_parsers");
	TCase *tcase = tcase_create("all");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, parsers_agree);
	tcase_add_test(tcase, plain_lengths);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
