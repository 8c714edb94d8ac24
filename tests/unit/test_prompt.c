/* The line that is typed into: editing, history, completion, drawing. */
#include "config.h"

#include <string.h>
#include <sys/stat.h>

#include "tests/unit/folder.h"
#include "tests/unit/unit.h"
#include "ui/base/prompt.h"
#include "util/mem.h"
#include "util/prng.h"
#include "util/utf8.h"

static struct prompt prompt;
static struct history *history;

static void
set_up(void)
{
	prompt = (struct prompt){0};
	history = history_new(NULL);
	prompt_open(&prompt, PROMPT_SQL, "> ", "");
}

static void
tear_down(void)
{
	prompt_fini(&prompt);
	history_free(history);
}

static void
type(const char *text)
{
	struct slice left = slice_of(text);

	while (left.len > 0) {
		size_t length;

		prompt_key(&prompt, (int)utf8_next(left, &length), history);
		left.ptr += length;
		left.len -= length;
	}
}

static const char *
text_now(void)
{
	static char text[256];

	ck_assert_uint_lt(prompt.text.len, sizeof(text));
	memcpy(text, prompt.text.data ? prompt.text.data : "", prompt.text.len);
	text[prompt.text.len] = '\0';
	return text;
}

static void
offer(const char *const *words, size_t n, size_t from)
{
	struct completion offers = {.from = from};

	for (size_t i = 0; i < n; i++) {
		completion_add(&offers, slice_of(words[i]));
	}
	prompt_offer(&prompt, &offers);
}

START_TEST(text_is_edited_by_characters_and_words)
{
	type("größe über");
	prompt_key(&prompt, KEY_BACKSPACE_ASCII, history);
	ck_assert_str_eq(text_now(), "größe übe");
	prompt_key(&prompt, KEY_FIRST, history);
	prompt_key(&prompt, KEY_CURSOR_RIGHT, history);
	prompt_key(&prompt, KEY_CURSOR_RIGHT, history);
	prompt_key(&prompt, KEY_DELETE, history);
	ck_assert_str_eq(text_now(), "grße übe");
	prompt_key(&prompt, KEY_BACKSPACE_ASCII, history);
	ck_assert_str_eq(text_now(), "gße übe");
	prompt_key(&prompt, KEY_LAST, history);
	prompt_key(&prompt, 23, history); /* ^W */
	ck_assert_str_eq(text_now(), "gße ");
	prompt_key(&prompt, 21, history); /* ^U */
	ck_assert_uint_eq(prompt.text.len, 0);
}
END_TEST

START_TEST(the_rest_is_deleted_either_way)
{
	type("SELECT 1 FROM span");
	for (int i = 0; i < 9; i++) {
		prompt_key(&prompt, KEY_CURSOR_LEFT, history);
	}
	ck_assert_int_eq(prompt_key(&prompt, 11, history), PROMPT_EDITED); /* ^K */
	ck_assert_str_eq(prompt.text.data, "SELECT 1 ");
	ck_assert_str_eq(text_now(), "SELECT 1 ");
	type("+ 2");
	ck_assert_str_eq(text_now(), "SELECT 1 + 2");
	prompt_key(&prompt, KEY_CURSOR_LEFT, history);
	prompt_key(&prompt, 23, history); /* ^W: the word before the cursor */
	ck_assert_str_eq(text_now(), "SELECT 1 2");
	prompt_key(&prompt, 23, history);
	ck_assert_str_eq(text_now(), "SELECT 2");
	prompt_key(&prompt, 21, history); /* ^U: all before it */
	ck_assert_str_eq(text_now(), "2");
	prompt_key(&prompt, 5, history); /* ^E */
	type("3");
	ck_assert_str_eq(text_now(), "23");
	ck_assert_int_eq(prompt_key(&prompt, KEY_DELETE, history), PROMPT_EDITED);
	ck_assert_str_eq(text_now(), "23"); /* nothing stands behind it */
	prompt_key(&prompt, '\b', history);
	ck_assert_str_eq(text_now(), "2");
	ck_assert_int_eq(prompt_key(&prompt, 2, history), PROMPT_NOTHING);
	ck_assert_int_eq(prompt_key(&prompt, 3, history), PROMPT_LEFT); /* ^C */
	ck_assert_uint_eq(prompt.text.len, 0);
}
END_TEST

