/* The header of saved queries: what is read, what is refused and where; kinds of parameters; the
 * library's overlay. */
#include "config.h"
#include "folder.h"
#include "unit.h"

#include <string.h>

#include "query/saved/query_file.h"

static struct arena *arena;

static void
set_up(void)
{
	arena = arena_new();
}

static void
tear_down(void)
{
	arena_free(arena);
}

static const struct saved_query *
parse(const char *text, struct err *err)
{
	return query_file_parse(arena, "example", "example.sql", slice_of(text), err);
}

static void
refused(const char *text, const char *message)
{
	struct err err = ERR_INIT;
	ck_assert_ptr_null(parse(text, &err));
	ck_assert_int_eq(err.code, ERR_FORMAT);
	ck_assert_msg(strncmp(err.message, message, strlen(message)) == 0,
	              "\"%s\" does not begin with \"%s\"", err.message, message);
}

START_TEST(test_full_header)
{
	struct err err = ERR_INIT;
	const struct saved_query *query = parse("-- title: Tasks\n"
	                                        "-- about: One row a task.\n"
	                                        "--   More of it,\n"
	                                        "--\n"
	                                        "--   and more.\n"
	                                        "-- format: cascade dftracer\n"
	                                        "-- param worker text '%' Only workers LIKE this\n"
	                                        "-- param quote text 'it''s' A quote\n"
	                                        "-- param window duration 30s How\n"
	                                        "--   long\n"
	                                        "-- param needed size Bytes\n"
	                                        "-- column task text The name\n"
	                                        "-- column total duration\n"
	                                        "-- column rate real\n"
	                                        "-- key: task\n"
	                                        "-- measure: total, rate (higher is better)\n"
	                                        "-- sort: -total, task\n"
	                                        "-- drill: span name=task\n"
	                                        "-- scans span: small\n",
	                                        &err);
	ck_assert_ptr_null(query); /* scans needs its colon at the word */
	query = parse("-- title: Tasks\r\n"
	              "-- about: One row a task.\n"
	              "--   More of it,\n"
	              "--\n"
	              "--   and more.\n"
	              "-- format: cascade dftracer\n"
	              "\n"
	              "-- param worker text '%' Only workers LIKE this\n"
	              "-- param quote text 'it''s' A quote\n"
	              "-- param window duration 30s How\n"
	              "--   long\n"
	              "-- param needed size Bytes\n"
	              "-- column task text The name\n"
	              "-- column total duration\n"
	              "-- column rate real\n"
	              "-- key: task\n"
	              "-- measure: total,\n"
	              "--   rate (higher is better)\n"
	              "-- sort: -total, task\n"
	              "-- drill: span name=task\n"
	              "-- spans: lane_name=task\n"
	              "-- scans: small\n"
	              "-- needs: spans transfers\n"
	              "SELECT ':no', \":no\" -- :no\n"
	              "  /* :no */ FROM x WHERE :worker = :quote AND :window AND :needed;\n",
	              &err);
	ck_assert_msg(query != NULL, "%s", err.message);
	ck_assert_str_eq(query->title, "Tasks");
	ck_assert_str_eq(query->about, "One row a task. More of it, and more.");
	ck_assert_str_eq(query->formats, "cascade dftracer");
	ck_assert_uint_eq(query->n_params, 4);
	ck_assert_str_eq(query->params[0].default_text, "%");
	ck_assert_str_eq(query->params[1].default_text, "it's");
	ck_assert_str_eq(query->params[2].default_text, "30s");
	ck_assert_str_eq(query->params[2].about, "How long");
	ck_assert_int_eq(query->params[2].kind, KIND_DURATION);
	ck_assert_ptr_null(query->params[3].default_text);
	ck_assert_uint_eq(query->n_columns, 3);
	ck_assert_str_eq(query->columns[0].about, "The name");
	ck_assert(query->columns[0].is_key && !query->columns[0].is_measure);
	ck_assert(query->columns[1].is_measure && query->columns[1].better == BETTER_LOWER);
	ck_assert(query->columns[2].is_measure && query->columns[2].better == BETTER_HIGHER);
	ck_assert_str_eq(query->measures, "total,rate");
	ck_assert_str_eq(query->drill.view, "span");
	ck_assert_str_eq(query->drill.bindings, "name=task");
	ck_assert_str_eq(query->spans, "lane_name=task");
	ck_assert_str_eq(query->scans, "small");
	ck_assert_str_eq(query->needs, "spans transfers");
	ck_assert_int_eq(strncmp(query->sql, "SELECT", 6), 0);
}
END_TEST

