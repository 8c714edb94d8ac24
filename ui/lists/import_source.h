/* What an import has read so far, as the source of a table that grows.
 * Used by its room alone. */
#ifndef LANESCOPE_UI_LISTS_IMPORT_SOURCE_H
#define LANESCOPE_UI_LISTS_IMPORT_SOURCE_H

#include "ui/app/imports.h"
#include "ui/table/table_source.h"

/* Of the i-th; imports are lent. */
struct table_source *import_source_new(const struct ui_imports *imports, size_t i);

#endif
