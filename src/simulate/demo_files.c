/* Files of made-up traces: opened, and closed with the question whether all was written. */
#include "config.h"
#include "simulate/demo_files.h"

#include <errno.h>
#include <stdarg.h>

#include "util/slice.h"

FILE *
demo_open(struct err *err, const char *path, ...)
{
	struct strbuf text = {0};
	va_list args;

	va_start(args, path);
	strbuf_vprintf(&text, path, args);
	va_end(args);
	FILE *file = fopen(text.data, "w");
	if (!file) {
		err_set_errno(err, errno, "%s", text.data);
	}
	strbuf_free(&text);
	return file;
}

int
demo_close(FILE *file, const char *path, struct err *err)
{
	if (!file) {
		return -1;
	}
	bool failed = ferror(file) != 0;
	return fclose(file) != 0 || failed ? err_set_errno(err, errno, "%s: cannot write", path)
	                                   : 0;
}
