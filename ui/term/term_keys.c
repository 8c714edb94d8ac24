/*
 * A terminal's description names one spelling of each special key, and over SSH, through a
 * multiplexer or with a TERM that is almost right, another comes: cursor keys in their other mode
 * (ESC [ A for ESC O A), Home and End as ESC [ H, ESC [ 1 ~ or ESC [ 7 ~. All that no description
 * uses for anything else are taken, so that an arrow key is never an Esc and two letters.
 */
#include "config.h"

#include "ui/term/term_keys.h"

#include <curses.h>
#include <stddef.h>

enum { CURSES_ENTER = KEY_ENTER, CURSES_F1 = KEY_F(1) };
/* curses and we have different names for keys. */
#undef KEY_ENTER
#undef KEY_F1
#include "ui/term/key.h"
#include "util/mem.h"

static const struct {
	int curses_key, key;
	const char *spellings[5];
} keys[] = {
    {KEY_UP, KEY_CURSOR_UP, {"\033[A", "\033OA"}},
    {KEY_DOWN, KEY_CURSOR_DOWN, {"\033[B", "\033OB"}},
    {KEY_RIGHT, KEY_CURSOR_RIGHT, {"\033[C", "\033OC"}},
    {KEY_LEFT, KEY_CURSOR_LEFT, {"\033[D", "\033OD"}},
    {KEY_PPAGE, KEY_PAGE_UP, {"\033[5~"}},
    {KEY_NPAGE, KEY_PAGE_DOWN, {"\033[6~"}},
    {KEY_HOME, KEY_FIRST, {"\033[H", "\033OH", "\033[1~", "\033[7~"}},
    {KEY_END, KEY_LAST, {"\033[F", "\033OF", "\033[4~", "\033[8~"}},
    {KEY_DC, KEY_DELETE, {"\033[3~"}},
    {KEY_BTAB, KEY_BACK_TAB, {"\033[Z"}},
    {KEY_BACKSPACE, KEY_BACKSPACE_ASCII, {NULL}},
    {CURSES_F1, KEY_F1, {"\033OP", "\033[11~", "\033[[A"}},
    {CURSES_ENTER, KEY_ENTER, {"\033OM"}},
};
#define N_KEYS COUNT_OF(keys)

void
term_keys_define(void)
{
	for (size_t i = 0; i < N_KEYS; i++) {
		for (size_t k = 0; keys[i].spellings[k]; k++) {
			if (key_defined(keys[i].spellings[k]) == 0) {
				define_key(keys[i].spellings[k], keys[i].curses_key);
			}
		}
	}
}

int
term_key_of(int curses_key)
{
	for (size_t i = 0; i < N_KEYS; i++) {
		if (keys[i].curses_key == curses_key) {
			return keys[i].key;
		}
	}
	return KEY_NONE;
}
