/* A query's SQL on the screen and in the user's editor.
 * Used by ui/lists. */
#ifndef LANESCOPE_UI_TABLE_EDIT_H
#define LANESCOPE_UI_TABLE_EDIT_H

#include "ui/table/table_source.h"

/* The source's query as a file: header, if it is a saved query, and statement.
 */
void edit_text(const struct table_source *source, struct strbuf *out);
/* The same with these texts as the defaults of its parameters (NULL each: as it is) and under a
 * title (NULL: its own). */
void edit_text_as(const struct table_source *source, char *const *texts, const char *title,
                  struct strbuf *out);
/* Whether a text has a header's title in some line. */
bool edit_has_title(struct slice text);
/* Opens the source's query in $VISUAL or $EDITOR, and a table with what the
 * text asks then. *draft (malloc'd or NULL) is a text that was refused before:
 * it is what the editor begins with, and what it is set to if the new text is
 * refused, too. */
void edit_query(struct view *view, const struct table_source *source, char *const *texts,
                char **draft);

#endif