/* What the header does not say, queries/columns does; a measure that neither knows is lower, a rate
 * higher. */
START_TEST(test_better)
{
	struct err err = ERR_INIT;
	const struct saved_query *query =
	    parse("-- title: x\n-- column total duration\n-- column hidden duration\n"
	          "-- column busy duration\n-- column mine real\n-- column my_rate rate\n"
	          "-- column other real\n-- column start time\n"
	          "-- measure: total, hidden, busy (higher is better), mine, my_rate\nSELECT 1",
	          &err);
	static const enum better expected[] = {BETTER_LOWER, BETTER_HIGHER, BETTER_HIGHER,
	                                       BETTER_LOWER, BETTER_HIGHER, BETTER_NONE,
	                                       BETTER_NONE};
	ck_assert_msg(query != NULL, "%s", err.message);
	for (size_t i = 0; i < query->n_columns; i++) {
		ck_assert_msg(query->columns[i].better == expected[i], "%s",
		              query->columns[i].name);
	}
}
END_TEST

START_TEST(test_refused)
{
	refused("", "example.sql:1: the header has no title:");
	refused("SELECT 1\n", "example.sql:1: the header has no title:");
	refused("-- title: x\n", "example.sql:2: no statement");
	refused("-- title:\nSELECT 1", "example.sql:1: nothing stands after");
	refused("-- title: x\n-- title: y\nSELECT 1", "example.sql:2: given twice");
	refused("-- title: x\n-- mesure: y\nSELECT 1", "example.sql:2: not a word of the header");
	refused("--   on\n-- title: x\nSELECT 1", "example.sql:1: goes on with no line");
	refused("-- title: x\n-- needs: spans spam\nSELECT 1", "example.sql:2: only spans,");
	refused("-- title: x\n-- param p text 'a\nSELECT :p",
	        "example.sql:2: default without its closing quote");
	refused("-- title: x\n-- param p text '\nSELECT :p",
	        "example.sql:2: default without its closing quote");
	refused("-- title: x\n-- param p text ''\nSELECT :p",
	        "example.sql:2: param without a description");
	refused("-- title: x\n-- param p colour 'a' b\nSELECT :p", "example.sql:2: not a kind");
	refused("-- title: x\n-- param 9 text 'a' b\nSELECT :p",
	        "example.sql:2: param needs a name");
	refused("-- title: x\n-- param p duration 3parsec b\nSELECT :p",
	        "example.sql:2: default is not of its kind");
	refused("-- title: x\n-- param p text 'a' b\n-- param p text 'a' b\nSELECT :p",
	        "example.sql:3: param given twice");
	refused("-- title: x\n-- param p text 'a' b\nSELECT 1",
	        "example.sql:3: the statement does not use param");
	refused("-- title: x\nSELECT 1,\n:p", "example.sql:3: no param line for :");
	refused("-- title: x\n-- column a\nSELECT 1", "example.sql:2: not a kind");
	refused("-- title: x\n-- column a text\n-- column a text\nSELECT 1",
	        "example.sql:3: column given twice");
	refused("-- title: x\n-- key: a\nSELECT 1", "example.sql:2: key is not a declared column");
	refused("-- title: x\n-- measure: a\nSELECT 1",
	        "example.sql:2: measure is not a declared column");
	refused("-- title: x\n-- column a real\n-- measure: a (best)\nSELECT 1",
	        "example.sql:3: only (higher is better)");
	refused("-- title: x\n-- sort: -a\nSELECT 1",
	        "example.sql:2: sort is not by a declared column");
	refused("-- title: x\n-- column a real\n-- alternatives: a, b\nSELECT 1",
	        "example.sql:3: an alternative is not a declared column: \"b\"");
	refused(
	    "-- title: x\n-- column a real\n-- column b real\n-- alternatives: a, b; a\nSELECT 1",
	    "example.sql:4: alternatives are two columns at least, not \"a\"");
	struct err err = ERR_INIT;
	ck_assert_ptr_null(query_file_parse(arena, "x", "x.sql",
	                                    (struct slice){"-- title: x\0\nSELECT 1", 21}, &err));
}
END_TEST

