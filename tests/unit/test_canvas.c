/* The grid of cells: clipping, wide and combining characters, hostile text, bars. */
#include "config.h"

#include "tests/unit/unit.h"
#include "ui/term/canvas.h"
#include "util/prng.h"

static struct canvas *canvas;
static struct strbuf line;

static void
setup(void)
{
	canvas = canvas_new(10, 3);
}

static void
teardown(void)
{
	canvas_free(canvas);
	strbuf_free(&line);
}

static const char *
row(int y)
{
	strbuf_clear(&line);
	canvas_row(canvas, y, &line);
	return line.len ? line.data : "";
}

/* Every wide character has its right half, and no half stands alone. */
static void
check_halves(const struct canvas *grid)
{
	for (int y = 0; y < grid->height; y++) {
		for (int x = 0; x < grid->width; x++) {
			const struct cell *cell = canvas_cell(grid, x, y);

			if (cell->columns == 2) {
				ck_assert(x + 1 < grid->width);
				ck_assert_int_eq(canvas_cell(grid, x + 1, y)->columns, 0);
			} else if (cell->columns == 0) {
				ck_assert(x > 0);
				ck_assert_int_eq(canvas_cell(grid, x - 1, y)->columns, 2);
			} else {
				ck_assert_int_eq(cell->columns, 1);
				ck_assert(cell->length > 0);
			}
		}
	}
}

START_TEST(text_is_clipped_on_all_sides)
{
	ck_assert_int_eq(canvas_puts(canvas, 7, 0, STYLE_NORMAL, "abcdef"), 3);
	ck_assert_str_eq(row(0), "       abc");
	canvas_text(canvas, -2, 1, 10, STYLE_NORMAL, slice_of("abcdef"));
	ck_assert_str_eq(row(1), "cdef");
	canvas_puts(canvas, 0, -1, STYLE_NORMAL, "above");
	canvas_puts(canvas, 0, 3, STYLE_NORMAL, "below");
	canvas_puts(canvas, 10, 2, STYLE_NORMAL, "beside");
	ck_assert_str_eq(row(2), "");
}
END_TEST

START_TEST(wrapped_text_that_goes_on_ends_in_a_mark)
{
	struct slice text = slice_of("one two three four");

	ck_assert_int_eq(canvas_wrapped(canvas, 0, 0, 8, 2, STYLE_NORMAL, text), 2);
	ck_assert_str_eq(row(0), "one two");
	ck_assert_str_eq(row(1), "three f…");
	text.len -= strlen(" four"); /* what fits has none */
	ck_assert_int_eq(canvas_wrapped(canvas, 0, 1, 8, 2, STYLE_NORMAL, text), 2);
	ck_assert_str_eq(row(2), "three");
}
END_TEST

START_TEST(wide_characters_are_never_cut_in_half)
{
	canvas_puts(canvas, 7, 0, STYLE_NORMAL, "世界");
	ck_assert_str_eq(row(0), "       世");
	check_halves(canvas);
	canvas_puts(canvas, 0, 1, STYLE_NORMAL, "世界");
	canvas_puts(canvas, 1, 1, STYLE_NORMAL, "x");
	ck_assert_str_eq(row(1), " x界");
	check_halves(canvas);
	canvas_puts(canvas, 2, 1, STYLE_NORMAL, "世");
	check_halves(canvas);
}
END_TEST

START_TEST(combining_marks_stay_with_their_base)
{
	ck_assert_int_eq(canvas_puts(canvas, 0, 0, STYLE_NORMAL, "e\xcc\x81x"), 2);
	ck_assert_int_eq(canvas_cell(canvas, 0, 0)->length, 3);
	ck_assert_str_eq(row(0), "e\xcc\x81x");
	/* A mark without a base is dropped. */
	canvas_puts(canvas, 0, 1, STYLE_NORMAL, "\xcc\x81y");
	ck_assert_str_eq(row(1), "y");
	/* More marks than a cell holds are dropped. */
	strbuf_clear(&line);
	for (int i = 0; i < 50; i++) {
		strbuf_add_text(&line, i ? "\xcc\x81" : "e");
	}
	canvas_text(canvas, 0, 2, 10, STYLE_NORMAL, strbuf_slice(&line));
	ck_assert_int_eq(canvas_cell(canvas, 0, 2)->length, 1 + 2 * CELL_MARKS);
	/* A name of marks alone is shortened at once. */
	for (int i = 0; i < 100000; i++) {
		strbuf_add_text(&line, "\xcc\x81");
	}
	strbuf_add_text(&line, "0123456789abcdef");
	canvas_text_middle(canvas, 0, 2, 9, STYLE_NORMAL, strbuf_slice(&line));
	ck_assert_ptr_nonnull(strstr(row(2), "…def"));
}
END_TEST

START_TEST(hostile_bytes_become_visible)
{
	static const char *const hostile[] = {"\x1b[2J",
	                                      "\x07",
	                                      "\x9b"
	                                      "31m",
	                                      "\xff\xfe",
	                                      "\xe2\x80\xae",
	                                      "\xc2\x9b",
	                                      "\n\r\t"};

	for (size_t i = 0; i < sizeof(hostile) / sizeof(hostile[0]); i++) {
		canvas_clear(canvas);
		canvas_puts(canvas, 0, 0, STYLE_NORMAL, hostile[i]);
		for (const char *byte = row(0); *byte; byte++) {
			ck_assert_msg((unsigned char)*byte >= 0x20 && *byte != 0x7f,
			              "control byte drawn in case %zu", i);
		}
		ck_assert_ptr_null(strstr(row(0), "\xe2\x80\xae"));
		ck_assert_ptr_null(strstr(row(0), "\xc2\x9b"));
		check_halves(canvas);
	}
}
END_TEST

