/* The settings file and the session file: what is right holds, what is wrong is named with its
 * line. */
#include "config.h"

#include <string.h>
#include <sys/stat.h>

#include "tests/unit/folder.h"
#include "tests/unit/unit.h"
#include "ui/base/keys.h"
#include "ui/base/memory.h"
#include "ui/base/settings.h"

static char path[] = "/tmp/lanescope-settings-XXXXXX";

static void
write_file(const char *text)
{
	FILE *file;

	strcpy(path + sizeof(path) - 7, "XXXXXX");
	file = fdopen(mkstemp(path), "w");
	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
}

static struct settings
settings_of(const char *text)
{
	struct settings settings;

	write_file(text);
	settings_init(&settings);
	settings_read(&settings, path);
	unlink(path);
	return settings;
}

START_TEST(a_later_line_counts)
{
	struct settings settings =
	    settings_of("colours = 8\ncolours = auto\nglyphs = ascii\nglyphs = auto\n");

	ck_assert_str_eq(settings.problems.len ? settings.problems.data : "", "");
	ck_assert_int_eq(settings.term.colours, COLOURS_AUTO);
	ck_assert_int_eq(settings.glyphs, GLYPHS_AUTO);
	settings_fini(&settings);
	settings = settings_of("colours = none\ncolours = 7\n");
	ck_assert_ptr_nonnull(strstr(settings.problems.data, "7"));
	ck_assert_int_eq(settings.term.colours, COLOURS_NONE);
	settings_fini(&settings);
	settings = settings_of("colours = 256\n");
	ck_assert_int_eq(settings.term.colours, COLOURS_256);
	settings_fini(&settings);
}
END_TEST

START_TEST(settings_are_read)
{
	struct settings settings = settings_of("# mine\n"
	                                       "glyphs = ascii   # everywhere\n"
	                                       "\n"
	                                       "colours=8\n"
	                                       "  mouse = on\n"
	                                       "escape-delay = 200\r\n"
	                                       "view = timeline\n"
	                                       "ask-to-leave = off\n"
	                                       "safe-csv = on\n"
	                                       "cache = 2GiB\n"
	                                       "classes = pfs=/work/*|/w2/*:fast=/nvme9/*\n"
	                                       "colour.bar = 33\n"
	                                       "colour.error = red\n"
	                                       "color.3 = default\n"
	                                       "key.filter = # &\n"
	                                       "key.redraw = none\n");

	ck_assert_str_eq(settings.problems.len ? settings.problems.data : "", "");
	ck_assert_int_eq(settings.glyphs, GLYPHS_ASCII);
	ck_assert_int_eq(settings.term.colours, COLOURS_8);
	ck_assert(settings.mouse);
	ck_assert(settings.safe_csv);
	ck_assert_int_eq(settings.ask_to_leave, ASKS_OFF);
	ck_assert_int_eq(settings.term.escape_delay_ms, 200);
	ck_assert_str_eq(settings.view, "timeline");
	ck_assert_int_eq(settings.cache_bytes, INT64_C(2) << 30);
	ck_assert_str_eq(settings.classes, "pfs=/work/*|/w2/*:fast=/nvme9/*");
	settings_put_classes(&settings, "mine=/m/*");
	ck_assert_str_eq(settings.classes, "mine=/m/*:pfs=/work/*|/w2/*:fast=/nvme9/*");
	ck_assert_int_eq(settings.term.colour[STYLE_BAR], 33);
	ck_assert_int_eq(settings.term.colour[STYLE_ERROR], 1);
	ck_assert_int_eq(settings.term.colour[STYLE_PALETTE + 2], COLOUR_DEFAULT);
	ck_assert_int_eq(settings.term.colour[STYLE_TITLE], COLOUR_UNSET);
	ck_assert_int_eq(keys_lookup('#', IN_TABLE), ACTION_FILTER);
	ck_assert_int_eq(keys_lookup('&', IN_TABLE), ACTION_FILTER);
	ck_assert_int_eq(keys_lookup(12, IN_TABLE), ACTION_NONE);
	settings_fini(&settings);
}
END_TEST

