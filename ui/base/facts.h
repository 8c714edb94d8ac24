/* The line of facts about a run that stands over its overview and its queries.
 * Used by ui/lists, ui/table. */
#ifndef LANESCOPE_UI_BASE_FACTS_H
#define LANESCOPE_UI_BASE_FACTS_H

#include "query/saved/query.h"
#include "ui/term/canvas.h"
#include "util/mem.h"

/* Adds ", 3 lanes" to the facts; nothing where n is 0. */
void facts_add_count(struct strbuf *facts, int64_t n, const char *one, const char *many);
/* All digits, in groups of three: a place in a list must change with each row. */
void facts_add_exact(struct strbuf *out, int64_t number);
/* On row y: the run's format, its dialect and the facts, each begun by a comma, as far as they fit,
 * and on the right how many problems it has. */
void facts_draw(struct canvas *canvas, int y, int width, const struct run_info *info,
                struct slice facts);

#endif
