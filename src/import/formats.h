/*
 * The table of formats; each row stands in its importer's file, import_<format>.c. Of formats that
 * are equally sure of a file the first takes it.
 * Used by its room alone.
 */
#ifndef LANESCOPE_IMPORT_FORMATS_H
#define LANESCOPE_IMPORT_FORMATS_H

#include "import/import.h"

#define IMPORT_FORMATS(row)                                                                        \
	row(dftracer) row(cascade) row(chrome) row(dasf) row(dataload) row(counters) row(preemption)

#define DECLARE_FORMAT(name) extern const struct import_format import_##name;
IMPORT_FORMATS(DECLARE_FORMAT)
#undef DECLARE_FORMAT

#endif