START_TEST(what_is_wrong_is_named_and_the_rest_holds)
{
	static const char *const reasons[] = {
	    ":1: 'braille' is none of auto, utf8, ascii",
	    ":2: no setting 'speed'",
	    ":3: not NAME = VALUE",
	    ":4: 'pink' is no colour",
	    ":5: no style 'frame'",
	    ":6: no command 'explode'",
	    ":7: 'Hyper' is no key",
	    ":8: 'soon' is no number of milliseconds",
	    ":9: at most 4 keys",
	    ":10: 'plenty' is no size",
	};
	struct settings settings =
	    settings_of("glyphs = braille\nspeed = 9\nglyphs\ncolour.bar = pink\n"
	                "colour.frame = red\nkey.explode = x\nkey.help = Hyper\n"
	                "escape-delay = soon\nkey.help = a b c d e\ncache = plenty\n"
	                "mouse = on\ncache = unlimited\n");

	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		ck_assert_msg(strstr(settings.problems.data, reasons[i]) != NULL, "%s not in:\n%s",
		              reasons[i], settings.problems.data);
	}
	ck_assert(settings.mouse);
	ck_assert_int_eq(settings.cache_bytes, -1);
	ck_assert_int_eq(keys_lookup('?', IN_TABLE), ACTION_HELP);
	settings_fini(&settings);
}
END_TEST

START_TEST(no_file_is_no_problem)
{
	struct settings settings;

	settings_init(&settings);
	settings_read(&settings, "/nonexistent/lanescope/config");
	ck_assert_uint_eq(settings.problems.len, 0);
	settings_fini(&settings);
}
END_TEST

START_TEST(a_key_bound_anew_leaves_its_old_command)
{
	struct err err = ERR_INIT;
	int keys[] = {'o', 'x'}; /* of timelines; of runs */

	ck_assert_int_eq(keys_lookup('x', IN_RUNS), ACTION_SWAP);
	ck_assert_int_eq(keys_bind(slice_of("mark-here"), keys, 2, &err), 0);
	ck_assert_int_eq(keys_lookup('x', IN_TABLE), ACTION_MARK);
	ck_assert_int_eq(keys_lookup('m', IN_TABLE), ACTION_NONE);
	ck_assert_int_eq(keys_lookup('o', IN_TIMELINE), ACTION_MARK);
	ck_assert_int_eq(keys_lookup('o', IN_PAIR),
	                 ACTION_NONE); /* a command has its keys in all views */
	ck_assert_int_eq(keys_lookup('x', IN_RUNS), ACTION_SWAP); /* another view's */
	ck_assert_int_ne(keys_bind(slice_of("nothing"), keys, 1, &err), 0);
	ck_assert_ptr_nonnull(strstr(err.message, "no command 'nothing'"));
}
END_TEST

START_TEST(what_is_remembered_survives_a_file)
{
	struct memory *memory = memory_new();
	struct err err = ERR_INIT;

	memory_set(memory, "table.b.filter", "name = \"x\\y\"\r\nsecond");
	memory_set(memory, "table.a.sort", "-total");
	memory_set(memory, "gone", "1");
	memory_set(memory, "gone", NULL);
	memory_set(memory, "never", NULL);
	write_file("");
	ck_assert_int_eq(memory_save(memory, path, &err), 0);
	memory_free(memory);
	memory = memory_new();
	ck_assert_int_eq(memory_load(memory, path, &err), 0);
	ck_assert_str_eq(memory_get(memory, "table.b.filter"), "name = \"x\\y\"\r\nsecond");
	ck_assert_str_eq(memory_get(memory, "table.a.sort"), "-total");
	ck_assert_ptr_null(memory_get(memory, "gone"));
	memory_free(memory);
	unlink(path);
}
END_TEST

START_TEST(a_foreign_session_file_is_refused_with_its_line)
{
	struct memory *memory = memory_new();
	struct err err = ERR_INIT;

	write_file("# lanescope session\na = 1\nfoo bar\n");
	ck_assert_int_ne(memory_load(memory, path, &err), 0);
	ck_assert_ptr_nonnull(strstr(err.message, ":3: not a line of a session file"));
	unlink(path);
	ck_assert_int_eq(memory_load(memory, path, &err), 0); /* not there: empty */
	ck_assert_int_ne(memory_save(memory, "/nonexistent/folder/s", &err), 0);
	ck_assert_ptr_nonnull(strstr(err.message, "/nonexistent/folder/s"));
	memory_free(memory);
}
END_TEST

START_TEST(limits_of_settings_hold)
{
	static const char *const wrong[] = {
	    "escape-delay = -1\n", "escape-delay = 5001\n", "colour.13 = 1\n", "colour.0 = 1\n",
	    "colour.bar = 256\n",  "colour.bar = -1\n",     "cache = -1\n",    "mouse = maybe\n",
	    "view = frame\n",      "classes = x\n",         "key. = x\n",      "colour. = 1\n"};
	struct settings settings;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		settings = settings_of(wrong[i]);
		ck_assert_msg(settings.problems.len > 0, "%s", wrong[i]);
		settings_fini(&settings);
	}
	settings = settings_of("colour.bar = 255\ncolour.title = 0\ncolour.12 = white\n"
	                       "colour.1 = black\ncache = 0\nkey.help = a b c d\nmouse = off\n"
	                       "escape-delay = 5000\n");
	ck_assert_str_eq(settings.problems.len ? settings.problems.data : "", "");
	ck_assert_int_eq(settings.term.colour[STYLE_BAR], 255);
	ck_assert_int_eq(settings.term.colour[STYLE_TITLE], 0);
	ck_assert_int_eq(settings.term.colour[STYLE_PALETTE + 11], 7);
	ck_assert_int_eq(settings.term.colour[STYLE_PALETTE], 0);
	ck_assert_int_eq(settings.cache_bytes, 0);
	ck_assert(!settings.mouse);
	ck_assert_int_eq(settings.term.escape_delay_ms, 5000);
	for (const char *key = "abcd"; *key; key++) {
		ck_assert_int_eq(keys_lookup(*key, IN_TABLE), ACTION_HELP);
	}
	settings_fini(&settings);
}
END_TEST

