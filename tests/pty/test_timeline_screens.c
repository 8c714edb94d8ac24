/* Screens of the timeline that scripts of keys print: what zooming, folding and resizing keep, and
 * what is exported. */
#include "config.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/pty/explore.h"
#include "tests/unit/unit.h"
#include "util/prng.h"
#include "util/slice.h"

/* From any window, as often out as in: the whole screen is what it was, to the last cell. */
START_TEST(zooming_in_and_out_returns)
{
	struct prng prng = {4711};

	for (int i = 0; i < 12; i++) {
		struct strbuf keys = {0};
		char *screens;
		size_t half;
		int times = (int)prng_below(&prng, 9) + 1;

		strbuf_printf(&keys, "80x24 T ':goto %dms' Enter ", (int)prng_below(&prng, 7000));
		for (int k = (int)prng_below(&prng, 5); k > 0; k--) {
			strbuf_add_text(&keys, "w l ");
		}
		strbuf_add_text(&keys, "h screen ");
		for (int k = 0; k < 2 * times; k++) {
			strbuf_add_text(&keys, k < times ? "w " : "s ");
		}
		screens = explore_play(keys.data);
		half = strlen(screens) / 2;
		ck_assert_msg(half > 1000 && memcmp(screens, screens + half, half) == 0, "%s:\n%s",
		              keys.data, screens);
		free(screens);
		strbuf_free(&keys);
	}
}
END_TEST

/* Sum of a lane's busy_ns (the fifth column) in `lanescope timeline --format csv`. */
static long long
busy_of(const char *csv, const char *lane)
{
	long long sum = 0;

	for (const char *line = csv; line && *line;
	     line = strchr(line, '\n'), line += line != NULL) {
		char name[64];
		long long start, end, busy;

		if (sscanf(line, "%63[^,],,%lld,%lld,%lld", name, &start, &end, &busy) == 4 &&
		    strcmp(name, lane) == 0) {
			ck_assert_int_le(busy, end - start);
			sum += busy;
		}
	}
	return sum;
}

START_TEST(busy_time_is_the_same_at_every_width)
{
	long long lane = 0;

	for (int width = 30; width < 900; width = width * 3 / 2) {
		char arguments[500];
		char *csv;

		snprintf(arguments, sizeof(arguments),
		         "timeline %s/four-workers.lanes --format csv --width %d", explore_runs(),
		         width);
		csv = explore_output(arguments);
		lane = lane ? lane : busy_of(csv, "worker0");
		ck_assert_int_gt(lane, 0);
		ck_assert_int_eq(busy_of(csv, "worker0"), lane);
		free(csv);
	}
}
END_TEST

/* Of the screens that a script prints, one after the other, the first row of the facts: what the
 * cursor stands on, and at what time. */
static void
facts_of(const char *screens, int rows, char facts[][300], int n)
{
	for (int i = 0; i < n; i++) {
		char line[300];

		for (int row = 0; row < rows; row++) {
			const char *end = strchr(screens, '\n');

			ck_assert_ptr_nonnull(end);
			snprintf(line, sizeof(line), "%.*s", (int)(end - screens), screens);
			if (row > 3 && strstr(line, "  at ")) {
				memcpy(facts[i], line, sizeof(line));
			}
			screens = end + 1;
		}
	}
}

START_TEST(folding_keeps_the_selection)
{
	char facts[4][300];
	char *screens = explore_play("100x30 T . j j j . . screen O screen O screen O screen");

	facts_of(screens, 30, facts, 4);
	ck_assert_msg(strstr(facts[0], "worker1  at ") != NULL, "%s", facts[0]);
	ck_assert_str_eq(facts[1], facts[0]);                              /* lanes unfolded */
	ck_assert_msg(strncmp(facts[2], " fiab", 5) == 0, "%s", facts[2]); /* all shut */
	ck_assert_str_eq(facts[3], facts[0]);
	free(screens);
}
END_TEST

START_TEST(resizing_keeps_time_and_lane)
{
	struct prng prng = {99};

	for (int i = 0; i < 6; i++) {
		struct strbuf keys = {0};
		char facts[1][300], again[1][300];
		char *screens;
		int width = 60 + (int)prng_below(&prng, 200), height = 24;

		strbuf_printf(&keys, "100x24 T ':lane worker%d queue' Enter ':goto %dms' Enter w w",
		              (int)prng_below(&prng, 4), 3000 + (int)prng_below(&prng, 4000));
		for (int k = (int)prng_below(&prng, 30); k > 0; k--) {
			strbuf_add_text(&keys, " >");
		}
		strbuf_add_text(&keys, " screen");
		screens = explore_play(keys.data);
		facts_of(screens, height, facts, 1);
		free(screens);
		keys.len -= strlen("screen");
		strbuf_printf(&keys, "%dx60 3x3 %dx9 100x24 screen", width, width);
		screens = explore_play(keys.data);
		facts_of(screens, height, again, 1);
		free(screens);
		ck_assert_str_eq(facts[0], again[0]);
		strbuf_free(&keys);
	}
}
END_TEST

/* A nest of spans on a lane. */
static void
put_nest(FILE *file, struct prng *prng, int lane, int start, int length, int depth)
{
	fprintf(file,
	        "{\"ph\":\"X\",\"pid\":7,\"tid\":%d,\"ts\":%d,\"dur\":%d,\"name\":\"d%d\"},\n",
	        lane, start, length, depth);
	if (length > 4 && prng_below(prng, 8) > 0) {
		int cut = 1 + (int)prng_below(prng, (uint64_t)length - 2);

		put_nest(file, prng, lane, start, cut, depth + 1);
		put_nest(file, prng, lane, start + cut, length - cut, depth + 1);
	}
}

