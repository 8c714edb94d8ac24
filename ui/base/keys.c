/* The table of bindings, and the names of keys. A binding's first key is the one that footer and
 * help show first. */
#include "config.h"

#include "ui/base/keys.h"

#include <stdio.h>
#include <string.h>

#include "util/mem.h"
#include "util/utf8.h"

/* Read before views are opened, written only by keys_bind: one program, one set of keys. */
static struct key_binding bindings[] = {
#define CONTROL(c) ((c)-64)
#define KEYS(...)                                                                                  \
	{                                                                                          \
		__VA_ARGS__                                                                        \
	}
#define ROW(action, views, keys, name, label, help)                                                \
	{ACTION_##action, views, keys, name, label, help},
#include "ui/base/actions.h"
    {.name = NULL}};

const struct key_binding *
key_bindings(void)
{
	return bindings;
}

static bool
binding_has(const struct key_binding *binding, int key)
{
	for (size_t i = 0; i < KEYS_A_COMMAND; i++) {
		if (binding->keys[i] == key) {
			return true;
		}
	}
	return false;
}

enum view_action
keys_lookup(int key, unsigned views)
{
	if (key == '\n') {
		key = KEY_ENTER;
	} else if (key == '\b') {
		key = KEY_BACKSPACE_ASCII;
	}
	for (const struct key_binding *b = bindings; b->name && key != KEY_NONE; b++) {
		if (b->views & views && binding_has(b, key)) {
			return b->action;
		}
	}
	return ACTION_NONE;
}

const struct key_binding *
key_binding_elsewhere(int key)
{
	const struct key_binding *b = bindings;

	while (b->name && (key == KEY_NONE || !binding_has(b, key))) {
		b++;
	}
	return b->name ? b : NULL;
}

void
views_name(unsigned views, struct strbuf *out)
{
	static const struct {
		unsigned views;
		const char *name;
	} names[] = {
	    {IN_LANES, "timelines"},
	    {IN_RUNS, "the list of runs"},
	    {IN_OVERVIEW, "overviews"},
	    {IN_QUERIES, "queries"},
	    {IN_CHOICES, "questions to two runs"},
	    {IN_TABLE, "tables"},
	    {IN_DIFF, "differences"},
	    {IN_SPANS, "lists of spans"},
	    {IN_SPAN, "a span"},
	    {IN_TIMELINE, "timelines"},
	    {IN_PAIR, "two timelines"},
	    {IN_TEXT, "texts"},
	    {IN_CHART, "charts"},
	    {IN_HELP, "help"},
	};
	const char *separator = "";
	unsigned others = IN_RUN & ~views;

	if ((others & (others - 1)) == 0) { /* in all but the view that it leads to */
		strbuf_add_text(out, others ? "other views of a run" : "views of a run");
		views &= ~(unsigned)IN_RUN;
		separator = ", ";
	}
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		if (views & names[i].views && (views & names[i].views) == names[i].views) {
			strbuf_printf(out, "%s%s", separator, names[i].name);
			views &= ~names[i].views;
			separator = ", ";
		}
	}
}

const struct key_binding *
key_binding_find(struct slice name)
{
	struct key_binding *binding = bindings;

	while (binding->name && !slice_is(name, binding->name)) {
		binding++;
	}
	return binding->name ? binding : NULL;
}

static void
binding_lose(struct key_binding *binding, int key)
{
	size_t n = 0;

	for (size_t i = 0; i < KEYS_A_COMMAND; i++) {
		if (binding->keys[i] != key) {
			binding->keys[n++] = binding->keys[i];
		}
	}
	while (n < KEYS_A_COMMAND) {
		binding->keys[n++] = KEY_NONE;
	}
}

int
keys_bind(struct slice command, const int *keys, size_t n, struct err *err)
{
	struct key_binding *binding = (struct key_binding *)key_binding_find(command);

	if (!binding) {
		return err_set(err, ERR_USAGE, "no command '%.*s' (help, ?, lists them)",
		               (int)command.len, command.ptr);
	}
	if (n > KEYS_A_COMMAND) {
		return err_set(err, ERR_USAGE, "%s: at most %d keys", binding->name,
		               KEYS_A_COMMAND);
	}
	memset(binding->keys, 0, sizeof binding->keys);
	for (size_t k = 0; k < n; k++) {
		for (struct key_binding *other = bindings; other->name; other++) {
			if (other->views & binding->views && binding_has(other, keys[k])) {
				binding_lose(other, keys[k]);
			}
		}
		binding->keys[k] = keys[k];
	}
	return 0;
}

static const struct {
	int key;
	const char *name;
} key_names[] = {
    {KEY_ENTER, "Enter"},
    {KEY_ESCAPE, "Esc"},
    {KEY_TAB, "Tab"},
    {KEY_BACK_TAB, "S-Tab"},
    {' ', "Space"},
    {KEY_BACKSPACE_ASCII, "Backspace"},
    {KEY_CURSOR_UP, "Up"},
    {KEY_CURSOR_DOWN, "Down"},
    {KEY_CURSOR_LEFT, "Left"},
    {KEY_CURSOR_RIGHT, "Right"},
    {KEY_PAGE_UP, "PgUp"},
    {KEY_PAGE_DOWN, "PgDn"},
    {KEY_FIRST, "Home"},
    {KEY_LAST, "End"},
    {KEY_DELETE, "Del"},
    {KEY_F1, "F1"},
};

const char *
key_label(int key, char out[16])
{
	for (size_t i = 0; i < COUNT_OF(key_names); i++) {
		if (key_names[i].key == key) {
			return key_names[i].name;
		}
	}
	if (key > 0 && key < 32) {
		snprintf(out, 16, "^%c", key + 64);
	} else {
		out[key > 0 && key < 0x110000 ? utf8_encode((uint32_t)key, out) : 0] = '\0';
	}
	return out;
}

int
key_from_name(struct slice name)
{
	size_t length;

	for (size_t i = 0; i < COUNT_OF(key_names); i++) {
		if (slice_is(name, key_names[i].name)) {
			return key_names[i].key;
		}
	}
	if (name.len == 2 && name.ptr[0] == '^' && name.ptr[1] >= '@' && name.ptr[1] <= '_') {
		return name.ptr[1] - 64;
	}
	if (name.len == 0) {
		return KEY_NONE;
	}
	uint32_t code = utf8_next(name, &length);
	return length == name.len ? (int)code : KEY_NONE;
}
