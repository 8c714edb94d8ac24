/*
 * Storms of sizes, from 1x1 to 500x200, with keys in between, in every view. What was selected is
 * still selected, and the screen is that of an explorer that never saw another size. The keys are
 * such whose effect does not depend on the size, and neither the storm nor the keys wait for
 * anything.
 */
#include "config.h"

#include <string.h>

#include "tests/pty/script.h"
#include "tests/unit/unit.h"
#include "util/prng.h"
#include "util/slice.h"

#define COLUMNS 80
#define ROWS 24
#define SIZES 40

/* Mostly sizes of terminals, some of which no one has. */
static int
random_side(struct prng *prng, int limit)
{
	int most = prng_below(prng, 3) ? limit / 4 : limit;

	return prng_below(prng, 6) ? 1 + (int)prng_below(prng, (uint64_t)most)
	                           : 1 + (int)prng_below(prng, 3);
}

/* The row marked as selected, with single blanks and up to what is cut. */
static void
selected_row(const char *screen, char out[500])
{
	const char *row = screen[0] == '>' ? screen : strstr(screen, "\n>");
	size_t n = 0;

	for (row += row && *row == '\n'; row && *row && *row != '\n' && n < 499; row++) {
		if (strncmp(row, "…", 3) == 0) {
			break;
		}
		if (*row != ' ' || row[1] != ' ') {
			out[n++] = *row;
		}
	}
	out[n] = '\0';
}

/* Columns may have grown for what a larger screen showed: what is seen of the row must be the
 * same. */
static bool
is_selected(struct pty *pty, const void *wanted)
{
	char *screen = pty_screen(pty), shown[500];
	size_t length, wanted_length = strlen(wanted);

	selected_row(screen, shown);
	free(screen);
	length = strlen(shown);
	return (length == 0) == (wanted_length == 0) &&
	       strncmp(shown, wanted, length < wanted_length ? length : wanted_length) == 0;
}

/* Resizes and presses keys; script gets the keys. */
static void
storm(struct pty *pty, struct prng *prng, const char *const *keys, size_t n_keys,
      struct strbuf *script)
{
	for (int i = 0; i < SIZES; i++) {
		pty_resize(pty, random_side(prng, 500), random_side(prng, 200));
		for (uint64_t k = prng_below(prng, 4); k > 0 && n_keys > 0; k--) {
			const char *key = keys[prng_below(prng, n_keys)];

			script_press(pty, key);
			strbuf_printf(script, " %s", key);
		}
	}
	pty_resize(pty, COLUMNS, ROWS);
}

/* All rows up, all columns as they are for what is seen. */
#define K10 " k k k k k k k k k k"
#define TO_THE_TOP " g" K10 K10 K10 K10 K10 K10 " R"

START_TEST(views_come_through_storms_of_sizes)
{
	static const char *const keys[] = {"j", "j", "Down", "k", "Up", "^L", "~ ~", ": Esc"};
	const struct script_view *view = &script_views[_i];
	struct pty *pty = explore(COLUMNS, ROWS, NULL, NULL);
	struct prng prng = {(uint64_t)_i};
	struct strbuf script = {0};
	char *screen, wanted[500];

	script_follow(pty, NULL, COLUMNS, ROWS, "", view->script);
	strbuf_add_text(&script, view->script);
	storm(pty, &prng, keys, sizeof(keys) / sizeof(keys[0]), &script);
	screen = script_screen(NULL, COLUMNS, ROWS, script.data);
	selected_row(screen, wanted);
	free(screen);
	if (!pty_wait_until(pty, is_selected, wanted)) {
		pty_dump(pty);
		ck_abort_msg("%s: not selected: %s", view->name, wanted);
	}
	script_press(pty, TO_THE_TOP);
	strbuf_add_text(&script, TO_THE_TOP);
	screen = script_screen(NULL, COLUMNS, ROWS, script.data);
	ck_assert_msg(pty_wait_screen(pty, screen), "%s: another screen", view->name);
	free(screen);
	strbuf_free(&script);
	explore_quit(pty);
}
END_TEST

/* What is being typed, and what was said, too. */
START_TEST(prompts_come_through_storms_of_sizes)
{
	static const char *const prompts[] = {
	    "j v Enter : 'sort-d'",      "S & 'duration > 1'",  "/ 'work'",
	    "j v Enter ; 'SELECT 1, 2'", "j v Enter e 'x.csv'", "j v Enter : 'nonsense' Enter"};
	struct pty *pty = explore(COLUMNS, ROWS, NULL, NULL);
	struct strbuf script = {0};
	struct prng prng = {(uint64_t)_i + 100};

	script_follow(pty, NULL, COLUMNS, ROWS, "", prompts[_i]);
	storm(pty, &prng, NULL, 0, &script);
	script_follow(pty, NULL, COLUMNS, ROWS, prompts[_i], "Left");
	strbuf_free(&script);
	pty_free(pty);
}
END_TEST

static void
add(void *tests)
{
	tcase_add_loop_test(tests, views_come_through_storms_of_sizes, 0, (int)script_n_views);
	tcase_add_loop_test(tests, prompts_come_through_storms_of_sizes, 0, 6);
}

int
main(void)
{
	return explore_main("resize", add);
}