START_TEST(any_keys_leave_valid_text)
{
	static const int keys[] = {KEY_BACKSPACE_ASCII,
	                           KEY_DELETE,
	                           KEY_CURSOR_LEFT,
	                           KEY_CURSOR_RIGHT,
	                           KEY_FIRST,
	                           KEY_LAST,
	                           KEY_CURSOR_UP,
	                           KEY_CURSOR_DOWN,
	                           21,
	                           11,
	                           23,
	                           'a',
	                           ' ',
	                           0xe9,
	                           0x4e2d,
	                           0x301,
	                           7,
	                           0x202e,
	                           0x1f600};
	struct prng random = {7};
	struct canvas *canvas = canvas_new(20, 5);

	history_add(history, PROMPT_SQL, slice_of("SELECT ä"));
	for (int i = 0; i < 20000; i++) {
		prompt_key(&prompt, keys[prng_below(&random, sizeof(keys) / sizeof(keys[0]))],
		           history);
		ck_assert(utf8_valid(strbuf_slice(&prompt.text)));
		ck_assert_uint_le(prompt.cursor, prompt.text.len);
		ck_assert(utf8_valid((struct slice){prompt.text.data, prompt.cursor}));
		if (i % 64 == 0) {
			prompt_draw(&prompt, "", canvas);
			ck_assert_int_lt(canvas->cursor_x, 20);
		}
	}
	canvas_free(canvas);
}
END_TEST

START_TEST(history_is_walked_and_what_was_typed_comes_back)
{
	history_add(history, PROMPT_SQL, slice_of("one"));
	history_add(history, PROMPT_SQL, slice_of("two"));
	history_add(history, PROMPT_SQL, slice_of("one")); /* again: now the newest */
	history_add(history, PROMPT_SEARCH, slice_of("other"));
	type("draft");
	prompt_key(&prompt, KEY_CURSOR_UP, history);
	ck_assert_str_eq(text_now(), "one");
	prompt_key(&prompt, KEY_CURSOR_UP, history);
	ck_assert_str_eq(text_now(), "two");
	prompt_key(&prompt, KEY_CURSOR_UP, history);
	ck_assert_str_eq(text_now(), "two");
	prompt_key(&prompt, KEY_CURSOR_DOWN, history);
	prompt_key(&prompt, KEY_CURSOR_DOWN, history);
	ck_assert_str_eq(text_now(), "draft");
	ck_assert_int_eq(prompt_key(&prompt, KEY_ENTER, history), PROMPT_ACCEPTED);
	ck_assert_str_eq(history_get(history, PROMPT_SQL, 1), "draft");
}
END_TEST

START_TEST(history_is_kept_in_a_file_of_its_owner)
{
	const char *folder = folder_new();
	char path[128];
	struct stat status;
	struct history *kept;

	snprintf(path, sizeof(path), "%s/state/lanescope/history", folder);
	kept = history_new(path);
	history_add(kept, PROMPT_SQL, slice_of("SELECT 1"));
	history_add(kept, PROMPT_SQL, slice_of(""));
	history_add(kept, PROMPT_SQL, slice_of("two\nlines"));
	for (int i = 0; i < 2 * HISTORY_LIMIT; i++) {
		char text[32];

		snprintf(text, sizeof(text), "word %d", i);
		history_add(kept, PROMPT_SEARCH, slice_of(text));
	}
	history_save(kept);
	history_free(kept);
	ck_assert_int_eq(stat(path, &status), 0);
	ck_assert_uint_eq(status.st_mode & 0777, 0600);
	kept = history_new(path);
	ck_assert_str_eq(history_get(kept, PROMPT_SQL, 1), "SELECT 1");
	ck_assert_ptr_null(history_get(kept, PROMPT_SQL, 2));
	ck_assert_str_eq(history_get(kept, PROMPT_SEARCH, 1), "word 399");
	ck_assert_str_eq(history_get(kept, PROMPT_SEARCH, HISTORY_LIMIT), "word 200");
	ck_assert_ptr_null(history_get(kept, PROMPT_SEARCH, HISTORY_LIMIT + 1));
	ck_assert_ptr_null(history_get(kept, 99, 1));
	history_free(kept);
	folder_remove(folder);
}
END_TEST

