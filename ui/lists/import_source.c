#include "config.h"
#include "ui/lists/import_source.h"

#include <stdlib.h>

#include "ui/app/view.h"
#include "util/mem.h"
#include "util/quote.h"

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

/* Once it is a run: the spans of the name there. */
static bool
open_spans(const struct table_source *source, struct view *view, const struct view_place *in,
           const struct result *result, size_t row)
{
	const struct import_source *mine = (const struct import_source *)source;
	const struct value *name = result_value(result, row, 0);
	struct strbuf filter = {0};
	struct focus focus = FOCUS_NONE;
	struct ui_import import;

	(void)in;
	mine->imports->read(mine->imports->user, mine->i, &import);
	if (import.state != IMPORT_DONE) {
		return false;
	}
	if (name->type == VALUE_TEXT) {
		strbuf_add_text(&filter, "name = ");
		quote_add(&filter, name->text, '\'');
		focus.filter = filter.data;
	}
	view_open(view, PLACE_SPANS, .run_path = import.run_path, .run_name = import.name,
	          .focus = &focus);
	strbuf_free(&filter);
	return true;
}

static const struct table_source_ops ops = {
    .load = load, .open = open_spans, .is_growing = is_growing};

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
	                                     .sort = "-total",
	                                     .empty = "no span is read yet",
	                                     .notes_first = true};
	mine->source.title = mine->source.own = strbuf_take(&title);
	return &mine->source;
}
