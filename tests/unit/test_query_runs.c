/* What is asked of one run after another: statements that are stopped, notes that belong to the
 * last of them, peers of a span, colours. */
#include "config.h"

#include <string.h>

#include "imported_run.h"
#include "query/saved/query.h"
#include "query/saved/run_list.h"
#include "query/spans/span_about.h"
#include "query/timeline/timeline_colour.h"
#include "util/cancel.h"

/* ---- statements ---- */

struct received {
	int n_columns, n_rows, stops_at; /* stops_at: 0 columns, else the n-th row */
};

static int
take_columns(void *user, const struct result_column *columns, size_t n, struct err *err)
{
	struct received *received = user;
	(void)columns;
	received->n_columns = (int)n;
	return received->stops_at == 0 ? err_set(err, ERR_SYSTEM, "full") : 0;
}

static int
take_row(void *user, const struct value *values, struct err *err)
{
	struct received *received = user;
	(void)values;
	return ++received->n_rows == received->stops_at ? err_set(err, ERR_SYSTEM, "full") : 0;
}

static struct store *
small_store(void)
{
	struct strbuf trace = {0};
	for (int i = 0; i < 5; i++) {
		add_call(&trace, "read", "POSIX", 1, i * 10, 5, "\"ret\":1");
	}
	return import_calls("small.pfw", &trace);
}

START_TEST(a_receiver_stops_the_rows)
{
	struct store *store = small_store();
	for (int at = 0; at < 7; at++) {
		struct err err = ERR_INIT;
		struct received received = {.stops_at = at};
		const struct query_receiver receiver = {
		    .user = &received, .columns = take_columns, .row = take_row};
		int rc = query_stream(store, "SELECT id, name FROM span", NULL, 0, &receiver, NULL,
		                      &err);
		ck_assert_int_eq(received.n_columns, 2);
		ck_assert_int_eq(received.n_rows, at < 6 ? at : 5);
		ck_assert_int_eq(rc, at < 6 ? -1 : 0);
		ck_assert_str_eq(err.message, at < 6 ? "full" : "");
	}
	store_close(store);
}
END_TEST

START_TEST(what_is_not_one_statement_calls_nothing)
{
	struct store *store = small_store();
	struct err err = ERR_INIT;
	struct received received = {.stops_at = 0};
	const struct query_receiver receiver = {
	    .user = &received, .columns = take_columns, .row = take_row};
	static const char *const texts[] = {" -- nothing", "SELEC 1", "SELECT 1; SELECT 2",
	                                    "SELECT :a"};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		ck_assert_int_eq(query_stream(store, texts[i], NULL, 0, &receiver, NULL, &err), -1);
		ck_assert_int_eq(err.code, i < 3 ? ERR_QUERY : ERR_USAGE);
	}
	ck_assert_int_eq(received.n_columns, 0);
	store_close(store);
}
END_TEST

/* 20 calls in one record, of 1 to 9 us each. */
static struct store *
summed_store(void)
{
	return import_text(
	    "dftracer", "summed.pfw",
	    "{\"id\":1,\"name\":\"read\",\"cat\":\"POSIX\",\"pid\":1,\"tid\":1,\"ts\":1000000,"
	    "\"type\":3,\"ph\":3,\"args\":{\"dft_cnt\":20,\"dur_sum\":100,\"dur_min\":1,"
	    "\"dur_max\":9}}\n"
	    "{\"id\":2,\"name\":\"open\",\"cat\":\"POSIX\",\"pid\":1,\"tid\":2,\"ts\":1000000,"
	    "\"dur\":5,\"type\":3,\"ph\":1,\"args\":{}}\n");
}

/* How many of a result's notes are of calls left out. */
static size_t
count_left_out(const struct result *result)
{
	size_t n = 0;
	for (size_t i = 0; i < result->n_notes; i++) {
		n += strstr(result->notes[i], "are left out") != NULL;
	}
	return n;
}

