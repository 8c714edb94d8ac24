/* Settings by name: one table row a setting; colour.STYLE and key.COMMAND are families. */
#include "config.h"

#include "ui/base/settings.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/store.h"
#include "ui/base/keys.h"
#include "util/format.h"
#include "util/mem.h"

#define BLANKS " \t\r\n"

#define LINE_LIMIT 4096
#define PROBLEM_LIMIT 100

static const char *const style_names[STYLE_PALETTE] = {
    [STYLE_NORMAL] = "normal", [STYLE_TITLE] = "title", [STYLE_HEADER] = "header",
    [STYLE_MUTED] = "muted",   [STYLE_KEY] = "key",     [STYLE_ERROR] = "error",
    [STYLE_BAR] = "bar",       [STYLE_WAIT] = "wait",   [STYLE_A] = "a",
    [STYLE_B] = "b",           [STYLE_MATCH] = "match", [STYLE_GROUP] = "group",
};

void
settings_init(struct settings *settings)
{
	*settings = (struct settings){
	    .term.escape_delay_ms = 25, .view = "overview", .cache_bytes = SETTINGS_CACHE_BYTES};
	for (size_t i = 0; i < STYLES; i++) {
		settings->term.colour[i] = COLOUR_UNSET;
	}
}

void
settings_fini(struct settings *settings)
{
	strbuf_free(&settings->problems);
}

/* The value's place among words ended by NULL, or -1 with an error that lists them. */
static int
choose(struct slice value, const char *const *words, struct err *err)
{
	struct strbuf list = {0};

	for (int i = 0; words[i]; i++) {
		if (slice_is(value, words[i])) {
			strbuf_free(&list);
			return i;
		}
		strbuf_printf(&list, "%s%s", i ? ", " : "", words[i]);
	}
	err_set(err, ERR_USAGE, "'%.*s' is none of %s", (int)value.len, value.ptr, list.data);
	strbuf_free(&list);
	return -1;
}

static const char *const glyphs_words[] = {"auto", "utf8", "ascii", NULL};
static const char *const colours_words[] = {"auto", "none", "8", "256", NULL};
static const char *const switch_words[] = {"off", "on", NULL};
static const char *const asks_words[] = {"auto", "on", "off", NULL};

static int
set_glyphs(struct settings *settings, struct slice value, struct err *err)
{
	int i = choose(value, glyphs_words, err);

	settings->glyphs = i < 0 ? settings->glyphs : (enum settings_glyphs)i;
	return i;
}

static int
set_colours(struct settings *settings, struct slice value, struct err *err)
{
	int i = choose(value, colours_words, err);

	settings->term.colours = i < 0 ? settings->term.colours : (enum term_colours)i;
	return i;
}

static int
set_switch(bool *is_on, struct slice value, struct err *err)
{
	int i = choose(value, switch_words, err);

	*is_on = i < 0 ? *is_on : i == 1;
	return i;
}

static int
set_mouse(struct settings *settings, struct slice value, struct err *err)
{
	return set_switch(&settings->mouse, value, err);
}

static int
set_safe_csv(struct settings *settings, struct slice value, struct err *err)
{
	return set_switch(&settings->safe_csv, value, err);
}

static int
set_ask_to_leave(struct settings *settings, struct slice value, struct err *err)
{
	int i = choose(value, asks_words, err);

	settings->ask_to_leave = i < 0 ? settings->ask_to_leave : (enum settings_asks)i;
	return i;
}

static int
set_escape_delay(struct settings *settings, struct slice value, struct err *err)
{
	int64_t ms;

	if (!slice_int64(value, &ms) || ms < 0 || ms > 5000) {
		return err_set(err, ERR_USAGE, "'%.*s' is no number of milliseconds from 0 to 5000",
		               (int)value.len, value.ptr);
	}
	settings->term.escape_delay_ms = (int)ms;
	return 0;
}