/* What a parameter allows is asked of its default and of every value. */
START_TEST(test_allowed)
{
	static const struct {
		const char *text, *refusal; /* NULL: taken */
	} values[][4] = {
	    {{"mean", NULL},
	     {"Median", "p=Median: not mean, median or both things"},
	     {"both things", NULL}},
	    {{"0", NULL},
	     {"9223372036854775807", NULL},
	     {"-1", "p=-1: not 0 or more"},
	     {"x", "p=x: not an integer"}},
	    {{"-5", NULL}, {"3", NULL}, {"4", "p=4: not at most 3"}},
	    {{"0", NULL},
	     {"1", NULL},
	     {"100.1%", "p=100.1%: not from 0 to 100%"},
	     {"-0.1", "p=-0.1: not from 0 to 100%"}},
	    {{"1ns", NULL}, {"2h", "p=2h: not from 1ns to 1h"}, {"0", "p=0: not from 1ns to 1h"}},
	    {{"0", NULL}, {"-1", "p=-1: not 0 or more"}},
	};
	static const char *const params[] = {
	    "text 'mean' {mean,median , both things} About",
	    "integer {0..} About",
	    "integer -5 { ..3 } About",
	    "percent 90% {0..100%} About",
	    "duration {1ns..1h} About",
	    "count 5 About",
	};
	for (size_t i = 0; i < sizeof params / sizeof *params; i++) {
		struct err err = ERR_INIT;
		char text[200];
		snprintf(text, sizeof text, "-- title: x\n-- param p %s\nSELECT :p", params[i]);
		const struct saved_query *query = parse(text, &err);
		ck_assert_msg(query != NULL, "%s", err.message);
		ck_assert_str_eq(query->params[0].about, "About");
		for (size_t k = 0; k < 4 && values[i][k].text; k++) {
			struct value value;
			err = (struct err)ERR_INIT;
			int rc = query_param_value(&query->params[0], slice_of(values[i][k].text),
			                           &value, &err);
			ck_assert_int_eq(rc, values[i][k].refusal ? -1 : 0);
			if (rc) {
				ck_assert_int_eq(err.code, ERR_USAGE);
				ck_assert_str_eq(err.message, values[i][k].refusal);
			}
		}
	}
	refused("-- title: x\n-- param p text 'a' {b, c} About\nSELECT :p",
	        "example.sql:2: default is not of its kind, has no unit, or is not allowed: \"a\"");
	refused("-- title: x\n-- param p count 0 {1..} About\nSELECT :p",
	        "example.sql:2: default is not of its kind, has no unit, or is not allowed: \"0\"");
	refused("-- title: x\n-- param p text 'a' {a, b About\nSELECT :p", "example.sql:2: no } ");
	refused("-- title: x\n-- param p text 'a' {a, b}\nSELECT :p",
	        "example.sql:2: param without a description");
	static const char *const not_allowed[] = {
	    "text {}",        "text {a,,b}",    "integer {1, 2}",       "integer {..}",
	    "integer {3..2}", "integer {a..b}", "duration {0..3parsec}"};
	for (size_t i = 0; i < sizeof not_allowed / sizeof *not_allowed; i++) {
		char text[100];
		snprintf(text, sizeof text, "-- title: x\n-- param p %s About\nSELECT :p",
		         not_allowed[i]);
		refused(text, "example.sql:2: neither texts like {mean, median} nor a range");
	}
}
END_TEST