/* The calls that one statement had to leave out are no matter of the next. */
START_TEST(notes_are_those_of_the_statement)
{
	static const char undecided[] = "SELECT n FROM span_sums('', 'duration > 5us')";
	static const char decided[] = "SELECT n FROM span_sums('', 'duration > 50us')";
	const struct saved_query saved = {
	    .name = "mine", .title = "Mine", .sql = decided, .origin = "here"};
	struct store *store = summed_store();
	for (int way = 0; way < 2; way++) {
		struct err err = ERR_INIT;
		struct result *first = query_sql(store, undecided, NULL, &err), *second = NULL;
		ck_assert_msg(first != NULL, "%s", err.message);
		ck_assert_uint_eq(count_left_out(first), 1);
		ck_assert_str_eq(first->notes[0],
		                 "20 calls in 1 record of many calls are left out: whether "
		                 "duration > 5us holds for each of them is not known");
		result_free(first);
		second = way == 0 ? query_sql(store, decided, NULL, &err)
		                  : query_run(store, &saved, NULL, 0, NULL, &err);
		ck_assert_msg(second != NULL, "%s", err.message);
		ck_assert_uint_eq(count_left_out(second), 0);
		ck_assert_int_eq(result_value(second, 0, 0)->integer, 0);
		result_free(second);
	}
	store_close(store);
}
END_TEST

static void
count_note(void *user, const char *text)
{
	(void)text;
	++*(int *)user;
}

static int
ignore_columns(void *user, const struct result_column *columns, size_t n, struct err *err)
{
	(void)user, (void)columns, (void)n, (void)err;
	return 0;
}

static int
ignore_row(void *user, const struct value *values, struct err *err)
{
	(void)user, (void)values, (void)err;
	return 0;
}

START_TEST(streams_tell_what_was_left_out)
{
	struct store *store = summed_store();
	static const char *const statements[] = {"SELECT n FROM span_sums('', 'duration > 5us')",
	                                         "SELECT n FROM span_sums('', 'duration > 50us')"};
	int n = 0;
	const struct query_receiver receiver = {&n, ignore_columns, ignore_row, count_note};
	struct err err = ERR_INIT;
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(query_stream(store, statements[i], NULL, 0, &receiver, NULL, &err),
		                 0);
		ck_assert_int_eq(n, 1);
	}
	store_close(store);
}
END_TEST

/* ---- a span and those like it ---- */

START_TEST(a_span_and_its_peers)
{
	struct strbuf trace = {0};
	struct err err = ERR_INIT;
	for (int i = 0; i < 4; i++) {
		add_call(&trace, "step", "APP", 1, i * 1000, 100 + i * 100, "\"n\":7,\"s\":\"x\"");
		add_call(&trace, "read", "POSIX", 1, i * 1000 + 10, 20, "");
		add_call(&trace, "write", "POSIX", 1, i * 1000 + 40, 10 + i, "");
	}
	struct store *store = import_calls("peers.pfw", &trace);
	char *rows = query(store, "SELECT min(id) FROM span WHERE duration = 200000");
	int64_t id = atoll(rows);
	free(rows);
	struct span_about *about = span_about_read(store, id, NULL, &err);
	ck_assert_msg(about != NULL, "%s", err.message);
	ck_assert(slice_is(about->name, "step"));
	ck_assert(slice_is(about->category, "APP"));
	ck_assert_uint_eq(about->n_arguments, 3); /* the record's id is the first */
	ck_assert(slice_is(about->arguments[1].name, "n"));
	ck_assert(slice_is(about->arguments[1].value, "7"));
	ck_assert(slice_is(about->arguments[2].value, "x"));
	ck_assert_uint_eq(about->parents.n, 0);
	span_about_free(about);
	struct span_peers *peers = span_peers_read(store, id, NULL, &err);
	ck_assert_msg(peers != NULL, "%s", err.message);
	ck_assert_int_eq(peers->n, 4);
	ck_assert_int_eq(peers->n_longer, 2);
	ck_assert_int_eq(peers->n_summed, 0);
	ck_assert_int_eq(peers->min_ns, 100000);
	ck_assert_int_eq(peers->max_ns, 400000);
	ck_assert_double_eq(peers->mean_ns, 250000);
	ck_assert_uint_eq(peers->children.n, 2);
	ck_assert_int_eq(peers->children.n_all, 2);
	ck_assert(slice_is(peers->children.lines[0].name, "read"));
	ck_assert_int_eq(peers->children.lines[0].duration_ns, 20000);
	ck_assert(slice_is(peers->children.lines[1].name, "write"));
	ck_assert_int_eq(peers->children.lines[1].duration_ns, 11000);
	about = span_about_read(store, peers->children.lines[0].id, NULL, &err);
	ck_assert_uint_eq(about->parents.n, 1);
	ck_assert_int_eq(about->parents.lines[0].id, id);
	ck_assert_int_eq(about->parents.n_all, 1);
	span_about_free(about);
	span_peers_free(peers);
	struct cancel cancel = {true};
	ck_assert_ptr_null(span_peers_read(store, id, &cancel, &err));
	ck_assert_int_eq(err.code, ERR_CANCELLED);
	err = (struct err)ERR_INIT;
	ck_assert_ptr_null(span_peers_read(store, 1000, NULL, &err));
	ck_assert_ptr_null(span_about_read(store, 1000, NULL, &err));
	ck_assert_int_ne(err.code, ERR_NONE);
	store_close(store);
}
END_TEST

