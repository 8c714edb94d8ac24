/*
 * Screens one after the other as one file: an animated SVG (no script in it, so that it plays in an
 * <img>), or an asciicast, version 2, as the file's ending says. The same screens give the same
 * bytes.
 * Used by ui.
 */
#ifndef LANESCOPE_UI_TERM_CAST_H
#define LANESCOPE_UI_TERM_CAST_H

#include "ui/term/term.h"

struct cast;

/* Nothing is written before cast_close. */
struct cast *cast_new(const char *path, const struct term_wishes *wishes);
/* The screen from now on; key: what led to it, shown below it ("": nothing). */
void cast_screen(struct cast *cast, const struct canvas *canvas, const char *key);
/* It stays that long. */
void cast_hold(struct cast *cast, int64_t ms);
/* Writes the file and frees; an error of which err says. is_whole false: frees alone. */
int cast_close(struct cast *cast, bool is_whole, struct err *err);

#endif
