/* Values as people read them: by the kind of their column, with units. For tables on a terminal; CSV and JSON print raw values. */
#ifndef LANESCOPE_QUERY_SAVED_SHOW_H
#define LANESCOPE_QUERY_SAVED_SHOW_H

#include "query/saved/query.h"
#include "util/format.h"

/* The text of a value: "12.48 ms", "577.1 GiB", "47.2 %", "" for NULL. Numbers are written into buffer, texts are the value's own. */
struct slice value_show(const struct value *value, enum column_kind kind,
                        char buffer[FORMAT_BYTES]);

#endif