/* ---- colours ---- */

/* Label of a rank and its mark: "write w". */
static void
expect_labels(const struct colours *colours, const char *expected)
{
	struct strbuf labels = {0};
	strbuf_add_text(&labels, "");
	for (size_t i = 0; i < colours->n; i++) {
		strbuf_printf(&labels, "%s%.*s %c", i ? ", " : "", (int)colours->labels[i].len,
		              colours->labels[i].ptr, colours->marks[i]);
	}
	ck_assert_str_eq(labels.data, expected);
	strbuf_free(&labels);
}

static struct colours *
make_colours(struct store *store, struct store *other, enum colour_mode mode)
{
	struct err err = ERR_INIT;
	struct colours *colours = colours_new(store, other, "other", mode, &err);
	ck_assert_msg(colours != NULL, "%s", err.message);
	ck_assert_int_eq(colours->mode, mode);
	return colours;
}

/* The one with most time of its own comes first; its mark is a letter that none before it has. */
START_TEST(colours_are_by_time)
{
	static const char pfs[] = "\"fname\":\"/p/lustre/x\"", ssd[] = "\"fname\":\"/l/ssd/y\"";
	struct strbuf trace = {0};
	add_call(&trace, "Wait", "A", 1, 0, 1000, "");
	add_call(&trace, "write", "B", 1, 100, 700, pfs); /* 300 are left */
	add_call(&trace, "wait", "B", 1, 2000, 400, ssd);
	add_call(&trace, "ww", "C", 1, 3000, 10, "\"ret\":-1");
	struct store *store = import_calls("colours.pfw", &trace);
	struct colours *colours = make_colours(store, NULL, COLOUR_NAME);
	expect_labels(colours, "write w, wait a, Wait i, ww b");
	ck_assert_uint_eq(colours_rank_of_text(colours, slice_of("wait")), 1);
	ck_assert_uint_eq(colours_rank_of_text(colours, slice_of("A")), COLOUR_NONE);
	ck_assert_uint_eq(colours_rank(colours, colours->n_ranks), COLOUR_NONE);
	struct colours *kept = colours_retain(colours);
	colours_release(colours);
	expect_labels(kept, "write w, wait a, Wait i, ww b");
	colours_release(kept);
	colours = make_colours(store, NULL, COLOUR_CATEGORY);
	expect_labels(colours, "B b, A a, C c");
	colours_release(colours);
	colours = make_colours(store, NULL, COLOUR_CLASS);
	expect_labels(colours, "pfs p, ssd s");
	ck_assert_uint_eq(colours_rank_of_text(colours, slice_of("ssd")), 1);
	struct err err = ERR_INIT;
	const struct dataset *dataset = store_dataset(store, &err);
	for (uint32_t i = 0; i <= dataset->n_texts; i++) {
		struct slice text = i < dataset->n_texts ? dataset->texts[i] : slice_of("");
		uint32_t rank = slice_is(text, "/p/lustre/x") ? 0
		                : slice_is(text, "/l/ssd/y")  ? 1
		                                              : COLOUR_NONE;
		if (i == dataset->n_texts || (text.len > 0 && text.ptr[0] == '/')) {
			ck_assert_uint_eq(colours_rank_of_path(colours, dataset, i), rank);
		}
	}
	colours_release(colours);
	colours = make_colours(store, NULL, COLOUR_STATUS);
	expect_labels(colours, "ok #, failed !");
	colours_release(colours);
	colours_release(NULL);
	store_close(store);
}
END_TEST