static int
set_view(struct settings *settings, struct slice value, struct err *err)
{
	static const char *const words[] = {"overview", "queries", "timeline", "spans", NULL};
	int i = choose(value, words, err);

	if (i >= 0) {
		snprintf(settings->view, sizeof settings->view, "%s", words[i]);
	}
	return i;
}

static int
set_cache(struct settings *settings, struct slice value, struct err *err)
{
	int64_t bytes = -1;

	if (!slice_is(value, "unlimited") && (!parse_size(value, &bytes) || bytes < 0)) {
		return err_set(err, ERR_USAGE, "'%.*s' is no size (20GiB, 500MB) and not unlimited",
		               (int)value.len, value.ptr);
	}
	settings->cache_bytes = bytes;
	return 0;
}

static int
set_classes(struct settings *settings, struct slice value, struct err *err)
{
	char text[sizeof settings->classes];
	struct path_classes *classes;

	if (value.len >= sizeof text) {
		return err_set(err, ERR_USAGE, "classes: longer than %zu bytes", sizeof text - 1);
	}
	memcpy(text, value.len > 0 ? value.ptr : "", value.len);
	text[value.len] = 0;
	if (strlen(text) < value.len) {
		return err_set(err, ERR_USAGE, "classes: a zero byte is no part of them");
	}
	classes = path_classes_new(text, err);
	if (!classes) {
		return err_wrap(err, "classes");
	}
	path_classes_free(classes);
	memcpy(settings->classes, text, value.len + 1);
	return 0;
}

/* ---- what they are, as text ---- */

static void
get_glyphs(const struct settings *settings, struct strbuf *out)
{
	strbuf_add_text(out, glyphs_words[settings->glyphs]);
}

static void
get_colours(const struct settings *settings, struct strbuf *out)
{
	strbuf_add_text(out, colours_words[settings->term.colours]);
}

static void
get_mouse(const struct settings *settings, struct strbuf *out)
{
	strbuf_add_text(out, switch_words[settings->mouse]);
}

static void
get_safe_csv(const struct settings *settings, struct strbuf *out)
{
	strbuf_add_text(out, switch_words[settings->safe_csv]);
}

static void
get_escape_delay(const struct settings *settings, struct strbuf *out)
{
	strbuf_printf(out, "%d", settings->term.escape_delay_ms);
}

static void
get_view(const struct settings *settings, struct strbuf *out)
{
	strbuf_add_text(out, settings->view);
}

/* To the byte: it is read back. */
static void
get_cache(const struct settings *settings, struct strbuf *out)
{
	static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
	int64_t size = settings->cache_bytes;
	size_t unit = 0;

	if (size < 0) {
		strbuf_add_text(out, "unlimited");
		return;
	}
	while (size > 0 && size % 1024 == 0 && unit + 1 < COUNT_OF(units)) {
		size /= 1024;
		unit++;
	}
	strbuf_printf(out, "%" PRId64 " %s", size, units[unit]);
}

static void
get_classes(const struct settings *settings, struct strbuf *out)
{
	strbuf_add_text(out, settings->classes);
}

static void
get_ask_to_leave(const struct settings *settings, struct strbuf *out)
{
	strbuf_add_text(out, asks_words[settings->ask_to_leave]);
}

static const struct {
	const char *name;
	int (*set)(struct settings *settings, struct slice value,
	           struct err *err); /* < 0: failed */
	void (*get)(const struct settings *settings, struct strbuf *out);
	const char *about;
} known[] = {
    {"glyphs", set_glyphs, get_glyphs, "what is drawn with: auto, utf8, ascii"},
    {"colours", set_colours, get_colours, "auto, none, 8, 256"},
    {"mouse", set_mouse, get_mouse, "on, off"},
    {"escape-delay", set_escape_delay, get_escape_delay, "ms that a key's rest is waited for"},
    {"view", set_view, get_view, "on Enter: overview, queries, timeline, spans"},
    {"cache", set_cache, get_cache, "of imported traces: a size, or unlimited"},
    {"classes", set_classes, get_classes, "of paths, pfs=/p/*:ssd=/l/*; empty: guessed"},
    {"safe-csv", set_safe_csv, get_safe_csv, "saved CSV and TSV without formulas: on, off"},
    {"ask-to-leave", set_ask_to_leave, get_ask_to_leave, "the last q where views are open"},
};