START_TEST(marks_need_a_letter)
{
	canvas_puts(canvas, 0, 0, STYLE_NORMAL,
	            "\xcc\x81"
	            "a \xcc\x81z"
	            "e\xcc\x81");
	ck_assert_str_eq(row(0), "a ze\xcc\x81");
}
END_TEST

START_TEST(ascii_canvas_holds_ascii_only)
{
	canvas->ascii = true;
	canvas_puts(canvas, 0, 0, STYLE_NORMAL, "aé世z");
	ck_assert_str_eq(row(0), "a???z");
	canvas_bar(canvas, 0, 1, 10, 20, STYLE_BAR);
	ck_assert_str_eq(row(1), "###");
	canvas_clear(canvas);
	canvas_bar(canvas, 0, 1, 10, 11, STYLE_BAR); /* to the nearest */
	ck_assert_str_eq(row(1), "#");
	canvas_puts(canvas, 0, 1, STYLE_NORMAL,
	            "e\xcc\x81z\xef\xb8\x8fj"); /* marks, what chooses a form */
	ck_assert_str_eq(row(1), "ezj");
	canvas_text_middle(canvas, 0, 2, 8, STYLE_NORMAL, slice_of("abcdefghijklmnop"));
	ck_assert_str_eq(row(2), "abcde~op");
}
END_TEST

START_TEST(right_aligned_and_shortened_text)
{
	canvas_text_right(canvas, 0, 0, 10, STYLE_NORMAL, slice_of("12"));
	ck_assert_str_eq(row(0), "        12");
	canvas_text_right(canvas, 0, 1, 3, STYLE_NORMAL, slice_of("12345"));
	ck_assert_str_eq(row(1), "123");
	ck_assert_int_le(
	    canvas_text_middle(canvas, 0, 2, 9, STYLE_NORMAL, slice_of("retrieve(0, 11):6695abcd")),
	    9);
	ck_assert_str_eq(row(2), "retri…bcd");
	canvas_clear(canvas);
	ck_assert_int_eq(
	    canvas_text_cut(canvas, 0, 0, 9, STYLE_NORMAL, slice_of("Why streams were idle")), 9);
	ck_assert_str_eq(row(0), "Why stre…");
	canvas_text_cut(canvas, 0, 1, 9, STYLE_NORMAL, slice_of("Why strea"));
	ck_assert_str_eq(row(1), "Why strea");
}
END_TEST

START_TEST(bars_use_eighths)
{
	canvas_bar(canvas, 0, 0, 4, 13, STYLE_BAR);
	ck_assert_str_eq(row(0), "█▋");
	canvas_bar(canvas, 0, 1, 4, 1000, STYLE_BAR);
	ck_assert_str_eq(row(1), "████");
	canvas_bar(canvas, 0, 2, 4, 0, STYLE_BAR);
	ck_assert_str_eq(row(2), "");
	ck_assert_str_eq(canvas_level(canvas, 0), " ");
	ck_assert_str_eq(canvas_level(canvas, 1e-9), "▁");
	ck_assert_str_eq(canvas_level(canvas, 1), "█");
}
END_TEST

START_TEST(any_drawing_keeps_the_grid_whole)
{
	static const char *const pieces[] = {"a", "世", "e\xcc\x81", "\x1b", "\xff", "👍", "…", " "};
	struct prng prng = {7};
	struct canvas *grid = canvas_new(17, 5);

	for (int i = 0; i < 20000; i++) {
		int x = (int)prng_below(&prng, 30) - 8, y = (int)prng_below(&prng, 9) - 2,
		    columns = (int)prng_below(&prng, 20);
		struct slice text =
		    slice_of(pieces[prng_below(&prng, sizeof(pieces) / sizeof(pieces[0]))]);

		switch (prng_below(&prng, 4)) {
		case 0:
			canvas_text(grid, x, y, columns, STYLE_NORMAL, text);
			break;
		case 1:
			canvas_text_right(grid, x, y, columns, STYLE_NORMAL, text);
			break;
		case 2:
			canvas_fill(grid, x, y, columns, 2, STYLE_BAR, "#");
			break;
		default:
			canvas_bar(grid, x, y, columns, (int64_t)prng_below(&prng, 200), STYLE_BAR);
		}
		if (i % 100 == 0) {
			check_halves(grid);
			canvas_resize(grid, 1 + (int)prng_below(&prng, 40),
			              1 + (int)prng_below(&prng, 8));
		}
	}
	canvas_free(grid);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("canvas");
	TCase *tests = tcase_create("canvas");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, text_is_clipped_on_all_sides);
	tcase_add_test(tests, wrapped_text_that_goes_on_ends_in_a_mark);
	tcase_add_test(tests, wide_characters_are_never_cut_in_half);
	tcase_add_test(tests, combining_marks_stay_with_their_base);
	tcase_add_test(tests, hostile_bytes_become_visible);
	tcase_add_test(tests, marks_need_a_letter);
	tcase_add_test(tests, ascii_canvas_holds_ascii_only);
	tcase_add_test(tests, right_aligned_and_shortened_text);
	tcase_add_test(tests, bars_use_eighths);
	tcase_add_test(tests, any_drawing_keeps_the_grid_whole);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
