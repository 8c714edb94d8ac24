/*
 * Whatever stands in a trace, the terminal gets text: every view over runs whose names hold escape
 * sequences, controls, broken UTF-8, bidi overrides, joiners, piles of combining characters, wide
 * characters and emoji, and names of 100 kB. The emulator's screen is the program's canvas, cell by
 * cell, after each key, and no byte that was sent says anything to a terminal but where to draw.
 */
#include "config.h"

#include <string.h>

#include "tests/pty/script.h"
#include "tests/unit/unit.h"
#include "util/utf8.h"

#define COLUMNS 100
#define ROWS 30

/* As they stand in the traces: JSON escapes for what JSON does not take as it is. */
static const char *const names[] = {
    "\\u001b[2J\\u001b[H",
    "\\u001b]0;owned\\u0007title",
    "\\u001b]52;c;b3duZWQ=\\u0007clip",
    "\\u001bP1$r\\u001b\\\\dcs",
    "\\u001b_apc\\u001b\\\\ \\u001bc reset",
    "\\u001b[?1049l\\u001b[?1000h\\u001b[8;3;3t",
    "\\u001b[6n\\u001b[c answer",
    "\\u0007\\u0008\\u0009\\u000a\\u000d\\u000e\\u007f bell",
    "\\u009b31m\\u0090x\\u009c", /* C1, escaped */
    "\xc2\x9b"
    "2J\xc2\x9downed", /* C1, as UTF-8 */
    "a\\u0000b",
    "\xe2\x80\xaerosrever\xe2\x80\xac\xe2\x81\xa6iso\xe2\x81\xa9",
    "zw\xe2\x80\x8bj\xe2\x80\x8do\xe2\x80\x8ci\xef\xbb\xbfn",
    "\xe8\xa8\x88\xe7\xae\x97\xe3\x82\xab\xe3\x83\xbc\xe3\x83\x8d\xe3\x83\xab\xe5\x87\xa6\xe7\x90"
    "\x86"
    "\xe3\x81\xae\xe9\x95\xb7\xe3\x81\x84\xe5\x90\x8d\xe5\x89\x8d",
    "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7 "
    "\xf0\x9f\x8f\xb3\xef\xb8\x8f",
    "\xd8\xa7\xd9\x84\xd8\xb9 \xd7\xa9\xd7\x9c",
    "\\ud800 lone",
    "line\\u2028separator\\u2029",
};
#define N_NAMES (sizeof(names) / sizeof(names[0]))

/* Raw bytes that are no UTF-8. */
static const char *const broken[] = {"\x9b"
                                     "2J",
                                     "\xff\xfe", "\xc0\x9b", "\xed\xa0\x80", "\xe2\x80"};
#define N_BROKEN (sizeof(broken) / sizeof(broken[0]))

static void
write_repeated(FILE *file, const char *text, int n)
{
	for (int i = 0; i < n; i++) {
		fputs(text, file);
	}
}

static void
write_record(FILE *file, int id, const char *name, int repeat, int dur)
{
	fprintf(file, "{\"id\":%d,\"name\":\"", id);
	write_repeated(file, name, repeat);
	fprintf(file, "\",\"cat\":\"%s\",\"pid\":%d,\"tid\":%d,\"ts\":%d,\"dur\":%d,\"ph\":\"X\",",
	        id % 3 ? name : "POSIX", id % 4, id, 1000 + id * 10, dur);
	fprintf(file, "\"args\":{\"hostname\":\"%s\",\"fname\":\"/", name);
	write_repeated(file, name, repeat);
	fprintf(file, "/file%d\",\"%s\":\"%s\",\"epoch\":%d}}\n", id, name, name, id % 2);
}

static void
write_dftracer(const char *path, int dur)
{
	FILE *file = fopen(path, "w");
	int id = 0;

	ck_assert_ptr_nonnull(file);
	fputs("[\n", file);
	for (int round = 0; round < 3; round++) {
		for (size_t i = 0; i < N_NAMES; i++) {
			write_record(file, id++, names[i], 1, dur + (int)i);
		}
		for (size_t i = 0; i < N_BROKEN; i++) {
			write_record(file, id++, broken[i], 1, dur);
		}
	}
	write_record(file, id++, "e\xcc\x81\xcc\x82", 300,
	             40);                              /* hundreds of marks, a letter each */
	write_record(file, id++, "\xcc\x81", 500, 40); /* and on nothing */
	write_record(file, id++, "long \xe6\xbc\xa2", 14000, 60);
	ck_assert_int_eq(fclose(file), 0);
}

/* Tasks, which have tables and views of their own. */
static void
write_cascade(const char *path)
{
	static const char *const actions[] = {"taskPlanned", "taskEnqueued", "taskStarted",
	                                      "taskFinished"};
	FILE *file = fopen(path, "w");

	ck_assert_ptr_nonnull(file);
	for (size_t i = 0; i < N_NAMES; i++) {
		for (size_t k = 0; k < 4; k++) {
			fprintf(file,
			        "{\"host\": \"%s\", \"task\": \"%s:%zu\", \"action\": \"%s\", "
			        "\"worker\": \"%s\", \"at\": %zu}\n",
			        names[i % 5], names[i], i, actions[k], names[i % 7],
			        16274892406845 + (i * 4 + k) * 1000000);
		}
	}
	ck_assert_int_eq(fclose(file), 0);
}

static char folder[300];