const char *
settings_name(size_t i)
{
	return i < COUNT_OF(known) ? known[i].name : NULL;
}

/* One without a value is a comment: else its own would be taken for the value. */
void
settings_write(const struct settings *settings, struct strbuf *out)
{
	struct strbuf value = {0};

	for (size_t i = 0; i < COUNT_OF(known); i++) {
		strbuf_clear(&value);
		known[i].get(settings, &value);
		strbuf_printf(out, "%s%-*s = %-12s # %s\n", value.len > 0 ? "" : "#",
		              value.len > 0 ? 12 : 11, known[i].name,
		              value.len > 0 ? value.data : "", known[i].about);
	}
	strbuf_free(&value);
	strbuf_add_text(out,
	                "\n# colour.STYLE and key.COMMAND: lanescope(1), FILES; the keys: ?\n");
}

static int
read_colour(struct slice value, short *colour, struct err *err)
{
	static const char *const names[] = {"black",   "red",  "green", "yellow", "blue",
	                                    "magenta", "cyan", "white", NULL};
	int64_t number;

	if (slice_is(value, "default")) {
		*colour = COLOUR_DEFAULT;
		return 0;
	}
	if (slice_int64(value, &number) && number >= 0 && number <= 255) {
		*colour = (short)number;
		return 0;
	}
	for (short i = 0; names[i]; i++) {
		if (slice_is(value, names[i])) {
			*colour = i;
			return 0;
		}
	}
	return err_set(err, ERR_USAGE,
	               "'%.*s' is no colour: a number from 0 to 255, default, black, red, green, "
	               "yellow, blue, magenta, cyan or white",
	               (int)value.len, value.ptr);
}

/* colour.bar, colour.1 .. colour.12 (the palette of categories). */
static int
set_colour(struct settings *settings, struct slice style, struct slice value, struct err *err)
{
	int64_t number;
	size_t found = STYLES;

	for (size_t i = 0; i < STYLE_PALETTE; i++) {
		found = slice_is(style, style_names[i]) ? i : found;
	}
	if (slice_int64(style, &number) && number >= 1 && number <= (int64_t)STYLE_PALETTE_SIZE) {
		found = STYLE_PALETTE + (size_t)number - 1;
	}
	if (found == STYLES) {
		struct strbuf list = {0};

		for (size_t i = 0; i < STYLE_PALETTE; i++) {
			strbuf_printf(&list, "%s, ", style_names[i]);
		}
		err_set(err, ERR_USAGE, "no style '%.*s': there are %s1 .. %u", (int)style.len,
		        style.ptr, list.data, STYLE_PALETTE_SIZE);
		strbuf_free(&list);
		return -1;
	}
	return read_colour(value, &settings->term.colour[found], err);
}

/* "x F1 ^D": names of keys separated by blanks; "none" takes the command's keys away. */
static int
set_key(struct slice command, struct slice value, struct err *err)
{
	int keys[KEYS_A_COMMAND] = {KEY_NONE};
	size_t n = 0;

	if (slice_is(value, "none")) {
		return keys_bind(command, keys, 0, err);
	}
	while (value.len > 0) {
		struct slice name = slice_take_word(&value);

		if (n == KEYS_A_COMMAND) {
			return err_set(err, ERR_USAGE, "at most %d keys", KEYS_A_COMMAND);
		}
		keys[n] = key_from_name(name);
		if (keys[n] == KEY_NONE) {
			return err_set(
			    err, ERR_USAGE,
			    "'%.*s' is no key: use a character, ^L, or Enter, Esc, Tab, "
			    "S-Tab, Space, Backspace, Up, Down, Left, Right, PgUp, PgDn, "
			    "Home, End, Del, F1",
			    (int)name.len, name.ptr);
		}
		n++;
	}
	return keys_bind(command, keys, n, err);
}