START_TEST(one_offer_is_taken_many_are_gone_through)
{
	static const char *const many[] = {"span", "span_page", "span_sums"};
	static const char *const one[] = {"category"};

	type("FROM sp");
	ck_assert_int_eq(prompt_key(&prompt, KEY_TAB, history), PROMPT_WANTS_OFFERS);
	offer(many, 3, 5);
	ck_assert_str_eq(text_now(), "FROM span"); /* what they have in common */
	prompt_key(&prompt, KEY_TAB, history);
	prompt_key(&prompt, KEY_TAB, history);
	ck_assert_str_eq(text_now(), "FROM span_page");
	prompt_key(&prompt, KEY_BACK_TAB, history);
	prompt_key(&prompt, KEY_BACK_TAB, history);
	ck_assert_str_eq(text_now(), "FROM span"); /* as typed */
	prompt_key(&prompt, KEY_BACK_TAB, history);
	ck_assert_str_eq(text_now(), "FROM span_sums");
	ck_assert_int_eq(prompt_key(&prompt, KEY_ESCAPE, history), PROMPT_EDITED);
	ck_assert_str_eq(text_now(), "FROM span");
	ck_assert(prompt.is_open);
	type(" c");
	prompt_key(&prompt, KEY_TAB, history);
	offer(one, 1, 10);
	ck_assert_str_eq(text_now(), "FROM span category");
	ck_assert_uint_eq(prompt.offers.n, 0);
	ck_assert_int_eq(prompt_key(&prompt, KEY_ESCAPE, history), PROMPT_LEFT);
	ck_assert(!prompt.is_open);
}
END_TEST

START_TEST(offers_have_whole_characters_in_common)
{
	static const char *const accents[] = {"a\xc3\xa9", "a\xc3\xa8"};
	static const char *const arrows[] = {"\xe2\x86\x91", "\xe2\x86\x93"};

	type("FROM ");
	offer(accents, 2, 5);
	ck_assert_str_eq(text_now(), "FROM a");
	type(" ");
	offer(arrows, 2, 7);
	ck_assert_str_eq(text_now(), "FROM a ");
}
END_TEST

START_TEST(offers_are_those_that_begin_so_each_once)
{
	static const char *const words[] = {"start", "stop", "start", "name", "s"};
	struct completion completion = {0};

	for (size_t i = 0; i < 5; i++) {
		completion_add(&completion, slice_of(words[i]));
	}
	completion.typed = slice_of("st");
	completion_settle(&completion);
	ck_assert_uint_eq(completion.n, 2);
	ck_assert_str_eq(completion.words[0], "start");
	ck_assert_str_eq(completion.words[1], "stop");
	completion_free(&completion);
}
END_TEST

START_TEST(the_cursor_stays_in_sight)
{
	struct canvas *canvas = canvas_new(12, 3);
	struct strbuf row = {0};

	type("0123456789abcdef");
	prompt_draw(&prompt, "", canvas);
	canvas_row(canvas, 2, &row);
	ck_assert_str_eq(row.data, "> 89abcdef");
	ck_assert_int_eq(canvas->cursor_x, 10);
	prompt_key(&prompt, KEY_FIRST, history);
	prompt_draw(&prompt, "", canvas);
	strbuf_clear(&row);
	canvas_row(canvas, 2, &row);
	ck_assert_str_eq(row.data, "> 0123456789");
	ck_assert_int_eq(canvas->cursor_x, 2);
	strbuf_free(&row);
	canvas_free(canvas);
}
END_TEST

/* A file that others wrote: what is no line of it is passed over, one too large is not read. */
START_TEST(a_history_takes_lines_of_its_kinds_alone)
{
	const char *folder = folder_new();
	char path[128];
	struct history *kept;
	FILE *file;

	snprintf(path, sizeof(path), "%s/history", folder);
	file = fopen(path, "w");
	fprintf(file, "%d a\n%d\n%d \n%dxb\n/ c\n9 d\n:\n%d last", PROMPT_SQL, PROMPT_SQL,
	        PROMPT_SQL, PROMPT_SQL, PROMPT_SQL);
	fclose(file);
	kept = history_new(path);
	ck_assert_str_eq(history_get(kept, PROMPT_SQL, 1), "last");
	ck_assert_str_eq(history_get(kept, PROMPT_SQL, 2), "a");
	ck_assert_ptr_null(history_get(kept, PROMPT_SQL, 3));
	ck_assert_ptr_null(history_get(kept, PROMPT_SQL, 0));
	history_free(kept);
	ck_assert_int_eq(truncate(path, 1 << 20), 0);
	kept = history_new(path);
	ck_assert_ptr_nonnull(history_get(kept, PROMPT_SQL, 2));
	history_free(kept);
	ck_assert_int_eq(truncate(path, (1 << 20) + 1), 0);
	kept = history_new(path);
	ck_assert_ptr_null(history_get(kept, PROMPT_SQL, 1));
	history_free(kept);
	history_free(NULL);
	kept = history_new(NULL); /* kept nowhere */
	history_add(kept, PROMPT_SQL, slice_of("x"));
	history_save(kept);
	history_free(kept);
	folder_remove(folder);
}
END_TEST

