#include "config.h"
#include "ui/lists/import_source.h"

#include <stdlib.h>

#include "util/mem.h"

struct import_source {
	struct table_source source; /* first: the source is this */
	const struct ui_imports *imports;
	size_t i;
};

static struct result *
load(const struct table_source *source, char *const *texts, struct job_worker *worker,
     const struct cancel *cancel, struct err *err)
{
	const struct import_source *mine = (const struct import_source *)source;

	(void)texts;
	(void)worker;
	(void)cancel;
	(void)err;
	return mine->imports->early(mine->imports->user, mine->i);
}

static bool
is_growing(const struct table_source *source)
{
	const struct import_source *mine = (const struct import_source *)source;
	struct ui_import import;

	mine->imports->read(mine->imports->user, mine->i, &import);
	return import.state == IMPORT_WAITING || import.state == IMPORT_READING ||
	       import.state == IMPORT_FINISHING;
}

static const struct table_source_ops ops = {.load = load, .is_growing = is_growing};

struct table_source *
import_source_new(const struct ui_imports *imports, size_t i)
{
	struct import_source *mine = xcalloc(1, sizeof *mine);
	struct ui_import import;
	struct strbuf title = {0};

	imports->read(imports->user, i, &import);
	strbuf_printf(&title, "%s, read so far", import.name);
	mine->imports = imports;
	mine->i = i;
	mine->source = (struct table_source){.ops = &ops,
	                                     .references = 1,
	                                     .memory = "import",
	                                     .empty = "no span is read yet",
	                                     .notes_first = true};
	mine->source.title = mine->source.own = strbuf_take(&title);
	return &mine->source;
}
