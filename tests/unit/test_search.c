/* What "/", n and N do: the search by itself, and the same behaviour in the views that have it. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "tests/unit/unit.h"
#include "ui/app/app.h"
#include "ui/base/search.h"
#include "ui/base/settings.h"
#include "ui/places.h"

#define LONG INT64_C(1000000000000)

/* ---- by itself ---- */

/* The text is a number in decimal: rows that are its multiples have it. */
static bool
is_multiple(const void *user, size_t row, struct slice text)
{
	int64_t of = 1;

	(void)user;
	ck_assert(slice_int64(text, &of));
	return row % (size_t)of == 0;
}

static enum search_outcome
look(struct list_search *search, struct list *list, enum search_where where)
{
	(void)search_begin(search, list, where);
	return search_go(search, list, is_multiple, NULL, LONG);
}

START_TEST(searches_go_around_and_say_so)
{
	struct list list = {.n = 20, .height = 5, .selected = 14};
	struct list_search search = {0};

	search_open(&search, &list);
	search_type(&search, &list, slice_of("7"));
	ck_assert_int_eq(search_go(&search, &list, is_multiple, NULL, LONG), SEARCH_FOUND);
	ck_assert_uint_eq(list.selected, 14);
	ck_assert_int_eq(look(&search, &list, SEARCH_NEXT), SEARCH_WRAPPED);
	ck_assert_uint_eq(list.selected, 0);
	ck_assert_int_eq(look(&search, &list, SEARCH_PREVIOUS), SEARCH_WRAPPED);
	ck_assert_uint_eq(list.selected, 14);
	ck_assert_int_eq(look(&search, &list, SEARCH_PREVIOUS), SEARCH_FOUND);
	ck_assert_uint_eq(list.selected, 7);
	search_type(&search, &list, slice_of("19")); /* only the first row and the last */
	ck_assert_int_eq(search_go(&search, &list, is_multiple, NULL, LONG), SEARCH_FOUND);
	ck_assert_uint_eq(list.selected, 19);
	list.selected = list.top = 0;
	list.n = 1;
	ck_assert_int_eq(look(&search, &list, SEARCH_NEXT), SEARCH_WRAPPED); /* itself */
	list.n = 0;
	ck_assert_int_eq(look(&search, &list, SEARCH_NEXT), SEARCH_MISSED);
	ck_assert_int_eq(look(&search, &list, SEARCH_PREVIOUS), SEARCH_MISSED);
	search_fini(&search);
}
END_TEST

START_TEST(typing_begins_where_the_prompt_was_opened)
{
	struct list list = {.n = 1000, .height = 10, .selected = 5, .top = 2};
	struct list_search search = {0};

	search_open(&search, &list);
	search_type(&search, &list, slice_of("9"));
	search_go(&search, &list, is_multiple, NULL, LONG);
	ck_assert_uint_eq(list.selected, 9);
	search_type(&search, &list, slice_of("99"));
	search_go(&search, &list, is_multiple, NULL, LONG);
	ck_assert_uint_eq(list.selected, 99);
	search_type(&search, &list, slice_of("9")); /* a character taken back */
	search_go(&search, &list, is_multiple, NULL, LONG);
	ck_assert_uint_eq(list.selected, 9);
	search_leave(&search, &list);
	ck_assert_uint_eq(list.selected, 5);
	ck_assert_uint_eq(list.top, 2);
	ck_assert_uint_eq(search.text.len, 0);
	ck_assert(!search_begin(&search, &list, SEARCH_NEXT));
	search_fini(&search);
}
END_TEST

START_TEST(slices_see_each_row_once)
{
	struct list list = {.n = 100000, .height = 10, .selected = 500};
	struct list_search search = {0};
	size_t slices = 1;

	search_open(&search, &list);
	search_type(&search, &list, slice_of("499")); /* 0, 499, 998 ... */
	(void)search_begin(&search, &list, SEARCH_NEXT);
	ck_assert_int_eq(search_go(&search, &list, is_multiple, NULL, 0), SEARCH_GOES_ON);
	ck_assert_int_eq(search_percent(&search), 0);
	ck_assert_uint_eq(list.selected, 500); /* until something is found */
	while (search_go(&search, &list, is_multiple, NULL, 0) == SEARCH_GOES_ON) {
		slices++;
	}
	ck_assert_uint_eq(list.selected, 998);
	ck_assert_uint_gt(slices, 3);
	(void)search_begin(&search, &list, SEARCH_NEXT);
	search_go(&search, &list, is_multiple, NULL, 0);
	list.n = 10; /* other rows came */
	ck_assert_int_eq(search_go(&search, &list, is_multiple, NULL, LONG), SEARCH_NOTHING);
	ck_assert(!search_stop(&search));
	search_fini(&search);
}
END_TEST

/* ---- in the views ---- */

static struct app *app;

static void
wake(void *user)
{
	(void)user;
}

static void start(struct view_place (*make)(void))
{
	static struct settings settings;
	const struct app_options options = {.settings = &settings, .places = places};
	struct err err = ERR_INIT;
	struct view_place place = make();

	app = app_new(&options, wake, NULL, &err);
	ck_assert_ptr_nonnull(app);
	app_resize(app, 80, 12);
	app_open(app, &place);
	app_wait(app);
}

static struct view_place
make_text(void)
{
	return (struct view_place){.kind = PLACE_TEXT,
	                           .title = "words",
	                           .text = slice_of("alpha\nbeta\nGamma\nalphabet\ndelta\n")};
}