/* What a row of sums and a difference make of each column. */
START_TEST(test_column_sums)
{
	static const char header[] = "-- title: x\n-- column n count\n-- column time duration\n"
				     "-- column mean_time duration\n-- column bw rate\n"
				     "-- column x real\n";
	static const struct {
		const char *lines, *adds_up, *higher; /* by column, y and n */
	} cases[] = {
	    {"", "yynnn", "nnnnn"},
	    {"-- sums: x, time\n", "nynny", "nnnnn"},
	    {"-- sums: none\n", "nnnnn", "nnnnn"},
	    {"-- measure: n, bw, x (higher is better)\n", "yynnn", "nnnyy"},
	    {"-- measure: bw (lower is better)\n", "yynnn", "nnnnn"},
	};
	struct err err = ERR_INIT;
	char text[400];
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		snprintf(text, sizeof text, "%s%sSELECT 1", header, cases[i].lines);
		const struct saved_query *query = parse(text, &err);
		ck_assert_msg(query != NULL, "%s", err.message);
		for (size_t c = 0; c < 5; c++) {
			ck_assert_int_eq(column_adds_up(&query->columns[c]),
			                 cases[i].adds_up[c] == 'y');
			ck_assert_int_eq(query->columns[c].better == BETTER_HIGHER,
			                 cases[i].higher[c] == 'y');
		}
	}
	snprintf(text, sizeof text,
	         "%s-- measure: x (absent is 0) (higher is better), n (absent is 0)\nSELECT 1",
	         header);
	const struct saved_query *query = parse(text, &err);
	ck_assert_msg(query != NULL, "%s", err.message);
	ck_assert(query->columns[4].absent_is_zero && query->columns[4].better == BETTER_HIGHER);
	ck_assert(query->columns[0].absent_is_zero && !query->columns[1].absent_is_zero);
	ck_assert_str_eq(query->measures, "x,n");
	refused("-- title: x\n-- column a text\n-- sums: a\nSELECT 1",
	        "example.sql:3: texts have no sum");
	refused("-- title: x\n-- column a count\n-- sums: a, b\nSELECT 1",
	        "example.sql:3: sums: is not of a declared column");
	refused("-- title: x\n-- column a count\n-- measure: a (absent is 1)\nSELECT 1",
	        "example.sql:3: only (higher is better)");
}
END_TEST

/* A number alone says nothing of a time or a size: 30 of what? */
START_TEST(test_units)
{
	static const struct {
		enum column_kind kind;
		const char *text;
		int64_t value;
		const char *refusal;
	} cases[] = {
	    {KIND_DURATION, "30", 0, "p=30 has no unit: write 30ns, 30us, 30ms or 30s"},
	    {KIND_DURATION, "-1.5", 0, "p=-1.5 has no unit: write -1.5ns, -1.5us, -1.5ms or -1.5s"},
	    {KIND_TIME, "7", 0, "p=7 has no unit: write 7ns, 7us, 7ms or 7s"},
	    {KIND_SIZE, "4096", 0, "p=4096 has no unit: write 4096B, 4096KiB, 4096MiB or 4096GiB"},
	    {KIND_RATE, "5", 0, "p=5 has no unit: write 5B/s, 5KiB/s, 5MiB/s or 5GiB/s"},
	    {KIND_DURATION, "0", 0, NULL},
	    {KIND_SIZE, "0", 0, NULL},
	    {KIND_DURATION, "30ns", 30, NULL},
	    {KIND_SIZE, "512B", 512, NULL},
	    {KIND_RATE, "1.5 GiB/s", 1610612736, NULL},
	    {KIND_RATE, "1KiB", 1024, NULL},
	    {KIND_RATE, "-1KiB/s", 0, "p=-1KiB/s: not a rate like 1.5GiB/s"},
	    {KIND_RATE, "1KiB/m", 0, "p=1KiB/m: not a rate like 1.5GiB/s"},
	    {KIND_COUNT, "30", 30, NULL},
	    {KIND_INTEGER, "30", 30, NULL},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct query_param param = {.name = "p", .kind = cases[i].kind};
		struct value value;
		struct err err = ERR_INIT;
		int rc = query_param_value(&param, slice_of(cases[i].text), &value, &err);
		if (cases[i].refusal) {
			ck_assert_int_eq(rc, -1);
			ck_assert_str_eq(err.message, cases[i].refusal);
		} else {
			ck_assert_msg(rc == 0, "%s", err.message);
			ck_assert_int_eq(value.integer, cases[i].value);
		}
	}
	refused("-- title: x\n-- param p duration 30 About\nSELECT :p",
	        "example.sql:2: default is not of its kind, has no unit");
}
END_TEST

