/* Rows that moved sideways: what is found, and that moving gives what was wanted. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "ui/term/canvas_shift.h"
#include "unit/unit.h"
#include "util/prng.h"

/* What a terminal's delete or insert of characters does to a row. */
static void
move_row(struct canvas *canvas, int y, int x, int columns)
{
	struct cell *row = canvas->cells + (size_t)y * (size_t)canvas->width;
	struct cell blank = {.text = " ", .length = 1, .columns = 1, .style = STYLE_NORMAL};

	for (int k = 0; k < columns; k++) {
		memmove(row + x, row + x + 1, (size_t)(canvas->width - x - 1) * sizeof(*row));
		row[canvas->width - 1] = blank;
	}
	for (int k = 0; k > columns; k--) {
		memmove(row + x + 1, row + x, (size_t)(canvas->width - x - 1) * sizeof(*row));
		row[x] = blank;
	}
}

static int
differing(const struct canvas *a, const struct canvas *b)
{
	int n = 0;

	for (int i = 0; i < a->width * a->height; i++) {
		n += !cell_same(&a->cells[i], &b->cells[i]);
	}
	return n;
}

/* Columns from `label` on show a picture of random cells from `from` on. */
static void
draw(struct canvas *canvas, int label, int from)
{
	static const char *const glyphs[] = {" ", "\u2581", "\u2588", "x"};

	canvas_clear(canvas);
	for (int y = 0; y < canvas->height; y++) {
		canvas_printf(canvas, 0, y, STYLE_TITLE, "lane %d", y);
		for (int x = label; x < canvas->width; x++) {
			struct prng prng = {(uint64_t)(y * 1000 + x - label + from) + 7};

			canvas_puts(canvas, x, y,
			            (cell_style)(STYLE_PALETTE + prng_below(&prng, 3)),
			            glyphs[prng_below(&prng, 4)]);
		}
	}
}

START_TEST(a_panned_picture_is_found)
{
	struct canvas *before = canvas_new(80, 12), *after = canvas_new(80, 12);
	int xs[12], columns[] = {13, -13, 1, -30};
	struct canvas_shift shift = {0, xs};
	int moved = 0, least;

	draw(before, 20, 100);
	draw(after, 20, 100 + columns[_i]);
	least = differing(before, after) / 2;
	canvas_find_shift(before, after, &shift);
	ck_assert_int_eq(shift.columns, columns[_i]);
	for (int y = 0; y < 12; y++) {
		if (xs[y] >= 0) {
			ck_assert_int_ge(xs[y], 20);
			move_row(before, y, xs[y], shift.columns);
			moved++;
		}
	}
	ck_assert_int_ge(moved, 10);
	ck_assert_int_lt(differing(before, after), _i == 3 ? 500 : least);
	canvas_free(before);
	canvas_free(after);
}
END_TEST

/* A figure beside the plot that is another one now stays where it is. */
START_TEST(figures_beside_a_plot_do_not_move)
{
	struct canvas *before = canvas_new(80, 12), *after = canvas_new(80, 12);
	int xs[12], moved = 0;
	struct canvas_shift shift = {0, xs};

	draw(before, 20, 100);
	draw(after, 20, 113);
	for (int y = 2; y < 12; y++) {
		canvas_puts(before, 12, y, STYLE_MUTED, "18.55 %");
		canvas_puts(after, 12, y, STYLE_MUTED, "20.55 %");
	}
	canvas_find_shift(before, after, &shift);
	ck_assert_int_eq(shift.columns, 13);
	for (int y = 2; y < 12; y++) {
		ck_assert(xs[y] < 0 || xs[y] >= 20);
		moved += xs[y] >= 0;
	}
	ck_assert_int_ge(moved, 9);
	canvas_free(before);
	canvas_free(after);
}
END_TEST

START_TEST(what_did_not_move_stays)
{
	struct canvas *before = canvas_new(80, 12), *after = canvas_new(80, 12);
	int xs[12];
	struct canvas_shift shift = {0, xs};

	draw(before, 20, 5);
	draw(after, 20, 5);
	canvas_find_shift(before, after, &shift);
	ck_assert_int_eq(shift.columns, 0);
	draw(after, 20, 5000); /* something else */
	canvas_find_shift(before, after, &shift);
	for (int y = 0; shift.columns && y < 12; y++) {
		if (xs[y] >= 0) {
			move_row(before, y, xs[y], shift.columns);
		}
	}
	canvas_free(before);
	canvas_free(after);
}
END_TEST

/* tmux does not clear all that it makes room in. */
START_TEST(no_more_comes_in_than_moves)
{
	struct canvas *before = canvas_new(80, 12), *after = canvas_new(80, 12);
	int xs[12], found = 0;
	struct canvas_shift shift = {0, xs};

	for (int columns = -79; columns < 80; columns++) {
		draw(before, _i * 15, 100);
		draw(after, _i * 15, 100 + columns);
		canvas_find_shift(before, after, &shift);
		for (int y = 0; shift.columns && y < 12; y++) {
			ck_assert(xs[y] < 0 || 80 - xs[y] >= 2 * abs(shift.columns));
			found += xs[y] >= 0;
		}
	}
	ck_assert_int_gt(found, 100);
	canvas_free(before);
	canvas_free(after);
}
END_TEST

START_TEST(wide_characters_are_not_cut)
{
	struct canvas *before = canvas_new(80, 1), *after = canvas_new(80, 1);
	int xs[1];
	struct canvas_shift shift = {0, xs};

	draw(before, 10, 0);
	draw(after, 10, 13);
	canvas_puts(before, 60, 0, STYLE_NORMAL, "\u6f22");
	canvas_find_shift(before, after, &shift);
	ck_assert(shift.columns == 0 || xs[0] < 0);
	canvas_free(before);
	canvas_free(after);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("canvas_shift");
	TCase *tests = tcase_create("canvas_shift");

	tcase_add_loop_test(tests, a_panned_picture_is_found, 0, 4);
	tcase_add_test(tests, figures_beside_a_plot_do_not_move);
	tcase_add_test(tests, what_did_not_move_stays);
	tcase_add_loop_test(tests, no_more_comes_in_than_moves, 0, 4);
	tcase_add_test(tests, wide_characters_are_not_cut);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
