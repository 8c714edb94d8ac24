/* The arguments of a span, one by one, out of their JSON text.
 * Used by its room alone. */
#ifndef LANESCOPE_QUERY_SPANS_SPAN_ARGUMENTS_H
#define LANESCOPE_QUERY_SPANS_SPAN_ARGUMENTS_H

#include "util/slice.h"

/* Takes the next argument off *json ("{...}" at first): key and value as people read them, texts
 * without quotes and escapes, all else as it stands. Both are replaced. False at the end, or at
 * what is no JSON. */
bool span_arguments_next(struct slice *json, struct strbuf *key, struct strbuf *value);

#endif