static const struct saved_query *
needing(const char *needs)
{
	struct err err = ERR_INIT;
	char text[300];
	snprintf(text, sizeof text, "-- title: x\n-- needs: %s\nSELECT 1", needs);
	const struct saved_query *query = parse(text, &err);
	ck_assert_msg(query != NULL, "%s", err.message);
	return query;
}

/* Every word must hold, in a word one alternative; what nobody looked for is taken to be there. */
START_TEST(test_needs)
{
	static const struct {
		const char *needs;
		bool is_met;
	} cases[] = {
	    {"spans", true},
	    {"tasks", false},
	    {"tasks|spans", true},
	    {"spans tasks", false},
	    {"devices", true},
	    {"flows", false},
	    {"flows|devices  spans", true},
	    {"category='critical path component'", true},
	    {"category=critical", false},
	    {"name='a|b c'", true},
	    {"name=*.x|tasks", false},
	};
	struct run_info run = {.format = "chrome",
	                       .n_spans = 1,
	                       .has =
	                           "devices\ncategory='critical path component'\nname='a|b c'\n"};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		enum query_rank rank = query_rank(needing(cases[i].needs), &run);
		ck_assert_msg(rank == (cases[i].is_met ? QUERY_RANK_ANY : QUERY_RANK_EMPTY), "%s",
		              cases[i].needs);
	}
	run.has = NULL;
	ck_assert_int_eq(query_rank(needing("flows name=x"), &run), QUERY_RANK_ANY);
	ck_assert_int_eq(query_rank(needing("flows tasks"), &run), QUERY_RANK_EMPTY);
	static const char *const unknown[] = {"category=", "category=''", "name='a", "names=x",
	                                      "|spans",    "spans|",      "flow"};
	for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
		char text[100];
		snprintf(text, sizeof text, "-- title: x\n-- needs: spans %s\nSELECT 1",
		         unknown[i]);
		refused(text, "example.sql:2: only spans,");
	}
}
END_TEST

/* Any cut and any single damaged byte of a good file is parsed or refused, never more. */
START_TEST(test_damaged)
{
	static const char good[] =
	    "-- title: Tasks\n-- param p text 'it''s' {it's, a} About\n-- param n integer -3 "
	    "{-9..4} About\n"
	    "-- column a text\n-- key: a\n-- measure: a (higher is better)\nSELECT '\"', [x], `y`, "
	    ":p /* :q */, :n";
	char damaged[sizeof good];
	for (size_t i = 0; i < sizeof good - 1; i++) {
		struct err err = ERR_INIT;
		char *cut = malloc(i ? i : 1); /* exactly as long, so that reading on is seen */
		memcpy(cut, good, i);
		(void)query_file_parse(arena, "x", "x.sql", (struct slice){cut, i}, &err);
		free(cut);
		for (unsigned byte = 1; byte < 256; byte += 7) {
			memcpy(damaged, good, sizeof good);
			damaged[i] = (char)byte;
			(void)query_file_parse(arena, "x", "x.sql",
			                       (struct slice){damaged, sizeof good - 1}, &err);
		}
	}
}
END_TEST

static int64_t
integer_of(enum column_kind kind, const char *text)
{
	struct value value = {.type = VALUE_NULL};
	ck_assert_msg(query_parse_value(kind, slice_of(text), &value), "%s", text);
	ck_assert_int_eq(value.type, VALUE_INTEGER);
	return value.integer;
}