START_TEST(a_text_has_an_end)
{
	size_t limit, before;

	do {
		before = prompt.text.len;
		prompt_key(&prompt, 'x', history);
	} while (prompt.text.len > before);
	limit = prompt.text.len;
	prompt_key(&prompt, KEY_FIRST, history);
	prompt_key(&prompt, 0xe9, history);
	ck_assert_uint_eq(prompt.text.len, limit);
	ck_assert_uint_eq(prompt.cursor, 0);
	prompt_key(&prompt, KEY_DELETE, history);
	prompt_key(&prompt, 0xe9, history); /* two bytes, and one is free */
	ck_assert_uint_eq(prompt.text.len, limit - 1);
	prompt_key(&prompt, 'y', history);
	ck_assert_uint_eq(prompt.text.len, limit);
	ck_assert_uint_eq(prompt.cursor, 1);
}
END_TEST

START_TEST(keys_say_what_they_did)
{
	ck_assert_int_eq(prompt_key(&prompt, KEY_CURSOR_DOWN, history), PROMPT_NOTHING);
	ck_assert_int_eq(prompt_key(&prompt, KEY_CURSOR_UP, history), PROMPT_NOTHING);
	ck_assert_int_eq(prompt_key(&prompt, 'a', history), PROMPT_EDITED);
	ck_assert_int_eq(prompt_key(&prompt, KEY_CURSOR_LEFT, history), PROMPT_NOTHING);
	ck_assert_uint_eq(prompt.cursor, 0);
	ck_assert_int_eq(prompt_key(&prompt, KEY_CURSOR_RIGHT, history), PROMPT_NOTHING);
	ck_assert_uint_eq(prompt.cursor, 1);
	ck_assert_int_eq(prompt_key(&prompt, KEY_FIRST, history), PROMPT_NOTHING);
	ck_assert_int_eq(prompt_key(&prompt, 5, history), PROMPT_NOTHING);
	ck_assert_uint_eq(prompt.cursor, 1);
	ck_assert_int_eq(prompt_key(&prompt, 31, history), PROMPT_NOTHING);
	ck_assert_int_eq(prompt_key(&prompt, 0x110000, history), PROMPT_NOTHING);
	ck_assert_int_eq(prompt_key(&prompt, '\b', history), PROMPT_EDITED);
	ck_assert_str_eq(text_now(), "");
	ck_assert_int_eq(prompt_key(&prompt, '\n', history), PROMPT_ACCEPTED);
	ck_assert_ptr_null(history_get(history, PROMPT_SQL, 1));
	prompt_open(&prompt, PROMPT_SQL, "> ", "given");
	ck_assert_uint_eq(prompt.cursor, 5);
	ck_assert_int_eq(prompt_key(&prompt, 3, history), PROMPT_LEFT);
	ck_assert_str_eq(text_now(), "");
	ck_assert_ptr_null(history_get(history, PROMPT_SQL, 1));
}
END_TEST

static void
check_draw(const char *note, const char *row_wanted, int cursor_wanted)
{
	struct canvas *canvas = canvas_new(30, 3);
	struct strbuf row = {0};

	prompt_draw(&prompt, note, canvas);
	canvas_row(canvas, 2, &row);
	ck_assert_str_eq(row.data, row_wanted);
	ck_assert_int_eq(canvas->cursor_x, cursor_wanted);
	ck_assert_int_eq(canvas->cursor_y, 2);
	strbuf_free(&row);
	canvas_free(canvas);
}

START_TEST(a_note_stands_at_the_right_where_there_is_room)
{
	type("abc");
	check_draw("not found", "> abc               not found", 5);
	type("0123456789abc");
	check_draw("not found", "> bc0123456789abc   not found", 17);
	check_draw("a note of 18 bytes", "> abc0123456789abc", 18);
	check_draw("a note of 17 byte", "> 6789abc   a note of 17 byte", 9);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("prompt");
	TCase *tests = tcase_create("prompt");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, text_is_edited_by_characters_and_words);
	tcase_add_test(tests, the_rest_is_deleted_either_way);
	tcase_add_test(tests, any_keys_leave_valid_text);
	tcase_add_test(tests, history_is_walked_and_what_was_typed_comes_back);
	tcase_add_test(tests, history_is_kept_in_a_file_of_its_owner);
	tcase_add_test(tests, one_offer_is_taken_many_are_gone_through);
	tcase_add_test(tests, offers_have_whole_characters_in_common);
	tcase_add_test(tests, offers_are_those_that_begin_so_each_once);
	tcase_add_test(tests, the_cursor_stays_in_sight);
	tcase_add_test(tests, a_history_takes_lines_of_its_kinds_alone);
	tcase_add_test(tests, a_text_has_an_end);
	tcase_add_test(tests, keys_say_what_they_did);
	tcase_add_test(tests, a_note_stands_at_the_right_where_there_is_room);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
