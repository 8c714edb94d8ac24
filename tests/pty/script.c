/*
 * The same keys reach the program in two ways: from a file, where it waits for every answer and
 * prints its canvas, and from a terminal, where nothing waits and curses and an emulator stand
 * between canvas and screen. Both must end with the same screen, so the first is what a test waits
 * for on the second, and no text has to be written down.
 */
#include "config.h"

#include "tests/pty/script.h"

#include <string.h>

#include "tests/unit/unit.h"
#include "ui/base/keys.h"
#include "util/slice.h"
#include "util/utf8.h"

const struct script_view script_views[] = {
    {"runs", "j"},
    {"overview", "j i"},
    {"queries", "j v"},
    {"table", "j v Enter"},
    {"text", "j v V"},
    {"SQL", "j ; 'SELECT * FROM lanes' Enter"},
    {"spans", "j S"},
    {"span", "j S Enter"},
    {"timeline", "T"},
    {"timeline, unfolded", "T O"},
    {"pair", "A j B |"},
    {"choices", "A j B D"},
    {"difference", "A j B D Enter"},
    {"explain", "A j B X"},
    {"part of explain", "A j B X Enter"},
    {"help", "?"},
};
const size_t script_n_views = sizeof(script_views) / sizeof(script_views[0]);

const char *
script_bytes(int key)
{
	static const struct {
		int key;
		const char *bytes;
	} special[] = {
	    {KEY_CURSOR_UP, "\033[A"},   {KEY_CURSOR_DOWN, "\033[B"}, {KEY_CURSOR_RIGHT, "\033[C"},
	    {KEY_CURSOR_LEFT, "\033[D"}, {KEY_PAGE_UP, "\033[5~"},    {KEY_PAGE_DOWN, "\033[6~"},
	    {KEY_FIRST, "\033OH"},       {KEY_LAST, "\033OF"},        {KEY_DELETE, "\033[3~"},
	    {KEY_BACK_TAB, "\033[Z"},    {KEY_F1, "\033OP"}};
	static char out[8];

	for (size_t i = 0; i < sizeof(special) / sizeof(special[0]); i++) {
		if (special[i].key == key) {
			return special[i].bytes;
		}
	}
	out[utf8_encode((uint32_t)key, out)] = '\0';
	return out;
}

/* Takes the next word off a script: up to a blank, or from ' to '. */
static struct slice
word_take(const char **script)
{
	const char *start = *script + strspn(*script, " ");
	size_t length = strcspn(start, " ");

	if (*start == '\'' && strchr(start + 1, '\'')) {
		length = (size_t)(strchr(start + 1, '\'') + 1 - start);
	}
	*script = start + length;
	return (struct slice){start, length};
}

static bool
word_is_size(struct slice word, int *columns, int *rows)
{
	char text[16];

	snprintf(text, sizeof(text), "%.*s", (int)word.len, word.ptr);
	return word.len < sizeof(text) && strspn(text, "0123456789x") == word.len &&
	       sscanf(text, "%dx%d", columns, rows) == 2;
}

static void
word_press(struct pty *pty, struct slice word)
{
	char text[200];
	int columns, rows;

	if (word_is_size(word, &columns, &rows)) {
		pty_resize(pty, columns, rows);
	} else if (word.len > 2 && word.ptr[0] == '\'') {
		snprintf(text, sizeof(text), "%.*s", (int)word.len - 2, word.ptr + 1);
		pty_send(pty, text);
	} else {
		ck_assert_msg(key_from_name(word) != KEY_NONE, "no key %.*s", (int)word.len,
		              word.ptr);
		pty_send(pty, script_bytes(key_from_name(word)));
	}
}

void
script_press(struct pty *pty, const char *script)
{
	struct slice word;

	while ((word = word_take(&script)).len > 0) {
		word_press(pty, word);
	}
}

char *
script_screen(const char *path, int columns, int rows, const char *script)
{
	struct strbuf out = {0};
	char keys[300], command[2000];
	size_t got;
	FILE *file;

	snprintf(keys, sizeof(keys), "%s/keys", explore_folder());
	file = fopen(keys, "w");
	ck_assert_ptr_nonnull(file);
	fprintf(file, "%s\n", script);
	ck_assert_int_eq(fclose(file), 0);
	snprintf(command, sizeof(command),
	         "LC_ALL=C.UTF-8 XDG_CONFIG_HOME=%s XDG_STATE_HOME=%s/state "
	         "XDG_CACHE_HOME=%s/cache '%s' "
	         "--keys %s --size %dx%d '%s'",
	         explore_folder(), explore_folder(), explore_folder(), getenv("LANESCOPE"), keys,
	         columns, rows, path ? path : explore_runs());
	file = popen(command, "r");
	ck_assert_ptr_nonnull(file);
	do {
		char bytes[65536];

		got = fread(bytes, 1, sizeof(bytes), file);
		strbuf_add(&out, bytes, got);
	} while (got > 0);
	got = (size_t)pclose(file);
	ck_assert(WIFEXITED((int)got) &&
	          (WEXITSTATUS((int)got) == 0 || WEXITSTATUS((int)got) == 2));
	return strbuf_take(&out); /* 2: a key was refused, which the screens show */
}

/* The place behind n lines. */
static char *
skip_lines(char *text, int n)
{
	for (; n > 0; n--) {
		text = strchr(text, '\n');
		ck_assert_ptr_nonnull(text);
		text++;
	}
	return text;
}

void
script_follow(struct pty *pty, const char *path, int columns, int rows, const char *before,
              const char *script)
{
	struct strbuf asked = {0};
	const char *rest = script;
	struct slice word;
	char *screens, *screen, *end;

	strbuf_add_text(&asked, before);
	while ((word = word_take(&rest)).len > 0) {
		strbuf_printf(&asked, " %.*s screen", (int)word.len, word.ptr);
	}
	screens = screen = script_screen(path, columns, rows, asked.data);
	for (rest = script; (word = word_take(&rest)).len > 0; screen = end) {
		word_press(pty, word);
		(void)word_is_size(word, &columns, &rows);
		end = skip_lines(screen, rows);
		ck_assert_msg(pty_wait_screen(pty, screen), "%.*s of %s", (int)word.len, word.ptr,
		              script);
	}
	free(screens);
	strbuf_free(&asked);
}