START_TEST(test_values)
{
	struct value value;
	ck_assert_int_eq(integer_of(KIND_DURATION, "30s"), 30000000000);
	ck_assert_int_eq(integer_of(KIND_TIME, "20ms"), 20000000);
	ck_assert_int_eq(integer_of(KIND_CLOCK, "2us"), 2000);
	ck_assert_int_eq(integer_of(KIND_SIZE, "4KiB"), 4096);
	ck_assert_int_eq(integer_of(KIND_INTEGER, "-9223372036854775808"), INT64_MIN);
	ck_assert(query_parse_value(KIND_PERCENT, slice_of("50 %"), &value) && value.real == 0.5);
	ck_assert(query_parse_value(KIND_PERCENT, slice_of("0.25"), &value) && value.real == 0.25);
	ck_assert(query_parse_value(KIND_REAL, slice_of("1e3"), &value) && value.real == 1000);
	ck_assert(query_parse_value(KIND_TEXT, slice_of(""), &value) && value.type == VALUE_TEXT);
	ck_assert(!query_parse_value(KIND_REAL, slice_of("nan"), &value));
	ck_assert(!query_parse_value(KIND_PERCENT, slice_of("%"), &value));
	ck_assert(!query_parse_value(KIND_INTEGER, slice_of("3.5"), &value));
	ck_assert(!query_parse_value(KIND_COUNT, slice_of(""), &value));
	ck_assert(!query_parse_value(KIND_DURATION, slice_of("soon"), &value));
}
END_TEST

/* What a query is asked for: what it sorts by, if that is a measure, else its first time, else its
 * first measure. */
START_TEST(test_lead)
{
	static const struct {
		const char *measures, *sort, *lead;
	} cases[] = {
	    {"count, time, self", NULL, "time"},     {"count, time, self", "-self", "self"},
	    {"count, time, self", "count", "count"}, {"count, time, self", "-key", "time"},
	    {"count, size", "key", "count"},         {"size, count", NULL, "size"},
	    {"count, self, time", "-size", "self"},  {"self", "-time,-self", "self"},
	    {"count, time", "key,-count", "time"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct err err = ERR_INIT;
		struct strbuf text = {0};
		strbuf_printf(&text,
		              "-- title: T\n-- about: A.\n-- format: any\n"
		              "-- column key text K\n-- column count count C\n"
		              "-- column size size S\n-- column time duration D\n"
		              "-- column self duration E\n-- key: key\n-- measure: %s\n",
		              cases[i].measures);
		if (cases[i].sort) {
			strbuf_printf(&text, "-- sort: %s\n", cases[i].sort);
		}
		strbuf_add_text(&text, "SELECT 1\n");
		const struct saved_query *query = parse(text.data, &err);
		ck_assert_msg(query != NULL, "%s: %s", text.data, err.message);
		for (size_t c = 0; c < query->n_columns; c++) {
			ck_assert_msg(query->columns[c].is_lead ==
			                  (strcmp(query->columns[c].name, cases[i].lead) == 0),
			              "%s: %s", cases[i].measures, query->columns[c].name);
		}
		strbuf_free(&text);
	}
}
END_TEST

START_TEST(test_kinds)
{
	static const struct {
		const char *name;
		enum column_kind kind;
	} names[] = {
	    {"dur_sum", KIND_DURATION},  {"self_p95", KIND_DURATION}, {"size_max", KIND_SIZE},
	    {"n", KIND_COUNT},           {"size_n", KIND_COUNT},      {"start_min", KIND_TIME},
	    {"both_ns", KIND_DURATION},  {"raw_bytes", KIND_SIZE},    {"tasks_n", KIND_COUNT},
	    {"dur_mean", KIND_DURATION}, {"dur_p5", KIND_TEXT},       {"dur_median", KIND_DURATION},
	    {"other_p95", KIND_TEXT},    {"other_sum", KIND_TEXT},    {"_ns", KIND_TEXT},
	    {"_n", KIND_TEXT},           {"_p95", KIND_TEXT},         {"_bytes", KIND_TEXT}};
	enum column_kind kind;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		kind = KIND_TEXT;
		if (names[i].kind == KIND_TEXT) {
			ck_assert_msg(!column_kind_guess(names[i].name, &kind), "%s",
			              names[i].name);
			continue;
		}
		ck_assert_msg(column_kind_guess(names[i].name, &kind), "%s", names[i].name);
		ck_assert_int_eq(kind, names[i].kind);
	}
	ck_assert(!column_kind_guess("name", &kind));
	ck_assert(!column_kind_guess("_sum", &kind));
	ck_assert(!column_kind_guess("", &kind));
	for (int i = 0; i < COLUMN_KINDS; i++) {
		ck_assert(column_kind_find(slice_of(column_kinds[i].name), &kind) &&
		          (int)kind == i);
	}
}
END_TEST

