/* What was typed into prompts, by kind, newest last; kept in a file between sessions.
 * Used by ui/app. */
#ifndef LANESCOPE_UI_BASE_HISTORY_H
#define LANESCOPE_UI_BASE_HISTORY_H

#include <stddef.h>
#include "util/slice.h"

#define HISTORY_KINDS 16
#define HISTORY_LIMIT 200 /* of each kind; the oldest go */

struct history;
/* path: read now and written by history_save; NULL: nothing is kept. What can't be read is as if it
 * were not there. */
struct history *history_new(const char *path);
void history_free(struct history *history); /* takes NULL */
/* Adds text as the newest; an older one that is equal goes. Empty texts are not kept. */
void history_add(struct history *history, unsigned kind, struct slice text);
/* The from_newest-th (1 is the newest), NULL if there are fewer. */
const char *history_get(const struct history *history, unsigned kind, size_t from_newest);
void history_save(
    const struct history *history); /* at the end of a session; failing is not worth a word */

#endif