/* Runs beside each other: one order, one colour and one mark a label, whoever has it. */
START_TEST(runs_share_their_colours)
{
	struct strbuf here = {0}, there = {0};
	struct colours *shared[2], *alone;
	const char *const names[] = {"a", "b"};
	struct err err = ERR_INIT;

	add_call(&here, "read", "C", 1, 0, 500, "");
	add_call(&here, "compute", "C", 1, 1000, 400, "");
	add_call(&here, "only a", "C", 1, 2000, 10, "");
	add_call(&there, "compute", "C", 1, 0, 700, "");
	add_call(&there, "write", "C", 1, 1000, 300, "");
	add_call(&there, "read", "C", 1, 2000, 1, "");
	struct store *stores[2] = {import_calls("a.pfw", &here), import_calls("b.pfw", &there)};
	ck_assert_int_eq(colours_new_shared(stores, names, 2, COLOUR_NAME, shared, &err), 0);
	for (int i = 0; i < 2; i++) {
		expect_labels(shared[i], "compute c, read r, write w, only a o");
		ck_assert_ptr_null(shared[i]->reference);
		ck_assert_mem_eq(shared[i]->slots, shared[0]->slots, shared[0]->n);
		ck_assert_uint_eq(colours_rank_of_text(shared[i], slice_of("compute")), 0);
		ck_assert_uint_eq(colours_rank_of_text(shared[i], slice_of("read")), 1);
	}
	ck_assert_uint_eq(colours_rank_of_text(shared[0], slice_of("write")), COLOUR_NONE);
	ck_assert_uint_eq(colours_rank_of_text(shared[1], slice_of("write")), 2);
	for (size_t i = 0; i < shared[0]->n; i++) { /* four of twelve: none is taken twice */
		for (size_t k = 0; k < i; k++) {
			ck_assert_uint_ne(shared[0]->slots[i], shared[0]->slots[k]);
		}
	}
	alone = make_colours(stores[1], NULL, COLOUR_NAME); /* the first one has its own colour */
	ck_assert_uint_eq(alone->slots[0], shared[0]->slots[0]);
	colours_release(alone);
	for (int i = 0; i < 2; i++) {
		colours_release(shared[i]);
	}
	ck_assert_int_eq(colours_new_shared(stores, names, 2, COLOUR_SLOWDOWN, shared, &err), 0);
	ck_assert_str_eq(shared[0]->reference, "b");
	ck_assert_str_eq(shared[1]->reference, "a");
	ck_assert_uint_eq(colours_rank_of_text(shared[0], slice_of("read")), SLOWDOWN_TWICE);
	ck_assert_uint_eq(colours_rank_of_text(shared[1], slice_of("read")), SLOWDOWN_FASTER);
	for (int i = 0; i < 2; i++) {
		colours_release(shared[i]);
		store_close(stores[i]);
	}
}
END_TEST

/* Of many labels the first twelve have colours of their own, all different; the others none. */
START_TEST(the_first_labels_have_colours_of_their_own)
{
	struct strbuf trace = {0};
	bool is_taken[COLOUR_SLOTS] = {false};
	char name[32];

	for (int i = 0; i < 40; i++) {
		snprintf(name, sizeof name, "name %d", i);
		add_call(&trace, name, "C", 1, i * 2000, 1000 - i, "");
	}
	struct store *store = import_calls("many.pfw", &trace);
	struct colours *colours = make_colours(store, NULL, COLOUR_NAME);
	for (size_t i = 0; i < colours->n; i++) {
		ck_assert(i < COLOUR_SLOTS ? colours->slots[i] < COLOUR_SLOTS
		                           : colours->slots[i] == COLOUR_SLOT_NONE);
		if (i < COLOUR_SLOTS) {
			ck_assert(!is_taken[colours->slots[i]]);
			is_taken[colours->slots[i]] = true;
			ck_assert_int_ne(colours->marks[i], '#');
		}
	}
	colours_release(colours);
	store_close(store);
}
END_TEST

START_TEST(modes_have_names)
{
	for (int i = 0; i < COLOUR_MODES; i++) {
		enum colour_mode mode = COLOUR_MODES;
		ck_assert(colour_mode_find(slice_of(colour_mode_name((enum colour_mode)i)), &mode));
		ck_assert_int_eq(mode, i);
		ck_assert(!colour_mode_find(slice_of("colour"), &mode));
		ck_assert_int_eq(mode, i);
	}
}
END_TEST

