#include "config.h"

#include "util/library.h"

void
library_add(struct strbuf *out, const char *name, const char *compiled, const char *running)
{
	const char *version = running ? running : compiled;
	size_t n = strlen(compiled);
	/* "6.4.20221231" was compiled for as "6.4" */
	bool is_same = strncmp(version, compiled, n) == 0 && (version[n] == '.' || !version[n]);

	strbuf_printf(out, "%s%s %s", out->len ? ", " : "", name, version);
	if (!is_same) {
		strbuf_printf(out, " (compiled for %s)", compiled);
	}
}
