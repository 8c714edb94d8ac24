#include "config.h"

#include "util/library.h"

void
library_add(struct strbuf *out, const char *name, const char *compiled, const char *running)
{
	const char *version = running ? running : compiled;

	strbuf_printf(out, "%s%s %s", out->len ? ", " : "", name, version);
	if (!slice_starts_with(slice_of(version), compiled)) {
		strbuf_printf(out, " (compiled for %s)", compiled);
	}
}
