/*
 * Where the runs of a file begin that holds several. What can be said of it for all formats.
 */
#include "config.h"
#include "import/import.h"

#include <stdlib.h>

#include "util/mem.h"

void
import_parts_add(struct import_parts *parts, const struct import_part *part)
{
	MEM_GROW(parts->parts, parts->capacity, parts->n + 1);
	parts->parts[parts->n++] = *part;
}

void
import_parts_clear(struct import_parts *parts)
{
	parts->n = 0;
}

void
import_parts_free(struct import_parts *parts)
{
	free(parts->parts);
	*parts = (struct import_parts){0};
}