START_TEST(what_is_remembered_is_found_among_many)
{
	struct memory *memory = memory_new();
	char key[16], value[16];

	for (int i = 0; i < 100; i++) { /* in an order of chance */
		snprintf(key, sizeof(key), "key %d", i * 37 % 100);
		snprintf(value, sizeof(value), "%d", i * 37 % 100);
		memory_set(memory, key, value);
	}
	for (int i = 0; i < 100; i += 2) {
		snprintf(key, sizeof(key), "key %d", i);
		memory_set(memory, key, i % 4 ? NULL : "new");
	}
	for (int i = 0; i < 100; i++) {
		const char *found;

		snprintf(key, sizeof(key), "key %d", i);
		snprintf(value, sizeof(value), "%d", i);
		found = memory_get(memory, key);
		ck_assert_str_eq(found ? found : "none", i % 2 ? value : i % 4 ? "none" : "new");
	}
	memory_free(memory);
	memory_free(NULL);
}
END_TEST

START_TEST(a_session_that_is_not_saved_leaves_no_litter)
{
	struct memory *memory = memory_new();
	struct err err = ERR_INIT;
	char folder[64], place[80];

	snprintf(folder, sizeof(folder), "%s", folder_new());
	snprintf(place, sizeof(place), "%s/session", folder);
	ck_assert_int_eq(mkdir(place, 0700), 0); /* a folder cannot be replaced by a file */
	memory_set(memory, "a", "1");
	ck_assert_int_ne(memory_save(memory, place, &err), 0);
	ck_assert_int_eq(folder_count(folder), 1);
	ck_assert_int_eq(rmdir(place), 0);
	ck_assert_int_eq(memory_save(memory, place, &err), 0);
	ck_assert_int_eq(folder_count(folder), 1);
	ck_assert_int_ne(memory_load(memory, folder, &err), 0); /* nor is one read */
	memory_free(memory);
	folder_remove(folder);
}
END_TEST

static void
check_classes(size_t length, bool fits)
{
	char line[5000] = "classes = a=", *end = line + strlen(line);
	struct settings settings;

	memset(end, 'x', length - 2);
	strcpy(end + length - 2, "\n");
	settings = settings_of(line);
	ck_assert_int_eq(settings.problems.len == 0, fits);
	ck_assert_uint_eq(strlen(settings.classes), fits ? length : 0);
	settings_fini(&settings);
}

/* With "classes = " and the end of the line before 4096 bytes, the most a line has room for. */
START_TEST(long_lines_are_left_out)
{
	struct settings settings;

	check_classes(4085, true);
	check_classes(4086, false);
	settings_init(&settings);
	write_file("");
	settings_read(&settings, "/dev/null/config"); /* no folder: no file */
	ck_assert_uint_eq(settings.problems.len, 0);
	unlink(path);
	ck_assert_int_eq(symlink(path, path), 0); /* a link to itself can't be followed */
	settings_read(&settings, path);
	ck_assert_ptr_nonnull(strstr(settings.problems.data, path));
	unlink(path);
	settings_fini(&settings);
}
END_TEST

START_TEST(classes_of_the_call_come_before_those_of_the_setting)
{
	static char all[4096];
	struct settings settings = settings_of("classes = a=/a/*\n");

	settings_put_classes(&settings, "b=/b/*");
	ck_assert_str_eq(settings.classes, "b=/b/*:a=/a/*");
	ck_assert_uint_eq(settings.problems.len, 0);
	memset(all, 'x', sizeof(all) - 1);
	memcpy(all, "long=", 5);
	settings_put_classes(&settings, all); /* both are too long together */
	ck_assert_str_eq(settings.classes, all);
	ck_assert_str_eq(settings.problems.data,
	                 "classes: longer than 4095 bytes: the setting is left out\n");
	settings_fini(&settings);
}
END_TEST

