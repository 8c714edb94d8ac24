/* Keys as the terminal gives them: what they mean says ui/base/keys.h.
 * Used by ui/app, ui/base. */
#ifndef LANESCOPE_UI_TERM_KEY_H
#define LANESCOPE_UI_TERM_KEY_H

/* A key: a Unicode character, a control character (1..31, 127), or one of these. */
enum term_key {
	KEY_NONE = 0,
	KEY_TAB = '\t',
	KEY_ENTER = '\r',
	KEY_ESCAPE = 27,
	KEY_BACKSPACE_ASCII = 127,
	KEY_SPECIAL = 0x200000,
	KEY_CURSOR_UP,
	KEY_CURSOR_DOWN,
	KEY_CURSOR_LEFT,
	KEY_CURSOR_RIGHT,
	KEY_PAGE_UP,
	KEY_PAGE_DOWN,
	KEY_FIRST,
	KEY_LAST,
	KEY_DELETE,
	KEY_BACK_TAB,
	KEY_F1
};

#endif