static bool
take_prefix(struct slice *name, const char *prefix)
{
	bool has = name->len > strlen(prefix) && slice_starts_with(*name, prefix);

	*name = slice_from(*name, has ? strlen(prefix) : 0);
	return has;
}

int
settings_set(struct settings *settings, struct slice name, struct slice value, struct err *err)
{
	struct strbuf names = {0};

	name = slice_is(name, "colors") ? slice_of("colours") : name;
	for (size_t i = 0; i < COUNT_OF(known); i++) {
		if (slice_is(name, known[i].name)) {
			return known[i].set(settings, value, err) < 0 ? -1 : 0;
		}
	}
	if (take_prefix(&name, "colour.") || take_prefix(&name, "color.")) {
		return set_colour(settings, name, value, err);
	}
	if (take_prefix(&name, "key.")) {
		return settings->leaves_keys ? 0 : set_key(name, value, err);
	}
	for (size_t i = 0; i < COUNT_OF(known); i++) {
		strbuf_printf(&names, "%s, ", known[i].name);
	}
	err_set(err, ERR_USAGE, "no setting '%.*s': there are %scolour.STYLE and key.COMMAND",
	        (int)name.len, name.ptr, names.data);
	strbuf_free(&names);
	return -1;
}

void
settings_put_classes(struct settings *settings, const char *classes)
{
	struct strbuf both = {0};
	struct err err = ERR_INIT;

	strbuf_printf(&both, "%s:%s", classes, settings->classes);
	if (set_classes(settings, strbuf_slice(&both), &err)) {
		strbuf_printf(&settings->problems, "%s: the setting is left out\n", err.message);
		(void)set_classes(settings, slice_of(classes), &err);
	}
	strbuf_free(&both);
}

/* "key.filter = # &" must be possible: a comment begins only at the line's start or behind a blank,
 * and not as the first of a value. */
static struct slice
without_comment(struct slice line)
{
	const char *equals = memchr(line.ptr, '=', line.len);

	for (size_t i = 0; i < line.len; i++) {
		struct slice left = {line.ptr, i};

		if (line.ptr[i] == '#' &&
		    (slice_trim(left, BLANKS).len == 0 ||
		     (equals && line.ptr + i > equals && strchr(" \t", line.ptr[i - 1]) &&
		      slice_trim(left, BLANKS).ptr + slice_trim(left, BLANKS).len > equals + 1))) {
			return left;
		}
	}
	return line;
}

static int
take_line(struct settings *settings, struct slice line, struct err *err)
{
	const char *equals;
	size_t at;

	line = slice_trim(without_comment(line), BLANKS);
	if (line.len == 0) {
		return 0;
	}
	equals = memchr(line.ptr, '=', line.len);
	if (!equals) {
		return err_set(err, ERR_USAGE, "not NAME = VALUE");
	}
	at = (size_t)(equals - line.ptr);
	return settings_set(settings, slice_trim((struct slice){line.ptr, at}, BLANKS),
	                    slice_trim(slice_from(line, at + 1), BLANKS), err);
}

void
settings_read(struct settings *settings, const char *path)
{
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t capacity = 0, number = 0, n_problems = 0;
	ssize_t length;

	if (!file) {
		if (errno != ENOENT && errno != ENOTDIR) {
			strbuf_printf(&settings->problems, "%s: %s\n", path, strerror(errno));
		}
		return;
	}
	while (n_problems < PROBLEM_LIMIT && (length = getline(&line, &capacity, file)) >= 0) {
		struct err err = ERR_INIT;

		number++;
		if (length > LINE_LIMIT) {
			err_set(&err, ERR_USAGE, "longer than %d bytes", LINE_LIMIT);
		} else {
			(void)take_line(settings, (struct slice){line, (size_t)length}, &err);
		}
		if (err.code != ERR_NONE) {
			strbuf_printf(&settings->problems, "%s:%zu: %s\n", path, number,
			              err.message);
			n_problems++;
		}
	}
	free(line);
	fclose(file);
}