START_TEST(test_suggest)
{
	static const char *const names[] = {"task-times", "task-by-kind", "io-summary", "tags"};
	ck_assert_str_eq(query_suggest("task-tmies", names, 4), "task-times");
	ck_assert_str_eq(query_suggest("iosummary", names, 4), "io-summary");
	ck_assert_str_eq(query_suggest("tag", names, 4), "tags");
	ck_assert_str_eq(query_suggest("by-kind", names, 4), "task-by-kind");
	ck_assert_ptr_null(query_suggest("banana", names, 4));
	ck_assert_ptr_null(query_suggest("", names, 4));
}
END_TEST

static void
write_file(const char *folder, const char *name, const char *text)
{
	char path[512];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
}

START_TEST(test_library)
{
	const char *home = folder_new();
	char folder[256];
	struct err err = ERR_INIT;
	setenv("XDG_CONFIG_HOME", home, 1);
	snprintf(folder, sizeof folder, "%s/lanescope", home);
	mkdir(folder, 0700);
	struct query_library *library = query_library_open(NULL);
	size_t built_in = query_library_count(library);
	for (size_t i = 0; i < query_library_broken(library); i++) {
		printf("# %s\n", query_library_broken_message(library, i));
	}
	ck_assert_uint_eq(query_library_broken(library), 0);
	ck_assert_uint_gt(built_in, 30);
	for (size_t i = 1; i < built_in; i++) {
		ck_assert_int_lt(strcmp(query_library_get(library, i - 1)->name,
		                        query_library_get(library, i)->name),
		                 0);
	}
	query_library_close(library);

	snprintf(folder, sizeof folder, "%s/lanescope/queries", home);
	mkdir(folder, 0700);
	write_file(folder, "mine.sql", "-- title: Mine\nSELECT 1 AS one");
	write_file(folder, "tags.sql", "-- title: Other tags\nSELECT 1 AS one");
	write_file(folder, "problems.sql", "-- tilte: Broken\nSELECT 1");
	write_file(folder, ".hidden.sql", "broken");
	write_file(folder, "notes.txt", "broken");
	library = query_library_open(NULL);
	ck_assert_uint_eq(query_library_count(library), built_in + 1);
	ck_assert_str_eq(query_library_find(library, "tags", &err)->title, "Other tags");
	ck_assert_str_eq(query_library_find(library, "problems", &err)->origin, "built in");
	ck_assert_uint_eq(query_library_broken(library), 1);
	ck_assert_ptr_nonnull(strstr(query_library_broken_message(library, 0), "problems.sql:1: "));
	ck_assert_ptr_null(query_library_find(library, "tsak-times", &err));
	ck_assert_ptr_nonnull(strstr(err.message, "\"task-times\""));
	struct run_info cascade = {.format = "cascade"}, other = {.format = "casc"};
	const struct saved_query *times = query_library_find(library, "task-times", &err);
	ck_assert(query_applies(times, &cascade) && !query_applies(times, &other));
	ck_assert_int_eq(query_rank(times, &cascade), QUERY_RANK_EMPTY);
	cascade.n_tasks = 1;
	ck_assert_int_eq(query_rank(times, &cascade), QUERY_RANK_FORMAT);
	ck_assert_int_eq(query_rank(times, &other), QUERY_RANK_NONE);
	ck_assert(query_applies(query_library_find(library, "mine", &err), &other));
	query_library_close(library);
	library = query_library_open("/nonexistent/folder");
	ck_assert_uint_eq(query_library_broken(library), 2);
	query_library_close(library);
	folder_remove(home);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("query_file");
	TCase *tests = tcase_create("query_file");
	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, test_full_header);
	tcase_add_test(tests, test_better);
	tcase_add_test(tests, test_refused);
	tcase_add_test(tests, test_allowed);
	tcase_add_test(tests, test_needs);
	tcase_add_test(tests, test_column_sums);
	tcase_add_test(tests, test_units);
	tcase_add_test(tests, test_damaged);
	tcase_add_test(tests, test_values);
	tcase_add_test(tests, test_lead);
	tcase_add_test(tests, test_kinds);
	tcase_add_test(tests, test_suggest);
	tcase_add_test(tests, test_library);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