/* Means against means: how many calls either run has does not matter. */
START_TEST(slowdown_is_of_means)
{
	static const struct {
		const char *name;
		int here_us, n_here, there_us, n_there; /* none there: 0 */
		uint32_t rank;
	} cases[] = {
	    {"same", 100, 1, 100, 3, SLOWDOWN_SAME},
	    {"hardly slower", 110, 2, 100, 1, SLOWDOWN_SAME},
	    {"slower", 111, 1, 100, 2, SLOWDOWN_SLOWER},
	    {"much slower", 199, 3, 100, 1, SLOWDOWN_SLOWER},
	    {"twice", 200, 1, 100, 1, SLOWDOWN_TWICE},
	    {"more than that", 1000, 2, 100, 5, SLOWDOWN_TWICE},
	    {"hardly faster", 91, 2, 100, 4, SLOWDOWN_SAME},
	    {"faster", 90, 5, 100, 1, SLOWDOWN_FASTER},
	    {"much faster", 10, 9, 100, 1, SLOWDOWN_FASTER},
	    {"new", 100, 2, 0, 0, SLOWDOWN_ONLY_HERE},
	    {"no time there", 100, 1, 0, 2, SLOWDOWN_ONLY_HERE},
	};
	struct strbuf here = {0}, there = {0};
	int at = 0;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		for (int k = 0; k < cases[i].n_here; k++) {
			add_call(&here, cases[i].name, "C", 1, at += 2000, cases[i].here_us, "");
		}
		for (int k = 0; k < cases[i].n_there; k++) {
			add_call(&there, cases[i].name, "C", 1, at += 2000, cases[i].there_us, "");
		}
	}
	add_call(&there, "old", "C", 1, at + 2000, 10, "");
	struct store *store = import_calls("here.pfw", &here);
	struct store *other = import_calls("there.pfw", &there);
	struct colours *colours = make_colours(store, other, COLOUR_SLOWDOWN);
	expect_labels(colours, "as long =, faster -, slower +, twice or more !, only here ?");
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint32_t rank = colours_rank_of_text(colours, slice_of(cases[i].name));
		ck_assert_msg(rank == cases[i].rank, "%s: %u", cases[i].name, rank);
	}
	ck_assert_uint_eq(colours_rank_of_text(colours, slice_of("old")), COLOUR_NONE);
	ck_assert_uint_eq(colours_rank_of_text(colours, slice_of("C")), COLOUR_NONE);
	colours_release(colours);
	store_close(store);
	store_close(other);
}
END_TEST

/* Tasks bear names of their own: their kind has the colour. */
START_TEST(tasks_have_the_colour_of_their_kind)
{
	struct strbuf trace = {0};
	for (int i = 0; i < 6; i++) {
		static const char *const actions[] = {"taskPlanned", "taskEnqueued", "taskStarted",
		                                      "taskFinished"};
		for (int k = 0; k < 4; k++) {
			strbuf_printf(&trace,
			              "{\"host\":\"%s\",\"task\":\"%s:%064d\",\"action\":\"%s\","
			              "\"worker\":\"w\",\"at\":%d}\n",
			              k ? "h" : "controller", i % 3 ? "load" : "join", i,
			              actions[k], 1000000000 + i * 100000 + k * 10000);
		}
	}
	struct store *store = import_text("cascade", "tasks.jsonl", trace.data);
	strbuf_free(&trace);
	struct colours *colours = make_colours(store, NULL, COLOUR_NAME);
	expect_labels(colours, "comm c, queue q, load l, join j");
	char name[80];
	for (int i = 0; i < 6; i++) {
		snprintf(name, sizeof name, "%s:%064d", i % 3 ? "load" : "join", i);
		ck_assert_uint_eq(colours_rank_of_text(colours, slice_of(name)), i % 3 ? 2 : 3);
	}
	colours_release(colours);
	store_close(store);
}
END_TEST

/* Facts of several runs are read at once: stopped before all are there, they are not compared. */
START_TEST(many_runs_are_stopped)
{
	static const char *const names[] = {"a", "b"};
	static const struct result_column columns[] = {COLUMN_KEY("run", NULL)};
	struct store *store = small_store(), *const stores[] = {store, store};
	struct result *result = result_new("Runs", columns, 1);
	const char *const path = store_path(store);
	struct err err = ERR_INIT;

	cancel_all();
	query_note_differences(result, stores, names, NULL, 2);
	ck_assert_uint_eq(result->n_notes, 0);
	ck_assert_ptr_null(run_list_new(&path, 1, &err));
	ck_assert_int_eq(err.code, ERR_CANCELLED);
	atomic_store(&cancel_all_requested, false);
	result_free(result);
	store_close(store);
}
END_TEST

/* ---- what another process found out ---- */

static int
keep_piece(void *user, struct pack *pack, struct err *err)
{
	(void)err;
	strbuf_add(user, pack->bytes.data, pack->bytes.len);
	strbuf_clear(&pack->bytes);
	return 0;
}