static struct view_place
make_help(void)
{
	return (struct view_place){.kind = PLACE_HELP, .sets = IN_TABLE};
}

static struct view_place
make_table(void)
{
	const struct result_column columns[] = {{.name = "n", .kind = KIND_INTEGER},
	                                        {.name = "square", .kind = KIND_DURATION}};
	struct result *result = result_new("numbers", columns, 2);

	for (int64_t i = 0; i < 300000; i++) {
		struct value *row = result_add_row(result);

		row[0] = value_integer(i);
		row[1] = value_integer(i * i);
	}
	return (struct view_place){.kind = PLACE_RESULT, .title = "numbers", .result = result};
}

static const char *
row(int y)
{
	static struct strbuf line;

	strbuf_clear(&line);
	canvas_row(app_draw(app), y, &line);
	return line.data ? line.data : "";
}

static void
type(const char *keys)
{
	for (; *keys; keys++) {
		app_key(app, *keys);
		app_wait(app);
	}
}

static int
cursor(void)
{
	return app_draw(app)->cursor_y;
}

/* The line of the screen that is reversed: the cursor is in the prompt while it is typed in. */
static int
selected(void)
{
	const struct canvas *canvas = app_draw(app);
	int y = 1;

	while (y < canvas->height &&
	       !(canvas->cells[y * canvas->width + 3].style & STYLE_REVERSE)) {
		y++;
	}
	return y;
}

START_TEST(a_text_is_found_while_it_is_typed_and_left_as_it_was)
{
	start(make_text);
	type("/GAM"); /* ASCII case apart */
	ck_assert_int_eq(selected(), 3);
	type("x");
	ck_assert_ptr_nonnull(strstr(row(11), "nothing matches"));
	ck_assert_int_eq(selected(), 1); /* where the prompt was opened */
	type("\x7f");
	ck_assert_int_eq(selected(), 3);
	type("\x1b");
	ck_assert_int_eq(cursor(), 1);
	type("n");
	ck_assert_ptr_nonnull(strstr(row(11), "nothing was searched for yet"));
	type("/alpha\r");
	ck_assert_int_eq(cursor(), 1);
	type("n");
	ck_assert_int_eq(cursor(), 4);
	type("n");
	ck_assert_int_eq(cursor(), 1);
	ck_assert_ptr_nonnull(strstr(row(11), "around the end"));
	type("N");
	ck_assert_int_eq(cursor(), 4);
	ck_assert_ptr_nonnull(strstr(row(11), "around the top"));
	type("/zz\x1bn"); /* left: the former text stands */
	ck_assert_int_eq(cursor(), 1);
	type("/\r"); /* nothing typed: on with the former one */
	ck_assert_int_eq(cursor(), 4);
	type("/zz\r");
	ck_assert_ptr_nonnull(strstr(row(11), "nothing matches zz"));
	ck_assert_int_eq(cursor(), 4);
	app_free(app);
}
END_TEST

START_TEST(searches_walk_their_history)
{
	start(make_help);
	type("/totals\r/frequency\r/");
	app_key(app, KEY_CURSOR_UP);
	ck_assert_ptr_nonnull(strstr(row(11), "/frequency"));
	app_key(app, KEY_CURSOR_UP);
	ck_assert_ptr_nonnull(strstr(row(11), "/totals"));
	app_key(app, KEY_CURSOR_DOWN);
	app_key(app, KEY_CURSOR_DOWN);
	ck_assert_ptr_null(strstr(row(11), "totals"));
	app_free(app);
}
END_TEST

START_TEST(no_key_waits_for_a_search_in_many_rows)
{
	start(make_table);
	app_key(app, '/');
	for (const char *key = "98765432109876"; *key; key++) {
		app_key(app, *key);
	}
	ck_assert_int_eq(app_patience_ms(app), 0); /* there is more to look at */
	ck_assert_ptr_nonnull(strstr(row(11), "searching"));
	app_key(app, 27);
	ck_assert_int_eq(app_patience_ms(app), -1);
	ck_assert_int_eq(cursor(), 2);
	app_key(app, '/');
	for (const char *key = "299999"; *key; key++) {
		app_key(app, *key);
	}
	app_key(app, '\r');
	app_wait(app);
	ck_assert_ptr_nonnull(strstr(row(cursor()), "299999"));
	app_key(app, 'n'); /* once around 300 000 rows; Esc stops it */
	ck_assert_int_eq(app_patience_ms(app), 0);
	app_key(app, 27);
	ck_assert_ptr_nonnull(strstr(row(11), "search stopped"));
	ck_assert_int_eq(app_patience_ms(app), -1);
	app_key(app, 'n');
	app_key(app, KEY_FIRST); /* who moves away means it */
	ck_assert_int_eq(app_patience_ms(app), -1);
	ck_assert_int_eq(cursor(), 2);
	app_free(app);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("search");
	TCase *tests = tcase_create("search");

	tcase_add_test(tests, searches_go_around_and_say_so);
	tcase_add_test(tests, typing_begins_where_the_prompt_was_opened);
	tcase_add_test(tests, slices_see_each_row_once);
	tcase_add_test(tests, a_text_is_found_while_it_is_typed_and_left_as_it_was);
	tcase_add_test(tests, searches_walk_their_history);
	tcase_add_test(tests, no_key_waits_for_a_search_in_many_rows);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
