/* The inflaters that the program has. */
#include "config.h"
#include "input/input.h"

#include <zlib.h>

#ifdef HAVE_ISAL
#include <isa-l.h>
#endif

#include "util/library.h"

void
input_libraries(struct strbuf *out)
{
#ifdef HAVE_ISAL
	struct strbuf version = {0};

	strbuf_printf(&version, "%d.%d.%d", ISAL_MAJOR_VERSION, ISAL_MINOR_VERSION,
	              ISAL_PATCH_VERSION);
	library_add(out, "ISA-L", version.data, NULL);
	strbuf_free(&version);
#endif
	library_add(out, "zlib", ZLIB_VERSION, zlibVersion());
}