static void
import(const char *options, const char *trace)
{
	char command[1500];

	snprintf(command, sizeof(command), "'%s' import --quiet %s '%s' >>'%s/log' 2>&1",
	         getenv("LANESCOPE"), options, trace, explore_folder());
	ck_assert_int_eq(system(command), 0);
}

/* A folder with a name like the rest: two runs of one kind and one of another, and a file that is
 * none. */
static void
make_runs(void)
{
	char trace[300], command[1200];

	snprintf(folder, sizeof(folder), "%s/f\033]0;x\a\xff", explore_folder());
	snprintf(command, sizeof(command), "mkdir '%s' && echo no >'%s/\033[2Jbad\xe6\xbc.lanes'",
	         folder, folder);
	ck_assert_int_eq(system(command), 0);
	snprintf(trace, sizeof(trace), "%s/t\033[5m.pfw", explore_folder());
	for (int i = 0; i < 2; i++) {
		write_dftracer(trace, 20 + i * 10);
		snprintf(command, sizeof(command),
		         "--name '%d\033]2;run\a\xe2\x80\xae\xe6\xbc\xa2\xe5\xad\x97\xff\nx' -o "
		         "'%s/%d.lanes'",
		         i, folder, i);
		import(command, trace);
	}
	snprintf(trace, sizeof(trace), "%s/c.jsonl", explore_folder());
	write_cascade(trace);
	snprintf(command, sizeof(command), "-o '%s/2\033[7m.lanes'", folder);
	import(command, trace);
}

static bool
is_clean_csi(const char *parameters, size_t length, char final)
{
	static const char *const modes[] = {
	    "?1", "?7", "?12", "?25", "?1049", "?12;25", "?1006;1000", "?1000", "?1002", "4", "34"};

	if (final == 't') { /* the titles saved around the program */
		return length >= 2 &&
		       (memcmp(parameters, "22", 2) == 0 || memcmp(parameters, "23", 2) == 0);
	}
	if (final != 'h' && final != 'l') {
		return strchr("mHdGJKPLMXbrCABDIZST@", final) != NULL;
	}
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		if (strlen(modes[i]) == length && memcmp(parameters, modes[i], length) == 0) {
			return true;
		}
	}
	return false;
}

/* Bytes of a sequence that only draws, 0 if it does more. */
static size_t
clean_escape(const char *bytes, size_t length)
{
	if (length >= 3 && strchr("()", bytes[1])) {
		return 3;
	}
	if (length >= 2 && strchr("=>78M", bytes[1])) {
		return 2;
	}
	if (length >= 8 && memcmp(bytes, "\033]52;c;", 7) == 0) { /* y: our own */
		size_t n = 7;

		while (n < length &&
		       (strchr("+/=", bytes[n]) || (bytes[n] >= '0' && bytes[n] <= '9') ||
		        (bytes[n] >= 'A' && bytes[n] <= 'Z') ||
		        (bytes[n] >= 'a' && bytes[n] <= 'z'))) {
			n++;
		}
		return n < length && bytes[n] == '\a' ? n + 1 : 0;
	}
	if (length >= 3 && bytes[1] == '[') {
		size_t n = 2;

		while (n < length && bytes[n] >= '0' && bytes[n] <= '?') {
			n++;
		}
		return n < length && is_clean_csi(bytes + 2, n - 2, bytes[n]) ? n + 1 : 0;
	}
	return 0;
}

static bool
is_clean_character(uint32_t code)
{
	if (code < 0x20) {
		return code == '\r' || code == '\n' || code == '\b' || code == '\t';
	}
	return !(code >= 0x7f && code < 0xa0) && code != 0x61c &&
	       !(code >= 0x200e && code <= 0x200f) && !(code >= 0x2028 && code <= 0x202e) &&
	       !(code >= 0x2066 && code <= 0x2069);
}

/* Where something was sent that does more than draw; -1: nowhere. */
static long
find_rogue(const char *bytes, size_t length)
{
	for (size_t i = 0; i < length;) {
		size_t used;

		if (bytes[i] == '\033') {
			used = clean_escape(bytes + i, length - i);
		} else {
			uint32_t code = utf8_next((struct slice){bytes + i, length - i}, &used);
			bool is_broken = used == 1 && (unsigned char)bytes[i] >= 0x80;

			used = is_broken || !is_clean_character(code) ? 0 : used;
		}
		if (used == 0) {
			return (long)i;
		}
		i += used;
	}
	return -1;
}

START_TEST(names_are_text_in_every_view)
{
	const struct script_view *view = &script_views[_i];
	struct pty *pty = explore(COLUMNS, ROWS, folder, NULL);
	long rogue;

	script_follow(pty, folder, COLUMNS, ROWS, "", view->script);
	script_follow(pty, folder, COLUMNS, ROWS, view->script,
	              "Down Right ^L G 61x17 Up 161x40 y ~ ^L ~ g 100x30 : 'messages' Enter");
	pty_send(pty, "Q");
	ck_assert_int_eq(pty_end(pty), 0);
	rogue = find_rogue(pty_output(pty), pty_bytes(pty));
	ck_assert_msg(rogue < 0, "%s: sent at byte %ld", view->name, rogue);
	ck_assert_int_eq(pty_noises(pty), 0);
	ck_assert(pty_on_main_screen(pty));
	pty_free(pty);
}
END_TEST

static void
add(void *tests)
{
	tcase_add_unchecked_fixture(tests, make_runs, NULL);
	tcase_add_loop_test(tests, names_are_text_in_every_view, 0, (int)script_n_views);
}

int
main(void)
{
	return explore_main("hostile", add);
}