static int
give_piece(void *user, struct pack *pack, struct err *err)
{
	struct slice *left = user;

	(void)err;
	strbuf_add(&pack->bytes, left->ptr, left->len);
	*left = (struct slice){"", 0};
	return 0;
}

/* A list that has read those bytes, and all else from the files. */
static struct run_list *
list_of_bytes(const char *const *paths, size_t n, struct slice bytes, int *status)
{
	struct err err = ERR_INIT;
	struct run_list *list = run_list_find(paths, n, &err);
	struct pack pack = {.is_reading = true, .user = &bytes, .piece = give_piece};

	pack_break(&pack);
	run_list_pack(&pack, list, 0, 1);
	*status = pack_end(&pack, &err);
	ck_assert_int_eq(run_list_read(list, &err), 0);
	return list;
}

static void
must_be_alike(const struct run_list *a, const struct run_list *b)
{
	struct result *tables[] = {result_new("Runs", run_columns, RUN_COLUMNS),
	                           result_new("Runs", run_columns, RUN_COLUMNS)};

	ck_assert_uint_eq(a->n, b->n);
	for (size_t i = 0; i < a->n; i++) {
		const struct value *one = run_list_add_row(tables[0], &a->entries[i]);
		const struct value *other = run_list_add_row(tables[1], &b->entries[i]);
		for (size_t column = 0; column < RUN_COLUMNS; column++) {
			ck_assert_int_eq(value_compare(&one[column], &other[column]), 0);
		}
		ck_assert_pstr_eq(a->entries[i].error, b->entries[i].error);
		ck_assert_uint_eq(a->entries[i].tags.n, b->entries[i].tags.n);
	}
	result_free(tables[0]);
	result_free(tables[1]);
}

/* Cut anywhere they are told to be none, and what is missing is read here; so is all of a list of
 * other files. With a wrong bit they do no harm. */
START_TEST(lists_of_runs_are_packed)
{
	struct store *store = small_store();
	const char *const paths[] = {store_path(store), "/dev/null", store_path(store)};
	struct err err = ERR_INIT;
	struct run_list *list = run_list_new(paths, 3, &err), *read;
	struct strbuf bytes = {0};
	struct pack pack = {.user = &bytes, .piece = keep_piece};
	int status;

	run_list_pack(&pack, list, 0, 1);
	ck_assert_int_eq(pack_end(&pack, &err), 0);
	for (size_t n = 0; n <= bytes.len; n++) {
		read = list_of_bytes(paths, 3, (struct slice){bytes.data, n}, &status);
		ck_assert_int_eq(status, n == bytes.len ? 0 : -1);
		must_be_alike(list, read);
		run_list_free(read);
	}
	for (size_t bit = 0; bit < bytes.len * 8; bit += 3) {
		bytes.data[bit / 8] = (char)(bytes.data[bit / 8] ^ 1 << bit % 8);
		run_list_free(list_of_bytes(paths, 3, strbuf_slice(&bytes), &status));
		bytes.data[bit / 8] = (char)(bytes.data[bit / 8] ^ 1 << bit % 8);
	}
	run_list_free(list);
	list = run_list_new(paths + 1, 2, &err);
	read = list_of_bytes(paths + 1, 2, strbuf_slice(&bytes), &status);
	ck_assert_int_eq(status, -1);
	must_be_alike(list, read);
	run_list_free(read);
	run_list_free(list);
	strbuf_free(&bytes);
	store_close(store);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("query_runs");
	TCase *tests = tcase_create("query_runs");

	tcase_add_checked_fixture(tests, make_folder, remove_folder);
	tcase_add_test(tests, a_receiver_stops_the_rows);
	tcase_add_test(tests, what_is_not_one_statement_calls_nothing);
	tcase_add_test(tests, notes_are_those_of_the_statement);
	tcase_add_test(tests, streams_tell_what_was_left_out);
	tcase_add_test(tests, a_span_and_its_peers);
	tcase_add_test(tests, colours_are_by_time);
	tcase_add_test(tests, runs_share_their_colours);
	tcase_add_test(tests, the_first_labels_have_colours_of_their_own);
	tcase_add_test(tests, modes_have_names);
	tcase_add_test(tests, many_runs_are_stopped);
	tcase_add_test(tests, lists_of_runs_are_packed);
	tcase_add_test(tests, slowdown_is_of_means);
	tcase_add_test(tests, tasks_have_the_colour_of_their_kind);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