/* As many lines as SQL counts depths, whatever lanes the blocks mix. */
START_TEST(unfolding_shows_every_depth)
{
	struct prng prng = {5};
	char path[300], arguments[900];
	char *out, *screen;
	int wanted, lines = 0;
	FILE *file;

	snprintf(path, sizeof(path), "%s/nests.json", explore_folder());
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	fputs("[", file);
	for (int i = 0; i < 60; i++) {
		put_nest(file, &prng, (int)prng_below(&prng, 4), 200 * i, 150, 0);
	}
	fputs("{\"ph\":\"X\",\"pid\":7,\"tid\":9,\"ts\":0,\"dur\":12000,\"name\":\"last\"}]", file);
	ck_assert_int_eq(fclose(file), 0);
	snprintf(arguments, sizeof(arguments), "import -o %s/nests.lanes %s 2>/dev/null",
	         explore_folder(), path);
	free(explore_output(arguments));
	snprintf(arguments, sizeof(arguments),
	         "sql %s/nests.lanes 'SELECT sum(d) FROM (SELECT 1 + max(depth) AS d FROM span "
	         "GROUP BY lane)' --format csv",
	         explore_folder());
	out = explore_output(arguments);
	ck_assert_int_eq(sscanf(out, "%*[^\n] %d", &wanted), 1);
	ck_assert_int_gt(wanted, 20);
	free(out);
	snprintf(path, sizeof(path), "%s/keys", explore_folder());
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	fputs("80x20 T . 80x200 O", file);
	ck_assert_int_eq(fclose(file), 0);
	snprintf(arguments, sizeof(arguments), "--keys %s %s/nests.lanes", path, explore_folder());
	screen = explore_output(arguments);
	for (const char *c = screen; (c = strstr(c, " % ")) != NULL; c++) {
		lines++;
	}
	ck_assert_int_eq(lines, wanted);
	free(screen);
}
END_TEST

static void
check_file(const char *name, const char *has)
{
	char path[600];
	struct strbuf text = {0};
	FILE *file;
	int c;

	snprintf(path, sizeof(path), "%s/%s", explore_folder(), name);
	file = fopen(path, "r");
	ck_assert_msg(file != NULL, "%s", path);
	while ((c = getc(file)) != EOF) {
		strbuf_add_char(&text, (char)c);
	}
	fclose(file);
	ck_assert_msg(strstr(text.data, has) != NULL, "%s: %s", path, text.data);
	strbuf_free(&text);
}

START_TEST(exports_hold_what_is_shown)
{
	static const char *const files[][2] = {{"p.txt", "worker3"},
	                                       {"p.svg", "</svg>"},
	                                       {"p.csv", "lane,depth,start,end,busy_ns"},
	                                       {"p.json", "\"busy_ns\""}};

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		char keys[600];

		snprintf(keys, sizeof(keys), "100x30 T e ^U '%s/%s' Enter screen", explore_folder(),
		         files[i][0]);
		free(explore_play(keys));
		check_file(files[i][0], files[i][1]);
	}
}
END_TEST

/* What is there is asked about first; an ending that names nothing is refused, whatever folders are
 * called; a run is never written over. */
START_TEST(exports_ask_before_they_replace)
{
	char keys[900], path[300];
	char *screens;
	FILE *file;

	snprintf(path, sizeof(path), "mkdir -p %s/v1.csv", explore_folder());
	ck_assert_int_eq(system(path), 0);
	snprintf(path, sizeof(path), "%s/v1.csv/kept.TXT", explore_folder());
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	fputs("kept", file);
	ck_assert_int_eq(fclose(file), 0);
	snprintf(keys, sizeof(keys),
	         "100x30 T e ^U '%s' Enter screen Esc e ^U '%s/v1.csv/none' Enter screen e ^U "
	         "'%s/v1.csv/new.parquet' Enter screen",
	         path, explore_folder(), explore_folder());
	screens = explore_play_refused(keys);
	ck_assert_msg(strstr(screens, "exists; Enter replaces it") != NULL, "%s", screens);
	ck_assert_msg(strstr(screens, "none: its ending names no format") != NULL, "%s", screens);
	ck_assert_msg(strstr(screens, "new.parquet: its ending names no format") != NULL, "%s",
	              screens);
	free(screens);
	check_file("v1.csv/kept.TXT", "kept");
	snprintf(keys, sizeof(keys), "100x30 T e ^U '%s' Enter Enter screen", path);
	free(explore_play(keys));
	check_file("v1.csv/kept.TXT", "worker3");
}
END_TEST

static void
add(void *tests)
{
	tcase_add_test(tests, zooming_in_and_out_returns);
	tcase_add_test(tests, busy_time_is_the_same_at_every_width);
	tcase_add_test(tests, folding_keeps_the_selection);
	tcase_add_test(tests, resizing_keeps_time_and_lane);
	tcase_add_test(tests, unfolding_shows_every_depth);
	tcase_add_test(tests, exports_hold_what_is_shown);
	tcase_add_test(tests, exports_ask_before_they_replace);
}

int
main(void)
{
	return explore_main("timeline_screens", add);
}