START_TEST(problems_are_counted_up_to_a_hundred)
{
	char text[1000] = "";
	struct settings settings;
	size_t n = 0;

	for (int i = 0; i < 150; i++) {
		strcat(text, "x\n");
	}
	strcat(text, "mouse = on\n");
	settings = settings_of(text);
	for (const char *at = settings.problems.data; (at = strchr(at, '\n')) != NULL; at++) {
		n++;
	}
	ck_assert_uint_eq(n, 100);
	ck_assert(!settings.mouse);
	settings_fini(&settings);
}
END_TEST

START_TEST(comments_begin_behind_a_blank_and_not_a_value)
{
	struct settings settings = settings_of("\t # nothing\nkey.help = # x # of mine\n"
	                                       "view = spans\t#\ncolour.a = red#\n"
	                                       "key.sort-up =\t#\n");

	ck_assert_ptr_nonnull(strstr(settings.problems.data, ":4: 'red#' is no colour"));
	ck_assert_uint_eq(strcspn(settings.problems.data, "\n") + 1, settings.problems.len);
	ck_assert_int_eq(keys_lookup('x', IN_QUERIES), ACTION_HELP);
	ck_assert_int_eq(keys_lookup('#', IN_TABLE), ACTION_SORT_UP);
	ck_assert_int_eq(keys_lookup('#', IN_QUERIES), ACTION_NONE); /* taken from help */
	ck_assert_str_eq(settings.view, "spans");
	settings_fini(&settings);
}
END_TEST

/* What `set` lists is a file that says the same, of the defaults and of others. */
static void
check_written(const char *lines)
{
	struct settings settings = settings_of(lines), again;
	struct strbuf text = {0}, twice = {0};

	settings_write(&settings, &text);
	again = settings_of(text.data);
	ck_assert_msg(again.problems.len == 0, "%s", again.problems.data);
	settings_write(&again, &twice);
	ck_assert_str_eq(twice.data, text.data);
	ck_assert_int_eq(again.cache_bytes, settings.cache_bytes);
	for (size_t i = 0; settings_name(i); i++) {
		ck_assert_ptr_nonnull(strstr(text.data, settings_name(i)));
	}
	strbuf_free(&text);
	strbuf_free(&twice);
	settings_fini(&settings);
	settings_fini(&again);
}

START_TEST(what_is_listed_is_a_file)
{
	check_written("");
	check_written("glyphs = ascii\ncolours = 256\nmouse = on\nescape-delay = 7\nview = spans\n"
	              "cache = unlimited\nclasses = pfs=/p/*\nask-to-leave = off\nsafe-csv = on\n");
	check_written("cache = 500MiB\n");
	check_written("cache = 1234567891\n"); /* not rounded */
	check_written("cache = 9223372036854775807\n");
	check_written("cache = 8589934591GiB\n");
}
END_TEST

START_TEST(at_most_four_keys_are_bound)
{
	struct err err = ERR_INIT;
	int keys[] = {'1', '2', '3', '4', '5'};

	ck_assert_int_ne(keys_bind(slice_of("help"), keys, 5, &err), 0);
	ck_assert_str_eq(err.message, "help: at most 4 keys");
	ck_assert_int_eq(keys_lookup('?', IN_TABLE), ACTION_HELP);
	ck_assert_int_eq(keys_lookup('1', IN_TABLE), ACTION_NONE);
	ck_assert_int_eq(keys_bind(slice_of("help"), keys, 4, &err), 0);
	ck_assert_int_eq(keys_lookup('4', IN_TABLE), ACTION_HELP);
	ck_assert_int_eq(keys_lookup('?', IN_TABLE), ACTION_NONE);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("settings");
	TCase *tests = tcase_create("settings");

	tcase_add_test(tests, settings_are_read);
	tcase_add_test(tests, a_later_line_counts);
	tcase_add_test(tests, what_is_wrong_is_named_and_the_rest_holds);
	tcase_add_test(tests, no_file_is_no_problem);
	tcase_add_test(tests, a_key_bound_anew_leaves_its_old_command);
	tcase_add_test(tests, what_is_remembered_survives_a_file);
	tcase_add_test(tests, a_foreign_session_file_is_refused_with_its_line);
	tcase_add_test(tests, limits_of_settings_hold);
	tcase_add_test(tests, what_is_remembered_is_found_among_many);
	tcase_add_test(tests, a_session_that_is_not_saved_leaves_no_litter);
	tcase_add_test(tests, long_lines_are_left_out);
	tcase_add_test(tests, classes_of_the_call_come_before_those_of_the_setting);
	tcase_add_test(tests, problems_are_counted_up_to_a_hundred);
	tcase_add_test(tests, comments_begin_behind_a_blank_and_not_a_value);
	tcase_add_test(tests, what_is_listed_is_a_file);
	tcase_add_test(tests, at_most_four_keys_are_bound);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
